"""Searches from a position in the middle of a game: the guesses made, and their feedback."""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memset

import numpy as np

from optimal cimport headers
from optimal._team cimport TeamSearch
from optimal.headers cimport (
    BLOCK,
    COST_INF,
    HARD,
    NORMAL,
    ULTRA_HARD,
    arena_mark,
    bound_t,
    cost_trivial,
    count_bound,
    frame_t,
    game_ask,
    game_code,
    game_symbols,
    hints_key,
    needs_key,
    position_start,
    position_t,
    restrict_position,
    set_key,
    take,
)


include "failing.pxi"


cdef class PositionSearch(TeamSearch):
    """A TeamSearch of one position: that after ``history``, the guesses made so far with their feedback codes.

    Raises ValueError if no answer fits them; for other arguments and errors see Searcher.
    """

    def __init__(self, tables, control, weights=None, int by=-1, int64_t late=0, history=(), **options):
        TeamSearch.__init__(self, tables, control, weights, by, late, **options)
        self.history = tuple((int(guess), int(code)) for guess, code in history)
        self.begin()

    cdef int begin(self) except -1:
        """Build the positions at the bottom of the arena, where they stay."""
        cdef position_t P
        cdef position_t legal
        cdef position_t *before
        cdef frame_t *frame
        cdef int32_t *left
        cdef int i, m, guess, code, n = self.tables.answers, words = self.tables.game.feature_words + 1
        cdef int32_t *everything = <int32_t *>take(&self.s, n * sizeof(int32_t))
        cdef uint64_t *nothing = <uint64_t *>take(&self.s, words * sizeof(uint64_t))
        cdef uint64_t *needs = <uint64_t *>take(&self.s, words * sizeof(uint64_t))
        if everything == NULL or nothing == NULL or needs == NULL:
            self.done()
        for i in range(n):
            everything[i] = i
        memset(nothing, 0, words * sizeof(uint64_t))
        memset(needs, 0, words * sizeof(uint64_t))
        self.whole = position_start(self.s.game, everything, nothing)
        P = self.whole
        P.needs = needs
        for step, (guess, code) in enumerate(self.history):
            self.check_guess(guess)
            left = <int32_t *>take(&self.s, P.n * sizeof(int32_t))
            frame = <frame_t *>take(&self.s, sizeof(frame_t))
            before = <position_t *>take(&self.s, sizeof(position_t))
            if left == NULL or frame == NULL or before == NULL:
                self.done()
            before[0] = P
            P.before = before
            m = 0
            for i in range(P.n):
                if game_code(self.s.game, guess, P.answers[i]) == code:
                    left[m] = P.answers[i]
                    m += 1
            if m == 0 or code == self.tables.winning_code:
                raise ValueError(f"no answer is left after feedback {code} of guess {guess}")
            P.answers = left
            P.n = m
            P.guess = guess
            P.code = code
            P.depth = step + 1
            P.used |= game_symbols(self.s.game, guess)
            if self.tables.rules == HARD:
                game_ask(self.s.game, guess, code, needs)
            elif self.tables.rules == ULTRA_HARD:
                P.past = hints_key(P.past, guess, code)
            # Under ultra-hard rules every hint narrows the frame; under hard rules the last sees to all of them.
            P.strict = self.tables.rules == ULTRA_HARD or (
                self.tables.rules == HARD and step == len(self.history) - 1)
            if restrict_position(&self.s, &P, &legal, frame) < 0:
                self.done()
            P = legal
        if self.tables.rules == HARD:
            P.past = needs_key(self.s.game, needs)
        P.set = set_key(self.s.game, P.answers, P.n)
        self.start = P
        self.bottom = arena_mark(&self.s.arena)
        return 0

    @property
    def candidates(self):
        """The answers still possible, as rising indices (int32)."""
        return np.array([self.start.answers[i] for i in range(self.start.n)], dtype=np.int32)

    def legal_guesses(self):
        """The guesses that the rules allow here, as rising indices (int32)."""
        cdef const frame_t *f = self.start.frame
        return np.sort(np.array([f.guess[i] for i in range(f.blocks * BLOCK) if f.guess[i] >= 0], dtype=np.int32))

    def lower_bound(self, int max_guesses):
        """A lower bound of every tree from here on, by one count of the classes of all legal guesses, or the trivial one
        once the stop flag is set."""
        cdef bound_t b
        cdef const position_t *P = &self.start
        b.low = cost_trivial(&self.s.costs, P.answers, P.n, max_guesses, P.depth)
        if P.n > 2 and b.low < COST_INF:
            with nogil:
                b = count_bound(&self.s, P, max_guesses, COST_INF)
        self.done_with_bounds()
        return b.low

    def feasible(self, const int32_t[::1] answers, int max_guesses):
        """Whether some tree finds all these answers within so many guesses, every guess being allowed (normal rules).

        Raises ValueError under other rules and in games with symmetries, where the past matters; Stopped, MemoryError
        or RecursionError when it can't be finished.
        """
        cdef int64_t v
        cdef int h = 0
        cdef position_t P = self.whole
        if self.tables.rules != NORMAL or self.tables.game.symmetric:
            raise ValueError("feasible is for normal rules without symmetries")
        if not answers.shape[0]:
            return True
        P.answers = &answers[0]
        P.n = <int>answers.shape[0]
        P.set = set_key(self.s.game, P.answers, P.n)
        v = cost_trivial(&self.s.costs, P.answers, P.n, max_guesses, 0)
        if P.n > 2 and v < COST_INF:
            self.s.feasibility_only = True
            with nogil:
                v = self.value(&P, max_guesses, COST_INF, &h)
        self.done()
        return v < COST_INF
