"""Tables that are made, not read: sorting by comparisons, and a false coin among others on a pair of scales."""

from __future__ import annotations

import re
from itertools import combinations, permutations

from optimal.errors import InputError
from optimal.show.words import quoted

#: How many things may be sorted, and how many coins there may be; a table of more would be too large.
MOST = {"sorting": 8, "coins": 12}


def made(name: str) -> list[list[str]] | None:
    """The rows of a table of these names, such as "sorting:5" or "coins:12"; None for other names."""
    found = re.fullmatch(r"(sorting|coins):(.*)", name)
    if found is None:
        return None
    kind, digits = found[1], found[2]
    if not re.fullmatch("[1-9][0-9]?", digits) or not 3 <= int(digits) <= MOST[kind]:
        raise InputError(f"{kind}:N has N from 3 to {MOST[kind]}, not {quoted(digits)}")
    return (_sorting if kind == "sorting" else _coins)(int(digits))


def _sorting(things: int) -> list[list[str]]:
    """Every order of things a, b, c and so on, the least first; asked is which of two is less."""
    names = "abcdefgh"[:things]
    pairs = list(combinations(names, 2))
    rows = [["", *(f"{one} or {other}" for one, other in pairs)]]
    for order in permutations(names):
        place = {name: number for number, name in enumerate(order)}
        rows.append([" ".join(order), *(one if place[one] < place[other] else other for one, other in pairs)])
    return rows


def _coins(coins: int) -> list[list[str]]:
    """One coin is too heavy or too light; asked is which of two pans with as many coins goes down."""
    weighings = [
        (left, right)
        for size in range(1, coins // 2 + 1)
        for left in combinations(range(1, coins + 1), size)
        for right in combinations([coin for coin in range(left[0] + 1, coins + 1) if coin not in left], size)
    ]
    rows = [["", *(f"{' '.join(map(str, left))} against {' '.join(map(str, right))}" for left, right in weighings)]]
    for coin in range(1, coins + 1):
        for what, sides in (("heavy", ("left", "right")), ("light", ("right", "left"))):
            replies = (sides[0] if coin in left else sides[1] if coin in right else "even" for left, right in weighings)
            rows.append([f"{coin} is {what}", *replies])
    return rows
