"""No command writes over a file that it reads, nor two outputs over each other: one rule, held before any work."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from cli_util import run
from trees_util import small_folder

LISTS = ("--guesses", "g.txt", "--answers", "a.txt")
WORDS = ("--words", "a.txt")
JOURNAL = ("--journal", "j")

CASES = [
    (("solve", "--matrix", "m.csv", "--output", "m.csv"), "--matrix and --output", "m.csv"),
    (("solve", *LISTS, "--output", "./g.txt"), "--guesses and --output", "g.txt"),
    (("solve", *LISTS, "--certificate", "link.txt"), "--answers and --certificate", "a.txt"),
    (("solve", *LISTS, "--certificate", "hard.txt"), "--answers and --certificate", "a.txt"),
    (("solve", *WORDS, "--journal", "a.txt"), "--words and --journal", "a.txt"),
    (("solve", *WORDS, "--weights", "w.txt", "-o", "w.txt"), "--weights and --output", "w.txt"),
    (("solve", *WORDS, "--openers", "@o.txt", "-o", "o.txt"), "--openers and --output", "o.txt"),
    (("solve", *WORDS, *JOURNAL, "--import", "l.xz", "-o", "l.xz"), "--import and --output", "l.xz"),
    (("solve", *WORDS, "-o", "new", "--certificate", "new"), "--output and --certificate", "new"),
    (("rank", "@o.txt", *WORDS, "--csv", "o.txt"), "WORD and --csv", "o.txt"),
    (("rank", *WORDS, "--csv", "new.csv", "--log", "new.csv"), "--log and --csv", "new.csv"),
    (("suggest", "--words", "a.svg", "--plot", "a.svg"), "--words and --plot", "a.svg"),
    (("debrief", "salet", "wreck", "--grid", "grid.txt", *LISTS, "--csv", "grid.txt"), "--grid and --csv", "grid.txt"),
    (("compare", *LISTS, "--tree", "tree.msgpack", "--csv", "tree.msgpack"), "--tree and --csv", "tree.msgpack"),
    (("export", "tree.msgpack", "--to", "json", "--output", "tree.msgpack"), "TREE and --output", "tree.msgpack"),
    (("certify", "tree.msgpack", *LISTS, "-o", "tree.msgpack"), "TREE and --output", "tree.msgpack"),
    (("plot", "tree.svg", "-o", "tree.svg"), "WHAT and --output", "tree.svg"),
    (("status", "j", "--copy", "new", "--export", "new"), "--export and --copy", "new"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = small_folder(tmp_path_factory.mktemp("apart"))
    (folder / "m.csv").write_text("answers,x,y\nx,0,1\ny,1,0\n")
    for name in ("w.txt", "o.txt", "l.xz", "j", "grid.txt", "own.py", "a.svg"):
        (folder / name).write_text("salet\n")
    shutil.copy(folder / "tree.msgpack", folder / "tree.svg")
    (folder / "link.txt").symlink_to("a.txt")
    (folder / "hard.txt").hardlink_to(folder / "a.txt")
    return folder


@pytest.mark.parametrize(("words", "named", "path"), CASES, ids=[" ".join(case[0]) for case in CASES])
def test_an_output_is_no_other_file(folder: Path, words: tuple[str, ...], named: str, path: str) -> None:
    before = {file: file.read_bytes() for file in folder.iterdir()}
    done = run(folder, *words)
    assert (done.status, done.out) == (2, "")
    assert done.err == f"optimal {words[0]}: {named} name the same file, {path}\n"
    assert {file: file.read_bytes() for file in folder.iterdir()} == before


def test_what_is_no_such_file_may_be_named_twice(folder: Path) -> None:
    # A weight's name is no file of that name; a device is read and written; one list may be guesses and answers.
    (folder / "uniform").write_text("keep")
    lists = ("--guesses", "a.txt", "--answers", "a.txt")
    done = run(folder, "solve", *lists, "--weights", "uniform", "--output", "uniform")
    assert (done.status, done.err) == (0, "")
    typed = "🟩🟩🟩🟩🟩\n"
    done = run(folder, "debrief", "wreck", *LISTS, "--grid", "-", "--csv", typed=typed)
    assert (done.status, done.err) == (0, "")
