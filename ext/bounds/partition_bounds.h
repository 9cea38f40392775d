/* What a guess costs at least: what it costs itself, plus the bounds of its classes.

   Every class must be searched, whatever the others cost; so lower bounds add up, and a guess is refuted as soon as
   the sum reaches the budget. A class is asked for no more than what the bounds of the others leave of it. */
#ifndef OPTIMAL_BOUNDS_PARTITION_BOUNDS_H
#define OPTIMAL_BOUNDS_PARTITION_BOUNDS_H

#include "bounds/tiers.h"

/* How far a bound is to rise next: steps of 2 to 5 % end soonest. Where answers may be late, one more is. */
static inline int64_t even_budget(const search_t *s, int64_t low) {
    return low + low / 28 + 1 + s->costs.late;
}

/* Let class i of a partition have a bound that was found for it; returns the raised total. */
static inline int64_t take_bound(partition_t *p, int i, bound_t b, int64_t total) {
    p->exact[i] = 0;
    p->counted[i] = (uint8_t)b.counted;
    total = raise_low(p, i, b.low, total);
    if (b.exact) class_settled(p, i, b.low, b.height);
    return total;
}

/* The cost of a guess at P, and of its classes at least, by their sizes or weights alone. */
static int64_t sum_trivial(search_t *s, const position_t *P, partition_t *p, int d, const int64_t *class_least) {
    int64_t total = s->costs.unit ? P->n
                                  : cost_charge(&s->costs, cost_weigh(&s->costs, P->answers, P->n).total, P->depth);
    for (int i = 0; i < p->classes; i++) {
        const position_t *q = &p->position[i];
        p->low[i] = class_least ? class_least[q->n] : cost_trivial(&s->costs, q->answers, q->n, d, q->depth);
        total = cost_add(total, p->low[i]);
    }
    return total;
}

/* The same with the table bounds of all classes, d guesses left for them; ends at `budget`. *height is 0 unless every
   class is exact: then the sum is, and this is the height of its tree. `class_least` may be NULL. */
static int64_t sum_table_bounds(search_t *s, const position_t *P, partition_t *p, int d, const int64_t *class_least,
                                int64_t budget, int *height) {
    int64_t total = sum_trivial(s, P, p, d, class_least);
    int tallest = 0;
    *height = 0;
    if (total >= COST_INF) return COST_INF;
    for (int i = 0; i < p->classes; i++) {
        const position_t *q = &p->position[i];
        p->counted[i] = 0;
        if (q->n <= 2) {
            p->exact[i] = 1;
            p->height[i] = (uint16_t)q->n;
        } else {
            if (total >= budget) return total;
            const bound_t b = known_low(s, q, d);
            if (b.low >= COST_INF) return class_fails(p, i);
            total = take_bound(p, i, b, total);
        }
        if (!p->exact[i]) tallest = FREE;
        else if (p->height[i] > tallest) tallest = p->height[i];
    }
    if (tallest < FREE) *height = tallest + 1;
    return total;
}

/* Whether what is known of the classes of a guess at P, d guesses left for them, makes it cost `budget` or more: their
   sizes, the memo of members and the table, before they are positions. Unit costs. Classes without a tree are left to
   others, who learn from them. */
static int known_refute(search_t *s, const position_t *P, const codes_t *c, int d, const int64_t *class_least,
                        int64_t budget) {
    const int32_t *size = s->class_size;
    int64_t total = P->n;
    if (!class_least) return 0;
    for (int i = 0; i < c->distinct; i++) {
        const int code = c->seen[i], n = size[code];
        if (code == s->game->winning_code) continue;
        total = cost_add(total, class_least[n]);
        if (n > 2) {
            memo_prefetch(&s->member_memo, s->class_key[code]);
            if (s->game->rules == NORMAL) recall_prefetch(s, s->class_key[code], n);
        }
    }
    for (int i = 0; i < c->distinct && total < budget; i++) {
        const int code = c->seen[i], n = size[code];
        if (n <= 2 || code == s->game->winning_code) continue;
        const int64_t low = known_bound(s, P, s->class_key[code], n, d);
        if (low >= COST_INF) return 0;
        if (low > class_least[n]) total += low - class_least[n];
    }
    return total >= budget;
}

/* Count bounds of the classes that have none yet, until the sum reaches `budget`: every step works against what the
   bounds of the others leave of it. The larger of the classes of at most `larger_first` answers come first, which raise
   the sum most; then those above it, from small to large. */
static int64_t sum_count_bounds(search_t *s, partition_t *p, int64_t total, int d, int64_t budget) {
    int few = 0;
    while (few < p->classes && p->position[few].n <= s->larger_first) few++;
    for (int j = 0; j < p->classes && total < budget && !s->stopped; j++) {
        const int i = j < few ? few - 1 - j : j;
        if (p->exact[i] || p->counted[i]) continue;
        const bound_t b = counted_low(s, &p->position[i], d, budget - (total - p->low[i]));
        if (b.low >= COST_INF) return class_fails(p, i);
        total = take_bound(p, i, b, total);
    }
    return total;
}

#endif
