"""Trees and results as data for other programs: JSON that holds all of a tree's file, and CSV with a row a thing."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cli_util import run, run_json
from trees_util import labelled_tree, matrix_tree, peg_tree, small_folder, word_tree

from optimal.errors import InputError
from optimal.games.feedback import BullsFeedback, WordFeedback, feedback_of
from optimal.games.info import GameInfo
from optimal.games.rules import Rules
from optimal.labels import labelled_code
from optimal.trees.export import export_csv, export_json
from optimal.trees.file import load_tree
from optimal.trees.nodes import Node
from optimal.trees.tree import StrategyTree

BULLS = BullsFeedback(2)
LATE = word_tree(position=(("salet", WordFeedback(5).parse("BGBBB")),), weights=(3, 0, 2), objective="within:3")
TREES = [word_tree(), LATE, peg_tree(BULLS, BULLS.all_guesses(), "two digits"), matrix_tree(), labelled_tree()]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_folder(tmp_path_factory.mktemp("exports"))


LISTS = ("--guesses", "g.txt", "--answers", "a.txt")


def rebuilt(data: dict[str, Any]) -> StrategyTree:
    """The tree of exported JSON: nothing that its file says is missing there."""
    about = data["game"]
    feedback = None if about["kind"] is None else feedback_of(about["kind"], about["params"])

    def code(text: str) -> int:
        return labelled_code(text, about["feedback_labels"]) if feedback is None else feedback.parse(text)

    def node(fields: dict[str, Any]) -> Node:
        return Node(fields["guess"], {code(text): node(child) for text, child in fields["children"].items()})

    hashes = {name: about[name] for name in ("guesses_sha256", "answers_sha256", "guess_count", "matrix_sha256")}
    labels = about["feedback_labels"]
    game = GameInfo(
        about["name"],
        feedback,
        winning_code=code(about["winning_feedback"]),
        labels=None if labels is None else tuple(labels),
        **hashes,
    )
    same = ("objective", "max_guesses", "weights_name", "status", "total", "worst", "program")
    return StrategyTree(
        game=game,
        rules=Rules(data["rules"]),
        position=tuple((turn["guess"], code(turn["feedback"])) for turn in data["position"]),
        weights=None if data["weights"] is None else tuple(data["weights"]),
        answers=tuple(data["answers"]),
        root=node(data),
        value=tuple(data["value"]),
        bound=tuple(data["bound"]),
        distribution={int(depth): count for depth, count in data["distribution"].items()},
        openers=None if data["openers"] is None else tuple(data["openers"]),
        **{name: data[name] for name in same},
    )


@pytest.mark.parametrize("tree", TREES, ids=lambda tree: f"{tree.game.name} {len(tree.position)}")
def test_json_holds_all_of_a_tree(tree: StrategyTree) -> None:
    data = json.loads(json.dumps(export_json(tree)))
    assert rebuilt(data) == tree
    assert data["mean"] == float(tree.mean)
    assert (data["format"], data["version"]) == ("optimal-tree", 1)


def test_the_classic_tree_as_json_is_small(folder: Path) -> None:
    done = run(folder, "export", "classic-normal", "--to", "json")
    assert len(done.out) < 130_000
    assert rebuilt(json.loads(done.out)) == load_tree("classic-normal")


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(text.splitlines()))


@pytest.mark.parametrize("tree", TREES[:3], ids=lambda tree: f"{tree.game.name} {len(tree.position)}")
def test_csv_has_a_row_for_each_answer(tree: StrategyTree) -> None:
    rows = rows_of(export_csv(tree))
    assert [row["answer"] for row in rows] == list(tree.answers)
    for number, row in enumerate(rows):
        turns = tree.play(row["answer"])
        assert int(row["guesses"]) == len(turns)
        assert int(row["weight"]) == (1 if tree.weights is None else tree.weights[number])
        for turn in range(1, tree.worst + 1):
            played = turns[turn - 1] if turn <= len(turns) else ("", "")
            assert (row[f"guess_{turn}"], row[f"feedback_{turn}"]) == played
    assert sum(int(row["weight"]) * int(row["guesses"]) for row in rows) == tree.total


def test_a_worst_case_that_is_not_true_makes_no_long_rows() -> None:
    tree = word_tree()
    assert export_csv(replace(tree, worst=1 << 40)) == export_csv(tree)


def test_no_csv_of_a_bare_matrix(folder: Path) -> None:
    with pytest.raises(InputError, match="bare matrix"):
        export_csv(matrix_tree())


@pytest.mark.parametrize(
    ("words", "rows"),
    [
        (("suggest", "salet=bbbyb", "--top", "3"), "guesses"),
        (("rank", "--top", "3"), "openers"),
        (("debrief", "salet", "wreck"), "turns"),
    ],
)
def test_results_as_csv(folder: Path, tmp_path: Path, words: Sequence[str], rows: str) -> None:
    done = run(folder, *words, *LISTS, "--csv")
    assert (done.status, done.err) == (0, "")
    out = tmp_path / "out.csv"
    found = run_json(folder, *words, *LISTS, "--csv", str(out))[rows]
    assert out.read_text(encoding="utf-8") == done.out
    told = rows_of(done.out)
    assert len(told) == len(found) >= 2
    for row, known in zip(told, found, strict=True):
        assert row.keys() == known.keys()
        for name, value in known.items():
            shown = " ".join(value) if isinstance(value, list) else "" if value is None else str(value)
            assert row[name] == shown, name


def test_other_guesses_as_csv(folder: Path) -> None:
    words = ("suggest", "salet=bbbyb", "--top", "1", "--others", *LISTS)
    rows = rows_of(run(folder, *words, "--csv").out)
    found = run_json(folder, *words)
    assert [row["guess"] for row in rows] == [one["guess"] for one in found["guesses"] + found["other_guesses"]]
    assert {row["bound"] for row in rows if not row["total"]} == {str(one["bound"]) for one in found["other_guesses"]}


def test_csv_goes_to_a_file_beside_the_text(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    plain = run(folder, "rank", *LISTS, "--openers", "salet,crane")
    done = run(folder, "rank", *LISTS, "--openers", "salet,crane", "--csv", str(out))
    assert (done.status, done.out) == (0, plain.out)
    assert len(rows_of(out.read_text(encoding="utf-8"))) == 2


def test_trees_of_bare_matrices_with_their_matrix(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text(",x y,y,z\na,win,lo,hi\nb,lo,win,hi\nc,hi,lo,win\n")
    (tmp_path / "other.csv").write_text(",x y,y,z\na,win,lo,hi\nb,hi,win,hi\nc,hi,lo,win\n")
    asked = ("--matrix", "m.csv", "--winning", "win")
    assert run(tmp_path, "solve", *asked, "--openers", "b", "--output", "t.msgpack").status == 0
    done = run(tmp_path, "export", "t.msgpack", "--to", "csv", "--matrix", "m.csv")
    rows = rows_of(done.out)
    assert [(row["answer"], row["guesses"], row["feedback_1"]) for row in rows] == [
        ("x y", "2", "lo"),
        ("y", "1", "win"),
        ("z", "2", "hi"),
    ]
    played = run_json(tmp_path, "play", "t.msgpack", "--answer", "x y", "--matrix", "m.csv")
    assert (played["guesses"], played["feedback"]) == (["b", "a"], ["lo", "win"])
    for words, problem in (
        (
            ("export", "t.msgpack", "--to", "csv"),
            "bare matrix, whose feedback is not in the tree's file: add --matrix FILE",
        ),
        (("export", "t.msgpack", "--to", "csv", "--matrix", "other.csv"), "other.csv is not the matrix of this tree"),
        (("export", "t.msgpack", "--to", "text", "--matrix", "m.csv"), "--matrix goes with a tree and --to csv"),
        (("play", "t.msgpack", "--matrix", "m.csv"), "--matrix goes with --answer"),
        (("play", "classic-normal", "--answer", "crane", "--matrix", "m.csv"), "--matrix is for the trees of bare"),
        (("certify", "t.msgpack", "-o", "c.xz"), "not for a bare matrix"),
        (("debrief", "a", "b", *asked), "'b' is a guess of m but no answer\n"),
    ):
        done = run(tmp_path, *words)
        assert (done.status, done.err.count("\n"), problem in done.err) == (2, 1, True), done.err
