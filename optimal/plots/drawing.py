"""A strategy tree drawn for print: a column for each guess, a box for each node, as high as it has answers."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from optimal.errors import InputError
from optimal.plots.figures import COLOURS, INK, new_figure
from optimal.trees.file import tree_of
from optimal.trees.tree import Node, StrategyTree

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 11.7, 16.5  # inches: a sheet of A3
#: The smallest letters that are drawn, in points; a picture of lines can be looked at closely.
LEAST_LETTERS = 0.25
MOST_LETTERS = 14.0
POINTS = 72
MOST_DEPTH = 30


def plot_tree(tree: StrategyTree | str | os.PathLike[str]) -> Figure:
    """The whole tree, from the first guess on the left; answers found at a node leave its right end open.

    >>> from optimal import plot_tree, save_figure, solve
    >>> save_figure(plot_tree(solve("mastermind:3x3").tree), "tree.svg")

    Parameters
    ----------
    tree : StrategyTree or str or path
        A tree, its file, or the name of a shipped one.

    Returns
    -------
    matplotlib.figure.Figure
        A figure that belongs to no window.

    Raises
    ------
    InputError
        For a tree deeper than 30 guesses, whose columns would be too narrow to read.
    """
    tree = tree_of(tree)
    if tree.depth > MOST_DEPTH:
        raise InputError(f"the tree is too deep to be drawn: {tree.depth} guesses; {MOST_DEPTH} are possible")
    figure, axes = new_figure(WIDTH, HEIGHT)

    from matplotlib.collections import PatchCollection  # after it, which tells where there is no matplotlib
    from matplotlib.patches import Rectangle

    leaves = _leaves(tree.root)
    boxes, colours = [], []
    unit = HEIGHT * 0.94 * POINTS / leaves[id(tree.root)]
    across = WIDTH * 0.96 * POINTS / tree.depth
    stack: list[tuple[Node, int, float]] = [(tree.root, 0, 0.0)]
    while stack:
        node, depth, top = stack.pop()
        height = leaves[id(node)]
        boxes.append(Rectangle((depth, top), 1, height))
        colours.append(COLOURS[depth % len(COLOURS)])
        letters = min(0.8 * height * unit, 1.3 * across / max(len(node.guess), 1), MOST_LETTERS)
        if letters >= LEAST_LETTERS:
            text = axes.text(depth + 0.5, top + height / 2, node.guess, fontsize=letters, ha="center", va="center")
            text.set_color(INK)
            text.set_clip_on(True)
        below = top
        for _, child in sorted(node.children.items(), key=lambda item: (-leaves[id(item[1])], item[0])):
            stack.append((child, depth + 1, below))
            below += leaves[id(child)]
    edge = min(0.4, 0.1 * unit)
    axes.add_collection(PatchCollection(boxes, facecolor=colours, edgecolor="white", linewidth=edge, alpha=0.55))
    axes.set_xlim(0, tree.depth)
    axes.set_ylim(leaves[id(tree.root)], 0)
    axes.set_xticks([number + 0.5 for number in range(tree.depth)], [f"guess {n + 1}" for n in range(tree.depth)])
    axes.set_yticks([])
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    axes.set_title(str(tree), fontsize=9)
    return figure


def _leaves(root: Node) -> dict[int, int]:
    """How high each node is drawn, by its identity: one for each node below it that has none below, or for itself."""
    order, stack = [], [root]
    while stack:
        node = stack.pop()
        order.append(node)
        stack.extend(node.children.values())
    heights: dict[int, int] = {}
    for node in reversed(order):
        heights[id(node)] = max(1, sum(heights[id(child)] for child in node.children.values()))
    return heights
