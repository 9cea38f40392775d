"""Answers used before: newspapers seldom repeat one soon, so the others are likelier."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

from optimal.checks import check_path
from optimal.errors import InputError
from optimal.files import read_text
from optimal.games.feedback import WordFeedback
from optimal.games.game import Game, check_game
from optimal.games.weights import Weights
from optimal.readers import number_of
from optimal.show.words import counted, listed, quoted

#: The weight of an answer used before, where the others weigh 1; what ends the name of a game with other answers.
USED_WEIGHT, USED = "1/10", "-used"
_MONTHS = frozenset(("march", "april"))  # those that are words of a game
#: Beside a date in numbers, last after a number that is no day or year, or first before one.
_MONTH_AS_WORD = re.compile(
    r"\b(\d{4}[-/.]\d\d?[-/.]\d\d?|\d\d?[-/.]\d\d?[-/.]\d{2,4})\b"
    r"|\b(?!(19|20)\d\d\b)(3[2-9]|[4-9]\d|\d{3,})\W+(march|april)\W*$|^\W*(march|april)\W+(?!(19|20)\d\d\b)\d{3}",
    re.ASCII | re.IGNORECASE,
)


def with_used(
    game: Game | str, source: str | os.PathLike[str], weight: str | float | Decimal | Fraction = USED_WEIGHT
) -> tuple[Game, Weights | None]:
    """Return a word game whose answers in a list weigh less, as they were used before, and the weights.

    Words of the list that are no answers become answers, and guesses where they were none: somebody has used them.

    >>> from pathlib import Path
    >>> from optimal import with_used
    >>> size = Path("used.txt").write_text("cigar rebut")
    >>> game, weights = with_used("classic", "used.txt")
    >>> weights.note
    '2 of 2315 answers were used before and count 1/10'

    Parameters
    ----------
    game : Game or str
        A game of words, or the name of a preset.
    source : str or path
        A file of words used: one a line or several; or a date or a number and a word on each line, in any order, as
        public lists have them. Lines without such a word are skipped.
    weight : str or number
        What a used answer weighs, where the others weigh 1: "1/10", 0.1, 0 or more. With 0 it is no answer any more.

    Returns
    -------
    tuple of Game and Weights
        Their note tells how many are used, and which words are new. The weights are None for weights 0 and 1.

    Raises
    ------
    InputError
        For a file that can't be read or has no word of this game, for another kind of game, and for what is no weight.

    Examples
    --------
    >>> from pathlib import Path
    >>> from optimal import Game, with_used
    >>> _ = Path("used.txt").write_text("2026-02-01 fight")
    >>> game, weights = with_used(Game.from_words(["fight", "light", "night"]), "used.txt")
    >>> weights.values
    (1, 10, 10)
    """
    game = check_game(game)
    if not isinstance(game.feedback, WordFeedback):
        raise InputError(f"{game.name}: only a game of words has answers used before")
    share = _share(weight)
    path = check_path(source, "the words used before")
    used = _words_of(game, read_text(path, "words used before"))
    if not used:
        raise InputError(f"{path}: no words of {len(game.guesses[0])} letters: one a line, or dates and words")
    known = used.intersection(game.answers)
    if not known:
        raise InputError(f"{path}: none of its words is an answer of {game.name}, such as {game.answers[0]}")
    if not share:
        left = [answer for answer in game.answers if answer not in used]
        if not left:
            raise InputError(f"{path}: every answer of {game.name} is in it; with weight 0 none is left")
        words = game.guesses if used <= set(game.guesses) else sorted(used.union(game.guesses))
        return _with_answers(game, words, left), None
    note = f"{len(known)} of {len(game.answers)} answers were used before and count {share}"
    if new := sorted(used - known):
        note += f"; added, as {counted(len(new), 'word')} that the list of answers lacks: {listed(new, 5)}"
        game = _with_answers(game, sorted(used.union(game.guesses)), [*game.answers, *new])
    values = tuple(share.numerator if word in used else share.denominator for word in game.answers)
    return game, None if share == 1 else Weights("file", values, note)


def _with_answers(game: Game, guesses: Sequence[str], answers: Sequence[str]) -> Game:
    """The game with other lists."""
    name, rules, limit, spelling = f"{game.name}{USED}", game.rules, game.max_guesses, game.spelling
    return Game.from_words(guesses, answers, name=name, rules=rules, max_guesses=limit, spelling=spelling)


def _share(weight: object) -> Fraction:
    """The weight of a used answer; a share may be written such as 1/10."""
    where = "the weight of used answers"
    if isinstance(weight, str) and weight.count("/") == 1:
        above, below = (number_of(part, where) for part in weight.split("/"))
        if not below:
            raise InputError(f"{where}: {quoted(weight)} divides by nothing")
        return above / below
    return number_of(weight, where)


def _words_of(game: Game, text: str) -> set[str]:
    """The used words of a file: all of a line of such words alone; of one with dates or numbers that before each, where
    the line begins so, or else the first after each; else the last. Words that may be guessed come before others, and
    a month is one only beside the date."""
    length, guesses = len(game.guesses[0]), set(game.guesses)
    used: set[str] = set()
    for line in re.split(r"[\n}]", text):  # also between the objects of JSON
        line = re.sub(r'"[^"]*"\s*:|#\D*$', " ", line)  # a key of JSON, and a comment
        parts = [game.written(part) for part in re.findall(r"\d+|[^\W\d_]+", line)]
        fitting = [part for part in parts if len(part) == length and not part.isdigit()]
        if not any(part.isdigit() for part in parts):
            used.update(fitting if len(fitting) == len(parts) else ())
        elif dated := [word for word in fitting if word not in _MONTHS]:
            named = [word for word in dated if word in guesses]
            used.update(_by_numbers(parts, set(named)) or (named or dated)[-1:])
        elif _MONTH_AS_WORD.search(line):
            used.update(fitting[-1:])
    return used


def _by_numbers(parts: list[str], words: set[str]) -> list[str]:
    """Those of the words that stand before a number, if the first of them does, or else come first after one."""
    first = next(place for place, part in enumerate(parts) if part.isdigit())
    if first and parts[first - 1] in words:
        return [part for part, after in pairwise(parts) if part in words and after.isdigit()]
    found, waiting = [], False
    for part in parts:
        if waiting and part in words:
            found.append(part)
        waiting = part.isdigit() or (waiting and part not in words)
    return found
