"""The best two first guesses that are made whatever the first reply, proven over all pairs.

A class of n answers that both leave has taken 2n guesses, and takes 2n - 1 more at least: one answer is found by the
third guess at most. So N answers take 4N - k at least where the two make k classes, less 2 where one of the two may be
the answer, which is then made first, and less 3 where both may. Only a pair whose bound, with its classes counted,
exceeds the last place asked for is left out; the others are valued in the order of their bounds.

In a peg game a symmetry maps a pair to others of the same total: of these one is a pair here, see `different_pairs`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from optimal.limits import INFEASIBLE
from optimal.search.engine import counters_of, is_symmetric, promising
from optimal.search.fixed import JOINED
from optimal.search.game_run import GameRun
from optimal.search.jobs import hand_out
from optimal.search.symmetry import different_pairs

#: First guesses whose best partners by number of classes are valued at once: their totals keep the list of pairs short.
SEEDS = 32
#: Answers that two guesses find at their least cost, 2n - 1: larger classes are searched.
TRIVIAL = 2

Item = TypeVar("Item")


class PairRun(GameRun):
    """A run over pairs of guesses in place of openers: first x guesses + second. ``values`` has each in its better
    order. It ends early once it is stopped."""

    def rank_pairs(self, top: int) -> None:
        """Value the ``top`` best pairs with all ties of the last."""
        self.top, self.guesses = top, "pairs of first guesses"
        self.openers = len(self.game.guesses) * (len(self.game.guesses) - 1) // 2
        answers = len(self.game.answers)
        self.none_below(3 * answers - 3)  # as there are no more classes than answers
        self.is_answer = np.zeros(len(self.game.guesses), dtype=bool)
        self.is_answer[self.game.answer_guess] = True
        self._known: dict[bytes, int] = {}  # costs of sets of answers after both guesses
        self._counted_pairs: list[npt.NDArray[np.int32]] = []  # bound, guess, other guess
        self._at_work: list[int] = []  # bounds of the pairs being valued
        firsts = dict.fromkeys(self.problem.representatives_of(range(len(self.game.guesses))).values())
        self._order = np.array(promising(self.engine.tables, firsts), dtype=np.int32)
        places = len(self._order) - 1
        self._partners: list[list[int]] | None = None
        if is_symmetric(self.game):
            self._partners = different_pairs(self.game.guesses, self._order.tolist())
            self.openers, places = sum(map(len, self._partners)), len(self._order)
        self._each(range(min(SEEDS, places)), self._seed)
        self._each(range(places), self._count)
        if not self.stopped:
            self._each(self._in_order(), self._value_next)

    @property
    def last(self) -> int:
        """The total of the last place asked for; INFEASIBLE while there are fewer."""
        with self.lock:
            totals = sorted(self.values.values())
        return totals[self.top - 1] if len(totals) >= self.top else INFEASIBLE

    def name_of(self, opener: int) -> str:
        return JOINED.join(self.game.guesses[guess] for guess in divmod(opener, len(self.game.guesses)))

    def _each(self, items: Iterable[Item], do: Callable[[Item], None]) -> None:
        hand_out(self.control, range(self.options.jobs), items, lambda _, item: do(item))

    def _bounds(self, at: int, last: int) -> npt.NDArray[np.int32]:
        """Return (bound, guess, other guess) of the pairs of the guess at this place with those after it, as far as
        their bounds are the last total at most."""
        first, others = self._order[at], self._order[at + 1 :]
        if self._partners is not None:
            others = np.array(self._partners[at], dtype=np.int32)
        either, both = self.is_answer[others] | self.is_answer[first], self.is_answer[others] & self.is_answer[first]
        most = 4 * len(self.game.answers) - 2 * either - both
        counts = self.engine.tables.pair_classes(int(first), others, np.maximum(1, most - last).astype(np.int32))
        kept = counts > 0
        return np.stack([(most - counts)[kept], np.full(kept.sum(), first), others[kept]], axis=1).astype(np.int32)

    def _seed(self, at: int) -> None:
        if len(pairs := self._bounds(at, INFEASIBLE)):
            self._value(pairs[pairs[:, 0].argmin()].tolist())
        self.report("first trees", at, SEEDS)

    def _count(self, at: int) -> None:
        pairs = self._bounds(at, self.last)
        with self.lock:
            self._counted_pairs.append(pairs)
        self.report("classes of pairs", len(self._counted_pairs), len(self._order) - 1)

    def _in_order(self) -> Iterator[list[int]]:
        """Yield the pairs by their bounds, up to the last place."""
        pairs = np.concatenate(self._counted_pairs)
        pairs = pairs[np.argsort(pairs[:, 0], kind="stable")]
        for done in range(len(pairs)):
            low, last = int(pairs[done, 0]), self.last
            if low > last:
                break
            with self.lock:
                self._at_work.append(low)
                # All before those at work are valued.
                self.none_below(min(*self._at_work, self.best))
            self.report(self.guesses, done, int(np.searchsorted(pairs[:, 0], last, side="right")))
            yield pairs[done].tolist()

    def _value_next(self, pair: Sequence[int]) -> None:
        self._value(pair)
        with self.lock:
            self._at_work.remove(pair[0])

    def _value(self, pair: Sequence[int]) -> None:
        low, *guesses = pair
        first, second = sorted(guesses, key=lambda guess: (not self.is_answer[guess], guess))
        total = self._total(first, second, low)
        if total <= min(self.last, INFEASIBLE - 1):
            with self.lock:
                self.values[first * len(self.game.guesses) + second] = total
                self.attained(total)

    def _total(self, first: int, second: int, low: int) -> int:
        """Return the total of a pair, or a bound above the last place."""
        last, total = self.last, low
        searches = {}
        alone = self.options.jobs == 1 and threading.current_thread() is threading.main_thread()
        left = self.left if self.limit is None else self.limit - 1
        try:
            for answers, code, reply in self._classes(first, second):
                key = answers.tobytes()
                if (value := self._known.get(key)) is None:
                    if code not in searches:
                        history = ((first, code),)
                        searches[code] = self.engine.search(self.control, history=history, main_thread=alone)
                    # By normal rules it is the set and the guesses left that count, whatever was guessed.
                    value = self._known[key] = searches[code].class_value(second, reply, left, INFEASIBLE)
                total += value - (2 * len(answers) - 1)
                if total > last:
                    break
        finally:
            for search in searches.values():
                self.count(*counters_of(search))
        return total

    def _classes(self, first: int, second: int) -> Iterator[tuple[npt.NDArray[np.int64], int, int]]:
        """Yield the classes that may cost more than their bound, the largest first, with the replies to both
        guesses."""
        matrix, wins = self.game.matrix, self.game.winning_code
        both = matrix[first].astype(np.int64) << 16 | matrix[second]
        order = np.argsort(both, kind="stable")
        classes = np.split(order, np.flatnonzero(np.diff(both[order])) + 1)
        for answers in sorted(classes, key=len, reverse=True):
            code, reply = int(matrix[first, answers[0]]), int(matrix[second, answers[0]])
            if len(answers) > TRIVIAL and wins not in (code, reply):
                yield answers, code, reply
