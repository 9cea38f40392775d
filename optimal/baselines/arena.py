"""The arena: a strategy plays against every answer of a game, and strategies stand side by side.

A strategy is asked once for each position that comes up, since equal positions get equal guesses; answers
that bring the same feedback share the call. Games are played to the end, also past the limit of guesses.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from optimal.baselines.protocol import Position, Strategy, check_fit, choose, name_of, prior_of
from optimal.baselines.registry import TreeStrategy, default_strategies, proven_bound, strategy
from optimal.baselines.table import Ids, Scoring, scoring_of
from optimal.errors import InputError
from optimal.games.arguments import check_jobs, check_progress, check_truth, iterates, shown
from optimal.games.game import Game, check_game
from optimal.games.info import History
from optimal.games.presets import titled
from optimal.show.csv import csv_lines
from optimal.show.html import html_table
from optimal.show.text import cell, columns, histogram, paragraph
from optimal.show.words import counted, within
from optimal.trees.file import tree_of
from optimal.trees.tree import StrategyTree
from optimal.workers import in_processes

#: A game that lasts longer than this is taken for a strategy that goes round in circles.
MOST_GUESSES = 200

#: Seconds before other processes are asked to help: starting them pays for slow strategies alone.
_PATIENCE = 3.0

_SHARES = range(2, 7)

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class CandidatesLeft:
    """Candidates left after a guess, over all answers; 0 where the answer was found."""

    mean: float
    median: float
    largest: int

    def to_dict(self) -> dict[str, float]:
        return {"mean": self.mean, "median": self.median, "largest": self.largest}


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
        """Guesses -> answers found by so many."""
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
        return tuple(answer for answer, path in self.paths.items() if not self._within(len(path)))

    def _within(self, guesses: int) -> bool:
        return self.limit is None or guesses <= self.limit

    @property
    def failed(self) -> int:
        return len(self.failures)

    @property
    def shares(self) -> dict[str, float]:
        """The share of answers found in 2 guesses or fewer, in 3, 4, 5 and 6, and of those failed."""
        found = {depth: count for depth, count in self.distribution.items() if self._within(depth)}
        shares = {str(depth): found.get(depth, 0) / self.answers for depth in _SHARES}
        shares["2"] += found.get(1, 0) / self.answers
        return shares | {"failed": self.failed / self.answers}

    def histogram(self) -> str:
        return histogram(self.distribution, self.limit)

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "total": self.total,
            "mean": float(self.mean),
            "worst": self.worst,
            "distribution": {str(depth): count for depth, count in self.distribution.items()},
            "failed": self.failed,
            "shares": self.shares,
            "candidates_left": [left.to_dict() for left in self.left],
            "answers_left": [left.to_dict() for left in self.answers_left],
            "seconds": round(self.seconds, 3),
        }


@dataclass(frozen=True)
class _Games:
    """The games of some answers: the guesses of each, and candidates and answers left after the first two."""

    paths: dict[str, tuple[str, ...]]
    left: dict[str, tuple[tuple[int, int], ...]]


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
    return _play(game, strategy, scoring, check_jobs(jobs), progress)


def play_answer(game: Game, strategy: Strategy, answer: str, *, scoring: Scoring = Scoring.TRUE) -> History:
    """The game of the strategy against one answer: its guesses with their feedback codes, the win included."""
    check_fit(strategy, game)
    answer = game.answers[game.answer_index(answer)]
    position = Position.start(game, scoring, prior_of(strategy))
    secret = position.table.words.index(answer)
    while position.turn <= MOST_GUESSES:
        guess = choose(strategy, position)
        code = int(position.table.codes[secret, game.guess_index(guess)])
        if code == game.winning_code:
            return (*position.history, (guess, code))
        position = position.after(guess, code)
    raise _endless(strategy, answer)


def _play(game: Game, strategy: Strategy, scoring: Scoring, jobs: int, progress: Progress | None) -> Played:
    began = time.perf_counter()
    check_fit(strategy, game)
    start = Position.start(game, scoring, prior_of(strategy))
    name, count = name_of(strategy), len(game.answers)
    if progress is not None:
        progress(name, 0, count)
    first = _turn(strategy, _Branch(start, start.table.secrets, ()))
    games = [first.found]
    for found in _results(strategy, first.branches, jobs, began):
        games.append(found)
        if progress is not None:
            progress(name, sum(len(played.paths) for played in games), count)
    paths = {answer: path for found in games for answer, path in found.paths.items()}
    left = {answer: sizes for found in games for answer, sizes in found.left.items()}
    sizes = np.array([left[answer] for answer in game.answers])
    return Played(
        name=name,
        game=game.name,
        scoring=scoring,
        limit=game.max_guesses,
        paths={answer: paths[answer] for answer in game.answers},
        left=(_left(sizes[:, 0, 0]), _left(sizes[:, 1, 0])),
        answers_left=(_left(sizes[:, 0, 1]), _left(sizes[:, 1, 1])),
        seconds=time.perf_counter() - began,
    )


def _left(sizes: Ids) -> CandidatesLeft:
    return CandidatesLeft(float(sizes.mean()), float(np.median(sizes)), int(sizes.max()))


@dataclass(frozen=True)
class _Branch:
    """A position that comes up, the answers that bring it (as candidates), and what two guesses left."""

    position: Position
    secrets: Ids
    left: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class _Turn:
    found: _Games
    branches: list[_Branch]


def _turn(strategy: Strategy, branch: _Branch) -> _Turn:
    """One guess of the strategy: the answer that it finds, if it does, and the branches that follow."""
    position, table = branch.position, branch.position.table
    words = table.words
    if position.turn > MOST_GUESSES:
        raise _endless(strategy, words[int(branch.secrets[0])])
    guess = choose(strategy, position)
    codes = table.codes[branch.secrets, position.game.guess_index(guess)]
    found = _Games({}, {})
    branches = []
    for code in np.unique(codes).tolist():
        secrets = branch.secrets[codes == code]
        if code == position.game.winning_code:
            answer = words[int(secrets[0])]
            found.paths[answer] = (*(past for past, _ in position.history), guess)
            found.left[answer] = (*branch.left, (0, 0), (0, 0))[:2]
            continue
        after = position.after(guess, code)
        left = branch.left
        if len(left) < 2:
            left = (*left, (len(after.ids), int(table.is_answer[after.ids].sum())))
        branches.append(_Branch(after, secrets, left))
    return _Turn(found, branches)


def _endless(strategy: Strategy, answer: str) -> InputError:
    return InputError(
        f"strategy {name_of(strategy)!r} has not found {answer!r} after {MOST_GUESSES} guesses: "
        "it seems to go round in circles"
    )


def _play_out(strategy: Strategy, branches: list[_Branch]) -> _Games:
    """Play on from these branches until every answer is found."""
    games = _Games({}, {})
    stack = list(branches)
    while stack:
        turn = _turn(strategy, stack.pop())
        games.paths.update(turn.found.paths)
        games.left.update(turn.found.left)
        stack += turn.branches
    return games


def _results(strategy: Strategy, branches: list[_Branch], jobs: int, began: float) -> Iterator[_Games]:
    """The games that follow these branches, bit by bit: here at first, and by other processes if they take long."""
    left = sorted(branches, key=lambda branch: len(branch.position.ids))
    while left and (jobs == 1 or time.perf_counter() - began < _PATIENCE):
        yield _play_out(strategy, [left.pop()])
    if left:
        yield from in_processes(jobs, partial(_play_out, strategy), _batches(left, 8))


def _batches(branches: list[_Branch], count: int) -> list[list[_Branch]]:
    """The branches dealt into batches of about equal work, the largest branches first."""
    batches: list[list[_Branch]] = [[] for _ in range(count)]
    weights = [0] * count
    for branch in sorted(branches, key=lambda branch: -len(branch.position.ids)):
        least = weights.index(min(weights))
        batches[least].append(branch)
        # Each branch costs something, and every candidate in it some more.
        weights[least] += len(branch.position.ids) + 10 * len(branch.secrets)
    return [batch for batch in batches if batch]


@dataclass(frozen=True, repr=False)
class Comparison:
    """Strategies side by side. `bound` is a proven least total that none can beat, if one is known.

    It prints as `optimal compare` tells it, without the histograms, and shows as a table in a notebook.
    """

    game: str
    rules: str
    scoring: Scoring
    answers: int
    limit: int | None
    strategies: tuple[Played, ...]
    bound: int | None
    seconds: float

    def above(self, played: Played) -> int | None:
        """The strategy's total less the bound; a strategy with failures may be below it."""
        return None if self.bound is None else played.total - self.bound

    def to_dict(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "rules": self.rules,
            "scoring": self.scoring.value,
            "answers": self.answers,
            "max_guesses": self.limit,
            "bound": self.bound,
            "strategies": [{**played.to_dict(), "above": self.above(played)} for played in self.strategies],
            "seconds": round(self.seconds, 3),
        }

    def to_csv(self) -> str:
        """One line for each strategy, under a line of headings."""
        depths = self._depths()
        headings = ["strategy", "total", "above", "mean", "worst", "failed", *(f"in_{depth}" for depth in depths)]
        headings += [f"share_{share}" for share in (*_SHARES, "failed")]
        headings += ["candidates_left_1", "candidates_left_2", "answers_left_1", "answers_left_2", "seconds"]
        rows = []
        for played in self.strategies:
            found = played.distribution
            row: list[object] = [played.name, played.total, self.above(played), float(played.mean)]
            row += [played.worst, played.failed]
            row += [found.get(depth, 0) for depth in depths]
            row += played.shares.values()
            row += [left.mean for left in (*played.left, *played.answers_left)]
            rows.append([*row, round(played.seconds, 3)])
        return "".join(csv_lines(headings, rows))

    def text(self, *, histograms: bool = False) -> str:
        """Tables for people: games with the proven bound below, shares, and candidates left.

        `histograms` adds one for each strategy.
        """
        parts = [paragraph(self._caption), columns(*self._games())]
        parts += map(paragraph, self._proven())
        parts += [self._shares(), self._left()]
        if check_truth(histograms, "histograms"):
            parts += [f"{played.name}\n{played.histogram()}" for played in self.strategies]
        return "\n".join(parts)

    def __str__(self) -> str:
        return self.text().rstrip("\n")

    def __repr__(self) -> str:
        return f"<Comparison of {counted(len(self.strategies), 'strategy', 'strategies')}: {self._caption}>"

    def _repr_html_(self) -> str:
        headings, rows = self._games()
        return html_table(self._caption, headings, [[cell(value) for value in row] for row in rows], *self._proven())

    @property
    def _caption(self) -> str:
        asked = f"{titled(self.game)}, {self.rules} rules, {self.scoring} feedback"
        return f"{asked}, {within(self.limit)}, {self.answers} answers"

    def _proven(self) -> list[str]:
        """What the bound says, in one line; none without a bound."""
        if self.bound is None:
            return []
        which = "no strategy" if self.limit is None else "no strategy without a failure"
        return [f"Proven: {which} has a total below {self.bound}, mean {self.bound / self.answers:.4f}."]

    def _games(self) -> tuple[Sequence[str], list[list[object]]]:
        """Totals and games by guesses: headings and rows."""
        depths = [depth for depth in self._depths() if self.limit is None or depth <= self.limit]
        rows: list[list[object]] = []
        for played in self.strategies:
            found = played.distribution
            row: list[object] = [played.name, played.total, float(played.mean)]
            row += [found.get(depth, "") for depth in depths]
            rows.append([*row, played.failed, played.worst])
        return ("strategy", "total", "mean", *map(str, depths), "failed", "worst"), rows

    def _shares(self) -> str:
        about = "Shares of answers by guesses, in per cent"
        headings = ["strategy", "2 or fewer", "3", "4", "5", "6", "failed"]
        if self.bound is not None:
            about += "; above: total less the proven bound"
            headings.append("above")
        rows = []
        for played in self.strategies:
            row: list[object] = [played.name, *(f"{100 * share:.2f}" for share in played.shares.values())]
            above = self.above(played)
            rows.append(row if above is None else [*row, above])
        return f"{paragraph(f'{about}.')}\n{columns(headings, rows)}"

    def _left(self) -> str:
        rows = []
        for played in self.strategies:
            means = [f"{left.mean:.1f}" for left in (*played.left, *played.answers_left)]
            rows.append([played.name, *means, f"{played.seconds:.1f} s"])
        return (
            paragraph(
                "Left after guesses 1 and 2 on average: candidates that the strategy itself sees, "
                "and answers among them."
            )
            + "\n"
            + columns(("strategy", "seen_1", "seen_2", "answers_1", "answers_2", "time"), rows)
        )

    def _depths(self) -> list[int]:
        return sorted({depth for played in self.strategies for depth in played.distribution})


def compare(
    game: Game | str,
    strategies: Sequence[Strategy | str] | None = None,
    *,
    scoring: Scoring | str = Scoring.TRUE,
    jobs: int = 1,
    tree: StrategyTree | str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Play each strategy against every answer.

    >>> from optimal import compare
    >>> [(played.name, played.total) for played in compare("mastermind:3x3", ["entropy", "minimax"]).strategies]
    [('entropy', 73), ('minimax', 74)]

    Parameters
    ----------
    game : Game or str
        A game, or the name of a preset.
    strategies : sequence of Strategy or str, optional
        Objects, or texts such as "entropy" (docs/baselines.md); those that fit the game if none is named.
    scoring : Scoring or str, optional
        The rule of feedback: "true", or "naive" as some earlier strategies were measured.
    jobs : int, optional
        Processes at once.
    tree : StrategyTree or str or path, optional
        A tree, its file, or the name of a shipped one, that takes part and gives the bound.
    progress : callable, optional
        Called as ``progress(name, done, answers)``.

    Returns
    -------
    Comparison
        It prints as `optimal compare` does. The bound is that of ``tree``, or of the shipped tree of the game.

    Raises
    ------
    InputError
        For a strategy that is unknown, does not fit the game, fails or never ends.
    """
    game = check_game(game)
    scoring, jobs, progress = scoring_of(scoring), check_jobs(jobs), check_progress(progress)
    began = time.perf_counter()
    if strategies is None:
        chosen = default_strategies(game, scoring)
    elif isinstance(strategies, str) or not iterates(strategies):
        raise InputError(f"strategies must be a list, such as ['entropy'], not {shown(strategies)}")
    else:
        chosen = tuple(strategy(one, game) if isinstance(one, str) else one for one in strategies)
    if tree is not None:
        tree = tree_of(tree)
        chosen = (TreeStrategy(tree, "tree"), *chosen)
    for one in chosen:
        check_fit(one, game)
        if scoring is Scoring.NAIVE and isinstance(one, TreeStrategy):
            raise InputError(f"strategy {one.name!r} is a tree for the true rule of feedback, not for the naive one")
    played = tuple(_play(game, one, scoring, jobs, progress) for one in chosen)
    return Comparison(
        game=game.name,
        rules=game.rules.value,
        scoring=scoring,
        answers=len(game.answers),
        limit=game.max_guesses,
        strategies=played,
        # The bound is of the game's own feedback.
        bound=proven_bound(game, tree) if scoring is Scoring.TRUE else None,
        seconds=time.perf_counter() - began,
    )
