/* The shape of a set: its part of the table, whatever its items and questions are called. See docs/engine.md. */
#ifndef OPTIMAL_IDENTIFY_ISOMORPHISM_H
#define OPTIMAL_IDENTIFY_ISOMORPHISM_H

#include "identify/questions.h"

#define ISOMORPHISM_ROUNDS 2  /* between two looks at which items still look alike */
#define ISOMORPHISM_CHOSEN 12 /* items that are told from those that look alike, one after the other: enough for 8 things */

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

/* Make items look different where their replies are: the look of a reply is the sum of its items', that of a question of
   its replies', and an item takes over those of its own replies. No name of an item, a question or a reply comes in. */
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
        if (part[c].replies == 2) { /* as below, without a look at each reply */
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

/* The key of a set of a frame by its shape: sets of one key are the same but for names, so what is proven of one holds of
   all. Items are put in an order that leans on names as little as it can, and the table of them in that order is what
   the key is made of. Another order would be as right; it would only find fewer sets alike. Keys are 0 where memory runs
   out. `done` is told how much work it was. */
static key128 isomorphism_key(arena_t *a, const questions_t *t, const key_frame_t *f, const int32_t *at, int n, int64_t *done) {
    const arena_mark_t mark = arena_mark(a);
    key128 key = {0, 0};
    int most = 1, parts = 0;
    for (int c = 0; c < f->columns; c++)
        if (f->column[c].replies > most) most = f->column[c].replies;
    size_t slots = 16;
    while (slots < 2 * (size_t)f->columns) slots *= 2;
    part_t *part = (part_t *)arena_alloc(a, ((size_t)f->columns + 1) * sizeof *part);
    uint64_t *color = (uint64_t *)arena_alloc(a, (size_t)n * sizeof *color), *mixed = (uint64_t *)arena_alloc(a, (size_t)n * sizeof *mixed);
    uint64_t *reply = (uint64_t *)arena_alloc(a, (size_t)most * sizeof *reply);
    uint64_t *group = (uint64_t *)arena_alloc(a, (t->plain ? 1 : (size_t)t->groups) * sizeof *group);
    uint16_t *copy = (uint16_t *)arena_alloc(a, (size_t)f->columns * (size_t)n * sizeof *copy + 1);
    colored_t *colored = (colored_t *)arena_alloc(a, (size_t)n * sizeof *colored);
    part_t *slot_cost = (part_t *)arena_alloc(a, slots * sizeof *slot_cost);
    key128 *slot = (key128 *)arena_alloc(a, slots * sizeof *slot);
    *done = (int64_t)f->columns;
    if (!part || !color || !mixed || !reply || !group || !copy || !colored || !slot_cost || !slot) {
        arena_release(a, mark);
        return key;
    }
    for (int c = 0; c < f->columns; c++) {
        const uint16_t *codes = f->codes + (size_t)c * (size_t)f->items;
        int i = 1;
        while (i < n && codes[at[i]] == codes[at[0]]) i++;
        if (i == n) continue;
        const part_t own = {copy, f->column[c].cost, f->column[c].replies};
        part[parts++] = own;
        for (i = 0; i < n; i++) *copy++ = codes[at[i]];
    }
    for (int i = 0; i < n; i++) color[i] = (uint64_t)f->weight[at[i]];
    for (int chosen = 0;; chosen++) {
        for (int round = 0; round < ISOMORPHISM_ROUNDS; round++)
            refine_colors(color, mixed, reply, group, f, at, n, part, parts, t->plain);
        *done += 2 * ISOMORPHISM_ROUNDS * (int64_t)parts * n;
        for (int i = 0; i < n; i++) {
            colored[i].color = color[i];
            colored[i].place = i;
        }
        sort_by_color(colored, n);
        /* Of those that look alike most often take one. Where it doesn't matter which, as under a symmetry, all is well. */
        int from = -1, many = 1;
        for (int i = 0, j; i < n; i = j) {
            for (j = i + 1; j < n && colored[j].color == colored[i].color; j++) continue;
            if (j - i > many) many = j - i, from = i;
        }
        if (from < 0 || chosen == ISOMORPHISM_CHOSEN) break;
        color[colored[from].place] ^= 0xa54ff53a5f1d36f1ull;
    }
    /* What the set is, in that order: weights and groups, and the parts that questions make, each once at its least cost. */
    key.lo = (uint64_t)n;
    if (!t->plain) {
        for (int i = 0; i < n; i++) group[f->group[at[i]]] = 0;
        uint64_t next = 0;
        for (int i = 0; i < n; i++) {
            uint64_t *own = group + f->group[at[colored[i].place]];
            if (!*own) *own = ++next;
            const uint64_t both = mix64((uint64_t)f->weight[at[colored[i].place]] + 0x510e527fade682d1ull) + *own;
            key.lo += t->words[i].lo * mix64(both);
            key.hi += t->words[i].hi * mix64(both + 0x9b05688c2b3e6c1full);
        }
    }
    memset(slot, 0, slots * sizeof *slot);
    for (int c = 0; c < parts; c++) {
        const uint16_t *codes = part[c].codes;
        key128 h = {1, 1};
        if (part[c].replies == 2) {
            const uint16_t first = codes[colored[0].place];
            for (int i = 1; i < n; i++)
                if (codes[colored[i].place] != first) h.lo += t->words[i].lo, h.hi += t->words[i].hi;
        } else {
            memset(reply, 0, (size_t)part[c].replies * sizeof *reply);
            uint64_t next = 0;
            for (int i = 0; i < n; i++) {
                uint64_t *own = reply + codes[colored[i].place];
                if (!*own) *own = ++next;
                if (*own == 2) h.lo += t->words[i].lo, h.hi += t->words[i].hi;
                if (*own <= 2) continue;
                const uint64_t times = mix64(*own) | 1;
                h.lo += t->words[i].lo * times, h.hi += t->words[i].hi * times;
            }
        }
        size_t place = (size_t)mix64(h.lo) & (slots - 1);
        while ((slot[place].lo | slot[place].hi) && (slot[place].lo != h.lo || slot[place].hi != h.hi)) place = (place + 1) & (slots - 1);
        if (!(slot[place].lo | slot[place].hi)) slot[place] = h, slot_cost[place].cost = part[c].cost;
        else if (part[c].cost < slot_cost[place].cost) slot_cost[place].cost = part[c].cost;
    }
    *done += (int64_t)parts * n;
    for (size_t i = 0; i < slots; i++) {
        if (!(slot[i].lo | slot[i].hi)) continue;
        const uint64_t cost = mix64((uint64_t)slot_cost[i].cost + 0x1f83d9abfb41bd6bull);
        key.lo += mix64(slot[i].lo + mix64(slot[i].hi) + cost);
        key.hi += mix64(slot[i].hi ^ mix64(slot[i].lo + 0x5be0cd19137e2179ull) ^ cost);
    }
    arena_release(a, mark);
    return key;
}

#endif
