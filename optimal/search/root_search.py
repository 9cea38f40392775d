"""Root search: exact totals of the guesses at the start of a game, by all jobs."""

from __future__ import annotations

import threading
from bisect import bisect
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property

import numpy as np
import numpy.typing as npt

from optimal._engine import Search, Stopped
from optimal.games.game import Game
from optimal.games.weights import Weights
from optimal.journal.records import Proven
from optimal.limits import INFEASIBLE
from optimal.search.engine import promising
from optimal.search.game_run import GameRun
from optimal.search.jobs import hand_out, nogoods_of, refuted_by, searches_of, use_supersets

#: Answers from which measured supersets pay off.
SUPERSETS_FROM = 600
#: Guesses that greedy play tries for each of the best asked for, and work units for each of them.
ESTIMATED = 40
ESTIMATE_WORK = 25
#: Codes of the matrix sorted at a time.
SORTED = 1 << 22
#: Guesses filtered at a time for those that need no search.
_PART = 256


class RootSearch:
    """A search over the guesses at the start of a game, with one search per job.

    Totals go to ``run.values`` and proven lower bounds to ``run.lows``; ``settled`` guesses need no more work. For
    guesses equivalent by symmetry, ``like`` names the one that is searched; it is computed here for a whole game, and
    given for a position. When the run is stopped, the results so far stay; before the game is prepared, there are none,
    and no ``searches``.
    """

    def __init__(self, run: GameRun, guesses: Sequence[int], like: Mapping[int, int] | None = None) -> None:
        self.run, self.problem, self.game = run, run.problem, run.game
        problem = run.problem
        self.like = problem.representatives_of(guesses) if like is None else {guess: like[guess] for guess in guesses}
        run.report("tables", 0, 0)
        self.answers = frozenset(self.game.answer_guess.tolist())
        self.searches: list[Search] = []
        with suppress(Stopped):
            self.searches = searches_of(run.engine, run.control, problem.options.jobs)
        self.settled: set[int] = set()

    @cached_property
    def least(self) -> npt.NDArray[np.int64]:
        """A lower bound of each guess's total. First trees do without: with weights it takes a while."""
        weights = self.problem.weights
        if self.run.left == 1 < len(self.game.answers):  # one guess finds one of them
            return np.full(len(self.game.guesses), INFEASIBLE)
        if self.searches and (weights is None or not self.run.stopped):
            return least_totals(self.game, weights, self.run.engine.tables.classes)
        values = (1,) * len(self.game.answers) if weights is None else weights.values
        return np.full(len(self.game.guesses), 2 * sum(values) - max(values))  # one is found by the first guess at most

    def know_best(self, guess: int, total: int) -> None:
        """Record as proven that this guess has this total, and that no guess has less."""
        self.run.take_over({self.like[guess]: Proven(total, True)}, {}, None, every=True)
        self.least = np.maximum(self.least, total)

    def bound(self, guess: int) -> int:
        """Return a proven lower bound of a guess's total; INFEASIBLE if there is no tree."""
        stand_in = self.like[guess]
        return min(max(self.run.lows.get(stand_in, 0), int(self.least[stand_in])), INFEASIBLE)

    @cached_property
    def order(self) -> list[int]:
        """The guesses that are searched, most promising first; where one guess finds what can be found, answers."""
        found = promising(self.run.engine.tables, dict.fromkeys(self.like.values())) if self.searches else []
        costs = self.problem.costs
        return (
            sorted(found, key=lambda guess: guess not in self.answers) if costs is not None and costs.by == 1 else found
        )

    def exact_totals(self) -> dict[int, int]:
        """Return the known totals of all guesses, with those equivalent by symmetry."""
        values = self.run.values
        return {guess: values[like] for guess, like in self.like.items() if like in values}

    def proven_bound(self, guess: int) -> int | None:
        """Return a proven lower bound of a guess's total; None if there is no tree."""
        low = self.bound(guess)
        return None if low >= INFEASIBLE else low

    def totals(self, guesses: Iterable[int], top: int | None) -> None:
        """Compute the totals of the guesses: all of them, or those needed for the best `top` and their ties."""
        run = self.run
        if not self.searches:
            return
        if len(self.game.answers) >= SUPERSETS_FROM:
            searched = list(dict.fromkeys(self.like.values()))
            use_supersets(self.problem, run.engine, searched, self.searches, run.report)
        stands_for = Counter(self.like[guess] for guess in guesses)
        order = [guess for guess in self.order if guess in stands_for]
        lock, nogoods = threading.Lock(), nogoods_of(run)
        run.take_up(stands_for, self.searches, every=True)
        run.all_bounded(dict(zip(order, self.least[order].tolist(), strict=True)))
        # The known totals of all guesses, rising.
        best = sorted(total for guess, total in run.values.items() for _ in range(stands_for[guess]))
        run.work_begins()

        def budget_now() -> int:
            with lock:
                # Up to and including the last place, for its ties.
                return INFEASIBLE if top is None or len(best) < top else best[top - 1] + 1

        def to_search() -> Iterator[int]:
            for at in range(0, len(order), _PART):
                part, budget = order[at : at + _PART], budget_now()
                lows = {guess: run.lows[guess] for guess in part}  # all_bounded
                passed = {guess: low for guess, low in lows.items() if low >= budget and guess not in run.values}
                run.passed_over(passed)
                self.settled.update(passed)
                yield from (guess for guess in part if guess not in passed)

        def value(search: Search, guess: int) -> None:
            budget = budget_now()
            low = self.bound(guess)
            if guess not in run.values and low < budget:
                if refuted_by(nogoods, run, search, guess):
                    total = INFEASIBLE
                else:
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
        """Return the costs of greedy trees for the first ``most`` of these guesses that soon have one."""
        found: dict[int, int] = {}

        self.run.report("first trees", 0, most)

        def estimate(search: Search, guess: int) -> None:
            if len(found) < most:
                cost = search.beam_opener(guess, self.run.left, 0, INFEASIBLE, ESTIMATE_WORK)
                if cost < INFEASIBLE:
                    found[guess] = cost
            self.run.report("first trees", min(len(found), most), most)

        self.each(guesses, estimate)
        return found

    def heights(self, guesses: Iterable[int]) -> dict[int, int]:
        """Return for each guess the least worst case among its trees of least total."""
        guesses = list(guesses)
        found: dict[int, int] = {}
        order = dict.fromkeys(self.like[guess] for guess in guesses)

        def height(search: Search, guess: int) -> None:
            self.run.report("worst cases", len(found), len(order))
            found[guess] = search.opener_height(guess, self.run.left)

        self.each(order, height)
        return {guess: found[self.like[guess]] for guess in guesses if self.like[guess] in found}

    def last_place(self, top: int | None) -> int:
        """Return the greatest total among the best `top`."""
        if top is None:
            return INFEASIBLE
        totals = sorted(self.exact_totals().values())
        return totals[top - 1] if len(totals) >= top else INFEASIBLE

    def each(self, guesses: Iterable[int], do: Callable[[Search, int], None]) -> None:
        """Hand out the guesses in order to the searches as they come free."""
        if not self.searches:
            return
        with self.run.counting(self.searches):
            hand_out(self.run.control, self.searches, guesses, do)


def least_totals(
    game: Game, weights: Weights | None = None, classes: npt.NDArray[np.uint16] | None = None
) -> npt.NDArray[np.int64]:
    """Return for every guess a lower bound of the total of trees that begin with it. The number of its ``classes`` may
    be known.

    A class of m answers takes at least 2m - 1 further guesses, and the guess itself one for each of the n answers: 3n
    less one for each class, and less one more if the guess is an answer. So it is with weights: of each class the
    heaviest may be found by the second guess, the others by the third.
    """
    values = np.ones(len(game.answers), dtype=np.int64) if weights is None else np.array(weights.values, dtype=np.int64)
    falling = np.argsort(-values, kind="stable")
    least = np.full(len(game.guesses), 3 * values.sum(), dtype=np.int64)
    rows = max(1, SORTED // len(values))  # in parts: the matrix may fill the memory
    for at in range(0, len(least), rows) if weights is not None or classes is None else ():
        part = game.matrix[at : at + rows]
        if weights is None:
            codes = np.sort(part, axis=1, kind="stable")
            least[at : at + rows] -= 1 + np.count_nonzero(codes[:, 1:] != codes[:, :-1], axis=1)
            continue
        part = part[:, falling]
        order = np.argsort(part, axis=1, kind="stable")  # the first of each class is its heaviest
        codes = np.take_along_axis(part, order, axis=1)
        heaviest = values[falling][order]
        heaviest[:, 1:][codes[:, 1:] == codes[:, :-1]] = 0
        least[at : at + rows] -= heaviest.sum(axis=1)
    if weights is None and classes is not None:
        least -= classes
    least[game.answer_guess] -= values
    return least
