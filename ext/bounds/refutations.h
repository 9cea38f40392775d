/* What nogoods say of positions and guesses; normal rules, unit costs.

   A tree for a set, cut down to a part of it, is a tree for the part. So a position has no tree within d guesses if
   it holds a nogood of d guesses or more, and a guess that leaves one of d - 1 or more together leads nowhere.

   A class without a tree is learned; where two guesses are left it is first reduced to a part in which every answer
   counts, since two guesses find a set only if one guess gives all of it different feedback, which is soon tried. Under
   hard rules hints matter too, so nothing is learned there. */
#ifndef OPTIMAL_BOUNDS_REFUTATIONS_H
#define OPTIMAL_BOUNDS_REFUTATIONS_H

#include "bounds/most_classes.h"
#include "game/partition.h"

#define NOGOODS_NEAR TUNED(1024, 3) /* of one position that its guesses are held against */

/* Nogoods in a position that speak of its classes. */
typedef struct {
    const nogood_t *list[NOGOODS_NEAR];
    int count;
} nogoods_near_t;

static inline int nogoods_serve(const search_t *s, int d) {
    return d < FREE && s->switches & NOGOODS;
}

static inline int nogood_lies_in_marked(const search_t *s, const nogood_t *q) {
    for (int i = 0; i < q->n; i++)
        if (!is_member(s, q->answers[i])) return 0;
    return 1;
}

/* Gather the nogoods in P that speak of its classes, with d guesses left for P; returns whether one speaks of P. */
static int nogoods_gather(search_t *s, const position_t *P, int d, nogoods_near_t *near) {
    const nogoods_t *known = &s->nogoods;
    int met = 0;
    near->count = 0;
    if (!known->count) return 0;
    mark_members(s, P->answers, P->n);
    for (int i = 0; i < P->n; i++)
        for (int at = known->first[P->answers[i]]; at; at = known->all[at - 1].next) {
            const nogood_t *q = &known->all[at - 1];
            met++;
            if (q->left < d - 1 || !nogood_lies_in_marked(s, q)) continue;
            if (q->left >= d) return 1;
            if (near->count < NOGOODS_NEAR) near->list[near->count++] = q;
        }
    count_work(s, P->n + 4 * met);
    return 0;
}

/* Whether a guess gives all of B, two or more, the same feedback: it wins for one answer at most, so it doesn't win. */
static inline int keeps_together(const game_t *g, int guess, const int32_t *B, int n) {
    const int code = game_code(g, guess, B[0]);
    assert(n >= 2);
    for (int i = 1; i < n; i++)
        if (game_code(g, guess, B[i]) != code) return 0;
    return 1;
}

/* Whether a guess leaves one of these nogoods together; NULL: there are none. One that does comes sooner next time. */
static inline int nogoods_refute(search_t *s, nogoods_near_t *near, int guess) {
    if (!near || !near->count) return 0;
    s->tally[NOGOODS_NUMBER].asked++;
    for (int j = 0; j < near->count; j++) {
        const nogood_t *q = near->list[j];
        if (!keeps_together(s->game, guess, q->answers, q->n)) continue;
        s->tally[NOGOODS_NUMBER].settled++;
        near->list[j] = near->list[j / 2];
        near->list[j / 2] = q;
        return 1;
    }
    return 0;
}

/* The last classes of a position for which no tree was found: guesses that keep one together are not worth trying. */
#define FAILURES_MOST 16
typedef struct {
    int32_t *answers[FAILURES_MOST];
    int size[FAILURES_MOST];
    int count;
} failures_t;

/* Room for the failures of a position of n answers, from the arena; -1 when memory runs out. */
static int failures_init(search_t *s, failures_t *f, int n) {
    f->count = 0;
    f->answers[0] = (int32_t *)allocate(s, (size_t)n * FAILURES_MOST * sizeof *f->answers[0]);
    for (int i = 1; i < FAILURES_MOST && f->answers[0]; i++) f->answers[i] = f->answers[i - 1] + n;
    return f->answers[0] ? 0 : -1;
}

static void failures_add(failures_t *f, const position_t *failed) {
    const int i = f->count++ % FAILURES_MOST;
    f->size[i] = failed->n;
    memcpy(f->answers[i], failed->answers, (size_t)failed->n * sizeof *failed->answers);
}

static inline int failures_refute(const search_t *s, const failures_t *f, int guess) {
    for (int i = 0; i < f->count && i < FAILURES_MOST; i++)
        if (keeps_together(s->game, guess, f->answers[i], f->size[i])) return 1;
    return 0;
}

/* Whether two guesses find all of B, three or more: some guess of the frame gives each answer another feedback. */
static int two_guesses_find(search_t *s, const position_t *P, const int32_t *B, int n) {
    position_t part = *P;
    part.answers = B;
    part.n = n;
    const int most = most_classes(s, &part, n - 1, 0);
    return most < 0 || most >= n; /* UNPROVEN: they may */
}

/* Leave answers out of B, which two guesses don't find, as long as they don't find the rest: pieces at first, then one
   by one. Returns how many stay. */
static int nogood_boil_down(search_t *s, const position_t *P, int32_t *B, int n) {
    int32_t rest[NOGOOD_LARGEST];
    for (int piece = n / 2; piece > 0; piece /= 2)
        for (int at = 0; at < n && n - piece >= 3 && !s->stopped;) {
            const int out = at + piece < n ? piece : n - at;
            memcpy(rest, B, (size_t)at * sizeof *B);
            memcpy(rest + at, B + at + out, (size_t)(n - at - out) * sizeof *B);
            if (two_guesses_find(s, P, rest, n - out) || s->stopped) {
                at += piece;
                continue;
            }
            n -= out;
            memcpy(B, rest, (size_t)n * sizeof *B);
        }
    return n;
}

/* Learn that B has no tree within so many guesses. P holds B, with a frame of all guesses that tell its answers
   apart. */
static void nogood_add(search_t *s, const position_t *P, const int32_t *B, int n, int left, nogoods_near_t *near) {
    int32_t least[NOGOOD_LARGEST];
    if (s->stopped || n > NOGOOD_LARGEST || s->nogoods.count == NOGOODS_MOST) return;
    memcpy(least, B, (size_t)n * sizeof *B);
    if (left == 2) n = nogood_boil_down(s, P, least, n);
    if (s->stopped) return;
    const nogood_t *q = nogoods_find(&s->nogoods, least, n, left);
    if (!q) q = nogoods_add(&s->nogoods, least, n, left);
    near->list[near->count < NOGOODS_NEAR ? near->count++ : s->nogoods.count % NOGOODS_NEAR] = q;
}

#endif
