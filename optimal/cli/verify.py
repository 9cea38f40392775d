"""Replay every answer of a strategy tree by a scoring of its own, and check what the tree says of itself.

It proves the total, not that no tree has a lesser one. The tree of a bare matrix needs --matrix. Exit status 0: all
answers were replayed and nothing is wrong; 1: something is wrong, or the answers could not be replayed.

Of a key, which `optimal identify` writes, every object is replayed; --table holds the table in it against yours.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from optimal.cli import DONE, NO, remark
from optimal.cli.apart import reads
from optimal.cli.common import (
    add_contrast,
    add_json,
    add_lists,
    add_table_names,
    add_tree,
    add_tree_matrix,
    check_table_names,
    own_lists,
    print_json,
    print_painted,
    table_of,
    tree_matrix,
)
from optimal.errors import InputError
from optimal.games.wordlists import read_labels, read_words
from optimal.tables.key import is_key
from optimal.trees.file import load_tree
from optimal.trees.verify import verify_tree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optimal.trees.tree import StrategyTree

EXAMPLES = (
    ("optimal verify classic-normal", "a tree that ships"),
    ("optimal verify own.key --table table.csv", "a key from `optimal identify`"),
    ("optimal verify tree.msgpack", "your own, from `optimal solve --output`"),
)


def configure(parser: argparse.ArgumentParser) -> None:
    add_tree(parser)
    add_lists(parser)
    about = (
        ": CSV with labels, or .npy or CSV of numbers, guesses x answers, "
        "whose labels, where they have any, come from --guesses and --answers, one a line"
    )
    add_tree_matrix(parser, about)
    reads(parser.add_argument("--table", metavar="TABLE", help="the table of a key"))
    add_table_names(parser)
    add_contrast(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    if arguments.table is None:
        check_table_names(arguments)
    if is_key(arguments.tree):
        return _of_key(arguments)
    tree = load_tree(arguments.tree)
    if arguments.table is not None:
        raise InputError(f"--table is for keys; {arguments.tree} is a tree")
    guesses, answers = _lists(tree, arguments)
    rows = None
    if arguments.matrix is not None:
        matrix = tree_matrix(tree, arguments.matrix)
        rows, guesses, answers = matrix.rows, guesses or matrix.guesses, answers or matrix.answers
    found = verify_tree(tree, guesses=guesses, answers=answers, matrix=rows)
    if arguments.json:
        print_json(
            {
                **found.to_dict(),
                "game": tree.game.name,
                "rules": tree.rules.value,
                "objective": tree.objective,
                "max_guesses": tree.max_guesses,
                "opener": tree.root.guess,
            }
        )
    else:
        print_painted(arguments, str(found))
    if rows is None and tree.game.feedback is None:
        remark("optimal verify: --matrix FILE gives the matrix of a bare one")
    return DONE if found.ok and found.replayed else NO


def _of_key(arguments: argparse.Namespace) -> int:
    from optimal.tables.verify import verify_key

    table = None if arguments.table is None else table_of(arguments.table, arguments)
    found = verify_key(arguments.tree, table)
    if arguments.json:
        print_json(found.to_dict())
    else:
        print(found)
    return DONE if found.ok else NO


def _lists(tree: StrategyTree, arguments: argparse.Namespace) -> tuple[Sequence[str] | None, Sequence[str] | None]:
    """Guesses and answers, as far as they are given."""
    files = (arguments.guesses, arguments.answers)
    # Only words are lower-cased and held against the alphabet; codes and labels stay as they are.
    if tree.game.feedback is not None and tree.game.feedback.kind == "words":
        if arguments.word_list is not None:
            return own_lists(arguments) or (None, None)
        guesses, answers = (None if file is None else read_words(file, length=arguments.length) for file in files)
        return guesses, answers
    if arguments.word_list is not None or arguments.length is not None:
        raise InputError(f"--words and --length are for lists of words, which {tree.game.name} has not")
    guesses, answers = (None if file is None else list(read_labels(file)) for file in files)
    return guesses, answers
