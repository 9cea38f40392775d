"""Incumbents: a first tree at once, and better ones before openers are settled one by one.

Greedy play comes first. If the first opener is settled soon, more of it gains nothing; if not, its search and beams
over the most promising openers take turns, each turn longer and wider than the last.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from optimal._engine import NO_LIMIT, QUICK, ROUNDS, GameTables, Search
from optimal.games.rules import Rules
from optimal.limits import INFEASIBLE
from optimal.search.game_run import GameRun
from optimal.search.game_tree import replay
from optimal.search.jobs import FEW, FIRST_SLICE, by_one, hand_out, settle_slice
from optimal.search.nogoods import all_together

if TYPE_CHECKING:
    from optimal._engine import Nested

#: Work units of the first turn, of 2^24 codes each (some milliseconds); each later turn takes twice as many. Greedy
#: play reads the whole matrix a few times.
_TURN = 200
_UNIT = 1 << 24
_GREEDY_READS = 16
#: Games of more codes than this begin with quick play, as greedy play takes a second or more; work units that it may
#: take for the first opener; and how many it then tries of those that are likelier to have a tree within the limit.
_QUICK, _QUICK_WORK, _QUICK_OPENERS = 1 << 26, 15, 4
#: Openers that greedy play tries after the first: where the limit binds, few may have a tree. Each gets a fraction of a
#: turn, as most openers without a tree fail early.
_GREEDY = 8
_GREEDY_PART = 8
#: Openers tried for a low tree.
_LOW = 24
#: Rounds before the proof begins, if there are several openers or several searches.
_ROUNDS = 2
#: Openers in the beams of each round; the first round, greedy play, is only run where there are few openers.
_OPENERS = (4, 4, 8, 8, 8, 8)
#: Where the limit binds: openers that the hunt covers, taken from this many most promising ones (fewer if that takes
#: more than this many codes); and the weight of a place in the order of similar answers kept together, in places of the
#: order of promise.
_HUNTED = 256
_PROMISING = 4096
_CODES = 1 << 29
_TOGETHER = 20
#: Beams of a hunt before the proof, and rounds that it stays with one opener.
_FIRST_BEAMS = 32
_FIRST_ROUNDS = 3
#: Turns of the proof per turn of the hunt beside it, and rounds that the hunt stays with one opener. Each round keeps a
#: search from the proof for twice as long, while its openers may hold the least bound.
_PROOF_TURNS = 2
_HUNT_ROUNDS = 5
#: Guesses compared with a class at once.
_CHUNK = 1024


def find_incumbent(
    run: GameRun, searches: Sequence[Search], order: Sequence[int]
) -> tuple[bool, Callable[[Search, int], int] | None]:
    """Find a tree that begins with one of these openers, in order of promise, and improve it until the best opener is
    settled or a few rounds are over. Return whether that opener was settled, as then others will be soon; and, where
    the limit binds, a hunt to continue beside the proof."""
    run.report("greedy play", 0, 0)
    run.statistics.begin(run.searches)
    turn = _turn(run)
    orders = cache(partial(_orders_under_limit, searches[0].tables, order))
    known = run.control.incumbent < INFEASIBLE
    if run.game.matrix.size > _QUICK and run.problem.objective != "worst":
        _quick(run, searches, order, turn, orders)
    found: list[int] = []  # openers with a greedy tree, which may be worse than the incumbent
    by_one(run.control, searches, order[:1], partial(_greedy, run, turn, found))
    part = turn // _GREEDY_PART
    hunt = None
    if not found and len(order) > 1 and not run.stopped:
        likely, hunted = orders()
        hunt = Hunt(run, hunted)
        hand_out(run.control, searches, likely[:_GREEDY], partial(_greedy, run, part, found))
    if not found:  # the opener may take long, but a first bound of it does not
        by_one(run.control, searches, order[:1], partial(settle_slice, run, max(FIRST_SLICE, part)))
        if hunt is not None and order[0] not in run.settled and not known and not found:
            hunt.begin(searches)
            if run.best_tree is not None:  # the hunt continues beside a long proof
                guess = run.best_tree.nested[0]
                by_one(run.control, searches, [guess], partial(settle_slice, run, part))
                return guess in run.settled, hunt.go_on
    beside = None if hunt is None else hunt.go_on
    for round in range(ROUNDS if len(order) == len(searches) == 1 else _ROUNDS):
        work = turn << round
        if round > 0 or len(order) <= FEW:
            hand_out(run.control, searches, order[: _OPENERS[round]], partial(_beam, run, round, work))
        guess = order[0] if run.best_tree is None else run.best_tree.nested[0]
        by_one(run.control, searches, [guess], partial(settle_slice, run, work))
        if guess in run.settled or run.stopped:
            return guess in run.settled, beside
    return False, beside


class Hunt:
    """Search for trees where the limit leaves the most promising openers without one: openers that may have one take
    turns. An opener advances to wider beams as long as no other did better with equally wide ones. Thread-safe."""

    def __init__(self, run: GameRun, openers: Sequence[int]) -> None:
        self._run = run
        self._turn = _turn(run)
        self._lock = threading.Lock()
        self._waiting, self._last = deque(openers), deque[int]()
        self._unlikely = np.zeros(len(run.game.guesses), dtype=np.bool_)
        self._least = [INFEASIBLE] * ROUNDS  # the best tree of a round
        # By the search that has their plans: (cost, opener, next round).
        self._going_on: dict[Search, list[tuple[int, int, int]]] = {}

    def begin(self, searches: Sequence[Search]) -> None:
        """Run some beams before the proof."""

        def beam(search: Search, _: int) -> None:
            self._beam(search, _FIRST_ROUNDS)

        hand_out(self._run.control, searches, range(_FIRST_BEAMS), beam)

    def go_on(self, search: Search, work: int) -> int:
        """Run a beam if this search has spent enough work units on the proof. Return the work units still to be
        counted, below 0 after wide beams."""
        if work < _PROOF_TURNS * self._turn:
            return work
        round = self._beam(search, _HUNT_ROUNDS)
        return work if round is None else work - (_PROOF_TURNS * self._turn << round)

    def _beam(self, search: Search, rounds: int) -> int | None:
        """Run the next beam of a search. Return its round; None if there is none left."""
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
        """Return an opener that this search should continue, or an untried one; unlikely ones come last."""
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
                if self._waiting and self._unlikely[guess]:
                    self._last.append(guess)
                else:
                    return guess, 0
        return None

    def _gave_up(self, matrix: npt.NDArray[np.unsignedinteger], guess: int, code: int) -> None:
        """Mark openers that keep this class together as unlikely, since no tree was found for it; hints may still leave
        other guesses there."""
        answers, winning = np.flatnonzero(matrix[guess] == code), self._run.game.winning_code
        parts = np.array_split(matrix, max(1, len(matrix) // _CHUNK))
        together = np.concatenate([all_together(part[:, answers], winning) for part in parts])
        with self._lock:
            self._unlikely |= together


def _turn(run: GameRun) -> int:
    return _TURN + _GREEDY_READS * run.game.matrix.size // _UNIT


def _orders_under_limit(tables: GameTables, order: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the most promising openers by how likely they are to have a tree; and the most promising of these with
    regard to both. Where limits bind, it is on similar answers that a guess leaves together: of the 37 openers of
    classic-all that leave the fewest similar pairs together, greedy play finds trees for ten, and these rank beyond the
    thousandth place by promise."""
    most = _CODES // (2 * len(tables.neighbour_pairs()) + 1)
    openers = np.array(order[: min(_PROMISING, max(_HUNTED, most))])
    together = np.argsort(tables.neighbours_together(openers.tolist()), kind="stable")
    places = np.empty(len(openers), dtype=np.int64)
    places[together] = np.arange(len(openers))
    both = np.argsort(np.arange(len(openers)) + _TOGETHER * places, kind="stable")[:_HUNTED]
    return openers[together].tolist(), openers[both].tolist()


def settles_soon(run: GameRun, searches: Sequence[Search], order: Sequence[int]) -> bool:
    """Return whether the first of these openers is settled in one turn, some others being known: then more will be
    soon."""
    run.work_begins()
    if run.best_tree is None:  # the known values came without a tree
        by_one(run.control, searches, run.best_openers[:1], partial(_greedy, run, _turn(run), []))
    by_one(run.control, searches, order[:1], partial(settle_slice, run, _TURN))
    return all(guess in run.settled for guess in order[:1])


def low_tree(run: GameRun, search: Search, order: Sequence[int]) -> Nested | None:
    """Return the lowest of successively lower greedy trees for the most promising opener that has one; None if there is
    none."""
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


def _quick(
    run: GameRun,
    searches: Sequence[Search],
    order: Sequence[int],
    turn: int,
    orders: Callable[[], tuple[list[int], list[int]]],
) -> None:
    """Find a tree with little work; if there is none within the limit, count the answers that one without it misses."""
    found: list[int] = []
    by_one(run.control, searches, order[:1], partial(_greedy, run, _QUICK_WORK, found, round=QUICK))
    if run.limit is None or found or run.stopped:
        return
    likely, _ = orders()
    hand_out(run.control, searches, likely[:_QUICK_OPENERS], partial(_greedy, run, turn // 2, found, round=QUICK))
    if not found:
        by_one(run.control, searches, order[:1], partial(_count_missed, run, turn))


def _count_missed(run: GameRun, work: int, search: Search, guess: int) -> None:
    if search.beam_opener(guess, NO_LIMIT, QUICK, INFEASIBLE, work) < INFEASIBLE:
        nested = search.likely_tree(guess, NO_LIMIT)
        run.missed = None if nested is None else sum(depth > run.left for depth in replay(run.game, nested))


def _greedy(run: GameRun, work: int, found: list[int], search: Search, guess: int, round: int = 0) -> None:
    if not found:
        cost = search.beam_opener(guess, run.left, round, INFEASIBLE, work)
        if cost < INFEASIBLE:
            found.append(guess)
            run.found(cost, guess, search)


def _beam(run: GameRun, round: int, work: int, search: Search, guess: int) -> None:
    budget = run.control.incumbent
    cost = search.beam_opener(guess, run.left, round, budget, work)
    if cost < budget:
        run.found(cost, guess, search)
