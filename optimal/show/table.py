"""Tables with captions and notes, for terminals and notebooks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar, overload

from optimal.errors import InputError
from optimal.show.csv import csv_of
from optimal.show.html import html_table
from optimal.show.text import BAR, cell, columns, histogram, pairs, paragraph, printable


@dataclass(frozen=True)
class Grid:
    """Rows of values under headings; without rows, only the caption and the notes."""

    caption: str
    headings: Sequence[str]
    rows: Sequence[Sequence[object]]
    notes: Sequence[str] = ()

    def __str__(self) -> str:
        parts = [paragraph(self.caption), *map(paragraph, self.notes)]
        if self.rows:
            parts.insert(1, columns(self.headings, self.rows))
        return "".join(parts).rstrip("\n")

    def _repr_html_(self) -> str:
        rows = [[cell(value) for value in row] for row in self.rows]
        return html_table(self.caption, self.headings, rows, *self.notes)


@dataclass(frozen=True)
class Sheet:
    """Names and values, and the distribution of the answers over the number of guesses, if it is known; notes before
    them, and lines of text below."""

    caption: str
    fields: Sequence[tuple[str, str]]
    distribution: Mapping[int, int] = field(default_factory=dict)
    notes: Sequence[str] = ()
    lines: Sequence[str] = ()

    def __str__(self) -> str:
        parts = [*map(paragraph, (self.caption, *self.notes)), pairs(self.fields), *self.lines]
        if self.distribution:
            parts.append(histogram(self.distribution, width=BAR, headed=True))
        return printable("".join(parts)).rstrip("\n")

    def _repr_html_(self) -> str:
        headings, *rows = self.fields
        rows += [(f"found by guess {depth}", str(count)) for depth, count in self.distribution.items()]
        return html_table(self.caption, headings, rows, *self.notes)


class Tabled(ABC):
    """A result shown as a table, on a terminal and in a notebook."""

    @property
    @abstractmethod
    def table(self) -> Grid | Sheet:
        """The result as a table."""

    def __str__(self) -> str:
        return str(self.table)

    def __repr__(self) -> str:
        # The caption alone: the fields of a long answer would fill many screens.
        return f"<{type(self).__name__} {self.table.caption}>"

    def _repr_html_(self) -> str:
        return self.table._repr_html_()


class Row(Protocol):
    """A row of a result's table."""

    def to_dict(self) -> dict[str, Any]: ...


RowT = TypeVar("RowT", bound=Row)


class Listed(Tabled, Generic[RowT]):
    """A result that is a list of rows: it can be indexed, iterated and measured with `len`."""

    @property
    @abstractmethod
    def rows(self) -> Sequence[RowT]:
        """The rows of the list."""

    def __iter__(self) -> Iterator[RowT]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, number: int) -> RowT: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[RowT]: ...
    def __getitem__(self, number: int | slice) -> RowT | Sequence[RowT]:
        return self.rows[number]

    def to_csv(self) -> str:
        """Return the rows as CSV."""
        return csv_of([row.to_dict() for row in self.rows])

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with the columns of the CSV. Raises InputError if pandas is not installed."""
        try:
            import pandas
        except ImportError:
            raise InputError("to_frame needs pandas: pip install pandas") from None
        return pandas.DataFrame([row.to_dict() for row in self.rows])
