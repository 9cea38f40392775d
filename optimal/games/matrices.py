"""Matrices of feedback codes as files, and the hash that names one."""

from __future__ import annotations

import hashlib
import os
from array import array
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from optimal.errors import InputError
from optimal.games.arguments import MOST_CODE, check_size
from optimal.games.feedback import quoted

if TYPE_CHECKING:
    import numpy.typing as npt


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


def read_matrix(path: str | os.PathLike[str]) -> list[Sequence[int]]:
    """The rows of a matrix file: .npy, or text with a row of whole numbers and commas (or blanks) a line.

    Raises InputError for a file that can't be read, is no matrix of codes from 0 to 65535, or has more than
    65535 rows or columns.
    """
    name = os.fspath(path)
    try:
        with open(path, "rb") as file:
            binary = file.read(6) == b"\x93NUMPY"
        if binary:
            return _read_npy(name)
        with open(path, encoding="utf-8-sig") as text:
            return _read_rows(name, text)
    except UnicodeDecodeError:
        raise InputError(f"{name}: neither .npy nor text; save the matrix as .npy, or as CSV of integers") from None
    except OSError as error:
        raise InputError(f"can't read the matrix {name}: {error.strerror or error}") from None


def _read_npy(name: str) -> list[Sequence[int]]:
    import numpy as np  # here, because a matrix as text does without

    try:
        # Mapped, not read: so a header that lies about the size makes no room for it.
        matrix = np.load(name, mmap_mode="r", allow_pickle=False)
    except Exception as error:  # a bad header raises errors of a dozen kinds, from the tokenizer's on
        raise InputError(f"{name}: not a good .npy file: {quoted(str(error), 100)}") from None
    if matrix.ndim != 2 or 0 in matrix.shape or matrix.dtype.kind not in "iu":
        raise InputError(f"{name}: an array of shape {matrix.shape} and type {matrix.dtype}; {_RIGHT}")
    check_size(matrix.shape[0], matrix.shape[1], f"{name}: ")
    if matrix.min() < 0 or matrix.max() > MOST_CODE:
        raise InputError(f"{name}: codes from {matrix.min()} to {matrix.max()}; {_RIGHT}")
    return [array("H", row.astype(np.uint16).tobytes()) for row in matrix]


_RIGHT = f"right would be a matrix, guesses x answers, of whole numbers from 0 to {MOST_CODE}"


def _read_rows(name: str, lines: Iterable[str]) -> list[Sequence[int]]:
    rows: list[Sequence[int]] = []
    for number, line in enumerate(lines, 1):
        where = f"{name}, line {number}"
        row = array("H")
        for field in line.replace(",", " ").split():
            # int() also takes signs, underscores and other scripts' digits.
            if not (field.isascii() and field.isdecimal() and len(field) <= 5 and int(field) <= MOST_CODE):
                raise InputError(f"{where}: {quoted(field)} is no code; {_RIGHT}")
            row.append(int(field))
        if not row:
            continue
        if rows and len(row) != len(rows[0]):
            raise InputError(f"{where}: {len(row)} codes; the rows before have {len(rows[0])}")
        rows.append(row)
        check_size(len(rows), len(row), f"{name}: ")
    if not rows:
        raise InputError(f"{name} is empty; {_RIGHT}")
    return rows
