"""The README says what the program does: its Python examples and its session are run here."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

from optimal.cli import DONE, main

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
#: Lines of output whose figures differ from run to run, or whenever the search is changed.
VARYING = re.compile(r"^( +(?:seconds|nodes) +)\S+", re.MULTILINE)


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


@pytest.mark.slow
def test_python_examples() -> None:
    # All blocks as one session: the later ones use names of the first.
    examples = "\n".join(blocks("pycon"))
    test = doctest.DocTestParser().get_doctest(examples, {}, "README.md", "README.md", 0)
    assert len(test.examples) >= 10
    told: list[str] = []
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(test, out=told.append)
    assert not runner.failures, "".join(told)


@pytest.mark.slow
def test_python_examples_pass_a_type_checker(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    examples = doctest.DocTestParser().get_examples("\n".join(blocks("pycon")))
    script = tmp_path / "readme.py"
    script.write_text("".join(example.source for example in examples), encoding="utf-8")
    # From the folder of the package: that is where it looks for `optimal`, and for what was checked before.
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", str(script)], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def session() -> list[tuple[str, str]]:
    """The commands that are shown, each with its output."""
    parts = re.split(r"^\$ (.+)\n", "".join(blocks("console")), flags=re.MULTILINE)
    return list(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.slow
def test_the_session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    shown = session()
    commands = ["solve", "verify", "play", "export", "suggest", "rank", "debrief", "solve", "play"]
    assert [command.split()[1] for command, _ in shown] == commands
    for command, expected in shown:
        program, _, pipe = command.partition(" | head -")
        assert main(program.split()[1:]) == DONE
        lines = capsys.readouterr().out.splitlines(keepends=True)
        out = "".join(lines[: int(pipe)] if pipe else lines)
        assert VARYING.sub(r"\1-", out) == VARYING.sub(r"\1-", expected), command


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\((?!https?:)([^)#]+)\)", README))))
def test_links_lead_somewhere(link: str) -> None:
    assert (ROOT / link).exists()


@pytest.mark.parametrize("name", ["results", "comparison"])
def test_tables_have_their_marks(name: str) -> None:
    assert README.count(f"<!-- {name} -->\n|") == README.count(f"|\n<!-- /{name} -->") == 1
