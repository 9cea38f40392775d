"""The best key of a table whose forms aren't written out: a key at once, better ones, and a proven bound.

The search counts in 64 bits. Where shares of weights don't fit them they are rounded down: what it proves is a lower
bound all the same (ext/shares/share_table.h), and the cost of a key is counted from the table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heapify, heappop, heappush

import numpy as np

from optimal._engine import ShareSearch
from optimal.limits import INFEASIBLE
from optimal.search.engine import Controlled, new_control
from optimal.search.options import Options
from optimal.search.progress import Clock, Progress
from optimal.search.share_improving import ShareImprover
from optimal.search.stopping import stopping
from optimal.tables.overlaps import apart, covers
from optimal.tables.table import VaryingTable
from optimal.trees.key import Key

#: Steps of the first trees, and of a first slice of a first question.
_TREES, _SLICE = 1 << 26, 1 << 22
#: Beams at the start: questions tried, and the objects up to which states are searched exactly.
_BEAMS = ((1, 0), (1, 6), (1, 10), (2, 10))
#: Steps in which the budget of a first question rises to the best total.
_RISES = 8
REPORT_EVERY = 0.1


def _slots(options: Options) -> int:
    """Return the maximum number of entries of the search's table, 32 bytes each."""
    most = 1 << 22
    return most if options.memory_limit is None else max(1 << 10, min(most, options.memory_limit // 128))


class ShareRun(Controlled):
    """A run over such a table: the best key so far, in units of the search, and bounds of its first questions."""

    def __init__(
        self,
        table: VaryingTable,
        openers: Sequence[int] | None,
        options: Options,
        clock: Clock,
        progress: Callable[[Progress], None] | None,
    ) -> None:
        self.table, self.options, self.clock = table, options, clock
        self.openers = range(len(table.costs)) if openers is None else openers
        self.given = openers
        self.control, self.stop_reason = new_control(), "done"
        self._progress, self._reported = progress, 0.0
        top = table.weight_sum * max(int(table.costs.sum()), 1)
        self.down = max(0, top.bit_length() - 61)
        weights = np.array([weight >> self.down for weight in table.object_weights], dtype=np.int64)
        self.search = ShareSearch(
            np.ascontiguousarray(table.cells),
            table.kinds,
            weights,
            table.groups,
            apart(table.cells, table.kinds, table.groups).astype(np.uint8),
            covers(table.cells, table.kinds, table.groups, table.costs),
            table.costs,
            self.control,
        )
        self.nodes: list[int] = []
        self.best = INFEASIBLE  # of the best key, in units of the search
        self.key: Key | None = None
        self.lows: dict[int, int] = {}
        self.floor = 0

    # What is known

    @property
    def bound(self) -> int:
        """A proven lower bound of the total of every key."""
        low = max(self.floor, min(self.lows.values(), default=0))
        total = low << self.down
        return total if self.key is None else min(total, self.key.total)

    def keep(self, nodes: list[int], total: int) -> None:
        if total < self.best:
            self.best, self.nodes = total, nodes
            key = Key.of(self.table, nodes, bound=(0,), openers=self.given)
            if self.key is None or key.total < self.key.total:
                self.key = key
        self.report("openers")

    def report(self, phase: str) -> None:
        now, key, gap = self.clock.seconds, self.key, self.options.gap
        if key is not None and gap is not None and gap.reached(key.total, self.bound):
            self.stop("gap")
        if self._progress is None or now - self._reported < REPORT_EVERY:
            return
        self._reported = now
        opener = None if key is None or key.root.question is None else key.questions[key.root.question]
        done, many = sum(low >= self.best for low in self.lows.values()), len(self.openers)
        if phase == "first trees":
            done = many = 0
        total = None if key is None else key.total
        self._progress(Progress(phase, done, many, total, opener, self.search.nodes, now, self.bound))

    # The search

    def carry_out(self) -> bool:
        """Search until the key is proven, or the run is stopped. Returns whether a key was found at all."""
        options = self.options
        left = None if options.time_limit is None else max(options.time_limit - self.clock.seconds, 0.0)
        with stopping(self, left, options.memory_limit):
            self._first_trees()
            self._settle()
        return self.key is not None

    def _first_trees(self) -> None:
        search, left = self.search, _TREES
        if self.given is None:
            self.floor = search.search([], -1, 0)[0]
        for opener in [-1] if self.given is None else self.given:
            for number, (width, solved) in enumerate(_BEAMS):
                if self.stopped and self.nodes:
                    return
                self.report("first trees")
                before, beam = search.steps, {"round": number, "width": width, "solved": solved}
                # The first is carried to its end, whatever happens: it is the key of a run that is stopped at once.
                value, exact, _ = search.search([], opener, self.best, left if number else -1, **beam)
                left = max(1 << 20, left - (search.steps - before))
                if exact and value < self.best and (built := search.build([], opener, **beam)) is not None:
                    self.keep(*built)

    def _settle(self) -> None:
        """Raise the bounds of first questions, the least first; and improve the key in between."""
        search, improver = self.search, ShareImprover(self)
        for opener in self.openers:
            if not self.stopped:
                self.lows[opener] = max(self.floor, search.search([], opener, 0)[0])
        if self.stopped or not self.lows:
            self.lows = {}
            return
        heap = [(low, opener, _SLICE) for opener, low in self.lows.items()]
        heapify(heap)
        while heap and heap[0][0] < self.best and not self.stopped:
            low, opener, work = heappop(heap)
            began, best = search.steps, self.best
            budget = min(best, low + (best - low) // _RISES + 1)
            value, exact, ended = search.search([], opener, budget, work)
            self.lows[opener] = max(low, value)
            if exact and value < self.best and (built := search.build([], opener)) is not None:
                self.keep(*built)
            if not exact and self.lows[opener] < self.best:
                heappush(heap, (self.lows[opener], opener, work if ended else 2 * work))
            self.report("openers")
            improver.improve(2 * (search.steps - began))
