/* What a tree is charged for: the hooks by which one search serves all objectives.

   An answer of weight w found by guess number h costs w times h, and `late` times w more if h > `by`. Guess number
   t + 1 costs 1 (1 + late if t = by) per weight of all candidates at that point, so the value of a position depends on
   the guesses made, t, while t <= by. If `by` is `final`, guesses after number by + 1 cost nothing: what isn't found
   within `by` guesses is missed, and costs by + 1 + late per weight, whatever comes. It is searched without a limit of
   guesses, so that every position has a tree. Costs of 2^62 and more are one value, COST_INF, which also stands for no tree.

   Nothing overflows where the weights of all answers, W in sum, times the deepest cost of any answer (the limit of
   guesses, or one more than there are answers) stay below 2^62, and `late` is 2^61 at most; Problem
   (optimal/search/game_problem.py) refuses all else. For
   - sums of weights are W at most. Products with a number of guesses are made within a limit alone (costliest_tree), and
     so stay below 2^62; those with 1 + late are compared before they are made (cost_charge);
   - costs, of sets or of guesses, are summed by cost_add. What is subtracted from a sum is part of it;
   - budgets are COST_INF at most, and what is left of one for a class is no more. Steps towards it (even_budget) are
     low + low / 28 + 1 + late < 2^62 + 2^58 + 2^61 < 2^63.

   `late` exceeds every sum of weight x depth, so least cost means least weight missed, then least total. A bound made
   here that is too high by one is a false proof. */
#ifndef OPTIMAL_BASE_COSTS_H
#define OPTIMAL_BASE_COSTS_H

#include <stddef.h>
#include <stdint.h>

#define COST_INF ((int64_t)1 << 62)
#define FREE (1 << 20) /* guesses or questions left: no limit; more than there can be answers or items */

typedef struct {
    const int64_t *weights; /* by answer, none negative; NULL: every answer weighs 1 */
    int unit;               /* every answer weighs 1 and none is late: the cost is the number of guesses */
    int uniform;            /* all answers weigh `each` */
    int64_t each;
    int by;                 /* the guess by which an answer should be found; -1: none */
    int64_t late;           /* the extra cost, per weight, of finding it later */
    int final;              /* whether the game ends after that guess; then by >= 1 */
} costs_t;

/* Sums stop at COST_INF; neither term is negative or above it. */
static inline int64_t cost_add(int64_t a, int64_t b) {
    return a >= COST_INF - b ? COST_INF : a + b;
}

/* So do products. */
static inline int64_t cost_times(int64_t a, int64_t b) {
    if (!((a | b) >> 31)) return a * b;
    return b && a > (COST_INF - 1) / b ? COST_INF : a * b;
}

static inline int64_t cost_weight(const costs_t *c, int answer) {
    return c->weights ? c->weights[answer] : 1;
}

/* What answers of so much weight cost at guess number t + 1. */
static inline int64_t cost_charge(const costs_t *c, int64_t weight, int t) {
    if (t != c->by) return c->final && t > c->by ? 0 : weight;
    return weight > (COST_INF - 1) / (1 + c->late) ? COST_INF : weight * (1 + c->late);
}

/* The weights of a set: their sum, and sums of the heaviest. */
typedef struct {
    int64_t total, heaviest;
    const int64_t *top; /* top[j]: the sum of the j heaviest; NULL where all weigh the same */
    int64_t each;       /* then */
} weights_t;

static inline int64_t weights_top(const weights_t *w, int j) {
    return w->top ? w->top[j] : w->each * j;
}

static int heavier_first(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x > y ? -1 : x < y;
}

/* Sum and greatest of the weights of a set of n >= 1 answers; `top` is left out. */
static inline weights_t cost_weigh(const costs_t *c, const int32_t *B, int n) {
    weights_t w = {(int64_t)n * c->each, c->each, NULL, c->each};
    if (c->uniform) return w;
    w.total = w.heaviest = 0;
    for (int i = 0; i < n; i++) {
        const int64_t x = c->weights[B[i]];
        w.total += x;
        if (x > w.heaviest) w.heaviest = x;
    }
    return w;
}

/* The count bound of a guess from outside with k classes, t guesses made: it finds none at once, one of each class (the
   k heaviest at best) by the next guess, the others later. With unit costs, 3n - k. */
static inline int64_t cost_guess_outside(const costs_t *c, const weights_t *w, int t, int k) {
    if (c->unit) return 3 * w->total - k;
    return cost_add(cost_add(cost_charge(c, w->total, t), cost_charge(c, w->total, t + 1)),
                    cost_charge(c, w->total - weights_top(w, k), t + 2));
}

/* The count bound of a member of this weight with k classes, its own included: as from outside, itself found at once
   and so among the k. With unit costs, 3n - k - 1. */
static inline int64_t cost_guess_member(const costs_t *c, const weights_t *w, int t, int k, int64_t weight) {
    if (c->unit) return 3 * w->total - k - 1;
    const int64_t low = cost_guess_outside(c, w, t, k) - cost_charge(c, weight, t + 1);
    return low > 0 ? low : 0;
}

/* The trivial bound: the heaviest found at once, all others by the next guess. The value itself for one answer or two.
   With unit costs, 2n - 1. `d` guesses are left, t are made. */
static inline int64_t cost_trivial(const costs_t *c, const int32_t *B, int n, int d, int t) {
    if (d < n && d < 2) return COST_INF;
    if (c->unit) return 2 * (int64_t)n - 1;
    const weights_t w = cost_weigh(c, B, n);
    return cost_add(cost_charge(c, w.total, t), cost_charge(c, w.total - w.heaviest, t + 1));
}

/* Whether the trivial bound is the value of any n >= 1 answers after t guesses: none is left, or the last, which finds
   the heaviest candidate (under all rules every candidate is legal), and no guess finds more. */
static inline int cost_is_trivial(const costs_t *c, int t) {
    return c->final && t >= c->by - 1;
}

#endif
