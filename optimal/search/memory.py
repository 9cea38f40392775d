"""Memory shares: the needs of a run come first, the tables get the rest.

The needs are an estimate. So a run with a limit is also watched, where the system reports its memory, and ends in good
order at its limit (`optimal.search.stopping`).
"""

from __future__ import annotations

from dataclasses import dataclass

from optimal import memory
from optimal.search.options import Options
from optimal.show.words import counted

#: Entries of a transposition table: at least, and without a limit at most.
_SLOTS_LEAST, _SLOTS_MOST = 1 << 16, 1 << 22
#: Bytes per entry: 32, half as much again while the table grows, and a quarter as many entries each for plans and
#: canonical trees.
_SLOT = 64


@dataclass(frozen=True)
class Shares:
    """Memory shares: ``slots`` entries for a transposition table (a power of two), ``supersets`` bytes for the
    supersets of a process (None: no limit)."""

    slots: int
    supersets: int | None


def share_out(what: str, bytes: tuple[int, int], options: Options, *, supersets: bool = False) -> Shares:
    """Return each job's shares, which together keep to the limit or to the machine's memory. ``bytes`` are the shared
    bytes and those of a search, as `needed` takes them; ``supersets``: whether there may be any.

    Raises InputError if there is too little, with the amount needed.
    """
    jobs, backend, memory_limit = options.jobs, options.backend, options.memory_limit
    # The processes come in addition to the threads that find the first trees.
    processes, searches = (1, jobs) if backend == "threads" else (1 + jobs, 2 * jobs)
    least = memory.needed(*bytes, searches, processes)
    memory.check_room(f"a search of {what} by {counted(jobs, 'job')}", least, memory_limit)
    room = memory.machine_memory() if memory_limit is None else memory_limit
    if room is None:
        return Shares(_SLOTS_MOST, None)
    rest = max(0, room - max(least, memory.resident() or 0))
    for_supersets = rest * 3 // 4 if supersets else 0  # worth more than large tables
    slots = _SLOTS_LEAST + (rest - for_supersets) // searches // _SLOT
    slots = 1 << slots.bit_length() - 1
    if memory_limit is None:
        return Shares(min(slots, _SLOTS_MOST), None)
    return Shares(slots, for_supersets // (1 if backend == "threads" else jobs))
