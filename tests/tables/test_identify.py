"""The search for the least key of a table, against the textbook and against what is known."""

from __future__ import annotations

import random
import re
import threading
import time

import numpy as np
import pytest
from tables_util import against_textbook, plain, question_of, random_parts, search_of, sorting, sparse, table_of
from textbook_tables import Textbook

from optimal._engine import INFEASIBLE, KEY_SWITCHES, NO_LIMIT, Control, KeySearch, KeyTable, Stopped, fail_allocation
from optimal.errors import InputError
from optimal.search import key_improving
from optimal.search.distinct_columns import DistinctColumns
from optimal.search.identify import SWITCHES, identify
from optimal.search.key_improving import Improver
from optimal.search.key_problem import KeyProblem
from optimal.search.key_run import KeyRun
from optimal.search.result import Status
from optimal.tables.table import Table


def check(seed: int, without: frozenset[str], most: int = 8) -> None:
    """A random question about a random table."""
    r = random.Random(seed)
    table = table_of(random_parts(r, most))
    against_textbook(table, seed, **question_of(r, table), without=without)


@pytest.mark.parametrize("part", range(4))
def test_the_key_is_the_textbooks(part: int) -> None:
    for seed in range(150 * part, 150 * part + 150):
        check(seed, frozenset())
    for seed in range(10 * part, 10 * part + 10):
        check(1000 + seed, frozenset(), 12)


@pytest.mark.parametrize("switch", sorted(SWITCHES))
def test_no_switch_changes_a_key(switch: str) -> None:
    for seed in range(60):
        check(2000 + seed, frozenset({switch}))
    for seed in range(8):
        check(3000 + seed, SWITCHES - {switch}, 11)


def test_budgets_slices_beams_and_bounds_keep_their_promises() -> None:
    for seed in range(4000, 4080):
        r = random.Random(seed)
        table = table_of(random_parts(r))
        limit, purse = r.choice([NO_LIMIT, r.randint(0, 6)]), r.choice([INFEASIBLE, INFEASIBLE, r.randint(0, 20)])
        kinds = DistinctColumns.of(table)
        paid = None if purse == INFEASIBLE else purse * kinds.cost_unit
        book = Textbook(table)
        want = book.solve(None if limit == NO_LIMIT else limit, cost_limit=paid)
        value = INFEASIBLE if want is None else want.value[0] // kinds.unit
        for budget in {max(value - 2, 0), value, min(value + 1, INFEASIBLE)}:
            found, ended = search_of(table).value(limit, purse, budget)
            assert ended
            assert found == value if value < budget else budget <= found <= value
        search = search_of(table)
        assert search.feasible(limit, purse) is (want is not None)
        for question in range(len(table.questions)):
            assert search.bound(question, limit, purse) <= search.opener(question, limit, purse)[0]
        for number, (width, solved) in enumerate([(1, 0), (2, 3), (3, 0)]):
            assert search.beam(number, width, solved, limit, purse) >= value
        sliced, lows = search_of(table), []
        for work in range(1, 2000):
            found, ended = sliced.value(limit, purse, INFEASIBLE, work)
            lows.append(found)
            if ended:
                break
        assert lows[-1] == value
        assert max(lows) == value


def test_keys_are_improved_within_limits_and_never_below_the_least(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the worst of keys: each part asks what splits it least."""
    monkeypatch.setattr(key_improving, "_EFFORTS", ((2, 3, 1 << 12), (4, 5, 1 << 12)))
    better = 0
    for seed in range(60):
        r = random.Random(seed)
        codes = [[int(r.random() < 0.3) for _ in range(12)] for _ in range(9)]
        table = table_of(plain(codes, weights=[r.randint(1, 5) for _ in range(12)], costs=[1, 2, 3] * 3))
        limit, cost_limit = r.choice([(None, None), (8, None), (None, 14)])
        first = r.choice([None, (3, 4)])
        run = KeyRun(KeyProblem(table, "mean", limit, cost_limit, first))
        run.hold(run.grow(run.searches[0], 3 if first else -1, round=0))
        if run.best_key is None or not run.fits(run.best_key):
            continue
        before, improver = run.best_key.total, Improver(run, run.searches[0])
        improver.improve(1 << 22)
        openers = None if first is None else ["q3", "q4"]
        least = identify(table, limit=limit, cost_limit=cost_limit, first=openers)
        assert least.total is not None
        assert least.total <= run.key(run.best_key, 0).total <= before * run.columns.unit  # counted anew by `Key.of`
        assert run.fits(run.best_key)
        better += run.best_key.total < before
    assert better > 10


def test_a_large_table_ends_with_better_than_greedy_keys() -> None:
    r = random.Random(1)
    rows, costs = (
        [[int(r.random() < 0.15) for _ in range(60)] for _ in range(200)],
        [r.randint(1, 9) for _ in range(60)],
    )
    table = Table.from_arrays(rows, costs=costs, weights=[1000 // (1 + r.randrange(300)) for _ in rows])
    run = KeyRun(KeyProblem(table))
    run.hold(run.grow(run.searches[0], -1))
    assert run.best_key is not None
    before, improver = run.best_key.total, Improver(run, run.searches[0])
    for _ in range(4):
        improver.improve(1 << 22)
    assert run.best_key.total < 0.94 * before
    found = identify(table, gap="60%")
    report = str(found)
    assert re.search(r"cost +[\d.]+ expected, none below [\d.]+ \(\d+\.\d %\), \d+ at most", report), report


def test_whether_there_is_a_key_doesnt_hang_on_stops() -> None:
    """What a stopped search keeps is so: nothing of what keys cost, where all that is asked is whether there is one."""
    there = 0
    for seed in range(300):
        r = random.Random(seed)
        table = table_of(random_parts(r, 12))
        limit, purse = r.choice([(NO_LIMIT, r.randint(3, 10)), (r.randint(1, 4), INFEASIBLE)])
        want, sliced = search_of(table).feasible(limit, purse), search_of(table)
        answers = (sliced.feasible(limit, purse, work) for work in range(1, 3000))
        assert next(answer for answer in answers if answer is not None) is want, seed
        there += bool(want)
    assert 50 < there < 250


def test_bounds_of_larger_sets_change_no_value() -> None:
    for seed in range(1000):
        r = random.Random(seed)
        kinds, questions, replies = r.randint(10, 30), r.randint(6, 12), r.choice([2, 3, 4, 6, 9])
        density = r.choice([0.8, 0.5, 0.3])
        codes = [
            [r.randint(1, replies - 1) if r.random() < density else 0 for _ in range(kinds)] for _ in range(questions)
        ]
        weights = [r.randint(1, 20) for _ in range(kinds)] if r.random() < 0.3 else None
        groups = [r.randint(0, kinds // 2) for _ in range(kinds)] if r.random() < 0.2 else None
        costs = [r.randint(1, 5) for _ in range(questions)] if r.random() < 0.5 else None
        table = table_of(plain(codes, weights=weights, groups=groups, costs=costs))
        limit = r.choice([NO_LIMIT, NO_LIMIT, r.randint(2, 6)])
        off = sum(KEY_SWITCHES[name] for name in r.sample(["sizes", "huffman", "pairs"], 2) if r.random() < 0.8)
        assert search_of(table).value(limit) == search_of(table, off=off).value(limit), seed


def test_pairs_are_not_bounded_where_a_question_costs_too_much_for_that() -> None:
    """Questions of 2^20 or more part many pairs, all others few: those alone would charge too much."""
    for seed in range(40):
        r = random.Random(seed)
        kinds = r.randint(8, 12)
        codes = [[int(kind == one) for kind in range(kinds)] for one in range(1, kinds)]
        codes += [[r.randint(0, 1) for _ in range(kinds)] for _ in range(5)]
        costs = [r.randint(1 << 19, (1 << 20) - 1) for _ in range(kinds - 1)] + [
            (1 << 20) + r.randint(0, 99999) for _ in range(5)
        ]
        table = table_of(plain(codes, costs=costs))
        assert search_of(table).value() == search_of(table, off=KEY_SWITCHES["pairs"]).value(), seed


def test_of_questions_that_part_alike_the_first_is_asked_where_nothing_weighs() -> None:
    """Whatever it costs: it costs nothing there."""
    for seed in range(60):
        r = random.Random(seed)
        kinds = r.randint(3, 7)
        few = [[r.randint(0, 1) for _ in range(kinds)] for _ in range(r.randint(2, 4))]
        codes, costs = [r.choice(few) for _ in range(6)], [r.randint(1, 6) for _ in range(6)]
        table = table_of(plain(codes, weights=[1] + [r.choice([0, 0, 0, 1]) for _ in range(1, kinds)], costs=costs))
        against_textbook(table, seed)


def test_of_the_keys_that_cost_least_the_lowest_is_taken() -> None:
    for seed in range(60):
        r = random.Random(seed)
        kinds, questions, replies = r.randint(8, 16), r.randint(6, 10), r.choice([2, 2, 3])
        codes = [[r.randrange(replies) for _ in range(kinds)] for _ in range(questions)]
        costs = [r.randint(1, 3) for _ in range(questions)] if r.random() < 0.5 else None
        table = table_of(plain(codes, costs=costs))
        search = search_of(table)
        value, height, _ = search.canonical(np.arange(search.items, dtype=np.int32))
        if value < INFEASIBLE:
            assert search_of(table).value(height)[0] == value < search_of(table).value(height - 1)[0], seed


def alike(seed: int) -> Table:
    """Some parts of a table, by other names: the same block of replies, its kinds and questions in another order, and
    now and then with another reply, cost, weight or group; a question tells the blocks apart."""
    r = random.Random(seed)
    kinds, asked, replies, blocks = r.randint(6, 8), r.randint(4, 6), r.choice([2, 3]), r.randint(2, 3)
    block = [[r.randrange(replies) for _ in range(kinds)] for _ in range(asked)]
    costs, weights = [r.randint(1, 4) for _ in range(asked)], [r.randint(1, 4) for _ in range(kinds)]
    groups = list(range(kinds)) if r.random() < 0.5 else [r.randrange(kinds) for _ in range(kinds)]
    codes, paid, heavy, members = [[number for number in range(blocks) for _ in range(kinds)]], [1], [], []
    for number in range(blocks):
        own, order = [row[:] for row in block], r.sample(range(kinds), kinds)
        own_costs, own_weights, own_groups = costs[:], weights[:], groups[:]
        odd = r.choice(["", "reply", "cost", "weight", "group"])
        if odd == "reply":
            own[r.randrange(asked)][r.randrange(kinds)] = r.randrange(replies)
        elif odd == "cost":
            own_costs[r.randrange(asked)] += 1
        elif odd == "weight":
            own_weights[r.randrange(kinds)] += 1
        elif odd == "group":
            own_groups[r.randrange(kinds)] = r.randrange(kinds)
        for question in r.sample(range(asked), asked):
            row = [own[question][kind] for kind in order]
            codes.append([0] * (kinds * number) + row + [0] * (kinds * (blocks - 1 - number)))
            paid.append(own_costs[question])
        heavy += [own_weights[kind] for kind in order]
        members += [number * kinds + own_groups[kind] for kind in order]
    return table_of(plain(codes, costs=paid, weights=heavy, groups=members))


def test_sets_of_one_shape_are_the_same_but_for_names() -> None:
    shared = 0
    for seed in range(200):
        table = alike(seed)
        codes = DistinctColumns.of(table).codes
        blocks = [np.flatnonzero(codes[0] == number).astype(np.int32) for number in range(codes[0].max() + 1)]
        search, values = search_of(table), []
        for block in blocks:
            found = search.canonical(block)
            alone = search_of(table, off=KEY_SWITCHES["isomorphism"])
            assert found == alone.canonical(block), seed
            values.append(found[0])
            for limit in (found[1] - 1, found[1]):
                assert search.canonical(block, limit)[:2] == alone.canonical(block, limit)[:2], seed
        shared += len(set(values)) < len(values)
    assert 40 < shared < 200  # there are blocks that are alike, and others


def test_questions_that_part_more_finely_make_another_shape() -> None:
    for seed in range(200):
        r = random.Random(seed)
        size = r.randint(3, 5)
        block = [[r.randrange(3) for _ in range(size)] for _ in range(3)]
        codes: list[list[int]] = [[number for number in range(8) for _ in range(size)], [], [], []]
        for _ in range(8):
            joined = r.randrange(6)  # in a question, two replies; or in none
            for question, row in enumerate(block):
                codes[1 + question] += [1 if joined == question and reply == 2 else reply for reply in row]
        table = table_of(plain(codes))
        search, alone = search_of(table), search_of(table, off=KEY_SWITCHES["isomorphism"])
        kinds = DistinctColumns.of(table).codes
        for number in range(8):
            part = np.flatnonzero(kinds[0] == number).astype(np.int32)
            assert search.canonical(part) == alone.canonical(part), seed


def test_shapes_are_found() -> None:
    searches = [search_of(table_of(sorting(6)), off=off) for off in (0, KEY_SWITCHES["isomorphism"])]
    assert [search.value(budget=6897) for search in searches] == [(6896, True)] * 2
    assert 4 * searches[0].nodes < searches[1].nodes


def test_a_key_known_by_its_shape_alone_is_grown() -> None:
    search = search_of(table_of(sorting(5)))
    assert search.value() == (832, True)
    grown = search.build()
    assert grown is not None
    assert grown[1:] == (832, grown[2], grown[2])


def test_a_chain_is_as_deep_as_it_has_objects() -> None:
    many = 1100  # more than a recursion of Python may be deep
    table = table_of(plain(np.eye(many - 1, many, dtype=np.uint16).tolist()))
    found = identify(table)
    assert found.status is Status.OPTIMAL
    assert found.key is not None
    assert (found.total, found.key.worst) == (many * (many + 1) // 2 - 1, many - 1)


def test_many_replies_and_objects_of_one_group() -> None:
    every = table_of(plain([list(range(3000)), [0] * 3000]))
    assert identify(every).value == (3000,)
    one = table_of(plain([[0, 1, 2]], groups=[0, 0, 0]))
    found = identify(one)
    assert found.key is not None
    assert (found.value, found.key.root.question) == ((0,), None)
    assert identify(one, first=["q0"]).value == (3,)


def test_numbers_near_the_limit() -> None:
    most = (1 << 61) // 9
    found = identify(table_of(plain([[0, 0, 1], [0, 1, 1]], weights=[1, most, 3], costs=[3, 4])))
    assert found.value == (3 * (most + 4) + 4 * (most + 1),)


def test_what_weighs_nothing_may_cost_more_than_any_key_if_it_counted() -> None:
    for many in (5, 9, 30):
        codes = np.eye(many - 1, many, dtype=np.uint16).tolist()
        costs = [(1 << 61) // many + question for question in range(many - 1)]
        found = identify(table_of(plain(codes, weights=[1] + [0] * (many - 1), costs=costs)))
        assert (found.status, found.value) == (Status.OPTIMAL, (costs[0],))


@pytest.mark.parametrize(("weight", "cost"), [(1 << 24, 1 << 37), (1 << 33, 1 << 28), (1 << 41, 1 << 20)])
def test_bounds_within_a_limit_that_no_key_keeps_to_are_none_or_what_is_counted(weight: int, cost: int) -> None:
    """One dear question halves a set, the others take one object off: as if it could be asked again and again."""
    for many in (8, 16):
        codes = [[number % 2 for number in range(many)], *np.eye(many - 1, many, dtype=np.uint16).tolist()]
        weights, costs = [weight // many] * (many - 1) + [weight // many + 1], [cost] + [1] * (many - 1)
        search = search_of(table_of(plain(codes, weights=weights, costs=costs)))
        for limit in range(many // 2):
            assert 0 <= search.value(limit, INFEASIBLE, 0)[0] <= INFEASIBLE
            assert search.value(limit) == (INFEASIBLE, True)
        assert 0 < search.value(many // 2, INFEASIBLE, 0)[0] <= search.value(many // 2)[0] < INFEASIBLE


def test_a_stopped_search_has_a_key_and_a_bound() -> None:
    began = time.monotonic()
    found = identify(sparse(150, 60, 2), time_limit=0.5)
    assert time.monotonic() - began < 5
    assert (found.status, found.stop_reason) == (Status.FEASIBLE, "time limit")
    assert found.key is not None
    assert found.bound is not None
    assert found.value is not None
    assert found.gap == found.value[0] - found.bound[0] > 0
    assert found.key.status == "FEASIBLE"


def test_a_gap_is_near_enough() -> None:
    found = identify(sparse(150, 60, 2), gap="40%", time_limit=60)
    assert found.stop_reason == "gap"
    assert found.value is not None
    assert found.gap is not None
    assert 0 < 100 * found.gap <= 40 * found.value[0]
    # It is in the table's whole numbers, of which all that a key can cost is a multiple here.
    heavy = table_of(plain(sparse(40, 16, 1).codes.tolist(), weights=[1000] * 40))
    assert identify(heavy, gap=999).status is Status.OPTIMAL
    # Where nothing but the choice among equal keys is left, that is made.
    assert identify(sparse(40, 16, 1), gap=1).status is Status.OPTIMAL


def test_the_flag_stops_every_call() -> None:
    search = search_of(sparse(150, 60, 2))
    threading.Timer(0.2, search.control.stop).start()
    value, ended = search.value()
    assert not ended
    assert 0 < value < INFEASIBLE
    with pytest.raises(Stopped):
        search.canonical(np.arange(search.items, dtype=np.int32))


def test_searches_share_what_they_find() -> None:
    table = sparse(20, 12, 3)
    kinds = DistinctColumns.of(table)
    arrays = (kinds.codes, kinds.weights, kinds.groups, kinds.costs)
    shared, control = KeyTable(1 << 12), Control(np.zeros(2, dtype=np.int64))
    first, second = (KeySearch(*arrays, control, shared=shared) for _ in range(2))
    found = first.value()
    assert (second.value(), second.nodes) == (found, 0)
    assert second.build(canonical=True) == search_of(table).build(canonical=True)
    with pytest.raises(ValueError, match="KeySearch: the shared table is of other questions"):
        KeySearch(*arrays[:3], kinds.costs + 1, control, shared=shared)
    for after in range(64):  # a part of the table each
        fail_allocation(after)
        with pytest.raises(MemoryError):
            KeyTable(1 << 12)
        assert fail_allocation(-1) == -1
    KeyTable(1 << 12)


@pytest.mark.parametrize("asked", ["value", "key", "canonical key"])
def test_failing_memory_is_an_error_and_leaves_the_search_as_it_was(asked: str) -> None:
    """A key is whole or not grown."""
    table = sparse(20, 12, 3)
    want = search_of(table).build(canonical=True)
    assert want is not None
    failed = 0
    for after in (*range(30), *range(30, 1900, 13)):
        search = found = None
        if asked != "value":
            search = search_of(table)
            search.value()
        fail_allocation(after)
        try:
            search = search or search_of(table)
            found = search.value() if asked == "value" else search.build(canonical=asked == "canonical key")
        except MemoryError:
            failed += 1
        finally:
            left = fail_allocation(-1)
        assert found in (None, want, (want[1], True)) or (asked == "key" and found[1] == want[1])
        assert search is None or search.build(canonical=True) == want
        if left >= 0:
            break
    assert failed > (3 if asked == "key" else 100)


def test_odd_arguments() -> None:
    table = table_of(plain([[0, 1]]))
    for options, said in [
        ({"objective": "least"}, "^no objective 'least'; there are mean, worst$"),
        ({"limit": -1}, "the limit of questions must be 0 or more"),
        ({"cost_limit": 1.5}, "the limit of cost must be a whole number"),
        ({"first": ["colour"]}, "colour"),
        ({"jobs": 0}, "jobs"),
        ({"without": frozenset({"all"})}, "^no switch 'all'; there are "),
        ({"gap": 3, "objective": "worst"}, "gap"),
        ({"backend": "pigeon"}, "no backend 'pigeon'; there are threads, loky, dask"),
        ({"scheduler": "tcp://127.0.0.1:1"}, "a scheduler is for the backend dask alone, not for threads"),
        ({"backend": "dask", "scheduler": ""}, "the scheduler must be an address"),
        ({"backend": "loky", "wait": -1}, "the wait"),
    ]:
        with pytest.raises(InputError, match=said):
            identify(table, **options)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="a table is needed: a Table, the name"):
        identify(7)
    for jobs, backend, limit in ((1, "threads", 1 << 20), (2, "loky", 100 << 20)):
        with pytest.raises(InputError, match=f"this table by {jobs} jobs? needs about .*M of memory; the limit is "):
            identify(table, jobs=jobs, backend=backend, memory_limit=limit)


@pytest.mark.slow
def test_a_question_of_the_most_replies_there_can_be() -> None:
    every = Table.from_arrays([[f"r{number}"] for number in range(65535)])
    found = identify(every)
    assert (found.status, found.value) == (Status.OPTIMAL, (65535,))
    with pytest.raises(InputError, match="65536 different replies; at most 65535"):
        Table.from_arrays([[f"r{number}"] for number in range(65536)])


def test_the_most_questions_there_can_be() -> None:
    """Of 65535 the last parts what no other does; one more is refused."""
    search = search_of(table_of(plain([[0, 0, 1]] * 65534 + [[0, 1, 2]])))
    assert search.canonical(np.arange(3, dtype=np.int32)) == (3, 1, 65534)
    assert search.opener(0) == (5, True)
    with pytest.raises(InputError, match="65536 questions, 1 objects, 1 variants; at most 65535 of each are possible"):
        table_of(plain([[0]] * 65536))
    one = np.zeros(1, np.int64)
    with pytest.raises(ValueError, match="KeySearch: 1 to 65535 items, 1 to 65535 questions"):
        KeySearch(np.zeros((65536, 1), np.uint16), one, one.astype(np.int32), one, Control(np.zeros(2, np.int64)))
