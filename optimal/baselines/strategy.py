"""What a strategy is, and `Baseline`, the base class of those that come with the program.

A strategy is any object with ``next_guess(position) -> guess``. It keeps nothing between calls, so the arena
asks once for each position.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, TypeVar, runtime_checkable

import numpy as np
import numpy.typing as npt

from optimal.baselines.position import Position
from optimal.baselines.view import Ids, Prior
from optimal.checks import check_top
from optimal.errors import InputError
from optimal.games.feedback import WordFeedback
from optimal.games.game import Game
from optimal.games.presets import frequencies
from optimal.show.text import columns, paragraph
from optimal.show.words import counted, listed, quoted

Cell = str | int | float | bool
Found = TypeVar("Found")


@runtime_checkable
class Strategy(Protocol):
    """Anything that can choose a guess.

    Optional: ``name`` (a str), ``prior`` ("answers" or "guesses": where the candidates of its positions are
    taken from; answers unless said otherwise), and ``unfit(game)`` (why it can't play a game, or None).
    """

    def next_guess(self, position: Position) -> str:
        """The guess to make at this position."""


@dataclass(frozen=True)
class Ranking:
    """Guesses in a strategy's order, with what it makes of each. The first column is the guess."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def to_dict(self) -> dict[str, Any]:
        return {"title": self.title, "guesses": [dict(zip(self.headings, row, strict=True)) for row in self.rows]}

    def text(self) -> str:
        return f"{self.title}\n" + columns(self.headings, self.rows)


@dataclass(frozen=True)
class Scores:
    """Guesses (by number, in the strategy's order of preference among equals) and a score for each."""

    pool: Ids
    values: npt.NDArray[Any]
    columns: Mapping[str, npt.NDArray[Any]]  # shown beside each guess

    def ranking(self, position: Position, title: str, top: int) -> Ranking:
        """The best guesses with their columns and whether each can be the answer; equal scores keep the order."""
        possible = set(position.candidate_guesses.tolist())
        rows: list[tuple[Cell, ...]] = []
        for place in np.argsort(-self.values, kind="stable")[:top].tolist():
            guess = int(self.pool[place])
            cells = (values[place].item() for values in self.columns.values())
            rows.append((position.game.guesses[guess], *cells, guess in possible))
        return Ranking(title, ("guess", *self.columns, "is_candidate"), tuple(rows))


class Baseline(ABC):
    """A strategy that comes with the program: it scores guesses and takes the best, the first among equals.

    `label` is its name without openers, `title` one line on what it does, `ranked_by` the heading of its
    ranking. With `openers` it makes these guesses first, each where the rules allow it.
    """

    label: str
    title: str
    ranked_by: str
    prior: Prior = Prior.ANSWERS
    needs_words: ClassVar[bool] = True
    needs_frequency: ClassVar[bool] = False
    own_openers: ClassVar[tuple[str, ...]] = ()

    def __init__(self, openers: Sequence[str] = ()) -> None:
        self.openers = tuple(openers) or self.own_openers

    @property
    def name(self) -> str:
        return self.label if self.openers == self.own_openers else f"{self.label}={','.join(self.openers)}"

    def unfit(self, game: Game) -> str | None:
        """Why the strategy can't play this game, in one line; None when it can."""
        if self.needs_words and not isinstance(game.feedback, WordFeedback):
            return f"strategy {self.name!r} looks at letters, and {game.name} has no words"
        for opener in self.openers:
            if opener not in game.guesses:
                return f"strategy {self.name!r} opens with {opener!r}, which is not among the guesses of {game.name}"
        if self.needs_frequency and not any(map(frequencies().get, game.answers)):
            return f"strategy {self.name!r} needs word frequencies, and none is known for the answers of {game.name}"
        if self.prior is Prior.GUESSES and game.feedback is None and len(game.guesses) > len(game.answers):
            return f"strategy {self.name!r} takes every guess for an answer, and {game.name} is a bare matrix"
        return None

    def next_guess(self, position: Position) -> str:
        """The guess to make at this position: an opener while there are any, then what the strategy picks."""
        for opener in self.openers[position.turn - 1 : position.turn]:
            if position.is_legal(position.game.guess_index(opener)):
                return opener
        return self.pick(position)

    @abstractmethod
    def scores(self, position: Position) -> Scores:
        """The guesses that come into question, scored."""

    def pick(self, position: Position) -> str:
        """The guess that the strategy's own rule chooses."""
        scores = self.scores(position)
        return position.game.guesses[int(scores.pool[np.argmax(scores.values)])]

    def rankings(self, position: Position, top: int) -> tuple[Ranking, ...]:
        """The guesses that come first by that rule, with their scores."""
        return (self.scores(position).ranking(position, self.ranked_by, top),)

    def picture(self, position: Position) -> Any:
        """A record of the guess made here that draws a diagram; None for a strategy that has none."""
        return None


def guarded(failed: str, call: Callable[[], Found]) -> Found:
    """What a user's code returns; it may do anything, and whatever it raises becomes an InputError that says where."""
    try:
        return call()
    except InputError:
        raise
    except Exception as error:
        raise InputError(f"{failed}: {type(error).__name__}: {error}") from error


def check_fit(strategy: Strategy, game: Game) -> None:
    """InputError if the strategy says that it can't play this game; one of a user's own may have no say."""
    unfit = getattr(strategy, "unfit", None)
    if callable(unfit):
        reason = guarded(f"strategy {name_of(strategy)!r}: its unfit failed", lambda: unfit(game))
        if reason:
            raise InputError(str(reason))


def choose(strategy: Strategy, position: Position) -> str:
    """The strategy's guess, checked: InputError names the strategy and the position if anything is wrong."""
    where = f"strategy {name_of(strategy)!r} at {position.describe()}"
    try:
        guess = guarded("failed", lambda: strategy.next_guess(position))
        if not isinstance(guess, str):
            raise InputError(f"returned {quoted(repr(guess))}: next_guess must return a word")
        guess = position.game.written(guess)
        position.check(guess)
    except InputError as error:
        raise type(error)(f"{where}: {error}") from error
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
        reason = f"strategy {name_of(strategy)!r} has the prior {quoted(str(prior))}: there are answers and guesses"
        raise InputError(reason) from None


@dataclass(frozen=True)
class Reasons:
    """What a strategy would guess at a position, and why."""

    strategy: str
    guess: str
    position: str
    candidates: tuple[str, ...]
    rankings: tuple[Ranking, ...]
    picture: Any = None

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
        left = f"{counted(len(self.candidates), 'candidate')} left: {listed(self.candidates)}"
        parts = [paragraph(f"{self.strategy} at {self.position}: {self.guess}") + paragraph(left)]
        parts += [ranking.text() for ranking in self.rankings]
        return "\n".join(parts if self.picture is None else [*parts, self.picture.diagram()])


def explain(strategy: Strategy, position: Position, top: int = 10) -> Reasons:
    """What the strategy guesses at this position and why; a strategy of a user's own gives no reasons."""
    check_fit(strategy, position.game)
    return Reasons(
        strategy=name_of(strategy),
        guess=choose(strategy, position),
        position=position.describe(),
        candidates=position.candidates,
        rankings=strategy.rankings(position, check_top(top)) if isinstance(strategy, Baseline) else (),
        picture=strategy.picture(position) if isinstance(strategy, Baseline) else None,
    )
