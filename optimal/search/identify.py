"""The optimal key of a table: first trees, the order of first questions, and the result."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from heapq import heapify, heappop, heappush

from optimal._engine import KEY_SWITCHES, KeySearch, Stopped
from optimal.checks import check_choice, check_openers, check_progress, check_whole, formerly
from optimal.errors import InputError, InternalError
from optimal.limits import INFEASIBLE, LARGEST_LIMIT
from optimal.search.jobs import hand_out
from optimal.search.key_improving import Improver
from optimal.search.key_problem import BuiltKey, KeyProblem, risen
from optimal.search.key_result import Identification
from optimal.search.key_run import KeyRun
from optimal.search.key_worst_case import greedy_opener, least_worst_limits
from optimal.search.options import Options
from optimal.search.processes import pool_of
from optimal.search.progress import Clock, Progress
from optimal.search.result import Status
from optimal.search.rules_of_thumb import MOST_CELLS, by_rules, spare
from optimal.search.run import Log
from optimal.search.scheduler import Pool, settle_by_workers
from optimal.search.share_run import ShareRun
from optimal.search.solvers import KeySolver
from optimal.search.stopping import carry_out
from optimal.tables.table import Table, VaryingTable
from optimal.trees.key import Key
from optimal.trees.keycodec import OBJECTIVES

#: The shortcuts of the search, which tests switch off one by one: none of them changes a key.
SWITCHES = frozenset(KEY_SWITCHES)
#: Steps in the first slice of a first question, and in all the first trees before it.
_FIRST_SLICE, _FIRST_TREES = 1 << 22, 1 << 24
#: Steps after which bounds are raised step by step.
_LONG = 1 << 26
#: Beams of growing width: questions tried, and the group count from which that many are tried.
_BEAMS = ((1, 0), (2, 4), (2, 8), (3, 12), (3, 16), (4, 20), (5, 24), (6, 28), (8, 32), (10, 40), (14, 48), (20, 64))
#: The same for a table of more groups than these search exactly: small parts at once, then keys are improved part by
#: part. First trees are given more steps.
_LARGE, _LARGE_BEAMS, _LARGE_TREES = 64, ((1, 0), (1, 12), (1, 20), (1, 30)), 1 << 26
#: Part of the bound within which a proof is near, and better keys aren't looked for.
_FAR = 50


@formerly(first="openers")
def identify(
    table: object,
    *,
    objective: str = "mean",
    limit: int | None = None,
    cost_limit: int | None = None,
    first: Sequence[str] | None = None,
    jobs: int = 1,
    backend: str = "threads",
    scheduler: str | None = None,
    wait: float | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    gap: int | str | None = None,
    journal: str | os.PathLike[str] | None = None,
    without: frozenset[str] = frozenset(),
    progress: Callable[[Progress], None] | None = None,
    log: Log | None = None,
) -> Identification:
    """Find the optimal key of a table, and prove it optimal.

    >>> from optimal import identify
    >>> found = identify([["4", "no"], ["2", "yes"], ["2", "no"]])
    >>> found.status.value, found.total, found.key.worst
    ('OPTIMAL', 5, 2)
    >>> identify("birds")
    <Identification birds: 30 objects, expected cost 3.1039, expected questions 2.5354, worst case 4, OPTIMAL>

    Among optimal keys, the lowest come first; ties go, at every set, to the question that comes first in the table. So
    the key is the same for any number of jobs.

    Parameters
    ----------
    table : a Table, or what one is made of: the name of one that ships, a file, a DataFrame, or an array
    objective : "mean" (least total of weight x cost) or "worst" (least cost of the costliest path, then the total)
    limit : the maximum number of questions for any object
    cost_limit : the maximum total cost of these questions, in the table's integers
    first : the questions that may be asked first, if not all
    jobs, backend : number of searches, by "threads", "loky" (processes of this machine) or "dask"
    scheduler, wait : the address of a cluster, and seconds to wait for it
    time_limit, memory_limit : seconds and bytes; then the best key so far is returned
    gap : stop within this gap of the bound, in units of the total or per cent: 40, "1%"
    journal : a file for the proven results, to resume from
    progress, log : called with a `Progress`, with events as dictionaries
    without : shortcuts to switch off, for tests

    Returns
    -------
    Identification : the key, its status, a bound, and the effort

    Raises
    ------
    InputError : for invalid arguments, and for a journal that is damaged or belongs to another problem
    """
    clock = Clock()
    table = Table.of(table)
    check_choice(objective, "objective", OBJECTIVES)
    check_progress(progress)
    check_progress(log, "log")
    most = None if limit is None else check_whole(limit, "the limit of questions", 0, LARGEST_LIMIT)
    costliest = None if cost_limit is None else check_whole(cost_limit, "the limit of cost", 0, INFEASIBLE - 1)
    named = check_openers(first)
    places = None if named is None else tuple(sorted({table.question_index(opener) for opener in named}))
    options = Options.of(
        jobs=jobs,
        backend=backend,
        scheduler=scheduler,
        wait=wait,
        time_limit=time_limit,
        memory_limit=memory_limit,
        gap=gap,
        objective=objective,
        journal=journal,
        without=without,
        switches=SWITCHES,
    )
    problem = KeyProblem(table, objective, most, costliest, places, options)
    if isinstance(table, VaryingTable):
        if objective != "mean" or (most, costliest, journal) != (None, None, None) or options.backend != "threads":
            raise InputError(
                f"{table.name}: its objects have {table.variants} forms in all, too many to be written out: then there "
                "is no objective but mean, no limit of questions or cost, no journal, and no worker processes"
            )
        return _of_shares(ShareRun(table, places, options, clock, progress), problem)
    with pool_of(options) as pool:
        run = KeyRun(problem, progress, clock=clock, log=log, pool=pool)
        return carry_out(run, lambda: _Search(run, pool).result(), "identify")


def _of_shares(run: ShareRun, problem: KeyProblem) -> Identification:
    """Return the outcome of a run over a table whose forms aren't written out."""
    key = None if not run.carry_out() or run.key is None else replace(run.key, bound=(run.bound,))
    status = Status.UNKNOWN if key is None else Status.OPTIMAL if key.value == key.bound else Status.FEASIBLE
    found = None if key is None else replace(key, status=status.value)
    reason = "done" if status is Status.OPTIMAL else run.stop_reason
    return _outcome(problem, run, status, reason, found, (run.bound,), run.search.nodes)


def _outcome(
    problem: KeyProblem,
    run: KeyRun | ShareRun,
    status: Status,
    reason: str,
    key: Key | None,
    bound: tuple[int, ...] | None,
    nodes: int,
) -> Identification:
    return Identification(
        status=status,
        value=None if key is None else key.value,
        bound=bound,
        key=key,
        objective=problem.objective,
        stop_reason=reason,
        seconds=run.clock.seconds,
        nodes=nodes,
        searched=problem.table,
        limit=problem.limit,
        cost_limit=problem.cost_limit,
        openers=problem.opener_names,
        time_limit=problem.options.time_limit,
    )


class _Search:
    """The steps of a run: the least worst case, if it is the objective; first trees; first questions; the canonical
    key."""

    def __init__(self, run: KeyRun, pool: Pool | None) -> None:
        self.run, self.pool = run, pool
        self.first = run.searches[0]
        self.round = self.spent = 0  # next beam, and the steps that beams took
        large = int(run.columns.groups.max()) >= _LARGE
        self.beams: Sequence[tuple[int, int]] = _LARGE_BEAMS if large else _BEAMS
        self.trees = _LARGE_TREES if large else _FIRST_TREES
        self.improver = Improver(run, self.first) if large else None

    def result(self) -> Identification:
        """Search, and return the outcome."""
        run, found = self.run, None
        with run.counting(run.searches):
            run.resume()
            try:
                if not run.by_worst or least_worst_limits(run, self.first):
                    self._first_trees()
                    self._settle()
                    if not run.stopped and run.best < INFEASIBLE:
                        found = self._canonical()
            except Stopped:
                run.control.stop()
        stopped = run.stopped
        if stopped and run.stop_reason == "done":
            run.stop("interrupted")
        if found is None and not stopped:
            return self._outcome(Status.INFEASIBLE, "done")
        if found is not None and found.total != run.best:
            raise InternalError(f"a key of {found.total} was built where {run.best} is proven least")
        if found is not None:
            return self._outcome(Status.OPTIMAL, "done", run.proven(found))
        self._rules_of_thumb()
        if run.best_key is None:
            return self._outcome(Status.UNKNOWN, run.stop_reason, bound=run.parts(run.bound))
        return self._outcome(Status.FEASIBLE, run.stop_reason, run.feasible(run.best_key))

    def _outcome(
        self, status: Status, reason: str, key: Key | None = None, bound: tuple[int, ...] | None = None
    ) -> Identification:
        run = self.run
        return _outcome(run.problem, run, status, reason, key, bound if key is None else key.bound, run.nodes)

    # First trees

    def _first_trees(self) -> None:
        """Find a key at once, then better ones by beams for a moment."""
        run, search = self.run, self.first
        run.none_below(search.value(run.limit, run.cost_limit, 0)[0])
        self._bounds()
        if run.by_worst and run.best_key is not None and run.fits(run.best_key):
            run.attained(run.best_key.total)
        if run.recorder is not None and run.best_key is not None and run.best == run.best_key.total:
            first = run.best_key.nodes[0]
            if run.lows.get(first, 0) > run.best:
                raise run.recorder.damaged(f"its key costs less than it says {run.name_of(first)} can")
        unrestricted = run.problem.openers is None
        if unrestricted:
            self._beam(-1)
        if run.best_key is None:
            run.keep_from(search, greedy_opener(run, search))
        while unrestricted and run.bound < run.best and self.spent < self.trees:
            if not self._beam(self.trees - self.spent):
                break

    def _bounds(self) -> None:
        """Bound all first questions: by sizes, and by what earlier runs have proven. Raises Stopped."""
        run = self.run
        known: dict[int, tuple[int, bool]] = {}
        if run.recorder is not None:
            if not run.by_worst:
                run.enter(run.limit, run.cost_limit)
            said = run.recorder.openers()
            known = {question: said[question] for question in run.asked if question in said}
        for question in run.asked:
            low = max(self.first.bound(question, run.limit, run.cost_limit), run.floor)
            if run.stopped:
                raise Stopped
            value, exact = known.get(question, (0, False))
            if run.recorder is not None and exact and value < low:
                raise run.recorder.damaged(f"{run.name_of(question)} costs less than is possible")
            run.all_bounded({question: low})
        run.take_over(known)

    def _beam(self, work: int) -> bool:
        """Try the next beam. Returns whether there is another."""
        run, search = self.run, self.first
        if self.round >= len(self.beams) or run.stopped:
            return False
        width, solved = self.beams[self.round]
        run.report("first trees", self.round, len(self.beams))
        began = search.steps
        found = search.beam(self.round, width, solved, run.limit, run.cost_limit, run.best, work)
        self.spent += search.steps - began
        if found < run.best:
            grown = run.grow(search, -1, round=self.round)
            if grown is not None:
                run.keep(grown)
        self.round += 1
        return self.round < len(self.beams)

    def _better(self, taken: int, before: int) -> int:
        """Look for a better key where first questions took so many steps, and so many when this was last done; which is
        returned."""
        run = self.run
        if self.improver is not None:
            if run.best > run.bound + run.bound // _FAR:
                self.improver.improve(taken - before)
            return taken
        if run.problem.openers is not None or taken < 2 * max(before, _FIRST_TREES):
            return before
        self._beam(taken // 4)
        return taken

    def _rules_of_thumb(self) -> None:
        """Try the rules of thumb after a run that was stopped early: one may beat the best key. They get a small part
        of the time that the run took, as it has to end."""
        run, problem = self.run, self.run.problem
        if problem.openers is not None or run.table.codes.size > MOST_CELLS:
            return
        for _, key in by_rules(run.table, seconds=spare(run.clock.seconds)):
            grown = run.grown(key)
            if grown.height <= problem.left and grown.costliest <= problem.cost_left:
                run.keep(grown)

    # First questions

    def _settle(self) -> None:
        """Settle the first questions in order of their bounds."""
        run = self.run
        order = sorted(run.lows, key=lambda question: (run.lows[question], question))
        if self.pool is None:
            self._settle_in_threads(order)
        else:
            within = replace(run.problem, limit=run.limit, cost_limit=run.cost_limit * run.columns.cost_unit)
            left = [question for question in order if not run.refuted(question)]
            settle_by_workers(KeySolver(within), run, left, self.pool)
        if not run.stopped and run.bound < run.best < INFEASIBLE:
            raise InternalError(f"first questions are left that may cost {run.bound}, less than {run.best}")

    def _settle_in_threads(self, order: Sequence[int]) -> None:
        """Settle questions in slices; the next slice goes to the question of least bound."""
        run = self.run
        heap = [(run.lows[question], question, _FIRST_SLICE) for question in order]

        def settle(search: KeySearch, _: int) -> None:
            taken = beamed = 0
            while not run.stopped:
                with run.lock:
                    if not heap or heap[0][0] >= run.best:
                        break
                    low, question, work = heappop(heap)
                best = run.best
                budget = best if taken < _LONG else risen(low, best)
                value, ended = search.opener(question, run.limit, run.cost_limit, budget, work)
                exact = ended and value < budget
                if exact or (ended and value >= run.best):
                    run.record(question, value, exact=exact, search=search)
                else:
                    run.bounded(question, value, search)
                    with run.lock:
                        heappush(heap, (run.lows[question], question, work if ended else 2 * work))
                    run.report_settled()
                taken += work
                if search is self.first and heap:
                    beamed = self._better(taken, beamed)

        run.work_begins()
        heapify(heap)
        hand_out(run.control, run.searches, range(len(run.searches)), settle)

    # The first of the optimal keys

    def _canonical(self) -> BuiltKey:
        run = self.run
        run.report("tree", 0, 0)
        least = (run.low_worst, run.best) if run.by_worst else (run.best,)
        if run.ready is not None and run.value_of(run.ready) == least:
            return run.ready
        grown = run.grow(self.first, self._canonical_opener(), canonical=True)
        if grown is None:
            raise InternalError("a key that is proven to be there was not found")
        return grown

    def _canonical_opener(self) -> int:
        """Return the first question of the lowest optimal key; -1 if no question is needed."""
        run = self.run
        if run.asks_nothing:
            return -1
        kept, limit = run.best_key, min(run.limit, len(run.columns.weights) + 1)
        if kept is not None and kept.total == run.best and kept.costliest <= run.cost_limit:
            limit = min(limit, kept.height)
        ties = [question for question in run.asked if run.lows[question] <= run.best]
        first = -1
        while limit >= 0 and (ties := self._tied_within(ties, limit)):
            first, limit = ties[0], limit - 1
        if first < 0:
            raise InternalError("a key that is proven to be there was not found")
        return first

    def _tied_within(self, ties: list[int], limit: int) -> list[int]:
        """Return these questions from the first on that begins an optimal key within this limit."""
        run = self.run
        for place, question in enumerate(ties):
            value, ended = self.first.opener(question, limit, run.cost_limit, run.best + 1)
            if not ended:
                raise Stopped
            if value <= run.best:
                return ties[place:]
        return []
