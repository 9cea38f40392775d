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

/* The value of a set where this question is asked first, which need not split it: `codes` has its replies by place in
   the frame. */
static int64_t identify_first(identify_t *s, const key_frame_t *f, const int32_t *at, int n, const uint16_t *codes, int64_t cost,
                              limits_t within, int64_t budget, int *height) {
    const arena_mark_t mark = arena_mark(&s->arena);
    const limits_t after = limits_after(within, cost);
    child_t *B = NULL;
    int64_t sum = COST_INF, weight = 0;
    int many = 0, tallest = 0;
    if (within.left >= 1 && cost <= within.cost_left) {
        for (int i = 0; i < n; i++) weight += f->weight[at[i]];
        sum = child_sets(s, f, codes, at, n, after, &B, &many, &tallest);
        sum = cost_add(s->any ? 0 : weight * cost, sum);
    }
    for (int c = 0; c < many && sum < budget && !s->stopped; c++) {
        const key_result_t found = key_value(s, f, B + c, after, budget - (sum - B[c].low));
        if (found.value > B[c].low) sum = cost_add(sum - B[c].low, found.value);
        if (found.height > tallest) tallest = found.height;
    }
    *height = tallest + 1;
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
        if (!f || key_frame_bound(&s->arena, f, n, FREE) < 0) s->stopped = 1;
    }
    if (!s->stopped) *found = identify_value(s, f, at, n, within, COST_INF);
    const int64_t value = found->value;
    if (!s->stopped && value < COST_INF) {
        class_bound(s, f, at, n, FREE, &groups);
        if (own && found->height > f->fits[groups] && key_frame_bound(&s->arena, f, n, found->height - 1) < 0)
            s->stopped = 1;
        lower_height(s, f, at, n, groups, within, found);
        const limits_t limits = {found->height, within.cost_left};
        for (int c = 0; c < f->columns && groups > 1 && question < 0 && !s->stopped; c++) {
            const uint16_t *codes = column_codes(f, c);
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
static int question_of_value(identify_t *s, key_node_t *N, int64_t value) {
    const key_frame_t *f = N->frame;
    const int width = s->width;
    int question = -1, height;
    s->width = 0; /* a beam might pass it by */
    s->work_left = LIKELY_WORK;
    if (s->any)
        for (int i = 0; i < N->choices; i++) N->choice[i].low = 0;
    for (int i = N->choices / 2 - 1; i >= 0; i--) heap_down(N->choice, N->choices, i);
    while (N->choices && N->choice[0].low <= value && question < 0 && !s->stopped) {
        const column_t *k = f->column + N->choice[0].column;
        const uint16_t *codes = column_codes(f, N->choice[0].column);
        if (identify_first(s, f, N->at, N->n, codes, k->cost, N->within, value + 1, &height) <= value && !s->stopped)
            question = k->question;
        N->choice[0] = N->choice[--N->choices];
        heap_down(N->choice, N->choices, 0);
    }
    s->width = width;
    s->stopped = s->arena.failed;
    s->work_left = -1;
    return question;
}

/* The question of least bound for a set, or where its value is known the one that attains it, in a frame of its own. */
static inline int question_of_least_bound(identify_t *s, const int32_t *items, limits_t within, const child_t *B) {
    key_frame_t *f = key_frame_make(&s->arena, s->questions, s->root, items, B->n, 1, s->label);
    if (!f || key_frame_bound(&s->arena, f, B->n, within.left) < 0) {
        s->stopped = 1;
        return -1;
    }
    child_t own = *B;
    own.at = s->all;
    key_node_t *N = key_node_new(s, NULL, f, &own, within, COST_INF);
    if (!N) return -1;
    key_node_list(s, N);
    if (!N->choices) return -1;
    const choice_t *best = N->choice;
    for (int i = 1; i < N->choices; i++)
        if (sooner(N->choice + i, best)) best = N->choice + i;
    const int likely = f->column[best->column].question, question = B->exact ? question_of_value(s, N, B->low) : -1;
    return question < 0 ? likely : question;
}

/* A question for a set that seems best: what was found, or what has the least bound. -1: there is none. */
static int identify_likely(identify_t *s, const int32_t *items, int n, limits_t within) {
    const arena_mark_t mark = arena_mark(&s->arena);
    int question = -1;
    child_t B;
    child_make(s, s->root, items, n, &B);
    child_bound(s, s->root, &B, within);
    if (B.exact && B.question != NO_GUESS) question = B.question;
    else if (B.groups > 1 && B.low < COST_INF) question = question_of_least_bound(s, items, within, &B);
    arena_release(&s->arena, mark);
    return question;
}

#endif
