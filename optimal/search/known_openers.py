"""Exact totals of the best openers of shipped games, from data/openers.txt; `benchmarks/openers.py` makes that file.

Each section of the file is a game with its rules and the limit that it was searched within, and lists its best
openers: every opener with a total up to the last of them is there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from optimal.errors import InputError
from optimal.games.game import Game
from optimal.games.presets import preset_of
from optimal.games.resources import data_file, tree_file, tree_names
from optimal.trees.file import read_tree

FILE = "openers.txt"


@dataclass(frozen=True)
class KnownOpener:
    """An opener with its least total, and the least worst case among the trees of that total."""

    guess: str
    total: int
    worst: int


@dataclass(frozen=True)
class Section:
    """The best openers of one game."""

    game: str
    rules: str
    limit: int | None
    openers: tuple[KnownOpener, ...]

    def holds_within(self, limit: int | None) -> bool:
        """Are these the best openers within that limit as well?

        They are where none of their trees needs more: a tighter limit only takes trees away.
        """
        if limit is None or (self.limit is not None and self.limit <= limit):
            return self.limit == limit
        return all(opener.worst <= limit for opener in self.openers)


def known_openers(game: Game, top: int) -> Sequence[KnownOpener] | None:
    """The best `top` openers of a game within its limit, all ties of the last included; None if they aren't known."""
    for section in _sections_of(game):
        if len(section.openers) >= top:
            last = section.openers[top - 1].total
            return tuple(opener for opener in section.openers if opener.total <= last)
    return None


def known_opener(game: Game, guess: str) -> KnownOpener | None:
    """What is known of one opener of a game within its limit."""
    openers = (opener for section in _sections_of(game) for opener in section.openers)
    return next((opener for opener in openers if opener.guess == guess), None)


def best_of_shipped_tree(game: Game) -> KnownOpener | None:
    """The opener of the tree that ships for this very game, its rules and limit: no opener is better. None where no
    such tree is proven to be the best on average."""
    info = game.info
    known = preset_of(game.feedback, info.guesses_sha256, info.answers_sha256)
    name = "" if known is None else f"{known.name}-{game.rules}.msgpack"
    if name not in tree_names():
        return None
    tree = read_tree(tree_file(name))
    asked = (tree.status, tree.objective, tree.max_guesses) == ("OPTIMAL", "mean", game.max_guesses)
    return KnownOpener(tree.root.guess, tree.total, tree.worst) if asked else None


def _sections_of(game: Game) -> Iterator[Section]:
    info = game.info
    known = preset_of(game.feedback, info.guesses_sha256, info.answers_sha256)
    if known is None:
        return
    for section in sections():
        about = (section.game, section.rules)
        if about == (known.name, game.rules.value) and section.holds_within(game.max_guesses):
            yield section


@cache
def sections() -> tuple[Section, ...]:
    """All that is known. A section begins with "game rules limit"; its lines are "  guess total worst"."""
    found: list[Section] = []
    heading: tuple[str, str, int | None] | None = None
    openers: list[KnownOpener] = []

    def close() -> None:
        if heading is not None:
            found.append(Section(*heading, tuple(openers)))
        openers.clear()

    for number, line in enumerate(data_file(FILE).read_text(encoding="utf-8").splitlines(), 1):
        fields = line.split()
        if not fields or line.startswith("#"):
            continue
        try:
            first, second, third = fields
            if line.startswith(" "):
                openers.append(KnownOpener(first, int(second), int(third)))
            else:
                close()
                heading = (first, second, None if third == "none" else int(third))
        except ValueError:
            raise InputError(f"the shipped {FILE} was changed, line {number}: install the package anew") from None
    close()
    return tuple(found)
