/* Counting: the most classes that a guess makes of a set, which is where the time goes. */
#ifndef OPTIMAL_COUNTING_H
#define OPTIMAL_COUNTING_H

#include "frames.h"

/* counts[i] = classes that member who[i] makes of B, i < m; returns the most. */
static int count_members(search_t *s, const int32_t *who, int m, const int32_t *B, int n, uint16_t *counts) {
    const game_t *g = s->game;
    int32_t guesses[BLOCK];
    int most = 0;
    for (int from = 0; from < m && !s->stopped; from += BLOCK) {
        const int step = m - from < BLOCK ? m - from : BLOCK;
        for (int i = 0; i < step; i++) guesses[i] = g->answer_guess[who[from + i]];
        count_list(g->codes, g->width, (size_t)g->answers, guesses, step, B, n, &s->marks, counts + from);
        for (int i = 0; i < step; i++) most = counts[from + i] > most ? counts[from + i] : most;
        worked(s, (int64_t)step * n);
    }
    return most;
}

/* The most classes that a member makes of P. It hangs on the set alone, under all rules, and is kept in the
   memo. */
static int best_member(search_t *s, const position_t *P) {
    uint16_t counts[8];
    int best = 0;
    if (s->switches & TABLE && (best = memo_find(&s->member_memo, P->set))) return best;
    for (int i = 0; i < P->n && best < P->n; i += 8) {
        const int k = count_members(s, P->answers + i, P->n - i < 8 ? P->n - i : 8, P->answers, P->n, counts);
        if (k > best) best = k;
    }
    if (s->switches & TABLE && !s->stopped) memo_store(&s->member_memo, P->set, best);
    return best;
}

/* Counts the classes that f's columns make of B, by blocks from `first` on, into out[BLOCK * block ..], 1 for padding.
   Ends before the first block whose cap is not above `floor` (which rises to the best count seen, if `rising`), and
   after a block that reaches `enough`. Returns the first block not done; *best rises to the best count seen. */
static int count_columns(search_t *s, const frame_t *f, const int32_t *B, int n, int first, int floor, int rising,
                         int enough, int *best, uint16_t *out) {
    const game_t *g = s->game;
    int b = first;
    if (n <= PAIRWISE_MOST) {
        const uint8_t *row[PAIRWISE_MOST];
        for (int i = 0; i < n; i++) row[i] = f->row[B[i]];
        b = count_blocks(row, n, g->width, first, f->blocks, f->cap, floor, rising, enough, best, out);
        worked(s, (int64_t)(b - first) * n * (n + 16));
        return b;
    }
    while (b < f->blocks && f->cap[b] > floor && !s->stopped) {
        int top = BLOCK;
        while (top > 0 && f->guess[b * BLOCK + top - 1] < 0) out[b * BLOCK + --top] = 1;
        count_list(g->codes, g->width, (size_t)g->answers, f->guess + b * BLOCK, top, B, n, &s->marks, out + b * BLOCK);
        for (int c = 0; c < top; c++)
            if (out[b * BLOCK + c] > *best) *best = out[b * BLOCK + c];
        worked(s, (int64_t)top * n);
        b++;
        if (rising && *best > floor) floor = *best;
        if (*best >= enough) break;
    }
    return b;
}

/* The most classes that a legal guess makes of P: exact if above `floor` and `best`, else no more than them. Columns
   are gathered block by block, since the caps often end it early. A stopped search returns what it has: no maximum. */
static int most_classes(search_t *s, const position_t *P, int floor, int best) {
    const game_t *g = s->game;
    const frame_t *f = P->frame;
    const int n = P->n;
    const size_t step = (size_t)BLOCK * (size_t)g->width;
    const arena_mark_t mark = arena_mark(&s->arena);
    const uint8_t *row[PAIRWISE_MOST];
    uint16_t counts[BLOCK];
    int32_t at[BLOCK], guess[BLOCK];
    legal_t legal;
    if (!P->strict) {
        uint16_t *out = (uint16_t *)take(s, (size_t)f->blocks * BLOCK * sizeof *out);
        if (out) count_columns(s, f, P->answers, n, 0, floor, 1, n, &best, out);
        arena_release(&s->arena, mark);
        return best;
    }
    uint8_t *tile = (uint8_t *)take(s, PAIRWISE_MOST * step);
    if (!tile) return best;
    legal_begin(s, P, &legal);
    while (best < n && !s->stopped) {
        const int least = floor > best ? floor : best;
        if (n <= PAIRWISE_MOST && OPTIMAL_POPCOUNT64(legal.bits) * (n + 60) > BLOCK * n) {
            /* So many of a block are legal that it is counted faster than gathered. */
            const uint16_t cap = f->cap[legal.block];
            int k = 0;
            if (cap <= least) break;
            for (int i = 0; i < n; i++) row[i] = f->row[P->answers[i]] + (size_t)legal.block * step;
            count_blocks(row, n, g->width, 0, 1, &cap, 0, 0, n + 1, &k, counts);
            for (; legal.bits; legal.bits &= legal.bits - 1) {
                k = counts[OPTIMAL_LOWEST_BIT(legal.bits)];
                if (k > best) best = k;
            }
            worked(s, (int64_t)n * (n + 16));
            continue;
        }
        const int m = legal_next(s, P, &legal, BLOCK, at);
        if (m == 0) break;
        const uint16_t cap = f->cap[at[0] / BLOCK];
        if (cap <= least) break;
        if (n <= PAIRWISE_MOST) {
            copy_columns(s, f, P->answers, n, at, m, tile, step);
            for (int i = 0; i < n; i++) row[i] = tile + (size_t)i * step;
            count_blocks(row, n, g->width, 0, 1, &cap, 0, 0, n + 1, &best, counts);
            worked(s, (int64_t)n * n);
        } else {
            for (int i = 0; i < m; i++) guess[i] = f->guess[at[i]];
            count_list(g->codes, g->width, (size_t)g->answers, guess, m, P->answers, n, &s->marks, counts);
            for (int i = 0; i < m; i++) best = counts[i] > best ? counts[i] : best;
            worked(s, (int64_t)m * n);
        }
    }
    arena_release(&s->arena, mark);
    return best;
}

#endif
