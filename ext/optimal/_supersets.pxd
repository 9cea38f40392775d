from libc.stdint cimport int32_t, uint8_t

from optimal._game cimport GameTables
from optimal.headers cimport key128, list_t


cdef struct Superset:
    # A set of answers that contains classes of many openers.
    key128 key
    int32_t size              # answers
    int32_t uses              # classes that it contains, over all openers
    int32_t touches           # openers that have it
    int32_t guess             # it is the union of the classes of `guess` that agree with `code`
    int32_t subset            #   on the positions of this subset
    int32_t code
    list_t list               # the guesses with most classes on it


cdef class Supersets:
    cdef readonly GameTables tables
    cdef readonly int positions, subsets, least  # least: smallest class served
    cdef const uint8_t[:, ::1] digits          # (codes, positions)
    cdef int32_t[:, ::1] project               # (subsets, codes): code restricted to the subset's positions
    cdef const int32_t[::1] width               # positions in each subset
    cdef const int32_t[::1] list_most           # by width: guesses that a list has room for
    cdef Superset *sets
    cdef int32_t *slots
    cdef size_t mask
    cdef readonly int used
    cdef int find(self, key128 key) noexcept nogil
    cdef int add(self, key128 key, int size, int guess, int subset, int code) except -1 nogil
