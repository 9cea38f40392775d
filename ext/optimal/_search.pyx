"""Exact depth-bounded branch and bound over the feedback partitions.

V(P, d) is the least cost over strategy trees that find every candidate of position P within d guesses: what a guess
costs (costs.h; n with unit costs) + the sum of V over the feedback classes of the best legal guess, its winning class
left out. Values are integers; INFEASIBLE stands for no tree. Every search takes a budget: a result below it is exact,
a result at or above it is a proven lower bound.

The headers in ext/ hold the bounds and the steps; here is the recursion, and who owns what.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free

import numpy as np

from optimal cimport headers
from optimal._game cimport GameTables
from optimal.headers cimport (
    CEILING_NUMBER,
    CODES_MOST,
    COST_INF,
    COUNTS,
    DEEPEST,
    DEPTHS,
    FREE,
    FREE_FIRST,
    FREE_FIRST_NUMBER,
    FREE_LOSSES,
    HARD,
    LIKE_MOST,
    MEMO_SLOTS,
    NOGOODS,
    NORMAL,
    NOTE_CODES,
    NOTE_FROM,
    NOTE_LEAST,
    NOTE_LOOKS,
    NOTE_PART,
    NOTE_STOPPED,
    NO_GUESS,
    OPTIMAL_LOAD,
    OPTIMAL_STORE,
    PARTS,
    PARTS_MOST,
    PARTS_NUMBER,
    POLL_WORK,
    SETTLED,
    SHORTCUTS_MANY,
    SYMMETRY,
    TABLE_LEAST,
    TABLE_LEAST_WEIGHED,
    TILE_BYTES,
    TUNED,
    ULTRA_HARD,
    WHOLE,
    arena_free,
    arena_init,
    arena_mark,
    arena_mark_t,
    arena_release,
    arena_trim,
    checked_aligned,
    checked_calloc,
    class_fails,
    class_settled,
    dearest_tree,
    entry_t,
    free_aligned,
    guard_depth,
    guess_key,
    guesses_before_last,
    guesses_that_bind,
    key128,
    likeness_free,
    likeness_init,
    memo_free,
    memo_init,
    nested_parts,
    nogood_t,
    nogoods_free,
    nogoods_init,
    nogoods_refute,
    node_bound,
    node_bound_wave,
    node_close,
    node_found,
    node_learn,
    node_list,
    node_next_wave,
    node_open,
    node_prepare,
    node_settle,
    node_split,
    node_t,
    partition_t,
    parts_pay,
    position_key,
    position_t,
    raise_low,
    recall,
    remember,
    search_t,
    set_key,
    shortcut_text,
    sum_count_bounds,
    sum_table_bounds,
    table_free,
    table_init,
    take,
    tally_t,
    under_way_t,
)

cdef extern from "Python.h":
    int PyErr_CheckSignals() except -1

cdef enum:
    COUNTED_FAST = 40         # sets of more answers take long to count

INFEASIBLE = COST_INF
NO_LIMIT = FREE
#: Names of the switches for `Searcher(off=...)`.
SWITCHES = {shortcut_text[i].name.decode(): 1 << i for i in range(SHORTCUTS_MANY)}
#: What is counted of each in `Searcher.tallies`: (asked, settled), in words.
COUNTED = {shortcut_text[i].name.decode(): (shortcut_text[i].asked.decode(), shortcut_text[i].settled.decode())
           for i in range(SHORTCUTS_MANY)}
#: Whether this build has small thresholds, for tests (testing.h).
SMALL = TUNED(0, 1) == 1
RULES = {"normal": NORMAL, "hard": HARD, "ultra-hard": ULTRA_HARD}


include "failing.pxi"


class Stopped(Exception):
    """The search was told to stop before it was done."""


cdef class Control:
    """What running searches share: the incumbent and a stop flag, in memory the caller owns.

    ``cells`` is an int64 array of two: the cost to beat, and non-zero to stop. It may be a memory map shared by
    processes.
    """

    def __init__(self, cells):
        self.cells = cells
        if self.cells.shape[0] != 2:
            raise ValueError("Control needs two cells")

    @property
    def incumbent(self):
        return OPTIMAL_LOAD(&self.cells[0])

    @incumbent.setter
    def incumbent(self, int64_t value):
        OPTIMAL_STORE(&self.cells[0], value)

    @property
    def stopped(self):
        return OPTIMAL_LOAD(&self.cells[1]) != 0

    def stop(self):
        OPTIMAL_STORE(&self.cells[1], 1)


cdef void check_signals(search_t *s) noexcept nogil:
    """In the main thread: let pending signals be handled. Ctrl-C, where nobody handles it, stops the search."""
    with gil:
        try:
            PyErr_CheckSignals()
        except KeyboardInterrupt:
            s.stopped = True
            if s.stop_flag != NULL:
                OPTIMAL_STORE(s.stop_flag, 2)


cdef class Searcher:
    """One thread's search: its transposition table, its memory, its counters.

    ``weights`` (answers) int64, none negative, count each answer so many times; ``by`` is the guess by which an answer
    should be found (-1: no matter), ``late`` what it costs more, per weight, to find it later. All sums of weight x
    depth must stay below 2^62: the caller sees to it. Costs with `late` in them may be more: 2^62 and above count as
    infeasible.

    ``off`` is a set of switches (SWITCHES) to leave out; every one changes the work, none the values. ``table_slots``
    of 32 bytes each is where the table starts, ``max_slots`` what it may grow to. Raises ValueError for weights that
    do not fit, MemoryError.
    """

    def __cinit__(self):
        arena_init(&self.s.arena)

    def __init__(self, GameTables tables, Control control, weights=None, int by=-1, int64_t late=0, *, int off=0,
                 size_t table_slots=1 << 16, size_t max_slots=1 << 22, bint main_thread=False):
        cdef search_t *s = &self.s
        self.tables = tables
        self.control = control
        s.game = &tables.game
        s.stop_flag = &control.cells[1]
        s.looks_left = -1
        self.main_thread = main_thread
        s.switches = ~off
        self.set_costs(weights, by, late)
        if not s.switches & COUNTS:
            s.switches &= ~DEPTHS        # which speak of counts
        if not s.costs.unit:
            s.switches &= ~(DEPTHS | PARTS)      # which speak of numbers of answers
        if not s.costs.uniform:
            s.switches &= ~SYMMETRY      # answers of the same pattern may weigh differently
        s.table_least = TABLE_LEAST if s.costs.unit else TABLE_LEAST_WEIGHED
        # Most guesses are refuted by a few of their largest classes, whose bounds rise most. Under hard rules that
        # takes longer than it saves where they are not counted fast.
        s.larger_first = tables.answers if late or tables.rules == NORMAL else COUNTED_FAST
        if table_init(&s.table, table_slots, max_slots) < 0 or memo_init(&s.member_memo, MEMO_SLOTS) < 0 \
                or likeness_init(&s.likeness, tables.answers) < 0:
            raise MemoryError
        if tables.rules != NORMAL or not s.costs.unit:
            s.switches &= ~NOGOODS       # where sets alone don't decide
        elif nogoods_init(&s.nogoods, tables.answers) < 0:
            raise MemoryError
        s.tile = <uint8_t *>checked_aligned(TILE_BYTES(LIKE_MOST))
        s.marks.mark = <uint32_t *>checked_calloc(CODES_MOST, sizeof(uint32_t))
        s.class_size = <int32_t *>checked_calloc(CODES_MOST, sizeof(int32_t))
        s.class_key = <key128 *>checked_calloc(CODES_MOST, sizeof(key128))
        s.family_size = <int32_t *>checked_calloc(tables.game.families + 1, sizeof(int32_t))
        s.letter_count = <int32_t *>checked_calloc(tables.game.letters + 1, sizeof(int32_t))
        s.stamp = <uint32_t *>checked_calloc(tables.answers, sizeof(uint32_t))
        if s.marks.mark == NULL or s.class_size == NULL or s.class_key == NULL or s.family_size == NULL or s.letter_count == NULL \
                or s.stamp == NULL or s.tile == NULL:
            raise MemoryError
        self.bottom = arena_mark(&s.arena)

    def set_costs(self, weights, by, late):
        cdef search_t *s = &self.s
        s.costs.by = by if late else -1
        s.costs.late = late
        s.costs.each = 1
        s.costs.uniform = 1
        if weights is not None:
            self.weights = np.ascontiguousarray(weights, dtype=np.int64)
            if self.weights.shape[0] != self.tables.answers or np.min(self.weights) < 0:
                raise ValueError("Searcher: one weight for every answer, none negative")
            s.costs.weights = &self.weights[0]
            s.costs.each = self.weights[0]
            s.costs.uniform = np.ptp(self.weights) == 0
        s.costs.unit = s.costs.by < 0 and s.costs.uniform and s.costs.each == 1

    def __dealloc__(self):
        table_free(&self.s.table)
        memo_free(&self.s.member_memo)
        arena_free(&self.s.arena)
        free_aligned(self.s.tile)
        free(self.s.marks.mark)
        likeness_free(&self.s.likeness)
        nogoods_free(&self.s.nogoods)
        free(self.s.class_size)
        free(self.s.class_key)
        free(self.s.family_size)
        free(self.s.letter_count)
        free(self.s.stamp)

    @property
    def main_thread(self):
        """Whether the search looks for signals: it must run in the main thread then."""
        return self.s.check_signals != NULL

    @main_thread.setter
    def main_thread(self, bint value):
        self.s.check_signals = NULL
        if value:
            self.s.check_signals = check_signals

    @property
    def nodes(self):
        """Positions entered."""
        return self.s.nodes

    @property
    def count_calls(self):
        """Count bounds taken."""
        return self.s.count_calls

    @property
    def guesses_tried(self):
        return self.s.guesses_tried

    @property
    def tallies(self):
        """By shortcut: how often it was asked, how often that settled the question, and, of those that search, the
        nodes of searches that did and of those in vain."""
        return {name: (self.s.tally[i].asked, self.s.tally[i].settled, self.s.tally[i].paid, self.s.tally[i].wasted)
                for i, name in enumerate(SWITCHES)}

    @property
    def nogoods(self):
        """Sets of answers of which it is known that they have no tree, as (indices, guesses left), as they were found."""
        cdef const nogood_t *q
        found = []
        for i in range(self.s.nogoods.count):
            q = &self.s.nogoods.all[i]
            found.append((tuple(q.answers[j] for j in range(q.n)), q.left))
        return found

    cdef int done(self) except -1:
        """End of a call: release its memory; say what stopped it, and be ready for the next."""
        cdef bint stopped = self.s.stopped, out_of_memory = self.s.out_of_memory, too_deep = self.s.too_deep
        self.s.stopped = self.s.out_of_memory = self.s.too_deep = self.s.feasibility_only = self.s.level = 0
        arena_release(&self.s.arena, self.bottom)
        self.called_at = self.s.looks
        if out_of_memory:
            arena_trim(&self.s.arena)
            raise MemoryError("the search ran out of memory")
        if too_deep:
            raise RecursionError(f"the search went deeper than {DEEPEST} guesses")
        if stopped:
            raise Stopped
        return 0

    cdef int done_with_bounds(self) except -1:
        """`done`, for what returns bounds: they hold, whatever stopped the search."""
        if not self.s.out_of_memory and not self.s.too_deep:
            self.s.stopped = False
        return self.done()

    cdef bint looks_ran_out(self) noexcept nogil:
        """Whether nothing else stopped the search."""
        return self.s.looks_left < 0 and not self.s.out_of_memory and not self.s.too_deep \
            and (self.s.stop_flag == NULL or not OPTIMAL_LOAD(self.s.stop_flag))

    cdef int check_guess(self, int guess) except -1:
        if not 0 <= guess < self.tables.guesses:
            raise IndexError(f"guess {guess} of {self.tables.guesses}")
        return 0

    # ------------------------------------------------------------------ values

    cdef int64_t value(self, const position_t *P, int d, int64_t budget, int *height) noexcept nogil:
        """V(P, d), n >= 3: exact if below `budget` (with the height of a tree), else a lower bound; UNPROVEN if the
        search stopped."""
        cdef search_t *s = &self.s
        cdef tally_t *tally = &s.tally[FREE_FIRST_NUMBER]
        cdef int64_t v, most
        cdef uint64_t before
        if d < 2:
            return COST_INF
        d = guesses_that_bind(P, d)
        if d == FREE:
            return self.node(P, FREE, budget, height)
        if guesses_before_last(s, P.n) >= d:     # else a search without the limit might outgrow the stack for nothing
            return COST_INF
        if d > 2 and self.tables.rules == NORMAL and not s.feasibility_only and s.switches & FREE_FIRST \
                and tally.wasted <= tally.paid + FREE_LOSSES:
            # Without a limit first: its value is a lower bound, and the very value if its tree is low enough. Where
            # the limit binds it seldom is, and then this is work for nothing. Hard rules make limits bind.
            before = s.nodes
            tally.asked += 1
            v = self.node(P, FREE, budget, height)
            if v >= budget or height[0] <= d or s.stopped:
                tally.settled += 1
                tally.paid += s.nodes - before
                return v
            tally.wasted += s.nodes - before
        # A budget that few trees would exceed asks whether there is a tree at all.
        if parts_pay(s, P, d, budget) and self.part_fails(P, d):
            return COST_INF
        # No tree costs more than the dearest: beyond that the value is infinite, and is kept as such for all budgets.
        most = dearest_tree(s, P, d)
        v = self.node(P, d, min(budget, most + 1), height)
        if most < budget:
            s.tally[CEILING_NUMBER].asked += 1
            s.tally[CEILING_NUMBER].settled += v > most
        return COST_INF if v > most else v

    cdef bint part_fails(self, const position_t *P, int d) noexcept nogil:
        """Whether a part of P is seen to have no tree within d guesses; then P has none (parts.h)."""
        cdef search_t *s = &self.s
        cdef const entry_t *e = recall(s, position_key(s, P, d), P.n)
        cdef int i, parts, h = 0, feasibility_only = s.feasibility_only
        cdef int sizes[PARTS_MOST]
        cdef int32_t *B
        cdef int64_t most
        cdef position_t part = P[0]
        cdef bint fails = False
        cdef uint64_t before = s.nodes
        cdef tally_t *tally = &s.tally[PARTS_NUMBER]
        cdef arena_mark_t mark = arena_mark(&s.arena)
        if e != NULL and e.exact:
            return e.value >= COST_INF
        B = <int32_t *>take(s, P.n * sizeof(int32_t))
        if B == NULL:
            return False
        parts = nested_parts(s, P, d + 1, B, sizes)
        part.answers = B
        s.feasibility_only = True
        for i in range(parts - 1, -1, -1):       # the smallest first
            part.n = sizes[i]
            part.set = set_key(s.game, B, part.n)
            most = dearest_tree(s, &part, d)
            fails = self.node(&part, d, most + 1, &h) > most
            if fails or s.stopped:
                break
        s.feasibility_only = feasibility_only
        arena_release(&s.arena, mark)
        tally.asked += 1
        if not fails or s.stopped:
            tally.wasted += s.nodes - before
            return False
        tally.settled += 1
        tally.paid += s.nodes - before
        remember(s, position_key(s, P, d), COST_INF, 1, 0, NO_GUESS, 1, P.n)
        return True

    cdef int64_t node(self, const position_t *P, int d, int64_t budget, int *height) noexcept nogil:
        """V(P, d), n >= 3, d >= 2, as `value` promises it. The steps are told in node.h."""
        cdef search_t *s = &self.s
        cdef node_t N
        if node_open(s, &N, P, d, budget) != SETTLED and node_bound(s, &N) != SETTLED \
                and node_list(s, &N) != SETTLED and node_prepare(s, &N) != SETTLED:
            while node_next_wave(s, &N):
                if self.wave(&N):
                    break
            else:
                node_close(s, &N)
        if self.keeping and s.feasibility_only and N.guess != NO_GUESS and not s.stopped:
            self.tree_found(&N)
        height[0] = N.height
        return N.best

    cdef void tree_found(self, const node_t *N) noexcept nogil:
        """Hear of a tree that a search for any tree found."""

    cdef bint wave(self, node_t *N) noexcept nogil:
        """Steps 4 and 5 for one wave."""
        return node_bound_wave(&self.s, N) == SETTLED or self.search_wave(N)

    cdef bint search_wave(self, node_t *N) noexcept nogil:
        """Step 5: search what survived, most promising first; each guess stops once it reaches the best so far. Returns
        SETTLED where one tree was all that is asked."""
        cdef search_t *s = &self.s
        cdef partition_t p
        cdef arena_mark_t inner
        cdef int64_t v, began
        cdef int i, h
        for i in range(N.first, N.to):
            if N.list[i].low >= N.best or s.stopped:
                break
            if nogoods_refute(s, N.near, N.list[i].guess) or self.is_refuted(N, N.list[i].guess):
                continue
            began = self.codes()
            inner = arena_mark(&s.arena)
            if node_split(s, N, &N.list[i], &p) < 0:
                break
            v = sum_table_bounds(s, &N.legal, &p, N.left, N.class_least, N.best, &h)
            if v < N.best:
                v = self.finish(&p, v, N.left, N.best, &h)
            node_learn(s, N, &p)
            arena_release(&s.arena, inner)
            if s.stopped:
                break
            if v < N.best:
                node_found(N, &N.list[i], v, h)
                if s.feasibility_only:
                    return node_settle(s, N, v)
            else:
                self.note_guess(N, N.list[i].guess, v, began)
        return False

    cdef int64_t finish(self, partition_t *p, int64_t total, int d, int64_t budget, int *height) noexcept nogil:
        """Raise `total`, the cost of a guess by its classes' bounds, until it is exact or reaches `budget`: count
        bounds first, then search, smaller classes first."""
        cdef int i, h = 0
        total = sum_count_bounds(&self.s, p, total, d, budget)
        total = self.search_classes(p, total, d, budget, 0, self.tables.answers)
        if total < budget and not self.s.stopped:
            for i in range(p.classes):
                if p.height[i] > h:
                    h = p.height[i]
            height[0] = h + 1
        return total

    cdef int64_t search_classes(self, partition_t *p, int64_t total, int d, int64_t budget, int least,
                                int most) noexcept nogil:
        """Search the classes of `least` to `most` answers that are not exact, until the sum reaches `budget`; each
        against what the bounds of the others leave of it."""
        cdef search_t *s = &self.s
        cdef under_way_t here
        cdef int i
        here.p = p
        here.d = d
        here.done = here.noted = 0
        here.outer = self.under_way
        self.under_way = &here
        s.level += 1
        guard_depth(s, 0)
        for i in range(p.classes):
            here.done = i
            if total >= budget or s.stopped:
                break
            if p.exact[i] or not least <= p.position[i].n <= most:
                continue
            if s.looks - self.noted_at >= NOTE_LOOKS:
                self.note()
            total = self.search_class(p, i, total, d, budget - (total - p.low[i]))
            if s.stopped:
                break
        if s.stopped and s.looks - self.noted_at >= NOTE_STOPPED:
            self.note()
        s.level -= 1
        self.under_way = here.outer
        return total

    cdef int64_t search_class(self, partition_t *p, int i, int64_t total, int d, int64_t budget) noexcept nogil:
        """Search class i for this much; returns the raised `total`. A search that stops leaves it as it was."""
        cdef int h = 0
        cdef int64_t v = self.value(&p.position[i], d, budget, &h)
        if self.s.stopped:
            return total
        if v >= COST_INF:
            return class_fails(p, i)
        total = raise_low(p, i, v, total)
        if v < budget:
            class_settled(p, i, v, h)
        return total

    # ------------------------------------------------------------------ notes

    def take_notes(self, bint wanted=True):
        """Whether to note, from now on, what is proven of the classes under way."""
        self.notes = [] if wanted else None

    def noted(self):
        """The notes since the last call, in the form that `OpenerSearch.learn` takes: (history, guesses left, value,
        exact, height, guess, counted), with pairs (guess, feedback) in the history; a pair (guess, WHOLE) at its end
        stands for all trees that go on with this guess. Any thread may call it."""
        found = self.notes or []
        if found:
            self.notes = []
        return found

    cdef void note(self) noexcept nogil:
        """Note what the table holds of all classes under way that were looked at. None of it need be done again by a
        search that learns of it."""
        cdef under_way_t *u = self.under_way
        cdef int i
        self.noted_at = self.s.looks
        if self.notes is None or self.s.feasibility_only:
            return
        with gil:
            while u != NULL:
                for i in range(u.noted, u.done):
                    if u.p.position[i].n >= NOTE_LEAST:
                        self.note_class(&u.p.position[i], u.d)
                u.noted = u.done
                u = u.outer

    cdef void note_position(self, const position_t *P, int d) noexcept nogil:
        """Note at once what the table holds of a class that took long."""
        if self.notes is not None and not self.s.feasibility_only and P.n >= NOTE_LEAST:
            with gil:
                self.note_class(P, d)

    cdef void note_class(self, const position_t *P, int d) noexcept:
        """Note what the table holds of a class without a limit, and within d guesses where these bind."""
        self.note_entry(P, FREE)
        if guesses_that_bind(P, d) != FREE:
            self.note_entry(P, d)

    cdef void note_entry(self, const position_t *P, int d) noexcept:
        cdef const entry_t *e = recall(&self.s, position_key(&self.s, P, d), P.n)
        if e != NULL:
            self.notes.append((self.history_of(P), d, e.value, e.exact, e.height, e.guess, e.counted))

    cdef bint is_refuted(self, const node_t *N, int guess) noexcept nogil:
        """Whether it is noted that no tree of the node that begins with this guess beats the best so far."""
        cdef const entry_t *e
        if self.notes is None or N.P.n < NOTE_LEAST:
            return False
        e = recall(&self.s, guess_key(&self.s, N.P, N.d, guess), N.P.n)
        return e != NULL and e.value >= N.best

    cdef void note_guess(self, const node_t *N, int guess, int64_t low, int64_t began) noexcept nogil:
        """Note what a guess costs at least that was refuted, and took the codes since `began`, if that was long."""
        cdef search_t *s = &self.s
        cdef int64_t looks = s.looks - self.called_at
        if self.notes is None or s.feasibility_only or N.P.n < NOTE_LEAST or looks < NOTE_FROM \
                or self.codes() - began < max(NOTE_CODES, looks * POLL_WORK // NOTE_PART):
            return
        remember(s, guess_key(s, N.P, N.d, guess), low, 0, 0, NO_GUESS, 0, N.P.n)
        with gil:
            self.notes.append((self.history_of(N.P) + ((guess, WHOLE),), N.d, low, 0, 0, NO_GUESS, 0))

    cdef int64_t codes(self) noexcept nogil:
        """The codes that the search has looked at so far."""
        return <int64_t>self.s.looks * POLL_WORK + self.s.work

    cdef tuple history_of(self, const position_t *P):
        """Guesses and feedback codes that lead to a position."""
        cdef const position_t *q = P
        history = []
        while q.before != NULL:
            history.append((q.guess, q.code))
            q = q.before
        return tuple(history[::-1])
