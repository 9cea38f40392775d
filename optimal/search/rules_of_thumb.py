"""Rules of thumb: greedy keys, each question the best one by a heuristic value.

A rule gives each question a value at the set of variants left, and the greatest is asked; ties go to the first in the
table. Values are equal if they agree to eleven digits, so that every machine makes the same key.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from optimal.checks import check_choice, check_seconds
from optimal.errors import InputError
from optimal.search.splitting import Splitter, Surprise, bits, fractions, gini, log2
from optimal.tables.table import Table, VaryingTable
from optimal.trees.key import Key
from optimal.trees.keycodec import OBJECTIVES

Members = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
#: Questions times replies evaluated at a time.
_AT_ONCE = 1 << 22
_EQUAL = 1e-11


@dataclass(frozen=True)
class Splits:
    """The splits of a set of variants: a row for each question."""

    rows: npt.NDArray[np.int64]  #: replies, numbered from 0
    outcomes: npt.NDArray[np.int64]  #: of the variants
    groups: npt.NDArray[np.int64]  #: of the variants, numbered from 0
    weights: Floats
    costs: Floats
    least: float  #: the least cost of a question that splits the set

    @cached_property
    def _cells(self) -> npt.NDArray[np.int64]:
        """A number for each reply to each question."""
        return self.rows + (int(self.rows.max()) + 1) * np.arange(len(self.rows))[:, None]

    @cached_property
    def parts(self) -> Floats:
        """The fraction of the weight that has each reply."""
        many = len(self.rows)
        sums = np.bincount(self._cells.ravel(), np.tile(self.weights, many), many * (int(self.rows.max()) + 1))
        return np.asarray(sums.reshape(many, -1) / self.weights.sum())

    @property
    def doublings(self) -> Floats:
        """The log2 of the number of outcomes behind each reply; 0 if there is none."""
        most = int(self.outcomes.max()) + 1
        pairs = np.unique((self._cells * most + self.outcomes).ravel())
        return log2(np.bincount(pairs // most, minlength=self.parts.size).astype(np.float64)).reshape(self.parts.shape)

    def gain(self, surprise: Surprise) -> Floats:
        """What the reply tells of the group: the expected surprise at it, less that of those who know the group."""
        expected = np.asarray((self.parts * surprise(self.parts)).sum(axis=1))
        many = int(self.groups.max()) + 1
        if many == len(self.groups):
            return expected  # each group has one variant, and so one reply
        pairs, at = np.unique((self._cells * many + self.groups).ravel(), return_inverse=True)
        each = np.asarray(np.bincount(at.reshape(-1), np.tile(self.weights, len(self.rows))), dtype=np.float64)
        known = each * surprise(fractions(each, np.bincount(self.groups, self.weights)[pairs % many]))
        row = pairs // many // self.parts.shape[1]
        return np.asarray(expected - np.bincount(row, known, len(self.rows)) / self.weights.sum())

    @property
    def delta(self) -> Floats:
        """Minus the cost of the question, and minus the least cost for each doubling left."""
        return -self.costs - self.least * np.asarray((self.parts * self.doublings).sum(axis=1))

    def per_cost(self, worth: Floats) -> Floats:
        return per_cost(worth, self.costs)


def per_cost(worth: Floats, costs: Floats) -> Floats:
    """Return the worth per cost; infinite if the cost is zero."""
    return np.asarray(np.divide(worth, costs, out=np.full(len(worth), np.inf), where=costs > 0))


#: The rules by name. "delta" is that of DELTA's program KEY (Dallwitz 1974), without its term for variable cells.
RULES: dict[str, Callable[[Splits], Floats]] = {
    "information": lambda splits: splits.gain(bits),
    "information-per-cost": lambda splits: splits.per_cost(splits.gain(bits)),
    "gini": lambda splits: splits.gain(gini),
    "gini-per-cost": lambda splits: splits.per_cost(splits.gain(gini)),
    "delta": lambda splits: splits.delta,
}
#: Those for tables whose forms aren't written out: "delta" counts outcomes of forms.
SHARE_RULES = tuple(rule for rule in RULES if rule != "delta")
#: Questions x variants up to which the keys of all rules are made.
MOST_CELLS = 1 << 20
#: The default rule.
USUAL = "information-per-cost"
#: Time for these keys after a search that had to end: a fraction of its time, and at least this many seconds.
_PART, _MOMENT = 20, 1.0


def greedy(table: object, rule: str = USUAL, *, objective: str = "mean", time_limit: float | None = None) -> Key:
    """Return the key that a rule of thumb makes: at each point the question that looks best, without limits or proof.

    >>> from optimal import greedy, identify
    >>> greedy("birds", "gini").total, identify("birds").total
    (12666, 9914)

    Parameters
    ----------
    table : Table, str, path, DataFrame or array
        The objects to identify, or what `Table.of` makes a table of.
    rule : str
        "information", "information-per-cost", "gini", "gini-per-cost" or "delta": docs/howto/keys.md explains them.
    objective : str
        "mean" or "worst": what the `value` of the key is of. The rules are the same.
    time_limit : float, optional
        Seconds for it.

    Returns
    -------
    Key
        With the status FEASIBLE, unless it costs nothing, and a bound of 0.

    Raises
    ------
    InputError
        For invalid arguments. "delta" and "worst" are not for tables of more than 65535 forms.
    TimeoutError
        When the time is over.
    """
    table, seconds = Table.of(table), check_seconds(time_limit)
    check_choice(rule, "rule", RULES)
    check_choice(objective, "objective", OBJECTIVES)
    ends = math.inf if seconds is None else time.monotonic() + seconds
    if not isinstance(table, VaryingTable):
        return _greedy(table, rule, objective, ends)
    if rule not in SHARE_RULES or objective != "mean":
        raise InputError(f"{table.name}: its forms are not written out; then there is no rule delta, and no worst case")
    for _, key in by_share_rules(table, ends, (rule,)):
        return key
    raise TimeoutError


def _greedy(table: Table, rule: str, objective: str, ends: float) -> Key:
    """Return the key of a rule. Raises TimeoutError if it isn't finished when ``time.monotonic()`` reaches ``ends``."""
    worth = RULES[rule]
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
    """Yield the keys of all rules (for a large table, the usual rule) that are finished within these seconds."""
    ends = time.monotonic() + seconds
    if isinstance(table, VaryingTable):
        yield from by_share_rules(table, ends)
        return
    for rule in RULES if table.codes.size <= MOST_CELLS else (USUAL,):
        try:
            yield rule, _greedy(table, rule, objective, ends)
        except TimeoutError:
            return


def by_share_rules(table: VaryingTable, ends: float, rules: Sequence[str] = SHARE_RULES) -> Iterator[tuple[str, Key]]:
    """The same for a table whose forms aren't written out."""
    splitter, costs = Splitter(table), table.costs.astype(np.float64)
    weights = np.array([float(weight) for weight in table.object_weights])
    for rule in rules:
        surprise = bits if rule.startswith("information") else gini
        nodes: list[int] = []
        waiting = [(-1, np.arange(len(weights)), weights, frozenset[int]())]
        while waiting:
            if time.monotonic() > ends:
                return
            code, objects, shares, gone = waiting.pop()
            nodes += [code] if code >= 0 else []
            left = [question for question in range(len(costs)) if question not in gone]
            if table.settled(objects.tolist(), left):
                nodes.append(-1)
                continue
            asked, gains = splitter.gains(objects, shares, left, surprise)
            values = np.array(gains)
            question = asked[first_of_best(per_cost(values, costs[asked]) if "per" in rule else values)]
            below = list(splitter.split(question, objects, shares))
            nodes += [question, len(below)]
            waiting += [(code, *state, gone | {question}) for code, *state in below[::-1]]
        yield rule, Key.of(table, nodes, bound=(0,))


def spare(seconds: float) -> float:
    """Return the seconds for these keys after a search of this length that had to end."""
    return max(_MOMENT, seconds / _PART)


def by_worth(table: Table, rule: str = USUAL) -> list[int]:
    """Return the questions that split the table, best first by a rule."""
    questions, values = worths(table, np.arange(table.variants), RULES[rule])
    return list(map(int, questions[np.argsort(-values, kind="stable")]))


def first_of_best(values: Floats) -> int:
    """Return the place of the greatest value; of those that agree, the first."""
    best = float(values.max())
    return int(np.argmax(values >= best - (_EQUAL * max(1.0, abs(best)) if np.isfinite(best) else 0.0)))


def _best(table: Table, members: Members, worth: Callable[[Splits], Floats]) -> int | None:
    """Return the question to ask at a set; None if none is needed."""
    outcomes = table.outcome_of[members]
    if (outcomes == outcomes[0]).all():
        return None
    questions, values = worths(table, members, worth)
    return int(questions[first_of_best(values)])


def worths(table: Table, members: Members, worth: Callable[[Splits], Floats]) -> tuple[Members, Floats]:
    """Return the questions that split a set, and their values by a rule, some evaluated at a time."""
    rows = table.codes[:, members]
    splitting = np.flatnonzero((rows != rows[:, :1]).any(axis=1))
    weights = table.weights[members].astype(np.float64)
    weights = weights if weights.any() else np.ones(len(members))
    _, own = np.unique(table.outcome_of[members], return_inverse=True)
    _, groups = np.unique(table.group_of[members], return_inverse=True)
    costs = table.costs.astype(np.float64)
    least = float(costs[splitting].min())
    width = max(int(rows[splitting].max()) + 1, len(members))
    found = []
    many = max(1, _AT_ONCE // width)
    for asked in np.split(splitting, range(many, len(splitting), many)):
        split = rows[asked].astype(np.int64)
        found.append(worth(Splits(split, own.reshape(-1), groups.reshape(-1), weights, costs[asked], least)))
    return splitting, np.concatenate(found)
