"""Exact depth-bounded branch and bound over the feedback partitions.

V(B, d) is the least total over strategy trees that find every answer of B within d guesses: n + the sum of V over
the feedback classes of the best guess, its winning class left out. Values are integers; INFEASIBLE stands for no
tree. Every search takes a budget: a result below it is exact, a result at or above it is a proven lower bound.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.stdio cimport printf
cdef extern from 'x86intrin.h' nogil:
    uint64_t __rdtsc()
cdef uint64_t TT0[400]
cdef int64_t GG[400]
cdef int64_t NN[400]
def prof():
    return [(i,NN[i],TT0[i]/2.4e3,GG[i]) for i in range(400) if NN[i]]
from libc.stdlib cimport free, malloc, qsort
from libc.string cimport memcpy, memset

from optimal._board cimport *
from optimal._supersets cimport Superset, Supersets


cdef enum:
    FREE = 250                # guesses left: no limit
    TINY = 5                  # sets up to this size are cheaper to bound again than to look up
    POLL = 4096               # set bounds between two looks at the stop flag
    FRAME_LEAST = 14          # smaller sets are searched in their parent's frame
    FRAME_SURVIVORS = 12      # fewer candidates are searched there too

cdef int64_t INF = (<int64_t>1) << 61

INFEASIBLE = INF

one_hot_init()


cdef class Control:
    """What running searches share: the incumbent and a stop flag, in memory the caller owns.

    ``cells`` is an int64 array of two: the total to beat, and non-zero to stop. It may be a memory map shared
    by processes.
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


cdef struct Candidate:
    int64_t low
    int32_t guess
    int32_t order


cdef int by_low(const void *a, const void *b) noexcept nogil:
    cdef const Candidate *x = <const Candidate *>a
    cdef const Candidate *y = <const Candidate *>b
    if x.low != y.low:
        return -1 if x.low < y.low else 1
    return -1 if x.order < y.order else (1 if x.order > y.order else 0)


cdef class Searcher:
    """One thread's search: its transposition table, its memory, its counters."""

    cdef readonly Board board
    cdef readonly Supersets supersets
    cdef Control control
    cdef table_t table
    cdef arena_t arena
    cdef bint stopped, main_thread, has_supersets
    cdef int32_t *stamp
    cdef int32_t stamp_now
    cdef int poll
    cdef public uint64_t nodes, count_calls, guesses_tried
    cdef const uint8_t *codes

    def __cinit__(self):
        arena_init(&self.arena)
        self.stamp = NULL

    def __init__(self, Board board, Control control, Supersets supersets=None, size_t table_slots=1 << 16, size_t max_slots=1 << 22,
                 bint main_thread=False):
        self.board = board
        self.control = control
        self.supersets = supersets
        self.has_supersets = supersets is not None
        self.main_thread = main_thread
        if table_init(&self.table, table_slots, max_slots) < 0:
            raise MemoryError
        self.stamp = <int32_t *>malloc(board.answers * sizeof(int32_t))
        if self.stamp == NULL:
            raise MemoryError
        memset(self.stamp, 0, board.answers * sizeof(int32_t))
        self.codes = &board.matrix[0, 0]

    def __dealloc__(self):
        table_free(&self.table)
        arena_free(&self.arena)
        free(self.stamp)

    @property
    def table_hits(self):
        return self.table.hits

    @property
    def table_used(self):
        return self.table.used

    # ------------------------------------------------------------------ stopping

    cdef void *take(self, size_t size) noexcept nogil:
        cdef void *p = arena_alloc(&self.arena, size)
        if p == NULL:
            self.stopped = True
        return p

    cdef void look(self) noexcept nogil:
        """Look at the stop flag and, in the main thread, at pending signals."""
        self.poll = 0
        if OPTIMAL_LOAD(&self.control.cells[1]):
            self.stopped = True
        elif self.main_thread:
            with gil:
                try:
                    PyErr_CheckSignals()
                except KeyboardInterrupt:
                    OPTIMAL_STORE(&self.control.cells[1], 2)
                    self.stopped = True

    # ------------------------------------------------------------------ bounds

    cdef int members(self, const int32_t *who, int m, const int32_t *B, int n, uint16_t *counts) noexcept nogil:
        """counts[i] = classes that member who[i] makes of B, i < m <= 64; returns the most."""
        cdef int32_t guesses[64]
        cdef int i, best = 0
        for i in range(m):
            guesses[i] = self.board.answer_guess[who[i]]
        count_list(self.codes, self.board.answers, guesses, m, B, n, counts)
        for i in range(m):
            if counts[i] > best:
                best = counts[i]
        return best

    cdef int best_member(self, const int32_t *B, int n) noexcept nogil:
        """Most classes that a member of B makes of B; gives up at n - 1, from which V(B) follows."""
        cdef uint16_t counts[64]
        cdef int i, k, step, best = 0
        i = 0
        while i < n and best < n:
            step = min(8, n - i)
            k = self.members(B + i, step, B, n, counts)
            if k > best:
                best = k
            i += step
        return best

    cdef int count(self, const Frame *f, const int32_t *B, int n, int first, int floor, bint rising, int enough,
                   int *best, uint16_t *out) noexcept nogil:
        """count_blocks for any n; see there."""
        cdef const uint8_t *near[255]
        cdef int i, b, c, top
        if n <= 255 and n <= 80:
            for i in range(n):
                near[i] = f.row[B[i]]
            return count_blocks(near, n, first, f.blocks, f.cap, floor, rising, enough, best, out)
        b = first
        while b < f.blocks and f.cap[b] > floor:
            top = BLOCK
            while top > 0 and f.guess[b * BLOCK + top - 1] < 0:
                top -= 1
                out[b * BLOCK + top] = 1
            count_list(self.codes, self.board.answers, f.guess + b * BLOCK, top, B, n, out + b * BLOCK)
            for c in range(top):
                if out[b * BLOCK + c] > best[0]:
                    best[0] = out[b * BLOCK + c]
            b += 1
            if rising and best[0] > floor:
                floor = best[0]
            if best[0] >= enough:
                break
        return b

    cdef int64_t cheap(self, const int32_t *B, int n, key128 key, int d, uint8_t *exact, uint8_t *height, uint8_t *counted) noexcept nogil:
        """A lower bound of V(B, d), n >= 3, from the table and from B's own members alone."""
        cdef entry_t *e
        cdef int64_t low = 2 * n - 1
        cdef int k
        exact[0] = 0
        counted[0] = 0
        if d < 2:
            exact[0] = 1
            return INF
        if n > TINY:
            e = table_find(&self.table, key)
            if e != NULL:
                if e.exact and e.height <= d:
                    exact[0] = 1
                    height[0] = e.height
                    return e.value
                low = e.value
                counted[0] = e.counted
                if d < n:
                    e = table_find(&self.table, with_depth(key, d))
                    if e != NULL:
                        exact[0] = e.exact
                        counted[0] |= e.counted
                        height[0] = e.height
                        if e.value > low:
                            low = e.value
                return low
        # A member that splits B into singletons costs 2n - 1, the floor of every set. Failing that, one that
        # leaves a single pair costs 2n, the next value there is; the pair's second guess is the third.
        k = self.best_member(B, n)
        if k == n:
            exact[0] = 1
            height[0] = 2
            return 2 * n - 1
        if k == n - 1 and d >= 3:
            exact[0] = 1
            height[0] = 3
            return 2 * n
        return 2 * n

    cdef int64_t bound(self, const Frame *f, const int32_t *B, int n, key128 key, int d, int64_t need, uint8_t *exact,
                       uint8_t *height) noexcept nogil:
        """The count bound of V(B, d), n >= 3, taken as far as it takes to reach `need`.

        A guess with k classes on B leaves n - k (n - k - 1 if a member) answers that need a third guess at least,
        so V >= 3n - K with K = max of k + [member].
        """
        cdef int best, k, floor
        cdef int64_t low
        cdef arena_mark_t mark
        cdef uint16_t *counts
        self.poll += 1
        if self.poll >= POLL:
            self.look()
        self.count_calls += 1
        exact[0] = 0
        k = self.best_member(B, n)
        if k == n:
            exact[0] = 1
            height[0] = 2
            return 2 * n - 1
        if k == n - 1 and d >= 3:
            exact[0] = 1
            height[0] = 3
            return 2 * n
        best = k
        # Columns that cannot lift K over 3n - need are not worth counting: the bound reaches `need` either way.
        floor = k + 1
        if d == 2:
            floor = n - 1                # only a split into singletons matters
        elif need <= 3 * n and 3 * n - need > floor:
            floor = <int>(3 * n - need)
        mark = arena_mark(&self.arena)
        counts = <uint16_t *>self.take(f.blocks * BLOCK * sizeof(uint16_t))
        if counts == NULL:
            return 2 * n
        self.count(f, B, n, 0, floor, True, n, &best, counts)
        arena_release(&self.arena, mark)
        if best == n:                    # a guess from outside splits B into singletons
            exact[0] = 1
            height[0] = 2
            return 2 * n
        if d == 2:                       # two guesses need a split into singletons
            exact[0] = 1
            return INF
        if best > floor:
            floor = best
        low = 3 * n - floor
        if n > TINY:
            table_store(&self.table, key, low, 0, 0, floor == max(best, k + 1), n)
        return low

    # ------------------------------------------------------------------ partitions

    cdef int split(self, const uint8_t *column, const int32_t *B, int n, Partition *p) noexcept nogil:
        """The classes of a guess (its column of codes by answer) on B, smallest first, from the arena."""
        cdef int count[256]
        cdef int where[256]
        cdef uint8_t seen[256]
        cdef int i, j, c, k = 0, at
        cdef const uint64_t *z
        p.answers = <int32_t *>self.take(n * sizeof(int32_t))
        memset(count, 0, sizeof(count))
        for i in range(n):
            c = column[B[i]]
            if count[c] == 0:
                seen[k] = <uint8_t>c
                k += 1
            count[c] += 1
        p.start = <int32_t *>self.take(k * (2 * sizeof(int32_t) + sizeof(key128) + sizeof(int64_t) + 3) + 64)
        if p.answers == NULL or p.start == NULL:
            p.classes = 0
            return -1
        p.size = p.start + k
        p.key = <key128 *>(p.size + k)
        p.low = <int64_t *>(p.key + k)
        p.exact = <uint8_t *>(p.low + k)
        p.height = p.exact + k
        p.counted = p.height + k
        # Insertion sort by size, ties by first appearance: classes are few and mostly tiny.
        at = 0
        for i in range(k):
            c = seen[i]
            if c == self.board.winning_code:
                continue
            j = at
            while j > 0 and count[seen[j - 1]] > count[c]:
                seen[j] = seen[j - 1]
                j -= 1
            seen[j] = <uint8_t>c
            at += 1
        p.classes = at
        j = 0
        for i in range(at):
            c = seen[i]
            where[c] = j
            p.start[i] = j
            p.size[i] = count[c]
            j += count[c]
        where[self.board.winning_code] = n - 1
        for i in range(n):
            c = column[B[i]]
            p.answers[where[c]] = B[i]
            where[c] += 1
        for i in range(at):
            if p.size[i] > TINY:
                p.key[i] = self.set_key(p.answers + p.start[i], p.size[i])
        return at

    cdef inline key128 set_key(self, const int32_t *B, int n) noexcept nogil:
        """The Zobrist key of a set of answers: a sum, so the key of a union of disjoint sets is theirs added."""
        cdef key128 key
        cdef int i
        key.lo = 0
        key.hi = 0
        for i in range(n):
            key.lo += self.board.zobrist[B[i], 0]
            key.hi += self.board.zobrist[B[i], 1]
        return key

    cdef int64_t cheap_sum(self, Partition *p, int n, int d, int64_t budget, int *height) noexcept nogil:
        """n + the cheap bounds of all classes, with d guesses left for them; stops at `budget`.

        height[0] is 0 unless every class is exact: then the sum is, and this is the height of its tree.
        """
        cdef int64_t total = n
        cdef int i, tallest = 0
        height[0] = 0
        for i in range(p.classes):
            total += 2 * p.size[i] - 1
        for i in range(p.classes):
            if p.size[i] <= 2:
                if d < p.size[i]:
                    return INF
                p.low[i] = 2 * p.size[i] - 1
                p.exact[i] = 1
                p.height[i] = <uint8_t>p.size[i]
            else:
                if total >= budget:
                    return total
                p.low[i] = self.cheap(p.answers + p.start[i], p.size[i], p.key[i], d, &p.exact[i], &p.height[i],
                                      &p.counted[i])
                if p.low[i] >= INF:
                    return INF
                total += p.low[i] - (2 * p.size[i] - 1)
            if not p.exact[i]:
                tallest = FREE
            elif p.height[i] > tallest:
                tallest = p.height[i]
        if tallest < FREE:
            height[0] = tallest + 1
        return total

    cdef int64_t finish(self, const Frame *f, Partition *p, int64_t total, int d, int64_t budget, int *height) noexcept nogil:
        """Raise `total` = n + the sum of p.low until it is exact or reaches `budget`: bounds first, then search."""
        cdef int i, h
        cdef int64_t v
        cdef uint64_t tt
        for i in range(p.classes):
            if total >= budget:
                return total
            if p.exact[i] or p.counted[i]:
                continue
            v = self.bound(f, p.answers + p.start[i], p.size[i], p.key[i], d, budget - (total - p.low[i]), &p.exact[i], &p.height[i])
            if self.stopped:
                return total
            if v >= INF:
                return INF
            if v > p.low[i]:
                total += v - p.low[i]
                p.low[i] = v
        for i in range(p.classes):
            if total >= budget:
                return total
            if p.exact[i]:
                continue
            h = 0
            tt = __rdtsc()
            v = self.value(f, p.answers + p.start[i], p.size[i], p.key[i], d, budget - (total - p.low[i]), &h)
            if f == &self.board.root:
                TT0[min(p.size[i],399)] += __rdtsc() - tt
                GG[min(p.size[i],399)] += v - p.low[i]
                NN[min(p.size[i],399)] += 1
            if self.stopped:
                return total
            if v >= INF:
                return INF
            if v > p.low[i]:
                total += v - p.low[i]
                p.low[i] = v
            if total < budget:
                p.exact[i] = 1
                p.height[i] = <uint8_t>h
        if total < budget:
            h = 0
            for i in range(p.classes):
                if p.height[i] > h:
                    h = p.height[i]
            height[0] = h + 1
        return total

    # ------------------------------------------------------------------ search

    cdef int64_t value(self, const Frame *f, const int32_t *B, int n, key128 key, int d, int64_t budget, int *height) noexcept nogil:
        """V(B, d), n >= 3: exact if below `budget` (with the height of a tree), else a lower bound."""
        cdef int64_t v
        if d >= n or d >= FREE:          # a least-total tree never wastes a guess, so n guesses are no limit
            return self.node(f, B, n, key, FREE, budget, height)
        if d > 2:
            # Without a limit first: its value is a lower bound, and the very value if its tree is low enough.
            v = self.node(f, B, n, key, FREE, budget, height)
            if v >= budget or height[0] <= d or self.stopped:
                return v
        return self.node(f, B, n, key, d, budget, height)

    cdef int64_t node(self, const Frame *f, const int32_t *B, int n, key128 key, int d, int64_t budget, int *height) noexcept nogil:
        cdef entry_t *e
        cdef int64_t low = 0, best, v
        cdef int k, K, floor, wave, i, j, m, h = 0, done, top, next_floor
        cdef uint8_t exact = 0, tall = 0
        cdef arena_mark_t mark, inner
        cdef uint16_t *counts
        cdef uint16_t *member_k
        cdef int *begin
        cdef Candidate *found
        cdef Partition p
        cdef Frame compact
        cdef const Frame *g = f
        cdef key128 own = key if d == FREE else with_depth(key, d)
        cdef const uint8_t *column

        # Step 1: what is known. The value without a limit bounds the value within one.
        if n > TINY:
            e = table_find(&self.table, own)
            if e != NULL:
                if e.exact:
                    height[0] = e.height
                    return e.value
                if e.value >= budget:
                    return e.value
                low = e.value
        if budget <= 2 * n - 1:
            return 2 * n - 1
        self.nodes += 1
        self.poll += 1
        if self.poll >= POLL:
            self.look()
        if self.stopped:
            return budget

        # Step 2: members, then the count bound over all guesses (see cheap and bound for why these are exact).
        mark = arena_mark(&self.arena)
        member_k = <uint16_t *>self.take(n * sizeof(uint16_t))
        counts = <uint16_t *>self.take(f.blocks * BLOCK * sizeof(uint16_t))
        if member_k == NULL or counts == NULL:
            return budget
        k = 0
        for i in range(0, n, 64):
            k = max(k, self.members(B + i, min(64, n - i), B, n, member_k + i))
        if k == n or (k == n - 1 and d >= 3):
            arena_release(&self.arena, mark)
            height[0] = 2 if k == n else 3
            low = 2 * n - 1 if k == n else 2 * n
            if n > TINY:
                table_store(&self.table, own, low, 1, height[0], 1, n)
            return low
        K = k + 1
        floor = K
        if d == 2:
            floor = n - 1                # only a split into singletons matters
        elif budget <= 3 * n and 3 * n - budget > floor:
            floor = <int>(3 * n - budget)
        top = k
        self.count_calls += 1
        done = self.count(f, B, n, 0, floor, True, n, &top, counts)
        if top == n or d == 2:
            arena_release(&self.arena, mark)
            height[0] = 2
            low = 2 * n if top == n else INF
            if n > TINY:
                table_store(&self.table, own, low, 1, 2, 1, n)
            return low
        if top > floor:
            floor = top
        if 3 * n - floor > low:
            low = 3 * n - floor
        if low >= budget:
            arena_release(&self.arena, mark)
            if n > TINY:
                table_store(&self.table, own, low, 0, 0, floor == max(top, K), n)
            return low
        if top > K:
            K = top

        # Step 3: candidate guesses in waves of falling class count. One with class count k costs 3n - k at least.
        done = self.count(f, B, n, done, max(1, <int>min(3 * n - budget, n)), False, n + 1, &top, counts)
        # Members count one more by their own class and are listed apart; columns that count 1 are no guesses here.
        self.stamp_now += 1
        for i in range(n):
            self.stamp[B[i]] = self.stamp_now
        m = n
        for i in range(done * BLOCK):
            if counts[i] > 1:
                j = self.board.answer_of[f.guess[i]] if f.guess[i] >= 0 else -1
                if f.guess[i] < 0 or (j >= 0 and self.stamp[j] == self.stamp_now):
                    counts[i] = 0
                elif 3 * n - counts[i] < budget:
                    m += 1
            else:
                counts[i] = 0
        begin = <int *>self.take((n + 3) * sizeof(int))
        found = <Candidate *>self.take(m * sizeof(Candidate))
        if found == NULL or begin == NULL:
            return budget
        best = budget
        wave = K + 1                     # guesses with class count in [next_floor, wave) are still to be tried
        next_floor = K - 2
        while not self.stopped:
            if next_floor < 1 or 3 * n - next_floor >= best:
                next_floor = <int>max(1, 3 * n - best + 1)
            # A guess with class count k costs 3n - k at least: no guess below 3n - best + 1 can beat best. Bucket
            # sort: `begin` counts, then holds where each class count starts, the greatest first.
            memset(begin, 0, (n + 3) * sizeof(int))
            for i in range(n):
                if next_floor <= member_k[i] + 1 < wave:
                    begin[member_k[i] + 1] += 1
            for i in range(done * BLOCK):
                if next_floor <= counts[i] < wave:
                    begin[counts[i]] += 1
            m = 0
            for j in range(n + 1, -1, -1):
                i = begin[j]
                begin[j] = m
                m += i
            for i in range(n):
                j = member_k[i] + 1
                if next_floor <= j < wave:
                    found[begin[j]].guess = self.board.answer_guess[B[i]]
                    found[begin[j]].order = -j
                    begin[j] += 1
            for i in range(done * BLOCK):
                j = counts[i]
                if next_floor <= j < wave:
                    found[begin[j]].guess = f.guess[i]
                    found[begin[j]].order = -j
                    begin[j] += 1
            # Step 4: cheap bounds of all, those with the most classes first; survivors by their bound.
            j = 0
            for i in range(m):
                if 3 * n + found[i].order >= best:
                    break
                self.guesses_tried += 1
                inner = arena_mark(&self.arena)
                column = self.codes + <size_t>found[i].guess * self.board.answers
                if self.split(column, B, n, &p) >= 0:
                    v = self.cheap_sum(&p, n, d - 1 if d < FREE else FREE, best, &h)
                    if v < best:
                        if h:                    # every class is exact
                            best = v
                            height[0] = h
                        else:
                            found[j].guess = found[i].guess
                            found[j].low = v
                            found[j].order = found[i].order
                            j += 1
                arena_release(&self.arena, inner)
            m = j
            qsort(found, m, sizeof(Candidate), by_low)
            # Step 5: search the survivors, most promising first; each stops once it reaches the best so far. Many
            # of them are worth a frame of their own, for which the other columns must be counted too.
            if n >= FRAME_LEAST and m >= FRAME_SURVIVORS and g == f:
                if self.compact(f, B, n, &done, counts, &compact) < 0:
                    return budget
                g = &compact
            for i in range(m):
                if found[i].low >= best or self.stopped:
                    break
                inner = arena_mark(&self.arena)
                column = self.codes + <size_t>found[i].guess * self.board.answers
                if self.split(column, B, n, &p) >= 0:
                    v = self.cheap_sum(&p, n, d - 1 if d < FREE else FREE, best, &h)
                    if v < best:
                        v = self.finish(g, &p, v, d - 1 if d < FREE else FREE, best, &h)
                        if v < best and not self.stopped:
                            best = v
                            height[0] = h
                arena_release(&self.arena, inner)
            if next_floor <= 1 or 3 * n - (next_floor - 1) >= best:
                break
            wave = next_floor
            next_floor = next_floor - 6 if K - next_floor < 4 else next_floor - 18
        arena_release(&self.arena, mark)
        if self.stopped:
            return budget
        # Step 6: below the budget the value is exact; else every guess reached the budget, which bounds V.
        # With nothing left to try and no budget to fail against, the set is infeasible.
        if n > TINY:
            if best < budget or budget >= INF:
                table_store(&self.table, own, best, 1, height[0] if best < INF else 0, 1, n)
            else:
                table_store(&self.table, own, best, 0, 0, 1, n)
        return best

    cdef int compact(self, const Frame *f, const int32_t *B, int n, int *done, uint16_t *counts, Frame *out) noexcept nogil:
        """B's own frame: columns in falling order of count on B, of which *done blocks are in `counts`.

        A guess with one class on B has one class on every subset of B, where any member does better: it is left
        out. So are the columns with a count of 0, members of B: each set counts its own members apart.
        """
        cdef int i, c, k, m = 0, blocks, at, top
        cdef int *begin
        cdef int32_t *guess
        cdef int32_t *source
        cdef uint16_t *cap
        cdef uint8_t *data
        cdef uint8_t *to
        cdef const uint8_t *row
        top = 0
        done[0] = self.count(f, B, n, done[0], 1, False, n + 1, &top, counts)
        begin = <int *>self.take((n + 2) * sizeof(int))
        if begin == NULL:
            return -1
        memset(begin, 0, (n + 2) * sizeof(int))
        for i in range(done[0] * BLOCK):
            if counts[i] > 1 and f.guess[i] >= 0:
                begin[counts[i]] += 1
                m += 1
        blocks = max(1, (m + BLOCK - 1) // BLOCK)
        at = 0
        for k in range(n + 1, -1, -1):
            i = begin[k]
            begin[k] = at
            at += i
        guess = <int32_t *>self.take(blocks * BLOCK * sizeof(int32_t))
        source = <int32_t *>self.take(blocks * BLOCK * sizeof(int32_t))
        cap = <uint16_t *>self.take(blocks * sizeof(uint16_t))
        out.row = <const uint8_t **>self.take(self.board.answers * sizeof(uint8_t *))
        data = <uint8_t *>self.take(<size_t>n * blocks * BLOCK)
        if guess == NULL or source == NULL or cap == NULL or out.row == NULL or data == NULL:
            return -1
        for i in range(done[0] * BLOCK):
            k = counts[i]
            if k > 1 and f.guess[i] >= 0:
                if begin[k] % BLOCK == 0:
                    cap[begin[k] // BLOCK] = <uint16_t>k
                guess[begin[k]] = f.guess[i]
                source[begin[k]] = i
                begin[k] += 1
        if m == 0:
            cap[0] = 1
        for i in range(m, blocks * BLOCK):
            guess[i] = -1
        for i in range(n):
            row = f.row[B[i]]
            to = data + <size_t>i * blocks * BLOCK
            for c in range(m):
                to[c] = row[source[c]]
            for c in range(m, blocks * BLOCK):
                to[c] = 0
            out.row[B[i]] = to
        out.blocks = blocks
        out.guess = guess
        out.cap = cap
        return 0

    # ------------------------------------------------------------------ openers

    def opener(self, int guess, int max_guesses, int64_t budget):
        """(total, height) of the best tree that opens with `guess`: exact if total < budget, else a lower bound."""
        cdef int64_t v
        cdef int h = 0
        with nogil:
            v = self.open_with(guess, max_guesses, budget, &h)
        if self.stopped:
            return None
        return v, h

    cdef int64_t open_with(self, int guess, int d, int64_t budget, int *height) noexcept nogil:
        cdef Partition p
        cdef int i, n = self.board.answers, h = 0, left = d - 1 if d < FREE else FREE
        cdef int64_t total
        cdef arena_mark_t mark = arena_mark(&self.arena)
        cdef int32_t *B = <int32_t *>self.take(n * sizeof(int32_t))
        cdef int32_t *near
        if B == NULL:
            return budget
        for i in range(n):
            B[i] = i
        if self.split(self.codes + <size_t>guess * n, B, n, &p) < 0:
            return budget
        near = <int32_t *>self.take((p.classes + 1) * sizeof(int32_t))
        if near == NULL:
            return budget
        # Step 1: what needs no counting.
        total = self.free_bounds(guess, &p, near, left)
        # Step 2: the count bound of the larger classes, by the guess lists of the sets that contain them.
        for i in range(p.classes - 1, -1, -1):
            if total >= budget:
                break
            if near[i] >= 0:
                total += self.near_bound(&p, i, &self.supersets.sets[near[i]], left)
        # Step 3: the rest by their members, then count bounds, then search.
        for i in range(p.classes):
            if total >= budget:
                break
            if not p.exact[i] and not p.counted[i]:
                total += self.raise_low(&p, i, self.cheap(p.answers + p.start[i], p.size[i], p.key[i], left, &p.exact[i], &p.height[i],
                                                           &p.counted[i]))
        if total < budget:
            total = self.finish(&self.board.root, &p, total, left, budget, &h)
        height[0] = h
        arena_release(&self.arena, mark)
        return total

    cdef inline int64_t raise_low(self, Partition *p, int i, int64_t low) noexcept nogil:
        """Raise the lower bound of class i; returns by how much."""
        cdef int64_t gain = low - p.low[i]
        if gain <= 0:
            return 0
        p.low[i] = low
        return gain

    cdef int64_t free_bounds(self, int guess, Partition *p, int32_t *near, int d) noexcept nogil:
        """Fill p.low with bounds that need no counting and `near` with the smallest measured superset of each
        class (-1: none); returns n + the sum of p.low.

        No guess has more classes on a subset, so with D the most classes of any guess on a superset of B,
        V(B) >= 3n - D - 1.
        """
        cdef int64_t total = self.board.answers, low
        cdef int i, j, s, c, k, n = self.board.answers, most = self.board.cap[0]
        cdef key128 part[256]
        cdef int32_t index[256]
        cdef key128 key
        cdef const uint8_t *column = self.codes + <size_t>guess * n
        cdef const uint64_t *z
        for i in range(p.classes):
            p.exact[i] = p.size[i] <= 2
            p.height[i] = <uint8_t>min(p.size[i], 2)
            p.counted[i] = 0
            p.low[i] = 2 * p.size[i] - 1
            if 3 * p.size[i] - most - 1 > p.low[i]:
                p.low[i] = 3 * p.size[i] - most - 1
            if d < 2 and p.size[i] > d:
                return INF
            near[i] = -1
        if self.has_supersets:
            for i in range(p.classes):
                if p.size[i] <= TINY:
                    p.key[i] = self.set_key(p.answers + p.start[i], p.size[i])
            j = self.board.answer_of[guess]
            for s in range(self.supersets.subsets):
                memset(part, 0, sizeof(part))
                memset(index, -1, sizeof(index))
                for i in range(p.classes):
                    k = self.supersets.project[s, column[p.answers[p.start[i]]]]
                    part[k].lo += p.key[i].lo
                    part[k].hi += p.key[i].hi
                if j >= 0:
                    k = self.supersets.project[s, self.board.winning_code]
                    part[k].lo += self.board.zobrist[j, 0]
                    part[k].hi += self.board.zobrist[j, 1]
                for i in range(p.classes - 1, -1, -1):
                    if p.size[i] < self.supersets.least:
                        break
                    k = self.supersets.project[s, column[p.answers[p.start[i]]]]
                    if index[k] == -1:
                        index[k] = self.supersets.find(part[k])
                        if index[k] < 0 or self.supersets.sets[index[k]].guesses == NULL:
                            index[k] = -2
                    if index[k] >= 0:
                        low = 3 * p.size[i] - self.supersets.sets[index[k]].most - 1
                        if low > p.low[i]:
                            p.low[i] = low
                        if near[i] < 0 or self.supersets.sets[index[k]].size < self.supersets.sets[near[i]].size:
                            near[i] = index[k]
        for i in range(p.classes):
            total += p.low[i]
        return total

    cdef int64_t near_bound(self, Partition *p, int c, const Superset *s, int d) noexcept nogil:
        """The count bound of class c by the guess list of a superset; returns by how much p.low rose.

        The list falls by count on the superset, which bounds the count on the class: once that is no better than
        the best count found, no later guess can be better. Past its end the tail bounds the rest.
        """
        cdef const int32_t *B = p.answers + p.start[c]
        cdef int i, j, k, n = p.size[c], step, best
        cdef uint16_t counts[64]
        self.count_calls += 1
        best = 0
        for i in range(0, n, 64):
            step = min(64, n - i)
            self.members(B + i, step, B, n, counts)
            for j in range(step):
                if counts[j] + 1 > best:
                    best = counts[j] + 1
        if best == n + 1 or (best == n and d >= 3):
            p.exact[c] = 1
            p.height[c] = <uint8_t>(n + 3 - best)
            return self.raise_low(p, c, 3 * n - best)
        i = 0
        while i < s.listed and s.counts[i] > best:
            step = min(16, s.listed - i)
            count_list(self.codes, self.board.answers, s.guesses + i, step, B, n, counts)
            for j in range(step):
                if counts[j] > best:
                    best = counts[j]
            i += step
        p.counted[c] = 1
        if i >= s.listed and s.tail > best:
            best = s.tail
            p.counted[c] = 0
        return self.raise_low(p, c, 3 * n - best)


cdef inline key128 with_depth(key128 key, int d) noexcept nogil:
    """The key of a position with d guesses left."""
    cdef uint64_t state = <uint64_t>d * 0x9e3779b97f4a7c15ULL + 0x5bd1e995ULL
    key.lo += splitmix64(&state)
    key.hi += splitmix64(&state)
    return key


cdef extern from "Python.h":
    int PyErr_CheckSignals() except -1
