"""The problem that solve, rank and the positions put to the engine."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

from optimal import _engine
from optimal._engine import Control, GameTables
from optimal.checks import check_objective
from optimal.errors import InputError, OptimalError
from optimal.games.feedback import WordFeedback
from optimal.games.game import Game, packed, restored
from optimal.games.matrices import game_bytes, matrix_sha256
from optimal.games.rules import Rules
from optimal.games.weights import Weights
from optimal.limits import INFEASIBLE
from optimal.search.engine import Costs, Engine, is_symmetric, tables_of
from optimal.search.memory import share_out
from optimal.search.options import DEFAULTS, Options
from optimal.search.symmetry import representatives


@dataclass(frozen=True)
class Problem:
    """A problem over a game: the best tree, or totals of first guesses. `solve` documents and checks the fields.

    Raises InputError for weights too large for the engine.
    """

    game: Game
    limit: int | None
    objective: str = "mean"
    weights: Weights | None = None
    openers: Sequence[str] | None = None
    made: int = 0  # guesses already made
    final: bool = False  # with "within:K", whether the game ends after K guesses: the total is over the answers found
    options: Options = DEFAULTS

    def __post_init__(self) -> None:
        self.costs  # noqa: B018  raises InputError for weights that are too large

    def __reduce__(self) -> tuple[Callable[..., Problem], tuple[object, ...]]:
        # Without what can be computed again, but for a hash of it: a kind of feedback may be another one there.
        rest = [getattr(self, each.name) for each in fields(self)[1:]]
        return _unpickled, (packed(self.game), rest, self.identity)

    @cached_property
    def costs(self) -> Costs | None:
        """The costs of trees; None for the number of guesses."""
        _, within = check_objective(self.objective)
        if self.weights is None and within is None:
            return None
        values = (1,) * len(self.game.answers) if self.weights is None else self.weights.values
        deepest = min(len(values) + 1, self.limit or len(values) + 1)
        if self.final and within is not None:
            deepest = min(deepest, within + 1)  # the game is over then
        most = sum(values) * deepest
        # With a charge for late answers, the limit is half: ext/base/costs.h shows why nothing overflows then.
        power = 62 if within is None else 61
        if most >= INFEASIBLE >> (62 - power):
            raise InputError(
                f"the weights sum to {sum(values)}, too much: sum x deepest cost must stay below 2^{power} for "
                f"{self.objective}; scale them down"
            )
        if within is None:
            return Costs(values, -1, 0)
        return Costs(values, min(within, len(self.game.answers) + 1), most + 1, self.final)

    @property
    def may_overflow(self) -> bool:
        """Whether a tree may cost more than the engine counts to, with the charge for missed answers."""
        return self.costs is not None and sum(self.costs.weights) * self.costs.late + self.costs.late > INFEASIBLE

    def missing(self) -> Problem:
        """Return the problem of missing the fewest answers within the limit, then of the least total over the others.
        Raises InputError for weights too large to count that."""
        return replace(self, limit=None, objective=f"within:{self.limit}", final=True)

    def cost(self, depths: Sequence[int]) -> int:
        """Return the cost of a tree that finds each answer at this depth."""
        if self.costs is None:
            return sum(depths)
        by, late = self.costs.by, self.costs.late
        pairs = zip(self.costs.weights, depths, strict=True)
        return sum(weight * (depth + late * (depth > by)) for weight, depth in pairs)

    def parts(self, cost: int) -> tuple[int, ...]:
        """Return a cost as the objective's parts, without the worst case."""
        return (cost,) if self.costs is None else self.costs.parts(cost)

    @cached_property
    def chosen(self) -> list[int]:
        """Indices of the openers to cover."""
        if self.openers is None:
            return list(range(len(self.game.guesses)))
        return sorted({self.game.guess_index(opener) for opener in self.openers})

    @property
    def identity(self) -> dict[str, str]:
        """The problem's identity, as journals keep it: two problems with the same value for every opener may share one.
        It has the hashes of the game's lists, and, if these and the kind of feedback don't determine the game, of its
        codes."""
        game, weights = self.game, self.weights
        settled = game.feedback is not None and game.feedback.settled
        return {
            "game": game.name,
            "feedback": "matrix" if game.feedback is None else game.feedback.kind,
            "guesses sha256": game.info.guesses_sha256,
            "answers sha256": game.info.answers_sha256,
            "matrix sha256": "none" if settled else matrix_sha256(game.guesses, game.answers, game.matrix),
            "winning code": str(game.winning_code),
            "rules": str(game.rules),
            "limit of guesses": "none" if self.limit is None else str(self.limit),
            "objective": f"{self.objective}, final" if self.final else self.objective,
            "weights": "uniform" if weights is None else hashlib.sha256(repr(weights.values).encode()).hexdigest(),
        }

    @property
    def names(self) -> Sequence[str]:
        """The guesses that may come first."""
        return self.game.guesses

    @property
    def opener_names(self) -> tuple[str, ...] | None:
        """The openers asked for, in the order of the list; None for all."""
        return None if self.openers is None else tuple(self.game.guesses[guess] for guess in self.chosen)

    def representatives_of(self, openers: Sequence[int]) -> dict[int, int]:
        """Map each of these openers to the one searched in its place: the first, in their order, that a symmetry of the
        game maps it to."""
        if not is_symmetric(self.game) or self.weights is not None:
            return {opener: opener for opener in openers}
        first = representatives((), [self.game.guesses[opener] for opener in openers])
        return {opener: openers[first[number]] for number, opener in enumerate(openers)}

    def engine(self, control: Control | None = None, tables: GameTables | None = None) -> Engine:
        """Return a new engine for the searches of this process; the game's ``tables`` may be there already. Raises
        InputError if the memory is too small, Stopped if it is stopped before."""
        supersets = isinstance(self.game.feedback, WordFeedback) and (self.costs is None or self.costs.tiered)
        game = self.game
        bytes = game_bytes(len(game.guesses), len(game.answers), game.matrix.itemsize, game.rules)
        shares = share_out(game.name, bytes, self.options, supersets=supersets)
        off = sum(_engine.SWITCHES[name] for name in self.options.without)
        return Engine(tables or tables_of(game, control), self.costs, off, shares)

    def nogoods_hold(self, limit: int | None) -> bool:
        """Return whether nogoods may refute openers: see `optimal.search.nogoods`."""
        plain = self.game.rules is Rules.NORMAL and not is_symmetric(self.game) and self.costs is None
        return plain and limit is not None and "nogoods" not in self.options.without


def _unpickled(game: Mapping[str, Any], rest: Sequence[Any], identity: Mapping[str, str]) -> Problem:
    problem = Problem(restored(game), *rest)
    if problem.identity != identity:
        raise OptimalError(f"the game is another one here: its feedback of the kind {identity['feedback']} differs")
    return problem
