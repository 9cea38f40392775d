"""Journals as tests read and forge them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from optimal.journal.file import JournalFile, read_journal
from optimal.journal.header import MAGIC
from optimal.journal.records import Contents, Known, OpenerRecord, RunRecord, StatusRecord, TreeRecord, record_of

KINDS = {"run": RunRecord, "opener": OpenerRecord, "tree": TreeRecord, "status": StatusRecord}


def contents_of(path: str | Path) -> Contents:
    """What a journal holds, notes and all."""
    return Contents(str(path), read_journal(str(path)).records)


def openers_of(path: str | Path) -> list[OpenerRecord]:
    """What runs have proven of openers."""
    return [one for within in contents_of(path).openers.values() for one in within.values()]


def forge(path: str | Path, change: Callable[[Known], Known | None]) -> None:
    """Change the records of a journal, or leave them out (None), with checksums that fit; notes stay."""
    found = read_journal(str(path))
    records = []
    for kind, *values in Contents(str(path), found.records).records:
        if kind not in KINDS:
            records.append((kind, *values))
        elif (known := change(KINDS[kind](*values))) is not None:
            records.append(record_of(known))
    Path(path).write_bytes(found.head)
    with closing(JournalFile(str(path))) as file:
        file.append(records)


def boundaries(data: bytes) -> Iterator[int]:
    """Where the frames of a journal begin, and where the last ends."""
    at = len(MAGIC)
    while at < len(data):
        yield at
        at += 16 + int.from_bytes(data[at + 4 : at + 8], "big")
    yield at
