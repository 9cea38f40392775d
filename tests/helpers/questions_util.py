"""Questions put to games, and the solver's replies held against the textbook's: status, value and the very tree."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from games_util import as_code, matrix_scorer
from positions_util import named
from textbook import Labels, Textbook, depths_of, value_of
from trees_util import node_of

from optimal.advice.subgame import solve_position
from optimal.games.game import Game
from optimal.games.weights import Weights
from optimal.search.result import Result, Status
from optimal.search.solve import solve
from optimal.trees.file import from_bytes, to_bytes
from optimal.trees.verify import verify_tree


@dataclass(frozen=True)
class Question:
    """What is asked of a game, beside its rules; guesses by number. The limit and the K of within:K count from the
    start of the game."""

    limit: int | None = None
    objective: str = "mean"
    openers: Labels | None = None
    weights: tuple[int, ...] | None = None
    turns: tuple[tuple[int, int], ...] = ()

    @property
    def left(self) -> int | None:
        """The guesses left after the turns."""
        return None if self.limit is None else self.limit - len(self.turns)

    @property
    def objective_from_here(self) -> str:
        """The objective with K counted after the turns."""
        kind, _, most = self.objective.partition(":")
        return f"within:{int(most) - len(self.turns)}" if kind == "within" else self.objective

    def asked(self, game: Game, **more: Any) -> Result:
        """The solver's reply."""
        options = {
            "objective": self.objective,
            "limit": self.limit,
            "first": None if self.openers is None else [game.guesses[opener] for opener in self.openers],
            "weights": None if self.weights is None else Weights("file", self.weights),
            **more,
        }
        if self.turns:
            return solve_position(game, named(game, self.turns), **options)
        return solve(game, **options)


def check(game: Game, textbook: Textbook, question: Question, result: Result | None = None, story: object = "") -> bool:
    """Compare the solver's reply with the textbook's; is there a tree at all?"""
    story = f"\n{as_code(game)}\n{question}\n{story}"
    expected = textbook.solve(question.left, question.objective_from_here, question.openers, question.turns)
    result = question.asked(game) if result is None else result
    openers = range(len(game.guesses)) if question.openers is None else question.openers
    assert question.turns or result.openers == len(set(openers)), story
    if expected is None:
        assert result.status is Status.INFEASIBLE, story
        assert (result.tree, result.total, result.value, result.opener, result.mean) == (None,) * 5, story
        return False
    told = (result.status, result.value, result.bound)
    assert told == (Status.OPTIMAL, expected.value, expected.value), story
    tree = result.tree
    assert tree is not None, story
    wanted = node_of(game, expected.plan)
    assert tree.root == wanted, f"{story}\nwanted {wanted}\ngot    {tree.root}"
    answers = textbook.members(textbook.candidates(question.turns))
    depths, weights = depths_of(game, expected.plan, answers), tuple(textbook.weights[answer] for answer in answers)
    assert value_of(depths, weights, question.objective_from_here) == expected.value, story
    (total,) = value_of(depths, weights, "mean")
    assert (tree.total, tree.worst, tree.distribution) == (total, max(depths), Counter(depths)), story
    assert (result.total, result.mean) == (total, Fraction(total, sum(weights))), story
    check_tree(game, question, result, story)
    return True


def check_tree(game: Game, question: Question, result: Result, story: object = "") -> None:
    """Check what a result says by itself: its tree is replayed and worth what it says, and its file comes back."""
    tree = result.tree
    assert (tree is None) == (result.status in (Status.INFEASIBLE, Status.UNKNOWN)), story
    if tree is None:
        return
    assert (tree.value, tree.bound) == (result.value, result.bound), story
    assert tree.bound <= tree.value, story
    assert (tree.bound == tree.value) or result.status is not Status.OPTIMAL, story
    data = to_bytes(tree)
    assert to_bytes(from_bytes(data)) == data, story
    seen = verify_tree(tree, guesses=game.guesses, answers=game.answers, scorer=matrix_scorer(game))
    assert (seen.problems, seen.notes, seen.ok) == ([], [], True), story
    assert question.openers is None or game.guess_index(tree.root.guess) in question.openers, story


def check_stopped(game: Game, question: Question, stopped: Result, whole: Result) -> None:
    """Check that a run that was stopped encloses the exact value, and that OPTIMAL means the same tree."""
    told = [(result.status, result.value, result.bound) for result in (stopped, whole)]
    story = f"\n{as_code(game)}\n{question}, stopped: {stopped.stop_reason}; stopped and whole: {told}"
    check_tree(game, question, stopped, story)
    exact = whole.value
    assert stopped.status is not Status.INFEASIBLE or exact is None, story
    assert stopped.value is None or (exact is not None and exact <= stopped.value), story
    assert stopped.bound is None or exact is None or stopped.bound <= exact, story
    assert stopped.status is not Status.OPTIMAL or tree_alone(stopped) == tree_alone(whole), story


def tree_alone(result: Result) -> object:
    """The tree without the game and the weights that it belongs to."""
    tree = result.tree
    return None if tree is None else (tree.root, tree.total, tree.worst, tree.distribution)
