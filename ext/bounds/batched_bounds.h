/* The classes of many guesses at one position, counted at once.

   Most guesses at a large position are refuted by the count bounds of a few of their largest classes. Those of
   different guesses have much in common, and so are counted by bitslice.h, a bit for each, in a tenth of the time
   that they take one by one. What comes of it is stored as every count bound is, and found there when the guesses are
   bounded. Normal rules and unit costs, where a class is a set, and every guess is legal.

   Under normal rules every guess is legal at every class, so the greatest count of a set is what count_bound would
   find. A count that was stopped stores nothing. */
#ifndef OPTIMAL_BOUNDS_BATCHED_BOUNDS_H
#define OPTIMAL_BOUNDS_BATCHED_BOUNDS_H

#include "bounds/bounds.h"
#include "counting/bitslice.h"

#define BATCH_LEAST TUNED(250, 6)   /* positions of fewer answers have classes that are soon counted */
#define BATCH_CLASS TUNED(32, 4)    /* and so have smaller classes */
#define BATCH_FIRST TUNED(192, 2)   /* so many are worth sorting the answers of each guess */
#define BATCH_SETS TUNED(64, 2)     /* and so many are where that is done */
#define BATCH_ROUNDS 16             /* of counting, as long as guesses are left that lack something */
#define BATCH_MOST TUNED(2048, 256) /* sets at once, however many a slice holds */
#define BATCH_SLICES (BATCH_MOST / BITSLICE)
#define BATCH_SIZE TUNED(96, 6)     /* answers of a set, for which there is room on average */
#define BATCH_ROOM 4                /* such a part of the matrix may be taken for answers by code, which all rounds use */
#define BATCH_COLUMNS 8             /* sorted at once */
#define BATCH_COUNT_MOST 255        /* a number of eight digits holds the count, and one more for a member */

typedef struct {
    key128 key;
    int32_t guess, code, n;
    int32_t first;          /* of its answers */
} batch_set_t;

typedef struct {
    const position_t *P;
    int left;               /* guesses, for a class */
    int sets;               /* that are to be counted */
    batch_set_t *set;
    int32_t *slot;          /* by key: the set, -1: none */
    uint16_t *within;       /* the answers of one set after the other, by their places in P */
    int most, filled;       /* there is room for so many; so many there are */
    const uint16_t *top;    /* of the columns of the first `tops` blocks of the frame: no more classes are made of P */
    int tops;
    int peak;               /* the most that any makes, or so */
    bitslice_t *has;        /* slice x answers of P */
    int32_t *answers;       /* of one set */
    int32_t *place;         /* by answer: its place in P, -1: it isn't there */
    by_code_t **sorted;     /* by column of the frame: the places of P's answers by their codes; NULL: not yet */
    size_t room;            /* bytes that may still be taken for those */
    const uint8_t **row;    /* of the frame, of P's answers */
    uint8_t *tile;          /* a block of these */
    int block;              /* which */
    by_code_t by[BATCH_COLUMNS]; /* columns group * BATCH_COLUMNS and on, sorted; none where it is -1 */
    int group;
    uint16_t at[BATCH_COLUMNS][BITSLICE_CODES];
} batch_t;

/* No set is to be counted any more. */
static inline void batch_clear(batch_t *a) {
    memset(a->slot, 0xff, 4 * BATCH_MOST * sizeof *a->slot);
    a->sets = a->filled = 0;
}

/* Nothing is to be counted yet; columns of the first blocks make so many classes of P at most, and any guess `peak`.
   All memory is the arena's; -1 when it runs out. */
static int batch_begin(search_t *s, const position_t *P, int left, const uint16_t *counts, int blocks, int peak,
                       batch_t *a) {
    const size_t n = (size_t)P->n, columns = (size_t)P->frame->blocks * BLOCK;
    memset(a, 0, sizeof *a);
    a->P = P;
    a->left = left;
    a->top = counts;
    a->tops = blocks;
    a->peak = peak;
    a->most = BATCH_MOST * BATCH_SIZE + P->n;
    a->within = (uint16_t *)allocate(s, (size_t)a->most * sizeof *a->within);
    a->set = (batch_set_t *)allocate(s, BATCH_MOST * sizeof *a->set);
    a->slot = (int32_t *)allocate(s, 4 * BATCH_MOST * sizeof *a->slot);
    a->has = (bitslice_t *)allocate(s, BATCH_SLICES * n * sizeof *a->has);
    a->answers = (int32_t *)allocate(s, n * sizeof *a->answers);
    a->place = (int32_t *)allocate(s, (size_t)s->game->answers * sizeof *a->place);
    a->sorted = (by_code_t **)allocate(s, columns * sizeof *a->sorted);
    a->row = (const uint8_t **)allocate(s, n * sizeof *a->row);
    a->tile = (uint8_t *)allocate(s, n * BLOCK);
    uint16_t *answers = (uint16_t *)allocate(s, BATCH_COLUMNS * n * sizeof *answers);
    a->block = a->group = -1;
    if (!a->within || !a->set || !a->slot || !a->has || !a->answers || !a->place || !a->sorted || !a->row || !a->tile
        || !answers)
        return -1;
    for (size_t j = 0; j < BATCH_COLUMNS; j++) a->by[j].answer = answers + j * n;
    for (int i = 0; i < P->n; i++) a->row[i] = P->frame->row[P->answers[i]];
    memset(a->sorted, 0, columns * sizeof *a->sorted);
    a->room = (size_t)s->game->guesses * (size_t)s->game->answers / BATCH_ROOM;
    batch_clear(a);
    memset(a->place, 0xff, (size_t)s->game->answers * sizeof *a->place);
    for (int i = 0; i < P->n; i++) a->place[P->answers[i]] = i;
    return 0;
}

/* Whether there may be no room for another set. */
static inline int batch_full(const batch_t *a) {
    return a->sets == BATCH_MOST || a->most - a->filled < a->P->n;
}

/* How many sets are worth counting. */
static inline int batch_worth(const batch_t *a) {
    return a->block < 0 ? BATCH_FIRST : BATCH_SETS;
}

/* Put the class of a guess among those to be counted. Returns whether it wasn't there. */
static int batch_add(batch_t *a, const position_t *class) {
    const key128 key = class->set;
    size_t at = key.lo & (4 * BATCH_MOST - 1);
    assert(!batch_full(a));
    if (class->n < BATCH_CLASS) return 0;
    for (; a->slot[at] >= 0; at = (at + 1) & (4 * BATCH_MOST - 1)) {
        const key128 other = a->set[a->slot[at]].key;
        if (other.lo == key.lo && other.hi == key.hi) return 0;
    }
    a->slot[at] = a->sets;
    a->set[a->sets++] = (batch_set_t){key, class->guess, class->code, class->n, a->filled};
    for (int i = 0; i < class->n; i++) a->within[a->filled++] = (uint16_t)a->place[class->answers[i]];
    return 1;
}

/* How much counting a class of n answers may raise its bound, low so far. A guess: the class then has n * peak /
   (n + peak) classes. It orders the work, and no more. */
static inline int64_t batch_gain(const batch_t *a, int64_t n, int64_t low) {
    return 3 * n - n * a->peak / (n + a->peak) - 1 - low;
}

/* Put classes of a guess among those to be counted, those that may gain most first, until they may gain what it
   lacks. Returns how many weren't there. */
static int batch_add_classes(batch_t *a, const partition_t *p, int64_t lacks) {
    uint8_t taken[BITSLICE_CODES] = {0};
    int many = 0;
    while (lacks > 0 && !batch_full(a)) {
        int best = -1;
        int64_t most = 0;
        for (int i = 0; i < p->classes; i++) {
            if (p->exact[i] || p->counted[i] || taken[i] || p->position[i].n < BATCH_CLASS) continue;
            const int64_t gain = batch_gain(a, p->position[i].n, p->low[i]);
            if (gain > most) {
                most = gain;
                best = i;
            }
        }
        if (best < 0) break;
        taken[best] = 1;
        many += batch_add(a, &p->position[best]);
        lacks -= most;
    }
    return many;
}

static int batch_by_size(const void *a, const void *b) {
    const batch_set_t *x = (const batch_set_t *)a, *y = (const batch_set_t *)b;
    if (x->n != y->n) return x->n - y->n;
    if (x->guess != y->guess) return x->guess - y->guess;
    return x->code - y->code;
}

/* The least of the numbers of the first `many` sets. */
static int bitslice_least(const bitslice_t digit[8], int many) {
    int least = 255;
    for (int i = 0; i < many; i++) {
        const int number = bitslice_number(digit, i);
        if (number < least) least = number;
    }
    return least;
}

/* Sort the answers of P by their codes for the columns of a group, into `by`. One column alone would wait for itself
   wherever two answers have one code. */
static void batch_sort(search_t *s, batch_t *a, int group) {
    const int n = a->P->n, column = group * BATCH_COLUMNS;
    a->group = group;
    if (a->block != column / BLOCK) copy_block(a->row, n, 1, a->block = column / BLOCK, a->P->frame->blocks, a->tile);
    memset(a->at, 0, sizeof a->at);
    const uint8_t *codes = a->tile + column % BLOCK;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < BATCH_COLUMNS; j++) a->at[j][codes[(size_t)i * BLOCK + j]]++;
    for (int j = 0; j < BATCH_COLUMNS; j++) by_code_starts(a->at[j], &a->by[j]);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < BATCH_COLUMNS; j++) a->by[j].answer[a->at[j][codes[(size_t)i * BLOCK + j]]++] = (uint16_t)i;
    count_work(s, 8 * (int64_t)n * BATCH_COLUMNS);
}

/* Keep the answers of P by their codes for a column, if there is room; -1 when memory runs out. */
static int batch_keep(search_t *s, batch_t *a, int column, const by_code_t *by) {
    const size_t answers = (size_t)a->P->n * sizeof *by->answer;
    const size_t head = offsetof(by_code_t, start) + ((size_t)by->classes + 1) * sizeof *by->start;
    const size_t bytes = ((head + 63) & ~(size_t)63) + answers;
    if (bytes > a->room) return 0;
    by_code_t *own = (by_code_t *)allocate(s, bytes);
    if (!own) return -1;
    a->room -= bytes;
    memcpy(own, by, head);
    own->answer = (uint16_t *)((char *)own + ((head + 63) & ~(size_t)63));
    memcpy(own->answer, by->answer, answers);
    a->sorted[column] = own;
    return 0;
}

/* Raise the digits of a slice to the classes of a column on each of its sets, a member counting one more, if they may
   be more than `least`. Returns -1 when memory runs out. */
static int batch_raise(search_t *s, batch_t *a, int column, int slice, int least, bitslice_t most[8]) {
    const frame_t *f = a->P->frame;
    const int n = a->P->n, guess = f->guess[column], block = column / BLOCK;
    if (guess < 0) return 0;
    const int answer = s->game->answer_of[guess], own = answer >= 0 ? a->place[answer] : -1;
    /* A guess makes no more classes of a class than of the set, and a member counts one more. */
    const int top = (block < a->tops ? a->top[column] : f->cap[block]) + (own >= 0);
    if (top <= least) return 0;
    const bitslice_t *has = a->has + (size_t)slice * (size_t)n;
    const by_code_t *by = a->sorted[column];
    if (!by) {
        if (a->group != column / BATCH_COLUMNS) batch_sort(s, a, column / BATCH_COLUMNS);
        by = &a->by[column % BATCH_COLUMNS];
        if (batch_keep(s, a, column, by) < 0) return -1;
    }
    bitslice_raise(has, by, own >= 0 ? &has[own] : NULL, most);
    count_work(s, n);
    return 0;
}

/* The most classes of a guess on each set, a member counting one more, into the digits of each slice. */
static void batch_most(search_t *s, batch_t *a, bitslice_t (*most)[8]) {
    const int blocks = a->P->frame->blocks, slices = (a->sets + BITSLICE - 1) / BITSLICE;
    int least[BATCH_SLICES] = {0};
    for (int b = 0; b < blocks && !s->stopped; b++) {
        /* One slice after the other for some columns at a time: all slices are too much for the cache. */
        for (int first = b * BLOCK; first < (b + 1) * BLOCK; first += BATCH_COLUMNS)
            for (int q = 0; q < slices; q++)
                for (int c = first; c < first + BATCH_COLUMNS; c++)
                    if (batch_raise(s, a, c, q, least[q], most[q]) < 0) return;
        if (b % 4) continue;
        for (int q = 0; q < slices; q++)
            least[q] = bitslice_least(most[q], a->sets - q * BITSLICE < BITSLICE ? a->sets - q * BITSLICE : BITSLICE);
    }
}

/* For assertions: whether no guess at all makes more classes of this part of P than k, a member counting one more. */
static inline int batch_holds(const search_t *s, const int32_t *B, int n, int k) {
    const game_t *g = s->game;
    for (int guess = 0; guess < g->guesses; guess++) {
        uint8_t seen[BITSLICE_CODES] = {0};
        int classes = 0;
        for (int i = 0; i < n; i++) {
            uint8_t *code = &seen[g->codes[(size_t)guess * (size_t)g->answers + (size_t)B[i]]];
            classes += !*code + (g->answer_of[guess] == B[i]);
            *code = 1;
        }
        if (classes > k) return 0;
    }
    return 1;
}

/* Count all sets, and store what that says of them. */
static void batch_count(search_t *s, batch_t *a) {
    const int n = a->P->n, slices = (a->sets + BITSLICE - 1) / BITSLICE;
    bitslice_t most[BATCH_SLICES][8];
    memset(most, 0, sizeof most);
    memset(a->has, 0, (size_t)slices * (size_t)n * sizeof *a->has);
    /* Sets of like sizes in one slice: a guess that is too coarse for one of them is so for the others. */
    qsort(a->set, (size_t)a->sets, sizeof *a->set, batch_by_size);
    for (int i = 0; i < a->sets; i++) {
        bitslice_t *has = a->has + (size_t)(i / BITSLICE) * (size_t)n;
        const uint16_t *within = a->within + a->set[i].first;
        for (int j = 0; j < a->set[i].n; j++) bitslice_put(has + within[j], i % BITSLICE);
    }
    /* Where the last slice has no set, nothing is to rise. */
    for (int i = a->sets; i < slices * BITSLICE; i++)
        for (int d = 0; d < 8; d++) bitslice_put(&most[slices - 1][d], i % BITSLICE);
    batch_most(s, a, most);
    position_t q = *a->P;
    q.needs = NULL;
    q.depth++;
    q.before = a->P;
    q.strict = 0;
    for (int i = 0; i < a->sets && !s->stopped; i++) {
        const uint16_t *within = a->within + a->set[i].first;
        const int k = bitslice_number(most[i / BITSLICE], i % BITSLICE);
        bound_t b = {3 * (int64_t)a->set[i].n - k, 0, 0, 1};
        q.n = a->set[i].n;
        for (int j = 0; j < q.n; j++) a->answers[j] = a->P->answers[within[j]];
        q.answers = a->answers;
        q.set = a->set[i].key;
        q.guess = a->set[i].guess;
        q.code = a->set[i].code;
        assert(1 <= k && k <= q.n + 1);
        assert(batch_holds(s, a->answers, q.n, k));
        s->count_calls++;
        s->tally[COUNTS_NUMBER].asked++;
        s->tally[AT_ONCE_NUMBER].asked++;
        if (families_allow(s, &q, a->left)) keep_count_bound(s, &q, a->left, k, &b);
    }
    batch_clear(a);
}

#endif
