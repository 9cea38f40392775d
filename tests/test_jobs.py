"""The jobs of a run: how they end, whatever ends them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import pytest
from patience import PATIENCE, wait_for

from optimal._openers import OpenerSearch
from optimal._search import INFEASIBLE, NO_LIMIT
from optimal.errors import OptimalError
from optimal.games.game import Game
from optimal.search.engine import new_control
from optimal.search.jobs import helped, searches_of, share_out
from optimal.search.question import Question
from optimal.search.run import Run, stopping

ROOT = Path(__file__).resolve().parent.parent

#: A long run in two processes that says when their first results are there.
LONG = """
from optimal import Game, solve
result = solve(
    Game.preset("classic"), backend="loky", jobs=2, prune=frozenset({"supersets"}),
    progress=lambda now: print(now.done, flush=True),
)
print(result.status, result.stop_reason, result.total)
"""

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs signals")


@contextmanager
def process(folder: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """Python with these arguments, in a process group of its own, with `folder` for temporary files."""
    with subprocess.Popen(
        [sys.executable, *words],
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # In the background of a shell without job control these tests are told to ignore SIGINT, and what they start.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as started:
        try:
            yield started
        finally:
            if started.poll() is None:
                os.killpg(started.pid, signal.SIGKILL)


def wait_for_results(started: subprocess.Popen[str]) -> None:
    assert started.stdout is not None
    for line in started.stdout:
        if int(line) >= 4:  # the first opener is settled by the parent itself
            return
    raise AssertionError("the run ended too early")


def ends_by_itself(started: subprocess.Popen[str]) -> tuple[str, str]:
    """What is still printed; the streams must be closed, by all processes that have them."""
    return started.communicate(timeout=PATIENCE)


def nobody_in_group(number: int) -> bool:
    try:
        os.killpg(number, 0)
    except ProcessLookupError:
        return True
    return False


def left_by_us(folder: Path) -> list[Path]:
    return list(folder.glob("optimal-*"))


@pytest.mark.slow
def test_workers_end_with_a_killed_parent(tmp_path: Path) -> None:
    with process(tmp_path, "-c", LONG) as started:
        wait_for_results(started)
        started.kill()
        ends_by_itself(started)
        wait_for(lambda: nobody_in_group(started.pid))
    assert left_by_us(tmp_path) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "whole_group"), [(signal.SIGTERM, False), (signal.SIGTERM, True), (signal.SIGINT, True)]
)
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
    assert left_by_us(tmp_path) == []


@pytest.mark.slow
def test_sigterm_ends_the_command_as_ctrl_c_does(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with process(tmp_path, "-m", "optimal", "solve", "classic", "--json", "--log", str(log)) as started:
        wait_for(lambda: log.exists() and "incumbent" in log.read_text())
        started.terminate()
        out, err = ends_by_itself(started)
        assert (started.returncode, err) == (130, "")
    found = json.loads(out)
    assert (found["status"], found["stop_reason"]) == ("FEASIBLE", "interrupted")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("ignored", [True, False])
def test_a_signal_that_is_ignored_stays_ignored(number: signal.Signals, ignored: bool) -> None:
    heeded = signal.SIG_DFL if number == signal.SIGTERM else signal.default_int_handler
    before = signal.signal(number, signal.SIG_IGN if ignored else heeded)
    try:
        run = Run(Game.from_words(["ab", "ba"], ["ab", "ba"]), None)
        with stopping(run):
            signal.raise_signal(number)
        assert run.stopped is not ignored
        assert signal.getsignal(number) == (signal.SIG_IGN if ignored else heeded)
    finally:
        signal.signal(number, before)


def test_sigterm_is_left_to_a_program_that_handles_it(tmp_path: Path) -> None:
    script = """
import os, signal
from optimal import Game, solve
signal.signal(signal.SIGTERM, lambda number, frame: print("mine"))
game = Game.from_words(["ab", "ba", "bb"], ["ab", "ba"])
print(solve(game, progress=lambda now: os.kill(os.getpid(), signal.SIGTERM)).stop_reason)
"""
    with process(tmp_path, "-c", script) as started:
        out, err = ends_by_itself(started)
    assert err == ""
    assert set(out.split()) == {"mine", "done"}


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/proc/self/cmdline"), reason="needs /proc to find the workers")
def test_a_worker_that_is_killed_is_one_clear_error(tmp_path: Path) -> None:
    script = """
import os, signal
from pathlib import Path
from optimal import Game, OptimalError, solve

def kill_workers(now):
    if now.done < 4:
        return
    for path in Path("/proc").glob("[0-9]*"):
        try:
            ours = f"PPid:\\t{os.getpid()}\\n" in (path / "status").read_text()
            if ours and b"popen_loky" in (path / "cmdline").read_bytes():
                os.kill(int(path.name), signal.SIGKILL)
        except OSError:
            pass

try:
    solve(Game.preset("classic"), backend="loky", jobs=2, prune=frozenset({"supersets"}), progress=kill_workers)
except OptimalError as error:
    print(error)
"""
    with process(tmp_path, "-c", script) as started:
        out, err = ends_by_itself(started)
    assert (out.count("\n"), err) == (1, "")
    assert out.startswith("a worker process was killed, perhaps for lack of memory")
    assert left_by_us(tmp_path) == []


@pytest.mark.parametrize("jobs", [1, 3])
def test_work_is_shared_out_in_order_and_once(jobs: int) -> None:
    done: list[int] = []
    share_out(new_control(), range(jobs), range(1000), lambda job, item: done.append(item))
    assert sorted(done) == list(range(1000))
    assert jobs > 1 or done == sorted(done)


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
        share_out(new_control(), range(jobs), range(10_000), work)
    assert len(done) < 1000


def test_threads_need_no_semaphores(tmp_path: Path) -> None:
    """Where /dev/shm is not usable, joblib does everything one after the other, and a team waits for searches that
    never begin."""
    words = ("-m", "optimal", "solve", "mastermind:3x4", "--jobs", "2", "--json")
    with mock.patch.dict(os.environ, JOBLIB_MULTIPROCESSING="0"), process(tmp_path, *words) as started:
        out, err = ends_by_itself(started)
    assert (started.returncode, err) == (0, "")
    assert json.loads(out)["total"] == 206


@pytest.mark.parametrize("threads", [0, 1, 2])
def test_fewer_threads_than_jobs(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that the system has do all the work, and wait for nobody else."""
    begun: list[threading.Thread] = []
    start = threading.Thread.start

    def few(thread: threading.Thread) -> None:
        if len(begun) == threads:
            raise RuntimeError("can't start new thread")
        begun.append(thread)
        start(thread)

    game = Game.preset("mastermind:3x4")
    control = new_control()
    searches = searches_of(Question(game, None).engine(), control, 3)
    control.incumbent = INFEASIBLE
    values: dict[int, int] = {}

    def settle(search: OpenerSearch, guess: int) -> None:
        values[guess], _ = search.opener(guess, NO_LIMIT, INFEASIBLE)

    monkeypatch.setattr(threading.Thread, "start", few)
    if threads:
        share_out(control, searches, range(4), settle)
        assert sorted(values) == [0, 1, 2, 3]
        begun.clear()
        with helped(searches[0], searches):
            assert searches[0].opener(0, NO_LIMIT, INFEASIBLE)[0] == values[0]
    else:
        with pytest.raises(OptimalError, match="the system has no thread left: ask for one job"):
            share_out(control, searches, range(4), settle)


def test_a_process_without_workers_goes_on(tmp_path: Path) -> None:
    """Where joblib has no other process to do the work, it is done in this one."""
    script = """
import os, signal, time
from optimal import workers
workers.POLL = 0.01
workers.end_with_parent(os.getpid())
time.sleep(0.1)
print(signal.getsignal(signal.SIGTERM) == signal.SIG_DFL)
"""
    with process(tmp_path, "-c", script) as started:
        assert ends_by_itself(started) == ("True\n", "")
