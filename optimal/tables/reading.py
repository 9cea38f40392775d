"""Reading tables in files, by their form, and tables that ship or are made, by their names."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from optimal.checks import check_path, check_truth
from optimal.errors import InputError, did_you_mean
from optimal.games.resources import TABLE_PARTS, table_file, table_names
from optimal.labels import is_label
from optimal.limits import LONGEST_LIST
from optimal.readers import DELTA, MOST_READ, NEXUS, NPY, TEXT, Record, read_csv, read_excel, read_form, read_npy
from optimal.show.words import counted, quoted
from optimal.tables.cells import Cells, tidy
from optimal.tables.delta import FILES, read_delta
from optimal.tables.examples import made
from optimal.tables.headings import trimmed
from optimal.tables.nexus import read_nexus

_RIGHT = "right would be a row of names of questions, then a row for each object: its name, and its replies"


def read_cells(path: str | os.PathLike[str], *, transpose: bool = False) -> Cells:
    """The cells of a file, CSV, Excel or .npy, or of the table of that name that ships or is made.

    InputError for a file that can't be read, or whose rows have not as many cells as its first.
    """
    name, turn = check_path(path, "the table"), check_truth(transpose, "transpose")
    cells = _of_file(name) if os.path.exists(name) else _of_name(name)
    return cells.turned() if turn else cells


def _of_name(name: str) -> Cells:
    if (rows := made(name)) is not None:
        return Cells(rows, name, name)
    known = [known.removesuffix(".csv") for known in table_names()]
    label = name.removesuffix(".csv")
    if label not in known:
        hint = did_you_mean(label, known, f"there are {', '.join(known)}, sorting:N and coins:N")
        raise InputError(f"there is no file {quoted(name, 200)}, and no table of that name ships{hint}")
    mark, records = read_csv(table_file(f"{label}.csv").read_text(encoding="utf-8"), name)
    cells = _rectangle(records, label, name, mark != ",")
    return replace(cells, parts=TABLE_PARTS.get(label, cells.parts))


def _of_file(name: str) -> Cells:
    if os.path.isdir(name):
        name = next((path for file in FILES[::-1] if os.path.isfile(path := os.path.join(name, file))), name)
    stem = Path(name).stem
    stem = stem if is_label(stem) else "table"
    form, text = read_form(name, "table")
    if form == TEXT:
        mark, records = read_csv(text, name)
        return _rectangle(records, stem, name, mark != ",")
    if form == NPY:
        return _of_npy(name, stem)
    if form == NEXUS:
        return read_nexus(text, name).cells(stem)
    if form == DELTA:
        return _of_delta(name, text, stem)
    records, sheets = read_excel(name)
    try:
        return _rectangle(records, stem, name)
    except InputError as error:
        more = f" (of its {sheets} sheets only the first is read)" if sheets > 1 else ""
        raise InputError(f"{error}{more}") from None


def _rectangle(records: Iterable[Record], name: str, source: str, comma: bool = False) -> Cells:
    """The rows of a file without the empty cells that spreadsheets leave at their ends."""
    rows: list[list[str]] = []
    lines: list[int] = []
    tidied: dict[str, str] = {}  # a table has few texts, many times each
    count = 0
    for line, row in records:
        rows.append([tidied[text] if text in tidied else tidied.setdefault(text, tidy(text)) for text in row])
        lines.append(line)
        count += len(row)
        if len(rows) > LONGEST_LIST + 8 or count > MOST_READ:
            raise InputError(
                f"{source}, line {line}: more than {LONGEST_LIST} rows or {MOST_READ} cells; that is too much"
            )
    if not rows:
        raise InputError(f"{source} is empty; {_RIGHT}")
    left, notes = trimmed(rows, lines, source)
    width = max((at + 1 for at, cell in enumerate(rows[0]) if cell), default=0)
    # A column without a name is an error only where it holds something.
    for row, line in zip(rows, lines, strict=True):
        most = max((at + 1 for at, cell in enumerate(row) if cell), default=0)
        if most > width:
            raise InputError(
                f"{source}, line {line}, column {most + left}: {quoted(row[most - 1])} stands beyond the "
                f"{counted(width + left, 'column')} that the first row names; if that is a title, take it out"
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
    if width > LONGEST_LIST + 8:
        raise InputError(f"{source}: {width} columns; at most {LONGEST_LIST} are possible")
    return Cells(rows, name, source, lines, left, comma=comma, notes=tuple(notes))


def _of_delta(name: str, text: str, stem: str) -> Cells:
    """The cells of a data set of DELTA, by one of its files; it has the name of its folder."""
    folder = os.path.dirname(os.path.abspath(name))
    here = {file.casefold(): os.path.join(folder, file) for file in os.listdir(folder)}

    def other(file: str) -> str | None:
        path = here.get(file.casefold())
        return None if path is None else read_form(path, "DELTA file")[1]

    title = os.path.basename(folder) if stem.casefold() in FILES else stem
    return read_delta(text, name, other).cells(title if is_label(title) else stem)


def _of_npy(path: str, name: str) -> Cells:
    right = "right would be a matrix, objects x questions, of whole numbers"
    array = read_npy(path, right)
    if max(array.shape) > LONGEST_LIST or array.size > MOST_READ:
        raise InputError(
            f"{path}: an array of shape {array.shape}; {right}, at most {LONGEST_LIST} of each and {MOST_READ} in all"
        )
    head = ["", *(f"question {number}" for number in range(1, array.shape[1] + 1))]
    body = [[f"object {number}", *map(str, row.tolist())] for number, row in enumerate(array, 1)]
    return Cells([head, *body], name, path)
