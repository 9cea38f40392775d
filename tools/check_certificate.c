/* A second checker of certificates, written from docs/reference/certificates.md alone: it knows nothing of the engine, of the
   program that writes certificates, or of the checker in Python.

       cc -O2 -march=native -pthread -o check_certificate tools/check_certificate.c
       xz -dc classic-normal.xz | ./check_certificate [threads]

   One line on standard output: the theorem (exit status 0), or a flaw (1). 2: out of memory, or no such use. */

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int64_t i64;

#define NONE ((i64)1 << 50) /* no strategy: more than any cost, and than all sums of them */
#define ENDLESS (1 << 30)   /* guesses left without a limit */
#define TARGET_MOST (((i64)1 << 33) - 1)
#define STREAM_MOST (96 << 20)
#ifndef NESTED_MOST
#define NESTED_MOST 100
#endif
#ifndef KEPT_MOST
#define KEPT_MOST 65536 /* claims of an item or a lemma */
#endif
#ifndef LEMMAS_MOST
#define LEMMAS_MOST (1 << 18)
#endif
#define LEMMA_BITS_MOST ((i64)1 << 32) /* lemmas times answers */
#ifndef STEPS_MOST
#define STEPS_MOST ((i64)1 << 40)
#endif
#ifndef SECTIONS_MOST
#define SECTIONS_MOST 65536
#endif
#define STEP_LEAST 1000 /* steps of a claim, beside those for guesses and answers */
#define WORDS_MOST 65535
#define LENGTH_MOST 10
#define SIZES_MOST 40
#define MEMBERS_MOST 32
#define SMALL_SIZE 64
#define SMALL_CLASSES 8
#define CODES_MOST 59049 /* 3 ^ 10 */
#define LETTERS_MOST 256
#define SYMBOLS_MOST 35
#ifndef PAIRS_MOST
#define PAIRS_MOST 400000000
#endif
#define THREADS_MOST 64

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void fail(const char *problem) {
#ifdef FORGIVING
    if (strcmp(problem, getenv("FORGIVEN")) == 0) return; /* for a test of what each guard is for */
#endif
    pthread_mutex_lock(&lock); /* for good: one flaw is enough */
    printf("flawed: %s\n", problem);
    fflush(stdout);
    _Exit(1);
}

static void out_of_memory(void) {
    fprintf(stderr, "out of memory\n");
    _Exit(2);
}

static void *room(size_t count, size_t size) {
    void *p = calloc(count ? count : 1, size);
    if (p == NULL) out_of_memory();
    return p;
}

/* An array that holds `count` things and shall hold one more. */
static void *with_one_more(void *array, size_t count, size_t size) {
    if (count & (count - 1)) return array; /* it doubles at the powers of two */
    array = realloc(array, (count ? 2 * count : 1) * size);
    if (array == NULL) out_of_memory();
    return array;
}

static i64 least(i64 a, i64 b) { return a < b ? a : b; }
static i64 most_of(i64 a, i64 b) { return a > b ? a : b; }

/* ---------------------------------------------------------------- the stream */

static unsigned char *stream;
static _Thread_local size_t at, end; /* each thread reads a part of its own */

static int version; /* 1: of a game; 2 and 3: of a table of questions */

static void read_stream(void) {
    static const char magic[] = "optimal-certificate ";
    size_t most = (size_t)STREAM_MOST + 1, got;
    stream = room(most, 1);
    while (end < most && (got = fread(stream + end, 1, most - end, stdin)) > 0) end += got;
    if (end == most) fail("the stream is too long");
    at = sizeof magic + 1;
    if (end >= at && memcmp(stream, magic, sizeof magic - 1) == 0 && stream[at - 1] == '\n') version = stream[at - 2] - '0';
    if (version < 1 || version > 3) fail("it does not begin as a certificate of version 1, 2 or 3");
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

/* Where so many integers end that begin here. */
static size_t after(i64 integers) {
    size_t to = at;
    for (; integers > 0; to++) {
        if (to >= end) fail("fewer integers than a size says");
        integers -= stream[to] < 128;
    }
    return to;
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
static uint32_t *symbol;      /* [guess * places + place] */
static int *answer_guess;     /* the guess that an answer is */
static uint16_t *matrix;      /* [guess * answers + answer] */
static unsigned char *column; /* the same as [answer * guesses + guess], if codes fit in it; or NULL */
static int *code_of;          /* in peg games: the code with these symbols, read as digits */
static unsigned char hash[2][32];

static const uint32_t *word_of(int guess) { return symbol + (size_t)guess * places; }

static int score(const uint32_t *guess, const uint32_t *answer) {
    int code = 0, black = 0, white = 0, power = 1, taken = 0;
    for (int i = 0; i < places; i++) taken |= (guess[i] == answer[i]) << i;
    for (int i = 0; i < places; i++, power *= 3) {
        if (guess[i] == answer[i]) {
            code += 2 * power;
            black++;
            continue;
        }
        for (int j = 0; j < places; j++)
            if (guess[i] == answer[j] && !(taken >> j & 1)) { /* each place of the answer serves once */
                taken |= 1 << j;
                code += power;
                white++;
                break;
            }
    }
    return kind == WORDS ? code : black * (places + 1) + white;
}

/* Whether a guess may follow another that had this feedback. */
static int is_legal(const uint32_t *word, const uint32_t *past, int code) {
    if (rules == NORMAL) return 1;
    if (rules == ULTRA_HARD) return score(past, word) == code;
    for (int i = 0, rest = code; i < places; i++, rest /= 3) {
        int wanted = 0, has = 0;
        if (rest % 3 == 2 && word[i] != past[i]) return 0;
        if (rest % 3 == 0) continue;
        for (int j = 0, other = code; j < places; j++, other /= 3) {
            wanted += past[j] == past[i] && other % 3 > 0;
            has += word[j] == past[i];
        }
        if (has < wanted) return 0;
    }
    return 1;
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
    symbols = kind == MASTERMIND ? (int)next("number of colours", 2, SYMBOLS_MOST) : 10;
    i64 count = 1, keys = 1;
    for (int i = 0; i < places; i++) {
        count *= kind == MASTERMIND ? symbols : symbols - i;
        keys *= symbols;
        if (count > WORDS_MOST) fail("too many codes");
    }
    guesses = answers = (int)count;
    symbol = room((size_t)guesses * places, sizeof *symbol);
    answer_guess = room((size_t)answers, sizeof *answer_guess);
    code_of = room((size_t)keys, sizeof *code_of);
    uint32_t code[LENGTH_MOST] = {0};
    for (int g = 0, key = 0; g < guesses; key++) {
        int repeats = 0;
        for (int i = 0; i < places; i++)
            for (int j = 0; j < i; j++) repeats |= code[i] == code[j];
        if (kind == MASTERMIND || !repeats) {
            memcpy(symbol + (size_t)g * places, code, (size_t)places * sizeof *code);
            answer_guess[g] = g;
            code_of[key] = g++;
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
    matrix = room((size_t)guesses * answers, sizeof *matrix);
    if (winning < 255) column = room((size_t)guesses * answers, 1);
    for (int a = 0; a < answers; a++)
        for (int g = 0; g < guesses; g++) {
            int code = score(word_of(g), word_of(answer_guess[a]));
            matrix[(size_t)g * answers + a] = (uint16_t)code;
            if (column) column[(size_t)a * guesses + g] = (unsigned char)code;
        }
}

/* A map of the codes of a peg game: the symbol at place[i] comes to i, and is renamed. */
typedef struct {
    int place[LENGTH_MOST], name[SYMBOLS_MOST];
} map_t;

static map_t read_map(void) {
    map_t map;
    int moved_from = 0;
    i64 named = 0;
    for (int i = 0; i < places; i++) moved_from |= 1 << (map.place[i] = (int)next("place", 0, places - 1));
    for (int i = 0; i < symbols; i++) named |= (i64)1 << (map.name[i] = (int)next("symbol", 0, symbols - 1));
    if (moved_from != (1 << places) - 1 || named != ((i64)1 << symbols) - 1) fail("no permutation");
    return map;
}

/* The code that a code becomes; words stay what they are. */
static int moved(int code, const map_t *map) {
    int key = 0;
    if (kind == WORDS) return code;
    for (int i = 0; i < places; i++) key = key * symbols + map->name[word_of(code)[map->place[i]]];
    return code_of[key];
}

/* ---------------------------------------------------------------- steps */

static _Atomic i64 steps; /* of all threads */

static void take_steps(i64 more) {
    if (atomic_fetch_add(&steps, more) + more > STEPS_MOST) fail("more steps than a certificate may take");
}

/* Those of a claim, a listed class, an item or a width, beside what is counted for it. */
static void begin_steps(void) { take_steps((i64)guesses + answers + STEP_LEAST); }

/* ---------------------------------------------------------------- sets */

typedef struct {
    int n, *answer; /* rising */
} set_t;

/* Guesses are counted side by side, in vectors of bytes. */
#if defined __AVX512BW__
#define WIDTH 64
#elif defined __AVX2__
#define WIDTH 32
#else
#define WIDTH 16
#endif
typedef unsigned char lanes_t __attribute__((vector_size(WIDTH)));

/* Scratch of a thread; zero between uses, but for `mark` and `tile`. */
static _Thread_local unsigned char *inside, *member; /* per answer; per guess */
static _Thread_local int *tally;                     /* per code */
static _Thread_local uint32_t *mark, now;            /* per code: when it was seen last */
static _Thread_local lanes_t *tile;                  /* per answer: its codes of WIDTH guesses */

static void make_scratch(void) {
    inside = room((size_t)answers, 1);
    member = room((size_t)guesses, 1);
    tally = room(CODES_MOST, sizeof *tally);
    mark = room(CODES_MOST, sizeof *mark);
    tile = aligned_alloc(WIDTH, (size_t)answers * WIDTH);
    if (tile == NULL) out_of_memory();
}

static const uint16_t *codes_of(int guess) { return matrix + (size_t)guess * answers; }

static int count(int guess, const set_t *s) {
    const uint16_t *code = codes_of(guess);
    int classes = 0;
    if (++now == 0) { /* after 2^32 counts old marks would look new */
        memset(mark, 0, CODES_MOST * sizeof *mark);
        now = 1;
    }
    for (int i = 0; i < s->n; i++) {
        uint16_t c = code[s->answer[i]];
        classes += mark[c] != now;
        mark[c] = now;
    }
    return classes;
}

/* The classes of the guesses in the tile, up to 255: the codes that are not among those before, or, where that takes
   fewer steps, the codes that any answer has. */
static lanes_t count_tile(int n) {
    lanes_t classes = {0};
    for (int i = 0; i < n && n <= 2 * winning; i++) {
        lanes_t mine = tile[i], old = {0};
        for (int j = 0; j < i; j++) old |= (lanes_t)(mine == tile[j]);
        classes -= ~old;
    }
    for (int code = 0; code <= winning && n > 2 * winning; code++) {
        lanes_t wanted = (lanes_t){0} + (unsigned char)code, found = {0};
        for (int i = 0; i < n; i++) found |= (lanes_t)(tile[i] == wanted);
        classes -= found;
    }
    return classes;
}

/* Sets upper[g] to the number of classes of g on the set, one more for a member, for the guesses with more than so
   much. `member` is marked. */
static void count_above(i64 enough, const set_t *s, uint16_t *upper) {
    for (int g = 0; g < guesses;) {
        int asked[WIDTH], k = 0;
        for (; g < guesses && k < WIDTH; g++)
            if (upper[g] > enough) asked[k++] = g;
        for (int l = 0; l < k && !column; l++) upper[asked[l]] = (uint16_t)(count(asked[l], s) + member[asked[l]]);
        take_steps((i64)k * s->n);
        if (!k || !column) continue;
        for (int l = k; l < WIDTH; l++) asked[l] = asked[0];
        for (int i = 0; i < s->n; i++) {
            const unsigned char *codes = column + (size_t)s->answer[i] * guesses;
            unsigned char *row = (unsigned char *)&tile[i];
            for (int l = 0; l < WIDTH; l++) row[l] = codes[asked[l]];
        }
        lanes_t classes = count_tile(s->n);
        for (int l = 0; l < k; l++) upper[asked[l]] = (uint16_t)(classes[l] + member[asked[l]]);
    }
}

static void mark_members(const set_t *s, unsigned char as) {
    for (int i = 0; i < s->n; i++) member[answer_guess[s->answer[i]]] = as;
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

static sizes_t of_all; /* made before there are threads */
static _Thread_local sizes_t small_sizes[SMALL_CLASSES + 1][SMALL_CLASSES + 1];
static limits_t limits_of_all;

/* `member` is marked. */
static limits_t limits_of(const uint16_t *upper) {
    limits_t found = {0, 0, 0};
    for (int g = 0; g < guesses; g++) {
        int classes = upper[g] - 2 * member[g], inner = member[g] ? classes : 0;
        if (upper[g] > found.most) found.most = upper[g];
        if (classes > found.outside) found.outside = classes;
        if (inner > found.inside) found.inside = inner;
    }
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

static void free_scratch(void) {
    sizes_t *sizes = &small_sizes[0][0];
    for (int i = 0; i < (SMALL_CLASSES + 1) * (SMALL_CLASSES + 1); i++)
        for (int left = 0; left < sizes[i].layers; left++) free(sizes[i].cost[left]);
    free(inside);
    free(member);
    free(tally);
    free(mark);
    free(tile);
}

/* Whether a bound by size may be raised by a look at the answers. */
static int asks_members(i64 n, i64 bound) { return n >= 3 && n <= MEMBERS_MOST && bound < 2 * n; }

static i64 full_bound(const set_t *s, int left, limits_t limits) {
    i64 bound = by_size(left, s->n, limits);
    return asks_members(s->n, bound) && !has_perfect_member(s) ? 2 * s->n : bound;
}

static int one_less(int left) { return left == ENDLESS || left == 0 ? left : left - 1; }

/* ---------------------------------------------------------------- survivors */

/* What a set, d guesses left, and its limits say of the cost of a guess. */
typedef struct {
    const set_t *set;
    int left; /* after the guess */
    limits_t limits;
    i64 *cost;          /* by size */
    int most;           /* the greatest size, from 1, that has a strategy */
    int *code, *sorted; /* scratch: the codes of a guess, and the answers by their codes */
} costs_t;

static costs_t costs_of(const set_t *s, int left, limits_t limits) {
    size_t n = (size_t)s->n;
    costs_t costs = {s, one_less(left), limits, room(n + 1, sizeof(i64)), 1, room(n, sizeof(int)), room(n, sizeof(int))};
    for (int m = 0; m <= s->n; m++) {
        costs.cost[m] = by_size(costs.left, m, limits);
        if (costs.cost[m] < NONE && m > 1) costs.most = m;
    }
    return costs;
}

static void free_costs(costs_t *costs) {
    free(costs->cost);
    free(costs->code);
    free(costs->sorted);
}

/* n and the bounds of the classes by size. Sets *k to the number of classes, and their `tally`. */
static i64 bound_by_sizes(const uint16_t *codes, const costs_t *c, int *k) {
    i64 total = c->set->n;
    for (int i = 0; i < c->set->n; i++) {
        int code = codes[c->set->answer[i]];
        if (!tally[code]++) c->code[(*k)++] = code;
        if (tally[code] > c->most) return NONE;
    }
    for (int i = 0; i < *k; i++)
        if (c->code[i] != winning) total = least(NONE, total + c->cost[tally[c->code[i]]]);
    return total;
}

/* What the full bounds of these classes add. */
static i64 more_by_members(const uint16_t *codes, const costs_t *c, int k) {
    i64 more = 0, looked = 0;
    int begin = 0;
    for (int i = 0; i < k; i++) {
        int n = tally[c->code[i]];
        tally[c->code[i]] = begin;
        begin += n;
    }
    for (int i = 0; i < c->set->n; i++) {
        int answer = c->set->answer[i];
        c->sorted[tally[codes[answer]]++] = answer;
    }
    begin = 0;
    for (int i = 0; i < k; begin = tally[c->code[i++]]) {
        set_t part = {tally[c->code[i]] - begin, c->sorted + begin};
        if (c->code[i] == winning || !asks_members(part.n, c->cost[part.n])) continue;
        looked += (i64)part.n * part.n;
        if (!has_perfect_member(&part)) more += 2 * part.n - c->cost[part.n];
    }
    take_steps(looked);
    return more;
}

/* What the guess costs by the bounds of its classes; by their members too, if it is less than `target` without, and that
   is finite. */
static i64 guess_bound(int guess, const costs_t *c, i64 target) {
    const uint16_t *codes = codes_of(guess);
    int k = 0;
    i64 total = bound_by_sizes(codes, c, &k);
    if (total < target && target < NONE) total += more_by_members(codes, c, k);
    for (int i = 0; i < k; i++) tally[c->code[i]] = 0;
    return least(total, NONE);
}

typedef struct {
    int n, *guess;
    i64 *bound;
    limits_t limits;
} survivors_t;

/* Lowers `upper`. */
static survivors_t find_survivors(const set_t *s, uint16_t *upper, int left, i64 target) {
    survivors_t found = {0, NULL, NULL, {0, 0, 0}};
    i64 enough = most_of(1, most_of(target == NONE ? 0 : 3 * (i64)s->n - target, left == 2 ? s->n - 1 : 0));
    mark_members(s, 1);
    for (int g = 0; g < guesses; g++)
        if (upper[g] > s->n + member[g]) upper[g] = (uint16_t)(s->n + member[g]);
    count_above(enough, s, upper);
    found.limits = limits_of(upper);
    mark_members(s, 0);
    if (found.limits.most <= enough || left < 1) return found;
    costs_t costs = costs_of(s, left, found.limits);
    for (int g = 0; g < guesses; g++) {
        if (upper[g] <= enough) continue;
        take_steps(s->n);
        i64 bound = guess_bound(g, &costs, target);
        if (bound >= target) continue;
        found.guess = with_one_more(found.guess, (size_t)found.n, sizeof(int));
        found.bound = with_one_more(found.bound, (size_t)found.n, sizeof(i64));
        found.guess[found.n] = g;
        found.bound[found.n++] = bound;
    }
    free_costs(&costs);
    return found;
}

static void free_survivors(survivors_t *s) {
    free(s->guess);
    free(s->bound);
}

/* A copy of `upper`, the guesses struck out that are illegal after this feedback. */
static uint16_t *struck(const uint16_t *upper, int guess, int code) {
    uint16_t *out = room((size_t)guesses, sizeof *out);
    for (int g = 0; g < guesses; g++)
        if (upper[g] && is_legal(word_of(g), word_of(guess), code)) out[g] = upper[g];
    return out;
}

/* ---------------------------------------------------------------- derivations */

typedef struct {
    i64 target;
    int n, left;
    unsigned char *answer, *legal; /* a bit for each answer, and for each guess; NULL under normal rules */
} proven_t;

typedef struct {
    int n;
    proven_t *claim;
} list_t;

static list_t lemmas;               /* those that are finished: complete before there are threads */
static _Thread_local list_t proven; /* the claims of the item or lemma at hand that are finished */
static _Thread_local i64 claims;

static void forget(list_t *list) {
    for (int i = 0; i < list->n; i++) {
        free(list->claim[i].answer);
        free(list->claim[i].legal);
    }
    free(list->claim);
    *list = (list_t){0, NULL};
}

static void keep(list_t *list, proven_t claim) {
    list->claim = with_one_more(list->claim, (size_t)list->n, sizeof claim);
    list->claim[list->n++] = claim;
}

static int bit(const unsigned char *bits, int i) { return bits[i / 8] >> i % 8 & 1; }
static void set_bit(unsigned char *bits, int i) { bits[i / 8] |= (unsigned char)(1 << i % 8); }

/* What the claim of this number, from 1, says of a set; mapped in peg games, whose answers are all guesses. */
static i64 by_earlier(i64 number, const set_t *s, const uint16_t *upper, int left) {
    const proven_t *earlier = number <= lemmas.n ? &lemmas.claim[number - 1] : &proven.claim[number - 1 - lemmas.n];
    map_t map = {0};
    int outside = 0, fewer = 0;
    if (kind != WORDS) map = read_map();
    for (int i = 0; i < s->n; i++) inside[s->answer[i]] = 1;
    for (int a = 0; a < answers; a++) outside |= bit(earlier->answer, a) && !inside[moved(a, &map)];
    for (int i = 0; i < s->n; i++) inside[s->answer[i]] = 0;
    for (int g = 0; g < guesses && earlier->legal; g++) fewer |= !bit(earlier->legal, g) && upper[moved(g, &map)];
    if (outside) fail("an earlier claim is of answers outside the class");
    if (earlier->left < left) fail("an earlier claim has fewer guesses left");
    if (fewer) fail("an earlier claim has fewer legal guesses");
    return least(NONE, earlier->target + size_bound(left, s->n - earlier->n));
}

/* Lowers `upper`. */
static i64 claim(const set_t *s, uint16_t *upper, int left, int nested) {
    if (nested > NESTED_MOST) fail("claims are nested too deep");
    begin_steps();
    i64 target = next("target", 0, TARGET_MOST);
    if (target == 0) target = NONE;
    survivors_t found = find_survivors(s, upper, left, target);
    if (next("number of guesses", 0, guesses) != found.n) fail("a claim lists other guesses than those that survive");
    for (int i = 0; i < found.n; i++) {
        int guess = found.guess[i], last = -1, fewer = one_less(left);
        i64 bound = found.bound[i];
        if (next("guess", 0, guesses - 1) != guess) fail("a claim lists another guess than the one that survives");
        for (i64 parts = next("number of classes", 0, winning); parts > 0; parts--) {
            begin_steps();
            last = (int)next("feedback code", last + 1, winning - 1);
            set_t part = class_of(guess, last, s);
            if (!part.n) fail("a class without answers");
            uint16_t *legal = struck(upper, guess, last);
            i64 bare = full_bound(&part, fewer, found.limits), value;
            i64 number = next("number of a claim", 0, lemmas.n + proven.n);
            if (number) value = by_earlier(number, &part, legal, fewer);
            else value = claim(&part, legal, fewer, nested + 1);
            bound = least(NONE, bound + most_of(0, value - bare));
            free(part.answer);
            free(legal);
        }
        if (bound < target) fail("a guess is not shown to cost the target of a claim");
    }
    free_survivors(&found);
    proven_t mine = {target, s->n, left, room((size_t)answers / 8 + 1, 1), NULL};
    for (int i = 0; i < s->n; i++) set_bit(mine.answer, s->answer[i]);
    if (rules != NORMAL) mine.legal = room((size_t)guesses / 8 + 1, 1);
    for (int g = 0; g < guesses && mine.legal; g++)
        if (upper[g]) set_bit(mine.legal, g);
    if (proven.n == KEPT_MOST) fail("too many claims of an item or a lemma");
    keep(&proven, mine);
    claims++;
    return target;
}

static uint16_t *copied(const uint16_t *upper) {
    uint16_t *out = room((size_t)guesses, sizeof *out);
    memcpy(out, upper, (size_t)guesses * sizeof *out);
    return out;
}

static void read_lemma(const uint16_t *start) {
    int left = (int)next("guesses left for a lemma", 0, WORDS_MOST), n = (int)next("answers of a lemma", 1, answers);
    set_t s = {n, room((size_t)n, sizeof(int))};
    for (int i = 0; i < n; i++) s.answer[i] = (int)next("answer of a lemma", i ? s.answer[i - 1] + 1 : 0, answers - 1);
    uint16_t *upper = copied(start);
    claim(&s, upper, left, 1);
    free(s.answer);
    free(upper);
    proven_t *mine = &proven.claim[proven.n - 1];
    free(mine->legal); /* all guesses are */
    mine->legal = NULL;
    keep(&lemmas, *mine);
    proven.n--;
    forget(&proven);
}

typedef struct {
    int opener, code;
    i64 gain;
} item_t;

typedef struct {
    set_t everything; /* all answers */
    uint16_t *start;  /* `upper` of them */
    int left;         /* the guesses of the proof */
    size_t *section;  /* where each begins, and the last ends */
    int sections, begun;
    item_t *item;
    size_t items;
    i64 claims;
} proof_t;

/* Adds an item to the proof, which the threads share. */
static void add_item(proof_t *proof, item_t item) {
    pthread_mutex_lock(&lock);
    proof->item = with_one_more(proof->item, proof->items, sizeof item);
    proof->item[proof->items++] = item;
    pthread_mutex_unlock(&lock);
}

static void read_item(proof_t *proof, const set_t *s, const uint16_t *upper, limits_t limits) {
    begin_steps();
    int opener = (int)next("opener", 0, guesses - 1), code = (int)next("feedback of an item", 0, winning - 1);
    set_t part = class_of(opener, code, &proof->everything);
    if (!part.n || !is_part(&part, s)) fail("the class of an item is empty, or not all in its set");
    int form = (int)next("kind of item", 0, 2), left = one_less(proof->left);
    i64 value = 0, bare = full_bound(&part, left, limits_of_all);
    uint16_t *legal = form ? struck(upper, opener, code) : NULL;
    if (form == 0) value = by_size(left, part.n, limits);
    if (form == 2) value = by_earlier(next("number of a lemma", 1, lemmas.n), &part, legal, left);
    if (form == 1) value = claim(&part, legal, left, 1);
    forget(&proven);
    free(part.answer);
    free(legal);
    add_item(proof, (item_t){opener, code, most_of(0, value - bare)});
}

static void read_body(proof_t *proof, const set_t *s, const uint16_t *upper, limits_t limits, int nested);

static void read_width(proof_t *proof, const set_t *s, const uint16_t *upper, int nested) {
    if (nested > NESTED_MOST) fail("widths are nested too deep");
    begin_steps();
    const uint16_t *codes = codes_of((int)next("guess of a width", 0, guesses - 1));
    unsigned char *asked = room(CODES_MOST, 1);
    for (i64 k = next("number of codes", 1, winning + 1); k > 0; k--) {
        i64 code = next("code of a width", 0, ((i64)1 << 56) - 1);
        if (code <= winning) asked[code] = 1;
    }
    set_t part = {0, room((size_t)s->n, sizeof(int))};
    for (int i = 0; i < s->n; i++)
        if (asked[codes[s->answer[i]]]) part.answer[part.n++] = s->answer[i];
    if (!part.n) fail("a width without answers");
    i64 most = next("most classes", 0, WORDS_MOST + 1);
    uint16_t *lower = copied(upper);
    mark_members(&part, 1);
    for (int g = 0; g < guesses; g++)
        if (lower[g] > part.n + member[g]) lower[g] = (uint16_t)(part.n + member[g]);
    count_above(most, &part, lower);
    limits_t limits = limits_of(lower);
    mark_members(&part, 0);
    if (limits.most > most) fail("a guess makes more classes than a width says");
    free(asked);
    read_body(proof, &part, lower, limits, nested);
    free(part.answer);
    free(lower);
}

static void read_body(proof_t *proof, const set_t *s, const uint16_t *upper, limits_t limits, int nested) {
    i64 items = next("number of items", 0, STREAM_MOST), widths;
    for (i64 n = items; n > 0; n--) read_item(proof, s, upper, limits);
    widths = next("number of widths", 0, STREAM_MOST);
    if (!items && !widths) fail("a section or a width without items");
    for (i64 n = widths; n > 0; n--) read_width(proof, s, upper, nested + 1);
}

/* A thread: one section after the other, until all are taken. */
static void *read_sections(void *shared) {
    proof_t *proof = shared;
    make_scratch();
    claims = 0;
    for (;;) {
        pthread_mutex_lock(&lock);
        int mine = proof->begun < proof->sections ? proof->begun++ : -1;
        pthread_mutex_unlock(&lock);
        if (mine < 0) break;
        at = proof->section[mine];
        end = proof->section[mine + 1];
        next("size of a section", 1, STREAM_MOST);
        read_body(proof, &proof->everything, proof->start, limits_of_all, 0);
        if (at != end) fail("a section of another size");
    }
    pthread_mutex_lock(&lock);
    proof->claims += claims;
    pthread_mutex_unlock(&lock);
    free_scratch();
    return NULL;
}

static void read_all_sections(proof_t *proof, int threads) {
    pthread_t thread[THREADS_MOST];
    proof->sections = (int)next("number of sections", 0, SECTIONS_MOST);
    proof->section = room(1, sizeof *proof->section);
    for (int i = 0; i < proof->sections; i++) {
        proof->section = with_one_more(proof->section, (size_t)i + 1, sizeof *proof->section);
        proof->section[i] = at;
        at = after(next("size of a section", 1, STREAM_MOST));
        proof->section[i + 1] = at;
    }
    for (int i = 0; i < threads; i++)
        if (pthread_create(&thread[i], NULL, read_sections, proof)) out_of_memory();
    for (int i = 0; i < threads; i++) pthread_join(thread[i], NULL);
    free(proof->section);
}

static int item_order(const void *one, const void *other) {
    const item_t *a = one, *b = other;
    return a->opener != b->opener ? (a->opener > b->opener) - (a->opener < b->opener) : a->code - b->code;
}

/* 1: not settled by items; 2: settled by being like another. */
static void read_like(unsigned char *state) {
    int opener = (int)next("opener", 0, guesses - 1), other = (int)next("opener", 0, guesses - 1);
    if (kind == WORDS) fail("like openers are for peg games");
    if (state[opener] != 1 || state[other]) fail("an opener that can't rest on the other");
    map_t map = read_map();
    if (moved(opener, &map) != other) fail("an opener that does not become the other");
    state[opener] = 2;
}

/* Returns the number of claims. */
static i64 check_proof(set_t everything, uint16_t *start, int left, i64 target, int threads) {
    proof_t proof = {.everything = everything, .start = start, .left = left};
    size_bound(left, answers);
    claims = 0;
    for (i64 n = next("number of lemmas", 0, least(LEMMAS_MOST, LEMMA_BITS_MOST / answers)); n > 0; n--) read_lemma(start);
    proof.claims = claims;
    read_all_sections(&proof, threads);
    uint16_t *upper = copied(start);
    unsigned char *state = room((size_t)guesses, 1);
    survivors_t found = find_survivors(&everything, upper, left, target);
    i64 *bound = room((size_t)guesses, sizeof *bound), open = 0;
    for (int i = 0; i < found.n; i++) bound[found.guess[i]] = found.bound[i];
    if (proof.items) qsort(proof.item, proof.items, sizeof *proof.item, item_order);
    for (size_t i = 0; i < proof.items; i++) {
        const item_t *item = &proof.item[i];
        if (i && item_order(item - 1, item) == 0) fail("two items for one class of an opener");
        if (!bound[item->opener]) fail("items of an opener that needs none");
        bound[item->opener] = least(NONE, bound[item->opener] + item->gain);
    }
    for (int i = 0; i < found.n; i++) open += state[found.guess[i]] = bound[found.guess[i]] < target;
    for (i64 n = next("number of like openers", 0, open); n > 0; n--) read_like(state);
    for (int g = 0; g < guesses; g++)
        if (state[g] == 1) fail("an opener is not shown to cost what is claimed");
    free_survivors(&found);
    forget(&lemmas);
    free(proof.item);
    free(bound);
    free(upper);
    free(state);
    return proof.claims;
}

/* ---------------------------------------------------------------- the tree, and the theorem */

static i64 tree_total, tree_worst;
static int *path; /* a guess and its feedback for each depth */

/* Sorts the set by its feedback to the guess: a counting sort. */
static void sort_by_code(int guess, set_t s) {
    int *sorted = room((size_t)s.n, sizeof(int)), begin = 0;
    for (int i = 0; i < s.n; i++) tally[codes_of(guess)[s.answer[i]]]++;
    for (int code = 0; code <= winning; code++) {
        begin += tally[code];
        tally[code] = begin - tally[code];
    }
    for (int i = 0; i < s.n; i++) sorted[tally[codes_of(guess)[s.answer[i]]]++] = s.answer[i];
    memset(tally, 0, (size_t)(winning + 1) * sizeof(int));
    memcpy(s.answer, sorted, (size_t)s.n * sizeof(int));
    free(sorted);
}

/* Recurses as deep as the tree, which is no deeper than there are answers and one. Changes the order of the set. */
static void play(set_t s, int depth) {
    int guess = (int)next("guess of the tree", 0, guesses - 1), k = 0, n;
    if (depth > answers + 1) fail("the tree is too deep");
    for (int i = 1; i < depth; i++)
        if (!is_legal(word_of(guess), word_of(path[2 * i]), path[2 * i + 1])) fail("an illegal guess of the tree");
    const uint16_t *code = codes_of(guess);
    sort_by_code(guess, s);
    for (int i = 0; i < s.n; i++) k += code[s.answer[i]] != winning && (!i || code[s.answer[i]] != code[s.answer[i - 1]]);
    if (next("number of branches", 0, winning) != k) fail("a guess of the tree has another number of branches");
    for (int i = 0; i < s.n; i += n) {
        int mine = code[s.answer[i]];
        for (n = 1; i + n < s.n && code[s.answer[i + n]] == mine;) n++;
        if (mine == winning) {
            tree_total += depth;
            tree_worst = most_of(tree_worst, depth);
            continue;
        }
        if (next("code of a branch", 0, winning) != mine) fail("the tree has another branch");
        path[2 * depth] = guess;
        path[2 * depth + 1] = mine;
        play((set_t){n, s.answer + i}, depth + 1);
    }
}

static set_t all_answers(void) {
    set_t all = {answers, room((size_t)answers, sizeof(int))};
    for (int a = 0; a < answers; a++) all.answer[a] = a;
    return all;
}

static void check_tree(i64 value, i64 worst, int limit) {
    size_t to = after(next("size of the tree", 2, 6 * (i64)answers));
    set_t all = all_answers();
    path = room(2 * ((size_t)answers + 2), sizeof *path);
    play(all, 1);
    if (at != to) fail("the tree has another size");
    if (tree_total != value || (worst && tree_worst != worst)) fail("the tree has another value");
    if (limit && tree_worst > limit) fail("the tree takes more guesses than the limit");
    free(path);
    free(all.answer);
}

static void print_hash(const char *what, int number, const unsigned char *sha) {
    printf(", %d %s (sha256 ", number, what);
    for (int i = 0; i < 32; i++) printf("%02x", sha[i]);
    printf(")");
}

/* ---------------------------------------------------------------- keys, versions 2 and 3 */

#define NUMBER_MOST (((i64)1 << 56) - 1)
#define NO_KEY ((i64)1 << 60) /* no key, and no limit: more than all sums */
#define MANY 65535            /* questions, variants, replies, groups */
#ifndef CELLS_MOST
#define CELLS_MOST (1 << 24)
#endif
#ifndef CLAIMS_MOST
#define CLAIMS_MOST (1 << 20)
#endif
#define CLAIM_BITS_MOST ((i64)1 << 32)

static int questions, variants, kinds, openers;
static i64 *cost, *kind_weight, all_costs;
static int *kind_group, *opener_at;
static uint16_t *reply_of;            /* [question * kinds + kind] */
static i64 limit_of_all, purse_of_all; /* NO_KEY: none */

typedef struct {
    int n, *kind; /* rising */
} kinds_t;

typedef struct {
    kinds_t set;
    i64 left, purse, target;
    int before; /* the claim before with the same hash; -1 */
} key_claim_t;

static key_claim_t *key_claim;
static int key_claims, *first_claim; /* by hash */
#define HASHES (1 << 18)

static i64 plus(i64 a, i64 b) { return least(NO_KEY, a + b); }
static i64 less(i64 from, i64 by) { return from == NO_KEY ? NO_KEY : from - by; }
static i64 limit_in_file(i64 number) { return number ? number - 1 : NO_KEY; }

static const uint16_t *sorted_replies; /* [variant * questions + question] */

static int variant_order(const void *one, const void *other) {
    const int a = *(const int *)one, b = *(const int *)other;
    for (int q = 0; q < questions; q++) {
        const int x = sorted_replies[(size_t)a * questions + q], y = sorted_replies[(size_t)b * questions + q];
        if (x != y) return x - y;
    }
    return (a > b) - (a < b);
}

static int *kind_of, *group_of; /* by variant */
static int *set_begin, *set_of; /* the groups of each kind, rising, each once: those of kind k begin at set_begin[k] */

static int kind_order(const void *one, const void *other) {
    const int a = *(const int *)one, b = *(const int *)other;
    return kind_of[a] != kind_of[b] ? kind_of[a] - kind_of[b] : group_of[a] - group_of[b];
}

static int set_order(const void *one, const void *other) {
    const int a = *(const int *)one, b = *(const int *)other;
    const int n = set_begin[a + 1] - set_begin[a], m = set_begin[b + 1] - set_begin[b];
    return n != m ? n - m : memcmp(set_of + set_begin[a], set_of + set_begin[b], (size_t)n * sizeof *set_of);
}

/* A kind is of the group that is the set of the groups of its variants: a number for each set. */
static void group_kinds(void) {
    int *order = room((size_t)variants, sizeof *order), n = 0;
    set_of = room((size_t)variants, sizeof *set_of);
    set_begin = room((size_t)kinds + 1, sizeof *set_begin);
    for (int v = 0; v < variants; v++) order[v] = v;
    qsort(order, (size_t)variants, sizeof *order, kind_order);
    for (int i = 0; i < variants; i++) {
        const int v = order[i], first = !i || kind_of[v] != kind_of[order[i - 1]];
        if (first) set_begin[kind_of[v]] = n;
        if (first || group_of[v] != group_of[order[i - 1]]) set_of[n++] = group_of[v];
    }
    set_begin[kinds] = n;
    for (int k = 0; k < kinds; k++) order[k] = k;
    qsort(order, (size_t)kinds, sizeof *order, set_order);
    int merged = 0;
    for (int i = 0; i < kinds; i++) {
        const int alike = i && !set_order(order + i - 1, order + i);
        merged |= alike && set_begin[order[i] + 1] - set_begin[order[i]] > 1;
        kind_group[order[i]] = alike ? kind_group[order[i - 1]] : i;
    }
    if (merged && version == 2) fail("version 2 has no two kinds of the same several groups: that takes version 3");
    if (!merged && version == 3) fail("version 3 has two kinds of the same several groups: without them it takes version 2");
    free(order), free(set_of), free(set_begin);
}

static void read_table(void) {
    const size_t begin = at;
    questions = (int)next("number of questions", 1, MANY);
    variants = (int)next("number of variants", 1, MANY);
    if ((i64)questions * variants > CELLS_MOST) fail("too many replies");
    cost = room((size_t)questions, sizeof *cost);
    i64 *weight = room((size_t)variants, sizeof *weight);
    int *order = room((size_t)variants, sizeof *order);
    group_of = room((size_t)variants, sizeof *group_of);
    uint16_t *replies = room((size_t)questions * variants, sizeof *replies);
    i64 all_weights = 0;
    for (int q = 0; q < questions; q++) all_costs = least(NO_KEY, all_costs + (cost[q] = next("cost", 0, NUMBER_MOST)));
    for (int v = 0; v < variants; v++) all_weights = least(NO_KEY, all_weights + (weight[v] = next("weight", 0, NUMBER_MOST)));
    if (all_weights > NUMBER_MOST / most_of(1, all_costs)) fail("weights and costs that are too great");
    for (int v = 0; v < variants; v++) group_of[v] = (int)next("group", 0, MANY - 1);
    for (int q = 0; q < questions; q++)
        for (int v = 0; v < variants; v++) replies[(size_t)v * questions + q] = (uint16_t)next("reply", 0, MANY - 1);
    sha_begin();
    for (size_t i = begin; i < at; i++) sha_byte(stream[i]);
    sha_end(hash[0]);
    /* Variants that are alike stand beside each other, once they are sorted: the first of them names the kind. */
    int *name = room((size_t)variants, sizeof *name);
    kind_of = room((size_t)variants, sizeof *kind_of);
    sorted_replies = replies;
    for (int v = 0; v < variants; v++) order[v] = v;
    qsort(order, (size_t)variants, sizeof *order, variant_order);
    for (int i = 0; i < variants; i++) {
        const uint16_t *mine = replies + (size_t)order[i] * questions;
        const int alike = i && !memcmp(mine, replies + (size_t)order[i - 1] * questions, (size_t)questions * sizeof *mine);
        name[order[i]] = alike ? name[order[i - 1]] : order[i];
    }
    kind_weight = room((size_t)variants, sizeof *kind_weight);
    kind_group = room((size_t)variants, sizeof *kind_group);
    for (int v = 0; v < variants; v++) {
        kind_of[v] = name[v] == v ? kinds++ : kind_of[name[v]];
        kind_weight[kind_of[v]] += weight[v];
    }
    group_kinds();
    reply_of = room((size_t)questions * kinds, sizeof *reply_of);
    for (int v = 0; v < variants; v++)
        for (int q = 0; q < questions; q++) reply_of[(size_t)q * kinds + kind_of[v]] = replies[(size_t)v * questions + q];
    free(weight), free(order), free(replies), free(name), free(kind_of), free(group_of);
}

static int is_settled(const kinds_t *s) {
    for (int i = 1; i < s->n; i++)
        if (kind_group[s->kind[i]] != kind_group[s->kind[0]]) return 0;
    return 1;
}

static i64 weight_of(const kinds_t *s) {
    i64 sum = 0;
    for (int i = 0; i < s->n; i++) sum += kind_weight[s->kind[i]];
    return sum;
}

static i64 *met, meeting; /* by reply, or by group: when it was last met */
static int *met_as;       /* and as which */

static int classes_on(int question, const kinds_t *s) {
    const uint16_t *code = reply_of + (size_t)question * kinds;
    int found = 0;
    meeting++;
    for (int i = 0; i < s->n; i++) {
        found += met[code[s->kind[i]]] != meeting;
        met[code[s->kind[i]]] = meeting;
    }
    return found;
}

static int i64_order(const void *one, const void *other) {
    const i64 a = *(const i64 *)one, b = *(const i64 *)other;
    return (a > b) - (a < b);
}

/* H: the weights are put in order, and used up. */
static i64 huffman(i64 *weight, int n, int k) {
    i64 sum = 0, *joined = room((size_t)n, sizeof *joined);
    int from = 0, head = 0, tail = 0, take = (n - 1) % (k - 1) + 1;
    if (take == 1) take = k;
    qsort(weight, (size_t)n, sizeof *weight, i64_order);
    for (int left = n; left > 1; left -= take - 1, take = k) {
        i64 both = 0;
        for (int i = 0; i < take; i++) both += head < tail && (from == n || joined[head] < weight[from]) ? joined[head++] : weight[from++];
        sum += joined[tail++] = both;
        if (left == take) break;
    }
    free(joined);
    return sum;
}

static i64 key_bound(const kinds_t *s, i64 left, i64 purse) {
    if (is_settled(s)) return 0;
    i64 cheapest = NO_KEY, leaves = 1, *sum = room((size_t)s->n, sizeof *sum);
    int k = 1, groups = 0;
    for (int q = 0; q < questions; q++) {
        const int classes = classes_on(q, s);
        if (classes < 2) continue;
        cheapest = least(cheapest, cost[q]);
        k = classes > k ? classes : k;
    }
    meeting++;
    for (int i = 0; i < s->n; i++) {
        const int group = kind_group[s->kind[i]];
        if (met[group] != meeting) met[group] = meeting, met_as[group] = groups++;
        sum[met_as[group]] += kind_weight[s->kind[i]];
    }
    i64 deep = left, found = NO_KEY;
    if (purse < NO_KEY && cheapest && purse / cheapest < deep) deep = purse / cheapest;
    for (; deep > 0 && leaves < groups; deep--) leaves *= k;
    if (cheapest <= purse && leaves >= groups) found = cheapest * huffman(sum, groups, k);
    free(sum);
    return found;
}

static unsigned hash_of(const kinds_t *s) {
    unsigned found = 2166136261u;
    for (int i = 0; i < s->n; i++) found = (found ^ (unsigned)s->kind[i]) * 16777619u;
    return (found ^ found >> 15) % HASHES;
}

/* What is known of a set: by its bound, or by an earlier claim of it. */
static i64 known(const kinds_t *s, i64 left, i64 purse) {
    i64 found = key_bound(s, left, purse);
    for (int c = first_claim[hash_of(s)]; c >= 0; c = key_claim[c].before) {
        const key_claim_t *claim = key_claim + c;
        if (claim->set.n != s->n || memcmp(claim->set.kind, s->kind, (size_t)s->n * sizeof *s->kind)) continue;
        if (claim->left >= left && claim->purse >= purse) found = most_of(found, claim->target);
    }
    return found;
}

/* The kinds of a set by their replies, which rise; kinds rise within each class. */
static void by_reply(int question, const kinds_t *s, int *out) {
    const uint16_t *code = reply_of + (size_t)question * kinds;
    static int begins[MANY + 1];
    int begin = 0, highest = 0;
    for (int i = 0; i < s->n; i++) {
        const int mine = code[s->kind[i]];
        begins[mine]++;
        highest = mine > highest ? mine : highest;
    }
    for (int r = 0; r <= highest; r++) {
        begin += begins[r];
        begins[r] = begin - begins[r];
    }
    for (int i = 0; i < s->n; i++) out[begins[code[s->kind[i]]]++] = s->kind[i];
    memset(begins, 0, ((size_t)highest + 1) * sizeof *begins);
}

/* The end of the class that begins there, of kinds that stand by reply. */
static int class_end(int question, const int *sorted, int n, int from) {
    const uint16_t *code = reply_of + (size_t)question * kinds;
    int to = from + 1;
    while (to < n && code[sorted[to]] == code[sorted[from]]) to++;
    return to;
}

/* Keys that ask this question first must be known to cost the target. */
static void ask(int question, const kinds_t *s, i64 left, i64 purse, i64 target) {
    if (left < 1 || cost[question] > purse) return;
    int *sorted = room((size_t)s->n, sizeof *sorted);
    i64 sum = cost[question] * weight_of(s);
    by_reply(question, s, sorted);
    for (int from = 0, to; from < s->n; from = to) {
        to = class_end(question, sorted, s->n, from);
        const kinds_t part = {to - from, sorted + from};
        sum = plus(sum, known(&part, less(left, 1), less(purse, cost[question])));
    }
    free(sorted);
    if (sum < target) fail("a question is not shown to cost the target");
}

static void read_key_claim(void) {
    const i64 left = limit_in_file(next("questions left for a claim", 0, NUMBER_MOST));
    const i64 purse = limit_in_file(next("purse of a claim", 0, NUMBER_MOST));
    i64 target = next("target of a claim", 0, NUMBER_MOST);
    if (!target) target = NO_KEY;
    kinds_t s = {(int)next("kinds of a claim", 1, kinds), NULL};
    s.kind = room((size_t)s.n, sizeof *s.kind);
    for (int i = 0, last = -1; i < s.n; i++) {
        last += 1 + (int)next("kind", 0, kinds - 2 - last);
        s.kind[i] = last;
    }
    if (is_settled(&s)) fail("a claim of kinds that need not be told apart");
    if (target < NO_KEY && target > weight_of(&s) * all_costs) fail("a target that is more than any key costs");
    take_steps(s.n * (i64)questions * questions);
    for (int q = 0; q < questions; q++)
        if (classes_on(q, &s) > 1) ask(q, &s, left, purse, target);
    const unsigned own = hash_of(&s);
    key_claim = with_one_more(key_claim, (size_t)key_claims, sizeof *key_claim);
    key_claim[key_claims] = (key_claim_t){s, left, purse, target, first_claim[own]};
    first_claim[own] = key_claims++;
}

static i64 key_total, key_deepest, key_dearest;

/* Recurses as deep as the key, which is no deeper than there are kinds and one. */
static void follow(const kinds_t *s, int depth, i64 paid) {
    const int question = (int)next("question of the key", 0, questions) - 1;
    if (!depth && openers) {
        int found = 0;
        for (int i = 0; i < openers; i++) found |= opener_at[i] == question;
        if (!found) fail("the key does not begin with an opener");
    }
    if (question < 0) {
        if (!is_settled(s)) fail("the key ends too soon");
        key_deepest = most_of(key_deepest, depth);
        key_dearest = most_of(key_dearest, paid);
        return;
    }
    const int classes = classes_on(question, s);
    if (depth && classes < 2) fail("the key asks what tells nothing");
    if (next("number of branches", 1, MANY) != classes) fail("a question of the key has another number of branches");
    int *sorted = room((size_t)s->n, sizeof *sorted);
    key_total += cost[question] * weight_of(s);
    by_reply(question, s, sorted);
    for (int from = 0, to; from < s->n; from = to) {
        to = class_end(question, sorted, s->n, from);
        const kinds_t part = {to - from, sorted + from};
        if (next("reply of the key", 0, MANY - 1) != reply_of[(size_t)question * kinds + sorted[from]]) fail("the key has another branch");
        follow(&part, depth + 1, paid + cost[question]);
    }
    free(sorted);
}

/* That no key of all kinds costs less. */
static void check_root(const kinds_t *all, i64 purse, i64 target) {
    if (!openers && known(all, limit_of_all, purse) < target) fail("keys are not shown to cost what is claimed");
    for (int i = 0; i < openers; i++) {
        take_steps((i64)kinds * questions);
        ask(opener_at[i], all, limit_of_all, purse, target);
    }
}

static void print_limit(const char *what, i64 limit) {
    printf(", %s ", what);
    if (limit == NO_KEY) printf("none");
    else printf("%lld", (long long)limit);
}

static void check_keys(void) {
    i64 value[2] = {0, 0};
    read_table();
    limit_of_all = limit_in_file(next("limit of questions", 0, NUMBER_MOST));
    purse_of_all = limit_in_file(next("limit of cost", 0, NUMBER_MOST));
    openers = (int)next("number of openers", 0, questions);
    opener_at = room((size_t)openers, sizeof *opener_at);
    for (int i = 0; i < openers; i++) opener_at[i] = (int)next("opener", i ? opener_at[i - 1] + 1 : 0, questions - 1);
    const int worst = (int)next("objective", 0, 1), values = (int)next("number of values", 0, 2);
    if (values && values != 1 + worst) fail("the values do not fit the objective");
    for (int i = 0; i < values; i++) value[i] = next("value", 0, NUMBER_MOST);
    met = room(MANY, sizeof *met);
    met_as = room(MANY, sizeof *met_as);
    first_claim = room(HASHES, sizeof *first_claim);
    for (int i = 0; i < HASHES; i++) first_claim[i] = -1;
    kinds_t all = {kinds, room((size_t)kinds, sizeof *all.kind)};
    for (int k = 0; k < kinds; k++) all.kind[k] = k;
    if (values) {
        follow(&all, 0, 0);
        if (key_total != value[worst] || (worst && key_dearest != value[0])) fail("the key has another value");
        if (key_deepest > limit_of_all) fail("the key asks more questions than the limit");
        if (key_dearest > purse_of_all) fail("a path of the key costs more than the limit");
    }
    for (i64 n = next("number of claims", 0, least(CLAIMS_MOST, CLAIM_BITS_MOST / kinds)); n > 0; n--) read_key_claim();
    if (!values) check_root(&all, purse_of_all, NO_KEY);
    else if (!worst) check_root(&all, purse_of_all, value[0]);
    else {
        if (value[0]) check_root(&all, value[0] - 1, NO_KEY);
        check_root(&all, value[0], value[1]);
    }
    if (at != end) fail("bytes after the last claim");
    printf("proven: table of %d questions", questions);
    print_hash("variants", variants, hash[0]);
    print_limit("limit", limit_of_all);
    print_limit("limit of cost", purse_of_all);
    printf(", openers");
    for (int i = 0; i < openers; i++) printf(" %d", opener_at[i]);
    printf("%s, objective %s: ", openers ? "" : " all", worst ? "worst" : "mean");
    if (!values) printf("no key");
    else if (worst) printf("%lld, %lld", (long long)value[0], (long long)value[1]);
    else printf("%lld", (long long)value[0]);
    printf(" (%d claims, %lld steps)\n", key_claims, (long long)steps);
}

/* ---------------------------------------------------------------- the end of keys */

int main(int arguments, char **argument) {
    static const char *const KINDS[] = {"words", "mastermind", "bulls-and-cows"};
    static const char *const RULES[] = {"normal", "hard", "ultra-hard"};
    int threads = arguments > 1 ? atoi(argument[1]) : 1;
    if (arguments > 2 || threads < 1 || threads > THREADS_MOST) {
        fprintf(stderr, "usage: xz -dc FILE | %s [threads, 1 to %d]\n", argument[0], THREADS_MOST);
        return 2;
    }
    i64 value[2] = {0, 0}, made;
    read_stream();
    if (version > 1) {
        check_keys();
        return 0;
    }
    read_game();
    int limit = (int)next("limit", 0, WORDS_MOST), worst = (int)next("objective", 0, 1);
    int values = (int)next("number of values", 0, 2), left = limit ? limit : ENDLESS;
    if (values && values != 1 + worst) fail("the values do not fit the objective");
    for (int i = 0; i < values; i++) value[i] = next("value", 1, NONE - 1);
    make_scratch();
    set_t everything = all_answers();
    uint16_t *start = room((size_t)guesses, sizeof *start);
    for (int g = 0; g < guesses; g++) start[g] = (uint16_t)-1;
    mark_members(&everything, 1);
    count_above(0, &everything, start);
    limits_of_all = limits_of(start);
    mark_members(&everything, 0);
    if (values) check_tree(value[worst], worst ? value[0] : 0, limit);
    if (!values) {
        made = check_proof(everything, start, left, NONE, threads);
    } else if (worst) {
        made = check_proof(everything, start, (int)value[0] - 1, NONE, threads);
        made += check_proof(everything, start, (int)value[0], value[1], threads);
    } else {
        made = check_proof(everything, start, left, value[0], threads);
    }
    if (at != end) fail("bytes after the last proof");
    free(everything.answer);
    free(start);
    free_scratch();
    printf("proven: %s", KINDS[kind]);
    print_hash("guesses", guesses, hash[0]);
    print_hash("answers", answers, hash[1]);
    printf(", %s rules, limit ", RULES[rules]);
    if (limit) printf("%d", limit);
    else printf("none");
    if (!values) printf(", objective %s: no strategy", worst ? "worst" : "mean");
    else if (worst) printf(", objective worst: %lld, %lld", (long long)value[0], (long long)value[1]);
    else printf(", objective mean: %lld", (long long)value[0]);
    printf(" (%lld claims, %lld steps)\n", (long long)made, (long long)steps);
    return 0;
}
