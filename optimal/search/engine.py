"""The engine as the searches of one process share it: the tables of a game, the costs, measured supersets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from optimal import _engine
from optimal._engine import Control, GameTables, Search, Supersets
from optimal.games.feedback import WordFeedback
from optimal.games.game import Game
from optimal.games.legality import letters_of
from optimal.games.making import feedback_matrix
from optimal.games.rules import Rules
from optimal.journal.records import Note
from optimal.limits import INFEASIBLE
from optimal.search.memory import Shares

#: The search's shortcuts, for tests that leave them out one by one: none of them changes a value.
SWITCHES = frozenset(_engine.SWITCHES)

#: What is counted of each, in words: (asked, settled).
COUNTED = _engine.COUNTED

#: Supersets pay where many openers share them: serve classes of at least `least` answers by sets of at most `ratio`
#: times their size that `uses` classes share, or, as starting points for smaller ones, `touches` openers.
_SUPERSETS_LARGE = {"least": 32, "ratio": 2.5, "uses": 32, "touches": 16}
_SUPERSETS_SMALL = {"least": 4, "ratio": 4.0, "uses": 2, "touches": 4}
_LARGE = 2000
#: Bytes of memory for a set that is noted, and for a guess in the list of one that is measured.
_SET, _LISTED = 96, 3
#: With less memory than this the sets that pay are not found.
_SUPERSETS_LEAST = 16 << 20
#: Entries of a transposition table to begin with.
_SLOTS = 1 << 16
#: Symmetries are known of games with so many symbols and places at most.
_SYMBOLS, _PLACES = 64, 16
#: Openers whose sets are collected between two looks at the stop flag.
_COLLECTED = 256


@dataclass(frozen=True)
class Costs:
    """What a tree is charged for: `weights` x depth, and `late` x weight more for every answer found after `by`.

    `late` exceeds every sum of weight x depth, so that comparing costs compares (missed, total).
    """

    weights: tuple[int, ...]
    by: int
    late: int

    def parts(self, cost: int) -> tuple[int, ...]:
        """(missed, total), or (total,) where nothing can be missed."""
        return divmod(cost, self.late) if self.late else (cost,)


@dataclass
class Engine:
    """The tables of a game, the costs (None: the number of guesses), the switches left out, and what tables and
    supersets may take of the memory; once measured, supersets."""

    tables: GameTables
    costs: Costs | None
    off: int
    shares: Shares
    supersets: Supersets | None = None
    measured: bool = False

    @classmethod
    def of(cls, game: Game, costs: Costs | None, without: frozenset[str], shares: Shares) -> Engine:
        """An engine whose tables keep to these shares of the memory."""
        off = sum(_engine.SWITCHES[name] for name in without)
        return cls(tables_of(game), costs, off, shares)

    def search(self, control: Control, *, main_thread: bool = False) -> Search:
        """A search of its own, for one thread; ``main_thread`` if that is the one which receives signals."""
        slots = self.shares.slots
        options: dict[str, Any] = {"off": self.off, "table_slots": min(_SLOTS, slots), "max_slots": slots}
        options["main_thread"] = main_thread
        if self.costs is not None:
            weights = np.array(self.costs.weights, dtype=np.int64)
            options.update(weights=weights, by=self.costs.by, late=self.costs.late)
        return Search(self.tables, control, self.supersets, **options)


def new_control(cells: npt.NDArray[np.int64] | None = None) -> Control:
    """An incumbent and a stop flag, in these two cells or in two of its own."""
    return Control(np.zeros(2, dtype=np.int64) if cells is None else cells)


def budget_of(control: Control) -> int:
    """What an opener is searched for: up to and including the incumbent, as one of equal cost may come before it."""
    return min(control.incumbent + 1, INFEASIBLE)


def engine_limit(limit: int | None) -> int:
    """A limit of guesses as the engine takes it."""
    return _engine.NO_LIMIT if limit is None else min(limit, _engine.NO_LIMIT)


class Noting(Protocol):
    """A search, of a game or of a table, that takes notes."""

    def noted(self) -> list[Any]: ...


def noted(search: Noting) -> list[Note]:
    """What a search has noted since it was asked."""
    found = search.noted()
    return [Note(history, None if left >= _engine.NO_LIMIT else left, *rest) for history, left, *rest in found]


def learn(search: Search, note: Note) -> None:
    """Let a search know what another has noted."""
    history, left, *rest = note
    search.learn(history, engine_limit(left), *rest)


def tables_of(game: Game) -> GameTables:
    """The engine's tables of a game, with the structure that its rules need."""
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
            replies = feedback_matrix(game.feedback, game.guesses, game.guesses)
    return GameTables(
        game.matrix,
        game.answer_guess,
        game.winning_code,
        letters=letters,
        digits=digits,
        replies=replies,
        symbols=symbols,
    )


def is_symmetric(game: Game) -> bool:
    """Whether any renaming of symbols, and any order of the places, maps the game to itself: a peg game whose answers
    and guesses are all codes."""
    return game.feedback is not None and game.feedback.symmetric and game.answers == game.guesses


def promising(tables: GameTables, openers: Iterable[int]) -> list[int]:
    """Openers in the order to try them: by expected bits still missing, which finds a strong incumbent early."""
    openers = list(openers)
    missing = tables.spread(openers).tolist() if len(openers) > 1 else [0]
    return [guess for _, guess in sorted(zip(missing, openers, strict=False))]


def supersets_for(
    tables: GameTables,
    feedback: WordFeedback,
    openers: Sequence[int],
    most: int | None = None,
    going_on: Callable[[], bool] = lambda: True,
) -> tuple[Supersets, npt.NDArray[np.int32]] | None:
    """Supersets of the openers' classes, and which of them to measure. None where they can't pay. Fewer of them where
    they would take more than ``most`` bytes, and once not ``going_on()``."""
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
        # The sets noted first are those of the most promising openers.
        which = which[np.cumsum(room) * _LISTED <= most - supersets.used * _SET]
    return supersets, which


def _symbols(game: Game) -> npt.NDArray[np.int32]:
    """The symbols of the guesses as small numbers in code point order, shape (guesses, places)."""
    known = sorted(map(ord, set("".join(game.guesses))))  # numpy.unique takes longer, and a module that is slow to load
    return np.searchsorted(known, letters_of(game.guesses)).astype(np.int32)


def _digits(feedback: WordFeedback) -> npt.NDArray[np.uint8]:
    """The feedback at each position of every code, shape (codes, length)."""
    codes = np.arange(feedback.codes)
    return np.stack([codes // 3**place % 3 for place in range(feedback.length)], axis=1).astype(np.uint8)
