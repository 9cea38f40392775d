"""Write the certificate of a tree or a key: the proof that its value is the least there is, for `optimal check`.

It covers words, mastermind and bulls-and-cows under all rules and limits, for the objectives mean and worst, over all
openers; and keys of tables, whose own files have all that it takes. Trees of own lists need --words, or --guesses and
--answers. Exit status 2: the question is not covered, or bad input.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from optimal.cli import DONE, say
from optimal.cli.common import (
    add_jobs,
    add_json,
    add_lists,
    add_output,
    add_tree,
    check_writable,
    own_lists,
    print_json,
)
from optimal.errors import InputError
from optimal.games.presets import preset_of
from optimal.show.words import counted
from optimal.tables.key import Key, is_key
from optimal.trees.file import load_tree

if TYPE_CHECKING:
    from optimal.games.game import Game
    from optimal.trees.tree import StrategyTree

EXAMPLES = (
    ("optimal certify tree.msgpack --words own.txt --output proof.xz", "the proof of a tree of your own list"),
    ("optimal certify birds.key --output proof.xz", "the proof of a key"),
)


def configure(parser: argparse.ArgumentParser) -> None:
    add_tree(parser, about="; or a key")
    add_output(parser, "write the certificate to this file", required=True)
    add_lists(parser)
    add_jobs(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    check_writable(arguments.output)
    of_key = is_key(arguments.tree)
    if of_key and (arguments.word_list or arguments.guesses or arguments.answers):
        raise InputError(f"{arguments.tree} is a key, whose file has its table: no lists of words go with it")

    from optimal.certificates.certify import certify
    from optimal.certificates.key_prover import certify_key
    from optimal.cli.progress import Reporter

    with Reporter(plain=not arguments.json, verbose=False, questions=of_key) as reporter:
        if of_key:
            done = certify_key(Key.load(arguments.tree), arguments.output, reporter.step)
        else:
            tree = load_tree(arguments.tree)
            done = certify(tree, _game_of(tree, arguments), arguments.output, arguments.jobs, reporter.step)
    if arguments.json:
        print_json({"claims": done.claims, "bytes": done.bytes, "seconds": done.seconds, "file": arguments.output})
    else:
        say(
            f"certificate written to {arguments.output}: {counted(done.claims, 'claim')}, {done.bytes} bytes, "
            f"{done.seconds:.1f} seconds"
        )
        say(f"`optimal check {arguments.output}` checks it")
    return DONE


def _game_of(tree: StrategyTree, arguments: argparse.Namespace) -> Game:
    """The tree's game with its lists: those of a preset, or those given."""
    from optimal.games.game import Game

    feedback = tree.game.feedback
    if (own := own_lists(arguments)) is not None:
        return Game.from_words(*own)
    known = preset_of(feedback, tree.game.guesses_sha256, tree.game.answers_sha256)
    if known is not None:
        return Game.preset(known.name)
    if feedback is None:
        raise InputError("certificates are for words, mastermind and bulls-and-cows, not for a bare matrix")
    raise InputError(f"the lists of {tree.game.name} are not known: give them with --words, or --guesses and --answers")
