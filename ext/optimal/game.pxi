"""A game's tables, and measured supersets."""

cdef enum:
    CODES_AT_ONCE = 1 << 22   # of a matrix: some milliseconds
    BLOCKS_AT_ONCE = 8

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

    ``in_parts(total, size, do)``, if it is given, calls ``do(first, end)`` for parts of this size of the long loops, in
    any threads; what it raises ends the work.
    """
    cdef game_t game
    cdef readonly object matrix                # (guesses, answers), uint8 or uint16
    cdef readonly int answers, guesses, winning_code, rules
    cdef object arrays                         # what the game was built from
    cdef bint made

    def __init__(self, matrix, const int32_t[::1] answer_guess, int winning_code, *, letters=None, digits=None,
                 replies=None, symbols=None, in_parts=None):
        cdef game_source_t source
        cdef const uint8_t[::1] codes, replies_codes
        cdef const int32_t[:, ::1] letters_rows
        cdef const uint8_t[:, ::1] digits_rows, symbols_rows
        cdef int m = <int>matrix.shape[0], n = <int>matrix.shape[1], a, part, built
        only_once(&self.made)
        if matrix.dtype not in (np.uint8, np.uint16) or not matrix.flags.c_contiguous or n < 1 or m < 1:
            raise ValueError("GameTables: the matrix must be a C-ordered array of uint8 or uint16")
        if max(m, n) > NO_GUESS:         # class counts and guesses are kept in 16 bits
            raise ValueError(f"GameTables: more than {NO_GUESS} guesses or answers")
        if answer_guess.shape[0] != n:
            raise ValueError("GameTables: the matrix does not fit the answers")
        for a in range(n):
            if not 0 <= answer_guess[a] < m or matrix[answer_guess[a], a] != winning_code:
                raise ValueError(f"GameTables: answer {a} has no guess that wins")
        source = game_source_t(guesses=m, answers=n, winning_code=winning_code, width=matrix.dtype.itemsize, length=0, places=0,
                          codes=NULL, answer_guess=&answer_guess[0], letters=NULL, digits=NULL, replies=NULL, symbols=NULL)
        codes = matrix.reshape(-1).view(np.uint8)
        source.codes = &codes[0]
        if letters is not None:
            letters = np.asarray(letters)
            if letters.ndim != 2 or letters.shape[0] != m or letters.min() < 0 \
                    or 2 * (int(letters.max()) + 1) * letters.shape[1] >= 1 << 31:
                raise ValueError("GameTables: the letters do not fit the guesses")
            letters = np.ascontiguousarray(letters, dtype=np.int32)
            letters_rows = letters
            source.letters = &letters_rows[0, 0]
            source.length = <int>letters.shape[1]
        if digits is not None:
            digits = np.ascontiguousarray(digits, dtype=np.uint8)
            if letters is None or digits.ndim != 2 or digits.shape[1] != letters.shape[1] \
                    or digits.shape[0] <= int(np.max(matrix)):
                raise ValueError("GameTables: the digits do not fit the letters or the codes")
            if 2 * digits.shape[1] > FEATURES_MOST:      # a word has two features a letter
                raise ValueError(f"GameTables: hard rules are for words of up to {FEATURES_MOST // 2} letters")
            digits_rows = digits
            source.digits = &digits_rows[0, 0]
        elif replies is not None:
            if replies.shape != (m, m) or replies.dtype != matrix.dtype or not replies.flags.c_contiguous:
                raise ValueError("GameTables: replies must be a C-ordered square like the matrix")
            replies_codes = replies.reshape(-1).view(np.uint8)
            source.replies = &replies_codes[0]
        if symbols is not None:
            if symbols.ndim != 2 or symbols.shape[0] != m or symbols.max() > 63 or symbols.shape[1] > 16:
                raise ValueError("GameTables: the symbols do not fit the guesses")
            symbols_rows = symbols
            source.symbols = &symbols_rows[0, 0]
            source.places = <int>symbols.shape[1]
        self.arrays = (answer_guess, letters, digits, replies, symbols)
        self.matrix = matrix
        if game_begin(&self.game, &source) < 0:
            raise MemoryError
        self.guesses, self.answers, self.winning_code, self.rules = m, n, winning_code, self.game.rules
        if in_parts is None:
            in_parts = lambda total, size, do: do(0, total)
        part = max(1, CODES_AT_ONCE // n)
        in_parts(m, part, self._count)
        if game_order(&self.game) < 0:
            raise MemoryError
        in_parts(self.game.root.blocks, BLOCKS_AT_ONCE, self._transpose)
        with nogil:
            built = game_finish(&self.game, &source)
        if built < 0:
            raise MemoryError

    def __dealloc__(self):
        game_free(&self.game)

    def _count(self, int first, int end):
        cdef int built
        if not 0 <= first <= end <= self.guesses:
            raise IndexError
        with nogil:
            built = game_count(&self.game, first, end)
        if built < 0:
            raise MemoryError

    def _transpose(self, int first, int end):
        if not 0 <= first <= end <= self.game.root.blocks:
            raise IndexError
        with nogil:
            game_transpose(&self.game, first, end)

    @property
    def classes(self):
        """The number of feedback classes that each guess makes of all answers, uint16."""
        return np.asarray(<const uint16_t[: self.guesses]>self.game.classes).copy()

    cdef int check_guesses(self, guesses) except -1:
        if len(guesses) and not 0 <= np.min(guesses) <= np.max(guesses) < self.guesses:
            raise IndexError(f"guesses are 0 .. {self.guesses - 1}")
        return 0

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
        self.check_guesses([guess])
        return self.game.answer_of[guess] >= 0

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
        cdef uint32_t[::1] seen = np.zeros(CODES_MOST, dtype=np.uint32)
        marks.now = 0
        marks.mark = &seen[0]
        with nogil:
            count_list(self.game.codes, self.game.width, self.answers, &guesses[0], <int>guesses.shape[0], &answers[0],
                       <int>n, &marks, &view[0])
        return counts

    def pair_classes(self, int first, const int32_t[::1] others, const int32_t[::1] least):
        """For each of these other guesses the number of feedback classes that it makes together with the first, int32;
        0 where there are fewer than the least asked for."""
        cdef int i, j, at, k, left, h, c, n = self.answers, classes
        self.check_guesses([first])
        self.check_guesses(others)
        if least.shape[0] != others.shape[0]:
            raise ValueError("pair_classes: a least number for each guess")
        # The answers class by class, the largest first: what can't come to the least number shows soon.
        _, number, sizes = np.unique([game_code(&self.game, first, j) for j in range(n)], return_inverse=True,
                                     return_counts=True)
        by_size = np.argsort(-sizes, kind="stable")
        cdef const int32_t[::1] ends = np.cumsum(sizes[by_size]).astype(np.int32)
        cdef const int32_t[::1] order = np.argsort(np.argsort(by_size)[number], kind="stable").astype(np.int32)
        cdef uint32_t[::1] seen = np.zeros(CODES_MOST, dtype=np.uint32)
        cdef uint32_t now = 0
        counts = np.zeros(others.shape[0], dtype=np.int32)
        cdef int32_t[::1] view = counts
        classes = ends.shape[0]
        with nogil:
            for i in range(others.shape[0]):
                h, k, left, at = others[i], 0, n, 0
                for j in range(classes):
                    now += 1                      # at most 65535 guesses x 65535 classes: no stamp comes again
                    left -= ends[j] - at
                    while at < ends[j]:
                        c = game_code(&self.game, h, order[at])
                        k += seen[c] != now
                        seen[c] = now
                        at += 1
                    if k + left < least[i]:
                        break
                if k + left >= least[i]:
                    view[i] = k
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
        self.check_guesses(asked)
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

    def neighbours_together(self, guesses):
        """For each of these guesses, of how many pairs of answers that differ at one position alone both get the same
        feedback, int64; 0 where there are no words. What makes a limit of guesses bind is families of such answers, and
        first guesses that break them up leave less of them for later."""
        cdef int i, j
        cdef const int32_t[::1] asked = np.asarray(guesses, dtype=np.int32)
        out = np.zeros(asked.shape[0], dtype=np.int64)
        cdef int64_t[::1] view = out
        cdef const int32_t[:, ::1] pairs = self.neighbour_pairs()
        self.check_guesses(asked)
        with nogil:
            for i in range(asked.shape[0]):
                for j in range(pairs.shape[0]):
                    view[i] += game_code(&self.game, asked[i], pairs[j, 0]) == game_code(&self.game, asked[i],
                                                                                         pairs[j, 1])
        return out

    def neighbour_pairs(self):
        """The pairs of answers that differ at one position alone, (pairs, 2), int32, the lesser first."""
        found = [np.empty((0, 2), dtype=np.int32)]
        if not self.game.families:
            return found[0]
        families = np.asarray(<const int32_t[: self.answers, : self.game.length]>self.game.family)
        for place in range(self.game.length):
            order = np.argsort(families[:, place], kind="stable").astype(np.int32)
            family = families[order, place]
            for apart in range(1, self.answers):
                same = np.flatnonzero(family[apart:] == family[:-apart])
                if not len(same):
                    break
                found.append(np.stack([order[same], order[same + apart]], axis=1))
        return np.concatenate(found)


cdef class Supersets:
    """Sets of answers shared by the classes of many openers, with the best guesses' class counts on each (supersets.h).

    ``digits`` (codes, positions), below 3, gives the feedback at each position of a code; ``least`` is the smallest
    class served. With ``longest``, for tests, lists keep so many guesses. Raises ValueError, MemoryError.
    """
    cdef supersets_t x
    cdef readonly GameTables tables
    cdef bint made

    def __init__(self, GameTables tables not None, const uint8_t[:, ::1] digits, int least, *, int longest=0):
        cdef int width
        only_once(&self.made)
        if not np.max(tables.matrix) < digits.shape[0] <= 255 or tables.game.width != 1 or not 2 <= digits.shape[1] <= 5 or np.max(digits) > 2:
            raise ValueError("Supersets: these codes are none of words of up to five letters")
        self.tables = tables
        if supersets_init(&self.x, &tables.game, &digits[0, 0], <int>digits.shape[0], <int>digits.shape[1], least) < 0:
            raise MemoryError
        for width in range(AGREED_MOST + 1):
            if longest:
                self.x.room[width] = longest

    def __dealloc__(self):
        supersets_free(&self.x)

    @property
    def subsets(self):
        """The sets of positions on which classes may agree."""
        return self.x.subsets

    @property
    def used(self):
        """The number of sets collected."""
        return self.x.used

    def collect(self, const int32_t[::1] openers, double ratio):
        """Note every set of at most `ratio` times the answers of a class that is served, and every set that agrees on
        one or two positions, which bounds many classes a little."""
        cdef int i, ended = 0
        self.tables.check_guesses(openers)
        with nogil:
            for i in range(openers.shape[0]):
                ended = supersets_collect(&self.x, openers[i], ratio)
                if ended < 0:
                    break
        if ended < 0:
            raise MemoryError

    def worth(self, int uses, int touches):
        """The sets worth measuring, in the order in which they were collected, and the guesses that the list of each may
        keep."""
        cdef int i
        cdef superset_t *s
        which, room = [], []
        for i in range(self.x.used):
            s = &self.x.sets[i]
            if s.uses >= uses or (self.x.width[s.subset] <= 2 and s.touches >= touches):
                which.append(i)
                room.append(s.list.room)
        return np.array(which, dtype=np.int32), np.array(room, dtype=np.int32)

    def list_of(self, int which):
        """What is known of a set: (its answers, the guesses of its list, their class counts, the tail, the most classes
        of any guess). Raises IndexError, and ValueError if it is not measured."""
        cdef const top_guesses_t *found
        cdef int a
        if not 0 <= which < self.x.used:
            raise IndexError(f"set {which} of {self.x.used}")
        found = &self.x.sets[which].list
        if found.guesses == NULL:
            raise ValueError(f"set {which} is not measured")
        answers = [a for a in range(self.tables.answers) if superset_holds(&self.x, &self.x.sets[which], a)]
        return (answers, [found.guesses[a] for a in range(found.listed)],
                [found.counts[a] for a in range(found.listed)], found.tail, found.most)

    def measure(self, const int32_t[::1] which, Control control not None):
        """Count all guesses on each of these sets that is not measured yet, unless `control` stops it: then none of
        them counts as measured. Several threads may measure different sets at once. Raises IndexError, MemoryError."""
        cdef int ended
        if which.shape[0] == 0:
            return
        if not 0 <= np.min(which) <= np.max(which) < self.x.used or len(np.unique(which)) < which.shape[0]:
            raise IndexError(f"sets are 0 .. {self.x.used - 1}, each once")
        with nogil:
            ended = supersets_measure(&self.x, &which[0], <int>which.shape[0], &control.cells[1])
        if ended < 0:
            raise MemoryError
