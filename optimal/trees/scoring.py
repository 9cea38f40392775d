"""Feedback a second time, straight from the rules of the games, for whoever must not trust the first.

`score_word`, `score_pegs` and `score_blacks` tell the reply to one guess for one answer. `WordSets` and its like tell
it for whole sets of words at once, which takes a few steps for each letter of the guess and not one for each word; so
a replay of a tree as deep as it has answers takes no longer than that of any other. A test compares the two. `TWINS`
names the kinds of feedback that are known here. Nothing here comes from the rest of the package.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass

MOST_LETTERS = 128  # letters whose sets are kept; 65536 words of ten letters need 160 kB for each


def score_word(guess: str, answer: str) -> int:
    """Word feedback by its definition.

    A letter that is not in place is yellow when the answer still has a copy for it: one that no green took,
    and that no earlier copy in the guess was given.
    """
    code = 0
    for place, letter in enumerate(guess):
        if answer[place] == letter:
            code += 2 * 3**place
            continue
        free = sum(theirs == letter != ours for ours, theirs in zip(guess, answer, strict=True))
        earlier = sum(guess[i] == letter != answer[i] for i in range(place))
        if earlier < free:
            code += 3**place
    return code


def score_pegs(guess: str, answer: str) -> int:
    """Mastermind, and Bulls and Cows: places that agree, then symbols in common at other places."""
    blacks = sum(ours == theirs for ours, theirs in zip(guess, answer, strict=True))
    common = sum(min(guess.count(symbol), answer.count(symbol)) for symbol in set(guess))
    return blacks * (len(guess) + 1) + common - blacks


def score_blacks(guess: str, answer: str) -> int:
    """Black pegs alone: places that agree."""
    return [ours == theirs for ours, theirs in zip(guess, answer, strict=True)].count(True)


class LetterSets(ABC):
    """Words of one length, and sets of them: bit i of a set, which is an integer, stands for word i."""

    def __init__(self, words: Sequence[str]) -> None:
        self._size = len(words) // 8 + 1  # bytes of a set
        self._places = len(words[0]) if words else 1
        # Letter -> where it stands: word * places + place, in increasing order.
        self._where: dict[str, array[int]] = {}
        for number, word in enumerate(words):
            for place, letter in enumerate(word):
                self._where.setdefault(letter, array("L")).append(number * self._places + place)
        self._known: dict[str, tuple[dict[int, int], dict[int, int]]] = {}

    @abstractmethod
    def split(self, guess: str, among: int) -> dict[int, int]:
        """The words of a set by the code that they give the guess; no part is empty."""

    def letter(self, letter: str) -> tuple[dict[int, int], dict[int, int]]:
        """Place -> the words that have the letter there, and m -> the words that have m copies of it or more."""
        found = self._known.get(letter)
        if found is None:
            there: dict[int, bytearray] = {}
            copies: dict[int, bytearray] = {}
            last, copy = -1, 0
            for entry in self._where.get(letter, ()):
                number, place = divmod(entry, self._places)
                copy = copy + 1 if number == last else 1
                last = number
                for sets, key in ((there, place), (copies, copy)):
                    sets.setdefault(key, bytearray(self._size))[number >> 3] |= 1 << (number & 7)
            if len(self._known) >= MOST_LETTERS:
                self._known.clear()
            found = self._known[letter] = (_as_sets(there), _as_sets(copies))
        return found


class WordSets(LetterSets):
    def split(self, guess: str, among: int) -> dict[int, int]:
        # Greens first, over all places.
        parts = {0: among}
        for place, letter in enumerate(guess):
            parts = _cut(parts, self.letter(letter)[0].get(place, 0), 2 * 3**place)
        # In each part the greens are known. A copy that is not green is yellow when the answer has a copy for it
        # beside those for all greens of the letter and for its earlier copies.
        classes: dict[int, int] = {}
        for greens, part in parts.items():
            green = [greens // 3**place % 3 == 2 for place in range(len(guess))]
            needed = dict.fromkeys(guess, 0)
            for place, letter in enumerate(guess):
                needed[letter] += green[place]
            below = {greens: part}
            for place, letter in enumerate(guess):
                if not green[place]:
                    needed[letter] += 1
                    below = _cut(below, self.letter(letter)[1].get(needed[letter], 0), 3**place)
            classes |= below
        return classes


class PegSets(LetterSets):
    def split(self, guess: str, among: int) -> dict[int, int]:
        # Code = blacks x (places + 1) + common - blacks = blacks x places + common: a sum over places and copies.
        parts = {0: among}
        copies = dict.fromkeys(guess, 0)
        for place, symbol in enumerate(guess):
            parts = _cut(parts, self.letter(symbol)[0].get(place, 0), len(guess))
            copies[symbol] += 1
            parts = _cut(parts, self.letter(symbol)[1].get(copies[symbol], 0), 1)
        return parts


class BlackSets(LetterSets):
    def split(self, guess: str, among: int) -> dict[int, int]:
        parts = {0: among}
        for place, symbol in enumerate(guess):
            parts = _cut(parts, self.letter(symbol)[0].get(place, 0), 1)
        return parts


@dataclass(frozen=True)
class Twin:
    """A kind of feedback as it is known here."""

    places: str  # the parameter of the kind that tells how many symbols a guess has
    winning: Callable[[int], int]  # the code of a right guess of so many
    score: Callable[[str, str], int]
    sets: type[LetterSets]


TWINS = {
    "words": Twin("length", lambda places: 3**places - 1, score_word, WordSets),
    "mastermind": Twin("pegs", lambda places: places * (places + 1), score_pegs, PegSets),
    "bulls-and-cows": Twin("digits", lambda places: places * (places + 1), score_pegs, PegSets),
    "black-pegs": Twin("pegs", lambda places: places, score_blacks, BlackSets),
}


def _cut(parts: dict[int, int], chosen: int, worth: int) -> dict[int, int]:
    """The parts anew, with `worth` added to the code of the words that are chosen."""
    if not chosen:
        return parts
    cut: dict[int, int] = {}
    for code, part in parts.items():
        inside = part & chosen
        if inside:
            cut[code + worth] = cut.get(code + worth, 0) | inside
        if inside != part:
            cut[code] = cut.get(code, 0) | (part ^ inside)
    return cut


def _as_sets(sets: dict[int, bytearray]) -> dict[int, int]:
    return {key: int.from_bytes(bits, "little") for key, bits in sets.items()}
