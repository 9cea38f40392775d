"""The arena: a strategy plays against every answer of a game.

A strategy is asked once for each position that comes up, since equal positions get equal guesses; answers
that bring the same feedback share the call. Games are played to the end, also past the limit of guesses.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from optimal.baselines.position import Position
from optimal.baselines.strategy import Strategy, check_fit, choose, name_of, prior_of
from optimal.baselines.view import Ids, Scoring
from optimal.errors import InputError
from optimal.games.game import Game
from optimal.games.info import History
from optimal.show.record import Record

#: A game that lasts longer than this is taken for a strategy that goes round in circles.
MOST_GUESSES = 200
#: Numbers of guesses whose shares of the answers are shown; the first stands for fewer too.
SHARES = range(2, 7)

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class CandidatesLeft(Record):
    """Candidates left after a guess, over all answers; 0 where the answer was found."""

    mean: float
    median: float
    largest: int

    @classmethod
    def of(cls, sizes: Ids) -> CandidatesLeft:
        return cls(float(sizes.mean()), float(np.median(sizes)), int(sizes.max()))


@dataclass(frozen=True)
class Played(Record):
    """How a strategy did against every answer.

    `failed` counts answers found after the limit of guesses; `total` counts every guess. `candidates_left` are those
    that the strategy saw after its first and second guess, `answers_left` the answers among them.
    """

    json_fields = "name total mean worst distribution failed shares candidates_left answers_left seconds"
    name: str
    game: str
    scoring: Scoring
    limit: int | None
    paths: Mapping[str, tuple[str, ...]]  # answer -> the guesses that found it
    candidates_left: tuple[CandidatesLeft, CandidatesLeft]
    answers_left: tuple[CandidatesLeft, CandidatesLeft]
    seconds: float

    @property
    def answers(self) -> int:
        return len(self.paths)

    @property
    def distribution(self) -> dict[int, int]:
        """Answers by the number of guesses that found them."""
        return dict(sorted(Counter(map(len, self.paths.values())).items()))

    @property
    def total(self) -> int:
        return sum(map(len, self.paths.values()))

    @property
    def mean(self) -> Fraction:
        return Fraction(self.total, self.answers)

    @property
    def worst(self) -> int:
        return max(map(len, self.paths.values()))

    @property
    def failures(self) -> tuple[str, ...]:
        """The answers found after the limit."""
        return tuple(answer for answer, path in self.paths.items() if self.limit is not None and len(path) > self.limit)

    @property
    def failed(self) -> int:
        return len(self.failures)

    @property
    def shares(self) -> dict[str, float]:
        """The share of answers found in 2 guesses or fewer, in 3, 4, 5 and 6, and of those failed."""
        found = {depth: n for depth, n in self.distribution.items() if self.limit is None or depth <= self.limit}
        shares = {str(depth): found.get(depth, 0) / self.answers for depth in SHARES}
        shares["2"] += found.get(1, 0) / self.answers
        return shares | {"failed": self.failed / self.answers}


def play(
    game: Game, strategy: Strategy, *, scoring: Scoring | str = Scoring.TRUE, progress: Progress | None = None
) -> Played:
    """Play the strategy against every answer of the game.

    `progress(name, done, answers)` is called as answers are found. Raises InputError for a strategy that does not fit
    the game, makes a bad guess, fails, or never ends.
    """
    began, name = time.perf_counter(), name_of(strategy)
    start = _start(game, strategy, scoring)
    histories: dict[str, History] = {}
    counts: list[Left] = []
    for answer, history, left in _games(strategy, start, np.flatnonzero(start.view.is_answer)):
        histories[answer] = history
        counts.append(left)
        if progress is not None:
            progress(name, len(histories), len(game.answers))
    sizes = np.array(counts)
    return Played(
        name=name,
        game=game.name,
        scoring=start.view.scoring,
        limit=game.max_guesses,
        paths={answer: tuple(guess for guess, _ in histories[answer]) for answer in game.answers},
        candidates_left=(CandidatesLeft.of(sizes[:, 0, 0]), CandidatesLeft.of(sizes[:, 1, 0])),
        answers_left=(CandidatesLeft.of(sizes[:, 0, 1]), CandidatesLeft.of(sizes[:, 1, 1])),
        seconds=round(time.perf_counter() - began, 3),
    )


def play_answer(game: Game, strategy: Strategy, answer: str, *, scoring: Scoring | str = Scoring.TRUE) -> History:
    """The game of the strategy against one answer: its guesses with their feedback codes, the win included."""
    start = _start(game, strategy, scoring)
    secret = start.view.words.index(game.answers[game.answer_index(answer)])
    ((_, history, _),) = _games(strategy, start, np.array([secret]))
    return history


def _start(game: Game, strategy: Strategy, scoring: Scoring | str) -> Position:
    check_fit(strategy, game)
    return Position.start(game, scoring, prior_of(strategy))


#: Candidates, and answers among them, left after each guess.
Left = tuple[tuple[int, int], ...]


def _games(strategy: Strategy, start: Position, secrets: Ids) -> Iterator[tuple[str, History, Left]]:
    """Yield each of these candidates, numbered as in the view, with its game and what the first two guesses left."""
    view, game = start.view, start.game
    stack: list[tuple[Position, Ids, Left]] = [(start, secrets, ())]
    while stack:
        position, secrets, left = stack.pop()
        if position.turn > MOST_GUESSES:
            raise InputError(
                f"strategy {name_of(strategy)!r} has not found {view.words[int(secrets[0])]!r} after "
                f"{MOST_GUESSES} guesses: it seems to go round in circles"
            )
        guess = choose(strategy, position)
        codes = view.codes[secrets, game.guess_index(guess)]
        for code in np.unique(codes).tolist():
            alike = secrets[codes == code]
            if code == game.winning_code:
                history = (*position.history, (guess, code))
                yield view.words[int(alike[0])], history, (*left, (0, 0), (0, 0))[:2]
            else:
                after = position.after(guess, code)
                stack.append((after, alike, (*left, (len(after.ids), int(view.is_answer[after.ids].sum())))))
