"""`compare`, `report` and `suggest --strategy`, as a user meets them."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path

import pytest
from cli_util import ROOT, run, run_json, run_process
from test_cli import LISTS, folder
from trees_util import ANSWERS, GUESSES, word_tree

from optimal.baselines import entries
from optimal.baselines.openings import opening_report
from optimal.games.game import Game

__all__ = ["folder"]  # a fixture, used by name

SMALL = Game.from_words(GUESSES, ANSWERS, name="a")
OWN = """
class First:
    name = "first"

    def next_guess(self, position):
        return position.candidates[0]
"""


# compare


@pytest.mark.slow
def test_compare_beside_the_shipped_tree(folder: Path) -> None:
    found = run_json(folder, "compare", "--rules=hard", "--max-guesses=5", "--strategies", "optimal", "four-words")
    best, other = found["strategies"]
    assert (best["name"], best["total"], best["worst"], best["failed"], best["above"]) == ("optimal", 8206, 5, 0, 0)
    assert (found["bound"], other["above"]) == (8206, other["total"] - 8206)


def test_compare_all(folder: Path) -> None:
    both = [run_json(folder, "compare", *LISTS, "--jobs", jobs)["strategies"] for jobs in ("1", "2")]
    assert {entry.name for entry in entries()} - {row["name"] for row in both[0]} == {"four-words"}  # not in the list
    assert [{**row, "seconds": 0} for row in both[0]] == [{**row, "seconds": 0} for row in both[1]]


def test_installed_strategies(folder: Path, tmp_path: Path) -> None:
    # As pip leaves a package behind: its modules, and a folder of metadata that holds the entry points.
    info = tmp_path / "mypackage-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: mypackage\nVersion: 1\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(
        "[optimal.strategies]\nfirst = mypackage:First\nbroken = mypackage:Absent\n", encoding="utf-8"
    )
    (tmp_path / "mypackage.py").write_text(OWN, encoding="utf-8")
    path = {"PYTHONPATH": os.pathsep.join((str(ROOT), str(tmp_path))), "PYTHONIOENCODING": "utf-8"}
    done = run_process(folder, "compare", *LISTS, "--json", extra=path)
    assert (done.status, done.err.count("\n")) == (0, 1)
    assert done.err.startswith("optimal compare: left out: strategy 'broken' can't be loaded: AttributeError:")
    names = [row["name"] for row in json.loads(done.out)["strategies"]]
    assert {"entropy", "first"} <= set(names)
    done = run_process(folder, "suggest", *LISTS, "--strategy", "first", "salet=bybbb", extra=path)
    assert done.out.startswith("a, normal rules\nfirst at salet=BYBBB: cigar\n")


def test_compare_as_csv(folder: Path, tmp_path: Path) -> None:
    asked = ("compare", *LISTS, "--strategies", "entropy", "odds=salet,crony", "--csv")
    rows = list(csv.DictReader(run(folder, *asked).out.splitlines()))
    out = tmp_path / "out.csv"
    found = run_json(folder, *asked, str(out))
    written = list(csv.DictReader(out.read_text("utf-8").splitlines()))
    for row, other, known in zip(rows, written, found["strategies"], strict=True):
        assert {**row, "seconds": ""} == {**other, "seconds": ""}
        assert (row["strategy"], float(row["mean"])) == (known["name"], known["mean"])
        assert float(row["candidates_left_1"]) == known["candidates_left"][0]["mean"]
        assert float(row["share_3"]) == known["shares"]["3"]
        assert (row["above"], known["above"]) == ("", None)  # no bound is known


def test_compare_beside_an_optimal_tree(folder: Path, tmp_path: Path) -> None:
    tree = tmp_path / "tree.msgpack"
    best = run_json(folder, "solve", *LISTS, "--output", str(tree))
    done = run(folder, "compare", *LISTS, "--tree", str(tree), "--strategies", "entropy")
    assert f"Proven: no strategy without a failure has a total below {best['total']}, mean" in done.out
    # A tree that is not proven least has a bound below its total.
    found = run_json(folder, "compare", *LISTS, "--tree", "tree.msgpack", "--strategies", "entropy")
    assert (found["strategies"][0]["total"], found["bound"]) == (word_tree().total, word_tree().bound[0])


# report


def test_wins_on_the_second_guess(folder: Path) -> None:
    found = run_json(folder, "report", "--worst", "--top", "5", "--game", "classic-answers")
    assert (found["worst"], found["answers"], len(found["guaranteed"]), len(found["expected"])) == (True, 2315, 5, 5)
    done = run(folder, "report", "--wins", "--game", "classic-answers", "chant", "filet", "brute")
    assert (done.status, done.err) == (0, "")
    assert [line.split()[0] for line in done.out.splitlines()[8:11]] == ["brute", "chant", "filet"]
    assert "most chances to win, added up" in done.out


def test_search_for_openings(folder: Path) -> None:
    words = ("report", "--search", "--count", "1", "--tries", "2", *LISTS)
    found = run_json(folder, *words)
    opening = found["openings"][0]
    assert opening == opening_report(SMALL, opening["openers"]).to_dict()
    assert " ".join(opening["openers"]) in run(folder, *words).out
    none = run(folder, "report", "--search", "--tries", "2", *LISTS)
    assert none.status == 1
    assert none.out == "a: none of 2 shuffles brings openers that always win; another --seed may\n"


# suggest --strategy


def test_region_diagrams(folder: Path) -> None:
    words = ("suggest", "classic", "--strategy", "regions=later", "--top", "1")
    told = run(folder, *words).out
    assert "     ···  t··  te·  ·e·  ·er  ter  t·r  ··r\n" in told
    assert "the largest is {e,r} with 203" in told
    found = run_json(folder, *words)["diagram"]
    assert (found["word"], found["nonzero"], found["largest"]) == ("later", 31, {"letters": "er", "size": 203})
    narrow = run(folder, *words, extra={"PYTHONIOENCODING": "ascii"})
    assert "..   196  129   89  175  203   63   68  123\n" in narrow.out


def test_boards(folder: Path) -> None:
    asked = ("--board", "..O..", "--good", "ON", "--past", "saine", "gonch", "brown")
    found = run_json(folder, "suggest", "classic", "--strategy", "odds", *asked)
    assert (found["guess"], found["candidates"], found["scoring"]) == ("knoll", 1, "naive")
    found = run_json(folder, "suggest", "--strategy", "odds", "--board", "C.G..", *LISTS)
    assert (found["guess"], found["candidates"]) == ("cigar", 1)


def test_a_whole_game(folder: Path) -> None:
    found = run_json(folder, "suggest", "classic", "--strategy", "odds", "--answer", "Knoll")
    assert (found["guesses"][:2], found["feedback"][:2]) == (["saine", "gonch"], ["BBBYB", "BYYBB"])
    done = run(folder, "suggest", "classic", "--strategy", "odds", "--answer", "cigar", "--scoring", "naive")
    assert done.out.endswith("rules\n1. saine  BYYBB\n2. trail  BYYYB\n3. cigar  GGGGG\n")
