"""Feedback and hard rules a second time, straight from the rules of the games, for what must not trust the first.

`TWINS` has the kinds of feedback that are known here; tests compare them with `optimal.games.feedback`. Nothing here
comes from the rest of the package.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

#: What a hint asks of a guess: (place, letter, 0) a letter in its place, (-1, letter, m) m copies of it.
Demand = tuple[int, str, int]


def score_word(guess: str, answer: str) -> int:
    """Word feedback by its definition.

    A letter that is not in place is yellow when the answer still has a copy for it: one that no green took,
    and that no earlier copy in the guess was given.
    """
    code = 0
    for place, letter in enumerate(guess):
        if answer[place] == letter:
            code += 2 * 3**place
        elif letter in answer:
            free = sum(theirs == letter != ours for ours, theirs in zip(guess, answer, strict=True))
            earlier = sum(guess[i] == letter != answer[i] for i in range(place))
            if earlier < free:
                code += 3**place
    return code


def score_pegs(guess: str, answer: str) -> int:
    """Mastermind, and Bulls and Cows: places that agree, then symbols in common at other places."""
    blacks = score_blacks(guess, answer)
    common = sum(min(guess.count(symbol), answer.count(symbol)) for symbol in set(guess))
    return blacks * (len(guess) + 1) + common - blacks


def score_blacks(guess: str, answer: str) -> int:
    """Black pegs alone: places that agree."""
    return [ours == theirs for ours, theirs in zip(guess, answer, strict=True)].count(True)


@dataclass(frozen=True)
class Twin:
    """A kind of feedback as it is known here."""

    places: str  # the parameter of the kind that is the length of a guess
    winning: Callable[[int], int]  # the code of a right guess of that many
    score: Callable[[str, str], int]


TWINS = {
    "words": Twin("length", lambda places: 3**places - 1, score_word),
    "mastermind": Twin("pegs", lambda places: places * (places + 1), score_pegs),
    "bulls-and-cows": Twin("digits", lambda places: places * (places + 1), score_pegs),
    "black-pegs": Twin("pegs", lambda places: places, score_blacks),
}


@lru_cache(4096)
def _demands(past: str, code: int) -> tuple[Demand, ...]:
    """What the hint asks of every later guess under the official hard rules."""
    hints = [code // 3**place % 3 for place in range(len(past))]  # 0 black, 1 yellow, 2 green
    demands = [(place, letter, 0) for place, letter in enumerate(past) if hints[place] == 2]
    for letter in dict.fromkeys(past):
        needed = sum(hint > 0 for mine, hint in zip(past, hints, strict=True) if mine == letter)
        if needed:
            demands.append((-1, letter, needed))
    return tuple(demands)


def broken_hint(past: str, code: int, guess: str) -> str | None:
    """Why a guess breaks the hint of a past one under the official hard rules; None when it does not."""
    for place, letter, copies in _demands(past, code):
        if place >= 0 and guess[place] != letter:
            return f"letter {place + 1} must be {letter!r}"
        if guess.count(letter) < copies:
            return f"{letter!r} must be in it" + (f" {copies} times" if copies > 1 else "")
    return None
