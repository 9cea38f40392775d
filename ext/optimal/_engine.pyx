"""The engine for Python: who owns what, errors, the GIL, lists and arrays. The search itself is C (ext/engine.h)."""

from cpython.pythread cimport (
    WAIT_LOCK,
    PyThread_acquire_lock,
    PyThread_allocate_lock,
    PyThread_free_lock,
    PyThread_release_lock,
    PyThread_type_lock,
)
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free

import numpy as np


cdef extern from "Python.h":
    int PyErr_CheckSignals() except -1

cdef extern from "pythread.h" nogil:
    int PyThread_acquire_lock_timed(PyThread_type_lock lock, long long microseconds, int interruptible)

cdef extern from "search/engine.h" nogil:
    long allocations_left
    enum: BLOCK, CODES_MOST, NO_GUESS, FEATURES_MOST, DEEPEST, FREE, WHOLE, NORMAL, HARD, ULTRA_HARD
    enum: DEPTHS_LAYERS, DEPTHS_INFEASIBLE, SHARED_PARTS, SHORTCUTS_MANY, AGREED_MOST, ROUNDS_MOST, OFFER_LEAST
    enum: LIKELY_LOOKS, DONE, STOPPED, OUT_OF_MEMORY, TOO_DEEP
    const int64_t COST_INF
    int TUNED(int usual, int small)
    int64_t OPTIMAL_LOAD(int64_t *p)
    void OPTIMAL_STORE(int64_t *p, int64_t v)

    ctypedef struct marks_t:
        uint32_t *mark
        uint32_t now
    void count_list(const uint8_t *by_guess, int width, size_t stride, const int32_t *cols, int m, const int32_t *idx,
                    int n, marks_t *marks, uint16_t *out)

    ctypedef struct depths_t:
        int most, split_most
        int32_t *low
    size_t depths_at(const depths_t *t, int d, int split_most, int n)

    ctypedef struct frame_t:
        int blocks
        const int32_t *guess
    ctypedef struct game_t:
        int answers, guesses, winning_code, rules, width, length, families, symmetric
        const uint8_t *codes
        const int32_t *answer_of
        const int32_t *family
        depths_t depths
    ctypedef struct matter_t:
        int guesses, answers, winning_code, width, length, places
        const uint8_t *codes
        const int32_t *answer_guess
        const int32_t *letters
        const uint8_t *digits
        const uint8_t *replies
        const uint8_t *symbols
    int game_build(game_t *g, const matter_t *m)
    void game_free(game_t *g)
    int game_code(const game_t *g, int guess, int answer)

    ctypedef struct key128:
        uint64_t lo, hi
    ctypedef struct table_t:
        pass
    int table_init(table_t *t, size_t slots, size_t max_slots)
    void table_free(table_t *t)
    ctypedef struct entry_t:
        int64_t value
        uint8_t exact, counted
        uint16_t height, guess
    ctypedef struct costs_t:
        const int64_t *weights
        int unit, uniform, by
        int64_t each, late
    int64_t cost_trivial(const costs_t *c, const int32_t *B, int n, int d, int t)
    ctypedef struct shortcut_t:
        const char *name
        const char *without
        const char *asked
        const char *settled
    const shortcut_t *shortcut_text
    ctypedef struct tally_t:
        uint64_t asked, settled, paid, wasted
    ctypedef struct nogood_t:
        const int32_t *answers
        int n, left
    ctypedef struct nogoods_t:
        const nogood_t *all
        int count

    ctypedef struct position_t:
        const frame_t *frame
        const int32_t *answers
        int n, guess, code, depth
        key128 set
        const position_t *before
    key128 set_key(const game_t *g, const int32_t *B, int n)
    ctypedef struct partition_t:
        int classes
        position_t *position
        int64_t *low
    int class_of(const partition_t *p, int code)
    int split(search_t *s, const position_t *P, int guess, partition_t *p)
    ctypedef struct step_t:
        int guess, code
    ctypedef struct arena_mark_t:
        pass
    ctypedef struct arena_t:
        pass
    arena_mark_t arena_mark(const arena_t *a)
    void arena_release(arena_t *a, arena_mark_t m)

    ctypedef struct hooks_t:
        void (*note)(search_t *s, const position_t *P, int d, int guess, const entry_t *e) noexcept nogil
        void (*signals)(search_t *s) noexcept nogil
        void (*pause)(search_t *s) noexcept nogil
        void *self
    ctypedef struct search_t:
        const game_t *game
        costs_t costs
        hooks_t hooks
        arena_t arena
        nogoods_t nogoods
        tally_t *tally
        const position_t *whole
        const position_t *start
        const supersets_t *supersets
        int64_t *stop_flag
        int stopped, out_of_memory, too_deep, feasibility_only, looks_left, level, helped
        uint64_t nodes, count_calls, guesses_tried
    int search_begin(search_t *s, const game_t *g, int off, size_t slots, size_t max_slots, const step_t *step, int steps)
    int search_done(search_t *s)
    void search_free(search_t *s)

    ctypedef struct bound_t:
        int64_t low
    bound_t count_bound(search_t *s, const position_t *P, int d, int64_t budget)
    int64_t sum_table_bounds(search_t *s, const position_t *P, partition_t *p, int d, const int64_t *class_least,
                             int64_t budget, int *height)
    int64_t sum_count_bounds(search_t *s, partition_t *p, int64_t total, int d, int64_t budget)
    int64_t value(search_t *s, const position_t *P, int d, int64_t budget, int *height)
    int64_t open_with(search_t *s, int guess, int d, int64_t budget, int *height)
    int64_t opener_quick_bound(search_t *s, int guess, int d)
    int64_t beam_opener(search_t *s, int guess, int d, int round, int64_t budget, int *failed)
    int64_t best_guess(search_t *s, int d, int64_t budget, int *guess, int *height)
    int canon(search_t *s, const position_t *P, int d, int *height)
    int canon_height(search_t *s, partition_t *p, int d, int most)
    int likely_guess(search_t *s, const position_t *P, int d)
    int tree_split(search_t *s, const position_t *P, int guess, position_t *legal, frame_t *frame, partition_t *p)
    const char *note_learn(search_t *s, const step_t *step, int steps, int left, const entry_t *e)
    int one_less(int d)

    ctypedef struct lock_t:
        void *handle
        int (*take)(void *handle, int wait) noexcept nogil
        void (*leave)(void *handle) noexcept nogil
    void lock_init(lock_t *l)
    void lock_take(lock_t *l)
    void lock_leave(lock_t *l)
    ctypedef struct shared_table_t:
        lock_t *lock
        table_t *part
    ctypedef struct team_t:
        lock_t lock
        int least, patience, at_work
        shared_table_t values
        shared_table_t canonical
    void team_join(search_t *s, team_t *team)
    void team_assist(search_t *s)

    ctypedef struct list_t:
        int room, listed, tail, most
        uint16_t *guesses
        uint8_t *counts
    ctypedef struct superset_t:
        int32_t uses, touches, subset
        list_t list
    ctypedef struct supersets_t:
        int codes, least, subsets, used
        int *room
        uint8_t *width
        superset_t *sets
    int supersets_init(supersets_t *x, const game_t *g, const uint8_t *digits, int codes, int length, int least)
    void supersets_free(supersets_t *x)
    int supersets_collect(supersets_t *x, int opener, double ratio)
    int supersets_measure(const supersets_t *x, const int32_t *which, int many, const int64_t *stop)
    bint superset_holds(const supersets_t *x, const superset_t *set, int answer)

cdef extern from "identify/identify.h" nogil:
    enum: KEY_FREE, KEY_SHORTCUTS_MANY, KINDS_MOST
    ctypedef struct key_shortcut_t:
        const char *name
        const char *without
    const key_shortcut_t *key_shortcut_text
    ctypedef struct questions_t:
        int kinds, questions, groups
        const uint16_t *codes
        const int64_t *weights
        const int32_t *group_of
        const int64_t *costs
    int questions_build(questions_t *t)
    void questions_free(questions_t *t)
    ctypedef struct found_t:
        int64_t value
        int height, question
    ctypedef struct limits_t:
        int left
        int64_t purse
    ctypedef struct view_t:
        pass
    ctypedef struct identify_t:
        view_t *root
        int32_t *all
        int any, width, solved
        int64_t work_left
        int64_t *stop_flag
        void (*signals)(identify_t *s) noexcept nogil
        void (*note)(identify_t *s, int kind, const int32_t *asked, int many, int left, const entry_t *e) noexcept nogil
        int noting, first
        void *self
        uint64_t nodes, steps, salt
        int stopped
        shared_table_t *shared
    int identify_init(identify_t *s, const questions_t *t, int off, size_t slots, size_t max_slots)
    void identify_free(identify_t *s)
    found_t identify_value(identify_t *s, const view_t *f, const int32_t *at, int n, limits_t within, int64_t budget)
    int64_t identify_first(identify_t *s, const view_t *f, const int32_t *at, int n, const uint16_t *codes, int64_t cost,
                           limits_t within, int64_t budget, int *height)
    int identify_canonical(identify_t *s, const int32_t *kinds, int n, limits_t within, found_t *found)
    const char *identify_learn(identify_t *s, const int32_t *asked, const int32_t *code, int many, limits_t within, int any,
                               const entry_t *e)
    int identify_done(identify_t *s)

cdef extern from "identify/build_key.h" nogil:
    ctypedef struct grown_t:
        int32_t *node
        int nodes, height
        int64_t total, dearest
    int identify_grow(identify_t *s, int opener, int canonical, limits_t within, grown_t *out)

cdef enum:
    PART_SLOTS = 1024         # where each part of a shared table starts
    CHOICES = 1 << 20         # entries of the shared table of canonical guesses, at most, and a quarter of the other's
    PAUSE = 100               # microseconds between two looks for an offer

INFEASIBLE = COST_INF
NO_LIMIT = FREE
#: Names of the switches for `Search(off=...)`.
SWITCHES = {shortcut_text[i].name.decode(): 1 << i for i in range(SHORTCUTS_MANY)}
#: What each leaves out, in words.
WITHOUT = {shortcut_text[i].name.decode(): shortcut_text[i].without.decode() for i in range(SHORTCUTS_MANY)}
#: What is counted of each in `Search.tallies`: (asked, settled), in words.
COUNTED = {shortcut_text[i].name.decode(): (shortcut_text[i].asked.decode(), shortcut_text[i].settled.decode())
           for i in range(SHORTCUTS_MANY)}
#: Names of the switches for `KeySearch(off=...)`, and what each leaves out.
KEY_SWITCHES = {key_shortcut_text[i].name.decode(): 1 << i for i in range(KEY_SHORTCUTS_MANY)}
KEY_WITHOUT = {key_shortcut_text[i].name.decode(): key_shortcut_text[i].without.decode()
               for i in range(KEY_SHORTCUTS_MANY)}
#: Whether this build has small thresholds, for tests (testing.h).
SMALL = TUNED(0, 1) == 1
#: Positions of so many answers and more are offered to a team.
OFFERED_FROM = OFFER_LEAST
#: Rounds of beams, each wider than the one before.
ROUNDS = ROUNDS_MOST


def fail_allocation(long after):
    """For tests: let the allocation fail that comes after so many more; -1 for none. Returns what was left of the number
    before, -1 once that allocation has failed."""
    global allocations_left
    left = allocations_left
    allocations_left = after
    return left


cdef int only_once(bint *made) except -1:
    """C holds pointers into what is made: so nothing is made twice."""
    if made[0]:
        raise ValueError("this was made already")
    made[0] = True
    return 0


class Stopped(Exception):
    """The search was told to stop before it was done."""


cdef class Control:
    """What running searches share: the incumbent and a stop flag, in memory the caller owns.

    ``cells`` is an int64 array of two: the cost to beat, and non-zero to stop. It may be a memory map shared by
    processes.
    """
    cdef int64_t[::1] cells
    cdef bint made

    def __init__(self, cells):
        only_once(&self.made)
        self.cells = cells
        if self.cells.shape[0] != 2:
            raise ValueError("Control needs two cells")

    @property
    def incumbent(self):
        return OPTIMAL_LOAD(&self.cells[0])

    @incumbent.setter
    def incumbent(self, int64_t value):
        OPTIMAL_STORE(&self.cells[0], value)

    @property
    def stopped(self):
        return OPTIMAL_LOAD(&self.cells[1]) != 0

    def stop(self):
        OPTIMAL_STORE(&self.cells[1], 1)


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
    cdef game_t game
    cdef readonly object matrix                # (guesses, answers), uint8 or uint16
    cdef readonly int answers, guesses, winning_code, rules
    cdef object arrays                         # what the game was built from
    cdef bint made

    def __init__(self, matrix, const int32_t[::1] answer_guess, int winning_code, *, letters=None, digits=None,
                 replies=None, symbols=None):
        cdef matter_t matter
        cdef const uint8_t[::1] codes, replies_codes
        cdef const int32_t[:, ::1] letters_rows
        cdef const uint8_t[:, ::1] digits_rows, symbols_rows
        cdef int m = <int>matrix.shape[0], n = <int>matrix.shape[1], a, built
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
        matter = matter_t(guesses=m, answers=n, winning_code=winning_code, width=matrix.dtype.itemsize, length=0, places=0,
                          codes=NULL, answer_guess=&answer_guess[0], letters=NULL, digits=NULL, replies=NULL, symbols=NULL)
        codes = matrix.reshape(-1).view(np.uint8)
        matter.codes = &codes[0]
        if letters is not None:
            letters = np.asarray(letters)
            if letters.ndim != 2 or letters.shape[0] != m or letters.min() < 0 \
                    or 2 * (int(letters.max()) + 1) * letters.shape[1] >= 1 << 31:
                raise ValueError("GameTables: the letters do not fit the guesses")
            letters = np.ascontiguousarray(letters, dtype=np.int32)
            letters_rows = letters
            matter.letters = &letters_rows[0, 0]
            matter.length = <int>letters.shape[1]
        if digits is not None:
            digits = np.ascontiguousarray(digits, dtype=np.uint8)
            if letters is None or digits.ndim != 2 or digits.shape[1] != letters.shape[1] \
                    or digits.shape[0] <= int(np.max(matrix)):
                raise ValueError("GameTables: the digits do not fit the letters or the codes")
            if 2 * digits.shape[1] > FEATURES_MOST:      # a word has two features a letter
                raise ValueError(f"GameTables: hard rules are for words of up to {FEATURES_MOST // 2} letters")
            digits_rows = digits
            matter.digits = &digits_rows[0, 0]
        elif replies is not None:
            if replies.shape != (m, m) or replies.dtype != matrix.dtype or not replies.flags.c_contiguous:
                raise ValueError("GameTables: replies must be a C-ordered square like the matrix")
            replies_codes = replies.reshape(-1).view(np.uint8)
            matter.replies = &replies_codes[0]
        if symbols is not None:
            if symbols.ndim != 2 or symbols.shape[0] != m or symbols.max() > 63 or symbols.shape[1] > 16:
                raise ValueError("GameTables: the symbols do not fit the guesses")
            symbols_rows = symbols
            matter.symbols = &symbols_rows[0, 0]
            matter.places = <int>symbols.shape[1]
        self.arrays = (answer_guess, letters, digits, replies, symbols)
        self.matrix = matrix
        with nogil:
            built = game_build(&self.game, &matter)
        if built < 0:
            raise MemoryError
        self.guesses, self.answers, self.winning_code, self.rules = m, n, winning_code, self.game.rules

    def __dealloc__(self):
        game_free(&self.game)

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

    def alike_together(self, guesses):
        """For each of these guesses, of how many pairs of answers that differ at one position alone both get the same
        feedback, int64; 0 where there are no words. What makes a limit of guesses bind is families of such answers, and
        first guesses that break them up leave less of them for later."""
        cdef int i, j
        cdef const int32_t[::1] asked = np.asarray(guesses, dtype=np.int32)
        out = np.zeros(asked.shape[0], dtype=np.int64)
        cdef int64_t[::1] view = out
        cdef const int32_t[:, ::1] pairs = self.alike_pairs()
        self.check_guesses(asked)
        with nogil:
            for i in range(asked.shape[0]):
                for j in range(pairs.shape[0]):
                    view[i] += game_code(&self.game, asked[i], pairs[j, 0]) == game_code(&self.game, asked[i],
                                                                                         pairs[j, 1])
        return out

    def alike_pairs(self):
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
        """The sets noted."""
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
        """The sets worth measuring, in the order in which they were noted, and the guesses that the list of each may
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
        cdef const list_t *found
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


cdef int make_lock(lock_t *lock) except -1:
    lock.handle = PyThread_allocate_lock()
    lock.take = PyThread_acquire_lock
    lock.leave = PyThread_release_lock
    if lock.handle == NULL:
        raise MemoryError
    lock_init(lock)
    return 0


cdef void free_lock(lock_t *lock) noexcept:
    if lock.handle != NULL:
        PyThread_free_lock(lock.handle)


cdef int make_shared(shared_table_t *t, size_t max_slots) except -1:
    cdef size_t part = PART_SLOTS
    cdef int i
    while part <= max_slots // SHARED_PARTS // 2:
        part *= 2  # a part is doubled as long as it is smaller than it may be
    for i in range(SHARED_PARTS):
        make_lock(&t.lock[i])
    for i in range(SHARED_PARTS):
        if table_init(&t.part[i], PART_SLOTS, part) < 0:
            raise MemoryError
    return 0


cdef void free_shared(shared_table_t *t) noexcept:
    cdef int i
    for i in range(SHARED_PARTS):
        table_free(&t.part[i])
        free_lock(&t.lock[i])


cdef class Team:
    """What the searches of a team share: their tables, of at most ``max_slots`` entries, and offers of positions of
    ``least`` answers and more. With ``patience``, for tests, the owner of an offer waits a little before it begins.

    Its searches must ask about the same game, rules and costs. Raises MemoryError.
    """
    cdef team_t t
    cdef PyThread_type_lock bell   # which never rings: to wait for some microseconds
    cdef GameTables tables         # those of the first that joined,
    cdef object costs              # and how it counts
    cdef bint made

    def __cinit__(self):
        make_lock(&self.t.lock)
        self.bell = PyThread_allocate_lock()
        if self.bell == NULL:
            raise MemoryError
        PyThread_acquire_lock(self.bell, WAIT_LOCK)

    def __init__(self, size_t max_slots=1 << 22, int least=OFFER_LEAST, *, int patience=0):
        only_once(&self.made)
        self.t.least = least
        self.t.patience = patience
        make_shared(&self.t.values, max_slots)
        make_shared(&self.t.canonical, min(<size_t>CHOICES, max_slots // 4))

    def __dealloc__(self):
        free_lock(&self.t.lock)
        free_shared(&self.t.values)
        free_shared(&self.t.canonical)
        if self.bell != NULL:
            PyThread_release_lock(self.bell)
            PyThread_free_lock(self.bell)

    def begin(self, int searches):
        """So many searches begin to work. Each must say `leave` in the end."""
        lock_take(&self.t.lock)
        self.t.at_work = searches
        lock_leave(&self.t.lock)

    def leave(self):
        """A search has no work left of its own."""
        lock_take(&self.t.lock)
        self.t.at_work -= 1
        lock_leave(&self.t.lock)


cdef void check_signals(search_t *s) noexcept nogil:
    """In the main thread: let pending signals be handled. Ctrl-C, where nobody handles it, stops the search."""
    with gil:
        try:
            PyErr_CheckSignals()
        except KeyboardInterrupt:
            s.stopped = True
            if s.stop_flag != NULL:
                OPTIMAL_STORE(s.stop_flag, 2)


cdef void pause(search_t *s) noexcept nogil:
    """Without the GIL; the search belongs to a team, which stays."""
    PyThread_acquire_lock_timed((<Search>s.hooks.self).team.bell, PAUSE, 0)


cdef void keep_note(search_t *s, const position_t *P, int d, int guess, const entry_t *e) noexcept nogil:
    cdef const position_t *q = P
    with gil:
        history = []
        while q.before != NULL:
            history.append((q.guess, q.code))
            q = q.before
        search = <Search>s.hooks.self
        # From the search's own position on, where `learn` begins.
        history = history[::-1][len(search.history):] + ([] if guess == NO_GUESS else [(guess, WHOLE)])
        search.notes.append((tuple(history), d, e.value, e.exact, e.height, e.guess, e.counted))


cdef class Search:
    """One thread's search: its transposition table, its memory, its counters, and the position that it is asked about,
    that after ``history``, the guesses made so far with their feedback codes.

    ``weights`` (answers) int64, none negative, count each answer so many times; ``by`` is the guess by which an answer
    should be found (-1: no matter), ``late`` what it costs more, per weight, to find it later. All sums of weight x
    depth must stay below 2^62: the caller sees to it. Costs with `late` in them may be more: 2^62 and above count as
    infeasible.

    ``supersets`` help at the start of the game, with unit costs; elsewhere they are left aside. ``off`` is a set of
    switches (SWITCHES) to leave out; every one changes the work, none the values. ``table_slots`` of 32 bytes each is
    where the table starts, ``max_slots`` what it may grow to. Raises ValueError for weights that do not fit and if no
    answer fits the history, IndexError, MemoryError.

    ``max_guesses`` counts from the position on. What is asked raises Stopped, MemoryError or RecursionError when it can't
    be finished, unless it says otherwise.
    """
    cdef search_t s
    cdef readonly GameTables tables
    cdef readonly Control control
    cdef readonly Supersets supersets
    cdef readonly Team team
    cdef readonly tuple history
    cdef readonly int failed       # the feedback of a class of the last opener for which no tree was found; -1: of none
    cdef const int64_t[::1] weights
    cdef list notes
    cdef bint made

    def __init__(self, GameTables tables not None, Control control not None, Supersets supersets=None, history=(), weights=None, int by=-1,
                 int64_t late=0, *, int off=0, size_t table_slots=1 << 16, size_t max_slots=1 << 22,
                 bint main_thread=False):
        cdef int begun, steps
        cdef step_t *step
        only_once(&self.made)
        if not 0 <= late <= COST_INF // 2:
            raise ValueError("Search: what it costs to be late is 0 or more, and 2^61 at most")
        self.tables = tables
        self.control = control
        self.history = tuple((int(guess), int(code)) for guess, code in history)
        self.notes = []
        self.failed = -1
        self.s.stop_flag = &control.cells[1]
        self.s.hooks.self = <void *>self
        self.main_thread = main_thread
        self.set_costs(weights, by, late)
        step = self.steps_of(self.history)
        steps = <int>len(self.history)
        with nogil:
            begun = search_begin(&self.s, &tables.game, off, table_slots, max_slots, step, steps)
        free(step)
        if begun < 0:
            raise MemoryError
        if begun > 0:
            guess, code = self.history[begun - 1]
            raise ValueError(f"no answer is left after feedback {code} of guess {guess}")
        self.done_with_bounds()      # where it is stopped already, the first call says so
        self.use(supersets)

    def __dealloc__(self):
        search_free(&self.s)

    cdef int set_costs(self, weights, by, late) except -1:
        cdef costs_t *costs = &self.s.costs
        costs.by = by if late else -1
        costs.late = late
        costs.each = 1
        costs.uniform = 1
        if weights is not None:
            self.weights = np.ascontiguousarray(weights, dtype=np.int64)
            if self.weights.shape[0] != self.tables.answers or np.min(self.weights) < 0:
                raise ValueError("Search: one weight for every answer, none negative")
            costs.weights = &self.weights[0]
            costs.each = self.weights[0]
            costs.uniform = np.ptp(self.weights) == 0
        costs.unit = costs.by < 0 and costs.uniform and costs.each == 1
        return 0

    cdef step_t *steps_of(self, history) except NULL:
        """Guesses made and their feedback, for C; to be freed."""
        cdef step_t *step = <step_t *>calloc(len(history) + 1, sizeof(step_t))
        if step == NULL:
            raise MemoryError
        try:
            for i, (guess, code) in enumerate(history):
                self.check_guess(guess)
                step[i].guess = guess
                step[i].code = code
        except BaseException:
            free(step)
            raise
        return step

    @property
    def main_thread(self):
        """Whether the search looks for signals: it must run in the main thread then."""
        return self.s.hooks.signals != NULL

    @main_thread.setter
    def main_thread(self, bint value):
        if value:
            self.s.hooks.signals = check_signals
        else:
            self.s.hooks.signals = NULL

    @property
    def helped(self):
        """Offers of others that it took part in."""
        return self.s.helped

    @property
    def nodes(self):
        """Positions entered."""
        return self.s.nodes

    @property
    def count_calls(self):
        """Count bounds taken."""
        return self.s.count_calls

    @property
    def guesses_tried(self):
        return self.s.guesses_tried

    @property
    def tallies(self):
        """By shortcut: how often it was asked, how often that settled the question, and, of those that search, the
        nodes of searches that did and of those in vain."""
        return {name: (self.s.tally[i].asked, self.s.tally[i].settled, self.s.tally[i].paid, self.s.tally[i].wasted)
                for i, name in enumerate(SWITCHES)}

    @property
    def nogoods(self):
        """Sets of answers of which it is known that they have no tree, as (indices, guesses left), as they were found."""
        cdef const nogood_t *q
        found = []
        for i in range(self.s.nogoods.count):
            q = &self.s.nogoods.all[i]
            found.append((tuple(q.answers[j] for j in range(q.n)), q.left))
        return found

    @property
    def candidates(self):
        """The answers still possible, as rising indices (int32)."""
        return np.array([self.s.start.answers[i] for i in range(self.s.start.n)], dtype=np.int32)

    def legal_guesses(self):
        """The guesses that the rules allow here, as rising indices (int32)."""
        cdef const frame_t *f = self.s.start.frame
        return np.sort(np.array([f.guess[i] for i in range(f.blocks * BLOCK) if f.guess[i] >= 0], dtype=np.int32))

    cdef int done(self) except -1:
        """End of a call: say what stopped it, and be ready for the next."""
        cdef int end = search_done(&self.s)
        if end == OUT_OF_MEMORY:
            raise MemoryError("the search ran out of memory")
        if end == TOO_DEEP:
            raise RecursionError(f"the search went deeper than {DEEPEST} guesses")
        if end == STOPPED:
            raise Stopped
        return 0

    cdef int done_with_bounds(self) except -1:
        """`done`, for what returns bounds: they hold, whatever stopped the search."""
        if not self.s.out_of_memory and not self.s.too_deep:
            self.s.stopped = False
        return self.done()

    cdef int check_guess(self, int guess) except -1:
        if not 0 <= guess < self.tables.guesses:
            raise IndexError(f"guess {guess} of {self.tables.guesses}")
        return 0

    # ------------------------------------------------------------------ with others

    def use(self, Supersets supersets):
        """Let these measured supersets of the same tables help from now on, where they do."""
        if supersets is not None and supersets.tables is not self.tables:
            raise ValueError("these supersets are of another game")
        self.supersets = supersets if self.s.costs.unit and not self.history else None
        self.s.supersets = NULL
        if self.supersets is not None:
            self.s.supersets = &self.supersets.x

    def join(self, Team team not None):
        """Belong to a team from now on. Raises ValueError unless it searches the same tables at the same costs."""
        weights = None if self.s.costs.weights == NULL else np.asarray(self.weights).tobytes()
        costs = weights, self.s.costs.by, self.s.costs.late
        if team.tables is not None and (team.tables is not self.tables or team.costs != costs):
            raise ValueError("this team searches another game, or counts otherwise")
        team.tables, team.costs = self.tables, costs
        self.team = team
        self.s.hooks.pause = pause
        team_join(&self.s, &team.t)

    def assist(self):
        """Help the others of the team until none of them is at work. Returns early when the search is stopped."""
        if self.team is None:
            raise ValueError("this search belongs to no team")
        with nogil:
            team_assist(&self.s)

    def take_notes(self, bint wanted=True):
        """Whether to note, from now on, what is proven of the classes under way."""
        self.notes = []
        if wanted:
            self.s.hooks.note = keep_note
        else:
            self.s.hooks.note = NULL

    def noted(self):
        """The notes since the last call, in the form that `learn` takes: (history, guesses left, value, exact, height,
        guess, counted), with pairs (guess, feedback) in the history, from this search's position on; a pair (guess,
        WHOLE) at its end stands for all trees that go on with this guess. Any thread may call it."""
        found, self.notes = self.notes, []
        return found

    def learn(self, history, int left, int64_t value, bint exact, int height, int guess, bint counted):
        """Take over a note of an earlier search of the same game, costs and position: what it proved of the position
        ``history`` further on, with so many guesses left, or that the tables hold no more.

        Raises ValueError where that can't be: for a history that leaves no answers, for a value below a bound that
        needs no search.
        """
        cdef entry_t e
        cdef const char *wrong
        cdef step_t *step
        if not 0 <= height <= NO_GUESS or not 0 <= guess <= NO_GUESS:
            raise ValueError("no such value is possible")
        e.value, e.exact, e.height, e.guess, e.counted = value, exact, <uint16_t>height, <uint16_t>guess, counted
        history = tuple(history)
        step = self.steps_of(history)
        wrong = note_learn(&self.s, step, <int>len(history), left, &e)
        free(step)
        self.done()
        if wrong != NULL:
            raise ValueError(wrong.decode())

    # ------------------------------------------------------------------ openers

    def opener(self, int guess, int max_guesses, int64_t budget):
        """(cost, height) of the best tree that goes on with `guess`: exact if cost < budget, else a lower bound. The
        guess must be legal."""
        cdef int64_t v
        cdef int h = 0
        self.check_guess(guess)
        with nogil:
            v = open_with(&self.s, guess, max_guesses, min(budget, COST_INF), &h)
        self.done()
        return v, h

    def opener_slice(self, int guess, int max_guesses, int64_t budget, int looks):
        """(cost or bound, whether `opener` came to its end) after so many looks at the stop flag, of 2^24 codes each, or
        when the stop flag is set. Below a budget that is not infinite, the class at hand has up to 256 looks more.

        At the end, the first is what `opener` returns; before, it is a lower bound of the guess's cost, and what was
        found out of its classes is in the table for the next slice. Raises MemoryError or RecursionError.
        """
        cdef int64_t v
        cdef int h = 0
        cdef bint ended
        self.check_guess(guess)
        self.s.looks_left = looks
        with nogil:
            v = open_with(&self.s, guess, max_guesses, min(budget, COST_INF), &h)
        ended = not self.s.stopped
        self.s.looks_left = -1
        self.done_with_bounds()
        return v, ended

    def quick_bound(self, int guess, int max_guesses):
        """A lower bound of an opener's cost that needs no counting, or only the trivial one once the stop flag is set."""
        cdef int64_t v
        self.check_guess(guess)
        with nogil:
            v = opener_quick_bound(&self.s, guess, max_guesses)
        self.done_with_bounds()
        return v

    def class_bounds(self, int guess, int max_guesses):
        """(bound of the guess's cost, [(feedback, answers, bound of the class)]): count bounds of its feedback classes,
        smallest class first, the winning one left out; once the stop flag is set, what bounds there are."""
        cdef partition_t p
        cdef int i, h = 0, left = one_less(max_guesses)
        cdef int64_t v = COST_INF
        self.check_guess(guess)
        p.classes = 0
        with nogil:
            if max_guesses >= 1 and split(&self.s, self.s.start, guess, &p) >= 0:
                v = sum_table_bounds(&self.s, self.s.start, &p, left, NULL, COST_INF, &h)
                if v < COST_INF:
                    v = sum_count_bounds(&self.s, &p, v, left, COST_INF)
        found = [] if v >= COST_INF else [(p.position[i].code, p.position[i].n, p.low[i]) for i in range(p.classes)]
        self.done_with_bounds()
        return v, found

    def class_value(self, int guess, int code, int max_guesses, int64_t budget):
        """The cost of a feedback class of a guess: exact if below `budget`, else a lower bound. Raises ValueError for a
        class that is none."""
        cdef partition_t p
        cdef int i = -1, h = 0, d = one_less(max_guesses)
        cdef int64_t v = 0
        self.check_guess(guess)
        with nogil:
            if split(&self.s, self.s.start, guess, &p) >= 0:
                i = class_of(&p, code)
                if i >= 0 and p.position[i].n <= 2:
                    v = cost_trivial(&self.s.costs, p.position[i].answers, p.position[i].n, d, p.position[i].depth)
                elif i >= 0:
                    v = value(&self.s, &p.position[i], d, min(budget, COST_INF), &h)
        self.done()
        if i < 0:
            raise ValueError(f"no answer has feedback {code} to this guess")
        return v

    def beam_opener(self, int guess, int max_guesses, int round, int64_t budget=COST_INF, int looks=-1):
        """The cost of a tree that goes on with `guess`, an upper bound of the least; `budget` or more if none below it
        was found, INFEASIBLE if none at all. ``round``, below ROUNDS, tells how wide the beam is.

        ``looks`` bounds the work: so many times 2^24 codes are looked at; -1: no bound. After that nothing is found.
        Where it is for one class that no tree was found, ``failed`` is that class's feedback code from then on, else -1.
        """
        cdef int64_t v
        self.check_guess(guess)
        if not 0 <= round < ROUNDS_MOST:
            raise ValueError(f"round {round} of {ROUNDS_MOST}")
        self.s.looks_left = looks
        with nogil:
            v = beam_opener(&self.s, guess, max_guesses, round, budget, &self.failed)
        self.s.looks_left = -1
        self.done()
        return v

    # ------------------------------------------------------------------ the position

    def lower_bound(self, int max_guesses):
        """A lower bound of every tree from here on, by one count of the classes of all legal guesses, or the trivial one
        once the stop flag is set."""
        cdef const position_t *P = self.s.start
        cdef int64_t low = cost_trivial(&self.s.costs, P.answers, P.n, max_guesses, P.depth)
        if P.n > 2 and low < COST_INF:
            with nogil:
                low = count_bound(&self.s, P, max_guesses, COST_INF).low
        self.done_with_bounds()
        return low

    def feasible(self, const int32_t[::1] answers, int max_guesses):
        """Whether some tree finds all these answers within so many guesses, every guess being allowed (normal rules).
        Raises ValueError under other rules and in games with symmetries, where the past matters."""
        cdef int64_t v
        cdef int h = 0
        cdef position_t P = self.s.whole[0]
        if self.tables.rules != NORMAL or self.tables.game.symmetric:
            raise ValueError("feasible is for normal rules without symmetries")
        if not answers.shape[0]:
            return True
        if not 0 <= np.min(answers) <= np.max(answers) < self.tables.answers or len(np.unique(answers)) < answers.shape[0]:
            raise IndexError(f"answers are 0 .. {self.tables.answers - 1}, each once")
        P.answers = &answers[0]
        P.n = <int>answers.shape[0]
        P.set = set_key(self.s.game, P.answers, P.n)
        v = cost_trivial(&self.s.costs, P.answers, P.n, max_guesses, 0)
        if P.n > 2 and v < COST_INF:
            self.s.feasibility_only = True
            with nogil:
                v = value(&self.s, &P, max_guesses, COST_INF, &h)
        self.done()
        return v < COST_INF

    def best(self, int max_guesses, int64_t budget=COST_INF):
        """(cost, guess, height) of the canonical tree from here on; guess -1 and a lower bound if cost >= budget."""
        cdef int h = 0, guess = -1
        cdef int64_t v
        with nogil:
            v = best_guess(&self.s, max_guesses, min(budget, COST_INF), &guess, &h)
        self.done()
        return v, guess, h

    def opener_height(self, int guess, int max_guesses):
        """Height of the canonical tree among the least-cost trees that go on with `guess`."""
        cdef partition_t p
        cdef int h = 0
        self.check_guess(guess)
        with nogil:
            if split(&self.s, self.s.start, guess, &p) >= 0:
                h = canon_height(&self.s, &p, one_less(max_guesses), FREE)
        self.done()
        return h + 1

    def tree(self, int guess, int max_guesses):
        """The canonical tree that goes on with `guess`, as nested pairs (guess, {code: subtree}).

        Raises ValueError where no tree keeps to the limit.
        """
        return self.tree_of(guess, max_guesses, True)

    def likely_tree(self, int guess, int max_guesses):
        """Some tree that goes on with `guess`, in the form of `tree`, put together without a long search from what the
        tables hold: the tree of an opener just valued, nearly always, or that of its beam. None where that leads
        nowhere soon. The stop flag is not looked at, so that a stopped search has something to show; it takes some
        tenths of a second."""
        cdef int64_t *stop_flag = self.s.stop_flag
        self.s.stop_flag = NULL
        self.s.looks_left = LIKELY_LOOKS
        try:
            return self.tree_of(guess, max_guesses, False)
        except (Stopped, ValueError):
            return None
        finally:
            self.s.stop_flag = stop_flag
            self.s.looks_left = -1

    def tree_of(self, int guess, int max_guesses, bint canonical):
        self.check_guess(guess)
        try:
            found = self.subtree(self.s.start, guess, max_guesses, canonical)
        finally:
            self.done()
        return found

    cdef object subtree(self, const position_t *P, int guess, int d, bint canonical):
        cdef partition_t p
        cdef position_t legal
        cdef frame_t frame
        cdef int i, best, h = 0, left = one_less(d)
        cdef arena_mark_t mark = arena_mark(&self.s.arena)
        children = {}
        if d < 1:
            raise ValueError("no tree within the limit")
        if tree_split(&self.s, P, guess, &legal, &frame, &p) < 0:
            self.done()
        self.s.level += 1
        for i in range(p.classes):
            with nogil:
                if canonical:
                    best = canon(&self.s, &p.position[i], left, &h)
                else:
                    best = likely_guess(&self.s, &p.position[i], left)
            if self.s.stopped:
                self.done()
            if best < 0:
                raise ValueError("no tree within the limit")
            children[p.position[i].code] = self.subtree(&p.position[i], best, left, canonical)
        self.s.level -= 1
        arena_release(&self.s.arena, mark)
        return guess, children


cdef void check_key_signals(identify_t *s) noexcept nogil:
    """As `check_signals`."""
    with gil:
        try:
            PyErr_CheckSignals()
        except KeyboardInterrupt:
            s.stopped = True
            if s.stop_flag != NULL:
                OPTIMAL_STORE(s.stop_flag, 2)


cdef void keep_key_note(identify_t *s, int kind, const int32_t *asked, int many, int left, const entry_t *e) noexcept nogil:
    cdef int i
    with gil:
        search = <KeySearch>s.self
        history = tuple((asked[i], search.codes[asked[i], kind]) for i in range(many - 1, -1, -1))
        search.notes.append((history, left, e.value, e.exact, e.height, e.guess, s.any))


cdef class KeyTable:
    """A table of at most ``max_slots`` entries for several `KeySearch`es of the same questions. Raises MemoryError."""
    cdef shared_table_t t
    cdef object of     # codes, weights, groups and costs of the first that has it
    cdef bint made

    def __init__(self, size_t max_slots):
        only_once(&self.made)
        make_shared(&self.t, max_slots)

    def __dealloc__(self):
        free_shared(&self.t)


cdef class KeySearch:
    """One thread's search for the least key of a table of questions.

    ``codes`` (questions, kinds) uint16: the reply of each kind of object to each question; no two columns are equal.
    ``weights`` (kinds) int64, rising, none negative. ``groups`` (kinds) int32, numbered from 0: kinds of one group
    needn't be told apart. ``costs`` (questions) int64, none negative. Weights times costs, in sum, must stay below 2^62:
    the caller sees to it. ``off`` is a set of switches (KEY_SWITCHES) to leave out; every one changes the work, none the
    values. ``table_slots`` of 32 bytes each is where the table starts, ``max_slots`` what it may grow to; a ``shared``
    table takes its place.

    ``limit`` is the number of questions on a path (NO_LIMIT: any), ``purse`` what they may cost (INFEASIBLE: anything),
    ``work`` the steps after which a call ends half-way (-1: never). Values at or above ``budget`` are lower bounds.
    Raises ValueError for arrays that don't fit each other and for limits, purses and budgets below 0, Stopped,
    MemoryError.
    """
    cdef questions_t table
    cdef identify_t s
    cdef readonly Control control
    cdef readonly int kinds, questions
    cdef const uint16_t[:, ::1] codes
    cdef const int64_t[::1] weights, costs
    cdef const int32_t[::1] groups
    cdef KeyTable shared
    cdef list notes
    cdef bint made

    def __init__(self, const uint16_t[:, ::1] codes, const int64_t[::1] weights, const int32_t[::1] groups,
                 const int64_t[::1] costs, Control control not None, *, int off=0, size_t table_slots=1 << 16,
                 size_t max_slots=1 << 22, KeyTable shared=None, bint main_thread=False):
        cdef int begun
        only_once(&self.made)
        self.questions, self.kinds = <int>codes.shape[0], <int>codes.shape[1]
        if not 1 <= codes.shape[1] <= KINDS_MOST or not 1 <= codes.shape[0] <= NO_GUESS:
            raise ValueError(f"KeySearch: 1 to {KINDS_MOST} kinds, 1 to {NO_GUESS} questions")
        if weights.shape[0] != self.kinds or groups.shape[0] != self.kinds or costs.shape[0] != self.questions:
            raise ValueError("KeySearch: weights, groups and costs must fit the codes")
        if weights[0] < 0 or np.any(np.diff(weights) < 0) or np.min(costs) < 0:
            raise ValueError("KeySearch: weights rise, and neither they nor costs are negative")
        told = np.unique(groups)
        if told.min() != 0 or told.max() != len(told) - 1:
            raise ValueError("KeySearch: groups are numbered from 0")
        if len(np.unique(codes, axis=1)[0]) < self.kinds:
            raise ValueError("KeySearch: two kinds have the same replies")
        self.codes, self.weights, self.groups, self.costs, self.control = codes, weights, groups, costs, control
        self.table.kinds, self.table.questions, self.table.groups = self.kinds, self.questions, <int>len(told)
        self.table.codes, self.table.weights = &self.codes[0, 0], &self.weights[0]
        self.table.group_of, self.table.costs = &self.groups[0], &self.costs[0]
        if shared is not None:
            of = [np.asarray(codes), np.asarray(weights), np.asarray(groups), np.asarray(costs)]
            if shared.of is not None and not all(map(np.array_equal, shared.of, of)):
                raise ValueError("KeySearch: the shared table is of other questions")
            shared.of, self.shared, self.s.shared = of, shared, &shared.t
            table_slots = max_slots = 2  # its own table is not used
        self.s.stop_flag = &control.cells[1]
        self.s.self, self.notes = <void *>self, []
        if main_thread:
            self.s.signals = check_key_signals
        with nogil:
            begun = questions_build(&self.table)
            if begun >= 0:
                begun = identify_init(&self.s, &self.table, off, table_slots, max_slots)
        if begun < 0:
            raise MemoryError

    def __dealloc__(self):
        identify_free(&self.s)
        questions_free(&self.table)

    @property
    def nodes(self):
        """Sets searched so far."""
        return self.s.nodes

    @property
    def steps(self):
        """The work done so far, in the steps that ``work`` counts."""
        return self.s.steps

    cdef bint done(self) except -1:
        """The end of a call: whether it was brought to its end."""
        cdef int end = identify_done(&self.s)
        if end == 2:
            raise MemoryError
        if end == 1 and OPTIMAL_LOAD(self.s.stop_flag):
            raise Stopped
        return end == 0

    def take_notes(self, bint wanted=True):
        """Whether to note, from now on, what is proven of sets that take long."""
        self.notes = []
        if wanted:
            self.s.note = keep_key_note
        else:
            self.s.note = NULL

    def noted(self):
        """What has been noted since it was last asked: (history, limit, value, exact, height, question, any). A history
        has pairs of question and code of the reply; ``any`` tells that 0 stands for any key."""
        found, self.notes = self.notes, []
        return found

    def learn(self, history, int limit, int64_t value, bint exact, int height, int question, bint any,
              int64_t purse=COST_INF):
        """Take over a note of an earlier search of the same table, within a ``purse`` for a whole path. ValueError where
        that can't be."""
        cdef entry_t e
        cdef const char *wrong
        if not 0 <= height <= NO_GUESS or not 0 <= question <= NO_GUESS or not history:
            raise ValueError("no such value is possible")
        self.check_limits(limit, purse)
        path = np.array(history, dtype=np.int32).reshape(-1, 2)
        cdef const int32_t[:] asked = np.ascontiguousarray(path[:, 0])
        cdef const int32_t[:] code = np.ascontiguousarray(path[:, 1])
        if path[:, 0].min() < 0 or path[:, 0].max() >= self.questions:
            raise ValueError("no such question is there")
        e.value, e.exact, e.height, e.guess = value, exact, <uint16_t>height, <uint16_t>question
        wrong = identify_learn(&self.s, &asked[0], &code[0], <int>asked.shape[0], limits_t(limit, purse), any, &e)
        self.ended()
        if wrong != NULL:
            raise ValueError(wrong.decode())

    cdef int check_limits(self, int limit, int64_t purse, int64_t budget=0) except -1:
        """Bounds are looked up by the questions that are left."""
        if limit < 0 or budget < 0 or not 0 <= purse <= COST_INF:
            raise ValueError("no such limits are possible: they are 0 or more, and a purse at most INFEASIBLE")
        return 0

    cdef int check(self, const int32_t[::1] kinds) except -1:
        """Kinds must be in their order: all else rests on that."""
        cdef int i
        if not kinds.shape[0] or kinds[0] < 0 or kinds[kinds.shape[0] - 1] >= self.kinds:
            raise IndexError(f"kinds are 0 .. {self.kinds - 1}")
        for i in range(1, <int>kinds.shape[0]):
            if kinds[i] <= kinds[i - 1]:
                raise IndexError("kinds are told in their order, each once")
        return 0

    def value(self, int limit=FREE, int64_t purse=COST_INF, int64_t budget=COST_INF, int64_t work=-1):
        """(value, whether the search came to its end) of all kinds. Where it didn't, a lower bound."""
        cdef found_t found
        self.check_limits(limit, purse, budget)
        self.s.work_left = work
        with nogil:
            found = identify_value(&self.s, self.s.root, self.s.all, self.kinds, limits_t(limit, purse), budget)
        return found.value, self.ended()

    cdef bint ended(self) except -1:
        """As `done`; but one that is stopped has a bound to tell of."""
        cdef int end = identify_done(&self.s)
        if end == 2:
            raise MemoryError
        return end == 0

    def opener(self, int question, int limit=FREE, int64_t purse=COST_INF, int64_t budget=COST_INF, int64_t work=-1):
        """(value, whether the search came to its end) of keys that begin with this question."""
        cdef int64_t found
        cdef int height
        self.check_limits(limit, purse, budget)
        if not 0 <= question < self.questions:
            raise IndexError(f"questions are 0 .. {self.questions - 1}")
        self.s.work_left, self.s.noting, self.s.first = work, True, question
        with nogil:
            found = identify_first(&self.s, self.s.root, self.s.all, self.kinds, &self.codes[question, 0],
                                   self.costs[question], limits_t(limit, purse), budget, &height)
        return found, self.ended()

    def bound(self, int question, int limit=FREE, int64_t purse=COST_INF):
        """A lower bound of keys that begin with this question, without a search."""
        cdef int64_t found
        cdef int height
        self.check_limits(limit, purse)
        if not 0 <= question < self.questions:
            raise IndexError(f"questions are 0 .. {self.questions - 1}")
        with nogil:
            found = identify_first(&self.s, self.s.root, self.s.all, self.kinds, &self.codes[question, 0],
                                   self.costs[question], limits_t(limit, purse), 0, &height)
        self.ended()
        return found

    def beam(self, int round, int width, int solved, int limit=FREE, int64_t purse=COST_INF, int64_t budget=COST_INF,
             int64_t work=-1):
        """The cost of the best key that a beam finds: one that tries ``width`` questions of sets of more than ``solved``
        groups, and all of smaller ones; INFEASIBLE where it finds none that costs less than the budget. `likely` leads
        through it as long as the round is the same."""
        cdef found_t found
        self.check_limits(limit, purse, budget)
        self.s.width, self.s.solved, self.s.salt, self.s.work_left = width, solved, round + 1, work
        with nogil:
            found = identify_value(&self.s, self.s.root, self.s.all, self.kinds, limits_t(limit, purse), budget)
        return found.value if self.ended() and found.value < budget else COST_INF

    def feasible(self, int limit=FREE, int64_t purse=COST_INF, int64_t work=-1, int opener=-1):
        """Whether there is a key within these limits, or one that begins with this question; None where the work didn't
        suffice."""
        cdef found_t found
        cdef int height
        self.check_limits(limit, purse)
        if not -1 <= opener < self.questions:
            raise IndexError(f"questions are 0 .. {self.questions - 1}")
        self.s.any, self.s.work_left, self.s.noting, self.s.first = True, work, True, opener
        with nogil:
            if opener < 0:
                found = identify_value(&self.s, self.s.root, self.s.all, self.kinds, limits_t(limit, purse), 1)
            else:
                found.value = identify_first(&self.s, self.s.root, self.s.all, self.kinds, &self.codes[opener, 0],
                                             self.costs[opener], limits_t(limit, purse), 1, &height)
        return found.value == 0 if self.ended() else None

    def grow(self, int limit=FREE, int64_t purse=COST_INF, int opener=-1, *, int round=-1, bint any=False,
             bint canonical=False):
        """(nodes, total, longest path, cost of the dearest) of a key that begins with the opener (-1: with what seems
        best); the nodes as `Key.of` takes them. Then it asks what seems best from what was found before: by the beams of
        this ``round``, or where it was asked whether there is ``any`` key; or it is the ``canonical`` one. None where
        that meets a set without a question within the limits. Only for a canonical key the stop flag is looked at: what
        was found is kept."""
        cdef int64_t *stop_flag = self.s.stop_flag
        cdef grown_t grown
        cdef bint found
        self.check_limits(limit, purse)
        if not -1 <= opener < self.questions:
            raise IndexError(f"questions are 0 .. {self.questions - 1}")
        if not canonical:
            self.s.stop_flag = NULL
        self.s.any = any
        self.s.width, self.s.solved, self.s.salt = round >= 0, 0, round + 1
        with nogil:
            found = identify_grow(&self.s, opener, canonical, limits_t(limit, purse), &grown)
        self.s.stop_flag = stop_flag
        nodes = [grown.node[i] for i in range(grown.nodes)] if found else []
        if canonical:
            self.done()
        else:
            self.ended()
        return (nodes, grown.total, grown.height, grown.dearest) if found else None

    def least(self, const int32_t[::1] kinds, int limit=FREE, int64_t purse=COST_INF):
        """The value of these kinds; INFEASIBLE where there is no key of them."""
        cdef found_t found
        self.check(kinds)
        self.check_limits(limit, purse)
        with nogil:
            found = identify_value(&self.s, self.s.root, &kinds[0], <int>kinds.shape[0], limits_t(limit, purse), COST_INF)
        self.done()
        return found.value

    def canonical(self, const int32_t[::1] kinds, int limit=FREE, int64_t purse=COST_INF):
        """(value, height, first question) of the canonical key of these kinds: -1 where nothing need be asked. INFEASIBLE
        where there is none."""
        cdef found_t found
        cdef int question
        self.check(kinds)
        self.check_limits(limit, purse)
        with nogil:
            question = identify_canonical(&self.s, &kinds[0], <int>kinds.shape[0], limits_t(limit, purse), &found)
        self.done()
        return found.value, found.height, question
