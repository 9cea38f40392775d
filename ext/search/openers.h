/* Openers: first guesses from a position, refuted at the start of the game with the help of measured supersets.

   An opener costs what it costs itself plus the sum over its classes. Bounds rise in steps, from those that need no
   counting to searches with small budgets, and the opener is refuted at the first sum that reaches the budget. That
   is sound whatever the schedule: a search is exact below its budget, and a proven bound from there on.

   At any moment the sum of the bounds of its classes is a lower bound of the opener. So a slice of work may stop and
   say how far it came; what it found out of the classes is in the table, and the next slice goes on from there. */
#ifndef OPTIMAL_SEARCH_OPENERS_H
#define OPTIMAL_SEARCH_OPENERS_H

#include "bounds/supersets.h"
#include "game/dominance.h"
#include "search/value.h"

static inline int opener_has_supersets(const search_t *s) {
    return s->supersets && s->switches & SUPERSETS;
}

/* No guess has more classes on a part than on the whole, so with D the most classes of any guess on a superset of B,
   V(B) >= 3n - D - 1, under every rule: rules only take guesses away. */
static int64_t opener_superset_bounds(search_t *s, int guess, partition_t *p, int64_t total, int32_t *superset) {
    const supersets_t *x = s->supersets;
    const game_t *g = s->game;
    const int member = g->answer_of[guess];
    key128 *key = (key128 *)allocate(s, ((size_t)p->classes + 1) * sizeof *key);
    if (!key) return total;
    for (int i = 0; i < p->classes; i++) {
        const position_t *c = &p->position[i];
        key[i] = c->n > 2 ? c->set : set_key(g, c->answers, c->n);
    }
    for (int q = 0; q < x->subsets; q++) {
        const uint8_t *part_of = x->project + (size_t)q * (size_t)x->codes;
        key128 part[PARTS_AGREED];
        const superset_t *known[PARTS_AGREED];
        uint8_t looked_up[PARTS_AGREED] = {0};
        memset(part, 0, sizeof part);
        for (int i = 0; i < p->classes; i++) key_add(&part[part_of[p->position[i].code]], key[i]);
        if (member >= 0) key_add(&part[part_of[g->winning_code]], g->zobrist[member]);
        for (int i = p->classes - 1; i >= 0 && p->position[i].n >= x->least; i--) {
            const int k = part_of[p->position[i].code];
            if (!looked_up[k]) {
                const int found = supersets_find(x, part[k]);
                known[k] = found >= 0 && x->sets[found].list.guesses ? &x->sets[found] : NULL;
                looked_up[k] = 1;
            }
            if (!known[k]) continue;
            total = raise_low(p, i, 3 * (int64_t)p->position[i].n - known[k]->list.most - 1, total);
            if (superset[i] < 0 || known[k]->size < x->sets[superset[i]].size)
                superset[i] = (int32_t)(known[k] - x->sets);
        }
    }
    count_work(s, 8 * (int64_t)x->subsets * p->classes);
    return total;
}

/* Fill p->low with bounds that need no counting and `superset` with the smallest measured superset of each class (-1:
   none); returns the opener's cost by these bounds. */
static int64_t opener_uncounted(search_t *s, int guess, partition_t *p, int32_t *superset, int d) {
    int64_t total = sum_trivial(s, s->start, p, d, NULL);
    for (int i = 0; i < p->classes; i++) {
        const int n = p->position[i].n;
        p->exact[i] = n <= 2;
        p->height[i] = (uint16_t)(n < 2 ? n : 2);
        p->counted[i] = 0;
        superset[i] = -1;
    }
    if (total >= COST_INF || !s->costs.unit || !(s->switches & COUNTS)) return total;
    /* No guess has more classes on a class than on all answers, a member counting one more. */
    for (int i = 0; i < p->classes; i++)
        total = raise_low(p, i, 3 * (int64_t)p->position[i].n - s->game->root.cap[0] - 1, total);
    return opener_has_supersets(s) ? opener_superset_bounds(s, guess, p, total, superset) : total;
}

/* The count bound of class i of `guess` by the guess list of a superset; returns the raised total.

   The list falls by count on the superset, which bounds the count on the class: once that is no better than the best
   count found, no later guess can be better, and before that, where it is no better but by what a member counts more,
   only members can. Past its end the tail bounds the rest. The list holds illegal guesses too: they are passed over. */
static int64_t opener_listed(search_t *s, int guess, partition_t *p, int i, int64_t total, const top_guesses_t *shared, int d) {
    const game_t *g = s->game;
    const position_t *P = &p->position[i];
    const int n = P->n;
    int at = 0, best = 0, height = 0;
    s->count_calls++;
    if (n <= MEMBERS_MOST || !(s->switches & MEMBERS)) {
        best = best_member(s, P);
        if (s->stopped) return total;
        const int64_t v = d >= 2 ? value_by_members(s, P, d, best, &height) : -1;
        if (v >= 0) {
            total = raise_low(p, i, v, total);
            class_settled(p, i, v, height);
            return total;
        }
        best++;
    }
    while (at < shared->listed && shared->counts[at] >= best && !s->stopped) {
        int32_t guesses[16];
        uint16_t counts[16];
        int member[16], step = 0;
        for (; step < 16 && at < shared->listed; at++) {
            const int answer = g->answer_of[shared->guesses[at]];
            member[step] = answer >= 0 && game_code(g, guess, answer) == P->code;
            if (shared->counts[at] + member[step] > best
                && (g->rules == NORMAL || is_legal(g, P, shared->guesses[at])))
                guesses[step++] = shared->guesses[at];
        }
        count_list(g->codes, 1, (size_t)g->answers, guesses, step, P->answers, n, NULL, counts);
        count_work(s, (int64_t)step * n);
        for (int j = 0; j < step; j++)
            if (counts[j] + member[j] > best) best = counts[j] + member[j];
    }
    if (at >= shared->listed && shared->tail >= best && !s->stopped) {
        const int inside = best_member(s, P) + 1;
        if (inside > best) best = inside;
    }
    if (s->stopped) return total; /* some counts were not made */
    p->counted[i] = 1;
    if (at >= shared->listed && shared->tail > best) {
        best = shared->tail;
        p->counted[i] = 0;
    }
    return raise_low(p, i, 3 * (int64_t)n - best, total);
}

#define STEP_UNITS TUNED(256, 1) /* of work that a class may take beyond the end of a slice */
#define BOUNDS_LEAST TUNED(192, 4) /* answers of the smallest class that is bounded by its guesses before it is searched */
#define DOMINANCE_LACKS TUNED(50, 1 << 20) /* such a part of what is open must be missing */
#define RATE_MOST 32767            /* what a step brought for its work, at most */
#define UNASKED (RATE_MOST + 1)    /* before the first one */
#define RATE_HALVED 512            /* so much less is half of it */
#define BOUNDED (RATE_MOST + 1)    /* kept beside the rate: bounds of guesses are used up */

/* What a step brought for its work, as a number up to RATE_MOST that grows with it: by its logarithm. */
static inline int gain_rate(int64_t gain, int64_t codes) {
    const uint64_t most = UINT32_MAX, rise = (uint64_t)gain < most ? (uint64_t)gain : most;
    const uint64_t rate = (rise << 32) / (uint64_t)codes + 1;
    int bits = 0;
    for (uint64_t r = rate; r >>= 1;) bits++;
    const int logarithm = bits * RATE_HALVED + (int)((bits < 9 ? rate << (9 - bits) : rate >> (bits - 9)) & 511) + 1;
    return logarithm < RATE_MOST ? logarithm : RATE_MOST;
}

/* The rate that the next step of a class is likely to have: where this one's is below what was expected, it goes on
   falling. */
static inline int next_rate(int expected, int rate) {
    if (expected == UNASKED || expected <= rate) return rate;
    return 2 * rate > expected ? 2 * rate - expected : 1;
}

/* Whether a class is bounded by its guesses before it is searched, which the table keeps; not where it needs more
   guesses than are left. */
static inline int bounds_first(const search_t *s, const position_t *P, int d) {
    return P->n >= BOUNDS_LEAST && s->game->rules == NORMAL && s->costs.unit && s->switches & COUNTS
           && s->switches & TABLE && guesses_before_last(s, P->n) < d;
}

/* How far the bound of a class is to rise next, `missing` being what the opener lacks and `open` what its classes that
   are not exact have: twice what they would have to rise by alike. Bounds of guesses cost little more for being asked
   for much at once. What a search costs nobody knows before, and it soon is too much: it is asked for 1 to 3.5 %. */
static inline int64_t next_step(const search_t *s, int64_t low, int bounded, int64_t missing, int64_t open) {
    const int64_t little = even_budget(s, low);
    if (!s->costs.unit || s->game->rules != NORMAL) return little;
    const int64_t alike = missing > open ? COST_INF : low + 2 * low * missing / open + 1, least = low + low / 96 + 1;
    if (!bounded) return alike > little ? alike : little;
    return alike < least ? least : alike < little ? alike : little;
}

/* Whether to leave the dominated guesses out of a class for good. That takes as long as a bound or two, and an opener
   that lacks little is soon refuted. */
static inline int dominance_pays(const search_t *s, const position_t *P, int64_t missing, int64_t open) {
    return s->switches & DOMINANCE && bounds_first(s, P, FREE) && P->frame == &s->game->root && s->game->width == 1
           && !s->game->symmetric && missing > open / DOMINANCE_LACKS;
}

/* Bound class i by its guesses; returns the raised `total`. */
static int64_t bound_class(search_t *s, partition_t *p, int i, int64_t total, int d, int64_t budget) {
    bound_by_guesses(s, &p->position[i], budget);
    if (s->stopped) return total;
    const bound_t b = known_low(s, &p->position[i], d);
    return b.low >= COST_INF ? class_fails(p, i) : take_bound(p, i, b, total);
}

/* Record what the table holds of the classes that were searched since this was done last. */
static void record_searched(search_t *s, const partition_t *p, int d, uint8_t *searched) {
    for (int i = 0; i < p->classes; i++)
        if (searched[i]) {
            record_class(s, &p->position[i], d);
            searched[i] = 0;
        }
}

/* Raise the bounds of the classes until their sum reaches `budget`, each by a little more at a time: the one comes next
   whose bound is likely to rise most for its time.

   A search holds whatever its budget (below it the value is exact, else a bound), so this is a matter of time alone.
   Large classes are bounded by their guesses first, which brought those of leads of all words to some 97 % of their value.
   The last few per cent take as long as all before, and an opener that is far from the best can do without them. What a
   class may bring is kept: in its next slice an opener goes on where it was, and leaves those alone that had become
   expensive. A step under way when the slice is over has some units more, for the next slice would begin it anew. */
static int64_t search_evenly(search_t *s, partition_t *p, int64_t total, int d, int64_t budget) {
    int *rate = (int *)allocate(s, ((size_t)p->classes + 1) * sizeof *rate); /* of its next step */
    uint8_t *bounded = (uint8_t *)allocate(s, (size_t)p->classes + 1); /* by its guesses, which brings no more */
    uint8_t *searched = (uint8_t *)allocate(s, (size_t)p->classes + 1); /* and not recorded */
    uint64_t recorded_at = s->units;
    int over = 0;
    if (!rate || !bounded || !searched) return total;
    memset(searched, 0, (size_t)p->classes + 1);
    for (int i = 0; i < p->classes; i++) {
        const int known = memo_find(&s->gain_memo, p->position[i].set);
        bounded[i] = known & BOUNDED || !bounds_first(s, &p->position[i], d);
        rate[i] = known ? known & RATE_MOST : UNASKED; /* these from small to large */
    }
    s->level++;
    guard_depth(s, 0);
    while (total < budget && !s->stopped) {
        int i = -1;
        int64_t open = 0;
        for (int j = 0; j < p->classes; j++) {
            if (p->exact[j]) continue;
            if (i < 0 || rate[j] > rate[i]) i = j;
            open += p->low[j];
        }
        if (i < 0) break;
        if (over) {
            s->units_left = -1;
            s->stopped = 1;
            break;
        }
        const int64_t low = p->low[i], needed = budget - (total - low);
        const int64_t step = next_step(s, low, bounded[i], budget - total, open), asked = needed < step ? needed : step;
        const int sliced = s->units_left >= 0, by_guesses = !bounded[i];
        if (sliced) s->units_left += STEP_UNITS;
        if (dominance_pays(s, &p->position[i], budget - total, open)) leave_dominated(s, &p->position[i]);
        if (s->stopped) break;
        const int64_t before = total, began = codes_seen(s);
        total = by_guesses ? bound_class(s, p, i, total, d, asked) : search_class(s, p, i, total, d, asked);
        /* A step that was stopped would have brought no more than it was asked for. */
        const int found = gain_rate(s->stopped ? asked - low : total - before, codes_seen(s) - began + 1);
        if (!s->stopped) rate[i] = next_rate(rate[i], found);
        else if (found < rate[i]) rate[i] = found;
        if (by_guesses && !s->stopped && p->low[i] < asked) {
            bounded[i] = 1;
            rate[i] = rate[i] > RATE_HALVED ? rate[i] - RATE_HALVED : 1;
        }
        memo_store(&s->gain_memo, p->position[i].set, rate[i] | (bounded[i] ? BOUNDED : 0));
        searched[i] = 1;
        if (sliced && !s->stopped && (s->units_left -= STEP_UNITS) < 0) {
            s->units_left = 0;
            over = 1;
        }
        if (s->units - recorded_at >= RECORD_UNITS) {
            record_searched(s, p, d, searched);
            recorded_at = s->units;
        }
    }
    if ((s->stopped || over) && s->units - recorded_at >= RECORD_STOPPED) record_searched(s, p, d, searched);
    s->level--;
    return total;
}

/* Weights of few kinds: bound the classes in guesses by measured supersets, which s->plain keeps for all that follows. */
static void opener_tiers(search_t *s, int guess, int d) {
    search_t *u = s->plain;
    partition_t p;
    const arena_mark_t mark = plain_begin(s);
    int32_t *superset = split(u, u->start, guess, &p) < 0 ? NULL : (int32_t *)allocate(u, ((size_t)p.classes + 1) * sizeof *superset);
    if (superset) {
        int64_t total = opener_uncounted(u, guess, &p, superset, d);
        for (int i = p.classes - 1; i >= 0 && !u->stopped; i--) {
            const position_t *P = &p.position[i];
            const entry_t *known = superset[i] < 0 ? NULL : recall(u, position_key(u, P, FREE), P->n);
            if (superset[i] < 0 || (known && known->counted)) continue;
            total = opener_listed(u, guess, &p, i, total, &u->supersets->sets[superset[i]].list, d);
            remember(u, position_key(u, P, FREE), p.low[i], 0, 0, NO_GUESS, p.counted[i], P->n);
        }
    }
    plain_end(s, mark);
}

/* (cost, height) of the best tree that goes on with `guess`, a legal one: exact if cost < budget, else a lower bound; a
   lower bound, too, when the search stops before the end. d guesses are left. */
static int64_t opener_value(search_t *s, int guess, int d, int64_t budget, int *height) {
    const int left = guesses_after(d);
    partition_t p;
    if (d < 1) return COST_INF;
    if (split(s, s->start, guess, &p) < 0) return 0;
    int32_t *superset = (int32_t *)allocate(s, ((size_t)p.classes + 1) * sizeof *superset);
    if (!superset) return 0;
    /* Step 1: what needs no counting. */
    int64_t total = opener_uncounted(s, guess, &p, superset, left);
    /* Step 2: the count bound of the larger classes, by the guess lists of the sets that contain them. */
    for (int i = p.classes - 1; i >= 0 && total < budget; i--)
        if (superset[i] >= 0)
            total = opener_listed(s, guess, &p, i, total, &s->supersets->sets[superset[i]].list, left);
    if (opener_has_supersets(s)) {
        s->tally[SUPERSETS_NUMBER].asked++;
        s->tally[SUPERSETS_NUMBER].settled += total >= budget;
    }
    if (s->plain && total < budget && opener_has_supersets(s->plain)) opener_tiers(s, guess, left);
    if (s->stopped) return total;
    /* Step 3: the rest by the table and their members. */
    for (int i = 0; i < p.classes && total < budget; i++) {
        if (p.exact[i] || p.counted[i]) continue;
        const bound_t b = known_low(s, &p.position[i], left);
        if (s->stopped) return total;
        if (b.low >= COST_INF) return COST_INF;
        total = take_bound(&p, i, b, total);
    }
    if (total >= budget) return total;
    /* Step 4: count bounds, then search. */
    total = sum_count_bounds(s, &p, total, left, budget);
    if (budget < COST_INF) total = search_evenly(s, &p, total, left, budget);
    return finish_guess(s, &p, total, left, budget, height);
}

/* A lower bound of an opener's cost that needs no counting; 0 when memory runs out. */
static int64_t opener_quick_bound(search_t *s, int guess, int d) {
    partition_t p;
    if (split(s, s->start, guess, &p) < 0) return 0;
    int32_t *superset = (int32_t *)allocate(s, ((size_t)p.classes + 1) * sizeof *superset);
    return superset ? opener_uncounted(s, guess, &p, superset, guesses_after(d)) : 0;
}

#endif
