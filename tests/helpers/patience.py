"""Waiting for other processes. No test measures speed: the machine may be busy, and for minutes at that."""

from __future__ import annotations

import time
from collections.abc import Callable

#: Seconds after which a process hangs: many times what the slowest of the tests takes.
PATIENCE = 600.0

#: Seconds within which what should take one second or less is done on a machine that has much else to do.
SOON = 30.0


def wait_for(what: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.05)
