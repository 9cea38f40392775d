"""A run on a Dask cluster, whose workers are the processes of `optimal.search.processes`.

Dask carries tasks to the worker that each is for, and their results back, and it knows which workers there are; which
opener is next, and where, is told by the same code as for processes of one machine. Every worker gets the question
once, opens it itself, and works for the run where its program is ours. Incumbents, and the word to stop, are
pushed to all of them as soon as they are known.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import pickle
import threading
import time
import uuid
import warnings
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError, Executor, Future, wait
from contextlib import contextmanager, suppress
from functools import partial
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

from optimal._engine import Control
from optimal.errors import InputError, OptimalError
from optimal.journal.records import Note
from optimal.limits import INFEASIBLE
from optimal.search.engine import new_control
from optimal.search.processes import LOOK, NEWS, Done, Pack, Parcel, Shareable, Sharing, Task, arrived, build
from optimal.workers import workers_deaf

if TYPE_CHECKING:
    from distributed import Client, LocalCluster

#: Seconds between two looks for workers that have joined.
JOINED = 1.0
#: A worker that has not heard of its run for so many seconds stops working for it.
SILENCE = 120.0
#: Seconds that workers have to answer when a run ends.
PARTING = 5.0
_LOST_IT = "the connection to the scheduler is lost; what was proven before is kept"


class WorkerWarning(UserWarning):
    """A worker is left out of a run: its program is another one, or it can't hold the game or table."""


class _NotOpen(Exception):
    """A worker doesn't know of the run, or no more."""


class _Branch:
    """A worker process's end of the run of one token."""

    def __init__(self, parcel: Parcel, cores: int) -> None:
        self._controls: dict[int | None, Control] = {}
        self._lock = threading.Lock()
        self.office = parcel.office(self.control, cores)
        self.heard = time.monotonic()

    def control(self, limit: int | None) -> Control:
        with self._lock:
            if limit not in self._controls:
                self._controls[limit] = new_control()
                self._controls[limit].incumbent = INFEASIBLE
            return self._controls[limit]

    def hear(self, limit: int | None, incumbent: int, stop: bool) -> None:
        self.heard = time.monotonic()
        control = self.control(limit)
        control.incumbent = min(control.incumbent, incumbent)
        if stop:
            self.stop()

    def stop(self) -> None:
        with self._lock:
            for control in self._controls.values():
                control.stop()


#: The branches of this process, by the token of their run and the number of the question there.
_branches: dict[str, tuple[int, _Branch]] = {}


async def _open_branch(token: str, number: int, program: str, parcel: bytes, dask_worker: Any) -> str:
    """Have this worker ready for a question; returns what is in the way of it. In a thread of its own: the worker has
    others to answer meanwhile."""

    def ready() -> str:
        if (here := build()) != program:
            theirs, ours = (each.split()[0] for each in (here, program))
            if theirs != ours:
                return f"optimal {theirs} is installed there, and {ours} here"
            return f"the optimal {theirs} installed there is another build of it"
        try:
            branch = _Branch(pickle.loads(parcel), dask_worker.state.nthreads)
        except (OptimalError, MemoryError) as error:
            return str(error) or "there is not enough memory"
        _close_branch(token)
        if not _branches:
            threading.Thread(target=_close_silent, name="silent runs", daemon=True).start()
        _branches[token] = number, branch
        return ""

    return await asyncio.to_thread(ready)


def _close_silent() -> None:
    while True:
        time.sleep(SILENCE / 10)
        for token, (_, branch) in list(_branches.items()):
            if time.monotonic() - branch.heard > SILENCE:
                _close_branch(token)
        if not _branches:
            return


def _hear(token: str, number: int, limit: int | None, incumbent: int, stop: bool) -> list[Note]:
    """What is new for a worker, and what is new from it."""
    known_as, branch = _branches.get(token, (0, None))
    if branch is None or known_as != number:
        return []
    branch.hear(limit, incumbent, stop)
    return branch.office.news()


def _close_branch(token: str) -> None:
    if token in _branches:
        _, branch = _branches.pop(token)
        branch.stop()


def _do(token: str, number: int, task: Task) -> Done:
    known_as, branch = _branches.get(token, (0, None))
    if branch is None or known_as != number:
        raise _NotOpen
    return branch.office.do(task)


@contextmanager
def cluster_of(question: Shareable, pack: Pack) -> Iterator[_Cluster]:
    """The workers of the scheduler that was asked for, or as many as there are jobs, started here."""
    try:
        import distributed  # noqa: F401
    except ImportError:
        raise InputError("the backend dask needs dask.distributed: pip install '.[cluster]' in the checkout") from None
    # They tell of a lost scheduler in a hundred lines.
    names = [name for name in logging.root.manager.loggerDict if name.split(".")[0] in ("distributed", "tornado")]
    levels = {name: logging.getLogger(name).level for name in (*names, "asyncio")}
    for name in levels:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    cluster = _Cluster(question, pack)
    try:
        yield cluster
    finally:
        cluster.close()
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)


class _Cluster:
    """The workers of a cluster. Two threads, beside the run's own, look for workers and talk to them."""

    def __init__(self, question: Shareable, pack: Pack) -> None:
        self._pack = pack
        self._address, self._jobs, self._wait = question.options.scheduler, question.options.jobs, question.options.wait
        self._token, self._number, self._parcel = uuid.uuid4().hex, 0, b""
        self._question: Shareable | None = None
        self._cluster: LocalCluster | None = None
        self._client: Client | None = None
        self._lock = threading.Lock()
        self._open: dict[str, int] = {}  # workers that are ready, with their cores
        self._executors: dict[str, Executor] = {}
        self._left_out: dict[str, str] = {}  # other workers, and why
        self._said: set[str] = set()
        self._seen = time.monotonic()  # when there was a worker
        self._notes: SimpleQueue[tuple[int, list[Note]]] = SimpleQueue()
        self._asked: set[Future[Any]] = set()  # what workers have not yet answered
        self._opening: dict[str, tuple[int, Future[Any]]] = {}  # by worker, with the number of the question
        self._over = threading.Event()
        self._threads: list[threading.Thread] = []

    def begin(self, question: Shareable, run: Sharing) -> None:
        if question is not self._question:
            with self._lock:
                self._question, self._number, self._open = question, self._number + 1, {}
                self._parcel = pickle.dumps(self._pack(question))
        if self._client is None:
            self._connect(run)
            self._threads = [
                threading.Thread(target=self._every, args=each, daemon=True)
                for each in ((LOOK, self._tell(run)), (JOINED, self._look_for_workers))
                if self._client is not None
            ]
            for thread in self._threads:
                thread.start()
        self._seen = time.monotonic()

    def _connect(self, run: Sharing) -> None:
        """In a thread of its own: it may take as long as the user is willing to wait, and this one sees the flag."""
        from distributed import Client, LocalCluster

        found: SimpleQueue[Client | str] = SimpleQueue()

        def connect() -> None:
            try:
                if self._address is None:
                    options = {"dashboard_address": "127.0.0.1:0", "host": "127.0.0.1", "memory_limit": 0}
                    with workers_deaf():
                        self._cluster = LocalCluster(n_workers=self._jobs, threads_per_worker=1, **options)
                client = Client(self._address or self._cluster, timeout=self._wait, set_as_default=False)
                found.put(client)
                if self._over.is_set():  # nobody waits any more
                    client.close()
            except Exception as error:
                reason = _line(error)
            else:
                return
            # Without the error, whose frames hold it, a client that failed is closed here, while its loop runs: at the
            # end of Python it would print a traceback.
            gc.collect()
            found.put(reason)

        thread = threading.Thread(target=connect, name="connect", daemon=True)
        thread.start()
        while not run.stopped or self._address is None:
            with suppress(Empty):
                client = found.get(timeout=LOOK)
                if not isinstance(client, str):
                    self._client = client
                    return
                if self._address is None:
                    raise OptimalError(f"no workers can be started here: {client}") from None
                raise InputError(f"no scheduler answers at {self._address}: {client}") from None

    def close(self) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join(timeout=JOINED)
        if self._client is not None:
            with suppress(Exception):
                if self._client.status == "running" and self._cluster is None:
                    wait([self._ask(self._client, name, _close_branch) for name in self._open], timeout=PARTING)
            for future in list(self._asked):
                future.cancel()
            with suppress(Exception):
                self._client.close(timeout=JOINED)
        if self._cluster is not None:
            self._cluster.close()

    def at_hand(self) -> Mapping[str, int]:
        client = self._client
        if client is None or client.status == "closed":
            raise OptimalError(_LOST_IT)
        left_out = self._left_out
        for reason in set(left_out.values()) - self._said:
            self._said.add(reason)
            names = [name for name, why in left_out.items() if why == reason]
            others = f" and {len(names) - 1} others" if len(names) > 1 else ""
            warnings.warn(f"left out: the worker {names[0]}{others}: {reason}", WorkerWarning, stacklevel=2)
        if client.status != "running":  # it tries to connect again
            return {}
        if self._open:
            self._seen = time.monotonic()
        elif time.monotonic() - self._seen > self._wait:
            place = "started here" if self._address is None else f"of the scheduler at {self._address}"
            why = "can be used" if self._left_out else "has come"
            raise InputError(f"no worker {place} {why} in {self._wait:g} seconds; what was proven before is kept")
        return self._open

    def give(self, name: str, task: Task) -> Future[Done]:
        assert self._client is not None
        if name not in self._executors:
            self._executors[name] = self._client.get_executor(workers=[name], pure=False)
        try:
            return self._executors[name].submit(_do, self._token, self._number, task)
        except Exception:  # the scheduler is just lost: so is the task
            lost: Future[Done] = Future()
            lost.cancel()
            return lost

    def result(self, name: str, future: Future[Done]) -> Done | None:
        from distributed import KilledWorker

        try:
            return future.result()
        except (CancelledError, KilledWorker):
            return None
        except _NotOpen:
            with self._lock:
                self._open = {worker: cores for worker, cores in self._open.items() if worker != name}
            return None
        except MemoryError:
            raise
        except Exception as error:
            if self._client is None or self._client.status != "running":
                return None
            raise OptimalError(f"a worker failed: {_line(error)}") from error

    def news(self) -> list[Note]:
        return arrived(self._notes, self._number)

    def _every(self, seconds: float, do: Callable[[Client], None]) -> None:
        """Do something again and again; it may fail where the scheduler or a worker is just gone."""
        while True:
            client = self._client
            if client is not None and client.status == "running":
                with suppress(Exception):
                    do(client)
            else:
                with self._lock:
                    # What is under way there, if anything is, comes to nothing: they begin anew.
                    self._number += bool(self._open)
                    self._open = {}
            if self._over.wait(seconds):
                return

    def _ask(self, client: Client, name: str, function: Callable[..., Any], *args: object) -> Future[Any]:
        """Have a worker call a function with our token and these: what it returns or raises is the result. Nobody waits
        for one that is slow or does not answer."""
        loop: Any = client.loop

        async def ask() -> Any:
            return (await client.run(function, self._token, *args, workers=[name], on_error="return"))[name]

        future = asyncio.run_coroutine_threadsafe(ask(), loop.asyncio_loop)
        self._asked.add(future)
        future.add_done_callback(self._asked.discard)
        return future

    def _look_for_workers(self, client: Client) -> None:
        """Have workers ready that have joined, and forget those that have left."""
        cores = client.ncores()
        with self._lock:
            number, parcel = self._number, self._parcel
            self._open = {name: cores[name] for name in self._open if name in cores}
        self._left_out = {name: why for name, why in self._left_out.items() if name in cores}
        for name in cores:
            if name not in self._open and name not in self._left_out and name not in self._opening:
                self._opening[name] = number, self._ask(client, name, _open_branch, number, build(), parcel)
        wait([future for _, future in self._opening.values()], timeout=JOINED)
        found: dict[str, object] = {}
        for name, (of, future) in list(self._opening.items()):
            if future.done():
                del self._opening[name]
                # One that is gone, or was asked for what is past, is asked again if it is there.
                if of == number and name in cores and not future.cancelled() and future.exception() is None:
                    found[name] = future.result()
        ready = {name: cores[name] for name, why in found.items() if why == ""}
        left_out = {name: _line(why) if isinstance(why, BaseException) else str(why) for name, why in found.items()}
        gone = [name for name, why in found.items() if isinstance(why, OSError)]
        left_out = {name: why for name, why in left_out.items() if name not in (*ready, *gone)}
        self._left_out = {**self._left_out, **left_out}
        with self._lock:
            if number == self._number:
                self._open = {**self._open, **ready}

    def _tell(self, run: Sharing) -> Callable[[Client], None]:
        """What tells all workers of a better incumbent, and of the end, as soon as it is known, and now and then that
        the run goes on; and has their notes."""
        told: dict[str, tuple[object, float]] = {}
        asked: dict[str, Future[Any]] = {}

        def tell(client: Client) -> None:
            number = self._number
            with run.lock:  # an incumbent goes with its limit
                news = run.limit, run.control.incumbent, run.stopped

            def take(name: str, future: Future[Any]) -> None:
                if future.cancelled() or future.exception() is not None:
                    told.pop(name, None)
                elif isinstance(notes := future.result(), list) and notes:
                    self._notes.put((number, notes))

            for name in self._open:
                before, at = told.get(name, (None, 0.0))
                waiting = name in asked and not asked[name].done()
                if waiting or (before == (number, news) and time.monotonic() - at < NEWS):
                    continue
                told[name] = (number, news), time.monotonic()
                asked[name] = self._ask(client, name, _hear, number, *news)
                asked[name].add_done_callback(partial(take, name))

        return tell


def _line(error: BaseException) -> str:
    """An error in a line. Those that can't be sent come as Exceptions whose texts name their kinds."""
    kind = "" if type(error) is Exception else f"{type(error).__name__}: "
    return " ".join(f"{kind}{error}".split())[:300]
