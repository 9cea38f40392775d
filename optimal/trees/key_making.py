"""A key of the numbers that a search found: its tree, held against the table, and its sums, counted anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from optimal.errors import InputError, InternalError, TreeFileError
from optimal.trees.keycodec import Packed, PackedCells
from optimal.trees.nodes import Step, from_preorder

if TYPE_CHECKING:
    from optimal.tables.table import Table, VaryingTable


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
    from optimal.tables.table import VaryingTable

    return _of_shares(table, nodes) if isinstance(table, VaryingTable) else _of_forms(table, nodes)


def _of_forms(table: Table, nodes: Sequence[int]) -> tuple[Step, int, int, int, int]:
    import numpy as np

    costs, numbers, members, cost = table.costs.tolist(), iter(nodes), np.arange(table.variants), 0
    total = asked = worst = worst_cost = 0
    # The label of a question: the step without children, the variants by reply, and the cost of the path through it.
    Asked = tuple[Step, dict[int, Any], int]

    def begin(depth: int) -> tuple[Asked, int]:
        nonlocal total, asked, worst, worst_cost
        question = next(numbers)
        if question < 0:
            if len(set(table.outcome_of[members].tolist())) > 1:
                raise InternalError("a key ends where objects must still be told apart")
            worst, worst_cost = max(worst, depth), max(worst_cost, cost)
            return (Step(None, objects=tuple(np.unique(table.object_of[members]).tolist())), {}, cost), 0
        row = table.codes[question][members]
        order = row.argsort(kind="stable")
        codes, starts = np.unique(row[order], return_index=True)
        classes = dict(zip(codes.tolist(), np.split(members[order], starts[1:]), strict=True))
        if next(numbers) != len(classes):
            raise KeyError
        weight = int(table.weights[members].sum())
        total, asked = total + weight * costs[question], asked + weight
        return (Step(question), classes, cost + costs[question]), len(classes)

    def next_code(label: Asked, last: int) -> int:
        nonlocal members, cost
        _, classes, cost = label
        members = classes.pop(code := next(numbers))
        return code

    root = from_preorder(begin, next_code, lambda label, below: Step(label[0].question, below, label[0].objects))
    if next(numbers, None) is not None:
        raise InternalError("a key goes on after its end")
    return root, total, asked, worst, worst_cost


def _of_shares(table: VaryingTable, nodes: Sequence[int]) -> tuple[Step, int, int, int, int]:
    costs, numbers = table.costs.tolist(), iter(nodes)
    shares, gone, cost = dict(enumerate(table.object_weights)), frozenset[int](), 0
    total = asked = worst = worst_cost = 0
    # As above, with the objects left and their shares by reply, and the questions asked.
    Asked = tuple[Step, dict[int, dict[int, int]], frozenset[int], int]

    def begin(depth: int) -> tuple[Asked, int]:
        nonlocal total, asked, worst, worst_cost
        question = next(numbers)
        if question < 0:
            left = [one for one in range(len(costs)) if one not in gone]
            if not table.settled(list(shares), left):
                raise InternalError("a key ends where objects must still be told apart")
            worst, worst_cost = max(worst, depth), max(worst_cost, cost)
            return (Step(None, objects=tuple(sorted(shares))), {}, gone, cost), 0
        classes: dict[int, dict[int, int]] = {}
        for one, share in shares.items():
            codes = table.replies_of(question, one)
            for code in codes:
                classes.setdefault(code, {})[one] = share // len(codes)
        if question in gone or next(numbers) != len(classes):
            raise KeyError
        weight = sum(shares.values())
        total, asked = total + weight * costs[question], asked + weight
        return (Step(question), classes, gone | {question}, cost + costs[question]), len(classes)

    def next_code(label: Asked, last: int) -> int:
        nonlocal shares, gone, cost
        _, classes, gone, cost = label
        shares = classes.pop(code := next(numbers))
        return code

    root = from_preorder(begin, next_code, lambda label, below: Step(label[0].question, below, label[0].objects))
    if next(numbers, None) is not None:
        raise InternalError("a key goes on after its end")
    return root, total, asked, worst, worst_cost
