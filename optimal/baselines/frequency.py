"""Strategies by letter frequency, where the candidate with the commonest letters wins, and by popularity."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from optimal.baselines.classes import Floats, Ints
from optimal.baselines.information import frequency_of, without_frequency
from optimal.baselines.protocol import Position, Scored, Scores, WordBaseline, spelling
from optimal.baselines.table import Ids, Prior
from optimal.errors import InputError
from optimal.games.feedback import quoted
from optimal.games.game import Game

VOWELS = frozenset("aeiou")


def letter_counts(position: Position) -> dict[str, int]:
    """How many candidates contain each letter, the commonest first."""
    symbols = position.table.spelling.symbols
    counts = dict(zip(symbols, _containing(position).tolist(), strict=True))
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def place_counts(position: Position) -> tuple[dict[str, int], ...]:
    """For each place, how many candidates have each letter there, the commonest first."""
    symbols = position.table.spelling.symbols
    found = []
    for row in _at_places(position).tolist():
        counts = dict(zip(symbols, row, strict=True))
        found.append(dict(sorted(counts.items(), key=lambda item: (-item[1], item[0]))))
    return tuple(found)


def _containing(position: Position) -> Ints:
    letters = position.table.spelling
    counts: Ints = letters.has[:, position.candidate_guesses].sum(axis=1)
    return counts


def _at_places(position: Position) -> Ints:
    letters, of = spelling(position)
    kinds = len(letters.symbols)
    return np.stack([np.bincount(of[:, place], minlength=kinds) for place in range(letters.length)])


class CandidateOrder(Scored, WordBaseline):
    """Guesses candidates alone, the best-scoring first, after one or two openers if they are given."""

    prior = Prior.GUESSES

    column = "score"

    def scores(self, position: Position) -> Scores:
        pool = position.candidate_guesses
        values = self.word_scores(position)
        return Scores(pool, values, ((self.column, values.astype(np.int64)),))

    @abstractmethod
    def word_scores(self, position: Position) -> Floats:
        """A score for each candidate left."""


class GlobalFrequency(CandidateOrder):
    """The candidate whose distinct letters stand in the most candidates, recounted every turn."""

    title = "candidate with the commonest letters"
    ranked_by = "greatest sum of letter counts"

    def __init__(self, openers: Sequence[str] = ()) -> None:
        super().__init__("global", openers)

    def word_scores(self, position: Position) -> Floats:
        letters, of = spelling(position)
        counts = _containing(position)
        return np.asarray((counts[of] * letters.first[position.candidate_guesses]).sum(axis=1), dtype=np.float64)


class PositionalFrequency(CandidateOrder):
    """The candidate whose letters stand where most candidates have them; the first repeats no letter."""

    title = "candidate with the commonest letter at every place"
    ranked_by = "greatest sum of letter counts by place"

    def __init__(self, openers: Sequence[str] = ()) -> None:
        super().__init__("positional", openers)

    def word_scores(self, position: Position) -> Floats:
        letters, of = spelling(position)
        counts = _at_places(position)
        values = counts[np.arange(letters.length), of].sum(axis=1).astype(np.float64)
        if not position.history:
            values[~letters.first[position.candidate_guesses].all(axis=1)] -= letters.length * len(of)
        return np.asarray(values)


class Popularity(CandidateOrder):
    """The candidate that is commonest in print."""

    title = "candidate that is commonest in print"
    ranked_by = "most frequent words"
    column = "frequency"

    def __init__(self, openers: Sequence[str] = (), frequency: Mapping[str, int] | None = None) -> None:
        super().__init__("popularity", openers)
        self.frequency = frequency

    def unfit(self, game: Game) -> str | None:
        return super().unfit(game) or without_frequency(self.name, game, self.frequency)

    def word_scores(self, position: Position) -> Floats:
        return np.asarray(frequency_of(position.table, self.frequency)[position.ids])


@dataclass(frozen=True)
class LetterWord:
    """A word with the sum of the counts of its distinct letters."""

    word: str
    score: int


def best_letter_words(position: Position, top: int = 10) -> tuple[LetterWord, ...]:
    """The candidates with the commonest letters; of words with the same letters the first alone."""
    return _one_per_anagram(position, np.arange(len(position.ids)), top)


def second_letter_words(position: Position, first: str, top: int = 3, vowels: int = 2) -> tuple[LetterWord, ...]:
    """The best words to follow `first`: no letter in common with it, and so many different vowels or more."""
    letters = position.table.spelling
    if len(first) != letters.length:
        raise InputError(f"guess {quoted(first)} has {len(first)} letters: this game needs {letters.length}")
    mine = letters.has[:, position.candidate_guesses]
    apart = ~mine[letters.mask(set(first))].any(axis=0)
    enough = mine[letters.mask(VOWELS)].sum(axis=0) >= vowels
    return _one_per_anagram(position, np.flatnonzero(apart & enough), top)


def _one_per_anagram(position: Position, places: Ids, top: int) -> tuple[LetterWord, ...]:
    scores = GlobalFrequency().word_scores(position)[places]
    found: dict[str, LetterWord] = {}
    for i in np.argsort(-scores, kind="stable").tolist():
        word = position.candidates[int(places[i])]
        found.setdefault("".join(sorted(word)), LetterWord(word, int(scores[i])))
        if len(found) == top:
            break
    return tuple(found.values())
