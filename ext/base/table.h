/* The transposition table: 128-bit keys to proven values and bounds.

   Keys are sums of pseudo-random words, 64 bits twice (position.h, identify/questions.h), as Zobrist hashed chess
   positions (1970). A false match needs two different positions with equal keys: a chance of about N^2 / 2^129 for N
   positions, below 1e-20 for 1e9. Entries lie in groups of neighbours; a full group loses the entry of the smallest
   position, which is the cheapest to find again.

   An exact value displaces a bound, and a higher bound a lower one. Losing an entry costs time, never correctness. Keys
   are the same in every run, so that a run can be repeated; a repetition is no independent check of them. */
#ifndef OPTIMAL_BASE_TABLE_H
#define OPTIMAL_BASE_TABLE_H

#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "base/vectors.h"

typedef struct {
    uint64_t lo, hi;
} key128;

static inline void key_add(key128 *key, key128 other) {
    key->lo += other.lo;
    key->hi += other.hi;
}

typedef struct {
    uint64_t lo, hi;   /* 0, 0: empty */
    int64_t value;     /* exact, or a lower bound */
    uint16_t size;     /* candidates of the position: what it costs to lose the entry */
    uint8_t exact;     /* 1: value is exact (infeasible counts as exact) */
    uint8_t counted;   /* value is no less than the count bound over the legal guesses */
    uint16_t height;   /* height of the tree found, when exact and feasible */
    uint16_t guess;    /* its first guess, NO_GUESS where that is not known */
} entry_t;

#define NO_GUESS 65535 /* no guess has this number: there are at most so many */

typedef struct {
    entry_t *slots;
    size_t mask, used, max_slots;
} table_t;

#define TABLE_WAYS 4 /* neighbours looked at: 128 bytes */

static inline int table_init(table_t *t, size_t slots, size_t max_slots) {
    size_t size = 1024;
    while (size < slots && size < SIZE_MAX / 4 / sizeof(entry_t)) size *= 2;
    t->slots = (entry_t *)checked_calloc(size + TABLE_WAYS, sizeof(entry_t));
    t->mask = size - 1;
    t->max_slots = max_slots < size ? size : max_slots;
    t->used = 0;
    return t->slots ? 0 : -1;
}

static inline void table_free(table_t *t) {
    free(t->slots);
    t->slots = NULL;
}

static inline entry_t *table_find(table_t *t, key128 key) {
    entry_t *e = t->slots + (key.lo & t->mask);
    for (int i = 0; i < TABLE_WAYS; i++, e++)
        if (e->lo == key.lo && e->hi == key.hi) return e;
    return NULL;
}

/* Prefetch the place of a key. The table may be growing in another thread: then the wrong place is fetched. */
static inline void table_prefetch(const table_t *t, key128 key) {
#if OPTIMAL_VECTORS
    const entry_t *e = OPTIMAL_LOAD(&t->slots) + (key.lo & OPTIMAL_LOAD(&t->mask));
    OPTIMAL_PREFETCH(e);
    OPTIMAL_PREFETCH(e + TABLE_WAYS - 1);
#else
    (void)t, (void)key;
#endif
}

static inline void table_place(table_t *t, const entry_t *new_entry) {
    entry_t *e = t->slots + (new_entry->lo & t->mask), *victim = e;
    for (int i = 0; i < TABLE_WAYS; i++, e++) {
        if (!(e->lo | e->hi)) {
            *e = *new_entry;
            t->used++;
            return;
        }
        if (e->size < victim->size) victim = e;
    }
    *victim = *new_entry; /* full: the smallest position is the cheapest to find again */
}

/* Doubles the table while it may grow; when memory runs out the old one stays and entries are replaced. */
static inline void table_grow(table_t *t) {
    const size_t old = t->mask + 1 + TABLE_WAYS, size = (t->mask + 1) * 2;
    entry_t *slots = (entry_t *)checked_calloc(size + TABLE_WAYS, sizeof(entry_t)), *before = t->slots;
    if (!slots) {
        t->max_slots = t->mask + 1;
        return;
    }
    t->slots = slots;
    t->mask = size - 1;
    t->used = 0;
    for (size_t i = 0; i < old; i++)
        if (before[i].lo | before[i].hi) table_place(t, &before[i]);
    free(before);
}

static inline void table_store(table_t *t, key128 key, int64_t value, int exact, int height, int guess, int counted,
                        int size) {
    entry_t *e = table_find(t, key);
    if (e) {
        if (exact || (!e->exact && value > e->value)) {
            e->value = value;
            e->exact = (uint8_t)exact;
            e->height = (uint16_t)height;
            e->guess = (uint16_t)guess;
        }
        e->counted |= (uint8_t)counted;
        return;
    }
    if (t->used * 5 > (t->mask + 1) * 3 && t->mask + 1 < t->max_slots) table_grow(t);
    entry_t fresh = {key.lo, key.hi, value, (uint16_t)size, (uint8_t)exact, (uint8_t)counted, (uint16_t)height,
                     (uint16_t)guess};
    table_place(t, &fresh);
}

/* A small table of one number (1 .. 65535) per set of answers, kept near the processor: a new entry replaces what was
   there. The number takes the low 16 bits of the second word, so two given sets match falsely with a chance of 2^-112;
   as a look-up meets one entry only, a false match stays unlikely: 2^-94 a look-up with 2^18 slots. */
typedef struct {
    key128 *slots; /* 0, 0: empty */
    size_t mask;
} memo_t;

static inline int memo_init(memo_t *m, size_t slots) {
    m->slots = (key128 *)checked_calloc(slots, sizeof(key128)); /* a power of two */
    m->mask = slots - 1;
    return m->slots ? 0 : -1;
}

static inline void memo_free(memo_t *m) {
    free(m->slots);
    m->slots = NULL;
}

/* The number of a set, 0 where it is not there. */
static inline int memo_find(const memo_t *m, key128 key) {
    const key128 *e = m->slots + (key.lo & m->mask);
    return e->lo == key.lo && !((e->hi ^ key.hi) >> 16) ? (int)(e->hi & 0xffff) : 0;
}

static inline void memo_prefetch(const memo_t *m, key128 key) {
    OPTIMAL_PREFETCH(m->slots + (key.lo & m->mask));
}

static inline void memo_store(memo_t *m, key128 key, int number) {
    const key128 e = {key.lo, (key.hi & ~0xffffull) | (uint64_t)number};
    m->slots[key.lo & m->mask] = e;
}

/* How SplitMix64 mixes (Steele, Lea, Flood 2014), and its next output. */
static inline uint64_t mix64(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

static inline uint64_t splitmix64(uint64_t *state) {
    return mix64(*state += 0x9e3779b97f4a7c15ull);
}

/* The words of Zobrist keys: a set's key is the sum of its members'. */
static inline void random_words(key128 *word, int many, uint64_t state) {
    for (int i = 0; i < many; i++) {
        word[i].lo = splitmix64(&state);
        word[i].hi = splitmix64(&state);
    }
}

#endif
