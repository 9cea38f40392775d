"""Published and proven values of real games, from oracles.json: the quick ones are solved here."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from optimal.games.game import Game
from optimal.games.presets import preset
from optimal.games.rules import Rules
from optimal.search.result import Status
from optimal.search.solve import solve


@dataclass(frozen=True)
class Oracle:
    """One row of oracles.json, which says what the fields mean."""

    game: str
    rules: str
    limit: int | None
    objective: str
    openers: tuple[str, ...] | None
    value: tuple[int | None, ...] | None
    status: str
    run: str
    note: str = ""

    @classmethod
    def from_row(cls, row: dict[str, Any]) -> Oracle:
        lists = {name: None if row[name] is None else tuple(row[name]) for name in ("openers", "value")}
        return cls(**{**row, **lists})

    def __str__(self) -> str:
        limit = "none" if self.limit is None else self.limit
        openers = "all" if self.openers is None else ",".join(self.openers)
        return f"{self.game}-{self.rules}-{limit}-{self.objective}-{openers}"


ORACLES = [
    Oracle.from_row(row)
    for row in json.loads(Path(__file__).with_name("oracles.json").read_text(encoding="utf-8"))["rows"]
]


@cache
def game_of(name: str, rules: str) -> Game:
    return Game.preset(name, rules)


def marks_of(oracle: Oracle) -> list[pytest.MarkDecorator]:
    """Of the large games one opener for each kind of rules is quick enough."""
    large = oracle.game.startswith(("classic", "nyt"))
    return [pytest.mark.slow] if large and oracle.openers != ("salet",) else []


@pytest.mark.parametrize(
    "oracle",
    [pytest.param(oracle, id=str(oracle), marks=marks_of(oracle)) for oracle in ORACLES if oracle.run == "test"],
)
def test_known_values(oracle: Oracle) -> None:
    found = solve(
        game_of(oracle.game, oracle.rules),
        objective=oracle.objective,
        max_guesses=oracle.limit,
        openers=oracle.openers,
    )
    if oracle.status == "bound":
        # Somebody has such a tree: a proven value can't be above it.
        if oracle.value is not None and None not in oracle.value:
            assert found.value is None or found.status is not Status.OPTIMAL or found.value <= oracle.value
        return
    if oracle.value is None:
        assert (found.status, found.value) == (Status.INFEASIBLE, None)
        return
    assert found.status is Status.OPTIMAL
    assert found.value is not None
    known = tuple(part if known is None else known for part, known in zip(found.value, oracle.value, strict=True))
    assert found.value == known


def test_rows_make_sense() -> None:
    assert len({str(oracle) for oracle in ORACLES}) == len(ORACLES)
    for oracle in ORACLES:
        known = preset(oracle.game)
        assert Rules(oracle.rules) is not Rules.HARD or known.kind == "words"
        assert oracle.status in ("proven", "bound")
        assert oracle.run in ("test", "benchmark")
        assert oracle.limit is None or oracle.limit > 0
        assert oracle.openers is None or set(oracle.openers) <= set(known.guesses())
        parts = 1 if oracle.objective == "mean" else 2
        assert oracle.value is None or len(oracle.value) == parts
