/* The most classes that a guess makes of a position, which is where the time goes.

   Columns are in falling order of their counts on a larger set, which bound those on the position (`cap`): counting
   ends once no later column can matter. Where similar answers give bounds from above (similarity.h), only columns
   whose bounds matter are counted.

   The most classes that a member makes depend on the set alone, under all rules, and are kept in the memo. A count over
   the legal guesses alone holds in all positions below too, where fewer are legal. */
#ifndef OPTIMAL_BOUNDS_MOST_CLASSES_H
#define OPTIMAL_BOUNDS_MOST_CLASSES_H

#include "game/frames.h"

/* counts[i] = classes that member who[i] makes of B, i < m; returns the most, UNPROVEN if the search stopped. */
static int count_members(search_t *s, const int32_t *who, int m, const int32_t *B, int n, uint16_t *counts) {
    const game_t *g = s->game;
    int32_t guesses[BLOCK];
    int most = 0;
    for (int from = 0; from < m && !s->stopped; from += BLOCK) {
        const int step = m - from < BLOCK ? m - from : BLOCK;
        for (int i = 0; i < step; i++) guesses[i] = g->answer_guess[who[from + i]];
        count_list(g->codes, g->width, (size_t)g->answers, guesses, step, B, n, &s->marks, counts + from);
        for (int i = 0; i < step; i++) most = counts[from + i] > most ? counts[from + i] : most;
        count_work(s, (int64_t)step * n);
    }
    return s->stopped ? UNPROVEN : most;
}

/* The most classes that a member makes of P, UNPROVEN if the search stopped. It depends on the set alone, under all
   rules, and is kept in the memo. */
static int best_member(search_t *s, const position_t *P) {
    uint16_t counts[8];
    int best = 0;
    if (s->switches & TABLE && (best = memo_find(&s->member_memo, P->set))) return best;
    for (int i = 0; i < P->n && best < P->n; i += 8) {
        const int k = count_members(s, P->answers + i, P->n - i < 8 ? P->n - i : 8, P->answers, P->n, counts);
        if (k < 0) return UNPROVEN;
        if (k > best) best = k;
    }
    assert(1 <= best && best <= P->n);
    if (s->switches & TABLE) memo_store(&s->member_memo, P->set, best);
    return best;
}

/* The same where it is `least` or more; else some number below that. No member counts more than its column's cap, and
   members are columns of every frame: they are legal, and tell the answers of their set apart. */
static int best_member_from(search_t *s, const position_t *P, int least) {
    const frame_t *f = P->frame;
    int32_t who[8];
    uint16_t counts[8];
    int best = 0, asked = 0;
    if (s->switches & TABLE && (best = memo_find(&s->member_memo, P->set))) return best;
    for (int i = 0; i < P->n && best < P->n;) {
        int m = 0;
        for (; i < P->n && m < 8; i++)
            if (f->cap[f->column[P->answers[i]] / BLOCK] >= least) who[m++] = P->answers[i];
        const int k = count_members(s, who, m, P->answers, P->n, counts);
        if (k < 0) return UNPROVEN;
        if (k > best) best = k;
        asked += m;
    }
    if (s->switches & TABLE && (asked == P->n || best == P->n)) memo_store(&s->member_memo, P->set, best);
    return best;
}

#define SIMILARITY_LEAST TUNED(16, 4)  /* smaller sets are soon counted in full */
#define SIMILARITY_SHARED TUNED(4, 64) /* answers for each class that a guess may make */
#define EARLY_BLOCKS TUNED(2, 0) /* counted in full, since they often settle it */
#define SIMILARITY_BLOCKS TUNED(4, 1)  /* so many more are worth choosing for */
#define SIMILARITY_WORK 32        /* what a row of a block counts as, compared with those like it */

/* Whether similar answers are worth asking for the counts of a set by the columns of a frame. Where many answers share every
   class, most of them repeat one that is not among those most like them. */
static inline int similarity_serves(const search_t *s, const frame_t *f, int n) {
    return s->switches & SIMILARITY && s->game->width == 1 && n >= SIMILARITY_LEAST && n <= SIMILARITY_MOST
           && n <= SIMILARITY_SHARED * f->cap[0];
}

/* What the kernels count of B, at most SIMILARITY_MOST answers: their rows of a frame, and where it is asked for
   those that each is like. */
typedef struct {
    count_t count;
    similar_t similar;
    const uint8_t *row[SIMILARITY_MOST];
    uint16_t at[SIMILARITY_MOST * SIMILAR_MANY];
} rows_t;

static void take_rows(search_t *s, const frame_t *f, const int32_t *B, int n, int similar, int floor, int rising,
                      rows_t *out) {
    assert(n <= SIMILARITY_MOST);
    for (int i = 0; i < n; i++) out->row[i] = f->row[B[i]];
    if (similar) out->similar = choose_similar(s->game, &s->similarity, B, n, out->at);
    out->count = (count_t){s->tile, out->row, n, s->game->width, similar ? &out->similar : NULL, floor, rising};
}

/* For assertions: no exact count of blocks [first, upto) is above its cap. */
static inline int caps_hold(const frame_t *f, int first, int upto, const uint16_t *out, const uint64_t *bounds) {
    for (int b = first; b < upto; b++)
        if (f->cap[b] > f->cap[first] || columns_above(out + b * BLOCK, f->cap[b]) & ~bounds[b]) return 0;
    return 1;
}

/* Counts as count_columns promises, every two answers compared, or column by column. */
static int count_in_full(search_t *s, const frame_t *f, const int32_t *B, int n, int first, int blocks, int floor,
                         int rising, int enough, int *best, uint16_t *out, uint64_t *bounds) {
    const game_t *g = s->game;
    int b = first;
    if (n <= PAIRWISE_MOST) {
        rows_t rows;
        take_rows(s, f, B, n, 0, floor, rising, &rows);
        b = count_blocks(&rows.count, first, blocks, f->cap, enough, best, out, bounds);
        assert(caps_hold(f, first, b, out, bounds));
        count_work(s, (int64_t)(b - first) * n * (n + 16));
        return b;
    }
    while (b < blocks && !s->stopped) {
        int top = BLOCK;
        if (rising && *best > floor) floor = *best;
        if (f->cap[b] <= floor) break;
        while (top > 0 && f->guess[b * BLOCK + top - 1] < 0) out[b * BLOCK + --top] = 1;
        count_list(g->codes, g->width, (size_t)g->answers, f->guess + b * BLOCK, top, B, n, &s->marks, out + b * BLOCK);
        for (int c = 0; c < top; c++)
            if (out[b * BLOCK + c] > *best) *best = out[b * BLOCK + c];
        count_work(s, (int64_t)top * n);
        bounds[b++] = 0;
        if (*best >= enough) break;
    }
    assert(caps_hold(f, first, b, out, bounds));
    return b;
}

/* Tally the columns of blocks [from, upto) that were not counted, their bounds being enough. */
static inline void tally_similarity(search_t *s, const uint64_t *bounds, int from, int upto) {
    s->tally[SIMILARITY_NUMBER].asked += (uint64_t)(upto - from) * BLOCK;
    for (int b = from; b < upto; b++) s->tally[SIMILARITY_NUMBER].settled += (uint64_t)OPTIMAL_POPCOUNT64(bounds[b]);
}

/* Counts the classes that f's columns make of B, by blocks from `first` on, into out[BLOCK * block ..], 1 for padding.
   Ends before the first block whose cap is not above `floor` (which rises to the best count seen, if `rising`), and
   after a block that reaches `enough`. Counts that are not above the floor may be bounds from above: their bits are in
   bounds[block]. Returns the first block not done; *best rises to the best count seen. */
static int count_columns(search_t *s, const frame_t *f, const int32_t *B, int n, int first, int floor, int rising,
                         int enough, int *best, uint16_t *out, uint64_t *bounds) {
    const int similar = similarity_serves(s, f, n) && floor > 1 && f->blocks - first > EARLY_BLOCKS;
    int upto = similar ? first + EARLY_BLOCKS : f->blocks;
    const int b = count_in_full(s, f, B, n, first, upto, floor, rising, enough, best, out, bounds);
    if (b < upto || b == f->blocks || *best >= enough || s->stopped) return b;
    if (rising && *best > floor) floor = *best;
    while (upto < f->blocks && f->cap[upto] > floor) upto++;
    if (upto - b < SIMILARITY_BLOCKS)
        return count_in_full(s, f, B, n, b, f->blocks, floor, rising, enough, best, out, bounds);
    rows_t rows;
    take_rows(s, f, B, n, 1, floor, rising, &rows);
    const int done = count_blocks(&rows.count, b, f->blocks, f->cap, enough, best, out, bounds);
    assert(caps_hold(f, b, done, out, bounds));
    tally_similarity(s, bounds, b, done);
    count_work(s, (int64_t)(done - b) * n * SIMILARITY_WORK);
    return done;
}

/* Bounds of the counts of all columns from block `first` on, which need not be counts. */
static void bound_columns(search_t *s, const frame_t *f, const int32_t *B, int n, int first, uint16_t *counts,
                          uint64_t *bounds) {
    int best = 0;
    if (!similarity_serves(s, f, n)) {
        count_in_full(s, f, B, n, first, f->blocks, 0, 0, n + 1, &best, counts, bounds); /* no cap is below 1 */
        return;
    }
    rows_t rows;
    take_rows(s, f, B, n, 1, n, 0, &rows);
    for (int b = first; b < f->blocks; b++)
        bounds[b] = count_block(&rows.count, b, f->blocks, ~0ull, &best, counts + b * BLOCK);
    tally_similarity(s, bounds, first, f->blocks);
    count_work(s, (int64_t)(f->blocks - first) * n * SIMILARITY_WORK);
}

/* Count exactly the columns of blocks [0, done) that have only bounds, above `floor`; *best as ever. */
static void count_bounded(search_t *s, const frame_t *f, const int32_t *B, int n, int done, int floor, int *best,
                          uint16_t *counts, uint64_t *bounds) {
    const game_t *g = s->game;
    for (int b = 0; b < done && !s->stopped; b++) {
        int32_t guess[BLOCK];
        uint16_t exact[BLOCK], *of_block = counts + b * BLOCK;
        uint64_t again = bounds[b] ? bounds[b] & columns_above(of_block, floor) : 0;
        int m = 0;
        if (!again) continue;
        for (uint64_t left = again; left; left &= left - 1)
            guess[m++] = f->guess[b * BLOCK + OPTIMAL_LOWEST_BIT(left)];
        if (n <= PAIRWISE_MOST && 3 * m > n) { /* so many that all of the block are counted faster */
            count_in_full(s, f, B, n, b, b + 1, 0, 0, n + 1, best, counts, bounds);
            continue;
        }
        count_list(g->codes, g->width, (size_t)g->answers, guess, m, B, n, &s->marks, exact);
        count_work(s, (int64_t)m * n);
        bounds[b] &= ~again;
        for (int i = 0; i < m; i++, again &= again - 1) {
            of_block[OPTIMAL_LOWEST_BIT(again)] = exact[i];
            if (exact[i] > *best) *best = exact[i];
        }
    }
}

/* Legal columns that are counted together: some of one block, where they are, or gathered from several. */
typedef struct {
    int whole;              /* they are counted where they are */
    int block, m;           /* of the first one; how many */
    uint64_t which;         /* whole: columns of the block, a bit each */
    int32_t column[BLOCK];  /* gathered */
} chosen_t;

/* Choose the next legal columns; where so many of a block are legal it is counted faster than gathered. Returns 0
   where none is left. */
static inline int choose_columns(search_t *s, const position_t *P, const rows_t *rows, legal_t *legal, chosen_t *c) {
    const int n = P->n;
    c->which = legal->bits;
    c->block = legal->block;
    c->m = OPTIMAL_POPCOUNT64(c->which);
    c->whole = rows->count.similar ? c->m > rows->similar.kept + 4 : n <= PAIRWISE_MOST && c->m * (n + 60) > BLOCK * n;
    if (c->whole) {
        legal->bits = 0;
        return 1;
    }
    c->m = legal_next(s, P, legal, BLOCK, c->column);
    if (c->m > 0) c->block = c->column[0] / BLOCK;
    return c->m > 0;
}

/* Count these columns; *best rises to the best count seen. `tile` and `gathered`, its rows, are room for those
   gathered. */
static inline void count_chosen(search_t *s, const position_t *P, rows_t *rows, const chosen_t *c, uint8_t *tile,
                                const uint8_t *const *gathered, int *best) {
    const game_t *g = s->game;
    const frame_t *f = P->frame;
    const int n = P->n;
    count_t *what = &rows->count;
    uint16_t counts[BLOCK];
    if (!c->whole && !what->similar && n > PAIRWISE_MOST) {
        int32_t guess[BLOCK];
        for (int i = 0; i < c->m; i++) guess[i] = f->guess[c->column[i]];
        count_list(g->codes, g->width, (size_t)g->answers, guess, c->m, P->answers, n, &s->marks, counts);
        for (int i = 0; i < c->m; i++) *best = counts[i] > *best ? counts[i] : *best;
        count_work(s, (int64_t)c->m * n);
        return;
    }
    if (c->whole) {
        what->rows = rows->row;
        count_block(what, c->block, f->blocks, c->which, best, counts);
    } else {
        copy_columns(s, f, P->answers, n, c->column, c->m, tile, (size_t)BLOCK * (size_t)g->width);
        what->rows = gathered;
        count_block(what, 0, 1, ~0ull, best, counts);
    }
    count_work(s, (int64_t)n * (what->similar ? SIMILARITY_WORK : n + 16));
}

/* most_classes where the frame holds illegal guesses: legal columns are gathered block by block, since the caps often
   end it early. */
static inline int most_classes_legal(search_t *s, const position_t *P, int floor, int best) {
    const frame_t *f = P->frame;
    const int n = P->n, similar = similarity_serves(s, f, n), rowwise = n <= PAIRWISE_MOST || similar;
    const size_t step = (size_t)BLOCK * (size_t)s->game->width;
    const uint8_t *gathered[SIMILARITY_MOST];
    rows_t rows;
    uint8_t *tile = NULL;
    if (rowwise) {
        tile = (uint8_t *)allocate(s, (size_t)n * step);
        if (!tile) return UNPROVEN;
        for (int i = 0; i < n; i++) gathered[i] = tile + (size_t)i * step;
    }
    take_rows(s, f, P->answers, rowwise ? n : 0, 0, floor, 1, &rows);
    legal_t legal;
    legal_begin(s, P, &legal);
    for (int blocks = 0; best < n && !s->stopped; blocks++) {
        chosen_t chosen;
        rows.count.floor = floor > best ? floor : best;
        if (similar && blocks == EARLY_BLOCKS) {
            rows.similar = choose_similar(s->game, &s->similarity, P->answers, n, rows.at);
            rows.count.similar = &rows.similar;
        }
        if (!choose_columns(s, P, &rows, &legal, &chosen) || f->cap[chosen.block] <= rows.count.floor) break;
        count_chosen(s, P, &rows, &chosen, tile, gathered, &best);
    }
    return best;
}

/* The most classes that a legal guess makes of P: exact if above `floor` and `best`, else no more than them; UNPROVEN
   if the search stopped. */
static int most_classes(search_t *s, const position_t *P, int floor, int best) {
    const frame_t *f = P->frame;
    const arena_mark_t mark = arena_mark(&s->arena);
    if (P->strict) {
        best = most_classes_legal(s, P, floor, best);
    } else {
        uint16_t *out = (uint16_t *)allocate(s, (size_t)f->blocks * BLOCK * sizeof *out);
        uint64_t *bounds = (uint64_t *)allocate(s, (size_t)f->blocks * sizeof *bounds);
        if (out && bounds) count_columns(s, f, P->answers, P->n, 0, floor, 1, P->n, &best, out, bounds);
    }
    arena_release(&s->arena, mark);
    return s->stopped ? UNPROVEN : best;
}

#endif
