/* What a key of some items costs at least: by their number, and by their weights.

   By number: one question is charged for all n groups and leaves parts, of which the most even split that a question
   allows costs least over a convex function; so the bound is a recursion over n on the lower convex hull, for every
   limit of questions, and without one. By weights: Huffman's trees (1952), and layers, those that weigh w or more being
   told apart at each unit of w. All of it speaks of one representative a group, or of a group's items taken together;
   docs/explanation/proofs.md has the proofs. */
#ifndef OPTIMAL_IDENTIFY_KEY_BOUNDS_H
#define OPTIMAL_IDENTIFY_KEY_BOUNDS_H

#include "identify/key_frame.h"

#define LAYERS_MOST 48  /* limits beyond that are taken for none, */
#define LAYERS_WORK ((int64_t)1 << TUNED(25, 10)) /* and sooner where a frame has many items and profiles of questions: a second */
#define HULL_SCALE 8  /* bits after the point, of the lower hull */
#define PAIRS_SCALE 20  /* bits after the point, of what a pair is charged */

/* The lower hull of a function on 0, 1, ..: points in their order, each slope above the one before. */
typedef struct {
    int32_t *x;
    int64_t *y;
    int many;
} hull_t;

static void hull_add(hull_t *h, int32_t x, int64_t y) {
    while (h->many >= 2) {
        const int32_t x1 = h->x[h->many - 1], x0 = h->x[h->many - 2];
        const int64_t y1 = h->y[h->many - 1], y0 = h->y[h->many - 2];
        /* Keep the last point while it is below the line from the one before to the new one. */
        if ((y1 - y0) * (x - x0) < (y - y0) * (x1 - x0)) break;
        h->many--;
    }
    h->x[h->many] = x;
    h->y[h->many++] = y;
}

/* Its value at x, rounded down, in units of 1 / 2^HULL_SCALE. */
static int64_t hull_at(const hull_t *h, int32_t x) {
    int low = 0, high = h->many - 1;
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (h->x[middle] <= x) low = middle;
        else high = middle - 1;
    }
    if (h->x[low] == x) return h->y[low] * (1 << HULL_SCALE);
    const int64_t rise = h->y[low + 1] - h->y[low], run = h->x[low + 1] - h->x[low];
    return h->y[low] * (1 << HULL_SCALE) + (rise * (x - h->x[low]) * (1 << HULL_SCALE)) / run;
}

/* The least of n items under a question of one profile: the most even split that it allows, which over a convex
   function costs least: no part is larger than all but `off`, and there are `replies` at most. */
static int64_t split_least(const hull_t *h, int n, int replies, int off, int cap) {
    int rest = n, parts = replies;
    int64_t sum = 0;
    if (n - off > (n + replies - 1) / replies) {
        if (n - off > cap) return COST_INF;
        sum = hull_at(h, n - off);
        rest = off;
        parts = replies - 1;
    }
    const int part = rest / parts, larger = rest % parts;
    if (part + (larger > 0) > cap) return COST_INF;
    if (part > 0) sum += (parts - larger) * hull_at(h, part);
    if (larger) sum += larger * hull_at(h, part + 1);
    return (sum + (1 << HULL_SCALE) - 1) >> HULL_SCALE;
}

/* What questions of a frame can do: those that no other dominates. */
typedef struct {
    int64_t cost;
    int replies, off;
} profile_t;

static int profiles_of(const key_frame_t *f, profile_t *out) {
    int many = 0;
    for (int c = 0; c < f->columns; c++) {
        const profile_t s = {f->column[c].cost, f->column[c].replies, f->column[c].off};
        int i = 0, kept = 0, beaten = 0;
        for (; i < many && !beaten; i++) beaten = out[i].cost <= s.cost && out[i].replies >= s.replies && out[i].off >= s.off;
        if (beaten) continue;
        for (i = 0; i < many; i++)
            if (out[i].cost < s.cost || out[i].replies > s.replies || out[i].off > s.off) out[kept++] = out[i];
        out[kept++] = s;
        many = kept;
    }
    return many;
}

/* Fill f->fits: the fewest questions on a path of any key of 0 .. n groups. d questions can tell apart at most
   `replies` times as many as d - 1, or `off` more. */
static inline void fewest_questions(key_frame_t *f, const profile_t *profile, int profiles, int n) {
    int64_t told = 1;
    int filled = 1;
    f->fits[0] = f->fits[1] = 0;
    for (int d = 1; filled < n && profiles; d++) {
        int64_t more = 0;
        for (int i = 0; i < profiles; i++) {
            const int64_t all = profile[i].replies * told, most = all < told + profile[i].off ? all : told + profile[i].off;
            if (most > more) more = most;
        }
        told = more;
        while (filled < n && filled < told) f->fits[++filled] = d;
    }
}

/* How far costs are shifted down: the hull multiplies costs of n by n, so costs too large for that are counted in
   larger units, rounded down. */
static inline int cost_shift(const profile_t *profile, int profiles, size_t room) {
    int64_t most = 0;
    int down = 0;
    for (int i = 0; i < profiles; i++) most = profile[i].cost > most ? profile[i].cost : most;
    while ((most >> down) >= ((int64_t)1 << (61 - HULL_SCALE)) / ((int64_t)room * (int64_t)room * (int64_t)room)) {
        if (!(most >> down)) break;
        down++;
    }
    return down;
}

/* The least cost of m groups whose first question has one of these profiles, over a hull for parts of at most `cap`
   groups. */
static inline int64_t least_question(const hull_t *h, const profile_t *profile, int profiles, int m, int cap) {
    int64_t least = COST_INF;
    for (int i = 0; i < profiles; i++) {
        const int64_t parts = split_least(h, m, profile[i].replies, profile[i].off, cap);
        if (parts < COST_INF && parts + (int64_t)m * profile[i].cost < least) least = parts + (int64_t)m * profile[i].cost;
    }
    return least;
}

/* Fill in the layers of a frame: least[d][n] for n groups within d questions. One question is charged `cost` for each
   of the n that it is asked for, and leaves parts: on a part of the frame no question has more replies, nor more
   items outside its largest class, than on the frame. Returns -1 where memory runs out. */
static int key_frame_bound(arena_t *a, key_frame_t *f, int groups, int limit) {
    const int n = groups;
    const size_t room = (size_t)f->items + 1;
    profile_t *profile = (profile_t *)arena_alloc(a, ((size_t)f->columns + 1) * sizeof *profile);
    if (!profile) return -1;
    const int profiles = profiles_of(f, profile);
    const int64_t layers = LAYERS_WORK / ((int64_t)room * (profiles + 1));
    int deep = limit <= LAYERS_MOST ? limit : 0;
    if (deep > layers) deep = (int)layers;
    int64_t *least = (int64_t *)arena_alloc(a, ((size_t)deep + 2) * room * sizeof *least);
    hull_t h = {(int32_t *)arena_alloc(a, room * sizeof *h.x), (int64_t *)arena_alloc(a, room * sizeof *h.y), 0};
    f->fits = (int32_t *)arena_alloc(a, room * sizeof *f->fits);
    if (!least || !h.x || !h.y || !f->fits) return -1;
    fewest_questions(f, profile, profiles, n);
    const int down = cost_shift(profile, profiles, room);
    for (int i = 0; i < profiles; i++) profile[i].cost >>= down;
    f->layers = 0;
    f->least = least;
    for (size_t i = 0; i < room; i++) least[i] = i < 2 ? 0 : COST_INF;
    for (int d = 1; d <= deep; d++) {
        const int64_t *before = least + (size_t)(d - 1) * room;
        int64_t *now = least + (size_t)d * room;
        int cap = 0, changed = 0;
        h.many = 0;
        for (int m = 0; m <= n && before[m] < COST_INF; m++) hull_add(&h, cap = m, before[m]);
        for (size_t m = 0; m < room; m++) {
            now[m] = m < 2 ? 0 : (int)m <= n ? least_question(&h, profile, profiles, (int)m, cap) : COST_INF;
            changed |= now[m] != before[m];
        }
        f->layers = d;
        if (!changed) break;
    }
    /* Without a limit: the same, from smaller numbers to larger. */
    int64_t *free_least = least + (size_t)(f->layers + 1) * room;
    h.many = 0;
    for (size_t m = 0; m < room; m++) {
        free_least[m] = m < 2 ? 0 : (int)m <= n ? least_question(&h, profile, profiles, (int)m, (int)m - 1) : COST_INF;
        if ((int)m <= n) hull_add(&h, (int32_t)m, free_least[m] < COST_INF ? free_least[m] : 0);
    }
    f->layers++;
    /* Where nearly all weighs nothing, so many that each count 1 may cost more than any key: finite all the same. */
    const int64_t costliest = (COST_INF - 1) >> down;
    for (size_t i = 0; i < (size_t)(f->layers + 1) * room; i++)
        if (least[i] < COST_INF) least[i] = (least[i] < costliest ? least[i] : costliest) * ((int64_t)1 << down);
    return 0;
}

/* The layer for so many questions left. */
static inline const int64_t *key_frame_least(const key_frame_t *f, int d) {
    return f->least + (size_t)(d < f->layers ? d : f->layers) * ((size_t)f->items + 1);
}

/* The least sum over inner nodes of the weight below them, of any tree of so many branches a node over these leaves
   (Huffman): the weights are given in rising order, `joined` has room for as many. */
static int64_t huffman(const int64_t *weight, int n, int branches, int64_t *joined) {
    if (n < 2) return 0;
    int at = 0, head = 0, tail = 0, left = n, take = (n - 1) % (branches - 1);
    int64_t sum = 0;
    take = take ? take + 1 : branches;
    if (take > n) take = n;
    while (left > 1) {
        int64_t both = 0;
        for (int i = 0; i < take; i++) {
            if (head < tail && (at >= n || joined[head] < weight[at])) both += joined[head++];
            else both += weight[at++];
        }
        sum += both;
        joined[tail++] = both;
        left -= take - 1;
        take = branches;
    }
    return sum;
}

/* Weights in rising order, taken as layers: those that weigh w or more are told apart at each unit of w. COST_INF and
   more would be beyond any key: then none keeps to the limit of the layer. */
static int64_t by_layers(const int64_t *weight, int n, const int64_t *least) {
    int64_t sum = 0, before = 0;
    for (int i = 0; i < n && n - i > 1; i++) {
        if (weight[i] == before) continue;
        sum = cost_add(sum, cost_times(weight[i] - before, least[n - i]));
        before = weight[i];
    }
    return sum;
}

/* Weights into rising order. */
static void weights_rise(int64_t *w, int n) {
    int gap = 1;
    while (gap < n / 3) gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3)
        for (int i = gap; i < n; i++) {
            const int64_t x = w[i];
            int j = i;
            for (; j >= gap && w[j - gap] > x; j -= gap) w[j] = w[j - gap];
            w[j] = x;
        }
}

#endif
