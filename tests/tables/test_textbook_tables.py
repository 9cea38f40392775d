"""The textbook solver of tables against what is known."""

from __future__ import annotations

from typing import Any

import pytest
from tables_util import Plain, coins, plain, sorting
from textbook_tables import Textbook


def value_of(parts: Plain, **question: Any) -> tuple[tuple[int, ...], int] | None:
    """The least value, and the first question."""
    found = Textbook(parts).solve(**question)
    return None if found is None else (found.value, found.plan.question)


@pytest.mark.parametrize(("things", "total", "worst"), [(2, 2, 1), (3, 16, 3), (4, 112, 5)])
def test_sorting_is_as_published(things: int, total: int, worst: int) -> None:
    table = sorting(things)
    assert value_of(table) == ((total,), 0)
    assert value_of(table, objective="worst") == ((worst, total), 0)
    assert value_of(table, limit=worst - 1) is None


def test_one_of_three_coins_is_odd() -> None:
    assert value_of(coins(3), objective="worst") == ((2, 12), 0)


def test_two_halving_questions_settle_four_objects() -> None:
    assert value_of(plain([[0, 0, 1, 1], [0, 1, 0, 1]])) == ((8,), 0)


def test_costs_weights_groups_and_variants_that_coincide() -> None:
    # The second question is cheaper, and settles what weighs most.
    codes, weights, costs = [[0, 1, 2], [0, 1, 1]], [8, 1, 1], [3, 1]
    assert value_of(plain(codes, weights=weights, costs=costs)) == ((16,), 1)
    # The last two needn't be told apart.
    assert value_of(plain(codes, weights=weights, costs=costs, groups=[0, 1, 1])) == ((10,), 1)
    # Object 0 has two variants, of which one is like object 1: these end together. Of the other it is known what it is.
    parts = plain([[0, 1, 1], [0, 0, 0]], object_of=[0, 0, 1], groups=[0, 1])
    book = Textbook(parts)
    assert [book.done(frozenset(pair)) for pair in ((0, 1), (1, 2), (0, 2))] == [False, True, False]
    assert not book.done(book.all)
    assert value_of(parts) == ((3,), 0)


def test_limits_of_questions_and_of_cost() -> None:
    # One dear question tells all; two cheap ones take one more on the way.
    parts = plain([[0, 1, 2, 3], [0, 1, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1]], costs=[5, 2, 2, 2])
    assert value_of(parts) == value_of(parts, cost_limit=4) == ((16,), 2)
    assert value_of(parts, limit=1) == ((20,), 0)
    assert value_of(parts, cost_limit=3) is None
    assert value_of(parts, limit=0) is None


def test_an_opener_asked_for_is_asked_though_it_tells_nothing() -> None:
    assert value_of(plain([[0, 0, 0], [0, 1, 2]]), openers=[0]) == ((6,), 0)
