"""`compare`: strategies side by side, with the least total that is proven."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pickle import PicklingError
from typing import Any

from optimal.baselines.arena import Played, Progress, play
from optimal.baselines.registry import TreeStrategy, default_strategies, proven_bound, strategy
from optimal.baselines.strategy import Strategy, check_fit
from optimal.baselines.view import Scoring, scoring_of
from optimal.checks import check_jobs, check_progress, iterates
from optimal.errors import InputError
from optimal.games.game import Game, check_game
from optimal.games.presets import titled
from optimal.show.csv import csv_of
from optimal.show.table import Grid, Tabled
from optimal.show.text import columns, paragraph
from optimal.show.words import counted, shown, within
from optimal.trees.file import tree_of
from optimal.trees.tree import StrategyTree
from optimal.workers import in_processes


@dataclass(frozen=True, repr=False)
class Comparison(Tabled):
    """Strategies side by side. `bound` is a proven least total that none can beat, if one is known.

    It prints as `optimal compare` does, without the histograms, and shows as a table in a notebook.
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
        return csv_of(
            [
                {
                    "strategy": played.name,
                    "total": played.total,
                    "above": self.above(played),
                    "mean": float(played.mean),
                    "worst": played.worst,
                    "failed": played.failed,
                    **{f"in_{depth}": played.distribution.get(depth, 0) for depth in self._depths},
                    **{f"share_{name}": share for name, share in played.shares.items()},
                    **{f"candidates_left_{turn}": left.mean for turn, left in enumerate(played.candidates_left, 1)},
                    **{f"answers_left_{turn}": left.mean for turn, left in enumerate(played.answers_left, 1)},
                    "seconds": played.seconds,
                }
                for played in self.strategies
            ]
        )

    @property
    def table(self) -> Grid:
        """Totals, and games by guesses."""
        depths = [depth for depth in self._depths if self.limit is None or depth <= self.limit]
        rows = [
            (
                *(played.name, played.total, float(played.mean)),
                *(played.distribution.get(depth, "") for depth in depths),
                *(played.failed, played.worst),
            )
            for played in self.strategies
        ]
        asked = f"{titled(self.game)}, {self.rules} rules, {self.scoring} feedback"
        which = "no strategy" if self.limit is None else "no strategy without a failure"
        notes = []
        if self.bound is not None:
            notes = [f"Proven: {which} has a total below {self.bound}, mean {self.bound / self.answers:.4f}."]
        return Grid(
            f"{asked}, {within(self.limit)}, {self.answers} answers",
            ("strategy", "total", "mean", *map(str, depths), "failed", "worst"),
            rows,
            notes,
        )

    def text(self) -> str:
        """Tables for people: games with the proven bound below, shares, and candidates left."""
        games = self.table
        parts = [paragraph(games.caption), columns(games.headings, games.rows), *map(paragraph, games.notes)]
        about, above = "Shares of answers by guesses, in per cent", []
        if self.bound is not None:
            about, above = f"{about}; above: total less the proven bound", ["above"]
        shares = [
            (played.name, *(f"{100 * share:.2f}" for share in played.shares.values()), self.above(played))
            for played in self.strategies
        ]
        headings = ("strategy", "2 or fewer", *"3456", "failed", *above)
        parts.append(f"{paragraph(f'{about}.')}\n{columns(headings, [row[: len(headings)] for row in shares])}")
        about = "candidates that the strategy itself sees, and answers among them."
        left = [
            (
                played.name,
                *(f"{left.mean:.1f}" for left in (*played.candidates_left, *played.answers_left)),
                f"{played.seconds:.1f} s",
            )
            for played in self.strategies
        ]
        table = columns(("strategy", "seen_1", "seen_2", "answers_1", "answers_2", "time"), left)
        parts.append(f"{paragraph(f'Left after guesses 1 and 2 on average: {about}')}\n{table}")
        return "\n".join(parts)

    def __str__(self) -> str:
        return self.text().rstrip("\n")

    def __repr__(self) -> str:
        return f"<Comparison of {counted(len(self.strategies), 'strategy', 'strategies')}: {self.table.caption}>"

    @property
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
    game : a Game, or the name of a preset
    strategies : objects, or texts such as "entropy" (docs/reference/baselines.md); if None, those that fit the game
    scoring : the rule of feedback: "true", or "naive" as some earlier strategies were measured
    jobs : strategies played at once, each by a process of its own
    tree : a tree, its file, or the name of a shipped one, that takes part and gives the bound
    progress : called as ``progress(name, done, answers)``

    Returns
    -------
    Comparison : it prints as `optimal compare` does; its bound is that of ``tree``, or of the shipped tree of the game

    Raises
    ------
    InputError : for a strategy that is unknown, does not fit the game, fails or never ends
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
    if jobs == 1:
        found = [play(game, one, scoring=scoring, progress=progress) for one in chosen]
    else:
        found = []
        try:
            for played in in_processes(jobs, partial(play, game, scoring=scoring), chosen):
                found.append(played)
                if progress is not None:
                    progress(played.name, played.answers, played.answers)
        except PicklingError:
            raise InputError(
                "a strategy can't be sent to another process, as pickle can't write it: use one job"
            ) from None
    return Comparison(
        game=game.name,
        rules=game.rules.value,
        scoring=scoring,
        answers=len(game.answers),
        limit=game.max_guesses,
        strategies=tuple(found),
        # The bound is of the game's own feedback.
        bound=proven_bound(game, tree) if scoring is Scoring.TRUE else None,
        seconds=time.perf_counter() - began,
    )
