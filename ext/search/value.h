/* Exact depth-bounded branch and bound over the feedback partitions.

   V(P, d) is the least cost over strategy trees that find every candidate of position P within d guesses: what a
   guess costs (costs.h; n with unit costs) + the sum of V over the feedback classes of the best legal guess, its
   winning class left out. Values are integers; COST_INF stands for no tree. Every search takes a budget: a result
   below it is exact, a result at or above it is a proven lower bound.

   The headers before this one hold the bounds and the steps of a node; here is the recursion.

   Without a limit first. V(P, no limit) <= V(P, d): if the value without a limit reaches the budget, so does the other;
   if its tree is no higher than d, it is the other. Only then is P searched within d. */
#ifndef OPTIMAL_SEARCH_VALUE_H
#define OPTIMAL_SEARCH_VALUE_H

#include "bounds/infeasible_subsets.h"
#include "search/records.h"
#include "search/waves.h"

static int64_t finish_guess(search_t *s, partition_t *p, int64_t total, int d, int64_t budget, int *height);
static int64_t value(search_t *s, const position_t *P, int d, int64_t budget, int *height);

/* Step 5: search what survived, most promising first; each guess stops once it reaches the best so far. Returns SETTLED
   where one tree was all that is asked. */
static int node_search_wave(search_t *s, node_t *N) {
    for (int i = N->from; i < N->to && N->list[i].low < N->best && !s->stopped; i++) {
        const guess_t *c = &N->list[i];
        if (nogoods_refute(s, N->near, c->guess) || record_refutes(s, N, c->guess)) continue;
        const int64_t began = codes_seen(s);
        const arena_mark_t inner = arena_mark(&s->arena);
        partition_t p;
        int height;
        if (node_split(s, N, c, &p) < 0) break;
        int64_t v = sum_table_bounds(s, &N->legal, &p, N->left, N->class_least, N->best, &height);
        if (v < N->best) v = finish_guess(s, &p, v, N->left, N->best, &height);
        node_add_nogood(s, N, &p);
        arena_release(&s->arena, inner);
        if (s->stopped) break;
        if (v >= N->best) {
            record_guess(s, N, c->guess, v, began);
            continue;
        }
        node_found(N, c, v, height);
        if (s->feasibility_only) return node_settle(s, N, v);
    }
    return OPEN;
}

/* Steps 4 and 5 for one wave. */
static int node_wave(search_t *s, node_t *N) {
    return node_bound_wave(s, N) == SETTLED ? SETTLED : node_search_wave(s, N);
}

/* V(P, d), n >= 3, d >= 2, as `value` promises it. The steps are in node.h. */
static int64_t node_value(search_t *s, const position_t *P, int d, int64_t budget, int *height) {
    node_t N;
    if (!node_open(s, &N, P, d, budget) && !node_bound(s, &N) && !node_list(s, &N) && !node_prepare(s, &N)) {
        int settled = OPEN;
        /* Nobody helps a search that somebody hears of: what helpers find is kept by them. */
        while (!settled && node_next_wave(s, &N))
            settled = s->hooks.wave && !s->hooks.found ? s->hooks.wave(s, &N) : node_wave(s, &N);
        if (!settled) node_close(s, &N);
    }
    assert(!s->stopped || N.best == UNPROVEN);
    if (s->hooks.found && s->feasibility_only && N.guess != NO_GUESS && !s->stopped) s->hooks.found(s, &N);
    *height = N.height;
    return N.best;
}

#define BOUND_WAVES 2 /* after which all other guesses are one */

/* Raise what the table holds of V(P, no limit) to `budget`, or as far as bounds of guesses go: none is searched. Normal
   rules, unit costs.

   P costs no less than the least bound of its guesses. Once a guess is found whose bound stays below the budget, the
   others are asked for no more than that; a tree that costs less yet is a least one, for all guesses before it cost
   more. */
static void bound_by_guesses(search_t *s, const position_t *P, int64_t budget) {
    node_t N;
    if (node_open(s, &N, P, FREE, budget) || node_bound(s, &N) || node_list(s, &N) || node_prepare(s, &N)) return;
    while (node_next_wave(s, &N) && !s->stopped) {
        /* The first waves show how far the bound rises; all others at once have more classes in common. */
        if (N.waves > BOUND_WAVES)
            while (N.upto < N.listed && N.list[N.upto].low < N.best) N.upto++;
        node_bound_wave(s, &N);
        if (N.from == N.to || N.list[N.from].low >= N.best) continue;
        N.best = N.list[N.from].low; /* of no tree */
        N.guess = NO_GUESS;
        N.height = 0;
    }
    node_store(s, &N, N.best, N.guess != NO_GUESS, 1); /* nothing once the search is stopped */
}

/* Whether a part of P is seen to have no tree within d guesses; then P has none (infeasible_subsets.h). */
static int subset_fails(search_t *s, const position_t *P, int d) {
    const entry_t *e = recall(s, position_key(s, P, d), P->n);
    if (e && e->exact) return e->value >= COST_INF;
    const arena_mark_t mark = arena_mark(&s->arena);
    const int feasibility_only = s->feasibility_only;
    const uint64_t before = s->nodes;
    tally_t *tally = &s->tally[SUBSETS_NUMBER];
    int sizes[SUBSETS_MOST], fails = 0, height;
    int32_t *B = (int32_t *)allocate(s, (size_t)P->n * sizeof *B);
    if (!B) return 0;
    position_t part = *P;
    part.answers = B;
    s->feasibility_only = 1;
    for (int i = nested_subsets(s, P, d + 1, B, sizes) - 1; i >= 0 && !fails && !s->stopped; i--) { /* the smallest first */
        part.n = sizes[i];
        part.set = set_key(s->game, B, part.n);
        const int64_t most = costliest_tree(s, &part, d);
        fails = node_value(s, &part, d, most + 1, &height) > most;
    }
    s->feasibility_only = feasibility_only;
    arena_release(&s->arena, mark);
    tally->asked++;
    if (!fails || s->stopped) {
        tally->wasted += s->nodes - before;
        return 0;
    }
    tally->settled++;
    tally->paid += s->nodes - before;
    remember(s, position_key(s, P, d), COST_INF, 1, 0, NO_GUESS, 1, P->n);
    return 1;
}

/* Whether to search P without its limit first, where that isn't done yet. Where no tree within it is known, there may
   be none: with costs other than numbers of guesses little keeps a search without it short, and all that may be in
   vain. */
static int free_first_pays(search_t *s, const position_t *P, int d, int64_t budget) {
    if (s->costs.unit || budget <= costliest_tree(s, P, d)) return 1;
    const entry_t *e = recall(s, position_key(s, P, FREE), P->n);
    return e && e->exact;
}

/* The same where all of P weigh so much, n >= 3: what it costs in guesses is found by s->plain. */
static int64_t value_alike(search_t *s, const position_t *P, int d, int64_t weight, int64_t budget, int *height) {
    search_t *u = s->plain;
    const int64_t need = budget >= COST_INF ? COST_INF : (budget + weight - 1) / weight;
    const arena_mark_t mark = plain_begin(s);
    u->feasibility_only = s->feasibility_only;
    const int64_t v = value(u, P, d, need, height);
    plain_end(s, mark);
    if (s->stopped) return UNPROVEN;
    remember(s, position_key(s, P, d), cost_times(weight, v), v < need || v >= COST_INF, *height, NO_GUESS, 0, P->n);
    return cost_times(weight, v);
}

/* V(P, d), n >= 3: exact if below `budget` (with the height of a tree), else a lower bound; UNPROVEN if the search
   stopped. */
static int64_t value(search_t *s, const position_t *P, int d, int64_t budget, int *height) {
    tally_t *tally = &s->tally[FREE_FIRST_NUMBER];
    if (d < 2) return COST_INF;
    const int64_t alike = s->plain ? tier_alike(s, P) : 0;
    if (alike) return value_alike(s, P, d, alike, budget, height);
    d = guesses_that_bind(P, d);
    if (d == FREE) return node_value(s, P, FREE, budget, height);
    /* Else a search without the limit might outgrow the stack for nothing. */
    if (guesses_before_last(s, P->n) >= d) return COST_INF;
    if (d > 2 && s->game->rules == NORMAL && !s->feasibility_only && s->switches & FREE_FIRST
        && tally->wasted <= tally->paid + FREE_LOSSES && free_first_pays(s, P, d, budget)) {
        /* Without a limit first: its value is a lower bound, and the very value if its tree is low enough. Where the
           limit binds it seldom is, and then this is work for nothing. Hard rules make limits bind. */
        const uint64_t before = s->nodes;
        tally->asked++;
        const int64_t v = node_value(s, P, FREE, budget, height);
        if (v >= budget || *height <= d || s->stopped) {
            tally->settled++;
            tally->paid += s->nodes - before;
            return v;
        }
        tally->wasted += s->nodes - before;
    }
    /* A budget that few trees would exceed asks whether there is a tree at all. */
    if (subsets_pay(s, P, d, budget) && subset_fails(s, P, d)) return COST_INF;
    /* No tree costs more than the costliest: beyond that the value is infinite, and is kept as such for all budgets. */
    const int64_t most = costliest_tree(s, P, d);
    const int64_t v = node_value(s, P, d, budget < most + 1 ? budget : most + 1, height);
    if (most < budget) {
        s->tally[CEILING_NUMBER].asked++;
        s->tally[CEILING_NUMBER].settled += v > most;
    }
    return v > most ? COST_INF : v;
}

/* Search class i for this much; returns the raised `total`. A search that stops leaves it as it was. */
static int64_t search_class(search_t *s, partition_t *p, int i, int64_t total, int d, int64_t budget) {
    int height = 0;
    const int64_t v = value(s, &p->position[i], d, budget, &height);
    if (s->stopped) return total;
    if (v >= COST_INF) return class_fails(p, i);
    total = raise_low(p, i, v, total);
    if (v < budget) class_settled(p, i, v, height);
    return total;
}

/* Search the classes that are not exact, until the sum reaches `budget`; each against what the bounds of the others
   leave of it. */
static int64_t search_classes(search_t *s, partition_t *p, int64_t total, int d, int64_t budget) {
    under_way_t here = {p, d, 0, 0, s->under_way};
    s->under_way = &here;
    s->level++;
    guard_depth(s, 0);
    for (int i = 0; i < p->classes && total < budget && !s->stopped; i++) {
        here.done = i;
        if (p->exact[i]) continue;
        if (s->units - s->recorded_at >= RECORD_UNITS) record_all(s);
        total = search_class(s, p, i, total, d, budget - (total - p->low[i]));
    }
    if (s->stopped && s->units - s->recorded_at >= RECORD_STOPPED) record_all(s);
    s->level--;
    s->under_way = here.outer;
    return total;
}

/* Raise `total`, the cost of a guess by its classes' bounds, until it is exact or reaches `budget`: count bounds first,
   then search, smaller classes first. */
static int64_t finish_guess(search_t *s, partition_t *p, int64_t total, int d, int64_t budget, int *height) {
    int tallest = 0;
    total = sum_count_bounds(s, p, total, d, budget);
    total = search_classes(s, p, total, d, budget);
    if (total >= budget || s->stopped) return total;
    for (int i = 0; i < p->classes; i++)
        if (p->height[i] > tallest) tallest = p->height[i];
    *height = tallest + 1;
    return total;
}

#endif
