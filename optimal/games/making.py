"""Checks of what games are made of: lists, matrices, kinds of feedback, and the memory that they take."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from optimal.checks import check_size, check_texts
from optimal.errors import InputError
from optimal.games.feedback import WordFeedback
from optimal.games.kinds import Feedback
from optimal.games.matrices import game_bytes
from optimal.games.rules import Rules
from optimal.games.wordlists import check_words
from optimal.labels import check_labels
from optimal.limits import MOST_CODE
from optimal.memory import check_room, needed
from optimal.show.words import listed, shown


def checked_guesses(feedback: Feedback, words: Sequence[str], what: str) -> tuple[str, ...]:
    """The words of a list sorted, as the kind writes them; InputError unless it has such guesses."""
    if isinstance(feedback, WordFeedback):
        words = check_words(words, what)
    else:
        words = check_labels([feedback.written(word) for word in check_texts(words, what, "a")], what)
    if not words:
        raise InputError(f"the list of {what} is empty: it needs at least one")
    for word in words:
        if not feedback.has_form(word):
            raise InputError(f"{what}: {shown(word)} has not the {feedback.size} letters or digits of {feedback.kind}")
    return tuple(sorted(words))


def checked_matrix(matrix: npt.ArrayLike) -> npt.NDArray[Any]:
    """A feedback matrix as an array of integers of some size; neither truth values nor floats, whole or not."""
    wanted = "a feedback matrix is guesses x answers, of whole numbers"
    rows = matrix if isinstance(matrix, list | tuple) else (matrix,)
    if any(isinstance(row, np.ndarray) and np.any(getattr(row, "mask", False)) for row in rows):
        raise InputError(f"{wanted}; some of this one are masked")
    try:
        array = np.asarray(matrix)
    except (TypeError, ValueError):
        raise InputError(f"{wanted}; this one has rows of unequal length, or isn't made of numbers") from None
    if array.ndim != 2 or 0 in array.shape:
        raise InputError(f"{wanted}; this one has the shape {array.shape}")
    if array.dtype.kind not in "iu":
        raise InputError(f"{wanted}; this one is of type {array.dtype}")
    check_size(*array.shape)
    if array.min() < 0 or array.max() > MOST_CODE:
        raise InputError(f"feedback codes go from 0 to {MOST_CODE}")
    return array


def winning_guesses(matrix: npt.NDArray[Any], winning_code: int) -> npt.NDArray[np.int32]:
    """The guess that wins against each answer; InputError unless it is one, and wins against no other."""
    wins = matrix == winning_code
    if (wins.sum(axis=0) != 1).any():
        bad = int(np.flatnonzero(wins.sum(axis=0) != 1)[0])
        raise InputError(
            f"answer {bad} has {int(wins[:, bad].sum())} guesses with the winning code {winning_code}; "
            "every answer needs exactly one"
        )
    if (wins.sum(axis=1) > 1).any():
        bad = int(np.flatnonzero(wins.sum(axis=1) > 1)[0])
        raise InputError(f"guess {bad} wins against several answers; a guess can win against one at most")
    return np.asarray(wins.argmax(axis=0), dtype=np.int32)


def check_matrix_rules(rules: Rules, shape: tuple[int, ...], answer_guess: npt.NDArray[np.int32]) -> None:
    """InputError unless a bare matrix of this shape offers the rules."""
    if rules is Rules.HARD:
        raise InputError("hard rules need words; a bare matrix offers normal rules, or ultra-hard when square")
    if rules is Rules.ULTRA_HARD and (shape[0] != shape[1] or (answer_guess != np.arange(shape[1])).any()):
        raise InputError("ultra-hard rules on a bare matrix need it square, with guess i winning against answer i")


def scored(
    feedback: Feedback, guesses: tuple[str, ...], answers: tuple[str, ...]
) -> tuple[npt.NDArray[Any], npt.NDArray[np.int32]]:
    """The matrix of a game of feedback, and the guess that each answer is. InputError for answers that are no guesses,
    for lists that are too long, and for a kind that contradicts its matrix."""
    number = {guess: i for i, guess in enumerate(guesses)}
    if stray := [answer for answer in answers if answer not in number]:
        raise InputError(
            f"answers that are not in the list of guesses: {listed(stray, 3)}; every answer must be a guess too"
        )
    check_size(len(guesses), len(answers))
    matrix = feedback.matrix(guesses, answers)
    answer_guess = np.array([number[answer] for answer in answers], dtype=np.int32)
    if not feedback.settled:
        _check_kind(feedback, guesses, matrix, answer_guess)
    return frozen(matrix), frozen(answer_guess)


def _check_kind(
    feedback: Feedback, guesses: Sequence[str], matrix: npt.NDArray[Any], answer_guess: npt.NDArray[np.int32]
) -> None:
    """Refuse a user's own kind of feedback that contradicts its matrix: the search believes all that it says."""
    kind = f"kind {feedback.kind}"
    if matrix.shape != (len(guesses), len(answer_guess)) or matrix.dtype not in (np.uint8, np.uint16):
        raise InputError(f"{kind}: its matrix is {matrix.shape} of {matrix.dtype}; right is guesses x answers of uint8")
    wins = matrix == feedback.winning_code
    if matrix.max() >= feedback.codes or not wins[answer_guess, np.arange(len(answer_guess))].all():
        right = feedback.winning_code
        raise InputError(f"{kind}: codes are 0 to {feedback.codes - 1}, and {right} is that of a right guess")
    if wins.sum() > len(answer_guess):
        guess, answer = np.argwhere(wins & (answer_guess != np.arange(len(guesses))[:, None]))[0]
        raise InputError(f"{kind}: {shown(guesses[guess])} wins against {shown(guesses[answer_guess[answer]])}")
    if feedback.symmetric:
        _check_symmetry(kind, guesses, matrix)


def _check_symmetry(kind: str, guesses: Sequence[str], matrix: npt.NDArray[Any]) -> None:
    # Neighbours swapped, among the symbols and among the places, make all renamings and orders.
    maps = [str.maketrans(a + b, b + a) for a, b in pairwise(sorted(set("".join(guesses))))]
    swapped = [[guess.translate(names) for guess in guesses] for names in maps]
    for place in range(len(guesses[0]) - 1):
        swapped.append([guess[:place] + guess[place : place + 2][::-1] + guess[place + 2 :] for guess in guesses])
    number = {guess: i for i, guess in enumerate(guesses)}
    for words in swapped:
        moved = [number.get(word, -1) for word in words]
        if -1 in moved or (matrix[np.ix_(moved, moved)] != matrix).any():
            raise InputError(f"{kind} says that it is symmetric, but two symbols or places can't be swapped")


def check_game_room(
    name: str, feedback: Feedback, guesses: int, answers: int, rules: Rules, memory_limit: int | None
) -> None:
    """Refuse a game whose matrix is too large for the machine, or a search of it too large for the limit."""
    width = 2 if feedback.codes > 256 else 1
    matrix = guesses * answers * width
    least = matrix if memory_limit is None else needed(*game_bytes(guesses, answers, width, rules))
    check_room(f"{name}, {guesses} guesses x {answers} answers,", least, memory_limit)


def frozen(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The array in C order, not to be written to."""
    array = np.ascontiguousarray(array)
    array.flags.writeable = False
    return array
