"""Exact depth-bounded branch and bound over the feedback partitions.

V(P, d) is the least total over strategy trees that find every candidate of position P within d guesses: n + the sum
of V over the feedback classes of the best legal guess, its winning class left out. Values are integers; INFEASIBLE
stands for no tree. Every search takes a budget: a result below it is exact, a result at or above it is a proven
lower bound.

Under hard rules a position is its candidates and the features that a guess must have (greens, and per letter the
greatest number seen); under ultra-hard rules, its candidates and the set of (guess, feedback) so far. A candidate is
legal under all rules.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, qsort
from libc.string cimport memcpy, memset

import numpy as np

from optimal._board cimport *

cdef extern from "Python.h":
    int PyErr_CheckSignals() except -1

cdef enum:
    DEEPEST = 2000            # a search deeper than this would outgrow the stack
    TINY = 5                  # sets up to this size are cheaper to bound again than to look up
    POLL = 4096               # counts between two looks at the stop flag
    CHEAP_MOST = 40           # sets of more answers take long to count
    FREE_LOSSES = 1000        # nodes that searches without a limit may waste before they must pay
    SHARE = 256               # parts of a guess: no set of fewer answers loses by rounding
    NO_SHARE = 1 << 24        # the share of a class that has no tree: more than those of PAIRWISE_MOST answers
    NEAR_MOST = 1 << 18       # bytes of a frame that is read faster than the whole matrix
    MEMO_SLOTS = 1 << 18      # of 16 bytes
    FRAME_TRIES = 24          # guesses still to try after the first wave that are worth a frame of their own
    PARTS_LEAST = 16          # smaller sets are searched as fast as their parts
    NEST_MOST = 16            # parts in a nest

INF = (<int64_t>1) << 62

INFEASIBLE = INF
NO_LIMIT = FREE
#: Names of the switches for `Searcher(off=...)`.
SWITCHES = {"splits": SPLITS, "counts": COUNTS, "table": TABLE, "frames": FRAMES, "free-first": FREE_FIRST,
            "depths": DEPTHS, "families": FAMILIES, "symmetry": SYMMETRY, "parts": PARTS,
            "ceiling": CEILING}
RULES = {"normal": NORMAL, "hard": HARD, "ultra-hard": ULTRA_HARD}

one_hot_init()


class Stopped(Exception):
    """The search was told to stop before it was done."""


cdef class Control:
    """What running searches share: the incumbent and a stop flag, in memory the caller owns.

    ``cells`` is an int64 array of two: the total to beat, and non-zero to stop. It may be a memory map shared by
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


cdef int by_low(const void *a, const void *b) noexcept nogil:
    cdef const Candidate *x = <const Candidate *>a
    cdef const Candidate *y = <const Candidate *>b
    if x.low != y.low:
        return -1 if x.low < y.low else 1
    if x.order != y.order:
        return -1 if x.order < y.order else 1
    return -1 if x.guess < y.guess else (1 if x.guess > y.guess else 0)


cdef key128 with_depth(key128 key, int d) noexcept nogil:
    """The key of a position with d guesses left."""
    return mixed(key, <uint64_t>d + 0x5bd1e995ULL)


cdef key128 mixed(key128 key, uint64_t fact) noexcept nogil:
    """The key of a position with one more fact; the order of facts does not matter."""
    cdef uint64_t state = fact * 0x9e3779b97f4a7c15ULL
    key.lo += splitmix64(&state)
    key.hi += splitmix64(&state)
    return key


cdef class Searcher:
    """One thread's search: its transposition table, its memory, its counters.

    ``off`` is a set of switches (SWITCHES) to leave out; every one changes the work, none the values.
    ``table_slots`` of 32 bytes each is where the table starts, ``max_slots`` what it may grow to.
    """

    def __cinit__(self):
        arena_init(&self.arena)
        self.stamp = NULL
        self.place = NULL
        self.tally = NULL
        self.kin = NULL
        self.alike = NULL
        self.marks.mark = NULL
        self.marks.now = 0

    def __init__(self, Board board, Control control, int off=0, size_t table_slots=1 << 16,
                 size_t max_slots=1 << 22, bint main_thread=False):
        self.board = board
        self.control = control
        self.rules = board.rules
        self.switches = ~off
        if not self.switches & COUNTS:
            self.switches &= ~DEPTHS     # which speak of counts
        # Under hard rules few guesses are to be counted, but for large sets.
        self.larger_first = 0 if self.rules == NORMAL else CHEAP_MOST
        self.main_thread = main_thread
        if table_init(&self.table, table_slots, max_slots) < 0 or memo_init(&self.kinds, MEMO_SLOTS) < 0:
            raise MemoryError
        self.stamp = <int32_t *>calloc(board.answers, sizeof(int32_t))
        self.place = <int32_t *>calloc(board.answers, sizeof(int32_t))
        self.marks.mark = <uint32_t *>calloc(65536, sizeof(uint32_t))
        self.tally = <int32_t *>calloc(65536, sizeof(int32_t))
        self.kin = <int32_t *>calloc(board.families + 1, sizeof(int32_t))
        self.alike = <int32_t *>calloc(board.spellings + 1, sizeof(int32_t))
        if self.stamp == NULL or self.place == NULL or self.marks.mark == NULL or self.tally == NULL \
                or self.kin == NULL or self.alike == NULL:
            raise MemoryError

    def __dealloc__(self):
        table_free(&self.table)
        memo_free(&self.kinds)
        arena_free(&self.arena)
        free(self.stamp)
        free(self.place)
        free(self.kin)
        free(self.alike)
        free(self.marks.mark)
        free(self.tally)

    @property
    def table_hits(self):
        return self.table.hits

    # ------------------------------------------------------------------ memory and stopping

    cdef void *take(self, size_t size) noexcept nogil:
        cdef void *p = arena_alloc(&self.arena, size)
        if p == NULL:
            self.out_of_memory = True
            self.stopped = True
        return p

    cdef void look(self) noexcept nogil:
        """Now and then, look at the stop flag and, in the main thread, at pending signals."""
        self.poll += 1
        if self.poll < POLL:
            return
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

    cdef void guard_depth(self) noexcept nogil:
        """Stop before the stack overflows."""
        if self.level > DEEPEST:
            self.too_deep = True
            self.stopped = True

    cdef int check_stopped(self) except -1:
        """Stopped half-way: free the memory in use, then say so."""
        if not self.stopped:
            return 0
        self.stopped = False
        self.level = 0
        arena_free(&self.arena)
        arena_init(&self.arena)
        if self.out_of_memory:
            raise MemoryError("the search ran out of memory")
        if self.too_deep:
            raise RecursionError(f"the search went deeper than {DEEPEST} guesses")
        raise Stopped

    cdef int check_guess(self, int guess) except -1:
        if not 0 <= guess < self.board.guesses:
            raise IndexError(f"guess {guess} of {self.board.guesses}")
        return 0

    # ------------------------------------------------------------------ counting classes

    cdef int members(self, const int32_t *who, int m, const int32_t *B, int n, uint16_t *counts) noexcept nogil:
        """counts[i] = classes that member who[i] makes of B, i < m <= 64; returns the most."""
        cdef int32_t guesses[64]
        cdef int i, best = 0
        for i in range(m):
            guesses[i] = self.board.answer_guess[who[i]]
        count_list(self.board.codes, self.board.width, self.board.answers, guesses, m, B, n, &self.marks, counts)
        for i in range(m):
            if counts[i] > best:
                best = counts[i]
        return best

    cdef int best_member(self, const Position *P) noexcept nogil:
        """Most classes that a candidate makes of P."""
        cdef uint16_t counts[64]
        cdef int i = 0, k, step, n = P.n, best = 0
        cdef const int32_t *B = P.answers
        if self.switches & TABLE:
            best = memo_find(&self.kinds, P.set)
            if best:
                return best
        while i < n and best < n:
            step = min(8, n - i)
            k = self.members(B + i, step, B, n, counts)
            if k > best:
                best = k
            i += step
        if self.switches & TABLE:
            memo_store(&self.kinds, P.set, best)
        return best

    cdef int count(self, const Frame *f, const int32_t *B, int n, int first, int floor, bint rising, int enough,
                   int *best, uint16_t *out) noexcept nogil:
        """count_blocks for any n; see there. Padding counts 1."""
        cdef const uint8_t *near[PAIRWISE_MOST]
        cdef int i, b, c, top
        if n <= PAIRWISE_MOST:
            for i in range(n):
                near[i] = f.row[B[i]]
            return count_blocks(near, n, self.board.width, first, f.blocks, f.cap, floor, rising, enough, best, out)
        b = first
        while b < f.blocks and f.cap[b] > floor:
            top = BLOCK
            while top > 0 and f.guess[b * BLOCK + top - 1] < 0:
                top -= 1
                out[b * BLOCK + top] = 1
            count_list(self.board.codes, self.board.width, self.board.answers, f.guess + b * BLOCK, top, B, n,
                       &self.marks, out + b * BLOCK)
            for c in range(top):
                if out[b * BLOCK + c] > best[0]:
                    best[0] = out[b * BLOCK + c]
            b += 1
            if rising and best[0] > floor:
                floor = best[0]
            if best[0] >= enough:
                break
        return b

    cdef int compact(self, const Frame *f, const int32_t *B, int n, int *done, uint16_t *counts,
                     Frame *out) noexcept nogil:
        """B's own frame: columns in falling order of count on B, of which *done blocks are in `counts`.

        A guess with one class on B has one class on every subset of B: it costs a guess, tells nothing and, under
        any rules, allows no guess that was not allowed before. It is left out.
        """
        cdef int i, c, k, m = 0, blocks, at, top = 0
        cdef int *begin
        cdef int32_t *guess
        cdef int32_t *source
        cdef uint16_t *cap
        cdef uint8_t *data
        cdef uint8_t *to
        cdef const uint8_t *row
        cdef const uint16_t *broad
        cdef size_t stride
        done[0] = self.count(f, B, n, done[0], 1, False, n + 1, &top, counts)
        begin = <int *>self.take((n + 2) * sizeof(int))
        if begin == NULL:
            return -1
        memset(begin, 0, (n + 2) * sizeof(int))
        for i in range(done[0] * BLOCK):
            if counts[i] > 1:
                begin[counts[i]] += 1
                m += 1
        blocks = max(1, (m + BLOCK - 1) // BLOCK)
        at = 0
        for k in range(n + 1, -1, -1):
            i = begin[k]
            begin[k] = at
            at += i
        stride = <size_t>blocks * BLOCK * self.board.width
        guess = <int32_t *>self.take(blocks * BLOCK * sizeof(int32_t))
        source = <int32_t *>self.take(blocks * BLOCK * sizeof(int32_t))
        cap = <uint16_t *>self.take(blocks * sizeof(uint16_t))
        out.row = <const uint8_t **>self.take(self.board.answers * sizeof(uint8_t *))
        data = <uint8_t *>self.take(n * stride)
        if guess == NULL or source == NULL or cap == NULL or out.row == NULL or data == NULL:
            return -1
        for i in range(done[0] * BLOCK):
            k = counts[i]
            if k > 1:
                if begin[k] % BLOCK == 0:
                    cap[begin[k] // BLOCK] = <uint16_t>k
                guess[begin[k]] = f.guess[i]
                source[begin[k]] = i
                begin[k] += 1
        if m == 0:
            cap[0] = 1
        for i in range(m, blocks * BLOCK):
            guess[i] = -1
        self.gather(f, B, n, source, m, data, stride, out)
        out.blocks = blocks
        out.guess = guess
        out.cap = cap
        return self.frame_features(out, f.needs)

    cdef void gather(self, const Frame *f, const int32_t *B, int n, const int32_t *source, int m, uint8_t *data,
                     size_t stride, Frame *out) noexcept nogil:
        """Copy columns `source` of f's rows B to `data`, padded with a constant code, as the rows of `out`."""
        cdef int i
        self.fill(f, B, n, source, m, data, stride)
        for i in range(n):
            out.row[B[i]] = data + <size_t>i * stride

    cdef void fill(self, const Frame *f, const int32_t *B, int n, const int32_t *source, int m, uint8_t *data,
                   size_t stride) noexcept nogil:
        """Copy columns `source` of f's rows B to rows of `stride` bytes, padded with a constant code."""
        cdef int i, c
        cdef const uint8_t *row
        cdef const uint16_t *broad
        cdef uint8_t *to
        for i in range(n):
            to = data + i * stride
            if self.board.width == 1:
                row = f.row[B[i]]
                for c in range(m):
                    to[c] = row[source[c]]
            else:
                broad = <const uint16_t *>f.row[B[i]]
                for c in range(m):
                    (<uint16_t *>to)[c] = broad[source[c]]
            memset(to + m * self.board.width, 0, stride - m * self.board.width)

    cdef const uint64_t *columns_having(self, Frame *f, int feature) noexcept nogil:
        """The frame's columns with a feature, a bit each; found when it is first asked for."""
        cdef uint64_t *out = f.having + <size_t>feature * f.blocks
        cdef const uint64_t *word = self.board.feature_row + (feature >> 6)
        cdef int b, c, shift = feature & 63, words = self.board.feature_words
        cdef const int32_t *guess
        cdef uint64_t bits
        if not f.ready[feature]:
            for b in range(f.blocks):
                guess = f.guess + b * BLOCK
                bits = 0
                for c in range(BLOCK):
                    if guess[c] >= 0:
                        bits |= (word[<size_t>guess[c] * words] >> shift & 1) << c
                out[b] = bits
            f.ready[feature] = 1
        return out

    cdef int frame_features(self, Frame *frame, const uint64_t *needs) noexcept nogil:
        """Room for the features of a new frame, all of whose columns have `needs`; -1 when memory runs out."""
        cdef int features = self.board.feature_words * 64
        frame.needs = needs
        frame.having = NULL
        frame.ready = NULL
        if self.rules == HARD:
            frame.having = <uint64_t *>self.take(<size_t>features * frame.blocks * sizeof(uint64_t))
            frame.ready = <uint8_t *>self.take(features)
            if frame.having == NULL or frame.ready == NULL:
                return -1
            memset(frame.ready, 0, features)
        return 0

    cdef void legal_begin(self, const Position *P, Legal *legal) noexcept nogil:
        """Start to list the legal columns of P's frame."""
        cdef Frame *f = <Frame *>P.frame
        cdef int w
        cdef uint64_t rest
        legal.block = 0
        legal.features = 0
        if self.rules == HARD:
            for w in range(self.board.feature_words):
                rest = P.needs[w] & ~f.needs[w]
                while rest:
                    legal.having[legal.features] = self.columns_having(f, w * 64 + lowest_bit(rest))
                    legal.features += 1
                    rest &= rest - 1
        self.legal_block(P, legal)

    cdef void legal_block(self, const Position *P, Legal *legal) noexcept nogil:
        """Find the legal columns of the block that the list has come to."""
        cdef const int32_t *guess = P.frame.guess + legal.block * BLOCK
        cdef uint64_t bits = ~(<uint64_t>0)
        cdef int i
        if legal.block >= P.frame.blocks:
            bits = 0
        elif self.rules == HARD and legal.features:
            for i in range(legal.features):
                bits &= legal.having[i][legal.block]
        else:
            bits = 0
            for i in range(BLOCK):
                if guess[i] >= 0 and (
                    self.rules != ULTRA_HARD or not P.strict or self.board.reply(P.guess, guess[i]) == P.code
                ):
                    bits |= <uint64_t>1 << i
        legal.bits = bits

    cdef int legal_next(self, const Position *P, Legal *legal, int most, int32_t *out) noexcept nogil:
        """Write up to `most` further legal columns, in the frame's order; returns how many."""
        cdef int m = 0
        while m < most and legal.block < P.frame.blocks:
            if not legal.bits:
                legal.block += 1
                self.legal_block(P, legal)
                continue
            out[m] = legal.block * BLOCK + lowest_bit(legal.bits)
            legal.bits &= legal.bits - 1
            m += 1
        return m

    cdef int most_classes(self, const Position *P, int floor, int best) noexcept nogil:
        """The most classes that a legal guess makes of P: exact if above `floor` and `best`, else no more than them.
        Columns are gathered block by block, since the caps often end it early."""
        cdef const Frame *f = P.frame
        cdef int32_t at[BLOCK]
        cdef int32_t guess[BLOCK]
        cdef uint16_t counts[BLOCK]
        cdef uint16_t cap
        cdef const uint8_t *row[PAIRWISE_MOST]
        cdef uint8_t *tile
        cdef Legal legal
        cdef arena_mark_t mark = arena_mark(&self.arena)
        cdef int i, m, n = P.n
        if not P.strict:
            tile = <uint8_t *>self.take(f.blocks * BLOCK * sizeof(uint16_t))
            if tile != NULL:
                self.count(f, P.answers, n, 0, floor, True, n, &best, <uint16_t *>tile)
            arena_release(&self.arena, mark)
            return best
        tile = <uint8_t *>self.take(PAIRWISE_MOST * BLOCK * self.board.width)
        if tile == NULL:
            return best
        self.legal_begin(P, &legal)
        while best < n:
            if n <= PAIRWISE_MOST and bits_set(legal.bits) * (n + 60) > BLOCK * n:
                # So many of a block are legal that it is counted faster than gathered.
                if f.cap[legal.block] <= max(floor, best):
                    break
                cap = f.cap[legal.block]
                for i in range(n):
                    row[i] = f.row[P.answers[i]] + <size_t>legal.block * BLOCK * self.board.width
                m = 0
                count_blocks(row, n, self.board.width, 0, 1, &cap, 0, False, n + 1, &m, counts)
                while legal.bits:
                    best = max(best, <int>counts[lowest_bit(legal.bits)])
                    legal.bits &= legal.bits - 1
                continue
            m = self.legal_next(P, &legal, BLOCK, at)
            if m == 0:
                break
            cap = f.cap[at[0] // BLOCK]
            if cap <= max(floor, best):
                break
            if n <= PAIRWISE_MOST:
                self.fill(f, P.answers, n, at, m, tile, BLOCK * self.board.width)
                for i in range(n):
                    row[i] = tile + <size_t>i * BLOCK * self.board.width
                count_blocks(row, n, self.board.width, 0, 1, &cap, 0, False, n + 1, &best, counts)
            else:
                for i in range(m):
                    guess[i] = f.guess[at[i]]
                count_list(self.board.codes, self.board.width, self.board.answers, guess, m, P.answers, n,
                           &self.marks, counts)
                for i in range(m):
                    best = max(best, <int>counts[i])
        arena_release(&self.arena, mark)
        return best

    cdef int restrict(self, const Position *P, Position *out, Frame *frame) noexcept nogil:
        """P with a frame of legal guesses only; -1 when memory runs out. The order of columns, and so their caps,
        are those of the frame before."""
        cdef const Frame *f = P.frame
        cdef int32_t *source
        cdef int32_t *guess
        cdef uint16_t *cap
        cdef uint8_t *data
        cdef int i, m = 0, blocks, columns = f.blocks * BLOCK
        cdef size_t stride
        cdef Legal legal
        out[0] = P[0]
        if not P.strict:
            return 0
        out.strict = False
        out.frame = frame
        source = <int32_t *>self.take(columns * sizeof(int32_t))
        guess = <int32_t *>self.take(columns * sizeof(int32_t))
        cap = <uint16_t *>self.take(f.blocks * sizeof(uint16_t))
        frame.row = <const uint8_t **>self.take(self.board.answers * sizeof(uint8_t *))
        if source == NULL or guess == NULL or cap == NULL or frame.row == NULL:
            return -1
        self.legal_begin(P, &legal)
        m = self.legal_next(P, &legal, columns, source)
        blocks = max(1, (m + BLOCK - 1) // BLOCK)
        stride = <size_t>blocks * BLOCK * self.board.width
        data = <uint8_t *>self.take(P.n * stride)
        if data == NULL:
            return -1
        for i in range(blocks * BLOCK):
            guess[i] = f.guess[source[i]] if i < m else -1
        for i in range(blocks):
            cap[i] = f.cap[source[i * BLOCK] // BLOCK] if i * BLOCK < m else 1
        self.gather(f, P.answers, P.n, source, m, data, stride, frame)
        frame.blocks = blocks
        frame.guess = guess
        frame.cap = cap
        return self.frame_features(frame, P.needs)

    # ------------------------------------------------------------------ bounds

    cdef int64_t floor(self, const Position *P, int d) noexcept nogil:
        """What V(P, d) can't be below; the value itself for one answer or two, a member first."""
        return INF if P.n <= 2 and d < P.n else 2 * P.n - 1

    cdef int64_t low_within(self, int n, int d, int reach) noexcept nogil:
        """What n answers can't be below within d guesses, no guess having more than `reach` classes (depths.h)."""
        cdef int low
        if d < 1 or not self.switches & DEPTHS:
            return 0
        low = depths_low(&self.board.depths, d, reach, n)
        return INF if low >= DEPTHS_INFEASIBLE else low

    cdef int idle(self, int n, int d, int k, int64_t need) noexcept nogil:
        """The greatest reach, at least k + 1, that keeps n answers within d guesses at `need` or more."""
        cdef int reach = k + 1
        if d == 2 and self.switches & SPLITS:
            return n - 1                 # only a split into singletons matters
        if need <= 3 * n and 3 * n - need > reach:
            reach = <int>(3 * n - need)
        while reach < n and self.low_within(n, d, reach + 1) >= need:
            reach += 1
        return reach

    cdef bint split_family(self, const Position *P, int d) noexcept nogil:
        """Whether d guesses may tell apart the largest set of candidates E that differ in one position alone.

        A guess gives each member of E whose letter it meets a class of its own, and all others the same feedback.
        So k_g(E) - 1 members at most leave the common class with guess g, and every guess after it is legal before
        it too: if the best d - 1 legal guesses together take away fewer than |E| - 1 members, two are left for the
        last guess.
        """
        cdef int i, j, p, m, size, most = d, n = P.n, first = 0, place = 0, taken = 0, best = 0
        cdef const int32_t *B = P.answers
        cdef int top[DEPTHS_LAYERS]
        cdef int32_t *E
        cdef int32_t at[BLOCK]
        cdef uint16_t counts[BLOCK]
        cdef uint16_t cap = 1
        cdef const uint8_t *row[PAIRWISE_MOST]
        cdef uint8_t *tile
        cdef Legal legal
        cdef arena_mark_t mark
        if self.board.families == 0 or n <= d or d < 3 or d >= DEPTHS_LAYERS or not self.switches & FAMILIES:
            return True
        for p in range(self.board.length):
            for i in range(n):
                j = self.board.family[B[i], p]
                self.kin[j] += 1
                if self.kin[j] > most:
                    most = self.kin[j]
                    first = B[i]
                    place = p
            for i in range(n):
                self.kin[self.board.family[B[i], p]] = 0
        if most <= d or most > PAIRWISE_MOST:        # d guesses, each a member, find d of them
            return True
        size = most
        mark = arena_mark(&self.arena)
        E = <int32_t *>self.take(size * sizeof(int32_t))
        tile = <uint8_t *>self.take(<size_t>size * BLOCK * self.board.width)
        if E == NULL or tile == NULL:
            return True
        m = 0
        for i in range(n):
            if self.board.family[B[i], place] == self.board.family[first, place]:
                E[m] = B[i]
                m += 1
        memset(top, 0, sizeof(top))
        for i in range(size):
            row[i] = tile + <size_t>i * BLOCK * self.board.width
        self.legal_begin(P, &legal)
        while taken < size - 1:
            m = self.legal_next(P, &legal, BLOCK, at)
            if m == 0:
                break
            self.fill(P.frame, E, size, at, m, tile, BLOCK * self.board.width)
            cap = <uint16_t>(size + 1)
            count_blocks(row, size, self.board.width, 0, 1, &cap, 0, False, size + 2, &best, counts)
            for i in range(m):
                if counts[i] - 1 > top[d - 2]:
                    taken += counts[i] - 1 - top[d - 2]
                    j = d - 2
                    while j > 0 and top[j - 1] < counts[i] - 1:
                        top[j] = top[j - 1]
                        j -= 1
                    top[j] = counts[i] - 1
        arena_release(&self.arena, mark)
        return taken >= size - 1

    cdef int least_classes(self, int n, int d, int reach, int64_t budget, int member) noexcept nogil:
        """The fewest classes with which a guess may cost less than `budget`, d guesses left for its classes; a
        member's own is one of them (see depths.h)."""
        cdef int k = 1
        if d < 1 or not self.switches & DEPTHS or not depths_tells(&self.board.depths, d, reach, n):
            return 0
        if d >= DEPTHS_LAYERS:
            d = 0
        while k <= n and n + depths_split(&self.board.depths, d, reach, n - member, k - member) >= budget:
            k += 1
        return k

    cdef int64_t least_with(self, const Position *P, int classes, int answer) noexcept nogil:
        """The least that a guess with so many classes can cost; `answer` is the answer it equals, or -1."""
        return 3 * P.n - classes - (answer >= 0) if self.switches & COUNTS else 0

    cdef int64_t cheap(self, const Position *P, int d, uint8_t *exact, uint16_t *height,
                       uint8_t *counted) noexcept nogil:
        """A lower bound of V(P, d), n >= 3, from the table and from the candidates themselves alone."""
        cdef entry_t *e
        cdef int n = P.n, k
        cdef int64_t low
        exact[0] = 0
        counted[0] = 0
        if d < 2:
            exact[0] = 1
            return INF
        # A member that splits B into singletons costs 2n - 1, the floor of every set. Failing that, one that
        # leaves a single pair costs 2n, the next value there is; the pair's second guess is the third. Larger sets
        # than the reach have neither.
        if n <= P.reach and self.switches & SPLITS:
            k = self.best_member(P)
            if k == n:
                exact[0] = 1
                height[0] = 2
                return 2 * n - 1
            if k == n - 1 and d >= 3:
                exact[0] = 1
                height[0] = 3
                return 2 * n
        if n > TINY and self.switches & TABLE:
            e = table_find(&self.table, P.key)
            if e != NULL:
                # The value without a limit bounds the one within a limit, and is the same if its tree is low enough.
                if e.exact and e.height <= d:
                    exact[0] = 1
                    height[0] = e.height
                    return e.value
                low = e.value
                counted[0] = e.counted
                if d < n:
                    e = table_find(&self.table, with_depth(P.key, d))
                    if e != NULL:
                        exact[0] = e.exact
                        counted[0] |= e.counted
                        height[0] = e.height
                        if e.value > low:
                            low = e.value
                if not exact[0]:
                    low = max(low, self.low_within(n, d, P.reach))
                return low
        low = self.low_within(n, d, P.reach)
        if low >= INF:
            exact[0] = 1
            return INF
        return max(low, 2 * n if self.switches & SPLITS else 2 * n - 1)

    cdef int64_t bound(self, const Position *P, int d, int64_t need, uint8_t *exact, uint16_t *height,
                       uint8_t *counted) noexcept nogil:
        """The count bound of V(P, d), n >= 3, taken as far as it takes to reach `need`.

        A guess with k classes on B leaves n - k (n - k - 1 if a member) answers that need a third guess at least,
        so V >= 3n - K with K = max of k + [member] over the legal guesses.
        """
        cdef int best, k, floor, n = P.n
        cdef int64_t low, within
        exact[0] = 0
        counted[0] = 1
        if not self.switches & COUNTS:
            return 2 * n - 1
        self.look()
        self.count_calls += 1
        k = self.best_member(P)
        if self.switches & SPLITS:
            if k == n or (k == n - 1 and d >= 3):     # see cheap
                exact[0] = 1
                height[0] = 2 if k == n else 3
                return 2 * n - 1 if k == n else 2 * n
        if not self.split_family(P, d):
            exact[0] = 1
            if n > TINY and self.switches & TABLE:
                table_store(&self.table, with_depth(P.key, d), INF, 1, 0, 1, n)
            return INF
        # Columns that can't bring the bound below `need` are not worth counting: it reaches that either way.
        floor = self.idle(n, d, k, need)
        best = self.most_classes(P, floor, k)
        if self.switches & SPLITS:
            # No member splits B (so k < n): a guess from outside that does costs 2n, the least value left.
            if best == n:
                exact[0] = 1
                height[0] = 2
                return 2 * n
            if d == 2:                                # two guesses need a split into singletons
                exact[0] = 1
                return INF
        if best > floor:
            floor = best
        counted[0] = floor == max(best, k + 1)
        low = max(3 * n - floor, 2 * n - 1)
        if n > TINY and self.switches & TABLE:
            table_store(&self.table, P.key, low, 0, 0, counted[0], n)
        within = self.low_within(n, d, floor)
        if within > low:
            low = within
            exact[0] = low >= INF
            if n > TINY and d < n and self.switches & TABLE:
                table_store(&self.table, with_depth(P.key, d), low, exact[0], 0, counted[0], n)
        return low

    # ------------------------------------------------------------------ partitions

    cdef key128 set_key(self, const int32_t *B, int n) noexcept nogil:
        """The Zobrist key of a set of answers: a sum, so the key of a union of disjoint sets is theirs added."""
        cdef key128 key
        cdef int i
        key.lo = 0
        key.hi = 0
        for i in range(n):
            key.lo += self.board.zobrist[B[i], 0]
            key.hi += self.board.zobrist[B[i], 1]
        return key

    cdef int split(self, const Position *P, int guess, Partition *p) noexcept nogil:
        """The classes of a guess on P, smallest first, from the arena; -1 when memory runs out."""
        return self.split_column(P, guess, NULL, -1, p)

    cdef int split_column(self, const Position *P, int guess, const Frame *f, int column,
                          Partition *p) noexcept nogil:
        """split, where the guess is known to be a column of a frame: the codes are read from there if column >= 0."""
        cdef int32_t *count = self.tally
        cdef const int32_t *B = P.answers
        cdef int n = P.n
        cdef int32_t *code = <int32_t *>self.take(n * sizeof(int32_t))
        cdef int32_t *seen = <int32_t *>self.take(n * sizeof(int32_t))
        cdef int32_t *answers = <int32_t *>self.take(n * sizeof(int32_t))
        cdef int i, j, c, w, k = 0, at = 0, words = self.board.feature_words
        cdef size_t first = <size_t>guess * self.board.answers
        cdef const uint8_t *narrow = self.board.codes + first
        cdef const uint16_t *broad = (<const uint16_t *>self.board.codes) + first
        cdef uint64_t *needs = NULL
        cdef uint64_t used = P.used | self.board.symbols_of(guess)
        cdef Position *to
        p.classes = 0
        if code == NULL or seen == NULL or answers == NULL:
            return -1
        if column >= 0 and self.board.width == 1:
            for i in range(n):
                code[i] = f.row[B[i]][column]
        elif self.board.width == 1:
            for i in range(n):
                code[i] = narrow[B[i]]
        else:
            for i in range(n):
                code[i] = broad[B[i]]
        for i in range(n):
            c = code[i]
            if count[c] == 0:
                seen[k] = c
                k += 1
            count[c] += 1
        p.position = <Position *>self.take(k * (sizeof(Position) + sizeof(int64_t) + 4))
        if self.rules == HARD:
            needs = <uint64_t *>self.take(k * words * sizeof(uint64_t))
        if p.position == NULL or (self.rules == HARD and needs == NULL):
            for i in range(k):
                count[seen[i]] = 0
            return -1
        p.low = <int64_t *>(p.position + k)
        p.height = <uint16_t *>(p.low + k)
        p.exact = <uint8_t *>(p.height + k)
        p.counted = p.exact + k
        # Insertion sort by size, ties by first appearance: classes are few and mostly tiny.
        for i in range(k):
            c = seen[i]
            if c == self.board.winning_code:
                continue
            j = at
            while j > 0 and count[seen[j - 1]] > count[c]:
                seen[j] = seen[j - 1]
                j -= 1
            seen[j] = c
            at += 1
        p.classes = at
        j = 0
        for i in range(at):
            c = seen[i]
            to = &p.position[i]
            to.frame = P.frame
            to.answers = answers + j
            to.n = count[c]
            to.needs = NULL
            to.guess = guess
            to.code = c
            to.depth = P.depth + 1
            to.reach = P.reach
            to.used = used
            to.before = P
            to.strict = False
            j += count[c]
            count[c] = j - to.n
        for i in range(n):
            c = code[i]
            if c != self.board.winning_code:
                answers[count[c]] = B[i]
                count[c] += 1
        count[self.board.winning_code] = 0
        for i in range(at):
            count[seen[i]] = 0
            to = &p.position[i]
            if to.n <= 2:
                continue
            to.set = self.set_key(to.answers, to.n)
            to.key = to.set
            if self.rules == HARD:
                # Legality only accumulates: the union of all hints is what a guess must keep to.
                to.needs = needs + i * words
                memcpy(needs + i * words, P.needs, words * sizeof(uint64_t))
                self.board.ask(guess, to.code, needs + i * words)
                to.strict = P.strict
                for w in range(words):
                    if to.needs[w] != P.needs[w]:
                        to.strict = True
                    if to.needs[w]:
                        to.key = mixed(to.key, to.needs[w] * 0xd6e8feb86659fd93ULL + w)
            elif self.rules == ULTRA_HARD:
                to.past = mixed(P.past, (<uint64_t>guess << 20) + to.code)
                to.key.lo += to.past.lo
                to.key.hi += to.past.hi
                to.strict = True
        return at

    cdef int symmetries(self, const Position *P, Symmetries *out) noexcept nogil:
        """What maps P to itself, from the arena; -1 when memory runs out."""
        cdef int32_t *made
        cdef symmetry_t *maps
        cdef const Position *q = P
        out.count = -1
        out.maps = NULL
        if not self.board.symmetric or not self.switches & SYMMETRY:
            return 0
        made = <int32_t *>self.take((P.depth + 1) * sizeof(int32_t))
        maps = <symmetry_t *>self.take(SYMMETRY_MOST * sizeof(symmetry_t))
        if made == NULL or maps == NULL:
            return -1
        while q.depth > 0:
            made[q.depth - 1] = q.guess
            q = q.before
        out.count = symmetries_of(maps, &self.board.symbols[0, 0], self.board.places, made, P.depth)
        out.maps = maps
        return 0

    cdef bint repeats(self, const Position *P, const Symmetries *same, int guess) noexcept nogil:
        """Whether a guess is worth what an earlier one in the list is, and comes after it in every tie: a map that
        keeps the guesses made keeps their feedback, and so maps the candidates and their trees to themselves."""
        return same.count >= 0 and not symmetry_leads(
            &self.board.symbols[guess, 0], self.board.places, P.used, same.maps, same.count
        )

    cdef int shares(self, const Position *P, const Frame *f, int d, Shares *out) noexcept nogil:
        """Prepare `too_dear` for guesses at P from a frame, d guesses left after them; -1 when memory runs out."""
        cdef int i, n = P.n
        cdef int64_t low
        out.frame = NULL
        if not self.switches & DEPTHS or not depths_tells(&self.board.depths, d, P.reach, n):
            return 0
        out.frame = f
        out.total = <uint32_t *>self.take(<size_t>f.blocks * BLOCK * sizeof(uint32_t))
        out.share = <uint32_t *>self.take((n + 1) * sizeof(uint32_t))
        out.ready = <uint8_t *>self.take(f.blocks)
        if out.total == NULL or out.share == NULL or out.ready == NULL:
            return -1
        memset(out.ready, 0, f.blocks)
        out.share[0] = 0
        for i in range(1, n + 1):
            low = max(2 * i - 1, depths_low(&self.board.depths, d, P.reach, i))
            out.share[i] = NO_SHARE if low >= DEPTHS_INFEASIBLE else <uint32_t>(low * SHARE // i)
        return 0

    cdef bint too_dear(self, const Position *P, Shares *s, const Candidate *g, int d, int64_t budget) noexcept nogil:
        """Whether the sizes of a guess's classes alone show that it costs `budget` or more (see low_within)."""
        cdef int64_t total = P.n
        cdef int32_t *count = self.tally
        cdef int i, c, n = P.n, b = g.column // BLOCK
        cdef const int32_t *B = P.answers
        cdef const uint8_t *row[PAIRWISE_MOST]
        cdef size_t first = <size_t>g.guess * self.board.answers
        cdef const uint8_t *narrow = self.board.codes + first
        cdef const uint16_t *broad = (<const uint16_t *>self.board.codes) + first
        if s.frame == NULL:
            return False
        if g.column >= 0 and n <= PAIRWISE_MOST:
            if not s.ready[b]:
                for i in range(n):
                    row[i] = s.frame.row[B[i]]
                share_block(row, n, self.board.width, <size_t>b * BLOCK * self.board.width, s.share,
                            s.total + b * BLOCK)
                s.ready[b] = 1
            if s.total[g.column] >= NO_SHARE:
                return True
            # The guess itself, if it is a member, is found: its share is that of a class of one.
            total += (s.total[g.column] + SHARE - 1) // SHARE - g.member
            return total >= budget
        if self.board.width == 1:
            for i in range(n):
                count[narrow[B[i]]] += 1
        else:
            for i in range(n):
                count[broad[B[i]]] += 1
        count[self.board.winning_code] = 0
        for i in range(n):
            c = narrow[B[i]] if self.board.width == 1 else broad[B[i]]
            if count[c]:
                total += max(2 * count[c] - 1, depths_low(&self.board.depths, d, P.reach, count[c]))
                count[c] = 0
        return total >= budget

    cdef int64_t cheap_sum(self, const Position *P, Partition *p, int d, int64_t budget, int *height) noexcept nogil:
        """n + the cheap bounds of all classes of a guess at P, with d guesses left for them; stops at `budget`.

        height[0] is 0 unless every class is exact: then the sum is, and this is the height of its tree.
        """
        cdef int64_t total = P.n, low
        cdef int i, size, tallest = 0
        height[0] = 0
        for i in range(p.classes):
            size = p.position[i].n
            p.low[i] = max(2 * size - 1, self.low_within(size, d, P.reach))
            if p.low[i] >= INF:
                return INF
            total += p.low[i]
        for i in range(p.classes):
            size = p.position[i].n
            if size <= 2:
                if d < size:
                    return INF
                p.exact[i] = 1
                p.height[i] = <uint16_t>size
            else:
                if total >= budget:
                    return total
                low = self.cheap(&p.position[i], d, &p.exact[i], &p.height[i], &p.counted[i])
                if low >= INF:
                    return INF
                total += raise_low(p, i, low)
            if not p.exact[i]:
                tallest = FREE
            elif p.height[i] > tallest:
                tallest = p.height[i]
        if tallest < FREE:
            height[0] = tallest + 1
        return total

    cdef int64_t finish(self, Partition *p, int64_t total, int d, int64_t budget, int *height) noexcept nogil:
        """Raise `total` = n + the sum of p.low until it is exact or reaches `budget`: bounds first, then search,
        smaller classes first."""
        cdef int i, h = 0
        total = self.raise_bounds(p, total, d, budget)
        total = self.search_classes(p, total, d, budget, 0, self.board.answers)
        if total < budget:
            for i in range(p.classes):
                if p.height[i] > h:
                    h = p.height[i]
            height[0] = h + 1
        return total

    cdef int64_t raise_bounds(self, Partition *p, int64_t total, int d, int64_t budget) noexcept nogil:
        """Count bounds of the classes that have none yet, until the sum reaches `budget`. Here and below, every step
        works against what the bounds of the others leave of the budget.

        The larger of the classes of at most `larger_first` answers come first, which raise the sum most; the others
        from small to large.
        """
        cdef int i, j, cheap = 0
        cdef int64_t v
        while cheap < p.classes and p.position[cheap].n <= self.larger_first:
            cheap += 1
        for j in range(p.classes):
            i = cheap - 1 - j if j < cheap else j
            if total >= budget or self.stopped:
                break
            if p.exact[i] or p.counted[i]:
                continue
            v = self.bound(&p.position[i], d, budget - (total - p.low[i]), &p.exact[i], &p.height[i], &p.counted[i])
            if v >= INF:
                return INF
            if v > p.low[i]:
                total += v - p.low[i]
                p.low[i] = v
        return total

    cdef int64_t search_classes(self, Partition *p, int64_t total, int d, int64_t budget, int least,
                                int most) noexcept nogil:
        """Search the classes of `least` to `most` answers that are not exact, until the sum reaches `budget`."""
        cdef int i, h
        cdef int64_t v
        for i in range(p.classes):
            if total >= budget or self.stopped:
                break
            if p.exact[i] or not least <= p.position[i].n <= most:
                continue
            h = 0
            v = self.value(&p.position[i], d, budget - (total - p.low[i]), &h)
            if self.stopped:
                break
            if v >= INF:
                return INF
            if v > p.low[i]:
                total += v - p.low[i]
                p.low[i] = v
            if total < budget:
                p.exact[i] = 1
                p.height[i] = <uint16_t>h
        return total

    # ------------------------------------------------------------------ search

    cdef int64_t value(self, const Position *P, int d, int64_t budget, int *height) noexcept nogil:
        """V(P, d), n >= 3: exact if below `budget` (with the height of a tree), else a lower bound."""
        cdef int64_t v, most
        cdef uint64_t before
        if d < 2:
            return INF
        if d >= P.n:                     # a least-total tree never wastes a guess, so n guesses are no limit
            return self.node(P, FREE, budget, height)
        if d > 2 and self.rules == NORMAL and not self.any_tree and self.wasted <= self.settled + FREE_LOSSES \
                and self.switches & FREE_FIRST:
            # Without a limit first: its value is a lower bound, and the very value if its tree is low enough. Where
            # the limit binds it seldom is, and then this is work for nothing. Hard rules make limits bind.
            before = self.nodes
            v = self.node(P, FREE, budget, height)
            if v >= budget or height[0] <= d or self.stopped:
                self.settled += self.nodes - before
                return v
            self.wasted += self.nodes - before
        # A budget that few trees would exceed asks whether there is a tree at all. Parts that have one tell nothing:
        # no more than an eighth of all nodes, and two for each that told something, may go to them.
        if P.n >= PARTS_LEAST and d >= 3 and budget > 7 * P.n // 2 \
                and 8 * self.idle_parts <= self.nodes + 16 * self.failed_parts and self.part_fails(P, d):
            return INF
        # No tree costs more than the dearest: beyond that the value is INF, and is kept as such for all budgets.
        most = self.dearest(P, d)
        v = self.node(P, d, min(budget, most + 1), height)
        return INF if v > most else v

    cdef int64_t dearest(self, const Position *P, int d) noexcept nogil:
        """What a tree that finds all within d guesses can't exceed: d guesses for each. Without a limit, more than any
        tree costs, and less than INF."""
        return <int64_t>P.n * d if d < FREE and self.switches & CEILING else INF >> 1

    cdef int nest(self, const Position *P, int least, int32_t *B, int *sizes) noexcept nogil:
        """Parts of P, each within the one before: the answers that share the letter that most of them have in common
        at a position, of these the same, down to parts of `least` answers. Writes P's answers in an order in which
        every part comes first, and the sizes; returns how many there are."""
        cdef int i, j, p, m = P.n, best, place, letter, parts = 0
        cdef int32_t a
        memcpy(B, P.answers, m * sizeof(int32_t))
        while parts < NEST_MOST:
            best = place = letter = 0
            for p in range(self.board.length):
                for i in range(m):
                    self.alike[self.board.spelling[B[i], p]] += 1
                for i in range(m):
                    j = self.board.spelling[B[i], p]
                    if best < self.alike[j] < m:
                        best = self.alike[j]
                        letter = j
                        place = p
                for i in range(m):
                    self.alike[self.board.spelling[B[i], p]] = 0
            if best < least:
                break
            j = 0
            for i in range(m):
                a = B[i]
                if self.board.spelling[a, place] == letter:
                    B[i] = B[j]
                    B[j] = a
                    j += 1
            m = best
            sizes[parts] = m
            parts += 1
        return parts

    cdef bint part_fails(self, const Position *P, int d) noexcept nogil:
        """Whether a part of P is seen to have no tree within d guesses. Then P has none: a tree for all, cut down to
        the part, would be one for the part, since hints and rules stay the same. Words that end alike are what
        makes sets infeasible, and without the others it is shown sooner."""
        cdef entry_t *e
        cdef int i, parts, h = 0
        cdef int sizes[NEST_MOST]
        cdef int32_t *B
        cdef Position part = P[0]
        cdef bint fails = False, any_tree = self.any_tree
        cdef uint64_t before = self.nodes
        cdef arena_mark_t mark = arena_mark(&self.arena)
        if not self.switches & PARTS or self.board.spellings == 0:
            return False
        if self.switches & TABLE:
            e = table_find(&self.table, with_depth(P.key, d))
            if e != NULL and e.exact:
                return e.value >= INF
        B = <int32_t *>self.take(P.n * sizeof(int32_t))
        if B == NULL:
            return False
        parts = self.nest(P, d + 1, B, sizes)
        part.answers = B
        self.any_tree = True
        for i in range(parts - 1, -1, -1):       # the smallest first
            part.n = sizes[i]
            part.set = self.set_key(B, part.n)
            part.key.lo = P.key.lo - P.set.lo + part.set.lo
            part.key.hi = P.key.hi - P.set.hi + part.set.hi
            fails = self.node(&part, d, self.dearest(&part, d) + 1, &h) > self.dearest(&part, d)
            if fails or self.stopped:
                break
        self.any_tree = any_tree
        arena_release(&self.arena, mark)
        if not fails or self.stopped:
            self.idle_parts += self.nodes - before
            return False
        self.failed_parts += self.nodes - before
        if self.switches & TABLE:
            table_store(&self.table, with_depth(P.key, d), INF, 1, 0, 1, P.n)
        return True

    cdef int64_t node(self, const Position *P, int d, int64_t budget, int *height) noexcept nogil:
        cdef entry_t *e
        cdef int64_t low = 0, best, v, slack
        cdef int n = P.n, left = d - 1 if d < FREE else FREE
        cdef int k, K, floor, wave, next_floor, i, j, m, listed, h = 0, done, top, least_in, least_out
        cdef const int32_t *B = P.answers
        cdef const Frame *f
        cdef arena_mark_t mark, inner
        cdef uint16_t *counts
        cdef uint16_t *member_k
        cdef int *begin
        cdef Candidate *every
        cdef Candidate *found
        cdef Partition p
        cdef Position legal
        cdef Shares sizes
        cdef Symmetries same
        cdef Frame restricted
        cdef Frame own_frame
        cdef bint near
        cdef key128 own = P.key if d == FREE else with_depth(P.key, d)

        # Step 1: what is known. Tables hold values and bounds of (position, guesses left).
        if n > TINY and self.switches & TABLE:
            e = table_find(&self.table, own)
            if e != NULL:
                if e.exact:
                    height[0] = e.height
                    return e.value
                if e.value >= budget:
                    return e.value
                low = e.value
        if budget <= 2 * n - 1:          # the floor: one answer at most is found by the first guess
            return 2 * n - 1
        v = self.low_within(n, d, P.reach)
        if v >= budget:
            return v
        self.nodes += 1
        self.look()
        self.guard_depth()
        if self.stopped:
            return budget

        # Step 2: members, then the count bound over all legal guesses (see cheap and bound for why these hold).
        mark = arena_mark(&self.arena)
        k = self.best_member(P)
        if (k == n or (k == n - 1 and d >= 3)) and self.switches & SPLITS:
            height[0] = 2 if k == n else 3
            return self.leave(mark, own, 2 * n - 1 if k == n else 2 * n, 1, height[0], 1, n)
        member_k = <uint16_t *>self.take(n * sizeof(uint16_t))
        if member_k == NULL or self.restrict(P, &legal, &restricted) < 0:
            return budget
        f = legal.frame
        counts = <uint16_t *>self.take(f.blocks * BLOCK * sizeof(uint16_t))
        if counts == NULL:
            return budget
        self.count_calls += 1
        top = k
        done = 0
        if self.switches & COUNTS:
            floor = self.idle(n, d, k, budget)
            done = self.count(f, B, n, 0, floor, True, n, &top, counts)
            if (top == n or d == 2) and self.switches & SPLITS:
                height[0] = 2
                return self.leave(mark, own, 2 * n if top == n else INF, 1, 2, 1, n)
            if top > floor:
                floor = top
            low = max(low, 3 * n - floor, self.low_within(n, d, floor))
            if low >= INF:
                return self.leave(mark, own, INF, 1, 0, 1, n)
            if low >= budget:
                return self.leave(mark, own, low, 0, 0, floor == max(top, k + 1), n)
            slack = 3 * n
        else:
            slack = 0
        K = max(top, k + 1)

        # Step 3: the candidate guesses. One with class count k costs 3n - k at least. Members count one more by
        # their own class; guesses with one class are none (see compact).
        done = self.count(f, B, n, done, clamp(slack - budget, 1, n), False, n + 1, &top, counts)
        K = max(top, K)
        legal.reach = min(legal.reach, max(K, clamp(slack - budget, 1, n)))
        for i in range(0, n, 64):
            self.members(B + i, min(64, n - i), B, n, member_k + i)
        least_in = self.least_classes(n, left, legal.reach, budget, 1)
        least_out = self.least_classes(n, left, legal.reach, budget, 0)
        self.mark_members(B, n)
        every = <Candidate *>self.take((n + done * BLOCK) * sizeof(Candidate))
        found = <Candidate *>self.take((n + done * BLOCK) * sizeof(Candidate))
        begin = <int *>self.take((n + 3) * sizeof(int))
        if every == NULL or found == NULL or begin == NULL or self.symmetries(P, &same) < 0:
            return budget
        listed = 0
        for i in range(n):
            if slack - member_k[i] - 1 < budget and member_k[i] >= least_in \
                    and not self.repeats(P, &same, self.board.answer_guess[B[i]]):
                every[listed].guess = self.board.answer_guess[B[i]]
                every[listed].order = member_k[i] + 1
                every[listed].column = -1
                every[listed].member = 1
                self.place[B[i]] = listed
                listed += 1
            else:
                self.place[B[i]] = -1
        for i in range(done * BLOCK):
            if f.guess[i] < 0:
                continue
            j = self.board.answer_of[f.guess[i]]
            if j >= 0 and self.stamp[j] == self.stamp_now:
                if self.place[j] >= 0:
                    every[self.place[j]].column = i
            elif counts[i] > 1 and slack - counts[i] < budget and counts[i] >= least_out \
                    and not self.repeats(P, &same, f.guess[i]):
                every[listed].guess = f.guess[i]
                every[listed].order = counts[i]
                every[listed].column = i
                every[listed].member = 0
                listed += 1
        if self.shares(&legal, f, left, &sizes) < 0:
            return budget
        near = n * f.blocks * BLOCK * self.board.width <= NEAR_MOST

        # In waves of falling class count: a good tree found early makes most of the rest unnecessary.
        best = budget
        wave = K + 1                     # guesses with class counts in [next_floor, wave) are to be tried
        next_floor = K - 2
        while not self.stopped:
            if next_floor < 2 or slack - next_floor >= best:
                next_floor = clamp(slack - best + 1, 1, n + 2)
            # Bucket sort: `begin` counts, then holds where each class count starts, the greatest first.
            memset(begin, 0, (n + 3) * sizeof(int))
            for i in range(listed):
                if next_floor <= every[i].order < wave:
                    begin[every[i].order] += 1
            m = 0
            for j in range(n + 1, -1, -1):
                i = begin[j]
                begin[j] = m
                m += i
            for i in range(listed):
                j = every[i].order
                if next_floor <= j < wave:
                    found[begin[j]] = every[i]
                    found[begin[j]].order = -j
                    begin[j] += 1
            # Many guesses to try are worth a frame of their own, for which the other columns must be counted too.
            if n >= FRAME_LEAST and m >= FRAME_TRIES and wave <= K and legal.frame == f and self.switches & FRAMES:
                if self.compact(f, B, n, &done, counts, &own_frame) < 0:
                    return budget
                legal.frame = &own_frame
            # Step 4: bounds of all, those with the most classes first; survivors by their bound. Most fall to the
            # count bound of one class.
            j = 0
            for i in range(m):
                if slack + found[i].order >= best:
                    break
                if self.too_dear(&legal, &sizes, &found[i], left, best):
                    continue
                self.guesses_tried += 1
                inner = arena_mark(&self.arena)
                if self.split_column(&legal, found[i].guess, f, found[i].column if near else -1, &p) >= 0:
                    v = self.cheap_sum(&legal, &p, left, best, &h)
                    if v < best and not h:
                        v = self.raise_bounds(&p, v, left, best)
                    if v < best:
                        if h:                    # every class is exact
                            best = v
                            height[0] = h
                            if self.any_tree:
                                arena_release(&self.arena, mark)
                                return best
                        else:
                            found[j] = found[i]
                            found[j].low = v
                            j += 1
                arena_release(&self.arena, inner)
            m = j
            qsort(found, m, sizeof(Candidate), by_low)
            # Step 5: search the survivors, most promising first; each stops once it reaches the best so far.
            for i in range(m):
                if found[i].low >= best or self.stopped:
                    break
                inner = arena_mark(&self.arena)
                if self.split_column(&legal, found[i].guess, f, found[i].column if near else -1, &p) >= 0:
                    v = self.cheap_sum(&legal, &p, left, best, &h)
                    if v < best:
                        self.level += 1
                        v = self.finish(&p, v, left, best, &h)
                        self.level -= 1
                        if v < best and not self.stopped:
                            best = v
                            height[0] = h
                            if self.any_tree:    # of no known value: nothing is stored
                                arena_release(&self.arena, mark)
                                return best
                arena_release(&self.arena, inner)
            if next_floor <= 1 or slack - (next_floor - 1) >= best:
                break
            wave = next_floor
            next_floor = next_floor - 6 if K - next_floor < 4 else next_floor - 18
        if self.stopped:
            arena_release(&self.arena, mark)
            return budget
        # Step 6: below the budget the value is exact; else every guess reached the budget, which bounds V. A budget
        # that every tree would keep to and none does proves the position infeasible.
        if best < budget:
            return self.leave(mark, own, best, 1, height[0], 1, n)
        if budget > self.dearest(P, d):
            return self.leave(mark, own, INF, 1, 0, 1, n)
        return self.leave(mark, own, best, 0, 0, 1, n)

    cdef int64_t leave(self, arena_mark_t mark, key128 key, int64_t value, bint exact, int height, bint counted,
                       int n) noexcept nogil:
        """Release a node's memory, store its value, return it."""
        arena_release(&self.arena, mark)
        if n > TINY and self.switches & TABLE:
            table_store(&self.table, key, value, exact, height, counted, n)
        return value

    cdef int mark_members(self, const int32_t *B, int n) noexcept nogil:
        """Stamp the members of B: stamp[a] == stamp_now until the next call."""
        cdef int i
        self.stamp_now += 1
        for i in range(n):
            self.stamp[B[i]] = self.stamp_now
        return 0

    # ------------------------------------------------------------------ positions from outside

    cdef int whole(self, Position *P) except -1:
        """The start of the game. Its arrays come from the arena: the caller releases them."""
        cdef int i, n = self.board.answers
        cdef int32_t *B = <int32_t *>self.take(n * sizeof(int32_t))
        cdef uint64_t *needs = <uint64_t *>self.take((self.board.feature_words + 1) * sizeof(uint64_t))
        if B == NULL or needs == NULL:
            self.check_stopped()
        for i in range(n):
            B[i] = i
        memset(needs, 0, (self.board.feature_words + 1) * sizeof(uint64_t))
        P.frame = &self.board.root
        P.answers = B
        P.n = n
        P.set = self.set_key(B, n)
        P.key = P.set
        P.past.lo = 0
        P.past.hi = 0
        P.needs = needs
        P.guess = -1
        P.code = -1
        P.depth = 0
        P.reach = self.board.reach
        P.used = 0
        P.before = NULL
        P.strict = False
        return 0
