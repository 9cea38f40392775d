/* Weights of few kinds, tier by tier.

   Let w_1 < w_2 < ... be the different weights, w_0 = 0, and P_i the answers of P that weigh w_i or more. Without the
   other answers a tree of P is one of P_i, and costs the sum over i of (w_i - w_(i-1)) times the depths in P_i. So the
   sum of (w_i - w_(i-1)) V(P_i), V in guesses, is a lower bound of what P costs, within any limit and under all rules: what is
   legal depends on the guesses made alone. Where all answers of P weigh w, it is w V(P): the value itself.

   Bounds of V(P_i) come from a search with unit costs, s->plain, which serves all positions; values, too, where P_i is
   all of P: a part of it has none of the symmetries that its search relies on. */
#ifndef OPTIMAL_BOUNDS_TIERS_H
#define OPTIMAL_BOUNDS_TIERS_H

#include "bounds/bounds.h"

/* Different sets P_i, the largest first, and what a guess at each costs: sums of w_i - w_(i-1). */
typedef struct {
    int many;
    position_t P[TIERS_MOST];
    int64_t charge[TIERS_MOST];
    bound_t bound[TIERS_MOST];
} tiered_t;

/* The search with unit costs goes to work for s, and stops where s would. Returns where its arena stands. */
static inline arena_mark_t plain_begin(search_t *s) {
    search_t *u = s->plain;
    u->stop_flag = s->stop_flag;
    u->hooks.signals = s->hooks.signals;
    u->task = s->task;
    u->level = s->level;
    u->work = s->work;
    u->units = s->units;
    u->units_left = s->units_left;
    u->nodes = s->nodes;
    u->whole = s->whole;
    u->start = s->start;
    return arena_mark(&u->arena);
}

/* It is done. */
static inline void plain_end(search_t *s, arena_mark_t mark) {
    search_t *u = s->plain;
    arena_release(&u->arena, mark);
    s->work = u->work;
    s->units = u->units;
    s->units_left = u->units_left;
    s->nodes = u->nodes;
    s->stopped |= u->stopped;
    s->arena.failed |= u->arena.failed;
    s->too_deep |= u->too_deep;
    u->stopped = u->arena.failed = u->too_deep = u->feasibility_only = u->level = 0;
}

/* The tiers of P; -1 when memory runs out. */
static int tiers_of(search_t *s, const position_t *P, tiered_t *t) {
    search_t *u = s->plain;
    const position_t *last = P;
    t->many = 0;
    for (int i = 0; i < s->tiers && last->n; i++) {
        const int64_t charge = s->tier[i] - (i ? s->tier[i - 1] : 0);
        int n = 0;
        for (int j = 0; j < last->n; j++) n += cost_weight(&s->costs, last->answers[j]) >= s->tier[i];
        if (n == last->n && t->many) {
            t->charge[t->many - 1] += charge;
            continue;
        }
        if (!n) break;
        position_t *Q = &t->P[t->many];
        *Q = *last;
        if (n < last->n) {
            int32_t *B = (int32_t *)allocate(u, (size_t)n * sizeof *B);
            if (!B) return -1;
            Q->n = 0;
            for (int j = 0; j < last->n; j++)
                if (cost_weight(&s->costs, last->answers[j]) >= s->tier[i]) B[Q->n++] = last->answers[j];
            Q->answers = B;
            Q->set = set_key(s->game, B, n);
        }
        t->charge[t->many++] = charge;
        last = Q;
    }
    count_work(u, 2 * (int64_t)P->n);
    return 0;
}

/* The table bounds of the tiers, and their sum. */
static int64_t tiers_recall(search_t *s, tiered_t *t, int d) {
    int64_t sum = 0;
    for (int i = 0; i < t->many; i++) {
        const position_t *Q = &t->P[i];
        const bound_t few = {Q->n > d ? COST_INF : 2 * (int64_t)Q->n - 1, 1, Q->n, 1};
        t->bound[i] = Q->n <= 2 ? few : table_bound(s->plain, Q, d);
        sum = cost_add(sum, cost_times(t->charge[i], t->bound[i].low));
    }
    return sum;
}

/* A bound of P, n >= 3, by its tiers: by the table alone, or counted as far as it takes to reach `budget`. */
static bound_t tier_bound(search_t *s, const position_t *P, int d, int64_t budget, int counted) {
    search_t *u = s->plain;
    bound_t b = {0, 0, 0, 0};
    tiered_t t;
    const arena_mark_t mark = plain_begin(s);
    if (tiers_of(s, P, &t) == 0) b.low = tiers_recall(s, &t, d);
    else t.many = 0;
    for (int i = t.many - 1; counted && i >= 0 && b.low < budget && !u->stopped; i--) { /* the heavy first: few, and worth most */
        bound_t *of = &t.bound[i];
        if (of->exact || of->counted) continue;
        const int64_t rest = b.low - t.charge[i] * of->low, need = (budget - rest + t.charge[i] - 1) / t.charge[i];
        const bound_t c = count_bound(u, &t.P[i], d, need < COST_INF ? need : COST_INF);
        if (u->stopped) break;
        if (c.exact || c.low > of->low) *of = c;
        else of->counted |= c.counted;
        b.low = cost_add(rest, cost_times(t.charge[i], of->low));
    }
    b.counted = 1;
    for (int i = 0; i < t.many; i++) b.counted &= t.bound[i].exact || t.bound[i].counted;
    b.exact = b.low >= COST_INF || (t.many == 1 && t.P[0].n == P->n && t.bound[0].exact);
    b.height = b.exact && t.many ? t.bound[0].height : 0;
    plain_end(s, mark);
    return b;
}

/* The table bound of V(P, d), n >= 3, with that of P's tiers. */
static bound_t known_low(search_t *s, const position_t *P, int d) {
    bound_t b = table_bound(s, P, d);
    if (!s->plain || b.exact) return b;
    const bound_t t = tier_bound(s, P, d, 0, 0);
    if (t.exact) return t;
    b.counted |= t.counted;
    if (t.low > b.low) b.low = t.low;
    return b;
}

/* The count bound of V(P, d), n >= 3, taken as far as it takes to reach `budget`: that of P's tiers, where it has some,
   is no less than one by the heaviest weights. */
static bound_t counted_low(search_t *s, const position_t *P, int d, int64_t budget) {
    const int64_t trivial = cost_trivial(&s->costs, P->answers, P->n, d, P->depth);
    if (!s->plain || trivial >= COST_INF) return count_bound(s, P, d, budget);
    tally_t *tally = &s->tally[TIERS_NUMBER];
    bound_t b = tier_bound(s, P, d, budget, 1);
    if (s->stopped) return (bound_t){trivial, 0, 0, 0};
    if (b.low < trivial) b.low = trivial;
    tally->asked++;
    tally->settled += b.exact || b.low >= budget;
    if (!b.exact) remember(s, position_key(s, P, FREE), b.low, 0, 0, NO_GUESS, b.counted, P->n);
    return b;
}

/* What every answer of P weighs; 0 where they differ, or weigh nothing. */
static int64_t tier_alike(const search_t *s, const position_t *P) {
    const int64_t weight = cost_weight(&s->costs, P->answers[0]);
    for (int i = 1; i < P->n; i++)
        if (cost_weight(&s->costs, P->answers[i]) != weight) return 0;
    return weight;
}

#endif
