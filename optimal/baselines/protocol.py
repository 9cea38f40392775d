"""What a strategy is, what it sees, and how it gives its reasons.

A strategy is any object with ``next_guess(position) -> guess``. It keeps nothing between calls: the position
holds all there is to know, so equal positions get equal guesses, and the arena asks once for each.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from optimal.baselines.table import Ids, Letters, Prior, Scoring, Table, table_of
from optimal.errors import IllegalGuess, ImpossibleFeedback, InputError
from optimal.games.feedback import GREEN, WordFeedback, quoted
from optimal.games.game import Game
from optimal.games.info import History, describe
from optimal.games.legality import broken_rule, legal_guesses
from optimal.games.rules import Rules
from optimal.show.text import columns, paragraph
from optimal.show.words import listed

Floats = npt.NDArray[np.float64]


@runtime_checkable
class Strategy(Protocol):
    """Anything that can choose a guess.

    Optional: ``name`` (a str), ``prior`` ("answers" or "guesses": where the candidates of its positions are
    taken from; answers unless said otherwise), and ``unfit(game)`` (why it can't play a game, or None).
    """

    def next_guess(self, position: Position) -> str:
        """The guess to make at this position."""


@dataclass(frozen=True, eq=False)
class Position:
    """Guesses made, feedback seen, and what follows from them. Data: nothing here changes.

    Plain words: `history` of (guess, feedback code), `candidates`, `guesses`, `turn`. For numpy: `ids` of the
    candidates left and `legal` guesses (None: all), numbered as in `table`.
    """

    table: Table
    history: History
    ids: Ids
    greens: tuple[str | None, ...]  # the letter known at each place; () without words
    legal: Ids | None

    @classmethod
    def start(cls, game: Game, scoring: Scoring = Scoring.TRUE, prior: Prior | str = Prior.ANSWERS) -> Position:
        """The position before the first guess."""
        table = table_of(game, scoring, Prior(prior))
        length = 0 if table.letters is None else table.letters.length
        return cls(table, (), np.arange(len(table.words)), (None,) * length, None)

    @classmethod
    def at(
        cls,
        game: Game,
        history: Sequence[tuple[str, int]],
        scoring: Scoring = Scoring.TRUE,
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
        return self.table.game

    @property
    def turn(self) -> int:
        """The number of the guess to make now: 1 for the first."""
        return len(self.history) + 1

    @cached_property
    def candidates(self) -> tuple[str, ...]:
        """The words that fit all feedback, sorted: answers, or guesses for a strategy with that prior."""
        return tuple(self.table.words[i] for i in self.ids.tolist())

    @cached_property
    def guesses(self) -> tuple[str, ...]:
        """The guesses that the rules allow now, sorted."""
        every = self.game.guesses
        return every if self.legal is None else tuple(every[i] for i in self.legal.tolist())

    @cached_property
    def candidate_guesses(self) -> Ids:
        """The candidates, numbered as guesses."""
        return self.table.guess_of[self.ids]

    @property
    def pool(self) -> Ids:
        """The legal guesses, numbered as guesses."""
        return np.arange(len(self.game.guesses)) if self.legal is None else self.legal

    @property
    def letters_guessed(self) -> frozenset[str]:
        return frozenset(letter for guess, _ in self.history for letter in guess)

    def codes(self, pool: Ids | None = None) -> npt.NDArray[Any]:
        """Feedback codes, candidates x guesses: of all guesses, or of those in `pool`."""
        codes = self.table.codes
        if len(self.ids) == codes.shape[0]:
            return codes if pool is None else codes[:, pool]
        return codes[self.ids] if pool is None else codes[np.ix_(self.ids, pool)]

    def classes(self, guess: str) -> dict[int, tuple[str, ...]]:
        """The candidates by the feedback code that each would bring."""
        codes = self.table.codes[self.ids, self.game.guess_index(guess)]
        found: dict[int, list[str]] = {}
        for code, word in zip(codes.tolist(), self.candidates, strict=True):
            found.setdefault(code, []).append(word)
        return {code: tuple(words) for code, words in sorted(found.items())}

    def is_legal(self, guess_id: int) -> bool:
        """May this guess, by number, be made now?"""
        if self.legal is None:
            return True
        place = int(np.searchsorted(self.legal, guess_id))
        return place < len(self.legal) and int(self.legal[place]) == guess_id

    def check(self, guess: str) -> None:
        """InputError if the guess is not in the list, IllegalGuess if it breaks the rules here."""
        if not self.is_legal(self.game.guess_index(guess)):
            reason = broken_rule(self.game, self.history, guess)
            raise IllegalGuess(reason or f"{guess!r} does not fit the feedback, as {self.game.rules} rules ask")

    def after(self, guess: str, code: int) -> Position:
        """The position after one more guess; ImpossibleFeedback if no candidate is left."""
        guess_id = self.game.guess_index(guess)
        ids = self.ids[self.table.codes[self.ids, guess_id] == code]
        if not len(ids):
            raise ImpossibleFeedback(f"no answer fits {self.describe([*self.history, (guess, code)])}")
        greens = self.greens
        feedback = self.game.feedback
        if isinstance(feedback, WordFeedback):
            marks = feedback.marks(code)
            greens = tuple(
                letter if mark == GREEN else known for letter, mark, known in zip(guess, marks, greens, strict=True)
            )
        legal = None if self.game.rules is Rules.NORMAL else self._legal_after(guess, code)
        return replace(self, history=(*self.history, (guess, code)), ids=ids, greens=greens, legal=legal)

    def _legal_after(self, guess: str, code: int) -> Ids:
        if self.game.rules is Rules.ULTRA_HARD:
            # The table has all replies of a guess to a guess; scoring them anew takes long in the arena.
            fitting: Ids = self.pool[self.table.guess_codes[self.pool, self.game.guess_index(guess)] == code]
            return fitting
        return legal_guesses(self.game, ((guess, code),), self.pool)

    def describe(self, history: Sequence[tuple[str, int]] | None = None) -> str:
        """The guesses with their feedback, such as "salet=BYBBB crony=BYYBB"; "the start" if none."""
        turns = self.history if history is None else history
        return describe(self.game, turns) if turns else "the start"


Cell = str | int | float | bool


@dataclass(frozen=True)
class Ranking:
    """Guesses in a strategy's order, with what it makes of each. The first column is the guess."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def to_dict(self) -> dict[str, Any]:
        return {
            "title": self.title,
            "guesses": [dict(zip(self.headings, row, strict=True)) for row in self.rows],
        }

    def text(self) -> str:
        return f"{self.title}\n" + columns(self.headings, self.rows)


class Picture(Protocol):
    """What a strategy can draw of its choice."""

    def diagram(self) -> str:
        """A drawing in characters, for people. Ends with a newline."""

    def to_dict(self) -> dict[str, Any]:
        """The same, JSON-ready."""


@dataclass(frozen=True)
class Reasons:
    """What a strategy would guess at a position, and why."""

    strategy: str
    guess: str
    position: str
    candidates: tuple[str, ...]
    rankings: tuple[Ranking, ...]
    picture: Picture | None = None

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready: strategy, position, guess, candidates (how many), rankings, and the diagram if there is one."""
        fields = {
            "strategy": self.strategy,
            "position": self.position,
            "guess": self.guess,
            "candidates": len(self.candidates),
            "rankings": [ranking.to_dict() for ranking in self.rankings],
        }
        return fields if self.picture is None else {**fields, "diagram": self.picture.to_dict()}

    def text(self) -> str:
        """The same for people, with the diagram if there is one."""
        count = len(self.candidates)
        left = f"{count} candidate{'' if count == 1 else 's'} left: {listed(self.candidates)}"
        parts = [paragraph(f"{self.strategy} at {self.position}: {self.guess}") + paragraph(left)]
        parts += [ranking.text() for ranking in self.rankings]
        return "\n".join(parts if self.picture is None else [*parts, self.picture.diagram()])


class Baseline(ABC):
    """A strategy that comes with the program: it has a name and reasons, and may be given first guesses."""

    title: ClassVar[str]
    prior: Prior = Prior.ANSWERS

    def __init__(self, name: str, openers: Sequence[str] = ()) -> None:
        self.openers = tuple(openers)
        self.name = f"{name}={','.join(openers)}" if openers else name

    def unfit(self, game: Game) -> str | None:
        """Why the strategy can't play this game, in one line; None when it can."""
        missing = [opener for opener in self.openers if opener not in game.guesses]
        if not missing:
            return None
        return f"strategy {self.name!r} opens with {missing[0]!r}, which is not among the guesses of {game.name}"

    def next_guess(self, position: Position) -> str:
        """The guess to make at this position: an opener while there are any, then what the strategy picks."""
        return self.opener(position) or self.pick(position)

    def opener(self, position: Position) -> str | None:
        """The opener of this turn, if there is one and the rules allow it."""
        if position.turn > len(self.openers):
            return None
        guess = self.openers[position.turn - 1]
        return guess if position.is_legal(position.game.guess_index(guess)) else None

    @abstractmethod
    def pick(self, position: Position) -> str:
        """The guess that the strategy's own rule chooses."""

    @abstractmethod
    def rankings(self, position: Position, top: int) -> tuple[Ranking, ...]:
        """The guesses that come first by that rule, with their scores."""

    def picture(self, position: Position) -> Picture | None:
        """A picture of the choice, where there is one to draw."""
        return None


class WordBaseline(Baseline):
    """A baseline that looks at letters, so it needs words."""

    def unfit(self, game: Game) -> str | None:
        if isinstance(game.feedback, WordFeedback):
            return super().unfit(game)
        return f"strategy {self.name!r} looks at letters, and {game.name} has no words"


@dataclass(frozen=True)
class Scores:
    """Guesses (by number, in the strategy's order of preference among equals) and a score for each."""

    pool: Ids
    values: Floats
    columns: tuple[tuple[str, npt.NDArray[Any]], ...]  # what is shown beside each guess

    def first(self, position: Position) -> str:
        """The best guess."""
        return position.game.guesses[int(self.pool[int(np.argmax(self.values))])]

    def best(self, top: int) -> Ids:
        """Places in the pool, best first; equal scores keep the order of the pool."""
        return np.argsort(-self.values, kind="stable")[:top]


class Scored(Baseline):
    """A baseline that scores guesses and takes the best; the first in the pool wins ties."""

    ranked_by: str

    @abstractmethod
    def scores(self, position: Position) -> Scores:
        """The guesses that come into question, scored."""

    def pick(self, position: Position) -> str:
        return self.scores(position).first(position)

    def rankings(self, position: Position, top: int) -> tuple[Ranking, ...]:
        return (ranked(position, self.scores(position), self.ranked_by, top),)


def ranked(position: Position, scores: Scores, title: str, top: int) -> Ranking:
    """The best guesses of these scores, with their columns and whether each can be the answer."""
    possible = set(position.candidate_guesses.tolist())
    rows: list[tuple[Cell, ...]] = []
    for place in scores.best(top).tolist():
        guess = int(scores.pool[place])
        cells: list[Cell] = [position.game.guesses[guess]]
        for _, values in scores.columns:
            cells.append(values[place].item())
        rows.append((*cells, guess in possible))
    return Ranking(title, ("guess", *(name for name, _ in scores.columns), "is_candidate"), tuple(rows))


def explain(strategy: Strategy, position: Position, top: int = 10) -> Reasons:
    """What the strategy guesses at this position and why; a strategy of a user's own gives no reasons."""
    if top < 1:
        raise InputError(f"the number of guesses to show must be 1 or more, not {top}")
    check_fit(strategy, position.game)
    rankings: tuple[Ranking, ...] = ()
    picture = None
    if isinstance(strategy, Baseline):
        rankings, picture = strategy.rankings(position, top), strategy.picture(position)
    return Reasons(
        strategy=name_of(strategy),
        guess=choose(strategy, position),
        position=position.describe(),
        candidates=position.candidates,
        rankings=rankings,
        picture=picture,
    )


def check_fit(strategy: Strategy, game: Game) -> None:
    """InputError if the strategy says that it can't play this game; one of a user's own may have no say."""
    unfit = getattr(strategy, "unfit", None)
    try:
        reason = unfit(game) if callable(unfit) else None
    except InputError:
        raise
    except Exception as error:  # a user's code may do anything
        raise InputError(
            f"strategy {name_of(strategy)!r}: its unfit failed: {type(error).__name__}: {error}"
        ) from error
    if reason:
        raise InputError(str(reason))


def choose(strategy: Strategy, position: Position) -> str:
    """The strategy's guess, checked: InputError names the strategy and the position if anything is wrong."""
    where = f"strategy {name_of(strategy)!r} at {position.describe()}"
    try:
        guess = strategy.next_guess(position)
    except InputError as error:
        raise InputError(f"{where}: {error}") from error
    except Exception as error:  # a user's code may do anything; the user needs to hear where
        raise InputError(f"{where} failed: {type(error).__name__}: {error}") from error
    if not isinstance(guess, str):
        raise InputError(f"{where} returned {quoted(repr(guess))}: next_guess must return a word")
    guess = position.game.written(guess)
    try:
        position.check(guess)
    except InputError as error:
        raise type(error)(f"{where}: {error}") from None
    return guess


def name_of(strategy: Strategy) -> str:
    """The name of a strategy: its own, or that of its class."""
    name = getattr(strategy, "name", None)
    return name if isinstance(name, str) and name else type(strategy).__name__


def prior_of(strategy: Strategy) -> Prior:
    """The prior that a strategy asks for."""
    prior = getattr(strategy, "prior", Prior.ANSWERS)
    try:
        return Prior(prior)
    except ValueError:
        name = name_of(strategy)
        raise InputError(
            f"strategy {name!r} has the prior {quoted(str(prior))}: there are answers and guesses"
        ) from None


def spelling(position: Position) -> tuple[Letters, Ids]:
    """The letters of all guesses, and of each candidate left (candidates x places)."""
    letters = position.table.spelling
    return letters, letters.of[position.candidate_guesses]
