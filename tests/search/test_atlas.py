"""The atlas of peg games: what docs/reference/peg-games.csv says of the small ones is what is found anew."""

from __future__ import annotations

import csv
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def rows_of(lines: Iterable[str]) -> dict[str, list[str]]:
    """The cells of each row by game, but for the date."""
    return {row[0]: row[1:-1] for row in list(csv.reader(lines))[1:]}


TABLE = rows_of((ROOT / "docs" / "reference" / "peg-games.csv").read_text(encoding="utf-8").splitlines())


def test_small_games_anew() -> None:
    program = ROOT / "benchmarks" / "atlas.py"
    done = subprocess.run([sys.executable, program, "--codes", "30"], capture_output=True, text=True, check=True)
    found = rows_of(done.stdout.splitlines())
    assert len(found) == 22
    assert {name: TABLE.get(name) for name in found} == found
