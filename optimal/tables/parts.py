"""The arrays that a `Table` consists of: their types, the rules that they keep to, and the hash of all."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from optimal.limits import INFEASIBLE, LONGEST_LIST
from optimal.tables.making import MOST_CELLS

#: The arrays by name, with their types.
ARRAYS = {"codes": np.uint16, "object_of": np.int32, "weights": np.int64, "costs": np.int64, "groups": np.int32}


def problem_of(table: Any) -> str | None:
    """What in a `Table` breaks a rule that the engine relies on."""
    asked, known, variants = len(table.questions), len(table.objects), len(table.object_of)
    if not asked or not known or not variants:
        return "a table needs an object and a question at least"
    if max(asked, known, variants) > LONGEST_LIST:
        counts = f"{asked} questions, {known} objects, {variants} variants"
        return f"{counts}; at most {LONGEST_LIST} of each are possible"
    if asked * variants > MOST_CELLS:
        return f"{asked} questions x {variants} variants; at most {MOST_CELLS} are possible"
    shapes = tuple(getattr(table, name).shape for name in ARRAYS)
    replies = np.array([len(replies) for replies in table.replies])
    if (
        shapes != ((asked, variants), (variants,), (variants,), (asked,), (known,))
        or len(replies) != asked
        or replies.max() > LONGEST_LIST  # a key's file has no more
        or (table.codes >= replies[:, None]).any()
        or (table.object_of[0], table.object_of[-1]) != (0, known - 1)
        or not np.isin(np.diff(table.object_of), (0, 1)).all()
        or not ((table.groups >= 0) & (table.groups < known)).all()
        or (table.group_names and len(table.group_names) != int(table.groups.max()) + 1)
        or min(table.weights.min(), table.costs.min()) < 0
        or min(table.weight_scale, table.cost_scale) < 1
    ):
        return "the parts of the table do not fit together"
    weight, cost = sum(table.weights.tolist()), sum(table.costs.tolist())
    if not weight:
        return "every object has weight 0; one at least must be more"
    if weight * max(cost, 1) >= INFEASIBLE:
        return (
            f"as whole numbers weights sum to {weight} and costs to {cost}; their product must stay below 2^62: "
            "give them with fewer digits, or make classes of ranges by --classes"
        )
    return None


def hash_of(table: Any) -> str:
    """The hash of all of a `Table` but its name."""
    digest = hashlib.sha256(f"{len(table.questions)} {len(table.objects)} {table.variants}\n".encode())
    for texts in (table.questions, table.objects, *table.replies):
        digest.update(f"{len(texts)}\n".encode())
        digest.update("".join(f"{text}\n" for text in texts).encode())
    digest.update(f"{table.weight_scale} {table.cost_scale}\n".encode())
    for name, kind in ARRAYS.items():
        digest.update(getattr(table, name).astype(np.dtype(kind).newbyteorder("<")).tobytes())
    digest.update("".join(f"{name}\n" for name in table.group_names).encode())
    return digest.hexdigest()


def hash_of_cells(table: Any) -> str:
    """The hash of all of a `VaryingTable` but its name."""
    digest = hashlib.sha256(b"cells\n")
    parts = (table.questions, table.objects, table.replies, table.kinds, table.object_weights, table.costs.tolist())
    for part in (*parts, table.groups.tolist(), table.weight_scale, table.cost_scale, table.group_names):
        digest.update(f"{part!r}\n".encode())
    digest.update(table.cells.astype("<u2").tobytes())
    return digest.hexdigest()
