"""Guesses that others dominate: left out, the values stay."""

from __future__ import annotations

import pytest
from games_util import dominated_game, search_of

from optimal._engine import INFEASIBLE, NO_LIMIT, SMALL, SWITCHES
from optimal.games.game import Game


@pytest.mark.skipif(SMALL, reason="slices are short there")
@pytest.mark.parametrize("opener", ["fuzzy", "mummy"])
def test_many_words_are_dominated(opener: str) -> None:
    game = dominated_game()
    search, plain = search_of(game), search_of(game, SWITCHES["dominance"])
    guess = game.guess_index(opener)
    total, _ = plain.opener(guess, NO_LIMIT, INFEASIBLE)
    for budget in (total, total + 1):
        assert search.opener_slice(guess, NO_LIMIT, budget, 1 << 20) == (total, True)
    asked, left_out = search.tallies["dominance"][:2]
    assert asked / 4 < left_out < asked
    assert not plain.tallies["dominance"][0]


def test_games_with_symmetries_keep_all_guesses() -> None:
    """There the first of guesses that are mapped to each other is the only one tried, and must be there."""
    game = Game.preset("mastermind:4x6")
    search = search_of(game)
    search.opener(game.guess_index("1111"), NO_LIMIT, 6000)
    assert not search.tallies["dominance"][0]
