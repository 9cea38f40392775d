/* The engine without Python: the least total of the classic game from one first guess.

   solve_classic ANSWERS OTHERS OPENER: two files of words of five letters, a line each; the guesses are both, in
   alphabetical order. Prints the total, the height of the tree and the nodes searched. */
#include <stdio.h>

#include "search/engine.h"
#include "counting/scoring.h"

enum { LENGTH = 5, WORDS_MOST = 20000 };

typedef char word_t[LENGTH + 1];

static word_t guess[2 * WORDS_MOST], answer[WORDS_MOST];
static int guesses, answers;

static int read_words(const char *path, word_t *to) {
    FILE *file = fopen(path, "r");
    int count = 0;
    if (!file) return -1;
    while (count < WORDS_MOST && fscanf(file, "%5s", to[count]) == 1) count++;
    fclose(file);
    return count;
}

static int by_letters(const void *a, const void *b) {
    return strcmp((const char *)a, (const char *)b);
}

static int place_of(const char *word) {
    const word_t *found = (const word_t *)bsearch(word, guess, (size_t)guesses, sizeof *guess, by_letters);
    return found ? (int)(found - guess) : -1;
}

/* The feedback matrix, guesses x answers. */
static uint8_t *score_all(void) {
    const size_t padded = ((size_t)answers + LANE - 1) / LANE * LANE;
    uint8_t *letters = (uint8_t *)calloc(LENGTH, padded), *codes = (uint8_t *)malloc((size_t)guesses * (size_t)answers);
    const uint8_t *place[LENGTH];
    if (!letters || !codes) exit(2);
    for (int p = 0; p < LENGTH; p++) {
        for (int a = 0; a < answers; a++) letters[(size_t)p * padded + (size_t)a] = (uint8_t)answer[a][p];
        place[p] = letters + (size_t)p * padded;
    }
    for (int g = 0; g < guesses; g++)
        score_words_8((const uint8_t *)guess[g], place, LENGTH, (size_t)answers, codes + (size_t)g * (size_t)answers);
    free(letters);
    return codes;
}

int main(int argc, char **argv) {
    static int32_t answer_guess[WORDS_MOST], letters[2 * WORDS_MOST * LENGTH];
    static game_t game;
    static search_t search;
    if (argc != 4) return 2;
    answers = read_words(argv[1], answer);
    if (answers < 1) return 2;
    memcpy(guess, answer, (size_t)answers * sizeof *guess);
    const int others = read_words(argv[2], guess + answers);
    if (others < 0) return 2;
    guesses = answers + others;
    qsort(guess, (size_t)guesses, sizeof *guess, by_letters);
    for (int a = 0; a < answers; a++) answer_guess[a] = place_of(answer[a]);
    for (int i = 0; i < guesses * LENGTH; i++) letters[i] = guess[i / LENGTH][i % LENGTH] - 'a';
    const int opener = place_of(argv[3]);
    if (opener < 0) return 2;

    const game_source_t matter = {.guesses = guesses,
                             .answers = answers,
                             .winning_code = 242,
                             .width = 1,
                             .codes = score_all(),
                             .answer_guess = answer_guess,
                             .letters = letters,
                             .length = LENGTH};
    search.costs = (costs_t){.unit = 1, .uniform = 1, .each = 1, .by = -1};
    int height = 0;
    if (game_build(&game, &matter) < 0 || search_begin(&search, &game, 0, 1 << 16, 1 << 22, NULL, 0) < 0) return 1;
    const int64_t total = opener_value(&search, opener, 6, COST_INF, &height);
    if (search_done(&search) != DONE) return 1;
    printf("%lld %d %llu\n", (long long)total, height, (unsigned long long)search.nodes);
    search_free(&search);
    game_free(&game);
    free((void *)(uintptr_t)matter.codes);
    return 0;
}
