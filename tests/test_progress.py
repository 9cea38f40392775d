"""What is shown of work under way: on a terminal and in a log, by a clock that the tests set."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest
from cli_util import environment
from games_util import letters_game
from patience import SOON

from optimal.cli import Guarded
from optimal.cli.progress import PHASES, Pace, Reporter, TimeLeft, _told, in_words
from optimal.positions.analysis import analyse, solve_position
from optimal.positions.debrief import debrief
from optimal.search.progress import Clock, Progress
from optimal.search.solve import solve
from optimal.show.words import ordinal

ROOT = Path(__file__).resolve().parent.parent
RECORDED = json.loads((Path(__file__).parent / "paces.json").read_text(encoding="utf-8"))


class Hands(Clock):
    """A clock that stands until it is set."""

    now: float

    def __init__(self) -> None:
        self.set(0.0)

    def set(self, seconds: float) -> None:
        object.__setattr__(self, "now", seconds)

    @property
    def seconds(self) -> float:
        return self.now


class Watched:
    """A Reporter whose clock is set by hand."""

    def __init__(self, *, plain: bool = True, verbose: bool = False) -> None:
        self.clock = Hands()
        self.reporter = Reporter(plain=plain, verbose=verbose, clock=self.clock)

    def tell(
        self,
        seconds: float,
        phase: str,
        done: int = 0,
        total: int = 0,
        incumbent: int | None = None,
        bound: int | None = None,
    ) -> None:
        self.clock.set(seconds)
        opener = {7930: "salet", 7920: "salet", 52896: "lants"}.get(incumbent or 0)
        timed = phase == "openers"
        self.reporter(Progress(phase, done, total, incumbent, opener, 0, seconds, bound, timed))

    def beat(self, seconds: float) -> None:
        self.clock.set(seconds)
        self.reporter.beat()


def test_lines_of_a_log(capsys: pytest.CaptureFixture[str]) -> None:
    watched = Watched(verbose=True)
    watched.tell(0.1, "tables")
    watched.beat(0.4)
    watched.beat(0.5)
    watched.beat(0.6)
    watched.tell(1, "openers", 0, 1000, 7930)
    watched.beat(1.1)  # too soon after the line before
    watched.beat(2.6)
    watched.tell(3, "openers", 10, 1000, 7920)
    watched.beat(12)
    watched.tell(12.5, "openers", 200, 1000, 7920)
    watched.beat(12.7)
    watched.tell(21, "openers", 400, 1000, 7920, 7128)
    watched.beat(22.7)
    watched.beat(25)
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == [
        "0.5 s: preparing the game",
        "1.0 s: better tree: salet 7930",
        "2.6 s: refuting first guesses: 0 of 1000; best: salet 7930; time left unknown",
        "3.0 s: better tree: salet 7920",
        "13 s: refuting first guesses: 200 of 1000; best: salet 7920; time left unknown",
        "23 s: refuting first guesses: 400 of 1000; best: salet 7920, none below 7128 (10.0 %); time left unknown",
    ]


def test_steps_of_which_nobody_knows_how_many_they_will_be(capsys: pytest.CaptureFixture[str]) -> None:
    watched = Watched()
    watched.tell(1, "tables")
    watched.beat(1)
    watched.tell(4, "claims", 4056)
    watched.beat(4)
    assert capsys.readouterr().err.splitlines() == [
        "1.0 s: preparing the game",
        "4.0 s: going through the claims: 4056 so far",
    ]


def test_words_of_every_phase() -> None:
    """No word of the engine's: people wait for something that they know."""
    assert in_words("second guesses") == "refuting second guesses"
    assert in_words("openers", valued=True) == "working out first guesses"
    assert in_words("guess 2, third guesses", valued=True) == "guess 2, working out third guesses"
    assert in_words("playing entropy (1 of 3)") == "playing entropy (1 of 3)"
    source = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "optimal").rglob("*.py"))
    told = set(re.findall(r"\b(?:tell|step)\(\"([^\"]+)\", ", source))
    assert told - PHASES.keys() == {"looking for openings"}
    assert len(told) > 8
    for words in PHASES.values():
        assert not re.search("superset|table|incumbent|opener|greedy|section", words)


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
    watched.tell(0.1, "tables")
    watched.beat(0.4)
    assert capsys.readouterr().err == ""
    watched.tell(1, "openers", 0, 1000, 7930)
    watched.beat(1)
    watched.tell(11, "openers", 100, 1000, 7920)
    watched.beat(11)
    watched.reporter.__exit__(None, None, None)
    out, err = capsys.readouterr()
    assert out == ""
    assert "better tree: salet 7920" in err
    assert "refuting first guesses" in err
    assert "100 of 1000; best: salet 7920; time left unknown" in err
    assert "elapsed" in err


def test_what_does_not_fit_beside_the_bar_stands_below(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm")
    watched = Watched(verbose=False)
    watched.tell(1, "openers", 0, 12972, 52896, 49014)
    watched.beat(1)
    watched.tell(11, "openers", 1000, 12972, 52896, 49014)
    watched.beat(11)
    watched.reporter.__exit__(None, None, None)
    err = " ".join(capsys.readouterr().err.split())
    assert "1000 of 12972; best: lants 52896, none below 49014 (7.3 %); time left unknown" in err
    assert " elapsed" in err
    assert "…" not in err


def test_nobody_reads_it(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    monkeypatch.setattr(sys, "stderr", Guarded(Broken()))
    with Reporter(plain=True, verbose=True) as reporter:
        reporter(Progress("openers", 10, 1000, 7920, "salet", 0, 0.0))
        time.sleep(0.8)
        assert reporter._thread.is_alive()


# The time left


def follow(seen: list[list[float]], total: int, every: float) -> list[tuple[float, float | None]]:
    """(seconds, time left) as shown, at such intervals, of steps recorded as [seconds, done]; None: unknown."""
    began, done = seen[0]
    pace, shown, left = Pace(began, int(done)), TimeLeft(), []
    at = 0
    for tick in range(int((seen[-1][0] - began) / every)):
        seconds = began + tick * every
        while at < len(seen) and seen[at][0] <= seconds:
            done = seen[at][1]
            at += 1
        pace.note(seconds, int(done))
        estimate = pace.left(total)
        if estimate is not None and pace.settled(total) and done < total:
            left.append((seconds, shown.follow(seconds, estimate)))
    return left


@pytest.mark.parametrize("name", list(RECORDED))
@pytest.mark.parametrize("every", [0.1, 1.0])
def test_the_time_left_never_runs_up(name: str, every: float) -> None:
    run = RECORDED[name]
    shown = follow(run["seen"], run["total"], every)
    assert len(shown) > 10
    for (at, before), (now, left) in pairwise(shown):
        if before is not None and left is not None:
            assert left <= before - (now - at) + 1e-6 or left == 0


def test_the_time_left_of_a_proof() -> None:
    """Unknown while estimates go from 80 seconds to 330 and back; then right but for a few seconds."""
    run = RECORDED["classic, hard rules"]
    end = run["seen"][-1][0]
    told = [(seconds, left) for seconds, left in follow(run["seen"], run["total"], 0.1) if left is not None]
    assert len(told) > 40
    assert all(abs(end - seconds - left) < 8 for seconds, left in told)
    # Of those that came by fits and starts to the last nothing is known.
    for name in ("classic", "rank classic"):
        assert all(left is None for _, left in follow(RECORDED[name]["seen"], RECORDED[name]["total"], 0.1)), name


def test_the_time_left_is_told_once_estimates_agree() -> None:
    shown = TimeLeft()
    told = [shown.follow(tick / 10, 60 - tick / 10) for tick in range(600)]
    first = next(at for at, left in enumerate(told) if left is not None)
    assert first == pytest.approx(10 * 60 * 0.15 / 1.15, abs=10)
    assert all(left == pytest.approx(60 - tick / 10) for tick, left in enumerate(told) if left is not None)
    assert None not in told[first:]


@pytest.mark.parametrize("wrong", [0.001, 0.1, 10.0, 1000.0])
def test_the_time_left_comes_round(wrong: float) -> None:
    """What turned out wrong is taken back or made less, and later estimates are told."""
    shown, seconds, left = TimeLeft(), 0.0, None
    for tick in range(4000):
        seconds = tick / 10
        left = shown.follow(seconds, 1000 * wrong if tick < 300 else 1000 - seconds)
    assert left == pytest.approx(1000 - seconds)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (None, "time left unknown"),
        (0, "a few seconds left"),
        (10, "a few seconds left"),
        (10.1, "about 20 s left"),
        (60, "about 60 s left"),
        (61, "about 2 min left"),
        (600, "about 10 min left"),
        (601, "about 15 min left"),
        (7200, "about 120 min left"),
        (7201, "about 3 h left"),
        (200000, "about 56 h left"),
    ],
)
def test_the_time_left_in_words(seconds: float | None, words: str) -> None:
    assert _told(seconds) == words


@pytest.mark.parametrize("power", [1.0, 2.0, 3.5])
def test_time_left_where_steps_grow_as_a_power_of_time(power: float) -> None:
    pace, total, seconds = Pace(), 100_000, 300.0
    for tenth in range(1, 3000):
        elapsed = tenth / 10
        done = round(total * (elapsed / seconds) ** power)
        pace.note(elapsed, done)
        left = pace.left(total)
        assert (left is None) == (done == 0)
        if elapsed > seconds / 3:
            assert left == pytest.approx(seconds - elapsed, rel=0.02, abs=0.5)


def test_time_left_before_anything_is_known() -> None:
    pace = Pace()
    assert (pace.rate, pace.left(10)) == (None, None)
    pace.note(5, 0)
    assert (pace.rate, pace.left(10)) == (None, None)
    pace.note(5, 2)
    assert pace.rate == pytest.approx(0.4)
    assert pace.left(10) == pytest.approx(20)
    pace.note(10, 2)
    assert pace.left(10) == pytest.approx(40)  # nothing done since: the rate of the whole time


def test_a_phase_has_its_own_pace() -> None:
    pace = Pace(100, 3)
    pace.note(105, 5)
    assert pace.rate == pytest.approx(0.4)
    assert pace.left(13) == pytest.approx(20)


def test_too_soon_to_tell() -> None:
    pace = Pace()
    pace.note(1, 500)
    assert not pace.settled(1000)
    pace.note(3, 500)
    assert pace.settled(1000)
    assert not pace.settled(100_000)
    few = Pace()
    few.note(3, 1)
    assert few.settled(5)


# Phases


def phases_of(news: list[Progress]) -> list[str]:
    return list(dict.fromkeys(item.phase for item in news))


def test_phases_say_what_is_searched() -> None:
    game = letters_game("phases", 120, 2)
    first, answer = game.guesses[7], game.answers[20]
    code = int(game.matrix[7, 20])
    second = (game.guesses[50], int(game.matrix[50, 20]))
    news: list[Progress] = []
    solve(game, progress=news.append)
    assert phases_of(news)[:2] == ["tables", "greedy play"]
    assert {"openers", "tree"} <= set(phases_of(news))
    assert {item.phase for item in news if item.timed} == {"openers"}
    news.clear()
    solve_position(game, [(first, code)], progress=news.append)
    assert "second guesses" in phases_of(news)
    assert "openers" not in phases_of(news)
    news.clear()
    analyse(game, [(first, code), second], progress=news.append)
    assert phases_of(news) == ["tables", "first trees", "third guesses", "worst cases"]
    assert {item.phase for item in news if item.timed} == {"third guesses"}
    news.clear()
    debrief(game, answer, [first, answer], progress=news.append)
    assert {"guess 1, openers", "guess 2, second guesses"} <= set(phases_of(news))
    news.clear()
    large = letters_game("phases", 900, 1)
    solve(large, openers=[large.guesses[3]], jobs=2, progress=news.append)
    assert phases_of(news)[:2] == ["tables", "greedy play"]


def test_ordinals() -> None:
    assert [ordinal(number) for number in (1, 2, 3, 10)] == ["first", "second", "third", "tenth"]
    assert [ordinal(number) for number in (11, 12, 13, 21, 22, 23, 111)] == [
        "11th", "12th", "13th", "21st", "22nd", "23rd", "111th",
    ]  # fmt: skip


# Whole commands

LONG = [
    ["solve", "classic-all", "--time-limit", "4"],
    ["rank", "classic", "--time-limit", "3"],
    ["suggest", "classic", "qajaq=bbbbb", "--time-limit", "3"],
    ["debrief", "classic", "qajaq", "round", "crony", "--time-limit", "3"],
    ["compare", "classic", "--strategies", "entropy", "most-classes"],
]


@pytest.mark.parametrize("words", LONG, ids=[words[0] for words in LONG])
def test_a_log_from_the_first_half_second(words: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "optimal", *words], env=environment(), capture_output=True, text=True, check=False
    )
    lines = done.stderr.splitlines()
    assert 0.5 <= float(lines[0].split()[0]) < SOON
    assert all(re.match(r"[0-9.]+ s: [a-z]", line) for line in lines)
    assert len(lines) < 10


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
def test_a_terminal_from_the_first_half_second() -> None:
    import pty

    above, below = pty.openpty()
    command = [sys.executable, "-m", "optimal", "suggest", "classic-all", "lants=bbbbb"]
    with subprocess.Popen(
        command, env=environment({"TERM": "xterm"}), stdout=subprocess.DEVNULL, stderr=below
    ) as child:
        os.close(below)
        told, stopped = b"", False
        while True:
            try:
                told += os.read(above, 65536)
            except OSError:  # the other end is closed
                break
            if not stopped and b"working out second guesses" in told and told.count(b"\r") > 10:
                child.send_signal(signal.SIGINT)  # once: at its end the command handles no other
                stopped = True
        assert child.wait() == 130
    os.close(above)
    text = told.decode()
    assert "looking for good first trees" in text
    assert "working out second guesses" in text
    assert text.count("\r") > 10  # drawn again and again
