"""Available memory, and the least that a run needs: one estimate, before anything is built.

Light: neither numpy nor a `Game` is imported.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress

from optimal.errors import InputError

MEGA = 1 << 20

#: Bytes of a process with Python, numpy and the engine; of a search with its smallest tables.
_PROCESS, _SEARCH = 56 * MEGA, 16 * MEGA

#: Memory limits of a control group, version 2 and 1.
_GROUP_FILES = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def machine_memory() -> int | None:
    """Return the bytes of memory available to this process: the machine's, or less in a control group; None if
    unknown."""
    known = []
    with suppress(AttributeError, ValueError, OSError):
        known.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    for path in _GROUP_FILES:
        with suppress(OSError, ValueError), open(path, encoding="ascii") as file:  # "max" is not a number
            known.append(int(file.read()))
    return min((bytes for bytes in known if bytes > 0), default=None)


def resident() -> int | None:
    """Return the bytes of memory that this process and its children hold; None without /proc."""
    return sum(_resident(os.getpid())) or None


def _resident(process: int) -> Iterator[int]:
    with suppress(OSError, ValueError):  # the process has ended
        with open(f"/proc/{process}/statm", encoding="ascii") as file:
            yield int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        for thread in os.listdir(f"/proc/{process}/task"):
            with open(f"/proc/{process}/task/{thread}/children", encoding="ascii") as file:
                started = file.read().split()
            for child in started:
                yield from _resident(int(child))


def needed(shared: int, own: int, searches: int = 1, processes: int = 1) -> int:
    """Return the bytes that a run needs, with its smallest tables: ``shared`` in each process, ``own`` for each
    search."""
    return processes * (_PROCESS + shared) + searches * (_SEARCH + own)


def check_room(what: str, needed: int, memory_limit: int | None) -> None:
    """Raise InputError if ``needed`` bytes exceed the limit or the machine's memory, or if this process holds more than
    the limit. ``what`` begins the message, such as "classic with 2 jobs"."""
    machine, held = machine_memory(), resident()
    if memory_limit is not None and needed > memory_limit:
        raise InputError(f"{what} needs about {size(needed)} of memory; the limit is {size(memory_limit)}")
    if memory_limit is not None and held is not None and held > memory_limit:
        raise InputError(f"this process holds {size(held)} of memory already; the limit is {size(memory_limit)}")
    if machine is not None and needed > machine:
        raise InputError(f"{what} needs about {size(needed)} of memory; the machine has {size(machine)}")


def size(bytes: int) -> str:
    """Return an amount of memory as written for `--memory-limit`, in whole M: 2048M."""
    return f"{-(-bytes // MEGA)}M"
