/* Lower bounds of a set of items and of a question asked of it, from numbers and weights alone.

   A key of g groups costs no less than the best split of g groups, and no less than the best key of their weights:
   bounds by layers of weights, and Huffman's trees (1952) of as many branches as a question has replies
   (key_bounds.h). The bound of a question is its cost times the weight of the set, plus the bounds of its classes. */
#ifndef OPTIMAL_IDENTIFY_SET_BOUNDS_H
#define OPTIMAL_IDENTIFY_SET_BOUNDS_H

#include "identify/key_search.h"

/* The questions that fit on any path, by their number and by what it may cost. */
static inline int questions_left(const key_frame_t *f, limits_t within) {
    if (within.cost_left >= COST_INF || f->cheapest <= 0) return within.left;
    const int64_t paid = within.cost_left / f->cheapest;
    return paid < within.left ? (int)paid : within.left;
}

/* Clear the stamps of all groups. */
static inline void stamp_anew(identify_t *s) {
    if (++s->now < INT32_MAX) return;
    memset(s->stamp, 0, (size_t)s->questions->items * sizeof *s->stamp);
    s->now = 1;
}

/* The groups of a set's items, which are in rising order of weight: s->tops has the heaviest item of each, rising,
   s->sums what each weighs. Returns how many there are. */
static inline int weigh_groups(identify_t *s, const key_frame_t *f, const int32_t *at, int n) {
    int g = 0;
    stamp_anew(s);
    if (s->questions->groups == s->questions->items) {
        for (int i = 0; i < n; i++) s->tops[i] = f->weight[at[i]];
        return n;
    }
    /* From the heaviest down: the first item of a group that is met is its heaviest. */
    for (int i = n - 1; i >= 0; i--) {
        const int32_t group = f->group[at[i]];
        if (s->stamp[group] != s->now) {
            s->stamp[group] = s->now;
            s->place[group] = g;
            s->tops[g] = f->weight[at[i]];
            s->sums[g++] = f->weight[at[i]];
        } else s->sums[s->place[group]] += f->weight[at[i]];
    }
    for (int i = 0; i < g / 2; i++) {
        const int64_t x = s->tops[i];
        s->tops[i] = s->tops[g - 1 - i];
        s->tops[g - 1 - i] = x;
    }
    return g;
}

/* A lower bound of a class of a set in a frame, by its groups and weights. Its items are `at`, in rising order of
   weight; its groups are counted too: of one group nothing need be asked. */
static int64_t class_bound(identify_t *s, const key_frame_t *f, const int32_t *at, int n, int left, int *groups) {
    const int plain = s->questions->plain, g = plain ? n : weigh_groups(s, f, at, n);
    *groups = g;
    if (g < 2) return 0;
    const int64_t *least = key_frame_least(f, left);
    if (least[g] >= COST_INF || left < f->fits[g]) return COST_INF;
    int64_t low = 0;
    if (s->switches & KEY_SIZES) low = plain ? least[g] : by_layers(s->tops, g, least);
    if (!plain && s->switches & KEY_HUFFMAN && f->cheapest > 0) {
        const int64_t *sums = s->tops;
        if (s->questions->groups < s->questions->items) {
            weights_rise(s->sums, g);
            sums = s->sums;
        }
        const int64_t other = huffman(sums, g, f->replies_most, s->joined) * f->cheapest;
        if (other > low) low = other;
    }
    return low;
}

/* Two items of different groups: the cheapest question that parts them settles it. */
static int64_t pair_value(const identify_t *s, const key_frame_t *f, const int32_t *at, int64_t weight, int64_t cost_left,
                          int *question) {
    const column_t *best = NULL;
    for (int c = 0; c < f->columns; c++) {
        const column_t *k = f->column + c;
        const uint16_t *codes = column_codes(f, c);
        if ((!best || k->cost < best->cost) && codes[at[0]] != codes[at[1]]) {
            best = k;
            if (k->cost == f->cheapest) break;
        }
    }
    *question = best->question;
    if (best->cost > cost_left) return COST_INF;
    return s->any ? 0 : weight * best->cost;
}

/* Which of two choices comes first. */
static inline int sooner(const choice_t *a, const choice_t *b) {
    if (a->low != b->low) return a->low < b->low;
    if (a->largest != b->largest) return a->largest < b->largest;
    return a->column < b->column;
}

static void heap_down(choice_t *heap, int n, int i) {
    const choice_t x = heap[i];
    for (int child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && sooner(heap + child + 1, heap + child)) child++;
        if (!sooner(heap + child, &x)) break;
        heap[i] = heap[child];
    }
    heap[i] = x;
}

/* The classes of a set by these codes, items in rising order within each; the places go to `out`, their begins to
   s->start, which has one more. Returns how many classes there are. */
static int key_split(identify_t *s, const uint16_t *codes, const int32_t *at, int n, int32_t *out) {
    int classes = 0;
    for (int i = 0; i < n; i++)
        if (s->count[codes[at[i]]]++ == 0) s->label[classes++] = codes[at[i]];
    int begin = 0;
    for (int k = 0; k < classes; k++) {
        s->start[k] = begin;
        begin += s->count[s->label[k]];
        s->count[s->label[k]] = k;
    }
    for (int i = 0; i < n; i++) out[s->start[s->count[codes[at[i]]]]++] = at[i];
    for (int k = classes; k > 0; k--) s->start[k] = s->start[k - 1];
    s->start[0] = 0;
    for (int k = 0; k < classes; k++) s->count[s->label[k]] = 0;
    return classes;
}

/* The least cost of the classes of a question of few replies on a set of a plain table, whose items are `bits`, by
   their sizes. The greatest class goes to *largest. */
static inline int64_t sizes_bound(identify_t *s, const key_node_t *N, const column_t *k, const uint64_t *bits, int left,
                                  int32_t *largest) {
    const key_frame_t *f = N->frame;
    const int64_t *least = key_frame_least(f, left);
    const uint64_t *own = f->bits + k->bits_at;
    int64_t sum = 0;
    int rest = N->n, most = 0;
    for (int r = 1; r < k->replies; r++, own += f->words) {
        int size = 0;
        for (int w = 0; w < f->words; w++) size += OPTIMAL_POPCOUNT64(bits[w] & own[w]);
        rest -= size;
        if (size > most) most = size;
        sum = cost_add(sum, f->fits[size] > left ? COST_INF : least[size]);
    }
    key_count_work(s, f->words * (k->replies - 1));
    if (rest > most) most = rest;
    *largest = most;
    if (most == N->n) return COST_INF;
    sum = cost_add(sum, f->fits[rest] > left ? COST_INF : least[rest]);
    return !(s->switches & KEY_SIZES) && sum < COST_INF ? 0 : sum;
}

/* The cost of a question on a set plus the bounds of its classes; COST_INF where there is no key, or the question
   doesn't split the set. The greatest class goes to *largest. */
static int64_t question_bound(identify_t *s, const key_node_t *N, int column, const uint64_t *bits, int32_t *scratch,
                              int32_t *largest) {
    const key_frame_t *f = N->frame;
    const column_t *k = f->column + column;
    const int left = questions_left(f, limits_after(N->within, k->cost));
    *largest = N->n;
    if (k->cost > N->within.cost_left) return COST_INF;
    int64_t sum = 0;
    if (bits && k->replies <= BITS_REPLIES) {
        sum = sizes_bound(s, N, k, bits, left, largest);
    } else {
        const int classes = key_split(s, column_codes(f, column), N->at, N->n, scratch);
        key_count_work(s, N->n);
        if (classes < 2) return COST_INF;
        int most = 0;
        for (int c = 0; c < classes; c++) {
            const int size = s->start[c + 1] - s->start[c];
            int groups;
            if (size > most) most = size;
            if (size > 1) sum = cost_add(sum, class_bound(s, f, scratch + s->start[c], size, left, &groups));
        }
        *largest = most;
    }
    return cost_add(sum, k->cost * N->weight);
}

#endif
