"""What may be asked of a game: a wrong question is refused at once, in one line, not by the writer of tree files."""

from __future__ import annotations

import math
import threading
from typing import Any

import numpy as np
import pytest

from optimal.errors import InputError
from optimal.games.game import Game
from optimal.games.objective import within_of
from optimal.games.weights import Weights
from optimal.positions.analysis import solve_position
from optimal.search.question import check_time_limit
from optimal.search.ranking import rank
from optimal.search.result import Status
from optimal.search.solve import solve
from optimal.trees.file import from_bytes, to_bytes

GUESSES = ["fight", "filmy", "light", "might", "night"]
GAME = Game.from_words(GUESSES, ["fight", "light", "might", "night"])


def one_line(error: pytest.ExceptionInfo[InputError]) -> None:
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 200


NO_OBJECTIVES = [
    *("within:03", "within:\u0663", "within:0", "within:-1", "within:+2", "within: 2", "within:2 ", "within:2\n"),
    *("within:", "within", "within:" + "9" * 5000, "median", "", "mean:2"),
]


@pytest.mark.parametrize("objective", NO_OBJECTIVES, ids=lambda objective: repr(objective)[:15])
def test_objectives_that_are_none(objective: str) -> None:
    for ask in (solve, lambda game, objective: solve_position(game, "filmy=bgbbb", objective=objective)):
        with pytest.raises(InputError, match=r"no objective .*there are mean, worst and within:K") as error:
            ask(GAME, objective=objective)
        one_line(error)


def test_within_any_number_of_guesses() -> None:
    assert [within_of(objective) for objective in ("mean", "worst", "within:1", "within:10")] == [None, None, 1, 10]
    plain = solve(GAME)
    for objective in ("within:99", "within:" + "9" * 90):
        result = solve(GAME, objective=objective)
        assert (result.value, result.tree and result.tree.root) == ((0, plain.total), plain.tree and plain.tree.root)
        assert result.tree is not None
        assert from_bytes(to_bytes(result.tree)) == result.tree


LIMITS: list[Any] = [0, -1, 2**64, 10**5000, -(10**5000), 2.5, "6", math.inf]


@pytest.mark.parametrize("limit", LIMITS, ids=range(len(LIMITS)))
def test_limits_that_are_none(limit: Any) -> None:
    asks: list[Any] = [
        lambda: solve(GAME, max_guesses=limit),
        lambda: rank(GAME, max_guesses=limit),
        lambda: Game.from_words(GUESSES, GUESSES, max_guesses=limit),
        lambda: GAME.with_rules("normal", limit),
    ]
    for ask in asks:
        with pytest.raises(InputError, match="the limit of guesses must be") as error:
            ask()
        one_line(error)


@pytest.mark.parametrize("limit", [2**64 - 1, np.int64(5)])
def test_limits_that_a_tree_file_holds(limit: int) -> None:
    result = solve(GAME, max_guesses=limit)
    assert result.tree is not None
    assert (result.tree.max_guesses, type(result.tree.max_guesses)) == (limit, int)
    assert from_bytes(to_bytes(result.tree)) == result.tree


@pytest.mark.parametrize("seconds", [0, -1, math.nan, math.inf, -math.inf])
def test_time_limits_that_are_none(seconds: float) -> None:
    for ask in (solve, rank):
        with pytest.raises(InputError, match="the time limit must be a number of seconds above 0") as error:
            ask(GAME, time_limit=seconds)
        one_line(error)


def test_a_time_limit_of_centuries_is_none() -> None:
    assert check_time_limit(1e300) is None
    assert check_time_limit(threading.TIMEOUT_MAX) == threading.TIMEOUT_MAX
    before = threading.active_count()
    result = solve(GAME, time_limit=1e300)
    assert (result.status, result.stop_reason) == (Status.OPTIMAL, "done")
    assert threading.active_count() == before


WEIGHTS: list[tuple[Any, Any, str]] = [
    ("uniform", (1, 2, 3, 4), "weights named 'uniform': name them frequency or file; uniform weights are None"),
    ("mine", (1, 2, 3, 4), "weights named 'mine': name them frequency or file"),
    ("file", (1, 2, 3, 0.5), "weights must be whole numbers"),
    ("file", (1, 2, 3, "4"), "weights must be whole numbers"),
    ("file", (1, 2, 3, -4), "the weight -4 is negative"),
]


@pytest.mark.parametrize(("name", "values", "message"), WEIGHTS)
def test_weights_that_are_none(name: str, values: Any, message: str) -> None:
    with pytest.raises(InputError, match=message) as error:
        Weights(name, values)
    one_line(error)


@pytest.mark.parametrize("values", [(1, 2, 3), (1, 2, 3, 4, 5), (), (0, 0, 0, 0)])
def test_weights_of_other_answers(values: tuple[int, ...]) -> None:
    weights = Weights("file", values)
    for position in ("", "filmy=bgbbb"):
        with pytest.raises(InputError, match="4 weights are needed, none negative and not all 0") as error:
            solve_position(GAME, position, weights=weights)
        one_line(error)
    with pytest.raises(InputError, match="4 weights are needed"):
        solve(GAME, weights=weights)


def test_weights_of_numpy() -> None:
    weights = Weights("file", tuple(np.array([1, 2, 3, 4], dtype=np.uint16)))
    assert {type(value) for value in weights.values} == {int}
    result = solve(GAME, weights=weights)
    assert result.tree is not None
    assert from_bytes(to_bytes(result.tree)) == result.tree
