"""Inclusion-exclusion regions: guesses whose letters cut the candidates into many small regions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from optimal.baselines.classes import Codes, count_classes, largest_class
from optimal.baselines.protocol import Position, Scored, Scores, WordBaseline
from optimal.baselines.table import Ids
from optimal.errors import InputError
from optimal.games.feedback import quoted
from optimal.games.presets import CLASSIC_ANSWERS, NYT2022_ANSWERS, NYT2023_ANSWERS, file_order
from optimal.games.wordlists import sha256_of

VOWELS = frozenset("aeiou")


class Regions(Scored, WordBaseline):
    """Most nonzero regions, then the smallest largest region, then list order; places of letters are ignored.

    A region of a word holds the candidates that contain exactly these of its letters, letters guessed before
    left aside. Guesses are answers of the game. Turns 1 and 2 take any answer without a letter guessed
    before, turn 4 any without a consonant guessed before; other turns, and these when there is none, take a
    candidate.

    `order` is the list order: the answers as their shipped file has them ("file"), or "alphabetical".
    """

    title = "inclusion-exclusion regions of letters"
    ranked_by = "most regions, then smallest largest region"

    def __init__(self, openers: Sequence[str] = (), *, order: str = "file") -> None:
        super().__init__("regions", openers)
        if order not in ("file", "alphabetical"):
            raise InputError(f"unknown order {quoted(order)}: there are file and alphabetical")
        self.order = order

    def scores(self, position: Position) -> Scores:
        pool = self._pool(position)
        codes = _region_codes(position, pool)
        kinds = 1 << position.table.spelling.length
        number, largest = count_classes(codes, kinds), largest_class(codes, kinds)
        # One integer for both criteria: the largest region is smaller than the number of candidates + 1.
        values = (number * (len(position.ids) + 1) - largest).astype(np.float64)
        return Scores(pool, values, (("regions", number), ("largest_region", largest)))

    def picture(self, position: Position) -> RegionTable | None:
        guess = self.next_guess(position)
        fresh = "".join(letter for letter in dict.fromkeys(guess) if letter not in position.letters_guessed)
        return region_table(guess, position) if fresh else None

    def _pool(self, position: Position) -> Ids:
        ordered: Ids = position.table.memo(f"regions {self.order}", lambda: _in_order(position, self.order))
        legal = ordered if position.legal is None else ordered[np.isin(ordered, position.legal)]
        known = position.letters_guessed
        if len(position.ids) > 1 and position.turn in (1, 2, 4):
            letters = position.table.spelling
            avoided = letters.mask(known - VOWELS if position.turn == 4 else known)
            apart = legal[~letters.has[avoided][:, legal].any(axis=0)]
            if len(apart):
                return apart
        return ordered[np.isin(ordered, position.candidate_guesses)]


def _in_order(position: Position, order: str) -> Ids:
    game = position.game
    words: Sequence[str] = game.answers
    if order == "file":
        digest = sha256_of(game.answers)
        for shipped in (CLASSIC_ANSWERS, NYT2022_ANSWERS, NYT2023_ANSWERS):
            if shipped.sha256 == digest:
                words = file_order(shipped)
    return np.array([game.guess_index(word) for word in words])


def _region_codes(position: Position, pool: Ids) -> Codes:
    """Candidates x guesses: a bit for each letter of the guess that is new and in the candidate."""
    letters = position.table.spelling
    fresh = ~letters.mask(position.letters_guessed)
    inside = (letters.has[:, position.candidate_guesses] & fresh[:, None]).astype(np.uint16)
    codes = np.zeros((len(pool), len(position.ids)), dtype=np.uint16)
    for place in range(letters.length):
        # A letter that stands twice counts once, so a later copy adds no bit.
        bit = (letters.first[pool, place].astype(np.uint16) << place).astype(np.uint16)
        codes += inside[letters.of[pool, place]] * bit[:, None]
    transposed: Codes = codes.T
    return transposed


@dataclass(frozen=True)
class RegionTable:
    """The regions of a word: for each set of its letters, how many candidates contain just those of them."""

    word: str
    letters: str
    sizes: dict[str, int]  # keys: the letters contained, in alphabetical order; "" for none

    @property
    def nonzero(self) -> int:
        return sum(size > 0 for size in self.sizes.values())

    @property
    def largest(self) -> tuple[str, int]:
        """The letters of the largest region and its size."""
        return max(self.sizes.items(), key=lambda item: item[1])

    @property
    def empty(self) -> tuple[str, ...]:
        """The letters of the regions that hold nothing."""
        return tuple(key for key, size in self.sizes.items() if not size)

    def to_dict(self) -> dict[str, Any]:
        return {
            "word": self.word,
            "letters": self.letters,
            "nonzero": self.nonzero,
            "largest": {"letters": self.largest[0], "size": self.largest[1]},
            "regions": self.sizes,
        }

    @property
    def grid(self) -> tuple[list[str], list[str], list[list[int]]]:
        """Heads of rows and of columns, and the sizes: neighbours differ in one letter, whose cells hang together."""
        split = len(self.letters) // 2
        rows, columns = _neighbours(self.letters[:split]), _neighbours(self.letters[split:])
        sizes = [[self.sizes["".join(sorted(row + column))] for column in columns] for row in rows]
        heads = [_head(self.letters[:split], row) for row in rows]
        return heads, [_head(self.letters[split:], column) for column in columns], sizes

    def diagram(self) -> str:
        """The grid as text."""
        rows, columns, sizes = self.grid
        width = max(len(head) for head in columns) + 2
        lines = [" " * (len(rows[0]) + 1) + "".join(head.rjust(width) for head in columns)]
        for head, cells in zip(rows, sizes, strict=True):
            lines.append(head + " " + "".join(str(cell).rjust(width) for cell in cells))
        letters, size = self.largest
        lines.append("")
        lines.append(f"{self.word}: {self.nonzero} of {len(self.sizes)} regions hold candidates;")
        lines.append(f"the largest is {{{','.join(letters)}}} with {size}; a letter stands where it is contained")
        return "\n".join(lines) + "\n"


def _neighbours(letters: str) -> list[str]:
    # The reflected Gray code: each set of letters differs from the one before in one letter.
    found = [""]
    for letter in letters:
        found += [subset + letter for subset in reversed(found)]
    return found


def _head(letters: str, subset: str) -> str:
    return "".join(letter if letter in subset else "·" for letter in letters)


def region_table(word: str, position: Position) -> RegionTable:
    """The regions of a word among the candidates left; letters guessed before are left aside."""
    spelling = position.table.spelling
    if len(word) != spelling.length:
        raise InputError(f"word {quoted(word)} has {len(word)} letters: this game needs {spelling.length}")
    letters = "".join(letter for letter in dict.fromkeys(word) if letter not in position.letters_guessed)
    if not letters:
        raise InputError(f"every letter of {word!r} was guessed before, so it has no regions")
    keys = ["".join(sorted(s)) for k in range(len(letters) + 1) for s in combinations(letters, k)]
    sizes = dict.fromkeys(keys, 0)
    for candidate in position.candidates:
        sizes["".join(sorted(set(letters) & set(candidate)))] += 1
    return RegionTable(word, letters, sizes)
