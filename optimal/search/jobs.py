"""Work handed out to the threads of a run, by one loop: `hand_out`. Worker processes have `scheduler.py`."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from heapq import heapify, heappop, heappush
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from optimal._engine import Control, Search, Stopped, Team
from optimal.errors import OptimalError
from optimal.games.feedback import WordFeedback
from optimal.games.game import Game
from optimal.limits import INFEASIBLE
from optimal.search.engine import Engine, budget_of, supersets_for
from optimal.search.game_problem import Problem
from optimal.search.game_run import GameRun
from optimal.search.nogoods import Nogoods
from optimal.threads import start

Worker = TypeVar("Worker")
Item = TypeVar("Item")

#: Supersets that a job measures at a time, at most: each part reads the whole matrix.
_PART = 4096
#: Openers bounded quickly between two polls of the stop flag.
_CHUNK = 64
#: Work units, of 2^24 codes each, of the first slice of an opener. Below a finite budget a slice may run over to finish
#: its current class.
FIRST_SLICE = 16
#: Once so many openers weren't settled by so many work units each, all that are left take long.
_LATE, _LONG = 4, 256
#: With this many openers left or fewer, that of the best tree comes first: its total makes all others cheaper, and they
#: are soon settled; unless its next slice is this many times as long as that of the opener of least bound.
FEW = 16
_AHEAD = 64


def hand_out(
    control: Control, workers: Sequence[Worker], items: Iterable[Item], do: Callable[[Worker, Item], object]
) -> None:
    """Hand out the items in order to the workers as they come free, one thread each, until all are done or the run is
    stopped. Searches that find no item left assist their team. An exception in one worker stops the others and is
    re-raised. If the system has too few threads, the ones that start do all the work."""
    queue, lock = iter(items), threading.Lock()
    team = workers[0].team if len(workers) > 1 and isinstance(workers[0], Search) else None
    wrong: list[BaseException] = []

    def work(worker: Worker) -> None:
        try:
            try:
                while not control.stopped:
                    with lock:
                        item = next(queue, None)
                    if item is None:
                        break
                    do(worker, item)
            finally:
                if team is not None:
                    team.leave()
            if team is not None and isinstance(worker, Search):
                worker.assist()
        except Stopped:
            # A signal reaches one search alone, which stops the others.
            control.stop()
        except BaseException as error:
            control.stop()
            wrong.append(error)

    if len(workers) == 1:
        work(workers[0])
    else:
        _at_once(work, workers, team)
    if wrong:
        raise wrong[0]


def _at_once(work: Callable[[Worker], None], workers: Sequence[Worker], team: Team | None) -> None:
    """Run the workers, one thread each, until all are done."""
    if team is not None:
        team.begin(len(workers))
    threads = [threading.Thread(target=work, args=[worker], daemon=True) for worker in workers]
    begun = start(threads)
    if team is not None:
        for _ in threads[len(begun) :]:
            team.leave()  # or the others would wait for it
    if not begun:
        raise OptimalError("the system has no thread left: ask for one job, or see ulimit -u and -v")
    for thread in begun:
        thread.join()


def searches_of(engine: Engine, control: Control, jobs: int) -> list[Search]:
    """Return a search for each job; several form a team. A lone search runs in the calling thread, and polls for
    signals if that is the main thread."""
    alone = jobs == 1 and threading.current_thread() is threading.main_thread()
    searches = [engine.search(control, main_thread=alone) for _ in range(jobs)]
    if jobs > 1:
        team = Team(jobs * engine.shares.slots)
        for search in searches:
            search.join(team)
    return searches


@contextmanager
def helped(search: Search, searches: Sequence[Search]) -> Iterator[None]:
    """Run a search in the calling thread, assisted by the rest of its team. In the main thread it polls for signals."""
    before, team = search.main_thread, search.team
    others = [] if team is None else [other for other in searches if other is not search]
    threads: Sequence[threading.Thread] = [threading.Thread(target=other.assist, daemon=True) for other in others]
    search.main_thread = threading.current_thread() is threading.main_thread()
    if team is not None:
        team.begin(1)
    threads = start(threads)
    try:
        yield
    finally:
        search.main_thread = before
        if team is not None:
            team.leave()
        for thread in threads:
            thread.join()


def by_one(
    control: Control, searches: Sequence[Search], items: Iterable[Item], do: Callable[[Search, Item], object]
) -> None:
    """`hand_out` to the first of the searches, in the calling thread; the others help it."""
    with helped(searches[0], searches):
        hand_out(control, searches[:1], items, do)


def use_supersets(
    problem: Problem,
    engine: Engine,
    openers: Sequence[int],
    searches: Sequence[Search],
    report: Callable[[str, int, int], None] = lambda phase, done, total: None,
) -> None:
    """Let the searches use supersets where these pay off; measure them, for these openers, the first time. Progress
    goes to ``report(phase, done, total)``."""
    plain = engine.costs is None or engine.costs.tiered
    if not engine.measured and plain and "supersets" not in problem.options.without:
        engine.measured = True
        _measure_supersets(problem.game, engine, openers, len(searches), searches[0].control, report)
    for search in searches:
        search.use(engine.supersets)


def _measure_supersets(
    game: Game,
    engine: Engine,
    openers: Sequence[int],
    jobs: int,
    control: Control,
    report: Callable[[str, int, int], None],
) -> None:
    if not isinstance(game.feedback, WordFeedback):
        return

    def going_on() -> bool:
        report("supersets", 0, 0)
        return not control.stopped

    found = supersets_for(engine.tables, game.feedback, openers, engine.shares.supersets, going_on)
    if found is None:
        return
    supersets, which = found
    done, total = 0, len(which)
    report("supersets", done, total)

    def measure(job: int, part: npt.NDArray[np.int32]) -> None:
        nonlocal done
        supersets.measure(part, control)
        done += len(part)
        report("supersets", done, total)

    parts = jobs * max(1, -(-total // (jobs * _PART)))
    hand_out(control, range(jobs), np.array_split(which, parts), measure)
    engine.supersets = supersets


def settle_in_threads(run: GameRun, searches: Sequence[Search], order: Sequence[int]) -> list[int]:
    """Settle the openers, in this order, by these searches, one thread each. Return those that are left: none, unless
    the first take long."""
    run.work_begins()
    nogoods, left = nogoods_of(run), list[int]()

    def settle(search: Search, guess: int) -> None:
        settled = len(left) < _LATE and (
            run.refuted(guess) or refuted_by(nogoods, run, search, guess) or settle_slice(run, _LONG, search, guess)
        )
        if not settled:
            left.append(guess)

    hand_out(run.control, searches, order, settle)
    return left


def nogoods_of(run: GameRun) -> Nogoods | None:
    """Return the nogoods within the limit of a run, none of which is known yet; None where none hold."""
    return Nogoods(run.game, run.left) if run.problem.nogoods_hold(run.limit) else None


def refuted_by(nogoods: Nogoods | None, run: GameRun, search: Search, guess: int) -> bool:
    """Settle an opener if nogoods refute it. They are asked while no other opener has a tree."""
    if nogoods is None or not run.settled or run.best < INFEASIBLE or not nogoods.refutes(search, guess):
        return False
    run.record(guess, INFEASIBLE, exact=False, search=search)
    return True


def bound_quickly(run: GameRun, searches: Sequence[Search], order: Sequence[int]) -> None:
    """Bound openers from below without counting."""
    chunks = [order[at : at + _CHUNK] for at in range(0, len(order), _CHUNK)]
    run.report("bounds", len(run.lows), run.openers)

    def bound(search: Search, chunk: Sequence[int]) -> None:
        for guess in chunk:
            if not run.stopped:
                run.bounded(guess, search.quick_bound(guess, run.left))
                run.report("bounds", len(run.lows), run.openers)

    hand_out(run.control, searches, chunks, bound)


def settle_least_first(
    run: GameRun,
    searches: Sequence[Search],
    order: Sequence[int],
    beside: Callable[[Search, int], int] | None = None,
) -> None:
    """Settle openers that take long, in slices. The next slice always goes to the opener of least bound, as that is the
    bound of the whole run when it is stopped. Once a search has few openers left, that of the best tree comes first,
    and the others get a small part of the time, for their bounds.

    Every search has its own share of the openers, so that what it has found out about one serves it in the next slice.
    ``beside`` is called between slices with the work units spent; it may do other work, and returns the units that
    still count.
    """
    jobs = len(searches)
    run.work_begins()
    heaps = [[(run.lows.get(guess, 0), guess, FIRST_SLICE) for guess in order[job::jobs]] for job in range(jobs)]

    def settle(search: Search, heap: list[tuple[int, int, int]]) -> None:
        heapify(heap)
        taken = 0
        while heap and not run.stopped:
            low, guess, work = _next_slice(run, heap)
            taken += work if low <= run.control.incumbent else 0
            if not settle_slice(run, work, search, guess):
                run.report_settled()
                heappush(heap, (run.lows[guess], guess, 2 * work))
            if beside is not None and heap:
                taken = beside(search, taken)

    hand_out(run.control, searches, heaps, settle)


def _next_slice(run: GameRun, heap: list[tuple[int, int, int]]) -> tuple[int, int, int]:
    if run.best_tree is not None and len(heap) <= FEW:
        for entry in heap:
            if entry[1] == run.best_tree.nested[0] and entry[2] <= _AHEAD * heap[0][2]:
                heap.remove(entry)
                heapify(heap)
                return entry
    return heappop(heap)


def settle_slice(run: GameRun, work: int, search: Search, guess: int) -> bool:
    """Work at an opener for this many units (`Search.opener_slice`), and record the outcome. Return whether it is
    settled."""
    budget, low = budget_of(run.control), run.lows.get(guess, 0)
    if low >= budget:
        run.passed_over({guess: low})
        return True
    value, ended = search.opener_slice(guess, run.left, budget, work)
    if ended:
        run.record(guess, value, exact=value < budget, search=search)
    else:
        run.bounded(guess, value, search)
    return ended


def settle_split(run: GameRun, searches: Sequence[Search], guess: int) -> None:
    """Settle one opener by all searches, which share tables: its feedback classes are shared out, largest first. The
    budget of each is the incumbent minus the bounds of all others."""
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
