/* The least total of n answers within d guesses when no guess on the way makes more than s classes of its set, a member
   counting one more: k <= s of a guess from outside, k + 1 <= s of a member, its own class being one of the k.

   A member finds itself, and its other classes, at most s - 2 of them, hold n - 1 answers; a guess from outside
   has at most s classes:

       f(d, n) = n + min over patterns of min(best split of n - 1 into s - 2 parts, best split of n into s parts)
                 over f(d - 1, .)

   No guess makes more classes of a subset than of the set, so f bounds every subset too. s is `split_most` below.

   Capacities. A class of a guess on a set is a part of its class on all answers. So if j of its classes on the set have
   x answers or more, as many have so on all answers: the j-th largest on the set is no larger than the j-th largest on
   all. The winning class is left out of both: it holds a member alone, and none of a set without it. A pattern is
   guesses that are alike up to a map of the game to itself, whose classes have the same sizes; where no such maps are
   known, there is one pattern, of classes as large as can be. A split has the capacities of one pattern.

   The best split is bounded by the most even one over the lower convex hull of f(d - 1, .). Of so many parts, those of
   the largest capacities allow whatever others do. Take any split into them: while a part could take an answer from one
   that is larger by two or more, moving it costs no more, the hull being convex. What is left in the end fills the parts
   like water, each up to its capacity or a common level, or one above that level: there is one such cost, and so no
   split is below it. */
#ifndef OPTIMAL_GAME_DEPTHS_H
#define OPTIMAL_GAME_DEPTHS_H

#include "base/arena.h"

#define DEPTHS_LAYERS 8            /* guesses left: 1 .. DEPTHS_LAYERS - 1; layer 0 holds f without a limit */
#define DEPTHS_MOST TUNED(512, 10) /* values of split_most held, and of n, which go further where split_most is small */
#define DEPTHS_CELLS TUNED(1 << 20, 1 << 10) /* the most cells of a table with more than DEPTHS_MOST values of n */
#define DEPTHS_SCALE 4096          /* the hull is kept in these units, rounded down */
#define DEPTHS_INFEASIBLE (1 << 28)

typedef struct {
    int most, split_most;          /* the largest n and split_most held */
    int patterns, even;            /* even: there is but one, of classes as large as can be */
    int32_t *capacity;             /* [pattern][split_most], falling; 0: no more classes */
    int32_t *from;                 /* [split_most]: without a limit, f says more than counts do from this n on */
    int32_t *low;                  /* [d][split_most][n] */
    int64_t *hull;
} depths_t;

static inline size_t depths_at(const depths_t *t, int d, int split_most, int n) {
    return ((size_t)d * (size_t)(t->split_most + 1) + (size_t)split_most) * (size_t)(t->most + 1) + (size_t)n;
}

/* A split into parts that fill up evenly, an answer at a time: `above` of those still open have level + 1, the others
   level. `full` is what the parts that are closed cost, DEPTHS_NONE once there is no such split. */
#define DEPTHS_NONE ((int64_t)DEPTHS_INFEASIBLE * DEPTHS_SCALE)

typedef struct {
    const int32_t *capacity;
    const int64_t *hull;           /* by size; -1: infeasible */
    int open, level, above;
    int64_t full;
} filling_t;

static inline int64_t depths_cost(const int64_t *hull, int n) {
    return hull[n] < 0 ? DEPTHS_NONE : hull[n];
}

/* Close the parts that are filled up to the level. */
static inline void filling_close(filling_t *f) {
    while (f->open && f->capacity[f->open - 1] <= f->level) f->full += depths_cost(f->hull, f->capacity[--f->open]);
}

static inline filling_t filling_begin(const int32_t *capacity, int parts, const int64_t *hull) {
    filling_t f = {capacity, hull, parts > 0 ? parts : 0, 0, 0, 0};
    filling_close(&f);
    return f;
}

/* One answer more. */
static inline void filling_add(filling_t *f) {
    if (!f->open) f->full = DEPTHS_NONE;
    else if (++f->above == f->open) {
        f->level++;
        f->above = 0;
        filling_close(f);
    }
}

/* Bound of the sum over the parts. */
static inline int32_t filling_cost(const filling_t *f) {
    int64_t sum = f->full;
    if (f->open > f->above) sum += (f->open - f->above) * depths_cost(f->hull, f->level);
    if (f->above) sum += f->above * depths_cost(f->hull, f->level + 1);
    return sum >= DEPTHS_NONE ? DEPTHS_INFEASIBLE : (int32_t)((sum + DEPTHS_SCALE - 1) / DEPTHS_SCALE);
}

/* Bound of the sum over m answers split into so many parts, at most split_most, each within d guesses, d being a layer
   of the table. */
static inline int32_t depths_split(const depths_t *t, int d, int split_most, int m, int parts) {
    const int64_t *hull = t->hull + depths_at(t, d, split_most, 0);
    int32_t least = DEPTHS_INFEASIBLE;
    for (int p = 0; p < t->patterns; p++) {
        filling_t f = {t->capacity + (size_t)p * (size_t)t->split_most, hull, parts > 0 ? parts : 0, 0, 0, 0};
        int left = m;
        /* The smallest parts are full once the even share of what is left is more. */
        for (; f.open && (int64_t)f.capacity[f.open - 1] * f.open <= left; left -= f.capacity[f.open])
            f.full += depths_cost(hull, f.capacity[--f.open]);
        if (f.open) f.level = left / f.open, f.above = left % f.open;
        else if (left) continue;
        const int32_t cost = filling_cost(&f);
        if (cost < least) least = cost;
    }
    return least;
}

static inline int depths_holds(const depths_t *t, int split_most, int n) {
    return n <= t->most && split_most <= t->split_most;
}

/* Whether the table says more than the count bound 3n - split_most: with guesses to spare, it does only where classes
   are too large for one guess to split them. */
static inline int depths_improve(const depths_t *t, int d, int split_most, int n) {
    return depths_holds(t, split_most, n) && (d < DEPTHS_LAYERS || n >= t->from[split_most]);
}

/* Whether f of its classes may say more of a guess at n answers than their number: with guesses to spare, some must be
   too large for one guess to split them into singletons. Where a guess may split them more evenly, few are. */
static inline int depths_improve_classes(const depths_t *t, int d, int split_most, int n) {
    return depths_improve(t, d, split_most, n) || (!t->even && n > split_most && depths_holds(t, split_most, n));
}

/* f of 0 .. n, which the table holds; d >= 1. */
static inline const int32_t *depths_row(const depths_t *t, int d, int split_most) {
    return t->low + depths_at(t, d < DEPTHS_LAYERS ? d : 0, split_most, 0);
}

/* f, or 0 where the table says nothing new; d >= 1, n >= 1. */
static inline int32_t depths_low(const depths_t *t, int d, int split_most, int n) {
    return depths_improve(t, d, split_most, n) ? depths_row(t, d, split_most)[n] : 0;
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
   from what was there. `now` is scratch for a value of each n. */
static inline int depths_layer(depths_t *t, int d, int from, int split_most, int32_t *now, int *corner) {
    const int64_t *hull = t->hull + depths_at(t, from, split_most, 0);
    int32_t *low = t->low + depths_at(t, d, split_most, 0);
    int changed = 0;
    for (int n = 0; n <= t->most; n++) now[n] = n > 1 ? DEPTHS_INFEASIBLE : n;
    for (int p = 0; p < t->patterns; p++) {
        const int32_t *capacity = t->capacity + (size_t)p * (size_t)t->split_most;
        filling_t in = filling_begin(capacity, split_most - 2, hull), out = filling_begin(capacity, split_most, hull);
        filling_add(&out);
        for (int n = 2; n <= t->most; n++) {
            filling_add(&in); /* n - 1 answers */
            filling_add(&out);
            const int32_t inside = filling_cost(&in), outside = filling_cost(&out);
            const int32_t least = inside < outside ? inside : outside;
            if (least < DEPTHS_INFEASIBLE && n + least < now[n]) now[n] = n + least;
        }
    }
    for (int n = 0; n <= t->most; n++) {
        changed |= low[n] != now[n];
        low[n] = now[n];
    }
    depths_hull(t, d, split_most, corner);
    return changed;
}

/* The least n for which f without a limit is above the count bound and the trivial bound. */
static inline int32_t depths_from(const depths_t *t, int split_most) {
    const int32_t *low = t->low + depths_at(t, 0, split_most, 0);
    int n = 1;
    while (n <= t->most && (low[n] <= 2 * n - 1 || low[n] <= 3 * n - split_most)) n++;
    return n;
}

/* Tables for up to `answers` answers and `split_most`. `capacity`: by pattern, the sizes of its classes on all answers
   but the winning one, falling, split_most of them, 0 where there are no more; NULL where no patterns are known. Where
   there are, few classes are made, and the tables hold all n. -1 when memory runs out. */
static inline int depths_init(depths_t *t, arena_t *a, int answers, int split_most, const int32_t *capacity, int patterns) {
    t->split_most = split_most < DEPTHS_MOST ? split_most : DEPTHS_MOST;
    t->most = DEPTHS_CELLS / (DEPTHS_LAYERS * (t->split_most + 1));
    if (t->most < DEPTHS_MOST) t->most = DEPTHS_MOST;
    if (t->most > answers || capacity) t->most = answers;
    t->even = !capacity;
    t->patterns = capacity ? patterns : 1;
    const size_t cells = depths_at(t, DEPTHS_LAYERS, 0, 0), held = (size_t)t->split_most;
    t->capacity = (int32_t *)arena_alloc(a, (size_t)t->patterns * held * sizeof *t->capacity);
    t->from = (int32_t *)arena_alloc(a, (held + 1) * sizeof *t->from);
    t->low = (int32_t *)arena_alloc(a, cells * sizeof *t->low);
    t->hull = (int64_t *)arena_alloc(a, cells * sizeof *t->hull);
    const arena_mark_t mark = arena_mark(a);
    int *corner = (int *)arena_alloc(a, (size_t)(t->most + 1) * sizeof *corner);
    int32_t *now = (int32_t *)arena_alloc(a, (size_t)(t->most + 1) * sizeof *now);
    if (a->failed) return -1;
    for (size_t p = 0; p < (size_t)t->patterns; p++)
        for (size_t i = 0; i < held; i++)
            t->capacity[p * held + i] = capacity ? capacity[p * (size_t)split_most + i] : answers;
    for (int k = 0; k <= t->split_most; k++) {
        for (int n = 0; n <= t->most; n++) t->low[depths_at(t, 1, k, n)] = n > 1 ? DEPTHS_INFEASIBLE : n;
        depths_hull(t, 1, k, corner);
        for (int d = 2; d < DEPTHS_LAYERS; d++) depths_layer(t, d, d - 1, k, now, corner);
        /* Without a limit: one more guess until it changes nothing. Below a split_most of 3 there is no tree. */
        for (int n = 0; n <= t->most; n++) t->low[depths_at(t, 0, k, n)] = -1;
        depths_layer(t, 0, DEPTHS_LAYERS - 1, k, now, corner);
        while (k >= 3 && depths_layer(t, 0, 0, k, now, corner));
        t->from[k] = depths_from(t, k);
    }
    arena_release(a, mark);
    return 0;
}

#endif
