"""Nogoods: small sets of answers that no tree finds within a number of guesses.

Under normal rules a set with an infeasible part is infeasible itself: a tree for the set, cut down to the part, would
be one for the part. So an opener that gives one feedback on a whole nogood is refuted at a glance, and one nogood
refutes many openers.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import numpy.typing as npt

from optimal._engine import Search
from optimal.games.game import Game

#: Classes of more answers take longer to boil down than the openers they refute would.
_MOST = 36


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
        answers = self.infeasible_class(search, guess)
        if answers is None:
            return False
        if len(answers) <= _MOST:
            nogood = least_infeasible_part(search, self.game.matrix, answers, self.left)
            with self.lock:
                self.refuted |= all_together(self.game.matrix[:, nogood], self.game.winning_code)
        return True

    def infeasible_class(self, search: Search, guess: int) -> npt.NDArray[np.int32] | None:
        """The smallest feedback class of a guess that no tree finds in the guesses left; None if there is none."""
        codes = self.game.matrix[guess]
        kinds = [code for code in np.unique(codes) if code != self.game.winning_code]
        classes = [np.flatnonzero(codes == code).astype(np.int32) for code in kinds]
        for answers in sorted(classes, key=len):
            if not search.feasible(answers, self.left):
                return answers
        return None


def all_together(codes: npt.NDArray[Any], winning: int) -> npt.NDArray[np.bool_]:
    """Which guesses, a row of feedback codes each, leave all answers in one class that doesn't win."""
    return np.asarray((codes == codes[:, :1]).all(axis=1) & (codes[:, 0] != winning))


def least_infeasible_part(
    search: Search, matrix: npt.NDArray[Any], answers: npt.NDArray[np.int32], limit: int
) -> npt.NDArray[np.int32]:
    """A part of an infeasible set that is infeasible within ``limit`` too, and is not without any one of its answers.

    ``answers`` are indices. Pieces are left out, halves at first and then smaller ones, where the rest stays
    infeasible: first the answers that guesses tell most from the others, since a guess that leaves all of the part
    together is refuted by it.
    """
    codes = matrix[:, answers]
    together = [(codes == codes[:, [i]]).sum() for i in range(len(answers))]
    answers = answers[np.argsort(together, kind="stable")]
    size = max(1, len(answers) // 2)
    while True:
        at, before = 0, len(answers)
        while at < len(answers):
            rest = np.concatenate([answers[:at], answers[at + size :]])
            if len(rest) and not search.feasible(np.sort(rest), limit):
                answers = rest
            else:
                at += size
        if size == 1 and len(answers) == before:
            return np.sort(answers)
        size = max(1, size // 2)
