"""docs/reference/commands.md names every field of --json, and every command takes it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from cli_util import ROOT, run, run_json
from trees_util import small_folder

from optimal.cli import COMMANDS

DOCS = ROOT / "docs" / "reference" / "commands.md"
PAGE = DOCS.read_text(encoding="utf-8").split("\n## JSON\n")[1].split("\n## ")[0]
#: Fields that the page explains once.
SHARED = {"status", "stop_reason", "game", "rules", "max_guesses", "answers", "seconds", "nodes"}
LISTS = ("--guesses", "g.txt", "--answers", "a.txt")
#: A run of each command.
RUNS = {
    "games": (),
    "identify": ("car", "--cost-row", "minutes", "--weight-column", "often", "--output", "car.key"),
    "solve": (*LISTS, "--journal", "journal", "--output", "all.msgpack"),
    "rank": (*LISTS, "--top", "3"),
    "suggest": ("salet=bbbyb", "--others", *LISTS),
    "assist": LISTS,
    "debrief": ("salet", "wreck", *LISTS),
    "play": ("tree.msgpack", "--answer", "wreck"),
    "verify": ("tree.msgpack",),
    "certify": ("all.msgpack", *LISTS, "--output", "proof.xz"),
    "check": ("proof.xz",),
    "status": ("journal",),
    "page": ("tree.msgpack", "--output", "own.html"),
    "export": ("tree.msgpack", "--output", "page.html"),
    "plot": ("tree.msgpack", "--output", "plot.svg"),
    "compare": ("--strategies", "entropy", *LISTS),
    "report": ("salet", *LISTS),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_folder(tmp_path_factory.mktemp("commands"))


def fields_told(command: str) -> dict[str, set[str]]:
    """The fields that the page names in the first column, each with what is named beside it."""
    rows = re.findall(r"^\| (`.+?) \| (.*) \|$", PAGE.split(f"\n### {command}\n")[1].split("\n### ")[0], re.MULTILINE)
    return {name: set(re.findall(r"`(\w+)`", inner)) for names, inner in rows for name in re.findall(r"`(\w+)`", names)}


def inner_fields(value: Any) -> set[str]:
    """The names of the fields of a list of objects; none of anything else."""
    return set(value[0]) if isinstance(value, list) and value and isinstance(value[0], dict) else set()


def test_every_command_is_there() -> None:
    assert RUNS.keys() == COMMANDS.keys() == set(re.findall(r"^### (\w+)$", PAGE, re.MULTILINE))


def test_the_fields_of_every_command(folder: Path) -> None:
    for command, words in RUNS.items():
        if command == "plot":
            pytest.importorskip("matplotlib", reason="needs matplotlib, the extra `plot`")
        found = run_json(folder, command, *words)
        told = fields_told(command)
        assert told.keys() <= found.keys() <= told.keys() | SHARED, command
        for name, value in found.items():
            assert inner_fields(value) <= told.get(name, set()), (command, name)


def test_assist_talks_beside_its_json(folder: Path) -> None:
    done = run(folder, "assist", *LISTS, "--json", typed="salet=bbbbb\nquit\n")
    assert done.out.count("\n") == 1
    assert "Type GUESS=FEEDBACK" in done.err
    found = run_json(folder, "assist", *LISTS, typed="salet=bbbbb\n")
    assert found["turns"] == [{"guess": "salet", "feedback": "BBBBB"}]
    assert found["advice"]["position"] == "salet=BBBBB"
    solved = run_json(folder, "assist", *LISTS, typed="wreck=ggggg\n")
    assert (solved["solved"], solved["answer"], solved["advice"]) == (True, "wreck", None)


def test_short_ways_to_a_form(folder: Path) -> None:
    for form in ("json", "csv"):
        assert (
            run(folder, "export", "tree.msgpack", f"--{form}").out
            == run(folder, "export", "tree.msgpack", "--to", form).out
        )


@pytest.mark.parametrize("ending", ["json", "csv", "txt", "htm"])
def test_the_form_of_an_export_by_its_ending(folder: Path, tmp_path: Path, ending: str) -> None:
    out = tmp_path / f"tree.{ending}"
    form = {"txt": "text", "htm": "html"}.get(ending, ending)
    assert run_json(folder, "export", "tree.msgpack", "-o", str(out))["form"] == form
    assert out.read_text(encoding="utf-8") == run(folder, "export", "tree.msgpack", "--to", form).out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("tree.msgpack", "name a form: --to html, json"),
        ("tree.msgpack -o tree.doc", "name a form: --to html, json"),
        ("tree.msgpack --to html --json", "--json and --to html both go to standard output"),
    ],
)
def test_exports_without_a_form(folder: Path, words: str, message: str) -> None:
    done = run(folder, "export", *words.split())
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert message in done.err
