/* Families: answers that differ at one position alone, as fight, light, might; word feedback.

   A guess gives each member of a family E whose letter it meets a class of its own, and all others the same feedback:
   a letter is met if the guess holds more copies of it than the shared letters do, or has it at that very position. So
   k(g on E) - 1 members at most leave the common class with guess g, and every guess after it is legal before it too:
   if the best d - 1 legal guesses together take away fewer than |E| - 1 members, two are left for the last guess.

   That holds for all costs. It is false for pegs, whose feedback has no places: the tables of such games have no
   letters. */
#ifndef OPTIMAL_BOUNDS_FAMILIES_H
#define OPTIMAL_BOUNDS_FAMILIES_H

#include "game/frames.h"

/* The largest family among the candidates: its size, one of its members and the position at which they differ. */
static int largest_family(search_t *s, const position_t *P, int *member, int *place) {
    const game_t *g = s->game;
    int most = 0;
    for (int p = 0; p < g->length; p++) {
        for (int i = 0; i < P->n; i++) {
            const int size = ++s->family_size[g->family[P->answers[i] * g->length + p]];
            if (size > most) most = size, *member = P->answers[i], *place = p;
        }
        for (int i = 0; i < P->n; i++) s->family_size[g->family[P->answers[i] * g->length + p]] = 0;
    }
    count_work(s, 2 * (int64_t)P->n * g->length);
    return most;
}

/* Whether d guesses may tell the largest family of candidates apart. */
static int family_fits(search_t *s, const position_t *P, int d) {
    const game_t *g = s->game;
    const size_t step = (size_t)BLOCK * (size_t)g->width;
    int top[DEPTHS_LAYERS] = {0}; /* what the best d - 1 guesses take away, most first */
    int first = 0, place = 0, taken = 0, size = 0, best = 0;
    if (g->families == 0 || P->n <= d || d < 3 || d >= DEPTHS_LAYERS || !(s->switches & FAMILIES)) return 1;
    const int family = largest_family(s, P, &first, &place);
    if (family <= d || family > PAIRWISE_MOST) return 1; /* d guesses, each a member, find d of them */
    s->tally[FAMILIES_NUMBER].asked++;
    const arena_mark_t mark = arena_mark(&s->arena);
    int32_t *E = (int32_t *)allocate(s, (size_t)family * sizeof *E);
    uint8_t *tile = (uint8_t *)allocate(s, (size_t)family * step);
    if (!E || !tile) return 1;
    const uint8_t *row[PAIRWISE_MOST];
    for (int i = 0; i < P->n; i++)
        if (g->family[P->answers[i] * g->length + place] == g->family[first * g->length + place]) {
            row[size] = tile + (size_t)size * step;
            E[size++] = P->answers[i];
        }
    legal_t legal;
    legal_begin(s, P, &legal);
    while (taken < size - 1 && !s->stopped) {
        int32_t at[BLOCK];
        uint16_t counts[BLOCK];
        const int m = legal_next(s, P, &legal, BLOCK, at);
        if (m == 0) break;
        copy_columns(s, P->frame, E, size, at, m, tile, step);
        const count_t what = {s->tile, row, size, g->width, NULL, 0, 0};
        count_block(&what, 0, 1, ~0ull, &best, counts);
        count_work(s, (int64_t)size * size);
        for (int i = 0; i < m; i++) {
            const int away = counts[i] - 1;
            int j = d - 2;
            if (away <= top[j]) continue;
            taken += away - top[j];
            for (; j > 0 && top[j - 1] < away; j--) top[j] = top[j - 1];
            top[j] = away;
        }
    }
    arena_release(&s->arena, mark);
    if (taken >= size - 1 || s->stopped) return 1;
    s->tally[FAMILIES_NUMBER].settled++;
    return 0;
}

#endif
