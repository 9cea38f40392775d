"""Answers used before: which words a list names, and what they weigh."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from optimal.advice.analysis import analyse
from optimal.errors import InputError
from optimal.games.game import Game
from optimal.games.rules import Rules
from optimal.games.used import with_used

GAME = Game.from_words(
    ["aback", "cigar", "march", "rebut", "sissy", "words"], ["cigar", "march", "rebut", "sissy"], name="own"
)


# How texts are read, tests/page/test_used.py tells of the terminal and of the page.
@pytest.mark.parametrize(
    ("text", "used"),
    [
        ("19 March 2021: CIGAR (#0)\nrebut #1 (April 20)", ["cigar", "rebut"]),
        ("cigar\nfoggy 7 March\naback", ["aback", "cigar", "foggy"]),
    ],
)
def test_words_of_a_list(tmp_path: Path, text: str, used: list[str]) -> None:
    path = tmp_path / "used.txt"
    path.write_text(text, encoding="utf-8")
    game, weights = with_used(GAME, path)
    assert weights is not None
    assert [word for word, weight in zip(game.answers, weights.values, strict=True) if weight == 1] == used
    assert set(weights.values) <= {1, 10}
    new = sorted({*used, *GAME.answers} - set(GAME.answers))
    assert game.answers == tuple(sorted([*GAME.answers, *new]))
    assert game.name == ("own-used" if new else "own")
    assert ("added" in weights.note) == bool(new)
    assert f"of 4 answers were used before and count {Fraction(1, 10)}" in weights.note


def test_words_of_weight_0_are_no_answers(tmp_path: Path) -> None:
    path = tmp_path / "used.txt"
    path.write_text("cigar\nfoggy\n")
    game, weights = with_used(GAME, path, 0)
    assert (game.answers, game.name, weights) == (GAME.answers[1:], "own-used", None)
    assert game.guesses == tuple(sorted([*GAME.guesses, "foggy"]))
    path.write_text("\n".join(GAME.answers))
    with pytest.raises(InputError, match="every answer of own is in it; with weight 0 none is left"):
        with_used(GAME, path, 0)


def test_what_cannot_be(tmp_path: Path) -> None:
    path = tmp_path / "used.txt"
    path.write_text("cigar\n")
    assert with_used(GAME, path, 1)[1] is None
    assert with_used(GAME, path, "0.25")[1] == with_used(GAME, path, "1/4")[1] == with_used(GAME, path, 0.25)[1]
    for weight in ("1/0", "-1", "1/2/3", "often", None):
        with pytest.raises(InputError, match="the weight of used answers"):
            with_used(GAME, path, weight)  # type: ignore[arg-type]
    for text, told in {
        "# nothing\n": "no words of 5 letters: one a line",
        "zzzzz\n": "none of its words is an answer of own, such as cigar",
    }.items():
        path.write_text(text)
        with pytest.raises(InputError, match=told):
            with_used(GAME, path)
    with pytest.raises(InputError, match="only a game of words"):
        with_used("mastermind:2x3", path)


def test_a_trap_of_which_some_were_used(tmp_path: Path) -> None:
    path = tmp_path / "used.txt"
    path.write_text("light might night sight\n")
    game, weights = with_used(Game.preset("classic", Rules.HARD), path)
    found = analyse(game, "light=bgggg might=bgggg", weights=weights)
    # Eight, fight, right, tight and wight count 10 each, night and sight 1: four guesses find four of the former.
    assert (found.weight, found.missed, found.chance) == (52, 12, Fraction(40, 52))
    assert found.total == 10 * (1 + 2 + 3 + 4)
    assert {advice.guess for advice in found if advice.rank == 1} == {"eight", "fight", "right", "tight", "wight"}
