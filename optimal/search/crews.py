"""Who works for a run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from optimal._engine import Control
from optimal.search.engine import new_control
from optimal.search.processes import Crew, Pack, Shareable, processes_of


@contextmanager
def crew_of(question: Shareable, pack: Pack) -> Iterator[tuple[Control, Crew | None]]:
    """What a run's incumbent and stop flag are kept in, and the processes that work for it, where its threads don't."""
    if question.options.backend == "threads":
        yield new_control(), None
    elif question.options.backend == "loky":
        with processes_of(question, pack) as processes:
            yield processes
    else:
        from optimal.search.cluster import cluster_of  # here, not above: it is seldom asked for

        with cluster_of(question, pack) as cluster:
            yield new_control(), cluster
