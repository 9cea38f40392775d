from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef extern from "kernels.h" nogil:
    enum: BLOCK
    ctypedef struct marks_t:
        uint32_t *mark
        uint32_t now
    enum: PAIRWISE_MOST
    int count_blocks(const uint8_t **rows, int n, int width, int first, int blocks, const uint16_t *cap, int floor,
                     int rising, int enough, int *best, uint16_t *out)
    void share_block(const uint8_t **rows, int n, int width, size_t off, const uint32_t *share, uint32_t *out)
    void count_list(const uint8_t *by_guess, int width, size_t stride, const int32_t *cols, int m, const int32_t *idx,
                    int n, marks_t *marks, uint16_t *out)
    void one_hot_init()
    int lowest_bit "OPTIMAL_LOWEST_BIT"(uint64_t x)
    int bits_set "OPTIMAL_POPCOUNT64"(uint64_t x)
    int64_t OPTIMAL_LOAD(int64_t *p)
    void OPTIMAL_STORE(int64_t *p, int64_t v)

cdef extern from "symmetry.h" nogil:
    enum: SYMMETRY_MOST
    ctypedef struct symmetry_t:
        pass
    int symmetries_of(symmetry_t *out, const uint8_t *symbols, int length, const int32_t *guesses, int made)
    int symmetry_leads(const uint8_t *g, int length, uint64_t used, const symmetry_t *maps, int count)

cdef extern from "depths.h" nogil:
    enum: DEPTHS_INFEASIBLE
    ctypedef struct depths_t:
        int most
        int reach
        int32_t *low
        int64_t *hull
    int depths_init(depths_t *t, int answers, int reach)
    void depths_free(depths_t *t)
    int depths_tells(const depths_t *t, int d, int reach, int n)
    int depths_low(const depths_t *t, int d, int reach, int n)
    int depths_split(const depths_t *t, int d, int reach, int m, int parts)
    enum: DEPTHS_LAYERS

cdef extern from "table.h" nogil:
    ctypedef struct key128:
        uint64_t lo
        uint64_t hi
    ctypedef struct entry_t:
        int64_t value
        uint8_t exact
        uint8_t counted
        uint16_t height
    ctypedef struct table_t:
        size_t mask
        size_t used
        uint64_t hits
        uint64_t probes
    int table_init(table_t *t, size_t slots, size_t max_slots)
    void table_free(table_t *t)
    entry_t *table_find(table_t *t, key128 key)
    void table_store(table_t *t, key128 key, int64_t value, int exact, int height, int counted,
                     int size)
    ctypedef struct memo_t:
        pass
    int memo_init(memo_t *m, size_t slots)
    void memo_free(memo_t *m)
    int memo_find(const memo_t *m, key128 key)
    void memo_store(memo_t *m, key128 key, int number)
    uint64_t splitmix64(uint64_t *state)


cdef enum Rules:
    NORMAL
    HARD
    ULTRA_HARD


cdef struct Frame:
    # A compact view of the matrix: some answers as rows, guesses as columns in falling order of class count.
    int blocks                # columns / BLOCK, padded with constant columns
    const uint8_t **row       # by answer: the codes of all columns; set for the frame's answers only
    const int32_t *guess      # column -> guess, -1 for padding
    const uint16_t *cap       # by block: no column from this block on has more classes on the frame's answers
    const uint64_t *needs     # hard rules: features that all columns have
    uint64_t *having          # hard rules: feature f, block b at [f * blocks + b]: the columns that have it, a bit each
    uint8_t *ready            # by feature: whether its bits are there yet


cdef class Board:
    cdef readonly int answers, guesses, winning_code
    cdef readonly object matrix                # (guesses, answers), uint8 or uint16
    cdef int width                             # bytes of a code
    cdef const uint8_t *codes                  # the matrix
    cdef const int32_t[::1] answer_guess       # answer -> its guess
    cdef object by_answer                      # (answers, padded guesses), columns by falling root count
    cdef int32_t[::1] column_guess
    cdef const uint16_t[::1] column_count      # column -> classes over all answers
    cdef int32_t[::1] answer_of                # guess -> its answer or -1
    cdef uint16_t[::1] cap
    cdef uint64_t[:, ::1] zobrist              # (answers, 2)
    cdef Frame root
    cdef const uint8_t **root_rows
    cdef depths_t depths                       # what a limit costs at least, for reaches up to that of the root
    # Word games: spelling[a, p] numbers the letter of answer a with its position p; answers that differ at p alone make
    # a family, which family[a, p] numbers.
    cdef int length
    cdef int32_t[:, ::1] spelling
    cdef int spellings                         # numbers in use: 0 where there are no words
    cdef int32_t[:, ::1] family
    cdef int families
    # Games that any renaming of symbols and any order of places map to themselves: the symbols of each guess
    # (guesses, length).
    cdef const uint8_t[:, ::1] symbols
    cdef int places
    cdef bint symmetric
    cdef int reach                             # no guess has more classes, a possible answer counting one more
    cdef readonly int rules                    # Rules
    # Hard rules. A feature is (position, letter) or (letter, copies): a guess has it or not, a hint asks for it.
    cdef int feature_words                     # 64 features a word
    cdef uint64_t[:, ::1] features             # (guesses, feature_words)
    cdef const uint64_t *feature_row           # the same
    cdef int32_t[:, ::1] place_feature         # (guesses, length): the feature of each letter in its place
    cdef int32_t[:, ::1] copies_feature        # (guesses, length): of one copy of that letter; of m copies, + m - 1
    cdef object having                         # of the root frame
    cdef const uint8_t[:, ::1] digits          # (codes, length): 0 grey, 1 yellow, 2 green
    # Ultra-hard rules: the feedback code of guess g if guess h were the answer.
    cdef object replies
    cdef const uint8_t *reply_codes
    cdef uint64_t symbols_of(self, int guess) noexcept nogil
    cdef int code(self, int guess, int answer) noexcept nogil
    cdef int reply(self, int guess, int other) noexcept nogil
    cdef void ask(self, int guess, int code, uint64_t *needs) noexcept nogil
