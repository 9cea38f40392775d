/* The store of nogoods: small sets of answers that no tree finds within so many guesses.

   Learning what can't be from failures, and holding it against later choices, is nogood learning, as constraint
   solvers do (Dechter 1990); refutations.h tells why it is sound here.

   Searches of a team look at each other's, so a nogood that is kept neither moves nor changes. */
#ifndef OPTIMAL_GAME_NOGOODS_H
#define OPTIMAL_GAME_NOGOODS_H

#include "base/arena.h"

#define NOGOODS_MOST TUNED(8192, 6) /* are kept, the first ones found */
#define NOGOOD_LARGEST TUNED(24, 7) /* answers: larger ones are seldom met again */

typedef struct {
    const int32_t *answers;
    int n;
    int left; /* guesses: within these there is no tree */
    int next; /* of those with the same first answer: its number, from 1, 0 for none */
} nogood_t;

typedef struct {
    nogood_t *all;
    int32_t *pool;  /* their answers */
    int32_t *first; /* by answer: the last nogood that begins with it, from 1, 0 for none */
    int count, used;
} nogoods_t;

/* Room for them. */
static void nogoods_init(nogoods_t *q, arena_t *a, size_t answers) {
    q->count = q->used = 0;
    q->all = (nogood_t *)arena_alloc(a, NOGOODS_MOST * sizeof *q->all);
    q->pool = (int32_t *)arena_alloc(a, NOGOODS_MOST * NOGOOD_LARGEST * sizeof *q->pool);
    q->first = (int32_t *)arena_zeroed(a, answers, sizeof *q->first);
}

/* The one of just these answers, in this order, for so many guesses or more; NULL if there is none. */
static const nogood_t *nogoods_find(const nogoods_t *known, const int32_t *B, int n, int left) {
    for (int at = known->first[B[0]]; at; at = known->all[at - 1].next) {
        const nogood_t *q = &known->all[at - 1];
        if (q->n == n && q->left >= left && !memcmp(q->answers, B, (size_t)n * sizeof *B)) return q;
    }
    return NULL;
}

/* Keep one of at most NOGOOD_LARGEST answers, while there are fewer than NOGOODS_MOST. It stays where it is. */
static const nogood_t *nogoods_add(nogoods_t *known, const int32_t *B, int n, int left) {
    int32_t *answers = known->pool + known->used;
    assert(3 <= n && n <= NOGOOD_LARGEST && known->count < NOGOODS_MOST);
    memcpy(answers, B, (size_t)n * sizeof *B);
    nogood_t *q = &known->all[known->count];
    *q = (nogood_t){answers, n, left, known->first[B[0]]};
    known->first[B[0]] = ++known->count;
    known->used += n;
    return q;
}

#endif
