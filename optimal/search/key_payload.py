"""A table's problem as it travels to worker processes, and how these search it: see `optimal.search.workers`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from typing import Any

from optimal._engine import Control, KeySearch, Stopped
from optimal.errors import OptimalError
from optimal.search.distinct_columns import Kinds
from optimal.search.key_problem import Grown, KeyQuestion, grow, learn, risen
from optimal.search.workers import Opener, Solver
from optimal.tables.table import Table

#: Steps of the search in a work unit: the first slice of a first question takes some half a second.
_UNIT = 1 << 17
#: Steps of a long slice.
_LONG = 1 << 30


@dataclass(frozen=True)
class KeyPayload:
    """A question of a table, with all that the table has; its receiver makes its kinds again."""

    table: Mapping[str, Any]
    question: Mapping[str, Any]
    sha256: str

    @classmethod
    def of(cls, question: KeyQuestion) -> KeyPayload:
        table = {each.name: getattr(question.table, each.name) for each in fields(Table)}
        left_out = ("table", "kinds")
        rest = {each.name: getattr(question, each.name) for each in fields(question) if each.name not in left_out}
        return cls(table, rest, question.table.sha256)

    def unpacked(self, **changes: Any) -> KeyQuestion:
        """The question, with these changes. Raises OptimalError where it did not arrive as it was sent."""
        table = Table(**self.table)
        if table.sha256 != self.sha256:
            raise OptimalError("the table arrived there as another")
        return KeyQuestion(table, Kinds.of(table), **{**self.question, **changes})

    def open(self, cores: int) -> KeySolver:
        options = self.question["options"]
        if options.backend != "loky":  # whose jobs share this machine's memory
            options = replace(options, jobs=cores, backend="threads", scheduler=None)
        return KeySolver(self.unpacked(options=options), cores)


class KeySolver(Solver[KeySearch]):
    """A table in a worker. Its searches share a table of results; records from elsewhere bound an opener's sets."""

    def __init__(self, question: KeyQuestion, cores: int = 1) -> None:
        self._question, self._cores = question, cores
        self._known: dict[int, tuple[int, bool]] = {}  # bounds of openers, and whether they are exact

    def searches(self, control: Control) -> list[KeySearch]:
        searches = self._question.searches(control, self._cores)
        for search in searches:
            search.take_notes()
        return searches

    def settle(self, search: KeySearch, limit: int | None, opener: Opener) -> tuple[int, bool, bool]:
        within, purse, work = self._question.limit, self._question.purse, opener.work * _UNIT
        for note in opener.notes:
            learn(search, note, purse)
        known, exact = self._known.get(opener.number, (0, False))
        low, ended, end = max(search.bound(opener.number, within, purse), known), True, search.steps + work
        # A value found before may not have arrived, and is no better than the incumbent that it has become here.
        while ended and not exact and low < search.control.incumbent and search.steps < end:
            best = search.control.incumbent
            budget = best if work < _LONG else risen(low, best)
            value, ended = search.opener(opener.number, within, purse, budget, end - search.steps)
            exact, low = ended and value < budget, max(low, value)
        self._known[opener.number] = low, exact
        return low, exact or low >= search.control.incumbent, exact

    def trees(self, search: KeySearch, limit: int | None, opener: int, value: int) -> Iterator[Grown | None]:
        within, purse = self._question.limit, self._question.purse
        grown = grow(search, within, purse, opener)
        if grown is not None:
            yield grown
        if grown is None or grown.total > value:  # notes from elsewhere tell of no more than the sets they are of
            with suppress(Stopped):
                yield grow(search, within, purse, opener, canonical=True)

    def counters(self, search: KeySearch) -> tuple[int, ...]:
        return (search.nodes,)
