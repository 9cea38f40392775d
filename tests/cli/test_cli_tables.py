"""The commands on tables and keys: what they print, what they ask, and what they refuse."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_util import run, run_json

from optimal.advice.asking import reply_of
from optimal.advice.questions import turn_of
from optimal.errors import InputError
from optimal.files import may_be_table
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


def test_what_identify_tells(folder: Path) -> None:
    told = run(folder, "identify", "pets.csv", *NAMES, "--output", "again.key")
    lines = told.out.splitlines()
    assert lines[:2] == [
        "pets: 4 objects in 6 variants, 3 questions, 3 groups",
        "No question tells apart hen and duck.",
    ]
    assert "  status     OPTIMAL" in lines
    assert "  cost       3.2222 expected (proven least), 3.5 at most" in lines
    assert "  questions  1.8889 expected, 2 at most" in lines
    assert "  total      116, in units of 1/8 of weight x cost" in lines
    assert "information +1.7 %, information-per-cost +22.4 %" in " ".join(" ".join(lines).split())
    assert "  not asked  coat" in lines
    assert lines[-5:] == [
        "legs: 4 ... cat",
        "legs: 2",
        "    sings: no ... hen / duck",
        "    sings: yes ... wren",
        "key written to again.key",
    ]
    assert (folder / "again.key").read_bytes() == (folder / "pets.key").read_bytes()


def test_limits_openers_and_the_worst_case(folder: Path) -> None:
    done = run(folder, "identify", "pets.csv", *NAMES, "--limit", "1", "-o", "none.key")
    assert done.status == 1
    assert "no key asks at most 1 question" in done.out
    assert done.err == "there is no key to write to none.key\n"
    assert not (folder / "none.key").exists()
    assert run_json(folder, "identify", "pets.csv", *NAMES, "--openers", "coat,sings")["opener"] == "sings"
    worst = run_json(folder, "identify", "pets.csv", *NAMES, "--objective", "worst", "--time-limit", "500")
    assert worst["value"] == [7, 116]


def test_bad_requests_are_one_line(folder: Path) -> None:
    for words, told in (
        (("pets.csv", "--strict", *NAMES), "pets.csv: no question tells apart hen, duck"),
        (("pets.csv", "--cost-row", "prize"), "pets.csv: no row is called 'prize', for costs: did you mean price?"),
        (("pets.csv", *NAMES, "--openers", "leg"), "there is no question 'leg': did you mean legs?"),
        (("pets.key",), "pets.key is a key, not a table: `optimal play pets.key` asks along it"),
        (("nothing.csv",), "there is no file 'nothing.csv', and no table of that name ships"),
    ):
        done = run(folder, "identify", *words)
        assert (done.status, done.out) == (2, "")
        assert done.err.startswith(f"optimal identify: {told}")
        assert done.err.count("\n") == 1


def test_tables_without_their_names_are_told(tmp_path: Path) -> None:
    done = run(tmp_path, "identify", "car")
    assert done.status == 0
    assert done.err == (
        "car: row 'minutes' looks like costs, not an object: if so, --cost-row minutes\n"
        "car: column 'often' looks like weights, not a question: if so, --weight-column often\n"
    )
    named = ("--cost-row", "minutes", "--weight-column", "often")
    assert run(tmp_path, "identify", "car", *named, "-o", "car.key", "--journal", "car.journal").err == ""
    hint = "rows and columns of costs, weights and groups must be named as "
    told = " ".join(run(tmp_path, "verify", "car.key", "--table", "car").out.split())
    assert f"differ; {hint}for the key" in told
    assert f"; {hint}before\n" in run(tmp_path, "identify", "car", "--journal", "car.journal").err
    assert run(tmp_path, "verify", "car.key", "--table", "car", *named).status == 0


def test_playing_a_key(folder: Path) -> None:
    done = run(folder, "play", "pets.key", typed="7\nx\n2\nundo\n:help\n\n2\nYES\n")
    assert done.status == 0
    assert done.out == (
        "pets, 4 objects. Type a reply, its beginning or its number; ? if you don't know;\n"
        "or :undo, :help, :quit.\n"
        "1. legs?  4, 2  (4 left)\n"
        "> '7' is none of 4, 2; type ? if you don't know.\n"
        "> 'x' is none of 4, 2; type ? if you don't know.\n"
        "> 2. sings?  1 no, 2 yes  (3 left)\n"
        "> 1. legs?  4, 2  (4 left)\n"
        "> Type a reply, its beginning or its number; ? if you don't know; or :undo, :help,\n:quit.\n"
        "> > 2. sings?  1 no, 2 yes  (3 left)\n"
        "> It is wren.\n"
    )


def test_what_is_not_known(folder: Path) -> None:
    told = run_json(folder, "play", "pets.key", typed="?\nyes\n")
    # The cat may not sing, so it is known by that alone
    assert told == {
        "questions": ["legs", "sings"],
        "replies": [None, "yes"],
        "objects": ["wren"],
        "done": True,
        "table": "pets",
    }
    done = run(folder, "play", "pets.key", typed="?\nno\nb\n")
    assert done.out.endswith("> It is cat or hen or duck: no question that is left tells them apart.\n")
    done = run(folder, "play", "pets.key", typed="2\nno\n")
    assert done.out.endswith("> It is hen or duck: no question that is left tells them apart.\n")


def test_the_way_to_an_object(folder: Path) -> None:
    assert run(folder, "play", "pets.key", "--answer", "hen").out == "legs: 2, sings: no\n"
    told = run_json(folder, "play", "pets.key", "--answer", "wren")
    assert told == {"object": "wren", "paths": [{"legs": "2", "sings": "yes"}]}
    done = run(folder, "play", "pets.key", "--answer", "hem")
    assert done.err == "optimal play: there is no object 'hem': did you mean hen?\n"
    done = run(folder, "play", "pets.key", "--rules", "hard")
    assert done.err == "optimal play: pets.key is a key, which asks by itself: leave out --rules\n"


@pytest.mark.parametrize("form", ["key", "indented", "svg", "dot", "latex", "json", "csv", "html"])
def test_forms(folder: Path, form: str) -> None:
    out = run(folder, "export", "pets.key", "--to", form)
    assert out.status == 0, out.err
    ending = {"latex": "tex", "key": "txt"}.get(form, form)
    named = ("--to", form) if form == "indented" else ()
    done = run(folder, "export", "pets.key", "--output", f"out.{ending}", *named)
    assert done.status == 0, done.err
    assert (folder / f"out.{ending}").read_text(encoding="utf-8") == out.out
    assert "wren" in out.out


def test_forms_that_keys_or_trees_have_not(folder: Path) -> None:
    for words, told in (
        (("pets.key", "--to", "text"), "keys have no form text; name a form: --to html, key,"),
        (("mastermind-normal", "--to", "dot"), "trees have no form dot; name a form: --to html, json,"),
        (("pets.key", "mastermind-normal", "--to", "html"), "pets.key is a key, whose page has it alone"),
        (("pets.key", "pets.key", "--to", "key"), "--to key takes one key, not 2"),
        (("pets.key", "-o", "x.key"), "name a form: --to html, key"),
        (("pets.key", "--to", "csv", "--matrix", "m.csv"), "--matrix goes with a tree"),
    ):
        done = run(folder, "export", *words)
        assert done.status == 2
        assert done.err.startswith(f"optimal export: {told}"), done.err


def test_what_to_ask_next(folder: Path) -> None:
    told = run_json(folder, "suggest", "--table", "pets.csv", *NAMES)
    assert [(one["question"], one["total"], one["proven"]) for one in told["questions"]] == [
        ("legs", 116, True),
        ("sings", 118, True),
        ("coat", told["questions"][2]["total"], True),
    ]
    after = run_json(folder, "suggest", "--table", "pets.csv", *NAMES, "legs=2", "coat=?")
    assert after["replies"] == [{"question": "legs", "reply": "2"}, {"question": "coat", "reply": None}]
    assert [one["question"] for one in after["questions"]] == ["sings"]
    assert run(folder, "suggest", "--table", "pets.csv", *NAMES, "legs=4").out.startswith(
        "pets after legs=4: 1 object left; nothing is left to ask\n"
    )
    assert run(folder, "suggest", "--table", "pets.csv", *NAMES, "--csv").out.startswith("question,total,mean,")
    for word, problem in (
        ("legs=7", "there is no reply to 'legs' '7': there are 4, 2"),
        ("leg=4", "there is no question 'leg': did you mean legs?"),
        ("legs", "'legs' is no question and reply, such as legs=..."),
    ):
        done = run(folder, "suggest", "--table", "pets.csv", *NAMES, word)
        assert (done.status, done.err) == (2, f"optimal suggest: {problem}\n")
    done = run(folder, "suggest", "--table", "pets.csv", *NAMES, "legs=4", "sings=yes")
    assert done.err == "optimal suggest: no object fits 'sings'='yes' after what was said\n"


def test_names_with_the_sign_in_them() -> None:
    table = Table.from_arrays([["x=y", "?"], ["z", "b"], ["z", "?"]], questions=["a", "a=b"])
    assert turn_of(table, "a=b=b") == ("a=b", "b")
    assert turn_of(table, "a=x=y") == ("a", "x=y")
    assert turn_of(table, "a=?") == ("a", None)


def test_replies_as_they_are_typed() -> None:
    colours = ("red", "rose", "Blue", "blue-green")
    typed = {"red": "red", "RE": "red", "2": "rose", "blue": "Blue", "blue-": "blue-green", "?": None}
    assert {text: reply_of(text, colours) for text in typed} == typed
    wrong = {"r": "'r' may be red, rose", "5": "replies have the numbers 1 to 4, not 5", "x": "'x' is none of"}
    for text, told in wrong.items():
        with pytest.raises(InputError, match=told):
            reply_of(text, colours)


def test_a_key_is_no_tree(folder: Path) -> None:
    for words in (("pets.key", "--output", "p.svg"), ("tree", "pets.key")):
        done = run(folder, "plot", *words)
        told = "not a tree file but a key: `optimal play KEY` asks along it, `optimal export KEY --to svg` draws it, "
        assert done.status == 2
        assert done.err.startswith(f"optimal plot: pets.key: {told}")


BIRDS = "birds --cost-row effort --weight-column seen --group-column group"
MAKES = f"`optimal identify {BIRDS} --output birds.key` makes its key, then name birds.key"
LOOKS = "not a tree file but what looks like a table: `optimal identify TABLE --output KEY` makes a key of one"
OF_A_TABLE = "`optimal identify pets.csv` finds the key of objects and questions, `optimal suggest --table pets.csv`"
NO_WORD = f"pets.csv looks like a table, not a word: {OF_A_TABLE}"
CUT = "the key file ends too early: it is truncated"
#: Commands that are given a table, a key or nothing where they take something else, and what they say.
WRONG_KINDS = [
    ("play birds", f"'birds' is a table: {MAKES}"),
    ("page sorting:5", "'sorting:5' is a table: `optimal identify sorting:5 --output sorting.key` makes its key,"),
    *((f"{command} pets.csv", f"pets.csv: {LOOKS}") for command in ("play", "verify", "page", "certify -o p.xz")),
    ("check pets.xz --key pets.csv", "pets.csv: not a key file but what looks like a table: `optimal identify TABLE"),
    ("rank pets.csv", NO_WORD),
    ("compare pets.key", "pets.key is a key, not a game: `optimal play pets.key` asks along it"),
    ("suggest birds Where=?", f"'birds' is a table: write --table {BIRDS}\n"),
    ("solve pets.csv", f"pets.csv looks like a table, not a game: {OF_A_TABLE}"),
    ("check pets.key", "pets.key is a key, not a certificate: `optimal play pets.key` asks along it, `optimal certify"),
    ("check pets.csv", f"pets.csv looks like a table, not a certificate: {OF_A_TABLE}"),
    (
        "check car",
        "'car' is a table: `optimal identify car --cost-row minutes --weight-column often --certificate FILE`",
    ),
    *((f"{command} no.key", "there is no key file 'no.key'\n") for command in ("verify", "export", "certify -o p.xz")),
    ("play no.key", "there is no file 'no.key'\n"),
    ("check no.xz", "there is no certificate file 'no.xz'\n"),
    (
        "play mastermind --rules hard",
        "no tree of mastermind under hard rules is shipped, see `optimal games`; `optimal",
    ),
    ("play cut.key", f"cut.key: {CUT}\n"),
    (
        "play pets.key legs=2",
        "unrecognized arguments: legs=2: `optimal suggest` takes turns, `optimal suggest --table TABLE QUESTION=REPLY` "
        "replies to questions\n",
    ),
]


@pytest.mark.parametrize(("words", "told"), WRONG_KINDS, ids=[words for words, _ in WRONG_KINDS])
def test_what_is_of_another_kind(folder: Path, words: str, told: str) -> None:
    assert run(folder, "certify", "pets.key", "--output", "pets.xz").status == 0
    (folder / "cut.key").write_bytes((folder / "pets.key").read_bytes()[:5])
    (folder / "empty.key").touch()
    done = run(folder, *words.split())
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert told in done.err


def test_what_looks_like_a_table() -> None:
    for start in (b"a,b\n", b"a;b\r\nc", b"\xef\xbb\xbfa\tb", b"PK\x03\x04", b"\x93NUMPY\x01", "ö,é".encode("latin-1")):
        assert may_be_table(start), start
    for start in (b"", b"word\na,b", b'{"a": 1, "b": 2}', b"<p>a, b</p>", b"\xfd7zXZ\x00,", b"[1,2]"):
        assert not may_be_table(start), start


def test_a_page_that_opens(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    def browse(address: str) -> bool:
        opened.append(address)
        return True

    monkeypatch.setattr("webbrowser.open", browse)
    done = run(folder, "page", "pets.key", "--output", "pets.html")
    assert done.out == "pets.html: opened in the browser\n"
    assert opened == [(folder / "pets.html").as_uri()]
    assert (folder / "pets.html").read_text(encoding="utf-8") == run(folder, "export", "pets.key", "--to", "html").out
    done = run(folder, "page", "pets.key", "mastermind-normal", "--output", "pets.html")
    assert done.err == "optimal page: pets.key is a key, whose page has it alone: leave out what stands beside it\n"


def test_verifying_a_key(folder: Path) -> None:
    told = run_json(folder, "verify", "pets.key", "--table", "pets.csv", *NAMES)
    assert (told["ok"], told["total"], told["worst_cost"], told["variants"]) == (True, 116, 7, 6)
    assert told["claim"] == "OPTIMAL: 116 is claimed the least; a replay does not prove that"
    assert run(folder, "verify", "pets.key").out.startswith("ok: pets: 4 objects, expected cost 3.2222")
    (folder / "pets.csv").write_text(PETS.replace("hen,2,no,b,2,b", "hen,2,no,a,2,b"), encoding="utf-8")
    told = run_json(folder, "verify", "pets.key", "--table", "pets.csv", *NAMES, status=1)
    assert told["problems"] == ["the key is of another table: its codes differ"]


def test_options_of_tables_without_one(folder: Path) -> None:
    for words, told in (
        (("suggest", "--cost-row", "price"), "--cost-row goes with --table: it is about a table"),
        (("verify", "classic-normal", "--transpose"), "--transpose goes with --table: it is about a table"),
        (("verify", "classic-normal", "--table", "pets.csv"), "--table is for keys; classic-normal is a tree"),
    ):
        done = run(folder, *words)
        assert (done.status, done.err) == (2, f"optimal {words[0]}: {told}\n")


def test_one_object_alone_and_many_alike(tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text("x,q\na,1\n")
    told = run_json(tmp_path, "identify", "one.csv", "--output", "one.key")
    assert (told["status"], told["total"], told["opener"], told["worst"]) == ("OPTIMAL", 0, None, 0)
    assert run(tmp_path, "play", "one.key").out.endswith("It is a.\n")
    assert run_json(tmp_path, "verify", "one.key")["ok"] is True
    rows = "".join(f"a{number},{number // 20}\n" for number in range(300))
    (tmp_path / "many.csv").write_text(f"x,q\n{rows}")
    done = run(tmp_path, "identify", "many.csv")
    assert done.out.count("No question tells apart") == 10
    assert "a0, a1, a2, a3, a4, a5, a6, a7, a8, a9 and 10 more." in done.out
    assert "The same holds for 5 more sets, see --json." in done.out
    lines = ",".join(f"q{number}" for number in range(12)), *(",".join([reply] * 12) for reply in ("yes", "Yes"))
    (tmp_path / "odd.csv").write_text("".join(f"{name},{row}\n" for name, row in zip("xab", lines, strict=True)))
    done = run(tmp_path, "identify", "odd.csv")
    assert (done.err.count("differs from"), done.err.endswith("and 2 cells more like these\n")) == (10, True)
