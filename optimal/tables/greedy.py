"""What others do: keys made question by question, each time the one that looks best by a rule of thumb.

A rule gives each question a number at the set of variants that is left, the most for the one to ask; of equals the
first in the table is asked. Numbers are compared to twelve digits, so that every machine makes the same key.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from optimal.games.arguments import check_choice
from optimal.tables.key import Key
from optimal.tables.table import Table

Members = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Split:
    """What a question makes of a set: the parts of its weight, and of its groups, behind each reply."""

    parts: tuple[float, ...]
    groups: tuple[int, ...]
    cost: float
    #: The least cost of a question that splits the set.
    least: float

    @property
    def bits(self) -> float:
        return -sum(part * math.log2(part) for part in self.parts if part)

    @property
    def gini(self) -> float:
        return 1 - sum(part * part for part in self.parts)


def _per_cost(worth: float, cost: float) -> float:
    return worth / cost if cost else math.inf


#: The rules by name. DELTA's is that of the program KEY (Dallwitz 1974) without its term for cells that vary: the cost
#: of the question, and the least cost for each doubling that is left in its parts.
RULES: dict[str, Callable[[Split], float]] = {
    "information": lambda split: split.bits,
    "information-per-cost": lambda split: _per_cost(split.bits, split.cost),
    "gini": lambda split: split.gini,
    "gini-per-cost": lambda split: _per_cost(split.gini, split.cost),
    "delta": lambda split: (
        -split.cost
        - split.least * sum(part * math.log2(count) for part, count in zip(split.parts, split.groups, strict=True))
    ),
}
#: What is shown beside the best key: information per cost.
USUAL = "information-per-cost"


def greedy(table: Table, rule: str = USUAL, *, objective: str = "mean") -> Key:
    """The key that a rule of thumb makes, without any limit. What it says of itself is FEASIBLE: nothing is proven.

    >>> from optimal import Table
    >>> from optimal.tables.greedy import greedy
    >>> table = Table.from_arrays([[0, 0], [0, 1], [1, 1]])
    >>> greedy(table, "gini").total
    5
    """
    worth = RULES[check_choice(rule, "rule", RULES)]
    nodes: list[int] = []
    stack: list[tuple[int, Members]] = [(-1, np.arange(table.variants))]
    while stack:
        code, members = stack.pop()
        if code >= 0:
            nodes.append(code)
        question = _best(table, members, worth)
        if question is None:
            nodes.append(-1)
            continue
        row = table.codes[question][members]
        codes = np.unique(row).tolist()
        nodes += [question, len(codes)]
        stack += [(code, members[row == code]) for code in reversed(codes)]
    return Key.of(table, nodes, objective=objective, bound=(0,) if objective == "mean" else (0, 0))


def _best(table: Table, members: Members, worth: Callable[[Split], float]) -> int | None:
    """The question to ask at a set; None where nothing need be asked."""
    groups = table.group_of[members]
    if (groups == groups[0]).all() or (table.column_of[members] == table.column_of[members][0]).all():
        return None
    weights = table.weights[members].astype(np.float64)
    if not weights.any():
        weights = np.ones(len(members))
    rows = table.codes[:, members]
    asked = np.flatnonzero((rows != rows[:, :1]).any(axis=1)).tolist()
    costs = table.costs.tolist()
    least = float(min(costs[question] for question in asked))
    found: list[tuple[float, int]] = []
    for question in asked:
        split = _split(rows[question], groups, weights, float(costs[question]), least)
        found.append((-_rounded(worth(split)), question))
    return min(found)[1]


def _split(
    row: npt.NDArray[Any], groups: npt.NDArray[Any], weights: npt.NDArray[np.float64], cost: float, least: float
) -> Split:
    codes, place = np.unique(row, return_inverse=True)
    parts = np.bincount(place, weights, len(codes)) / weights.sum()
    pairs = np.unique(np.stack([place.astype(np.int64), groups.astype(np.int64)]), axis=1)
    return Split(tuple(parts.tolist()), tuple(np.bincount(pairs[0], minlength=len(codes)).tolist()), cost, least)


def _rounded(worth: float) -> float:
    return float(f"{worth:.12g}")
