"""Strategy trees as plain data and as text, for other programs and for people."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from optimal.trees.file import tree_of
from optimal.trees.scoring import LetterSets, PegSets, WordSets
from optimal.trees.tree import Node, StrategyTree

#: Lines are indented so many levels at most; those of deeper nodes begin with their depth in brackets.
MOST_INDENT = 20


def export_json(tree: StrategyTree | str | os.PathLike[str]) -> dict[str, Any]:
    """{"guess": "salet", "children": {"BYBBB": {"guess": ..., "children": {...}}}}; no branch for the win.

    The tree may be named, as for `verify_tree`.
    """
    tree = tree_of(tree)
    root: dict[str, Any] = {}
    stack: list[tuple[Node, dict[str, Any]]] = [(tree.root, root)]
    while stack:
        node, out = stack.pop()
        out["guess"] = node.guess
        out["children"] = {}
        for code, child in node.children.items():
            below: dict[str, Any] = {}
            out["children"][tree.game.format(code)] = below
            stack.append((child, below))
    return root


def export_text(tree: StrategyTree | str | os.PathLike[str]) -> str:
    """The tree as indented lines: feedback, guess, answers left. Branches that end stand together in a line.

    A bare matrix cannot tell how many answers are left, so its lines do without. The tree may be named.
    """
    return "".join(text_lines(tree_of(tree)))


def text_lines(tree: StrategyTree) -> Iterator[str]:
    """The lines of `export_text`, each with its end, one at a time: a tree may be as deep as it has answers."""
    yield f"{tree}\n"
    sets = _sets_of(tree)
    # Each node with its depth, the feedback before it and the answers left, bit i for answer i.
    stack: list[tuple[int, str, Node, int]] = [(0, "", tree.root, (1 << len(tree.answers)) - 1)]
    while stack:
        depth, feedback, node, answers = stack.pop()
        yield f"{_indent(depth)}{feedback}{node.guess}{_left(sets, answers)}\n"
        leaves = [
            f"{tree.game.format(code)} {child.guess}" for code, child in node.children.items() if not child.children
        ]
        for i in range(0, len(leaves), 6):
            yield f"{_indent(depth + 1)}{'  '.join(leaves[i : i + 6])}\n"
        inner = [(code, child) for code, child in node.children.items() if child.children]
        classes = sets.split(node.guess, answers) if inner and sets is not None else {}
        for code, child in reversed(inner):
            stack.append((depth + 1, f"{tree.game.format(code)} ", child, classes.get(code, 0)))


def _indent(depth: int) -> str:
    return "  " * depth if depth <= MOST_INDENT else f"{'  ' * MOST_INDENT}[{depth}] "


def _left(sets: LetterSets | None, answers: int) -> str:
    if sets is None:
        return ""
    count = answers.bit_count()
    return f"  ({count} answer{'' if count == 1 else 's'})"


def _sets_of(tree: StrategyTree) -> LetterSets | None:
    if tree.game.feedback is None:
        return None
    return (WordSets if tree.game.feedback.kind == "words" else PegSets)(tree.answers)
