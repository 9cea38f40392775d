/* When a key may end at a state, and what it costs at least from there.

   It may end where no replies to the questions left can exclude a group. Of objects that are groups of their own this
   is so where all have the same cells in them.

   At least: take one form of each object, by chance; what a key costs is the mean, over these choices, of what it costs
   for the forms chosen with all their objects' shares. Those of the kept objects of different groups are told apart
   whatever is chosen (share_table.h), so each choice costs as much as Huffman's tree (1952) over the shares, a group's
   taken together, of as many branches as a question left has replies, times the cheapest question.

   An object whose forms are all forms of another, its cover, never parts from it: so a key ends there only once all
   questions are asked in whose cells they differ. Each of its forms pays for these. */
#ifndef OPTIMAL_SHARES_SHARE_BOUNDS_H
#define OPTIMAL_SHARES_SHARE_BOUNDS_H

#include "shares/share_table.h"

/* What questions left of a state can do. */
typedef struct {
    int64_t cheapest;
    int branches;
} share_profile_t;

/* Clear the stamps of all groups. */
static inline void share_stamps(share_search_t *s) {
    if (++s->now < INT32_MAX) return;
    memset(s->stamp, 0, ((size_t)s->table->objects + 1) * sizeof *s->stamp);
    s->now = 1;
}

static inline int share_groups(share_search_t *s, const share_set_t *S) {
    int groups = 0;
    if (s->table->single) return S->n;
    share_stamps(s);
    for (int i = 0; i < S->n; i++) {
        int32_t *stamp = s->stamp + s->table->group[S->object[i]];
        if (*stamp != s->now) *stamp = s->now, groups++;
    }
    return groups;
}

/* Whether no replies to the questions from `at` on can exclude a group: all forms are gone through, question by
   question, where groups have several objects. */
static int share_settled(share_search_t *s, const share_set_t *S, const int32_t *left, int many) {
    const share_table_t *t = s->table;
    const int groups = share_groups(s, S);
    if (groups < 2) return 1;
    while (many && !cells_differ(t, *left, S)) left++, many--;
    if (!many) return 1;
    if (t->single || s->stopped) return 0;
    const arena_mark_t mark = arena_mark(&s->arena);
    const size_t room = (size_t)share_room(t, *left, S);
    share_set_t *out = (share_set_t *)allocate(s, room * sizeof *out);
    int32_t *object = (int32_t *)allocate(s, room * sizeof *object);
    int64_t *share = (int64_t *)allocate(s, room * sizeof *share);
    int settled = out && object && share;
    const int states = settled ? share_split(s, *left, S, out, object, share) : 0;
    for (int c = 0; c < states && settled; c++) settled = share_groups(s, out + c) == groups;
    for (int c = 0; c < states && settled; c++) settled = share_settled(s, out + c, left + 1, many - 1);
    arena_release(&s->arena, mark);
    return settled;
}

/* What is still to be paid on the way of an object for its covers, which are left wherever it is. */
static int64_t share_covered(const share_search_t *s, int object) {
    const share_table_t *t = s->table;
    int64_t most = 0;
    for (int c = t->cover_at[object]; c < t->cover_at[object + 1]; c++) {
        int64_t paid = t->cover_cost[c];
        for (int d = 0; d < s->depth; d++) {
            const uint16_t *cell = t->cell + (size_t)s->asked[d] * (size_t)t->objects;
            if (cell[object] != cell[t->cover[c]]) paid -= t->costs[s->asked[d]];
        }
        if (paid > most) most = paid;
    }
    return most;
}

/* A lower bound by covers, and by Huffman's tree for the objects that have none. */
static int64_t share_bound_by_covers(share_search_t *s, const share_set_t *S, share_profile_t profile) {
    const share_table_t *t = s->table;
    int64_t sum = 0;
    int n = 0;
    for (int i = 0; i < S->n; i++) {
        const int64_t paid = share_covered(s, S->object[i]);
        if (paid) sum += S->share[i] * paid;
        else if (t->kept[S->object[i]]) s->sums[n++] = S->share[i];
    }
    share_work(s, 2 * S->n);
    return sum + (n < 2 ? 0 : huffman(s->sums, n, profile.branches, s->joined) * profile.cheapest);
}

/* A lower bound of a state; with `all` objects an estimate, as if none shared a form with another. */
static int64_t share_bound(share_search_t *s, const share_set_t *S, share_profile_t profile, int all) {
    const share_table_t *t = s->table;
    int n = 0;
    if (t->single) {
        for (int i = 0; i < S->n; i++)
            if (all || t->kept[S->object[i]]) s->sums[n++] = S->share[i];
    } else {
        /* Places of groups stand in `start`, under the stamps. */
        share_stamps(s);
        for (int i = 0; i < S->n; i++) {
            const int32_t group = t->group[S->object[i]];
            if (!all && !t->kept[S->object[i]]) continue;
            if (s->stamp[group] != s->now) {
                s->stamp[group] = s->now;
                s->start[group] = n;
                s->sums[n++] = 0;
            }
            s->sums[s->start[group]] += S->share[i];
        }
        weights_rise(s->sums, n);
    }
    share_work(s, n);
    const int64_t low = n < 2 ? 0 : huffman(s->sums, n, profile.branches, s->joined) * profile.cheapest;
    if (!t->cover_at[t->objects]) return low;
    const int64_t other = share_bound_by_covers(s, S, profile);
    return other > low ? other : low;
}

#endif
