"""The state of a run over openers: the first guesses of a game, or the first questions of a table."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from optimal._engine import Control
from optimal.errors import InputError
from optimal.journal.journal import Journal
from optimal.journal.records import Limit, Note, OpenerRecord, Proven, RunStatus, StatusRecord, TreeRecord
from optimal.limits import INFEASIBLE
from optimal.memory import resident
from optimal.search.engine import Controlled, Searcher, counters_of, export_bounds, new_control
from optimal.search.progress import Clock, Progress
from optimal.search.statistics import OpenerStatistics
from optimal.show.words import resting

if TYPE_CHECKING:
    from optimal.search.game_problem import Problem
    from optimal.search.key_problem import KeyProblem

#: Seconds between two reports of a phase.
REPORT_EVERY = 0.1
#: Openers that took at least this many seconds are logged.
LOGGED = 0.5
#: Called with the events of a run: each has "seconds", "event" and the fields of that event.
Log: TypeAlias = Callable[[dict[str, object]], None]


S = TypeVar("S", bound=Searcher)


class Run(Controlled, ABC, Generic[S]):
    """The state of a run. Only its methods write to it, from any thread, under its lock; take the lock for consistent
    reads.

    ``lows`` holds proven lower bounds of the costs of openers, `INFEASIBLE` if there is no tree; ``values`` the exact
    costs; ``settled`` the openers that need no more search. ``floor`` bounds all openers, and ``best`` is the least
    known cost of an opener or a tree. ``searches`` are those of this process. ``guesses`` names the openers in progress
    reports; ``recorder`` writes the journal.
    """

    #: A limit of guesses (None: no limit), or of questions as the engine takes it.
    limit: Any

    def __init__(
        self,
        problem: Problem | KeyProblem,
        report: Callable[[Progress], None] | None,
        log: Log | None,
        clock: Clock | None,
        control: Control | None,
    ) -> None:
        self.problem, self.options = problem, problem.options
        self.clock = Clock() if clock is None else clock
        self.control = new_control() if control is None else control
        self.lock = threading.RLock()
        self.statistics = OpenerStatistics(self.clock)
        self.recorder: Recorder | None = None
        self.stop_reason = "done"
        self.guesses = "openers"
        self._progress, self._log = report, log
        self._reported, self._phase = 0.0, ""
        self._counters: tuple[int, ...] = ()
        self._counted: list[tuple[S, tuple[int, ...]]] = []  # searches at work, and their counters at the start
        self._forget()

    def _forget(self) -> None:
        """Forget all openers: the limits change."""
        self.searches: Sequence[S] = ()
        self.openers = 0
        self.values: dict[int, int] = {}
        self.lows: dict[int, int] = {}
        self.settled: set[int] = set()
        self.floor = 0
        self.best = self.control.incumbent = INFEASIBLE

    # Differences between games and tables

    @property
    @abstractmethod
    def incumbent(self) -> tuple[int, int] | None:
        """The cost of the best tree so far, and its opener."""

    @abstractmethod
    def status(self) -> tuple[RunStatus, Any]:
        """Return the status of the run and its best tree, as its journal takes them."""

    @abstractmethod
    def keep_in(self, journal: Journal) -> None:
        """Record what is found from now on in a journal."""

    @abstractmethod
    def refuted(self, opener: int) -> bool:
        """Return whether an opener needs no search, by its known bound."""

    @abstractmethod
    def total_of(self, cost: int) -> int:
        """Return the total shown to users for a cost."""

    @abstractmethod
    def betters(self, cost: int) -> bool:
        """Return whether a tree of this cost is wanted and beats the incumbent."""

    @abstractmethod
    def keep(self, tree: Any) -> None:
        """Keep a tree if it beats the incumbent."""

    @abstractmethod
    def keep_from(self, search: S, opener: int, value: int | None = None) -> None:
        """Keep the tree that a search has just found for an opener, of this ``value`` if it is known."""

    @abstractmethod
    def learn(self, known: Mapping[int, Iterable[Note]]) -> None:
        """Import what others have proven of the best openers: this process builds the tree."""

    # Openers

    def record(self, opener: int, value: int, *, exact: bool, search: S | None = None) -> None:
        """Settle an opener by its value or lower bound, just found by this search."""
        with self.lock:
            if exact:
                self.values[opener] = value
                self.attained(value)
            self.lows[opener] = value if exact else max(value, self.lows.get(opener, 0))
            self.settled.add(opener)
        if search is not None:
            self.statistics.worked(opener, search)
        self._log_opener(opener, value, exact)
        if self.recorder is not None:
            self.recorder.opener(opener, Proven(value, exact), settled=True)
        if exact and search is not None and self.betters(value):
            self.keep_from(search, opener, value)
        self.report_settled()

    def bounded(self, opener: int, low: int, search: S | None = None) -> None:
        """Record a lower bound of an opener that isn't settled, found by this search."""
        self.all_bounded({opener: low})
        if search is not None:
            self.statistics.worked(opener, search)
        if self.recorder is not None:
            self.recorder.opener(opener, Proven(low, False), settled=False)

    def all_bounded(self, lows: Mapping[int, int]) -> None:
        """Record lower bounds of openers; settled ones are skipped."""
        with self.lock:
            for opener in lows.keys() - self.settled:
                self.lows[opener] = max(lows[opener], self.lows.get(opener, 0))

    def wanted(self, opener: int) -> bool:
        """Return whether notes on an opener's classes are of use: it may be the best."""
        return self.lows.get(opener, 0) <= self.best

    def none_below(self, low: int) -> None:
        """Record a lower bound of every opener."""
        with self.lock:
            self.floor = max(self.floor, low)

    def attained(self, cost: int) -> None:
        """Record that there is a tree of this cost."""
        with self.lock:
            self.best = min(self.best, cost)
            self.control.incumbent = min(self.control.incumbent, cost)

    @property
    def bound(self) -> int:
        """A lower bound over all openers."""
        with self.lock:
            if len(self.lows) < self.openers:
                return self.floor
            return max(self.floor, min(self.lows.values(), default=0))

    @property
    def done(self) -> int:
        """The number of settled openers."""
        return len(self.settled)

    @property
    def finished(self) -> bool:
        """Whether only the choice among equal trees is left."""
        return self.done >= self.openers

    # Its end

    def end(self, status: str) -> None:
        """Record in journal and log how the run ended, and the work done."""
        if self.recorder is not None:
            self.recorder.end(status)
        self.log("end", status=status, stop_reason=self.stop_reason, memory=resident(), nodes=self.nodes, **self._did())

    def _did(self) -> dict[str, int]:
        """Return further counters for the log of the run's end."""
        return {}

    # Reports

    def work_begins(self) -> None:
        """Start the statistics of the searches, which begin with the openers that aren't settled."""
        self.statistics.begin(self.searches)
        self.report_settled()

    def report_settled(self) -> None:
        """Report how many openers are settled."""
        self.report(self.guesses, self.done, self.openers)

    def report(self, phase: str, done: int, total: int) -> None:
        """Report the progress, unless the same phase was reported just now; stop the run if it has reached the gap."""
        now = self.clock.seconds
        just_now = phase == self._phase and now - self._reported < REPORT_EVERY and (done < total or not total)
        gap = self.options.gap
        if just_now or (self._progress is None and gap is None and self._log is None):
            return
        if phase != self._phase:
            self.log("phase", phase=phase, of=total)
        with self.lock:
            self._reported, self._phase = now, phase
            incumbent, bound = self.incumbent, self.bound
        cost, opener = (INFEASIBLE, -1) if incumbent is None else incumbent
        early = incumbent is not None and phase != "tree" and not self.finished
        if gap is not None and early and gap.reached(self.total_of(cost), self.total_of(bound)):
            self.stop("gap")
        if self._progress is None:
            return
        # Unless they miss equally many answers, the totals of a bound and a tree can't be compared.
        comparable = (cost - bound) * self.total_of(1) == self.total_of(cost) - self.total_of(bound)
        comparable &= incumbent is not None and 0 < bound < INFEASIBLE
        self._progress(
            Progress(
                phase=phase,
                done=done,
                total=total,
                incumbent=None if incumbent is None else self.total_of(cost),
                opener=None if opener < 0 else self.name_of(opener),
                bound=self.total_of(bound) if comparable else None,
                nodes=self.nodes,
                seconds=now,
                timed=phase == self.guesses,
            )
        )

    def log(self, event: str, **fields: object) -> None:
        """Log an event, with the seconds since the start of the run."""
        if self._log is not None:
            self._log({"seconds": round(self.clock.seconds, 3), "event": event, **fields})

    def name_of(self, opener: int) -> str:
        return "nothing" if opener < 0 else self.problem.names[opener]

    def logged(self, cost: int) -> int:
        """A cost as the log has it."""
        return cost

    def _log_opener(self, opener: int, value: int, exact: bool) -> None:
        if self._log is None:
            return
        spent = self.statistics[opener]
        if spent.seconds >= LOGGED:
            cost = None if value >= INFEASIBLE else self.logged(value)
            took = {"nodes": spent.nodes, "took": round(spent.seconds, 3), "worker": spent.worker}
            self.log("opener", opener=self.name_of(opener), cost=cost, exact=exact, **took)

    # Counts

    @property
    def nodes(self) -> int:
        """The positions searched so far, in other processes too."""
        with self.lock:
            return sum(self._counters[:1]) + sum(search.nodes - before[0] for search, before in self._counted)

    @contextmanager
    def counting(self, searches: Collection[S]) -> Iterator[None]:
        """Count what these searches do meanwhile."""
        with self.lock:
            self._counted = [(search, counters_of(search)) for search in searches]
        try:
            yield
        finally:
            with self.lock:
                counted, self._counted = self._counted, []
                for search, before in counted:
                    after = counters_of(search)
                    self.count(*(now - then for now, then in zip(after, before, strict=True)))

    def count(self, *counters: int) -> None:
        """Add counters of searches, as returned by `counters_of`."""
        with self.lock:
            before = self._counters or (0,) * len(counters)
            self._counters = tuple(sum(both) for both in zip(before, counters, strict=True))


class Recorder(ABC):
    """Records what a run proves in its journal, and resumes from what earlier runs have proven.

    A limit is one of guesses; for a table, of the cost of a path. ``resumed``: the journal held anything.
    """

    def __init__(self, journal: Journal, run: Run[Any]) -> None:
        self._journal, self._run = journal, run
        self._lock, self._status_lock = threading.Lock(), threading.Lock()
        self._arrived: list[tuple[Limit, Note]] = []
        self._status: RunStatus | None = None  # the last one recorded
        self._tree: object = None  # the last one seen
        self._ended = False
        self._imported: dict[int, OpenerRecord] = {}  # openers known from a ledger alone
        self.resumed = False
        journal.begin(self._beat, self._notes, lambda: run.stop(journal.failed))

    @property
    @abstractmethod
    def limit(self) -> Limit:
        """The limit that the searches work within."""

    @abstractmethod
    def opener(self, opener: int, found: Proven | None, *, settled: bool) -> None:
        """Record what is known of an opener, and what a search has ``found`` just now."""

    @abstractmethod
    def record_tree(self, limit: Limit, tree: Any) -> None:
        """Record a new best tree."""

    def note(self, notes: Iterable[Note]) -> None:
        """Record notes from another process."""
        with self._lock:
            self._arrived += [(self.limit, note) for note in notes]

    def notes_of(self, openers: Iterable[int]) -> Mapping[int, Sequence[Note]]:
        """Return the recorded notes of these openers, for searches elsewhere."""
        found: dict[int, list[Note]] = {opener: [] for opener in openers}
        for note in self._journal.notes(self.limit):
            if note.opener in found:
                found[note.opener].append(note)
        return found

    def end(self, status: str) -> None:
        """Record how the run ended."""
        with self._status_lock:
            self._ended = True
            self._record_status(last=True)
            self._record_run(status, self._run.stop_reason)

    @property
    def ledgers(self) -> tuple[str, ...]:
        """The ledgers whose bounds are all that is known of some openers: the run's results rest on them."""
        return tuple(sorted({said.ledger for said in list(self._imported.values())}))

    @property
    def imported(self) -> int:
        """The number of these openers."""
        return len(self._imported)

    def contradicted(self, error: BaseException) -> InputError:
        """Return the error for a search that contradicts the journal."""
        if self._imported:
            return InputError(f"{self._said_by(', '.join(self.ledgers))} is wrong: a search contradicts it: {error}")
        return self.damaged(f"a search contradicts it: {error}")

    def damaged(self, why: str) -> InputError:
        return InputError(f"the journal {self._journal.path} is damaged: {why}")

    def _said_by(self, ledger: str) -> str:
        journal = self._journal.path
        return f"what the journal {journal} imported from {ledger} (`optimal status --forget-imports` removes it)"

    def _beat(self) -> None:
        with self._status_lock:
            if not self._ended:
                self._record_status()
                self._record_run("running", "running")

    def _record_status(self, *, last: bool = False) -> None:
        status, tree = self._run.status()
        if tree is not None and tree is not self._tree:
            self.record_tree(status.limit, tree)
        self._tree = tree
        if status != self._status or last:
            self._status = status
            self._journal.add(StatusRecord(self._journal.run.number, self._run.clock.seconds, *status))

    def _record_run(self, status: str, stop_reason: str) -> None:
        run, given = self._run, resting(self.imported, self.ledgers)
        self._journal.ran(run.clock.seconds, run.nodes, run.openers, status, stop_reason + given)

    def _keep_tree(self, limit: Limit, cost: int, canonical: bool, data: Callable[[], bytes]) -> None:
        """Record a tree, unless the journal has a better one: that of another run may be over more openers."""
        known = self._journal.contents.trees.get(limit)
        if known is None or cost < known.cost or (cost == known.cost and canonical):
            self._journal.add(TreeRecord(limit, cost, canonical, data()))

    def _record_opener(self, limit: Limit, opener: int, proven: Proven, *, settled: bool) -> None:
        spent = self._run.statistics[opener]
        self._journal.opener(limit, opener, proven, (spent.nodes, spent.seconds, spent.worker), settled=settled)

    def _notes(self) -> list[tuple[Limit, Note]]:
        with self._lock:
            arrived, self._arrived = self._arrived, []
            return arrived + self._own_notes()

    def _own_notes(self) -> list[tuple[Limit, Note]]:
        """Return the notes that the searches of this process have taken since the last call."""
        with self._run.lock:  # each limit has its own searches
            limit, searches = self.limit, self._run.searches
        return [(limit, note) for search in searches for note in export_bounds(search)]
