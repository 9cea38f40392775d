"""Sets of answers, and their feedback classes, for `verify`: scored by `trees/scoring.py` or by a matrix alone."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from itertools import compress
from typing import TYPE_CHECKING, Generic, TypeVar

from optimal.trees.scoring import Twin

if TYPE_CHECKING:
    from optimal.trees.tree import Scorer

#: Words of a set that are told faster by looking at every bit.
MANY = 32

Set = TypeVar("Set")


class AnswerSets(ABC, Generic[Set]):
    """Sets of answers, and under ultra-hard rules of guesses beside them, to be split by feedback."""

    everything: Set
    answers: Set  # all of them
    none: Set

    @abstractmethod
    def split(self, guess: str, among: Set) -> dict[int, Set]:
        """The set by the code that each word gives the guess; no part is empty."""

    @abstractmethod
    def answers_in(self, among: Set) -> Iterator[str]: ...

    @abstractmethod
    def count(self, among: Set) -> int:
        """How many answers are in it."""

    @abstractmethod
    def holds(self, among: Set, word: str) -> bool: ...

    @abstractmethod
    def join(self, one: Set, other: Set) -> Set: ...

    @abstractmethod
    def score(self, guess: str, word: str) -> int:
        """The code of one pair."""


class SpelledSets(AnswerSets[int]):
    """Sets as integers, bit i for word i, scored as a whole by their letters."""

    def __init__(self, words: Sequence[str], answers: int, twin: Twin) -> None:
        self.words = words
        self.bit_of = {word: 1 << number for number, word in enumerate(words)}
        self.everything, self.answers, self.none = (1 << len(words)) - 1, (1 << answers) - 1, 0
        self.sets, self.score_pair = twin.sets(words), twin.score

    def split(self, guess: str, among: int) -> dict[int, int]:
        return self.sets.split(guess, among) if among else {}

    def answers_in(self, among: int) -> Iterator[str]:
        left = among & self.answers
        if left.bit_count() > MANY:
            yield from compress(self.words, map(int, f"{left:b}"[::-1]))
            return
        while left:
            number = (left & -left).bit_length() - 1
            yield self.words[number]
            left ^= 1 << number

    def count(self, among: int) -> int:
        return (among & self.answers).bit_count()

    def holds(self, among: int, word: str) -> bool:
        return bool(among & self.bit_of[word])

    def join(self, one: int, other: int) -> int:
        return one | other

    def score(self, guess: str, word: str) -> int:
        return self.score_pair(guess, word)


class ListedSets(AnswerSets[tuple[str, ...]]):
    """Sets as lists of words, scored one by one: for a bare matrix, or a kind of feedback without a twin."""

    def __init__(self, words: Sequence[str], answers: int, scorer: Scorer) -> None:
        self.everything, self.answers, self.none = tuple(words), tuple(words[:answers]), ()
        self.are_answers = frozenset(self.answers)
        self.scorer = scorer

    def split(self, guess: str, among: tuple[str, ...]) -> dict[int, tuple[str, ...]]:
        classes: dict[int, list[str]] = {}
        for word in among:
            classes.setdefault(self.scorer(guess, word), []).append(word)
        return {code: tuple(part) for code, part in classes.items()}

    def answers_in(self, among: tuple[str, ...]) -> Iterator[str]:
        return (word for word in among if word in self.are_answers)

    def count(self, among: tuple[str, ...]) -> int:
        return sum(word in self.are_answers for word in among)

    def holds(self, among: tuple[str, ...], word: str) -> bool:
        return word in among

    def join(self, one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one + other))

    def score(self, guess: str, word: str) -> int:
        return self.scorer(guess, word)
