from libc.stdint cimport int32_t, int64_t

from optimal._canonical cimport CanonicalSearch
from optimal._supersets cimport Supersets
from optimal.headers cimport list_t, partition_t, position_t


cdef class OpenerSearch(CanonicalSearch):
    cdef readonly Supersets supersets
    cdef int class_of(self, const partition_t *p, int code) noexcept nogil
    cdef int64_t class_cost(self, const position_t *P, int d, int64_t budget, int *height) noexcept nogil
    cdef int64_t search_evenly(self, partition_t *p, int64_t total, int d, int64_t budget) noexcept nogil
    cdef int64_t open_with(self, int guess, int d, int64_t budget, int *height) noexcept nogil
    cdef int64_t uncounted_bounds(self, int guess, partition_t *p, int32_t *superset, int d) noexcept nogil
    cdef int64_t superset_bounds(self, int guess, partition_t *p, int64_t total, int32_t *superset) noexcept nogil
    cdef int64_t listed_bound(self, int guess, partition_t *p, int i, int64_t total, const list_t *shared,
                              int d) noexcept nogil
