"""Replay every answer of a strategy tree by a scoring of its own, and check what the tree says of itself.

It proves the total, not that no tree has a lesser one. Exit status 1 when anything is wrong.
"""

from __future__ import annotations

import argparse

from optimal.cli import DONE, NO
from optimal.cli.common import (
    BAR,
    add_json,
    add_lists,
    add_tree,
    json_distribution,
    print_json,
    print_text,
    read_tree_named,
)
from optimal.games.wordlists import read_words
from optimal.show.text import histogram, pairs
from optimal.trees.tree import StrategyTree
from optimal.trees.verify import Verification, verify_tree


def configure(parser: argparse.ArgumentParser) -> None:
    add_tree(parser)
    add_lists(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    guesses = None if arguments.guesses is None else read_words(arguments.guesses)
    answers = None if arguments.answers is None else read_words(arguments.answers)
    tree = read_tree_named(arguments.tree)
    found = verify_tree(tree, guesses=guesses, answers=answers)
    if arguments.json:
        print_json(
            {
                "ok": found.ok,
                "total": found.total,
                "mean": float(found.mean),
                "worst": found.worst,
                "distribution": json_distribution(found.distribution),
                "answers": found.answers,
                "problems": found.problems,
                "notes": found.notes,
                "claim": found.claim,
                "game": tree.game.name,
                "rules": tree.rules.value,
                "objective": tree.objective,
                "max_guesses": tree.max_guesses,
                "opener": tree.root.guess,
            }
        )
    else:
        _show(tree, found)
    return DONE if found.ok else NO


def _show(tree: StrategyTree, found: Verification) -> None:
    print(f"{'ok' if found.ok else 'NOT OK'}: {tree}")
    print(
        pairs(
            [
                ("answers", f"{found.answers}, {sum(found.distribution.values())} of them found"),
                ("total", str(found.total)),
                ("mean", f"{float(found.mean):.4f}"),
                ("worst", str(found.worst)),
                ("claim", found.claim),
                *(("note", note) for note in found.notes),
                *(("problem", problem) for problem in found.problems),
            ]
        ),
        end="",
    )
    if found.distribution:
        print_text(histogram(found.distribution, width=BAR, headed=True))
