/* What the searches of games and of keys have in common: memory that stops a search when it runs out, the table of values,
   and how a call ends.

   Only what is proven enters the table, under keys that hold all that it rests on; so it makes no difference whether the table
   is a search's own, or shared with other searches of the same question. */
#ifndef OPTIMAL_BASE_SEARCH_BASE_H
#define OPTIMAL_BASE_SEARCH_BASE_H

#include "base/arena.h"
#include "base/shared.h"

/* How a call ended. */
enum { DONE, STOPPED, OUT_OF_MEMORY, TOO_DEEP };

static inline void *allocate_or_stop(arena_t *a, size_t size, int *stopped) {
    void *p = arena_alloc(a, size);
    if (!p) *stopped = 1;
    return p;
}

/* Memory of a search until its arena is released; NULL, and the search stops, when there is none. */
#define allocate(s, size) allocate_or_stop(&(s)->arena, (size), &(s)->stopped)

/* The table of values of a search. */
typedef struct {
    table_t own;
    shared_table_t *shared; /* in its place the table of several searches; NULL: there is none */
    entry_t found;          /* what was last found there */
} values_t;

/* What is stored under a key, until the next call; or NULL. */
static inline const entry_t *values_find(values_t *v, key128 key) {
    if (!v->shared) return table_find(&v->own, key);
    return shared_find(v->shared, key, &v->found) ? &v->found : NULL;
}

static inline void values_store(values_t *v, key128 key, int64_t value, int exact, int height, int guess, int counted,
                                int size) {
    if (v->shared) shared_store(v->shared, key, value, exact, height, guess, counted, size);
    else table_store(&v->own, key, value, exact, height, guess, counted, size);
}

/* Prefetch the place of a key. */
static inline void values_prefetch(const values_t *v, key128 key) {
    table_prefetch(v->shared ? &v->shared->part[shared_part(key)] : &v->own, key);
}

#endif
