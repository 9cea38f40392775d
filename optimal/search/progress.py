"""The progress of a run, and its clock. Light: showing progress needs neither numpy nor the engine."""

from __future__ import annotations

import time
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Clock:
    """The seconds since a run began; all times of a run come from one clock."""

    started: float = field(default_factory=time.monotonic)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started


@dataclass(frozen=True)
class Progress:
    """The progress of a run, passed to ``progress`` a few times a second.

    ``phase`` is "tables", "greedy play", "first trees", "bounds", "supersets", "openers" (after a position "second
    guesses" and so on), "classes of pairs" and "pairs of first guesses", "feedback classes" of the only opener, "worst
    cases" or "tree". ``done`` of ``total`` steps are finished (openers: settled; 0 of 0 if they can't be counted).
    ``timed``: the run is almost over when this phase is. ``incumbent`` is the best total so far, ``opener`` its first
    guess, and ``bound`` a proven lower bound (None: none yet). ``seconds`` count from the start of the run.
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
