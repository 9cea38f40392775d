/* Halves of a set, whose values add up to a bound of its own; normal rules, unit costs, word games.

   A tree for A and B together, cut down to A, is a tree for A, and cut down to B one for B, with every answer as deep as
   before: so V(A u B, d) >= V(A, d) + V(B, d) for sets without a common answer. Under normal rules a set's value depends
   on nothing that was guessed before. What is lost is what one guess tells of both halves at once. */
#ifndef OPTIMAL_HALVES_H
#define OPTIMAL_HALVES_H

#include "position.h"

#define HALF_LEAST 16 /* the smaller half has one in so many answers */
#define HALF (-1)     /* in place of a guess: to the half that has the letter (1), or to that without it (0) */

/* Larger sets are halved, until their parts have so many answers: few at first, since the search of a set takes many
   times as long as that of its halves, then more, which lose less. */
static const int halves_most[] = {TUNED(150, 4), TUNED(300, 7), TUNED(600, 10)};

/* Classes of an opener of these sizes raise its bound most for their time. */
#define EARLY_LEAST TUNED(24, 3)
#define EARLY_MOST TUNED(79, 5)
#define HALVES_LEVELS ((int)(sizeof halves_most / sizeof *halves_most))

/* Whether halves of at most so many answers are worth asking: the set is larger, and no count bound, 3n - K, reaches the
   budget. */
static inline int halves_pay(const search_t *s, const position_t *P, int most, int64_t budget) {
    return s->switches & HALVES && s->game->rules == NORMAL && s->costs.unit && s->game->letters && P->n > most
           && budget > 3 * (int64_t)P->n;
}

static inline int letter_at(const game_t *g, int a, int p) {
    return g->letter[a * g->length + p] / g->length;
}

/* The same, -1 where the letter came before in the answer. */
static inline int new_letter_at(const game_t *g, int a, int p) {
    const int x = letter_at(g, a, p);
    for (int q = 0; q < p; q++)
        if (letter_at(g, a, q) == x) return -1;
    return x;
}

/* P in two: the answers without and those with the letter that halves P best. Words that share a letter are hard to tell
   apart, which keeps the sum of the halves high. Returns 0 where no letter leaves a part worth the name, or memory runs
   out: halves that lose a few answers each would be thousands deep. */
static int halve(search_t *s, const position_t *P, position_t half[2]) {
    const game_t *g = s->game;
    const int n = P->n;
    int32_t *B = (int32_t *)take(s, (size_t)n * sizeof *B);
    int letter = -1, best = 0, without = 0, with = n;
    if (!B) return 0;
    for (int i = 0; i < n; i++)
        for (int p = 0; p < g->length; p++) {
            const int x = new_letter_at(g, P->answers[i], p);
            if (x >= 0) s->letter_count[x]++;
        }
    for (int i = 0; i < n; i++)
        for (int p = 0; p < g->length; p++) {
            const int x = letter_at(g, P->answers[i], p), have = s->letter_count[x];
            const int least = have < n - have ? have : n - have;
            if (least > best || (least == best && x < letter)) best = least, letter = x;
        }
    for (int i = 0; i < n; i++)
        for (int p = 0; p < g->length; p++) s->letter_count[letter_at(g, P->answers[i], p)] = 0;
    worked(s, 4 * (int64_t)n * g->length);
    if (best * HALF_LEAST < n) return 0;
    for (int i = 0; i < n; i++) {
        int has = 0;
        for (int p = 0; p < g->length; p++) has |= letter_at(g, P->answers[i], p) == letter;
        if (has) B[--with] = P->answers[i];
        else B[without++] = P->answers[i];
    }
    for (int side = 0; side < 2; side++) {
        half[side] = *P;
        half[side].answers = side ? B + with : B;
        half[side].n = side ? n - with : without;
        half[side].set = set_key(g, half[side].answers, half[side].n);
        half[side].guess = HALF;
        half[side].code = side;
        half[side].before = P;
    }
    return 1;
}

#endif
