"""One opener on all cores: its feedback classes are shared out.

A class's value depends on the class alone, and so does its canonical tree: the opener's tree is put together from
those of its classes, whichever search found them.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from optimal import _search
from optimal._openers import OpenerSearch
from optimal.search.jobs import helped, share_out
from optimal.search.run import Run, Split

if TYPE_CHECKING:
    from optimal._canonical import Nested


def settle_split(run: Run, searches: Sequence[OpenerSearch], guess: int) -> None:
    """Settle an opener, the largest classes first. Each class is asked for what the bounds of all others leave of the
    incumbent; bounds go to the run as they rise."""
    total, classes = searches[0].class_bounds(guess, run.limit)
    lows = {code: low for code, _, low in classes}
    known: dict[OpenerSearch, list[int]] = {search: [] for search in searches}
    lock = threading.Lock()
    refuted = total >= _search.INFEASIBLE
    run.bounded(guess, total)
    run.tell("feedback classes", 0, len(classes))

    def settle(search: OpenerSearch, code: int) -> None:
        nonlocal total, refuted
        if refuted:
            return
        with lock:
            # Up to and including the incumbent, as for openers.
            budget = min(run.control.incumbent + 1, _search.INFEASIBLE) - (total - lows[code])
        value = search.class_value(guess, code, run.limit, budget)
        with lock:
            refuted |= value >= budget
            total = min(total + max(0, value - lows[code]), _search.INFEASIBLE)
            lows[code] = max(lows[code], value)
            known[search].append(code)
            settled = sum(map(len, known.values()))
        run.bounded(guess, total)
        run.tell("feedback classes", settled, len(classes))

    share_out(run.control, searches, [code for code, _, _ in reversed(classes)], settle)
    if run.stopped:
        return
    if not refuted:
        run.split = Split(guess, tuple(code for code, _, _ in classes), known)
    with helped(searches[0], searches):  # it puts the tree together
        run.record(guess, total, exact=not refuted, search=searches[0])


def split_tree(run: Run, split: Split) -> Nested | None:
    """The canonical tree of a split opener; None if the run is stopped."""
    children: dict[int, Nested] = {}
    left = {search: list(codes) for search, codes in split.known.items()}
    lock = threading.Lock()

    def build(search: OpenerSearch, _: int) -> None:
        with lock:
            # Those that it knows first; then it has to find out what another search knew.
            code = (left[search] or max(left.values(), key=len)).pop(0)
        children[code] = search.class_tree(split.guess, code, run.limit)

    share_out(run.control, list(split.known), range(len(split.codes)), build)
    return None if run.stopped else (split.guess, {code: children[code] for code in split.codes})
