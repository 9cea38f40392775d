"""The scheduler: which opener goes to which worker process next.

Openers are first guesses of a game or first questions of a table, and trees are strategies or keys: the scheduler works
for both. Each worker has one task at a time (`optimal.search.workers`), and keeps the openers that it has begun, as its
tables know their classes. If a worker is lost, its openers go to others, with the notes taken of them.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from heapq import heappop, heappush
from typing import Any, Protocol, TypeAlias

from optimal.errors import OptimalError
from optimal.journal.records import Note
from optimal.search.run import Run
from optimal.search.statistics import Effort
from optimal.search.workers import FIRST_SLICE, Opener, Report, Solver, Task

#: Seconds of a task, and the most reports per second: with very many workers tasks are longer.
TASK, REPORTS = 0.5, 100
#: New openers per core in a task, at most, and the number of tasks that a core's share of them is split into.
MOST_OPENERS, TASKS = 64, 4
#: Seconds between two polls of the stop flag and for new workers, and for tasks to come back after a stop.
POLL, GRACE = 0.1, 20.0
#: Times in a row that an opener may lose its worker.
LOSSES = 8


AnyRun: TypeAlias = "Run[Any]"
AnySolver: TypeAlias = "Solver[Any, Any]"


class Pool(Protocol):
    """The worker processes of a run, by name."""

    def begin(self, solver: AnySolver, run: AnyRun) -> None:
        """Send this problem to all workers, present and future."""

    def workers(self) -> Mapping[str, int]:
        """Return the workers that can be given tasks now, with their cores; lost ones are left out. Raises OptimalError
        if there will be none."""

    def give(self, worker: str, task: Task) -> None:
        """Send a task to an idle worker."""

    def reports(self, seconds: float) -> list[tuple[str, Report]]:
        """Return the reports that arrive within this time, as soon as there is one."""


def settle_by_workers(solver: AnySolver, run: AnyRun, order: Sequence[int], pool: Pool) -> None:
    """Settle the openers, in about this order, by the workers of a pool."""
    if run.stopped or not order:
        return
    run.work_begins()
    scheduler = Scheduler(run, order, pool)
    try:
        pool.begin(solver, run)
        while not run.stopped and scheduler.hand_out():
            scheduler.take_back()
        end = time.monotonic() + GRACE
        while scheduler.given and time.monotonic() < end:
            scheduler.lose_workers(pool.workers())
            scheduler.take_back()
    except OptimalError:
        # A signal to the process group also ends a worker that has only just started.
        if not run.stopped:
            raise
    scheduler.import_notes()


class Scheduler:
    """The openers of a run: those held by each worker, and the others."""

    def __init__(self, run: AnyRun, order: Sequence[int], pool: Pool) -> None:
        self.given: dict[str, Task] = {}  # by worker
        self._run, self._pool = run, pool
        self._new = deque(order)
        self._begun: list[Opener] = []  # a heap of openers begun and given back, or lost with their worker
        self._has: defaultdict[str, set[int]] = defaultdict(set)  # openers held by each worker
        self._work: dict[int, int] = {}  # work units of the next slice of each opener begun
        self._known: dict[int, dict[tuple[object, int | None], Note]] = {opener: {} for opener in order}
        self._losses: Counter[int] = Counter()
        for notes in () if run.recorder is None else run.recorder.notes_of(order).values():
            self._learn(notes)

    def hand_out(self) -> bool:
        """Give a task to every idle worker, as long as there is work. Return whether any opener is left."""
        workers = self._pool.workers()
        self.lose_workers(workers)
        seconds = max(TASK, len(workers) / REPORTS)
        waiting = [name for name in workers if name not in self.given]
        for name in waiting:
            openers = self._openers(workers[name] - len(self._has[name]), workers[name], sum(workers.values()))
            if openers or self._has[name]:
                self._has[name].update(opener.number for opener in openers)
                idle = not (self._new or self._begun) and any(not self._has[other] for other in workers)
                share = idle and len(self._has[name]) > workers[name]
                self.given[name] = task = Task(self._run.control.incumbent, tuple(openers), seconds, share)
                self._pool.give(name, task)
        return bool(self._new or self._begun or any(self._has.values()))

    def take_back(self) -> None:
        """Wait a moment for reports, and take them."""
        for name, report in self._pool.reports(POLL):
            if name in self.given:
                del self.given[name]
                self._take(name, report)
        self._run.report_settled()

    def lose_workers(self, workers: Mapping[str, int]) -> None:
        """Take openers back from all but these workers. Raises OptimalError if an opener loses its worker too often."""
        for name in [name for name in self._has if name not in workers]:
            self.given.pop(name, None)
            lost = sorted(self._has.pop(name))
            self._losses.update(lost)
            for opener in lost:
                if self._losses[opener] > LOSSES:
                    raise OptimalError(
                        f"{LOSSES + 1} processes in a row were lost over {self._run.name_of(opener)}, perhaps for lack "
                        "of memory: what was proven before is kept"
                    )
            self._put_back(lost)

    def import_notes(self) -> None:
        """Import the notes of the workers into this process."""
        self._run.learn({opener: notes.values() for opener, notes in self._known.items()})

    def _openers(self, idle: int, cores: int, all_cores: int) -> list[Opener]:
        """Return openers for a worker with these cores, least bound first, with notes on their classes; of those begun
        elsewhere only one per idle core."""
        run, found = self._run, list[Opener]()
        many = cores * max(1, min(MOST_OPENERS, len(self._new) // (TASKS * all_cores)))
        while len(found) < many:
            while self._new and run.refuted(self._new[0]):
                self._new.popleft()
            while self._begun and run.refuted(self._begun[0].number):
                heappop(self._begun)
            if self._new and (not self._begun or run.lows.get(self._new[0], 0) <= self._begun[0].low):
                number = self._new.popleft()
            elif self._begun and idle > 0:
                number, idle = heappop(self._begun).number, idle - 1
            else:
                break
            work, notes = self._work.get(number, FIRST_SLICE), tuple(self._known[number].values())
            found.append(Opener(run.lows.get(number, 0), number, work, notes))
        return found

    def _take(self, name: str, report: Report) -> None:
        run = self._run
        if report.counters:
            run.count(*report.counters)
        for tree in report.trees:  # before its value, so that the journal gets it too
            run.keep(tree)
        for opener, value, settled, exact, nodes, seconds in report.slices:
            run.statistics.add(opener, Effort(nodes, seconds, report.worker))
            del self._losses[opener]
            if settled:
                run.record(opener, value, exact=exact)
                self._has[name].discard(opener)
            else:
                run.bounded(opener, value)
                self._work[opener] = 2 * self._work.get(opener, FIRST_SLICE)
        fit = [note for note in report.notes if note.opener in self._known and run.wanted(note.opener)]
        self._learn(fit)
        if run.recorder is not None and fit:
            run.recorder.note(fit)
        for opener, _, settled, *_ in report.slices:
            if settled and not run.wanted(opener):
                self._known[opener].clear()
        back = [opener.number for opener in report.back]
        self._has[name].difference_update(back)
        self._put_back(back)

    def _put_back(self, openers: Sequence[int]) -> None:
        for opener in reversed(openers):
            if opener in self._work:
                heappush(self._begun, Opener(self._run.lows.get(opener, 0), opener, self._work[opener]))
            else:
                self._new.appendleft(opener)

    def _learn(self, notes: Iterable[Note]) -> None:
        for note in notes:
            self._known[note.opener][note.history, note.left] = note
