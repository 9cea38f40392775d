"""Lists, tables and weights of somebody's own, as other programs write them: read, or refused with what is right."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_util import run, run_json

from optimal.games.feedback import WordFeedback
from optimal.games.game import Game
from optimal.games.matrices import read_matrix
from optimal.games.weights import weights_of
from optimal.trees.tree import StrategyTree

WORDS = "niña\npeña\nleña\nseña\ncaña\n"


def written(folder: Path, name: str, text: str) -> str:
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


def test_a_game_is_called_as_its_file_or_by_name(tmp_path: Path) -> None:
    written(tmp_path, "español.txt", WORDS)
    written(tmp_path, "classic.txt", WORDS)
    for words, name in (
        (("--words", "español.txt"), "español"),
        (("--guesses", "classic.txt", "--answers", "español.txt"), "español"),
        (("--words", "español.txt", "--name", "cuatro letras"), "cuatro letras"),
        (("--words", "classic.txt"), "words"),  # the name of another game
    ):
        assert run(tmp_path, "solve", *words, "-o", "own.msgpack").out.startswith(f"{name}, normal rules, ")
        assert run(tmp_path, "play", "own.msgpack", "--answer", "caña").out.startswith(f"{name}, 5 answers, normal")
        assert f'data-title="{name}"' in run(tmp_path, "export", "own.msgpack", "--to", "html").out
    for asked, message in (
        (("--words", "español.txt", "--name", "NYT"), "'NYT' is the name of a game that ships: call your own another"),
        (("--words", "español.txt", "--name", ""), "the name of a game must have 1 to 100 printable characters"),
        (("classic", "--name", "mine"), "--name is for own lists of words: give --words FILE"),
    ):
        done = run(tmp_path, "solve", *asked)
        assert (done.status, message in done.err) == (2, True)
    written(tmp_path, "table.csv", ",a,b\na,right,wrong\nb,wrong,right\n")
    assert run_json(tmp_path, "suggest", "--matrix", "table.csv", "--name", "two")["game"] == "two"


def test_letters_count_in_what_is_typed_and_disjoint_lists_are_joined(tmp_path: Path) -> None:
    written(tmp_path, "letters", "ñ=ñ")
    written(tmp_path, "g.txt", "Caña\nLeña\n")
    written(tmp_path, "a.txt", "Peñá\nseña\n")
    own = ("--guesses", "g.txt", "--answers", "a.txt", "--letters", "letters", "--fold-accents")
    done = run(tmp_path, "solve", *own, "-o", "t.msgpack")
    assert "g.txt has none of the answers: they are taken for guesses, too" in done.err
    assert run_json(tmp_path, "suggest", *own, "LÉÑÁ=bggg", "--top", "1")["candidates"] == 2
    assert run_json(tmp_path, "verify", "t.msgpack", *own)["ok"]
    page = run(tmp_path, "page", "t.msgpack", *own[:2], *own[4:], "-o", "t.html")
    assert (page.status, (tmp_path / "t.html").read_text().count("text/words")) == (0, 2)
    for command in (("solve", "--fold-accents"), ("solve", "--matrix", "g.txt", "--letters", "letters")):
        assert run(tmp_path, *command).err.count(f"{command[-2 if 'letters' in command else -1]} is for") == 1
    written(tmp_path, "tr.txt", "SINIR\nKASIM\nİSTER\nsinir\n")
    run(tmp_path, "solve", "--words", "tr.txt", "-o", "tr.msgpack")
    assert run(tmp_path, "play", "tr.msgpack", "--answer", "SINIR").out.endswith("sınır  GGGGG\n")


def test_tables_with_semicolons_tabs_and_whole_floats(tmp_path: Path) -> None:
    table = ",a,b,c\na,R,H,H\nb,L,R,H\nc,L,L,R\n"
    wanted = read_matrix(written(tmp_path, "comma.csv", table))
    for number, mark in enumerate(";\t"):
        assert read_matrix(written(tmp_path, f"{number}.csv", table.replace(",", mark))) == wanted
    rows = [[2, 0], [1, 2]]
    for number, text in enumerate(
        ("2,0\n1,2", "2;0\n1;2", "2\t0\n1\t2", "2 0\n1 2", "2.0,0.0\n1.0,2.0", "2, 0,\n1, 2,")
    ):
        assert [list(row) for row in read_matrix(written(tmp_path, f"rows{number}.csv", text)).rows] == rows
    labelled = read_matrix(written(tmp_path, "floats.csv", ";a;b\na;2.0;0.0\nb;1.0;2.0\n"))
    assert ([list(row) for row in labelled.rows], labelled.labels) == (rows, None)
    done = run(tmp_path, "solve", "--matrix", written(tmp_path, "half.csv", "2.0,0.5\n1.0,2.0\n"))
    assert (done.status, "half.csv, line 1: '0.5' is no code; right would be a matrix" in done.err) == (2, True)


@pytest.mark.parametrize("between", [" ", ",", ", ", ";", "\t", " ; "])
def test_weights_with_commas(tmp_path: Path, between: str) -> None:
    game = Game.from_words(["ab", "cd", "ef"], ["ab", "cd"])
    weights = weights_of(game, written(tmp_path, "w", f"ab{between}3\ncd{between}2.5\n"))
    assert weights is not None
    assert weights.values == (30, 25)
    labels = Game.from_matrix([[1, 0], [0, 1]], 1, guesses=["a, b", "c"], answers=["a, b", "c"])
    weights = weights_of(labels, written(tmp_path, "w", f"a, b{between}3\nc{between}2\n"))
    assert weights is not None
    assert weights.values == (3, 2)


def test_replies_and_codes_of_peg_games(tmp_path: Path) -> None:
    found = run_json(tmp_path, "suggest", "mastermind", "1122=11", "--top", "1")
    assert found["position"] == "1122=1,1"
    # Of two pegs the same is a guess.
    talk = run_json(tmp_path, "assist", "mastermind:2x3", typed="11\n1,0\n:quit\n")
    assert talk["turns"] == [{"guess": "11", "feedback": "1,0"}]
    for game, guess, form in (
        ("mastermind", "rrgb=1,1", "a guess is 4 of the colours 1 to 6, such as 1116"),
        ("bulls-and-cows", "1123=1,1", "a guess is 4 different symbols of 0 to 9"),
    ):
        done = run(tmp_path, "suggest", game, guess)
        assert (done.status, form in done.err) == (2, True)


def test_a_grid_tells_the_answer_that_is_not_named(tmp_path: Path) -> None:
    words, score = ("salet", "crony", "aback"), WordFeedback(5)
    rows = [score.pretty(score.score(guess, "abhor")) for guess in (*words, "abhor")]
    found = run_json(tmp_path, "debrief", "classic", *words, "--grid", "-", typed="\n".join(rows))
    assert (found["answer"], found["solved"], found["guesses_used"]) == ("abhor", True, 4)


def test_answers_of_the_list_may_count_more(tmp_path: Path) -> None:
    written(tmp_path, "g.txt", "abc\nabd\nabe\nxyz\ndez")
    written(tmp_path, "a.txt", "abc\nxyz")
    lists = ("--guesses", "g.txt", "--answers", "a.txt")
    found = run_json(tmp_path, "solve", *lists, "--weights", "tiers:50", "-o", "t.msgpack")
    assert (found["answers"], found["weights"], found["status"]) == (5, "file", "OPTIMAL")
    assert StrategyTree.load(tmp_path / "t.msgpack").weights == (50, 1, 1, 1, 50)
    done = run(tmp_path, "solve", *lists, "--weights", "tiers:50")
    assert "2 answers in the list count 50 times as much as 3 other words" in " ".join((done.out + done.err).split())
    assert run_json(tmp_path, "verify", "t.msgpack", "--words", "g.txt")["total"] == found["total"]
    for wrong in ("tiers:1", "tiers:", "tiers:x", "tiers"):
        done = run(tmp_path, "solve", *lists, "--weights", wrong)
        assert (done.status, f"weights '{wrong}': write such as tiers:1000" in done.err) == (2, True)
    done = run(tmp_path, "solve", "--words", "g.txt", "--weights", "tiers:5")
    assert (done.status, "every guess is an answer, so their weights have no tiers" in done.err) == (2, True)
