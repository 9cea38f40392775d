"""Replay of the engine's trees with the game's own feedback."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optimal.errors import InternalError
from optimal.games.game import Game

if TYPE_CHECKING:
    from optimal._engine import Nested


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
