"""Exact advice at any position of a game, and trees from there on."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from optimal.checks import (
    check_jobs,
    check_objective,
    check_openers,
    check_progress,
    check_seconds,
    check_top,
    check_truth,
)
from optimal.errors import IllegalGuess, InputError
from optimal.games.game import UNSET, Game, Unset, check_game
from optimal.games.info import describe
from optimal.games.legality import broken_rule
from optimal.games.presets import titled
from optimal.games.tiers import MOST_SHOWN, beyond
from optimal.games.turns import PositionLike
from optimal.games.weights import Weights, check_weights
from optimal.positions.position import CheckedPosition, checked_position, others_of
from optimal.search.game_run import GameRun
from optimal.search.known_openers import best_of_shipped_tree, known_openers
from optimal.search.options import Options
from optimal.search.progress import Progress
from optimal.search.question import Question
from optimal.search.ranking import DEFAULT_TOP, ESTIMATED, Race, least_totals, places, shown_of
from optimal.search.result import Result, Status
from optimal.search.run import Log
from optimal.search.solve import answered, question_of
from optimal.search.stopping import stopping
from optimal.show.csv import csv_of
from optimal.show.table import Grid, Listed
from optimal.show.text import columns
from optimal.show.words import counted, listed

BEATABLE = "totals with <= are of trees that best play may beat"


@dataclass(frozen=True)
class Advice:
    """What one guess is worth at a position. Totals and the worst case count guesses from now on.

    Where ``proven``, the total is exact. An analysis that was stopped also has guesses with the total of some tree
    that goes on with them, which best play may beat.
    """

    guess: str
    rank: int  # equal totals share a rank
    total: int  # the sum over the candidates, with best play after the guess
    mean: Fraction
    worst: int | None  # the least worst case among the best continuations; None: not settled
    is_candidate: bool
    chance: Fraction  # that the guess is the answer
    classes: int  # different replies
    bits: float  # expected information
    proven: bool = True

    def to_dict(self) -> dict[str, Any]:
        return {
            "guess": self.guess,
            "rank": self.rank,
            "total": self.total,
            "mean": float(self.mean),
            "worst": self.worst,
            "is_candidate": self.is_candidate,
            "chance": float(self.chance),
            "classes": self.classes,
            "bits": self.bits,
            "proven": self.proven,
        }


@dataclass(frozen=True, repr=False)
class Analysis(Listed[Advice]):
    """The best guesses at a position with their exact totals: what :func:`analyse` returns.

    ``guesses`` are the best ``top`` with all ties of the last, best first: by total, then worst case, then whether
    the guess may be the answer, then list order. ``others`` are all other legal guesses, each with a proven lower
    bound of its total (None: no tree within the limit). Without a tree for any guess the status is INFEASIBLE.
    Stopped early it is FEASIBLE: the best guesses as far as they are known then, some of them not proven, any of the
    others perhaps better; UNKNOWN where nothing is known yet. ``source`` is "search", or of the openers of a shipped
    game "table" for shipped totals, or, where the search was stopped, "tree": the first of them is that of the shipped
    tree, proven to be the best.

    Totals, means and chances are of the ``candidates``. These are answers of the list where ``listed``, and
    ``other_words`` counts the guesses that fit and aren't in it; where no answer of the list fits they are these words.
    If no strategy finds all of these within the limit, that is ``infeasible_within``, and totals are without a limit.
    """

    game: str
    rules: str
    position: str
    max_guesses: int | None
    guesses_made: int
    candidates: tuple[str, ...]
    top: int
    guesses: tuple[Advice, ...]
    others: tuple[tuple[str, int | None], ...]
    status: Status
    source: str
    stop_reason: str = "done"
    listed: bool = True
    other_words: int = 0
    infeasible_within: int | None = None

    @property
    def best(self) -> Advice | None:
        """The best guess."""
        return self.guesses[0] if self.guesses else None

    @property
    def total(self) -> int | None:
        """The least total from here on, as far as it is known; None where there is no tree within the limit."""
        return self.guesses[0].total if self.guesses else None

    @property
    def mean(self) -> Fraction | None:
        return self.guesses[0].mean if self.guesses else None

    @property
    def guesses_left(self) -> int | None:
        return None if self.max_guesses is None else self.max_guesses - self.guesses_made

    def to_dict(self, *, others: bool = False) -> dict[str, Any]:
        """The JSON object of `optimal suggest --json`; with ``others``, all other legal guesses and their bounds."""
        bounds = [bound for _, bound in self.others if bound is not None]
        fields: dict[str, Any] = {
            "candidates": len(self.candidates),
            "listed": self.listed,
            "other_words": self.other_words,
            "infeasible_within": self.infeasible_within,
            "total": self.total,
            "mean": None if self.mean is None else float(self.mean),
            "guesses": [advice.to_dict() for advice in self.guesses],
            "candidate_words": list(self.candidates),
            "others": len(self.others),
            "others_bound": min(bounds, default=None),
            "status": self.status.value,
            "stop_reason": self.stop_reason,
            "source": self.source,
            "game": self.game,
            "rules": self.rules,
            "position": self.position,
            "max_guesses": self.max_guesses,
            "guesses_left": self.guesses_left,
        }
        if check_truth(others, "others"):
            fields["other_guesses"] = [{"guess": guess, "bound": bound} for guess, bound in self.others]
        return fields

    @property
    def rows(self) -> tuple[Advice, ...]:
        """The best guesses, best first."""
        return self.guesses

    def to_csv(self, *, others: bool = False) -> str:
        """A row for each guess, as `optimal suggest --csv` prints them; of ``others`` the bound alone is known."""
        fields = self.to_dict(others=others)
        return csv_of([*fields["guesses"], *fields.get("other_guesses", ())])

    @property
    def table(self) -> Grid:
        """The same for people; of very many ties of the last place it counts the others."""
        start = f"after {self.position}" if self.position else "first guess"
        left = "no limit" if self.guesses_left is None else f"{counted(self.guesses_left, 'guess', 'guesses')} left"
        candidates = counted(len(self.candidates), "candidate" if self.listed else "other word")
        return Grid(
            f"{titled(self.game)}, {self.rules} rules, {start}: {candidates}, {left}",
            ("guess", "rank", "total", "mean", "worst", "answer?", "wins now", "classes", "bits"),
            [self._row(advice) for advice in self._shown],
            self._notes(),
        )

    def others_text(self) -> str:
        """All other legal guesses with their proven lower bounds, as a table."""
        rows = [(guess, "infeasible" if bound is None else bound) for guess, bound in self.others]
        return columns(("guess", "at_least"), rows).rstrip("\n")

    @property
    def _shown(self) -> tuple[Advice, ...]:
        if len(self.candidates) == 1:  # any other guess only wastes a turn
            return self.guesses[:1]
        return self.guesses[: shown_of([advice.total for advice in self.guesses], self.top)]

    @staticmethod
    def _row(advice: Advice) -> tuple[object, ...]:
        chance = f"{100 * float(advice.chance):.2f} %" if advice.is_candidate else ""
        numbers: tuple[object, ...] = (advice.rank, advice.total, advice.mean, advice.worst)
        if not advice.proven:
            numbers = (advice.rank, f"<= {advice.total}", advice.mean, "")
        return advice.guess, *numbers, advice.is_candidate, chance, advice.classes, f"{advice.bits:.3f}"

    def _notes(self) -> list[str]:
        notes = [] if self.listed else [f"{beyond(self.candidates)}."]
        if self.infeasible_within is not None:
            limit = counted(self.infeasible_within, "guess", "guesses")
            notes.append(f"No strategy finds all of them within {limit} (proven): totals are without a limit.")
        if self.status in (Status.FEASIBLE, Status.UNKNOWN):
            known = [] if all(advice.proven for advice in self.guesses) else [BEATABLE]
            if any(advice.proven and advice.worst is None for advice in self.guesses):
                known.append("a worst case that is - is not settled")
            known = known if self.guesses else ["no total is known yet"]
            notes.append(f"Stopped, {self.stop_reason}: {'; '.join(known)}.")
        elif not self.guesses:
            notes.append(
                "No strategy finds every candidate with the guesses left (proven). "
                "So no guess has a total; without a limit of guesses each has one."
            )
        hidden = self.guesses[len(self._shown) :]
        if hidden:
            possible = [advice.guess for advice in hidden if advice.is_candidate]
            them = f"; possible answers among them: {listed(possible)}" if possible else ""
            notes.append(f"{len(hidden)} more of total {hidden[-1].total}{them}.")
        if self.others and self.guesses:
            count = counted(len(self.others), "other guess", "other guesses")
            bounds = [bound for _, bound in self.others if bound is not None]
            notes.append(f"{count}: total {min(bounds)} at least (proven)." if bounds else f"{count}: infeasible.")
        if self.source == "tree":
            notes.append(f"{self.guesses[0].guess} begins the shipped tree, which is proven to be the best.")
        if self.source == "table":
            notes.append("From the shipped table of exact totals.")
        if self.guesses:
            notes.append(
                "Classes: how many different replies the guess can bring. Bits: what a reply tells on average; "
                "each halves the candidates."
            )
        if self.listed and self.other_words:
            fit = "1 other word fits" if self.other_words == 1 else f"{self.other_words} other words fit"
            notes.append(f"All of this is of the answers in the list; {fit} too.")
        if self.listed and len(self.candidates) <= MOST_SHOWN:
            notes.append(f"Candidates: {', '.join(self.candidates)}")
        return notes


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
    """The best ``top`` guesses at a position, each with its exact total, and bounds of all other legal guesses.

    Where no answer in the list fits the position, the candidates are the guesses that do, as other words may be the
    answer too.

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
        So many of the best, and all ties of the last.
    max_guesses : int or None, optional
        The limit from the start of the game on, the game's unless given.
    jobs : int, optional
        Searches at once.
    table : bool, optional
        Whether the shipped totals and trees may answer at the start of a shipped game.
    time_limit : float, optional
        Seconds; they, Ctrl-C and SIGTERM end the search with what is known then.
    progress : callable, optional
        Hears how far it is, see `Progress`.

    Returns
    -------
    Analysis
        A list of `Advice`, best first, that prints as `optimal suggest` does.

    Raises
    ------
    IllegalGuess, ImpossibleFeedback, InputError
        For a position that cannot be, each saying why.
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
        race = checked.race(run)
        if best is not None:
            race.know_best(rest.guess_index(best.guess), best.total)
        estimates = race.estimates(race.order[: ESTIMATED * top], 2 * top)
        race.totals(range(len(rest.guesses)), top)
        totals = listed_totals(race, top)
        heights = race.heights(totals)
    if run.stopped:
        return _unfinished(checked, top, race, estimates, "search" if best is None else "tree")
    found = _analysis(checked, top, totals, heights, "search")
    if found.listed or found.status is not Status.INFEASIBLE:
        return found
    # A player who is told nothing is no better off than one who is told what is best without a limit.
    free = analyse(
        game, checked.history, top=top, max_guesses=None, jobs=jobs, time_limit=time_limit, progress=progress
    )
    return replace(free, infeasible_within=checked.limit)


def run_at(
    checked: CheckedPosition,
    jobs: int,
    progress: Callable[[Progress], None] | None,
    whole: GameRun | None = None,
) -> GameRun:
    """A run over the guesses at this position; one of several that belong to a ``whole`` run shares its clock and stop
    flag."""
    rest, made = checked.rest, len(checked.history)
    question = Question(rest, rest.max_guesses, made=made, options=Options(jobs=jobs))
    if whole is None:
        return GameRun(question, progress)
    return GameRun(question, progress, clock=whole.clock, control=whole.control)


def listed_totals(race: Race, top: int) -> dict[int, int]:
    """The totals of the best `top` guesses and of all that tie with the last of them."""
    last = race.last_place(top)
    return {guess: total for guess, total in race.exact_totals().items() if total <= last}


def _unfinished(checked: CheckedPosition, top: int, race: Race, estimates: dict[int, int], source: str) -> Analysis:
    """What is known of the guesses when the search is stopped."""
    rest = checked.rest
    exact = race.exact_totals()
    known = estimates | exact
    order = sorted(known, key=lambda guess: (known[guess], guess not in exact, not race.is_answer(guess), guess))[:top]
    left = sorted(set(range(len(rest.guesses))) - set(order), key=lambda guess: (race.bound(guess), guess))
    listed = _listed(checked, top, order, known, {}, source)
    return replace(
        listed,
        guesses=tuple(
            replace(advice, proven=guess in exact) for guess, advice in zip(order, listed.guesses, strict=True)
        ),
        others=tuple((rest.guesses[guess], race.proven_bound(guess)) for guess in left),
        status=Status.FEASIBLE if order else Status.UNKNOWN,
        stop_reason=race.run.stop_reason,
    )


def _analysis(
    checked: CheckedPosition, top: int, totals: dict[int, int], heights: dict[int, int], source: str
) -> Analysis:
    rest = checked.rest
    answers = set(rest.answer_guess.tolist())
    order = sorted(totals, key=lambda guess: (totals[guess], heights[guess], guess not in answers, guess))
    left = np.delete(np.arange(len(rest.guesses)), order)
    others: list[tuple[str, int | None]]
    if len(totals) < top:  # every guess that has a tree is listed
        others = [(rest.guesses[guess], None) for guess in left]
    else:
        # What each search happened to prove depends on the jobs; these bounds do not.
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
    """The guesses in this order with their totals, as if all were proven; the others are left to be told."""
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


def solve_position(
    game: Game | str,
    position: PositionLike,
    *,
    objective: str = "mean",
    max_guesses: int | Unset | None = UNSET,
    weights: Weights | None = None,
    openers: Sequence[str] | None = None,
    jobs: int = 1,
    backend: str = "threads",
    scheduler: str | None = None,
    wait: float | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    gap: int | str | None = None,
    journal: str | os.PathLike[str] | None = None,
    progress: Callable[[Progress], None] | None = None,
    log: Log | None = None,
) -> Result:
    """The best strategy tree from a position on, over all legal guesses or the ``openers`` named.

    The tree's total, worst case and distribution count guesses from the position on.

    >>> from optimal import solve_position
    >>> tree = solve_position("classic", "salet=bybyb beard=bygyb").tree
    >>> tree.root.guess, tree.total
    ('cezve', 17)

    Parameters
    ----------
    game : Game or str
        A game, or the name of a preset.
    position : str or sequence of (guess, feedback)
        Such as "salet=bybbb crony=byybb"; "" is the start.
    objective, max_guesses : optional
        As for `solve`; the limit and the K of "within:K" count from the start of the game.
    weights, openers, jobs, backend, scheduler, wait, time_limit, memory_limit, gap, journal, progress, log : optional
        As for `solve`.

    Returns
    -------
    Result
        Its tree begins at the position, and can be played and saved like any other.

    Raises
    ------
    IllegalGuess, ImpossibleFeedback, InputError
        For a position that cannot be, and for options as `solve` does.
    """
    game = check_game(game)
    kind, within = check_objective(objective)
    check_weights(game, weights)
    openers = check_openers(openers)
    checked = checked_position(game, position, max_guesses)
    rest, made = checked.rest, len(checked.history)
    for opener in map(game.written, openers or ()):
        game.guess_index(opener)
        if broken := broken_rule(game, checked.history, opener):
            raise IllegalGuess(f"an opener is illegal under {game.rules} rules: {broken}")
    from_here = objective
    if made and within is not None:
        if within <= made:
            raise InputError(f"objective {objective}: {made} guesses are made already; K must be more")
        from_here = f"{kind}:{within - made}"
    if weights is not None:
        weights = replace(weights, values=tuple(weights.values[answer] for answer in checked.candidates))
    question = question_of(
        rest,
        objective=from_here,
        weights=weights,
        openers=openers,
        made=made,
        options=Options.of(
            jobs=jobs,
            backend=backend,
            scheduler=scheduler,
            wait=wait,
            time_limit=time_limit,
            memory_limit=memory_limit,
            gap=gap,
            objective=objective,
            journal=journal,
        ),
    )
    result = answered(question, progress, log)
    if result.tree is None:
        return replace(result, objective=objective)
    tree = replace(
        result.tree, game=game.info, objective=objective, max_guesses=checked.limit, position=checked.history
    )
    return replace(result, tree=tree, objective=objective)
