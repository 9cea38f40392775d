"""The recorder of a run over a table.

A *cap* bounds the cost of a path, in the table's integers: the objective worst searches for a key under several. The
objective mean has one cap only, `NO_CAP`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from optimal._engine import KeySearch
from optimal.errors import InternalError, OptimalError
from optimal.journal.journal import Journal
from optimal.journal.records import Limit, Note, Proven, TreeRecord
from optimal.limits import INFEASIBLE
from optimal.search.key_problem import import_bounds
from optimal.search.recorder import Recorder
from optimal.search.result import Status
from optimal.search.run import Run
from optimal.trees.key import Key
from optimal.trees.keycodec import step_numbers
from optimal.trees.nodes import Step

if TYPE_CHECKING:
    from optimal.tables.table import Table

#: The cap of a run that has no other.
NO_CAP = INFEASIBLE


class KeyRecorder(Recorder[Run[KeySearch, Any], Key]):
    """The journal of a run over a table: costs in the table's integers, but notes in the units of the searches."""

    def __init__(self, journal: Journal, run: Run[KeySearch, Any], table: Table) -> None:
        self._table, self._cap = table, NO_CAP
        for search in run.searches:
            search.record_bounds()
        super().__init__(journal, run)

    @property
    def limit(self) -> Limit:
        return self._cap

    def record_tree(self, limit: Limit, tree: Key) -> None:
        cap, canonical = _cap_of(tree), tree.status == Status.OPTIMAL.value
        known = self._journal.contents.trees.get(cap)
        # It may be that of another run: over more questions, or known to be the first of all least ones.
        if known is None or tree.total < known.cost or (tree.total == known.cost and canonical):
            self._journal.add(TreeRecord(cap, tree.total, canonical, tree.to_bytes()))
        if canonical and tree.root.question is not None:  # bounds alone may have proven it least
            self._record_opener(cap, tree.root.question, Proven(tree.total, True), settled=False)

    # Loading

    def keys(self) -> dict[int, tuple[Key, bool]]:
        """Return the recorded keys by cap, and whether each is the first of the optimal keys."""
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
            found[_cap_of(key)] = key, record.canonical and key.status == "OPTIMAL"
        return found

    def openers(self) -> dict[int, tuple[int, bool]]:
        """Return lower bounds, in units, of keys that begin with a question under this cap; and whether each is
        exact."""
        found, unit = {}, self._run.total_of(1)
        for question, one in self._journal.contents.openers[self._cap].items():
            if one.exact and one.lower < INFEASIBLE and one.lower % unit:
                raise self.damaged(f"{one.opener} costs {one.lower}, which can't be")
            found[question] = INFEASIBLE if one.lower >= INFEASIBLE else -(-one.lower // unit), one.exact
        self.resumed |= bool(found)
        return found

    def refuted(self, asked: Iterable[int]) -> int:
        """Return the greatest cap under which none of these questions begins a key; -1 if none is known."""
        found, wanted = -1, set(asked)
        for cap, known in self._journal.contents.openers.items():
            none = {question for question, one in known.items() if one.lower >= INFEASIBLE}
            if cap is not None and cap > found and wanted <= none:
                self.resumed, found = True, cap
        return found

    def begin(self, cap: int, cost_limit: int) -> None:
        """Search under this cap and cost limit (in units) from now on; import its recorded notes into the searches."""
        with self._lock:
            self._arrived += self._own_notes()
            self._cap = cap
        notes = self._journal.notes(cap)
        self.resumed |= bool(notes)
        try:
            for search in self._run.searches:
                for note in notes:
                    import_bounds(search, note, cost_limit)
        except (ValueError, OverflowError) as error:
            raise self.damaged(str(error)) from None

    def notes_of(self, openers: Iterable[int]) -> dict[int, tuple[Note, ...]]:
        """Return the notes without those on whether any key exists: worker processes don't ask that."""
        found = super().notes_of(openers)
        return {question: tuple(note for note in notes if not note.counted) for question, notes in found.items()}

    # Recording

    def opener(self, opener: int, found: Proven | None, *, settled: bool) -> None:
        """Record what is known of keys that begin with a question under this cap; if ``found`` just now, that there are
        none."""
        run = self._run
        low, exact = run.lows.get(opener, 0), opener in run.values
        if found is not None and found.lower >= INFEASIBLE:
            low = INFEASIBLE
        none = low >= INFEASIBLE
        proven = Proven(INFEASIBLE if none else run.total_of(low), exact or none)
        # Openers not above the least total are searched again for the canonical key.
        self._record_opener(self._cap, opener, proven, settled=settled and low > run.best)


def _cap_of(key: Key) -> int:
    return key.worst_cost if key.objective == "worst" else NO_CAP


def nodes_of(root: Step) -> list[int]:
    """Return a key's tree as `Key.of` takes it."""
    return step_numbers(root, lambda _: (-1,), first=0)
