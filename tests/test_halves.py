"""Halves: their sum is a bound of the whole, and what was found of them outlives a search."""

from __future__ import annotations

import random
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from games_util import search_of

from optimal import _search
from optimal.games.game import Game

HALVES = _search.SWITCHES["halves"]
HALF = -1


def many_words(letters: str) -> tuple[Game, list[int]]:
    """Hundreds of words that are all answers, and the guesses that leave the smallest and the largest of its classes
    that are halved."""
    rng = random.Random(f"halves {letters}")
    words = sorted({"".join(rng.choices(letters, k=4)) for _ in range(1200)})
    game = Game.from_words(words, words, max_guesses=None)
    large = sorted((int(np.bincount(codes).max()), guess) for guess, codes in enumerate(game.matrix))
    large = [(size, guess) for size, guess in large if size > 400]
    return game, [large[0][1], large[-1][1]]


@pytest.mark.parametrize("letters", ["abcdefgh", "abcdefghijkl"])
def test_with_and_without_halves(letters: str) -> None:
    game, guesses = many_words(letters)
    asked = 0
    for guess in guesses:
        value, _ = search_of(game, HALVES).opener(guess, _search.NO_LIMIT, _search.INFEASIBLE)
        for budget in (value + 1, value, value - 5, value - 40):
            search, plain = search_of(game), search_of(game, HALVES)
            low, _ = search.opener(guess, _search.NO_LIMIT, budget)
            if budget > value:
                assert low == value == plain.opener(guess, _search.NO_LIMIT, budget)[0]
            else:
                assert budget <= low <= value
                assert budget <= plain.opener(guess, _search.NO_LIMIT, budget)[0] <= value
            asked += search.nodes != plain.nodes
    assert asked


def test_what_was_found_of_halves_is_noted() -> None:
    game, (guess, _) = many_words("abcdefgh")
    search = search_of(game)
    search.take_notes()
    value, _ = search.opener(guess, _search.NO_LIMIT, 1 << 14)
    notes = search.noted()
    halves = [note for note in notes if any(step == HALF for step, _ in note[0])]
    assert halves
    learned = search_of(game)
    for note in notes:
        learned.learn(*note)
    assert learned.opener(guess, _search.NO_LIMIT, 1 << 14) == (value, search_of(game).opener(guess, 9, value + 1)[1])
    assert learned.nodes < search.nodes


def test_halves_that_cannot_be_are_refused() -> None:
    game, (guess, _) = many_words("abcdefgh")
    code = int(np.bincount(game.matrix[guess]).argmax())
    search = search_of(game)
    for history in (((guess, code), (HALF, 2)), ((guess, code), (HALF, -1)), ((guess, game.winning_code), (HALF, 0))):
        with pytest.raises(ValueError, match=r"halves|feedback"):
            search.learn(history, _search.NO_LIMIT, 2000, False, 0, 65535, False)
    hard = search_of(Game.from_words(game.guesses, game.answers, rules="hard", max_guesses=None))
    with pytest.raises(ValueError, match="halves"):
        hard.learn(((guess, code), (HALF, 1)), _search.NO_LIMIT, 2000, False, 0, 65535, False)


def bound_and_notes(game: Game, opener: str) -> tuple[int, list[Any]]:
    """What an opener costs, with halves, against a budget that leaves room for all of them; and the notes."""
    search = search_of(game)
    search.take_notes()
    value, _ = search.opener(game.guess_index(opener), _search.NO_LIMIT, 1 << 20)
    return value, search.noted()


def test_halves_worth_no_more_than_their_trivial_bounds() -> None:
    """Four quarters of 256 words, each of them told apart by one of its members."""
    words = [
        "".join("ghijklmn"[place] if number >> place & 1 else "x" for place in range(8)) + group
        for group in ("ca", "da", "eb", "fb")
        for number in range(256)
    ]
    game = Game.from_words([*words, "q" * 10], words, max_guesses=None)
    value, notes = bound_and_notes(game, "q" * 10)
    assert sum(any(step == HALF for step, _ in note[0]) for note in notes) >= 4
    learned = search_of(game)
    for note in notes:
        learned.learn(*note)
    plain, _ = search_of(game, HALVES).opener(game.guess_index("q" * 10), _search.NO_LIMIT, 1 << 20)
    assert learned.opener(game.guess_index("q" * 10), _search.NO_LIMIT, 1 << 20)[0] == value == plain


def test_words_of_the_same_letters_have_no_halves() -> None:
    """What is noted of them can be learned all the same."""
    words = ["".join(order) for letters in ("abcdef", "ghijkl") for order in permutations(letters)]
    game = Game.from_words([*words, "qqqqqq"], words, max_guesses=None)
    search, looks = search_of(game), 4
    notes: list[Any] = []
    search.take_notes()
    while not any(step == HALF for note in notes for step, _ in note[0]):
        search.opener_slice(len(words), _search.NO_LIMIT, 1 << 20, looks)
        notes, looks = notes + search.noted(), 2 * looks
    learned = search_of(game)
    for note in notes:
        learned.learn(*note)
