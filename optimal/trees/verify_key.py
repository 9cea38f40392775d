"""An independent check of a key: every variant is replayed through its tree, and all that it says is counted anew.

Nothing here comes from the engine, from `identify` or from what makes a key of a search: it reads the file's own table,
byte by byte, in plain Python. Handed the table again, it holds the file's against it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING

from optimal.show.record import Record
from optimal.show.table import Sheet, Tabled
from optimal.show.words import counted, listed
from optimal.trees.key import Key, key_of
from optimal.trees.keycodec import Packed, PackedCells
from optimal.trees.nodes import Step

if TYPE_CHECKING:
    from optimal.tables.table import Table

MAX_PROBLEMS = 20


@dataclass(frozen=True, repr=False)
class KeyCheck(Tabled, Record):
    """What a replay of a key found. It prints as `optimal verify` does, and shows as a table in a notebook."""

    json_fields = "ok objects variants total mean mean_questions worst worst_cost problems notes claim"

    key: str  # what the key says of itself, in one line
    ok: bool
    objects: int
    variants: int
    total: int
    mean: Fraction
    mean_questions: Fraction
    worst: int
    worst_cost: int
    problems: tuple[str, ...]  # one line each; none when ok
    notes: tuple[str, ...]  # what was not checked
    claim: str  # what the file says and a replay cannot prove

    @property
    def table(self) -> Sheet:
        """The same for people."""
        fields = [
            ("objects", f"{self.objects}, in {counted(self.variants, 'variant')}, all of them replayed"),
            ("total", str(self.total)),
            ("cost", f"{float(self.mean):.4f} expected"),
            ("questions", f"{float(self.mean_questions):.4f} expected, {self.worst} at most"),
            *(("problem", problem) for problem in self.problems),
            *(("note", note) for note in self.notes),
            ("claim", self.claim),
        ]
        return Sheet(f"{'ok' if self.ok else 'NOT ok'}: {self.key}", fields, {})


def verify_key(key: Key | str | os.PathLike[str], table: object = None) -> KeyCheck:
    """Replay every variant of every object through a key, and count all sums anew.

    >>> from optimal import Table, identify, verify_key
    >>> table = Table.from_arrays([["4", "no"], ["2", "yes"], ["2", "no"]])
    >>> verify_key(identify(table).key, table).ok
    True

    Parameters
    ----------
    key : Key or str or path
        The key, or its file.
    table : Table, str, path, DataFrame or array, optional
        The table that it should be of, as for `Table.of`. Without it the one in the key's file is taken as it is.

    Returns
    -------
    KeyCheck
        Whether the key is right, the sums as counted, and the problems. A replay does not prove that no key costs less.

    Raises
    ------
    TreeFileError
        For a file that is no good key file.
    InputError
        For what is neither a key nor the name of a file.
    """
    key = key_of(key)
    if table is not None:
        from optimal.tables.table import Table  # here, because the key's own table needs no numpy

        table = Table.of(table)
    return (_Replay(key) if isinstance(key.packed, Packed) else _Shares(key)).checked(table)


class _Replay:
    """The replies of a key's table, where each variant goes, and the sums on the way."""

    def __init__(self, key: Key) -> None:
        assert isinstance(key.packed, Packed)
        self.key, self.packed = key, key.packed
        self.owners = [place for place, count in enumerate(key.packed.variants) for _ in range(count)]
        self.forms = len(self.owners)
        self.total = self.asked = self.worst = self.worst_cost = 0
        self.problems: list[str] = []

    def column(self, variant: int) -> bytes:
        """The replies of a variant to all questions, the low bytes first."""
        codes, size = self.packed.codes, 2 * len(self.owners)
        return codes[2 * variant :: size] + codes[2 * variant + 1 :: size]

    def replay(self) -> dict[int, list[int]]:
        """The variants at each end, by the identity of its step."""
        key, questions = self.key, len(self.key.questions)
        ends: dict[int, list[int]] = {}
        for variant, weight in enumerate(self.packed.weights):
            column, step, cost, asked = self.column(variant), key.root, 0, 0
            while step.question is not None:
                cost += self.packed.costs[step.question]
                asked += 1
                reply = column[step.question] + 256 * column[questions + step.question]
                if reply not in step.children:
                    name, question = key.objects[self.owners[variant]], key.questions[step.question]
                    text = key.replies[step.question][reply]
                    self.problems.append(f"{name}: nothing follows the reply {text} to {question}")
                    break
                step = step.children[reply]
            else:
                ends.setdefault(id(step), []).append(variant)
            self.total += weight * cost
            self.asked += weight * asked
            self.worst, self.worst_cost = max(self.worst, asked), max(self.worst_cost, cost)
        return ends

    def problems_found(self) -> Iterator[str]:
        """What is wrong with the tree; the sums are counted on the way."""
        return self.wrong_ends(self.replay())

    def checked(self, table: Table | None) -> KeyCheck:
        key = self.key
        self.problems += self.problems_found()
        self.problems += self.wrong_claims()
        if table is not None:
            self.problems += _other_table(key, table)
        more = len(self.problems) - MAX_PROBLEMS
        weight = sum(key.packed.weights)
        claim = f"OPTIMAL: {key.total} is claimed the least{key.scope}; a replay does not prove that"
        return KeyCheck(
            str(key),
            not self.problems,
            len(key.objects),
            self.forms,
            self.total,
            Fraction(self.total, weight * key.packed.cost_scale),
            Fraction(self.asked, weight),
            self.worst,
            self.worst_cost,
            (*self.problems[:MAX_PROBLEMS], *([f"and {more} more"] if more > 0 else [])),
            () if table is not None else ("the table is that of the key's file; --table names another to compare",),
            claim if key.status == "OPTIMAL" else f"{key.status}: nothing is claimed to be the least",
        )

    def wrong_ends(self, ends: dict[int, list[int]]) -> Iterator[str]:
        """Ends that name other objects than come there, and those that leave together what must be told apart."""
        key = self.key
        left: dict[bytes, set[int]] = {}
        for variant, owner in enumerate(self.owners):
            left.setdefault(self.column(variant), set()).add(self.packed.groups[owner])
        for step in key.root.nodes():
            if step.question is not None:
                continue
            variants = ends.get(id(step), [])
            here = sorted({self.owners[variant] for variant in variants})
            if not here:
                yield f"nothing comes to the end that names {key.named(step)}"
            elif tuple(here) != step.objects:
                came = " / ".join(key.objects[one] for one in here)
                yield f"the end that names {key.named(step)} is that of {came}"
            # The groups that could be left after all questions: while these differ, one of them can be excluded.
            if len({frozenset(left[self.column(variant)]) for variant in variants}) > 1:
                yield f"{key.named(step)} end together, and could be told apart"

    def wrong_claims(self) -> Iterator[str]:
        """What the key says of itself that isn't so."""
        key = self.key
        for what, said, found in (
            ("total", key.total, self.total),
            ("weight of the questions asked", key.asked, self.asked),
            ("worst case", key.worst, self.worst),
            ("cost of the worst case", key.worst_cost, self.worst_cost),
            ("value", key.value, (self.total,) if key.objective == "mean" else (self.worst_cost, self.total)),
        ):
            if said != found:
                yield f"the {what} is said to be {said}; it is {found}"
        if key.limit is not None and self.worst > key.limit:
            yield f"{self.worst} questions are asked, more than the limit of {key.limit}"
        if key.cost_limit is not None and self.worst_cost > key.cost_limit:
            yield f"questions cost {self.worst_cost}, more than the limit of {key.cost_limit}"
        if key.openers is not None and key.root.question is not None and key.root.question not in key.openers:
            yield f"{key.questions[key.root.question]} is asked first, and is none of the openers"


class _Shares(_Replay):
    """The same for a key whose table has cells, not forms: objects go down the key with shares of their weights."""

    def __init__(self, key: Key) -> None:
        assert isinstance(key.packed, PackedCells)
        self.key, self.cells = key, key.packed
        self.total = self.asked = self.worst = self.worst_cost = 0
        self.problems: list[str] = []
        many = range(len(key.questions))
        self.forms = sum(prod(len(self.cells.replies_of(q, i)) for q in many) for i in range(len(key.objects)))

    def problems_found(self) -> Iterator[str]:
        key, packed = self.key, self.cells
        total = asked = Fraction(0)
        waiting: list[tuple[Step, dict[int, Fraction], frozenset[int], int]] = [
            (key.root, {one: Fraction(weight) for one, weight in enumerate(packed.weights)}, frozenset(), 0)
        ]
        while waiting:
            step, shares, gone, cost = waiting.pop()
            if step.question is None:
                self.worst, self.worst_cost = max(self.worst, len(gone)), max(self.worst_cost, cost)
                if tuple(sorted(shares)) != step.objects:
                    yield f"the end that names {key.named(step)} is that of {' / '.join(key.names(sorted(shares)))}"
                if not self.known(set(shares), [one for one in range(len(packed.costs)) if one not in gone]):
                    yield f"{key.named(step)} end together, and could be told apart"
                continue
            if step.question in gone:
                yield f"{key.questions[step.question]} is asked twice on a path"
                continue
            total += packed.costs[step.question] * sum(shares.values())
            asked += sum(shares.values())
            below: dict[int, dict[int, Fraction]] = {}
            for one, share in shares.items():
                codes = packed.replies_of(step.question, one)
                for code in codes:
                    below.setdefault(code, {})[one] = share / len(codes)
            for code in sorted({*below, *step.children}):
                if code in below and code in step.children:
                    paid = cost + packed.costs[step.question]
                    waiting.append((step.children[code], below[code], gone | {step.question}, paid))
                else:
                    text = key.replies[step.question][code]
                    what = "nothing follows" if code in below else "something follows, though no object gives,"
                    yield f"{what} the reply {text} to {key.questions[step.question]}"
        if total.denominator * asked.denominator > 1:
            yield "the shares of the weights are not whole numbers"
        self.total, self.asked = int(total), int(asked)

    def known(self, objects: set[int], left: list[int]) -> bool:
        """Whether every form of these objects leaves the same groups, whatever is replied to the questions left."""
        packed, groups = self.cells, {self.cells.groups[one] for one in objects}
        if len(groups) == 1:
            return True
        for place, question in enumerate(left):
            codes = {one: packed.replies_of(question, one) for one in objects}
            if len(set(codes.values())) == 1:
                continue
            parts = [
                {one for one in objects if code in codes[one]} for code in {c for cell in codes.values() for c in cell}
            ]
            return all(
                {packed.groups[one] for one in part} == groups and self.known(part, left[place + 1 :]) for part in parts
            )
        return True


def _other_table(key: Key, table: Table) -> Iterator[str]:
    """In what the key's table differs from another, whatever they are called."""
    from optimal.tables.table import VaryingTable  # here, because the key's own table needs no numpy

    if not key.packed.group_names and isinstance(key.packed, Packed) and not isinstance(table, VaryingTable):
        table = replace(table, group_names=())  # of version 1, which has none; or there are none
    if table.sha256 == key.table.sha256:
        return
    forms = ("weights", "codes") if isinstance(key.packed, Packed) else ("object_weights", "kinds", "cells")
    parts = ("questions", "objects", "replies", *forms, "costs", "groups", "group_names")
    if type(table) is not type(key.table):  # one has forms, the other cells
        parts = parts[:3]
    unlike = [part for part in parts if _part(table, part) != _part(key.table, part)]
    # A row of costs that isn't named is an object, a column of weights or groups a question.
    named = {"questions", "objects", "replies", "weights", "costs", "groups"}.intersection(unlike)
    options = "--cost-row, --weight-column, --group-column, --classes, --only, --without, --separator, --transpose"
    hint = f"; the table must be read by the options of the key: {options}" if named else ""
    names = ["names of groups" if part == "group_names" else part for part in unlike]
    yield f"the key is of another table: its {listed(names or ['scales'])} differ{hint}"


def _part(table: Table, name: str) -> object:
    part = getattr(table, name)
    return part if isinstance(part, tuple) else (part.shape, part.tobytes())
