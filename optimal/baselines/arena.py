"""The arena: a strategy plays against every answer of a game.

A strategy is asked once for each position that comes up, since equal positions get equal guesses; answers
that bring the same feedback share the call. Games are played to the end, also past the limit of guesses.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from optimal.baselines.position import Position
from optimal.baselines.strategy import Strategy, check_fit, choose, name_of, prior_of
from optimal.baselines.view import Ids, Scoring
from optimal.checks import check_jobs
from optimal.errors import InputError
from optimal.games.game import Game
from optimal.games.info import History
from optimal.show.table import by_depth
from optimal.workers import in_processes

#: A game that lasts longer than this is taken for a strategy that goes round in circles.
MOST_GUESSES = 200
#: Numbers of guesses whose shares of the answers are shown; the first stands for fewer too.
SHARES = range(2, 7)
#: Seconds before other processes are asked to help: starting them pays for slow strategies alone.
_PATIENCE = 3.0
_BATCHES = 8

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class CandidatesLeft:
    """Candidates left after a guess, over all answers; 0 where the answer was found."""

    mean: float
    median: float
    largest: int

    @classmethod
    def of(cls, sizes: Ids) -> CandidatesLeft:
        return cls(float(sizes.mean()), float(np.median(sizes)), int(sizes.max()))

    def to_dict(self) -> dict[str, float]:
        return asdict(self)


@dataclass(frozen=True)
class Played:
    """How a strategy did against every answer.

    `failed` counts answers found after the limit of guesses; `total` counts every guess. `left` holds the
    candidates that the strategy saw after its first and second guess, `answers_left` how many were answers.
    """

    name: str
    game: str
    scoring: Scoring
    limit: int | None
    paths: Mapping[str, tuple[str, ...]]  # answer -> the guesses that found it
    left: tuple[CandidatesLeft, CandidatesLeft]
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

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "total": self.total,
            "mean": float(self.mean),
            "worst": self.worst,
            "distribution": by_depth(self.distribution),
            "failed": self.failed,
            "shares": self.shares,
            "candidates_left": [left.to_dict() for left in self.left],
            "answers_left": [left.to_dict() for left in self.answers_left],
            "seconds": round(self.seconds, 3),
        }


#: Candidates and answers left after each of the first two guesses.
Left = tuple[tuple[int, int], ...]

#: Answers that were found, each with its game and what was left.
Games = dict[str, tuple[History, Left]]


@dataclass(frozen=True)
class _Branch:
    """A position that comes up, and the answers that lead to it, numbered as candidates."""

    position: Position
    secrets: Ids
    left: Left = ()


def play(
    game: Game,
    strategy: Strategy,
    *,
    scoring: Scoring = Scoring.TRUE,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Played:
    """Play the strategy against every answer of the game.

    The result does not depend on `jobs`. `progress(name, done, answers)` is called as answers are found.
    Raises InputError for a strategy that does not fit the game, makes a bad guess, fails, or never ends.
    """
    began = time.perf_counter()
    jobs, name = check_jobs(jobs), name_of(strategy)
    start = _start(game, strategy, scoring)
    games: Games = {}
    for found in ({}, *_results(strategy, _Branch(start, np.flatnonzero(start.view.is_answer)), jobs, began)):
        games |= found
        if progress is not None:
            progress(name, len(games), len(game.answers))
    sizes = np.array([games[answer][1] for answer in game.answers])
    left, answers_left = ([CandidatesLeft.of(sizes[:, turn, kind]) for turn in (0, 1)] for kind in (0, 1))
    return Played(
        name=name,
        game=game.name,
        scoring=scoring,
        limit=game.max_guesses,
        paths={answer: tuple(guess for guess, _ in games[answer][0]) for answer in game.answers},
        left=(left[0], left[1]),
        answers_left=(answers_left[0], answers_left[1]),
        seconds=time.perf_counter() - began,
    )


def play_answer(game: Game, strategy: Strategy, answer: str, *, scoring: Scoring = Scoring.TRUE) -> History:
    """The game of the strategy against one answer: its guesses with their feedback codes, the win included."""
    answer = game.answers[game.answer_index(answer)]
    start = _start(game, strategy, scoring)
    secret = np.array([start.view.words.index(answer)])
    return _play_out(strategy, [_Branch(start, secret)])[answer][0]


def _start(game: Game, strategy: Strategy, scoring: Scoring) -> Position:
    check_fit(strategy, game)
    return Position.start(game, scoring, prior_of(strategy))


def _results(strategy: Strategy, start: _Branch, jobs: int, began: float) -> Iterator[Games]:
    """The games bit by bit: played here at first, and by other processes if they take long."""
    found, left = _turn(strategy, start)
    yield found
    left.sort(key=lambda branch: len(branch.position.ids))
    while left and (jobs == 1 or time.perf_counter() - began < _PATIENCE):
        yield _play_out(strategy, [left.pop()])
    if left:
        # Dealt out by size, so that batches are about equal work.
        batches = [left[first::_BATCHES] for first in range(min(_BATCHES, len(left)))]
        yield from in_processes(jobs, partial(_play_out, strategy), batches)


def _play_out(strategy: Strategy, branches: list[_Branch]) -> Games:
    """Play on from these branches until every answer is found."""
    games: Games = {}
    stack = list(branches)
    while stack:
        found, following = _turn(strategy, stack.pop())
        games |= found
        stack += following
    return games


def _turn(strategy: Strategy, branch: _Branch) -> tuple[Games, list[_Branch]]:
    """One guess of the strategy: the answer that it finds, if it does, and the branches that follow."""
    position, view = branch.position, branch.position.view
    if position.turn > MOST_GUESSES:
        raise InputError(
            f"strategy {name_of(strategy)!r} has not found {view.words[int(branch.secrets[0])]!r} after "
            f"{MOST_GUESSES} guesses: it seems to go round in circles"
        )
    guess = choose(strategy, position)
    codes = view.codes[branch.secrets, position.game.guess_index(guess)]
    games: Games = {}
    branches = []
    for code in np.unique(codes).tolist():
        secrets = branch.secrets[codes == code]
        if code == position.game.winning_code:
            history = (*position.history, (guess, code))
            games[view.words[int(secrets[0])]] = history, (*branch.left, (0, 0), (0, 0))[:2]
        else:
            after = position.after(guess, code)
            left = (*branch.left, (len(after.ids), int(view.is_answer[after.ids].sum())))[:2]
            branches.append(_Branch(after, secrets, left))
    return games, branches
