from libc.stdint cimport int32_t, int64_t

from optimal._board cimport Frame, table_t
from optimal._search cimport Partition, Position, Searcher
from optimal._supersets cimport Superset, Supersets


cdef class OpenerSearch(Searcher):
    cdef readonly Supersets supersets
    cdef readonly tuple history
    cdef bint has_supersets
    cdef table_t canonical    # guesses of canonical trees
    cdef Position start
    cdef Frame start_frame
    cdef bint begun
    cdef int begin(self) except -1
    cdef int64_t open_with(self, const Position *P, int guess, int d, int64_t budget, int *height) noexcept nogil
    cdef int64_t free_bounds(self, int guess, Partition *p, int32_t *near, int d) noexcept nogil
    cdef int64_t near_bound(self, Partition *p, int c, const Superset *s, int d) noexcept nogil
    cdef bint allows(self, const Position *P, int guess) noexcept nogil
    cdef int small_guess(self, const Position *P) noexcept nogil
    cdef int least_height(self, const Position *P, int64_t V) noexcept nogil
    cdef int canon(self, const Position *P, int d, int *height) noexcept nogil
    cdef int canon_height(self, Partition *p, int d, int most) noexcept nogil
    cdef object subtree(self, const Position *P, int guess, int d)
