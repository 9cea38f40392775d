"""Guesses of a peg game that are equivalent at a position by a symmetry of the game.

Below a first guess the search itself skips equivalent guesses (ext/game/automorphisms.h), one at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, permutations

#: Orders of the places to try, and forms of guesses to compare. In a larger game some symmetries go unused, which only
#: costs time.
MOST_ORDERS = 5040
MOST_FORMS = 300_000


def representatives(past: Sequence[str], guesses: Sequence[str]) -> dict[int, int]:
    """Map each guess, by index, to the first equivalent one in list order after the past guesses.

    A permutation of places and a renaming of symbols, applied to all codes, keep every feedback. If they keep the past
    guesses too, they map the candidates, whatever the feedback was, to themselves, and trees to trees of the same
    value. All codes of the game must be possible answers at its start, of equal weight. Before any guess, two are
    equivalent if their symbols occur equally often.
    """
    if not past:
        return _first_of([tuple(sorted(guess.count(symbol) for symbol in set(guess))) for guess in guesses])
    places = range(len(guesses[0]) if guesses else 0)
    named = _renamed(past, places, {})[0]
    orders = []
    for order in islice(permutations(places), MOST_ORDERS):
        moved, names = _renamed(past, order, {})
        if moved == named:
            orders.append((order, names))
    orders = orders[: max(1, MOST_FORMS // max(1, len(guesses)))]
    return _first_of([min(_renamed([guess], order, names)[0] for order, names in orders) for guess in guesses])


def different_pairs(guesses: Sequence[str], firsts: Sequence[int]) -> list[list[int]]:
    """Return for each first guess the others that make pairs with it, so that a symmetry maps every pair to one of
    these, and as far as all are tried to no more. The first guesses are those that stand for all at the start."""
    kind, ranks = representatives((), guesses), {first: rank for rank, first in enumerate(firsts)}
    places, symbols, found = {guess: at for at, guess in enumerate(guesses)}, sorted(set("".join(guesses))), []
    for first, rank in ranks.items():
        name, after, others = guesses[first], representatives([guesses[first]], guesses), []
        for other in dict.fromkeys(after.values()):
            if kind[other] == first != other:
                # The same pair from its other side: the lesser of the two is kept.
                if other <= after[places[_moved(name, guesses[other], name, symbols)]]:
                    others.append(other)
            elif ranks[kind[other]] > rank:
                others.append(other)
        found.append(others)
    return found


def _moved(guess: str, one: str, other: str, symbols: Sequence[str]) -> str:
    """Return a guess under a symmetry of the game that maps one guess to another."""
    here, there = _by_frequency(one), _by_frequency(other)
    names = {one[before]: other[after] for before, after in zip(here, there, strict=True)}
    taken = set(names.values())
    names |= zip((s for s in symbols if s not in names), (s for s in symbols if s not in taken), strict=True)
    return "".join(names[guess[before]] for _, before in sorted(zip(there, here, strict=True)))


def _by_frequency(guess: str) -> list[int]:
    """Return the places of a guess, symbol by symbol, the most frequent first."""
    return sorted(range(len(guess)), key=lambda at: (-guess.count(guess[at]), guess.index(guess[at])))


def _first_of(forms: Sequence[tuple[int, ...]]) -> dict[int, int]:
    """Map each number to the first of the same form."""
    first: dict[tuple[int, ...], int] = {}
    return {number: first.setdefault(form, number) for number, form in enumerate(forms)}


def _renamed(
    words: Sequence[str], order: Sequence[int], names: dict[str, int]
) -> tuple[tuple[int, ...], dict[str, int]]:
    """Return the words' symbols in this order of places, as numbers by first occurrence; and the names so far."""
    names = dict(names)
    return tuple(names.setdefault(word[place], len(names)) for word in words for place in order), names
