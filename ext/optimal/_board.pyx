"""The game as the search sees it: integers only."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

import numpy as np

one_hot_init()


cdef class Board:
    """The feedback matrix in both orders, and what follows from it alone. Immutable; threads share it.

    ``matrix`` (guesses, answers), uint8 or uint16, C order; ``answer_guess`` (answers) int32. ``letters`` (guesses,
    length), as small integers, are those of word games; they must be left out where feedback is not that of words: see
    Searcher.split_family. Hard rules need them, and the ``digits`` of the codes (codes, length); ultra-hard rules
    ``replies`` (guesses, guesses), the matrix with every guess as an answer. Raises ValueError where these do not fit
    each other.

    ``symbols`` (guesses, length) uint8, below 64: given only where any renaming of symbols and any order of places map
    guesses to guesses, answers to answers and keep all feedback. The guesses must be in lexicographic order of them.
    """

    def __cinit__(self):
        self.root_rows = NULL
        self.depths.low = NULL
        self.depths.hull = NULL

    def __init__(self, matrix, const int32_t[::1] answer_guess, int winning_code, *, letters=None, digits=None,
                 replies=None, symbols=None):
        cdef int m = <int>matrix.shape[0], n = <int>matrix.shape[1], g, a, b, blocks
        cdef uint64_t state = 0x6f7074696d616cULL
        cdef marks_t marks
        cdef const uint8_t[::1] flat
        if matrix.dtype not in (np.uint8, np.uint16) or not matrix.flags.c_contiguous or n < 1 or m < 1:
            raise ValueError("Board: the matrix must be a C-ordered array of uint8 or uint16")
        if answer_guess.shape[0] != n:
            raise ValueError("Board: the matrix does not fit the answers")
        for a in range(n):
            if not 0 <= answer_guess[a] < m or matrix[answer_guess[a], a] != winning_code:
                raise ValueError(f"Board: answer {a} has no guess that wins")
        self.matrix = matrix
        self.width = matrix.dtype.itemsize
        flat = matrix.reshape(-1).view(np.uint8)
        self.codes = &flat[0]
        self.guesses = m
        self.answers = n
        self.answer_guess = answer_guess
        self.winning_code = winning_code
        self.answer_of = np.full(m, -1, dtype=np.int32)
        for a in range(n):
            self.answer_of[answer_guess[a]] = a
        counts = np.empty(m, dtype=np.uint16)
        cdef const int32_t[::1] everything = np.arange(n, dtype=np.int32)
        cdef uint16_t[::1] count_view = counts
        marks.now = 0
        marks.mark = <uint32_t *>calloc(65536, sizeof(uint32_t))
        self.root_rows = <const uint8_t **>malloc(n * sizeof(uint8_t *))
        if marks.mark == NULL or self.root_rows == NULL:
            free(marks.mark)
            raise MemoryError
        with nogil:
            count_list(self.codes, self.width, n, NULL, m, &everything[0], n, &marks, &count_view[0])
        free(marks.mark)
        order = np.argsort(-counts.astype(np.int32), kind="stable").astype(np.int32)
        blocks = (m + BLOCK - 1) // BLOCK
        column_guess = np.full(blocks * BLOCK, -1, dtype=np.int32)
        column_guess[:m] = order
        self.column_guess = column_guess
        self.column_count = counts[order]
        by_answer = np.zeros((n, blocks * BLOCK), dtype=matrix.dtype)
        for g in range(0, m, 512):
            by_answer[:, g : min(g + 512, m)] = matrix[order[g : g + 512]].T
        self.by_answer = by_answer
        self.cap = np.ascontiguousarray(counts[order[::BLOCK]])
        self.zobrist = np.empty((n, 2), dtype=np.uint64)
        for a in range(n):
            for b in range(2):
                self.zobrist[a, b] = splitmix64(&state)
        flat = by_answer.reshape(-1).view(np.uint8)
        for a in range(n):
            self.root_rows[a] = &flat[0] + <size_t>a * blocks * BLOCK * self.width
        self.root.blocks = blocks
        self.root.row = self.root_rows
        self.root.guess = &self.column_guess[0]
        self.root.cap = &self.cap[0]

        self.families = 0
        self.spellings = 0
        if letters is not None:
            self._set_letters(np.asarray(letters))
        self.symmetric = symbols is not None
        if symbols is not None:
            if symbols.ndim != 2 or symbols.shape[0] != m or symbols.max() > 63 or symbols.shape[1] > 16:
                raise ValueError("Board: the symbols do not fit the guesses")
            self.symbols = symbols
            self.places = symbols.shape[1]
        self.reach = self.cap[0] + 1
        if depths_init(&self.depths, n, self.reach) < 0:
            raise MemoryError
        self.rules = HARD if digits is not None else ULTRA_HARD if replies is not None else NORMAL
        if self.rules == HARD:
            self._set_features(np.asarray(letters), np.ascontiguousarray(digits, dtype=np.uint8))
        elif self.rules == ULTRA_HARD:
            if replies.shape != (m, m) or replies.dtype != matrix.dtype or not replies.flags.c_contiguous:
                raise ValueError("Board: replies must be a C-ordered square like the matrix")
            self.replies = replies
            flat = replies.reshape(-1).view(np.uint8)
            self.reply_codes = &flat[0]

    def _set_letters(self, letters):
        if letters.ndim != 2 or letters.shape[0] != self.guesses or letters.min() < 0:
            raise ValueError("Board: the letters do not fit the guesses")
        self.length = <int>letters.shape[1]
        spelling = (letters[self.answer_guess] * self.length + np.arange(self.length)).astype(np.int32)
        self.spelling = np.ascontiguousarray(spelling)
        self.spellings = int(spelling.max()) + 1
        family = np.empty((self.answers, self.length), dtype=np.int32)
        for p in range(self.length):
            family[:, p] = self.families + np.unique(
                np.delete(spelling, p, axis=1), axis=0, return_inverse=True
            )[1].reshape(-1)
            self.families = int(family[:, p].max()) + 1
        self.family = family

    def _set_features(self, letters, digits):
        cdef int g, p, q, copies, bit
        if letters.ndim != 2 or digits.ndim != 2 or digits.shape[1] != letters.shape[1] \
                or digits.shape[0] <= int(np.max(self.matrix)):
            raise ValueError("Board: the digits do not fit the letters or the codes")
        if letters.shape[1] > 16:        # a word has two features a letter; Searcher.legal_begin has room for 32
            raise ValueError("Board: hard rules are for words of up to 16 letters")
        self.digits = digits
        alphabet = int(letters.max()) + 1
        places = alphabet * self.length
        self.feature_words = (places + alphabet * self.length + 63) // 64
        self.place_feature = (letters + np.arange(self.length) * alphabet).astype(np.int32)
        self.copies_feature = (places + letters * self.length).astype(np.int32)
        self.features = np.zeros((self.guesses, self.feature_words), dtype=np.uint64)
        for g in range(self.guesses):
            for p in range(self.length):
                bit = self.place_feature[g, p]
                self.features[g, bit >> 6] |= <uint64_t>1 << (bit & 63)
                copies = 0
                for q in range(p):
                    if self.copies_feature[g, q] == self.copies_feature[g, p]:
                        copies += 1
                bit = self.copies_feature[g, p] + copies
                self.features[g, bit >> 6] |= <uint64_t>1 << (bit & 63)
        # Only features that some guess has can be asked for, and those that all guesses lack take no room.
        self._pack_features()

    def _pack_features(self):
        used = np.flatnonzero(np.unpackbits(np.asarray(self.features).view(np.uint8), axis=1, bitorder="little").any(axis=0))
        renumber = np.full(self.feature_words * 64, -1, dtype=np.int32)
        renumber[used] = np.arange(len(used), dtype=np.int32)
        bits = np.unpackbits(np.asarray(self.features).view(np.uint8), axis=1, bitorder="little")[:, used]
        self.feature_words = max(1, (len(used) + 63) // 64)
        bits = np.pad(bits, ((0, 0), (0, self.feature_words * 64 - len(used))))
        self.features = np.ascontiguousarray(np.packbits(bits, axis=1, bitorder="little")).view(np.uint64)
        self.feature_row = &self.features[0, 0]
        # The root frame asks for nothing, and has the bits of all features from the start: threads share it.
        columns = np.zeros((len(used), self.root.blocks * BLOCK), dtype=np.uint8)
        columns[:, : self.guesses] = bits[np.asarray(self.column_guess)[: self.guesses], : len(used)].T
        having = np.ascontiguousarray(np.packbits(columns, axis=1, bitorder="little")).view(np.uint64)
        self.having = (having, np.zeros(self.feature_words, dtype=np.uint64), np.ones(len(used), dtype=np.uint8))
        cdef uint64_t[:, ::1] held = self.having[0]
        cdef uint64_t[::1] nothing = self.having[1]
        cdef uint8_t[::1] ready = self.having[2]
        self.root.having = &held[0, 0]
        self.root.needs = &nothing[0]
        self.root.ready = &ready[0]
        self.place_feature = renumber[np.asarray(self.place_feature)]
        self.copies_feature = renumber[np.asarray(self.copies_feature)]

    def __dealloc__(self):
        free(self.root_rows)
        depths_free(&self.depths)

    def is_answer(self, int guess):
        """Whether a guess can be the answer."""
        return self.answer_of[guess] >= 0

    def spread(self):
        """For every guess, the sum over its feedback classes of n log2 n in 1/1024 bits, int64: n answers times the
        bits that the feedback leaves open. An estimate only, to decide what to try first."""
        cdef int64_t[::1] cost = np.round(
            1024 * np.arange(self.answers + 1) * np.log2(np.maximum(1, np.arange(self.answers + 1)))
        ).astype(np.int64)
        cdef int g, a, c
        cdef int32_t[::1] size = np.zeros(65536, dtype=np.int32)
        out = np.zeros(self.guesses, dtype=np.int64)
        cdef int64_t[::1] view = out
        with nogil:
            for g in range(self.guesses):
                for a in range(self.answers):
                    size[self.code(g, a)] += 1
                for a in range(self.answers):
                    c = self.code(g, a)
                    view[g] += cost[size[c]]
                    size[c] = 0
        return out

    cdef uint64_t symbols_of(self, int guess) noexcept nogil:
        """The symbols of a guess as a set; none where symbols mean nothing."""
        cdef uint64_t out = 0
        cdef int p
        if self.symmetric:
            for p in range(self.places):
                out |= <uint64_t>1 << self.symbols[guess, p]
        return out

    cdef int code(self, int guess, int answer) noexcept nogil:
        """The feedback code of a guess."""
        cdef size_t at = <size_t>guess * self.answers + answer
        return self.codes[at] if self.width == 1 else (<const uint16_t *>self.codes)[at]

    cdef int reply(self, int guess, int other) noexcept nogil:
        """The feedback code of a guess if another guess were the answer."""
        cdef size_t at = <size_t>guess * self.guesses + other
        return self.reply_codes[at] if self.width == 1 else (<const uint16_t *>self.reply_codes)[at]

    cdef void ask(self, int guess, int code, uint64_t *needs) noexcept nogil:
        """Add the features that a feedback asks for: greens in place; of a letter scored green or yellow m times,
        m copies (and so 1 to m - 1 too, which makes the union of two hints their maximum)."""
        cdef int p, q, bit, copies
        for p in range(self.length):
            if self.digits[code, p] == 0:
                continue
            if self.digits[code, p] == 2:
                bit = self.place_feature[guess, p]
                needs[bit >> 6] |= <uint64_t>1 << (bit & 63)
            copies = 0
            for q in range(p):
                if self.digits[code, q] and self.copies_feature[guess, q] == self.copies_feature[guess, p]:
                    copies += 1
            bit = self.copies_feature[guess, p] + copies
            needs[bit >> 6] |= <uint64_t>1 << (bit & 63)
