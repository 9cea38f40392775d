"""Reading texts, and writing files atomically."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from io import BufferedReader, BufferedWriter
from typing import TextIO

from optimal.errors import InputError, OptimalError

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


def text_of(file: BufferedReader, name: str, what: str, otherwise: str | None = None) -> str:
    """Return the text of an open file of this name, as `read_text` does; in another encoding, ``otherwise``, if it is
    no UTF-8."""
    data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise InputError(f"can't read the {what} {name}: it has more than {MOST_BYTES} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if otherwise is not None:
            return data.decode(otherwise, errors="replace").replace("\r\n", "\n").replace("\r", "\n")
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
    try:
        with _replacement(path) as (file, mode, name):
            file.writelines(chunks)
            file.flush()
            os.fsync(file.fileno())
            file.close()  # Windows renames no open file
            if mode is not None:
                os.chmod(file.name, mode)
            os.replace(file.name, name)
    except OptimalError:
        raise
    except (OSError, TypeError, ValueError) as error:  # ValueError: a path with a zero byte or a lone surrogate
        raise InputError(f"cannot write {str(path)!r}: {getattr(error, 'strerror', None) or error}") from None


def check_writable(path: str) -> None:
    """Raise InputError unless a file can be written there: better now than after hours of work."""
    if not path:
        raise InputError("the name of the output file is empty")
    try:
        if os.path.isfile(path) and not os.access(path, os.W_OK):
            raise PermissionError(None, "it is read-only")
        with _replacement(path):  # only trying tells: a file system may be full, whatever the permissions say
            pass
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from None


@contextmanager
def _replacement(path: str | os.PathLike[str]) -> Iterator[tuple[BufferedWriter, int | None, str]]:
    """Open a file that may take the place of another, and is gone at the end unless it was renamed; with the
    permissions of the other, None if there is none, and its name."""
    name = os.path.realpath(os.fspath(path))
    if os.path.islink(name):
        raise OSError(None, "the link leads nowhere")
    if os.path.isdir(name):
        raise IsADirectoryError(None, "it is a folder; name a file in it")
    if os.path.exists(name) and not os.path.isfile(name):
        raise OSError(None, "it is no ordinary file")
    mode = stat.S_IMODE(os.stat(name).st_mode) if os.path.exists(name) else None
    # In the same folder, so that the rename stays within one file system and is atomic.
    temporary = os.path.join(os.path.dirname(name), f".{os.urandom(8).hex()}.tmp")
    try:
        with open(temporary, "xb") as file:
            yield file, mode, name
    finally:
        with suppress(OSError):
            os.unlink(temporary)
