"""Key files: msgpack, canonical (equal keys give equal bytes), every value checked on reading.

The format is specified in docs/reference/formats.md. Version 1 has no names of groups, and its keys had to tell apart
forms of one outcome. Version 3 is of tables whose objects have too many forms to be written out: it has their cells.
"""

from __future__ import annotations

import math
import sys
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeAlias

from optimal.errors import TreeFileError
from optimal.limits import INFEASIBLE, LARGEST_LIMIT, LONGEST_LIST, MOST_CODE
from optimal.show.words import counted
from optimal.trees import reader
from optimal.trees.nodes import Step, preorder

MAGIC, VERSION = "optimal-key", 2
#: The version of keys of tables that have cells, not forms.
CELLS = 3
OBJECTIVES = ("mean", "worst")
#: Names of questions, objects and replies are no longer.
MOST_LETTERS = 300
#: Digits of a number at most.
MOST_DIGITS = 60

#: The keys of a payload, in their order.
_PAYLOAD = (
    *("program", "name", "questions", "objects", "replies", "variants", "codes", "weights", "weight_scale"),
    *("costs", "cost_scale", "groups", "group_names", "objective", "limit", "cost_limit", "status", "value", "bound"),
    *("total", "asked", "worst", "worst_cost", "openers", "tree"),
)
_SUMS = ("total", "asked", "worst", "worst_cost")
#: What may be too large for a number of msgpack, in version 3: then it is a text of digits.
_WIDE = ("weights", "weight_scale", "value", "bound", "total", "asked")


#: A path as steps and codes of replies, its end (None where the key has none), and what goes that way.
Way: TypeAlias = tuple[list[tuple[Step, int]], Step | None, int]


@dataclass(frozen=True)
class Packed:
    """What a table is beside its names, without numpy: as a key's file has it."""

    #: questions x variants, each in two bytes, the low one first.
    codes: bytes
    #: How many variants each object has.
    variants: tuple[int, ...]
    weights: tuple[int, ...]
    costs: tuple[int, ...]
    groups: tuple[int, ...]
    weight_scale: int
    cost_scale: int
    #: The name of each group, as the table has them.
    group_names: tuple[str, ...] = ()

    @property
    def owners(self) -> list[int]:
        """The object of each variant."""
        return [place for place, count in enumerate(self.variants) for _ in range(count)]

    def ways(self, root: Step, place: int) -> Iterator[Way]:
        """The way of each variant of an object."""
        cells, members = memoryview(self.codes), len(self.weights)
        first = sum(self.variants[:place])
        for member in range(first, first + self.variants[place]):
            path: list[tuple[Step, int]] = []
            step: Step | None = root
            while step is not None and step.question is not None:
                at = 2 * (step.question * members + member)
                path.append((step, code := int.from_bytes(cells[at : at + 2], "little")))
                step = step.children.get(code)
            yield path, step, self.weights[member]

    @property
    def cells(self) -> Sequence[int]:
        """The codes as numbers: those of all variants for the first question, then for the next."""
        codes = array("H", self.codes)
        if sys.byteorder == "big":
            codes.byteswap()
        return codes


@dataclass(frozen=True)
class PackedCells:
    """The same of a table whose objects have too many forms to be written out: it has their cells."""

    #: Of each question the replies of each of its cells, rising.
    kinds: tuple[tuple[tuple[int, ...], ...], ...]
    #: questions x objects: the number of a cell among those of its question; two bytes each, the low one first.
    codes: bytes
    #: Of each object: whole numbers, of which all shares that come about are whole, too.
    weights: tuple[int, ...]
    costs: tuple[int, ...]
    groups: tuple[int, ...]
    weight_scale: int
    cost_scale: int
    group_names: tuple[str, ...] = ()

    def replies_of(self, question: int, place: int) -> tuple[int, ...]:
        """The replies that can come from an object."""
        at = 2 * (question * len(self.weights) + place)
        return self.kinds[question][int.from_bytes(self.codes[at : at + 2], "little")]

    def ways(self, root: Step, place: int) -> Iterator[Way]:
        """The ways that an object goes, each with the share of its weight that goes there."""
        waiting: list[tuple[list[tuple[Step, int]], Step | None, int]] = [([], root, self.weights[place])]
        while waiting:
            path, step, share = waiting.pop()
            if step is None or step.question is None:
                yield path, step, share
                continue
            codes = self.replies_of(step.question, place)
            below = [([*path, (step, code)], step.children.get(code), share // len(codes)) for code in codes]
            waiting += below[::-1]


def step_numbers(root: Step, at_end: Callable[[Step], Iterable[int]], first: int = 1) -> list[int]:
    """Return a key in preorder: a question's index plus ``first``, its number of replies, then the code of each and its
    subtree; or what ``at_end`` returns for an end."""
    return preorder(
        root, lambda step: at_end(step) if step.question is None else (step.question + first, len(step.children))
    )


def flat(root: Step) -> list[int]:
    """The tree as a file has it: an end is 0, its number of objects, and these."""
    return step_numbers(root, lambda end: (0, len(end.objects), *end.objects))


def pack_key(key: Mapping[str, Any]) -> bytes:
    """The bytes of a key with these fields. TreeFileError for one that is too large."""
    known = {**vars(key["packed"]), **key, "tree": flat(key["root"])}
    cells = isinstance(key["packed"], PackedCells)
    if cells:
        known |= {name: _wide(known[name]) for name in _WIDE}
    names = ["kinds" if name == "variants" and cells else name for name in _PAYLOAD]
    data = reader.sealed(MAGIC, CELLS if cells else VERSION, {name: known[name] for name in names})
    if len(data) > reader.MAX_FILE_BYTES:
        raise TreeFileError(
            f"the key cannot be written: {len(data)} bytes; at most {reader.MAX_FILE_BYTES} are possible"
        )
    return data


def unpack_key(data: bytes) -> dict[str, Any]:
    """The fields of a key's file. Raises TreeFileError for anything that is not exactly a key file."""
    return reader.opened(data, reader.KEY_START, (1, VERSION, CELLS), _read_payload)


def _wide(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_wide, value))
    return value if value <= LARGEST_LIMIT else str(value)


def _narrow(value: Any) -> Any:
    """A number that may be written as a text, or a list of such."""
    if isinstance(value, list):
        return list(map(_narrow, value))
    if isinstance(value, str):
        if not (value.isascii() and value.isdecimal() and len(value) <= MOST_DIGITS and int(value) > LARGEST_LIMIT):
            reader.fail("a text is no large number")
        if str(int(value)) != value:
            reader.fail("a number is not written in the shortest form")
        return int(value)
    return value


def _read_payload(payload: Any, version: int) -> dict[str, Any]:
    names = [name for name in _PAYLOAD if version > 1 or name != "group_names"]
    if version == CELLS:
        names[names.index("variants")] = "kinds"
    fields = reader.fields_of(payload, "payload", names)
    most = LARGEST_LIMIT
    if version == CELLS:
        fields = {name: _narrow(value) if name in _WIDE else value for name, value in fields.items()}
        most = 10**MOST_DIGITS
    questions, objects = (reader.labels(fields[name], name, 1, LONGEST_LIST, MOST_LETTERS) for name in _PAYLOAD[2:4])
    many = len(questions)
    known = reader.items(fields["replies"], "replies", many, many)
    replies = tuple(reader.labels(names, "replies", 1, LONGEST_LIST, MOST_LETTERS) for names in known)
    packed: Packed | PackedCells
    if version == CELLS:
        packed = _read_cells(fields, len(objects), list(map(len, replies)))
    else:
        packed = _read_packed(fields, len(objects), list(map(len, replies)))
    objective = reader.choice(fields["objective"], "objective", OBJECTIVES)
    claim = reader.claim(fields, 1 if objective == "mean" else 2, most)
    sums = {name: reader.integer(fields[name], name, 0, most) for name in _SUMS}
    if claim["value"] != ((sums["total"],) if objective == "mean" else (sums["worst_cost"], sums["total"])):
        reader.fail(f"value {list(claim['value'])} does not fit the sums")
    limits = {name: reader.optional(fields[name], reader.integer, name) for name in ("limit", "cost_limit")}
    openers = reader.optional(fields["openers"], reader.integers, "openers", 1, many)
    if openers is not None and (list(openers) != sorted(set(openers)) or openers[-1] >= many):
        reader.fail("openers are out of order, or no questions")
    root = _read_steps(fields["tree"], replies, len(objects), LONGEST_LIST if version == CELLS else len(packed.weights))
    if root.depth != sums["worst"]:
        reader.fail(f"a tree of {root.depth} questions at most, where {sums['worst']} are said")
    if (
        isinstance(packed, Packed)
        and version == 1
        and (limits["limit"] is not None or objective == "worst" or _outcomes_merge(packed))
    ):
        # Bounds within limits may be false, and where keys may end earlier now another may cost less.
        claim |= {"status": "FEASIBLE", "bound": (0,) * len(claim["value"])}
    return {
        "name": reader.label(fields["name"], "name"),
        "questions": questions,
        "objects": objects,
        "replies": replies,
        "packed": packed,
        "objective": objective,
        **limits,
        **claim,
        **sums,
        "openers": openers,
        "root": root,
        "program": reader.label(fields["program"], "program"),
    }


def _read_packed(fields: dict[str, Any], objects: int, replies: Sequence[int]) -> Packed:
    variants = reader.integers(fields["variants"], "variants", objects, objects)
    members = sum(variants)
    if 0 in variants or members > LONGEST_LIST:
        reader.fail(f"{members} variants of {objects} objects")
    weights = reader.integers(fields["weights"], "weights", members, members)
    costs = reader.integers(fields["costs"], "costs", len(replies), len(replies))
    groups = reader.integers(fields["groups"], "groups", objects, objects)
    if max(groups) >= objects or not any(weights) or sum(weights) * max(1, sum(costs)) >= INFEASIBLE:
        reader.fail("weights, costs or groups are out of range")
    packed = Packed(
        reader.binary(fields["codes"], "codes", 2 * len(replies) * members),
        variants,
        weights,
        costs,
        groups,
        reader.integer(fields["weight_scale"], "weight_scale", 1),
        reader.integer(fields["cost_scale"], "cost_scale", 1),
        _group_names(fields, objects),
    )
    cells = packed.cells
    for question, count in enumerate(replies):
        if max(cells[question * members : (question + 1) * members]) >= count:
            reader.fail(f"question {question + 1} has a code beyond its {counted(count, 'reply', 'replies')}")
    return packed


def _group_names(fields: dict[str, Any], objects: int) -> tuple[str, ...]:
    most = max(reader.integers(fields["groups"], "groups", objects, objects))
    names = tuple(reader.items(fields.get("group_names", []), "group_names", 0, objects))
    given = reader.labels([name for name in names if name != ""], "group_names", 0, objects, MOST_LETTERS)
    if names and (len(names) != most + 1 or not given):
        reader.fail(f"{len(names)} names of {most + 1} groups, or none of them")
    return names


def _read_cells(fields: dict[str, Any], objects: int, replies: Sequence[int]) -> PackedCells:
    kinds = []
    for of, count in zip(reader.items(fields["kinds"], "kinds", len(replies), len(replies)), replies, strict=True):
        known = [reader.integers(cell, "a cell", 1, count) for cell in reader.items(of, "kinds", 1, objects)]
        if any(list(cell) != sorted(set(cell)) or cell[-1] >= count for cell in known) or len(set(known)) < len(known):
            reader.fail("the replies of a cell are out of order, or none, or a cell is there twice")
        kinds.append(tuple(known))
    packed = PackedCells(
        tuple(kinds),
        reader.binary(fields["codes"], "codes", 2 * len(replies) * objects),
        tuple(
            reader.integer(weight, "weights", 0, 10**MOST_DIGITS)
            for weight in reader.items(fields["weights"], "weights", objects, objects)
        ),
        reader.integers(fields["costs"], "costs", len(replies), len(replies)),
        reader.integers(fields["groups"], "groups", objects, objects),
        reader.integer(fields["weight_scale"], "weight_scale", 1, 10**MOST_DIGITS),
        reader.integer(fields["cost_scale"], "cost_scale", 1),
        _group_names(fields, objects),
    )
    if max(packed.groups) >= objects or not any(packed.weights) or sum(packed.costs) >= INFEASIBLE:
        reader.fail("weights, costs or groups are out of range")
    cells = array("H", packed.codes)
    if sys.byteorder == "big":
        cells.byteswap()
    for question, of in enumerate(kinds):
        if max(cells[question * objects : (question + 1) * objects]) >= len(of):
            reader.fail(f"question {question + 1} has no such cell")
    for place, weight in enumerate(packed.weights):
        if weight % math.prod(len(packed.replies_of(question, place)) for question in range(len(replies))):
            reader.fail(f"shares of the weight of object {place + 1} are not whole")
    return packed


def _outcomes_merge(packed: Packed) -> bool:
    """Whether variants of different replies are of one outcome of several groups."""
    known: dict[tuple[int, ...], set[int]] = {}
    cells, owners = packed.cells, packed.owners
    for member, owner in enumerate(owners):
        known.setdefault(tuple(cells[member :: len(owners)]), set()).add(packed.groups[owner])
    shared = [frozenset(groups) for groups in known.values() if len(groups) > 1]
    return len(set(shared)) < len(shared)


def _read_steps(value: Any, replies: Sequence[Sequence[str]], objects: int, members: int) -> Step:
    # A first question that is named may split nothing; all others do.
    numbers = reader.integers(value, "tree", 3, 9 * members + 9)

    def begin(numbers: Iterator[int], depth: int) -> tuple[Step, int]:
        if depth > members + 1:
            reader.fail(f"tree deeper than its {members} variants")
        question = reader.integer(next(numbers), "question", 0, len(replies)) - 1
        count = reader.integer(next(numbers), "number of children", 1, MOST_CODE + 1)
        if question >= 0:
            return Step(question), count
        here = tuple(islice(numbers, count))
        if len(here) < count or list(here) != sorted(set(here)) or here[-1] >= objects:
            reader.fail("objects at an end are out of order, or not all there")
        return Step(None, objects=here), 0

    def code_of(code: int, step: Step, last: int) -> int:
        assert step.question is not None
        return reader.integer(code, "reply", last + 1, len(replies[step.question]) - 1)

    return reader.tree(numbers, begin, code_of, lambda step, below: Step(step.question, below, step.objects))
