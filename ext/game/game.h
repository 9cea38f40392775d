/* The game as the search sees it: the feedback matrix in both orders, and what follows from it alone.

   Threads share it; except for the lists of similar answers it is immutable once built (build_game.h).

   A frame is a compact view of the matrix. A count on a part never exceeds the count on the whole, so `cap[b]` bounds
   the counts of all columns from block b on, on every subset of the frame's answers.

   Hard rules. A hint asks for features: a letter in its place (green), or m copies of a letter (green and yellow ones
   together). A guess that has m copies has 1 to m - 1 too, so the union of what two hints ask for asks for the maximum:
   a guess is legal if it has all features, and neither the number nor the order of hints matters. Ultra-hard rules: a
   legal guess, if it were the answer, would have brought every guess made the feedback that it got. */
#ifndef OPTIMAL_GAME_GAME_H
#define OPTIMAL_GAME_GAME_H

#include "base/arena.h"
#include "game/depths.h"
#include "counting/kernels.h"
#include "base/table.h"

#define SAMPLE 256 /* columns by which answers are compared with each other; a multiple of BLOCK */
#define SIMILAR_LISTED TUNED(64, 3) /* so many of the answers most like an answer are listed */
#define FEW_HAVE 2 /* a feature has a frame of its own where at most a guess in so many has it: all of large lists */

enum { NORMAL, HARD, ULTRA_HARD };

/* A compact view of the matrix: some answers as rows, guesses as columns in falling order of class count. */
typedef struct {
    int blocks;            /* columns / BLOCK, padded with constant columns */
    const uint8_t **row;   /* by answer: the codes of all columns; set for the frame's answers only */
    const int32_t *guess;  /* column -> guess, -1 for padding, which comes last */
    const int32_t *column; /* by answer: the column of its own guess; set for the frame's answers only */
    const uint16_t *cap;   /* by block: no column from this block on has more classes on the frame's answers */
    const uint64_t *needs; /* hard rules: features that all columns have */
    uint64_t *having;      /* hard rules: [feature * blocks + block]: the columns that have it, a bit each */
    uint8_t *ready;        /* by feature: whether its bits are there yet */
} frame_t;

typedef struct {
    int answers, guesses, winning_code, rules;
    int width;                    /* bytes of a code */
    const uint8_t *codes;         /* the matrix, guesses x answers */
    const int32_t *answer_guess;  /* answer -> its guess */
    const int32_t *answer_of;     /* guess -> its answer or -1 */
    const key128 *zobrist;        /* by answer: the words that a set's key is the sum of */
    const int32_t *all;           /* the answers */
    uint16_t *classes;            /* by guess: the classes that it makes of them */
    frame_t root;                 /* all answers, all guesses */
    uint8_t *root_codes;          /* of its rows */
    /* Codes of one byte: which answers are similar (similarity.h). The lists are found when they are first asked
       for, all else is constant. */
    const uint8_t *sample;        /* answers x SAMPLE: the first columns of the root frame */
    uint16_t *most_similar;             /* answers x SIMILAR_LISTED */
    uint8_t *similar_state;        /* by answer: whether its list is there */
    int split_most;               /* no guess makes more classes, a possible answer counting one more */
    int split_off;                /* on no set has a guess more answers outside its largest class (build_game.h) */
    depths_t depths;              /* what a limit costs at least, up to split_most */
    /* Word games: letter[a, p] numbers the letter of answer a with its position p; answers that differ at p alone make
       a family, which family[a, p] numbers. */
    int length;
    const int32_t *letter, *family; /* answers x length */
    int letters, families;        /* numbers in use: 0 where there are no words */
    /* Games that any renaming of symbols and any order of places map to themselves: the symbols of each guess. */
    int symmetric, places;
    const uint8_t *symbols;       /* guesses x places */
    /* Hard rules. A feature is (position, letter) or (letter, copies): a guess has it or not, a hint asks for it. */
    int feature_words;            /* 64 features a word */
    const uint64_t *features;     /* guesses x feature_words */
    const int32_t *place_feature; /* guesses x length: the feature of each letter in its place */
    const int32_t *copies_feature;/* guesses x length: of one copy of that letter; of m copies, + m - 1 */
    const uint8_t *digits;        /* codes x length: 0 grey, 1 yellow, 2 green */
    /* By feature: the guesses that have it, where they are few, and the answers that do. The other frames are empty. */
    const frame_t *feature_frame;
    /* Ultra-hard rules: the feedback code of guess g if guess h were the answer, guesses x guesses. */
    const uint8_t *replies;
    arena_t memory;               /* of all that was built */
} game_t;

/* Copy columns `source` of a frame's row to a row of `stride` bytes, padded with a constant code. */
static inline void copy_row(const uint8_t *row, int width, const int32_t *source, int m, uint8_t *to, size_t stride) {
    if (width == 1)
        for (int c = 0; c < m; c++) to[c] = row[source[c]];
    else
        for (int c = 0; c < m; c++) ((uint16_t *)to)[c] = ((const uint16_t *)row)[source[c]];
    memset(to + (size_t)m * (size_t)width, 0, stride - (size_t)m * (size_t)width);
}

/* The feedback code of a guess. */
static inline int game_code(const game_t *g, int guess, int answer) {
    const size_t at = (size_t)guess * (size_t)g->answers + (size_t)answer;
    return g->width == 1 ? g->codes[at] : ((const uint16_t *)g->codes)[at];
}

/* The feedback code of a guess if another guess were the answer. */
static inline int game_reply(const game_t *g, int guess, int other) {
    const size_t at = (size_t)guess * (size_t)g->guesses + (size_t)other;
    return g->width == 1 ? g->replies[at] : ((const uint16_t *)g->replies)[at];
}

/* The symbols of a guess as a set; none where symbols mean nothing. */
static inline uint64_t game_symbols(const game_t *g, int guess) {
    uint64_t out = 0;
    if (g->symmetric)
        for (int p = 0; p < g->places; p++) out |= 1ull << g->symbols[(size_t)guess * (size_t)g->places + (size_t)p];
    return out;
}

/* Add the features that feedback asks for: greens in place; of a letter scored green or yellow m times, m copies (and
   so 1 to m - 1 too, which makes the union of two hints their maximum). */
static inline void game_ask(const game_t *g, int guess, int code, uint64_t *needs) {
    const uint8_t *digit = g->digits + (size_t)code * (size_t)g->length;
    const int32_t *place = g->place_feature + (size_t)guess * (size_t)g->length;
    const int32_t *letter = g->copies_feature + (size_t)guess * (size_t)g->length;
    for (int p = 0; p < g->length; p++) {
        if (digit[p] == 0) continue;
        if (digit[p] == 2) needs[place[p] >> 6] |= 1ull << (place[p] & 63);
        int copies = 0;
        for (int q = 0; q < p; q++) copies += digit[q] && letter[q] == letter[p];
        const int bit = letter[p] + copies;
        needs[bit >> 6] |= 1ull << (bit & 63);
    }
}

#endif
