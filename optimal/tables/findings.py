"""What a table and its key tell beyond the best questions: what is never asked, what rests on one question alone."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from optimal.tables.key import Key
from optimal.tables.table import Table

#: Pairs of variants times questions; more aren't gone through.
MOST_PAIRS = 1 << 30


def never_asked(key: Key) -> tuple[str, ...]:
    """The questions that a key never asks."""
    asked = {step.question for step in key.root.steps()}
    return tuple(question for place, question in enumerate(key.questions) if place not in asked)


def told_by_one(table: Table) -> dict[str, tuple[tuple[str, str], ...]] | None:
    """The pairs of objects that one question alone tells apart, by that question: without it they can't be.

    Of objects whose replies vary, where that holds for a pair of their variants; not those that no question always
    tells apart. None where there are too many pairs.
    """
    if table.variants * table.variants * len(table.questions) > MOST_PAIRS:
        return None
    found: dict[int, dict[tuple[int, int], None]] = {}
    alike: set[tuple[int, int]] = set()
    for question, pair in _pairs(table):
        if question is None:
            alike.add(pair)
        else:
            found.setdefault(question, {})[pair] = None
    told = {question: sorted(pair for pair in found[question] if pair not in alike) for question in sorted(found)}
    objects = table.objects
    return {
        table.questions[question]: tuple((objects[one], objects[other]) for one, other in pairs)
        for question, pairs in told.items()
        if pairs
    }


def _pairs(table: Table) -> Iterator[tuple[int | None, tuple[int, int]]]:
    """Two objects that one question alone tells apart by some of their variants, and that question; None: some of their
    variants are alike."""
    codes, group_of, object_of = table.codes, table.group_of, table.object_of.tolist()
    for member in range(table.variants - 1):
        unlike = codes[:, member + 1 :] != codes[:, member : member + 1]
        questions = unlike.sum(axis=0)
        for other in np.flatnonzero((questions <= 1) & (group_of[member + 1 :] != group_of[member])).tolist():
            one, two = sorted((object_of[member], object_of[member + 1 + other]))
            yield int(unlike[:, other].argmax()) if questions[other] else None, (one, two)
