"""The game as the search sees it: integers only."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free

import numpy as np

from optimal cimport headers
from optimal.headers cimport (
    BLOCK,
    CODES_MOST,
    DEEPEST,
    DEPTHS_INFEASIBLE,
    DEPTHS_LAYERS,
    FEATURES_MOST,
    HARD,
    LIKEST,
    NO_GUESS,
    NORMAL,
    SAMPLE,
    ULTRA_HARD,
    checked_calloc,
    checked_malloc,
    count_list,
    depths_at,
    depths_free,
    depths_init,
    depths_t,
    game_code,
    marks_t,
    splitmix64,
)


include "failing.pxi"


cdef class GameTables:
    """The feedback matrix in both orders, and what follows from it alone. Threads share it; but for the lists of
    like answers, which they find as they need them, it is immutable.

    ``matrix`` (guesses, answers), uint8 or uint16, C order, at most 65535 of each; ``answer_guess`` (answers) int32.
    ``letters`` (guesses, length), as small integers, are those of word games; they must be left out where feedback is
    not that of words: see families.h. Hard rules need them, and the ``digits`` of the codes (codes, length);
    ultra-hard rules ``replies`` (guesses, guesses), the matrix with every guess as an answer. Raises ValueError where
    these do not fit each other, MemoryError.

    ``symbols`` (guesses, places) uint8, below 64: given only where any renaming of symbols and any order of places map
    guesses to guesses, answers to answers and keep all feedback. The guesses must be in lexicographic order of them.
    """

    def __init__(self, matrix, const int32_t[::1] answer_guess, int winning_code, *, letters=None, digits=None,
                 replies=None, symbols=None):
        cdef int m = <int>matrix.shape[0], n = <int>matrix.shape[1], a, b
        cdef uint64_t state = 0x6f7074696d616cULL
        cdef const uint8_t[::1] flat
        if matrix.dtype not in (np.uint8, np.uint16) or not matrix.flags.c_contiguous or n < 1 or m < 1:
            raise ValueError("GameTables: the matrix must be a C-ordered array of uint8 or uint16")
        if max(m, n) > NO_GUESS:         # class counts and guesses are kept in 16 bits
            raise ValueError(f"GameTables: more than {NO_GUESS} guesses or answers")
        if answer_guess.shape[0] != n:
            raise ValueError("GameTables: the matrix does not fit the answers")
        for a in range(n):
            if not 0 <= answer_guess[a] < m or matrix[answer_guess[a], a] != winning_code:
                raise ValueError(f"GameTables: answer {a} has no guess that wins")
        self.matrix = matrix
        flat = matrix.reshape(-1).view(np.uint8)
        self.game.width = matrix.dtype.itemsize
        self.game.codes = &flat[0]
        self.guesses = self.game.guesses = m
        self.answers = self.game.answers = n
        self.winning_code = self.game.winning_code = winning_code
        self.answer_guess = answer_guess
        self.game.answer_guess = &answer_guess[0]
        self.answer_of = np.full(m, -1, dtype=np.int32)
        for a in range(n):
            self.answer_of[answer_guess[a]] = a
        self.game.answer_of = &self.answer_of[0]
        self.zobrist = np.empty((n, 2), dtype=np.uint64)
        for a in range(n):
            for b in range(2):
                self.zobrist[a, b] = splitmix64(&state)
        self.game.zobrist = &self.zobrist[0, 0]
        self._set_root()
        if letters is not None:
            self._set_letters(np.asarray(letters))
        if symbols is not None:
            if symbols.ndim != 2 or symbols.shape[0] != m or symbols.max() > 63 or symbols.shape[1] > 16:
                raise ValueError("GameTables: the symbols do not fit the guesses")
            self.symbols = symbols
            self.game.symbols = &self.symbols[0, 0]
            self.game.places = symbols.shape[1]
            self.game.symmetric = 1
        self.game.split_most = self.cap[0] + 1
        self.game.split_off = self._split_off()
        self._set_depths()
        self.rules = self.game.rules = HARD if digits is not None else ULTRA_HARD if replies is not None else NORMAL
        if self.rules == HARD:
            self._set_features(np.asarray(letters), np.ascontiguousarray(digits, dtype=np.uint8))
        elif self.rules == ULTRA_HARD:
            if replies.shape != (m, m) or replies.dtype != matrix.dtype or not replies.flags.c_contiguous:
                raise ValueError("GameTables: replies must be a C-ordered square like the matrix")
            self.replies = replies
            flat = replies.reshape(-1).view(np.uint8)
            self.game.replies = &flat[0]

    def _set_root(self):
        """The root frame: all answers, all guesses in falling order of their class count."""
        cdef int m = self.guesses, n = self.answers, a, g, blocks = (m + BLOCK - 1) // BLOCK
        cdef marks_t marks
        cdef const int32_t[::1] everything = np.arange(n, dtype=np.int32)
        cdef const uint8_t[::1] flat
        counts = np.empty(m, dtype=np.uint16)
        cdef uint16_t[::1] count_view = counts
        marks.now = 0
        marks.mark = <uint32_t *>checked_calloc(CODES_MOST, sizeof(uint32_t))
        self.root_rows = <const uint8_t **>checked_malloc(n * sizeof(uint8_t *))
        if marks.mark == NULL or self.root_rows == NULL:
            free(marks.mark)
            raise MemoryError
        with nogil:
            count_list(self.game.codes, self.game.width, n, NULL, m, &everything[0], n, &marks, &count_view[0])
        free(marks.mark)
        order = np.argsort(-counts.astype(np.int32), kind="stable").astype(np.int32)
        column_guess = np.full(blocks * BLOCK, -1, dtype=np.int32)
        column_guess[:m] = order
        self.column_guess = column_guess
        self.column_count = counts[order]
        place = np.empty(m, dtype=np.int32)
        place[order] = np.arange(m, dtype=np.int32)
        self.member_column = place[np.asarray(self.answer_guess)]
        by_answer = np.zeros((n, blocks * BLOCK), dtype=self.matrix.dtype)
        for g in range(0, m, 512):
            by_answer[:, g : min(g + 512, m)] = self.matrix[order[g : g + 512]].T
        self.by_answer = by_answer
        self.cap = np.ascontiguousarray(counts[order[::BLOCK]])
        flat = by_answer.reshape(-1).view(np.uint8)
        for a in range(n):
            self.root_rows[a] = &flat[0] + <size_t>a * blocks * BLOCK * self.game.width
        if self.game.width == 1:
            sample = np.zeros((n, SAMPLE), dtype=np.uint8)
            sample[:, : min(m, SAMPLE)] = by_answer[:, : min(m, SAMPLE)]
            self.sample = sample
            self.likest = np.empty((n, LIKEST), dtype=np.uint16)
            self.likest_state = np.zeros(n, dtype=np.uint8)
            self.game.sample = &self.sample[0, 0]
            self.game.likest = &self.likest[0, 0]
            self.game.likest_state = &self.likest_state[0]
        self.game.root.blocks = blocks
        self.game.root.row = self.root_rows
        self.game.root.guess = &self.column_guess[0]
        self.game.root.column = &self.member_column[0]
        self.game.root.cap = &self.cap[0]

    def _split_off(self):
        """The most answers that a guess has outside its largest class, looked for no further than it takes to know
        that trees need not be deeper than the search can go. On no set has a guess more outside its largest class."""
        cdef int n = self.answers, g, most = max(1, n - 1)
        if n <= DEEPEST:
            return most
        most = 1
        for g in range(self.guesses):
            most = max(most, n - int(np.bincount(self.matrix[g]).max()))
            if most * DEEPEST > n:
                return n - 1
        return most

    def _set_depths(self):
        """The table of depths.h, with capacities where maps tell which guesses are alike: those that repeat symbols
        as often."""
        cdef int patterns = 0
        cdef int32_t[:, ::1] capacity
        cdef int32_t *sizes = NULL
        if self.game.symmetric:
            symbols = np.asarray(self.symbols)
            alike = np.sort((symbols[:, :, None] == symbols[:, None, :]).sum(axis=2), axis=1)
            leaders = np.unique(alike, axis=0, return_index=True)[1]
            patterns = len(leaders)
            capacity = np.zeros((patterns, self.game.split_most), dtype=np.int32)
            for row, leader in zip(np.asarray(capacity), leaders):
                held = np.bincount(self.matrix[leader], minlength=self.winning_code + 1)
                held[self.winning_code] = 0
                held = np.sort(held[held > 0])[::-1]
                row[: len(held)] = held
            sizes = &capacity[0, 0]
        if depths_init(&self.game.depths, self.answers, self.game.split_most, sizes, patterns) < 0:
            raise MemoryError

    def _set_letters(self, letters):
        cdef int p
        if letters.ndim != 2 or letters.shape[0] != self.guesses or letters.min() < 0:
            raise ValueError("GameTables: the letters do not fit the guesses")
        self.game.length = <int>letters.shape[1]
        letter = (letters[self.answer_guess] * self.game.length + np.arange(self.game.length)).astype(np.int32)
        self.letter = np.ascontiguousarray(letter)
        self.game.letter = &self.letter[0, 0]
        self.game.letters = int(letter.max()) + 1
        family = np.empty((self.answers, self.game.length), dtype=np.int32)
        for p in range(self.game.length):
            family[:, p] = self.game.families + np.unique(
                np.delete(letter, p, axis=1), axis=0, return_inverse=True
            )[1].reshape(-1)
            self.game.families = int(family[:, p].max()) + 1
        self.family = family
        self.game.family = &self.family[0, 0]

    def _set_features(self, letters, digits):
        cdef int g, p, q, copies, bit, length = self.game.length
        if letters.ndim != 2 or digits.ndim != 2 or digits.shape[1] != letters.shape[1] \
                or digits.shape[0] <= int(np.max(self.matrix)):
            raise ValueError("GameTables: the digits do not fit the letters or the codes")
        if 2 * length > FEATURES_MOST:   # a word has two features a letter
            raise ValueError(f"GameTables: hard rules are for words of up to {FEATURES_MOST // 2} letters")
        self.digits = digits
        self.game.digits = &self.digits[0, 0]
        alphabet = int(letters.max()) + 1
        places = alphabet * length
        words = (places + alphabet * length + 63) // 64
        self.place_feature = (letters + np.arange(length) * alphabet).astype(np.int32)
        self.copies_feature = (places + letters * length).astype(np.int32)
        self.features = np.zeros((self.guesses, words), dtype=np.uint64)
        for g in range(self.guesses):
            for p in range(length):
                bit = self.place_feature[g, p]
                self.features[g, bit >> 6] |= <uint64_t>1 << (bit & 63)
                copies = 0
                for q in range(p):
                    if self.copies_feature[g, q] == self.copies_feature[g, p]:
                        copies += 1
                bit = self.copies_feature[g, p] + copies
                self.features[g, bit >> 6] |= <uint64_t>1 << (bit & 63)
        self._pack_features(words)

    def _pack_features(self, words):
        """Only features that some guess has can be asked for, and those that all guesses lack take no room."""
        bits = np.unpackbits(np.asarray(self.features).view(np.uint8), axis=1, bitorder="little")
        used = np.flatnonzero(bits.any(axis=0))
        renumber = np.full(words * 64, -1, dtype=np.int32)
        renumber[used] = np.arange(len(used), dtype=np.int32)
        words = max(1, (len(used) + 63) // 64)
        bits = np.pad(bits[:, used], ((0, 0), (0, words * 64 - len(used))))
        self.features = np.ascontiguousarray(np.packbits(bits, axis=1, bitorder="little")).view(np.uint64)
        self.game.features = &self.features[0, 0]
        self.game.feature_words = words
        # The root frame asks for nothing, and has the bits of all features from the start: threads share it.
        columns = np.zeros((len(used), self.game.root.blocks * BLOCK), dtype=np.uint8)
        columns[:, : self.guesses] = bits[np.asarray(self.column_guess)[: self.guesses], : len(used)].T
        having = np.ascontiguousarray(np.packbits(columns, axis=1, bitorder="little")).view(np.uint64)
        self.having = (having, np.zeros(words, dtype=np.uint64), np.ones(len(used), dtype=np.uint8))
        cdef uint64_t[:, ::1] held = self.having[0]
        cdef uint64_t[::1] nothing = self.having[1]
        cdef uint8_t[::1] ready = self.having[2]
        self.game.root.having = &held[0, 0]
        self.game.root.needs = &nothing[0]
        self.game.root.ready = &ready[0]
        self.place_feature = renumber[np.asarray(self.place_feature)]
        self.copies_feature = renumber[np.asarray(self.copies_feature)]
        self.game.place_feature = &self.place_feature[0, 0]
        self.game.copies_feature = &self.copies_feature[0, 0]

    def __dealloc__(self):
        free(self.root_rows)
        depths_free(&self.game.depths)

    def least_totals(self, int classes, int max_guesses):
        """What 0, 1, 2, .. answers cost at least within so many guesses, 1 or more, as far as that is tabulated: int64,
        -1 where there is no tree. No guess makes more than so many classes of them, a possible answer counting one
        more."""
        cdef depths_t *t = &self.game.depths
        if not 0 <= classes <= t.split_most or max_guesses < 1:
            raise IndexError(f"classes are 0 .. {t.split_most}, guesses 1 or more")
        cdef const int32_t *low = t.low + depths_at(t, max_guesses if max_guesses < DEPTHS_LAYERS else 0, classes, 0)
        found = np.asarray(<const int32_t[: t.most + 1]>low).astype(np.int64)
        found[found >= DEPTHS_INFEASIBLE] = -1
        return found

    def is_answer(self, int guess):
        """Whether a guess can be the answer."""
        return self.answer_of[guess] >= 0

    def class_counts(self, const int32_t[::1] guesses, const int32_t[::1] answers):
        """The number of feedback classes that each of these guesses makes of a set of answers, uint16."""
        cdef marks_t marks
        cdef Py_ssize_t n = answers.shape[0]
        counts = np.zeros(guesses.shape[0], dtype=np.uint16)
        cdef uint16_t[::1] view = counts
        if not counts.size or not n:
            return counts
        if not 0 <= np.min(guesses) <= np.max(guesses) < self.guesses \
                or not 0 <= np.min(answers) <= np.max(answers) < self.answers:
            raise IndexError(f"guesses are 0 .. {self.guesses - 1}, answers 0 .. {self.answers - 1}")
        marks.now = 0
        marks.mark = <uint32_t *>checked_calloc(CODES_MOST, sizeof(uint32_t))
        if marks.mark == NULL:
            raise MemoryError
        with nogil:
            count_list(self.game.codes, self.game.width, self.answers, &guesses[0], <int>guesses.shape[0],
                       &answers[0], <int>n, &marks, &view[0])
        free(marks.mark)
        return counts

    def spread(self, guesses):
        """For each of these guesses, the sum over its feedback classes of n log2 n in 1/1024 bits, int64: n answers
        times the bits that the feedback leaves open. An estimate only, to decide what to try first."""
        cdef int64_t[::1] cost = np.round(
            1024 * np.arange(self.answers + 1) * np.log2(np.maximum(1, np.arange(self.answers + 1)))
        ).astype(np.int64)
        cdef int i, g, a, c
        cdef int32_t[::1] size = np.zeros(CODES_MOST, dtype=np.int32)
        cdef const int32_t[::1] asked = np.asarray(guesses, dtype=np.int32)
        out = np.zeros(asked.shape[0], dtype=np.int64)
        cdef int64_t[::1] view = out
        if out.size and not 0 <= np.min(asked) <= np.max(asked) < self.guesses:
            raise IndexError(f"guesses are 0 .. {self.guesses - 1}")
        with nogil:
            for i in range(asked.shape[0]):
                g = asked[i]
                for a in range(self.answers):
                    size[game_code(&self.game, g, a)] += 1
                for a in range(self.answers):
                    c = game_code(&self.game, g, a)
                    view[i] += cost[size[c]]
                    size[c] = 0
        return out

    def alike_together(self, guesses):
        """For each of these guesses, of how many pairs of answers that differ at one position alone both get the same
        feedback, int64; 0 where there are no words. What makes a limit of guesses bind is families of such answers, and
        first guesses that break them up leave less of them for later."""
        cdef int i, j
        cdef const int32_t[::1] asked = np.asarray(guesses, dtype=np.int32)
        out = np.zeros(asked.shape[0], dtype=np.int64)
        cdef int64_t[::1] view = out
        cdef const int32_t[:, ::1] pairs = self.alike_pairs()
        if out.size and not 0 <= np.min(asked) <= np.max(asked) < self.guesses:
            raise IndexError(f"guesses are 0 .. {self.guesses - 1}")
        with nogil:
            for i in range(asked.shape[0]):
                for j in range(pairs.shape[0]):
                    view[i] += game_code(&self.game, asked[i], pairs[j, 0]) == game_code(&self.game, asked[i],
                                                                                         pairs[j, 1])
        return out

    def alike_pairs(self):
        """The pairs of answers that differ at one position alone, (pairs, 2), int32, the lesser first."""
        found = [np.empty((0, 2), dtype=np.int32)]
        for place in range(self.game.length if self.game.families else 0):
            order = np.argsort(self.family[:, place], kind="stable").astype(np.int32)
            family = np.asarray(self.family)[order, place]
            for apart in range(1, self.answers):
                same = np.flatnonzero(family[apart:] == family[:-apart])
                if not len(same):
                    break
                found.append(np.stack([order[same], order[same + apart]], axis=1))
        return np.concatenate(found)
