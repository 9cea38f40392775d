/* Subsets of a position that may have no tree; word games.

   A tree for a set, cut down to a subset, is a tree for the subset, under every rule: the guesses, and so the hints,
   stay the same. So a set has no tree within d guesses if a subset has none. What makes sets infeasible is words that
   agree in most places, and among other words that takes much longer to show.

   They are asked for any tree at all (`feasibility_only`). Such a search adds up the costs of the first trees that it
   finds, and stores nothing but that there is none. It never refutes by those costs: a tree within d guesses costs n d
   at most, and the budget is above that at every level. */
#ifndef OPTIMAL_BOUNDS_INFEASIBLE_SUBSETS_H
#define OPTIMAL_BOUNDS_INFEASIBLE_SUBSETS_H

#include "game/position.h"

#define SUBSETS_LEAST TUNED(16, 4) /* smaller sets are searched as fast as their subsets */
#define SUBSETS_MOST 16  /* subsets of one set */

/* Whether subsets are worth asking: a budget that few trees would exceed asks whether there is a tree at all. Subsets
   that have one tell nothing: no more than an eighth of all nodes may go to them, and two for each node spent on
   subsets that had none. */
static inline int subsets_pay(const search_t *s, const position_t *P, int d, int64_t budget) {
    return s->switches & SUBSETS && s->game->letters && P->n >= SUBSETS_LEAST && d >= 3 && budget > 7 * (int64_t)P->n / 2
           && 8 * s->tally[SUBSETS_NUMBER].wasted <= s->nodes + 16 * s->tally[SUBSETS_NUMBER].paid;
}

/* Subsets of P, each within the one before: the answers that share the letter that most of them have in common at a
   position, of these the same, down to subsets of `least` answers. Writes P's answers in an order in which every subset
   comes first, and the sizes; returns how many there are. */
static int nested_subsets(search_t *s, const position_t *P, int least, int32_t *B, int *sizes) {
    const game_t *g = s->game;
    int m = P->n, subsets = 0;
    memcpy(B, P->answers, (size_t)m * sizeof *B);
    while (subsets < SUBSETS_MOST) {
        int best = 0, place = 0, letter = 0, kept = 0;
        for (int p = 0; p < g->length; p++) {
            for (int i = 0; i < m; i++) s->letter_count[g->letter[B[i] * g->length + p]]++;
            for (int i = 0; i < m; i++) {
                const int x = g->letter[B[i] * g->length + p], count = s->letter_count[x];
                if (best < count && count < m) best = count, letter = x, place = p;
            }
            for (int i = 0; i < m; i++) s->letter_count[g->letter[B[i] * g->length + p]] = 0;
        }
        count_work(s, 3 * (int64_t)m * g->length);
        if (best < least) break;
        for (int i = 0; i < m; i++) {
            const int32_t a = B[i];
            if (g->letter[a * g->length + place] != letter) continue;
            B[i] = B[kept];
            B[kept++] = a;
        }
        m = sizes[subsets++] = best;
    }
    return subsets;
}

#endif
