"""`compare`, `report` and `suggest --strategy`, as a user meets them."""

from __future__ import annotations

import csv
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from baselines_util import advise, figures
from cli_util import ROOT, run, run_json, run_process
from test_cli import LISTS, folder
from trees_util import ANSWERS, GUESSES, word_tree

from optimal.baselines import entries
from optimal.baselines.openings import opening_report
from optimal.games.game import Game
from optimal.show.text import histogram

__all__ = ["folder"]  # a fixture, used by name

SMALL = Game.from_words(GUESSES, ANSWERS, name="a")
OWN = """
class First:
    name = "first"

    def next_guess(self, position):
        return position.candidates[0]
"""


def figure(kind: str, **arguments: str) -> Any:
    """A published figure of baselines.json."""
    (found,) = {json.dumps(one["value"]) for one in figures() if (one["kind"], one["args"]) == (kind, arguments)}
    return json.loads(found)


# compare


@pytest.mark.slow
def test_compare_beside_the_shipped_tree(folder: Path) -> None:
    found = run_json(folder, "compare", "--rules=hard", "--max-guesses=5", "--strategies", "optimal", "four-words")
    best, other = found["strategies"]
    assert (best["name"], best["total"], best["worst"], best["failed"], best["above"]) == ("optimal", 8206, 5, 0, 0)
    assert (found["bound"], other["above"]) == (8206, other["total"] - 8206)


def test_compare_under_the_naive_rule(folder: Path) -> None:
    found = run_json(folder, "compare", "classic-answers", "--strategies", "odds-hard", "--scoring", "naive")
    (row,) = found["strategies"]
    asked = {"name": "odds-hard", "on": "classic-answers", "scoring": "naive"}
    assert row["distribution"] == figure("distribution", **asked)
    assert row["mean"] == figure("mean", **asked)
    assert (found["scoring"], found["bound"]) == ("naive", None)
    assert row["failed"] == sum(count for depth, count in row["distribution"].items() if int(depth) > 6) == 16
    assert sum(row["shares"].values()) == pytest.approx(1)


def test_compare_all(folder: Path) -> None:
    found = run_json(folder, "compare", *LISTS, "--jobs", "2")
    names = [row["name"] for row in found["strategies"]]
    assert {entry.name for entry in entries()} - set(names) == {"four-words"}  # its words are not in the list
    for row in found["strategies"]:
        assert sum(row["distribution"].values()) == found["answers"] == 20
        assert sum(int(depth) * count for depth, count in row["distribution"].items()) == row["total"]
        assert set(row["shares"]) == {"2", "3", "4", "5", "6", "failed"}
        assert len(row["candidates_left"]) == len(row["answers_left"]) == 2
        assert set(row["candidates_left"][0]) == {"mean", "median", "largest"}
        assert row["seconds"] >= 0
    again = run_json(folder, "compare", *LISTS)
    plain = [[{**row, "seconds": 0} for row in one["strategies"]] for one in (found, again)]
    assert plain[0] == plain[1]


def test_compare_for_people(folder: Path) -> None:
    done = run(folder, "compare", *LISTS, "--strategies", "entropy", "odds=salet,crony", "--strategies", "popularity")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("a, normal rules, true feedback, within 6 guesses, 20 answers\n")
    assert "Shares of answers by guesses, in per cent" in done.out
    lines = done.out.splitlines()
    row = run_json(folder, "compare", *LISTS, "--strategies", "entropy")["strategies"][0]
    for name in ("entropy", "odds=salet,crony", "popularity"):
        assert sum(name in line.split() for line in lines) == 4  # in each table, and over its histogram
    first = next(line.split() for line in lines if line.startswith("entropy "))
    assert first[1:3] == [str(row["total"]), f"{row['mean']:.4f}"]
    for line in histogram({int(depth): count for depth, count in row["distribution"].items()}, 6, 24).splitlines():
        assert line in done.out
    narrow = run(folder, "compare", *LISTS, "--strategies", "entropy", extra={"PYTHONIOENCODING": "ascii"})
    assert "####" in narrow.out
    assert "\\u" not in narrow.out


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
    done = run(folder, "compare", *LISTS, "--strategies", "entropy", "odds=salet,crony", "--csv")
    assert (done.status, done.err) == (0, "")
    rows = list(csv.DictReader(done.out.splitlines()))
    assert [row["strategy"] for row in rows] == ["entropy", "odds=salet,crony"]
    out = tmp_path / "out.csv"
    found = run_json(folder, "compare", *LISTS, "--strategies", "entropy", "odds=salet,crony", "--csv", str(out))
    assert out.read_bytes().count(b"\n") == 3
    for row, other, known in zip(
        rows, csv.DictReader(out.read_text("utf-8").splitlines()), found["strategies"], strict=True
    ):
        assert {**row, "seconds": ""} == {**other, "seconds": ""}
        assert (int(row["total"]), float(row["mean"])) == (known["total"], known["mean"])
        assert float(row["candidates_left_1"]) == known["candidates_left"][0]["mean"]
        assert float(row["share_3"]) == known["shares"]["3"]
        assert row["above"] == ""  # no bound is known
        assert known["above"] is None


def test_compare_beside_an_optimal_tree(folder: Path, tmp_path: Path) -> None:
    tree = tmp_path / "tree.msgpack"
    best = run_json(folder, "solve", *LISTS, "--output", str(tree))
    found = run_json(folder, "compare", *LISTS, "--tree", str(tree), "--strategies", "entropy")
    assert [row["name"] for row in found["strategies"]] == ["tree", "entropy"]
    assert found["strategies"][0]["distribution"] == best["distribution"]
    assert found["bound"] == found["strategies"][0]["total"] == best["total"] <= found["strategies"][1]["total"]
    assert [row["above"] for row in found["strategies"]] == [0, found["strategies"][1]["total"] - best["total"]]
    done = run(folder, "compare", *LISTS, "--tree", str(tree), "--strategies", "entropy")
    assert "No proven bound is known" not in done.out
    assert f"Proven: no strategy without a failure has a total below {best['total']}, mean" in done.out
    assert "above: total less the proven bound" in done.out
    # A tree that is not proven least has a bound below its total.
    found = run_json(folder, "compare", *LISTS, "--tree", "tree.msgpack", "--strategies", "entropy")
    assert (found["strategies"][0]["total"], found["bound"]) == (word_tree().total, word_tree().bound[0])


def test_compare_help_names_the_strategies(folder: Path) -> None:
    text = run(folder, "compare", "--help").out
    for entry in entries():
        assert re.search(rf"^  {entry.name} +{re.escape(entry.title)}$", text, re.MULTILINE)


# report


def test_report_on_an_opening(folder: Path) -> None:
    openers = ("handy", "swift", "glove", "crump")
    found = run_json(folder, "report", *openers, "--game", "classic-answers")
    assert found == opening_report(Game.preset("classic-answers"), openers).to_dict()
    done = run(folder, "report", "HANDY", "Swift,glove", "crump")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith(
        "classic (Wordle list of 2021), 2315 answers\nhandy swift glove crump always wins within 6 guesses"
    )
    assert "  batty, tabby, tatty\n" in done.out
    assert "does not always win" in run(folder, "report", "abhor", "cleft", "dumpy", "swing").out


def test_wins_on_the_second_guess(folder: Path) -> None:
    found = run_json(folder, "report", "--worst", "--top", "5", "--game", "classic-answers")
    assert (found["worst"], found["answers"], len(found["guaranteed"]), len(found["expected"])) == (True, 2315, 5, 5)
    done = run(folder, "report", "--wins", "--game", "classic-answers", "chant", "filet", "brute")
    assert (done.status, done.err) == (0, "")
    assert [line.split()[0] for line in done.out.splitlines()[5:8]] == ["brute", "chant", "filet"]
    assert "most expected wins" in done.out


def test_search_for_openings(folder: Path) -> None:
    words = ("report", "--search", "--count", "1", "--tries", "2", *LISTS)
    found = run_json(folder, *words)
    assert (found["seed"], found["tries"], found["count"], found["without"]) == (42, 2, 1, "jqxz")
    assert found["openings"]
    for opening in found["openings"]:
        assert opening["winner"] is True
        assert len(set("".join(opening["openers"]))) == 5
        assert not set("".join(opening["openers"])) & set("jqxz")
        assert opening == opening_report(SMALL, opening["openers"]).to_dict()
    done = run(folder, *words)
    assert done.status == 0
    assert " ".join(found["openings"][0]["openers"]) in done.out
    none = run(folder, "report", "--search", "--tries", "2", *LISTS)
    assert none.status == 1
    assert none.out == "a: none of 2 shuffles brings openers that always win; another --seed may\n"


def test_another_limit_of_guesses(folder: Path) -> None:
    found = run_json(folder, "compare", *LISTS, "--strategies", "global", "--max-guesses", "2")
    (row,) = found["strategies"]
    assert found["max_guesses"] == 2
    assert row["failed"] == sum(count for depth, count in row["distribution"].items() if int(depth) > 2) > 0
    assert run_json(folder, "report", "11", "--game", "mastermind:2x3", "--max-guesses", "9")["winner"] is True
    assert run_json(folder, "report", "11", "--game", "mastermind:2x3", "--max-guesses", "3")["winner"] is False


# suggest --strategy


def test_suggest_by_a_strategy(folder: Path) -> None:
    for history in ([], ["salet=bybbb"]):
        for name in ("weighted", "global=crane"):
            found = run_json(folder, "suggest", "--strategy", name, *history, *LISTS, "--top", "3")
            turns = [(turn[:5], SMALL.feedback.parse(turn[6:])) for turn in history] if SMALL.feedback else []
            assert found.items() >= advise(SMALL, name, turns, top=3).to_dict().items()
            assert found["guesses"] == found["rankings"][0]["guesses"]
            assert (found["game"], found["rules"], found["scoring"]) == ("a", "normal", "true")
    done = run(folder, "suggest", "--strategy", "entropy", "salet=bybbb", *LISTS, "--top", "3")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("a, normal rules\nentropy at salet=BYBBB: ")
    assert "\n1 candidate left: cigar\n" in done.out


def test_region_diagrams(folder: Path) -> None:
    words = ("suggest", "classic", "--strategy", "regions=later", "--top", "1")
    done = run(folder, *words)
    assert "the largest is {e,r} with 203" in done.out
    found = run_json(folder, *words)["diagram"]
    assert (found["word"], found["nonzero"], found["largest"]) == ("later", 31, {"letters": "er", "size": 203})
    assert (found["regions"][""], found["regions"]["aelrt"], found["regions"]["elrt"]) == (196, 3, 0)
    assert "diagram" not in run_json(folder, "suggest", "--strategy", "odds", *LISTS)
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
    assert found["guesses"] == ["saine", "gonch", "brown", "knoll"]
    assert found["feedback"] == ["BBBYB", "BYYBB", "BBGBY", "GGGGG"]
    done = run(folder, "suggest", "classic", "--strategy", "odds", "--answer", "cigar", "--scoring", "naive")
    assert (
        done.out == "classic (Wordle list of 2021), normal rules\n1. saine  BYYBB\n2. trail  BYYYB\n3. cigar  GGGGG\n"
    )


# Every bad input: one line that says what is wrong, and status 2.

BAD = [
    (["compare", "--strategies", "optimal", "--max-guesses", "none"], "normal rules, no limit of guesses: solve it"),
    (["compare", "--strategies", "entrpy"], "unknown strategy 'entrpy': did you mean entropy"),
    (["compare", "--strategies", "entropy", "classic"], "'classic' for a strategy: name the game before it"),
    (["compare", *LISTS, "--strategies", "odds="], "names no word after ="),
    (["compare", *LISTS, "--strategies", "gone.py:First"], "there is no file gone.py"),
    (["compare", *LISTS, "--strategies", "optimal"], "no optimal tree is shipped for a with"),
    (["compare", "mastermind:2x3", "--strategies", "odds"], "looks at letters, and mastermind:2x3 has no words"),
    (["compare", *LISTS, "--scoring", "naive", "--rules", "hard"], "the naive rule goes with normal rules"),
    (["compare", *LISTS, "--csv", "--json"], "name a file after --csv"),
    (
        ["compare", "--csv", "classic"],
        "--csv takes 'classic' for a file: put it before --csv, or name a file such as out.csv",
    ),
    (["compare", *LISTS, "--tree", "matrix.msgpack"], "its tree has another kind of feedback than a"),
    (["report"], "name openers, such as handy swift glove crump, or ask for --wins, --worst or --search"),
    (["report", *LISTS, "salet", "salet"], "each may stand once"),
    (
        ["report", "11", "--game", "mastermind:2x3"],
        "1 opener needs a limit of 2 guesses or more; mastermind:2x3 has no limit",
    ),
    (["report", *LISTS, "--wins", "--worst"], "--wins and --worst are the two ends of one ranking"),
    (["report", *LISTS, "--search", "salet"], "--search finds openers by itself: leave out 'salet'"),
    (["report", "--search", "--game", "mastermind:2x3"], "has no words: openings are searched for by their letters"),
    (["suggest", "--strategy", "odds", *LISTS, "salet"], "'salet' is no turn of a position: write GUESS=FEEDBACK"),
    (["suggest", "--strategy", "odds", *LISTS, "salet=ggggb"], "no answer fits salet=GGGGB"),
    (["suggest", "--strategy", "odds", *LISTS, "cigar=ggggg"], "cigar=GGGGG found the answer: the game is over"),
    (
        ["suggest", "--strategy", "odds", *LISTS, "--board", "c....", "--rules", "hard"],
        "leave out --rules hard, or ask odds-hard",
    ),
    (["suggest", "--strategy", "odds", *LISTS, "salet=bybbb", "--board", "....."], "not two of them"),
    (["suggest", "--strategy", "odds", *LISTS, "--answer", "salet"], "'salet' is not among the 20 answers"),
    (["suggest", "--strategy", "odds", *LISTS, "--good", "ai"], "--good and --past go with --board"),
    (["suggest", "--strategy", "odds", *LISTS, "--board", "C.G."], "board 'C.G.' has 4 places"),
    (["suggest", "--board", "C.G.."], "--board goes with --strategy NAME"),
]


@pytest.mark.parametrize(("words", "message"), BAD, ids=[" ".join(words)[:60] for words, _ in BAD])
def test_bad_input(folder: Path, words: list[str], message: str) -> None:
    done = run(folder, *words)
    assert (done.status, done.out) == (2, "")
    assert message in done.err
    assert done.err.startswith(f"optimal {words[0]}: ")
    assert done.err.count("\n") == 1
