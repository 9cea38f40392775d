"""The first bytes of a journal and of its log: whose they are, before SQLite has a hand in them.

SQLite's log, FILE-wal, doesn't know which file it belongs to: one that another journal has left behind would be
replayed onto ours, and make a mixture of both. So every journal has a random id, of which the user version in its
header has a part, and each transaction writes that header anew, with its number: it is the first page of every log.
"""

from __future__ import annotations

import os
from typing import BinaryIO

from optimal.errors import InputError

VERSION = 2
#: What tells our databases from others: "optj".
APPLICATION = 0x6F70746A
#: How every file of SQLite begins.
MAGIC = b"SQLite format 3\0"
#: Bytes of a header that are looked at.
START = 100
#: Where a header has the number of the transaction (as its schema version), whose it is, and who wrote it.
_TRANSACTION, _USER_VERSION, _APPLICATION = slice(40, 44), slice(60, 64), slice(68, 72)
#: After so many transactions their numbers begin anew.
MOST_TRANSACTIONS = (1 << 31) - 1
#: A log's own header, and that of each page in it.
_LOG_MAGICS, _LOG_HEADER, _PAGE_HEADER = (0x377F0682, 0x377F0683), 32, 24
#: How often a log that changes meanwhile is looked at before it is taken for another's.
_LOOKS = 3


def user_version(journal_id: str) -> int:
    """The user version of a journal: that of its form, and 23 bits of its id."""
    return VERSION + 256 * (int(journal_id[:6], 16) & 0x7FFFFF)


def begins(start: bytes, journal_id: str) -> bool:
    """Whether a file that begins so is the journal of this id, as far as its header tells."""
    return start[: len(MAGIC)] == MAGIC and _number(start[_USER_VERSION]) == user_version(journal_id)


def is_journal(start: bytes) -> bool:
    """Whether a file that begins so is a journal, of whatever version."""
    return start[: len(MAGIC)] == MAGIC and _number(start[_APPLICATION]) == APPLICATION


def check_start(path: str, start: bytes) -> None:
    """Raise InputError unless a file that begins so is a journal of this version."""
    if not is_journal(start):
        raise InputError(f"{path}: not a journal of optimal")
    version = _number(start[_USER_VERSION]) % 256
    if version != VERSION:
        raise InputError(f"{path}: a journal of version {version}; this program writes {VERSION}: begin a new one")


def check_logs(path: str, file: BinaryIO) -> None:
    """Raise InputError where SQLite would replay onto this journal, open as this file, what was written for another, or
    for another state of this one."""
    if _size(f"{path}-journal"):
        raise InputError(f"{path}-journal lies beside the journal {path} and isn't its own: move it away")
    for _ in range(_LOOKS):
        file.seek(0)
        start = file.read(START)
        logged, whole = _transactions(log_of(path), start)
        if whole and (not logged or logged[0] - 1 <= _number(start[_TRANSACTION]) <= logged[-1]):
            return
    raise InputError(f"{log_of(path)} lies beside the journal {path} and isn't its own: move it away")


def log_of(path: str) -> str:
    """The name of a journal's log, which has what isn't in the journal itself yet."""
    return f"{path}-wal"


def has_log(path: str) -> bool:
    """Whether rows may be in the log of this journal that aren't in the journal itself."""
    return _size(log_of(path)) > 0


def _transactions(log: str, start: bytes) -> tuple[list[int], bool]:
    """The numbers of the transactions that a log has, and whether it is the log of the file that begins so: whether its
    first page is a header that says so. SQLite replays nothing of a log without pages."""
    found: list[int] = []
    try:
        with open(log, "rb") as file:
            head = file.read(_LOG_HEADER)
            size, salts = _number(head[8:12]), head[16:24]
            if len(head) < _LOG_HEADER or _number(head[:4]) not in _LOG_MAGICS:
                return [], True
            while len(page := file.read(_PAGE_HEADER + START)) == _PAGE_HEADER + START and page[8:16] == salts:
                of_start, header = _number(page[:4]) == 1, page[_PAGE_HEADER:]
                if of_start and all(header[part] == start[part] for part in (_USER_VERSION, _APPLICATION)):
                    found.append(_number(header[_TRANSACTION]))
                elif of_start or not found:
                    return found, False
                file.seek(size - START, os.SEEK_CUR)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise InputError(f"cannot open the journal's {log}: {error.strerror or error}") from None
    return found, True


def _number(data: bytes) -> int:
    return int.from_bytes(data, "big")


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except FileNotFoundError:
        return 0
    except OSError as error:
        raise InputError(f"cannot open the journal's {path}: {error.strerror or error}") from None
