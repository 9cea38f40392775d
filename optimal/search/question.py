"""The question that solve, rank and the positions put to the engine: checked once, in words that a user understands."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from optimal import _search
from optimal.errors import InputError
from optimal.games.game import Game, check_limit
from optimal.games.objective import within_of
from optimal.games.rules import Rules
from optimal.games.weights import MOST_COST, Weights
from optimal.search.engine import SWITCHES, Costs, Engine, is_symmetric

BACKENDS = ("threads", "loky")


class Unset(Enum):
    """Stands for an argument left out where None means something itself."""

    UNSET = "the game's own limit"


UNSET = Unset.UNSET


@dataclass(frozen=True)
class Question:
    """What is asked of a game: the best tree, or totals of first guesses. `solve` documents the fields.

    Raises InputError for whatever is out of range.
    """

    game: Game
    limit: int | None
    objective: str = "mean"
    weights: Weights | None = None
    openers: Sequence[str] | None = None
    jobs: int = 1
    backend: str = "threads"
    memory_limit: int | None = None
    prune: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        check_jobs(self.jobs)
        if self.backend not in BACKENDS:
            raise InputError(f"no backend {self.backend!r}; there are {', '.join(BACKENDS)}")
        if self.memory_limit is not None and self.memory_limit < 1 << 20:
            raise InputError(f"the memory limit must be 1 MB at least, not {self.memory_limit} bytes")
        if not self.prune <= SWITCHES:
            switch = min(self.prune - SWITCHES)
            raise InputError(f"no switch {switch!r}; there are {', '.join(sorted(SWITCHES))}")
        self.costs  # noqa: B018  raises InputError for an objective or weights that can't be

    @cached_property
    def costs(self) -> Costs | None:
        """What a tree is charged for; None for the number of guesses."""
        within = within_of(self.objective)
        if self.weights is None and within is None:
            return None
        values = (1,) * len(self.game.answers) if self.weights is None else self.weights.values
        check_weights(self.game, values)
        most = sum(values) * min(len(values) + 1, self.limit or len(values) + 1)
        if most >= MOST_COST:
            raise InputError(
                f"the weights sum to {sum(values)}, too much: sum x deepest cost must stay below 2^62; scale them down"
            )
        if within is None:
            return Costs(values, -1, 0)
        return Costs(values, min(within, len(self.game.answers) + 1), most + 1)

    @property
    def may_overflow(self) -> bool:
        """Whether a tree may cost more than the engine counts to, where what is missed costs extra."""
        return self.costs is not None and sum(self.costs.weights) * self.costs.late + self.costs.late > MOST_COST

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
        if not self.openers:
            raise InputError("no openers were named")
        return sorted({self.game.guess_index(opener) for opener in self.openers})

    def alike(self, openers: Sequence[int]) -> dict[int, int]:
        """Openers to search, each with the number of openers that it stands for.

        In a peg game whose answers are all codes, all of one weight, permuting positions or renaming colours maps
        trees to trees of the same value, so openers of the same pattern are worth the same; the first in list order
        stands for them.
        """
        game = self.game
        if not is_symmetric(game) or self.weights is not None:
            return dict.fromkeys(openers, 1)
        first: dict[tuple[int, ...], int] = {}
        alike: dict[int, int] = {}
        for guess in openers:
            word = game.guesses[guess]
            pattern = tuple(sorted(word.count(symbol) for symbol in set(word)))
            stands = first.setdefault(pattern, guess)
            alike[stands] = alike.get(stands, 0) + 1
        return alike

    def engine(self) -> Engine:
        """A new engine for the searches of this process."""
        return Engine.of(self.game, self.costs, self.prune, self.memory_limit, self.jobs)

    def nogoods_hold(self, limit: int) -> bool:
        """Whether nogoods may refute openers: see `optimal.search.nogoods`."""
        plain = self.game.rules is Rules.NORMAL and not is_symmetric(self.game) and self.costs is None
        return plain and limit < _search.NO_LIMIT and "nogoods" not in self.prune


def limit_of(game: Game, max_guesses: int | Unset | None) -> int | None:
    """The limit asked for: the game's own where none is given."""
    return game.max_guesses if isinstance(max_guesses, Unset) else check_limit(max_guesses)


def check_jobs(jobs: int) -> None:
    """InputError unless it is a number of jobs."""
    if jobs < 1:
        raise InputError(f"jobs must be 1 or more, not {jobs}")


def check_weights(game: Game, values: Sequence[int]) -> None:
    """InputError unless these are weights of the game's answers."""
    if len(values) != len(game.answers) or min(values) < 0 or not any(values):
        raise InputError(f"{len(game.answers)} weights are needed, none negative and not all 0")


def check_time_limit(seconds: float | None) -> float | None:
    """The seconds of a time limit; None for no limit, which one of centuries is too. InputError for anything else."""
    if seconds is not None and not 0 < seconds < math.inf:
        raise InputError(f"the time limit must be a number of seconds above 0, or none; not {seconds}")
    return None if seconds is None or seconds > threading.TIMEOUT_MAX else seconds
