"""The journal as a run uses it: what earlier runs have proven, and what this one proves.

Every second a thread writes what has come together, in one transaction. So a run that is killed loses the last second
of what it knew, and no search ever waits for a disk.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from optimal._version import __version__
from optimal.errors import InputError
from optimal.journal.file import JournalFile, Record
from optimal.journal.records import (
    Contents,
    Known,
    Limit,
    Note,
    OpenerRecord,
    Proven,
    StatusRecord,
    contradict,
    record_of,
    record_of_note,
    stronger,
)
from optimal.show.words import quoted

#: Seconds between two transactions.
EVERY = 1.0
#: Bytes below which a journal is not compacted.
SMALL = 1 << 20


class Journal:
    """What is proven of a question, in a file. A context manager; its methods may be called from any thread.

    ``names`` are those of all that may come first, ``asked`` says in words what this run is for. ``contents`` has what
    is known, but for notes. Raises InputError for a file that is no journal, is damaged, belongs to another question,
    or is written to by another run.
    """

    def __init__(self, path: str, names: Sequence[str], question: Mapping[str, str], asked: str, jobs: int) -> None:
        self.path, self._names = path, names
        self.failed = ""  # why nothing more can be written
        self._lock, self._file_lock, self._over = threading.Lock(), threading.Lock(), threading.Event()
        self._work: list[Record] = []
        self._collect: Callable[[], Iterable[tuple[Limit, Note]]] = tuple
        self._beat: Callable[[], None] = lambda: None
        self._on_failure: Callable[[], None] = lambda: None
        self._file = JournalFile(path, question)
        self._compact_at = 0
        try:
            self._compact()
            self.contents = Contents(self.path, self._file.records, notes=False)
            for one in self.contents.bounds:
                if one.opener not in names[one.place : one.place + 1]:
                    raise InputError(f"the journal {path} is damaged: {quoted(one.opener)} is no opener of that place")
        except BaseException:
            self._file.close()
            raise
        self.run = self.contents.next_run(asked, jobs)
        self._thread = threading.Thread(target=self._write_on, name="journal", daemon=True)

    def begin(
        self,
        beat: Callable[[], None],
        collect: Callable[[], Iterable[tuple[Limit, Note]]],
        on_failure: Callable[[], None],
    ) -> None:
        """Begin to write. Every second ``beat`` is called, and ``collect``, which gets the notes of all searches, each
        with its limit; ``on_failure`` is called when nothing more can be written."""
        self._beat, self._collect, self._on_failure = beat, collect, on_failure
        self._thread.start()

    def notes(self, limit: Limit) -> list[Note]:
        """The notes of openers that aren't settled. They are read anew: they may take much memory."""
        with self._file_lock:
            return Contents(self.path, self._file.records).notes(limit)

    def add(self, known: Known) -> None:
        """Record what is known from now on."""
        record = record_of(known)
        with self._lock:
            self._work.append(record)
            if not isinstance(known, StatusRecord):  # these are for readers
                self.contents.add(record)

    def opener(self, limit: Limit, guess: int, proven: Proven, spent: tuple[int, float, str], *, settled: bool) -> None:
        """Record an opener's bound, unless a stronger one is known, and what was ``spent`` on it: nodes, seconds, by
        which worker. Of one that is ``settled`` the notes are forgotten."""
        proven = replace(proven, program=__version__)
        before = self.contents.openers[limit].get(guess)
        if before is not None and not stronger(proven, before.proven):
            proven = before.proven
        bound = proven.lower, proven.exact, proven.program
        self.add(OpenerRecord(limit, guess, self._names[guess], *bound, *spent, settled))

    def take(self, limit: Limit, found: Mapping[int, Proven], source: str, ledger: str) -> None:
        """Record what is proven of openers elsewhere, in the file named ``source``, apart from what is proven here; of
        two ledgers, the stronger bound. Raises InputError where not both can be right: then nothing is recorded."""
        new = []
        for guess, proven in found.items():
            own, before = self.contents.openers[limit].get(guess), self.contents.imports[limit].get(guess)
            known = [] if own is None else [(own.proven, f"the journal {self.path}")]
            known += [] if before is None else [(before.proven, f"the ledger {before.ledger}")]
            for other, whose in known:
                if contradict(proven, other):
                    name = quoted(self._names[guess])
                    raise InputError(f"{source} says of {name} what {whose} says can't be: one is wrong")
            if all(stronger(proven, other) for other, _ in known):
                bound = proven.lower, proven.exact, proven.program
                new.append(OpenerRecord(limit, guess, self._names[guess], *bound, ledger=ledger))
        for said in new:
            self.add(said)

    def ran(self, seconds: float, nodes: int, openers: int, status: str, stop_reason: str) -> None:
        """Record how far this run is, or how it ended."""
        self.run = self.run._replace(
            seconds=seconds, nodes=nodes, openers=openers, status=status, stop_reason=stop_reason
        )
        self.add(self.run)

    def close(self) -> None:
        """Write the rest, and let others have the file."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()
        self._write()
        if self.failed:  # there may be room now
            self._write()
        if self.run.number in self.contents.runs:
            # By itself: it may find room where the rest did not, and with it behind them other transactions are no
            # longer what a kill may have cut off.
            end = self.run._replace(stop_reason=self.failed or self.run.stop_reason)
            with suppress(InputError):
                self._file.append([record_of(end)])
        self._file.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _write_on(self) -> None:
        try:
            while not self._over.wait(EVERY):
                self._write()
        except BaseException as error:
            self.failed = f"cannot write the journal {self.path}: {error!r}"
            self._on_failure()
            raise

    def _write(self) -> None:
        self._beat()
        with self._lock:
            work, self._work = self._work, []
        # After what was proven of openers has been taken: so none of these comes after its opener is settled.
        work = [record_of_note(limit, note) for limit, note in self._collect()] + work
        if not work:
            return
        try:
            with self._file_lock:
                self._file.append(work)
                self._compact()
            self.failed = ""
        except (InputError, MemoryError) as error:
            with self._lock:
                self._work = work + self._work
            self.failed = str(error) or f"cannot write the journal {self.path}: there is not enough memory"
            self._on_failure()

    def _compact(self) -> None:
        """Keep the file from growing: where it has doubled, see whether less would say the same."""
        if self._file.size > max(SMALL, self._compact_at):
            with suppress(InputError, MemoryError):  # there may be no room for a second file, or for all notes
                self._file.compact(Contents(self.path, self._file.records).records)
            self._compact_at = 2 * self._file.size
