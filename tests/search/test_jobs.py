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

from optimal.games.game import Game
from optimal.search.engine import new_control
from optimal.search.game_problem import Problem
from optimal.search.game_run import GameRun
from optimal.search.jobs import hand_out
from optimal.search.stopping import stopping

ROOT = Path(__file__).resolve().parents[2]

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
@pytest.mark.skipif(not os.path.exists("/proc/self/cmdline"), reason="needs /proc to find the workers")
@pytest.mark.parametrize("begun", [1, 2])
def test_workers_that_have_just_started_end_with_a_killed_parent(tmp_path: Path, begun: int) -> None:
    """They hold standard output: whoever reads it waits for them, which were five minutes once."""
    ends_with_a_killed_parent(tmp_path, LONG, begun, seconds=120)


#: What is done by other processes, a minute long.
SHARED = """
import time
from optimal.workers import in_processes

print(*in_processes(2, time.sleep, [60, 60]))
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/cmdline"), reason="needs /proc to find the workers")
@pytest.mark.parametrize("begun", [1, 2])
def test_processes_that_share_a_work_end_with_a_killed_parent(tmp_path: Path, begun: int) -> None:
    """Those of `certify`, `check` and `compare`, from their start on."""
    ends_with_a_killed_parent(tmp_path, SHARED, begun, seconds=20)


def ends_with_a_killed_parent(folder: Path, program: str, begun: int, seconds: float) -> None:
    """Kill a program once so many of its workers have begun: all of them end, and nobody holds its output so long."""
    with process(folder, "-c", program) as started:
        wait_for(lambda: len(workers_of(started.pid)) >= begun)
        started.kill()
        started.communicate(timeout=seconds)
        wait_for(lambda: nobody_in_group(started.pid))


def workers_of(parent: int) -> list[int]:
    """Its worker processes."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            ours = f"PPid:\t{parent}\n" in (path / "status").read_text()
            if ours and b"popen_loky" in (path / "cmdline").read_bytes():
                found.append(int(path.name))
        except OSError:
            pass
    return found


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


#: An interpreter that starts as a worker hears Ctrl-C before it has loaded anything.
AT_ONCE = """
import signal, sys
if any("popen_loky" in word for word in sys.orig_argv):
    signal.raise_signal(signal.SIGINT)
"""


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("from optimal.workers import in_processes; print(*in_processes(2, abs, [-1, -2]))", "1 2"),
        (
            "from optimal import Game, solve; "
            "print(solve(Game.from_words(['ab', 'ba', 'bb', 'aa']), backend='loky', jobs=2).status)",
            "OPTIMAL",
        ),
    ],
    ids=["in_processes", "solve"],
)
def test_ctrl_c_while_workers_start_is_left_to_the_parent(tmp_path: Path, script: str, said: str) -> None:
    (tmp_path / "sitecustomize.py").write_text(AT_ONCE)
    path = os.pathsep.join((str(tmp_path), str(ROOT)))
    with process(tmp_path, "-c", f"import os; os.environ['PYTHONPATH'] = {path!r}; {script}") as started:
        out, err = ends_by_itself(started)
    assert (started.returncode, out, err) == (0, f"{said}\n", "")


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
        run = GameRun(Problem(Game.from_words(["ab", "ba"], ["ab", "ba"]), None))
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


#: A run whose workers are killed whenever it reports, up to a number of times.
KILLED = """
import os, signal, sys
from pathlib import Path
from optimal import Game, OptimalError, solve

left, openers = int(sys.argv[1]), sys.argv[2].split(",")

def kill_workers(now):
    global left
    if now.phase != "openers" or not left:
        return
    for path in Path("/proc").glob("[0-9]*"):
        try:
            ours = f"PPid:\\t{os.getpid()}\\n" in (path / "status").read_text()
            if ours and b"popen_loky" in (path / "cmdline").read_bytes():
                os.kill(int(path.name), signal.SIGKILL)
                left -= 1
                return
        except OSError:
            pass

try:
    print(solve(Game.preset("classic"), openers=openers, backend="loky", jobs=2, progress=kill_workers).total)
except OptimalError as error:
    print(error)
"""


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/proc/self/cmdline"), reason="needs /proc to find the workers")
@pytest.mark.parametrize("kills", [3, 1000])
def test_workers_that_are_killed_are_replaced_unless_all_are(kills: int, tmp_path: Path) -> None:
    openers = ["salet", "trace", "mamma", "yukky", "audio"]
    with process(tmp_path, "-c", KILLED, str(kills), ",".join(openers)) as started:
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


@pytest.mark.skipif(sys.platform != "linux", reason="semaphores are made elsewhere")
def test_without_semaphores_joblib_starts_no_processes(tmp_path: Path) -> None:
    script = """
import _multiprocessing, sys
class SemLock(_multiprocessing.SemLock):
    def __new__(cls, *_, **__):
        raise OSError(38, "Function not implemented")
_multiprocessing.SemLock = SemLock
from optimal.cli import main
sys.exit(main(["solve", "mastermind:3x4", "--backend", "loky", "--jobs", "2", "--json"]))
"""
    with process(tmp_path, "-c", script) as started:
        out, err = ends_by_itself(started)
    assert (started.returncode, err.count("\n")) == (0, 1)
    assert json.loads(out)["total"] == 206
    assert "joblib will operate in serial mode" in err
