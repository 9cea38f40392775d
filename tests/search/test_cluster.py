"""Runs on a cluster: the same bytes, whatever happens to workers and scheduler. All on the loopback interface."""

from __future__ import annotations

import asyncio
import json
import os
import pickle
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cli_util import ROOT, environment, run, started
from games_util import letters_game, told
from patience import PATIENCE, wait_for

from optimal import __version__, _engine
from optimal.errors import InputError, OptimalError
from optimal.journal.status import status
from optimal.search.game_problem import Problem
from optimal.search.options import Options
from optimal.search.solve import solve
from optimal.search.solvers import GameSolver
from optimal.search.workers import Task

distributed = pytest.importorskip("distributed")
from optimal.search import dask  # noqa: E402  isort: skip

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="signals are others there"),
    pytest.mark.filterwarnings("ignore"),  # those of a cluster that is torn down
]

GAME = letters_game("cluster", 500, 2)
#: Openers that take seconds, one after the other.
SLOW = "mamma,yukky"


class Cluster:
    """A scheduler and its workers, each a process."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.processes = folder, list[subprocess.Popen[str]]()
        self.workers: list[subprocess.Popen[str]] = []
        self.add_scheduler("0")

    def add_scheduler(self, port: str) -> None:
        self.scheduler = self.start("dask_scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard")
        self.address = self.said(self.scheduler, r"Scheduler at:\s+(tcp://\S+)")

    def start(self, module: str, *words: str, path: Path = ROOT) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", f"distributed.cli.{module}", *words]
        env = environment({"PYTHONPATH": str(path)})
        process = subprocess.Popen(
            command, cwd=self.folder, env=env, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
        )
        self.processes.append(process)
        return process

    def add_worker(self, path: Path = ROOT) -> subprocess.Popen[str]:
        """A worker whose program is the one in this folder."""
        words = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1", "--death-timeout", "300")
        worker = self.start("dask_worker", self.address, *words, path=path)
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


@contextmanager
def at_work(cluster: Cluster, *words: str) -> Iterator[subprocess.Popen[str]]:
    """A long run that is past what it does by itself, and with its cluster, or nearly."""
    journal = cluster.folder / "j"
    on = ("--backend", "dask", "--scheduler", cluster.address, "--journal", "j")

    def begun() -> bool:
        try:
            known = status(journal)
            return known.openers > 0 and known.bound is not None
        except OptimalError:
            return False

    with running(cluster.folder, "solve", "--openers", SLOW, *on, *words) as process:
        wait_for(begun)
        time.sleep(1)
        yield process


@pytest.mark.slow
def test_a_cluster_of_our_own(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    rules, objective = "hard", "worst"
    game = letters_game(f"cluster {rules}", 200, 2, rules)
    whole = solve(game, objective=objective)
    (tmp_path / "logs.py").write_text("import logging\nlogging.getLogger('distributed.worker').error('lost')\n")
    with distributed.dask.config.set({"distributed.worker.preload": [str(tmp_path / "logs.py")]}):
        found = solve(game, objective=objective, backend="dask", jobs=2, journal=tmp_path / "j")
    assert told(found) == told(whole)
    assert capfd.readouterr() == ("", "")
    assert dask.WORKERS_LEVEL not in os.environ
    # The journal goes from one backend to another.
    assert told(solve(game, objective=objective, journal=tmp_path / "j")) == told(whole)


@pytest.mark.slow
def test_a_scheduler_lost_ends_the_run_cleanly(on_cluster: Cluster, tmp_path: Path) -> None:
    with at_work(on_cluster, "--wait", "3") as process:
        on_cluster.scheduler.kill()
        _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2, err
    assert "Traceback" not in err
    # Where the machine is so busy that the run was not yet with its cluster, the second is said.
    lost = "the connection to the scheduler is lost; what was proven before is kept"
    assert re.search(rf"optimal solve: ({lost}|no scheduler answers at)", err), err
    kept = status(tmp_path / "j")
    assert not kept.running
    assert kept.bound is not None


@pytest.mark.long
def test_a_scheduler_that_comes_back(on_cluster: Cluster) -> None:
    with at_work(on_cluster, "--wait", "600", "--json") as process:
        on_cluster.scheduler.kill()
        on_cluster.scheduler.wait()
        on_cluster.add_scheduler(on_cluster.address.rpartition(":")[2])
        on_cluster.add_worker()
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (0, "")
    assert json.loads(out)["status"] == "OPTIMAL"


def other_program(folder: Path, module: str, change: Callable[[str], str]) -> Path:
    """A folder with this program, but for a change in one module."""
    for path in (ROOT / "optimal").rglob("*"):
        if path.suffix in (".py", ".so", ".pyd", ".sha256"):
            copy = folder / path.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.symlink_to(path)
    changed = folder / "optimal" / module
    text = change(changed.read_text())
    changed.unlink()
    changed.write_text(text)
    return folder


@pytest.mark.slow
def test_workers_of_another_program_are_left_out(tmp_path: Path) -> None:
    """Whatever they are, the run goes on without them, and says so once."""
    missing = "raise ModuleNotFoundError(\"No module named 'optimal'\")"
    reasons = {
        f"the optimal {__version__} installed there is another build of it": (
            "games/rules.py",
            lambda text: text + "# new\n",
        ),
        f"optimal 9.9 is installed there, and {__version__} here": (
            "_version.py",
            lambda text: text.replace(__version__, "9.9"),
        ),
        "ModuleNotFoundError(\"No module named 'optimal'\")": ("search/__init__.py", lambda text: missing),
    }
    found = Cluster(tmp_path)
    try:
        for number, (module, change) in enumerate(reasons.values()):
            found.add_worker(other_program(tmp_path / str(number), module, change))
        none = f"no worker of the scheduler at {found.address} can be used in 3 seconds"
        with pytest.raises(InputError, match=none), pytest.warns(dask.WorkerWarning):
            solve(GAME, backend="dask", scheduler=found.address, wait=3)
        found.add_worker()
        with running(tmp_path, "solve", "mastermind:3x4", "--backend", "dask", "--scheduler", found.address) as process:
            out, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0
        assert "total 206 (proven least" in out
        said = [line for line in err.splitlines() if "left out" in line]
        assert sorted(line.split(": ", 3)[3] for line in said) == sorted(reasons)
    finally:
        found.end()


def test_a_worker_that_hears_no_more_of_a_run_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask, "SILENCE", 0.1)
    packed = pickle.dumps(GameSolver(Problem(GAME, None, options=Options(1, "dask"))))
    assert asyncio.run(dask._open_run("a", dask.build(), packed, 1)) == ""
    assert dask._work("a", Task(_engine.INFEASIBLE, (), 0.01)).back == []
    wait_for(lambda: not dask._open)
    with pytest.raises(dask._NotOpenError):
        dask._work("a", Task(_engine.INFEASIBLE, (), 0.01))


def test_what_travels_arrives_as_it_was_sent() -> None:
    sent = Problem(GAME, 6, options=Options(3, "dask"))
    packed = pickle.dumps(GameSolver(sent))
    assert len(packed) < GAME.matrix.nbytes  # the matrix is computed again
    solver = pickle.loads(packed)
    solver.open(2)
    assert (solver.problem.identity, solver.problem.options) == (sent.identity, Options(2))
    assert (solver.problem.game.matrix == GAME.matrix).all()


@pytest.mark.slow
@pytest.mark.parametrize("address", ["nowhere", "tcp://127.0.0.1:1"])
def test_bad_addresses(address: str, tmp_path: Path) -> None:
    words = ("--openers", "salet,crane,slate", "--wait", "1", "--backend", "dask", "--scheduler", address)
    found = run(tmp_path, "solve", *words)
    assert (found.status, found.err.count("\n")) == (2, 1)
    assert f"no scheduler answers at {address}" in found.err
