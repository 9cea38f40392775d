"""The leads of a key as people print it: numbered, the replies with one end in one lead, in couplets if wished."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import TypeAlias

from optimal.show.words import either
from optimal.trees.key import Key
from optimal.trees.nodes import Step

#: Follows the name of what has several ends, as in floras.
IN_PART = " (in part)"


@dataclass(frozen=True)
class Lead:
    """What a reader compares with the specimen, and where it leads: to a number, or to objects."""

    mark: str  # its number and letter
    back: str  # the number that led to the question, before its first lead: " (1)"
    text: str
    to: str  # nothing in an indented key whose next line has the number
    depth: int | None = None  # in an indented key
    gap: bool = False  # whether a new question begins in a bracketed key


@dataclass(frozen=True, eq=False)
class _End:
    names: tuple[str, ...]
    objects: frozenset[int]
    size = 0


@dataclass(frozen=True, eq=False)
class _Fork:
    """A question, or one couplet of it; `size` is the number of forks from here on."""

    leads: tuple[tuple[str, _Fork | _End], ...]
    size: int


#: A lead, where it leads, its number, and the number that it leads to.
_Row: TypeAlias = "tuple[Lead, _Fork | _End, int, int]"
#: Replies, by their places in natural order, where they lead, and the weight that comes there.
_Branch: TypeAlias = "tuple[list[int], _Fork | _End, int]"


def leads_of(key: Key, *, couplets: bool = False, indented: bool = False) -> Iterator[Lead]:
    """Yield the leads in the order of print: all of a question together, or each above those that it leads to.

    A key that asks nothing has one lead, without a mark.
    """
    root, twice = _printed(key, couplets)

    def text(end: _End) -> str:
        return " / ".join(f"{name}{IN_PART if name in twice else ''}" for name in end.names)

    def rows(fork: _Fork, number: int, came: int, depth: int) -> Iterator[_Row]:
        following = number + 1
        for place, (words, to) in enumerate(fork.leads):
            mark, leads_to = f"{number}{lead_letters(place)}", text(to) if isinstance(to, _End) else str(following)
            if indented:
                lead = Lead(mark, "", words, leads_to if isinstance(to, _End) else "", depth)
            else:
                lead = Lead(mark, f" ({came})" if came and not place else "", words, leads_to, gap=came > 0 == place)
            yield lead, to, number, following
            following += to.size

    def batches(leads: Iterable[_Row]) -> list[list[_Row]]:
        return [[row] for row in leads][::-1] if indented else [list(leads)]

    if isinstance(root, _End):
        yield Lead("", "", "", text(root))
        return
    stack = batches(rows(root, 1, 0, 0))
    while stack:
        batch = stack.pop()
        yield from (lead for lead, *_ in batch)
        for lead, to, number, following in batch[::-1]:
            if isinstance(to, _Fork):
                stack += batches(rows(to, following, number, (lead.depth or 0) + 1))


def lead_letters(number: int) -> str:
    """What marks a lead among those of its question: a to z, then aa, ab and so on."""
    text = ""
    number += 1
    while number:
        number, last = divmod(number - 1, 26)
        text = chr(ord("a") + last) + text
    return text


def _printed(key: Key, couplets: bool) -> tuple[_Fork | _End, set[str]]:
    """The tree of forks, and the names that stand at several of its ends. What leads to one end only isn't asked."""
    weights = _weights(key) if couplets else {}
    made: dict[int, _Fork | _End] = {}
    ends: Counter[str] = Counter()
    for step in reversed(list(key.root.nodes())):
        if step.question is None:
            made[id(step)] = _End(key.names(step.objects), frozenset(step.objects))
            continue
        ranks = key.ranks[step.question]
        branches = _branches([(ranks[code], child) for code, child in key.children(step)], made, weights)
        if len(branches) == 1:
            made[id(step)] = branches[0][1]
            continue
        for _, to, _ in branches:
            if isinstance(to, _End):
                ends.update({*to.names, *(key.objects[one] for one in to.objects)})
        replies = {ranks[code]: key.reply(step, code) for code in step.children}
        made[id(step)] = (_coupled if couplets else _plain)(branches, key.label(step), replies)
    return made[id(key.root)], {name for name, count in ends.items() if count > 1}


def _weights(key: Key) -> dict[int, int]:
    """The weight that comes to each step, by its identity."""
    weights: dict[int, int] = defaultdict(int)
    for place in range(len(key.objects)):
        for _, end, weight in key.ways(place):
            weights[id(end)] += weight
    for step in reversed(list(key.root.nodes())):
        weights[id(step)] += sum(weights[id(child)] for child in step.children.values())
    return weights


def _branches(
    children: Iterable[tuple[int, Step]], made: dict[int, _Fork | _End], weights: dict[int, int]
) -> list[_Branch]:
    """The replies to a question, those with one end together."""
    found: dict[object, _Branch] = {}
    for code, child in children:
        to, weight = made[id(child)], weights.get(id(child), 0)
        same = to.names if isinstance(to, _End) else to
        if same in found:
            codes, end, more = found[same]
            assert isinstance(to, _End)
            assert isinstance(end, _End)
            found[same] = [*codes, code], _End(to.names, to.objects | end.objects), weight + more
        else:
            found[same] = [code], to, weight
    return list(found.values())


def _plain(branches: Sequence[_Branch], question: str, replies: Mapping[int, str]) -> _Fork:
    """A lead for each branch."""
    leads = tuple((f"{question}: {_any(codes, replies)}", to) for codes, to, _ in branches)
    return _Fork(leads, 1 + sum(to.size for _, to in leads))


def _coupled(branches: Sequence[_Branch], question: str, replies: Mapping[int, str]) -> _Fork:
    """Couplets of two leads in place of a question of more: those of which a reader comes to the fewest on average.

    Each couplet costs its reader one comparison. Their expected number is thus the sum over the branches of weight x
    depth, least by Huffman's rule: join the two lightest again and again. For in some best tree these two are leads of
    one couplet, the deepest (where two others are, change them for these: no sum grows); and with the two as one
    branch of their joint weight, what is left is the same problem. To split off one reply after the other, the
    heaviest first, is what the rule itself does where each outweighs the rest, and costs more elsewhere. Of equal
    weights the lower is joined first, then the earlier reply. Questions don't disturb each other, since the
    weight that comes to each is given, so the whole is least of all that ask these questions one after the other; and
    replies with one end are one branch, since of two its tree could do without the deeper.
    """
    heap = [(weight, 0, codes[0], codes, to) for codes, to, weight in branches]
    heapify(heap)
    while len(heap) > 1:
        pair = heappop(heap), heappop(heap)
        (_, _, _, few, first), (_, below, _, many, second) = sorted(pair, key=lambda side: (len(side[3]), side[2]))
        rest = f"not {_any(few, replies)}" if len(few) == 1 and below else _any(many, replies)
        leads = ((f"{question}: {_any(few, replies)}", first), (f"{question}: {rest}", second))
        fork, codes = _Fork(leads, 1 + first.size + second.size), sorted(few + many)
        heappush(heap, (pair[0][0] + pair[1][0], 1 + max(pair[0][1], pair[1][1]), codes[0], codes, fork))
    return fork


def _any(codes: Sequence[int], replies: Mapping[int, str]) -> str:
    return either([replies[code] for code in codes], len(codes))
