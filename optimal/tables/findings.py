"""Pairs of objects that one question of a table alone separates."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from optimal.tables.table import Table

#: Pairs of variants times questions, and pairs found: beyond these nothing is reported.
MOST_PAIRS, MOST_TOLD = 1 << 30, 1 << 20

#: By question the pairs of objects that it alone separates.
Told = dict[str, tuple[tuple[str, str], ...]]


def told_by_one(table: Table) -> Told | None:
    """The pairs of objects of different groups that one question alone separates, by that question.

    In some of their variants they differ in nothing else. Pairs that may end together in any key are left out. None
    where there are too many pairs.
    """
    found = _separated(table)
    if found is None:
        return None
    names = table.objects
    return {table.questions[one]: tuple((names[a], names[b]) for a, b in pairs) for one, pairs in found.items()}


def told_names(table: Table) -> Told | None:
    """The same for people: several objects of one group that a question separates from another group are named once,
    by the name of their group, where it has one."""
    pairs_of = _separated(table)
    if pairs_of is None or not table.group_names:
        return told_by_one(table)
    groups, found = table.groups.tolist(), {}
    for question, pairs in pairs_of.items():
        sides: dict[tuple[int, int], set[int]] = defaultdict(set)
        for a, b in pairs:
            sides[groups[a], groups[b]].add(a)
            sides[groups[b], groups[a]].add(b)
        names = {side: table.names(objects) for side, objects in sides.items()}
        named: dict[tuple[str, str], None] = {}
        for pair in pairs:
            left, right = (names[groups[one], groups[other]] for one, other in (pair, pair[::-1]))
            first = left[0] if len(left) == 1 else table.objects[pair[0]]
            named[first, right[0] if len(right) == 1 else table.objects[pair[1]]] = None
        found[table.questions[question]] = tuple(named)
    return found


def _separated(table: Table) -> dict[int, list[tuple[int, int]]] | None:
    """What `told_by_one` finds, by indices."""
    if table.variants * table.variants * len(table.questions) > MOST_PAIRS:
        return None
    codes, outcome_of, object_of = table.codes, table.outcome_of, table.object_of.tolist()
    outcomes: dict[int, set[int]] = defaultdict(set)
    for one, outcome in zip(object_of, outcome_of.tolist(), strict=True):
        outcomes[one].add(outcome)
    found: dict[int, set[tuple[int, int]]] = defaultdict(set)
    count = 0
    for member in range(table.variants - 1):
        unlike = codes[:, member + 1 :] != codes[:, member : member + 1]
        alone = (unlike.sum(axis=0) == 1) & (outcome_of[member + 1 :] != outcome_of[member])
        for other in np.flatnonzero(alone).tolist():
            pair = sorted((object_of[member], object_of[member + 1 + other]))
            found[int(unlike[:, other].argmax())].add((pair[0], pair[1]))
            count += 1
        if count > MOST_TOLD:
            return None
    groups = table.groups.tolist()
    kept = {
        question: sorted((a, b) for a, b in pairs if groups[a] != groups[b] and outcomes[a].isdisjoint(outcomes[b]))
        for question, pairs in sorted(found.items())
    }
    return {question: pairs for question, pairs in kept.items() if pairs}
