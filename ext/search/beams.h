/* Trees at once: greedy play and beams.

   A beam of width k takes, at every position, the best of the trees that begin with its k likeliest guesses, each
   class of which is played by the same rule; small classes are solved. Beams prove nothing: what they cost is an
   upper bound. They go from one round to the next with wider beams and larger classes solved, and the table of values
   that small classes fill serves the proof.

   Quick play, for games so large that greedy play takes a second, considers some of the guesses alone; where its guess
   has no tree within the limit, any tree will do.

   The cost of a tree may serve as the incumbent: openers are asked for anything up to and including it, and the tree of
   an OPTIMAL result is found afterwards by the canonical pass. A budget may cut a beam short: that it found no tree
   then says nothing of the position. */
#ifndef OPTIMAL_SEARCH_BEAMS_H
#define OPTIMAL_SEARCH_BEAMS_H

#include <math.h>

#include "bounds/families.h"
#include "search/value.h"

#define ROUNDS_MOST 6
#define PLAN_SLOTS ((size_t)1 << 20) /* at most, and a quarter of those of the table of values */
#define REPAIRS 100          /* guesses tried beyond the width where none so far has a tree within the limit */
#define SMALL_UNITS 8        /* a small class is solved only if it takes no more work units */
#define ANY_UNITS 256        /* in the first round: for any tree within the limit */
#define ANY_UNITS_FREE 1024  /* the same where the work has no bound */
#define ANY_LEAST 24         /* answers of the smallest set whose guesses are tried with little time each */
#define ANY_WIDTH 24         /* of them */
#define ANY_STEP 4           /* a search in order has this part of the time; then each turn so many times the last */

#define QUICK_PLAY (-1)      /* a round that comes before the others */
#define QUICK_GUESSES TUNED(1024, 64) /* of those with the most classes on all answers: what quick play considers */
#define QUICK_MEMBERS 64     /* and of the members */
#define QUICK_UNITS 4        /* of work, for any tree where its guess has none within the limit */

/* By round: the width, the answers of the largest class that is solved. */
static const int beam_width[ROUNDS_MOST] = {1, 3, 10, 30, 100, 300};
static const int beam_solved[ROUNDS_MOST] = {12, 24, 40, 64, 100, 160};

/* What beams need of a search; -1 when memory runs out. */
static int beams_init(search_t *s) {
    const int n = s->game->answers;
    const size_t most = s->values.own.max_slots / 4;
    s->likely_cost = (int64_t *)arena_alloc(&s->arena, ((size_t)n + 1) * sizeof *s->likely_cost);
    if (!s->likely_cost || table_init(&s->plans, 1024, most < PLAN_SLOTS ? most : PLAN_SLOTS) < 0) return -1;
    if (s->plain && beams_init(s->plain) < 0) return -1;
    /* In 1/256 guesses; fitted to exact values of word games of 2 to 13000 answers. Small classes cost twice their size,
       less one; from 8 answers on, one more guess is needed every five doublings. */
    for (int m = 0; m <= n; m++)
        s->likely_cost[m] = 256 * (2 * (int64_t)m - (m > 0)) + (m > 8 ? (int64_t)(48 * m * log2(m / 8.0)) : 0);
    return 0;
}

static inline const entry_t *plan_of(search_t *s, const position_t *P, int d) {
    return table_find(&s->plans, position_key(s, P, d));
}

/* Keep the best tree found, and that it is what this round finds (-1: no round). COST_INF: none was. */
static void keep_plan(search_t *s, key128 key, int64_t cost, int height, int guess, int round, int n) {
    entry_t *e = table_find(&s->plans, key);
    const int rounds = (1 << (round + 1)) - 1; /* a bit each */
    if (e && (e->value < cost || (e->value == cost && e->height <= height))) e->counted |= (uint8_t)rounds;
    else table_store(&s->plans, key, cost, 1, height, guess, rounds, n);
}

/* V(P, d) as `value` promises it, -1 where that takes more work units. */
static int64_t value_in_units(search_t *s, const position_t *P, int d, int64_t budget, int units, int *height) {
    const int outer = s->units_left;
    if (outer >= 0 && outer < units) units = outer;
    s->units_left = units;
    int64_t v = value(s, P, d, budget, height);
    units -= s->units_left;
    if (s->stopped && units_ran_out(s)) {
        s->stopped = 0;
        v = -1;
    }
    s->units_left = outer;
    if (outer >= 0) {
        s->units_left = outer - units;
        if (outer < units) {
            s->units_left = -1;
            s->stopped = 1;
        }
    }
    return v;
}

static void keep_found(search_t *s, const node_t *N) {
    keep_plan(s, N->key, N->best, N->height, N->guess, -1, N->P->n);
}

/* The cost of some tree of P within d guesses, kept as a plan; COST_INF if there is none, -1 where that takes long. */
static int64_t any_value(search_t *s, const position_t *P, int d, int units) {
    const int feasibility_only = s->feasibility_only;
    void (*const found)(search_t *, const node_t *) = s->hooks.found;
    int height = 0;
    /* What is left of a beam's time is for guesses one by one. */
    if (s->units_left >= 0 && s->units_left / 4 < units) units = s->units_left / 4;
    s->feasibility_only = 1;
    s->hooks.found = keep_found;
    const int64_t v = value_in_units(s, P, d, COST_INF, units, &height);
    s->feasibility_only = feasibility_only;
    s->hooks.found = found;
    return v;
}

/* List the guesses of a position, likeliest first as far as a beam of this width goes; SETTLED: there are none. */
static int beam_list(search_t *s, node_t *N, const position_t *P, int d, int64_t budget, int width) {
    guard_depth(s, guesses_before_last(s, P->n));
    node_ask(s, N, P, d, budget);
    if (s->stopped || node_best_member(s, N) || node_restrict(s, N) || node_list(s, N) || node_sort(s, N)
        || node_sizes(s, N))
        return SETTLED;
    node_sort_to(N, N->listed);
    if (s->costs.unit || s->plain) node_likely_first(s, N, 4 * width + 12);
    return OPEN;
}

static int64_t any_guess(search_t *s, node_t *N, int units);
static int64_t any_by_number(search_t *s, const position_t *P, int d, int units);

/* The cost of some tree of P within d guesses, kept as a plan; COST_INF if there is none, -1 if none is found.

   Where that takes long, it nearly always is for one class of a guess, tree or no tree. So many guesses are tried, with
   little time for each of their classes, and again with more of it. */
static int64_t any_tree(search_t *s, const position_t *P, int d, int units) {
    const entry_t *e = plan_of(s, P, d);
    node_t N;
    if (e && e->value < COST_INF) return e->value;
    if (s->plain) return any_by_number(s, P, d, units);
    if (d <= 3 || P->n < ANY_LEAST || units < ANY_STEP) return any_value(s, P, d, units);
    int64_t v = any_value(s, P, d, units / ANY_STEP);
    if (v >= 0 || s->stopped || beam_list(s, &N, P, d, costliest_tree(s, P, d) + 1, ANY_WIDTH) == SETTLED) return v;
    for (int each = 1; v < 0 && each <= units / ANY_STEP && !s->stopped; each *= ANY_STEP) v = any_guess(s, &N, each);
    arena_release(&s->arena, N.mark);
    return v;
}

/* What a guess costs by some trees of its classes, `total` being the sum of their bounds; COST_INF where one has none
   that is found. The larger classes come first. */
static int64_t any_classes(search_t *s, partition_t *p, int64_t total, int d, int units, int *height) {
    int tallest = 0;
    s->level++;
    for (int j = p->classes - 1; j >= 0; j--) {
        if (!p->exact[j]) {
            const int64_t v = any_tree(s, &p->position[j], d, units);
            if (s->stopped) break;
            if (v < 0 || v >= COST_INF) {
                total = class_fails(p, j);
                break;
            }
            total = raise_low(p, j, v, total);
            const entry_t *e = plan_of(s, &p->position[j], d);
            p->height[j] = (uint16_t)(e ? e->height : d);
        }
        if (p->height[j] > tallest) tallest = p->height[j];
    }
    s->level--;
    *height = tallest + 1;
    return total;
}

/* The same by the likeliest guesses of a listed node, with so many work units for each class. */
static int64_t any_guess(search_t *s, node_t *N, int units) {
    const arena_mark_t outer = arena_mark(&s->arena);
    int64_t total = COST_INF;
    failures_t failures;
    if (failures_init(s, &failures, N->P->n) < 0) return -1;
    for (int i = 0, tried = 0; i < N->listed && tried < ANY_WIDTH && !s->stopped; i++) {
        const arena_mark_t inner = arena_mark(&s->arena);
        partition_t p;
        int height;
        if (failures_refute(s, &failures, N->list[i].guess)) continue;
        tried++;
        if (node_split(s, N, &N->list[i], &p) < 0) break;
        total = sum_table_bounds(s, &N->legal, &p, N->left, N->class_least, COST_INF, &height);
        if (total < COST_INF && !height) {
            total = any_classes(s, &p, total, N->left, units, &height);
            if (p.failed >= 0) failures_add(&failures, &p.position[p.failed]);
        }
        arena_release(&s->arena, inner);
        if (total < COST_INF && !s->stopped) {
            keep_plan(s, N->key, total, height, N->list[i].guess, -1, N->P->n);
            break;
        }
    }
    arena_release(&s->arena, outer);
    return total < COST_INF && !s->stopped ? total : -1;
}

/* A guess that a least tree of P within d guesses begins with, by the tables; -1 if they know none. */
static int exact_guess(search_t *s, const position_t *P, int d) {
    if (s->plain && tier_alike(s, P)) return exact_guess(s->plain, P, d);
    const entry_t *e = recall(s, position_key(s, P, FREE), P->n);
    if (!e || !e->exact || e->height > d) e = recall(s, position_key(s, P, d), P->n);
    return e && e->exact && e->guess != NO_GUESS ? e->guess : -1;
}

/* What the tree of P costs by weight that s->plain has found, kept as plans; -1 where it can't be put together. Small
   sets are solved, and those whose value is known there, but no guess. */
static int64_t weigh_plan(search_t *s, const position_t *P, int d, int *height) {
    d = guesses_that_bind(P, d);
    guard_depth(s, 0);
    if (s->stopped) return -1;
    const entry_t *e = plan_of(s, P, d);
    if (e && e->value < COST_INF) {
        *height = e->height;
        return e->value;
    }
    e = plan_of(s->plain, P, d);
    const int guess = e && e->value < COST_INF ? e->guess : exact_guess(s->plain, P, d), left = guesses_after(d);
    if (P->n <= beam_solved[0] || guess < 0) {
        const int64_t v = value_in_units(s, P, d, COST_INF, SMALL_UNITS, height);
        const int best = v < 0 || v >= COST_INF ? -1 : exact_guess(s, P, d);
        if (best >= 0) keep_plan(s, position_key(s, P, d), v, *height, best, -1, P->n);
        if (s->stopped) return -1;
        if (v >= 0 && v < COST_INF) return v;
    }
    const arena_mark_t mark = arena_mark(&s->arena);
    position_t legal;
    frame_t frame;
    partition_t p;
    int64_t total = COST_INF;
    int tallest = 0;
    if (guess >= 0 && split_legal(s, P, guess, &legal, &frame, &p) >= 0)
        total = sum_table_bounds(s, &legal, &p, left, NULL, COST_INF, &tallest);
    s->level++;
    for (int i = 0; total < COST_INF && i < p.classes; i++) {
        int h = 0;
        if (p.exact[i]) h = p.height[i];
        else {
            const int64_t v = weigh_plan(s, &p.position[i], left, &h);
            total = v < 0 ? COST_INF : raise_low(&p, i, v, total);
        }
        if (h >= tallest) tallest = h + 1;
    }
    s->level--;
    arena_release(&s->arena, mark);
    if (total >= COST_INF || s->stopped) return -1;
    keep_plan(s, position_key(s, P, d), total, tallest, guess, -1, P->n);
    *height = tallest;
    return total;
}

/* any_tree for weights of few kinds. Whether there is a tree has nothing to do with weights, and one by the number of
   answers neglects none. */
static int64_t any_by_number(search_t *s, const position_t *P, int d, int units) {
    const arena_mark_t mark = plain_begin(s);
    const int64_t v = any_tree(s->plain, P, d, units);
    int height;
    plain_end(s, mark);
    return v < 0 || v >= COST_INF || s->stopped ? v : weigh_plan(s, P, d, &height);
}

/* The classes of a guess in the order to look for any trees of them, from the arena: where one has none, it nearly
   always is one of those with the largest families, and of these a large one. NULL when memory runs out. */
static const int32_t *hardest_first(search_t *s, const partition_t *p) {
    int32_t *order = (int32_t *)allocate(s, 2 * (size_t)p->classes * sizeof *order);
    int member = 0, place = 0;
    if (!order) return NULL;
    int32_t *family = order + p->classes;
    for (int i = p->classes - 1, at = 0; i >= 0; i--, at++) { /* they are sorted by size */
        int j = at;
        family[i] = p->position[i].n > 2 && s->game->families ? largest_family(s, &p->position[i], &member, &place) : 0;
        for (; j > 0 && family[order[j - 1]] < family[i]; j--) order[j] = order[j - 1];
        order[j] = i;
    }
    return order;
}

static int64_t beam(search_t *s, const position_t *P, int d, int round, int64_t budget, int *height);

/* What a guess costs by the trees found of its classes, `total` being the sum of their bounds; ends once that reaches
   `budget`. The smaller classes come first; at the root, and where no tree is known, the hardest do. */
static int64_t beam_classes(search_t *s, partition_t *p, int64_t total, int d, int round, int64_t budget, int *height) {
    const int32_t *order = d < FREE && (budget >= COST_INF >> 1 || s->level == 0) ? hardest_first(s, p) : NULL;
    int tallest = 0;
    s->level++;
    for (int j = 0; j < p->classes && !s->stopped; j++) {
        const int i = order ? order[j] : j;
        if (!p->exact[i]) {
            int h = 0;
            const int64_t v = beam(s, &p->position[i], d, round, budget - (total - p->low[i]), &h);
            if (s->stopped) break;
            if (v >= COST_INF) {
                total = class_fails(p, i);
                break;
            }
            total = raise_low(p, i, v, total);
            if (total >= budget) break;
            p->height[i] = (uint16_t)h;
        }
        if (p->height[i] > tallest) tallest = p->height[i];
    }
    s->level--;
    *height = tallest + 1;
    return total;
}

/* The best tree that begins with one of the likeliest guesses of a listed node; `found`: some tree is known.

   Where none of them keeps to the limit, guesses that seemed worse are tried until one does; but not those that keep
   together a class for which no tree was found. */
static int64_t beam_guesses(search_t *s, node_t *N, int round, int found) {
    failures_t failures;
    found |= N->budget <= costliest_tree(s, N->P, N->d); /* another guess above was found */
    if (failures_init(s, &failures, N->P->n) < 0) return N->budget;
    for (int i = 0, tried = 0; i < N->listed && !s->stopped; i++) {
        const arena_mark_t inner = arena_mark(&s->arena);
        partition_t p;
        int height;
        if (tried >= beam_width[round] + (found ? 0 : REPAIRS)) break;
        if (N->list[i].low >= N->best || failures_refute(s, &failures, N->list[i].guess)) continue;
        tried++;
        if (node_split(s, N, &N->list[i], &p) < 0) break;
        int64_t v = sum_table_bounds(s, &N->legal, &p, N->left, N->class_least, N->best, &height);
        if (v < N->best && !height) {
            v = beam_classes(s, &p, v, N->left, round, N->best, &height);
            if (p.failed >= 0) failures_add(&failures, &p.position[p.failed]);
        }
        arena_release(&s->arena, inner);
        if (v >= N->best || s->stopped) continue;
        node_found(N, &N->list[i], v, height);
        found = 1;
    }
    return found || N->best < N->budget ? N->best : COST_INF;
}

/* A beam without a limit first: most trees are low enough as they are. Returns 1 where that settles it. */
static inline int beam_unlimited(search_t *s, const position_t *P, int d, int round, int64_t budget, int64_t *v, int *height) {
    *v = beam(s, P, FREE, round, budget, height);
    if (*v < budget && *height > d && !s->stopped) return 0;
    const entry_t *e = plan_of(s, P, FREE);
    /* Kept apart: without a limit a lesser cost with a taller tree may take its place. */
    if (*v < budget && !s->stopped && e && e->value == *v)
        keep_plan(s, position_key(s, P, d), *v, *height, e->guess, round, P->n);
    return 1;
}

/* The best tree of the likeliest guesses of P; `any`: the cost of some tree, -1 where none is known. */
static inline int64_t beam_position(search_t *s, const position_t *P, int d, int round, int64_t budget, int64_t any, int *height) {
    node_t N;
    if (beam_list(s, &N, P, d, budget, beam_width[round]) == SETTLED) return budget;
    const int64_t v = beam_guesses(s, &N, round, any >= 0);
    if (!s->stopped && (v < budget || (any < 0 && budget > costliest_tree(s, P, d))))
        keep_plan(s, N.key, v < budget ? v : COST_INF, N.height, N.guess, round, P->n);
    *height = N.height;
    arena_release(&s->arena, N.mark);
    const entry_t *e = table_find(&s->plans, N.key);
    if (!e || e->value >= v) return v;
    *height = e->height; /* an earlier round did better */
    return e->value;
}

/* The cost of the best tree found of P, below `budget`; else `budget` or more, COST_INF if there may be none. */
static int64_t beam(search_t *s, const position_t *P, int d, int round, int64_t budget, int *height) {
    if (P->n <= 2) {
        *height = P->n;
        return cost_trivial(&s->costs, P->answers, P->n, d, P->depth);
    }
    d = guesses_that_bind(P, d);
    const bound_t b = known_low(s, P, d);
    if (b.exact || b.low >= budget || s->stopped) {
        *height = b.height;
        return b.low;
    }
    const entry_t *e = plan_of(s, P, d);
    if (e && e->counted >> round & 1) {
        *height = e->height;
        return e->value;
    }
    int64_t v, any = -1;
    if (d < FREE) {
        if (beam_unlimited(s, P, d, round, budget, &v, height)) return v;
        if (!family_fits(s, P, d)) return COST_INF;
    }
    if (P->n <= beam_solved[round]) {
        v = value_in_units(s, P, d, budget, SMALL_UNITS, height);
        if (v >= 0 || s->stopped) return v;
    } else if (d < FREE && !s->costs.late) {
        /* Then any tree: most positions that have one show it soon, and so do most that have none. */
        any = any_tree(s, P, d, (s->units_left >= 0 ? ANY_UNITS : ANY_UNITS_FREE) << round);
        if (s->stopped || any < 0 || any >= COST_INF) return COST_INF;
    }
    return beam_position(s, P, d, round, budget, any, height);
}

/* The guess of least likely cost among some: members, and the guesses with the most classes on all answers (under
   ultra-hard rules, where what is legal depends on every guess before, members alone). It parts the position, as any
   member does. */
static int quick_guess(search_t *s, const position_t *P) {
    const game_t *g = s->game;
    const int step = (P->n + QUICK_MEMBERS - 1) / QUICK_MEMBERS, others = g->rules == ULTRA_HARD ? 0 : QUICK_GUESSES;
    const int many = g->guesses < others ? g->guesses : others;
    int best = g->answer_guess[P->answers[0]];
    int64_t least = likely_classes(s, best, P->answers, P->n, s->likely_cost);
    for (int i = step; i < P->n + many && least > 256 * (int64_t)P->n; i += i < P->n ? step : 1) {
        const int guess = i < P->n ? g->answer_guess[P->answers[i]] : g->root.guess[i - P->n];
        if (i >= P->n && !is_legal(g, P, guess)) continue;
        const int64_t cost = likely_classes(s, guess, P->answers, P->n, s->likely_cost);
        if (cost < least) best = guess, least = cost;
    }
    return best;
}

static int64_t quick_tree(search_t *s, const position_t *P, int d);

/* What a guess costs by quick trees of its classes; COST_INF where one has none. */
static int64_t quick_classes(search_t *s, const position_t *P, int guess, int d) {
    const arena_mark_t mark = arena_mark(&s->arena);
    const int left = guesses_after(d);
    position_t legal;
    frame_t frame;
    partition_t p;
    int64_t total = COST_INF;
    int height;
    if (split_legal(s, P, guess, &legal, &frame, &p) >= 0)
        total = sum_table_bounds(s, &legal, &p, left, NULL, COST_INF, &height);
    if (total < COST_INF) {
        s->level++;
        for (int i = p.classes - 1; i >= 0 && total < COST_INF; i--)
            if (!p.exact[i]) total = raise_low(&p, i, quick_tree(s, &p.position[i], left), total);
        s->level--;
    }
    arena_release(&s->arena, mark);
    return s->stopped ? COST_INF : total;
}

/* The cost of a tree of P that takes little work, kept as a plan; COST_INF if none is found. Of a class whose trivial
   bound isn't its value: it has more than two answers, and two guesses are left or more. How tall the tree is isn't
   counted: it keeps to the limit, and each of its guesses parts its position. */
static int64_t quick_tree(search_t *s, const position_t *P, int d) {
    d = guesses_that_bind(P, d);
    guard_depth(s, 0);
    if (s->stopped) return COST_INF;
    const entry_t *e = plan_of(s, P, d);
    if (!e) {
        const int guess = quick_guess(s, P);
        const int64_t v = quick_classes(s, P, guess, d);
        if (v < COST_INF) keep_plan(s, position_key(s, P, d), v, d < FREE ? d : P->n, guess, QUICK_PLAY, P->n);
        else if (!s->stopped) any_tree(s, P, d, QUICK_UNITS);
        e = plan_of(s, P, d);
    }
    return e ? e->value : COST_INF;
}

/* The cost of a tree that goes on with `guess`, an upper bound of the least; `budget` or more if none below it was
   found, COST_INF if none at all. After s->units_left units nothing is found. Where it is for one class that no tree
   was found, *failed is its code, else -1. QUICK_PLAY is a round, too. */
static int64_t beam_opener(search_t *s, int guess, int d, int round, int64_t budget, int *failed) {
    const int left = guesses_after(d);
    partition_t p;
    int64_t v = budget;
    int height = 0;
    *failed = -1;
    if (round > s->round) s->round = round;
    if (d < 1) return COST_INF;
    if (round == QUICK_PLAY) {
        const int switches = s->switches;
        s->switches &= ~SIMILARITY; /* what is similar takes longer to find than quick play */
        v = quick_classes(s, s->start, guess, d);
        s->switches = switches;
    } else if (split(s, s->start, guess, &p) >= 0) {
        v = sum_table_bounds(s, s->start, &p, left, NULL, budget, &height);
        if (v < budget && !height) v = beam_classes(s, &p, v, left, round, budget, &height);
        if (p.failed >= 0 && !s->stopped) *failed = p.position[p.failed].code;
    }
    if (s->too_deep && !s->arena.failed) { /* a tree too deep to be found is none; the proof may do without */
        s->too_deep = s->stopped = 0;
        v = COST_INF;
    }
    if (s->stopped && units_ran_out(s)) {
        s->stopped = 0;
        v = budget;
    }
    return v;
}

#endif
