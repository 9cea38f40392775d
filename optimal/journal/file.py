"""The journal as a file that is only appended to: frames, checksums, the writer's lock. Light: no numpy here.

A line with the version, then frames: `MARK`, the length of the body in 4 bytes, the body's BLAKE2b hash in 8, and the
body in msgpack. The first body is the journal's identity, a map with a random id in it; its hash is the key of all
later hashes, so that no frame of another journal fits. Each later body is a transaction, an array of records.
"""

from __future__ import annotations

import hashlib
import os
import struct
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from io import FileIO
from itertools import islice
from typing import Any, NamedTuple, TypeAlias

import msgpack

from optimal._version import __version__
from optimal.errors import InputError
from optimal.journal.header import MAGIC, is_journal
from optimal.show.words import quoted

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

MARK = b"\nrec"
_FRAME = struct.Struct(">4sI8s")
#: How often a lock is tried, and seconds in between: `is_written` holds it for a moment.
_TRIES, _WAIT = 10, 0.02
#: What follows damage is hashed so often at most: each byte of a file made by hand may seem to be in many transactions.
_LOOKS = 4
#: The fields that identify a problem of a game, and one of a table.
OF_GAMES = (
    *("game", "feedback", "guesses sha256", "answers sha256", "matrix sha256", "winning code", "rules"),
    *("limit of guesses", "objective", "weights"),
)
OF_TABLES = ("table", "table sha256", "limit of questions", "limit of cost", "objective", "end of a key")
#: Records in each transaction of a journal that is compacted.
_MANY = 10_000

#: A record: its kind, then its values.
Record: TypeAlias = tuple[Any, ...]


class Parsed(NamedTuple):
    """The ``sound`` bytes of a journal, and what they hold: its identity, with the bytes up to its end (``head``), the
    key of the checksums, and the bodies of the transactions."""

    sound: bytes
    identity: dict[str, str]
    head: bytes
    key: bytes
    bodies: list[bytes]

    @property
    def records(self) -> Iterator[Record]:
        for body in self.bodies:
            found = _unpacked(body)
            yield from found if isinstance(found, tuple) else (found,)


def of_table(identity: Mapping[str, str]) -> bool:
    """Whether a journal is of a table of objects, not of a game."""
    return "table" in identity


def read_journal(path: str) -> Parsed:
    """Read a journal, which a run may be writing to. Raises InputError as `parse` does."""
    with _errors("open", path):
        _check_ordinary(path)
        with open(path, "rb") as file:
            data = file.read()
    return parse(path, data)


def parse(path: str, data: bytes) -> Parsed:
    """Parse the bytes of a journal up to the first transaction that isn't sound: a kill has left it incomplete.

    Raises InputError where sound transactions follow, since that is damage, and for what is no journal of this version.
    """
    if not is_journal(data):
        raise InputError(f"{path}: not a journal of optimal")
    if not data.startswith(MAGIC):
        raise InputError(f"{path}: a journal of another version of optimal; begin a new one")
    first = _body_at(data, len(MAGIC), b"")
    if first is None or not _is_identity(identity := _unpacked(first)):
        raise InputError(f"the journal {path} is damaged: its beginning is not as it was written; begin a new one")
    at = len(MAGIC) + _FRAME.size + len(first)
    head, key, bodies = data[:at], hashlib.blake2b(first).digest(), list[bytes]()
    while (body := _body_at(data, at, key)) is not None:
        bodies.append(body)
        at += _FRAME.size + len(body)
    behind, left = at, _LOOKS * len(data)
    while (behind := data.find(MARK, behind + 1)) >= 0:
        left -= min(_length_at(data, behind), left)
        if not left or _body_at(data, behind, key) is not None:
            raise InputError(f"the journal {path} is damaged: bytes {at} to {behind} are not as they were written")
    return Parsed(data[:at], identity, head, key, bodies)


def _unpacked(body: bytes) -> Any:
    """What a body holds; None where it is no msgpack, though its checksum is right."""
    try:
        return msgpack.unpackb(body, use_list=False, strict_map_key=False)
    except (ValueError, msgpack.UnpackException):
        return None


def _is_identity(value: object) -> bool:
    """Whether a journal may begin with this: the identity of a problem."""
    if not isinstance(value, dict) or not all(isinstance(text, str) for pair in value.items() for text in pair):
        return False
    return value.keys() >= set(OF_TABLES if of_table(value) else OF_GAMES)


def _frame(value: object, key: bytes) -> bytes:
    body: bytes = msgpack.packb(value)
    return _FRAME.pack(MARK, len(body), _checksum(body, key)) + body


def _body_at(data: bytes, at: int, key: bytes) -> bytes | None:
    """The body of the frame that begins here; None where no sound one does."""
    if not (length := _length_at(data, at)):
        return None
    mark, _, checksum = _FRAME.unpack_from(data, at)
    body = data[at + _FRAME.size : at + _FRAME.size + length]
    return body if mark == MARK and _checksum(body, key) == checksum else None


def _length_at(data: bytes, at: int) -> int:
    """The length of the body of the frame that begins here, which is never empty; 0 where the data ends before it."""
    if len(data) - at < _FRAME.size:
        return 0
    _, length, _ = _FRAME.unpack_from(data, at)
    return int(length) if length <= len(data) - at - _FRAME.size else 0


def _checksum(body: bytes, key: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=8, key=key).digest()


class JournalFile:
    """A journal that this process alone writes to, until it is closed.

    Of a run, ``question`` is what the journal must be of: an empty or missing file becomes a journal of that. Without
    it the journal must be there. Raises InputError, in one line, for whatever is wrong, here and in the methods.
    """

    def __init__(self, path: str, question: Mapping[str, str] | None = None) -> None:
        self.path = path
        with _errors("open", path):
            _check_ordinary(path)
            self._file = _open_locked(path, create=question is not None)
        try:
            with _errors("open", path):
                data = self._file.readall()
                if not data and question is not None:
                    data = MAGIC + _frame({"journal": os.urandom(16).hex(), "program": __version__, **question}, b"")
                    _write(self._file, data, 0)
                    _sync_folder(path)
            found = parse(path, data)
            _check_question(path, found.identity, question or {})
            self.identity, self.size = found.identity, len(found.sound)
            self._length = len(data)  # of the file; a kill may have left more than is sound
            self._head, self._key = found.head, found.key
        except BaseException:
            self._file.close()
            raise

    @property
    def records(self) -> Iterator[Record]:
        """All records of the file, in the order of their writing."""
        with _errors("read", self.path):
            self._file.seek(0)
            data = self._file.readall()
        return parse(self.path, data).records

    def append(self, records: Sequence[Record]) -> None:
        """Write a transaction, whole or not at all. From now on it survives a kill, and a loss of power."""
        data = _frame(records, self._key)
        with _errors("write", self.path):
            self._check_place()
            try:
                _write(self._file, data, self.size)
                self.size += len(data)
            finally:
                self._length = os.fstat(self._file.fileno()).st_size

    def compact(self, records: Iterator[Record]) -> None:
        """Write the file anew with these records, which say all that it says, if that halves it."""
        parts = [self._head]
        while some := list(islice(records, _MANY)):
            parts.append(_frame(some, self._key))
        data = b"".join(parts)
        if 2 * len(data) > self.size:
            return
        with _errors("write", self.path):
            self._check_place()
            place = os.path.realpath(self.path)
            temporary = os.path.join(os.path.dirname(place), f".{os.urandom(8).hex()}.tmp")
            file = open(temporary, "xb+", buffering=0)  # noqa: SIM115  it takes the place of the one before
            try:
                _take_lock(file)  # before anybody else finds it
                os.chmod(temporary, os.stat(place).st_mode & 0o777)
                _write(file, data, 0)
                os.replace(temporary, place)
            except BaseException:
                file.close()
                os.unlink(temporary)
                raise
            self._file.close()
            self._file, self.size, self._length = file, len(data), len(data)
            _sync_folder(place)

    def close(self) -> None:
        self._file.close()

    def _check_place(self) -> None:
        """Raise InputError unless the file is where it was, and what it was: not all file systems have locks."""
        self._file.seek(0)
        with suppress(FileNotFoundError):
            there = os.stat(self.path)
            same = os.path.samestat(there, os.fstat(self._file.fileno())) and there.st_size == self._length
            if same and self._file.read(len(self._head)) == self._head:
                return
        raise InputError(
            f"the journal {self.path} was deleted, replaced or written to by another run while the run went on"
        )


def is_written(path: str) -> bool:
    """Whether a run is writing to this journal now, as far as the system tells."""
    try:
        _check_ordinary(path)
        with open(path, "rb", buffering=0) as file:
            return not _take_lock(file, shared=True)
    except (OSError, InputError):
        return False


def _open_locked(path: str, *, create: bool) -> FileIO:
    """The file of this name, locked against other runs."""

    def opener(name: str, flags: int) -> int:
        return os.open(name, flags | (os.O_CREAT if create else 0), 0o666)

    for left in reversed(range(_TRIES)):
        file = open(path, "r+b", buffering=0, opener=opener)  # noqa: SIM115  the caller closes it
        # A run that ended just now may have compacted it: then another file has its name.
        if _take_lock(file) and os.path.samestat(os.fstat(file.fileno()), os.stat(path)):
            return file
        file.close()
        if left:
            time.sleep(_WAIT)
    raise InputError(f"cannot open the journal {path}: another run is writing to it")


def _take_lock(file: FileIO, *, shared: bool = False) -> bool:
    """Lock a file until it is closed; some file systems can't. False where another lock is in the way."""
    if fcntl is None:
        return True
    try:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        pass
    return True


def _write(file: FileIO, data: bytes, at: int) -> None:
    """Write bytes to the end of a file of this length, or leave it as it was."""
    try:
        file.truncate(at)  # what a kill left incomplete
        file.seek(at)
        left = memoryview(data)
        while left:
            left = left[file.write(left) :]
        os.fsync(file.fileno())
    except BaseException:
        with suppress(OSError):
            file.truncate(at)
        raise


def _sync_folder(path: str) -> None:
    """Let the name of a new file survive a loss of power, where the system knows how."""
    with suppress(OSError):
        folder = os.open(os.path.dirname(os.path.realpath(path)), os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _check_ordinary(path: str) -> None:
    """Raise InputError for a pipe and its like: opening one may never end."""
    if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
        raise InputError(f"cannot open the journal {path}: it is no ordinary file")


def _check_question(path: str, there: Mapping[str, str], expected: Mapping[str, str]) -> None:
    """Raise InputError where a journal is of something else than what is expected of it."""
    if expected and of_table(expected) != of_table(there):
        kinds = ("a table", "a game") if of_table(there) else ("a game", "a table")
        raise InputError(f"the journal {path} belongs to another question: it is of {kinds[0]}, not of {kinds[1]}")
    for name, right in expected.items():
        if there[name] != right and name not in ("game", "table"):  # these are names for people
            # A row of costs that isn't named is an object, a column of weights or groups a question.
            hint = "; rows and columns of costs, weights and groups must be named as before"
            raise InputError(
                f"the journal {path} belongs to another question: its {name} is {quoted(there[name])}, "
                f"here it is {quoted(right)}{hint if name == 'table sha256' else ''}"
            )


@contextmanager
def _errors(what: str, path: str) -> Iterator[None]:
    """Raise the system's errors as our own."""
    try:
        yield
    except OSError as error:
        raise InputError(f"cannot {what} the journal {path}: {error.strerror or error}") from None
