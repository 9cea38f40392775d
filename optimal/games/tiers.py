"""Likely answers and other words: no list of answers is complete, so any guess may be the answer all the same.

Trees and totals are for the answers in the list. The other words are gone through once none of these fits what was
seen. Light: the player uses it too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from optimal.games.feedback import Feedback, WordFeedback
from optimal.games.info import describe
from optimal.games.rules import Rules, violation
from optimal.show.words import counted, listed

#: Words that a text lists.
MOST_SHOWN = 40


def other_words(feedback: Feedback | None, guesses: Iterable[str], answers: Iterable[str]) -> tuple[str, ...]:
    """The guesses that are not in the list of answers; none where that is no list of words that somebody chose."""
    if not isinstance(feedback, WordFeedback):
        return ()
    listed = set(answers)
    return tuple(guess for guess in guesses if guess not in listed)


def fitting_words(feedback: Feedback, history: Iterable[tuple[str, int]], words: Iterable[str]) -> tuple[str, ...]:
    """The words that would have brought the replies of all turns, were they the answer."""
    left = list(words)
    for guess, code in history:
        left = feedback.fitting(guess, code, left)
    return tuple(left)


def beyond(words: Sequence[str]) -> str:
    """What is to be said where no answer in the list fits, but these words do."""
    fit = "this other word fits" if len(words) == 1 else f"these {len(words)} other words fit"
    return f"Not in the list of answers; {fit}: {listed(words, MOST_SHOWN)}"


def counted_words(feedback: Feedback | None, number: int) -> str:
    """So many words, or codes of a peg game."""
    return counted(number, "word" if isinstance(feedback, WordFeedback) else "code")


def in_order(feedback: Feedback, guess: str, code: int) -> int:
    """The reply with the yellow ones of equal letters first: any other reply no word at all can bring."""
    if not isinstance(feedback, WordFeedback):
        return code
    marks = list(feedback.format(code))
    for letter in dict.fromkeys(guess):
        places = [at for at, one in enumerate(guess) if one == letter and marks[at] != "G"]
        for at, mark in zip(places, sorted((marks[at] for at in places), reverse=True), strict=True):
            marks[at] = mark
    return feedback.parse("".join(marks))


def mistyped(
    feedback: Feedback, rules: Rules, history: Sequence[tuple[str, int]], odd: int, *tiers: Sequence[str]
) -> str:
    """What is to be said of turns that no word fits: the order of equal letters, if it is wrong in the ``odd`` turn,
    and which turn is most likely mistyped, the one whose reply changed by one mark leaves most words of the first of
    these lists that has any. A reply that would forbid a later guess is none that was meant."""
    told, joint = "", ";"
    meant = (history[odd][0], in_order(feedback, *history[odd]))
    if meant != history[odd]:
        told = ": of equal letters the first is the yellow one"
        if any(fitting_words(feedback, [*history[:odd], meant, *history[odd + 1 :]], words) for words in tiers):
            told, joint = f"{told}, as in {describe(feedback, [meant])}", "; or"
    for words in tiers:
        left: Counter[tuple[int, int]] = Counter()
        for turn, (guess, _) in enumerate(history):
            rest = fitting_words(feedback, [*history[:turn], *history[turn + 1 :]], words)
            left.update((turn, feedback.score(guess, word)) for word in rest)
        near = {key: count for key, count in left.items() if _may_be(feedback, rules, history, *key)}
        if near:
            turn, code = max(near, key=lambda key: (near[key], -key[0], -key[1]))
            right, count = describe(feedback, [(history[turn][0], code)]), counted_words(feedback, near[turn, code])
            return f"{told}{joint} turn {turn + 1} may be mistyped: {right} would leave {count}"
    return told


def _may_be(feedback: Feedback, rules: Rules, history: Sequence[tuple[str, int]], turn: int, code: int) -> bool:
    """Whether this is the reply of a turn but for one mark, and ends no game and forbids no guess that came later."""
    guess, seen = history[turn]
    if code == feedback.winning_code and turn < len(history) - 1:
        return False
    one, other = feedback.format(code), feedback.format(seen)
    if len(one) != len(other) or sum(a != b for a, b in zip(one, other, strict=True)) != 1:
        return False
    return all(violation(rules, feedback, [(guess, code)], later) is None for later, _ in history[turn + 1 :])
