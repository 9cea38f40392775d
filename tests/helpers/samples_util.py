"""The samples of README.md and docs/: what somebody would copy from there runs in test_samples.py.

A sample is a fenced block. By its language:

console  commands after `$ `, each with what it prints
sh       commands alone, one a line
pycon    a Python session
python   a program; one that begins with a comment such as `# mine.py` becomes that file

The samples of one section, from a heading `## ...` to the next, run in their order in one folder and with one set of
Python names. A comment in the line before a block tells where it is different:

<!-- long -->            it runs by `pytest -m long`, and stands in the list of benchmarks/README.md
<!-- run by FILE: why -->  it is FILE of this repository that runs it

`python tests/helpers/samples_util.py PAGE...` writes the outputs of a page's commands anew.
"""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cli_util import environment, run

ROOT = Path(__file__).resolve().parents[2]
PAGES = ["README.md", *sorted(str(page.relative_to(ROOT)) for page in ROOT.glob("docs/**/*.md"))]
LANGUAGES = ("console", "sh", "pycon", "python")
LONG = "long"
FENCE = re.compile(
    r"(?:^<!-- (?P<mark>long|run by [^\s:]+)(?:: [^>]+)? -->\n)?"
    r"^```(?P<language>\w+)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
#: What differs from run to run, or whenever the search is changed. The sets searched for a key are held: in one thread
#: they are the same in every run.
VARYING = [
    (re.compile(r"^( +(?:seconds|nodes|time) +)(?!.*\(sets searched\)$)\S.*$", re.MULTILINE), r"\1-"),
    (re.compile(r" +(?:time|[0-9]+\.[0-9] s)$", re.MULTILINE), ""),
]
#: An exit status that is no failure: the best that was found in time is printed.
FEASIBLE = 3


@dataclass(frozen=True)
class Sample:
    """A block of a page: its language and text, and the mark before it."""

    language: str
    text: str
    mark: str = ""

    @property
    def file(self) -> str:
        """The name of the file that a program becomes; "" for one that runs as it is."""
        named = re.match(r"# (\w+\.py)\n", self.text)
        return named[1] if named else ""

    @property
    def commands(self) -> list[tuple[str, str]]:
        """Each command with what it prints; nothing is said of that in blocks of `sh`."""
        if self.language == "sh":
            return [(line, "") for line in self.text.splitlines() if line.strip()]
        parts = re.split(r"^\$ (.+)\n", self.text, flags=re.MULTILINE)
        return list(zip(parts[1::2], parts[2::2], strict=True))


@dataclass(frozen=True)
class Section:
    """A section of a page with the samples in it."""

    page: str
    heading: str
    samples: list[Sample] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.page}: {self.heading}"

    @property
    def quick(self) -> bool:
        return any(not sample.mark for sample in self.samples)

    @property
    def long(self) -> bool:
        return any(sample.mark == LONG for sample in self.samples)


def samples_of(text: str) -> list[Sample]:
    """The samples of a text, in their order."""
    return [
        Sample(block["language"], block["text"], block["mark"] or "")
        for block in FENCE.finditer(text)
        if block["language"] in LANGUAGES
    ]


def sections(pages: Sequence[str] = PAGES) -> Iterator[Section]:
    """The sections of the pages that have samples."""
    for page in pages:
        parts = re.split(r"^## (.+)\n", (ROOT / page).read_text(encoding="utf-8"), flags=re.MULTILINE)
        for heading, text in zip(["", *parts[1::2]], parts[::2], strict=True):
            if samples := samples_of(text):
                yield Section(page, heading, samples)


def steady(output: str) -> str:
    """An output without what varies."""
    for pattern, to in VARYING:
        output = pattern.sub(to, output)
    return output


class Desk:
    """A folder and a set of Python names, in which the samples of a section run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: dict[str, object] = {}

    def output_of(self, command: str) -> str:
        """What a command prints. AssertionError where it fails."""
        program, _, most = command.partition(" | head -")
        # Another section may have a file of the same name, and a process loads but one of them.
        apart = set(program) & set("|<>&;$`*") or ".py" in program
        if program.startswith("optimal ") and not apart:
            done = run(self.folder, *shlex.split(program, comments=True)[1:])
            status, out, err = done.status, done.out, done.err
            out = "".join(out.splitlines(keepends=True)[: int(most)]) if most else out
        else:
            shell = subprocess.run(
                ["bash", "-c", f'optimal() {{ "{sys.executable}" -m optimal "$@"; }}; {command}'],
                cwd=self.folder,
                env=environment(),
                capture_output=True,
                text=True,
            )
            status, out, err = shell.returncode, shell.stdout, shell.stderr
        assert status in (0, FEASIBLE), f"{command}: {err}{out}"
        return str(out)

    def run(self, sample: Sample, page: str) -> None:
        """Run one sample. AssertionError where it does something else than the page says."""
        if sample.language == "pycon":
            self._session(sample.text, page)
        elif sample.language == "python":
            self._program(sample)
        else:
            for command, shown in sample.commands:
                out = self.output_of(command)
                assert sample.language == "sh" or steady(out).rstrip("\n") == steady(shown).rstrip("\n"), command

    def _session(self, text: str, page: str) -> None:
        test = doctest.DocTestParser().get_doctest(text, {}, page, page, 0)
        test.globs = self.names
        told: list[str] = []
        doctest.DocTestRunner(verbose=False).run(test, out=told.append, clear_globs=False)
        assert not told, "".join(told)

    def _program(self, sample: Sample) -> None:
        if sample.file:
            (self.folder / sample.file).write_text(sample.text, encoding="utf-8")
        else:
            exec(compile(sample.text, "a sample", "exec"), self.names)


def rewritten(text: str) -> str:
    """A page with the outputs of all its commands as they are now."""

    def anew(block: re.Match[str]) -> str:
        sample = Sample(block["language"], block["text"])
        if sample.language not in LANGUAGES or block["mark"]:
            return block[0]
        if sample.language != "console":
            if sample.language == "python":
                desk.run(sample, "")
            return block[0]
        told = "".join(f"$ {command}\n{desk.output_of(command)}" for command, _ in sample.commands)
        return f"{block[0][: block.start('text') - block.start()]}{told}```"

    parts = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    for number, part in enumerate(parts):
        with tempfile.TemporaryDirectory() as folder:
            desk = Desk(Path(folder))
            parts[number] = FENCE.sub(anew, part)
    return "".join(parts)


if __name__ == "__main__":
    os.environ["COLUMNS"] = "80"
    for name in sys.argv[1:]:
        Path(name).write_text(rewritten(Path(name).read_text(encoding="utf-8")), encoding="utf-8")
