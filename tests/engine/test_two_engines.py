"""Two engines, one value: the search for keys solves games as well, and knows nothing of how games are searched.

A game becomes a table with two objects for each answer, which reply alike to every guess but that answer itself.
Nothing else tells the two apart, so a key has to make that guess, and both end there: the key costs twice what the
strategy tree does, and is as deep. So each engine is the other's oracle, under normal rules, far beyond what the
textbook solver can do.
"""

from __future__ import annotations

import random

import numpy as np
import pytest
from games_util import letters_game, random_game, random_openers, random_weights
from questions_util import Question

from optimal.games.game import Game
from optimal.search.identify import identify
from optimal.search.result import Status
from optimal.tables.table import Table


def table_of(game: Game, weights: tuple[int, ...] | None) -> Table:
    codes = np.concatenate([game.matrix, game.matrix], axis=1).astype(int)
    codes[game.answer_guess, np.arange(len(game.answers), codes.shape[1])] = codes.max() + 1
    return Table.from_arrays(
        codes.T.astype(str).tolist(),
        objects=[f"{when} {answer}" for when in ("now", "later") for answer in game.answers],
        questions=game.guesses,
        weights=None if weights is None else weights * 2,
    )


def check(game: Game, question: Question) -> Status:
    found = question.asked(game)
    openers = None if question.openers is None else [game.guesses[opener] for opener in question.openers]
    table = table_of(game, question.weights)
    key = identify(table, objective=question.objective, limit=question.limit, first=openers)
    assert key.status is found.status
    assert found.status in (Status.OPTIMAL, Status.INFEASIBLE)
    if found.tree is not None:
        assert key.key is not None
        assert (key.key.mean, key.key.worst) == (found.tree.mean, found.tree.worst)
    return found.status


@pytest.mark.parametrize("objective", ["mean", "worst"])
def test_random_games(objective: str) -> None:
    rng = random.Random(objective)
    infeasible = 0
    for _ in range(60):
        game = random_game(rng)
        weights = random_weights(rng, len(game.answers), giant=1000) if rng.random() < 0.5 else None
        openers = random_openers(rng, game)
        question = Question(rng.choice([None, None, 2, 3, 4, 6]), objective, openers, weights)
        infeasible += check(game, question) is Status.INFEASIBLE
    assert 3 < infeasible < 40


@pytest.mark.slow
@pytest.mark.parametrize("limit", [pytest.param(None, marks=pytest.mark.long), 4])
def test_larger_games(limit: int | None) -> None:
    check(letters_game("two engines", 200, 1), Question(limit))
