"""The journal as a file: an SQLite database, its tables, their checksums, and who may write to it.

docs/journal.md tells the tables to those who read them with other tools. Light: no numpy here.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from typing import Any, BinaryIO
from urllib.parse import quote

from optimal.errors import InputError
from optimal.journal.header import (
    APPLICATION,
    MOST_TRANSACTIONS,
    START,
    begins,
    check_logs,
    check_start,
    has_log,
    log_of,
    user_version,
)
from optimal.show.words import quoted

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

#: The row of the table `about` with what tells this journal from all others.
ID = "journal"
#: What the table `about` tells of every question about a game, and about a table of objects.
NAMES = (
    *("game", "feedback", "guesses sha256", "answers sha256", "matrix sha256", "winning code", "rules"),
    *("limit of guesses", "objective", "weights"),
)
TABLE_NAMES = ("table", "table sha256", "limit of questions", "limit of cost", "objective", "end of a key")
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
        "program": (str,),
    },
    "imports": {
        "opener": (str,),
        "guesses": (int,),
        "lower": (int,),
        "upper": (int, type(None)),
        "program": (str,),
        "ledger": (str,),
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
    seconds REAL NOT NULL, worker TEXT NOT NULL, program TEXT NOT NULL, sum INTEGER NOT NULL,
    PRIMARY KEY (opener, guesses, below)) WITHOUT ROWID;
CREATE TABLE imports (opener TEXT NOT NULL, guesses INTEGER NOT NULL, lower INTEGER NOT NULL, upper INTEGER,
    program TEXT NOT NULL, ledger TEXT NOT NULL, sum INTEGER NOT NULL, PRIMARY KEY (opener, guesses)) WITHOUT ROWID;
CREATE TABLE trees (guesses INTEGER PRIMARY KEY, cost INTEGER NOT NULL, canonical INTEGER NOT NULL,
    tree BLOB NOT NULL, sum INTEGER NOT NULL);
CREATE TABLE gap (run INTEGER NOT NULL, seconds REAL NOT NULL, guesses INTEGER NOT NULL, incumbent INTEGER,
    bound INTEGER, settled INTEGER NOT NULL, sum INTEGER NOT NULL);
"""


def limit_in_rows(limit: int | None) -> int:
    """A limit of guesses as rows have it: 0 for none, and for those beyond what a row holds, which never bind."""
    return 0 if limit is None or limit >= 1 << 63 else limit


def of_table(about: Mapping[str, str]) -> bool:
    """Whether a journal is of a table of objects, not of a game."""
    return TABLE_NAMES[0] in about


def names_of(about: Mapping[str, str]) -> tuple[str, ...]:
    """What the table `about` of this journal tells of its question."""
    return TABLE_NAMES if of_table(about) else NAMES


def seal_of(about: Mapping[str, str]) -> int:
    """What the checksums of a journal's rows go on from: the CRC-32 of its id and the hash of its question."""
    question = hashlib.sha256(json.dumps([about[name] for name in names_of(about)]).encode()).hexdigest()
    return zlib.crc32((about[ID] + question).encode())


def checksum(seal: int, table: str, values: Sequence[Any]) -> int:
    """The CRC-32 of a row's values as a JSON list that opens with the table's name; blobs in hexadecimal digits."""
    return zlib.crc32(json.dumps([table, *values], default=bytes.hex).encode(), seal)


class Replaced(InputError):
    """The place of a journal that is being written has been taken: nothing more can be written to it."""


class Database:
    """An open journal. One process writes to it, and others may read.

    ``expected`` is what `about` must hold: it is written to a new file, and an old one of something else is refused.
    Without it the file is opened for reading, or to change what a journal has that is there already (``writing``).
    Raises InputError, in one line, for whatever is wrong with the file, here and in the methods.
    """

    def __init__(self, path: str, expected: Mapping[str, str] | None = None, *, writing: bool = False) -> None:
        self.path, self._file = path, os.path.realpath(path)
        self._lock: BinaryIO | None = None
        writing |= expected is not None
        if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
            raise InputError(f"cannot open the journal {path}: it is no ordinary file")
        try:
            if writing:
                self._lock = self._open_alone(expected)
            self._check_file()
            with self._errors("open"):
                self._connection = self._connect_alone() if writing else self._connect()
        except BaseException:
            self._unlock()
            raise
        try:
            with self._errors("open"):
                found = self._connection.execute("PRAGMA quick_check(1)").fetchone()[0]
                if found != "ok":
                    raise InputError(f"the journal {path} is damaged: {_line(found)}")
                self._check_about(expected)
        except BaseException:
            self.close()
            raise

    def rows(self, table: str, where: str = "1", values: Sequence[Any] = ()) -> Iterator[dict[str, Any]]:
        """The rows of a table for which a condition in SQL holds, each checked against its checksum."""
        columns = COLUMNS[table]
        with self._errors("read"):
            rows = self._connection.execute(f"SELECT {', '.join(columns)}, sum FROM {table} WHERE {where}", values)
            for *row, known in rows:
                if checksum(self._seal, table, row) != known:
                    raise InputError(
                        f"the journal {self.path} is damaged: the row {quoted(' '.join(map(str, row[:3])))} of its "
                        f"table {table} is not as it was written{'' if table == 'about' else '; delete it to go on'}"
                    )
                found = dict(zip(columns, row, strict=True))
                if not all(_sound(found[name], kinds) for name, kinds in columns.items()):
                    raise InputError(f"the journal {self.path} is damaged: what its table {table} holds can't be")
                yield found

    def put(self, table: str, values: Sequence[Any]) -> tuple[str, Sequence[Any]]:
        """The statement that writes a row, in place of the one with its key."""
        return _insertion(self._seal, table, values)

    def write(self, work: Iterable[tuple[str, Sequence[Any]]]) -> None:
        """Do statements of `put` and others, all of them or none.

        A file that was deleted meanwhile is written anew. Raises Replaced where another has come into its place.
        """
        if not self._is_there():
            self._put_back()
        with self._errors("write"):
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                [number] = self._connection.execute("PRAGMA schema_version").fetchone()
                self._connection.execute(f"PRAGMA schema_version = {number % MOST_TRANSACTIONS + 1}")
                self._connection.execute(f"PRAGMA user_version = {user_version(self.about[ID])}")
                for statement, values in work:
                    self._connection.execute(statement, values)
                self._connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    self._connection.execute("ROLLBACK")
                raise

    def fold(self) -> None:
        """Let the file itself have all that is written: FILE alone is then the whole journal. Where somebody reads what
        would be overwritten, that is left to the next time."""
        if not self._is_there():
            return  # the next time it is put back
        with self._errors("write"):
            self._connection.execute("PRAGMA busy_timeout = 0")
            try:
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            finally:
                self._connection.execute(f"PRAGMA busy_timeout = {round(1000 * PATIENCE)}")

    def copy(self, path: str) -> None:
        """Write the whole journal, as it is now, to another file, which appears whole or not at all. One that is there
        already is left alone, unless it is empty."""
        name, path = path, os.path.realpath(path)
        temporary = self._copied(os.path.dirname(path))
        try:
            with self._errors("copy"):
                _clear(path)
                _place(temporary, path)
        except FileExistsError:
            raise InputError(f"cannot copy the journal {self.path}: {name} is there already") from None
        finally:
            with suppress(FileNotFoundError):
                os.unlink(temporary)

    def close(self) -> None:
        with suppress(sqlite3.Error):
            self._connection.close()
        self._unlock()  # after the database: it has locks of its own on this file, which end with any handle of it

    def _open_alone(self, about: Mapping[str, str] | None) -> BinaryIO:
        """The file, made if need be, and locked against other runs until it is closed."""
        path = self.path
        try:
            if about is not None and (not os.path.exists(path) or os.path.getsize(path) == 0):
                self._create(about)
            file: BinaryIO = open(path, "r+b", buffering=0)  # noqa: SIM115  what is there now counts, not what was
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
        _written.add(self._file)
        return file

    def _unlock(self) -> None:
        if self._lock is not None:
            _written.discard(self._file)
            self._lock.close()

    def _is_there(self) -> bool:
        """Whether the file is where it was, and what it was; not if it was deleted."""
        assert self._lock is not None
        with self._errors("write"):
            try:
                there = os.stat(self.path)
            except FileNotFoundError:
                return False
            self._lock.seek(0)
            start, ours = self._lock.read(START), os.fstat(self._lock.fileno())
        if os.path.samestat(there, ours) and begins(start, self.about[ID]):
            return True
        raise self._replaced()

    def _put_back(self) -> None:
        """Write the file anew from what is still open of it, and go on with that. Raises Replaced where somebody else
        has come first."""
        own = self.about[ID]
        with self._errors("write"):
            temporary = self._copied(os.path.dirname(self._file))
            try:
                _place(temporary, self._file)
            except FileExistsError:
                raise self._replaced() from None
            finally:
                with suppress(FileNotFoundError):
                    os.unlink(temporary)
        self.close()
        try:
            with self._errors("write"):
                for end in ("-wal", "-shm"):  # SQLite leaves them where they are once their file has gone
                    with suppress(FileNotFoundError):
                        os.unlink(self._file + end)
            self.__init__(self.path, writing=True)  # type: ignore[misc]
        except InputError as error:  # nothing is open to go on with
            raise Replaced(str(error)) from None
        if self.about[ID] != own:
            raise self._replaced()

    def _replaced(self) -> Replaced:
        return Replaced(f"the journal {self.path} was replaced by another file while the run went on")

    def _copied(self, folder: str) -> str:
        """A temporary file in this folder with all that the journal has."""
        temporary = os.path.join(folder, f".{os.urandom(8).hex()}.tmp")
        try:
            with self._errors("copy"), closing(sqlite3.connect(temporary)) as copy:
                self._connection.backup(copy)
                # Its transactions aren't counted on from the original's: the log of one isn't that of the other.
                number = int.from_bytes(os.urandom(4), "big") % MOST_TRANSACTIONS + 1
                copy.execute(f"PRAGMA schema_version = {number}")
        except BaseException:
            with suppress(FileNotFoundError):
                os.unlink(temporary)
            raise
        return temporary

    def _create(self, about: Mapping[str, str]) -> None:
        """Write a new journal, which appears whole or not at all, unless somebody else does it at the same moment."""
        about = {ID: os.urandom(16).hex(), **about}
        temporary = os.path.join(os.path.dirname(self._file), f".{os.urandom(8).hex()}.tmp")
        open(temporary, "xb").close()  # says what is wrong with the folder better than SQLite
        try:
            seal = seal_of(about)
            versions = f"application_id = {APPLICATION}", f"user_version = {user_version(about[ID])}"
            with self._errors("open"), closing(sqlite3.connect(temporary, isolation_level=None)) as connection:
                connection.executescript(f"PRAGMA journal_mode = MEMORY; BEGIN; {_TABLES}")
                for item in about.items():
                    connection.execute(*_insertion(seal, "about", item))
                connection.execute("COMMIT")
                for setting in (*versions, "journal_mode = WAL"):
                    connection.execute(f"PRAGMA {setting}")
            _clear(self._file)
            with suppress(FileExistsError):
                _place(temporary, self._file)
        finally:
            with suppress(FileNotFoundError):
                os.unlink(temporary)

    def _check_file(self) -> None:
        """Leave files alone that are none of ours, and logs: SQLite would change them, and says nothing helpful."""
        if self._lock is None and self._file in _written:
            return  # any handle of this process that is closed would take SQLite's locks with it
        with self._errors("open"), self._opened() as file:
            check_start(self.path, file.read(START))
            check_logs(self._file, file)

    def _opened(self) -> AbstractContextManager[BinaryIO]:
        """The file's bytes, as they are now."""
        return open(self.path, "rb", buffering=0) if self._lock is None else nullcontext(self._lock)

    def _connect(self) -> sqlite3.Connection:
        """A connection that reads. Where there is no log, SQLite needs no files beside it, and makes none."""
        name = "file:" + quote(os.fsencode(self._file))
        if os.path.exists(log_of(self._file)):
            connection = sqlite3.connect(f"{name}?mode=ro", uri=True, isolation_level=None)
            try:
                connection.execute("SELECT 1 FROM sqlite_master").fetchone()
                return connection
            except sqlite3.OperationalError:  # a folder that can't be written to, where nobody else writes either
                connection.close()
                if has_log(self._file):
                    raise InputError(
                        f"cannot open the journal {self.path}: some of it is in {log_of(self.path)}, which can't be "
                        "read where it is; copy both to a folder that can be written to"
                    ) from None
        return sqlite3.connect(f"{name}?mode=ro&immutable=1", uri=True, isolation_level=None)

    def _connect_alone(self) -> sqlite3.Connection:
        """A connection that writes."""
        name = "file:" + quote(os.fsencode(self._file))
        connection = sqlite3.connect(
            f"{name}?mode=rw", uri=True, isolation_level=None, check_same_thread=False, timeout=PATIENCE
        )
        # Transactions survive the end of the process at any moment; a loss of power may undo the last. No page comes
        # into the log before its header does: see `check_logs`.
        for setting in ("journal_mode = WAL", "synchronous = NORMAL", "cache_spill = OFF"):
            connection.execute(f"PRAGMA {setting}")
        return connection

    def _check_about(self, expected: Mapping[str, str] | None) -> None:
        found = self._connection.execute("SELECT name, value FROM about")
        about = {name: value for name, value in found if isinstance(value, str)}
        for name in (ID, *names_of(about)):
            if name not in about:
                why = f"doesn't say its {quoted(name)}: it is damaged, or of an earlier version"
                raise InputError(f"the journal {self.path} {why}; begin a new one")
        self._seal = seal_of(about)
        self.about = {row["name"]: row["value"] for row in self.rows("about")}
        if self._connection.execute("PRAGMA user_version").fetchone()[0] != user_version(self.about[ID]):
            raise InputError(f"the journal {self.path} is damaged: its header is that of another")
        if expected is not None and of_table(expected) != of_table(about):
            kinds = ("a table", "a game") if of_table(about) else ("a game", "a table")
            raise InputError(
                f"the journal {self.path} belongs to another question: it is of {kinds[0]}, not of {kinds[1]}"
            )
        for name, right in (expected or {}).items():
            there = self.about[name]
            if there != right and name not in (NAMES[0], TABLE_NAMES[0]):
                # A row of costs that isn't named is an object, a column of weights or groups a question.
                hint = "; rows and columns of costs, weights and groups must be named as before"
                raise InputError(
                    f"the journal {self.path} belongs to another question: its {name} is {quoted(there)}, "
                    f"here it is {quoted(right)}{hint if name == TABLE_NAMES[1] else ''}"
                )

    @contextmanager
    def _errors(self, what: str) -> Iterator[None]:
        """What SQLite and the system have to say as our own error."""
        try:
            yield
        except (InputError, FileExistsError):
            raise
        except OSError as error:
            raise InputError(f"cannot {what} the journal {self.path}: {error.strerror or error}") from None
        except sqlite3.OperationalError as error:
            raise InputError(f"cannot {what} the journal {self.path}: {_line(error)}") from None
        except sqlite3.Error as error:
            raise InputError(f"the journal {self.path} is damaged: {_line(error)}") from None
        except (UnicodeError, OverflowError, ValueError) as error:
            raise InputError(f"the journal {self.path} is damaged: {_line(error)}") from None


def _insertion(seal: int, table: str, values: Sequence[Any]) -> tuple[str, Sequence[Any]]:
    marks = ", ".join("?" * (len(values) + 1))
    return f"INSERT OR REPLACE INTO {table} VALUES ({marks})", (*values, checksum(seal, table, values))


def _clear(path: str) -> None:
    """Take an empty file away."""
    if os.path.isfile(path) and os.path.getsize(path) == 0:
        os.unlink(path)


def _place(temporary: str, path: str) -> None:
    """Give a whole new file its name. Raises FileExistsError where there is a file of this name."""
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if os.path.lexists(path):
            raise FileExistsError(path) from None
        os.rename(temporary, path)


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
    if not os.path.isfile(path):  # to open a pipe may take for ever
        return False
    try:
        with closing(open(path, "rb")) as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False
