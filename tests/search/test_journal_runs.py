"""Runs with a journal: killed, stopped, out of room; and where they say that they stand."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from cli_util import run, run_json, started
from games_util import letters_game
from journals_util import openers_of
from patience import PATIENCE, SOON, wait_for

from optimal.errors import OptimalError
from optimal.games.game import Game
from optimal.journal.file import JournalFile
from optimal.journal.records import RunRecord, StatusRecord, record_of
from optimal.journal.status import status
from optimal.search.ranking import rank
from optimal.search.solve import solve

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals and limits are others there")


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "journal")


# Processes


WORDS = letters_game("faults", 600, 2)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "g.txt").write_text("\n".join(WORDS.guesses))
    (tmp_path / "a.txt").write_text("\n".join(WORDS.answers))
    return tmp_path


SOLVE = ("solve", "--guesses", "g.txt", "--answers", "a.txt", "--jobs", "2", "--journal", "j")


@posix
@pytest.mark.slow
def test_killed_ten_times_and_resumed(folder: Path) -> None:
    rng = random.Random("kill")
    run(folder, *SOLVE[:-2], "--output", "whole.msgpack")
    killed = 0
    for _ in range(10):
        process = started(folder, *SOLVE)
        try:
            process.communicate(timeout=rng.uniform(0.1, 1.2))
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            killed += 1
        if (folder / "j").exists() and (folder / "j").stat().st_size:
            status(folder / "j")  # it can be read at any moment
    assert killed
    found = run_json(folder, *SOLVE, "--output", "resumed.msgpack")
    assert found["status"] == "OPTIMAL"
    assert (folder / "resumed.msgpack").read_bytes() == (folder / "whole.msgpack").read_bytes()


@posix
@pytest.mark.slow
@pytest.mark.parametrize(
    "number", [signal.SIGTERM, pytest.param(getattr(signal, "SIGHUP", signal.SIGINT), marks=pytest.mark.long)]
)
def test_signals_stop_a_run_within_a_second(folder: Path, number: int) -> None:
    command = ("rank", "nyt2023", "--openers", "tarse,qajaq", "--journal", "j", "--json")
    # Where the tests run detached, SIGHUP is ignored, and that is inherited.
    process = started(folder, *command, preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
    wait_for(lambda: _kept(folder / "j", "tarse"))
    process.send_signal(number)
    began = time.monotonic()
    out, err = process.communicate(timeout=PATIENCE)
    assert time.monotonic() - began < SOON
    assert (process.returncode, "Traceback" in err) == (130, False), err
    found = json.loads(out)
    assert (found["status"], found["stop_reason"]) == ("FEASIBLE", "interrupted")
    assert [(row["guess"], row["total"]) for row in found["openers"]] == [("tarse", 11219), ("qajaq", None)]
    shown = status(folder / "j")
    assert (shown.running, shown.status, shown.stop_reason) == (False, "FEASIBLE", "interrupted")


def _kept(file: Path, opener: str) -> bool:
    try:
        return any(one.opener == opener and one.exact for one in openers_of(file))
    except OptimalError:
        return False


@posix
def test_a_full_disk_ends_the_run_with_one_message(folder: Path) -> None:
    resource = pytest.importorskip("resource")

    def little_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (9_000, 9_000))

    process = started(folder, *SOLVE, "--json", preexec_fn=little_room)
    out, err = process.communicate(timeout=PATIENCE)
    assert "Traceback" not in err, err
    found = json.loads(out)
    assert "cannot write the journal j" in found["stop_reason"]
    assert err.count("optimal solve: cannot write the journal j") == 1
    standing = status(folder / "j")  # how it ended finds room where not all did
    assert (standing.status, standing.stop_reason) == (found["status"], found["stop_reason"])
    # With room again it goes on from what could be written.
    again = run_json(folder, *SOLVE)
    assert (again["status"], again["total"]) == ("OPTIMAL", solve(WORDS).total)


# Its standing


def test_a_stopped_run_says_how_it_goes_on(folder: Path) -> None:
    told = "s.journal has what is proven: the same command goes on from there"
    for command in ("solve", "rank"):
        stopped = run(folder, command, "classic", "--journal", "s.journal", "--time-limit", "0.6")
        assert told in stopped.err.splitlines()
        assert told not in run(folder, command, "classic", "--time-limit", "0.6").err
    assert told not in run(folder, *SOLVE, "--journal", "s2.journal").err


def test_status_of_a_run(folder: Path) -> None:
    found = run_json(folder, *SOLVE)
    shown = run_json(folder, "status", "j")
    assert (shown["status"], shown["total"], shown["bound"]) == ("OPTIMAL", found["total"], found["total"])
    assert (shown["done"], shown["left"], shown["running"]) == (len(WORDS.guesses), 0, False)
    assert shown["seconds"] > 0
    assert len(shown["slowest"]) == 5
    text = run(folder, "status", "j")
    assert text.status == 0
    assert "OPTIMAL, done" in text.out
    assert max(map(len, text.out.splitlines())) <= 80
    assert run_json(folder, "status", "j", "--copy", "k")["copied"] == "k"
    assert run_json(folder, *SOLVE[:-1], "k")["nodes"] < found["nodes"]
    assert "journal copied to l" in run(folder, "status", "j", "--copy", "l").out
    assert "name the same file" in run(folder, "status", "j", "--copy", "j").err
    missing = run(folder, "status", "nowhere")
    assert (missing.status, missing.out, missing.err.count("\n")) == (2, "", 1)


def test_status_is_of_the_openers_last_asked_for(path: str) -> None:
    game = letters_game("journal", 60, 1)
    totals = {guess: solve(game, first=[guess]).total or 0 for guess in game.guesses[:9]}
    best, worst = min(totals, key=totals.__getitem__), max(totals, key=totals.__getitem__)
    assert totals[best] < totals[worst]
    for guess in (best, worst, best):
        solve(game, first=[guess], journal=path)
        shown = status(path)
        assert (shown.incumbent, shown.bound, shown.done, shown.openers) == (totals[guess], totals[guess], 1, 1)
        assert "gap 0 (0.00 %)" in str(shown)
    assert shown.exact == 2
    assert "costs of 2 openers" in str(shown)


@posix
def test_status_while_it_runs_and_after_a_kill(folder: Path) -> None:
    process = started(folder, "rank", "nyt2023", "--openers", "tarse,qajaq", "--journal", "j")
    wait_for(lambda: _kept(folder / "j", "tarse"))
    shown = status(folder / "j")
    process.kill()
    process.communicate()
    assert (shown.running, shown.status, shown.asked) == (True, "running", "rank qajaq tarse")
    shown = status(folder / "j")
    assert (shown.running, shown.status, shown.exact, shown.left) == (False, "interrupted", 1, 1)


def test_a_log_tells_what_took_long(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_json(folder, *SOLVE[:-2], "--log", "log")
    lines = [json.loads(line) for line in (folder / "log").read_text().splitlines()]
    assert [line["seconds"] for line in lines] == sorted(line["seconds"] for line in lines)
    assert {"tables", "openers", "tree"} <= {line["phase"] for line in lines if line["event"] == "phase"}
    assert (lines[-1]["event"], lines[-1]["status"]) == ("end", "OPTIMAL")
    monkeypatch.setattr("optimal.search.run.LOGGED", 0.0)
    events: list[dict[str, Any]] = []
    rank(Game.preset("classic"), first=["salet", "crane"], log=events.append)
    [slow] = [event for event in events if event["event"] == "opener" and event["opener"] == "crane"]
    assert slow["exact"]
    assert slow["took"] > 0
    assert slow["nodes"] > 0
    assert "cannot write no/such/log" in run(folder, *SOLVE, "--log", "no/such/log").err


def test_a_run_that_was_killed_early_does_not_hide_what_is_known(path: str) -> None:
    game = letters_game("journal", 60, 1)
    first = solve(game, journal=path)
    with closing(JournalFile(path)) as file:
        killed = RunRecord(2, "optimal", "now", "solve all openers", 1, first.openers, 0.5, 0, "running", "running")
        file.append([record_of(killed), record_of(StatusRecord(2, 0.5, 6, None, None, 0))])
    shown = status(path)
    assert (shown.status, shown.incumbent, shown.bound) == ("interrupted", first.total, first.total)
    solve(game, first=game.guesses[:1], journal=path)
    with closing(JournalFile(path)) as file:  # of other openers nothing is known
        other = RunRecord(4, "optimal", "now", f"solve {game.guesses[1]}", 1, 1, 0.5, 0, "running", "running")
        file.append([record_of(other), record_of(StatusRecord(4, 0.5, 6, None, None, 0))])
    assert (status(path).incumbent, status(path).bound) == (None, None)
