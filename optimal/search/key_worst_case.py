"""The objective worst: the least limits within which there is a key."""

from __future__ import annotations

from collections.abc import Sequence

from optimal._engine import KeySearch, Stopped
from optimal.journal.records import Proven
from optimal.limits import INFEASIBLE
from optimal.search.key_problem import BuiltKey
from optimal.search.key_run import NO_CAP, KeyRun


def least_worst_limits(run: KeyRun, search: KeySearch) -> bool:
    """Lower the limits of a run to the least cost of a costliest path. Return whether there is a key within them.
    Raises Stopped."""
    run.none_below(search.value(run.limit, run.cost_limit, 0)[0])
    if run.floor >= INFEASIBLE:
        return False
    run.hold(run.grow(search, greedy_opener(run, search)))
    return _fewest(run, search) if run.even else _cheapest(run, search)


def greedy_opener(run: KeyRun, search: KeySearch) -> int:
    """Return the first question of least bound among those asked for; -1: any."""
    if run.problem.openers is None:
        return -1
    return min(run.asked, key=lambda question: search.bound(question, run.limit, run.cost_limit))


def _fewest(run: KeyRun, search: KeySearch) -> bool:
    """Minimise the number of questions on the longest path, where all cost the same."""
    each = int(run.columns.costs[0])
    most = min(run.limit, run.cost_limit // each, len(run.columns.weights) + 1)
    for limit in range(_refuted(run) // each + 1, most + 1):
        run.none_worse(limit * each)
        run.report("worst cases", limit, 0)
        run.enter(limit, INFEASIBLE)
        known = run.best_key is not None and run.best_key.costliest <= run.low_worst
        opener = None if known else _feasible(run, search, limit, INFEASIBLE)
        if known or opener is not None:
            run.within(limit, INFEASIBLE)
            if opener is not None:
                _hold_any(run, search, opener)
            return True
    return False


def _cheapest(run: KeyRun, search: KeySearch) -> bool:
    """Minimise the cost limit by bisection."""
    low = _refuted(run)
    if run.best_key is None:
        run.enter(run.limit, run.cost_limit)
        opener = None if low >= run.cost_limit else _feasible(run, search, run.limit, run.cost_limit)
        if opener is None:
            return False
        _hold_any(run, search, opener)
    high = min(run.cost_limit, int(run.columns.costs.sum())) if run.best_key is None else run.best_key.costliest
    while high - low > 1:
        run.none_worse(low + 1)
        run.report("worst cases", 0, 0)
        middle = (low + high) // 2
        run.enter(run.limit, middle)
        opener = _feasible(run, search, run.limit, middle)
        if opener is None:
            low = middle
        else:
            run.within(run.limit, middle)
            grown = _hold_any(run, search, opener)
            high = middle if grown is None else grown.costliest
    run.none_worse(high)
    run.within(run.limit, high)
    run.enter(run.limit, high)
    return True


def _refuted(run: KeyRun) -> int:
    """Return the greatest cost of a path that earlier runs have proven too small, in units; -1 for none."""
    # A key without a question begins with none of the questions, and a journal only records these.
    if run.recorder is None or run.asks_nothing:
        return -1
    level = run.recorder.refuted(run.asked)
    refuted = INFEASIBLE if level >= NO_CAP else level // run.columns.cost_unit
    if run.best_key is not None and run.best_key.costliest <= refuted:
        raise run.recorder.damaged("its key costs less at worst than it says any can")
    return refuted


def _feasible(run: KeyRun, search: KeySearch, limit: int, cost_limit: int) -> int | None:
    """Return the first question of a key within these limits (-1: any); None if there is none. Raises Stopped."""
    openers: Sequence[int] = (-1,) if run.problem.openers is None else run.problem.openers
    for opener in openers:
        found = search.feasible(limit, cost_limit, -1, opener)
        if found is None:
            raise Stopped
        if found:
            return opener
        if run.recorder is not None:
            for question in run.asked if opener < 0 else [opener]:
                run.recorder.opener(question, Proven(INFEASIBLE, True), settled=True)
    return None


def _hold_any(run: KeyRun, search: KeySearch, opener: int) -> BuiltKey | None:
    """Keep a key that was just proven to exist; None if its tree was lost."""
    grown = run.grow(search, opener, any=True)
    run.hold(grown)
    return grown
