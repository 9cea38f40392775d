"""Trees at once: greedy play and beams.

A beam of width k takes, at every position, the best of the trees that begin with its k likeliest guesses, each class of
which is played by the same rule; small classes are solved. Beams prove nothing: what they cost is an upper bound. They
go from one round to the next with wider beams and larger classes solved, and the table of values that small classes
fill serves the proof.
"""

from libc.math cimport log2
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free

from optimal cimport headers
from optimal._positions cimport PositionSearch
from optimal.headers cimport (
    COST_INF,
    FREE,
    SETTLED,
    arena_mark,
    arena_mark_t,
    arena_release,
    bound_t,
    checked_malloc,
    class_fails,
    cost_trivial,
    dearest_tree,
    entry_t,
    failures_add,
    failures_init,
    failures_refute,
    failures_t,
    family_fits,
    guard_depth,
    guesses_before_last,
    guesses_that_bind,
    key128,
    largest_family,
    node_ask,
    node_best_member,
    node_likely_first,
    node_list,
    node_restrict,
    node_sizes,
    node_sort,
    node_sort_to,
    node_split,
    node_t,
    one_less,
    partition_t,
    position_key,
    position_t,
    raise_low,
    split,
    sum_table_bounds,
    table_bound,
    table_find,
    table_free,
    table_init,
    table_store,
    take,
)

cdef enum:
    ROUNDS_MOST = 6
    PLAN_SLOTS = 1 << 20      # at most, and a quarter of those of the table of values
    REPAIRS = 100             # guesses tried beyond the width where none so far has a tree within the limit
    SMALL_LOOKS = 8           # a small class is solved only if it takes no more looks at the stop flag
    ANY_LOOKS = 256           # in the first round: to look for any tree within the limit
    ANY_LOOKS_FREE = 1024     # the same where the work has no bound
    ANY_LEAST = 24            # answers of the smallest set whose guesses are tried with little time each
    ANY_WIDTH = 24            # of them
    ANY_STEP = 4              # a search in order has this part of the time; then each turn so many times the last

# By round: the width, the answers of the largest class that is solved.
cdef int[6] WIDTHS = [1, 3, 10, 30, 100, 300]
cdef int[6] SOLVED = [12, 24, 40, 64, 100, 160]

#: Rounds of beams, each wider than the one before.
ROUNDS = ROUNDS_MOST


include "failing.pxi"


cdef class BeamSearch(PositionSearch):
    """A PositionSearch that finds good trees soon."""

    def __init__(self, *arguments, **options):
        cdef int m
        cdef size_t most
        PositionSearch.__init__(self, *arguments, **options)
        most = min(<size_t>PLAN_SLOTS, self.s.table.max_slots // 4)
        self.likely_cost = <int64_t *>checked_malloc((self.tables.answers + 1) * sizeof(int64_t))
        if self.likely_cost == NULL or table_init(&self.plans, 1024, most) < 0:
            raise MemoryError
        for m in range(self.tables.answers + 1):
            # In 1/256 guesses; fitted to exact values of word games of 2 to 13000 answers. Small classes cost twice
            # their size, less one; from 8 answers on, one more guess is needed every five doublings.
            self.likely_cost[m] = 256 * (2 * m - (m > 0)) + (<int64_t>(48 * m * log2(m / 8.0)) if m > 8 else 0)

    def __dealloc__(self):
        table_free(&self.plans)
        free(self.likely_cost)

    def beam_opener(self, int guess, int max_guesses, int round, int64_t budget=COST_INF, int looks=-1):
        """The cost of a tree that goes on with `guess`, an upper bound of the least; `budget` or more if none below it
        was found, INFEASIBLE if none at all. ``round``, below ROUNDS, tells how wide the beam is.

        ``looks`` bounds the work: so many times 2^24 codes are looked at; -1: no bound. After that nothing is found.
        Where it is for one class that no tree was found, ``failed`` is that class's feedback code from then on, else -1.
        Raises Stopped, MemoryError or RecursionError when it can't be finished.
        """
        cdef partition_t p
        cdef int64_t v = budget
        cdef int h = 0, left = one_less(max_guesses)
        self.check_guess(guess)
        if not 0 <= round < ROUNDS_MOST:
            raise ValueError(f"round {round} of {ROUNDS_MOST}")
        self.s.looks_left = looks
        self.round = max(self.round, round)
        self.failed = -1
        with nogil:
            if max_guesses < 1:
                v = COST_INF
            elif split(&self.s, &self.start, guess, &p) >= 0:
                v = sum_table_bounds(&self.s, &self.start, &p, left, NULL, budget, &h)
                if v < budget and not h:
                    v = self.beam_classes(&p, v, left, round, budget, &h)
                if p.failed >= 0 and not self.s.stopped:
                    self.failed = p.position[p.failed].code
        if self.s.too_deep and not self.s.out_of_memory:
            self.s.too_deep = self.s.stopped = False     # a tree too deep to be found is none; the proof may do without
            v = COST_INF
        if self.s.stopped and self.looks_ran_out():
            self.s.stopped = False
            v = budget
        self.s.looks_left = -1
        self.done()
        return v

    cdef int64_t beam(self, const position_t *P, int d, int round, int64_t budget, int *height) noexcept nogil:
        """The cost of the best tree found of P, below `budget`; else `budget` or more, COST_INF if there may be none."""
        cdef node_t N
        cdef bound_t b
        cdef const entry_t *e
        cdef int64_t v, any_tree = -1
        if P.n <= 2:
            height[0] = P.n
            return cost_trivial(&self.s.costs, P.answers, P.n, d, P.depth)
        d = guesses_that_bind(P, d)
        b = table_bound(&self.s, P, d)
        if b.exact or b.low >= budget or self.s.stopped:
            height[0] = b.height
            return b.low
        e = table_find(&self.plans, position_key(&self.s, P, d))
        if e != NULL and e.counted >> round & 1:
            height[0] = e.height
            return e.value
        if d < FREE:
            # Without a limit first: most trees are low enough as they are.
            v = self.beam(P, FREE, round, budget, height)
            if v >= budget or height[0] <= d or self.s.stopped:
                e = table_find(&self.plans, position_key(&self.s, P, FREE))
                if v < budget and not self.s.stopped and e != NULL and e.value == v:
                    # Kept apart: without a limit a lesser cost with a taller tree may take its place.
                    self.keep_plan(position_key(&self.s, P, d), v, height[0], e.guess, round, P.n)
                return v
            if not family_fits(&self.s, P, d):
                return COST_INF
        if P.n <= SOLVED[round]:
            v = self.briefly(P, d, budget, SMALL_LOOKS, height)
            if v >= 0 or self.s.stopped:
                return v
        elif d < FREE and not self.s.costs.late:
            # Then any tree: most positions that have one show it soon, and so do most that have none.
            any_tree = self.any_tree(P, d, (ANY_LOOKS if self.s.looks_left >= 0 else ANY_LOOKS_FREE) << round)
            if self.s.stopped or not 0 <= any_tree < COST_INF:
                return COST_INF
        if self.list_guesses(&N, P, d, budget, WIDTHS[round]) == SETTLED:
            return budget
        v = self.beam_guesses(&N, round, 0 <= any_tree < COST_INF)
        if not self.s.stopped and (v < budget or (any_tree < 0 and budget > dearest_tree(&self.s, P, d))):
            self.keep_plan(N.key, v if v < budget else COST_INF, N.height, N.guess, round, P.n)
        height[0] = N.height
        arena_release(&self.s.arena, N.mark)
        e = table_find(&self.plans, N.key)
        if e != NULL and e.value < v:            # an earlier round did better
            height[0] = e.height
            return e.value
        return v

    cdef int list_guesses(self, node_t *N, const position_t *P, int d, int64_t budget, int width) noexcept nogil:
        """List the guesses of a position, likeliest first as far as a beam of this width goes; SETTLED: there are none."""
        guard_depth(&self.s, guesses_before_last(&self.s, P.n))
        node_ask(&self.s, N, P, d, budget)
        if self.s.stopped or node_best_member(&self.s, N) == SETTLED or node_restrict(&self.s, N) == SETTLED \
                or node_list(&self.s, N) == SETTLED or node_sort(&self.s, N) == SETTLED \
                or node_sizes(&self.s, N) == SETTLED:
            return SETTLED
        node_sort_to(N, N.listed)
        if self.s.costs.unit:
            node_likely_first(&self.s, N, 4 * width + 12, self.likely_cost)
        return 0

    cdef int64_t beam_guesses(self, node_t *N, int round, bint found) noexcept nogil:
        """The best tree that begins with one of the likeliest guesses of a listed node; `found`: some tree is known.

        Where none of them keeps to the limit, guesses that seemed worse are tried until one does; but not those that
        keep together a class for which no tree was found."""
        cdef int i, h, tried = 0
        cdef failures_t failures
        cdef int64_t v
        cdef partition_t p
        cdef arena_mark_t inner
        found |= N.budget <= dearest_tree(&self.s, N.P, N.d)     # another guess above was found
        if failures_init(&self.s, &failures, N.P.n) < 0:
            return N.budget
        for i in range(N.listed):
            if tried >= (WIDTHS[round] if found else WIDTHS[round] + REPAIRS) or self.s.stopped:
                break
            if N.list[i].low >= N.best or failures_refute(&self.s, &failures, N.list[i].guess):
                continue
            tried += 1
            inner = arena_mark(&self.s.arena)
            if node_split(&self.s, N, &N.list[i], &p) < 0:
                break
            h = 0
            v = sum_table_bounds(&self.s, &N.legal, &p, N.left, N.class_least, N.best, &h)
            if v < N.best and not h:
                v = self.beam_classes(&p, v, N.left, round, N.best, &h)
                if p.failed >= 0:
                    failures_add(&failures, &p.position[p.failed])
            arena_release(&self.s.arena, inner)
            if v < N.best and not self.s.stopped:
                N.best = v
                N.height = h
                N.guess = N.list[i].guess
                found = True
        return N.best if found or N.best < N.budget else COST_INF

    cdef int64_t beam_classes(self, partition_t *p, int64_t total, int d, int round, int64_t budget,
                              int *height) noexcept nogil:
        """What a guess costs by the trees found of its classes, `total` being the sum of their bounds; ends once that
        reaches `budget`. The smaller classes come first; at the root, and where no tree is known, the hardest do."""
        cdef int i, j, h, tallest = 0
        cdef int64_t v
        cdef const int32_t *order = NULL
        if d < FREE and (budget >= COST_INF >> 1 or self.s.level == 0):
            order = self.hardest_first(p)
        self.s.level += 1
        for j in range(p.classes):
            if self.s.stopped:
                break
            i = j if order == NULL else order[j]
            if not p.exact[i]:
                h = 0
                v = self.beam(&p.position[i], d, round, budget - (total - p.low[i]), &h)
                if self.s.stopped:
                    break
                if v >= COST_INF:
                    total = class_fails(p, i)
                    break
                total = raise_low(p, i, v, total)
                if total >= budget:
                    break
                p.height[i] = <unsigned short>h
            if p.height[i] > tallest:
                tallest = p.height[i]
        self.s.level -= 1
        height[0] = tallest + 1
        return total

    cdef const int32_t *hardest_first(self, const partition_t *p) noexcept nogil:
        """The classes of a guess in the order to look for any trees of them, from the arena: where one has none, it
        nearly always is one of those with the largest families, and of these a large one."""
        cdef int32_t *order = <int32_t *>take(&self.s, 2 * <size_t>p.classes * sizeof(int32_t))
        cdef int32_t *family
        cdef int i, j, at = 0, member = 0, place = 0
        if order == NULL:
            return NULL
        family = order + p.classes
        for i in range(p.classes - 1, -1, -1):       # they are sorted by size
            family[i] = 0
            if p.position[i].n > 2 and self.s.game.families:
                family[i] = largest_family(&self.s, &p.position[i], &member, &place)
            j = at
            while j > 0 and family[order[j - 1]] < family[i]:
                order[j] = order[j - 1]
                j -= 1
            order[j] = i
            at += 1
        return order

    cdef int64_t any_tree(self, const position_t *P, int d, int looks) noexcept nogil:
        """The cost of some tree of P within d guesses, kept as a plan; COST_INF if there is none, -1 if none is found.

        Where that takes long, it nearly always is for one class of a guess, tree or no tree. So many guesses
        are tried, with little time for each of their classes, and again with more of it."""
        cdef const entry_t *e = table_find(&self.plans, position_key(&self.s, P, d))
        cdef node_t N
        cdef int64_t v
        cdef int each = 1
        if e != NULL and e.value < COST_INF:
            return e.value
        if d <= 3 or P.n < ANY_LEAST or looks < ANY_STEP:
            return self.any_value(P, d, looks)
        v = self.any_value(P, d, looks // ANY_STEP)
        if v >= 0 or self.s.stopped \
                or self.list_guesses(&N, P, d, dearest_tree(&self.s, P, d) + 1, ANY_WIDTH) == SETTLED:
            return v
        while v < 0 and each <= looks // ANY_STEP and not self.s.stopped:
            v = self.any_guess(&N, each)
            each *= ANY_STEP
        arena_release(&self.s.arena, N.mark)
        return v

    cdef int64_t any_guess(self, node_t *N, int looks) noexcept nogil:
        """The same by the likeliest guesses of a listed node, with so many looks at the stop flag for each class."""
        cdef int i, h, tried = 0
        cdef int64_t total = COST_INF
        cdef failures_t failures
        cdef partition_t p
        cdef arena_mark_t outer = arena_mark(&self.s.arena), inner
        if failures_init(&self.s, &failures, N.P.n) < 0:
            return -1
        for i in range(N.listed):
            if tried >= ANY_WIDTH or self.s.stopped:
                break
            if failures_refute(&self.s, &failures, N.list[i].guess):
                continue
            tried += 1
            inner = arena_mark(&self.s.arena)
            if node_split(&self.s, N, &N.list[i], &p) < 0:
                break
            h = 0
            total = sum_table_bounds(&self.s, &N.legal, &p, N.left, N.class_least, COST_INF, &h)
            if total < COST_INF and not h:
                total = self.any_classes(&p, total, N.left, looks, &h)
                if p.failed >= 0:
                    failures_add(&failures, &p.position[p.failed])
            arena_release(&self.s.arena, inner)
            if total < COST_INF and not self.s.stopped:
                self.keep_plan(N.key, total, h, N.list[i].guess, -1, N.P.n)
                break
        arena_release(&self.s.arena, outer)
        return total if total < COST_INF and not self.s.stopped else -1

    cdef int64_t any_classes(self, partition_t *p, int64_t total, int d, int looks, int *height) noexcept nogil:
        """What a guess costs by some trees of its classes, `total` being the sum of their bounds; COST_INF where one has
        none that is found. The larger classes come first."""
        cdef const entry_t *e
        cdef int j, tallest = 0
        cdef int64_t v
        self.s.level += 1
        for j in range(p.classes - 1, -1, -1):
            if not p.exact[j]:
                v = self.any_tree(&p.position[j], d, looks)
                if self.s.stopped:
                    break
                if not 0 <= v < COST_INF:
                    total = class_fails(p, j)
                    break
                total = raise_low(p, j, v, total)
                e = table_find(&self.plans, position_key(&self.s, &p.position[j], d))
                p.height[j] = e.height if e != NULL else d
            if p.height[j] > tallest:
                tallest = p.height[j]
        self.s.level -= 1
        height[0] = tallest + 1
        return total

    cdef int64_t any_value(self, const position_t *P, int d, int looks) noexcept nogil:
        """The cost of some tree of P within d guesses, kept as a plan; COST_INF if there is none, -1 where that takes
        long. Nobody helps: what helpers find is kept by them."""
        cdef int h = 0, feasibility_only = self.s.feasibility_only
        cdef int64_t v
        if self.s.looks_left >= 0:
            looks = min(looks, self.s.looks_left // 4)       # what is left of a beam's time is for guesses one by one
        self.s.feasibility_only = self.keeping = True
        v = self.briefly(P, d, COST_INF, looks, &h)
        self.s.feasibility_only = feasibility_only
        self.keeping = False
        return v

    cdef void tree_found(self, const node_t *N) noexcept nogil:
        self.keep_plan(N.key, N.best, N.height, N.guess, -1, N.P.n)

    cdef int64_t briefly(self, const position_t *P, int d, int64_t budget, int looks, int *height) noexcept nogil:
        """V(P, d) as `value` promises it, -1 where that takes more than so many looks at the stop flag."""
        cdef int outer = self.s.looks_left
        cdef int64_t v
        if 0 <= outer < looks:
            looks = outer
        self.s.looks_left = looks
        v = self.value(P, d, budget, height)
        looks -= self.s.looks_left
        if self.s.stopped and self.looks_ran_out():
            self.s.stopped = False
            v = -1
        self.s.looks_left = outer
        if outer >= 0:
            self.s.looks_left = outer - looks
            if outer < looks:
                self.s.looks_left = -1
                self.s.stopped = True
        return v

    cdef void keep_plan(self, key128 key, int64_t cost, int height, int guess, int round, int n) noexcept nogil:
        """Keep the best tree found, and that it is what this round finds (-1: no round). COST_INF: none was."""
        cdef entry_t *e = table_find(&self.plans, key)
        cdef int rounds = (1 << (round + 1)) - 1       # a bit each
        if e != NULL and (e.value < cost or (e.value == cost and e.height <= height)):
            e.counted |= rounds
        else:
            table_store(&self.plans, key, cost, 1, height, guess, rounds, n)
