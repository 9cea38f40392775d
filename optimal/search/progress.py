"""Where a run stands, and its clock. Light: what shows progress needs neither numpy nor the engine."""

from __future__ import annotations

import time
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Clock:
    """The seconds since a run began. Whatever speaks of time in a run asks this one clock."""

    started: float = field(default_factory=time.monotonic)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started


@dataclass(frozen=True)
class Progress:
    """Where a run stands; handed to ``progress`` a few times a second.

    ``phase`` says what is done: "tables", "greedy play", "first trees", "bounds", "supersets", "openers" (from a
    position on "second guesses" and so on), "feedback classes" of the only opener, "worst cases" and "tree". ``done``
    of ``total`` are its steps (openers: settled ones; 0 of 0 where they can't be counted). ``timed``: the end of this
    phase is nearly that of the run.
    ``incumbent`` is the best total so far, ``opener`` its first guess, and ``bound`` a proven lower bound (None: there
    is none yet). ``seconds`` count from the start of the run.
    """

    phase: str
    done: int
    total: int
    incumbent: int | None
    opener: str | None
    nodes: int
    seconds: float
    bound: int | None = None
    timed: bool = False
