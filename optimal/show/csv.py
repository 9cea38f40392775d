"""Comma-separated values, for spreadsheets."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain


class _Echo:
    """A file for `csv.writer`, whose `writerow` returns what this returns."""

    def write(self, text: str) -> str:
        return text


def csv_lines(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """Yield a line of headings and a line for each row, each with its newline. None is empty; list items are separated
    by blanks. An apostrophe stands before a label that a spreadsheet would take for a formula."""
    writer = csv.writer(_Echo(), lineterminator="\n")
    for row in chain([headings], rows):
        values = (" ".join(map(str, value)) if isinstance(value, list) else value for value in row)
        yield writer.writerow([f"'{value}" if _is_formula(value) else value for value in values])


def _is_formula(value: object) -> bool:
    if not isinstance(value, str) or not value.startswith(("=", "+", "-", "@")) or len(value) == 1:
        return False
    try:
        float(value)
    except ValueError:
        return True
    return False


def csv_of(records: Sequence[Mapping[str, object]]) -> str:
    """Return the records, a row each, under the union of their names; missing values are empty. "" for no records."""
    if not records:
        return ""
    names = list(dict.fromkeys(name for record in records for name in record))
    return "".join(csv_lines(names, ([record.get(name) for name in names] for record in records)))
