"""The signature of the search: how much work it does on fixed questions, one job, no clock.

A change that is meant to alter nothing but speed must leave these numbers alone; one that alters the search shows
here by how much. Run this file with --update to take the new numbers over, and say in the change why they moved.
"""

from __future__ import annotations

import json
import platform
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from optimal import _openers, _search
from optimal.games.game import Game
from optimal.games.rules import Rules
from optimal.search.engine import tables_of

FILE = Path(__file__).with_name("signature.json")
UPDATE = "python tests/test_signature.py --update"
LIMIT = 6
COUNTERS = ("nodes", "count_calls", "guesses_tried")

Row = dict[str, Any]  # rules, opener, budget, and what they gave: value and the COUNTERS


def rows_of(rules: Rules) -> list[Row]:
    return [row for row in json.loads(FILE.read_text(encoding="utf-8")) if row["rules"] == rules]


def measure(rules: Rules, asked: list[Row]) -> list[Row]:
    """The same rows as the search answers them now: one search for all, in their order, without supersets."""
    game = Game.preset("classic", rules)
    search = _openers.OpenerSearch(tables_of(game), _search.Control(np.zeros(2, np.int64)))
    found = []
    for row in asked:
        before = [getattr(search, name) for name in COUNTERS]
        value, _ = search.opener(game.guess_index(row["opener"]), LIMIT, row["budget"])
        work = [getattr(search, name) - start for name, start in zip(COUNTERS, before, strict=True)]
        question = {name: row[name] for name in ("rules", "opener", "budget")}
        found.append({**question, "value": value, **dict(zip(COUNTERS, work, strict=True))})
    return found


@pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc",
    reason="guesses that look alike are tried in the order in which the C library's qsort leaves them",
)
@pytest.mark.parametrize("rules", Rules)
def test_the_search_does_the_work_that_it_did(rules: Rules) -> None:
    known = rows_of(rules)
    found = measure(rules, known)
    changes = [
        f"  {rules} {new['opener']} below {new['budget']}: {name} {old[name]} -> {new[name]}"
        for old, new in zip(known, found, strict=True)
        for name in ("value", *COUNTERS)
        if old[name] != new[name]
    ]
    nodes = [sum(row["nodes"] for row in rows) for rows in (known, found)]
    assert not changes, "\n".join(
        [
            f"the search does other work than {FILE.name} says, {nodes[0]} -> {nodes[1]} nodes under {rules} rules:",
            *changes,
            f"if that is meant, run `{UPDATE}` and say why in the change",
        ]
    )


def test_values_below_the_budget_are_the_known_ones() -> None:
    oracles = json.loads(FILE.with_name("oracles.json").read_text(encoding="utf-8"))["rows"]
    totals = {
        (row["rules"], row["openers"][0]): row["value"]
        for row in oracles
        if (row["game"], row["limit"], row["objective"]) == ("classic", LIMIT, "mean") and row["openers"]
    }
    known = [row for rules in Rules for row in rows_of(rules)]
    settled = [row for row in known if row["value"] < row["budget"] and (row["rules"], row["opener"]) in totals]
    assert len(settled) >= 8
    assert all(totals[row["rules"], row["opener"]] == [row["value"]] for row in settled)


def update() -> None:
    rows = [row for rules in Rules for row in measure(rules, rows_of(rules))]
    FILE.write_text("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] != ["--update"]:
        sys.exit(f"usage: {UPDATE}")
    update()
