"""What so many answers cost at least, by their number alone (depths.h), held against a plain twin and exact values."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from games_util import letters_game, search_of
from patience import SOON

from optimal._engine import NO_LIMIT, SMALL, SWITCHES, GameTables
from optimal.games.game import Game
from optimal.games.rules import Rules
from optimal.games.weights import Weights
from optimal.search.engine import tables_of
from optimal.search.result import Status
from optimal.search.solve import solve

#: Guesses left, as far as they have layers of their own, and no limit.
LIMITS = (*range(1, 8), NO_LIMIT)

Sizes = tuple[int, ...]  # of a guess's classes, the winning one left out, falling


def split_most(game: Game) -> int:
    """No guess makes more classes, a possible answer counting one more."""
    return max(len(np.unique(row)) for row in game.matrix) + 1


def capacities(game: Game) -> set[Sizes]:
    """The sizes of the classes of every guess on all answers."""
    found = set()
    for row in game.matrix:
        sizes = Counter(row.tolist())
        del sizes[game.winning_code]
        found.add(tuple(sorted(sizes.values(), reverse=True)))
    return found


def hull(values: list[int | None]) -> list[Fraction]:
    """The greatest convex function that is nowhere above these values, as far as there are any."""
    known = [(n, value) for n, value in enumerate(values) if value is not None]
    corners = known[:1]
    while corners[-1] != known[-1]:
        n, value = corners[-1]
        corners.append(min(known[n + 1 :], key=lambda to: (Fraction(to[1] - value, to[0] - n), -to[0])))
    out = [Fraction(corners[0][1])]
    for (n, value), (to, there) in pairwise(corners):
        out += [value + Fraction(there - value, to - n) * step for step in range(1, to - n + 1)]
    return out


def splits(convex: list[Fraction], sizes: Sizes, parts: int, most: int) -> list[int | None]:
    """The least sums over 0 .. most answers in so many parts, each no larger than its capacity: the next answer goes
    where it costs least. Rounded up, since values are whole numbers."""
    held = [0] * max(0, min(parts, len(sizes)))
    total = Fraction(0)
    out: list[int | None] = [0]
    for _ in range(most):
        room = [
            (convex[now + 1] - convex[now], i) for i, now in enumerate(held) if now < sizes[i] and now + 1 < len(convex)
        ]
        if not room:
            break
        more, i = min(room)
        held[i] += 1
        total += more
        out.append(-(-total.numerator // total.denominator))
    return out + [None] * (most + 1 - len(out))


def layer(before: list[int | None], patterns: set[Sizes], classes: int) -> list[int | None]:
    """The same with one guess more, by the formula of depths.h."""
    most = len(before) - 1
    convex = hull(before)
    inside = [splits(convex, sizes, classes - 2, most) for sizes in patterns]
    outside = [splits(convex, sizes, classes, most) for sizes in patterns]
    out: list[int | None] = [0, 1]
    for n in range(2, most + 1):
        sums = [split[n - 1] for split in inside] + [split[n] for split in outside]
        out.append(min((n + found for found in sums if found is not None), default=None))
    return out


def plain_totals(patterns: set[Sizes], classes: int, most: int) -> dict[int, list[int | None]]:
    """The twin of the table: by the guesses left, what 0 .. most answers cost at least."""
    found: dict[int, list[int | None]] = {1: [0, 1] + [None] * (most - 1)}
    for left in range(2, 8):
        found[left] = layer(found[left - 1], patterns, classes)
    last = found[7]
    while (more := layer(last, patterns, classes)) != last:
        last = more
    found[NO_LIMIT] = last
    return found


def as_list(totals: np.ndarray) -> list[int | None]:
    return [None if total < 0 else int(total) for total in totals]


@pytest.mark.parametrize(
    "name", ["mastermind:2x4", "mastermind:3x3", "mastermind:4x2", "mastermind:2x7", "bulls-and-cows:2x10"]
)
def test_the_table_says_what_its_formula_says(name: str) -> None:
    game = Game.preset(name)
    tables = tables_of(game)
    for classes in range(3, split_most(game) + 1):
        plain = plain_totals(capacities(game), classes, len(game.answers))
        for left in LIMITS:
            assert as_list(tables.least_totals(classes, left)) == plain[left], (classes, left)


def test_without_known_maps_there_are_no_capacities() -> None:
    tables = tables_of(letters_game("even", 60, 1))
    most = len(tables.least_totals(5, 3)) - 1
    plain = plain_totals({(most,) * most}, 5, most)
    for left in LIMITS:
        assert as_list(tables.least_totals(5, left)) == plain[left]


def test_no_class_is_larger_than_its_capacity() -> None:
    """On any set the classes of a guess, in order of size, are no larger than on all answers."""
    rng = random.Random(5)
    game = Game.preset("mastermind:3x4")
    for _ in range(300):
        row = game.matrix[rng.randrange(len(game.guesses))].tolist()
        some = rng.sample(row, rng.randint(1, len(row)))
        whole, part = (sorted(Counter(codes).values(), reverse=True) for codes in (row, some))
        assert all(x <= y for x, y in zip(part, whole, strict=False))


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("mastermind:2x9", 9),
        ("mastermind:3x4", 9),
        ("mastermind:3x5", 20),
        ("mastermind:4x3", 9),
        ("mastermind:4x4", 60),
    ],
)
def test_no_total_of_any_class_is_below_its_bound(name: str, asked: int) -> None:
    """Exact values of whole games and of classes after one and two guesses, found without this bound."""
    rng = random.Random(name)
    game = Game.preset(name)
    tables = tables_of(game)
    classes = split_most(game)
    checked = 0
    if SMALL and classes > 10:
        pytest.skip("not tabulated")
    for _ in range(asked):
        history: tuple[tuple[int, int], ...] = ()
        here = np.arange(len(game.answers))
        for _ in range(rng.choice((0, 0, 1))):
            guess = rng.randrange(len(game.guesses))
            code = int(game.matrix[guess, rng.choice(here)])
            here = here[game.matrix[guess, here] == code]
            history += ((guess, code),)
        if len(here) < 3:
            continue
        search = search_of(game, SWITCHES["depths"], history)
        guess = rng.randrange(len(game.guesses))
        for limit in (3, 4, 5, NO_LIMIT):
            bounds = tables.least_totals(classes, limit)
            for code, n in Counter(game.matrix[guess, here].tolist()).items():
                if code == game.winning_code:
                    continue
                value = search.class_value(guess, code, limit + 1 if limit < NO_LIMIT else NO_LIMIT, 1 << 62)
                bound = int(bounds[n])
                assert value >= (1 << 62 if bound < 0 else bound)
                checked += bound > 2 * n
    assert checked


def right_or_wrong(size: int) -> Game:
    """Feedback says no more than whether the guess is right."""
    return Game.from_matrix(1 - np.eye(size, dtype=np.uint8), 0)


def asked_of(size: int) -> list[tuple[str, Weights | None]]:
    """Objectives and weights of so many answers under which a guess costs something else than 1 an answer."""
    odd, even = Weights("file", tuple(range(size))), Weights("file", (3,) * size)
    return [("within:2", None), ("within:15", None), ("within:3", even), ("mean", even), ("mean", odd)]


@pytest.mark.parametrize("without", [(), ("depths",)])
def test_many_answers_that_nothing_parts_have_no_tree_whatever_guesses_cost(without: tuple[str, ...]) -> None:
    """Without a limit they would be searched for a long time: there are 24! ways to go through them."""
    for objective, weights in asked_of(24):
        options: dict[str, Any] = {"objective": objective, "weights": weights, "without": frozenset(without)}
        found = solve(right_or_wrong(24), max_guesses=4, time_limit=SOON, **options)
        assert found.status is Status.INFEASIBLE, (objective, weights)
        assert without or found.nodes < 100


@pytest.mark.parametrize("size", range(3, 10))
def test_a_tree_that_just_keeps_to_the_limit_is_found_whatever_guesses_cost(size: int) -> None:
    for game in (right_or_wrong(size), Game.preset(f"mastermind:1x{size}")):
        for objective, weights in asked_of(size):
            for limit in (size - 1, size, None):
                found = solve(game, objective=objective, weights=weights, max_guesses=limit)
                assert found.status is (Status.INFEASIBLE if limit == size - 1 else Status.OPTIMAL)
                assert found.tree is None or found.tree.worst == size


@pytest.mark.parametrize("rules", [Rules.NORMAL, Rules.ULTRA_HARD])
@pytest.mark.parametrize("limit", [None, 4, 5, 6])
@pytest.mark.parametrize("name", ["mastermind:3x5", "mastermind:2x9", "mastermind:4x4", "bulls-and-cows:2x10"])
def test_totals_are_the_same_without_the_table(name: str, limit: int | None, rules: Rules) -> None:
    game = Game.preset(name, rules)
    found, plain = (solve(game, max_guesses=limit, without=off) for off in (frozenset(), frozenset({"depths"})))
    assert (found.status, found.value, found.tree) == (plain.status, plain.value, plain.tree)


@pytest.mark.skipif(SMALL, reason="small tables")
@pytest.mark.parametrize(
    ("name", "classes", "total"),
    [("mastermind:3x5", 10, 431), ("mastermind:4x6", 15, 5241), ("mastermind:5x6", 21, 34503)],
)
def test_the_table_holds_all_codes(name: str, classes: int, total: int) -> None:
    game = Game.preset(name)
    tables = tables_of(game)
    totals = tables.least_totals(classes, NO_LIMIT)
    assert (len(totals), totals[-1]) == (len(game.answers) + 1, total)


def test_what_is_not_tabulated_is_refused() -> None:
    tables: GameTables = tables_of(Game.preset("mastermind:2x3"))
    for classes, left in ((-1, 1), (1000, 1), (3, 0)):
        with pytest.raises(IndexError, match=r"classes are 0 \.\. "):
            tables.least_totals(classes, left)
