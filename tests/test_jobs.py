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
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import pytest
from patience import PATIENCE, SOON, wait_for

from optimal._engine import INFEASIBLE, NO_LIMIT, Search
from optimal.errors import OptimalError
from optimal.games.game import Game
from optimal.journal.records import Note
from optimal.search import jobs, offices, processes
from optimal.search.engine import new_control
from optimal.search.game_run import AtHand, GameRun
from optimal.search.jobs import helped, searches_of, settle_least_first, share_out
from optimal.search.processes import FIRST_LOOKS, LOSSES, Done, Shareable, Sharing, Task, settle_by_tasks
from optimal.search.question import Question
from optimal.search.stopping import stopping

ROOT = Path(__file__).resolve().parent.parent

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
        run = GameRun(Question(Game.from_words(["ab", "ba"], ["ab", "ba"]), None))
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
    solve(Game.preset("classic"), backend="loky", jobs=2, without=frozenset({"supersets"}), progress=kill_workers)
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


@pytest.mark.skipif(sys.platform != "linux", reason="semaphores are made elsewhere")
def test_processes_need_semaphores(tmp_path: Path) -> None:
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
    assert (started.returncode, out, err.count("\n")) == (2, "", 1)
    assert "no processes can be started here, ask for the backend threads" in err


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

    def settle(search: Search, guess: int) -> None:
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


class Crew:
    """Processes that do nothing, and take so many looks for each opener; what they are given comes back when the run
    next asks for news."""

    def __init__(self, cores: dict[str, int], needs: Mapping[int, int], lost: int = 0) -> None:
        self.cores, self.needs, self.lost = cores, needs, lost
        self.slices: defaultdict[int, list[tuple[str, int]]] = defaultdict(list)
        self.given: list[tuple[str, Task, Future[Done]]] = []
        self.most = 0

    def begin(self, question: Shareable, run: Sharing) -> None:
        pass

    def at_hand(self) -> Mapping[str, int]:
        return self.cores

    def give(self, name: str, task: Task) -> Future[Done]:
        self.given.append((name, task, Future()))
        self.most = max(self.most, len(self.given))
        return self.given[-1][2]

    def result(self, name: str, future: Future[Done]) -> Done | None:
        if self.lost and name == "lost":
            self.lost -= 1
            return None
        return future.result()

    def news(self) -> list[Note]:
        given, self.given = self.given, []
        for name, task, future in given:
            done = Done(name)
            for guess, _ in task.openers:
                self.slices[guess].append((name, task.looks))
                if self.needs[guess] > task.looks:
                    done.left = guess, 1, 1, 0.5
                    break
                done.settled.append((guess, 1000 + guess, True, 1, 0.5))
            future.set_result(done)
        return []


def settled_by(crew: Crew, monkeypatch: pytest.MonkeyPatch) -> GameRun:
    monkeypatch.setattr(processes, "LOOK", 0.01)
    game = Game.preset("mastermind:4x6")
    question = Question(game, None)
    run = GameRun(question)
    run.take_up(crew.needs, searches_of(question.engine(), run.control, 1))
    settle_by_tasks(question, run, list(crew.needs), crew)
    assert run.values == {guess: 1000 + guess for guess in crew.needs}
    return run


def test_slices_grow_and_openers_stay_with_their_process(monkeypatch: pytest.MonkeyPatch) -> None:
    needs = {guess: FIRST_LOOKS * 10 ** (guess % 3) for guess in range(100)}
    crew = Crew({"a": 1, "b": 2}, needs)
    run = settled_by(crew, monkeypatch)
    for guess, slices in crew.slices.items():
        looks = [each for _, each in slices]
        assert looks == [FIRST_LOOKS << number for number in range(len(looks))]
        assert needs[guess] <= looks[-1] < 2 * needs[guess] or len(looks) == 1
        assert run.accounts[guess].nodes == len(looks)
    moved = [guess for guess, slices in crew.slices.items() if len({name for name, _ in slices}) > 1]
    assert len(moved) < 10  # at the end, where a process would have nothing to do


def test_tasks_follow_the_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    needs = dict.fromkeys(range(1200), 1)
    few = Crew({"a": 1, "b": 2}, needs)
    settled_by(few, monkeypatch)
    assert few.most == 5  # one for each core, and one more for each process
    many = Crew({"a": 2}, needs)
    news = many.news
    many.news = lambda: (many.cores.update(b=300), news())[1]  # type: ignore[method-assign]
    settled_by(many, monkeypatch)
    assert 300 < many.most <= 304


def test_processes_that_a_signal_ends_as_they_begin_are_no_error() -> None:
    game = Game.preset("mastermind:4x6")
    question = Question(game, None)
    run, crew = GameRun(question), Crew({}, {0: 1, 1: 1})

    def begin(*_: object) -> None:
        run.stop("interrupted")
        raise OptimalError("no workers can be started here")

    run.take_up(crew.needs, searches_of(question.engine(), run.control, 1))
    with mock.patch.object(crew, "begin", begin):
        settle_by_tasks(question, run, list(crew.needs), crew)
    assert run.stopped


def test_what_is_lost_with_a_process_is_done_by_another(monkeypatch: pytest.MonkeyPatch) -> None:
    needs = {0: 3 * FIRST_LOOKS, 1: 1, 2: 1}
    settled_by(Crew({"lost": 1}, needs, lost=3), monkeypatch)
    with pytest.raises(OptimalError, match=f"{LOSSES + 1} processes in a row were lost over "):
        settled_by(Crew({"lost": 1}, needs, lost=100), monkeypatch)
    # One that leaves takes its tasks along.
    crew = Crew({"a": 1, "b": 1}, needs)
    give = crew.give

    def leave(name: str, task: Task) -> Future[Done]:
        if name == "a":
            crew.cores = {"b": 1}
            return Future()
        return give(name, task)

    crew.give = leave  # type: ignore[method-assign]
    settled_by(crew, monkeypatch)
    assert {name for slices in crew.slices.values() for name, _ in slices} == {"b"}


def test_a_process_killed_while_it_writes_notes_holds_up_nobody() -> None:
    """Whoever is killed as it writes keeps the lock of those who write."""
    crew = processes._Processes(1, "", offices.GameParcel.of)
    crew._start()
    crew._queue._wlock.acquire()
    leaving = threading.Thread(target=crew.__exit__, daemon=True)
    leaving.start()
    leaving.join(SOON)
    assert not leaving.is_alive()
    wait_for(lambda: not any(thread.name == "notes" for thread in threading.enumerate()))


def test_notes_are_told_while_supersets_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, told = threading.Event(), threading.Event()

    def measure(*_: object) -> None:
        begun.set()
        told.wait(PATIENCE)

    monkeypatch.setattr(offices, "measure_supersets", measure)
    control = new_control()
    control.incumbent = INFEASIBLE
    office = offices.GameOffice(Question(Game.preset("mastermind:3x4"), None), lambda limit: control)
    task = Task(NO_LIMIT, ((0, ()),), INFEASIBLE, FIRST_LOOKS)
    worker = threading.Thread(target=office.do, args=(task,), daemon=True)
    worker.start()
    assert begun.wait(PATIENCE)
    asker = threading.Thread(target=office.news, daemon=True)
    asker.start()
    asker.join(SOON)
    heard = not asker.is_alive()
    told.set()
    worker.join(PATIENCE)
    assert heard


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
    run = GameRun(Question(Game.preset("mastermind:3x4"), None), None, trees=True)
    run.begin(None)
    order = list(range(openers))
    run.all_bounded({guess: 200 - guess for guess in order})
    if best is not None:
        run.kept = AtHand(300, False, None, (best, {}))
    sliced: list[int] = []

    def settle(run: GameRun, search: Search, guess: int, looks: int) -> bool:
        sliced.append(guess)
        run.lows[guess] += 10
        return sliced.count(guess) == 3

    monkeypatch.setattr(jobs, "settle_slice", settle)
    monkeypatch.setattr(jobs, "_AHEAD", ahead)
    settle_least_first(run, searches_of(run.question.engine(), run.control, 1), order)
    assert sliced[: len(expected)] == expected
    assert sorted(sliced) == sorted(3 * order)
