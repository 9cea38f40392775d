"""Legality under normal, hard and ultra-hard rules."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from optimal.errors import InputError
from optimal.games.feedback import PegFeedback, WordFeedback
from optimal.games.game import Game
from optimal.games.rules import Rules, violation

FIVE = WordFeedback(5)


@pytest.mark.parametrize(
    ("rules", "history", "guess", "broken"),
    [
        ("hard", [("salet", "bybbb")], "crony", "turn 1, salet=BYBBB: it needs an 'a'"),
        ("hard", [("salet", "bbgbb")], "lucky", "turn 1, salet=BBGBB: letter 3 must be 'l'"),
        ("hard", [("salet", "bybbb"), ("crany", "bygbb")], "llama", "turn 2, crany=BYGBB: it needs an 'r'"),
        # Duplicates: two e's seen, whatever their colours, so two must stand.
        ("hard", [("geese", "byybb")], "tempo", "turn 1, geese=BYYBB: it needs 'e' 2 times"),
        # The hints of two turns do not add up: each asks for one e.
        ("hard", [("crane", "bbbby"), ("elfin", "ybbbb")], "tempo", None),
        ("ultra-hard", [("salet", "bbbbb")], "salon", "turn 1, salet=BBBBB: as the answer it would have brought GGGBB"),
        (
            "ultra-hard",
            [("salet", "bybbb"), ("crony", "byybb")],
            "bravo",
            "turn 2, crony=BYYBB: as the answer it would have brought BGYBB",
        ),
    ],
)
def test_what_is_legal(rules: str, history: list[tuple[str, str]], guess: str, broken: str | None) -> None:
    told = None if broken is None else f"{guess!r} breaks the hint of {broken}"
    assert violation(Rules(rules), FIVE, [(word, FIVE.parse(text)) for word, text in history], guess) == told


words = st.text("abc", min_size=5, max_size=5)


@given(st.lists(words, max_size=5), words)
def test_the_answer_is_always_legal(guesses: list[str], answer: str) -> None:
    history = [(guess, FIVE.score(guess, answer)) for guess in guesses]
    for rules in Rules:
        assert violation(rules, FIVE, history, answer) is None


@given(st.lists(words, max_size=4), words, words)
def test_ultra_hard_is_hard_and_means_consistent(guesses: list[str], answer: str, guess: str) -> None:
    history = [(past, FIVE.score(past, answer)) for past in guesses]
    ultra = violation(Rules.ULTRA_HARD, FIVE, history, guess)
    assert (ultra is None) == all(FIVE.score(past, guess) == code for past, code in history)
    if ultra is None:
        assert violation(Rules.HARD, FIVE, history, guess) is None


@given(words, words, words)
def test_hard_is_the_official_rule(past: str, answer: str, guess: str) -> None:
    code = FIVE.score(past, answer)
    marks = FIVE.marks(code)
    legal = all(guess[i] == past[i] for i in range(5) if marks[i] == 2) and all(
        guess.count(letter) >= sum(past[i] == letter and marks[i] > 0 for i in range(5)) for letter in "abc"
    )
    assert (violation(Rules.HARD, FIVE, [(past, code)], guess) is None) == legal


def test_pegs_know_ultra_hard_but_not_hard() -> None:
    rule = PegFeedback(4, 6)
    history = [("1122", rule.parse("2,0"))]
    assert violation(Rules.ULTRA_HARD, rule, history, "1345") == (
        "'1345' breaks the hint of turn 1, 1122=2,0: as the answer it would have brought 1,0"
    )
    assert violation(Rules.ULTRA_HARD, rule, history, "1134") is None
    with pytest.raises(InputError, match="mastermind has no hard rules; it offers normal and ultra-hard"):
        Game.preset("mastermind", "hard")
