"""Openers settled by other processes, on this machine or on others: in tasks, each a slice of the search.

Openers are first guesses of a game or first questions of a table, and trees are strategies or keys: nothing here asks
which. A question travels as its `Parcel`, which a process opens as its `Office`; what comes back the `Sharing` run has.

An opener that isn't settled by the end of a slice goes on where it was, in the same process where that is there, and
for twice as long each time: whatever is lost between two slices, that is at most as much work as the last of them. A
process keeps its searches, with all they know, from task to task. Notes of what it proves come back with every task,
and now and then in the course of a long one: whoever gets the opener next, here or after a restart, begins with them.
"""

from __future__ import annotations

import os
import socket
import tempfile
import threading
import time
import warnings
from abc import ABC, abstractmethod
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, Executor, Future
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from heapq import heappop, heappush
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from optimal._engine import Control, Stopped
from optimal._version import __version__
from optimal.errors import OptimalError
from optimal.journal.records import Note
from optimal.search.accounts import Accounts, Spent
from optimal.search.engine import new_control, noted
from optimal.search.options import Options
from optimal.workers import end_with_parent, workers_deaf

#: Looks at the stop flag, of 2^24 codes each, that the first slice of an opener takes: some 5 seconds, and up to two
#: more for the class at hand.
FIRST_LOOKS = 750
_LONGEST = 1 << 30
#: A task has no more openers, and begins with none of them after so many seconds.
MOST_OPENERS, LAST_BEGUN = 64, 5.0
#: For every core so many tasks are made of the openers that nobody has begun with.
TASKS = 4
#: Seconds between two looks at the stop flag and at what has come back; between two questions for notes of long tasks;
#: and that tasks have to come back after the run was stopped.
LOOK, NEWS, GRACE = 0.1, 10.0, 20.0
#: An opener may lose its process so many times in a row.
LOSSES = 8
_CELLS_BYTES = 16


@cache
def build() -> str:
    """What tells this program from others: its version, and a hash of its modules and of the sources of its engine."""
    folder, digest = Path(__file__).parent.parent, sha256()
    for path in sorted((*folder.rglob("*.py"), *folder.glob("_sources.sha256"))):
        digest.update(f"{path.relative_to(folder).as_posix()}\n".encode() + path.read_bytes())
    return f"{__version__} {digest.hexdigest()[:16]}"


@dataclass(frozen=True)
class Task:
    """Openers to settle within a limit, each with notes of what is known of it, in slices of so many looks; and the
    incumbent when it was sent."""

    limit: int | None
    openers: tuple[tuple[int, tuple[Note, ...]], ...]
    incumbent: int
    looks: int


@dataclass
class Done:
    """What came of a task. ``settled``: (opener, value or lower bound, whether exact, nodes, seconds). ``left``: the
    opener that was begun and is not settled, with lower bound, nodes and seconds. ``trees`` are those of openers that
    better the incumbent. ``notes`` are new ones, of any of them. ``counters`` are those of `Sharing.count`."""

    worker: str
    settled: list[tuple[int, int, bool, int, float]] = field(default_factory=list)
    left: tuple[int, int, int, float] | None = None
    trees: list[Any] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    counters: tuple[int, ...] = ()


class NoteBook(Protocol):
    """What a journal is to those who share out openers."""

    def note(self, notes: Iterable[Note]) -> None:
        """Keep notes from another process."""

    def notes_of(self, openers: Iterable[int], /) -> Mapping[int, Sequence[Note]]:
        """What it has of openers."""


class Sharing(Protocol):
    """A run whose openers are shared out. ``lows`` are lower bounds of openers. Limit and incumbent change under the
    ``lock``."""

    @property
    def lock(self) -> AbstractContextManager[bool]: ...
    @property
    def control(self) -> Control: ...
    @property
    def accounts(self) -> Accounts: ...
    @property
    def limit(self) -> int | None: ...
    @property
    def lows(self) -> Mapping[int, int]: ...
    @property
    def stopped(self) -> bool: ...
    @property
    def recorder(self) -> NoteBook | None: ...
    def name_of(self, opener: int) -> str: ...
    def work_begins(self) -> None: ...
    def tell_settled(self) -> None: ...
    def refuted(self, opener: int) -> bool:
        """Whether an opener needs no search, by what is known of it: it is settled then."""

    def wanted(self, opener: int) -> bool:
        """Whether notes of an opener are of use: it is not settled, or may be the best."""

    def record(self, opener: int, value: int, *, exact: bool) -> None: ...
    def bounded(self, opener: int, low: int) -> None: ...
    def keep(self, tree: Any) -> None: ...
    def count(self, *counters: int) -> None: ...
    def learn(self, known: Mapping[int, Iterable[Note]]) -> None:
        """Let this process know what others noted of those openers that may be the best: it puts the tree together."""


#: The incumbent and the stop flag of a run, by its limit.
Controls: TypeAlias = Callable[[int | None], Control]


class Parcel(Protocol):
    """A question as it travels."""

    def office(self, control_of: Controls, cores: int | None = None) -> Office[Any]:
        """A process's end of a run: one of this machine's jobs, or a worker of so many cores. Raises OptimalError
        where the question did not arrive as it was sent."""


class Shareable(Protocol):
    """A question whose openers may be shared out."""

    @property
    def options(self) -> Options: ...


#: How a question is packed.
Pack: TypeAlias = "Callable[[Any], Parcel]"


class Searching(Protocol):
    """A search, as an office sees it."""

    @property
    def nodes(self) -> int: ...
    def noted(self) -> list[tuple[Any, ...]]: ...


S = TypeVar("S", bound=Searching)


class Office(ABC, Generic[S]):
    """A process's end of a run: its searches, made when they are first needed."""

    def __init__(self, control_of: Controls) -> None:
        self._control_of = control_of
        self._searches: dict[int | None, list[S]] = {}
        self._at_work: set[S] = set()
        self._lock = threading.Lock()  # of those at work
        self._making = threading.Lock()  # of all else: that may take long, and the run has news meanwhile

    @abstractmethod
    def _made(self, control: Control) -> list[S]:
        """New searches, as many as this process has cores."""

    @abstractmethod
    def _one_more(self, control: Control) -> S:
        """Another one: a task may outlast its run."""

    @abstractmethod
    def _settle(self, search: S, task: Task, opener: int, notes: tuple[Note, ...]) -> tuple[int, bool, bool]:
        """Work at an opener. Returns its value or a lower bound, whether it is settled, and whether that is exact."""

    @abstractmethod
    def _trees(self, search: S, task: Task, opener: int, value: int) -> Iterable[Any]:
        """The tree of an opener that was just found to be the best, if the search still has it."""

    @abstractmethod
    def _counters(self, search: S) -> tuple[int, ...]:
        """What a search has done so far."""

    def do(self, task: Task) -> Done:
        """Work on a task until it is done, a slice of the opener at hand is over, or the run is stopped."""
        control = self._control_of(task.limit)
        control.incumbent = min(control.incumbent, task.incumbent)
        done, last = Done(f"{socket.gethostname()}:{os.getpid()}"), time.monotonic() + LAST_BEGUN
        with self._search(task.limit, control) as search:
            before = self._counters(search)
            with suppress(Stopped):
                for opener, notes in task.openers:
                    if control.stopped or done.left or time.monotonic() > last or _is_better(done, task):
                        break
                    self._work_at(search, control, task, done, opener, notes)
            done.counters = tuple(now - then for now, then in zip(self._counters(search), before, strict=True))
            done.notes = noted(search)
        return done

    def news(self) -> list[Note]:
        """What the searches at work have noted since they were asked."""
        with self._lock:
            searches = list(self._at_work)
        return [note for search in searches for note in noted(search)]

    def _work_at(
        self, search: S, control: Control, task: Task, done: Done, opener: int, notes: tuple[Note, ...]
    ) -> None:
        began, nodes = time.monotonic(), search.nodes
        value, settled, exact = self._settle(search, task, opener, notes)
        spent = search.nodes - nodes, time.monotonic() - began
        if not settled:
            done.left = opener, value, *spent
            return
        done.settled.append((opener, value, exact, *spent))
        # It may be the incumbent here already, where what came of an earlier task was lost on its way.
        if exact and value < task.incumbent and value <= control.incumbent:
            control.incumbent = value
            done.trees += self._trees(search, task, opener, value)

    @contextmanager
    def _search(self, limit: int | None, control: Control) -> Iterator[S]:
        """A search that nobody else uses; of all limits, only the last one's are kept."""
        with self._making:
            if limit not in self._searches:
                self._searches = {limit: self._made(control)}
            free = self._searches[limit]
            search = free.pop() if free else self._one_more(control)
        with self._lock:
            self._at_work.add(search)
        try:
            yield search
        finally:
            with self._lock:
                self._at_work.discard(search)
            free.append(search)


def _is_better(done: Done, task: Task) -> bool:
    """Whether the others should hear of what was just found."""
    return any(exact and value < task.incumbent for _, value, exact, *_ in done.settled)


class Crew(Protocol):
    """The processes of a run, by their names."""

    def begin(self, question: Shareable, run: Sharing) -> None:
        """Have them ready, or on their way, for this question."""

    def at_hand(self) -> Mapping[str, int]:
        """Those that can be given tasks now, with the number of tasks that each works on at once. Raises OptimalError
        where there will be none."""

    def give(self, name: str, task: Task) -> Future[Done]:
        """Have one of them work on a task."""

    def result(self, name: str, future: Future[Done]) -> Done | None:
        """What came of a task that is over; None where it was lost with its process. Raises OptimalError where the run
        can't go on."""

    def news(self) -> list[Note]:
        """Notes from tasks that go on."""


def settle_by_tasks(question: Shareable, run: Sharing, order: Sequence[int], crew: Crew) -> None:
    """Settle the openers, in about this order, by the processes of a crew."""
    if run.stopped or not order:
        return
    run.work_begins()
    desk = _Desk(run, order, crew)
    try:
        crew.begin(question, run)
        while not run.stopped and desk.hand_out():
            desk.take_back()
        end = time.monotonic() + GRACE
        while desk.given and time.monotonic() < end:
            desk.take_back()
    except OptimalError:
        # A signal to the whole group also ends a process that has only just started.
        if not run.stopped:
            raise
    desk.teach()


class _Desk:
    """Who works at which openers, and which wait for whom."""

    def __init__(self, run: Sharing, order: Sequence[int], crew: Crew) -> None:
        self.given: dict[Future[Done], tuple[str, Task]] = {}
        self._run, self._crew = run, crew
        self._hands: Mapping[str, int] = {}
        self._fresh = deque(order)
        self._waiting: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)  # heaps of (lower bound, opener)
        self._looks: dict[int, int] = {}  # of the next slice of each opener that was begun
        self._known: dict[int, dict[tuple[object, int | None], Note]] = {guess: {} for guess in order}
        self._back: SimpleQueue[Future[Done]] = SimpleQueue()
        self._losses: Counter[int] = Counter()
        for notes in () if run.recorder is None else run.recorder.notes_of(order).values():
            self._learn(notes)

    def hand_out(self) -> bool:
        """Give tasks to whoever has room for them. Returns whether any task is left or under way."""
        hands = self._crew.at_hand()
        if hands != self._hands:
            self._hands = dict(hands)
            for future, (name, task) in list(self.given.items()):
                if name not in hands:
                    del self.given[future]
                    future.cancel()
                    self._lost(name, task)
        at: defaultdict[str, list[Task]] = defaultdict(list)
        for name, task in self.given.values():
            at[name].append(task)
        for name, cores in hands.items():
            while len(at[name]) < cores and self._give(name, at[name]):
                pass
        # One more, of new openers, for those whose tasks will soon be done.
        for name, cores in hands.items():
            if len(at[name]) == cores and all(task.looks <= FIRST_LOOKS for task in at[name]):
                self._give(name, at[name], new=True)
        return bool(self.given or self._fresh or any(self._waiting.values()))

    def take_back(self) -> None:
        """Wait a moment for what comes back."""
        with suppress(Empty):
            futures = [self._back.get(timeout=LOOK)]
            while not self._back.empty():
                futures.append(self._back.get())
            for future in futures:
                if future in self.given:
                    name, task = self.given.pop(future)
                    done = self._crew.result(name, future)
                    if done is None:
                        self._lost(name, task)
                    else:
                        self._take(name, task, done)
        self._note(self._crew.news())
        self._run.tell_settled()

    def teach(self) -> None:
        """Let this process know what the others noted."""
        self._run.learn({opener: notes.values() for opener, notes in self._known.items()})

    def _give(self, name: str, tasks: list[Task], *, new: bool = False) -> bool:
        """Give a process, which has these tasks, another one. Returns whether there was one."""
        task = self._next(name, new)
        if task is None:
            return False
        tasks.append(task)
        future = self._crew.give(name, task)
        self.given[future] = name, task
        future.add_done_callback(self._back.put)
        return True

    def _next(self, name: str, new: bool) -> Task | None:
        """What this process is to do next, of ``new`` openers alone or of all. Of the opener that is next in order and
        those that the process has begun with, the one of the least bound: it is the least of all bounds that counts
        when the run is stopped. Where there is none, one of those that another process has begun with."""
        run = self._run
        while self._fresh and run.refuted(self._fresh[0]):
            self._fresh.popleft()
        heap = self._waiting[name] if not new else []
        if not heap and not self._fresh and not new:
            heap = max(self._waiting.values(), key=len)
        while heap and run.refuted(heap[0][1]):
            heappop(heap)
        if self._fresh and (not heap or run.lows.get(self._fresh[0], 0) <= heap[0][0]):
            count = min(MOST_OPENERS, max(1, len(self._fresh) // (TASKS * sum(self._hands.values()))))
            guesses, looks = [self._fresh.popleft() for _ in range(count)], FIRST_LOOKS
        elif heap:
            guesses = [heappop(heap)[1]]
            looks = self._looks[guesses[0]]
        else:
            return None
        openers = tuple((guess, tuple(self._known[guess].values())) for guess in guesses)
        return Task(run.limit, openers, run.control.incumbent, looks)

    def _take(self, name: str, task: Task, done: Done) -> None:
        run = self._run
        if done.counters:
            run.count(*done.counters)
        for tree in done.trees:  # before its value: so the journal has it, too
            run.keep(tree)
        for guess, value, exact, nodes, taken in done.settled:
            run.accounts.add(guess, Spent(nodes, taken, done.worker))
            run.record(guess, value, exact=exact)
        self._note(done.notes)
        begun = {guess for guess, *_ in done.settled}
        for guess in begun:
            if not run.wanted(guess):
                self._known[guess].clear()
        if done.left is not None:
            guess, low, nodes, taken = done.left
            begun.add(guess)
            run.accounts.add(guess, Spent(nodes, taken, done.worker))
            run.bounded(guess, low)
            self._looks[guess] = min(2 * task.looks, _LONGEST)
            heappush(self._waiting[name], (run.lows.get(guess, 0), guess))
        for guess in begun:
            del self._losses[guess]
        self._put_back(name, [guess for guess, _ in task.openers if guess not in begun])

    def _lost(self, name: str, task: Task) -> None:
        guesses = [guess for guess, _ in task.openers]
        self._losses.update(guesses)
        for guess in guesses:
            if self._losses[guess] > LOSSES:
                opener = self._run.name_of(guess)
                raise OptimalError(
                    f"{LOSSES + 1} processes in a row were lost over {opener}, perhaps for lack of memory: "
                    "what was proven before is kept"
                )
        self._put_back(name, guesses)

    def _put_back(self, name: str, guesses: Sequence[int]) -> None:
        for guess in reversed(guesses):
            if guess in self._looks:
                heappush(self._waiting[name], (self._run.lows.get(guess, 0), guess))
            else:
                self._fresh.appendleft(guess)

    def _note(self, notes: Sequence[Note]) -> None:
        """Keep notes of openers that are not settled, or may be the best."""
        fit = [note for note in notes if note.opener in self._known and self._run.wanted(note.opener)]
        self._learn(fit)
        if self._run.recorder is not None and fit:
            self._run.recorder.note(fit)

    def _learn(self, notes: Iterable[Note]) -> None:
        for note in notes:
            self._known[note.opener][note.history, note.left] = note


@contextmanager
def processes_of(question: Shareable, pack: Pack) -> Iterator[tuple[Control, Crew]]:
    """As many processes of this machine as there are jobs, and what they share the run's incumbent and stop flag in."""
    with _shared_cells() as (control, path), _Processes(question.options.jobs, path, pack) as processes:
        yield control, processes


@contextmanager
def _shared_cells() -> Iterator[tuple[Control, str]]:
    """A Control, and the path by which other processes map its two cells."""
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


class _Processes:
    """The processes of this machine, an executor of one worker each: an opener stays with its process."""

    def __init__(self, jobs: int, cells: str, pack: Pack) -> None:
        self._jobs, self._cells, self._pack = jobs, cells, pack
        self._executors: dict[str, Executor] = {}
        self._opened: dict[str, Future[None]] = {}
        self._question: Shareable | None = None
        self._number = 0  # of the question
        self._queue: Any = None
        self._notes: SimpleQueue[tuple[int, list[Note]]] = SimpleQueue()

    def __enter__(self) -> _Processes:
        return self

    def __exit__(self, *_: object) -> None:
        for executor in self._executors.values():
            executor.shutdown(kill_workers=True)  # type: ignore[call-arg]
        if self._queue is not None:
            # The reader comes to the end. To put a last word would take the lock that a killed process may hold.
            self._queue._writer.close()

    def begin(self, question: Shareable, run: Sharing) -> None:
        if not self._executors:
            self._start()
        if question is not self._question:
            self._question, self._number = question, self._number + 1
            sent = self._number, self._pack(question)
            with workers_deaf():
                self._opened = {name: each.submit(_open_office, *sent) for name, each in self._executors.items()}

    def _start(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that joblib would do with one process, where no more can be had
            from joblib.externals.loky import ProcessPoolExecutor
            from joblib.externals.loky.backend.context import get_context

        try:
            self._queue = get_context().SimpleQueue()
            threading.Thread(target=self._read, name="notes", daemon=True).start()
            for number in range(self._jobs):
                self._executors[str(number)] = ProcessPoolExecutor(
                    1, initializer=_work_for, initargs=(os.getpid(), self._cells, self._queue)
                )
        except (OSError, ImportError, NotImplementedError) as error:
            reason = " ".join(str(error).split())
            raise OptimalError(f"no processes can be started here, ask for the backend threads: {reason}") from None

    def _read(self) -> None:
        """A thread of its own: a process that is killed may leave half of what it says."""
        with suppress(OSError, EOFError):
            while True:
                self._notes.put(self._queue.get())

    def at_hand(self) -> Mapping[str, int]:
        with _loss_told():
            return {name: 1 for name, opened in self._opened.items() if opened.done() and opened.result() is None}

    def give(self, name: str, task: Task) -> Future[Done]:
        with _loss_told():
            return self._executors[name].submit(_do, task)

    def result(self, name: str, future: Future[Done]) -> Done | None:
        with _loss_told():
            return future.result()

    def news(self) -> list[Note]:
        return arrived(self._notes, self._number)


def arrived(queue: SimpleQueue[tuple[int, list[Note]]], number: int) -> list[Note]:
    """The notes in a queue that belong to the question of this number."""
    found = []
    while not queue.empty():
        of, notes = queue.get()
        found += notes if of == number else []
    return found


@contextmanager
def _loss_told() -> Iterator[None]:
    from concurrent.futures.process import BrokenProcessPool

    try:
        yield
    except (BrokenProcessPool, CancelledError):
        raise OptimalError(
            "a worker process was killed, perhaps for lack of memory: ask for fewer jobs or a memory limit"
        ) from None


class _Here:
    """What a process of `_Processes` has: how it hears of the run, and its office."""

    cells: str
    office: tuple[int, Office[Any]] | None = None  # and the number of its question


def _work_for(parent: int, cells: str, queue: Any) -> None:
    """A process begins: before anything else it sees to it that it ends with the one that started it."""
    end_with_parent(parent, cells)
    _Here.cells = cells

    def tell() -> None:
        while True:
            time.sleep(NEWS)
            if _Here.office is not None:
                number, office = _Here.office
                if notes := office.news():
                    queue.put((number, notes))

    threading.Thread(target=tell, name="news", daemon=True).start()


def _open_office(number: int, parcel: Parcel) -> None:
    _Here.office = number, parcel.office(lambda limit: new_control(_mapped(_Here.cells)))


def _do(task: Task) -> Done:
    assert _Here.office is not None
    return _Here.office[1].do(task)
