"""Exact totals of first guesses: of those named, of the best N, or of all."""

from __future__ import annotations

import os
import threading
from bisect import bisect
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from optimal._engine import Search
from optimal.checks import (
    check_openers,
    check_progress,
    check_top,
    check_truth,
)
from optimal.errors import InputError
from optimal.games.game import UNSET, Game, Unset, check_game
from optimal.games.presets import titled
from optimal.journal.ledger import Proven
from optimal.limits import INFEASIBLE
from optimal.search.engine import promising
from optimal.search.game_run import GameRun
from optimal.search.jobs import measure_supersets, searches_of, share_out
from optimal.search.keeping import Keeper
from optimal.search.options import Options
from optimal.search.progress import Progress
from optimal.search.question import Question, journal_of
from optimal.search.result import Outcome, Status
from optimal.search.run import Log
from optimal.search.stopping import carry_out
from optimal.show.table import Grid, Listed
from optimal.show.words import counted, resting, within

DEFAULT_TOP = 10
#: A text shows so many ties of the last place beyond those asked for, and counts the others.
TIES_SHOWN = 10
#: Measured supersets pay from about so many answers on.
SUPERSETS_FROM = 600
#: Greedy play tries so many guesses for each of the best asked for, and looks at the stop flag so often for one.
ESTIMATED = 40
ESTIMATE_LOOKS = 25
#: Codes of the matrix that are sorted at once.
SORTED = 1 << 22
#: Guesses of which those are passed over at once that need no search.
_PART = 256


@dataclass(frozen=True)
class Opener:
    """A first guess in a ranking. `total` is exact, or None: infeasible, or not known (status UNKNOWN)."""

    guess: str
    rank: int | None  # 1 is best; equal totals share a rank
    total: int | None
    mean: Fraction | None
    status: Status  # OPTIMAL: the total is exact
    bound: int | None  # proven lower bound of the total; None: infeasible
    ledger: str | None = None  # that the total or the bound is from; None: proven here

    def to_dict(self) -> dict[str, Any]:
        return {
            "guess": self.guess,
            "rank": self.rank,
            "total": self.total,
            "mean": None if self.mean is None else float(self.mean),
            "status": self.status.value,
            "bound": self.bound,
            "ledger": self.ledger,
        }


@dataclass(frozen=True, repr=False, kw_only=True)
class Ranking(Outcome, Listed[Opener]):
    """First guesses by their exact totals: what :func:`rank` returns.

    ``status`` is OPTIMAL when everything asked for is proven, and INFEASIBLE when no opener has a tree within the
    limit. A ranking that was stopped early is FEASIBLE, its places unproven though each total is exact, or UNKNOWN
    with nothing found. ``others`` openers are not listed; their totals are ``others_bound`` at least (None where
    they are infeasible, or there are none). All that rests on bounds of ``imported`` openers that are known from
    ``ledgers`` alone.
    """

    game: str
    rules: str
    max_guesses: int | None
    answers: int
    top: int | None  # None: every opener is listed
    openers: tuple[Opener, ...]
    others: int
    others_bound: int | None

    def to_dict(self) -> dict[str, Any]:
        """The JSON object of `optimal rank --json`."""
        return {
            "openers": [opener.to_dict() for opener in self.openers],
            "status": self.status.value,
            "game": self.game,
            "rules": self.rules,
            "max_guesses": self.max_guesses,
            "answers": self.answers,
            "others": self.others,
            "others_bound": self.others_bound,
            "stop_reason": self.stop_reason,
            "seconds": self.seconds,
            "nodes": self.nodes,
            "imported": self.imported,
            "ledgers": list(self.ledgers),
        }

    @property
    def rows(self) -> tuple[Opener, ...]:
        """The openers, in rank order."""
        return self.openers

    @property
    def table(self) -> Grid:
        """The same for people; of very many ties of the last place it counts the others."""
        shown = shown_of([opener.total for opener in self.openers], self.top)
        return Grid(
            f"{titled(self.game)}, {self.rules} rules, {within(self.max_guesses)}, {counted(self.answers, 'answer')}",
            ("opener", "rank", "total", "mean"),
            [self._row(opener) for opener in self.openers[:shown]],
            self._notes(shown),
        )

    @staticmethod
    def _row(opener: Opener) -> tuple[object, ...]:
        total: object = "infeasible" if opener.status is Status.INFEASIBLE else opener.total
        if opener.status is Status.UNKNOWN:
            total = f">= {opener.bound}"
        return opener.guess, opener.rank, total, opener.mean

    def _notes(self, shown: int) -> list[str]:
        notes = []
        if shown < len(self.openers):
            notes.append(f"{len(self.openers) - shown} more of total {self.openers[-1].total}")
        if self.others:
            others = counted(self.others, "other opener")
            if self.others_bound is None:
                notes.append(f"{others}: infeasible, no tree is within the limit (proven)")
            else:
                notes.append(f"{others}: {self.others_bound} at least (proven)")
        if self.status is Status.FEASIBLE:
            missing = "what has no total" if self.top is None else "better openers"
            notes.append(f"stopped, {self.stop_reason}: the totals are exact, but {missing} may come before them")
        elif self.status is Status.UNKNOWN:
            notes.append(f"stopped, {self.stop_reason}: no total is known yet")
        if self.imported:
            notes.append(f"{self.status}{resting(self.imported, self.ledgers)}")
        return notes


def rank(
    game: Game | str,
    *,
    openers: Sequence[str] | None = None,
    top: int | None = None,
    all_openers: bool = False,
    max_guesses: int | Unset | None = UNSET,
    jobs: int = 1,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    journal: str | os.PathLike[str] | None = None,
    progress: Callable[[Progress], None] | None = None,
    log: Log | None = None,
) -> Ranking:
    """Exact totals of first guesses, best first: of those named, of the best N, or of all.

    Equal totals share a rank; among them a possible answer comes first, then list order.

    >>> from optimal import rank
    >>> [(opener.guess, opener.total) for opener in rank("classic", openers=["crane", "salet"])]
    [('salet', 7920), ('crane', 7930)]

    Parameters
    ----------
    game : Game or str
        A game, or the name of a preset.
    openers : sequence of str, optional
        These first guesses alone.
    top : int, optional
        The best so many (10 unless ``openers`` are named) with all ties of the last.
    all_openers : bool, optional
        Every one.
    max_guesses, jobs, time_limit, memory_limit, journal, progress, log : optional
        As for `solve`.

    Returns
    -------
    Ranking
        A list of `Opener`, best first, that prints as `optimal rank` does.

    Raises
    ------
    InputError
        For openers that are no guesses, and for options out of range or that contradict each other.
    """
    game = check_game(game)
    check_progress(progress)
    check_progress(log, "log")
    limit = game.limit(max_guesses)
    if check_truth(all_openers, "all_openers") and (openers is not None or top is not None):
        raise InputError("all openers are asked for: then name no openers, and no number of best ones")
    if openers is None and not all_openers and top is None:
        top = DEFAULT_TOP
    top = None if top is None else check_top(top)
    options = Options.of(jobs=jobs, time_limit=time_limit, memory_limit=memory_limit, journal=journal)
    question = Question(game, limit, openers=check_openers(openers), options=options)
    run = GameRun(question, progress, log=log)

    def work() -> Ranking:
        race = Race(run, question.chosen)
        race.totals(question.chosen, top)
        return _ranking(race, question.chosen, top)

    return carry_out(run, work, journal_of(question, "rank"), lambda journal: Keeper(journal, run))


def _ranking(race: Race, chosen: Sequence[int], top: int | None) -> Ranking:
    game, run = race.game, race.run
    exact = race.exact_totals()
    bounds = {guess: race.bound(guess) for guess in chosen}
    last = race.last_place(top)
    listed = sorted(
        (guess for guess in (exact if top is not None else chosen) if exact.get(guess, last) <= last),
        key=lambda guess: (
            exact.get(guess, INFEASIBLE),
            0 if guess in exact else bounds[guess],
            not race.is_answer(guess),
            guess,
        ),
    )
    left = set(chosen) - set(listed)
    others_bound = min((bounds[guess] for guess in left), default=INFEASIBLE)
    proven = race.settled.issuperset(race.like.values())
    if proven and last < INFEASIBLE:
        # What each search happened to prove depends on the jobs; this does not.
        others_bound = min((max(int(race.least[guess]), last + 1) for guess in left), default=others_bound)
    if min(bounds.values()) >= INFEASIBLE:
        status = Status.INFEASIBLE
    elif proven:
        status = Status.OPTIMAL
    else:
        status = Status.FEASIBLE if exact else Status.UNKNOWN
    totals = [exact.get(guess) for guess in listed]
    return Ranking(
        game=game.name,
        rules=str(game.rules),
        max_guesses=race.question.limit,
        answers=len(game.answers),
        top=top,
        openers=tuple(
            _opener(game, guess, total, place, bounds[guess], run.ledger_of(race.like[guess]))
            for guess, total, place in zip(listed, totals, places(totals), strict=True)
        ),
        others=len(left),
        others_bound=None if not left or others_bound >= INFEASIBLE else others_bound,
        status=status,
        stop_reason=run.stop_reason,
        seconds=run.clock.seconds,
        nodes=run.nodes,
    )


def _opener(game: Game, guess: int, total: int | None, place: int | None, bound: int, ledger: str | None) -> Opener:
    infeasible = bound >= INFEASIBLE
    return Opener(
        guess=game.guesses[guess],
        rank=place,
        total=total,
        mean=None if total is None else Fraction(total, len(game.answers)),
        status=Status.OPTIMAL if total is not None else Status.INFEASIBLE if infeasible else Status.UNKNOWN,
        bound=None if infeasible else bound,
        ledger=ledger,
    )


class Race:
    """The guesses at the start of one game, valued by as many searches at once as the question has jobs.

    Totals go to ``run.values`` and proven lower bounds to ``run.lows``; ``settled`` guesses need no more work.
    Where guesses are worth the same by symmetry, ``like`` names the one that is searched for each of them; it is
    found here for a whole game, and given for a position. When the run is stopped, what is known stays.
    """

    def __init__(self, run: GameRun, guesses: Sequence[int], like: Mapping[int, int] | None = None) -> None:
        self.run, self.question, self.game = run, run.question, run.game
        question = run.question
        self.like = question.alike(guesses) if like is None else {guess: like[guess] for guess in guesses}
        run.tell("tables", 0, 0)
        self.engine = question.engine()
        self.searches = searches_of(self.engine, run.control, question.options.jobs)
        self.least = least_totals(self.game)
        self.settled: set[int] = set()

    def know_best(self, guess: int, total: int) -> None:
        """Take it as proven that this guess has this total, and that none of all guesses has less."""
        self.run.take_over({self.like[guess]: Proven(total, True)}, {}, None, race=True)
        self.least = np.maximum(self.least, total)

    def is_answer(self, guess: int) -> bool:
        return bool(self.engine.tables.is_answer(guess))

    def bound(self, guess: int) -> int:
        """A proven lower bound of a guess's total; INFEASIBLE if there is no tree."""
        stand_in = self.like[guess]
        return min(max(self.run.lows.get(stand_in, 0), int(self.least[stand_in])), INFEASIBLE)

    @cached_property
    def order(self) -> list[int]:
        """The guesses that are searched, most promising first."""
        return promising(self.engine.tables, dict.fromkeys(self.like.values()))

    def exact_totals(self) -> dict[int, int]:
        """The totals known of all guesses, those that share one by symmetry too."""
        values = self.run.values
        return {guess: values[like] for guess, like in self.like.items() if like in values}

    def proven_bound(self, guess: int) -> int | None:
        """The same, None if there is no tree."""
        low = self.bound(guess)
        return None if low >= INFEASIBLE else low

    def totals(self, guesses: Iterable[int], top: int | None) -> None:
        """Value the guesses: all of them exactly, or as far as the best `top` and their ties need it."""
        run = self.run
        if len(self.game.answers) >= SUPERSETS_FROM:
            searched = list(dict.fromkeys(self.like.values()))
            measure_supersets(self.question, self.engine, searched, self.question.options.jobs, run.control, run.tell)
            for search in self.searches:
                search.use(self.engine.supersets)
        stands_for = Counter(self.like[guess] for guess in guesses)
        order = [guess for guess in self.order if guess in stands_for]
        lock = threading.Lock()
        run.take_up(stands_for, self.searches, race=True)
        run.all_bounded(dict(zip(order, self.least[order].tolist(), strict=True)))
        # The totals known of all guesses, rising.
        best = sorted(total for guess, total in run.values.items() for _ in range(stands_for[guess]))
        run.work_begins()

        def budget_now() -> int:
            with lock:
                # Up to and including the last place: its ties are asked for too.
                return INFEASIBLE if top is None or len(best) < top else best[top - 1] + 1

        def to_search() -> Iterator[int]:
            for at in range(0, len(order), _PART):
                part, budget = order[at : at + _PART], budget_now()
                least = zip(part, self.least[part].tolist(), strict=True)
                lows = ((guess, max(run.lows.get(guess, 0), low)) for guess, low in least)
                passed = {guess: low for guess, low in lows if low >= budget and guess not in run.values}
                run.passed_over(passed)
                self.settled.update(passed)
                yield from (guess for guess in part if guess not in passed)

        def value(search: Search, guess: int) -> None:
            budget = budget_now()
            low = self.bound(guess)
            if guess not in run.values and low < budget:
                total, _ = search.opener(guess, run.left, budget)
                run.record(guess, total, exact=total < budget, search=search)
                with lock:
                    if total < budget:
                        at = bisect(best, total)
                        best[at:at] = [total] * stands_for[guess]
            elif guess not in run.values:
                run.passed_over({guess: low})
            self.settled.add(guess)

        self.each(to_search(), value)

    def estimates(self, guesses: Iterable[int], most: int) -> dict[int, int]:
        """What trees cost that greedy play finds after these guesses, for so many of them; those are passed over for
        which it finds none soon."""
        found: dict[int, int] = {}

        self.run.tell("first trees", 0, most)

        def estimate(search: Search, guess: int) -> None:
            if len(found) < most:
                cost = search.beam_opener(guess, self.run.left, 0, INFEASIBLE, ESTIMATE_LOOKS)
                if cost < INFEASIBLE:
                    found[guess] = cost
            self.run.tell("first trees", len(found), most)

        self.each(guesses, estimate)
        return found

    def heights(self, guesses: Iterable[int]) -> dict[int, int]:
        """The worst case of each guess's lowest tree of least total."""
        guesses = list(guesses)
        found: dict[int, int] = {}
        order = dict.fromkeys(self.like[guess] for guess in guesses)

        def height(search: Search, guess: int) -> None:
            self.run.tell("worst cases", len(found), len(order))
            found[guess] = search.opener_height(guess, self.run.left)

        self.each(order, height)
        return {guess: found[self.like[guess]] for guess in guesses if self.like[guess] in found}

    def last_place(self, top: int | None) -> int:
        """The greatest total among the best `top`."""
        if top is None:
            return INFEASIBLE
        totals = sorted(self.exact_totals().values())
        return totals[top - 1] if len(totals) >= top else INFEASIBLE

    def each(self, guesses: Iterable[int], do: Callable[[Search, int], None]) -> None:
        """Hand the guesses, in their order, to the searches as they come free."""
        with self.run.counting(self.searches):
            share_out(self.run.control, self.searches, guesses, do)


def least_totals(game: Game) -> npt.NDArray[np.int64]:
    """For every guess a total that no tree opening with it can go below.

    A class of m answers takes 2m - 1 guesses more at least, and the guess itself one for each of the n answers:
    3n less one for each class, and less one again for the answer that the guess may be.
    """
    least = np.full(len(game.guesses), 3 * len(game.answers) - 1, dtype=np.int64)
    rows = max(1, SORTED // len(game.answers))  # not all at once: the matrix may be as large as the memory
    for at in range(0, len(least), rows):
        codes = np.sort(game.matrix[at : at + rows], axis=1, kind="stable")
        least[at : at + rows] -= np.count_nonzero(codes[:, 1:] != codes[:, :-1], axis=1)
    least[game.answer_guess] -= 1
    return least


def places(totals: Sequence[int | None]) -> list[int | None]:
    """The rank of each of the rising totals; equal ones share theirs, and None has none."""
    found: list[int | None] = []
    for at, total in enumerate(totals):
        tied = at > 0 and total == totals[at - 1]
        found.append(None if total is None else found[-1] if tied else at + 1)
    return found


def shown_of(totals: Sequence[int | None], top: int | None) -> int:
    """How many of a ranking a text shows: all, unless the ties of the last place are very many."""
    return len(totals) if top is None or len(totals) <= top + TIES_SHOWN else top
