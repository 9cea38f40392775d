"""Every shipped tree verifies, and the classic game is solved to proof from start to end."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from optimal import __version__
from optimal.games.resources import tree_file, tree_names
from optimal.trees.file import read_tree, to_bytes
from optimal.trees.verify import verify_tree

#: Proven totals of the shipped trees: see ORACLES in tests/engine/oracles.json for where they are known from.
TOTALS = {
    "classic-normal": 7920,
    "classic-normal-worst": 7920,
    "classic-hard": 8122,
    "classic-hard-within5": 8206,
    "classic-ultra-hard": 8125,
    "classic-answers-normal": 7973,
    "classic-answers-ultra-hard": 8227,
    "nyt2022-normal": 7883,
    "nyt2022-hard": 8097,
    "nyt2022-ultra-hard": 8101,
    "nyt2023-normal": 11219,
    "nyt2023-normal-worst": 11237,
    "nyt2023-hard": 11627,
    "nyt2023-ultra-hard": 11663,
    "classic-all-normal": 52762,
    "mastermind-normal": 5625,
    "mastermind-4x7-normal": 11228,
    "bulls-and-cows-normal": 26274,
}


def test_the_shipped_trees_are_these() -> None:
    assert sorted(Path(name).stem for name in tree_names()) == sorted(TOTALS)


@pytest.mark.parametrize("name", sorted(TOTALS))
def test_a_shipped_tree_verifies(name: str) -> None:
    file = tree_file(f"{name}.msgpack")
    tree = read_tree(file)
    assert to_bytes(tree) == file.read_bytes()
    verification = verify_tree(tree)
    assert verification.problems == []
    assert verification.ok
    assert verification.notes == []
    assert (verification.total, tree.status, tree.openers) == (TOTALS[name], "OPTIMAL", None)


@pytest.mark.slow
def test_the_main_job(tmp_path: Path) -> None:
    """The README's first command: all 12972 openers, proven; the tree is the shipped one, but for the version."""
    output = tmp_path / "classic.msgpack"
    command = [sys.executable, "-m", "optimal", "solve", "classic", "--jobs", "2", "--json", "--output", str(output)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    result = json.loads(done.stdout)
    assert (result["status"], result["total"], result["opener"], result["bound"]) == ("OPTIMAL", 7920, "salet", [7920])
    assert (result["openers"], result["openers_refuted"]) == (12972, 12971)
    shipped, found = (read_tree(path) for path in (tree_file("classic-normal.msgpack"), output))
    assert (shipped.program, found.program) == ("optimal 0.1.0", f"optimal {__version__}")
    assert to_bytes(replace(found, program=shipped.program)) == tree_file("classic-normal.msgpack").read_bytes()
    checked = subprocess.run(
        [sys.executable, "-m", "optimal", "verify", str(output), "--json"], capture_output=True, text=True, check=True
    )
    assert json.loads(checked.stdout)["total"] == 7920
