"""Strategies by letter frequency, where the candidate with the commonest letters wins, and by popularity."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from optimal.baselines.classes import Ints
from optimal.baselines.position import Position
from optimal.baselines.strategy import Baseline, Scores
from optimal.baselines.view import Prior


class CandidateOrder(Baseline):
    """Guesses candidates alone, the best-scoring first, after one or two openers if they are given."""

    prior = Prior.GUESSES
    column = "score"

    def scores(self, position: Position) -> Scores:
        values = self.word_scores(position)
        return Scores(position.candidate_guesses, values, {self.column: values})

    @abstractmethod
    def word_scores(self, position: Position) -> Ints:
        """A score for each candidate left."""


class GlobalFrequency(CandidateOrder):
    """The candidate whose distinct letters stand in the most candidates, recounted every turn."""

    label = "global"
    title = "candidate with the commonest letters"
    ranked_by = "greatest sum of letter counts"

    def word_scores(self, position: Position) -> Ints:
        letters, words = position.view.letters, position.candidate_guesses
        return np.asarray((letters.containing(words)[letters.of[words]] * letters.first[words]).sum(axis=1))


class PositionalFrequency(CandidateOrder):
    """The candidate whose letters stand where most candidates have them; the first repeats no letter."""

    label = "positional"
    title = "candidate with the commonest letter at every place"
    ranked_by = "greatest sum of letter counts by place"

    def word_scores(self, position: Position) -> Ints:
        letters, words = position.view.letters, position.candidate_guesses
        scores: Ints = letters.at_places(words)[np.arange(letters.length), letters.of[words]].sum(axis=1)
        if not position.history:
            scores[~letters.first[words].all(axis=1)] -= letters.length * len(words)
        return scores


class Popularity(CandidateOrder):
    """The candidate that is commonest in print."""

    label = "popularity"
    title = "candidate that is commonest in print"
    ranked_by = "most frequent words"
    column = "frequency"
    needs_frequency = True

    def word_scores(self, position: Position) -> Ints:
        return position.view.frequency[position.ids].astype(np.int64)
