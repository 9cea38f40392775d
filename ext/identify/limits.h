/* What a key must keep to, and the one rule by which bounds pass between limits.

   Keys within narrow limits are some of those within wider ones. So a lower bound holds within narrower limits, and
   never within wider ones; a value holds within narrower ones if its key keeps to them. */
#ifndef OPTIMAL_IDENTIFY_LIMITS_H
#define OPTIMAL_IDENTIFY_LIMITS_H

#include "base/costs.h"

/* What a key of a set keeps to: the questions left on a path, and what they may cost. */
typedef struct {
    int left;
    int64_t cost_left;
} limits_t;

/* The limits of a set of n items. Every question of a least key splits its set, so n - 1 of them are no limit. */
static inline limits_t limits_of(int n, limits_t of) {
    if (of.left >= n - 1) of.left = FREE;
    return of;
}

/* What is left after a question of this cost. */
static inline limits_t limits_after(limits_t of, int64_t cost) {
    if (of.left < FREE) of.left--;
    if (of.cost_left < COST_INF) of.cost_left -= cost;
    return of;
}

/* What is proven of a set within some limits, asked within others. The one rule by which values and bounds pass from
   one question to another: keys within narrow limits are some of those within wider ones, so a lower bound holds
   within narrower limits, and never within wider ones; and a value holds there if its key keeps to them, which is
   known from the key's height, but not of what its paths cost. */
enum { PROVES_NOTHING, PROVES_BOUND, PROVES_VALUE };
static inline int proves(limits_t of, int exact, int height, limits_t asked) {
    if (of.left < asked.left || of.cost_left < asked.cost_left) return PROVES_NOTHING;
    return exact && height <= asked.left && of.cost_left == asked.cost_left ? PROVES_VALUE : PROVES_BOUND;
}

static const limits_t unlimited = {FREE, COST_INF};

#endif
