"""One opener on all cores: its feedback classes are shared out to searches with shared tables."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from optimal._engine import Search
from optimal.limits import INFEASIBLE
from optimal.search.engine import budget_of
from optimal.search.game_run import GameRun
from optimal.search.jobs import hand_out, helped


def settle_split(run: GameRun, searches: Sequence[Search], guess: int) -> None:
    """Settle an opener, largest classes first. The budget of each class is the incumbent minus the bounds of all
    others; the run records bounds as they rise."""
    total, classes = searches[0].class_bounds(guess, run.left)
    lows = {code: low for code, _, low in classes}
    lock = threading.Lock()
    settled = 0
    refuted = total >= INFEASIBLE
    run.bounded(guess, total)
    run.report("feedback classes", 0, len(classes))

    def settle(search: Search, code: int) -> None:
        nonlocal total, refuted, settled
        if refuted:
            return
        with lock:
            # It is 0 if a better tree was found meanwhile.
            budget = max(0, budget_of(run.control) - (total - lows[code]))
        value = search.class_value(guess, code, run.left, budget)
        with lock:
            refuted |= value >= budget
            total = min(total + max(0, value - lows[code]), INFEASIBLE)
            lows[code] = max(lows[code], value)
            settled += 1
        run.bounded(guess, total)
        run.report("feedback classes", settled, len(classes))

    hand_out(run.control, searches, [code for code, _, _ in reversed(classes)], settle)
    if run.stopped:
        return
    with helped(searches[0], searches):  # for building the tree
        run.record(guess, total, exact=not refuted, search=searches[0])
