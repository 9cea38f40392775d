"""Replies that are numbers, ranges or classes of them, in words, and the best thresholds between them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Any, TypeAlias

from optimal.show.words import either

_N = r"[-\N{MINUS SIGN}]?(?:0|[1-9][0-9]*)(?:[.,][0-9]+)?"
_SPAN = re.compile(rf"({_N})(?: ?(?:-|\N{{EN DASH}}|\.\.|to) ?({_N}))?")
_OPEN = re.compile(rf"(?:(below|under|less than|<)|above|over|more than|>) ?({_N})")
#: A comma between thousands, or before decimals: it can't be known which.
_UNCLEAR = re.compile(r"[0-9],[0-9]{3}(?![0-9])")


@dataclass(frozen=True)
class Number:
    """A reply: the least and the greatest number that it is, and these as they are written; "" where it is open."""

    text: str
    low: Fraction | float
    high: Fraction | float
    begin: str
    end: str


#: By their places in natural order, those replies to a question that are numbers.
Numbers: TypeAlias = Mapping[int, Number]


@lru_cache(1 << 12)
def number_of(text: str) -> Number | None:
    """The number, range or class that a text is; None for others."""
    if _UNCLEAR.search(text):
        return None
    if span := _SPAN.fullmatch(text):
        begin, end = span.groups(default=span[1])
        return Number(text, _value(begin), _value(end), begin, end)
    if beyond := _OPEN.fullmatch(text):
        is_below, end = beyond.groups()
        low, high = (-math.inf, _value(end)) if is_below else (_value(end), math.inf)
        return Number(text, low, high, "" if is_below else end, end if is_below else "")
    return None


def _value(text: str) -> Fraction:
    return Fraction(text.replace(",", ".").replace("\N{MINUS SIGN}", "-"))


def numbers_of(replies: Mapping[int, str]) -> Numbers:
    """The replies that are numbers; none where these overlap, so that they have no order."""
    found = {place: number for place, text in replies.items() if (number := number_of(text))}
    in_order = all(one.low < other.low and one.high <= other.low for one, other in pairwise(found.values()))
    return found if in_order and all(one.low <= one.high for one in found.values()) else {}


def holding(text: str, replies: Iterable[str]) -> list[str] | None:
    """The replies that have a number, or some of a range, in them; None if the text is none, or no reply is. Less than
    4 is not 4."""
    said, numbers = number_of(text), {reply: number for reply in replies if (number := number_of(reply))}
    if said is None or not numbers:
        return None
    if said.begin and said.end:
        return [reply for reply, number in numbers.items() if number.low <= said.high and said.low <= number.high]
    return [reply for reply, number in numbers.items() if number.low < said.high and said.low < number.high]


def _one_of(reply: str, places: Sequence[int]) -> str:
    """A reply as one of several: in quotes where it might be taken for several itself."""
    return f'"{reply}"' if len(places) > 1 and re.search(", | or ", reply) else reply


def either_of(places: Sequence[int], replies: Mapping[int, str], numbers: Numbers) -> str:
    """Some of the replies as alternatives, neighbouring numbers as ranges: "none, 3 or 5-7"."""
    order = {place: number for number, place in enumerate(numbers)}
    runs: list[list[int]] = []
    for place in places:
        if place in order and runs and order.get(runs[-1][-1]) == order[place] - 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    texts = [
        _one_of(replies[run[0]], places) if len(run) == 1 else _range([numbers[place] for place in run]) for run in runs
    ]
    return either(texts, len(texts))


def _range(run: Sequence[Number]) -> str:
    first, last = run[0], run[-1]
    if first.begin and last.end:
        worded = any(" to " in number.text for number in run) or not first.begin[0].isdecimal()
        return f"{first.begin}{' to ' if worded else '-'}{last.end}"
    if first.begin:
        return or_more(first)
    return up_to(last) if last.end else either([number.text for number in run], len(run))


def up_to(number: Number) -> str:
    """Replies up to this one."""
    return f"up to {number.end}"


def or_more(number: Number, *, meets: bool = False) -> str:
    """Replies from this one on, whose least number may be that with which the one before ends."""
    return f"above {number.begin}" if meets else f"{number.begin} or more"


def alphabetic_depths(weights: Sequence[int]) -> list[int]:
    """The depths of leaves, in their order, of the binary tree with the least sum of weight x depth (Garsia and Wachs
    1977)."""
    nodes: list[tuple[int, Any]] = [(weight, leaf) for leaf, weight in enumerate(weights)]
    before, after = nodes[:1], nodes[:0:-1]  # the latter from its end
    while after:
        # Join the first two of which the one is no more than what follows the other.
        while len(after) > 1 and before[-1][0] > after[-2][0]:
            before.append(after.pop())
        (light, one), (heavy, other) = before.pop(), after.pop()
        # What is joined goes back, behind the last that is as much.
        while before and before[-1][0] < light + heavy:
            after.append(before.pop())
        after.append((light + heavy, (one, other)))
        if len(before) > 1:
            after.append(before.pop())
        elif not before:
            before.append(after.pop())
    depths, stack = [0] * len(weights), [(before[0][1], 0)]
    while stack:
        node, depth = stack.pop()
        if isinstance(node, tuple):
            stack += [(below, depth + 1) for below in node]
        else:
            depths[node] = depth
    return depths
