"""The recorder of a run over a table.

A *level* is what a path may cost, in the table's whole numbers: the objective worst asks at several whether there is a
key. Of the objective mean there is one level alone, `NO_LEVEL`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from optimal._engine import KeySearch
from optimal.errors import InternalError, OptimalError
from optimal.journal.journal import Journal
from optimal.journal.records import Limit, Note, Proven, TreeRecord
from optimal.limits import INFEASIBLE
from optimal.search.key_problem import learn
from optimal.search.recorder import Recorder
from optimal.search.result import Status
from optimal.search.run import Run
from optimal.tables.key import Key
from optimal.trees.keycodec import step_numbers
from optimal.trees.nodes import Step

if TYPE_CHECKING:
    from optimal.tables.table import Table

#: The level of whoever has no other.
NO_LEVEL = INFEASIBLE


class KeyRecorder(Recorder[Run[KeySearch, Any], Key]):
    """The journal of a run over a table: costs in the table's whole numbers, but notes as the searches have them."""

    def __init__(self, journal: Journal, run: Run[KeySearch, Any], table: Table) -> None:
        self._table, self._level = table, NO_LEVEL
        for search in run.searches:
            search.take_notes()
        super().__init__(journal, run)

    @property
    def limit(self) -> Limit:
        return self._level

    def record_tree(self, limit: Limit, tree: Key) -> None:
        level, canonical = _level_of(tree), tree.status == Status.OPTIMAL.value
        known = self._journal.contents.trees.get(level)
        # It may be that of another run: over more questions, or known to be the first of all least ones.
        if known is None or tree.total < known.cost or (tree.total == known.cost and canonical):
            self._journal.add(TreeRecord(level, tree.total, canonical, tree.to_bytes()))
        if canonical and tree.root.question is not None:  # bounds alone may have proven it least
            self._record_opener(level, tree.root.question, Proven(tree.total, True), settled=False)

    # What is known

    def keys(self) -> dict[int, tuple[Key, bool]]:
        """The recorded keys, by their levels; and whether each is the first of all least ones."""
        found = {}
        for record in self._journal.contents.trees.values():
            try:
                key = Key.from_bytes(record.data)
                again = Key.of(
                    self._table,
                    nodes_of(key.root),
                    objective=key.objective,
                    limit=key.limit,
                    cost_limit=key.cost_limit,
                    bound=key.bound,
                    openers=key.openers,
                )
            except (OptimalError, InternalError) as error:
                raise self.damaged(f"its key: {error}") from None
            if (again.packed, again.value, again.root) != (key.packed, key.value, key.root) or record.cost != key.total:
                raise self.damaged(f"its key costs {again.total}, not {record.cost}")
            self.resumed = True
            found[_level_of(key)] = key, record.canonical and key.status == "OPTIMAL"
        return found

    def openers(self) -> dict[int, tuple[int, bool]]:
        """Lower bounds, in units, of keys that begin with a question at this level; and whether each is exact."""
        found, unit = {}, self._run.total_of(1)
        for question, one in self._journal.contents.openers[self._level].items():
            if one.exact and one.lower < INFEASIBLE and one.lower % unit:
                raise self.damaged(f"{one.opener} costs {one.lower}, which can't be")
            found[question] = INFEASIBLE if one.lower >= INFEASIBLE else -(-one.lower // unit), one.exact
        self.resumed |= bool(found)
        return found

    def refuted(self, asked: Iterable[int]) -> int:
        """The greatest level at which none of these questions begins a key; -1 where none is known."""
        found, wanted = -1, set(asked)
        for level, known in self._journal.contents.openers.items():
            none = {question for question, one in known.items() if one.lower >= INFEASIBLE}
            if level is not None and level > found and wanted <= none:
                self.resumed, found = True, level
        return found

    def begin(self, level: int, cost_limit: int) -> None:
        """From now on the searches work at this level, with this purse in units; they know what was noted there."""
        with self._lock:
            self._arrived += self._own_notes()
            self._level = level
        notes = self._journal.notes(level)
        self.resumed |= bool(notes)
        try:
            for search in self._run.searches:
                for note in notes:
                    learn(search, note, cost_limit)
        except (ValueError, OverflowError) as error:
            raise self.damaged(str(error)) from None

    def notes_of(self, openers: Iterable[int]) -> dict[int, tuple[Note, ...]]:
        """Those that don't tell whether there is any key: searches elsewhere don't ask that."""
        found = super().notes_of(openers)
        return {question: tuple(note for note in notes if not note.counted) for question, notes in found.items()}

    # What is new

    def opener(self, opener: int, found: Proven | None, *, settled: bool) -> None:
        """Record what the run knows of keys that begin with a question at this level; that there is none, where that
        was ``found`` just now."""
        run = self._run
        low, exact = run.lows.get(opener, 0), opener in run.values
        if found is not None and found.lower >= INFEASIBLE:
            low = INFEASIBLE
        none = low >= INFEASIBLE
        proven = Proven(INFEASIBLE if none else run.total_of(low), exact or none)
        # What is not above the least total is asked again when the first of all least keys is looked for.
        self._record_opener(self._level, opener, proven, settled=settled and low > run.best)


def _level_of(key: Key) -> int:
    return key.worst_cost if key.objective == "worst" else NO_LEVEL


def nodes_of(root: Step) -> list[int]:
    """A key's tree as `Key.of` takes it."""
    return step_numbers(root, lambda _: (-1,), first=0)
