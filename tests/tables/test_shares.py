"""Tables whose forms aren't written out: the state of a search is the objects left, each with a share of its weight."""

from __future__ import annotations

import random
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tables_util import random_varying
from textbook_tables import Varying

from optimal import Key, Table, TreeFileError, identify, verify_key
from optimal._engine import INFEASIBLE, ShareSearch, fail_allocation
from optimal.advice.asking import Asker
from optimal.advice.questions import rest_of
from optimal.errors import InputError
from optimal.search import share_improving, share_run
from optimal.search.engine import new_control
from optimal.search.rules_of_thumb import by_rules
from optimal.tables import making
from optimal.tables.overlaps import apart, covers
from optimal.tables.table import VaryingTable
from optimal.trees.key_export import FORMS
from optimal.trees.keycodec import PackedCells


@pytest.fixture(autouse=True)
def few_forms(monkeypatch: pytest.MonkeyPatch) -> None:
    """No forms are written out, so that small tables are searched by shares."""
    monkeypatch.setattr(making, "MOST_FORMS", 0)


def table_of(varying: Varying) -> VaryingTable:
    table = varying.table()
    assert isinstance(table, VaryingTable)
    return table


def search_of(table: VaryingTable, *, bounds: bool = True) -> ShareSearch:
    weights = np.array(table.object_weights, dtype=np.int64)
    kept = (apart(table.cells, table.kinds, table.groups) & bounds).astype(np.uint8)
    over = covers(table.cells, table.kinds, table.groups, table.costs) if bounds else [[] for _ in table.objects]
    return ShareSearch(table.cells, table.kinds, weights, table.groups, kept, over, table.costs, new_control())


@pytest.mark.parametrize("part", range(4))
def test_least_keys_are_those_of_the_definition(part: int) -> None:
    for seed in range(200 * part, 200 * part + 200):
        varying = random_varying(random.Random(seed))
        table, least = table_of(varying), varying.least()
        assert least is not None
        exactly = least * table.weight_sum * table.cost_scale
        want = int(exactly)
        assert want == exactly
        search = search_of(table)
        assert search.search([])[:2] == search_of(table, bounds=False).search([])[:2] == (want, True), seed
        built = search.build([])
        assert built is not None
        assert built[1] == want
        for budget in {want // 2, want * 4 // 5, max(want - 1, 0), want, want + 1}:
            again = search_of(table)
            for _ in range(2):  # it knows more the second time
                found, exact, ended = again.search([], budget=budget)
                assert ended
                assert (
                    (found, exact) == (want, True)
                    if want < budget
                    else (found, exact) == (want, want == 0) or (not exact and budget <= found <= want)
                ), seed
        for number, (width, solved) in enumerate([(1, 0), (2, 2), (1, 3)]):
            beam = {"round": number, "width": width, "solved": solved}
            found, exact, _ = search.search([], **beam)
            built = search.build([], **beam)
            assert built is not None
            assert built[1] == found >= want


@pytest.mark.parametrize("together", [False, True])
def test_values_are_those_without_bounds(together: bool) -> None:
    """Shares come in another order once they are divided, and sums of groups in any."""
    for seed in range(400):
        r = random.Random(seed)
        n, cells = r.randint(7, 9), [frozenset("ab"), *[frozenset("a"), frozenset("b")] * 4]
        rows = tuple(tuple(r.choices(cells, k=5)) for _ in range(n))
        weights = tuple(r.choice([1, 2, 3, 5, 8, 13, 21]) for _ in range(n))
        groups = tuple(r.randrange(5) if together else place for place in range(n))
        table = table_of(Varying(rows, weights, (1,) * 5, groups))
        assert search_of(table).search([])[:2] == search_of(table, bounds=False).search([])[:2], seed


def test_what_a_stopped_search_says_is_a_bound() -> None:
    for seed in range(60):
        varying = random_varying(random.Random(seed))
        table = table_of(varying)
        want, search = search_of(table).search([])[0], search_of(table)
        for work in count(1, 5):
            found, _, ended = search_of(table).search([], work=work, budget=want // 2)
            assert found <= want
            found, exact, ended = search.search([], work=work)
            assert found <= want
            if ended:
                assert (found, exact) == (want, True)
                break
    for after in range(40):  # and one that runs out of memory says nothing
        fail_allocation(after)
        try:
            assert search_of(table).search([])[0] == want
        except MemoryError:
            pass
        finally:
            fail_allocation(-1)


@pytest.mark.parametrize("seed", range(40))
def test_keys_are_as_cheap_as_with_forms(seed: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    r = random.Random(seed)
    varying = random_varying(r)
    table = table_of(varying)
    if seed % 2:  # weights that are rounded down: bounds, and keys all the same
        weights = tuple(weight << 70 for weight in table.object_weights)
        table = VaryingTable(**{**vars(table), "object_weights": weights, "weight_scale": table.weight_scale << 70})
    found, openers = identify(table), r.sample(table.questions, 2) if len(table.questions) > 1 else None
    assert found.key is not None
    restricted = identify(table, first=openers)
    rules = {rule: key.mean for rule, key in by_rules(table)}
    assert min(rules.values()) >= found.key.mean
    monkeypatch.undo()
    forms = varying.table()
    assert rules == {rule: key.mean for rule, key in by_rules(forms) if rule in rules}
    assert not isinstance(forms, VaryingTable)
    place = r.randrange(len(table.questions))
    turns = [(table.questions[place], table.replies[place][:2])]
    left, rest = rest_of(table, turns), rest_of(forms, turns)
    if left is None or rest is None:
        assert left is rest
    else:
        assert getattr(identify(left).key, "mean", 0) == getattr(identify(rest).key, "mean", 1)
    for one, other in ((found, identify(forms)), (restricted, identify(forms, first=openers))):
        assert one.key is not None
        assert other.key is not None
        assert one.key.mean == other.key.mean
        assert one.bound is not None
        assert one.bound[0] <= one.key.total
        assert str(one.status) == ("OPTIMAL" if one.bound == one.value else "FEASIBLE")
        assert seed % 2 or str(one.status) == "OPTIMAL"
        check = verify_key(one.key, table)
        assert check.ok, check.problems
        again = Key.from_bytes(one.key.to_bytes())
        assert again == one.key
        assert again.table == table
        for form in FORMS.values():
            assert "".join(form(one.key))
        assert one.key.paths(table.objects[0])


def test_a_key_gets_better_until_its_table_is_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(share_run, "_BEAMS", ((1, 0),))
    monkeypatch.setattr(share_run, "_SLICE", 1 << 12)
    monkeypatch.setattr(share_improving, "_EFFORTS", ((2, 2, 1 << 12), (3, 4, 1 << 14)))
    r = random.Random(5)
    rows = [[r.choice(["a", "b", "c", "a", "b", "c", "?", "a/b"]) for _ in range(14)] for _ in range(24)]
    table, news = Table.from_arrays(rows, costs=[r.randint(1, 4) for _ in range(14)]), []
    assert isinstance(table, VaryingTable)
    monkeypatch.setattr(share_run, "REPORT_EVERY", 0)
    found = identify(table, progress=lambda now: news.append((now.incumbent, now.bound)))
    assert str(found.status) == "OPTIMAL"
    totals = [total for total, _ in news if total is not None]
    assert totals == sorted(totals, reverse=True)
    assert totals[0] > totals[-1] == found.total
    assert all(bound is None or bound <= found.total for _, bound in news)
    stopped = identify(table, gap="30%")
    assert (str(stopped.status), stopped.stop_reason) == ("FEASIBLE", "gap")


@pytest.mark.parametrize("seed", range(40))
def test_a_key_is_asked_on_where_a_reply_is_not_known(seed: int) -> None:
    r = random.Random(3000 + seed)
    varying = random_varying(r)
    key = identify(table_of(varying)).key
    assert key is not None
    asker = Asker(key)
    while True:
        gone = frozenset(key.questions.index(question) for question, _ in asker.turns)
        assert (asker.question is None) is varying.settled(frozenset(asker.places), gone)
        if asker.question is None:
            break
        asker.skip() if r.random() < 0.4 else asker.feed(r.choice(asker.replies))


def test_what_needs_forms_is_refused() -> None:
    rows = [["?"] * 18, ["a"] * 18, ["b"] * 18]
    table = Table.from_arrays(rows)
    assert isinstance(table, VaryingTable)
    assert table.variants == 2**18 + 2
    assert table.unresolved_names(9) == [(("object 1", "object 2"), True), (("object 1", "object 3"), True)]
    for name, arguments in (("codes", None), ("members", [[]]), ("where", [np.arange(1)])):
        with pytest.raises(InputError, match="262146 forms in all, more than the 65535 that can be written out"):
            getattr(table, name)(*(arguments or ()))
    how: dict[str, Any]
    for how in ({"objective": "worst"}, {"limit": 3}, {"cost_limit": 3}, {"journal": "j"}, {"backend": "loky"}):
        with pytest.raises(InputError, match="too many to be written out: then there is no objective but mean"):
            identify(table, **how)
    with pytest.raises(
        InputError, match=r"'object 1' has \d+ forms, and shares of its weight can't be held .* 128 bits"
    ):
        Table.from_arrays([["?"] * 130, ["a"] * 130, ["b"] * 130])
    wide = Table.from_arrays([["?"] * 90 + ["x"], ["a"] * 90 + ["y"], ["b"] * 90 + ["y"]])
    key = identify(wide).key  # of numbers of 90 bits
    assert key is not None
    assert Key.from_bytes(key.to_bytes()) == key
    assert verify_key(key).ok
    assert key.total < INFEASIBLE**2


def test_files_of_such_keys_are_checked() -> None:
    key = identify(table_of(random_varying(random.Random(3)))).key
    assert key is not None
    packed = key.packed
    assert isinstance(packed, PackedCells)
    cases: list[tuple[dict[str, Any], str]] = [
        ({"kinds": packed.kinds[:-1]}, "kinds has"),
        ({"kinds": tuple(of[::-1] + of[:1] for of in packed.kinds)}, "a cell is there twice"),
        ({"codes": b"\xff" * len(packed.codes)}, "no such cell"),
        ({"weights": (packed.weights[0] + 1, *packed.weights[1:])}, "not whole"),
        ({"weights": (10**61, *packed.weights[1:])}, "no large number"),
    ]
    for change, told in cases:
        for name, value in change.items():
            spoilt = Key(**{**vars(key), "packed": type(packed)(**{**vars(packed), name: value})})
            with pytest.raises(TreeFileError, match=told):
                Key.from_bytes(spoilt.to_bytes())
    cases = [
        ({"total": key.total + 1, "value": (key.total + 1,)}, "the total is said to be"),
        ({"asked": key.asked + 1}, "the weight of the questions asked is said"),
    ]
    for change, told in cases:
        problems = verify_key(Key(**{**vars(key), **change})).problems
        assert any(told in problem for problem in problems), problems
