/* Feedback for whole rows of answers at once. Letters are small integers, one array per position. */
#ifndef OPTIMAL_SCORING_H
#define OPTIMAL_SCORING_H

#include "kernels.h"

#define MAX_LENGTH 10
#define LANE 256

/* Codes of one word guess against answers [0, n): answers[p][a] is the letter of answer a at position p.
   Green: same letter, same place. A non-green letter of the guess is yellow while the answer has more non-green
   copies of it than the guess had earlier non-green ones. */
#define SCORE_WORDS(NAME, LETTER, CODE)                                                                      \
    OPTIMAL_CLONES                                                                                           \
    static void NAME(const LETTER *guess, const LETTER *const *answers, int length, size_t n, CODE *out) {   \
        for (size_t from = 0; from < n; from += LANE) {                                                      \
            const int m = n - from < LANE ? (int)(n - from) : LANE;                                          \
            uint8_t green[MAX_LENGTH][LANE], left[LANE];                                                     \
            CODE code[LANE];                                                                                 \
            memset(code, 0, sizeof code);                                                                    \
            for (int p = 0; p < length; p++) {                                                               \
                const LETTER *a = answers[p] + from, g = guess[p];                                           \
                for (int i = 0; i < m; i++) green[p][i] = a[i] == g;                                         \
            }                                                                                                \
            CODE power = 1;                                                                                  \
            for (int p = 0; p < length; p++, power = (CODE)(power * 3)) {                                    \
                const LETTER g = guess[p];                                                                   \
                memset(left, 0, sizeof left);                                                                \
                for (int q = 0; q < length; q++) {                                                           \
                    const LETTER *a = answers[q] + from;                                                     \
                    for (int i = 0; i < m; i++) left[i] += (uint8_t)((a[i] == g) & !green[q][i]);            \
                }                                                                                            \
                for (int q = 0; q < p; q++)                                                                  \
                    if (guess[q] == g)                                                                       \
                        for (int i = 0; i < m; i++) left[i] -= (uint8_t)((left[i] > 0) & !green[q][i]);      \
                for (int i = 0; i < m; i++)                                                                  \
                    code[i] += (CODE)(power * (green[p][i] ? 2 : left[i] > 0));                              \
            }                                                                                                \
            memcpy(out + from, code, (size_t)m * sizeof(CODE));                                              \
        }                                                                                                    \
    }

SCORE_WORDS(score_words_8, uint8_t, uint8_t)
SCORE_WORDS(score_words_16, uint16_t, uint16_t)

/* Codes of one peg guess: blacks * (pegs + 1) + whites. Blacks match in place; whites are the other matches,
   sum over colours of min(count in guess, count in answer), less the blacks. counts[c][a]: copies of colour c. */
OPTIMAL_CLONES
static void score_pegs(const uint8_t *guess, const uint8_t *guess_counts, const uint8_t *const *answers,
                       const uint8_t *const *counts, int pegs, int colours, size_t n, uint8_t *out) {
    for (size_t from = 0; from < n; from += LANE) {
        const int m = n - from < LANE ? (int)(n - from) : LANE;
        uint8_t blacks[LANE], common[LANE];
        memset(blacks, 0, sizeof blacks);
        memset(common, 0, sizeof common);
        for (int p = 0; p < pegs; p++) {
            const uint8_t *a = answers[p] + from, g = guess[p];
            for (int i = 0; i < m; i++) blacks[i] += a[i] == g;
        }
        for (int c = 0; c < colours; c++) {
            const uint8_t *k = counts[c] + from, g = guess_counts[c];
            if (g)
                for (int i = 0; i < m; i++) common[i] += k[i] < g ? k[i] : g;
        }
        for (int i = 0; i < m; i++) out[from + i] = (uint8_t)(blacks[i] * (pegs + 1) + common[i] - blacks[i]);
    }
}

#endif
