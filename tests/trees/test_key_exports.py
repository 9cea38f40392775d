"""What keys are written as, what rules of thumb make, and what a table tells beside its key."""

from __future__ import annotations

import csv
import io
import json
import random
import shutil
import subprocess
import xml.dom.minidom
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from tables_util import PETS, best, random_table, random_varying

from optimal.errors import InputError
from optimal.search.rules_of_thumb import RULES, greedy
from optimal.tables.findings import told_by_one, told_names
from optimal.tables.table import Table
from optimal.trees.key import Key
from optimal.trees.key_export import FORMS, indented, lead_letters

KEY = best(PETS)


def text_of(form: str, key: Key = KEY) -> str:
    return "".join(FORMS[form](key))


def test_numbered_leads() -> None:
    assert text_of("key") == (
        "1a. legs: 4 ... cat\n1b. legs: 2 ... 2\n\n2a. (1) sings: no ... hen / duck\n2b. sings: yes ... wren\n"
    )
    assert [lead_letters(number) for number in (0, 25, 26, 27, 701, 702)] == ["a", "z", "aa", "ab", "zz", "aaa"]
    assert "".join(indented(KEY, 1)) == "legs: 4 ... cat\nlegs: 2 (3: sings?)\n"


@pytest.mark.parametrize("seed", range(20))
def test_every_form_has_every_end(seed: int) -> None:
    table = random_table(random.Random(seed))
    key = best(table)
    rows = list(csv.DictReader(io.StringIO(text_of("csv", key))))
    weights = {name: Fraction(0) for name in table.objects}
    for row in rows:
        weights[row["object"]] += Fraction(row["weight"]).limit_denominator(1000)
    for place, weight in enumerate(weights.values()):
        assert weight == Fraction(int(table.weights[table.object_of == place].sum()), table.weight_scale)
    paid = sum(Fraction(row["weight"]).limit_denominator(1000) * Fraction(row["cost"]) for row in rows)
    assert paid == Fraction(key.total, table.weight_scale * table.cost_scale)
    ends = [step for step in key.root.nodes() if step.question is None]
    assert len(rows) == sum(len(step.objects) for step in ends)
    assert text_of("dot", key).count("plaintext") == len(ends)
    xml.dom.minidom.parseString(text_of("svg", key))
    assert json.loads(text_of("json", key))["value"] == list(key.value)
    asked = [step for step in key.root.nodes() if step.question is not None]
    assert text_of("indented", key).count(" ... ") == (len(ends) if asked else 0)
    assert text_of("key", key).count(" ... ") == sum(len(step.children) for step in asked)
    assert text_of("latex", key).count("dotfill") == sum(len(step.children) for step in asked)


def test_names_that_mean_something_elsewhere() -> None:
    table = Table.from_arrays([["<a>"], ["50%"]], objects=["A & B", 'C "_$'], questions=["x\\y {}"])
    key = best(table)
    xml.dom.minidom.parseString(text_of("svg", key))
    assert r"x\textbackslash{}y \{\}: 50\% \dotfill\ C " + '"' + r"\_\$\par" in text_of("latex", key)
    assert r'label="C \"_$"' in text_of("dot", key)
    if dot := shutil.which("dot"):
        subprocess.run([dot, "-Tplain"], input=text_of("dot", key), text=True, check=True, capture_output=True)


def test_a_picture_of_a_large_key_is_refused() -> None:
    table = Table.from_arrays([[number] for number in range(5001)])
    key = Key.of(table, [0, 5001, *(number for code in range(5001) for number in (code, -1))], bound=(0,))
    with pytest.raises(InputError, match="5001 ends"):
        text_of("svg", key)


@pytest.mark.parametrize("rule", RULES)
def test_rules_of_thumb_are_no_better(rule: str) -> None:
    for seed in range(40):
        table = random_table(random.Random(seed))
        key = greedy(table, rule)
        assert key.total >= best(table).total
        assert (key.status, key.bound) in (("FEASIBLE", (0,)), ("OPTIMAL", (0,)))


def test_what_the_rules_choose() -> None:
    # Legs, for 1, tell the cat, of 0.5 in 4.5; sings, for 2.5, the wren from a group of 4; coat, for 1, halves of both.
    assert [greedy(PETS, rule).total for rule in RULES] == [116, 138, 116, 116, 138]
    with pytest.raises(InputError, match="no rule 'luck'"):
        greedy(PETS, "luck")


def test_what_is_never_asked_and_what_rests_on_one_question() -> None:
    assert KEY.never_asked == ("coat",)
    assert told_by_one(PETS) == {"legs": (("cat", "hen"), ("cat", "duck")), "sings": (("wren", "duck"),)}


@pytest.mark.parametrize("seed", range(30))
def test_what_rests_on_one_question_may_end_together_without_it(seed: int) -> None:
    r = random.Random(seed)
    table = random_table(r) if seed < 20 else random_varying(r).table()

    def together(without: Sequence[int] = ()) -> set[tuple[str, str]]:
        """The objects of different groups that a key may leave together."""
        if len(without) == len(table.questions):
            sets = [table.objects]
        else:
            sets = list(table.where(np.arange(table.variants), without).unresolved)
        group = dict(zip(table.objects, table.groups.tolist(), strict=True))
        return {pair for names in sets for pair in combinations(names, 2) if group[pair[0]] != group[pair[1]]}

    ended, found = together(), told_by_one(table)
    assert found is not None
    want: dict[str, set[tuple[str, str]]] = {}
    for one, other in combinations(range(table.variants), 2):
        unlike = np.flatnonzero(table.codes[:, one] != table.codes[:, other])
        a, b = (table.objects[table.object_of[member]] for member in (one, other))
        apart = table.group_of[one] != table.group_of[other] and table.outcome_of[one] != table.outcome_of[other]
        if len(unlike) == 1 and apart and (a, b) not in ended:
            want.setdefault(table.questions[unlike[0]], set()).add((a, b))
    assert {question: set(pairs) for question, pairs in found.items()} == want
    for question, pairs in found.items():
        assert set(pairs) <= together([table.question_index(question)]) - ended


def test_what_rests_on_one_question_is_named_by_groups() -> None:
    rows = [["a", "x"], ["b", "x"], ["a", "y"], ["b", "z"]]
    table = Table.from_arrays(rows, objects=["ash 1", "ash 2", "elm", "oak"], groups=["ash", "ash", None, None])
    assert told_by_one(table) == {"question 2": (("ash 1", "elm"), ("ash 2", "oak"))}
    assert told_names(table) == told_by_one(table)
    rows = [["a", "x"], ["a", "x"], ["a", "y"], ["a", "z"]]
    table = Table.from_arrays(rows, objects=["ash 1", "ash 2", "elm", "oak"], groups=["ash", "ash", None, None])
    assert told_names(table) == {"question 2": (("ash", "elm"), ("ash", "oak"), ("elm", "oak"))}


def test_tables_that_do_not_ship() -> None:
    for name in ("sorting:9", "coins:2", "sorting:x", "sorting:05"):
        with pytest.raises(InputError, match="has N from 3 to"):
            Table.from_csv(name)
    with pytest.raises(InputError, match=r"no table of that name ships: did you mean birds\?"):
        Table.from_csv("brids")
