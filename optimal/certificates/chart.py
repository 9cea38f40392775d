"""The checker's table of questions: kinds, classes, and bounds from weights and numbers alone.

Nothing here is shared with the engine or with tables. A kind is a distinct column: the variants with the same replies
to all questions. A set of kinds is an integer with a bit for each. Costs are exact integers, and NONE, which exceeds
them all, means no key, and no limit.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Iterator, Sequence

#: More than every cost and sum of costs, which stay below 2^57.
NONE = 1 << 60
#: Questions with more replies are evaluated kind by kind.
_MASKED = 64
#: Bounds kept: sets of many kinds take memory.
_KEPT = 1 << 17

Set = int


class Chart:
    """Weights and groups of the kinds of a table, and costs and replies of its questions."""

    def __init__(
        self, costs: Sequence[int], weights: Sequence[int], groups: Sequence[int], codes: Sequence[Sequence[int]]
    ) -> None:
        """``costs`` by question, ``weights`` and ``groups`` by variant, ``codes`` by question and variant."""
        self.costs, self.variants = costs, len(weights)
        number: dict[tuple[int, ...], int] = {}
        kind_of = [number.setdefault(replies, len(number)) for replies in zip(*codes, strict=True)]
        self.kinds = len(number)
        self.codes = list(zip(*number, strict=True))
        self.weights = [0] * self.kinds
        held: list[set[int]] = [set() for _ in range(self.kinds)]
        for kind, weight, group in zip(kind_of, weights, groups, strict=True):
            self.weights[kind] += weight
            held[kind].add(group)
        # All that is known of a kind is the set of its groups: this set, numbered, becomes its group.
        known: dict[frozenset[int], int] = {}
        self.groups = [known.setdefault(frozenset(own), len(known)) for own in held]
        #: Whether two kinds belong to the same several groups.
        self.merged = sum(len(own) > 1 for own in known) < sum(len(own) > 1 for own in held)
        self.everything: Set = (1 << self.kinds) - 1
        # The kinds behind each reply; None where these are many.
        self._behind = [None if len(set(row)) > _MASKED else _gathered(row, range(self.kinds)) for row in self.codes]
        self._bounds: dict[Set, tuple[int, int, int, int]] = {}

    def members(self, kinds: Set) -> Iterator[int]:
        """Yield the kinds of a set, rising."""
        while kinds:
            last = kinds & -kinds
            yield last.bit_length() - 1
            kinds ^= last

    def classes(self, question: int, kinds: Set) -> dict[int, Set]:
        """Return the classes of a question on a set, by reply."""
        behind = self._behind[question]
        if behind is None or kinds.bit_count() < len(behind):
            return _gathered(self.codes[question], self.members(kinds))
        return {code: part for code, mask in behind.items() if (part := kinds & mask)}

    def weight(self, kinds: Set) -> int:
        """Return the weight of a set."""
        return sum(self.weights[kind] for kind in self.members(kinds))

    def settled(self, kinds: Set) -> bool:
        """Return whether all kinds are of one group."""
        return len({self.groups[kind] for kind in self.members(kinds)}) == 1

    def bound(self, kinds: Set, left: int, cost_left: int) -> int:
        """Return a lower bound of keys of a set, within this many questions and this cost of a path, by weights and
        numbers alone."""
        cheapest, most, groups, least = self._known(kinds)
        if groups == 1:
            return 0
        deep = left if cost_left >= NONE or not cheapest else min(left, cost_left // cheapest)
        return cheapest * least if enough(most, deep, groups) and cheapest <= cost_left else NONE

    def _known(self, kinds: Set) -> tuple[int, int, int, int]:
        """Return the least cost and the most classes of the questions that split a set; the number of its groups; and
        the least sum of the weights below the inner nodes of a tree with the groups as leaves."""
        found = self._bounds.get(kinds)
        if found is None:
            if len(self._bounds) >= _KEPT:
                self._bounds.clear()
            sums: dict[int, int] = {}
            for kind in self.members(kinds):
                sums[self.groups[kind]] = sums.get(self.groups[kind], 0) + self.weights[kind]
            cheapest, most, least = NONE, 1, 0
            if len(sums) > 1:
                for question, cost in enumerate(self.costs):
                    many = len(self.classes(question, kinds))
                    if many > 1:
                        cheapest, most = min(cheapest, cost), max(most, many)
                least = huffman(sorted(sums.values()), most)
            found = self._bounds[kinds] = cheapest, most, len(sums), least
        return found


def _gathered(row: Sequence[int], members: Iterable[int]) -> dict[int, Set]:
    found: dict[int, Set] = {}
    for kind in members:
        found[row[kind]] = found.get(row[kind], 0) | 1 << kind
    return found


def fewer(number: int, by: int = 1) -> int:
    """Return the questions or the cost left; NONE is no limit."""
    return number if number >= NONE else number - by


def enough(classes: int, deep: int, groups: int) -> bool:
    """Return whether a tree with this many branches per node and this depth may have this many leaves."""
    leaves = 1
    while leaves < groups and deep > 0:
        leaves, deep = leaves * classes, deep - 1
    return leaves >= groups


def huffman(weights: list[int], branches: int) -> int:
    """Return the least sum, over the inner nodes of any tree with these leaves, of the weights below. They must be in
    rising order, and are used up."""
    total = 0
    take = (len(weights) - 1) % (branches - 1) + 1  # the first node may have fewer
    take = branches if take == 1 else take
    while len(weights) > 1:
        joined = sum(weights[:take])
        total += joined
        del weights[:take]
        insort(weights, joined)
        take = branches
    return total
