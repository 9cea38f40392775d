"""Odds score: guesses whose letters split the candidates most evenly, place by place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from optimal.baselines.classes import Floats
from optimal.baselines.protocol import Position, Scored, Scores, WordBaseline
from optimal.baselines.table import Ids, Prior, Scoring
from optimal.errors import ImpossibleFeedback, InputError
from optimal.games.feedback import BLACK, GREEN, YELLOW, WordFeedback, quoted
from optimal.games.game import Game


class Odds(Scored, WordBaseline):
    """The odds score of each guess.

    At a place not yet known a letter has the share f of candidates that have it there; at a known place the
    share that contain it at all, or 0 if the board shows it already. A letter used more than once keeps its
    greatest share only. A share f counts as f / (1 - f) below one half, else as (1 - f) / f.
    With two candidates or fewer each scores its probability, so the first of them is guessed.

    With `hard`, guesses must fit everything seen, blacks too, which is stricter than the game's hard rules.
    """

    title = "letters that split the candidates evenly"
    ranked_by = "greatest odds score"

    def __init__(self, openers: Sequence[str] = (), *, hard: bool = False) -> None:
        super().__init__("odds-hard" if hard else "odds", openers)
        self.hard = hard
        # The filter needs to know which guesses fit, so every guess is a candidate; answers are told apart.
        self.prior = Prior.GUESSES if hard else Prior.ANSWERS

    def scores(self, position: Position) -> Scores:
        answers = _answers_left(position)
        if len(answers) <= 2:
            pool, values = answers, np.full(len(answers), 1 / len(answers))
        else:
            pool = position.candidate_guesses if self.hard else position.pool
            values = _scores(position, pool, answers)
        return Scores(pool, values, (("score", values),))


def _answers_left(position: Position) -> Ids:
    """The answers that are possible, numbered as guesses."""
    answers = position.table.guess_of[position.ids[position.table.is_answer[position.ids]]]
    if not len(answers):
        raise ImpossibleFeedback(f"no answer fits {position.describe()}")
    return answers


def _scores(position: Position, pool: Ids, answers: Ids) -> Floats:
    letters = position.table.spelling
    n, kinds = len(answers), len(letters.symbols)
    shown = letters.mask({letter for letter in position.greens if letter is not None})
    inside = letters.has[:, answers].sum(axis=1) / n
    inside[shown] = 0
    shares = np.empty((letters.length, len(pool)))
    for place, known in enumerate(position.greens):
        here = inside if known is not None else np.bincount(letters.of[answers, place], minlength=kinds) / n
        shares[place] = here[letters.of[pool, place]]
    for one, other in combinations(range(letters.length), 2):
        twice = np.flatnonzero(letters.of[pool, one] == letters.of[pool, other])
        lesser = np.where(shares[one, twice] < shares[other, twice], one, other)
        shares[lesser, twice] = 0
    # Added place by place and never rounded: published games turn on sums that differ in their last digit.
    scores = np.zeros(len(pool))
    for share in shares:
        scores += _odds(share)
    return scores


def _odds(share: Floats) -> Floats:
    low = share < 0.5
    return np.asarray(np.where(low, share, 1 - share) / np.where(low, 1 - share, share))


def board_position(
    game: Game, board: str, good: str = "", past: Sequence[str] = (), *, prior: Prior | str = Prior.ANSWERS
) -> Position:
    """The position that a board shows: known letters in place and a dot for each unknown one, as in "C.G..".

    `good` are letters known to be in the answer, `past` the guesses made; a letter of theirs that is neither
    on the board nor good is not in the answer. A board can't tell how often a letter occurs, so it is read by
    the naive rule. Raises InputError for a bad board, ImpossibleFeedback if no answer fits it.
    """
    position = Position.start(game, Scoring.NAIVE, prior)
    letters, feedback = position.table.spelling, game.feedback
    assert isinstance(feedback, WordFeedback)  # a game with letters has this feedback
    marks = board.strip().lower()
    if len(marks) != letters.length:
        example = ("c.g" + "." * 7)[: letters.length]
        raise InputError(
            f"board {quoted(board)} has {len(marks)} places: words of {letters.length} letters need "
            f"{letters.length}, a letter or a dot each, such as {example}"
        )
    for mark in marks:
        if mark != "." and not mark.isalpha():
            raise InputError(f"board {quoted(board)}: {mark!r} is neither a letter nor a dot")
    wanted = good.strip().lower()
    if wanted and not wanted.isalpha():
        raise InputError(f"good letters {quoted(good)}: give letters alone, such as ai")
    present = (set(wanted) | set(marks)) - {"."}
    history = []
    for guess in past:
        guess = guess.strip().lower()
        position.check(guess)
        digits = [
            GREEN if mine == known else YELLOW if mine in present else BLACK
            for mine, known in zip(guess, marks, strict=True)
        ]
        history.append((guess, sum(digit * 3**i for i, digit in enumerate(digits))))
    words = letters.of[position.table.guess_of]
    fits = np.ones(len(words), dtype=bool)
    for place, mark in enumerate(marks):
        if mark != ".":
            fits &= letters.mask({mark})[words[:, place]]
    for letter in present:
        fits &= letters.has[letters.mask({letter})][:, position.table.guess_of].any(axis=0)
    for guess, code in history:
        fits &= position.table.codes[:, game.guess_index(guess)] == code
    ids = np.flatnonzero(fits)
    if not position.table.is_answer[ids].any():
        absent = sorted({letter for guess, _ in history for letter in guess} - present)
        raise ImpossibleFeedback(
            f"no answer fits board {marks!r} with good letters {wanted!r} after {', '.join(past) or 'no guess'}"
            + (f", which leave out {', '.join(absent)}" if absent else "")
        )
    greens = tuple(None if mark == "." else mark for mark in marks)
    return replace(position, history=tuple(history), ids=ids, greens=greens)
