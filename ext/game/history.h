/* Positions in the middle of a game: the guesses made, and their feedback, at the bottom of a search's arena. */
#ifndef OPTIMAL_GAME_HISTORY_H
#define OPTIMAL_GAME_HISTORY_H

#include "game/frames.h"

typedef struct {
    int guess, code;
} step_t;

/* Let a search stand after these guesses, which are in range. The positions lie at the bottom of the arena, where they
   stay. Returns 0; -1 when memory runs out; the number of the guess, from 1, after whose feedback no answer is left. */
static int history_begin(search_t *s, const step_t *step, int steps) {
    const game_t *g = s->game;
    const size_t words = (size_t)g->feature_words + 1;
    int32_t *everything = (int32_t *)allocate(s, (size_t)g->answers * sizeof *everything);
    uint64_t *nothing = (uint64_t *)allocate(s, words * sizeof *nothing);
    uint64_t *needs = (uint64_t *)allocate(s, words * sizeof *needs);
    position_t *at = (position_t *)allocate(s, (size_t)(steps + 2) * sizeof *at); /* at[i + 1]: after i guesses */
    frame_t *frame = (frame_t *)allocate(s, (size_t)(steps + 1) * sizeof *frame);
    if (!everything || !nothing || !needs || !at || !frame) return -1;
    for (int a = 0; a < g->answers; a++) everything[a] = a;
    memset(nothing, 0, words * sizeof *nothing);
    memset(needs, 0, words * sizeof *needs);
    at[0] = at[1] = position_start(g, everything, nothing);
    at[1].needs = needs;
    for (int i = 0; i < steps; i++) {
        const position_t *before = &at[i + 1];
        const int guess = step[i].guess, code = step[i].code;
        position_t P = *before;
        int32_t *left = (int32_t *)allocate(s, (size_t)P.n * sizeof *left);
        if (!left) return -1;
        P.n = 0;
        for (int j = 0; j < before->n; j++)
            if (game_code(g, guess, before->answers[j]) == code) left[P.n++] = before->answers[j];
        if (P.n == 0 || code == g->winning_code) return i + 1;
        P.before = before;
        P.answers = left;
        P.guess = guess;
        P.code = code;
        P.depth = i + 1;
        P.used |= game_symbols(g, guess);
        if (g->rules == HARD) game_ask(g, guess, code, needs);
        else if (g->rules == ULTRA_HARD) P.past = hints_key(P.past, guess, code);
        /* Under ultra-hard rules every hint narrows the frame; under hard rules the last sees to all of them. */
        P.strict = g->rules == ULTRA_HARD || (g->rules == HARD && i == steps - 1);
        if (restrict_position(s, &P, &at[i + 2], &frame[i]) < 0) return -1;
    }
    position_t *end = &at[steps + 1];
    if (g->rules == HARD) end->past = needs_key(g, needs);
    end->set = set_key(g, end->answers, end->n);
    s->whole = &at[0];
    s->start = end;
    s->bottom = arena_mark(&s->arena);
    return 0;
}

#endif
