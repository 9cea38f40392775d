"""Searches stopped at every look: no slice says more than is so, whatever it was in the middle of."""

from __future__ import annotations

import random

import pytest
from slices_util import Seen, slices_case

from optimal._search import SMALL


@pytest.mark.parametrize("batch", range(4))
def test_slices_of_random_games(batch: int) -> None:
    seen = Seen()
    for number in range(150 if SMALL else 40):
        seen.add(slices_case(random.Random(f"slices {batch} {number}"), 400))
    assert seen.slices > 500
    assert seen.notes or not SMALL
    if SMALL:  # elsewhere the stop flag is looked at so seldom that small games are never stopped
        assert seen.stopped > seen.slices / 5
