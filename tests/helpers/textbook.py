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
Turns = Sequence[tuple[int, int]]  # guesses made, by index, and the feedback codes seen


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


class TooLarge(Exception):
    """The textbook has looked at more positions than it was allowed."""


class Textbook:
    """One game with its weights. Positions are remembered, so asking again with another limit is cheap.

    Sets of answers and of guesses are numbers whose bit i stands for index i. With ``most``, more positions than
    that raise TooLarge: what is too large is the same in every run.
    """

    def __init__(self, game: Game, weights: tuple[int, ...] | None = None, most: int | None = None) -> None:
        self.game = game
        self.most = most
        self.guesses = (1 << len(game.guesses)) - 1
        self.answers = (1 << len(game.answers)) - 1
        self.weights = (1,) * len(game.answers) if weights is None else weights
        # For each guess the answers behind each code, in the order of the codes.
        self.classes = [_classes(row) for row in game.matrix.tolist()]
        self._followers: dict[tuple[int, int], int] = {}
        self._members: dict[int, Labels] = {}
        self._sums: dict[int, int] = {}
        self._best: dict[tuple[int, int, int | None, int | None], tuple[Key, Plan] | None] = {}

    def solve(
        self, limit: int | None, objective: str = "mean", openers: Labels | None = None, turns: Turns = ()
    ) -> Solution | None:
        """The best tree within `limit` guesses (None: any number), or None where there is no tree.

        After `turns` the limit, the K of within:K and the value count from there on.
        """
        if objective == "worst":
            # The least worst case is the least limit with a tree. A tree that guesses one candidate after
            # another is always there, and an opener asked for by name may come before it.
            most = self.candidates(turns).bit_count() + 1
            for worst in range(1, most + 1 if limit is None else min(limit, most) + 1):
                found = self.best(turns, worst, None, openers)
                if found is not None:
                    key, plan = found
                    return Solution((worst, key.total), plan)
            return None
        within = int(objective.removeprefix("within:")) if objective.startswith("within:") else None
        found = self.best(turns, limit, within, openers)
        if found is None:
            return None
        key, plan = found
        return Solution((key.total,) if within is None else (key.missed, key.total), plan)

    def best(
        self, turns: Turns, limit: int | None, within: int | None = None, openers: Labels | None = None
    ) -> tuple[Key, Plan] | None:
        """The least key after these turns, over all legal guesses or those named, and its plan."""
        if openers is None:
            return self._position(self.candidates(turns), self.legal(turns), limit, within)
        # An opener asked for by name must be tried even when it tells nothing.
        tried = [self.tried(turns, guess, limit, within) for guess in openers]
        return min((found for found in tried if found is not None), key=lambda found: found[0], default=None)

    def tried(self, turns: Turns, guess: int, limit: int | None, within: int | None = None) -> tuple[Key, Plan] | None:
        """The key and plan of one guess after these turns; None where it has no tree."""
        return self._try(guess, self.candidates(turns), self.legal(turns), limit, within)

    def candidates(self, turns: Turns) -> int:
        """The answers that fit, as a set."""
        left = self.answers
        for guess, code in turns:
            left &= dict(self.classes[guess]).get(code, 0)
        return left

    def legal(self, turns: Turns) -> int:
        """The guesses that the rules allow, as a set."""
        legal = self.guesses
        for guess, code in turns:
            legal = self._still_legal(guess, code, legal)
        return legal

    def members(self, indices: int) -> Labels:
        """The indices in a set, in order."""
        if indices not in self._members:
            self._members[indices] = tuple(i for i in range(indices.bit_length()) if indices >> i & 1)
        return self._members[indices]

    def _position(self, candidates: int, legal: int, limit: int | None, within: int | None) -> tuple[Key, Plan] | None:
        """The least key at a position, with `limit` guesses left, `within` of them in time for within:K.

        Rules only ever add demands that each later guess must meet by itself, so the guesses that are legal
        now say all that matters of the guesses made so far.
        """
        if limit == 0:
            return None
        position = (candidates, legal, limit, within)
        if position not in self._best:
            if self.most is not None and len(self._best) >= self.most:
                raise TooLarge
            best: tuple[Key, Plan] | None = None
            for guess in self.members(legal):
                if self._changes_nothing(guess, candidates, legal):
                    continue  # it can't be best, and without a limit it would go on for ever
                found = self._try(guess, candidates, legal, limit, within)
                if found is not None and (best is None or found[0] < best[0]):
                    best = found
            self._best[position] = best
        return self._best[position]

    def _try(
        self, guess: int, candidates: int, legal: int, limit: int | None, within: int | None
    ) -> tuple[Key, Plan] | None:
        """The key of this guess when each class that it leaves is played best, and that plan."""
        if limit == 0:
            return None
        missed, total, worst, is_candidate = 0, self._sum(candidates), 1, False  # one guess more for each of them
        children: dict[int, Plan] = {}
        for code, everywhere in self.classes[guess]:
            below = candidates & everywhere
            if not below:
                continue
            if code == self.game.winning_code:
                is_candidate = True
                if within == 0:
                    missed += self._sum(below)
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

    def _sum(self, candidates: int) -> int:
        """The weight of all these answers."""
        if candidates not in self._sums:
            self._sums[candidates] = sum(self.weights[answer] for answer in self.members(candidates))
        return self._sums[candidates]

    def _changes_nothing(self, guess: int, candidates: int, legal: int) -> bool:
        for code, everywhere in self.classes[guess]:
            if candidates & everywhere:
                return (
                    not candidates & ~everywhere
                    and code != self.game.winning_code
                    and self._still_legal(guess, code, legal) == legal
                )
        raise AssertionError("a position has candidates")

    def _still_legal(self, guess: int, code: int, legal: int) -> int:
        if self.game.rules is Rules.NORMAL:
            return legal
        hint = (guess, code)
        if hint not in self._followers:
            fair = (g for g in range(len(self.game.guesses)) if follows(self.game, [hint], g))
            self._followers[hint] = sum(1 << g for g in fair)
        return legal & self._followers[hint]


def _classes(row: list[int]) -> list[tuple[int, int]]:
    """The codes of a row of the matrix in order, each with the set of its answers."""
    classes: dict[int, int] = {}
    for answer, code in enumerate(row):
        classes[code] = classes.get(code, 0) | 1 << answer
    return sorted(classes.items())


def follows(game: Game, history: Turns, guess: int) -> bool:
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
