"""How questions split the states of a table whose forms aren't written out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from optimal.tables.table import VaryingTable

Longs = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class Splitter:
    """The states behind the replies to questions: objects, with the shares of their weights."""

    def __init__(self, table: VaryingTable) -> None:
        self.cells, self.costs = table.cells, table.costs.tolist()
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

    def parts(self, objects: Longs, shares: Any, left: Sequence[int]) -> tuple[list[int], Floats]:
        """Those of the questions that tell something of a state, and the fraction of the weight with each reply."""
        weights, asked, rows = self._weights(shares), [], []
        for question in left:
            cell = self.cells[question, objects]
            if (cell != cell[0]).any():
                asked.append(question)
                rows.append((weights / self.sizes[question][cell]) @ self.has[question][cell])
        parts = np.zeros((len(rows), max(map(len, rows), default=0)))
        for row, sums in zip(parts, rows, strict=True):
            row[: len(sums)] = sums
        return asked, parts

    def promising(self, objects: Longs, shares: Longs, left: Sequence[int]) -> list[int]:
        """The questions that tell something of a state, best first: by what they tell of the object (Gini) for their
        cost."""
        asked, parts = self.parts(objects, shares, left)
        worth, weights = [], self._weights(shares)
        for question, row in zip(asked, parts, strict=True):
            same = float((weights / self.sizes[question][self.cells[question, objects]]).sum())
            gain, cost = same - float(row @ row), self.costs[question]
            worth.append((-gain / cost if cost else -np.inf, question))
        return [question for _, question in sorted(worth)]

    @staticmethod
    def _weights(shares: Any) -> Floats:
        weights = shares.astype(np.float64)
        return weights / weights.sum() if weights.any() else np.full(len(weights), 1 / len(weights))
