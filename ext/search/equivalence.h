/* Positions that a map of the game to itself carries into each other (automorphisms.h).

   Such a map carries the answers that fit some hints to those that fit its images of them, and trees to trees of the
   same depths: so positions whose hints (guesses with their feedback), in any order, are the same up to an order of
   the places and new names for the symbols have the same value, at the same depth and with as many guesses left. What
   is proven of one is stored for all, under a key of the hints' canonical form: of all forms that orders of the hints
   and of the places give, symbols being named as they come, the first in lexicographic order. The best guess is
   stored as its image, and read back through the map.

   Guesses of canonical trees are not shared so, as they depend on the order of the list. The form rests on the guesses
   made, not on the set: a subset of a position must never get here. Subsets are asked in word games alone, which have
   no such maps. */
#ifndef OPTIMAL_SEARCH_EQUIVALENCE_H
#define OPTIMAL_SEARCH_EQUIVALENCE_H

#include "game/position.h"
#include "game/automorphisms.h"

#define EQUIVALENCE_LEAST TUNED(8, 3) /* answers: smaller sets are searched in no more time than that takes */
#define EQUIVALENCE_HINTS 3            /* more are seldom the same */

typedef struct {
    position_t form;             /* in its place for position_key: of this key, depth and number of answers */
    uint8_t order[AUTOMORPHISM_PLACES]; /* place p of the canonical form is this place here */
    uint8_t name[AUTOMORPHISM_SYMBOLS]; /* canonical names of the symbols in the hints */
    uint64_t named;              /* these symbols */
} equivalence_t;

/* The hints of P, least code first; all of them are in its chain of positions. */
static int sorted_hints(const position_t *P, int32_t *guess, int32_t *code) {
    int hints = 0;
    for (const position_t *q = P; q->depth > 0; q = q->before) {
        int i = hints++;
        for (; i > 0 && code[i - 1] > q->code; i--) guess[i] = guess[i - 1], code[i] = code[i - 1];
        guess[i] = q->guess;
        code[i] = q->code;
    }
    return hints;
}

/* P's canonical form; 0 where none is looked for. */
static int equivalence_of(const search_t *s, const position_t *P, equivalence_t *out) {
    const game_t *g = s->game;
    const int places = g->places;
    if (!g->symmetric || !(s->switches & SYMMETRY) || P->depth < 2 || P->depth > EQUIVALENCE_HINTS || P->n < EQUIVALENCE_LEAST
        || places > AUTOMORPHISM_PLACES)
        return 0;
    int32_t guess[EQUIVALENCE_HINTS], code[EQUIVALENCE_HINTS];
    uint8_t best[EQUIVALENCE_HINTS * AUTOMORPHISM_PLACES] = {0}, hint[EQUIVALENCE_HINTS] = {0, 1, 2}, order[AUTOMORPHISM_PLACES];
    const int hints = sorted_hints(P, guess, code);
    int found = 0;
    do {
        int sorted = 1;
        for (int i = 1; i < hints; i++) sorted &= code[hint[i - 1]] <= code[hint[i]];
        if (!sorted) continue;
        for (int p = 0; p < places; p++) order[p] = (uint8_t)p;
        do {
            uint8_t form[EQUIVALENCE_HINTS * AUTOMORPHISM_PLACES], name[AUTOMORPHISM_SYMBOLS];
            uint64_t named = 0;
            int names = 0, at = 0, less = !found, more = 0;
            for (int i = 0; i < hints && !more; i++) {
                const uint8_t *symbol = g->symbols + (size_t)guess[hint[i]] * (size_t)places;
                for (int p = 0; p < places && !more; p++, at++) {
                    const int x = symbol[order[p]];
                    if (!(named >> x & 1)) {
                        named |= 1ull << x;
                        name[x] = (uint8_t)names++;
                    }
                    form[at] = name[x];
                    if (!less && form[at] != best[at]) less = form[at] < best[at], more = !less;
                }
            }
            if (!less || more) continue;
            found = 1;
            memcpy(best, form, (size_t)at);
            memcpy(out->order, order, (size_t)places);
            memcpy(out->name, name, sizeof name);
            out->named = named;
        } while (next_order(order, places));
    } while (next_order(hint, hints));
    key128 key = {0, 0};
    for (int i = 0; i < hints; i++) {
        key = key_with(key, 0x616c696b65000000ull + (uint64_t)(i << 20) + (uint64_t)code[i]);
        for (int p = 0; p < places; p++)
            key = key_with(key, 0x68696e7473000000ull + (uint64_t)((i * places + p) << 8) + best[i * places + p]);
    }
    out->form = *P;
    out->form.set = key;
    out->form.past = (key128){0, 0}; /* the key holds the hints, which are all that ultra-hard rules remember */
    return 1;
}

/* The guess of these symbols; the list is in their lexicographic order. */
static int guess_of(const game_t *g, const uint8_t *symbols) {
    int low = 0, high = g->guesses - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (memcmp(g->symbols + (size_t)middle * (size_t)g->places, symbols, (size_t)g->places) < 0) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* Add what the map does to symbols that no hint has: `from` gets the least name that is free. */
static int name_next(uint8_t *to, uint64_t *known, uint64_t *taken, int from) {
    if (!(*known >> from & 1)) {
        int next = 0;
        while (*taken >> next & 1) next++;
        to[from] = (uint8_t)next;
        *known |= 1ull << from;
        *taken |= 1ull << next;
    }
    return to[from];
}

/* A guess here as one of the canonical form, and back. Symbols that no hint has may take any free name. */
static int equivalence_image(const game_t *g, const equivalence_t *a, int guess) {
    const uint8_t *symbol = g->symbols + (size_t)guess * (size_t)g->places;
    uint8_t image[AUTOMORPHISM_PLACES], name[AUTOMORPHISM_SYMBOLS];
    uint64_t known = a->named, taken = 0;
    memcpy(name, a->name, sizeof name);
    for (int x = 0; x < AUTOMORPHISM_SYMBOLS; x++)
        if (known >> x & 1) taken |= 1ull << name[x];
    for (int p = 0; p < g->places; p++) image[p] = (uint8_t)name_next(name, &known, &taken, symbol[a->order[p]]);
    return guess_of(g, image);
}

static int equivalence_preimage(const game_t *g, const equivalence_t *a, int image) {
    const uint8_t *symbol = g->symbols + (size_t)image * (size_t)g->places;
    uint8_t guess[AUTOMORPHISM_PLACES], back[AUTOMORPHISM_SYMBOLS];
    uint64_t known = 0, taken = a->named;
    for (int x = 0; x < AUTOMORPHISM_SYMBOLS; x++)
        if (a->named >> x & 1) back[a->name[x]] = (uint8_t)x, known |= 1ull << a->name[x];
    for (int p = 0; p < g->places; p++) guess[a->order[p]] = (uint8_t)name_next(back, &known, &taken, symbol[p]);
    return guess_of(g, guess);
}

/* What is stored of the positions equivalent to P, until the next call; or NULL. */
static const entry_t *recall_equivalent(search_t *s, const position_t *P, int d) {
    equivalence_t a;
    if (!equivalence_of(s, P, &a)) return NULL;
    count_work(s, 1000);
    const entry_t *e = recall(s, position_key(s, &a.form, d), P->n);
    if (!e) return NULL;
    s->equivalent_entry = *e;
    if (e->guess != NO_GUESS) s->equivalent_entry.guess = (uint16_t)equivalence_preimage(s->game, &a, e->guess);
    return &s->equivalent_entry;
}

/* Store what is proven of P for all equivalent positions. */
static void remember_equivalent(search_t *s, const position_t *P, int d, int64_t value, int exact, int height, int guess,
                           int counted) {
    equivalence_t a;
    if (!equivalence_of(s, P, &a)) return;
    if (guess != NO_GUESS) guess = equivalence_image(s->game, &a, guess);
    remember(s, position_key(s, &a.form, d), value, exact, height, guess, counted, P->n);
}

#endif
