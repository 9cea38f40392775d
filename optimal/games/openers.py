"""Exact totals of the best openers of shipped games, from data/openers.txt; `benchmarks/openers.py` makes that file.

Each section of the file is a game with its rules and the limit that it was searched within, and lists its best
openers: every opener with a total up to the last of them is there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from optimal.games.resources import data_file

FILE = "openers.txt"


@dataclass(frozen=True)
class KnownOpener:
    """An opener with its least total, and the least worst case among the trees of that total."""

    guess: str
    total: int
    worst: int


def holds_within(searched: int | None, worst: int, limit: int | None) -> bool:
    """Whether what is best within one limit, and needs so many guesses at most, is the best within another as well: a
    tighter limit only takes trees away."""
    if limit is None or (searched is not None and searched <= limit):
        return searched == limit
    return worst <= limit


@dataclass(frozen=True)
class Section:
    """The best openers of one game."""

    game: str
    rules: str
    limit: int | None
    openers: tuple[KnownOpener, ...]

    def holds_within(self, limit: int | None) -> bool:
        """Whether these are the best openers within that limit as well."""
        return holds_within(self.limit, max((opener.worst for opener in self.openers), default=0), limit)


@cache
def sections() -> tuple[Section, ...]:
    """All that is known. A section begins with "game rules limit"; its lines are "  guess total worst"."""
    found: dict[tuple[str, str, int | None], list[KnownOpener]] = {}
    openers: list[KnownOpener] = []
    for line in data_file(FILE).read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        first, second, third = line.split()
        if line.startswith(" "):
            openers.append(KnownOpener(first, int(second), int(third)))
        else:
            openers = found[first, second, None if third == "none" else int(third)] = []
    return tuple(Section(*heading, tuple(known)) for heading, known in found.items())
