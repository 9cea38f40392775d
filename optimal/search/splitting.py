"""One opener on all cores: its feedback classes are shared out to searches that share their tables."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from optimal._engine import Search
from optimal.limits import INFEASIBLE
from optimal.search.engine import budget_of
from optimal.search.game_run import GameRun
from optimal.search.jobs import hand_out, helped


def settle_split(run: GameRun, searches: Sequence[Search], guess: int) -> None:
    """Settle an opener, the largest classes first. Each class is asked for what the bounds of all others leave of the
    incumbent; bounds go to the run as they rise."""
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
            # None is left where a better tree was found meanwhile.
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
    with helped(searches[0], searches):  # it puts the tree together
        run.record(guess, total, exact=not refuted, search=searches[0])
