/* Partitions: the feedback classes of a guess, as positions, smallest first.

   Small classes come first because they are the cheapest to bound, and a guess is refuted by a sum.

   Codes are read first, and the sizes and keys of the classes with them: most guesses are refuted by these
   (known_refute) before their classes are positions. */
#ifndef OPTIMAL_GAME_PARTITION_H
#define OPTIMAL_GAME_PARTITION_H

#include "game/frames.h"

/* The feedback classes of one guess on a position, the winning class left out, smallest first. */
typedef struct {
    int classes;
    int failed;        /* a class that was found to have no tree, -1: none was */
    position_t *position;
    int64_t *low;      /* proven lower bound of each class */
    uint16_t *height;  /* height of the tree found, where exact */
    uint8_t *exact;    /* whether low is the exact value */
    uint8_t *counted;  /* whether low is no less than the count bound over the legal guesses */
} partition_t;

/* Raise the lower bound of class i, and `total`, the sum that it is part of, with it. */
static inline int64_t raise_low(partition_t *p, int i, int64_t low, int64_t total) {
    if (low <= p->low[i]) return total;
    assert(p->low[i] >= 0 && p->low[i] <= total && low <= COST_INF);
    assert(!p->exact[i]);
    total = cost_add(total - p->low[i], low);
    p->low[i] = low;
    return total;
}

/* Class i costs its bound, and the tree found of it is so high. */
static inline void class_settled(partition_t *p, int i, int64_t value, int height) {
    assert(p->low[i] == value); /* no bound was above it */
    p->exact[i] = 1;
    p->height[i] = (uint16_t)height;
}

/* Class i has no tree: what the guess costs. */
static inline int64_t class_fails(partition_t *p, int i) {
    p->failed = i;
    return COST_INF;
}

/* The class of a feedback code, -1 if there is none. */
static inline int class_of(const partition_t *p, int code) {
    for (int i = 0; i < p->classes; i++)
        if (p->position[i].code == code) return i;
    return -1;
}

/* The codes of a guess on the candidates; read from `column` of a frame if that is 0 or more. */
static void read_codes(const game_t *g, const position_t *P, int guess, const frame_t *f, int column, int32_t *code) {
    const size_t first = (size_t)guess * (size_t)g->answers;
    const int32_t *B = P->answers;
    const int n = P->n;
    if (g->width == 2) {
        const uint16_t *codes = (const uint16_t *)g->codes + first;
        for (int i = 0; i < n; i++) code[i] = codes[B[i]];
    } else if (column >= 0) {
        for (int i = 0; i < n; i++) code[i] = f->row[B[i]][column];
    } else {
        const uint8_t *codes = g->codes + first;
        for (int i = 0; i < n; i++) code[i] = codes[B[i]];
    }
}

/* The smallest of the game's own frames that holds all guesses that have these features. Answers that a hint leaves
   have what it asks for, so they are in it too. */
static const frame_t *frame_of_few(const game_t *g, const uint64_t *needs) {
    const frame_t *few = &g->root;
    for (int w = 0; w < g->feature_words; w++)
        for (uint64_t rest = needs[w]; rest; rest &= rest - 1) {
            const frame_t *f = &g->feature_frame[w * 64 + OPTIMAL_LOWEST_BIT(rest)];
            if (f->blocks && f->blocks < few->blocks) few = f;
        }
    return few;
}

/* What the rules remember of class `to` of a guess at P; `needs` is room for its features. */
static void class_past(const search_t *s, const position_t *P, position_t *to, uint64_t *needs) {
    const game_t *g = s->game;
    if (g->rules == HARD) {
        /* Legality only accumulates: the union of all hints is what a guess must keep to. */
        memcpy(needs, P->needs, (size_t)g->feature_words * sizeof *needs);
        game_ask(g, to->guess, to->code, needs);
        to->needs = needs;
        to->past = needs_key(g, needs);
        if (P->frame == &g->root && s->switches & FRAMES) to->frame = frame_of_few(g, needs);
        /* Columns that all have what is asked for are all legal: such a frame serves as it is. */
        to->strict = 0;
        for (int w = 0; w < g->feature_words; w++) to->strict |= (needs[w] & ~to->frame->needs[w]) != 0;
    } else if (g->rules == ULTRA_HARD) {
        to->past = hints_key(P->past, to->guess, to->code);
        to->strict = 1;
    }
}

/* The codes of a guess on P, and by code, in the scratch of the search, how many answers have it and their key. */
typedef struct {
    int32_t *code;     /* by candidate */
    int32_t *seen;     /* codes, by first appearance */
    int distinct;
} codes_t;

/* Leave the scratch as it was found. */
static inline void codes_end(search_t *s, const codes_t *c) {
    const key128 none = {0, 0};
    for (int i = 0; i < c->distinct; i++) {
        s->class_size[c->seen[i]] = 0;
        s->class_key[c->seen[i]] = none;
    }
}

/* Read the codes of a guess on P, in memory from the arena; -1 when that runs out. Where the guess is known to be a
   column of a frame that holds P's answers, they are read from there (column >= 0). `codes_end` must follow. */
static inline int codes_begin(search_t *s, const position_t *P, int guess, const frame_t *f, int column, codes_t *c) {
    const int n = P->n;
    c->distinct = 0;
    c->code = (int32_t *)allocate(s, (size_t)n * sizeof *c->code);
    c->seen = (int32_t *)allocate(s, (size_t)n * sizeof *c->seen);
    if (!c->code || !c->seen) return -1;
    read_codes(s->game, P, guess, f, column, c->code);
    count_work(s, 8 * (int64_t)n);
    for (int i = 0; i < n; i++) {
        const int code = c->code[i];
        if (s->class_size[code]++ == 0) c->seen[c->distinct++] = code;
        key_add(&s->class_key[code], s->game->zobrist[P->answers[i]]);
    }
    return 0;
}

/* The classes of these codes of a guess on P, from the arena; -1 when memory runs out. */
static int split_codes(search_t *s, const position_t *P, int guess, const codes_t *c, partition_t *p) {
    const game_t *g = s->game;
    const int n = P->n, words = g->feature_words, distinct = c->distinct;
    int32_t *size = s->class_size, *seen = c->seen; /* size: later where the class's next answer goes */
    int32_t *answers = (int32_t *)allocate(s, (size_t)n * sizeof *answers);
    uint64_t *needs = NULL;
    int at = 0, first = 0;
    p->classes = 0;
    p->failed = -1;
    p->position = (position_t *)allocate(s, (size_t)distinct * (sizeof(position_t) + sizeof(int64_t) + 4));
    if (g->rules == HARD) needs = (uint64_t *)allocate(s, (size_t)distinct * (size_t)words * sizeof *needs);
    if (!answers || !p->position || (g->rules == HARD && !needs)) return -1;
    p->low = (int64_t *)(p->position + distinct);
    p->height = (uint16_t *)(p->low + distinct);
    p->exact = (uint8_t *)(p->height + distinct);
    p->counted = p->exact + distinct;
    /* Insertion sort by size, ties by first appearance: classes are few and mostly tiny. The winning one goes last. */
    for (int i = 0; i < distinct; i++) {
        const int code = seen[i];
        if (code == g->winning_code) continue;
        int j = at++;
        for (; j > 0 && size[seen[j - 1]] > size[code]; j--) seen[j] = seen[j - 1];
        seen[j] = code;
    }
    if (at < distinct) seen[at] = g->winning_code;
    p->classes = at;
    position_t to = *P;
    to.needs = NULL;
    to.guess = guess;
    to.depth = P->depth + 1;
    to.used = P->used | game_symbols(g, guess);
    to.before = P;
    to.strict = 0;
    for (int i = 0; i < at; i++) {
        to.code = seen[i];
        to.answers = answers + first;
        to.n = size[to.code];
        to.set = s->class_key[to.code];
        size[to.code] = first;
        first += to.n;
        p->position[i] = to;
        if (to.n <= 2) continue; /* settled without the table or the rules */
        class_past(s, P, &p->position[i], needs ? needs + (size_t)i * (size_t)words : NULL);
        if (g->rules != NORMAL) recall_prefetch(s, position_key(s, &p->position[i], FREE), to.n);
    }
    for (int i = 0; i < n; i++)
        if (c->code[i] != g->winning_code) answers[size[c->code[i]]++] = P->answers[i];
    return at;
}

/* The classes of a guess on P, from the arena; -1 when memory runs out. */
static int split(search_t *s, const position_t *P, int guess, partition_t *p) {
    codes_t c;
    int classes = -1;
    if (codes_begin(s, P, guess, NULL, -1, &c) == 0) classes = split_codes(s, P, guess, &c, p);
    codes_end(s, &c);
    return classes;
}

/* The same of a position that may be strict: the classes lead into `legal` and `frame`. */
static int split_legal(search_t *s, const position_t *P, int guess, position_t *legal, frame_t *frame, partition_t *p) {
    *legal = *P;
    if (P->n > 2 && restrict_position(s, P, legal, frame) < 0) return -1;
    return split(s, legal, guess, p);
}

#endif
