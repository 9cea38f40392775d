"""Trees and results as data for other programs: JSON that holds all of a tree's file, and CSV with a row a thing."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from cli_util import run, run_json
from trees_util import labelled_tree, matrix_tree, peg_tree, small_folder, word_tree

from optimal.errors import InputError
from optimal.games.feedback import BullsFeedback, WordFeedback
from optimal.trees.export import export_csv
from optimal.trees.tree import StrategyTree

BULLS = BullsFeedback(2)
LATE = word_tree(position=(("salet", WordFeedback(5).parse("BGBBB")),), weights=(3, 0, 2), objective="within:3")
TREES = [word_tree(), LATE, peg_tree(BULLS, BULLS.all_guesses(), "two digits"), matrix_tree(), labelled_tree()]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_folder(tmp_path_factory.mktemp("exports"))


LISTS = ("--guesses", "g.txt", "--answers", "a.txt")


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
    for row, known in zip(rows_of(done.out), found, strict=True):
        assert row.keys() == known.keys()
        for name, value in known.items():
            shown = " ".join(value) if isinstance(value, list) else "" if value is None else str(value)
            assert row[name] == shown, name
    if rows == "guesses":
        every = rows_of(run(folder, *words, "--others", *LISTS, "--csv").out)
        others = run_json(folder, *words, "--others", *LISTS)["other_guesses"]
        assert [row["guess"] for row in every] == [one["guess"] for one in found + others]


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
        (("export", "t.msgpack", "--to", "csv", "--matrix", "other.csv"), "other.csv is not the matrix of this tree"),
        (("export", "t.msgpack", "--to", "text", "--matrix", "m.csv"), "--matrix goes with a tree and --to csv"),
        (("play", "t.msgpack", "--matrix", "m.csv"), "--matrix goes with --answer"),
        (("certify", "t.msgpack", "-o", "c.xz"), "not for a bare matrix"),
        (("debrief", "a", "b", *asked), "'b' is a guess of m but no answer\n"),
    ):
        done = run(tmp_path, *words)
        assert (done.status, done.err.count("\n"), problem in done.err) == (2, 1, True), done.err
