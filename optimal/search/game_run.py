"""A run over the first guesses of a game."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from optimal import _engine
from optimal._engine import Control, Search, Stopped
from optimal.errors import InputError, InternalError, OptimalError
from optimal.journal.journal import Journal
from optimal.journal.records import Limit, Note, OpenerRecord, Proven, RunStatus, contradict, stronger
from optimal.limits import INFEASIBLE
from optimal.search.engine import Engine, engine_limit, import_bounds
from optimal.search.game_problem import Problem
from optimal.search.game_tree import nested_of, replay, strategy_tree
from optimal.search.progress import Clock, Progress
from optimal.search.result import Status
from optimal.search.run import Log, Recorder, Run
from optimal.search.statistics import Effort
from optimal.show.words import ordinal, quoted
from optimal.trees.file import from_bytes, to_bytes

if TYPE_CHECKING:
    from optimal._engine import Nested

#: Counters of each shortcut, in the order of `Search.tallies`.
TALLIED = ("asked", "settled", "paid", "wasted")


@dataclass(frozen=True)
class BestTree:
    """A tree and its cost; ``canonical``: proven to be the first of all optimal trees; the openers it is best of (None:
    all)."""

    cost: int
    canonical: bool
    openers: tuple[str, ...] | None
    nested: Nested


class GameRun(Run[Search]):
    """The state of a solve or a ranking within a ``limit`` of guesses.

    ``best_tree`` is the incumbent, built as soon as it is found; None unless ``trees`` are wanted. ``least_reported``
    is the least cost of a tree that may have been reported. ``missed``: the number of
    answers that a tree without the limit misses. A run ``beside`` another over the same game shares its tables.
    """

    limit: int | None
    problem: Problem
    recorder: GameRecorder | None

    def __init__(
        self,
        problem: Problem,
        report: Callable[[Progress], None] | None = None,
        *,
        clock: Clock | None = None,
        control: Control | None = None,
        log: Log | None = None,
        trees: bool = False,
        beside: GameRun | None = None,
    ) -> None:
        self.game, self.trees, self.beside = problem.game, trees, beside
        super().__init__(problem, report, log, clock, control)
        self._counters = (0,) * (2 + len(_engine.SWITCHES) * len(TALLIED))
        if problem.made:
            self.guesses = f"{ordinal(problem.made + 1)} guesses"
        self.begin(problem.limit)

    def begin(self, limit: int | None) -> None:
        """Forget all openers, and start over within this limit."""
        with self.lock:
            self._forget()
            self.limit = limit
            self.best_tree: BestTree | None = None
            self.least_reported: int = INFEASIBLE
            self.missed: int | None = None

    @cached_property
    def engine(self) -> Engine:
        """The engine of all searches of this process. Raises Stopped if the run is stopped before it is there."""
        return self.problem.engine(self.control, None if self.beside is None else self.beside.engine.tables)

    @property
    def left(self) -> int:
        """The limit as the engine takes it."""
        return engine_limit(self.limit)

    def take_up(self, guesses: Collection[int], searches: Sequence[Search], *, every: bool = False) -> None:
        """Set the openers to settle and the searches that settle them, and resume from the journal. If ``every`` bound
        is of use, every opener it knows counts as settled; else only those that can't beat the incumbent."""
        with self.lock:
            self.openers, self.searches = len(guesses), searches
        if self.recorder is not None:
            self.recorder.resume(guesses, searches, every=every)

    def take_over(
        self, known: Mapping[int, Proven], spent: Mapping[int, Effort], kept: BestTree | None, *, every: bool
    ) -> None:
        """Take over what earlier runs have proven of openers, the effort spent on them, and their tree unless it is
        worse than the incumbent."""
        with self.lock:
            self.values.update(
                (g, proven.lower) for g, proven in known.items() if proven.exact and proven.lower < INFEASIBLE
            )
            if kept is not None and (self.best_tree is None or kept.cost <= self.best_tree.cost):
                self.best_tree = kept
            for cost in (*self.values.values(), *(() if self.best_tree is None else (self.best_tree.cost,))):
                self.attained(cost)
            self.lows.update((guess, proven.lower) for guess, proven in known.items())
            self.settled.update(
                guess
                for guess, proven in known.items()
                if every or guess in self.values or proven.lower > self.best or proven.lower >= INFEASIBLE
            )
        self.statistics.take_over(spent)

    def passed_over(self, lows: Mapping[int, int]) -> None:
        """Settle openers that need no search, by known lower bounds."""
        with self.lock:
            self.lows.update(lows)
            self.settled.update(lows)
        for opener, low in lows.items() if self._log is not None or self.recorder is not None else ():
            self._log_opener(opener, low, exact=False)
            if self.recorder is not None:
                self.recorder.opener(opener, None, settled=True)
        self.report_settled()

    def refuted(self, opener: int) -> bool:
        """Settle an opener if its known bound refutes it. Return whether it does."""
        low = self.lows.get(opener, 0)
        if low <= self.best:  # of equal cost it may still be the first of all best ones
            return False
        self.passed_over({opener: low})
        return True

    def learn(self, known: Mapping[int, Iterable[Note]]) -> None:
        with suppress(Stopped):
            for guess in self.best_openers:
                for note in known.get(guess, ()):
                    import_bounds(self.searches[0], note)

    @contextmanager
    def aside(self, problem: Problem) -> Iterator[GameRun]:
        """Another run, with trees, by the clock and the stop flag of this one, which has a rest meanwhile."""
        incumbent, options = self.control.incumbent, replace(problem.options, gap=None)
        try:
            yield GameRun(replace(problem, options=options), clock=self.clock, control=self.control, trees=True)
        finally:
            self.control.incumbent = incumbent

    @property
    def least(self) -> int | None:
        """The least proven cost of an opener."""
        return min(self.values.values(), default=None)

    @property
    def best_openers(self) -> list[int]:
        """The openers proven to have the least cost."""
        least = self.least
        return [guess for guess, value in self.values.items() if value == least]

    # Trees

    def betters(self, cost: int) -> bool:
        least = INFEASIBLE if self.best_tree is None else self.best_tree.cost
        return self.trees and cost < least

    def found(self, cost: int, guess: int, search: Search) -> None:
        """Record a tree that begins with this guess and was just found by a search. It isn't proven optimal."""
        self.attained(cost)
        if self.betters(cost):
            self.keep_from(search, guess)
        self.report("first trees", 0, 0)

    def keep_from(self, search: Search, opener: int, value: int | None = None) -> None:
        for nested in put_together(self.problem, self.limit, search, opener, value):
            self.keep(nested)

    def keep(self, tree: Nested, *, canonical: bool = False) -> None:
        """Keep a tree if it beats the incumbent, or is proven to be the first of its cost."""
        depths = replay(self.game, tree)
        cost = self.problem.cost(depths)
        if max(depths) > self.left:
            raise InternalError(f"a tree of {max(depths)} guesses was built within {self.limit}")
        if self.recorder is not None:
            self.recorder.tree(tree[0], cost)
        with self.lock:
            before, self.least_reported = self.least_reported, min(self.least_reported, cost)
            if self.best_tree is None or cost < self.best_tree.cost or (canonical and cost == self.best_tree.cost):
                self.best_tree = BestTree(cost, canonical, self.problem.opener_names, tree)
            self.attained(cost)
        if cost < before:
            self.log("incumbent", cost=cost, opener=self.name_of(tree[0]))

    @property
    def incumbent(self) -> tuple[int, int] | None:
        """The cost and opener of the best tree; of the best value, where no trees are wanted."""
        if self.trees:
            return None if self.best_tree is None else (self.best_tree.cost, self.best_tree.nested[0])
        return min(((cost, guess) for guess, cost in self.values.items()), default=None)

    def parts(self, bound: int) -> tuple[int, ...]:
        """Return a lower bound as the objective's parts. With "worst", smaller limits have been refuted by now."""
        return (self.left, bound) if self.problem.objective == "worst" else self.problem.parts(bound)

    def packed(self, tree: BestTree) -> bytes:
        """Return the file of a tree, with the bound proven so far."""
        status, bound = Status.FEASIBLE, min(self.bound, tree.cost)
        if tree.canonical:
            status, bound = Status.OPTIMAL, tree.cost
        depths = replay(self.game, tree.nested)
        return to_bytes(strategy_tree(self.problem, tree.nested, depths, status, self.parts(bound), self.ledgers))

    # The journal

    def keep_in(self, journal: Journal) -> None:
        self.recorder = GameRecorder(journal, self)

    def status(self) -> tuple[RunStatus, BestTree | None]:
        with self.lock:
            incumbent, bound = self.incumbent, self.bound
            low = bound if 0 < bound < INFEASIBLE else None
            return RunStatus(self.limit, None if incumbent is None else incumbent[0], low, self.done), self.best_tree

    @property
    def ledgers(self) -> tuple[str, ...]:
        """The ledgers that the run's bounds rest on."""
        return () if self.recorder is None else self.recorder.ledgers

    def ledger_of(self, guess: int) -> str | None:
        """Return the ledger whose bound is all that is known of an opener; None if it was proven here."""
        return None if self.recorder is None else self.recorder.ledger_of(guess)

    # Reports and counts

    def total_of(self, cost: int) -> int:
        return self.problem.parts(cost)[-1]

    @property
    def count_calls(self) -> int:
        """The number of guesses counted."""
        return self._counters[1]

    @property
    def tallies(self) -> dict[str, dict[str, int]]:
        """The counters of each shortcut by name: how often it was asked, how often that settled the question, and the
        nodes of searches that paid off or were wasted."""
        counts = iter(self._counters[2:])
        return {name: {what: next(counts) for what in TALLIED} for name in _engine.SWITCHES}

    def _did(self) -> dict[str, int]:
        return {"count_calls": self.count_calls, "table_hits": self.tallies["table"]["settled"]}


class GameRecorder(Recorder):
    """Records a run over a game."""

    _run: GameRun

    @property
    def limit(self) -> Limit:
        return self._run.limit

    def record_tree(self, limit: Limit, tree: BestTree) -> None:
        canonical = tree.canonical and not self._imported  # as that is lost with the imports
        self._keep_tree(limit, tree.cost, canonical, lambda: self._run.packed(tree))

    # Loading

    def resume(self, guesses: Iterable[int], searches: Sequence[Search], *, every: bool = False) -> None:
        """Import the journal's bounds of these openers into the run, and its notes into the searches: see
        `GameRun.take_up`."""
        try:
            self._resume(set(guesses), searches[0], every)
            self._import_notes(searches)
        except Stopped:
            pass  # the part imported so far is valid
        finally:
            for search in searches:
                search.record_bounds()

    def _resume(self, asked: set[int], search: Search, every: bool) -> None:
        run, contents = self._run, self._journal.contents
        own = {guess: one for guess, one in contents.openers[self.limit].items() if guess in asked}
        self._imported = {guess: said for guess, said in contents.imported(self.limit).items() if guess in asked}
        for guess, said in self._imported.items():
            if guess in own and contradict(said.proven, own[guess].proven):
                raise self._wrong(said, f"an earlier run has proven {own[guess].proven}")
        known = {guess: one.proven for guess, one in {**own, **self._imported}.items()}
        for guess, proven in known.items():
            if proven.exact and proven.lower < search.quick_bound(guess, run.left):
                raise self.damaged(f"{run.game.guesses[guess]} costs {proven.lower}, less than is possible")
        kept = self._kept()
        self.resumed |= bool(known) or kept is not None
        if kept is not None:
            opener = kept.nested[0]
            if opener in known and known[opener].lower > kept.cost:
                raise self.damaged(f"its tree costs less than it says {run.game.guesses[opener]} can")
            kept = kept if opener in asked else None
        self._tree = kept
        run.take_over(known, {guess: Effort(one.nodes, one.seconds) for guess, one in own.items()}, kept, every=every)

    def _import_notes(self, searches: Sequence[Search]) -> None:
        for note in self._journal.notes(self.limit):
            self.resumed = True
            try:
                import_bounds(searches[0], note)  # all share a table
            except (ValueError, TypeError, IndexError, OverflowError) as error:
                raise self.damaged(str(error)) from None

    def _kept(self) -> BestTree | None:
        """Return the tree in the journal."""
        run, record = self._run, self._journal.contents.trees.get(self.limit)
        if record is None or not run.trees:
            return None
        try:
            tree = from_bytes(record.data)
            nested = nested_of(run.game, tree.root)
            cost = run.problem.cost(replay(run.game, nested))
        except OptimalError as error:
            raise self.damaged(f"its tree: {error}") from None
        if cost != record.cost or tree.worst > run.left:
            raise self.damaged(f"its tree costs {cost}, not {record.cost}")
        return BestTree(cost, record.canonical and tree.status == "OPTIMAL", tree.openers, nested)

    # Recording

    def opener(self, guess: int, found: Proven | None, *, settled: bool) -> None:
        """Record the bound of an opener and the effort spent on it; if a ledger has one, only what a search has
        ``found`` just now."""
        run = self._run
        lower, exact = run.lows.get(guess, 0), guess in run.values
        said = self._imported.get(guess)
        if said is not None:
            lower, exact = (0, False) if found is None else (found.lower, found.exact)
        known = Proven(lower, exact or lower >= INFEASIBLE)
        if said is not None:
            if contradict(said.proven, known):
                raise self._wrong(said, f"a search has found {known}")
            if stronger(said.proven, known):
                settled = False  # as it isn't without the ledger
            else:
                self._imported.pop(guess, None)
        if lower or run.statistics[guess].nodes:
            # Keep the notes of a possible best opener: its tree is still to be built.
            wanted = known.exact and lower <= run.control.incumbent and run.trees
            self._record_opener(self.limit, guess, known, settled=settled and not wanted)

    def tree(self, guess: int, cost: int) -> None:
        """Check a new tree against the ledgers. Raises InputError if one claims that all such trees cost more."""
        if (said := self._imported.get(guess)) is not None and cost < said.lower:
            raise self._wrong(said, f"a tree was found that costs {cost}")

    def ledger_of(self, guess: int) -> str | None:
        """Return the ledger whose bound is all that is known of an opener; None if there is none."""
        said = self._imported.get(guess)
        return None if said is None else said.ledger

    def _wrong(self, said: OpenerRecord, why: str) -> InputError:
        """Return the error for a ledger's claim that is refuted."""
        whose = self._said_by(said.ledger)
        return InputError(f'{whose} is wrong: it says "{said.proven}" of {quoted(said.opener)}, but {why}')


def put_together(
    problem: Problem, limit: int | None, search: Search, guess: int, value: int | None = None
) -> Iterator[Nested]:
    """Yield trees that begin with this guess, from the tables of the search that has just found them, before they are
    overwritten: a likely tree, then one of cost ``value`` if the likely one costs more and the search isn't stopped."""
    left = engine_limit(limit)
    nested = search.likely_tree(guess, left)
    if nested is not None:
        yield nested
    if value is not None and (nested is None or problem.cost(replay(problem.game, nested)) > value):
        with suppress(Stopped):
            yield search.tree(guess, left)
