"""How far a run is, read from its journal, also while it runs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from optimal.checks import check_path
from optimal.errors import InputError
from optimal.journal.database import Database, is_written, limit_in_rows, of_table
from optimal.journal.header import has_log, log_of
from optimal.journal.ledger import proven_of, stronger
from optimal.limits import INFEASIBLE
from optimal.show.table import Sheet, Tabled
from optimal.show.words import GIVEN, LATELY, clock_time, counted, listed, rate_and_rest, within

#: Openers that took longest, so many of them.
SLOWEST = 5
#: What may come first in a table.
FIRST_QUESTIONS = "first question"


@dataclass(frozen=True)
class SlowOpener:
    """What an opener took so far: seconds of one search, and nodes."""

    opener: str
    seconds: float
    nodes: int
    exact: bool


@dataclass(frozen=True, repr=False)
class Standing(Tabled):
    """Where a journalled run stands: what :func:`status` returns.

    ``status`` is that of the last run, "running" while it goes on, and "interrupted" where it ended without a word.
    Of ``imported`` openers all that is known is from ``ledgers``; ``given`` says in words what of that the last run
    rests on, "" where nothing.
    ``log_missing`` where the file beside the journal isn't there that has what a killed run wrote last.
    ``done`` of ``openers`` are settled. ``incumbent`` and ``bound`` are costs: totals, unless the objective is another
    one (docs/journal.md); None where there is none yet. All four are of the openers that the last run was asked for;
    ``exact`` counts the exact costs that the journal has of any. ``worst`` is what the dearest path of a key costs at
    least, where the journal is of a table and that comes first. ``rate`` (openers a second) and ``seconds_left`` are
    those of the last run; they promise little where the slowest openers come last.
    """

    path: str
    about: dict[str, str]
    asked: str
    status: str
    stop_reason: str
    given: str
    running: bool
    log_missing: bool
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
        return {
            "status": self.status,
            "total": self.incumbent,
            "bound": self.bound,
            "worst": self.worst,
            "done": self.done,
            "left": self.left,
            "seconds": self.seconds,
            "running": self.running,
            "log_missing": self.log_missing,
            "imported": self.imported,
            "ledgers": list(self.ledgers),
            "stop_reason": self.stop_reason,
            "given": self.given,
            "asked": self.asked,
            "runs": self.runs,
            "nodes": self.nodes,
            "openers": self.openers,
            "exact": self.exact,
            "rate": self.rate,
            "seconds_left": self.seconds_left,
            "slowest": [vars(spent) for spent in self.slowest],
            "question": self.about,
        }

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
            *([("missing", f"{log_of(self.path)}: what was proven last may be in it alone")] * self.log_missing),
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
        return (
            f"{about['table']}, {about['objective']}" if self.of_table else f"{about['game']}, {about['rules']} rules"
        )

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
        limit = about["limit of guesses"]
        return f", {within(int(limit) if limit.isdecimal() else None)}"

    def _bound(self) -> str:
        if self.incumbent is None or self.bound is None or self.incumbent <= 0:
            return str(self.bound)
        gap = self.incumbent - self.bound
        return f"{self.bound}, gap {gap} ({100 * gap / self.incumbent:.2f} %)"


def status(journal: str | os.PathLike[str]) -> Standing:
    """Where the run of a journal stands, also while it goes on.

    >>> from optimal import solve
    >>> result = solve("mastermind:3x3", journal="run.journal")
    >>> from optimal import status
    >>> print(status("run.journal").status)
    OPTIMAL

    Parameters
    ----------
    journal : str or path
        The journal, as `solve`, `rank` and `identify` take one.

    Returns
    -------
    Standing
        It prints as `optimal status` does.

    Raises
    ------
    InputError
        For a file that is no journal, or a damaged one.
    """
    path = check_path(journal, "the journal")
    logged = os.path.exists(log_of(path))  # before it is opened
    database = Database(path)
    try:
        runs = list(database.rows("runs", "1 ORDER BY run"))
        gap = list(database.rows("gap", "1 ORDER BY rowid DESC LIMIT 1"))
        about = database.about
        asked = about.get("limit of guesses", "none")
        whole = limit_in_rows(int(asked) if asked.isdecimal() else None)
        limit, run = (gap[0]["guesses"], gap[0]["run"]) if gap else (whole, None)
        lately = LATELY * gap[0]["seconds"] if gap else 0.0
        recent = "run = ? AND guesses = ? AND seconds >= ? ORDER BY rowid LIMIT 1"
        gap += database.rows("gap", recent, (run, limit, lately))
        if gap:
            gap[0] |= _known_before(database, runs, gap[0])
        units = list(database.rows("units", "below = '' AND guesses = ?", (limit,)))
        trees = list(database.rows("trees", "guesses = ?", (limit,)))
        taken = list(database.rows("imports", "guesses = ?", (limit,)))
    finally:
        database.close()
    own = {unit["opener"]: proven_of(unit) for unit in units}
    taken = [row for row in taken if row["opener"] not in own or stronger(proven_of(row), own[row["opener"]])]
    return _standing(path, logged, about, runs, gap, units, trees, taken)


def _alike(runs: Sequence[dict[str, Any]], number: int) -> set[int]:
    """The runs that asked for the same openers as this one; it alone where not all of them are named."""
    asked = {run["run"]: run["asked"].partition(" ")[2] for run in runs}
    openers = asked.get(number, "...")
    return {number} if openers.endswith("...") else {run for run, named in asked.items() if named == openers}


def _known_before(database: Database, runs: Sequence[dict[str, Any]], last: dict[str, Any]) -> dict[str, Any]:
    """Tree and bound as earlier runs had them that asked for the same openers, where the last has none yet."""
    alike = _alike(runs, last["run"])
    rows = [row for row in database.rows("gap", "guesses = ?", (last["guesses"],)) if row["run"] in alike]
    known: dict[str, Any] = {}
    for name, best in (("incumbent", min), ("bound", max)):
        if last[name] is None:
            known[name] = best((row[name] for row in rows if row[name] is not None), default=None)
    return known


def copy_journal(journal: str | os.PathLike[str], to: str | os.PathLike[str]) -> None:
    """Copy a journal, as it is at this moment.

    >>> from optimal import solve
    >>> result = solve("mastermind:3x3", journal="run.journal")
    >>> from optimal import copy_journal
    >>> copy_journal("run.journal", "kept.journal")

    Parameters
    ----------
    journal : str or path
        The journal, as `solve` and `rank` take one.
    to : str or path
        The copy.

    Raises
    ------
    InputError
        For a file that is no journal, for a copy that can't be written or is there already, and where a run writes to
        it.
    """
    path, there = check_path(journal, "the journal"), check_path(to, "the copy")
    if os.path.realpath(path) == os.path.realpath(there):
        raise InputError(f"the copy would be written over the journal {path}")
    if is_written(there) or has_log(there):
        raise InputError(f"cannot write {there}: it is a journal that a run writes to, or was killed while it did")
    with closing(Database(path)) as database:
        database.copy(there)


@dataclass(frozen=True)
class Moment:
    """What a run knew at a moment: seconds of work by then, the best tree's cost, the proven bound, openers settled."""

    seconds: float
    incumbent: int | None
    bound: int | None
    settled: int


def course(journal: str | os.PathLike[str]) -> list[Moment]:
    """How the last run of a journal went, in the order of time, and before it those that asked for the same openers;
    where it was stopped and went on, the gaps are left out.

    Of a search under several limits of guesses, as for the worst case, it is the last limit's. Raises InputError for a
    file that is no journal, or a damaged one.
    """
    database = Database(check_path(journal, "the journal"))
    try:
        rows = list(database.rows("gap", "1 ORDER BY run, rowid"))
        alike = _alike(list(database.rows("runs")), rows[-1]["run"]) if rows else set()
    finally:
        database.close()
    moments: list[Moment] = []
    before, run, last = 0.0, None, 0.0
    for row in rows:
        if row["run"] not in alike:
            continue
        if row["run"] != run:
            before, run = before + last, row["run"]
        last = row["seconds"]
        if row["guesses"] == rows[-1]["guesses"]:
            moments.append(Moment(before + last, row["incumbent"], row["bound"], row["settled"]))
    return moments


def _standing(
    path: str,
    logged: bool,
    about: dict[str, str],
    runs: Sequence[dict[str, Any]],
    gap: Sequence[dict[str, Any]],
    units: Sequence[dict[str, Any]],
    trees: Sequence[dict[str, Any]],
    taken: Sequence[dict[str, Any]],
) -> Standing:
    """``gap`` has the last row of the last run, and then one from some time before."""
    last: dict[str, Any] = {"asked": "nothing yet", "status": "UNKNOWN", "stop_reason": "not begun", "openers": 0}
    if runs:
        last = runs[-1]
    running, ended = is_written(path), last["status"] != "running"
    reason, *given = last["stop_reason"].partition(GIVEN)
    costs = [tree["cost"] for tree in trees] + [unit["upper"] for unit in units if unit["upper"] is not None]
    moments = [(row["seconds"], row["settled"]) for row in gap] or [(0.0, 0)]
    rate, left = rate_and_rest(moments[-1], moments[0], last["openers"])
    slow = sorted(units, key=lambda unit: -unit["seconds"])[:SLOWEST]
    return Standing(
        path=path,
        about=about,
        asked=last["asked"],
        status="running" if running else last["status"] if ended else "interrupted",
        stop_reason=reason if ended else "it was killed, its machine went down, or its disk was full",
        given="".join(given).removeprefix(", "),
        running=running,
        log_missing=not (ended or running or logged),
        imported=len(taken),
        ledgers=tuple(sorted({row["ledger"] for row in taken})),
        runs=len(runs),
        seconds=sum(run["seconds"] for run in runs),
        nodes=sum(run["nodes"] for run in runs),
        openers=last["openers"],
        done=moments[0][1],
        exact=sum(unit["upper"] is not None for unit in units),
        # What the run had itself: the best of the whole journal may begin with an opener that it wasn't asked for.
        incumbent=gap[0]["incumbent"] if gap else min((cost for cost in costs if cost < INFEASIBLE), default=None),
        bound=gap[0]["bound"] if gap else None,
        worst=gap[0]["guesses"] if gap and of_table(about) and about["objective"] == "worst" else None,
        rate=rate,
        seconds_left=left,
        slowest=tuple(
            SlowOpener(unit["opener"], unit["seconds"], unit["nodes"], unit["upper"] is not None) for unit in slow
        ),
    )
