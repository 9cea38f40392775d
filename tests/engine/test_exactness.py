"""The solver against the textbook solver on thousands of small random games: same status, value and tree.

Trees are compared byte by byte, so the tie rule is tested as well as the totals.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

import numpy as np
import pytest
from games_util import (
    as_code,
    grid_game,
    matrix_scorer,
    poor_game,
    random_game,
    random_openers,
    random_weights,
    word_game,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from textbook import Solution, Textbook, depths_of
from trees_util import node_of

from optimal import __version__
from optimal.errors import InputError
from optimal.games.game import Game
from optimal.games.rules import Rules
from optimal.games.weights import Weights
from optimal.search.engine import SWITCHES
from optimal.search.result import Result, Status
from optimal.search.solve import solve
from optimal.trees.file import to_bytes
from optimal.trees.nodes import Node
from optimal.trees.tree import StrategyTree
from optimal.trees.verify import verify_tree

LIMITS = (None, 1, 2, 3, 4, 5, 6)
OBJECTIVES = ("mean", "worst", "within:1", "within:2", "within:3", "within:4")

# Every question that can be put to a game: rules, objective, weighted or not.
QUESTIONS = [
    pytest.param(rules, objective, weighted, id=f"{rules}-{objective}{'-weighted' if weighted else ''}")
    for rules in Rules
    for objective in OBJECTIVES
    for weighted in (False, True)
]


#: What the textbook says of a question: None where there is no tree.
Expected: TypeAlias = "tuple[Solution, StrategyTree] | None"


@dataclass(frozen=True)
class Question:
    """What is asked of a game, beside its rules."""

    limit: int | None
    objective: str = "mean"
    openers: tuple[int, ...] | None = None
    weights: tuple[int, ...] | None = None

    def asked(
        self,
        game: Game,
        jobs: int = 1,
        backend: str = "threads",
        without: frozenset[str] = frozenset(),
    ) -> Result:
        """The solver's reply."""
        named = None if self.openers is None else [game.guesses[guess] for guess in self.openers]
        return solve(
            game,
            objective=self.objective,
            max_guesses=self.limit,
            openers=named,
            jobs=jobs,
            backend=backend,
            without=without,
            weights=None if self.weights is None else Weights("file", self.weights),
        )

    def expected(self, game: Game, textbook: Textbook) -> Expected:
        """The textbook's reply, as the tree that the solver ought to make; None: there is no tree."""
        found = textbook.solve(self.limit, self.objective, self.openers)
        if found is None:
            return None
        depths = depths_of(game, found.plan)
        weights = self.weights or (1,) * len(depths)
        return found, StrategyTree(
            game=game.info,
            rules=game.rules,
            objective=self.objective,
            max_guesses=self.limit,
            position=(),
            weights=self.weights,
            weights_name="uniform" if self.weights is None else "file",
            answers=game.answers,
            root=node_of(game, found.plan),
            status="OPTIMAL",
            value=found.value,
            bound=found.value,
            total=sum(weight * depth for weight, depth in zip(weights, depths, strict=True)),
            worst=max(depths),
            distribution=Counter(depths),
            openers=None if self.openers is None else tuple(game.guesses[guess] for guess in self.openers),
            program=f"optimal {__version__}",
        )


def check(
    game: Game,
    textbook: Textbook,
    question: Question,
    result: Result | None = None,
    story: str = "",
    known: tuple[Expected] | None = None,
) -> bool:
    """Compare the solver's reply with the textbook's (or with what it is known to say); is there a tree at all?"""
    story = f"\n{as_code(game)}\n{question}\n{story}"
    (expected,) = (question.expected(game, textbook),) if known is None else known
    result = question.asked(game) if result is None else result
    openers = range(len(game.guesses)) if question.openers is None else question.openers
    assert result.openers == len(set(openers)), story
    if expected is None:
        assert result.status is Status.INFEASIBLE, story
        assert (result.tree, result.total, result.value, result.opener, result.mean) == (None,) * 5, story
        return False
    solution, tree = expected
    assert result.status is Status.OPTIMAL, story
    assert result.value == result.bound == solution.value, story
    found = result.tree
    assert found is not None, story
    assert (found.total, found.worst, found.distribution) == (tree.total, tree.worst, tree.distribution), story
    assert result.total == tree.total, story
    assert result.opener == tree.root.guess, f"{story}\nwanted {tree.root.guess}, got {result.opener}"
    assert result.mean == Fraction(tree.total, sum(question.weights or (1,) * len(game.answers))), story
    assert found.root == tree.root, f"{story}\nwanted {drawn(tree.root)}\ngot    {drawn(found.root)}"
    assert to_bytes(found) == to_bytes(tree), f"{story}\nwanted {tree!r}\ngot    {found!r}"
    seen = verify_tree(found, guesses=game.guesses, answers=game.answers, scorer=matrix_scorer(game))
    assert (seen.problems, seen.notes, seen.ok) == ([], [], True), story
    return True


def random_question(rng: random.Random, game: Game, objective: str, weighted: bool) -> tuple[Question, Textbook]:
    """A limit, openers and weights for a game, and the textbook that knows the weights."""
    # Pairs (missed, total) of giants are refused: they would not fit in 64 bits.
    giant = 10**9 if objective in ("mean", "worst") else 10**6
    weights = random_weights(rng, len(game.answers), giant) if weighted else None
    question = Question(rng.choice(LIMITS), objective, random_openers(rng, game), weights)
    return question, Textbook(game, weights)


def drawn(node: Node) -> object:
    return (node.guess, {code: drawn(child) for code, child in node.children.items()})


@pytest.mark.parametrize(
    "batch", [pytest.param(batch, marks=pytest.mark.slow if batch < 3 else pytest.mark.long) for batch in range(6)]
)
def test_normal_mean_within_every_limit(batch: int) -> None:
    rng = random.Random(f"normal mean {batch}")
    for _ in range(50):
        game = random_game(rng)
        textbook = Textbook(game)
        for limit in LIMITS:
            check(game, textbook, Question(limit))
        check(game, textbook, Question(rng.choice(LIMITS), openers=random_openers(rng, game)))


@pytest.mark.parametrize(("rules", "objective", "weighted"), QUESTIONS)
def test_every_question(rules: Rules, objective: str, weighted: bool) -> None:
    rng = random.Random(f"{rules} {objective} {weighted}")
    for _ in range(20):
        game = random_game(rng, rules)
        question, textbook = random_question(rng, game, objective, weighted)
        for limit in rng.sample(LIMITS, 3):
            check(game, textbook, replace(question, limit=limit))


# Seeds of games where some limit costs some of the total, found by search: few random games are like that.
BINDING: list[tuple[Callable[[random.Random, Rules], Game], Rules, tuple[int, ...]]] = [
    (poor_game, Rules.NORMAL, (0, 7, 8, 9, 10, 16, 17, 32, 38, 40, 41, 44, 48, 49, 51, 56)),
    (grid_game, Rules.NORMAL, (91, 100, 243, 268, 296, 452, 587)),
    (grid_game, Rules.HARD, (156, 268, 681, 691, 776, 793, 831, 875)),
    (grid_game, Rules.ULTRA_HARD, (156, 268, 681, 691, 776, 793, 831, 875)),
]


@pytest.mark.parametrize(
    ("make", "rules", "seed"),
    [(make, rules, seed) for make, rules, seeds in BINDING for seed in seeds],
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
        known = (question.expected(game, textbook),)
        for off in (*(frozenset({switch}) for switch in SWITCHES), everything):
            check(game, textbook, question, question.asked(game, without=off), f"off: {sorted(off)}", known)


# Larger games, with rich feedback so that the textbook can still do them: more guesses than one block of
# columns, more answers than the least size of the tables. Answers, guesses, length, letters.
MIDDLING = [(24, 70, 4, 5), (33, 130, 4, 6), (40, 150, 5, 6), (48, 64, 5, 9), (48, 130, 5, 9)]


def middling_game(rng: random.Random, sizes: tuple[int, int, int, int]) -> Game:
    answers, guesses, length, letters = sizes
    words: dict[str, None] = {}
    while len(words) < guesses:
        words["".join(rng.choices("abcdefghij"[:letters], k=length))] = None
    return Game.from_words(list(words), rng.sample(list(words), answers), name="random", max_guesses=None)


@pytest.mark.slow
@pytest.mark.parametrize("sizes", MIDDLING)
def test_middling_games(sizes: tuple[int, int, int, int]) -> None:
    rng = random.Random(f"middling {sizes}")
    game = middling_game(rng, sizes)
    textbook = Textbook(game)
    for limit in (None, 3):
        question = Question(limit)
        known = (question.expected(game, textbook),)
        for off in (*(frozenset({switch}) for switch in SWITCHES), frozenset(SWITCHES)):
            check(game, textbook, question, question.asked(game, without=off), f"off: {sorted(off)}", known)


@pytest.mark.parametrize(
    "name",
    [
        "mastermind:2x7",
        "mastermind:3x4",
        "mastermind:4x3",
        "mastermind:6x2",
        "bulls-and-cows:2x10",
        "bulls-and-cows:3x5",
        "bulls-and-cows:4x4",
        "black-pegs:2x6",
        "black-pegs:3x4",
        "black-pegs:4x3",
    ],
)
@pytest.mark.parametrize("rules", [Rules.NORMAL, Rules.ULTRA_HARD])
def test_symmetry_changes_no_tree(name: str, rules: Rules) -> None:
    game = Game.preset(name, rules)
    for limit in (None, 6, 5, 4):
        question = Question(limit)
        result, other = question.asked(game), question.asked(game, without=frozenset({"symmetry"}))
        assert other.status is result.status
        assert (other.tree and to_bytes(other.tree)) == (result.tree and to_bytes(result.tree))


@pytest.mark.parametrize("rules", [Rules.NORMAL, Rules.ULTRA_HARD])
@pytest.mark.parametrize(
    "name",
    [
        "bulls-and-cows:1x4",
        "bulls-and-cows:2x2",
        "bulls-and-cows:2x3",
        "bulls-and-cows:2x4",
        "bulls-and-cows:3x3",
        "black-pegs:1x4",
        "black-pegs:2x2",
        "black-pegs:2x3",
        "black-pegs:3x2",
        "black-pegs:2x4",
        "black-pegs:4x2",
    ],
)
def test_small_peg_games(name: str, rules: Rules) -> None:
    game = Game.preset(name, rules)
    textbook = Textbook(game)
    for objective in OBJECTIVES:
        for limit in (None, 4, 3, 2):
            check(game, textbook, Question(limit, objective))


def test_missed_weights_beyond_64_bits() -> None:
    """(missed, total) of giants does not fit in 64 bits: it is exact where the best does, and refused elsewhere."""
    rng = random.Random("giants")
    told = Counter[bool]()
    for _ in range(60):
        game = random_game(rng)
        weights = random_weights(rng, len(game.answers), giant=10**9)
        question = Question(rng.choice(LIMITS), rng.choice(OBJECTIVES[2:]), None, weights)
        textbook = Textbook(game, weights)
        expected = question.expected(game, textbook)
        late = sum(weights) * min(len(weights) + 1, question.limit or 99) + 1
        fits = expected is None or expected[1].value[0] * late + expected[1].value[1] < 0.99 * 2**62
        if fits:
            check(game, textbook, question)
        else:
            with pytest.raises(InputError, match="too much to count what is missed"):
                question.asked(game)
        told[fits] += 1
    assert min(told[True], told[False]) > 3, told


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_poor_games_too_large_for_the_textbook(seed: int) -> None:
    # Two letters tell little: some limits are out of reach, others cost some of the total. All roads must agree.
    game = middling_game(random.Random(seed), (60, 70, 2, 10))
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
        assert solve(game, openers=[opener]).value == (total,)
    assert check(game, Textbook(game), Question(None, openers=(words.index("nab"), words.index("zoo"))))
    # With all openers: abd, abe, abh and one of abf and abg take 9 while ahd is legal, else 10.
    words = ["abd", "abe", "abf", "abg", "abh", "ahd", "bxc", "gxc", "xce"]
    game = Game.from_words(words, [word for word in words if word != "ahd"], rules="hard", max_guesses=None)
    assert check(game, Textbook(game), Question(None))
    assert solve(game).value == (20,)


@pytest.mark.parametrize(("rules", "objective", "weighted"), QUESTIONS)
def test_two_jobs_make_the_same_tree(rules: Rules, objective: str, weighted: bool) -> None:
    rng = random.Random(f"jobs {rules} {objective} {weighted}")
    for _ in range(4):
        game = random_game(rng, rules)
        question, textbook = random_question(rng, game, objective, weighted)
        check(game, textbook, question, question.asked(game, jobs=2), "2 jobs")


@pytest.mark.parametrize("rules", Rules)
def test_two_processes_make_the_same_tree(rules: Rules) -> None:
    rng = random.Random(f"processes {rules}")
    game = random_game(rng, rules)
    question, textbook = random_question(rng, game, "mean", False)
    check(game, textbook, question, question.asked(game, jobs=2, backend="loky"), "2 jobs, loky")


def test_the_limit_is_the_games_own_unless_given() -> None:
    rng = random.Random("own limit")
    for limit in LIMITS:
        game = word_game(rng).with_rules("normal", limit)
        check(game, Textbook(game), Question(limit), solve(game))


@st.composite
def word_lists(draw: st.DrawFn) -> Game:
    length = draw(st.integers(2, 4))
    word = st.text(st.sampled_from("abcd"[: draw(st.integers(2, 4))]), min_size=length, max_size=length)
    answers = draw(st.lists(word, min_size=1, max_size=9, unique=True))
    others = draw(st.lists(word, max_size=9, unique=True))
    return Game.from_words([*answers, *(set(others) - set(answers))], answers, name="drawn", max_guesses=None)


@st.composite
def matrices(draw: st.DrawFn) -> Game:
    count = draw(st.integers(1, 8))
    code = st.integers(1, draw(st.integers(1, 3)))
    row = st.lists(code, min_size=count, max_size=count)
    matrix = draw(st.lists(row, min_size=count, max_size=count + 5))
    for answer, guess in enumerate(draw(st.permutations(range(len(matrix))))[:count]):
        matrix[guess][answer] = 0
    return Game.from_matrix(matrix, 0, name="drawn")


@settings(max_examples=150)
@given(st.one_of(word_lists(), matrices()), st.sampled_from(LIMITS), st.data())
def test_any_game(game: Game, limit: int | None, data: st.DataObject) -> None:
    guesses = st.integers(0, len(game.guesses) - 1)
    openers = data.draw(st.none() | st.lists(guesses, min_size=1, max_size=3), label="openers")
    check(game, Textbook(game), Question(limit, openers=None if openers is None else tuple(openers)))
