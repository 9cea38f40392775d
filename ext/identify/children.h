/* Child sets: what is known of them before a search, from bounds and from the table. */
#ifndef OPTIMAL_IDENTIFY_CHILDREN_H
#define OPTIMAL_IDENTIFY_CHILDREN_H

#include "identify/pair_bounds.h"

/* Beams try only some questions of larger sets. */
static inline int in_beam(const identify_t *s, int groups) {
    return s->width && groups > s->solved;
}

/* Adopt what is stored of a child set within some limits. */
static void child_adopt(child_t *B, const entry_t *e, limits_t of) {
    const int proven = e ? proves(of, e->exact, e->height, B->within) : PROVES_NOTHING;
    if (proven == PROVES_VALUE) {
        B->low = e->value;
        B->exact = 1;
        B->height = e->height;
        B->question = e->guess;
    } else if (proven == PROVES_BOUND && e->value > B->low) B->low = e->value;
}

/* What is known of a child set without a search: its groups, a bound, or its value. */
static void child_bound(identify_t *s, const key_frame_t *f, child_t *B, limits_t within) {
    B->exact = B->height = 0;
    B->question = NO_GUESS;
    B->within = limits_of(B->n, within);
    B->low = class_bound(s, f, B->at, B->n, questions_left(f, within), &B->groups);
    if (B->groups < 2) {
        B->exact = 1;
        return;
    }
    if (B->low >= COST_INF) return;
    if (s->any) B->low = 0;
    if (B->n == 2) {
        B->low = pair_value(s, f, B->at, B->weight, within.cost_left, &B->question);
        B->exact = B->low < COST_INF;
        B->height = 1;
        return;
    }
    child_adopt(B, key_recall(s, B->set, B->within, 0), B->within);
    if (!B->exact && !s->any && B->within.left < FREE && B->within.cost_left >= COST_INF)
        child_adopt(B, key_recall(s, B->set, unlimited, 0), unlimited);
    if (B->exact || !in_beam(s, B->groups)) return;
    const entry_t *e = key_recall(s, B->set, B->within, 1);
    if (!e) return;
    if (e->value > B->low) B->low = e->value;
    B->exact = e->exact;
    B->height = e->height;
    B->question = e->guess;
}

/* A set of a frame as a child set: its weight and its key. */
static void child_make(const identify_t *s, const key_frame_t *f, const int32_t *at, int n, child_t *B) {
    memset(B, 0, sizeof *B);
    B->at = at;
    B->n = n;
    for (int i = 0; i < n; i++) {
        B->weight += f->weight[at[i]];
        key_add(&B->set, s->questions->words[f->item[at[i]]]);
    }
}

/* The child sets of a set by these codes: those whose value isn't known, smaller ones first, which are the cheapest to
   refute a question by; *many is how many, *height the greatest of the others. Returns the sum of their bounds. */
static int64_t child_sets(identify_t *s, const key_frame_t *f, const uint16_t *codes, const int32_t *at, int n, limits_t within,
                          child_t **child, int *many, int *height) {
    int64_t sum = 0;
    *many = *height = 0;
    int32_t *places = (int32_t *)allocate(s, (size_t)n * sizeof *places);
    if (!places) return 0;
    const int classes = key_split(s, codes, at, n, places);
    child_t *const B = *child = (child_t *)allocate(s, (size_t)classes * sizeof *B);
    for (int c = 0; c < classes && B; c++) {
        child_t b;
        const int from = s->start[c], size = s->start[c + 1] - from;
        if (size == 1) continue;
        child_make(s, f, places + from, size, &b);
        child_bound(s, f, &b, within);
        sum = cost_add(sum, b.low);
        if (b.exact) {
            if (b.height > *height) *height = b.height;
            continue;
        }
        int i = (*many)++;
        for (; i > 0 && B[i - 1].n > b.n; i--) B[i] = B[i - 1];
        B[i] = b;
    }
    return sum;
}

#endif
