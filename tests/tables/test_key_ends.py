"""Where a key ends: where no question that is left can exclude a group that is still possible.

The engine searches over forms, which have one reply to each question. Here a slow search knows nothing of forms: its
state is the objects that are left and the questions that were asked.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from math import log2

import numpy as np
import pytest
from tables_util import random_table, random_varying, trees_table

from optimal import Key, Table, identify, verify_key
from optimal.advice.asking import Asker, verdict
from optimal.advice.questions import rank_questions
from optimal.errors import InputError
from optimal.search.rules_of_thumb import RULES, per_cost, worths


@pytest.mark.parametrize("seed", range(40))
def test_rules_of_thumb_go_by_what_a_reply_tells_of_the_group(seed: int) -> None:
    """By the definitions: H(G) - H(G | R), and for Gini how much less replies differ within a group."""
    r = random.Random(seed)
    table = random_varying(r).table() if seed % 2 else random_table(r)
    members = np.array(sorted(r.sample(range(table.variants), r.randint(1, table.variants))))
    weights = [table.weights[one] for one in members] if table.weights[members].any() else [1] * len(members)
    of = table.group_of[members].tolist()

    def spread(labels: Sequence[int], fits: Sequence[bool], squares: bool) -> float:
        """The entropy of labels, or the probability that two differ, among those that fit; times their weight."""
        sums: Counter[int] = Counter()
        for label, weight, fit in zip(labels, weights, fits, strict=True):
            sums[label] += weight * fit
        whole = sum(sums.values())
        parts = [part / whole for part in sums.values() if part]
        return whole * (1 - sum(part**2 for part in parts) if squares else -sum(part * log2(part) for part in parts))

    if np.ptp(table.codes[:, members], axis=1).max() == 0:
        return  # no question splits them
    everything, whole = [True] * len(of), sum(weights)
    for rule, squares in (("information", False), ("gini", True)):
        questions, values = worths(table, members, RULES[rule])
        for question, value in zip(questions, values, strict=True):
            replies = table.codes[question][members].tolist()
            about, given = (replies, of) if squares else (of, replies)
            within = sum(spread(about, [one == each for one in given], squares) for each in set(given))
            assert value * whole == pytest.approx(spread(about, everything, squares) - within, abs=1e-9)
        per = worths(table, members, RULES[f"{rule}-per-cost"])[1]
        assert per == pytest.approx(per_cost(values, table.costs[questions].astype(float)))


@pytest.mark.parametrize("seed", range(60))
def test_least_keys_are_those_of_a_search_over_objects(seed: int) -> None:
    r = random.Random(seed)
    varying = random_varying(r)
    limit = r.choice([None, None, 1, 2, 3])
    table, want = varying.table(), varying.least(limit)
    found = identify(table, limit=limit)
    assert (None if found.key is None else found.key.mean) == want
    assert str(found.status) == ("INFEASIBLE" if want is None else "OPTIMAL")
    if found.key is not None:
        assert verify_key(found.key, table).ok


def test_an_end_names_a_group_once() -> None:
    table = trees_table()
    key = identify(table).key
    assert key is not None
    assert [key.named(step) for step in key.root.nodes() if step.question is None] == ["ash", "elm", "oak"]
    again = Key.from_bytes(key.to_bytes())
    assert again == key
    assert again.table == table
    assert again.packed.group_names == ("ash", "", "oaks")


@pytest.mark.parametrize("seed", range(60))
def test_it_asks_as_long_as_a_question_that_is_left_can_exclude_a_group(seed: int) -> None:
    """`play` and `suggest` alike, also where replies are not known, or one of several."""
    r = random.Random(2000 + seed)
    varying = random_varying(r)
    table = varying.table()
    key = identify(table).key
    assert key is not None
    for member in r.sample(range(table.variants), min(5, table.variants)):
        asker = Asker(key)
        while True:
            gone = frozenset(table.question_index(question) for question, _ in asker.turns)
            done = varying.settled(frozenset(asker.places), gone)
            assert (asker.question is None) is done
            assert asker.places == [
                one
                for one, cells in enumerate(varying.cells)
                if all(
                    reply is None
                    or not cells[table.question_index(question)].isdisjoint(
                        [reply] if isinstance(reply, str) else reply
                    )
                    for question, reply in asker.turns
                )
            ]
            assert (not rank_questions(table, asker.turns).questions) is done
            if asker.question is None:
                break
            place = table.question_index(asker.question)
            others = r.sample(table.replies[place], 1) if r.random() < 0.3 else []
            if r.random() < 0.3:
                asker.skip()
            else:
                asker.feed(table.replies[place][int(table.codes[place][member])], *others)


def test_what_is_left_is_named_by_groups() -> None:
    table = trees_table()
    unnamed = Table.from_arrays([["a", "x/y"], ["b", "x"], ["c", "x"]], groups=["1", "1", "2"])
    untold = ": no question that is left tells"
    for of, replies, told in (
        (table, ["x"], "It is ash."),
        (table, [None, "a"], f"It is ash 1 or elm{untold} them apart."),
        (table, [None, None], f"It is ash or elm or oak{untold} them apart."),
        (unnamed, [None, "x"], f"It is object 1 or object 2 or object 3{untold} their groups apart."),
        (unnamed.where(np.arange(3)), [], "It is object 1 or object 2, which needn't be told apart."),
    ):
        key = identify(of).key
        assert key is not None
        asker = Asker(key)
        for reply in replies:
            asker.skip() if reply is None else asker.feed(reply)
        assert verdict(asker) == told
    with pytest.raises(InputError, match=r"nothing is asked any more: it is object 1, object 2$"):
        asker.skip()
    ranking = rank_questions(table, [("bark", "x")])
    assert str(ranking) == "table after bark=x: 3 objects left; no question that is left tells more\nleft: ash"
    assert ranking.to_dict()["objects"] == ["ash 1", "ash 2", "ash 3"]


def test_a_group_has_no_name_that_would_mislead() -> None:
    """The name of an object of another group, a number, or what can't be printed."""
    for name in ("cat", "7", "a\tb", "x" * 301):
        table = Table.from_arrays([["a"], ["a"], ["b"]], objects=["dog", "wolf", "cat"], groups=[name, name, None])
        assert table.group_names == ()
        key = identify(table).key
        assert key is not None
        assert [key.named(step) for step in key.root.nodes() if step.question is None] == ["dog / wolf", "cat"]
    assert Table.from_arrays([["a"], ["b"]], objects=["dog", "cat"], groups=["dog", None]).group_names == ("dog", "")
