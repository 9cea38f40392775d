"""Comma-separated values, as spreadsheets read them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence


def csv_lines(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """A line of headings and a line for each row, each with its end. None is left empty, lists have blanks between."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(headings)
    for row in rows:
        writer.writerow([" ".join(map(str, value)) if isinstance(value, list) else value for value in row])
        yield out.getvalue()
        out.seek(0)
        out.truncate()
    yield out.getvalue()  # the headings, where there is no row


def csv_of(records: Sequence[Mapping[str, object]]) -> str:
    """The records, a row each, under all names that they have; what a record lacks is left empty. "" for no records."""
    if not records:
        return ""
    names = list(dict.fromkeys(name for record in records for name in record))
    return "".join(csv_lines(names, ([record.get(name) for name in names] for record in records)))
