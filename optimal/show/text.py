"""Plain-text tables and histograms: the same in every pipe and on every terminal that is wide enough."""

from __future__ import annotations

import os
import sys
import textwrap
from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction

#: Width of texts and tables in characters, if names allow.
WIDTH = 80
#: The least width for a narrower terminal.
LEAST_WIDTH = 40

#: The longest bar of a histogram under headings, in characters.
BAR = 30

#: The least length to which names in a table are cut, and the mark in their middle.
LEAST_NAME, DOTS = 32, "..."

_HEADINGS = ("guesses", "answers")


def printable(text: str) -> str:
    """Return a text with bars and dots, in plain ASCII if standard output can't encode them."""
    if (getattr(sys.stdout, "encoding", None) or "utf-8").lower().replace("-", "") == "utf8":
        return text
    return text.replace("█", "#").replace("·", ".")


def text_width() -> int:
    """Return the line length of texts: 80 characters, or the width of a narrower terminal."""
    return min(WIDTH, max(LEAST_WIDTH, _terminal_columns()))


def _terminal_columns() -> int:
    """Return the width that `shutil` would find; importing that takes longer than this module."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isascii() and columns.isdecimal() and len(columns) < 10 and int(columns):
        return int(columns)
    if sys.__stdout__ is None:
        return WIDTH
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or WIDTH
    except (OSError, ValueError):  # no terminal, or closed
        return WIDTH


def paragraph(text: str, *, first: str = "", indent: str = "") -> str:
    """Return the text in lines of at most 80 characters, broken only at blanks. Ends with a newline.

    The first line begins with ``first``, the others with ``indent``.
    """
    lines = textwrap.wrap(
        text,
        text_width(),
        initial_indent=first,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(lines or [first.rstrip()]) + "\n"


def columns(headings: Sequence[str], rows: Iterable[Sequence[object]], *, left: Collection[int] = (0,)) -> str:
    """Return rows under headings; the columns numbered in ``left`` are left-aligned, the others right-aligned. Ends
    with a newline.

    Columns are two blanks apart, or one if the table is too wide; if it still is, long names in the first column are
    cut in the middle.
    """
    table = [[heading.replace("_", " ") for heading in headings]]
    table += [[cell(value) for value in row] for row in rows]
    widths = [max(len(row[i]) for row in table) for i in range(len(headings))]
    over = sum(widths) + len(widths) - 1 - text_width()
    if over > 0 and widths[0] > LEAST_NAME:
        widths[0] = max(LEAST_NAME, widths[0] - over)
        table = [[_cut(name, widths[0]), *rest] for name, *rest in table]
    gap = "  " if sum(widths) + 2 * (len(widths) - 1) <= text_width() else " "
    lines = []
    for row in table:
        cells = (
            text.ljust(width) if i in left else text.rjust(width)
            for i, (text, width) in enumerate(zip(row, widths, strict=True))
        )
        lines.append(gap.join(cells).rstrip())
    return "\n".join(lines) + "\n"


def _cut(name: str, width: int) -> str:
    """Return the name, or the beginning and the end of a longer one."""
    end = (width - len(DOTS)) // 2
    return name if len(name) <= width else f"{name[: width - len(DOTS) - end]}{DOTS}{name[-end:]}"


def pairs(rows: Sequence[tuple[str, object]], indent: str = "  ") -> str:
    """Return names and values in two columns without headings. Ends with a newline."""
    width = max((len(name) for name, _ in rows), default=0)
    below = " " * (len(indent) + width + 2)
    return "".join(paragraph(str(value), first=f"{indent}{name:{width}}  ", indent=below) for name, value in rows)


def histogram(
    distribution: Mapping[int, int], limit: int | None = None, width: int = 40, *, headed: bool = False
) -> str:
    """Return a bar for each number of guesses; those over the limit are marked. Ends with a newline.

    With headings, the columns are as wide as these.
    """
    most = max(distribution.values())
    digits = max(len(str(count)) for count in distribution.values())
    lines = [f"  {_HEADINGS[0]}  {_HEADINGS[1]}"] if headed else []
    for number, count in sorted(distribution.items()):
        # A bar is at least one character, even for one answer of thousands.
        bar = "█" * max(1, round(width * count / most))
        over = "  over the limit" if limit is not None and number > limit else ""
        if headed:
            lines.append(f"  {number:{len(_HEADINGS[0])}}  {count:{max(digits, len(_HEADINGS[1]))}}  {bar}{over}")
        else:
            lines.append(f"{number:3} {count:{digits}} {bar}{over}")
    return "\n".join(lines) + "\n"


def cell(value: object) -> str:
    """Return a value as text in a table: "yes" or nothing, a dash for None, four decimals for fractions."""
    if value is True or value is False:
        return "yes" if value else ""
    if value is None:
        return "-"
    return f"{float(value):.4f}" if isinstance(value, float | Fraction) else str(value)
