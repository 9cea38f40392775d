"""Teams: several searches at one node. The same values and trees as one search finds, whatever ends them."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from games_util import letters_game, random_game, random_weights
from test_portability import output_of

from optimal import _engine
from optimal._engine import INFEASIBLE, SMALL, Control, Search, Stopped, Team
from optimal.advice.analysis import analyse
from optimal.advice.debrief import debrief
from optimal.advice.subgame import solve_position
from optimal.games.game import Game
from optimal.games.rules import Rules
from optimal.games.weights import Weights
from optimal.search import jobs, root_search
from optimal.search import solve as solving
from optimal.search.engine import Engine, tables_of
from optimal.search.game_problem import Problem
from optimal.search.jobs import helped
from optimal.search.result import Status
from optimal.search.solve import solve
from optimal.trees.verify import verify_tree

OBJECTIVES = ("mean", "worst", "within:3")
#: Positions so small are offered here, and their owners wait so long for others to come, that small games are shared.
LEAST, PATIENCE = 3, 2
FAR = 10**9
OPENING = "salet=bbbbb"


class Helped:
    """How often searches took part in offers of others."""

    def __init__(self) -> None:
        self.times = 0
        self.latest: Sequence[Search] = ()

    def note(self) -> int:
        self.times += sum(search.helped for search in self.latest)
        self.latest = ()
        return self.times


@pytest.fixture
def offers(monkeypatch: pytest.MonkeyPatch) -> Helped:
    """Let the searches of a run offer small positions too, and count who helps."""
    found = Helped()
    made = jobs.searches_of

    def counted(engine: Engine, control: Control, count: int) -> list[Search]:
        found.note()
        found.latest = searches = made(engine, control, count)
        return searches

    monkeypatch.setattr(jobs, "Team", lambda slots: Team(slots, LEAST, patience=PATIENCE))
    monkeypatch.setattr(solving, "searches_of", counted)
    monkeypatch.setattr(root_search, "searches_of", counted)
    return found


def one_class(rules: Rules | str, seed: int = 0, count: int = 260, **options: Any) -> tuple[Game, str]:
    """A game, and an opener that leaves most answers in one class."""
    game = letters_game(f"team {rules} {seed}", count, 3, str(rules), **options)
    largest = [np.bincount(row).max() for row in game.matrix]
    return game, game.guesses[int(np.argmax(largest))]


def team_of(game: Game, count: int = 2, limit: int | None = None, **question: Any) -> list[Search]:
    """Searches of one team, with tables so small that they grow and overflow."""
    costs = Problem(game, limit, **question).costs
    options: dict[str, Any] = {"max_slots": 1024}
    if costs is not None:
        options.update(weights=np.array(costs.weights, dtype=np.int64), by=costs.by, late=costs.late)
    tables, control, team = (
        tables_of(game),
        Control(np.zeros(2, dtype=np.int64)),
        Team(1 << 17, LEAST, patience=PATIENCE),
    )
    found = [Search(tables, control, **options) for _ in range(count)]
    for search in found:
        search.join(team)
    return found


@contextmanager
def stopped_after(control: Control, seconds: float) -> Iterator[None]:
    timer = threading.Timer(seconds, control.stop)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()


@pytest.mark.parametrize("rules", Rules)
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_same_bytes_with_one_large_class(rules: Rules, objective: str, offers: Helped) -> None:
    rng = random.Random(f"bytes {rules} {objective}")
    for seed in range(4):
        for limit in (None, 4 + seed % 2):
            game, opener = one_class(rules, seed, max_guesses=limit)
            weights = None if seed % 2 else Weights("file", random_weights(rng, len(game.answers), 50))
            options: dict[str, Any] = {"objective": objective, "weights": weights, "openers": [opener]}
            one = solve(game, **options)
            for count in (2, 3):
                several = solve(game, jobs=count, **options)
                assert (one.status, one.value, one.bound) == (several.status, several.value, several.bound)
                assert one.tree == several.tree
    assert offers.note()


@pytest.mark.parametrize("rules", Rules)
def test_random_games_of_any_kind(rules: Rules, offers: Helped) -> None:
    rng = random.Random(f"team {rules}")
    for _ in range(40):
        game = random_game(rng, rules, 16, 30).with_rules(rules, rng.choice((None, 3, 4, 6)))
        weights = rng.choice((None, Weights("file", random_weights(rng, len(game.answers), 50))))
        objective = rng.choice(("mean", "worst", "within:2"))
        one = solve(game, objective=objective, weights=weights)
        two = solve(game, objective=objective, weights=weights, jobs=2)
        assert (one.status, one.value, one.bound, one.tree) == (two.status, two.value, two.bound, two.tree)
    assert offers.note()


@pytest.mark.parametrize("name", ["mastermind:3x5", "mastermind:4x4"])
def test_games_with_symmetries(name: str, offers: Helped) -> None:
    game = Game.preset(name)
    for opener in (None, [game.guesses[0]]):
        one, two = (solve(game, openers=opener, jobs=count) for count in (1, 2))
        assert (one.value, one.tree) == (two.value, two.tree)
    assert offers.note()


@pytest.mark.slow
@pytest.mark.parametrize("rules", Rules)
def test_positions(rules: Rules, offers: Helped) -> None:
    game = Game.preset("classic", rules)
    asked: list[Callable[[int], Any]] = [
        lambda count: analyse(game, OPENING, top=3, jobs=count).to_dict(others=True),
        lambda count: solve_position(game, OPENING, jobs=count).tree,
    ]
    if rules is not Rules.ULTRA_HARD:  # whose start is not in a table
        asked.append(lambda count: debrief(game, "crony", ["salet", "round", "crony"], jobs=count).to_dict())
    for ask in asked:
        assert ask(1) == ask(2)
    assert offers.note()


@pytest.mark.parametrize("rules", Rules)
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_a_solve_that_is_stopped_says_what_holds(rules: Rules, objective: str, offers: Helped) -> None:
    game, opener = one_class(rules, 2, max_guesses=None)
    exact = solve(game, objective=objective, openers=[opener])
    assert exact.value is not None
    assert exact.bound is not None
    for hundredths in range(1, 60, 6):
        found = solve(game, objective=objective, openers=[opener], jobs=2, time_limit=hundredths / 100)
        assert found.bound is not None
        assert found.bound <= exact.value
        if found.tree is not None:
            assert found.value is not None
            assert found.value >= exact.value
            assert verify_tree(found.tree, guesses=game.guesses, answers=game.answers).ok
        if found.status is Status.OPTIMAL:
            assert found.tree == exact.tree


@pytest.mark.slow
@pytest.mark.parametrize("rules", [Rules.NORMAL, Rules.HARD])
def test_a_team_that_was_stopped_gives_the_values_of_a_fresh_one(rules: Rules) -> None:
    game = Game.preset("classic", rules)
    tables, history = tables_of(game), [(game.guess_index("salet"), 0)]
    expected = Search(tables, Control(np.zeros(2, dtype=np.int64)), None, history).best(5)
    stops = 0
    for thousandths in range(5, 150, 15):
        control, team = Control(cells := np.zeros(2, dtype=np.int64)), Team(1 << 17, LEAST, patience=PATIENCE)
        found = [Search(tables, control, None, history) for _ in range(3)]
        for search in found:
            search.join(team)
        with stopped_after(control, thousandths / 1000):
            try:
                with helped(found[0], found):
                    assert found[0].best(5) == expected
            except Stopped:
                stops += 1
        cells[:] = 0
        with helped(found[1], found):
            assert found[1].best(5) == expected
    assert stops


def test_slices_of_a_team() -> None:
    """A search that stops after some work stops those that help it, and goes on from there."""
    # With small thresholds the search looks at the stop flag all the time, and others wait for it to do so.
    game, opener = one_class(Rules.NORMAL) if SMALL else (Game.preset("classic"), "audio")
    guess = game.guess_index(opener)
    exact, _ = Search(tables_of(game), Control(np.zeros(2, dtype=np.int64))).opener(guess, 6, INFEASIBLE)
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
    _engine.fail_allocation(FAR)
    try:
        ask(team_of(game, objective=objective))
    finally:
        total = FAR - _engine.fail_allocation(-1)
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
        Search(tables, Control(np.zeros(2, dtype=np.int64)), weights=counts, **costs).join(team)

    for _ in range(2):
        joined(tables, [1, 2, 1])
    with pytest.raises(ValueError, match="another game, or counts otherwise"):
        joined(tables_of(game), [1, 2, 1]) if other == "game" else joined(tables, **other)


#: Two searches find trees of one node, the dearer one last: in a whole search hardly ever met.
LATE = r"""
#undef NDEBUG
#include <assert.h>
#include "search/engine.h"

static int take_nothing(void *handle, int wait) { (void)handle; return wait; }
static void leave_nothing(void *handle) { (void)handle; }

int main(void) {
    team_t team = {0};
    offer_t offer = {0};
    node_t node = {0};
    team.lock.take = take_nothing;
    team.lock.leave = leave_nothing;
    offer.best = 10, offer.guess = 3;
    for (node.best = 12, node.guess = 5; node.best >= 10; node.best--) {
        offer_found(&team, &offer, &node, 0);
        assert(offer.best == 10 && offer.guess == 3);
    }
    offer_found(&team, &offer, &node, 0);
    assert(offer.best == 9 && offer.guess == 5);
    return 0;
}
"""


def test_a_tree_found_late_takes_the_place_of_dearer_ones_alone(tmp_path: Path) -> None:
    source = tmp_path / "late.c"
    source.write_text(LATE)
    assert output_of("cc", source, tmp_path / "late") == ""
