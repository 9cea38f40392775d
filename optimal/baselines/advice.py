"""What a strategy would guess at a position, and why: by feedback seen, or by a board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from optimal.baselines.position import Position
from optimal.baselines.regions import Regions, RegionTable
from optimal.baselines.strategy import Baseline, Ranking, Strategy, check_fit, choose, name_of
from optimal.baselines.view import Prior, Scoring
from optimal.checks import check_top
from optimal.errors import ImpossibleFeedback, InputError
from optimal.games.feedback import BLACK, GREEN, YELLOW
from optimal.games.game import Game
from optimal.show.text import paragraph
from optimal.show.words import counted, listed, quoted


@dataclass(frozen=True)
class Reasons:
    """What a strategy would guess at a position, and why."""

    strategy: str
    guess: str
    position: str
    candidates: tuple[str, ...]
    rankings: tuple[Ranking, ...]
    picture: RegionTable | None = None

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
        picture=strategy.picture(position) if isinstance(strategy, Regions) else None,
    )


def board_position(
    game: Game, board: str, good: str = "", past: Sequence[str] = (), *, prior: Prior | str = Prior.ANSWERS
) -> Position:
    """The position that a board shows: known letters in place and a dot for each unknown one, as in "C.G..".

    `good` are letters known to be in the answer, `past` the guesses made; a letter of theirs that is neither
    on the board nor good is not in the answer. A board can't tell how often a letter occurs, so it is read by
    the naive rule. Raises InputError for a bad board, ImpossibleFeedback if no answer fits it.
    """
    position = Position.start(game, Scoring.NAIVE, prior)
    view, letters = position.view, position.view.letters
    greens = _greens(board, letters.length)
    wanted = good.strip().lower()
    if wanted and not wanted.isalpha():
        raise InputError(f"good letters {quoted(good)}: give letters alone, such as ai")
    present = {letter for letter in (*wanted, *greens) if letter is not None}
    history = []
    for guess in past:
        guess = guess.strip().lower()
        position.check(guess)
        digits = [
            GREEN if mine == known else YELLOW if mine in present else BLACK
            for mine, known in zip(guess, greens, strict=True)
        ]
        history.append((guess, sum(digit * 3**i for i, digit in enumerate(digits))))
    ids = np.array(
        [
            number
            for number, word in enumerate(view.words)
            if present <= set(word)
            and all(known in (None, letter) for known, letter in zip(greens, word, strict=True))
            and all(view.codes[number, game.guess_index(guess)] == code for guess, code in history)
        ],
        dtype=np.int64,
    )
    if not view.is_answer[ids].any():
        marks, absent = board.strip().lower(), sorted({letter for guess, _ in history for letter in guess} - present)
        raise ImpossibleFeedback(
            f"no answer fits board {marks!r} with good letters {wanted!r} after {', '.join(past) or 'no guess'}"
            + (f", which leave out {', '.join(absent)}" if absent else "")
        )
    return replace(position, history=tuple(history), ids=ids, greens=greens)


def _greens(board: str, length: int) -> tuple[str | None, ...]:
    """The letter that a board shows at each place."""
    marks = board.strip().lower()
    right = f"words of {length} letters need {length} letters or dots, such as {('c.g' + '.' * 7)[:length]}"
    if len(marks) != length:
        raise InputError(f"board {quoted(board)} has {len(marks)} places: {right}")
    if odd := [mark for mark in marks if mark != "." and not mark.isalpha()]:
        raise InputError(f"board {quoted(board)}: {odd[0]!r} is neither a letter nor a dot; {right}")
    return tuple(None if mark == "." else mark for mark in marks)
