/* Frames: the part of the matrix that a position needs, and which of its columns are legal there.

   A frame of a position's own lies close together in memory, has its columns in falling order of class count, and
   leaves out guesses of one class. That is sound: on every subset such a guess has one class too; it costs a guess,
   tells nothing and, under any rules, allows no guess that was not allowed before.

   Illegal columns are dropped when a position is entered, and the frame is handed down, so each level tests its own
   hint alone. Columns keep their order. Caps must never rise from block to block, nor be below a count in their block
   or after it, on any subset. */
#ifndef OPTIMAL_GAME_FRAMES_H
#define OPTIMAL_GAME_FRAMES_H

#include "base/buckets.h"
#include "game/position.h"

/* Features that hints can ask for at most, as a candidate has them all: two a letter (its place, its copy), and hard
   rules are for words of up to 16 letters. */
#define FEATURES_MOST 32

/* Where a look through a frame for legal columns stands. */
typedef struct {
    int block;                 /* of BLOCK columns */
    uint64_t bits;             /* its legal columns that are still to come */
    int features;              /* hard rules: what to ask for beyond what all of the frame's columns have */
    const uint64_t *having[FEATURES_MOST];
} legal_t;

/* Copy columns `source` of f's rows B to rows of `stride` bytes. */
static void copy_columns(search_t *s, const frame_t *f, const int32_t *B, int n, const int32_t *source, int m,
                         uint8_t *data, size_t stride) {
    for (int i = 0; i < n; i++) copy_row(f->row[B[i]], s->game->width, source, m, data + (size_t)i * stride, stride);
    count_work(s, (int64_t)n * m);
}

/* The frame's columns with a feature, a bit each; found when it is first asked for. Frames that
   threads share, the game's own, have them all from the start. */
static const uint64_t *columns_having(const game_t *g, const frame_t *f, int feature) {
    uint64_t *out = f->having + (size_t)feature * (size_t)f->blocks;
    const uint64_t *word = g->features + (feature >> 6);
    if (!f->ready[feature]) {
        for (int b = 0; b < f->blocks; b++) {
            const int32_t *guess = f->guess + b * BLOCK;
            uint64_t bits = 0;
            for (int c = 0; c < BLOCK; c++)
                if (guess[c] >= 0)
                    bits |= (word[(size_t)guess[c] * (size_t)g->feature_words] >> (feature & 63) & 1) << c;
            out[b] = bits;
        }
        f->ready[feature] = 1;
    }
    return out;
}

/* Find the legal columns of the block that the list has come to. */
static void legal_block(const search_t *s, const position_t *P, legal_t *legal) {
    const int rules = s->game->rules;
    uint64_t bits = 0;
    if (legal->block < P->frame->blocks) {
        if (rules == HARD && legal->features) {
            bits = ~0ull;
            for (int i = 0; i < legal->features; i++) bits &= legal->having[i][legal->block];
        } else {
            const int32_t *guess = P->frame->guess + legal->block * BLOCK;
            for (int i = 0; i < BLOCK; i++)
                if (guess[i] >= 0
                    && (rules != ULTRA_HARD || !P->strict || game_reply(s->game, P->guess, guess[i]) == P->code))
                    bits |= 1ull << i;
        }
    }
    legal->bits = bits;
}

/* Start to list the legal columns of P's frame. */
static void legal_begin(const search_t *s, const position_t *P, legal_t *legal) {
    legal->block = 0;
    legal->features = 0;
    if (s->game->rules == HARD)
        for (int w = 0; w < s->game->feature_words; w++)
            for (uint64_t rest = P->needs[w] & ~P->frame->needs[w]; rest; rest &= rest - 1)
                legal->having[legal->features++] = columns_having(s->game, P->frame, w * 64 + OPTIMAL_LOWEST_BIT(rest));
    legal_block(s, P, legal);
}

/* Write up to `most` further legal columns, in the frame's order; returns how many. */
static int legal_next(const search_t *s, const position_t *P, legal_t *legal, int most, int32_t *out) {
    int m = 0;
    while (m < most && legal->block < P->frame->blocks) {
        if (!legal->bits) {
            legal->block++;
            legal_block(s, P, legal);
            continue;
        }
        out[m++] = legal->block * BLOCK + OPTIMAL_LOWEST_BIT(legal->bits);
        legal->bits &= legal->bits - 1;
    }
    return m;
}

/* Whether a guess that is legal at a position is legal at this class of it, too. */
static inline int is_legal(const game_t *g, const position_t *P, int guess) {
    if (g->rules == ULTRA_HARD) return !P->strict || game_reply(g, P->guess, guess) == P->code;
    if (g->rules == HARD) {
        const uint64_t *has = g->features + (size_t)guess * (size_t)g->feature_words;
        for (int w = 0; w < g->feature_words; w++)
            if (P->needs[w] & ~has[w]) return 0;
    }
    return 1;
}

/* A frame of P's answers, all of whose columns are legal, from columns `source` of its frame in falling order of class
   count, where block b has at most cap[b] classes; -1 when memory runs out. */
static int make_frame(search_t *s, const position_t *P, const int32_t *source, int m, uint16_t *cap, frame_t *out) {
    const frame_t *f = P->frame;
    const int blocks = m > BLOCK ? (m + BLOCK - 1) / BLOCK : 1, features = s->game->feature_words * 64;
    const size_t stride = (size_t)blocks * BLOCK * (size_t)s->game->width;
    int32_t *guess = (int32_t *)allocate(s, (size_t)blocks * BLOCK * sizeof *guess);
    uint8_t *data = (uint8_t *)allocate(s, (size_t)P->n * stride);
    int32_t *column = (int32_t *)allocate(s, (size_t)s->game->answers * sizeof *column);
    out->row = (const uint8_t **)allocate(s, (size_t)s->game->answers * sizeof *out->row);
    if (!guess || !data || !column || !out->row) return -1;
    for (int i = 0; i < blocks * BLOCK; i++) {
        guess[i] = i < m ? f->guess[source[i]] : -1;
        const int a = i < m ? s->game->answer_of[guess[i]] : -1;
        if (a >= 0) column[a] = i;
    }
    copy_columns(s, f, P->answers, P->n, source, m, data, stride);
    for (int i = 0; i < P->n; i++) out->row[P->answers[i]] = data + (size_t)i * stride;
    out->blocks = blocks;
    out->guess = guess;
    out->column = column;
    out->cap = cap;
    out->needs = P->needs;
    out->having = NULL;
    out->ready = NULL;
    if (s->game->rules == HARD) {
        out->having = (uint64_t *)allocate(s, (size_t)features * (size_t)blocks * sizeof *out->having);
        out->ready = (uint8_t *)allocate(s, (size_t)features);
        if (!out->having || !out->ready) return -1;
        memset(out->ready, 0, (size_t)features);
    }
    return 0;
}

/* P with a frame of legal guesses only; -1 when memory runs out. The order of columns, and so their caps, are those of
   the frame before. */
static int restrict_position(search_t *s, const position_t *P, position_t *out, frame_t *frame) {
    const frame_t *f = P->frame;
    *out = *P;
    if (!P->strict) return 0;
    int32_t *source = (int32_t *)allocate(s, (size_t)f->blocks * BLOCK * sizeof *source);
    uint16_t *cap = (uint16_t *)allocate(s, (size_t)f->blocks * sizeof *cap);
    if (!source || !cap) return -1;
    legal_t legal;
    legal_begin(s, P, &legal);
    const int m = legal_next(s, P, &legal, f->blocks * BLOCK, source);
    cap[0] = 1;
    for (int i = 0; i < m; i += BLOCK) cap[i / BLOCK] = f->cap[source[i] / BLOCK];
    if (make_frame(s, P, source, m, cap, frame) < 0) return -1;
    out->strict = 0;
    out->frame = frame;
    return 0;
}

/* P with a frame of its own: the columns of `done` blocks of its frame, in falling order of their `counts` on P.

   A guess with one class on a set has one class on every subset of it: it costs a guess, tells nothing and, under any
   rules, allows no guess that was not allowed before. It is left out. Where the others went is in place[column]. */
static int compact_position(search_t *s, const position_t *P, int done, const uint16_t *counts, position_t *out,
                            frame_t *frame, int32_t *place) {
    const int n = P->n;
    int m = 0;
    int *begin = (int *)allocate(s, (size_t)(n + 2) * sizeof *begin);
    int32_t *source = (int32_t *)allocate(s, (size_t)(done + 1) * BLOCK * sizeof *source);
    uint16_t *cap = (uint16_t *)allocate(s, (size_t)(done + 1) * sizeof *cap);
    if (!begin || !source || !cap) return -1;
    memset(begin, 0, (size_t)(n + 2) * sizeof *begin);
    for (int i = 0; i < done * BLOCK; i++)
        if (counts[i] > 1) begin[counts[i]]++, m++;
    bucket_starts(begin, n + 1);
    cap[0] = 1;
    for (int i = 0; i < done * BLOCK; i++) {
        const int k = counts[i];
        if (k <= 1) continue;
        if (begin[k] % BLOCK == 0) cap[begin[k] / BLOCK] = (uint16_t)k;
        place[i] = begin[k];
        source[begin[k]++] = i;
    }
    if (make_frame(s, P, source, m, cap, frame) < 0) return -1;
    *out = *P;
    out->frame = frame;
    return 0;
}

#endif
