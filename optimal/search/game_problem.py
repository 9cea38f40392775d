"""The question that solve, rank and the positions put to the engine."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from optimal.checks import check_objective
from optimal.errors import InputError
from optimal.games.feedback import WordFeedback
from optimal.games.game import Game
from optimal.games.matrices import game_bytes, matrix_sha256
from optimal.games.rules import Rules
from optimal.games.weights import Weights
from optimal.limits import INFEASIBLE
from optimal.search.engine import Costs, Engine, is_symmetric
from optimal.search.memory import share_out
from optimal.search.options import DEFAULTS, Options
from optimal.search.symmetry import representatives


@dataclass(frozen=True)
class Problem:
    """What is asked of a game: the best tree, or totals of first guesses. `solve` documents and checks the fields.

    Raises InputError for weights too large to be counted with.
    """

    game: Game
    limit: int | None
    objective: str = "mean"
    weights: Weights | None = None
    openers: Sequence[str] | None = None
    made: int = 0  # guesses made before
    options: Options = DEFAULTS

    def __post_init__(self) -> None:
        self.costs  # noqa: B018  raises InputError for weights that are too large

    @cached_property
    def costs(self) -> Costs | None:
        """What a tree is charged for; None for the number of guesses."""
        _, within = check_objective(self.objective)
        if self.weights is None and within is None:
            return None
        values = (1,) * len(self.game.answers) if self.weights is None else self.weights.values
        most = sum(values) * min(len(values) + 1, self.limit or len(values) + 1)
        # Where what is late is charged besides, half of that is the most: ext/costs.h tells why nothing overflows then.
        power = 62 if within is None else 61
        if most >= INFEASIBLE >> (62 - power):
            raise InputError(
                f"the weights sum to {sum(values)}, too much: sum x deepest cost must stay below 2^{power} for "
                f"{self.objective}; scale them down"
            )
        if within is None:
            return Costs(values, -1, 0)
        return Costs(values, min(within, len(self.game.answers) + 1), most + 1)

    @property
    def may_overflow(self) -> bool:
        """Whether a tree may cost more than the engine counts to, where what is missed costs extra."""
        return self.costs is not None and sum(self.costs.weights) * self.costs.late + self.costs.late > INFEASIBLE

    def cost(self, depths: Sequence[int]) -> int:
        """What a tree costs that finds each answer by this guess."""
        if self.costs is None:
            return sum(depths)
        by, late = self.costs.by, self.costs.late
        pairs = zip(self.costs.weights, depths, strict=True)
        return sum(weight * (depth + late * (depth > by)) for weight, depth in pairs)

    def parts(self, cost: int) -> tuple[int, ...]:
        """A cost as the objective's parts, the worst case left out."""
        return (cost,) if self.costs is None else self.costs.parts(cost)

    @cached_property
    def chosen(self) -> list[int]:
        """Indices of the openers to cover."""
        if self.openers is None:
            return list(range(len(self.game.guesses)))
        return sorted({self.game.guess_index(opener) for opener in self.openers})

    @property
    def identity(self) -> dict[str, str]:
        """What tells one question from another, as journals keep it: two with the same answer for every opener may
        share one. The game is known by its lists, and where these and its kind of feedback don't tell all, by its codes
        too."""
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
            "objective": self.objective,
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

    def alike(self, openers: Sequence[int]) -> dict[int, int]:
        """For each of these openers the one that is searched in its place: the first in their order that a symmetry
        of the game swaps it with, or itself."""
        if not is_symmetric(self.game) or self.weights is not None:
            return {opener: opener for opener in openers}
        like = representatives((), [self.game.guesses[opener] for opener in openers])
        return {opener: openers[like[number]] for number, opener in enumerate(openers)}

    def engine(self) -> Engine:
        """A new engine for the searches of this process. Raises InputError where the memory is too small for it."""
        supersets = isinstance(self.game.feedback, WordFeedback) and self.costs is None
        game = self.game
        bytes = game_bytes(len(game.guesses), len(game.answers), game.matrix.itemsize, game.rules)
        shares = share_out(game.name, bytes, self.options, supersets=supersets)
        return Engine.of(game, self.costs, self.options.without, shares)

    def nogoods_hold(self, limit: int | None) -> bool:
        """Whether nogoods may refute openers: see `optimal.search.nogoods`."""
        plain = self.game.rules is Rules.NORMAL and not is_symmetric(self.game) and self.costs is None
        return plain and limit is not None and "nogoods" not in self.options.without
