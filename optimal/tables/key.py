"""`Key`: a tree of questions that knows the table it is of. What needs no numpy is in `optimal.trees.key`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from optimal.errors import InputError, InternalError, TreeFileError
from optimal.trees.key import KeyTree
from optimal.trees.keycodec import Packed
from optimal.trees.nodes import Builder, Step

if TYPE_CHECKING:
    from optimal.tables.table import Table


class Key(KeyTree):
    """A tree of questions with the claim that is made for it, and the table that it is of.

    `total` is the sum over all variants of weight x cost of the questions asked, in whole numbers; `mean` and
    `mean_questions` are the expected cost and number of questions, exactly.

    >>> from optimal import Key, Table, identify
    >>> table = Table.from_arrays([["4", "no"], ["2", "yes"], ["2", "no"]], questions=["legs", "sings"])
    >>> identify(table).key.save("pets.key")
    >>> key = Key.load("pets.key")
    >>> key.total, key.worst, str(key.status)
    (5, 2, 'OPTIMAL')
    """

    @classmethod
    def of(
        cls,
        table: Table,
        nodes: Sequence[int],
        *,
        objective: str = "mean",
        limit: int | None = None,
        cost_limit: int | None = None,
        bound: Sequence[int] | None = None,
        openers: Sequence[int] | None = None,
    ) -> Key:
        """The key of a table from its tree in preorder: the index of a question, its number of replies, then the code
        of each and its subtree; -1 at an end.

        Sums are counted here, and the tree is held against the table: InternalError where it doesn't fit. ``bound``
        proves the key OPTIMAL where it equals its value; without one it is taken as proven.
        """
        import numpy as np  # here, because following a key does without

        try:
            root, (total, asked, worst, worst_cost) = _grown(table, nodes, np)
        except (IndexError, KeyError, StopIteration):
            raise InternalError("a key does not have the replies that occur") from None
        value = (total,) if objective == "mean" else (worst_cost, total)
        proven = value if bound is None else tuple(bound)
        return cls(
            table.name,
            table.questions,
            table.objects,
            table.replies,
            Packed(
                table.codes.astype("<u2").tobytes(),
                tuple(np.bincount(table.object_of).tolist()),
                tuple(table.weights.tolist()),
                tuple(table.costs.tolist()),
                tuple(table.groups.tolist()),
                table.weight_scale,
                table.cost_scale,
                table.group_names,
            ),
            objective,
            limit,
            cost_limit,
            "OPTIMAL" if proven == value else "FEASIBLE",
            value,
            proven,
            total,
            asked,
            worst,
            worst_cost,
            None if openers is None else tuple(sorted(set(openers))),
            root,
        )

    @cached_property
    def table(self) -> Table:
        """The table that the key is of. TreeFileError where a file has none that could be."""
        import numpy as np  # here, because following a key does without

        from optimal.tables.table import Table

        packed = self.packed
        try:
            return Table(
                self.name,
                self.questions,
                self.objects,
                self.replies,
                np.frombuffer(packed.codes, dtype="<u2").reshape(len(self.questions), -1),
                np.repeat(np.arange(len(self.objects)), packed.variants),
                np.array(packed.weights, dtype=np.int64),
                np.array(packed.costs, dtype=np.int64),
                np.array(packed.groups, dtype=np.int32),
                packed.weight_scale,
                packed.cost_scale,
                group_names=packed.group_names,
            )
        except (InputError, OverflowError, ValueError) as error:
            raise TreeFileError(f"bad key file: its table is none: {error}") from None


def _grown(table: Table, nodes: Sequence[int], np: Any) -> tuple[Step, tuple[int, int, int, int]]:
    """The tree of these numbers, and total, asked, worst and worst cost. KeyError or alike where it doesn't fit."""
    weights, costs = table.weights, table.costs.tolist()
    total = asked = worst = worst_cost = 0
    numbers, root = iter(nodes), None
    # The label of an open question: its index, the variants by reply, and the cost of the path down to it.
    builder = Builder[Step](lambda label, children: Step(label[0], children))
    members = np.arange(table.variants)
    while root is None:
        question, paid = next(numbers), builder.label[2] if builder.depth else 0
        if question >= 0:
            row = table.codes[question][members]
            order = row.argsort(kind="stable")
            row, in_order = row[order], members[order]
            begin = [0, *(np.flatnonzero(row[1:] != row[:-1]) + 1).tolist(), len(row)]
            classes = {int(row[start]): in_order[start:end] for start, end in pairwise(begin)}
            if next(numbers) != len(classes):
                raise KeyError
            weight = int(weights[members].sum())
            total, asked = total + weight * costs[question], asked + weight
            builder.open((question, classes, paid + costs[question]), len(classes))
        else:
            if len(set(table.outcome_of[members].tolist())) > 1:
                raise InternalError("a key ends where objects must still be told apart")
            worst, worst_cost = max(worst, builder.depth), max(worst_cost, paid)
            root = builder.close(Step(None, objects=tuple(np.unique(table.object_of[members]).tolist())))
        if root is None:
            code = next(numbers)
            builder.child(code)
            members = builder.label[1].pop(code)
    if next(numbers, None) is not None:
        raise InternalError("a key goes on after its end")
    return root, (total, asked, worst, worst_cost)
