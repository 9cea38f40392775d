"""How far a run is, read from its journal, also while it runs. Light: no numpy here."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from optimal.checks import check_path
from optimal.errors import InputError
from optimal.files import write_whole
from optimal.journal.file import is_written, of_table, read_journal
from optimal.journal.records import Contents, RunRecord, StatusRecord, limit_of
from optimal.limits import INFEASIBLE
from optimal.show.table import Sheet, Tabled
from optimal.show.words import GIVEN, LATELY, clock_time, counted, listed, rate_and_rest, within

#: Openers that took longest, so many of them.
SLOWEST = 5
#: What may come first in a table.
FIRST_QUESTIONS = "first question"
_NO_RUN = RunRecord(0, "", "", "nothing yet", 0, 0, 0.0, 0, "UNKNOWN", "not begun")


@dataclass(frozen=True)
class SlowOpener:
    """What an opener took so far: seconds of one search, and nodes."""

    opener: str
    seconds: float
    nodes: int
    exact: bool


@dataclass(frozen=True, repr=False)
class JournalStatus(Tabled):
    """The status of a journalled run: what :func:`status` returns.

    ``status`` is that of the last run, "running" while it goes on, and "interrupted" where it ended without a word.
    Of ``imported`` openers all that is known is from ``ledgers``; ``given`` says in words what of that the last run
    rests on, "" where nothing.
    ``done`` of ``openers`` are settled. ``incumbent`` and ``bound`` are costs: totals, unless the objective is another
    one (docs/reference/journal-file.md); None where there is none yet. All four are of the openers that the last run
    was asked for; ``exact`` counts the exact costs that the journal has of any. ``worst`` is what the dearest path of a
    key costs at least, where the journal is of a table and that comes first. ``rate`` (openers a second) and
    ``seconds_left`` are those of the last run; they promise little where the slowest openers come last.
    """

    path: str
    about: dict[str, str]
    asked: str
    status: str
    stop_reason: str
    given: str
    running: bool
    imported: int
    ledgers: tuple[str, ...]
    runs: int
    seconds: float
    nodes: int
    openers: int
    done: int
    exact: int
    incumbent: int | None
    bound: int | None
    worst: int | None
    rate: float | None
    seconds_left: float | None
    slowest: tuple[SlowOpener, ...]

    @property
    def left(self) -> int:
        return max(0, self.openers - self.done)

    def to_dict(self) -> dict[str, Any]:
        """The JSON object of `optimal status --json`."""
        fields = dict(vars(self))
        del fields["path"]
        own = {"total": fields.pop("incumbent"), "left": self.left, "question": fields.pop("about")}
        return {**fields, **own, "ledgers": list(self.ledgers), "slowest": [vars(spent) for spent in self.slowest]}

    @property
    def table(self) -> Sheet:
        """The same for people."""
        openers = FIRST_QUESTIONS if self.of_table else "opener"
        state = "running" if self.running else f"{self.status}, {self.stop_reason}"
        taken = f"bounds of {counted(self.imported, 'opener')}, from {listed(self.ledgers)}"
        rows = [
            ("asked", self.asked),
            ("state", f"{state}, {self.given}" if self.given else state),
            *([("imported", taken)] * bool(self.imported)),
            ("settled", f"{self.done} of {counted(self.openers, openers)}, {self.left} left"),
            ("exact", f"costs of {counted(self.exact, openers)}, those of earlier runs with them"),
            *([("worst", f"at least {self.worst}, of the dearest path")] * (self.worst is not None)),
            ("incumbent", "none yet" if self.incumbent is None else str(self.incumbent)),
            ("bound", "none yet" if self.bound is None else self._bound()),
            ("time", f"{clock_time(self.seconds)} in {counted(self.runs, 'run')}, {self.nodes} nodes"),
        ]
        if self.rate is not None:
            rate = f"{self.rate:,.0f}" if self.rate >= 100 else f"{self.rate:.3g}"
            rows.append(("rate", f"{rate} {openers}s a second"))
        if self.seconds_left is not None and self.left:
            rows.append(("to go", f"{clock_time(self.seconds_left)}, at this rate"))
        for number, spent in enumerate(self.slowest):
            what = "exact" if spent.exact else "a bound"
            rows.append(("" if number else "slowest", f"{spent.opener} {spent.seconds:.1f} s, {what}"))
        return Sheet(f"{self.of}{self._limits}", rows, {})

    @property
    def of(self) -> str:
        """What the journal is of, in words."""
        about = self.about
        return "{table}, {objective}".format_map(about) if self.of_table else "{game}, {rules} rules".format_map(about)

    @property
    def of_table(self) -> bool:
        """Whether it is of a table of objects, not of a game."""
        return of_table(self.about)

    @property
    def _limits(self) -> str:
        about = self.about
        if self.of_table:
            limits = [("limit of questions", "questions"), ("limit of cost", "in cost")]
            return "".join(f", at most {about[name]} {what}" for name, what in limits if about[name] != "none")
        return f", {within(limit_of(about))}"

    def _bound(self) -> str:
        if self.incumbent is None or self.bound is None or self.incumbent <= 0:
            return str(self.bound)
        gap = self.incumbent - self.bound
        return f"{self.bound}, gap {gap} ({100 * gap / self.incumbent:.2f} %)"


def status(journal: str | os.PathLike[str]) -> JournalStatus:
    """The status of a journalled run, also while it goes on.

    >>> from optimal import solve
    >>> result = solve("mastermind:3x3", journal="run.journal")
    >>> from optimal import status
    >>> print(status("run.journal").status)
    OPTIMAL

    Parameters
    ----------
    journal : the file of `solve`, `rank` or `identify`

    Returns
    -------
    JournalStatus : prints as `optimal status` does

    Raises
    ------
    InputError : for a file that is no journal, or a damaged one
    """
    path = check_path(journal, "the journal")
    running = is_written(path)  # first: a run that ends meanwhile has said how
    found = read_journal(path)
    return _status_of(path, running, found.identity, Contents(path, found.records, notes=False))


def _status_of(path: str, running: bool, about: dict[str, str], contents: Contents) -> JournalStatus:
    run = next(reversed(contents.runs.values()), _NO_RUN)
    course = _course(contents)
    last = course[-1] if course else StatusRecord(0, 0.0, limit_of(about), None, None, 0)
    openers, imported = contents.openers[last.limit].values(), contents.imported(last.limit).values()
    incumbent = _latest([row.incumbent for row in course], min)
    if not course:  # killed early, or a ledger is all that there is
        costs = [tree.cost for tree in contents.trees.values() if tree.limit == last.limit]
        costs += [one.lower for one in openers if one.exact and one.lower < INFEASIBLE]
        incumbent = min(costs, default=None)
    lately = (row for row in course if row.run == last.run and row.seconds >= LATELY * last.seconds)
    then = next(lately, last)
    rate, left = rate_and_rest((then.seconds, then.settled), (last.seconds, last.settled), run.openers)
    ended = run.status != "running"
    reason, *given = run.stop_reason.partition(GIVEN)
    return JournalStatus(
        path=path,
        about=about,
        asked=run.asked,
        status="running" if running else run.status if ended else "interrupted",
        stop_reason=reason if ended else "it was killed, its machine went down, or its disk was full",
        given="".join(given).removeprefix(", "),
        running=running,
        imported=len(imported),
        ledgers=tuple(sorted({said.ledger for said in imported})),
        runs=len(contents.runs),
        seconds=sum(one.seconds for one in contents.runs.values()),
        nodes=sum(one.nodes for one in contents.runs.values()),
        openers=run.openers,
        done=last.settled,
        exact=sum(one.exact for one in openers),
        # What runs for these openers had: the best of the whole journal may begin with another one.
        incumbent=incumbent,
        bound=_latest([row.bound for row in course], max),
        worst=last.limit if course and of_table(about) and about["objective"] == "worst" else None,
        rate=rate,
        seconds_left=left,
        slowest=tuple(
            SlowOpener(one.opener, one.seconds, one.nodes, one.exact)
            for one in sorted(openers, key=lambda one: -one.seconds)[:SLOWEST]
        ),
    )


def _latest(values: Sequence[int | None], best: Callable[..., int | None]) -> int | None:
    """The last of these; where there is none yet, the best of those before."""
    if values and values[-1] is not None:
        return values[-1]
    return best((value for value in values if value is not None), default=None)


def _course(contents: Contents) -> list[StatusRecord]:
    """The statuses of the last run, and of those before it that asked for the same openers, within the last limit."""
    if not contents.course:
        return []
    last = contents.course[-1]
    asked = {number: run.asked.partition(" ")[2] for number, run in contents.runs.items()}
    here = asked.get(last.run, "...")  # a kill may have come before the record of its run
    alike = {run for run, openers in asked.items() if openers == here and not openers.endswith("...")}
    return [row for row in contents.course if row.run in alike | {last.run} and row.limit == last.limit]


def course(journal: str | os.PathLike[str]) -> list[StatusRecord]:
    """The course of the last run of a journal, and before it of those that asked for the same openers; ``seconds`` are
    those of all of them, without the gaps in between.

    Of a search under several limits of guesses, as for the worst case, it is the last limit's. Raises InputError for a
    file that is no journal, or a damaged one.
    """
    path = check_path(journal, "the journal")
    contents = Contents(path, read_journal(path).records, notes=False)
    rows: list[StatusRecord] = []
    before = 0.0
    for _, run in groupby(_course(contents), key=lambda row: row.run):
        rows += [row._replace(seconds=before + row.seconds) for row in run]
        before = rows[-1].seconds
    return rows


def copy_journal(journal: str | os.PathLike[str], to: str | os.PathLike[str]) -> None:
    """Copy a journal, as it is at this moment.

    >>> from optimal import solve
    >>> result = solve("mastermind:3x3", journal="run.journal")
    >>> from optimal import copy_journal
    >>> copy_journal("run.journal", "kept.journal")

    Parameters
    ----------
    journal : the file of `solve`, `rank` or `identify`
    to : the copy

    Raises
    ------
    InputError : for a file that is no journal, and for a copy that can't be written or is there already
    """
    path, there = check_path(journal, "the journal"), check_path(to, "the copy")
    sound = read_journal(path).sound
    if os.path.exists(there) and (not os.path.isfile(there) or os.path.getsize(there)):
        raise InputError(f"cannot copy the journal {path}: {there} is there already")
    write_whole(there, [sound])
