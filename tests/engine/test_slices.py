"""Searches stopped at every look: no slice says more than is so, whatever it was in the middle of."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from games_util import search_of
from slices_util import slices_case

from optimal._engine import INFEASIBLE, NO_LIMIT, SMALL, SWITCHES, Control, Search
from optimal.games.game import Game
from optimal.search.engine import tables_of


@pytest.mark.parametrize("batch", range(4))
def test_slices_of_random_games(batch: int) -> None:
    seen = Counter[str]()
    for number in range(150 if SMALL else 40):
        seen.update(slices_case(random.Random(f"slices {batch} {number}"), most=400))
    assert seen["slices"] > 500
    assert seen["notes"] or not SMALL
    if SMALL:  # elsewhere the stop flag is looked at so seldom that small games are never stopped
        assert seen["stopped"] > seen["slices"] / 5


def test_a_beam_stopped_at_any_look_ends_well() -> None:
    """Some are stopped while a position that is alike is looked for: assertions see what is said of it then."""
    game = Game.preset("mastermind:2x9")
    for looks in range(1, 80):
        search = search_of(game)
        for guess in (0, 1) * 6:
            assert search.beam_opener(guess, NO_LIMIT, 1, INFEASIBLE, looks) >= 388  # the least total


def test_bounds_hold_whatever_stopped_the_search() -> None:
    """A flag that is set is met in the middle of some count: what there is by then is told, and nothing is raised."""
    game = Game.preset("classic")
    control = Control(np.zeros(2, np.int64))
    search, whole = (Search(tables_of(game), control) for control in (control, Control(np.zeros(2, np.int64))))
    control.stop()
    less = 0
    for guess in range(0, len(game.guesses), 900):
        low, classes = search.class_bounds(guess, 6)
        exact, counted = whole.class_bounds(guess, 6)
        assert low <= exact
        assert all(one[:2] == other[:2] and one[2] <= other[2] for one, other in zip(classes, counted, strict=True))
        assert search.quick_bound(guess, 6) <= whole.quick_bound(guess, 6)
        less += low < exact
    assert less
    assert search.lower_bound(6) <= whole.lower_bound(6) <= 7920


@pytest.mark.skipif(SMALL, reason="a class has one look more there")
@pytest.mark.parametrize(
    ("name", "opener", "budget", "slices"), [("mastermind:4x7", "1111", 12000, 2), ("mastermind:4x6", "1111", 6300, 3)]
)
def test_no_class_is_begun_anew_in_the_next_slice(name: str, opener: str, budget: int, slices: int) -> None:
    """A slice that is over has some looks more for the class at hand; then it ends."""
    game = Game.preset(name)
    guess = game.guess_index(opener)
    whole, search = search_of(game), search_of(game)
    assert whole.opener_slice(guess, NO_LIMIT, budget, 1 << 20) == (budget, True)
    taken = 1
    while not search.opener_slice(guess, NO_LIMIT, budget, 1)[1]:
        taken += 1
    assert (taken, search.nodes) == (slices, whole.nodes)


@pytest.mark.skipif(SMALL, reason="a class has one look more there")
def test_a_slice_ends_settled_with_the_last_class() -> None:
    assert search_of(Game.preset("mastermind:4x6")).opener_slice(0, NO_LIMIT, 1 << 40, 5) == (6318, True)


@pytest.mark.parametrize("seed", range(3))
def test_members_make_one_class_more(seed: int) -> None:
    """Where all guesses make three classes, the last of them alone, which may win, are worth more: no count of many
    classes at once may leave them out."""
    rng = np.random.default_rng(seed)
    others, answers = rng.integers(0, 3, (130, 24)), rng.integers(0, 2, (24, 24))
    np.fill_diagonal(answers, 3)
    game = Game.from_matrix(np.vstack([others, answers]), 3)
    search, plain = search_of(game), search_of(game, SWITCHES["at-once"])
    for guess in (0, 77, 140):
        assert search.opener(guess, NO_LIMIT, INFEASIBLE) == plain.opener(guess, NO_LIMIT, INFEASIBLE)
    assert search.tallies["at-once"][0] or not SMALL
    assert not plain.tallies["at-once"][0]
