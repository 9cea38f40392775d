"""A run over the first questions of a table."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from optimal._engine import KeySearch
from optimal.errors import OptimalError
from optimal.journal.journal import Journal
from optimal.journal.records import Limit, Note, Proven, RunStatus
from optimal.limits import INFEASIBLE
from optimal.search.engine import engine_limit
from optimal.search.key_problem import BuiltKey, KeyProblem, grow, import_key_bounds
from optimal.search.progress import Clock, Progress
from optimal.search.result import Status
from optimal.search.run import Log, Recorder, Run
from optimal.search.scheduler import Pool
from optimal.trees.key import Key
from optimal.trees.keycodec import step_numbers
from optimal.trees.nodes import Step
from optimal.trees.verify_key import verify_key

#: The cap of a run that has no other.
NO_CAP = INFEASIBLE


class KeyRun(Run[KeySearch]):
    """The state of an `identify` run within a ``limit`` of questions and a ``cost_limit`` in units.

    ``best_key`` is the incumbent, ``ready`` a key of an earlier run that is proven to be the first of the optimal ones.
    ``low_worst`` is a lower bound of the costliest path, for the objective worst.
    """

    limit: int
    problem: KeyProblem
    recorder: KeyRecorder | None

    def __init__(
        self,
        problem: KeyProblem,
        report: Callable[[Progress], None] | None = None,
        *,
        clock: Clock | None = None,
        log: Log | None = None,
        pool: Pool | None = None,
    ) -> None:
        self.table, self.columns = problem.table, problem.columns
        self.limit, self.cost_limit = problem.left, problem.cost_left
        self.best_key: BuiltKey | None = None
        self.ready: BuiltKey | None = None
        self.canonical_key: Key | None = None
        self.low_worst = 0
        super().__init__(problem, report, log, clock, None)
        self.openers = len(self.asked)
        many = problem.options.jobs if pool is None else 1
        alone = many == 1 and threading.current_thread() is threading.main_thread()
        self.searches = problem.searches(self.control, many, main_thread=alone)

    @property
    def asked(self) -> Sequence[int]:
        """The questions that may come first."""
        return range(self.columns.codes.shape[0]) if self.problem.openers is None else self.problem.openers

    @property
    def by_worst(self) -> bool:
        return self.problem.objective == "worst"

    @property
    def even(self) -> bool:
        """Whether all questions have the same positive cost: then the worst case counts questions."""
        costs = self.columns.costs
        return bool((costs == costs[0]).all() and costs[0])

    @property
    def asks_nothing(self) -> bool:
        """Whether the optimal key has no question."""
        return self.problem.openers is None and not self.columns.groups.any()

    # Bounds

    @property
    def bound(self) -> int:
        """A lower bound of every total within the limits."""
        with self.lock:
            return min(super().bound, self.best)

    @property
    def done(self) -> int:
        return sum(low >= self.best for low in self.lows.values())

    def refuted(self, opener: int) -> bool:
        # Nothing to record: `done` counts by bounds. Ties are searched again for the canonical key.
        return self.lows[opener] >= self.best

    @property
    def finished(self) -> bool:
        return self.best_key is not None and self.best_key.total <= self.bound

    def take_over(self, known: Mapping[int, tuple[int, bool]]) -> None:
        """Take over what earlier runs have proven: bounds of openers, and whether each is exact."""
        with self.lock:
            for question, (low, exact) in known.items():
                self.lows[question] = max(low, self.lows.get(question, 0))
                if exact:
                    self.values[question] = low
                    self.attained(low)

    def learn(self, known: Mapping[int, Iterable[Note]]) -> None:
        for question in known:
            for note in known[question] if self.wanted(question) else ():
                import_key_bounds(self.searches[0], note, self.cost_limit)

    # Keys

    def value_of(self, grown: BuiltKey) -> tuple[int, ...]:
        """Return the objective's parts of a key, in units."""
        return (grown.costliest, grown.total) if self.by_worst else (grown.total,)

    def fits(self, grown: BuiltKey) -> bool:
        """Return whether a key is within the limits."""
        return grown.height <= self.limit and grown.costliest <= self.cost_limit

    def grow(self, search: KeySearch, opener: int, **how: Any) -> BuiltKey | None:
        return grow(search, self.limit, self.cost_limit, opener, **how)

    def betters(self, cost: int) -> bool:
        return self.best_key is None or cost < self.best_key.total

    def hold(self, grown: BuiltKey | None) -> None:
        """Keep a key if it beats the incumbent, whether or not it is within the limits."""
        with self.lock:
            if grown is not None and (self.best_key is None or self.value_of(grown) < self.value_of(self.best_key)):
                self.best_key = grown

    def keep(self, tree: BuiltKey) -> None:
        with self.lock:
            before = self.best
            self.hold(tree)
            self.attained(tree.total)
        if tree.total < before:
            self.log("incumbent", cost=self.total_of(tree.total), opener=self.name_of(tree.nodes[0]))
        self.report("openers", 0, 0)

    def keep_from(self, search: KeySearch, opener: int, value: int | None = None) -> None:
        grown = self.grow(search, opener)
        if grown is not None:
            self.keep(grown)

    def none_worse(self, low: int) -> None:
        """Record a lower bound of the costliest path."""
        with self.lock:
            self.low_worst = low

    def within(self, limit: int, cost_limit: int) -> None:
        """Continue within these limits."""
        with self.lock:
            self.limit, self.cost_limit = limit, cost_limit

    def grown(self, key: Key) -> BuiltKey:
        """Return a key as the engine has it."""
        return BuiltKey(
            nodes_of(key.root), key.total // self.columns.unit, key.worst, key.worst_cost // self.columns.cost_unit
        )

    def feasible(self, grown: BuiltKey) -> Key:
        """Return a `Key` that isn't proven to be the first of the optimal ones, though it may be optimal."""
        return replace(self.key(grown, self.bound), status=Status.FEASIBLE.value)

    def key(self, grown: BuiltKey, bound: int) -> Key:
        """Return a `Key`, with this bound of the total, in units."""
        problem = self.problem
        return Key.of(
            self.table,
            grown.nodes,
            objective=problem.objective,
            limit=problem.limit,
            cost_limit=problem.cost_limit,
            bound=self.parts(bound),
            openers=None if problem.openers is None else list(problem.openers),
        )

    def proven(self, grown: BuiltKey) -> Key:
        """Return the key proven to be the first of the optimal ones, and record it."""
        self.canonical_key = self.key(grown, grown.total)
        return self.canonical_key

    def parts(self, bound: int) -> tuple[int, ...]:
        """Return a bound of the total as the objective's parts, in the table's integers."""
        own = self.total_of(bound)
        return (self.low_worst * self.columns.cost_unit, own) if self.by_worst else (own,)

    @property
    def incumbent(self) -> tuple[int, int] | None:
        kept = self.best_key
        return None if kept is None else (kept.total, kept.nodes[0])

    # The journal

    def keep_in(self, journal: Journal) -> None:
        self.recorder = KeyRecorder(journal, self)

    def resume(self) -> None:
        """Take over the best key of earlier runs."""
        if self.recorder is None:
            return
        asked = self.problem.openers
        for key, canonical in self.recorder.keys().values():
            grown = self.grown(key)
            if not self.fits(grown):
                raise self.recorder.damaged("its key is beyond the limits")
            if asked is not None and key.root.question not in asked:
                continue
            if canonical and key.openers == asked:
                self.ready = grown
            self.hold(grown)
        if self.best_key is not None and not self.by_worst:
            self.attained(self.best_key.total)

    def enter(self, limit: int, cost_limit: int) -> None:
        """Tell the journal that the searches now work within these limits."""
        if self.recorder is None:
            return
        cap = NO_CAP
        if self.by_worst and cost_limit < INFEASIBLE:
            cap = cost_limit * self.columns.cost_unit
        elif self.by_worst and self.even and limit < engine_limit(None):
            cap = limit * int(self.columns.costs[0]) * self.columns.cost_unit
        self.recorder.begin(cap, cost_limit)

    def status(self) -> tuple[RunStatus, Key | BuiltKey | None]:
        with self.lock:
            kept, bound = self.best_key, self.bound
            within = kept is not None and (not self.by_worst or kept.costliest <= self.low_worst)
            incumbent = self.total_of(kept.total) if kept is not None and within else None
            cap = self.low_worst * self.columns.cost_unit if self.by_worst else NO_CAP
            low = self.total_of(bound) if 0 < bound < INFEASIBLE else None
            return RunStatus(cap, incumbent, low, self.done), self.canonical_key or kept

    # Reports and counts

    def total_of(self, cost: int) -> int:
        return cost * self.columns.unit

    def logged(self, cost: int) -> int:
        return self.total_of(cost)


class KeyRecorder(Recorder):
    """Records a run over a table: costs in the table's integers, but notes in the units of the searches.

    A *cap* bounds the cost of a path, in the table's integers: the objective worst searches for a key under several.
    The objective mean has one cap only, `NO_CAP`.
    """

    _run: KeyRun

    def __init__(self, journal: Journal, run: KeyRun) -> None:
        self._cap = NO_CAP
        for search in run.searches:
            search.record_bounds()
        super().__init__(journal, run)

    @property
    def limit(self) -> Limit:
        return self._cap

    def record_tree(self, limit: Limit, tree: Key | BuiltKey) -> None:
        key = self._run.feasible(tree) if isinstance(tree, BuiltKey) else tree
        cap, canonical = _cap_of(key), key.status == Status.OPTIMAL.value
        self._keep_tree(cap, key.total, canonical, key.to_bytes)
        if canonical and key.root.question is not None:  # bounds alone may have proven it least
            self._record_opener(cap, key.root.question, Proven(key.total, True), settled=False)

    # Loading

    def keys(self) -> dict[int, tuple[Key, bool]]:
        """Return the recorded keys by cap, and whether each is the first of the optimal keys."""
        found = {}
        for record in self._journal.contents.trees.values():
            try:
                key = Key.from_bytes(record.data)
            except OptimalError as error:
                raise self.damaged(f"its key: {error}") from None
            check = verify_key(key, self._run.table)
            if not check.ok:
                raise self.damaged(f"its key: {'; '.join(check.problems)}")
            if record.cost != key.total:
                raise self.damaged(f"its key costs {key.total}, not {record.cost}")
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
                    import_key_bounds(search, note, cost_limit)
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
