"""`optimal certify`: the proof that the value of a tree or a key is the least."""

from __future__ import annotations

from argparse import Namespace

from optimal.certificates.certify import certify
from optimal.certificates.key_prover import certify_key
from optimal.cli.console import DONE, say
from optimal.cli.inputs import own_lists
from optimal.cli.output import print_json
from optimal.cli.progress import Reporter
from optimal.errors import InputError
from optimal.games.game import Game
from optimal.games.presets import preset_of
from optimal.trees.file import load_tree
from optimal.trees.key import Key, is_key
from optimal.trees.tree import StrategyTree


def run(arguments: Namespace) -> int:
    of_key, path = is_key(arguments.tree), arguments.output
    if of_key and (arguments.word_list or arguments.guesses or arguments.answers):
        raise InputError(f"{arguments.tree} is a key, whose file has its table: no lists of words go with it")
    with Reporter(plain=not arguments.json, questions=of_key) as reporter:
        if of_key:
            done = certify_key(Key.load(arguments.tree), path, reporter.step)
        else:
            tree = load_tree(arguments.tree)
            done = certify(tree, _game_of(tree, arguments), path, arguments.jobs, reporter.step)
    if arguments.json:
        print_json({"claims": done.claims, "bytes": done.bytes, "seconds": done.seconds, "file": path})
    else:
        say(f"{done.text(path)}, {done.seconds:.1f} seconds")
        say(f"`optimal check {path}` checks it")
    return DONE


def _game_of(tree: StrategyTree, arguments: Namespace) -> Game:
    """The tree's game with its lists: those given, or those of a preset."""
    if (own := own_lists(arguments)) is not None:
        return Game.from_words(*own)
    feedback = tree.game.feedback
    if feedback is None:
        raise InputError("certificates are for words, mastermind and bulls-and-cows, not for a bare matrix")
    known = preset_of(feedback, tree.game.guesses_sha256, tree.game.answers_sha256)
    if known is None:
        lists = "give them with --words, or --guesses and --answers"
        raise InputError(f"the lists of {tree.game.name} are not known: {lists}")
    return Game.preset(known.name)
