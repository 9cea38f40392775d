"""Long loops in parts, on all cores: a signal is handled, or a stop noticed, between two of them."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence


def start(threads: Sequence[threading.Thread]) -> Sequence[threading.Thread]:
    """Start as many threads as the system allows; return those."""
    for number, thread in enumerate(threads):
        try:
            thread.start()
        except RuntimeError:  # "can't start new thread"
            return threads[:number]
    return threads


def in_parts(total: int, size: int, do: Callable[[int, int], object]) -> None:
    """Call ``do(first, end)`` for parts of range(total) of this size, which cover it; each core takes the next one.
    `do` should release the GIL. An exception, Ctrl-C too, ends the others and is re-raised."""
    parts, lock = iter(range(0, total, size)), threading.Lock()
    wrong: list[BaseException] = []

    def work() -> None:
        try:
            while not wrong:
                with lock:
                    first = next(parts, None)
                if first is None:
                    break
                do(first, min(first + size, total))
        except BaseException as error:
            wrong.append(error)

    many = min(_cores(), -(-total // size)) - 1
    others = start([threading.Thread(target=work, daemon=True) for _ in range(many)])
    work()
    try:
        for thread in others:
            thread.join()
    except BaseException as error:  # Ctrl-C
        wrong.append(error)
    if wrong:
        raise wrong[0]


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
