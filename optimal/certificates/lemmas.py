"""Lemmas: sets of answers that no tree solves within a number of guesses, each of which refutes many openers.

An infeasible set is reduced to a minimal infeasible subset, and so are the classes that make it infeasible, down to
sets that no guess separates.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from optimal._engine import Search
from optimal.certificates.board import NONE, Integers
from optimal.certificates.checker import most_lemmas
from optimal.certificates.file import Item, Lemma, claim_bytes, encode
from optimal.certificates.prover import EngineBoard, Short
from optimal.errors import InputError
from optimal.search.engine import new_control
from optimal.search.nogoods import all_together, least_infeasible_part


def refute(
    board: EngineBoard, openers: Sequence[int], limit: int, step: Callable[[str, int, int], None]
) -> tuple[list[Lemma], list[Item]]:
    """Return lemmas, and items by which a class of each of these openers has no strategy within the limit. For words
    under normal rules; ``step`` is called with the number of openers done.

    Raises Short if an opener has a strategy.
    """
    refuter = _Refuter(board)
    items: list[Item] = []
    waiting = np.array(openers, dtype=np.int32)
    while len(waiting):
        step("openers", len(openers) - len(waiting), len(openers))
        part = refuter.infeasible_class(int(waiting[0]), board.everything, limit - 1)
        if part is None:
            raise Short(f"opener {board.game.guesses[waiting[0]]!r} has a strategy")
        number = refuter.lemma(part, limit - 1)
        if number > (most := most_lemmas(len(board.everything))):
            raise InputError(f"it takes more than {most} lemmas, and checkers refuse that")
        # The lemma also refutes all others that leave its answers together.
        codes, whole = refuter.left_together(waiting, refuter.lemmas[number - 1].answers)
        pairs = zip(waiting[whole].tolist(), codes[whole].tolist(), strict=True)
        items += [Item(opener, code, 0, encode([2, number])) for opener, code in pairs]
        waiting = waiting[~whole]
    return refuter.lemmas, items


class _Refuter:
    def __init__(self, board: EngineBoard) -> None:
        self.board = board
        self.search = Search(board.tables, new_control())
        self.lemmas: list[Lemma] = []
        self.numbers: dict[int, list[int]] = {}  # of the lemmas, by the first of their answers

    def infeasible_class(self, guess: int, answers: Integers, left: int) -> Integers | None:
        """Return the smallest class of a guess that no tree solves in the guesses left; None if there is none."""
        classes = self.board.classes(guess, answers)
        classes.pop(self.board.winning, None)
        for part in sorted(classes.values(), key=len):
            if not self.search.feasible(part, left):
                return part
        return None

    def lemma(self, answers: Integers, left: int) -> int:
        """Return the number of a lemma that a subset of these answers, which have no tree, has none."""
        board = self.board
        # The answers that guesses separate most from the others are removed first: guesses that leave the whole subset
        # together are refuted by it.
        told = board.matrix[:, answers]
        together = [(told == told[:, [i]]).sum() for i in range(len(answers))]
        answers = least_infeasible_part(self.search, answers[np.argsort(together, kind="stable")], left)
        guesses, _ = board.survivors(answers, board.upper.copy(), left, NONE)
        by = np.zeros(len(guesses), dtype=np.int64)  # the lemma that refutes each guess; 0 for none yet
        codes = np.zeros(len(guesses), dtype=np.int64)
        known = self.on_parts(answers, left - 1) if len(guesses) else []
        while not by.all():
            if known:
                number = known.pop()
            else:
                part = self.infeasible_class(int(guesses[int(np.argmin(by))]), answers, left - 1)
                assert part is not None  # or the answers had a tree
                number = self.lemma(part, left - 1)
            open_ones = np.flatnonzero(by == 0)
            code, whole = self.left_together(guesses[open_ones], self.lemmas[number - 1].answers)
            by[open_ones[whole]] = number
            codes[open_ones[whole]] = code[whole]
        settled = zip(guesses.tolist(), codes.tolist(), by.tolist(), strict=True)
        claim = claim_bytes(NONE, [(guess, [(code, encode([number]))]) for guess, code, number in settled])
        self.lemmas.append(Lemma(left, answers, claim))
        self.numbers.setdefault(int(answers[0]), []).append(len(self.lemmas))
        return len(self.lemmas)

    def on_parts(self, answers: Integers, left: int) -> list[int]:
        """Return the lemmas on subsets of these answers with this many guesses left or more, the last first."""
        inside = np.zeros(len(self.board.everything), dtype=bool)
        inside[answers] = True
        numbers = [number for first in answers.tolist() for number in self.numbers.get(first, ())]
        lemmas = [(number, self.lemmas[number - 1]) for number in sorted(numbers, reverse=True)]
        return [number for number, lemma in lemmas if lemma.left >= left and inside[lemma.answers].all()]

    def left_together(self, guesses: Integers, answers: Integers) -> tuple[Integers, npt.NDArray[np.bool_]]:
        """Return the feedback of each guess to the first of these answers, and whether all get it and it doesn't
        win."""
        codes = self.board.matrix[guesses[:, None], answers]
        return codes[:, 0].astype(np.int32), all_together(codes, self.board.winning)
