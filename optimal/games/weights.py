"""Weights of the answers: how much each counts in the total."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from optimal.checks import check_path, check_whole, iterates
from optimal.errors import InputError
from optimal.files import read_text
from optimal.games.game import Game, check_game
from optimal.games.presets import frequencies
from optimal.labels import unquoted
from optimal.limits import INFEASIBLE
from optimal.readers import number_of
from optimal.show.words import listed, quoted, shown

#: Weights are multiplied by no greater power of ten.
_MOST_PLACES = 120

NAMES = ("frequency", "file")


@dataclass(frozen=True, repr=False)
class Weights:
    """One non-negative integer per answer of a game, in the order of its answers; not all of them 0.

    ``name`` is "frequency", or "file" for all others, as tree files have it; ``note`` says in words what was scaled
    or filled in. Equal weights for all are no Weights but None. Raises InputError for other names and values.
    """

    name: str
    values: tuple[int, ...]
    note: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or self.name not in NAMES:
            raise InputError(f"weights are named frequency or file, not {shown(self.name)}; uniform ones are None")
        if isinstance(self.values, str | bytes | Mapping) or not iterates(self.values):
            raise InputError(f"weights must be a list of whole numbers, one for each answer, not {shown(self.values)}")
        values = tuple(
            check_whole(value, f"weight {number}", 0, INFEASIBLE - 1) for number, value in enumerate(self.values, 1)
        )
        if not any(values):
            raise InputError("every answer has weight 0; one at least must be more")
        object.__setattr__(self, "values", values)

    def __repr__(self) -> str:
        note = f", {self.note}" if self.note else ""
        return f"<Weights {self.name}, {len(self.values)} answers{note}>"


def check_weights(game: Game, weights: object) -> Weights | None:
    """Weights with one for each answer of the game, or None."""
    if weights is None:
        return None
    if not isinstance(weights, Weights):
        raise InputError(
            "weights must be made by weights_of(game, ...), from a name, a file or a dictionary of words and numbers; "
            f"{shown(weights)} is none"
        )
    if len(weights.values) != len(game.answers):
        raise InputError(f"{len(game.answers)} weights are needed, one for each answer, not {len(weights.values)}")
    return weights


def weights_of(
    game: Game | str, source: str | os.PathLike[str] | Mapping[str, int | float | Decimal]
) -> Weights | None:
    """How much each answer of a game counts.

    >>> from optimal import weights_of
    >>> weights = weights_of("mastermind:2x2", {"11": 5, "12": 0.5})
    >>> weights.values
    (50, 5, 10, 10)

    Parameters
    ----------
    game : Game or str
        A game, or the name of a preset.
    source : str, path or mapping
        A name, "uniform" (which is None) or "frequency"; the path of a file with a word and a number a line; or words
        and their numbers. Decimals are scaled to integers by a power of ten.

    Returns
    -------
    Weights or None
        An answer without a weight gets 1 (before scaling), and is counted in the note, as are words that are no
        answers: a table of frequencies may have more words than the game. Weight 0 stays an answer that must be found.

    Raises
    ------
    InputError
        For a file that can't be read or has a bad line, if no word is an answer, and if all weights are 0.
    """
    game = check_game(game)
    if isinstance(source, Mapping):
        return _assigned(game, _listed(game, source), "file", "the weights")
    if not isinstance(source, str | os.PathLike):
        raise InputError(
            "weights are uniform, frequency, the name of a file, or a dictionary of words and numbers, "
            f"not {shown(source)}"
        )
    if source == "uniform":
        return None
    if source == "frequency":
        return _assigned(game, {word: Fraction(count) for word, count in frequencies().items()}, "frequency", source)
    path = check_path(source, "the weights")
    if path.startswith("tiers:") and not os.path.exists(path):
        every = "for weights_of(any_answer(game), {answer: N for answer in game.answers})"
        raise InputError(f"{quoted(path)} is of another game, where every guess is an answer: it stands {every}")
    return _assigned(game, _read(game, path), "file", path)


def _assigned(game: Game, table: Mapping[str, Fraction], name: str, source: str) -> Weights:
    missing = [answer for answer in game.answers if answer not in table]
    if len(missing) == len(game.answers):
        raise InputError(f"{source}: none of its words is an answer of {game.name}, such as {game.answers[0]}")
    chosen = [table.get(answer, Fraction(1)) for answer in game.answers]
    if not any(chosen):
        raise InputError(f"{source}: every answer has weight 0; one at least must be more")
    units = math.lcm(*(value.denominator for value in chosen))
    places = next((places for places in range(_MOST_PLACES) if 10**places % units == 0), None)
    if places is None:
        raise InputError(f"{source}: weights must be decimals, such as 12 or 0.5, not thirds")
    notes = []
    if places:
        notes.append(f"weights multiplied by 10^{places} to make them integers")
    if missing:
        notes.append(f"{len(missing)} of {len(chosen)} answers have no weight and get 1: {listed(missing, 3)}")
    strangers = sorted(table.keys() - set(game.answers))
    if strangers and name == "file":  # the shipped table has every word that is in print
        are = "is no answer and counts" if len(strangers) == 1 else "are no answers and count"
        few = listed([*map(quoted, strangers)], 3)
        notes.append(f"{len(strangers)} of {len(table)} words {are} nothing: {few}")
    return Weights(name, tuple(int(value * 10**places) for value in chosen), "; ".join(notes))


def _listed(game: Game, source: Mapping[str, object]) -> dict[str, Fraction]:
    table: dict[str, Fraction] = {}
    for word, number in source.items():
        if not isinstance(word, str):
            raise InputError(f"the weights must be of words; {shown(word)} is none")
        if isinstance(number, str):
            raise InputError(f"the weights, {quoted(word)}: {shown(number)} is no number")
        _put(table, game.written(word), number, f"the weights, {quoted(word)}")
    return table


def _read(game: Game, path: str) -> dict[str, Fraction]:
    table: dict[str, Fraction] = {}
    for number, line in enumerate(read_text(path, "weights").split("\n"), 1):
        # A comma, a semicolon or a tab will do for the blank; a label of a bare matrix may have blanks in it.
        if game.feedback is not None:
            fields = re.sub(r"^([^\s,;]+)\s*[,;]\s*", r"\1 ", line.strip()).split()
        else:
            fields = re.sub(r"\s*[,;\t]\s*(?=[^\s,;]+$)", " ", line.strip()).rsplit(maxsplit=1)
        if not fields:
            continue
        where = f"{path}, line {number}"
        if len(fields) != 2:
            raise InputError(f"{where}: {quoted(line)} is not a word and a number")
        _put(table, game.written(unquoted(fields[0])), fields[1], where)
    return table


def _put(table: dict[str, Fraction], word: str, number: object, where: str) -> None:
    """Enter a word and its number; `where` opens the message if it's no weight."""
    weight = number_of(number, where, "weight")
    if word in table:
        raise InputError(f"{where}: {quoted(word)} has a weight already")
    table[word] = weight
