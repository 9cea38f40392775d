"""Weights of the answers: how much each counts in the total."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from operator import index
from pathlib import Path

from optimal.errors import InputError
from optimal.games.feedback import quoted
from optimal.games.game import Game
from optimal.games.presets import frequencies

#: The sum of the weights times the deepest cost stays below this.
MOST_COST = 1 << 62

NAMES = ("frequency", "file")


@dataclass(frozen=True)
class Weights:
    """One non-negative integer per answer of a game, in the order of its answers.

    ``name`` is "frequency" or "file", which is what a tree file can hold; ``note`` says in words what was scaled or
    filled in. Raises InputError for another name, and for values that are no whole numbers from 0 on.
    """

    name: str
    values: tuple[int, ...]
    note: str = ""

    def __post_init__(self) -> None:
        if self.name not in NAMES:
            uniform = "; uniform weights are None" if self.name == "uniform" else ""
            raise InputError(f"weights named {quoted(str(self.name))}: name them {' or '.join(NAMES)}{uniform}")
        try:
            values = tuple(index(value) for value in self.values)
        except TypeError:
            raise InputError("weights must be whole numbers, one for each answer") from None
        if values and min(values) < 0:
            raise InputError(f"the weight {min(values)} is negative: weights must be 0 or more")
        object.__setattr__(self, "values", values)


def weights_of(game: Game, source: str) -> Weights | None:
    """Weights by name or from a file: "uniform" (None), "frequency", or the path of a file.

    A file has a word and a non-negative number a line; decimals are scaled to integers by a power of ten. An answer
    without a weight gets 1 (before scaling), and is counted in the note. Weight 0 stays an answer that must be
    found. Raises InputError for a file that can't be read or has a bad line, and if all weights are 0.
    """
    if source == "uniform":
        return None
    if source == "frequency":
        return _assigned(game, {word: Decimal(count) for word, count in frequencies().items()}, "frequency", source)
    return _assigned(game, _read(Path(source)), "file", source)


def _assigned(game: Game, table: Mapping[str, Decimal], name: str, source: str) -> Weights:
    missing = [answer for answer in game.answers if answer not in table]
    chosen = [table.get(answer, Decimal(1)) for answer in game.answers]
    places = max(0, *(-_exponent(value) for value in chosen))
    values = tuple(int(value.scaleb(places)) for value in chosen)
    if not any(values):
        raise InputError(f"{source}: every answer has weight 0; one at least must be more")
    notes = []
    if places:
        notes.append(f"weights multiplied by 10^{places} to make them integers")
    if missing:
        listed = ", ".join(missing[:3]) + (", ..." if len(missing) > 3 else "")
        notes.append(f"{len(missing)} of {len(chosen)} answers have no weight and get 1: {listed}")
    return Weights(name, values, "; ".join(notes))


def _exponent(value: Decimal) -> int:
    exponent = value.normalize().as_tuple().exponent
    assert isinstance(exponent, int)
    return exponent


def _read(path: Path) -> dict[str, Decimal]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "not UTF-8 text"
        raise InputError(f"{os.fspath(path)}: {reason}") from None
    table: dict[str, Decimal] = {}
    for number, line in enumerate(text.splitlines(), 1):
        fields = line.split()
        if not fields:
            continue
        where = f"{os.fspath(path)}, line {number}"
        if len(fields) != 2:
            raise InputError(f"{where}: {quoted(line)} is not a word and a number")
        word = fields[0].lower()
        try:
            value = Decimal(fields[1])
        except InvalidOperation:
            raise InputError(f"{where}: {quoted(fields[1])} is not a number") from None
        if not value.is_finite() or value < 0:
            raise InputError(f"{where}: the weight {quoted(fields[1])} must be a finite number, 0 or more")
        if (value and not -18 <= value.normalize().as_tuple().exponent <= 18) or value >= Decimal(10) ** 18:  # type: ignore[operator]
            raise InputError(
                f"{where}: the weight {quoted(fields[1])} has more than 18 digits before or after the point"
            )
        if word in table:
            raise InputError(f"{where}: {quoted(word)} has a weight already")
        table[word] = value
    return table
