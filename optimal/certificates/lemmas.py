"""Sets of answers that no tree finds within so many guesses, as lemmas that refute many openers.

An infeasible set is boiled down to a part that is just
infeasible, and so are the classes that make it so, down to sets that no guess tells apart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from optimal._openers import OpenerSearch
from optimal.certificates.board import NONE, Integers
from optimal.certificates.claims import Claim, Earlier, Item, Lemma
from optimal.certificates.prover import EngineBoard, Short
from optimal.search.engine import new_control
from optimal.search.nogoods import least_infeasible_part


def refute(
    board: EngineBoard, openers: Sequence[int], limit: int, step: Callable[[str, int, int], None]
) -> tuple[list[Lemma], list[Item]]:
    """Lemmas, and items by which a class of each of these openers has no strategy within the limit. For words under
    normal rules; ``step`` is told how many openers are done.

    Raises Short if an opener has a strategy.
    """
    refuter = _Refuter(board, limit)
    items: list[Item] = []
    waiting = list(openers)
    while waiting:
        step("openers", len(openers) - len(waiting), len(openers))
        found = refuter.refute(waiting)
        items += found
        done = {item.opener for item in found}
        waiting = [opener for opener in waiting if opener not in done]
    return refuter.lemmas, items


class _Refuter:
    def __init__(self, board: EngineBoard, limit: int) -> None:
        self.board, self.limit = board, limit
        self.search = OpenerSearch(board.tables, new_control())
        self.lemmas: list[Lemma] = []

    def refute(self, openers: Sequence[int]) -> list[Item]:
        """Items for the first of these openers, and for all others that its lemma refutes."""
        part = self.infeasible_class(openers[0], self.board.everything, self.limit - 1)
        if part is None:
            raise Short(f"opener {self.board.game.guesses[openers[0]]!r} has a strategy")
        number = self.lemma(part, self.limit - 1)
        asked = np.array(openers)
        codes = self.board.matrix[asked[:, None], self.lemmas[number - 1].answers]
        whole = (codes == codes[:, :1]).all(axis=1) & (codes[:, 0] != self.board.winning)
        pairs = zip(asked[whole].tolist(), codes[whole, 0].tolist(), strict=True)
        return [Item(opener, code, 0, (number,)) for opener, code in pairs]

    def infeasible_class(self, guess: int, answers: Integers, left: int) -> Integers | None:
        """The smallest class of a guess that no tree finds in the guesses left; None if there is none."""
        classes = self.board.classes(guess, answers)
        classes.pop(self.board.winning, None)
        for part in sorted(classes.values(), key=len):
            if not self.search.feasible(part, left):
                return part
        return None

    def lemma(self, answers: Integers, left: int) -> int:
        """The number of a lemma that a part of these answers, which have no tree, has none."""
        board = self.board
        answers = least_infeasible_part(self.search, answers, left)
        upper = board.upper.copy()
        guesses, _ = board.survivors(answers, upper, left, NONE)
        listed: list[tuple[int, list[tuple[int, Claim | Earlier]]]] = []
        inside = np.zeros(len(board.everything), dtype=bool)
        inside[answers] = True
        seen, parts = 0, []  # of the lemmas, those on parts of these answers with no fewer guesses than a class has
        for guess in guesses.tolist():
            for number in range(seen, len(self.lemmas)):
                lemma = self.lemmas[number]
                if lemma.left >= left - 1 and inside[lemma.answers].all():
                    parts.append(number + 1)
            seen = len(self.lemmas)
            code, number = self.known(guess, parts)
            if not number:
                part = self.infeasible_class(guess, answers, left - 1)
                assert part is not None  # or the answers had a tree
                number = self.lemma(part, left - 1)
                code = int(board.matrix[guess, part[0]])
            listed.append((guess, [(code, (number,))]))
        self.lemmas.append(Lemma(left, answers, Claim(NONE, listed)))
        return len(self.lemmas)

    def known(self, guess: int, lemmas: list[int]) -> tuple[int, int]:
        """(code, number): one of these lemmas, all of whose answers the guess leaves together; number 0 for none."""
        for number in lemmas:
            codes = self.board.matrix[guess, self.lemmas[number - 1].answers]
            if codes[0] != self.board.winning and (codes == codes[0]).all():
                return int(codes[0]), number
        return 0, 0
