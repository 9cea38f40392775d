"""Games as tables: matrix files with labels, what they are called everywhere, and what is wrong with bad ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_util import run, run_json

import optimal
from optimal.errors import InputError
from optimal.games.game import Game
from optimal.games.matrices import read_matrix
from optimal.trees.file import from_bytes, to_bytes

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


@pytest.mark.parametrize("text", ["guess,a,b\na,7,3\nb,3,7\n", '"","a","b"\n"a",7,3\n"b",3,7\n'])
def test_labels_beside_bare_codes(tmp_path: Path, text: str) -> None:
    path = tmp_path / "m.csv"
    path.write_text(text, encoding="utf-8")
    matrix = read_matrix(path)
    assert [list(row) for row in matrix.rows] == [[7, 3], [3, 7]]
    assert (matrix.labels, matrix.guesses, matrix.winning_code(None, "it")) == (None, ("a", "b"), 7)


def test_the_winning_feedback_is_named_where_names_differ(tmp_path: Path) -> None:
    path = tmp_path / "m.csv"
    path.write_text(",left,right\nopen 1,prize,goat\nopen 2,goat,prize\n", encoding="utf-8")
    assert run_json(tmp_path, "solve", "--matrix", "m.csv", "--winning", "prize")["total"] == 3
    done = run(tmp_path, "solve", "--matrix", "m.csv")
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert "Name it by --winning" in done.err


def test_a_game_from_its_table_to_the_end(folder: Path) -> None:
    assert run_json(folder, "solve", "--matrix", "number.csv", "--output", "tree.msgpack")["total"] == 5
    assert run_json(folder, "verify", "tree.msgpack", "--matrix", "number.csv")["ok"]
    tree = optimal.StrategyTree.load(folder / "tree.msgpack")
    assert from_bytes(to_bytes(tree)) == tree
    assert tree.game.labels == ("Way higher", "Way lower", "higher", "lower", "right")
    played = run(folder, "play", "tree.msgpack", typed="what\nHIGHER\nright\n").out
    assert "'what' is none of Way higher, Way lower, higher, lower, right" in " ".join(played.split())
    assert "Solved in 2 guesses: 2." in played
    assert "higher" in json.loads(run(folder, "export", "tree.msgpack", "--json").out)["children"]


def test_positions_in_the_words_of_the_table(folder: Path) -> None:
    found = run_json(folder, "suggest", "1=way higher", "--matrix", "number.csv")
    assert (found["candidates"], found["position"]) == (1, "1=Way higher")
    turns = run_json(folder, "debrief", "1", "3", "--matrix", "number.csv")["turns"]
    assert [turn["feedback"] for turn in turns] == ["Way higher", "right"]
    talk = run(folder, "assist", "--matrix", "number.csv", typed="2\nlower\nright\n").out
    assert "Solved in 2: 1." in talk
    assert "Traceback" not in talk


def test_labels_in_python() -> None:
    game = Game.from_matrix([[1, 0], [2, 1]], 1, labels=["lower", "right", "higher"])
    assert (game.format(2), game.parse(" Lower ")) == ("higher", 0)
    assert game.with_rules("ultra-hard").labels == game.labels
    for labels in (["lower", "right"], ["a", "A", "b"], ["a", "b", "a=b"]):
        with pytest.raises(InputError):
            Game.from_matrix([[1, 0], [2, 1]], 1, labels=labels)


BAD = [
    (",a,b\na,x,y\nb,y\n", "line 3: a guess and 2 replies are needed"),
    (",a,b\na,x,\nb,y,x\n", "line 2: a guess and 2 replies are needed"),
    (",a,a\na,x,y\nb,y,x\n", "labels 1 and 2 of answers"),
    (",a,b\na,x,y\na,y,x\n", "labels 1 and 2 of guesses"),
    (",a,b\n", "answers in the first line"),
    ("a\n", "answers in the first line"),
    (",a,b\na,x,y\nb,y,y\n", "Name it by --winning"),
    ("", "is empty"),
]


@pytest.mark.parametrize(("text", "message"), BAD)
def test_bad_tables(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "m.csv").write_text(text, encoding="utf-8")
    done = run(tmp_path, "solve", "--matrix", "m.csv")
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert message in done.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--matrix number.csv --words number.csv", "--matrix is a whole game: leave out --words"),
        ("--matrix number.csv --length 5", "--length is for lists of words"),
        ("--matrix number.csv --winning left", "no feedback is called 'left'"),
        ("--matrix number.csv --rules hard", "hard rules need words"),
        ("--winning right", "--winning goes with --matrix FILE"),
        ("classic --matrix number.csv", "not both"),
        ("--matrix gone.csv", "can't read the matrix gone.csv"),
    ],
)
def test_bad_options_of_a_matrix(folder: Path, words: str, message: str) -> None:
    done = run(folder, "solve", *words.split())
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert message in done.err
