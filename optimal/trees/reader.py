"""Tree files and key files as msgpack that somebody else may have written: one frame for both, and checks of values."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import count
from typing import Any, NoReturn, TypeVar

from optimal.checks import check_path
from optimal.errors import InputError, OptimalError, TreeFileError
from optimal.files import may_be_table, write_whole
from optimal.labels import MAX_LABEL, is_label
from optimal.limits import LARGEST_LIMIT
from optimal.trees.nodes import Label, NodeT, from_preorder

MAX_FILE_BYTES = 64 * 2**20
#: Items of a list at most; the longest is the nodes of a key with 65535 ends.
MAX_ITEMS = 2**20
#: Lists and maps at most: a key with 65535 questions has so many lists of replies, and few others. An empty one takes a
#: byte in a file, and sixty in memory.
MAX_LISTS = 2**17
#: How the files of a tree and of a key begin: an array of 4, then a text.
TREE_START, KEY_START = b"\x94\xacoptimal-tree", b"\x94\xaboptimal-key"

T = TypeVar("T")


def load_file(path: str | os.PathLike[str], what: str, decode: Callable[[bytes], T], most: int = MAX_FILE_BYTES) -> T:
    """What ``decode`` makes of a file's bytes; ``what`` is "tree" or "key".

    Raises TreeFileError, which names the file, for whatever is wrong with it; InputError for what is no name of a file.
    """
    name = check_path(path, f"the {what} file")
    try:
        with open(name, "rb") as file:
            data = file.read(most + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise TreeFileError(f"cannot read the {what} file {name!r}: {reason}") from None
    if len(data) > most:
        raise TreeFileError(f"{name}: larger than {most} bytes, the limit for a {what} file")
    try:
        return decode(data)
    except TreeFileError as error:
        raise TreeFileError(f"{name}: {error}") from None


def save_file(path: str | os.PathLike[str], what: str, data: bytes) -> None:
    """Write the bytes; the file appears whole or not at all. TreeFileError when it can't be written."""
    try:
        write_whole(check_path(path, f"the {what} file"), [data])
    except InputError as error:
        raise TreeFileError(str(error)) from None


def sealed(magic: str, version: int, fields: dict[str, Any]) -> bytes:
    """The bytes of a file: what it is, the version of its form, the hash of the payload, and the payload."""
    import msgpack  # here, because most commands read and write no such file

    payload: bytes = msgpack.packb(fields)
    data: bytes = msgpack.packb([magic, version, hashlib.sha256(payload).digest(), payload])
    return data


def opened(data: bytes, start: bytes, versions: Sequence[int], read: Callable[[Any, int], T]) -> T:
    """What ``read`` makes of the payload of a file that begins with ``start``, and of its version.

    Raises TreeFileError for anything that `sealed` doesn't write, or that ``read`` refuses.
    """
    what = start[2:].decode().removeprefix("optimal-")
    if not data or data[: len(start)] != start[: len(data)]:
        raise _other_file(data, f"{what} file")
    _, version, checksum, payload = unpacked(data, what)
    if type(version) is not int or version not in versions:
        known = f"version{'' if len(versions) == 1 else 's'} {' and '.join(map(str, versions))}"
        raise TreeFileError(f"{what} format version {version!r}; this program reads {known}")
    if hashlib.sha256(of_type(payload, bytes, "payload")).digest() != binary(checksum, "checksum", 32):
        raise TreeFileError("the checksum does not match: the file is corrupted")
    fields = unpacked(payload, what)
    try:
        return read(fields, version)
    except OptimalError as error:
        raise TreeFileError(f"bad {what} file: {error}") from None


def _other_file(data: bytes, what: str) -> TreeFileError:
    """What to say of bytes that don't begin as the file that was wanted."""
    if not data:
        return TreeFileError(f"not a {what}: it is empty")
    if data.startswith(KEY_START):
        return TreeFileError(
            f"not a {what} but a key: `optimal play KEY` asks along it, `optimal export KEY --to svg` draws it, both "
            "from an ordinary file"
        )
    if data == KEY_START[: len(data)]:
        return TreeFileError("the key file ends too early: it is truncated")
    if may_be_table(data):
        return TreeFileError(
            f"not a {what} but what looks like a table: `optimal identify TABLE --output KEY` makes a key of one"
        )
    made = ""
    with suppress(UnicodeDecodeError):
        if len(words := data.decode("utf-8-sig").split()) > 1 and all(map(str.isalpha, words)):
            made = "; `optimal solve --words FILE --output TREE` makes one of a list of words"
    return TreeFileError(f"not a {what}: it does not begin as one{made}")


def unpacked(data: bytes, what: str) -> Any:
    """The one value that these bytes of a tree or key file are the shortest form of. TreeFileError for any others."""
    import msgpack

    limits = {"max_array_len": MAX_ITEMS, "max_map_len": MAX_ITEMS, "strict_map_key": False}
    unpacker = msgpack.Unpacker(max_buffer_size=len(data) + 1, **limits)
    numbers = count(1)

    def counted(found: T) -> T:
        if next(numbers) > MAX_LISTS:
            raise ValueError
        return found

    try:
        unpacker.feed(data)
        unpacker.skip()  # first, since it makes room for nothing: a length that goes beyond the end is found here
        left = len(data) - unpacker.tell()
        value = None if left else msgpack.unpackb(data, list_hook=counted, object_hook=counted, **limits)
        canonical = not left and msgpack.packb(value) == data
    except msgpack.OutOfData:
        raise TreeFileError(f"the {what} file ends too early: it is truncated") from None
    except (msgpack.UnpackException, ValueError, TypeError, OverflowError) as error:
        reason = (
            "a text is not UTF-8"
            if isinstance(error, UnicodeError)
            else "no msgpack, nested, or lists too long or too many"
        )
        raise TreeFileError(f"bad {what} file: {reason}") from None
    if left:
        raise TreeFileError(f"bad {what} file: {left} bytes too many")
    if not canonical:
        raise TreeFileError(f"bad {what} file: a value is not written in the shortest form, or a key stands twice")
    return value


def fail(message: str) -> NoReturn:
    raise TreeFileError(message)


def of_type(value: object, kind: type[T], what: str) -> T:
    if not isinstance(value, kind):
        fail(f"{what} is of the wrong type")
    return value


def fields_of(value: object, what: str, names: Sequence[str], least: int | None = None) -> dict[str, Any]:
    """A map with these keys in this order; those after the ``least`` first may be left out."""
    found: dict[str, Any] = of_type(value, dict, what)
    limit_items(found, what, len(names) if least is None else least, len(names))
    for name, key in zip(names, found, strict=False):
        if name != key:
            fail(f"key {name!r} expected")
    return found


def limit_items(value: Any, what: str, low: int, high: int) -> None:
    if not low <= len(value) <= high:
        fail(f"{what} has {len(value)} items, outside {low}..{high}")


def items(value: object, what: str, low: int, high: int) -> list[Any]:
    found: list[Any] = of_type(value, list, what)
    limit_items(found, what, low, high)
    return found


def integer(value: object, what: str, low: int = 0, high: int = LARGEST_LIMIT) -> int:
    if type(value) is not int or value < 0:
        fail(f"{what} is not a whole number from 0 on")
    if not low <= value <= high:
        fail(f"{what} is {value}, outside {low}..{high}")
    return value


def optional(value: object, read: Callable[..., T], *how: Any) -> T | None:
    """None, or what ``read`` makes of the value."""
    return None if value is None else read(value, *how)


def integers(value: object, what: str, low: int, high: int) -> tuple[int, ...]:
    """From ``low`` to ``high`` whole numbers."""
    return tuple(integer(number, what) for number in items(value, what, low, high))


def binary(value: object, what: str, size: int) -> bytes:
    found = of_type(value, bytes, what)
    if len(found) != size:
        fail(f"{what} of {len(found)} bytes; right would be {size}")
    return found


def label(value: object, what: str, letters: int = MAX_LABEL) -> str:
    """Text that may be shown: a control character could play tricks on the terminal."""
    text = of_type(value, str, what)
    if not is_label(text, letters):
        fail(f"{what} is empty, too long or not printable")
    return text


def labels(value: object, what: str, low: int, high: int, letters: int = MAX_LABEL) -> tuple[str, ...]:
    """Labels, no two alike."""
    found = tuple(label(one, what, letters) for one in items(value, what, low, high))
    if len(set(found)) != len(found):
        fail(f"{what} hold a name twice")
    return found


def choice(value: object, what: str, choices: Sequence[str]) -> str:
    text = label(value, what)
    if text not in choices:
        fail(f"{what} is {text!r}; right would be one of {', '.join(choices)}")
    return text


def claim(fields: dict[str, Any], length: int, most: int = LARGEST_LIMIT) -> dict[str, Any]:
    """Status, value and bound, which have this many numbers and fit one another."""
    status = choice(fields["status"], "status", ("OPTIMAL", "FEASIBLE"))
    value, bound = (
        tuple(integer(number, name, 0, most) for number in items(fields[name], name, length, length))
        for name in ("value", "bound")
    )
    if bound > value or (status == "OPTIMAL" and bound != value):
        fail(f"value {list(value)} and bound {list(bound)} do not fit status {status}")
    return {"status": status, "value": value, "bound": bound}


def tree(
    numbers: Sequence[int],
    begin: Callable[[Iterator[int], int], tuple[Label, int]],
    code_of: Callable[[int, Label, int], int],
    make: Callable[[Label, dict[int, NodeT]], NodeT],
) -> NodeT:
    """A tree in preorder, as `from_preorder` reads it; ``code_of(code, label, last)`` checks the code of a child."""
    left = iter(numbers)
    try:
        root = from_preorder(
            lambda depth: begin(left, depth), lambda label, last: code_of(next(left), label, last), make
        )
    except StopIteration:
        fail(f"tree of more than {len(numbers)} numbers, the length declared")
    if next(left, None) is not None:
        fail(f"tree of fewer than {len(numbers)} numbers, the length declared")
    return root
