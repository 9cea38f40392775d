"""Strategies that look one guess ahead: the entropy of the feedback and its plainer relatives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum

import numpy as np

from optimal.baselines.classes import (
    Codes,
    Floats,
    count_classes,
    entropy_values,
    largest_class,
    sum_over_classes,
    weighted_entropy,
)
from optimal.baselines.protocol import (
    Baseline,
    Position,
    Ranking,
    Scored,
    Scores,
    WordBaseline,
    ranked,
    spelling,
)
from optimal.baselines.table import Ids, Prior, Table
from optimal.games.game import Game
from optimal.games.presets import frequencies

#: What a guess that can be the answer gains: enough to settle ties, too little to settle anything else.
BONUS = 1e-6

_DIGITS = 9  # scores equal to so many digits are equal


class Objective(str, Enum):
    """What a guess is judged by: the feedback classes that it makes of the candidates."""

    ENTROPY = "entropy"
    EXPECTED_SIZE = "expected-size"
    MINIMAX = "minimax"
    MOST_CLASSES = "most-classes"


_MEASURES = {
    Objective.ENTROPY: "bits",
    Objective.EXPECTED_SIZE: "expected_left",
    Objective.MINIMAX: "largest_class",
    Objective.MOST_CLASSES: "classes",
}


def measure(position: Position, objective: Objective, pool: Ids | None = None) -> Floats:
    """For each guess (all, or those in `pool`): bits, expected candidates left, largest class or classes."""
    codes, kinds, n = position.codes(pool), position.table.code_count, len(position.ids)
    if objective is Objective.ENTROPY:
        return sum_over_classes(codes, kinds, entropy_values(n))
    if objective is Objective.EXPECTED_SIZE:
        return sum_over_classes(codes, kinds, np.arange(n + 1.0) ** 2 / n)
    if objective is Objective.MINIMAX:
        return largest_class(codes, kinds).astype(np.float64)
    return count_classes(codes, kinds).astype(np.float64)


class Greedy(Scored):
    """The guess that is best by one objective; a guess that can be the answer wins ties.

    The prior "guesses" takes every guess for a possible answer, as one who knows no list of answers would.
    """

    title = "best feedback classes one guess ahead"

    def __init__(
        self,
        objective: Objective | str = Objective.ENTROPY,
        prior: Prior | str = Prior.ANSWERS,
        openers: Sequence[str] = (),
    ) -> None:
        self.objective, self.prior = Objective(objective), Prior(prior)
        super().__init__(self.objective.value + ("-all" if self.prior is Prior.GUESSES else ""), openers)
        self.ranked_by = {
            Objective.ENTROPY: "most informative guesses",
            Objective.EXPECTED_SIZE: "least candidates left on average",
            Objective.MINIMAX: "least largest class",
            Objective.MOST_CLASSES: "most feedback classes",
        }[self.objective]

    def scores(self, position: Position) -> Scores:
        pool = position.legal
        values = measure(position, self.objective, pool)
        sign = -1.0 if self.objective in (Objective.EXPECTED_SIZE, Objective.MINIMAX) else 1.0
        scored = with_bonus(position, sign * values)
        shown = values if self.objective in (Objective.ENTROPY, Objective.EXPECTED_SIZE) else values.astype(int)
        return Scores(position.pool, scored, ((_MEASURES[self.objective], shown),))


def with_bonus(position: Position, values: Floats) -> Floats:
    """Values of the legal guesses, rounded so that equal ones are equal, plus the bonus of the candidates."""
    bonus = np.zeros(len(position.game.guesses))
    bonus[position.candidate_guesses] = BONUS
    return np.round(values, _DIGITS) + (bonus if position.legal is None else bonus[position.legal])


class LetterEntropy(Scored, WordBaseline):
    """Each letter at each place on its own: the entropy of green, yellow and black, summed over the word.

    A letter that stood earlier in the guess is taken to bring no yellow. `repeats=True` drops that exception.
    """

    title = "entropy of green, yellow and black, letter by letter"
    prior = Prior.GUESSES
    ranked_by = "greatest sum of letter entropies"

    def __init__(self, openers: Sequence[str] = (), *, repeats: bool = False) -> None:
        super().__init__("letters", openers)
        self.repeats = repeats

    def scores(self, position: Position) -> Scores:
        letters, of = spelling(position)
        n, pool = len(of), position.pool
        places = range(letters.length)
        kinds = len(letters.symbols)
        green = np.stack([np.bincount(of[:, place], minlength=kinds) for place in places]) / n
        inside = letters.has[:, position.candidate_guesses].sum(axis=1) / n
        yellow = inside - green
        fresh = _entropy3(green, yellow)
        again = _entropy3(green, np.zeros_like(green))
        values = np.zeros(len(pool))
        for place in places:
            mine = letters.of[pool, place]
            part = fresh[place, mine]
            if not self.repeats:
                part = np.where(letters.first[pool, place], part, again[place, mine])
            values += part
        return Scores(pool, with_bonus(position, values), (("bits", values),))


def _entropy3(green: Floats, yellow: Floats) -> Floats:
    total = np.zeros_like(green)
    for share in (green, yellow, 1 - green - yellow):
        # Rounding may leave a share just below 0, which stands for 0.
        logs = np.log2(share, out=np.zeros_like(share), where=share > 1e-12)
        total -= share * logs
    return total


class Weighted(Baseline):
    """Entropy with each candidate as likely as it is frequent in print; a word without a count weighs 1.

    It ranks guesses in two ways, by information and by probability. Playing by itself, it guesses the most
    probable candidate once that is at least as likely as all others together, and the most informative guess
    until then.
    """

    title = "entropy weighted by word frequency"
    prior = Prior.GUESSES

    def __init__(self, openers: Sequence[str] = (), frequency: Mapping[str, int] | None = None) -> None:
        super().__init__("weighted", openers)
        self.frequency = frequency

    def unfit(self, game: Game) -> str | None:
        return super().unfit(game) or without_frequency(self.name, game, self.frequency)

    def pick(self, position: Position) -> str:
        weights = self._weights(position)
        likely = int(np.argmax(weights))
        if 2 * weights[likely] >= weights.sum():
            return position.candidates[likely]
        return self._informative(position, weights).first(position)

    def rankings(self, position: Position, top: int) -> tuple[Ranking, ...]:
        weights = self._weights(position)
        informative = ranked(position, self._informative(position, weights), "most informative guesses", top)
        shares = weights / weights.sum()
        order = np.argsort(-shares, kind="stable")[:top].tolist()
        rows = tuple((position.candidates[i], float(shares[i])) for i in order)
        return informative, Ranking("most probable answers", ("guess", "probability"), rows)

    def _weights(self, position: Position) -> Floats:
        return frequency_of(position.table, self.frequency, least=1)[position.ids]

    def _informative(self, position: Position, weights: Floats) -> Scores:
        codes: Codes = position.codes(position.legal)
        bits = weighted_entropy(codes, position.table.code_count, weights)
        return Scores(position.pool, with_bonus(position, bits), (("bits", bits),))


def frequency_of(table: Table, frequency: Mapping[str, int] | None, least: int = 0) -> Floats:
    """How often each word of the table stands in print (the shipped counts unless others are given)."""

    def look_up() -> Floats:
        counts = frequencies() if frequency is None else frequency
        return np.array([max(least, counts.get(word, 0)) for word in table.words], dtype=np.float64)

    # Counts of a user's own aren't remembered: another strategy may bring others.
    return look_up() if frequency is not None else table.memo(f"frequency {least}", look_up)


def without_frequency(name: str, game: Game, frequency: Mapping[str, int] | None) -> str | None:
    """Why a strategy that needs word frequencies can't play this game; None when it can."""
    counts = frequencies() if frequency is None else frequency
    if any(counts.get(word) for word in game.answers):
        return None
    return f"strategy {name!r} needs word frequencies, and none is known for the answers of {game.name}"


def expected_bits(position: Position, guess: str) -> float:
    """The information that a guess brings on average, in bits, with all candidates equally likely."""
    place = np.array([position.game.guess_index(guess)])
    return float(measure(position, Objective.ENTROPY, place)[0])
