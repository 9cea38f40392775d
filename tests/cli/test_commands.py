"""What a command prints with --json, and the forms of exports."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_util import run, run_json
from trees_util import small_folder

LISTS = ("--guesses", "g.txt", "--answers", "a.txt")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_folder(tmp_path_factory.mktemp("commands"))


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
