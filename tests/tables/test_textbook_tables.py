"""The textbook solver of tables against what is known."""

from __future__ import annotations

import pytest
from tables_util import coins, plain, sorting
from textbook_tables import Textbook


@pytest.mark.parametrize(("things", "total", "worst"), [(2, 2, 1), (3, 16, 3), (4, 112, 5)])
def test_sorting_is_as_published(things: int, total: int, worst: int) -> None:
    book = Textbook(sorting(things))
    found, hardest = book.solve(), book.solve(objective="worst")
    assert found is not None
    assert hardest is not None
    assert (found.value, hardest.value) == ((total,), (worst, total))
    assert book.solve(worst - 1) is None


def test_one_of_three_coins_is_odd() -> None:
    found = Textbook(coins(3)).solve(objective="worst")
    assert found is not None
    assert found.value == (2, 12)


def test_two_halving_questions_settle_four_objects() -> None:
    found = Textbook(plain([[0, 0, 1, 1], [0, 1, 0, 1]])).solve()
    assert found is not None
    assert found.value == (8,)
    assert found.plan.question == 0


def test_costs_weights_groups_and_variants_that_coincide() -> None:
    # The second question is cheaper, and settles what weighs most.
    found = Textbook(plain([[0, 1, 2], [0, 1, 1]], weights=[8, 1, 1], costs=[3, 1])).solve()
    assert found is not None
    assert found.value == (16,)
    # The last two needn't be told apart.
    found = Textbook(plain([[0, 1, 2], [0, 1, 1]], weights=[8, 1, 1], costs=[3, 1], groups=[0, 1, 1])).solve()
    assert found is not None
    assert found.value == (10,)
    # Object 0 has two variants, of which one is like object 1: these end together. Of the other it is known what it is.
    book = Textbook(plain([[0, 1, 1], [0, 0, 0]], object_of=[0, 0, 1], groups=[0, 1]))
    assert [book.done(frozenset(pair)) for pair in ((0, 1), (1, 2), (0, 2))] == [False, True, False]
    assert not book.done(book.all)
    found = book.solve()
    assert found is not None
    assert found.value == (3,)


def test_limits_of_questions_and_of_cost() -> None:
    # One dear question tells all; two cheap ones take one more on the way.
    book = Textbook(plain([[0, 1, 2, 3], [0, 1, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1]], costs=[5, 2, 2, 2]))
    found, short, cheap = book.solve(), book.solve(1), book.solve(cost_limit=4)
    assert found is not None
    assert short is not None
    assert cheap is not None
    assert (found.value, found.plan.question) == ((16,), 2)
    assert (short.value, short.plan.question) == ((20,), 0)
    assert (cheap.value, cheap.plan.question) == ((16,), 2)
    assert book.solve(cost_limit=3) is None
    assert book.solve(0) is None


def test_an_opener_asked_for_is_asked_though_it_tells_nothing() -> None:
    book = Textbook(plain([[0, 0, 0], [0, 1, 2]]))
    found = book.solve(openers=[0])
    assert found is not None
    assert (found.value, found.plan.question) == ((6,), 0)
