"""Random tables, and keys as lists of numbers, for tests."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations, count, permutations, product
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from textbook_tables import Plan, Textbook, Varying

from optimal._engine import Control, KeySearch
from optimal.search.distinct_columns import DistinctColumns
from optimal.search.identify import identify
from optimal.search.key_result import Identification
from optimal.search.key_run import KeyRun
from optimal.search.result import Status
from optimal.tables.table import Table
from optimal.trees.key import Key
from optimal.trees.nodes import Step


@dataclass(frozen=True)
class Plain:
    """A table without words."""

    codes: npt.NDArray[np.uint16]
    object_of: npt.NDArray[np.int32]
    weights: npt.NDArray[np.int64]
    costs: npt.NDArray[np.int64]
    groups: npt.NDArray[np.int32]


def plain(
    codes: list[list[int]],
    *,
    object_of: list[int] | None = None,
    weights: list[int] | None = None,
    costs: list[int] | None = None,
    groups: list[int] | None = None,
) -> Plain:
    """A table by its codes, question by question; nothing else of it need be told."""
    rows = np.array(codes, dtype=np.uint16)
    questions, variants = rows.shape
    things = np.array(range(variants) if object_of is None else object_of, dtype=np.int32)
    return Plain(
        rows,
        things,
        np.array([1] * variants if weights is None else weights, dtype=np.int64),
        np.array([1] * questions if costs is None else costs, dtype=np.int64),
        np.array(range(int(things.max()) + 1) if groups is None else groups, dtype=np.int32),
    )


def sorting(things: int) -> Plain:
    """Which order do these things have? A question compares two of them."""
    orders = list(permutations(range(things)))
    return plain([[int(order[i] < order[j]) for order in orders] for i, j in combinations(range(things), 2)])


def coins(many: int) -> Plain:
    """One coin of them is lighter or heavier than the others: a question weighs some against as many others."""
    odd = [(coin, sign) for coin in range(many) for sign in (-1, 1)]
    pans = [pan for pan in product((-1, 0, 1), repeat=many) if sum(pan) == 0 and next(filter(None, pan), 0) == 1]
    return plain([[1 + pan[coin] * sign for coin, sign in odd] for pan in pans])


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


def flat(tree: Plan | Step) -> list[int]:
    """A plan of the textbook, or a key's tree, in preorder."""
    if not tree.children:
        return [-1]
    below = (number for code in sorted(tree.children) for number in (code, *flat(tree.children[code])))
    return [-1 if tree.question is None else tree.question, len(tree.children), *below]


def question_of(r: random.Random, table: Table) -> dict[str, Any]:
    """What `identify` may be asked of a table."""
    limit, cost_limit = r.choice([None, None, r.randint(0, 6)]), r.choice([None, None, None, r.randint(0, 20)])
    objective, jobs = r.choice(["mean", "worst"]), r.choice([1, 1, 1, 2])
    asked = table.questions
    openers = None if r.random() < 0.7 else sorted(r.sample(asked, r.randint(1, len(asked))), key=asked.index)
    return {"objective": objective, "limit": limit, "cost_limit": cost_limit, "first": openers, "jobs": jobs}


def against_textbook(table: Table, story: object, **asked: Any) -> Identification:
    """Status, value, bound and the very key are the textbook's."""
    names = asked.get("first")
    openers = None if names is None else [table.questions.index(name) for name in names]
    want = Textbook(table).solve(asked.get("limit"), asked.get("objective", "mean"), openers, asked.get("cost_limit"))
    found = identify(table, **asked)
    if want is None:
        assert (found.status, found.key, found.value) == (Status.INFEASIBLE, None, None), story
        return found
    assert (found.status, found.value, found.bound, found.gap) == (Status.OPTIMAL, want.value, want.value, 0), story
    assert found.key is not None
    assert flat(found.key.root) == flat(want.plan), story
    return found


PETS = Table.from_arrays(
    [["4", "no", "a/b"], ["2", "yes", "?"], ["2", "no", "b"], ["2", "no", "b"]],
    questions=["legs", "sings", "coat"],
    objects=["cat", "wren", "hen", "duck"],
    weights=["0.5", 1, 2, 1],
    costs=[1, "2.5", 1],
    groups=["fur", "b", "b", "c"],
    name="pets",
)


def best(table: Table, **options: Any) -> Key:
    found = Textbook(table).solve(**options)
    assert found is not None
    return Key.of(table, flat(found.plan), bound=found.value, objective=options.get("objective", "mean"))


def random_table(chance: random.Random, objects: int = 6, questions: int = 5) -> Table:
    kinds = ["0", "1", "2", "0/1", "?"]
    cells = [[chance.choice(kinds[: chance.choice([2, 3, 5])]) for _ in range(questions)] for _ in range(objects)]
    cells[0] = ["0"] * questions
    return Table.from_arrays(
        cells,
        weights=[chance.randint(1, 5) for _ in range(objects)],
        costs=[chance.choice([1, 2, "0.5"]) for _ in range(questions)],
        groups=[chance.choice("abcde") for _ in range(objects)],
    )


def search_of(table: Table, **options: Any) -> KeySearch:
    kinds = DistinctColumns.of(table)
    control = Control(np.zeros(2, dtype=np.int64))
    return KeySearch(kinds.codes, kinds.weights, kinds.groups, kinds.costs, control, **options)


def sparse(kinds: int, questions: int, seed: int) -> Table:
    """Two replies, one of them rare, and costs: the hardest there is of its size."""
    r = random.Random(seed)
    codes = [[int(r.random() < 0.15) for _ in range(kinds)] for _ in range(questions)]
    return table_of(plain(codes, costs=[r.randint(1, 9) for _ in range(questions)]))


def data_of(found: Identification) -> bytes:
    assert found.key is not None
    return found.key.to_bytes()


def trees_table() -> Table:
    rows = [["a", "x"], ["b", "x"], ["c", "x"], ["a", "y"], ["b", "y"]]
    names = ["ash 1", "ash 2", "ash 3", "elm", "oak"]
    groups = ["ash", "ash", "ash", None, "oaks"]
    return Table.from_arrays(rows, objects=names, questions=["leaf", "bark"], groups=groups)


def damaged(data: bytes, chance: random.Random, marks: str = ';,"/?') -> bytes:
    """The bytes of a file with junk in a few places, the marks of its format among it."""
    junk = [b"", b"\n", b"\x00", b"\xff", "é".encode(), b"9" * 30, *(mark.encode() for mark in marks)]
    held = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(held))
        held[at : at + chance.randint(0, 6)] = chance.choice(junk)
    return bytes(held)
