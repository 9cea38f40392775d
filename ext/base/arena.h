/* Stack-like memory for a search: allocations are released together, back to a mark.

   Chunks grow and stay, so a search allocates from the system a few times only, however deep it goes.

   What was taken after a mark is gone once the mark is released, so what a node finds is copied out before. A search
   that ends half-way leaks nothing: the end of its call releases everything. What is all zeros is an empty arena. */
#ifndef OPTIMAL_BASE_ARENA_H
#define OPTIMAL_BASE_ARENA_H

#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "base/testing.h"

#define ARENA_CHUNKS 64
/* Bytes of a chunk, more for a larger request; they grow, so that deep trees find room. */
#define ARENA_CHUNK(at) ((size_t)4 << (TUNED(20, 14) + (at) / 8))

typedef struct {
    char *chunk[ARENA_CHUNKS];
    size_t size[ARENA_CHUNKS];
    int at;      /* chunk in use */
    int failed;  /* memory ran out */
    size_t used; /* bytes used of it */
} arena_t;

typedef struct {
    int at;
    size_t used;
} arena_mark_t;

static inline void arena_free(arena_t *a) {
    for (int i = 0; i < ARENA_CHUNKS; i++) free(a->chunk[i]), a->chunk[i] = NULL;
}

static inline arena_mark_t arena_mark(const arena_t *a) {
    arena_mark_t m = {a->at, a->used};
    return m;
}

static inline void arena_release(arena_t *a, arena_mark_t m) {
    a->at = m.at;
    a->used = m.used;
}

/* Give back the memory above what is in use. */
static inline void arena_trim(arena_t *a) {
    for (int i = a->at + 1; i < ARENA_CHUNKS; i++) free(a->chunk[i]), a->chunk[i] = NULL;
}

/* 64-byte aligned, uninitialised; NULL when memory runs out. */
static inline void *arena_alloc(arena_t *a, size_t bytes) {
    if (allocation_fails()) {
        a->failed = 1;
        return NULL;
    }
    bytes = (bytes + 63) & ~(size_t)63;
    while (a->at < ARENA_CHUNKS) {
        if (!a->chunk[a->at]) {
            const size_t size = bytes > ARENA_CHUNK(a->at) ? bytes : ARENA_CHUNK(a->at);
            a->chunk[a->at] = (char *)malloc(size + 64);
            if (!a->chunk[a->at]) break;
            a->size[a->at] = size;
        }
        if (a->used + bytes <= a->size[a->at]) {
            char *base = a->chunk[a->at];
            base += (64 - ((uintptr_t)base & 63)) & 63;
            char *p = base + a->used;
            a->used += bytes;
            return p;
        }
        /* A later chunk that is too small gives way: nothing above `at` is in use. */
        a->at++;
        a->used = 0;
        if (a->at < ARENA_CHUNKS && a->chunk[a->at] && a->size[a->at] < bytes) {
            free(a->chunk[a->at]);
            a->chunk[a->at] = NULL;
        }
    }
    a->failed = 1;
    return NULL;
}

/* The same, all zeros. */
static inline void *arena_zeroed(arena_t *a, size_t count, size_t size) {
    void *p = arena_alloc(a, count * size);
    return p ? memset(p, 0, count * size) : NULL;
}

#endif
