"""What may be asked of a game: every door refuses a wrong question at once, in one line and by the same checks."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from optimal import analyse, compare, debrief, rank, solve, solve_position
from optimal.errors import InputError
from optimal.games.game import Game
from optimal.games.weights import Weights
from optimal.trees.file import from_bytes, to_bytes

GUESSES = ["fight", "filmy", "light", "might", "night"]
GAME = Game.from_words(GUESSES, ["fight", "light", "might", "night"])
POSITION = "filmy=bgbbb"

#: Each door, with what it is asked beside the options.
DOORS: dict[str, Callable[..., Any]] = {
    "solve": lambda game=GAME, **options: solve(game, **options),
    "worst": lambda game=GAME, **options: solve(game, objective="worst", **options),
    "rank": lambda game=GAME, **options: rank(game, **options),
    "analyse": lambda game=GAME, position="", **options: analyse(game, position, **options),
    "debrief": lambda game=GAME, guesses=("filmy", "night"), **options: debrief(game, "night", guesses, **options),
    "solve_position": lambda game=GAME, position=POSITION, **options: solve_position(game, position, **options),
    "compare": lambda game=GAME, strategies=("entropy",), **options: compare(game, strategies, **options),
}
SEARCHES = ("solve", "rank", "analyse", "debrief", "solve_position")
BEST = ("solve", "solve_position")
ALL = (*SEARCHES, "compare")

WITHIN = "within:"
WRONG: list[tuple[tuple[str, ...], str, list[Any], str]] = [
    (ALL, "game", [7, None, Game], "a game is needed, such as Game.preset('classic'), or the name of one, not "),
    (ALL, "game", ["clasic"], "unknown game 'clasic': did you mean classic"),
    (ALL, "jobs", [0, "2", 1.0, None, 10**5000], "jobs must be "),
    (SEARCHES, "progress", ["yes", 7], "progress must be a function to call with news, not "),
    (SEARCHES, "limit", [0, -1, 2**64, 10**5000, 2.5, "6", math.inf], "the limit of guesses must be "),
    (
        BEST,
        "objective",
        [
            *("within:03", "within:\u0663", "within:0", "within:-1", "within:+2", "within: 2", "within:2 "),
            *("within:2\n", WITHIN, "within", WITHIN + "9" * 5000, "median", "", "mean:2", None, 7),
        ],
        "no objective ",
    ),
    (BEST, "weights", [{"night": 2}, "frequency", (1, 2, 3, 4)], "weights must be made by weights_of(game, ...)"),
    (BEST, "weights", [Weights("file", (1, 2, 3)), Weights("file", (1,) * 5)], "4 weights are needed, one for each"),
    (("solve", "rank", "solve_position"), "first", ["salet", 7, ["filmy", None]], "openers must be "),
    (("solve", "rank", "solve_position"), "first", [[], ()], "no openers were named; None asks for all"),
    (("solve", "rank", "solve_position"), "first", [["crane"]], "'crane' is not among the 5 guesses of words"),
    (
        ("solve", "rank", "solve_position"),
        "time_limit",
        [0, -1, math.nan, math.inf, 1e300, 10**5000, "9", True],
        "the time limit must be ",
    ),
    (("solve", "rank", "solve_position"), "memory_limit", [0, 1000, 1e9, "2G"], "the memory limit, in bytes, must be "),
    (BEST, "backend", ["dusk", None, ["loky"]], "no backend "),
    (("solve",), "without", ["table", None, 7], "each switch must be a list of texts, not "),
    (("solve",), "without", [{"tables"}], "no switch 'tables'; there are "),
    (("rank", "analyse"), "top", [0, -1, 2.5, "3", True], "the number of best guesses must be "),
    (("analyse",), "top", [None], "the number of best guesses must be "),
    (
        ("solve",),
        "gap",
        ["", "1 %", "-1%", "1e3", "0.5", True, "9" * 30, "\u0661%", 10**5000],
        'the gap must be a whole number, or per cent such as "1%", not ',
    ),
    (("worst",), "gap", ["1%"], "a gap is for the objective mean alone, not for worst"),
    (("rank",), "journal", [7, b"a", "", "a\0b"], "the journal must be the name of a file"),
    (("debrief",), "guesses", ["night", None, 7, ["filmy", None]], "guesses must be "),
    (("analyse", "solve_position"), "position", [None, 7], "a position is text, such as 'salet=bybbb', or pairs of"),
    (("analyse", "solve_position"), "position", [[7], ["ab"], [("filmy",)]], "turn 1, "),
    (
        ("analyse", "solve_position"),
        "position",
        [[("filmy", code)] for code in (None, 3.7, True, -1, 65536)],
        "turn 1, 'filmy': a feedback that is no text must be ",
    ),
    (("compare",), "strategies", ["entropy", 7], "strategies must be a list, such as ['entropy'], not "),
]
CASES = [(door, name, value, said) for doors, name, values, said in WRONG for door in doors for value in values]


@pytest.mark.parametrize(
    ("door", "name", "value", "said"), CASES, ids=[f"{door}-{name}-{i}" for i, (door, name, *_) in enumerate(CASES)]
)
def test_what_is_wrong(door: str, name: str, value: Any, said: str) -> None:
    with pytest.raises(InputError) as error:
        DOORS[door](**{name: value})
    text = str(error.value)
    assert text.startswith(said), text
    assert len(text.splitlines()) == 1
    assert len(text) < 250


@pytest.mark.parametrize("door", ALL)
def test_numbers_of_numpy(door: str) -> None:
    options: dict[str, Any] = {"jobs": np.int64(1)}
    if door != "compare":
        options["limit"] = np.uint8(5)
    if door in ("solve", "rank", "solve_position"):
        options.update(time_limit=np.float32(60), memory_limit=np.int64(1 << 34), first=np.array(["night"]))
    assert DOORS[door](**options) is not None


def test_within_any_number_of_guesses() -> None:
    plain = solve(GAME)
    for objective in ("within:99", "within:" + "9" * 90):
        result = solve(GAME, objective=objective)
        assert (result.value, result.tree and result.tree.root) == ((0, plain.total), plain.tree and plain.tree.root)
        assert result.tree is not None
        assert from_bytes(to_bytes(result.tree)) == result.tree


@pytest.mark.parametrize("limit", [2**64 - 1, np.int64(5)])
def test_limits_that_a_tree_file_holds(limit: int) -> None:
    result = solve(GAME, limit=limit)
    assert result.tree is not None
    assert (result.tree.max_guesses, type(result.tree.max_guesses)) == (limit, int)
    assert from_bytes(to_bytes(result.tree)) == result.tree
