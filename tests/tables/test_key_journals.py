"""The journals of tables: a run that is stopped, or killed, goes on, and comes to the same key."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_util import environment
from games_util import letters_game
from journals_util import forge, openers_of
from tables_util import data_of, hard, random_parts, search_of, sparse, stopping_after, table_of

from optimal._engine import INFEASIBLE, NO_LIMIT, KeySearch
from optimal.errors import InputError
from optimal.journal.file import JournalFile, read_journal
from optimal.journal.ledger import export_ledger
from optimal.journal.records import Contents, Known, Note, OpenerRecord, TreeRecord, record_of_note
from optimal.journal.status import status
from optimal.plots.charts import plot_gap
from optimal.search import identify as identifying
from optimal.search.distinct_columns import DistinctColumns
from optimal.search.identify import Identification, identify
from optimal.search.key_run import NO_CAP
from optimal.search.result import Status
from optimal.search.solve import solve
from optimal.tables.table import Table

posix = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "run.journal")


@pytest.fixture
def stopped(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Identification]:
    """`identify` in short slices, stopped when it has told so often where it stands."""

    def run(table: Table, after: int, **options: Any) -> Identification:
        with stopping_after(monkeypatch, after) as patched:
            patched.setattr(identifying, "_FIRST_SLICE", 64)
            return identify(table, **options)

    return run


def check_bounds(path: str, table: Table, openers: Sequence[int]) -> None:
    """No bound in the journal is more than what is true."""
    kinds = DistinctColumns.of(table)
    even = bool((kinds.costs == kinds.costs[0]).all() and kinds.costs[0])
    for one in openers_of(path):
        limit, purse = NO_LIMIT, INFEASIBLE
        if one.limit is not None and one.limit < NO_CAP:
            level = one.limit // kinds.cost_unit
            limit, purse = (level, INFEASIBLE) if even else (NO_LIMIT, level)
        value = search_of(table).opener(one.place, limit, purse)[0]
        true = INFEASIBLE if value >= INFEASIBLE else value * kinds.unit
        assert one.lower == true if one.exact else one.lower <= true


@pytest.mark.parametrize("objective", ["mean", "worst"])
def test_a_run_that_is_stopped_again_and_again_comes_to_the_same_key(
    objective: str, stopped: Callable[..., Identification], path: str
) -> None:
    ends = 0
    for seed in range(30):
        r = random.Random(seed)
        table = table_of(random_parts(r, 14))
        asked = None if r.random() < 0.6 else list(table.questions[: r.randint(1, len(table.questions))])
        options: dict[str, Any] = {"objective": objective, "openers": asked, "jobs": r.choice([1, 2])}
        want = identify(table, **options)
        name = f"{path}{seed}"
        for after in range(1, 60, r.randint(1, 5)):
            found = stopped(table, after, journal=name, **options)
            if found.bound is not None and want.value is not None:
                assert found.bound <= want.value
            check_bounds(name, table, range(len(table.questions)))
            ends += 1
            if found.status in (Status.OPTIMAL, Status.INFEASIBLE):
                break
        found = identify(table, journal=name, **options)
        assert found.status is want.status
        assert (found.key is None) == (want.key is None)
        if want.key is not None:
            assert data_of(found) == data_of(want)
            assert status(name).done == status(name).openers
        assert status(name).status == want.status.value
    assert ends > 60


def test_a_run_that_is_done_is_not_done_again(path: str) -> None:
    table = sparse(40, 16, 1)
    first = identify(table, journal=path)
    again = identify(table, journal=path)
    assert data_of(first) == data_of(again)
    assert again.nodes < first.nodes / 10
    standing = status(path)
    assert (standing.status, standing.incumbent, standing.bound, standing.left) == (
        "OPTIMAL",
        first.total,
        first.total,
        0,
    )
    assert standing.runs == 2
    # Other first questions are another claim: the kept key is not its answer, bounds are of use.
    few = identify(table, journal=path, openers=table.questions[3:5])
    assert data_of(few) == data_of(identify(table, openers=table.questions[3:5]))


def test_what_is_known_of_others_does_not_count(path: str) -> None:
    r = random.Random(1)
    table = Table.from_arrays([[str(r.randrange(3)) for _ in range(8)] for _ in range(14)])
    for objective in ("mean", "worst"):
        name = f"{path} {objective}"
        best = identify(table, objective=objective, journal=name)
        for question in table.questions:
            asked: dict[str, Any] = {"objective": objective, "openers": [question]}
            assert data_of(identify(table, journal=name, **asked)) == data_of(identify(table, **asked))
        assert data_of(identify(table, objective=objective, journal=name)) == data_of(best)


def test_a_better_key_stays(path: str, stopped: Callable[..., Identification]) -> None:
    def kept() -> tuple[int, bool]:
        [record] = Contents(str(path), read_journal(path).records).trees.values()
        return record.cost, record.canonical

    table = sparse(40, 16, 1)
    best = identify(table, journal=path)
    assert best.total is not None
    assert best.key is not None
    assert kept() == (best.total, True)
    assert stopped(table, 1, journal=path).status is Status.FEASIBLE
    assert kept() == (best.total, True)
    others = [question for number, question in enumerate(table.questions) if number != best.key.root.question]
    for question in others[:3]:
        identify(table, openers=[question], journal=path)
    assert kept() == (best.total, True)
    assert data_of(identify(table, journal=path)) == data_of(best)


def test_the_course_of_a_run_is_drawn(path: str) -> None:
    pytest.importorskip("matplotlib")
    identify(sparse(40, 16, 1), journal=path)
    [axes] = plot_gap(path).axes
    assert axes.get_title() == "table, mean: 16 of 16 first questions settled"
    assert axes.get_ylabel() == "weight x cost"
    assert str(status(path)).startswith("table, mean\n")


@pytest.mark.slow
def test_what_is_noted_is_true_and_is_of_use() -> None:
    table = sparse(70, 26, 5)
    kinds = DistinctColumns.of(table)
    used = 0
    for any_key, purse in ((False, INFEASIBLE), (True, 24)):
        search = search_of(table)
        search.record_bounds()

        def work(search: KeySearch, steps: int = -1, any_key: bool = any_key, purse: int = purse) -> object:
            return search.feasible(cost_left=purse, work=steps) if any_key else search.opener(3, work=steps)

        work(search, 50_000_000)
        notes = search.export_bounds()
        assert search.export_bounds() == []
        another = search_of(table)
        for history, left, value, exact, height, question, of_any in notes:
            another.import_bounds(history, left, value, exact, height, question, of_any, purse)
        for history, left, value, exact, _, _, of_any in notes[:: max(1, len(notes) // 40)]:
            codes, rest = kinds.codes, purse
            inside = np.ones(codes.shape[1], dtype=bool)
            for question, code in history:
                inside &= codes[question] == code
                rest = rest if rest >= INFEASIBLE else rest - int(kinds.costs[question])
            members = np.flatnonzero(inside).astype(np.int32)
            true = search_of(table).canonical(members, left, rest)[0]
            if of_any:
                assert (value == 0) == (true < INFEASIBLE)
            else:
                assert value == true if exact else value <= true
            used += 1
        begun = another.steps
        work(search)
        work(another)
        assert another.steps - begun < search.steps
    assert used > 20


def test_notes_that_can_not_be_are_refused() -> None:
    table = sparse(12, 8, 3)
    search = search_of(table)
    good: dict[str, Any] = {"history": ((0, 0),), "limit": NO_LIMIT, "value": 30, "exact": 0}
    rest: dict[str, Any] = {"height": 0, "question": 65535, "any": 0}
    search.import_bounds(**good, **rest)
    changes: list[tuple[dict[str, Any], str]] = [
        ({"history": ()}, "no such value"),
        ({"history": ((99, 0),)}, "no such question"),
        ({"history": ((0, 9),)}, "nothing is left"),
        ({"limit": 11}, "no such limits"),
        ({"limit": 0}, "no such limits"),
        ({"limit": -1}, "no such limits"),
        ({"limit": -1000}, "no such limits"),
        ({"value": -1}, "no such value"),
        ({"value": INFEASIBLE + 1}, "no such value"),
        ({"value": 1, "exact": 1}, "no such value"),
    ]
    for change, said in changes:
        with pytest.raises(ValueError, match=said):
            search.import_bounds(**{**good, **change}, **rest)
    with pytest.raises(ValueError, match="no such value"):
        search.import_bounds(**good, **{**rest, "any": 1})
    many = int((DistinctColumns.of(table).codes[0] == 0).sum())
    for limit, height in ((NO_LIMIT, 0), (NO_LIMIT, many), (2, 3)):  # a key of this height keeps to no such limit
        with pytest.raises(ValueError, match="no such value"):
            search_of(table).import_bounds(((0, 0),), limit, 1000, 1, height, 1, 0)
    search_of(table).import_bounds(((0, 0),), NO_LIMIT, 1000, 1, many - 1, 1, 0)
    for purse in (0, -1, -INFEASIBLE, INFEASIBLE + 1):
        with pytest.raises(ValueError, match="no such limits"):
            search.import_bounds(**good, **rest, cost_left=purse)


def test_a_journal_of_another_question_is_refused(path: str) -> None:
    table = table_of(random_parts(random.Random(5)))
    identify(table, journal=path, limit=7, cost_limit=90)
    other = table_of(random_parts(random.Random(6)))
    cases: list[tuple[Table, dict[str, Any], str]] = [
        (other, {}, "its table sha256 is"),
        (table, {"limit": 8}, "its limit of questions is '7', here it is '8'"),
        (table, {"cost_limit": None}, "its limit of cost is '90', here it is 'none'"),
        (table, {"objective": "worst"}, "its objective is 'mean', here it is 'worst'"),
    ]
    for of, options, said in cases:
        with pytest.raises(InputError, match=said):
            identify(of, journal=path, **{"limit": 7, "cost_limit": 90, **options})
    with pytest.raises(InputError, match="is of a table, not of a game"):
        solve(letters_game("journal", 10, 2), journal=path)
    game = path + "2"
    solve(letters_game("journal", 10, 2), journal=game)
    with pytest.raises(InputError, match="is of a game, not of a table"):
        identify(table, journal=game)
    with pytest.raises(InputError, match="the journal of a table"):
        export_ledger(path, path + ".xz")
    worst = path + "3"
    solve(letters_game("journal", 10, 2), objective="worst", journal=worst)
    with pytest.raises(InputError, match="under several limits"):
        export_ledger(worst, path + ".xz")
    # What the table is called doesn't matter.
    identify(table_of(random_parts(random.Random(5)), "another"), journal=path, limit=7, cost_limit=90)


@pytest.mark.parametrize("objective", ["mean", "worst"])
def test_what_can_not_be_is_refused_in_a_line(
    objective: str, stopped: Callable[..., Identification], path: str
) -> None:
    table = sparse(40, 16, 1)

    def known_of(kind: type[Known], **changes: Any) -> Callable[[Known], Known]:
        return lambda known: known._replace(**changes) if isinstance(known, kind) else known

    def scratched(known: Known) -> Known:
        return known._replace(data=known.data[:-1]) if isinstance(known, TreeRecord) else known

    for number, change in enumerate(
        (
            known_of(OpenerRecord, lower=0, exact=True),
            known_of(OpenerRecord, lower=INFEASIBLE - 1, exact=False),
            known_of(TreeRecord, cost=1),
            scratched,
        )
    ):
        name = f"{path}{number}"
        stopped(table, 1 << 30, objective=objective, journal=name)
        if number < 2:
            if objective == "worst":
                continue  # what is refuted there has no value
            forge(name, known_of(TreeRecord, canonical=False))
        forge(name, change)
        with pytest.raises(InputError, match="is damaged: ") as caught:
            identify(table, objective=objective, journal=name)
        assert "\n" not in str(caught.value)


def test_a_note_that_can_not_be_is_refused(path: str) -> None:
    table = sparse(40, 16, 1)
    identify(table, journal=path)
    note = Note(((3, 0),), -1000, 5, 0, 0, 65535, 0)
    with closing(JournalFile(path)) as file:
        file.append([record_of_note(NO_CAP, note)])
    with pytest.raises(InputError, match="is damaged: "):
        identify(table, journal=path)


def command(folder: Path, *words: str) -> list[str]:
    return [sys.executable, "-m", "optimal", "identify", str(folder / "hard.csv"), "--cost-row", "price", *words]


@pytest.fixture(scope="module")
def least(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The key of that table, of a run that nothing interrupts."""
    return data_of(identify(hard(tmp_path_factory.mktemp("hard"))))


@posix
@pytest.mark.parametrize(
    "number",
    [pytest.param(signal.SIGKILL, marks=pytest.mark.slow), pytest.param(signal.SIGINT, marks=pytest.mark.long)],
)
def test_a_run_that_is_killed_goes_on(number: signal.Signals, tmp_path: Path, path: str, least: bytes) -> None:
    hard(tmp_path)
    words = command(tmp_path, "--journal", path, "--output", str(tmp_path / "hard.key"))
    with subprocess.Popen(words, env=environment(), stderr=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
        for _ in range(3000):
            time.sleep(0.02)
            if Path(path).exists() and Path(path).stat().st_size and status(path).incumbent is not None:
                break
        process.send_signal(number)
        _, said = process.communicate()
    standing = status(path)
    assert standing.incumbent is not None  # the key is kept
    if number is signal.SIGINT:
        assert process.returncode == 130
        assert f"{path} has what is proven" in re.sub(r"\s+", " ", said.decode())
        assert (standing.status, standing.stop_reason) == ("FEASIBLE", "interrupted")
    else:
        assert standing.status in ("interrupted", "OPTIMAL")
    done = subprocess.run(words, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "hard.key").read_bytes() == least
    assert status(path).status == "OPTIMAL"


def test_a_worst_case_of_no_question_is_resumed(path: str) -> None:
    """The journal tells that no key of no questions begins with the one that was named; but a key may ask none."""
    alike = Table.from_arrays([["a"], ["b"]], groups=["x", "x"])
    assert identify(alike, objective="worst", openers=["question 1"], journal=path).value == (1, 2)
    assert identify(alike, objective="worst", journal=path).value == (0, 0)


def test_a_group_of_another_name_is_another_question(path: str) -> None:
    rows, names = [["a"], ["a"], ["b"]], ["tits", "tits", None]
    identify(Table.from_arrays(rows, groups=names), journal=path)
    with pytest.raises(InputError, match="belongs to another"):
        identify(Table.from_arrays(rows, groups=["larks", "larks", None]), journal=path)
