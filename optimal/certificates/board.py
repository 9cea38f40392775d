"""The checker's game: its own scoring, its own rules, and bounds from class sizes alone.

Nothing here is shared with the engine or the games. A set of answers is a rising array of their indices (int32);
`upper` (guesses, int32) bounds for each guess the number of its classes of the set, plus one if the guess is a member;
0 marks an illegal guess. Costs are exact integers, and NONE, which exceeds them all, means no tree.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from itertools import permutations, product
from typing import Any

import numpy as np
import numpy.typing as npt

WORDS, MASTERMIND, BULLS = 0, 1, 2
NORMAL, HARD, ULTRA_HARD = 0, 1, 2

#: No tree. Finite sums stay below it, and sums of some thousands of it fit into 64 bits.
NONE = 1 << 50
#: Guesses left without a limit.
UNLIMITED = 1 << 30
#: Classes of up to this many answers are searched for a member that separates all others.
MEMBERS_MOST = 32
#: Sets of up to this many answers are also bounded by tables for at most this many classes.
SMALL_SIZE, SMALL_CLASSES = 64, 8
#: Size bounds are computed for up to this many guesses left; beyond, where they still change, 2m - 1 is used.
SIZES_MOST = 40
#: Scores computed at a time, and replies of guesses kept beside the matrix.
_CELLS = 1 << 20
_REPLIES = 1 << 26

Integers = npt.NDArray[np.int32]
Costs = npt.NDArray[np.int64]
#: Of a set: the greatest `upper`; the most classes that don't win, of any guess on any subset; and of a member.
MostClasses = tuple[int, int, int]


def peg_codes(kind: int, places: int, symbols: int) -> list[tuple[int, ...]]:
    """Return all codes of a peg game in order: `places` symbols out of 0 .. symbols - 1, all different for bulls and
    cows."""
    return list(permutations(range(symbols), places) if kind == BULLS else product(range(symbols), repeat=places))


def fewer(left: int) -> int:
    """Return the guesses left after one more."""
    return left if left == UNLIMITED else left - 1


def list_sha256(words: Sequence[str]) -> bytes:
    """Return the SHA-256 of the sorted words, each followed by a newline, in UTF-8."""
    return hashlib.sha256("".join(f"{word}\n" for word in sorted(words)).encode()).digest()


class Board:
    """Guesses (as tuples of symbol numbers), the answers among them (rising), and the rules."""

    def __init__(self, kind: int, rules: int, guesses: Sequence[Sequence[int]], answers: Sequence[int]) -> None:
        self.kind, self.rules = kind, rules
        names, numbered = np.unique(np.array(guesses, dtype=np.int64), return_inverse=True)
        self.places = len(guesses[0])
        self.symbols: npt.NDArray[np.int64] = numbered.reshape(len(guesses), self.places)
        self.copies: npt.NDArray[np.uint8] = np.zeros((len(guesses), len(names)), dtype=np.uint8)
        for place in range(self.places):
            self.copies[np.arange(len(guesses)), self.symbols[:, place]] += 1
        # Transposed, for the rules.
        self._placed = np.ascontiguousarray(self.symbols.T.astype(np.uint16))
        self._copied = np.ascontiguousarray(self.copies.T)
        self.answer_guess: Integers = np.array(answers, dtype=np.int32)
        self.winning = 3**self.places - 1 if kind == WORDS else self.places * (self.places + 1)
        # A row for each answer, so that the codes of a set are contiguous; `matrix` has a row for each guess.
        self.steps = 0  # of counting: guesses times answers
        self._columns = np.empty((len(answers), len(guesses)), dtype=np.uint16)
        self.matrix = self._columns.T
        step = max(1, _CELLS // len(answers))
        for first in range(0, len(guesses), step):
            self.matrix[first : first + step] = self.scores(range(first, min(first + step, len(guesses))))
        self.everything: Integers = np.arange(len(answers), dtype=np.int32)
        self.upper: Integers = self.count(np.arange(len(guesses), dtype=np.int32), self.everything)
        self.upper[self.answer_guess] += 1
        self._sizes: dict[tuple[int, int, int], Costs] = {}
        self.most_classes_of_all = self.most_classes(self.everything, self.upper)
        self._replies: OrderedDict[int, npt.NDArray[np.uint16]] = OrderedDict()

    # Scoring and rules

    def scores(self, guesses: range) -> npt.NDArray[np.uint16]:
        """Return the feedback codes of these guesses (rows) to all answers (columns)."""
        return np.stack([self.score(guess, self.answer_guess) for guess in guesses])

    def score(self, guess: int, against: Integers) -> npt.NDArray[np.uint16]:
        """Return the feedback codes of a guess when the answers are these guesses."""
        mine, others = self.symbols[guess], self.symbols[against]
        same = others == mine
        if self.kind != WORDS:
            black = same.sum(axis=1)
            common = np.minimum(self.copies[guess], self.copies[against]).sum(axis=1)
            return np.asarray(black * (self.places + 1) + common - black, dtype=np.uint16)
        code = np.zeros(len(others), dtype=np.int64)
        for symbol in dict.fromkeys(mine.tolist()):
            at = [place for place in range(self.places) if mine[place] == symbol]
            unmatched = self.copies[against, symbol] - same[:, at].sum(axis=1)
            for place in at:  # each copy that isn't green uses one of the answer's
                green = same[:, place]
                yellow = ~green & (unmatched > 0)
                unmatched = unmatched - yellow
                code += (2 * green + yellow) * 3**place
        return code.astype(np.uint16)

    def forbid(self, upper: Integers, guess: int, code: int) -> Integers:
        """Return `upper` with 0 for the guesses that are illegal after this feedback."""
        if self.rules == NORMAL:
            return upper
        if self.rules == ULTRA_HARD:
            return np.where(self._replies_of(guess) == code, upper, np.int32(0))
        fair = upper > 0
        wanted: dict[int, int] = {}
        for place, symbol in enumerate(self.symbols[guess].tolist()):
            mark = code // 3**place % 3
            if mark == 2:
                fair &= self._placed[place] == symbol
            if mark > 0:
                wanted[symbol] = wanted.get(symbol, 0) + 1
        for symbol, copies in wanted.items():
            fair &= self._copied[symbol] >= copies
        return np.where(fair, upper, np.int32(0))

    def _replies_of(self, guess: int) -> npt.NDArray[np.uint16]:
        if guess not in self._replies:
            if len(self._replies) * len(self.symbols) > _REPLIES:
                self._replies.popitem(last=False)
            self._replies[guess] = self.score(guess, np.arange(len(self.symbols), dtype=np.int32))
        return self._replies[guess]

    def moved(self, codes: Integers, places: Sequence[int], names: Sequence[int]) -> Integers:
        """Return codes of a peg game, with the symbol at places[i] moved to i and renamed, in rising order."""
        digits = len(names) ** np.arange(self.places)[::-1]
        images = np.array(names)[self.symbols[codes][:, places]] @ digits
        return np.sort(np.searchsorted(self.symbols @ digits, images)).astype(np.int32)

    # Counting

    def cells(self, guesses: Integers, answers: Integers) -> Iterator[tuple[slice, npt.NDArray[np.uint16]]]:
        """Yield the codes of these guesses (rows) against these answers (columns), some rows at a time."""
        self.steps += len(guesses) * len(answers)
        step = max(1, _CELLS // max(1, len(answers)))
        flat = self._columns.reshape(-1)
        for first in range(0, len(guesses), step):
            rows = slice(first, min(first + step, len(guesses)))
            at = answers[:, None].astype(np.int64) * len(self.symbols) + guesses[rows]
            yield rows, np.ascontiguousarray(flat.take(at).T)

    def count(self, guesses: Integers, answers: Integers) -> Integers:
        """Return the number of classes of the answers for each of these guesses."""
        found = np.empty(len(guesses), dtype=np.int32)
        for rows, codes in self.cells(guesses, answers):
            codes.sort(axis=1)
            found[rows] = 1 + (codes[:, 1:] != codes[:, :-1]).sum(axis=1)
        return found

    def classes(self, guess: int, answers: Integers) -> dict[int, Integers]:
        """Return the answers by feedback code of a guess."""
        codes = self.matrix[guess, answers]
        return {int(code): answers[codes == code] for code in np.unique(codes)}

    # Bounds by sizes

    def most_classes(self, answers: Integers, upper: Integers) -> MostClasses:
        """Return what `upper` implies for all subsets of a set."""
        members = self.answer_guess[answers]
        others = upper.copy()
        others[members] -= 2  # its winning class, and the one added for a member
        return int(upper.max()), max(0, int(others.max())), max(0, int(others[members].max()))

    def sizes(self, left: int, outside: int, inside: int, most: int) -> Costs:
        """Return F(left, m) for m = 0 .. most: the least cost of m answers with `left` guesses, if no guess makes more
        than `outside` classes beside the winning one, and no answer more than `inside`."""
        left = min(left, SIZES_MOST + 1)  # beyond that nothing changes
        name = (left, outside, inside)
        if name not in self._sizes:
            self._sizes[name] = _sizes(left, outside, inside, most)
        return self._sizes[name]

    def sizes_of_all(self, left: int) -> Costs:
        """Return `sizes` for every set of this game."""
        return self.sizes(left, *self.most_classes_of_all[1:], len(self.everything))

    def by_size(self, left: int, most: MostClasses, count: int) -> Costs:
        """Return a bound for subsets of 0 .. count answers of a set with these most classes."""
        largest, outside, inside = most
        size = np.arange(count + 1, dtype=np.int64)
        bound = np.maximum(self.sizes_of_all(left)[: count + 1], 3 * size - largest)
        if left == 2:
            bound[largest + 1 :] = NONE
        if outside <= SMALL_CLASSES and (outside, inside) != self.most_classes_of_all[1:]:
            small = self.sizes(left, outside, inside, SMALL_SIZE)[: count + 1]
            np.maximum(bound[: len(small)], small, out=bound[: len(small)])
        bound[0] = 0
        return bound

    def has_perfect_member(self, sets: Integers) -> npt.NDArray[np.bool_]:
        """Return for each set, a row of equally many answers, whether one of them, as a guess, separates all others."""
        found = np.empty(len(sets), dtype=bool)
        step = max(1, _CELLS // sets.shape[1] ** 2)
        for first in range(0, len(sets), step):
            some = sets[first : first + step]
            codes = self.matrix[self.answer_guess[some][:, :, None], some[:, None, :]]
            codes.sort(axis=2)
            found[first : first + step] = (codes[:, :, 1:] != codes[:, :, :-1]).all(axis=2).any(axis=1)
        return found

    # Lower bounds of guesses

    def survivors(self, answers: Integers, upper: Integers, left: int, target: int) -> tuple[Integers, Costs]:
        """Return the guesses whose bounds by counting are below `target`, with these bounds.

        Lowers `upper` to the counts.
        """
        n = len(answers)
        member = np.zeros(len(upper), dtype=np.int32)
        member[self.answer_guess[answers]] = 1
        np.minimum(upper, n + member, out=upper)
        # A guess with one class is useless, and one with k classes costs 3n - k, a member 3n - k - 1.
        enough = max(1, 3 * n - target, n - 1 if left == 2 else 0)
        asked = np.flatnonzero(upper > enough).astype(np.int32)
        upper[asked] = self.count(asked, answers) + member[asked]
        asked = asked[upper[asked] > enough]
        bounds = self.bounds(asked, answers, left, self.most_classes(answers, upper), target)
        return asked[bounds < target], bounds[bounds < target]

    def bounds(self, guesses: Integers, answers: Integers, left: int, most: MostClasses, target: int) -> Costs:
        """Return a lower bound of each guess: 1 for every answer, plus bounds of its classes by size; if the sum is
        below `target`, also by their members."""
        n = len(answers)
        found = np.full(len(guesses), NONE, dtype=np.int64)
        if left < 1:
            return found
        small = self.by_size(fewer(left), most, n)
        for rows, codes in self.cells(guesses, answers):
            order = np.argsort(codes, axis=1, kind="stable")
            codes = np.take_along_axis(codes, order, axis=1)
            first = np.ones(codes.shape, dtype=bool)
            first[:, 1:] = codes[:, 1:] != codes[:, :-1]
            start = np.flatnonzero(first)
            size = np.diff(start, append=first.size)
            cost = np.where(codes.reshape(-1)[start] == self.winning, 0, small[size])
            row_start = np.searchsorted(start, np.arange(len(codes)) * n)
            total = n + _sums(cost, row_start)
            open_rows = np.repeat(total < target, np.diff(row_start, append=len(start)))
            # To show that there is no tree, finite costs are useless.
            dear = (target < NONE) & open_rows & (size >= 3) & (size <= MEMBERS_MOST) & (cost < 2 * size)
            for m in np.unique(size[dear]).tolist():
                which = np.flatnonzero(dear & (size == m))
                self.steps += m * m * len(which)
                sets = answers[order.reshape(-1)[start[which][:, None] + np.arange(m)]]
                cost[which] = np.where(self.has_perfect_member(sets), cost[which], 2 * m)
            found[rows] = np.minimum(n + _sums(cost, row_start), NONE)
        return found

    def set_bound(self, answers: Integers, left: int, most: MostClasses) -> int:
        """Return what `bounds` counts for this class."""
        m = len(answers)
        cost = int(self.by_size(left, most, m)[m])
        if 3 <= m <= MEMBERS_MOST and cost < 2 * m and not self.has_perfect_member(answers[None])[0]:
            cost = 2 * m
        return cost


def _sums(costs: Costs, start: npt.NDArray[np.signedinteger[Any]]) -> Costs:
    """Return the sums of the costs from each of these places to the next; NONE if one of them is, as sums of tens of
    thousands of NONE overflow."""
    none = np.logical_or.reduceat(costs >= NONE, start)
    return np.where(none, NONE, np.add.reduceat(np.where(costs >= NONE, 0, costs), start))


def _sizes(left: int, outside: int, inside: int, most: int) -> Costs:
    layers: list[Costs] = [np.array([0] + [NONE] * most, dtype=np.int64)]
    while left >= len(layers) and len(layers) <= SIZES_MOST and (len(layers) < 2 or _changing(layers).any()):
        below = layers[-1]
        best = np.minimum(_split(below, outside)[1:], _split(below, inside)[:-1]) + np.arange(1, most + 1)
        layers.append(np.minimum(np.concatenate([[0], best]), NONE))
    if left < len(layers):
        return layers[left]
    # Settled sizes stay so; smaller sizes settle sooner.
    return np.where(_changing(layers), 2 * np.arange(most + 1, dtype=np.int64) - 1, layers[-1])


def _changing(layers: list[Costs]) -> npt.NDArray[np.bool_]:
    """Return for each size whether the last additional guess changed its cost or that of a smaller one."""
    return np.logical_or.accumulate(layers[-1] != layers[-2])


def _split(costs: Costs, parts: int) -> Costs:
    """Return for n = 0, 1, ... the least sum of costs over all ways to write n as a sum of `parts` sizes, 0 among
    them."""
    best: Costs = np.array([0] + [NONE] * (len(costs) - 1), dtype=np.int64)
    power: Costs = costs
    while parts:
        if parts & 1:
            best = _both(best, power)
        parts >>= 1
        power = _both(power, power) if parts else power
    return best


def _both(one: Costs, other: Costs) -> Costs:
    best = np.full(len(one), NONE, dtype=np.int64)
    for size in range(len(one)):
        if one[size] < NONE:
            np.minimum(best[size:], one[size] + other[: len(one) - size], out=best[size:])
    return best
