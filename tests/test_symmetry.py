"""Guesses of peg games that are alike at a position: worth the same, and as many as there can be."""

from __future__ import annotations

import random
from itertools import permutations

import pytest

from optimal.games.feedback import BullsFeedback, PegFeedback
from optimal.games.game import Game
from optimal.positions.analysis import analyse
from optimal.search import symmetry
from optimal.search.ranking import Race
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
    searched: list[int] = []
    totals = Race.totals

    def counted(race: Race, *arguments: object) -> None:
        searched.append(len(set(race.like.values())))
        totals(race, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(Race, "totals", counted)
    assert analyse(pegs, position, top=3) == found
    monkeypatch.setattr(
        "optimal.positions.position.representatives", lambda past, guesses: {i: i for i in range(len(guesses))}
    )
    assert analyse(pegs, position, top=3) == found
    assert searched[0] < searched[1] == len(pegs.guesses)


def test_with_less_symmetry_used_no_two_are_joined_wrongly(monkeypatch: pytest.MonkeyPatch) -> None:
    guesses = PegFeedback(3, 4).all_guesses()
    every = representatives(["123"], guesses)
    monkeypatch.setattr(symmetry, "MOST_FORMS", 2 * len(guesses))
    some = representatives(["123"], guesses)
    assert len(set(every.values())) < len(set(some.values())) < len(guesses)
    assert all(every[guess] == every[like] for guess, like in some.items())
