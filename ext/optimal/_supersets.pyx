"""Count bounds for many openers at once, by sets of answers that their classes have in common.

For an opener f and one of its classes c, let S be the union of f's classes that agree with c on some of the
positions. A grey letter makes the same S turn up for many openers. No guess has more classes on c than on S, so a
count over S, taken once, bounds the counts on all those classes, and the guesses sorted by their count on S are the
order in which to look for the best count on c.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

import numpy as np

from itertools import combinations

from optimal cimport headers
from optimal._game cimport GameTables
from optimal.headers cimport (
    BLOCK,
    LIKE_MANY,
    TILE_BYTES,
    checked_aligned,
    checked_malloc,
    checked_realloc,
    choose_like,
    count_block,
    count_list,
    count_t,
    game_t,
    key128,
    like_t,
    likeness_free,
    likeness_init,
    likeness_t,
)


include "failing.pxi"


cdef int scratch_init(scratch_t *mine, const game_t *g) noexcept nogil:
    """Scratch for measuring; -1 when memory runs out. What there is of it must be freed then too."""
    cdef int failed = likeness_init(&mine.likeness, g.answers)
    mine.tile = <uint8_t *>checked_aligned(TILE_BYTES(LIKE_LISTED))
    mine.answers = <int32_t *>checked_malloc(g.answers * sizeof(int32_t))
    mine.counts = <uint16_t *>checked_malloc(<size_t>g.root.blocks * BLOCK * sizeof(uint16_t))
    return -1 if failed or mine.tile == NULL or mine.answers == NULL or mine.counts == NULL else 0


cdef void scratch_free(scratch_t *mine) noexcept nogil:
    likeness_free(&mine.likeness)
    free(mine.tile)
    free(mine.answers)
    free(mine.counts)


cdef class Supersets:
    """Sets of answers shared by the classes of many openers, with the best guesses' class counts on each.

    ``digits`` (codes, positions) gives the feedback at each position of a code.
    """

    def __cinit__(self):
        self.sets = NULL
        self.slots = NULL

    def __init__(self, GameTables tables, const uint8_t[:, ::1] digits, int least):
        cdef int positions = <int>digits.shape[1]
        if digits.shape[0] > 256 or tables.game.width != 1:
            raise ValueError("Supersets: codes of more than 8 bits")
        self.tables = tables
        self.least = least
        self.digits = digits
        self.positions = positions
        chosen = [subset for r in range(1, min(4, positions - 1) + 1) for subset in combinations(range(positions), r)]
        self.subsets = len(chosen)
        values = np.asarray(digits, dtype=np.int64)
        base = int(values.max()) + 1
        project = np.zeros((len(chosen), digits.shape[0]), dtype=np.int32)
        for row, subset in enumerate(chosen):
            for position in subset:
                project[row] = project[row] * base + values[:, position]
        if project.max() >= 256:
            raise ValueError("Supersets: too many restricted codes")
        self.project = project
        self.width = np.array([len(subset) for subset in chosen], dtype=np.int32)
        self.inside = np.array([[set(a) < set(b) for b in chosen] for a in chosen], dtype=np.uint8)
        self.list_most = np.array([0, 3072, 1536, 768, 768], dtype=np.int32)
        self.mask = (1 << 16) - 1
        self.slots = <int32_t *>checked_malloc((self.mask + 1) * sizeof(int32_t))
        if self.slots == NULL:
            raise MemoryError
        memset(self.slots, -1, (self.mask + 1) * sizeof(int32_t))

    def __dealloc__(self):
        cdef int i
        for i in range(self.used):
            free(self.sets[i].guesses)
            free(self.sets[i].counts)
        free(self.sets)
        free(self.slots)

    cdef int find(self, key128 key) noexcept nogil:
        """The index of the set with this key, or -1."""
        cdef size_t at = key.lo & self.mask
        cdef int i
        while True:
            i = self.slots[at]
            if i < 0:
                return -1
            if self.sets[i].key.lo == key.lo and self.sets[i].key.hi == key.hi:
                return i
            at = (at + 1) & self.mask

    cdef int add(self, key128 key, int size, int guess, int subset, int code) except -1 nogil:
        cdef size_t at
        cdef int i
        cdef Superset *grown
        cdef int32_t *slots
        if <size_t>self.used * 2 >= self.mask:
            slots = <int32_t *>checked_realloc(self.slots, (self.mask * 2 + 2) * sizeof(int32_t))
            if slots == NULL:
                with gil:
                    raise MemoryError
            self.mask = self.mask * 2 + 1
            self.slots = slots
            memset(slots, -1, (self.mask + 1) * sizeof(int32_t))
            for i in range(self.used):
                at = self.sets[i].key.lo & self.mask
                while slots[at] >= 0:
                    at = (at + 1) & self.mask
                slots[at] = i
        if self.used % 4096 == 0:
            grown = <Superset *>checked_realloc(self.sets, (self.used + 4096) * sizeof(Superset))
            if grown == NULL:
                with gil:
                    raise MemoryError
            self.sets = grown
        i = self.used
        memset(&self.sets[i], 0, sizeof(Superset))
        self.sets[i].key = key
        self.sets[i].size = size
        self.sets[i].guess = guess
        self.sets[i].subset = subset
        self.sets[i].code = code
        at = key.lo & self.mask
        while self.slots[at] >= 0:
            at = (at + 1) & self.mask
        self.slots[at] = i
        self.used += 1
        return i

    def collect(self, const int32_t[::1] openers, double ratio):
        """Note every set of at most `ratio` times the answers of a class of at least `self.least` answers, and every
        set that agrees on one or two positions: from these the smaller ones inherit their list of guesses."""
        cdef int i, s, c, a, k, g, n = self.tables.answers, codes = <int>self.digits.shape[0], at
        cdef int size[256]
        cdef key128 key[256]
        cdef int part[256]
        cdef int index[256]
        cdef key128 part_key[256]
        cdef const uint8_t *column
        with nogil:
            for i in range(openers.shape[0]):
                g = openers[i]
                column = self.tables.game.codes + <size_t>g * n
                memset(size, 0, codes * sizeof(int))
                memset(key, 0, codes * sizeof(key128))
                for a in range(n):
                    c = column[a]
                    size[c] += 1
                    key[c].lo += self.tables.zobrist[a, 0]
                    key[c].hi += self.tables.zobrist[a, 1]
                for s in range(self.subsets):
                    memset(part, 0, sizeof(part))
                    memset(part_key, 0, sizeof(part_key))
                    memset(index, -1, sizeof(index))
                    for c in range(codes):
                        if size[c]:
                            k = self.project[s, c]
                            part[k] += size[c]
                            part_key[k].lo += key[c].lo
                            part_key[k].hi += key[c].hi
                    for c in range(codes):
                        k = self.project[s, c]
                        if size[c] >= self.least and (part[k] <= ratio * size[c] or self.width[s] <= 2):
                            at = index[k]
                            if at < 0:
                                at = self.find(part_key[k])
                                if at < 0:
                                    at = self.add(part_key[k], part[k], g, s, k)
                                index[k] = at
                                self.sets[at].touches += 1
                            if part[k] <= ratio * size[c]:
                                self.sets[at].uses += 1

    def levels(self, int uses, int touches):
        """The sets worth measuring, as one array per number of agreeing positions; measure them in this order."""
        cdef int i, s
        found = [[] for s in range(5)]
        for i in range(self.used):
            s = self.width[self.sets[i].subset]
            if self.sets[i].uses >= uses or (s <= 2 and self.sets[i].touches >= touches):
                found[s].append(i)
        return [np.array(level, dtype=np.int32) for level in found if level]

    def measure(self, const int32_t[::1] which):
        """Count guesses on each of these sets that is not measured yet. Several threads may measure sets of one level
        at once. Raises MemoryError; a set without a list counts as not measured."""
        cdef int i
        cdef scratch_t mine
        cdef bint failed
        with nogil:
            failed = scratch_init(&mine, &self.tables.game) < 0
            for i in range(which.shape[0]):
                # A list that is there was made before memory ran out.
                failed = failed or (self.sets[which[i]].guesses == NULL
                                    and self.measure_one(&self.sets[which[i]], &mine) < 0)
                if failed:
                    break
            scratch_free(&mine)
        if failed:
            raise MemoryError

    cdef int measure_one(self, Superset *s, scratch_t *mine) noexcept nogil:
        """Make the list of a set, which keeps every guess with more than `tail` classes; -1 when memory runs out."""
        cdef const game_t *g = &self.tables.game
        cdef int a, j, k, at, size = 0, tail = 0, done = 0, step, best = 0, m = g.guesses
        cdef int most = self.list_most[self.width[s.subset]]
        cdef int begin[257]
        cdef int32_t *B = mine.answers
        cdef uint16_t *counts = mine.counts
        cdef const uint8_t *column = g.codes + <size_t>s.guess * g.answers
        cdef const int32_t *guesses = g.root.guess
        cdef const uint16_t *caps = &self.tables.column_count[0]
        cdef Superset *parent = NULL
        for a in range(g.answers):
            if self.project[s.subset, column[a]] == s.code:
                B[size] = a
                size += 1
        if size > LIKE_LISTED:
            # Guesses outside the parent's list have at most parent.tail classes there, so no more here.
            parent = self.parent(s)
            if parent != NULL:
                guesses, m, tail, caps = parent.guesses, parent.listed, parent.tail, parent.counts
        else:
            self.start_like(mine, size)
        # Caps fall along the guesses: once enough of them have more than the next one can have, the rest is the tail.
        memset(begin, 0, sizeof(begin))
        while done < m:
            j = caps[done]
            at = 0
            for k in range(j + 1, 257):
                at += begin[k]
            if at >= most:
                tail = j
                break
            step = min(BLOCK if size <= LIKE_LISTED else 4 * BLOCK, m - done)
            if size <= LIKE_LISTED:
                mine.what.floor = best
                count_block(&mine.what, done // BLOCK, g.root.blocks, ~<uint64_t>0, &best, counts + done)
            else:
                count_list(g.codes, 1, g.answers, guesses + done, step, B, size, NULL, counts + done)
            for j in range(done, done + step):
                begin[counts[j]] += 1
            done += step
        k = 256
        at = 0
        s.most = tail
        while k > tail and (at == 0 or at + begin[k] <= 2 * most):
            if at == 0 and begin[k] > 0:
                s.most = k
            j = begin[k]
            begin[k] = at
            at += j
            k -= 1
        s.tail = k
        s.guesses = <int32_t *>checked_malloc((at + 1) * sizeof(int32_t))
        s.counts = <uint16_t *>checked_malloc((at + 1) * sizeof(uint16_t))
        if s.guesses == NULL or s.counts == NULL:
            free(s.guesses)
            free(s.counts)
            s.guesses = NULL
            s.counts = NULL
            return -1
        s.listed = at
        for j in range(done):
            if counts[j] > k:
                s.guesses[begin[counts[j]]] = guesses[j]
                s.counts[begin[counts[j]]] = counts[j]
                begin[counts[j]] += 1
        return 0

    cdef void start_like(self, scratch_t *mine, int size) noexcept nogil:
        """Prepare to bound counts on mine.answers by likeness (likeness.h)."""
        cdef int i
        for i in range(size):
            mine.row[i] = self.tables.game.root.row[mine.answers[i]]
        mine.chosen = choose_like(&self.tables.game, &mine.likeness, mine.answers, size, mine.like)
        mine.what.tile = mine.tile
        mine.what.rows = mine.row
        mine.what.n = size
        mine.what.width = 1
        mine.what.like = &mine.chosen
        mine.what.rising = 1

    cdef Superset *parent(self, const Superset *s) noexcept nogil:
        """The smallest measured set that agrees with s's classes on fewer positions."""
        cdef int t, a, i
        cdef key128 key
        cdef Superset *best = NULL
        cdef const uint8_t *column = self.tables.game.codes + <size_t>s.guess * self.tables.answers
        cdef int code
        for t in range(self.subsets):
            if t == s.subset or not self.inside[t, s.subset]:
                continue
            code = -1
            for i in range(self.digits.shape[0]):
                if self.project[s.subset, i] == s.code:
                    code = self.project[t, i]
                    break
            key.lo = 0
            key.hi = 0
            for a in range(self.tables.answers):
                if self.project[t, column[a]] == code:
                    key.lo += self.tables.zobrist[a, 0]
                    key.hi += self.tables.zobrist[a, 1]
            i = self.find(key)
            if i >= 0 and self.sets[i].guesses != NULL and self.width[self.sets[i].subset] < self.width[s.subset] \
                    and (best == NULL or self.sets[i].size < best.size):
                best = &self.sets[i]
        return best
