"""The distinct columns of a table: variants with equal replies to all questions are merged, then grouped by outcome.

That makes "needn't be told apart" an equivalence relation, as the engine requires.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from optimal.tables.table import Table


@dataclass(frozen=True, eq=False)
class DistinctColumns:
    """The distinct columns of a table by rising weight, and shared data: see `optimal._engine.KeySearch`.

    Weights and costs are in units: the table's integers are multiples of `weight_unit` and `cost_unit`.
    """

    codes: npt.NDArray[np.uint16]
    weights: npt.NDArray[np.int64]
    groups: npt.NDArray[np.int32]
    costs: npt.NDArray[np.int64]
    weight_unit: int
    cost_unit: int

    @classmethod
    def of(cls, table: Table) -> DistinctColumns:
        """Return the distinct columns of a table."""
        _, first, number = np.unique(table.codes, axis=1, return_index=True, return_inverse=True)
        number = number.reshape(-1)  # numpy 2.0 returned the shape of the input
        weights = np.zeros(len(first), dtype=np.int64)
        np.add.at(weights, number, table.weights)
        order = np.lexsort((first, weights))
        _, groups = np.unique(table.outcome_of[first[order]], return_inverse=True)
        weight_unit = math.gcd(*weights.tolist()) or 1
        cost_unit = math.gcd(*table.costs.tolist()) or 1
        return cls(
            np.ascontiguousarray(table.codes[:, first[order]]),
            weights[order] // weight_unit,
            groups.reshape(-1).astype(np.int32),
            np.ascontiguousarray(table.costs // cost_unit),
            weight_unit,
            cost_unit,
        )

    @property
    def unit(self) -> int:
        """The total, in the table's integers, of one unit of cost."""
        return self.weight_unit * self.cost_unit
