"""A game's problem as it is sent to worker processes, and its solver there: see `optimal.search.workers`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from optimal._engine import Control, Search
from optimal.errors import OptimalError
from optimal.games.game import packed, restored
from optimal.search.engine import Engine, budget_of, engine_limit, import_bounds
from optimal.search.game_problem import Problem
from optimal.search.game_run import counters_of, put_together
from optimal.search.jobs import measure_supersets, searches_of
from optimal.search.workers import Opener, Solver

if TYPE_CHECKING:
    from optimal._engine import Nested


@dataclass(frozen=True)
class GamePayload:
    """The problem of a game. For words and codes the matrix is left out: the receiver recomputes it."""

    game: Mapping[str, Any]
    problem: Mapping[str, Any]
    identity: Mapping[str, str]

    @classmethod
    def of(cls, problem: Problem) -> GamePayload:
        rest = {each.name: getattr(problem, each.name) for each in fields(problem) if each.name != "game"}
        return cls(packed(problem.game), rest, problem.identity)

    def unpacked(self, **changes: Any) -> Problem:
        """Return the problem, with these changes. Raises OptimalError if it did not arrive intact."""
        problem = Problem(game=restored(self.game), **{**self.problem, **changes})
        if problem.identity != self.identity:
            raise OptimalError("the game's lists were altered in transit")
        return problem

    def open(self, cores: int) -> GameSolver:
        return GameSolver(self.unpacked(options=self.problem["options"].in_worker(cores)), cores)


class GameSolver(Solver[Search]):
    """A game in a worker. Its searches share an engine and a transposition table."""

    def __init__(self, problem: Problem, cores: int = 1) -> None:
        self._problem, self._cores = problem, cores
        self._engine: Engine | None = None

    def searches(self, control: Control) -> list[Search]:
        if self._engine is None:
            self._engine = self._problem.engine()
            openers = sorted(set(self._problem.representatives_of(self._problem.chosen).values()))
            measure_supersets(self._problem, self._engine, openers, self._cores, control)
        searches = searches_of(self._engine, control, self._cores)
        for search in searches:
            search.use(self._engine.supersets)
            search.record_bounds()
        return searches

    def settle(self, search: Search, limit: int | None, opener: Opener) -> tuple[int, bool, bool]:
        for note in opener.notes:
            import_bounds(search, note)
        budget = budget_of(search.control)
        if opener.low >= budget:
            return opener.low, True, False
        value, ended = search.opener_slice(opener.number, engine_limit(limit), budget, opener.work)
        return value, ended, ended and value < budget

    def trees(self, search: Search, limit: int | None, opener: int, value: int) -> Iterable[Nested]:
        return put_together(self._problem, limit, search, opener, value)

    def counters(self, search: Search) -> tuple[int, ...]:
        return counters_of(search)
