"""What docs say of the tables that ship: the least costs, and the picture of a key."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from optimal.search.identify import identify
from optimal.search.rules_of_thumb import RULES, greedy
from optimal.tables.table import Table

DOCS = Path(__file__).resolve().parents[2] / "docs"
ROWS = list(csv.reader((DOCS / "reference" / "keys.csv").read_text(encoding="utf-8").splitlines()))[1:]
#: Those that take several seconds.
SLOW = ("coins:12", "sorting:6")


def table_of(name: str) -> Table:
    if name == "birds":
        return Table.from_csv(name, cost_row="effort", weight_column="seen", group_column="group")
    if name == "car":
        return Table.from_csv(name, cost_row="minutes", weight_column="often")
    return Table.from_csv(name)


@pytest.mark.parametrize(
    "row", [pytest.param(row, marks=pytest.mark.long if row[0] in SLOW else ()) for row in ROWS], ids=" ".join
)
def test_least_costs(row: list[str]) -> None:
    table = table_of(row[0])
    found, worst = identify(table), identify(table, objective="worst")
    assert found.key is not None
    assert worst.value is not None
    assert {found.status.value, worst.status.value} == {"OPTIMAL"}
    totals = {rule: greedy(table, rule).total for rule in RULES if row[0] not in SLOW or rule == "information"}
    rule = min(totals, key=totals.__getitem__)
    assert row[1:] == [
        str(len(table.objects)),
        str(len(table.questions)),
        str(found.key.total),
        f"{float(found.key.mean):.4f}",
        f"{float(found.key.mean_questions):.4f}",
        str(found.key.worst),
        f"{worst.value[0]}: {worst.value[1]}",
        f"{rule} {totals[rule]}",
    ]


def test_the_picture_of_the_birds() -> None:
    key = identify(table_of("birds")).key
    assert key is not None
    assert key.svg() == (DOCS / "birds.svg").read_text(encoding="utf-8")
