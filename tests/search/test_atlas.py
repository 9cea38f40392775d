"""The atlas of peg games: what docs/reference/peg-games.csv says of the small ones is what is found anew."""

from __future__ import annotations

import csv
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from optimal.games.presets import preset

ROOT = Path(__file__).resolve().parents[2]


def rows_of(lines: Iterable[str]) -> dict[str, list[str]]:
    """The cells of each row by game, but for the date."""
    return {row[0]: row[1:-1] for row in list(csv.reader(lines))[1:]}


TABLE = rows_of((ROOT / "docs" / "reference" / "peg-games.csv").read_text(encoding="utf-8").splitlines())


def range_of(cell: str) -> tuple[int, int]:
    """The bound and the value in a cell, equal where it is proven."""
    bound, _, value = cell.strip("()").partition(" to ")
    return int(bound), int(value or bound)


def test_small_games_anew() -> None:
    program = ROOT / "benchmarks" / "atlas.py"
    done = subprocess.run([sys.executable, program, "--codes", "30"], capture_output=True, text=True, check=True)
    found = rows_of(done.stdout.splitlines())
    assert len(found) == 22
    assert {name: TABLE.get(name) for name in found} == found


@pytest.mark.parametrize("name", TABLE)
def test_a_row_does_not_contradict_itself(name: str) -> None:
    codes, *cells = TABLE[name]
    assert int(codes) == preset(name).guess_count
    totals = []
    for opener, total, worst, lowest in (cells[:4], cells[4:]):
        assert opener in preset(name).guesses()
        totals.append(range_of(total))
        height, _, within = lowest.partition(": ")
        assert range_of(height)[0] <= range_of(worst)[1]
        if within:
            assert totals[-1][0] <= range_of(within)[1]
            if worst == height and " to " not in total:
                assert within == total
    assert totals[0][0] <= totals[1][1]


@pytest.mark.parametrize("colours", range(5, 12))
def test_the_published_worst_case_of_three_pegs(colours: int) -> None:
    assert TABLE[f"mastermind:3x{colours}"][4].startswith(f"{(colours - 1) // 3 + 4}: ")
