"""Counts bounded by likeness are those of counting in full, and of numpy; the search does the same work with them."""

from __future__ import annotations

import random

import numpy as np
import pytest

from optimal import _engine
from optimal.games.game import Game
from optimal.games.rules import Rules
from optimal.search.engine import tables_of

LIKENESS = _engine.SWITCHES["likeness"]


def control() -> _engine.Control:
    return _engine.Control(np.zeros(2, dtype=np.int64))


def game_of(rules: Rules, answers: int) -> Game:
    """A game with so many columns that likeness is asked, and answers enough for classes of all sizes."""
    rng = random.Random(f"likeness {rules} {answers}")
    words = sorted({"".join(rng.choices("aabceinorst", k=5)) for _ in range(1300)})[:1100]
    return Game.from_words(words, sorted(rng.sample(words, answers)), rules=rules, max_guesses=None)


@pytest.mark.parametrize("rules", Rules)
@pytest.mark.parametrize("answers", [60, 300, 900])
def test_count_bounds(rules: Rules, answers: int) -> None:
    """After one guess and after none: the sets have from 16 to more than 640 answers, on both sides of every limit."""
    game = game_of(rules, answers)
    tables = tables_of(game)
    rng = random.Random(answers)
    histories: list[list[tuple[int, int]]] = [[]]
    for guess in rng.sample(range(len(game.guesses)), 12):
        codes, sizes = np.unique(game.matrix[guess], return_counts=True)
        histories.append([(guess, int(codes[np.argmax(sizes)]))])
    for history in histories:
        plain = _engine.Search(tables, control(), history=history, off=LIKENESS)
        search = _engine.Search(tables, control(), history=history)
        bound = search.lower_bound(_engine.NO_LIMIT)
        assert bound == plain.lower_bound(_engine.NO_LIMIT)
        left = np.asarray(search.candidates)
        members = {int(game.answer_guess[answer]) for answer in left}
        most = max(len(np.unique(game.matrix[guess][left])) + (guess in members) for guess in search.legal_guesses())
        assert len(left) <= 2 or most >= len(left) or bound >= 3 * len(left) - most


@pytest.mark.parametrize("rules", Rules)
def test_the_same_work(rules: Rules) -> None:
    """Bounds take the place of counts only where they tell as much: the same nodes, guesses and values."""
    game = game_of(rules, 400)
    tables = tables_of(game)
    found = []
    for off in (0, LIKENESS):
        search = _engine.Search(tables, control(), off=off)
        values = [search.opener(guess, 6, 1300) for guess in range(0, 1100, 55)]
        found.append((values, search.nodes, search.guesses_tried))
    assert found[0] == found[1]
    assert found[0][1] > 20
