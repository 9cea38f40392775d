/* For each of many sets of answers the guesses with most classes on it: all sets are counted at once.

   A guess that is not on the list of a set has no more classes on it than the list's tail, and so no more on any part
   of it.

   A sample of the guesses tells beforehand where to put the tail, and a list that gets too long all the same keeps its
   better half: so what a list says does not depend on the sets that were counted with it. None is kept of a listing
   that was stopped. */
#ifndef OPTIMAL_BOUNDS_TOP_GUESSES_H
#define OPTIMAL_BOUNDS_TOP_GUESSES_H

#include "base/buckets.h"
#include "game/game.h"
#include "counting/bitslice.h"

#define LISTING_BLOCK 32  /* guesses whose answers are sorted by code, before each slice of sets meets them */
#define LISTING_SAMPLE 16 /* one of so many guesses tells beforehand how long lists get */

typedef struct {
    int room;             /* for so many guesses; two thirds of it are expected to be taken */
    int listed;
    int tail;             /* no guess outside the list has more classes than this */
    int most;             /* nor any guess more than this */
    uint16_t *guesses;    /* in falling order of count; NULL while not measured */
    uint8_t *counts;
} top_guesses_t;

typedef struct {
    const game_t *game;   /* codes of one byte, 255 at most */
    int sets, slices;
    top_guesses_t **list;
    bitslice_t *has;         /* has[slice * answers + a] */
    uint8_t *least;       /* the tail of each list */
    by_code_t *by;
    arena_t memory;
} listing_t;

static void top_guesses_free(top_guesses_t *l) {
    free(l->guesses);
    free(l->counts);
    l->guesses = NULL;
    l->counts = NULL;
}

static void listing_free(listing_t *l) {
    arena_free(&l->memory);
}

/* Room for so many lists, in memory of the listing, which is all zeros before; the sets are empty. Returns -1 if memory
   ran out. */
static int listing_init(listing_t *l, const game_t *g, top_guesses_t **list, int sets) {
    const size_t n = (size_t)g->answers;
    l->game = g;
    l->list = list;
    l->sets = sets;
    l->slices = (sets + BITSLICE - 1) / BITSLICE;
    l->has = (bitslice_t *)arena_zeroed(&l->memory, (size_t)l->slices * n, sizeof *l->has);
    l->least = (uint8_t *)arena_alloc(&l->memory, (size_t)l->slices * BITSLICE);
    l->by = (by_code_t *)arena_alloc(&l->memory, LISTING_BLOCK * sizeof *l->by);
    uint16_t *answer = (uint16_t *)arena_alloc(&l->memory, LISTING_BLOCK * n * sizeof *answer);
    if (l->memory.failed) return -1;
    memset(l->least, 255, (size_t)l->slices * BITSLICE); /* what isn't a set is never above it */
    for (int i = 0; i < LISTING_BLOCK; i++) l->by[i].answer = answer + (size_t)i * n;
    for (int i = 0; i < sets; i++) {
        top_guesses_t *x = list[i];
        x->guesses = (uint16_t *)checked_malloc((size_t)x->room * sizeof *x->guesses);
        x->counts = (uint8_t *)checked_malloc((size_t)x->room);
        if (!x->guesses || !x->counts) return -1;
        x->listed = 0;
    }
    return 0;
}

static inline void listing_put(listing_t *l, int set, int answer) {
    bitslice_put(l->has + (size_t)(set / BITSLICE) * (size_t)l->game->answers + answer, set % BITSLICE);
}

static inline const uint8_t *listing_codes(const listing_t *l, int column) {
    return l->game->codes + (size_t)l->game->root.guess[column] * (size_t)l->game->answers;
}

/* Choose tails that leave lists of the length that is wanted, as far as a sample tells. Returns -1 if memory ran out. */
static int listing_sample(listing_t *l) {
    const game_t *g = l->game;
    const int step = g->guesses < 64 * LISTING_SAMPLE ? 1 : LISTING_SAMPLE;
    uint8_t counts[BITSLICE];
    uint64_t above[BITSLICE / 64];
    uint16_t *with = (uint16_t *)arena_zeroed(&l->memory, (size_t)l->sets * BITSLICE_CODES, sizeof *with);
    if (!with) return -1;
    for (int c = 0; c < g->guesses; c += step) {
        sort_by_code(listing_codes(l, c), g->answers, l->by);
        for (int q = 0; q < l->slices; q++) {
            bitslice_count(l->has + (size_t)q * (size_t)g->answers, l->by, l->least + q * BITSLICE, counts, above);
            for (int i = 0; i < BITSLICE && q * BITSLICE + i < l->sets; i++)
                with[(size_t)(q * BITSLICE + i) * BITSLICE_CODES + counts[i]]++;
        }
    }
    for (int i = 0; i < l->sets; i++) {
        int tail = BITSLICE_CODES - 1, more = 0;
        while (tail > 0 && (more + with[(size_t)i * BITSLICE_CODES + tail]) * step * 3 <= l->list[i]->room * 2)
            more += with[(size_t)i * BITSLICE_CODES + tail--];
        l->list[i]->tail = tail;
        l->least[i] = (uint8_t)tail;
    }
    return 0;
}

/* A full list keeps its better half. */
static void top_guesses_halve(top_guesses_t *l) {
    int with[BITSLICE_CODES] = {0}, tail = BITSLICE_CODES - 1, kept = 0;
    for (int j = 0; j < l->listed; j++) with[l->counts[j]]++;
    while (kept + with[tail] <= l->room / 2) kept += with[tail--];
    kept = 0;
    for (int j = 0; j < l->listed; j++) {
        if (l->counts[j] <= tail) continue;
        l->guesses[kept] = l->guesses[j];
        l->counts[kept++] = l->counts[j];
    }
    l->listed = kept;
    l->tail = tail;
}

/* Put a list, whose guesses came in the order of columns, into its order; `scratch` has room for it. */
static void top_guesses_sort(top_guesses_t *l, uint16_t *scratch) {
    int begin[BITSLICE_CODES] = {0};
    for (int j = 0; j < l->listed; j++) begin[l->counts[j]]++;
    bucket_starts(begin, BITSLICE_CODES - 1);
    memcpy(scratch, l->guesses, (size_t)l->listed * sizeof *scratch);
    for (int j = 0; j < l->listed; j++) l->guesses[begin[l->counts[j]]++] = scratch[j];
    /* Each bucket ends where the next one starts. */
    for (int count = BITSLICE_CODES - 1, j = 0; count > l->tail; count--)
        while (j < begin[count]) l->counts[j++] = (uint8_t)count;
    l->most = l->listed ? l->counts[0] : l->tail;
    if (l->listed) { /* give back what is left over; if that fails, it stays */
        uint16_t *guesses = (uint16_t *)realloc(l->guesses, (size_t)l->listed * sizeof *guesses);
        uint8_t *counts = (uint8_t *)realloc(l->counts, (size_t)l->listed);
        if (guesses) l->guesses = guesses;
        if (counts) l->counts = counts;
    }
}

/* Fill the lists. Returns 0, or -1 if memory ran out, or 1 once *stop is set: then the lists mean nothing. */
static int listing_fill(listing_t *l, const int64_t *stop) {
    const game_t *g = l->game;
    uint8_t counts[BITSLICE];
    uint64_t above[BITSLICE / 64];
    int longest = 1;
    if (listing_sample(l) < 0) return -1;
    for (int c = 0; c < g->guesses; c += LISTING_BLOCK) {
        const int m = g->guesses - c < LISTING_BLOCK ? g->guesses - c : LISTING_BLOCK;
        if (OPTIMAL_LOAD(stop)) return 1;
        for (int j = 0; j < m; j++) sort_by_code(listing_codes(l, c + j), g->answers, &l->by[j]);
        for (int q = 0; q < l->slices; q++) {
            const bitslice_t *has = l->has + (size_t)q * (size_t)g->answers;
            for (int j = 0; j < m; j++) {
                bitslice_count(has, &l->by[j], l->least + q * BITSLICE, counts, above);
                for (int w = 0; w < BITSLICE / 64; w++)
                    for (uint64_t left = above[w]; left; left &= left - 1) {
                        const int i = 64 * w + OPTIMAL_LOWEST_BIT(left), set = q * BITSLICE + i;
                        top_guesses_t *x = l->list[set];
                        x->guesses[x->listed] = (uint16_t)g->root.guess[c + j];
                        x->counts[x->listed++] = counts[i];
                        if (x->listed < x->room) continue;
                        top_guesses_halve(x);
                        l->least[set] = (uint8_t)x->tail;
                    }
            }
        }
    }
    for (int i = 0; i < l->sets; i++) longest = l->list[i]->listed > longest ? l->list[i]->listed : longest;
    uint16_t *scratch = (uint16_t *)arena_alloc(&l->memory, (size_t)longest * sizeof *scratch);
    if (!scratch) return -1;
    for (int i = 0; i < l->sets; i++) top_guesses_sort(l->list[i], scratch);
    return 0;
}

#endif
