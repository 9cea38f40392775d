"""Runs on a cluster: the same bytes, whatever happens to workers and scheduler. All on the loopback interface."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cli_util import environment, run, started
from games_util import letters_game
from patience import PATIENCE, wait_for

from optimal import _search
from optimal._search import Control
from optimal.errors import InputError, OptimalError
from optimal.games.game import Game
from optimal.journal.status import status
from optimal.search.engine import new_control
from optimal.search.processes import Office, Task
from optimal.search.question import Question
from optimal.search.result import Result, Status
from optimal.search.solve import solve
from optimal.trees.file import to_bytes

distributed = pytest.importorskip("distributed")
from distributed.comm.core import CommClosedError  # noqa: E402  isort: skip
from optimal.search import cluster, processes  # noqa: E402  isort: skip

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="signals are others there"),
    pytest.mark.filterwarnings("ignore"),  # those of a cluster that is torn down
]

GAME = letters_game("cluster", 500, 2)
#: Openers that take seconds, one after the other.
SLOW = "mamma,yukky"


def told(found: Result) -> tuple[object, ...]:
    tree = None if found.tree is None else to_bytes(found.tree)
    return found.status, found.value, found.bound, found.openers_refuted, tree


class Cluster:
    """A scheduler and its workers, each a process."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.processes = folder, list[subprocess.Popen[str]]()
        self.scheduler = self.start("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        self.address = self.said(self.scheduler, r"Scheduler at:\s+(tcp://\S+)")
        self.workers: list[subprocess.Popen[str]] = []

    def start(self, module: str, *words: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", f"distributed.cli.{module}", *words]
        process = subprocess.Popen(
            command, cwd=self.folder, env=environment(), stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
        )
        self.processes.append(process)
        return process

    def add_worker(self, **more: str) -> subprocess.Popen[str]:
        words = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1", "--death-timeout", "300")
        worker = self.start("dask_worker", self.address, *words)
        self.said(worker, r"(Registered to)")
        self.workers.append(worker)
        return worker

    @staticmethod
    def said(process: subprocess.Popen[str], pattern: str) -> str:
        """What a process says of itself; later words are read, and dropped, by a thread."""
        assert process.stderr is not None
        for line in process.stderr:
            if found := re.search(pattern, line):
                threading.Thread(target=process.stderr.read, daemon=True).start()
                return found[1]
        raise AssertionError(f"{process.args!r} ended")

    def end(self) -> None:
        for process in reversed(self.processes):
            process.kill()
            process.wait()


@pytest.fixture
def on_cluster(tmp_path: Path) -> Iterator[Cluster]:
    found = Cluster(tmp_path)
    try:
        found.add_worker()
        found.add_worker()
        yield found
    finally:
        found.end()


@contextmanager
def running(folder: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    process = started(folder, *words, start_new_session=True)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def begun(journal: Path) -> bool:
    """Whether the run is past what it does by itself, and nearly with its cluster."""
    try:
        standing = status(journal)
        return standing.openers > 0 and standing.bound is not None
    except OptimalError:
        return False


@pytest.mark.slow
def test_tasks_that_run_out_of_time_are_taken_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """An office in this process: what it leaves of openers serves another one."""
    game = Game.preset("classic")
    question = Question(game, 6, openers=["audio"])
    guess = game.guess_index("audio")
    monkeypatch.setattr(processes, "_LOOKS", 100)
    notes: tuple[Any, ...] = ()

    def control_of(limit: int) -> Control:
        control = new_control()
        control.incumbent = _search.INFEASIBLE
        return control

    for number in range(100):
        office = Office(question, control_of)
        done = office.do(Task(6, ((guess, notes),), _search.INFEASIBLE, 0.1 * 2.0**number))
        assert len(done.settled) + len(done.left) == 1
        if done.settled:
            break
        [(_, low, notes, nodes, seconds)] = done.left
        assert 0 < low < _search.INFEASIBLE
        assert (nodes > 0, seconds > 0) == (True, True)
    else:
        raise AssertionError("no end")
    assert number > 1
    assert done.settled[0][1:3] == (solve(game, openers=["audio"]).total, True)


@pytest.mark.slow
def test_a_cluster_of_our_own(tmp_path: Path) -> None:
    rules, objective = "hard", "worst"
    game = letters_game(f"cluster {rules}", 200, 2, rules)
    whole = solve(game, objective=objective)
    found = solve(game, objective=objective, backend="dask", jobs=2, journal=tmp_path / "j")
    assert told(found) == told(whole)
    # The journal goes from one backend to another.
    assert told(solve(game, objective=objective, journal=tmp_path / "j")) == told(whole)


@pytest.mark.slow
@pytest.mark.long
def test_a_worker_killed_costs_its_tasks_alone(on_cluster: Cluster, tmp_path: Path) -> None:
    words = ("solve", "--openers", SLOW, "--backend", "dask", "--scheduler", on_cluster.address, "--journal", "j")
    with running(tmp_path, *words, "--json", "--output", "c.msgpack") as process:
        wait_for(lambda: begun(tmp_path / "j"))
        time.sleep(1)
        on_cluster.workers[0].kill()
        on_cluster.add_worker()
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, err
    assert json.loads(out)["status"] == "OPTIMAL"
    whole = solve(Game.preset("classic"), openers=SLOW.split(","), jobs=2)
    assert whole.tree is not None
    assert (tmp_path / "c.msgpack").read_bytes() == to_bytes(whole.tree)


@pytest.mark.slow
def test_a_scheduler_lost_ends_the_run_cleanly(on_cluster: Cluster, tmp_path: Path) -> None:
    words = ("solve", "--openers", SLOW, "--backend", "dask", "--scheduler", on_cluster.address, "--journal", "j")
    with running(tmp_path, *words) as process:
        wait_for(lambda: begun(tmp_path / "j"))
        time.sleep(1)
        on_cluster.scheduler.kill()
        _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2, err
    assert "Traceback" not in err
    # Where the machine is so busy that the run was not yet with its cluster, the second is said.
    lost = "the connection to the scheduler is lost; what was proven before is kept"
    assert re.search(rf"optimal solve: ({lost}|no scheduler answers at)", err), err
    found = solve(Game.preset("classic"), openers=SLOW.split(","), jobs=2, journal=tmp_path / "j")
    assert found.status is Status.OPTIMAL


@pytest.mark.slow
def test_a_scheduler_lost_while_workers_are_set_up(on_cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(*_: Any) -> None:
        on_cluster.scheduler.kill()
        on_cluster.scheduler.wait()
        raise CommClosedError("ConnectionPool closing.")

    monkeypatch.setattr(distributed.Client, "register_plugin", lost)
    with pytest.raises(OptimalError, match="the connection to the scheduler is lost"):
        solve(GAME, backend="dask", scheduler=on_cluster.address)


@pytest.mark.slow
@pytest.mark.long
def test_a_signal_ends_the_run_and_not_the_cluster(on_cluster: Cluster, tmp_path: Path) -> None:
    words = ("solve", "--openers", SLOW, "--backend", "dask", "--scheduler", on_cluster.address, "--journal", "j")
    with running(tmp_path, *words, "--json") as process:
        wait_for(lambda: begun(tmp_path / "j"))
        time.sleep(1)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, "Traceback" in err) == (130, False), err
    assert json.loads(out)["stop_reason"] == "interrupted"
    assert all(worker.poll() is None for worker in on_cluster.workers)
    found = solve(GAME, backend="dask", scheduler=on_cluster.address)
    assert told(found) == told(solve(GAME))


def test_nothing_is_printed_beside_the_result(tmp_path: Path) -> None:
    with running(tmp_path, "solve", "mastermind:3x4", "--backend", "dask", "--jobs", "2", "--json") as process:
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (0, "")
    assert json.loads(out)["total"] == 206


def test_what_travels_is_opened_only_by_the_same_program() -> None:
    parcel = cluster.Parcel.of(Question(GAME, 6))
    assert "matrix" not in parcel.game
    question = parcel.open(3)
    assert (question.jobs, question.backend) == (3, "threads")
    assert (question.game.matrix == GAME.matrix).all()
    with pytest.raises(OptimalError, match=r"optimal \S+ is installed there, and 9.9 here"):
        replace(parcel, version="9.9").open(1)
    words = (*GAME.guesses[:-1], "zzzz")
    with pytest.raises(OptimalError, match="the game's lists arrived there as others"):
        replace(parcel, game={**parcel.game, "guesses": words}).open(1)
    with pytest.raises(OptimalError, match="could not be set up for this run"):
        cluster._do("nobody", Task(6, (), 1, 1.0))


def test_bad_addresses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "CONNECT", 1.0)
    for words, message in (
        (("--scheduler", "tcp://127.0.0.1:1"), "a scheduler is for the backend dask alone, not for threads"),
        (("--backend", "dask", "--scheduler", "nowhere"), "no scheduler answers at nowhere"),
        (("--backend", "dask", "--scheduler", "tcp://127.0.0.1:1"), "no scheduler answers at tcp://127.0.0.1:1"),
    ):
        found = run(tmp_path, "solve", "--openers", "salet,crane,slate", *words)
        assert found.status == 2
        assert message in found.err
        assert found.err.count("\n") == 1
    with pytest.raises(InputError, match="the scheduler must be an address"):
        solve(GAME, backend="dask", scheduler="")
