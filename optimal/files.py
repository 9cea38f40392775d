"""Reading texts, and writing files atomically."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BufferedReader
from typing import TextIO

from optimal.errors import InputError

#: Most bytes of a text: a pipe may have no end.
MOST_BYTES = 64 << 20
#: Most characters of a typed line.
MOST_TYPED = 100_000


@contextmanager
def opened(path: str | os.PathLike[str], what: str) -> Iterator[BufferedReader]:
    """Open a file for reading. Raises InputError with the path and `what` it holds if it can't be read."""
    name = os.fspath(path)
    try:
        with open(name, "rb") as file:
            yield file
    except InputError:
        raise
    except (OSError, ValueError) as error:  # ValueError: a path with a zero byte
        raise InputError(f"can't read the {what} {name}: {getattr(error, 'strerror', None) or error}") from None


def read_text(path: str | os.PathLike[str], what: str) -> str:
    """Return the text of a file in UTF-8, with "\\n" as the only line ending.

    Raises InputError with the path and `what` it holds, such as "word list", if it can't be read or is too long.
    """
    with opened(path, what) as file:
        return text_of(file, os.fspath(path), what)


def text_of(file: BufferedReader, name: str, what: str) -> str:
    """Return the text of an open file of this name, as `read_text` does."""
    data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise InputError(f"can't read the {what} {name}: it has more than {MOST_BYTES} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        number = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"{name}, line {number}: not UTF-8; save the {what} as UTF-8") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def may_be_table(start: bytes) -> bool:
    """Return whether a file with this beginning looks like a table: Excel, .npy, or text with commas, semicolons or
    tabs in its first line."""
    if start.startswith((b"PK\x03\x04", b"\x93NUMPY")):
        return True
    line = start.removeprefix(b"\xef\xbb\xbf").partition(b"\n")[0].rstrip(b"\r")
    printable = all(byte >= 32 or byte == 9 for byte in line)
    return printable and line[:1] not in b"<{[" and any(sign in line for sign in b",;\t")


def read_line(stream: TextIO) -> str:
    """Return the next typed line; "" at the end. Raises InputError for one that is too long, as it may have no end."""
    line = stream.readline(MOST_TYPED + 1)
    if len(line) > MOST_TYPED:
        raise InputError(f"the input has a line of more than {MOST_TYPED} characters")
    return line


def write_whole(path: str | os.PathLike[str], chunks: Iterable[bytes]) -> None:
    """Write a file atomically: if it fails, an old file stays unchanged.

    A link is followed to its target. Raises InputError with the path if it can't be written; exceptions of the chunks
    pass through. Nothing else stays in the folder.
    """
    temporary = None
    try:
        name = os.path.realpath(os.fspath(path))
        mode = _mode_of(name)
        # In the same folder, so that the rename stays within one file system and is atomic.
        temporary = os.path.join(os.path.dirname(name), f".{os.urandom(8).hex()}.tmp")
        with open(temporary, "xb") as file:
            for chunk in chunks:
                file.write(chunk)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            os.chmod(temporary, mode)
        os.replace(temporary, name)
    except BaseException as error:
        if temporary is not None and os.path.exists(temporary):
            os.unlink(temporary)
        # A plain ValueError is a path with a zero byte, a UnicodeError one with a lone surrogate.
        if isinstance(error, OSError | TypeError | UnicodeError) or type(error) is ValueError:
            raise InputError(f"cannot write {str(path)!r}: {getattr(error, 'strerror', None) or error}") from None
        raise


def _mode_of(name: str) -> int | None:
    """Return the permissions of an existing file; None if there is none."""
    try:
        mode = os.stat(name).st_mode
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(None, "it is a folder; name a file in it")
    if not stat.S_ISREG(mode):
        raise OSError(None, "it is no ordinary file")
    return stat.S_IMODE(mode)
