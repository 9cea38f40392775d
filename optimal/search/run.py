"""What a run knows so far, where it stands, and how it is stopped: by a signal or by the clock."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from itertools import chain
from types import FrameType
from typing import TYPE_CHECKING, Protocol, TypeAlias

from optimal import _engine
from optimal._engine import Control, Search, Stopped
from optimal.errors import InputError, InternalError, OptimalError
from optimal.journal.journal import Note
from optimal.journal.ledger import Proven
from optimal.limits import INFEASIBLE
from optimal.memory import resident
from optimal.search.accounts import Accounts, Spent
from optimal.search.engine import engine_limit, learn, new_control
from optimal.search.processes import NoteBook
from optimal.search.progress import Clock, Progress
from optimal.search.question import Question
from optimal.search.replay import replay
from optimal.show.words import ordinal
from optimal.signals import handle

if TYPE_CHECKING:
    from optimal._engine import Nested

#: Seconds between two reports of a phase, and between two looks at the memory that the process holds.
REPORT_EVERY = 0.1
WATCH_EVERY = 0.05
#: Openers that took so many seconds are logged.
LOGGED = 0.5
#: What is counted of each shortcut of the search, in the order of `Searcher.tallies`.
TALLIED = ("asked", "settled", "paid", "wasted")
#: Who hears of the events of a run: each has "seconds" and "event", and what that event brings.
Log: TypeAlias = Callable[[dict[str, object]], None]


@dataclass(frozen=True)
class AtHand:
    """A tree at hand, from a journal or put together in the course of the run: its cost, whether it is known to be the
    first of all least ones, and over which openers (None: all)."""

    cost: int
    canonical: bool
    openers: tuple[str, ...] | None
    nested: Nested


class Keeping(NoteBook, Protocol):
    """What keeps a run's findings in a journal: see `optimal.search.keeping`."""

    @property
    def resumed(self) -> bool: ...
    @property
    def ledgers(self) -> tuple[str, ...]: ...
    @property
    def imported(self) -> int: ...
    def ledger_of(self, guess: int) -> str | None: ...
    def resume(self, guesses: Iterable[int], searches: Sequence[Search], *, race: bool = False) -> None: ...
    def opener(self, guess: int, found: Proven | None, *, settled: bool) -> None: ...
    def tree(self, guess: int, cost: int) -> None: ...
    def contradicted(self, error: BaseException) -> InputError: ...
    def rest(self) -> None: ...
    def end(self, status: str) -> None: ...


class Run:
    """What a solve or a race knows so far. Only its methods write to it, from any thread, under its lock; others take
    the lock where they read what must belong together.

    ``values`` holds the exact costs of openers, ``bounds`` those and proven lower bounds of others, `INFEASIBLE` where
    there is no tree. ``lows`` are lower bounds of openers that aren't settled, ``floor`` is one of all. ``kept`` is the
    best tree at hand: no other is told of, and none is lost, since a tree is put together the moment it is found; not
    where no ``trees`` are asked for. ``openers`` are how many are to be settled within the ``limit`` of guesses, by the
    ``searches`` of this process and by others. ``keeper`` has the journal.
    """

    def __init__(
        self,
        question: Question,
        report: Callable[[Progress], None] | None = None,
        *,
        clock: Clock | None = None,
        control: Control | None = None,
        log: Log | None = None,
        trees: bool = False,
    ) -> None:
        self.question, self.game = question, question.game
        self.clock = Clock() if clock is None else clock
        self.control = new_control() if control is None else control
        self.nodes = self.count_calls = 0
        self._tallies = [0] * (len(_engine.SWITCHES) * len(TALLIED))
        self.stop_reason = "done"
        self._report = report
        self._reported, self._phase = 0.0, ""
        self.guesses = f"{ordinal(question.made + 1)} guesses" if question.made else "openers"
        self.lock = threading.RLock()
        self.keeper: Keeping | None = None
        self.accounts = Accounts(self.clock)
        self._log, self._trees = log, trees
        self.begin(question.limit)

    def begin(self, limit: int | None) -> None:
        """Forget all openers, and begin with the question whether there is a tree within this limit."""
        with self.lock:
            self.limit = limit
            self.searches: Sequence[Search] = ()
            self.openers = 0
            self.values: dict[int, int] = {}
            self.bounds: dict[int, int] = {}
            self.lows: dict[int, int] = {}
            self.floor = 0
            self.kept: AtHand | None = None
            self.told: int = INFEASIBLE  # the least cost of a tree that anybody may have been told of
            self._settled_by: dict[int, Search] = {}
            self.control.incumbent = INFEASIBLE

    @property
    def left(self) -> int:
        """The limit as the engine takes it."""
        return engine_limit(self.limit)

    def take_up(self, guesses: Collection[int], searches: Sequence[Search], *, race: bool = False) -> None:
        """These openers are to be settled, and these searches work for it; what the journal has of them is known. Of a
        ``race`` every bound is of use; else openers count as settled that come after the best tree."""
        with self.lock:
            self.openers, self.searches = len(guesses), searches
        if self.keeper is not None:
            self.keeper.resume(guesses, searches, race=race)

    def take_over(
        self, known: Mapping[int, Proven], spent: Mapping[int, Spent], kept: AtHand | None, *, race: bool
    ) -> None:
        """Know what others have proven of openers and what they spent on them; have their tree, unless a better one is
        at hand."""
        with self.lock:
            exact = {guess: proven.lower for guess, proven in known.items() if proven.exact}
            self.values.update((guess, cost) for guess, cost in exact.items() if cost < INFEASIBLE)
            if kept is not None and (self.kept is None or kept.cost <= self.kept.cost):
                self.kept = kept
            costs = (*self.values.values(), *(() if self.kept is None else (self.kept.cost,)))
            best = min(costs, default=INFEASIBLE)
            self.control.incumbent = min(self.control.incumbent, best)
            for guess, proven in known.items():
                settled = race or guess in self.values or proven.lower > best or proven.lower >= INFEASIBLE
                (self.bounds if settled else self.lows)[guess] = proven.lower
        self.accounts.take_over(spent)

    def record(self, guess: int, value: int, *, exact: bool, search: Search | None = None) -> None:
        """An opener's value, or its lower bound, found just now. The ``search`` of a best opener is kept: its table has
        the tree."""
        with self.lock:
            if exact:
                self.values[guess] = value
                if value < self.control.incumbent:
                    self._settled_by.clear()
                if search is not None and value <= self.control.incumbent:
                    self._settled_by[guess] = search
                if value < self.control.incumbent:
                    self.control.incumbent = value
            # In this order: counted twice, an opener would stand in for one that has no bound.
            self.lows.pop(guess, None)
            self.bounds[guess] = value
        if search is not None:
            self.accounts.worked(guess, search)
        self._log_opener(guess, value, exact)
        if self.keeper is not None:
            self.keeper.opener(guess, Proven(value, exact), settled=True)
        if exact and search is not None and self.betters(value):
            self.keep_from(search, guess, value)
        self.tell_settled()

    def passed_over(self, lows: Mapping[int, int]) -> None:
        """Openers that need not be searched, for lower bounds known before."""
        with self.lock:
            for guess, low in lows.items():
                self.lows.pop(guess, None)
                self.bounds[guess] = low
        if self._log is not None:
            for guess, low in lows.items():
                self._log_opener(guess, low, exact=False)
        if self.keeper is not None:
            for guess in lows:
                self.keeper.opener(guess, None, settled=True)
        self.tell_settled()

    def bounded(self, guess: int, low: int, search: Search | None = None) -> None:
        """A lower bound of an opener that isn't settled; of one that the ``search`` has worked at."""
        with self.lock:
            if low > self.lows.get(guess, 0):
                self.lows[guess] = low
        if search is not None:
            self.accounts.worked(guess, search)
        if self.keeper is not None:
            self.keeper.opener(guess, Proven(low, False), settled=False)

    def refuted(self, guess: int) -> bool:
        """Whether an opener need not be searched, by what is known of it: it is settled then."""
        low = self.lows.get(guess, 0)
        if low <= self.control.incumbent:
            return False
        self.passed_over({guess: low})
        return True

    def wanted(self, guess: int) -> bool:
        """Whether notes of an opener are of use: it is not settled, or may be the best."""
        return self.bounds.get(guess, 0) <= self.control.incumbent

    def learn(self, known: Mapping[int, Iterable[Note]]) -> None:
        """Know what others noted of the best openers: their trees are put together here."""
        with suppress(Stopped):
            for guess in self.best_openers:
                for note in known.get(guess, ()):
                    learn(self.searches[0], note)

    def name_of(self, guess: int) -> str:
        return self.game.guesses[guess]

    def all_bounded(self, lows: Mapping[int, int]) -> None:
        """Lower bounds of openers, of which those count that aren't settled."""
        with self.lock:
            for guess in lows.keys() - self.bounds.keys():
                self.lows[guess] = max(lows[guess], self.lows.get(guess, 0))

    def none_below(self, low: int) -> None:
        """A lower bound of every opener."""
        with self.lock:
            self.floor = max(self.floor, low)

    @property
    def bound(self) -> int:
        """A lower bound over all openers."""
        with self.lock:  # an opener that is settled meanwhile would be in neither
            if len(self.bounds) + len(self.lows) < self.openers:
                return self.floor
            return max(self.floor, min((*self.bounds.values(), *self.lows.values()), default=0))

    def betters(self, cost: int) -> bool:
        """Whether a tree of this cost is asked for, and better than what is at hand."""
        least = INFEASIBLE if self.kept is None else self.kept.cost
        return self._trees and cost < least

    def found(self, cost: int, guess: int, search: Search) -> None:
        """The search has just found a tree that begins with this guess. It isn't proven least."""
        with self.lock:
            self.control.incumbent = min(self.control.incumbent, cost)
        if self.betters(cost):
            self.keep_from(search, guess)
        self.tell("first trees", 0, 0)

    def keep_from(self, search: Search, guess: int, value: int | None = None) -> None:
        """Keep what `put_together` finds."""
        for nested in put_together(self.question, self.limit, search, guess, value):
            self.keep(nested)

    def keep(self, nested: Nested, *, canonical: bool = False) -> None:
        """A tree put together: it is at hand from now on, unless a better one is."""
        depths = replay(self.game, nested)
        cost = self.question.cost(depths)
        if max(depths) > self.left:
            raise InternalError(f"a tree of {max(depths)} guesses was built within {self.limit}")
        if self.keeper is not None:
            self.keeper.tree(nested[0], cost)
        with self.lock:
            before, self.told = self.told, min(self.told, cost)
            if self.kept is None or cost < self.kept.cost or (canonical and cost == self.kept.cost):
                self.kept = AtHand(cost, canonical, self.question.opener_names, nested)
            self.control.incumbent = min(self.control.incumbent, cost)
        if cost < before:
            self.log("incumbent", cost=cost, opener=self.game.guesses[nested[0]])

    def keep_in(self, keeper: Keeping) -> None:
        """Let this journal have what is found from now on."""
        self.keeper = keeper

    @property
    def ledgers(self) -> tuple[str, ...]:
        """The ledgers that what is known rests on."""
        return () if self.keeper is None else self.keeper.ledgers

    @property
    def imported(self) -> int:
        """Of how many openers they tell what is known."""
        return 0 if self.keeper is None else self.keeper.imported

    def search_of(self, guess: int) -> Search:
        """A search to take an opener's tree from: the one that valued it, for its table, or any."""
        return self._settled_by.get(guess, self.searches[0])

    def ledger_of(self, guess: int) -> str | None:
        """The ledger that alone tells what is known of an opener; None where it was proven here."""
        return None if self.keeper is None else self.keeper.ledger_of(guess)

    @property
    def stopped(self) -> bool:
        return bool(self.control.stopped)

    def stop(self, reason: str) -> None:
        """End all searches; what they have proven stays."""
        self.stop_reason = reason
        self.control.stop()

    @property
    def nothing_found(self) -> bool:
        """Whether openers were looked at and none has a tree."""
        return bool(self.bounds) and self.control.incumbent >= INFEASIBLE

    @property
    def best(self) -> int | None:
        """The least cost proven of an opener."""
        return min(self.values.values(), default=None)

    @property
    def best_openers(self) -> list[int]:
        """The openers that are proven to cost so much."""
        best = self.best
        return [guess for guess, value in self.values.items() if value == best]

    @property
    def incumbent(self) -> tuple[int, int] | None:
        """The cost of the best tree at hand, and its opener; where no trees are asked for, the best value."""
        if self._trees:
            return None if self.kept is None else (self.kept.cost, self.kept.nested[0])
        return min(((cost, guess) for guess, cost in self.values.items()), default=None)

    def work_begins(self) -> None:
        """The searches begin with the openers that aren't settled."""
        self.accounts.begin(self.searches)
        self.tell_settled()

    def tell_settled(self) -> None:
        """Report how many openers are settled."""
        self.tell(self.guesses, len(self.bounds), self.openers)

    def tell(self, phase: str, done: int, total: int) -> None:
        """Report where the run stands, unless that was done just now in the same phase."""
        now = self.clock.seconds
        just_now = phase == self._phase and now - self._reported < REPORT_EVERY and (done < total or not total)
        if just_now or (self._report is None and self.question.gap is None and self._log is None):
            return
        if phase != self._phase:
            self.log("phase", phase=phase, of=total)
        with self.lock:
            self._reported, self._phase = now, phase
            incumbent, bound = self.incumbent, self.bound
        # Once all openers are settled, nothing but the choice among equal trees is left to be done.
        early = phase != "tree" and len(self.bounds) < self.openers
        gap = self.question.gap
        if gap is not None and incumbent is not None and early and gap.reached(incumbent[0], bound):
            self.stop("gap")
        if self._report is None:
            return
        self._report(
            Progress(
                phase=phase,
                done=done,
                total=total,
                incumbent=None if incumbent is None else self._total(incumbent[0]),
                opener=None if incumbent is None else self.game.guesses[incumbent[1]],
                bound=self._comparable(bound, incumbent),
                nodes=self.nodes,
                seconds=now,
                timed=phase == self.guesses,
            )
        )

    def log(self, event: str, **fields: object) -> None:
        """Let the log have an event, with the seconds since the start of the run."""
        if self._log is not None:
            self._log({"seconds": round(self.clock.seconds, 3), "event": event, **fields})

    def end(self, status: str) -> None:
        """Let journal and log have how the run ended, and what it has done in all."""
        if self.keeper is not None:
            self.keeper.end(status)
        hits = self.tallies["table"]["settled"]  # look-ups that found something
        done = {"nodes": self.nodes, "count_calls": self.count_calls, "table_hits": hits}
        self.log("end", status=status, stop_reason=self.stop_reason, memory=resident(), **done)

    def _log_opener(self, guess: int, value: int, exact: bool) -> None:
        if self._log is None:
            return
        spent, name = self.accounts[guess], self.game.guesses[guess]
        if spent.seconds >= LOGGED:
            cost = None if value >= INFEASIBLE else value
            took = {"nodes": spent.nodes, "took": round(spent.seconds, 3), "worker": spent.worker}
            self.log("opener", opener=name, cost=cost, exact=exact, **took)

    def _total(self, cost: int) -> int:
        return self.question.parts(cost)[-1]

    def _comparable(self, bound: int, incumbent: tuple[int, int] | None) -> int | None:
        """The total of a bound, where it can be set against the incumbent's: where no more is missed by it."""
        if incumbent is None or not 0 < bound < INFEASIBLE:
            return None
        total = self._total(bound)
        return total if incumbent[0] - bound == self._total(incumbent[0]) - total else None

    @contextmanager
    def aside(self) -> Iterator[None]:
        """What is done meanwhile belongs to another question: the journal does not hear of it."""
        keeper, self.keeper = self.keeper, None
        if keeper is not None:
            keeper.rest()
        try:
            yield
        finally:
            self.keeper = keeper

    @contextmanager
    def counting(self, searches: Sequence[Search]) -> Iterator[None]:
        """Add what these searches do meanwhile."""
        before = [counters_of(search) for search in searches]
        try:
            yield
        finally:
            for search, then in zip(searches, before, strict=True):
                self.count(*(now - past for now, past in zip(counters_of(search), then, strict=True)))

    def count(self, *counters: int) -> None:
        """Add what searches have done."""
        nodes, count_calls, *tallies = counters
        with self.lock:
            self.nodes += nodes
            self.count_calls += count_calls
            self._tallies = [sum(both) for both in zip(self._tallies, tallies, strict=True)]

    @property
    def tallies(self) -> dict[str, dict[str, int]]:
        """What the shortcuts have done, by name: how often each was asked, how often that settled the question, and the
        nodes that searches for it paid with, and those they wasted."""
        counts = iter(self._tallies)
        return {name: {what: next(counts) for what in TALLIED} for name in _engine.SWITCHES}


def counters_of(search: Search) -> tuple[int, ...]:
    """What a search has done so far, as `Run.count` takes it."""
    tallies = chain.from_iterable(search.tallies.values())
    return (search.nodes, search.count_calls, *tallies)


def put_together(
    question: Question, limit: int | None, search: Search, guess: int, value: int | None = None
) -> Iterator[Nested]:
    """Trees that begin with this guess, from the tables of the search that has just found them, before these forget: a
    likely one; where it costs more than the guess's ``value``, and the search isn't stopped, one of this cost."""
    left = engine_limit(limit)
    nested = search.likely_tree(guess, left)
    if nested is not None:
        yield nested
    if value is not None and (nested is None or question.cost(replay(question.game, nested)) > value):
        with suppress(Stopped):
            yield search.tree(guess, left)


class Blamed(Protocol):
    """A journal that may be to blame."""

    @property
    def resumed(self) -> bool: ...
    def contradicted(self, error: BaseException) -> InputError: ...


class Ending(Protocol):
    """What ends in good order, even where something goes wrong."""

    stop_reason: str

    @property
    def keeper(self) -> Blamed | None: ...
    def end(self, status: str) -> None: ...


@contextmanager
def ending(run: Ending) -> Iterator[None]:
    """See to it that journal and log tell of an error, too. Where the search contradicts the journal, that is what is
    said."""
    try:
        yield
    except BaseException as error:
        run.stop_reason = type(error).__name__ if not str(error) else " ".join(str(error).split())
        keeper = run.keeper
        run.end("UNKNOWN")
        contradicted = isinstance(error, InternalError | ValueError) and not isinstance(error, OptimalError)
        if keeper is not None and keeper.resumed and contradicted:
            raise keeper.contradicted(error) from None
        raise


class Stoppable(Protocol):
    """What a signal or a limit may end."""

    def stop(self, reason: str) -> None: ...


@contextmanager
def stopping(run: Stoppable, time_limit: float | None = None, memory_limit: int | None = None) -> Iterator[None]:
    """Let Ctrl-C, SIGTERM, SIGHUP and the limits, in seconds and in bytes of the whole process, end a run by its stop
    flag, so that what is proven is kept.

    A program that handles SIGTERM or SIGHUP itself goes on doing so, and what is ignored, Ctrl-C too, stays ignored.
    """

    def on_signal(number: int, frame: FrameType | None) -> None:
        run.stop("interrupted")

    with ExitStack() as ending:
        numbers = [] if signal.getsignal(signal.SIGINT) in (signal.SIG_IGN, None) else [signal.SIGINT]
        others = [signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]
        numbers += [number for number in others if signal.getsignal(number) is signal.SIG_DFL]
        for number in numbers:
            if (before := handle(number, on_signal)) is not None:
                ending.callback(signal.signal, number, before)
        if time_limit is not None:
            timer = threading.Timer(time_limit, run.stop, ["time limit"])
            timer.daemon = True
            timer.start()
            ending.callback(timer.cancel)
        if memory_limit is not None and resident() is not None:
            over = threading.Event()
            threading.Thread(target=_watch_memory, args=(run, memory_limit, over), daemon=True).start()
            ending.callback(over.set)
        yield


def _watch_memory(run: Stoppable, memory_limit: int, over: threading.Event) -> None:
    while not over.wait(WATCH_EVERY):
        if (resident() or 0) > memory_limit:
            run.stop("memory limit")
            return
