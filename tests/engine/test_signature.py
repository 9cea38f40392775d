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

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "helpers"))

from games_util import dominated_game, letters_game, measured, search_of

from optimal._engine import NO_LIMIT, SMALL, SWITCHES, Search
from optimal.games.game import Game
from optimal.games.rules import Rules
from optimal.search.engine import new_control, tables_of

FILE = Path(__file__).with_name("signature.json")
UPDATE = "python tests/engine/test_signature.py --update"
COUNTERS = ("nodes", "count_calls", "guesses_tried")

Row = dict[str, Any]  # game, rules, opener, limit (null: none), budget, and what they gave: value, COUNTERS, tallies
ROWS: list[Row] = json.loads(FILE.read_text(encoding="utf-8"))
#: Games and rules, each of which has one search for all its rows, in their order.
GROUPS = list(dict.fromkeys((row["game"], Rules(row["rules"])) for row in ROWS))


def rows_of(name: str, rules: Rules) -> list[Row]:
    return [row for row in ROWS if (row["game"], row["rules"]) == (name, rules)]


def search_for(name: str, rules: Rules) -> tuple[Game, Search]:
    """The game of this name, and a search for its rows."""
    if name == "large":  # twelve hundred words, all of which are answers: some guesses leave many together
        game = letters_game("halves", 1200, 1, max_guesses=None)
    elif name == "measured":  # its openers are held against measured supersets
        game = letters_game(name, 1200, 3, max_guesses=None)
        tables = tables_of(game)
        return game, Search(tables, new_control(), measured(game, tables))
    elif name == "tiers":  # two answers of three count ten times as much as the third
        game = letters_game("measured", 1200, 3, max_guesses=None)
        tables, weights = tables_of(game), np.array([10 if n % 3 else 1 for n in range(len(game.answers))])
        return game, Search(tables, new_control(), measured(game, tables), weights=weights)
    else:
        game = dominated_game() if name == "dominated" else Game.preset(name, rules)
    return game, search_of(game)


def measure(game: Game, search: Search, asked: list[Row]) -> list[Row]:
    """The same rows as the search answers them now."""
    found = []
    for row in asked:
        before = [getattr(search, name) for name in COUNTERS]
        tallies = search.tallies
        limit = NO_LIMIT if row["limit"] is None else row["limit"]
        value, _ = search.opener(game.guess_index(row["opener"]), limit, row["budget"])
        work = [getattr(search, name) - start for name, start in zip(COUNTERS, before, strict=True)]
        question = {name: row[name] for name in ("game", "rules", "opener", "limit", "budget")}
        done = {
            name: [now - then for now, then in zip(counts, tallies[name], strict=True)]
            for name, counts in search.tallies.items()
            if counts[0] > tallies[name][0]
        }
        found.append({**question, "value": value, **dict(zip(COUNTERS, work, strict=True)), "tallies": done})
    return found


@pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc",
    reason="guesses that look alike are tried in the order in which the C library's qsort leaves them",
)
@pytest.mark.skipif(SMALL, reason="small thresholds make for other work")
@pytest.mark.parametrize(("name", "rules"), GROUPS)
def test_the_search_does_the_work_that_it_did(name: str, rules: Rules) -> None:
    known = rows_of(name, rules)
    found = measure(*search_for(name, rules), known)
    changes = [
        f"  {name} {rules} {new['opener']} below {new['budget']}: {what} {old[what]} -> {new[what]}"
        for old, new in zip(known, found, strict=True)
        for what in ("value", *COUNTERS, "tallies")
        if old[what] != new[what]
    ]
    told = [
        f"other work than {FILE.name} says:",
        *changes,
        f"if that is meant, run `{UPDATE}` and say why in the change",
    ]
    assert not changes, "\n".join(told)


def test_every_shortcut_has_a_say() -> None:
    """A shortcut that is asked nowhere here could change unseen."""
    settled = {name for row in ROWS for name, counts in row["tallies"].items() if counts[1]}
    assert settled == {name for row in ROWS for name in row["tallies"]} == set(SWITCHES)


def update() -> None:
    rows: list[Row] = []
    for name, rules in GROUPS:
        rows += measure(*search_for(name, rules), rows_of(name, rules))
    FILE.write_text("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] != ["--update"]:
        sys.exit(f"usage: {UPDATE}")
    update()
