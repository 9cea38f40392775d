"""Tables for notebooks, as plain HTML without any style of their own."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape


def html_table(caption: str, headings: Sequence[str], rows: Sequence[Sequence[object]], *notes: str) -> str:
    """A table with its caption above and notes below; the first column is text, the others are numbers."""
    head = "".join(f"<th>{escape(heading)}</th>" for heading in headings)
    body = "".join(f"<tr>{''.join(map(_cell, range(len(row)), row))}</tr>" for row in rows)
    below = "".join(f"<p>{escape(note)}</p>" for note in notes if note)
    return f"<table><caption>{escape(caption)}</caption><tr>{head}</tr>{body}</table>{below}"


def _cell(column: int, value: object) -> str:
    style = ' style="text-align:left"' if column == 0 else ""
    return f"<td{style}>{escape(str(value))}</td>"
