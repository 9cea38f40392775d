"""The journals of tables: a run that is stopped, or killed, goes on, and comes to the same key."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from games_util import letters_game
from journals_util import contents_of, forge, openers_of
from tables_util import data_of, random_parts, search_of, sparse, stopping_after, table_of

from optimal._engine import INFEASIBLE, NO_LIMIT
from optimal.errors import InputError
from optimal.journal.file import JournalFile
from optimal.journal.ledger import export_ledger
from optimal.journal.records import Known, Note, OpenerRecord, TreeRecord, record_of_note
from optimal.journal.status import status
from optimal.plots.charts import plot_gap
from optimal.search import identify as identifying
from optimal.search.distinct_columns import DistinctColumns
from optimal.search.identify import identify
from optimal.search.key_result import Identification
from optimal.search.key_run import NO_CAP
from optimal.search.result import Status
from optimal.search.solve import solve
from optimal.tables.table import Table


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
        options: dict[str, Any] = {"objective": objective, "first": asked, "jobs": r.choice([1, 2])}
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
    shown = status(path)
    assert (shown.status, shown.incumbent, shown.bound) == ("OPTIMAL", first.total, first.total)
    assert (shown.left, shown.runs) == (0, 2)
    # Other first questions are another claim: the kept key is not its answer, bounds are of use.
    few = identify(table, journal=path, first=table.questions[3:5])
    assert data_of(few) == data_of(identify(table, first=table.questions[3:5]))


def test_what_is_known_of_others_does_not_count(path: str) -> None:
    r = random.Random(1)
    table = Table.from_arrays([[str(r.randrange(3)) for _ in range(8)] for _ in range(14)])
    for objective in ("mean", "worst"):
        name = f"{path} {objective}"
        best = identify(table, objective=objective, journal=name)
        for question in table.questions:
            asked: dict[str, Any] = {"objective": objective, "first": [question]}
            assert data_of(identify(table, journal=name, **asked)) == data_of(identify(table, **asked))
        assert data_of(identify(table, objective=objective, journal=name)) == data_of(best)


def test_a_better_key_stays(path: str, stopped: Callable[..., Identification]) -> None:
    table = sparse(40, 16, 1)
    best = identify(table, journal=path)
    assert best.key is not None
    others = [question for number, question in enumerate(table.questions) if number != best.key.root.question]
    assert stopped(table, 1, journal=path).status is Status.FEASIBLE
    for question in others[:3]:
        identify(table, first=[question], journal=path)
    [kept] = contents_of(path).trees.values()
    assert (kept.cost, kept.canonical) == (best.total, True)
    assert data_of(identify(table, journal=path)) == data_of(best)


def test_the_course_of_a_run_is_drawn(path: str) -> None:
    pytest.importorskip("matplotlib")
    identify(sparse(40, 16, 1), journal=path)
    [axes] = plot_gap(path).axes
    assert axes.get_title() == "table, mean: 16 of 16 first questions settled"
    assert axes.get_ylabel() == "weight x cost"
    assert str(status(path)).startswith("table, mean\n")


def test_what_is_noted_within_a_cost_counts_what_its_path_costs() -> None:
    """That there is no key for what is left after a question, within the rest of a cost, says nothing of more."""
    table = sparse(12, 8, 3)
    kinds, told = DistinctColumns.of(table), search_of(table)
    seen = 0
    for question, codes in enumerate(kinds.codes):
        price = int(kinds.costs[question])
        for cost in range(price + 1, 30, 3):
            left = np.flatnonzero(codes == 0).astype(np.int32)
            if len(left) > 1 and search_of(table).canonical(left, NO_LIMIT, cost - price)[0] >= INFEASIBLE:
                told.import_bounds(((question, 0),), NO_LIMIT, INFEASIBLE, 0, 0, 65535, 0, cost)
                seen += 1
        for cost in range(price + 1, 40):
            assert told.opener(question, cost_left=cost) == search_of(table).opener(question, cost_left=cost)
    assert seen > 20


def test_notes_that_can_not_be_are_refused() -> None:
    table = sparse(12, 8, 3)
    search = search_of(table)
    good = {"limit": NO_LIMIT, "value": 30, "exact": 0, "height": 0, "question": 65535, "any": 0}
    sound = {**good, "value": 1000, "exact": 1, "question": 1}
    many = int((DistinctColumns.of(table).codes[0] == 0).sum())
    search.import_bounds(((0, 0),), **good)
    changes: list[tuple[dict[str, Any], str]] = [
        ({"history": ()}, "no such value"),
        ({"history": ((99, 0),)}, "no such question"),
        ({"history": ((0, 9),)}, "nothing is left"),
        *(({"limit": limit}, "no such limits") for limit in (11, 0, -1, -1000)),
        *(({"value": value}, "no such value") for value in (-1, INFEASIBLE + 1)),
        ({"value": 1, "exact": 1}, "no such value"),
        ({"any": 1}, "no such value"),
        *(({**sound, "height": height}, "no such value") for height in (0, many)),
        ({**sound, "limit": 2, "height": 3}, "no such value"),  # a key of this height keeps to no such limit
        *(({"cost_left": purse}, "no such limits") for purse in (0, -1, -INFEASIBLE, INFEASIBLE + 1)),
    ]
    for change, said in changes:
        with pytest.raises(ValueError, match=said):
            search.import_bounds(**{"history": ((0, 0),), **good, **change})
    search_of(table).import_bounds(((0, 0),), **{**sound, "height": many - 1})


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
    rows, names, kinds = [["a"], ["a"], ["b"]], ["tits", "tits", None], path + "4"
    identify(Table.from_arrays(rows, groups=names), journal=kinds)
    with pytest.raises(InputError, match="its table sha256 is"):
        identify(Table.from_arrays(rows, groups=["larks", "larks", None]), journal=kinds)
    # What the table is called doesn't matter.
    identify(table_of(random_parts(random.Random(5)), "another"), journal=path, limit=7, cost_limit=90)


def known_of(kind: type[Known], **changes: Any) -> Callable[[Known], Known]:
    return lambda known: known._replace(**changes) if isinstance(known, kind) else known


def scratched(known: Known) -> Known:
    return known._replace(data=known.data[:-1]) if isinstance(known, TreeRecord) else known


UNCERTAIN = known_of(TreeRecord, canonical=False)


@pytest.mark.parametrize(
    ("changes", "objective"),
    [
        ([UNCERTAIN, known_of(OpenerRecord, lower=0, exact=True)], "mean"),
        ([UNCERTAIN, known_of(OpenerRecord, lower=INFEASIBLE - 1, exact=False)], "mean"),
        *(([known_of(TreeRecord, cost=1)], objective) for objective in ("mean", "worst")),
        *(([scratched], objective) for objective in ("mean", "worst")),
        ([], "mean"),
    ],
)
def test_what_can_not_be_is_refused_in_a_line(
    changes: list[Callable[[Known], Known]], objective: str, path: str
) -> None:
    table = sparse(40, 16, 1)
    identify(table, objective=objective, journal=path)
    for change in changes:
        forge(path, change)
    if not changes:
        with closing(JournalFile(path)) as file:
            file.append([record_of_note(NO_CAP, Note(((3, 0),), -1000, 5, 0, 0, 65535, 0))])
    with pytest.raises(InputError, match="is damaged: ") as caught:
        identify(table, objective=objective, journal=path)
    assert "\n" not in str(caught.value)


def test_a_worst_case_of_no_question_is_resumed(path: str) -> None:
    """The journal tells that no key of no questions begins with the one that was named; but a key may ask none."""
    alike = Table.from_arrays([["a"], ["b"]], groups=["x", "x"])
    assert identify(alike, objective="worst", first=["question 1"], journal=path).value == (1, 2)
    assert identify(alike, objective="worst", journal=path).value == (0, 0)
