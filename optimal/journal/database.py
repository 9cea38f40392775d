"""The journal as a file: an SQLite database, its tables, their checksums, and who may write to it.

docs/journal.md tells the tables to those who read them with other tools. Light: no numpy here.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from typing import Any, BinaryIO
from urllib.parse import quote

from optimal.errors import InputError
from optimal.games.feedback import quoted

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

VERSION = 1
#: Costs of this and more stand for: there is no tree.
INFEASIBLE = 1 << 62
#: What tells our databases from others: "optj".
APPLICATION = 0x6F70746A
#: How every file of SQLite begins.
MAGIC = b"SQLite format 3\0"
#: What the table `about` tells of every question.
NAMES = (
    *("game", "feedback", "guesses sha256", "answers sha256", "matrix sha256", "winning code", "rules"),
    *("limit of guesses", "objective", "weights"),
)
#: How often a lock is tried, and for how many seconds a reader that holds up a transaction is waited for.
LOCK_TRIES, PATIENCE = 10, 60.0
#: The journals that this process is writing to.
_written: set[str] = set()

#: Columns of the tables with what they hold, without the checksum that each row ends with.
COLUMNS: dict[str, dict[str, tuple[type, ...]]] = {
    "about": {"name": (str,), "value": (str,)},
    "runs": {
        "run": (int,),
        "program": (str,),
        "began": (str,),
        "asked": (str,),
        "jobs": (int,),
        "openers": (int,),
        "seconds": (float,),
        "nodes": (int,),
        "status": (str,),
        "stop_reason": (str,),
    },
    "units": {
        "opener": (str,),
        "below": (str,),
        "guesses": (int,),
        "lower": (int,),
        "upper": (int, type(None)),
        "height": (int,),
        "guess": (int,),
        "counted": (int,),
        "nodes": (int,),
        "seconds": (float,),
        "worker": (str,),
    },
    "trees": {"guesses": (int,), "cost": (int,), "canonical": (int,), "tree": (bytes,)},
    "gap": {
        "run": (int,),
        "seconds": (float,),
        "guesses": (int,),
        "incumbent": (int, type(None)),
        "bound": (int, type(None)),
        "settled": (int,),
    },
}
_TABLES = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE runs (run INTEGER PRIMARY KEY, program TEXT NOT NULL, began TEXT NOT NULL, asked TEXT NOT NULL,
    jobs INTEGER NOT NULL, openers INTEGER NOT NULL, seconds REAL NOT NULL, nodes INTEGER NOT NULL,
    status TEXT NOT NULL, stop_reason TEXT NOT NULL, sum INTEGER NOT NULL);
CREATE TABLE units (opener TEXT NOT NULL, below TEXT NOT NULL, guesses INTEGER NOT NULL, lower INTEGER NOT NULL,
    upper INTEGER, height INTEGER NOT NULL, guess INTEGER NOT NULL, counted INTEGER NOT NULL, nodes INTEGER NOT NULL,
    seconds REAL NOT NULL, worker TEXT NOT NULL, sum INTEGER NOT NULL,
    PRIMARY KEY (opener, guesses, below)) WITHOUT ROWID;
CREATE TABLE trees (guesses INTEGER PRIMARY KEY, cost INTEGER NOT NULL, canonical INTEGER NOT NULL,
    tree BLOB NOT NULL, sum INTEGER NOT NULL);
CREATE TABLE gap (run INTEGER NOT NULL, seconds REAL NOT NULL, guesses INTEGER NOT NULL, incumbent INTEGER,
    bound INTEGER, settled INTEGER NOT NULL, sum INTEGER NOT NULL);
"""


def checksum(table: str, values: Sequence[Any]) -> int:
    """The CRC-32 of a row's values as a JSON list that opens with the table's name; blobs in hexadecimal digits."""
    return zlib.crc32(json.dumps([table, *values], default=bytes.hex).encode())


class Database:
    """An open journal. One process writes to it, and others may read.

    ``expected`` is what `about` must hold: it is written to a new file, and an old one of something else is refused.
    Without it the file is opened for reading. Raises InputError, in one line, for whatever is wrong with the file,
    here and in the methods.
    """

    def __init__(self, path: str, expected: Mapping[str, str] | None = None) -> None:
        self.path = path
        self._lock: BinaryIO | None = None
        try:
            if expected is not None:
                self._lock = self._open_alone()
            self._check_file()
            with self._errors("open"):
                self._connection = self._connect(expected is None)
        except BaseException:
            self._unlock()
            raise
        try:
            with self._errors("open"):
                new = not self._connection.execute("SELECT 1 FROM sqlite_master").fetchone()
                if new and expected is not None:
                    self._create(expected)
                self._check_kind()
                self._check_about(expected)
                if expected is not None:
                    # Transactions survive the end of the process at any moment; a loss of power may undo the last.
                    self._connection.execute("PRAGMA journal_mode = WAL")
                    self._connection.execute("PRAGMA synchronous = NORMAL")
        except BaseException:
            self.close()
            raise

    def rows(self, table: str, where: str = "1", values: Sequence[Any] = ()) -> Iterator[dict[str, Any]]:
        """The rows of a table for which a condition in SQL holds, each checked against its checksum."""
        columns = COLUMNS[table]
        with self._errors("read"):
            rows = self._connection.execute(f"SELECT {', '.join(columns)}, sum FROM {table} WHERE {where}", values)
            for *row, known in rows:
                if checksum(table, row) != known:
                    raise InputError(
                        f"the journal {self.path} is damaged: the row {quoted(' '.join(map(str, row[:3])))} of its "
                        f"table {table} is not as it was written{'' if table == 'about' else '; delete it to go on'}"
                    )
                found = dict(zip(columns, row, strict=True))
                if not all(_sound(found[name], kinds) for name, kinds in columns.items()):
                    raise InputError(f"the journal {self.path} is damaged: what its table {table} holds can't be")
                yield found

    def write(self, work: Iterable[tuple[str, Sequence[Any]]]) -> None:
        """Do statements of `put` and others, all of them or none."""
        with self._errors("write"):
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                for statement, values in work:
                    self._connection.execute(statement, values)
                self._connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    self._connection.execute("ROLLBACK")
                raise

    def close(self) -> None:
        with suppress(sqlite3.Error):
            self._connection.close()
        self._unlock()  # after the database: it has locks of its own on this file, which end with any handle of it

    def _open_alone(self) -> BinaryIO:
        """The file, made if need be, and locked against other runs until it is closed."""
        path = self.path
        if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
            raise InputError(f"cannot open the journal {path}: it is no ordinary file")
        try:
            file: BinaryIO = open(path, "r+b" if os.path.exists(path) else "x+b")  # noqa: SIM115
        except OSError as error:
            raise InputError(f"cannot open the journal {path}: {error.strerror or error}") from None
        try:
            for left in reversed(range(LOCK_TRIES)):  # `is_written` holds the lock for a moment
                try:
                    if fcntl is not None:
                        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if left == 0:
                        raise
                    time.sleep(0.02)
        except BlockingIOError:
            file.close()
            raise InputError(f"cannot open the journal {path}: another run is writing to it") from None
        except OSError:
            pass  # a file system without locks
        _written.add(os.path.realpath(path))
        return file

    def _unlock(self) -> None:
        if self._lock is not None:
            _written.discard(os.path.realpath(self.path))
            self._lock.close()

    def _check_file(self) -> None:
        """Leave files alone that are none of ours: SQLite would change some of them, and says nothing helpful."""
        if self._lock is None and os.path.realpath(self.path) in _written:
            return  # any handle of this process that is closed would take SQLite's locks with it
        try:
            if self._lock is not None:
                start = self._lock.read(100)
            else:
                with open(self.path, "rb") as file:
                    start = file.read(100)
        except OSError as error:
            raise InputError(f"cannot open the journal {self.path}: {error.strerror or error}") from None
        ours = start[: len(MAGIC)] == MAGIC and start[68:72] == APPLICATION.to_bytes(4, "big")
        if not ours and not (self._lock is not None and start == b""):
            raise InputError(f"{self.path}: not a journal of optimal")

    def _connect(self, reading: bool) -> sqlite3.Connection:
        name = "file:" + quote(os.path.abspath(self.path))
        if reading:
            connection = sqlite3.connect(f"{name}?mode=ro", uri=True, isolation_level=None)
            try:
                connection.execute("SELECT 1 FROM sqlite_master").fetchone()
            except sqlite3.OperationalError:  # a folder that can't be written to, where nobody else writes either
                connection.close()
                connection = sqlite3.connect(f"{name}?mode=ro&immutable=1", uri=True, isolation_level=None)
            return connection
        return sqlite3.connect(
            f"{name}?mode=rw", uri=True, isolation_level=None, check_same_thread=False, timeout=PATIENCE
        )

    def _create(self, about: Mapping[str, str]) -> None:
        rows = [put("about", item) for item in about.items()]
        settings = [(f"PRAGMA application_id = {APPLICATION}", ()), (f"PRAGMA user_version = {VERSION}", ())]
        tables = [(statement, ()) for statement in _TABLES.split(";") if statement.strip()]
        self.write([*settings, *tables, *rows])

    def _check_kind(self) -> None:
        get = self._connection.execute
        if get("PRAGMA application_id").fetchone()[0] != APPLICATION:
            raise InputError(f"{self.path}: not a journal of optimal")
        version = get("PRAGMA user_version").fetchone()[0]
        if version != VERSION:
            raise InputError(f"{self.path}: a journal of version {version}; this program writes version {VERSION}")
        found = get("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            raise InputError(f"the journal {self.path} is damaged: {_line(found)}")

    def _check_about(self, expected: Mapping[str, str] | None) -> None:
        self.about = {row["name"]: row["value"] for row in self.rows("about")}
        if lost := [name for name in NAMES if name not in self.about]:
            raise InputError(f"the journal {self.path} is damaged: it doesn't say its {lost[0]}")
        for name, right in (expected or {}).items():
            there = self.about.get(name, "nothing")
            if there != right and name != "game":
                raise InputError(
                    f"the journal {self.path} belongs to another question: its {name} is {quoted(there)}, "
                    f"here it is {quoted(right)}"
                )

    @contextmanager
    def _errors(self, what: str) -> Iterator[None]:
        """What SQLite has to say as our own error."""
        try:
            yield
        except InputError:
            raise
        except sqlite3.OperationalError as error:
            raise InputError(f"cannot {what} the journal {self.path}: {_line(error)}") from None
        except sqlite3.Error as error:
            raise InputError(f"the journal {self.path} is damaged: {_line(error)}") from None
        except (UnicodeError, OverflowError, ValueError) as error:
            raise InputError(f"the journal {self.path} is damaged: {_line(error)}") from None


def put(table: str, values: Sequence[Any]) -> tuple[str, Sequence[Any]]:
    """The statement that writes a row, in place of the one with its key."""
    marks = ", ".join("?" * (len(values) + 1))
    return f"INSERT OR REPLACE INTO {table} VALUES ({marks})", (*values, checksum(table, values))


def _line(what: object) -> str:
    """What SQLite says, as one short line."""
    return " ".join(str(what).split())[:200]


def _sound(value: object, kinds: tuple[type, ...]) -> bool:
    if type(value) not in kinds:
        return False
    return not isinstance(value, int | float) or 0 <= value < float("inf")


def is_written(path: str) -> bool:
    """Whether a run is writing to this journal now, as far as the system tells."""
    if fcntl is None or os.path.realpath(path) in _written:
        return fcntl is not None
    try:
        with closing(open(path, "rb")) as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False
