"""`optimal plot`: pictures of distributions, trees, games and runs."""

from __future__ import annotations

import os
from argparse import Namespace
from typing import TYPE_CHECKING

from optimal.advice.debrief import debrief
from optimal.baselines import compare
from optimal.cli.commands import PLOTS
from optimal.cli.console import DONE, remark
from optimal.cli.inputs import kind_of
from optimal.cli.options import PLAYED_GAME, trees_that_ship
from optimal.cli.output import print_json, save_picture
from optimal.cli.problems import game_of, guesses_in, take_game
from optimal.cli.progress import Reporter
from optimal.errors import InputError
from optimal.files import check_writable, write_whole
from optimal.games.resources import shipped_name
from optimal.labels import pieces_of, unquoted
from optimal.plots.charts import plot_classes, plot_debrief, plot_distributions, plot_gap
from optimal.plots.figures import format_of
from optimal.show.words import harmless, quoted
from optimal.trees.export import export_svg
from optimal.trees.file import load_tree

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: What the pictures of one file or of words need to be named.
NEEDED = {
    "tree": "name one tree, such as classic-normal",
    "gap": "name one journal, as `optimal solve --journal FILE` keeps it",
    "debrief": "name the guesses of a finished game, the answer last",
    "classes": "name a guess and then the position, such as crony salet=bybbb",
}


def run(arguments: Namespace) -> int:
    what, output = arguments.what, arguments.output
    words: list[str] = arguments.words
    if what not in PLOTS:
        what, words = _meant(what), [what, *words]
    if output is None:
        output = _default_output(what, words)
    form = format_of(output)
    if arguments.strategies is not None and what != "distributions":
        raise InputError("--strategies goes with plot distributions")
    if what == "tree":
        write_whole(output, [_tree(words, form).encode("utf-8")])
    else:
        save_picture(_figure(what, words, arguments), output)
    if arguments.output is None:
        remark(f"the picture goes to {output}")
    if arguments.json:
        print_json({"picture": what, "form": form, "output": output, "bytes": os.path.getsize(output)})
    return DONE


def _meant(name: str) -> str:
    """Which picture somebody wants who named none, but a tree or a journal."""
    if os.path.isfile(name):
        return "gap" if kind_of(name) == "is a journal" else "distributions"
    if shipped_name(name.removesuffix(".msgpack"), trees_that_ship()) is not None:
        return "distributions"
    raise InputError(f"no picture {quoted(name)}; there are {', '.join(PLOTS)}, or name a tree or a journal")


def _default_output(what: str, words: list[str]) -> str:
    """The file of a tree's picture for which none is named."""
    if what != "tree" or len(words) != 1:
        raise InputError("name the picture by --output: a file that ends in .svg, .png or .pdf")
    path = os.path.splitext(os.path.basename(words[0]))[0] + ".svg"
    if path == words[0]:
        raise InputError(f"{path} is the tree itself: name the picture by --output")
    check_writable(path)
    return path


def _tree(words: list[str], form: str) -> str:
    if len(words) != 1:
        raise InputError(NEEDED["tree"])
    if form != "svg":
        raise InputError("a tree is drawn as SVG: name a file that ends in .svg")
    return export_svg(load_tree(words[0]))


def _figure(what: str, words: list[str], arguments: Namespace) -> Figure:
    if what == "gap":
        if len(words) != 1:
            raise InputError(NEEDED[what])
        return plot_gap(words[0])
    if what == "distributions":
        return _distributions(words, arguments)
    words = take_game(arguments, words)
    if not words or (what == "classes" and any(sign for _, sign in pieces_of(words[0]))):
        raise InputError(NEEDED[what])
    game = game_of(arguments, PLAYED_GAME)
    if what == "classes":
        return plot_classes(game, unquoted(words[0]), " ".join(words[1:]))
    guesses = [unquoted(word) for word in words] if arguments.matrix else guesses_in(words)
    with Reporter(plain=not arguments.json, valued=True) as reporter:
        return plot_debrief(debrief(game, guesses[-1], guesses, progress=reporter))


def _distributions(words: list[str], arguments: Namespace) -> Figure:
    """The distributions of trees, and of strategies beside them."""
    found = {harmless(name): load_tree(name).distribution for name in take_game(arguments, words, files=True)}
    if arguments.strategies is not None:
        comparison = compare(game_of(arguments), arguments.strategies)
        found |= {played.name: played.distribution for played in comparison.strategies}
    if not found:
        raise InputError("name trees, such as classic-normal, or --strategies, such as entropy")
    return plot_distributions(found)
