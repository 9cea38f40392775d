"""A rectangle of texts, as a file or a frame has it, and how messages call the place of each cell."""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

from optimal.checks import check_path, check_truth, is_truth
from optimal.errors import InputError, did_you_mean
from optimal.files import opened, text_of
from optimal.games.resources import table_file, table_names
from optimal.labels import is_label
from optimal.limits import LONGEST_LIST
from optimal.show.words import counted, quoted, shown
from optimal.tables.examples import made

#: Between the replies of a cell that varies; what stands for an unknown reply, as an empty cell does.
AND, UNKNOWN = "/", "?"

_NPY, _EXCEL = b"\x93NUMPY", (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
_MARKS = ",;\t"
_NUMBER = re.compile(r"(?=\.?[0-9])[0-9]{0,19}(\.[0-9]{0,19})?([eE][+-]?[0-9]{1,2})?")
_COMMA = re.compile(r"[0-9]+,[0-9]+")
#: What spreadsheets write where there is no value, in small letters.
_ERRORS = frozenset(["n/a", "#n/a", "#div/0!", "#value!", "#ref!", "#name?", "#num!", "#null!"])
#: Texts that often mean that a reply is unknown, in small letters.
_MINUS = frozenset(["-", "\N{EN DASH}", "\N{EM DASH}", "\N{MINUS SIGN}"])
_UNSURE = _MINUS | {"na", "n.a.", "--", "??", "???", "nan", "null", "unknown"}
#: What rows of costs, and columns of weights and of groups, are often called, in small letters.
_COSTS = frozenset(["cost", "costs", "price", "prices", "effort", "minutes", "time"])
_WEIGHTS = frozenset(["weight", "weights", "frequency", "seen", "often", "abundance", "prevalence", "prior"])
_GROUPS = frozenset(["group", "groups", "complex"])
#: A first line by which Excel is told what stands between cells.
_SEP = re.compile(r"sep=([,;\t|])(?=\n)")


@dataclass(frozen=True)
class Cells:
    """Rows of texts, all of one length; the first has the names of columns, and the first column those of rows."""

    rows: list[list[str]]
    #: What a table of them is called, and what messages call the file.
    name: str
    source: str
    #: The line of the file for each of its rows; none for what is no file.
    lines: Sequence[int] = ()
    #: Whether rows and columns were changed for each other after reading.
    is_turned: bool = False
    #: Whether numbers may have a comma for a point.
    comma: bool = False

    @property
    def height(self) -> int:
        return len(self.rows)

    @property
    def width(self) -> int:
        return len(self.rows[0])

    def turned(self) -> Cells:
        """The same with rows for columns."""
        return replace(self, rows=[list(row) for row in zip(*self.rows, strict=True)], is_turned=not self.is_turned)

    def at(self, row: int, column: int) -> str:
        """Where the cell stands in the file: "line 7, column 3"."""
        row, column = (column, row) if self.is_turned else (row, column)
        return f"line {self.lines[row]}, column {column + 1}" if self.lines else f"row {row}, column {column}"

    def place(self, row: int, column: int) -> str:
        """The same with the file before it and the names of row and column behind it."""
        names = [self.rows[row][0] if row and column else "", self.rows[0][column] if row and column else ""]
        told = ", ".join(quoted(name) for name in names if name)
        return f"{self.source}, {self.at(row, column)}{f' ({told})' if told else ''}"

    def line(self, row: int) -> str:
        """Where the row stands, which in the file may be a column."""
        if self.is_turned:
            return f"{self.source}, column {row + 1}"
        return f"{self.source}, line {self.lines[row]}" if self.lines else f"{self.source}, row {row}"

    def column(self, name: object, what: str) -> int:
        """The column of this name, for messages that of ``what``. InputError where there is none, or more than one."""
        return self._find(name, self.rows[0], what, "row" if self.is_turned else "column")

    def row(self, name: object, what: str) -> int:
        """The row of this name."""
        return self._find(name, [row[0] for row in self.rows], what, "column" if self.is_turned else "row")

    def _find(self, name: object, names: Sequence[str], what: str, where: str) -> int:
        if not isinstance(name, str):
            raise InputError(f"the {where} of {what}s must be a name, not {shown(name)}")
        label = _plain(name)
        found = [at for at, known in enumerate(names) if at and known == label]
        if not label or not found:
            hint = self._elsewhere(label, where, what) or did_you_mean(label, [known for known in names[1:] if known])
            raise InputError(f"{self.source}: no {where} is called {quoted(name)}, for {what}s{hint}")
        if len(found) > 1:
            raise InputError(f"{self.source}: {len(found)} {where}s are called {quoted(name)}; {what}s need one")
        return found[0]

    def unnamed(self, cost_row: str | None, weight_column: str | None, group_column: str | None) -> dict[str, str]:
        """What looks like costs, weights and groups where none are named: by the name of the row or column, what to
        say of it."""
        row, column = ("column", "row") if self.is_turned else ("row", "column")
        told = {}
        for name, *texts in self.rows[1:] if cost_row is None else ():
            if name.casefold() in _COSTS and self._are_numbers(texts):
                told[name] = f"{row} {name!r} looks like costs, not an object: if so, --cost-row {name}"
        for at, name in enumerate(self.rows[0][1:], 1):
            if group_column is None and name.casefold() in _GROUPS:
                told[name] = f"{column} {name!r} looks like groups, not a question: if so, --group-column {name}"
            elif (
                weight_column is None
                and name.casefold() in _WEIGHTS
                and self._are_numbers([line[at] for line in self.rows[1:]])
            ):
                told[name] = f"{column} {name!r} looks like weights, not a question: if so, --weight-column {name}"
        return {name: line for name, line in told.items() if name not in (cost_row, weight_column, group_column)}

    def _are_numbers(self, texts: Sequence[str]) -> bool:
        """Whether all are numbers or empty, and not all empty."""
        held = [text.replace(",", ".") if self.comma and _COMMA.fullmatch(text) else text for text in texts if text]
        return bool(held) and all(map(_NUMBER.fullmatch, held))

    def _elsewhere(self, label: str, where: str, what: str) -> str:
        """What to say where a column has the name that a row should have, or a row that of a column."""
        of_rows = where == ("column" if self.is_turned else "row")
        names = self.rows[0] if of_rows else [row[0] for row in self.rows]
        if not label or label not in names[1:]:
            return ""
        other = "column" if where == "row" else "row"
        doubt = "too much" if self.is_turned else "missing"
        return f", but a {other} is; {what}s stand in a {where}: is --transpose {doubt}?"


def read_cells(path: str | os.PathLike[str], *, transpose: bool = False) -> Cells:
    """The cells of a file, CSV, Excel or .npy, or of the table of that name that ships or is made.

    InputError for a file that can't be read, or whose rows have not as many cells as its first.
    """
    name, turn = check_path(path, "the table"), check_truth(transpose, "transpose")
    if not os.path.exists(name):
        known = [known.removesuffix(".csv") for known in table_names()]
        label = name.removesuffix(".csv")
        if (rows := made(name)) is not None:
            return _turned(Cells(rows, name, name), turn)
        if label not in known:
            hint = did_you_mean(label, known, f"there are {', '.join(known)}, sorting:N and coins:N")
            raise InputError(f"there is no file {quoted(name, 200)}, and no table of that name ships{hint}")
        with table_file(f"{label}.csv").open("rb") as shipped:
            return _turned(_of_text(shipped.read().decode(), name, label), turn)
    stem = Path(name).stem
    stem = stem if is_label(stem) else "table"
    with opened(name, "table") as file:
        start = file.peek(len(_NPY))
        text = None if start.startswith((_NPY, *_EXCEL)) else text_of(file, name, "table")
    if text is not None:
        if name.lower().endswith((".npy", ".xlsx", ".xls")):
            raise InputError(f"{name}: not a good {os.path.splitext(name)[1]} file: it does not begin as one")
        return _turned(_of_text(text, name, stem), turn)
    if not os.path.isfile(name):  # what was read to know it is gone
        kind = ".npy" if start.startswith(_NPY) else "Excel"
        raise InputError(f"{name}: no ordinary file, as {kind} must be; a pipe can bring a table as text")
    return _turned(_of_npy(name, stem) if start.startswith(_NPY) else _of_excel(name, stem), turn)


def _turned(cells: Cells, turn: bool) -> Cells:
    return cells.turned() if turn else cells


def _plain(text: str) -> str:
    """A text on one line, with single blanks."""
    return " ".join(text.split())


def _of_text(text: str, source: str, name: str) -> Cells:
    if not text.strip():
        raise InputError(f"{source} is empty; {_RIGHT}")
    told = _SEP.match(text)
    text = text[told.end() :] if told else text  # the end of that line stays, so that lines keep their numbers
    head = text.lstrip("\n").partition("\n")[0]
    tried = [told[1]] if told else [mark for mark in _MARKS if mark in head] or [","]
    read, failed = [], None
    for mark in tried:
        try:
            read.append((mark, *_records(text, source, mark)))
        except InputError as error:
            failed = failed or error
    if not read:
        assert failed is not None
        raise failed

    def fits(one: tuple[str, list[list[str]], list[int]]) -> tuple[bool, int]:
        return len({len(row) for row in one[1]}) == 1, len(one[1][0]) if one[1] else 0

    mark, rows, lines = max(read, key=fits)  # the first of those that fit best
    return _rectangle(rows, name, source, lines, mark != ",")


_NONE = f"leave the cell empty, or write {UNKNOWN}, where the reply is unknown"
_RIGHT = "right would be a row of names of questions, then a row for each object: its name, and its replies"


def _records(text: str, source: str, mark: str) -> tuple[list[list[str]], list[int]]:
    """The rows of CSV that are not empty, and the line on which each begins."""
    reader = csv.reader(io.StringIO(text), delimiter=mark, strict=True)
    rows: list[list[str]] = []
    lines: list[int] = []
    line = 1
    while True:
        try:
            row = next(reader, None)
        except csv.Error as error:
            opens = "unexpected end" in str(error)
            told = "a quotation mark opens here, and none closes" if opens else f"no line of CSV: {error}"
            at = line if opens else reader.line_num
            raise InputError(f"{source}, line {at}: {told}; in quotation marks, one is written twice") from None
        if row is None:
            return rows, lines
        cells = [_plain(cell) for cell in row]
        if any(cells):
            rows.append(cells)
            lines.append(line)
        line = reader.line_num + 1


def _rectangle(rows: list[list[str]], name: str, source: str, lines: Sequence[int], comma: bool = False) -> Cells:
    """The rows without the empty cells that spreadsheets leave at their ends."""
    if not rows:
        raise InputError(f"{source} is empty; {_RIGHT}")
    width = max((at + 1 for at, cell in enumerate(rows[0]) if cell), default=0)
    # A column without a name is an error only where it holds something.
    for row, line in zip(rows, lines, strict=True):
        most = max((at + 1 for at, cell in enumerate(row) if cell), default=0)
        if most > width:
            raise InputError(
                f"{source}, line {line}, column {most}: {quoted(row[most - 1])} stands beyond the "
                f"{counted(width, 'column')} that the first row names"
            )
        if len(row) < width:
            raise InputError(
                f"{source}, line {line}: {counted(len(row), 'cell')}, but the first row has {width}; "
                "right would be one for each, empty where a reply is unknown"
            )
        del row[width:]
    if width < 2 or len(rows) < 2:
        marks = ", with commas, semicolons or tabs between cells" if width < 2 else ""
        raise InputError(f"{source} has no table of two rows and two columns at least{marks}; {_RIGHT}")
    if max(width, len(rows)) > LONGEST_LIST + 8:
        raise InputError(f"{source}: {len(rows)} rows and {width} columns; at most {LONGEST_LIST} are possible")
    return Cells(rows, name, source, lines, comma=comma)


def _of_excel(path: str, name: str) -> Cells:
    try:
        import pandas

        with pandas.ExcelFile(path) as book:
            sheets = len(book.sheet_names)
            frame = book.parse(header=None, dtype=object, keep_default_na=False)
    except ImportError:
        raise InputError(
            f"{path}: Excel needs pandas and openpyxl: pip install '.[excel]' in the checkout, or save it as CSV"
        ) from None
    except Exception as error:  # a damaged file raises errors of a dozen kinds
        raise InputError(f"{path}: not a good Excel file: {quoted(str(error), 100)}; save it as CSV") from None
    rows = []
    for line, row in enumerate(frame.values.tolist(), 1):
        for column, cell in enumerate(row, 1):
            if cell != cell:  # pandas makes NaN of every error, and the empty text of an empty cell
                raise InputError(
                    f"{path}, line {line}, column {column} ({quoted(_plain(text_of_value(row[0])))}): an error of "
                    f"Excel, such as #DIV/0!; {_NONE}"
                )
        rows.append([_plain(text_of_value(cell)) for cell in row])
    kept = [(row, line) for line, row in enumerate(rows, 1) if any(row)]
    try:
        return _rectangle([row for row, _ in kept], name, path, [line for _, line in kept])
    except InputError as error:
        more = f" (of its {sheets} sheets only the first is read)" if sheets > 1 else ""
        raise InputError(f"{error}{more}") from None


def _of_npy(path: str, name: str) -> Cells:
    import numpy as np  # here, because a table as text does without

    try:
        # Mapped, not read: so a header that lies about the size makes no room for it.
        array = np.load(path, mmap_mode="r", allow_pickle=False)
    except Exception as error:  # a bad header raises errors of a dozen kinds, from the tokenizer's on
        raise InputError(f"{path}: not a good .npy file: {quoted(str(error), 100)}") from None
    if array.ndim != 2 or 0 in array.shape or array.dtype.kind not in "iu" or max(array.shape) > LONGEST_LIST:
        raise InputError(
            f"{path}: an array of shape {array.shape} and type {array.dtype}; right would be a matrix, objects x "
            f"questions, of whole numbers, with at most {LONGEST_LIST} of each"
        )
    head = ["", *(f"question {number}" for number in range(1, array.shape[1] + 1))]
    body = [[f"object {number}", *map(str, row.tolist())] for number, row in enumerate(array, 1)]
    return Cells([head, *body], name, path)


def parts_of(cells: Cells, row: int, column: int) -> list[str]:
    """The replies of a cell, of which any can come; none where it is unknown."""
    text = cells.rows[row][column].strip()
    if is_unknown(text):
        return []
    parts = [part.strip() for part in text.split(AND)]
    told = f"{cells.place(row, column)}: {quoted(text)}"
    if text.casefold() in _ERRORS:
        raise InputError(f"{told} is no reply; {_NONE}")
    if "" in parts:
        raise InputError(f"{told} has nothing on one side of its stroke; right would be such as red/brown")
    if UNKNOWN in parts:
        raise InputError(f"{told} is known in part; right would be {UNKNOWN} alone, or the replies that can come")
    if len(set(parts)) < len(parts):
        raise InputError(f"{told} has a reply twice; right would be {AND.join(dict.fromkeys(parts))}")
    return parts


def odd_replies(replies: Sequence[str]) -> list[tuple[str, str]]:
    """What is odd about the replies to a question, in words, with the reply in whose cell it is told: of each kind one.

    A reply that is another but for capitals, a mark or the way to write a number; one that may mean unknown.
    """
    plain: dict[str, str] = {}
    odd = []
    for reply in replies:
        other = plain.setdefault(_essence(reply), reply)
        if other != reply:
            if reply.casefold() == other.casefold():
                how = f"differs from {quoted(other)} by capitals alone"
            else:
                how = f"is another reply than {quoted(other)}; write both alike if they mean the same"
            odd.append((reply, f"{quoted(reply)} {how}"))
            break
    # A minus is the opposite of a plus.
    signs = any(reply.startswith("+") for reply in replies)
    unsure = [reply for reply in replies if reply.casefold() in _UNSURE and not (signs and reply in _MINUS)]
    if unsure and len(unsure) < len(replies):
        odd.append((unsure[0], f"{quoted(unsure[0])} is taken as a reply of its own; {_NONE}"))
    return odd


def _essence(reply: str) -> str:
    """What replies have in common that are easily taken for the same."""
    text = reply.casefold()
    if _NUMBER.fullmatch(text):
        return str(Fraction(text))
    return text.rstrip("?* ") or text


def is_unknown(text: str) -> bool:
    """Whether a cell stands for an unknown reply."""
    return text in ("", UNKNOWN)


def text_of_value(value: object) -> str:
    """A value as a cell has it: missing ones are empty, whole floats have no point, dates no hour."""
    if value is None or value != value:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime) and value.time() == time():
        return str(value.date())
    return str(value)


def amount_of(cells: Cells, row: int, column: int, what: str, unnamed: Mapping[str, str]) -> Fraction:
    """The cost or the weight in a cell; ``unnamed`` is what `Cells.unnamed` found."""
    text = cells.rows[row][column]
    if not text:
        other = unnamed.get(cells.rows[0][column]) or unnamed.get(cells.rows[row][0])
        hint = f"; {other}" if other else ""
        raise InputError(f"{cells.place(row, column)} is empty: it needs a {what}, such as 2 or 0.5{hint}")
    if cells.comma and _COMMA.fullmatch(text):
        text = text.replace(",", ".")
    return decimal(text, cells.place(row, column), what)


def decimal(value: object, where: str, what: str = "number") -> Fraction:
    """A number from 0 on, exactly; ``where`` opens the message if it's none."""
    if isinstance(value, Fraction) and value >= 0:
        return value
    item = getattr(value, "item", None)  # of numpy
    plain = item() if callable(item) else value
    if is_truth(plain) or not isinstance(plain, int | float | Decimal | str):
        raise InputError(f"{where}: {shown(value)} is no {what}; right would be a number such as 12 or 0.5")
    try:
        text = str(plain).strip()
    except ValueError:  # Python writes no integer of more than some 4000 digits
        text = "a giant number"
    if not _NUMBER.fullmatch(text):
        negative = re.fullmatch(r"-[0-9.]+", text)
        right = "0 or more" if negative else "a number such as 12 or 0.5, of up to 19 digits before the point and after"
        raise InputError(f"{where}: {quoted(text)} is no {what}; right would be {right}")
    return Fraction(text)
