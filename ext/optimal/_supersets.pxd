from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t

from optimal._game cimport GameTables
from optimal.headers cimport key128


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
    int32_t *guesses          # guesses in falling order of count
    uint16_t *counts          # their counts on the set


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
    cdef Superset *parent(self, const Superset *s) noexcept nogil
