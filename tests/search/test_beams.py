"""Trees at once: beams and greedy play, and what a run that is stopped has to show."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest
from games_util import interrupt_at, letters_game, random_game, search_of

from optimal import _engine
from optimal._engine import INFEASIBLE, NO_LIMIT, ROUNDS
from optimal.errors import InputError
from optimal.games.game import Game
from optimal.games.rules import Rules
from optimal.games.weights import Weights
from optimal.search.engine import tables_of
from optimal.search.game_problem import Problem
from optimal.search.game_run import GameRun
from optimal.search.game_tree import replay
from optimal.search.jobs import searches_of, settle_split
from optimal.search.options import Options
from optimal.search.result import Result, Status
from optimal.search.solve import solve
from optimal.show.words import shown
from optimal.trees.verify import verify_tree

OBJECTIVES = ("mean", "worst", "within:2")


def long_words(rules: str = "normal", seed: int = 0, **options: Any) -> Game:
    return letters_game(f"beams {rules} {seed}", 260, 2, rules, **options)


def in_range(result: Result, exact: Result) -> None:
    """A stopped result is legal, and its bound <= exact <= its value."""
    assert result.status in (Status.FEASIBLE, Status.OPTIMAL, Status.UNKNOWN)
    assert result.bound is None or exact.value is None or result.bound <= exact.value
    if result.tree is None:
        assert result.status is Status.UNKNOWN
    else:
        assert exact.value is not None
        assert result.value is not None
        assert exact.value <= result.value


@pytest.mark.parametrize("rules", list(Rules))
@pytest.mark.parametrize("weighted", [False, True])
def test_a_beam_costs_what_its_tree_costs(rules: Rules, weighted: bool) -> None:
    """Every round, with and without a limit: no less than the least cost, no more than the tree that is built."""
    rng = random.Random(f"rounds {rules} {weighted}")
    found = 0
    games = [random_game(rng, rules) for _ in range(20)]
    # Of more than twelve answers no least tree is asked for in the first round, but any within the limit.
    games += [letters_game(f"rounds {seed}", 60, 2, rules, max_guesses=None) for seed in range(8)]
    for game in games:
        weights = [rng.randrange(4) for _ in game.answers] if weighted else None
        for limit in (NO_LIMIT, rng.randrange(2, 6)):
            exact = search_of(game, weights=weights)
            for guess in range(min(3, len(game.guesses))):
                least, _ = exact.opener(guess, limit, INFEASIBLE)
                for round in range(ROUNDS):
                    search = search_of(game, weights=weights)
                    cost = search.beam_opener(guess, limit, round)
                    assert cost >= least
                    if cost < INFEASIBLE:
                        nested = search.likely_tree(guess, limit)
                        assert nested is not None
                        depths = replay(game, nested)
                        assert max(depths) <= limit
                        total = sum(w * d for w, d in zip(weights or [1] * len(depths), depths, strict=True))
                        assert least <= total <= cost
                        found += 1
    assert found > 300


@pytest.mark.parametrize("rules", list(Rules))
def test_wide_beams_find_the_least(rules: Rules) -> None:
    """Of small games, where the last round leaves nothing out."""
    rng = random.Random(f"wide {rules}")
    for _ in range(30):
        game = random_game(rng, rules)
        for guess in range(min(4, len(game.guesses))):
            search = search_of(game)
            least, _ = search_of(game).opener(guess, 5, INFEASIBLE)
            assert search.beam_opener(guess, 5, ROUNDS - 1) == least


def test_a_beam_below_a_budget_and_within_so_much_work() -> None:
    game = long_words()
    search = search_of(game)
    cost = search.beam_opener(0, 6, 0)
    assert cost < INFEASIBLE
    assert search_of(game).beam_opener(0, 6, 0, cost) >= cost
    assert search_of(game).beam_opener(0, 6, 0, cost + 1) == cost
    assert search_of(game).beam_opener(0, 0, 0) == INFEASIBLE
    assert search_of(game).beam_opener(0, 6, 0, INFEASIBLE, 0) in (cost, INFEASIBLE)
    with pytest.raises(ValueError, match="round 6"):
        search.beam_opener(0, 6, ROUNDS)
    with pytest.raises(IndexError):
        search.beam_opener(len(game.guesses), 6, 0)


@pytest.mark.parametrize("rules", list(Rules))
def test_slices_come_to_the_same_end(rules: Rules) -> None:
    """However little work a slice may do, its bound holds; slices that are long enough end with the value."""
    game = long_words(str(rules))
    for guess in range(0, len(game.guesses), 97):
        value, _ = search_of(game).opener(guess, 6, INFEASIBLE)
        search = search_of(game)
        for looks in (0, 0, 1, 1, 2, 4, 8, 1 << 20):
            low, ended = search.opener_slice(guess, 6, INFEASIBLE, looks)
            assert low <= value
            assert low == value or not ended
        assert ended


@pytest.mark.parametrize("rules", list(Rules))
@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("phase", ["first trees", "openers"])
def test_stopped_anywhere_it_has_a_legal_tree(rules: Rules, objective: str, phase: str) -> None:
    for max_guesses in (None, 6):
        game = long_words(str(rules), max_guesses=max_guesses)
        exact = solve(game, objective=objective)
        for calls in (1, 3):
            result = solve(game, objective=objective, progress=interrupt_at(phase, calls))
            in_range(result, exact)
            assert result.tree is not None
            assert verify_tree(result.tree, guesses=game.guesses, answers=game.answers).ok


def test_a_tree_in_no_time_at_all() -> None:
    result = solve(Game.preset("classic"), time_limit=0.01)
    assert result.status is Status.FEASIBLE
    assert result.tree is not None
    assert result.bound is not None
    assert result.bound <= (7920,) < (8300,) > result.tree.value


def test_a_limit_that_binds_takes_repair() -> None:
    """Greedy play alone goes beyond five guesses here."""
    result = solve(Game.preset("classic"), max_guesses=5, openers=["trace"])
    assert result.status is Status.OPTIMAL
    search = search_of(Game.preset("classic"))
    guess = Game.preset("classic").guess_index("fuzzy")
    assert search.beam_opener(guess, NO_LIMIT, 0) < search.beam_opener(guess, 5, 0) < INFEASIBLE


@pytest.mark.parametrize(
    ("gap", "most"), [("50%", 0.5), ("3%", 0.03), ("0.5%", 0.005), (0, 0), (30, None), ("12", None)]
)
def test_a_gap_that_is_reached(gap: int | str, most: float | None) -> None:
    game = long_words(seed=1, max_guesses=None)
    exact = solve(game)
    result = solve(game, gap=gap)
    in_range(result, exact)
    assert result.total is not None
    assert result.bound is not None
    assert result.total - result.bound[-1] <= (int(gap) if most is None else most * result.total)
    assert result.stop_reason in ("gap", "done")
    named = solve(game, gap=gap, openers=[exact.tree.root.guess if exact.tree else ""])
    assert (named.status, named.total) == (Status.OPTIMAL, exact.total) or named.stop_reason == "gap"
    assert solve(game, gap=0, openers=game.guesses[:1]).status is Status.OPTIMAL
    assert (result.status is Status.OPTIMAL) == (result.stop_reason == "done")


@pytest.mark.parametrize("gap", ["", "1 %", "-1%", "1e3", "0.5", True, "9" * 30, "\u0661%", 10**5000], ids=shown)
def test_a_gap_that_is_none(gap: Any) -> None:
    with pytest.raises(InputError, match='the gap must be a whole number, or per cent such as "1%", not'):
        solve(long_words(), gap=gap)


def test_a_gap_is_for_the_mean() -> None:
    with pytest.raises(InputError, match="a gap is for the objective mean alone, not for worst"):
        solve(long_words(), gap="1%", objective="worst")


def test_weights_have_beams_too() -> None:
    game = long_words(seed=2)
    weights = Weights("file", tuple(i % 7 for i in range(len(game.answers))))
    exact = solve(game, weights=weights)
    result = solve(game, weights=weights, progress=interrupt_at("first trees", 1))
    in_range(result, exact)
    assert result.tree is not None


@pytest.mark.parametrize("rules", list(Rules))
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_one_opener_on_two_cores(rules: Rules, objective: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its classes shared out: the same tree, also where the opener has none within the limit."""
    monkeypatch.setattr("optimal.search.solve.find_incumbent", lambda run, searches, order: (False, None))
    statuses = set()
    for seed in range(4):
        for limit in (None, 3 + seed % 2):
            game = long_words(str(rules), seed, max_guesses=limit)
            opener = [game.guesses[31 * seed]]
            one = solve(game, objective=objective, openers=opener)
            two = solve(game, objective=objective, openers=opener, jobs=2)
            assert (one.status, one.value, one.bound, one.tree) == (two.status, two.value, two.bound, two.tree)
            statuses.add(one.status)
    assert statuses == {Status.OPTIMAL, Status.INFEASIBLE}


def test_answers_alike_that_a_guess_leaves_together() -> None:
    rng = random.Random("alike")
    every = ["".join(letters) for letters in itertools.product("abcd", repeat=3)]
    for rules in Rules:
        game = Game.from_words(every, rng.sample(every, 40), rules=rules)
        words = [game.guesses[i] for i in game.answer_guess]
        alike = [
            (i, j)
            for j in range(len(words))
            for i in range(j)
            if sum(x != y for x, y in zip(words[i], words[j], strict=True)) == 1
        ]
        asked = rng.sample(range(len(game.guesses)), 20)
        together = [sum(bool(game.matrix[g, i] == game.matrix[g, j]) for i, j in alike) for g in asked]
        tables = tables_of(game)
        assert sorted(tuple(sorted(pair)) for pair in tables.neighbour_pairs().tolist()) == sorted(alike)
        assert tables.neighbours_together(asked).tolist() == together
        with pytest.raises(IndexError):
            tables.neighbours_together([len(game.guesses)])
        assert len(alike) > 20
    assert tables_of(Game.preset("mastermind:2x3")).neighbours_together([0, 1]).tolist() == [0, 0]


def test_a_split_opener_beside_a_tree_found_before() -> None:
    """The incumbent of beams cuts classes short, and the opener is settled all the same."""
    game = long_words(seed=9)
    question = Problem(game, None, options=Options(jobs=2))
    run_of = GameRun(question)
    searches = searches_of(question.engine(), run_of.control, 2)
    exact, _ = search_of(game).opener(5, 6, INFEASIBLE)
    for incumbent in (exact - 1, exact, exact + 1, INFEASIBLE):
        run_of.begin(6)
        run_of.take_up([5], searches)
        run_of.control.incumbent = incumbent
        settle_split(run_of, searches, 5)
        assert (run_of.values.get(5) == exact) == (incumbent >= exact)
        assert incumbent < run_of.lows[5] <= exact or incumbent >= exact == run_of.lows[5]
    searches[0].class_bounds(5, 6)
    with pytest.raises(ValueError, match="no answer has feedback"):
        searches[0].class_value(5, 80, 6, INFEASIBLE)
    assert searches[0].class_bounds(5, 0) == (INFEASIBLE, [])


@pytest.mark.parametrize("rules", list(Rules))
def test_lists_that_are_sorted_as_far_as_they_are_needed(rules: Rules) -> None:
    """With weights that differ, hundreds of guesses stand on a list and most are never tried: the least cost is that
    of the same search without count bounds, which tries many more."""
    game = long_words(str(rules), seed=3)
    rng = random.Random(f"lists {rules}")
    for most in (3, 1000):
        weights = [rng.randrange(most) for _ in game.answers]
        search, plain = search_of(game, weights=weights), search_of(game, _engine.SWITCHES["counts"], weights=weights)
        for guess in range(0, len(game.guesses), 40):
            assert search.opener(guess, 5, INFEASIBLE) == plain.opener(guess, 5, INFEASIBLE)


@pytest.mark.parametrize("word", ["fuzzy", "qajaq", "salet"])
def test_a_plan_within_a_limit_is_found_again(word: str) -> None:
    """Large classes, whose trees are low enough without a limit: what the beam announced is what is built."""
    game = Game.preset("classic")
    guess = game.guess_index(word)
    search = search_of(game)
    for round in range(2):
        cost = search.beam_opener(guess, 6, round, INFEASIBLE, 600)
        nested = search.likely_tree(guess, 6)
        assert nested is not None
        depths = replay(game, nested)
        assert max(depths) <= 6
        assert sum(depths) <= 1.002 * cost  # a plan may have been lost to another in a full table


@pytest.mark.parametrize("rules", list(Rules))
def test_where_greedy_play_finds_no_tree_one_is_hunted_for_beside_the_proof(rules: Rules) -> None:
    game = long_words(str(rules), 3, max_guesses=3)
    found = solve(game, without=frozenset({"nogoods", "families", "depths"}))
    for jobs in (1, 2):
        hunted = solve(game, jobs=jobs)
        assert (hunted.status, hunted.value, hunted.tree) == (found.status, found.value, found.tree)
