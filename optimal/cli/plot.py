"""Pictures, as svg, png or pdf; they need matplotlib, the extra `plot`.

distributions [TREE...]: how many answers each number of guesses finds, for trees and, with --strategies, for
baselines of the game. gap JOURNAL: the best tree and the proven bound of a run over time. Both words may be left out.
tree TREE: the tree, as `optimal export` draws it; without --output to a file of its name that ends in .svg.
debrief GUESS...: skill lost and luck of a finished game, the answer last. classes GUESS [GUESS=FEEDBACK...]: how many
candidates each reply to the guess leaves, at the start or at a position; those of the best guess are drawn by
`optimal suggest --plot FILE`.
"""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from optimal.cli import DONE, remark
from optimal.cli.apart import reads
from optimal.cli.common import (
    add_candidates,
    add_game,
    add_json,
    add_output,
    check_writable,
    game_of,
    print_json,
    take_game,
)
from optimal.errors import InputError
from optimal.games.resources import tree_names
from optimal.labels import pieces_of, unquoted
from optimal.show.words import harmless, quoted
from optimal.trees.codec import tree_path
from optimal.trees.file import load_tree

if TYPE_CHECKING:
    from matplotlib.figure import Figure

EXAMPLES = (
    ("optimal plot tree mastermind-normal --output tree.svg", "a tree, with the reply on every branch"),
    ("optimal plot classic-normal classic-hard --output both.svg", "how many answers each guess finds"),
    ("optimal plot debrief salet round irony crony --output game.svg", "skill and luck of a game"),
)


def configure(parser: argparse.ArgumentParser) -> None:
    reads(parser.add_argument("what", metavar="WHAT", help=f"which picture: {', '.join(PICTURES)}"))
    about = "trees, a journal, guesses or turns; a game may come first"
    reads(parser.add_argument("words", nargs="*", default=[], metavar="WORD", help=about))
    parser.add_argument("--strategies", nargs="+", metavar="NAME", help="baseline strategies beside the trees")
    add_game(parser, placed=False)
    add_candidates(parser)
    add_output(parser, "the picture: .svg, .png or .pdf")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from optimal.plots.figures import format_of, save_figure

    what = arguments.what
    if what not in PICTURES:
        what, arguments.words = _meant(what), [what, *arguments.words]
    named = arguments.output is not None
    if not named:
        arguments.output = _default_output(what, arguments.words)
    form = format_of(arguments.output)
    check_writable(arguments.output)
    if arguments.strategies is not None and what != "distributions":
        raise InputError("--strategies goes with plot distributions")
    figure = PICTURES[what](arguments)
    if not named:
        remark(f"the picture goes to {arguments.output}")
    save_figure(figure, arguments.output)
    if arguments.json:
        size = os.path.getsize(arguments.output)
        print_json({"picture": what, "form": form, "output": arguments.output, "bytes": size})
    return DONE


def _default_output(what: str, words: list[str]) -> str:
    """The file of a tree's picture for which none is named."""
    if what != "tree" or len(words) != 1:
        raise InputError("name the picture by --output: a file that ends in .svg, .png or .pdf")
    path = os.path.splitext(os.path.basename(words[0]))[0] + ".svg"
    if os.path.exists(path) and os.path.samefile(path, tree_path(words[0])):
        raise InputError(f"{path} is the tree itself: name the picture by --output")
    return path


def _meant(name: str) -> str:
    """Which picture somebody wants who named none, but a tree or a journal."""
    from optimal.journal.header import MAGIC

    if os.path.isfile(name):
        with open(name, "rb") as file:
            return "gap" if file.read(len(MAGIC)) == MAGIC else "distributions"
    if f"{name.removesuffix('.msgpack')}.msgpack" in tree_names():
        return "distributions"
    raise InputError(f"no picture {quoted(name)}; there are {', '.join(PICTURES)}, or name a tree or a journal")


def _distributions(arguments: argparse.Namespace) -> Figure:
    from optimal.plots.charts import plot_distributions

    trees = {harmless(name): load_tree(name) for name in take_game(arguments, arguments.words)}
    found = {name: tree.distribution for name, tree in trees.items()}
    if arguments.strategies is not None:
        from optimal.baselines import compare

        comparison = compare(game_of(arguments), arguments.strategies)
        found |= {played.name: played.distribution for played in comparison.strategies}
    if not found:
        raise InputError("name trees, such as classic-normal, or --strategies, such as entropy")
    return plot_distributions(found)


def _tree(arguments: argparse.Namespace) -> Figure:
    from optimal.plots.drawing import plot_tree_as
    from optimal.plots.figures import format_of

    if len(arguments.words) != 1:
        raise InputError("name one tree, such as classic-normal")
    figure, told = plot_tree_as(load_tree(arguments.words[0]), format_of(arguments.output))
    if told:
        remark(told)
    return figure


def _debrief(arguments: argparse.Namespace) -> Figure:
    from optimal.advice.debrief import debrief
    from optimal.plots.charts import plot_debrief

    guesses = [unquoted(word) for word in take_game(arguments, arguments.words)]
    if not guesses:
        raise InputError("name the guesses of a finished game, the answer last")
    return plot_debrief(debrief(game_of(arguments), guesses[-1], guesses))


def _classes(arguments: argparse.Namespace) -> Figure:
    from optimal.plots.charts import plot_classes

    words = take_game(arguments, arguments.words)
    if not words or any(sign for _, sign in pieces_of(words[0])):
        raise InputError("name a guess and then the position, such as crony salet=bybbb")
    return plot_classes(game_of(arguments), unquoted(words[0]), " ".join(words[1:]))


def _gap(arguments: argparse.Namespace) -> Figure:
    from optimal.plots.charts import plot_gap

    if len(arguments.words) != 1:
        raise InputError("name one journal, as `optimal solve --journal FILE` keeps it")
    return plot_gap(arguments.words[0])


PICTURES = {
    "distributions": _distributions,
    "tree": _tree,
    "debrief": _debrief,
    "classes": _classes,
    "gap": _gap,
}
