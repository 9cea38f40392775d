/* A table that several searches share, in parts with a lock each, so that they seldom wait for each other.

   Whatever is stored is proven, by whichever search; so any of them may use it.

   While a lock is held, no other lock and no GIL is waited for. */
#ifndef OPTIMAL_BASE_SHARED_H
#define OPTIMAL_BASE_SHARED_H

#include "base/table.h"

#define SHARED_PARTS 64

/* A lock of Python's; the headers know no Python, so its functions are handed in. Where there are atomic counters, only
   those who have to wait ask Python for it: it stays taken, and who leaves while others want the lock lets it go to one
   of them. */
typedef struct {
    void *handle;
    int (*take)(void *handle, int wait);
    void (*leave)(void *handle);
    int64_t wanted; /* how many have the lock or want it */
} lock_t;

static inline void lock_init(lock_t *l) {
    l->wanted = 0;
#ifdef OPTIMAL_COUNT
    l->take(l->handle, 1);
#endif
}

static inline void lock_take(lock_t *l) {
#ifdef OPTIMAL_COUNT
    if (OPTIMAL_COUNT(&l->wanted, 1) == 0) return;
#endif
    l->take(l->handle, 1);
}

static inline void lock_leave(lock_t *l) {
#ifdef OPTIMAL_COUNT
    if (OPTIMAL_COUNT(&l->wanted, -1) == 1) return;
#endif
    l->leave(l->handle);
}

typedef struct {
    lock_t lock[SHARED_PARTS];
    table_t part[SHARED_PARTS];
} shared_table_t;

/* The part that a key belongs to; its place there comes from other bits of it. */
static inline int shared_part(key128 key) {
    return (int)(key.hi >> 58) % SHARED_PARTS;
}

/* A copy of what is stored under a key; 0 where there is nothing. */
static inline int shared_find(shared_table_t *t, key128 key, entry_t *out) {
    const int i = shared_part(key);
    lock_take(&t->lock[i]);
    const entry_t *e = table_find(&t->part[i], key);
    if (e) *out = *e;
    lock_leave(&t->lock[i]);
    return e != NULL;
}

static inline void shared_store(shared_table_t *t, key128 key, int64_t value, int exact, int height, int guess,
                                int counted, int size) {
    const int i = shared_part(key);
    lock_take(&t->lock[i]);
    table_store(&t->part[i], key, value, exact, height, guess, counted, size);
    lock_leave(&t->lock[i]);
}

#endif
