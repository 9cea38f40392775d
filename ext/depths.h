/* The least total of n answers within d guesses when no guess on the way makes more than s classes of its set, a member
   counting one more: k <= s of a guess from outside, k + 1 <= s of a member, its own class being one of the k.

   A member finds itself, and its other classes, at most s - 2 of them, hold n - 1 answers; a guess from outside
   has at most s classes:

       f(d, n) = n + min(best split of n - 1 into s - 2 parts, best split of n into s parts) over f(d - 1, .)

   No guess makes more classes of a subset than of the set, so f bounds every subset too. The best split is bounded by
   the even split over the lower convex hull of f(d - 1, .), which no split can beat. s is `split_most` below. */
#ifndef OPTIMAL_DEPTHS_H
#define OPTIMAL_DEPTHS_H

#include <stdint.h>

#include "memory.h"
#include "testing.h"

#define DEPTHS_LAYERS 8            /* guesses left: 1 .. DEPTHS_LAYERS - 1; layer 0 holds f without a limit */
#define DEPTHS_MOST TUNED(512, 10) /* values of split_most held, and of n, which go further where split_most is small */
#define DEPTHS_CELLS TUNED(1 << 20, 1 << 10) /* the most cells of a table with more than DEPTHS_MOST values of n */
#define DEPTHS_SCALE 4096          /* the hull is kept in these units, rounded down */
#define DEPTHS_INFEASIBLE (1 << 28)

typedef struct {
    int most, split_most;          /* the largest n and split_most held */
    int32_t *low;                  /* [d][split_most][n] */
    int64_t *hull;
} depths_t;

static inline size_t depths_at(const depths_t *t, int d, int split_most, int n) {
    return ((size_t)d * (size_t)(t->split_most + 1) + (size_t)split_most) * (size_t)(t->most + 1) + (size_t)n;
}

/* Bound of the sum over m answers split into so many parts, each within d guesses. */
static inline int32_t depths_split(const depths_t *t, int d, int split_most, int m, int parts) {
    if (m == 0) return 0;
    if (parts < 1) return DEPTHS_INFEASIBLE;
    const int q = m / parts, r = m % parts;
    const int64_t even = t->hull[depths_at(t, d, split_most, q)];
    const int64_t more = r ? t->hull[depths_at(t, d, split_most, q + 1)] : 0;
    if (even < 0 || more < 0) return DEPTHS_INFEASIBLE;
    return (int32_t)(((parts - r) * even + r * more + DEPTHS_SCALE - 1) / DEPTHS_SCALE);
}

/* Whether the table says more than the count bound 3n - split_most: with guesses to spare, it does only where even
   classes are too large for one guess to split them. */
static inline int depths_tells(const depths_t *t, int d, int split_most, int n) {
    return n <= t->most && split_most <= t->split_most && (d < DEPTHS_LAYERS || n > split_most * (split_most - 1));
}

/* f, or 0 where the table says nothing new; d >= 1, n >= 1. */
static inline int32_t depths_low(const depths_t *t, int d, int split_most, int n) {
    if (!depths_tells(t, d, split_most, n)) return 0;
    return t->low[depths_at(t, d < DEPTHS_LAYERS ? d : 0, split_most, n)];
}

/* Fill the hull of one layer from its values; `corner` is scratch for most + 1 of them. */
static inline void depths_hull(depths_t *t, int d, int split_most, int *corner) {
    int m = 0, n, i;
    for (n = 0; n <= t->most; n++) {
        const int64_t y = t->low[depths_at(t, d, split_most, n)];
        if (y >= DEPTHS_INFEASIBLE) break;
        while (m >= 2) { /* drop the last corner while it is not below the line from the one before */
            const int a = corner[m - 2], b = corner[m - 1];
            const int64_t ya = t->low[depths_at(t, d, split_most, a)], yb = t->low[depths_at(t, d, split_most, b)];
            if ((yb - ya) * (n - a) < (y - ya) * (b - a)) break;
            m--;
        }
        corner[m++] = n;
    }
    for (i = 0; i + 1 < m; i++) {
        const int a = corner[i], b = corner[i + 1];
        const int64_t ya = t->low[depths_at(t, d, split_most, a)], yb = t->low[depths_at(t, d, split_most, b)];
        for (int x = a; x <= b; x++)
            t->hull[depths_at(t, d, split_most, x)] = DEPTHS_SCALE * (ya * (b - x) + yb * (x - a)) / (b - a);
    }
    for (; n <= t->most; n++) t->hull[depths_at(t, d, split_most, n)] = -1;
}

/* Layer d from layer `from`, whose hull is all that is read, so that they may be the same; returns whether it differs
   from what was there. */
static inline int depths_layer(depths_t *t, int d, int from, int split_most, int *corner) {
    int changed = 0;
    for (int n = 0; n <= t->most; n++) {
        int32_t low = n;
        if (n > 1) {
            const int32_t in = depths_split(t, from, split_most, n - 1, split_most - 2);
            const int32_t out = depths_split(t, from, split_most, n, split_most);
            low = in < out ? in : out;
            if (low < DEPTHS_INFEASIBLE) low += n;
        }
        changed |= t->low[depths_at(t, d, split_most, n)] != low;
        t->low[depths_at(t, d, split_most, n)] = low;
    }
    depths_hull(t, d, split_most, corner);
    return changed;
}

/* Tables for up to `answers` answers and `split_most`; -1 when memory runs out. */
static inline int depths_init(depths_t *t, int answers, int split_most) {
    t->split_most = split_most < DEPTHS_MOST ? split_most : DEPTHS_MOST;
    t->most = DEPTHS_CELLS / (DEPTHS_LAYERS * (t->split_most + 1));
    if (t->most < DEPTHS_MOST) t->most = DEPTHS_MOST;
    if (t->most > answers) t->most = answers;
    const size_t cells = depths_at(t, DEPTHS_LAYERS, 0, 0);
    int *corner = (int *)checked_malloc((size_t)(t->most + 1) * sizeof *corner);
    t->low = (int32_t *)checked_malloc(cells * sizeof *t->low);
    t->hull = (int64_t *)checked_malloc(cells * sizeof *t->hull);
    if (!corner || !t->low || !t->hull) {
        free(corner);
        return -1;
    }
    for (int k = 0; k <= t->split_most; k++) {
        for (int n = 0; n <= t->most; n++) t->low[depths_at(t, 1, k, n)] = n > 1 ? DEPTHS_INFEASIBLE : n;
        depths_hull(t, 1, k, corner);
        for (int d = 2; d < DEPTHS_LAYERS; d++) depths_layer(t, d, d - 1, k, corner);
        /* Without a limit: one more guess until it changes nothing. Below a split_most of 3 there is no tree. */
        for (int n = 0; n <= t->most; n++) t->low[depths_at(t, 0, k, n)] = -1;
        depths_layer(t, 0, DEPTHS_LAYERS - 1, k, corner);
        while (k >= 3 && depths_layer(t, 0, 0, k, corner));
    }
    free(corner);
    return 0;
}

static inline void depths_free(depths_t *t) {
    free(t->low);
    free(t->hull);
    t->low = NULL;
    t->hull = NULL;
}

#endif
