/* The search for the least key: branch and bound over sets of items, the question of least bound first.

   A node is a set with the questions left, what a path may still cost, and a budget: what it returns is exact where
   that is below the budget, and else a lower bound. It bounds all its questions, the least of which bounds the node,
   and tries them in that order until the next is no better than the best. Least keys are optimal identification
   procedures (Garey 1972), whose search is NP-hard (Hyafil and Rivest 1976). Nodes stand in the arena, not on the
   stack: keys may be as deep as there are items. */
#ifndef OPTIMAL_IDENTIFY_NODE_H
#define OPTIMAL_IDENTIFY_NODE_H

#include "identify/equal_partitions.h"
#include "identify/isomorphism.h"
#include "identify/records.h"

#define ISOMORPHISM_LEAST TUNED(5, 3) /* smaller sets are solved sooner than their isomorphism class is known */

/* A node for a set of a frame; NULL when memory runs out. */
static key_node_t *key_node_new(identify_t *s, key_node_t *above, const key_frame_t *frame, const child_t *B, limits_t within, int64_t budget) {
    const arena_mark_t mark = arena_mark(&s->arena);
    key_node_t *N = (key_node_t *)allocate(s, sizeof *N);
    if (!N) return NULL;
    memset(N, 0, sizeof *N);
    N->above = above;
    N->mark = mark;
    N->frame = frame;
    N->at = B->at;
    N->n = B->n;
    N->groups = B->groups;
    N->within = limits_of(B->n, within);
    N->weight = B->weight;
    N->budget = budget;
    N->set = B->set;
    assert(proves(B->within, 0, 0, N->within));
    N->low = B->low;
    N->floor = N->best = COST_INF;
    N->began = s->steps;
    return N;
}

/* Settle a node: store what it found. A node that was stopped has the least of what its questions are known to cost. */
static int key_node_settle(identify_t *s, key_node_t *N, key_result_t *found) {
    const int beam = in_beam(s, N->groups);
    if (N->best < N->budget && !s->stopped) {
        found->value = N->best;
        found->height = N->best_height;
        found->question = N->best_question;
        key_node_remember(s, N, beam, found, 1);
        return 1;
    }
    int64_t low = N->low;
    if (N->ranked) {
        int64_t least = N->floor < N->best ? N->floor : N->best;
        if (s->stopped) {
            if (N->asked && N->sum < least) least = N->sum;
            for (int i = N->tried; i < N->choices; i++)
                if (N->choice[i].low < least) least = N->choice[i].low;
        }
        if (least > low) low = least;
    }
    found->value = low;
    found->height = 0;
    found->question = NO_GUESS;
    if (!(s->stopped && (beam || s->any))) key_node_remember(s, N, beam, found, 0);
    return 1;
}

/* Look up what is known of isomorphic sets. Returns 1 where that settles the node. */
static int key_node_isomorphic(identify_t *s, key_node_t *N, key_result_t *found) {
    if (!(s->switches & KEY_ISOMORPHISM) || N->n < ISOMORPHISM_LEAST || in_beam(s, N->groups)) return 0;
    const int size = size_of(N->n);
    if (!payoff_expected(s, &s->isomorphs, size, 32)) return 0;
    int64_t done;
    N->isomorphism = isomorphism_key(&s->arena, s->questions, N->frame, N->at, N->n, &done);
    key_count_work(s, done);
    if (!(N->isomorphism.lo | N->isomorphism.hi)) {
        s->stopped = 1;
        return key_node_settle(s, N, found);
    }
    const entry_t *e = key_recall(s, N->isomorphism, N->within, 0);
    if (e && e->value > N->low) N->low = e->value;
    const int paid = e && (e->exact || N->low >= N->budget);
    payoff_count(&s->isomorphs, size, paid, (uint64_t)done);
    if (!paid) return 0;
    if (e->exact) {
        N->best = e->value;
        N->best_height = e->height;
        N->best_question = NO_GUESS;
    }
    return key_node_settle(s, N, found);
}

/* Choose the question that is tried next. Returns 0 where there is none that may pay. */
static inline int next_choice(identify_t *s, key_node_t *N) {
    const int64_t cut = N->budget < N->best ? N->budget : N->best;
    for (;;) {
        if (N->tried >= N->choices || (in_beam(s, N->groups) && N->asked_so_far >= s->width)) return 0;
        choice_t now;
        if (s->switches & KEY_ORDER) {
            now = N->choice[0];
            if (!s->any && now.low >= cut) { /* all are below the budget: this and the rest are no better than the best */
                N->choices = 0;
                return 0;
            }
            N->choice[0] = N->choice[--N->choices];
            heap_down(N->choice, N->choices, 0);
        } else {
            now = N->choice[N->tried++];
            if (!s->any && now.low >= cut) continue;
        }
        N->now = now;
        N->asked_so_far++;
        N->asked = 1;
        N->sum = now.low;
        return 1;
    }
}

/* Begin the next question: find its child sets, with what is known of them. Returns 0 where there is none that may
   pay. */
static int key_node_next(identify_t *s, key_node_t *N) {
    if (!next_choice(s, N)) return 0;
    const column_t *k = N->frame->column + N->now.column;
    N->bottom = arena_mark(&s->arena);
    N->next = 0;
    const int64_t sum = child_sets(s, N->frame, column_codes(N->frame, N->now.column), N->at, N->n, limits_after(N->within, k->cost),
                                   &N->child, &N->classes, &N->height);
    if (s->arena.failed) return 0;
    key_count_work(s, N->n);
    N->sum = cost_add(s->any ? 0 : k->cost * N->weight, sum);
    return 1;
}

/* Bound a node by its pairs, once, where that may pay. */
static void bound_by_pairs(identify_t *s, key_node_t *N) {
    if (N->paired || s->any || in_beam(s, N->groups) || !(s->switches & KEY_PAIRS)) return;
    N->paired = 1;
    if (N->n < PAIRS_LEAST || N->n > PAIRS_MOST) return;
    const int size = size_of(N->n);
    if (!payoff_expected(s, &s->pairs, size, 8)) return;
    const uint64_t before = s->steps;
    const int64_t low = pairs_bound(s, N), cut = N->budget < N->best ? N->budget : N->best;
    if (low > N->low) N->low = low;
    payoff_count(&s->pairs, size, low >= cut, s->steps - before);
}

/* Whether to wait for the value without a limit of questions first: the least key of all costs no more, and where it
   keeps to the limit it is the one. What is known of the node may hold within its limit alone, so that search begins
   with what is known without one. Returns 0 where the node waits, -1 where it doesn't, 1 where it is settled. */
static inline int key_node_unlimited(identify_t *s, key_node_t *N, key_result_t *found) {
    if (N->within.left >= FREE || N->within.cost_left < COST_INF || s->any || s->width || !(s->switches & KEY_FREE_FIRST))
        return -1;
    child_t own = {.at = N->at, .n = N->n, .weight = N->weight, .set = N->set};
    child_bound(s, N->frame, &own, unlimited);
    if (own.exact) return -1;
    key_node_t *child = key_node_new(s, N, N->frame, &own, unlimited, N->budget);
    if (!child) return key_node_settle(s, N, found);
    N->waits = 1;
    s->top = child;
    return 0;
}

/* Give a node a frame of its own, where its set is much smaller than its frame; -1 when memory runs out. */
static inline int key_node_own_frame(identify_t *s, key_node_t *N) {
    if (!(s->switches & KEY_FRAMES) || N->n < KEY_FRAME_LEAST || 2 * N->n > N->frame->items) return 0;
    key_frame_t *own = key_frame_make(&s->arena, s->questions, N->frame, N->at, N->n, 1, s->label);
    key_count_work(s, (int64_t)N->n * N->frame->columns);
    if (!own || key_frame_bound(&s->arena, own, N->groups, questions_left(own, N->within)) < 0) {
        s->stopped = 1;
        return -1;
    }
    N->frame = own;
    N->at = s->all; /* as many places as there are */
    int groups;
    const int64_t low = class_bound(s, own, N->at, N->n, questions_left(own, N->within), &groups);
    if (low > N->low && (!s->any || low >= COST_INF)) N->low = low;
    return 0;
}

/* List the questions that may cost less than the budget; the least bound of all, and of those left out, bound the
   node. */
static inline void key_node_list(identify_t *s, key_node_t *N) {
    const key_frame_t *f = N->frame;
    const arena_mark_t mark = arena_mark(&s->arena);
    N->choice = (choice_t *)allocate(s, ((size_t)f->columns + 1) * sizeof *N->choice);
    const arena_mark_t kept = arena_mark(&s->arena);
    int32_t *scratch = (int32_t *)allocate(s, (size_t)N->n * sizeof *scratch);
    uint64_t *bits = s->questions->plain ? (uint64_t *)allocate(s, (size_t)f->words * sizeof *bits) : NULL;
    if (s->stopped) {
        arena_release(&s->arena, mark);
        return;
    }
    if (bits) {
        memset(bits, 0, (size_t)f->words * sizeof *bits);
        for (int i = 0; i < N->n; i++) bits[N->at[i] >> 6] |= 1ull << (N->at[i] & 63);
    }
    int64_t least = COST_INF, out = COST_INF; /* of all, and of those that are left out */
    for (int c = 0; c < f->columns; c++) {
        choice_t it = {0, c, 0};
        it.low = question_bound(s, N, c, bits, scratch, &it.largest);
        if (it.low < least) least = it.low;
        if (it.low < COST_INF && (s->any || it.low < N->budget)) N->choice[N->choices++] = it;
        else if (it.low < out) out = it.low;
    }
    arena_release(&s->arena, kept);
    if (s->any) least = least >= COST_INF ? COST_INF : 0;
    if (least > N->low) N->low = least;
    N->floor = out;
}

/* Bound a node and its questions. Returns 1 where that settles it, 0 where another set must be searched first, else
   -1. */
static int key_node_open(identify_t *s, key_node_t *N, key_result_t *found) {
    s->nodes++;
    if (!N->opened) {
        N->opened = 1;
        const int waits = key_node_unlimited(s, N, found);
        if (waits >= 0) return waits;
        if (key_node_isomorphic(s, N, found)) return 1;
    }
    if (key_node_own_frame(s, N) < 0) return key_node_settle(s, N, found);
    if (N->budget < COST_INF && N->low < N->budget) bound_by_pairs(s, N);
    if (N->low >= N->budget || s->stopped) return key_node_settle(s, N, found);
    key_node_list(s, N);
    if (N->low >= N->budget || s->stopped) return key_node_settle(s, N, found);
    N->ranked = 1;
    if (s->switches & KEY_EQUAL_PARTITIONS && N->n <= EQUIVALENT_MOST) drop_equivalent(s, N);
    if (s->switches & KEY_ORDER)
        for (int i = N->choices / 2 - 1; i >= 0; i--) heap_down(N->choice, N->choices, i);
    return -1;
}

/* Continue a node. Returns 1 when it is settled, 0 when another must be searched first, s->top. */
static int key_node_continue(identify_t *s, key_node_t *N, key_result_t *found) {
    if (!N->opened || N->waits == 2) {
        N->waits = N->waits == 2 ? 3 : 0;
        const int opened = key_node_open(s, N, found);
        if (opened >= 0) return opened;
    }
    for (;;) {
        if (s->stopped) return key_node_settle(s, N, found);
        if (!N->asked) {
            /* The pairs of a set that any key would do for are looked at when there is one to be refuted by. */
            if (N->best < COST_INF) bound_by_pairs(s, N);
            if (N->best <= N->low || !key_node_next(s, N)) return key_node_settle(s, N, found);
        }
        const int64_t cut = N->budget < N->best ? N->budget : N->best;
        const column_t *k = N->frame->column + N->now.column;
        while (N->next < N->classes && N->child[N->next].exact) N->next++;
        if (N->sum >= cut) {
            if (N->sum < N->floor) N->floor = N->sum;
        } else if (N->next == N->classes) {
            N->best = N->sum;
            N->best_height = 1 + N->height;
            N->best_question = k->question;
        } else {
            const child_t *B = N->child + N->next;
            key_node_t *child = key_node_new(s, N, N->frame, B, limits_after(N->within, k->cost), cut - (N->sum - B->low));
            if (!child) return key_node_settle(s, N, found);
            s->top = child;
            return 0;
        }
        N->asked = 0;
        arena_release(&s->arena, N->bottom);
    }
}

/* Receive what was found of the set that a node waited for. Returns 1 where that settles the node. */
static int key_node_receive(identify_t *s, key_node_t *N, const key_result_t *of, key_result_t *found) {
    if (N->waits == 1) {
        N->waits = 2;
        const int proven = proves(unlimited, of->value < N->budget, of->height, N->within);
        if (proven && of->value > N->low) N->low = of->value;
        if (s->stopped || of->value >= N->budget) return key_node_settle(s, N, found);
        if (proven == PROVES_VALUE) {
            N->best = of->value;
            N->best_height = of->height;
            N->best_question = of->question;
            return key_node_settle(s, N, found);
        }
        return 0;
    }
    child_t *B = N->child + N->next;
    const int64_t before = B->low;
    if (of->value > B->low) B->low = of->value;
    N->sum = cost_add(N->sum - before, B->low);
    /* It is its value, or the question is done with: the sum is no better than the best now, or the search was stopped. */
    B->exact = 1;
    if (of->height > N->height) N->height = of->height;
    return 0;
}

/* The value of a set of a frame: exact below the budget, else a lower bound; a bound where the search was stopped. */
static key_result_t key_value(identify_t *s, const key_frame_t *frame, const child_t *B, limits_t within, int64_t budget) {
    key_result_t found = {B->low, 0, NO_GUESS};
    key_node_t *const base = key_node_new(s, NULL, frame, B, within, budget), *N = base;
    while (N) {
        if (!key_node_continue(s, N, &found)) {
            N = s->top;
            continue;
        }
        /* Settled; and with it, perhaps, those that waited for it. */
        for (int settled = 1; settled && N;) {
            key_node_t *above = N->above;
            arena_release(&s->arena, N->mark);
            N = above;
            const key_result_t of = found;
            settled = N && key_node_receive(s, N, &of, &found);
        }
    }
    return found;
}

#endif
