"""Readers of tables in files (CSV with commas, semicolons or tabs, the first sheet of Excel, .npy), and of numbers in
them.

The callers interpret the rows: `games.matrices` and `tables.cells`.
"""

from __future__ import annotations

import csv
import os
import re
import warnings
import zipfile
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from contextlib import closing
from datetime import datetime, time
from decimal import Decimal
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Any

from optimal.checks import is_truth
from optimal.errors import InputError
from optimal.files import MOST_BYTES, opened, text_of
from optimal.show.words import quoted, shown

if TYPE_CHECKING:
    import numpy.typing as npt

#: The line on which a row begins, from 1, and its cells.
Record = tuple[int, list[str]]

NPY, EXCEL, NEXUS, DELTA, TEXT = ".npy", "Excel", "NEXUS", "DELTA", "text"
_NPY, _EXCEL, _OLD_EXCEL = b"\x93NUMPY", b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
_MARKS = ",;\t"
#: A non-negative number in a cell.
NUMBER = re.compile(r"(?=\.?[0-9])[0-9]{0,19}(\.[0-9]{0,19})?([eE][+-]?[0-9]{1,2})?")
#: Cells that are read at most, lines of a file, and rows that decide what stands between cells.
MOST_READ, MOST_LINES, MOST_TRIED = 1 << 25, 1 << 20, 1000
#: Lines among which titles may stand above a table.
_ABOVE = 20
#: What spreadsheets write where there is no value.
_ERRORS = frozenset(["#N/A", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!"])
#: A formula that nothing has worked out yet; one of an empty text has no value either.
_FORMULA = re.compile(rb'<c r="([A-Z]+[0-9]+)"(?![^>]* t="str")[^>]*><f[^>]*(?:/>|>[^<]*</f>)(?:<v ?/>|<v></v>)?</c>')
_MERGED = re.compile(rb'<(?:\w+:)?mergeCell [^>]*ref="([A-Z]+[0-9]+:[A-Z]+[0-9]+)"')
#: The beginnings of files of NEXUS, and of DELTA: a directive, of whose words three letters count.
_NEXUS = re.compile(rb"(?:\xef\xbb\xbf)?\s*#nexus\b", re.IGNORECASE)
_DELTA = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*\*\s*(?:SHO|COM|HEA|LIS[A-Z]*\s+FIL|INP[A-Z]*\s+FIL|NUM[A-Z]*\s+OF\s+CHA|CHA[A-Z]*\s+(?:LIS|TYP|REL)|"
    rb"ITE[A-Z]*\s+DES)[A-Z]*\b"
)
#: A first line that tells Excel the separator.
_SEP = re.compile(r"sep=([,;\t|])(?=\n)")


def read_form(path: str, what: str) -> tuple[str, str]:
    """Return the form of a file, NPY, EXCEL, NEXUS, DELTA or TEXT, and the text of the last three; ``what`` names its
    content in messages.

    Raises InputError for a file that can't be read, or whose form contradicts its name.
    """
    with opened(path, what) as file:
        start = file.peek(100)
        form = NPY if start.startswith(_NPY) else EXCEL if start.startswith(_EXCEL) else TEXT
        form = NEXUS if _NEXUS.match(start) else DELTA if _DELTA.match(start) else form
        if start.startswith(_OLD_EXCEL):
            raise InputError(f"{path}: an Excel file of the old form; save it as .xlsx or CSV")
        # Matrices of taxa that are published are mostly older than UTF-8.
        text = "" if form in (NPY, EXCEL) else text_of(file, path, what, None if form == TEXT else "cp1252")
    ending = os.path.splitext(path)[1].lower()
    if form == TEXT and ending in (".npy", ".xlsx", ".xls"):
        raise InputError(f"{path}: not a good {ending} file: it does not begin as one")
    if not text and form != TEXT and not os.path.isfile(path):  # the bytes read are lost
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
    """Return the non-empty rows of the first sheet, and the number of sheets. Merged cells have one value."""
    try:
        import openpyxl
    except ImportError:
        raise InputError(
            f"{path}: Excel needs openpyxl: pip install '.[excel]' in the checkout, or save it as CSV"
        ) from None
    try:
        _check_unpacked(path)
        with warnings.catch_warnings(), closing(openpyxl.load_workbook(path, read_only=True, data_only=True)) as book:
            warnings.simplefilter("ignore")  # of what isn't read: colours, rules
            sheet = book.worksheets[0]
            sheet.reset_dimensions()  # they may be a million times as large as what stands there
            rows = _sheet_rows(path, sheet.iter_rows(values_only=True))
            _fill_merged(path, sheet._worksheet_path, rows)
            return list(rows.items()), len(book.sheetnames)
    except InputError:
        raise
    except Exception as error:  # damaged files raise a dozen kinds of errors
        raise InputError(f"{path}: not a good Excel file: {quoted(str(error), 100)}; save it as CSV") from None


def _check_unpacked(path: str) -> None:
    """Raise InputError for a workbook whose parts are too large: packed, they may be tiny."""
    with zipfile.ZipFile(path) as book:
        for part in book.infolist():
            if part.filename.endswith(".xml") and part.file_size > MOST_BYTES:
                raise InputError(f"{path}: {part.filename} in it has more than {MOST_BYTES} bytes; save it as CSV")


def _sheet_rows(path: str, lines: Iterable[tuple[object, ...]]) -> dict[int, list[str]]:
    """Return the non-empty rows by their lines, none shorter than the longest of the first lines."""
    rows: dict[int, list[str]] = {}
    width = count = 0
    for line, values in enumerate(lines, 1):
        cells = [text_of_value(value) for value in values]
        while cells and not cells[-1]:
            del cells[-1]
        if line > MOST_LINES or count > MOST_READ:
            raise InputError(f"{path}: the sheet has more than {MOST_LINES} lines or {MOST_READ} cells; save it as CSV")
        if not cells:
            continue
        for column, cell in enumerate(cells, 1):
            if cell in _ERRORS:
                raise InputError(
                    f"{path}, line {line}, column {column} ({quoted(cells[0])}): an error of Excel, {cell}; "
                    "leave the cell empty, or write ?, where the value is unknown"
                )
        width = max(width, len(cells)) if len(rows) < _ABOVE else width
        rows[line] = cells
        count += max(width, len(cells))
    for cells in rows.values():
        cells += [""] * (width - len(cells))
    return rows


def _fill_merged(path: str, sheet: str, rows: dict[int, list[str]]) -> None:
    """Give merged cells their value, which their first cell holds. Of empty lines there are none to fill."""
    from openpyxl.utils import range_boundaries

    with zipfile.ZipFile(path) as book, book.open(sheet.lstrip("/")) as file:
        text = file.read()
    if formula := _FORMULA.search(text):
        cell = formula[1].decode()
        raise InputError(f"{path}, cell {cell}: a formula without a value; a spreadsheet program that saves it adds it")
    merged = _MERGED.findall(text)
    known = sorted(rows) if merged else []
    for reference in merged:
        left, top, right, bottom = range_boundaries(reference.decode())
        if top not in rows or len(rows[top]) < left:
            continue
        value = rows[top][left - 1]
        for line in known[bisect_left(known, top) : bisect_right(known, bottom)]:
            cells = rows[line]
            cells[left - 1 : right] = [value] * (min(right, len(cells)) - left + 1)


def read_csv(text: str, source: str) -> tuple[str, Iterable[Record]]:
    """Return the separator of a text and its non-empty rows; ``source`` begins messages."""
    named = _SEP.match(text)
    text = text[named.end() :] if named else text  # its line end stays, so that line numbers are right
    mark = named[1] if named else _mark(text, source)
    return mark, _not_empty(_records(text, source, mark))


def _mark(text: str, source: str) -> str:
    """Return what stands between cells: a mark of the first row that has one. Where that is a comma, it may be one of a
    title, if commas don't fit, but another mark does, and no comma stands in the names in front."""
    found = {mark: fit for mark in _MARKS if mark in text and (fit := _fit(text, source, mark))}
    if not found:
        head = text.lstrip("\n").partition("\n")[0]
        return next((mark for mark in _MARKS if mark in head), ",")
    first = min(begin for begin, *_ in found.values())
    known = [mark for mark, (begin, *_) in found.items() if begin == first]
    if known == [","] and not found[","][1]:
        known = [mark for mark, (_, fits, _, is_clear) in found.items() if fits and is_clear] or known
    return max(known, key=lambda mark: found[mark][1:])


def _fit(text: str, source: str, mark: str) -> tuple[int, bool, int, bool] | None:
    """Return on which line the first row begins that the mark separates, whether all from there have one width, which,
    and whether their first cells have no other mark. None where there is no such row among the first."""
    rows, fits = list[Record](), True
    try:
        for at, (line, cells) in enumerate(islice(_records(text, source, mark), MOST_TRIED)):
            if rows or len(cells) > 1:
                rows.append((line, cells))
            elif at >= _ABOVE:
                return None
    except InputError:
        fits = False
    while rows and not rows[-1][1]:
        rows.pop()
    if not rows:
        return None
    widths = {len(cells) for _, cells in rows}
    is_clear = not any(other in cells[0] for _, cells in rows if cells for other in _MARKS if other != mark)
    return rows[0][0], fits and len(widths) == 1, len(rows[0][1]) if fits else 0, is_clear


def _records(text: str, source: str, mark: str) -> Iterator[Record]:
    reader = csv.reader(_lines(text), delimiter=mark, strict=True)
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
        if line > MOST_LINES:
            raise InputError(f"{source} has more than {MOST_LINES} lines; no table has that many")


def _lines(text: str) -> Iterator[str]:
    """Yield the lines of a text with their ends, without a copy of it."""
    at = 0
    while at < len(text):
        end = text.find("\n", at) + 1 or len(text)
        yield text[at:end]
        at = end


def _not_empty(records: Iterable[Record]) -> Iterator[Record]:
    return ((line, cells) for line, cells in records if any(cells))


def text_of_value(value: object) -> str:
    """Return a value as text of a cell: missing ones are empty, whole floats have no point, dates no hour."""
    if value is None or value != value:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, float) and abs(value) < float("inf"):
        return without_exponent(f"{value:.15g}")  # what a spreadsheet shows at most
    if isinstance(value, datetime) and value.time() == time():
        return str(value.date())
    return str(value).strip()


def without_exponent(text: str) -> str:
    """Return a number as Python writes it, without a power of ten."""
    return f"{Decimal(text):f}" if "e" in text else text


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
