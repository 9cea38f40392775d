"""Keys by other processes: the same bytes as by threads, whoever works, stops or is killed."""

from __future__ import annotations

import pickle
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from patience import PATIENCE
from tables_util import against_textbook, data_of, question_of, random_parts, sparse, stopping_after, table_of

from optimal._engine import INFEASIBLE
from optimal.journal.records import Note
from optimal.journal.status import status
from optimal.search import identify as identifying
from optimal.search import scheduler, solvers
from optimal.search.engine import export_bounds, new_control
from optimal.search.identify import identify
from optimal.search.key_problem import KeyProblem
from optimal.search.options import Options
from optimal.search.scheduler import AnyRun, AnySolver, Pool
from optimal.search.solvers import KeySolver
from optimal.search.workers import Opener, Report, Task, Worker


class Workers:
    """Two workers in this process, which open what is sent to them. Now and then one is lost, with what it has."""

    def __init__(self, r: random.Random) -> None:
        self.r = r
        self.open: dict[str, Worker[Any]] = {}
        self.numbers = count()
        self.tasks: list[Task] = []
        self.taken: list[Report] = []
        self.given: list[tuple[str, Task]] = []

    def begin(self, solver: AnySolver, run: AnyRun) -> None:
        self.close()
        self.payload = pickle.dumps(solver)
        self.add()
        self.add()

    def add(self) -> None:
        self.open[str(next(self.numbers))] = Worker(pickle.loads(self.payload), 1)

    def close(self) -> None:
        for worker in self.open.values():
            worker.close()
        self.open.clear()

    def workers(self) -> Mapping[str, int]:
        return dict.fromkeys(self.open, 1)

    def give(self, worker: str, task: Task) -> None:
        self.tasks.append(task)
        self.given.append((worker, pickle.loads(pickle.dumps(task))))

    def reports(self, seconds: float) -> list[tuple[str, Report]]:
        found = [(name, pickle.loads(pickle.dumps(self.open[name].work(task)))) for name, task in self.given]
        self.given.clear()
        for name, _ in found:
            if self.r.random() < 0.2:
                self.open.pop(name).close()
                self.add()
        found = [(name, report) for name, report in found if name in self.open]
        self.taken += [report for _, report in found]
        return found


@pytest.fixture
def pools(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Workers]]:
    """`identify` with a backend other than threads has its tasks done by `Workers`, in short slices."""
    made: list[Workers] = []
    seeds = count()

    @contextmanager
    def pool_of(options: Options) -> Iterator[Pool | None]:
        if options.backend == "threads":
            yield None
        else:
            made.append(Workers(random.Random(next(seeds))))
            yield made[-1]
            made[-1].close()

    monkeypatch.setattr(identifying, "pool_of", pool_of)
    monkeypatch.setattr(identifying, "_BEAMS", ((1, 0),))  # so that better keys are found by tasks
    monkeypatch.setattr(scheduler, "LOSSES", 100)
    monkeypatch.setattr(scheduler, "FIRST_SLICE", 1)
    monkeypatch.setattr(scheduler, "TASK", 0.01)
    monkeypatch.setattr(solvers, "_UNIT", 64)
    monkeypatch.setattr(solvers, "_LONG", 1024)
    yield made
    for pool in made:
        pool.close()


def test_the_key_is_the_textbooks(pools: list[Workers]) -> None:
    better = 0
    for seed in range(200):
        r = random.Random(seed)
        table = table_of(random_parts(r, 10))
        against_textbook(table, seed, **{**question_of(r, table), "jobs": 2}, backend="loky")
        better += len({task.incumbent for task in pools[-1].tasks}) > 1
    assert sum(bool(pool.tasks) for pool in pools) > 40
    assert better > 2


@pytest.mark.parametrize("objective", ["mean", "worst"])
def test_the_same_bytes_as_by_threads(objective: str, pools: list[Workers]) -> None:
    table = sparse(30, 14, 4)
    found = identify(table, objective=objective, backend="loky")
    assert data_of(found) == data_of(identify(table, objective=objective))
    [pool] = pools
    slices = Counter(each.opener for report in pool.taken for each in report.slices)
    assert max(slices.values()) > 3
    assert found.nodes > sum(report.counters[0] for report in pool.taken if report.counters)


def test_a_run_goes_on_from_one_backend_to_another(
    pools: list[Workers], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(8):
        r = random.Random(seed)
        table = sparse(20, 10, seed)
        options = {**question_of(r, table), "limit": None, "cost_limit": None}
        want = identify(table, **options)
        for after in (4, 9, 16, 30):
            backend = r.choice(["threads", "loky", "loky"])
            with stopping_after(monkeypatch, after):
                found = identify(table, journal=tmp_path / str(seed), backend=backend, **options)
            assert found.bound is None or want.value is None or found.bound <= want.value
        found = identify(table, journal=tmp_path / str(seed), backend="loky", **options)
        assert data_of(found) == data_of(want)
        standing = status(tmp_path / str(seed))
        assert (standing.status, standing.done) == ("OPTIMAL", standing.openers)


def test_slices_of_a_worker_go_on_in_another() -> None:
    """By records: what is done again is less than all that was done."""
    table = sparse(45, 18, 3)
    question = KeyProblem(table, options=Options(1, "loky"))
    best = identify(table, first=["q2"]).value
    assert best is not None
    total = best[0] // question.columns.unit
    steps = []
    for work, moves in ((1 << 30, False), (2, False), (2, True)):
        known, slices, nodes, settled = dict[Any, Note](), 0, 0, False
        while not settled:
            if slices == 0 or moves:
                solver, control = KeySolver(question), new_control()
                control.incumbent = INFEASIBLE
                [search] = solver.searches(control)
            before = search.nodes
            value, settled, exact = solver.settle(search, Opener(0, 2, work, tuple(known.values()) if moves else ()))
            assert 0 < value < INFEASIBLE
            known.update({(note.history, note.left): note for note in export_bounds(search)})
            slices, nodes, work = slices + 1, nodes + search.nodes - before, 2 * work
        assert (value, exact) == (total, True)
        trees = list(solver.trees(search, 2, value))
        assert trees[-1] is not None
        assert trees[-1].total == total
        steps.append(nodes)
        assert slices > 2 or work > 1 << 30
    whole, stays, moved = steps
    assert whole <= stays < 2 * whole
    assert moved < 4 * whole


def test_a_key_that_was_lost_on_the_way_is_sent_again() -> None:
    worker = Worker(KeySolver(KeyProblem(sparse(20, 10, 1), options=Options(1, "dask"))), 1)
    task = Task(INFEASIBLE, (Opener(0, 2, 1 << 30),), PATIENCE)
    first, again = worker.work(task), worker.work(task)
    worker.close()
    assert first.trees
    assert again.slices[0][:4] == first.slices[0][:4]
    assert again.trees == first.trees


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("backend", ["loky", "dask"])
def test_the_same_bytes_by_other_processes(backend: str, tmp_path: Path) -> None:
    if backend == "dask":
        pytest.importorskip("distributed")
    table, path = sparse(40, 16, 1), tmp_path / "journal"
    found = identify(table, objective="worst", backend=backend, jobs=2, journal=path)
    assert data_of(found) == data_of(identify(table, objective="worst"))
    assert status(path).status == "OPTIMAL"
