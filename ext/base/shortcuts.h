/* The shortcuts of the search, a line each: what tests leave out one by one, and what is counted of each.

   None of them changes a value. Each is explained where it is used; docs/explanation/engine.md says where. A new one is
   an entry here, and `s->switches & ITS_NAME` where it is used. */
#ifndef OPTIMAL_BASE_SHORTCUTS_H
#define OPTIMAL_BASE_SHORTCUTS_H

#include <stdint.h>

/* SHORTCUT(NAME, name of the switch, what it leaves out, what is counted as asked, and as settled) */
#define SHORTCUTS(SHORTCUT) \
    SHORTCUT(SPLITS, "splits", "exact values from perfect and near-perfect splits", \
             "sets whose members' splits were looked at", "solved by them") \
    SHORTCUT(COUNTS, "counts", "every count bound, and the depth table with them", \
             "positions whose guesses were counted", "bounded at the budget or solved") \
    SHORTCUT(TABLE, "table", "looking up and storing values and members' counts", \
             "look-ups", "found") \
    SHORTCUT(FRAMES, "frames", "own frames of larger sets and, under hard rules, of features", \
             "nodes that made a frame of their own", "columns left out of it") \
    SHORTCUT(FREE_FIRST, "free-first", "searching without a limit first", \
             "sets searched without a limit first", "settled by that") \
    SHORTCUT(DEPTHS, "depths", "the depth table", \
             "guesses held against the sizes of their classes", "refuted") \
    SHORTCUT(FAMILIES, "families", "infeasibility by families", \
             "sets with a family that may not fit", "without a tree") \
    SHORTCUT(SYMMETRY, "symmetry", "passing over symmetric guesses inside the search, and joining equivalent positions", \
             "guesses of games with symmetries", "passed over") \
    SHORTCUT(SUBSETS, "subsets", "asking subsets of a set whether they have a tree", \
             "sets of which subsets were searched", "without a tree") \
    SHORTCUT(CEILING, "ceiling", "cutting budgets down to what a tree can cost", \
             "budgets cut down", "sets without a tree") \
    SHORTCUT(SIMILARITY, "similarity", "bounding counts by similar answers", \
             "columns bounded by similar answers", "not counted") \
    SHORTCUT(NOGOODS, "nogoods", "refuting guesses, and openers, by infeasible parts", \
             "guesses held against nogoods", "refuted") \
    SHORTCUT(MEMBERS, "members", "counting members of larger sets only where they may matter", \
             "larger sets", "whose members were left out") \
    SHORTCUT(AT_ONCE, "at-once", "counting the classes of many guesses at once", \
             "classes counted with others", "guesses refuted by them") \
    SHORTCUT(DOMINANCE, "dominance", "leaving out guesses that others dominate", \
             "guesses held against others", "dominated") \
    SHORTCUT(TIERS, "tiers", "bounding weights of few kinds by searches with unit costs", \
             "weighted positions bounded by their tiers", "bounded at the budget or solved") \
    SHORTCUT(SUPERSETS, "supersets", "bounds by common supersets", \
             "openers held against them", "refuted by them")

/* The numbers of a list of shortcuts, their bits among the switches, and their texts. */
#define SHORTCUT_NUMBER(NAME, ...) NAME##_NUMBER,
#define SHORTCUT_BIT(NAME, ...) NAME = 1 << NAME##_NUMBER,
#define SHORTCUT_TEXT(NAME, ...) {__VA_ARGS__},
enum { SHORTCUTS(SHORTCUT_NUMBER) SHORTCUTS_MANY };
enum { SHORTCUTS(SHORTCUT_BIT) };
typedef struct {
    const char *name, *without, *asked, *settled;
} shortcut_t;
static const shortcut_t shortcut_text[] = {SHORTCUTS(SHORTCUT_TEXT)};

/* How often a shortcut was asked, and how often that settled the question; of those that search, the nodes spent. */
typedef struct {
    uint64_t asked, settled;
    uint64_t paid, wasted; /* nodes: of searches that settled it, and of those that didn't */
} tally_t;

#endif
