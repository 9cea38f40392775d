from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t

from optimal._game cimport GameTables
from optimal.headers cimport LIKE_MANY, count_t, key128, like_t, likeness_t


cdef enum:
    LIKE_LISTED = 192         # larger sets are counted by the lists of sets that contain them


cdef struct scratch_t:
    likeness_t likeness
    uint8_t *tile
    int32_t *answers                           # those of the set,
    const uint8_t *row[LIKE_LISTED]            #   their rows of the root frame,
    uint16_t like[LIKE_LISTED * LIKE_MANY]     #   and which are like them
    like_t chosen
    count_t what
    uint16_t *counts                           # by guess


cdef struct Superset:
    # A set of answers that contains classes of many openers.
    key128 key
    int32_t size              # answers
    int32_t uses              # classes that it contains, over all openers
    int32_t touches           # openers that have it
    int32_t guess             # it is the union of the classes of `guess` that agree with `code`
    int32_t subset            #   on the positions of this subset
    int32_t code
    int32_t most              # D: most classes of any guess on the set; 0 while not measured
    int32_t tail              # no guess outside the list has more classes than this
    int32_t listed            # length of the list
    int32_t *guesses          # guesses, in falling order of what bounds their counts
    uint16_t *counts          # what bounds their counts on the set


cdef class Supersets:
    cdef readonly GameTables tables
    cdef readonly int positions, subsets, least  # least: smallest class served
    cdef const uint8_t[:, ::1] digits          # (codes, positions)
    cdef int32_t[:, ::1] project               # (subsets, codes): code restricted to the subset's positions
    cdef const int32_t[::1] width               # positions in each subset
    cdef const int32_t[::1] list_most           # by width: guesses kept; the rest is bounded by the tail
    cdef const uint8_t[:, ::1] inside           # (subsets, subsets): proper containment
    cdef Superset *sets
    cdef int32_t *slots
    cdef size_t mask
    cdef readonly int used
    cdef int find(self, key128 key) noexcept nogil
    cdef int add(self, key128 key, int size, int guess, int subset, int code) except -1 nogil
    cdef int measure_one(self, Superset *s, scratch_t *mine) noexcept nogil
    cdef void start_like(self, scratch_t *mine, int size) noexcept nogil
    cdef Superset *parent(self, const Superset *s) noexcept nogil
