"""The problem that the searches of a table solve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

from optimal._engine import KEY_SWITCHES, Control, KeySearch, KeyTable
from optimal.journal.records import Note
from optimal.limits import INFEASIBLE
from optimal.search.distinct_columns import DistinctColumns
from optimal.search.engine import engine_limit
from optimal.search.memory import share_out
from optimal.search.options import DEFAULTS, Options
from optimal.tables.table import Table

#: Initial and, without a memory limit, maximum number of entries in a search's table.
_SLOTS, _SLOTS_MOST = 1 << 16, 1 << 23
#: Steps in which the budget of a first question that takes long rises to the best total.
_RISES = 8


@dataclass(frozen=True)
class KeyProblem:
    """A problem over a table. `identify` documents and checks the fields; ``openers`` are sorted places of
    questions."""

    table: Table
    objective: str = "mean"
    limit: int | None = None
    cost_limit: int | None = None
    openers: tuple[int, ...] | None = None
    options: Options = DEFAULTS

    def __reduce__(self) -> tuple[object, ...]:
        # Without what can be computed again.
        table = [getattr(self.table, each.name) for each in fields(Table)]
        return _unpickled, (table, [getattr(self, each.name) for each in fields(self)[1:]])

    @cached_property
    def columns(self) -> DistinctColumns:
        return DistinctColumns.of(self.table)

    @property
    def left(self) -> int:
        """The limit of questions as the engine takes it."""
        return engine_limit(self.limit)

    @property
    def cost_left(self) -> int:
        """The limit of cost as the engine takes it, in units."""
        return INFEASIBLE if self.cost_limit is None else self.cost_limit // self.columns.cost_unit

    @property
    def identity(self) -> dict[str, str]:
        """The problem's identity, as journals keep it."""
        return {
            "table": self.table.name,
            "table sha256": self.table.sha256,
            "limit of questions": "none" if self.limit is None else str(self.limit),
            "limit of cost": "none" if self.cost_limit is None else str(self.cost_limit),
            "objective": self.objective,
            "end of a key": "one outcome",  # the rule that all bounds rest on
        }

    @property
    def names(self) -> tuple[str, ...]:
        """The questions that may come first."""
        return self.table.questions

    @property
    def opener_names(self) -> tuple[str, ...] | None:
        """The openers asked for, in the order of the table; None for all."""
        return None if self.openers is None else tuple(self.table.questions[opener] for opener in self.openers)

    def searches(self, control: Control, many: int, *, main_thread: bool = False) -> list[KeySearch]:
        """Return this many searches, which share a table; a lone one in the main thread polls for signals. Raises
        InputError if the memory is too small."""
        slots = self._slots()
        shared = KeyTable(many * slots) if many > 1 else None
        return [
            KeySearch(
                self.columns.codes,
                self.columns.weights,
                self.columns.groups,
                self.columns.costs,
                control,
                off=sum(KEY_SWITCHES[name] for name in self.options.without),
                table_slots=min(slots, _SLOTS),
                max_slots=slots,
                shared=shared,
                main_thread=main_thread,
            )
            for _ in range(many)
        ]

    def _slots(self) -> int:
        """Return the maximum number of entries in each search's table."""
        if self.options.memory_limit is None:
            return _SLOTS_MOST
        # A search also keeps the codes in its frames: halved again and again, they come to twice the first.
        codes = self.columns.codes.nbytes
        return share_out("this table", (codes, 3 * codes), self.options).slots


def _unpickled(table: Sequence[Any], rest: Sequence[Any]) -> KeyProblem:
    return KeyProblem(Table(*table), *rest)


@dataclass(frozen=True)
class BuiltKey:
    """A key as `Key.of` takes it, with its total, the length of its longest path and the cost of its costliest, in
    units."""

    nodes: list[int]
    total: int
    height: int
    costliest: int


def grow(search: KeySearch, limit: int, cost_limit: int, opener: int, **how: Any) -> BuiltKey | None:
    """Return the key that begins with the opener (-1: any), built as `KeySearch.build` does."""
    found = search.build(limit, cost_limit, opener, **how)
    return None if found is None else BuiltKey(*found)


def risen(low: int, best: int) -> int:
    """Return the next budget of a first question that takes long: bounds rise step by step, so that a run that is
    stopped has one to report."""
    return min(best, low + (best - low) // _RISES + 1)


def import_key_bounds(search: KeySearch, note: Note, cost_limit: int) -> None:
    """Import another search's note within this cost limit into a search; the value is in units."""
    history, left, value, exact, height, question, counted = note
    search.import_bounds(history, engine_limit(left), value, exact, height, question, counted, cost_limit)
