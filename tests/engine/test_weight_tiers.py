"""Weights of few kinds: what a search says by their tiers is what it says without."""

from __future__ import annotations

import random

import numpy as np
import pytest
from games_util import letters_game, poor_game

from optimal._engine import INFEASIBLE, NO_LIMIT, SWITCHES, Search
from optimal.games.game import Game
from optimal.games.rules import Rules
from optimal.search.engine import new_control, tables_of


def games(kind: str, rng: random.Random) -> list[Game]:
    if kind == "poor":
        return [poor_game(rng, answers=14, guesses=18) for _ in range(12)]
    if kind == "pegs":
        return [Game.preset(name) for name in ("mastermind:3x3", "mastermind:2x5", "bulls-and-cows:2x5")]
    return [letters_game("tiers", 60, 2, rules, max_guesses=None) for rules in Rules]


@pytest.mark.parametrize("kind", ["poor", "pegs", "words"])
def test_every_budget_is_kept_to(kind: str) -> None:
    """Below its budget a value is exact, and else a bound that is no less than the budget."""
    rng = random.Random(kind)
    for game in games(kind, rng):
        tables, weights = tables_of(game), np.array([rng.choice((1, 10)) for _ in game.answers])
        for opener in range(0, len(game.guesses), 3 if kind == "words" else 1):
            plain = Search(tables, new_control(), weights=weights, off=SWITCHES["tiers"])
            exact, _ = plain.opener(opener, NO_LIMIT, INFEASIBLE)
            for budget in (exact - rng.randrange(12), exact + 1 + rng.randrange(12), INFEASIBLE):
                found, _ = Search(tables, new_control(), weights=weights).opener(opener, NO_LIMIT, budget)
                assert found == exact if exact < budget else budget <= found <= exact, (game, opener, budget)
