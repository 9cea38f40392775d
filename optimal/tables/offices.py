"""A table's question as it travels, and what a process does that has it: see `optimal.search.processes`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from typing import Any

from optimal._engine import Control, KeySearch, Stopped
from optimal.errors import OptimalError
from optimal.journal.records import Note
from optimal.search.processes import Controls, Office, Task
from optimal.tables.kinds import Kinds
from optimal.tables.question import Grown, KeyQuestion, grow, learn, risen
from optimal.tables.table import Table

#: Steps of work that a look stands for: the first slice of a first question takes some half a second.
_LOOK = 1 << 17
#: Steps of a long slice.
_LONG = 1 << 30


@dataclass(frozen=True)
class KeyParcel:
    """A question of a table, with all that the table has; its receiver makes its kinds again."""

    table: Mapping[str, Any]
    question: Mapping[str, Any]
    sha256: str

    @classmethod
    def of(cls, question: KeyQuestion) -> KeyParcel:
        table = {each.name: getattr(question.table, each.name) for each in fields(Table)}
        left_out = ("table", "kinds")
        rest = {each.name: getattr(question, each.name) for each in fields(question) if each.name not in left_out}
        return cls(table, rest, question.table.sha256)

    def open(self, **changes: Any) -> KeyQuestion:
        """The question, with these changes. Raises OptimalError where it did not arrive as it was sent."""
        table = Table(**self.table)
        if table.sha256 != self.sha256:
            raise OptimalError("the table arrived there as another")
        return KeyQuestion(table, Kinds.of(table), **{**self.question, **changes})

    def office(self, control_of: Controls, cores: int | None = None) -> KeyOffice:
        if cores is None:
            return KeyOffice(self.open(), control_of)
        options = replace(self.question["options"], jobs=cores, backend="threads", scheduler=None)
        return KeyOffice(self.open(options=options), control_of, cores)


class KeyOffice(Office[KeySearch]):
    """One whose searches share a table; notes tell it what others know of an opener."""

    def __init__(self, question: KeyQuestion, control_of: Controls, threads: int = 1) -> None:
        super().__init__(control_of)
        self._question, self._threads = question, threads
        self._known: dict[int, tuple[int, bool]] = {}  # bounds of openers, and whether they are exact

    def _made(self, control: Control) -> list[KeySearch]:
        return self._noting(control, self._threads)

    def _one_more(self, control: Control) -> KeySearch:
        return self._noting(control, 1)[0]

    def _noting(self, control: Control, many: int) -> list[KeySearch]:
        searches = self._question.searches(control, many)
        for search in searches:
            search.take_notes()
        return searches

    def _settle(self, search: KeySearch, task: Task, opener: int, notes: tuple[Note, ...]) -> tuple[int, bool, bool]:
        limit, purse = self._question.limit, self._question.purse
        for note in notes:
            learn(search, note, purse)
        known, exact = self._known.get(opener, (0, False))
        low, ended, end = max(search.bound(opener, limit, purse), known), True, search.steps + task.looks * _LOOK
        # A value found before may not have arrived, and is no better than the incumbent that it has become here.
        while ended and not exact and low < search.control.incumbent and search.steps < end:
            best = search.control.incumbent
            budget = best if task.looks * _LOOK < _LONG else risen(low, best)
            value, ended = search.opener(opener, limit, purse, budget, end - search.steps)
            exact, low = ended and value < budget, max(low, value)
        self._known[opener] = low, exact
        return low, exact or low >= search.control.incumbent, exact

    def _trees(self, search: KeySearch, task: Task, opener: int, value: int) -> Iterator[Grown | None]:
        limit, purse = self._question.limit, self._question.purse
        grown = grow(search, limit, purse, opener)
        if grown is not None:
            yield grown
        if grown is None or grown.total > value:  # notes from elsewhere tell of no more than the sets they are of
            with suppress(Stopped):
                yield grow(search, limit, purse, opener, canonical=True)

    def _counters(self, search: KeySearch) -> tuple[int, ...]:
        return (search.nodes,)
