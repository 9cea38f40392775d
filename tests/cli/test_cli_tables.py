"""The commands on tables and keys: what they print, what they ask, and what they refuse."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from cli_util import run, run_json

from optimal import identify
from optimal.advice.asking import replies_of
from optimal.advice.questions import turn_of
from optimal.errors import InputError
from optimal.files import may_be_table
from optimal.games.resources import table_file
from optimal.tables.table import Table

PETS = """pet,legs,sings,coat,n,kind
cat,4,no,a/b,0.5,fur
wren,2,yes,?,1,b
hen,2,no,b,2,b
duck,2,no,b,1,c
price,1,2.5,1,,
"""
NAMES = ("--cost-row", "price", "--weight-column", "n", "--group-column", "kind")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pets.csv").write_text(PETS, encoding="utf-8")
    done = run(tmp_path, "identify", "pets.csv", *NAMES, "-o", "pets.key")
    assert done.status == 0, done.err
    return tmp_path


def test_python_says_what_json_does(tmp_path: Path) -> None:
    asked: dict[tuple[str, ...], dict[str, Any]] = {
        (): {},
        ("--openers", "b or c,a or b"): {"first": ["b or c", "a or b"]},
        ("--limit", "1", "--objective", "worst"): {"limit": 1, "objective": "worst"},
    }
    for words, options in asked.items():
        found = identify("sorting:3", **options)
        said = run_json(tmp_path, "identify", "sorting:3", *words, status=int(found.key is None))
        assert {**found.to_dict(), "seconds": 0, "tree": None} == {**said, "seconds": 0}
        assert repr(found) == f"<Identification {found.key or 'sorting:3: INFEASIBLE'}>"
        assert ("<svg" in found._repr_html_()) == (found.key is not None)
    tmp_path.joinpath("odd.csv").write_text("x,a,b\n1,red,0\n2,Red,0\n3,blue,1\n")
    with pytest.warns(UserWarning, match="Red") as told:
        assert identify(tmp_path / "odd.csv").searched.notes == (str(told[0].message),)
    assert told[0].filename == __file__
    frame = pytest.importorskip("pandas").DataFrame({"legs": [4, 2], "sings": ["no", None]}, index=["cat", "wren"])
    with pytest.warns(UserWarning, match="'sings' has no reply but 'no', and 1 empty cell, taken as unknown"):
        assert identify(frame).total == 2


def test_limits_openers_and_the_worst_case(folder: Path) -> None:
    done = run(folder, "identify", "pets.csv", *NAMES, "--limit", "1", "-o", "none.key")
    assert (done.status, "no key asks at most 1 question" in done.out) == (1, True)
    assert (done.err, (folder / "none.key").exists()) == ("there is no key to write to none.key\n", False)
    first = ("identify", "pets.csv", *NAMES, "--openers", "coat,sings", "--limit")
    assert "no key with sings or coat first asks at most 1 question\n" in run(folder, *first, "1").out
    done = run(folder, *first, "3", "-o", "first.key", "--certificate", "first.xz")
    scope, said = "with sings or coat first and within 3 questions", " ".join(done.out.split())
    assert f"proven least {scope}), 3.5 at most" in said
    assert "keys by rules of thumb, with any question first, cost: information -1.7 %" in said
    assert (
        f", at a cost of 3.28 on average, at most 3.5: proven the least cost on average {scope}."
        in run(folder, "export", "first.key", "--to", "html").out
    )
    said = " ".join(run(folder, "check", "first.xz", "--key", "first.key").out.split())
    assert "within 3 questions, with question 2 or 3 first, for the table of" in said
    assert f"those of first.key {scope}." in said
    worst = run_json(folder, "identify", "pets.csv", *NAMES, "--objective", "worst", "--time-limit", "4m")
    assert worst["value"] == [7, 116]


def test_tables_without_their_names_are_told(tmp_path: Path) -> None:
    (tmp_path / "own.csv").write_bytes(table_file("car.csv").read_bytes())
    assert run(tmp_path, "identify", "own.csv").err.count(" looks like ") == 2
    named = ("--cost-row", "minutes", "--weight-column", "often")
    done = run(tmp_path, "identify", "own.csv", *named, "-o", "own.key", "--journal", "own.journal")
    assert done.err == ""
    shipped = run(tmp_path, "identify", "car", "-o", "car.key")  # knows its row and its column
    assert shipped.out.splitlines()[:6] == done.out.replace("own", "car", 1).splitlines()[:6]
    hint = "rows and columns of costs, weights and groups must be named as "
    told = " ".join(run(tmp_path, "verify", "own.key", "--table", "own.csv").out.split())
    assert "differ; the table must be read by the options of the key: --cost-row, --weight-column," in told
    assert f"; {hint}before\n" in run(tmp_path, "identify", "own.csv", "--journal", "own.journal").err
    assert run(tmp_path, "verify", "own.key", "--table", "own.csv", *named).status == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with names")
def test_limits_hold_while_a_table_is_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "t.csv")
    pipe = os.open(tmp_path / "t.csv", os.O_RDWR)  # nobody writes
    for limit, told in (
        ("--time-limit=0.2", "was not read within 0.2 s"),
        ("--memory-limit=1M", "takes more than the"),
    ):
        done = run(tmp_path, "identify", "t.csv", limit)
        assert (done.status, told in done.err, done.err.count("\n")) == (2, True, 1)
    os.close(pipe)


def test_playing_a_key(folder: Path) -> None:
    done = run(folder, "play", "pets.key", typed="7\nx\n2\nundo\n:help\n\n2\nYES\n")
    assert done.status == 0
    assert done.out.startswith("pets, 4 objects. Type a reply, its beginning or its number; a/b for either, ? if\n")
    assert "> 'x' is none of 2, 4; type ? if you don't know.\n" in done.out
    assert done.out.count("1. legs?  2, 4  (4 left)\n") == 2
    assert done.out.endswith("2. sings?  1 no, 2 yes  (3 left)\n> It is wren.\n")


def test_what_is_not_known(folder: Path) -> None:
    told = run_json(folder, "play", "pets.key", typed="?\nyes\n")
    # The cat may not sing, so it is known by that alone
    assert (told["questions"], told["replies"], told["objects"]) == (["legs", "sings"], [None, "yes"], ["wren"])
    told = run_json(folder, "play", "pets.key", typed="2\nN/YES\n")
    assert (told["replies"], told["objects"]) == (["2", ["no", "yes"]], ["wren", "hen", "duck"])
    done = run(folder, "play", "pets.key", typed="?\nno\nb\n")
    assert done.out.endswith("> It is cat or hen or duck: no question that is left tells them apart.\n")


def test_the_way_to_an_object(folder: Path) -> None:
    assert run(folder, "play", "pets.key", "--answer", "hen").out == "legs: 2, sings: no\n"
    told = run_json(folder, "play", "pets.key", "--answer", "wren")
    assert told == {"object": "wren", "paths": [{"legs": "2", "sings": "yes"}]}


@pytest.mark.parametrize("form", ["key", "indented", "latex", "markdown", "rtf", "html"])
def test_forms(folder: Path, form: str) -> None:
    out = run(folder, "export", "pets.key", "--to", form)
    assert (out.status, "wren" in out.out) == (0, True), out.err
    ending = {"latex": "tex", "key": "txt", "markdown": "md"}.get(form, form)
    named = ("--to", form) if form == "indented" else ()
    assert run(folder, "export", "pets.key", "--output", f"out.{ending}", *named).status == 0
    assert (folder / f"out.{ending}").read_text(encoding="utf-8") == out.out
    printed = run(folder, "export", "pets.key", "--to", form, "--couplets", "--indented")
    assert (printed.status, printed.out == out.out) == ((2, False) if form == "html" else (0, form == "indented"))


def test_what_to_ask_next(folder: Path) -> None:
    told = run_json(folder, "suggest", "--table", "pets.csv", *NAMES)
    assert [(one["question"], one["total"], one["proven"]) for one in told["questions"][:2]] == [
        ("legs", 116, True),
        ("sings", 118, True),
    ]
    after = run_json(folder, "suggest", "--table", "pets.csv", *NAMES, "legs=2", "coat=?")
    assert after["replies"] == [{"question": "legs", "reply": "2"}, {"question": "coat", "reply": None}]
    assert [one["question"] for one in after["questions"]] == ["sings"]
    same = run_json(folder, "suggest", "--table", "pets.csv", *NAMES, "LEGS=2/4", "Sings=NO")
    assert same["replies"] == [{"question": "legs", "reply": ["2", "4"]}, {"question": "sings", "reply": "no"}]
    assert same["objects"] == ["cat", "hen", "duck"]
    assert run(folder, "suggest", "--table", "pets.csv", *NAMES, "legs=4").out.startswith(
        "pets after legs=4: 1 object left; nothing is left to ask\n"
    )
    assert run(folder, "suggest", "--table", "pets.csv", *NAMES, "--csv").out.startswith("question,total,mean,")


def test_names_with_the_sign_in_them() -> None:
    table = Table.from_arrays([["x=y", "?"], ["z", "b"], ["Z", "?"]], questions=["a", "a=b"])
    assert turn_of(table, "a=b=b") == ("a=b", "b")
    assert turn_of(table, "a=x=y") == ("a", "x=y")
    typed = {"a=?": None, "A=X=Y": "x=y", "a=z": "z", "a=z/X=y": ("z", "x=y"), "a=Z/Z": "Z"}
    assert {text: turn_of(table, text)[1] for text in typed} == typed


def test_replies_as_they_are_typed() -> None:
    colours = ("red", "rose", "Blue", "blue-green")
    typed = {"red": ["red"], "RE": ["red"], "2": ["rose"], "blue": ["Blue"], "blue-": ["blue-green"], "?": []}
    assert {text: replies_of(text, colours) for text in typed} == typed
    counts = ("2", "3-5", "16-24", "none")
    meant = {"4": ["3-5"], "17": ["16-24"], "2": ["2"], "4-20": ["3-5", "16-24"], "n": ["none"], "2/4": ["2", "3-5"]}
    assert {text: replies_of(text, counts) for text in meant} == meant
    assert replies_of("2", ("below 2", "2 to 5.5", "above 5.5")) == ["below 2", "2 to 5.5"]
    with pytest.raises(InputError, match="'1' is none of"):
        replies_of("1", counts)
    wrong = {"r": "'r' may be red, rose", "5": "replies have the numbers 1 to 4, not 5", "x": "'x' is none of"}
    for text, told in wrong.items():
        with pytest.raises(InputError, match=told):
            replies_of(text, colours)


def test_what_looks_like_a_table() -> None:
    for start in (b"a,b\n", b"a;b\r\nc", b"\xef\xbb\xbfa\tb", b"PK\x03\x04", b"\x93NUMPY\x01", "ö,é".encode("latin-1")):
        assert may_be_table(start), start
    for start in (b"", b"word\na,b", b'{"a": 1, "b": 2}', b"<p>a, b</p>", b"\xfd7zXZ\x00,", b"[1,2]"):
        assert not may_be_table(start), start


def test_one_object_alone_and_many_alike(tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text("x,q\na,1\n")
    told = run_json(tmp_path, "identify", "one.csv", "--output", "one.key")
    assert (told["status"], told["total"], told["opener"], told["worst"]) == ("OPTIMAL", 0, None, 0)
    assert run(tmp_path, "play", "one.key").out.endswith("It is a.\n")
    rows = "".join(f"a{number},{number // 20}\n" for number in range(300))
    (tmp_path / "many.csv").write_text(f"x,q\n{rows}")
    done = run(tmp_path, "identify", "many.csv")
    assert done.out.count("No question tells apart") == 10
    assert "a0, a1, a2, a3, a4, a5, a6, a7, a8, a9 and 10 more." in done.out
    assert "The same holds for 5 more sets, see --json." in done.out
    lines = ",".join(f"q{number}" for number in range(12)), *(",".join([reply] * 12) for reply in ("yes", "Yes"))
    (tmp_path / "odd.csv").write_text("".join(f"{name},{row}\n" for name, row in zip("xab", lines, strict=True)))
    assert run(tmp_path, "identify", "odd.csv").err.endswith("and 2 cells more like these\n")
