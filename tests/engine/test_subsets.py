"""Subsets: a set is refuted by a subset without a tree only where it has none itself."""

from __future__ import annotations

import random

import pytest
from games_util import search_of
from textbook import Textbook

from optimal import _engine
from optimal.games.game import Game
from optimal.games.rules import Rules

SUBSETS = _engine.SWITCHES["subsets"]
#: Bounds that know of many sets without a tree before their subsets are asked.
EARLIER = _engine.SWITCHES["families"] + _engine.SWITCHES["depths"]


def rhymes(rng: random.Random, rules: Rules) -> Game:
    """Words of few endings and so many beginnings that a limit of guesses may bind."""
    first = "bcdfghk"[: rng.randint(4, 7)]
    words = [a + b + c for a in first for b in "aei"[: rng.randint(2, 3)] for c in "xyz"[: rng.randint(2, 3)]]
    answers = rng.sample(words, min(len(words), rng.randint(16, 20)))
    others = {"".join(rng.choices(first + "aeixyz", k=3)) for _ in range(rng.randint(0, 12))}
    return Game.from_words(sorted({*answers, *others}), answers, name="rhymes", rules=rules, max_guesses=None)


@pytest.mark.slow
@pytest.mark.parametrize("rules", Rules)
def test_with_and_without_subsets_against_the_textbook(rules: Rules) -> None:
    rng = random.Random(f"subsets {rules}")
    told, failed, idle = set(), 0, 0
    for _ in range(20):
        game = rhymes(rng, rules)
        textbook = Textbook(game)
        for limit in (3, 4, 5):
            known = textbook.solve(limit)
            search = search_of(game, EARLIER)
            total, guess, _ = search.best(limit)
            assert total == search_of(game, EARLIER + SUBSETS).best(limit)[0]
            told.add(known is None)
            failed += search.tallies["subsets"][2]
            idle += search.tallies["subsets"][3]
            if known is None:
                assert total == _engine.INFEASIBLE
            else:
                assert ((total,), guess) == (known.value, known.plan.guess)
    assert told == {False, True}
    assert failed
    assert idle


@pytest.mark.slow
def test_a_trap_of_the_real_game() -> None:
    """After heros=BYYYB (code 39) 69 answers of 2023 are left, which no five guesses find under hard rules."""
    game = Game.preset("nyt2023", rules="hard")
    history = ((game.guess_index("heros"), 39),)
    search, plain = search_of(game, history=history), search_of(game, SUBSETS, history)
    assert search.best(5)[0] == plain.best(5)[0] == _engine.INFEASIBLE
    assert search.tallies["subsets"][2]
    assert not plain.tallies["subsets"][2]
    assert search.nodes < plain.nodes
    # One guess more is enough.
    assert search.best(6)[0] == plain.best(6)[0] < _engine.INFEASIBLE
