"""`Table`: objects, questions and the reply of each object to each question, as whole numbers, checked once.

An object whose reply to a question varies is held as variants, one for each combination of replies that can come; they
share its weight equally. The outcome of a variant is what is known once all questions have been asked: the groups that
have a variant with the same replies. A key may end at variants of one outcome, and only there: while they are of
several, some question can still exclude a group; where they are of one, none can.
"""

from __future__ import annotations

import hashlib
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from optimal.checks import check_texts, iterates
from optimal.errors import ImpossibleFeedback, InputError, did_you_mean
from optimal.labels import check_label
from optimal.limits import INFEASIBLE, LONGEST_LIST
from optimal.readers import text_of_value
from optimal.show.words import counted, listed, named, quoted, shown
from optimal.tables.cells import Cells, amount_of, decimal, odd_replies, parts_of, read_cells

#: Variants of one object, and of all together, at most.
MOST_VARIANTS, MOST_COLUMNS = 64, LONGEST_LIST
#: Replies of all variants to all questions at most.
MOST_CELLS = 1 << 24
#: Names of questions, objects and replies are no longer.
MOST_LETTERS = 300

Codes = npt.NDArray[np.uint16]
Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]


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
        for name, kind in (
            ("codes", np.uint16),
            ("object_of", np.int32),
            ("weights", np.int64),
            ("costs", np.int64),
            ("groups", np.int32),
        ):
            held = np.array(getattr(self, name), dtype=kind, order="C")
            held.flags.writeable = False
            object.__setattr__(self, name, held)
        self._check()

    def _check(self) -> None:
        """Everything that the engine relies on."""
        asked, known, variants = len(self.questions), len(self.objects), len(self.object_of)
        if not asked or not known:
            raise InputError(f"{self.name}: a table needs an object and a question at least")
        if max(asked, known, variants) > LONGEST_LIST:
            raise InputError(
                f"{self.name}: {asked} questions, {known} objects, {variants} variants; "
                f"at most {LONGEST_LIST} of each are possible"
            )
        if asked * variants > MOST_CELLS:
            raise InputError(f"{self.name}: {asked} questions x {variants} variants; at most {MOST_CELLS} are possible")
        shapes = (self.codes.shape, self.object_of.shape, self.weights.shape, self.costs.shape, self.groups.shape)
        if shapes != ((asked, variants), (variants,), (variants,), (asked,), (known,)) or len(self.replies) != asked:
            raise InputError(f"{self.name}: the parts of the table do not fit together")
        steps = np.diff(self.object_of)
        whole = self.object_of[0] == 0 and self.object_of[-1] == known - 1 and ((steps == 0) | (steps == 1)).all()
        counts = np.array([len(replies) for replies in self.replies])
        if not whole or (self.codes >= counts[:, None]).any() or not ((self.groups >= 0) & (self.groups < known)).all():
            raise InputError(f"{self.name}: the parts of the table do not fit together")
        if self.group_names and len(self.group_names) != int(self.groups.max()) + 1:
            raise InputError(f"{self.name}: the parts of the table do not fit together")
        if counts.max() > LONGEST_LIST:
            raise InputError(f"{self.name}: {counts.max()} replies to a question; at most {LONGEST_LIST} are possible")
        if (self.weights < 0).any() or (self.costs < 0).any() or min(self.weight_scale, self.cost_scale) < 1:
            raise InputError(f"{self.name}: weights and costs must be 0 or more")
        weight, cost = sum(self.weights.tolist()), sum(self.costs.tolist())
        if not weight:
            raise InputError(f"{self.name}: every object has weight 0; one at least must be more")
        if max(weight, 1) * max(cost, 1) >= INFEASIBLE:
            raise InputError(
                f"{self.name}: as whole numbers weights sum to {weight} and costs to {cost}; their product must stay "
                f"below 2^62: give them with fewer digits"
            )

    # Making

    @classmethod
    def from_csv(
        cls,
        path: str | os.PathLike[str],
        *,
        cost_row: str | None = None,
        weight_column: str | None = None,
        group_column: str | None = None,
        transpose: bool = False,
        name: str | None = None,
    ) -> Table:
        """The table of a file: CSV with commas, semicolons or tabs, Excel (by pandas, the extra `excel`), or .npy.

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
            can come. "a/b" varies: either can come.
        cost_row : str, optional
            The name, in the first column, of a row that holds costs, not an object.
        weight_column, group_column : str, optional
            The names, in the first row, of columns that hold weights and groups, not replies.
        transpose : bool, optional
            Whether the file has its questions in the first column, and the objects in the first row; then costs are a
            column of the file, weights and groups its rows.
        name : str, optional
            What the table is called; else as the file.

        Returns
        -------
        Table
            The table.

        Raises
        ------
        InputError
            For a file that can't be read, and whatever is odd in it, with its row, its column and what would be right.
        """
        cells = read_cells(path, transpose=transpose)
        return cls._of_cells(cells, cost_row, weight_column, group_column, cells.name if name is None else name)

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        cost_row: str | None = None,
        weight_column: str | None = None,
        group_column: str | None = None,
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
        cost_row : str, optional
            The label, in the index, of a row that holds costs, not an object.
        weight_column, group_column : str, optional
            The labels of columns that hold weights and groups, not replies.
        transpose : bool, optional
            Whether the index names the questions, and the columns the objects.
        name : str, optional
            What the table is called.

        Returns
        -------
        Table
            The table.

        Raises
        ------
        InputError
            For what is no frame, and whatever is odd in it, with its row, its column and what would be right.
        """
        try:
            rows = frame.astype(object).where(frame.notna(), None).values.tolist()
            head, first = [*map(str, frame.columns)], [*map(str, frame.index)]
        except (AttributeError, TypeError, ValueError):
            raise InputError(f"a DataFrame of pandas is needed, not {shown(frame)}") from None
        names = [row[0] for row in rows] if head else []
        if type(frame.index).__name__ == "RangeIndex" and len(head) > 1 and _are_names(names):
            raise InputError(
                f"the frame numbers its rows, and its column {quoted(head[0])} looks like their names: right would be "
                f"frame.set_index({head[0]!r}), or index_col=0 where it is read"
            )
        texts = [["", *head], *([one, *map(text_of_value, row)] for one, row in zip(first, rows, strict=True))]
        cells = Cells(texts, name, "the frame")
        cells = cells.turned() if transpose else cells
        return cls._of_cells(cells, cost_row, weight_column, group_column, name)

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

        Returns
        -------
        Table
            The table.

        Raises
        ------
        InputError
            For whatever is odd in it.
        """
        if isinstance(replies, str | bytes | Mapping) or not iterates(replies):
            raise InputError(f"a table is a list of rows of replies, one for each object, not {shown(replies)}")
        rows: list[list[str]] = []
        for number, row in enumerate(replies, 1):  # type: ignore[var-annotated,arg-type]
            if isinstance(row, str | bytes | Mapping) or not iterates(row):
                raise InputError(f"row {number} of the table is {shown(row)}: right would be a list of replies")
            rows.append([text_of_value(cell) for cell in row])
        width = len(rows[0]) if rows else 0
        for number, cells in enumerate(rows, 1):
            if len(cells) != width:
                raise InputError(f"row {number} of the table has {len(cells)} replies; the first has {width}")
        asked = _names(questions, "question", width)
        known = _names(objects, "object", len(rows))
        texts = Cells([["", *asked], *([one, *row] for one, row in zip(known, rows, strict=True))], name, "the table")
        return cls._made(
            texts,
            range(1, len(rows) + 1),
            range(1, width + 1),
            _numbers(costs, width, "cost"),
            _numbers(weights, len(rows), "weight"),
            _kinds(groups, len(rows)),
            name,
            {},
        )

    @classmethod
    def _of_cells(
        cls, cells: Cells, cost_row: str | None, weight_column: str | None, group_column: str | None, name: str
    ) -> Table:
        """The table of a rectangle of texts, in which costs, weights and groups stand by these names."""
        special = {
            what: cells.column(label, what)
            for what, label in (("weight", weight_column), ("group", group_column))
            if label is not None
        }
        if len(set(special.values())) < len(special):
            raise InputError(f"{cells.source}: weights and groups can't both be column {quoted(str(weight_column))}")
        costly = None if cost_row is None else cells.row(cost_row, "cost")
        columns = [at for at in range(1, cells.width) if at not in special.values()]
        rows = [at for at in range(1, cells.height) if at != costly]
        unnamed = cells.unnamed(cost_row, weight_column, group_column)
        costs = None
        if costly is not None:
            for at in special.values():
                if cells.rows[costly][at]:
                    raise InputError(f"{cells.place(costly, at)}: leave it empty; the row of costs is of questions")
            costs = [amount_of(cells, costly, at, "cost", unnamed) for at in columns]
        weights = None
        if "weight" in special:
            weights = [amount_of(cells, at, special["weight"], "weight", unnamed) for at in rows]
        groups = [cells.rows[at][special["group"]] or None for at in rows] if "group" in special else None
        return cls._made(cells, rows, columns, costs, weights, groups, name, unnamed)

    @classmethod
    def _made(
        cls,
        cells: Cells,
        rows: Sequence[int],
        columns: Sequence[int],
        costs: Sequence[Fraction] | None,
        weights: Sequence[Fraction] | None,
        groups: Sequence[object] | None,
        name: str,
        unnamed: Mapping[str, str],
    ) -> Table:
        """The table of these rows and columns; ``unnamed`` says of some what else they may be."""
        if not rows:
            raise InputError(f"{cells.source} has no objects: each needs a row, with its name first")
        if not columns:
            raise InputError(f"{cells.source} has no questions: each needs a column, with its name on top")
        check_label(name, "the name of a table")
        questions = _labels(cells, [(0, at) for at in columns], "question")
        objects = _labels(cells, [(at, 0) for at in rows], "object")
        replies, meant, notes = _replies(cells, rows, columns)
        notes = [*(f"{cells.source}: {line}" for line in unnamed.values()), *notes]
        return cls._expanded(
            _Source(cells, rows, columns, unnamed),
            name,
            questions,
            objects,
            replies,
            meant,
            costs,
            weights,
            groups,
            notes,
        )

    @classmethod
    def _expanded(
        cls,
        source: _Source,
        name: str,
        questions: tuple[str, ...],
        objects: tuple[str, ...],
        replies: Sequence[tuple[str, ...]],
        meant: Sequence[Mapping[str, Sequence[int]]],
        costs: Sequence[Fraction] | None,
        weights: Sequence[Fraction] | None,
        groups: Sequence[object] | None,
        notes: Sequence[str],
    ) -> Table:
        """The table with each object as its variants."""
        choices: list[list[Sequence[int]]] = []
        counts = []
        for number, at in enumerate(source.rows):
            row = source.cells.rows[at]
            chosen = [known[row[column]] for column, known in zip(source.columns, meant, strict=True)]
            counts.append(math.prod(map(len, chosen)))
            if counts[-1] > MOST_VARIANTS:
                raise InputError(source.too_many(number, [len(one) for one in chosen]))
            choices.append(chosen)
        if sum(counts) > MOST_COLUMNS:
            most = max(range(len(counts)), key=counts.__getitem__)
            raise InputError(
                f"{source.cells.source}: {sum(counts)} variants of {len(objects)} objects, {counts[most]} of them of "
                f"{quoted(objects[most])}; at most {MOST_COLUMNS} are possible: "
                + "; ".join([*source.unnamed.values(), "fill in cells that vary or are unknown"])
            )
        if len(questions) * sum(counts) > MOST_CELLS:
            raise InputError(
                f"{source.cells.source}: {len(questions)} questions x {sum(counts)} variants; "
                f"at most {MOST_CELLS} are possible"
            )
        codes = np.concatenate([np.array(list(product(*one)), dtype=np.uint16) for one in choices]).T
        charged, cost_scale = _whole([Fraction(1)] * len(questions) if costs is None else costs)
        weighed = [Fraction(1)] * len(objects) if weights is None else weights
        shared, weight_scale = _whole(
            [weight / count for weight, count in zip(weighed, counts, strict=True) for _ in range(count)]
        )
        for what, numbers in (("weights", shared), ("costs", charged)):
            if sum(numbers) >= INFEASIBLE:
                raise InputError(
                    f"{source.cells.source}: as whole numbers the {what} sum to 2^62 or more: give them with fewer "
                    "digits, or have fewer cells vary"
                )
        return cls(
            name,
            questions,
            objects,
            tuple(replies),
            codes,
            np.repeat(np.arange(len(objects)), counts).astype(np.int32),
            np.array(shared, dtype=np.int64),
            np.array(charged, dtype=np.int64),
            np.array(_grouped(groups, len(objects)), dtype=np.int32),
            weight_scale,
            cost_scale,
            tuple(notes),
            _group_names(groups, objects),
        )

    # What it is

    def _content(self) -> tuple[object, ...]:
        return (
            self.name,
            self.questions,
            self.objects,
            self.replies,
            self.weight_scale,
            self.cost_scale,
            self.group_names,
            *(getattr(self, name).tobytes() for name in ("codes", "object_of", "weights", "costs", "groups")),
        )

    def __eq__(self, other: object) -> bool:
        return self._content() == other._content() if isinstance(other, Table) else NotImplemented

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

    @cached_property
    def sha256(self) -> str:
        """The hash that names the table: all of it but its name, in the low byte first where numbers have several."""
        digest = hashlib.sha256(f"{len(self.questions)} {len(self.objects)} {self.variants}\n".encode())
        for texts in (self.questions, self.objects, *self.replies):
            digest.update(f"{len(texts)}\n".encode())
            digest.update("".join(f"{text}\n" for text in texts).encode())
        digest.update(f"{self.weight_scale} {self.cost_scale}\n".encode())
        for name, form in (("codes", "<u2"), ("object_of", "<i4"), ("weights", "<i8"), ("costs", "<i8")):
            digest.update(getattr(self, name).astype(form).tobytes())
        digest.update(self.groups.astype("<i4").tobytes())
        digest.update("".join(f"{name}\n" for name in self.group_names).encode())
        return digest.hexdigest()

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
        forms = [column.tobytes() for column in np.ascontiguousarray(self.codes.T)]
        groups: dict[bytes, set[int]] = {}
        for form, group in zip(forms, self.group_of.tolist(), strict=True):
            groups.setdefault(form, set()).add(group)
        number: dict[tuple[int, ...], int] = {}
        of_form = {form: number.setdefault(tuple(sorted(known)), len(number)) for form, known in groups.items()}
        return tuple(number), np.array([of_form[form] for form in forms], dtype=np.int32)

    def names(self, objects: Iterable[int]) -> tuple[str, ...]:
        """Objects, by their places, as people name them: several of one group by its name, where it has one."""
        return named(objects, self.objects, self._groups, self.group_names)

    @cached_property
    def unresolved(self) -> tuple[tuple[str, ...], ...]:
        """The objects of each outcome of several groups: those that no question always tells apart."""
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
        return [int(group) for group in self.groups]

    @cached_property
    def _unresolved(self) -> list[tuple[int, ...]]:
        found: dict[int, set[int]] = {}
        for outcome, member in zip(self.outcome_of.tolist(), self.object_of.tolist(), strict=True):
            if len(self.outcomes[outcome]) > 1:
                found.setdefault(outcome, set()).add(member)
        return sorted({tuple(sorted(members)) for members in found.values()})

    def question_index(self, question: str) -> int:
        """The place of a question of this name. InputError where there is none."""
        return _index(question, self.questions, "question")

    def members(self, turns: Sequence[tuple[str, str | None]]) -> npt.NDArray[np.int64]:
        """The variants that fit these questions and replies; None is a reply that isn't known.

        InputError for a question or a reply that is none, ImpossibleFeedback where no object fits.
        """
        fits = np.ones(self.variants, dtype=bool)
        for question, reply in turns:
            place = self.question_index(question)
            if reply is None:
                continue
            code = _index(reply, self.replies[place], f"reply to {quoted(question)}")
            fits &= self.codes[place] == code
            if not fits.any():
                raise ImpossibleFeedback(f"no object fits {quoted(question)}={quoted(reply)} after what was said")
        return np.flatnonzero(fits)

    def where(self, members: npt.NDArray[Any], without: Sequence[int] = ()) -> Table:
        """The table of these variants alone, and without the questions of these places. Where all that are left count
        nothing, they count alike."""
        kept = np.flatnonzero(members) if members.dtype == bool else members
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


@dataclass(frozen=True)
class _Source:
    """Where the rows and columns of a table stand, for messages."""

    cells: Cells
    rows: Sequence[int]
    columns: Sequence[int]
    #: What to say of rows and columns that look like costs, weights or groups, by their names.
    unnamed: Mapping[str, str]

    def too_many(self, number: int, counts: Sequence[int]) -> str:
        row = self.rows[number]
        varying = {
            self.cells.rows[0][column]: count for column, count in zip(self.columns, counts, strict=True) if count > 1
        }
        varied = [f"{question} {count}" for question, count in varying.items()]
        right = [line for name, line in self.unnamed.items() if name in (self.cells.rows[row][0], *varying)] or [
            "fill in what is unknown, or give each form of the object a row, and all of them one group"
        ]
        return (
            f"{self.cells.line(row)}: {quoted(self.cells.rows[row][0])} varies in {len(varied)} cells, which makes "
            f"{math.prod(counts)} variants, more than {MOST_VARIANTS}: {listed(varied, 6)}; "
            f"{'; '.join(right)}"
        )


def _index(name: object, known: Sequence[str], what: str) -> int:
    if not isinstance(name, str) or name not in known:
        hint = did_you_mean(str(name), known, f"there are {listed(known)}")
        raise InputError(f"there is no {what} {shown(name)}{hint}")
    return known.index(name)


def _replies(
    cells: Cells, rows: Sequence[int], columns: Sequence[int]
) -> tuple[list[tuple[str, ...]], list[dict[str, Sequence[int]]], list[str]]:
    """The replies to each question, in the order in which they come first; the numbers of those that each text of a
    cell stands for; and what is odd about them."""
    replies: list[tuple[str, ...]] = []
    meant: list[dict[str, Sequence[int]]] = []
    notes = []
    for column in columns:
        first: dict[str, int] = {}
        for row in rows:
            first.setdefault(cells.rows[row][column], row)
        numbers: dict[str, int] = {}
        parts = {text: parts_of(cells, row, column) for text, row in first.items()}
        seen: dict[str, int] = {}
        for text, row in first.items():
            for reply in parts[text]:
                if reply in numbers:
                    continue
                _check_text(cells, row, column, reply)
                numbers[reply], seen[reply] = len(numbers), row
        notes += [f"{cells.place(seen[reply], column)}: {told}" for reply, told in odd_replies(list(numbers))]
        if not numbers:
            raise InputError(
                f"{cells.place(0, column)}: the question has no reply in any row; right would be a reply in one at "
                "least, or no such column"
            )
        if len(numbers) > LONGEST_LIST:
            raise InputError(f"{cells.place(0, column)}: {len(numbers)} different replies; at most {LONGEST_LIST}")
        replies.append(tuple(numbers))
        every = range(len(numbers))
        meant.append({text: [numbers[reply] for reply in known] or every for text, known in parts.items()})
    return replies, meant, notes


def _check_text(cells: Cells, row: int, column: int, text: str) -> None:
    """InputError for a text that can't be shown."""
    if len(text) > MOST_LETTERS or not text.isprintable():
        raise InputError(
            f"{cells.place(row, column)}: {quoted(text)} must have 1 to {MOST_LETTERS} printable characters"
        )


def _labels(cells: Cells, places: Sequence[tuple[int, int]], what: str) -> tuple[str, ...]:
    """The names of questions or objects: none empty, no two alike."""
    first: dict[str, tuple[int, int]] = {}
    for row, column in places:
        text = cells.rows[row][column]
        if not text:
            raise InputError(f"{cells.place(row, column)} is empty: the {what} needs a name")
        _check_text(cells, row, column, text)
        if text in first:
            hint = "; give one of them another name" if what == "question" else "; give them two names and one group"
            raise InputError(f"{cells.place(row, column)}: {quoted(text)} stands in {cells.at(*first[text])} too{hint}")
        first[text] = (row, column)
    return tuple(first)


def _names(names: Sequence[str] | None, what: str, count: int) -> list[str]:
    if names is None:
        return [f"{what} {number}" for number in range(1, count + 1)]
    texts = [text.strip() for text in check_texts(names, f"{what}s", "a")]
    if len(texts) != count:
        raise InputError(f"{count} names of {what}s are needed, not {len(texts)}")
    return texts


def _numbers(values: Sequence[object] | None, count: int, what: str) -> list[Fraction] | None:
    if values is None:
        return None
    if isinstance(values, str | bytes | Mapping) or not iterates(values):
        raise InputError(f"{what}s must be a list of numbers, not {shown(values)}")
    found = [decimal(value, f"{what} {number}") for number, value in enumerate(values, 1)]
    if len(found) != count:
        raise InputError(f"{count} {what}s are needed, not {len(found)}")
    return found


def _are_names(values: Sequence[object]) -> bool:
    """Whether these are texts, two at least, none of them twice."""
    return all(isinstance(value, str) for value in values) and len(set(values)) == len(values) > 1


def _kinds(values: Sequence[object] | None, count: int) -> list[object] | None:
    if values is None:
        return None
    if isinstance(values, str | bytes | Mapping) or not iterates(values):
        raise InputError(f"groups must be a list, with one for each object, not {shown(values)}")
    found = [None if value is None or value == "" else str(value) for value in values]
    if len(found) != count:
        raise InputError(f"{count} groups are needed, not {len(found)}")
    return list(found)


def _grouped(groups: Sequence[object] | None, count: int) -> list[int]:
    """Numbers of groups, from 0 in the order of the objects; an object without one is alone."""
    known: dict[object, int] = {}
    keys = [("alone", at) if group is None else group for at, group in enumerate(groups or [None] * count)]
    return [known.setdefault(key, len(known)) for key in keys]


def _group_names(groups: Sequence[object] | None, objects: Sequence[str]) -> tuple[str, ...]:
    """Their names, in the order of `_grouped`; "" for an object without one, and for what would name nothing to people:
    a number, what can't be printed, or the name of an object of another group."""
    keys = [("alone", at) if group is None else str(group) for at, group in enumerate(groups or ())]
    of_object = dict(zip(objects, keys, strict=False))

    def name(key: tuple[str, int] | str) -> str:
        if isinstance(key, tuple) or key.isdecimal() or not key.isprintable() or len(key) > MOST_LETTERS:
            return ""
        return key if of_object.get(key, key) == key else ""

    names = tuple(map(name, dict.fromkeys(keys)))
    return names if any(names) else ()


def _whole(values: Sequence[Fraction]) -> tuple[list[int], int]:
    """The values times a whole number that makes them whole, with no more factors than that needs; and that number."""
    scale = math.lcm(*(value.denominator for value in values))
    return [int(value * scale) for value in values], scale
