"""How much memory there is, and how much a game and a search of it take: estimates, made before anything is built.

Light: neither numpy nor a `Game` is imported.
"""

from __future__ import annotations

import os
from contextlib import suppress

from optimal.errors import InputError
from optimal.games.rules import Rules

MEGA = 1 << 20

#: Python, numpy, the extension, what shows progress, a result and its tree.
_PROGRAM = 48 * MEGA
#: What a limit of guesses costs at least, tabulated (depths.h), for codes of one byte and of two.
_DEPTHS = (13 * MEGA, 26 * MEGA)
#: Of every answer, in peg games of all codes: there the table holds all numbers of them.
_DEPTH = 4096
#: A word in its list with what belongs to it; the features of a guess under hard rules, as they are gathered; which
#: answers are like an answer.
_WORD, _FEATURES, _LIKE = 256, 1024, 384
_BLOCK = 64  # guesses are padded to a multiple of this
#: One search: its memo, its scratch, its smallest tables, and its stack beside the frames. Those take about this part
#: of the matrix: they hold classes of good guesses, a tenth of the answers or less, and what is left of these. A
#: sixteenth, at most, is for the classes of many guesses at once (ahead.h).
_SEARCH, _FRAMES = 16 * MEGA, 5

#: Limits of a control group: of the second version and of the first.
_GROUP_FILES = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def machine_memory() -> int | None:
    """The bytes of memory that this process may have at most: the machine's, or less in a control group; None where
    that can't be found out."""
    known = []
    with suppress(AttributeError, ValueError, OSError):
        known.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    for path in _GROUP_FILES:
        with suppress(OSError, ValueError), open(path, encoding="ascii") as file:  # "max" is no number
            known.append(int(file.read()))
    return min((bytes for bytes in known if bytes > 0), default=None)


def resident() -> int | None:
    """The bytes of memory that this process holds now; None where there is no /proc to tell."""
    with suppress(OSError, ValueError), open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return None


def game_bytes(guesses: int, answers: int, width: int) -> int:
    """What the process takes once a game is built: ``width`` bytes for each code of its matrix, the lists, Python."""
    return _PROGRAM + guesses * answers * width + (guesses + answers) * _WORD


def search_bytes(guesses: int, answers: int, width: int, rules: Rules, *, symmetric: bool) -> int:
    """The same with the tables that all searches of a process share: the matrix by answers, the features that hard
    rules need and frames by them, the replies to guesses that are no answers, for ultra-hard rules, and more of what a
    limit costs where the feedback is ``symmetric``."""
    by_answer = -(-guesses // _BLOCK) * _BLOCK * answers * width
    more = guesses * _FEATURES + by_answer if rules is Rules.HARD else 0
    if rules is Rules.ULTRA_HARD and guesses != answers:
        more = guesses * guesses * width
    depths = max(_DEPTHS[width - 1], answers * _DEPTH if symmetric and guesses == answers else 0)
    return game_bytes(guesses, answers, width) + by_answer + depths + answers * _LIKE + more


def job_bytes(guesses: int, answers: int, width: int) -> int:
    """What each search takes besides, with the smallest tables that it can do with."""
    return _SEARCH + guesses * answers * width // _FRAMES


def check_room(what: str, needed: int, memory_limit: int | None) -> None:
    """Raise InputError where so many bytes are more than the limit, or than the machine has. ``what`` opens the
    message, such as "classic with 2 jobs"."""
    machine = machine_memory()
    if memory_limit is not None and needed > memory_limit:
        raise InputError(f"{what} needs about {size(needed)} of memory; the limit is {size(memory_limit)}")
    if machine is not None and needed > machine:
        raise InputError(f"{what} needs about {size(needed)} of memory; the machine has {size(machine)}")


def size(bytes: int) -> str:
    """An amount of memory as it is written for `--memory-limit`, in whole M: 2048M."""
    return f"{-(-bytes // MEGA)}M"
