"""Which sets of answers are worth counting once, because classes of many openers lie in them.

For an opener and one of its classes, the union of those classes that agree with it on some places contains it, and
where the agreeing letters are grey the same set turns up for hundreds of openers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from optimal.certificates.board import Board, Integers, Limits
from optimal.certificates.claims import Width

#: A set serves classes of at least _LEAST answers and at most _RATIO times fewer than its own.
_LEAST = 32
_RATIO = 2.5
_USES = 32
_TOUCHES = 64
_BATCH = 256
#: Fewer openers, or answers, have nothing to share.
_OPENERS, _ANSWERS = 64, 200


@dataclass
class Homes:
    """Counts of sets, and where the classes of openers find a small one.

    ``upper`` (sets, guesses) uint16: the classes of each guess, a member counting one more, or a bound that is no more
    than the greatest; ``limits`` what that says of parts of the set. The first set is that of all answers.
    """

    limits: list[Limits]
    upper: npt.NDArray[np.uint16]
    home: dict[tuple[int, int], int]  # (opener, code) -> the smallest set that contains the class


@dataclass
class Widths:
    """Sets, each after its parent, the first that of all answers; `limits`, `upper` and `home` as in `Homes`."""

    sets: list[Width]
    limits: list[Limits]
    upper: npt.NDArray[np.uint16]
    home: dict[int, dict[int, int]]  # opener -> code -> set

    def homes(self, openers: Sequence[int]) -> Homes:
        """What concerns these openers."""
        home = {(o, c): rank for o in openers for c, rank in self.home.get(o, {}).items()}
        return Homes(self.limits, self.upper, home)


def choose(board: Board, openers: Sequence[int], length: int) -> Widths:
    """Sets for the classes of these openers of a word game, counted."""
    n = len(board.everything)
    root = board.upper
    first_set = Width(-1, 0, [], board.everything, board.limits_of_all[0])
    found = Widths([first_set], [board.limits_of_all], root[None].astype(np.uint16), {})
    if not 3 <= length <= 5 or len(openers) < _OPENERS or n < _ANSWERS:
        return found
    codes = 3**length
    digits = np.array([[code // 3**place % 3 for place in range(length)] for code in range(codes)])
    chosen = [s for r in range(1, length) for s in combinations(range(length), r)]
    # A number for each feedback on each choice of places.
    part = np.stack([(digits[:, s] * 3 ** np.arange(len(s))).sum(axis=1) for s in chosen])
    at = part + 3 ** (length - 1) * np.arange(len(chosen))[:, None]
    keys = np.random.default_rng(1).integers(1, 2**63, n, dtype=np.uint64)
    records = []
    for opener in openers:
        row = board.matrix[opener]
        size = np.bincount(row, minlength=codes)
        key = np.zeros(codes, dtype=np.uint64)
        np.add.at(key, row, keys)
        sizes = np.bincount(at.ravel(), weights=np.tile(size, len(chosen)), minlength=int(at.max()) + 1)
        sums = np.zeros(len(sizes), dtype=np.uint64)
        np.add.at(sums, at.ravel(), np.tile(key, len(chosen)))
        large = np.flatnonzero((size >= _LEAST) & (np.arange(codes) != codes - 1))
        where = at[:, large]
        fits = sizes[where] <= np.where(np.array([len(s) for s in chosen])[:, None] <= 2, 1e9, _RATIO * size[large])
        s, c = np.nonzero(fits)
        records.append(
            np.stack(
                [
                    sums[where[s, c]],
                    sizes[where[s, c]].astype(np.uint64),
                    np.full(len(s), opener, dtype=np.uint64),
                    s.astype(np.uint64),
                    large[c].astype(np.uint64),
                    (sizes[where[s, c]] <= _RATIO * size[large[c]]).astype(np.uint64),
                ]
            )
        )
    key, size, opener_of, subset, code, serves = np.concatenate(records, axis=1)
    names, first, index = np.unique(key, return_index=True, return_inverse=True)
    uses = np.bincount(index, weights=serves.astype(np.int64))
    # once for each opener, however many of its classes lie there
    touched = np.unique(np.stack([index.astype(np.uint64), opener_of]), axis=1)[0].astype(np.int64)
    touches = np.bincount(touched, minlength=len(names))
    few = np.array([len(s) <= 2 for s in chosen])[subset[first].astype(np.int64)]
    kept = np.flatnonzero(((uses >= _USES) | (few & (touches >= _TOUCHES))) & (size[first] < n))
    kept = kept[np.argsort(-size[first][kept].astype(np.int64), kind="stable")]
    number = {int(names[i]): rank + 1 for rank, i in enumerate(kept)}
    sets = found.sets
    upper = np.zeros((len(kept) + 1, len(root)), dtype=np.uint16)
    upper[0] = root
    masks = np.zeros((len(kept) + 1, n), dtype=np.float32)
    masks[0] = 1
    for rank, i in enumerate(kept, start=1):
        places = int(subset[first[i]])
        masks[rank] = (part[places] == part[places, int(code[first[i]])])[board.matrix[int(opener_of[first[i]])]]
    for rank, (i, parent) in enumerate(zip(kept, _smallest_before(masks), strict=True), start=1):
        opener = int(opener_of[first[i]])
        answers = np.flatnonzero(masks[rank]).astype(np.int32)
        codes_here = np.unique(board.matrix[opener, answers]).tolist()
        most = narrow(board, upper[parent], answers, upper[rank])
        found.limits.append(board.limits(answers, upper[rank].astype(np.int32)))
        sets.append(Width(parent, opener, codes_here, answers, most))
    size_of = np.array([len(one.answers) for one in sets])
    for k, o, c, fit in zip(key.tolist(), opener_of.tolist(), code.tolist(), serves.tolist(), strict=True):
        rank = number.get(k, 0)
        mine = found.home.setdefault(o, {})
        if fit and rank and size_of[rank] < size_of[mine.get(c, 0)]:
            mine[c] = rank
    found.upper = upper
    return found


def _smallest_before(masks: npt.NDArray[np.float32]) -> Iterator[int]:
    """For each set but the first, the last before it that contains it: they come in falling order of size."""
    sizes = masks.sum(axis=1)
    for begin in range(1, len(masks), _BATCH):
        some = masks[begin : begin + _BATCH]
        # Where all answers of one are answers of the other.
        holds = masks[: begin + len(some)] @ some.T == sizes[begin : begin + len(some)]
        for rank in range(begin, begin + len(some)):
            yield int(np.flatnonzero(holds[:rank, rank - begin])[-1])


def narrow(board: Board, parent: npt.NDArray[np.uint16], answers: Integers, out: npt.NDArray[np.uint16]) -> int:
    """The most classes of any guess on a part of the parent's set, a member counting one more. Fills `out` as the
    checker will: counts where the parent's exceed that, and the parent's elsewhere."""
    member = np.zeros(len(parent), dtype=np.uint16)
    member[board.answer_guess[answers]] = 1
    np.minimum(parent, np.uint16(len(answers)) + member, out=out)
    counted = out.copy()
    # From the most promising on, until those that follow can't have more: a few first, then more at a time.
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
