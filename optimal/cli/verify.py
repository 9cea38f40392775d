"""`optimal verify`: a replay of every answer of a tree, or every object of a key."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence

from optimal.cli.console import DONE, NO, remark
from optimal.cli.inputs import own_lists, read_list, reading_of, tree_matrix
from optimal.cli.output import print_result
from optimal.errors import InputError
from optimal.games.wordlists import read_labels
from optimal.trees.file import load_tree
from optimal.trees.key import is_key
from optimal.trees.tree import StrategyTree
from optimal.trees.verify import verify_tree


def run(arguments: Namespace) -> int:
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
    asked = {
        "game": tree.game.name,
        "rules": tree.rules.value,
        "objective": tree.objective,
        "max_guesses": tree.max_guesses,
        "opener": tree.root.guess,
    }
    print_result(arguments, {**found.to_dict(), **asked}, str(found))
    if rows is None and tree.game.feedback is None:
        remark("optimal verify: --matrix FILE gives the matrix of a bare one")
    return DONE if found.ok and found.replayed else NO


def _of_key(arguments: Namespace) -> int:
    from optimal.cli.problems import table_of  # here, because a tree needs no numpy
    from optimal.trees.verify_key import verify_key

    found = verify_key(arguments.tree, None if arguments.table is None else table_of(arguments.table, arguments))
    print_result(arguments, found.to_dict(), str(found))
    return DONE if found.ok else NO


def _lists(tree: StrategyTree, arguments: Namespace) -> tuple[Sequence[str] | None, Sequence[str] | None]:
    """Guesses and answers, as far as they are given."""
    files = (arguments.guesses, arguments.answers)
    # Only words are lower-cased and held against the alphabet; codes and labels stay as they are.
    if tree.game.feedback is not None and tree.game.feedback.kind == "words":
        if arguments.word_list is not None or None not in files:
            return own_lists(arguments) or (None, None)
        guesses, answers = (None if file is None else read_list(arguments, file) for file in files)
        return guesses, answers
    for flag in ["--words"] * bool(arguments.word_list) + reading_of(arguments):
        raise InputError(f"{flag} is for lists of words, which {tree.game.name} has not")
    guesses, answers = (None if file is None else list(read_labels(file)) for file in files)
    return guesses, answers
