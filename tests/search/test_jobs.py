"""The jobs of a run: how they end, whatever ends them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from multiprocessing import Pipe
from multiprocessing.connection import Listener
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from patience import PATIENCE, wait_for

from optimal._engine import INFEASIBLE, NO_LIMIT, Control, Search, Stopped
from optimal.errors import OptimalError
from optimal.games.game import Game
from optimal.journal.records import Note
from optimal.search import jobs, solvers
from optimal.search.engine import new_control
from optimal.search.game_problem import Problem
from optimal.search.game_run import BestTree, GameRun
from optimal.search.jobs import hand_out, helped, searches_of, settle_least_first
from optimal.search.options import Options
from optimal.search.processes import Processes, _serve
from optimal.search.scheduler import LOSSES, AnyRun, AnySolver, settle_by_workers
from optimal.search.solvers import GameSolver
from optimal.search.stopping import stopping
from optimal.search.workers import FIRST_SLICE, Opener, Report, Slice, Solver, Task, Worker

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


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="numpy loads in no interpreter with a lock of its own")
def test_a_run_in_a_subinterpreter_handles_no_signals(tmp_path: Path) -> None:
    script = """
import _xxsubinterpreters as interpreters
interpreters.run_string(interpreters.create(), '''
from optimal import Game, Table, identify, solve
words = ["ab", "ba", "bb", "aa"]
print(solve(Game.from_words(words)).status, identify(Table.from_arrays([[0, 1], [1, 0]])).status, flush=True)
''')
"""
    with process(tmp_path, "-W", "ignore", "-c", script) as started:
        out, err = ends_by_itself(started)
    assert (started.returncode, out) == (0, "OPTIMAL OPTIMAL\n"), err


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
def test_work_is_shared_out_in_order_and_once(jobs: int) -> None:
    done: list[int] = []
    hand_out(new_control(), range(jobs), range(1000), lambda job, item: done.append(item))
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
    searches = searches_of(Problem(game, None).engine(), control, 3)
    control.incumbent = INFEASIBLE
    values: dict[int, int] = {}

    def settle(search: Search, guess: int) -> None:
        values[guess], _ = search.opener(guess, NO_LIMIT, INFEASIBLE)

    monkeypatch.setattr(threading.Thread, "start", few)
    if threads:
        hand_out(control, searches, range(4), settle)
        assert sorted(values) == [0, 1, 2, 3]
        begun.clear()
        with helped(searches[0], searches):
            assert searches[0].opener(0, NO_LIMIT, INFEASIBLE)[0] == values[0]
    else:
        with pytest.raises(OptimalError, match="the system has no thread left: ask for one job"):
            hand_out(control, searches, range(4), settle)


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


class Counting:
    """A search that counts its slices."""

    nodes = 0

    def export_bounds(self) -> list[tuple[Any, ...]]:
        return []


class Needing(Solver[Any, Counting]):
    """Openers that need this much work each, in one slice; it has this many searches."""

    def __init__(self, needs: Mapping[int, int], cores: int) -> None:
        self.needs, self.cores = needs, cores
        self.slices: list[tuple[int, int]] = []

    def open(self, cores: int) -> None:
        self.cores = cores

    def searches(self, control: Control) -> list[Counting]:
        return [Counting() for _ in range(self.cores)]

    def settle(self, search: Counting, opener: Opener) -> tuple[int, bool, bool]:
        self.slices.append((opener.number, opener.work))
        search.nodes += 1
        settled = opener.work >= self.needs[opener.number]
        return (1000 + opener.number if settled else opener.low + 1), settled, settled

    def trees(self, search: Counting, opener: int, value: int) -> list[Any]:
        return []


@pytest.mark.parametrize("cores", [1, 3])
def test_a_worker_keeps_its_openers_and_slices_grow(cores: int) -> None:
    needs = {number: 10 ** (number % 4) for number in range(40)}
    solver = Needing(needs, cores)
    session = Worker(solver, solver.cores)
    openers = tuple(Opener(number, number, 1) for number in needs)
    slices: list[Slice] = []
    nodes = 0
    while len({each.opener for each in slices if each.settled}) < len(needs):
        report = session.work(Task(1000, openers, 0.01))
        openers = tuple(report.back)  # those that it has not begun
        slices += report.slices
        nodes += sum(report.counters[:1])
    session.close()
    assert len(slices) == len(solver.slices) == nodes
    for number in needs:
        work = [work for opener, work in solver.slices if opener == number]
        assert work == [1 << slice_ for slice_ in range(len(work))]
        assert needs[number] <= work[-1] < max(2 * needs[number], 2)
    if cores == 1:  # always the one of least bound: that of the second is 2 after its first slice
        assert [opener for opener, _ in solver.slices[:4]] == [0, 1, 2, 1]


def test_a_worker_shares_what_it_has_begun() -> None:
    solver = Needing(dict.fromkeys(range(9), INFEASIBLE), 1)
    session = Worker(solver, solver.cores)
    with mock.patch.object(solver, "settle", lambda search, opener: (opener.low + 1, False, False)):
        session.work(Task(1000, tuple(Opener(number, number, 1) for number in range(9)), 0.3))
        back = session.work(Task(1000, (), 0.1, share=True)).back
        session.close()
    assert len(back) in (4, 5)  # of those that wait: all nine, where none is just being searched


def test_the_incumbent_comes_with_tasks_and_searches_end_with_the_worker() -> None:
    controls: list[Control] = []
    searching, ended = threading.Event(), threading.Event()

    class Endless(Needing):
        def searches(self, control: Control) -> list[Counting]:
            controls.append(control)
            return super().searches(control)

        def settle(self, search: Counting, opener: Opener) -> tuple[int, bool, bool]:
            searching.set()
            wait_for(lambda: controls[0].stopped)
            ended.set()
            raise Stopped

    worker = Worker(Endless({}, 1), 1)
    while worker.work(Task(1234, (Opener(0, 0, 1),), 0.01)).back:
        pass
    assert searching.wait(PATIENCE)
    assert controls[0].incumbent == 1234
    worker.work(Task(1233, (), 0.01))
    assert controls[0].incumbent == 1233
    worker.close()
    assert ended.wait(PATIENCE)


def test_what_goes_wrong_in_a_worker_is_raised_there() -> None:
    class Wrong(Needing):
        def searches(self, control: Control) -> list[Counting]:
            raise MemoryError("no more")

    with pytest.raises(MemoryError, match="no more"):
        Worker(Wrong({}, 1), 1).work(Task(1000, (), PATIENCE))


class Pool:
    """Workers that do nothing, and take this much work for each opener. Those called "lost" are lost with their first
    tasks, one after the other."""

    def __init__(self, cores: dict[str, int], needs: Mapping[int, int], lost: int = 0) -> None:
        self.cores, self.needs, self.lost = cores, needs, lost
        self.begun: defaultdict[str, dict[int, Opener]] = defaultdict(dict)
        self.slices: defaultdict[int, list[tuple[str, int]]] = defaultdict(list)
        self.given: dict[str, Task] = {}
        self.tasks: list[Task] = []
        self.most = 0

    def begin(self, solver: AnySolver, run: AnyRun) -> None:
        pass

    def workers(self) -> Mapping[str, int]:
        if self.lost and "lost" in self.given:
            self.lost -= 1
            self.given.clear()
            return {}
        return self.cores

    def give(self, worker: str, task: Task) -> None:
        assert worker not in self.given
        self.given[worker] = task
        self.tasks.append(task)
        self.most = max(self.most, len(self.given))

    def reports(self, seconds: float) -> list[tuple[str, Report]]:
        given, self.given = self.given, ({"lost": self.given["lost"]} if self.lost and "lost" in self.given else {})
        return [(name, self.done(name, task)) for name, task in given.items() if name not in self.given]

    def done(self, name: str, task: Task) -> Report:
        report, begun = Report(name), self.begun[name]
        begun.update((opener.number, opener) for opener in task.openers)
        for number, opener in list(begun.items()):
            self.slices[number].append((name, opener.work))
            settled = opener.work >= self.needs[number]
            report.slices.append(Slice(number, 1000 + number if settled else 1, settled, settled, 1, 0.5))
            del begun[number]
            if not settled:
                begun[number] = opener._replace(work=2 * opener.work)
        if task.share:
            for number in list(begun)[1:]:
                report.back.append(begun.pop(number))
        return report


def settled_by(pool: Pool) -> GameRun:
    question = Problem(Game.preset("mastermind:4x6"), None)
    run = GameRun(question)
    run.take_up(pool.needs, searches_of(question.engine(), run.control, 1))
    settle_by_workers(GameSolver(question), run, list(pool.needs), pool)
    assert run.values == {guess: 1000 + guess for guess in pool.needs}
    return run


def test_openers_stay_with_their_worker() -> None:
    needs = {guess: FIRST_SLICE * 10 ** (guess % 3) for guess in range(100)}
    pool = Pool({"a": 1, "b": 2}, needs)
    run = settled_by(pool)
    for guess, slices in pool.slices.items():
        work = [each for _, each in slices]
        assert work == [FIRST_SLICE << number for number in range(len(work))]
        assert run.statistics[guess].nodes == len(work)
    moved = [guess for guess, slices in pool.slices.items() if len({name for name, _ in slices}) > 1]
    assert len(moved) < 10  # at the end, where a worker would have nothing to do


def test_workers_that_join_get_work() -> None:
    pool = Pool({"a": 2}, dict.fromkeys(range(1200), 1))
    reports = pool.reports
    pool.reports = lambda seconds: (reports(seconds), pool.cores.update({str(n): 1 for n in range(300)}))[0]  # type: ignore[method-assign]
    settled_by(pool)
    assert pool.most == 301


def test_what_the_last_worker_has_begun_is_shared() -> None:
    needs = dict.fromkeys(range(8), 64 * FIRST_SLICE)
    pool = Pool({"a": 1}, needs)
    reports = pool.reports
    pool.reports = lambda seconds: (reports(seconds), pool.cores.update(b=1))[0]  # type: ignore[method-assign]
    settled_by(pool)
    assert {name for slices in pool.slices.values() for name, _ in slices} == {"a", "b"}


def test_what_the_journal_has_travels_with_tasks() -> None:
    question = Problem(Game.preset("mastermind:4x6"), None)
    run, pool, recorder = GameRun(question), Pool({"a": 1}, {0: 1, 1: 1}), mock.Mock()
    note = Note(((1, 0),), None, 7, 1, 0, 0, 0)
    recorder.notes_of.return_value = {0: (), 1: (note,)}
    run.take_up(pool.needs, searches_of(question.engine(), run.control, 1))
    run.recorder = recorder
    settle_by_workers(GameSolver(question), run, list(pool.needs), pool)
    assert {opener.number: opener.notes for task in pool.tasks for opener in task.openers} == {0: (), 1: (note,)}


def test_processes_that_a_signal_ends_as_they_begin_are_no_error() -> None:
    question = Problem(Game.preset("mastermind:4x6"), None)
    run, pool = GameRun(question), Pool({}, {0: 1, 1: 1})

    def begin(*_: object) -> None:
        run.stop("interrupted")
        raise OptimalError("no workers can be started here")

    run.take_up(pool.needs, searches_of(question.engine(), run.control, 1))
    with mock.patch.object(pool, "begin", begin):
        settle_by_workers(GameSolver(question), run, list(pool.needs), pool)
    assert run.stopped


def test_what_is_lost_with_a_worker_is_done_by_another() -> None:
    needs = {0: 3 * FIRST_SLICE, 1: 1, 2: 1}
    settled_by(Pool({"lost": 1}, needs, lost=3))
    with pytest.raises(OptimalError, match=f"{LOSSES + 1} processes in a row were lost over "):
        settled_by(Pool({"lost": 1}, needs, lost=100))


def test_a_worker_that_nobody_has_heard_of_ends_with_the_pool() -> None:
    """It has connected, and waits for its problem."""
    ours, theirs = Pipe()
    with closing(Processes(1)) as pool:
        pool._arrived.put(ours)
    with pytest.raises(EOFError):
        theirs.recv()


def test_processes_end_with_their_pool(tmp_path: Path) -> None:
    """Also where they have only just been started."""
    question = Problem(Game.preset("mastermind:3x4"), None, options=Options(2, "loky"))
    with closing(Processes(2)) as pool:
        pool.begin(GameSolver(question), GameRun(question))
    wait_for(lambda: not {"listen", "processes"} & {thread.name for thread in threading.enumerate()})


def test_a_worker_reports_while_supersets_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, told = threading.Event(), threading.Event()

    def measure(*_: object) -> None:
        begun.set()
        told.wait(PATIENCE)

    monkeypatch.setattr(solvers, "use_supersets", measure)
    worker = Worker(GameSolver(Problem(Game.preset("mastermind:3x4"), None)), 1)
    task = Task(INFEASIBLE, (Opener(0, 0, FIRST_SLICE),), 0.01)
    assert worker.work(task).back == list(task.openers)
    assert begun.wait(PATIENCE)
    told.set()
    while not (report := worker.work(task)).slices:
        pass
    worker.close()
    assert report.slices[0].settled


@pytest.mark.parametrize(
    ("openers", "best", "ahead", "expected"),
    [
        (3, 1, 4, [1, 1, 1, 2, 0, 2, 0, 2, 0]),  # few: that of the best tree first
        (3, 1, 2, [1, 1, 2, 0, 1, 2, 0, 2, 0]),  # as long as its slices are not much longer than the others'
        (3, None, 4, [2, 1, 0, 2, 1, 0, 2, 1, 0]),  # there is no tree
        (jobs.FEW + 2, 0, 4, [17, 16, 15, 14]),  # many: by their bounds alone
    ],
)
def test_the_opener_that_has_the_next_slice(
    openers: int, best: int | None, ahead: int, expected: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each takes three slices, and the last ones have the least bounds."""
    run = GameRun(Problem(Game.preset("mastermind:3x4"), None), None, trees=True)
    run.begin(None)
    order = list(range(openers))
    run.all_bounded({guess: 200 - guess for guess in order})
    if best is not None:
        run.best_tree = BestTree(300, False, None, (best, {}))
    sliced: list[int] = []

    def settle(run: GameRun, work: int, search: Search, guess: int) -> bool:
        sliced.append(guess)
        run.lows[guess] += 10
        return sliced.count(guess) == 3

    monkeypatch.setattr(jobs, "settle_slice", settle)
    monkeypatch.setattr(jobs, "_AHEAD", ahead)
    settle_least_first(run, searches_of(run.problem.engine(), run.control, 1), order)
    assert sliced[: len(expected)] == expected
    assert sorted(sliced) == sorted(3 * order)


def test_all_processes_may_come_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    many = 16

    def come(self: Processes, address: tuple[str, int]) -> None:
        for _ in range(many):
            threading.Thread(target=_serve, args=[(address, self._key)], daemon=True).start()

    def listen(self: Processes, listener: Listener) -> None:
        time.sleep(0.5)  # it is not waiting at that moment
        known(self, listener)

    known = Processes._listen
    monkeypatch.setattr(Processes, "_listen", listen)
    monkeypatch.setattr(Processes, "_start", come)
    problem = Problem(Game.preset("mastermind:3x3"), None)
    with closing(Processes(many)) as pool:
        pool.begin(GameSolver(problem), GameRun(problem))
        wait_for(lambda: len(pool.workers()) == many)
