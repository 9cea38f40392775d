"""Play baseline strategies against every answer of a game.

Beside them stand its optimal tree and the proven least total. Strategies are named one after the other; first guesses
may be forced after =, such as odds=slate,crony. A strategy of your own is named by its path, mine.py:Class or
module:Class.
"""

from __future__ import annotations

import argparse
import shutil
import warnings
from collections.abc import Callable
from itertools import zip_longest
from typing import TYPE_CHECKING

from optimal.cli import DONE
from optimal.cli.apart import reads
from optimal.cli.common import (
    add_csv,
    add_game,
    add_jobs,
    add_json,
    add_limit,
    add_scoring,
    check_csv,
    game_of,
    print_result,
)
from optimal.errors import InputError
from optimal.games.presets import is_game
from optimal.show.text import histogram, pairs, paragraph
from optimal.show.words import quoted
from optimal.trees.codec import tree_path
from optimal.trees.file import load_tree

if TYPE_CHECKING:
    from optimal.baselines import Comparison
    from optimal.cli.progress import Reporter

BAR = 24  # the longest bar, in characters: two histograms stand side by side on a terminal of 80
HINT = (
    "No proven bound is known for this game. `optimal solve` writes a tree with --output FILE; given to --tree, it "
    "plays along and brings the bound that it has proven."
)
GAP = "   "

EXAMPLES = (
    ("optimal compare --strategies entropy odds", "two strategies beside the best tree"),
    ("optimal compare mastermind:3x3 --csv all.csv", "all that fit a game, for a spreadsheet"),
)


def configure(parser: argparse.ArgumentParser) -> None:
    from optimal.baselines import entries

    add_game(parser)
    strategies = parser.add_argument(
        "--strategies",
        nargs="+",
        action="extend",
        metavar="NAME",
        help="which (default: the shipped optimal tree and all that fit the game)",
    )
    reads(strategies, lambda name: name.rpartition(":")[0])
    about = "a tree file of this game, to play and to take the bound from"
    reads(parser.add_argument("--tree", metavar="TREE", help=about), tree_path)
    add_limit(parser)
    add_scoring(parser)
    add_jobs(parser)
    add_csv(parser)
    add_json(parser)
    names = [("optimal", "the shipped optimal tree of the game"), *((entry.name, entry.title) for entry in entries())]
    parser.description = paragraph(" ".join((__doc__ or "").split()))
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = f"strategies:\n{pairs(names)}"


def run(arguments: argparse.Namespace) -> int:
    check_csv(arguments)
    tree = None if arguments.tree is None else load_tree(arguments.tree)

    from optimal.baselines import PluginWarning, Scoring, compare, default_strategies, strategy
    from optimal.cli.progress import Reporter

    scoring = Scoring(arguments.scoring)
    with Reporter(plain=not arguments.json, verbose=False) as reporter:
        game = game_of(arguments)
        if arguments.strategies is None:
            with warnings.catch_warnings(record=True) as warned:
                warnings.simplefilter("ignore")
                warnings.simplefilter("always", PluginWarning)
                chosen = default_strategies(game, scoring)
            for warning in warned:
                reporter.line(f"optimal compare: left out: {warning.message}")
        else:
            chosen = tuple(strategy(name, game) for name in _names(arguments.strategies))
        comparison = compare(
            game,
            chosen,
            scoring=scoring,
            jobs=arguments.jobs,
            tree=tree,
            progress=_progress(reporter, len(chosen) + (tree is not None)),
        )
    hinted = comparison.bound is None and scoring is Scoring.TRUE
    print_result(arguments, comparison.to_csv, comparison.to_dict, lambda: _text(comparison, hinted))
    return DONE


def _text(comparison: Comparison, hinted: bool) -> str:
    parts = [comparison.text(), _histograms(comparison)]
    if hinted:
        parts.append(paragraph(HINT))
    return "\n".join(parts).removesuffix("\n")


def _names(arguments: list[str]) -> list[str]:
    """The strategies named; commas separate them too, except those that separate first guesses after =."""
    names = [name for text in arguments for name in ([text] if "=" in text else text.split(","))]
    for name in names:
        if is_game(name):
            raise InputError(f"--strategies takes {quoted(name)} for a strategy: name the game before it")
    return list(dict.fromkeys(names))


def _progress(reporter: Reporter, count: int) -> Callable[[str, int, int], None]:
    """Shows the games of one strategy after the other, and how many of the strategies are through."""
    seen: dict[str, int] = {}

    def show(name: str, done: int, answers: int) -> None:
        number = seen.setdefault(name, len(seen) + 1)
        reporter.step(f"playing {name} ({number} of {count})", done, answers)

    return show


def _histograms(comparison: Comparison) -> str:
    """A histogram for each strategy, as many side by side as the terminal has room for."""
    blocks = [
        [played.name, *histogram(played.distribution, comparison.limit, BAR).splitlines()]
        for played in comparison.strategies
    ]
    width = max((len(line) for block in blocks for line in block), default=0)
    across = max(1, (shutil.get_terminal_size().columns + len(GAP)) // (width + len(GAP)))
    lines = []
    for start in range(0, len(blocks), across):
        for row in zip_longest(*blocks[start : start + across], fillvalue=""):
            lines.append(GAP.join(cell.ljust(width) for cell in row).rstrip())
        lines.append("")
    return "\n".join(lines[:-1]) + "\n"
