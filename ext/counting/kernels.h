/* The loops that count feedback classes, where nearly all the time goes.

   They know plain arrays; what the counts mean is told by those who call them. Up to PAIRWISE_MOST rows a block of
   columns is compared row by row with all earlier rows, in vectors: a row adds a class to the columns where it
   repeats none. Of more rows each column gathers its codes in a set of 256 bits. With a few similar rows for each
   row, comparisons with those alone bound the counts from above. */
#ifndef OPTIMAL_COUNTING_KERNELS_H
#define OPTIMAL_COUNTING_KERNELS_H

#include <string.h>

#include "base/testing.h"
#include "base/vectors.h"

/* More codes than a game can have: they are of 16 bits. */
#define CODES_MOST 65536

/* Columns are counted in blocks of this many; matrices with answers as rows are padded to it. */
#define BLOCK 64
#define LINE 64 /* bytes that memory hands over at once */

#if OPTIMAL_VECTORS
typedef uint8_t vec __attribute__((vector_size(32), may_alias));
typedef uint8_t vec_u __attribute__((vector_size(32), aligned(1), may_alias));
typedef uint8_t half_vec __attribute__((vector_size(16), may_alias));
typedef uint16_t counts_vec __attribute__((vector_size(32), aligned(2), may_alias));
#endif

/* Rows of which every two are compared; no more than 255, since counts are kept in bytes. */
#define PAIRWISE_MOST TUNED(192, 12)
#define BLOCKS_AHEAD 2    /* blocks, and columns, that are prefetched before they are needed */
#define COLUMNS_AHEAD 4

/* Earlier rows that are like row i: at[i * kept ..], the first min(i, kept) of them; `kept` is one of three. */
enum { SIMILAR_FEW = 4, SIMILAR_SOME = 6, SIMILAR_MANY = 8 };
typedef struct {
    const uint16_t *at;
    int kept;
} similar_t;

/* A tile is one block of columns of some rows, next to each other, in memory aligned to LINE. So many bytes do for n
   rows of codes of one byte, PAIRWISE_MOST of two. */
#define TILE_BYTES(n) ((size_t)((n) > 2 * PAIRWISE_MOST ? (n) : 2 * PAIRWISE_MOST) * BLOCK)

OPTIMAL_INLINE void copy_block(const uint8_t *const *rows, int n, int width, int block, int blocks,
                               uint8_t *tile) {
    const size_t step = width == 1 ? BLOCK : 2 * BLOCK, off = (size_t)block * step;
    /* Rows lie far apart: what the next blocks need is prefetched while this one is counted. */
    const size_t ahead = block + BLOCKS_AHEAD < blocks ? BLOCKS_AHEAD * step : 0;
    for (int i = 0; i < n; i++) {
        const uint8_t *from = rows[i] + off;
#if OPTIMAL_VECTORS
        vec *to = (vec *)(tile + (size_t)i * step);
        to[0] = ((const vec_u *)from)[0];
        to[1] = ((const vec_u *)from)[1];
        if (width == 2) {
            to[2] = ((const vec_u *)from)[2];
            to[3] = ((const vec_u *)from)[3];
        }
#else
        memcpy(tile + (size_t)i * step, from, step);
#endif
        OPTIMAL_PREFETCH(from + ahead);
    }
}

#if OPTIMAL_VECTORS
/* Add the counts of a block's columns, bytes, to out[0 .. BLOCK). */
OPTIMAL_INLINE void add_counts(const vec k[2], uint16_t *out) {
    for (int q = 0; q < BLOCK / 16; q++)
        ((counts_vec *)out)[q] += __builtin_convertvector(((const half_vec *)k)[q], counts_vec);
}
#endif

/* Distinct codes of every column of a tile: row i counts where it equals no earlier row. */
OPTIMAL_INLINE void distinct_pairwise_8(const uint8_t *tile, int n, uint16_t *out) {
#if OPTIMAL_VECTORS
    const vec *row = (const vec *)tile;
    vec k0 = {0}, k1 = {0};
    int i = 0;
    for (; i + 1 < n; i += 2) { /* two rows at a time meet every earlier row */
        const vec *const x = row + 2 * i;
        const vec x0 = x[0], x1 = x[1], y0 = x[2], y1 = x[3];
        vec s0 = {0}, s1 = {0}, t0 = (vec)(x0 == y0), t1 = (vec)(x1 == y1); /* 255 where the row is a repetition */
        for (const vec *z = row; z < x; z += 2) {
            const vec z0 = z[0], z1 = z[1];
            s0 |= (vec)(z0 == x0);
            s1 |= (vec)(z1 == x1);
            t0 |= (vec)(z0 == y0);
            t1 |= (vec)(z1 == y1);
        }
        k0 += s0 + t0 + 2;
        k1 += s1 + t1 + 2;
    }
    if (i < n) {
        vec s0 = {0}, s1 = {0};
        for (int j = 0; j < 2 * i; j += 2) {
            s0 |= (vec)(row[j] == row[2 * i]);
            s1 |= (vec)(row[j + 1] == row[2 * i + 1]);
        }
        k0 += s0 + 1;
        k1 += s1 + 1;
    }
    const vec k[2] = {k0, k1};
    memset(out, 0, BLOCK * sizeof *out);
    add_counts(k, out);
#else
    uint8_t seen[BLOCK];
    memset(out, 0, BLOCK * sizeof *out);
    for (int i = 0; i < n; i++) {
        memset(seen, 0, BLOCK);
        for (int j = 0; j < i; j++)
            for (int c = 0; c < BLOCK; c++) seen[c] |= tile[j * BLOCK + c] == tile[i * BLOCK + c];
        for (int c = 0; c < BLOCK; c++) out[c] += !seen[c];
    }
#endif
}

OPTIMAL_INLINE void distinct_pairwise_16(const uint8_t *tile, int n, uint16_t *out) {
    const uint16_t *code = (const uint16_t *)tile;
    uint16_t seen[BLOCK];
    memset(out, 0, BLOCK * sizeof *out);
    for (int i = 0; i < n; i++) {
        const uint16_t *x = code + (size_t)i * BLOCK;
        memset(seen, 0, sizeof seen);
        for (int j = 0; j < i; j++)
            for (int c = 0; c < BLOCK; c++) seen[c] |= (uint16_t)(code[(size_t)j * BLOCK + c] == x[c]);
        for (int c = 0; c < BLOCK; c++) out[c] = (uint16_t)(out[c] + (seen[c] ^ 1));
    }
}

#if OPTIMAL_VECTORS
/* Add 1 to the counts k of every column in which row i equals none of `kept` rows. */
OPTIMAL_INLINE void add_row_dissimilar(const vec *row, int i, const uint16_t *similar, int kept, vec k[2]) {
    const vec x0 = row[2 * i], x1 = row[2 * i + 1];
    vec s0 = {0}, s1 = {0};
    OPTIMAL_UNROLL
    for (int j = 0; j < kept; j++) {
        const vec *y = row + 2 * (size_t)similar[j];
        s0 |= (vec)(y[0] == x0);
        s1 |= (vec)(y[1] == x1);
    }
    k[0] += s0 + 1;
    k[1] += s1 + 1;
}
#endif

/* Count rows [from, to) of a tile, at most 255, into out: row i counts where it equals none of its `kept` like rows. */
OPTIMAL_INLINE void add_dissimilar_8(const uint8_t *tile, int from, int to, const uint16_t *at, int kept, uint16_t *out) {
#if OPTIMAL_VECTORS
    const vec *row = (const vec *)tile;
    vec k[2] = {{0}, {0}};
    int i = from;
    for (; i < to && i < kept; i++) add_row_dissimilar(row, i, at + i * kept, i, k);
    for (; i < to; i++) add_row_dissimilar(row, i, at + i * kept, kept, k); /* of a fixed length: unrolled */
    add_counts(k, out);
#else
    for (int i = from; i < to; i++) {
        uint8_t seen[BLOCK] = {0};
        for (int j = 0; j < i && j < kept; j++) {
            const uint8_t *y = tile + (size_t)at[i * kept + j] * BLOCK;
            for (int c = 0; c < BLOCK; c++) seen[c] |= y[c] == tile[(size_t)i * BLOCK + c];
        }
        for (int c = 0; c < BLOCK; c++) out[c] = (uint16_t)(out[c] + !seen[c]);
    }
#endif
}

/* No fewer than the distinct codes of every column of a tile: row i counts where it equals none of the earlier rows
   that are like it. Comparisons that are left out only raise the count. */
OPTIMAL_INLINE void distinct_similar_8(const uint8_t *tile, int n, const similar_t *similar, uint16_t *out) {
    memset(out, 0, BLOCK * sizeof *out);
    for (int from = 0; from < n; from += 255) { /* bytes hold so many */
        const int to = from + 255 < n ? from + 255 : n;
        if (similar->kept == SIMILAR_FEW) add_dissimilar_8(tile, from, to, similar->at, SIMILAR_FEW, out);
        else if (similar->kept == SIMILAR_SOME) add_dissimilar_8(tile, from, to, similar->at, SIMILAR_SOME, out);
        else add_dissimilar_8(tile, from, to, similar->at, SIMILAR_MANY, out);
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

/* Distinct codes among n of one byte: the codes are at code[idx[i]], or `stride` apart where idx is NULL. */
OPTIMAL_INLINE int distinct_codes(const uint8_t *code, const int32_t *idx, size_t stride, int n) {
#define CODE(i) code[idx ? (size_t)idx[i] : (size_t)(i) * stride]
    int i = 0, k = 0;
#if OPTIMAL_VECTORS
    set256 s = {0}, t = {0};
    for (; i + 4 <= n; i += 4) {
        s |= one_hot[CODE(i)] | one_hot[CODE(i + 1)];
        t |= one_hot[CODE(i + 2)] | one_hot[CODE(i + 3)];
    }
    for (; i < n; i++) s |= one_hot[CODE(i)];
    s |= t;
    for (int w = 0; w < 4; w++) k += OPTIMAL_POPCOUNT64(s[w]);
#else
    set256 s = {{0, 0, 0, 0}};
    for (; i < n; i++)
        for (int w = 0; w < 4; w++) s.w[w] |= one_hot[CODE(i)].w[w];
    for (int w = 0; w < 4; w++) k += OPTIMAL_POPCOUNT64(s.w[w]);
#endif
#undef CODE
    return k;
}

/* The columns of a block whose counts are above `least`, 0 to 65535, a bit each. */
OPTIMAL_INLINE uint64_t columns_above(const uint16_t *counts, int least) {
    uint64_t bits = 0;
#if OPTIMAL_VECTORS
    const counts_vec most = (counts_vec){0} + (uint16_t)least;
    half_vec above[BLOCK / 16];
    for (int q = 0; q < BLOCK / 16; q++)
        above[q] = __builtin_convertvector((counts_vec)(((const counts_vec *)counts)[q] > most) & 1, half_vec);
    const uint8_t *is_above = (const uint8_t *)above;
#else
    uint8_t is_above[BLOCK];
    for (int c = 0; c < BLOCK; c++) is_above[c] = counts[c] > least;
#endif
    for (int w = 0; w < BLOCK / 8; w++) bits |= low_bits(is_above + 8 * w) << 8 * w;
    return bits;
}

/* Counts the distinct codes of the columns `which` (a bit each) of a tile into out[0 .. BLOCK). Without `similar` all
   counts are exact; with it those above `least`, which grows to the best of them if `rising`, and the others are
   bounds from above, not above `least`: their bits are returned. *best rises to the greatest exact count of these
   columns. */
OPTIMAL_INLINE uint64_t count_tile(const uint8_t *tile, int n, int width, const similar_t *similar, uint64_t which, int least,
                                  int rising, int *best, uint16_t *out) {
    if (width == 2) distinct_pairwise_16(tile, n, out);
    else if (similar) distinct_similar_8(tile, n, similar, out);
    else distinct_pairwise_8(tile, n, out);
    const uint64_t above = columns_above(out, similar ? least : *best) & which;
    uint64_t counted = 0;
    for (uint64_t left = above; left; left &= left - 1) {
        const int c = OPTIMAL_LOWEST_BIT(left);
        if (similar) {
            if (out[c] <= least) continue;
            out[c] = (uint16_t)distinct_codes(tile + c, NULL, BLOCK, n);
            counted |= left & -left;
        }
        if (out[c] > *best) *best = out[c];
        if (rising && *best > least) least = *best;
    }
    return similar ? which & ~counted : 0;
}

/* What to count of the rows rows[0 .. n), codes of `width` bytes, and how far. */
typedef struct {
    uint8_t *tile;         /* TILE_BYTES(n) of scratch */
    const uint8_t *const *rows;
    int n, width;
    const similar_t *similar;    /* NULL: every two rows are compared, n <= PAIRWISE_MOST */
    int floor;             /* counts that are not above it tell nothing: bounds may take their place */
    int rising;            /* let it grow to the best count seen */
} count_t;

/* Counts blocks [from, blocks) of columns as count_tile does, block b into out[BLOCK * b ..] and bounds[b]. cap[b]
   bounds every count from block b on: stops before the first that is not above the floor, and after a block that
   reaches `enough`. Returns the first block not done. */
OPTIMAL_CLONES
static int count_blocks(const count_t *what, int from, int blocks, const uint16_t *cap, int enough, int *best,
                        uint16_t *out, uint64_t *bounds) {
    int b, floor = what->floor;
    for (b = from; b < blocks; b++) {
        if (what->rising && *best > floor) floor = *best;
        if (cap[b] <= floor) break;
        copy_block(what->rows, what->n, what->width, b, blocks, what->tile);
        bounds[b] = count_tile(what->tile, what->n, what->width, what->similar, ~0ull, floor, what->rising, best,
                               out + (size_t)b * BLOCK);
        if (*best >= enough) return b + 1;
    }
    return b;
}

/* The same for the columns `which` of one block of so many; returns the bits of those that are bounds. */
OPTIMAL_CLONES
static uint64_t count_block(const count_t *what, int block, int blocks, uint64_t which, int *best, uint16_t *out) {
    copy_block(what->rows, what->n, what->width, block, blocks, what->tile);
    return count_tile(what->tile, what->n, what->width, what->similar, which, what->floor, what->rising, best, out);
}

/* What the class sizes of a block's columns sum to: out[c] = sum over rows of share[size of the row's class in column
   c], n <= PAIRWISE_MOST. */
OPTIMAL_CLONES
static void share_block(uint8_t *tile, const uint8_t *const *rows, int n, int width, int block, const uint32_t *share,
                        uint32_t *out) {
    uint8_t size[BLOCK];
    copy_block(rows, n, width, block, block, tile);
    memset(out, 0, BLOCK * sizeof *out);
    for (int i = 0; i < n; i++) {
#if OPTIMAL_VECTORS
        if (width == 1) {
            const vec *row = (const vec *)tile;
            const vec x0 = row[2 * i], x1 = row[2 * i + 1];
            vec s0 = {0}, s1 = {0};
            for (int j = 0; j < 2 * n; j += 2) {
                s0 -= (vec)(row[j] == x0);
                s1 -= (vec)(row[j + 1] == x1);
            }
            memcpy(size, &s0, sizeof s0);
            memcpy(size + sizeof s0, &s1, sizeof s1);
        } else
#endif
        {
            const uint16_t *wide = (const uint16_t *)tile;
            memset(size, 0, sizeof size);
            for (int j = 0; j < n; j++)
                for (int c = 0; c < BLOCK; c++)
                    size[c] += width == 1 ? tile[i * BLOCK + c] == tile[j * BLOCK + c]
                                          : wide[i * BLOCK + c] == wide[j * BLOCK + c];
        }
        for (int c = 0; c < BLOCK; c++) out[c] += share[size[c]];
    }
}

/* In how many of `step` columns each of n rows agrees with row `of`, codes of one byte; `step` is a multiple of BLOCK
   and at most 1024. */
OPTIMAL_CLONES
static void agreements(const uint8_t *rows, int n, const uint8_t *of, int step, uint16_t *out) {
    for (int i = 0; i < n; i++) {
        const uint8_t *row = rows + (size_t)i * (size_t)step;
        int sum = 0;
#if OPTIMAL_VECTORS
        vec s = {0};
        for (int c = 0; c < step / 32; c++) s -= (vec)(((const vec_u *)row)[c] == ((const vec_u *)of)[c]);
        /* Four sums of eight bytes, each of pairs of bytes at once. */
        const set256 low = {0x00ff00ff00ff00ffull, 0x00ff00ff00ff00ffull, 0x00ff00ff00ff00ffull, 0x00ff00ff00ff00ffull};
        const set256 wide = (set256)s, pairs = (wide & low) + (wide >> 8 & low);
        for (int w = 0; w < 4; w++) sum += (int)(pairs[w] * 0x0001000100010001ull >> 48);
#else
        for (int c = 0; c < step; c++) sum += row[c] == of[c];
#endif
        out[i] = (uint16_t)sum;
    }
}

/* Codes seen, for codes of two bytes: mark[code] == now. */
typedef struct { uint32_t *mark, now; } marks_t;

OPTIMAL_INLINE int distinct_wide(const uint16_t *column, const int32_t *idx, int n, marks_t *marks) {
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

/* The different lines of memory that a column's codes lie in, LINES_MOST at most, as offsets. */
#define LINES_MOST 256
OPTIMAL_INLINE int lines_of(const int32_t *idx, int n, int width, size_t *line) {
    int lines = 0;
    size_t last = (size_t)-1;
    for (int i = 0; i < n && lines < LINES_MOST; i++) {
        const size_t at = (size_t)idx[i] * (size_t)width / LINE;
        if (at != last) line[lines++] = at * LINE;
        last = at;
    }
    return lines;
}

/* Counts of many columns: out[j] = distinct codes of column cols[j] (NULL: column j) over idx[0..n). Codes are of
   `width` bytes, columns `stride` codes apart; `marks` is used for wide codes only. */
OPTIMAL_CLONES
static void count_list(const uint8_t *by_guess, int width, size_t stride, const int32_t *cols, int m,
                       const int32_t *idx, int n, marks_t *marks, uint16_t *out) {
    size_t line[LINES_MOST];
    const size_t step = stride * (size_t)width;
    const int lines = lines_of(idx, n, width, line);
    /* Columns may lie anywhere: the next ones are prefetched while one is counted. */
    for (int j = -COLUMNS_AHEAD; j < m; j++) {
        if (j + COLUMNS_AHEAD < m) {
            const uint8_t *next = by_guess + (size_t)(cols ? cols[j + COLUMNS_AHEAD] : j + COLUMNS_AHEAD) * step;
            for (int l = 0; l < lines; l++) OPTIMAL_PREFETCH(next + line[l]);
        }
        if (j < 0) continue;
        const uint8_t *column = by_guess + (size_t)(cols ? cols[j] : j) * step;
        out[j] = (uint16_t)(width == 1 ? distinct_codes(column, idx, 0, n)
                                       : distinct_wide((const uint16_t *)column, idx, n, marks));
    }
}

#endif
