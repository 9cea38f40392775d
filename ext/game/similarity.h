/* Which answers are similar: counts are bounded by comparing each of a set with a few that are similar to it.

   An answer that repeats the feedback of another nearly always repeats that of a similar one. So n minus the
   repetitions found among a few earlier answers each is no less than the classes of a guess, and seldom more.

   Only earlier answers may be chosen: two that are each compared with the other would both count as repetitions. */
#ifndef OPTIMAL_GAME_SIMILARITY_H
#define OPTIMAL_GAME_SIMILARITY_H

#include "base/buckets.h"
#include "game/game.h"

#define SIMILARITY_MOST TUNED(640, 40) /* of larger sets few columns are settled by bounds */

/* A thread's scratch. */
typedef struct {
    uint16_t *agreements;  /* by answer */
    uint32_t *place, base; /* by answer: base + its place in the set chosen from last, or less */
    uint16_t own[SIMILAR_LISTED];
} similarity_t;

static void similarity_init(similarity_t *l, arena_t *a, size_t answers) {
    l->agreements = (uint16_t *)arena_alloc(a, answers * sizeof *l->agreements);
    l->place = (uint32_t *)arena_zeroed(a, answers, sizeof *l->place);
    l->base = 1;
}

/* How many answers each is compared with: the more there are, the more of them repeat one that is less like them. */
static inline int similar_kept(int n) {
    return n < 128 ? SIMILAR_FEW : n < 256 ? SIMILAR_SOME : SIMILAR_MANY;
}

/* The answers most similar to `a`, the most similar first: found when they are first asked for. Answers are similar on
   whose feedback many of the best guesses agree. */
static const uint16_t *most_similar(const game_t *g, similarity_t *l, int a) {
    uint16_t *out = g->most_similar + (size_t)a * SIMILAR_LISTED;
    if (OPTIMAL_IS_THERE(&g->similar_state[a])) return out;
    const int mine = OPTIMAL_CLAIM(&g->similar_state[a]);
    int begin[SAMPLE + 1] = {0};
    if (!mine) out = l->own; /* another thread is at it */
    agreements(g->sample, g->answers, g->sample + (size_t)a * SAMPLE, SAMPLE, l->agreements);
    for (int b = 0; b < g->answers; b++) begin[l->agreements[b]] += b != a;
    bucket_starts(begin, SAMPLE);
    for (int b = 0; b < g->answers; b++)
        if (b != a && begin[l->agreements[b]] < SIMILAR_LISTED) out[begin[l->agreements[b]]++] = (uint16_t)b;
    if (mine) OPTIMAL_PUBLISH(&g->similar_state[a]);
    return out;
}

/* Choose for each of B the earlier ones that it is compared with; `at` is room for n * SIMILAR_MANY. */
static similar_t choose_similar(const game_t *g, similarity_t *l, const int32_t *B, int n, uint16_t *at) {
    const similar_t similar = {at, similar_kept(n)};
    const int listed = g->answers - 1 < SIMILAR_LISTED ? g->answers - 1 : SIMILAR_LISTED;
    if (l->base > UINT32_MAX - (uint32_t)n) { /* all places have been used: begin again */
        memset(l->place, 0, (size_t)g->answers * sizeof *l->place);
        l->base = 1;
    }
    for (int i = 0; i < n; i++) l->place[B[i]] = l->base + (uint32_t)i;
    for (int i = 0; i < n; i++) {
        const int want = i < similar.kept ? i : similar.kept;
        const uint16_t *list = most_similar(g, l, B[i]);
        uint16_t *to = at + (size_t)i * (size_t)similar.kept;
        int found = 0;
        for (int j = 0; j < listed && found < want; j++) {
            const uint32_t place = l->place[list[j]] - l->base; /* wraps to more than n for answers outside B */
            if (place < (uint32_t)i) to[found++] = (uint16_t)place;
        }
        for (int j = i - 1; found < want; j--) { /* any will do */
            int known = 0;
            for (int k = 0; k < found; k++) known |= to[k] == j;
            if (!known) to[found++] = (uint16_t)j;
        }
    }
    l->base += (uint32_t)n;
    return similar;
}

#endif
