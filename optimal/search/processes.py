"""Openers settled by other processes, on this machine or on others: in tasks, each for some seconds.

A task that runs out of time gives back what it knows of its openers: bounds, and notes of their classes, from which
whoever gets them next goes on. A worker process keeps its searches, with all they know, from task to task.
"""

from __future__ import annotations

import os
import socket
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import numpy.typing as npt

from optimal import _search
from optimal._openers import OpenerSearch
from optimal._search import Control
from optimal.errors import OptimalError
from optimal.journal.journal import Note
from optimal.search.accounts import Spent
from optimal.search.engine import Engine, new_control
from optimal.search.jobs import measure_supersets, share_out
from optimal.search.question import Question
from optimal.search.run import Run, counters_of
from optimal.workers import end_with_parent

#: Seconds that the batches of the first round may take; those of each later one take twice as many, up to the last.
FIRST_SECONDS, MOST_SECONDS = 5.0, 20.0
#: A task has no more openers.
MOST_OPENERS = 64
#: Looks at the stop flag in a second, more or less: of 2^24 codes each.
_LOOKS = 150
_CELLS_BYTES = 16


@dataclass(frozen=True)
class Task:
    """Openers to settle within a limit, each with notes of what is known of it, in so many seconds; and the incumbent
    when it was sent."""

    limit: int
    openers: tuple[tuple[int, tuple[Note, ...]], ...]
    incumbent: int
    seconds: float


@dataclass
class Done:
    """What came of a task. ``settled``: (opener, value or lower bound, whether exact, nodes, seconds). ``left``:
    openers not finished, with lower bound, notes, nodes and seconds. ``counters`` are those of `Run.count`."""

    worker: str
    settled: list[tuple[int, int, bool, int, float]] = field(default_factory=list)
    left: list[tuple[int, int, tuple[Note, ...], int, float]] = field(default_factory=list)
    counters: tuple[int, int, int] = (0, 0, 0)


class Office:
    """A worker process's end of a run: its engine and its searches, made when they are first needed."""

    def __init__(self, question: Question, control_of: Callable[[int], Control], threads: int = 1) -> None:
        self._question, self._control_of, self._threads = question, control_of, threads
        self._engine: Engine | None = None
        self._free: dict[int, list[OpenerSearch]] = {}
        self._lock = threading.Lock()

    def do(self, task: Task) -> Done:
        """Work on a task until it is done, its time is over, or the run is stopped."""
        control = self._control_of(task.limit)
        control.incumbent = min(control.incumbent, task.incumbent)
        done = Done(f"{socket.gethostname()}:{os.getpid()}")
        with self._search(task.limit, control) as search:
            before, end = counters_of(search), time.monotonic() + task.seconds
            for guess, notes in task.openers:
                share_out(control, [search], [guess], partial(_settle, task, done, notes, end))
            reached = {guess for guess, *_ in done.settled} | {guess for guess, *_ in done.left}
            done.left += [(guess, 0, notes, 0, 0.0) for guess, notes in task.openers if guess not in reached]
            nodes, calls, hits = (now - then for now, then in zip(counters_of(search), before, strict=True))
            done.counters = nodes, calls, hits
        return done

    @contextmanager
    def _search(self, limit: int, control: Control) -> Iterator[OpenerSearch]:
        """A search that nobody else uses; of all limits, only the last one's are kept."""
        with self._lock:
            if self._engine is None:
                self._engine = self._question.engine()
                openers = sorted(set(self._question.alike(self._question.chosen).values()))
                measure_supersets(self._question, self._engine, openers, self._threads, control)
            if limit not in self._free:
                self._free = {limit: []}
            free = self._free[limit]
            search = free.pop() if free else self._engine.search(control)
        try:
            yield search
        finally:
            free.append(search)


def _settle(task: Task, done: Done, notes: tuple[Note, ...], end: float, search: OpenerSearch, guess: int) -> None:
    began, nodes = time.monotonic(), search.nodes
    left = end - began
    if left <= 0:
        return
    for note in notes:
        search.learn(*note)
    search.take_notes()
    # Up to and including the incumbent: an opener of equal total may still come before it.
    budget = min(search.control.incumbent + 1, _search.INFEASIBLE)
    value, ended = search.opener_slice(guess, task.limit, budget, max(1, int(left * _LOOKS)))
    spent = search.nodes - nodes, time.monotonic() - began
    if ended:
        done.settled.append((guess, value, value < budget, *spent))
        if value < budget:
            search.control.incumbent = min(search.control.incumbent, value)
    else:
        done.left.append((guess, value, _newest(notes, search), *spent))


def _newest(notes: Iterable[Note], search: OpenerSearch) -> tuple[Note, ...]:
    """The notes of an opener, and those that this search has taken since."""
    return tuple({(note[0], note[1]): note for note in (*notes, *search.noted())}.values())


def settle_by_tasks(
    question: Question, run: Run, order: Sequence[int], workers: int, do: Callable[[Iterator[Task]], Iterator[Done]]
) -> None:
    """Settle the openers by tasks that ``do`` has done, in any order, by so many workers at once."""
    run.work_begins()
    known: dict[int, tuple[Note, ...]] = {} if run.keeper is None else run.keeper.notes_of(order)
    left, seconds = list(order), FIRST_SECONDS
    while left and not run.stopped:
        again: list[tuple[int, int]] = []
        for done in do(_tasks(run, left, known, workers, seconds)):
            run.count(*done.counters)
            for guess, value, exact, nodes, taken in done.settled:
                known.pop(guess, None)
                run.accounts.add(guess, Spent(nodes, taken, done.worker))
                run.record(guess, value, exact=exact)
            for guess, low, notes, nodes, taken in done.left:
                known[guess] = notes
                again.append((max(low, run.lows.get(guess, 0)), guess))
                run.accounts.add(guess, Spent(nodes, taken, done.worker))
                run.bounded(guess, low)
                if run.keeper is not None:
                    run.keeper.note(notes)
            run.tell_settled()
        # The least bound first: it is the least of all bounds that counts when the run is stopped.
        left = [guess for _, guess in sorted(again)]
        seconds = min(2 * seconds, MOST_SECONDS)


def _tasks(
    run: Run, order: Sequence[int], known: dict[int, tuple[Note, ...]], workers: int, seconds: float
) -> Iterator[Task]:
    at = 0
    while at < len(order) and not run.stopped:
        size = 1 if at < 8 * workers else min(MOST_OPENERS, max(1, (len(order) - at) // (8 * workers)))
        openers = tuple((guess, known.get(guess, ())) for guess in order[at : at + size])
        yield Task(run.limit, openers, run.control.incumbent, seconds)
        at += size


@contextmanager
def shared_cells(backend: str) -> Iterator[tuple[Control, str]]:
    """A Control, and the path by which the processes of ``backend`` map its two cells, "" where there are none."""
    if backend != "loky":
        yield new_control(), ""
        return
    file, path = tempfile.mkstemp(prefix="optimal-")
    try:
        os.truncate(file, _CELLS_BYTES)
        nameless = f"/proc/{os.getpid()}/fd/{file}"
        if os.path.exists(nameless):
            # Nothing is left behind then, whatever ends this process. Elsewhere a worker cleans up in the end.
            os.unlink(path)
            path = nameless
        yield new_control(_mapped(path)), path
    finally:
        os.close(file)
        with suppress(OSError):
            os.unlink(path)


def _mapped(path: str) -> npt.NDArray[np.int64]:
    return np.memmap(path, dtype=np.int64, mode="r+", shape=(2,))


def settle_in_processes(question: Question, run: Run, order: Sequence[int], cells: str) -> None:
    """Settle the openers by other processes of this machine. ``cells`` is the path of the cells of `shared_cells`,
    which carry the incumbent and the stop flag to work under way."""
    from concurrent.futures.process import BrokenProcessPool

    from joblib import Parallel, delayed

    token, jobs = uuid.uuid4().hex, question.jobs
    parallel = Parallel(n_jobs=jobs, backend="loky", return_as="generator_unordered", pre_dispatch=2 * jobs)

    def do(tasks: Iterator[Task]) -> Iterator[Done]:
        found: Iterator[Done] = parallel(delayed(_do)(question, token, os.getpid(), cells, task) for task in tasks)
        return found

    try:
        with parallel:
            settle_by_tasks(question, run, order, jobs, do)
    except BrokenProcessPool:
        # A signal to the whole group also ends a worker that has only just started.
        if not run.stopped:
            raise OptimalError(
                "a worker process was killed, perhaps for lack of memory: ask for fewer jobs or a memory limit"
            ) from None


#: The office of the last run that a worker process was sent, by its token.
_offices: dict[str, Office] = {}


def _do(question: Question, token: str, parent: int, cells: str, task: Task) -> Done:
    end_with_parent(parent, cells)
    if token not in _offices:
        _offices.clear()
        _offices[token] = Office(question, lambda limit: new_control(_mapped(cells)))
    return _offices[token].do(task)
