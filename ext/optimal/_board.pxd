from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t

cdef extern from "kernels.h" nogil:
    enum: BLOCK
    int count_blocks(const uint8_t **rows, int n, int first, int blocks, const uint16_t *cap, int floor,
                     int rising, int enough, int *best, uint16_t *out)
    int distinct_column(const uint8_t *column, const int32_t *idx, int n)
    void count_list(const uint8_t *by_guess, size_t stride, const int32_t *cols, int m, const int32_t *idx, int n,
                    uint16_t *out)
    void one_hot_init()
    int64_t OPTIMAL_LOAD(int64_t *p)
    void OPTIMAL_STORE(int64_t *p, int64_t v)

cdef extern from "table.h" nogil:
    ctypedef struct key128:
        uint64_t lo
        uint64_t hi
    ctypedef struct entry_t:
        int64_t value
        uint8_t exact
        uint8_t height
        uint8_t counted
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
    uint64_t splitmix64(uint64_t *state)


cdef struct Frame:
    # A compact view of the matrix: some answers as rows, guesses as columns in falling order of class count.
    int blocks                # columns / BLOCK, padded with constant columns
    const uint8_t **row       # by answer: the codes of all columns; set for the frame's answers only
    const int32_t *guess      # column -> guess, -1 for padding
    const uint16_t *cap       # by block: no column from this block on has more classes on the frame's answers


cdef class Board:
    cdef readonly int answers, guesses, winning_code
    cdef const uint8_t[:, ::1] matrix          # (guesses, answers)
    cdef const int32_t[::1] answer_guess       # answer -> its guess
    cdef uint8_t[:, ::1] by_answer             # (answers, padded guesses), columns by falling root count
    cdef int32_t[::1] column_guess
    cdef const uint16_t[::1] column_count      # column -> classes over all answers
    cdef int32_t[::1] answer_of                # guess -> its answer or -1
    cdef uint16_t[::1] cap
    cdef uint64_t[:, ::1] zobrist              # (answers, 2)
    cdef Frame root
    cdef const uint8_t **root_rows
    cdef readonly object root_counts           # guess -> classes over all answers, uint16
