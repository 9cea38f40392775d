"""Trees as the engine builds them, (guess, {code: child}), and as `StrategyTree`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from optimal._version import __version__
from optimal.errors import InternalError
from optimal.games.game import Game
from optimal.search.game_problem import Problem
from optimal.search.result import Status
from optimal.trees.nodes import Node
from optimal.trees.tree import StrategyTree

if TYPE_CHECKING:
    from optimal._engine import Nested

Old = TypeVar("Old")
New = TypeVar("New")


def replay(game: Game, nested: Nested) -> list[int]:
    """Return the depth of each answer, by playing all of them down a tree with the game's own feedback.

    Raises InternalError if a feedback class has no guess, or a guess no class.
    """
    depths = [0] * len(game.answers)
    code_of, winning = game.matrix.item, game.winning_code
    stack = [(nested, list(range(len(depths))), 1)]
    while stack:
        (guess, children), answers, depth = stack.pop()
        if not children and len(answers) == 1 and code_of(guess, answers[0]) == winning:  # most are such leaves
            depths[answers[0]] = depth
            continue
        classes: dict[int, list[int]] = {}
        for answer, code in zip(answers, game.matrix[guess, answers].tolist(), strict=True):
            classes.setdefault(code, []).append(answer)
        for answer in classes.pop(winning, ()):
            depths[answer] = depth
        if classes.keys() != children.keys():
            raise InternalError(f"the tree does not answer every feedback of {game.guesses[guess]}, its guess {depth}")
        stack.extend((child, classes[code], depth + 1) for code, child in children.items())
    return depths


def strategy_tree(
    problem: Problem,
    nested: Nested,
    depths: Sequence[int],
    status: Status,
    bound: tuple[int, ...],
    ledgers: tuple[str, ...],
) -> StrategyTree:
    """Return the `StrategyTree` of the engine's tree. ``depths`` come from `replay`; ``bound`` is a proven lower bound,
    in the objective's parts, which rests on these ``ledgers``."""
    game = problem.game
    worst = max(depths)
    weights = (1,) * len(game.answers) if problem.weights is None else problem.weights.values
    before = (worst,) if problem.objective == "worst" else ()
    return StrategyTree(
        game=game.info,
        rules=game.rules,
        objective=problem.objective,
        max_guesses=problem.limit,
        position=(),
        weights=None if problem.weights is None else problem.weights.values,
        weights_name="uniform" if problem.weights is None else problem.weights.name,
        answers=game.answers,
        root=root_of(game, nested),
        status=str(status),
        value=(*before, *problem.parts(problem.cost(depths))),
        bound=bound,
        total=sum(weight * depth for weight, depth in zip(weights, depths, strict=True)),
        worst=worst,
        distribution=dict(sorted(Counter(depths).items())),
        openers=problem.opener_names,
        program=f"optimal {__version__}",
        ledgers=ledgers,
    )


def root_of(game: Game, nested: Nested) -> Node:
    """Return the engine's tree as a Node."""
    return _rebuilt(nested, lambda tree: tree[1], lambda tree, below: Node(game.guesses[tree[0]], below))


def nested_of(game: Game, root: Node) -> Nested:
    """Return a tree as the engine builds them. Raises InputError for guesses that the game lacks."""

    def make(node: Node, below: dict[int, Nested]) -> Nested:
        return game.guess_index(node.guess), below

    return _rebuilt(root, lambda node: node.children, make)


def _rebuilt(
    root: Old, children_of: Callable[[Old], Mapping[int, Old]], make: Callable[[Old, dict[int, New]], New]
) -> New:
    """Make another kind of tree, children first: trees may be deeper than Python's stack."""
    built: dict[int, New] = {}
    stack = [(root, False)]
    while stack:
        tree, ready = stack.pop()
        children = children_of(tree)
        if ready:
            built[id(tree)] = make(tree, {code: built[id(child)] for code, child in children.items()})
        else:
            stack.append((tree, True))
            stack.extend((child, False) for child in children.values())
    return built[id(root)]
