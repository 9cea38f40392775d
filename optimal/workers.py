"""Worker processes end with the process that started them, however that ends."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from typing import TypeVar

from optimal.signals import ctrl_c_blocked

#: Seconds between two checks of the parent.
POLL = 0.5

Item = TypeVar("Item")
Found = TypeVar("Found")

_leftovers: set[str] = set()
_watched: set[int] = set()


def in_processes(jobs: int, do: Callable[[Item], Found], items: Iterable[Item]) -> Generator[Found, None, None]:
    """Yield the results of the items in order, computed by this many worker processes (-1: one per core), which end
    with this one."""
    import joblib  # here, as it is slow to import, and one job doesn't need it

    # joblib takes these since 1.5.
    guard = {"initializer": end_with_parent, "initargs": (os.getpid(),)}
    run = joblib.Parallel(n_jobs=jobs, batch_size=1, return_as="generator", **guard)
    with workers_deaf():
        found: Generator[Found, None, None] = run(joblib.delayed(do)(item) for item in items)
    return found


@contextlib.contextmanager
def workers_deaf() -> Iterator[None]:
    """Let worker processes that start within ignore Ctrl-C, which a terminal sends to them too: it would print a
    traceback from the middle of an import."""
    if os.name == "posix":
        from multiprocessing import resource_tracker

        from joblib.externals.loky.backend.resource_tracker import ensure_running

        # These start with the first worker, and unblock Ctrl-C.
        resource_tracker.ensure_running()
        ensure_running()
    with ctrl_c_blocked():
        yield


def end_with_parent(parent: int, *leftovers: str) -> None:
    """Let a worker end within a second of its parent, the process with that id. Called first in a worker; has no effect
    in the parent itself, where joblib may run the work.

    Signals for the whole group, such as Ctrl-C, are left to the parent, which ends its workers in good order.
    ``leftovers`` are files that the parent removes at its end; if it can't, the worker does.
    """
    _leftovers.update(leftovers)
    if (
        parent in (os.getpid(), *_watched) or os.name != "posix"
    ):  # Windows has no orphans: there the id of the parent never changes
        return
    _watched.add(parent)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    threading.Thread(target=_watch, args=(parent,), name="end with parent", daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(POLL)
    for path in _leftovers:
        with contextlib.suppress(OSError):
            os.unlink(path)
    # Nobody waits for this process, and its other threads may be deep in a search.
    os._exit(1)
