"""Strategy trees as plain data, as rows and as text, for programs and people: see docs/howto/pages-and-exports.md."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

from optimal.show.csv import csv_lines
from optimal.show.record import plain
from optimal.show.words import counted
from optimal.trees.base import JSON_VERSION
from optimal.trees.file import tree_of
from optimal.trees.nodes import Node
from optimal.trees.tree import Scorer, StrategyTree

#: The deepest level that is indented; lines of deeper nodes begin with their depth in brackets.
MOST_INDENT = 20


def export_json(tree: StrategyTree | str | os.PathLike[str]) -> dict[str, Any]:
    """All that a tree's file says, and {"guess": "salet", "children": {"BYBBB": {"guess": ..., "children": {...}}}}.

    >>> from optimal import export_json
    >>> exported = export_json("classic-normal")
    >>> exported["guess"], exported["children"]["BYBYB"]["guess"]
    ('salet', 'beard')

    Parameters
    ----------
    tree : StrategyTree or str or path
        A tree, its file, or the name of a shipped one.

    Returns
    -------
    dict
        As docs/howto/pages-and-exports.md specifies it. The win has no branch.
    """
    tree = tree_of(tree)
    return {**_about(tree), **tree.branches()}


def _about(tree: StrategyTree) -> dict[str, Any]:
    def said(names: str) -> dict[str, Any]:
        return {name: plain(getattr(tree, name)) for name in names.split()}

    game = tree.game
    return {
        "format": "optimal-tree",
        "version": JSON_VERSION,
        "program": tree.program,
        "game": {
            "name": game.name,
            "kind": None if game.feedback is None else game.feedback.kind,
            "params": {} if game.feedback is None else game.feedback.params(),
            "winning_feedback": game.format(game.winning_code),
            "guess_count": game.guess_count,
            "guesses_sha256": game.guesses_sha256,
            "answers_sha256": game.answers_sha256,
            "matrix_sha256": game.matrix_sha256,
            "feedback_labels": plain(game.labels),
        },
        **said("rules objective max_guesses"),
        "position": [{"guess": guess, "feedback": game.format(code)} for guess, code in tree.position],
        **said("weights_name weights status value bound total"),
        "mean": None if tree.mean_text == "-" else float(tree.mean),
        **said("worst distribution ledgers openers answers"),
    }


def export_csv(tree: StrategyTree | str | os.PathLike[str], scorer: Scorer | None = None) -> str:
    """A row for each answer: its weight, the guess that finds it, and every guess and feedback on the way.

    >>> from optimal import export_csv
    >>> print(export_csv("mastermind-normal").splitlines()[1])
    1111,1,4,1123,"2,0",1245,"1,0",1161,"3,0",1111,"4,0",,,,

    Parameters
    ----------
    tree : StrategyTree or str or path
        A tree, its file, or the name of a shipped one.
    scorer : callable, optional
        ``scorer(guess, answer)`` returns the feedback code; the tree of a bare matrix needs it.

    Returns
    -------
    str
        Lines of comma-separated values, the headings first.

    Raises
    ------
    InputError
        For a bare matrix without a ``scorer``.
    """
    return "".join(csv_rows(tree_of(tree), scorer))


def csv_rows(tree: StrategyTree, scorer: Scorer | None = None) -> Iterator[str]:
    """The lines of `export_csv`, each with its end, one at a time."""
    score = tree.scorer(scorer)  # complains of a bare matrix
    headings = ["answer", "weight", "guesses"]
    deepest = tree.root.depth  # not the worst case, which in a file made by hand may be any number
    headings += [f"{name}_{number}" for number in range(1, deepest + 1) for name in ("guess", "feedback")]

    def row(answer: str, weight: int) -> list[object]:
        turns = tree.play(answer, score)
        blank = [""] * (2 * (deepest - len(turns)))
        return [answer, weight, len(turns), *(text for turn in turns for text in turn), *blank]

    weights = tree.weights or (1,) * len(tree.answers)
    yield from csv_lines(headings, (row(*pair) for pair in zip(tree.answers, weights, strict=True)))


def export_text(tree: StrategyTree | str | os.PathLike[str]) -> str:
    """The tree as indented lines: feedback, guess, answers left. Branches that end stand together in a line.

    >>> from optimal import export_text
    >>> print(export_text("mastermind-normal").splitlines()[3])
        0,2 4555  (6 answers)

    Parameters
    ----------
    tree : StrategyTree or str or path
        A tree, its file, or the name of a shipped one. For a bare matrix the number of answers left is not known.

    Returns
    -------
    str
        A line for each node that is not the last of its branch.
    """
    return "".join(text_lines(tree_of(tree)))


def text_lines(tree: StrategyTree) -> Iterator[str]:
    """The lines of `export_text`, each with its end, one at a time: a tree may be as deep as it has answers."""
    yield f"{tree}\n"
    feedback = tree.game.feedback
    # Each node with its depth, the feedback before it and the answers left.
    stack: list[tuple[int, str, Node, Sequence[str]]] = [(0, "", tree.root, tree.answers)]
    while stack:
        depth, reply, node, answers = stack.pop()
        left = "" if feedback is None else f"  ({counted(len(answers), 'answer')})"
        yield f"{indent(depth, 2)}{reply}{node.guess}{left}\n"
        children = [(code, tree.game.format(code), child) for code, child in node.children.items()]
        leaves = [f"{text} {child.guess}" for _, text, child in children if not child.children]
        for i in range(0, len(leaves), 6):
            yield f"{indent(depth + 1, 2)}{'  '.join(leaves[i : i + 6])}\n"
        inner = [child for child in children if child[2].children]
        classes: dict[int, list[str]] = {}
        if feedback is not None and inner:
            for answer in answers:
                classes.setdefault(feedback.score(node.guess, answer), []).append(answer)
        stack += [(depth + 1, f"{text} ", child, classes.get(code, ())) for code, text, child in reversed(inner)]


def export_svg(tree: StrategyTree | str | os.PathLike[str]) -> str:
    """The tree as a picture, from the first guess on the left; the feedback stands on each line.

    >>> from optimal import export_svg
    >>> export_svg("mastermind-normal")[:4]
    '<svg'

    Parameters
    ----------
    tree : StrategyTree or str or path
        A tree, its file, or the name of a shipped one.

    Returns
    -------
    str
        The file of the picture, which a browser scrolls and zooms.

    Raises
    ------
    InputError
        For a tree that is too large to be looked at.
    """
    return tree_of(tree).svg()


def indent(level: int, blanks: int) -> str:
    """What a line of a level begins with."""
    start = " " * (blanks * min(level, MOST_INDENT))
    return start if level <= MOST_INDENT else f"{start}[{level}] "
