"""What is shown of work under way: on a terminal and in a log, by a clock that the tests set."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest
from cli_util import environment
from games_util import letters_game
from patience import SOON

from optimal.advice.analysis import analyse
from optimal.advice.debrief import debrief
from optimal.advice.subgame import solve_position
from optimal.cli.progress import Reporter
from optimal.search.progress import Progress
from optimal.search.solve import solve


class Watched:
    """A Reporter whose clock is set by hand."""

    def __init__(self, *, verbose: bool = False) -> None:
        self.clock = cast(Any, SimpleNamespace(seconds=0.0))
        self.reporter = Reporter(plain=True, verbose=verbose)
        self.reporter.clock = self.clock

    def tell(self, seconds: float, phase: str, *steps: int, beats: Sequence[float], **known: int) -> None:
        """Report steps done and in all, the ``best`` tree and the ``bound``; then let it look at the clock."""
        done, total = (*steps, 0, 0)[:2]
        self.clock.seconds = seconds
        news = Progress(phase, done, total, known.get("best"), "salet", 0, seconds, known.get("bound"))
        self.reporter(replace(news, timed=phase == "openers"))
        for self.clock.seconds in beats:
            self.reporter.beat()


def test_lines_of_a_log(capsys: pytest.CaptureFixture[str]) -> None:
    watched = Watched(verbose=True)
    watched.tell(0.1, "tables", beats=(0.4, 0.5, 0.6))
    watched.tell(1, "openers", 0, 1000, best=7930, beats=(1.1, 2.6))  # the first too soon after the line before
    watched.tell(12.5, "openers", 200, 1000, best=7930, beats=(12.7,))
    watched.tell(21, "openers", 400, 1000, best=7920, bound=7128, beats=(22.7, 25))
    watched.tell(26, "claims", 4056, beats=(26,))
    assert capsys.readouterr().err.splitlines() == [
        "0.5 s: preparing the game",
        "1.0 s: better tree: salet 7930",
        "2.6 s: refuting first guesses: 0 of 1000; best: salet 7930",
        "13 s: refuting first guesses: 200 of 1000; best: salet 7930",
        "21.0 s: better tree: salet 7920",
        "23 s: refuting first guesses: 400 of 1000; best: salet 7920, none below 7128 (10.0 %)",
        "26 s: going through the claims: 4056 so far",
    ]


def test_no_lines_with_json(capsys: pytest.CaptureFixture[str]) -> None:
    with Reporter(plain=False, verbose=False) as reporter:
        reporter.step("openers", 10, 1000)
        time.sleep(0.8)
    assert capsys.readouterr().err == ""


def test_a_bar_on_a_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm")
    watched = Watched(verbose=True)
    watched.tell(0.1, "tables", beats=(0.4,))
    assert capsys.readouterr().err == ""
    watched.tell(1, "openers", 0, 12972, best=52896, bound=49014, beats=(1,))
    watched.tell(5, "worst cases", 37, 0, beats=(5,))
    bar = watched.reporter._bar
    assert bar is not None
    assert (bar.tasks[0].completed, bar.tasks[0].total) == (37, None)  # not of 12972
    watched.tell(11, "openers", 1000, 12972, best=52895, bound=49014, beats=(11,))
    watched.reporter.__exit__(None, None, None)
    err = capsys.readouterr().err
    assert "refuting first guesses" in err
    assert "better tree: salet 52895" in err
    below = r" 1000/12972 +0:00:0\d elapsed *\nbest: salet 52895, none below 49014 \(7.3 %\)\n"
    assert re.search(below, re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", err))
    column = cast("Any", bar.columns[-1])
    left = [column.render(SimpleNamespace(total=9, time_remaining=some, finished=False)) for some in (65, None)]
    assert [text.plain for text in left] == ["0:01:05 left", ""]


def test_phases_say_what_is_searched() -> None:
    news: list[Progress] = []

    def phases() -> tuple[list[str], set[str]]:
        """The phases since the last call, and which of them are timed."""
        found = [*dict.fromkeys(item.phase for item in news)], {item.phase for item in news if item.timed}
        news.clear()
        return found

    game = letters_game("phases", 120, 2)
    first, answer = game.guesses[7], game.answers[20]
    turns = [(game.guesses[guess], int(game.matrix[guess, 20])) for guess in (7, 50)]
    solve(game, progress=news.append)
    found, timed = phases()
    assert (found[:2], timed) == (["tables", "greedy play"], {"openers"})
    assert {"openers", "tree"} <= set(found)
    solve_position(game, turns[:1], progress=news.append)
    assert {"second guesses", "openers"}.intersection(phases()[0]) == {"second guesses"}
    analyse(game, turns, progress=news.append)
    assert phases() == (["tables", "first trees", "third guesses", "worst cases"], {"third guesses"})
    debrief(game, answer, [first, answer], progress=news.append)
    assert {"guess 1, openers", "guess 2, second guesses"} <= set(phases()[0])


LONG = [
    ["solve", "classic-all", "--time-limit", "4"],
    ["rank", "classic", "--time-limit", "3"],
    ["suggest", "classic", "qajaq=bbbbb", "--time-limit", "3"],
    ["compare", "classic", "--strategies", "entropy", "most-classes"],
]


@pytest.mark.parametrize("words", LONG, ids=[words[0] for words in LONG])
def test_a_log_from_the_first_half_second(words: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "optimal", *words], env=environment(), capture_output=True, text=True, check=False
    )
    lines = done.stderr.splitlines()
    assert 0.5 <= float(lines[0].split()[0]) < SOON
    assert all(re.match(r"[0-9.]+ s: [a-z]|optimal solve: ", line) for line in lines)
    assert len(lines) < 10
