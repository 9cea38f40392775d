from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t

from optimal._board cimport key128

cdef extern from "arena.h" nogil:
    ctypedef struct arena_t:
        pass
    ctypedef struct arena_mark_t:
        pass
    void arena_init(arena_t *a)
    void arena_free(arena_t *a)
    arena_mark_t arena_mark(const arena_t *a)
    void arena_release(arena_t *a, arena_mark_t m)
    void *arena_alloc(arena_t *a, size_t size)


cdef struct Partition:
    # The feedback classes of one guess on a set, the winning class left out, smallest first.
    int classes
    int32_t *answers          # all members, class by class
    int32_t *start
    int32_t *size
    key128 *key
    int64_t *low              # proven lower bound of each class
    uint8_t *exact            # whether low is the exact value
    uint8_t *height           # height of the tree found, where exact
    uint8_t *counted          # whether the count bound has been taken


cdef class Control:
    cdef int64_t[::1] cells                    # incumbent, stop
