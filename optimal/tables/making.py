"""The fields of a `Table`, from the cells of a file or a frame, or from arrays: names, replies, variants, amounts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice, product
from typing import Any

import numpy as np
import numpy.typing as npt

from optimal.checks import check_texts, iterates
from optimal.errors import InputError
from optimal.labels import check_label, is_label
from optimal.limits import INFEASIBLE, LONGEST_LIST
from optimal.readers import number_of, text_of_value
from optimal.show.words import listed, quoted, shown
from optimal.tables.cells import UNKNOWN, Cells, amount_of, tidy
from optimal.tables.doubts import MINUS, UNSURE, alike, classes_of
from optimal.tables.headings import turned
from optimal.tables.replies import MOST_LETTERS, Meaning, check_text, read_column

#: Replies of all variants to all questions at most.
MOST_CELLS = 1 << 24
#: Forms of all objects at most that are written out.
MOST_FORMS = LONGEST_LIST
#: Weights of a table whose forms aren't written out sum to less.
MOST_SHARES = 1 << 126


@dataclass(frozen=True)
class Layout:
    """What in cells is no object and no question, and how the others are read; as `Table.from_csv` has it."""

    cost_row: str | None = None
    weight_column: str | None = None
    group_column: str | None = None
    without: Sequence[str] = ()
    only: Sequence[str] | None = None
    classes: Mapping[str, Sequence[object]] = field(default_factory=dict)
    separator: str | Sequence[str] | None = None

    def with_parts(self, cost_row: str | None, weight_column: str | None, group_column: str | None) -> Layout:
        """The same with these names where none are given."""
        return replace(
            self,
            cost_row=self.cost_row or cost_row,
            weight_column=self.weight_column or weight_column,
            group_column=self.group_column or group_column,
        )

    def columns(self, cells: Cells) -> list[int]:
        """The columns that are questions. One without a name, or any reply, is the space between others."""
        named = (self.weight_column, self.group_column)
        out = {cells.column(name, "question") for name in check_texts(self.without, "without", "legs")}
        out |= {cells.column(name, "question") for name in named if name is not None}
        if self.only is None:
            out |= {at for at, name in enumerate(cells.rows[0]) if not name and not any(row[at] for row in cells.rows)}
            out |= cells.unasked - {cells.column(name, "question") for name in self.classes}
            return [at for at in range(1, len(cells.rows[0])) if at not in out]
        kept = {cells.column(name, "question") for name in check_texts(self.only, "only", "legs")}
        return sorted(kept - out)

    def borders(self, cells: Cells) -> dict[int, list[Fraction]]:
        """By the column of a question, the borders of its classes."""
        found = {}
        for name, values in self.classes.items():
            borders = _entries(values, "the borders of classes must be a list of numbers")
            numbers = [_border(value, f"a border of {quoted(name)}") for value in borders]
            if not numbers or sorted(set(numbers)) != numbers:
                points = "; write decimals with a point here, such as 2.5" if cells.decimal_commas else ""
                right = f"must be one number or more, each above the one before{points}"
                raise InputError(f"the borders of {quoted(name)} {right}")
            found[cells.column(name, "question")] = numbers
        return found

    def doubtful_borders(self, cells: Cells) -> list[str]:
        """What to say of borders such as 2,5 where the file has decimal commas."""
        decimal = "where a decimal is meant, write such as 2.5"
        return [
            f"{cells.source}: the borders of {quoted(name)} are taken as {' and '.join(map(str, values))}; {decimal}"
            for name, values in self.classes.items()
            if cells.decimal_commas and len(values) > 1 and all(isinstance(value, str) for value in values)
            if all(str(value).isdecimal() for value in values)
        ]

    def separated(self, cells: Cells) -> Cells:
        """The cells with what stands between replies; a word has blanks around it."""
        if self.separator is None or cells.exact:
            return cells
        signs = [self.separator] if isinstance(self.separator, str) else list(self.separator)
        for sign in signs or [""]:
            if not isinstance(sign, str) or not is_label(sign.strip(), 10) or sign.strip() == UNKNOWN:
                raise InputError(f"the separator must be a sign or a word such as | or or, not {shown(sign)}")
        # A blank behind a comma counts: 2,5 is a number, and "red, blue" two replies.
        plain = [", " if sign == ", " else sign.strip() for sign in signs]
        return replace(cells, separators=tuple(f" {sign} " if sign.isalnum() else sign for sign in plain))


@dataclass(frozen=True)
class Source:
    """The rows and columns of the cells that are objects and questions, and what belongs to them."""

    cells: Cells
    rows: Sequence[int]
    columns: Sequence[int]
    costs: Sequence[Fraction] | None
    weights: Sequence[Fraction] | None
    groups: Sequence[str | None] | None
    #: By the column of a question, the borders of its classes.
    borders: Mapping[int, Sequence[Fraction]] = field(default_factory=dict)
    #: What to say of rows and columns that look like costs, weights or groups, by their names.
    unnamed: Mapping[str, str] = field(default_factory=dict)
    #: What is odd about costs, weights and names.
    notes: Sequence[str] = ()
    #: What to say where rows and columns seem to be changed for each other.
    turned: str = ""

    @classmethod
    def of_cells(cls, cells: Cells, layout: Layout) -> Source:
        """The objects and questions of cells in which costs, weights and groups stand by the names of the layout."""
        cells, layout = layout.separated(cells), layout.with_parts(*cells.parts)
        named = {"weight": layout.weight_column, "group": layout.group_column}
        special = {what: cells.column(label, what) for what, label in named.items() if label is not None}
        if len(set(special.values())) < len(special):
            raise InputError(
                f"{cells.source}: weights and groups can't both be column {quoted(str(layout.weight_column))}"
            )
        costly = None if layout.cost_row is None else cells.row(layout.cost_row, "cost")
        columns = layout.columns(cells)
        rows = [at for at in range(1, len(cells.rows)) if at != costly]
        names = {cells.rows[0][at] for at in columns} | {cells.rows[at][0] for at in rows}
        unnamed = cells.unnamed(layout.cost_row, *named.values())
        unnamed = {name: line for name, line in unnamed.items() if name in names}
        costs = weights = groups = none = None
        if costly is not None:
            for at in special.values():
                if cells.rows[costly][at]:
                    raise InputError(f"{cells.place(costly, at)}: leave it empty; the row of costs is of questions")
            costs = [amount_of(cells, costly, at, "cost", unnamed) for at in columns]
        if "weight" in special:
            weights = [amount_of(cells, at, special["weight"], "weight", unnamed) for at in rows]
        if "group" in special:
            texts = [cells.rows[at][special["group"]] for at in rows]
            unsure = UNSURE | {"", UNKNOWN, "n/a", "#n/a", "."}
            if any(text.startswith("+") for text in texts):
                unsure -= MINUS
            groups = [None if text.casefold() in unsure else text for text in texts]
            none = next((text for text in texts if text.casefold() in unsure - {"", UNKNOWN}), None)
        amounts = [(costly, at) for at in columns if costly is not None]
        amounts += [(at, special["weight"]) for at in rows if "weight" in special]
        notes = [*cells.notes, *(f"{cells.source}: {line}" for line in unnamed.values())]
        objects = [at for at in rows if cells.rows[at][0] not in unnamed]
        borders = layout.borders(cells)
        notes += layout.doubtful_borders(cells)
        notes += [f"{cells.source}: group {quoted(none)} is taken as none"] if none else []
        notes += [f"{cells.source}: {line}" for _, line in alike(cells, [group for group in groups or () if group])]
        notes += islice((line for place in amounts if (line := cells.thousands(*place))), 1)
        notes += [
            f"{cells.line(at)}: {quoted(cells.rows[at][0])} begins like a comment, but is taken as an object"
            for at in rows
            if cells.rows[at][0].startswith("#")
        ][:1]
        notes += [
            f"{cells.line(at)}: {quoted(cells.rows[at][0])} has no reply at all; if it is no object, take it out"
            for at in rows
            if all(cells.rows[at][column] in ("", UNKNOWN) for column in columns)
        ][:1]
        return cls(
            cells, rows, columns, costs, weights, groups, borders, unnamed, notes, turned(cells, objects, columns)
        )

    @classmethod
    def of_arrays(
        cls,
        replies: object,
        objects: Sequence[str] | None,
        questions: Sequence[str] | None,
        costs: Sequence[object] | None,
        weights: Sequence[object] | None,
        groups: Sequence[object] | None,
        name: str,
    ) -> Source:
        """The objects and questions of an array, whose texts are read as the cells of a file are."""
        rows: list[list[str]] = []
        for number, row in enumerate(_entries(replies, "a table is a list of rows of replies, one for each object"), 1):
            cells = _entries(row, f"row {number} of the table must be a list of replies")
            rows.append([tidy(text_of_value(cell)) for cell in cells])
            if len(rows[-1]) != len(rows[0]):
                raise InputError(f"row {number} of the table has {len(cells)} replies; the first has {len(rows[0])}")
        width = len(rows[0]) if rows else 0
        asked, known = _names(questions, "question", width), _names(objects, "object", len(rows))
        texts = [["", *asked], *([one, *row] for one, row in zip(known, rows, strict=True))]
        members = None if groups is None else _counted(groups, "group", "object", len(rows))
        return cls(
            Cells(texts, name, "the table"),
            range(1, len(rows) + 1),
            range(1, width + 1),
            _numbers(costs, "cost", "question", width),
            _numbers(weights, "weight", "object", len(rows)),
            members and [None if group is None or group == "" else str(group) for group in members],
        )

    def fields(self, name: str) -> dict[str, Any]:
        """The fields of the table of this name, each object as its variants."""
        cells = self.cells
        if not self.rows:
            raise InputError(f"{cells.source} has no objects: each needs a row, with its name first")
        if not self.columns:
            raise InputError(f"{cells.source} has no questions: each needs a column, with its name on top")
        check_label(name, "the name of a table")
        questions = _labels(cells, [(0, at) for at in self.columns], "question")
        objects = _labels(cells, [(at, 0) for at in self.rows], "object")
        try:
            columns = [read_column(cells, at, self.rows, self.borders.get(at)) for at in self.columns]
        except InputError as error:
            raise InputError("; ".join(filter(None, (str(error), self.turned)))) from None
        # What looks like weights needs no more hints.
        told = [
            notes
            for at, (_, _, notes) in zip(self.columns, columns, strict=True)
            if cells.rows[0][at] not in self.unnamed
        ]
        if len(objects) > LONGEST_LIST or len(objects) * len(questions) > MOST_CELLS:
            asked = f"{len(questions)} questions x {len(objects)} objects"
            most = f"at most {LONGEST_LIST} objects and {MOST_CELLS} replies are possible"
            raise InputError(f"{cells.source}: {asked}; {most}")
        meant = [known for _, known, _ in columns]
        choices = [
            [known[cells.rows[at][column]] for column, known in zip(self.columns, meant, strict=True)]
            for at in self.rows
        ]
        costs, cost_scale = self._whole(self.costs or [Fraction(1)] * len(questions), "costs")
        groups, group_names = _grouped(self.groups, objects)
        common = {
            "name": name,
            "questions": questions,
            "objects": objects,
            "replies": tuple(replies for replies, _, _ in columns),
            "costs": np.array(costs, dtype=np.int64),
            "groups": np.array(groups, dtype=np.int32),
            "cost_scale": cost_scale,
            "notes": (*[self.turned] * bool(self.turned), *self.notes, *(note for notes in told for note in notes)),
            "group_names": group_names,
        }
        given = self.weights or [Fraction(1)] * len(objects)
        counts = [math.prod(map(len, one)) for one in choices]
        if sum(counts) > MOST_FORMS or len(questions) * sum(counts) > MOST_CELLS:
            return {**common, **self._cells(objects, choices, given, counts)}
        shares = [weight * share for weight, one in zip(given, choices, strict=True) for share in _form_shares(one)]
        weights, weight_scale = self._whole(shares, "weights")
        return {
            **common,
            "codes": np.concatenate([_forms(one, count) for one, count in zip(choices, counts, strict=True)], axis=1),
            "object_of": np.repeat(np.arange(len(objects)), counts),
            "weights": weights,
            "weight_scale": weight_scale,
        }

    def _cells(
        self,
        objects: Sequence[str],
        choices: Sequence[Sequence[Meaning]],
        weights: Sequence[Fraction],
        counts: Sequence[int],
    ) -> dict[str, Any]:
        """The cells of a `VaryingTable`, and weights of which every share is whole. InputError where these are too
        large, or shares unequal."""
        if not any(weights):
            raise InputError(f"{self.cells.source}: every object has weight 0; one at least must be more")
        columns = list(zip(*choices, strict=True))
        odd = [
            (at, row)
            for at, known in zip(self.columns, columns, strict=True)
            for row in [row for row, cell in zip(self.rows, known, strict=True) if len(set(cell.values())) > 1][:1]
        ]
        if odd:
            column, row = odd[0]
            raise InputError(
                f"{self.cells.place(row, column)}: its replies don't come equally often, which is not yet possible "
                f"beyond {LONGEST_LIST} forms, here {sum(counts)}: leave out shares"
                f"{self._by_classes([at for at, _ in odd])}"
            )
        numbers, kinds = [], []
        for known in columns:
            place: dict[tuple[int, ...], int] = {}
            numbers.append([place.setdefault(tuple(sorted(cell)), len(place)) for cell in known])
            kinds.append(tuple(place))
        forms, scale = math.lcm(*counts), math.lcm(*(weight.denominator for weight in weights))
        if forms * scale * sum(weights) >= MOST_SHARES:
            most = max(range(len(counts)), key=counts.__getitem__)
            varying = [
                self.cells.rows[0][at] for at, cell in zip(self.columns, choices[most], strict=True) if len(cell) > 1
            ]
            raise InputError(
                f"{self.cells.line(self.rows[most])}: {quoted(objects[most])} has {counts[most]} forms, and shares of "
                f"its weight can't be held as whole numbers of 128 bits: fill in some of "
                f"{listed(varying, 6)}"
            )
        return {
            "cells": np.array(numbers, dtype=np.uint16),
            "kinds": tuple(kinds),
            "object_weights": tuple(int(weight * scale * forms) for weight in weights),
            "weight_scale": scale * forms,
        }

    def _by_classes(self, columns: Sequence[int]) -> str:
        """What to say of ranges in these columns, each of which is many forms."""
        classes = classes_of(self.cells, [at for at in columns if at not in self.borders])
        return f", or make classes of ranges: {classes}" if classes else ""

    def _whole(self, values: Sequence[Fraction], what: str) -> tuple[list[int], int]:
        """The values times the least whole number that makes them whole; and that number."""
        scale = math.lcm(*(value.denominator for value in values))
        numbers = [int(value * scale) for value in values]
        if sum(numbers) >= INFEASIBLE:
            raise InputError(
                f"{self.cells.source}: as whole numbers the {what} sum to 2^62 or more: give them with fewer "
                f"digits, or have fewer cells vary{self._by_classes(self.columns)}"
            )
        return numbers, scale


def _border(value: object, where: str) -> Fraction:
    """A number, which may be negative."""
    text = str(value) if isinstance(value, str | int | float) else ""
    return -number_of(text[1:], where) if text[:1] == "-" else number_of(value, where)


def _form_shares(choices: Sequence[Meaning]) -> list[Fraction]:
    """The share of each variant in the weight of its object."""
    varying = [tuple(meaning.values()) for meaning in choices if len(meaning) > 1]
    if all(min(shares) == max(shares) for shares in varying):
        count = math.prod(map(len, varying))
        return [Fraction(1, count)] * count
    return [math.prod(shares, start=Fraction(1)) for shares in product(*varying)]


def _forms(choices: Sequence[Meaning], count: int) -> npt.NDArray[np.uint16]:
    """The forms of an object with these replies to each question, as columns; the last question changes first."""
    every = count
    forms = np.array([next(iter(replies)) for replies in choices], dtype=np.uint16)[:, None].repeat(count, axis=1)
    for at, replies in enumerate(choices):
        if len(replies) > 1:
            every //= len(replies)
            forms[at] = np.tile(np.repeat(list(replies), every), count // (every * len(replies)))
    return forms


def cells_of_frame(frame: Any, name: str) -> Cells:
    """The cells of a DataFrame of pandas; what is missing in it is an empty one."""
    try:
        rows = frame.astype(object).where(frame.notna(), None).values.tolist()
        head, first = [[tidy(str(name)) for name in names] for names in (frame.columns, frame.index)]
    except (AttributeError, TypeError, ValueError):
        raise InputError(f"a DataFrame of pandas is needed, not {shown(frame)}") from None
    names = [row[0] for row in rows] if len(head) > 1 and type(frame.index).__name__ == "RangeIndex" else []
    if all(isinstance(one, str) for one in names) and len(set(names)) == len(names) > 1:
        raise InputError(
            f"the frame numbers its rows, and its column {quoted(head[0])} looks like their names: right would be "
            f"frame.set_index({head[0]!r}), or index_col=0 where it is read"
        )
    texts = [
        ["", *head],
        *([one, *(tidy(text_of_value(cell)) for cell in row)] for one, row in zip(first, rows, strict=True)),
    ]
    return Cells(texts, name, "the frame")


def _labels(cells: Cells, places: Sequence[tuple[int, int]], what: str) -> tuple[str, ...]:
    """The names of questions or objects: none empty, no two alike."""
    first: dict[str, tuple[int, int]] = {}
    for row, column in places:
        text = cells.rows[row][column]
        if not text:
            raise InputError(f"{cells.place(row, column)} is empty: the {what} needs a name")
        check_text(cells, row, column, text)
        if text in first:
            hint = "; give one of them another name" if what == "question" else "; give them two names and one group"
            if row and len({line[1] for line in cells.rows}) == len(cells.rows) and "" not in cells.rows[0][:2]:
                hint += f"; or put {quoted(cells.rows[0][1])} first, if it has the names"
            raise InputError(f"{cells.place(row, column)}: {quoted(text)} stands in {cells.at(*first[text])} too{hint}")
        first[text] = (row, column)
    return tuple(first)


def _entries(values: Any, wanted: str) -> list[Any]:
    if isinstance(values, str | bytes | Mapping) or not iterates(values):
        raise InputError(f"{wanted}, not {shown(values)}")
    return list(values)


def _counted(values: Sequence[object], what: str, of: str, count: int) -> list[Any]:
    found = _entries(values, f"{what}s must be a list, with one for each {of}")
    if len(found) != count:
        raise InputError(f"{count} {what}s are needed, not {len(found)}")
    return found


def _names(names: Sequence[str] | None, what: str, count: int) -> list[str]:
    if names is None:
        return [f"{what} {number}" for number in range(1, count + 1)]
    texts = check_texts(names, f"{what}s", "a")
    return [tidy(text) for text in _counted(texts, f"name of {what}", what, count)]


def _numbers(values: Sequence[object] | None, what: str, of: str, count: int) -> list[Fraction] | None:
    if values is None:
        return None
    return [number_of(value, f"{what} {number}") for number, value in enumerate(_counted(values, what, of, count), 1)]


def _grouped(groups: Sequence[str | None] | None, objects: Sequence[str]) -> tuple[list[int], tuple[str, ...]]:
    """The number of each object's group, from 0 in the order of the objects, and the names of groups.

    An object without a group is alone in one. A name is "" for it, and where it would name nothing to people: a
    number, what can't be printed, or the name of an object of another group.
    """
    keys = [("alone", at) if group is None else group for at, group in enumerate(groups or [None] * len(objects))]
    known: dict[tuple[str, int] | str, int] = {}
    numbers = [known.setdefault(key, len(known)) for key in keys]
    of_object = dict(zip(objects, keys, strict=True))

    def name(key: tuple[str, int] | str) -> str:
        if isinstance(key, tuple) or key.isdecimal() or not is_label(key, MOST_LETTERS):
            return ""
        return key if of_object.get(key, key) == key else ""

    names = tuple(map(name, known))
    return numbers, names if any(names) else ()
