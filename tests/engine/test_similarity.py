"""Counts bounded by similar answers are those of counting in full, and of numpy."""

from __future__ import annotations

import random

import numpy as np
import pytest

from optimal._engine import NO_LIMIT, SWITCHES, Search
from optimal.games.game import Game
from optimal.games.rules import Rules
from optimal.search.engine import new_control, tables_of


@pytest.mark.parametrize("rules", Rules)
@pytest.mark.parametrize("answers", [60, 300, 900])
def test_count_bounds(rules: Rules, answers: int) -> None:
    """After one guess and after none: sets of 16 to more than 640 answers, on both sides of every limit, and so many
    columns that similar answers are asked."""
    rng = random.Random(f"similarity {rules} {answers}")
    words = sorted({"".join(rng.choices("aabceinorst", k=5)) for _ in range(1300)})[:1100]
    game = Game.from_words(words, sorted(rng.sample(words, answers)), rules=rules, max_guesses=None)
    tables = tables_of(game)
    histories: list[tuple[tuple[int, int], ...]] = [()]
    for guess in rng.sample(range(len(game.guesses)), 12):
        codes, sizes = np.unique(game.matrix[guess], return_counts=True)
        histories.append(((guess, int(codes[np.argmax(sizes)])),))
    for history in histories:
        plain, search = (Search(tables, new_control(), history=history, off=off) for off in (SWITCHES["similarity"], 0))
        bound = search.lower_bound(NO_LIMIT)
        assert bound == plain.lower_bound(NO_LIMIT)
        left = np.asarray(search.candidates)
        members = {int(game.answer_guess[answer]) for answer in left}
        most = max(len(np.unique(game.matrix[guess][left])) + (guess in members) for guess in search.legal_guesses())
        assert len(left) <= 2 or most >= len(left) or bound >= 3 * len(left) - most
