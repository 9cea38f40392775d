"""Reading a certificate: a file of bounded size, one small integer after the other, in little more memory than that."""

from __future__ import annotations

import lzma
import os
from typing import NoReturn

import numpy as np
import numpy.typing as npt

#: The first bytes of certificates: of games, of keys, and of keys where two kinds belong to the same several groups.
MAGIC, KEY_MAGIC, MERGED_MAGIC = (b"optimal-certificate %d\n" % version for version in (1, 2, 3))
MOST_FILE = 64 << 20  # bytes of a file
MOST_STREAM = 96 << 20  # bytes that it unpacks to
_MEMORY = 160 << 20  # bytes that unpacking may take
_LONGEST = 8  # bytes of an integer
MOST_NUMBER = (1 << 7 * _LONGEST) - 1
_SCANNED = 1 << 20  # bytes looked at together

Numbers = npt.NDArray[np.int64]


class Flaw(Exception):
    """The reason why a certificate proves nothing: one line."""


def read_stream(path: str | os.PathLike[str]) -> bytes:
    """Return the unpacked bytes of a certificate. Raises Flaw for an invalid file, OSError for one that can't be
    read."""
    with open(path, "rb") as file:
        data = file.read(MOST_FILE + 1)
    if len(data) > MOST_FILE:
        raise Flaw(f"the file has more than {MOST_FILE} bytes")
    return stream_of(data)


def stream_of(data: bytes) -> bytes:
    """Return the unpacked bytes of a certificate's bytes."""
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
    return stream


class Reader:
    """The integers of a stream, or of a part of it that begins at byte `begin`, each checked against its range."""

    def __init__(self, stream: bytes, begin: int = 0) -> None:
        self.stream, self.begin = stream, begin
        self.at = 0

    def start(self) -> bytes:
        """Pass the magic bytes of a certificate, and return them."""
        for magic in (MAGIC, KEY_MAGIC, MERGED_MAGIC):
            if self.stream.startswith(magic):
                self.at = len(magic)
                return magic
        raise Flaw("not a certificate of version 1, 2 or 3: it does not begin as one")

    def next(self, what: str, low: int, high: int) -> int:
        """Return the next integer, from `low` to `high`."""
        at = self.at
        number = self.stream[at] if at < len(self.stream) else 128
        after = at + 1
        if number > 127:  # most are of one byte
            number, after = self._longer(what)
        if not low <= number <= high:
            self.fail(f"{what} is {number}, not from {low} to {high}")
        self.at = after
        return number

    def _longer(self, what: str) -> tuple[int, int]:
        """Return the next integer of more than a byte, and where it ends."""
        number = places = 0
        byte = 128
        while byte > 127:
            if self.at + places == len(self.stream):
                self.fail(f"the stream ends where {what} should be, or within it")
            if places == _LONGEST:
                self.fail(f"an integer of more than {_LONGEST} bytes")
            byte = self.stream[self.at + places]
            number |= (byte & 127) << 7 * places
            places += 1
        if byte == 0:
            self.fail("an integer in more bytes than it needs")
        return number, self.at + places

    def value(self, least: int, most: int) -> tuple[str, tuple[int, ...]]:
        """Return an objective and a value of it: (total,) or (worst, total), or () where there is no tree."""
        worst = self.next("the objective", 0, 1)
        values = self.next("the number of values", 0, 1 + worst)
        if values not in (0, 1 + worst):
            self.fail("the values do not fit the objective")
        return "worst" if worst else "mean", tuple(self.next("a value", least, most) for _ in range(values))

    def many(self, what: str, count: int, high: int) -> Numbers:
        """Return the next `count` integers, each from 0 to `high`."""
        return np.fromiter((self.next(what, 0, high) for _ in range(count)), dtype=np.int64, count=count)

    def skip(self, what: str, count: int) -> None:
        """Pass `count` integers."""
        while count > 0:
            some = np.frombuffer(self.stream, np.uint8, min(count, _SCANNED, len(self.stream) - self.at), self.at)
            if not len(some):
                self.fail(f"the stream ends within {what}")
            count -= int(np.count_nonzero(some < 128))
            self.at += len(some)

    def finish(self, what: str) -> None:
        if self.at < len(self.stream):
            self.fail(f"more integers follow {what}")

    def fail(self, problem: str) -> NoReturn:
        raise Flaw(f"byte {self.begin + self.at}: {problem}")
