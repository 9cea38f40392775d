"""Reading a certificate: a file of bounded size, and nothing but small integers in it."""

from __future__ import annotations

import lzma
import os
from typing import NoReturn

import numpy as np
import numpy.typing as npt

MAGIC = b"optimal-certificate 1\n"
MOST_FILE = 64 << 20  # bytes of a file
MOST_STREAM = 96 << 20  # bytes that it unpacks to
_MEMORY = 160 << 20  # bytes that unpacking may take
_LONGEST = 8  # bytes of an integer

Numbers = npt.NDArray[np.int64]


class Flaw(Exception):
    """Why a certificate proves nothing: one line."""


def read_numbers(path: str | os.PathLike[str]) -> Numbers:
    """The integers of a certificate. Raises Flaw for what is none, OSError for a file that can't be read."""
    with open(path, "rb") as file:
        data = file.read(MOST_FILE + 1)
    if len(data) > MOST_FILE:
        raise Flaw(f"the file has more than {MOST_FILE} bytes")
    return numbers_of(data)


def numbers_of(data: bytes) -> Numbers:
    """The integers of a certificate's bytes."""
    unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_MEMORY)
    try:
        stream = unpacker.decompress(data, MOST_STREAM + 1)
    except lzma.LZMAError as error:
        raise Flaw(f"not a file in xz, or a damaged one: {error}") from None
    if len(stream) > MOST_STREAM:
        raise Flaw(f"the file unpacks to more than {MOST_STREAM} bytes")
    if not unpacker.eof:
        raise Flaw("the file is cut off")
    if unpacker.unused_data:
        raise Flaw("bytes after the end")
    if not stream.startswith(MAGIC):
        raise Flaw("not a certificate of version 1: it does not begin as one")
    return _unpacked(np.frombuffer(stream, dtype=np.uint8)[len(MAGIC) :])


def _unpacked(data: npt.NDArray[np.uint8]) -> Numbers:
    if not len(data) or data[-1] > 127:
        raise Flaw("the stream ends within an integer")
    last = np.flatnonzero(data < 128)
    first = np.concatenate([[0], last[:-1] + 1])
    length = last - first + 1
    if length.max() > _LONGEST:
        raise Flaw(f"an integer of more than {_LONGEST} bytes")
    if ((data[last] == 0) & (length > 1)).any():
        raise Flaw("an integer in more bytes than it needs")
    numbers = np.zeros(len(last), dtype=np.int64)
    for place in range(_LONGEST):
        has = np.flatnonzero(length > place)
        numbers[has] |= (data[first[has] + place] & 127).astype(np.int64) << (7 * place)
    return numbers


class Reader:
    """One integer after the other, each held against its range."""

    def __init__(self, numbers: Numbers) -> None:
        self.array = numbers
        self.numbers: memoryview[int] = numbers.data  # whose items are read faster
        self.at = 0

    def next(self, what: str, low: int, high: int) -> int:
        """The next integer, from `low` to `high`."""
        if self.at >= len(self.numbers):
            self.fail(f"the stream ends where {what} should be")
        number: int = self.numbers[self.at]
        if not low <= number <= high:
            self.fail(f"{what} is {number}, not from {low} to {high}")
        self.at += 1
        return number

    def many(self, what: str, count: int) -> Numbers:
        """The next so many integers."""
        if count > len(self.numbers) - self.at:
            self.fail(f"the stream ends within {what}")
        self.at += count
        return self.array[self.at - count : self.at]

    def finish(self, what: str) -> None:
        if self.at < len(self.numbers):
            self.fail(f"more integers follow {what}")

    def fail(self, problem: str) -> NoReturn:
        raise Flaw(f"integer {self.at}: {problem}")
