/* Build a whole key from what a search knows, from the root down: the question for a set, then those for the child
   set of each reply.

   Nothing is proven here: a key is verified from the table, by other code, before it becomes a result. */
#ifndef OPTIMAL_IDENTIFY_BUILD_KEY_H
#define OPTIMAL_IDENTIFY_BUILD_KEY_H

#include "identify/canonical.h"

/* In preorder: a question, how many replies it has, the code of each, from the least up, and what follows it; or -1. */
typedef struct {
    int32_t *node;
    int nodes, height;
    int64_t total, costliest; /* what its paths cost, times what weighs on them; and the costliest path */
} built_key_t;

/* Items that follow a reply (-1: those of the key), and what was asked before. */
typedef struct {
    int32_t *item;
    int n, code, depth;
    int64_t paid;
    limits_t within;
} branch_t;

static int by_code_down(const void *a, const void *b) {
    return ((const branch_t *)b)->code - ((const branch_t *)a)->code;
}

/* Put what follows each reply to a question on the stack, the least code on top, and the set's items in that order.
   Returns how many there are. */
static int key_branches(identify_t *s, const branch_t *of, const uint16_t *codes, int64_t cost, int32_t *scratch,
                         branch_t *stack) {
    const int classes = key_split(s, codes, of->item, of->n, scratch);
    memcpy(of->item, scratch, (size_t)of->n * sizeof *scratch);
    for (int c = 0; c < classes; c++) {
        int32_t *const item = of->item + s->start[c];
        stack[c] = (branch_t){.item = item,
                              .n = s->start[c + 1] - s->start[c],
                              .code = codes[item[0]],
                              .depth = of->depth + 1,
                              .paid = of->paid + cost,
                              .within = limits_after(of->within, cost)};
    }
    qsort(stack, (size_t)classes, sizeof *stack, by_code_down);
    return classes;
}

/* The key of these items that begins with this question (-1: with the best), and then asks what is likely to be best,
   or is the canonical one. Returns 0 where a set that must be parted can't be; when the search was stopped, too. Its
   memory is the arena's. */
static int build_key(identify_t *s, const int32_t *of, int n, int opener, int canonical, limits_t within, built_key_t *out) {
    const questions_t *t = s->questions;
    const size_t items = (size_t)n;
    int32_t *item = (int32_t *)allocate(s, items * sizeof *item), *scratch = (int32_t *)allocate(s, items * sizeof *scratch);
    branch_t *stack = (branch_t *)allocate(s, items * sizeof *stack); /* no two have an item in common */
    /* All questions but the opener part their sets: there are no more of them than items. */
    out->node = (int32_t *)allocate(s, (5 * items + 3) * sizeof *out->node);
    out->nodes = out->height = 0;
    out->total = out->costliest = 0;
    if (!item || !scratch || !stack || !out->node) return 0;
    memcpy(item, of, items * sizeof *item);
    stack[0] = (branch_t){item, n, -1, 0, 0, within};
    for (int waiting = 1; waiting;) {
        const branch_t now = stack[--waiting];
        int question = opener, same = 1;
        if (now.code >= 0) out->node[out->nodes++] = now.code;
        if (now.depth > out->height) out->height = now.depth;
        if (now.paid > out->costliest) out->costliest = now.paid;
        if (now.depth || opener < 0) {
            for (int i = 1; i < now.n && same; i++) same = t->group_of[now.item[i]] == t->group_of[now.item[0]];
            if (same) {
                out->node[out->nodes++] = -1;
                continue;
            }
            key_result_t found;
            question = canonical ? identify_canonical(s, now.item, now.n, now.within, &found)
                                 : identify_likely(s, now.item, now.n, now.within);
            if (question < 0 || s->stopped) return 0;
        }
        const int64_t cost = t->costs[question];
        if (now.within.left < 1 || cost > now.within.cost_left) return 0;
        for (int i = 0; i < now.n; i++) out->total += cost * t->weights[now.item[i]];
        const int classes = key_branches(s, &now, t->codes + (size_t)question * (size_t)t->items, cost, scratch, stack + waiting);
        assert(classes > 1 || !now.depth);
        out->node[out->nodes++] = question;
        out->node[out->nodes++] = classes;
        waiting += classes;
    }
    return 1;
}

#endif
