/* Isomorphic sets: sets with the same replies, costs, weights and groups but for the names of items, questions and
   replies.

   What a key of a set costs rests on nothing else, so what is proven of one set holds for all isomorphic ones. Items
   are put in an order by color refinement (Weisfeiler and Leman 1968), one being singled out where colors don't tell
   them apart, and the key is made of the whole set in that order. So sets of equal keys are isomorphic up to
   collisions of 128 bits, however the order came about; isomorphic sets that get other orders are missed, which costs
   time alone. */
#ifndef OPTIMAL_IDENTIFY_ISOMORPHISM_H
#define OPTIMAL_IDENTIFY_ISOMORPHISM_H

#include "identify/key_frame.h"

#define ISOMORPHISM_ROUNDS 2  /* of refinement between two choices */
#define ISOMORPHISM_CHOSEN 12 /* items singled out, one after the other: enough for orders of 8 things */

typedef struct {
    uint64_t color;
    int32_t place; /* among the members of the set */
} colored_t;

static void sort_by_color(colored_t *l, int n) {
    int gap = 1;
    while (gap < n / 3) gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3)
        for (int i = gap; i < n; i++) {
            const colored_t x = l[i];
            int j = i;
            for (; j >= gap && l[j - gap].color > x.color; j -= gap) l[j] = l[j - gap];
            l[j] = x;
        }
}

/* A question that splits the set: its replies, member by member. */
typedef struct {
    const uint16_t *codes;
    int64_t cost;
    int replies;
} part_t;

/* Give items other colors where their replies differ: the color of a reply is the sum of its items', that of a
   question the sum of its replies', and an item adds those of its own replies. No name of an item, a question or a
   reply comes in. */
static void refine_colors(uint64_t *color, uint64_t *mixed, uint64_t *reply, uint64_t *group, const key_frame_t *f,
                         const int32_t *at, int n, const part_t *part, int parts, int plain) {
    for (int i = 0; i < n; i++) mixed[i] = mix64(color[i] + 0x9e3779b97f4a7c15ull);
    if (!plain) {
        for (int i = 0; i < n; i++) group[f->group[at[i]]] = 0;
        for (int i = 0; i < n; i++) group[f->group[at[i]]] += mixed[i];
        for (int i = 0; i < n; i++) color[i] = 3 * color[i] + mix64(group[f->group[at[i]]] + 0x6a09e667f3bcc909ull);
    }
    for (int c = 0; c < parts; c++) {
        const uint16_t *codes = part[c].codes;
        uint64_t own = mix64((uint64_t)part[c].cost + 0xbb67ae8584caa73bull);
        if (part[c].replies == 2) { /* as below, for both replies at once */
            uint64_t all = 0, some = 0;
            for (int i = 0; i < n; i++) all += mixed[i], some += mixed[i] & (0 - (uint64_t)codes[i]);
            own += mix64(all - some) + mix64(some);
            const uint64_t zero = mix64(own + 0x3c6ef372fe94f82bull * (all - some));
            const uint64_t more = mix64(own + 0x3c6ef372fe94f82bull * some) - zero;
            for (int i = 0; i < n; i++) color[i] += zero + (more & (0 - (uint64_t)codes[i]));
            continue;
        }
        memset(reply, 0, (size_t)part[c].replies * sizeof *reply);
        for (int i = 0; i < n; i++) reply[codes[i]] += mixed[i];
        for (int r = 0; r < part[c].replies; r++)
            if (reply[r]) own += mix64(reply[r]);
        for (int r = 0; r < part[c].replies; r++) reply[r] = mix64(own + 0x3c6ef372fe94f82bull * reply[r]);
        for (int i = 0; i < n; i++) color[i] += reply[codes[i]];
    }
}

/* Scratch of isomorphism_key. */
typedef struct {
    part_t *part, *cost;  /* the questions that split the set; by slot: the least cost of a partition */
    uint64_t *color, *mixed, *reply, *group;
    uint16_t *codes;      /* of the questions that split the set, item by item */
    colored_t *order;     /* the items in their order */
    key128 *slot;         /* partitions met, by their hash */
    size_t slots;
    int parts;
} isomorphism_t;

/* Take the memory from the arena; returns -1 when that runs out. */
static inline int isomorphism_allocate(arena_t *a, const questions_t *t, const key_frame_t *f, int items, isomorphism_t *w) {
    const size_t n = (size_t)items, columns = (size_t)f->columns;
    int most = 1;
    for (int c = 0; c < f->columns; c++)
        if (f->column[c].replies > most) most = f->column[c].replies;
    w->slots = 16;
    while (w->slots < 2 * columns) w->slots *= 2;
    w->part = (part_t *)arena_alloc(a, (columns + 1) * sizeof *w->part);
    w->color = (uint64_t *)arena_alloc(a, n * sizeof *w->color);
    w->mixed = (uint64_t *)arena_alloc(a, n * sizeof *w->mixed);
    w->reply = (uint64_t *)arena_alloc(a, (size_t)most * sizeof *w->reply);
    w->group = (uint64_t *)arena_alloc(a, (t->plain ? 1 : (size_t)t->groups) * sizeof *w->group);
    w->codes = (uint16_t *)arena_alloc(a, columns * n * sizeof *w->codes + 1);
    w->order = (colored_t *)arena_alloc(a, n * sizeof *w->order);
    w->cost = (part_t *)arena_alloc(a, w->slots * sizeof *w->cost);
    w->slot = (key128 *)arena_alloc(a, w->slots * sizeof *w->slot);
    w->parts = 0;
    return w->part && w->color && w->mixed && w->reply && w->group && w->codes && w->order && w->cost && w->slot ? 0 : -1;
}

/* Gather the questions that split the set. */
static inline void isomorphism_parts(const key_frame_t *f, const int32_t *at, int n, isomorphism_t *w) {
    uint16_t *copy = w->codes;
    for (int c = 0; c < f->columns; c++) {
        const uint16_t *codes = column_codes(f, c);
        int i = 1;
        while (i < n && codes[at[i]] == codes[at[0]]) i++;
        if (i == n) continue;
        const part_t own = {copy, f->column[c].cost, f->column[c].replies};
        w->part[w->parts++] = own;
        for (i = 0; i < n; i++) *copy++ = codes[at[i]];
    }
}

/* Put the items in an order that depends on their names as little as it can: refine colors, and single out one of
   those that still have the same color most often, again and again. Where it doesn't matter which, as under a
   symmetry, nothing is lost. */
static inline void isomorphism_order(const questions_t *t, const key_frame_t *f, const int32_t *at, int n, isomorphism_t *w,
                                     int64_t *done) {
    uint64_t *color = w->color;
    colored_t *order = w->order;
    for (int i = 0; i < n; i++) color[i] = (uint64_t)f->weight[at[i]];
    for (int chosen = 0;; chosen++) {
        for (int round = 0; round < ISOMORPHISM_ROUNDS; round++)
            refine_colors(color, w->mixed, w->reply, w->group, f, at, n, w->part, w->parts, t->plain);
        *done += 2 * ISOMORPHISM_ROUNDS * (int64_t)w->parts * n;
        for (int i = 0; i < n; i++) {
            order[i].color = color[i];
            order[i].place = i;
        }
        sort_by_color(order, n);
        int from = -1, many = 1;
        for (int i = 0, j; i < n; i = j) {
            for (j = i + 1; j < n && order[j].color == order[i].color; j++) continue;
            if (j - i > many) many = j - i, from = i;
        }
        if (from < 0 || chosen == ISOMORPHISM_CHOSEN) break;
        color[order[from].place] ^= 0xa54ff53a5f1d36f1ull;
    }
}

/* Add the weights and groups of the items, in their order. */
static inline void hash_weights(const questions_t *t, const key_frame_t *f, const int32_t *at, int n, const isomorphism_t *w,
                                key128 *key) {
    uint64_t next = 0;
    for (int i = 0; i < n; i++) w->group[f->group[at[i]]] = 0;
    for (int i = 0; i < n; i++) {
        const int32_t place = at[w->order[i].place];
        uint64_t *own = w->group + f->group[place];
        if (!*own) *own = ++next;
        const uint64_t both = mix64((uint64_t)f->weight[place] + 0x510e527fade682d1ull) + *own;
        key->lo += t->words[i].lo * mix64(both);
        key->hi += t->words[i].hi * mix64(both + 0x9b05688c2b3e6c1full);
    }
}

/* The hash of the partition that a question makes of the items, in their order, whatever its replies are called. */
static inline key128 hash_partition(const questions_t *t, const part_t *part, int n, const isomorphism_t *w) {
    const uint16_t *codes = part->codes;
    key128 h = {1, 1};
    if (part->replies == 2) {
        const uint16_t first = codes[w->order[0].place];
        for (int i = 1; i < n; i++)
            if (codes[w->order[i].place] != first) key_add(&h, t->words[i]);
        return h;
    }
    memset(w->reply, 0, (size_t)part->replies * sizeof *w->reply);
    uint64_t next = 0;
    for (int i = 0; i < n; i++) {
        uint64_t *own = w->reply + codes[w->order[i].place];
        if (!*own) *own = ++next;
        if (*own == 2) key_add(&h, t->words[i]);
        if (*own <= 2) continue;
        const uint64_t times = mix64(*own) | 1;
        h.lo += t->words[i].lo * times, h.hi += t->words[i].hi * times;
    }
    return h;
}

/* Note the least cost of a partition. */
static inline void keep_partition(isomorphism_t *w, key128 h, int64_t cost) {
    size_t place = (size_t)mix64(h.lo) & (w->slots - 1);
    while ((w->slot[place].lo | w->slot[place].hi) && (w->slot[place].lo != h.lo || w->slot[place].hi != h.hi))
        place = (place + 1) & (w->slots - 1);
    if (!(w->slot[place].lo | w->slot[place].hi)) w->slot[place] = h, w->cost[place].cost = cost;
    else if (cost < w->cost[place].cost) w->cost[place].cost = cost;
}

/* The key of a set of a frame up to isomorphism; 0 when memory runs out. *done is how much work it was. It is made of
   what the set is, item by item in the order found: weights, groups, and the partitions that questions make, each
   once at its least cost. */
static key128 isomorphism_key(arena_t *a, const questions_t *t, const key_frame_t *f, const int32_t *at, int n, int64_t *done) {
    const arena_mark_t mark = arena_mark(a);
    key128 key = {0, 0};
    isomorphism_t w;
    *done = (int64_t)f->columns;
    if (isomorphism_allocate(a, t, f, n, &w) < 0) {
        arena_release(a, mark);
        return key;
    }
    isomorphism_parts(f, at, n, &w);
    isomorphism_order(t, f, at, n, &w, done);
    key.lo = (uint64_t)n;
    if (!t->plain) hash_weights(t, f, at, n, &w, &key);
    memset(w.slot, 0, w.slots * sizeof *w.slot);
    for (int c = 0; c < w.parts; c++) keep_partition(&w, hash_partition(t, w.part + c, n, &w), w.part[c].cost);
    *done += (int64_t)w.parts * n;
    for (size_t i = 0; i < w.slots; i++) {
        if (!(w.slot[i].lo | w.slot[i].hi)) continue;
        const uint64_t cost = mix64((uint64_t)w.cost[i].cost + 0x1f83d9abfb41bd6bull);
        key.lo += mix64(w.slot[i].lo + mix64(w.slot[i].hi) + cost);
        key.hi += mix64(w.slot[i].hi ^ mix64(w.slot[i].lo + 0x5be0cd19137e2179ull) ^ cost);
    }
    arena_release(a, mark);
    return key;
}

#endif
