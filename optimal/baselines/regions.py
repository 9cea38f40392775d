"""Inclusion-exclusion regions: guesses whose letters cut the candidates into many small regions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np

from optimal.baselines.classes import Codes, count_classes, largest_class
from optimal.baselines.position import Position
from optimal.baselines.strategy import Baseline, Scores
from optimal.baselines.view import Ids, View
from optimal.checks import check_choice
from optimal.errors import InputError
from optimal.games.presets import CLASSIC_ANSWERS, NYT2022_ANSWERS, NYT2023_ANSWERS, file_order
from optimal.show.words import quoted

VOWELS = frozenset("aeiou")


class Regions(Baseline):
    """Most nonzero regions, then the smallest largest region, then list order; places of letters are ignored.

    A region of a word holds the candidates that contain exactly these of its letters, letters guessed before
    left aside. Guesses are answers of the game. Turns 1 and 2 take any answer without a letter guessed
    before, turn 4 any without a consonant guessed before; other turns, and these when there is none, take a
    candidate.

    `order` is the list order: the answers as their shipped file has them ("file"), or "alphabetical".
    """

    label = "regions"
    title = "inclusion-exclusion regions of letters"
    ranked_by = "most regions, then smallest largest region"

    def __init__(self, openers: Sequence[str] = (), *, order: str = "file") -> None:
        super().__init__(openers)
        self.order = check_choice(order, "order", ("file", "alphabetical"))

    def scores(self, position: Position) -> Scores:
        pool = self._pool(position)
        codes = _region_codes(position, pool)
        kinds = 1 << position.view.letters.length
        number, largest = count_classes(codes, kinds), largest_class(codes, kinds)
        # One integer for both criteria: the largest region is smaller than the number of candidates + 1.
        values = number * (len(position.ids) + 1) - largest
        return Scores(pool, values, {"regions": number, "largest_region": largest})

    def picture(self, position: Position) -> RegionTable | None:
        """The regions of its guess; None where all letters of it were guessed before."""
        guess = self.next_guess(position)
        return region_table(guess, position) if set(guess) - position.letters_guessed else None

    def _pool(self, position: Position) -> Ids:
        ordered = _in_order(position.view, self.order)
        if len(position.ids) > 1 and position.turn in (1, 2, 4):
            legal = ordered if position.legal is None else ordered[np.isin(ordered, position.legal)]
            letters, known = position.view.letters, position.letters_guessed
            avoided = letters.mask(known - VOWELS if position.turn == 4 else known)
            apart = legal[~letters.has[avoided][:, legal].any(axis=0)]
            if len(apart):
                return apart
        return ordered[np.isin(ordered, position.candidate_guesses)]


@lru_cache(maxsize=4)
def _in_order(view: View, order: str) -> Ids:
    game = view.game  # whose hash takes longer than a view's
    words: Sequence[str] = game.answers
    if order == "file":
        for shipped in (CLASSIC_ANSWERS, NYT2022_ANSWERS, NYT2023_ANSWERS):
            if shipped.sha256 == game.info.answers_sha256:
                words = file_order(shipped)
    return np.array([game.guess_index(word) for word in words])


def _region_codes(position: Position, pool: Ids) -> Codes:
    """Candidates x guesses: a bit for each letter of the guess that is new and in the candidate."""
    letters = position.view.letters
    fresh = ~letters.mask(position.letters_guessed)
    inside = (letters.has[:, position.candidate_guesses] & fresh[:, None]).astype(np.uint16)
    codes = np.zeros((len(pool), len(position.ids)), dtype=np.uint16)
    for place in range(letters.length):
        # A letter that stands twice counts once, so a later copy adds no bit.
        bit = (letters.first[pool, place].astype(np.uint16) << place).astype(np.uint16)
        codes += inside[letters.of[pool, place]] * bit[:, None]
    return np.asarray(codes.T)


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
        width = max(map(len, columns)) + 2
        table = [(" " * len(rows[0]), columns), *((row, map(str, line)) for row, line in zip(rows, sizes, strict=True))]
        lines = [f"{head} " + "".join(cell.rjust(width) for cell in cells) for head, cells in table]
        letters, size = self.largest
        lines.append(f"\n{self.word}: {self.nonzero} of {len(self.sizes)} regions hold candidates;")
        lines.append(f"the largest is {{{','.join(letters)}}} with {size}; a letter stands where it is contained\n")
        return "\n".join(lines)


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
    length = position.view.letters.length
    if len(word) != length:
        raise InputError(f"word {quoted(word)} has {len(word)} letters: this game needs {length}")
    letters = "".join(letter for letter in dict.fromkeys(word) if letter not in position.letters_guessed)
    if not letters:
        raise InputError(f"every letter of {word!r} was guessed before, so it has no regions")
    sizes = {"".join(sorted(some)): 0 for k in range(len(letters) + 1) for some in combinations(letters, k)}
    for candidate in position.candidates:
        sizes["".join(sorted(set(letters) & set(candidate)))] += 1
    return RegionTable(word, letters, sizes)
