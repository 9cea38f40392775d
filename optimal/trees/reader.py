"""Reading msgpack that somebody else may have written, byte by byte: what tree files and key files are made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from optimal.errors import TreeFileError
from optimal.files import may_be_table
from optimal.games.arguments import LARGEST_LIMIT
from optimal.games.labels import MAX_LABEL, is_label

#: How the file of a key begins: an array of 4, then a text of 11 bytes.
KEY_START = b"\x94\xaboptimal-key"


def other_file(data: bytes, what: str) -> TreeFileError:
    """What is said of bytes that don't begin as those of a tree or a key; `what` is the file that was wanted."""
    if not data:
        return TreeFileError(f"not a {what}: it is empty")
    if data == KEY_START[: len(data)]:
        return TreeFileError("the key file ends too early: it is truncated")
    if may_be_table(data):
        return TreeFileError(
            f"not a {what} but what looks like a table: `optimal identify TABLE --output KEY` makes a key of one"
        )
    return TreeFileError(f"not a {what}: it does not begin as one")


_Forms = dict[int, tuple[int, int]]
# Leading byte -> (bytes of the number that follows, least number that needs this form).
_INTEGERS: _Forms = {0xCC: (1, 2**7), 0xCD: (2, 2**8), 0xCE: (4, 2**16), 0xCF: (8, 2**32)}
_TEXTS: _Forms = {0xD9: (1, 2**5), 0xDA: (2, 2**8), 0xDB: (4, 2**16)}
_BINARIES: _Forms = {0xC4: (1, 0), 0xC5: (2, 2**8), 0xC6: (4, 2**16)}
_ARRAYS: _Forms = {0xDC: (2, 2**4), 0xDD: (4, 2**16)}
_MAPS: _Forms = {0xDE: (2, 2**4), 0xDF: (4, 2**16)}


class Reader:
    """The part of msgpack that these files use, each value in its shortest form and no other; `what` they are called.

    Not msgpack.unpackb: that makes room for whatever length a hostile file declares, at every level, and lets
    longer forms and repeated keys through, so that one tree could have many files.
    """

    def __init__(self, data: bytes, at: int = 0, what: str = "tree file") -> None:
        self.data = data
        self.at = at
        self.what = what

    def fail(self, message: str) -> NoReturn:
        raise TreeFileError(f"bad {self.what}: {message} (before byte {self.at})")

    def finish(self) -> None:
        if self.at != len(self.data):
            self.fail(f"{len(self.data) - self.at} bytes too many")

    def _take(self, count: int) -> bytes:
        if count > len(self.data) - self.at:
            raise TreeFileError(f"the {self.what} ends too early: it is truncated")
        self.at += count
        return self.data[self.at - count : self.at]

    def _number(self, size: int, least: int) -> int:
        number = int.from_bytes(self._take(size), "big")
        if number < least:
            self.fail(f"{number} is not written in the shortest form")
        return number

    def _length(self, what: str, short: range, forms: _Forms) -> int:
        """The length that opens a text, binary, array or map: `short` are its one-byte forms, from 0 on."""
        head = self._take(1)[0]
        if head in short:
            return head - short.start
        if head not in forms:
            self.fail(f"{what} is of the wrong type")
        length = self._number(*forms[head])
        # Each item takes a byte at least, so a length beyond the end is a lie: stop before making room.
        if length > len(self.data) - self.at:
            raise TreeFileError(f"the {self.what} ends too early: {what} goes beyond the end")
        return length

    def key(self, name: str) -> Reader:
        if self.text(f"key {name!r}") != name:
            self.fail(f"key {name!r} expected")
        return self

    def nil(self) -> bool:
        if self.data[self.at : self.at + 1] != b"\xc0":
            return False
        self.at += 1
        return True

    def integer(self, what: str, low: int = 0, high: int = LARGEST_LIMIT) -> int:
        number = self._take(1)[0]
        if number > 0x7F:
            form = _INTEGERS.get(number)
            if form is None:
                self.fail(f"{what} is not a whole number from 0 on")
            number = self._number(*form)
        if not low <= number <= high:
            self.fail(f"{what} is {number}, outside {low}..{high}")
        return number

    def integers(self, what: str, low: int, high: int) -> tuple[int, ...]:
        return tuple(self.integer(what) for _ in range(self.array(what, low, high)))

    def binary(self, what: str, size: int | None = None) -> bytes:
        length = self._length(what, range(0), _BINARIES)
        if size is not None and length != size:
            self.fail(f"{what} of {length} bytes; right would be {size}")
        return self._take(length)

    def text(self, what: str, letters: int = MAX_LABEL) -> str:
        length = self._length(what, range(0xA0, 0xC0), _TEXTS)
        if length > 4 * letters:
            self.fail(f"{what} of {length} bytes is too long")
        try:
            return self._take(length).decode("utf-8")
        except UnicodeDecodeError:
            self.fail(f"{what} is not UTF-8")

    def label(self, what: str, letters: int = MAX_LABEL) -> str:
        """Text that may be shown: a control character could play tricks on the terminal."""
        text = self.text(what, letters)
        if not is_label(text, letters):
            self.fail(f"{what} is empty, too long or not printable")
        return text

    def choice(self, what: str, choices: Sequence[str]) -> str:
        text = self.label(what)
        if text not in choices:
            self.fail(f"{what} is {text!r}; right would be one of {', '.join(choices)}")
        return text

    def array(self, what: str, low: int, high: int) -> int:
        return self._count(what, low, high, self._length(what, range(0x90, 0xA0), _ARRAYS))

    def map(self, what: str, low: int, high: int) -> int:
        return self._count(what, low, high, self._length(what, range(0x80, 0x90), _MAPS))

    def _count(self, what: str, low: int, high: int, count: int) -> int:
        if not low <= count <= high:
            self.fail(f"{what} has {count} items, outside {low}..{high}")
        return count
