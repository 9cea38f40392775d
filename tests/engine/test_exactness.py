"""The solver against the textbook solver on thousands of small random games: same status, value and tree.

Trees are compared byte by byte, so the tie rule is tested as well as the totals.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from games_util import grid_game, poor_game, random_game, random_openers, random_weights
from questions_util import Question, check
from textbook import Textbook

from optimal.games.game import Game
from optimal.games.rules import Rules
from optimal.search.engine import SWITCHES
from optimal.search.result import Status
from optimal.search.solve import solve
from optimal.trees.file import to_bytes

LIMITS = (None, 1, 2, 3, 4, 5, 6)
OBJECTIVES = ("mean", "worst", "within:1", "within:2", "within:3", "within:4")

# Every question that can be put to a game: rules, objective, weighted or not.
QUESTIONS = [
    pytest.param(rules, objective, weighted, id=f"{rules}-{objective}{'-weighted' if weighted else ''}")
    for rules in Rules
    for objective in OBJECTIVES
    for weighted in (False, True)
]


def random_question(rng: random.Random, game: Game, objective: str, weighted: bool) -> tuple[Question, Textbook]:
    """A limit, openers and weights for a game, and the textbook that knows the weights."""
    # Pairs (missed, total) of giants are refused: they would not fit in 64 bits.
    giant = 10**9 if objective in ("mean", "worst") else 10**6
    weights = random_weights(rng, len(game.answers), giant) if weighted else None
    question = Question(rng.choice(LIMITS), objective, random_openers(rng, game), weights)
    return question, Textbook(game, weights)


@pytest.mark.parametrize(("rules", "objective", "weighted"), QUESTIONS)
def test_every_question(rules: Rules, objective: str, weighted: bool) -> None:
    rng = random.Random(f"{rules} {objective} {weighted}")
    for _ in range(20):
        game = random_game(rng, rules)
        question, textbook = random_question(rng, game, objective, weighted)
        for jobs, limit in zip((1, 1, 2), rng.sample(LIMITS, 3), strict=True):
            asked = replace(question, limit=limit)
            check(game, textbook, asked, asked.asked(game, jobs=jobs), f"{jobs} jobs")


# Seeds of games where some limit costs some of the total, found by search: few random games are like that.
BINDING: list[tuple[Callable[[random.Random, Rules], Game], Rules, tuple[int, ...]]] = [
    (poor_game, Rules.NORMAL, (0, 7, 8, 9, 10, 16, 17, 32, 38, 40, 41, 44, 48, 49, 51, 56)),
    (grid_game, Rules.NORMAL, (91, 100, 243, 268, 296, 452, 587)),
    (grid_game, Rules.HARD, (156, 268, 681, 691, 776, 793, 831, 875)),
    (grid_game, Rules.ULTRA_HARD, (156, 268, 681, 691, 776, 793, 831, 875)),
]


@pytest.mark.parametrize(
    ("make", "rules", "seed"), [(make, rules, seed) for make, rules, seeds in BINDING for seed in seeds]
)
def test_limits_that_bind(make: Callable[[random.Random, Rules], Game], rules: Rules, seed: int) -> None:
    game = make(random.Random(seed), rules)
    textbook = Textbook(game)
    free = textbook.solve(None)
    limited = [found for limit in range(2, 9) if (found := textbook.solve(limit)) is not None]
    assert any(free is not None and found.value > free.value for found in limited), "the seed no longer binds"
    for limit in (None, *range(1, 9)):
        check(game, textbook, Question(limit))


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "objective", "weighted"), QUESTIONS)
def test_every_pruning_switch_off(rules: Rules, objective: str, weighted: bool) -> None:
    rng = random.Random(f"switches {rules} {objective} {weighted}")
    everything = frozenset(SWITCHES)
    for _ in range(20 if objective == "mean" else 5):
        # Smaller games than elsewhere: without the table the search is factorial in them.
        game = random_game(rng, rules, answers=9, guesses=18)
        question, textbook = random_question(rng, game, objective, weighted)
        for off in (*(frozenset({switch}) for switch in SWITCHES), everything):
            check(game, textbook, question, question.asked(game, without=off), f"off: {sorted(off)}")


def pegs(**sizes: str) -> list[str]:
    """Names of peg games: of each kind these sizes."""
    return [f"{kind.replace('_', '-')}:{size}" for kind, listed in sizes.items() for size in listed.split()]


LARGER = pegs(mastermind="2x7 3x4 4x3 6x2", bulls_and_cows="2x10 3x5 4x4", black_pegs="2x6 3x4 4x3")
SMALL = pegs(bulls_and_cows="1x4 2x2 2x3 2x4 3x3", black_pegs="1x4 2x2 2x3 3x2 2x4 4x2")


@pytest.mark.parametrize("rules", [Rules.NORMAL, Rules.ULTRA_HARD])
@pytest.mark.parametrize("name", LARGER)
def test_symmetry_changes_no_tree(name: str, rules: Rules) -> None:
    game = Game.preset(name, rules)
    for limit in (None, 6, 5, 4):
        result, other = (Question(limit).asked(game, without=frozenset(off)) for off in ((), ("symmetry",)))
        assert other.status is result.status
        assert (other.tree and to_bytes(other.tree)) == (result.tree and to_bytes(result.tree))


@pytest.mark.parametrize("rules", [Rules.NORMAL, Rules.ULTRA_HARD])
@pytest.mark.parametrize("name", SMALL)
def test_small_peg_games(name: str, rules: Rules) -> None:
    game = Game.preset(name, rules)
    textbook = Textbook(game)
    for objective in OBJECTIVES:
        for limit in (None, 4, 3, 2):
            check(game, textbook, Question(limit, objective))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_poor_games_too_large_for_the_textbook(seed: int) -> None:
    # Two letters tell little: some limits are out of reach, others cost some of the total. All roads must agree.
    rng = random.Random(seed)
    words = ["".join(pair) for pair in product("abcdefghij", repeat=2)]
    guesses = rng.sample(words, 70)
    game = Game.from_words(guesses, rng.sample(guesses, 60), name="random", max_guesses=None)
    least = 0
    for limit in (None, 7, 6, 5, 4, 3):
        question = Question(limit)
        result = question.asked(game)
        assert result.status in (Status.OPTIMAL, Status.INFEASIBLE)
        assert result.value is None or least <= result.value[0]
        least = 10**9 if result.value is None else result.value[0]
        others = [question.asked(game, without=frozenset({switch})) for switch in SWITCHES]
        for other in (*others, question.asked(game, jobs=2)):
            assert other.status is result.status
            assert (other.tree and to_bytes(other.tree)) == (result.tree and to_bytes(result.tree))


def test_late_answers_behind_two_nearly_equal_openers() -> None:
    # The cost of a guess changes after guess K: a tree made with another count of guesses in mind comes out dearer.
    matrix = np.ones((14, 11), np.uint8)
    matrix[range(11), range(11)] = 0
    matrix[11] = [5, 1, 2, 3, 4, 6, 6, 7, 7, 7, 7]
    matrix[12] = [1, 1, 1, 1, 1, 2, 2, 3, 3, 3, 3]
    matrix[13] = [2, 1, 1, 1, 1, 2, 2, 3, 3, 3, 3]
    game, weights = Game.from_matrix(matrix, 0), (2,) + (1,) * 10
    question = Question(None, "within:2", (12, 13), weights)
    assert check(game, Textbook(game, weights), question)
    assert question.asked(game).value == (8, 39)


def test_late_answers_of_a_word_game() -> None:
    words = ["bc", "bg", "cc", "cd", "cf", "cg", "dg", "fa", "ga", "gc", "ge", "gf", "gg"]
    game = Game.from_words(words, [word for word in words if word != "fa"], max_guesses=None)
    assert check(game, Textbook(game), Question(None, "within:2"))
    assert solve(game, objective="within:2").value == (6, 32)


def test_hints_that_leave_the_same_candidates_and_other_legal_guesses() -> None:
    # Neither opener tells cab, dab, jab and tab apart, but after nab a guess needs the a and the b: the four can only
    # be guessed one after the other, 10 in all. After zoo tad is legal, and tells all but two of them apart: 9.
    words = ["cab", "dab", "jab", "nab", "tab", "tad", "zoo"]
    game = Game.from_words(words, ["cab", "dab", "jab", "tab"], rules="hard", max_guesses=None)
    for opener, total in (("nab", 14), ("zoo", 13)):
        assert solve(game, first=[opener]).value == (total,)
    assert check(game, Textbook(game), Question(None, openers=(words.index("nab"), words.index("zoo"))))
    # With all openers: abd, abe, abh and one of abf and abg take 9 while ahd is legal, else 10.
    words = ["abd", "abe", "abf", "abg", "abh", "ahd", "bxc", "gxc", "xce"]
    game = Game.from_words(words, [word for word in words if word != "ahd"], rules="hard", max_guesses=None)
    assert check(game, Textbook(game), Question(None))
    assert solve(game).value == (20,)


def test_two_processes_make_the_same_tree() -> None:
    game = random_game(random.Random("processes"), Rules.HARD)
    question = Question()
    check(game, Textbook(game), question, question.asked(game, jobs=2, backend="loky"))
