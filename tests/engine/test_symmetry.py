"""Guesses of peg games that are alike at a position: worth the same, and as many as there can be."""

from __future__ import annotations

import random
from itertools import permutations

import numpy as np
import pytest
from games_util import play_tree

from optimal._engine import INFEASIBLE, NO_LIMIT, SMALL, Search, Team
from optimal.advice.analysis import analyse
from optimal.games.feedback import BullsFeedback, PegFeedback
from optimal.games.game import Game
from optimal.search import symmetry
from optimal.search.engine import new_control, tables_of
from optimal.search.symmetry import representatives


def by_definition(past: list[str], guesses: tuple[str, ...], symbols: str) -> dict[int, int]:
    """The first of the guesses that some order of places and some renaming, which keep the past, map to each."""
    found: dict[int, int] = {}
    for order in permutations(range(len(guesses[0]))):
        for names in permutations(symbols):
            to = str.maketrans(symbols, "".join(names))
            moved = [["".join(word[i] for i in order).translate(to) for word in words] for words in (past, guesses)]
            if moved[0] == past:
                for number, guess in enumerate(moved[1]):
                    image = guesses.index(guess)
                    found[image] = min(found.get(image, number), number)
    return found


@pytest.mark.parametrize(
    ("guesses", "symbols"),
    [
        (PegFeedback(2, 3).all_guesses(), "123"),
        (PegFeedback(3, 4).all_guesses(), "1234"),
        (BullsFeedback(3, 4).all_guesses(), "0123"),
    ],
)
def test_representatives_are_those_of_the_definition(guesses: tuple[str, ...], symbols: str) -> None:
    rng = random.Random(f"symmetry {symbols}")
    for count in (0, 1, 1, 2, 2, 3):
        past = rng.sample(guesses, count)
        assert representatives(past, guesses) == by_definition(past, guesses, symbols), past


def test_bulls_and_cows_after_one_guess() -> None:
    guesses = BullsFeedback(4).all_guesses()
    assert len(set(representatives(["0123"], guesses).values())) == 20
    assert len(set(representatives(["0123", "4567"], guesses).values())) < len(guesses) / 20


@pytest.mark.parametrize(
    ("game", "position"),
    [
        ("mastermind:3x4", "112=1,0"),
        ("mastermind:3x4", "112=0,1 334=0,1"),
        ("mastermind:2x6", "12=0,0"),
        ("mastermind:4x3", "1123=1,2"),
        ("bulls-and-cows:3x6", "012=0,2"),
        ("bulls-and-cows:4x4", "0123=1,3"),
        ("black-pegs:3x4", "112=1"),
        ("black-pegs:3x4", "112=0 334=1"),
    ],
)
def test_they_change_no_advice(game: str, position: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pegs = Game.preset(game)
    found = analyse(pegs, position, top=3)
    monkeypatch.setattr(
        "optimal.advice.valuation.representatives", lambda past, guesses: {i: i for i in range(len(guesses))}
    )
    assert analyse(pegs, position, top=3) == found


def test_with_less_symmetry_used_no_two_are_joined_wrongly(monkeypatch: pytest.MonkeyPatch) -> None:
    guesses = PegFeedback(3, 4).all_guesses()
    every = representatives(["123"], guesses)
    monkeypatch.setattr(symmetry, "MOST_FORMS", 2 * len(guesses))
    some = representatives(["123"], guesses)
    assert len(set(every.values())) < len(set(some.values())) < len(guesses)
    assert all(every[guess] == every[like] for guess, like in some.items())


def moved(game: Game, steps: list[tuple[int, int]], places: list[int], names: str) -> list[tuple[int, int]]:
    """Hints as a map of the game carries them: place i goes where places[i] was, symbol i is called names[i]."""
    called = dict(zip(sorted(set("".join(game.guesses))), names, strict=True))
    return [
        (game.guess_index("".join(called[game.guesses[guess][place]] for place in places)), code)
        for guess, code in steps
    ]


@pytest.mark.parametrize("name", ["mastermind:4x6", "mastermind:3x7", "bulls-and-cows:4x7"])
def test_positions_that_a_map_carries_into_each_other_are_searched_once(name: str) -> None:
    """Two or three hints, then the same hints in another order, with places and symbols changed."""
    rng = random.Random(name)
    game = Game.preset(name).with_rules("normal", None)
    tables = tables_of(game)
    matrix = np.asarray(game.matrix)
    symbols = sorted(set("".join(game.guesses)))
    length = len(game.guesses[0])
    found = 0
    for _ in range(60):
        team = Team()
        answer = rng.randrange(len(game.answers))
        guesses = rng.sample(range(len(game.guesses)), rng.choice((2, 2, 3)))
        steps = [(guess, int(matrix[guess, answer])) for guess in guesses]
        left = [a for a in range(len(game.answers)) if all(matrix[guess, a] == code for guess, code in steps)]
        if any(code == game.winning_code for _, code in steps) or not 8 <= len(left) <= 60:
            continue
        found += 1
        other = moved(game, steps, rng.sample(range(length), length), "".join(rng.sample(symbols, len(symbols))))
        rng.shuffle(other)
        one, two, alone = (Search(tables, new_control(), history=history) for history in (steps, other, other))
        one.join(team)
        two.join(team)
        total, _, height = one.best(NO_LIMIT)
        assert two.best(NO_LIMIT, total)[0] == total
        assert two.nodes == 0
        assert (total, height) == (alone.best(NO_LIMIT)[0], alone.best(NO_LIMIT)[2])
        # Best guesses come with the values, through the map.
        guess = other[-1][0]
        before = Search(tables, new_control(), history=other[:-1])
        before.join(team)
        before.opener(guess, NO_LIMIT, INFEASIBLE)
        tree = before.likely_tree(guess, NO_LIMIT)
        if SMALL and tree is None:  # small tables lead nowhere soon
            continue
        assert tree is not None
        assert play_tree(game, tree, before.candidates.tolist()) == before.opener(guess, NO_LIMIT, INFEASIBLE)[0]
    assert found > 10
