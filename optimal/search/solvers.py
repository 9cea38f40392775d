"""The problems of games and tables in worker processes: see `optimal.search.workers`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from optimal._engine import Control, KeySearch, Search, Stopped
from optimal.search.engine import budget_of, engine_limit, import_bounds
from optimal.search.game_problem import Problem
from optimal.search.game_run import put_together
from optimal.search.jobs import searches_of, use_supersets
from optimal.search.key_problem import BuiltKey, KeyProblem, grow, import_key_bounds, risen
from optimal.search.workers import Opener, Solver

if TYPE_CHECKING:
    from optimal._engine import Nested

#: Steps of a table's search per work unit: the first slice of a first question takes about half a second.
_UNIT = 1 << 17
#: Steps of a long slice.
_LONG = 1 << 30


class GameSolver(Solver[Problem, Search]):
    """A game in a worker. Its searches share an engine and a transposition table."""

    def searches(self, control: Control) -> list[Search]:
        engine = self.problem.engine()
        searches = searches_of(engine, control, self.cores)
        openers = sorted(set(self.problem.representatives_of(self.problem.chosen).values()))
        use_supersets(self.problem, engine, openers, searches)
        for search in searches:
            search.record_bounds()
        return searches

    def settle(self, search: Search, opener: Opener) -> tuple[int, bool, bool]:
        for note in opener.notes:
            import_bounds(search, note)
        budget = budget_of(search.control)
        if opener.low >= budget:
            return opener.low, True, False
        value, ended = search.opener_slice(opener.number, engine_limit(self.problem.limit), budget, opener.work)
        return value, ended, ended and value < budget

    def trees(self, search: Search, opener: int, value: int) -> Iterator[Nested]:
        return put_together(self.problem, self.problem.limit, search, opener, value)


class KeySolver(Solver[KeyProblem, KeySearch]):
    """A table in a worker. Its searches share a transposition table; imported notes bound an opener's sets."""

    def __init__(self, problem: KeyProblem, cores: int = 1) -> None:
        super().__init__(problem, cores)
        self._known: dict[int, tuple[int, bool]] = {}  # bounds of openers, and whether they are exact

    def searches(self, control: Control) -> list[KeySearch]:
        searches = self.problem.searches(control, self.cores)
        for search in searches:
            search.record_bounds()
        return searches

    def settle(self, search: KeySearch, opener: Opener) -> tuple[int, bool, bool]:
        within, cost_limit, work = self.problem.left, self.problem.cost_left, opener.work * _UNIT
        for note in opener.notes:
            import_key_bounds(search, note, cost_limit)
        known, exact = self._known.get(opener.number, (0, False))
        low, ended, end = max(search.bound(opener.number, within, cost_limit), known), True, search.steps + work
        # An earlier value may not have arrived, and is no better than the incumbent that it has become here.
        while ended and not exact and low < search.control.incumbent and search.steps < end:
            best = search.control.incumbent
            budget = best if work < _LONG else risen(low, best)
            value, ended = search.opener(opener.number, within, cost_limit, budget, end - search.steps)
            exact, low = ended and value < budget, max(low, value)
        self._known[opener.number] = low, exact
        return low, exact or low >= search.control.incumbent, exact

    def trees(self, search: KeySearch, opener: int, value: int) -> Iterator[BuiltKey]:
        within, cost_limit = self.problem.left, self.problem.cost_left
        grown = grow(search, within, cost_limit, opener)
        if grown is not None:
            yield grown
        if grown is None or grown.total > value:  # imported notes cover no more than their own sets
            with suppress(Stopped):
                again = grow(search, within, cost_limit, opener, canonical=True)
                if again is not None:
                    yield again
