"""The key: which question to ask after every reply, until none can exclude an object, or a group, that is left.

Immutable data: following a key needs neither numpy nor the engine. Its file (msgpack, canonical) holds the whole table
too, so that a key can be checked, drawn and asked for advice without any other file.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any

from optimal._version import __version__
from optimal.errors import InputError, InternalError, TreeFileError, did_you_mean
from optimal.show.words import counted, either, listed, named, natural, quoted, shown
from optimal.trees.base import JSON_VERSION, Tree, fraction
from optimal.trees.keycodec import MAGIC, Packed, PackedCells, Way, pack_key, unpack_key
from optimal.trees.nodes import Step
from optimal.trees.reader import KEY_START, load_file, save_file

if TYPE_CHECKING:
    from fractions import Fraction

    from optimal.tables.table import Table

#: Ends of a key that a notebook draws.
MOST_DRAWN = 200


@dataclass(frozen=True, repr=False)
class Key(Tree[Step]):
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
    packed: Packed | PackedCells
    objective: str  # "mean" | "worst"
    limit: int | None  # of questions
    cost_limit: int | None  # in the table's whole numbers
    status: str  # "OPTIMAL" | "FEASIBLE"
    value: tuple[int, ...]  # mean: (total,)  worst: (worst cost, total)
    bound: tuple[int, ...]  # proven lower bound of `value`, in the same order
    total: int  # sum of weight x cost
    asked: int  # sum of weight x number of questions
    worst: int  # questions on the longest path
    worst_cost: int  # of the costliest path
    openers: tuple[int, ...] | None  # the first questions that the claim covers; None: all
    root: Step
    program: str = f"optimal {__version__}"

    @classmethod
    def of(
        cls,
        table: Table,
        nodes: Sequence[int],
        *,
        bound: Sequence[int],
        objective: str = "mean",
        limit: int | None = None,
        cost_limit: int | None = None,
        openers: Sequence[int] | None = None,
    ) -> Key:
        """Return the key of a table whose tree these numbers are in preorder: the index of a question, its number of
        replies, then the code of each and its subtree; -1 at an end.

        The key is OPTIMAL if ``bound``, proven below its value, equals it. The sums are counted here, and the tree is
        checked against the table: raises InternalError if it doesn't fit.
        """
        from optimal.trees.key_making import grown, packed_of  # here, because following a key does without numpy

        try:
            root, total, asked, worst, worst_cost = grown(table, nodes)
        except (IndexError, KeyError, StopIteration):
            raise InternalError("a key does not have the replies that occur") from None
        value = (total,) if objective == "mean" else (worst_cost, total)
        return cls(
            name=table.name,
            questions=table.questions,
            objects=table.objects,
            replies=table.replies,
            packed=packed_of(table),
            objective=objective,
            limit=limit,
            cost_limit=cost_limit,
            status="OPTIMAL" if tuple(bound) == value else "FEASIBLE",
            value=value,
            bound=tuple(bound),
            total=total,
            asked=asked,
            worst=worst,
            worst_cost=worst_cost,
            openers=None if openers is None else tuple(sorted(set(openers))),
            root=root,
        )

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Key:
        """Read the key of a file, as it was saved; its sums are left to `verify_key`.

        >>> from optimal import Key, Table, identify
        >>> identify(Table.from_arrays([[0, 1], [1, 1]])).key.save("two.key")
        >>> Key.load("two.key").questions
        ('question 1', 'question 2')

        Parameters
        ----------
        path : str or path
            The file.

        Raises
        ------
        TreeFileError
            For whatever is wrong with the file.
        InputError
            For what is no name of a file.
        """
        return load_file(path, "key", cls.from_bytes)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the key to a file, which appears whole or not at all. TreeFileError when it can't be written."""
        save_file(path, "key", self.to_bytes())

    def to_bytes(self) -> bytes:
        """The bytes of the key's file: equal keys have equal ones. TreeFileError for a key that is too large."""
        return pack_key(vars(self))

    @classmethod
    def from_bytes(cls, data: bytes) -> Key:
        """The key of a file's bytes. Raises TreeFileError for anything that is not exactly a key file."""
        return cls(**unpack_key(data))

    @cached_property
    def table(self) -> Table:
        """The table that the key is of. TreeFileError where a file has none that could be."""
        from optimal.trees.key_making import table_of  # here, because following a key does without numpy

        return table_of(self.name, self.questions, self.objects, self.replies, self.packed)

    @property
    def mean(self) -> Fraction:
        """The expected cost: total / sum of weights, in the costs of the table."""
        return fraction(self.total, sum(self.packed.weights) * self.packed.cost_scale)

    @property
    def mean_questions(self) -> Fraction:
        """The expected number of questions."""
        return fraction(self.asked, sum(self.packed.weights))

    @property
    def never_asked(self) -> tuple[str, ...]:
        """The questions that the key never asks."""
        asked = {step.question for step in self.root.nodes()}
        return tuple(question for place, question in enumerate(self.questions) if place not in asked)

    @property
    def has_costs(self) -> bool:
        """Whether questions differ in what they cost, or cost something else than 1."""
        return set(self.packed.costs) != {1} or self.packed.cost_scale != 1

    @property
    def scope(self) -> str:
        """Of which keys its value is the bound, where not of all: " with Size first", " within 4 questions"."""
        first = "" if self.openers is None else f" with {either([self.questions[one] for one in self.openers])} first"
        limits = [] if self.limit is None else [counted(self.limit, "question")]
        limits += [] if self.cost_limit is None else [f"a cost of {self.amount(self.cost_limit)}"]
        within = [f" within {' and '.join(limits)}"] if limits else []
        return " and".join([first] * bool(first) + within)

    def amount(self, cost: int) -> str:
        """A cost as people write it: whole numbers over the table's scale."""
        return decimal(fraction(cost, self.packed.cost_scale))

    def named(self, end: Step) -> str:
        """The objects at an end; several of one group by its name."""
        return " / ".join(self.names(end.objects))

    def names(self, objects: Iterable[int]) -> tuple[str, ...]:
        """Objects, by their places, as people name them: several of one group by its name, where it has one."""
        return named(objects, self.objects, self.packed.groups, self.packed.group_names)

    def label(self, node: Step) -> str:
        return self.named(node) if node.question is None else self.questions[node.question]

    def reply(self, node: Step, code: int) -> str:
        assert node.question is not None
        return self.replies[node.question][code]

    @cached_property
    def ranks(self) -> tuple[dict[int, int], ...]:
        """The places of the replies to each question, by their codes, in natural order: s2 before s10."""
        return tuple({code: rank for rank, code in enumerate(natural(replies))} for replies in self.replies)

    def children(self, node: Step) -> list[tuple[int, Step]]:
        ranks = {} if node.question is None else self.ranks[node.question]
        return sorted(node.children.items(), key=lambda branch: ranks[branch[0]])

    def follow(self, replies: Sequence[tuple[str, str]]) -> Step | None:
        """The step after these questions and replies, by name, from the root; None when off the key."""
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
            The questions asked, and the objects left: one, or several that no question can separate, or need not.

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
        """List the paths from the root to an object, each as its questions with their replies; one where no reply of
        the object varies. InputError for an unknown object."""
        if name not in self.objects:
            raise InputError(f"there is no object {shown(name)}{did_you_mean(str(name), self.objects)}")
        found: dict[tuple[tuple[str, str], ...], None] = {}
        for path, end, _ in self.ways(self.objects.index(name)):
            if end is None:
                raise TreeFileError(f"the key has no end for {shown(name)}")
            found[tuple((self.label(step), self.reply(step, code)) for step, code in path)] = None
        return [list(path) for path in found]

    def ways(self, place: int) -> Iterator[Way]:
        """The ways that an object's forms go, by its place, each with the share of its weight."""
        return self.packed.ways(self.root, place)

    def code_of(self, question: int, reply: object) -> int:
        """The code of a reply, by its name. InputError for an unknown one."""
        known = self.replies[question]
        if not isinstance(reply, str) or reply not in known:
            hint = did_you_mean(str(reply), known, f"there are {listed([known[code] for code in natural(known)])}")
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
            **self.branches(),
        }

    def node_fields(self, node: Step) -> dict[str, Any]:
        if node.question is None:
            return {"objects": [self.objects[one] for one in node.objects]}
        return {"question": self.questions[node.question]}

    def __str__(self) -> str:
        cost = f"expected cost {float(self.mean):.4f}, " if self.has_costs else ""
        return (
            f"{self.name}: {counted(len(self.objects), 'object')}, {cost}"
            f"expected questions {float(self.mean_questions):.4f}, worst case {self.worst}, {self.status}{self.scope}"
        )

    def _repr_html_(self) -> str:
        """The picture of the key, for a notebook; of a large one the words alone."""
        ends = sum(not step.children for step in self.root.nodes())
        return self.svg() if ends <= MOST_DRAWN else f"<p>{escape(str(self))}</p>"


def key_of(key: object) -> Key:
    """A key itself, or that of a file. InputError for anything else."""
    if isinstance(key, Key):
        return key
    if isinstance(key, str | os.PathLike):
        return Key.load(key)
    raise InputError(f"a key is needed: a Key, or its file; not {shown(key)}")


def is_key(path: str | os.PathLike[str]) -> bool:
    """Whether the file begins as a key does; False for what can't be read, or only once, as a pipe."""
    if not os.path.isfile(path):
        return False
    try:
        with open(path, "rb") as file:
            return file.read(len(KEY_START)) == KEY_START
    except (OSError, ValueError):
        return False


def decimal(value: Fraction) -> str:
    """A cost or a weight as people write it."""
    return str(value.numerator) if value.denominator == 1 else f"{float(value):.12g}"
