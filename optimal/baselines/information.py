"""Strategies that look one guess ahead: the entropy of the feedback and its plainer relatives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from optimal.baselines.classes import (
    Codes,
    Floats,
    bits,
    count_classes,
    entropy,
    expected_size,
    largest_class,
    weighted_entropy,
)
from optimal.baselines.position import Position
from optimal.baselines.strategy import Baseline, Ranking, Scores
from optimal.baselines.view import Ids, Prior

#: What a guess that can be the answer gains: enough to settle ties, too little to settle anything else.
BONUS = 1e-6

_DIGITS = 9  # scores equal to this many digits count as equal


class Measure(NamedTuple):
    """What a guess is judged by: the feedback classes that it makes of the candidates."""

    title: str
    ranked_by: str
    column: str
    sign: int  # -1 where less is better
    of: Callable[[Codes, int], npt.NDArray[Any]]


MEASURES = {
    "entropy": Measure("most informative guess", "most informative guesses", "bits", 1, entropy),
    "expected-size": Measure(
        "fewest candidates left on average", "least candidates left on average", "expected_left", -1, expected_size
    ),
    "minimax": Measure("smallest largest feedback class", "least largest class", "largest_class", -1, largest_class),
    "most-classes": Measure("most feedback classes", "most feedback classes", "classes", 1, count_classes),
}


def measure(position: Position, name: str, pool: Ids | None = None) -> npt.NDArray[Any]:
    """For each guess (all, or those in `pool`): bits, expected candidates left, largest class or classes."""
    return MEASURES[name].of(position.codes(pool), position.view.code_count)


class Greedy(Baseline):
    """The guess that is best by one measure; a guess that can be the answer wins ties.

    The prior "guesses" takes every guess for a possible answer, as one who knows no list of answers would.
    """

    needs_words = False

    def __init__(self, measure: str = "entropy", prior: Prior = Prior.ANSWERS, openers: Sequence[str] = ()) -> None:
        super().__init__(openers)
        self.measure, self.prior = measure, prior
        self.label, self.title, self.ranked_by = measure, MEASURES[measure].title, MEASURES[measure].ranked_by
        if prior is Prior.GUESSES:
            self.label, self.title = f"{measure}-all", f"{self.title} if every guess could be the answer"

    def scores(self, position: Position) -> Scores:
        values = measure(position, self.measure, position.legal)
        by = MEASURES[self.measure]
        return Scores(position.pool, with_bonus(position, by.sign * values), {by.column: values})


def with_bonus(position: Position, values: npt.NDArray[Any]) -> Floats:
    """Values of the legal guesses, rounded so that equal ones are equal, plus the bonus of the candidates."""
    bonus = np.zeros(len(position.game.guesses))
    bonus[position.candidate_guesses] = BONUS
    return np.round(values, _DIGITS) + bonus[position.pool]


class LetterEntropy(Baseline):
    """Each letter at each place on its own: the entropy of green, yellow and black, summed over the word.

    A letter that stood earlier in the guess is taken to bring no yellow. `repeats=True` drops that exception.
    """

    label = "letters"
    title = "entropy of green, yellow and black, letter by letter"
    ranked_by = "greatest sum of letter entropies"
    prior = Prior.GUESSES

    def __init__(self, openers: Sequence[str] = (), *, repeats: bool = False) -> None:
        super().__init__(openers)
        self.repeats = repeats

    def scores(self, position: Position) -> Scores:
        letters, words, pool = position.view.letters, position.candidate_guesses, position.pool
        green = letters.at_places(words) / len(words)
        yellow = letters.containing(words) / len(words) - green
        fresh = _entropy3(green, yellow)
        again = fresh if self.repeats else _entropy3(green, np.zeros_like(green))
        values = np.zeros(len(pool))
        for place in range(letters.length):
            mine = letters.of[pool, place]
            values += np.where(letters.first[pool, place], fresh[place, mine], again[place, mine])
        return Scores(pool, with_bonus(position, values), {"bits": values})


def _entropy3(green: Floats, yellow: Floats) -> Floats:
    # Rounding may leave a share just below 0, which stands for 0.
    return bits(green, 1e-12) + bits(yellow, 1e-12) + bits(1 - green - yellow, 1e-12)


class Weighted(Baseline):
    """Entropy with each candidate as likely as it is frequent in print; a word without a count weighs 1.

    It ranks guesses in two ways, by information and by probability. Playing by itself, it guesses the most
    probable candidate once that is at least as likely as all others together, and the most informative guess
    until then.
    """

    label = "weighted"
    title = "entropy weighted by word frequency"
    ranked_by = "most informative guesses"
    prior = Prior.GUESSES
    needs_words, needs_frequency = False, True

    def scores(self, position: Position) -> Scores:
        codes = position.codes(position.legal)
        values = weighted_entropy(codes, position.view.code_count, _weights(position))
        return Scores(position.pool, with_bonus(position, values), {"bits": values})

    def pick(self, position: Position) -> str:
        weights = _weights(position)
        likely = int(np.argmax(weights))
        return position.candidates[likely] if 2 * weights[likely] >= weights.sum() else super().pick(position)

    def rankings(self, position: Position, top: int) -> tuple[Ranking, ...]:
        shares = _weights(position) / _weights(position).sum()
        order = np.argsort(-shares, kind="stable")[:top].tolist()
        rows = tuple((position.candidates[i], float(shares[i])) for i in order)
        return *super().rankings(position, top), Ranking("most probable answers", ("guess", "probability"), rows)


def _weights(position: Position) -> Floats:
    return np.maximum(position.view.frequency[position.ids], 1)
