"""Reading msgpack that somebody else may have written, value by value: what tree files and key files are made of."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from optimal.errors import TreeFileError
from optimal.files import may_be_table
from optimal.labels import MAX_LABEL, is_label
from optimal.limits import LARGEST_LIMIT

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


def sealed(magic: str, version: int, payload: bytes) -> bytes:
    """The bytes of a file: what it is, the version of its form, the hash of the payload, and the payload."""
    import msgpack  # here, because most commands read and write no such file

    packed: bytes = msgpack.packb([magic, version, hashlib.sha256(payload).digest(), payload])
    return packed


def opened(data: bytes, start: bytes, magic: str, versions: Sequence[int]) -> tuple[Reader, int]:
    """The payload of a file that begins with ``start``, to be read, and its version. Raises TreeFileError for anything
    that `sealed` doesn't write."""
    what = magic.removeprefix("optimal-")
    outer = Reader(data, len(start), f"{what} file")
    version = outer.integer("format version")
    if version not in versions:
        known = f"version{'' if len(versions) == 1 else 's'} {' and '.join(map(str, versions))}"
        raise TreeFileError(f"{what} format version {version}; this program reads {known}")
    checksum, payload = outer.binary("checksum", 32), outer.binary("payload")
    outer.ends()
    if hashlib.sha256(payload).digest() != checksum:
        raise TreeFileError("the checksum does not match: the file is corrupted")
    if sealed(magic, version, payload) != data:
        outer.fail("a value is not written in the shortest form")
    return Reader(payload, what=f"{what} file"), version


class Reader:
    """The part of msgpack that these files use, value by value; `what` they are called.

    The unpacker meets no array or map as a whole: it would make room for whatever length a hostile file declares, at
    every level. In the end `finish` packs all anew, since the unpacker lets longer forms and repeated keys through, by
    which one tree could have many files.
    """

    def __init__(self, data: bytes, at: int = 0, what: str = "tree file") -> None:
        import msgpack

        self.data, self.what, self._begin = data, what, at
        self._unpacker = msgpack.Unpacker(max_array_len=0, max_map_len=0, max_ext_len=0, max_buffer_size=len(data) + 1)
        self._unpacker.feed(memoryview(data)[at:])
        self._failures = (ValueError, msgpack.UnpackException)
        self._too_short = msgpack.OutOfData

    @property
    def at(self) -> int:
        return self._begin + int(self._unpacker.tell())

    def fail(self, message: str) -> NoReturn:
        raise TreeFileError(f"bad {self.what}: {message} (before byte {self.at})")

    def ends(self) -> None:
        """Nothing follows."""
        if self.at != len(self.data):
            self.fail(f"{len(self.data) - self.at} bytes too many")

    def finish(self) -> None:
        """Nothing follows, and every value has its shortest form."""
        import msgpack

        self.ends()
        if msgpack.packb(msgpack.unpackb(self.data, strict_map_key=False)) != self.data:
            self.fail("a value is not written in the shortest form, or a key stands twice")

    def _taken(self, take: Callable[[], Any], what: str, wrong: str = "is of the wrong type") -> Any:
        try:
            return take()
        except self._too_short:
            raise TreeFileError(f"the {self.what} ends too early: it is truncated") from None
        except self._failures as error:
            self.fail(f"{what} {'is not UTF-8' if isinstance(error, UnicodeDecodeError) else wrong}")

    def key(self, name: str) -> Reader:
        if self.text(f"key {name!r}") != name:
            self.fail(f"key {name!r} expected")
        return self

    def nil(self) -> bool:
        if self.data[self.at : self.at + 1] != b"\xc0":
            return False
        self._unpacker.skip()
        return True

    def integer(self, what: str, low: int = 0, high: int = LARGEST_LIMIT) -> int:
        wrong = "is not a whole number from 0 on"
        number = self._taken(self._unpacker.unpack, what, wrong)
        if type(number) is not int or number < 0:
            self.fail(f"{what} {wrong}")
        if not low <= number <= high:
            self.fail(f"{what} is {number}, outside {low}..{high}")
        return number

    def integers(self, what: str, low: int, high: int) -> tuple[int, ...]:
        return tuple(self.integer(what) for _ in range(self.array(what, low, high)))

    def binary(self, what: str, size: int | None = None) -> bytes:
        found = self._taken(self._unpacker.unpack, what)
        if not isinstance(found, bytes):
            self.fail(f"{what} is of the wrong type")
        if size is not None and len(found) != size:
            self.fail(f"{what} of {len(found)} bytes; right would be {size}")
        return found

    def text(self, what: str, letters: int = MAX_LABEL) -> str:
        found = self._taken(self._unpacker.unpack, what)
        if not isinstance(found, str):
            self.fail(f"{what} is of the wrong type")
        if len(found) > letters:
            self.fail(f"{what} of {len(found)} characters is too long")
        return found

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
        return self._count(what, low, high, self._taken(self._unpacker.read_array_header, what))

    def map(self, what: str, low: int, high: int) -> int:
        return self._count(what, low, high, self._taken(self._unpacker.read_map_header, what))

    def _count(self, what: str, low: int, high: int, count: int) -> int:
        if not low <= count <= high:
            self.fail(f"{what} has {count} items, outside {low}..{high}")
        # Each item takes a byte at least, so a length beyond the end is a lie: stop before making room.
        if count > len(self.data) - self.at:
            raise TreeFileError(f"the {self.what} ends too early: {what} goes beyond the end")
        return count
