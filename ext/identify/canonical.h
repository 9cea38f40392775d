/* The canonical key, and the question that is likely best.

   Of all least keys the canonical one is the lowest, and of these the first at every node, in the order of the
   questions: so the same table, limits and costs give the same key, whatever the search did. */
#ifndef OPTIMAL_IDENTIFY_CANONICAL_H
#define OPTIMAL_IDENTIFY_CANONICAL_H

#include "identify/node.h"

#define LIKELY_WORK (1 << 24) /* steps for a question whose value is known */

/* The value of a set: exact below the budget, else a bound; a bound where the search was stopped. */
static key_result_t identify_value(identify_t *s, const key_frame_t *f, const int32_t *at, int n, limits_t within, int64_t budget) {
    child_t B;
    child_make(s, f, at, n, &B);
    child_bound(s, f, &B, within);
    key_result_t found = {B.low, B.height, B.question};
    return B.exact || B.low >= budget ? found : key_value(s, f, &B, within, budget);
}

/* The cost of a first question on a set, and the bounds of its child sets, which go to B, smaller ones first. Returns
   the sum; *many is the number of child sets, *height the least height of a key by those that are known. */
static inline int64_t first_children(identify_t *s, const key_frame_t *f, const int32_t *at, int n, const uint16_t *codes,
                                     int64_t cost, limits_t after, int32_t *places, child_t *B, int *many, int *height) {
    int64_t sum = 0;
    key_frame_t own = *f;
    own.codes = codes;
    const int classes = key_split(s, &own, 0, at, n, places);
    for (int c = 0; c < classes; c++) {
        const int from = s->start[c], to = s->start[c + 1];
        child_make(s, f, places + from, to - from, B + c);
        sum += B[c].weight;
    }
    sum = s->any ? 0 : sum * cost;
    for (int c = 0; c < classes; c++) child_bound(s, f, B + c, after);
    for (int c = 0; c < classes; c++) {
        sum = cost_add(sum, B[c].low);
        if (B[c].exact && B[c].height + 1 > *height) *height = B[c].height + 1;
        for (int i = c; i > 0 && B[i - 1].n > B[i].n; i--) {
            const child_t x = B[i];
            B[i] = B[i - 1];
            B[i - 1] = x;
        }
    }
    *many = classes;
    return sum;
}

/* The value of a set where this question is asked first, which need not split it: `codes` has its replies by place in
   the frame. */
static int64_t identify_first(identify_t *s, const key_frame_t *f, const int32_t *at, int n, const uint16_t *codes, int64_t cost,
                              limits_t within, int64_t budget, int *height) {
    const arena_mark_t mark = arena_mark(&s->arena);
    int32_t *places = (int32_t *)allocate(s, (size_t)n * sizeof *places);
    child_t *B = (child_t *)allocate(s, (size_t)n * sizeof *B);
    *height = 1;
    if (!places || !B) {
        arena_release(&s->arena, mark);
        return 0;
    }
    int classes = 0;
    int64_t sum = COST_INF;
    const limits_t after = limits_after(within, cost);
    if (within.left >= 1 && cost <= within.cost_left)
        sum = first_children(s, f, at, n, codes, cost, after, places, B, &classes, height);
    for (int c = 0; c < classes && sum < budget && !s->stopped; c++) {
        if (B[c].exact) continue;
        const key_result_t found = key_value(s, f, B + c, after, budget - (sum - B[c].low));
        if (found.value > B[c].low) sum = cost_add(sum - B[c].low, found.value);
        if (found.height + 1 > *height) *height = found.height + 1;
    }
    arena_release(&s->arena, mark);
    return sum;
}

/* The least height of a least key of a set, of which one costs `value` and is found->height high. */
static inline void lower_height(identify_t *s, const key_frame_t *f, const int32_t *at, int n, int groups, limits_t within,
                                key_result_t *found) {
    const int64_t value = found->value;
    while (!s->stopped && groups > 1 && found->height > f->fits[groups]) {
        const key_result_t lower = identify_value(s, f, at, n, (limits_t){found->height - 1, within.cost_left}, value + 1);
        if (s->stopped || lower.value > value) break;
        found->height = lower.height;
    }
}

/* The first question of the canonical key of a set. Returns -1 where nothing need be asked, there is no key, or the
   search was stopped. */
static int identify_canonical(identify_t *s, const int32_t *items, int n, limits_t within, key_result_t *found) {
    const arena_mark_t mark = arena_mark(&s->arena);
    const int own = s->switches & KEY_FRAMES && 2 * n <= s->root->items && n > 2;
    const int32_t *at = items;
    int question = -1, groups, height;
    key_frame_t *f = s->root;
    found->value = COST_INF;
    found->height = 0;
    if (own) {
        f = key_frame_make(&s->arena, s->questions, s->root, items, n, 1, s->label);
        at = s->all; /* as many places as there are */
        if (!f || key_frame_bound(&s->arena, f, n, KEY_FREE) < 0) s->stopped = 1;
    }
    if (!s->stopped) *found = identify_value(s, f, at, n, within, COST_INF);
    const int64_t value = found->value;
    if (!s->stopped && value < COST_INF) {
        class_bound(s, f, at, n, KEY_FREE, &groups);
        if (own && found->height > f->fits[groups] && key_frame_bound(&s->arena, f, n, found->height - 1) < 0)
            s->stopped = 1;
        lower_height(s, f, at, n, groups, within, found);
        const limits_t limits = {found->height, within.cost_left};
        for (int c = 0; c < f->columns && groups > 1 && question < 0 && !s->stopped; c++) {
            const uint16_t *codes = f->codes + (size_t)c * (size_t)f->items;
            if (!question_splits(codes, at, n)) continue;
            const int64_t it = identify_first(s, f, at, n, codes, f->column[c].cost, limits, value + 1, &height);
            if (!s->stopped && it <= value) question = f->column[c].question;
        }
    }
    arena_release(&s->arena, mark);
    return question;
}

/* The question by which a set has this value, which is known of an isomorphic set alone: of least bound the first, as
   far as some work goes. -1: that didn't suffice. */
static int question_of_value(identify_t *s, const key_frame_t *f, const key_node_t *N, choice_t *choice, int choices, int64_t value) {
    const int width = s->width;
    int question = -1, height;
    s->width = 0; /* a beam might pass it by */
    s->work_left = LIKELY_WORK;
    for (int i = choices / 2 - 1; i >= 0; i--) heap_down(choice, choices, i);
    while (choices && choice[0].low <= value && question < 0 && !s->stopped) {
        const column_t *k = f->column + choice[0].column;
        const uint16_t *codes = f->codes + (size_t)choice[0].column * (size_t)f->items;
        if (identify_first(s, f, N->at, N->n, codes, k->cost, N->within, value + 1, &height) <= value && !s->stopped)
            question = k->question;
        choice[0] = choice[--choices];
        heap_down(choice, choices, 0);
    }
    s->width = width;
    s->stopped = s->arena.failed;
    s->work_left = -1;
    return question;
}

/* The question of least bound for a set, or where its value is known the one that attains it, in a frame of its own. */
static inline int question_of_least_bound(identify_t *s, const int32_t *items, int n, limits_t within, const child_t *B) {
    int32_t *all = (int32_t *)allocate(s, (size_t)n * sizeof *all), *scratch = (int32_t *)allocate(s, (size_t)n * sizeof *scratch);
    key_frame_t *f = all && scratch ? key_frame_make(&s->arena, s->questions, s->root, items, n, 1, s->label) : NULL;
    if (!f || key_frame_bound(&s->arena, f, n, within.left) < 0) {
        s->stopped = 1;
        return -1;
    }
    for (int i = 0; i < n; i++) all[i] = i;
    key_node_t N;
    memset(&N, 0, sizeof N);
    N.frame = f;
    N.at = all;
    N.n = n;
    N.within = within;
    N.weight = B->weight;
    choice_t best = {COST_INF, -1, 0}, *choice = (choice_t *)allocate(s, ((size_t)f->columns + 1) * sizeof *choice);
    int choices = 0, question = -1;
    for (int c = 0; c < f->columns && choice; c++) {
        choice_t it = {0, c, 0};
        it.low = question_bound(s, &N, c, NULL, scratch, &it.largest);
        if (it.low >= COST_INF) continue;
        if (best.column < 0 || sooner(&it, &best)) best = it;
        if (s->any) it.low = 0;
        choice[choices++] = it;
    }
    if (B->exact && choices) question = question_of_value(s, f, &N, choice, choices, B->low);
    return question < 0 && best.column >= 0 ? f->column[best.column].question : question;
}

/* A question for a set that seems best: what was found, or what has the least bound. -1: there is none. */
static int identify_likely(identify_t *s, const int32_t *items, int n, limits_t within) {
    const arena_mark_t mark = arena_mark(&s->arena);
    int question = -1;
    child_t B;
    child_make(s, s->root, items, n, &B);
    child_bound(s, s->root, &B, within);
    if (B.exact && B.question != NO_GUESS) question = B.question;
    else if (B.groups > 1 && B.low < COST_INF) question = question_of_least_bound(s, items, n, within, &B);
    arena_release(&s->arena, mark);
    return question;
}

#endif
