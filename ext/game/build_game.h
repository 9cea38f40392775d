/* Build a game from its feedback matrix: both orders of it, and what the rules and the bounds need.

   Nothing is written later to a frame that threads share: the root frame and those of features have all their bits from
   the start. */
#ifndef OPTIMAL_GAME_BUILD_GAME_H
#define OPTIMAL_GAME_BUILD_GAME_H

#include "base/buckets.h"
#include "game/search_state.h"

/* What a game is built from; the arrays must outlive it. */
typedef struct {
    int guesses, answers;         /* NO_GUESS of each at most */
    int winning_code, width;      /* bytes of a code: 1 or 2 */
    const uint8_t *codes;         /* guesses x answers */
    const int32_t *answer_guess;  /* by answer: its guess, whose feedback is the winning one */
    const int32_t *letters;       /* word games: guesses x length, small integers; NULL: no words */
    int length;
    const uint8_t *digits;        /* hard rules, with letters: codes x length; NULL: other rules */
    const uint8_t *replies;       /* ultra-hard rules: guesses x guesses; NULL: other rules */
    const uint8_t *symbols;       /* games with symmetries: guesses x places, below 64; NULL: none are known */
    int places;
} game_source_t;

static void game_free(game_t *g) {
    arena_free(&g->memory);
}

#define build(g, count, size) arena_zeroed(&(g)->memory, (count), (size))

/* Transpose 8 / width rows of as many codes of `width` bytes, a row in each word: halves change places with those of the
   row below, then quarters, ... */
OPTIMAL_INLINE void transpose_words(uint64_t *row, int width) {
    const int rows = 8 / width;
    OPTIMAL_UNROLL
    for (int apart = 1; apart < rows; apart *= 2) {
        const int bits = 8 * width * apart;
        const uint64_t low = ~0ull / ((1ull << bits) + 1); /* of every 2 x bits the lower half */
        OPTIMAL_UNROLL
        for (int r = 0; r < rows; r++) {
            if (r & apart) continue;
            const uint64_t change = (row[r] >> bits ^ row[r + apart]) & low;
            row[r + apart] ^= change;
            row[r] ^= change << bits;
        }
    }
}

/* Write the codes of block b of the guesses into the rows of the answers from `first` to before `end`, padded with a
   constant code. */
OPTIMAL_INLINE void transpose_tile(const game_t *g, int b, int first, int end, size_t stride, int width) {
    const int columns = g->guesses - b * BLOCK < BLOCK ? g->guesses - b * BLOCK : BLOCK;
    const size_t n = (size_t)g->answers, size = (size_t)width;
    const uint8_t *from[BLOCK];
    uint8_t *codes = g->root_codes + (size_t)b * BLOCK * size;
    for (int c = 0; c < columns; c++) from[c] = g->codes + (size_t)g->root.guess[b * BLOCK + c] * n * size;
    for (int c = 0; c < columns; c++) /* of the next tile */
        for (int line = 0; line < width; line++) OPTIMAL_PREFETCH(from[c] + (size_t)(first + BLOCK) * size + (size_t)line * LINE);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    const int rows = 8 / width;
    for (; columns == BLOCK && first + rows <= end; first += rows)
        for (int c = 0; c < BLOCK; c += rows) {
            uint64_t word[8];
            OPTIMAL_UNROLL
            for (int r = 0; r < rows; r++) memcpy(&word[r], from[c + r] + (size_t)first * size, 8);
            transpose_words(word, width);
            OPTIMAL_UNROLL
            for (int r = 0; r < rows; r++) memcpy(codes + (size_t)(first + r) * stride + (size_t)c * size, &word[r], 8);
        }
#endif
    for (; first < end; first++) {
        uint8_t *to = codes + (size_t)first * stride;
        if (columns < BLOCK) memset(to, 0, BLOCK * size);
        for (int c = 0; c < columns; c++) memcpy(to + (size_t)c * size, from[c] + (size_t)first * size, size);
    }
}

/* Write the codes of the blocks from `from` to before `to` into the root frame: tile by tile, for the rows of answers
   and those of guesses lie in too many pages of memory to go along whole ones. */
OPTIMAL_CLONES
static void game_transpose(game_t *g, int from, int to) {
    const size_t stride = (size_t)g->root.blocks * BLOCK * (size_t)g->width;
    for (int a = 0; a < g->answers; a += BLOCK) {
        const int end = g->answers - a < BLOCK ? g->answers : a + BLOCK;
        for (int b = from; b < to; b++)
            if (g->width == 1) transpose_tile(g, b, a, end, stride, 1);
            else transpose_tile(g, b, a, end, stride, 2);
    }
}

/* What similar answers are found by (similarity.h): the first columns of the root frame. */
static inline int build_sample(game_t *g) {
    const size_t n = (size_t)g->answers, sampled = (size_t)(g->guesses < SAMPLE ? g->guesses : SAMPLE);
    uint8_t *sample = (uint8_t *)build(g, n, SAMPLE);
    g->most_similar = (uint16_t *)build(g, n * SIMILAR_LISTED, sizeof *g->most_similar);
    g->similar_state = (uint8_t *)build(g, n, 1);
    if (!sample || !g->most_similar || !g->similar_state) return -1;
    for (size_t a = 0; a < n; a++) memcpy(sample + a * SAMPLE, g->root.row[a], sampled);
    g->sample = sample;
    return 0;
}

/* Count the classes that guesses from `from` to before `to` make of all answers; -1 when memory runs out. */
static int game_count(game_t *g, int from, int to) {
    const size_t n = (size_t)g->answers, width = (size_t)g->width;
    marks_t marks = {NULL, 0};
    if (width > 1 && !(marks.mark = (uint32_t *)checked_calloc(CODES_MOST, sizeof *marks.mark))) return -1;
    count_list(g->codes + (size_t)from * n * width, g->width, n, NULL, to - from, g->all, g->answers, &marks, g->classes + from);
    free(marks.mark);
    return 0;
}

/* The root frame: all answers, all guesses in falling order of their class count. Its codes come next. */
static int game_order(game_t *g) {
    const int m = g->guesses, n = g->answers, blocks = (m + BLOCK - 1) / BLOCK;
    const size_t stride = (size_t)blocks * BLOCK * (size_t)g->width;
    int *begin = (int *)build(g, (size_t)n + 2, sizeof *begin);
    int32_t *place = (int32_t *)build(g, (size_t)m, sizeof *place);
    int32_t *guess = (int32_t *)build(g, (size_t)blocks * BLOCK, sizeof *guess);
    int32_t *column = (int32_t *)build(g, (size_t)n, sizeof *column);
    uint16_t *cap = (uint16_t *)build(g, (size_t)blocks, sizeof *cap);
    const uint8_t **row = (const uint8_t **)build(g, (size_t)n, sizeof *row);
    g->root_codes = (uint8_t *)arena_alloc(&g->memory, (size_t)n * stride);
    if (!begin || !place || !guess || !column || !cap || !row || !g->root_codes) return -1;
    for (int i = 0; i < m; i++) begin[g->classes[i]]++;
    bucket_starts(begin, n + 1);
    for (int i = 0; i < blocks * BLOCK; i++) guess[i] = -1;
    for (int i = 0; i < m; i++) guess[place[i] = begin[g->classes[i]]++] = i;
    for (int a = 0; a < n; a++) column[a] = place[g->answer_guess[a]];
    for (int b = 0; b < blocks; b++) cap[b] = g->classes[guess[b * BLOCK]];
    for (int a = 0; a < n; a++) row[a] = g->root_codes + (size_t)a * stride;
    g->root.blocks = blocks;
    g->root.row = row;
    g->root.guess = guess;
    g->root.column = column;
    g->root.cap = cap;
    return 0;
}

/* The most answers that a guess has outside its largest class, looked for no further than it takes to know that trees
   need not be deeper than the search can go. On no set has a guess more outside its largest class. */
static int split_off(const game_t *g, int32_t *size) {
    const int n = g->answers;
    int most = 1;
    if (n <= DEEPEST) return n > 2 ? n - 1 : 1;
    for (int i = 0; i < g->guesses && most * DEEPEST <= n; i++) {
        int largest = 0;
        for (int a = 0; a < n; a++) {
            const int count = ++size[game_code(g, i, a)];
            if (count > largest) largest = count;
        }
        for (int a = 0; a < n; a++) size[game_code(g, i, a)] = 0;
        if (n - largest > most) most = n - largest;
    }
    return most * DEEPEST > n ? n - 1 : most;
}

static int by_size_falling(const void *a, const void *b) {
    return *(const int32_t *)b - *(const int32_t *)a;
}

/* The capacities of depths.h, by pattern: guesses that repeat symbols as often are equivalent. Returns how
   many patterns there are; -1 when memory runs out. */
static inline int build_capacities(game_t *g, int32_t *size, int32_t **capacity) {
    enum { PATTERNS_MOST = 256, PLACES_MOST = 16 };
    uint8_t seen[PATTERNS_MOST][PLACES_MOST + 1];
    const size_t most = (size_t)g->split_most;
    int patterns = 0;
    *capacity = (int32_t *)build(g, PATTERNS_MOST * most, sizeof **capacity);
    if (!*capacity) return -1;
    for (int i = 0; i < g->guesses; i++) {
        const uint8_t *symbol = g->symbols + (size_t)i * (size_t)g->places;
        uint8_t pattern[PLACES_MOST + 1] = {0}; /* by number: places whose symbol the guess has so often */
        int known = 0, sizes = 0;
        for (int p = 0; p < g->places; p++) {
            int copies = 0;
            for (int q = 0; q < g->places; q++) copies += symbol[p] == symbol[q];
            pattern[copies]++;
        }
        while (known < patterns && memcmp(seen[known], pattern, sizeof pattern)) known++;
        if (known < patterns || patterns == PATTERNS_MOST) continue;
        memcpy(seen[patterns], pattern, sizeof pattern);
        int32_t *held = *capacity + most * (size_t)patterns++;
        for (int a = 0; a < g->answers; a++) size[game_code(g, i, a)]++;
        size[g->winning_code] = 0;
        for (int a = 0; a < g->answers; a++) {
            int32_t *count = &size[game_code(g, i, a)];
            if (*count) held[sizes++] = *count;
            *count = 0;
        }
        qsort(held, (size_t)sizes, sizeof *held, by_size_falling);
    }
    return patterns;
}

/* The table of depths.h, with capacities where guesses are known to be equivalent. */
static int build_depths(game_t *g, int32_t *size) {
    int32_t *capacity = NULL;
    const int patterns = g->symmetric ? build_capacities(g, size, &capacity) : 0;
    return patterns < 0 ? -1 : depths_init(&g->depths, &g->memory, g->answers, g->split_most, capacity, patterns);
}

/* A row of letters but for one place, by which answers are sorted into families. */
typedef struct {
    const int32_t *letter;
    int length, place, answer;
} but_one_t;

static int by_other_letters(const void *a, const void *b) {
    const but_one_t *x = (const but_one_t *)a, *y = (const but_one_t *)b;
    for (int p = 0; p < x->length; p++)
        if (p != x->place && x->letter[p] != y->letter[p]) return x->letter[p] < y->letter[p] ? -1 : 1;
    return 0;
}

/* Letters and families (families.h). */
static int build_letters(game_t *g, const game_source_t *m) {
    const size_t n = (size_t)g->answers, length = (size_t)m->length;
    int32_t *letter = (int32_t *)build(g, n * length, sizeof *letter);
    int32_t *family = (int32_t *)build(g, n * length, sizeof *family);
    but_one_t *row = (but_one_t *)build(g, n, sizeof *row);
    if (!letter || !family || !row) return -1;
    for (size_t a = 0; a < n; a++)
        for (size_t p = 0; p < length; p++) {
            const int32_t x = m->letters[(size_t)g->answer_guess[a] * length + p] * m->length + (int32_t)p;
            letter[a * length + p] = x;
            if (x >= g->letters) g->letters = x + 1;
        }
    for (size_t p = 0; p < length; p++) {
        for (size_t a = 0; a < n; a++) row[a] = (but_one_t){letter + a * length, m->length, (int)p, (int)a};
        qsort(row, n, sizeof *row, by_other_letters);
        for (size_t a = 0; a < n; a++) {
            if (a == 0 || by_other_letters(&row[a - 1], &row[a])) g->families++;
            family[(size_t)row[a].answer * length + p] = g->families - 1;
        }
    }
    g->length = m->length;
    g->letter = letter;
    g->family = family;
    return 0;
}

/* Make the frame of the guesses and answers that have a feature, where it is a small part of the root and its codes
   take no more than *room, which they use up. A frame that there is no memory for is left empty, like the others. */
static void build_feature_frame(game_t *g, int feature, size_t *room, frame_t *out) {
    const frame_t *root = &g->root;
    const uint64_t *has = root->having + (size_t)feature * (size_t)root->blocks;
    const int words = g->feature_words;
    int m = 0, n = 0, at = 0;
    for (int b = 0; b < root->blocks; b++) m += OPTIMAL_POPCOUNT64(has[b]);
    for (int a = 0; a < g->answers; a++) n += (int)(has[root->column[a] / BLOCK] >> root->column[a] % BLOCK & 1);
    const int blocks = (m + BLOCK - 1) / BLOCK;
    const size_t stride = (size_t)blocks * BLOCK * (size_t)g->width, bits = (size_t)words * 64 * (size_t)blocks;
    const size_t size = (size_t)n * stride + bits * sizeof(uint64_t)
                        + (size_t)g->answers * (sizeof(uint8_t *) + sizeof(int32_t));
    if (n == 0 || m > g->guesses / FEW_HAVE || blocks >= root->blocks || size > *room) return;
    *room -= size;
    int32_t *source = (int32_t *)build(g, (size_t)m, sizeof *source);
    int32_t *guess = (int32_t *)build(g, (size_t)blocks * BLOCK, sizeof *guess);
    int32_t *column = (int32_t *)build(g, (size_t)g->answers, sizeof *column);
    uint16_t *cap = (uint16_t *)build(g, (size_t)blocks, sizeof *cap);
    uint64_t *needs = (uint64_t *)build(g, (size_t)words, sizeof *needs);
    uint64_t *having = (uint64_t *)build(g, bits, sizeof *having);
    const uint8_t **row = (const uint8_t **)build(g, (size_t)g->answers, sizeof *row);
    uint8_t *data = (uint8_t *)arena_alloc(&g->memory, (size_t)n * stride), *to = data;
    if (!source || !guess || !column || !cap || !needs || !having || !row || !data) return;
    for (int i = 0; i < words; i++) needs[i] = ~0ull;
    for (int b = 0; b < root->blocks; b++)
        for (uint64_t rest = has[b]; rest; rest &= rest - 1, at++) {
            source[at] = b * BLOCK + OPTIMAL_LOWEST_BIT(rest);
            guess[at] = root->guess[source[at]];
            if (at % BLOCK == 0) cap[at / BLOCK] = root->cap[b];
            const uint64_t *all = g->features + (size_t)guess[at] * (size_t)words;
            for (int i = 0; i < words; i++) {
                needs[i] &= all[i];
                for (uint64_t other = all[i]; other; other &= other - 1) {
                    const size_t f = (size_t)i * 64 + (size_t)OPTIMAL_LOWEST_BIT(other);
                    having[f * (size_t)blocks + (size_t)(at / BLOCK)] |= 1ull << at % BLOCK;
                }
            }
            const int a = g->answer_of[guess[at]];
            if (a < 0) continue;
            column[a] = at;
            row[a] = to;
            to += stride;
        }
    for (; at < blocks * BLOCK; at++) guess[at] = -1;
    for (int a = 0; a < g->answers; a++)
        if (row[a]) copy_row(root->row[a], g->width, source, m, data + (row[a] - data), stride);
    *out = (frame_t){blocks, row, guess, column, cap, needs, having, root->ready};
}

/* The features of hard rules (game.h), numbered in the order of (position, letter), then (letter, copies). Only
   features that some guess has can be asked for, and those that all guesses lack take no room. */
static int build_features(game_t *g, const game_source_t *m) {
    const size_t length = (size_t)m->length, cells = (size_t)g->guesses * length;
    const int blocks = g->root.blocks;
    int alphabet = 0, used = 0;
    for (size_t i = 0; i < cells; i++)
        if (m->letters[i] >= alphabet) alphabet = m->letters[i] + 1;
    const int places = alphabet * m->length, all = 2 * places;
    int32_t *number = (int32_t *)build(g, (size_t)all, sizeof *number); /* 0: nobody has it, until they are numbered */
    int32_t *place = (int32_t *)build(g, cells, sizeof *place), *copies = (int32_t *)build(g, cells, sizeof *copies);
    if (!number || !place || !copies) return -1;
    for (size_t i = 0; i < cells; i++) { /* as they would be numbered if all were used */
        const size_t p = i % length;
        place[i] = m->letters[i] + (int32_t)p * alphabet;
        copies[i] = places + m->letters[i] * m->length;
        int earlier = 0;
        for (size_t q = i - p; q < i; q++) earlier += m->letters[q] == m->letters[i];
        number[place[i]] = number[copies[i] + earlier] = 1;
    }
    for (int f = 0; f < all; f++) number[f] = number[f] ? used++ : -1;
    g->feature_words = used > 64 ? (used + 63) / 64 : 1;
    uint64_t *features = (uint64_t *)build(g, (size_t)g->guesses * (size_t)g->feature_words, sizeof *features);
    /* The root frame asks for nothing, and has the bits of all features from the start: threads share it. */
    uint64_t *having = (uint64_t *)build(g, (size_t)used * (size_t)blocks, sizeof *having);
    uint64_t *nothing = (uint64_t *)build(g, (size_t)g->feature_words, sizeof *nothing);
    uint8_t *ready = (uint8_t *)build(g, (size_t)used, 1);
    frame_t *frames = (frame_t *)build(g, (size_t)used, sizeof *frames);
    if (!features || !having || !nothing || !ready || !frames) return -1;
    memset(ready, 1, (size_t)used);
    for (size_t i = 0; i < cells; i++) {
        uint64_t *of_guess = features + i / length * (size_t)g->feature_words;
        int earlier = 0;
        for (size_t q = i - i % length; q < i; q++) earlier += m->letters[q] == m->letters[i];
        const int one = number[place[i]], other = number[copies[i] + earlier];
        of_guess[one >> 6] |= 1ull << (one & 63);
        of_guess[other >> 6] |= 1ull << (other & 63);
    }
    for (size_t i = 0; i < cells; i++) {
        place[i] = number[place[i]];
        copies[i] = number[copies[i]];
    }
    for (int c = 0; c < g->guesses; c++) {
        const uint64_t *of_guess = features + (size_t)g->root.guess[c] * (size_t)g->feature_words;
        for (int f = 0; f < used; f++)
            having[(size_t)f * (size_t)blocks + (size_t)(c / BLOCK)] |= (of_guess[f >> 6] >> (f & 63) & 1) << c % BLOCK;
    }
    g->features = features;
    g->place_feature = place;
    g->copies_feature = copies;
    g->digits = m->digits;
    g->root.having = having;
    g->root.needs = nothing;
    g->root.ready = ready;
    g->feature_frame = frames;
    size_t room = 2 * (size_t)g->answers * (size_t)blocks * BLOCK * (size_t)g->width; /* twice as much as the root's */
    for (int f = 0; f < used; f++) build_feature_frame(g, f, &room, &frames[f]);
    return 0;
}

/* Build a game, in five steps; -1 when memory runs out. game_free must follow in any case. Threads may share the second
   step and the fourth, game_transpose, by parts of the guesses and of the root's blocks. */
static int game_begin(game_t *g, const game_source_t *m) {
    memset(g, 0, sizeof *g);
    g->guesses = m->guesses;
    g->answers = m->answers;
    g->winning_code = m->winning_code;
    g->width = m->width;
    g->codes = m->codes;
    g->answer_guess = m->answer_guess;
    g->rules = m->digits ? HARD : m->replies ? ULTRA_HARD : NORMAL;
    g->replies = m->replies;
    int32_t *answer_of = (int32_t *)build(g, (size_t)g->guesses, sizeof *answer_of);
    int32_t *all = (int32_t *)build(g, (size_t)g->answers, sizeof *all);
    key128 *zobrist = (key128 *)build(g, (size_t)g->answers, sizeof *zobrist);
    g->classes = (uint16_t *)build(g, (size_t)g->guesses, sizeof *g->classes);
    if (!answer_of || !all || !zobrist || !g->classes) return -1;
    for (int i = 0; i < g->guesses; i++) answer_of[i] = -1;
    for (int a = 0; a < g->answers; a++) answer_of[g->answer_guess[a]] = all[a] = a;
    random_words(zobrist, g->answers, 0x6f7074696d616cull);
    g->answer_of = answer_of;
    g->all = all;
    g->zobrist = zobrist;
    return 0;
}

static int game_finish(game_t *g, const game_source_t *m) {
    int32_t *size = (int32_t *)build(g, CODES_MOST, sizeof *size);
    if (!size || (g->width == 1 && build_sample(g) < 0) || (m->letters && build_letters(g, m) < 0)) return -1;
    if (m->symbols) {
        g->symbols = m->symbols;
        g->places = m->places;
        g->symmetric = 1;
    }
    g->split_most = g->root.cap[0] + 1;
    g->split_off = split_off(g, size);
    if (build_depths(g, size) < 0) return -1;
    return m->digits ? build_features(g, m) : 0;
}

static inline int game_build(game_t *g, const game_source_t *m) {
    if (game_begin(g, m) < 0 || game_count(g, 0, g->guesses) < 0 || game_order(g) < 0) return -1;
    game_transpose(g, 0, g->root.blocks);
    return game_finish(g, m);
}

#endif
