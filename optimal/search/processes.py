"""Worker processes: `pool_of` chooses those of a run, `Processes` are those of this machine, started by joblib.

joblib starts the processes and reports crashes; each process connects to its parent and takes tasks from there. Tasks
don't go through joblib, which would give them to any free process: an opener is to stay with the process whose tables
know it.
"""

from __future__ import annotations

import os
import pickle
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager, suppress
from itertools import count
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection, Listener, wait
from queue import SimpleQueue
from typing import TypeAlias

from optimal.errors import OptimalError
from optimal.search.options import Options
from optimal.search.scheduler import LOSSES, AnyRun, AnySolver, Pool
from optimal.search.workers import Report, Task, Worker
from optimal.workers import in_processes

#: Seconds to wait for workers to end.
PARTING = 5.0

Address: TypeAlias = "tuple[str, int]"


@contextmanager
def pool_of(options: Options) -> Iterator[Pool | None]:
    """Yield the pool of worker processes asked for; None if threads of this process do the work."""
    if options.backend == "threads":
        yield None
    elif options.backend == "loky":
        with closing(Processes(options.jobs)) as processes:
            yield processes
    else:
        assert options.backend == "dask"
        from optimal.search.dask import cluster_of  # an optional dependency

        with cluster_of(options) as cluster:
            yield cluster


class Processes:
    """Worker processes of this machine, one per job. They start with the first problem; if one is killed, joblib ends
    the others, and all are restarted."""

    def __init__(self, jobs: int) -> None:
        self._jobs, self._payload = jobs, b""
        self._connections: dict[str, Connection] = {}
        self._arrived: SimpleQueue[Connection] = SimpleQueue()
        self._ended: SimpleQueue[BaseException | None] = SimpleQueue()
        self._key, self._numbers = os.urandom(32), count()
        self._listener: Listener | None = None
        self._listening: threading.Thread | None = None
        self._processes: threading.Thread | None = None
        self._closed, self._crashes = False, 0

    def close(self) -> None:
        self._closed = True
        if self._listener is not None and self._listening is not None:
            with suppress(OSError):  # the listening thread waits for one more connection
                socket.create_connection(self._listener.address).close()
            self._listening.join(PARTING)
            self._listener.close()
        while not self._arrived.empty():  # a worker that nobody has heard of yet would wait for ever
            self._arrived.get().close()
        for connection in self._connections.values():
            connection.close()
        if self._processes is not None:
            self._processes.join(PARTING)

    def begin(self, solver: AnySolver, run: AnyRun) -> None:
        packed = pickle.dumps(solver)
        if packed != self._payload:
            self._payload = packed
            for connection in self._connections.values():
                with suppress(OSError):
                    connection.send(packed)
        if self._listener is None:
            try:
                self._listener = Listener(("127.0.0.1", 0), backlog=self._jobs, authkey=self._key)
            except OSError as error:
                reason = " ".join(str(error).split())
                raise OptimalError(f"no processes can be started here, ask for the backend threads: {reason}") from None
            self._listening = threading.Thread(target=self._listen, args=[self._listener], name="listen", daemon=True)
            self._listening.start()
            self._start(self._listener.address)

    def workers(self) -> Mapping[str, int]:
        while not self._arrived.empty():
            connection = self._arrived.get()
            with suppress(OSError):
                connection.send(self._payload)
            self._connections[str(next(self._numbers))] = connection
        if self._listener is not None and not self._ended.empty():
            error = self._ended.get()
            if error is not None and not isinstance(error, BrokenProcessPool):
                raise error
            self._crashes += 1
            if self._crashes > LOSSES:
                raise OptimalError(
                    "worker processes were killed again and again, perhaps for lack of memory: ask for fewer jobs or a "
                    "memory limit"
                )
            self._start(self._listener.address)
        return dict.fromkeys(self._connections, 1)

    def give(self, worker: str, task: Task) -> None:
        with suppress(OSError):  # `reports` notices a lost worker
            self._connections[worker].send(task)

    def reports(self, seconds: float) -> list[tuple[str, Report]]:
        found: list[tuple[str, Report]] = []
        if not self._connections:
            time.sleep(seconds)
            return found
        ready = wait(list(self._connections.values()), seconds)
        for name, connection in list(self._connections.items()):
            if connection in ready:
                try:
                    found.append((name, connection.recv()))
                    self._crashes = 0
                except (OSError, EOFError):
                    self._connections.pop(name).close()
        return found

    def _start(self, address: Address) -> None:
        def run() -> None:
            try:
                for _ in in_processes(self._jobs, _serve, [(address, self._key)] * self._jobs):
                    pass
            except BaseException as error:
                self._ended.put(error)
            else:
                self._ended.put(None)

        self._processes = threading.Thread(target=run, name="processes", daemon=True)
        self._processes.start()

    def _listen(self, listener: Listener) -> None:
        while not self._closed:
            with suppress(OSError, EOFError, AuthenticationError):
                self._arrived.put(listener.accept())


def _serve(parent: tuple[Address, bytes]) -> None:
    """Take problems and tasks from a process until it closes the connection."""
    address, key = parent
    with suppress(OSError, EOFError), Client(address, authkey=key) as connection:
        packed = connection.recv()
        while True:
            with closing(Worker(pickle.loads(packed), 1)) as worker:
                while isinstance(message := connection.recv(), Task):
                    connection.send(worker.work(message))
            packed = message
