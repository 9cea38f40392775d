"""How questions split the states of a table whose forms aren't written out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from optimal.tables.table import VaryingTable

Longs = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
#: What a reply is worth that comes for such fractions of the weight.
Surprise = Callable[[Floats], Floats]


def bits(parts: Floats) -> Floats:
    """Surprise in bits: its mean is the entropy."""
    return -log2(parts)


def gini(parts: Floats) -> Floats:
    """The probability that another drawn by weight has another reply."""
    return 1 - parts


def log2(values: Floats) -> Floats:
    return np.asarray(np.log2(values, out=np.zeros_like(values), where=values > 0))


def fractions(parts: Floats, whole: Floats) -> Floats:
    """The quotients; 0 of nothing."""
    return np.asarray(np.divide(parts, whole, out=np.zeros_like(parts), where=whole > 0))


class Splitter:
    """The states behind the replies to questions: objects, with the shares of their weights."""

    def __init__(self, table: VaryingTable) -> None:
        self.cells, self.costs, self.groups = table.cells, table.costs.tolist(), table.groups
        self.sizes = [np.array(list(map(len, kinds)), dtype=np.int64) for kinds in table.kinds]
        self.has = []
        for kinds, replies in zip(table.kinds, table.replies, strict=True):
            has = np.zeros((len(kinds), len(replies)), dtype=bool)
            for row, cell in zip(has, kinds, strict=True):
                row[list(cell)] = True
            self.has.append(has)

    def split(self, question: int, objects: Longs, shares: Any) -> Iterator[tuple[int, Longs, Any]]:
        """The objects and shares behind each reply; shares that are whole numbers as the engine has them."""
        cell = self.cells[question, objects]
        has, size = self.has[question][cell], self.sizes[question][cell]
        parts = shares // size if shares.dtype == np.int64 else shares / size
        for code in np.flatnonzero(has.any(axis=0)).tolist():
            yield code, objects[has[:, code]], parts[has[:, code]]

    def gains(
        self, objects: Longs, shares: Any, left: Sequence[int], surprise: Surprise
    ) -> tuple[list[int], list[float]]:
        """Those of the questions that split a state, and what each tells of the group: the expected surprise at the
        reply, less that of those who know the group."""
        weights = shares.astype(np.float64)
        weights = weights / weights.sum() if weights.any() else np.full(len(weights), 1 / len(weights))
        known, group = np.unique(self.groups[objects], return_inverse=True)
        alone, asked, found = len(known) == len(objects), [], []
        for question in left:
            cell = self.cells[question, objects]
            if not (cell != cell[0]).any():
                continue
            size, has = self.sizes[question][cell], self.has[question][cell]
            if alone:
                parts, within = (weights / size) @ has, weights @ surprise(1 / size)
            else:
                each = np.zeros((len(known), has.shape[1]))
                np.add.at(each, group.reshape(-1), (weights / size)[:, None] * has)
                parts = each.sum(axis=0)
                within = (each * surprise(fractions(each, each.sum(axis=1, keepdims=True)))).sum()
            asked.append(question)
            found.append(float(parts @ surprise(parts) - within))
        return asked, found

    def promising(self, objects: Longs, shares: Longs, left: Sequence[int]) -> list[int]:
        """The questions that split a state, best first: by what they tell of the group (Gini) for their cost."""
        worth = []
        for question, gain in zip(*self.gains(objects, shares, left, gini), strict=True):
            cost = self.costs[question]
            worth.append((-gain / cost if cost else -np.inf, question))
        return [question for _, question in sorted(worth)]
