"""The games known by name."""

from __future__ import annotations

from pathlib import Path

import pytest

import optimal.games.presets
from optimal.errors import InputError
from optimal.games.feedback import BlackFeedback
from optimal.games.presets import file_order, game_names, preset, preset_of, presets
from optimal.games.wordlists import sha256_of

SIZES = {
    "classic": (12972, 2315),
    "classic-answers": (2315, 2315),
    "nyt2022": (14855, 2309),
    "nyt2023": (14855, 3158),
    "classic-all": (12972, 12972),
    "nyt-all": (14855, 14855),
    "mastermind": (1296, 1296),
    "bulls-and-cows": (5040, 5040),
    "black-pegs": (1296, 1296),
}


SMALL = {
    "mastermind:2x3": (9, 9),
    "bulls-and-cows:2x3": (6, 6),
    "bulls-and-cows:3x10": (720, 720),
    "black-pegs:3x2": (8, 8),
}


def test_names() -> None:
    assert [known.name for known in presets()] == list(SIZES)
    assert preset(" Classic ") is preset("classic")
    assert preset("Mastermind:2X3") is preset("mastermind:2x3")
    assert preset("NYT") is preset("nyt2023")
    assert game_names() == [*SIZES, "nyt"]


@pytest.mark.parametrize(("name", "sizes"), [*SIZES.items(), *SMALL.items()])
def test_lists(name: str, sizes: tuple[int, int]) -> None:
    known = preset(name)
    guesses, answers = known.guesses(), known.answers()
    assert (known.name, known.guess_count, known.answer_count) == (name, *sizes) == (name, len(guesses), len(answers))
    assert (known.guesses_sha256, known.answers_sha256) == (sha256_of(guesses), sha256_of(answers))
    assert list(guesses) == sorted(set(guesses))
    assert list(answers) == sorted(set(answers))
    assert set(answers) <= set(guesses)
    assert preset_of(known.feedback, known.guesses_sha256, known.answers_sha256) is known
    assert preset_of(BlackFeedback(2, 4), known.guesses_sha256, known.answers_sha256) is None
    assert known.max_guesses == (6 if known.kind == "words" else None)
    assert known.feedback.score(answers[0], answers[0]) == known.feedback.winning_code


def test_other_peg_games_of_other_sizes() -> None:
    assert preset("Bulls-and-Cows:4x10") is preset("bulls-and-cows") is preset("bulls-and-cows:04x010")
    small = preset("bulls-and-cows:2x3")
    assert small.guesses() == small.answers() == ("01", "02", "10", "12", "20", "21")
    assert small.title == "Bulls and Cows, 2 distinct symbols of 3"
    assert preset("black-pegs:2x3").guesses() == preset("mastermind:2x3").guesses()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("clasic", "unknown game 'clasic': did you mean classic"),
        ("zzz", "unknown game 'zzz': there are classic, classic-answers, nyt2022, "),
        ("mastermind:", "game 'mastermind:': write pegs x colours, such as mastermind:4x6"),
        ("mastermind:8x8", "game 'mastermind:8x8' has 16777216 codes: at most 65535 are possible"),
        ("bulls-and-cows:4x3", "bulls and cows with 4 of 3 symbols: the number of symbols must be 4 to 36"),
        ("bulls-and-cows:1x1", "bulls and cows with 1 of 1 symbols: the number of symbols must be 2 to 36"),
        ("classic:4x6", "unknown game 'classic:4x6'"),
    ],
)
def test_unknown_games(name: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        preset(name)
    assert str(error.value).startswith(message)
    assert len(str(error.value).splitlines()) == 1


def test_a_changed_list_is_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "classic-answers.txt").write_text("crane\n", encoding="utf-8")
    monkeypatch.setattr(optimal.games.presets, "data_file", lambda name: tmp_path / name)
    with pytest.raises(InputError, match=r"the shipped list classic-answers\.txt was changed: install the package"):
        file_order.__wrapped__(optimal.games.presets.CLASSIC_ANSWERS)
