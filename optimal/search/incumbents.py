"""A tree at once, and better ones soon: what is done before openers are settled one by one.

Greedy play comes first. Where the first opener is settled soon there is nothing to be gained by more of it; where not,
its search and beams over the most promising openers take turns, each turn longer and wider than the one before.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from optimal._engine import ROUNDS, GameTables, Search
from optimal.games.rules import Rules
from optimal.limits import INFEASIBLE
from optimal.search.game_run import GameRun
from optimal.search.jobs import FEW, FIRST_SLICE, by_one, hand_out, settle_slice
from optimal.search.nogoods import all_together
from optimal.search.replay import replay

if TYPE_CHECKING:
    from optimal._engine import Nested

#: Looks at the stop flag, of 2^24 codes each (some milliseconds), that the first turn may take; each later one takes
#: twice as many. Greedy play looks at the whole matrix a few times.
_TURN = 200
_LOOK = 1 << 24
_GREEDY_LOOKS = 16
#: Openers that greedy play tries beyond the first: where the limit binds, few may have a tree. Each has a part of a
#: turn, since most of what has no tree shows that soon, and then a whole one.
_GREEDY = 8
_GREEDY_PART = 8
#: Openers that are tried for a low tree.
_LOW = 24
#: Rounds before the proof begins, where there are several openers or several searches.
_ROUNDS = 2
#: Openers that the beams of a round are spent on; of the first, which is greedy play, where there are few openers.
_OPENERS = (4, 4, 8, 8, 8, 8)
#: Where the limit binds: openers among which trees are looked for, of the most promising so many (fewer where that
#: takes more than so many codes); and what a place in the order of answers kept together is worth, in places of the
#: order of promise.
_HUNTED = 256
_PROMISING = 4096
_CODES = 1 << 29
_TOGETHER = 20
#: Beams of a hunt before the proof, and the rounds that they go on with one opener.
_FIRST_BEAMS = 32
_FIRST_ROUNDS = 3
#: Turns of the proof for every turn of the hunt beside it, and rounds that this one goes on with one opener: each takes
#: a search twice as long from the proof, whose least bound may be among its openers.
_PROOF_TURNS = 2
_HUNT_ROUNDS = 5
#: Openers that are held against a class at once.
_CHUNK = 1024


def find_incumbent(
    run: GameRun, searches: Sequence[Search], order: Sequence[int]
) -> tuple[bool, Callable[[Search, int], int] | None]:
    """Find a tree that begins with one of these openers, most promising first, and better ones while the best of the
    openers isn't settled. Returns whether it was, after some rounds: then others will be soon, too; and where the limit
    binds, a hunt that may go on beside the proof."""
    run.report("greedy play", 0, 0)
    run.statistics.begin(run.searches)
    turn = _turn(run)
    found: list[int] = []  # openers that greedy play has a tree of, which may be worse than one that is kept
    by_one(run.control, searches, order[:1], partial(_greedy, run, turn, found))
    part = turn // _GREEDY_PART
    hunt = None
    if not found and len(order) > 1 and not run.stopped:
        likely, hunted = _where_limits_bind(searches[0].tables, order)
        hunt = Hunt(run, hunted)
        hand_out(run.control, searches, likely[:_GREEDY], partial(_greedy, run, part, found))
    if not found:  # then it may take long, and a first bound of it does not
        by_one(run.control, searches, order[:1], partial(_settle, run, max(FIRST_SLICE, part)))
        if hunt is not None and order[0] not in run.settled and run.control.incumbent >= INFEASIBLE:
            hunt.begin(searches)
            if run.best_tree is not None:  # the hunt goes on beside a long proof
                guess = run.best_tree.nested[0]
                by_one(run.control, searches, [guess], partial(_settle, run, part))
                return guess in run.settled, hunt.go_on
    beside = None if hunt is None else hunt.go_on
    for round in range(ROUNDS if len(order) == len(searches) == 1 else _ROUNDS):
        looks = turn << round
        if round > 0 or len(order) <= FEW:
            hand_out(run.control, searches, order[: _OPENERS[round]], partial(_beam, run, round, looks))
        guess = order[0] if run.best_tree is None else run.best_tree.nested[0]
        by_one(run.control, searches, [guess], partial(_settle, run, looks))
        if guess in run.settled or run.stopped:
            return guess in run.settled, beside
    return False, beside


class Hunt:
    """Trees looked for where the limit keeps the most promising openers from having one: by those that may, in turn.
    An opener goes on to wider beams while no other did better with beams as wide. Threads share it."""

    def __init__(self, run: GameRun, openers: Sequence[int]) -> None:
        self._run = run
        self._turn = _turn(run)
        self._lock = threading.Lock()
        self._waiting, self._last = deque(openers), deque[int]()
        self._vain = np.zeros(len(run.game.guesses), dtype=np.bool_)
        self._least = [INFEASIBLE] * ROUNDS  # the best tree of a round
        # By the search that has their plans: cost, opener and next round.
        self._going_on: dict[Search, list[tuple[int, int, int]]] = {}

    def begin(self, searches: Sequence[Search]) -> None:
        """Some beams before the proof."""

        def beam(search: Search, _: int) -> None:
            self._beam(search, _FIRST_ROUNDS)

        hand_out(self._run.control, searches, range(_FIRST_BEAMS), beam)

    def go_on(self, search: Search, looks: int) -> int:
        """Let a search that was so many looks at the proof look for a tree, if it is time. Returns what is left of the
        looks that count, less than 0 after wide beams."""
        if looks < _PROOF_TURNS * self._turn:
            return looks
        round = self._beam(search, _HUNT_ROUNDS)
        return looks if round is None else looks - (_PROOF_TURNS * self._turn << round)

    def _beam(self, search: Search, rounds: int) -> int | None:
        """The beam of a search that is next. Returns its round; None if there is none left."""
        run, chosen = self._run, self._next(search, rounds)
        if chosen is None:
            return None
        guess, round = chosen
        budget = self._least[round]
        cost = search.beam_opener(guess, run.left, round, budget, self._turn << round)
        if cost < budget:
            run.found(cost, guess, search)
        with self._lock:
            if cost < self._least[round]:
                self._least[round] = cost
                self._going_on.setdefault(search, []).append((cost, guess, round + 1))
        if search.failed >= 0 and run.game.rules is Rules.NORMAL:
            self._gave_up(run.game.matrix, guess, search.failed)
        return round

    def _next(self, search: Search, rounds: int) -> tuple[int, int] | None:
        """An opener of this search that goes on, or one that none has tried, those last that seem vain."""
        run = self._run
        with self._lock:
            ours = [one for one in self._going_on.get(search, ()) if one[0] == self._least[one[2] - 1]]
            self._going_on[search] = ours
            for cost, guess, round in ours:
                if round < rounds:
                    ours.remove((cost, guess, round))
                    return guess, round
            while self._waiting or self._last:
                guess = (self._waiting or self._last).popleft()
                if guess in run.settled or run.lows.get(guess, 0) >= run.control.incumbent:
                    continue
                if self._waiting and self._vain[guess]:
                    self._last.append(guess)
                else:
                    return guess, 0
        return None

    def _gave_up(self, matrix: npt.NDArray[np.unsignedinteger], guess: int, code: int) -> None:
        """No tree was found of this class of an opener: those that keep it together aren't worth trying before others,
        unless their hints leave other guesses."""
        answers, winning = np.flatnonzero(matrix[guess] == code), self._run.game.winning_code
        parts = np.array_split(matrix, max(1, len(matrix) // _CHUNK))
        together = np.concatenate([all_together(part[:, answers], winning) for part in parts])
        with self._lock:
            self._vain |= together


def _turn(run: GameRun) -> int:
    return _TURN + _GREEDY_LOOKS * run.game.matrix.size // _LOOK


def _where_limits_bind(tables: GameTables, order: Sequence[int]) -> tuple[list[int], list[int]]:
    """The most promising openers, those first that are most likely to have a tree; and some of them, those first whose
    trees are most likely to be good ones, too. Answers that a guess leaves together with many like them are what limits
    of guesses bind on: all ten openers of classic-all that greedy play finds a tree of, of the 37 that leave the fewest
    pairs together, are beyond the thousandth place by promise."""
    most = _CODES // (2 * len(tables.alike_pairs()) + 1)
    openers = np.array(order[: min(_PROMISING, max(_HUNTED, most))])
    together = np.argsort(tables.alike_together(openers.tolist()), kind="stable")
    places = np.empty(len(openers), dtype=np.int64)
    places[together] = np.arange(len(openers))
    both = np.argsort(np.arange(len(openers)) + _TOGETHER * places, kind="stable")[:_HUNTED]
    return openers[together].tolist(), openers[both].tolist()


def settles_soon(run: GameRun, searches: Sequence[Search], order: Sequence[int]) -> bool:
    """Whether the first of these openers is settled in one turn, others being known: then more will be soon, too."""
    run.work_begins()
    if run.best_tree is None:  # what is known came without a tree
        by_one(run.control, searches, run.best_openers[:1], partial(_greedy, run, _turn(run), []))
    by_one(run.control, searches, order[:1], partial(_settle, run, _TURN))
    return all(guess in run.settled for guess in order[:1])


def low_tree(run: GameRun, search: Search, order: Sequence[int]) -> Nested | None:
    """The last of greedy trees that begin with the most promising opener that has one, each lower than the one before;
    None where there is none."""
    run.report("greedy play", 0, 0)
    found: list[Nested] = []

    def lower(search: Search, guess: int) -> None:
        if found:
            return
        left = run.left
        while search.beam_opener(guess, left, 0, INFEASIBLE, _TURN // _GREEDY_PART) < INFEASIBLE:
            nested = search.likely_tree(guess, left)
            if nested is None:
                return
            found.append(nested)
            left = max(replay(run.game, nested)) - 1

    by_one(run.control, [search], order[:_LOW], lower)
    return found[-1] if found else None


def _greedy(run: GameRun, looks: int, found: list[int], search: Search, guess: int) -> None:
    if not found:
        cost = search.beam_opener(guess, run.left, 0, INFEASIBLE, looks)
        if cost < INFEASIBLE:
            found.append(guess)
            run.found(cost, guess, search)


def _beam(run: GameRun, round: int, looks: int, search: Search, guess: int) -> None:
    budget = run.control.incumbent
    cost = search.beam_opener(guess, run.left, round, budget, looks)
    if cost < budget:
        run.found(cost, guess, search)


def _settle(run: GameRun, looks: int, search: Search, guess: int) -> None:
    settle_slice(run, search, guess, looks)
