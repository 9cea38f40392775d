"""The best guesses at a position, by their exact totals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from optimal.advice.guesses import Advice, Analysis
from optimal.advice.position import CheckedPosition, checked_position, others_of
from optimal.checks import (
    check_jobs,
    check_progress,
    check_seconds,
    check_top,
    check_truth,
)
from optimal.games.game import UNSET, Game, Unset, check_game
from optimal.games.info import describe
from optimal.games.turns import PositionLike
from optimal.search.game_problem import Problem
from optimal.search.game_run import GameRun
from optimal.search.known_openers import best_of_shipped_tree, known_openers
from optimal.search.options import Options
from optimal.search.progress import Progress
from optimal.search.ranking import DEFAULT_TOP, places
from optimal.search.result import Status
from optimal.search.root_search import ESTIMATED, RootSearch, least_totals
from optimal.search.stopping import stopping


def analyse(
    game: Game | str,
    position: PositionLike = "",
    *,
    top: int = DEFAULT_TOP,
    max_guesses: int | Unset | None = UNSET,
    jobs: int = 1,
    table: bool = True,
    time_limit: float | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Analysis:
    """Return the best ``top`` guesses at a position with their exact totals, and bounds of all other legal guesses.

    If no answer in the list fits the position, the candidates are the guesses that fit, as the answer may be another
    word.

    >>> from optimal import analyse
    >>> advice = analyse("classic", "salet=bybyb beard=bygyb", top=1)
    >>> advice[0].guess, advice[0].total, len(advice.candidates)
    ('cezve', 17, 8)

    Parameters
    ----------
    game : Game or str
        A game, or the name of a preset.
    position : str or sequence of (guess, feedback), optional
        Such as "salet=bybbb crony=byybb"; "" is the start of the game.
    top : int, optional
        Number of best guesses, with all ties of the last.
    max_guesses : int or None, optional
        The limit, counted from the start of the game. Default: that of the game.
    jobs : int, optional
        Number of parallel searches.
    table : bool, optional
        Whether the shipped totals and trees may answer at the start of a shipped game.
    time_limit : float, optional
        Seconds; then, or on Ctrl-C or SIGTERM, the result so far is returned.
    progress : callable, optional
        Called with a `Progress`.

    Returns
    -------
    Analysis
        A list of `Advice`, best first, that prints as `optimal suggest` does.

    Raises
    ------
    IllegalGuess, ImpossibleFeedback, InputError
        For an impossible position.
    RecursionError
        For a game whose trees are thousands of guesses deep.
    """
    game = check_game(game)
    top, jobs = check_top(top), check_jobs(jobs)
    time_limit, table = check_seconds(time_limit), check_truth(table, "table")
    check_progress(progress)
    checked = checked_position(game, position, max_guesses, others=True)
    rest = checked.rest
    known = known_openers(rest, top) if table and not checked.history else None
    if known is not None:
        totals = {rest.guess_index(opener.guess): opener.total for opener in known}
        heights = {rest.guess_index(opener.guess): opener.worst for opener in known}
        return _analysis(checked, top, totals, heights, "table")
    run = run_at(checked, jobs, progress)
    best = best_of_shipped_tree(rest) if table and not checked.history else None
    with stopping(run, time_limit):
        root = checked.root_search(run)
        if best is not None:
            root.know_best(rest.guess_index(best.guess), best.total)
        estimates = root.estimates(root.order[: ESTIMATED * top], 2 * top)
        root.totals(range(len(rest.guesses)), top)
        totals = listed_totals(root, top)
        heights = root.heights(totals)
    if run.stopped:
        return _unfinished(checked, top, root, estimates, "search" if best is None else "tree")
    found = _analysis(checked, top, totals, heights, "search")
    if found.listed or found.status is not Status.INFEASIBLE:
        return found
    # Advice without a limit is better than none.
    unlimited = analyse(
        game, checked.history, top=top, max_guesses=None, jobs=jobs, time_limit=time_limit, progress=progress
    )
    return replace(unlimited, infeasible_within=checked.limit)


def run_at(
    checked: CheckedPosition,
    jobs: int,
    progress: Callable[[Progress], None] | None,
    whole: GameRun | None = None,
) -> GameRun:
    """Return a run over the guesses at this position; if it is part of a ``whole`` run, it shares that clock and stop
    flag."""
    rest, made = checked.rest, len(checked.history)
    problem = Problem(rest, rest.max_guesses, made=made, options=Options(jobs=jobs))
    if whole is None:
        return GameRun(problem, progress)
    return GameRun(problem, progress, clock=whole.clock, control=whole.control)


def listed_totals(root: RootSearch, top: int) -> dict[int, int]:
    """Return the totals of the best `top` guesses and of all ties of the last."""
    last = root.last_place(top)
    return {guess: total for guess, total in root.exact_totals().items() if total <= last}


def _unfinished(
    checked: CheckedPosition, top: int, root: RootSearch, estimates: dict[int, int], source: str
) -> Analysis:
    """Return the results so far when the search is stopped."""
    rest = checked.rest
    exact = root.exact_totals()
    known = estimates | exact
    order = sorted(known, key=lambda guess: (known[guess], guess not in exact, not root.is_answer(guess), guess))[:top]
    left = sorted(set(range(len(rest.guesses))) - set(order), key=lambda guess: (root.bound(guess), guess))
    listed = _listed(checked, top, order, known, {}, source)
    return replace(
        listed,
        guesses=tuple(
            replace(advice, proven=guess in exact) for guess, advice in zip(order, listed.guesses, strict=True)
        ),
        others=tuple((rest.guesses[guess], root.proven_bound(guess)) for guess in left),
        status=Status.FEASIBLE if order else Status.UNKNOWN,
        stop_reason=root.run.stop_reason,
    )


def _analysis(
    checked: CheckedPosition, top: int, totals: dict[int, int], heights: dict[int, int], source: str
) -> Analysis:
    rest = checked.rest
    answers = set(rest.answer_guess.tolist())
    order = sorted(totals, key=lambda guess: (totals[guess], heights[guess], guess not in answers, guess))
    left = np.delete(np.arange(len(rest.guesses)), order)
    others: list[tuple[str, int | None]]
    if len(totals) < top:  # every guess with a tree is listed
        others = [(rest.guesses[guess], None) for guess in left]
    else:
        # What each search happens to prove depends on the jobs; these bounds do not.
        bounds = np.maximum(least_totals(rest)[left], max(totals.values()) + 1)
        rising = np.argsort(bounds, kind="stable")
        others = [
            (rest.guesses[guess], low)
            for guess, low in zip(left[rising].tolist(), bounds[rising].tolist(), strict=True)
        ]
    return replace(_listed(checked, top, order, totals, heights, source), others=tuple(others))


def _listed(
    checked: CheckedPosition,
    top: int,
    order: Sequence[int],
    totals: dict[int, int],
    heights: dict[int, int],
    source: str,
) -> Analysis:
    """Return the guesses in this order with their totals, as if all were proven; ``others`` is left empty."""
    rest = checked.rest
    answers = set(rest.answer_guess.tolist())
    ranks = places([totals[guess] for guess in order])
    return Analysis(
        game=checked.game.name,
        rules=str(checked.game.rules),
        position=describe(checked.game, checked.history),
        max_guesses=checked.limit,
        guesses_made=len(checked.history),
        candidates=rest.answers,
        top=top,
        guesses=tuple(
            _advice(rest, guess, rank or 0, totals[guess], heights.get(guess), guess in answers)
            for guess, rank in zip(order, ranks, strict=True)
        ),
        others=(),
        status=Status.OPTIMAL if order else Status.INFEASIBLE,
        source=source,
        listed=checked.listed,
        other_words=len(others_of(checked.game, checked.history)) if checked.listed else len(rest.answers),
    )


def _advice(rest: Game, guess: int, rank: int, total: int, worst: int | None, is_candidate: bool) -> Advice:
    count = len(rest.answers)
    counts = np.bincount(rest.matrix[guess])
    sizes = counts[counts > 0]
    return Advice(
        guess=rest.guesses[guess],
        rank=rank,
        total=total,
        mean=Fraction(total, count),
        worst=worst,
        is_candidate=is_candidate,
        chance=Fraction(int(is_candidate), count),
        classes=len(sizes),
        bits=float(np.log2(count) - (sizes * np.log2(sizes)).sum() / count),
    )
