"""How a limit of memory is shared out: what a search needs comes first, the tables get the rest.

Some of it can't be told beforehand, such as how deep a search goes into large classes. So a run is watched, too, where
the system tells how much it holds, and ends in good order when it has reached its limit (`stopping` in `run.py`).
"""

from __future__ import annotations

from dataclasses import dataclass

from optimal.errors import InputError
from optimal.games.game import Game
from optimal.games.memory import check_room, job_bytes, machine_memory, resident, search_bytes, size
from optimal.show.words import counted

#: Entries of a transposition table: at least (`job_bytes` has them), and at most where no limit is set.
_SLOTS_LEAST, _SLOTS_MOST = 1 << 16, 1 << 22
#: Bytes of memory for each of them: 32, half as much again while the table grows, and a quarter of so many entries each
#: for plans and canonical trees.
_SLOT = 64


@dataclass(frozen=True)
class Shares:
    """What each may take: ``slots`` entries for a transposition table (a power of two), ``supersets`` bytes for the
    supersets of a process (None: no limit)."""

    slots: int
    supersets: int | None


def needed(game: Game, jobs: int, backend: str) -> int:
    """The bytes that so many jobs need at least, in all processes together: an estimate, on the high side."""
    job = job_bytes(len(game.guesses), len(game.answers), game.matrix.itemsize)
    return shared(game) * _processes(jobs, backend) + job * _searches(jobs, backend)


def shared(game: Game) -> int:
    """The bytes of what all searches of one process share, itself included."""
    symmetric = game.feedback is not None and game.feedback.symmetric
    return search_bytes(len(game.guesses), len(game.answers), game.matrix.itemsize, game.rules, symmetric=symmetric)


def share_out(
    game: Game, jobs: int, backend: str, memory_limit: int | None, *, supersets: bool, held: int = 0
) -> Shares:
    """The shares of so many jobs that keep to the limit together, or to what the machine has; ``supersets`` tells
    whether there may be any, and ``held`` are bytes taken by something else.

    Raises InputError where it can't be done, with what would be enough.
    """
    least = held + needed(game, jobs, backend)
    # The estimate is on the high side: where no limit is set, only what is certain to be taken is refused.
    certain = held + shared(game) * _processes(jobs, backend)
    asked = f"a search of {game.name} by {counted(jobs, 'job')}"
    check_room(asked, certain if memory_limit is None else least, memory_limit)
    taken = resident()
    if memory_limit is not None and taken is not None and taken > memory_limit:
        raise InputError(f"this process holds {size(taken)} of memory already; the limit is {size(memory_limit)}")
    room = machine_memory() if memory_limit is None else memory_limit
    if room is None:
        return Shares(_SLOTS_MOST, None)
    rest = max(0, room - least)
    for_supersets = rest * 3 // 4 if supersets else 0  # where there are any, they are worth more than large tables
    slots = _SLOTS_LEAST + (rest - for_supersets) // _searches(jobs, backend) // _SLOT
    slots = 1 << slots.bit_length() - 1
    if memory_limit is None:
        return Shares(min(slots, _SLOTS_MOST), None)
    return Shares(slots, for_supersets // (1 if backend == "threads" else jobs))


def _processes(jobs: int, backend: str) -> int:
    return 1 if backend == "threads" else 1 + jobs


def _searches(jobs: int, backend: str) -> int:
    # Processes come after the first trees, which this one finds by as many threads.
    return jobs if backend == "threads" else 2 * jobs
