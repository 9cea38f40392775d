/* Records: what is proven of sets in the course of long work, for those who keep a journal of it.

   A record is a bound or a value of a set within its limits, whatever the budget it was found with: so any later
   search of the same table may import it. */
#ifndef OPTIMAL_IDENTIFY_RECORDS_H
#define OPTIMAL_IDENTIFY_RECORDS_H

#include "identify/children.h"

/* A set is recorded where the one that it is a part of took so many steps by then, and in a long run this part of
   all: what took less is soon searched again, and there are not too many records. */
#define KEY_RECORDED ((uint64_t)1 << TUNED(18, 6))
#define KEY_RECORDED_SHARE 12

/* Whether what is proven of a node's set is worth a record. */
static int key_node_recordable(const identify_t *s, const key_node_t *N, int beam) {
    if (!s->record || !s->recording || beam) return 0;
    const uint64_t took = N->above ? s->steps - N->above->began : UINT64_MAX;
    return took >= KEY_RECORDED && took >= s->steps >> KEY_RECORDED_SHARE;
}

/* Store what is proven of a node's set, and record it. */
static void key_node_remember(identify_t *s, const key_node_t *N, int beam, const key_result_t *found, int exact) {
    key_remember(s, N->set, N->within, beam, found->value, exact, found->height, found->question, N->n);
    if (N->isomorphism.lo | N->isomorphism.hi)
        key_remember(s, N->isomorphism, N->within, 0, found->value, exact, found->height, NO_GUESS, N->n);
    if ((exact && found->question == NO_GUESS) || !key_node_recordable(s, N, beam)) return; /* known of an isomorphic set */
    int many = 0; /* at most as many as there are items: each question splits its set, but the first */
    for (const key_node_t *A = N->above; A; A = A->above)
        if (A->waits != 1) s->place[many++] = A->frame->column[A->now.column].question;
    if (s->first >= 0) s->place[many++] = s->first;
    if (!many) return;
    const entry_t e = {.value = found->value, .exact = (uint8_t)exact, .height = (uint16_t)found->height,
                       .guess = (uint16_t)found->question};
    s->record(s, N->frame->item[N->at[0]], s->place, many, N->within.left, &e);
}

/* The items that have these replies, in s's arena; returns how many, and takes the costs on the path from *cost_left. */
static inline int items_after(const questions_t *t, const int32_t *asked, const int32_t *code, int many, int64_t *cost_left,
                              int32_t *at) {
    int n = t->items;
    for (int i = 0; i < n; i++) at[i] = i;
    for (int k = 0; k < many; k++) {
        const uint16_t *codes = t->codes + (size_t)asked[k] * (size_t)t->items;
        int kept = 0;
        for (int i = 0; i < n; i++)
            if (codes[at[i]] == code[k]) at[kept++] = at[i];
        n = kept;
        if (*cost_left < COST_INF && (*cost_left -= t->costs[asked[k]]) < 0) break; /* and no further below */
    }
    return n;
}

/* Whether a question splits a set. */
static inline int question_splits(const uint16_t *codes, const int32_t *at, int n) {
    for (int i = 1; i < n; i++)
        if (codes[at[i]] != codes[at[0]]) return 1;
    return 0;
}

/* Whether a record of a set of n items within some limits can be true: `low` is a bound of it that needs no search,
   `splits` whether its question splits the set. */
static inline int record_possible(const entry_t *e, int any, int64_t low, int splits, int n, limits_t within) {
    if (e->value < 0 || e->value > COST_INF || (any && e->value && e->value < COST_INF)) return 0;
    if (!e->exact) return !e->height && e->guess == NO_GUESS;
    return e->value >= (any && low < COST_INF ? 0 : low) && e->value < COST_INF && splits && e->height && e->height <= n - 1
           && e->height <= within.left;
}

/* Import a record: what an earlier search of the same table proved of the items that have these replies, within a
   cost for the whole path. Returns NULL, or why that is impossible: where nothing is left to be asked, and for a
   value that a bound without a search contradicts. */
static const char *import_key_record(identify_t *s, const int32_t *asked, const int32_t *code, int many, limits_t within, int any,
                                     const entry_t *e) {
    const questions_t *t = s->questions;
    const arena_mark_t mark = arena_mark(&s->arena);
    int32_t *at = (int32_t *)allocate(s, (size_t)t->items * sizeof *at);
    if (!at) return NULL;
    const int n = items_after(t, asked, code, many, &within.cost_left, at);
    const int possible = within.cost_left >= 0 && within.left >= 1 && (within.left >= FREE || within.left <= n - 2);
    const char *wrong = NULL;
    int groups = 0, splits = 0;
    child_t B;
    if (n) {
        child_make(s, s->root, at, n, &B);
        B.low = class_bound(s, s->root, at, n, possible ? questions_left(s->root, within) : 0, &groups);
        if (e->exact && e->guess < t->questions)
            splits = question_splits(t->codes + (size_t)e->guess * (size_t)t->items, at, n);
    }
    if (groups < 2) wrong = "nothing is left to be asked";
    else if (!possible) wrong = "no such limits are possible";
    else if (!record_possible(e, any, B.low, splits, n, within)) wrong = "no such value is possible";
    else {
        s->any = any;
        key_remember(s, B.set, within, 0, e->value, e->exact, e->height, e->guess, n);
    }
    arena_release(&s->arena, mark);
    return wrong;
}

#endif
