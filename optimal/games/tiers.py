"""Likely answers and other words: no list of answers is complete, so any guess may be the answer all the same.

Trees and totals are for the answers in the list. The other words are gone through once none of these fits what was
seen. Light: the player uses it too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from optimal.games.feedback import Feedback, WordFeedback
from optimal.games.info import describe
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


def never(feedback: Feedback | None, guess: str, code: int) -> str:
    """What is to be said of a reply that no word at all can bring, as a grey letter stands before an equal yellow one;
    nothing of other replies."""
    if not isinstance(feedback, WordFeedback):
        return ""
    marks = list(feedback.format(code))
    for letter in dict.fromkeys(guess):
        places = [at for at, one in enumerate(guess) if one == letter and marks[at] != "G"]
        for at, mark in zip(places, sorted((marks[at] for at in places), reverse=True), strict=True):
            marks[at] = mark
    meant = "".join(marks)
    if meant == feedback.format(code):
        return ""
    right = describe(feedback, [(guess, feedback.parse(meant))])
    return f"of equal letters the first is the yellow one, as in {right}"


def mistyped(feedback: Feedback, history: Sequence[tuple[str, int]], *tiers: Sequence[str]) -> str:
    """What is to be said of turns that no word fits: which of them is most likely mistyped, the one whose reply changed
    by one mark leaves most words of the first of these lists that has any; nothing where none has."""
    for words in tiers:
        left: Counter[tuple[int, int]] = Counter()
        for turn, (guess, _) in enumerate(history):
            rest = fitting_words(feedback, [*history[:turn], *history[turn + 1 :]], words)
            left.update((turn, feedback.score(guess, word)) for word in rest)
        near = {(turn, code): count for (turn, code), count in left.items() if _alike(feedback, code, history[turn][1])}
        if near:
            turn, code = max(near, key=lambda key: (near[key], -key[0], -key[1]))
            right = describe(feedback, [(history[turn][0], code)])
            return f"; turn {turn + 1} may be mistyped: {right} would leave {counted_words(feedback, near[turn, code])}"
    return ""


def _alike(feedback: Feedback, one: int, other: int) -> bool:
    """Whether two replies differ by one mark."""
    first, second = feedback.format(one), feedback.format(other)
    return len(first) == len(second) and sum(a != b for a, b in zip(first, second, strict=True)) == 1
