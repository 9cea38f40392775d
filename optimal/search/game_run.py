"""A run over the first guesses of a game."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Protocol

from optimal import _engine
from optimal._engine import Control, Search, Stopped
from optimal.errors import InternalError
from optimal.journal.records import Note, Proven, RunStatus
from optimal.limits import INFEASIBLE
from optimal.search import run as base
from optimal.search.engine import engine_limit, learn
from optimal.search.game_problem import Problem
from optimal.search.progress import Clock, Progress
from optimal.search.replay import replay
from optimal.search.run import Log, Run
from optimal.search.statistics import Effort
from optimal.show.words import ordinal

if TYPE_CHECKING:
    from optimal._engine import Nested

#: What is counted of each shortcut of the search, in the order of `Search.tallies`.
TALLIED = ("asked", "settled", "paid", "wasted")


@dataclass(frozen=True)
class BestTree:
    """A tree, its cost, whether it is known to be the first of all least ones, and over which openers (None: all)."""

    cost: int
    canonical: bool
    openers: tuple[str, ...] | None
    nested: Nested


class Recorder(base.Recorder, Protocol):
    """Writes what a run over a game finds into its journal: see `optimal.search.recorder`."""

    def ledger_of(self, guess: int) -> str | None: ...
    def resume(self, guesses: Iterable[int], searches: Sequence[Search], *, every: bool = False) -> None: ...
    def tree(self, guess: int, cost: int) -> None: ...
    def rest(self) -> None: ...


class GameRun(Run[Search, Recorder]):
    """What a solve or a ranking knows so far, within a ``limit`` of guesses.

    ``best_tree`` is the best tree, put together the moment it is found; none is where no ``trees`` are asked for. The
    least cost of a tree that may have been reported is ``least_reported``.
    """

    ties = True
    limit: int | None

    def __init__(
        self,
        problem: Problem,
        report: Callable[[Progress], None] | None = None,
        *,
        clock: Clock | None = None,
        control: Control | None = None,
        log: Log | None = None,
        trees: bool = False,
    ) -> None:
        self.problem, self.game, self._trees = problem, problem.game, trees
        super().__init__(problem.options, report, log, clock, control)
        self._counters = (0,) * (2 + len(_engine.SWITCHES) * len(TALLIED))
        if problem.made:
            self.guesses = f"{ordinal(problem.made + 1)} guesses"
        self.begin(problem.limit)

    def begin(self, limit: int | None) -> None:
        """Forget all openers, and begin with the question whether there is a tree within this limit."""
        with self.lock:
            self._forget()
            self.limit = limit
            self.best_tree: BestTree | None = None
            self.least_reported: int = INFEASIBLE
            self._settled_by: dict[int, Search] = {}

    @property
    def left(self) -> int:
        """The limit as the engine takes it."""
        return engine_limit(self.limit)

    def take_up(self, guesses: Collection[int], searches: Sequence[Search], *, every: bool = False) -> None:
        """These openers are to be settled, and these searches work for it; what the journal has of them is known. Where
        ``every`` bound is of use, all of those count as settled; else those that come after the best tree."""
        with self.lock:
            self.openers, self.searches = len(guesses), searches
        if self.recorder is not None:
            self.recorder.resume(guesses, searches, every=every)

    def take_over(
        self, known: Mapping[int, Proven], spent: Mapping[int, Effort], kept: BestTree | None, *, every: bool
    ) -> None:
        """Know what others have proven of openers and what they spent on them; have their tree, unless there is a
        better one."""
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

    def record(self, opener: int, value: int, *, exact: bool, search: Search | None = None) -> None:
        """Settle an opener. The ``search`` of a best opener is kept: its table has the tree."""
        with self.lock:
            if exact and value < self.best:
                self._settled_by.clear()
            if exact and search is not None and value <= self.best:
                self._settled_by[opener] = search
        super().record(opener, value, exact=exact, search=search)

    def learn(self, known: Mapping[int, Iterable[Note]]) -> None:
        with suppress(Stopped):
            for guess in self.best_openers:
                for note in known.get(guess, ()):
                    learn(self.searches[0], note)

    def search_of(self, guess: int) -> Search:
        """A search to take an opener's tree from: the one that valued it, for its table, or any."""
        return self._settled_by.get(guess, self.searches[0])

    @property
    def least(self) -> int | None:
        """The least cost proven of an opener."""
        return min(self.values.values(), default=None)

    @property
    def best_openers(self) -> list[int]:
        """The openers that are proven to cost that."""
        least = self.least
        return [guess for guess, value in self.values.items() if value == least]

    # Trees

    def betters(self, cost: int) -> bool:
        least = INFEASIBLE if self.best_tree is None else self.best_tree.cost
        return self._trees and cost < least

    def found(self, cost: int, guess: int, search: Search) -> None:
        """The search has just found a tree that begins with this guess. It isn't proven least."""
        self.attained(cost)
        if self.betters(cost):
            self.keep_from(search, guess)
        self.report("first trees", 0, 0)

    def keep_from(self, search: Search, opener: int, value: int | None = None) -> None:
        for nested in put_together(self.problem, self.limit, search, opener, value):
            self.keep(nested)

    def keep(self, tree: Nested, *, canonical: bool = False) -> None:
        """Keep a tree if it betters the best so far, or is known to be the first of all of its cost."""
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
        """The cost of the best tree and its opener; where no trees are asked for, the best value."""
        if self._trees:
            return None if self.best_tree is None else (self.best_tree.cost, self.best_tree.nested[0])
        return min(((cost, guess) for guess, cost in self.values.items()), default=None)

    # The journal

    def status(self) -> tuple[RunStatus, BestTree | None]:
        with self.lock:
            incumbent, bound = self.incumbent, self.bound
            low = bound if 0 < bound < INFEASIBLE else None
            return RunStatus(self.limit, None if incumbent is None else incumbent[0], low, self.done), self.best_tree

    @property
    def ledgers(self) -> tuple[str, ...]:
        """The ledgers that what is known rests on."""
        return () if self.recorder is None else self.recorder.ledgers

    @property
    def imported(self) -> int:
        """The number of openers of which they alone have what is known."""
        return 0 if self.recorder is None else self.recorder.imported

    def ledger_of(self, guess: int) -> str | None:
        """The ledger that alone has what is known of an opener; None where it was proven here."""
        return None if self.recorder is None else self.recorder.ledger_of(guess)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """What is done meanwhile belongs to another question: the journal does not hear of it."""
        recorder, self.recorder = self.recorder, None
        if recorder is not None:
            recorder.rest()
        try:
            yield
        finally:
            self.recorder = recorder

    # Reports and counts

    def name_of(self, opener: int) -> str:
        return self.game.guesses[opener]

    def total_of(self, cost: int) -> int:
        return self.problem.parts(cost)[-1]

    def comparable(self, bound: int, cost: int) -> bool:
        """Whether no more is missed by the bound."""
        return cost - bound == self.total_of(cost) - self.total_of(bound)

    def counters_of(self, search: Search) -> tuple[int, ...]:
        return counters_of(search)

    @property
    def count_calls(self) -> int:
        """How many guesses were counted."""
        return self._counters[1]

    @property
    def tallies(self) -> dict[str, dict[str, int]]:
        """What the shortcuts have done, by name: how often each was asked, how often that settled the question, and the
        nodes that searches for it paid with, and those they wasted."""
        counts = iter(self._counters[2:])
        return {name: {what: next(counts) for what in TALLIED} for name in _engine.SWITCHES}

    def _did(self) -> dict[str, int]:
        return {"count_calls": self.count_calls, "table_hits": self.tallies["table"]["settled"]}


def counters_of(search: Search) -> tuple[int, ...]:
    """What a search has done so far, as `Run.count` takes it."""
    tallies = chain.from_iterable(search.tallies.values())
    return (search.nodes, search.count_calls, *tallies)


def put_together(
    problem: Problem, limit: int | None, search: Search, guess: int, value: int | None = None
) -> Iterator[Nested]:
    """Trees that begin with this guess, from the tables of the search that has just found them, before these forget: a
    likely one; where it costs more than the guess's ``value``, and the search isn't stopped, one of this cost."""
    left = engine_limit(limit)
    nested = search.likely_tree(guess, left)
    if nested is not None:
        yield nested
    if value is not None and (nested is None or problem.cost(replay(problem.game, nested)) > value):
        with suppress(Stopped):
            yield search.tree(guess, left)
