/* Count bounds for many openers at once, by sets of answers that their classes have in common; word games.

   For an opener f and one of its classes c, let S be the union of f's classes that agree with c on some of the
   positions. A grey letter makes the same S turn up for many openers. No guess has more classes on c than on S, so a
   count over S, taken once, bounds the counts on all those classes, and the guesses sorted by their count on S are the
   order in which to look for the best count on c.

   This holds under every rule, since rules only take guesses away. A set that was not measured is not used. */
#ifndef OPTIMAL_BOUNDS_SUPERSETS_H
#define OPTIMAL_BOUNDS_SUPERSETS_H

#include "bounds/top_guesses.h"

#define AGREED_MOST 4   /* positions on which the classes of a set agree, at most */
#define PARTS_AGREED 81 /* 3 to that power: the sets that an opener's classes make of them */

typedef struct {
    key128 key;
    int32_t size;      /* answers */
    int32_t uses;      /* classes that it contains, over all openers */
    int32_t touches;   /* openers that have it */
    int32_t guess;     /* it is the union of the classes of `guess` that agree with `code` */
    int32_t subset;    /*   on the positions of this subset */
    int32_t code;
    top_guesses_t list;       /* the guesses with most classes on it */
} superset_t;

typedef struct supersets_t {
    const game_t *game;
    int codes, least;  /* least: smallest class served */
    int room[AGREED_MOST + 1]; /* by the number of positions agreed on: guesses that the list of a set keeps */
    int subsets;       /* of positions */
    uint8_t *project;  /* subsets x codes: a code restricted to the positions of the subset */
    uint8_t *width;    /* positions in each subset */
    superset_t *sets;
    int32_t *slots;
    size_t mask;
    int used;
    arena_t memory;    /* of what doesn't grow */
} supersets_t;

static void supersets_free(supersets_t *x) {
    for (int i = 0; i < x->used; i++) top_guesses_free(&x->sets[i].list);
    free(x->sets);
    free(x->slots);
    arena_free(&x->memory);
}

/* Sets of a game of words, for classes of `least` answers and more; none is collected yet. digits: codes x length, below 3.
   Returns -1 when memory runs out. */
static int supersets_init(supersets_t *x, const game_t *g, const uint8_t *digits, int codes, int length, int least) {
    const int widest = length - 1 < AGREED_MOST ? length - 1 : AGREED_MOST;
    memset(x, 0, sizeof *x);
    x->game = g;
    x->codes = codes;
    x->least = least;
    for (int width = 1; width <= AGREED_MOST; width++) x->room[width] = width == 1 ? 1536 : width == 2 ? 768 : 384;
    x->project = (uint8_t *)arena_alloc(&x->memory, (size_t)codes << length);
    x->width = (uint8_t *)arena_alloc(&x->memory, (size_t)1 << length);
    x->mask = (1 << 16) - 1;
    x->slots = (int32_t *)checked_malloc((x->mask + 1) * sizeof *x->slots);
    if (x->memory.failed || !x->slots) return -1;
    memset(x->slots, -1, (x->mask + 1) * sizeof *x->slots);
    for (int width = 1; width <= widest; width++)
        for (unsigned bits = (1u << length) - 1; bits; bits--) { /* the highest bit is the first position */
            if (OPTIMAL_POPCOUNT64(bits) != width) continue;
            uint8_t *row = x->project + (size_t)x->subsets * (size_t)codes;
            for (int code = 0; code < codes; code++) {
                int part = 0;
                for (int p = 0; p < length; p++)
                    if (bits >> (length - 1 - p) & 1) part = part * 3 + digits[code * length + p];
                row[code] = (uint8_t)part;
            }
            x->width[x->subsets++] = (uint8_t)width;
        }
    return 0;
}

/* The index of the set with this key, or -1. */
static int supersets_find(const supersets_t *x, key128 key) {
    for (size_t at = key.lo & x->mask;; at = (at + 1) & x->mask) {
        const int i = x->slots[at];
        if (i < 0 || (x->sets[i].key.lo == key.lo && x->sets[i].key.hi == key.hi)) return i;
    }
}

static inline void supersets_place(supersets_t *x, int i) {
    size_t at = x->sets[i].key.lo & x->mask;
    while (x->slots[at] >= 0) at = (at + 1) & x->mask;
    x->slots[at] = i;
}

/* Add a set; returns its index, -1 when memory runs out. */
static int supersets_add(supersets_t *x, const superset_t *set) {
    if ((size_t)x->used * 2 >= x->mask) {
        int32_t *slots = (int32_t *)checked_realloc(x->slots, (x->mask * 2 + 2) * sizeof *slots);
        if (!slots) return -1;
        x->mask = x->mask * 2 + 1;
        x->slots = slots;
        memset(slots, -1, (x->mask + 1) * sizeof *slots);
        for (int i = 0; i < x->used; i++) supersets_place(x, i);
    }
    if (x->used % 4096 == 0) {
        superset_t *grown = (superset_t *)checked_realloc(x->sets, ((size_t)x->used + 4096) * sizeof *grown);
        if (!grown) return -1;
        x->sets = grown;
    }
    x->sets[x->used] = *set;
    x->sets[x->used].list.room = x->room[x->width[set->subset]];
    supersets_place(x, x->used);
    return x->used++;
}

/* Collect every set of at most `ratio` times the answers of a class of an opener, of `least` answers and more, and every
   set that agrees on one or two positions, which bounds many classes a little. Returns -1 when memory runs out. */
static int supersets_collect(supersets_t *x, int opener, double ratio) {
    const game_t *g = x->game;
    const uint8_t *column = g->codes + (size_t)opener * (size_t)g->answers;
    int size[256] = {0};
    key128 key[256];
    memset(key, 0, sizeof key);
    for (int a = 0; a < g->answers; a++) {
        const int c = column[a];
        size[c]++;
        key_add(&key[c], g->zobrist[a]);
    }
    for (int q = 0; q < x->subsets; q++) {
        const uint8_t *part_of = x->project + (size_t)q * (size_t)x->codes;
        superset_t part[PARTS_AGREED];
        int index[PARTS_AGREED], parts = 1;
        for (int w = 0; w < x->width[q]; w++) parts *= 3;
        memset(part, 0, (size_t)parts * sizeof *part);
        memset(index, -1, sizeof index);
        for (int c = 0; c < x->codes; c++) {
            superset_t *whole = &part[part_of[c]];
            whole->size += size[c];
            key_add(&whole->key, key[c]);
        }
        for (int c = 0; c < x->codes; c++) {
            const int k = part_of[c], serves = part[k].size <= ratio * size[c];
            if (size[c] < x->least || !(serves || x->width[q] <= 2)) continue;
            if (index[k] < 0) {
                index[k] = supersets_find(x, part[k].key);
                if (index[k] < 0) {
                    part[k].guess = opener;
                    part[k].subset = q;
                    part[k].code = k;
                    index[k] = supersets_add(x, &part[k]);
                }
                if (index[k] < 0) return -1;
                x->sets[index[k]].touches++;
            }
            x->sets[index[k]].uses += serves;
        }
    }
    return 0;
}

/* Whether an answer is in a set. */
static inline int superset_holds(const supersets_t *x, const superset_t *set, int answer) {
    const int code = x->game->codes[(size_t)set->guess * (size_t)x->game->answers + (size_t)answer];
    return x->project[(size_t)set->subset * (size_t)x->codes + (size_t)code] == set->code;
}

/* Count all guesses on each of these sets that is not measured yet, unless *stop is set: then none of them counts as
   measured. Threads may measure different sets at once. Returns -1 when memory runs out. */
static int supersets_measure(const supersets_t *x, const int32_t *which, int many, const int64_t *stop) {
    listing_t listing = {0};
    top_guesses_t **lists = (top_guesses_t **)arena_alloc(&listing.memory, (size_t)many * sizeof *lists);
    const superset_t **measured = (const superset_t **)arena_alloc(&listing.memory, (size_t)many * sizeof *measured);
    int sets = 0, ended = -1;
    if (lists && measured) {
        for (int i = 0; i < many; i++) {
            superset_t *set = &x->sets[which[i]];
            if (set->list.guesses) continue;
            measured[sets] = set;
            lists[sets++] = &set->list;
        }
        if (listing_init(&listing, x->game, lists, sets) == 0) {
            for (int i = 0; i < sets; i++)
                for (int a = 0; a < x->game->answers; a++)
                    if (superset_holds(x, measured[i], a)) listing_put(&listing, i, a);
            ended = listing_fill(&listing, stop);
        }
        if (ended != 0)
            for (int i = 0; i < sets; i++) top_guesses_free(lists[i]);
    }
    listing_free(&listing);
    return ended < 0 ? -1 : 0;
}

#endif
