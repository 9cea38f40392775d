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
from samples_util import LONG, PAGES, ROOT, Desk, Section, sections

from optimal.games.feedback import KINDS

SECTIONS = list(sections())
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
