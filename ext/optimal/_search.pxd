from libc.stdint cimport int64_t, uint64_t

from optimal._game cimport GameTables
from optimal.headers cimport arena_mark_t, node_t, partition_t, position_t, search_t, under_way_t


cdef class Control:
    cdef int64_t[::1] cells   # incumbent, stop


cdef class Searcher:
    cdef search_t s
    cdef arena_mark_t bottom  # what the arena keeps between calls
    cdef readonly GameTables tables
    cdef readonly Control control
    cdef const int64_t[::1] weights
    cdef readonly list notes  # None: nobody wants any
    cdef under_way_t *under_way
    cdef bint keeping         # trees that searches for any tree find are kept
    cdef uint64_t noted_at    # looks at the stop flag by then
    cdef uint64_t called_at   # looks at it when the call began

    cdef int64_t value(self, const position_t *P, int d, int64_t budget, int *height) noexcept nogil
    cdef int64_t node(self, const position_t *P, int d, int64_t budget, int *height) noexcept nogil
    cdef void tree_found(self, const node_t *N) noexcept nogil
    cdef bint wave(self, node_t *N) noexcept nogil
    cdef bint search_wave(self, node_t *N) noexcept nogil
    cdef bint part_fails(self, const position_t *P, int d) noexcept nogil
    cdef int64_t search_class(self, partition_t *p, int i, int64_t total, int d, int64_t budget) noexcept nogil
    cdef int64_t search_classes(self, partition_t *p, int64_t total, int d, int64_t budget, int least,
                                int most) noexcept nogil
    cdef int64_t finish(self, partition_t *p, int64_t total, int d, int64_t budget, int *height) noexcept nogil
    cdef bint is_refuted(self, const node_t *N, int guess) noexcept nogil
    cdef void note_guess(self, const node_t *N, int guess, int64_t low, int64_t began) noexcept nogil
    cdef int64_t codes(self) noexcept nogil
    cdef void note(self) noexcept nogil
    cdef void note_position(self, const position_t *P, int d) noexcept nogil
    cdef void note_class(self, const position_t *P, int d) noexcept
    cdef void note_entry(self, const position_t *P, int d) noexcept
    cdef tuple history_of(self, const position_t *P)
    cdef int done(self) except -1
    cdef int done_with_bounds(self) except -1
    cdef bint looks_ran_out(self) noexcept nogil
    cdef int check_guess(self, int guess) except -1
