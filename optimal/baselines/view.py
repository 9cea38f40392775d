"""`View`: a game as its strategies see it, under one way of scoring and one prior: feedback codes, and letters."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from optimal.baselines.classes import Floats, Ints
from optimal.errors import InputError
from optimal.games.feedback import WordFeedback
from optimal.games.game import Game
from optimal.games.presets import frequencies
from optimal.games.rules import Rules
from optimal.show.words import shown

Ids = npt.NDArray[np.int64]


class Scoring(str, Enum):
    """The rule of feedback: the game's own, or the naive one of some baselines.

    By the naive rule a letter that isn't green is yellow wherever the answer has it at all.
    """

    TRUE = "true"
    NAIVE = "naive"

    def __str__(self) -> str:
        return self.value


class Prior(str, Enum):
    """What a strategy takes for possible answers: the game's answers, or every guess."""

    ANSWERS = "answers"
    GUESSES = "guesses"


def scoring_of(name: Scoring | str) -> Scoring:
    """The way of scoring of that name, or itself."""
    try:
        return Scoring(name)
    except ValueError:
        raise InputError(f"unknown scoring {shown(name)}: there are {', '.join(map(str, Scoring))}") from None


class Letters:
    """The letters of all guesses, as small integers in alphabetical order.

    ``of[g, p]`` is the letter of guess g at place p, ``has[s, g]`` tells whether letter s is in guess g at
    all, and ``first[g, p]`` whether the letter at place p has not stood earlier in the guess.
    """

    def __init__(self, guesses: tuple[str, ...]) -> None:
        self.symbols = tuple(sorted(set("".join(guesses))))
        self.length = len(guesses[0])
        number = {symbol: i for i, symbol in enumerate(self.symbols)}
        self.of: Ids = np.array([[number[symbol] for symbol in guess] for guess in guesses], dtype=np.int64)
        self.has = np.zeros((len(self.symbols), len(guesses)), dtype=bool)
        self.first = np.ones(self.of.shape, dtype=bool)
        for place, letters in enumerate(self.of.T):
            self.first[:, place] = ~self.has[letters, np.arange(len(guesses))]
            self.has[letters, np.arange(len(guesses))] = True

    def mask(self, letters: Collection[str | None]) -> npt.NDArray[np.bool_]:
        """Whether each symbol is among these letters."""
        return np.array([symbol in letters for symbol in self.symbols], dtype=bool)

    def containing(self, words: Ids) -> Ints:
        """For each symbol, how many of these guesses contain it."""
        return np.asarray(self.has[:, words].sum(axis=1))

    def at_places(self, words: Ids) -> Ints:
        """Places x symbols: how many of these guesses have the symbol there."""
        return np.stack([np.bincount(letters, minlength=len(self.symbols)) for letters in self.of[words].T])


@dataclass(frozen=True, eq=False)
class View:
    """Feedback codes and letters under one scoring and one prior. Candidates are numbered in the order of `words`."""

    game: Game
    scoring: Scoring
    prior: Prior

    @property
    def words(self) -> tuple[str, ...]:
        """The candidates."""
        return self.game.answers if self.prior is Prior.ANSWERS else self.game.guesses

    @cached_property
    def guess_of(self) -> Ids:
        """The number of each candidate as a guess."""
        if self.prior is Prior.ANSWERS:
            return self.game.answer_guess.astype(np.int64)
        return np.arange(len(self.words))

    @cached_property
    def is_answer(self) -> npt.NDArray[np.bool_]:
        """Whether each candidate is an answer of the game."""
        return np.isin(self.guess_of, self.game.answer_guess)

    @cached_property
    def codes(self) -> npt.NDArray[Any]:
        """Candidates x guesses: the feedback code of a guess when the answer is this candidate."""
        game = self.game
        if self.scoring is Scoring.TRUE:
            matrix = game.matrix
            if game.feedback is not None and self.prior is Prior.GUESSES:
                matrix = game.feedback.matrix(game.guesses, game.guesses)
            return np.ascontiguousarray(matrix.T)
        letters, out = self.letters, np.zeros((len(self.words), len(game.guesses)), dtype=game.matrix.dtype)
        places = np.ascontiguousarray(letters.of.T)
        for row, word in zip(out, self.guess_of, strict=True):
            inside = letters.has[:, word].astype(out.dtype)
            for place, symbols in enumerate(places):
                # A green letter is in the word too, so "in it" and "at this place" add up to the digit 2.
                digit = inside.copy()
                digit[letters.of[word, place]] += 1
                row += (digit * 3**place).astype(out.dtype)[symbols]
        return out

    @cached_property
    def code_count(self) -> int:
        return int(self.game.matrix.max()) + 1 if self.game.feedback is None else self.game.feedback.codes

    @cached_property
    def letters(self) -> Letters:
        """The letters of a game of words."""
        return Letters(self.game.guesses)

    @cached_property
    def frequency(self) -> Floats:
        """How often each candidate stands in print: 0 for a word without a count."""
        counts = frequencies()
        return np.array([counts.get(word, 0) for word in self.words], dtype=np.float64)


@lru_cache(maxsize=4)  # several strategies share each
def view_of(game: Game, scoring: Scoring = Scoring.TRUE, prior: Prior = Prior.ANSWERS) -> View:
    """The view of a game. Raises InputError where it has no such scoring or prior."""
    if scoring is Scoring.NAIVE:
        if not isinstance(game.feedback, WordFeedback):
            raise InputError(f"game {game.name!r} has no words: the naive rule is for words")
        if game.rules is not Rules.NORMAL:
            raise InputError(f"the naive rule goes with normal rules, not with {game.rules}")
    if len(game.guesses) == len(game.answers):
        prior = Prior.ANSWERS  # every guess is an answer
    if prior is Prior.GUESSES and game.feedback is None:
        raise InputError(f"game {game.name!r} is a bare matrix: only its answers can be candidates")
    return View(game, scoring, prior)
