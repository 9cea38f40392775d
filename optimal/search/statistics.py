"""What each opener costs a run: nodes, and seconds of one search."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from optimal.search.progress import Clock


@dataclass(frozen=True)
class Effort:
    """So many nodes and seconds, and who spent the last of them: host:process, and the search's number there."""

    nodes: int = 0
    seconds: float = 0.0
    worker: str = ""


class Searcher(Protocol):
    """What searches, and counts its nodes."""

    @property
    def nodes(self) -> int: ...


class OpenerStatistics:
    """What has been spent on every opener. Any thread may write into it."""

    def __init__(self, clock: Clock) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._here = f"{socket.gethostname()}:{os.getpid()}"
        self._since: dict[Searcher, tuple[str, float, int]] = {}
        self._spent: dict[int, Effort] = {}

    def begin(self, searches: Sequence[Searcher]) -> None:
        """What these searches do from now on, they do for openers."""
        now = self._clock.seconds
        self._since = {search: (f"{self._here}/{number}", now, search.nodes) for number, search in enumerate(searches)}

    def __getitem__(self, guess: int) -> Effort:
        return self._spent.get(guess, Effort())

    def take_over(self, spent: Mapping[int, Effort]) -> None:
        """So much was spent before."""
        with self._lock:
            self._spent.update(spent)

    def worked(self, guess: int, search: Searcher) -> None:
        """The search worked at this opener since it last was asked."""
        if search not in self._since:
            return
        worker, then, nodes = self._since[search]
        now = self._clock.seconds
        self._since[search] = worker, now, search.nodes
        self.add(guess, Effort(search.nodes - nodes, now - then, worker))

    def add(self, guess: int, spent: Effort) -> None:
        """Somebody spent so much on it."""
        with self._lock:
            before = self[guess]
            self._spent[guess] = Effort(before.nodes + spent.nodes, before.seconds + spent.seconds, spent.worker)
