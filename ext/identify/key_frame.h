/* Frames: compact views of a table, some items with the questions that split them.

   On small sets many questions are equal up to the names of their replies, or don't split at all: a frame of its own
   leaves them out, and has tighter limits of what questions can do to any part of it. Replies are relabelled in the
   order in which they occur, so that equal questions are equal columns.

   A question that is dropped from a frame is dropped in all frames made of it. What is kept of a question (`replies`,
   `off`) must bound what it does to every part of the frame. */
#ifndef OPTIMAL_IDENTIFY_KEY_FRAME_H
#define OPTIMAL_IDENTIFY_KEY_FRAME_H

#include "identify/questions.h"

#define BITS_REPLIES 6  /* questions of more replies on a frame are counted item by item */
#define KEY_FRAME_LEAST TUNED(8, 3) /* smaller sets take the frame of the set above */

/* What a question does to a frame: the limits of what it can do to any part of it. */
typedef struct {
    int64_t cost;
    int32_t question;
    int32_t replies; /* that occur; relabelled, so that these are the codes */
    int32_t off;     /* items outside its largest class: on no part are there more */
    size_t bits_at;
} column_t;

/* Some of the items with the questions that split them. Of questions that make the same classes the best is there: for a
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

/* The replies of a column, by place in the frame. */
static inline const uint16_t *column_codes(const key_frame_t *f, int column) {
    return f->codes + (size_t)column * (size_t)f->items;
}

/* Whether two columns split n items into the same classes. `label` has room for every code, and is scratch. */
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

/* Relabel a question's replies in the order in which they occur: `own` has the new ones, *off the items outside the
   largest class, *hash a hash of them. Returns how many replies there are. */
static inline int relabel(const uint16_t *codes, const int32_t *at, int n, uint16_t *label, int32_t *size, uint16_t *own,
                          int32_t *off, uint64_t *hash) {
    int replies = 0, largest = 0;
    uint64_t h = 0;
    for (int i = 0; i < n; i++) label[codes[at[i]]] = 0;
    for (int i = 0; i < n; i++) {
        uint16_t *l = label + codes[at[i]];
        if (!*l) {
            size[replies] = 0;
            *l = (uint16_t)++replies;
        }
        size[*l - 1]++;
        own[i] = (uint16_t)(*l - 1);
        h = (h ^ own[i]) * 0x9e3779b97f4a7c15ull;
        h ^= h >> 29;
    }
    for (int r = 0; r < replies; r++) largest = size[r] > largest ? size[r] : largest;
    *off = n - largest;
    *hash = h;
    return replies;
}

/* The distinct columns of a frame under way, by hash. */
typedef struct {
    int32_t *slot;   /* column, -1: none */
    uint64_t *hash;  /* by column */
    size_t slots;    /* a power of two */
} column_set_t;

/* The slot of the column that equals `own`, or where one would be put. */
static inline size_t find_column(const column_set_t *set, const uint16_t *codes, int n, const uint16_t *own, uint64_t hash) {
    size_t place = hash & (set->slots - 1);
    for (; set->slot[place] >= 0; place = (place + 1) & (set->slots - 1)) {
        const int32_t other = set->slot[place];
        if (set->hash[other] == hash && !memcmp(codes + (size_t)other * (size_t)n, own, (size_t)n * sizeof *own)) break;
    }
    return place;
}

/* Drop the columns that were marked (question < 0), find the limits of the others, and return the words that their
   bits take. */
static inline size_t keep_columns(const questions_t *t, key_frame_t *f, column_t *column, uint16_t *codes) {
    const size_t n = (size_t)f->items;
    size_t bits = 0;
    int kept = 0;
    for (int c = 0; c < f->columns; c++) {
        if (column[c].question < 0) continue;
        if (kept < c) {
            memcpy(codes + (size_t)kept * n, codes + (size_t)c * n, n * sizeof *codes);
            column[kept] = column[c];
        }
        column_t *k = column + kept++;
        if (k->cost < f->cheapest) f->cheapest = k->cost;
        if (k->replies > f->replies_most) f->replies_most = k->replies;
        k->bits_at = bits;
        if (t->plain && k->replies <= BITS_REPLIES) bits += (size_t)(k->replies - 1) * (size_t)f->words;
    }
    f->columns = kept;
    return bits;
}

/* Make the frame of items (by their places in `from`, or the items themselves where that is NULL) from the table;
   NULL when memory runs out. `label` has room for 65536 codes, and is scratch. */
static key_frame_t *key_frame_make(arena_t *a, const questions_t *t, const key_frame_t *from, const int32_t *at, int n,
                                   int dedupe, uint16_t *label) {
    key_frame_t *f = (key_frame_t *)arena_alloc(a, sizeof *f);
    const int most = from ? from->columns : t->questions;
    int32_t *item = (int32_t *)arena_alloc(a, (size_t)n * sizeof *item);
    int64_t *weight = (int64_t *)arena_alloc(a, (size_t)n * sizeof *weight);
    int32_t *group = (int32_t *)arena_alloc(a, (size_t)n * sizeof *group);
    column_t *column = (column_t *)arena_alloc(a, (size_t)most * sizeof *column + 1);
    column_set_t set = {NULL, (uint64_t *)arena_alloc(a, (size_t)most * sizeof *set.hash + 1), 16};
    uint16_t *codes = (uint16_t *)arena_alloc(a, (size_t)most * (size_t)n * sizeof *codes + 1);
    int32_t *size = (int32_t *)arena_alloc(a, ((size_t)n + 1) * sizeof *size);
    while (set.slots < 2 * (size_t)most) set.slots *= 2;
    set.slot = (int32_t *)arena_alloc(a, set.slots * sizeof *set.slot);
    if (!f || !item || !weight || !group || !column || !set.hash || !codes || !size || !set.slot) return NULL;
    for (int i = 0; i < n; i++) {
        item[i] = from ? from->item[at[i]] : at[i];
        weight[i] = t->weights[item[i]];
        group[i] = t->group_of[item[i]];
    }
    memset(set.slot, 0xff, set.slots * sizeof *set.slot);
    *f = (key_frame_t){.items = n, .words = (n + 63) / 64, .item = item, .weight = weight, .group = group, .column = column,
                       .codes = codes, .cheapest = COST_INF, .replies_most = 1};
    const int weighs = weight[0] > 0;
    for (int c = 0; c < most; c++) {
        const int q = from ? from->column[c].question : c;
        const uint16_t *old = from ? column_codes(from, c) : t->codes + (size_t)q * (size_t)t->items;
        uint16_t *own = codes + (size_t)f->columns * (size_t)n;
        column_t *fresh = column + f->columns;
        uint64_t hash;
        int32_t off;
        const int replies = relabel(old, at, n, label, size, own, &off, &hash);
        if (replies < 2) continue;
        *fresh = (column_t){t->costs[q], q, replies, off, 0};
        if (dedupe) {
            const size_t place = find_column(&set, codes, n, own, hash);
            const int other = set.slot[place];
            if (other >= 0 && column[other].cost <= fresh->cost) continue; /* the other comes before, and costs no more */
            if (other >= 0 && weighs) column[other].question = -1 - column[other].question; /* it always costs more */
            set.slot[place] = f->columns;
            set.hash[f->columns] = hash;
        }
        f->columns++;
    }
    const size_t bits = keep_columns(t, f, column, codes);
    uint64_t *all = (uint64_t *)arena_alloc(a, bits * sizeof *all + 1);
    if (!all) return NULL;
    memset(all, 0, bits * sizeof *all);
    f->bits = all;
    for (int c = 0; c < f->columns && t->plain; c++) {
        const uint16_t *own = codes + (size_t)c * (size_t)n;
        if (column[c].replies > BITS_REPLIES) continue;
        for (int i = 0; i < n; i++)
            if (own[i]) all[column[c].bits_at + (size_t)(own[i] - 1) * (size_t)f->words + (size_t)(i >> 6)] |= 1ull << (i & 63);
    }
    return f;
}

#endif
