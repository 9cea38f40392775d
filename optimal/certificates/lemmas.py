"""Sets of answers that no tree finds within so many guesses, as lemmas that refute many openers.

They are found under normal rules, and hold under all: an infeasible set is boiled down to a part that is just
infeasible, and so are the classes that make it so, down to sets that no guess tells apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from optimal._openers import OpenerSearch
from optimal.certificates.board import NONE, Integers
from optimal.certificates.claims import Claim, Earlier, Item, Lemma
from optimal.certificates.prover import EngineBoard
from optimal.games.rules import Rules
from optimal.search.engine import new_control, tables_of
from optimal.search.nogoods import least_infeasible_part


@dataclass
class Refuted:
    """Lemmas, the items of openers that they refute, and the openers that are left."""

    lemmas: list[Lemma] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    left: list[int] = field(default_factory=list)


def refute(board: EngineBoard, openers: Sequence[int], limit: int) -> Refuted:
    """Refute those of the openers of a word game of which a class has no tree under normal rules."""
    return _Refuter(board, limit).refute(openers)


class _Refuter:
    def __init__(self, board: EngineBoard, limit: int) -> None:
        self.board, self.limit = board, limit
        game = board.game.with_rules(Rules.NORMAL)
        tables = board.tables if game.rules is board.game.rules else tables_of(game)
        self.search = OpenerSearch(tables, new_control())
        self.found = Refuted()

    def refute(self, openers: Sequence[int]) -> Refuted:
        waiting = list(openers)
        matrix = self.board.matrix
        while waiting:
            opener, *waiting = waiting
            part = self.infeasible_class(opener, self.board.everything, self.limit - 1)
            if part is None:
                self.found.left.append(opener)
                continue
            number = self.lemma(part, self.limit - 1)
            answers = self.found.lemmas[number - 1].answers
            asked = np.array([opener, *waiting])
            codes = matrix[asked[:, None], answers]
            whole = (codes == codes[:, :1]).all(axis=1) & (codes[:, 0] != self.board.winning)
            for refuted, code in zip(asked[whole].tolist(), codes[whole, 0].tolist(), strict=True):
                self.found.items.append(Item(refuted, code, 0, (number,)))
            waiting = asked[~whole].tolist()
        return self.found

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
            for number in range(seen, len(self.found.lemmas)):
                lemma = self.found.lemmas[number]
                if lemma.left >= left - 1 and inside[lemma.answers].all():
                    parts.append(number + 1)
            seen = len(self.found.lemmas)
            code, number = self.known(guess, parts)
            if not number:
                part = self.infeasible_class(guess, answers, left - 1)
                assert part is not None  # or the answers had a tree
                number = self.lemma(part, left - 1)
                code = int(board.matrix[guess, part[0]])
            listed.append((guess, [(code, (number,))]))
        self.found.lemmas.append(Lemma(left, answers, Claim(NONE, listed)))
        return len(self.found.lemmas)

    def known(self, guess: int, lemmas: list[int]) -> tuple[int, int]:
        """(code, number): one of these lemmas, all of whose answers the guess leaves together; number 0 for none."""
        for number in lemmas:
            codes = self.board.matrix[guess, self.found.lemmas[number - 1].answers]
            if codes[0] != self.board.winning and (codes == codes[0]).all():
                return int(codes[0]), number
        return 0, 0
