/* Records: what is proven of the classes under way, for those who keep a journal of it.

   A record is an entry of the table with the guesses that lead to it. It holds whatever the budget it was found with;
   so a later search of the same game, costs and position may import it.

   Sets that are asked for any tree (infeasible_subsets.h), to which no guesses lead, are not recorded. */
#ifndef OPTIMAL_SEARCH_RECORDS_H
#define OPTIMAL_SEARCH_RECORDS_H

#include "game/history.h"
#include "search/node.h"

#define RECORD_UNITS TUNED(100, 3) /* of work between two rounds of records: some tenths of a second */
#define RECORD_STOPPED TUNED(8, 1) /* before one at the end: helpers of a team are stopped often */
#define RECORD_LEAST TUNED(16, 4)  /* smaller sets are soon searched again */

/* Of a class that takes long, the guesses that were refuted are all there is to show before its end: what they cost at
   least. Those are recorded that took so many codes, in a call that goes on for so many units already, and of a long one
   only those that took this part of it: there are not too many of them. */
#define RECORD_CODES TUNED((int64_t)1 << 20, 1)
#define RECORD_FROM TUNED(8, 0)
#define RECORD_SHARE 4096
#define WHOLE (-1) /* in place of feedback, at the end of a record's history: the guess, whatever the feedback */

/* A partition whose classes are searched one after the other, and the one in whose course that is done. */
typedef struct under_way_t {
    const partition_t *p;
    int d;             /* guesses left for the classes */
    int done;          /* classes that were looked at, the first of them */
    int recorded;         /* those of them that were recorded */
    struct under_way_t *outer;
} under_way_t;

static void record_entry(search_t *s, const position_t *P, int d, record_t record) {
    const entry_t *e = recall(s, position_key(s, P, d), P->n);
    if (e) record(s, P, d, NO_GUESS, e);
}

/* Record what the table holds of a class without a limit, and within d guesses where these bind. */
static void record_class(search_t *s, const position_t *P, int d) {
    const record_t record = s->hooks.record; /* read once: recording may be turned off in between */
    if (!record || s->feasibility_only || P->n < RECORD_LEAST) return;
    record_entry(s, P, FREE, record);
    if (guesses_that_bind(P, d) != FREE) record_entry(s, P, d, record);
}

/* Record what the table holds of all classes under way that were looked at. A search that imports it need do none of it
   again. */
static void record_all(search_t *s) {
    s->recorded_at = s->units;
    if (!s->hooks.record || s->feasibility_only) return; /* a search for any tree proves no values */
    for (under_way_t *u = s->under_way; u; u = u->outer)
        for (; u->recorded < u->done; u->recorded++) record_class(s, &u->p->position[u->recorded], u->d);
}

/* Record what a guess of the node costs at least that was refuted, and took the codes since `began`, if that was long. */
static void record_guess(search_t *s, const node_t *N, int guess, int64_t low, int64_t began) {
    const int64_t units = (int64_t)(s->units - s->called_at), part = units * WORK_UNIT / RECORD_SHARE;
    const record_t record = s->hooks.record;
    if (!record || s->feasibility_only || N->P->n < RECORD_LEAST || units < RECORD_FROM
        || codes_seen(s) - began < (part > RECORD_CODES ? part : RECORD_CODES))
        return;
    const entry_t refuted = {.value = low, .guess = NO_GUESS};
    remember(s, guess_key(s, N->P, N->d, guess), low, 0, 0, NO_GUESS, 0, N->P->n);
    record(s, N->P, N->d, guess, &refuted);
}

/* Import a record: what an earlier search of the same game and costs proved of the position after these guesses,
   with `left` guesses left, or that the tables hold no more. Returns NULL, or why that is impossible: after guesses that
   the rules don't allow, or that leave no answers; for a value below a bound that needs no search. */
static const char *import_record(search_t *s, const step_t *step, int steps, int left, const entry_t *e) {
    const game_t *g = s->game;
    position_t P = *s->start;
    int whole = NO_GUESS;
    for (int i = 0; i < steps; i++) {
        position_t *at = (position_t *)allocate(s, 2 * sizeof *at);
        frame_t *frame = (frame_t *)allocate(s, sizeof *frame);
        partition_t p;
        if (whole != NO_GUESS) return "nothing follows a guess as a whole";
        if (!at || !frame) return NULL;
        at[0] = P;
        if (P.n <= 2 || !is_legal(g, &P, step[i].guess)) return "the game is over before that, or the guess is not allowed";
        if (restrict_position(s, &at[0], &at[1], frame) < 0 || split(s, &at[1], step[i].guess, &p) < 0) return NULL;
        if (step[i].code == WHOLE) {
            whole = step[i].guess;
            continue;
        }
        const int c = class_of(&p, step[i].code);
        if (c < 0) return "no answer has that feedback";
        P = p.position[c];
    }
    if (s->stopped) return NULL;
    if (left < 1 || e->value > COST_INF || (e->exact && e->height > left)
        || (e->guess != NO_GUESS && !(e->guess < g->guesses && is_legal(g, &P, e->guess)))
        || e->value < cost_trivial(&s->costs, P.answers, P.n, left, P.depth))
        return "no such value is possible";
    if (whole != NO_GUESS && (e->exact || e->guess != NO_GUESS || e->height || e->counted))
        return "of a guess as a whole only bounds are kept";
    const key128 key = whole == NO_GUESS ? position_key(s, &P, left) : guess_key(s, &P, left, whole);
    remember(s, key, e->value, e->exact, e->height, e->guess, e->counted, P.n);
    return NULL;
}

/* Whether a record says that no tree of the node that begins with this guess beats the best so far. */
static inline int record_refutes(search_t *s, const node_t *N, int guess) {
    if (!s->hooks.record || N->P->n < RECORD_LEAST) return 0;
    const entry_t *e = recall(s, guess_key(s, N->P, N->d, guess), N->P->n);
    return e && e->value >= N->best;
}

#endif
