"""The leads of a key as people print it: numbered, the replies with one end in one lead, in couplets if wished."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from heapq import heapify, heappop, heappush
from typing import TypeAlias

from optimal.tables.coded import INAPPLICABLE
from optimal.trees.key import Key
from optimal.trees.key_numbers import Numbers, alphabetic_depths, either_of, numbers_of, or_more, up_to
from optimal.trees.nodes import Step

#: Follows the name of what has several ends, as in floras.
IN_PART = " (in part)"
#: Of more numbers the best thresholds take long to find: they are parted as words are.
MOST_APART = 1000


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
#: Some of the replies in words.
_Words: TypeAlias = Callable[[Sequence[int]], str]


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
        children = [(ranks[code], child) for code, child in key.children(step)]
        replies = {ranks[code]: key.reply(step, code) for code, _ in key.children(step)}
        numbers = numbers_of(replies)
        apart = numbers if couplets and 2 < len(numbers) <= MOST_APART else {}
        branches = _branches(children, made, weights, apart)
        if len(branches) == 1:
            made[id(step)] = branches[0][1]
            continue
        for _, to, _ in branches:
            if isinstance(to, _End):
                ends.update({*to.names, *(key.objects[one] for one in to.objects)})
        print_fork = partial(_coupled, apart=apart) if couplets else _plain
        made[id(step)] = print_fork(branches, key.label(step), partial(either_of, replies=replies, numbers=numbers))
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
    children: Iterable[tuple[int, Step]], made: dict[int, _Fork | _End], weights: dict[int, int], apart: Numbers
) -> list[_Branch]:
    """The replies to a question, those with one end together; of ``apart``, if they are neighbours."""
    found: dict[object, _Branch] = {}
    run, before = 0, None
    for code, child in children:
        to, weight = made[id(child)], weights.get(id(child), 0)
        end: object = to.names if isinstance(to, _End) else to
        if code in apart:
            run += end != before
            before = end
        same = (end, run if code in apart else 0)
        if same in found:
            codes, first, more = found[same]
            assert isinstance(to, _End)
            assert isinstance(first, _End)
            found[same] = [*codes, code], _End(to.names, to.objects | first.objects), weight + more
        else:
            found[same] = [code], to, weight
    return list(found.values())


def _plain(branches: Sequence[_Branch], question: str, words: _Words) -> _Fork:
    """A lead for each branch."""
    leads = tuple((f"{question}: {words(codes)}", to) for codes, to, _ in branches)
    return _Fork(leads, 1 + sum(to.size for _, to in leads))


def _coupled(branches: Sequence[_Branch], question: str, words: _Words, apart: Numbers) -> _Fork:
    """Couplets of two leads in place of a question of more: those of which a reader comes to the fewest on average.

    Each couplet costs its reader one comparison. Their expected number is thus the sum over the branches of weight x
    depth, least by Huffman's rule: join the two lightest again and again. For in some best tree these two are leads of
    one couplet, the deepest (where two others are, change them for these: no sum grows); and with the two as one
    branch of their joint weight, what is left is the same problem. To split off one reply after the other, the
    heaviest first, is what the rule itself does where each outweighs the rest, and costs more elsewhere. Of equal
    weights the lower is joined first, then the earlier reply. Questions don't disturb each other, since the
    weight that comes to each is given, so the whole is least of all that ask these questions one after the other; and
    replies with one end are one branch, since of two its tree could do without the deeper. Numbers stay together, and
    are parted as `_parted` does.
    """
    heap = [(weight, 0, codes[0], codes, to) for codes, to, weight in branches if codes[0] not in apart]
    if ordered := [branch for branch in branches if branch[0][0] in apart]:
        (codes, to, weight), height = _parted(ordered, question, words, apart)
        heap.append((weight, height, codes[0], codes, to))
    heapify(heap)
    while len(heap) > 1:
        pair = heappop(heap), heappop(heap)
        (_, _, _, few, first), (_, below, _, many, second) = sorted(pair, key=lambda side: (len(side[3]), side[2]))
        rest = f"not {words(few)}" if len(few) == 1 and below else words(many)
        rest = "applicable" if rest == f"not {INAPPLICABLE}" else rest
        leads = ((f"{question}: {words(few)}", first), (f"{question}: {rest}", second))
        fork, codes = _Fork(leads, 1 + first.size + second.size), sorted(few + many)
        heappush(heap, (pair[0][0] + pair[1][0], 1 + max(pair[0][1], pair[1][1]), codes[0], codes, fork))
    ((*_, root),) = heap
    assert isinstance(root, _Fork)
    return root


def _parted(branches: Sequence[_Branch], question: str, words: _Words, numbers: Numbers) -> tuple[_Branch, int]:
    """Numbers as one branch, and its height in couplets: parted at thresholds, those read least on average, and of such
    the fewest for each reply."""
    scale = len(branches) ** 2 + 1  # more than the sum of all depths
    depths = alphabetic_depths([weight * scale + 1 for _, _, weight in branches])
    done: list[tuple[int, _Branch]] = []
    alone = {id(to) for _, to, _ in branches}
    for depth, branch in zip(depths, branches, strict=True):
        done.append((depth, branch))
        while len(done) > 1 and done[-2][0] == done[-1][0]:
            (_, (few, first, light)), (at, (many, second, heavy)) = done[-2:]
            low, high = words(few), words(many)
            last, next_one = numbers[few[-1]], numbers[many[0]]
            if id(first) not in alone and few[0] == min(numbers):
                low = up_to(last)
            if id(second) not in alone and many[-1] == max(numbers):
                high = or_more(next_one, meets=bool(last.begin) and last.high == next_one.low)
            leads = ((f"{question}: {low}", first), (f"{question}: {high}", second))
            fork = _Fork(leads, 1 + first.size + second.size)
            done[-2:] = [(at - 1, ([*few, *many], fork, light + heavy))]
    ((_, branch),) = done
    return branch, max(depths)
