"""Odds score: guesses whose letters split the candidates most evenly, place by place."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from optimal.baselines.classes import Floats
from optimal.baselines.position import Position
from optimal.baselines.strategy import Baseline, Scores
from optimal.baselines.view import Ids, Prior
from optimal.errors import ImpossibleFeedback


class Odds(Baseline):
    """The odds score of each guess.

    At a place not yet known a letter has the share f of candidates that have it there; at a known place the
    share that contain it at all, or 0 if the board shows it already. A letter used more than once keeps its
    greatest share only. A share f counts as f / (1 - f) below one half, else as (1 - f) / f.
    With two candidates or fewer each scores its probability, so the first of them is guessed.

    With `hard`, guesses must fit everything seen, blacks too, which is stricter than the game's hard rules.
    """

    label = "odds"
    title = "letters that split the candidates evenly"
    ranked_by = "greatest odds score"

    def __init__(self, openers: Sequence[str] = (), *, hard: bool = False) -> None:
        super().__init__(openers)
        self.hard = hard
        if hard:
            self.label, self.title = "odds-hard", f"{Odds.title}, fitting guesses only"
            # The filter needs to know which guesses fit, so every guess is a candidate; answers are told apart.
            self.prior = Prior.GUESSES

    def scores(self, position: Position) -> Scores:
        view = position.view
        answers = view.guess_of[position.ids[view.is_answer[position.ids]]]
        if not len(answers):
            raise ImpossibleFeedback(f"no answer fits {position.describe()}")
        if len(answers) <= 2:
            pool, values = answers, np.full(len(answers), 1 / len(answers))
        else:
            pool = position.candidate_guesses if self.hard else position.pool
            values = _scores(position, pool, answers)
        return Scores(pool, values, {"score": values})


def _scores(position: Position, pool: Ids, answers: Ids) -> Floats:
    letters = position.view.letters
    inside = letters.containing(answers) / len(answers)
    inside[letters.mask(position.greens)] = 0
    there = letters.at_places(answers) / len(answers)
    shares = np.empty((letters.length, len(pool)))
    for place, known in enumerate(position.greens):
        shares[place] = (there[place] if known is None else inside)[letters.of[pool, place]]
    for one, other in combinations(range(letters.length), 2):
        twice = np.flatnonzero(letters.of[pool, one] == letters.of[pool, other])
        lesser = np.where(shares[one, twice] < shares[other, twice], one, other)
        shares[lesser, twice] = 0
    # Added place by place and never rounded: published games turn on sums that differ in their last digit.
    scores = np.zeros(len(pool))
    for share in shares:
        low = share < 0.5
        scores += np.where(low, share, 1 - share) / np.where(low, 1 - share, share)
    return scores
