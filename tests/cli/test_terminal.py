"""Commands on a terminal of 80 columns: coloured tiles, lines that fit, plain letters where there are no colours."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from cli_util import COLOURS, run, run_terminal
from trees_util import small_folder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")

LISTS = ("--guesses", "g.txt", "--answers", "a.txt")
ORANGE, YELLOW, BLUE = "48;5;208m", "48;5;179m", "48;5;117m"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_folder(tmp_path_factory.mktemp("terminal"))


COLOURED = [
    ("play tree.msgpack", "ybbby\nggggb\nundo\nbgbbb\nq\n", " R "),
    ("assist {}", "crony=bybbb\nquit\n", "r"),
    ("suggest crony=bybbb {}", "", "r"),
    ("debrief karma crony karma {}", "", "r"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("command", "typed", "letter"), COLOURED)
def test_guesses_are_tiles(folder: Path, command: str, typed: str, letter: str) -> None:
    words = command.format(" ".join(LISTS)).split()
    seen = run_terminal(folder, *words, typed=typed)
    assert f"{YELLOW}{letter}" in seen
    assert ORANGE not in seen
    assert BLUE not in seen
    strong = run_terminal(folder, *words, "--contrast", typed=typed)
    assert f"{BLUE}{letter}" in strong
    assert YELLOW not in strong


@pytest.mark.parametrize("variable", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_letters_where_there_are_no_colours(folder: Path, variable: dict[str, str]) -> None:
    seen = run_terminal(folder, "play", "tree.msgpack", "--answer", "wreck", extra={**COLOURS, **variable})
    assert seen == "twenty, 20 answers, normal rules\n1. range  YBBBY\n2. wooer  GBBYY\n3. wreck  GGGGG\n"
    assert seen == run(folder, "play", "tree.msgpack", "--answer", "wreck").out


def test_terminals_of_sixteen_colours(folder: Path) -> None:
    seen = run_terminal(folder, "play", "tree.msgpack", "--answer", "wreck", extra={**COLOURS, "TERM": "linux"})
    assert "\x1b[30;42m W " in seen
    assert "48;5" not in seen


@pytest.mark.slow
def test_play_and_assist_end_with_a_grid(folder: Path) -> None:
    seen = run_terminal(folder, "assist", *LISTS, typed="cacao=bgbyb\nmamma=ggggg\n")
    assert seen.endswith("\n\na 2/6\n\n⬛🟩⬛🟨⬛\n🟩🟩🟩🟩🟩\n")
    seen = run_terminal(folder, "play", "tree.msgpack", "--contrast", typed="ybbby\ngbbyy\nggggg\n")
    assert "\n\ntwenty 3/6\n\n🟦⬛⬛⬛🟦\n🟧⬛⬛🟦🟦\n🟧🟧🟧🟧🟧\n" in seen


def test_typed_lines_have_a_history(folder: Path) -> None:
    pytest.importorskip("readline")
    for words in (("play", "tree.msgpack"), ("assist", *LISTS)):
        assert run_terminal(folder, *words, typed=":undo\n\x1b[A\n:quit\n").count("nothing to undo") == 2


WIDE = [
    "--help",
    "solve --openers salet,crane --max-guesses 5 {}",
    "verify tree.msgpack",
    "suggest crony=bbbbb {}",
    "debrief karma crony salet karma {}",
    "compare {}",
    "compare --help",
]


@pytest.mark.parametrize("command", WIDE)
def test_nothing_is_wider_than_the_terminal(folder: Path, command: str) -> None:
    done = run(folder, *command.format(" ".join(LISTS)).split())
    assert [line for line in done.out.splitlines() if len(line) > 80] == []
