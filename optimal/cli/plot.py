"""Pictures, as svg, png or pdf; they need matplotlib, the extra `optimal-guess[plot]`.

distributions [TREE...]: how many answers each number of guesses finds, for trees and, with --strategies, for
baselines of the game. debrief GUESS...: skill lost and luck of a finished game, the answer last. classes GUESS
[GUESS=FEEDBACK...]: how many candidates each reply to the guess leaves, at the start or at a position. The picture of a
tree itself is made by `optimal export TREE --to svg`.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from optimal.cli import DONE
from optimal.cli.common import add_game, check_writable, game_of, take_game
from optimal.errors import InputError
from optimal.trees.file import load_tree

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=PICTURES, metavar="WHAT", help=f"which picture: {', '.join(PICTURES)}")
    parser.add_argument("words", nargs="*", metavar="WORD", help="trees, guesses or turns; a game may come first")
    parser.add_argument("--strategies", nargs="+", metavar="NAME", help="baseline strategies beside the trees")
    add_game(parser, placed=False)
    parser.add_argument("--output", required=True, metavar="FILE", help="the picture: .svg, .png or .pdf")


def run(arguments: argparse.Namespace) -> int:
    from optimal.plots.figures import format_of, save_figure

    format_of(arguments.output)
    check_writable(arguments.output)
    if arguments.strategies is not None and arguments.what != "distributions":
        raise InputError("--strategies goes with plot distributions")
    save_figure(PICTURES[arguments.what](arguments), arguments.output)
    return DONE


def _distributions(arguments: argparse.Namespace) -> Figure:
    from optimal.plots.charts import plot_distributions

    trees = {name: load_tree(name) for name in take_game(arguments, arguments.words)}
    found = {name: tree.distribution for name, tree in trees.items()}
    if arguments.strategies is not None:
        from optimal.baselines import compare

        comparison = compare(game_of(arguments), arguments.strategies)
        found |= {played.name: played.distribution for played in comparison.strategies}
    if not found:
        raise InputError("name trees, such as classic-normal, or --strategies, such as entropy")
    return plot_distributions(found)


def _debrief(arguments: argparse.Namespace) -> Figure:
    from optimal.plots.charts import plot_debrief
    from optimal.positions.debrief import debrief

    guesses = take_game(arguments, arguments.words)
    if not guesses:
        raise InputError("name the guesses of a finished game, the answer last")
    return plot_debrief(debrief(game_of(arguments), guesses[-1], guesses))


def _classes(arguments: argparse.Namespace) -> Figure:
    from optimal.plots.charts import plot_classes

    words = take_game(arguments, arguments.words)
    if not words or "=" in words[0]:
        raise InputError("name a guess and then the position, such as crony salet=bybbb")
    return plot_classes(game_of(arguments), words[0], " ".join(words[1:]))


PICTURES = {"distributions": _distributions, "debrief": _debrief, "classes": _classes}
