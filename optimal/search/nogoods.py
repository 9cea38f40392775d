"""Nogoods: small sets of answers that no tree finds within a number of guesses.

Under normal rules a set with an infeasible part is infeasible itself: a tree for the set, cut down to the part, would
be one for the part. So an opener that gives one feedback on a whole nogood is refuted at a glance, and one nogood
refutes many openers.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from optimal._engine import Search
from optimal.games.game import Game

Indices = npt.NDArray[np.int32]

#: Of a larger class so many answers, those most alike, are asked first: where the class has no tree they hardly ever
#: have one, and that takes a third of the time to tell.
_PART = 80
#: Parts of more answers take longer to boil down than the openers they refute would.
_MOST = 32
#: Only so many classes of an opener, the largest, are asked for such a part. A largest class of more answers than the
#: second number is asked whole before: often sizes alone tell that it has no tree.
_CLASSES, _WHOLE = 6, 512
#: Two answers are as alike as so many triples of guesses, drawn at random, leave them together.
_TRIPLES = 256
#: Of games with more answers the pairs would take too much memory: their classes are asked whole.
_ANSWERS = 4096


class Nogoods:
    """The nogoods of one limit of guesses, and which openers they refute. Threads share it.

    For games under normal rules, peg games with all codes left out (see `Search.feasible`).
    """

    def __init__(self, game: Game, limit: int) -> None:
        self.game = game
        self.left = limit - 1
        self.refuted = np.zeros(len(game.guesses), dtype=np.bool_)
        self.lock = threading.Lock()

    def refutes(self, search: Search, guess: int) -> bool:
        """Whether no tree within the limit opens with this guess, by the nogoods known or by a new one."""
        if self.refuted[guess]:
            return True
        part = self.infeasible_part(search, self.classes(guess))
        if part is None:
            return False
        if len(part) > _PART:
            return True
        least = self.most_alike(part, _MOST)[::-1]
        if len(least) == len(part) or not self._feasible(search, least):
            nogood = least_infeasible_part(search, least, self.left)
            with self.lock:
                self.refuted |= all_together(self.game.matrix[:, nogood], self.game.winning_code)
        return True

    def classes(self, guess: int) -> list[Indices]:
        """The feedback classes of a guess but for the one that wins, the smallest first."""
        codes = self.game.matrix[guess]
        order = np.argsort(codes, kind="stable").astype(np.int32)
        parts = np.split(order, np.flatnonzero(np.diff(codes[order])) + 1)
        return sorted((part for part in parts if codes[part[0]] != self.game.winning_code), key=len)

    def infeasible_part(self, search: Search, classes: Sequence[Indices]) -> Indices | None:
        """A part of one of these classes, or all of it, that no tree finds in the guesses left; None if there is none.

        Sound: a tree for a class, cut down to a part of it, is one for the part.
        """
        if classes and len(classes[-1]) > _WHOLE and not self._feasible(search, classes[-1]):
            return classes[-1]
        # So many guesses as answers are always enough.
        if self.left < _PART and self.alike is not None:
            parts = [self.most_alike(answers, _PART) for answers in classes[-_CLASSES:]]
            for part in sorted(parts, key=lambda part: -int(self.likeness(part).sum())):
                if not self._feasible(search, part):
                    return part
        for answers in classes:
            if not self._feasible(search, answers):
                return answers
        return None

    def most_alike(self, answers: Indices, most: int) -> Indices:
        """Those of the answers, ``most`` at the most, that are most like the others; the first is most so."""
        if self.alike is None:
            return answers[:most]
        return answers[np.argsort(-self.likeness(answers), kind="stable")[:most]]

    def likeness(self, answers: Indices) -> npt.NDArray[np.int64]:
        """How many triples of guesses leave an answer together with another, over all others of these answers."""
        assert self.alike is not None
        pairs = self.alike.take(answers, axis=0).take(answers, axis=1)
        return np.asarray(pairs.sum(axis=1, dtype=np.int64))

    @property
    def alike(self) -> npt.NDArray[np.uint16] | None:
        """How many of the triples leave two answers together, for all pairs; None for games of too many answers. It
        decides what is asked first, and nothing else."""
        with self.lock:  # the first search to ask counts them for all
            return self._pairs

    @cached_property
    def _pairs(self) -> npt.NDArray[np.uint16] | None:
        matrix = self.game.matrix
        if matrix.shape[1] > _ANSWERS:
            return None
        triples = np.random.default_rng(0).integers(len(matrix), size=(3, _TRIPLES))
        first, second, third = matrix[triples].astype(np.uint32)
        kinds = np.uint32(int(matrix.max()) + 1)
        # Where there are so many codes that the numbers wrap round, a few pairs look more alike than they are.
        codes = np.ascontiguousarray(((first * kinds + second) * kinds + third).T)
        pairs = np.empty((len(codes), len(codes)), dtype=np.uint16)
        for row, mine in zip(pairs, codes, strict=True):
            row[:] = np.count_nonzero(codes == mine, axis=1)
        np.fill_diagonal(pairs, 0)
        return pairs

    def _feasible(self, search: Search, answers: Indices) -> bool:
        return search.feasible(np.sort(answers), self.left)


def all_together(codes: npt.NDArray[Any], winning: int) -> npt.NDArray[np.bool_]:
    """Which guesses, a row of feedback codes each, leave all answers in one class that doesn't win."""
    return np.asarray((codes == codes[:, :1]).all(axis=1) & (codes[:, 0] != winning))


def least_infeasible_part(search: Search, answers: Indices, limit: int) -> Indices:
    """A part of an infeasible set that is infeasible within ``limit`` too, and is not without any one of its answers.

    ``answers`` are indices, in the order in which they are tried. Pieces are left out, halves at first and then smaller
    ones, where the rest stays infeasible. An answer without which there was a tree for more answers stays: there is one
    for fewer, too. So the part is a least one once each answer was tried alone.
    """
    size = max(1, len(answers) // 2)
    while True:
        at = 0
        while at < len(answers):
            rest = np.concatenate([answers[:at], answers[at + size :]])
            if len(rest) and not search.feasible(np.sort(rest), limit):
                answers = rest
            else:
                at += size
        if size == 1:
            return np.sort(answers)
        size = max(1, size // 2)
