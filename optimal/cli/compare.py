"""`optimal compare`: baseline strategies beside the optimal tree of a game."""

from __future__ import annotations

import shutil
from argparse import Namespace
from collections.abc import Callable
from itertools import zip_longest

from optimal.baselines import Comparison, Scoring, compare, default_strategies, strategy
from optimal.cli.console import DONE
from optimal.cli.output import print_result
from optimal.cli.problems import game_of
from optimal.cli.progress import Reporter
from optimal.errors import InputError
from optimal.games.presets import is_game
from optimal.show.text import histogram, paragraph
from optimal.show.words import quoted
from optimal.trees.file import load_tree

BAR = 24  # the longest bar, in characters: two histograms stand side by side on a terminal of 80
HINT = (
    "No proven bound is known for this game. `optimal solve` writes a tree with --output FILE; given to --tree, it "
    "plays along and brings the bound that it has proven."
)
GAP = "   "


def run(arguments: Namespace) -> int:
    tree = None if arguments.tree is None else load_tree(arguments.tree)
    scoring = Scoring(arguments.scoring)
    with Reporter(plain=not arguments.json) as reporter, reporter.warned("compare"):
        game = game_of(arguments)
        if arguments.strategies is None:
            chosen = default_strategies(game, scoring)
        else:
            chosen = tuple(strategy(name, game) for name in _names(arguments.strategies))
        progress = _progress(reporter, len(chosen) + (tree is not None))
        comparison = compare(game, chosen, scoring=scoring, jobs=arguments.jobs, tree=tree, progress=progress)
    hint = paragraph(HINT) if comparison.bound is None and scoring is Scoring.TRUE else ""
    text = "\n".join(filter(None, (comparison.text(), _histograms(comparison), hint)))
    print_result(arguments, comparison.to_dict(), text, comparison.to_csv)
    return DONE


def _names(arguments: list[str]) -> list[str]:
    """The strategies named; commas separate them too, except those that separate first guesses after =."""
    names = [name for text in arguments for name in ([text] if "=" in text else text.split(","))]
    for name in filter(is_game, names):
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
