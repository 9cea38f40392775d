"""Searches in a worker process, of this machine or of a cluster: openers come in tasks, and results go back.

A worker's searches have a thread each and continue between tasks, so tasks are short however long an opener takes: a
task brings openers and the incumbent, and after a moment returns a report. Nothing else is exchanged.

An opener is searched in slices of work, each twice as long as the last: with slices of one length, a class that takes
longer than a slice would be started again in each.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from typing import Any, Generic, NamedTuple, TypeVar

from optimal._engine import Control, Stopped
from optimal.journal.records import Note
from optimal.limits import INFEASIBLE
from optimal.search.engine import Searcher, counters_of, export_bounds, new_control
from optimal.search.game_problem import Problem
from optimal.search.key_problem import KeyProblem

#: Work units, of 2^24 codes each, of the first slice of an opener: about 5 seconds.
FIRST_SLICE = 750
_LONGEST_SLICE = 1 << 30


class Opener(NamedTuple):
    """An opener to work at: its lower bound, its number, the work units of its next slice, and notes on its classes.
    Least bounds sort first."""

    low: int
    number: int
    work: int
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True)
class Task:
    """Openers for a worker, which reports within ``seconds``. It keeps those that it has begun; to ``share``, it gives
    back half of those that wait for their next slice."""

    incumbent: int
    openers: tuple[Opener, ...]
    seconds: float
    share: bool = False


class Slice(NamedTuple):
    """The outcome of a slice: the opener's value or a lower bound, and the effort."""

    opener: int
    value: int
    settled: bool
    exact: bool
    nodes: int
    seconds: float


@dataclass
class Report:
    """A worker's report of its work since the last one. ``trees`` beat the incumbent, ``notes`` are new notes on any
    class, ``counters`` those of `Run.count`. ``back`` are openers that it gives back."""

    worker: str
    slices: list[Slice] = field(default_factory=list)
    trees: list[Any] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    counters: tuple[int, ...] = ()
    back: list[Opener] = field(default_factory=list)


P = TypeVar("P", bound=Problem | KeyProblem)
S = TypeVar("S", bound=Searcher)


class Solver(ABC, Generic[P, S]):
    """A problem, sent pickled to a worker process with this many ``cores``, and how its openers are searched there."""

    def __init__(self, problem: P, cores: int = 1) -> None:
        self.problem = problem
        self.cores = cores

    def open(self, cores: int) -> None:
        """Begin to work in a worker process."""
        self.problem = replace(self.problem, options=self.problem.options.in_worker(cores))
        self.cores = cores

    @abstractmethod
    def searches(self, control: Control) -> list[S]:
        """Return new searches, one for each core of this worker."""

    @abstractmethod
    def settle(self, search: S, opener: Opener) -> tuple[int, bool, bool]:
        """Search an opener for a slice. Return its value or a lower bound, whether it is settled, and whether the value
        is exact."""

    @abstractmethod
    def trees(self, search: S, opener: int, value: int) -> Iterable[Any]:
        """Yield trees of an opener that was just found to be the best, if the search still has them."""


class Worker(Generic[S]):
    """A worker process's part in one run: its searches, one thread each, and the openers that they have begun."""

    def __init__(self, solver: Solver[Any, S], cores: int) -> None:
        solver.open(cores)
        self._solver, self._control = solver, new_control()
        self._control.incumbent = self._sent = INFEASIBLE
        self._changed = threading.Condition()  # its lock guards all that follows
        self._new: deque[Opener] = deque()
        self._begun: list[Opener] = []  # a heap
        self._searches: list[S] = []
        self._working: set[S] = set()
        self._progress = Report(f"{socket.gethostname()}:{os.getpid()}")
        self._counted: tuple[int, ...] = ()
        self._error: BaseException | None = None
        threading.Thread(target=self._begin, daemon=True).start()

    def work(self, task: Task) -> Report:
        """Take openers and the incumbent, and report after a while: as soon as a better tree is found, or a search is
        idle."""
        with self._changed:
            self._sent = task.incumbent
            self._control.incumbent = min(self._control.incumbent, task.incumbent)
            self._new.extend(task.openers)
            self._changed.notify_all()
            self._changed.wait_for(self._has_news, task.seconds)
            if self._error is not None:
                raise self._error
            report, self._progress = self._progress, Report(self._progress.worker)
            report.notes = [note for search in self._searches for note in export_bounds(search)]
            counted = self._count()
            report.counters = tuple(now - then for now, then in zip(counted, self._counted, strict=True))
            self._counted = counted
            report.back = [*self._new, *(self._half() if task.share else ())]
            self._new.clear()
            return report

    def close(self) -> None:
        """Stop all searches for good."""
        self._control.stop()
        with self._changed:
            self._changed.notify_all()

    def _has_news(self) -> bool:
        """Return whether to report now."""
        idle = len(self._working) < len(self._searches) and not (self._new or self._begun)
        return self._error is not None or bool(self._progress.trees) or (idle and bool(self._progress.slices))

    def _half(self) -> list[Opener]:
        """Take out the half of the waiting openers with the greatest bounds."""
        self._begun.sort()
        keep = len(self._begun) // 2
        self._begun, given = self._begun[:keep], self._begun[keep:]
        return given

    def _count(self) -> tuple[int, ...]:
        return tuple(map(sum, zip(*map(counters_of, self._searches), strict=True)))

    def _begin(self) -> None:
        """Create the searches, which may take long, and start them."""
        try:
            searches = self._solver.searches(self._control)
        except BaseException as error:
            self._fail(error)
            return
        with self._changed:
            self._searches = searches
            self._counted = (0,) * len(self._count())
        for search in searches:
            threading.Thread(target=self._search, args=[search], daemon=True).start()

    def _search(self, search: S) -> None:
        try:
            while (opener := self._next(search)) is not None:
                self._slice(search, opener)
        except BaseException as error:
            self._fail(error)

    def _fail(self, error: BaseException) -> None:
        with self._changed:
            if not isinstance(error, Stopped):
                self._error = error
            self._changed.notify_all()

    def _next(self, search: S) -> Opener | None:
        """Return the opener of least bound, new or begun; None once stopped."""
        with self._changed:
            self._working.discard(search)
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._new or self._begun or self._control.stopped)
            if self._control.stopped:
                return None
            self._working.add(search)
            if self._new and (not self._begun or self._new[0].low <= self._begun[0].low):
                return self._new.popleft()
            return heappop(self._begun)

    def _slice(self, search: S, opener: Opener) -> None:
        began, nodes = time.monotonic(), search.nodes
        value, settled, exact = self._solver.settle(search, opener)
        took = search.nodes - nodes, time.monotonic() - began
        trees: list[Any] = []
        # It may be the incumbent here already, if an earlier report was lost.
        if exact and value < self._sent and value <= self._control.incumbent:
            self._control.incumbent = value
            trees += self._solver.trees(search, opener.number, value)
        with self._changed:
            self._progress.trees += trees
            self._progress.slices.append(Slice(opener.number, value, settled, exact, *took))
            if not settled:
                heappush(self._begun, Opener(value, opener.number, min(2 * opener.work, _LONGEST_SLICE)))
            self._changed.notify_all()
