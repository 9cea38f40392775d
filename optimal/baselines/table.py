"""`Table`: what a game's strategies share, computed once: feedback codes of all guesses, and letters.

A table belongs to a game, a way of scoring, and a prior: what a strategy takes for possible answers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from optimal.errors import InputError
from optimal.games.arguments import shown
from optimal.games.feedback import WordFeedback
from optimal.games.game import Game, feedback_matrix
from optimal.games.rules import Rules

T = TypeVar("T")
Ids = npt.NDArray[np.int64]

_BLOCK = 512  # guesses scored at once, so that a transposed copy of the whole is never held twice


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

    def __str__(self) -> str:
        return self.value


def scoring_of(name: Scoring | str) -> Scoring:
    """The way of scoring of that name, or itself."""
    try:
        return Scoring(name)
    except ValueError:
        raise InputError(f"unknown scoring {shown(name)}: there are {', '.join(map(str, Scoring))}") from None


@dataclass(frozen=True, eq=False)
class Letters:
    """The letters of all guesses, as small integers in alphabetical order.

    ``of[g, p]`` is the letter of guess g at place p, ``has[s, g]`` tells whether letter s is in guess g at
    all, and ``first[g, p]`` whether the letter at place p has not stood earlier in the guess.
    """

    symbols: tuple[str, ...]
    of: Ids
    has: npt.NDArray[np.bool_]
    first: npt.NDArray[np.bool_]

    @property
    def length(self) -> int:
        return int(self.of.shape[1])

    def mask(self, letters: str | frozenset[str] | set[str]) -> npt.NDArray[np.bool_]:
        """One truth per symbol: is it among these letters?"""
        return np.array([symbol in letters for symbol in self.symbols], dtype=bool)


@dataclass(frozen=True, eq=False)
class Table:
    """Feedback codes and letters of a game under one way of scoring and one prior. Make it with `table_of`.

    Candidates are numbered in the order of `words`; ``codes[c, g]`` is the feedback code of guess g when the
    answer is candidate c, and ``guess_of[c]`` the guess that is this candidate.
    """

    game: Game
    scoring: Scoring
    prior: Prior
    words: tuple[str, ...]
    guess_of: Ids
    is_answer: npt.NDArray[np.bool_]
    codes: npt.NDArray[Any]
    code_count: int
    letters: Letters | None
    _memo: dict[str, Any] = field(default_factory=dict, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        # What strategies remember is cheap to compute anew, and may hold anything.
        return self.__dict__ | {"_memo": {}}

    def memo(self, key: str, make: Callable[[], T]) -> T:
        """The value under this key, made when first asked for."""
        if key not in self._memo:
            self._memo[key] = make()
        found: T = self._memo[key]
        return found

    @property
    def spelling(self) -> Letters:
        """The letters; InputError for a game without words."""
        if self.letters is None:
            raise InputError(f"game {self.game.name!r} has no words: this strategy looks at letters")
        return self.letters

    @property
    def secrets(self) -> Ids:
        """The candidates that are answers of the game."""
        return np.flatnonzero(self.is_answer)

    @property
    def guess_codes(self) -> npt.NDArray[Any]:
        """Codes as in `codes`, with every guess in the place of a candidate; ultra-hard rules need them."""
        if self.prior is Prior.GUESSES:
            return self.codes
        return self.memo("guess codes", lambda: _codes(self.game, self.scoring, self.game.guesses, self.letters))


def check_scoring(game: Game, scoring: Scoring) -> None:
    """InputError where the naive rule has no meaning."""
    if scoring is Scoring.NAIVE:
        if not isinstance(game.feedback, WordFeedback):
            raise InputError(f"game {game.name!r} has no words: the naive rule is for words")
        if game.rules is not Rules.NORMAL:
            raise InputError(f"the naive rule goes with normal rules, not with {game.rules}")


def table_of(game: Game, scoring: Scoring = Scoring.TRUE, prior: Prior = Prior.ANSWERS) -> Table:
    """The table of a game. The last four are kept, since several strategies share each."""
    check_scoring(game, scoring)
    if len(game.guesses) == len(game.answers):
        prior = Prior.ANSWERS  # every guess is an answer
    if prior is Prior.GUESSES and game.feedback is None:
        raise InputError(f"game {game.name!r} is a bare matrix: only its answers can be candidates")
    return _make_table(game, scoring, prior)


@lru_cache(maxsize=4)
def _make_table(game: Game, scoring: Scoring, prior: Prior) -> Table:
    answer_of = game.answer_guess.astype(np.int64)
    if prior is Prior.ANSWERS:
        words, guess_of, is_answer = game.answers, answer_of, np.ones(len(answer_of), dtype=bool)
    else:
        words, guess_of = game.guesses, np.arange(len(game.guesses))
        is_answer = np.zeros(len(words), dtype=bool)
        is_answer[answer_of] = True
    letters = _letters(game.guesses) if isinstance(game.feedback, WordFeedback) else None
    codes = _codes(game, scoring, words, letters)
    return Table(
        game=game,
        scoring=scoring,
        prior=prior,
        words=words,
        guess_of=guess_of,
        is_answer=is_answer,
        codes=codes,
        code_count=int(game.matrix.max()) + 1 if game.feedback is None else game.feedback.codes,
        letters=letters,
    )


def _letters(guesses: tuple[str, ...]) -> Letters:
    symbols = tuple(sorted(set("".join(guesses))))
    number = {symbol: i for i, symbol in enumerate(symbols)}
    of = np.array([[number[symbol] for symbol in guess] for guess in guesses], dtype=np.int64)
    has = np.zeros((len(symbols), len(guesses)), dtype=bool)
    first = np.ones(of.shape, dtype=bool)
    for place in range(of.shape[1]):
        first[:, place] = ~has[of[:, place], np.arange(len(guesses))]
        has[of[:, place], np.arange(len(guesses))] = True
    return Letters(symbols, of, has, first)


def _codes(game: Game, scoring: Scoring, words: tuple[str, ...], letters: Letters | None) -> npt.NDArray[Any]:
    if game.feedback is None or (scoring is Scoring.TRUE and words == game.answers):
        return np.ascontiguousarray(game.matrix.T)
    out = np.empty((len(words), len(game.guesses)), dtype=game.matrix.dtype)
    if scoring is Scoring.NAIVE:
        assert letters is not None
        index = {guess: i for i, guess in enumerate(game.guesses)}
        _naive_codes(letters, np.array([index[word] for word in words]), out)
        return out
    for start in range(0, len(game.guesses), _BLOCK):
        block = slice(start, start + _BLOCK)
        out[:, block] = feedback_matrix(game.feedback, game.guesses[block], words).T
    return out


def _naive_codes(letters: Letters, words: Ids, out: npt.NDArray[Any]) -> None:
    # A green letter is in the word too, so "in it" and "at this place" add up to the digit 2.
    dtype = out.dtype
    guesses = np.ascontiguousarray(letters.of.T)
    for c, word in enumerate(words):
        inside = letters.has[:, word].astype(dtype)
        row = np.zeros(out.shape[1], dtype=dtype)
        for place in range(letters.length):
            digit = inside.copy()
            digit[letters.of[word, place]] += 1
            row += (digit * 3**place).astype(dtype)[guesses[place]]
        out[c] = row
