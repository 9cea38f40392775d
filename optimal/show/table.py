"""Tables with their captions and notes, for a terminal and for a notebook alike."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from optimal.show.html import html_table
from optimal.show.text import BAR, cell, columns, histogram, pairs, paragraph, printable


@dataclass(frozen=True)
class Table:
    """Rows of values under headings; without rows there are the caption and the notes alone."""

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
    """Names and what they stand for, above the answers that each number of guesses finds, where these are known."""

    caption: str
    fields: Sequence[tuple[str, str]]
    distribution: Mapping[int, int]

    def __str__(self) -> str:
        parts = [paragraph(self.caption), pairs(self.fields)]
        if self.distribution:
            parts.append(histogram(self.distribution, width=BAR, headed=True))
        return printable("".join(parts)).rstrip("\n")

    def _repr_html_(self) -> str:
        headings, *rows = self.fields
        rows += [(f"found by guess {depth}", str(count)) for depth, count in self.distribution.items()]
        return html_table(self.caption, headings, rows)


class Tabled(ABC):
    """What is shown as a table, on a terminal and in a notebook."""

    @property
    @abstractmethod
    def table(self) -> Table | Sheet:
        """The same for people."""

    def __str__(self) -> str:
        return str(self.table)

    def __repr__(self) -> str:
        # The caption alone: the fields of a long answer would fill many screens.
        return f"<{type(self).__name__} {self.table.caption}>"

    def _repr_html_(self) -> str:
        return self.table._repr_html_()
