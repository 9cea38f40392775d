"""The command line, as a user meets it; some commands in a process of their own."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_util import environment, run, run_json, run_process, started
from patience import PATIENCE, SOON
from trees_util import matrix_score, matrix_tree, small_folder, word_tree

from optimal import __version__
from optimal.cli import COMMANDS
from optimal.cli.commands import COMMANDS as DECLARED
from optimal.cli.options import time_left
from optimal.errors import TreeFileError
from optimal.search.progress import Clock
from optimal.trees.file import read_tree, write_tree
from optimal.trees.tree import StrategyTree

TREE = word_tree()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with small lists, small trees and a certificate."""
    here = small_folder(tmp_path_factory.mktemp("cli"))
    (here / "few.txt").write_text("crony\nraced\nrange\n", encoding="utf-8")
    write_tree(here / "matrix.msgpack", matrix_tree())
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
        ("optimal export --to s", ["svg"]),
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


#: Ten seconds and more of two cores; other tests do as much.
LONG_EXAMPLES = {
    "optimal solve --jobs 2 --output classic.msgpack",
    "optimal rank classic --top 10",
    "optimal check mastermind-normal",
}


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that the examples name."""
    folder = tmp_path_factory.mktemp("examples")
    (folder / "own.txt").write_text("crane\nsalet\nabbey\nround\nirony\n")
    (folder / "share.txt").write_text("Wordle 1 4/6\n\n⬛⬛⬛⬛⬛\n🟨🟨⬛🟩⬛\n⬛🟩🟩🟩🟩\n🟩🟩🟩🟩🟩\n")
    own = ("--words", "own.txt", "--output", "tree.msgpack", "--journal", "own.journal", "--certificate", "proof.xz")
    assert run(folder, "solve", *own).status == 0
    (folder / "table.csv").write_text("pet,legs,sings\ncat,4,no\nwren,2,yes\nhen,2,no\n")
    assert run(folder, "identify", "table.csv", "--output", "own.key").status == 0
    assert run(folder, "identify", "birds", "--output", "birds.key", "--certificate", "birds.xz").status == 0
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_examples_of_the_help_run(named: Path, tmp_path: Path, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))  # where a page stays
    shutil.copytree(named, tmp_path, dirs_exist_ok=True)
    examples = DECLARED[command].examples
    assert examples
    for line in examples:
        program, called, *words = shlex.split(line)
        assert (program, called) == ("optimal", command)
        if line not in LONG_EXAMPLES:
            done = run(tmp_path, command, *words)
            # Nobody answers those that ask; and the two strangers of an example may well not be enough.
            assert done.status in ((0, 1) if command in ("play", "report") else (0,)), (line, done.err)


def test_no_command_shows_how_to_begin(folder: Path) -> None:
    done = run_process(folder)
    assert (done.status, done.err) == (0, "")
    assert run(folder, "help").out.startswith("\n".join(done.out.splitlines()[:9]))
    assert len(done.out.splitlines()) <= 12


IN_A_PROCESS = [
    "games --json",
    "solve --guesses g.txt --answers a.txt --jobs 2 --json",
    "play tree.msgpack",
    "assist --guesses g.txt --answers a.txt",
    "page tree.msgpack --output own.html --json",
    "certify tree.msgpack -o u.xz --guesses g.txt --answers a.txt",
    "check tree.xz --json",
    "identify sorting:3 --json",
    "status nowhere",
]


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


@pytest.fixture
def dead() -> Iterator[int]:
    """A pipe that nobody reads."""
    read, write = os.pipe()
    os.close(read)
    yield write
    os.close(write)


def shell(folder: Path, words: str, **streams: Any) -> subprocess.CompletedProcess[bytes]:
    """Run `optimal words` in the folder, with streams such as nobody reads."""
    given: dict[str, Any] = {"cwd": folder, "env": environment(), "timeout": PATIENCE, **streams}
    return subprocess.run([sys.executable, "-m", "optimal", *words.split()], **given)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_output_that_does_not_fit(folder: Path) -> None:
    with open("/dev/full", "wb") as full:
        done = shell(folder, "games", stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr.count(b"\n"), b"No space left" in done.stderr) == (2, 1, True)


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("words", ["games", "export tree.msgpack --to text"])
def test_a_reader_that_has_seen_enough(folder: Path, dead: int, words: str, unbuffered: str) -> None:
    env = environment({"PYTHONUNBUFFERED": unbuffered})
    done = shell(folder, words, env=env, stdout=dead, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (0, b"")


def test_what_is_said_aside_may_not_be_heard(folder: Path, tmp_path: Path, dead: int) -> None:
    words = f"solve {' '.join(LISTS)} --verbose --json --output {tmp_path}/tree"
    done = shell(folder, words, stdout=subprocess.PIPE, stderr=dead)
    assert (done.returncode, json.loads(done.stdout)["status"]) == (0, "OPTIMAL")
    assert read_tree(tmp_path / "tree").total == json.loads(done.stdout)["total"]


@pytest.mark.skipif(os.name != "posix", reason="needs yes")
@pytest.mark.parametrize("words", ["play tree.msgpack", "assist --words few.txt --json"])
def test_a_talk_that_nobody_hears_ends(folder: Path, dead: int, words: str) -> None:
    with subprocess.Popen(["yes"], stdout=subprocess.PIPE) as yes:
        try:
            assert shell(folder, words, stdin=yes.stdout, stdout=dead, stderr=dead).returncode == 0
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


# verify


def test_verify_says_no(folder: Path, tmp_path: Path) -> None:
    write_tree(tmp_path / "wrong.msgpack", replace(TREE, total=TREE.total + 1))
    found = run_json(tmp_path, "verify", "wrong.msgpack", status=1)
    assert (found["ok"], found["total"]) == (False, TREE.total)
    done = run(tmp_path, "verify", "wrong.msgpack")
    assert (done.status, done.out[:6]) == (1, "NOT OK")
    assert f"wrong total: the tree says {TREE.total + 1}" in done.out
    assert run(folder, "verify", "tree.msgpack", *FEW).status == 1


def test_verify_a_bare_matrix(folder: Path, tmp_path: Path) -> None:
    found = run_json(folder, "verify", "matrix.msgpack", status=1)
    assert (found["ok"], found["replayed"], found["total"], found["problems"]) == (True, False, None, [])
    done = run(folder, "verify", "matrix.msgpack")
    assert (done.status, done.err) == (1, "optimal verify: --matrix FILE gives the matrix of a bare one\n")
    assert done.out.startswith("not replayed: 1: a matrix")
    rows = [[matrix_score(str(guess), str(answer)) for answer in range(12)] for guess in range(12)]
    (tmp_path / "m.csv").write_text("\n".join(", ".join(map(str, row)) for row in rows), encoding="utf-8")
    np.save(tmp_path / "m.npy", np.array(rows))
    assert run(tmp_path, "solve", "--matrix", "m.npy", "--winning", "7", "--output", "own.msgpack").status == 0
    assert run_json(tmp_path, "verify", "own.msgpack", "--matrix", "m.csv")["replayed"] is True
    rows[2][3] += 1
    np.save(tmp_path / "m.npy", np.array(rows))
    done = run(tmp_path, "verify", "own.msgpack", "--matrix", "m.npy")
    assert (done.status, "the matrix is not that of the tree" in done.out) == (1, True)


# play


def test_play_with_a_person(folder: Path) -> None:
    typed = "ybzby\nybbby\nundo\nrange:?---?\nundo\nr...e\n🟩⬛⬛🟨🟨\n22222\n"
    done = run(folder, "play", "tree.msgpack", typed=typed)
    assert (done.status, done.err) == (0, "")
    assert "Solved in 3 guesses: wreck.\n\ntwenty 3/6\n\n" in done.out
    assert run_process(folder, "play", "tree.msgpack", typed=b"\xff\xfe\n").status in (0, 2)
    # With --json the talk is on standard error.
    found = run_json(folder, "play", "tree.msgpack", typed="ybbby\n")
    assert (found["guesses"], found["solved"], found["answer"]) == (["range"], False, None)


# export


@pytest.mark.parametrize("ending", ["json", "csv", "txt", "htm"])
def test_the_form_of_an_export(folder: Path, tmp_path: Path, ending: str) -> None:
    """By an option of its own, or by how its file ends."""
    out = tmp_path / f"tree.{ending}"
    form = {"txt": "text", "htm": "html"}.get(ending, ending)
    named = run(folder, "export", "tree.msgpack", "--to", form).out
    assert run_json(folder, "export", "tree.msgpack", "-o", str(out))["form"] == form
    assert out.read_text(encoding="utf-8") == named
    if form == ending:
        assert run(folder, "export", "tree.msgpack", f"--{form}").out == named


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
    (tmp_path / "cache" / "optimal").rename(tmp_path / "gone")
    (tmp_path / "cache" / "optimal").write_text("no folder")
    done = run(tmp_path, "page")
    assert (done.status, done.err.count("\n"), "name a file by --output" in done.err) == (2, 1, True)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on the size of files")
def test_a_file_that_can_not_be_written_whole_stays_as_it_was(tmp_path: Path) -> None:
    """A full disk, played by a limit on the size of files: the export needs more than 8 kB."""
    out = tmp_path / "out"
    out.write_bytes(b"before")
    script = f"""
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))
from optimal.cli import main
sys.exit(main(["export", "classic-normal", "--to", "text", "--output", {str(out)!r}]))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment())
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"optimal export: cannot write {str(out)!r}: File too large\n"
    assert (out.read_bytes(), list(tmp_path.iterdir())) == (b"before", [out])


# solve


def test_solve_within_a_limit(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "tree"
    done = run(folder, "solve", *LISTS, "--max-guesses", "1", "--output", str(out))
    assert (done.status, "no strategy exists" in done.out) == (1, True)
    assert done.err == (
        f"there is no tree to write to {out}\n"
        "optimal solve: the tree that finds the most answers within 1: --max-guesses none --objective within:1\n"
    )
    assert not out.exists()


def test_solve_tells_of_a_tree_that_cannot_be_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(tree: StrategyTree, path: object) -> None:
        raise TreeFileError(f"cannot write {str(path)!r}: No space left on device")

    monkeypatch.setattr(StrategyTree, "save", full)
    found = run_json(folder, "solve", *FEW, "--output", "new", status=2)
    assert (found["status"], found["tree"]) == ("OPTIMAL", None)
    done = run(folder, "solve", *FEW, "--output", "new")
    assert (done.status, "OPTIMAL" in done.out, "tree written" in done.out) == (2, True, False)
    assert done.err == "optimal solve: cannot write 'new': No space left on device\n"


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


def test_solve_says_more_when_asked(folder: Path) -> None:
    done = run(folder, "solve", *LISTS, "-v", "--json")
    assert "better tree: " in done.err
    assert "count calls" in done.err
    assert re.search(r"^  symmetry +", run(folder, "solve", "mastermind:2x3", "-v").err, re.MULTILINE)
    assert json.loads(done.out)["status"] == "OPTIMAL"


def test_solve_stops_in_time(folder: Path) -> None:
    assert 4 < (time_left(Namespace(time_limit=9.0, clock=Clock(time.monotonic() - 4))) or 0) <= 5
    done = run(folder, "solve", "classic", "--time-limit", "0.5", "--json")
    found = json.loads(done.out)
    assert (found["status"], done.status) in (("FEASIBLE", 3), ("UNKNOWN", 1))
    assert (found["stop_reason"], found["bound"][0] <= 7920) == ("time limit", True)
    done = run(folder, "solve", "classic", "--objective", "worst", "--time-limit", "0.5")
    assert done.status in (1, 3)
    assert "proven lower bound" in done.out


def test_solve_says_what_may_take_days(folder: Path) -> None:
    told = "black-pegs may take days: --journal FILE keeps what is proven"
    for words, says in ((["black-pegs"], True), (["black-pegs", "--time-limit", "9"], False), (["mastermind"], False)):
        # Which is refused, so that nothing is searched.
        done = run(folder, "solve", *words, "--objective", "within:3", "--certificate", "c.xz")
        assert (done.status, told in done.err) == (2, says)


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
        ("k.csv", ["identify", "PIPE"], ": 400 objects, 2 questions\n"),
        ("l.txt", ["solve", "--words", "PIPE"], "3 answers"),
        ("w.txt", ["solve", "--words", "l.txt", "--weights", "PIPE"], "weights: /dev/fd/"),
    ],
)
def test_what_is_read_through_a_pipe(tmp_path: Path, file: str, words: list[str], told: str) -> None:
    texts = {
        "k.csv": "a,x,y\n" + "".join(f"object {n},{n % 20},{n // 20}\n" for n in range(400)),
        "l.txt": "crane\nsalet\nabbey\n",
        "w.txt": "crane 3\nsalet 2\nabbey 5\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    if file == "t.msgpack":
        assert run(tmp_path, "solve", "mastermind:2x2", "-o", file).status == 0
    reading, writing = os.pipe()
    os.write(writing, (tmp_path / file).read_bytes())
    os.close(writing)
    done = run(tmp_path, *(word.replace("PIPE", f"/dev/fd/{reading}") for word in words))
    os.close(reading)
    assert told in done.out
    assert (done.status, done.err) == (0, "")
