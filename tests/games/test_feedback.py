"""Scoring, reading and writing of feedback for all kinds of games."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from optimal.errors import InputError
from optimal.games.feedback import BlackFeedback, BullsFeedback, Feedback, PegFeedback, WordFeedback, feedback_of

FIVE = WordFeedback(5)
PEGS = PegFeedback(4, 6)
BULLS = BullsFeedback(4)
BLACKS = BlackFeedback(4, 6)


def test_code_is_little_endian_base_three() -> None:
    assert FIVE.parse("YBBBB") == 1
    assert FIVE.parse("BYBBB") == 3
    assert FIVE.parse("BBBBG") == 2 * 81
    assert FIVE.parse("GGGGG") == FIVE.winning_code == 242
    assert (
        FIVE.parse("grey Yellow gray, black green")
        == FIVE.parse("b,y, b,b,g")
        == FIVE.parse("grey-yellow/b-black-green")
        == FIVE.parse("BYBBG")
    )
    assert FIVE.codes == 243
    assert FIVE.marks(3) == (0, 1, 0, 0, 0)


@given(st.text("abcd", min_size=3, max_size=3), st.integers(0, 26))
def test_the_words_that_fit_a_reply(guess: str, code: int) -> None:
    rule, words = WordFeedback(3), ["".join(word) for word in product("abce", repeat=3)]
    assert rule.fitting(guess, code, words) == Feedback.fitting(rule, guess, code, words)


def slow_score(guess: str, answer: str) -> str:
    """The rule by crossing letters off: written apart from the code under test."""
    marks = ["B"] * len(guess)
    pool: list[str | None] = list(answer)
    for i, letter in enumerate(guess):
        if answer[i] == letter:
            marks[i], pool[i] = "G", None
    for i, letter in enumerate(guess):
        if marks[i] == "B" and letter in pool:
            marks[i] = "Y"
            pool[pool.index(letter)] = None
    return "".join(marks)


same_length = st.integers(2, 10).flatmap(
    lambda n: st.tuples(*[st.text("abcé", min_size=n, max_size=n)] * 2)  # few letters: many duplicates
)


@given(same_length)
def test_word_score_against_crossing_off(words: tuple[str, str]) -> None:
    guess, answer = words
    rule = WordFeedback(len(guess))
    code = rule.score(guess, answer)
    assert rule.format(code) == slow_score(guess, answer)
    assert (code == rule.winning_code) == (guess == answer)


@given(st.integers(2, 10).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, 3**n - 1))))
def test_word_round_trips(case: tuple[int, int]) -> None:
    length, code = case
    rule = WordFeedback(length)
    text = rule.format(code)
    styles: list[Callable[[str], str]] = [
        str,
        str.lower,
        lambda t: t.replace("B", "x"),
        lambda t: t.translate(str.maketrans("BYG", "012")),
        lambda t: t.translate(str.maketrans("BYG", "-?*")),
        lambda t: t.translate(str.maketrans("BYG", "⬛🟨🟩")),
        lambda t: t.translate(str.maketrans("BYG", "⬜🟨🟩")),
        lambda t: t.translate(str.maketrans("BYG", "⬛🟦🟧")),
        lambda t: t.replace("B", "⬛\ufe0f").replace("Y", "🟨").replace("G", "🟩"),
        lambda t: f"  {t}\n",
    ]
    assert [rule.parse(style(text)) for style in styles] == [code] * len(styles)
    assert rule.parse(rule.pretty(code)) == code


@given(st.text(max_size=12))
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    for rule in (FIVE, WordFeedback(2), PEGS, BULLS):
        message = ""
        try:
            code = rule.parse(text)
        except InputError as error:
            message = str(error)
        else:
            assert rule.parse(rule.format(code)) == code
        assert "\n" not in message


PAIRS = [PEGS, PegFeedback(3, 2), BULLS, BullsFeedback(3), BullsFeedback(1), BullsFeedback(3, 3), BullsFeedback(2, 36)]


@pytest.mark.parametrize("rule", [*PAIRS, BLACKS, BlackFeedback(3, 2), BlackFeedback(1, 11)])
def test_peg_scores_round_trip(rule: PegFeedback | BullsFeedback | BlackFeedback) -> None:
    guesses = rule.all_guesses()
    assert list(guesses) == sorted(set(guesses))
    for guess, answer in product(guesses[:: 1 + len(guesses) // 90], guesses[:: 1 + len(guesses) // 110]):
        code = rule.score(guess, answer)
        blacks = sum(a == b for a, b in zip(guess, answer, strict=True))
        pool = list(answer)
        for symbol in guess:
            if symbol in pool:
                pool.remove(symbol)
        whites = len(answer) - len(pool) - blacks
        written = [str(blacks)]
        if not isinstance(rule, BlackFeedback):
            written = [f"{blacks},{whites}", f" {blacks} {whites} ", f"{blacks}A{whites}B", f"{blacks}a{whites}b"]
        assert rule.format(code) == rule.pretty(code) == written[0]
        assert [rule.parse(text) for text in written] == [code] * len(written)
        assert (code == rule.winning_code) == (guess == answer)
        assert code < rule.codes


@pytest.mark.parametrize("rule", [PegFeedback(3, 3), BlackFeedback(3, 3), BullsFeedback(3, 4), BullsFeedback(3, 3)])
def test_symbols_and_places_are_all_alike(rule: Feedback) -> None:
    assert rule.symmetric
    guesses = rule.all_guesses()
    symbols = sorted(set("".join(guesses)))
    for order in permutations(range(3)):
        for names in permutations(symbols):
            to = str.maketrans("".join(symbols), "".join(names))
            moved = ["".join(guess[place] for place in order).translate(to) for guess in guesses]
            assert sorted(moved) == list(guesses)
            for guess, there in zip(guesses[::5], moved[::5], strict=True):
                scores = [rule.score(guess, answer) for answer in guesses]
                assert scores == [rule.score(there, answer) for answer in moved]


def test_all_guesses() -> None:
    assert PEGS.all_guesses()[:2] == ("1111", "1112")
    assert len(BULLS.all_guesses()) == 5040
    assert BULLS.all_guesses()[0] == "0123"
    assert PegFeedback(1, 11).all_guesses()[-3:] == ("9", "a", "b")
    assert PegFeedback(1, 35).all_guesses()[-1] == BullsFeedback(1, 36).all_guesses()[-1] == "z"


@pytest.mark.parametrize(
    ("rule", "text", "message"),
    [
        (FIVE, "", "the feedback is empty: give 5 marks, such as BYBBG"),
        (FIVE, "byb", "feedback 'byb' has 3 marks: words of 5 letters need 5, such as BYBBG"),
        (FIVE, "by bg", "feedback 'by bg': mark 3, ' ', is none of letters b/y/g, digits 0/1/2, -/?/* or coloured"),
        (FIVE, "by0bg", "feedback 'by0bg' mixes letters b/y/g and digits 0/1/2: keep to one style, such as BYBBG"),
        (
            FIVE,
            "🟩🟧⬛⬛⬛",
            "feedback '🟩🟧⬛⬛⬛' mixes coloured squares and high-contrast squares: keep to one style",
        ),
        *((BLACKS, text, f"feedback '{text}' is no number of blacks: 0 to 4") for text in ("", "5", "2,1", "1_0")),
        (BLACKS, "9" * 5000, "' is no number of blacks: 0 to 4"),
        (PEGS, "2", "feedback '2' is not blacks and whites, such as 2,1 or 2A1B"),
        (BULLS, "bull", "feedback 'bull' is not bulls and cows, such as 2,1 or 2A1B"),
        (PEGS, "3,2", "feedback '3,2': 3 blacks and 2 whites are more than the 4 places of a guess"),
        (PEGS, "3,1", "feedback '3,1' is impossible: with 3 blacks the last place brings blacks or nothing"),
        (BullsFeedback(6), "0,1", "feedback '0,1' is impossible: two codes of this game share at least 2 symbols"),
    ],
)
def test_bad_feedback(rule: Feedback, text: str, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        rule.parse(text)


@pytest.mark.parametrize(
    ("kind", "params", "message"),
    [
        ("chess", {}, "unknown kind of game 'chess': there are words, mastermind, black-pegs, bulls-and-cows"),
        ("words", {}, "a game of kind words needs the whole numbers length and nothing else"),
        ("words", {"length": 11}, "words of length 11: the length must be 2 to 10"),
        ("mastermind", {"pegs": 0, "colours": 6}, "mastermind with 0 pegs: the number of pegs must be 1 to 10"),
        ("mastermind", {"pegs": 4, "colours": 36}, "with 36 colours: the number of colours must be 2 to 35"),
        ("bulls-and-cows", {"digits": 11}, "with 11 digits: the number of digits must be 1 to 10"),
        ("bulls-and-cows", {"symbols": 6}, "needs the whole numbers digits, perhaps symbols and nothing else"),
        ("bulls-and-cows", {"digits": 4, "symbols": 10}, "has the parameters {'digits': 4}, not {'digits': 4,"),
    ],
)
def test_bad_kinds_and_params(kind: str, params: dict[str, int], message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        feedback_of(kind, params)


@pytest.mark.parametrize(("rule", "code"), [(FIVE, 243), (FIVE, -1), (PEGS, 21), (BULLS, -1)])
def test_code_out_of_range(rule: Feedback, code: int) -> None:
    with pytest.raises(InputError, match=rf"feedback code {code} is out of range: codes of this game are 0 to"):
        rule.format(code)


def test_words_of_another_length() -> None:
    with pytest.raises(InputError, match="guess 'cran' has 4 letters: this game needs 5"):
        FIVE.score("cran", "crane")
    with pytest.raises(InputError, match="answer 'cranes' has 6 letters: this game needs 5"):
        FIVE.score("crane", "cranes")
    with pytest.raises(InputError, match="guess '123' has 3 places: this game needs 4"):
        PEGS.score("123", "1234")
