"""The canonical tree: which of all least-cost trees is stored.

Search stops at equality, so the trees that it finds depend on chance. The canonical tree is chosen afterwards: at every
position, with its guesses left, the guess of least (cost, height of its canonical tree, not a member, place in the
list). Every class of a least-cost tree is least itself, so heights compose, and the choice at a position depends on
nothing but what position_key holds: this table's keys are made by it too.
"""

from libc.stdint cimport int64_t

from optimal._search import Stopped

from optimal cimport headers
from optimal._beams cimport BeamSearch
from optimal.headers cimport (
    CHOOSE_GUESS,
    COST_INF,
    FREE,
    SETTLED,
    arena_mark,
    arena_mark_t,
    arena_release,
    cost_trivial,
    cost_weight,
    entry_t,
    frame_t,
    guard_depth,
    guesses_before_last,
    guesses_that_bind,
    key128,
    node_list_least,
    node_split,
    node_t,
    offer_choose,
    offer_t,
    offer_too_high,
    one_less,
    partition_t,
    position_key,
    position_t,
    recall,
    restrict_position,
    shared_find,
    shared_store,
    split,
    sum_table_bounds,
    table_find,
    table_free,
    table_init,
    table_store,
    NO_GUESS,
)

cdef enum:
    CANONICAL_SLOTS = 1 << 20 # at most, and a quarter of those of the table of values
    LIKELY_MOST = 12          # larger positions are not searched for a likely tree
    LIKELY_LOOKS = 60         # no more than so many looks at the stop flag, less than a second, go into the others
    LIKELY_SOLVED = 40        # while half of them are left, positions up to this size have a look each


include "failing.pxi"


cdef class CanonicalSearch(BeamSearch):
    """A BeamSearch that finds the canonical tree from there on."""

    def __init__(self, *arguments, **options):
        cdef size_t most
        BeamSearch.__init__(self, *arguments, **options)
        most = min(<size_t>CANONICAL_SLOTS, self.s.table.max_slots // 4)
        if table_init(&self.canonical, 1024, most) < 0:
            raise MemoryError

    def __dealloc__(self):
        table_free(&self.canonical)

    cdef int small_guess(self, const position_t *P) noexcept nogil:
        """The guess for one answer or two: a member first, since no other guess finds two answers as soon; the heavier
        of two, the earlier in the list if they weigh the same."""
        cdef int first = self.s.game.answer_guess[P.answers[0]], second
        cdef int64_t weight, other
        if P.n == 1:
            return first
        second = self.s.game.answer_guess[P.answers[1]]
        weight = cost_weight(&self.s.costs, P.answers[0])
        other = cost_weight(&self.s.costs, P.answers[1])
        if weight != other:
            return first if weight > other else second
        return min(first, second)

    cdef int canon(self, const position_t *P, int d, int *height) noexcept nogil:
        """The guess of P's canonical tree and that tree's height; -1 if infeasible or stopped.

        Only guesses whose bound is not above V can be least; each is valued with the budget V + 1, mostly from the
        table. A guess whose tree can't be lower than the best seen is dropped at its first class that is as high.
        Members come first, then the list order, and only a strictly lower tree displaces an earlier guess.
        """
        cdef int i, h = 0, lowest = FREE + 1, place = 0, least
        cdef key128 key
        cdef entry_t known
        cdef node_t N
        cdef offer_t offer
        cdef int64_t V
        if P.n <= 2:
            height[0] = P.n
            return self.small_guess(P) if d >= P.n else -1
        d = guesses_that_bind(P, d)
        key = position_key(&self.s, P, d)
        if self.chosen(key, &known):
            height[0] = known.height
            return known.guess
        guard_depth(&self.s, 0)
        V = self.value(P, d, COST_INF, &h)
        if V >= COST_INF or self.s.stopped or node_list_least(&self.s, &N, P, d, V) == SETTLED:
            return -1
        # Two levels mean that all classes are singletons, which costs 2n at most where all answers cost the same.
        least = 3 if self.s.costs.unit and V > 2 * P.n else 2
        if self.team is not None and P.n >= self.team.t.least:
            offer.value = V
            offer.least = least
            offer.lowest = lowest
            offer.place = place
            self.share(&offer, &N, CHOOSE_GUESS, 0, N.listed)
            lowest = offer.lowest
            place = offer.place
        else:
            for i in range(N.listed):
                h = self.canon_guess(&N, i, V, lowest - 1)
                if h < lowest - 1:
                    lowest = h + 1
                    place = i
                if lowest <= least or self.s.stopped:
                    break
        arena_release(&self.s.arena, N.mark)
        if self.s.stopped or lowest > FREE:  # no guess attains V: the replay of the tree would say so, too
            return -1
        self.choose(key, P.n, V, lowest, N.list[place].guess)
        height[0] = lowest
        return N.list[place].guess

    cdef int canon_guess(self, const node_t *N, int place, int64_t V, int most) noexcept nogil:
        """The canonical height of the classes of a guess on the list; `most` or more if that isn't below it, or the
        guess costs more than V."""
        cdef arena_mark_t inner = arena_mark(&self.s.arena)
        cdef partition_t p
        cdef int64_t v
        cdef int h = 0, tallest = FREE
        if node_split(&self.s, N, &N.list[place], &p) < 0:
            return FREE
        v = sum_table_bounds(&self.s, &N.legal, &p, N.left, N.class_least, V + 1, &h)
        if v <= V and not h:
            v = self.finish(&p, v, N.left, V + 1, &h)
        if v == V and not self.s.stopped:
            tallest = self.canon_height(&p, N.left, most)
        arena_release(&self.s.arena, inner)
        return FREE if self.s.stopped else tallest

    cdef void take_part(self, offer_t *o, node_t *M, int first, int upto) noexcept nogil:
        cdef int i, h, most
        if o.kind != CHOOSE_GUESS:
            BeamSearch.take_part(self, o, M, first, upto)
            return
        for i in range(first, upto):
            most = offer_too_high(&self.team.t, o, i)
            h = self.canon_guess(M, i, o.value, most)
            if h < most:
                offer_choose(&self.team.t, o, i, h + 1)

    cdef bint chosen(self, key128 key, entry_t *out) noexcept nogil:
        """Look up the canonical guess of a position."""
        cdef entry_t *e
        if self.team is not None:
            return shared_find(&self.team.t.canonical, key, out)
        e = table_find(&self.canonical, key)
        if e != NULL:
            out[0] = e[0]
        return e != NULL

    cdef void choose(self, key128 key, int n, int64_t V, int height, int guess) noexcept nogil:
        """Store it."""
        if self.team is not None:
            shared_store(&self.team.t.canonical, key, V, 1, height, guess, 1, n)
        else:
            table_store(&self.canonical, key, V, 1, height, guess, 1, n)

    cdef int canon_height(self, partition_t *p, int d, int most) noexcept nogil:
        """The greatest canonical height of the classes; gives up at `most`, which is no better than known. FREE where a
        class has no tree."""
        cdef int i, h = 0, tallest = 0
        self.s.level += 1
        for i in range(p.classes):
            if self.canon(&p.position[i], d, &h) < 0:
                tallest = FREE
                break
            if h > tallest:
                tallest = h
                if tallest >= most:
                    break
        self.s.level -= 1
        return tallest

    def best(self, int max_guesses, int64_t budget=COST_INF):
        """(cost, guess, height) of the canonical tree from here on; guess -1 and a lower bound if cost >= budget.

        Raises Stopped, MemoryError or RecursionError when it can't be finished; so do the methods below.
        """
        cdef int h = 0, guess = -1
        cdef int64_t v
        cdef const position_t *P = &self.start
        with nogil:
            v = cost_trivial(&self.s.costs, P.answers, P.n, max_guesses, P.depth)
            if P.n > 2 and v < COST_INF:
                v = self.value(P, max_guesses, min(budget, COST_INF), &h)
            if v < budget and v < COST_INF and not self.s.stopped:
                guess = self.canon(P, max_guesses, &h)
        self.done()
        return v, guess, h

    def opener_height(self, int guess, int max_guesses):
        """Height of the canonical tree among the least-cost trees that go on with `guess`."""
        cdef partition_t p
        cdef int h = 0
        self.check_guess(guess)
        with nogil:
            if split(&self.s, &self.start, guess, &p) >= 0:
                h = self.canon_height(&p, one_less(max_guesses), FREE)
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
            found = self.subtree(&self.start, guess, max_guesses, canonical)
        finally:
            self.done()
        return found

    cdef int likely_guess(self, const position_t *P, int d) noexcept nogil:
        """A guess that the tables say is best, or one that probably is good; -1 where there is none."""
        cdef const entry_t *e
        cdef key128 key = position_key(&self.s, P, d)
        cdef int h = 0, guess = self.exact_guess(P, d)
        if guess < 0 and LIKELY_MOST < P.n <= LIKELY_SOLVED and self.s.looks_left > LIKELY_LOOKS // 2:
            # What was exact may have been lost since, and older plans cost more.
            self.briefly(P, d, COST_INF, 1, &h)
            guess = self.exact_guess(P, d)
        if guess >= 0:
            return guess
        if P.n > LIKELY_MOST:
            if table_find(&self.plans, key) == NULL:
                self.beam(P, d, self.round, COST_INF, &h)    # as it was found, if it was
            e = table_find(&self.plans, key)
            if e != NULL:
                return -1 if e.value >= COST_INF else e.guess
        return self.canon(P, d, &h)

    cdef int exact_guess(self, const position_t *P, int d) noexcept nogil:
        """A guess that a least tree of P within d guesses begins with, by the tables; -1 if they know none."""
        cdef const entry_t *e = recall(&self.s, position_key(&self.s, P, FREE), P.n)
        if e == NULL or not e.exact or e.height > d:
            e = recall(&self.s, position_key(&self.s, P, d), P.n)
        return e.guess if e != NULL and e.exact and e.guess != NO_GUESS else -1

    cdef object subtree(self, const position_t *P, int guess, int d, bint canonical):
        cdef partition_t p
        cdef position_t legal = P[0]
        cdef frame_t frame
        cdef int i, best, h = 0, left = one_less(d)
        cdef arena_mark_t mark = arena_mark(&self.s.arena)
        children = {}
        if d < 1:
            raise ValueError("no tree within the limit")
        guard_depth(&self.s, guesses_before_last(&self.s, P.n))
        if self.s.stopped or (P.n > 2 and restrict_position(&self.s, P, &legal, &frame) < 0) \
                or split(&self.s, &legal, guess, &p) < 0:
            self.done()
        self.s.level += 1
        for i in range(p.classes):
            with nogil:
                best = self.canon(&p.position[i], left, &h) if canonical else self.likely_guess(&p.position[i], left)
            if self.s.stopped:
                self.done()
            if best < 0:
                raise ValueError("no tree within the limit")
            children[p.position[i].code] = self.subtree(&p.position[i], best, left, canonical)
        self.s.level -= 1
        arena_release(&self.s.arena, mark)
        return guess, children
