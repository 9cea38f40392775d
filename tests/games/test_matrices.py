"""Games as tables: matrix files with labels, what they are called everywhere, and what is wrong with bad ones."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_util import run, run_json

import optimal
from optimal.errors import InputError
from optimal.games.game import Game
from optimal.games.matrices import read_matrix
from optimal.trees.talk import play_interactive

TABLE = ",1,2,3\n1,right,higher,Way higher\n2,lower,right,higher\n3,Way lower,lower,right\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "number.csv").write_text(TABLE, encoding="utf-8")
    return tmp_path


def test_a_table_with_labels(folder: Path) -> None:
    matrix = read_matrix(folder / "number.csv")
    assert matrix.labels == ("Way higher", "Way lower", "higher", "lower", "right")
    assert (matrix.guesses, matrix.answers) == (("1", "2", "3"), ("1", "2", "3"))
    assert [list(row) for row in matrix.rows] == [[4, 2, 0], [3, 4, 2], [1, 3, 4]]
    assert matrix.winning_code(None, "it") == matrix.winning_code("right", "it") == 4


def test_the_winning_feedback_is_named_where_names_differ(tmp_path: Path) -> None:
    path = tmp_path / "m.csv"
    path.write_text(",left,right\nopen 1,prize,goat\nopen 2,goat,prize\n", encoding="utf-8")
    assert run_json(tmp_path, "solve", "--matrix", "m.csv", "--winning", "prize")["total"] == 3
    done = run(tmp_path, "solve", "--matrix", "m.csv")
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert "Name it by --winning; where none does" in done.err
    assert "`optimal identify` finds the best questions" in done.err


#: Labels that hold all that means something where they are typed, and replies that are commands elsewhere.
ODD_LABELS = ["a", "A", "two words", "x=1", "c,d", "@home", '"hi"', "classic"]
ODD_REPLIES = ["q", "Q", "undo", "very far", "a=b", ":u", '"h"', "?"]


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    """A table of odd labels, in which guess i is told how far answer j is from it, in odd words."""
    with open(tmp_path / "odd.csv", "w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["", *ODD_LABELS])
        for i, label in enumerate(ODD_LABELS):
            rows.writerow([label, *(ODD_REPLIES[(j - i) % 8] for j in range(8))])
    return tmp_path


def in_quotes(label: str) -> str:
    return '"' + label.replace('"', '""') + '"'


@pytest.mark.parametrize("label", ODD_LABELS)
def test_every_label_can_be_named(odd: Path, label: str) -> None:
    typed = in_quotes(label)
    (odd / "openers").write_text(f"{typed}\n", encoding="utf-8")
    for words in (["rank", typed], ["rank", "--openers", "@openers"]):
        ranked = run_json(odd, *words, "--matrix", "odd.csv")["openers"]
        assert [opener["guess"] for opener in ranked] == [label]
    other = ODD_LABELS[ODD_LABELS.index(label) - 1]
    debriefed = run_json(odd, "debrief", in_quotes(other), typed, "--matrix", "odd.csv")
    assert (debriefed["answer"], [turn["guess"] for turn in debriefed["turns"]]) == (label, [other, label])
    found = run_json(odd, "suggest", f"{typed}={in_quotes('a=b')}", "--matrix", "odd.csv")
    assert found["candidate_words"] == [ODD_LABELS[(ODD_LABELS.index(label) + 4) % 8]]
    # A position is told as it may be typed.
    assert run_json(odd, "suggest", found["position"], "--matrix", "odd.csv")["position"] == found["position"]
    talk = run_json(odd, "assist", "--matrix", "odd.csv", typed=f'{typed}\nvery far\nundo\n{typed} "a=b"\n')
    assert talk["turns"][0] == {"guess": label, "feedback": "a=b"}  # the last line corrects it


def test_labels_in_weights_and_strategies(odd: Path) -> None:
    named = {label: label if label != '"hi"' else in_quotes(label) for label in ODD_LABELS}
    for names in (named, {label: in_quotes(label) for label in ODD_LABELS}):
        (odd / "weights").write_text("".join(f"{names[label]} {i}\n" for i, label in enumerate(ODD_LABELS)), "utf-8")
        found = run_json(odd, "solve", "--matrix", "odd.csv", "--weights", "weights", "--output", "tree")
        assert found["status"] == "OPTIMAL"
        assert optimal.StrategyTree.load(odd / "tree").weights == tuple(range(8))
    played = run_json(odd, "suggest", "--matrix", "odd.csv", "--strategy", 'entropy="c,d",A')
    assert (played["guess"], played["strategy"]) == ("c,d", "entropy=c,d,A")


@pytest.mark.parametrize("reply", ODD_REPLIES[1:])
def test_replies_win_over_commands(odd: Path, reply: str) -> None:
    matrix = read_matrix(odd / "odd.csv")
    game = Game.from_matrix(
        matrix.rows, matrix.winning_code("q", ""), guesses=matrix.guesses, answers=matrix.answers, labels=matrix.labels
    )
    tree = optimal.solve(game, first=["A"]).tree
    assert tree is not None
    for typed in (reply, in_quotes(reply), f"A={in_quotes(reply)}"):
        player = play_interactive(tree, io.StringIO(f"{typed}\n:quit\n"), io.StringIO())
        assert player.turns == (("A", game.parse(reply)),)
    for undo, turns in (("", [{"guess": "A", "feedback": reply}]), (":undo\n", [])):
        talk = run_json(odd, "assist", "--matrix", "odd.csv", typed=f"A\n{reply}\n{undo}:quit\n")
        assert talk["turns"] == turns


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["suggest", '"two words=q'], "a quotation mark opens and none closes before a blank, = or the end"),
        (
            ["suggest", "two words=q"],
            "'two' is no turn of a position: write GUESS=FEEDBACK, and labels with blanks or =",
        ),
        (["rank", "--openers", '"c,d'], "a quotation mark opens and none closes before a comma or the end"),
        (["debrief", '"two', "A"], "'\"two' begins with a quotation mark: it must end with one"),
    ],
)
def test_bad_quotes(odd: Path, words: list[str], message: str) -> None:
    done = run(odd, *words, "--matrix", "odd.csv")
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert message in done.err


BAD = [
    (",a,b\na,x,y\nb,y\n", "line 3: a guess and 2 replies are needed"),
    (",a,a\na,x,y\nb,y,x\n", "labels 1 and 2 of answers"),
    (",a,b\n", "answers in the first line"),
    ("1,2\n3\n", "line 2: 1 codes; the rows before have 2"),
    ("", "is empty"),
    (',a,b\n"a\nb",x,y\nb,y,x\n', "label 1 of guesses of m.csv must have 1 to 100 printable characters"),
    (',"a,b\n', "line 1: a quotation mark opens here, and none closes"),
    (f",a,b\n{'z' * 140_000},x,y\nb,y,x\n", "line 2: no line of CSV: field larger than field limit"),
]


@pytest.mark.parametrize(("text", "message"), BAD)
def test_bad_tables(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "m.csv").write_text(text, encoding="utf-8")
    done = run(tmp_path, "solve", "--matrix", "m.csv")
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert message in done.err


def test_every_code_needs_a_label_of_its_own() -> None:
    for labels in (["lower", "right"], ["a", "b", "a"]):
        with pytest.raises(InputError):
            Game.from_matrix([[1, 0], [2, 1]], 1, labels=labels)


def test_what_is_masked_is_no_code() -> None:
    codes = np.ma.array([[0, 1], [1, 0]])
    assert Game.from_matrix(codes, 0).matrix.tolist() == [[0, 1], [1, 0]]
    codes.mask = [[False, True], [False, False]]
    for matrix in (codes, list(codes)):
        with pytest.raises(InputError, match="some of this one are masked"):
            Game.from_matrix(matrix, 0)


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.zeros(3, dtype=int), r"an array of shape \(3,\) and type int64; right would be a matrix"),
        (np.full((2, 2), -1), "codes from -1 to -1"),
        (np.array([[None]]), r"not a good \.npy file"),
    ],
)
def test_arrays_that_are_no_matrix(tmp_path: Path, array: Any, message: str) -> None:
    np.save(tmp_path / "m.npy", array)
    with pytest.raises(InputError, match=message):
        read_matrix(tmp_path / "m.npy")


def test_the_labels_of_a_frame() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame([[0, 1], [1, 0]], index=["open 1", "open 2"], columns=[10, 20])
    game = Game.from_matrix(frame, 0)
    assert (game.guesses, game.answers) == (("open 1", "open 2"), ("10", "20"))
    game = Game.from_matrix(frame, 0, guesses=["left", "right"])
    assert (game.guesses, game.answers) == (("left", "right"), ("10", "20"))
    assert Game.from_matrix(frame, 0, answers=["left", "right"]).guesses == ("open 1", "open 2")


def test_a_matrix_of_excel(folder: Path) -> None:
    pytest.importorskip("openpyxl", reason="needs openpyxl, of the extra `excel`")
    pandas = pytest.importorskip("pandas")
    rows = [line.split(",") for line in TABLE.splitlines()]
    pandas.DataFrame(rows).to_excel(folder / "m.xlsx", header=False, index=False)
    assert read_matrix(folder / "m.xlsx") == read_matrix(folder / "number.csv")
