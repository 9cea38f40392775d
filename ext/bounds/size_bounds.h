/* Bounds by sizes: what classes of so many answers cost at least, before anything is counted.

   They rest on one array, the least cost of a class of m answers. Unit costs only, but for what has no tree: whether
   there is one doesn't depend on what guesses cost. */
#ifndef OPTIMAL_BOUNDS_SIZE_BOUNDS_H
#define OPTIMAL_BOUNDS_SIZE_BOUNDS_H

#include "game/position.h"

/* Shares are kept in 1/SHARE, rounded down: those of fewer than SHARE answers lose less than one together, so that
   their sum, rounded up, is exact. */
#define SHARE 256
/* The share of an answer whose class has no tree: above any sum of PAIRWISE_MOST others, and as many don't wrap. */
#define NO_SHARE (1u << 24)

/* The bounds of a frame's guesses by the sizes of their classes on a position, found a block of columns at a time. */
typedef struct {
    const frame_t *frame;  /* NULL: sizes tell nothing that counts don't */
    const int64_t *least;  /* by class size: the least cost of a class */
    uint32_t *share;       /* by class size: the least cost of one of its answers, in SHARE-ths, rounded down */
    uint32_t *total;       /* by column: the sum of the shares of all answers */
    uint8_t *ready;        /* by block: whether its totals are there yet */
} size_bounds_t;

/* The bound by size: what n answers cost at least within d guesses, no guess making more than `split_most` classes, a
   member counting one more (depths.h); 0 where that tells nothing. */
static inline int64_t size_bound(const search_t *s, int n, int d, int split_most) {
    if (d < 1 || !(s->switches & DEPTHS)) return 0;
    const int32_t low = depths_low(&s->game->depths, d, split_most, n);
    return low >= DEPTHS_INFEASIBLE ? COST_INF : s->costs.unit ? low : 0;
}

/* The greatest class count, at least k + 1 (k: the most of a member), of guesses from outside that leave the bounds of
   n answers within d guesses at `need` or more: columns with no more needn't be counted. With d = 2 only a split into
   singletons matters. */
static int refuted_classes(const search_t *s, int n, int d, int k, int64_t budget) {
    int most = k + 1;
    if (d == 2 && s->switches & SPLITS) return n - 1;
    if (budget <= 3 * (int64_t)n && 3 * (int64_t)n - budget > most) most = (int)(3 * (int64_t)n - budget);
    while (most < n && size_bound(s, n, d, most + 1) >= budget) most++;
    return most;
}

/* The fewest classes with which a guess may cost less than `budget`, d guesses left for its classes; a member's own is
   one of them. */
static int fewest_classes(const search_t *s, int n, int d, int split_most, int64_t budget, int member) {
    const depths_t *t = &s->game->depths;
    int k = 1;
    if (d < 1 || !(s->switches & DEPTHS) || !s->costs.unit || !depths_improve(t, d, split_most, n)) return 0;
    if (d >= DEPTHS_LAYERS) d = 0;
    while (k <= split_most && n + depths_split(t, d, split_most, n - member, k - member) >= budget) k++;
    return k;
}

/* Fill `least` (0 .. n) for classes with d guesses left. */
static void least_costs(const search_t *s, int n, int d, int split_most, int64_t *least) {
    const depths_t *t = &s->game->depths;
    const int tells = d >= 1 && s->switches & DEPTHS && depths_improve_classes(t, d, split_most, n);
    const int32_t *f = tells ? depths_row(t, d, split_most) : NULL;
    least[0] = 0;
    for (int m = 1; m <= n; m++) {
        const int64_t low = !f ? 0 : f[m] >= DEPTHS_INFEASIBLE ? COST_INF : f[m];
        const int64_t trivial = d < m && d < 2 ? COST_INF : 2 * (int64_t)m - 1;
        least[m] = low > trivial ? low : trivial;
    }
}

/* Prepare bounds of guesses at P from a frame, by the least costs of classes; -1 when memory runs out. */
static int size_bounds(search_t *s, const position_t *P, const frame_t *f, const int64_t *least, int d,
                       size_bounds_t *out) {
    const int n = P->n;
    out->frame = NULL;
    if (!(s->switches & DEPTHS) || !s->costs.unit || !depths_improve_classes(&s->game->depths, d, P->split_most, n)) return 0;
    out->frame = f;
    out->least = least;
    out->total = (uint32_t *)allocate(s, (size_t)f->blocks * BLOCK * sizeof *out->total);
    out->share = (uint32_t *)allocate(s, (size_t)(n + 1) * sizeof *out->share);
    out->ready = (uint8_t *)allocate(s, (size_t)f->blocks);
    if (!out->total || !out->share || !out->ready) return -1;
    memset(out->ready, 0, (size_t)f->blocks);
    out->share[0] = 0;
    for (int m = 1; m <= n; m++)
        out->share[m] = least[m] >= COST_INF ? NO_SHARE : (uint32_t)(least[m] * SHARE / m);
    return 0;
}

/* Whether the sizes of a guess's classes alone show that it costs `budget` or more; `column` is its place in the frame,
   and `member` whether it may be the answer. */
static int sizes_refute(search_t *s, const position_t *P, size_bounds_t *z, int guess, int column, int member,
                        int64_t budget) {
    const game_t *g = s->game;
    const int n = P->n, b = column / BLOCK;
    int64_t total = n;
    if (!z->frame) return 0;
    s->tally[DEPTHS_NUMBER].asked++;
    if (n <= PAIRWISE_MOST) {
        if (!z->ready[b]) {
            const uint8_t *row[PAIRWISE_MOST];
            for (int i = 0; i < n; i++) row[i] = z->frame->row[P->answers[i]];
            share_block(s->tile, row, n, g->width, b, z->share, z->total + b * BLOCK);
            z->ready[b] = 1;
            count_work(s, 2 * (int64_t)n * n);
        }
        /* The guess itself, if it is a member, is found: its share is that of a class of one. */
        const int refuted = z->total[column] >= NO_SHARE
                            || total + (z->total[column] + SHARE - 1) / SHARE - member >= budget;
        s->tally[DEPTHS_NUMBER].settled += (uint64_t)refuted;
        return refuted;
    }
    int32_t *size = s->class_size;
    for (int i = 0; i < n; i++) size[game_code(g, guess, P->answers[i])]++;
    size[g->winning_code] = 0;
    for (int i = 0; i < n; i++) {
        const int c = game_code(g, guess, P->answers[i]);
        total = cost_add(total, z->least[size[c]]);
        size[c] = 0;
    }
    count_work(s, 2 * (int64_t)n);
    s->tally[DEPTHS_NUMBER].settled += total >= budget;
    return total >= budget;
}

#endif
