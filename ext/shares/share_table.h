/* A table whose objects have too many forms to be written out, and the sets that a search of it meets.

   A cell has one reply, or several of which each comes equally often. A state is what some questions and their replies
   leave: the objects that fit, each with its share, the weight of those of its forms that reply so. A question comes
   at most once on a path, so an object whose cell has k replies goes down k branches, with its share divided by k.

   Shares are whole numbers. Where the caller's weights are multiples of all products of k that occur, every division is
   exact. Else each is rounded down: a key costs no less with the true weights, so what is found to be a lower bound is
   one, but no value is exact. */
#ifndef OPTIMAL_SHARES_SHARE_TABLE_H
#define OPTIMAL_SHARES_SHARE_TABLE_H

#include "base/search_base.h"
#include "identify/key_bounds.h"

#define SHARE_WORK_UNIT ((int64_t)1 << TUNED(20, 8)) /* steps between two polls of the stop flag */

typedef struct {
    int objects, questions, single; /* single: no two objects are of one group */
    const uint16_t *cell;     /* questions x objects: which of the question's cells an object has */
    const int32_t *first;     /* by question: the number of its first cell among the cells of all questions */
    const int32_t *replies;   /* by question: how many it has */
    const int32_t *reply_at;  /* by cell: where its replies begin; one more */
    const uint16_t *reply;    /* the replies of all cells, rising in each */
    const int64_t *weights;   /* by object */
    const int32_t *group;     /* by object */
    const uint8_t *kept;      /* by object: of any two kept of different groups, one shares no form with the other's group */
    const int32_t *cover_at;  /* by object: where its covers begin; one more. A cover has all its forms, and others; */
    const int32_t *cover;     /* none where groups have several objects */
    const int64_t *cover_cost; /* of a cover: what the questions cost in whose cells the two differ */
    const int64_t *costs;     /* by question */
    key128 *word;             /* by object, then by question: a state's key is the sum of those of its objects, and of */
} share_table_t;              /* the questions asked that some of these reply to differently */

/* A state: objects by rising share. */
typedef struct {
    int32_t *object;
    int64_t *share;
    int64_t weight; /* the sum of shares */
    int n, code;    /* code: the reply that led to it */
} share_set_t;

typedef struct share_search_t {
    const share_table_t *table;
    arena_t arena;
    arena_mark_t ground;
    values_t values;
    int stopped;
    int width, solved; /* beams: so many questions are tried of states of more than `solved` objects; 0: all */
    uint64_t nodes, steps, salt;
    int64_t work, work_left;
    int64_t *stop_flag;
    void (*signals)(struct share_search_t *s);
    int32_t *asked; /* the questions on the path */
    int depth;
    share_set_t root;
    /* scratch */
    int32_t *count, *start, *stamp;
    uint16_t *label;
    int64_t *sums, *joined;
    int32_t now;
} share_search_t;

static inline const uint16_t *cell_replies(const share_table_t *t, int question, int object, int *many) {
    const int cell = t->first[question] + t->cell[(size_t)question * (size_t)t->objects + (size_t)object];
    *many = t->reply_at[cell + 1] - t->reply_at[cell];
    return t->reply + t->reply_at[cell];
}

static inline void share_work(share_search_t *s, int64_t steps) {
    s->work += steps;
    s->steps += (uint64_t)steps;
    if (s->work_left >= 0 && (s->work_left -= steps) < 0) s->work_left = 0, s->stopped = 1;
    if (s->work < SHARE_WORK_UNIT) return;
    s->work = 0;
    if (s->signals) s->signals(s);
    if (s->stop_flag && OPTIMAL_LOAD(s->stop_flag)) s->stopped = 1;
}

/* Whether objects of a set differ in their cells: else their replies to the question say nothing about them. */
static inline int cells_differ(const share_table_t *t, int question, const share_set_t *S) {
    const uint16_t *cell = t->cell + (size_t)question * (size_t)t->objects;
    for (int i = 1; i < S->n; i++)
        if (cell[S->object[i]] != cell[S->object[0]]) return 1;
    return 0;
}

/* Put shares in rising order; they nearly are. */
static inline void shares_rise(share_set_t *S) {
    for (int i = 1; i < S->n; i++) {
        const int64_t share = S->share[i];
        const int32_t object = S->object[i];
        int j = i;
        for (; j > 0 && S->share[j - 1] > share; j--) S->share[j] = S->share[j - 1], S->object[j] = S->object[j - 1];
        S->share[j] = share, S->object[j] = object;
    }
}

/* How many objects the states behind all replies to a question have, in sum. */
static inline int share_room(const share_table_t *t, int question, const share_set_t *S) {
    int room = 0, many;
    for (int i = 0; i < S->n; i++) cell_replies(t, question, S->object[i], &many), room += many;
    return room;
}

/* The states behind the replies to a question, which go to `out`, their objects and shares to `object` and `share`.
   Returns how many there are. */
static int share_split(share_search_t *s, int question, const share_set_t *S, share_set_t *out, int32_t *object, int64_t *share) {
    const share_table_t *t = s->table;
    int states = 0, begin = 0, many;
    for (int i = 0; i < S->n; i++) {
        const uint16_t *reply = cell_replies(t, question, S->object[i], &many);
        for (int k = 0; k < many; k++)
            if (s->count[reply[k]]++ == 0) s->label[states++] = reply[k];
    }
    for (int c = 0; c < states; c++) {
        out[c] = (share_set_t){object + begin, share + begin, 0, 0, s->label[c]};
        begin += s->count[s->label[c]];
        s->count[s->label[c]] = c;
    }
    for (int i = 0; i < S->n; i++) {
        const uint16_t *reply = cell_replies(t, question, S->object[i], &many);
        const int64_t part = S->share[i] / many;
        for (int k = 0; k < many; k++) {
            share_set_t *at = out + s->count[reply[k]];
            at->object[at->n] = S->object[i];
            at->share[at->n++] = part;
            at->weight += part;
        }
    }
    for (int c = 0; c < states; c++) {
        s->count[s->label[c]] = 0;
        shares_rise(out + c);
    }
    share_work(s, S->n + begin);
    return states;
}

/* Whether all objects of a set are of one group. */
static inline int one_group(const share_table_t *t, const share_set_t *S) {
    for (int i = 1; i < S->n; i++)
        if (t->group[S->object[i]] != t->group[S->object[0]]) return 0;
    return 1;
}

#endif
