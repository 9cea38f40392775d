"""README.md and docs/ say what the program does: their samples run here, their links lead somewhere."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from unittest import mock

import pytest
from cli_util import run
from samples_util import FENCE, LANGUAGES, LONG, PAGES, ROOT, Desk, Section, sections

from optimal.games.feedback import KINDS

SECTIONS = list(sections())
BENCHMARKS = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
#: What stands between backquotes, and is a command that can be tried.
INLINE = re.compile(r"`optimal ([a-z]+)((?: [^`]*)?)`")


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("section", [one for one in SECTIONS if one.quick], ids=str)
def test_samples(tmp_path: Path, section: Section) -> None:
    desk = Desk(tmp_path)
    with mock.patch.dict(KINDS):  # that of a sample stays there
        for sample in section.samples:
            if not sample.mark:
                desk.run(sample, str(section))


@pytest.mark.long
@pytest.mark.parametrize("section", [one for one in SECTIONS if one.long], ids=str)
def test_long_samples(tmp_path: Path, section: Section) -> None:
    desk = Desk(tmp_path)
    for sample in section.samples:
        if sample.mark == LONG:
            desk.run(sample, str(section))


def test_long_samples_are_listed() -> None:
    table = BENCHMARKS.split("\n## Long samples of the documentation\n")[1].split("\n## ")[0]
    listed = re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE)
    long = [sample for section in SECTIONS for sample in section.samples if sample.mark == LONG]
    assert listed == [command for sample in long for command, _ in sample.commands]


def test_the_table_of_benchmarks_has_every_row() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "benchmarks" / "run.py", "--list"], capture_output=True, text=True, check=True
    )
    _, table, _ = re.split(r"^<!-- /?results -->$", BENCHMARKS, flags=re.MULTILINE)
    listed = re.findall(r"^\| (\S+) \| `(.+?)` \|", table, re.MULTILINE)
    assert listed == re.findall(r"^(\S+) .* optimal (.+)$", done.stdout, re.MULTILINE)


def test_samples_that_others_run() -> None:
    others = {sample.mark.removeprefix("run by ") for one in SECTIONS for sample in one.samples} - {"", LONG}
    assert others == {".ci/run", "tests/search/test_cluster.py", "tests/trees/test_trees.py", "tools/fresh.sh"}
    assert all((ROOT / name).is_file() for name in others)


@pytest.mark.parametrize("page", PAGES)
def test_every_command_is_a_sample(page: str) -> None:
    """None stands in an indented block, or in a block of another language, where it would not run."""
    rest = FENCE.sub(lambda block: "" if block["language"] in LANGUAGES else block["text"], text_of(page))
    assert re.findall(r"^(?: {4}| *\$ )(?:optimal [a-z]|pip |python3? |dask ).*", rest, re.MULTILINE) == []


@pytest.mark.parametrize("page", PAGES)
def test_commands_in_sentences(page: str) -> None:
    """What is written as `optimal COMMAND --option` has that command and those options."""
    for command, words in INLINE.findall(text_of(page)):
        if command == "help":
            continue
        told = help_of(command)
        for option in re.findall(r"(?<!\S)--?[a-z][a-z-]*", words):
            assert re.search(rf"(?<![\w-]){option}\b", told), f"optimal {command}{words}"


@cache
def help_of(command: str) -> str:
    done = run(ROOT, command, "--help")
    assert done.status == 0, done.err
    return str(done.out)


@pytest.mark.slow
def test_python_samples_pass_a_type_checker(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    scripts = []
    for number, section in enumerate(SECTIONS):
        source = ""
        for sample in section.samples:
            if sample.language == "pycon":
                source += "".join(example.source for example in doctest.DocTestParser().get_examples(sample.text))
            elif sample.language == "python" and not sample.file:
                source += sample.text
        if source:
            scripts.append(tmp_path / f"sample_{number}.py")
            scripts[-1].write_text(source, encoding="utf-8")
    # From the folder of the package: that is where it looks for `optimal`, and for what was checked before.
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", *map(str, scripts)], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)", text_of(page))
    assert [link for link in links if not ((ROOT / page).parent / link).exists()] == []
