"""Trees at once: beams and greedy play; gaps, and openers whose classes are shared out."""

from __future__ import annotations

import random
from typing import Any

import pytest
from games_util import letters_game, matrix_scorer, random_game, search_of, told

from optimal import _engine
from optimal._engine import INFEASIBLE, NO_LIMIT, QUICK, ROUNDS
from optimal.advice.position import tiered
from optimal.games.game import Game
from optimal.games.rules import Rules
from optimal.search.engine import new_control
from optimal.search.game_problem import Problem
from optimal.search.game_run import GameRun
from optimal.search.game_tree import replay, strategy_tree
from optimal.search.incumbents import find_incumbent
from optimal.search.jobs import searches_of, settle_split
from optimal.search.options import Options
from optimal.search.result import Status
from optimal.search.solve import solve
from optimal.trees.verify import verify_tree


def long_words(rules: str = "normal", seed: int = 0, **options: Any) -> Game:
    return letters_game(f"beams {rules} {seed}", 260, 2, rules, **options)


@pytest.mark.parametrize("rules", list(Rules))
@pytest.mark.parametrize("weighted", [False, True])
def test_a_beam_costs_what_its_tree_costs(rules: Rules, weighted: bool) -> None:
    """All rounds, with and without a limit: no less than the least cost, no more than the legal tree that is built."""
    rng = random.Random(f"rounds {rules} {weighted}")
    found = 0
    games = [random_game(rng, rules) for _ in range(20)]
    # Of more than twelve answers no least tree is asked for in the first round, but any within the limit.
    games += [letters_game(f"rounds {seed}", 60, 2, rules, max_guesses=None) for seed in range(8)]
    # After aaaa and gijh, bcad would find mmm? soon: the hint of the one before allows it, that of the first doesn't.
    likely = [*(f"mmm{last}" for last in "bcde"), *(f"nnn{last}" for last in "ghij")]
    games.append(Game.from_words(["aaaa", "bcad", "gijh", *likely], likely, rules=rules, max_guesses=None))
    for game in games:
        weights = [rng.randrange(4) for _ in game.answers] if weighted else None
        for limit in (NO_LIMIT, rng.randrange(2, 6)):
            exact = search_of(game, weights=weights)
            for guess in range(min(3, len(game.guesses))):
                least, _ = exact.opener(guess, limit, INFEASIBLE)
                for round in range(QUICK, ROUNDS):
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
@pytest.mark.parametrize("limit", [None, 6, 3])
def test_quick_play_comes_first_and_changes_no_result(
    rules: Rules, limit: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It counts what a tree without the limit misses where it finds none within it, and incumbents only improve."""
    game, events = long_words(str(rules), 4, max_guesses=limit), list[dict[str, Any]]()
    want = told(solve(game))
    monkeypatch.setattr("optimal.search.incumbents._QUICK", 0)
    assert [told(solve(game, jobs=jobs, log=events.append if jobs == 1 else None)) for jobs in (1, 2)] == [want, want]
    costs = [event["cost"] for event in events if event["event"] == "incumbent"]
    assert costs == sorted(costs, reverse=True)
    problem = Problem(game, limit)
    run_of = GameRun(problem, trees=True)
    find_incumbent(run_of, searches_of(run_of.engine, run_of.control, 1), [0])
    if run_of.missed is not None:
        assert run_of.missed > 0
        assert limit == 3
    for left in {NO_LIMIT, run_of.left}:
        search = search_of(game)
        if search.beam_opener(0, left, QUICK) < INFEASIBLE:
            nested = search.likely_tree(0, left)
            assert nested is not None
            depths = replay(game, nested)
            assert max(depths) <= left
            tree = strategy_tree(Problem(game, None), nested, depths, Status.FEASIBLE, (0,), ())
            assert verify_tree(tree, guesses=game.guesses, answers=game.answers, scorer=matrix_scorer(game)).ok


def test_a_tree_in_no_time_at_all() -> None:
    result = solve(Game.preset("classic"), time_limit=0.01)
    assert result.status is Status.FEASIBLE
    assert result.tree is not None
    assert result.bound is not None
    assert (2 * 2315,) < result.bound <= (7920,)  # by one count
    assert result.tree.value < (8300,)


@pytest.mark.parametrize("gap", ["50%", "3%", "0.5%", 0, 30, "12"])
def test_a_gap_that_is_reached(gap: int | str) -> None:
    game = long_words(seed=1, max_guesses=None)
    exact, result = solve(game), solve(game, gap=gap)
    assert exact.total is not None
    assert result.total is not None
    assert result.bound is not None
    text = str(gap)
    most = result.total * float(text[:-1]) / 100 if text.endswith("%") else int(text)
    assert result.bound[-1] <= exact.total <= result.total <= result.bound[-1] + most
    assert result.stop_reason == ("done" if result.status is Status.OPTIMAL else "gap")
    assert (result.status is Status.OPTIMAL) == (result.bound == result.value)
    beside = min(game.guesses, key=lambda word: len(set(word)))  # its bound is above the total at once
    named = solve(game, gap=gap, first=[str(exact.opener), beside])
    assert named.bound is not None
    assert (named.status is Status.OPTIMAL) == (named.bound == named.value)
    assert (named.status, named.total) == (Status.OPTIMAL, exact.total) or named.stop_reason == "gap"


@pytest.mark.parametrize("rules", list(Rules))
@pytest.mark.parametrize("objective", ["mean", "worst"])
def test_openers_in_slices_of_which_the_least_bound_is_first(
    rules: Rules, objective: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where they take long, all or those after the first; and of a single opener the classes are shared out."""
    games = [long_words(str(rules), seed, max_guesses=limit) for seed, limit in enumerate((None, 4, 3))]
    asked = [(game, openers) for game in games for openers in (None, game.guesses[31:32])]

    def found(jobs: int) -> list[object]:
        return [told(solve(game, objective=objective, first=openers, jobs=jobs)) for game, openers in asked]

    want = found(1)
    monkeypatch.setattr("optimal.search.jobs._LATE", 0)
    assert found(1) == found(2) == want
    monkeypatch.setattr("optimal.search.solve.find_incumbent", lambda *_: (False, None))
    assert found(1) == found(2) == want


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


@pytest.mark.parametrize("rules", list(Rules))
def test_where_greedy_play_finds_no_tree_one_is_hunted_for_beside_the_proof(rules: Rules) -> None:
    game = long_words(str(rules), 3, max_guesses=3)
    found = solve(game, without=frozenset({"nogoods", "families", "depths"}))
    for jobs in (1, 2):
        hunted = solve(game, jobs=jobs)
        assert (hunted.status, hunted.value, hunted.tree) == (found.status, found.value, found.tree)


@pytest.mark.parametrize("round", [QUICK, 0])
def test_trees_by_number_cost_what_they_weigh(round: int) -> None:
    """Where greedy play by weight finds no tree within the limit, one by the number of answers is weighed."""
    words = Game.preset("classic-all").guesses[::14]
    game = Game.from_words(words, words)
    weights = [40 if number % 4 == 0 else 1 for number in range(len(words))]
    for guess in range(3):
        search = search_of(game, weights=weights)
        cost = search.beam_opener(guess, 5, round)
        nested = search.likely_tree(guess, 5)
        assert nested is not None
        depths = replay(game, nested)
        assert max(depths) == 5
        assert sum(weight * depth for weight, depth in zip(weights, depths, strict=True)) <= cost < INFEASIBLE


@pytest.mark.parametrize(("seed", "opener", "limit"), [(124, 24, 5), (1006, 32, 5), (2683, 0, 5), (2768, 14, 5)])
@pytest.mark.parametrize("round", [QUICK, 0])
def test_trees_by_number_keep_to_ultra_hard_rules(seed: int, opener: int, limit: int, round: int) -> None:
    """And leave nothing in the table that is true with illegal guesses alone."""
    rng = random.Random(seed)
    count = rng.randint(24, 44)
    rng.randint(0, 0)
    rows = [[rng.choices(range(3), (7, 2, 2))[0] for _ in range(count)] for _ in range(count)]
    for guess in range(count):
        rows[guess][guess] = 3
    game = Game.from_matrix(rows, 3, rules="ultra-hard")
    weights = [rng.choice((1, 1, 1, 9)) for _ in range(count)]
    search = search_of(game, weights=weights)
    least = search_of(game, weights=weights).opener(opener, limit, INFEASIBLE)
    assert search.beam_opener(opener, limit, round) >= least[0]
    assert search.opener(opener, limit, INFEASIBLE) == least
    plain = search_of(game)
    assert plain.beam_opener(opener, limit, QUICK) >= search_of(game).opener(opener, limit, INFEASIBLE)[0]


@pytest.mark.slow
def test_quick_play_by_weight_neglects_no_light_answer() -> None:
    """Most of 14855 words weigh little, but all must be found within six guesses."""
    game, weights = tiered(Game.preset("nyt"), 1000)
    problem = Problem(game, 6, weights=weights)
    search = problem.engine().search(new_control())
    cost = search.beam_opener(game.guess_index("spart"), 6, QUICK)
    nested = search.likely_tree(game.guess_index("spart"), 6)
    assert nested is not None
    depths = replay(game, nested)
    assert max(depths) == 6
    assert 11252131 <= problem.cost(depths) <= cost < 13 * 10**6
