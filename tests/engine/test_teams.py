"""Teams: several searches at one node. The same values and trees as one search finds, whatever ends them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from games_util import letters_game, random_game, random_weights
from questions_util import Question, check_stopped
from test_failures import allocations, costs_of

from optimal import _engine
from optimal._engine import INFEASIBLE, SMALL, Control, Search, Team
from optimal.advice.analysis import analyse
from optimal.games.game import Game
from optimal.games.rules import Rules
from optimal.games.weights import Weights
from optimal.search import jobs, root_search
from optimal.search import solve as solving
from optimal.search.engine import Engine, new_control, tables_of
from optimal.search.jobs import helped
from optimal.search.solve import solve

OBJECTIVES = ("mean", "worst", "within:3")
#: Positions so small are offered here, and their owners wait so long for others to come, that small games are shared.
LEAST, PATIENCE = 3, 2


@pytest.fixture
def helped_times(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """Let the searches of a run offer small positions too, and count how often others help."""
    made, latest, times = jobs.searches_of, list[Search](), 0

    def helped() -> int:
        nonlocal times
        times += sum(search.helped for search in latest)
        latest.clear()
        return times

    def counted(engine: Engine, control: Control, count: int) -> list[Search]:
        helped()
        latest.extend(searches := made(engine, control, count))
        return searches

    monkeypatch.setattr(jobs, "Team", lambda slots: Team(slots, LEAST, patience=PATIENCE))
    monkeypatch.setattr(solving, "searches_of", counted)
    monkeypatch.setattr(root_search, "searches_of", counted)
    return helped


def one_class(rules: Rules | str, seed: int = 0, count: int = 260, **options: Any) -> tuple[Game, str]:
    """A game, and an opener that leaves most answers in one class."""
    game = letters_game(f"team {rules} {seed}", count, 3, str(rules), **options)
    largest = [np.bincount(row).max() for row in game.matrix]
    return game, game.guesses[int(np.argmax(largest))]


def team_of(game: Game, count: int = 2, objective: str = "mean") -> list[Search]:
    """Searches of one team, with tables so small that they grow and overflow."""
    costs, tables, control = costs_of(game, objective), tables_of(game), new_control()
    team = Team(1 << 17, LEAST, patience=PATIENCE)
    found = [Search(tables, control, max_slots=1024, **costs) for _ in range(count)]
    for search in found:
        search.join(team)
    return found


@pytest.mark.parametrize("rules", Rules)
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_same_bytes_with_one_large_class(rules: Rules, objective: str, helped_times: Callable[[], int]) -> None:
    rng = random.Random(f"bytes {rules} {objective}")
    for seed in range(4):
        for limit in (None, 4 + seed % 2):
            game, opener = one_class(rules, seed, max_guesses=limit)
            weights = None if seed % 2 else Weights("file", random_weights(rng, len(game.answers), 50))
            options: dict[str, Any] = {"objective": objective, "weights": weights, "first": [opener]}
            one = solve(game, **options)
            for count in (2, 3):
                several = solve(game, jobs=count, **options)
                assert (one.status, one.value, one.bound) == (several.status, several.value, several.bound)
                assert one.tree == several.tree
    assert helped_times()


@pytest.mark.parametrize("rules", Rules)
def test_random_games_of_any_kind(rules: Rules, helped_times: Callable[[], int]) -> None:
    rng = random.Random(f"team {rules}")
    for _ in range(40):
        game = random_game(rng, rules, 16, 30).with_rules(rules, rng.choice((None, 3, 4, 6)))
        weights = rng.choice((None, Weights("file", random_weights(rng, len(game.answers), 50))))
        objective = rng.choice(("mean", "worst", "within:2"))
        one = solve(game, objective=objective, weights=weights)
        two = solve(game, objective=objective, weights=weights, jobs=2)
        assert (one.status, one.value, one.bound, one.tree) == (two.status, two.value, two.bound, two.tree)
    assert helped_times()


@pytest.mark.slow
@pytest.mark.parametrize("rules", Rules)
def test_positions(rules: Rules, helped_times: Callable[[], int]) -> None:
    game = Game.preset("classic", rules)
    one, two = (analyse(game, "salet=bbbbb", top=3, jobs=count).to_dict(others=True) for count in (1, 2))
    assert one == two
    assert helped_times()


@pytest.mark.parametrize("rules", Rules)
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_a_solve_that_is_stopped_says_what_holds(rules: Rules, objective: str, helped_times: Callable[[], int]) -> None:
    game, opener = one_class(rules, 2, max_guesses=None)
    question = Question(objective=objective, openers=(game.guess_index(opener),))
    whole = question.asked(game)
    for hundredths in range(1, 60, 6):
        check_stopped(game, question, question.asked(game, jobs=2, time_limit=hundredths / 100), whole)


def test_slices_of_a_team() -> None:
    """A search that stops after some work stops those that help it, and goes on from there."""
    # With small thresholds the search looks at the stop flag all the time, and others wait for it to do so.
    game, opener = one_class(Rules.NORMAL) if SMALL else (Game.preset("classic"), "audio")
    guess = game.guess_index(opener)
    exact, _ = Search(tables_of(game), new_control()).opener(guess, 6, INFEASIBLE)
    found = team_of(game)
    value, ended, slices = 0, False, 0
    while not ended:
        with helped(found[0], found):
            value, ended = found[0].opener_slice(guess, 6, INFEASIBLE, slices)
        assert value <= exact
        slices += 1
    assert value == exact
    assert slices > 3
    assert found[1].helped


@pytest.mark.parametrize("rules", Rules)
@pytest.mark.parametrize("objective", ["mean", "within:3"])
def test_allocations_that_fail_in_a_team(rules: Rules, objective: str) -> None:
    """Whoever runs out of memory: MemoryError or the right value, and afterwards the right value and tree."""
    game = letters_game(f"memory {rules}", 90, 3, str(rules), max_guesses=None)
    guess, raised = 1, 0

    def ask(found: list[Search]) -> tuple[int, Any]:
        with helped(found[0], found):
            return found[0].opener(guess, 5, INFEASIBLE)[0], found[0].tree(guess, 5)

    expected = ask(team_of(game, 1, objective=objective))
    total = allocations(lambda: ask(team_of(game, objective=objective)))
    for after in range(0, total, 1 + total // 100):
        found = team_of(game, objective=objective)
        _engine.fail_allocation(after)
        try:
            assert ask(found) == expected
        except MemoryError:
            raised += 1
        finally:
            _engine.fail_allocation(-1)
        assert ask(found) == expected
    assert raised > 20


@pytest.mark.parametrize("other", [{}, {"weights": [2, 1, 1]}, {"weights": [1, 2, 1], "late": 9, "by": 1}, "game"])
def test_searches_of_other_costs_are_not_let_in(other: Any) -> None:
    """They would take each other's values for their own."""
    game = Game.from_words(["ab", "ba", "bb"], ["ab", "ba", "bb"])
    tables, team = tables_of(game), Team()

    def joined(tables: Any, weights: Sequence[int] | None = None, **costs: Any) -> None:
        counts = None if weights is None else np.array(weights, dtype=np.int64)
        Search(tables, new_control(), weights=counts, **costs).join(team)

    for _ in range(2):
        joined(tables, [1, 2, 1])
    with pytest.raises(ValueError, match="another game, or counts otherwise"):
        joined(tables_of(game), [1, 2, 1]) if other == "game" else joined(tables, **other)
