"""The game as the search sees it: integers only."""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport free, malloc

import numpy as np

one_hot_init()


cdef class Board:
    """The game as the search sees it: the feedback matrix in both orders. Immutable, shared by threads."""

    def __cinit__(self):
        self.root_rows = NULL

    def __init__(self, const uint8_t[:, ::1] matrix, const int32_t[::1] answer_guess, int winning_code):
        cdef int m = <int>matrix.shape[0], n = <int>matrix.shape[1], g, a, b, blocks
        cdef uint64_t state = 0x6f7074696d616cULL
        self.matrix = matrix
        self.guesses = m
        self.answers = n
        self.answer_guess = answer_guess
        self.winning_code = winning_code
        if n < 1 or m < 1 or answer_guess.shape[0] != n:
            raise ValueError("Board: the matrix does not fit the answers")
        answer_of = np.full(m, -1, dtype=np.int32)
        answer_of[np.asarray(answer_guess)] = np.arange(n, dtype=np.int32)
        self.answer_of = answer_of
        for a in range(n):
            if answer_guess[a] < 0 or answer_guess[a] >= m or matrix[answer_guess[a], a] != winning_code:
                raise ValueError(f"Board: answer {a} has no guess that wins")
        counts = np.empty(m, dtype=np.uint16)
        everything = np.arange(n, dtype=np.int32)
        cdef uint16_t[::1] count_view = counts
        cdef const int32_t[::1] all_view = everything
        with nogil:
            count_list(&matrix[0, 0], n, NULL, m, &all_view[0], n, &count_view[0])
        self.root_counts = counts
        order = np.argsort(-counts.astype(np.int32), kind="stable").astype(np.int32)
        blocks = (m + BLOCK - 1) // BLOCK
        column_guess = np.full(blocks * BLOCK, -1, dtype=np.int32)
        column_guess[:m] = order
        self.column_guess = column_guess
        self.column_count = counts[order]
        self.by_answer = np.zeros((n, blocks * BLOCK), dtype=np.uint8)
        matrix_array = np.asarray(matrix)
        by_answer = np.asarray(self.by_answer)
        for g in range(0, m, 512):
            by_answer[:, g : min(g + 512, m)] = matrix_array[order[g : g + 512]].T
        cap = counts[order[::BLOCK]].astype(np.uint16)
        self.cap = np.ascontiguousarray(cap)
        self.zobrist = np.empty((n, 2), dtype=np.uint64)
        for a in range(n):
            for b in range(2):
                self.zobrist[a, b] = splitmix64(&state)
        self.root_rows = <const uint8_t **>malloc(n * sizeof(uint8_t *))
        if self.root_rows == NULL:
            raise MemoryError
        for a in range(n):
            self.root_rows[a] = &self.by_answer[a, 0]
        self.root.blocks = blocks
        self.root.row = self.root_rows
        self.root.guess = &self.column_guess[0]
        self.root.cap = &self.cap[0]

    def __dealloc__(self):
        free(self.root_rows)
