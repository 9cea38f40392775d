"""What a table and its key tell beyond the best questions: what is never asked, what rests on one question alone."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations

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
    """The pairs of objects that one question alone tells apart, by that question: without it a key may leave them
    together. Not those that no question always tells apart, nor objects of one group. None where there are too many.
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
    if told is None:
        return None
    groups, found = table.groups.tolist(), {}
    for question, pairs in told.items():
        sides: dict[tuple[int, int], set[int]] = defaultdict(set)
        for a, b in pairs:
            sides[groups[a], groups[b]].add(a)
            sides[groups[b], groups[a]].add(b)

        def name(one: int, other: int, sides: dict[tuple[int, int], set[int]] = sides) -> str:
            names = table.names(sides[groups[one], groups[other]])
            return names[0] if len(names) == 1 else table.objects[one]

        found[table.questions[question]] = tuple(dict.fromkeys((name(a, b), name(b, a)) for a, b in pairs))
    return found


def _told(table: Table) -> dict[int, list[tuple[int, int]]] | None:
    """What `told_by_one` finds, by places."""
    twins = _twins(table)
    if twins is None:
        return None
    object_of, groups = table.object_of.tolist(), table.groups.tolist()
    outcomes = [frozenset(table.outcomes[one]) for one in table.outcome_of.tolist()]
    ends: dict[int, set[frozenset[int]]] = defaultdict(set)
    for member, outcome in enumerate(outcomes):
        ends[object_of[member]].add(outcome)
    told: dict[int, list[tuple[int, int]]] = {}
    for question, pairs in sorted(twins.items()):
        # Without the question variants that differ in it alone are the same: then the groups of all of them are left.
        wider = dict(enumerate(outcomes))
        for one, other in pairs:
            wider[one] |= outcomes[other]
            wider[other] |= outcomes[one]
        left: dict[frozenset[int], set[int]] = {wider[one]: set() for pair in pairs for one in pair}
        for member, outcome in wider.items():
            if outcome in left:
                left[outcome].add(object_of[member])
        found = {
            (a, b)
            for objects in left.values()
            for a, b in combinations(sorted(objects), 2)
            if groups[a] != groups[b] and ends[a].isdisjoint(ends[b])
        }
        if found:
            told[question] = sorted(found)
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
