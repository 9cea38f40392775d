"""The textbook solver against something simpler still: writing down every strategy tree there is."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

import pytest
from games_util import as_code, random_game, random_openers, random_weights
from textbook import Plan, Textbook, depths_of, follows, value_of

from optimal.games.game import Game
from optimal.games.rules import Rules

History = list[tuple[int, int]]
OBJECTIVES = ("mean", "worst", "within:1", "within:2", "within:3")


def classes_of(game: Game, guess: int, answers: list[int]) -> dict[int, list[int]]:
    """The answers by the code that the guess gets from them, the winning code left out."""
    codes = {int(game.matrix[guess, answer]) for answer in answers} - {game.winning_code}
    return {code: [a for a in answers if game.matrix[guess, a] == code] for code in sorted(codes)}


def every_plan(
    game: Game, answers: list[int], limit: int, history: History, openers: tuple[int, ...] | None
) -> Iterator[Plan]:
    """Every strategy tree that finds these answers within the limit, the silly ones too."""
    if limit == 0:
        return
    for guess in range(len(game.guesses)) if openers is None else openers:
        if not follows(game, history, guess):
            continue
        classes = classes_of(game, guess, answers)
        below = [
            list(every_plan(game, group, limit - 1, [*history, (guess, code)], None)) for code, group in classes.items()
        ]
        for children in product(*below):
            yield Plan(guess, dict(zip(classes, children, strict=True)))


def best_plan(
    game: Game,
    answers: list[int],
    limit: int,
    objective: str,
    weights: tuple[int, ...],
    history: History,
    openers: tuple[int, ...] | None = None,
) -> tuple[tuple[int, ...], Plan] | None:
    """The first guess of the tree with the least key, then the same again for each class that it leaves."""
    here = tuple(weights[answer] for answer in answers)

    def key(plan: Plan) -> tuple[tuple[int, ...], int, bool, int]:
        depths = depths_of(game, plan, answers)
        is_candidate = any(game.matrix[plan.guess, answer] == game.winning_code for answer in answers)
        return value_of(depths, here, objective), max(depths), not is_candidate, plan.guess

    best = min((key(plan) for plan in every_plan(game, answers, limit, history, openers)), default=None)
    if best is None:
        return None
    value, worst, _, guess = best
    if objective == "worst":  # the least worst case is a limit on the whole tree, and then the total counts
        limit, objective = worst, "mean"
    elif objective.startswith("within:"):
        objective = f"within:{max(int(objective.removeprefix('within:')) - 1, 0)}"
    children = {}
    for code, group in classes_of(game, guess, answers).items():
        found = best_plan(game, group, limit - 1, objective, weights, [*history, (guess, code)])
        assert found is not None
        children[code] = found[1]
    return value, Plan(guess, children)


@pytest.mark.parametrize("rules", list(Rules))
@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("weighted", [False, True])
def test_textbook_against_every_tree_there_is(rules: Rules, objective: str, weighted: bool) -> None:
    rng = random.Random(f"{rules} {objective} {weighted}")
    for _ in range(20):
        game = random_game(rng, rules, answers=4, guesses=5)
        limit = rng.randint(1, 4 if len(game.guesses) < 4 else 3)
        openers = random_openers(rng, game)
        weights = random_weights(rng, len(game.answers)) if weighted else (1,) * len(game.answers)
        expected = best_plan(game, list(range(len(game.answers))), limit, objective, weights, [], openers)
        textbook = Textbook(game, weights if weighted else None)
        found = textbook.solve(limit, objective, openers)
        story = (as_code(game), limit, openers, weights)
        assert (found and (found.value, found.plan)) == expected, story


@pytest.mark.parametrize("rules", list(Rules))
def test_no_limit_is_a_limit_that_never_binds(rules: Rules) -> None:
    rng = random.Random(str(rules))
    for _ in range(40):
        game = random_game(rng, rules, answers=8, guesses=15)
        textbook = Textbook(game)
        assert textbook.solve(None) == textbook.solve(len(game.answers))


# Total and worst case by W. Goddard, Mastermind Revisited (2004), but for one peg, which tells nothing.
SMALL = {"1x5": (15, 5), "2x2": (8, 3), "2x3": (21, 3), "2x4": (45, 4), "2x5": (81, 4), "3x2": (18, 3), "3x3": (73, 4)}


@pytest.mark.parametrize("name", SMALL)
def test_small_mastermind(name: str) -> None:
    total, worst = SMALL[name]
    textbook = Textbook(Game.preset(f"mastermind:{name}"))
    least, shortest = textbook.solve(None), textbook.solve(None, "worst")
    assert least is not None
    assert shortest is not None
    assert (least.value[0], shortest.value[0]) == (total, worst)
    assert textbook.solve(worst - 1) is None
