"""What so many answers cost at least, by their number alone (depths.h), held against the textbook."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from games_util import letters_game, right_or_wrong
from patience import SOON
from textbook import Textbook

from optimal._engine import NO_LIMIT, SMALL
from optimal.games.game import Game
from optimal.games.rules import Rules
from optimal.games.weights import Weights
from optimal.search.engine import tables_of
from optimal.search.result import Status
from optimal.search.solve import solve


@pytest.mark.parametrize("name", ["mastermind:2x4", "mastermind:3x3", "mastermind:4x2", "bulls-and-cows:2x5", "words"])
def test_no_set_costs_less(name: str) -> None:
    """By the textbook; words have no maps onto each other, and so no capacities are known."""
    rng = random.Random(name)
    game = letters_game(name, 40, 2, letters="abc") if name == "words" else Game.preset(name)
    tables, textbook, count = tables_of(game), Textbook(game), len(game.answers)
    equal = 0
    for _ in range(60):
        some = rng.sample(range(count), rng.randint(2, min(count, 12)))
        own = {int(game.answer_guess[answer]) for answer in some}
        classes = max(len(np.unique(row[some])) + (guess in own) for guess, row in enumerate(game.matrix))
        if SMALL and classes > 10:  # not tabulated
            continue
        for left in (1, 2, 3, 4, 5, 7, None):
            found = textbook._position(sum(1 << answer for answer in some), textbook.guesses, left, None)
            bound = tables.least_totals(classes, NO_LIMIT if left is None else left)[len(some)]
            if found is not None:
                assert 0 < bound <= found[0].total, (some, left)
                equal += bound == found[0].total
    assert equal > 20


def asked_of(size: int) -> list[tuple[str, Weights | None]]:
    """Objectives and weights of so many answers under which a guess costs something else than 1 an answer."""
    odd, even = Weights("file", tuple(range(size))), Weights("file", (3,) * size)
    return [("within:2", None), ("within:15", None), ("within:3", even), ("mean", even), ("mean", odd)]


@pytest.mark.parametrize("without", [(), ("depths",)])
def test_many_answers_that_nothing_parts_have_no_tree_whatever_guesses_cost(without: tuple[str, ...]) -> None:
    """Without a limit they would be searched for a long time: there are 24! ways to go through them."""
    for objective, weights in asked_of(24):
        options: dict[str, Any] = {"objective": objective, "weights": weights, "without": frozenset(without)}
        found = solve(right_or_wrong(24), limit=4, time_limit=SOON, **options)
        assert found.status is Status.INFEASIBLE, (objective, weights)
        assert without or found.nodes < 100


@pytest.mark.parametrize("size", range(3, 10))
def test_a_tree_that_just_keeps_to_the_limit_is_found_whatever_guesses_cost(size: int) -> None:
    for game in (right_or_wrong(size), Game.preset(f"mastermind:1x{size}")):
        for objective, weights in asked_of(size):
            for limit in (size - 1, size, None):
                found = solve(game, objective=objective, weights=weights, limit=limit)
                assert found.status is (Status.INFEASIBLE if limit == size - 1 else Status.OPTIMAL)
                assert found.tree is None or found.tree.worst == size


@pytest.mark.parametrize("rules", [Rules.NORMAL, Rules.ULTRA_HARD])
@pytest.mark.parametrize("limit", [None, 4, 5, 6])
@pytest.mark.parametrize("name", ["mastermind:3x5", "mastermind:2x9", "mastermind:4x4", "bulls-and-cows:2x10"])
def test_totals_are_the_same_without_the_table(name: str, limit: int | None, rules: Rules) -> None:
    game = Game.preset(name, rules)
    found, plain = (solve(game, limit=limit, without=off) for off in (frozenset(), frozenset({"depths"})))
    assert (found.status, found.value, found.tree) == (plain.status, plain.value, plain.tree)


def test_what_is_not_tabulated_is_refused() -> None:
    tables = tables_of(Game.preset("mastermind:2x3"))
    for classes, left in ((-1, 1), (1000, 1), (3, 0)):
        with pytest.raises(IndexError, match=r"classes are 0 \.\. "):
            tables.least_totals(classes, left)
