/* Searches that take part in each other's large nodes.

   Each wave of a large node is offered to the team; a search with nothing to do takes guesses of it (team.h). The
   owner of a node waits until all that were taken are done, and meanwhile helps with what was offered in their
   course.

   Those offers end before its own does: so no two searches wait for each other, and the stack grows with the levels of
   the tree alone. */
#ifndef OPTIMAL_SEARCH_TEAMWORK_H
#define OPTIMAL_SEARCH_TEAMWORK_H

#include "search/team.h"

#define PAUSES 500 /* between two polls of signals, while waiting */

/* Wait a little; now and then poll signals. */
static void team_pause(search_t *s) {
    s->hooks.pause(s);
    if (++s->pauses % PAUSES == 0 && s->hooks.signals) s->hooks.signals(s);
}

/* Do what the offer asks with guesses [from, upto) of the list. */
static void team_do(search_t *s, offer_t *o, node_t *M, int from, int upto) {
    if (o->kind == CHOOSE_GUESS) {
        for (int i = from; i < upto; i++) {
            const int most = offer_too_high(s->team, o, i), height = o->choose(s, M, i, o->value, most);
            if (height < most) offer_choose(s->team, o, i, height + 1);
        }
        return;
    }
    const int64_t before = OPTIMAL_LOAD(&o->best);
    int settled;
    M->best = before;
    M->from = from;
    M->to = M->upto = upto;
    if (o->kind == BOUND_GUESSES) {
        settled = node_bound_wave(s, M);
        for (int i = M->to; i < upto; i++) M->list[i].low = COST_INF; /* refuted */
    } else {
        settled = node_search_wave(s, M);
    }
    if (M->best < before) offer_found(s->team, o, M, settled == SETTLED);
}

/* Take guesses until none are left. */
static void team_work(search_t *s, offer_t *o, node_t *M) {
    int from, upto;
    M->mark = arena_mark(&s->arena);
    while (!s->stopped && offer_take(s->team, o, &from, &upto)) team_do(s, o, M, from, upto);
}

/* Take part in an offer, made in the course of `task` unless that is NULL. Returns 0 if there is none. */
static int team_help(search_t *s, const task_t *task) {
    offer_t *o = offer_join(s->team, task);
    if (!o) return 0;
    const task_t *outer = s->task;
    const int level = s->level, units = s->units_left, feasibility_only = s->feasibility_only;
    const arena_mark_t mark = arena_mark(&s->arena);
    node_t M;
    frame_t frame;
    s->helped++;
    s->task = &o->task;
    s->level = o->level;
    s->units_left = -1;
    s->feasibility_only = o->feasibility_only;
    if (offer_copy(s, o, &M, &frame) == 0) team_work(s, o, &M);
    if (s->stopped) offer_fail(s->team, s, o);
    offer_leave(s->team, o);
    arena_release(&s->arena, mark);
    s->stopped = s->arena.failed = s->too_deep = 0;
    s->task = outer;
    s->level = level;
    s->units_left = units;
    s->feasibility_only = feasibility_only;
    return 1;
}

/* Have guesses [from, upto) of a node's list done, with all who come to help; o->kind and what the choice needs are
   set. Returns SETTLED where that was the end of the node. */
static int team_share(search_t *s, offer_t *o, node_t *N, int from, int upto) {
    const task_t *outer = s->task;
    const int units = s->units_left;
    node_t M = *N;
    if (s->stopped || from >= upto) return OPEN;
    if (N->near) { /* helpers may copy the node's while this search adds to them */
        M.near = (nogoods_near_t *)allocate(s, sizeof *M.near);
        if (!M.near) return OPEN;
        *M.near = *N->near;
    }
    offer_make(s->team, s, o, N, from, upto);
    s->task = &o->task;
    for (int i = 0; i < s->team->patience; i++) team_pause(s);
    team_work(s, o, &M);
    if (s->stopped) offer_fail(s->team, s, o);
    while (!offer_withdraw(s->team, o))
        if (s->stopped || !team_help(s, &o->task)) team_pause(s);
    s->task = outer;
    if (N->near) *N->near = *M.near;
    offer_close(o, from, upto);
    if (o->settled) { /* all others still at work were stopped for that */
        s->stopped = units >= 0 && s->units_left < 0;
        s->arena.failed = s->too_deep = 0;
        return node_settle(s, N, N->best);
    }
    if (o->failed) {
        s->stopped = 1;
        s->arena.failed |= o->out_of_memory;
        s->too_deep |= o->too_deep;
    }
    return OPEN;
}

/* node_wave, with the team where the node is large. */
static int team_wave(search_t *s, node_t *N) {
    const int from = N->from;
    offer_t o;
    if (N->P->n < s->team->least) return node_wave(s, N);
    o.kind = BOUND_GUESSES;
    if (team_share(s, &o, N, from, N->upto) == SETTLED) return SETTLED;
    /* The most promising guess first, by itself: what it costs saves most of the work on the others. */
    node_t M = *N;
    M.to = from + 1 < N->to ? from + 1 : N->to;
    const int settled = node_search_wave(s, &M);
    N->best = M.best;
    N->height = M.height;
    N->guess = M.guess;
    if (settled == SETTLED) return SETTLED;
    o.kind = SEARCH_GUESSES;
    return team_share(s, &o, N, from + 1, N->to);
}

/* Belong to a team from now on. */
static void team_join(search_t *s, team_t *team) {
    s->team = team;
    s->values.shared = &team->values;
    s->canonical.shared = &team->canonical;
    s->hooks.wave = team_wave;
}

/* Help the others of the team until none of them is at work, or the search is stopped. */
static void team_assist(search_t *s) {
    for (int going_on = 1; going_on && !(s->stop_flag && OPTIMAL_LOAD(s->stop_flag));) {
        if (team_help(s, NULL)) continue;
        team_pause(s);
        lock_take(&s->team->lock);
        going_on = s->team->at_work > 0;
        lock_leave(&s->team->lock);
    }
}

#endif
