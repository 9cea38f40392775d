"""A table's problem as it is sent to worker processes, and its solver there: see `optimal.search.workers`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from typing import Any

from optimal._engine import Control, KeySearch, Stopped
from optimal.errors import OptimalError
from optimal.search.distinct_columns import DistinctColumns
from optimal.search.key_problem import BuiltKey, KeyProblem, grow, import_bounds, risen
from optimal.search.workers import Opener, Solver
from optimal.tables.table import Table

#: Steps of the search per work unit: the first slice of a first question takes about half a second.
_UNIT = 1 << 17
#: Steps of a long slice.
_LONG = 1 << 30


@dataclass(frozen=True)
class KeyPayload:
    """The problem of a table with all fields of the table; the receiver recomputes the distinct columns."""

    table: Mapping[str, Any]
    problem: Mapping[str, Any]
    sha256: str

    @classmethod
    def of(cls, problem: KeyProblem) -> KeyPayload:
        table = {each.name: getattr(problem.table, each.name) for each in fields(Table)}
        left_out = ("table", "columns")
        rest = {each.name: getattr(problem, each.name) for each in fields(problem) if each.name not in left_out}
        return cls(table, rest, problem.table.sha256)

    def unpacked(self, **changes: Any) -> KeyProblem:
        """Return the problem, with these changes. Raises OptimalError if it did not arrive intact."""
        table = Table(**self.table)
        if table.sha256 != self.sha256:
            raise OptimalError("the table was altered in transit")
        return KeyProblem(table, DistinctColumns.of(table), **{**self.problem, **changes})

    def open(self, cores: int) -> KeySolver:
        return KeySolver(self.unpacked(options=self.problem["options"].in_worker(cores)), cores)


class KeySolver(Solver[KeySearch]):
    """A table in a worker. Its searches share a transposition table; imported notes bound an opener's sets."""

    def __init__(self, problem: KeyProblem, cores: int = 1) -> None:
        self._problem, self._cores = problem, cores
        self._known: dict[int, tuple[int, bool]] = {}  # bounds of openers, and whether they are exact

    def searches(self, control: Control) -> list[KeySearch]:
        searches = self._problem.searches(control, self._cores)
        for search in searches:
            search.record_bounds()
        return searches

    def settle(self, search: KeySearch, limit: int | None, opener: Opener) -> tuple[int, bool, bool]:
        within, cost_limit, work = self._problem.limit, self._problem.cost_limit, opener.work * _UNIT
        for note in opener.notes:
            import_bounds(search, note, cost_limit)
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

    def trees(self, search: KeySearch, limit: int | None, opener: int, value: int) -> Iterator[BuiltKey]:
        within, cost_limit = self._problem.limit, self._problem.cost_limit
        grown = grow(search, within, cost_limit, opener)
        if grown is not None:
            yield grown
        if grown is None or grown.total > value:  # imported notes cover no more than their own sets
            with suppress(Stopped):
                again = grow(search, within, cost_limit, opener, canonical=True)
                if again is not None:
                    yield again

    def counters(self, search: KeySearch) -> tuple[int, ...]:
        return (search.nodes,)
