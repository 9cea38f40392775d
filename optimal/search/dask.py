"""Workers of a Dask cluster.

Dask sends each task to its worker, returns the report, and lists the workers. A worker gets the problem once, and takes
part only if it runs the same build.

docs/howto/many-cores.md says why joblib's Dask backend is no alternative.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import pickle
import threading
import time
import uuid
import warnings
from collections.abc import Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from contextlib import closing, contextmanager, suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from optimal._version import __version__
from optimal.errors import InputError, OptimalError
from optimal.search.options import Options
from optimal.search.scheduler import POLL, AnyRun, AnySolver
from optimal.search.workers import Report, Task, Worker
from optimal.workers import workers_deaf

if TYPE_CHECKING:
    from distributed import Client, LocalCluster

#: Seconds between two scans for new workers, and for one attempt to reach the scheduler.
JOINED, ATTEMPT = 1.0, 2.0
#: A worker closes a run that sends it no task for this many seconds.
SILENCE = 60.0
#: Seconds to wait for workers when a run ends.
PARTING = 2.0
#: Log level of a local cluster's workers. Their faults come as exceptions; one that outlives the scheduler logs a page.
WORKERS_LEVEL = "DASK_LOGGING__DISTRIBUTED"


class WorkerWarning(UserWarning):
    """A worker left out of a run: it runs another build, or can't hold the game or table."""


class _NotOpenError(Exception):
    """The worker doesn't know the run, or has closed it."""


#: Open runs of this worker process by token, with the time of each run's last task.
_open: dict[str, tuple[Worker[Any], float]] = {}
_lock = threading.Lock()  # of that


@cache
def build() -> str:
    """Return the version and build of this program: a hash of its modules and engine sources."""
    folder, digest = Path(__file__).parent.parent, sha256()
    for path in sorted((*folder.rglob("*.py"), *folder.glob("_sources.sha256"))):
        digest.update(f"{path.relative_to(folder).as_posix()}\n".encode() + path.read_bytes())
    return f"{__version__} {digest.hexdigest()[:16]}"


async def _open_run(token: str, program: str, payload: bytes, cores: int) -> str:
    """Open a problem in this worker, without blocking it. Return why it can't be opened, or ""."""
    if (here := build()) != program:
        theirs, ours = (each.split()[0] for each in (here, program))
        if theirs != ours:
            return f"optimal {theirs} is installed there, and {ours} here"
        return f"the optimal {theirs} installed there is another build of it"
    try:
        worker = await asyncio.to_thread(lambda: Worker(pickle.loads(payload), cores))
    except (OptimalError, MemoryError) as error:
        return str(error) or "there is not enough memory"
    with _lock:
        first, before = not _open, _open.get(token)
        _open[token] = worker, time.monotonic()
    if before is not None:
        before[0].close()
    if first:
        threading.Thread(target=_close_silent, name="silent runs", daemon=True).start()
    return ""


def _close_run(token: str) -> None:
    with _lock:
        found = _open.pop(token, None)
    if found is not None:
        found[0].close()


def _close_silent() -> None:
    while _open:
        time.sleep(SILENCE / 10)
        for token, (_, heard) in list(_open.items()):
            if time.monotonic() - heard > SILENCE:
                _close_run(token)


def _work(token: str, task: Task) -> Report:
    with _lock:
        if token not in _open:
            raise _NotOpenError
        worker, _ = _open[token]
        _open[token] = worker, time.monotonic() + task.seconds
    return worker.work(task)


@contextmanager
def cluster_of(options: Options) -> Iterator[_Cluster]:
    """Yield the workers of the given scheduler, or of a local cluster with one worker per job."""
    try:
        import distributed  # noqa: F401
    except ImportError:
        raise InputError("the backend dask needs dask.distributed: pip install '.[cluster]' in the checkout") from None
    # They log a hundred lines when the scheduler is lost.
    names = [name for name in logging.root.manager.loggerDict if name.split(".")[0] in ("distributed", "tornado")]
    levels = {name: logging.getLogger(name).level for name in (*names, "asyncio")}
    for name in levels:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    known = os.environ.get(WORKERS_LEVEL)  # a nanny sets it in this process, too
    try:
        with closing(_Cluster(options)) as cluster:
            yield cluster
    finally:
        os.environ.pop(WORKERS_LEVEL, None)
        os.environ.update({} if known is None else {WORKERS_LEVEL: known})
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)


class _Cluster:
    """The workers of a cluster. The token of a run names the problem they have open."""

    def __init__(self, options: Options) -> None:
        self._address, self._jobs, self._wait = options.scheduler, options.jobs, options.wait
        self._token, self._payload = "", b""
        self._cluster: LocalCluster | None = None
        self._client: Client | None = None
        self._open: dict[str, int] = {}  # workers that have the problem open, with their cores
        self._opening: dict[str, Future[str | BaseException]] = {}
        self._left_out: dict[str, str] = {}  # workers left out, and why
        self._warned: set[str] = set()
        self._given: dict[Future[Report], str] = {}
        self._lost: set[str] = set()  # workers that have lost their tasks, until that is reported
        self._scanned, self._seen = 0.0, 0.0  # times of the last scan, and of the last with a worker

    def begin(self, solver: AnySolver, run: AnyRun) -> None:
        packed = pickle.dumps(solver)
        if packed != self._payload:
            self._payload = packed
            self._restart()
        if self._client is None:
            self._connect(run)
        self._seen = time.monotonic()

    def _restart(self) -> None:
        """Have all workers open the problem; drop the tasks in flight."""
        self._close_runs()
        self._token, self._open, self._opening, self._given = uuid.uuid4().hex, {}, {}, {}
        self._scanned = 0.0

    def _connect(self, run: AnyRun) -> None:
        import dask
        from distributed import Client, LocalCluster

        if self._address is None:
            options = {"dashboard_address": "127.0.0.1:0", "host": "127.0.0.1", "memory_limit": 0}
            try:
                with (
                    workers_deaf(),
                    dask.config.set({f"distributed.nanny.pre-spawn-environ.{WORKERS_LEVEL}": "critical"}),
                ):
                    self._cluster = LocalCluster(n_workers=self._jobs, threads_per_worker=1, **options)
            except Exception as error:
                raise OptimalError(f"no workers can be started here: {_line(error)}") from None
        end = time.monotonic() + self._wait
        while not run.stopped:
            try:
                left = max(end - time.monotonic(), 0.1)
                self._client = Client(self._address or self._cluster, timeout=min(ATTEMPT, left), set_as_default=False)
                return
            except Exception as error:
                reason = _line(error)
            # Collect a failed client while its loop runs: at interpreter exit it would print a traceback.
            gc.collect()
            if time.monotonic() > end:
                raise InputError(f"no scheduler answers at {self._address}: {reason}") from None

    def close(self) -> None:
        self._close_runs()
        with suppress(Exception):
            if self._client is not None:
                self._client.close(timeout=PARTING)
        if self._cluster is not None:
            self._cluster.close()

    def _close_runs(self) -> None:
        if self._client is not None and self._client.status == "running":
            with suppress(Exception):
                wait([self._ask(name, _close_run, self._token) for name in self._open], timeout=PARTING)

    def workers(self) -> Mapping[str, int]:
        client = self._client
        if client is None or client.status == "closed":
            raise OptimalError("the connection to the scheduler is lost; what was proven before is kept")
        now = time.monotonic()
        if client.status != "running":  # reconnecting
            if self._open:
                self._restart()
        elif now - self._scanned > JOINED:
            with suppress(Exception):  # the scheduler has just been lost
                self._scan_for_workers(client)
            self._scanned = now
        if self._open:
            self._seen = now
        elif now - self._seen > self._wait:
            place = "started here" if self._address is None else f"of the scheduler at {self._address}"
            why = "can be used" if self._left_out else "has joined"
            raise InputError(f"no worker {place} {why} in {self._wait:g} seconds; what was proven before is kept")
        # One that has the problem again by now has not what it had begun.
        lost, self._lost = self._lost, set()
        return {name: cores for name, cores in self._open.items() if name not in lost}

    def _scan_for_workers(self, client: Client) -> None:
        """Send the problem to workers that have joined; forget those that have left."""
        cores = client.ncores()
        self._open = {name: cores[name] for name in self._open if name in cores}
        self._opening = {name: future for name, future in self._opening.items() if name in cores}
        self._left_out = {name: why for name, why in self._left_out.items() if name in cores}
        self._given = {future: name for future, name in self._given.items() if name in cores}
        for name in cores:
            if name not in self._open and name not in self._left_out and name not in self._opening:
                self._opening[name] = self._ask(name, _open_run, self._token, build(), self._payload, cores[name])
        wait(self._opening.values(), timeout=POLL if self._open else JOINED)
        for name, future in list(self._opening.items()):
            if not future.done():
                continue
            del self._opening[name]
            why = future.exception() or future.result()
            if isinstance(why, OSError):
                continue  # it has just left, or is asked again
            if why:
                self._left_out[name] = _line(why) if isinstance(why, BaseException) else why
            else:
                self._open[name] = cores[name]
        for reason in set(self._left_out.values()) - self._warned:
            self._warned.add(reason)
            names = [name for name, why in self._left_out.items() if why == reason]
            others = f" and {len(names) - 1} others" if len(names) > 1 else ""
            warnings.warn(f"left out: the worker {names[0]}{others}: {reason}", WorkerWarning, stacklevel=2)

    def _ask(self, name: str, function: Any, *args: object) -> Future[Any]:
        """Have a worker call a function. The result is the value returned or the exception raised. Unlike a task, this
        does no harm to a worker that can't load the function."""
        assert self._client is not None
        client = self._client
        loop: Any = client.loop

        async def ask() -> Any:
            return (await client.run(function, *args, workers=[name], on_error="return"))[name]

        return asyncio.run_coroutine_threadsafe(ask(), loop.asyncio_loop)

    def give(self, worker: str, task: Task) -> None:
        assert self._client is not None
        try:
            executor = self._client.get_executor(workers=[worker], pure=False)
            self._given[executor.submit(_work, self._token, task)] = worker
        except Exception:  # the scheduler has just been lost, and the worker with it
            self._lose(worker)

    def reports(self, seconds: float) -> list[tuple[str, Report]]:
        if not self._given:
            time.sleep(seconds)
        found = []
        for future in wait(self._given, seconds, FIRST_COMPLETED).done:
            name = self._given.pop(future)
            try:
                found.append((name, future.result()))
            except MemoryError:
                raise
            except Exception as error:
                self._lose(name)
                if not self._is_lost(error):
                    raise OptimalError(f"a worker failed: {_line(error)}") from error
        return found

    def _lose(self, worker: str) -> None:
        """Take it that a worker has no task any more; it gets the problem again, if it is there."""
        self._open.pop(worker, None)
        self._lost.add(worker)

    def _is_lost(self, error: BaseException) -> bool:
        """Whether a task failed with its worker or the scheduler."""
        from distributed import KilledWorker

        running = self._client is not None and self._client.status == "running"
        return not running or isinstance(error, CancelledError | KilledWorker | _NotOpenError)


def _line(error: BaseException) -> str:
    """Return an error as one line. Errors that can't be pickled arrive as plain Exceptions whose text names their
    type."""
    kind = "" if type(error) is Exception else f"{type(error).__name__}: "
    return " ".join(f"{kind}{error}".split())[:300]
