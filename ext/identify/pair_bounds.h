/* A lower bound over pairs of items.

   Every pair of different groups is separated by one node. Let what a node is charged, its cost times the weight W of
   its set, be shared by the pairs that it separates, each by the product of its weights. With W_c the weights of the
   classes, a pair is charged its product times cost x W / e, where e is the sum of W_b x W_c over pairs of classes. On
   a part of the set e / W is no greater, since it never falls as a W_c grows (docs/explanation/proofs.md). So on no
   part does a question charge a pair less than on the set, and the least rate of a question that separates a pair,
   times its product, bounds its share. */
#ifndef OPTIMAL_IDENTIFY_PAIR_BOUNDS_H
#define OPTIMAL_IDENTIFY_PAIR_BOUNDS_H

#include "identify/set_bounds.h"

#define PAIRS_LEAST TUNED(6, 3) /* smaller sets are solved sooner than their pairs are bounded, */
#define PAIRS_MOST 256          /* and of larger ones other bounds say more, sooner */

/* Twice the product of weights, summed over the pairs of different groups among these. */
static int64_t pairs_left(identify_t *s, const key_frame_t *f, const int32_t *at, int n) {
    int64_t total = 0, alike = 0;
    int g = 0;
    stamp_anew(s);
    for (int i = 0; i < n; i++) {
        const int32_t group = f->group[at[i]];
        const int64_t w = f->weight[at[i]];
        total += w;
        if (s->stamp[group] != s->now) {
            s->stamp[group] = s->now;
            s->place[group] = g;
            s->sums[g++] = 0;
        }
        int64_t *own = s->sums + s->place[group];
        alike += (2 * *own + w) * w;
        *own += w;
    }
    return total * total - alike;
}

/* What each question charges a pair at least, in 1 / 2^PAIRS_SCALE; -1 where one that splits the set can't be
   charged: no bound. */
static inline int pair_rates(identify_t *s, const key_node_t *N, choice_t *rate) {
    const key_frame_t *f = N->frame;
    const int n = N->n;
    int rates = 0;
    for (int c = 0; c < f->columns; c++) {
        const column_t *k = f->column + c;
        const uint16_t *codes = column_codes(f, c);
        int64_t square = 0;
        for (int i = 0; i < n; i++) {
            int64_t *own = s->by_code + codes[N->at[i]];
            const int64_t w = f->weight[N->at[i]];
            square += (2 * *own + w) * w;
            *own += w;
        }
        for (int i = 0; i < n; i++) s->by_code[codes[N->at[i]]] = 0;
        const int64_t pairs = (N->weight * N->weight - square) / 2;
        if (!pairs) continue;
        if (k->cost >= (int64_t)1 << 20) {
            rates = -1;
            break;
        }
        const choice_t it = {k->cost * N->weight * ((int64_t)1 << PAIRS_SCALE) / pairs, c, 0};
        rate[rates++] = it;
    }
    key_count_work(s, (int64_t)f->columns * n);
    return rates;
}

/* Blocks of items that no question has separated yet, one after the other: of each, where it ends, and its open
   pairs. */
typedef struct {
    int32_t *item, *end, *scratch;
    int64_t *open;
} blocks_t;

/* Split all blocks by a question; returns twice the product of weights of the pairs that it separates. */
static inline int64_t split_blocks(identify_t *s, const key_frame_t *f, int column, int n, const blocks_t *b) {
    int64_t separated = 0;
    for (int i = 0; i < n;) {
        const int stop = b->end[i], many = stop - i;
        if (b->open[i] == 0) {
            i = stop;
            continue;
        }
        const int classes = key_split(s, column_codes(f, column), b->item + i, many, b->scratch);
        key_count_work(s, many);
        if (classes > 1) {
            separated += b->open[i];
            memcpy(b->item + i, b->scratch, (size_t)many * sizeof *b->item);
            for (int k = 0; k < classes; k++) {
                const int from = i + s->start[k], to = i + s->start[k + 1];
                b->end[from] = to;
                b->open[from] = pairs_left(s, f, b->item + from, to - from);
                separated -= b->open[from];
            }
        }
        i = stop;
    }
    return separated;
}

/* The bound over pairs: rates are gone through from the least up, and a question charges the pairs that those before
   it have not separated. */
static int64_t pairs_bound(identify_t *s, const key_node_t *N) {
    const key_frame_t *f = N->frame;
    const size_t n = (size_t)N->n;
    if (N->weight < 2 || N->weight >= (int64_t)1 << 20) return 0; /* products with what stands after the point must fit */
    const arena_mark_t mark = arena_mark(&s->arena);
    choice_t *rate = (choice_t *)allocate(s, ((size_t)f->columns + 1) * sizeof *rate);
    blocks_t b;
    b.item = (int32_t *)allocate(s, n * sizeof *b.item);
    b.scratch = (int32_t *)allocate(s, n * sizeof *b.scratch);
    b.end = (int32_t *)allocate(s, n * sizeof *b.end);
    b.open = (int64_t *)allocate(s, n * sizeof *b.open);
    int64_t low = 0;
    if (!rate || !b.item || !b.scratch || !b.end || !b.open) {
        arena_release(&s->arena, mark);
        return 0;
    }
    int rates = pair_rates(s, N, rate);
    for (int i = rates / 2 - 1; i >= 0; i--) heap_down(rate, rates, i);
    for (int i = 0; i < N->n; i++) b.item[i] = N->at[i];
    b.end[0] = N->n;
    b.open[0] = pairs_left(s, f, b.item, N->n);
    int64_t unseparated = b.open[0];
    while (rates > 0 && unseparated > 0 && low < (int64_t)1 << 61) {
        const choice_t now = rate[0];
        rate[0] = rate[--rates];
        heap_down(rate, rates, 0);
        const int64_t separated = split_blocks(s, f, now.column, N->n, &b);
        unseparated -= separated;
        low += separated / 2 * now.low;
    }
    arena_release(&s->arena, mark);
    /* Parts after the point are dropped from each rate; the sum is a whole number, so it is rounded up. */
    return (low + ((int64_t)1 << PAIRS_SCALE) - 1) >> PAIRS_SCALE;
}

#endif
