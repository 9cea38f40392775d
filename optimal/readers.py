"""Readers of tables in files (CSV with commas, semicolons or tabs, the first sheet of Excel, .npy), and of numbers in
them.

The callers interpret the rows: `games.matrices` and `tables.cells`.
"""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Iterable, Iterator
from datetime import datetime, time
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from optimal.checks import is_truth
from optimal.errors import InputError
from optimal.files import opened, text_of
from optimal.show.words import quoted, shown

if TYPE_CHECKING:
    import numpy.typing as npt

#: The line on which a row begins, from 1, and its cells.
Record = tuple[int, list[str]]

NPY, EXCEL, TEXT = ".npy", "Excel", "text"
_NPY, _EXCEL = b"\x93NUMPY", (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
_MARKS = ",;\t"
#: A non-negative number in a cell.
NUMBER = re.compile(r"(?=\.?[0-9])[0-9]{0,19}(\.[0-9]{0,19})?([eE][+-]?[0-9]{1,2})?")
#: A first line that tells Excel the separator.
_SEP = re.compile(r"sep=([,;\t|])(?=\n)")


def read_form(path: str, what: str) -> tuple[str, str]:
    """Return the form of a file, NPY, EXCEL or TEXT, and its text if it is one; ``what`` names its content in messages.

    Raises InputError for a file that can't be read, or whose form contradicts its name.
    """
    with opened(path, what) as file:
        start = file.peek(len(_NPY))
        form = NPY if start.startswith(_NPY) else EXCEL if start.startswith(_EXCEL) else TEXT
        text = text_of(file, path, what) if form == TEXT else ""
    ending = os.path.splitext(path)[1].lower()
    if form == TEXT and ending in (".npy", ".xlsx", ".xls"):
        raise InputError(f"{path}: not a good {ending} file: it does not begin as one")
    if form != TEXT and not os.path.isfile(path):  # the bytes read are lost
        raise InputError(f"{path}: no ordinary file, as {form} must be; a pipe can bring a {what} as text")
    return form, text


def read_npy(path: str, right: str) -> npt.NDArray[Any]:
    """Return the memory-mapped integer matrix of a .npy file; ``right`` ends the message for another array."""
    import numpy as np  # here, because text does without

    try:
        # Memory-mapped, so that a header with a false size allocates nothing.
        array: npt.NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    except Exception as error:  # bad headers raise a dozen kinds of errors, even the tokenizer's
        raise InputError(f"{path}: not a good .npy file: {quoted(str(error), 100)}") from None
    if array.ndim != 2 or 0 in array.shape or array.dtype.kind not in "iu":
        raise InputError(f"{path}: an array of shape {array.shape} and type {array.dtype}; {right}")
    return array


def read_excel(path: str) -> tuple[list[Record], int]:
    """Return the non-empty rows of the first sheet, and the number of sheets."""
    try:
        import pandas

        with pandas.ExcelFile(path) as book:
            sheets = len(book.sheet_names)
            frame = pandas.read_excel(book, header=None, dtype=object, keep_default_na=False)
    except ImportError:
        raise InputError(
            f"{path}: Excel needs pandas and openpyxl: pip install '.[excel]' in the checkout, or save it as CSV"
        ) from None
    except Exception as error:  # damaged files raise a dozen kinds of errors
        raise InputError(f"{path}: not a good Excel file: {quoted(str(error), 100)}; save it as CSV") from None
    rows = []
    for line, row in enumerate(frame.values.tolist(), 1):
        cells = [text_of_value(cell) for cell in row]
        for column, cell in enumerate(row, 1):
            if cell != cell:  # pandas reads errors as NaN, and empty cells as ""
                raise InputError(
                    f"{path}, line {line}, column {column} ({quoted(cells[0])}): an error of Excel, such as #DIV/0!; "
                    "leave the cell empty, or write ?, where the value is unknown"
                )
        rows.append((line, cells))
    return list(_not_empty(rows)), sheets


def read_csv(text: str, source: str) -> tuple[str, Iterable[Record]]:
    """Return the separator of a text and its non-empty rows; ``source`` begins messages."""
    named = _SEP.match(text)
    text = text[named.end() :] if named else text  # its line end stays, so that line numbers are right
    head = text.lstrip("\n").partition("\n")[0]
    marks = [named[1]] if named else [mark for mark in _MARKS if mark in head] or [","]
    if len(marks) > 1:

        def fits(mark: str) -> tuple[bool, int]:
            try:
                rows = [cells for _, cells in _records(text, source, mark)]
            except InputError:
                return False, 0
            return len({len(row) for row in rows}) == 1, len(rows[0])

        marks = sorted(marks, key=fits, reverse=True)  # the best fit first
    return marks[0], _not_empty(_records(text, source, marks[0]))


def _records(text: str, source: str, mark: str) -> Iterator[Record]:
    reader = csv.reader(io.StringIO(text), delimiter=mark, strict=True)
    line = 1
    while True:
        try:
            row = next(reader, None)
        except csv.Error as error:
            opens = "unexpected end" in str(error)
            reason = "a quotation mark opens here, and none closes" if opens else f"no line of CSV: {error}"
            at = line if opens else reader.line_num
            raise InputError(f"{source}, line {at}: {reason}; in quotation marks, one is written twice") from None
        if row is None:
            return
        yield line, [cell.strip() for cell in row]
        line = reader.line_num + 1


def _not_empty(records: Iterable[Record]) -> Iterator[Record]:
    return ((line, cells) for line, cells in records if any(cells))


def text_of_value(value: object) -> str:
    """Return a value as text of a cell: missing ones are empty, whole floats have no point, dates no hour."""
    if value is None or value != value:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime) and value.time() == time():
        return str(value.date())
    return str(value).strip()


def number_of(value: object, where: str, what: str = "number") -> Fraction:
    """Return a non-negative number, exactly; ``where`` begins the message if it's none."""
    if isinstance(value, Fraction) and value >= 0:
        return value
    item = getattr(value, "item", None)  # numpy's
    plain = item() if callable(item) else value
    if is_truth(plain) or not isinstance(plain, int | float | Decimal | str):
        raise InputError(f"{where}: {shown(value)} is no {what}; right would be a number such as 12 or 0.5")
    try:
        text = str(plain).strip()
    except ValueError:  # Python writes no integer of more than some 4000 digits
        text = "a giant number"
    if not NUMBER.fullmatch(text):
        negative = re.fullmatch(r"-[0-9.]+", text)
        right = "0 or more" if negative else "a number such as 12 or 0.5, of up to 19 digits before the point and after"
        raise InputError(f"{where}: {quoted(text)} is no {what}; right would be {right}")
    return Fraction(text)
