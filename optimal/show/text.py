"""Plain-text tables and histograms, the same on every terminal and in every pipe."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction

#: Texts and tables keep to so many characters, as far as names allow.
WIDTH = 80

_HEADINGS = ("guesses", "answers")


def paragraph(text: str) -> str:
    """The text in lines of at most 80 characters. Ends with a newline."""
    return textwrap.fill(text, WIDTH) + "\n"


def columns(headings: Sequence[str], rows: Sequence[Sequence[object]], *, left: Collection[int] = (0,)) -> str:
    """Rows under headings; the columns numbered in ``left`` stand left, the others right. Ends with a newline.

    A table that is too wide with two blanks between its columns has one.
    """
    table = [[heading.replace("_", " ") for heading in headings]]
    table += [[cell(value) for value in row] for row in rows]
    widths = [max(len(row[i]) for row in table) for i in range(len(headings))]
    gap = "  " if sum(widths) + 2 * (len(widths) - 1) <= WIDTH else " "
    lines = []
    for row in table:
        cells = (
            text.ljust(width) if i in left else text.rjust(width)
            for i, (text, width) in enumerate(zip(row, widths, strict=True))
        )
        lines.append(gap.join(cells).rstrip())
    return "\n".join(lines) + "\n"


def pairs(rows: Sequence[tuple[str, object]], indent: str = "  ") -> str:
    """Names and what they stand for, in two columns without headings. Ends with a newline."""
    width = max((len(name) for name, _ in rows), default=0)
    return "".join(f"{indent}{name:{width}}  {value}\n" for name, value in rows)


def histogram(
    distribution: Mapping[int, int], limit: int | None = None, width: int = 40, *, headed: bool = False
) -> str:
    """One bar for each number of guesses; those over the limit are marked. Ends with a newline.

    Under headings the columns stand as wide as these.
    """
    most = max(distribution.values())
    digits = max(len(str(count)) for count in distribution.values())
    lines = [f"  {_HEADINGS[0]}  {_HEADINGS[1]}"] if headed else []
    for number, count in sorted(distribution.items()):
        # An answer or two out of thousands still shows.
        bar = "█" * max(1, round(width * count / most))
        over = "  over the limit" if limit is not None and number > limit else ""
        if headed:
            lines.append(f"  {number:{len(_HEADINGS[0])}}  {count:{max(digits, len(_HEADINGS[1]))}}  {bar}{over}")
        else:
            lines.append(f"{number:3} {count:{digits}} {bar}{over}")
    return "\n".join(lines) + "\n"


def cell(value: object) -> str:
    """A value as it stands in a table: yes or nothing, a dash for None, four decimals for fractions."""
    if value is True or value is False:
        return "yes" if value else ""
    if value is None:
        return "-"
    return f"{float(value):.4f}" if isinstance(value, float | Fraction) else str(value)
