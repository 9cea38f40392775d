/* The search of one position, in numbered steps over one struct; node_value (value.h) runs them, and searches the
   classes in between.

   Branch and bound: a position is bounded before its guesses are listed, guesses are bounded before their classes are
   searched, and are tried in order of their bounds, in waves. Every step keeps the promise of value.h: what is
   settled below the budget is exact, and all else a lower bound.

   1. node_open: the table, the bounds that need no counting.
   2. node_bound: members, then the count bound over the legal guesses.
   3. node_list: the guesses to try, those that may cost less than the budget and that no symmetry maps to an earlier
      one.
   4. node_bound_wave: bounds of all guesses of a wave, until the sum over the classes reaches the budget.
   5. node_search_wave (value.h): what survives, least bound first; a better cost becomes the budget of the rest.
   6. node_close: below the budget the best is exact; else the budget is a proven lower bound.

   Waves lose nothing: they go on until the count bound of the next guess reaches the best. */
#ifndef OPTIMAL_SEARCH_NODE_H
#define OPTIMAL_SEARCH_NODE_H

#include "bounds/batched_bounds.h"
#include "search/equivalence.h"
#include "bounds/refutations.h"
#include "bounds/partition_bounds.h"

#define FRAME_LEAST TUNED(14, 4)   /* smaller sets are searched in their parent's frame */
#define FRAME_TRIES TUNED(24, 1)   /* guesses still to try after the first wave that are worth a frame of their own */
#define NEAR_MOST TUNED(1 << 18, 1 << 9) /* bytes of a frame that is read faster than the whole matrix */
#define WAVE TUNED(32, 2)          /* weighted answers: guesses in the first wave; each is four times the one before */

typedef struct {
    int64_t low;      /* proven lower bound of this guess; 0 where counts are switched off */
    int64_t rank;     /* what it is tried by, the least first: the count bound */
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

/* Step 1: what is known before any guess is counted. Tables hold values and bounds of (position, guesses left). */
static int node_open(search_t *s, node_t *N, const position_t *P, int d, int64_t budget) {
    const int n = P->n;
    assert(n >= 3 && d >= 2 && 0 <= budget && budget <= COST_INF && (d < n || d == FREE));
    node_ask(s, N, P, d, budget);
    const entry_t *e = recall(s, N->key, n);
    for (int equivalent = 0; equivalent < 2; equivalent++) {
        if (equivalent) e = recall_equivalent(s, P, d);
        if (s->stopped) return node_fail(s, N); /* finding the equivalence class is work, too */
        if (!e) continue;
        if (e->exact || e->value >= budget) {
            N->height = e->height;
            N->best = e->value;
            if (equivalent) remember(s, N->key, e->value, e->exact, e->height, e->guess, e->counted, n);
            return SETTLED;
        }
        if (e->value > N->low) N->low = e->value;
    }
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

/* Step 3, for one guess with k classes: put it on the list if it may cost less than the budget. */
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

/* What classes cost by their size, and whether codes are read from the frame. */
static int node_sizes(search_t *s, node_t *N) {
    const int n = N->P->n;
    N->class_least = NULL;
    if (s->costs.unit) {
        N->class_least = (int64_t *)allocate(s, (size_t)(n + 1) * sizeof *N->class_least);
        if (!N->class_least) return node_fail(s, N);
        least_costs(s, n, N->left, N->legal.split_most, N->class_least);
    }
    N->read_frame = (int64_t)n * N->frame->blocks * BLOCK * s->game->width <= NEAR_MOST;
    return OPEN;
}

/* Prepare the waves. */
static int node_prepare(search_t *s, node_t *N) {
    if (node_sort(s, N) || node_sizes(s, N)) return SETTLED;
    if (size_bounds(s, &N->legal, N->frame, N->class_least, N->left, &N->sizes) < 0) return node_fail(s, N);
    N->waves = 0;
    N->from = N->to = N->upto = 0;
    N->wave_rank = 3 * (int64_t)N->P->n - node_most(N);
    return OPEN;
}

/* Give the node a frame of its own, for which the other columns must be counted too. Guesses from `first` on are still
   to be tried. */
static int node_own_frame(search_t *s, node_t *N, int first) {
    bound_columns(s, N->frame, N->P->answers, N->P->n, N->done, N->counts, N->bounds);
    N->done = N->frame->blocks;
    position_t own;
    int32_t *place = (int32_t *)allocate(s, (size_t)N->done * BLOCK * sizeof *place);
    if (!place || s->stopped || compact_position(s, &N->legal, N->done, N->counts, &own, &N->own_frame, place) < 0)
        return node_fail(s, N);
    /* Guesses that are still to be tried are columns of it, next to each other. */
    for (int i = first; i < N->listed; i++)
        if (N->list[i].column >= 0) N->list[i].column = place[N->list[i].column];
    s->tally[FRAMES_NUMBER].asked++;
    s->tally[FRAMES_NUMBER].settled += (uint64_t)(N->frame->blocks - own.frame->blocks) * BLOCK;
    N->legal = own;
    N->frame = N->legal.frame;
    N->done = 0; /* the counts are those of the old frame's columns */
    N->read_frame = 1;
    return OPEN;
}

/* The next wave of guesses, by falling class count: a good tree found early makes most of the rest unnecessary. Waves
   lose nothing: they go on until the count bound of the next guess reaches the best. Returns 0 when none is left. */
static int node_next_wave(search_t *s, node_t *N) {
    const int first = N->upto, step = WAVE << 2 * (N->waves < 8 ? N->waves : 8);
    if (!s->costs.unit) node_sort_to(N, first + step);
    if (s->stopped || first >= N->listed || N->list[first].low >= N->best) return 0;
    N->from = first;
    if (s->costs.unit) {
        do N->wave_rank += N->waves == 0 ? 2 : N->waves == 1 ? 6 : 18, N->waves++;
        while (N->list[first].rank > N->wave_rank);
        /* Where any tree will do, one is soon found or hard to find: a few guesses at a time, and more each time. */
        const int many = s->feasibility_only ? step : N->listed;
        while (N->upto < N->listed && N->upto - first < many && N->list[N->upto].rank <= N->wave_rank
               && N->list[N->upto].low < N->best)
            N->upto++;
        if (N->upto < N->listed && N->list[N->upto].rank <= N->wave_rank) N->wave_rank = N->list[N->upto].rank - 1;
    } else {
        N->waves++;
        while (N->upto < N->listed && N->upto - first < step && N->list[N->upto].low < N->best) N->upto++;
    }
    /* Many guesses to try are worth a frame of their own. */
    if (N->P->n < FRAME_LEAST || N->upto - first < FRAME_TRIES || N->waves < 2 || N->frame == &N->own_frame
        || !(s->switches & FRAMES))
        return 1;
    return !node_own_frame(s, N, first)
           && (size_bounds(s, &N->legal, N->frame, N->class_least, N->left, &N->sizes) == 0 || node_fail(s, N) == OPEN);
}

/* The codes of a guess to try, as codes_begin. */
static inline int node_codes(search_t *s, const node_t *N, const guess_t *c, codes_t *codes) {
    return codes_begin(s, &N->legal, c->guess, N->frame, N->read_frame ? c->column : -1, codes);
}

/* The classes of a guess to try; -1 when memory runs out. */
static int node_split(search_t *s, const node_t *N, const guess_t *c, partition_t *p) {
    codes_t codes;
    int classes = -1;
    if (node_codes(s, N, c, &codes) == 0) classes = split_codes(s, &N->legal, c->guess, &codes, p);
    codes_end(s, &codes);
    return classes;
}

/* The same; 0 where what is known of them refutes the guess, which has one at least. */
static int node_split_unknown(search_t *s, const node_t *N, const guess_t *c, partition_t *p) {
    codes_t codes;
    int classes = -1;
    if (node_codes(s, N, c, &codes) == 0)
        classes = known_refute(s, &N->legal, &codes, N->left, N->class_least, N->best)
                      ? 0 : split_codes(s, &N->legal, c->guess, &codes, p);
    codes_end(s, &codes);
    return classes;
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

/* For beams: put the first `many` guesses of the list in order of likely cost. */
static void node_likely_first(search_t *s, node_t *N, int many, const int64_t *likely_cost) {
    if (many > N->listed) many = N->listed;
    for (int i = 0; i < many; i++)
        N->list[i].rank = likely_classes(s, N->list[i].guess, N->P->answers, N->P->n, likely_cost);
    qsort(N->list, (size_t)many, sizeof *N->list, by_rank);
}

/* The order of ties: members first, then by place in the list of all guesses. */
static int by_ties(const void *a, const void *b) {
    const guess_t *x = (const guess_t *)a, *y = (const guess_t *)b;
    return x->member != y->member ? y->member - x->member : x->guess - y->guess;
}

/* For the canonical tree: all guesses that may cost as little as V, the value, in the order of ties. */
static int node_list_least(search_t *s, node_t *N, const position_t *P, int d, int64_t V) {
    node_ask(s, N, P, d, V + 1);
    if (node_best_member(s, N) || node_restrict(s, N) || node_list(s, N) || node_sizes(s, N)) return SETTLED;
    qsort(N->list, (size_t)N->listed, sizeof *N->list, by_ties);
    return P->n >= FRAME_LEAST && s->switches & FRAMES ? node_own_frame(s, N, 0) : OPEN;
}

/* A guess whose cost is found out: the best so far. */
static inline void node_found(node_t *N, const guess_t *c, int64_t value, int height) {
    N->best = value;
    N->height = height;
    N->guess = c->guess;
}

/* Keep the class of a guess that has no tree, if there is one, as a nogood. */
static inline void node_add_nogood(search_t *s, const node_t *N, const partition_t *p) {
    if (p->failed < 0 || !N->near) return;
    const position_t *q = &p->position[p->failed];
    nogood_add(s, &N->legal, q->answers, q->n, N->left, N->near);
}

/* Whether the classes of a wave are worth counting at once (batched_bounds.h). */
static inline int node_batches(const search_t *s, const node_t *N) {
    return s->switches & AT_ONCE && s->switches & COUNTS && s->switches & TABLE && s->costs.unit
           && s->game->rules == NORMAL && s->game->width == 1 && s->game->root.cap[0] < BATCH_COUNT_MOST
           && !s->feasibility_only && N->best < COST_INF && N->P->n >= BATCH_LEAST && N->left > 2
           && N->upto - N->from >= BATCH_FIRST;
}

/* Step 4, before it: count the largest classes of the guesses of the wave at once, as long as that refutes them.
   Returns where those end that are left. */
static int node_count_batched(search_t *s, node_t *N) {
    const arena_mark_t mark = arena_mark(&s->arena);
    int end = N->upto, many = BATCH_FIRST;
    batch_t batch;
    if (batch_begin(s, &N->legal, N->left, N->counts, N->done, &batch) < 0) return end;
    for (int round = 0; round < BATCH_ROUNDS && many >= batch_worth(&batch) && !s->stopped; round++) {
        int kept = N->from;
        many = 0;
        for (int i = N->from; i < end && !s->stopped && N->list[i].low < N->best; i++) {
            const guess_t c = N->list[i];
            if (round == 0 && sizes_refute(s, &N->legal, &N->sizes, c.guess, c.column, c.member, N->best)) continue;
            const arena_mark_t inner = arena_mark(&s->arena);
            partition_t p;
            const int classes = node_split_unknown(s, N, &c, &p);
            int refuted = classes == 0;
            if (classes > 0) {
                int height, largest = p.classes - 1;
                refuted = sum_table_bounds(s, &N->legal, &p, N->left, N->class_least, N->best, &height) >= N->best;
                while (largest >= 0 && (p.exact[largest] || p.counted[largest])) largest--;
                if (!refuted && largest >= 0) many += batch_add(&batch, &p.position[largest]);
                refuted &= p.failed < 0; /* what has no tree is learned of later */
            }
            arena_release(&s->arena, inner);
            s->tally[AT_ONCE_NUMBER].settled += (uint64_t)refuted;
            if (!refuted) N->list[kept++] = c;
            if (batch.sets == BATCH_MOST) batch_count(s, &batch);
        }
        if (batch.sets >= batch_worth(&batch)) batch_count(s, &batch);
        else batch_clear(&batch);
        if (!s->stopped) end = kept;
    }
    arena_release(&s->arena, mark);
    return end;
}

/* Step 4: bounds of all guesses of the wave, those with the most classes first; [from, to) are what survives, least
   bound first. Most fall to the count bound of one class; a guess all of whose classes are exact is settled here.
   Returns SETTLED where one tree was all that is asked. */
static int node_bound_wave(search_t *s, node_t *N) {
    const int end = node_batches(s, N) ? node_count_batched(s, N) : N->upto;
    N->to = N->from;
    for (int i = N->from; i < end && !s->stopped; i++) {
        const guess_t c = N->list[i];
        partition_t p;
        int height;
        if (c.low >= N->best) break;
        if (nogoods_refute(s, N->near, c.guess)) continue;
        if (sizes_refute(s, &N->legal, &N->sizes, c.guess, c.column, c.member, N->best)) continue;
        s->guesses_tried++;
        const arena_mark_t inner = arena_mark(&s->arena);
        const int classes = node_split_unknown(s, N, &c, &p);
        if (classes == 0) {
            arena_release(&s->arena, inner);
            continue;
        }
        if (classes < 0) break;
        int64_t v = sum_table_bounds(s, &N->legal, &p, N->left, N->class_least, N->best, &height);
        if (v < N->best && !height) v = sum_count_bounds(s, &p, v, N->left, N->best);
        node_add_nogood(s, N, &p);
        arena_release(&s->arena, inner);
        if (v >= N->best || s->stopped) continue;
        if (!height) {
            N->list[N->to] = c;
            N->list[N->to++].low = v;
        } else {
            node_found(N, &c, v, height);
            if (s->feasibility_only) return node_settle(s, N, v);
        }
    }
    qsort(N->list + N->from, (size_t)(N->to - N->from), sizeof *N->list, by_low);
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
