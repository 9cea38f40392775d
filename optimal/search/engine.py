"""The engine shared by the searches of one process: game tables, costs, measured supersets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from optimal import _engine
from optimal._engine import Control, GameTables, Search, Stopped, Supersets
from optimal.games.feedback import WordFeedback
from optimal.games.game import Game
from optimal.games.legality import letters_of
from optimal.games.rules import Rules
from optimal.journal.records import Note
from optimal.limits import INFEASIBLE
from optimal.search.memory import Shares
from optimal.threads import in_parts

#: The shortcuts of the search, which tests switch off one by one: none of them changes a value.
SWITCHES = frozenset(_engine.SWITCHES)

#: Descriptions of the counters of each shortcut: (asked, settled).
COUNTED = _engine.COUNTED

#: Supersets pay off where many openers share them. Serve classes of at least `least` answers by sets of at most `ratio`
#: times their size that `uses` classes share, or that `touches` openers share as starting points of smaller sets.
_SUPERSETS_LARGE = {"least": 32, "ratio": 2.5, "uses": 32, "touches": 16}
_SUPERSETS_SMALL = {"least": 4, "ratio": 4.0, "uses": 2, "touches": 4}
_LARGE = 2000
#: Bytes per recorded set, and per guess in the list of a measured one.
_SET, _LISTED = 96, 3
#: With less memory than this, supersets are not used.
_SUPERSETS_LEAST = 16 << 20
#: Initial entries of a transposition table.
_SLOTS = 1 << 16
#: Symmetries are used in games of at most this many symbols and places.
_SYMBOLS, _PLACES = 64, 16
#: The tables of a game of at most so many codes are there within a second.
_SOON = 1 << 28
#: Codes read to value openers, at most: a quarter of a second.
_VALUED = 1 << 26
#: Openers whose sets are collected between two polls of the stop flag.
_COLLECTED = 256


@dataclass(frozen=True)
class Costs:
    """The cost of a tree: `weights` x depth, plus `late` x weight for every answer found after guess `by`.

    `late` exceeds every sum of weight x depth, so comparing costs compares (missed, total). If ``final``, the total is
    over the answers found: each of the others costs by + 1 + late.
    """

    weights: tuple[int, ...]
    by: int
    late: int
    final: bool = False

    @property
    def tiered(self) -> bool:
        """Whether there are so few different weights that searches with unit costs bound them."""
        return self.by < 0 and len(set(self.weights) - {0}) <= _engine.MOST_TIERS

    def parts(self, cost: int) -> tuple[int, ...]:
        """Return (missed, total), or (total,) where nothing can be missed."""
        missed = self.late + (self.by + 1 if self.final else 0)
        return divmod(cost, missed) if self.late else (cost,)


@dataclass
class Engine:
    """The tables of a game, the costs (None: the number of guesses), the switches turned off, the memory shares, and
    the supersets once measured."""

    tables: GameTables
    costs: Costs | None
    off: int
    shares: Shares
    supersets: Supersets | None = None
    measured: bool = False

    def search(self, control: Control, *, history: Sequence[tuple[int, int]] = (), main_thread: bool = False) -> Search:
        """Return a new search from after a ``history`` on, for one thread; ``main_thread`` if it runs in the thread
        that receives signals."""
        slots = self.shares.slots
        options: dict[str, Any] = {"off": self.off, "table_slots": min(_SLOTS, slots), "max_slots": slots}
        options["main_thread"] = main_thread
        if self.costs is not None:
            weights = np.array(self.costs.weights, dtype=np.int64)
            options.update(weights=weights, by=self.costs.by, late=self.costs.late, final=self.costs.final)
        return Search(self.tables, control, self.supersets, history, **options)


def new_control() -> Control:
    """Return an incumbent and a stop flag."""
    return Control(np.zeros(2, dtype=np.int64))


class Controlled:
    """A run whose searches look at one flag, by which it can be stopped from any thread."""

    control: Control
    stop_reason: str

    @property
    def stopped(self) -> bool:
        return bool(self.control.stopped)

    def stop(self, reason: str) -> None:
        """Stop all searches; what they have proven stays."""
        self.stop_reason = reason
        self.control.stop()


def budget_of(control: Control) -> int:
    """Return the budget of an opener: up to and including the incumbent, since a tree of equal cost may come first."""
    return min(control.incumbent + 1, INFEASIBLE)


def engine_limit(limit: int | None) -> int:
    """Return a limit of guesses as the engine takes it."""
    return _engine.NO_LIMIT if limit is None else min(limit, _engine.NO_LIMIT)


class Searcher(Protocol):
    """A search of a game or of a table."""

    @property
    def nodes(self) -> int: ...
    def export_bounds(self) -> list[Any]: ...


def counters_of(search: Searcher) -> tuple[int, ...]:
    """Return what a search has done so far: its nodes first."""
    if not isinstance(search, Search):
        return (search.nodes,)
    return (search.nodes, search.count_calls, *chain.from_iterable(search.tallies.values()))


def export_bounds(search: Searcher) -> list[Note]:
    """Return the notes that a search has taken since the last call."""
    found = search.export_bounds()
    return [Note(history, None if left >= _engine.NO_LIMIT else left, *rest) for history, left, *rest in found]


def import_bounds(search: Search, note: Note) -> None:
    """Import another search's note into a search."""
    history, left, *rest = note
    search.import_bounds(history, engine_limit(left), *rest)


def tables_of(game: Game, control: Control | None = None) -> GameTables:
    """Return the engine's tables of a game, with the structure that its rules need. Raises Stopped if a control stops
    it and the game is large."""

    def parts(total: int, size: int, do: Callable[[int, int], object]) -> None:
        def unless_stopped(first: int, end: int) -> None:
            if control is not None and control.stopped and game.matrix.size > _SOON:
                raise Stopped
            do(first, end)

        in_parts(total, size, unless_stopped)

    letters = digits = replies = symbols = None
    if isinstance(game.feedback, WordFeedback):
        letters = _symbols(game)
    elif is_symmetric(game):
        found = _symbols(game)
        if found.shape[1] <= _PLACES and found.max() < _SYMBOLS:
            symbols = found.astype(np.uint8)
    if game.rules is Rules.HARD:
        assert isinstance(game.feedback, WordFeedback)
        digits = _digits(game.feedback)
    elif game.rules is Rules.ULTRA_HARD:
        replies = game.matrix
        if game.feedback is not None and game.guesses != game.answers:
            replies = game.feedback.matrix(game.guesses, game.guesses)
    return GameTables(
        game.matrix,
        game.answer_guess,
        game.winning_code,
        letters=letters,
        digits=digits,
        replies=replies,
        symbols=symbols,
        in_parts=parts,
    )


def is_symmetric(game: Game) -> bool:
    """Return whether every renaming of symbols and every permutation of places maps the game to itself: true of a peg
    game whose answers and guesses are all codes."""
    return game.feedback is not None and game.feedback.symmetric and game.answers == game.guesses


def promising(tables: GameTables, openers: Iterable[int]) -> list[int]:
    """Return openers in search order: by expected bits still missing, which finds a strong incumbent early. Where these
    take long, only the openers with the most classes are valued, and the others follow by that number."""
    openers, classes = list(openers), tables.classes
    first = max(1, _VALUED // tables.answers)
    if len(openers) > first:
        openers.sort(key=lambda guess: (-int(classes[guess]), guess))
    valued = openers[:first]
    missing = tables.spread(valued).tolist() if len(valued) > 1 else [0]
    return [guess for _, guess in sorted(zip(missing, valued, strict=False))] + openers[first:]


def supersets_for(
    tables: GameTables,
    feedback: WordFeedback,
    openers: Sequence[int],
    most: int | None = None,
    going_on: Callable[[], bool] = lambda: True,
) -> tuple[Supersets, npt.NDArray[np.int32]] | None:
    """Return supersets of the openers' classes, and which of them to measure; None where they can't pay off. Collect
    fewer if they would take more than ``most`` bytes, or once ``going_on()`` is false."""
    size = _SUPERSETS_LARGE if len(openers) >= _LARGE else _SUPERSETS_SMALL
    if not 3 <= feedback.length <= 5 or len(openers) < 8 or (len(openers) < _LARGE and tables.answers > 500):
        return None
    if most is not None and most < _SUPERSETS_LEAST:
        return None
    supersets = Supersets(tables, _digits(feedback), int(size["least"]))
    for at in range(0, len(openers), _COLLECTED):
        if going_on() and (most is None or supersets.used * _SET < most // 2):
            supersets.collect(np.array(openers[at : at + _COLLECTED], dtype=np.int32), size["ratio"])
    which, room = supersets.worth(int(size["uses"]), int(size["touches"]))
    if most is not None:
        # The first sets recorded are those of the most promising openers.
        which = which[np.cumsum(room) * _LISTED <= most - supersets.used * _SET]
    return supersets, which


def _symbols(game: Game) -> npt.NDArray[np.int32]:
    """Return the symbols of the guesses as small numbers in code point order, shape (guesses, places)."""
    known = sorted(map(ord, set("".join(game.guesses))))  # numpy.unique is slower, and slow to import
    return np.searchsorted(known, letters_of(game.guesses)).astype(np.int32)


def _digits(feedback: WordFeedback) -> npt.NDArray[np.uint8]:
    """Return the feedback at each position of every code, shape (codes, length)."""
    codes = np.arange(feedback.codes)
    return np.stack([codes // 3**place % 3 for place in range(feedback.length)], axis=1).astype(np.uint8)
