from libc.stdint cimport int64_t

from optimal._beams cimport BeamSearch
from optimal.headers cimport entry_t, key128, node_t, offer_t, partition_t, position_t, table_t


cdef class CanonicalSearch(BeamSearch):
    cdef table_t canonical    # guesses of canonical trees
    cdef int small_guess(self, const position_t *P) noexcept nogil
    cdef int canon(self, const position_t *P, int d, int *height) noexcept nogil
    cdef int canon_guess(self, const node_t *N, int place, int64_t V, int most) noexcept nogil
    cdef void take_part(self, offer_t *o, node_t *M, int first, int upto) noexcept nogil
    cdef bint chosen(self, key128 key, entry_t *out) noexcept nogil
    cdef void choose(self, key128 key, int n, int64_t V, int height, int guess) noexcept nogil
    cdef int canon_height(self, partition_t *p, int d, int most) noexcept nogil
    cdef int likely_guess(self, const position_t *P, int d) noexcept nogil
    cdef int exact_guess(self, const position_t *P, int d) noexcept nogil
    cdef object subtree(self, const position_t *P, int guess, int d, bint canonical)
