"""Opener statistics: nodes, and seconds of one search."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from optimal.search.engine import Searcher
from optimal.search.progress import Clock


@dataclass(frozen=True)
class Effort:
    """Nodes and seconds spent, and the last worker: host:process, and the search's number there."""

    nodes: int = 0
    seconds: float = 0.0
    worker: str = ""


class OpenerStatistics:
    """The effort spent on every opener. Thread-safe."""

    def __init__(self, clock: Clock) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._here = f"{socket.gethostname()}:{os.getpid()}"
        self._since: dict[Searcher, tuple[str, float, int]] = {}
        self._spent: dict[int, Effort] = {}

    def begin(self, searches: Sequence[Searcher]) -> None:
        """Count what these searches do from now on as work for openers."""
        now = self._clock.seconds
        self._since = {search: (f"{self._here}/{number}", now, search.nodes) for number, search in enumerate(searches)}

    def __getitem__(self, guess: int) -> Effort:
        return self._spent.get(guess, Effort())

    def take_over(self, spent: Mapping[int, Effort]) -> None:
        """Set the effort of earlier runs."""
        with self._lock:
            self._spent.update(spent)

    def worked(self, guess: int, search: Searcher) -> None:
        """Add the search's work since the last call to this opener."""
        if search not in self._since:
            return
        worker, then, nodes = self._since[search]
        now = self._clock.seconds
        self._since[search] = worker, now, search.nodes
        self.add(guess, Effort(search.nodes - nodes, now - then, worker))

    def add(self, guess: int, spent: Effort) -> None:
        """Add an effort to an opener."""
        with self._lock:
            before = self[guess]
            self._spent[guess] = Effort(before.nodes + spent.nodes, before.seconds + spent.seconds, spent.worker)
