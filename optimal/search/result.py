"""What a solve returns: status, value and bound apart, and the tree."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from optimal.trees.tree import StrategyTree


class Status(str, Enum):
    """How much is proven, in CP-SAT's terms.

    OPTIMAL: the tree is proven least. FEASIBLE: a tree, not proven least. INFEASIBLE: proven that no tree exists
    within the limit. UNKNOWN: stopped before either.
    """

    OPTIMAL = "OPTIMAL"
    FEASIBLE = "FEASIBLE"
    INFEASIBLE = "INFEASIBLE"
    UNKNOWN = "UNKNOWN"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Result:
    """The outcome of :func:`optimal.solve`.

    ``total`` is the tree's, ``bound`` a proven lower bound of every tree's over the openers asked for (equal when
    OPTIMAL; None when there is nothing to bound). ``value`` and ``bound`` hold the objective's parts in order
    (mean: total). ``openers_refuted`` counts openers proven not to come before the result.
    """

    status: Status
    value: tuple[int, ...] | None
    bound: tuple[int, ...] | None
    tree: StrategyTree | None
    openers: int
    openers_refuted: int
    stop_reason: str
    seconds: float
    nodes: int
    count_calls: int
    table_hits: int

    @property
    def total(self) -> int | None:
        """Sum of weight x depth over the answers; None without a tree."""
        return None if self.tree is None else self.tree.total

    @property
    def mean(self) -> Fraction | None:
        """total / sum of weights, exact; None without a tree."""
        return None if self.tree is None else self.tree.mean

    @property
    def opener(self) -> str | None:
        """The first guess of the tree; None without one."""
        return None if self.tree is None else self.tree.root.guess
