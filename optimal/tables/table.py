"""`Table`: objects, questions and the reply of each object to each question, as whole numbers, checked once.

An object whose reply to a question varies is held as variants, one for each combination of replies that can come; they
share its weight equally, unless a cell has other shares. The outcome of a variant is what is known once all questions
have been asked: the groups that have a variant with the same replies. A key may end at variants of one outcome, and
only there: while they are of several, some question can still exclude a group; where they are of one, none can.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NoReturn, TypeAlias

import numpy as np
import numpy.typing as npt

from optimal.checks import warn_caller
from optimal.errors import ImpossibleFeedback, InputError, did_you_mean
from optimal.limits import LONGEST_LIST
from optimal.show.words import counted, listed, named, natural, quoted, shown
from optimal.tables.cells import AND, UNKNOWN, tidy
from optimal.tables.making import Layout, Source, cells_of_frame
from optimal.tables.overlaps import outcomes, pairs, settled, together
from optimal.tables.parts import ARRAYS, hash_of, hash_of_cells, problem_of
from optimal.tables.reading import read_cells

Codes = npt.NDArray[np.uint16]
Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
#: A reply to a question: one of several may be meant; None where it isn't known.
Reply: TypeAlias = str | tuple[str, ...] | None
#: Questions that were asked, and the replies.
Turns: TypeAlias = Sequence[tuple[str, Reply]]


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """Objects and their replies to questions, with costs of questions, and weights and groups of objects.

    Made by `from_csv`, `from_frame` or `from_arrays`; equal when all of it is equal. Costs and weights are whole
    numbers: the true ones are these over ``cost_scale`` and ``weight_scale``.

    >>> from optimal import Table
    >>> Table.from_arrays([["a", "x"], ["a", "y/z"], ["b", "?"]], groups=["1", "1", "2"]).variants
    6
    """

    name: str
    #: What is asked, in the order of the table.
    questions: tuple[str, ...]
    objects: tuple[str, ...]
    #: The replies to each question, in the order in which they come first.
    replies: tuple[tuple[str, ...], ...]
    #: questions x variants: the number of the reply in `replies`.
    codes: Codes
    #: The object of each variant; those of an object stand together, objects in their order.
    object_of: Ints
    #: Of each variant.
    weights: Longs
    #: Of each question.
    costs: Longs
    #: The group of each object, a number from 0 on; alone in it where there are no groups.
    groups: Ints
    weight_scale: int = 1
    cost_scale: int = 1
    #: What was odd about the cells, a line each.
    notes: tuple[str, ...] = ()
    #: The name of each group, by its number; "" for an object without one. () where no group has a name.
    group_names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name, kind in ARRAYS.items():
            held = np.array(getattr(self, name), dtype=kind, order="C")
            held.flags.writeable = False
            object.__setattr__(self, name, held)
        if (problem := problem_of(self)) is not None:
            raise InputError(f"{self.name}: {problem}")

    # Making

    @classmethod
    def of(cls, given: object) -> Table:
        """A table itself, or the one that is made of what is given; what is odd about its cells is a warning.

        >>> from optimal import Table
        >>> Table.of("guess-who")
        <Table guess-who: 24 objects, 20 questions>

        Parameters
        ----------
        given : Table, str, path, DataFrame or array
            A text names a table that ships, or a file: see `from_csv`, `from_frame` and `from_arrays`.

        Raises
        ------
        InputError
            For what is none of these, and for what none of them can be made of.
        """
        if isinstance(given, Table):
            return given
        if isinstance(given, str | os.PathLike):
            made = cls.from_csv(given)
        elif hasattr(given, "columns"):
            made = cls.from_frame(given)
        elif isinstance(given, list | tuple | np.ndarray):
            made = cls.from_arrays(given)
        else:
            raise InputError(
                "a table is needed: a Table, the name of one such as 'birds', a file, a DataFrame or an array; not "
                f"{shown(given)}"
            )
        warn_caller(made.notes)
        return made

    @classmethod
    def from_csv(
        cls,
        path: str | os.PathLike[str],
        *,
        cost_row: str | None = None,
        weight_column: str | None = None,
        group_column: str | None = None,
        without: Sequence[str] = (),
        only: Sequence[str] | None = None,
        classes: Mapping[str, Sequence[object]] | None = None,
        separator: str | Sequence[str] | None = None,
        transpose: bool = False,
        name: str | None = None,
    ) -> Table:
        """The table of a file: CSV with commas, semicolons or tabs, Excel (extra `excel`), NEXUS, DELTA, or .npy.

        >>> from pathlib import Path
        >>> from optimal import Table
        >>> _ = Path("pets.csv").write_text("pet,legs,sings\\ncat,4,no\\nwren,2,yes\\nhen,2,no\\n")
        >>> Table.from_csv("pets.csv").replies
        (('4', '2'), ('no', 'yes'))

        Parameters
        ----------
        path : str or path
            The file, or the name of a table that ships, such as "birds" or "sorting:5". The first row names the
            questions, the first column the objects. A cell that is empty or "?" is unknown: any reply of its column
            can come. "a/b" varies: either can come; so does "a:4/b:1", where the numbers are shares of its weight.
        cost_row : str, optional
            The name, in the first column, of a row that holds costs, not an object.
        weight_column, group_column : str, optional
            The names, in the first row, of columns that hold weights and groups, not replies.
        without, only : sequences of str, optional
            The names of columns that are no questions; and of all that are.
        classes : mapping, optional
            For questions of measurements the borders of their classes, such as {"length": [10, 20]}. A number on a
            border varies, and so does a range across it.
        separator : str or sequence of str, optional
            What stands between replies in a cell that varies, in place of "/".
        transpose : bool, optional
            Whether the first column has the questions, and the first row the objects; then costs are a column of the
            file, weights and groups its rows.
        name : str, optional
            What the table is called; else as the file.

        Raises
        ------
        InputError
            For a file that can't be read, and whatever is odd in it, with its row, its column and what would be right.
        """
        cells = read_cells(path, transpose=transpose)
        layout = Layout(cost_row, weight_column, group_column, without, only, classes or {}, separator)
        source = Source.of_cells(cells, layout)
        return cls._of(source, cells.name if name is None else name)

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        cost_row: str | None = None,
        weight_column: str | None = None,
        group_column: str | None = None,
        without: Sequence[str] = (),
        only: Sequence[str] | None = None,
        classes: Mapping[str, Sequence[object]] | None = None,
        separator: str | Sequence[str] | None = None,
        transpose: bool = False,
        name: str = "table",
    ) -> Table:
        """The table of a DataFrame of pandas: its index names the objects, its columns the questions.

        >>> import pandas
        >>> from optimal import Table
        >>> frame = pandas.DataFrame({"legs": [4, 2], "sings": ["no", None]}, index=["cat", "wren"])
        >>> Table.from_frame(frame).questions
        ('legs', 'sings')

        Parameters
        ----------
        frame : DataFrame
            What is missing in it is unknown: any reply of its column can come.
        cost_row, weight_column, group_column, without, only, classes, separator, transpose, name : optional
            As for `from_csv`; the index is the first column, and the columns the first row.

        Raises
        ------
        InputError
            For what is no frame, and whatever is odd in it, with its row, its column and what would be right.
        """
        cells = cells_of_frame(frame, name)
        cells = cells.turned() if transpose else cells
        layout = Layout(cost_row, weight_column, group_column, without, only, classes or {}, separator)
        return cls._of(Source.of_cells(cells, layout), name)

    @classmethod
    def from_arrays(
        cls,
        replies: object,
        *,
        objects: Sequence[str] | None = None,
        questions: Sequence[str] | None = None,
        costs: Sequence[object] | None = None,
        weights: Sequence[object] | None = None,
        groups: Sequence[object] | None = None,
        name: str = "table",
    ) -> Table:
        """The table of an array, objects x questions, of whole numbers or texts.

        >>> from optimal import Table
        >>> table = Table.from_arrays([[0, 0], [0, 1], [1, 0]], objects=["a", "b", "c"], costs=[1, "2.5"])
        >>> table.questions, table.costs.tolist(), table.cost_scale
        (('question 1', 'question 2'), [2, 5], 2)

        Parameters
        ----------
        replies : array or sequence of sequences
            A row for each object. Texts are read as the cells of a file are.
        objects, questions : sequence of str, optional
            Their names; else "object 1", "question 1" and so on.
        costs : sequence, optional
            Of each question: whole numbers, Decimals, Fractions or texts such as "2.5"; else 1. Floats are taken as
            they are written.
        weights : sequence, optional
            Of each object, in the same way.
        groups : sequence, optional
            Of each object, any value; objects of one value needn't be told apart. None for an object alone.
        name : str, optional
            What the table is called.

        Raises
        ------
        InputError
            For whatever is odd in it.
        """
        return cls._of(Source.of_arrays(replies, objects, questions, costs, weights, groups, name), name)

    @classmethod
    def _of(cls, source: Source, name: str) -> Table:
        """The table of this name; where its objects have too many forms a `VaryingTable`."""
        fields = source.fields(name)
        return VaryingTable(**fields) if "cells" in fields else cls(**fields)

    # What it is

    def __eq__(self, other: object) -> bool:
        return (self.name, self.sha256) == (other.name, other.sha256) if isinstance(other, Table) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.name, self.sha256))

    def __repr__(self) -> str:
        return (
            f"<Table {self.name}: {counted(len(self.objects), 'object')}, {counted(len(self.questions), 'question')}>"
        )

    @property
    def variants(self) -> int:
        """How many variants the objects have; as many as objects, where no reply varies."""
        return len(self.object_of)

    @property
    def weight_sum(self) -> int:
        """What all objects weigh."""
        return sum(self.weights.tolist())

    @cached_property
    def sha256(self) -> str:
        """The hash that names the table: all of it but its name, in the low byte first where numbers have several."""
        return hash_of(self)

    @cached_property
    def group_of(self) -> Ints:
        """The group of each variant."""
        return self.groups[self.object_of]

    @cached_property
    def outcomes(self) -> tuple[tuple[int, ...], ...]:
        """The sets of groups that can be left once every question has been asked, each in rising order."""
        return self._outcomes[0]

    @cached_property
    def outcome_of(self) -> Ints:
        """The outcome of each variant, by its place in `outcomes`: a key may end at variants of one outcome."""
        return self._outcomes[1]

    @cached_property
    def _outcomes(self) -> tuple[tuple[tuple[int, ...], ...], Ints]:
        return outcomes(self.codes, self.group_of)

    def names(self, objects: Iterable[int]) -> tuple[str, ...]:
        """Objects, by their places, as people name them: several of one group by its name, where it has one."""
        return named(objects, self.objects, self._groups, self.group_names)

    @cached_property
    def unresolved(self) -> tuple[tuple[str, ...], ...]:
        """The largest sets of objects of an outcome of several groups: those that no question always tells apart."""
        return tuple(tuple(self.objects[member] for member in members) for members in self._unresolved)

    def unresolved_names(self, most: int) -> list[tuple[tuple[str, ...], bool]]:
        """The first of these, several objects of one group by the name of the group; and whether some replies tell
        them apart."""
        return [
            (self.names(members), len(set(self.outcome_of[np.isin(self.object_of, members)].tolist())) > 1)
            for members in self._unresolved[:most]
        ]

    @cached_property
    def _groups(self) -> list[int]:
        return list(self.groups.tolist())

    @cached_property
    def _unresolved(self) -> list[tuple[int, ...]]:
        return together(self.outcomes, self.outcome_of, self.object_of)

    def question_index(self, question: str) -> int:
        """The place of a question of this name. InputError where there is none."""
        return _index(question, self.questions, "question")

    def members(self, turns: Turns) -> npt.NDArray[np.int64]:
        """The variants that fit these questions and replies; None is a reply that isn't known, a tuple says what it may
        be.

        InputError for a question or a reply that is none, ImpossibleFeedback where no object fits.
        """
        fits = np.ones(self.variants, dtype=bool)
        for question, reply in turns:
            place = self.question_index(question)
            if reply is None:
                continue
            fits &= np.isin(self.codes[place], self.codes_of(place, reply))
            if not fits.any():
                raise ImpossibleFeedback(f"no object fits {quoted(question)}={quoted(said(reply))} after what was said")
        return np.flatnonzero(fits)

    def codes_of(self, place: int, reply: str | tuple[str, ...]) -> list[int]:
        """The codes of the replies to a question that are meant. InputError for one that is none."""
        what = f"reply to {quoted(self.questions[place])}"
        return [_index(one, self.replies[place], what) for one in ((reply,) if isinstance(reply, str) else reply)]

    def left(self, turns: Turns) -> list[int]:
        """The objects that fit these questions and replies, by their places."""
        return sorted(set(self.object_of[self.members(turns)].tolist()))

    def where(self, kept: npt.NDArray[Any], without: Sequence[int] = ()) -> Table:
        """The table of these variants alone, and without the questions of these places. Where all that are left count
        nothing, they count alike."""
        asked = [place for place in range(len(self.questions)) if place not in set(without)]
        known, object_of = np.unique(self.object_of[kept], return_inverse=True)
        numbers, groups = np.unique(self.groups[known], return_inverse=True)
        names = tuple(self.group_names[number] for number in numbers) if self.group_names else ()
        weights = self.weights[kept]
        return Table(
            self.name,
            tuple(self.questions[place] for place in asked),
            tuple(self.objects[place] for place in known),
            tuple(self.replies[place] for place in asked),
            self.codes[asked][:, kept],
            object_of.astype(np.int32),
            weights if weights.any() else np.ones_like(weights),
            self.costs[asked],
            groups.astype(np.int32),
            self.weight_scale,
            self.cost_scale,
            group_names=names if any(names) else (),
        )


class VaryingTable(Table):
    """Objects, and for each question the replies that can come from each: as many as its cell has, each as often.

    An object goes down every branch that its cell allows, with a share of its weight. Weights are whole numbers, and so
    are all shares: the true ones are these over ``weight_scale``. What needs the forms one by one is refused.
    """

    #: questions x objects: the number of the object's cell among those of the question.
    cells: npt.NDArray[np.uint16]
    #: Of each question the replies of each of its cells, rising.
    kinds: tuple[tuple[tuple[int, ...], ...], ...]
    #: Of each object.
    object_weights: tuple[int, ...]

    def __init__(self, **fields: Any) -> None:
        # Not a dataclass of its own: it has other fields, which `Source` and key files check.
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    def _forms(self, *_: object) -> NoReturn:
        raise InputError(
            f"{self.name}: its objects have {self.variants} forms in all, more than the {LONGEST_LIST} that can be "
            "written out; `identify`, `verify`, `play` and `export` take such a table, and nothing else does"
        )

    codes = object_of = weights = group_of = outcomes = outcome_of = property(_forms)
    members = where = _forms  # type: ignore[assignment]

    @property
    def variants(self) -> int:
        """How many forms the objects have in all."""
        return sum(
            math.prod(len(self.replies_of(q, i)) for q in range(len(self.costs))) for i in range(len(self.objects))
        )

    @property
    def weight_sum(self) -> int:
        return sum(self.object_weights)

    def replies_of(self, question: int, one: int) -> tuple[int, ...]:
        """The replies that can come from an object."""
        return self.kinds[question][self.cells[question, one]]

    @cached_property
    def sha256(self) -> str:
        return hash_of_cells(self)

    def left(self, turns: Turns) -> list[int]:
        return list(self._shares(turns))

    def _shares(self, turns: Turns) -> dict[int, int]:
        """The objects that fit, with their shares."""
        shares = dict(enumerate(self.object_weights))
        for question, reply in turns:
            place = self.question_index(question)
            if reply is not None:
                codes = set(self.codes_of(place, reply))
                cells = {one: self.replies_of(place, one) for one in shares}
                fits = {one: len(codes.intersection(cell)) for one, cell in cells.items()}
                shares = {one: share // len(cells[one]) * fits[one] for one, share in shares.items() if fits[one]}
            if not shares:
                raise ImpossibleFeedback(f"no object fits {quoted(question)}={quoted(said(reply))} after what was said")
        return shares

    def rest(self, turns: Turns) -> VaryingTable | None:
        """The table of what fits these questions and replies, without the questions; None where no other question can
        exclude a group."""
        shares, gone = self._shares(turns), {self.question_index(question) for question, _ in turns}
        left = [place for place in range(len(self.questions)) if place not in gone]
        kept = list(shares)
        if self.settled(kept, left):
            return None
        _, groups = np.unique(self.groups[kept], return_inverse=True)
        whole = math.lcm(*(math.prod(len(self.replies_of(place, one)) for place in left) for one in kept))
        return VaryingTable(
            name=self.name,
            questions=tuple(self.questions[place] for place in left),
            objects=tuple(self.objects[one] for one in kept),
            replies=tuple(self.replies[place] for place in left),
            cells=np.ascontiguousarray(self.cells[np.ix_(left, kept)]),
            kinds=tuple(self.kinds[place] for place in left),
            object_weights=tuple(shares.values()) if any(shares.values()) else (whole,) * len(kept),
            costs=self.costs[left],
            groups=groups.astype(np.int32),
            weight_scale=self.weight_scale,
            cost_scale=self.cost_scale,
            group_names=(),
        )

    def settled(self, objects: Sequence[int], left: Sequence[int]) -> bool:
        """Whether no replies to the questions left can exclude a group of these objects."""
        return settled(self.cells, self.kinds, self.groups, objects, left)

    def unresolved_names(self, most: int) -> list[tuple[tuple[str, ...], bool]]:
        return [(self.names(pair), bool(np.diff(self.cells[:, pair]).any())) for pair in self._unresolved[:most]]

    @cached_property
    def _unresolved(self) -> list[tuple[int, ...]]:
        return pairs(self.cells, self.kinds, self.groups)


def said(reply: Reply) -> str:
    """Return a reply as it is typed."""
    return UNKNOWN if reply is None else reply if isinstance(reply, str) else AND.join(reply)


def _index(name: object, known: Sequence[str], what: str) -> int:
    if not isinstance(name, str) or (label := tidy(name)) not in known:
        hint = did_you_mean(str(name), known, f"there are {listed([known[place] for place in natural(known)])}")
        raise InputError(f"there is no {what} {shown(name)}{hint}")
    return known.index(label)
