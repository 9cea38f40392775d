"""Keys as trees of parts, which are made better part by part: what the improvers of both kinds of tables share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Any, TypeVar


class Part:
    """What a key comes to, with the question asked of it (-1: none), what that costs, and what all costs from here
    on."""

    __slots__ = ("above", "below", "own", "question", "total")

    above: Any  # parts of one kind
    below: dict[int, Any]

    def __init__(self) -> None:
        self.question, self.own, self.total = -1, 0, 0
        self.below = {}


P = TypeVar("P", bound=Part)


def put(part: P, nodes: Sequence[int], split: Callable[[P], None]) -> None:
    """Ask of a part what these numbers say, which are as the searches' `build` has them. ``split`` makes the parts
    below one whose question is set, and says what that costs."""
    before, numbers = part.total, iter(nodes)
    made, waiting = [], [part]
    while waiting:
        at = waiting.pop()
        made.append(at)
        if at is not part:
            next(numbers)  # the code of its reply
        at.question, at.own, at.below = next(numbers), 0, {}
        if at.question >= 0:
            next(numbers)  # how many replies there are
            split(at)
            waiting += list(at.below.values())[::-1]
    for at in reversed(made):
        at.total = at.own + sum(below.total for below in at.below.values())
    above = part.above
    while above is not None:
        above.total += part.total - before
        above = above.above


def numbers_of(root: Part) -> list[int]:
    """The key in numbers."""
    nodes: list[int] = []
    waiting = [(-1, root)]
    while waiting:
        code, part = waiting.pop()
        nodes += [code] if code >= 0 else []
        nodes += [part.question, len(part.below)] if part.question >= 0 else [-1]
        waiting += list(part.below.items())[::-1]
    return nodes


def efforts(
    first: Sequence[tuple[int, int, int]], step: int, questions: int, objects: int
) -> Iterator[tuple[int, int, int]]:
    """First questions tried, the objects up to which parts are searched exactly, and steps: these, then more, up to all
    questions and ``objects``; ``step`` is how many of the latter come at a time."""
    for effort in count():
        more = max(0, effort - len(first) + 1)
        many, solved, work = first[min(effort, len(first) - 1)]
        many, solved, work = many << more, solved + step * more, work << more
        yield many, solved, work
        if many >= questions and solved >= objects:
            return
