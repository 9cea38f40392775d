/* Dominated guesses: a position's frame can do without them.

   Guess h is dominated on a set B by guess f if each class that f makes of B lies in one of h's, and h is not in B. That
   holds on every part of B, too. There f makes no fewer classes than h; and a tree with h costs no less than one with f:
   a tree of a union, kept to each of its parts, serves them all at what it costs in sum, and is no higher. Under normal
   rules f is legal wherever h is, so values and the most classes of any guess are what they were without h. Only ties
   may be settled otherwise: the canonical tree is chosen from all guesses (canonical.h).

   Not in games with symmetries: of guesses that are mapped to each other the first alone is tried, and it might be
   dominated by another of them that makes the same classes.

   Of the classes of an opener half of all guesses are dominated, as their letters are known to be absent, or known.
   Pairs of similar answers tell which guess may dominate which: it must separate those that the other does. That is
   then checked answer by answer. */
#ifndef OPTIMAL_GAME_DOMINANCE_H
#define OPTIMAL_GAME_DOMINANCE_H

#include "game/frames.h"
#include "game/similarity.h"

#define PAIRS 256        /* of answers, at most */
#define PAIR_WORDS (PAIRS / 64)
#define CHUNK 256        /* undominated guesses, a bit each */
#define SOON 32          /* answers, after which guesses mostly prove to make other classes */
#define FAILURES 16      /* for each column, after which the others are kept */
#define CHUNK_WORDS (CHUNK / 64)

typedef struct {
    uint64_t of[PAIR_WORDS];
} separated_t;           /* by a column, a bit for each pair */
typedef struct {
    uint64_t of[PAIRS][CHUNK_WORDS];
} separating_t;          /* by pair, the guesses of a chunk that separate it */

typedef struct {
    const position_t *P;
    separated_t *separated; /* by column */
    separating_t *by;       /* by chunk */
    int32_t *order;         /* columns, those first that separate the most pairs */
    int32_t *kept;          /* columns that nothing dominates, so far */
    uint8_t *is_kept;       /* by column */
    int columns, kept_many;
    int failures;           /* guesses held against each other in vain */
} dominance_t;

/* Fill in the pairs that each column separates. */
OPTIMAL_CLONES
static void separate_pairs(const uint8_t *const *one, const uint8_t *const *other, int pairs, int columns, uint8_t *eight,
                           separated_t *separated) {
    memset(separated, 0, (size_t)columns * sizeof *separated);
    for (int t = 0; t < pairs; t += 8) {
        memset(eight, 0, (size_t)columns);
        for (int k = 0; k < 8 && t + k < pairs; k++) {
            const uint8_t *a = one[t + k], *b = other[t + k], bit = (uint8_t)(1 << k);
            for (int c = 0; c < columns; c++) eight[c] |= a[c] != b[c] ? bit : 0;
        }
        for (int c = 0; c < columns; c++) separated[c].of[t / 64] |= (uint64_t)eight[c] << t % 64;
    }
}

/* The most similar of the marked answers, or else another. */
static int similar_member(search_t *s, int answer, int another) {
    const int listed = s->game->answers - 1 < SIMILAR_LISTED ? s->game->answers - 1 : SIMILAR_LISTED;
    const uint16_t *list = most_similar(s->game, &s->similarity, answer);
    for (int i = 0; i < listed; i++)
        if (is_member(s, list[i])) return list[i];
    return another;
}

/* Choose pairs of similar answers of P, which are marked, those that the fewest columns separate first; returns how
   many. */
static int choose_pairs(search_t *s, const position_t *P, const uint8_t **one, const uint8_t **other) {
    const int n = P->n, pairs = n - 1 < PAIRS ? n - 1 : PAIRS, columns = P->frame->blocks * BLOCK;
    int separate[PAIRS];
    for (int t = 0; t < pairs; t++) {
        const int i = 1 + (int)((int64_t)t * (n - 1) / pairs), answer = P->answers[i];
        const uint8_t *a = P->frame->row[answer], *b = P->frame->row[similar_member(s, answer, P->answers[i - 1])];
        int many = 0, place = t;
        for (int c = 0; c < columns; c++) many += a[c] != b[c];
        for (; place > 0 && separate[place - 1] > many; place--) {
            separate[place] = separate[place - 1];
            one[place] = one[place - 1];
            other[place] = other[place - 1];
        }
        separate[place] = many;
        one[place] = a;
        other[place] = b;
    }
    return pairs;
}

/* What is asked of P, in memory from the arena; -1 when that runs out. A guess separates all pairs that one dominated by
   it does, so the dominated one comes later in the order, or as late. */
static int dominance_begin(search_t *s, const position_t *P, dominance_t *D) {
    const size_t columns = (size_t)P->frame->blocks * BLOCK;
    const uint8_t *one[PAIRS], *other[PAIRS];
    int begin[PAIRS + 1] = {0};
    uint16_t *many = (uint16_t *)allocate(s, columns * sizeof *many);
    D->P = P;
    D->columns = (int)columns;
    D->kept_many = D->failures = 0;
    D->separated = (separated_t *)allocate(s, columns * sizeof *D->separated);
    D->by = (separating_t *)allocate(s, (columns / CHUNK + 1) * sizeof *D->by);
    D->order = (int32_t *)allocate(s, columns * sizeof *D->order);
    D->kept = (int32_t *)allocate(s, columns * sizeof *D->kept);
    D->is_kept = (uint8_t *)allocate(s, columns);
    if (!many || !D->separated || !D->by || !D->order || !D->kept || !D->is_kept) return -1;
    mark_members(s, P->answers, P->n);
    const int pairs = choose_pairs(s, P, one, other);
    separate_pairs(one, other, pairs, D->columns, D->is_kept, D->separated);
    for (size_t c = 0; c < columns; c++) {
        many[c] = 0;
        for (int w = 0; w < PAIR_WORDS; w++) many[c] = (uint16_t)(many[c] + OPTIMAL_POPCOUNT64(D->separated[c].of[w]));
        begin[many[c]]++;
    }
    bucket_starts(begin, PAIRS);
    for (size_t c = 0; c < columns; c++) D->order[begin[many[c]]++] = (int32_t)c;
    count_work(s, (int64_t)columns * (pairs / 4 + 1));
    return 0;
}

/* Whether each class that guess f makes of P lies in one of h's; codes of one byte. */
static inline int refines(const game_t *g, int f, int h, const position_t *P) {
    const uint8_t *fine = g->codes + (size_t)f * (size_t)g->answers, *coarse = g->codes + (size_t)h * (size_t)g->answers;
    int16_t of[256];
    memset(of, 0xff, sizeof of);
    for (int i = 0; i < P->n; i++) {
        const int a = P->answers[i];
        if (of[fine[a]] < 0) of[fine[a]] = coarse[a];
        else if (of[fine[a]] != coarse[a]) return 0;
    }
    return 1;
}

/* Whether one of the guesses kept dominates a guess, which separates these pairs. */
static int dominated(search_t *s, dominance_t *D, int guess, const uint8_t *pair, int pairs) {
    for (int from = 0; from < D->kept_many; from += CHUNK) {
        const separating_t *by = &D->by[from / CHUNK];
        uint64_t may[CHUNK_WORDS];
        for (int w = 0; w < CHUNK_WORDS; w++) {
            const int left = D->kept_many - from - 64 * w;
            may[w] = left >= 64 ? ~0ull : left > 0 ? (1ull << left) - 1 : 0;
        }
        for (int k = 0; k < pairs; k++) {
            uint64_t any = 0;
            for (int w = 0; w < CHUNK_WORDS; w++) any |= may[w] &= by->of[pair[k]][w];
            if (!any) break;
        }
        for (int w = 0; w < CHUNK_WORDS; w++)
            for (; may[w]; may[w] &= may[w] - 1) {
                const int column = D->kept[from + 64 * w + OPTIMAL_LOWEST_BIT(may[w])];
                const int found = refines(s->game, D->P->frame->guess[column], guess, D->P);
                count_work(s, found ? D->P->n : SOON);
                if (found) return 1;
                D->failures++;
            }
    }
    return 0;
}

/* Keep a column whose guess separates these pairs. */
static void keep_column(dominance_t *D, int column, const uint8_t *pair, int pairs) {
    separating_t *by = &D->by[D->kept_many / CHUNK];
    const int bit = D->kept_many % CHUNK;
    if (!bit) memset(by, 0, sizeof *by);
    for (int k = 0; k < pairs; k++) by->of[pair[k]][bit / 64] |= 1ull << bit % 64;
    D->kept[D->kept_many++] = column;
    D->is_kept[column] = 1;
}

/* Give P a frame without the guesses that others dominate on P, in memory from the arena. When that runs out, the search
   stops, and P stays as it is. */
static void leave_dominated(search_t *s, position_t *P) {
    const frame_t *f = P->frame;
    dominance_t D;
    frame_t *own = (frame_t *)allocate(s, sizeof *own);
    uint16_t *cap = (uint16_t *)allocate(s, (size_t)f->blocks * sizeof *cap);
    int m = 0;
    if (!own || !cap || dominance_begin(s, P, &D) < 0) return;
    memset(D.is_kept, 0, (size_t)D.columns);
    for (int i = 0; i < D.columns && !s->stopped; i++) {
        const int column = D.order[i], guess = f->guess[column];
        uint8_t pair[PAIRS];
        int pairs = 0;
        if (guess < 0) continue;
        s->tally[DOMINANCE_NUMBER].asked++;
        for (int w = 0; w < PAIR_WORDS; w++)
            for (uint64_t bits = D.separated[column].of[w]; bits; bits &= bits - 1)
                pair[pairs++] = (uint8_t)(64 * w + OPTIMAL_LOWEST_BIT(bits));
        if (is_member(s, s->game->answer_of[guess]) || D.failures / FAILURES >= D.columns
            || !dominated(s, &D, guess, pair, pairs))
            keep_column(&D, column, pair, pairs);
        else s->tally[DOMINANCE_NUMBER].settled++;
    }
    if (s->stopped) return;
    /* In the frame's order, and so with its caps. */
    for (int c = 0; c < D.columns; c++)
        if (D.is_kept[c]) D.kept[m++] = c;
    cap[0] = 1;
    for (int i = 0; i < m; i += BLOCK) cap[i / BLOCK] = f->cap[D.kept[i] / BLOCK];
    if (make_frame(s, P, D.kept, m, cap, own) == 0) P->frame = own;
}

#endif
