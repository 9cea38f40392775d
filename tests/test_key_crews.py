"""Keys by other processes: the same bytes as by threads, whoever works, stops or is killed."""

from __future__ import annotations

import json
import os
import pickle
import random
import signal
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from journals_util import openers_of
from patience import wait_for
from tables_util import flat_plan, flat_step, random_parts, stopping_after, table_of
from test_identify import sparse
from test_jobs import process, workers_of
from test_key_journals import data_of, hard
from textbook_tables import Textbook

from optimal._engine import INFEASIBLE, NO_LIMIT, Control
from optimal.errors import InputError, OptimalError
from optimal.journal.records import Note
from optimal.journal.status import status
from optimal.search import processes
from optimal.search.engine import new_control
from optimal.search.options import Options
from optimal.search.processes import Crew, Done, Office, Pack, Shareable, Sharing, Task
from optimal.search.result import Status
from optimal.tables import identify as identifying
from optimal.tables import offices
from optimal.tables.identify import identify
from optimal.tables.kinds import Kinds
from optimal.tables.offices import KeyOffice, KeyParcel
from optimal.tables.question import KeyQuestion
from optimal.tables.table import Table

posix = pytest.mark.skipif(os.name != "posix", reason="needs signals")


class Desks:
    """Two offices in this process, which open what is sent to them and lose some tasks; each task is done as soon as it
    is given."""

    def __init__(self, control: Control, pack: Pack, r: random.Random) -> None:
        self.control, self.pack, self.r = control, pack, r
        self.offices: dict[str, Office[Any]] = {}
        self.hands = {"a": 1, "b": 1}
        self.tasks: list[Task] = []

    def begin(self, question: Shareable, run: Sharing) -> None:
        parcel = pickle.loads(pickle.dumps(self.pack(question)))
        controls = {name: new_control() for name in self.hands}
        for name in controls:
            controls[name].incumbent = INFEASIBLE
        self.offices = {name: parcel.office(lambda limit, own=own: own) for name, own in controls.items()}

    def at_hand(self) -> Mapping[str, int]:
        return self.hands

    def give(self, name: str, task: Task) -> Future[Done]:
        self.tasks.append(task)
        future: Future[Done] = Future()
        future.set_result(pickle.loads(pickle.dumps(self.offices[name].do(pickle.loads(pickle.dumps(task))))))
        return future

    def result(self, name: str, future: Future[Done]) -> Done | None:
        return None if self.r.random() < 0.1 else future.result()

    def news(self) -> list[Note]:
        return [note for office in self.offices.values() for note in office.news()]


@pytest.fixture
def crews(monkeypatch: pytest.MonkeyPatch) -> list[Desks]:
    """`identify` with a backend other than threads has its tasks done by `Desks`, in short slices."""
    made: list[Desks] = []
    seeds = count()

    @contextmanager
    def crew_of(question: Shareable, pack: Pack) -> Iterator[tuple[Control, Crew | None]]:
        control = new_control()
        if question.options.backend == "threads":
            yield control, None
        else:
            made.append(Desks(control, pack, random.Random(next(seeds))))
            yield control, made[-1]

    monkeypatch.setattr(identifying, "crew_of", crew_of)
    monkeypatch.setattr(identifying, "_BEAMS", ((1, 0),))  # so that better keys are found by tasks
    monkeypatch.setattr(processes, "LOSSES", 100)
    monkeypatch.setattr(processes, "FIRST_LOOKS", 1)
    monkeypatch.setattr(processes, "LOOK", 0.0)
    monkeypatch.setattr(offices, "_LOOK", 64)
    monkeypatch.setattr(offices, "_LONG", 1024)
    return made


def question_of(r: random.Random, table: Table) -> dict[str, Any]:
    asked = table.questions
    openers = None if r.random() < 0.6 else sorted(r.sample(asked, r.randint(1, len(asked))), key=asked.index)
    return {
        "objective": r.choice(["mean", "worst"]),
        "limit": r.choice([None, None, r.randint(0, 6)]),
        "cost_limit": r.choice([None, None, None, r.randint(0, 20)]),
        "openers": openers,
    }


def test_the_key_is_the_textbooks(crews: list[Desks]) -> None:
    better = 0
    for seed in range(200):
        r = random.Random(seed)
        table = table_of(random_parts(r, 10))
        asked = question_of(r, table)
        openers = None if asked["openers"] is None else [table.questions.index(name) for name in asked["openers"]]
        want = Textbook(table).solve(asked["limit"], asked["objective"], openers, asked["cost_limit"])
        found = identify(table, backend="loky", jobs=2, **asked)
        if want is None:
            assert found.status is Status.INFEASIBLE, seed
            continue
        assert (found.status, found.value, found.bound) == (Status.OPTIMAL, want.value, want.value), seed
        assert found.key is not None
        assert flat_step(found.key.root) == flat_plan(want.plan), seed
        better += len({task.incumbent for task in crews[-1].tasks}) > 1
    assert sum(bool(crew.tasks) for crew in crews) > 40
    assert better > 2


def test_a_process_that_knows_less_raises_no_total(crews: list[Desks], monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them write to one incumbent, each after a look at it: what is found meanwhile is overwritten."""
    begin, news, late = Desks.begin, Desks.news, [0]

    def begun(desks: Desks, question: Shareable, run: Sharing) -> None:
        late[0] = desks.control.incumbent
        begin(desks, question, run)

    def told(desks: Desks) -> list[Note]:
        desks.control.incumbent = late[0]
        return news(desks)

    monkeypatch.setattr(Desks, "begin", begun)
    monkeypatch.setattr(Desks, "news", told)
    for seed in range(20):
        table = sparse(20, 10, seed)
        assert data_of(identify(table, backend="loky")) == data_of(identify(table)), seed


@pytest.mark.parametrize("objective", ["mean", "worst"])
def test_the_same_bytes_as_by_threads(objective: str, crews: list[Desks]) -> None:
    table = sparse(30, 14, 4)
    found = identify(table, objective=objective, backend="loky")
    assert data_of(found) == data_of(identify(table, objective=objective))
    [crew] = crews
    assert max(task.looks for task in crew.tasks) > 8  # slices grow
    assert any(notes for task in crew.tasks for _, notes in task.openers)
    assert found.nodes > sum(search.nodes for office in crew.offices.values() for search in office._searches[NO_LIMIT])


def test_a_run_goes_on_from_one_backend_to_another(
    crews: list[Desks], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taught = 0
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
            begun = [dict(task.openers) for task in crews[-1].tasks[:2]] if backend == "loky" and crews else []
            taught += any(notes for each in begun for notes in each.values())
        found = identify(table, journal=tmp_path / str(seed), backend="loky", **options)
        assert data_of(found) == data_of(want)
        standing = status(tmp_path / str(seed))
        assert (standing.status, standing.done) == ("OPTIMAL", standing.openers)
    assert taught > 1  # what the journal has travels with tasks


def test_what_travels_arrives_as_it_was_sent() -> None:
    table = table_of(random_parts(random.Random(3)))
    question = KeyQuestion(
        table, Kinds.of(table), NO_LIMIT, 40, options=Options(3, "loky", without=frozenset({"pairs"}))
    )
    parcel = pickle.loads(pickle.dumps(KeyParcel.of(question)))
    arrived = parcel.open(objective="worst")
    assert arrived.table == table
    assert (arrived.objective, arrived.purse, arrived.options) == ("worst", 40, question.options)
    others = ("another", *table.objects[1:])
    with pytest.raises(OptimalError, match="the table arrived there as another"):
        replace(parcel, table={**parcel.table, "objects": others}).open()


def test_slices_of_a_worker_go_on_in_another() -> None:
    """By notes: what is done again is less than all that was done."""
    table = sparse(45, 18, 3)
    question = KeyQuestion(table, Kinds.of(table), NO_LIMIT, INFEASIBLE)
    best = identify(table, openers=["q2"]).value

    def office() -> KeyOffice:
        control = new_control()
        control.incumbent = INFEASIBLE
        return KeyOffice(question, lambda limit: control)

    steps = []
    for looks, moves in ((1 << 30, False), (2, False), (2, True)):
        at, known, slices, nodes = office(), dict[Any, Note](), 0, 0
        while True:
            done = at.do(Task(NO_LIMIT, ((2, tuple(known.values())),), INFEASIBLE, looks))
            known.update({(note.history, note.left): note for note in done.notes})
            slices, nodes, looks = slices + 1, nodes + done.counters[0], 2 * looks
            if done.settled:
                break
            assert done.left is not None
            assert 0 < done.left[1] < INFEASIBLE
            at = office() if moves else at
        assert best is not None
        assert done.settled[0][1:3] == (best[0] // question.kinds.unit, True)
        assert done.trees[-1].total == best[0] // question.kinds.unit
        steps.append(nodes)
        assert slices > 2 or looks > 1 << 30
    whole, stays, moved = steps
    assert whole <= stays < 2 * whole
    assert moved < 4 * whole


def test_a_key_that_was_lost_on_the_way_is_sent_again() -> None:
    table = sparse(20, 10, 1)
    question = KeyQuestion(table, Kinds.of(table), NO_LIMIT, INFEASIBLE)
    control = new_control()
    control.incumbent = INFEASIBLE
    office, task = KeyOffice(question, lambda limit: control), Task(NO_LIMIT, ((2, ()),), INFEASIBLE, 1 << 30)
    first, again = office.do(task), office.do(task)
    assert first.trees
    assert again.settled[0][:3] == first.settled[0][:3]
    assert again.trees == first.trees


def test_memory_is_shared_out_to_all_processes() -> None:
    table = sparse(40, 16, 1)

    def slots(backend: str, limit: int | None) -> int:
        kinds = Kinds.of(table)
        options = Options(3, backend, memory_limit=limit)
        return KeyQuestion(table, kinds, NO_LIMIT, INFEASIBLE, options=options)._slots()

    assert slots("threads", 4 << 30) > slots("loky", 4 << 30)
    assert slots("loky", None) == 1 << 23
    with pytest.raises(InputError, match="a search of this table by 2 jobs needs about 233M of memory; the limit"):
        identify(table, backend="loky", jobs=2, memory_limit=200 << 20)


def test_bad_options() -> None:
    table = sparse(10, 5, 1)
    for options, said in (
        ({"backend": "pigeon"}, "no backend 'pigeon'; there are threads, loky, dask"),
        ({"scheduler": "tcp://127.0.0.1:1"}, "a scheduler is for the backend dask alone, not for threads"),
        ({"backend": "dask", "scheduler": ""}, "the scheduler must be an address"),
        ({"backend": "loky", "wait": -1}, "the wait"),
    ):
        with pytest.raises(InputError, match=said):
            identify(table, **options)


@pytest.mark.slow
@pytest.mark.parametrize("objective", ["mean", "worst"])
def test_the_same_bytes_by_processes(objective: str) -> None:
    table = sparse(40, 16, 1)
    found = identify(table, objective=objective, backend="loky", jobs=2)
    assert data_of(found) == data_of(identify(table, objective=objective))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_the_same_bytes_by_a_cluster(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    table = sparse(40, 16, 1)
    path = tmp_path / "journal"
    found = identify(table, backend="dask", jobs=2, journal=path)
    assert data_of(found) == data_of(identify(table))
    assert status(path).status == "OPTIMAL"


@contextmanager
def sharing(folder: Path) -> Iterator[tuple[Any, list[int]]]:
    """The command over a table that takes minutes, by two processes that have begun with their work."""
    hard(folder, 90)
    command = ("-m", "optimal", "identify", str(folder / "hard.csv"), "--cost-row", "price", "--backend", "loky")
    journal = folder / "journal"

    def begun() -> bool:
        """Whether the journal has what both of them did."""
        if not journal.exists():
            return False
        names = {one.worker.partition(":")[2] for one in openers_of(journal)}
        return {str(number) for number in workers_of(run.pid)} <= names and len(workers_of(run.pid)) == 2

    with process(folder, *command, "--jobs", "2", "--journal", str(journal), "--json") as run:
        wait_for(begun)
        yield run, workers_of(run.pid)


@posix
@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/proc/self/cmdline"), reason="needs /proc to find the workers")
@pytest.mark.parametrize("end", ["killed worker", "ctrl-c"])
def test_a_run_by_processes_ends_in_good_order(end: str, tmp_path: Path) -> None:
    with sharing(tmp_path) as (run, workers):
        if end == "ctrl-c":
            os.killpg(run.pid, signal.SIGINT)
        else:
            os.kill(workers[0], signal.SIGKILL)
        out, err = run.communicate()
    assert "Traceback" not in err
    if end == "ctrl-c":
        assert run.returncode == 130
        assert json.loads(out)["stop_reason"] == "interrupted"
    else:
        assert run.returncode == 2
        assert "a worker process was killed, perhaps for lack of memory" in err
    standing = status(tmp_path / "journal")
    assert standing.incumbent is not None
    assert standing.bound is not None
