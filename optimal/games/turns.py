"""The turns of a game as people write them: `salet=BYBBB crony=BYYBB`, or pairs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress

from optimal.checks import check_code, iterates
from optimal.errors import InputError
from optimal.games.feedback import COLOURS, WordFeedback
from optimal.games.info import History, Notation
from optimal.labels import pieces_of
from optimal.show.words import counted, quoted, shown

#: A position as the caller may write it: text, or pairs of a guess and its feedback (text or code).
PositionLike = str | Sequence[tuple[str, str | int]]


def turns_of(game: Notation, position: PositionLike) -> History:
    """The guesses and feedback codes of a position. InputError for text of another form, and for feedback that is none;
    whether such a position can be is not looked at."""
    if not iterates(position):
        raise InputError(
            f"a position is text, such as 'salet=bybbb', or pairs of a guess and its feedback, not {shown(position)}"
        )
    turns = _written_turns(game, position) if isinstance(position, str) else position
    history = []
    for number, turn in enumerate(turns, 1):
        if not (isinstance(turn, tuple | list) and len(turn) == 2 and isinstance(turn[0], str)):
            raise InputError(f"turn {number}, {shown(turn)}, is no pair of a guess and its feedback")
        guess, feedback = turn
        if isinstance(feedback, str):
            try:
                code = game.parse(feedback, game.written(guess))
            except InputError as error:
                letters, size = len(game.written(guess)), game.feedback.size if game.feedback is not None else 0
                if isinstance(game.feedback, WordFeedback) and letters != size:
                    wrong = f"has {counted(letters, 'letter')}, and words of this game have {size}"
                    raise InputError(f"turn {number}: {quoted(guess)} {wrong}") from None
                raise InputError(f"turn {number}, {quoted(guess)}: {error}") from None
        else:
            code = check_code(feedback, f"turn {number}, {quoted(guess)}")
        history.append((game.written(guess), code))
    return tuple(history)


def with_signs(game: Notation, text: str) -> str:
    """Turns of words with the sign `=` between guess and feedback, where `crane:bybbb`, `crane: bybbb`, `crane,bybbb`
    or `cranebybbb` is typed; a comma after a turn goes."""
    if not isinstance(game.feedback, WordFeedback):
        return text
    guess = rf"([^\W\d_]{{{game.feedback.size}}})"
    turn = re.compile(f"{guess}[:,]?([^=]+)")
    text = re.sub(rf"(?<!\w){guess}\s*:\s*", r"\1=", text)
    text = re.sub(rf",\s*(?={guess}=)", " ", text)
    words = [word.rstrip(",") or word for word in text.split()]
    for number, word in enumerate(words):
        found = turn.fullmatch(word)
        if found is not None:
            with suppress(InputError):
                game.parse(found[2], game.written(found[1]))
                words[number] = f"{found[1]}={found[2]}"
    return " ".join(words)


def _written_turns(game: Notation, text: str) -> list[tuple[str, str]]:
    pieces = pieces_of(with_signs(game, text))
    words = [word for word, sign in pieces if not sign]
    spelled_apart = game.feedback is not None and min(map(len, words), default=1) == 1  # such as "b y b y b"
    if len(words) == len(pieces) and len(words) % 2 == 0 and not spelled_apart:
        return list(zip(words[::2], words[1::2], strict=True))  # "salet bybbb crony byybb"
    turns: list[tuple[str, str]] = []
    left = pieces[::-1]
    while left:
        word, sign = left.pop()
        mark = len(word) == 1 or word.lower() in COLOURS
        if not sign and [sign for _, sign in left[:-3:-1]] == [True, False]:
            left.pop()
            turns.append((word, left.pop()[0]))
        elif turns and not sign and (mark or not isinstance(game.feedback, WordFeedback)):
            # Feedback may be written "b y b y b" or "grey yellow grey yellow grey", that of a peg game "2 1".
            turns[-1] = (turns[-1][0], f"{turns[-1][1]} {word}")
        else:
            word += left[-1][0] if sign and left else ""
            raise InputError(f"{quoted(word)} is no turn of a position: write GUESS=FEEDBACK, {_example(game)}")
    return turns


def _example(game: Notation) -> str:
    if game.feedback is None:
        return 'and labels with blanks or = in quotation marks: "a b"=c'
    return "such as salet=BYBBB" if isinstance(game.feedback, WordFeedback) else game.feedback.how_to
