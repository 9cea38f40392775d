/* Questions that split a set into the same classes: only the cheapest need be tried.

   The classes, and so the keys below them, are the same, up to the names of the replies. */
#ifndef OPTIMAL_IDENTIFY_EQUAL_PARTITIONS_H
#define OPTIMAL_IDENTIFY_EQUAL_PARTITIONS_H

#include "identify/set_bounds.h"

#define EQUIVALENT_MOST 64 /* such questions on larger sets are left to the frames */

/* Whether a column parts the set of a node as one of the choices does, of those that cost no more. Sets of 64 items at
   most: a mask for each class, by place among the members, none of them for the class of the first. */
static uint64_t parted(const key_frame_t *f, int column, const int32_t *at, int n, int two) {
    const uint16_t *codes = column_codes(f, column);
    uint64_t out = 0;
    if (two) {
        for (int i = 1; i < n; i++) out |= (uint64_t)(codes[at[i]] != codes[at[0]]) << i;
        return out;
    }
    /* By the place of the first that has the same reply: equal where and only where the parts are, up to the hash. */
    for (int i = 1; i < n; i++) {
        int j = 0;
        while (codes[at[j]] != codes[at[i]]) j++;
        out = (out ^ (uint64_t)(j + 1)) * 0x9e3779b97f4a7c15ull;
        out ^= out >> 29;
    }
    return out;
}

/* Keep the cheapest of the choices that split the set into the same classes. */
static void drop_equivalent(identify_t *s, key_node_t *N) {
    const key_frame_t *f = N->frame;
    int slots = 8;
    while (slots < 2 * N->choices) slots *= 2;
    const arena_mark_t mark = arena_mark(&s->arena);
    int32_t *slot = (int32_t *)allocate(s, (size_t)slots * sizeof *slot);
    uint64_t *mask = (uint64_t *)allocate(s, ((size_t)N->choices + 1) * sizeof *mask);
    if (slot && mask) {
        int kept = 0;
        memset(slot, 0xff, (size_t)slots * sizeof *slot);
        for (int i = 0; i < N->choices; i++) {
            const int column = N->choice[i].column, two = f->column[column].replies == 2;
            const uint64_t own = parted(f, column, N->at, N->n, two);
            uint64_t place = (own * 0x9e3779b97f4a7c15ull) >> 32 & (uint64_t)(slots - 1);
            int other = -1;
            for (; slot[place] >= 0 && other < 0; place = (place + 1) & (uint64_t)(slots - 1))
                if (mask[slot[place]] == own) {
                    /* Equal masks of two classes are equal parts; of more they are compared, both ways. */
                    const uint16_t *a = column_codes(f, column), *b = column_codes(f, N->choice[slot[place]].column);
                    if (same_partition(a, b, N->at, N->n, s->label) && same_partition(b, a, N->at, N->n, s->label)) other = slot[place];
                }
            if (other >= 0) {
                if (f->column[column].cost < f->column[N->choice[other].column].cost) N->choice[other] = N->choice[i];
                continue;
            }
            slot[place] = kept;
            mask[kept] = own;
            N->choice[kept++] = N->choice[i];
        }
        N->choices = kept;
    }
    arena_release(&s->arena, mark);
}

#endif
