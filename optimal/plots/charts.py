"""Charts of results: distributions side by side, a debrief, the classes of a guess, its regions, the gap of a run."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from optimal.advice.position import checked_position
from optimal.advice.review import Debrief
from optimal.baselines.regions import RegionTable
from optimal.checks import check_whole
from optimal.errors import IllegalGuess, InputError
from optimal.games.game import Game, check_game
from optimal.games.info import describe
from optimal.games.legality import broken_rule
from optimal.games.presets import titled
from optimal.games.turns import PositionLike
from optimal.journal.status import course, status
from optimal.limits import INFEASIBLE, LONGEST_LIST
from optimal.plots.figures import COLOURS, INK, SOFT, new_figure
from optimal.show.words import shown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Bars of a guess's classes; the smaller ones stand together in the last.
MOST_CLASSES = 60


def plot_distributions(distributions: Mapping[str, Mapping[int, int]], title: str = "") -> Figure:
    """How many answers each number of guesses finds, for several strategies side by side.

    >>> from optimal import plot_distributions, save_figure, solve
    >>> save_figure(plot_distributions({"best": solve("mastermind:3x3").tree.distribution}), "distribution.svg")

    Parameters
    ----------
    distributions : mapping of str to mapping of int to int
        Guesses and answers under the name of each strategy, as `tree.distribution` and `Played.distribution` have them.
    title : str, optional
        What stands above.

    Returns
    -------
    matplotlib.figure.Figure
        A figure that belongs to no window.
    """
    if not isinstance(distributions, Mapping) or not all(isinstance(one, Mapping) for one in distributions.values()):
        raise InputError(f"distributions are guesses and answers under names, not {shown(distributions)}")
    if not isinstance(title, str):
        raise InputError(f"a title must be text, not {shown(title)}")
    distributions = {
        name: {
            check_whole(depth, "a number of guesses", 1, LONGEST_LIST): check_whole(count, "a number of answers", 0)
            for depth, count in found.items()
        }
        for name, found in distributions.items()
    }
    if not distributions or not all(any(found.values()) for found in distributions.values()):
        raise InputError("a chart of distributions needs one at least, and none of them empty")
    depths = range(min(map(min, distributions.values())), max(map(max, distributions.values())) + 1)
    figure, axes = new_figure(max(6.0, 0.5 * len(depths) * len(distributions)), 4.0)
    width = 0.85 / len(distributions)
    for number, (name, found) in enumerate(distributions.items()):
        places = [depth + (number - (len(distributions) - 1) / 2) * width for depth in depths]
        mean = sum(depth * count for depth, count in found.items()) / sum(found.values())
        bars = axes.bar(
            places,
            [found.get(depth, 0) for depth in depths],
            width,
            label=f"{name}: {mean:.4f} on average",
            color=COLOURS[number % len(COLOURS)],
        )
        labels = [str(found[depth]) if found.get(depth) else "" for depth in depths]
        axes.bar_label(bars, labels, fontsize=7 if len(distributions) < 4 else 5, color=INK, padding=1)
    axes.set_xticks(list(depths))
    axes.set_xlabel("guesses")
    axes.set_ylabel("answers")
    axes.set_title(title)
    axes.margins(y=0.1 + 0.08 * len(distributions))  # the legend stands above the bars
    axes.legend(frameon=False, fontsize=8)
    return figure


def plot_debrief(debrief: Debrief) -> Figure:
    """Skill lost and luck of each guess, in guesses: what cost some to the left, what saved some to the right.

    >>> from optimal import debrief, plot_debrief, save_figure
    >>> save_figure(plot_debrief(debrief("mastermind:3x3", "123", ["112", "123"])), "debrief.svg")

    Parameters
    ----------
    debrief : Debrief
        What `debrief` returned.

    Returns
    -------
    matplotlib.figure.Figure
        A figure that belongs to no window.
    """
    if not isinstance(debrief, Debrief):
        raise InputError(f"a debrief is needed, as `optimal.debrief` returns it, not {shown(debrief)}")
    turns = debrief.turns
    figure, axes = new_figure(7.0, 1.2 + 0.55 * len(turns))
    places = list(range(len(turns)))
    lost = [-float(turn.loss or 0) for turn in turns]
    luck = [float(turn.luck or 0) for turn in turns]
    axes.barh([place - 0.19 for place in places], lost, 0.36, color=COLOURS[3], label="skill lost")
    axes.barh([place + 0.19 for place in places], luck, 0.36, color=COLOURS[2], label="luck")
    axes.axvline(0, color=INK, linewidth=0.8)
    axes.set_yticks(places, [f"{number}. {turn.guess}  {turn.feedback}" for number, turn in enumerate(turns, 1)])
    axes.invert_yaxis()
    most = max(map(abs, [*lost, *luck]), default=0) or 1
    axes.set_xlim(-1.1 * most, 1.1 * most)
    axes.locator_params(axis="x", nbins=7)
    for place, turn in enumerate(turns):
        if turn.loss is None and turn.luck is None:
            axes.text(0, place, " not known", va="center", fontsize=8, color=SOFT)
    chances = any(turn.chance_lost for turn in turns)
    what = "guesses, or the share of the chance to win" if chances else "guesses"
    axes.set_xlabel(f"{what}:\nto the left what cost some, to the right what saved some")
    answer = "" if debrief.answer is None else f", answer {debrief.answer}"
    axes.set_title(f"{titled(debrief.game)},\n{debrief.rules} rules{answer}", fontsize=10)
    axes.legend(frameon=False, fontsize=8)
    return figure


def plot_classes(game: Game | str, guess: str, position: PositionLike = "") -> Figure:
    """The feedback classes of a guess at a position, the largest first: how many candidates each reply leaves.

    >>> from optimal import plot_classes, save_figure
    >>> save_figure(plot_classes("mastermind:3x3", "112"), "classes.svg")

    Parameters
    ----------
    game : Game or str
        A game, or the name of a preset.
    guess : str
        One of its guesses.
    position : str or sequence of (guess, feedback), optional
        Such as "salet=bybbb crony=byybb"; "" is the start.

    Returns
    -------
    matplotlib.figure.Figure
        A figure that belongs to no window.

    Raises
    ------
    InputError
        For a guess outside the list or against the rules, and where matplotlib is not installed.
    """
    game = check_game(game)
    checked = checked_position(game, position)
    number = game.guess_index(guess)
    written = game.guesses[number]
    if broken := broken_rule(game, checked.history, written):
        raise IllegalGuess(f"{written} is illegal under {game.rules} rules: {broken}")
    codes = game.matrix[number, checked.candidates]
    sizes = Counter(int(code) for code in codes).most_common()
    shown = [(game.format(code), size) for code, size in sizes[:MOST_CLASSES]]
    rest = sum(size for _, size in sizes[MOST_CLASSES:])
    if rest:
        shown.append((f"{len(sizes) - MOST_CLASSES} more", rest))
    figure, axes = new_figure(max(5.0, 0.16 * len(shown) + 2), 3.6)
    bars = axes.bar(range(len(shown)), [size for _, size in shown], 0.8, color=COLOURS[0])
    if rest:
        bars[-1].set_color(SOFT)  # no class of its own
    axes.locator_params(axis="y", integer=True)
    axes.set_xticks(range(len(shown)), [text for text, _ in shown], rotation=90, fontsize=6, family="monospace")
    axes.set_xlim(-0.8, len(shown) - 0.2)
    axes.set_ylabel("candidates left")
    after = f" after {describe(game, checked.history)}" if checked.history else ""
    axes.set_title(f"{written}{after}: {len(sizes)} classes of {len(codes)} candidates", color=INK)
    axes.tick_params(axis="x", colors=SOFT, length=0)
    return figure


def plot_regions(table: RegionTable) -> Figure:
    """The regions of a word: a cell for each set of its letters, with the candidates that hold just those of them.

    Neighbouring cells differ in one letter, so each letter covers cells that hang together.

    >>> from optimal import RegionTable, plot_regions, save_figure
    >>> sizes = {"at": 5, "a": 7, "t": 6, "": 20}  # candidates by the letters of "at" that they hold
    >>> save_figure(plot_regions(RegionTable("at", "at", sizes)), "regions.svg")

    Parameters
    ----------
    table : RegionTable
        The regions of one word.

    Returns
    -------
    matplotlib.figure.Figure
        A figure that belongs to no window.
    """
    if not isinstance(table, RegionTable):
        raise InputError(f"a table of regions is needed, as `region_table` returns it, not {shown(table)}")
    rows, columns, sizes = table.grid
    figure, axes = new_figure(1.6 + 0.6 * len(columns), 1.2 + 0.6 * len(rows))
    most = max(max(line) for line in sizes)
    axes.imshow([[size**0.5 for size in line] for line in sizes], cmap="Greens", vmin=0, vmax=1.3 * most**0.5)
    for down, line in enumerate(sizes):
        for across, size in enumerate(line):
            axes.text(across, down, str(size or "·"), ha="center", va="center", color=INK, fontsize=9)
    axes.set_xticks(range(len(columns)), columns, family="monospace")
    axes.set_yticks(range(len(rows)), rows, family="monospace")
    axes.tick_params(colors=INK, length=0)
    axes.spines[:].set_visible(False)
    letters, size = table.largest
    held = f"{table.nonzero} of {len(table.sizes)} regions hold candidates"
    axes.set_title(f"{table.word}: {held};\nthe largest is {{{','.join(letters)}}} with {size}", fontsize=9)
    return figure


def plot_gap(journal: str | os.PathLike[str]) -> Figure:
    """The best tree and the proven bound of a journalled run over time; the gap between them is shaded.

    >>> from optimal import plot_gap, save_figure, solve
    >>> result = solve("mastermind:3x3", journal="gap.journal")
    >>> save_figure(plot_gap("gap.journal"), "gap.svg")

    Parameters
    ----------
    journal : str or path
        The journal, as `solve` takes one.

    Returns
    -------
    matplotlib.figure.Figure
        A figure that belongs to no window.

    Raises
    ------
    InputError
        For a file that is no journal, or that tells of no work yet.
    """
    moments = course(journal)
    if not moments:
        raise InputError(f"{os.fspath(journal)}: the run has no bound yet; wait a second, or name another")
    figure, axes = new_figure(7.0, 4.4)
    times = [moment.seconds for moment in moments]
    found = [moment.incumbent if (moment.incumbent or INFEASIBLE) < INFEASIBLE else None for moment in moments]
    bounds = [moment.bound for moment in moments]
    axes.step(times, _numbers(found), where="post", color=COLOURS[0], label=f"best tree: {found[-1] or 'none yet'}")
    standing = status(journal)
    given = standing.given and f",\n{standing.given}"
    proven = f"proven bound: {bounds[-1] or 'none yet'}{given}"
    axes.step(times, _numbers(bounds), where="post", color=COLOURS[3], label=proven)
    if None not in (found[-1], bounds[-1]):
        axes.fill_between(times, _numbers(bounds), _numbers(found), step="post", color=SOFT, alpha=0.15)
    axes.set_ylabel("weight x cost" if standing.of_table else "guesses over all answers")
    axes.set_xlabel("seconds")
    axes.legend(frameon=False, fontsize=8, loc="best")
    first = "first questions" if standing.of_table else "openers"
    axes.set_title(f"{standing.of}: {standing.done} of {standing.openers} {first} settled", fontsize=9)
    return figure


def _numbers(values: list[int | None]) -> list[float]:
    """The values as a chart takes them: where there is none, nothing is drawn."""
    return [float("nan") if value is None else float(value) for value in values]
