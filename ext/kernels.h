/* Loops over the feedback matrix that must be fast: counting feedback classes.

   Everything here works on plain arrays; what the counts mean is the engine's affair. */
#ifndef OPTIMAL_KERNELS_H
#define OPTIMAL_KERNELS_H

#include <string.h>

#include "vectors.h"

/* More codes than a game can have: they are of 16 bits. */
#define CODES_MOST 65536

/* Columns are counted in blocks of this many; matrices with answers as rows are padded to it. */
#define BLOCK 64

#if OPTIMAL_VECTORS
typedef uint8_t vec __attribute__((vector_size(32)));
typedef uint8_t vec_u __attribute__((vector_size(32), aligned(1), may_alias));
#endif

/* Distinct codes per column over n rows in the BLOCK columns at `off` bytes: out[c] = |{rows[i][c] : i}|.
   Pairwise: row i counts where it equals no earlier row. */
static inline void distinct_block_8(const uint8_t *const *rows, int n, size_t off, uint16_t *out) {
#if OPTIMAL_VECTORS
    vec k0 = {0}, k1 = {0};
    for (int i = 0; i < n; i++) {
        const vec x0 = *(const vec_u *)(rows[i] + off), x1 = *(const vec_u *)(rows[i] + off + 32);
        vec s0 = {0}, s1 = {0}; /* 255 where row i repeats an earlier one */
        for (int j = 0; j < i; j++) {
            s0 |= (vec)(*(const vec_u *)(rows[j] + off) == x0);
            s1 |= (vec)(*(const vec_u *)(rows[j] + off + 32) == x1);
        }
        k0 += s0 + 1;
        k1 += s1 + 1;
    }
    for (int c = 0; c < 32; c++) out[c] = k0[c], out[c + 32] = k1[c];
#else
    uint8_t seen[BLOCK];
    memset(out, 0, BLOCK * sizeof *out);
    for (int i = 0; i < n; i++) {
        memset(seen, 0, BLOCK);
        for (int j = 0; j < i; j++)
            for (int c = 0; c < BLOCK; c++) seen[c] |= rows[j][off + c] == rows[i][off + c];
        for (int c = 0; c < BLOCK; c++) out[c] += !seen[c];
    }
#endif
}

static inline void distinct_block_16(const uint8_t *const *rows, int n, size_t off, uint16_t *out) {
    uint16_t seen[BLOCK];
    memset(out, 0, BLOCK * sizeof *out);
    for (int i = 0; i < n; i++) {
        const uint16_t *x = (const uint16_t *)(rows[i] + off);
        memset(seen, 0, sizeof seen);
        for (int j = 0; j < i; j++) {
            const uint16_t *y = (const uint16_t *)(rows[j] + off);
            for (int c = 0; c < BLOCK; c++) seen[c] |= (uint16_t)(y[c] == x[c]);
        }
        for (int c = 0; c < BLOCK; c++) out[c] = (uint16_t)(out[c] + (seen[c] ^ 1));
    }
}

/* Counts blocks [from, blocks) of the columns whose rows start at rows[i], n <= PAIRWISE_MOST, codes of `width`
   bytes, writing counts to out[BLOCK * b ..]. cap[b] bounds every count in block b from above and does not increase
   with b. Stops before the first block with cap[b] <= floor; if `rising`, floor grows to the best count seen. Stops
   after a block that reaches `enough`. Returns the first block not done; *best_io rises to the best count seen. */
#define PAIRWISE_MOST 192 /* no more than 255: the counts of a block are kept in bytes */
OPTIMAL_CLONES
static int count_blocks(const uint8_t *const *rows, int n, int width, int from, int blocks, const uint16_t *cap,
                        int floor, int rising, int enough, int *best_io, uint16_t *out) {
    int best = *best_io, b;
    uint8_t tile[PAIRWISE_MOST * BLOCK * 2];
    const uint8_t *tiled[PAIRWISE_MOST];
    const size_t step = (size_t)BLOCK * (size_t)width;
    for (b = from; b < blocks; b++) {
        if (cap[b] <= floor) break;
        uint16_t *count = out + (size_t)b * BLOCK;
        for (int i = 0; i < n; i++) { /* one pass over memory, then pairs from the first-level cache */
            memcpy(tile + (size_t)i * step, rows[i] + (size_t)b * step, step);
            tiled[i] = tile + (size_t)i * step;
        }
        if (width == 1) distinct_block_8(tiled, n, 0, count);
        else distinct_block_16(tiled, n, 0, count);
        int top = 0;
        for (int c = 0; c < BLOCK; c++) top = count[c] > top ? count[c] : top;
        if (top > best) best = top;
        if (rising && best > floor) floor = best;
        if (best >= enough) { b++; break; }
    }
    *best_io = best;
    return b;
}

/* What the class sizes of BLOCK columns sum to: out[c] = sum over rows of share[size of the row's class in column c],
   for n <= PAIRWISE_MOST rows of codes of `width` bytes, the columns at rows[i] + off. */
OPTIMAL_CLONES
static void share_block(const uint8_t *const *rows, int n, int width, size_t off, const uint32_t *share,
                        uint32_t *out) {
    const size_t step = (size_t)BLOCK * (size_t)width;
    uint8_t tile[PAIRWISE_MOST * BLOCK * 2], size[BLOCK];
    for (int i = 0; i < n; i++) memcpy(tile + (size_t)i * step, rows[i] + off, step);
    memset(out, 0, BLOCK * sizeof *out);
    for (int i = 0; i < n; i++) {
#if OPTIMAL_VECTORS
        if (width == 1) {
            const uint8_t *x = tile + (size_t)i * BLOCK, *y = tile;
            const vec x0 = *(const vec_u *)x, x1 = *(const vec_u *)(x + 32);
            vec s0 = {0}, s1 = {0};
            for (int j = 0; j < n; j++, y += BLOCK) {
                s0 -= (vec)(*(const vec_u *)y == x0);
                s1 -= (vec)(*(const vec_u *)(y + 32) == x1);
            }
            memcpy(size, &s0, sizeof s0);
            memcpy(size + sizeof s0, &s1, sizeof s1);
        } else
#endif
        {
            const uint8_t *x = tile + (size_t)i * step, *y = tile;
            memset(size, 0, sizeof size);
            for (int j = 0; j < n; j++, y += step)
                for (int c = 0; c < BLOCK; c++)
                    size[c] += width == 1 ? x[c] == y[c] : ((const uint16_t *)x)[c] == ((const uint16_t *)y)[c];
        }
        for (int c = 0; c < BLOCK; c++) out[c] += share[size[c]];
    }
}

/* one_hot[code] has bit `code` of 256 set (for codes of one byte): a column's set of codes is an OR of rows of this
   table. */
#if OPTIMAL_VECTORS
typedef uint64_t set256 __attribute__((vector_size(32)));
#else
typedef struct { uint64_t w[4]; } set256;
#endif
#define HOT(c) {(c) < 64 ? 1ull << ((c) & 63) : 0, (c) >> 6 == 1 ? 1ull << ((c) & 63) : 0, \
                (c) >> 6 == 2 ? 1ull << ((c) & 63) : 0, (c) >> 6 == 3 ? 1ull << ((c) & 63) : 0}
#define HOT4(c) HOT(c), HOT((c) + 1), HOT((c) + 2), HOT((c) + 3)
#define HOT16(c) HOT4(c), HOT4((c) + 4), HOT4((c) + 8), HOT4((c) + 12)
#define HOT64(c) HOT16(c), HOT16((c) + 16), HOT16((c) + 32), HOT16((c) + 48)
static const set256 one_hot[256] = {HOT64(0), HOT64(64), HOT64(128), HOT64(192)};

/* Distinct codes of one column (answers contiguous) over the answers idx[0..n). */
static inline int distinct_column(const uint8_t *column, const int32_t *idx, int n) {
    int i = 0, k = 0;
#if OPTIMAL_VECTORS
    set256 s = {0}, t = {0};
    for (; i + 4 <= n; i += 4) {
        s |= one_hot[column[idx[i]]] | one_hot[column[idx[i + 1]]];
        t |= one_hot[column[idx[i + 2]]] | one_hot[column[idx[i + 3]]];
    }
    for (; i < n; i++) s |= one_hot[column[idx[i]]];
    s |= t;
    for (int w = 0; w < 4; w++) k += OPTIMAL_POPCOUNT64(s[w]);
#else
    set256 s = {{0, 0, 0, 0}};
    for (; i < n; i++)
        for (int w = 0; w < 4; w++) s.w[w] |= one_hot[column[idx[i]]].w[w];
    for (int w = 0; w < 4; w++) k += OPTIMAL_POPCOUNT64(s.w[w]);
#endif
    return k;
}

/* Codes seen, for codes of two bytes: mark[code] == now. */
typedef struct { uint32_t *mark, now; } marks_t;

static inline int distinct_column_16(const uint16_t *column, const int32_t *idx, int n, marks_t *marks) {
    int k = 0;
    if (!++marks->now) {
        memset(marks->mark, 0, CODES_MOST * sizeof *marks->mark);
        marks->now = 1;
    }
    for (int i = 0; i < n; i++) {
        uint32_t *m = &marks->mark[column[idx[i]]];
        k += *m != marks->now;
        *m = marks->now;
    }
    return k;
}

/* Counts of many columns: out[j] = distinct codes of column cols[j] (NULL: column j) over idx[0..n). Codes are of
   `width` bytes, columns `stride` codes apart; `marks` is used for wide codes only. */
OPTIMAL_CLONES
static void count_list(const uint8_t *by_guess, int width, size_t stride, const int32_t *cols, int m,
                       const int32_t *idx, int n, marks_t *marks, uint16_t *out) {
    if (width == 1)
        for (int j = 0; j < m; j++)
            out[j] = (uint16_t)distinct_column(by_guess + (size_t)(cols ? cols[j] : j) * stride, idx, n);
    else
        for (int j = 0; j < m; j++)
            out[j] = (uint16_t)distinct_column_16(
                (const uint16_t *)by_guess + (size_t)(cols ? cols[j] : j) * stride, idx, n, marks);
}

#endif
