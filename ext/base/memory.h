/* Allocation that tests can make fail at any point, to see that a search without memory proves nothing wrong. */
#ifndef OPTIMAL_BASE_MEMORY_H
#define OPTIMAL_BASE_MEMORY_H

#include <stddef.h>
#include <stdlib.h>
#ifdef _WIN32
#include <malloc.h>
#endif

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

/* Memory that begins where a line does, LINE bytes each, and what gives it back: on Windows free can't. */
#define LINE 64
static inline void *checked_aligned(size_t size) {
    if (allocation_fails()) return NULL;
#ifdef _WIN32
    return _aligned_malloc(size, LINE);
#else
    return aligned_alloc(LINE, (size + LINE - 1) / LINE * LINE);
#endif
}

static inline void free_aligned(void *memory) {
#ifdef _WIN32
    _aligned_free(memory);
#else
    free(memory);
#endif
}

static inline void *checked_realloc(void *old, size_t size) {
    return allocation_fails() ? NULL : realloc(old, size);
}

#endif
