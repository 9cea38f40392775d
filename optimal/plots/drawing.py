"""A strategy tree drawn for people: a column for each guess, a box for each node, with the reply that leads to it."""

from __future__ import annotations

import os
from collections import Counter
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from optimal.checks import check_whole
from optimal.errors import InputError
from optimal.plots.figures import COLOURS, INK, POINTS, SOFT, new_figure
from optimal.trees.file import tree_of
from optimal.trees.nodes import Node
from optimal.trees.tree import StrategyTree

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: In points: letters, the width of one and the height of their line; what a box has beside them, and stands around all.
LETTERS, ACROSS, LINE = 8.0, 4.85, 11.2
BESIDE, AROUND = 8.0, 15.0
LEAST_COLUMN, MOST_COLUMN, LEAST_WIDTH = 60.0, 300.0, 300.0
MOST_LEVELS = 30
#: Lines of a picture of dots that is still looked at with ease, and of a page of PDF.
MOST_ROWS = {"png": 300, "pdf": 1250}


def plot_tree(tree: StrategyTree | str | os.PathLike[str], levels: int | None = None) -> Figure:
    """The tree, from the first guess on the left: in every box the reply that leads there, and the next guess.

    The letters stay as large as they are: the picture is as high as the tree has leaves. As SVG it is scrolled and
    zoomed, and can be searched for a word.

    >>> from optimal import plot_tree, save_figure, solve
    >>> save_figure(plot_tree(solve("mastermind:3x3").tree), "tree.svg")

    Parameters
    ----------
    tree : StrategyTree or str or path
        A tree, its file, or the name of a shipped one.
    levels : int, optional
        The first so many guesses alone; the others of a box are told as a number. None is all.

    Returns
    -------
    matplotlib.figure.Figure
        A figure that belongs to no window.

    Raises
    ------
    InputError
        For more than 30 guesses one after the other.
    """
    tree = tree_of(tree)
    levels = tree.depth if levels is None else min(tree.depth, check_whole(levels, "levels", 1))
    if levels > MOST_LEVELS:
        raise InputError(f"the tree is too deep to be drawn: {levels} guesses; {MOST_LEVELS} are possible")
    rows, below = _rows(tree.root, levels)
    column = _column(tree)
    column = max(column, LEAST_WIDTH / levels)
    part = "" if levels == tree.depth else f" The first {levels} of {tree.depth} guesses; +N: so many boxes more."
    title = wrap(f"{tree}.{part}", int(column * levels / ACROSS))
    # In points: all of it, and from the top what the title and the names of columns take.
    width, head = column * levels + 2 * AROUND, AROUND + LINE * (len(title) + 2)
    height = head + LINE * rows[id(tree.root)] + AROUND
    figure, axes = new_figure(width / POINTS, height / POINTS)

    from matplotlib.collections import PatchCollection  # after it, which tells where there is no matplotlib
    from matplotlib.patches import Rectangle

    figure.set_layout_engine("none")
    axes.set_position((AROUND / width, AROUND / height, 1 - 2 * AROUND / width, 1 - (head + AROUND) / height))
    boxes, colours = [], []
    stack: list[tuple[Node, int, float, str]] = [(tree.root, 0, 0.0, "")]
    style: dict[str, Any] = {"fontsize": LETTERS, "family": "monospace", "va": "center", "clip_on": True}
    while stack:
        node, depth, top, reply = stack.pop()
        boxes.append(Rectangle((depth, top), 1, rows[id(node)]))
        colours.append(COLOURS[depth % len(COLOURS)])
        # At the top of its box, which may be higher than any screen.
        left, line = depth + BESIDE / 2 / column, top + 0.5
        if reply:
            axes.text(left, line, reply, color=SOFT, **style)
            left += (len(reply) + 1) * ACROSS / column
        axes.text(left, line, node.guess, color=INK, weight="bold", **style)
        if depth + 1 == levels:
            if hidden := below[id(node)]:
                axes.text(left + (len(node.guess) + 1) * ACROSS / column, line, f"+{hidden}", color=SOFT, **style)
            continue
        for code, child in sorted(node.children.items(), key=lambda item: (-below[id(item[1])], item[0])):
            stack.append((child, depth + 1, top, tree.game.format(code)))
            top += rows[id(child)]
    axes.add_collection(PatchCollection(boxes, facecolor=colours, edgecolor="white", linewidth=0.4, alpha=0.4))
    axes.set_xlim(0, levels)
    axes.set_ylim(rows[id(tree.root)], 0)
    axes.set_xticks([number + 0.5 for number in range(levels)], [f"guess {n + 1}" for n in range(levels)])
    axes.xaxis.tick_top()
    axes.set_yticks([])
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0, labelsize=LETTERS)
    for number, words in enumerate(title):
        place = 1 - (AROUND + LINE * number) / height
        figure.text(AROUND / width, place, words, fontsize=LETTERS, family="monospace", color=INK, va="top")
    return figure


def plot_tree_as(tree: StrategyTree | str | os.PathLike[str], form: str) -> tuple[Figure, str]:
    """The tree with as many guesses as a picture of this form has room for, and a line about what it hasn't, or ""."""
    tree = tree_of(tree)
    levels = levels_in_rows(tree, MOST_ROWS[form]) if form in MOST_ROWS else tree.depth
    told = f"the picture has the first {levels} of {tree.depth} guesses: as SVG it has all, in letters that can be read"
    return plot_tree(tree, levels), "" if levels == tree.depth else told


def levels_in_rows(tree: StrategyTree, most: int) -> int:
    """How many guesses one after the other are drawn in so many lines; the first at least."""
    ends, widths = Counter[int](), Counter[int]()
    stack = [(tree.root, 1)]
    while stack:
        node, depth = stack.pop()
        widths[depth] += 1
        ends[depth] += not node.children
        stack += [(child, depth + 1) for child in node.children.values()]
    levels, above = 1, 0
    for depth in range(1, tree.depth + 1):
        if above + widths[depth] <= most:
            levels = depth
        above += ends[depth]
    return levels


def _column(tree: StrategyTree) -> float:
    """The width of a column: it has room for every reply with its guess, unless names are very long."""
    branches = (branch for _, node in tree.walk() for branch in node.children.items())
    letters = max((len(tree.game.format(code)) + len(child.guess) for code, child in branches), default=0)
    letters = max(letters + len(" +1000 "), len(tree.root.guess))
    return min(max(ACROSS * letters + BESIDE, LEAST_COLUMN), MOST_COLUMN)


def _rows(root: Node, levels: int) -> tuple[dict[int, int], dict[int, int]]:
    """How many lines each node is high, by its identity: those of all below that are drawn, or its own; and how many
    nodes are below."""
    order, stack = [], [(root, 1)]
    while stack:
        node, depth = stack.pop()
        order.append((node, depth))
        stack.extend((child, depth + 1) for child in node.children.values())
    rows: dict[int, int] = {}
    below: dict[int, int] = {}
    for node, depth in reversed(order):
        below[id(node)] = sum(1 + below[id(child)] for child in node.children.values())
        if depth <= levels:
            drawn = node.children.values() if depth < levels else ()
            rows[id(node)] = max(1, sum(rows[id(child)] for child in drawn))
    return rows, below
