"""Signals: who may handle them, and who does not hear them."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

Handler = Callable[[int, FrameType | None], Any]


def handle(number: int, handler: Handler) -> Any:
    """Install a handler, and return the one before it. Where no handler may be installed, return None: Python allows it
    only in the main thread of the main interpreter."""
    try:
        return signal.signal(number, handler)
    except ValueError:
        return None


@contextmanager
def ctrl_c_blocked() -> Iterator[None]:
    """Block Ctrl-C in this thread, and for good in the threads and processes that it starts meanwhile. Elsewhere it is
    heard: a terminal sends it to the whole group."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # which may raise what was sent just before
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
