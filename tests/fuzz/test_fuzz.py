"""A fixed share of the fuzzing, and that the fuzzer sees flaws."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from functools import partial

import fuzz
import pytest
from questions_util import Question

from optimal.games.game import Game
from optimal.search.result import Result

#: Cases of each kind, some ten seconds in all.
SHARE = {"textbook": 80, "advice": 24, "switches": 12, "stops": 8, "slices": 8, "files": 800, "tables": 40}
BATCHES = 4


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.parametrize("kind", fuzz.ROUND)
def test_a_share(kind: str, batch: int) -> None:
    most = SHARE[kind] // BATCHES
    indices = [index for index in range(100 * most) if fuzz.kind_of(index) == kind][:most]
    judged = sum(fuzz.run_case(f"tests {batch}", index) for index in indices)
    assert judged >= most - most // 5 - 1


@pytest.mark.slow
def test_it_runs_by_itself() -> None:
    words = [sys.executable, fuzz.__file__, "--kinds", "files", "--minutes", "0.02"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, "0 of them failed" in done.stdout) == (0, True), done.stdout + done.stderr


def test_a_flaw_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    sound = Question.asked

    def flawed(question: Question, game: Game, **more: object) -> Result:
        """A total too many."""
        result = sound(question, game, **more)
        return result if result.value is None else replace(result, value=(*result.value[:-1], result.value[-1] + 1))

    monkeypatch.setattr(Question, "asked", flawed)
    with pytest.raises(AssertionError, match="Game"):
        print(*map(partial(fuzz.run_case, "flaw"), range(12)))
