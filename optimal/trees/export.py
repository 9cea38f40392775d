"""Strategy trees as plain data and as text, for other programs and for people."""

from __future__ import annotations

from typing import Any

from optimal.trees.tree import Node, StrategyTree


def export_json(tree: StrategyTree) -> dict[str, Any]:
    """{"guess": "salet", "children": {"BYBBB": {"guess": ..., "children": {...}}}}; no branch for the win."""
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


def export_text(tree: StrategyTree) -> str:
    """The tree as indented lines: feedback, guess, answers left. Branches that end stand together in a line.

    A bare matrix cannot tell how many answers are left, so its lines do without.
    """
    lines = [str(tree)]
    stack: list[tuple[str, str, Node, tuple[str, ...]]] = [("", "", tree.root, tree.answers)]
    while stack:
        indent, feedback, node, answers = stack.pop()
        lines.append(f"{indent}{feedback}{node.guess}{_left(tree, answers)}")
        classes = _classes(tree, node, answers)
        indent += "  "
        leaves = [
            f"{tree.game.format(code)} {child.guess}" for code, child in node.children.items() if not child.children
        ]
        lines += [f"{indent}{'  '.join(leaves[i : i + 6])}" for i in range(0, len(leaves), 6)]
        for code in sorted(node.children, reverse=True):
            child = node.children[code]
            if child.children:
                stack.append((indent, f"{tree.game.format(code)} ", child, tuple(classes.get(code, ()))))
    return "\n".join(lines) + "\n"


def _left(tree: StrategyTree, answers: tuple[str, ...]) -> str:
    if tree.game.feedback is None:
        return ""
    return f"  ({len(answers)} answer{'' if len(answers) == 1 else 's'})"


def _classes(tree: StrategyTree, node: Node, answers: tuple[str, ...]) -> dict[int, list[str]]:
    classes: dict[int, list[str]] = {}
    if tree.game.feedback is not None:
        for answer in answers:
            classes.setdefault(tree.game.feedback.score(node.guess, answer), []).append(answer)
    return classes
