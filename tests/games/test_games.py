"""`Game` as a value: equal, hashed, pickled, asked for feedback and candidates, named where one is taken."""

from __future__ import annotations

import copy
import inspect
import os
import pickle
import sys
from dataclasses import replace
from typing import get_type_hints

import numpy as np
import pytest

import optimal
from optimal import Game, InputError, solve
from optimal.games.feedback import PegFeedback

GUESSES = ["fight", "filmy", "light", "might", "night"]
GAME = Game.from_words(GUESSES, ["fight", "light", "might", "night"])
NUMBERS = np.arange(4)
MATRIX = 1 + np.sign(NUMBERS - NUMBERS[:, None])
HIGHER = Game.from_matrix(MATRIX, 1, name="higher", labels=["lower", "right", "higher"])


def games() -> list[Game]:
    """Games no two of which are equal."""
    return [
        GAME,
        replace(GAME, name="others"),
        GAME.with_rules("hard"),
        GAME.with_rules("normal", None),
        Game.from_words(GUESSES, GUESSES),
        Game.from_words(GUESSES[:-1], GUESSES[:1]),
        Game.preset("mastermind:2x3"),
        Game.from_feedback(PegFeedback(2, 3), name="pegs"),
        HIGHER,
        Game.from_matrix(MATRIX, 1, name="higher"),
        Game.from_matrix(2 * MATRIX, 2, name="higher"),
        Game.from_matrix(MATRIX[::-1], 1, name="higher", labels=["lower", "right", "higher"]),
        Game.from_matrix(MATRIX, 1, name="higher", answers=list("abcd")),
    ]


def test_games_are_equal_by_value() -> None:
    assert Game.from_words(GUESSES) == Game.from_words(GUESSES, GUESSES)
    one, two = games(), games()
    for i, game in enumerate(one):
        assert [game == other for other in two] == [i == j for j in range(len(two))]
        assert hash(game) == hash(two[i])
    assert len({*one, *two}) == len(one)
    assert GAME != "words"
    assert GAME in {GAME.with_rules("hard").with_rules("normal")}


@pytest.mark.parametrize("game", games(), ids=str)
def test_games_travel(game: Game) -> None:
    for other in (pickle.loads(pickle.dumps(game)), copy.deepcopy(game)):
        assert other == game
        assert (other.matrix == game.matrix).all()
        assert not other.matrix.flags.writeable
        assert not other.answer_guess.flags.writeable
        assert solve(other).tree == solve(game).tree


def test_a_score() -> None:
    assert [GAME.format(GAME.score("FILMY", answer)) for answer in GAME.answers] == ["GGBBB", "BGYBB", "BGBYB", "BGBBB"]
    assert GAME.score("night", "filmy") == GAME.parse("bgbbb")  # not one of the answers, but it could be
    assert [HIGHER.format(HIGHER.score("1", answer)) for answer in HIGHER.answers] == [
        "lower",
        "right",
        "higher",
        "higher",
    ]
    for game in games():
        told = [[game.score(guess, answer) for answer in game.answers] for guess in game.guesses]
        assert told == game.matrix.tolist()
    for guess, answer in (("filly", "fight"), ("fight", "filly"), (None, "fight"), ("fight", 3)):
        with pytest.raises(InputError, match="is not among the 5 guesses"):
            GAME.score(guess, answer)  # type: ignore[arg-type]


def test_candidates() -> None:
    assert GAME.candidates() == GAME.candidates("") == GAME.candidates([]) == GAME.answers
    assert GAME.candidates("filmy=bgbbb") == GAME.candidates([("filmy", GAME.parse("bgbbb"))]) == ("night",)
    assert GAME.candidates("night=bgggg light=bgggg") == ("fight", "might")
    assert GAME.candidates("night=ggggg light=ggggg") == ()
    assert HIGHER.candidates("1=higher") == ("2", "3")
    for position, message in (
        ("filly=bgbbb", "'filly' is not among the 5 guesses"),
        ("filmy=bybb", "turn 1, 'filmy': feedback 'bybb' has 4 marks"),
        ([("filmy", 243)], "243"),
        (7, "a position is text"),
    ):
        with pytest.raises(InputError, match=message):
            GAME.candidates(position)  # type: ignore[arg-type]


def test_games_are_taken_by_name() -> None:
    """Every function that takes a game takes the name of one."""
    taken = {}
    for name in optimal.__all__:
        function = getattr(optimal, name)
        if inspect.isfunction(function):
            hints = get_type_hints(function, localns={"Figure": object, "Table": optimal.Table, "os": os})
            taken[name] = hints.get("game", Game | str)
    assert {*taken.values()} == {Game | str}
    assert taken.keys() >= {"analyse", "compare", "debrief", "import_ledger", "plot_classes", "rank", "solve"}


def test_results_as_lists() -> None:
    ranking = optimal.rank(GAME)
    advice = optimal.analyse(GAME, "fight=bgggg")
    told = optimal.debrief(GAME, "night", ["fight", "light", "night"])
    for found, rows in ((ranking, ranking.openers), (advice, advice.guesses), (told, told.turns)):
        assert tuple(found) == rows
        assert len(found) == len(rows) > 1
        assert (found[0], found[-1], found[1:]) == (rows[0], rows[-1], rows[1:])
        with pytest.raises(IndexError):
            found[99]


def test_results_as_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pandas")
    ranking = optimal.rank(GAME)
    frame = ranking.to_frame()
    assert frame.to_dict("records") == [opener.to_dict() for opener in ranking]
    assert list(optimal.debrief(GAME, "night", ["fight", "night"]).to_frame()["guess"]) == ["fight", "night"]
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(InputError, match="to_frame needs pandas: pip install pandas"):
        ranking.to_frame()
