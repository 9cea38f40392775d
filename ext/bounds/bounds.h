/* Bounds of one position: from the table, and by counting. A bound may turn out to be the value on the way.

   A guess finds at most one answer at once, and by the next guess at most one answer of each other class. So with
   unit costs n answers cost 3n - K at least, K the most classes of a legal guess, a member counting one more; with
   other costs the same argument gives the bounds of costs.h. No guess has more classes on a subset than on the set:
   so counts pass down.

   What is stored without a limit must hold without one: bounds that used the limit are stored with it. */
#ifndef OPTIMAL_BOUNDS_BOUNDS_H
#define OPTIMAL_BOUNDS_BOUNDS_H

#include "bounds/most_classes.h"
#include "bounds/families.h"
#include "game/partition.h"
#include "bounds/size_bounds.h"

#define HEAVIEST_MOST TUNED(16, 5) /* a heaviest member seldom splits a larger set into singletons */
#define MEMBERS_MOST TUNED(24, 5)  /* nor does any member: larger sets are seldom settled so, and take long to ask */

/* Sums of the heaviest weights of P, where answers weigh differently, from the arena; -1 when memory runs out. */
static int sort_weights(search_t *s, const position_t *P, weights_t *w) {
    *w = cost_weigh(&s->costs, P->answers, P->n);
    if (s->costs.uniform) return 0;
    int64_t *top = (int64_t *)allocate(s, (size_t)(P->n + 1) * sizeof *top);
    if (!top) return -1;
    top[0] = 0;
    for (int i = 0; i < P->n; i++) top[i + 1] = cost_weight(&s->costs, P->answers[i]);
    qsort(top + 1, (size_t)P->n, sizeof *top, heavier_first);
    for (int i = 0; i < P->n; i++) top[i + 1] += top[i];
    w->top = top;
    count_work(s, 16 * (int64_t)P->n);
    return 0;
}

/* The most that a tree can cost that finds all of P within d guesses: d for each answer, late ones charged once.
   Without a limit more than any tree costs, and less than COST_INF. */
static int64_t costliest_tree(const search_t *s, const position_t *P, int d) {
    if (d >= FREE || !(s->switches & CEILING)) return s->costs.unit ? COST_INF >> 1 : COST_INF - 1;
    if (s->costs.unit) return (int64_t)P->n * d;
    const int64_t weight = cost_weigh(&s->costs, P->answers, P->n).total;
    if (s->costs.by < P->depth || s->costs.by >= P->depth + d) return weight * d;
    return cost_add(weight * (d - 1), cost_charge(&s->costs, weight, s->costs.by));
}

/* Whether one of the heaviest members splits all others into singletons. */
static int heaviest_splits(search_t *s, const position_t *P) {
    const int64_t heaviest = cost_weigh(&s->costs, P->answers, P->n).heaviest;
    uint16_t counts[BLOCK];
    for (int from = 0; from < P->n && !s->stopped; from += BLOCK) {
        const int m = P->n - from < BLOCK ? P->n - from : BLOCK;
        count_members(s, P->answers + from, m, P->answers, P->n, counts);
        if (s->stopped) break;
        for (int j = 0; j < m; j++)
            if (counts[j] == P->n && cost_weight(&s->costs, P->answers[from + j]) == heaviest) return 1;
    }
    return 0;
}

/* The value of P, n >= 3, d >= 2, where a member with k classes, the most of any, settles it; else -1, and so where k
   is UNPROVEN.

   A member (one of the heaviest) that splits P into singletons attains the trivial bound. With unit costs that can be
   reached in no other way, so if there is none V >= 2n: and a member that leaves one pair and singletons costs just
   that, the pair's second guess being the third. */
static int64_t value_by_members(search_t *s, const position_t *P, int d, int k, int *height) {
    if (!(s->switches & SPLITS)) return -1;
    tally_t *tally = &s->tally[SPLITS_NUMBER];
    tally->asked++;
    tally->settled++;
    if (k == P->n && (s->costs.uniform || heaviest_splits(s, P))) {
        *height = 2;
        return cost_trivial(&s->costs, P->answers, P->n, d, P->depth);
    }
    if (k == P->n - 1 && d >= 3 && s->costs.unit) {
        *height = 3;
        return 2 * (int64_t)P->n;
    }
    tally->settled--;
    return -1;
}

/* Lower bounds of a position, or its value. They hold, whatever stopped the search that found them. */
typedef struct {
    int64_t low;
    int exact;    /* low is the value */
    int height;   /* of the tree found, where exact */
    int counted;  /* low is no less than the count bound over the legal guesses */
} bound_t;

/* Adopt what is stored without a limit, or for d guesses left: a value without a limit bounds the one within a limit,
   and is the same if its tree is low enough. */
static inline void adopt_entry(bound_t *b, const entry_t *e, int d) {
    if (!e) return;
    b->exact = e->exact && e->height <= d;
    b->height = e->height;
    b->counted |= e->counted;
    if (b->exact || e->value > b->low) b->low = e->value;
}

/* The table bound of V(P, d), n >= 3: from the table, and from the candidates alone. */
static bound_t table_bound(search_t *s, const position_t *P, int d) {
    const int n = P->n;
    bound_t b = {COST_INF, 1, 0, 0};
    if (d < 2) return b;
    if (cost_is_trivial(&s->costs, P->depth)) {
        b.low = cost_trivial(&s->costs, P->answers, n, d, P->depth);
        b.height = 2;
        return b;
    }
    int most = UNPROVEN; /* the most classes of a member, where that was asked */
    if (s->switches & SPLITS && (s->costs.unit ? n <= P->split_most && n <= MEMBERS_MOST : n <= HEAVIEST_MOST)) {
        most = best_member(s, P);
        const int64_t v = value_by_members(s, P, d, most, &b.height);
        if (v >= 0) {
            b.low = v;
            return b;
        }
    }
    b.exact = 0;
    b.low = size_bound(s, n, d, P->split_most);
    adopt_entry(&b, recall(s, position_key(s, P, FREE), n), d);
    if (!b.exact && d < n) adopt_entry(&b, recall(s, position_key(s, P, d), n), d);
    if (b.exact) return b;
    if (b.low >= COST_INF) {
        b.exact = 1;
        return b;
    }
    /* 2n - 1 takes a member that splits P into singletons. */
    const int unsplit = most >= 0 || (s->switches & SPLITS && n > P->split_most);
    const int64_t trivial = s->costs.unit ? 2 * (int64_t)n - 1 + unsplit
                                          : cost_trivial(&s->costs, P->answers, n, d, P->depth);
    if (trivial > b.low) b.low = trivial;
    return b;
}

/* A lower bound of a class of P with this key and n >= 3 answers, d guesses left: what table_bound says as far as it
   needs nothing but look-ups. Unit costs. */
static int64_t known_bound(search_t *s, const position_t *P, key128 set, int n, int d) {
    int64_t low = 0;
    if (s->switches & SPLITS) {
        const int k = s->switches & TABLE && n <= MEMBERS_MOST && n <= P->split_most ? memo_find(&s->member_memo, set) : 0;
        if (k || n > P->split_most) low = 2 * (int64_t)n - (k == n);
    }
    if (s->game->rules == NORMAL) { /* else the table asks for more than the set */
        const entry_t *e;
        position_t q = {0};
        q.n = n;
        q.set = set;
        q.depth = P->depth + 1;
        if ((e = recall(s, position_key(s, &q, FREE), n)) != NULL && e->value > low) low = e->value;
        if (d < n && (e = recall(s, position_key(s, &q, d), n)) != NULL && e->value > low) low = e->value;
    }
    return low;
}

/* The least count bound of P's members; with weights that differ, of `counts` classes each. */
static int64_t members_bound(const search_t *s, const position_t *P, const weights_t *w, int k,
                             const uint16_t *counts) {
    if (s->costs.uniform) return cost_guess_member(&s->costs, w, P->depth, k, s->costs.each);
    int64_t low = COST_INF;
    for (int i = 0; i < P->n; i++) {
        const int64_t v =
            cost_guess_member(&s->costs, w, P->depth, counts[i], cost_weight(&s->costs, P->answers[i]));
        if (v < low) low = v;
    }
    return low;
}

/* The greatest class count, 0 .. n, with which guesses from outside cost `need` or more by their count bound. */
static int outside_refuted(const search_t *s, const position_t *P, const weights_t *w, int64_t need) {
    int most = P->n;
    while (most > 0 && cost_guess_outside(&s->costs, w, P->depth, most) < need) most--;
    return most;
}

/* The greatest class count of guesses from outside that needn't be counted: such guesses leave the count bound of P, or
   its bound by size, at `budget` or at `members`, what its members cost at least. */
static int needless_classes(const search_t *s, const position_t *P, const weights_t *w, int d, int k, int64_t members,
                            int64_t budget) {
    if (s->costs.unit) return refuted_classes(s, P->n, d, k, budget);
    return outside_refuted(s, P, w, members < budget ? members : budget);
}

/* What counting tells of P, n >= 3: guesses from outside make `most` classes, or at most `uncounted` where they weren't
   counted; its members cost `members` at least. */
static bound_t counted_bound(const search_t *s, const position_t *P, const weights_t *w, int d, int64_t members,
                             int most, int uncounted) {
    const int n = P->n;
    if (s->switches & SPLITS && s->costs.unit && (most == n || d == 2)) {
        /* No member splits P: a guess from outside that does costs 2n, the least value left; and two guesses are enough
           for nothing else. */
        const bound_t settled = {most == n ? 2 * (int64_t)n : COST_INF, 1, 2, 1};
        return settled;
    }
    const int64_t outside = cost_guess_outside(&s->costs, w, P->depth, most > uncounted ? most : uncounted);
    const bound_t b = {members < outside ? members : outside, 0, 0, most >= uncounted || outside >= members};
    return b;
}

/* Keep the count bound of V(P, d), and the bound by size of guesses that make so many classes at most. */
static void keep_count_bound(search_t *s, const position_t *P, int d, int most, bound_t *b) {
    const int n = P->n;
    remember(s, position_key(s, P, FREE), b->low, 0, 0, NO_GUESS, b->counted, n);
    const int64_t within = size_bound(s, n, d, most);
    if (within > b->low) {
        b->low = within;
        b->exact = within >= COST_INF;
        if (d < n) remember(s, position_key(s, P, d), within, b->exact, 0, NO_GUESS, b->counted, n);
    }
}

/* Whether d guesses may tell P's families apart; if not, it has no tree. */
static int families_allow(search_t *s, const position_t *P, int d) {
    if (family_fits(s, P, d)) return 1;
    remember(s, position_key(s, P, d), COST_INF, 1, 0, NO_GUESS, 1, P->n);
    return 0;
}

/* What counting members has found of a position. */
typedef struct {
    int k;             /* the most classes of a member, where that is known */
    int known, fits;   /* whether it is; whether the families allow a tree */
    int most;          /* the most classes of guesses from outside, where they are counted already */
    int uncounted;     /* guesses from outside that make no more weren't counted */
    uint16_t *counts;  /* by member: its classes, where weights differ */
} members_t;

/* Count a larger set: members are columns like any other, and tell more only where one makes as many classes as the
   best of all. Unit costs. */
static inline void count_larger(search_t *s, const position_t *P, int d, int64_t budget, members_t *m) {
    const int n = P->n, refuted = refuted_classes(s, n, d, 0, budget), enough = refuted < n ? refuted : n;
    m->fits = families_allow(s, P, d);
    if (m->fits) m->most = most_classes(s, P, enough - 1, 0);
    if (m->most >= enough) m->k = best_member_from(s, P, m->most);
    m->known = m->most >= enough && m->k == m->most;
    m->uncounted = m->most < enough ? refuted : m->most;
    s->tally[MEMBERS_NUMBER].asked++;
    s->tally[MEMBERS_NUMBER].settled += m->most < enough;
}

/* The count bound of V(P, d), n >= 3, taken as far as it takes to reach `budget`.

   A guess finds at most one answer at once and one of each other class by the next guess; the rest takes three or more
   (costs.h). With unit costs V >= 3n - K, K the most classes of a legal guess, a member counting one more. */
static bound_t count_bound(search_t *s, const position_t *P, int d, int64_t budget) {
    const int n = P->n;
    bound_t b = {cost_trivial(&s->costs, P->answers, n, d, P->depth), 0, 0, 1};
    weights_t w;
    if (b.low >= COST_INF || !(s->switches & COUNTS)) return b;
    const arena_mark_t mark = arena_mark(&s->arena);
    const bound_t trivial = {b.low, 0, 0, 0}; /* all that there is where the search stops */
    s->count_calls++;
    s->tally[COUNTS_NUMBER].asked++;
    const int larger = s->costs.unit && n > MEMBERS_MOST && s->switches & MEMBERS;
    members_t m = {0, 1, 1, 0, 0, NULL};
    if (larger) count_larger(s, P, d, budget, &m);
    else if (s->costs.uniform) m.k = best_member(s, P);
    else if ((m.counts = (uint16_t *)allocate(s, (size_t)n * sizeof *m.counts)) != NULL)
        m.k = count_members(s, P->answers, n, P->answers, n, m.counts);
    if (s->stopped) return trivial;
    const int64_t v = m.known ? value_by_members(s, P, d, m.k, &b.height) : -1;
    if (v < 0 && !larger) m.fits = families_allow(s, P, d);
    assert(m.fits || !s->stopped);
    if (v >= 0 || !m.fits) {
        arena_release(&s->arena, mark);
        b.low = v >= 0 ? v : COST_INF;
        b.exact = 1;
        s->tally[COUNTS_NUMBER].settled++;
        return b;
    }
    if (s->stopped || sort_weights(s, P, &w) < 0) return trivial;
    const int64_t members = m.known ? members_bound(s, P, &w, m.k, m.counts) : COST_INF;
    if (!larger) {
        m.uncounted = needless_classes(s, P, &w, d, m.k, members, budget);
        m.most = most_classes(s, P, m.uncounted, m.k);
    }
    arena_release(&s->arena, mark);
    if (m.most < 0) return trivial;
    b = counted_bound(s, P, &w, d, members, m.most, m.uncounted);
    s->tally[COUNTS_NUMBER].settled += b.exact || b.low >= budget;
    if (b.exact) return b;
    if (b.low < trivial.low) b.low = trivial.low;
    if (m.most < m.uncounted) m.most = m.uncounted;
    keep_count_bound(s, P, d, m.most > m.k ? m.most : m.k + 1, &b); /* a member counts one more */
    return b;
}

#endif
