/* The least total of n answers within d guesses when no set on the way has more than `reach` = k + [member] classes
   from a guess: k of a guess from outside, k + 1 of a member, its own class being one of the k.

   A member finds itself, and its other classes, at most reach - 2 of them, hold n - 1 answers; a guess from outside
   has at most reach classes:

       f(d, n) = n + min(best split of n - 1 into reach - 2 parts, best split of n into reach parts) over f(d - 1, .)

   A subset has no larger reach than its set, so f bounds every set of that reach or less from below. The best split
   is bounded by the even split over the lower convex hull of f(d - 1, .), which no split can beat. */
#ifndef OPTIMAL_DEPTHS_H
#define OPTIMAL_DEPTHS_H

#include <stdint.h>
#include <stdlib.h>

#define DEPTHS_LAYERS 8            /* guesses left: 1 .. DEPTHS_LAYERS - 1; layer 0 holds f without a limit */
#define DEPTHS_MOST 512            /* answers, and so reach, unless the table stays small with more answers */
#define DEPTHS_CELLS (1 << 20)
#define DEPTHS_SCALE 4096          /* the hull is kept in these units, rounded down */
#define DEPTHS_INFEASIBLE (1 << 28)

typedef struct {
    int most, reach;               /* largest n and reach held */
    int32_t *low;                  /* [d][reach][n] */
    int64_t *hull;
} depths_t;

static inline size_t depths_at(const depths_t *t, int d, int reach, int n) {
    return ((size_t)d * (size_t)(t->reach + 1) + (size_t)reach) * (size_t)(t->most + 1) + (size_t)n;
}

/* Bound of the sum over m answers split into so many parts, each within d guesses. */
static inline int32_t depths_split(const depths_t *t, int d, int reach, int m, int parts) {
    if (m == 0) return 0;
    if (parts < 1) return DEPTHS_INFEASIBLE;
    const int q = m / parts, r = m % parts;
    const int64_t even = t->hull[depths_at(t, d, reach, q)];
    const int64_t more = r ? t->hull[depths_at(t, d, reach, q + 1)] : 0;
    if (even < 0 || more < 0) return DEPTHS_INFEASIBLE;
    return (int32_t)(((parts - r) * even + r * more + DEPTHS_SCALE - 1) / DEPTHS_SCALE);
}

/* Whether the table says more than the count bound 3n - reach: with guesses to spare, it does only where even classes
   are too large for a member to split them. */
static inline int depths_tells(const depths_t *t, int d, int reach, int n) {
    return n <= t->most && reach <= t->reach && (d < DEPTHS_LAYERS || n > reach * (reach - 1));
}

/* f, or 0 where the table says nothing new; d >= 1, n >= 1. */
static inline int32_t depths_low(const depths_t *t, int d, int reach, int n) {
    if (!depths_tells(t, d, reach, n)) return 0;
    return t->low[depths_at(t, d < DEPTHS_LAYERS ? d : 0, reach, n)];
}

/* Fill the hull of one layer from its values; `corner` is scratch for most + 1 of them. */
static void depths_hull(depths_t *t, int d, int reach, int *corner) {
    int m = 0, n, i;
    for (n = 0; n <= t->most; n++) {
        const int64_t y = t->low[depths_at(t, d, reach, n)];
        if (y >= DEPTHS_INFEASIBLE) break;
        while (m >= 2) { /* drop the last corner while it is not below the line from the one before */
            const int a = corner[m - 2], b = corner[m - 1];
            const int64_t ya = t->low[depths_at(t, d, reach, a)], yb = t->low[depths_at(t, d, reach, b)];
            if ((yb - ya) * (n - a) < (y - ya) * (b - a)) break;
            m--;
        }
        corner[m++] = n;
    }
    for (i = 0; i + 1 < m; i++) {
        const int a = corner[i], b = corner[i + 1];
        const int64_t ya = t->low[depths_at(t, d, reach, a)], yb = t->low[depths_at(t, d, reach, b)];
        for (int x = a; x <= b; x++)
            t->hull[depths_at(t, d, reach, x)] = DEPTHS_SCALE * (ya * (b - x) + yb * (x - a)) / (b - a);
    }
    for (; n <= t->most; n++) t->hull[depths_at(t, d, reach, n)] = -1;
}

/* Layer d from layer `from`, whose hull is all that is read, so that they may be the same; returns whether it differs
   from what was there. */
static int depths_layer(depths_t *t, int d, int from, int reach, int *corner) {
    int changed = 0;
    for (int n = 0; n <= t->most; n++) {
        int32_t low = n;
        if (n > 1) {
            const int32_t in = depths_split(t, from, reach, n - 1, reach - 2);
            const int32_t out = depths_split(t, from, reach, n, reach);
            low = in < out ? in : out;
            if (low < DEPTHS_INFEASIBLE) low += n;
        }
        changed |= t->low[depths_at(t, d, reach, n)] != low;
        t->low[depths_at(t, d, reach, n)] = low;
    }
    depths_hull(t, d, reach, corner);
    return changed;
}

/* Tables for up to `answers` answers and `reach`; -1 when memory runs out. */
static int depths_init(depths_t *t, int answers, int reach) {
    t->reach = reach < DEPTHS_MOST ? reach : DEPTHS_MOST;
    t->most = DEPTHS_CELLS / (DEPTHS_LAYERS * (t->reach + 1));
    if (t->most < DEPTHS_MOST) t->most = DEPTHS_MOST;
    if (t->most > answers) t->most = answers;
    const size_t cells = depths_at(t, DEPTHS_LAYERS, 0, 0);
    int *corner = (int *)malloc((size_t)(t->most + 1) * sizeof *corner);
    t->low = (int32_t *)malloc(cells * sizeof *t->low);
    t->hull = (int64_t *)malloc(cells * sizeof *t->hull);
    if (!corner || !t->low || !t->hull) {
        free(corner);
        return -1;
    }
    for (int k = 0; k <= t->reach; k++) {
        for (int n = 0; n <= t->most; n++) t->low[depths_at(t, 1, k, n)] = n > 1 ? DEPTHS_INFEASIBLE : n;
        depths_hull(t, 1, k, corner);
        for (int d = 2; d < DEPTHS_LAYERS; d++) depths_layer(t, d, d - 1, k, corner);
        /* Without a limit: one more guess until it changes nothing. Below a reach of 3 there is no tree. */
        for (int n = 0; n <= t->most; n++) t->low[depths_at(t, 0, k, n)] = -1;
        depths_layer(t, 0, DEPTHS_LAYERS - 1, k, corner);
        while (k >= 3 && depths_layer(t, 0, 0, k, corner));
    }
    free(corner);
    return 0;
}

static void depths_free(depths_t *t) {
    free(t->low);
    free(t->hull);
    t->low = t->hull = NULL;
}

#endif
