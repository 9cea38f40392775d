"""A key of a table whose forms aren't written out gets better as long as a run lasts: see `key_improving`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from itertools import count
from typing import Protocol

import numpy as np

from optimal._engine import ShareSearch
from optimal.search import key_parts
from optimal.search.splitting import Longs, Splitter
from optimal.tables.table import VaryingTable

#: First questions that are tried, the objects up to which states are searched exactly, and the steps of one search.
_EFFORTS = ((3, 6, 1 << 20), (5, 9, 1 << 21), (8, 12, 1 << 22), (12, 16, 1 << 23), (16, 20, 1 << 24))
_ROUNDS = 1000


class ShareRun(Protocol):
    """What is known of a run: see `share_run`."""

    table: VaryingTable
    search: ShareSearch
    nodes: list[int]
    best: int
    down: int
    given: Sequence[int] | None

    @property
    def stopped(self) -> bool: ...

    def keep(self, nodes: list[int], total: int) -> None: ...


class Part(key_parts.Part):
    """A state: objects and their shares."""

    __slots__ = ("code", "objects", "shares")

    def __init__(self, objects: Longs, shares: Longs, above: Part | None, code: int) -> None:
        super().__init__()
        self.objects, self.shares, self.above, self.code = objects, shares, above, code

    @property
    def path(self) -> list[tuple[int, int]]:
        path, at = [], self
        while at.above is not None:
            path.append((at.above.question, at.code))
            at = at.above
        return path[::-1]


class ShareImprover:
    """Makes the best key of a run better, a little at each call."""

    def __init__(self, run: ShareRun) -> None:
        self.run, self.splitter = run, Splitter(run.table)
        self._held: list[int] = []
        self._tries: Iterator[None] = iter(())
        self._rounds = count(_ROUNDS)
        self.root = self._root()

    def _root(self) -> Part:
        table = self.run.table
        shares = np.array([weight >> self.run.down for weight in table.object_weights], dtype=np.int64)
        return Part(np.arange(len(shares)), shares, None, -1)

    def improve(self, work: int) -> None:
        """Try to improve the best key, in about so many steps."""
        run, end = self.run, self.run.search.steps + work
        if not run.nodes:
            return
        if run.nodes is not self._held:
            self._held, self.root = run.nodes, self._root()
            key_parts.put(self.root, run.nodes, self._split)
            self._tries = self._all()
        while run.search.steps < end and not run.stopped and next(self._tries, self) is not self:
            pass
        if self.root.total < run.best:
            self._held = key_parts.numbers_of(self.root)
            run.keep(self._held, self.root.total)

    def _split(self, part: Part) -> None:
        part.own = self.splitter.costs[part.question] * int(part.shares.sum())
        for code, objects, shares in self.splitter.split(part.question, part.objects, part.shares):
            part.below[code] = Part(objects, shares, part, code)

    def _all(self) -> Iterator[None]:
        """All that is tried, one after the other."""
        questions, objects = len(self.splitter.costs), len(self.root.objects)
        for many, solved, work in key_parts.efforts(_EFFORTS, 5, questions, objects):
            yield from self._sweep(next(self._rounds), many, solved, work)

    def _sweep(self, round: int, many: int, solved: int, work: int) -> Iterator[None]:
        """Try every part, the largest first."""
        tie, search = count(), self.run.search
        waiting = [(0, next(tie), self.root)]
        while waiting:
            part = heappop(waiting)[2]
            if not part.below:
                continue
            before, small = search.steps, len(part.objects) <= solved
            given = self.run.given if part.above is None else None
            openers = [-1]
            if not small or given is not None:
                gone = {question for question, _ in part.path}
                left = [one for one in given or range(len(self.splitter.costs)) if one not in gone]
                openers = self.splitter.promising(part.objects, part.shares, left)[:many]
            for opener in openers:
                self._try(part, opener, work, {"round": round, "width": 1, "solved": solved})
                yield
            if not small or search.steps - before >= work:  # else nothing below it can be better
                for below in part.below.values():
                    heappush(waiting, (-len(below.objects), next(tie), below))

    def _try(self, part: Part, opener: int, work: int, beam: dict[str, int]) -> None:
        """Let a part begin with this question, if that costs less."""
        search, path = self.run.search, part.path
        value, exact, _ = search.search(path, opener, part.total, work, **beam)
        if exact and value < part.total:
            built = search.build(path, opener, **beam)
            if built is not None and built[1] < part.total:
                key_parts.put(part, built[0], self._split)
