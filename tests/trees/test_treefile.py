"""Tree files: what is written comes back, equal trees have equal bytes, and no file does harm."""

from __future__ import annotations

import copy
import hashlib
import os
import pickle
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgpack
import pytest
from cli_util import run
from trees_util import ANSWERS, labelled_tree, matrix_score, matrix_tree, peg_tree, word_tree

from optimal.errors import InputError, OptimalError, TreeFileError
from optimal.files import write_whole
from optimal.games.feedback import BlackFeedback, BullsFeedback, PegFeedback, WordFeedback
from optimal.games.info import GameInfo
from optimal.games.rules import Rules
from optimal.games.wordlists import sha256_of
from optimal.trees.export import export_json, export_text
from optimal.trees.file import from_bytes, read_tree, to_bytes, write_tree
from optimal.trees.nodes import Node
from optimal.trees.tree import StrategyTree
from optimal.trees.verify import verify_tree

FEEDBACK = WordFeedback(5)
POSITION = (("salet", FEEDBACK.score("salet", "cacao")),)


def trees() -> Iterator[StrategyTree]:
    yield word_tree()
    yield word_tree(rules=Rules.HARD, objective="worst", max_guesses=None)
    yield word_tree(rules=Rules.ULTRA_HARD, objective="within:2", weights=tuple(range(len(ANSWERS))))
    yield replace(word_tree(), status="OPTIMAL", openers=("trace", "range"))
    yield word_tree(position=POSITION)
    yield word_tree(guesses=("a\u00e9", "ab", "ba"), answers=("ab", "ba"))
    for rule in (PegFeedback(2, 3), BullsFeedback(2), BullsFeedback(2, 4), BlackFeedback(2, 3)):
        yield peg_tree(rule, rule.all_guesses(), f"{rule.kind} of {rule.count}")
    yield matrix_tree()
    yield labelled_tree()


TREES = list(trees())
TREE = TREES[0]
DATA = to_bytes(TREE)


def payload_of(data: bytes) -> bytes:
    return bytes(msgpack.unpackb(data)[3])


def sealed(payload: bytes) -> bytes:
    """A file around the payload whose checksum is right."""
    return bytes(msgpack.packb(["optimal-tree", 1, hashlib.sha256(payload).digest(), payload]))


def fields() -> dict[str, Any]:
    return dict(msgpack.unpackb(payload_of(DATA), strict_map_key=False))


@pytest.mark.parametrize("tree", TREES, ids=str)
def test_round_trip(tree: StrategyTree, tmp_path: Path) -> None:
    data = to_bytes(tree)
    assert from_bytes(data) == tree
    assert to_bytes(from_bytes(data)) == data
    write_tree(tmp_path / "tree.msgpack", tree)
    assert (tmp_path / "tree.msgpack").read_bytes() == data
    assert read_tree(tmp_path / "tree.msgpack") == tree
    assert [path.name for path in tmp_path.iterdir()] == ["tree.msgpack"]  # no temporary file stays
    # msgpack's own reader agrees with ours on what is in the file
    assert msgpack.unpackb(payload_of(data), strict_map_key=False)["answers"] == list(tree.answers)


def test_equal_trees_have_equal_bytes() -> None:
    def shuffled(node: Node) -> Node:
        return Node(node.guess, {code: shuffled(child) for code, child in reversed(list(node.children.items()))})

    twin = replace(TREE, root=shuffled(TREE.root), distribution=dict(reversed(list(TREE.distribution.items()))))
    assert twin == TREE
    assert hash(twin) == hash(TREE)
    assert to_bytes(twin) == DATA
    openers = [to_bytes(replace(TREE, openers=names)) for names in (("trace", "range"), ("range", "trace"))]
    assert openers[0] == openers[1] != DATA


def test_trees_are_immutable_and_can_be_copied() -> None:
    with pytest.raises(AttributeError, match="immutable"):
        TREE.root.guess = "salet"
    with pytest.raises(AttributeError, match="immutable"):
        del TREE.root.children
    with pytest.raises(TypeError):
        TREE.root.children[0] = TREE.root  # type: ignore[index]
    with pytest.raises(TypeError):
        TREE.distribution[1] = 2  # type: ignore[index]
    assert pickle.loads(pickle.dumps(TREE)) == copy.deepcopy(TREE) == TREE


def test_a_tree_as_deep_as_its_answers(tmp_path: Path) -> None:
    count = 1200  # more than Python's recursion takes
    labels = tuple(map(str, range(count)))
    root = Node(labels[-1])
    for label in reversed(labels[:-1]):
        root = Node(label, {0: root})
    game = GameInfo("a chain", None, sha256_of(labels), sha256_of(labels), count, 1)
    total = sum(range(1, count + 1))
    numbers: dict[str, Any] = {"total": total, "worst": count, "value": (total,), "bound": (0,)}
    ends = dict.fromkeys(range(1, count + 1), 1)
    tree = replace(matrix_tree(), game=game, root=root, answers=labels, distribution=ends, **numbers)
    assert from_bytes(to_bytes(tree)) == tree
    assert tree.depth == count
    found = verify_tree(tree, scorer=lambda guess, answer: int(guess == answer))
    assert (found.problems, found.worst) == ([], count)
    assert export_json(tree)["children"]["0"]["guess"] == "1"
    tree.save(tmp_path / "deep")
    done = run(tmp_path, "export", "deep", "--to", "json")  # Python's own writer goes deeper since 3.12
    assert done.status == 0 or "too deep for JSON: 1200 guesses" in done.err
    text = export_text(tree)
    assert text.count("\n") == count + 1
    assert len(text) < 80_000
    assert "\n" + "  " * 20 + "[21] 0 21\n" in text
    with pytest.raises(TreeFileError, match="deeper than its 1198 answers"):
        to_bytes(replace(tree, answers=labels[:-2]))


def test_follow_walk_and_play() -> None:
    nodes = dict(TREE.walk())
    assert len(nodes) == len(ANSWERS) == len(set(nodes))
    for history, node in nodes.items():
        assert TREE.follow(history) is node
    assert TREE.follow([("salet", 0)]) is None
    assert TREE.follow([(TREE.root.guess, TREE.game.winning_code)]) is None
    assert TREE.play(" WRECK") == [("range", "YBBBY"), ("wooer", "GBBYY"), ("wreck", "GGGGG")]
    bulls = BullsFeedback(2)
    assert peg_tree(bulls, bulls.all_guesses(), "two digits").play("42")[-1] == ("42", "2,0")
    assert matrix_tree().play("6", matrix_score)[-1] == ("6", "7")


def test_truncation_at_every_byte() -> None:
    for length in range(len(DATA)):
        with pytest.raises(TreeFileError):
            from_bytes(DATA[:length])
    payload = payload_of(DATA)
    for length in range(len(payload)):
        with pytest.raises(TreeFileError):
            from_bytes(sealed(payload[:length]))
    for data in (DATA + b"\0", sealed(payload + b"\0")):
        with pytest.raises(TreeFileError, match="1 bytes too many"):
            from_bytes(data)


def test_every_flipped_byte_is_noticed() -> None:
    for at in range(len(DATA)):
        for flip in (1, 0x80, 0xFF):
            with pytest.raises(TreeFileError):
                from_bytes(DATA[:at] + bytes([DATA[at] ^ flip]) + DATA[at + 1 :])


NAN = float("nan")
DEEP: Any = []
for _ in range(300):
    DEEP = [DEEP]

HOSTILE: list[tuple[str, Any, str]] = [
    ("program", "", "empty"),
    ("program", "x" * 101, "too long"),
    ("program", "\x1b[2J", "not printable"),
    ("game", {}, "0 items"),
    ("game.kind", "chess", "right would be one of words"),
    ("game.params", {"length": 2**63}, "outside 1..64"),
    ("game.params", {"length": 5.0}, "whole number"),
    ("game.params", {"length": 5, "colours": 6}, "out of order"),
    ("game.winning_code", 241, "winning code"),
    ("game.guesses_sha256", b"\0" * 31, "right would be 32"),
    ("game.guess_count", 0, "outside"),
    ("rules", "soft", "right would be one of normal"),
    ("objective", "within:\u0663", "within:K"),
    ("objective", "worst", "1 items"),
    ("max_guesses", 0, "outside"),
    ("position", [["salet", 0]] * 101, "101 items"),
    ("position", [["sale", 0]], "not a guess of 5"),
    ("position", [["salet", 0, 0]], "3 items"),
    ("weights_name", "file", "missing"),
    ("weights_name", "heavy", "right would be one of uniform"),
    ("weights", [1] * 20, "named 'uniform'"),
    ("weights", [-1] * 20, "whole number"),
    ("status", "PROVEN", "right would be one of OPTIMAL"),
    ("value", [42], "do not fit"),
    ("bound", [44], "do not fit"),
    ("total", 0, "outside"),
    ("distribution", {}, "0 items"),
    ("distribution", {2: 1, 1: 1}, "outside 3.."),
    ("openers", ["trace", "salet"], "increasing"),
    ("answers", ["abbey"], "20|beyond|declared|outside"),
    ("answers", ["abb\x00y"], "printable"),
    ("answers", DEEP, "wrong type"),
    ("guesses", ["abbey"], "outside 0..0"),
    ("guesses", [*ANSWERS, "zzzzz"], "'zzzzz' is listed but not used"),
    ("tree", [20, 0], "outside 0..19"),
    ("tree", [0, 0], "not used"),
    ("tree", [0, 0, 0, 0, 0], "fewer"),
    ("tree", [0, 1, 242, 1, 0], "winning one"),
    ("tree", [0, 2, 5, 1, 0, 5, 2, 0], "outside 6.."),
    ("tree", [0, 1, 0] * 39 + [0, 0], "deeper than its 20 answers"),
    ("tree", [0, 1, 0] * 40 + [0, 0], "122 items"),
]


@pytest.mark.parametrize(("where", "value", "message"), HOSTILE)
def test_hostile_values(where: str, value: Any, message: str) -> None:
    changed = fields()
    *outer, key = where.split(".")
    target = changed[outer[0]] if outer else changed
    assert key in target
    target[key] = value
    with pytest.raises(TreeFileError, match=message):
        from_bytes(sealed(msgpack.packb(changed)))


def test_missing_additional_and_reordered_keys() -> None:
    for key in fields():
        without = fields()
        value = without.pop(key)
        last = {**without, key: value} if key != "tree" else {**fields(), "more": 1}
        for changed in (without, {"more": 1, **without}, last):
            with pytest.raises(TreeFileError, match=r"17 items|expected"):
                from_bytes(sealed(msgpack.packb(changed)))


def test_the_ledgers_that_a_claim_rests_on() -> None:
    tree = replace(word_tree(), ledgers=("a ledger.xz", "b"))
    data = to_bytes(tree)
    assert from_bytes(data) == tree
    assert "ledgers" not in fields()
    for wrong in ([], "b", [1], ["b\n"], None, {"b": 1}):
        with pytest.raises(TreeFileError, match="ledger"):
            from_bytes(sealed(msgpack.packb({**fields(), "ledgers": wrong})))


def spliced(key: str, raw: bytes) -> bytes:
    """The payload up to the value of `key`, if any, then these bytes."""
    payload = payload_of(DATA)
    name = bytes(msgpack.packb(key))
    return payload[: payload.index(name) + len(name)] + raw if key else raw


@pytest.mark.parametrize(
    ("key", "raw"),
    [
        *((key, b"\xdd\xff\xff\xff\xff") for key in ("weights", "openers", "answers", "guesses", "tree")),
        *((key, b"\xdd\xff\xff\xff\xff" * 100_000) for key in ("position", "answers", "tree")),
        ("distribution", b"\xdf\xff\xff\xff\xff" * 100_000),
        ("program", b"\xdb\xff\xff\xff\xff"),
        ("answers", b"\xdd\x00\x00\xf0\x00" * 200_000),
        ("tree", b"\x91" * 1_000_000),
        ("guesses_sha256", b"\xc6\xff\xff\xff\xff"),
        ("total", b"\xc7\xff\x01" + b"\0" * 255),
        ("program", b"\xa4\xff\xff\xff\xff"),
        *(("", b"\xdd\x00\x0f\x00\x00" + empty * 0xF0000) for empty in (b"\x90", b"\x80")),
    ],
)
def test_lying_lengths_cost_nothing(key: str, raw: bytes) -> None:
    data = sealed(spliced(key, raw))
    tracemalloc.start()
    try:
        start = time.process_time()
        with pytest.raises(TreeFileError):
            from_bytes(data)
        assert time.process_time() - start < 1
        assert tracemalloc.get_traced_memory()[1] < (6 if key else 25) * len(data) + 400_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"\xa5total\x2b", b"\xa5total\xcf\0\0\0\0\0\0\0\x2b"),
        (b"\xa5total\x2b", b"\xa5total\xd0\x2b"),
        (b"\xa5total\x2b", b"\xd9\x05total\x2b"),
        (b"\xacdistribution\x83", b"\xacdistribution\xde\0\x03"),
    ],
)
def test_longer_forms_are_refused(old: bytes, new: bytes) -> None:
    payload = payload_of(DATA)
    assert payload.count(old) == 1
    with pytest.raises(TreeFileError, match=r"shortest form|whole number"):
        from_bytes(sealed(payload.replace(old, new)))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "it is empty"),
        (b"\xc1" * 100, "not a tree file"),
        (bytes(msgpack.packb(["optimal-tree", 2, b"\0" * 32, b""])), "version 2; this program reads version 1"),
        (bytes(msgpack.packb(["optimal-tree", 1, b"\0" * 32, b"x"])), "checksum"),
        (sealed(b""), "too early"),
        (sealed(b"\xc0"), "wrong type"),
    ],
)
def test_files_that_are_no_tree_files(data: bytes, message: str) -> None:
    with pytest.raises(TreeFileError, match=message):
        from_bytes(data)


def test_reading_names_the_file(tmp_path: Path) -> None:
    bad = tmp_path / "bad.msgpack"
    with pytest.raises(TreeFileError, match=r"bad\.msgpack.*No such file"):
        read_tree(bad)
    bad.write_bytes(DATA[:100])
    with pytest.raises(TreeFileError, match=r"bad\.msgpack: .*too early"):
        read_tree(bad)
    with pytest.raises(TreeFileError, match="larger than 50 bytes"):
        read_tree(bad, max_bytes=50)


@pytest.mark.parametrize(
    "damage",
    [
        lambda tree: replace(tree, total=2**64),
        lambda tree: replace(tree, answers=tuple(reversed(tree.answers))),
        lambda tree: replace(tree, program="a\nb"),
        lambda tree: replace(tree, game=replace(tree.game, answers_sha256="zz" * 32)),
        lambda tree: replace(tree, root=Node("range", {242: Node("range")})),
        lambda tree: replace(tree, weights=(0,) * 20, weights_name="file"),
    ],
)
def test_what_could_not_be_read_is_not_written(damage: Callable[[StrategyTree], StrategyTree]) -> None:
    with pytest.raises(TreeFileError):
        to_bytes(damage(TREE))


def test_load_and_save(tmp_path: Path) -> None:
    tree = StrategyTree.load("mastermind-normal")
    assert tree == StrategyTree.load("mastermind-normal.msgpack") == StrategyTree.load("mastermind")
    tree.save(tmp_path / "own.msgpack")
    assert StrategyTree.load(tmp_path / "own.msgpack") == StrategyTree.load(str(tmp_path / "own.msgpack")) == tree
    for name in ("a\0b", None, 7, b"own"):
        with pytest.raises(OptimalError, match="the tree must be the name of a file"):
            StrategyTree.load(name)  # type: ignore[arg-type]
    with pytest.raises(TreeFileError, match="the tree file must be the name of a file"):
        tree.save(None)  # type: ignore[arg-type]


def test_a_tree_prints_and_renders() -> None:
    assert repr(TREE) == f"<StrategyTree {TREE}>"
    page = TREE._repr_html_()
    assert f"<caption>{TREE}</caption>" in page
    assert page.count("<tr>") == 1 + len(TREE.distribution)
    many = replace(TREE, distribution=dict.fromkeys(range(1, 100), 1), worst=99)
    assert "<p>and 79 more depths, up to 99</p>" in many._repr_html_()


def failing() -> Iterator[bytes]:
    yield b"half"
    raise KeyboardInterrupt


def test_whole_files(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"before")
    target.chmod(0o640)
    link.symlink_to(target)
    with pytest.raises(KeyboardInterrupt):
        write_whole(target, failing())
    assert target.read_bytes() == b"before"
    write_whole(link, [b"af", b"ter"])
    assert link.is_symlink()
    assert target.read_bytes() == b"after"
    assert target.stat().st_mode & 0o777 == 0o640
    write_whole(tmp_path / ("n" * 250), [b""])  # as long as a name may be
    os.mkfifo(tmp_path / "pipe")
    for path, message in (("pipe", "no ordinary file"), (".", "a folder"), ("no/file", "No such file")):
        with pytest.raises(InputError, match=f"cannot write .*{message}"):
            write_whole(tmp_path / path, [b"x"])
    assert sorted(entry.name[:4] for entry in tmp_path.iterdir()) == ["link", "nnnn", "pipe", "targ"]
