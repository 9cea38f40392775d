"""The options of a run."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

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
