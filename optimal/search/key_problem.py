"""The question that is put to the searches of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from optimal._engine import KEY_SWITCHES, Control, KeySearch, KeyTable
from optimal.journal.records import Note
from optimal.limits import INFEASIBLE
from optimal.search.distinct_columns import DistinctColumns
from optimal.search.engine import engine_limit
from optimal.search.memory import share_out
from optimal.search.options import DEFAULTS, Options
from optimal.tables.table import Table

#: Entries of a search's table to begin with, and at most where no limit of memory is set.
_SLOTS, _SLOTS_MOST = 1 << 16, 1 << 23
#: In how many steps the bound of a first question that takes long goes up to the best total.
_RISES = 8


@dataclass(frozen=True)
class KeyProblem:
    """What is asked of a table, within a ``limit`` as the engine takes it and a ``cost_limit`` in units. `identify`
    documents and checks the rest; ``openers`` are places of questions, rising, ``asked_limit`` and ``asked_cost`` the
    limits as they were asked for."""

    table: Table
    columns: DistinctColumns
    limit: int
    cost_limit: int
    objective: str = "mean"
    openers: tuple[int, ...] | None = None
    asked_limit: int | None = None
    asked_cost: int | None = None
    options: Options = DEFAULTS

    @classmethod
    def of(
        cls,
        table: Table,
        objective: str,
        limit: int | None,
        cost_limit: int | None,
        openers: Sequence[str] | None,
        options: Options,
    ) -> KeyProblem:
        """The question that these arguments of `identify` put. Raises InputError for openers that the table lacks."""
        columns = DistinctColumns.of(table)
        places = None if openers is None else tuple(sorted({table.question_index(opener) for opener in openers}))
        within = INFEASIBLE if cost_limit is None else cost_limit // columns.cost_unit
        return cls(table, columns, engine_limit(limit), within, objective, places, limit, cost_limit, options)

    @property
    def identity(self) -> dict[str, str]:
        """What tells one question from another, as journals keep it."""
        return {
            "table": self.table.name,
            "table sha256": self.table.sha256,
            "limit of questions": "none" if self.asked_limit is None else str(self.asked_limit),
            "limit of cost": "none" if self.asked_cost is None else str(self.asked_cost),
            "objective": self.objective,
            "end of a key": "one outcome",  # the rule that all bounds rest on
        }

    @property
    def names(self) -> tuple[str, ...]:
        """The questions that may come first."""
        return self.table.questions

    @property
    def opener_names(self) -> tuple[str, ...] | None:
        """Those asked for, in the order of the table; None for all."""
        return None if self.openers is None else tuple(self.table.questions[opener] for opener in self.openers)

    def searches(self, control: Control, many: int, *, main_thread: bool = False) -> list[KeySearch]:
        """So many searches, which share a table; the only one in the main thread looks for signals. Raises InputError
        where the memory is too small."""
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
        """Entries that the table of each search may have."""
        if self.options.memory_limit is None:
            return _SLOTS_MOST
        # A search has the codes in its frames besides: these are halved again and again, which makes twice the first.
        codes = self.columns.codes.nbytes
        return share_out("this table", (codes, 3 * codes), self.options).slots


@dataclass(frozen=True)
class BuiltKey:
    """A key as `Key.of` takes it, with its total, its longest path and the cost of its dearest, in units."""

    nodes: list[int]
    total: int
    height: int
    costliest: int


def grow(search: KeySearch, limit: int, cost_limit: int, opener: int, **how: Any) -> BuiltKey | None:
    """The key that begins with the opener (-1: as any other set), and goes on as `KeySearch.grow` has it."""
    found = search.grow(limit, cost_limit, opener, **how)
    return None if found is None else BuiltKey(*found)


def risen(low: int, best: int) -> int:
    """What a first question of this bound is searched for next where it takes long: bounds rise step by step, so that a
    run that is stopped has one to tell of."""
    return min(best, low + (best - low) // _RISES + 1)


def learn(search: KeySearch, note: Note, cost_limit: int) -> None:
    """Let a search know what another has noted within this purse; the value is in units."""
    history, left, value, exact, height, question, counted = note
    search.learn(history, engine_limit(left), value, exact, height, question, counted, cost_limit)
