"""`Key`: which question to ask after every reply, until none can exclude an object, or a group, that is left.

Immutable data, pure Python: following a key needs neither numpy nor the engine. Its file (msgpack, canonical) holds the
whole table too, so that a key can be checked, drawn and asked for advice without any other file. A key may be as deep
as it has variants, so nothing here recurses.
"""

from __future__ import annotations

import os
import sys
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NoReturn

from optimal._version import __version__
from optimal.checks import check_path
from optimal.errors import InputError, InternalError, TreeFileError, did_you_mean
from optimal.files import write_whole
from optimal.limits import INFEASIBLE, LONGEST_LIST, MOST_CODE
from optimal.show.drawing import Drawn, tree_svg
from optimal.show.words import counted, listed, named, quoted, shown
from optimal.trees.codec import MAX_FILE_BYTES
from optimal.trees.reader import KEY_START, Reader, opened, other_file, sealed

if TYPE_CHECKING:
    from fractions import Fraction

    from optimal.tables.table import Table

#: The format. Version 1 has no names of groups, and its keys had to tell apart forms of one outcome.
MAGIC, VERSION = "optimal-key", 2
OBJECTIVES = ("mean", "worst")
STATUSES = ("OPTIMAL", "FEASIBLE")
#: Names of questions, objects and replies are no longer.
MOST_LETTERS = 300
#: Between the objects at an end.
OR = " / "
#: Ends of a key that a notebook draws.
MOST_DRAWN = 200
#: Of the JSON; it grows when a field goes or changes its meaning.
JSON_VERSION = 1

_NOTHING: Mapping[int, Step] = MappingProxyType({})


class Step:
    """A question, by its place in the table, and the step after each reply; or, at the end, the objects left."""

    __slots__ = ("children", "objects", "question")

    question: int | None
    children: Mapping[int, Step]
    objects: tuple[int, ...]

    def __init__(
        self, question: int | None, children: Mapping[int, Step] = _NOTHING, objects: tuple[int, ...] = ()
    ) -> None:
        ordered = MappingProxyType(dict(sorted(children.items()))) if children else _NOTHING
        object.__setattr__(self, "question", question)
        object.__setattr__(self, "children", ordered)
        object.__setattr__(self, "objects", objects)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("a Step is immutable")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("a Step is immutable")

    def __reduce__(self) -> tuple[Any, ...]:
        return Step, (self.question, dict(self.children), self.objects)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Step):
            return NotImplemented
        pairs = [(self, other)]
        while pairs:
            left, right = pairs.pop()
            if left is right:
                continue
            if (left.question, left.objects, left.children.keys()) != (
                right.question,
                right.objects,
                right.children.keys(),
            ):
                return False
            pairs += zip(left.children.values(), right.children.values(), strict=True)
        return True

    def __hash__(self) -> int:
        return hash((self.question, self.objects, *self.children))

    def __repr__(self) -> str:
        if self.question is None:
            return f"Step(None, objects={self.objects})"
        return f"Step({self.question}, {len(self.children)} children)"

    @property
    def depth(self) -> int:
        """Questions at most from here on, this one included."""
        depth, level = -1, [self]
        while level:
            depth += 1
            level = [child for step in level for child in step.children.values()]
        return depth

    def steps(self) -> Iterator[Step]:
        """Every step, parents first, replies in the table's order."""
        stack = [self]
        while stack:
            step = stack.pop()
            yield step
            stack.extend(list(step.children.values())[::-1])


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


@dataclass(frozen=True, repr=False)
class Key:
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

    name: str
    questions: tuple[str, ...]
    objects: tuple[str, ...]
    replies: tuple[tuple[str, ...], ...]
    packed: Packed
    objective: str  # "mean" | "worst"
    limit: int | None  # of questions
    cost_limit: int | None  # in the table's whole numbers
    status: str  # "OPTIMAL" | "FEASIBLE"
    value: tuple[int, ...]  # mean: (total,)  worst: (worst cost, total)
    bound: tuple[int, ...]  # proven lower bound of `value`, in the same order
    total: int  # sum of weight x cost
    asked: int  # sum of weight x number of questions
    worst: int  # questions on the longest path
    worst_cost: int  # of the dearest path
    openers: tuple[int, ...] | None  # the first questions that the claim covers; None: all
    root: Step
    program: str = f"optimal {__version__}"

    # Making

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
        """The key of a table whose tree is given in preorder: the place of a question, how many replies occur, then
        the code of each and what follows it; -1 where nothing need be asked.

        Its sums are counted here, and that all fits the table is looked at: InternalError where it doesn't. ``bound``
        proves it OPTIMAL where it is the key's value; without one the key is.
        """
        import numpy as np  # here, because following a key does without

        try:
            root, sums = _grown(table, nodes, np)
        except (IndexError, KeyError):
            raise InternalError("a key does not have the replies that occur") from None
        value = (sums["total"],) if objective == "mean" else (sums["worst_cost"], sums["total"])
        proven = value if bound is None else tuple(bound)
        _, counts = np.unique(table.object_of, return_counts=True)
        return cls(
            table.name,
            table.questions,
            table.objects,
            table.replies,
            Packed(
                table.codes.astype("<u2").tobytes(),
                tuple(counts.tolist()),
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
            sums["total"],
            sums["asked"],
            sums["worst"],
            sums["worst_cost"],
            None if openers is None else tuple(sorted(set(openers))),
            root,
        )

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Key:
        """The key of a file.

        >>> from optimal import Key, Table, identify
        >>> identify(Table.from_arrays([[0, 1], [1, 1]])).key.save("two.key")
        >>> Key.load("two.key").questions
        ('question 1', 'question 2')

        Parameters
        ----------
        path : str or path
            The file.

        Returns
        -------
        Key
            As it was saved. Its sums are left to `verify_key`.

        Raises
        ------
        TreeFileError
            For whatever is wrong with the file.
        InputError
            For what is no name of a file.
        """
        name = check_path(path, "the key file")
        try:
            with open(name, "rb") as file:
                data = file.read(MAX_FILE_BYTES + 1)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise TreeFileError(f"cannot read the key file {name!r}: {reason}") from None
        if len(data) > MAX_FILE_BYTES:
            raise TreeFileError(f"{name}: larger than {MAX_FILE_BYTES} bytes, the limit for a key file")
        try:
            return cls.from_bytes(data)
        except TreeFileError as error:
            raise TreeFileError(f"{name}: {error}") from None

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the key to a file, which appears whole or not at all.

        Parameters
        ----------
        path : str or path
            The file, which may be there already.

        Raises
        ------
        TreeFileError
            When it can't be written.
        """
        try:
            write_whole(check_path(path, "the key file"), [self.to_bytes()])
        except InputError as error:
            raise TreeFileError(str(error)) from None

    def to_bytes(self) -> bytes:
        """The bytes of the key's file: equal keys have equal ones. TreeFileError for a key that is too large."""
        import msgpack  # here, not above: whoever only reads does without

        packed = self.packed
        payload: bytes = msgpack.packb(
            {
                "program": self.program,
                "name": self.name,
                "questions": list(self.questions),
                "objects": list(self.objects),
                "replies": [list(replies) for replies in self.replies],
                "variants": list(packed.variants),
                "codes": packed.codes,
                "weights": list(packed.weights),
                "weight_scale": packed.weight_scale,
                "costs": list(packed.costs),
                "cost_scale": packed.cost_scale,
                "groups": list(packed.groups),
                "group_names": list(packed.group_names),
                "objective": self.objective,
                "limit": self.limit,
                "cost_limit": self.cost_limit,
                "status": self.status,
                "value": list(self.value),
                "bound": list(self.bound),
                "total": self.total,
                "asked": self.asked,
                "worst": self.worst,
                "worst_cost": self.worst_cost,
                "openers": None if self.openers is None else list(self.openers),
                "tree": flat(self.root),
            }
        )
        data = sealed(MAGIC, VERSION, payload)
        if len(data) > MAX_FILE_BYTES:
            raise TreeFileError(f"the key cannot be written: {len(data)} bytes; at most {MAX_FILE_BYTES} are possible")
        return data

    @classmethod
    def from_bytes(cls, data: bytes) -> Key:
        """The key of a file's bytes. Raises TreeFileError for anything that is not exactly a key file."""
        if not data or data[: len(KEY_START)] != KEY_START[: len(data)]:
            raise other_file(data, "key file")
        reader, version = opened(data, KEY_START, MAGIC, (1, VERSION))
        key = cls(**_fields(reader, version))
        reader.finish()
        if version == 1 and (key.limit is not None or key.objective == "worst" or _outcomes_merge(key.packed)):
            # Bounds within limits may be false, and where keys may end earlier now another may cost less: nothing is
            # claimed any more.
            return replace(key, status="FEASIBLE", bound=(0,) * len(key.value))
        return key

    # What it says

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

    @property
    def mean(self) -> Fraction:
        """The expected cost: total / sum of weights, in the costs of the table."""
        from fractions import Fraction

        return Fraction(self.total, sum(self.packed.weights) * self.packed.cost_scale)

    @property
    def mean_questions(self) -> Fraction:
        """The expected number of questions."""
        from fractions import Fraction

        return Fraction(self.asked, sum(self.packed.weights))

    @property
    def has_costs(self) -> bool:
        """Whether questions differ in what they cost, or cost something else than 1."""
        return set(self.packed.costs) != {1} or self.packed.cost_scale != 1

    def amount(self, cost: int) -> str:
        """A cost as people write it: whole numbers over the table's scale."""
        from fractions import Fraction

        exact = Fraction(cost, self.packed.cost_scale)
        return str(exact.numerator) if exact.denominator == 1 else f"{float(exact):.12g}"

    def named(self, end: Step) -> str:
        """The objects at an end; several of one group by its name."""
        return OR.join(self.names(end.objects))

    def names(self, objects: Iterable[int]) -> tuple[str, ...]:
        """Objects, by their places, as people name them: several of one group by its name, where it has one."""
        return named(objects, self.objects, self.packed.groups, self.packed.group_names)

    def svg(self) -> str:
        """The tree as a picture, from the first question on the left; the objects stand on the right."""
        nodes: list[Drawn] = []
        order: list[tuple[Step, int, list[tuple[str, int]]]] = []
        stack: list[tuple[Step, int, str, list[tuple[str, int]]]] = [(self.root, 0, "", [])]
        while stack:
            step, depth, reply, above = stack.pop()
            above.append((reply, len(order)))
            below: list[tuple[str, int]] = []
            order.append((step, depth, below))
            if step.question is not None:
                known = self.replies[step.question]
                stack += [(child, depth + 1, known[code], below) for code, child in list(step.children.items())[::-1]]
        for step, depth, below in order:
            text = self.named(step) if step.question is None else self.questions[step.question]
            nodes.append(Drawn(text, depth, tuple(below)))
        return "".join(tree_svg(str(self), nodes))

    def follow(self, replies: Sequence[tuple[str, str]]) -> Step | None:
        """The step after these questions and replies, by their names, from the first on; None when off the key."""
        step: Step | None = self.root
        for question, reply in replies:
            if step is None or step.question is None or self.questions[step.question] != question:
                return None
            known = self.replies[step.question]
            step = step.children.get(known.index(reply)) if reply in known else None
        return step

    def play(self, replies: Mapping[str, str]) -> tuple[list[tuple[str, str]], tuple[str, ...]]:
        """The questions that are asked, with these replies to them, and the objects that are left.

        >>> from optimal import Table, identify
        >>> table = Table.from_arrays([["4", "no"], ["2", "yes"], ["2", "no"]], questions=["legs", "sings"])
        >>> identify(table).key.play({"legs": "2", "sings": "no"})
        ([('legs', '2'), ('sings', 'no')], ('object 3',))

        Parameters
        ----------
        replies : mapping of str to str
            The reply to each question that may be asked, by their names.

        Returns
        -------
        list of (str, str), and tuple of str
            What was asked, and what it is: an object, or several that needn't or can't be told apart any more.

        Raises
        ------
        InputError
            Where a reply is missing, is none, or fits no object.
        """
        step, asked = self.root, []
        while step.question is not None:
            question = self.questions[step.question]
            if question not in replies:
                raise InputError(f"{quoted(question)} is asked, and has no reply among those given")
            code = self.code_of(step.question, replies[question])
            if code not in step.children:
                raise InputError(f"no object fits {quoted(question)}={quoted(replies[question])} after what was said")
            asked.append((question, self.replies[step.question][code]))
            step = step.children[code]
        return asked, tuple(self.objects[one] for one in step.objects)

    def paths(self, name: str) -> list[list[tuple[str, str]]]:
        """The ways by which the key comes to an object, one where no reply of it varies; each is what is asked, with
        the replies. InputError for what is no object."""
        if name not in self.objects:
            raise InputError(f"there is no object {shown(name)}{did_you_mean(str(name), self.objects)}")
        place = self.objects.index(name)
        codes, members = memoryview(self.packed.codes), sum(self.packed.variants)
        first = sum(self.packed.variants[:place])
        found: dict[tuple[tuple[str, str], ...], None] = {}
        for member in range(first, first + self.packed.variants[place]):
            step, path = self.root, []
            while step.question is not None:
                at = 2 * (step.question * members + member)
                code = int.from_bytes(codes[at : at + 2], "little")
                path.append((self.questions[step.question], self.replies[step.question][code]))
                if code not in step.children:
                    raise TreeFileError(f"the key has no end for {shown(name)}")
                step = step.children[code]
            found[tuple(path)] = None
        return [list(path) for path in found]

    def code_of(self, question: int, reply: object) -> int:
        """The number of a reply, by its name. InputError for what is none."""
        known = self.replies[question]
        if not isinstance(reply, str) or reply not in known:
            hint = did_you_mean(str(reply), known, f"there are {listed(known)}")
            raise InputError(f"{quoted(self.questions[question])} has no reply {shown(reply)}{hint}")
        return known.index(reply)

    def to_dict(self) -> dict[str, Any]:
        """All that the key says, as JSON has it: {"question": "legs", "children": {"2": {"objects": ["hen"]}}}."""
        packed = self.packed
        return {
            "format": MAGIC,
            "version": JSON_VERSION,
            "program": self.program,
            "table": self.name,
            "objective": self.objective,
            "limit": self.limit,
            "status": self.status,
            "value": list(self.value),
            "bound": list(self.bound),
            "total": self.total,
            "weight_scale": packed.weight_scale,
            "cost_scale": packed.cost_scale,
            "mean": float(self.mean),
            "mean_questions": float(self.mean_questions),
            "worst": self.worst,
            "worst_cost": self.worst_cost,
            "openers": None if self.openers is None else [self.questions[one] for one in self.openers],
            "objects": list(self.objects),
            **self._branches(),
        }

    def _branches(self) -> dict[str, Any]:
        root: dict[str, Any] = {}
        stack = [(self.root, root)]
        while stack:
            step, out = stack.pop()
            if step.question is None:
                out["objects"] = [self.objects[one] for one in step.objects]
                continue
            out["question"] = self.questions[step.question]
            out["children"] = {}
            for code, child in step.children.items():
                below: dict[str, Any] = {}
                out["children"][self.replies[step.question][code]] = below
                stack.append((child, below))
        return root

    def __str__(self) -> str:
        cost = f"expected cost {float(self.mean):.4f}, " if self.has_costs else ""
        return (
            f"{self.name}: {counted(len(self.objects), 'object')}, {cost}"
            f"expected questions {float(self.mean_questions):.4f}, worst case {self.worst}, {self.status}"
        )

    def __repr__(self) -> str:
        return f"<Key {self}>"

    def _repr_html_(self) -> str:
        """The picture of the key, for a notebook; of a large one the words alone."""
        ends = sum(step.question is None for step in self.root.steps())
        return self.svg() if ends <= MOST_DRAWN else f"<p>{escape(str(self))}</p>"


class _Open:
    """A question whose replies are being gone through."""

    __slots__ = ("children", "code", "left", "paid", "question")

    def __init__(self, question: int, left: Any, paid: int = 0) -> None:
        self.question = question
        self.children: dict[int, Step] = {}
        #: The replies to come, or how many.
        self.left = left
        self.code = -1
        #: The costs of the questions down to this one.
        self.paid = paid


def _closed(stack: list[_Open], step: Step) -> Step | None:
    """Hang a step where it belongs, and the questions that are done with it; the first of all where none is left."""
    while stack:
        above = stack[-1]
        above.children[above.code] = step
        if above.left:
            return None
        stack.pop()
        step = Step(above.question, above.children)
    return step


def _grown(table: Table, nodes: Sequence[int], np: Any) -> tuple[Step, dict[str, int]]:
    """The tree of these numbers, and its sums. KeyError, IndexError or InternalError where it doesn't fit the table."""
    weights, costs = table.weights, table.costs.tolist()
    total = asked = worst = worst_cost = at = 0
    stack: list[_Open] = []
    members = np.arange(table.variants)
    while True:
        question = nodes[at]
        if question >= 0:
            row = table.codes[question][members]
            order = row.argsort(kind="stable")
            row, sorted_members = row[order], members[order]
            begin = [0, *(np.flatnonzero(row[1:] != row[:-1]) + 1).tolist(), len(row)]
            classes = {int(row[start]): sorted_members[start:end] for start, end in pairwise(begin)}
            if nodes[at + 1] != len(classes):
                raise InternalError("a key does not have the replies that occur")
            weight = int(weights[members].sum())
            total, asked = total + weight * costs[question], asked + weight
            stack.append(_Open(question, classes, costs[question] + (stack[-1].paid if stack else 0)))
            at += 2
        else:
            if len(set(table.outcome_of[members].tolist())) > 1:
                raise InternalError("a key ends where objects must still be told apart")
            worst = max(worst, len(stack))
            worst_cost = max(worst_cost, stack[-1].paid if stack else 0)
            step = Step(None, objects=tuple(np.unique(table.object_of[members]).tolist()))
            at += 1
            if (root := _closed(stack, step)) is not None:
                if at != len(nodes):
                    raise InternalError("a key goes on after its end")
                return root, {"total": total, "asked": asked, "worst": worst, "worst_cost": worst_cost}
        stack[-1].code = nodes[at]
        members = stack[-1].left.pop(nodes[at])
        at += 1


def flat(root: Step) -> list[int]:
    """The tree as numbers, in preorder: a question's place plus one, its replies, then the code of each and what
    follows it; or 0, and how many objects are left, and their places."""
    return preorder(root, lambda end: (0, len(end.objects), *end.objects))


def preorder(root: Step, at_end: Callable[[Step], Iterable[int]], first: int = 1) -> list[int]:
    """A tree in preorder: a question's place plus ``first``, its replies, then the code of each and what follows it; or
    what is said at an end."""
    numbers: list[int] = []
    stack: list[tuple[int | None, Step]] = [(None, root)]
    while stack:
        code, step = stack.pop()
        if code is not None:
            numbers.append(code)
        if step.question is None:
            numbers += at_end(step)
        else:
            numbers += (step.question + first, len(step.children))
            stack.extend(sorted(step.children.items(), reverse=True))
    return numbers


def _outcomes_merge(packed: Packed) -> bool:
    """Whether variants of different replies are of one outcome of several groups."""
    codes, members = memoryview(packed.codes).cast("H"), sum(packed.variants)
    owners = [group for group, count in zip(packed.groups, packed.variants, strict=True) for _ in range(count)]
    known: dict[bytes, set[int]] = {}
    for member, group in enumerate(owners):
        known.setdefault(bytes(codes[member::members]), set()).add(group)
    shared = [frozenset(groups) for groups in known.values() if len(groups) > 1]
    return len(set(shared)) < len(shared)


def _fields(reader: Reader, version: int) -> dict[str, Any]:
    """The fields of a key's file, in their order."""
    many = 25 if version > 1 else 24
    reader.map("payload", many, many)
    program = reader.key("program").label("program")
    name = reader.key("name").label("name")
    questions = _names(reader, "questions", LONGEST_LIST)
    objects = _names(reader, "objects", LONGEST_LIST)
    if reader.key("replies").array("replies", 1, LONGEST_LIST) != len(questions):
        reader.fail("replies are not of as many questions as there are")
    replies = tuple(_labels(reader, "replies", LONGEST_LIST) for _ in questions)
    variants = reader.key("variants").integers("variants", 1, LONGEST_LIST)
    members = sum(variants)
    if len(variants) != len(objects) or 0 in variants or members > LONGEST_LIST:
        reader.fail(f"{members} variants of {len(objects)} objects")
    codes = reader.key("codes").binary("codes", 2 * len(questions) * members)
    _check_codes(reader, codes, [len(known) for known in replies], members)
    weights = reader.key("weights").integers("weights", 1, LONGEST_LIST)
    weight_scale = reader.key("weight_scale").integer("weight_scale", 1)
    costs = reader.key("costs").integers("costs", 1, LONGEST_LIST)
    cost_scale = reader.key("cost_scale").integer("cost_scale", 1)
    groups = reader.key("groups").integers("groups", 1, LONGEST_LIST)
    if (len(weights), len(costs), len(groups)) != (members, len(questions), len(objects)):
        reader.fail("weights, costs and groups are not of as many as there are")
    group_names: tuple[str, ...] = ()
    if version > 1 and (count := reader.key("group_names").array("group_names", 0, len(objects))):
        group_names = tuple(reader.text("group_names", MOST_LETTERS) for _ in range(count))
        known = [name for name in group_names if name]
        if count != max(groups) + 1 or not known or len(set(known)) < len(known) or not "".join(known).isprintable():
            reader.fail(f"{count} names of {max(groups) + 1} groups, none of them, one twice, or one not printable")
    if max(groups) >= len(objects) or not any(weights) or sum(weights) * max(1, sum(costs)) >= INFEASIBLE:
        reader.fail("weights, costs or groups are out of range")
    objective = reader.key("objective").choice("objective", OBJECTIVES)
    limit = None if reader.key("limit").nil() else reader.integer("limit", 0)
    cost_limit = None if reader.key("cost_limit").nil() else reader.integer("cost_limit", 0)
    status = reader.key("status").choice("status", STATUSES)
    length = 1 if objective == "mean" else 2
    value = reader.key("value").integers("value", length, length)
    bound = reader.key("bound").integers("bound", length, length)
    if bound > value or (status == "OPTIMAL" and bound != value):
        reader.fail(f"value {list(value)} and bound {list(bound)} do not fit status {status}")
    sums = {what: reader.key(what).integer(what) for what in ("total", "asked", "worst", "worst_cost")}
    if value != ((sums["total"],) if length == 1 else (sums["worst_cost"], sums["total"])):
        reader.fail(f"value {list(value)} does not fit the sums")
    openers = None
    if not reader.key("openers").nil():
        openers = reader.integers("openers", 1, len(questions))
        if list(openers) != sorted(set(openers)) or openers[-1] >= len(questions):
            reader.fail("openers are out of order, or no questions")
    root = _read_steps(reader.key("tree"), replies, len(objects), members)
    if root.depth != sums["worst"]:
        reader.fail(f"a tree of {root.depth} questions at most, where {sums['worst']} are said")
    return {
        "name": name,
        "questions": questions,
        "objects": objects,
        "replies": replies,
        "packed": Packed(codes, variants, weights, costs, groups, weight_scale, cost_scale, group_names),
        "objective": objective,
        "limit": limit,
        "cost_limit": cost_limit,
        "status": status,
        "value": value,
        "bound": bound,
        **sums,
        "openers": openers,
        "root": root,
        "program": program,
    }


def _names(reader: Reader, what: str, most: int) -> tuple[str, ...]:
    return _labels(reader.key(what), what, most)


def _labels(reader: Reader, what: str, most: int) -> tuple[str, ...]:
    names = tuple(reader.label(what, MOST_LETTERS) for _ in range(reader.array(what, 1, most)))
    if len(set(names)) != len(names):
        reader.fail(f"{what} hold a name twice")
    return names


def _check_codes(reader: Reader, codes: bytes, counts: Sequence[int], members: int) -> None:
    numbers = array("H", codes)
    if sys.byteorder == "big":
        numbers.byteswap()
    for question, count in enumerate(counts):
        if max(numbers[question * members : (question + 1) * members]) >= count:
            reader.fail(f"question {question + 1} has a code beyond its {counted(count, 'reply', 'replies')}")


def _read_steps(reader: Reader, replies: Sequence[Sequence[str]], objects: int, members: int) -> Step:
    # A question may leave all as they were where it was asked for by name, as the first; all others tell something.
    length = reader.array("tree", 3, 9 * members + 9)
    end = length
    stack: list[_Open] = []
    while True:
        if len(stack) > members + 1:
            reader.fail(f"tree deeper than its {members} variants")
        if end < 3:
            reader.fail(f"tree of more than {length} numbers, the length declared")
        question = reader.integer("question", 0, len(replies)) - 1
        count = reader.integer("number of children", 1, MOST_CODE + 1)
        end -= 2
        if question < 0:
            if count > min(end, objects):
                reader.fail(f"{count} objects at an end")
            left = tuple(reader.integer("object", 0, objects - 1) for _ in range(count))
            end -= count
            if list(left) != sorted(set(left)):
                reader.fail("objects at an end are out of order")
            if (root := _closed(stack, Step(None, objects=left))) is not None:
                if end:
                    reader.fail(f"tree of fewer than {length} numbers, the length declared")
                return root
            above = stack[-1]
        else:
            above = _Open(question, count)
            stack.append(above)
        if not end:
            reader.fail(f"tree of more than {length} numbers, the length declared")
        above.code = reader.integer("reply", above.code + 1, len(replies[above.question]) - 1)
        above.left -= 1
        end -= 1


def is_key(path: str | os.PathLike[str]) -> bool:
    """Whether the file begins as a key does; False for what can't be read, or only once, as a pipe."""
    if not os.path.isfile(path):
        return False
    try:
        with open(path, "rb") as file:
            return file.read(len(KEY_START)) == KEY_START
    except (OSError, ValueError):
        return False
