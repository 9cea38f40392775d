/* Class counts of one guess on many sets at once, a bit for each set.

   has[a] tells by its bits which sets hold answer a. The answers of one feedback class, or-ed together, tell which sets
   have that class; the classes are added up, all sets at once, in counters whose digits are slices.

   The work is the same for one set or for a slice full of them, however large they are. That pays where sets have much
   in common; the classes of one guess share nothing, and are counted by kernels.h. */
#ifndef OPTIMAL_COUNTING_BITSLICE_H
#define OPTIMAL_COUNTING_BITSLICE_H

#include <string.h>

#include "base/testing.h"
#include "base/vectors.h"

#if OPTIMAL_VECTORS
typedef uint8_t bytes_t __attribute__((vector_size(32), may_alias));
typedef uint64_t bitslice_t __attribute__((vector_size(32), may_alias));
#define BITSLICE_OF(x) {x, x, x, x}
#else
typedef uint64_t bitslice_t;
#define BITSLICE_OF(x) x
#endif

#define BITSLICE ((int)(8 * sizeof(bitslice_t))) /* sets */
#define BITSLICE_CODES 256                    /* codes are of one byte, and so are counts: 255 classes at most */
#define BITSLICE_LARGE TUNED(40, 3)           /* answers of a class that takes so long that a look may spare it */
#define BITSLICE_LOOK TUNED(3, 1)             /* large classes from one look to the next */

/* Answers by their codes: those of class c are at answer[start[c] .. start[c + 1]). Small classes come first; from
   `large` on they have BITSLICE_LARGE answers or more, and come by their codes. */
typedef struct {
    uint16_t *answer;
    int classes, large;
    uint16_t start[BITSLICE_CODES + 1];
} by_code_t;

/* Large classes count as of one size. */
static inline int by_code_size(int size) {
    return size < BITSLICE_LARGE ? size : BITSLICE_LARGE;
}

/* Turn the sizes of classes, by code, into the places where they begin. */
static inline void by_code_starts(uint16_t at[BITSLICE_CODES], by_code_t *out) {
    uint16_t next[BITSLICE_LARGE + 1] = {0}; /* by size: how many classes, then the place of the next of them */
    uint8_t code_of[BITSLICE_CODES], in_order[BITSLICE_CODES];
    int many = 0, before = 0, begin = 0;
    for (int code = 0; code < BITSLICE_CODES; code++) {
        code_of[many] = (uint8_t)code;
        many += at[code] > 0;
        next[by_code_size(at[code])]++;
    }
    for (int size = 1; size <= BITSLICE_LARGE; size++) {
        const int classes = next[size];
        next[size] = (uint16_t)before;
        before += classes;
    }
    out->classes = many;
    out->large = next[BITSLICE_LARGE];
    for (int i = 0; i < many; i++) in_order[next[by_code_size(at[code_of[i]])]++] = code_of[i];
    for (int c = 0; c < many; c++) {
        const int size = at[in_order[c]];
        at[in_order[c]] = out->start[c] = (uint16_t)begin;
        begin += size;
    }
    out->start[many] = (uint16_t)begin;
}

static inline void sort_by_code(const uint8_t *codes, int n, by_code_t *out) {
    uint16_t at[BITSLICE_CODES] = {0};
    for (int a = 0; a < n; a++) at[codes[a]]++;
    by_code_starts(at, out);
    for (int a = 0; a < n; a++) out->answer[at[codes[a]]++] = (uint16_t)a;
}

/* Put an answer, whose row this is, into a set. So arranged, counts come out in the order of the sets. */
static inline void bitslice_put(bitslice_t *row, int set) {
    const int bytes = (int)sizeof(bitslice_t), byte = set % bytes;
    ((uint8_t *)row)[byte] |= (uint8_t)(1 << set / bytes);
}

/* sum + carry * 2 = sum + x + y, digit by digit. */
#define BITSLICE_ADD(carry, sum, x, y) do { \
    const bitslice_t x_ = (x), y_ = (y), either_ = sum ^ x_; \
    carry = (sum & x_) | (either_ & y_); \
    sum = either_ ^ y_; \
} while (0)

/* Exchange the bits of `mask << by` in p with those of `mask` in q. */
#define BITSLICE_SWAP(p, q, by, mask) do { \
    const bitslice_t mask_ = BITSLICE_OF(mask), other_ = (p >> by ^ q) & mask_; \
    q ^= other_; \
    p ^= other_ << by; \
} while (0)

OPTIMAL_INLINE void bitslice_add_eight(bitslice_t digit[8], const bitslice_t *v) {
    bitslice_t two[4], four[2], carry;
    BITSLICE_ADD(two[0], digit[0], v[0], v[1]);
    BITSLICE_ADD(two[1], digit[0], v[2], v[3]);
    BITSLICE_ADD(two[2], digit[0], v[4], v[5]);
    BITSLICE_ADD(two[3], digit[0], v[6], v[7]);
    BITSLICE_ADD(four[0], digit[1], two[0], two[1]);
    BITSLICE_ADD(four[1], digit[1], two[2], two[3]);
    BITSLICE_ADD(carry, digit[2], four[0], four[1]);
    for (int i = 3; i < 8; i++) {
        const bitslice_t next = digit[i] & carry;
        digit[i] ^= carry;
        carry = next;
    }
}

/* Whether any set of a slice may come to more than `most`, with so many classes to come, which it may all have. The
   sums are all classes and one more at most, and so have eight digits, too. */
OPTIMAL_INLINE int bitslice_may_rise(const bitslice_t digit[8], const bitslice_t most[8], int to_come) {
    const bitslice_t none = BITSLICE_OF(0), all = ~none;
    bitslice_t above = none, carry = none;
    uint64_t word[BITSLICE / 64], any = 0;
    for (int i = 0; i < 8; i++) {
        const bitslice_t more = to_come >> i & 1 ? all : none, either = digit[i] ^ more, sum = either ^ carry;
        carry = (digit[i] & more) | (either & carry);
        above = (sum & ~most[i]) | (~(sum ^ most[i]) & above);
    }
    memcpy(word, &above, sizeof word);
    for (int w = 0; w < BITSLICE / 64; w++) any |= word[w];
    return any != 0;
}

/* Classes of one guess, given by its answers, on all sets of a slice, as eight digits; and one more where `more` says
   so. Returns 0, and no digits, if `most` is given and none of them rises above it: that is mostly known before the
   large classes, which most sets have and most answers are in. */
OPTIMAL_INLINE int bitslice_digits(const bitslice_t *has, const by_code_t *by, const bitslice_t *more,
                                   const bitslice_t *most, bitslice_t digit[8]) {
    bitslice_t v[8] = {*more};
    int filled = 1, look = by->large ? by->large : BITSLICE_LOOK;
    memset(digit, 0, 8 * sizeof *digit);
    for (int c = 0; c < by->classes;) {
        const uint16_t *at = by->answer + by->start[c], *const end = by->answer + by->start[++c];
        bitslice_t s = has[*at++], t = s;
        for (; at + 2 <= end; at += 2) {
            s |= has[at[0]];
            t |= has[at[1]];
        }
        if (at < end) s |= has[*at];
        v[filled++] = s | t;
        const int looks = most && c == look;
        if (filled < 8 && !looks && c < by->classes) continue;
        if (filled < 8) memset(v + filled, 0, (size_t)(8 - filled) * sizeof *v);
        bitslice_add_eight(digit, v);
        filled = 0;
        if (!looks) continue;
        if (!bitslice_may_rise(digit, most, by->classes - c)) return 0;
        look += BITSLICE_LOOK;
    }
    return 1;
}

/* Raise `most`, the digits of a number for each set of a slice, to the classes of a guess, as bitslice_digits. */
OPTIMAL_CLONES
static void bitslice_raise(const bitslice_t *has, const by_code_t *by, const bitslice_t *more, bitslice_t most[8]) {
    const bitslice_t none = BITSLICE_OF(0);
    bitslice_t digit[8], above = none;
    if (!bitslice_digits(has, by, more ? more : &none, most, digit)) return;
    for (int i = 0; i < 8; i++) above = (digit[i] & ~most[i]) | (~(digit[i] ^ most[i]) & above);
    for (int i = 0; i < 8; i++) most[i] = (most[i] & ~above) | (digit[i] & above);
}

/* The number of one set, as bitslice_put counts them. */
static inline int bitslice_number(const bitslice_t digit[8], int set) {
    const int bytes = (int)sizeof(bitslice_t), byte = set % bytes;
    int number = 0;
    for (int i = 0; i < 8; i++) number |= (((const uint8_t *)&digit[i])[byte] >> set / bytes & 1) << i;
    return number;
}

/* counts[i] = classes of one guess, given by its answers, on set i of a slice; the sets whose count is above least[i]
   are bits of above[BITSLICE / 64]. */
OPTIMAL_CLONES
static void bitslice_count(const bitslice_t *has, const by_code_t *by, const uint8_t *least, uint8_t *counts,
                        uint64_t *above) {
    const bitslice_t none = BITSLICE_OF(0);
    bitslice_t digit[8];
    bitslice_digits(has, by, &none, NULL, digit);
    /* From digits of all sets to numbers of each: byte i of the digits is a matrix of 8 x 8 bits, turned over. */
    for (int i = 0; i < 8; i += 2) BITSLICE_SWAP(digit[i], digit[i + 1], 1, 0x5555555555555555ull);
    for (int i = 0; i < 8; i += i & 1 ? 3 : 1) BITSLICE_SWAP(digit[i], digit[i + 2], 2, 0x3333333333333333ull);
    for (int i = 0; i < 4; i++) BITSLICE_SWAP(digit[i], digit[i + 4], 4, 0x0f0f0f0f0f0f0f0full);
    memcpy(counts, digit, sizeof digit);
    for (int w = 0; w < BITSLICE / 64; w++) {
        above[w] = 0;
        for (int b = 0; b < 8; b++) {
            uint8_t more[8];
            for (int i = 0; i < 8; i++) more[i] = counts[64 * w + 8 * b + i] > least[64 * w + 8 * b + i];
            above[w] |= low_bits(more) << 8 * b;
        }
    }
}

#endif
