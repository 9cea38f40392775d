/* A team: searches of one question that take part in each other's large nodes.

   A search offers the guesses of a wave; others of the team that have nothing to do take some of them. A node's cost
   depends on no order of its guesses, so it makes no difference who finds it.

   Each guess is refuted against a cost that some tree attains, or against the budget, and none is left out. For the
   choice of a canonical guess a later one must be lower, an earlier one may be as high: so the first of least height is
   found in any order. A search that can't finish a guess says so, and the offer fails.

   The owner alone changes the node, while nobody is at work on it. What a node fills in on demand is each helper's own
   (offer_copy). */
#ifndef OPTIMAL_SEARCH_TEAM_H
#define OPTIMAL_SEARCH_TEAM_H

#include "base/shared.h"
#include "search/value.h"

#define TAKEN_MOST 16 /* guesses taken at once */
#define OFFER_LEAST TUNED(64, 4) /* of smaller positions nothing is offered: they are searched before anybody is there */

/* What is to be done with the guesses: steps 4 and 5 of a node, and the choice among its best ones. */
enum { BOUND_GUESSES, SEARCH_GUESSES, CHOOSE_GUESS };

struct offer_t;
/* CHOOSE_GUESS: how high the classes of a guess of the list are, `most` if that or more (canonical.h). */
typedef int (*choose_t)(search_t *s, const node_t *M, int place, int64_t value, int most);

typedef struct offer_t {
    task_t task;            /* polled by those at work on it */
    int kind;
    node_t *N;              /* its owner alone changes it, and only while nobody is at work */
    int level, feasibility_only; /* of the owner's search */
    int next, upto, step;   /* guesses of the list that nobody has taken yet: [next, upto), so many at once */
    int helpers;            /* searches at work beside the owner's */
    int settled;            /* one tree was all that is asked, and is found */
    int failed, out_of_memory, too_deep; /* a guess was left unfinished, and why */
    int64_t best;           /* the node's least cost so far, and its tree */
    int height, guess;
    choose_t choose;        /* CHOOSE_GUESS: how */
    int64_t value;          /* what a best guess costs */
    int lowest, place;      /* and the least height among these so far, FREE + 1 for none; the first guess that has it */
    int least;              /* no tree is lower */
    struct offer_t *newer;
} offer_t;

typedef struct team_t {
    lock_t lock;
    offer_t *oldest;
    int least;              /* of positions of fewer answers nothing is offered */
    int patience;           /* for tests: pauses between making an offer and beginning with it */
    int at_work;            /* searches that may still make an offer */
    shared_table_t values, canonical;
} team_t;

/* Offer guesses [from, upto) of a node's list. The kind, and what is known where one is to be chosen, is there
   already. */
static void offer_make(team_t *t, const search_t *s, offer_t *o, node_t *N, int from, int upto) {
    offer_t **at = &t->oldest;
    o->task.cancelled = 0;
    o->task.outer = s->task;
    o->N = N;
    o->level = s->level;
    o->feasibility_only = s->feasibility_only;
    o->next = from;
    o->upto = upto;
    o->step = 1;
    if (o->kind == BOUND_GUESSES) /* they take little time each, and much the same */
        o->step = (upto - from) / 32 < 1 ? 1 : (upto - from) / 32 < TAKEN_MOST ? (upto - from) / 32 : TAKEN_MOST;
    o->helpers = o->settled = o->failed = o->out_of_memory = o->too_deep = 0;
    o->best = N->best;
    o->height = N->height;
    o->guess = N->guess;
    o->newer = NULL;
    lock_take(&t->lock);
    while (*at) at = &(*at)->newer;
    *at = o;
    lock_leave(&t->lock);
}

/* Whether an offer was made in the course of work on `task`. */
static inline int offer_within(const offer_t *o, const task_t *task) {
    const task_t *outer = o->task.outer;
    while (outer && outer != task) outer = outer->outer;
    return outer == task;
}

/* Join the oldest offer that has guesses left: it was made nearest the root, and so takes longest. `task`: only offers
   made in the course of it; NULL: any. NULL where there is none. */
static offer_t *offer_join(team_t *t, const task_t *task) {
    offer_t *o;
    lock_take(&t->lock);
    for (o = t->oldest; o; o = o->newer)
        if (o->next < o->upto && !o->task.cancelled && (!task || offer_within(o, task))) break;
    if (o) o->helpers++;
    lock_leave(&t->lock);
    return o;
}

/* Take the next guesses, [*from, *upto) of the list; returns 0 where none are left. */
static int offer_take(team_t *t, offer_t *o, int *from, int *upto) {
    lock_take(&t->lock);
    *from = o->next;
    *upto = o->upto - o->next > o->step ? o->next + o->step : o->upto;
    o->next = *upto;
    const int taken = *from < *upto && !o->task.cancelled;
    lock_leave(&t->lock);
    return taken;
}

/* A tree of the node: the best so far, unless another search has found a better one meanwhile. */
static void offer_found(team_t *t, offer_t *o, const node_t *M, int settled) {
    lock_take(&t->lock);
    if (M->best < o->best) {
        o->height = M->height;
        o->guess = M->guess;
        OPTIMAL_STORE(&o->best, M->best);
    }
    if (settled) {
        o->settled = 1;
        OPTIMAL_STORE(&o->task.cancelled, 1);
    }
    lock_leave(&t->lock);
}

/* For the choice: classes as high as this make a tree that isn't chosen. Of equal heights the first in the list is. */
static int offer_too_high(team_t *t, offer_t *o, int place) {
    lock_take(&t->lock);
    const int most = o->lowest - (place >= o->place);
    lock_leave(&t->lock);
    return most;
}

static void offer_choose(team_t *t, offer_t *o, int place, int height) {
    lock_take(&t->lock);
    if (height < o->lowest || (height == o->lowest && place < o->place)) {
        o->lowest = height;
        o->place = place;
    }
    if (o->lowest <= o->least && o->upto > o->place) o->upto = o->place > o->next ? o->place : o->next;
    lock_leave(&t->lock);
}

/* Mark that a search has left guesses unfinished, and why. Once the offer is void, it makes no difference. */
static void offer_fail(team_t *t, const search_t *s, offer_t *o) {
    lock_take(&t->lock);
    if (!o->task.cancelled) {
        o->failed = 1;
        o->out_of_memory |= s->arena.failed;
        o->too_deep |= s->too_deep;
        OPTIMAL_STORE(&o->task.cancelled, 1);
    }
    lock_leave(&t->lock);
}

static void offer_leave(team_t *t, offer_t *o) {
    lock_take(&t->lock);
    o->helpers--;
    lock_leave(&t->lock);
}

/* Withdraw an offer, unless somebody is still at work on it: 0. */
static int offer_withdraw(team_t *t, offer_t *o) {
    offer_t **at = &t->oldest;
    lock_take(&t->lock);
    const int alone = !o->helpers;
    o->next = o->upto;
    if (alone) {
        while (*at != o) at = &(*at)->newer;
        *at = o->newer;
    }
    lock_leave(&t->lock);
    return alone;
}

/* The owner's node once everybody is done: what was found, and of a wave that was bounded the guesses that survive,
   least bound first. */
static void offer_close(const offer_t *o, int from, int upto) {
    node_t *N = o->N;
    N->best = o->best;
    N->height = o->height;
    N->guess = o->guess;
    if (o->kind != BOUND_GUESSES) return;
    N->to = from;
    for (int i = from; i < upto; i++)
        if (N->list[i].low < N->best) N->list[N->to++] = N->list[i];
    qsort(N->list + from, (size_t)(N->to - from), sizeof *N->list, by_low);
}

/* A helper's copy of the node on offer: what a node finds out on demand the helper finds out for itself, in memory of
   its own; -1 where that runs out. All other memory of the node is only read, but for the guesses that were taken. */
static int offer_copy(search_t *s, const offer_t *o, node_t *M, frame_t *frame) {
    const node_t *N = o->N;
    const frame_t *f = N->legal.frame;
    const size_t blocks = (size_t)N->frame->blocks;
    *M = *N;
    if (s->game->rules == HARD && f != &s->game->root) {
        const size_t features = (size_t)s->game->feature_words * 64;
        *frame = *f;
        frame->having = (uint64_t *)allocate(s, features * (size_t)f->blocks * sizeof *frame->having);
        frame->ready = (uint8_t *)allocate(s, features);
        if (!frame->having || !frame->ready) return -1;
        memset(frame->ready, 0, features);
        M->legal.frame = frame;
    }
    if (N->near) {
        M->near = (nogoods_near_t *)allocate(s, sizeof *M->near);
        if (!M->near) return -1;
        *M->near = *N->near;
    }
    if (o->kind == BOUND_GUESSES && N->sizes.frame) {
        M->sizes.total = (uint32_t *)allocate(s, blocks * BLOCK * sizeof *M->sizes.total);
        M->sizes.ready = (uint8_t *)allocate(s, blocks);
        if (!M->sizes.total || !M->sizes.ready) return -1;
        memset(M->sizes.ready, 0, blocks);
    }
    return 0;
}

#endif
