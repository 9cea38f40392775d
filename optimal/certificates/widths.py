"""Sets of answers that are worth counting once, because they contain classes of many openers.

For an opener and one of its classes, the union of the classes that agree with it on some places contains it; if the
agreeing letters are grey, the same set occurs for hundreds of openers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from optimal.certificates.board import Board, Integers, MostClasses
from optimal.certificates.file import Width

#: A set serves classes of at least _LEAST answers that are at most _RATIO times smaller.
_LEAST = 32
_RATIO = 2.5
_USES = 32
_TOUCHES = 64
_BATCH = 256
#: With fewer openers, or answers, there is nothing to share.
_OPENERS, _ANSWERS = 64, 200


@dataclass
class Widths:
    """Sets, each after its parent, the first that of all answers, and a small set for the classes of openers.

    ``upper`` (sets, guesses) uint16: the classes of each guess, one more for a member, or a bound no greater than the
    greatest; ``most``: what that implies for subsets.
    """

    most: list[MostClasses]
    upper: npt.NDArray[np.uint16]
    home: dict[int, dict[int, int]]  # opener -> code -> the smallest set that contains the class
    sets: list[Width] = field(default_factory=list)

    def of(self, openers: Sequence[int]) -> Widths:
        """Return what a prover of these openers needs."""
        return Widths(self.most, self.upper, {opener: self.home.get(opener, {}) for opener in openers})


@dataclass
class _Uses:
    """Classes and the sets that contain them, a row each: ``subset`` numbers the places that the set agrees on."""

    key: npt.NDArray[np.uint64]  # of the set: the sum of its answers' random numbers
    size: npt.NDArray[np.int64]  # of the set
    opener: npt.NDArray[np.int64]
    subset: npt.NDArray[np.int64]
    code: npt.NDArray[np.int64]  # of the class
    serves: npt.NDArray[np.bool_]  # whether the set is small enough to serve the class


def choose(board: Board, openers: Sequence[int], length: int) -> Widths:
    """Choose and count sets for the classes of these openers of a word game.

    `supersets.h` chooses those of the search likewise, but may count them apart from their parents and keeps no
    classes: here both go into the proof.
    """
    first_set = Width(-1, 0, [], board.everything, board.most_classes_of_all[0])
    found = Widths([board.most_classes_of_all], board.upper[None].astype(np.uint16), {}, [first_set])
    if not 3 <= length <= 5 or len(openers) < _OPENERS or len(board.everything) < _ANSWERS:
        return found
    subsets = [places for r in range(1, length) for places in combinations(range(length), r)]
    few = np.array([len(places) <= 2 for places in subsets])
    # A number for each feedback on each subset of places.
    marks = np.arange(3**length)[:, None] // 3 ** np.arange(length) % 3
    part = np.stack([(marks[:, places] * 3 ** np.arange(len(places))).sum(axis=1) for places in subsets])
    uses = _uses_of(board, openers, part, few)
    first = _worth(uses, few, len(board.everything))
    _count(board, found, uses, first, part)
    _find_homes(found, uses, first)
    return found


def _uses_of(board: Board, openers: Sequence[int], part: Integers, few: npt.NDArray[np.bool_]) -> _Uses:
    """Return every class of these openers that is large enough, with every set that might serve it, or agrees on few
    places."""
    subsets, codes = part.shape
    at = part + codes // 3 * np.arange(subsets)[:, None]  # no two sets of an opener share a number
    keys = np.random.default_rng(1).integers(1, 2**63, len(board.everything), dtype=np.uint64)
    rows = []
    for opener in openers:
        row = board.matrix[opener]
        size = np.bincount(row, minlength=codes)
        key = np.zeros(codes, dtype=np.uint64)
        np.add.at(key, row, keys)
        sizes = np.bincount(at.ravel(), weights=np.tile(size, subsets)).astype(np.int64)
        sums = np.zeros(len(sizes), dtype=np.uint64)
        np.add.at(sums, at.ravel(), np.tile(key, subsets))
        large = np.flatnonzero((size >= _LEAST) & (np.arange(codes) != codes - 1))
        serves = sizes[at[:, large]] <= _RATIO * size[large]
        subset, column = np.nonzero(serves | few[:, None])
        where = at[subset, large[column]]
        opener_of = np.full(len(subset), opener)
        rows.append((sums[where], sizes[where], opener_of, subset, large[column], serves[subset, column]))
    return _Uses(*map(np.concatenate, zip(*rows, strict=True)))


def _worth(uses: _Uses, few: npt.NDArray[np.bool_], answers: int) -> npt.NDArray[Any]:
    """Return the first use of each set that is worth counting, the largest sets first."""
    names, first, index = np.unique(uses.key, return_index=True, return_inverse=True)
    served = np.bincount(index, weights=uses.serves)
    # Once for each opener, however many of its classes lie there.
    touched = np.bincount(np.unique(np.stack([index, uses.opener]), axis=1)[0], minlength=len(names))
    pays = (served >= _USES) | (few[uses.subset[first]] & (touched >= _TOUCHES))
    first = first[pays & (uses.size[first] < answers)]
    return first[np.argsort(-uses.size[first], kind="stable")]


def _count(board: Board, found: Widths, uses: _Uses, first: npt.NDArray[Any], part: Integers) -> None:
    """Count these sets, each as a subset of the smallest earlier one that contains it."""
    masks = np.ones((len(first) + 1, len(board.everything)), dtype=np.float32)
    for rank, use in enumerate(first, start=1):
        agrees = part[uses.subset[use]] == part[uses.subset[use], uses.code[use]]
        masks[rank] = agrees[board.matrix[uses.opener[use]]]
    found.upper = np.concatenate([found.upper, np.zeros((len(first), found.upper.shape[1]), dtype=np.uint16)])
    for rank, parent in enumerate(_smallest_before(masks), start=1):
        opener = int(uses.opener[first[rank - 1]])
        answers = np.flatnonzero(masks[rank]).astype(np.int32)
        codes = np.unique(board.matrix[opener, answers]).tolist()
        most = narrow(board, found.upper[parent], answers, found.upper[rank])
        found.most.append(board.most_classes(answers, found.upper[rank].astype(np.int32)))
        found.sets.append(Width(parent, opener, codes, answers, most))


def _find_homes(found: Widths, uses: _Uses, first: npt.NDArray[Any]) -> None:
    """Find the smallest set that serves each class, if one does."""
    number = {key: rank for rank, key in enumerate(uses.key[first].tolist(), start=1)}
    rows = zip(uses.key.tolist(), uses.opener.tolist(), uses.code.tolist(), uses.serves.tolist(), strict=True)
    for key, opener, code, serves in rows:
        rank = number.get(key, 0)
        mine = found.home.setdefault(opener, {})
        if serves and rank and len(found.sets[rank].answers) < len(found.sets[mine.get(code, 0)].answers):
            mine[code] = rank


def _smallest_before(masks: npt.NDArray[np.float32]) -> Iterator[int]:
    """Yield for each set but the first the last earlier one that contains it: sizes are falling."""
    sizes = masks.sum(axis=1)
    for begin in range(1, len(masks), _BATCH):
        some = masks[begin : begin + _BATCH]
        # Whether all answers of one are answers of the other.
        holds = masks[: begin + len(some)] @ some.T == sizes[begin : begin + len(some)]
        for rank in range(begin, begin + len(some)):
            yield int(np.flatnonzero(holds[:rank, rank - begin])[-1])


def narrow(board: Board, parent: npt.NDArray[np.uint16], answers: Integers, out: npt.NDArray[np.uint16]) -> int:
    """Return the most classes of any guess on a subset of the parent's set, one more for a member. Fill `out` as the
    checker will: with counts where the parent's bounds exceed that, and the parent's bounds elsewhere."""
    member = np.zeros(len(parent), dtype=np.uint16)
    member[board.answer_guess[answers]] = 1
    np.minimum(parent, np.uint16(len(answers)) + member, out=out)
    counted = out.copy()
    # Count the most promising first, until the rest can't have more: a few, then more at a time.
    order = np.argsort(out, kind="stable")[::-1].astype(np.int32)
    falling = -out[order].astype(np.int32)
    best = at = 0
    step = _BATCH
    while (end := int(np.searchsorted(falling, -best))) > at:
        some = order[at : min(end, at + step)]
        counted[some] = board.count(some, answers) + member[some]
        best = max(best, int(counted[some].max()))
        at += len(some)
        step *= 4
    np.copyto(out, counted, where=out > best)
    return best
