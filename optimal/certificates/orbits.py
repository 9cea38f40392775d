"""Orbits of guesses in peg games, under the moves of places and renamings of symbols that keep the guesses made. The
feedback to these is the same then, so the map carries the answers left to answers left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
import numpy.typing as npt

from optimal.certificates.board import Board, Integers

#: With more places there are too many orders to try: only symbols are renamed.
_PLACES = 5
#: An order of the places, and new names of the symbols used.
_Keeping = tuple[tuple[int, ...], dict[int, int]]


@dataclass(frozen=True)
class Map:
    """Maps a code to the one whose symbol at i is that at places[i], renamed."""

    places: tuple[int, ...]
    names: tuple[int, ...]

    def after(self, first: Map) -> Map:
        """Return the composition of the maps, `first` first."""
        return Map(tuple(first.places[p] for p in self.places), tuple(self.names[name] for name in first.names))

    def inverse(self) -> Map:
        return Map(tuple(np.argsort(self.places).tolist()), tuple(np.argsort(self.names).tolist()))

    @property
    def numbers(self) -> tuple[int, ...]:
        """The map as encoded in a certificate."""
        return (*self.places, *self.names)


def likes(board: Board, made: Sequence[int], guesses: Integers) -> dict[int, tuple[int, Map]]:
    """Return those of the guesses, in rising order, that a map which keeps the guesses made carries to an earlier one:
    that one, and the map."""
    symbols = board.copies.shape[1]
    used = sorted({symbol for guess in made for symbol in board.symbols[guess].tolist()})
    free = [symbol for symbol in range(symbols) if symbol not in used]
    keeping = _keeping(board, made)
    if len(keeping) == 1 and len(free) < 2:
        return {}
    images = np.stack([_images(board, places, names, free, guesses) for places, names in keeping])
    best = images.argmin(axis=0).tolist()
    found: dict[int, tuple[int, Map]] = {}
    first: dict[int, tuple[int, int]] = {}
    for guess, which, image in zip(guesses.tolist(), best, images.min(axis=0).tolist(), strict=True):
        other, how = first.setdefault(image, (guess, which))
        if other != guess:
            there = _completed(board, keeping[how], free, other)
            found[guess] = (other, _completed(board, keeping[which], free, guess).inverse().after(there))
    return found


def _keeping(board: Board, made: Sequence[int]) -> list[_Keeping]:
    """Return orders of the places, each with the names of symbols that keep the guesses made."""
    words = [board.symbols[guess].tolist() for guess in made]
    orders = permutations(range(board.places)) if board.places <= _PLACES else [tuple(range(board.places))]
    found = []
    for places in orders:
        pairs = {(word[places[i]], word[i]) for word in words for i in range(board.places)}
        names = dict(pairs)
        if len(names) == len(set(names.values())) == len(pairs):
            found.append((places, names))
    return found


def _images(
    board: Board, places: Sequence[int], names: dict[int, int], free: list[int], guesses: Integers
) -> npt.NDArray[np.int64]:
    """Return the guesses, so moved and renamed, as numbers; symbols without a name get the free ones in order."""
    moved = board.symbols[guesses][:, places]
    renamed = np.full(moved.shape, -1)
    for old, new in names.items():
        renamed[moved == old] = new
    given = np.zeros(len(moved), dtype=np.int64)
    unnamed = np.array([*free, 0])
    for place in range(board.places):
        met = renamed[:, place] < 0
        for before in range(place):
            same = met & (moved[:, before] == moved[:, place])
            renamed[same, place] = renamed[same, before]
            met &= ~same
        renamed[met, place] = unnamed[given[met]]
        given[met] += 1
    return np.asarray(renamed @ board.copies.shape[1] ** np.arange(board.places)[::-1], dtype=np.int64)


def _completed(board: Board, kept: _Keeping, free: list[int], guess: int) -> Map:
    """Return the map by which `_images` carries this guess."""
    places, names = kept
    word = board.symbols[guess].tolist()
    unnamed = list(dict.fromkeys(word[place] for place in places if word[place] in free))
    unnamed += [symbol for symbol in free if symbol not in unnamed]
    every = {**names, **dict(zip(unnamed, free, strict=True))}
    return Map(places, tuple(every[symbol] for symbol in range(board.copies.shape[1])))
