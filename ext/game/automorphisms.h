/* Games that renaming symbols and reordering places map to themselves: of guesses that such a map carries into each
   other without changing the guesses made, only the first in list order is worth a look. The map keeps the feedback of
   the guesses made, so it maps the candidates to themselves, and trees to trees of the same depths; under
   ultra-hard rules guesses that fit the hints, too.

   Such guesses are worth the same under every cost that counts depths alone, and the first in the list also comes first
   in every tie. A map that is overlooked costs time. A map that moved a guess made would be a false proof: so maps are
   found by trying them on the guesses made (automorphism_keeps). */
#ifndef OPTIMAL_GAME_AUTOMORPHISMS_H
#define OPTIMAL_GAME_AUTOMORPHISMS_H

#include <stdint.h>

#include "base/testing.h"

#define AUTOMORPHISM_PLACES 5          /* games with more places are left with renaming alone */
#define AUTOMORPHISM_SYMBOLS 64
#define AUTOMORPHISMS_MOST 120          /* orders of the places */

typedef struct {
    uint8_t to[AUTOMORPHISM_PLACES];          /* place p goes to to[p] */
    uint8_t name[AUTOMORPHISM_SYMBOLS];       /* new names of the symbols that were used */
} automorphism_t;

/* Whether order `to` of the places, with some renaming of symbols, leaves every guess made as it is; fills s->name.
   The renaming is one to one: it takes the symbols of each guess to those of the guess in another order, so to all of
   them, and so the symbols of all guesses to all of these. */
static int automorphism_keeps(automorphism_t *s, const uint8_t *symbols, int length, const int32_t *guesses, int made) {
    uint64_t named = 0;
    for (int i = 0; i < made; i++) {
        const uint8_t *g = symbols + (int64_t)guesses[i] * length;
        for (int p = 0; p < length; p++) {
            const int old = g[p], new_name = g[s->to[p]];
            if (named >> old & 1) {
                if (s->name[old] != new_name) return 0;
            } else {
                s->name[old] = (uint8_t)new_name;
                named |= 1ull << old;
            }
        }
    }
    return 1;
}

/* The next order of 0 .. many - 1 in lexicographic order; returns 0 after the last. */
static int next_order(uint8_t *order, int many) {
    int i = many - 2, j = many - 1;
    while (i >= 0 && order[i] > order[i + 1]) i--;
    if (i < 0) return 0;
    while (order[j] < order[i]) j--;
    uint8_t swap = order[i];
    order[i] = order[j], order[j] = swap;
    for (int a = i + 1, b = many - 1; a < b; a++, b--) swap = order[a], order[a] = order[b], order[b] = swap;
    return 1;
}

/* All orders of the places, but for the identity, that keep the guesses made; returns how many. */
static int automorphisms_of(automorphism_t *out, const uint8_t *symbols, int length, const int32_t *guesses, int made) {
    int count = 0;
    uint8_t to[AUTOMORPHISM_PLACES];
    if (length > AUTOMORPHISM_PLACES) return 0;
    for (int p = 0; p < length; p++) to[p] = (uint8_t)p;
    while (next_order(to, length)) {
        assert(count < AUTOMORPHISMS_MOST);
        for (int p = 0; p < length; p++) out[count].to[p] = to[p];
        count += automorphism_keeps(&out[count], symbols, length, guesses, made);
    }
    return count;
}

/* Whether no map carries guess g to one before it in lexicographic order. Unused symbols may take any unused name:
   those of least order, as they come, make the first guess. */
static int leads_orbit(const uint8_t *g, int length, uint64_t used, const automorphism_t *maps, int count) {
    for (int m = -1; m < count; m++) { /* -1: the identity */
        uint8_t moved[16], name[AUTOMORPHISM_SYMBOLS];
        uint64_t taken = used, known = 0;
        const uint8_t *image = g;
        if (m >= 0) {
            for (int p = 0; p < length; p++) moved[maps[m].to[p]] = g[p];
            image = moved;
        }
        for (int p = 0; p < length; p++) {
            const int x = image[p];
            int y;
            if (used >> x & 1) y = m < 0 ? x : maps[m].name[x];
            else {
                if (!(known >> x & 1)) {
                    int next = 0;
                    while (taken >> next & 1) next++;
                    name[x] = (uint8_t)next;
                    taken |= 1ull << next;
                    known |= 1ull << x;
                }
                y = name[x];
            }
            if (y < g[p]) return 0;
            if (y > g[p]) break;
        }
    }
    return 1;
}

#endif
