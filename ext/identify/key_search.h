/* The state of one search for keys: its memory and table, when it stops, and what tests can leave out.

   Everything proven enters the table through key_remember, and is read by key_recall within the same limits. A set's
   key is the sum of random words of its items (Zobrist 1970), 128 bits, as in games. */
#ifndef OPTIMAL_IDENTIFY_KEY_SEARCH_H
#define OPTIMAL_IDENTIFY_KEY_SEARCH_H

#include "identify/key_bounds.h"
#include "identify/limits.h"
#include "base/search_base.h"
#include "base/shortcuts.h"

#define KEY_WORK_UNIT ((int64_t)1 << TUNED(20, 8)) /* steps of work between two polls of the stop flag */
#define LIMITS_COMPARED 12 /* limits that assertions compare what is stored within */
#define TRIED_LEAST 64     /* attempts before something is given up, except for a small part of all work, */
#define TRIED_WORK ((uint64_t)1 << 26) /* and steps */

/* As in base/shortcuts.h: SHORTCUT(NAME, name of the switch, what it leaves out) */
#define KEY_SHORTCUTS(SHORTCUT) \
    SHORTCUT(KEY_TABLE, "table", "looking up and storing values and bounds") \
    SHORTCUT(KEY_FRAMES, "frames", "own frames of smaller sets") \
    SHORTCUT(KEY_SIZES, "sizes", "bounds by the number of groups") \
    SHORTCUT(KEY_HUFFMAN, "huffman", "bounds by weights") \
    SHORTCUT(KEY_PAIRS, "pairs", "bounds by what separates pairs") \
    SHORTCUT(KEY_ISOMORPHISM, "isomorphism", "looking up and storing values of isomorphic sets") \
    SHORTCUT(KEY_EQUAL_PARTITIONS, "equal-partitions", "passing over questions that split a set as another does") \
    SHORTCUT(KEY_FREE_FIRST, "free-first", "searching without a limit first") \
    SHORTCUT(KEY_ORDER, "order", "trying the question of the least bound first")
enum { KEY_SHORTCUTS(SHORTCUT_NUMBER) KEY_SHORTCUTS_MANY };
enum { KEY_SHORTCUTS(SHORTCUT_BIT) };
typedef struct {
    const char *name, *without;
} key_shortcut_t;
static const key_shortcut_t key_shortcut_text[] = {KEY_SHORTCUTS(SHORTCUT_TEXT)};

/* A question that may be asked at a node: no key that begins with it costs less than `low`. */
typedef struct {
    int64_t low;
    int32_t column, largest;
} choice_t;

/* The child set behind one reply. */
typedef struct {
    const int32_t *at;   /* places in the frame, rising */
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
    key128 set, isomorphism; /* isomorphism: 0 where it isn't known */
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
    values_t values;     /* by set and limits */
    key_frame_t *root;
    int32_t *all;
    int switches, stopped;
    int any;             /* whether there is a key is all that is asked: questions cost nothing */
    int width, solved;   /* beams: so many questions are tried of sets of more than `solved` groups; 0: all */
    key_node_t *top;          /* what must be searched next */
    int64_t work, work_left; /* since the last poll of the stop flag; stop after so much, -1: never */
    int64_t *stop_flag;
    void (*signals)(struct identify_t *s);
    /* Records what is proven of sets in the course of long work: an item of the set, the questions asked before, last first,
       the questions left, and the entry. Only in calls over all items, `recording`; these ask `first` before (-1: no). */
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

/* Returns -1 when memory runs out; identify_free must follow in any case. */
static int identify_init(identify_t *s, questions_t *t, int off, size_t slots, size_t max_slots) {
    const size_t n = (size_t)t->items;
    arena_t *const a = &s->arena;
    s->questions = t;
    s->switches = ~off;
    s->work_left = -1;
    questions_build(t, a);
    s->label = (uint16_t *)arena_alloc(a, 65536 * sizeof *s->label);
    s->count = (int32_t *)arena_zeroed(a, 65536, sizeof *s->count);
    s->start = (int32_t *)arena_alloc(a, (n + 1) * sizeof *s->start);
    s->stamp = (int32_t *)arena_zeroed(a, n, sizeof *s->stamp);
    s->place = (int32_t *)arena_alloc(a, (n + 1) * sizeof *s->place);
    s->sums = (int64_t *)arena_alloc(a, n * sizeof *s->sums);
    s->tops = (int64_t *)arena_alloc(a, n * sizeof *s->tops);
    s->joined = (int64_t *)arena_alloc(a, n * sizeof *s->joined);
    s->by_code = (int64_t *)arena_zeroed(a, n, sizeof *s->by_code);
    s->all = (int32_t *)arena_alloc(a, n * sizeof *s->all);
    if (a->failed || table_init(&s->values.own, slots, max_slots) < 0) return -1;
    for (int i = 0; i < t->items; i++) s->all[i] = i;
    s->root = key_frame_make(a, t, NULL, s->all, t->items, s->switches & KEY_FRAMES, s->label);
    if (!s->root || key_frame_bound(a, s->root, t->groups, LAYERS_MOST) < 0) return -1;
    s->ground = arena_mark(a);
    return 0;
}

static void identify_free(identify_t *s) {
    arena_free(&s->arena);
    table_free(&s->values.own);
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

/* The key of a set with its limits, by the kind of search: what a beam finds is apart from what is proven. */
static key128 key_of(const identify_t *s, key128 set, limits_t within, int beam) {
    const uint64_t salt = (beam ? s->salt : 0) + (s->any ? 0x5851f42d4c957f2dull : 0);
    if (salt || within.left < FREE || within.cost_left < COST_INF) {
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
    return values_find(&s->values, key_of(s, set, within, beam));
}

/* For assertions: by `proves` no entry of the set speaks against what is to be stored, in either direction. */
static inline int key_agrees(identify_t *s, key128 set, limits_t within, int64_t value, int exact, int height) {
    for (int i = 0; i <= LIMITS_COMPARED; i++) {
        const limits_t other = {i < LIMITS_COMPARED ? i : FREE, within.cost_left};
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
    values_store(&s->values, key_of(s, set, within, beam), value, exact, height, question, 0, n);
}

/* End of a call: release its memory, and be ready for the next. Returns how it ended. */
static int identify_done(identify_t *s) {
    const int end = s->arena.failed ? OUT_OF_MEMORY : s->stopped ? STOPPED : DONE;
    s->stopped = s->arena.failed = s->any = s->width = s->solved = 0;
    s->salt = 0;
    s->recording = 0;
    s->work_left = -1;
    arena_release(&s->arena, s->ground);
    if (end == OUT_OF_MEMORY) arena_trim(&s->arena);
    return end;
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

#endif
