/* Step 3 of a node: the guesses to try, and their order.

   A guess is on the list if its count bound is below the budget and no symmetry maps it to an earlier one. The order is
   that of the count bounds, by which the list is searched in waves (waves.h); what is left of a wave is searched by its
   better bounds. */
#ifndef OPTIMAL_SEARCH_GUESS_LIST_H
#define OPTIMAL_SEARCH_GUESS_LIST_H

#include "search/node.h"

/* What maps P to itself, from the arena; -1 when memory runs out. */
static int node_automorphisms(search_t *s, node_t *N) {
    const game_t *g = s->game;
    const position_t *P = N->P;
    N->automorphisms.count = -1;
    N->automorphisms.maps = NULL;
    if (!g->symmetric || !(s->switches & SYMMETRY)) return 0;
    int32_t *made = (int32_t *)allocate(s, (size_t)(P->depth + 1) * sizeof *made);
    automorphism_t *maps = (automorphism_t *)allocate(s, AUTOMORPHISMS_MOST * sizeof *maps);
    if (!made || !maps) return -1;
    for (const position_t *q = P; q->depth > 0; q = q->before) made[q->depth - 1] = q->guess;
    N->automorphisms.count = automorphisms_of(maps, g->symbols, g->places, made, P->depth);
    N->automorphisms.maps = maps;
    return 0;
}

/* Whether a guess is worth what an earlier one in the list is, and comes after it in every tie: a map that keeps the
   guesses made keeps their feedback, and so maps the candidates and their trees to themselves. */
static inline int node_repeats(search_t *s, const node_t *N, int guess) {
    const game_t *g = s->game;
    if (N->automorphisms.count < 0) return 0;
    const int repeats = !leads_orbit(g->symbols + (size_t)guess * (size_t)g->places, g->places, N->P->used,
                                        N->automorphisms.maps, N->automorphisms.count);
    s->tally[SYMMETRY_NUMBER].asked++;
    s->tally[SYMMETRY_NUMBER].settled += (uint64_t)repeats;
    return repeats;
}

/* Step 3, for one guess with k classes: put it on the list if it may cost less than the budget. Its rank is a proven
   bound, not a score: to try guesses in another order takes another field. */
static void node_consider(search_t *s, node_t *N, int guess, int k, int member, int column, int64_t rank, int fewest) {
    const int64_t low = s->switches & COUNTS ? rank : 0;
    if (low >= N->budget || k < fewest || node_repeats(s, N, guess)) return;
    const guess_t c = {low, rank, guess, column, member, N->listed};
    N->list[N->listed++] = c;
}

/* Step 3: the guesses to try. One with k classes costs its count bound at least; the columns that may cost less than
   the budget are counted. Members count one more by their own class; guesses with one class are none (frames.h). */
static int node_list(search_t *s, node_t *N) {
    const game_t *g = s->game;
    const position_t *P = N->P;
    const int n = P->n;
    int needless = s->switches & COUNTS ? outside_refuted(s, P, &N->weights, N->budget) : 1;
    if (needless < 1) needless = 1;
    count_bounded(s, N->frame, P->answers, n, N->done, needless, &N->most, N->counts, N->bounds);
    N->done = count_columns(s, N->frame, P->answers, n, N->done, needless, 0, n + 1, &N->most, N->counts, N->bounds);
    if (s->stopped) return node_fail(s, N);
    const int most = node_most(N) > needless ? node_most(N) : needless;
    if (most < N->legal.split_most) N->legal.split_most = most;
    if (node_count_members(s, N)) return SETTLED;
    N->list = (guess_t *)allocate(s, (size_t)(n + N->done * BLOCK) * sizeof *N->list);
    if (!N->list || node_automorphisms(s, N) < 0) return node_fail(s, N);
    N->listed = 0;
    const int fewest_inside = fewest_classes(s, n, N->left, N->legal.split_most, N->budget, 1);
    const int fewest_outside = fewest_classes(s, n, N->left, N->legal.split_most, N->budget, 0);
    mark_members(s, P->answers, n);
    for (int i = 0; i < n; i++) {
        const int a = P->answers[i];
        const int64_t rank = cost_guess_member(&s->costs, &N->weights, P->depth, N->member_counts[i],
                                               cost_weight(&s->costs, a));
        node_consider(s, N, g->answer_guess[a], N->member_counts[i], 1, N->frame->column[a], rank, fewest_inside);
    }
    for (int b = 0; b < N->done; b++) {
        const uint16_t *of_block = N->counts + b * BLOCK;
        for (uint64_t bits = columns_above(of_block, needless); bits; bits &= bits - 1) {
            const int i = b * BLOCK + OPTIMAL_LOWEST_BIT(bits), guess = N->frame->guess[i];
            if (is_member(s, g->answer_of[guess])) continue;
            const int64_t rank = cost_guess_outside(&s->costs, &N->weights, P->depth, N->counts[i]);
            node_consider(s, N, guess, N->counts[i], 0, i, rank, fewest_outside);
        }
    }
    count_work(s, n + N->done * BLOCK);
    return OPEN;
}

static int by_rank(const void *a, const void *b) {
    const guess_t *x = (const guess_t *)a, *y = (const guess_t *)b;
    if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
    return x->listed < y->listed ? -1 : x->listed > y->listed;
}

static int by_low(const void *a, const void *b) {
    const guess_t *x = (const guess_t *)a, *y = (const guess_t *)b;
    if (x->low != y->low) return x->low < y->low ? -1 : 1;
    if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
    return x->guess < y->guess ? -1 : x->guess > y->guess;
}

/* Bring the `many` least of a list to its front, in any order: Hoare's selection. */
static void select_least(guess_t *list, int listed, int many) {
    int from = 0, to = listed - 1;
    while (from < to) {
        const guess_t pivot = list[from + (to - from) / 2];
        int i = from, j = to;
        while (i <= j) {
            while (by_rank(&list[i], &pivot) < 0) i++;
            while (by_rank(&list[j], &pivot) > 0) j--;
            if (i > j) break;
            const guess_t other = list[i];
            list[i++] = list[j];
            list[j--] = other;
        }
        if (many <= j) to = j;
        else if (many > i) from = i;
        else return;
    }
}

/* See to it that the list is in order of rank as far as this place: most guesses of a long list are never tried. */
static void node_sort_to(node_t *N, int to) {
    if (to > N->listed) to = N->listed;
    if (to <= N->sorted) return;
    select_least(N->list + N->sorted, N->listed - N->sorted, to - N->sorted);
    qsort(N->list + N->sorted, (size_t)(to - N->sorted), sizeof *N->list, by_rank);
    N->sorted = to;
}

/* The list in order of rank: at once by bucket sort with unit costs, which have few ranks; else as it is needed. */
static int node_sort(search_t *s, node_t *N) {
    const int n = N->P->n;
    N->sorted = s->costs.unit ? N->listed : 0;
    if (!s->costs.unit) return OPEN;
    const int64_t last = 3 * (int64_t)n + 1; /* no rank is above it: those from 2 n - 1 on */
    int *begin = (int *)allocate(s, (size_t)(n + 3) * sizeof *begin);
    guess_t *sorted = (guess_t *)allocate(s, (size_t)(N->listed + 1) * sizeof *sorted);
    if (!begin || !sorted) return node_fail(s, N);
    memset(begin, 0, (size_t)(n + 3) * sizeof *begin);
    for (int i = 0; i < N->listed; i++) begin[last - N->list[i].rank]++;
    bucket_starts(begin, n + 2);
    for (int i = 0; i < N->listed; i++) sorted[begin[last - N->list[i].rank]++] = N->list[i];
    N->list = sorted;
    return OPEN;
}

/* What the classes that a guess makes of B are likely to cost, by their sizes. */
static int64_t likely_classes(search_t *s, int guess, const int32_t *B, int n, const int64_t *likely_cost) {
    int32_t *size = s->class_size;
    int64_t cost = 0;
    for (int i = 0; i < n; i++) size[game_code(s->game, guess, B[i])]++;
    size[s->game->winning_code] = 0;
    for (int i = 0; i < n; i++) {
        const int code = game_code(s->game, guess, B[i]);
        cost += likely_cost[size[code]];
        size[code] = 0;
    }
    count_work(s, 2 * (int64_t)n);
    return cost;
}

/* For beams: put the first `many` guesses of the list in order of likely cost; for weights of few kinds that of each
   tier, as if it were alone. */
static void node_likely_first(search_t *s, node_t *N, int many) {
    tiered_t t = {1, {*N->P}, {1}, {{0, 0, 0, 0}}};
    search_t *u = s->plain ? s->plain : s;
    arena_mark_t mark = {0};
    if (many > N->listed) many = N->listed;
    if (s->plain) {
        mark = plain_begin(s);
        if (tiers_of(s, N->P, &t) < 0) t.many = 0;
    }
    for (int i = 0; i < many; i++) {
        guess_t *c = &N->list[i];
        c->rank = 0;
        for (int j = 0; j < t.many; j++) {
            const int64_t likely = likely_classes(u, c->guess, t.P[j].answers, t.P[j].n, u->likely_cost);
            c->rank = cost_add(c->rank, cost_times(t.charge[j], likely));
        }
    }
    if (s->plain) plain_end(s, mark);
    qsort(N->list, (size_t)many, sizeof *N->list, by_rank);
}

#endif
