/* The loops of ext/ on random data, held against the plainest way to say what they find, where no test in Python does.
   Prints a number of all that they found: it is the same whatever the compiler, the C library, the processor and the
   build. */
#undef NDEBUG
#include <assert.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/table.h"
#include "counting/bitslice.h"
#include "counting/kernels.h"

#define ROWS 640
#define BLOCKS 3
#define COLUMNS (BLOCKS * BLOCK)

static uint64_t state = 7, all_found = 0;

static int below(int n) { return (int)((splitmix64(&state) >> 33) % (uint64_t)n); }

static void found(uint64_t number) {
    uint64_t mixed = all_found ^ number;
    all_found = splitmix64(&mixed);
}

/* How many different numbers there are among n of them. */
static int different(const int *number, int n) {
    int count = 0;
    for (int i = 0; i < n; i++) {
        int j = 0;
        while (j < i && number[j] != number[i]) j++;
        count += j == i;
    }
    return count;
}

static uint8_t bytes[ROWS * COLUMNS * 2];
static const uint8_t *row[ROWS];
static int width;

static int code_at(int r, int column) {
    uint16_t wide;
    if (width == 1) return row[r][column];
    memcpy(&wide, row[r] + 2 * column, sizeof wide);
    return wide;
}

static void fill(int n, int codes) {
    for (int i = 0; i < n; i++) {
        uint8_t *to = bytes + (size_t)i * COLUMNS * 2;
        row[i] = to;
        for (int c = 0; c < COLUMNS; c++) {
            const uint16_t code = (uint16_t)(below(8) ? below(codes) : below(width == 1 ? 256 : 60000));
            if (width == 1) to[c] = (uint8_t)code;
            else memcpy(to + 2 * c, &code, sizeof code);
        }
    }
}

static void columns(int n, int codes, int kept, int floor) {
    static uint16_t at[ROWS * SIMILAR_MANY], cap[BLOCKS], out[COLUMNS];
    static int column[ROWS];
    const similar_t like = {at, kept};
    uint64_t bounds[BLOCKS];
    arena_t memory = {0};
    uint8_t *tile = (uint8_t *)arena_alloc(&memory, TILE_BYTES(n));
    int best = 0, most = 0;
    assert(tile);
    fill(n, codes);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < kept && j < i; j++) at[i * kept + j] = (uint16_t)(i - 1 - j);
    for (int b = 0; b < BLOCKS; b++) cap[b] = (uint16_t)(n + floor + 1);
    const count_t what = {tile, row, n, width, kept ? &like : NULL, floor, 0};
    assert(count_blocks(&what, 0, BLOCKS, cap, n + 1, &best, out, bounds) == BLOCKS);
    for (int c = 0; c < COLUMNS; c++) {
        for (int i = 0; i < n; i++) column[i] = code_at(i, c);
        const int exact = different(column, n);
        if (bounds[c / BLOCK] >> c % BLOCK & 1) assert(kept && out[c] >= exact && out[c] <= floor);
        else assert(out[c] == exact);
        if (exact > most) most = exact;
        found(out[c]);
    }
    assert(kept ? best == most || most <= floor : best == most);
    found((uint64_t)best);
    const uint64_t which = splitmix64(&state);
    best = 0;
    found(count_block(&what, 1, BLOCKS, which, &best, out));
    for (int c = 0; c < BLOCK; c++)
        if (which >> c & 1) found(out[c]);
    arena_free(&memory);
}

static void shares(int n, int codes) {
    static uint32_t share[PAIRWISE_MOST + 1];
    uint32_t out[BLOCK];
    arena_t memory = {0};
    uint8_t *tile = (uint8_t *)arena_alloc(&memory, TILE_BYTES(n));
    assert(tile);
    fill(n, codes);
    for (int i = 0; i <= n; i++) share[i] = (uint32_t)below(1000);
    share_block(tile, row, n, width, 2, share, out);
    for (int c = 0; c < BLOCK; c++) {
        uint32_t sum = 0;
        for (int i = 0; i < n; i++) {
            int size = 0;
            for (int j = 0; j < n; j++) size += code_at(i, 2 * BLOCK + c) == code_at(j, 2 * BLOCK + c);
            sum += share[size];
        }
        assert(out[c] == sum);
        found(sum);
    }
    arena_free(&memory);
}

/* As many sets as any slice holds. What is known of most is what the guess brings, or more: counting may end early. */
static void slices(int n, int codes, int rising) {
    static bitslice_t has[ROWS], more, most[8];
    static uint16_t answer[ROWS];
    static uint8_t code[ROWS];
    by_code_t by = {.answer = answer};
    int expected[64], counted[64];
    uint8_t counts[BITSLICE], least[BITSLICE] = {0};
    uint64_t above[BITSLICE / 64];
    memset(has, 0, sizeof has);
    memset(&more, 0, sizeof more);
    memset(most, 255, sizeof most); /* the sets in between are empty */
    for (int i = 0; i < n; i++) code[i] = (uint8_t)(codes == 254 ? i % codes : below(2) ? below(codes) : below(3));
    sort_by_code(code, n, &by);
    assert(by.start[by.classes] == n);
    for (int c = 0; c < by.classes; c++)
        for (int i = by.start[c]; i < by.start[c + 1]; i++) assert(code[answer[i]] == code[answer[by.start[c]]]);
    for (int set = 0; set < 64; set++) {
        const int at = set * (BITSLICE / 64), part = codes == 254 ? 1 : 1 + below(4), one_more = below(3) == 0;
        uint8_t seen[256] = {0};
        counted[set] = 0;
        for (int i = 0; i < n; i++) {
            if (below(part)) continue;
            bitslice_put(&has[i], at);
            counted[set] += !seen[code[i]];
            seen[code[i]] = 1;
        }
        if (one_more) bitslice_put(&more, at);
        const int count = counted[set] + one_more, more_known = count < 255 && below(2);
        const int known = count && set == rising ? count - 1 : count + more_known;
        for (int d = 0; d < 8; d++)
            if (~known >> d & 1) ((uint8_t *)&most[d])[at % (int)sizeof *most] ^= (uint8_t)(1 << at / (int)sizeof *most);
        expected[set] = count > known ? count : known;
        least[at] = (uint8_t)(counted[set] - (counted[set] && below(2)));
    }
    bitslice_raise(has, &by, &more, most);
    bitslice_count(has, &by, least, counts, above);
    for (int set = 0; set < 64; set++) {
        const int at = set * (BITSLICE / 64);
        assert(bitslice_number(most, at) == expected[set]);
        assert(counts[at] == counted[set]);
        assert((above[at / 64] >> at % 64 & 1) == (counts[at] > least[at]));
        found((uint64_t)expected[set]);
    }
}

static void agreeing(void) {
    static uint8_t rows[50 * 1024];
    uint16_t out[50];
    for (int step = BLOCK; step <= 1024; step *= 2) {
        for (int i = 0; i < 50 * step; i++) rows[i] = (uint8_t)below(step == 1024 ? 1 + i % 2 : 3);
        agreements(rows, 50, rows + 7 * step, step, out);
        for (int i = 0; i < 50; i++) {
            int agree = 0;
            for (int c = 0; c < step; c++) agree += rows[i * step + c] == rows[7 * step + c];
            assert(out[i] == agree);
            found(out[i]);
        }
    }
}

static void columns_that_are_above(void) {
    static const int least[] = {0, 1, 127, 128, 254, 255, 256, 32767, 32768, 65534, 65535};
    for (size_t i = 0; i < sizeof least / sizeof *least; i++) {
        uint16_t counts[BLOCK];
        uint64_t above = 0;
        for (int c = 0; c < BLOCK; c++) {
            const int near = least[i] - 2 + (int)below(5);
            counts[c] = below(2) ? (uint16_t)below(65536) : (uint16_t)(near < 0 ? 0 : near > 65535 ? 65535 : near);
            above |= (uint64_t)(counts[c] > least[i]) << c;
        }
        assert(columns_above(counts, least[i]) == above);
        found(above);
    }
}

int main(void) {
    for (width = 1; width <= 2; width++) {
        for (int n = 1; n <= PAIRWISE_MOST; n += n < 9 ? 1 : 61) columns(n, 2 + n, 0, 0);
        shares(1, 2);
        shares(60, 20);
        shares(PAIRWISE_MOST, 40);
    }
    width = 1;
    columns(100, 90, SIMILAR_FEW, 60);
    columns(200, 240, SIMILAR_SOME, 100);
    columns(600, 250, SIMILAR_MANY, 200);
    for (int i = 0; i < 300; i++) {
        const int n = 1 + below(ROWS), codes = 1 + below(i % 2 ? 250 : 20);
        slices(n, codes, i % 3 - 1);
    }
    slices(ROWS, 254, 7); /* all classes that there may be, and one more */
    columns_that_are_above();
    agreeing();
    printf("%016llx\n", (unsigned long long)all_found);
    return 0;
}
