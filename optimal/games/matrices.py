"""Matrices of feedback codes as files, and the hash that names one."""

from __future__ import annotations

import hashlib
import os
import re
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from optimal.checks import check_size
from optimal.errors import InputError
from optimal.games.rules import Rules
from optimal.labels import check_labels, feedback_label, is_code
from optimal.limits import MOST_CODE
from optimal.memory import check_room
from optimal.readers import EXCEL, NPY, Record, read_csv, read_excel, read_form, read_npy
from optimal.show.words import quoted

if TYPE_CHECKING:
    import numpy.typing as npt

#: Bytes that each code takes while a game is made of its file.
_MAKING = 8
_RIGHT = f"right would be a matrix, guesses x answers, of whole numbers from 0 to {MOST_CODE}"
_FIRST = re.compile(r"\s*([^\s,;]+)")


def matrix_sha256(guesses: Sequence[str], answers: Sequence[str], matrix: npt.NDArray[Any]) -> str:
    """The hash that names a matrix (guesses x answers, integer codes) with its labels, whatever its dtype.

    Of the line "ROWS COLUMNS", then the labels of the rows and of the columns, each followed by a newline, in UTF-8;
    then the codes row by row, each in two bytes, the low one first.
    """
    rows, columns = matrix.shape
    digest = hashlib.sha256(f"{rows} {columns}\n".encode())
    digest.update("".join(f"{label}\n" for label in (*guesses, *answers)).encode())
    for row in matrix:
        digest.update(row.astype("<u2").tobytes())
    return digest.hexdigest()


@dataclass(frozen=True)
class Matrix:
    """What a matrix file holds: the codes, row by row, and what the file calls guesses, answers and feedback.

    Labels are None where the file has bare numbers.
    """

    rows: list[Sequence[int]]
    guesses: tuple[str, ...] | None = None
    answers: tuple[str, ...] | None = None
    labels: tuple[str, ...] | None = None

    def winning_code(self, label: str | None, name: str) -> int:
        """The code of the feedback with this label; without one, what stands where guess and answer are called alike.

        InputError, which opens with ``name``, where there is no such code, or more than one.
        """
        known = {feedback_label(code, self.labels): code for code in {code for row in self.rows for code in row}}
        if label is not None:
            if label not in known:
                raise InputError(f"{name}: no feedback is called {quoted(label)}: there are {', '.join(sorted(known))}")
            return known[label]
        guesses = self.guesses or tuple(map(str, range(len(self.rows))))
        answers = self.answers or tuple(map(str, range(len(self.rows[0]))))
        place = {answer: number for number, answer in enumerate(answers)}
        found = {row[place[guess]] for guess, row in zip(guesses, self.rows, strict=True) if guess in place}
        if len(found) != 1:
            raise InputError(
                f"{name}: which feedback says that the guess is right? Name it by --winning; where none does, and one "
                "only has to know which it is, `optimal identify` finds the best questions"
            )
        return found.pop()


def read_matrix(path: str | os.PathLike[str]) -> Matrix:
    """The matrix of a file: .npy, or text or Excel with a row of feedback a line.

    Rows are whole numbers with commas or blanks between them, or, where the first does not begin with one, they have
    labels: the answers in the first row, the guesses in the first column, and feedback in words or numbers. Raises
    InputError for a file that can't be read, is no matrix of codes from 0 to 65535, or is too large.
    """
    name = os.fspath(path)
    form, text = read_form(name, "matrix")
    if form == NPY:
        return Matrix(_codes_of(name, read_npy(name, _RIGHT)))
    first = _FIRST.match(text)
    if first is not None and _is_number(first[1]):
        lines = enumerate(text.split("\n"), 1)
        return Matrix(_bare_rows(name, ((number, [line]) for number, line in lines if line.strip())))
    records = [*(read_excel(name)[0] if form == EXCEL else read_csv(text, name)[1])]
    if not records:
        raise InputError(f"{name} is empty; {_RIGHT}")
    return Matrix(_bare_rows(name, records)) if _is_number(records[0][1][0]) else _labelled(name, records)


def _codes_of(name: str, matrix: npt.NDArray[Any]) -> list[Sequence[int]]:
    check_size(matrix.shape[0], matrix.shape[1], f"{name}: ")
    check_room(name, matrix.size * _MAKING, None)
    if matrix.min() < 0 or matrix.max() > MOST_CODE:
        raise InputError(f"{name}: codes from {matrix.min()} to {matrix.max()}; {_RIGHT}")
    return [array("H", row.astype("u2").tobytes()) for row in matrix]


def _is_number(text: str) -> bool:
    """Whether it is a code, as a table may write it: 3, or 3.0."""
    return is_code(re.sub(r"\.0*$", "", text))


def _code(text: str) -> int:
    return int(text.partition(".")[0])


def _bare_rows(name: str, records: Iterable[Record]) -> list[Sequence[int]]:
    rows: list[Sequence[int]] = []
    for line, cells in records:
        row, where = array("H"), f"{name}, line {line}"
        for field in re.split(r"[\s,;]+", " ".join(cells).strip(" ,;")):
            if not _is_number(field):
                raise InputError(f"{where}: {quoted(field)} is no code; {_RIGHT}")
            row.append(_code(field))
        if rows and len(row) != len(rows[0]):
            raise InputError(f"{where}: {len(row)} codes; the rows before have {len(rows[0])}")
        rows.append(row)
        check_size(len(rows), len(row), f"{name}: ")
    return rows


def _labelled(name: str, records: Sequence[Record]) -> Matrix:
    """A table with labels. The feedback, where it isn't numbers alone, gets its codes in the order of its labels."""
    (_, head), *body = records
    if not body or len(head) < 2:
        raise InputError(f"{name}: answers in the first line, and a guess with its feedback in each other; {_RIGHT}")
    for line, row in body:
        if len(row) != len(head) or not all(row):
            raise InputError(f"{name}, line {line}: a guess and {len(head) - 1} replies are needed, none of them empty")
    check_size(len(body), len(head) - 1, f"{name}: ")
    guesses = check_labels([row[0] for _, row in body], f"guesses of {name}")
    answers = check_labels(head[1:], f"answers of {name}")
    replies = sorted({field for _, row in body for field in row[1:]})
    if all(map(_is_number, replies)):
        return Matrix([array("H", map(_code, row[1:])) for _, row in body], guesses, answers)
    if len(replies) > MOST_CODE:
        raise InputError(f"{name}: {len(replies)} different replies; at most {MOST_CODE} are possible")
    codes = {reply: code for code, reply in enumerate(replies)}
    return Matrix([array("H", map(codes.__getitem__, row[1:])) for _, row in body], guesses, answers, tuple(replies))


def game_bytes(guesses: int, answers: int, width: int, rules: Rules) -> tuple[int, int]:
    """Estimate what the searches of a game share in a process, and what each takes of its own beside its tables, with
    ``width`` bytes for a code: the matrix by guesses and by answers, two copies for hard rules or the replies to all
    guesses for ultra-hard ones; classes of good guesses, and under normal rules frames of an opener's classes, without
    the half of the guesses that is dominated."""
    matrix = guesses * answers * width
    replies = guesses * guesses * width if guesses != answers else 0
    own = matrix * 3 // 4 if rules is Rules.NORMAL and width == 1 else matrix // 5
    return 2 * matrix + {Rules.HARD: 2 * matrix, Rules.ULTRA_HARD: replies}.get(rules, 0), own
