"""Nogoods: small sets of answers that no tree solves within a number of guesses.

Under normal rules a set with an infeasible subset is infeasible itself, since a tree for the set, pruned, is one for
the subset. So a nogood refutes at once every opener that gives one feedback on all of it.
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

#: Of a larger class this many answers, the most similar ones, are tried first: if the class has no tree, they hardly
#: ever have one, and showing that takes a third of the time.
_PART = 80
#: Larger subsets take longer to reduce than the openers they would refute.
_MOST = 32
#: Classes of an opener, the largest, that are tried for such a subset. If the largest has more answers than the second
#: number, it is tried whole first: often sizes alone show that it has no tree.
_CLASSES, _WHOLE = 6, 512
#: Random triples of guesses: the similarity of two answers is the number of triples that leave them together.
_TRIPLES = 256
#: With more answers the pairs would take too much memory: classes are tried whole.
_ANSWERS = 4096


class Nogoods:
    """The nogoods within one limit of guesses, and the openers they refute. Thread-safe.

    Only for games under normal rules, except peg games with all codes (see `Search.feasible`).
    """

    def __init__(self, game: Game, limit: int) -> None:
        self.game = game
        self.left = limit - 1
        self.refuted = np.zeros(len(game.guesses), dtype=np.bool_)
        self.lock = threading.Lock()

    def refutes(self, search: Search, guess: int) -> bool:
        """Return whether no tree within the limit opens with this guess, by a known nogood or by a new one."""
        if self.refuted[guess]:
            return True
        part = self.infeasible_part(search, self.classes(guess))
        if part is None:
            return False
        if len(part) > _PART:
            return True
        least = self.most_similar(part, _MOST)[::-1]
        if len(least) == len(part) or not self._feasible(search, least):
            nogood = least_infeasible_part(search, least, self.left)
            with self.lock:
                self.refuted |= all_together(self.game.matrix[:, nogood], self.game.winning_code)
        return True

    def classes(self, guess: int) -> list[Indices]:
        """Return the feedback classes of a guess except the winning one, smallest first."""
        codes = self.game.matrix[guess]
        order = np.argsort(codes, kind="stable").astype(np.int32)
        parts = np.split(order, np.flatnonzero(np.diff(codes[order])) + 1)
        return sorted((part for part in parts if codes[part[0]] != self.game.winning_code), key=len)

    def infeasible_part(self, search: Search, classes: Sequence[Indices]) -> Indices | None:
        """Return a subset of one of these classes, or a whole class, that no tree solves in the guesses left; None if
        none is found.

        Sound: a tree for a class, pruned, is one for the subset.
        """
        if classes and len(classes[-1]) > _WHOLE and not self._feasible(search, classes[-1]):
            return classes[-1]
        # As many guesses as answers always suffice.
        if self.left < _PART and self.pairs is not None:
            parts = [self.most_similar(answers, _PART) for answers in classes[-_CLASSES:]]
            for part in sorted(parts, key=lambda part: -int(self.similarity(part).sum())):
                if not self._feasible(search, part):
                    return part
        for answers in classes:
            if not self._feasible(search, answers):
                return answers
        return None

    def most_similar(self, answers: Indices, most: int) -> Indices:
        """Return the answers, at most ``most``, that are most similar to the others, the most similar first."""
        if self.pairs is None:
            return answers[:most]
        return answers[np.argsort(-self.similarity(answers), kind="stable")[:most]]

    def similarity(self, answers: Indices) -> npt.NDArray[np.int64]:
        """Return for each answer the number of triples that leave it together with another, over all others."""
        assert self.pairs is not None
        own = self.pairs.take(answers, axis=0).take(answers, axis=1)
        return np.asarray(own.sum(axis=1, dtype=np.int64))

    @cached_property
    def pairs(self) -> npt.NDArray[np.uint16] | None:
        """For each pair of answers the number of triples that leave them together; None for games of too many answers.
        It only affects the order of tests."""
        matrix = self.game.matrix
        if matrix.shape[1] > _ANSWERS:
            return None
        triples = np.random.default_rng(0).integers(len(matrix), size=(3, _TRIPLES))
        first, second, third = matrix[triples].astype(np.uint32)
        base = np.uint32(int(matrix.max()) + 1)
        # With very many codes the numbers wrap round, and a few pairs look more similar than they are.
        codes = np.ascontiguousarray(((first * base + second) * base + third).T)
        pairs = np.empty((len(codes), len(codes)), dtype=np.uint16)
        for row, mine in zip(pairs, codes, strict=True):
            row[:] = np.count_nonzero(codes == mine, axis=1)
        np.fill_diagonal(pairs, 0)
        return pairs

    def _feasible(self, search: Search, answers: Indices) -> bool:
        return search.feasible(np.sort(answers), self.left)


def all_together(codes: npt.NDArray[Any], winning: int) -> npt.NDArray[np.bool_]:
    """Return which guesses, each a row of feedback codes, leave all answers in one class that doesn't win."""
    return np.asarray((codes == codes[:, :1]).all(axis=1) & (codes[:, 0] != winning))


def least_infeasible_part(search: Search, answers: Indices, limit: int) -> Indices:
    """Return a minimal subset, infeasible within ``limit``, of an infeasible set.

    ``answers`` are indices, in the order in which they are tried. Pieces, halves at first and then smaller ones, are
    removed while the rest stays infeasible. If removing an answer makes a set feasible, it does so for every subset; so
    the result is minimal once each answer was tried alone.
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
