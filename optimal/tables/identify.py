"""The least key of a table: first trees, which first question next, when to stop, and what is proven in the end."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import heapify, heappop, heappush
from typing import Any

from optimal._engine import INFEASIBLE, KEY_SWITCHES, Control, KeySearch, Stopped
from optimal.checks import (
    BACKENDS,
    WAIT,
    check_choice,
    check_choices,
    check_jobs,
    check_journal,
    check_memory,
    check_openers,
    check_progress,
    check_scheduler,
    check_seconds,
    check_whole,
)
from optimal.errors import InputError, InternalError
from optimal.journal.journal import Note
from optimal.limits import LARGEST_LIMIT
from optimal.search.accounts import Accounts
from optimal.search.crews import crew_of
from optimal.search.engine import engine_limit
from optimal.search.gap import Gap
from optimal.search.jobs import share_out
from optimal.search.processes import Crew, settle_by_tasks
from optimal.search.progress import Clock, Progress
from optimal.search.result import Status
from optimal.search.run import REPORT_EVERY, ending, stopping
from optimal.show.words import shown
from optimal.tables.greedy import MOST_CELLS, by_rules, spare
from optimal.tables.keeping import NO_LEVEL, Keeper, Stands, journal_of, nodes_of
from optimal.tables.key import OBJECTIVES, Key
from optimal.tables.kinds import Kinds
from optimal.tables.offices import KeyParcel
from optimal.tables.question import Grown, KeyQuestion, grow, learn, risen
from optimal.tables.table import Table

#: Shortcuts of the search, for tests that leave them out one by one: none of them changes a key.
SWITCHES = frozenset(KEY_SWITCHES)
#: Steps of work that the first slice of a first question takes, and the first trees together before it.
_FIRST_SLICE, _FIRST_TREES = 1 << 22, 1 << 24
#: Steps after which a run is long.
_LONG = 1 << 26
#: Beams, one wider than the other: questions tried, and groups from which on that many.
_BEAMS = ((1, 0), (2, 4), (2, 8), (3, 12), (3, 16), (4, 20), (5, 24), (6, 28), (8, 32), (10, 40), (14, 48), (20, 64))


@dataclass(frozen=True)
class Identification:
    """The outcome of :func:`optimal.identify`.

    ``value`` is the key's and ``bound`` a proven lower bound of every key's over the first questions asked for, in the
    objective's order (mean: total; worst: dearest path, total), in the table's whole numbers. They are equal when
    ``status`` is OPTIMAL, and None where there is nothing to tell. ``nodes`` are the sets searched.
    """

    status: Status
    value: tuple[int, ...] | None
    bound: tuple[int, ...] | None
    key: Key | None
    objective: str
    stop_reason: str
    seconds: float
    nodes: int

    @property
    def total(self) -> int | None:
        """Sum of weight x cost of the questions asked; None without a key."""
        return None if self.key is None else self.key.total

    @property
    def gap(self) -> int | None:
        """How far the key's value may be from the least, in the part of it where it differs from the bound first; None
        without a key."""
        if self.value is None or self.bound is None:
            return None
        return next((ours - low for ours, low in zip(self.value, self.bound, strict=True) if ours != low), 0)

    def to_dict(self) -> dict[str, Any]:
        """What `optimal identify --json` tells of a result. The key itself is left out."""
        return {
            "status": self.status.value,
            "total": self.total,
            "value": None if self.value is None else list(self.value),
            "bound": None if self.bound is None else list(self.bound),
            "gap": self.gap,
            "objective": self.objective,
            "stop_reason": self.stop_reason,
            "seconds": self.seconds,
            "nodes": self.nodes,
        }


def identify(
    table: Table,
    *,
    objective: str = "mean",
    limit: int | None = None,
    cost_limit: int | None = None,
    openers: Sequence[str] | None = None,
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
) -> Identification:
    """Find the key of a table that costs least, and prove it.

    >>> from optimal import Table, identify
    >>> found = identify(Table.from_arrays([["4", "no"], ["2", "yes"], ["2", "no"]]))
    >>> found.status.value, found.total, found.key.worst
    ('OPTIMAL', 5, 2)

    Of all least keys it is the one of the lowest, at every set that it comes to, that asks the first question in the
    table's order: the same whatever the number of jobs.

    Parameters
    ----------
    table : Table
        What is to be told apart.
    objective : str
        "mean": the least total of weight x cost. "worst": the least cost of the dearest path, and within it the least
        total.
    limit : int, optional
        Questions asked of any object at most.
    cost_limit : int, optional
        What they may cost together, in the table's whole numbers.
    openers : sequence of str, optional
        The questions that may be asked first; else all.
    jobs : int
        Searches that run at once.
    backend : str
        What they run in: "threads", "loky" (processes of this machine), or "dask" (the workers of a cluster).
    scheduler : str, optional
        The address of the cluster; without it, workers are started here.
    wait : float, optional
        Seconds to wait for the scheduler and its first worker, and for others where they are lost; 30 if not told.
    time_limit : float, optional
        Seconds, after which the best key so far is returned.
    memory_limit : int, optional
        Bytes that the run may take.
    gap : int or str, optional
        Stop when the total is so near to the bound: a whole number, or per cent such as "1%".
    journal : str or path, optional
        Keep what is proven in this file, and go on from what it has.
    without : frozenset of str
        Shortcuts to leave out, for tests.
    progress : callable, optional
        Hears where the run stands, a few times a second.

    Returns
    -------
    Identification
        The key with its status, a bound, and what it took.

    Raises
    ------
    InputError
        For arguments that can't be, and a journal that is damaged, or belongs to another question.
    """
    clock = Clock()
    if not isinstance(table, Table):
        raise InputError(f"a Table is needed, such as Table.from_csv('birds'), not {shown(table)}")
    check_choice(objective, "objective", OBJECTIVES)
    most = None if limit is None else check_whole(limit, "the limit of questions", 0, LARGEST_LIMIT)
    dearest = None if cost_limit is None else check_whole(cost_limit, "the limit of cost", 0, INFEASIBLE - 1)
    named = check_openers(openers)
    places = None if named is None else sorted({table.question_index(opener) for opener in named})
    memory, near = check_memory(memory_limit), Gap.of(gap, objective)
    seconds, path, report = check_seconds(time_limit), check_journal(journal), check_progress(progress)
    kinds = Kinds.of(table)
    question = KeyQuestion(
        table,
        kinds,
        limit=engine_limit(most),
        purse=INFEASIBLE if dearest is None else dearest // kinds.cost_unit,
        jobs=check_jobs(jobs),
        backend=check_choice(backend, "backend", BACKENDS),
        scheduler=check_scheduler(scheduler, backend),
        wait=check_seconds(wait, "the wait") or WAIT,
        memory_limit=memory,
        without=check_choices(without, "switch", SWITCHES),
    )
    with crew_of(question, KeyParcel.of) as (control, crew):
        run = _Run(question, objective, most, dearest, places, near, report, control, crew, clock)
        left = None if seconds is None else max(seconds - clock.seconds, 0.0)
        with (
            stopping(run, left, memory),
            journal_of(path, table, objective, most, dearest, places, jobs) as kept,
        ):
            if kept is not None:
                run.keeper = Keeper(kept, run, table)
            with ending(run):
                found = run.result()
                run.end(found.status.value, found.key)
    return found if kept is None else replace(found, stop_reason=kept.failed or found.stop_reason)


class _Run:
    """What a run knows so far. Its searches work under its lock at what they share."""

    def __init__(
        self,
        question: KeyQuestion,
        objective: str,
        limit: int | None,
        cost_limit: int | None,
        openers: list[int] | None,
        gap: Gap | None,
        report: Callable[[Progress], None] | None,
        control: Control,
        crew: Crew | None,
        clock: Clock,
    ) -> None:
        self.clock, self.control, self.crew, self.question = clock, control, crew, question
        self.table, self.objective, self.gap, self.report = question.table, objective, gap, report
        self.asked_limit, self.asked_cost, self.openers = limit, cost_limit, openers
        self.kinds, self.limit, self.purse = question.kinds, question.limit, question.purse
        self.stop_reason = "done"
        self.lock = threading.RLock()
        self.keeper: Keeper | None = None
        self.accounts = Accounts(self.clock)
        self.ready: Grown | None = None  # the canonical key of an earlier run
        self.told: tuple[Grown, Key] | None = None  # the best key, as the journal has it
        self.kept: Grown | None = None
        self._best = self.control.incumbent = INFEASIBLE
        self.lows: dict[int, int] = {}  # by first question; the value where it is settled
        self.low = 0  # of all keys, whatever they begin with
        self.low_worst = 0  # of the dearest path
        self.round = self.spent = 0
        self.elsewhere = 0  # sets searched by others
        self.reported = 0.0
        many = question.jobs if crew is None else 1
        alone = many == 1 and threading.current_thread() is threading.main_thread()
        self.searches = question.searches(control, many, main_thread=alone)

    @property
    def best(self) -> int:
        """The least total that a key is known to have, within the limits. Others write to the incumbent, too, each a
        moment after it looked there: what this run knows must not rest on it."""
        return self._best

    @best.setter
    def best(self, total: int) -> None:
        self._best = total
        self.control.incumbent = min(self.control.incumbent, total)

    @property
    def stopped(self) -> bool:
        return bool(self.control.stopped)

    def stop(self, reason: str) -> None:
        """End all searches; what they have proven stays."""
        self.stop_reason = reason
        self.control.stop()

    # What its journal asks

    @property
    def asked(self) -> Sequence[int]:
        """The questions that may come first."""
        return range(self.kinds.codes.shape[0]) if self.openers is None else self.openers

    @property
    def unit(self) -> int:
        return self.kinds.unit

    @property
    def nodes(self) -> int:
        return self.elsewhere + sum(search.nodes for search in self.searches)

    def stands(self) -> Stands:
        """Where the run stands."""
        with self.lock:
            kept, bound = self.kept, self._bound()
            within = kept is not None and (self.objective == "mean" or kept.dearest <= self.low_worst)
            incumbent = kept.total * self.unit if kept is not None and within else None
            level = NO_LEVEL if self.objective == "mean" else self.low_worst * self.kinds.cost_unit
            settled = sum(low >= self.best for low in self.lows.values())
            return Stands(level, incumbent, bound * self.unit if 0 < bound < INFEASIBLE else None, settled)

    def at_hand(self) -> Key | None:
        """The best key so far."""
        with self.lock:
            kept, proven = self.kept, self._proven(self._bound())
        if kept is None:
            return None
        if self.told is None or self.told[0] is not kept:
            self.told = kept, replace(self._key(kept, proven), status=Status.FEASIBLE.value)
        return self.told[1]

    def end(self, status: str, key: Key | None = None) -> None:
        """Let the journal have how it ended."""
        if self.keeper is not None:
            self.keeper.end(status, key if status == Status.OPTIMAL.value else None)

    def _resume(self) -> None:
        """Have the best key of earlier runs."""
        if self.keeper is None:
            return
        for key, canonical in self.keeper.keys().values():
            grown = self._grown(key)
            if grown.height > self.limit or grown.dearest > self.purse:
                raise self.keeper.damaged("its key is beyond the limits")
            if self.openers is not None and key.root.question not in self.openers:
                continue
            if canonical and key.openers == (None if self.openers is None else tuple(self.openers)):
                self.ready = grown
            if self.kept is None or self._value(grown) < self._value(self.kept):
                self.kept = grown
        if self.kept is not None and self.objective == "mean":
            self.best = self.kept.total

    def _level(self, limit: int, purse: int) -> None:
        """The searches are at these limits from now on."""
        if self.keeper is None:
            return
        level = NO_LEVEL
        if self.objective == "worst" and purse < INFEASIBLE:
            level = purse * self.kinds.cost_unit
        elif self.objective == "worst" and self._even and limit < engine_limit(None):
            level = limit * int(self.kinds.costs[0]) * self.kinds.cost_unit
        self.keeper.begin(level, purse)

    @property
    def _even(self) -> bool:
        """Whether all questions cost the same, and something: then it is their number that the worst case is about."""
        costs = self.kinds.costs
        return bool((costs == costs[0]).all() and costs[0])

    @property
    def _asks_nothing(self) -> bool:
        """Whether the least key is one without a question."""
        return self.openers is None and not self.kinds.groups.any()

    def _proven(self, bound: int) -> tuple[int, ...]:
        """A bound of the total as the objective has it."""
        own = bound * self.unit
        return (own,) if self.objective == "mean" else (self.low_worst * self.kinds.cost_unit, own)

    def _key(self, grown: Grown, proven: tuple[int, ...]) -> Key:
        return Key.of(
            self.table,
            grown.nodes,
            objective=self.objective,
            limit=self.asked_limit,
            cost_limit=self.asked_cost,
            bound=proven,
            openers=self.openers,
        )

    def result(self) -> Identification:
        """Search, and tell what came of it."""
        search, found = self.searches[0], None
        feasible = False
        self._resume()
        try:
            feasible = self._worst_first() if self.objective == "worst" else True
            if feasible:
                self._first_trees(search)
                self._settle()
                if not self.control.stopped and self.best < INFEASIBLE:
                    found = self._canonical(search)
        except Stopped:
            self.control.stop()
        nodes = self.nodes
        stopped = bool(self.control.stopped)
        if stopped and self.stop_reason == "done":
            self.stop_reason = "interrupted"
        if found is None and not stopped:
            return Identification(
                Status.INFEASIBLE, None, None, None, self.objective, "done", self.clock.seconds, nodes
            )
        if found is None and stopped:
            self._rules_of_thumb()
        if found is not None and found.total != self.best:
            raise InternalError(f"a key of {found.total} was built where {self.best} is proven least")
        grown, bound = found or self.kept, self._bound() if found is None else found.total
        proven = self._proven(bound)
        if grown is None:
            return Identification(
                Status.UNKNOWN, None, proven, None, self.objective, self.stop_reason, self.clock.seconds, nodes
            )
        key = self._key(grown, proven)
        if found is None:  # it may be least, but not the first of all that are
            key = replace(key, status=Status.FEASIBLE.value)
        status = Status.FEASIBLE if found is None else Status.OPTIMAL
        reason = "done" if found is not None else self.stop_reason
        return Identification(status, key.value, key.bound, key, self.objective, reason, self.clock.seconds, nodes)

    # The least worst case

    def _worst_first(self) -> bool:
        """Bring the limits down to the least cost of a dearest path. Returns whether there is a key within them."""
        search = self.searches[0]
        self.low = search.value(self.limit, self.purse, 0)[0]
        if self.low >= INFEASIBLE:
            return False
        grown = self._grow(search, self._greedy_opener(search))
        if grown is not None and (self.kept is None or self._value(grown) < self._value(self.kept)):
            self.kept = grown
        return self._fewest(search) if self._even else self._cheapest(search)

    def _fewest(self, search: KeySearch) -> bool:
        """All questions cost the same: the fewest on the longest path."""
        each = int(self.kinds.costs[0])
        most = min(self.limit, self.purse // each, len(self.kinds.weights) + 1)
        for limit in range(self._refuted() // each + 1, most + 1):
            self.low_worst = limit * each
            self._tell("worst cases", limit, 0)
            self._level(limit, INFEASIBLE)
            known = self.kept is not None and self.kept.dearest <= self.low_worst
            if known or self._feasible(search, limit, INFEASIBLE):
                self.limit, self.purse = limit, INFEASIBLE
                if not known:
                    self._keep_any(search)
                return True
        return False

    def _refuted(self) -> int:
        """The dearest path that earlier runs have shown not to be enough, in units; -1 for none."""
        # A key that asks nothing begins with none of the questions, of which alone a journal tells.
        if self.keeper is None or self._asks_nothing:
            return -1
        level = self.keeper.refuted()
        refuted = INFEASIBLE if level >= NO_LEVEL else level // self.kinds.cost_unit
        if self.kept is not None and self.kept.dearest <= refuted:
            raise self.keeper.damaged("its key costs less at worst than it says any can")
        return refuted

    def _cheapest(self, search: KeySearch) -> bool:
        """The least purse, between one that is too small and one that is not."""
        low = self._refuted()
        if self.kept is None:
            self._level(self.limit, self.purse)
            if low >= self.purse or not self._feasible(search, self.limit, self.purse):
                return False
            self._keep_any(search)
        high = min(self.purse, int(self.kinds.costs.sum())) if self.kept is None else self.kept.dearest
        while high - low > 1:
            self.low_worst = low + 1
            self._tell("worst cases", 0, 0)
            middle = (low + high) // 2
            self._level(self.limit, middle)
            if self._feasible(search, self.limit, middle):
                self.purse = middle
                grown = self._keep_any(search)
                high = middle if grown is None else grown.dearest
            else:
                low = middle
        self.low_worst = self.purse = high
        self._level(self.limit, self.purse)
        return True

    def _feasible(self, search: KeySearch, limit: int, purse: int) -> bool:
        """Whether there is a key within these limits. Raises Stopped."""
        openers: Sequence[int] = (-1,) if self.openers is None else self.openers
        for opener in openers:
            found = search.feasible(limit, purse, -1, opener)
            if found is None:
                raise Stopped
            if found:
                self.any_opener = opener
                return True
            if self.keeper is not None:
                for question in self.asked if opener < 0 else [opener]:
                    self.keeper.opener(question, INFEASIBLE, exact=True, settled=True)
        return False

    def _keep_any(self, search: KeySearch) -> Grown | None:
        """The key that was just found to be there; None where it was lost."""
        grown = self._grow(search, self.any_opener, any=True)
        if grown is not None:
            self.kept = grown
        return grown

    # First trees, and first questions

    def _greedy_opener(self, search: KeySearch) -> int:
        """The first question of least bound among those asked for; -1: any."""
        if self.openers is None:
            return -1
        return min(self.openers, key=lambda question: search.bound(question, self.limit, self.purse))

    def _first_trees(self, search: KeySearch) -> None:
        """A key at once, and better ones from beams for a moment."""
        self.low = max(self.low, search.value(self.limit, self.purse, 0)[0])
        lows, known = {}, {}
        if self.keeper is not None:
            if self.objective == "mean":
                self._level(self.limit, self.purse)
            known = self.keeper.openers()
        for question in self.asked:
            lows[question] = max(search.bound(question, self.limit, self.purse), self.low)
            if self.control.stopped:
                raise Stopped
            low, exact = known.get(question, (0, False))
            if self.keeper is not None and exact and low < lows[question]:
                raise self.keeper.damaged(f"{self.table.questions[question]} costs less than is possible")
            lows[question] = max(lows[question], low)
            if exact:
                self.best = min(self.best, low)
        self.lows = lows
        if self.objective == "worst" and self.kept is not None:
            within = self.kept.height <= self.limit and self.kept.dearest <= self.purse
            if within and self.kept.total < self.best:
                self.best = self.kept.total
        if self.keeper is not None and self.kept is not None and self.best == self.kept.total:
            first = self.kept.nodes[0]
            if lows.get(first, 0) > self.best:
                raise self.keeper.damaged(f"its key costs less than it says {self.table.questions[first]} can")
        if self.openers is None:
            self._beam(search, -1)
        if self.kept is None:
            opener = self._greedy_opener(search)
            self.keep(self._grow(search, opener))
        while self.openers is None and self._bound() < self.best and self.spent < _FIRST_TREES:
            if not self._beam(search, _FIRST_TREES - self.spent):
                break

    def _beam(self, search: KeySearch, work: int) -> bool:
        """The next beam. Returns whether there is another."""
        if self.round >= len(_BEAMS) or self.control.stopped:
            return False
        width, solved = _BEAMS[self.round]
        self._tell("first trees", self.round, len(_BEAMS))
        began = search.steps
        found = search.beam(self.round, width, solved, self.limit, self.purse, self.best, work)
        self.spent += search.steps - began
        if found < self.best:
            self.keep(self._grow(search, -1, round=self.round))
        self.round += 1
        return self.round < len(_BEAMS)

    def keep(self, grown: Grown | None) -> None:
        """A key that is there: it is at hand from now on, unless a better one is."""
        if grown is None:
            return
        with self.lock:
            if self.kept is None or self._value(grown) < self._value(self.kept):
                self.kept = grown
            self.best = min(self.best, grown.total)
        self._tell("openers", 0, 0)

    def _rules_of_thumb(self) -> None:
        """Of a run that is stopped early a rule of thumb may know better: what it returns is the best key known. They
        have a small part of the time that the run took, since it has to end."""
        if self.openers is not None or self.table.codes.size > MOST_CELLS:
            return
        for _, key in by_rules(self.table, seconds=spare(self.clock.seconds)):
            grown = self._grown(key)
            if grown.height <= self.question.limit and grown.dearest <= self.question.purse:
                self.keep(grown)

    def _grown(self, key: Key) -> Grown:
        return Grown(nodes_of(key.root), key.total // self.unit, key.worst, key.worst_cost // self.kinds.cost_unit)

    def _value(self, grown: Grown) -> tuple[int, ...]:
        return (grown.total,) if self.objective == "mean" else (grown.dearest, grown.total)

    def _settle(self) -> None:
        """Settle the first questions, those of the least bounds first."""
        order = sorted(self.lows, key=lambda question: (self.lows[question], question))
        if self.crew is None:
            self._settle_in_threads(order)
        else:
            within = replace(self.question, limit=self.limit, purse=self.purse)
            settle_by_tasks(within, self, [question for question in order if not self.refuted(question)], self.crew)
        if not self.control.stopped and self.best < INFEASIBLE:
            self.low = self.best

    def _settle_in_threads(self, order: Sequence[int]) -> None:
        """In slices, always the one next whose bound is least."""
        heap = [(self.lows[question], question, _FIRST_SLICE) for question in order]

        def settle(search: KeySearch, _: int) -> None:
            taken, beamed = 0, _FIRST_TREES
            while not self.control.stopped:
                with self.lock:
                    if not heap or heap[0][0] >= self.best:
                        break
                    low, question, work = heappop(heap)
                best = self.best
                budget = best if taken < _LONG else risen(low, best)
                value, ended = search.opener(question, self.limit, self.purse, budget, work)
                exact = ended and value < budget
                better = self._found(question, value, exact=exact)
                self.accounts.worked(question, search)
                if better:
                    self.keep(self._grow(search, question))
                # After the key: so the journal has it, too.
                if exact or (ended and value >= self.best):
                    self.record(question, value, exact=exact)
                else:
                    self.bounded(question, value)
                    with self.lock:
                        heappush(heap, (self.lows[question], question, work if ended else 2 * work))
                self.tell_settled()
                taken += work
                if search is self.searches[0] and self.openers is None and taken >= 2 * beamed and heap:
                    self._beam(search, taken // 4)
                    beamed = taken

        self.accounts.begin(self.searches)
        heapify(heap)
        share_out(self.control, self.searches, range(len(self.searches)), settle)

    # What those hear and ask who settle first questions

    def name_of(self, question: int) -> str:
        return self.table.questions[question]

    def work_begins(self) -> None:
        self.accounts.begin(self.searches)
        self.tell_settled()

    def tell_settled(self) -> None:
        self._tell("openers", 0, len(self.lows))

    def refuted(self, question: int) -> bool:
        """Whether no key that begins with this question is better than one that is known."""
        return self.lows[question] >= self.best

    def wanted(self, question: int) -> bool:
        """Whether notes of a question are of use: it may begin the first of all least keys."""
        return self.lows[question] <= self.best

    def record(self, question: int, value: int, *, exact: bool) -> None:
        """A first question is settled, by its value or a lower bound."""
        self._found(question, value, exact=exact)
        if self.keeper is not None:
            # What is not above the least total is asked again when the first of all least keys is looked for.
            low = self.lows[question]
            self.keeper.opener(question, low, exact=exact, settled=low > self.best)

    def bounded(self, question: int, low: int) -> None:
        """A lower bound of one that isn't settled."""
        self._found(question, low, exact=False)
        if self.keeper is not None:
            self.keeper.opener(question, self.lows[question], exact=False, settled=False)

    def _found(self, question: int, value: int, *, exact: bool) -> bool:
        """Whether this is the value of a better key than all before."""
        with self.lock:  # others find values at the same time: the least stays
            self.lows[question] = max(self.lows[question], value)
            better = exact and value < self.best
            if better:
                self.best = value
            return better

    def count(self, *counters: int) -> None:
        """Others have searched so many sets."""
        [nodes] = counters
        with self.lock:
            self.elsewhere += nodes

    def learn(self, known: Mapping[int, Iterable[Note]]) -> None:
        """Know what others noted of the questions that may begin the first of all least keys: it is put together
        here."""
        for question in known:
            for note in known[question] if self.wanted(question) else ():
                learn(self.searches[0], note, self.purse)

    def _bound(self) -> int:
        """A lower bound of every total within the limits."""
        with self.lock:
            return min(max(self.low, min(self.lows.values(), default=0)), self.best)

    # Trees

    def _canonical(self, search: KeySearch) -> Grown:
        """Of all least keys the first."""
        self._tell("tree", 0, 0)
        ready = self.ready
        least = (self.best,) if self.objective == "mean" else (self.low_worst, self.best)
        if ready is not None and self._value(ready) == least:
            return ready
        grown = self._grow(search, self._canonical_opener(search), canonical=True)
        if grown is None:
            raise InternalError("a key that is proven to be there was not found")
        return grown

    def _canonical_opener(self, search: KeySearch) -> int:
        """The question asked first in the lowest of least keys; -1 where none need be asked."""
        if self._asks_nothing:
            return -1
        kept, limit = self.kept, min(self.limit, len(self.kinds.weights) + 1)
        if kept is not None and kept.total == self.best and kept.dearest <= self.purse:
            limit = min(limit, kept.height)
        ties = [question for question in self.asked if self.lows[question] <= self.best]
        first = -1
        while limit >= 0 and (ties := self._keeping(search, ties, limit)):
            first, limit = ties[0], limit - 1
        if first < 0:
            raise InternalError("a key that is proven to be there was not found")
        return first

    def _keeping(self, search: KeySearch, ties: list[int], limit: int) -> list[int]:
        """Of these questions those from the first on that begins a least key within this limit."""
        for place, question in enumerate(ties):
            value, ended = search.opener(question, limit, self.purse, self.best + 1)
            if not ended:
                raise Stopped
            if value <= self.best:
                return ties[place:]
        return []

    def _grow(self, search: KeySearch, opener: int, **how: Any) -> Grown | None:
        return grow(search, self.limit, self.purse, opener, **how)

    def _tell(self, phase: str, done: int, total: int) -> None:
        """Report where the run stands, now and then, and stop where that is near enough."""
        with self.lock:
            kept, bound = self.kept, self._bound()
            # Once they are equal, nothing but the choice among equal keys is left to be done.
            early = phase == "openers" and kept is not None and kept.total > bound
            if (
                self.gap is not None
                and kept is not None
                and early
                and self.gap.reached(kept.total * self.unit, bound * self.unit)
            ):
                self.stop("gap")
            now = self.clock.seconds
            if self.report is None or now - self.reported < REPORT_EVERY:
                return
            self.reported = now
        if total:
            done = sum(low >= self.best for low in self.lows.values())
        opener = None if kept is None else kept.nodes[0]
        self.report(
            Progress(
                phase=phase,
                done=done,
                total=total,
                incumbent=None if kept is None else kept.total * self.kinds.unit,
                opener=None if opener is None or opener < 0 else self.table.questions[opener],
                bound=bound * self.kinds.unit,
                nodes=self.nodes,
                seconds=now,
                timed=phase == "openers",
            )
        )
