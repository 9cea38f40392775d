"""The jobs of a run: how they end, whatever ends them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from cli_util import ROOT
from patience import wait_for
from processes_util import ends_by_itself, group_ends, needs_proc, process, workers_of

from optimal.games.game import Game
from optimal.search.engine import new_control
from optimal.search.game_problem import Problem
from optimal.search.game_run import GameRun
from optimal.search.jobs import hand_out
from optimal.search.stopping import stopping

#: A long run in two processes that says when their first results are there.
LONG = """
from optimal import Game, solve
result = solve(
    Game.preset("classic"), backend="loky", jobs=2, without=frozenset({"supersets"}),
    progress=lambda now: print(now.done, flush=True),
)
print(result.status, result.stop_reason, result.total)
"""

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs signals")


def wait_for_results(started: subprocess.Popen[str]) -> None:
    assert started.stdout is not None
    for line in started.stdout:
        if int(line) >= 4:  # the first opener is settled by the parent itself
            return
    raise AssertionError("the run ended too early")


#: What is done by other processes, a minute long, as by `certify`, `check` and `compare`.
SHARED = """
import time
from optimal.workers import in_processes

print(*in_processes(2, time.sleep, [60, 60]))
"""


@needs_proc
@pytest.mark.parametrize("begun", [1, 2])
def test_workers_that_have_just_started_end_with_a_killed_parent(tmp_path: Path, begun: int) -> None:
    """They hold standard output: whoever reads it waits for them, which were five minutes once."""
    with process(tmp_path, "-c", SHARED) as started:
        wait_for(lambda: len(workers_of(started.pid)) >= begun)
        started.kill()
        started.communicate(timeout=20)
        group_ends(started.pid)


@pytest.mark.slow
def test_workers_end_with_a_killed_parent(tmp_path: Path) -> None:
    with process(tmp_path, "-c", LONG) as started:
        wait_for_results(started)
        started.kill()
        ends_by_itself(started)
        group_ends(started.pid)
    assert list(tmp_path.glob("optimal-*")) == []


@pytest.mark.slow
@pytest.mark.parametrize(("number", "whole_group"), [(signal.SIGTERM, False), (signal.SIGINT, True)])
def test_a_signal_ends_processes_with_what_is_proven(tmp_path: Path, number: signal.Signals, whole_group: bool) -> None:
    with process(tmp_path, "-c", LONG) as started:
        wait_for_results(started)
        if whole_group:
            os.killpg(started.pid, number)
        else:
            started.send_signal(number)
        out, err = ends_by_itself(started)
        assert (started.returncode, err) == (0, "")
    status, reason, total = out.splitlines()[-1].split()
    assert (status, reason) == ("FEASIBLE", "interrupted")
    assert int(total) >= 7920
    assert list(tmp_path.glob("optimal-*")) == []


#: An interpreter that starts as a worker hears Ctrl-C before it has loaded anything.
AT_ONCE = """
import signal, sys
if any(name in word for word in sys.orig_argv for name in ("popen_loky", "spawn_main")):
    signal.raise_signal(signal.SIGINT)
"""


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("from optimal.workers import in_processes; print(*in_processes(2, abs, [-1, -2]))", "1 2"),
        ("from optimal import solve; print(solve('mastermind:2x3', backend='loky', jobs=2).status)", "OPTIMAL"),
        pytest.param(
            *("from optimal import solve; print(solve('mastermind:2x3', backend='dask', jobs=2).status)", "OPTIMAL"),
            marks=pytest.mark.slow,
        ),
    ],
    ids=["in_processes", "loky", "dask"],
)
def test_ctrl_c_while_workers_start_is_left_to_the_parent(tmp_path: Path, script: str, said: str) -> None:
    if "dask" in script:
        pytest.importorskip("distributed")
    (tmp_path / "sitecustomize.py").write_text(AT_ONCE)
    path = os.pathsep.join((str(tmp_path), str(ROOT)))
    with process(tmp_path, "-c", f"import os; os.environ['PYTHONPATH'] = {path!r}; {script}") as started:
        out, err = ends_by_itself(started)
    assert (started.returncode, out, err) == (0, f"{said}\n", "")


@pytest.mark.parametrize(
    ("number", "handler", "stops"),
    [
        (signal.SIGINT, signal.SIG_IGN, False),
        (signal.SIGTERM, signal.SIG_IGN, False),
        (signal.SIGINT, signal.default_int_handler, True),
        (signal.SIGTERM, signal.SIG_DFL, True),
        (signal.SIGTERM, lambda number, frame: None, False),
    ],
)
def test_signals_that_are_ignored_or_handled_stay_so(number: signal.Signals, handler: Any, stops: bool) -> None:
    before = signal.signal(number, handler)
    try:
        run = GameRun(Problem(Game.from_words(["ab", "ba"], ["ab", "ba"]), None))
        with stopping(run):
            signal.raise_signal(number)
        assert run.stopped is stops
        assert signal.getsignal(number) == handler
    finally:
        signal.signal(number, before)


#: A run whose workers are killed whenever it reports, up to a number of times.
KILLED = """
import os, signal, sys
from contextlib import suppress
sys.path.insert(0, sys.argv[1])
from processes_util import workers_of
from optimal import Game, OptimalError, solve

left = int(sys.argv[2])

def kill_workers(now):
    global left
    if now.phase == "openers" and left:
        for worker in workers_of(os.getpid())[:1]:
            with suppress(ProcessLookupError):  # it has ended by itself
                os.kill(worker, signal.SIGKILL)
            left -= 1

openers = ["salet", "trace", "mamma", "yukky", "audio"]
try:
    print(solve(Game.preset("classic"), first=openers, backend="loky", jobs=2, progress=kill_workers).total)
except OptimalError as error:
    print(error)
"""


@pytest.mark.slow
@needs_proc
@pytest.mark.parametrize("kills", [3, 1000])
def test_workers_that_are_killed_are_replaced_unless_all_are(kills: int, tmp_path: Path) -> None:
    with process(tmp_path, "-c", KILLED, str(ROOT / "tests" / "helpers"), str(kills)) as started:
        out, err = ends_by_itself(started)
    assert (out.count("\n"), err) == (1, "")
    if kills == 3:
        assert out == "7920\n"
    else:
        assert "processes in a row were lost over " in out or "processes were killed again and again" in out


@pytest.mark.parametrize("jobs", [1, 3])
def test_what_goes_wrong_in_one_job_stops_the_others(jobs: int) -> None:
    done: list[int] = []
    lock = threading.Lock()

    def work(job: int, item: int) -> None:
        with lock:
            done.append(item)
        if item == 5:
            raise MemoryError("no more")
        time.sleep(0.001)

    with pytest.raises(MemoryError, match="no more"):
        hand_out(new_control(), range(jobs), range(10_000), work)
    assert len(done) < 1000


def test_threads_need_no_semaphores(tmp_path: Path) -> None:
    """Where /dev/shm is not usable, joblib does everything one after the other, and a team waits for searches that
    never begin."""
    words = ("-m", "optimal", "solve", "mastermind:3x4", "--jobs", "2", "--json")
    with mock.patch.dict(os.environ, JOBLIB_MULTIPROCESSING="0"), process(tmp_path, *words) as started:
        out, err = ends_by_itself(started)
    assert (started.returncode, err) == (0, "")
    assert json.loads(out)["total"] == 206
