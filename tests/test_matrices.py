"""Games as tables: matrix files with labels, what they are called everywhere, and what is wrong with bad ones."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_util import run, run_json

import optimal
from optimal.errors import InputError
from optimal.games import memory
from optimal.games.game import Game
from optimal.games.matrices import Matrix, read_matrix
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
    (',a,b\n"a\nb",x,y\nb,y,x\n', "line 2: a cell begins with a quotation mark and goes on over the end of its line"),
    (',"a,b\n', "line 1: a cell begins with a quotation mark and goes on over the end of its line"),
    (f",a,b\n{'z' * 140_000},x,y\nb,y,x\n", "line 2: no line of CSV: field larger than field limit"),
]


@pytest.mark.parametrize(("text", "message"), BAD)
def test_bad_tables(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "m.csv").write_text(text, encoding="utf-8")
    done = run(tmp_path, "solve", "--matrix", "m.csv")
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert message in done.err


def test_what_is_masked_is_no_code() -> None:
    codes = np.ma.array([[0, 1], [1, 0]])
    assert Game.from_matrix(codes, 0).matrix.tolist() == [[0, 1], [1, 0]]
    codes.mask = [[False, True], [False, False]]
    for matrix in (codes, list(codes)):
        with pytest.raises(InputError, match="some of this one are masked"):
            Game.from_matrix(matrix, 0)


class Frame:
    """What a DataFrame is to us: an array whose rows and columns have names."""

    index = ("open 1", "open 2")
    columns = (10, 20)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.array([[0, 1], [1, 0]])


def test_the_labels_of_a_frame() -> None:
    frame: Any = Frame()
    game = Game.from_matrix(frame, 0)
    assert (game.guesses, game.answers) == (("open 1", "open 2"), ("10", "20"))
    game = Game.from_matrix(frame, 0, guesses=["left", "right"])
    assert (game.guesses, game.answers) == (("left", "right"), ("10", "20"))
    assert Game.from_matrix(frame, 0, answers=["left", "right"]).guesses == ("open 1", "open 2")


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="needs pipes with names")
def test_a_matrix_through_a_pipe(tmp_path: Path) -> None:
    def piped(data: bytes) -> Matrix:
        below, above = os.pipe()
        try:
            os.write(above, data)
            os.close(above)
            return read_matrix(f"/dev/fd/{below}")
        finally:
            os.close(below)

    assert piped(TABLE.encode()) == read_matrix_of(tmp_path, TABLE.encode())
    assert [list(row) for row in piped(b"0 1\n1 0\n").rows] == [[0, 1], [1, 0]]
    with pytest.raises(InputError, match="no ordinary file, as"):
        piped(b"\x93NUMPY\x01\x00")


def read_matrix_of(folder: Path, data: bytes) -> Matrix:
    (folder / "matrix").write_bytes(data)
    return read_matrix(folder / "matrix")


def test_a_matrix_that_has_no_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "machine_memory", lambda: 1 << 30)
    matrix = np.lib.format.open_memmap(tmp_path / "m.npy", "w+", np.uint8, (20_000, 20_000))
    del matrix  # a file with a hole: no byte of it is written
    with pytest.raises(InputError, match=r"m\.npy needs about 31[0-9]{2}M of memory; the machine has 1024M"):
        read_matrix(tmp_path / "m.npy")


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
