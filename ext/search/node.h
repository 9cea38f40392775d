/* The search of one position, in numbered steps over one struct; node_value (value.h) runs them, and searches the
   classes in between.

   Branch and bound: a position is bounded before its guesses are listed, guesses are bounded before their classes are
   searched, and are tried in order of their bounds, in waves. Every step keeps the promise of value.h: what is
   settled below the budget is exact, and all else a lower bound.

   1. node_open: the table, the bounds that need no counting.
   2. node_bound: members, then the count bound over the legal guesses.
   3. node_list (guess_list.h): the guesses to try, those that may cost less than the budget and that no symmetry maps
      to an earlier one.
   4. node_bound_wave (waves.h): bounds of all guesses of a wave, until the sum over the classes reaches the budget.
   5. node_search_wave (value.h): what survives, least bound first; a better cost becomes the budget of the rest.
   6. node_close: below the budget the best is exact; else the budget is a proven lower bound. */
#ifndef OPTIMAL_SEARCH_NODE_H
#define OPTIMAL_SEARCH_NODE_H

#include "bounds/refutations.h"
#include "bounds/partition_bounds.h"
#include "search/equivalence.h"

typedef struct {
    int64_t low;      /* proven lower bound of this guess; 0 where counts are switched off */
    int64_t rank;     /* the count bound, proven; the least is tried first */
    int32_t guess;
    int32_t column;   /* of the node's frame */
    int32_t member;   /* whether it may be the answer */
    int32_t listed;   /* its place when ranks are equal */
} guess_t;

/* What maps a position to itself, where the game has such maps (automorphisms.h). */
typedef struct {
    int count;        /* -1: nothing is known to */
    const automorphism_t *maps;
} automorphisms_t;

typedef struct node_t {
    /* The question: the least cost of P within d guesses, if it is below the budget. */
    const position_t *P;
    int d, left;                   /* guesses left, and after one more */
    int64_t budget;
    key128 key;
    arena_mark_t mark;             /* what the node takes from the arena lies above */
    /* The answer so far. */
    int64_t low;                   /* proven lower bound */
    int64_t best;                  /* the budget, or the least cost below it found so far */
    int height, guess;             /* of the tree of that cost */
    /* What is known of P. */
    int best_member;               /* the most classes of a member */
    weights_t weights;
    position_t legal;              /* P with a frame of legal guesses; later with one of its own */
    frame_t legal_frame, own_frame;
    const frame_t *frame;          /* the legal frame: columns are counted in it */
    int done;                      /* blocks of it that are counted */
    int most;                      /* the most classes counted so far */
    uint16_t *counts;              /* classes of its columns */
    uint64_t *bounds;              /* by block, the columns whose counts are only bounds from above, a bit each */
    uint16_t *member_counts;       /* classes of the members, NULL before they are counted */
    int64_t *class_least;          /* by size: the least cost of a class */
    size_bounds_t sizes;
    automorphisms_t automorphisms;
    nogoods_near_t *near;          /* nogoods that its guesses are held against; NULL: none serve */
    /* The guesses to try, and the wave that is under way. */
    guess_t *list;
    int listed, sorted;            /* how many, and how many are in order */
    int from, to, upto;            /* wave: [from, upto), of which [from, to) survive its bounds */
    int waves;
    int64_t wave_rank;             /* unit costs: the wave goes up to this rank */
    int read_frame;                /* whether codes are read from the frame */
} node_t;

enum { OPEN, SETTLED };            /* what a step says: go on, or the answer is in `best` */

/* Release a node's memory; its answer is `value`. */
static inline int node_settle(search_t *s, node_t *N, int64_t value) {
    arena_release(&s->arena, N->mark);
    N->best = value;
    return SETTLED;
}

/* The same, and store it. */
static inline int node_store(search_t *s, node_t *N, int64_t value, int exact, int counted) {
    remember(s, N->key, value, exact, N->height, N->guess, counted, N->P->n);
    remember_equivalent(s, N->P, N->d, value, exact, N->height, N->guess, counted);
    return node_settle(s, N, value);
}

/* Memory ran out, or the search was stopped: nothing is proven. */
static inline int node_fail(search_t *s, node_t *N) {
    N->height = 0;
    N->guess = NO_GUESS;
    return node_settle(s, N, UNPROVEN);
}

/* Put the question to a new node. */
static void node_ask(search_t *s, node_t *N, const position_t *P, int d, int64_t budget) {
    N->P = P;
    N->d = d;
    N->left = guesses_after(d);
    N->budget = N->best = budget;
    N->key = position_key(s, P, d);
    N->mark = arena_mark(&s->arena);
    N->low = 0;
    N->height = 0;
    N->guess = NO_GUESS;
    N->member_counts = NULL;
    N->near = NULL;
}

/* A guess whose cost is found out: the best so far. */
static inline void node_found(node_t *N, const guess_t *c, int64_t value, int height) {
    N->best = value;
    N->height = height;
    N->guess = c->guess;
}

/* Step 1, by the tables, which hold values and bounds of (position, guesses left): of P, and of what is equivalent. */
static inline int node_recall(search_t *s, node_t *N) {
    const position_t *P = N->P;
    const entry_t *e = recall(s, N->key, P->n);
    for (int equivalent = 0; equivalent < 2; equivalent++) {
        if (equivalent) e = recall_equivalent(s, P, N->d);
        if (s->stopped) return node_fail(s, N); /* finding the equivalence class is work, too */
        if (!e) continue;
        if (e->exact || e->value >= N->budget) {
            N->height = e->height;
            N->best = e->value;
            if (equivalent) remember(s, N->key, e->value, e->exact, e->height, e->guess, e->counted, P->n);
            return SETTLED;
        }
        if (e->value > N->low) N->low = e->value;
    }
    return OPEN;
}

/* Step 1: what is known before any guess is counted. */
static int node_open(search_t *s, node_t *N, const position_t *P, int d, int64_t budget) {
    const int n = P->n;
    assert(n >= 3 && d >= 2 && 0 <= budget && budget <= COST_INF && (d < n || d == FREE));
    node_ask(s, N, P, d, budget);
    if (node_recall(s, N)) return SETTLED;
    int64_t v = cost_trivial(&s->costs, P->answers, n, d, P->depth);
    if (cost_is_trivial(&s->costs, P->depth)) {
        N->height = 2;
        N->best = v;
        return SETTLED;
    }
    if (v < budget) v = size_bound(s, n, d, P->split_most);
    /* Trees beyond the limit, or that would outgrow the stack, are found out before they are tried. */
    const int before_last = guesses_before_last(s, n);
    if (before_last >= d) v = COST_INF;
    if (v >= budget) {
        N->best = v;
        return SETTLED;
    }
    s->nodes++;
    count_work(s, n);
    guard_depth(s, before_last);
    if (s->stopped) return node_fail(s, N);
    if (!nogoods_serve(s, d)) return OPEN;
    N->near = (nogoods_near_t *)allocate(s, sizeof *N->near);
    if (!N->near) return node_fail(s, N);
    return nogoods_gather(s, P, d, N->near) ? node_store(s, N, COST_INF, 1, 1) : OPEN;
}

/* The most classes counted, a member counting one more. */
static inline int node_most(const node_t *N) {
    return N->most > N->best_member + 1 ? N->most : N->best_member + 1;
}

/* The legal guesses as a frame, and room for counts of its columns. */
static int node_restrict(search_t *s, node_t *N) {
    const position_t *P = N->P;
    N->done = N->most = 0;
    if (restrict_position(s, P, &N->legal, &N->legal_frame) < 0) return node_fail(s, N);
    N->frame = N->legal.frame;
    N->counts = (uint16_t *)allocate(s, (size_t)N->frame->blocks * BLOCK * sizeof *N->counts);
    N->bounds = (uint64_t *)allocate(s, (size_t)N->frame->blocks * sizeof *N->bounds);
    if (!N->counts || !N->bounds || sort_weights(s, P, &N->weights) < 0) return node_fail(s, N);
    return OPEN;
}

/* Count the classes of every member, once. */
static int node_count_members(search_t *s, node_t *N) {
    if (N->member_counts) return OPEN;
    N->member_counts = (uint16_t *)allocate(s, (size_t)N->P->n * sizeof *N->member_counts);
    if (!N->member_counts) return node_fail(s, N);
    N->best_member = count_members(s, N->P->answers, N->P->n, N->P->answers, N->P->n, N->member_counts);
    return s->stopped ? node_fail(s, N) : OPEN;
}

/* The most classes of a member; where weights differ, those of all are asked for next. */
static int node_best_member(search_t *s, node_t *N) {
    if (!s->costs.uniform) return node_count_members(s, N);
    N->best_member = best_member(s, N->P);
    return s->stopped ? node_fail(s, N) : OPEN;
}

/* Step 2: members, then the count bound over all legal guesses (bounds.h tells why these hold). */
static int node_bound(search_t *s, node_t *N) {
    const position_t *P = N->P;
    const int n = P->n, d = N->d;
    if (node_best_member(s, N)) return SETTLED;
    const int k = N->best_member;
    const int64_t v = value_by_members(s, P, d, k, &N->height);
    if (s->stopped) return node_fail(s, N);
    if (v >= 0) return node_store(s, N, v, 1, 1);
    if (node_restrict(s, N)) return SETTLED;
    s->count_calls++;
    N->most = k;
    if (!(s->switches & COUNTS)) return OPEN;
    tally_t *tally = &s->tally[COUNTS_NUMBER];
    tally->asked++;
    tally->settled++;
    const int64_t members = members_bound(s, P, &N->weights, k, N->member_counts);
    const int needless = needless_classes(s, P, &N->weights, d, k, members, N->budget);
    N->done = count_columns(s, N->frame, P->answers, n, 0, needless, 1, n, &N->most, N->counts, N->bounds);
    if (s->stopped) return node_fail(s, N);
    const bound_t b = counted_bound(s, P, &N->weights, d, members, N->most, needless);
    N->height = b.height;
    if (b.exact) return node_store(s, N, b.low, 1, 1);
    const int64_t within = size_bound(s, n, d, node_most(N) > needless ? node_most(N) : needless);
    if (b.low > N->low) N->low = b.low;
    if (within > N->low) N->low = within;
    if (N->low >= COST_INF) return node_store(s, N, COST_INF, 1, 1);
    if (N->low >= N->budget) return node_store(s, N, N->low, 0, b.counted);
    tally->settled--;
    return OPEN;
}

/* Step 6: below the budget the best cost is exact; else every guess reached the budget, which bounds V. If every tree
   would stay below the budget and none does, there is no tree. */
static int64_t node_close(search_t *s, node_t *N) {
    assert(s->stopped || N->best >= N->budget || (N->best >= N->low && N->height >= 2 && N->height <= N->d));
    if (s->stopped) node_fail(s, N);
    else if (N->best < N->budget) node_store(s, N, N->best, 1, 1);
    else if (N->budget > costliest_tree(s, N->P, N->d)) node_store(s, N, COST_INF, 1, 1);
    else node_store(s, N, N->best, 0, 1);
    return N->best;
}

#endif
