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

#: Seconds between two looks at whether the parent is still there.
POLL = 0.5

Item = TypeVar("Item")
Found = TypeVar("Found")

_leftovers: set[str] = set()
_watched: set[int] = set()


def in_processes(jobs: int, do: Callable[[Item], Found], items: Iterable[Item]) -> Generator[Found, None, None]:
    """What comes of the items, in their order, by so many worker processes (-1: one for each core), which end with this
    one."""
    import joblib  # here, not above: it takes long, and one job needs none of it

    # joblib takes these from 1.5 on.
    guard = {"initializer": end_with_parent, "initargs": (os.getpid(),)}
    run = joblib.Parallel(n_jobs=jobs, batch_size=1, return_as="generator", **guard)
    with workers_deaf():
        found: Generator[Found, None, None] = run(joblib.delayed(do)(item) for item in items)
    return found


@contextlib.contextmanager
def workers_deaf() -> Iterator[None]:
    """Worker processes that start within never hear Ctrl-C, which a terminal sends to them too: what loads its modules
    would print a traceback."""
    if os.name == "posix":
        from multiprocessing import resource_tracker

        from joblib.externals.loky.backend.resource_tracker import ensure_running

        # These come with the first worker, and let Ctrl-C in again.
        resource_tracker.ensure_running()
        ensure_running()
    with ctrl_c_blocked():
        yield


def end_with_parent(parent: int, *leftovers: str) -> None:
    """Called in a worker, before anything else: from now on it ends within a second of its parent, the process with
    that id. In that process itself, where joblib has no other to do the work, nothing follows.

    Signals meant for the whole group, such as Ctrl-C, are left to the parent, which ends its workers in good order.
    ``leftovers`` are files that the parent removes at its end; where it can't, the worker does.
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
    # Nobody waits for what this process would still say, and its other threads may be deep in a search.
    os._exit(1)
