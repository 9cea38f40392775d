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

GAINS = ROOT / "docs" / "reference" / "strategies.csv"
SMALL = Game.from_words(GUESSES, ANSWERS, name="a")
CLASSIC = Game.preset("classic")
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
def test_compare_as_published(folder: Path) -> None:
    found = run_json(folder, "compare", "--strategies", "entropy", "most-classes")
    assert (found["game"], found["rules"], found["scoring"]) == ("classic", "normal", "true")
    assert (found["answers"], found["max_guesses"]) == (2315, 6)
    assert [row["name"] for row in found["strategies"]] == ["entropy", "most-classes"]
    for row in found["strategies"]:
        asked = {"name": row["name"], "on": "classic", "scoring": "true"}
        assert row["distribution"] == figure("distribution", **asked)
        assert row["total"] == figure("total", **asked)
        assert row["mean"] == row["total"] / 2315
        assert row["worst"] == max(map(int, row["distribution"]))
        assert row["failed"] == 0
    assert found["bound"] == 7920
    assert [row["above"] for row in found["strategies"]] == [100, 29]


@pytest.mark.slow
def test_compare_beside_the_shipped_tree(folder: Path) -> None:
    for words, total, worst in [((), 7920, 5), (("--rules", "hard", "--max-guesses", "5"), 8206, 5)]:
        found = run_json(folder, "compare", *words, "--strategies", "optimal", "four-words")
        assert found["bound"] == total
        row = found["strategies"][0]
        assert (row["name"], row["total"], row["worst"], row["failed"], row["above"]) == ("optimal", total, worst, 0, 0)
        assert found["strategies"][1]["above"] == found["strategies"][1]["total"] - total


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


@pytest.mark.slow
def test_tables_fit_80_columns(folder: Path) -> None:
    # The widest names and counts that a comparison shows by itself.
    wide = ("optimal", "four-words", "popularity", "positional=pares,doilt")
    done = run(folder, "compare", "--strategies", *wide, extra={"PYTHONIOENCODING": "utf-8", "COLUMNS": "80"})
    assert (done.status, done.err) == (0, "")
    assert max(map(len, done.out.splitlines())) <= 80
    assert "\nfour-words             11648 5.0315 1  1    1    1 2228  83      0     6\n" in done.out


def test_compare_tells_of_unknown_bounds(folder: Path) -> None:
    words = ("compare", *LISTS, "--strategies", "odds")
    assert "No proven bound is known for this game." in run(folder, *words).out
    assert "No proven bound" not in run(folder, *words, "--scoring", "naive").out


def test_histograms_fit_the_terminal(folder: Path) -> None:
    words = ("compare", *LISTS, "--strategies", "entropy", "minimax", "odds")
    wide, small = (run(folder, *words, extra={"PYTHONIOENCODING": "utf-8", "COLUMNS": size}) for size in ("200", "40"))
    assert any(line.split() == ["entropy", "minimax", "odds"] for line in wide.out.splitlines())
    assert {"entropy", "minimax", "odds"} <= set(small.out.splitlines())


def test_compare_names(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "first.py").write_text(OWN, encoding="utf-8")
    lists = ("--guesses", str(folder / "g.txt"), "--answers", str(folder / "a.txt"))
    found = run_json(tmp_path, "compare", *lists, "--strategies", "entropy,minimax", "first.py:First", "entropy")
    assert [row["name"] for row in found["strategies"]] == ["entropy", "minimax", "first"]


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
    found = run_json(folder, "report", *openers)
    asked = {"on": "classic-answers", "openers": " ".join(openers)}  # the same for both lists of guesses
    assert [found["winner"], found["class_sizes"]] == figure("opening", **asked)
    assert found["openers"] == list(openers)
    total, mean, worst = figure("opening_games", **asked)
    assert (found["total"], round(found["mean"], 10), found["worst"]) == (total, mean, worst)
    assert (found["sure"], found["answers"], found["max_guesses"]) == (2315, 2315, 6)
    done = run(folder, "report", "HANDY", "Swift,glove", "crump")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith(
        "classic (Wordle list of 2021), 2315 answers\nhandy swift glove crump always wins within 6 guesses"
    )
    assert "\n3                 2        6\n" in done.out
    assert "  batty, tabby, tatty\n" in done.out


def test_report_on_a_loser(folder: Path) -> None:
    openers = ("abhor", "cleft", "dumpy", "swing")
    found = run_json(folder, "report", *openers, "--game", "classic-answers")
    assert found == opening_report(Game.preset("classic-answers"), openers).to_dict()
    assert found["winner"] is False
    done = run(folder, "report", *openers)
    assert done.status == 0
    assert "does not always win" in done.out
    assert "  belle, bevel, bezel; may fail after belle\n" in done.out


def test_wins_on_the_second_guess(folder: Path) -> None:
    for option, worst, top in (("--wins", False, 10), ("--worst", True, 5)):
        found = run_json(folder, "report", option, "--top", str(top), "--game", "classic-answers")
        assert (found["worst"], found["answers"]) == (worst, 2315)
        for order in ("guaranteed", "expected"):
            rows = [[row["guess"], round(row[order], 9)] for row in found[order]]
            known = next(
                one["value"]
                for one in figures()
                if one["kind"] == "wins" and (one["args"]["by"], one["args"]["worst"]) == (order, worst)
            )
            assert rows == known[:top]
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
    # A different seed is another search; none found is a no.
    assert run_json(folder, *words, "--seed", "1")["openings"] != found["openings"]
    none = run(folder, "report", "--search", "--tries", "2", *LISTS)
    assert none.status == 1
    assert none.out == "a: none of 2 shuffles brings openers that always win; another --seed may\n"
    assert run_json(folder, "report", "--search", "--tries", "2", *LISTS, status=1)["openings"] == []


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
        for name in ("entropy", "odds", "regions", "weighted", "global=crane"):
            found = run_json(folder, "suggest", "--strategy", name, *history, *LISTS, "--top", "3")
            turns = [(turn[:5], SMALL.feedback.parse(turn[6:])) for turn in history] if SMALL.feedback else []
            assert found.items() >= advise(SMALL, name, turns, top=3).to_dict().items()
            assert found["guesses"] == found["rankings"][0]["guesses"]
            assert (found["game"], found["rules"], found["scoring"]) == ("a", "normal", "true")
    done = run(folder, "suggest", "--strategy", "entropy", "salet=bybbb", *LISTS, "--top", "3")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("a, normal rules\nentropy at salet=BYBBB: ")
    assert "\n1 candidate left: cigar\n" in done.out


def test_two_rankings(folder: Path) -> None:
    found = run_json(folder, "suggest", "classic", "--strategy", "weighted", "tares=bybbb", "--top", "5")
    assert [ranking["title"] for ranking in found["rankings"]] == ["most informative guesses", "most probable answers"]
    assert [len(ranking["guesses"]) for ranking in found["rankings"]] == [5, 5]


def test_region_diagrams(folder: Path) -> None:
    words = ("suggest", "classic", "--strategy", "regions=later", "--top", "1")
    done = run(folder, *words)
    assert "··   196  129   89  175  203   63   68  123\n" in done.out
    assert "the largest is {e,r} with 203" in done.out
    found = run_json(folder, *words)["diagram"]
    assert (found["word"], found["nonzero"], found["largest"]) == ("later", 31, {"letters": "er", "size": 203})
    assert (found["regions"][""], found["regions"]["aelrt"], found["regions"]["elrt"]) == (196, 3, 0)
    assert "diagram" not in run_json(folder, "suggest", "--strategy", "odds", *LISTS)
    narrow = run(folder, *words, extra={"PYTHONIOENCODING": "ascii"})
    assert "..   196  129   89  175  203   63   68  123\n" in narrow.out


@pytest.mark.slow
def test_boards(folder: Path) -> None:
    for past, board, good, guess, left in [
        ([], ".....", "", "saine", 2315),
        (["saine"], ".....", "n", "gonch", 39),
        (["saine", "gonch"], ".....", "on", "brown", 8),
        (["saine", "gonch", "brown"], "..O..", "ON", "knoll", 1),
        (["saine"], ".....", "AI", "trail", None),
        (["saine", "trail"], ".....", "AIR", "cigar", None),
    ]:
        asked = ["--board", board, "--good", good, *(["--past", *past] if past else [])]
        found = run_json(folder, "suggest", "classic", "--strategy", "odds", *asked, "--top", "5")
        assert found["guess"] == guess
        assert left is None or found["candidates"] == left
        assert found["scoring"] == "naive"
    # The same with own lists.
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


# The documentation


def test_the_documented_gains() -> None:
    """How far a strategy is above the optimal tree of the classic game."""
    rows = list(csv.reader(GAINS.read_text(encoding="utf-8").splitlines()))[2:]  # without the head and the optimal tree
    told = {name: cell.partition(",")[0] for name, cell, *_ in rows}
    known = {
        one["args"]["name"]: sum(int(depth) * count for depth, count in one["value"].items())
        for one in figures()
        if one["kind"] == "distribution" and (one["args"]["on"], one["args"]["scoring"]) == ("classic", "true")
    }
    assert {"entropy", "odds-hard", "global", "popularity"} <= told.keys() & known.keys()
    for name in told.keys() & known.keys():
        assert int(told[name]) == known[name] - 7920


# Every bad input: one line that says what is wrong, and status 2.

BAD = [
    (["compare", "--strategies", "optimal", "--max-guesses", "none"], "normal rules, no limit of guesses: solve it"),
    (["compare", "clasic"], "unknown game 'clasic': did you mean classic"),
    (["compare", "--strategies", "entrpy"], "unknown strategy 'entrpy': did you mean entropy"),
    (["compare", "--strategies", "entropy", "classic"], "'classic' for a strategy: name the game before it"),
    (["compare", "--strategies"], "argument --strategies: expected at least one argument"),
    (["compare", "--strategies", ""], "unknown strategy '': there are entropy"),
    (["compare", *LISTS, "--strategies", "odds="], "names no word after ="),
    (["compare", *LISTS, "--strategies", "odds=zesty"], "opens with 'zesty', which is not among the guesses"),
    (["compare", *LISTS, "--strategies", "gone.py:First"], "there is no file gone.py"),
    (["compare", *LISTS, "--strategies", "optimal"], "no optimal tree is shipped for a with"),
    (["compare", "mastermind:2x3", "--strategies", "odds"], "looks at letters, and mastermind:2x3 has no words"),
    (["compare", *LISTS, "--scoring", "odd"], "argument --scoring: invalid choice: 'odd'"),
    (["compare", *LISTS, "--scoring", "naive", "--rules", "hard"], "the naive rule goes with normal rules"),
    (["compare", "mastermind:2x3", "--scoring", "naive"], "the naive rule is for words"),
    (["compare", *LISTS, "--jobs", "0"], "'0' is not a whole number"),
    (["compare", *LISTS, "--csv", "--json"], "name a file after --csv"),
    (
        ["compare", "--csv", "classic"],
        "--csv takes 'classic' for a file: put it before --csv, or name a file such as out.csv",
    ),
    (["compare", *LISTS, "--csv", "folder"], "cannot write folder: it is a folder"),
    (["compare", *LISTS, "--tree", "gone"], "there is no tree file 'gone'"),
    (["compare", *LISTS, "--tree", "matrix.msgpack"], "its tree has another kind of feedback than a"),
    (["compare", *LISTS, "--tree", "tree.msgpack", "--scoring", "naive"], "is a tree for the true rule"),
    (["report"], "name openers, such as handy swift glove crump, or ask for --wins, --worst or --search"),
    (["report", *LISTS, "zesty"], "'zesty' is not among the 26 guesses"),
    (["report", *LISTS, "salet", "salet"], "each may stand once"),
    (["report", "mastermind:2x3"], "name openers, such as handy swift glove crump"),
    (
        ["report", "11", "--game", "mastermind:2x3"],
        "1 opener needs a limit of 2 guesses or more; mastermind:2x3 has no limit",
    ),
    (["report", *LISTS, *GUESSES[:6]], "6 openers need a limit of 7 guesses or more; the limit is 6"),
    (["report", *LISTS, "--wins", "--worst"], "--wins and --worst are the two ends of one ranking"),
    (["report", *LISTS, "--search", "salet"], "--search finds openers by itself: leave out 'salet'"),
    (["report", *LISTS, "--wins", "zesty"], "'zesty' is not among the 26 guesses"),
    (["report", "--search", "--game", "mastermind:2x3"], "has no words: openings are searched for by their letters"),
    (["report", *LISTS, "--top", "0"], "'0' is not a whole number"),
]
BAD_SUGGEST = [
    (["--strategy", "entrpy"], "unknown strategy 'entrpy': did you mean entropy"),
    (["--strategy", "odds", *LISTS, "salet"], "'salet' is no turn of a position: write GUESS=FEEDBACK"),
    (["--strategy", "odds", *LISTS, "salet=byb"], "has 3 marks"),
    (["--strategy", "odds", *LISTS, "salet=ggggb"], "no answer fits salet=GGGGB"),
    (["--strategy", "odds", *LISTS, "cigar=ggggg"], "cigar=GGGGG found the answer: the game is over"),
    (["--strategy", "odds", *LISTS, "--board", "c....", "--rules", "hard"], "leave out --rules hard, or ask odds-hard"),
    (["--strategy", "odds", *LISTS, "zesty=bbbbb"], "'zesty' is not among the 26 guesses"),
    (["--strategy", "odds", *LISTS, "salet=bybbb", "crane=bbbbb", "--rules", "hard"], "crane"),
    (["--strategy", "odds", *LISTS, "salet=bybbb", "--board", "....."], "not two of them"),
    (["--strategy", "odds", *LISTS, "--answer", "cigar", "--board", "....."], "not two of them"),
    (["--strategy", "odds", *LISTS, "--answer", "salet"], "'salet' is not among the 20 answers"),
    (["--strategy", "odds", *LISTS, "--good", "ai"], "--good and --past go with --board"),
    (["--strategy", "odds", *LISTS, "--board", "C.G."], "board 'C.G.' has 4 places"),
    (["--board", "C.G.."], "--board goes with --strategy NAME"),
    (
        ["--strategy", "odds", "--board", "C.G..", "--good", "ai", "--past", "saine", "trail"],
        "no answer fits board 'c.g..' with good letters 'ai' after saine, trail, which leave out e, l, n, r, s, t",
    ),
]


def refused(folder: Path, words: list[str], message: str) -> None:
    done = run(folder, *words)
    assert (done.status, done.out) == (2, "")
    assert message in done.err
    assert done.err.startswith(f"optimal {words[0]}: ")
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(("words", "message"), BAD, ids=[" ".join(words)[:60] for words, _ in BAD])
def test_bad_input(folder: Path, words: list[str], message: str) -> None:
    refused(folder, words, message)


@pytest.mark.parametrize(("words", "message"), BAD_SUGGEST, ids=[" ".join(words)[:60] for words, _ in BAD_SUGGEST])
def test_bad_input_of_suggest(folder: Path, words: list[str], message: str) -> None:
    refused(folder, ["suggest", *words], message)
