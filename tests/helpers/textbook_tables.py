"""The textbook solver of tables: exact, slow, and written from the definitions alone, to be seen to be right.

At every set of variants it tries every question that splits it. There are no bounds, no pruning and no ordering, so it
is good for small tables only. The engine is held against it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np

from optimal.tables.table import Table

Variants = frozenset[int]
Objects = frozenset[int]
Asked = frozenset[int]


class Plan(NamedTuple):
    """A key: a question with the plan for each reply that occurs, or, where nothing need be asked, question -1."""

    question: int
    children: dict[int, Plan]


class Least(NamedTuple):
    """What makes one question better than another at the same set: the least is best."""

    total: int
    worst: int  # questions
    question: int  # -1 where none need be asked


@dataclass(frozen=True)
class Solution:
    """The least value in the objective's order, and the canonical key."""

    value: tuple[int, ...]
    plan: Plan


class Textbook:
    """One table, or what has its codes, weights, costs and groups. Sets are remembered, so asking again with another
    limit is cheap."""

    def __init__(self, table: Any) -> None:
        self.codes: list[list[int]] = table.codes.tolist()
        self.weights: list[int] = table.weights.tolist()
        self.costs: list[int] = table.costs.tolist()
        groups: list[int] = table.groups.tolist()
        group = [groups[thing] for thing in table.object_of.tolist()]
        #: The groups that are left where all questions have been asked of a variant.
        self.outcome = [
            {group[j] for j in range(len(group)) if all(row[i] == row[j] for row in self.codes)}
            for i in range(len(group))
        ]
        self.all: Variants = frozenset(range(len(self.weights)))
        self._best: dict[tuple[Variants, int | None, int | None], tuple[Least, Plan] | None] = {}
        self._dearest: dict[tuple[Variants, int | None], int | None] = {}

    def solve(
        self,
        limit: int | None = None,
        objective: str = "mean",
        openers: Sequence[int] | None = None,
        cost_limit: int | None = None,
    ) -> Solution | None:
        """The best key of at most `limit` questions on a path, and costs of at most `cost_limit` (None: any), or None
        where there is no such key. `openers` are what may be asked first, of no use or not."""
        dearest = None
        if objective == "worst":
            cost = self._dearest_of(self.all, limit, openers)
            if cost is None or (cost_limit is not None and cost > cost_limit):
                return None
            dearest = cost_limit = cost
        found = self._best_of(self.all, limit, cost_limit, openers)
        if found is None:
            return None
        least, plan = found
        return Solution((least.total,) if dearest is None else (dearest, least.total), plan)

    def together(self, i: int, j: int) -> bool:
        """Whether two variants needn't be told apart: after all questions the same groups are left."""
        return self.outcome[i] == self.outcome[j]

    def done(self, variants: Variants) -> bool:
        """Whether nothing need be asked."""
        return all(self.together(i, j) for i in variants for j in variants if i < j)

    def classes(self, question: int, variants: Variants) -> dict[int, Variants]:
        """The variants behind each reply."""
        row = self.codes[question]
        return {code: frozenset(i for i in variants if row[i] == code) for code in sorted({row[i] for i in variants})}

    def _asked(self, variants: Variants, openers: Sequence[int] | None) -> Iterator[tuple[int, dict[int, Variants]]]:
        """The questions to try. One that splits nothing only costs: it is asked where it is asked for by name."""
        for question in range(len(self.codes)) if openers is None else sorted(set(openers)):
            classes = self.classes(question, variants)
            if len(classes) > 1 or openers is not None:
                yield question, classes

    def best(self, variants: Variants, limit: int | None, cost_limit: int | None) -> tuple[Least, Plan] | None:
        """The least key of these variants."""
        position = (variants, limit, cost_limit)
        if position not in self._best:
            self._best[position] = self._best_of(variants, limit, cost_limit, None)
        return self._best[position]

    def _best_of(
        self, variants: Variants, limit: int | None, cost_limit: int | None, openers: Sequence[int] | None
    ) -> tuple[Least, Plan] | None:
        if openers is None and self.done(variants):
            return Least(0, 0, -1), Plan(-1, {})
        if limit == 0:
            return None
        best: tuple[Least, Plan] | None = None
        for question, classes in self._asked(variants, openers):
            cost = self.costs[question]
            if cost_limit is not None and cost > cost_limit:
                continue
            left = None if limit is None else limit - 1
            purse = None if cost_limit is None else cost_limit - cost
            found = {code: self.best(below, left, purse) for code, below in classes.items()}
            keys = [below for below in found.values() if below is not None]
            if len(keys) < len(found):
                continue
            total = cost * sum(self.weights[i] for i in variants) + sum(least.total for least, _ in keys)
            least = Least(total, 1 + max(least.worst for least, _ in keys), question)
            if best is None or least < best[0]:
                best = least, Plan(question, {code: below[1] for code, below in found.items() if below is not None})
        return best

    def dearest(self, variants: Variants, limit: int | None) -> int | None:
        """The least that the dearest path of a key costs; None where there is no key within the limit."""
        position = (variants, limit)
        if position not in self._dearest:
            self._dearest[position] = self._dearest_of(variants, limit, None)
        return self._dearest[position]

    def _dearest_of(self, variants: Variants, limit: int | None, openers: Sequence[int] | None) -> int | None:
        if openers is None and self.done(variants):
            return 0
        if limit == 0:
            return None
        best: int | None = None
        for question, classes in self._asked(variants, openers):
            found = [self.dearest(below, None if limit is None else limit - 1) for below in classes.values()]
            costs = [cost for cost in found if cost is not None]
            if len(costs) == len(found):
                cost = self.costs[question] + max(costs)
                best = cost if best is None else min(best, cost)
        return best


@dataclass(frozen=True)
class Varying:
    """Objects x questions, each cell a set of replies; the cells of an object vary independently.

    It knows nothing of variants: its state is the objects that are left and the questions that were asked.
    """

    cells: tuple[tuple[frozenset[str], ...], ...]
    weights: tuple[int, ...]
    costs: tuple[int, ...]
    groups: tuple[int, ...]

    @classmethod
    def of(cls, table: Table) -> Varying:
        """The same of a table whose objects have a variant for each combination of their replies."""
        members = [np.flatnonzero(table.object_of == one) for one in range(len(table.objects))]
        rows = list(zip(table.codes, table.replies, strict=True))
        return cls(
            tuple(
                tuple(frozenset(known[code] for code in row[some].tolist()) for row, known in rows) for some in members
            ),
            tuple(int(table.weights[some].sum()) for some in members),
            tuple(table.costs.tolist()),
            tuple(table.groups.tolist()),
        )

    def table(self) -> Table:
        rows = [["/".join(sorted(cell)) for cell in row] for row in self.cells]
        groups = [f"group {group}" for group in self.groups]
        return Table.from_arrays(rows, weights=self.weights, costs=self.costs, groups=groups)

    @property
    def everything(self) -> Objects:
        return frozenset(range(len(self.cells)))

    def left(self, objects: Objects, question: int) -> dict[str, Objects]:
        """The objects that each reply leaves."""
        replies = {reply for one in objects for reply in self.cells[one][question]}
        return {reply: frozenset(one for one in objects if reply in self.cells[one][question]) for reply in replies}

    @cached_property
    def settled(self) -> Callable[[Objects, Asked], bool]:
        """Whether no replies to the questions that are left can exclude a group."""

        @cache
        def settled(objects: Objects, asked: Asked) -> bool:
            groups = {self.groups[one] for one in objects}
            return all(
                {self.groups[one] for one in rest} == groups and settled(rest, asked | {question})
                for question in range(len(self.costs))
                if question not in asked
                for rest in self.left(objects, question).values()
            )

        return settled

    def least(self, limit: int | None = None) -> Fraction | None:
        """The least expected cost of keys that ask no more than `limit` questions; None where there is none."""

        def weight(objects: Objects, asked: Asked) -> Fraction:
            """Of each object the share for which these are the replies."""
            total = Fraction(0)
            for one in objects:
                share = Fraction(self.weights[one])
                for question in asked:
                    share /= len(self.cells[one][question])
                total += share
            return total

        @cache
        def value(objects: Objects, asked: Asked) -> Fraction | None:
            if self.settled(objects, asked):
                return Fraction(0)
            if limit is not None and len(asked) == limit:
                return None
            found = []
            for question in range(len(self.costs)):
                if question in asked:
                    continue
                rest = [value(one, asked | {question}) for one in self.left(objects, question).values()]
                if None not in rest:
                    paid = self.costs[question] * weight(objects, asked)
                    found.append(sum((one for one in rest if one is not None), paid))
            return min(found, default=None)

        found = value(self.everything, frozenset())
        return None if found is None else found / sum(self.weights)
