/* Allocation that tests can make fail at any point, to see that a search without memory proves nothing wrong. */
#ifndef OPTIMAL_BASE_MEMORY_H
#define OPTIMAL_BASE_MEMORY_H

#include <stddef.h>
#include <stdlib.h>

/* How many allocations still succeed before one fails; -1: none is made to fail. Requests to an arena count too; what
   Python and numpy allocate does not. */
static long allocations_left = -1;

static inline int allocation_fails(void) {
    return allocations_left >= 0 && allocations_left-- == 0;
}

static inline void *checked_malloc(size_t size) {
    return allocation_fails() ? NULL : malloc(size);
}

static inline void *checked_calloc(size_t count, size_t size) {
    return allocation_fails() ? NULL : calloc(count, size);
}

static inline void *checked_realloc(void *old, size_t size) {
    return allocation_fails() ? NULL : realloc(old, size);
}

#endif
