"""Signal handlers, and threads and processes without signals."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

Handler = Callable[[int, FrameType | None], Any]


def handle(number: int, handler: Handler) -> Any:
    """Install a handler, and return the previous one; None if that isn't possible: Python allows it only in the main
    thread of the main interpreter."""
    try:
        return signal.signal(number, handler)
    except ValueError:
        return None


@contextmanager
def ctrl_c_blocked() -> Iterator[None]:
    """Block Ctrl-C in this thread, and for good in threads and processes started within. A terminal still sends it to
    the other threads and processes of the group."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # may raise for a Ctrl-C sent just before
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
