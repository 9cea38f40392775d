/* Feedback of one guess against many answers at once. Letters are small integers, one array for each place.

   Words: green is the same letter in the same place; a letter that is not green is yellow while the answer has more
   copies of it that are not green than the guess had before it. Pegs: blacks and whites. Plain twins, by other code,
   are in optimal/games/feedback.py and optimal/trees/scoring.py; tests compare all three. */
#ifndef OPTIMAL_COUNTING_SCORING_H
#define OPTIMAL_COUNTING_SCORING_H

#include <string.h>

#include "base/memory.h"
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

OPTIMAL_CLONES
static void add_rows(const uint8_t *const *rows, int count, size_t n, uint8_t *out) {
    for (size_t from = 0; from < n; from += LANE) {
        uint8_t sum[LANE];
        memcpy(sum, rows[0] + from, sizeof sum);
        for (int r = 1; r < count; r++)
            for (int i = 0; i < LANE; i++) sum[i] = (uint8_t)(sum[i] + rows[r][from + i]);
        memcpy(out + from, sum, n - from < LANE ? n - from : LANE);
    }
}

/* Codes of m word guesses of five letters at most. The digits of a letter depend on it alone, and on the places where
   the guess has it. So they are scored once, as those of a guess that has it there, and elsewhere a letter of no
   answer; a code is their sum over the letters of a guess. */
static void score_word_list(const uint8_t *guesses, size_t m, const uint8_t *const *answers, int length, size_t n,
                            uint8_t *out) {
    const size_t padded = (n + LANE - 1) / LANE * LANE, room = m / 4;
    static const size_t least = 64; /* guesses for which it pays */
    uint8_t *parts = m < least || room > UINT16_MAX ? NULL : (uint8_t *)checked_malloc(room * padded);
    uint16_t part_of[256][32], made = 0; /* by letter and set of places; 0: not made */
    uint8_t seen[256] = {0};
    int blank = 0;
    memset(part_of, 0, sizeof part_of);
    for (int p = 0; p < length; p++)
        for (size_t a = 0; a < n; a++) seen[answers[p][a]] = 1;
    while (blank < 256 && seen[blank]) blank++;
    for (size_t g = 0; g < m; g++, guesses += length, out += n) {
        const uint8_t *rows[5];
        int count = 0, whole = parts == NULL || blank == 256;
        for (int p = 0; p < length && !whole; p++) {
            uint8_t part[5];
            int places = 0;
            for (int q = 0; q < length; q++) {
                part[q] = guesses[q] == guesses[p] ? guesses[q] : (uint8_t)blank;
                places |= (guesses[q] == guesses[p]) << q;
            }
            if (places & ((1 << p) - 1)) continue; /* the letter is done */
            uint16_t *which = &part_of[guesses[p]][places];
            if (!*which && made < room) {
                *which = ++made;
                score_words_8(part, answers, length, padded, parts + (size_t)(made - 1) * padded);
            }
            whole = !*which;
            if (!whole) rows[count++] = parts + (size_t)(*which - 1) * padded;
        }
        if (whole) score_words_8(guesses, answers, length, n, out);
        else add_rows(rows, count, n, out);
    }
    free(parts);
}

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
