"""Keys and their files: what is written comes back, equal keys have equal bytes, and no file does harm."""

from __future__ import annotations

import hashlib
import pickle
import random
from dataclasses import replace
from fractions import Fraction
from typing import Any

import msgpack
import pytest
from tables_util import PETS, best, random_table

from optimal.errors import InputError, InternalError, OptimalError, TreeFileError
from optimal.tables.table import Table
from optimal.trees.key import Key
from optimal.trees.nodes import Step
from optimal.trees.verify_key import verify_key

KEY = best(PETS)
DATA = KEY.to_bytes()


def sealed(fields: dict[str, Any], version: int = 2) -> bytes:
    payload = msgpack.packb(fields)
    return bytes(msgpack.packb(["optimal-key", version, hashlib.sha256(payload).digest(), payload]))


def fields(data: bytes = DATA) -> dict[str, Any]:
    return dict(msgpack.unpackb(msgpack.unpackb(data)[3]))


def test_what_a_key_says() -> None:
    # legs of weight 4.5 and cost 1, then sings of weight 4 and cost 2.5; the scales are 4 and 2
    assert (KEY.total, KEY.value, KEY.bound, KEY.status) == (8 * 14.5, (116,), (116,), "OPTIMAL")
    assert (KEY.worst, KEY.amount(KEY.worst_cost)) == (2, "3.5")
    assert KEY.mean == Fraction(29, 9)
    assert KEY.mean_questions == Fraction(17, 9)
    assert KEY.play({"legs": "4"}) == ([("legs", "4")], ("cat",))
    assert KEY.play({"legs": "2", "sings": "no"})[1] == ("hen", "duck")


def test_a_key_that_asks_for_all() -> None:
    table = Table.from_arrays([[a, b] for a in "01" for b in "01"])
    key = best(table)
    assert key.play({"question 1": "1", "question 2": "0"})[1] == ("object 3",)
    assert key.follow([("question 1", "1")]) == key.root.children[1]
    assert key.follow([("question 2", "1")]) is key.follow([("question 1", "7")]) is None
    with pytest.raises(InputError, match="'question 2' is asked, and has no reply among those given"):
        key.play({"question 1": "1"})
    with pytest.raises(InputError, match="'question 1' has no reply 'red': there are 0, 1"):
        key.play({"question 1": "red"})
    assert key.to_dict()["children"]["1"]["children"]["0"] == {"objects": ["object 3"]}


@pytest.mark.parametrize("seed", range(30))
def test_round_trip(seed: int) -> None:
    table = random_table(random.Random(seed))
    for objective in ("mean", "worst"):
        key = best(table, objective=objective)
        data = key.to_bytes()
        again = Key.from_bytes(data)
        assert key.value == key.bound
        assert again == key == pickle.loads(pickle.dumps(key))
        assert (again.table, again.to_bytes(), hash(again)) == (table, data, hash(key))
        found = verify_key(key, table)
        assert (found.ok, found.problems, found.notes) == (True, (), ())


@pytest.mark.slow
def test_deep_keys() -> None:
    count = 1020  # more than Python calls within each other
    table = Table.from_arrays([[int(i == j) for j in range(count - 1)] for i in range(count)])
    nodes: list[int] = []
    for question in range(count - 1):
        nodes += [question, 2]
        nodes += [1, -1, 0] if table.replies[question] == ("0", "1") else [0, -1, 1]
    key = Key.of(table, [*nodes, -1], bound=(0,))
    assert (key.worst, key.total) == (count - 1, count * (count + 1) // 2 - 1)
    again = Key.from_bytes(key.to_bytes())
    assert again == key
    assert again.to_dict()["worst"] == count - 1


@pytest.mark.parametrize(
    ("nodes", "told"),
    [
        ([], "does not have the replies"),
        ([-1], "must still be told apart"),
        ([0, 1, 0, -1], "does not have the replies"),
        ([0, 2, 0, -1, 0, -1], "does not have the replies"),
        ([0, 2, 0, -1, 1, 1, 2, 0, -1, 1, -1, 5], "goes on after its end"),
        ([0, 2, 0, -1, 1, -1], "must still be told apart"),
    ],
)
def test_a_false_key_is_never_made(nodes: list[int], told: str) -> None:
    with pytest.raises(InternalError, match=told):
        Key.of(PETS, nodes, bound=(0,))


def changed(**values: Any) -> bytes:
    return sealed({**fields(), **values})


BAD = {
    "status": changed(status="PROVEN"),
    "bound": changed(bound=[200]),
    "value": changed(value=[109], bound=[109]),
    "label": changed(questions=["legs", "sings", "\x1b"]),
    "twice": changed(questions=["legs", "legs", "coat"]),
    "codes": changed(codes=b"\xff" * len(fields()["codes"])),
    "variants": changed(variants=[2, 2, 0, 2]),
    "weights": changed(weights=[0] * 6),
    "giants": changed(weights=[2**61] * 6),
    "groups": changed(groups=[0, 1, 1, 9]),
    "odd names": changed(group_names=["fur", "b", "\x1b"]),
    "equal names": changed(group_names=["fur", "b", "b"]),
    "openers": changed(openers=[7]),
    "deep": changed(tree=[1, 1, 0] * 15),
    "rest": changed(tree=[*fields()["tree"], 0]),
    "objects": changed(tree=[0, 2, 1, 0]),
    "object": changed(tree=[0, 1, 9]),
    "reply": changed(tree=[1, 2, 0, 0, 1, 0, 0, 0, 1, 1]),
    "more": sealed({**fields(), "more": 1}),
    "version": DATA.replace(b"optimal-key\x02", b"optimal-key\x03"),
    "tree": b"\x94\xacoptimal-tree" + DATA[13:],
    "nothing": b"",
}


def test_files_of_version_1() -> None:
    """They have no names of groups. Keys that had to tell apart forms of one outcome may not be the least any more."""
    insects = Table.from_arrays([["yes", "clear"], ["yes", "grey"], ["no", "?"], ["no", "?"]])
    for table, status in ((PETS, "OPTIMAL"), (insects, "FEASIBLE")):
        key = best(table)
        old = {name: value for name, value in fields(key.to_bytes()).items() if name != "group_names"}
        found = Key.from_bytes(sealed(old, 1))
        assert (found.status, found.value, found.root) == (status, key.value, key.root)
        assert found.bound == (key.value if status == "OPTIMAL" else (0,))
        assert verify_key(found, table).ok
        within = Key.from_bytes(sealed({**old, "limit": 9}, 1))  # a bound within a limit may be false
        assert (within.status, within.bound) == ("FEASIBLE", (0,))
    problems = verify_key(found, Table.from_arrays([["yes", "clear"], ["no", "grey"]])).problems
    assert "group_names" not in problems[0]


@pytest.mark.parametrize("case", BAD)
def test_bad_files_are_refused(case: str) -> None:
    with pytest.raises(TreeFileError) as caught:
        Key.from_bytes(BAD[case])
    assert "\n" not in str(caught.value)


def test_damaged_files_are_refused() -> None:
    chance = random.Random(26)
    payload = msgpack.unpackb(DATA)[3]
    for _ in range(2000):
        data = bytearray(payload)
        for _ in range(chance.randint(1, 3)):
            at = chance.randrange(len(data))
            data[at : at + chance.randint(0, 4)] = chance.choice(
                [b"", b"\x00", b"\xff", b"\xc0", b"\xdd\xff\xff\xff\xff", bytes([chance.randrange(256)])]
            )
        whole = bytes(msgpack.packb(["optimal-key", 2, hashlib.sha256(data).digest(), bytes(data)]))
        try:
            key = Key.from_bytes(whole)
            assert key.to_bytes() == whole  # what is read is canonical
            assert key.table.variants == len(key.packed.weights)
        except OptimalError:
            pass
    for cut in range(0, len(DATA), 7):
        with pytest.raises(TreeFileError):
            Key.from_bytes(DATA[:cut])


def test_a_key_alone_is_verified_by_its_own_table() -> None:
    assert verify_key(KEY).notes == ("the table is that of the key's file; --table names another to compare",)


def end(*objects: int) -> Step:
    return Step(None, objects=objects)


FALSE_KEYS: dict[str, tuple[dict[str, Any], str]] = {
    "total": ({"total": 115, "value": (115,), "bound": (115,)}, "the total is said to be 115; it is 116"),
    "asked": ({"asked": 1}, "the weight of the questions asked is said to be 1; it is 34"),
    "worst": ({"worst": 3}, "the worst case is said to be 3; it is 2"),
    "cost": ({"worst_cost": 8}, "the cost of the worst case is said to be 8; it is 7"),
    "limit": ({"limit": 1}, "2 questions are asked, more than the limit of 1"),
    "cost limit": ({"cost_limit": 6}, "questions cost 7, more than the limit of 6"),
    "openers": ({"openers": (1, 2)}, "legs is asked first, and is none of the openers"),
    "together": ({"root": Step(0, {0: end(0), 1: end(1, 2, 3)})}, "b / duck end together, and could be told"),
    "other": (
        {"root": Step(0, {0: end(1), 1: Step(1, {0: end(2, 3), 1: end(1)})})},
        "the end that names wren is that of cat",
    ),
    "missing": ({"root": Step(0, {1: Step(1, {0: end(2, 3), 1: end(1)})})}, "cat: nothing follows the reply 4 to legs"),
    "more": (
        {"root": Step(0, {0: Step(1, {0: end(0), 1: end(1)}), 1: Step(1, {0: end(2, 3), 1: end(1)})})},
        "nothing comes to the end that names wren",
    ),
}


@pytest.mark.parametrize("case", FALSE_KEYS)
def test_a_false_key_is_found_out(case: str) -> None:
    changes, told = FALSE_KEYS[case]
    found = verify_key(replace(KEY, **changes))
    assert not found.ok
    assert any(problem.startswith(told) for problem in found.problems), found.problems
    assert str(found).startswith("NOT ok")
