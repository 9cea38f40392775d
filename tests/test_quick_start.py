"""docs/quick-start.md shows what its commands print; `python tests/test_quick_start.py` writes it anew."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path

import pytest
from cli_util import run

PAGE = Path(__file__).resolve().parent.parent / "docs" / "quick-start.md"
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
#: Lines of output whose figures differ from run to run, or whenever the search is changed.
VARYING = re.compile(r"^( +(?:seconds|nodes) +)[0-9.]+", re.MULTILINE)
WORDS = "fight\nfilmy\nlight\nmight\nnight\nsight\n"


def played(folder: Path, text: str) -> str:
    """The page with the output of each of its commands."""
    (folder / "words.txt").write_text(WORDS, encoding="utf-8")

    def told(block: re.Match[str]) -> str:
        commands = re.findall(r"^\$ optimal (.+)$", block[1], re.MULTILINE)
        return "".join(
            [
                "```console\n",
                *(f"$ optimal {command}\n{run(folder, *command.split()).out}" for command in commands),
                "```",
            ]
        )

    return BLOCK.sub(told, text)


@pytest.mark.slow
def test_the_page_shows_what_is_printed(tmp_path: Path) -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert len(BLOCK.findall(text)) >= 4
    assert VARYING.sub(r"\1-", played(tmp_path, text)) == VARYING.sub(r"\1-", text)


if __name__ == "__main__":
    os.environ["COLUMNS"] = "80"
    with tempfile.TemporaryDirectory() as name:
        PAGE.write_text(played(Path(name), PAGE.read_text(encoding="utf-8")), encoding="utf-8")
