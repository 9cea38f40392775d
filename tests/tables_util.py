"""Random tables, and keys as lists of numbers, for tests."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from typing import Any

import numpy as np
import pytest
from test_textbook_tables import Plain, plain
from textbook_tables import Plan, Varying

from optimal.search.key_run import KeyRun
from optimal.tables.table import Table
from optimal.trees.nodes import Step


@contextmanager
def stopping_after(monkeypatch: pytest.MonkeyPatch, after: int) -> Iterator[pytest.MonkeyPatch]:
    """`identify` is stopped when it has told so often where it stands."""
    told, left = KeyRun.report, count(after, -1)

    def tell(self: Any, phase: str, done: int, total: int) -> None:
        if next(left) == 0:
            self.stop("time limit")
        told(self, phase, done, total)

    with monkeypatch.context() as patched:
        patched.setattr(KeyRun, "report", tell)
        yield patched


def table_of(parts: Plain, name: str = "table") -> Table:
    """A table with names: q0, q1 .. are asked of o0, o1 .., which say r0, r1 .. ."""
    codes, replies = np.empty_like(parts.codes), []
    for question, row in enumerate(parts.codes.tolist()):
        known: dict[int, int] = {}
        codes[question] = [known.setdefault(code, len(known)) for code in row]
        replies.append(tuple(f"r{code}" for code in known))
    objects = tuple(f"o{number}" for number in range(int(parts.object_of.max()) + 1))
    questions = tuple(f"q{number}" for number in range(len(codes)))
    return Table(
        name, questions, objects, tuple(replies), codes, parts.object_of, parts.weights, parts.costs, parts.groups
    )


def random_parts(r: random.Random, most: int = 8) -> Plain:
    """A small table: of two replies or more, sparse or not, with weights, costs, groups, variants, or without."""
    variants, questions = r.randint(1, most), r.randint(1, 7)
    replies, density = r.choice([2, 2, 3, 5]), r.choice([0.5, 0.2])
    codes = [
        [0 if r.random() > density else r.randint(1, replies - 1) for _ in range(variants)] for _ in range(questions)
    ]
    varies, object_of = r.random() < 0.4, [0]
    for _ in range(1, variants):
        object_of.append(object_of[-1] + (0 if varies and r.random() < 0.4 else 1))
    weights = costs = groups = None
    if r.random() < 0.6:
        weights = [r.choice([0, 1, 2, 3, 7, 20]) if r.random() < 0.3 else r.randint(1, 9) for _ in range(variants)]
        weights[0] = weights[0] or 1
    if r.random() < 0.6:
        costs = [r.randint(0, 6) if r.random() < 0.2 else r.randint(1, 6) for _ in range(questions)]
    if r.random() < 0.5:
        groups = [r.randint(0, max(0, object_of[-1] - 1)) for _ in range(object_of[-1] + 1)]
    return plain(codes, object_of=object_of, weights=weights, costs=costs, groups=groups)


def random_varying(r: random.Random, most: int = 4) -> Varying:
    """A small table in which cells vary, objects share forms, and some stand for one group."""
    objects, questions, replies = r.randint(2, 6), r.randint(1, most), r.randint(2, 3)
    varying = r.choice([0.2, 0.5, 0.8])

    def cell() -> frozenset[str]:
        known = "abc"[:replies]
        return frozenset(r.sample(known, r.randint(2, replies)) if r.random() < varying else r.choice(known))

    rows: list[Sequence[frozenset[str]]] = [[cell() for _ in range(questions)] for _ in range(objects)]
    for place in range(1, objects):  # of one that differs in a cell or two many forms are another's, too
        if r.random() < 0.5:
            like = list(rows[r.randrange(place)])
            like[r.randrange(questions)] = cell()
            rows[place] = like
    groups = range(objects) if r.random() < 0.6 else [r.randrange(objects) for _ in range(objects)]
    return Varying(
        tuple(map(tuple, rows)),
        tuple(r.choice([1, 1, 1, 2, 5]) for _ in range(objects)),
        tuple(r.choice([1, 1, 2, 3]) for _ in range(questions)),
        tuple(groups),
    )


def flat_plan(plan: Plan) -> list[int]:
    """A plan of the textbook, in preorder."""
    if plan.question < 0:
        return [-1]
    below = (number for code in sorted(plan.children) for number in (code, *flat_plan(plan.children[code])))
    return [plan.question, len(plan.children), *below]


def flat_step(step: Step) -> list[int]:
    """A key's tree, in the same form."""
    if step.question is None:
        return [-1]
    below = (number for code in sorted(step.children) for number in (code, *flat_step(step.children[code])))
    return [step.question, len(step.children), *below]
