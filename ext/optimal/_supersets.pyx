"""Count bounds for many openers at once, by sets of answers that their classes have in common.

For an opener f and one of its classes c, let S be the union of f's classes that agree with c on some of the
positions. A grey letter makes the same S turn up for many openers. No guess has more classes on c than on S, so a
count over S, taken once, bounds the counts on all those classes, and the guesses sorted by their count on S are the
order in which to look for the best count on c.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

import numpy as np

from itertools import combinations

from optimal cimport headers
from optimal._game cimport GameTables
from optimal._search cimport Control
from optimal.headers cimport (
    checked_malloc,
    checked_realloc,
    key128,
    list_free,
    list_t,
    listing_fill,
    listing_free,
    listing_init,
    listing_put,
    listing_t,
)


include "failing.pxi"

#: Guesses that the list of a set keeps, by the number of positions on which its classes agree, from one on.
LIST_MOST = (1536, 768, 384, 384)


cdef class Supersets:
    """Sets of answers shared by the classes of many openers, with the best guesses' class counts on each.

    ``digits`` (codes, positions) gives the feedback at each position of a code.
    """

    def __cinit__(self):
        self.sets = NULL
        self.slots = NULL

    def __init__(self, GameTables tables, const uint8_t[:, ::1] digits, int least):
        cdef int positions = <int>digits.shape[1]
        if digits.shape[0] > 255 or tables.game.width != 1:
            raise ValueError("Supersets: more codes than a byte counts")
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
        self.list_most = np.array([0, *LIST_MOST], dtype=np.int32)
        self.mask = (1 << 16) - 1
        self.slots = <int32_t *>checked_malloc((self.mask + 1) * sizeof(int32_t))
        if self.slots == NULL:
            raise MemoryError
        memset(self.slots, -1, (self.mask + 1) * sizeof(int32_t))

    def __dealloc__(self):
        cdef int i
        for i in range(self.used):
            list_free(&self.sets[i].list)
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
        self.sets[i].list.room = self.list_most[self.width[subset]]
        at = key.lo & self.mask
        while self.slots[at] >= 0:
            at = (at + 1) & self.mask
        self.slots[at] = i
        self.used += 1
        return i

    def collect(self, const int32_t[::1] openers, double ratio):
        """Note every set of at most `ratio` times the answers of a class of at least `self.least` answers, and every
        set that agrees on one or two positions, which bounds many classes a little."""
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

    def worth(self, int uses, int touches):
        """The sets worth measuring, in the order in which they were noted, and the guesses that the list of each may
        keep."""
        cdef int i, s
        which, room = [], []
        for i in range(self.used):
            s = self.width[self.sets[i].subset]
            if self.sets[i].uses >= uses or (s <= 2 and self.sets[i].touches >= touches):
                which.append(i)
                room.append(self.sets[i].list.room)
        return np.array(which, dtype=np.int32), np.array(room, dtype=np.int32)

    def list_of(self, int which):
        """What is known of a set: (its answers, the guesses of its list, their class counts, the tail, the most classes
        of any guess). Raises IndexError, and ValueError if it is not measured."""
        cdef const uint8_t *column
        cdef const list_t *found
        cdef Superset *s
        cdef int a
        if not 0 <= which < self.used:
            raise IndexError(f"set {which} of {self.used}")
        s = &self.sets[which]
        found = &s.list
        if found.guesses == NULL:
            raise ValueError(f"set {which} is not measured")
        column = self.tables.game.codes + <size_t>s.guess * self.tables.answers
        answers = [a for a in range(self.tables.answers) if self.project[s.subset, column[a]] == s.code]
        return (answers, [found.guesses[a] for a in range(found.listed)],
                [found.counts[a] for a in range(found.listed)], found.tail, found.most)

    def measure(self, const int32_t[::1] which, Control control):
        """Count all guesses on each of these sets that is not measured yet, unless `control` stops it: then none of
        them counts as measured. Several threads may measure different sets at once. Raises MemoryError."""
        cdef listing_t listing
        cdef list_t **lists
        cdef Superset *s
        cdef const uint8_t *column
        cdef int i, a, sets = 0, n = self.tables.answers, ended = -1
        cdef const int64_t *stop = &control.cells[1]
        with nogil:
            lists = <list_t **>checked_malloc((<size_t>which.shape[0] + 1) * sizeof(list_t *))
            if lists != NULL:
                for i in range(which.shape[0]):
                    if self.sets[which[i]].list.guesses == NULL:
                        lists[sets] = &self.sets[which[i]].list
                        sets += 1
                lists[sets] = NULL
                if listing_init(&listing, &self.tables.game, lists, sets) == 0:
                    sets = 0
                    for i in range(which.shape[0]):
                        s = &self.sets[which[i]]
                        if lists[sets] != &s.list:
                            continue
                        column = self.tables.game.codes + <size_t>s.guess * n
                        for a in range(n):
                            if self.project[s.subset, column[a]] == s.code:
                                listing_put(&listing, sets, a)
                        sets += 1
                    ended = listing_fill(&listing, stop)
                listing_free(&listing)
                if ended != 0:
                    for i in range(listing.sets):
                        list_free(lists[i])
                free(lists)
        if ended < 0:
            raise MemoryError
