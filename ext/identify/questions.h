/* A table of questions as its search sees it: what is to be told apart.

   An item is a distinct column of the user's table: all objects that have the same replies to all questions; its
   weight is theirs in sum. Items of one group need not be told apart. Items come in rising order of weight, so every
   list of them in order has that too. A set's key is a sum of random words, one for each item (Zobrist 1970). */
#ifndef OPTIMAL_IDENTIFY_QUESTIONS_H
#define OPTIMAL_IDENTIFY_QUESTIONS_H

#include "base/arena.h"
#include "base/costs.h"
#include "base/table.h"
#include "base/testing.h"

#define ITEMS_MOST 65535

typedef struct {
    int items, questions, groups;
    const uint16_t *codes;   /* questions x items */
    const int64_t *weights;  /* by item, rising, none negative */
    const int32_t *group_of; /* by item */
    const int64_t *costs;    /* by question, none negative */
    int plain;               /* every weight is 1 and every item a group of its own */
    int even;                /* all questions cost the same */
    key128 *words;           /* by item: a set's key is the sum of these */
} questions_t;

static void questions_build(questions_t *t, arena_t *a) {
    t->plain = t->groups == t->items;
    t->even = 1;
    for (int i = 0; i < t->items; i++) t->plain &= t->weights[i] == 1;
    for (int q = 1; q < t->questions; q++) t->even &= t->costs[q] == t->costs[0];
    t->words = (key128 *)arena_alloc(a, (size_t)t->items * sizeof *t->words);
    if (t->words) random_words(t->words, t->items, 0x6f7074696d616c21ull);
}

#endif
