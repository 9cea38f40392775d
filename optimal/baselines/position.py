"""`Position`: what a strategy sees. It holds all there is to know, so equal positions get equal guesses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from optimal.baselines.view import Ids, Prior, Scoring, View, scoring_of, view_of
from optimal.errors import IllegalGuess, ImpossibleFeedback, InputError
from optimal.games.feedback import BLACK, GREEN, YELLOW, WordFeedback
from optimal.games.game import Game
from optimal.games.info import History, describe
from optimal.games.legality import broken_rule, legal_guesses
from optimal.games.rules import Rules
from optimal.show.words import quoted


@dataclass(frozen=True, eq=False)
class Position:
    """Guesses made, feedback seen, and what follows from them. Data: nothing here changes.

    Plain words: `history` of (guess, feedback code), `candidates`, `guesses`, `turn`. For numpy: `ids` of the
    candidates left and `legal` guesses (None: all), numbered as in `view`.
    """

    view: View
    history: History
    ids: Ids
    greens: tuple[str | None, ...]  # the letter known at each place; () without words
    legal: Ids | None

    @classmethod
    def start(cls, game: Game, scoring: Scoring | str = Scoring.TRUE, prior: Prior | str = Prior.ANSWERS) -> Position:
        """The position before the first guess."""
        view = view_of(game, scoring_of(scoring), Prior(prior))
        greens = (None,) * game.feedback.length if isinstance(game.feedback, WordFeedback) else ()
        return cls(view, (), np.arange(len(view.words)), greens, None)

    @classmethod
    def at(
        cls,
        game: Game,
        history: Sequence[tuple[str, int]],
        scoring: Scoring | str = Scoring.TRUE,
        prior: Prior | str = Prior.ANSWERS,
    ) -> Position:
        """The position after these guesses and feedback codes.

        Raises InputError for a guess outside the list or against the rules and for a game that is over,
        ImpossibleFeedback if no candidate is left.
        """
        position = cls.start(game, scoring, prior)
        for guess, code in history:
            guess = game.written(guess)
            position.check(guess)
            position = position.after(guess, code)
            if code == game.winning_code:
                raise InputError(f"{position.describe([(guess, code)])} found the answer: the game is over")
        return position

    @property
    def game(self) -> Game:
        return self.view.game

    @property
    def turn(self) -> int:
        """The number of the guess to make now: 1 for the first."""
        return len(self.history) + 1

    @cached_property
    def candidates(self) -> tuple[str, ...]:
        """The words that fit all feedback, sorted: answers, or guesses for a strategy with that prior."""
        return tuple(self.view.words[i] for i in self.ids.tolist())

    @cached_property
    def guesses(self) -> tuple[str, ...]:
        """The guesses that the rules allow now, sorted."""
        every = self.game.guesses
        return every if self.legal is None else tuple(every[i] for i in self.legal.tolist())

    @cached_property
    def candidate_guesses(self) -> Ids:
        """The candidates, numbered as guesses."""
        return self.view.guess_of[self.ids]

    @property
    def pool(self) -> Ids:
        """The legal guesses, numbered as guesses."""
        return np.arange(len(self.game.guesses)) if self.legal is None else self.legal

    @property
    def letters_guessed(self) -> frozenset[str]:
        return frozenset(letter for guess, _ in self.history for letter in guess)

    def codes(self, pool: Ids | None = None) -> npt.NDArray[Any]:
        """Feedback codes, candidates x guesses: of all guesses, or of those in `pool`."""
        codes = self.view.codes
        if len(self.ids) == codes.shape[0]:
            return codes if pool is None else codes[:, pool]
        return codes[self.ids] if pool is None else codes[np.ix_(self.ids, pool)]

    def classes(self, guess: str) -> dict[int, tuple[str, ...]]:
        """The candidates by the feedback code that each would bring."""
        codes = self.view.codes[self.ids, self.game.guess_index(guess)]
        words = np.array(self.candidates, dtype=object)
        return {code: tuple(words[codes == code].tolist()) for code in np.unique(codes).tolist()}

    def is_legal(self, guess_id: int) -> bool:
        """Whether this guess, by number, may be made now."""
        return self.legal is None or bool((self.legal == guess_id).any())

    def check(self, guess: str) -> None:
        """InputError if the guess is not in the list, IllegalGuess if it breaks the rules here."""
        if not self.is_legal(self.game.guess_index(guess)):
            raise IllegalGuess(broken_rule(self.game, self.history, guess) or f"{guess!r} is illegal here")

    def after(self, guess: str, code: int) -> Position:
        """The position after one more guess; ImpossibleFeedback if no candidate is left."""
        guess_id, feedback = self.game.guess_index(guess), self.game.feedback
        history = (*self.history, (guess, code))
        ids = self.ids[self.view.codes[self.ids, guess_id] == code]
        if not len(ids):
            raise ImpossibleFeedback(f"no answer fits {self.describe(history)}")
        greens = self.greens
        if isinstance(feedback, WordFeedback):
            marks = zip(guess, feedback.marks(code), greens, strict=True)
            greens = tuple(letter if mark == GREEN else known for letter, mark, known in marks)
        normal = self.game.rules is Rules.NORMAL
        legal = None if normal else legal_guesses(self.game, ((guess, code),), self.pool)
        return replace(self, history=history, ids=ids, greens=greens, legal=legal)

    def describe(self, history: Sequence[tuple[str, int]] | None = None) -> str:
        """The guesses with their feedback, such as "salet=BYBBB crony=BYYBB"; "the start" if none."""
        turns = self.history if history is None else history
        return describe(self.game, turns) if turns else "the start"


def board_position(
    game: Game, board: str, good: str = "", past: Sequence[str] = (), *, prior: Prior | str = Prior.ANSWERS
) -> Position:
    """The position that a board shows: known letters in place and a dot for each unknown one, as in "C.G..".

    `good` are letters known to be in the answer, `past` the guesses made; a letter of theirs that is neither
    on the board nor good is not in the answer. A board can't tell how often a letter occurs, so it is read by
    the naive rule. Raises InputError for a bad board, ImpossibleFeedback if no answer fits it.
    """
    position = Position.start(game, Scoring.NAIVE, prior)
    view, marks, wanted = position.view, board.strip().lower(), good.strip().lower()
    length = view.letters.length
    right = f"words of {length} letters need {length} letters or dots, such as {('c.g' + '.' * 7)[:length]}"
    if len(marks) != length:
        raise InputError(f"board {quoted(board)} has {len(marks)} places: {right}")
    if odd := [mark for mark in marks if mark != "." and not mark.isalpha()]:
        raise InputError(f"board {quoted(board)}: {odd[0]!r} is neither a letter nor a dot; {right}")
    if wanted and not wanted.isalpha():
        raise InputError(f"good letters {quoted(good)}: give letters alone, such as ai")
    present = {*wanted, *marks} - {"."}
    history = []
    for guess in past:
        guess = guess.strip().lower()
        position.check(guess)
        digits = [
            GREEN if mine == known else YELLOW if mine in present else BLACK
            for mine, known in zip(guess, marks, strict=True)
        ]
        history.append((guess, sum(digit * 3**i for i, digit in enumerate(digits))))
    ids = np.array(
        [
            number
            for number, word in enumerate(view.words)
            if present <= set(word)
            and all(known in (".", letter) for known, letter in zip(marks, word, strict=True))
            and all(view.codes[number, game.guess_index(guess)] == code for guess, code in history)
        ],
        dtype=np.int64,
    )
    if not view.is_answer[ids].any():
        absent = sorted({letter for guess, _ in history for letter in guess} - present)
        raise ImpossibleFeedback(
            f"no answer fits board {marks!r} with good letters {wanted!r} after {', '.join(past) or 'no guess'}"
            + (f", which leave out {', '.join(absent)}" if absent else "")
        )
    greens = tuple(None if mark == "." else mark for mark in marks)
    return replace(position, history=tuple(history), ids=ids, greens=greens)
