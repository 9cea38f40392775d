"""Play by look-up: it says the guess, you make it in the game and type the feedback, until it is solved."""

from __future__ import annotations

import argparse
import os
import sys

from optimal.cli import DONE, talk_stream
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
from optimal.errors import InputError
from optimal.games.labels import unquoted
from optimal.games.presets import is_game, preset
from optimal.games.resources import tree_file, tree_names
from optimal.games.rules import Rules, rules_of
from optimal.show.text import paragraph
from optimal.trees.codec import shipped_trees
from optimal.trees.file import load_tree, read_tree
from optimal.trees.player import heading, play_interactive, show_turns
from optimal.trees.tree import StrategyTree


def configure(parser: argparse.ArgumentParser) -> None:
    add_tree(parser, "?", "; or a game, whose shipped tree is played")
    parser.add_argument("--game", metavar="GAME", help=f"play the shipped tree of this game (default: {PLAYED_GAME})")
    parser.add_argument("--rules", type=option(rules_of), metavar="RULES", help="and of these rules (default: normal)")
    parser.add_argument("--answer", metavar="WORD", help="play by itself until it finds this answer")
    add_tree_matrix(parser, ", for --answer")
    add_contrast(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    tree = _tree(arguments)
    if arguments.matrix is not None and arguments.answer is None:
        raise InputError("--matrix goes with --answer: else you type the feedback")
    if arguments.answer is not None:
        turns = tree.path(unquoted(arguments.answer), tree_scorer(tree, arguments.matrix))
        if not arguments.json:
            sys.stdout.write(paragraph(heading(tree)))
            show_turns(tree, [*tree.position, *turns], sys.stdout, contrast=arguments.contrast)
    else:
        # With --json standard output holds the object alone.
        told = talk_stream(aside=arguments.json)
        turns = play_interactive(tree, sys.stdin, told, contrast=arguments.contrast)
    if arguments.json:
        played = [*tree.position, *turns]
        solved = bool(turns) and turns[-1][1] == tree.game.winning_code
        print_json(
            {
                "guesses": [guess for guess, _ in played],
                "feedback": [tree.game.format(code) for _, code in played],
                "solved": solved,
                "answer": turns[-1][0] if solved else None,
                "game": tree.game.name,
                "rules": tree.rules.value,
            }
        )
    return DONE


def _tree(arguments: argparse.Namespace) -> StrategyTree:
    named = arguments.tree
    if named is not None and arguments.game is None and is_game(named) and not os.path.exists(named):
        arguments.game, arguments.tree = named, None
    if arguments.tree is not None:
        if arguments.game is not None or arguments.rules is not None:
            raise InputError("name a tree, or a game and its rules, not both")
        return load_tree(arguments.tree)
    game = preset(arguments.game or PLAYED_GAME).name
    rules = arguments.rules or Rules.NORMAL
    name = f"{game}-{rules}.msgpack"
    if name not in tree_names():
        raise InputError(
            f"no tree of {game} under {rules} rules is shipped: {shipped_trees()}; "
            f"`optimal solve {game} --rules {rules} --output FILE` makes one, `optimal play FILE` plays it"
        )
    return read_tree(tree_file(name))
