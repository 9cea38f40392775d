"""Play by look-up: it says the guess, you make it in the game and type the feedback, until it is solved.

With a key, which `optimal identify` writes, it asks and you type the replies, until it is known what it is; "?" stands
for a reply that you don't know.
"""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING, TextIO

from optimal.cli import DONE, NO, rules_hint, talk_stream
from optimal.cli.common import (
    PLAYED_GAME,
    add_contrast,
    add_json,
    add_tree,
    add_tree_matrix,
    option,
    print_json,
    tree_scorer,
)
from optimal.errors import InputError, did_you_mean
from optimal.games.presets import game_names, is_game, preset, preset_of
from optimal.games.resources import check_no_table, names_file, shipped_name, tree_file, tree_names
from optimal.games.rules import Rules, rules_of
from optimal.labels import unquoted
from optimal.show.text import paragraph
from optimal.show.words import quoted
from optimal.tables.asking import ask
from optimal.tables.key import Key, is_key
from optimal.trees.file import load_tree, read_tree
from optimal.trees.player import Player, heading, play_answer, play_interactive, show_turns
from optimal.trees.tree import StrategyTree

if TYPE_CHECKING:
    from optimal.cli.advice import Session
    from optimal.games.game import Game
    from optimal.games.info import GameInfo, History

EXAMPLES = (
    ("optimal play", "today's Wordle"),
    ("optimal play --answer crane", "it plays by itself"),
    ("optimal play --rules hard", "hard rules"),
    ("optimal play mastermind", "another game"),
)


def configure(parser: argparse.ArgumentParser) -> None:
    add_tree(parser, "?", "; or a game, whose shipped tree is played")
    parser.add_argument("--game", metavar="GAME", help=f"play the shipped tree of this game (default: {PLAYED_GAME})")
    parser.add_argument("--rules", type=option(rules_of), metavar="RULES", help="and of these rules (default: normal)")
    parser.add_argument("--answer", metavar="WORD", help="play by itself until it finds this answer, or this object")
    add_tree_matrix(parser, ", for --answer")
    add_contrast(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    if arguments.tree is not None and is_key(arguments.tree):
        return _ask(arguments)
    tree = _tree(arguments)
    if arguments.matrix is not None and arguments.answer is None:
        raise InputError("--matrix goes with --answer: else you type the feedback")
    if arguments.answer is not None:
        player = play_answer(tree, unquoted(arguments.answer), tree_scorer(tree, arguments.matrix))
        if not arguments.json:
            sys.stdout.write(paragraph(heading(tree)))
            show_turns(tree, player.history, sys.stdout, contrast=arguments.contrast)
            if not player.listed:
                told = "found all the same" if player.solved else f"not found within {tree.max_guesses} guesses"
                print(f"Not in the list of answers; {told}.")
        if arguments.json:
            print_json(_fields(tree.game, tree.rules, player.history))
        return DONE if player.solved else NO
    # With --json standard output holds the object alone.
    out = talk_stream(aside=arguments.json)
    sessions: list[Session] = []

    def advise(player: Player, typed: str, tree: StrategyTree) -> None:
        session = _session(player, tree, out, arguments)
        if typed:
            session.obey(None, typed)
        else:
            session.change(session.game)
        sessions.append(session)
        session.talk()

    player = play_interactive(tree, sys.stdin, out, contrast=arguments.contrast, choose=_other, advise=advise)
    if arguments.json:
        if sessions:
            print_json(_fields(sessions[0].game, sessions[0].game.rules, sessions[0].history))
        else:
            print_json(_fields(player.tree.game, player.tree.rules, player.history))
    return DONE


def _ask(arguments: argparse.Namespace) -> int:
    """Play a key: ask, until it is known what it is."""
    for given, name in ((arguments.game, "--game"), (arguments.rules, "--rules"), (arguments.matrix, "--matrix")):
        if given is not None:
            raise InputError(f"{arguments.tree} is a key, which asks by itself: leave out {name}")
    key = Key.load(arguments.tree)
    if arguments.answer is not None:
        found = key.paths(unquoted(arguments.answer))
        if arguments.json:
            print_json({"object": arguments.answer, "paths": [dict(path) for path in found]})
        else:
            for path in found:
                sys.stdout.write(paragraph(", ".join(f"{question}: {reply}" for question, reply in path) or "nothing"))
        return DONE
    asker = ask(key, sys.stdin, talk_stream(aside=arguments.json))
    if arguments.json:
        print_json(
            {
                "questions": [question for question, _ in asker.turns],
                "replies": [reply for _, reply in asker.turns],
                "objects": list(asker.objects),
                "done": asker.question is None,
                "table": key.name,
            }
        )
    return DONE


def _fields(game: Game | GameInfo, rules: Rules, played: History) -> dict[str, object]:
    solved = bool(played) and played[-1][1] == game.winning_code
    return {
        "guesses": [guess for guess, _ in played],
        "feedback": [game.format(code) for _, code in played],
        "solved": solved,
        "answer": played[-1][0] if solved else None,
        "game": game.name,
        "rules": rules.value,
    }


def _session(player: Player, tree: StrategyTree, out: TextIO, arguments: argparse.Namespace) -> Session:
    """Exact advice from where the player stands, in the game of this tree. InputError where its lists are not known."""
    from optimal.cli.advice import Session, adviser
    from optimal.games.game import Game

    known = preset_of(tree.game.feedback, tree.game.guesses_sha256, tree.game.answers_sha256)
    if known is None:
        own = "guesses of your own need its lists: `optimal assist --words FILE`, or --guesses and --answers"
        raise InputError(f"the guess is {player.guess}: this player has the tree of {tree.game.name} alone; {own}")

    def other(game: Game, name: str) -> Game:
        return Game.preset(name, game.rules)

    game = Game.preset(known.name, tree.rules).with_rules(tree.rules, tree.max_guesses)
    session = Session(game, adviser(5, 1), other, out, contrast=arguments.contrast)
    session.history, session.guess = player.history, player.guess
    return session


def _other(tree: StrategyTree, game: str | None) -> StrategyTree:
    """The shipped tree of another game, or that of the same game and other rules."""
    if game is not None:
        return _shipped(preset(game).name, tree.rules)
    rules = Rules.HARD if tree.rules is Rules.NORMAL else Rules.NORMAL
    known = preset_of(tree.game.feedback, tree.game.guesses_sha256, tree.game.answers_sha256)
    if known is None:
        makes = f"`optimal solve --words FILE --rules {rules} --output TREE` makes one, `optimal play TREE` plays it"
        raise InputError(f"there is no tree of {tree.game.name} under {rules} rules: {makes}")
    return _shipped(known.name, rules)


def _tree(arguments: argparse.Namespace) -> StrategyTree:
    named = arguments.tree
    if named is not None and arguments.game is None and is_game(named) and not os.path.exists(named):
        arguments.game, arguments.tree = named, None
    elif named is not None and not os.path.exists(named):
        _check_tree_name(named)
    if arguments.tree is not None:
        if arguments.game is not None or arguments.rules is not None:
            raise InputError("name a tree, or a game and its rules, not both")
        return load_tree(arguments.tree)
    return _shipped(preset(arguments.game or PLAYED_GAME).name, arguments.rules or Rules.NORMAL)


def _check_tree_name(named: str) -> None:
    """InputError for what names neither a tree that ships nor a game: it says what somebody who plays can name."""
    trees = [name.removesuffix(".msgpack") for name in tree_names()]
    if shipped_name(named.removesuffix(".msgpack"), trees) is None:
        check_no_table(named)
        if names_file(named):
            raise InputError(f"there is no file {quoted(named, 200)}")
        otherwise = "`optimal play` alone is today's Wordle, and `optimal games` lists games and trees"
        hint = rules_hint(named) or did_you_mean(named, [*game_names(), *trees], otherwise)
        raise InputError(f"there is no game, no tree and no file {quoted(named, 200)}{hint}")


def _shipped(game: str, rules: Rules) -> StrategyTree:
    name = f"{game}-{rules}.msgpack"
    if name not in tree_names():
        raise InputError(
            f"no tree of {game} under {rules} rules is shipped, see `optimal games`; "
            f"`optimal solve {game} --rules {rules} --output FILE` makes one, `optimal play FILE` plays it"
        )
    return read_tree(tree_file(name))
