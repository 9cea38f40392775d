"""Which guesses are legal after what has been seen: normal, hard (the game's own) and ultra-hard."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from optimal.errors import InputError
from optimal.games.feedback import BLACK, GREEN, Feedback, WordFeedback
from optimal.show.words import quoted, shown


class Rules(str, Enum):
    """Normal allows every guess, hard wants hints used, ultra-hard wants guesses that may be the answer."""

    NORMAL = "normal"
    HARD = "hard"
    ULTRA_HARD = "ultra-hard"

    def __str__(self) -> str:
        return self.value


def rules_of(name: Rules | str) -> Rules:
    """The rules of that name, in any case and with underscores or blanks for hyphens; rules themselves are given back.

    >>> rules_of("ultra-hard")
    <Rules.ULTRA_HARD: 'ultra-hard'>
    """
    if not isinstance(name, str):
        raise InputError(f"rules are normal, hard or ultra-hard, not {shown(name)}")
    try:
        return Rules("-".join(name.lower().replace("_", " ").replace("-", " ").split()))
    except ValueError:
        raise InputError(f"unknown rules {quoted(name)}: there are {', '.join(map(str, Rules))}") from None


def check_offered(feedback: Feedback, rules: Rules) -> None:
    """InputError unless games of this kind may have such rules."""
    if rules.value not in feedback.rules:
        raise InputError(
            f"a game of kind {feedback.kind} has no {rules} rules; it offers {' and '.join(feedback.rules)}"
        )


def violation(rules: Rules, feedback: Feedback, history: Sequence[tuple[str, int]], guess: str) -> str | None:
    """None when the guess is legal after `history`; otherwise one line that names the first hint it breaks.

    Hard: greens stay in place, and a letter scored green or yellow m times in one feedback stands at least m
    times in every later guess; greys are free and a yellow may stay where it was. Ultra-hard: had the guess
    been the answer, every feedback would have been the same.

    >>> violation(Rules.HARD, WordFeedback(5), [("salet", 3)], "crony")
    "'crony' breaks the hint of turn 1, salet=BYBBB: it needs an 'a'"
    """
    if rules is Rules.NORMAL:
        return None
    for turn, (past, code) in enumerate(history, 1):
        if rules is Rules.HARD:
            assert isinstance(feedback, WordFeedback)  # other games have no hard rules
            broken = unmet(demand_of(feedback, past, code), guess)
        else:
            scored = feedback.score(past, guess)
            broken = None if scored == code else f"as the answer it would have brought {feedback.format(scored)}"
        if broken:
            return f"{quoted(guess)} breaks the hint of turn {turn}, {past}={feedback.format(code)}: {broken}"
    return None


@dataclass(frozen=True)
class Demand:
    """What one hint asks of every later guess under hard rules."""

    greens: tuple[tuple[int, str], ...]  # places with the letter that must stand there
    least: tuple[tuple[str, int], ...]  # letters with how many times each must stand somewhere


def demand_of(feedback: WordFeedback, past: str, code: int) -> Demand:
    """The official rule: greens stay in place, and a letter scored green or yellow m times stands at least m times."""
    marks = feedback.marks(code)
    greens = tuple((place, past[place]) for place, mark in enumerate(marks) if mark == GREEN)
    least = Counter(letter for mark, letter in zip(marks, past, strict=True) if mark != BLACK)
    return Demand(greens, tuple(least.items()))


def unmet(demand: Demand, guess: str) -> str | None:
    """What a guess lacks of what is asked, in a line; None if it does it all."""
    for place, letter in demand.greens:
        if guess[place] != letter:
            return f"letter {place + 1} must be {letter!r}"
    for letter, times in demand.least:
        if guess.count(letter) < times:
            return f"it needs {_a(letter)} {letter!r}" if times == 1 else f"it needs {letter!r} {times} times"
    return None


def _a(letter: str) -> str:
    # "an f", "an s", "a u": what counts is how the name of the letter sounds.
    return "an" if letter in "aefhilmnorsx" else "a"
