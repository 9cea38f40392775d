"""Which objects of a table have forms in common, and which can be told apart: from forms, or from cells that vary."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int32]
Cells = npt.NDArray[np.uint16]
Kinds = Sequence[Sequence[tuple[int, ...]]]

#: Objects up to which they are compared in pairs; covers of an object that bounds look at.
MOST_PAIRED, MOST_COVERS = 4096, 8


def _in_all(cells: Cells, kinds: Kinds, holds: Callable[[tuple[int, ...], tuple[int, ...]], bool]) -> Bools:
    """objects x objects: whether this holds between the cells of both for every question."""
    found = np.ones((cells.shape[1], cells.shape[1]), dtype=bool)
    for row, known in zip(cells, kinds, strict=True):
        found &= np.array([[holds(a, b) for b in known] for a in known])[row[:, None], row[None, :]]
    return found


def overlaps(cells: Cells, kinds: Kinds) -> Bools:
    """objects x objects: whether they have a form in common."""
    return _in_all(cells, kinds, lambda a, b: not set(a).isdisjoint(b))


def pairs(cells: Cells, kinds: Kinds, groups: Ints) -> list[tuple[int, ...]]:
    """The pairs of objects of different groups that no question always tells apart."""
    if len(groups) > MOST_PAIRED:
        return []
    shared = np.triu(overlaps(cells, kinds) & (groups[:, None] != groups[None, :]), 1)
    return [(int(a), int(b)) for a, b in zip(*np.nonzero(shared), strict=True)]


def apart(cells: Cells, kinds: Kinds, groups: Ints) -> Bools:
    """Objects of which any two of different groups end apart in every key: of these two, one has no form in common with
    the other's group, so what is known at its ends is never what is known at the other's."""
    kept = np.zeros(len(groups), dtype=bool)
    if len(groups) > MOST_PAIRED:
        return kept
    members = np.zeros((int(groups.max()) + 1, len(groups)), dtype=np.float32)
    members[groups, np.arange(len(groups))] = 1
    meets = (overlaps(cells, kinds).astype(np.float32) @ members.T) > 0  # objects x groups
    crossing = meets[:, groups] & meets[:, groups].T & (groups[:, None] != groups[None, :])
    for one in np.argsort(crossing.sum(axis=1), kind="stable").tolist():
        kept[one] = not (crossing[one] & kept).any()
    return kept


def outcomes(codes: Cells, groups: Ints) -> tuple[tuple[tuple[int, ...], ...], Ints]:
    """The sets of groups that have a form in common, each in rising order; and the set of each form, by its place."""
    forms = [column.tobytes() for column in np.ascontiguousarray(codes.T)]
    members: dict[bytes, set[int]] = {}
    for form, group in zip(forms, groups.tolist(), strict=True):
        members.setdefault(form, set()).add(group)
    number: dict[tuple[int, ...], int] = {}
    of_form = {form: number.setdefault(tuple(sorted(known)), len(number)) for form, known in members.items()}
    return tuple(number), np.array([of_form[form] for form in forms], dtype=np.int32)


def together(outcomes: Sequence[Sequence[int]], outcome_of: Ints, object_of: Ints) -> list[tuple[int, ...]]:
    """The sets of objects with forms of one outcome of several groups, without those that are part of another."""
    found: dict[int, set[int]] = {}
    for outcome, member in zip(outcome_of.tolist(), object_of.tolist(), strict=True):
        if len(outcomes[outcome]) > 1:
            found.setdefault(outcome, set()).add(member)
    kept: list[set[int]] = []
    holding: dict[int, list[set[int]]] = defaultdict(list)
    for members in sorted(found.values(), key=len, reverse=True):
        if not any(members <= other for other in min((holding[one] for one in members), key=len)):
            kept.append(members)
            for one in members:
                holding[one].append(members)
    return sorted(tuple(sorted(members)) for members in kept)


def covers(cells: Cells, kinds: Kinds, groups: Ints, costs: npt.NDArray[np.int64]) -> list[list[int]]:
    """For each object the others that have all its forms, and more: a few, those first that cost most to tell from it.
    None where groups have several objects."""
    many = len(groups)
    if many > MOST_PAIRED or len(np.unique(groups)) < many:
        return [[] for _ in range(many)]
    within, found = _in_all(cells, kinds, lambda a, b: set(a) <= set(b)), []
    for one in range(many):
        others = np.flatnonzero(within[one])
        dear = costs @ (cells[:, others] != cells[:, [one]])
        order = np.argsort(-dear, kind="stable")
        found.append(others[order][dear[order] > 0][:MOST_COVERS].tolist())
    return found


def settled(cells: Cells, kinds: Kinds, groups: Ints, objects: Sequence[int], left: Sequence[int]) -> bool:
    """Whether no replies to the questions left can exclude a group of these objects."""
    known = {int(groups[one]) for one in objects}
    if len(known) == 1:
        return True
    rows = cells[np.ix_(left, objects)]
    unlike = [left[row] for row in np.flatnonzero((rows != rows[:, :1]).any(axis=1)).tolist()]
    if not unlike:
        return True
    if len(known) == len(objects):
        return False
    rest: dict[int, list[int]] = {}
    for one in objects:
        for reply in kinds[unlike[0]][cells[unlike[0], one]]:
            rest.setdefault(reply, []).append(one)
    return all(
        {int(groups[one]) for one in some} == known and settled(cells, kinds, groups, some, unlike[1:])
        for some in rest.values()
    )
