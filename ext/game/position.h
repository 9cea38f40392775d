/* A position, and the key that identifies it.

   The value of a position depends on its candidates, on what the rules remember of the past, on the guesses left
   where they may bind, and on the guesses made while the cost of one may still change. All of that is in
   position_key, and nothing else: so what is proven under a key holds for every position that has it.

   What comes to matter for a value must go in. The table of canonical trees once had a key of its own, without the
   guesses made; a tree chosen after one number of guesses was put in after another, and a value was called OPTIMAL that
   was not. */
#ifndef OPTIMAL_GAME_POSITION_H
#define OPTIMAL_GAME_POSITION_H

#include "game/search_state.h"

/* Candidates with what the rules make of the past. */
typedef struct position_t {
    const frame_t *frame;     /* columns for every legal guess (under normal rules: for every guess that may matter) */
    const int32_t *answers;   /* the candidates */
    int n;
    key128 set;               /* key of the candidates: set_key */
    key128 past;              /* key of what the rules remember: of the features asked for, or of the hints */
    const uint64_t *needs;    /* hard rules: features that a legal guess must have (game.h) */
    int guess, code;          /* the last guess and its feedback; -1 at the start */
    int depth;                /* guesses made */
    uint64_t used;            /* symbols of the guesses made (game_symbols) */
    const struct position_t *before; /* the position that the last guess was made at */
    int split_most;           /* no legal guess makes more classes, a candidate counting one more */
    int strict;               /* the frame still holds illegal guesses: see restrict_position */
} position_t;

/* A key with one more fact; the order of facts does not matter. Facts of different kinds are different numbers: the
   constants of position_key see to that. */
static inline key128 key_with(key128 key, uint64_t fact) {
    uint64_t state = fact * 0x9e3779b97f4a7c15ull;
    key.lo += splitmix64(&state);
    key.hi += splitmix64(&state);
    return key;
}

/* The Zobrist key of a set of answers: a sum, so the key of a union of disjoint sets is theirs added. */
static inline key128 set_key(const game_t *g, const int32_t *B, int n) {
    key128 key = {0, 0};
    for (int i = 0; i < n; i++) key_add(&key, g->zobrist[B[i]]);
    return key;
}

/* The key of what hard rules remember: the features that a legal guess must have. */
static inline key128 needs_key(const game_t *g, const uint64_t *needs) {
    key128 key = {0, 0};
    for (int w = 0; w < g->feature_words; w++)
        if (needs[w]) key = key_with(key, needs[w] * 0xd6e8feb86659fd93ull + (uint64_t)w);
    return key;
}

/* The key of what ultra-hard rules remember, with one more hint: the set of hints, in no order. */
static inline key128 hints_key(key128 past, int guess, int code) {
    return key_with(past, ((uint64_t)guess << 20) + (uint64_t)code);
}

/* Guesses left, FREE where they can't bind: a least tree wastes no guess, so n guesses are as good as no limit. */
static inline int guesses_that_bind(const position_t *P, int d) {
    return d < P->n ? d : FREE;
}

/* What identifies a position with d guesses left, all that its value and its canonical tree depend on: the candidates,
   what the rules remember, the guesses made while the cost of a guess may still change with them, and the guesses
   left where they may bind. */
static inline key128 position_key(const search_t *s, const position_t *P, int d) {
    key128 key = {P->set.lo + P->past.lo, P->set.hi + P->past.hi};
    if (P->depth <= s->costs.by) key = key_with(key, (uint64_t)P->depth + 0x9d39247eull);
    if (guesses_that_bind(P, d) != FREE) key = key_with(key, (uint64_t)d + 0x5bd1e995ull);
    return key;
}

/* What identifies a guess there: with it the table has what it costs at least, where that is known (records.h). */
static inline key128 guess_key(const search_t *s, const position_t *P, int d, int guess) {
    return key_with(position_key(s, P, d), (uint64_t)guess + 0x3c6ef372fe94f82bull);
}

/* Guesses left after one more. */
static inline int guesses_after(int d) {
    return d < 1 ? 0 : d < FREE ? d - 1 : FREE;
}

/* How many guesses come before the last in every tree for n answers, at least: a guess leaves at most split_off answers
   outside the largest class of any set. */
static inline int guesses_before_last(const search_t *s, int n) {
    return (n - 1) / s->game->split_off;
}

/* The whole game, before the first guess; `answers` are all, and `needs` hold no feature. */
static inline position_t position_start(const game_t *g, const int32_t *answers, const uint64_t *needs) {
    position_t P = {0};
    P.frame = &g->root;
    P.answers = answers;
    P.n = g->answers;
    P.set = set_key(g, answers, g->answers);
    P.needs = needs;
    P.guess = P.code = -1;
    P.split_most = g->split_most;
    return P;
}

#endif
