from libc.stdint cimport int32_t, int64_t

from optimal._positions cimport PositionSearch
from optimal.headers cimport key128, node_t, partition_t, position_t, table_t


cdef class BeamSearch(PositionSearch):
    cdef table_t plans             # the best tree found of a position: its cost, height, first guess; rounds done
    cdef int round                 # the last that was done
    cdef readonly int failed       # the feedback of a class of the last opener for which no tree was found; -1: of none
    cdef int64_t *likely_cost      # by class size: what a class of so many answers is likely to cost
    cdef int64_t beam(self, const position_t *P, int d, int round, int64_t budget, int *height) noexcept nogil
    cdef int64_t beam_guesses(self, node_t *N, int round, bint found) noexcept nogil
    cdef int64_t beam_classes(self, partition_t *p, int64_t total, int d, int round, int64_t budget,
                              int *height) noexcept nogil
    cdef int list_guesses(self, node_t *N, const position_t *P, int d, int64_t budget, int width) noexcept nogil
    cdef const int32_t *hardest_first(self, const partition_t *p) noexcept nogil
    cdef int64_t any_tree(self, const position_t *P, int d, int looks) noexcept nogil
    cdef int64_t any_guess(self, node_t *N, int looks) noexcept nogil
    cdef int64_t any_classes(self, partition_t *p, int64_t total, int d, int looks, int *height) noexcept nogil
    cdef int64_t any_value(self, const position_t *P, int d, int looks) noexcept nogil
    cdef int64_t briefly(self, const position_t *P, int d, int64_t budget, int looks, int *height) noexcept nogil
    cdef void keep_plan(self, key128 key, int64_t cost, int height, int guess, int round, int n) noexcept nogil
