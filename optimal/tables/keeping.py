"""What a run over a table has from its journal, and what it keeps there.

A *level* is what a path may cost, in the table's whole numbers: the objective worst asks at several whether there is a
key. Of the objective mean there is one level alone, `NO_LEVEL`.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from optimal._engine import KeySearch
from optimal.errors import InputError, InternalError, OptimalError
from optimal.journal.journal import Journal, Known, Note
from optimal.journal.ledger import Proven
from optimal.labels import as_typed
from optimal.limits import INFEASIBLE
from optimal.search.accounts import Accounts
from optimal.search.engine import noted
from optimal.search.progress import Clock
from optimal.tables.key import Key
from optimal.tables.question import KeyQuestion, learn
from optimal.trees.keycodec import step_numbers
from optimal.trees.nodes import Step

if TYPE_CHECKING:
    from optimal.tables.table import Table

#: The level of whoever has no other.
NO_LEVEL = INFEASIBLE
#: Questions named in what is told of a run.
_NAMED = 20


@dataclass(frozen=True)
class Stands:
    """Where a run stands, in the table's whole numbers: the level that every key needs, the best key within it and a
    bound, None where there is none, and how many first questions are settled."""

    level: int
    incumbent: int | None
    bound: int | None
    settled: int


class Kept(Protocol):
    """A run, as its journal sees it."""

    clock: Clock
    accounts: Accounts
    searches: Sequence[KeySearch]
    stop_reason: str
    lows: dict[int, int]
    values: dict[int, int]
    best: int

    @property
    def asked(self) -> Collection[int]: ...
    @property
    def unit(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    def stands(self) -> Stands: ...
    def at_hand(self) -> Key | None: ...
    @property
    def canonical_key(self) -> Key | None: ...
    def stop(self, reason: str) -> None: ...


class _Named:
    """The questions, as a journal asks for what may come first."""

    def __init__(self, questions: Sequence[str]) -> None:
        self.guesses = questions
        self._place = {name: place for place, name in enumerate(questions)}

    def guess_index(self, guess: str) -> int:
        if guess not in self._place:
            raise InputError(f"there is no question {guess!r}")
        return self._place[guess]


def journal_of(question: KeyQuestion) -> AbstractContextManager[Journal | None]:
    """The journal of a table and what is asked of it, to be closed in the end; None where none is asked for."""
    path, table, openers = question.options.journal, question.table, question.openers
    limit, cost_limit = question.asked_limit, question.asked_cost
    if path is None:
        return nullcontext()
    names = None if openers is None else [as_typed(table.questions[opener]) for opener in openers]
    told = "all questions" if names is None else " ".join(names[:_NAMED]) + " ..." * (len(names) > _NAMED)
    known_as = {
        "table": table.name,
        "table sha256": table.sha256,
        "limit of questions": "none" if limit is None else str(limit),
        "limit of cost": "none" if cost_limit is None else str(cost_limit),
        "objective": question.objective,
        # The rule that all bounds rest on. Versions that had another one said nothing here.
        "end of a key": "one outcome",
    }
    return Journal(path, _Named(table.questions), known_as, f"identify {told}", question.options.jobs)


class Keeper:
    """The journal of a run over a table."""

    def __init__(self, journal: Journal, run: Kept, table: Table) -> None:
        self._journal, self._run, self._table = journal, run, table
        self._lock, self._standing = threading.Lock(), threading.Lock()
        self._level = NO_LEVEL
        self._arrived: list[tuple[int, Note]] = []
        self._stood: Stands | None = None
        self._seen: Key | None = None
        self._over = False
        self.resumed = False  # whether anything came from the journal
        #: A table's journal has nothing from ledgers.
        self.ledgers: tuple[str, ...] = ()
        self.imported = 0
        for search in run.searches:
            search.take_notes()
        journal.begin(self._beat, self._notes, lambda: run.stop(journal.failed))

    # What earlier runs have proven

    def keys(self) -> dict[int, tuple[Key, bool]]:
        """The keys that the journal has, by their levels; and whether each is the first of all least ones."""
        found = {}
        for level, kept in self._journal.trees().items():
            try:
                key = Key.from_bytes(kept.tree)
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
            if (again.packed, again.value, again.root) != (key.packed, key.value, key.root) or kept.cost != key.total:
                raise self.damaged(f"its key costs {again.total}, not {kept.cost}")
            self.resumed = True
            found[level] = key, kept.canonical and key.status == "OPTIMAL"
        return found

    def openers(self) -> dict[int, tuple[int, bool]]:
        """Lower bounds of keys that begin with a question, in units, at this level; and whether each is exact."""
        found = {}
        for question, known in self._journal.openers(self._level).items():
            low, rest = divmod(known.lower, self._run.unit)
            if known.exact and rest and known.lower < INFEASIBLE:
                raise self.damaged(f"{self._table.questions[question]} costs {known.lower}, which can't be")
            found[question] = (INFEASIBLE, True) if known.lower >= INFEASIBLE else (low + bool(rest), known.exact)
        self.resumed |= bool(found)
        return found

    def refuted(self) -> int:
        """The greatest level at which none of the questions asked for begins a key; -1 where none is known."""
        asked = set(self._run.asked)
        found = -1
        for level in self._journal.limits():
            none = {question for question, known in self._journal.openers(level).items() if known.lower >= INFEASIBLE}
            if asked <= none:
                self.resumed, found = True, level
        return found

    def begin(self, level: int, purse: int) -> None:
        """From now on the searches work at this level, with this purse in units; they know what was noted there."""
        with self._lock:
            self._arrived += self._taken()
            self._level = level
        notes = self._journal.notes(level)
        self.resumed |= bool(notes)
        try:
            for search in self._run.searches:
                for note in notes:
                    learn(search, self._in_units(note), purse)
        except (ValueError, OverflowError) as error:
            raise self.damaged(str(error)) from None

    def notes_of(self, questions: Iterable[int]) -> dict[int, tuple[Note, ...]]:
        """What was noted of keys that begin with these questions at this level, for searches elsewhere: values in
        units."""
        found: dict[int, list[Note]] = {question: [] for question in questions}
        for note in self._journal.notes(self._level):
            if note.opener in found and not note.counted:  # they don't ask whether there is any key
                found[note.opener].append(self._in_units(note))
        return {question: tuple(notes) for question, notes in found.items()}

    # What this one proves

    def note(self, notes: Iterable[Note]) -> None:
        """Keep notes from another process."""
        with self._lock:
            self._arrived += [(self._level, self._in_whole(note)) for note in notes]

    def opener(self, opener: int, found: Proven | None, *, settled: bool) -> None:
        """Keep what the run knows of keys that begin with a question at this level; and that there is none, where that
        was ``found`` just now."""
        run, spent = self._run, self._run.accounts[opener]
        low, exact = run.lows.get(opener, 0), opener in run.values
        if found is not None and found.lower >= INFEASIBLE:
            low = INFEASIBLE
        cost = self._whole(low)
        known = Known(cost, cost if exact or cost >= INFEASIBLE else None, spent.nodes, spent.seconds)
        # What is not above the least total is asked again when the first of all least keys is looked for.
        self._journal.opener(self._level, opener, known, spent.worker, settled=settled and low > run.best)

    def end(self, status: str) -> None:
        """Keep how the run ended, and the key that is proven to be the one."""
        key = self._run.canonical_key
        with self._standing:
            if not self._over:
                self._stands(last=True)
                if key is not None:
                    self._journal.keep(self._level_of(key), key.total, True, key.to_bytes())
                    self._attained(key)
            self._over = True
            self._ran(status, self._run.stop_reason)

    def _attained(self, key: Key) -> None:
        """Keep that the key's first question has the key's cost: bounds alone may have proven it least."""
        if key.root.question is not None:
            spent = self._run.accounts[key.root.question]
            known = Known(key.total, key.total, spent.nodes, spent.seconds)
            self._journal.opener(self._level_of(key), key.root.question, known, spent.worker, settled=False)

    def _beat(self) -> None:
        with self._standing:
            if not self._over:
                self._stands()
                self._ran("running", "running")

    def _stands(self, *, last: bool = False) -> None:
        key = self._run.at_hand()
        if key is not None and key is not self._seen:
            self._seen = key
            self._journal.keep(self._level_of(key), key.total, False, key.to_bytes())
        stands = self._run.stands()
        if stands != self._stood or last:
            self._stood = stands
            seconds = self._run.clock.seconds
            self._journal.stands(stands.level, seconds, stands.incumbent, stands.bound, stands.settled)

    def _ran(self, status: str, stop_reason: str) -> None:
        run = self._run
        self._journal.ran(run.clock.seconds, run.nodes, len(run.asked), status, stop_reason)

    def _notes(self) -> list[tuple[int, Note]]:
        with self._lock:
            arrived, self._arrived = self._arrived, []
            return arrived + self._taken()

    def _taken(self) -> list[tuple[int, Note]]:
        """What the searches have noted at the level that they are at."""
        return [(self._level, self._in_whole(note)) for search in self._run.searches for note in noted(search)]

    def _in_whole(self, note: Note) -> Note:
        return note._replace(value=self._whole(note.value))

    def _in_units(self, note: Note) -> Note:
        low, rest = divmod(note.value, self._run.unit)
        return note._replace(value=INFEASIBLE if note.value >= INFEASIBLE else low + bool(rest))

    def _whole(self, value: int) -> int:
        return INFEASIBLE if value >= INFEASIBLE else value * self._run.unit

    @staticmethod
    def _level_of(key: Key) -> int:
        return key.worst_cost if key.objective == "worst" else NO_LEVEL

    def contradicted(self, error: BaseException) -> InputError:
        """What is wrong where the search comes to something else than the journal."""
        return self.damaged(f"a search contradicts it: {error}")

    def damaged(self, why: str) -> InputError:
        return InputError(f"the journal {self._journal.path} is damaged: {why}")


def nodes_of(root: Step) -> list[int]:
    """A key's tree as `Key.of` takes it."""
    return step_numbers(root, lambda _: (-1,), first=0)
