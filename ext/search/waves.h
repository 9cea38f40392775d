/* Step 4 of a node: waves of guesses, and the bounds of those of a wave.

   A good tree found early makes most of the other guesses unnecessary, so the guesses are bounded and searched in waves,
   those of most classes first. Waves lose nothing: they go on until the count bound of the next guess reaches the best.

   Where many guesses are left, they get a frame of their own (frames.h), or their classes are counted at once
   (batched_bounds.h). */
#ifndef OPTIMAL_SEARCH_WAVES_H
#define OPTIMAL_SEARCH_WAVES_H

#include "bounds/batched_bounds.h"
#include "search/guess_list.h"

#define FRAME_LEAST TUNED(14, 4)   /* smaller sets are searched in their parent's frame */
#define FRAME_TRIES TUNED(24, 1)   /* guesses still to try after the first wave that are worth a frame of their own */
#define NEAR_MOST TUNED(1 << 18, 1 << 9) /* bytes of a frame that is read faster than the whole matrix */
#define WAVE TUNED(32, 2)          /* weighted answers: guesses in the first wave; each is four times the one before */

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

/* Bounds of the node's guesses by the sizes of their classes. */
static inline int node_size_bounds(search_t *s, node_t *N) {
    return size_bounds(s, &N->legal, N->frame, N->class_least, N->left, &N->sizes) < 0 ? node_fail(s, N) : OPEN;
}

/* Prepare the waves. */
static int node_prepare(search_t *s, node_t *N) {
    if (node_sort(s, N) || node_sizes(s, N) || node_size_bounds(s, N)) return SETTLED;
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

/* With unit costs a wave is the guesses of the next few ranks. */
static inline void wave_by_rank(const search_t *s, node_t *N, int step) {
    const guess_t *list = N->list;
    do N->wave_rank += N->waves == 0 ? 2 : N->waves == 1 ? 6 : 18, N->waves++;
    while (list[N->from].rank > N->wave_rank);
    /* Where any tree will do, one is soon found or hard to find: a few guesses at a time, and more each time. */
    const int many = s->feasibility_only ? step : N->listed;
    while (N->upto < N->listed && N->upto - N->from < many && list[N->upto].rank <= N->wave_rank && list[N->upto].low < N->best)
        N->upto++;
    if (N->upto < N->listed && list[N->upto].rank <= N->wave_rank) N->wave_rank = list[N->upto].rank - 1;
}

/* With other costs it is a number of guesses. */
static inline void wave_by_number(node_t *N, int step) {
    N->waves++;
    while (N->upto < N->listed && N->upto - N->from < step && N->list[N->upto].low < N->best) N->upto++;
}

/* Whether the guesses still to try are worth a frame of the node's own. */
static inline int own_frame_pays(const search_t *s, const node_t *N) {
    return N->P->n >= FRAME_LEAST && N->upto - N->from >= FRAME_TRIES && N->waves >= 2 && N->frame != &N->own_frame
           && s->switches & FRAMES;
}

/* The next wave of guesses, by falling class count. Returns 0 when none is left. */
static int node_next_wave(search_t *s, node_t *N) {
    const int first = N->upto, step = WAVE << 2 * (N->waves < 8 ? N->waves : 8);
    if (!s->costs.unit) node_sort_to(N, first + step);
    if (s->stopped || first >= N->listed || N->list[first].low >= N->best) return 0;
    N->from = first;
    if (s->costs.unit) wave_by_rank(s, N, step);
    else wave_by_number(N, step);
    return !own_frame_pays(s, N) || (!node_own_frame(s, N, first) && !node_size_bounds(s, N));
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

/* Bound a guess of a batch by what is known of its classes. Returns whether that refutes it; if not, classes of it that
   aren't counted yet join the batch, and *many counts those that weren't there. */
static inline int node_batch_guess(search_t *s, const node_t *N, const guess_t *c, batch_t *batch, int *many) {
    partition_t p;
    const int classes = node_split_unknown(s, N, c, &p);
    if (classes <= 0) return classes == 0;
    int height;
    const int64_t low = sum_table_bounds(s, &N->legal, &p, N->left, N->class_least, N->best, &height);
    const int refuted = low >= N->best;
    if (!refuted) *many += batch_add_classes(batch, &p, N->best - low);
    return refuted && p.failed < 0; /* what has no tree is learned of later */
}

/* Step 4, before it: count classes of the guesses of the wave at once, as long as that refutes them.
   Returns where those end that are left. */
static int node_count_batched(search_t *s, node_t *N) {
    const arena_mark_t mark = arena_mark(&s->arena);
    int end = N->upto, many = BATCH_FIRST;
    batch_t batch;
    if (batch_begin(s, &N->legal, N->left, N->counts, N->done, node_most(N), &batch) < 0) return end;
    for (int round = 0; round < BATCH_ROUNDS && many >= batch_worth(&batch) && !s->stopped; round++) {
        int kept = N->from;
        many = 0;
        for (int i = N->from; i < end && !s->stopped && N->list[i].low < N->best; i++) {
            const guess_t c = N->list[i];
            if (round == 0 && sizes_refute(s, &N->legal, &N->sizes, c.guess, c.column, c.member, N->best)) continue;
            const arena_mark_t inner = arena_mark(&s->arena);
            const int refuted = node_batch_guess(s, N, &c, &batch, &many);
            arena_release(&s->arena, inner);
            s->tally[AT_ONCE_NUMBER].settled += (uint64_t)refuted;
            if (!refuted) N->list[kept++] = c;
            if (batch_full(&batch)) batch_count(s, &batch);
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

#endif
