"""A tree at once, and better ones soon: what is done before openers are settled one by one.

Greedy play comes first. Where the first opener is settled soon there is nothing to be gained by more of it; where not,
its search and beams over the most promising openers take turns, each turn longer and wider than the one before.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from functools import partial

import numpy as np

from optimal import _search
from optimal._beams import ROUNDS
from optimal._game import GameTables
from optimal._openers import OpenerSearch
from optimal.search.jobs import FIRST_SLICE, by_one, settle_slice, share_out
from optimal.search.question import Question
from optimal.search.replay import replay
from optimal.search.run import Plan, Run

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
#: Openers that the beams of a round are spent on.
_OPENERS = (1, 4, 8, 8, 8, 8)
#: Where the limit binds: openers among which trees are looked for, of the most promising so many (fewer where that
#: takes more than so many codes); and what a place in the order of answers kept together is worth, in places of the
#: order of promise.
_HUNTED = 256
_PROMISING = 4096
_CODES = 1 << 29
_TOGETHER = 20
#: Turns of the proof for every turn of the hunt, and rounds that a hunt goes on with one opener: each takes a search
#: twice as long from the proof, whose least bound may be among its openers.
_PROOF_TURNS = 2
_HUNT_ROUNDS = 4


def find_incumbent(run: Run, searches: Sequence[OpenerSearch], order: Sequence[int]) -> bool:
    """Find a tree that begins with one of these openers, most promising first, and better ones while the best of the
    openers isn't settled. Returns whether it was, after some rounds: then others will be soon, too."""
    run.tell("greedy play", 0, 0)
    run.accounts.begin(run.searches)
    turn = _turn(run)
    by_one(run.control, searches, order[:1], partial(_greedy, run, turn))
    part = turn // _GREEDY_PART
    if run.plan is None and len(order) > 1 and not run.stopped:
        likely, run.hunted = _where_limits_bind(searches[0].tables, order)
        share_out(run.control, searches, likely[:_GREEDY], partial(_greedy, run, part))
    if run.plan is None:  # then it may take long, and a first bound of it does not
        by_one(run.control, searches, order[:1], partial(_settle, run, max(FIRST_SLICE, part)))
        if run.hunted and not run.bounds:
            share_out(run.control, searches, likely[:_GREEDY], partial(_greedy, run, turn))
            if run.plan is not None:  # the hunt goes on beside a long proof
                by_one(run.control, searches, [run.plan.guess], partial(_settle, run, part))
                return run.plan.guess in run.bounds
    for round in range(ROUNDS if len(order) == len(searches) == 1 else _ROUNDS):
        looks = turn << round
        if round > 0:
            share_out(run.control, searches, order[: _OPENERS[round]], partial(_beam, run, round, looks))
        guess = order[0] if run.plan is None else run.plan.guess
        by_one(run.control, searches, [guess], partial(_settle, run, looks))
        if guess in run.bounds or run.stopped:
            return guess in run.bounds
    return False


class Hunt:
    """Trees looked for while a long proof goes on, where the limit keeps the most promising openers from having one:
    by those that may, in turn, and by wider beams where that betters the incumbent."""

    def __init__(self, question: Question, run: Run) -> None:
        self._question = question
        self._run = run
        self._turn = _turn(run)
        self._next = deque((guess, 0) for guess in run.hunted)

    def go_on(self, search: OpenerSearch, looks: int) -> int:
        """Let a search that was so many looks at the proof look for a tree, if it is time. Returns what is left of the
        looks that count."""
        if looks < _PROOF_TURNS * self._turn:
            return looks
        try:
            guess, round = self._next.popleft()
        except IndexError:  # none is left
            return looks
        run, before = self._run, self._run.control.incumbent
        _beam(run, round, self._turn << round, search, guess)
        if run.control.incumbent < before:
            # Put together at once: the proof goes on for long, and its tables forget.
            nested = search.likely_tree(guess, run.limit)
            if nested is not None:
                run.keep(self._question.cost(replay(run.game, nested)), nested)
            if round + 1 < _HUNT_ROUNDS:
                self._next.appendleft((guess, round + 1))
        return max(0, looks - (_PROOF_TURNS * self._turn << round))


def _turn(run: Run) -> int:
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


def settles_soon(run: Run, searches: Sequence[OpenerSearch], order: Sequence[int]) -> bool:
    """Whether the first of these openers is settled in one turn, a tree being known: then others will be soon, too."""
    run.work_begins()
    by_one(run.control, searches, order[:1], partial(_settle, run, _TURN))
    return all(guess in run.bounds for guess in order[:1])


def low_trees(run: Run, search: OpenerSearch, order: Sequence[int]) -> None:
    """Find greedy trees that begin with the most promising opener that has one, each lower than the one before. The run
    keeps the last."""
    run.tell("greedy play", 0, 0)
    by_one(run.control, [search], order[:_LOW], partial(_low_trees, run))


def _low_trees(run: Run, search: OpenerSearch, guess: int) -> None:
    limit = run.limit
    if run.low_tree is not None:
        return
    while search.beam_opener(guess, limit, 0, _search.INFEASIBLE, _TURN // _GREEDY_PART) < _search.INFEASIBLE:
        nested = search.likely_tree(guess, limit)
        if nested is None:
            return
        run.low_tree = nested
        limit = max(replay(run.game, nested)) - 1


def _greedy(run: Run, looks: int, search: OpenerSearch, guess: int) -> None:
    if run.plan is None:
        _beam(run, 0, looks, search, guess)


def _beam(run: Run, round: int, looks: int, search: OpenerSearch, guess: int) -> None:
    budget = run.control.incumbent
    cost = search.beam_opener(guess, run.limit, round, budget, looks)
    if cost < budget:
        run.found(Plan(cost, guess, search))


def _settle(run: Run, looks: int, search: OpenerSearch, guess: int) -> None:
    settle_slice(run, search, guess, looks)
