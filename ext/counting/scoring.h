/* Feedback of one guess against many answers at once. Letters are small integers, one array for each place.

   Words: green is the same letter in the same place; a letter that is not green is yellow while the answer has more
   copies of it that are not green than the guess had before it. Pegs: blacks and whites. Plain twins, by other code,
   are in optimal/games/feedback.py and optimal/trees/scoring.py; tests compare all three. */
#ifndef OPTIMAL_COUNTING_SCORING_H
#define OPTIMAL_COUNTING_SCORING_H

#include <string.h>

#include "base/vectors.h"

#define MAX_LENGTH 10 /* letters of a word: 3^10 codes fit in 16 bits */
#define LANE 32 /* answers scored together; arrays of answers are padded to a multiple */

/* Vectors of letters or codes, of 32 bytes: GCC compares longer ones letter by letter. A comparison gives all bits of a
   lane set (-1) or none. */
#if OPTIMAL_VECTORS
typedef uint8_t lane8 __attribute__((vector_size(32), aligned(1), may_alias));
typedef uint16_t lane16 __attribute__((vector_size(32), aligned(1), may_alias));

/* Codes of one word guess against answers [0, n): answers[p][a] is the letter of answer a at position p. Green: same
   letter, same place. A non-green letter of the guess is yellow while the answer has more non-green copies of it than
   the guess had earlier non-green ones. Digits to base 3, the first place lowest: 2 green, 1 yellow. */
#define SCORE_WORDS(NAME, LETTER, VEC)                                                                       \
    OPTIMAL_CLONES                                                                                           \
    static void NAME(const LETTER *guess, const LETTER *const *answers, int length, size_t n, LETTER *out) { \
        for (size_t from = 0; from < n; from += sizeof(VEC) / sizeof(LETTER)) {                              \
            VEC letter[MAX_LENGTH], other[MAX_LENGTH], code = {0};                                           \
            for (int p = 0; p < length; p++) {                                                               \
                letter[p] = *(const VEC *)(answers[p] + from);                                               \
                other[p] = (VEC)(letter[p] != guess[p]);                                                     \
            }                                                                                                \
            LETTER power = 1;                                                                                \
            for (int p = 0; p < length; p++, power = (LETTER)(power * 3)) {                                  \
                VEC left = {0};                                                                              \
                for (int q = 0; q < length; q++) left -= (VEC)(letter[q] == guess[p]) & other[q];            \
                for (int q = 0; q < p; q++)                                                                  \
                    if (guess[q] == guess[p]) left += (VEC)(left != 0) & other[q];                           \
                const VEC yellow = (VEC)(left != 0) & other[p];                                              \
                code += ((~other[p] & 2) | (yellow & 1)) * power;                                            \
            }                                                                                                \
            if ((n - from) * sizeof(LETTER) >= sizeof code) *(VEC *)(out + from) = code;                     \
            else memcpy(out + from, &code, (n - from) * sizeof(LETTER));                                     \
        }                                                                                                    \
    }
SCORE_WORDS(score_words_8, uint8_t, lane8)
SCORE_WORDS(score_words_16, uint16_t, lane16)
#else
#define SCORE_WORDS(NAME, LETTER)                                                                            \
    static void NAME(const LETTER *guess, const LETTER *const *answers, int length, size_t n, LETTER *out) { \
        for (size_t a = 0; a < n; a++) {                                                                     \
            LETTER code = 0, power = 1;                                                                      \
            for (int p = 0; p < length; p++, power = (LETTER)(power * 3)) {                                  \
                int left = 0;                                                                                \
                for (int q = 0; q < length; q++)                                                             \
                    left += answers[q][a] == guess[p] && answers[q][a] != guess[q];                          \
                for (int q = 0; q < p; q++) left -= guess[q] == guess[p] && answers[q][a] != guess[q];       \
                if (answers[p][a] == guess[p]) code = (LETTER)(code + 2 * power);                            \
                else if (left > 0) code = (LETTER)(code + power);                                            \
            }                                                                                                \
            out[a] = code;                                                                                   \
        }                                                                                                    \
    }
SCORE_WORDS(score_words_8, uint8_t)
SCORE_WORDS(score_words_16, uint16_t)
#endif

/* Codes of one peg guess: blacks * (pegs + 1) + whites. Blacks match in place; whites are the other matches,
   sum over colours of min(count in guess, count in answer), less the blacks. counts[c][a]: copies of colour c. */
OPTIMAL_CLONES
static void score_pegs(const uint8_t *guess, const uint8_t *guess_counts, const uint8_t *const *answers,
                       const uint8_t *const *counts, int pegs, int colours, size_t n, uint8_t *out) {
    uint8_t blacks[LANE], common[LANE];
    for (size_t from = 0; from < n; from += LANE) {
        memset(blacks, 0, sizeof blacks);
        memset(common, 0, sizeof common);
        for (int p = 0; p < pegs; p++) {
            const uint8_t *a = answers[p] + from, g = guess[p];
            for (int i = 0; i < LANE; i++) blacks[i] += a[i] == g;
        }
        for (int c = 0; c < colours; c++) {
            const uint8_t *k = counts[c] + from, g = guess_counts[c];
            if (g)
                for (int i = 0; i < LANE; i++) common[i] += k[i] < g ? k[i] : g;
        }
        for (int i = 0; i < LANE; i++) common[i] = (uint8_t)(blacks[i] * pegs + common[i]);
        memcpy(out + from, common, n - from < LANE ? n - from : LANE);
    }
}

#endif
