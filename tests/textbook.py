"""The textbook solver: exact, slow, and written from the definitions alone, to be seen to be right.

It tries every legal guess at every position. There are no bounds, no pruning and no ordering, so it is
good for small games only. The engine is held against it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from optimal.games.game import Game
from optimal.games.rules import Rules, violation

Labels = tuple[int, ...]  # indices of answers or of guesses, in list order


class Plan(NamedTuple):
    """A strategy tree: the index of a guess, and the plan for each feedback code but the winning one."""

    guess: int
    children: dict[int, Plan]


class Key(NamedTuple):
    """What makes one guess better than another at the same position: the least key is best."""

    missed: int  # weight of the answers found too late for within:K; 0 for the other objectives
    total: int
    worst: int
    not_a_candidate: bool
    guess: int


@dataclass(frozen=True)
class Solution:
    """The least value in the objective's order, and the canonical tree."""

    value: tuple[int, ...]
    plan: Plan


class Textbook:
    """One game with its weights. Positions are remembered, so asking again with another limit is cheap."""

    def __init__(self, game: Game, weights: tuple[int, ...] | None = None) -> None:
        self.game = game
        self.matrix: list[list[int]] = game.matrix.tolist()
        self.guesses = tuple(range(len(game.guesses)))
        self.answers = tuple(range(len(game.answers)))
        self.weights = (1,) * len(self.answers) if weights is None else weights
        self._followers: dict[tuple[int, int], frozenset[int]] = {}
        self._best: dict[tuple[Labels, Labels, int | None, int | None], tuple[Key, Plan] | None] = {}

    def solve(self, limit: int | None, objective: str = "mean", openers: Labels | None = None) -> Solution | None:
        """The best tree within `limit` guesses (None: any number), or None where there is no tree."""
        if objective == "worst":
            # The least worst case is the least limit with a tree. A tree that guesses one candidate after
            # another is always there, and an opener asked for by name may come before it.
            most = len(self.answers) + 1
            for worst in range(1, most + 1 if limit is None else min(limit, most) + 1):
                found = self._root(worst, None, openers)
                if found is not None:
                    key, plan = found
                    return Solution((worst, key.total), plan)
            return None
        within = int(objective.removeprefix("within:")) if objective.startswith("within:") else None
        found = self._root(limit, within, openers)
        if found is None:
            return None
        key, plan = found
        return Solution((key.total,) if within is None else (key.missed, key.total), plan)

    def _root(self, limit: int | None, within: int | None, openers: Labels | None) -> tuple[Key, Plan] | None:
        if openers is None:
            return self._position(self.answers, self.guesses, limit, within)
        # An opener asked for by name must be tried even when it tells nothing.
        tried = [self._try(guess, self.answers, self.guesses, limit, within) for guess in openers]
        return min((found for found in tried if found is not None), key=lambda found: found[0], default=None)

    def _position(
        self, candidates: Labels, legal: Labels, limit: int | None, within: int | None
    ) -> tuple[Key, Plan] | None:
        """The least key at a position, with `limit` guesses left, `within` of them in time for within:K.

        Rules only ever add demands that each later guess must meet by itself, so the guesses that are legal
        now say all that matters of the guesses made so far.
        """
        if limit == 0:
            return None
        position = (candidates, legal, limit, within)
        if position not in self._best:
            best: tuple[Key, Plan] | None = None
            for guess in legal:
                if self._changes_nothing(guess, candidates, legal):
                    continue  # it can't be best, and without a limit it would go on for ever
                found = self._try(guess, candidates, legal, limit, within)
                if found is not None and (best is None or found[0] < best[0]):
                    best = found
            self._best[position] = best
        return self._best[position]

    def _try(
        self, guess: int, candidates: Labels, legal: Labels, limit: int | None, within: int | None
    ) -> tuple[Key, Plan] | None:
        """The key of this guess when each class that it leaves is played best, and that plan."""
        if limit == 0:
            return None
        missed, total, worst, is_candidate = 0, 0, 1, False
        children: dict[int, Plan] = {}
        for code, below in self._classes(guess, candidates).items():
            total += sum(self.weights[answer] for answer in below)  # this guess is one more for each of them
            if code == self.game.winning_code:
                is_candidate = True
                if within == 0:
                    missed += self.weights[below[0]]
                continue
            found = self._position(
                below,
                self._still_legal(guess, code, legal),
                None if limit is None else limit - 1,
                None if within is None else max(within - 1, 0),
            )
            if found is None:
                return None
            key, children[code] = found
            missed += key.missed
            total += key.total
            worst = max(worst, 1 + key.worst)
        return Key(missed, total, worst, not is_candidate, guess), Plan(guess, children)

    def _classes(self, guess: int, candidates: Labels) -> dict[int, Labels]:
        classes: dict[int, list[int]] = {}
        for answer in candidates:
            classes.setdefault(self.matrix[guess][answer], []).append(answer)
        return {code: tuple(classes[code]) for code in sorted(classes)}

    def _changes_nothing(self, guess: int, candidates: Labels, legal: Labels) -> bool:
        classes = self._classes(guess, candidates)
        (code, *others) = classes
        return not others and code != self.game.winning_code and self._still_legal(guess, code, legal) == legal

    def _still_legal(self, guess: int, code: int, legal: Labels) -> Labels:
        if self.game.rules is Rules.NORMAL:
            return legal
        hint = (guess, code)
        if hint not in self._followers:
            self._followers[hint] = frozenset(g for g in self.guesses if follows(self.game, [hint], g))
        return tuple(g for g in legal if g in self._followers[hint])


def follows(game: Game, history: list[tuple[int, int]], guess: int) -> bool:
    """Whether the guess is legal after these guesses and feedback codes."""
    if game.feedback is None:
        # Rules for a bare matrix: normal, or ultra-hard where guess i is answer i.
        return game.rules is Rules.NORMAL or all(game.matrix[past, guess] == code for past, code in history)
    seen = [(game.guesses[past], code) for past, code in history]
    return violation(game.rules, game.feedback, seen, game.guesses[guess]) is None


def depths_of(game: Game, plan: Plan, answers: Sequence[int] | None = None) -> list[int]:
    """The guess on which the plan finds each answer (None: all of them), by playing it answer by answer."""
    depths = []
    for answer in range(len(game.answers)) if answers is None else answers:
        here, depth = plan, 1
        while (code := int(game.matrix[here.guess, answer])) != game.winning_code:
            here, depth = here.children[code], depth + 1
        depths.append(depth)
    return depths


def value_of(depths: list[int], weights: tuple[int, ...] | None, objective: str) -> tuple[int, ...]:
    """What an objective makes of the guesses on which the answers are found."""
    weights = (1,) * len(depths) if weights is None else weights
    total = sum(weight * depth for weight, depth in zip(weights, depths, strict=True))
    if objective == "mean":
        return (total,)
    if objective == "worst":
        return max(depths), total
    within = int(objective.removeprefix("within:"))
    return sum(weight for weight, depth in zip(weights, depths, strict=True) if depth > within), total
