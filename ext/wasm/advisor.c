/* The engine for a page: what the next guess of a word game is worth, at any position, without a network.

   The page hands in words and what was played; feedback is scored here, for the candidates at hand only, so that
   memory keeps to them. A position is searched as a game of its own: its candidates are the answers, its guesses
   those that the rules still allow. Hints only add up, so what the rules ask from there on does not depend on what
   they have asked before.

   Whatever takes long comes back after a slice of work and says whether it has ended; asked again it goes on from
   what is in the tables. Numbers go out as doubles, which hold them exactly; NO_TREE stands for no tree. */
#include "search/engine.h"
#include "counting/scoring.h"

#define EXPORT(name) __attribute__((export_name(#name)))

enum { MEMORY = -1, WRONG = -2 };  /* in place of a count: memory ran out; what was handed in can't be */
enum { LENGTH_MOST = MAX_LENGTH, STEPS_MOST = 64, WORDS_MOST = NO_GUESS, WEIGHT_MOST = 1 << 25 };
enum { NEVER, OTHER, LIKELY };     /* whether a word may be the answer */
#define SLOTS ((size_t)1 << 14)
#define SLOTS_MOST ((size_t)1 << 21) /* of 32 bytes */
#define NO_TREE 1e300
#define EXACT_MOST ((int64_t)1 << 53) /* whole numbers that doubles hold */

/* What was handed in. Letters and codes are of `width` bytes: where codes fit in one, twice as many are scored at
   once. */
static struct {
    int words, length, width;
    uint8_t *letter;       /* [place][word], padded to whole lanes */
    uint8_t *tier;         /* by word */
    int32_t *weight;       /* by word; NULL: every word weighs 1 */
    uint8_t *code;         /* scratch: by word */
} list;

/* The position that is searched, and the game that it makes: by totals within the guesses left, and by what is missed
   within them, whose search begins once it is asked for. */
enum { TOTALS, MISSES, SEARCHES };
static struct {
    int built, guesses, answers, left;
    int32_t *guess, *answer; /* the words that are legal, and the candidates */
    uint8_t *codes, *digits, *replies;
    int32_t *letters, *answer_guess;
    int64_t *weights, weight; /* of the candidates, without a common divisor, NULL: 1 each; in sum */
    game_t game;
    search_t *search; /* the one that is asked; NULL: none */
    search_t searches[SEARCHES];
    int open[SEARCHES];
} at;

static void *buffer;
static size_t buffer_size;

/* Room for what is handed in or out next, at least so many bytes; 0 when memory runs out. */
EXPORT(room) void *room(size_t bytes) {
    if (bytes > buffer_size) {
        void *grown = realloc(buffer, bytes);
        if (!grown) return NULL;
        buffer = grown;
        buffer_size = bytes;
    }
    return buffer;
}

static void forget_position(void) {
    for (int i = 0; i < SEARCHES; i++)
        if (at.open[i]) search_free(&at.searches[i]);
    if (at.built) game_free(&at.game);
    free(at.guess);
    free(at.answer);
    free(at.codes);
    free(at.digits);
    free(at.replies);
    free(at.letters);
    free(at.answer_guess);
    free(at.weights);
    memset(&at, 0, sizeof at);
}

static inline size_t padded(int words) {
    return ((size_t)words + LANE - 1) / LANE * LANE;
}

/* The letter, or code, at some place. */
static inline int at_place(const uint8_t *from, size_t i) {
    return list.width == 2 ? ((const uint16_t *)from)[i] : from[i];
}

static inline int letter_of(int word, int p) {
    return at_place(list.letter, (size_t)p * padded(list.words) + (size_t)word);
}

static inline void put_letter(uint8_t *to, size_t i, int letter) {
    if (list.width == 2) ((uint16_t *)to)[i] = (uint16_t)letter;
    else to[i] = (uint8_t)letter;
}

/* Take a list of words from the buffer: letters as numbers below 256, words x length bytes, then a byte a word: its
   tier. Returns the number of words, or why not. */
EXPORT(take_words) int take_words(int words, int length) {
    const uint8_t *from = (const uint8_t *)buffer;
    forget_position();
    free(list.letter);
    free(list.tier);
    free(list.weight);
    free(list.code);
    memset(&list, 0, sizeof list);
    if (words < 1 || words > WORDS_MOST || length < 1 || length > LENGTH_MOST
        || buffer_size < (size_t)words * (size_t)(length + 1))
        return WRONG;
    list.width = length > 5 ? 2 : 1;
    list.letter = (uint8_t *)calloc(padded(words) * (size_t)length, (size_t)list.width);
    list.tier = (uint8_t *)malloc((size_t)words);
    list.code = (uint8_t *)malloc(padded(words) * (size_t)list.width);
    if (!list.letter || !list.tier || !list.code) return MEMORY;
    list.words = words;
    list.length = length;
    for (int w = 0; w < words; w++)
        for (int p = 0; p < length; p++)
            put_letter(list.letter, (size_t)p * padded(words) + (size_t)w, from[w * length + p]);
    memcpy(list.tier, from + (size_t)words * (size_t)length, (size_t)words);
    return words;
}

/* Take what each word of the list weighs, from 1 on, from the buffer as 32-bit numbers. Returns how many, or why not. */
EXPORT(take_weights) int take_weights(int words) {
    const int32_t *from = (const int32_t *)buffer;
    forget_position();
    if (words < 1 || words != list.words || buffer_size < (size_t)words * sizeof *from) return WRONG;
    for (int w = 0; w < words; w++)
        if (from[w] < 1 || from[w] > WEIGHT_MOST) return WRONG;
    if (!list.weight) list.weight = (int32_t *)malloc((size_t)words * sizeof *from);
    if (!list.weight) return MEMORY;
    memcpy(list.weight, from, (size_t)words * sizeof *from);
    return words;
}

/* The feedback codes of a word, if each of `many` words, whose letters lie as in the list, were the answer. */
static void score(int guess, const uint8_t *letter, size_t stride, int many, uint8_t *out) {
    uint8_t short_word[LENGTH_MOST];
    uint16_t word[LENGTH_MOST];
    const uint8_t *short_place[LENGTH_MOST];
    const uint16_t *place[LENGTH_MOST];
    for (int p = 0; p < list.length; p++) {
        word[p] = (uint16_t)letter_of(guess, p);
        short_word[p] = (uint8_t)word[p];
        short_place[p] = letter + (size_t)p * stride;
        place[p] = (const uint16_t *)letter + (size_t)p * stride;
    }
    if (list.width == 2) score_words_16(word, place, list.length, (size_t)many, (uint16_t *)out);
    else score_words_8(short_word, short_place, list.length, (size_t)many, out);
}

/* Whether a guess keeps to a hint under hard rules: greens stay, and letters that were scored come again as often. */
static int keeps_to(int word, int guess, int code) {
    int digit[LENGTH_MOST];
    for (int p = 0; p < list.length; p++, code /= 3) digit[p] = code % 3;
    for (int p = 0; p < list.length; p++) {
        const int letter = letter_of(guess, p);
        int asked = 0, has = 0;
        if (digit[p] == 2 && letter_of(word, p) != letter) return 0;
        for (int q = 0; q < list.length; q++) {
            asked += digit[q] && letter_of(guess, q) == letter;
            has += letter_of(word, q) == letter;
        }
        if (has < asked) return 0;
    }
    return 1;
}

/* The chosen words' letters, laid out as those of the list. */
static uint8_t *gather(const int32_t *word, int many) {
    const size_t stride = padded(many);
    uint8_t *out = (uint8_t *)calloc(stride * (size_t)list.length, (size_t)list.width);
    for (int p = 0; out && p < list.length; p++)
        for (int i = 0; i < many; i++) put_letter(out, (size_t)p * stride + (size_t)i, letter_of(word[i], p));
    return out;
}

/* The codes of all legal guesses against some words; NULL when memory runs out, as it does where 32 bits can't count
   it. */
static uint8_t *matrix(const int32_t *word, int many) {
    const size_t row = (size_t)many * (size_t)list.width;
    if ((uint64_t)at.guesses * row > SIZE_MAX / 2) return NULL;
    uint8_t *letter = gather(word, many), *out = (uint8_t *)malloc((size_t)at.guesses * row);
    for (int g = 0; out && letter && g < at.guesses; g++)
        score(at.guess[g], letter, padded(many), many, out + (size_t)g * row);
    if (!letter) free(out), out = NULL;
    free(letter);
    return out;
}

static int build_position(int rules) {
    const int length = list.length;
    int codes = 1, place = 0;
    for (int p = 0; p < length; p++) codes *= 3;
    at.codes = matrix(at.answer, at.answers);
    at.letters = (int32_t *)malloc((size_t)at.guesses * (size_t)length * sizeof *at.letters);
    at.answer_guess = (int32_t *)malloc((size_t)at.answers * sizeof *at.answer_guess);
    if (rules == ULTRA_HARD) at.replies = matrix(at.guess, at.guesses);
    if (rules == HARD) at.digits = (uint8_t *)malloc((size_t)codes * (size_t)length);
    if (!at.codes || !at.letters || !at.answer_guess || (rules == ULTRA_HARD && !at.replies)
        || (rules == HARD && !at.digits))
        return MEMORY;
    for (int g = 0; g < at.guesses; g++)
        for (int p = 0; p < length; p++)
            at.letters[g * length + p] = letter_of(at.guess[g], p);
    for (int a = 0; a < at.answers; a++) {
        while (at.guess[place] != at.answer[a]) place++; /* candidates are legal, and both lists rise */
        at.answer_guess[a] = place;
    }
    for (int code = 0; rules == HARD && code < codes; code++)
        for (int p = 0, rest = code; p < length; p++, rest /= 3) at.digits[code * length + p] = (uint8_t)(rest % 3);
    const game_source_t source = {.guesses = at.guesses,
                             .answers = at.answers,
                             .winning_code = codes - 1,
                             .width = list.width,
                             .codes = at.codes,
                             .answer_guess = at.answer_guess,
                             .letters = at.letters,
                             .length = length,
                             .digits = at.digits,
                             .replies = at.replies};
    at.built = 1;
    return game_build(&at.game, &source) < 0 ? MEMORY : 0;
}

/* Ask by totals (0) or by misses (1) from now on. What a candidate of weight 1 costs that is missed, 0 by totals; or why
   not.

   By misses, a cost is the total over the candidates found and, by the weight of the others, what it costs to miss them,
   which is more than all totals. */
EXPORT(count_misses) double count_misses(int misses) {
    const int64_t n = at.answers, by = at.left <= n ? at.left : n + 1, late = at.weight * (by + 1) + 1;
    const int uniform = !at.weights;
    if (!at.built || (misses && (at.left == FREE || late + by >= EXACT_MOST / at.weight))) return WRONG;
    at.search = &at.searches[misses ? MISSES : TOTALS];
    if (!at.open[misses ? MISSES : TOTALS]) {
        at.open[misses ? MISSES : TOTALS] = 1;
        at.search->costs = (costs_t){at.weights, .unit = uniform && !misses, .uniform = uniform, .each = 1, .by = -1};
        if (misses) at.search->costs.by = (int)by, at.search->costs.late = late, at.search->costs.final = 1;
        if (search_begin(at.search, &at.game, 0, SLOTS, SLOTS_MOST, NULL, 0)) {
            forget_position();
            return MEMORY;
        }
    }
    return misses ? (double)(late + by + 1) : 0;
}

/* The guesses left, as the search has it: what is missed is searched without a limit. */
static int limit_of_search(void) {
    return at.search == &at.searches[MISSES] ? FREE : at.left;
}

static int64_t common_divisor(int64_t a, int64_t b) {
    while (b) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Weigh the candidates: by numbers without a common divisor, so that those of equal weight count once each. */
static int weigh_position(void) {
    int64_t divisor = 0, sum = 0;
    for (int a = 0; list.weight && a < at.answers; a++) {
        divisor = common_divisor(list.weight[at.answer[a]], divisor);
        sum += list.weight[at.answer[a]];
    }
    at.weight = divisor ? sum / divisor : at.answers;
    if (at.weight == at.answers) return 0; /* each weighs as much as the divisor */
    at.weights = (int64_t *)malloc((size_t)at.answers * sizeof *at.weights);
    if (!at.weights) return MEMORY;
    for (int a = 0; a < at.answers; a++) at.weights[a] = list.weight[at.answer[a]] / divisor;
    return 0;
}

/* Which words fit these guesses and their feedback, and which are legal after them; returns WRONG where that can't
   be. */
static int keep_words(const int32_t *step, int steps, int rules, uint8_t *fits, uint8_t *legal) {
    memset(fits, 1, (size_t)list.words);
    memset(legal, 1, (size_t)list.words);
    for (int i = 0; i < steps; i++) {
        const int guess = step[2 * i], code = step[2 * i + 1];
        if (guess < 0 || guess >= list.words || code < 0) return WRONG;
        score(guess, list.letter, padded(list.words), list.words, list.code);
        for (int w = 0; w < list.words; w++) {
            const int reply = at_place(list.code, (size_t)w);
            fits[w] &= reply == code;
            if (rules == HARD && legal[w]) legal[w] = (uint8_t)keeps_to(w, guess, code);
            if (rules == ULTRA_HARD) legal[w] &= reply == code;
        }
    }
    return 0;
}

/* Go to the position after the guesses in the buffer, pairs of 32-bit numbers: a word's place in the list, its feedback
   code. `rules`: 0 normal, 1 hard, 2 ultra-hard; `left`: guesses left from there on, 0: as many as one likes. The
   candidates are the likely answers that fit, or the other words where none does. Returns how many there are. */
EXPORT(take_position) int take_position(int steps, int rules, int left) {
    int32_t step[2 * STEPS_MOST];
    forget_position();
    if (steps < 0 || steps > STEPS_MOST || rules < NORMAL || rules > ULTRA_HARD || left < 0 || !list.words
        || buffer_size < (size_t)steps * 8)
        return WRONG;
    memcpy(step, buffer, (size_t)steps * 8);
    uint8_t *fits = (uint8_t *)malloc((size_t)list.words), *legal = (uint8_t *)malloc((size_t)list.words);
    at.guess = (int32_t *)malloc((size_t)list.words * sizeof *at.guess);
    at.answer = (int32_t *)malloc((size_t)list.words * sizeof *at.answer);
    int out = fits && legal && at.guess && at.answer ? keep_words(step, steps, rules, fits, legal) : MEMORY;
    for (int tier = LIKELY; tier >= OTHER && !out && !at.answers; tier--)
        for (int w = 0; w < list.words; w++)
            if (fits[w] && list.tier[w] == tier) at.answer[at.answers++] = w;
    for (int w = 0; w < list.words && !out; w++)
        if (legal[w]) at.guess[at.guesses++] = w;
    at.left = left ? left : FREE;
    free(fits);
    free(legal);
    if (!out && at.answers) out = weigh_position();
    if (!out && at.answers) out = build_position(rules);
    if (!out && at.answers) out = (int)count_misses(0);
    if (out) forget_position();
    return out ? out : at.answers;
}

/* Put the candidates into the buffer, places in the list as 32-bit numbers; returns how many. */
EXPORT(candidates) int candidates(void) {
    int32_t *to = (int32_t *)room((size_t)at.answers * sizeof *to);
    if (!to) return MEMORY;
    memcpy(to, at.answer, (size_t)at.answers * sizeof *to);
    return at.answers;
}

/* What the candidates weigh in sum. */
EXPORT(weight) double weight(void) {
    return (double)at.weight;
}

/* The legal guess that is this word of the list; -1 if it isn't legal. */
static int legal_guess(int word) {
    int low = 0, high = at.guesses;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (at.guess[middle] < word) low = middle + 1;
        else high = middle;
    }
    return low < at.guesses && at.guess[low] == word ? low : -1;
}

EXPORT(is_legal_word) int is_legal_word(int word) {
    return legal_guess(word) >= 0;
}

/* Put the likeliest `many` guesses into the buffer, best first; returns how many. */
EXPORT(likeliest) int likeliest(int many) {
    search_t *s = at.search;
    node_t N;
    int found = 0;
    int32_t *to = (int32_t *)room((size_t)(many > 0 ? many : 0) * sizeof *to + 8);
    if (!to) return MEMORY;
    if (!at.search || many < 1) return 0;
    if (s->start->n <= 2) {
        const int later = s->start->n == 2 && cost_weight(&s->costs, 1) > cost_weight(&s->costs, 0);
        to[found++] = at.answer[later];
        if (s->start->n == 2 && many > 1) to[found++] = at.answer[!later];
        return found;
    }
    if (beam_list(s, &N, s->start, limit_of_search() < s->start->n ? limit_of_search() : FREE, COST_INF, many) == OPEN)
        for (; found < many && found < N.listed; found++) to[found] = at.guess[N.list[found].guess];
    return search_done(s) == OUT_OF_MEMORY ? MEMORY : found;
}

/* How the last question ended. */
static int ended;
EXPORT(has_ended) int has_ended(void) {
    return ended == DONE;
}
EXPORT(ran_out) int ran_out(void) {
    return ended == OUT_OF_MEMORY || ended == TOO_DEEP;
}

static double reply(int64_t total) {
    at.search->units_left = -1;
    ended = search_done(at.search);
    return total >= COST_INF ? NO_TREE : (double)total;
}

/* What this word costs over all candidates by greedy play after it: no less than the least; NO_TREE where no tree was
   found within so many work units. By misses there always is one. */
EXPORT(estimate) double estimate(int word, int units) {
    const int guess = legal_guess(word);
    int failed = -1;
    if (guess < 0 || !at.search) return NO_TREE;
    at.search->units_left = units;
    return reply(beam_opener(at.search, guess, limit_of_search(), 0, COST_INF, &failed));
}

/* The least cost over all candidates if this word is the next guess: once has_ended(), exact if it is below the
   budget, else a lower bound; before, a lower bound. Takes about so many work units, some 14 ms each; the
   class at hand has up to STEP_UNITS more where the budget is not infinite. */
EXPORT(worth) double worth(int word, double budget, int units) {
    const int guess = legal_guess(word);
    int height = 0;
    if (guess < 0 || !at.search) return NO_TREE;
    at.search->units_left = units;
    return reply(opener_value(at.search, guess, limit_of_search(), budget < NO_TREE ? (int64_t)budget : COST_INF, &height));
}

/* The most guesses needed if this word is the next guess, which has a tree, and is followed by the least tree that is
   lowest, once has_ended(). */
EXPORT(tallest) double tallest(int word, int units) {
    const int guess = legal_guess(word);
    partition_t p;
    int below = 0;
    if (guess < 0 || !at.search) return NO_TREE;
    at.search->units_left = units;
    if (split(at.search, at.search->start, guess, &p) >= 0)
        below = canonical_height(at.search, &p, guesses_after(limit_of_search()), FREE);
    return reply(below + 1);
}

static int best_word, best_height;

/* The least cost over all candidates, as `worth`; best() is the word that is played then, by the rule of ties. */
EXPORT(least) double least(int units) {
    int guess = -1;
    if (!at.search) return NO_TREE;
    at.search->units_left = units;
    const int64_t total = best_guess(at.search, limit_of_search(), COST_INF, &guess, &best_height);
    best_word = guess < 0 ? -1 : at.guess[guess];
    return reply(total < 0 ? 0 : total);
}
EXPORT(best) int best(void) {
    return best_word;
}
EXPORT(height) int height(void) {
    return best_height;
}

/* Positions searched so far: a bar needs something that grows. */
EXPORT(nodes) double nodes(void) {
    return at.search ? (double)at.search->nodes : 0;
}
