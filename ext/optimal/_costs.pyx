"""Other costs than the number of guesses: weighted answers, and answers that should be found by a certain guess.

An answer of weight w found by guess number h costs w times h, and `late` times w more if h > `by`. Guess number t + 1
at a position then costs 1 (1 + late if t = by) per weight of all its candidates, those already found left
out, and the value of a position depends on the guesses made, t, while t <= by.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport qsort

import numpy as np

from optimal._board cimport *
from optimal._openers cimport OpenerSearch
from optimal._search cimport *

cdef enum:
    TINY = 2                  # larger sets are kept in the table
    SPLIT_MOST = 16           # a member seldom splits a larger set into singletons
    WAVE = 32                 # guesses tried before the first is searched; each wave is four times the one before

cdef double MOST = 0.999999 * <double>INF     # rounding can't lift a product over INF unseen

one_hot_init()


cdef int falling(const void *a, const void *b) noexcept nogil:
    cdef int64_t x = (<const int64_t *>a)[0], y = (<const int64_t *>b)[0]
    return -1 if x > y else (1 if x < y else 0)


cdef class CostSearch(OpenerSearch):
    """An OpenerSearch whose totals are costs.

    ``weights`` (answers) int64, none negative. ``by`` is the guess by which an answer should be found (-1: no
    matter), ``late`` the cost of missing it per weight. All sums of weight x depth must stay below 2^62: the caller
    sees to it. Costs with `late` in them may be more: 2^62 and above count as infeasible.
    """

    cdef const int64_t[::1] weights
    cdef int by
    cdef int64_t late
    cdef bint uniform         # whether all answers weigh the same

    def __init__(self, board, control, const int64_t[::1] weights, int by=-1, int64_t late=0, history=(), **options):
        if weights.shape[0] != board.answers:
            raise ValueError("CostSearch: one weight for every answer")
        self.weights = weights
        self.by = by
        self.late = late
        OpenerSearch.__init__(self, board, control, None, history, **options)
        self.uniform = not board.answers or np.ptp(weights) == 0
        if late:
            self.larger_first = board.answers    # what is missed is missed in large classes
        # Answers of the same pattern may weigh differently; and this search has no short way to ask for any tree.
        self.switches &= ~(SYMMETRY | PARTS)

    cdef inline int64_t pay(self, int64_t weight, int t) noexcept nogil:
        """What answers of so much weight cost at guess number t + 1, INF at most."""
        if t != self.by:
            return weight
        if <double>weight * <double>(1 + self.late) >= MOST:
            return INF
        return weight * (1 + self.late)

    cdef int64_t weigh(self, const Position *P, int64_t *heaviest) noexcept nogil:
        """Sum and greatest of the weights."""
        cdef int64_t total = 0, w
        cdef int i
        if self.uniform:
            heaviest[0] = self.weights[P.answers[0]]
            return P.n * heaviest[0]
        heaviest[0] = 0
        for i in range(P.n):
            w = self.weights[P.answers[i]]
            total += w
            if w > heaviest[0]:
                heaviest[0] = w
        return total

    cdef int64_t dearest(self, const Position *P, int d) noexcept nogil:
        cdef int64_t heaviest, weight
        if d >= FREE or not self.switches & CEILING:
            return INF - 1
        weight = self.weigh(P, &heaviest)
        if P.depth <= self.by < P.depth + d:
            return min(INF, weight * (d - 1) + self.pay(weight, self.by))
        return weight * d

    cdef key128 stage(self, const Position *P) noexcept nogil:
        """The key of a position with the guesses made, where they matter."""
        return mixed(P.key, <uint64_t>P.depth + 0x9d39247eULL) if P.depth <= self.by else P.key

    # ------------------------------------------------------------------ bounds

    cdef int64_t floor(self, const Position *P, int d) noexcept nogil:
        """The heaviest found at once, all others by the next guess: the value itself for one answer or two."""
        cdef int64_t heaviest, total = self.weigh(P, &heaviest)
        if d < min(P.n, 2):
            return INF
        return min(INF, self.pay(total, P.depth) + self.pay(total - heaviest, P.depth + 1))

    cdef int64_t bound_out(self, const Position *P, const int64_t *top, int k) noexcept nogil:
        """The least cost of a guess from outside with k classes: none found at once, one of each class (at best the
        k heaviest) by the next guess, the others later. top[j] is the sum of the j heaviest weights."""
        cdef int64_t low = min(INF, self.pay(top[P.n], P.depth) + self.pay(top[P.n], P.depth + 1))
        return min(INF, low + self.pay(top[P.n] - top[k], P.depth + 2))

    cdef int64_t bound_in(self, const Position *P, const int64_t *top, int k, int64_t weight) noexcept nogil:
        """The least cost of a member of this weight with k classes, its own included: as bound_out, itself found
        at once and so among the k."""
        return max(0, self.bound_out(P, top, k) - self.pay(weight, P.depth + 1))

    cdef int64_t least_with(self, const Position *P, int classes, int answer) noexcept nogil:
        cdef arena_mark_t mark
        cdef int64_t *top
        cdef int64_t low
        if not self.switches & COUNTS:
            return 0
        mark = arena_mark(&self.arena)
        top = self.heaviest_first(P)
        if top == NULL:
            return 0
        if answer < 0:
            low = self.bound_out(P, top, classes)
        else:
            low = self.bound_in(P, top, classes, self.weights[answer])
        arena_release(&self.arena, mark)
        return low

    cdef int64_t *heaviest_first(self, const Position *P) noexcept nogil:
        """Sums of the heaviest weights, from the arena: out[j] of the first j, j = 0 .. n."""
        cdef int64_t *top = <int64_t *>self.take((P.n + 1) * sizeof(int64_t))
        cdef int i
        if top == NULL:
            return NULL
        top[0] = 0
        for i in range(P.n):
            top[i + 1] = self.weights[P.answers[i]]
        qsort(top + 1, P.n, sizeof(int64_t), falling)
        for i in range(P.n):
            top[i + 1] += top[i]
        return top

    cdef int64_t cheap(self, const Position *P, int d, uint8_t *exact, uint16_t *height,
                       uint8_t *counted) noexcept nogil:
        """A lower bound of V(P, d), n >= 3, from the table and from the candidates themselves alone."""
        cdef entry_t *e
        cdef int n = P.n
        cdef int64_t low
        cdef key128 key
        exact[0] = 0
        counted[0] = 0
        if d < 2:
            exact[0] = 1
            return INF
        # A heaviest member that splits all others into singletons costs the floor.
        if n <= SPLIT_MOST and self.switches & SPLITS and self.best_member(P) == n \
                and (self.uniform or self.heaviest_splits(P)):
            exact[0] = 1
            height[0] = 2
            return self.floor(P, d)
        if self.switches & TABLE:
            key = self.stage(P)
            e = table_find(&self.table, key)
            if e != NULL:                # see Searcher.cheap
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
        return self.floor(P, d)

    cdef bint heaviest_splits(self, const Position *P) noexcept nogil:
        """Whether one of the heaviest members splits all others into singletons."""
        cdef int i, j, m
        cdef int64_t heaviest
        cdef uint16_t counts[64]
        self.weigh(P, &heaviest)
        for i in range(0, P.n, 64):
            m = min(64, P.n - i)
            self.members(P.answers + i, m, P.answers, P.n, counts)
            for j in range(m):
                if counts[j] == P.n and self.weights[P.answers[i + j]] == heaviest:
                    return True
        return False

    cdef int64_t bound(self, const Position *P, int d, int64_t need, uint8_t *exact, uint16_t *height,
                       uint8_t *counted) noexcept nogil:
        """The count bound, the least of bound_in over the members and bound_out over the other legal guesses, taken
        as far as it takes to reach `need`."""
        cdef int n = P.n, i, j, m, best, floor
        cdef int64_t low, v
        cdef int64_t *top
        cdef arena_mark_t mark
        cdef uint16_t member_k[64]
        exact[0] = 0
        counted[0] = 1
        low = self.floor(P, d)
        if not self.switches & COUNTS:
            return low
        self.look()
        self.count_calls += 1
        mark = arena_mark(&self.arena)
        top = self.heaviest_first(P)
        if top == NULL:
            return low
        v = INF
        if self.uniform:
            v = self.bound_in(P, top, self.best_member(P), self.weights[P.answers[0]])
        else:
            for i in range(0, n, 64):
                m = min(64, n - i)
                self.members(P.answers + i, m, P.answers, n, member_k)
                for j in range(m):
                    v = min(v, self.bound_in(P, top, member_k[j], self.weights[P.answers[i + j]]))
        # Guesses whose count can't bring the bound below the members' are not worth counting, nor those that leave it at
        # `need`.
        floor = n
        while floor > 0 and self.bound_out(P, top, floor) < min(v, need):
            floor -= 1
        best = max(self.most_classes(P, floor, 0), floor)
        counted[0] = best > floor or self.bound_out(P, top, floor) >= v
        v = min(v, self.bound_out(P, top, best))
        arena_release(&self.arena, mark)
        low = max(low, v)
        if self.switches & TABLE:
            table_store(&self.table, self.stage(P), low, 0, 0, counted[0], n)
        return low

    cdef int64_t free_bounds(self, int guess, Partition *p, int32_t *near, int d) noexcept nogil:
        cdef int i
        cdef int64_t heaviest, total = self.pay(self.weigh(&self.start, &heaviest), self.start.depth)
        for i in range(p.classes):
            p.low[i] = self.floor(&p.position[i], d)
            if p.low[i] >= INF:
                return INF
            p.exact[i] = p.position[i].n <= 2
            p.height[i] = <uint16_t>min(p.position[i].n, 2)
            p.counted[i] = 0
            near[i] = -1
            total += p.low[i]
            if total >= INF:
                return INF
        return total

    cdef int64_t sum_floors(self, const Position *P, Partition *p, int d) noexcept nogil:
        """What a guess costs at P itself, and the floors of its classes."""
        cdef int64_t heaviest, total = self.pay(self.weigh(P, &heaviest), P.depth)
        cdef int i
        for i in range(p.classes):
            p.low[i] = self.floor(&p.position[i], d)
            total += p.low[i]
            if total >= INF:
                return INF
        return total

    cdef int64_t cheap_sum(self, const Position *P, Partition *p, int d, int64_t budget, int *height) noexcept nogil:
        """See Searcher.cheap_sum."""
        cdef int64_t low, total = self.sum_floors(P, p, d)
        cdef int i, tallest = 0
        height[0] = 0
        if total >= INF:
            return INF
        for i in range(p.classes):
            p.counted[i] = 0
            if p.position[i].n <= 2:
                p.exact[i] = 1
                p.height[i] = <uint16_t>p.position[i].n
            else:
                if total >= budget:
                    return total
                low = self.cheap(&p.position[i], d, &p.exact[i], &p.height[i], &p.counted[i])
                if low >= INF:
                    return INF
                if low > p.low[i]:
                    total += low - p.low[i]
                    p.low[i] = low
            if not p.exact[i]:
                tallest = FREE
            elif p.height[i] > tallest:
                tallest = p.height[i]
        if tallest < FREE:
            height[0] = tallest + 1
        return total

    # ------------------------------------------------------------------ search

    cdef int64_t node(self, const Position *P, int d, int64_t budget, int *height) noexcept nogil:
        """See Searcher.node: the same steps with these bounds."""
        cdef entry_t *e
        cdef int64_t best = budget, low, v
        cdef int n = P.n, left = d - 1 if d < FREE else FREE
        cdef int i, j, m, floor, listed = 0, done, tried, wave = WAVE, upto, kept, h = 0, top_k = 0
        cdef const int32_t *B = P.answers
        cdef const Frame *f
        cdef arena_mark_t mark, inner
        cdef uint16_t *counts
        cdef uint16_t *member_k
        cdef int64_t *top
        cdef Candidate *found
        cdef Partition p
        cdef Position legal
        cdef Frame restricted
        cdef Frame own_frame
        cdef key128 own = self.stage(P)
        if d < FREE:
            own = with_depth(own, d)
        if self.switches & TABLE:
            e = table_find(&self.table, own)
            if e != NULL:
                if e.exact:
                    height[0] = e.height
                    return e.value
                if e.value >= budget:
                    return e.value
        low = self.floor(P, d)
        if low >= budget:
            return low
        self.nodes += 1
        self.look()
        self.guard_depth()
        if self.stopped:
            return budget
        mark = arena_mark(&self.arena)
        member_k = <uint16_t *>self.take(n * sizeof(uint16_t))
        top = self.heaviest_first(P)
        if member_k == NULL or top == NULL or self.restrict(P, &legal, &restricted) < 0:
            return budget
        f = legal.frame
        counts = <uint16_t *>self.take(f.blocks * BLOCK * sizeof(uint16_t))
        if counts == NULL:
            return budget
        for i in range(0, n, 64):
            self.members(B + i, min(64, n - i), B, n, member_k + i)
        self.count_calls += 1
        floor = 1                        # guesses with one class are none (see Searcher.compact)
        if self.switches & COUNTS:
            while floor < n and self.bound_out(P, top, floor + 1) >= budget:
                floor += 1
        done = self.count(f, B, n, 0, floor, False, n + 1, &top_k, counts)
        self.mark_members(B, n)
        found = <Candidate *>self.take((n + done * BLOCK) * sizeof(Candidate))
        if found == NULL:
            return budget
        for i in range(n):
            found[listed].low = self.bound_in(P, top, member_k[i], self.weights[B[i]]) if self.switches & COUNTS else 0
            if found[listed].low < budget:
                found[listed].guess = self.board.answer_guess[B[i]]
                found[listed].order = i
                listed += 1
        for i in range(done * BLOCK):
            if counts[i] > floor:
                j = self.board.answer_of[f.guess[i]]
                if j < 0 or self.stamp[j] != self.stamp_now:
                    found[listed].low = self.bound_out(P, top, counts[i]) if self.switches & COUNTS else 0
                    found[listed].guess = f.guess[i]
                    found[listed].order = n + i
                    listed += 1
        qsort(found, listed, sizeof(Candidate), by_low)
        tried = 0
        while tried < listed and found[tried].low < best and not self.stopped:
            # A wave: bounds of all, in order of their count bounds, then search of the survivors in order of theirs.
            upto = min(listed, tried + wave)
            if n >= FRAME_LEAST and tried and legal.frame == f and self.switches & FRAMES:
                if self.compact(f, B, n, &done, counts, &own_frame) < 0:
                    return budget
                legal.frame = &own_frame
            wave *= 4
            kept = tried
            for i in range(tried, upto):
                if found[i].low >= best:
                    break
                self.guesses_tried += 1
                inner = arena_mark(&self.arena)
                if self.split(&legal, found[i].guess, &p) >= 0:
                    v = self.cheap_sum(&legal, &p, left, best, &h)
                    if v < best and not h:
                        v = self.raise_bounds(&p, v, left, best)
                    if v < best:
                        if h:
                            best = v
                            height[0] = h
                        else:
                            found[kept].guess = found[i].guess
                            found[kept].low = v
                            found[kept].order = found[i].order
                            kept += 1
                arena_release(&self.arena, inner)
            qsort(found + tried, kept - tried, sizeof(Candidate), by_low)
            for i in range(tried, kept):
                if found[i].low >= best or self.stopped:
                    break
                inner = arena_mark(&self.arena)
                if self.split(&legal, found[i].guess, &p) >= 0:
                    v = self.cheap_sum(&legal, &p, left, best, &h)
                    if v < best:
                        self.level += 1
                        v = self.finish(&p, v, left, best, &h)
                        self.level -= 1
                        if v < best and not self.stopped:
                            best = v
                            height[0] = h
                arena_release(&self.arena, inner)
            tried = upto
        arena_release(&self.arena, mark)
        if self.stopped:
            return budget
        if self.switches & TABLE:
            if best < budget:
                table_store(&self.table, own, best, 1, height[0], 1, n)
            elif budget > self.dearest(P, d):
                table_store(&self.table, own, INF, 1, 0, 1, n)
            else:
                table_store(&self.table, own, best, 0, 0, 1, n)
        return best

    # ------------------------------------------------------------------ the canonical tree

    cdef int small_guess(self, const Position *P) noexcept nogil:
        """One answer or two: the heavier first, the earlier in the list if they weigh the same."""
        cdef int first = self.board.answer_guess[P.answers[0]], second
        if P.n == 1:
            return first
        second = self.board.answer_guess[P.answers[1]]
        if self.weights[P.answers[0]] != self.weights[P.answers[1]]:
            return first if self.weights[P.answers[0]] > self.weights[P.answers[1]] else second
        return min(first, second)

    cdef int least_height(self, const Position *P, int64_t V) noexcept nogil:
        return 2
