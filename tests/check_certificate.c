/* A second checker of certificates, written from docs/certificate.md alone: it knows nothing of the engine, of the
   program that writes certificates, or of the checker in Python.

       cc -O2 -o check_certificate check_certificate.c
       xz -dc classic-normal.xz | ./check_certificate

   One line on standard output: the theorem (exit status 0), or the first flaw (1). 2: out of memory. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int64_t i64;

#define NONE ((i64)1 << 50) /* no strategy: more than any cost */
#define ENDLESS (1 << 30)   /* guesses left without a limit */
#define STREAM_MOST (96 << 20)
#define NESTED_MOST 100
#define WORDS_MOST 65535
#define LENGTH_MOST 10
#define SIZES_MOST 40
#define MEMBERS_MOST 32
#define SMALL_SIZE 64
#define SMALL_CLASSES 8
#define CODES_MOST 59049 /* 3 ^ 10 */
#define LETTERS_MOST 256
#define PAIRS_MOST 400000000

static void fail(const char *problem) {
    printf("flawed: %s\n", problem);
    exit(1);
}

static void *room(size_t count, size_t size) {
    void *p = calloc(count ? count : 1, size);
    if (p == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(2);
    }
    return p;
}

/* ---------------------------------------------------------------- the stream */

static unsigned char *stream;
static size_t at, end;

static void read_stream(void) {
    static const char magic[] = "optimal-certificate 1\n";
    size_t most = (size_t)STREAM_MOST + 1, got;
    stream = room(most, 1);
    while (end < most && (got = fread(stream + end, 1, most - end, stdin)) > 0) end += got;
    if (end == most) fail("the stream is too long");
    at = sizeof magic - 1;
    if (end < at || memcmp(stream, magic, at) != 0) fail("it does not begin as a certificate of version 1");
}

static i64 next(const char *what, i64 low, i64 high) {
    i64 number = 0;
    for (int bytes = 0;; bytes++) {
        if (at >= end || bytes == 8) fail(what);
        unsigned char byte = stream[at++];
        number |= (i64)(byte & 127) << (7 * bytes);
        if (byte < 128) {
            if (byte == 0 && bytes > 0) fail("an integer in more bytes than it needs");
            break;
        }
    }
    if (number < low || number > high) fail(what);
    return number;
}

/* A body must hold just as many integers as its size says. */
static i64 integers_between(size_t from, size_t to) {
    i64 count = 0;
    for (size_t i = from; i < to; i++) count += stream[i] < 128;
    return count;
}

/* ---------------------------------------------------------------- SHA-256 */

static uint32_t sha_state[8];
static unsigned char sha_block[64];
static uint64_t sha_length;

static const uint32_t SHA_K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01,
    0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc,
    0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08,
    0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turned(uint32_t x, int by) { return x >> by | x << (32 - by); }

static void sha_begin(void) {
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(sha_state, start, sizeof start);
    sha_length = 0;
}

static void sha_byte(unsigned char byte) {
    uint32_t w[64], s[8];
    sha_block[sha_length++ % 64] = byte;
    if (sha_length % 64) return;
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)sha_block[4 * i] << 24 | (uint32_t)sha_block[4 * i + 1] << 16 |
               (uint32_t)sha_block[4 * i + 2] << 8 | sha_block[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + w[i - 7] + (turned(a, 7) ^ turned(a, 18) ^ a >> 3) + (turned(b, 17) ^ turned(b, 19) ^ b >> 10);
    }
    memcpy(s, sha_state, sizeof s);
    for (int i = 0; i < 64; i++) {
        uint32_t one = s[7] + (turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) +
                       SHA_K[i] + w[i];
        uint32_t two = (turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22)) +
                       ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += one;
        s[0] = one + two;
    }
    for (int i = 0; i < 8; i++) sha_state[i] += s[i];
}

static void sha_end(unsigned char *out) {
    uint64_t bits = sha_length * 8;
    sha_byte(128);
    while (sha_length % 64 != 56) sha_byte(0);
    for (int i = 7; i >= 0; i--) sha_byte((unsigned char)(bits >> (8 * i)));
    for (int i = 0; i < 32; i++) out[i] = (unsigned char)(sha_state[i / 4] >> (24 - 8 * (i % 4)));
}

static void sha_letter(uint32_t c) { /* in UTF-8 */
    if (c < 0x80) {
        sha_byte((unsigned char)c);
    } else if (c < 0x800) {
        sha_byte((unsigned char)(0xc0 | c >> 6));
        sha_byte((unsigned char)(0x80 | (c & 63)));
    } else {
        if (c < 0x10000) {
            sha_byte((unsigned char)(0xe0 | c >> 12));
        } else {
            sha_byte((unsigned char)(0xf0 | c >> 18));
            sha_byte((unsigned char)(0x80 | (c >> 12 & 63)));
        }
        sha_byte((unsigned char)(0x80 | (c >> 6 & 63)));
        sha_byte((unsigned char)(0x80 | (c & 63)));
    }
}

/* ---------------------------------------------------------------- the game */

enum { WORDS, MASTERMIND, BULLS };
enum { NORMAL, HARD, ULTRA_HARD };

static int kind, rules, places, symbols, guesses, answers, winning;
static uint32_t *symbol;     /* [guess * places + place] */
static int *answer_guess;    /* the guess that an answer is */
static int *answer_of;       /* the answer that a guess is, or -1 */
static uint16_t *matrix;     /* [guess * answers + answer] */
static unsigned char hash[2][32];

static int score(const uint32_t *guess, const uint32_t *answer) {
    int code = 0, black = 0, white = 0, power = 1, taken[LENGTH_MOST] = {0}, found[LENGTH_MOST];
    for (int i = 0; i < places; i++) {
        found[i] = guess[i] == answer[i];
        black += found[i];
        taken[i] = found[i];
    }
    for (int i = 0; i < places; i++)
        for (int j = 0; j < places && !found[i]; j++)
            if (!taken[j] && guess[i] == answer[j]) { /* each place of the answer serves once */
                found[i] = taken[j] = 1;
                white++;
            }
    if (kind != WORDS) return black * (places + 1) + white;
    for (int i = 0; i < places; i++, power *= 3) code += power * (guess[i] == answer[i] ? 2 : found[i]);
    return code;
}

static int word_order(const uint32_t *one, const uint32_t *other) {
    for (int i = 0; i < places; i++)
        if (one[i] != other[i]) return one[i] < other[i] ? -1 : 1;
    return 0;
}

static void read_words(void) {
    places = (int)next("length of words", 1, LENGTH_MOST);
    guesses = (int)next("number of guesses", 1, WORDS_MOST);
    symbol = room((size_t)guesses * places, sizeof *symbol);
    unsigned char *met = room(0x110000, 1);
    for (int i = 0; i < guesses * places; i++) {
        symbol[i] = (uint32_t)next("letter", 0, 0x10ffff);
        if (symbol[i] >= 0xd800 && symbol[i] < 0xe000) fail("a letter that is no character");
        symbols += !met[symbol[i]];
        met[symbol[i]] = 1;
    }
    free(met);
    if (symbols > LETTERS_MOST) fail("too many different letters");
    for (int g = 1; g < guesses; g++)
        if (word_order(symbol + (size_t)(g - 1) * places, symbol + (size_t)g * places) >= 0) fail("words out of order");
    answers = (int)next("number of answers", 1, guesses);
    answer_guess = room((size_t)answers, sizeof *answer_guess);
    for (int a = 0; a < answers; a++)
        answer_guess[a] = (int)next("answer", a ? answer_guess[a - 1] + 1 : 0, guesses - 1);
    winning = 1;
    for (int i = 0; i < places; i++) winning *= 3;
    winning--;
}

static void make_codes(void) {
    places = (int)next("number of places", 1, LENGTH_MOST);
    symbols = kind == MASTERMIND ? (int)next("number of colours", 2, 35) : 10;
    i64 count = 1;
    for (int i = 0; i < places; i++) {
        count *= kind == MASTERMIND ? symbols : symbols - i;
        if (count > WORDS_MOST) fail("too many codes");
    }
    guesses = answers = (int)count;
    symbol = room((size_t)guesses * places, sizeof *symbol);
    answer_guess = room((size_t)answers, sizeof *answer_guess);
    uint32_t code[LENGTH_MOST] = {0};
    for (int g = 0; g < guesses;) {
        int repeats = 0;
        for (int i = 0; i < places; i++)
            for (int j = 0; j < i; j++) repeats |= code[i] == code[j];
        if (kind == MASTERMIND || !repeats) {
            memcpy(symbol + (size_t)g * places, code, (size_t)places * sizeof *code);
            answer_guess[g] = g;
            g++;
        }
        for (int i = places - 1; i >= 0 && ++code[i] == (uint32_t)symbols; i--) code[i] = 0;
    }
    winning = places * (places + 1);
}

static void check_hash(int which, int count) {
    const char *spelled = kind == MASTERMIND ? "123456789abcdefghijklmnopqrstuvwxyz" : "0123456789";
    sha_begin();
    for (int i = 0; i < count; i++) {
        const uint32_t *word = symbol + (size_t)(which ? answer_guess[i] : i) * places;
        for (int p = 0; p < places; p++) sha_letter(kind == WORDS ? word[p] : (unsigned char)spelled[word[p]]);
        sha_byte('\n');
    }
    sha_end(hash[which]);
    for (int i = 0; i < 32; i++)
        if (next("hash", 0, 255) != hash[which][i]) fail("a hash is not that of the list");
}

static void read_game(void) {
    kind = (int)next("kind of game", WORDS, BULLS);
    if (kind == WORDS) read_words();
    else make_codes();
    check_hash(0, guesses);
    check_hash(1, answers);
    rules = (int)next("rules", NORMAL, ULTRA_HARD);
    if (rules == HARD && kind != WORDS) fail("hard rules are for words");
    if ((i64)guesses * answers > PAIRS_MOST) fail("too many pairs of a guess and an answer");
    answer_of = room((size_t)guesses, sizeof *answer_of);
    for (int g = 0; g < guesses; g++) answer_of[g] = -1;
    for (int a = 0; a < answers; a++) answer_of[answer_guess[a]] = a;
    matrix = room((size_t)guesses * answers, sizeof *matrix);
    for (int g = 0; g < guesses; g++)
        for (int a = 0; a < answers; a++)
            matrix[(size_t)g * answers + a] =
                (uint16_t)score(symbol + (size_t)g * places, symbol + (size_t)answer_guess[a] * places);
}

/* ---------------------------------------------------------------- sets */

typedef struct {
    int n, *answer; /* rising */
} set_t;

static unsigned char *inside; /* per answer; zero between uses */
static uint32_t *mark, now;   /* per code: when it was seen last */
static int *tally;            /* per code; zero between uses */

static const uint16_t *codes_of(int guess) { return matrix + (size_t)guess * answers; }

static int count(int guess, const set_t *s) {
    const uint16_t *code = codes_of(guess);
    int classes = 0;
    now++;
    for (int i = 0; i < s->n; i++) {
        uint16_t c = code[s->answer[i]];
        classes += mark[c] != now;
        mark[c] = now;
    }
    return classes;
}

static set_t class_of(int guess, int code, const set_t *s) {
    set_t part = {0, room((size_t)s->n, sizeof(int))};
    for (int i = 0; i < s->n; i++)
        if (codes_of(guess)[s->answer[i]] == code) part.answer[part.n++] = s->answer[i];
    return part;
}

static int is_part(const set_t *part, const set_t *whole) {
    int all = 1;
    for (int i = 0; i < whole->n; i++) inside[whole->answer[i]] = 1;
    for (int i = 0; i < part->n; i++) all &= inside[part->answer[i]];
    for (int i = 0; i < whole->n; i++) inside[whole->answer[i]] = 0;
    return all;
}

static int has_perfect_member(const set_t *s) {
    for (int i = 0; i < s->n; i++)
        if (count(answer_guess[s->answer[i]], s) == s->n) return 1;
    return 0;
}

/* ---------------------------------------------------------------- sizes */

typedef struct {
    int most, outside, inside; /* greatest `upper`; classes that don't win of any guess, and of a member */
} limits_t;

typedef struct {
    int layers, settled; /* sizes up to `settled` don't change with more guesses */
    i64 *cost[SIZES_MOST + 1];
} sizes_t;

static sizes_t of_all, small_sizes[SMALL_CLASSES + 1][SMALL_CLASSES + 1];
static limits_t limits_of_all;

static i64 least(i64 a, i64 b) { return a < b ? a : b; }
static int greater(int a, int b) { return a > b ? a : b; }

static limits_t limits_of(const set_t *s, const int *upper) {
    limits_t found = {0, 0, 0};
    for (int i = 0; i < s->n; i++) inside[s->answer[i]] = 1;
    for (int g = 0; g < guesses; g++) {
        int member = answer_of[g] >= 0 && inside[answer_of[g]], classes = upper[g] - 2 * member;
        found.most = greater(found.most, upper[g]);
        found.outside = greater(found.outside, classes);
        if (member) found.inside = greater(found.inside, classes);
    }
    for (int i = 0; i < s->n; i++) inside[s->answer[i]] = 0;
    return found;
}

static void both(const i64 *one, const i64 *other, i64 *out, int size) {
    for (int n = 0; n <= size; n++) out[n] = NONE;
    for (int a = 0; a <= size; a++)
        if (one[a] < NONE)
            for (int b = 0; a + b <= size; b++) out[a + b] = least(out[a + b], one[a] + other[b]);
}

static i64 *split_sizes(const i64 *costs, int parts, int size) {
    size_t bytes = (size_t)(size + 1) * sizeof(i64);
    i64 *best = room(1, bytes), *power = room(1, bytes), *work = room(1, bytes);
    for (int n = 1; n <= size; n++) best[n] = NONE;
    memcpy(power, costs, bytes);
    for (; parts; parts >>= 1) {
        if (parts & 1) {
            both(best, power, work, size);
            memcpy(best, work, bytes);
        }
        if (parts > 1) {
            both(power, power, work, size);
            memcpy(power, work, bytes);
        }
    }
    free(power);
    free(work);
    return best;
}

static i64 size_cost(sizes_t *s, int left, int n, int outside, int inside_most, int size) {
    for (; (s->layers < 2 || s->settled < size) && s->layers <= SIZES_MOST && s->layers <= left; s->layers++) {
        i64 *f = s->cost[s->layers] = room((size_t)size + 1, sizeof(i64));
        for (int i = 1; i <= size; i++) f[i] = NONE;
        if (!s->layers) continue;
        i64 *below = s->cost[s->layers - 1];
        i64 *out = split_sizes(below, outside, size), *in = split_sizes(below, inside_most, size);
        for (int i = 1; i <= size; i++) f[i] = least(NONE, i + least(out[i], in[i - 1]));
        for (s->settled = 0; s->settled < size && f[s->settled + 1] == below[s->settled + 1];) s->settled++;
        free(out);
        free(in);
    }
    if (n == 0) return 0;
    if (left < s->layers) return s->cost[left][n];
    return n <= s->settled ? s->cost[s->layers - 1][n] : 2 * n - 1;
}

static i64 size_bound(int left, int n) {
    return size_cost(&of_all, left, n, limits_of_all.outside, limits_of_all.inside, answers);
}

static i64 by_size(int left, int n, limits_t limits) {
    i64 bound = size_bound(left, n), small = 0;
    if (n == 0) return 0;
    if (left == 2 && n > limits.most) return NONE;
    if (limits.outside <= SMALL_CLASSES && n <= SMALL_SIZE)
        small = size_cost(&small_sizes[limits.outside][limits.inside], left, n, limits.outside, limits.inside, SMALL_SIZE);
    if (small > bound) bound = small;
    return bound > 3 * n - limits.most ? bound : 3 * n - limits.most;
}

static i64 full_bound(const set_t *s, int left, limits_t limits) {
    i64 bound = by_size(left, s->n, limits);
    return s->n >= 3 && s->n <= MEMBERS_MOST && bound < 2 * s->n && !has_perfect_member(s) ? 2 * s->n : bound;
}

static int one_less(int left) { return left == ENDLESS ? left : left - 1; }

/* ---------------------------------------------------------------- survivors */

static int code_order(const void *one, const void *other) { return *(const int *)one - *(const int *)other; }

/* What the guess costs by the bounds of its classes; by their members too, if it is less than `target` without. */
static i64 guess_bound(int guess, const set_t *s, int left, limits_t limits, i64 target) {
    static int code[WORDS_MOST + 1];
    const uint16_t *codes = codes_of(guess);
    int k = 0;
    i64 total = s->n;
    if (left < 1) return NONE;
    left = one_less(left);
    for (int i = 0; i < s->n; i++)
        if (!tally[codes[s->answer[i]]]++) code[k++] = codes[s->answer[i]];
    if (k == 1 && code[0] != winning) total = NONE;
    for (int i = 0; i < k; i++)
        if (code[i] != winning) total += by_size(left, tally[code[i]], limits);
    for (int i = 0; i < k && total < target; i++) {
        int n = tally[code[i]];
        i64 bound = by_size(left, n, limits);
        if (code[i] == winning || n < 3 || n > MEMBERS_MOST || bound >= 2 * n) continue;
        set_t part = class_of(guess, code[i], s);
        total += full_bound(&part, left, limits) - bound;
        free(part.answer);
    }
    for (int i = 0; i < k; i++) tally[code[i]] = 0;
    return least(total, NONE);
}

typedef struct {
    int n, *guess;
    i64 *bound;
    limits_t limits;
} survivors_t;

static survivors_t find_survivors(const set_t *s, int *upper, int left, i64 target) {
    survivors_t found = {0, room((size_t)guesses, sizeof(int)), room((size_t)guesses, sizeof(i64)), {0, 0, 0}};
    i64 enough = target == NONE ? 1 : 3 * (i64)s->n - target;
    if (enough < 1) enough = 1;
    if (left == 2 && enough < s->n - 1) enough = s->n - 1;
    for (int i = 0; i < s->n; i++) inside[s->answer[i]] = 1;
    for (int g = 0; g < guesses; g++) {
        int member = answer_of[g] >= 0 && inside[answer_of[g]];
        if (upper[g] > s->n + member) upper[g] = s->n + member;
        if (upper[g] > enough) {
            upper[g] = count(g, s) + member;
            if (upper[g] > enough) found.guess[found.n++] = g;
        }
    }
    for (int i = 0; i < s->n; i++) inside[s->answer[i]] = 0;
    found.limits = limits_of(s, upper);
    int kept = 0;
    for (int i = 0; i < found.n; i++) {
        i64 bound = guess_bound(found.guess[i], s, left, found.limits, target);
        if (bound < target) {
            found.guess[kept] = found.guess[i];
            found.bound[kept++] = bound;
        }
    }
    found.n = kept;
    return found;
}

static void free_survivors(survivors_t *s) {
    free(s->guess);
    free(s->bound);
}

/* A copy of `upper`, the guesses struck out that are illegal after this feedback. */
static int *struck(const int *upper, int guess, int code) {
    int *out = room((size_t)guesses, sizeof(int));
    const uint32_t *past = symbol + (size_t)guess * places;
    memcpy(out, upper, (size_t)guesses * sizeof(int));
    for (int g = 0; g < guesses && rules != NORMAL; g++) {
        const uint32_t *word = symbol + (size_t)g * places;
        int fair = 1, rest = code;
        if (!out[g]) continue;
        if (rules == ULTRA_HARD) fair = score(past, word) == code;
        for (int i = 0; i < places && rules == HARD; i++, rest /= 3) {
            int wanted = 0, has = 0, other = code;
            if (rest % 3 == 2) fair &= word[i] == past[i];
            for (int j = 0; j < places; j++, other /= 3) {
                wanted += past[j] == past[i] && other % 3 > 0;
                has += word[j] == past[i];
            }
            fair &= has >= wanted;
        }
        if (!fair) out[g] = 0;
    }
    return out;
}

/* ---------------------------------------------------------------- derivations */

typedef struct {
    set_t set;
    i64 target;
    int left;
    unsigned char *legal; /* NULL under normal rules */
} proven_t;

static proven_t *proven;
static int proven_count, proven_room, lemmas; /* the lemmas come first */
static i64 claims;

static i64 by_earlier(const proven_t *earlier, const set_t *s, const int *upper, int left) {
    if (!is_part(&earlier->set, s)) fail("an earlier claim is of answers outside the class");
    if (earlier->left < left) fail("an earlier claim has fewer guesses left");
    for (int g = 0; g < guesses && earlier->legal; g++)
        if (upper[g] && !earlier->legal[g]) fail("an earlier claim has fewer legal guesses");
    return least(NONE, earlier->target + size_bound(left, s->n - earlier->set.n));
}

/* Takes over the set; `upper` stays the caller's. */
static i64 claim(set_t s, int *upper, int left, int nested) {
    if (nested > NESTED_MOST) fail("claims are nested too deep");
    i64 target = next("target", 0, NONE - 1);
    if (target == 0) target = NONE;
    survivors_t found = find_survivors(&s, upper, left, target);
    if (next("number of guesses", 0, guesses) != found.n) fail("a claim lists other guesses than those that survive");
    for (int i = 0; i < found.n; i++) {
        int guess = found.guess[i], last = -1;
        i64 bound = found.bound[i];
        if (next("guess", 0, guesses - 1) != guess) fail("a claim lists another guess than the one that survives");
        for (i64 parts = next("number of classes", 0, winning); parts > 0; parts--) {
            last = (int)next("feedback code", last + 1, winning - 1);
            set_t part = class_of(guess, last, &s);
            if (!part.n) fail("a class without answers");
            int *legal = struck(upper, guess, last), fewer = one_less(left);
            i64 bare = full_bound(&part, fewer, found.limits), value;
            i64 number = next("number of a claim", 0, proven_count);
            if (number) {
                value = by_earlier(&proven[number - 1], &part, legal, fewer);
                free(part.answer);
            } else {
                value = claim(part, legal, fewer, nested + 1);
            }
            if (value > bare) bound += value - bare;
            free(legal);
        }
        if (bound < target) fail("a guess is not shown to cost the target of a claim");
    }
    free_survivors(&found);
    if (proven_count == proven_room) {
        proven_room = proven_room * 2 + 64;
        proven = realloc(proven, (size_t)proven_room * sizeof *proven);
        if (proven == NULL) exit(2);
    }
    proven_t *mine = &proven[proven_count++];
    *mine = (proven_t){s, target, left, NULL};
    if (rules != NORMAL) {
        mine->legal = room((size_t)guesses, 1);
        for (int g = 0; g < guesses; g++) mine->legal[g] = upper[g] > 0;
    }
    claims++;
    return target;
}

static void forget(int first, int end_) {
    for (int i = first; i < end_; i++) {
        free(proven[i].set.answer);
        free(proven[i].legal);
    }
}

static void read_lemma(const int *start) {
    int left = (int)next("guesses left for a lemma", 0, WORDS_MOST), n = (int)next("answers of a lemma", 1, answers);
    set_t s = {n, room((size_t)n, sizeof(int))};
    for (int i = 0; i < n; i++) s.answer[i] = (int)next("answer of a lemma", i ? s.answer[i - 1] + 1 : 0, answers - 1);
    int *upper = room((size_t)guesses, sizeof(int));
    memcpy(upper, start, (size_t)guesses * sizeof(int));
    claim(s, upper, left, 0);
    free(upper);
    forget(lemmas, proven_count - 1);
    proven[lemmas] = proven[proven_count - 1];
    proven_count = ++lemmas;
}

static i64 *gain;         /* per opener */
static uint64_t *items;   /* opener << 32 | code */
static size_t item_count, item_room;

static void read_item(const set_t *everything, const set_t *s, const int *upper, limits_t limits, int left) {
    int opener = (int)next("opener", 0, guesses - 1), code = (int)next("feedback of an item", 0, winning - 1);
    set_t part = class_of(opener, code, everything);
    if (!part.n || !is_part(&part, s)) fail("the class of an item is empty, or not all in its set");
    if (item_count == item_room) {
        item_room = item_room * 2 + 1024;
        items = realloc(items, item_room * sizeof *items);
        if (items == NULL) exit(2);
    }
    items[item_count++] = (uint64_t)opener << 32 | (uint64_t)code;
    i64 value, bare = full_bound(&part, one_less(left), limits_of_all);
    int form = (int)next("kind of item", 0, 2), *legal = struck(upper, opener, code);
    if (form == 2) {
        i64 number = next("number of a lemma", 1, lemmas);
        value = by_earlier(&proven[number - 1], &part, legal, one_less(left));
        free(part.answer);
    } else if (form == 1) {
        value = claim(part, legal, one_less(left), 0);
        forget(lemmas, proven_count);
        proven_count = lemmas;
    } else {
        value = by_size(one_less(left), part.n, limits);
        free(part.answer);
    }
    free(legal);
    if (value > bare) gain[opener] = least(NONE, gain[opener] + value - bare);
}

static void read_body(const set_t *everything, const set_t *s, const int *upper, limits_t limits, int left, int nested) {
    for (i64 n = next("number of items", 0, STREAM_MOST); n > 0; n--) read_item(everything, s, upper, limits, left);
    if (nested == NESTED_MOST) fail("widths are nested too deep");
    for (i64 n = next("number of widths", 0, STREAM_MOST); n > 0; n--) {
        int guess = (int)next("guess of a width", 0, guesses - 1);
        unsigned char *asked = room(CODES_MOST + 1, 1);
        for (i64 k = next("number of codes", 1, winning + 1); k > 0; k--) {
            i64 code = next("code of a width", 0, ((i64)1 << 56) - 1);
            if (code <= winning) asked[code] = 1;
        }
        set_t part = {0, room((size_t)s->n, sizeof(int))};
        for (int i = 0; i < s->n; i++)
            if (asked[codes_of(guess)[s->answer[i]]]) part.answer[part.n++] = s->answer[i];
        if (!part.n) fail("a width without answers");
        int now_most = (int)next("most classes", 0, WORDS_MOST + 1);
        int *lower = room((size_t)guesses, sizeof(int));
        for (int i = 0; i < part.n; i++) inside[part.answer[i]] = 1;
        for (int g = 0; g < guesses; g++) {
            int member = answer_of[g] >= 0 && inside[answer_of[g]];
            lower[g] = upper[g] < part.n + member ? upper[g] : part.n + member;
            if (lower[g] > now_most) lower[g] = count(g, &part) + member;
            if (lower[g] > now_most) fail("a guess makes more classes than a width says");
        }
        for (int i = 0; i < part.n; i++) inside[part.answer[i]] = 0;
        free(asked);
        read_body(everything, &part, lower, limits_of(&part, lower), left, nested + 1);
        free(part.answer);
        free(lower);
    }
}

static int item_order(const void *one, const void *other) {
    uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
    return a < b ? -1 : a > b;
}

/* 1: not settled by items; 2: settled by being like another. */
static void read_like(unsigned char *state) {
    int opener = (int)next("opener", 0, guesses - 1), other = (int)next("opener", 0, guesses - 1);
    int place[LENGTH_MOST], used = 0, renamed[35];
    i64 named = 0;
    if (kind == WORDS) fail("like openers are for peg games");
    if (state[opener] != 1 || state[other]) fail("an opener that can't rest on the other");
    for (int i = 0; i < places; i++) used |= 1 << (place[i] = (int)next("place", 0, places - 1));
    for (int i = 0; i < symbols; i++) named |= (i64)1 << (renamed[i] = (int)next("symbol", 0, symbols - 1));
    if (used != (1 << places) - 1 || named != ((i64)1 << symbols) - 1) fail("no permutation");
    for (int i = 0; i < places; i++)
        if ((uint32_t)renamed[symbol[(size_t)opener * places + place[i]]] != symbol[(size_t)other * places + i])
            fail("an opener that does not become the other");
    state[opener] = 2;
}

static void check_proof(const set_t *everything, const int *start, int left, i64 target) {
    gain = room((size_t)guesses, sizeof *gain);
    item_count = 0;
    forget(0, proven_count);
    proven_count = lemmas = 0;
    for (i64 n = next("number of lemmas", 0, STREAM_MOST); n > 0; n--) read_lemma(start);
    for (i64 n = next("number of sections", 0, STREAM_MOST); n > 0; n--) {
        i64 size = next("size of a section", 1, STREAM_MOST);
        size_t begun = at;
        read_body(everything, everything, start, limits_of_all, left, 0);
        if (integers_between(begun, at) != size) fail("a section of another size");
    }
    qsort(items, item_count, sizeof *items, item_order);
    for (size_t i = 1; i < item_count; i++)
        if (items[i] == items[i - 1]) fail("two items for one class of an opener");
    int *upper = room((size_t)guesses, sizeof(int));
    unsigned char *state = room((size_t)guesses, 1), *survives = room((size_t)guesses, 1);
    memcpy(upper, start, (size_t)guesses * sizeof(int));
    survivors_t found = find_survivors(everything, upper, left, target);
    i64 open = 0;
    for (int i = 0; i < found.n; i++) {
        survives[found.guess[i]] = 1;
        state[found.guess[i]] = found.bound[i] + gain[found.guess[i]] < target;
        open += state[found.guess[i]];
    }
    for (size_t i = 0; i < item_count; i++)
        if (!survives[items[i] >> 32]) fail("items of an opener that needs none");
    for (i64 n = next("number of like openers", 0, open); n > 0; n--) read_like(state);
    for (int g = 0; g < guesses; g++)
        if (state[g] == 1) fail("an opener is not shown to cost what is claimed");
    free_survivors(&found);
    free(gain);
    free(upper);
    free(state);
    free(survives);
}

/* ---------------------------------------------------------------- the tree, and the theorem */

static i64 tree_total, tree_worst;

/* Takes over the set and `legal`. Recurses as deep as the tree, which is no deeper than there are answers and one. */
static void play(set_t s, int *legal, int depth) {
    int guess = (int)next("guess of the tree", 0, guesses - 1), k = 0;
    if (!legal[guess]) fail("an illegal guess of the tree");
    if (depth > answers + 1) fail("the tree is too deep");
    int *code = room((size_t)s.n, sizeof(int));
    for (int i = 0; i < s.n; i++) {
        int c = codes_of(guess)[s.answer[i]];
        if (c == winning) {
            tree_total += depth;
            if (depth > tree_worst) tree_worst = depth;
        } else if (!tally[c]++) {
            code[k++] = c;
        }
    }
    for (int i = 0; i < k; i++) tally[code[i]] = 0;
    qsort(code, (size_t)k, sizeof(int), code_order);
    if (next("number of branches", 0, winning) != k) fail("a guess of the tree has another number of branches");
    for (int i = 0; i < k; i++) {
        if (next("code of a branch", 0, winning) != code[i]) fail("the tree has another branch");
        play(class_of(guess, code[i], &s), struck(legal, guess, code[i]), depth + 1);
    }
    free(code);
    free(legal);
    free(s.answer);
}

static set_t all_answers(void) {
    set_t all = {answers, room((size_t)answers, sizeof(int))};
    for (int a = 0; a < answers; a++) all.answer[a] = a;
    return all;
}

int main(void) {
    static const char *const KINDS[] = {"words", "mastermind", "bulls-and-cows"};
    static const char *const RULES[] = {"normal", "hard", "ultra-hard"};
    i64 value[2] = {0, 0};
    read_stream();
    read_game();
    int limit = (int)next("limit", 0, WORDS_MOST), worst = (int)next("objective", 0, 1);
    int values = (int)next("number of values", 0, 2);
    if (values && values != 1 + worst) fail("the values do not fit the objective");
    for (int i = 0; i < values; i++) value[i] = next("value", 1, NONE - 1);
    inside = room((size_t)answers, 1);
    mark = room(CODES_MOST, sizeof *mark);
    tally = room(CODES_MOST, sizeof *tally);
    set_t everything = all_answers();
    int *start = room((size_t)guesses, sizeof(int));
    for (int g = 0; g < guesses; g++) start[g] = count(g, &everything) + (answer_of[g] >= 0);
    limits_of_all = limits_of(&everything, start);
    if (values) {
        i64 size = next("size of the tree", 2, 6 * (i64)answers);
        size_t begun = at;
        int *legal = room((size_t)guesses, sizeof(int));
        memcpy(legal, start, (size_t)guesses * sizeof(int));
        play(all_answers(), legal, 1);
        if (integers_between(begun, at) != size) fail("the tree has another size");
        if (tree_total != value[worst] || (worst && tree_worst != value[0])) fail("the tree has another value");
        if (limit && tree_worst > limit) fail("the tree takes more guesses than the limit");
    }
    int left = limit ? limit : ENDLESS;
    if (!values) {
        check_proof(&everything, start, left, NONE);
    } else if (worst) {
        check_proof(&everything, start, (int)value[0] - 1, NONE);
        check_proof(&everything, start, (int)value[0], value[1]);
    } else {
        check_proof(&everything, start, left, value[0]);
    }
    if (at != end) fail("bytes after the last proof");
    printf("proven: %s, %d guesses (sha256 ", KINDS[kind], guesses);
    for (int i = 0; i < 32; i++) printf("%02x", hash[0][i]);
    printf("), %d answers (sha256 ", answers);
    for (int i = 0; i < 32; i++) printf("%02x", hash[1][i]);
    printf("), %s rules, limit ", RULES[rules]);
    if (limit) printf("%d", limit);
    else printf("none");
    if (!values) printf(", objective %s: no strategy", worst ? "worst" : "mean");
    else if (worst) printf(", objective worst: %lld, %lld", (long long)value[0], (long long)value[1]);
    else printf(", objective mean: %lld", (long long)value[0]);
    printf(" (%lld claims)\n", (long long)claims);
    return 0;
}
