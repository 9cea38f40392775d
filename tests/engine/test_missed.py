"""Games that end after the last guess: what every guess misses, and its total over the rest, against the definition."""

from __future__ import annotations

import random

import numpy as np
import pytest
from certificates_util import families
from games_util import as_code, random_weights
from positions_util import chances_at
from slices_util import any_game

from optimal._engine import NO_LIMIT, SWITCHES, Search
from optimal.games.game import Game
from optimal.games.rules import Rules
from optimal.limits import INFEASIBLE
from optimal.search.engine import new_control, tables_of


@pytest.mark.parametrize("rules", Rules)
def test_every_guess_misses_what_the_definition_says(rules: Rules) -> None:
    rng = random.Random(f"missed {rules}")
    seen = 0
    while seen < 40:
        game = families(rng, rules) if rng.random() < 0.5 else any_game(rng, rules)
        count, by = len(game.answers), rng.randint(1, 4)
        if count > 12 or len(game.guesses) ** by > 20000:
            continue
        weights = None if rng.random() < 0.6 else random_weights(rng, count, 100)
        every = (1,) * count if weights is None else weights
        late = sum(every) * (count + 1) + 1
        off = 0 if rng.random() < 0.5 else rng.choice(list(SWITCHES.values()))
        array = np.array(every, dtype=np.int64)
        search = Search(tables_of(game), new_control(), None, (), array, by, late, True, off=off)
        wanted = chances_at(game, [], by, weights)
        story = f"{as_code(game)}\n{weights}, by {by}, off {off}"
        found = {guess: search.opener(guess, NO_LIMIT, INFEASIBLE)[0] for guess in wanted}
        assert {guess: divmod(cost, late + by + 1) for guess, cost in found.items()} == wanted, story
        least = min(found.values())
        assert all(search.opener(guess, NO_LIMIT, least)[0] >= least for guess in found), story
        assert all(search.beam_opener(guess, NO_LIMIT, 0, INFEASIBLE, 100) >= cost for guess, cost in found.items())
        seen += any(missed for missed, _ in wanted.values())


def test_what_is_final_comes_after_a_first_guess_and_costs_something() -> None:
    game = families(random.Random(1), Rules.NORMAL)
    weights = np.ones(len(game.answers), dtype=np.int64)
    for by, late in ((0, 100), (-1, 100), (2, 0)):
        with pytest.raises(ValueError, match="to miss costs something"):
            Search(tables_of(game), new_control(), None, (), weights, by, late, True)


def test_the_last_guess_is_the_first_of_the_heaviest() -> None:
    """Found at once: how tall a tree would be after the last guess is never asked."""
    rng = random.Random(5)
    for rules in Rules:
        game = Game.preset("classic", rules=rules)
        weights = np.array(rng.choices((1, 2), k=len(game.answers)), dtype=np.int64)
        late = int(weights.sum()) * (len(game.answers) + 1) + 1
        search = Search(tables_of(game), new_control(), None, (), weights, 1, late, True)
        cost, guess, height = search.best(NO_LIMIT)
        assert height == 2
        assert divmod(cost, late + 2) == (weights.sum() - 2, 2)
        assert guess == game.answer_guess[weights.argmax()]
        assert search.nodes < 10


def test_of_the_heaviest_the_first_in_the_list_of_guesses_comes_first() -> None:
    """Whatever the order of the answers, as for two answers left."""
    words = ["aab", "aba", "baa", "bba"]
    for answers in (words, words[::-1]):
        game = Game.from_words(words, answers, max_guesses=None)
        weights = np.ones(len(answers), dtype=np.int64)
        search = Search(tables_of(game), new_control(), None, (), weights, 1, 100, True)
        assert search.best(NO_LIMIT)[1] == 0
