/* The state of one thread's search: what it owns, and when it stops.

   A search that is stopped returns at once, everywhere, with UNPROVEN or a bound from before, and stores nothing:
   what it computed since is half a maximum or half a sum, which is no bound. Everything proven enters the table
   through `remember`. */
#ifndef OPTIMAL_GAME_SEARCH_STATE_H
#define OPTIMAL_GAME_SEARCH_STATE_H

#include "base/costs.h"
#include "game/similarity.h"
#include "game/nogoods.h"
#include "base/search_base.h"
#include "base/shortcuts.h"
#include "base/testing.h"

#define WORK_UNIT ((int64_t)1 << TUNED(24, 7)) /* codes looked at between two polls of the stop flag: milliseconds */
#define DEEPEST 2000           /* a search deeper than this would outgrow the stack */
#define TABLE_LEAST TUNED(6, 4) /* smaller sets are cheaper to bound again than to look up */
#define TABLE_LEAST_WEIGHED 3   /* where weights make bounds costlier */
#define MEMO_SLOTS TUNED(1 << 18, 1 << 4) /* of 16 bytes */
#define GAIN_SLOTS TUNED(1 << 14, 1 << 3)
#define COUNTED_FAST 40        /* sets of more answers take long to count */
#define TIERS_MOST 4           /* different weights that are worth a search each */
#define FREE_LOSSES TUNED(1000, 4) /* nodes that searches without a limit may waste before they must pay */

/* What a search that was stopped returns in place of a count or a value: what it computed since is no bound. Counts and
   values are never negative, so this is below every bound, maximum and budget, and raises none of them. */
#define UNPROVEN (-1)

/* Work on an offer (team.h), and the work in whose course it was made. */
typedef struct task_t {
    int64_t cancelled;
    const struct task_t *outer;
} task_t;

struct node_t;
struct position_t;
struct search_t;

/* Record an entry of the table: what is proven of a position, or of a guess there (records.h). */
typedef void (*record_t)(struct search_t *s, const struct position_t *P, int d, int guess, const entry_t *e);

/* What those who run a search may fill in; NULL: they do without. */
typedef struct {
    int (*wave)(struct search_t *s, struct node_t *N); /* have a wave of a node searched, as node_wave: a team does */
    /* Called with trees that a search for any tree finds, as beams need them; meanwhile nobody helps. */
    void (*found)(struct search_t *s, const struct node_t *N);
    record_t record;
    void (*signals)(struct search_t *s); /* look for signals; in the thread that gets them */
    void (*pause)(struct search_t *s);   /* wait for some microseconds; needed by searches of a team */
    void *self;
} hooks_t;

typedef struct search_t {
    const game_t *game;
    costs_t costs;
    hooks_t hooks;
    values_t values;           /* by position; a team shares its table */
    entry_t equivalent_entry;       /* what was last found of an equivalent position (equivalence.h) */
    memo_t member_memo;        /* by set: the most classes that a member makes of it */
    memo_t gain_memo;          /* by set: what its last step brought (openers.h) */
    arena_t arena;
    marks_t marks;             /* scratch of count_list */
    similarity_t similarity;
    nogoods_t nogoods;
    uint8_t *tile;             /* scratch of the counting loops */
    int32_t *class_size;       /* scratch by code: zero between calls */
    key128 *class_key;         /* the same */
    int32_t *family_size;      /* scratch by family: zero between calls */
    int32_t *letter_count;     /* scratch by letter and position: zero between calls */
    uint32_t *stamp;           /* by answer: member_now in the members of the set marked last */
    uint32_t member_now;
    int switches;
    int table_least;           /* smaller sets are bounded again, which is cheaper than to look them up */
    int larger_first;          /* of the classes of at most so many answers the larger are counted first */
    int feasibility_only;      /* the first tree will do: whether there is one is all that is asked */
    int level;                 /* depth of the search, in guesses */
    /* Stopping: a function that finds `stopped` set returns at once, with UNPROVEN or a bound from before; it stores nothing. */
    int stopped, too_deep;
    int64_t work;              /* codes looked at since the last poll of the stop flag */
    uint64_t units;            /* of work: polls of the stop flag */
    int64_t *stop_flag;        /* not zero: stop; NULL: nobody asks */
    const task_t *task;        /* stop where this, or one around it, is cancelled; NULL: never */
    int units_left;            /* stop after so many; -1: never */
    tally_t tally[SHORTCUTS_MANY]; /* by number */
    uint64_t nodes, count_calls, guesses_tried;
    /* Where it stands: the start of the game, and the position after the guesses made (history.h). */
    const struct position_t *whole, *start;
    arena_mark_t bottom;       /* what stays in the arena from call to call */
    struct under_way_t *under_way; /* records.h */
    uint64_t recorded_at, called_at; /* units when bounds were last recorded, and when the call began */
    table_t plans;             /* the best tree found of a position: its cost, height, first guess; rounds done */
    int64_t *likely_cost;      /* by class size, for beams (beams.h) */
    int round;                 /* the last round of beams that was done */
    values_t canonical;        /* guesses of canonical trees; the team shares that table, too */
    const struct supersets_t *supersets; /* which help with openers; NULL: none do */
    struct search_t *plain;    /* one with unit costs, for bounds of weights of few kinds (tiers.h); NULL: none */
    int tiers;                 /* different weights above 0, */
    int64_t tier[TIERS_MOST];  /* rising */
    struct team_t *team;       /* NULL: it works alone */
    int helped, pauses;        /* offers of others that it took part in; pauses made */
} search_t;

/* The different weights, if they are few, with what is late not charged more. */
static void find_tiers(search_t *s, int answers) {
    s->tiers = 0;
    if (s->costs.uniform || s->costs.by >= 0) return;
    for (int a = 0; a < answers; a++) {
        const int64_t weight = s->costs.weights[a];
        int at = 0;
        while (at < s->tiers && s->tier[at] < weight) at++;
        if (!weight || (at < s->tiers && s->tier[at] == weight)) continue;
        if (s->tiers == TIERS_MOST) {
            s->tiers = 0;
            return;
        }
        memmove(s->tier + at + 1, s->tier + at, (size_t)(s->tiers++ - at) * sizeof *s->tier);
        s->tier[at] = weight;
    }
}

/* Make a search of a game, with tables of so many slots to begin with and at most; `off` are switches to leave out.
   What costs mean is set before. Returns -1 when memory runs out; search_free must follow in any case. */
static int search_init(search_t *s, const game_t *g, int off, size_t slots, size_t max_slots) {
    s->game = g;
    s->units_left = -1;
    s->switches = ~off;
    if (!(s->switches & COUNTS)) s->switches &= ~DEPTHS;              /* which speak of counts */
    if (!s->costs.unit) s->switches &= ~SUBSETS;                        /* which speak of numbers of answers */
    if (!s->costs.uniform) s->switches &= ~SYMMETRY;                  /* answers of the same pattern may weigh differently */
    if (g->rules != NORMAL || !s->costs.unit) s->switches &= ~NOGOODS; /* where sets alone don't decide */
    s->table_least = s->costs.unit ? TABLE_LEAST : TABLE_LEAST_WEIGHED;
    /* Most guesses are refuted by a few of their largest classes, whose bounds rise most. Under hard rules that takes
       longer than it saves where they are not counted fast. */
    s->larger_first = s->costs.late || g->rules == NORMAL ? g->answers : COUNTED_FAST;
    const size_t codes = g->width == 1 ? 256 : CODES_MOST, answers = (size_t)g->answers;
    s->class_size = (int32_t *)arena_zeroed(&s->arena, codes, sizeof *s->class_size);
    s->class_key = (key128 *)arena_zeroed(&s->arena, codes, sizeof *s->class_key);
    s->family_size = (int32_t *)arena_zeroed(&s->arena, (size_t)g->families, sizeof *s->family_size);
    s->letter_count = (int32_t *)arena_zeroed(&s->arena, (size_t)g->letters, sizeof *s->letter_count);
    s->stamp = (uint32_t *)arena_zeroed(&s->arena, answers, sizeof *s->stamp);
    s->marks.mark = (uint32_t *)arena_zeroed(&s->arena, codes, sizeof *s->marks.mark);
    s->tile = (uint8_t *)arena_alloc(&s->arena, TILE_BYTES(SIMILARITY_MOST));
    similarity_init(&s->similarity, &s->arena, answers);
    if (s->switches & NOGOODS) nogoods_init(&s->nogoods, &s->arena, answers);
    find_tiers(s, g->answers);
    if (s->tiers && s->switches & TIERS) {
        max_slots /= 2;
        s->plain = (search_t *)checked_calloc(1, sizeof *s->plain);
        if (!s->plain) return -1;
        s->plain->costs = (costs_t){NULL, 1, 1, 1, -1, 0, 0};
        if (search_init(s->plain, g, off, slots, max_slots) < 0) return -1;
    }
    return s->arena.failed || table_init(&s->values.own, slots, max_slots) < 0 || memo_init(&s->member_memo, MEMO_SLOTS) < 0
                   || memo_init(&s->gain_memo, GAIN_SLOTS) < 0
               ? -1 : 0;
}

/* Frees what was made, of a search that was all zeros before. */
static void search_free(search_t *s) {
    table_free(&s->values.own);
    table_free(&s->plans);
    table_free(&s->canonical.own);
    memo_free(&s->member_memo);
    memo_free(&s->gain_memo);
    if (s->plain) search_free(s->plain);
    free(s->plain);
    arena_free(&s->arena);
}

/* End of a call: release its memory, and be ready for the next. */
static int search_done(search_t *s) {
    const int end = s->arena.failed ? OUT_OF_MEMORY : s->too_deep ? TOO_DEEP : s->stopped ? STOPPED : DONE;
    s->stopped = s->arena.failed = s->too_deep = s->feasibility_only = s->level = 0;
    arena_release(&s->arena, s->bottom);
    s->called_at = s->units;
    if (end == OUT_OF_MEMORY) arena_trim(&s->arena);
    if (end == OUT_OF_MEMORY && s->plain) arena_trim(&s->plain->arena);
    return end;
}

/* Whether nothing but a lack of units stopped the search. */
static inline int units_ran_out(const search_t *s) {
    return s->units_left < 0 && !s->arena.failed && !s->too_deep && !(s->stop_flag && OPTIMAL_LOAD(s->stop_flag));
}

/* The codes that the search has looked at so far. */
static inline int64_t codes_seen(const search_t *s) {
    return (int64_t)s->units * WORK_UNIT + s->work;
}

static void poll_stop(search_t *s) {
    s->work = 0;
    s->units++;
    void (*const signals)(search_t *) = s->hooks.signals;
    if (signals) signals(s);
    if (s->stop_flag && OPTIMAL_LOAD(s->stop_flag)) s->stopped = 1;
    for (const task_t *t = s->task; t; t = t->outer)
        if (OPTIMAL_LOAD(&t->cancelled)) s->stopped = 1;
    if (s->units_left >= 0 && s->units_left-- == 0) s->stopped = 1;
}

/* Count work; once a unit, poll the stop flag and, in the main thread, pending signals. */
static inline void count_work(search_t *s, int64_t codes) {
    s->work += codes;
    if (s->work >= WORK_UNIT) poll_stop(s);
}

/* Stop before the stack overflows. */
static inline void guard_depth(search_t *s, int levels_to_come) {
    if (s->level + levels_to_come > DEEPEST) s->too_deep = s->stopped = 1;
}

/* For assertions: a position has one exact value, and no bound is above it. */
static inline int agrees_with_table(search_t *s, key128 key, int64_t value, int exact) {
    const entry_t *found = values_find(&s->values, key);
    if (!found) return 1;
    if (found->exact) return exact ? value == found->value : value <= found->value;
    return !exact || value >= found->value;
}

/* Store what is proven of a position: the only way into the table. Nothing is proven by a search that was stopped
   half-way, and one that asks for any tree proves no values but that there is none. */
static inline void remember(search_t *s, key128 key, int64_t value, int exact, int height, int guess, int counted,
                            int n) {
    if (n < s->table_least || !(s->switches & TABLE) || s->stopped) return;
    if (s->feasibility_only && value < COST_INF) return;
    assert(0 <= value && value <= COST_INF && agrees_with_table(s, key, value, exact));
    values_store(&s->values, key, value, exact, height, guess, counted, n);
}

/* What is stored of a position, until the next call; or NULL. */
static inline const entry_t *recall(search_t *s, key128 key, int n) {
    if (n < s->table_least || !(s->switches & TABLE)) return NULL;
    tally_t *tally = &s->tally[TABLE_NUMBER];
    const entry_t *e = values_find(&s->values, key);
    tally->asked++;
    tally->settled += e != NULL;
    return e;
}

/* Prefetch the place where that would be. */
static inline void recall_prefetch(search_t *s, key128 key, int n) {
    if (n < s->table_least || !(s->switches & TABLE)) return;
    values_prefetch(&s->values, key);
}

/* Mark the members of a set: is_member holds until the next call. */
static inline void mark_members(search_t *s, const int32_t *B, int n) {
    if (!++s->member_now) { /* all stamps have been used: begin again */
        for (int a = 0; a < s->game->answers; a++) s->stamp[a] = 0;
        s->member_now = 1;
    }
    for (int i = 0; i < n; i++) s->stamp[B[i]] = s->member_now;
}

static inline int is_member(const search_t *s, int answer) {
    return answer >= 0 && s->stamp[answer] == s->member_now;
}

#endif
