"""What a result may say: OPTIMAL only of a canonical tree whose replay costs what is proven."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from games_util import interrupt_at, letters_game, random_game, search_of

from optimal.errors import InternalError
from optimal.games.game import Game
from optimal.games.rules import Rules
from optimal.games.weights import Weights
from optimal.search import solve as solving
from optimal.search.replay import replay
from optimal.search.result import Status
from optimal.search.solve import solve
from optimal.trees.verify import verify_tree


def words_game(rules: str = "normal", **options: Any) -> Game:
    return letters_game(f"conclude {rules}", 200, 3, rules, **options)


@pytest.mark.parametrize("rules", ["normal", "hard", "ultra-hard"])
@pytest.mark.parametrize("objective", ["mean", "worst", "within:3"])
def test_stopped_while_the_tree_is_built(rules: str, objective: str) -> None:
    """The value is known, ties are not settled: a tree of that value from the table, and FEASIBLE."""
    game = words_game(rules, max_guesses=None)
    proven = solve(game, objective=objective)
    assert proven.status is Status.OPTIMAL
    stopped = solve(game, objective=objective, progress=interrupt_at("tree"))
    assert stopped.status is Status.FEASIBLE
    assert stopped.stop_reason == "interrupted"
    assert stopped.value == stopped.bound == proven.value
    assert stopped.tree is not None
    assert stopped.tree.status == "FEASIBLE"
    assert verify_tree(stopped.tree, guesses=game.guesses, answers=game.answers).ok


@pytest.mark.parametrize("rules", list(Rules))
def test_a_likely_tree_has_the_value_of_the_opener(rules: Rules) -> None:
    """Put together from the table of the search that valued it, and played by the game's own feedback."""
    rng = random.Random(f"likely {rules}")
    for _ in range(40):
        game = random_game(rng, rules)
        search = search_of(game)
        for guess in range(min(4, len(game.guesses))):
            left = 1 << 20
            total, _ = search.opener(guess, left, 1 << 62)
            nested = search.likely_tree(guess, left)
            assert nested is not None
            assert sum(replay(game, nested)) == total


def test_what_contradicts_the_proof_is_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    """The flaw that had been seen: the canonical pass built a tree of another value than the proven one."""
    game = Game.from_matrix(1 - np.eye(4, dtype=np.uint8), 0)
    good = solve(game)
    assert good.status is Status.OPTIMAL
    other: Any = (0, {1: (1, {1: (2, {1: (3, {})})})})
    assert sum(replay(game, other)) == good.total  # any order will do in this game
    costs = Weights("file", (9, 1, 1, 1))
    worse: Any = (3, {1: (1, {1: (2, {1: (0, {})})})})
    monkeypatch.setattr(solving, "canonical_tree", lambda run, engine, ties: worse)
    with pytest.raises(InternalError, match=r"costs 42 .* where 18 is proven"):
        solve(game, weights=costs)


@pytest.mark.parametrize(
    "tree",
    [
        (0, {1: (1, {1: (2, {})})}),  # the last answer has no guess
        (0, {1: (1, {1: (2, {1: (3, {1: (0, {})})})})}),  # a guess without an answer
        (0, {2: (1, {1: (2, {1: (3, {})})})}),  # a feedback that can't be
    ],
)
def test_a_replay_finds_what_is_missing(tree: Any) -> None:
    game = Game.from_matrix(1 - np.eye(4, dtype=np.uint8), 0)
    with pytest.raises(InternalError, match="every feedback"):
        replay(game, tree)
