"""A key of the numbers that a search found: its tree, held against the table, and its sums, counted anew."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from optimal.errors import InputError, InternalError, TreeFileError
from optimal.trees.keycodec import Packed, PackedCells
from optimal.trees.nodes import Step, from_preorder

if TYPE_CHECKING:
    from optimal.tables.table import Table, VaryingTable

#: Objects with their shares of weight, and the questions asked.
Left = tuple[dict[int, int], frozenset[int]]


def packed_of(table: Table) -> Packed | PackedCells:
    """What a key's file has of a table."""
    import numpy as np  # here, because following a key does without

    from optimal.tables.table import VaryingTable

    rest = (tuple(table.costs.tolist()), tuple(table.groups.tolist()), table.weight_scale, table.cost_scale)
    if isinstance(table, VaryingTable):
        cells = table.cells.astype("<u2").tobytes()
        return PackedCells(table.kinds, cells, table.object_weights, *rest, table.group_names)
    codes, variants = table.codes.astype("<u2").tobytes(), tuple(np.bincount(table.object_of).tolist())
    return Packed(codes, variants, tuple(table.weights.tolist()), *rest, table.group_names)


def table_of(
    name: str,
    questions: tuple[str, ...],
    objects: tuple[str, ...],
    replies: tuple[tuple[str, ...], ...],
    packed: Packed | PackedCells,
) -> Table:
    """The table of a key's file. TreeFileError where that has none that could be."""
    import numpy as np

    from optimal.tables.table import Table, VaryingTable

    codes = np.frombuffer(packed.codes, dtype="<u2").reshape(len(questions), -1)
    costs, groups = np.array(packed.costs, dtype=np.int64), np.array(packed.groups, dtype=np.int32)
    names: dict[str, Any] = {"name": name, "questions": questions, "objects": objects, "replies": replies}
    names |= {"costs": costs, "groups": groups, "group_names": packed.group_names}
    names |= {"weight_scale": packed.weight_scale, "cost_scale": packed.cost_scale}
    if isinstance(packed, PackedCells):
        return VaryingTable(cells=codes, kinds=packed.kinds, object_weights=packed.weights, notes=(), **names)
    try:
        weights = np.array(packed.weights, dtype=np.int64)
        return Table(codes=codes, object_of=np.array(packed.owners, dtype=np.int32), weights=weights, **names)
    except (InputError, OverflowError, ValueError) as error:
        raise TreeFileError(f"bad key file: its table is none: {error}") from None


def grown(table: Table, nodes: Sequence[int]) -> tuple[Step, int, int, int, int]:
    """Return the tree of these numbers, total, asked, worst and worst cost. KeyError or alike where it doesn't fit."""
    import numpy as np

    from optimal.tables.table import VaryingTable

    costs, numbers, cost = table.costs.tolist(), iter(nodes), 0
    total = asked = worst = worst_cost = 0
    # What is left: variants, or objects with their shares and the questions asked.
    left: Any
    if isinstance(table, VaryingTable):
        ended, split = partial(_objects_of_shares, table), partial(_split_shares, table)
        left = dict(enumerate(table.object_weights)), frozenset[int]()
    else:
        ended, split, left = partial(_objects, table), partial(_split, table), np.arange(table.variants)
    # The label of a question: the step without children, what is left by reply, and the cost of the path through it.
    Asked = tuple[Step, dict[int, Any], int]

    def begin(depth: int) -> tuple[Asked, int]:
        nonlocal total, asked, worst, worst_cost
        question = next(numbers)
        if question < 0:
            if (objects := ended(left)) is None:
                raise InternalError("a key ends where objects must still be told apart")
            worst, worst_cost = max(worst, depth), max(worst_cost, cost)
            return (Step(None, objects=objects), {}, cost), 0
        weight, classes = split(left, question)
        if next(numbers) != len(classes):
            raise KeyError
        total, asked = total + weight * costs[question], asked + weight
        return (Step(question), classes, cost + costs[question]), len(classes)

    def next_code(label: Asked, last: int) -> int:
        nonlocal left, cost
        _, classes, cost = label
        left = classes.pop(code := next(numbers))
        return code

    root = from_preorder(begin, next_code, lambda label, below: Step(label[0].question, below, label[0].objects))
    if next(numbers, None) is not None:
        raise InternalError("a key goes on after its end")
    return root, total, asked, worst, worst_cost


def _objects(table: Table, members: Any) -> tuple[int, ...] | None:
    """The objects of variants at the end of a key; None where some must still be told apart."""
    import numpy as np

    apart = len(set(table.outcome_of[members].tolist())) > 1
    return None if apart else tuple(np.unique(table.object_of[members]).tolist())


def _split(table: Table, members: Any, question: int) -> tuple[int, dict[int, Any]]:
    """The weight of variants, and those with each reply to a question."""
    import numpy as np

    row = table.codes[question][members]
    order = row.argsort(kind="stable")
    codes, starts = np.unique(row[order], return_index=True)
    classes = dict(zip(codes.tolist(), np.split(members[order], starts[1:]), strict=True))
    return int(table.weights[members].sum()), classes


def _objects_of_shares(table: VaryingTable, left: Left) -> tuple[int, ...] | None:
    shares, gone = left
    ends = table.settled(list(shares), [one for one in range(len(table.costs)) if one not in gone])
    return tuple(sorted(shares)) if ends else None


def _split_shares(table: VaryingTable, left: Left, question: int) -> tuple[int, dict[int, Left]]:
    shares, gone = left
    if question in gone:
        raise KeyError
    found: dict[int, dict[int, int]] = {}
    for one, share in shares.items():
        codes = table.replies_of(question, one)
        for code in codes:
            found.setdefault(code, {})[one] = share // len(codes)
    return sum(shares.values()), {code: (some, gone | {question}) for code, some in found.items()}
