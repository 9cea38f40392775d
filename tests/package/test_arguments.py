"""What may be passed to the Python interface: each wrong argument gets one line, and none a raw error."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from baselines_util import advise

from optimal import analyse, debrief, rank, solve_position, verify_tree
from optimal.baselines import play_answer, strategy
from optimal.baselines.openings import opening_report
from optimal.errors import InputError
from optimal.games.game import Game
from optimal.games.weights import Weights, check_weights, weights_of
from optimal.search.solve import solve
from optimal.show.words import shown

GIANT = 10**5000
PAIR = Game.from_words(["ab", "cb"], ["ab", "cb"])


def refused(call: Callable[..., object], message: str, *given: Any) -> None:
    """The call with these arguments raises InputError with one line that opens with the message."""
    with pytest.raises(InputError) as error:
        call(*given)
    text = str(error.value)
    assert text.startswith(message), text
    assert len(text.splitlines()) == 1
    assert len(text) < 250


def plain(value: object, expected: object) -> None:
    """Equal, and of the same type: no numpy type goes on."""
    assert (value, type(value)) == (expected, type(expected))


@pytest.mark.parametrize("rules", [None, 7, ["hard"], b"hard"])
def test_rules_are_named_by_text(rules: Any) -> None:
    refused(lambda: Game.preset("mastermind:2x2", rules), "rules are normal, hard or ultra-hard, not ")


def test_matrices() -> None:
    game = Game.from_matrix(np.array([[0, 1], [1, 0]], dtype=np.int16), np.int8(0), max_guesses=3)
    plain(game.winning_code, 0)
    assert game.matrix.dtype == np.uint8
    assert Game.from_matrix([[65535, 1], [1, 65535]], 65535).matrix.dtype == np.uint16


NO_MATRIX = "a feedback matrix is guesses x answers, of whole numbers; "


@pytest.mark.parametrize(
    ("matrix", "code", "message"),
    [
        *((matrix, 0, NO_MATRIX) for matrix in ([[0.0, 1.0]], [[False, True]], [[0, 1], [1]], [[0, 2**70]], "01")),
        *((matrix, 0, "feedback codes go from 0 to 65535") for matrix in ([[0, -1], [1, 0]], [[0, 65536], [1, 0]])),
        *(([[0, 1], [1, 0]], code, "the winning code must be ") for code in (None, "0", 0.0, -1, 65536)),
    ],
)
def test_bad_matrices(matrix: Any, code: Any, message: str) -> None:
    refused(Game.from_matrix, message, matrix, code)


# Weights


def test_weights() -> None:
    weights = Weights("file", np.array([3, 0]))  # type: ignore[arg-type]
    assert check_weights(PAIR, weights) is weights
    plain(weights.values[0], 3)
    assert repr(weights) == "<Weights file, 2 answers>"
    refused(lambda: Weights("mine", (1, 2)), "weights are named frequency or file, not 'mine'")
    for values, message in (
        ((1, -1), "weight 2 must be 0 or more, not -1"),
        ((1, 0.5), "weight 2 must be a whole number, not 0.5"),
        ((0, 0), "every answer has weight 0; one at least must be more"),
        (7, "weights must be a list of whole numbers, one for each answer, not 7"),
        ((1, 1 << 62), "weight 2 must be 4611686018427387903 or less, not 4611686018427387904"),
        (np.ma.array([1, 2], mask=[False, True]), "weight 2 must be a whole number, not masked"),
    ):
        refused(Weights, message, "file", values)


def test_weights_of_a_mapping() -> None:
    refused(
        lambda: weights_of(PAIR, "tiers:3"), "'tiers:3' is of another game, where every guess is an answer: it stands"
    )
    found = weights_of(PAIR, {"ab": 3, "cb": np.int64(5), "zz": 7})
    assert found == Weights("file", (3, 5), "1 of 3 words is no answer and counts nothing: 'zz'")
    decimal = weights_of(PAIR, {"AB": 0.5})
    assert decimal is not None
    assert (decimal.name, decimal.values) == ("file", (5, 10))
    assert decimal.note == (
        "weights multiplied by 10^1 to make them integers; 1 of 2 answers have no weight and get 1: cb"
    )
    matrix = Game.from_matrix([[0, 1], [1, 0]], 0, guesses=["A", "B"], answers=["A", "B"])
    assert weights_of(matrix, {"A": 2, "B": Decimal(1)}) == Weights("file", (2, 1))


@pytest.mark.parametrize(
    ("number", "value", "places"),
    [
        ("12.3400", 1234, 2),
        ("5E-03", 5, 3),
        ("1000000000000000000e-3", 10**15, 0),
        ("1.234567890123456789", 1234567890123456789, 18),
        ("123456789012.345678901234567891", None, 0),
    ],
)
def test_no_digit_of_a_weight_is_lost(tmp_path: Path, number: str, value: int | None, places: int) -> None:
    (tmp_path / "weights").write_text(f"ab {number}\ncb 1e{-places}\n", encoding="utf-8")
    if value is None:
        refused(lambda: weights_of(PAIR, tmp_path / "weights"), "weight 1 must be 4611686018427387903 or less")
        return
    found = weights_of(PAIR, tmp_path / "weights")
    assert found is not None
    assert found.values == (value, 1)


def test_what_is_no_weight(tmp_path: Path) -> None:
    path = tmp_path / "weights"
    for number, right in (
        ("1e1000000000", "a number such as 12 or 0.5, of up to 19 digits"),
        ("-0.1", "0 or more"),
        *((number, "a number such as 12 or 0.5") for number in ("12345678901234567890", "1_000", "nan", "1,5", "١٢")),
    ):
        path.write_text(f"cb 0e10\nab {number}\n", encoding="utf-8")
        refused(lambda: weights_of(PAIR, path), f"{path}, line 2: {number!r} is no weight; right would be {right}")


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({}, "the weights: none of its words is an answer of words, such as ab"),
        ({"ab": None}, "the weights, 'ab': None is no weight; right would be a number such as 12 or 0.5"),
        ({"ab": "1"}, "the weights, 'ab': '1' is no number"),
        ({"ab": GIANT}, "the weights, 'ab': 'a giant number' is no weight"),
        ({"ab": Fraction(GIANT, 3)}, "the weights: weights must be decimals, such as 12 or 0.5, not thirds"),
        ({7: 1}, "the weights must be of words; 7 is none"),
        ({"ab": 0, "cb": 0}, "the weights: every answer has weight 0; one at least must be more"),
        (7, "weights are uniform, frequency, the name of a file, or a dictionary of words and numbers, not 7"),
    ],
    ids=shown,
)
def test_bad_mappings(table: Any, message: str) -> None:
    refused(lambda: weights_of(PAIR, table), message)


def test_words_in_any_letter_case() -> None:
    game = Game.from_words(["fight", "filmy", "light", "might", "night"], ["fight", "light", "might", "night"])
    asked = solve(game, first=[" FIGHT ", "Filmy"])
    assert asked.tree is not None
    assert asked.tree == solve(game, first=["fight", "filmy"]).tree
    assert asked.tree.path("LIGHT")[-1][0] == "light"
    assert [opener.guess for opener in rank(game, first=["FIGHT"]).openers] == ["fight"]
    assert analyse(game, [("FILMY", "BGYBB")]).position == "filmy=BGYBB"
    assert solve_position(game, "FILMY=bgybb", first=["NIGHT"]).opener == "night"
    assert debrief(game, "LIGHT", ["FILMY", "Light"]).turns[1].guess == "light"
    assert opening_report(game, ["FILMY"]).openers == ("filmy",)
    assert play_answer(game, strategy("entropy"), "LIGHT")[-1][0] == "light"
    assert advise(game, "entropy", [("FILMY", 15)]).position == "filmy=BGYBB"
    assert verify_tree(asked.tree, guesses=["Fight", "FILMY", "LIGHT", "might", "night"], answers=game.answers).ok
    assert game.guess_index("FIGHT") == game.answer_index("FIGHT") == 0
    refused(lambda: game.guess_index("eight"), "'eight' is not among the 5 guesses of words: did you mean")
    refused(lambda: game.answer_index(["filmy"]), "['filmy'] is not among the 4 answers of words")  # type: ignore[arg-type]
    refused(lambda: game.guess_index("zz\n" * 99), "'zz\\nzz")
    square = Game.from_matrix([[0, 1], [1, 0]], 0, guesses=["A", "B"], answers=["A", "B"])
    refused(lambda: solve(square, first=["a"]), "'a' is not among the 2 guesses of matrix")
