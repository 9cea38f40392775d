"""The pool of workers of a run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from optimal.search.options import Options
from optimal.search.processes import Processes
from optimal.search.scheduler import Pool


@contextmanager
def pool_of(options: Options) -> Iterator[Pool | None]:
    """Yield the pool of worker processes asked for; None if threads of this process do the work."""
    if options.backend == "threads":
        yield None
    elif options.backend == "loky":
        with Processes(options.jobs) as processes:
            yield processes
    else:
        from optimal.search.dask import cluster_of  # an optional dependency

        with cluster_of(options) as cluster:
            yield cluster
