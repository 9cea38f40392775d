"""Guesses of a peg game that are worth the same at a position, because a symmetry of the game swaps them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, permutations

#: Orders of the places to look at, and forms of guesses to compare. In a game too large for that some of the
#: symmetry goes unused, which costs time later and nothing else.
MOST_ORDERS = 5040
MOST_FORMS = 300_000


def representatives(past: Sequence[str], guesses: Sequence[str]) -> dict[int, int]:
    """For each guess, by index, the first in list order of those that are worth the same after the past guesses.

    Moving the places and renaming the symbols of all codes alike leaves every feedback as it is. Where that leaves
    the past guesses as they are too, it maps the candidates, whatever the feedback was, to themselves, and trees to
    trees of the same value. All codes of the game must be possible answers at its start, of one weight.
    """
    places = range(len(guesses[0]) if guesses else 0)
    named = _renamed(past, places, {})[0]
    orders = []
    for order in islice(permutations(places), MOST_ORDERS):
        moved, names = _renamed(past, order, {})
        if moved == named:
            orders.append((order, names))
    orders = orders[: max(1, MOST_FORMS // max(1, len(guesses)))]
    first: dict[tuple[int, ...], int] = {}
    found = {}
    for number, guess in enumerate(guesses):
        form = min(_renamed([guess], order, names)[0] for order, names in orders)
        found[number] = first.setdefault(form, number)
    return found


def _renamed(
    words: Sequence[str], order: Sequence[int], names: dict[str, int]
) -> tuple[tuple[int, ...], dict[str, int]]:
    """The words' symbols in this order of places, as numbers by first occurrence; and the names so far."""
    names = dict(names)
    return tuple(names.setdefault(word[place], len(names)) for word in words for place in order), names
