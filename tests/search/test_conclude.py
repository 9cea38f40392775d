"""What a result may say: OPTIMAL only of a canonical tree whose replay costs what is proven."""

from __future__ import annotations

import math
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from games_util import StopAt, interrupt_at, letters_game, told

from optimal._engine import Search
from optimal.advice.analysis import analyse
from optimal.errors import InternalError
from optimal.games.game import Game
from optimal.games.rules import Rules
from optimal.games.weights import Weights
from optimal.search import engine
from optimal.search import solve as solving
from optimal.search.game_tree import replay
from optimal.search.progress import Progress
from optimal.search.ranking import rank
from optimal.search.result import Result, Status
from optimal.search.solve import solve
from optimal.trees.verify import verify_tree


def encloses(result: Result, exact: Result) -> None:
    """The bound of a stopped run and the value of its tree are on either side of the exact value."""
    assert result.status in (Status.FEASIBLE, Status.OPTIMAL, Status.UNKNOWN)
    assert (result.tree is None) is (result.status is Status.UNKNOWN)
    assert exact.value is not None
    assert result.bound is None or result.bound <= exact.value
    assert result.value is None or exact.value <= result.value


def words_game(rules: str = "normal", **options: Any) -> Game:
    return letters_game(f"conclude {rules}", 200, 3, rules, **options)


PHASES = ("tables", "greedy play", "first trees", "bounds", "openers", "tree")


def test_stopped_while_a_large_game_is_prepared(monkeypatch: pytest.MonkeyPatch) -> None:
    game = words_game()
    assert solve(game, progress=interrupt_at("tables")).tree is not None  # a small one is there at once
    monkeypatch.setattr(engine, "_SOON", 0)
    result = solve(game, progress=interrupt_at("tables"))
    ranking = rank(game, progress=interrupt_at("tables"))
    advice = analyse(game, progress=interrupt_at("tables"))
    assert (result.tree, result.bound, result.nodes, len(ranking), len(advice)) == (None, None, 0, 0, 0)
    for status, reason in ((one.status, one.stop_reason) for one in (result, ranking, advice)):
        assert (status, reason) == (Status.UNKNOWN, "interrupted")


@pytest.mark.parametrize("rules", list(Rules))
@pytest.mark.parametrize("objective", ["mean", "worst", "within:2"])
@pytest.mark.parametrize("max_guesses", [None, 6])
def test_stopped_in_every_phase(rules: Rules, objective: str, max_guesses: int | None, tmp_path: Path) -> None:
    """A bound that holds, a legal tree once greedy play is over, and a journal from which the same tree is found."""
    game = letters_game(f"beams {rules} 0", 260, 2, str(rules), max_guesses=max_guesses)
    whole = solve(game, objective=objective)
    for phase in PHASES:
        journal = tmp_path / phase
        part = solve(game, objective=objective, progress=interrupt_at(phase), journal=journal)
        encloses(part, whole)
        if part.tree is None:
            assert phase in PHASES[:2]
        else:
            assert verify_tree(part.tree, guesses=game.guesses, answers=game.answers).ok
        if phase == "tree":  # the value is known, ties are not settled
            assert (part.status, part.value, part.bound) == (Status.FEASIBLE, whole.value, whole.value)
        assert told(solve(game, objective=objective, journal=journal)) == told(whole)


class Forgetful(Search):
    """A search whose tables hold the tree of the last guess worked at, and no other."""

    last = -1

    def likely_tree(self, guess: int, limit: int) -> Any:
        return super().likely_tree(guess, limit) if guess == Forgetful.last else None


def remembering(name: str) -> Callable[..., Any]:
    """The method of a search, which sets what the last guess is."""

    def call(self: Forgetful, guess: int, *rest: Any) -> Any:
        Forgetful.last = guess
        return getattr(Search, name)(self, guess, *rest)

    return call


for _name in ("opener", "opener_slice", "class_value", "beam_opener"):
    setattr(Forgetful, _name, remembering(_name))


@pytest.mark.parametrize("rules", list(Rules))
@pytest.mark.parametrize("objective", ["mean", "worst", "within:3"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_whenever_it_is_stopped_it_has_the_tree_that_it_told_of(
    rules: Rules, objective: str, jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("optimal.search.run.REPORT_EVERY", 0.0)
    monkeypatch.setattr("optimal.search.engine.Search", Forgetful)
    told = 0
    for limit in (None, 5):
        game = words_game(str(rules), max_guesses=limit)
        for openers in (None, game.guesses[:20], game.guesses[3:4]):
            for call in (2, 5, 13, 34):
                stop = StopAt(call)
                found = solve(game, objective=objective, first=openers, jobs=jobs, progress=stop)
                if stop.told < math.inf:
                    assert found.value is not None
                    assert found.value[-1] <= stop.told
                    told += found.status is Status.FEASIBLE
    assert told > 5


def test_trees_come_from_other_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The workers settle all openers, and the best tree is at hand when they are stopped."""
    monkeypatch.setattr("optimal.search.run.REPORT_EVERY", 0.0)
    monkeypatch.setattr("optimal.search.solve.find_incumbent", lambda *_: (False, None))
    monkeypatch.setattr("optimal.search.engine.Search", Forgetful)  # here, not there
    game = words_game(max_guesses=None)
    stop = StopAt(1)

    def progress(now: Progress) -> None:
        stop.left = int(now.incumbent is not None and now.done > 10)
        stop(now)

    found = solve(game, backend="loky", jobs=2, progress=progress)
    assert found.stop_reason == "interrupted"
    assert found.status is Status.FEASIBLE
    assert found.total == stop.told


@pytest.mark.slow
@pytest.mark.parametrize("phase", ["tables", "greedy play"])
def test_a_large_game_is_stopped_within_a_second_of_work(phase: str) -> None:
    stopped: list[float] = []

    def progress(now: Progress) -> None:
        if now.phase == phase and not stopped:
            stopped.append(time.process_time())
            signal.raise_signal(signal.SIGINT)

    found = solve(Game.preset("classic-all"), progress=progress)
    assert time.process_time() - stopped[0] < 1.5  # half as much again, where others use the machine
    assert found.status is Status.UNKNOWN


@pytest.mark.parametrize(("answers", "limit"), [(2003, 5), (2003, 2000), (2003, 2002)])
def test_a_limit_that_no_tree_keeps_to_takes_no_search(answers: int, limit: int) -> None:
    """Deeper than a search may go, without the limit."""
    found = solve(Game.from_matrix(1 - np.eye(answers, dtype=np.uint8), 0), limit=limit)
    assert found.status is Status.INFEASIBLE
    assert found.nodes == 0


def test_what_contradicts_the_proof_is_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    """The flaw that had been seen: the canonical pass built a tree of another value than the proven one."""
    game = Game.from_matrix(1 - np.eye(4, dtype=np.uint8), 0)
    good = solve(game)
    assert good.status is Status.OPTIMAL
    other: Any = (0, {1: (1, {1: (2, {1: (3, {})})})})
    assert sum(replay(game, other)) == good.total  # any order will do in this game
    costs = Weights("file", (9, 1, 1, 1))
    worse: Any = (3, {1: (1, {1: (2, {1: (0, {})})})})
    monkeypatch.setattr(solving, "canonical_tree", lambda run, ties: worse)
    with pytest.raises(InternalError, match=r"costs 42 .* where 18 is proven"):
        solve(game, weights=costs)


@pytest.mark.parametrize(
    "tree",
    [
        (0, {1: (1, {1: (2, {})})}),  # the last answer has no guess
        (0, {1: (1, {1: (2, {1: (3, {1: (0, {})})})})}),  # a guess without an answer
        (0, {2: (1, {1: (2, {1: (3, {})})})}),  # a feedback that can't be
    ],
)
def test_a_replay_finds_what_is_missing(tree: Any) -> None:
    game = Game.from_matrix(1 - np.eye(4, dtype=np.uint8), 0)
    with pytest.raises(InternalError, match="every feedback"):
        replay(game, tree)


def test_a_tree_at_hand_is_not_given_up_for_what_the_journal_has(tmp_path: Path) -> None:
    """Of a low tree, known before the journal is read, the progress tells at once; and no worse one takes its place."""
    game = letters_game("low", 90, 3)
    seen: list[list[tuple[str, int | None]]] = [[], []]
    for journal, news in zip((None, tmp_path / "j"), seen, strict=True):

        def progress(now: Progress, news: list[tuple[str, int | None]] = news) -> None:
            news.append((now.phase, now.incumbent))

        solve(game, objective="worst", journal=journal, progress=progress)
    assert seen[0] == seen[1]
    assert sum(phase == "greedy play" and cost is not None for phase, cost in seen[1]) == 1
