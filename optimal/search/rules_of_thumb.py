"""What others do: keys made question by question, each time the one that looks best by a rule of thumb.

A rule gives each question a number at the set of variants that is left, the most for the one to ask; of equals the
first in the table is asked. Numbers are held equal to eleven digits, so that every machine makes the same key.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from optimal.checks import check_choice
from optimal.tables.key import Key
from optimal.tables.table import Table

Members = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
#: Questions times replies that are looked at together.
_AT_ONCE = 1 << 22
_EQUAL = 1e-11


@dataclass(frozen=True)
class Splits:
    """What questions make of a set of variants: a row for each question."""

    #: The replies, all from 0 on, and the outcomes of the variants.
    rows: npt.NDArray[np.int64]
    outcomes: npt.NDArray[np.int64]
    weights: Floats
    costs: Floats
    #: The least cost of a question that splits the set.
    least: float

    @property
    def _width(self) -> int:
        return int(self.rows.max()) + 1

    @cached_property
    def _cells(self) -> npt.NDArray[np.int64]:
        """A number for each reply to each question."""
        return self.rows + self._width * np.arange(len(self.rows))[:, None]

    @cached_property
    def parts(self) -> Floats:
        """The part of the weight behind each reply."""
        cells, many = self._cells.ravel(), len(self.rows)
        sums = np.bincount(cells, np.tile(self.weights, many), many * self._width)
        return np.asarray(sums.reshape(many, -1) / self.weights.sum(), dtype=np.float64)

    @property
    def doublings(self) -> Floats:
        """The logarithm of the number of outcomes behind each reply; 0 where there is none."""
        most = int(self.outcomes.max()) + 1
        pairs = np.unique((self._cells * most + self.outcomes).ravel())
        counts = np.bincount(pairs // most, minlength=len(self.rows) * self._width)
        return _log(counts.astype(np.float64)).reshape(len(self.rows), -1)

    @property
    def bits(self) -> Floats:
        """The information of the reply."""
        return -np.asarray((self.parts * _log(self.parts)).sum(axis=1), dtype=np.float64)

    @property
    def gini(self) -> Floats:
        """How often two objects, taken by their weights, have different replies."""
        return 1 - np.asarray((self.parts * self.parts).sum(axis=1), dtype=np.float64)

    @property
    def delta(self) -> Floats:
        """The cost of the question, and the least cost for each doubling that is left, counted down."""
        return -self.costs - self.least * np.asarray((self.parts * self.doublings).sum(axis=1), dtype=np.float64)

    def per_cost(self, worth: Floats) -> Floats:
        """The worth over the cost; without end for what costs nothing."""
        endless = np.full(len(worth), np.inf)
        return np.asarray(np.divide(worth, self.costs, out=endless, where=self.costs > 0))


def _log(values: Floats) -> Floats:
    return np.asarray(np.log2(values, out=np.zeros_like(values), where=values > 0))


#: The rules by name. DELTA's is that of the program KEY (Dallwitz 1974), without its term for cells that vary.
RULES: dict[str, Callable[[Splits], Floats]] = {
    "information": lambda splits: splits.bits,
    "information-per-cost": lambda splits: splits.per_cost(splits.bits),
    "gini": lambda splits: splits.gini,
    "gini-per-cost": lambda splits: splits.per_cost(splits.gini),
    "delta": lambda splits: splits.delta,
}
#: Questions x variants of a table for which the keys of all rules are soon made.
MOST_CELLS = 1 << 20
#: What is meant where no rule is named.
USUAL = "information-per-cost"
#: What such keys may take after a search that had to end: a part of its time, and a moment, in seconds.
_PART, _MOMENT = 20, 1.0


def greedy(table: Table, rule: str = USUAL, *, objective: str = "mean", ends: float = math.inf) -> Key:
    """The key that a rule of thumb makes, without any limit. Nothing is proven of it. TimeoutError where it isn't made
    when ``time.monotonic()`` says that it ``ends``.

    >>> from optimal import Table
    >>> from optimal.search.rules_of_thumb import greedy
    >>> table = Table.from_arrays([[0, 0], [0, 1], [1, 1]])
    >>> greedy(table, "gini").total
    5
    """
    worth = RULES[check_choice(rule, "rule", RULES)]
    nodes: list[int] = []
    stack: list[tuple[int, Members]] = [(-1, np.arange(table.variants))]
    while stack:
        if time.monotonic() > ends:
            raise TimeoutError
        code, members = stack.pop()
        if code >= 0:
            nodes.append(code)
        question = _best(table, members, worth)
        if question is None:
            nodes.append(-1)
            continue
        row = table.codes[question][members]
        codes, counts = np.unique(row, return_counts=True)
        parts = np.split(members[np.argsort(row, kind="stable")], np.cumsum(counts)[:-1])
        nodes += [question, len(codes)]
        stack += list(zip(codes.tolist(), parts, strict=True))[::-1]
    return Key.of(table, nodes, objective=objective, bound=(0,) if objective == "mean" else (0, 0))


def by_rules(table: Table, *, objective: str = "mean", seconds: float = math.inf) -> Iterator[tuple[str, Key]]:
    """The keys of all rules, of a large table that of the usual one, as far as they are made in so many seconds."""
    ends = time.monotonic() + seconds
    for rule in RULES if table.codes.size <= MOST_CELLS else (USUAL,):
        try:
            yield rule, greedy(table, rule, objective=objective, ends=ends)
        except TimeoutError:
            return


def spare(seconds: float) -> float:
    """The seconds for such keys after a search of so many that had to end."""
    return max(_MOMENT, seconds / _PART)


def by_worth(table: Table, rule: str = USUAL) -> list[int]:
    """The questions that split the table, those first that look best by a rule."""
    everything = np.arange(table.variants)
    worth = RULES[rule]
    found = [
        (-float(value), question)
        for asked, splits in _splits(table, everything)
        for question, value in zip(asked, worth(splits), strict=True)
    ]
    return [question for _, question in sorted(found)]


def _best(table: Table, members: Members, worth: Callable[[Splits], Floats]) -> int | None:
    """The question to ask at a set; None where nothing need be asked."""
    outcomes = table.outcome_of[members]
    if (outcomes == outcomes[0]).all():
        return None
    found: list[tuple[int, float]] = []
    for asked, splits in _splits(table, members):
        worths = worth(splits)
        best = float(worths.max())
        first = (
            int(np.argmax(worths >= best - _EQUAL * max(1.0, abs(best)))) if np.isfinite(best) else int(worths.argmax())
        )
        found.append((asked[first], best))
    most = max(best for _, best in found)
    return next(question for question, best in found if best >= most - _EQUAL * max(1.0, abs(most)) or best == most)


def _splits(table: Table, members: Members) -> Iterator[tuple[list[int], Splits]]:
    """The questions that split a set, some at a time."""
    rows = table.codes[:, members]
    splitting = np.flatnonzero((rows != rows[:, :1]).any(axis=1))
    weights = table.weights[members].astype(np.float64)
    weights = weights if weights.any() else np.ones(len(members))
    _, own = np.unique(table.outcome_of[members], return_inverse=True)
    costs = table.costs.astype(np.float64)
    least = float(costs[splitting].min())
    width = max(int(rows[splitting].max()) + 1, len(members))
    many = max(1, _AT_ONCE // width)
    for start in range(0, len(splitting), many):
        asked = splitting[start : start + many]
        yield asked.tolist(), Splits(rows[asked].astype(np.int64), own.reshape(-1), weights, costs[asked], least)
