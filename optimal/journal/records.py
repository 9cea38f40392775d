"""What a journal holds: the kinds of its records, and what they say together. Light: no numpy here.

A limit is one of guesses, None for none; of a table, what a path may cost, `INFEASIBLE` for any. A cost is what the
search minimises, `INFEASIBLE` where there is no tree.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

import msgpack

from optimal._version import __version__
from optimal.errors import InputError
from optimal.journal.file import Record
from optimal.limits import INFEASIBLE

UNKNOWN = "unknown"

Limit: TypeAlias = "int | None"


@dataclass(frozen=True)
class Proven:
    """A proven bound of an opener: no tree with it costs less than ``lower``, and, where that is ``exact``, one costs
    just that. `INFEASIBLE` stands for: there is none. ``program`` is the version that proved it."""

    lower: int
    exact: bool
    program: str = UNKNOWN

    def __str__(self) -> str:
        return "none" if self.lower >= INFEASIBLE else f"{self.lower}{'=' if self.exact else ''}"


def limit_of(identity: Mapping[str, str]) -> Limit:
    """The limit of guesses of a journal's question; None of a table's."""
    limit = identity.get("limit of guesses", "none")
    return int(limit) if limit.isdecimal() else None


def contradict(one: Proven, other: Proven) -> bool:
    """Whether not both can be right of one opener."""
    return (one.exact and other.lower > one.lower) or (other.exact and one.lower > other.lower)


def stronger(one: Proven, other: Proven) -> bool:
    """Whether one says more of an opener than the other, where they don't contradict each other."""
    return (one.lower, one.exact) > (other.lower, other.exact)


class Note(NamedTuple):
    """What is proven of the position after ``history``, pairs of guess and feedback code, with so many guesses
    ``left``, None for no limit: a value, ``exact`` or a lower bound, the height of a least tree and its first guess,
    and whether the value is no less than the count bound; of a table, whether any key counts as 0. The searches make
    and take plain tuples, of numbers alone."""

    history: tuple[tuple[int, int], ...]
    left: int | None
    value: int
    exact: int
    height: int
    guess: int
    counted: int

    @property
    def opener(self) -> int:
        return self.history[0][0]


class RunRecord(NamedTuple):
    """How far a run is, or how it ended; ``began`` is UTC by the machine's clock, for people alone."""

    number: int
    program: str
    began: str
    asked: str
    jobs: int
    openers: int
    seconds: float
    nodes: int
    status: str
    stop_reason: str


class OpenerRecord(NamedTuple):
    """What is proven of an opener, by which version, and what it took: nodes, and seconds of one search. Of one that
    is ``settled`` nothing more will be asked: its notes are forgotten. ``place`` is that in the list of guesses;
    ``ledger`` names the file that the bound was imported from, "" for one that runs of this journal have proven."""

    limit: Limit
    place: int
    opener: str
    lower: int
    exact: bool
    program: str
    nodes: int = 0
    seconds: float = 0.0
    worker: str = ""
    settled: bool = False
    ledger: str = ""

    @property
    def proven(self) -> Proven:
        return Proven(self.lower, self.exact, self.program)


class TreeRecord(NamedTuple):
    """The best tree within a limit: its cost, whether it is known to be the first of all least ones, and its file."""

    limit: Limit
    cost: int
    canonical: bool
    data: bytes


class RunStatus(NamedTuple):
    """The status of a run, in costs: its limit, the best tree, the proven bound, and how many openers are settled."""

    limit: Limit
    incumbent: int | None
    bound: int | None
    settled: int


class StatusRecord(NamedTuple):
    """The status of a run after so many seconds of work."""

    run: int
    seconds: float
    limit: Limit
    incumbent: int | None
    bound: int | None
    settled: int


Known: TypeAlias = "RunRecord | OpenerRecord | TreeRecord | StatusRecord"
_KINDS = {RunRecord: "run", OpenerRecord: "opener", TreeRecord: "tree", StatusRecord: "status"}
#: Takes all imports back, and the course of the runs, which may rest on them.
FORGET_IMPORTS: Record = ("forget imports",)


def record_of(known: Known) -> Record:
    """A record as the file has it."""
    return (_KINDS[type(known)], *known)


def record_of_note(limit: Limit, note: Note) -> Record:
    """A note as the file has it."""
    return ("note", limit, *note)


_LIMIT, _NUMBER = (int, type(None)), (int, float)
_TYPES: dict[str, tuple[Any, ...]] = {
    "run": (int, str, str, str, int, int, _NUMBER, int, str, str),
    "opener": (_LIMIT, int, str, int, bool, str, int, _NUMBER, str, bool, str),
    "tree": (_LIMIT, int, bool, bytes),
    "status": (int, _NUMBER, _LIMIT, _LIMIT, _LIMIT, int),
    "note": (_LIMIT, tuple, _LIMIT, int, int, int, int, int),
    FORGET_IMPORTS[0]: (),
}


def is_sound(record: object) -> bool:
    """Whether a record has the form of those that runs write. A forged file may hold others."""
    if not isinstance(record, tuple) or not record or not isinstance(record[0], str):
        return False
    kind, *values = record
    types = _TYPES.get(kind)
    if types is None or len(values) != len(types) or not all(map(isinstance, values, types)):
        return False
    return kind != "note" or (bool(values[1]) and all(_is_step(step) for step in values[1]))


def _is_step(step: object) -> bool:
    return isinstance(step, tuple) and len(step) == 2 and all(isinstance(number, int) for number in step)


class Contents:
    """What the records of a journal say together, where later ones replace earlier ones of the same thing.

    Without ``notes`` these are left out: they are most of a large journal. Raises InputError, which names the journal's
    ``path``, for a record that no run writes.
    """

    def __init__(self, path: str, records: Iterable[Record], *, notes: bool = True) -> None:
        self.runs: dict[int, RunRecord] = {}
        self.openers: defaultdict[Limit, dict[int, OpenerRecord]] = defaultdict(dict)
        self.imports: defaultdict[Limit, dict[int, OpenerRecord]] = defaultdict(dict)
        self.trees: dict[Limit, TreeRecord] = {}
        self.course: list[StatusRecord] = []
        # By limit and opener, and by history and guesses left; packed, as tuples take twenty times as much memory.
        self._notes: defaultdict[tuple[Limit, int], dict[bytes, bytes]] = defaultdict(dict)
        for record in records:
            if not is_sound(record):
                raise InputError(f"the journal {path} is damaged: it has a record that no run writes")
            if notes or record[0] != "note":
                self.add(record)

    def add(self, record: Record) -> None:
        """Apply a record."""
        kind, *values = record
        if kind == "note":
            limit, history, left, *rest = values
            self._notes[limit, history[0][0]][msgpack.packb((history, left))] = msgpack.packb(rest)
        elif kind == "opener":
            opener = OpenerRecord(*values)
            (self.imports if opener.ledger else self.openers)[opener.limit][opener.place] = opener
            if opener.settled:
                self._notes.pop((opener.limit, opener.place), None)
        elif kind == "status":
            self.course.append(StatusRecord(*values))
        elif kind == "run":
            run = RunRecord(*values)
            self.runs[run.number] = run
        elif kind == "tree":
            tree = TreeRecord(*values)
            self.trees[tree.limit] = tree
        elif record == FORGET_IMPORTS:
            self.imports.clear()
            self.course.clear()

    def next_run(self, asked: str, jobs: int) -> RunRecord:
        """The record of a run that begins now."""
        now = datetime.now(timezone.utc).isoformat(timespec="seconds")
        number = 1 + max(self.runs, default=0)
        return RunRecord(number, f"optimal {__version__}", now, asked, jobs, 0, 0.0, 0, "running", "running")

    def notes(self, limit: Limit) -> list[Note]:
        """What is known of classes of openers within a limit."""
        return [note for within, note in self._all_notes() if within == limit]

    def _all_notes(self) -> Iterator[tuple[Limit, Note]]:
        for (limit, _), notes in self._notes.items():
            for key, rest in notes.items():
                history, left = msgpack.unpackb(key, use_list=False)
                yield limit, Note(history, left, *msgpack.unpackb(rest))

    def imported(self, limit: Limit) -> dict[int, OpenerRecord]:
        """What ledgers say of openers beyond what is proven here, by their places."""
        own, said = self.openers.get(limit, {}), self.imports.get(limit, {})
        return {at: one for at, one in said.items() if at not in own or stronger(one.proven, own[at].proven)}

    @property
    def bounds(self) -> Iterator[OpenerRecord]:
        """What is proven of openers, here and elsewhere."""
        return (one for all in (self.openers, self.imports) for within in all.values() for one in within.values())

    @property
    def records(self) -> Iterator[Record]:
        """The records that are needed to say the same."""
        for known in chain[Known](self.runs.values(), self.bounds, self.trees.values(), self.course):
            yield record_of(known)
        yield from (record_of_note(limit, note) for limit, note in self._all_notes())
