"""What stands around a table in a file: titles above its heading, a heading of two lines, numbers before the names; and
which way round it stands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from optimal.errors import InputError
from optimal.show.words import quoted
from optimal.tables.cells import UNKNOWN, Cells
from optimal.tables.doubts import UNSURE

#: A number or a range, which is no name of a question.
_NUMBER = re.compile(r"[-\N{MINUS SIGN}<>]?[0-9][-0-9.,\N{EN DASH} ]*")
#: A sentence, or what begins as remarks below tables do.
_REMARK = re.compile(r"(?:sources?|notes?|remarks?) ?[:.]|note that |(?:\S+ ){4,}\S+[.!?]$", re.IGNORECASE)
#: Rows of a table with names of questions and two objects: nothing is left out of fewer.
_LEAST = 3
#: What columns that number the rows are called, in small letters.
_NUMBERS = frozenset(["", "no", "nr", "lfd. nr", "#", "id", "number"])
#: What columns of names are called, which is no title.
_NAMES = frozenset(["name", "names", "object", "objects", "species", "taxon", "taxa"])
#: Numbers before fewer names may mean something.
_FEW = 4
#: Units that stand below names, in small letters.
_UNITS = frozenset(["mm", "cm", "m", "km", "mg", "g", "kg", "ml", "l", "%", "\N{DEGREE SIGN}", "\N{DEGREE SIGN}c"])
_BLANK = UNSURE | {"", UNKNOWN, "n/a"}
#: Rows and columns that are compared, at most.
_SOME = 200


def trimmed(rows: list[list[str]], lines: list[int], source: str) -> tuple[int, list[str]]:
    """Leave the table alone of the rows and lines of a file, if what is around it can mean one thing only; return how
    many columns went from the left, and what to say of it all."""
    left = 0
    while len(rows) >= _LEAST and not any(row[0] for row in rows):  # of which none is empty
        _without_first(rows)
        left += 1
    notes = [*_titles(rows, lines, source), *_second_line(rows, lines, source), *_remarks(rows, lines, source)]
    notes += _sections(rows, lines, source)
    if left and rows:
        name = quoted(rows[0][0] or f"column {left + 1}")
        notes.append(f"{source}: the first column is empty, and is left out; {name} has the names")
    if _runs(rows):
        number, name = (quoted(rows[0][at] or f"column {at + left + 1}") for at in (0, 1))
        if rows[0][0].rstrip(".").casefold() not in _NUMBERS:
            hint = f"{source}: {number} may number the rows, and {name} have the names; if so, take {number} out"
            return left, [*notes, hint]
        notes.append(f"{source}: {number} numbers the rows, and is left out; {name} has the names")
        _without_first(rows)
        left += 1
    return left, notes


def _without_first(rows: list[list[str]]) -> None:
    for row in rows:
        del row[0]


def _titles(rows: list[list[str]], lines: list[int], source: str) -> list[str]:
    """Take off lines that hold one text, alone or in merged cells, where more columns stand below. What comes then must
    be names: they aren't numbers, and no replies."""
    count = next((at for at, row in enumerate(rows) if not _is_title(row, rows)), 0)
    if not count:
        return []
    title = next(filter(None, rows[0]))
    if title.casefold() in _NAMES or len(rows) - count < _LEAST or not _are_names(rows, count):
        raise InputError(
            f"{source}, line {lines[0]}: {quoted(title)} stands alone, and no names of questions and two objects "
            "below it; right would be a row with a name for each column"
        )
    del rows[:count]
    del lines[:count]
    return [f"{source}: the names of questions are those of line {lines[0]}; {quoted(title)} above it is a title"]


def _is_title(row: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    held = [at for at, cell in enumerate(row) if cell]
    if len({row[at] for at in held}) != 1:
        return False
    width = max(_width(other) for other in islice(rows, 1000))
    return held == [0] if width == 2 else width > 2 and (len(held) > 2 or held[-1] + 1 < width)


def _width(row: Sequence[str]) -> int:
    return max((at + 1 for at, cell in enumerate(row) if cell), default=0)


def _are_names(rows: Sequence[Sequence[str]], at: int) -> bool:
    """Whether a row has names of questions: no numbers, and none that stands in its column below, too."""
    names = {place: cell for place, cell in enumerate(rows[at]) if place and cell}
    below = at + (2 if _goes_on(rows, at) else 1)
    return bool(names) and not any(
        _NUMBER.fullmatch(cell) or any(cell in row[place : place + 1] for row in islice(rows, below, None))
        for place, cell in names.items()
    )


def _goes_on(rows: Sequence[Sequence[str]], at: int) -> bool:
    """Whether a heading has a second line: its name in front is the same, as of merged cells, or one of them is empty,
    and the first has gaps or repeats, or the second has units."""
    if len(rows) <= at + _LEAST or (rows[at][0] and rows[at + 1][0]):
        return len(rows) > at + _LEAST and rows[at + 1][0] == rows[at][0]
    above, below = rows[at][1 : max(map(_width, rows[at : at + 2]))], set(rows[at + 1]) - {""}
    gaps = "" in above or len(above) < _width(rows[at + 1]) - 1
    if not rows[at][0]:
        return gaps
    return gaps or len(set(above)) < len(above) or {cell.strip("()[]").casefold() for cell in below} <= _UNITS


def _second_line(rows: list[list[str]], lines: list[int], source: str) -> list[str]:
    """Join a heading of two lines. A name above holds for those below that have none."""
    if not _goes_on(rows, 0) or not _are_names(rows, 1):
        return []
    above, below = (row + [""] * (max(map(len, rows[:2])) - len(row)) for row in rows[:2])
    joined, over = [above[0] or below[0]], ""
    for one, other in zip(above[1:], below[1:], strict=True):
        over = one or (over if other else "")
        joined.append(over if other in ("", over) else f"{over} {other}".strip())
    rows[:2] = [joined]
    del lines[1]
    return [f"{source}: the names of questions are joined from two lines, such as {quoted(max(joined[1:], key=len))}"]


def _remarks(rows: list[list[str]], lines: list[int], source: str) -> list[str]:
    """Take off the last lines that hold a remark alone, where there is more than one question. A name with empty cells
    for all replies is an object."""
    notes = []
    while len(rows) > _LEAST and _width(rows[0]) > 2 and _width(rows[-1]) == 1 and _is_remark(rows[-1], rows[0]):
        notes.append(f"{source}, line {lines.pop()}: {quoted(rows.pop()[0])} stands alone, and is left out")
    return notes[::-1]


def _sections(rows: list[list[str]], lines: list[int], source: str) -> list[str]:
    """Take off lines below the heading that hold one text in merged cells, and the heading once more."""
    notes = []
    for at in reversed(range(1, len(rows)) if _width(rows[0]) > 2 else ()):
        name, *cells = rows[at]
        again = [cell.casefold() for cell in rows[at]] == [cell.casefold() for cell in rows[0]]
        merged = set(cells) - {""} == {name} and cells.count(name) > 1 and not _NUMBER.fullmatch(name)
        if again or (merged and not any(name in row[1:] for row in rows if row is not rows[at])):
            what = "the heading stands once more" if again else f"{quoted(name)} stands in all cells"
            cure = "" if again else "; an object needs another name"
            notes.append(f"{source}, line {lines.pop(at)}: {what}, and is left out{cure}")
            del rows[at]
    return notes[::-1]


def _is_remark(row: Sequence[str], head: Sequence[str]) -> bool:
    return len(row) < _width(head) or _REMARK.match(row[0]) is not None


def _runs(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first column has 1, 2, 3 and so on, and the second a word of its own for each."""
    body = rows[1:]
    if len(body) < _FEW or _width(rows[0]) < 3 or any(len(row) < 2 for row in body):
        return False
    names = {row[1] for row in body}
    first = [row[0].rstrip(".").lstrip("0") or row[0] for row in body]
    begin = 0 if first[0] == "0" else 1
    return (
        len(names) == len(body)
        and first == [str(number) for number in range(begin, begin + len(body))]
        and not any(not name or _NUMBER.fullmatch(name) for name in names)
    )


def turned(cells: Cells, rows: Sequence[int], columns: Sequence[int]) -> str:
    """Return what to say of a table whose rows look like questions, and its columns like objects: numbers and words
    stand apart in rows, but together in columns; or words stand several times in rows, but seldom in columns."""
    held = [[cells.rows[at][column] for column in columns[:_SOME]] for at in rows[:_SOME]]
    ways = (held, zip(*held, strict=True))
    lines, across = ([[cell for cell in line if cell.casefold() not in _BLANK] for line in way] for way in ways)
    few = min(len(lines), len(across))
    apart = few > 2 and _mixed(lines) <= 0.2 and _mixed(across) >= 0.8
    if cells.exact or not (apart or (few >= _FEW and _repeated(lines) >= 0.4 and _repeated(across) <= 0.1)):
        return ""
    row, column = cells.words
    cure = f"{'leave out ' if cells.is_turned else ''}--transpose"
    return f"{cells.source}: its {row}s look like questions, and its {column}s like objects; if so, {cure}"


def _mixed(lines: Sequence[Sequence[str]]) -> float:
    """The share of lines with numbers and words."""
    numbers = [sum(_NUMBER.match(cell) is not None for cell in line) for line in lines]
    return sum(0 < count < len(line) for count, line in zip(numbers, lines, strict=True)) / len(lines)


def _repeated(lines: Sequence[Sequence[str]]) -> float:
    """The share of cells with what stands before them in their lines."""
    return sum(len(line) - len(set(line)) for line in lines) / max(sum(len(line) - 1 for line in lines if line), 1)
