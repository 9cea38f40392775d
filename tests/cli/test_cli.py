"""The command line, as a user meets it; every command is run as a process of its own once."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_util import environment, run, run_json, run_process, started
from patience import PATIENCE, SOON
from textbook import Textbook
from trees_util import ANSWERS, GUESSES, matrix_score, matrix_tree, word_tree

from optimal import __version__
from optimal.cli import COMMANDS
from optimal.cli.commands import COMMANDS as DECLARED
from optimal.errors import TreeFileError
from optimal.games.game import Game
from optimal.games.presets import presets
from optimal.trees.file import read_tree, write_tree
from optimal.trees.tree import StrategyTree

TREE = word_tree()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with small lists, small trees, and files that are wrong in every way."""
    here = tmp_path_factory.mktemp("cli")
    (here / "g.txt").write_text("\n".join(GUESSES), encoding="utf-8")
    (here / "a.txt").write_text("\n".join(ANSWERS), encoding="utf-8")
    (here / "few.txt").write_text("crony\nraced\nrange\n", encoding="utf-8")
    (here / "openers.txt").write_text("salet\r\nCRANE, trace\n", encoding="utf-8")
    (here / "latin.txt").write_bytes(b"caf\xe9s\n")
    (here / "empty.txt").write_bytes(b"")
    (here / "words.msgpack").write_text("crane\n", encoding="utf-8")
    (here / "folder").mkdir()
    write_tree(here / "tree.msgpack", TREE)
    write_tree(here / "matrix.msgpack", matrix_tree())
    (here / "cut.msgpack").write_bytes((here / "tree.msgpack").read_bytes()[:-9])
    assert run(here, "solve", *LISTS, "--certificate", "tree.xz").status == 0
    return here


LISTS = ("--guesses", "g.txt", "--answers", "a.txt")
FEW = ("--guesses", "g.txt", "--answers", "few.txt")


# The command itself


def test_version_and_short_forms(folder: Path) -> None:
    done = run_process(folder, "--version")
    assert (done.status, done.out) == (0, f"optimal {__version__}\n")
    assert run(folder, "-V").out == done.out
    assert run(folder, "help", "play").out == run(folder, "play", "--help").out


@pytest.mark.parametrize(
    ("line", "completions"),
    [
        ("optimal pl", ["play", "plot"]),
        ("optimal play --con", ["--contrast"]),
        ("optimal play classic-h", ["classic-hard", "classic-hard-within5"]),
    ],
)
def test_a_shell_completes(tmp_path: Path, line: str, completions: list[str]) -> None:
    pytest.importorskip("argcomplete", reason="needs argcomplete, the extra `completion`")
    out = tmp_path / "out"
    asked = {
        "_ARGCOMPLETE": "1",
        "COMP_LINE": line,
        "COMP_POINT": str(len(line)),
        "_ARGCOMPLETE_STDOUT_FILENAME": str(out),
    }
    subprocess.run([sys.executable, "-m", "optimal"], env={**environment(), **asked}, check=True, timeout=PATIENCE)
    assert sorted(word.strip() for word in out.read_text().split("\x0b")) == completions


def test_help_begins_with_examples_and_has_groups(folder: Path) -> None:
    told = run(folder, "--help").out
    assert told.index("examples:\n  optimal play\n") < told.index("\nplay:\n") < told.index("\nprove:\n")
    assert told.index("\nprove:\n") < told.index("\nlook:\n") < told.index("\nother options:\n")
    for command in COMMANDS:
        told = run(folder, command, "--help").out
        first, second, third, *_ = told.splitlines()
        assert first.startswith(f"usage: optimal {command}")
        assert (second, third) == ("", "examples:"), command
        assert told.count("\n  -h, --help") == 1


#: Ten seconds and more of two cores; other tests do as much.
LONG_EXAMPLES = {
    "optimal solve --jobs 2 --output classic.msgpack",
    "optimal rank classic --top 10",
    "optimal check mastermind-normal",
}


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_examples_of_the_help_run(tmp_path: Path, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))  # where a page stays
    (tmp_path / "own.txt").write_text("crane\nsalet\nabbey\nround\nirony\n")
    (tmp_path / "share.txt").write_text("Wordle 1 4/6\n\n⬛⬛⬛⬛⬛\n🟨🟨⬛🟩⬛\n⬛🟩🟩🟩🟩\n🟩🟩🟩🟩🟩\n")
    own = ("--words", "own.txt", "--output", "tree.msgpack", "--journal", "own.journal", "--certificate", "proof.xz")
    assert run(tmp_path, "solve", *own).status == 0
    (tmp_path / "table.csv").write_text("pet,legs,sings\ncat,4,no\nwren,2,yes\nhen,2,no\n")
    assert run(tmp_path, "identify", "table.csv", "--output", "own.key").status == 0
    birds = ("birds", "--cost-row", "effort", "--weight-column", "seen", "--group-column", "group")
    assert run(tmp_path, "identify", *birds, "--output", "birds.key", "--certificate", "birds.xz").status == 0
    examples = DECLARED[command].examples
    assert examples
    for line, about in examples.items():
        assert len(line) <= 78, line  # beside two blanks, on a terminal of 80
        program, named, *words = shlex.split(line)
        assert (program, named, about == about.strip() != "") == ("optimal", command, True)
        if line not in LONG_EXAMPLES:
            done = run(tmp_path, command, *words)
            # Nobody answers those that ask; and the two strangers of an example may well not be enough.
            assert done.status in ((0, 1) if command in ("play", "report") else (0,)), (line, done.err)


def test_no_command_shows_the_help(folder: Path) -> None:
    done = run_process(folder)
    assert (done.status, done.out) == (2, "")
    assert "solve" in done.err


IN_A_PROCESS = [
    "games --json",
    "solve --guesses g.txt --answers a.txt --jobs 2 --json",
    "verify tree.msgpack --guesses g.txt --answers a.txt",
    "play tree.msgpack",
    "suggest salet=bybbb --guesses g.txt --answers a.txt --json",
    "rank --guesses g.txt --answers a.txt --all-openers --json",
    "debrief wreck salet wreck --guesses g.txt --answers a.txt",
    "assist --guesses g.txt --answers a.txt",
    "export tree.msgpack --to text",
    "page tree.msgpack --output own.html --json",
    "compare --guesses g.txt --answers a.txt --strategies entropy odds --json",
    "report salet crony --guesses g.txt --answers a.txt",
    "plot distributions gone --output chart.svg",
    "solve --guesses g.txt --answers a.txt --certificate t.xz --json",
    "certify tree.msgpack -o u.xz --guesses g.txt --answers a.txt",
    "check tree.xz --json",
    "identify sorting:3 --json",
    "status nowhere",
]


def test_every_command_is_tried_in_a_process() -> None:
    assert {command.split()[0] for command in IN_A_PROCESS} == set(COMMANDS)


@pytest.mark.parametrize("command", IN_A_PROCESS)
def test_a_process_says_what_main_says_here(folder: Path, command: str) -> None:
    """The other tests of commands call `main` among all that is loaded already."""
    typed = "ybbby\nlist\nundo\n🟩⬛⬛🟨🟨\nquit\n"
    alone, here = (call(folder, *command.split(), typed=typed) for call in (run_process, run))
    assert (alone.status, alone.err) == (here.status, here.err)
    if command.endswith("--json"):
        assert without_times(json.loads(alone.out)) == without_times(json.loads(here.out))
    else:
        assert alone.out == here.out


#: With several jobs the work depends on who is first.
BY_CHANCE = ("seconds", "nodes")


def without_times(found: Any) -> Any:
    """The same without what differs from run to run."""
    if isinstance(found, dict):
        return {name: without_times(part) for name, part in found.items() if name not in BY_CHANCE}
    return [without_times(part) for part in found] if isinstance(found, list) else found


# Every bad input: one line that says what is wrong, and status 2.

BAD = [
    (["slove"], "unknown command 'slove': did you mean solve?"),
    (["frobnicate"], "unknown command 'frobnicate': there are play, assist"),
    (
        ["mastermind:2x3"],
        "'mastermind:2x3' is a game: name a command before it, such as `optimal suggest mastermind:2x3`",
    ),
    (["--frobnicate"], "unrecognized arguments: --frobnicate"),
    (["--json", "suggest", "salet=bybyb"], "options come after the command: `optimal suggest --json`"),
    (["play", "--answer", "crane", "--answer", "slate"], "--answer is given twice: give it once"),
    (["verify", "classic-normal", "--weights", "w"], "--weights w: `optimal solve` alone takes weights"),
    (["games", "classic"], "unrecognized arguments: classic; see `optimal games --help`"),
    (["solve", "empty.txt"], "empty.txt is a file, not a game: --words empty.txt takes a list of words"),
    (["rank", "salet", "--openers", "crane"], "as words, and by --openers; write --openers WORD,WORD"),
    (["debrief", "salet=bybyb", "crane=ggggg"], "'salet=bybyb': name the guesses alone, the answer last"),
    (["suggest", "salet=bybyb", "classic"], "'classic' is a game: name it before the turns, or by --game"),
    (["export", "tree.msgpack", "--output", "tree.doc"], "trees have no form doc; name a form: --to html, json"),
    (
        ["solve", "--rules", "hrad"],
        "argument --rules: unknown rules 'hrad': there are normal, hard",
    ),
    (
        ["solve", "mastermind:2x3", "--rules", "hard"],
        "a game of kind mastermind has no hard rules",
    ),
    (["solve", "--max-guesses", "0"], "'0' is not a limit of guesses: give a number from 1 on, or none"),
    (["solve", "--opener", "salet"], "unrecognized arguments: --opener: did you mean --openers?"),
    (["solve", "--jobs", "0"], "argument --jobs: '0' is not a whole number from 1 to"),
    (["solve", "--time-limit", "0"], "the time limit must be more than 0 seconds and at most 1000000000, not 0.0"),
    (["solve", "--memory-limit", "2"], "'2' is not an amount of memory: write such as 800M or 2G"),
    (["solve", *LISTS, "--objective", "within:0"], "within:0"),
    (["solve", *LISTS, "--weights", "gone.txt"], "gone.txt"),
    (
        ["solve", "--openers", "salte"],
        "'salte' is not among the 12972 guesses of classic: did you mean slate or salet or",
    ),
    (["solve", "--openers", ""], "no opener is named; write such as salet,crane"),
    (["solve", "--openers", "@gone.txt"], "can't read the openers gone.txt: No such file"),
    (["solve", "classic", *LISTS], "name a game, 'classic', or give --guesses and --answers, not both"),
    (["solve", "--words", "a.txt", "--answers", "a.txt"], "in one: leave out --answers"),
    (["solve", "--length", "5"], "--length is for own lists of words"),
    (["solve", "--guesses", "g.txt"], "--answers is missing: own lists need both"),
    (["solve", "--guesses", "gone.txt", "--answers", "a.txt"], "can't read the word list gone.txt"),
    (["solve", "--guesses", "latin.txt", "--answers", "a.txt"], "latin.txt, line 1: not UTF-8"),
    (["solve", *LISTS, "--output", ""], "the name of the output file is empty"),
    (["solve", *LISTS, "--output", "folder"], "cannot write folder: it is a folder"),
    (["solve", *LISTS, "--output", "gone/tree"], "cannot write gone/tree: No such file or directory"),
    (["verify"], "the following arguments are required: TREE"),
    (["verify", "gone.msgpack"], "there is no tree file 'gone.msgpack'"),
    (["verify", ""], "the tree must be the name of a file; '' is none"),
    (["verify", "words.msgpack"], "words.msgpack: not a tree file"),
    (["verify", "cut.msgpack"], "cut.msgpack: the tree file ends too early"),
    (["verify", "tree.msgpack", "--guesses", "gone.txt"], "can't read the word list gone.txt"),
    (["play", "tree.msgpack", "--answer", "zesty"], "'zesty' is not one of the 20 answers of this tree"),
    (["play", "tree.msgpack", "--rules", "hard"], "name a tree, or a game and its rules, not both"),
    (["play", "--game", "mastermind:2x3"], "no tree of mastermind:2x3 under normal rules is shipped"),
    (["play", "gone"], "there is no game, no tree and no file 'gone': `optimal play` alone is today's Wordle"),
    (["play", "hard"], "no file 'hard': write --rules hard"),
    (["suggest", "salet=bybyb", "--hard"], "unrecognized arguments: --hard: write --rules hard"),
    (["play", "--words", "g.txt"], "--words: `optimal assist --words FILE` takes a list"),
    (
        ["play", "matrix.msgpack", "--answer", "3"],
        "is a bare matrix, whose feedback is not in the tree's file: add --matrix FILE",
    ),
    (["verify", "tree.msgpack", "--matrix", "g.txt"], "--matrix is for the trees of bare matrices"),
    (["export", "tree.msgpack"], "name a form: --to html, json, csv"),
    (["export", "tree.msgpack", "--to", "docx"], "argument --to: invalid choice: 'docx'"),
    (["export", "tree.msgpack", "tree.msgpack", "--to", "text"], "--to text takes one tree, not 2; --to html takes"),
    (["export", "two\nlines\x1b[31m", "--to", "text"], "there is no tree file 'two"),
    (["solve", "--time-limit", "soon"], "'soon' is not a time: give seconds, such as 90"),
    (["solve", *LISTS, "--weights", "g.txt"], "is not a word and a number"),
    (["export", "--to", "json"], "--to json takes a tree: name one"),
    (["export", "tree.msgpack", "--to", "html", "--json"], "--json and --to html both go to standard output"),
    (["suggest", "clasic", "salet=bybbb"], "unknown game 'clasic': did you mean classic"),
]


@pytest.mark.parametrize(("words", "message"), BAD, ids=[" ".join(words)[:60] for words, _ in BAD])
def test_bad_input(folder: Path, words: list[str], message: str) -> None:
    done = run(folder, *words)
    assert done.status == 2
    assert done.out == ""
    assert message in done.err
    assert done.err.startswith("optimal")
    assert done.err.endswith("\n")
    assert done.err.count("\n") == 1
    assert "\x1b" not in done.err


EVIL = "evil\x1b[31m\nline"
#: Commands that go on from each other, and name a file in what they print when all goes well; `lists` are words.
NAMING = [
    f"solve lists --output {EVIL} --certificate {EVIL}.xz --journal {EVIL}.journal",
    f"solve lists --weights {EVIL}.csv --time-limit 1e-9 --journal {EVIL}.stopped",
    f"status {EVIL}.journal --export {EVIL}.ledger --copy {EVIL}.copy",
    f"solve lists --journal {EVIL}.other --import {EVIL}.ledger",
    f"certify {EVIL} lists --output {EVIL}.proof",
    f"page {EVIL} --output {EVIL}.html",
    f"plot tree {EVIL}",
    f"identify {EVIL}.table --output {EVIL}.key --certificate {EVIL}.proof",
    f"check {EVIL}.proof --key {EVIL}.key",
]


@pytest.mark.skipif(os.name != "posix", reason="no file may have such a name")
def test_names_of_files_do_nothing_to_a_terminal(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="needs matplotlib, the extra `plot`")
    (tmp_path / "g.txt").write_text("fight\nfilmy\nlight\nmight\nnight\n")
    (tmp_path / "a.txt").write_text("fight\nlight\nmight\nnight\n")
    (tmp_path / f"{EVIL}.csv").write_text("fight,1\nlight,2\nmight,3\nnight,4\n")
    (tmp_path / f"{EVIL}.table").write_text("object,q1,q2\na,0,1\nb,1,0\nc,1,1\n")
    for command in NAMING:
        words = command.replace("lists", "--guesses g.txt --answers a.txt").split(" ")
        done = run(tmp_path, *words)
        assert done.status in (0, 1, 3), done.err
        told = done.out + done.err
        assert r"evil\x1b[31m\nline" in told
        assert "\x1b" not in told
        assert "\nline" not in told


def test_a_file_that_may_not_be_written(folder: Path, tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    tmp_path.chmod(0o500)
    for words in (["solve", *LISTS], ["export", "tree.msgpack", "--to", "json"]):
        done = run(folder, *words, "--output", str(tmp_path / "out"))
        assert done.status == 2
        assert "Permission denied" in done.err


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("words", [["games"], ["--help"]])
def test_output_that_does_not_fit(folder: Path, words: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "optimal", *words],
            cwd=folder,
            env=environment(),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "No space left" in done.stderr


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("words", ["games", "export tree.msgpack --to text"])
def test_a_reader_that_has_seen_enough(folder: Path, words: str, unbuffered: str) -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "optimal", *words.split()],
        cwd=folder,
        env=environment({"PYTHONUNBUFFERED": unbuffered}),
        stdout=write,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.fixture
def dead() -> Iterator[int]:
    """A pipe that nobody reads."""
    read, write = os.pipe()
    os.close(read)
    yield write
    os.close(write)


@pytest.mark.parametrize("full", [False, True])
def test_what_is_said_aside_may_not_be_heard(folder: Path, tmp_path: Path, dead: int, full: bool) -> None:
    err = os.open("/dev/full", os.O_WRONLY) if full else dead
    words = ["solve", *LISTS, "--verbose", "--json", "--output", str(tmp_path / "tree")]
    done = subprocess.run(
        [sys.executable, "-m", "optimal", *words],
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=err,
    )
    assert (done.returncode, json.loads(done.stdout)["status"]) == (0, "OPTIMAL")
    assert read_tree(tmp_path / "tree").total == json.loads(done.stdout)["total"]


@pytest.mark.skipif(os.name != "posix", reason="needs yes")
@pytest.mark.parametrize("aside", [False, True])
@pytest.mark.parametrize("words", [["play", "tree.msgpack"], ["assist", "--words", "few.txt"]])
def test_a_talk_that_nobody_hears_ends(folder: Path, dead: int, words: list[str], aside: bool) -> None:
    command = [sys.executable, "-m", "optimal", *words, *(["--json"] if aside else [])]
    out, err = (subprocess.PIPE, dead) if aside else (dead, subprocess.PIPE)
    with subprocess.Popen(["yes"], stdout=subprocess.PIPE) as yes:
        try:
            options: dict[str, Any] = {"cwd": folder, "env": environment(), "stdin": yes.stdout, "timeout": PATIENCE}
            assert subprocess.run(command, stdout=out, stderr=err, **options).returncode == 0
        finally:
            yes.kill()


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
def test_closed_streams(folder: Path) -> None:
    for words, status in (("games", 0), ("play tree.msgpack", 0), ("verify gone", 2)):
        command = f'"{sys.executable}" -m optimal {words} <&- >&- 2>&-'
        assert subprocess.run(command, shell=True, cwd=folder, env=environment()).returncode == status


def test_a_narrow_terminal_alphabet(folder: Path) -> None:
    narrow = {"PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    done = run_process(folder, "verify", "tree.msgpack", extra=narrow)
    assert done.status == 0
    assert "##" in done.out
    assert "test\\xe9" in run_process(folder, "export", "tree.msgpack", "--to", "text", extra=narrow).out


# games


def test_games(folder: Path) -> None:
    found = run_json(folder, "games")
    assert [game["name"] for game in found["games"]] == [game.name for game in presets()]
    first = found["games"][0]
    assert (first["guesses"], first["answers"], first["max_guesses"]) == (12972, 2315, 6)
    assert first["guesses_sha256"].startswith("feacc549")
    assert first["answers_sha256"].startswith("f40e4797")
    lines = [line.split() for line in run(folder, "games").out.splitlines()]
    assert ["classic-normal", "salet", "2315", "7920", "3.4212", "5", "OPTIMAL"] in lines
    for tree in found["trees"]:
        assert any(line[:2] == [tree["name"], tree["opener"]] for line in lines)


# verify


def test_verify(folder: Path) -> None:
    found = run_json(folder, "verify", "tree.msgpack", *LISTS)
    assert found["ok"] is True
    assert found["total"] == TREE.total
    assert found["problems"] == found["notes"] == []
    done = run(folder, "verify", "tree.msgpack", *LISTS)
    assert done.status == 0
    assert done.out.startswith("ok: range: twenty")
    assert f"{TREE.mean_text}\n" in done.out
    assert "█" in done.out
    # Without the lists it says what it could not check.
    done = run(folder, "verify", "tree.msgpack")
    assert done.status == 0
    assert "legality against the list was not checked" in done.out


def test_verify_says_no(folder: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.msgpack"
    write_tree(wrong, replace(TREE, total=TREE.total + 1))
    found = run_json(tmp_path, "verify", "wrong.msgpack", status=1)
    assert found["ok"] is False
    assert found["total"] == TREE.total
    assert f"wrong total: the tree says {TREE.total + 1}" in found["problems"][0]
    done = run(tmp_path, "verify", "wrong.msgpack")
    assert done.status == 1
    assert done.out.startswith("NOT OK")
    assert "wrong total" in done.out
    done = run(folder, "verify", "tree.msgpack", *FEW)
    assert done.status == 1
    assert "the answers to check against are not those of the tree" in done.out


def test_verify_a_bare_matrix(folder: Path, tmp_path: Path) -> None:
    found = run_json(folder, "verify", "matrix.msgpack", status=1)
    assert (found["ok"], found["replayed"], found["total"], found["problems"]) == (True, False, None, [])
    done = run(folder, "verify", "matrix.msgpack")
    assert done.status == 1
    assert done.out.startswith("not replayed: 1: a matrix")
    assert done.err == "optimal verify: --matrix FILE gives the matrix of a bare one\n"
    assert "not checked: no answer was replayed" in done.out
    assert "NOT OK" not in done.out
    rows = [[matrix_score(str(guess), str(answer)) for answer in range(12)] for guess in range(12)]
    matrix = tmp_path / "m.csv"
    matrix.write_text("\n".join(", ".join(map(str, row)) for row in rows) + "\n\n", encoding="utf-8")
    np.save(tmp_path / "m.npy", np.array(rows))
    for name in ("m.csv", "m.npy"):
        found = run_json(folder, "verify", "matrix.msgpack", "--matrix", str(tmp_path / name))
        assert (found["ok"], found["replayed"], found["problems"]) == (True, True, [])
    assert run(tmp_path, "solve", "--matrix", "m.npy", "--winning", "7", "--output", "own.msgpack").status == 0
    assert run_json(tmp_path, "verify", "own.msgpack", "--matrix", "m.csv")["replayed"] is True
    rows[2][3] += 1
    np.save(tmp_path / "m.npy", np.array(rows))
    done = run(tmp_path, "verify", "own.msgpack", "--matrix", "m.npy")
    assert (done.status, "the matrix is not that of the tree" in done.out) == (1, True)


# play


def test_play_by_itself(folder: Path) -> None:
    found = run_json(folder, "play", "tree.msgpack", "--answer", "Wreck")
    assert found["guesses"] == ["range", "wooer", "wreck"]
    assert found["feedback"] == ["YBBBY", "GBBYY", "GGGGG"]
    assert (found["solved"], found["answer"]) == (True, "wreck")
    done = run(folder, "play", "tree.msgpack", "--answer", "wreck")
    assert (done.status, done.err) == (0, "")
    assert done.out.splitlines() == [
        "twenty, 20 answers, normal rules",
        "1. range  YBBBY",
        "2. wooer  GBBYY",
        "3. wreck  GGGGG",
    ]


def test_play_with_a_person(folder: Path) -> None:
    done = run(folder, "play", "tree.msgpack", typed="ybzby\nybbby\nundo\n?---?\n🟩⬛⬛🟨🟨\n22222\n")
    assert (done.status, done.err) == (0, "")
    assert "Solved in 3 guesses: wreck.\n\ntwenty 3/6\n\n" in done.out
    assert run(folder, "play", "tree.msgpack").status == 0
    done = run_process(folder, "play", "tree.msgpack", typed=b"\xff\xfe\n")
    assert done.status in (0, 2)
    # With --json the talk is on standard error.
    found = run_json(folder, "play", "tree.msgpack", typed="ybbby\n")
    assert found["guesses"] == ["range"]
    assert (found["solved"], found["answer"]) == (False, None)


def test_play_from_a_position(folder: Path, tmp_path: Path) -> None:
    feedback = TREE.game.feedback
    assert feedback is not None
    position = (("salet", feedback.score("salet", "range")),)
    write_tree(tmp_path / "t", word_tree(position=position))
    found = run_json(tmp_path, "play", "t", "--answer", "range")
    assert found["guesses"][0] == "salet"
    assert found["guesses"][-1] == "range"
    assert run(tmp_path, "play", "t", "--answer", "range").out == (
        "twenty, 1 answer left, normal rules\n1. salet  BGBYB\n2. range  GGGGG\n"
    )


# export


def test_export(folder: Path, tmp_path: Path) -> None:
    done = run(folder, "export", "tree.msgpack", "--to", "json")
    assert done.status == 0
    tree = json.loads(done.out)
    assert tree["guess"] == "range"
    assert tree["children"]["YBBBY"]["children"]["GBBYY"] == {"guess": "wreck", "children": {}}
    assert "GGGGG" not in tree["children"]
    for form in ("json", "csv", "text", "html"):
        out = tmp_path / form
        done = run(folder, "export", "tree.msgpack", "--to", form, "--output", str(out))
        assert (done.status, done.out, done.err) == (0, "", "")
        assert out.read_text(encoding="utf-8") == run(folder, "export", "tree.msgpack", "--to", form).out


def test_the_page_is_opened(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page of export, written where it stays, and handed to the browser."""
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda address: not opened.append(address))  # type: ignore[func-returns-value]
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = tmp_path / "cache" / "optimal" / "page.html"
    done = run(folder, "page", "tree.msgpack")
    assert (done.status, done.out, done.err) == (0, f"{path}: opened in the browser\n", "")
    assert opened == [path.as_uri()]
    assert path.read_text(encoding="utf-8") == run(folder, "export", "tree.msgpack", "--to", "html").out
    monkeypatch.setattr("webbrowser.open", lambda address: False)
    done = run(tmp_path, "page", "--output", "own.html")
    assert (done.status, done.out) == (0, "own.html: written; no browser was found to open it\n")
    assert (tmp_path / "own.html").read_text(encoding="utf-8") == run(folder, "export", "--to", "html").out
    (tmp_path / "cache" / "optimal").rename(tmp_path / "gone")
    (tmp_path / "cache" / "optimal").write_text("no folder")
    done = run(tmp_path, "page")
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert "name a file by --output" in done.err


def test_a_page_with_the_words_of_own_lists(folder: Path) -> None:
    plain, whole = (run(folder, "export", "tree.msgpack", "--to", "html", *own) for own in ((), ("--guesses", "g.txt")))
    assert tuple('"text/words" data' in page.out for page in (plain, whole)) == (False, True)
    for words, problem in (
        (("--to", "html", "--guesses", "a.txt"), "guesses are not those of twenty"),
        (("--to", "text", "--guesses", "g.txt"), "--guesses goes with --to html"),
        (("--output", "g.txt", "--to", "html", "--guesses", "g.txt"), "g.txt"),
    ):
        done = run(folder, "export", "tree.msgpack", *words)
        assert (done.status, done.out, done.err.count("\n"), problem in done.err) == (2, "", 1, True), done.err


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on the size of files")
@pytest.mark.parametrize("before", [None, b"before"])
def test_a_file_that_can_not_be_written_whole_stays_as_it_was(tmp_path: Path, before: bytes | None) -> None:
    """A full disk, played by a limit on the size of files: the export needs more than 8 kB."""
    out = tmp_path / "out"
    if before is not None:
        out.write_bytes(before)
    words = ["export", "classic-normal", "--to", "text", "--output", str(out)]
    script = f"""
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))
from optimal.cli import main
sys.exit(main({words!r}))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment())
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"optimal export: cannot write {str(out)!r}: File too large\n"
    assert (out.read_bytes() if out.exists() else None) == before
    assert list(tmp_path.iterdir()) == ([] if before is None else [out])


# solve


def best(answers: tuple[str, ...], limit: int | None = None) -> int:
    solution = Textbook(Game.from_words(GUESSES, answers, max_guesses=None)).solve(limit)
    assert solution is not None
    return solution.value[0]


def test_solve(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "tree.msgpack"
    found = run_json(folder, "solve", *LISTS, "--output", str(out))
    assert found["status"] == "OPTIMAL"
    assert found["total"] == best(ANSWERS)
    assert found["bound"] == [found["total"]]
    assert found["mean"] == found["total"] / 20
    assert sum(int(depth) * count for depth, count in found["distribution"].items()) == found["total"]
    assert (found["openers_refuted"], found["tree"]) == (len(GUESSES) - 1, str(out))
    tree = read_tree(out)
    assert (tree.total, tree.root.guess, tree.status) == (found["total"], found["opener"], "OPTIMAL")
    assert run_json(folder, "verify", str(out), *LISTS)["ok"] is True
    # And for people; the same tree, byte by byte, for two jobs.
    again = tmp_path / "again.msgpack"
    done = run(folder, "solve", *LISTS, "--jobs", "2", "--output", str(again))
    assert (done.status, done.err) == (0, "")
    assert f"total {found['total']} (proven least, over all 26 openers)" in done.out
    assert again.read_bytes() == out.read_bytes()


def test_solve_within_a_limit(folder: Path, tmp_path: Path) -> None:
    for limit in ("none", "99"):
        found = run_json(folder, "solve", *FEW, "--max-guesses", limit)
        assert (found["status"], found["total"]) == ("OPTIMAL", best(("crony", "raced", "range")))
        assert found["max_guesses"] == (None if limit == "none" else 99)
    words = ("solve", *LISTS, "--max-guesses", "1")
    found = run_json(folder, *words, status=1)
    assert (found["status"], found["total"], found["opener"], found["distribution"]) == ("INFEASIBLE", None, None, {})
    out = tmp_path / "tree"
    done = run(folder, *words, "--output", str(out))
    assert (done.status, "no strategy exists" in done.out) == (1, True)
    assert done.err == (
        f"there is no tree to write to {out}\n"
        "optimal solve: the tree that finds the most answers within 1: --max-guesses none --objective within:1\n"
    )
    assert not out.exists()


def test_solve_with_weights(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "weights").write_text("crony 5\nraced 0.5\n", encoding="utf-8")
    out = tmp_path / "tree"
    words = ("solve", *FEW, "--weights", str(tmp_path / "weights"), "--output", str(out))
    done = run(folder, *words, "--json")
    assert done.status == 0
    found = json.loads(done.out)
    tree = read_tree(out)
    assert (found["status"], found["weights"], tree.weights) == ("OPTIMAL", "file", (50, 5, 10))
    assert found["total"] == tree.total == 50 + 2 * 15  # crony first, then the others apart
    assert found["mean"] == 80 / 65
    assert "1 of 3 answers have no weight" in done.err
    assert run_json(folder, "verify", str(out), *FEW)["total"] == 80
    assert "weights: frequency" in run(folder, "solve", *FEW, "--weights", "frequency").out


def test_solve_tells_of_a_tree_that_cannot_be_written(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(tree: StrategyTree, path: object) -> None:
        raise TreeFileError(f"cannot write {str(path)!r}: No space left on device")

    monkeypatch.setattr(StrategyTree, "save", full)
    out = str(tmp_path / "tree")
    found = run_json(folder, "solve", *FEW, "--output", out, status=2)
    assert (found["status"], found["total"], found["tree"]) == ("OPTIMAL", best(("crony", "raced", "range")), None)
    done = run(folder, "solve", *FEW, "--output", out)
    assert (done.status, "OPTIMAL" in done.out, "tree written" in done.out) == (2, True, False)
    assert done.err == f"optimal solve: cannot write {out!r}: No space left on device\n"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere names of files are UTF-8")
def test_names_of_files_that_are_not_utf8(folder: Path, tmp_path: Path) -> None:
    odd = os.fsdecode(b"odd\xff")
    words = ("--words", str(folder / "few.txt"))
    found = run_json(tmp_path, "solve", *words, "--journal", odd, "--output", f"{odd}.msgpack")
    assert run_json(tmp_path, "status", odd)["total"] == found["total"]
    assert run_json(tmp_path, "solve", *words, "--journal", odd)["total"] == found["total"]
    assert run(tmp_path, "plot", "gap", odd, "--output", f"{odd}.svg").status == 0
    assert run(tmp_path, "export", f"{odd}.msgpack", "--output", f"{odd}.html").status == 0
    assert 'data-name="odd?"' in (tmp_path / f"{odd}.html").read_text(encoding="utf-8")
    (tmp_path / f"{odd}.csv").write_text(",a,b\na,yes,no\nb,no,yes\n", encoding="utf-8")
    assert run_json(tmp_path, "solve", "--matrix", f"{odd}.csv")["game"] == "matrix"


def test_links_to_files_that_are_not_there(folder: Path, tmp_path: Path) -> None:
    words = ("--words", str(folder / "few.txt"))
    for name, target in (("journal", "new"), ("astray", "gone/tree"), ("round", "round")):
        (tmp_path / name).symlink_to(target)
    assert run(tmp_path, "solve", *words, "--journal", "journal").status == 0
    assert run_json(tmp_path, "status", "new")["status"] == "OPTIMAL"
    for name, reason in (("astray", "No such file or directory"), ("round", "the link leads nowhere")):
        for option in ("--output", "--certificate"):  # said before the search
            done = run(tmp_path, "solve", "classic", option, name)
            assert (done.status, done.out, done.err) == (2, "", f"optimal solve: cannot write {name}: {reason}\n")
        assert "cannot open the journal" in run(tmp_path, "solve", *words, "--journal", name).err


def test_solve_says_more_when_asked(folder: Path) -> None:
    done = run(folder, "solve", *LISTS, "-v", "--json")
    assert "better tree: " in done.err
    assert "count calls" in done.err
    assert re.search(r"^  symmetry +", run(folder, "solve", "mastermind:2x3", "-v").err, re.MULTILINE)
    assert json.loads(done.out)["status"] == "OPTIMAL"


def test_solve_stops_in_time(folder: Path) -> None:
    done = run(folder, "solve", "classic", "--time-limit", "0.5", "--json")
    found = json.loads(done.out)
    assert (found["status"], done.status) in (("FEASIBLE", 3), ("UNKNOWN", 1))
    assert found["stop_reason"] == "time limit"
    assert found["bound"][0] <= 7920
    done = run(folder, "solve", "classic", "--objective", "worst", "--time-limit", "0.5")
    assert done.status in (1, 3)
    assert "proven lower bound" in done.out


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
@pytest.mark.parametrize("words", [["solve", "classic", "--verbose"], ["play", "tree.msgpack"]])
def test_interrupted(folder: Path, words: list[str]) -> None:
    with started(folder, *words, stdin=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        begun = process.stdout if words[0] == "play" else process.stderr
        assert begun.readline()
        process.send_signal(signal.SIGINT)
        start = time.monotonic()
        _, told = process.communicate(timeout=PATIENCE)
        assert "Traceback" not in told
    assert process.returncode == 130
    assert time.monotonic() - start < SOON


def test_check_says_what_a_file_is(tmp_path: Path) -> None:
    asked = ("mastermind:2x2", "--journal", "j", "--output", "t.msgpack")
    assert run(tmp_path, "solve", *asked).status == 0
    for name, told in (("t.msgpack", "a strategy tree, not a certificate"), ("j", "a journal")):
        done = run(tmp_path, "check", name)
        assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
        assert f"{name} is {told}" in done.err
    with closing(sqlite3.connect(tmp_path / "other.db")) as other:  # of somebody else's
        other.execute("CREATE TABLE rows (number)")
    done = run(tmp_path, "check", "other.db")
    assert (done.status, "NOT PROVEN: not a file in xz" in done.out) == (1, True)


def test_check_says_what_a_proof_of_no_claims_means(tmp_path: Path) -> None:
    for asked, status, words in (
        (("mastermind:2x2",), 0, "(0 claims), and needs none: its strategy was played"),
        (("mastermind:2x2", "--max-guesses", "1"), 1, "(0 claims), and needs none: counting the replies"),
        (("mastermind:3x4",), 0, "8 claims checked, each of what one set of answers takes at least."),
    ):
        assert run(tmp_path, "solve", *asked, "--certificate", "c.xz").status == status
        assert words in " ".join(run(tmp_path, "check", "c.xz").out.split())


@pytest.mark.skipif(not os.path.exists("/dev/fd"), reason="a pipe has no path here")
@pytest.mark.parametrize(
    ("file", "words", "told"),
    [
        ("t.msgpack", ["verify", "PIPE"], "ok: "),
        ("k.xz", ["check", "PIPE"], "Proven: "),
        ("t.msgpack", ["certify", "PIPE", "--output", "c.xz"], "certificate written to c.xz"),
        ("k.key", ["check", "k.xz", "--key", "PIPE"], "The table and its key are those of"),
        ("k.csv", ["identify", "PIPE"], ": 400 objects, 2 questions\n"),
        ("k.csv", ["verify", "k.key", "--table", "PIPE"], "ok: "),
        ("l.txt", ["solve", "--words", "PIPE"], "3 answers"),
        ("w.txt", ["solve", "--words", "l.txt", "--weights", "PIPE"], "weights: /dev/fd/"),
        ("m.csv", ["solve", "--matrix", "PIPE", "--winning", "0"], "3 answers"),
    ],
)
def test_what_is_read_through_a_pipe(tmp_path: Path, file: str, words: list[str], told: str) -> None:
    texts = {
        "k.csv": "a,x,y\n" + "".join(f"object {n},{n % 20},{n // 20}\n" for n in range(400)),
        "l.txt": "crane\nsalet\nabbey\n",
        "w.txt": "crane 3\nsalet 2\nabbey 5\n",
        "m.csv": "0,1,2\n1,0,2\n2,1,0\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    if file == "t.msgpack":
        assert run(tmp_path, "solve", "mastermind:2x2", "-o", file).status == 0
    if "k.key" in (file, *words) or file == "k.xz":
        assert run(tmp_path, "identify", "k.csv", "-o", "k.key", "--certificate", "k.xz").status == 0
    reading, writing = os.pipe()
    os.write(writing, (tmp_path / file).read_bytes())
    os.close(writing)
    done = run(tmp_path, *(word.replace("PIPE", f"/dev/fd/{reading}") for word in words))
    os.close(reading)
    assert told in done.out
    assert (done.status, done.err) == (0, "")
