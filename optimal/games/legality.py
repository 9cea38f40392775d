"""Which guesses of a game are legal at a position: `games.rules`, for bare matrices and for whole lists too."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from optimal.games.feedback import Feedback, WordFeedback
from optimal.games.game import Game
from optimal.games.info import History
from optimal.games.rules import Demand, Rules, demand_of, violation
from optimal.show.words import quoted


def broken_rule(game: Game, history: History, guess: str) -> str | None:
    """What makes a guess illegal after these turns, in one line; None if it is legal."""
    if game.feedback is not None:
        return violation(game.rules, game.feedback, history, guess)
    if game.rules is Rules.NORMAL:
        return None
    for turn, (past, code) in enumerate(history, 1):  # a square matrix, in which guess i is answer i
        scored = int(game.matrix[game.guess_index(past), game.guess_index(guess)])
        if scored != code:
            hint = f"the hint of turn {turn}, {past}={code}"
            return f"{quoted(guess)} breaks {hint}: as the answer it would have brought {scored}"
    return None


def legal_guesses(game: Game, history: History, among: npt.NDArray[np.intp] | None = None) -> npt.NDArray[np.intp]:
    """The indices of the guesses that the rules allow after these turns; of those in ``among``, if that is given."""
    legal = np.arange(len(game.guesses)) if among is None else among
    if game.rules is Rules.NORMAL:
        return legal
    for past, code in history:
        if game.rules is Rules.HARD:
            assert isinstance(game.feedback, WordFeedback)  # other games have no hard rules
            keeps = _meets(demand_of(game.feedback, past, code), letters_of(game.guesses)[legal])
        elif game.feedback is None or game.guesses == game.answers:
            keeps = game.matrix[game.guess_index(past), legal] == code
        else:
            keeps = fitting(game.feedback, ((past, code),), [game.guesses[guess] for guess in legal])
        legal = legal[keeps]
    return legal


def fitting(feedback: Feedback, history: History, words: Sequence[str]) -> npt.NDArray[np.bool_]:
    """Which of the words, were they the answer, would have brought the feedback of all turns."""
    replies = feedback.matrix([guess for guess, _ in history], words)
    fits: npt.NDArray[np.bool_] = (replies == np.array([[code] for _, code in history])).all(axis=0)
    return fits


def _meets(demand: Demand, letters: npt.NDArray[np.uint32]) -> npt.NDArray[np.bool_]:
    """Which of the words, rows of code points, meet a demand of hard rules."""
    meets = np.ones(len(letters), dtype=np.bool_)
    for place, letter in demand.greens:
        meets &= letters[:, place] == ord(letter)
    for letter, times in demand.least:
        meets &= (letters == ord(letter)).sum(axis=1) >= times
    return meets


@lru_cache(maxsize=4)
def letters_of(guesses: tuple[str, ...]) -> npt.NDArray[np.uint32]:
    """The letters of the guesses as code points, shape (guesses, places)."""
    return np.array(guesses).view(np.uint32).reshape(len(guesses), -1)
