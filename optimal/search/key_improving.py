"""A key that gets better as long as a run lasts: parts of it are searched again, and smaller ones take their places.

Nothing here is proven. From the root down other first questions are tried for each part, with the key that a narrow
beam makes below them; small parts are searched exactly. Once the whole key is done, all of it is tried again, with
more questions and more work.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from itertools import count

import numpy as np
import numpy.typing as npt

from optimal._engine import NO_LIMIT, KeySearch
from optimal.limits import INFEASIBLE
from optimal.search import key_parts
from optimal.search.distinct_columns import DistinctColumns
from optimal.search.key_problem import BuiltKey
from optimal.search.key_run import KeyRun
from optimal.search.rules_of_thumb import Splits
from optimal.search.splitting import gini

Items = npt.NDArray[np.int32]

#: Other first questions that are tried, the groups up to which parts are searched exactly, and the steps of one search.
_EFFORTS = ((4, 12, 1 << 22), (6, 20, 1 << 23), (8, 28, 1 << 24), (12, 36, 1 << 25), (16, 45, 1 << 26))
#: Rounds of beams from this one on are taken here.
_ROUNDS = 1000


class Part(key_parts.Part):
    """A set of items; `paid` is what one of them has cost so far."""

    __slots__ = ("cost", "depth", "first", "last", "paid", "weight")

    def __init__(self, first: int, last: int, weight: int, above: Part | None) -> None:
        super().__init__()
        self.first, self.last, self.weight, self.above = first, last, weight, above
        self.depth: int = 0 if above is None else above.depth + 1
        self.paid: int = 0 if above is None else above.paid + above.cost
        self.cost: int = 0


class Growing:
    """A key as a tree of parts, in the units of the search. The items of a part stand together in `order`."""

    def __init__(self, columns: DistinctColumns, nodes: Sequence[int]) -> None:
        self.columns = columns
        self.order: Items = np.arange(len(columns.weights), dtype=np.int32)
        self.root = Part(0, len(self.order), int(columns.weights.sum()), None)
        self.put(self.root, nodes)

    def items(self, part: Part) -> Items:
        return np.sort(self.order[part.first : part.last])

    def put(self, part: Part, nodes: Sequence[int]) -> None:
        """Ask of a part what these numbers say, which are as `KeySearch.build` has them."""
        key_parts.put(part, nodes, self._split)

    def _split(self, part: Part) -> None:
        columns, order = self.columns, self.order[part.first : part.last]
        part.cost = int(columns.costs[part.question])
        part.own = part.cost * part.weight
        row = columns.codes[part.question][order]
        sorting = row.argsort(kind="stable")
        order[:] = order[sorting]
        codes, starts = np.unique(row[sorting], return_index=True)
        weights = np.add.reduceat(columns.weights[order], starts)
        ends = [*starts[1:].tolist(), len(order)]
        for code, first, last, weight in zip(codes.tolist(), starts.tolist(), ends, weights.tolist(), strict=True):
            part.below[code] = Part(part.first + first, part.first + last, weight, part)

    def built(self) -> BuiltKey:
        """The key as the engine has it."""
        waiting, height, costliest = [self.root], 0, 0
        while waiting:
            part = waiting.pop()
            height, costliest = max(height, part.depth), max(costliest, part.paid)
            waiting += part.below.values()
        return BuiltKey(key_parts.numbers_of(self.root), self.root.total, height, costliest)


class Improver:
    """Makes the incumbent of a run better, a little at each call."""

    def __init__(self, run: KeyRun, search: KeySearch) -> None:
        self.run, self.search = run, search
        self.held: BuiltKey | None = None
        self.growing: Growing | None = None
        self._tries: Iterator[None] = iter(())
        self._rounds = count(_ROUNDS)

    def improve(self, work: int) -> None:
        """Try to improve the incumbent, in about so many steps."""
        run, end = self.run, self.search.steps + work
        if run.best_key is None or not run.fits(run.best_key):
            return
        if run.best_key is not self.held:
            self.held = run.best_key
            self.growing = Growing(run.columns, self.held.nodes)
            self._tries = self._all(self.growing)
        while self.search.steps < end and not run.stopped and next(self._tries, self) is not self:
            pass
        assert self.growing is not None
        if self.growing.root.total < self.held.total:
            self.held = self.growing.built()
            run.keep(self.held)

    def _all(self, growing: Growing) -> Iterator[None]:
        """All that is tried, one after the other."""
        questions, groups = len(self.run.columns.costs), int(self.run.columns.groups.max()) + 1
        for many, solved, work in key_parts.efforts(_EFFORTS, 15, questions, groups):
            yield from self._sweep(growing, (next(self._rounds), 1, solved), many, work)

    def _sweep(self, growing: Growing, beam: tuple[int, int, int], many: int, work: int) -> Iterator[None]:
        """Try every part, the largest first."""
        tie, solved = count(), beam[2]
        waiting = [(0, next(tie), growing.root)]
        while waiting:
            part = heappop(waiting)[2]
            items = growing.items(part)
            groups = len(np.unique(self.run.columns.groups[items]))
            if groups < 2:
                continue
            before = self.search.steps
            for opener in self._openers(part, items, many, groups <= solved):
                self._try(growing, part, items, opener, beam, work)
                yield
            if groups > solved or self.search.steps - before >= work:  # else nothing below it can be better
                for below in part.below.values():
                    heappush(waiting, (below.first - below.last, next(tie), below))

    def _openers(self, part: Part, items: Items, many: int, small: bool) -> list[int]:
        """The first questions to try: -1 for all of them."""
        given = self.run.problem.openers if part.above is None else None
        if small and given is None:
            return [-1]
        columns = self.run.columns
        rows = columns.codes[:, items].astype(np.int64)
        asked = np.flatnonzero((rows != rows[:, :1]).any(axis=1))
        weights = columns.weights[items].astype(np.float64)
        weights = weights if weights.any() else np.ones(len(items))
        groups = np.unique(columns.groups[items], return_inverse=True)[1].reshape(-1)
        splits = Splits(rows[asked], groups, groups, weights, columns.costs[asked].astype(np.float64), 0.0)
        order = asked[np.argsort(-splits.per_cost(splits.gain(gini)), kind="stable")].tolist()
        return [question for question in order if given is None or question in given][:many]

    def _try(
        self, growing: Growing, part: Part, items: Items, opener: int, beam: tuple[int, int, int], work: int
    ) -> None:
        """Let a part begin with this question, if that costs less."""
        run = self.run
        limit = run.limit - part.depth if run.limit < NO_LIMIT else run.limit
        cost_left = run.cost_limit - part.paid if run.cost_limit < INFEASIBLE else run.cost_limit
        if self.search.beam(*beam, limit, cost_left, part.total, work, items, opener) < part.total:
            built = self.search.build(limit, cost_left, opener, round=beam[0], items=items)
            if built is not None and built[1] < part.total:
                growing.put(part, built[0])
