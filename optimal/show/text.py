"""Plain-text tables and histograms, the same on every terminal and in every pipe."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence

#: Texts and tables keep to so many characters, as far as names allow.
WIDTH = 80


def paragraph(text: str) -> str:
    """The text in lines of at most 80 characters. Ends with a newline."""
    return textwrap.fill(text, WIDTH) + "\n"


def columns(headings: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Rows under headings; the first column stands left, the others right. Ends with a newline.

    A table that is too wide with two blanks between its columns has one.
    """
    table = [[heading.replace("_", " ") for heading in headings]]
    table += [[_cell(value) for value in row] for row in rows]
    widths = [max(len(row[i]) for row in table) for i in range(len(headings))]
    gap = "  " if sum(widths) + 2 * (len(widths) - 1) <= WIDTH else " "
    lines = []
    for row in table:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        lines.append(gap.join(cells).rstrip())
    return "\n".join(lines) + "\n"


def listed(words: Sequence[str], most: int = 10) -> str:
    """The words with commas between them; of many the first, and how many more there are."""
    rest = len(words) - most
    return ", ".join(words[:most]) + (f" and {rest} more" if rest > 0 else "")


def histogram(distribution: Mapping[int, int], limit: int | None = None, width: int = 40) -> str:
    """One bar for each number of guesses; those over the limit are marked. Ends with a newline."""
    most = max(distribution.values())
    digits = max(len(str(count)) for count in distribution.values())
    lines = []
    for guesses, count in sorted(distribution.items()):
        bar = "█" * max(1, round(width * count / most))
        over = "  over the limit" if limit is not None and guesses > limit else ""
        lines.append(f"{guesses:3} {count:{digits}} {bar}{over}")
    return "\n".join(lines) + "\n"


def _cell(value: object) -> str:
    if value is True or value is False:
        return "yes" if value else ""
    if value is None:
        return "-"
    return f"{value:.4f}" if isinstance(value, float) else str(value)
