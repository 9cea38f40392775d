/* A table of questions as its search sees it: what is to be told apart, and frames, which are compact views of parts.

   An item is what all objects share that have the same replies to all questions; its weight is theirs in sum. Items of one
   group needn't be told apart. Items come in rising order of weight, so every list of them in order has that too. */
#ifndef OPTIMAL_IDENTIFY_QUESTIONS_H
#define OPTIMAL_IDENTIFY_QUESTIONS_H

#include "base/arena.h"
#include "base/costs.h"
#include "base/table.h"
#include "base/testing.h"

#define ITEMS_MOST 65535
#define BITS_REPLIES 6  /* questions of more replies on a frame are counted item by item */
#define KEY_FRAME_LEAST TUNED(8, 3) /* smaller sets take the frame of the set above */

typedef struct {
    int items, questions, groups;
    const uint16_t *codes;   /* questions x items */
    const int64_t *weights;  /* by item, rising, none negative */
    const int32_t *group_of; /* by item */
    const int64_t *costs;    /* by question, none negative */
    int plain;               /* every weight is 1 and every item a group of its own */
    int even;                /* all questions cost the same */
    key128 *words;           /* by item: a set's key is the sum of these */
} questions_t;

/* What a question does to a frame: the limits of what it can do to any part of it. */
typedef struct {
    int64_t cost;
    int32_t question;
    int32_t replies; /* that occur; relabelled, so that these are the codes */
    int32_t off;     /* items outside its largest class: on no part are there more */
    size_t bits_at;
} column_t;

/* Some of the items with the questions that split them. Of questions that part them alike the best is there: for a
   value that is the cheapest, and for the canonical key the first where they cost the same. */
typedef struct {
    int items, words, columns;
    const int32_t *item;    /* by place in the frame */
    const int64_t *weight;  /* the same */
    const int32_t *group;
    const column_t *column; /* in the order of the questions */
    const uint16_t *codes;  /* columns x items */
    const uint64_t *bits;   /* by column of few replies: the items behind each reply but the first, a bit each */
    int64_t cheapest;       /* question */
    int replies_most;
    int layers;             /* of `least` that are there */
    int32_t *fits;          /* by number of groups: the fewest questions that any key of so many has on a path */
    int64_t *least;         /* (layers + 1) x (items + 1), see key_bounds.h; the last layer is that without a limit */
} key_frame_t;

static int questions_build(questions_t *t) {
    uint64_t state = 0x6f7074696d616c21ull;
    t->plain = t->groups == t->items;
    t->even = 1;
    for (int i = 0; i < t->items; i++) t->plain &= t->weights[i] == 1;
    for (int q = 1; q < t->questions; q++) t->even &= t->costs[q] == t->costs[0];
    t->words = (key128 *)checked_malloc((size_t)t->items * sizeof *t->words);
    if (!t->words) return -1;
    for (int i = 0; i < t->items; i++) {
        t->words[i].lo = splitmix64(&state);
        t->words[i].hi = splitmix64(&state);
    }
    return 0;
}

static void questions_free(questions_t *t) {
    free(t->words);
    t->words = NULL;
}

/* Whether two columns part n items alike. `label` has room for every code, and is scratch. */
static int same_partition(const uint16_t *a, const uint16_t *b, const int32_t *at, int n, uint16_t *label) {
    /* As many classes in both is what the caller knows: so one map, from code to code, is enough. */
    for (int i = 0; i < n; i++) label[a[at ? at[i] : i]] = 0;
    for (int i = 0; i < n; i++) {
        const int p = at ? at[i] : i;
        if (label[a[p]] == 0) label[a[p]] = (uint16_t)(b[p] + 1);
        else if (label[a[p]] != (uint16_t)(b[p] + 1)) return 0;
    }
    return 1;
}

/* Make the frame of items (by their places in `from`, or the items themselves where that is NULL) from the table; 0 where
   memory runs out. `label` has 65536 places, `seen` as many, all zero. */
static key_frame_t *key_frame_make(arena_t *a, const questions_t *t, const key_frame_t *from, const int32_t *at, int n, int dedupe,
                         uint16_t *label) {
    key_frame_t *f = (key_frame_t *)arena_alloc(a, sizeof *f);
    const int most = from ? from->columns : t->questions;
    int32_t *item = (int32_t *)arena_alloc(a, (size_t)n * sizeof *item);
    int64_t *weight = (int64_t *)arena_alloc(a, (size_t)n * sizeof *weight);
    int32_t *group = (int32_t *)arena_alloc(a, (size_t)n * sizeof *group);
    column_t *column = (column_t *)arena_alloc(a, (size_t)most * sizeof *column + 1);
    uint64_t *hash = (uint64_t *)arena_alloc(a, (size_t)most * sizeof *hash + 1);
    uint16_t *codes = (uint16_t *)arena_alloc(a, (size_t)most * (size_t)n * sizeof *codes + 1);
    int32_t *size = (int32_t *)arena_alloc(a, ((size_t)n + 1) * sizeof *size);
    size_t slots = 16;
    while (slots < 2 * (size_t)most) slots *= 2;
    int32_t *slot = (int32_t *)arena_alloc(a, slots * sizeof *slot);
    if (!f || !item || !weight || !group || !column || !hash || !codes || !size || !slot) return NULL;
    for (int i = 0; i < n; i++) {
        item[i] = from ? from->item[at[i]] : at[i];
        weight[i] = t->weights[item[i]];
        group[i] = t->group_of[item[i]];
    }
    memset(slot, 0xff, slots * sizeof *slot);
    f->items = n;
    f->words = (n + 63) / 64;
    f->item = item;
    f->weight = weight;
    f->group = group;
    f->column = column;
    f->codes = codes;
    f->columns = 0;
    f->cheapest = COST_INF;
    f->replies_most = 1;
    f->layers = 0;
    f->least = NULL;
    f->fits = NULL;
    const int weighs = weight[0] > 0;
    size_t bits = 0;
    for (int c = 0; c < most; c++) {
        const int q = from ? from->column[c].question : c;
        const uint16_t *old = from ? from->codes + (size_t)c * (size_t)from->items : t->codes + (size_t)q * (size_t)t->items;
        uint16_t *own = codes + (size_t)f->columns * (size_t)n;
        int replies = 0;
        uint64_t h = 0;
        for (int i = 0; i < n; i++) label[old[at[i]]] = 0;
        for (int i = 0; i < n; i++) {
            uint16_t *l = label + old[at[i]];
            if (!*l) {
                size[replies] = 0;
                *l = (uint16_t)++replies;
            }
            size[*l - 1]++;
            own[i] = (uint16_t)(*l - 1);
            h = (h ^ own[i]) * 0x9e3779b97f4a7c15ull;
            h ^= h >> 29;
        }
        if (replies < 2) continue;
        int largest = 0;
        for (int r = 0; r < replies; r++) largest = size[r] > largest ? size[r] : largest;
        column_t *new_one = column + f->columns;
        new_one->cost = t->costs[q];
        new_one->question = q;
        new_one->replies = replies;
        new_one->off = n - largest;
        if (dedupe) {
            /* Labels are given in the order in which they occur, so alike columns are equal now. */
            size_t place = h & (slots - 1);
            int other = -1;
            for (; slot[place] >= 0; place = (place + 1) & (slots - 1))
                if (hash[slot[place]] == h && !memcmp(codes + (size_t)slot[place] * (size_t)n, own, (size_t)n * sizeof *own)) {
                    other = slot[place];
                    break;
                }
            if (other >= 0 && column[other].cost <= new_one->cost) continue; /* the other comes before, and costs no more */
            if (other >= 0 && weighs) column[other].question = -1 - column[other].question; /* it always costs more */
            slot[place] = f->columns;
            hash[f->columns] = h;
        }
        f->columns++;
    }
    int kept = 0;
    for (int c = 0; c < f->columns; c++) {
        if (column[c].question < 0) continue;
        if (kept < c) {
            memcpy(codes + (size_t)kept * (size_t)n, codes + (size_t)c * (size_t)n, (size_t)n * sizeof *codes);
            column[kept] = column[c];
        }
        column_t *k = column + kept++;
        if (k->cost < f->cheapest) f->cheapest = k->cost;
        if (k->replies > f->replies_most) f->replies_most = k->replies;
        k->bits_at = bits;
        if (t->plain && k->replies <= BITS_REPLIES) bits += (size_t)(k->replies - 1) * (size_t)f->words;
    }
    f->columns = kept;
    uint64_t *all = (uint64_t *)arena_alloc(a, bits * sizeof *all + 1);
    if (!all) return NULL;
    memset(all, 0, bits * sizeof *all);
    f->bits = all;
    for (int c = 0; c < kept && t->plain; c++) {
        const uint16_t *own = codes + (size_t)c * (size_t)n;
        if (column[c].replies > BITS_REPLIES) continue;
        for (int i = 0; i < n; i++)
            if (own[i]) all[column[c].bits_at + (size_t)(own[i] - 1) * (size_t)f->words + (size_t)(i >> 6)] |= 1ull << (i & 63);
    }
    return f;
}

#endif
