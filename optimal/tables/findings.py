"""What a table and its key tell beyond the best questions: what is never asked, what rests on one question alone."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from optimal.tables.key import Key
from optimal.tables.table import Table

#: Pairs of variants times questions, and pairs that one question tells apart; more aren't gone through.
MOST_PAIRS, MOST_TOLD = 1 << 30, 1 << 20

#: By question the pairs of objects that it alone tells apart.
Told = dict[str, tuple[tuple[str, str], ...]]


def never_asked(key: Key) -> tuple[str, ...]:
    """The questions that a key never asks."""
    asked = {step.question for step in key.root.steps()}
    return tuple(question for place, question in enumerate(key.questions) if place not in asked)


def told_by_one(table: Table) -> Told | None:
    """The pairs of objects of different groups that one question alone tells apart, by that question: in some of their
    variants they differ in nothing else. Not those that no question always tells apart. None where there are too many.
    """
    told = _told(table)
    if told is None:
        return None
    names = table.objects
    return {table.questions[one]: tuple((names[a], names[b]) for a, b in pairs) for one, pairs in told.items()}


def told_names(table: Table) -> Told | None:
    """The same for people: several objects of one group that a question alone tells from another group are named once,
    by the name of their group, where it has one."""
    told = _told(table)
    if told is None or not table.group_names:
        return told_by_one(table)
    groups, found = table.groups.tolist(), {}
    for question, pairs in told.items():
        sides: dict[tuple[int, int], set[int]] = defaultdict(set)
        for a, b in pairs:
            sides[groups[a], groups[b]].add(a)
            sides[groups[b], groups[a]].add(b)
        names = {side: table.names(objects) for side, objects in sides.items()}

        def name(one: int, other: int, names: dict[tuple[int, int], tuple[str, ...]] = names) -> str:
            named = names[groups[one], groups[other]]
            return named[0] if len(named) == 1 else table.objects[one]

        found[table.questions[question]] = tuple(dict.fromkeys((name(a, b), name(b, a)) for a, b in pairs))
    return found


def _told(table: Table) -> dict[int, list[tuple[int, int]]] | None:
    """What `told_by_one` finds, by places."""
    twins = _twins(table)
    if twins is None:
        return None
    object_of, groups = table.object_of.tolist(), table.groups.tolist()
    ends: dict[int, set[int]] = defaultdict(set)
    for one, outcome in zip(object_of, table.outcome_of.tolist(), strict=True):
        ends[one].add(outcome)
    told = {}
    for question, pairs in sorted(twins.items()):
        objects = {(min(pair), max(pair)) for pair in ((object_of[a], object_of[b]) for a, b in pairs)}
        if found := sorted((a, b) for a, b in objects if groups[a] != groups[b] and ends[a].isdisjoint(ends[b])):
            told[question] = found
    return told


def _twins(table: Table) -> dict[int, list[tuple[int, int]]] | None:
    """The pairs of variants of different outcomes that differ in one question alone, by that question."""
    if table.variants * table.variants * len(table.questions) > MOST_PAIRS:
        return None
    codes, outcome_of, found, many = table.codes, table.outcome_of, defaultdict(list), 0
    for member in range(table.variants - 1):
        unlike = codes[:, member + 1 :] != codes[:, member : member + 1]
        alone = (unlike.sum(axis=0) == 1) & (outcome_of[member + 1 :] != outcome_of[member])
        for other in np.flatnonzero(alone).tolist():
            found[int(unlike[:, other].argmax())].append((member, member + 1 + other))
            many += 1
        if many > MOST_TOLD:
            return None
    return found
