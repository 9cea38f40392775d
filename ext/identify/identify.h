/* The search for the least key of a table of questions: branch and bound over sets of items.

   A node is a set with the questions left, what a path may still cost, and a budget: what it returns is exact where that
   is below the budget, and else a lower bound. Nodes stand in the arena, not on the stack: keys may be as deep as there
   are items. */
#ifndef OPTIMAL_IDENTIFY_IDENTIFY_H
#define OPTIMAL_IDENTIFY_IDENTIFY_H

#include "identify/key_bounds.h"
#include "identify/isomorphism.h"
#include "base/shared.h"

#define KEY_FREE (1 << 20) /* questions left: no limit */
#define KEY_WORK_UNIT ((int64_t)1 << TUNED(20, 8)) /* steps of work between two looks at the stop flag */
#define EQUIVALENT_MOST 64      /* questions that part larger sets alike are left to the frames */
#define PAIRS_LEAST TUNED(6, 3) /* smaller sets are solved sooner than their pairs are bounded, */
#define PAIRS_MOST 256          /* and of larger ones other bounds say more, sooner */
/* A set is noted where the one that it is a part of took so many steps by then, and in a long run this part of all: what
   took less is soon searched again, and there are not too many notes. */
#define KEY_RECORDED ((uint64_t)1 << TUNED(18, 6))
#define KEY_RECORDED_SHARE 12
#define ISOMORPHISM_LEAST TUNED(5, 3) /* smaller sets are solved sooner than their shape is known */
#define LIKELY_WORK (1 << 24)   /* steps for a question whose value is known */
#define LIMITS_COMPARED 12      /* limits that assertions compare what is stored within */
#define TRIED_LEAST 64          /* times that something is tried before it is given up, but for a small part of work, */
#define TRIED_WORK ((uint64_t)1 << 26) /* and steps */

/* KEY_SHORTCUT(NAME, name of the switch, what it leaves out) */
#define KEY_SHORTCUTS(KEY_SHORTCUT) \
    KEY_SHORTCUT(KEY_TABLE, "table", "looking up and storing values and bounds") \
    KEY_SHORTCUT(KEY_FRAMES, "frames", "own frames of smaller sets") \
    KEY_SHORTCUT(KEY_SIZES, "sizes", "bounds by the number of groups") \
    KEY_SHORTCUT(KEY_HUFFMAN, "huffman", "bounds by weights") \
    KEY_SHORTCUT(KEY_PAIRS, "pairs", "bounds by what separates pairs") \
    KEY_SHORTCUT(KEY_ISOMORPHISM, "shapes", "looking up and storing values by the shape of a set") \
    KEY_SHORTCUT(KEY_EQUIVALENT, "alike", "passing over questions that part a set as another does") \
    KEY_SHORTCUT(KEY_FREE_FIRST, "free-first", "searching without a limit first") \
    KEY_SHORTCUT(KEY_ORDER, "order", "trying the question of the least bound first")
#define KEY_NUMBER(NAME, name, without) NAME##_NUMBER,
#define KEY_BIT(NAME, name, without) NAME = 1 << NAME##_NUMBER,
#define KEY_TEXT(NAME, name, without) {name, without},
enum { KEY_SHORTCUTS(KEY_NUMBER) KEY_SHORTCUTS_MANY };
enum { KEY_SHORTCUTS(KEY_BIT) };
typedef struct {
    const char *name, *without;
} key_shortcut_t;
static const key_shortcut_t key_shortcut_text[] = {KEY_SHORTCUTS(KEY_TEXT)};

/* What a key of a set keeps to: questions on a path, and what they may cost. */
typedef struct {
    int left;
    int64_t cost_left;
} limits_t;

/* The limits of a set of n items. Every question of a least key splits its set, so n - 1 of them are no limit. */
static inline limits_t limits_of(int n, limits_t of) {
    if (of.left >= n - 1) of.left = KEY_FREE;
    return of;
}

/* What is left after a question of this cost. */
static inline limits_t limits_after(limits_t of, int64_t cost) {
    if (of.left < KEY_FREE) of.left--;
    if (of.cost_left < COST_INF) of.cost_left -= cost;
    return of;
}

/* What is proven of a set within some limits, asked within others. The one rule by which values and bounds pass from one
   question to another: keys within narrow limits are some of those within wider ones, so a lower bound holds within
   narrower limits, and never within wider ones; and a value holds there if its key keeps to them, which is known from
   the key's height, but not of what its paths cost. */
enum { PROVES_NOTHING, PROVES_BOUND, PROVES_VALUE };
static inline int proves(limits_t of, int exact, int height, limits_t asked) {
    if (of.left < asked.left || of.cost_left < asked.cost_left) return PROVES_NOTHING;
    return exact && height <= asked.left && of.cost_left == asked.cost_left ? PROVES_VALUE : PROVES_BOUND;
}

/* A question that may be asked at a node: no key that begins with it costs less than `low`. */
typedef struct {
    int64_t low;
    int32_t column, largest;
} choice_t;

/* What hangs below one reply. */
typedef struct {
    const int32_t *at; /* places in the frame, rising */
    int n, groups, exact, height, question;
    limits_t within;     /* what low is proven within */
    int64_t weight, low; /* low is its value where that is exact */
    key128 set;
} child_t;

typedef struct key_node_t {
    struct key_node_t *above;
    arena_mark_t mark; /* what was taken before */
    const key_frame_t *frame;
    const int32_t *at; /* places in the frame, rising */
    int n, groups;
    limits_t within;
    int64_t weight, budget;
    key128 set, isomorphism; /* shape: 0 where it isn't known */
    int opened, ranked, paired, waits; /* waits: for its own value without a limit */
    int64_t low;       /* a proven lower bound */
    int64_t floor;     /* the least proven of the questions that are done with */
    int64_t best;
    int best_height, best_question;
    choice_t *choice;  /* a heap: least first */
    int choices, tried, asked, asked_so_far;
    choice_t now;      /* the question under way, with its classes */
    arena_mark_t bottom;
    child_t *child;
    int classes, next, height; /* of those whose value is known */
    int64_t sum;
    uint64_t began;    /* steps by then */
} key_node_t;

static const limits_t unlimited = {KEY_FREE, COST_INF};

typedef struct {
    int64_t value;
    int height, question;
} key_result_t;

/* How often something paid, by the size of the set: its highest bit; and the steps that it took where it didn't. */
typedef struct {
    uint32_t tried[32], paid[32];
    uint64_t lost;
} payoff_t;

typedef struct identify_t {
    const questions_t *questions;
    arena_t arena;
    arena_mark_t ground; /* what stays from call to call */
    table_t table;
    shared_table_t *shared; /* in its place a table of several searches; NULL: there is none */
    entry_t shared_entry;   /* what was last found there */
    key_frame_t *root;
    int32_t *all;
    int switches, stopped, out_of_memory;
    int any;             /* whether there is a key is all that is asked: questions cost nothing */
    int width, solved;   /* beams: so many questions are tried of sets of more than `solved` groups; 0: all */
    key_node_t *top;          /* what must be searched next */
    int64_t work, work_left; /* since the last look at the stop flag; stop after so much, -1: never */
    int64_t *stop_flag;
    void (*signals)(struct identify_t *s);
    /* Hears of what is proven of sets in the course of long work: an item that is in the set, what was asked before, the
       last first, the questions left, and the entry. Only where the call goes over all items, `recording`; it asks `first`
       before (-1: no). */
    void (*record)(struct identify_t *s, int item, const int32_t *asked, int many, int left, const entry_t *e);
    int recording, first;
    void *self;
    uint64_t nodes, steps, salt;
    payoff_t isomorphs, pairs;
    /* scratch */
    uint16_t *label;
    int32_t *count, *start, *stamp, *place;
    int64_t *sums, *tops, *joined, *by_code;
    int32_t now;
} identify_t;

static int identify_init(identify_t *s, const questions_t *t, int off, size_t slots, size_t max_slots) {
    const size_t n = (size_t)t->items + 1;
    s->questions = t;
    s->switches = ~off;
    s->work_left = -1;
    arena_init(&s->arena);
    s->label = (uint16_t *)checked_malloc(65536 * sizeof *s->label);
    s->count = (int32_t *)checked_calloc(65536 + 1, sizeof *s->count);
    s->start = (int32_t *)checked_calloc(65536 + 1, sizeof *s->start);
    s->stamp = (int32_t *)checked_calloc(n, sizeof *s->stamp);
    s->place = (int32_t *)checked_calloc(n, sizeof *s->place);
    s->sums = (int64_t *)checked_calloc(n, sizeof *s->sums);
    s->tops = (int64_t *)checked_calloc(n, sizeof *s->tops);
    s->joined = (int64_t *)checked_calloc(n, sizeof *s->joined);
    s->by_code = (int64_t *)checked_calloc(n, sizeof *s->by_code);
    s->all = (int32_t *)checked_calloc(n, sizeof *s->all);
    if (!s->label || !s->count || !s->start || !s->stamp || !s->place || !s->sums || !s->tops || !s->joined || !s->by_code || !s->all
        || table_init(&s->table, slots, max_slots) < 0)
        return -1;
    for (int i = 0; i < t->items; i++) s->all[i] = i;
    s->root = key_frame_make(&s->arena, t, NULL, s->all, t->items, s->switches & KEY_FRAMES, s->label);
    if (!s->root || key_frame_bound(&s->arena, s->root, t->groups, LAYERS_MOST) < 0) return -1;
    s->ground = arena_mark(&s->arena);
    return 0;
}

static void identify_free(identify_t *s) {
    arena_free(&s->arena);
    table_free(&s->table);
    free(s->label), free(s->count), free(s->start), free(s->stamp), free(s->place);
    free(s->sums), free(s->tops), free(s->joined), free(s->by_code), free(s->all);
}

static void key_poll(identify_t *s) {
    s->work = 0;
    if (s->signals) s->signals(s);
    if (s->stop_flag && OPTIMAL_LOAD(s->stop_flag)) s->stopped = 1;
}

static inline void key_count_work(identify_t *s, int64_t steps) {
    s->work += steps;
    s->steps += (uint64_t)steps;
    if (s->work_left >= 0 && (s->work_left -= steps) < 0) s->work_left = 0, s->stopped = 1;
    if (s->work >= KEY_WORK_UNIT) key_poll(s);
}

static inline void *key_allocate(identify_t *s, size_t size) {
    void *p = arena_alloc(&s->arena, size ? size : 1);
    if (!p) s->out_of_memory = s->stopped = 1;
    return p;
}

/* The key of a set with its limits, by the item of search: what a beam finds is apart from what is proven. */
static key128 key_of(const identify_t *s, key128 set, limits_t within, int beam) {
    const uint64_t salt = (beam ? s->salt : 0) + (s->any ? 0x5851f42d4c957f2dull : 0);
    if (salt || within.left < KEY_FREE || within.cost_left < COST_INF) {
        uint64_t lo = salt + 0x2545f4914f6cdd1dull, hi = salt + 0xd6e8feb86659fd93ull;
        lo = splitmix64(&lo) + (uint64_t)within.left, lo = splitmix64(&lo) + (uint64_t)within.cost_left;
        hi = splitmix64(&hi) + (uint64_t)within.left, hi = splitmix64(&hi) + (uint64_t)within.cost_left;
        set.lo += splitmix64(&lo);
        set.hi += splitmix64(&hi);
    }
    return set;
}

/* What is stored of a set within just these limits, until the next call; or NULL. */
static const entry_t *key_recall(identify_t *s, key128 set, limits_t within, int beam) {
    if (!(s->switches & KEY_TABLE)) return NULL;
    const key128 key = key_of(s, set, within, beam);
    if (!s->shared) return table_find(&s->table, key);
    return shared_find(s->shared, key, &s->shared_entry) ? &s->shared_entry : NULL;
}

/* For assertions: by `proves` no entry of the set speaks against what is to be stored, in either direction. */
static inline int key_agrees(identify_t *s, key128 set, limits_t within, int64_t value, int exact, int height) {
    for (int i = 0; i <= LIMITS_COMPARED; i++) {
        const limits_t other = {i < LIMITS_COMPARED ? i : KEY_FREE, within.cost_left};
        const entry_t *e = key_recall(s, set, other, 0);
        if (!e) continue;
        const int theirs = proves(other, e->exact, e->height, within), ours = proves(within, exact, height, other);
        if (exact && (theirs == PROVES_VALUE ? value != e->value : theirs && value < e->value)) return 0;
        if (e->exact && (ours == PROVES_VALUE ? value != e->value : ours && value > e->value)) return 0;
        if (!e->exact && ours == PROVES_VALUE && value < e->value) return 0;
    }
    return 1;
}

/* Store what is proven of a set: the only way into the table. */
static void key_remember(identify_t *s, key128 set, limits_t within, int beam, int64_t value, int exact, int height,
                         int question, int n) {
    if (!(s->switches & KEY_TABLE)) return;
    assert(0 <= value && value <= COST_INF && (beam || key_agrees(s, set, within, value, exact, height)));
    const key128 key = key_of(s, set, within, beam);
    if (s->shared) shared_store(s->shared, key, value, exact, height, question, 0, n);
    else table_store(&s->table, key, value, exact, height, question, 0, n);
}

static inline int size_of(int n) {
    int size = 0;
    while (n >>= 1) size++;
    return size;
}

/* Whether to try what has to pay in one of so many cases: by how often it did before, and else for a small part of all
   work, to learn. Where it is left out only work is lost. */
static int payoff_expected(const identify_t *s, const payoff_t *w, int size, uint32_t most) {
    if ((uint64_t)w->paid[size] * most >= w->tried[size]) return 1;
    if (w->tried[size] < TRIED_LEAST && w->lost < TRIED_WORK) return 1;
    return w->lost * 16 <= s->steps;
}

static void payoff_count(payoff_t *w, int size, int paid, uint64_t steps) {
    w->tried[size]++;
    if (paid) w->paid[size]++;
    else w->lost += steps;
}

/* The questions that fit on any path, by their number and by what it may cost. */
static inline int questions_left(const key_frame_t *f, limits_t within) {
    if (within.cost_left >= COST_INF || f->cheapest <= 0) return within.left;
    const int64_t paid = within.cost_left / f->cheapest;
    return paid < within.left ? (int)paid : within.left;
}

/* Stamps of groups: none is set. */
static inline void stamp_anew(identify_t *s) {
    if (++s->now < INT32_MAX) return;
    memset(s->stamp, 0, ((size_t)s->questions->items + 1) * sizeof *s->stamp);
    s->now = 1;
}

/* A lower bound for a class of a set in a frame, by its groups and weights. Its items are `at`, in rising order of
   weight; its groups are counted too. */
static int64_t class_bound(identify_t *s, const key_frame_t *f, const int32_t *at, int n, int left, int *groups) {
    const int plain = s->questions->plain;
    int g = n;
    if (!plain) {
        /* One group: nothing need be asked. What a group weighs, and its heaviest item. */
        stamp_anew(s);
        g = 0;
        if (s->questions->groups == s->questions->items) {
            for (int i = 0; i < n; i++) s->tops[i] = f->weight[at[i]];
            g = n;
        } else {
            /* From the heaviest down: the first of a group that is met is its heaviest. */
            for (int i = n - 1; i >= 0; i--) {
                const int32_t group = f->group[at[i]];
                if (s->stamp[group] != s->now) {
                    s->stamp[group] = s->now;
                    s->place[group] = g;
                    s->tops[g] = f->weight[at[i]];
                    s->sums[g++] = f->weight[at[i]];
                } else s->sums[s->place[group]] += f->weight[at[i]];
            }
            for (int i = 0; i < g / 2; i++) {
                const int64_t x = s->tops[i];
                s->tops[i] = s->tops[g - 1 - i];
                s->tops[g - 1 - i] = x;
            }
        }
    }
    *groups = g;
    if (g < 2) return 0;
    const int64_t *least = key_frame_least(f, left);
    if (least[g] >= COST_INF || left < f->fits[g]) return COST_INF;
    int64_t low = 0;
    if (s->switches & KEY_SIZES) low = plain ? least[g] : by_layers(s->tops, g, least);
    if (!plain && s->switches & KEY_HUFFMAN && f->cheapest > 0) {
        const int64_t *sums = s->tops;
        if (s->questions->groups < s->questions->items) {
            weights_rise(s->sums, g);
            sums = s->sums;
        }
        const int64_t other = huffman(sums, g, f->replies_most, s->joined) * f->cheapest;
        if (other > low) low = other;
    }
    return low;
}

/* Two items of different groups: the cheapest question that parts them settles it. */
static int64_t pair_value(const identify_t *s, const key_frame_t *f, const int32_t *at, int64_t weight, int64_t cost_left,
                          int *question) {
    const column_t *best = NULL;
    for (int c = 0; c < f->columns; c++) {
        const column_t *k = f->column + c;
        const uint16_t *codes = f->codes + (size_t)c * (size_t)f->items;
        if ((!best || k->cost < best->cost) && codes[at[0]] != codes[at[1]]) {
            best = k;
            if (k->cost == f->cheapest) break;
        }
    }
    *question = best->question;
    if (best->cost > cost_left) return COST_INF;
    return s->any ? 0 : weight * best->cost;
}

/* Which of two choices comes first. */
static inline int sooner(const choice_t *a, const choice_t *b) {
    if (a->low != b->low) return a->low < b->low;
    if (a->largest != b->largest) return a->largest < b->largest;
    return a->column < b->column;
}

static void heap_down(choice_t *heap, int n, int i) {
    const choice_t x = heap[i];
    for (int child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && sooner(heap + child + 1, heap + child)) child++;
        if (!sooner(heap + child, &x)) break;
        heap[i] = heap[child];
    }
    heap[i] = x;
}

/* The classes of a column on a set, items in rising order within each; the places go to `out`, their begins to s->start,
   which has one more. Returns how many classes there are. */
static int key_split(identify_t *s, const key_frame_t *f, int column, const int32_t *at, int n, int32_t *out) {
    const uint16_t *codes = f->codes + (size_t)column * (size_t)f->items;
    int classes = 0;
    for (int i = 0; i < n; i++)
        if (s->count[codes[at[i]]]++ == 0) s->label[classes++] = codes[at[i]];
    int begin = 0;
    for (int k = 0; k < classes; k++) {
        s->start[k] = begin;
        begin += s->count[s->label[k]];
        s->count[s->label[k]] = k;
    }
    for (int i = 0; i < n; i++) out[s->start[s->count[codes[at[i]]]]++] = at[i];
    for (int k = classes; k > 0; k--) s->start[k] = s->start[k - 1];
    s->start[0] = 0;
    for (int k = 0; k < classes; k++) s->count[s->label[k]] = 0;
    return classes;
}

/* The sum of bounds of the classes of a question on a set, its charge with it; COST_INF where there is no key. The
   greatest class is told. 0 classes: the question doesn't split the set. */
static int64_t question_bound(identify_t *s, const key_node_t *N, int column, const uint64_t *bits, int32_t *scratch,
                              int32_t *largest) {
    const key_frame_t *f = N->frame;
    const column_t *k = f->column + column;
    const int left = questions_left(f, limits_after(N->within, k->cost));
    *largest = N->n;
    if (k->cost > N->within.cost_left) return COST_INF;
    int64_t sum = 0;
    if (bits && k->replies <= BITS_REPLIES) {
        const int64_t *least = key_frame_least(f, left);
        const uint64_t *own = f->bits + k->bits_at;
        int rest = N->n, most = 0;
        for (int r = 1; r < k->replies; r++, own += f->words) {
            int size = 0;
            for (int w = 0; w < f->words; w++) size += OPTIMAL_POPCOUNT64(bits[w] & own[w]);
            rest -= size;
            if (size > most) most = size;
            sum = cost_add(sum, f->fits[size] > left ? COST_INF : least[size]);
        }
        key_count_work(s, f->words * (k->replies - 1));
        if (rest > most) most = rest;
        *largest = most;
        if (most == N->n) return COST_INF;
        sum = cost_add(sum, f->fits[rest] > left ? COST_INF : least[rest]);
        if (!(s->switches & KEY_SIZES) && sum < COST_INF) sum = 0;
    } else {
        const int classes = key_split(s, f, column, N->at, N->n, scratch);
        key_count_work(s, N->n);
        if (classes < 2) return COST_INF;
        int most = 0;
        for (int c = 0; c < classes; c++) {
            const int size = s->start[c + 1] - s->start[c];
            int groups;
            if (size > most) most = size;
            if (size > 1) sum = cost_add(sum, class_bound(s, f, scratch + s->start[c], size, left, &groups));
        }
        *largest = most;
    }
    return cost_add(sum, k->cost * N->weight);
}

/* Whether a column parts the set of a node as one of the choices does, of those that cost no more. Sets of 64 items at
   most: a mask for each class, by place among the members, none of them for the class of the first. */
static uint64_t parted(const key_frame_t *f, int column, const int32_t *at, int n, int two) {
    const uint16_t *codes = f->codes + (size_t)column * (size_t)f->items;
    uint64_t out = 0;
    if (two) {
        for (int i = 1; i < n; i++) out |= (uint64_t)(codes[at[i]] != codes[at[0]]) << i;
        return out;
    }
    /* By the place of the first that has the same reply: equal where and only where the parts are, up to the hash. */
    for (int i = 1; i < n; i++) {
        int j = 0;
        while (codes[at[j]] != codes[at[i]]) j++;
        out = (out ^ (uint64_t)(j + 1)) * 0x9e3779b97f4a7c15ull;
        out ^= out >> 29;
    }
    return out;
}

/* Leave one of the choices that part the set alike: the cheapest. */
static void drop_equivalent(identify_t *s, key_node_t *N) {
    const key_frame_t *f = N->frame;
    int slots = 8;
    while (slots < 2 * N->choices) slots *= 2;
    const arena_mark_t mark = arena_mark(&s->arena);
    int32_t *slot = (int32_t *)key_allocate(s, (size_t)slots * sizeof *slot);
    uint64_t *mask = (uint64_t *)key_allocate(s, ((size_t)N->choices + 1) * sizeof *mask);
    if (slot && mask) {
        int kept = 0;
        memset(slot, 0xff, (size_t)slots * sizeof *slot);
        for (int i = 0; i < N->choices; i++) {
            const int column = N->choice[i].column, two = f->column[column].replies == 2;
            const uint64_t own = parted(f, column, N->at, N->n, two);
            uint64_t place = (own * 0x9e3779b97f4a7c15ull) >> 32 & (uint64_t)(slots - 1);
            int other = -1;
            for (; slot[place] >= 0 && other < 0; place = (place + 1) & (uint64_t)(slots - 1))
                if (mask[slot[place]] == own) {
                    /* Equal masks of two classes are equal parts; of more they are compared, both ways. */
                    const uint16_t *a = f->codes + (size_t)column * (size_t)f->items;
                    const uint16_t *b = f->codes + (size_t)N->choice[slot[place]].column * (size_t)f->items;
                    if (same_partition(a, b, N->at, N->n, s->label) && same_partition(b, a, N->at, N->n, s->label)) other = slot[place];
                }
            if (other >= 0) {
                if (f->column[column].cost < f->column[N->choice[other].column].cost) N->choice[other] = N->choice[i];
                continue;
            }
            slot[place] = kept;
            mask[kept] = own;
            N->choice[kept++] = N->choice[i];
        }
        N->choices = kept;
    }
    arena_release(&s->arena, mark);
}

/* Twice the product of weights, summed over the pairs of different groups among these. */
static int64_t pairs_left(identify_t *s, const key_frame_t *f, const int32_t *at, int n) {
    int64_t total = 0, alike = 0;
    int g = 0;
    stamp_anew(s);
    for (int i = 0; i < n; i++) {
        const int32_t group = f->group[at[i]];
        const int64_t w = f->weight[at[i]];
        total += w;
        if (s->stamp[group] != s->now) {
            s->stamp[group] = s->now;
            s->place[group] = g;
            s->sums[g++] = 0;
        }
        int64_t *own = s->sums + s->place[group];
        alike += (2 * *own + w) * w;
        *own += w;
    }
    return total * total - alike;
}

/* A bound over pairs. Every pair of different groups is parted by one node; let what a node is charged, cost x W of the
   set it parts, be shared by the pairs it parts, each by the product of its weights. With W_c the weights of the classes
   that is cost x W / e for e = the sum of W_b x W_c over pairs of classes, and e / W never rises when weights fall. So a
   pair is charged its product x (cost x W / e) at least, for the least such rate, on this set, of a question that parts
   it. Rates are gone through from the least up: a question charges the pairs that those before it have not parted. */
static int64_t pairs_bound(identify_t *s, const key_node_t *N) {
    const key_frame_t *f = N->frame;
    const int n = N->n;
    if (N->weight < 2 || N->weight >= (int64_t)1 << 20) return 0; /* products with what stands after the point must fit */
    const arena_mark_t mark = arena_mark(&s->arena);
    choice_t *rate = (choice_t *)key_allocate(s, ((size_t)f->columns + 1) * sizeof *rate);
    int32_t *block = (int32_t *)key_allocate(s, (size_t)n * sizeof *block), *parts = (int32_t *)key_allocate(s, (size_t)n * sizeof *parts);
    int32_t *end = (int32_t *)key_allocate(s, (size_t)n * sizeof *end);
    int64_t *open = (int64_t *)key_allocate(s, (size_t)n * sizeof *open);
    int64_t low = 0;
    int rates = 0;
    if (!rate || !block || !parts || !end || !open) {
        arena_release(&s->arena, mark);
        return 0;
    }
    for (int c = 0; c < f->columns; c++) {
        const column_t *k = f->column + c;
        const uint16_t *codes = f->codes + (size_t)c * (size_t)f->items;
        int64_t square = 0;
        for (int i = 0; i < n; i++) {
            int64_t *own = s->by_code + codes[N->at[i]];
            const int64_t w = f->weight[N->at[i]];
            square += (2 * *own + w) * w;
            *own += w;
        }
        for (int i = 0; i < n; i++) s->by_code[codes[N->at[i]]] = 0;
        const int64_t pairs = (N->weight * N->weight - square) / 2;
        if (!pairs || k->cost >= (int64_t)1 << 20) {
            if (pairs) rates = -1; /* what it parts can't be charged: no bound */
            if (rates < 0) break;
            continue;
        }
        const choice_t it = {k->cost * N->weight * ((int64_t)1 << PAIRS_SCALE) / pairs, c, 0};
        rate[rates++] = it;
    }
    key_count_work(s, (int64_t)f->columns * n);
    for (int i = rates / 2 - 1; i >= 0; i--) heap_down(rate, rates, i);
    /* Blocks of items that are not parted yet, one after the other; of each, where it ends, and its pairs. */
    for (int i = 0; i < n; i++) block[i] = N->at[i];
    end[0] = n;
    open[0] = pairs_left(s, f, block, n);
    int64_t unparted = open[0];
    while (rates > 0 && unparted > 0 && low < (int64_t)1 << 61) {
        const choice_t now = rate[0];
        rate[0] = rate[--rates];
        heap_down(rate, rates, 0);
        int64_t parted_now = 0;
        for (int i = 0; i < n;) {
            const int stop = end[i], many = stop - i;
            if (open[i] == 0) {
                i = stop;
                continue;
            }
            const int classes = key_split(s, f, now.column, block + i, many, parts);
            key_count_work(s, many);
            if (classes > 1) {
                parted_now += open[i];
                memcpy(block + i, parts, (size_t)many * sizeof *block);
                for (int k = 0; k < classes; k++) {
                    const int from = i + s->start[k], to = i + s->start[k + 1];
                    end[from] = to;
                    open[from] = pairs_left(s, f, block + from, to - from);
                    parted_now -= open[from];
                }
            }
            i = stop;
        }
        unparted -= parted_now;
        low += parted_now / 2 * now.low;
    }
    arena_release(&s->arena, mark);
    /* Parts after the point are dropped from each rate; the sum is a whole number, so it is rounded up. */
    return (low + ((int64_t)1 << PAIRS_SCALE) - 1) >> PAIRS_SCALE;
}

/* A set of a frame to be searched. NULL where memory runs out. */
static key_node_t *key_node_new(identify_t *s, key_node_t *above, const key_frame_t *frame, const child_t *B, limits_t within, int64_t budget) {
    const arena_mark_t mark = arena_mark(&s->arena);
    key_node_t *N = (key_node_t *)key_allocate(s, sizeof *N);
    if (!N) return NULL;
    memset(N, 0, sizeof *N);
    N->above = above;
    N->mark = mark;
    N->frame = frame;
    N->at = B->at;
    N->n = B->n;
    N->groups = B->groups;
    N->within = limits_of(B->n, within);
    N->weight = B->weight;
    N->budget = budget;
    N->set = B->set;
    assert(proves(B->within, 0, 0, N->within));
    N->low = B->low;
    N->floor = N->best = COST_INF;
    N->began = s->steps;
    return N;
}

static inline int in_beam(const identify_t *s, int groups) {
    return s->width && groups > s->solved;
}

/* Take over what is stored of a class within some limits. */
static void child_adopt(child_t *B, const entry_t *e, limits_t of) {
    const int proven = e ? proves(of, e->exact, e->height, B->within) : PROVES_NOTHING;
    if (proven == PROVES_VALUE) {
        B->low = e->value;
        B->exact = 1;
        B->height = e->height;
        B->question = e->guess;
    } else if (proven == PROVES_BOUND && e->value > B->low) B->low = e->value;
}

/* What is known of a class without a search: its groups, a bound, or its value. */
static void child_bound(identify_t *s, const key_frame_t *f, child_t *B, limits_t within) {
    B->exact = B->height = 0;
    B->question = NO_GUESS;
    B->within = limits_of(B->n, within);
    B->low = class_bound(s, f, B->at, B->n, questions_left(f, within), &B->groups);
    if (B->groups < 2) {
        B->exact = 1;
        return;
    }
    if (B->low >= COST_INF) return;
    if (s->any) B->low = 0;
    if (B->n == 2) {
        B->low = pair_value(s, f, B->at, B->weight, within.cost_left, &B->question);
        B->exact = B->low < COST_INF;
        B->height = 1;
        return;
    }
    child_adopt(B, key_recall(s, B->set, B->within, 0), B->within);
    if (!B->exact && !s->any && B->within.left < KEY_FREE && B->within.cost_left >= COST_INF)
        child_adopt(B, key_recall(s, B->set, unlimited, 0), unlimited);
    if (B->exact || !in_beam(s, B->groups)) return;
    const entry_t *e = key_recall(s, B->set, B->within, 1);
    if (!e) return;
    if (e->value > B->low) B->low = e->value;
    B->exact = e->exact;
    B->height = e->height;
    B->question = e->guess;
}

/* Whether what is proven of a node's set is worth a note. */
static int key_node_recordable(const identify_t *s, const key_node_t *N, int beam) {
    if (!s->record || !s->recording || beam) return 0;
    const uint64_t took = N->above ? s->steps - N->above->began : UINT64_MAX;
    return took >= KEY_RECORDED && took >= s->steps >> KEY_RECORDED_SHARE;
}

/* What is proven of a node's set is remembered, and noted. */
static void key_node_remember(identify_t *s, const key_node_t *N, int beam, const key_result_t *found, int exact) {
    key_remember(s, N->set, N->within, beam, found->value, exact, found->height, found->question, N->n);
    if (N->isomorphism.lo | N->isomorphism.hi)
        key_remember(s, N->isomorphism, N->within, 0, found->value, exact, found->height, NO_GUESS, N->n);
    if ((exact && found->question == NO_GUESS) || !key_node_recordable(s, N, beam)) return; /* known by its shape: as good as noted */
    int many = 0; /* at most as many as there are items: each question splits its set, but the first */
    for (const key_node_t *A = N->above; A; A = A->above)
        if (A->waits != 1) s->place[many++] = A->frame->column[A->now.column].question;
    if (s->first >= 0) s->place[many++] = s->first;
    if (!many) return;
    const entry_t e = {.value = found->value, .exact = (uint8_t)exact, .height = (uint16_t)found->height,
                       .guess = (uint16_t)found->question};
    s->record(s, N->frame->item[N->at[0]], s->place, many, N->within.left, &e);
}

/* The node is done with: what it found, which is remembered. */
static int key_node_settle(identify_t *s, key_node_t *N, key_result_t *found) {
    const int beam = in_beam(s, N->groups);
    if (N->best < N->budget && !s->stopped) {
        found->value = N->best;
        found->height = N->best_height;
        found->question = N->best_question;
        key_node_remember(s, N, beam, found, 1);
        return 1;
    }
    int64_t low = N->low;
    if (N->ranked) {
        int64_t least = N->floor < N->best ? N->floor : N->best;
        if (s->stopped) {
            if (N->asked && N->sum < least) least = N->sum;
            for (int i = N->tried; i < N->choices; i++)
                if (N->choice[i].low < least) least = N->choice[i].low;
        }
        if (least > low) low = least;
    }
    found->value = low;
    found->height = 0;
    found->question = NO_GUESS;
    if (!(s->stopped && (beam || s->any))) key_node_remember(s, N, beam, found, 0);
    return 1;
}

/* What is known of another set of the same shape, by other names. Returns 1 where that settles the node. */
static int key_node_isomorphic(identify_t *s, key_node_t *N, key_result_t *found) {
    if (!(s->switches & KEY_ISOMORPHISM) || N->n < ISOMORPHISM_LEAST || in_beam(s, N->groups)) return 0;
    const int size = size_of(N->n);
    if (!payoff_expected(s, &s->isomorphs, size, 32)) return 0;
    int64_t done;
    N->isomorphism = isomorphism_key(&s->arena, s->questions, N->frame, N->at, N->n, &done);
    key_count_work(s, done);
    if (!(N->isomorphism.lo | N->isomorphism.hi)) {
        s->out_of_memory = s->stopped = 1;
        return key_node_settle(s, N, found);
    }
    const entry_t *e = key_recall(s, N->isomorphism, N->within, 0);
    if (e && e->value > N->low) N->low = e->value;
    const int paid = e && (e->exact || N->low >= N->budget);
    payoff_count(&s->isomorphs, size, paid, (uint64_t)done);
    if (!paid) return 0;
    if (e->exact) {
        N->best = e->value;
        N->best_height = e->height;
        N->best_question = NO_GUESS;
    }
    return key_node_settle(s, N, found);
}

/* The question that is tried next, with its classes. Returns 0 where there is none that may pay. */
static int key_node_next(identify_t *s, key_node_t *N) {
    const int64_t cut = N->budget < N->best ? N->budget : N->best;
    const key_frame_t *f = N->frame;
    for (;;) {
        if (N->tried >= N->choices || (in_beam(s, N->groups) && N->asked_so_far >= s->width)) return 0;
        choice_t now;
        if (s->switches & KEY_ORDER) {
            now = N->choice[0];
            if (!s->any && now.low >= cut) { /* all are below the budget: this and the rest are no better than the best */
                N->choices = 0;
                return 0;
            }
            N->choice[0] = N->choice[--N->choices];
            heap_down(N->choice, N->choices, 0);
        } else {
            now = N->choice[N->tried++];
            if (!s->any && now.low >= cut) continue;
        }
        N->now = now;
        N->asked_so_far++;
        N->asked = 1;
        N->sum = now.low;
        break;
    }
    const column_t *k = f->column + N->now.column;
    N->bottom = arena_mark(&s->arena);
    int32_t *at = (int32_t *)key_allocate(s, (size_t)N->n * sizeof *at);
    if (!at) return 0;
    const int classes = key_split(s, f, N->now.column, N->at, N->n, at);
    child_t *B = (child_t *)key_allocate(s, (size_t)classes * sizeof *B);
    if (!B) return 0;
    key_count_work(s, N->n);
    int many = 0;
    for (int c = 0; c < classes; c++) {
        child_t *b = B + many;
        b->at = at + s->start[c];
        b->n = s->start[c + 1] - s->start[c];
        if (b->n > 1) many++;
    }
    const limits_t after = limits_after(N->within, k->cost);
    N->child = B;
    N->classes = N->next = 0;
    N->sum = s->any ? 0 : k->cost * N->weight;
    N->height = 0;
    for (int c = 0; c < many; c++) {
        child_t b = B[c];
        b.weight = 0;
        b.set.lo = b.set.hi = 0;
        for (int i = 0; i < b.n; i++) {
            const int32_t place = b.at[i];
            b.weight += f->weight[place];
            b.set.lo += s->questions->words[f->item[place]].lo;
            b.set.hi += s->questions->words[f->item[place]].hi;
        }
        child_bound(s, f, &b, after);
        N->sum = cost_add(N->sum, b.low);
        if (b.exact) {
            if (b.height > N->height) N->height = b.height;
            continue;
        }
        /* Smaller classes first: they are the cheapest to refute the question by. */
        int i = N->classes++;
        for (; i > 0 && B[i - 1].n > b.n; i--) B[i] = B[i - 1];
        B[i] = b;
    }
    return 1;
}

/* Once for a node, where that may pay. */
static void bound_by_pairs(identify_t *s, key_node_t *N) {
    if (N->paired || s->any || in_beam(s, N->groups) || !(s->switches & KEY_PAIRS)) return;
    N->paired = 1;
    if (N->n < PAIRS_LEAST || N->n > PAIRS_MOST) return;
    const int size = size_of(N->n);
    if (!payoff_expected(s, &s->pairs, size, 8)) return;
    const uint64_t before = s->steps;
    const int64_t low = pairs_bound(s, N), cut = N->budget < N->best ? N->budget : N->best;
    if (low > N->low) N->low = low;
    payoff_count(&s->pairs, size, low >= cut, s->steps - before);
}

/* Bounds of a node and of its questions. Returns 1 where that settles it. */
static int key_node_open(identify_t *s, key_node_t *N, key_result_t *found) {
    s->nodes++;
    const int first = !N->opened;
    N->opened = 1;
    if (first && N->within.left < KEY_FREE && N->within.cost_left >= COST_INF && !s->any && !s->width
        && s->switches & KEY_FREE_FIRST) {
        /* The least key of all is no dearer; where it keeps to the limit, it is the one. What is known of this node may
           hold within its limit alone, so that search begins with what is known without one. */
        child_t own = {.at = N->at, .n = N->n, .weight = N->weight, .set = N->set};
        child_bound(s, N->frame, &own, unlimited);
        if (!own.exact) {
            key_node_t *child = key_node_new(s, N, N->frame, &own, unlimited, N->budget);
            if (!child) return key_node_settle(s, N, found);
            N->waits = 1;
            s->top = child;
            return 0;
        }
    }
    if (first && key_node_isomorphic(s, N, found)) return 1;
    if (s->switches & KEY_FRAMES && N->n >= KEY_FRAME_LEAST && 2 * N->n <= N->frame->items) {
        int32_t *all = (int32_t *)key_allocate(s, (size_t)N->n * sizeof *all);
        key_frame_t *own = all ? key_frame_make(&s->arena, s->questions, N->frame, N->at, N->n, 1, s->label) : NULL;
        key_count_work(s, (int64_t)N->n * N->frame->columns);
        if (!own || key_frame_bound(&s->arena, own, N->groups, questions_left(own, N->within)) < 0) {
            s->out_of_memory = s->stopped = 1;
            return key_node_settle(s, N, found);
        }
        for (int i = 0; i < N->n; i++) all[i] = i;
        N->frame = own;
        N->at = all;
        int groups;
        const int64_t low = class_bound(s, own, all, N->n, questions_left(own, N->within), &groups);
        if (low > N->low && (!s->any || low >= COST_INF)) N->low = low;
    }
    const key_frame_t *f = N->frame;
    if (N->budget < COST_INF && N->low < N->budget) bound_by_pairs(s, N);
    if (N->low >= N->budget || s->stopped) return key_node_settle(s, N, found);
    const arena_mark_t mark = arena_mark(&s->arena);
    N->choice = (choice_t *)key_allocate(s, ((size_t)f->columns + 1) * sizeof *N->choice);
    const arena_mark_t kept = arena_mark(&s->arena);
    int32_t *scratch = (int32_t *)key_allocate(s, (size_t)N->n * sizeof *scratch);
    uint64_t *bits = s->questions->plain ? (uint64_t *)key_allocate(s, (size_t)f->words * sizeof *bits) : NULL;
    if (s->stopped) {
        arena_release(&s->arena, mark);
        return key_node_settle(s, N, found);
    }
    if (bits) {
        memset(bits, 0, (size_t)f->words * sizeof *bits);
        for (int i = 0; i < N->n; i++) bits[N->at[i] >> 6] |= 1ull << (N->at[i] & 63);
    }
    int64_t least = COST_INF, out = COST_INF; /* of all, and of those that are left out */
    for (int c = 0; c < f->columns; c++) {
        choice_t it = {0, c, 0};
        it.low = question_bound(s, N, c, bits, scratch, &it.largest);
        if (it.low < least) least = it.low;
        if (it.low < COST_INF && (s->any || it.low < N->budget)) N->choice[N->choices++] = it;
        else if (it.low < out) out = it.low;
    }
    arena_release(&s->arena, kept);
    if (s->any) least = least >= COST_INF ? COST_INF : 0;
    if (least > N->low) N->low = least;
    if (N->low >= N->budget || s->stopped) return key_node_settle(s, N, found);
    N->ranked = 1;
    N->floor = out;
    if (s->switches & KEY_EQUIVALENT && N->n <= EQUIVALENT_MOST) drop_equivalent(s, N);
    if (s->switches & KEY_ORDER)
        for (int i = N->choices / 2 - 1; i >= 0; i--) heap_down(N->choice, N->choices, i);
    return -1;
}

/* Go on with a node. Returns 1 when it is settled, 0 when another must be searched first, s->top. */
static int key_node_continue(identify_t *s, key_node_t *N, key_result_t *found) {
    if (!N->opened || N->waits == 2) {
        N->waits = N->waits == 2 ? 3 : 0;
        const int opened = key_node_open(s, N, found);
        if (opened >= 0) return opened;
    }
    for (;;) {
        if (s->stopped) return key_node_settle(s, N, found);
        if (!N->asked) {
            /* The pairs of a set that any key would do for are looked at when there is one to be refuted by. */
            if (N->best < COST_INF) bound_by_pairs(s, N);
            if (N->best <= N->low || !key_node_next(s, N)) return key_node_settle(s, N, found);
        }
        const int64_t cut = N->budget < N->best ? N->budget : N->best;
        const column_t *k = N->frame->column + N->now.column;
        while (N->next < N->classes && N->child[N->next].exact) N->next++;
        if (N->sum >= cut) {
            if (N->sum < N->floor) N->floor = N->sum;
        } else if (N->next == N->classes) {
            N->best = N->sum;
            N->best_height = 1 + N->height;
            N->best_question = k->question;
        } else {
            const child_t *B = N->child + N->next;
            key_node_t *child = key_node_new(s, N, N->frame, B, limits_after(N->within, k->cost), cut - (N->sum - B->low));
            if (!child) return key_node_settle(s, N, found);
            s->top = child;
            return 0;
        }
        N->asked = 0;
        arena_release(&s->arena, N->bottom);
    }
}

/* What was found of the set that a node waited for. Returns 1 where that settles the node. */
static int key_node_receive(identify_t *s, key_node_t *N, const key_result_t *of, key_result_t *found) {
    if (N->waits == 1) {
        N->waits = 2;
        const int proven = proves(unlimited, of->value < N->budget, of->height, N->within);
        if (proven && of->value > N->low) N->low = of->value;
        if (s->stopped || of->value >= N->budget) return key_node_settle(s, N, found);
        if (proven == PROVES_VALUE) {
            N->best = of->value;
            N->best_height = of->height;
            N->best_question = of->question;
            return key_node_settle(s, N, found);
        }
        return 0;
    }
    child_t *B = N->child + N->next;
    const int64_t before = B->low;
    if (of->value > B->low) B->low = of->value;
    N->sum = cost_add(N->sum - before, B->low);
    /* It is its value, or the question is done with: the sum is no better than the best now, or the search was stopped. */
    B->exact = 1;
    if (of->height > N->height) N->height = of->height;
    return 0;
}

/* The value of a set of a frame; the promise of every value, as long as nothing stopped the search: see above. */
static key_result_t key_value(identify_t *s, const key_frame_t *frame, const child_t *B, limits_t within, int64_t budget) {
    key_result_t found = {B->low, 0, NO_GUESS};
    key_node_t *const base = key_node_new(s, NULL, frame, B, within, budget), *N = base;
    while (N) {
        if (!key_node_continue(s, N, &found)) {
            N = s->top;
            continue;
        }
        /* Settled; and with it, perhaps, those that waited for it. */
        for (int settled = 1; settled && N;) {
            key_node_t *above = N->above;
            arena_release(&s->arena, N->mark);
            N = above;
            const key_result_t of = found;
            settled = N && key_node_receive(s, N, &of, &found);
        }
    }
    return found;
}

/* A set of the root frame as a class. */
static void child_make(const identify_t *s, const key_frame_t *f, const int32_t *at, int n, child_t *B) {
    memset(B, 0, sizeof *B);
    B->at = at;
    B->n = n;
    for (int i = 0; i < n; i++) {
        B->weight += f->weight[at[i]];
        B->set.lo += s->questions->words[f->item[at[i]]].lo;
        B->set.hi += s->questions->words[f->item[at[i]]].hi;
    }
}

/* The value of a set: exact below the budget, or else a bound; a bound where it was stopped. */
static key_result_t identify_value(identify_t *s, const key_frame_t *f, const int32_t *at, int n, limits_t within, int64_t budget) {
    child_t B;
    child_make(s, f, at, n, &B);
    child_bound(s, f, &B, within);
    key_result_t found = {B.low, B.height, B.question};
    return B.exact || B.low >= budget ? found : key_value(s, f, &B, within, budget);
}

/* The value of a set where this question is asked first, which need not split it: `codes` has its replies by place in
   the frame. */
static int64_t identify_first(identify_t *s, const key_frame_t *f, const int32_t *at, int n, const uint16_t *codes, int64_t cost,
                              limits_t within, int64_t budget, int *height) {
    const arena_mark_t mark = arena_mark(&s->arena);
    int32_t *places = (int32_t *)key_allocate(s, (size_t)n * sizeof *places);
    child_t *B = (child_t *)key_allocate(s, (size_t)n * sizeof *B);
    *height = 1;
    if (!places || !B) {
        arena_release(&s->arena, mark);
        return 0;
    }
    int classes = 0;
    int64_t sum = 0;
    const limits_t after = limits_after(within, cost);
    if (within.left < 1 || cost > within.cost_left) sum = COST_INF;
    else {
        key_frame_t own = *f;
        own.codes = codes;
        classes = key_split(s, &own, 0, at, n, places);
        for (int c = 0; c < classes; c++) {
            const int from = s->start[c], to = s->start[c + 1];
            child_make(s, f, places + from, to - from, B + c);
            sum += B[c].weight;
        }
        sum = s->any ? 0 : sum * cost;
        for (int c = 0; c < classes; c++) child_bound(s, f, B + c, after);
        for (int c = 0; c < classes; c++) {
            sum = cost_add(sum, B[c].low);
            if (B[c].exact && B[c].height + 1 > *height) *height = B[c].height + 1;
            for (int i = c; i > 0 && B[i - 1].n > B[i].n; i--) {
                const child_t x = B[i];
                B[i] = B[i - 1];
                B[i - 1] = x;
            }
        }
    }
    for (int c = 0; c < classes && sum < budget && !s->stopped; c++) {
        if (B[c].exact) continue;
        const key_result_t found = key_value(s, f, B + c, after, budget - (sum - B[c].low));
        if (found.value > B[c].low) sum = cost_add(sum - B[c].low, found.value);
        if (found.height + 1 > *height) *height = found.height + 1;
    }
    arena_release(&s->arena, mark);
    return sum;
}

/* The first question of the canonical key of a set: of all least keys the lowest, and of these the first at every node.
   Returns the question; -1 where nothing need be asked, there is no key, or it was stopped. */
static int identify_canonical(identify_t *s, const int32_t *items, int n, limits_t within, key_result_t *found) {
    const arena_mark_t mark = arena_mark(&s->arena);
    const int own = s->switches & KEY_FRAMES && 2 * n <= s->root->items && n > 2;
    const int32_t *at = items;
    int question = -1, groups, height;
    key_frame_t *f = s->root;
    found->value = COST_INF;
    found->height = 0;
    if (own) {
        f = key_frame_make(&s->arena, s->questions, s->root, items, n, 1, s->label);
        at = s->all; /* as many places as there are */
        if (!f || key_frame_bound(&s->arena, f, n, KEY_FREE) < 0) s->out_of_memory = s->stopped = 1;
    }
    if (!s->stopped) *found = identify_value(s, f, at, n, within, COST_INF);
    const int64_t value = found->value;
    if (!s->stopped && value < COST_INF) {
        class_bound(s, f, at, n, KEY_FREE, &groups);
        /* The height of the key that was found may not be the least. */
        if (own && found->height > f->fits[groups] && key_frame_bound(&s->arena, f, n, found->height - 1) < 0)
            s->out_of_memory = s->stopped = 1;
        while (!s->stopped && groups > 1 && found->height > f->fits[groups]) {
            const key_result_t lower = identify_value(s, f, at, n, (limits_t){found->height - 1, within.cost_left}, value + 1);
            if (s->stopped || lower.value > value) break;
            found->height = lower.height;
        }
        for (int c = 0; c < f->columns && groups > 1 && question < 0 && !s->stopped; c++) {
            const uint16_t *codes = f->codes + (size_t)c * (size_t)f->items;
            int splits = 0;
            for (int i = 1; i < n && !splits; i++) splits = codes[at[i]] != codes[at[0]];
            if (!splits) continue;
            const int64_t it = identify_first(s, f, at, n, codes, f->column[c].cost, (limits_t){found->height, within.cost_left},
                                              value + 1, &height);
            if (!s->stopped && it <= value) question = f->column[c].question;
        }
    }
    arena_release(&s->arena, mark);
    return question;
}

/* The question by which a set has this value, which is known by its shape alone: of least bound the first, as far as some
   work goes. -1: that didn't suffice. */
static int question_of_value(identify_t *s, const key_frame_t *f, const key_node_t *N, choice_t *choice, int choices, int64_t value) {
    const int width = s->width;
    int question = -1, height;
    s->width = 0; /* a beam might pass it by */
    s->work_left = LIKELY_WORK;
    for (int i = choices / 2 - 1; i >= 0; i--) heap_down(choice, choices, i);
    while (choices && choice[0].low <= value && question < 0 && !s->stopped) {
        const column_t *k = f->column + choice[0].column;
        const uint16_t *codes = f->codes + (size_t)choice[0].column * (size_t)f->items;
        if (identify_first(s, f, N->at, N->n, codes, k->cost, N->within, value + 1, &height) <= value && !s->stopped)
            question = k->question;
        choice[0] = choice[--choices];
        heap_down(choice, choices, 0);
    }
    s->width = width;
    s->stopped = s->out_of_memory;
    s->work_left = -1;
    return question;
}

/* A question for a set that seems best: what was found, or what has the least bound. -1: there is none. */
static int identify_likely(identify_t *s, const int32_t *items, int n, limits_t within) {
    const arena_mark_t mark = arena_mark(&s->arena);
    int question = -1;
    child_t B;
    child_make(s, s->root, items, n, &B);
    child_bound(s, s->root, &B, within);
    if (B.exact && B.question != NO_GUESS) question = B.question;
    else if (B.groups > 1 && B.low < COST_INF) {
        int32_t *all = (int32_t *)key_allocate(s, (size_t)n * sizeof *all), *scratch = (int32_t *)key_allocate(s, (size_t)n * sizeof *scratch);
        key_frame_t *f = all && scratch ? key_frame_make(&s->arena, s->questions, s->root, items, n, 1, s->label) : NULL;
        if (!f || key_frame_bound(&s->arena, f, n, within.left) < 0) s->out_of_memory = s->stopped = 1;
        else {
            for (int i = 0; i < n; i++) all[i] = i;
            key_node_t N;
            memset(&N, 0, sizeof N);
            N.frame = f;
            N.at = all;
            N.n = n;
            N.within = within;
            N.weight = B.weight;
            choice_t best = {COST_INF, -1, 0}, *choice = (choice_t *)key_allocate(s, ((size_t)f->columns + 1) * sizeof *choice);
            int choices = 0;
            for (int c = 0; c < f->columns && choice; c++) {
                choice_t it = {0, c, 0};
                it.low = question_bound(s, &N, c, NULL, scratch, &it.largest);
                if (it.low >= COST_INF) continue;
                if (best.column < 0 || sooner(&it, &best)) best = it;
                if (s->any) it.low = 0;
                choice[choices++] = it;
            }
            if (B.exact && choices) question = question_of_value(s, f, &N, choice, choices, B.low);
            if (question < 0 && best.column >= 0) question = f->column[best.column].question;
        }
    }
    arena_release(&s->arena, mark);
    return question;
}

/* Take over a note: what an earlier search of the same table proved of the items that have these replies, within a cost_left
   for the whole path. Returns NULL, or why that can't be: for what leaves nothing to be asked, and for a value that a bound
   without a search speaks against. */
static const char *import_key_record(identify_t *s, const int32_t *asked, const int32_t *code, int many, limits_t within, int any,
                                  const entry_t *e) {
    const questions_t *t = s->questions;
    const arena_mark_t mark = arena_mark(&s->arena);
    int32_t *at = (int32_t *)key_allocate(s, (size_t)t->items * sizeof *at);
    int n = at ? t->items : 0, groups = 0, splits = 0;
    const char *wrong = NULL;
    for (int i = 0; i < n; i++) at[i] = i;
    for (int k = 0; k < many; k++) {
        const uint16_t *codes = t->codes + (size_t)asked[k] * (size_t)t->items;
        int kept = 0;
        for (int i = 0; i < n; i++)
            if (codes[at[i]] == code[k]) at[kept++] = at[i];
        n = kept;
        if (within.cost_left < COST_INF && (within.cost_left -= t->costs[asked[k]]) < 0) break; /* and no further below */
    }
    const int possible = within.cost_left >= 0 && within.left >= 1 && (within.left >= KEY_FREE || within.left <= n - 2);
    child_t B;
    if (at && n) {
        child_make(s, s->root, at, n, &B);
        B.low = class_bound(s, s->root, at, n, possible ? questions_left(s->root, within) : 0, &groups);
        for (int i = 1; i < n && e->exact && e->guess < t->questions; i++) {
            const uint16_t *codes = t->codes + (size_t)e->guess * (size_t)t->items;
            splits |= codes[at[i]] != codes[at[0]];
        }
    }
    if (at && groups < 2) wrong = "nothing is left to be asked";
    else if (at && !possible) wrong = "no such limits are possible";
    else if (at && (e->value < 0 || e->value > COST_INF || (any && e->value && e->value < COST_INF)
                    || (e->exact && (e->value < (any && B.low < COST_INF ? 0 : B.low) || e->value >= COST_INF || !splits || !e->height
                                  || e->height > n - 1 || e->height > within.left))
                    || (!e->exact && (e->height || e->guess != NO_GUESS))))
        wrong = "no such value is possible";
    if (at && !wrong) {
        s->any = any;
        key_remember(s, B.set, within, 0, e->value, e->exact, e->height, e->guess, n);
    }
    arena_release(&s->arena, mark);
    return wrong;
}

/* End of a call: release its memory, and be ready for the next. Returns 0, 1 where it was stopped, 2 where memory ran
   out. */
static int identify_done(identify_t *s) {
    const int end = s->out_of_memory ? 2 : s->stopped ? 1 : 0;
    s->stopped = s->out_of_memory = s->any = s->width = s->solved = 0;
    s->salt = 0;
    s->recording = 0;
    s->work_left = -1;
    arena_release(&s->arena, s->ground);
    if (end == 2) arena_trim(&s->arena);
    return end;
}

#endif
