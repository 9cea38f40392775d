"""Weights of few kinds in games too large for a proof: bounds by the heavy answers alone."""

from __future__ import annotations

import random
from typing import Any

import pytest
from games_util import letters_game, random_game, told

from optimal._engine import Stopped
from optimal.games.game import Game
from optimal.games.rules import Rules
from optimal.games.weights import Weights
from optimal.limits import INFEASIBLE
from optimal.search.game_problem import Problem
from optimal.search.game_run import GameRun
from optimal.search.options import Gap, Options
from optimal.search.solve import _bound_by_tiers, solve

#: The first answer, as a guess, tells all from each other.
PLAIN = Game.from_words(["abc", "abd", "xbc", "bca", "xyz", "xay"], ["abc", "abd", "xbc", "bca", "xyz", "xay"])


def bounded(game: Game, weights: list[int], objective: str = "mean", **options: Any) -> int:
    """The bound of all openers by the heavy answers alone."""
    some = Weights("file", tuple(weights))
    problem = Problem(game, game.max_guesses, objective, some, options=Options(**options))
    run = GameRun(problem, trees=True)
    run.control.incumbent = 7777777
    _bound_by_tiers(run)
    assert (run.control.incumbent, run.stopped) == (7777777, False)
    return run.floor


@pytest.fixture(autouse=True)
def far(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("optimal.search.solve._FAR", 5)
    monkeypatch.setattr("optimal.search.solve._SOLVED", 20)


def test_a_bound_that_is_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("optimal.search.solve._SOLVED", 2)
    weights = [12, 12, 5, 5, 5, 5]
    assert len(set(PLAIN.matrix[0].tolist())) == 6
    least = solve(PLAIN, weights=Weights("file", tuple(weights))).total
    assert bounded(PLAIN, weights) == least == 7 * 3 + 5 * 11
    assert bounded(PLAIN, [12] * 3 + [5] * 3) == 7 * (2 * 3 - 1) + 5 * 11  # too many to be solved alone
    assert bounded(PLAIN, [1] * 6) == 3 * 6 - 6 - 1


def test_no_tree_costs_less() -> None:
    rng = random.Random("heavy")
    close = 0
    for seed in range(30):
        rules = rng.choice(list(Rules))
        game = letters_game(f"heavy {seed}", 60, 2, rules, max_guesses=rng.choice((None, 4, 5)))
        weights = [rng.choice((0, 1, 1, 1, 1, 10, 30)) for _ in game.answers]
        floor = bounded(game, weights)
        found = solve(game, weights=Weights("file", tuple(weights)))
        assert found.total is None or floor <= found.total
        close += found.total is not None and 10 * floor > 9 * found.total
    assert close > 5


def test_where_heavy_answers_have_no_tree() -> None:
    words = [f"{letter}at" for letter in "bcfhmprsvw"] + [f"{letter}og" for letter in "bcdfhjlm"]
    game = Game.from_words(words, words, max_guesses=2)
    assert bounded(game, [5] * 5 + [1] * (len(words) - 5)) == INFEASIBLE
    assert bounded(game.with_rules("normal", None), [5] * 5 + [1] * (len(words) - 5)) < INFEASIBLE


def test_a_gap_stops_no_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("optimal.search.run.REPORT_EVERY", 0.0)
    game = letters_game("part", 300, 1, max_guesses=None)
    weights = [9] * 90 + [1] * (len(game.answers) - 90)
    assert bounded(game, weights, gap=Gap.of("99%", "mean")) == bounded(game, weights)


def test_a_part_that_is_stopped_leaves_what_is_proven(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(run: GameRun) -> list[int]:
        raise Stopped

    monkeypatch.setattr("optimal.search.solve._order_of", stopped)
    assert bounded(PLAIN, [12, 5, 5, 5, 5, 5]) == 7 * 1 + 5 * 11  # by one count


def test_when_it_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    weights = [12, 12, 5, 5, 5, 5]
    assert bounded(PLAIN, weights, memory_limit=1 << 30) == bounded(PLAIN, weights, time_limit=299.0) == 0
    assert bounded(PLAIN, weights, without=frozenset({"tiers"})) == 0
    assert bounded(PLAIN, weights, "worst") == 0  # whose bounds are limits first
    rows = [[int(g == a) + 2 * (g + a) % 3 for a in range(6)] for g in range(6)]
    square = Game.from_matrix(
        [[9 if g == a else rows[g][a] for a in range(6)] for g in range(6)], 9, rules="ultra-hard"
    )
    assert bounded(square, weights) == 0  # its guesses are legal by all answers
    monkeypatch.setattr("optimal.search.solve._FAR", 6)
    assert bounded(PLAIN, weights) == 0


@pytest.mark.parametrize("limit", [None, 6, 3])
def test_results_are_the_same(limit: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(str(limit))
    for _ in range(6):
        game = random_game(rng, rng.choice(list(Rules))).with_rules("normal", limit)
        weights = Weights("file", tuple(rng.choice((1, 1, 1, 9)) for _ in game.answers))
        with monkeypatch.context() as context:
            context.setattr("optimal.search.solve._FAR", 10**9)
            want = told(solve(game, weights=weights))
        with monkeypatch.context() as context:
            context.setattr("optimal.search.incumbents._QUICK", 0)
            assert [told(solve(game, weights=weights, jobs=jobs)) for jobs in (1, 2)] == [want, want]
