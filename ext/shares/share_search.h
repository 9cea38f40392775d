/* The search for the least key of a table whose forms aren't written out: branch and bound over states, the question of
   least bound first; and keys built from what it found.

   It keeps the promise of all searches here: a value below the budget is exact (or, where shares were rounded down, a
   lower bound), any other a lower bound. What a state costs is stored for the shares that its objects would have had
   without the questions to which all of them reply alike, and varying: so it holds on every path to the state. */
#ifndef OPTIMAL_SHARES_SHARE_SEARCH_H
#define OPTIMAL_SHARES_SHARE_SEARCH_H

#include "shares/share_bounds.h"

#define SHARE_NODES ((size_t)1 << 20) /* numbers of a key at most, as its file has them */

typedef struct {
    int64_t low, seems; /* no key that begins with the question costs less; what one may cost */
    int32_t question, largest;
} share_choice_t;

static inline int share_sooner(const share_search_t *s, const share_choice_t *a, const share_choice_t *b) {
    if (!s->width && a->low != b->low) return a->low < b->low;
    if (a->seems != b->seems) return a->seems < b->seems;
    if (a->largest != b->largest) return a->largest < b->largest;
    return a->question < b->question;
}

static inline int share_beam(const share_search_t *s, int n) {
    return s->width && n > s->solved;
}

/* The key of a state, by what was asked before it: of that only counts what its objects reply to differently. What all
   reply alike, in several ways, has divided their shares, by *factor in all. */
static key128 share_key(const share_search_t *s, const share_set_t *S, int64_t *factor) {
    const share_table_t *t = s->table;
    key128 key = {0, 0};
    *factor = 1;
    for (int i = 0; i < S->n; i++) {
        key.lo += t->word[S->object[i]].lo;
        key.hi += t->word[S->object[i]].hi;
    }
    for (int d = 0; d < s->depth; d++) {
        if (cells_differ(t, s->asked[d], S)) {
            key.lo += t->word[t->objects + s->asked[d]].lo;
            key.hi += t->word[t->objects + s->asked[d]].hi;
        } else {
            int many;
            cell_replies(t, s->asked[d], S->object[0], &many);
            *factor *= many;
        }
    }
    if (share_beam(s, S->n)) {
        uint64_t salt = s->salt;
        key.lo += splitmix64(&salt);
        key.hi += splitmix64(&salt);
    }
    return key;
}

/* What is stored of a state: its value or a bound, and whether that is its value. */
static inline const entry_t *share_recall(share_search_t *s, const share_set_t *S, int64_t *value) {
    int64_t factor;
    const key128 key = share_key(s, S, &factor);
    const entry_t *e = values_find(&s->values, key);
    if (e) *value = e->value >= COST_INF ? COST_INF : e->value / factor;
    return e;
}

static inline void share_remember(share_search_t *s, const share_set_t *S, int64_t value, int exact, int question) {
    int64_t factor;
    const key128 key = share_key(s, S, &factor);
    values_store(&s->values, key, cost_times(value, factor), exact, 0, question < 0 ? NO_GUESS : question, 0, S->n);
}

/* The questions of `from` that may be asked of a state, and what they can do. */
static int share_questions(share_search_t *s, const share_set_t *S, const int32_t *from, int many, int32_t *out, share_profile_t *profile) {
    const share_table_t *t = s->table;
    const int last = s->depth ? s->asked[s->depth - 1] : -1;
    int left = 0;
    *profile = (share_profile_t){COST_INF, 2};
    for (int i = 0; i < many; i++) {
        if (from[i] == last || !cells_differ(t, from[i], S)) continue;
        out[left++] = from[i];
        if (t->costs[from[i]] < profile->cheapest) profile->cheapest = t->costs[from[i]];
        if (t->replies[from[i]] > profile->branches) profile->branches = t->replies[from[i]];
    }
    share_work(s, many);
    return left;
}

static int64_t share_value(share_search_t *s, const share_set_t *S, const int32_t *from, int many, int64_t low, int64_t budget, int *exact);

/* What a state costs where this question comes first: exact below the budget. `left` are the questions that may follow. */
static int64_t share_first(share_search_t *s, const share_set_t *S, int question, const int32_t *left, int many, share_profile_t profile,
                           int64_t budget, int *exact) {
    const share_table_t *t = s->table;
    const arena_mark_t mark = arena_mark(&s->arena);
    const size_t room = (size_t)share_room(t, question, S);
    share_set_t *child = (share_set_t *)allocate(s, room * sizeof *child);
    int32_t *object = (int32_t *)allocate(s, room * sizeof *object);
    int64_t *share = (int64_t *)allocate(s, room * sizeof *share), *low = (int64_t *)allocate(s, room * sizeof *low);
    int64_t sum = t->costs[question] * S->weight;
    *exact = 0;
    if (child && object && share && low) {
        int states = share_split(s, question, S, child, object, share), open = 0;
        s->asked[s->depth++] = question;
        for (int c = 0; c < states; c++) {
            share_set_t now = child[c];
            int64_t known = 0, bound;
            if (one_group(t, &now)) continue;
            const entry_t *e = share_recall(s, &now, &known);
            if (e && e->exact) {
                sum = cost_add(sum, known);
                continue;
            }
            bound = share_bound(s, &now, profile, 0);
            if (known > bound) bound = known;
            sum = cost_add(sum, bound);
            /* Smaller states first: they are the cheapest to refute the question by. */
            int i = open++;
            for (; i > 0 && child[i - 1].n > now.n; i--) child[i] = child[i - 1], low[i] = low[i - 1];
            child[i] = now;
            low[i] = bound;
        }
        *exact = 1;
        for (int c = 0; c < open && sum < budget && !s->stopped; c++) {
            int settled;
            const int64_t value = share_value(s, child + c, left, many, low[c], budget - (sum - low[c]), &settled);
            sum = cost_add(sum - low[c], value);
        }
        s->depth--;
        if (s->stopped || sum >= budget) *exact = 0;
    }
    arena_release(&s->arena, mark);
    return sum;
}

/* What each question costs at least, and seems to; into rising order. */
static int share_list(share_search_t *s, const share_set_t *S, const int32_t *left, int many, share_profile_t profile, int64_t budget,
                      share_choice_t *choice, int64_t *floor) {
    const share_table_t *t = s->table;
    int choices = 0, dropped = 0;
    for (int i = 0; i < S->n && !dropped; i++) dropped = !t->kept[S->object[i]];
    for (int i = 0; i < many && !s->stopped; i++) {
        const arena_mark_t mark = arena_mark(&s->arena);
        const size_t room = (size_t)share_room(t, left[i], S);
        share_set_t *child = (share_set_t *)allocate(s, room * sizeof *child);
        int32_t *object = (int32_t *)allocate(s, room * sizeof *object);
        int64_t *share = (int64_t *)allocate(s, room * sizeof *share);
        if (child && object && share) {
            const int states = share_split(s, left[i], S, child, object, share);
            share_choice_t it = {t->costs[left[i]] * S->weight, 0, left[i], 0};
            it.seems = it.low;
            s->asked[s->depth++] = left[i]; /* bounds look at what was asked */
            for (int c = 0; c < states; c++) {
                if (child[c].n > it.largest) it.largest = child[c].n;
                if (child[c].n < 2) continue;
                const int64_t low = share_bound(s, child + c, profile, 0);
                it.low = cost_add(it.low, low);
                it.seems = cost_add(it.seems, dropped ? share_bound(s, child + c, profile, 1) : low);
            }
            s->depth--;
            if (it.low < budget) choice[choices++] = it;
            else if (it.low < *floor) *floor = it.low;
        }
        arena_release(&s->arena, mark);
    }
    for (int gap = choices / 2; gap > 0; gap /= 2)
        for (int i = gap; i < choices; i++) {
            const share_choice_t x = choice[i];
            int j = i;
            for (; j >= gap && share_sooner(s, &x, choice + j - gap); j -= gap) choice[j] = choice[j - gap];
            choice[j] = x;
        }
    return choices;
}

/* The value of a state: exact below the budget. `from` are the questions that may be left, `low` a bound of it. */
static int64_t share_value(share_search_t *s, const share_set_t *S, const int32_t *from, int many, int64_t low, int64_t budget, int *exact) {
    const arena_mark_t mark = arena_mark(&s->arena);
    share_profile_t profile;
    int32_t *left = (int32_t *)allocate(s, (size_t)many * sizeof *left);
    share_choice_t *choice = (share_choice_t *)allocate(s, (size_t)many * sizeof *choice);
    int64_t best = COST_INF, floor = COST_INF, known = 0;
    int question = -1;
    *exact = 0;
    if (!left || !choice || s->stopped) {
        arena_release(&s->arena, mark);
        return low;
    }
    s->nodes++;
    const entry_t *e = share_recall(s, S, &known);
    if (e && known > low) low = known;
    if (e && (e->exact || low >= budget)) {
        *exact = e->exact;
        arena_release(&s->arena, mark);
        return known > low ? known : low;
    }
    many = share_questions(s, S, from, many, left, &profile);
    if (share_settled(s, S, left, many)) {
        best = 0;
    } else if (!s->stopped) {
        const int64_t bound = share_bound(s, S, profile, 0), once = profile.cheapest * S->weight;
        if (bound > low) low = bound;
        if (once > low) low = once; /* something is asked */
        if (low < budget) {
            const int choices = share_list(s, S, left, many, profile, budget, choice, &floor);
            if (s->stopped) floor = 0; /* some questions are not listed */
            const int tried = share_beam(s, S->n) && s->width < choices ? s->width : choices;
            for (int i = 0; i < choices && !s->stopped; i++) {
                const int64_t cut = budget < best ? budget : best;
                int below;
                if (i >= tried || choice[i].low >= cut) continue; /* no better than the best; all are below the budget */
                const int64_t value = share_first(s, S, choice[i].question, left, many, profile, cut, &below);
                if (below && value < cut) best = value, question = choice[i].question;
                else if (value < floor) floor = value;
                if (s->stopped)
                    for (int k = i + 1; k < choices; k++)
                        if (choice[k].low < floor) floor = choice[k].low;
            }
        }
    }
    arena_release(&s->arena, mark);
    const int beam = share_beam(s, S->n);
    *exact = best < budget && !s->stopped;
    if (*exact) low = best;
    else if (low < budget) {
        const int64_t least = floor < best ? floor : best;
        /* A beam leaves questions out: that it found nothing below the budget is all that it knows. */
        if (beam) low = s->stopped ? low : budget;
        else if (least > low && least < COST_INF) low = least;
    }
    if (!s->stopped) share_remember(s, S, low, *exact, question);
    return low;
}

/* The state after these questions and replies; its memory is the arena's. Returns 0 where no object replies so. */
static int share_follow(share_search_t *s, const int32_t *question, const int32_t *code, int many, share_set_t *out) {
    *out = s->root;
    for (int i = 0; i < many; i++) {
        const size_t room = (size_t)share_room(s->table, question[i], out);
        share_set_t *child = (share_set_t *)allocate(s, room * sizeof *child), found = {0};
        int32_t *object = (int32_t *)allocate(s, room * sizeof *object);
        int64_t *share = (int64_t *)allocate(s, room * sizeof *share);
        if (!child || !object || !share) return 0;
        const int states = share_split(s, question[i], out, child, object, share);
        for (int c = 0; c < states; c++)
            if (child[c].code == code[i]) found = child[c];
        if (!found.n) return 0;
        *out = found;
        s->asked[s->depth++] = question[i];
    }
    return 1;
}

/* All questions that haven't been asked and may be, at a state. */
static int share_all(share_search_t *s, const share_set_t *S, int32_t *out, share_profile_t *profile) {
    int many = 0;
    for (int q = 0; q < s->table->questions; q++) {
        int asked = 0;
        for (int d = 0; d < s->depth; d++) asked |= s->asked[d] == q;
        if (!asked) out[many++] = q;
    }
    return share_questions(s, S, out, many, out, profile);
}

/* A key in the making: see build_key.h. */
typedef struct {
    int32_t *node;
    size_t nodes, room;
    int64_t total;
} share_built_t;

static inline int share_write(share_search_t *s, share_built_t *b, int32_t number) {
    if (b->nodes >= SHARE_NODES) return 0;
    if (b->nodes == b->room) {
        const size_t room = b->room ? 2 * b->room : 1024;
        int32_t *node = (int32_t *)checked_realloc(b->node, room * sizeof *node);
        if (!node) return s->arena.failed = s->stopped = 1, 0;
        b->node = node;
        b->room = room;
    }
    b->node[b->nodes++] = number;
    return 1;
}

static inline int share_by_code(const void *a, const void *b) {
    return ((const share_set_t *)a)->code - ((const share_set_t *)b)->code;
}

/* Build the key of a state, with this question first (-1: with what was found best). Returns 0 where that isn't known
   any more and can't be found again within the work, or the key has too many ends. */
static int share_build(share_search_t *s, const share_set_t *S, int question, share_built_t *b) {
    const share_table_t *t = s->table;
    const arena_mark_t mark = arena_mark(&s->arena);
    int32_t *left = (int32_t *)allocate(s, (size_t)t->questions * sizeof *left);
    share_profile_t profile;
    int done = 0, exact;
    if (!left) return 0;
    const int many = share_all(s, S, left, &profile);
    if (question < 0 && share_settled(s, S, left, many)) {
        done = share_write(s, b, -1);
    } else {
        for (int again = 0; question < 0 && again < 2 && !s->stopped; again++) {
            int64_t value;
            const entry_t *e = share_recall(s, S, &value);
            if (e && e->exact && e->guess != NO_GUESS) question = e->guess;
            else share_value(s, S, left, many, 0, COST_INF, &exact);
        }
        if (question >= 0 && !s->stopped) {
            const size_t room = (size_t)share_room(t, question, S);
            share_set_t *child = (share_set_t *)allocate(s, room * sizeof *child);
            int32_t *object = (int32_t *)allocate(s, room * sizeof *object);
            int64_t *share = (int64_t *)allocate(s, room * sizeof *share);
            if (child && object && share) {
                const int states = share_split(s, question, S, child, object, share);
                qsort(child, (size_t)states, sizeof *child, share_by_code);
                b->total += t->costs[question] * S->weight;
                s->asked[s->depth++] = question;
                done = share_write(s, b, question) && share_write(s, b, states);
                for (int c = 0; c < states && done; c++) done = share_write(s, b, child[c].code) && share_build(s, child + c, -1, b);
                s->depth--;
            }
        }
    }
    arena_release(&s->arena, mark);
    return done && !s->stopped;
}

/* Returns -1 when memory runs out; share_free must follow in any case. */
static int share_init(share_search_t *s, const share_table_t *t, size_t slots, size_t max_slots) {
    const size_t n = (size_t)t->objects + 1;
    arena_t *const a = &s->arena;
    s->table = t;
    s->work_left = -1;
    s->asked = (int32_t *)arena_alloc(a, ((size_t)t->questions + 1) * sizeof *s->asked);
    s->count = (int32_t *)arena_zeroed(a, 65536, sizeof *s->count);
    s->label = (uint16_t *)arena_alloc(a, 65536 * sizeof *s->label);
    s->start = (int32_t *)arena_zeroed(a, n, sizeof *s->start);
    s->stamp = (int32_t *)arena_zeroed(a, n, sizeof *s->stamp);
    s->sums = (int64_t *)arena_alloc(a, n * sizeof *s->sums);
    s->joined = (int64_t *)arena_alloc(a, n * sizeof *s->joined);
    s->root.object = (int32_t *)arena_alloc(a, n * sizeof *s->root.object);
    s->root.share = (int64_t *)arena_alloc(a, n * sizeof *s->root.share);
    if (a->failed || table_init(&s->values.own, slots, max_slots) < 0) return -1;
    s->root.n = t->objects;
    for (int i = 0; i < t->objects; i++) {
        s->root.object[i] = i;
        s->root.share[i] = t->weights[i];
        s->root.weight += t->weights[i];
    }
    shares_rise(&s->root);
    s->ground = arena_mark(a);
    return 0;
}

static void share_free(share_search_t *s) {
    arena_free(&s->arena);
    table_free(&s->values.own);
}

/* End of a call: see identify_done. */
static int share_done(share_search_t *s) {
    const int end = s->arena.failed ? OUT_OF_MEMORY : s->stopped ? STOPPED : DONE;
    s->stopped = s->arena.failed = s->width = s->solved = s->depth = 0;
    s->salt = 0;
    s->work_left = -1;
    arena_release(&s->arena, s->ground);
    if (end == OUT_OF_MEMORY) arena_trim(&s->arena);
    return end;
}

#endif
