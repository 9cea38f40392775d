"""The options of a run, whatever it is asked: who works, and how long."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from dataclasses import dataclass

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
from optimal.search.gap import Gap


@dataclass(frozen=True)
class Options:
    """How a run works. `solve` documents the fields; ``wait`` and ``time_limit`` are seconds, ``memory_limit`` bytes.

    ``without`` are shortcuts of the search that are left out.
    """

    jobs: int = 1
    backend: str = "threads"
    scheduler: str | None = None  # of the backend dask; None: workers are started here
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
        """Check options that a caller has given. The gap is one for this objective; ``switches`` are the shortcuts that
        there are. Raises InputError."""
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


#: Those of a run of which nothing is asked.
DEFAULTS = Options()
