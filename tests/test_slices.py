"""Searches stopped at every look: no slice says more than is so, whatever it was in the middle of."""

from __future__ import annotations

import random

import numpy as np
import pytest
from slices_util import Seen, slices_case

from optimal._openers import OpenerSearch
from optimal._search import SMALL, Control
from optimal.games.game import Game
from optimal.search.engine import tables_of


@pytest.mark.parametrize("batch", range(4))
def test_slices_of_random_games(batch: int) -> None:
    seen = Seen()
    for number in range(150 if SMALL else 40):
        seen.add(slices_case(random.Random(f"slices {batch} {number}"), 400))
    assert seen.slices > 500
    assert seen.notes or not SMALL
    if SMALL:  # elsewhere the stop flag is looked at so seldom that small games are never stopped
        assert seen.stopped > seen.slices / 5


def test_bounds_hold_whatever_stopped_the_search() -> None:
    """A flag that is set is met in the middle of a count: what there is by then is told, and raises nothing."""
    game = Game.preset("classic")
    tables, guess = tables_of(game), game.guess_index("qajaq")
    stopped, whole = Control(np.zeros(2, np.int64)), Control(np.zeros(2, np.int64))
    stopped.stop()
    low, classes = OpenerSearch(tables, stopped).class_bounds(guess, 6)
    exact, counted = OpenerSearch(tables, whole).class_bounds(guess, 6)
    assert low <= exact
    assert all(one[:2] == other[:2] and one[2] <= other[2] for one, other in zip(classes, counted, strict=True))
    assert OpenerSearch(tables, stopped).quick_bound(guess, 6) <= OpenerSearch(tables, whole).quick_bound(guess, 6)
    assert OpenerSearch(tables, stopped).lower_bound(6) < OpenerSearch(tables, whole).lower_bound(6) <= 7920
