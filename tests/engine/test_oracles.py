"""Published and proven values of real games, from oracles.json: the quick ones are solved here."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from optimal.games.game import Game
from optimal.search.result import Status
from optimal.search.solve import solve

Oracle = dict[str, Any]
ORACLES: list[Oracle] = json.loads(Path(__file__).with_name("oracles.json").read_text(encoding="utf-8"))["rows"]

game_of = cache(Game.preset)


def name_of(oracle: Oracle) -> str:
    openers = "all" if oracle["openers"] is None else ",".join(oracle["openers"])
    return f"{oracle['game']}-{oracle['rules']}-{oracle['limit'] or 'none'}-{oracle['objective']}-{openers}"


def marks_of(oracle: Oracle) -> list[pytest.MarkDecorator]:
    """Of the large games one opener for each kind of rules is quick enough."""
    large = oracle["game"].startswith(("classic", "nyt"))
    return [pytest.mark.slow] if large and oracle["openers"] != ["salet"] else []


@pytest.mark.parametrize("oracle", [pytest.param(row, id=name_of(row), marks=marks_of(row)) for row in ORACLES])
def test_known_values(oracle: Oracle) -> None:
    found = solve(
        game_of(oracle["game"], oracle["rules"]),
        objective=oracle["objective"],
        limit=oracle["limit"],
        first=oracle["openers"],
    )
    value = oracle["value"]
    if oracle["status"] == "bound":
        # Somebody has such a tree: a proven value can't be above it.
        if value is not None and None not in value:
            assert found.value is None or found.status is not Status.OPTIMAL or found.value <= tuple(value)
        return
    assert found.status is (Status.INFEASIBLE if value is None else Status.OPTIMAL)
    told = zip(found.value or (), value or (), strict=True)
    assert all(known in (part, None) for part, known in told), found.value


def test_rows_differ() -> None:
    assert len(set(map(name_of, ORACLES))) == len(ORACLES)
