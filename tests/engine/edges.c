/* What no whole search meets: 65535 classes, marks and stamps that wrap, sums next to 2^62, and two trees of one node
   found at the same time by two searches. */
#undef NDEBUG
#include <assert.h>
#include <stdio.h>
#include "search/engine.h"
#define MOST 65535

static uint16_t codes[MOST];
static int32_t everyone[MOST], column[1] = {0};
static uint32_t mark[65536], stamp[3];

static void marks_wrap(void) {
    uint16_t count = 0;
    marks_t marks = {mark, UINT32_MAX - 2};
    for (int i = 0; i < MOST; i++) codes[i] = (uint16_t)i, everyone[i] = i;
    for (int round = 0; round < 5; round++) { /* the marks wrap on the way */
        count_list((const uint8_t *)codes, 2, MOST, column, 1, everyone, MOST, &marks, &count);
        assert(count == MOST);
        count_list((const uint8_t *)codes, 2, MOST, NULL, 1, everyone, 7, &marks, &count);
        assert(count == 7);
    }
    assert(marks.now < 20);
}

/* The stamps of members wrap: those of long ago are no members now. */
static void stamps_wrap(void) {
    static game_t g;
    static search_t s;
    const int32_t first[1] = {0}, second[1] = {1};
    g.answers = 3;
    s.game = &g;
    s.stamp = stamp;
    stamp[2] = 1;
    s.member_now = UINT32_MAX - 1;
    mark_members(&s, first, 1);
    assert(is_member(&s, 0) && !is_member(&s, 1) && !is_member(&s, 2) && !is_member(&s, -1));
    mark_members(&s, second, 1);
    assert(!is_member(&s, 0) && is_member(&s, 1) && !is_member(&s, 2));
}

/* Sums stop at COST_INF, and are right below it. */
static void sums_end(void) {
    const int64_t inf = COST_INF;
    assert(cost_add(inf - 1, 0) == inf - 1 && cost_add(inf - 1, 1) == inf && cost_add(inf, inf) == inf);
    assert(cost_add(inf / 2, inf / 2 - 1) == inf - 1 && cost_add(0, inf) == inf && cost_add(inf, 0) == inf);
    costs_t c = {0};
    c.by = 3;
    for (int64_t late = 1; late < inf / 2; late = 3 * late + 1) {
        const int64_t most = (inf - 1) / (1 + late);
        c.late = late;
        assert(cost_charge(&c, most, 3) == most * (1 + late) && cost_charge(&c, most + 1, 3) == inf);
        assert(cost_charge(&c, most, 2) == most && cost_charge(&c, most, 4) == most);
    }
}

static int take_nothing(void *handle, int wait) { (void)handle; return wait; }
static void leave_nothing(void *handle) { (void)handle; }

/* A tree found late takes the place of costlier ones alone. */
static void found_late(void) {
    static team_t team;
    static offer_t offer;
    static node_t node;
    team.lock.take = take_nothing;
    team.lock.leave = leave_nothing;
    offer.best = 10, offer.guess = 3;
    for (node.best = 12, node.guess = 5; node.best >= 10; node.best--) {
        offer_found(&team, &offer, &node, 0);
        assert(offer.best == 10 && offer.guess == 3);
    }
    offer_found(&team, &offer, &node, 0);
    assert(offer.best == 9 && offer.guess == 5);
}

int main(void) {
    marks_wrap();
    stamps_wrap();
    sums_end();
    found_late();
    puts("fine");
    return 0;
}
