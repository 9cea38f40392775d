"""The options of a run, and the gap at which it stops: how far the proven bound may be below the best tree."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from optimal.checks import (
    BACKENDS,
    WAIT,
    check_choice,
    check_choices,
    check_jobs,
    check_journal,
    check_memory,
    check_scheduler,
    check_seconds,
)
from optimal.errors import InputError
from optimal.show.words import shown

_GAP = re.compile(r"([0-9]{1,18}(?:\.[0-9]{1,18})?)(%?)")


@dataclass(frozen=True)
class Gap:
    """A gap in guesses, or in per cent of the tree's total."""

    guesses: int = 0
    percent: Fraction = Fraction(0)

    @classmethod
    def of(cls, gap: object, objective: str) -> Gap | None:
        """Return the gap given by a number of guesses or a text such as "1%" or "40"; None for None.

        Raises InputError for anything else, and for objectives other than "mean", whose value is not a single number.
        """
        if gap is None:
            return None
        # `shown` takes integers too long for str; True does not match.
        text = gap if isinstance(gap, str) else shown(gap) if isinstance(gap, int) else ""
        found = _GAP.fullmatch(text)
        if found is None or (not found[2] and "." in found[1]):
            raise InputError(f'the gap must be a whole number, or per cent such as "1%", not {shown(gap)}')
        if objective != "mean":
            raise InputError(f"a gap is for the objective mean alone, not for {objective}")
        return cls(percent=Fraction(found[1])) if found[2] else cls(guesses=int(found[1]))

    def reached(self, cost: int, bound: int) -> bool:
        """Return whether a tree of this cost is close enough to the bound (0: no bound yet). Where they are equal, only
        the choice among equal trees is left, without which none is OPTIMAL."""
        return 0 < bound < cost and cost - bound <= max(Fraction(self.guesses), self.percent * cost / 100)


@dataclass(frozen=True)
class Options:
    """The options of a run. `solve` documents the fields; ``wait`` and ``time_limit`` are seconds, ``memory_limit``
    bytes.

    ``without`` names shortcuts of the search to switch off.
    """

    jobs: int = 1
    backend: str = "threads"
    scheduler: str | None = None  # for the backend dask; None: start workers here
    wait: float = WAIT
    time_limit: float | None = None
    memory_limit: int | None = None
    gap: Gap | None = None
    journal: str | None = None
    without: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls,
        *,
        jobs: int = 1,
        backend: str = "threads",
        scheduler: str | None = None,
        wait: float | None = None,
        time_limit: float | None = None,
        memory_limit: int | None = None,
        gap: int | str | None = None,
        objective: str = "mean",
        journal: str | os.PathLike[str] | None = None,
        without: Iterable[str] = (),
        switches: Collection[str] = (),
    ) -> Options:
        """Check the options of a caller. The gap is for this objective; ``switches`` are the known shortcuts. Raises
        InputError."""
        return cls(
            jobs=check_jobs(jobs),
            backend=check_choice(backend, "backend", BACKENDS),
            scheduler=check_scheduler(scheduler, backend),
            wait=check_seconds(wait, "the wait") or WAIT,
            time_limit=check_seconds(time_limit),
            memory_limit=check_memory(memory_limit),
            gap=Gap.of(gap, objective),
            journal=check_journal(journal),
            without=check_choices(without, "switch", switches),
        )

    def in_worker(self, cores: int) -> Options:
        """Return the options of a worker process with this many cores."""
        if self.backend == "loky":  # its jobs share this machine's memory
            return self
        return replace(self, jobs=cores, backend="threads", scheduler=None)


#: The default options.
DEFAULTS = Options()
