/* The canonical tree: which of all least-cost trees is stored.

   Search stops at equality, so the trees that it finds depend on chance. The canonical tree is chosen afterwards: at
   every position, with its guesses left, the guess of least (cost, height of its canonical tree, not a member, place
   in the list). Every class of a least-cost tree is least itself, so heights compose, and the choice at a position
   depends on nothing but what position_key holds: this table's keys are made by it too. */
#ifndef OPTIMAL_SEARCH_CANONICAL_H
#define OPTIMAL_SEARCH_CANONICAL_H

#include "search/beams.h"
#include "search/teamwork.h"

#define CANONICAL_SLOTS ((size_t)1 << 20) /* at most, and a quarter of those of the table of values */
#define LIKELY_MOST 12   /* larger positions are not searched for a likely tree */
#define LIKELY_UNITS 60  /* of work, less than a second, that go into the others at most */
#define LIKELY_SOLVED 40 /* while half of them are left, positions up to this size have a unit each */

/* What the choice needs of a search; -1 when memory runs out. */
static int canonical_init(search_t *s) {
    const size_t most = s->values.own.max_slots / 4;
    return table_init(&s->canonical.own, 1024, most < CANONICAL_SLOTS ? most : CANONICAL_SLOTS);
}

/* The heaviest member, the first in the list of those that weigh the same: the guess for one answer or two, since no
   other finds two as soon, and the last guess of a game. */
static int heaviest_guess(const search_t *s, const position_t *P) {
    int best = s->game->answer_guess[P->answers[0]];
    int64_t most = cost_weight(&s->costs, P->answers[0]);
    for (int i = 1; i < P->n; i++) {
        const int guess = s->game->answer_guess[P->answers[i]];
        const int64_t weight = cost_weight(&s->costs, P->answers[i]);
        if (weight > most || (weight == most && guess < best)) best = guess, most = weight;
    }
    return best;
}

/* The order of ties: members first, then by place in the list of all guesses. */
static int by_ties(const void *a, const void *b) {
    const guess_t *x = (const guess_t *)a, *y = (const guess_t *)b;
    return x->member != y->member ? y->member - x->member : x->guess - y->guess;
}

/* All guesses that may cost as little as V, the value, in the order of ties. */
static int node_list_least(search_t *s, node_t *N, const position_t *P, int d, int64_t V) {
    node_ask(s, N, P, d, V + 1);
    if (node_best_member(s, N) || node_restrict(s, N) || node_list(s, N) || node_sizes(s, N)) return SETTLED;
    qsort(N->list, (size_t)N->listed, sizeof *N->list, by_ties);
    return P->n >= FRAME_LEAST && s->switches & FRAMES ? node_own_frame(s, N, 0) : OPEN;
}

static int canonical_guess(search_t *s, const position_t *P, int d, int *height);

/* The greatest canonical height of the classes; gives up at `most`, which is no better than known. FREE where a class
   has no tree. */
static int canonical_height(search_t *s, partition_t *p, int d, int most) {
    int tallest = 0;
    s->level++;
    for (int i = 0; i < p->classes && tallest < most; i++) {
        int h = 0;
        if (canonical_guess(s, &p->position[i], d, &h) < 0) h = FREE;
        if (h > tallest) tallest = h;
    }
    s->level--;
    return tallest;
}

/* The canonical height of the classes of a guess on the list; `most` or more if that isn't below it, or the guess costs
   more than V. */
static int canonical_classes(search_t *s, const node_t *N, int place, int64_t V, int most) {
    const arena_mark_t inner = arena_mark(&s->arena);
    partition_t p;
    int height, tallest = FREE;
    if (node_split(s, N, &N->list[place], &p) < 0) return FREE;
    int64_t v = sum_table_bounds(s, &N->legal, &p, N->left, N->class_least, V + 1, &height);
    if (v <= V && !height) v = finish_guess(s, &p, v, N->left, V + 1, &height);
    if (v == V && !s->stopped) tallest = canonical_height(s, &p, N->left, most);
    arena_release(&s->arena, inner);
    return s->stopped ? FREE : tallest;
}

/* The guess of P's canonical tree and that tree's height; -1 if infeasible or stopped.

   Only guesses whose bound is not above V can be least; each is valued with the budget V + 1, mostly from the table. A
   guess whose tree can't be lower than the best seen is dropped at its first class that is as high. Members come first,
   then the list order, and only a strictly lower tree displaces an earlier guess. */
static int canonical_guess(search_t *s, const position_t *P, int d, int *height) {
    if (P->n <= 2) {
        *height = P->n;
        return d >= P->n ? heaviest_guess(s, P) : -1;
    }
    if (cost_is_trivial(&s->costs, P->depth)) { /* what comes after the last guess costs nothing */
        *height = 2;
        return heaviest_guess(s, P);
    }
    d = guesses_that_bind(P, d);
    const key128 key = position_key(s, P, d);
    const entry_t *known = values_find(&s->canonical, key);
    if (known) {
        *height = known->height;
        return known->guess;
    }
    int h = 0;
    node_t N;
    guard_depth(s, 0);
    const int64_t V = value(s, P, d, COST_INF, &h);
    if (V >= COST_INF || s->stopped || node_list_least(s, &N, P, d, V) == SETTLED) return -1;
    /* Two levels mean that all classes are singletons, which costs 2n at most where all answers cost the same. Where
       the game ends after its last guess, heights tell nothing: the first guess will do. */
    const int least = s->costs.final ? FREE : s->costs.unit && V > 2 * (int64_t)P->n ? 3 : 2;
    int lowest = FREE + 1, place = 0;
    if (s->team && P->n >= s->team->least) {
        offer_t offer;
        offer.kind = CHOOSE_GUESS;
        offer.choose = canonical_classes;
        offer.value = V;
        offer.least = least;
        offer.lowest = lowest;
        offer.place = place;
        team_share(s, &offer, &N, 0, N.listed);
        lowest = offer.lowest;
        place = offer.place;
    } else {
        for (int i = 0; i < N.listed && lowest > least && !s->stopped; i++) {
            h = canonical_classes(s, &N, i, V, lowest - 1);
            if (h < lowest - 1) lowest = h + 1, place = i;
        }
    }
    arena_release(&s->arena, N.mark);
    if (s->stopped || lowest > FREE) return -1; /* no guess attains V: the replay of the tree would say so, too */
    values_store(&s->canonical, key, V, 1, lowest, N.list[place].guess, 1, P->n);
    *height = lowest;
    return N.list[place].guess;
}

/* A guess that the tables say is best, or one that probably is good; -1 where there is none. */
static int likely_guess(search_t *s, const position_t *P, int d) {
    int h = 0, guess = exact_guess(s, P, d);
    if (guess < 0 && P->n > LIKELY_MOST && P->n <= LIKELY_SOLVED && s->units_left > LIKELY_UNITS / 2) {
        /* What was exact may have been lost since, and older plans cost more. */
        value_in_units(s, P, d, COST_INF, 1, &h);
        guess = exact_guess(s, P, d);
    }
    if (guess >= 0) return guess;
    if (P->n > LIKELY_MOST && !plan_of(s, P, d)) beam(s, P, d, s->round, COST_INF, &h); /* as it was found, if it was */
    const entry_t *e = plan_of(s, P, d);
    if (e && e->value < COST_INF) return e->guess;
    return e && P->n > LIKELY_MOST ? -1 : canonical_guess(s, P, d, &h);
}

/* The classes of a guess of a tree, as split_legal finds them; -1 when the search stops. */
static int tree_split(search_t *s, const position_t *P, int guess, position_t *legal, frame_t *frame, partition_t *p) {
    guard_depth(s, guesses_before_last(s, P->n));
    return s->stopped ? -1 : split_legal(s, P, guess, legal, frame, p);
}

/* (cost, guess, height) of the canonical tree from here on; guess -1 and a lower bound if cost >= budget. */
static int64_t best_guess(search_t *s, int d, int64_t budget, int *guess, int *height) {
    const position_t *P = s->start;
    int64_t v = cost_trivial(&s->costs, P->answers, P->n, d, P->depth);
    *guess = -1;
    *height = 0;
    if (P->n > 2 && v < COST_INF) v = value(s, P, d, budget, height);
    if (v < budget && v < COST_INF && !s->stopped) *guess = canonical_guess(s, P, d, height);
    return v;
}

#endif
