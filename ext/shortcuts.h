/* The shortcuts of the search, a line each: what tests leave out one by one, and what is counted of each.

   None of them changes a value. Each is explained where it is used; docs/engine.md says where. */
#ifndef OPTIMAL_SHORTCUTS_H
#define OPTIMAL_SHORTCUTS_H

#include <stdint.h>

/* SHORTCUT(NAME, name of the switch, what is counted as asked, and as settled) */
#define SHORTCUTS(SHORTCUT)                                                                                        \
    SHORTCUT(SPLITS, "splits", "sets whose members' splits were looked at", "solved by them")                      \
    SHORTCUT(COUNTS, "counts", "positions whose guesses were counted", "bounded at the budget or solved")          \
    SHORTCUT(TABLE, "table", "look-ups", "found")                                                                  \
    SHORTCUT(FRAMES, "frames", "nodes that made a frame of their own", "columns left out of it")                   \
    SHORTCUT(FREE_FIRST, "free-first", "sets searched without a limit first", "settled by that")                   \
    SHORTCUT(DEPTHS, "depths", "guesses held against the sizes of their classes", "refuted")                       \
    SHORTCUT(FAMILIES, "families", "sets with a family that may not fit", "without a tree")                        \
    SHORTCUT(SYMMETRY, "symmetry", "guesses of games with symmetries", "passed over")                              \
    SHORTCUT(PARTS, "parts", "sets of which parts were searched", "without a tree")                                \
    SHORTCUT(CEILING, "ceiling", "budgets cut down", "sets without a tree")                                        \
    SHORTCUT(LIKENESS, "likeness", "columns bounded by likeness", "not counted")                                   \
    SHORTCUT(NOGOODS, "nogoods", "guesses held against nogoods", "refuted")                                        \
    SHORTCUT(MEMBERS, "members", "larger sets", "whose members were left out")

/* Their numbers, and their bits among the switches. */
#define SHORTCUT_NUMBER(NAME, name, asked, settled) NAME##_NUMBER,
#define SHORTCUT_BIT(NAME, name, asked, settled) NAME = 1 << NAME##_NUMBER,
#define SHORTCUT_TEXT(NAME, name, asked, settled) {name, asked, settled},
enum { SHORTCUTS(SHORTCUT_NUMBER) SHORTCUTS_MANY };
enum { SHORTCUTS(SHORTCUT_BIT) };
typedef struct {
    const char *name, *asked, *settled;
} shortcut_t;
static const shortcut_t shortcut_text[] = {SHORTCUTS(SHORTCUT_TEXT)};

/* How often a shortcut was asked, and how often that settled the question; of those that search, the nodes spent. */
typedef struct {
    uint64_t asked, settled;
    uint64_t paid, wasted; /* nodes: of searches that settled it, of those in vain */
} tally_t;

#endif
