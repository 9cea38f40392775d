/* The engine for games, all of it: build a game, make a search of it, ask. No Python is needed here. */
#ifndef OPTIMAL_SEARCH_ENGINE_H
#define OPTIMAL_SEARCH_ENGINE_H

#include "game/build_game.h"
#include "search/canonical.h"
#include "search/openers.h"

/* Make a search, all zeros but for its costs and hooks, that stands after these guesses: as search_init and
   history_begin, whose results it returns. search_free must follow in any case. */
static int search_begin(search_t *s, const game_t *g, int off, size_t slots, size_t max_slots, const step_t *step,
                        int steps) {
    if (search_init(s, g, off, slots, max_slots) < 0 || beams_init(s) < 0 || canonical_init(s) < 0) return -1;
    return history_begin(s, step, steps);
}

#endif
