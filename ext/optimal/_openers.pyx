"""The root of the search: guesses at a given position, openers whose classes share bounds, the canonical tree."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport qsort
from libc.string cimport memset

import numpy as np

from optimal._board cimport *
from optimal._search cimport *
from optimal._search import Stopped
from optimal._supersets cimport Superset, Supersets

cdef enum:
    EARLY_LEAST = 24          # classes of these sizes gain most for their time when an opener is refuted
    EARLY_MOST = 79

one_hot_init()


cdef class OpenerSearch(Searcher):
    """A Searcher that values the guesses at one position, finds canonical trees from there on and, at the start of
    the game, refutes openers with the help of measured supersets.

    ``history`` is the guesses made so far with their feedback codes; raises ValueError if no answer fits it.
    """

    def __init__(self, Board board, Control control, Supersets supersets=None, history=(), **options):
        Searcher.__init__(self, board, control, **options)
        self.supersets = supersets
        self.history = tuple((int(guess), int(code)) for guess, code in history)
        self.has_supersets = supersets is not None and not self.history
        if table_init(&self.canonical, 1024, 1 << 20) < 0:
            raise MemoryError
        self.begin()

    cdef int begin(self) except -1:
        """Build the start position at the bottom of the arena, where it stays."""
        cdef Position P
        cdef Position legal
        cdef Position *before
        cdef Frame *frame
        cdef int32_t *left
        cdef uint64_t *needs
        cdef int i, m, guess, code, words = self.board.feature_words
        self.whole(&P)
        needs = <uint64_t *>P.needs
        for step, (guess, code) in enumerate(self.history):
            self.check_guess(guess)
            left = <int32_t *>self.take(P.n * sizeof(int32_t))
            frame = <Frame *>self.take(sizeof(Frame))
            before = <Position *>self.take(sizeof(Position))
            if left == NULL or frame == NULL or before == NULL:
                self.check_stopped()
            before[0] = P
            P.before = before
            m = 0
            for i in range(P.n):
                if self.board.code(guess, P.answers[i]) == code:
                    left[m] = P.answers[i]
                    m += 1
            if m == 0 or code == self.board.winning_code:
                raise ValueError(f"no answer is left after feedback {code} of guess {guess}")
            P.answers = left
            P.n = m
            P.guess = guess
            P.code = code
            P.depth = step + 1
            P.used |= self.board.symbols_of(guess)
            if self.rules == HARD:
                self.board.ask(guess, code, needs)
            elif self.rules == ULTRA_HARD:
                P.past = mixed(P.past, (<uint64_t>guess << 20) + code)
            # Under ultra-hard rules every hint narrows the frame; under hard rules the last sees to all of them.
            P.strict = self.rules == ULTRA_HARD or (self.rules == HARD and step == len(self.history) - 1)
            if self.restrict(&P, &legal, frame) < 0:
                self.check_stopped()
            P = legal
        P.set = self.set_key(P.answers, P.n)
        P.key = P.set
        for i in range(words):
            if needs[i]:
                P.key = mixed(P.key, needs[i] * 0xd6e8feb86659fd93ULL + i)
        P.key.lo += P.past.lo
        P.key.hi += P.past.hi
        self.start = P
        return 0

    cdef int check_stopped(self) except -1:
        """As Searcher.check_stopped, with the start position built anew."""
        try:
            Searcher.check_stopped(self)
        except (Stopped, RecursionError):
            self.begin()
            raise
        return 0

    # ------------------------------------------------------------------ the position

    @property
    def candidates(self):
        """The answers still possible, as rising indices (int32)."""
        return np.array([self.start.answers[i] for i in range(self.start.n)], dtype=np.int32)

    def legal_guesses(self):
        """The guesses that the rules allow here, as rising indices (int32)."""
        cdef const Frame *f = self.start.frame
        return np.sort(np.array([f.guess[i] for i in range(f.blocks * BLOCK) if f.guess[i] >= 0], dtype=np.int32))

    def __dealloc__(self):
        table_free(&self.canonical)

    # ------------------------------------------------------------------ openers

    def opener(self, int guess, int max_guesses, int64_t budget):
        """(total, height) of the best tree that goes on with `guess`: exact if total < budget, else a lower bound.

        ``max_guesses`` counts from here on. The guess must be legal. Raises Stopped, MemoryError or RecursionError when it can't be finished.
        """
        cdef int64_t v = 0
        cdef int h = 0
        cdef arena_mark_t mark = arena_mark(&self.arena)
        self.check_guess(guess)
        with nogil:
            v = self.open_with(&self.start, guess, max_guesses, min(budget, INF), &h)
        self.check_stopped()
        arena_release(&self.arena, mark)
        return v, h

    def feasible(self, const int32_t[::1] answers, int max_guesses):
        """Whether some tree finds all these answers within so many guesses, every guess being allowed (normal rules).

        Raises ValueError under other rules and in games with symmetries, where the past matters.
        """
        cdef int64_t v = INF
        cdef int h = 0, n = <int>answers.shape[0]
        cdef Position P
        cdef arena_mark_t mark = arena_mark(&self.arena)
        if self.rules != NORMAL or self.board.symmetric:
            raise ValueError("feasible is for normal rules without symmetries")
        self.whole(&P)
        P.answers = &answers[0]
        P.n = n
        P.set = self.set_key(P.answers, n)
        P.key = P.set
        self.any_tree = True
        with nogil:
            if n <= 2:
                v = self.floor(&P, max_guesses)
            else:
                v = self.value(&P, max_guesses, INF, &h)
        self.any_tree = False
        self.check_stopped()
        arena_release(&self.arena, mark)
        return v < INF

    def quick_bound(self, int guess, int max_guesses):
        """A lower bound of an opener's total that needs no counting."""
        cdef int64_t v = INF
        cdef Partition p
        cdef int32_t *near
        cdef arena_mark_t mark = arena_mark(&self.arena)
        self.check_guess(guess)
        with nogil:
            if self.split(&self.start, guess, &p) >= 0:
                near = <int32_t *>self.take((p.classes + 1) * sizeof(int32_t))
                if near != NULL:
                    v = self.free_bounds(guess, &p, near, max_guesses - 1 if max_guesses < FREE else FREE)
        self.check_stopped()
        arena_release(&self.arena, mark)
        return v

    cdef int64_t open_with(self, const Position *P, int guess, int d, int64_t budget, int *height) noexcept nogil:
        cdef Partition p
        cdef int i, h = 0, left = d - 1 if d < FREE else FREE
        cdef int64_t total, low
        cdef int32_t *near
        if self.split(P, guess, &p) < 0:
            return budget
        near = <int32_t *>self.take((p.classes + 1) * sizeof(int32_t))
        if near == NULL:
            return budget
        # Step 1: what needs no counting.
        total = self.free_bounds(guess, &p, near, left)
        # Step 2: the count bound of the larger classes, by the guess lists of the sets that contain them.
        for i in range(p.classes - 1, -1, -1):
            if total >= budget:
                return total
            if near[i] >= 0:
                total += self.near_bound(&p, i, &self.supersets.sets[near[i]], left)
        # Step 3: the rest by their members.
        for i in range(p.classes):
            if total >= budget:
                return total
            if not p.exact[i] and not p.counted[i]:
                low = self.cheap(&p.position[i], left, &p.exact[i], &p.height[i], &p.counted[i])
                if low >= INF:
                    return INF
                total += raise_low(&p, i, low)
        # Step 4: count bounds, then search: first the classes that raise the sum most for their time. Where rules
        # or the limit may leave a class without a tree, small classes first show that sooner.
        total = self.raise_bounds(&p, total, left, budget)
        if budget < INF and self.rules == NORMAL:
            total = self.search_classes(&p, total, left, budget, EARLY_LEAST, EARLY_MOST)
        return self.finish(&p, total, left, budget, height)

    cdef int64_t free_bounds(self, int guess, Partition *p, int32_t *near, int d) noexcept nogil:
        """Fill p.low with bounds that need no counting and `near` with the smallest measured superset of each
        class (-1: none); returns n + the sum of p.low.

        No guess has more classes on a subset, so with D the most classes of any guess on a superset of B,
        V(B) >= 3n - D - 1, under every rule: rules only take guesses away.
        """
        cdef int64_t total = self.start.n, low
        cdef int i, j, s, k, size, n = self.board.answers, most = self.board.cap[0]
        cdef key128 part[256]
        cdef int32_t index[256]
        cdef key128 *plain
        cdef const uint8_t *column = self.board.codes + <size_t>guess * n   # supersets have codes of one byte
        for i in range(p.classes):
            size = p.position[i].n
            p.exact[i] = size <= 2
            p.height[i] = <uint16_t>min(size, 2)
            p.counted[i] = 0
            p.low[i] = 2 * size - 1
            if self.switches & COUNTS and 3 * size - most - 1 > p.low[i]:
                p.low[i] = 3 * size - most - 1
            if d < 2 and size > d:
                return INF
            near[i] = -1
        if self.has_supersets:
            plain = <key128 *>self.take((p.classes + 1) * sizeof(key128))
            if plain == NULL:
                return total
            for i in range(p.classes):
                size = p.position[i].n
                plain[i] = p.position[i].set if size > 2 else self.set_key(p.position[i].answers, size)
            j = self.board.answer_of[guess]
            for s in range(self.supersets.subsets):
                memset(part, 0, sizeof(part))
                memset(index, -1, sizeof(index))
                for i in range(p.classes):
                    k = self.supersets.project[s, column[p.position[i].answers[0]]]
                    part[k].lo += plain[i].lo
                    part[k].hi += plain[i].hi
                if j >= 0:
                    k = self.supersets.project[s, self.board.winning_code]
                    part[k].lo += self.board.zobrist[j, 0]
                    part[k].hi += self.board.zobrist[j, 1]
                for i in range(p.classes - 1, -1, -1):
                    size = p.position[i].n
                    if size < self.supersets.least:
                        break
                    k = self.supersets.project[s, column[p.position[i].answers[0]]]
                    if index[k] == -1:
                        index[k] = self.supersets.find(part[k])
                        if index[k] < 0 or self.supersets.sets[index[k]].guesses == NULL:
                            index[k] = -2
                    if index[k] >= 0:
                        low = 3 * size - self.supersets.sets[index[k]].most - 1
                        if low > p.low[i]:
                            p.low[i] = low
                        if near[i] < 0 or self.supersets.sets[index[k]].size < self.supersets.sets[near[i]].size:
                            near[i] = index[k]
        for i in range(p.classes):
            total += p.low[i]
        return total

    cdef int64_t near_bound(self, Partition *p, int c, const Superset *s, int d) noexcept nogil:
        """The count bound of class c by the guess list of a superset; returns by how much p.low rose.

        The list falls by count on the superset, which bounds the count on the class: once that is no better than
        the best count found, no later guess can be better. Past its end the tail bounds the rest. The list holds
        illegal guesses too: they are passed over.
        """
        cdef const int32_t *B = p.position[c].answers
        cdef int i, j, n = p.position[c].n, step, best = 0
        cdef uint16_t counts[64]
        cdef int32_t guesses[16]
        self.look()
        self.count_calls += 1
        best = self.best_member(&p.position[c]) + 1
        if self.switches & SPLITS and (best == n + 1 or (best == n and d >= 3)):     # see Searcher.cheap
            p.exact[c] = 1
            p.height[c] = <uint16_t>(n + 3 - best)
            return raise_low(p, c, 3 * n - best)
        i = 0
        while i < s.listed and s.counts[i] > best:
            step = 0
            while step < 16 and i < s.listed:
                if self.rules == NORMAL or self.allows(&p.position[c], s.guesses[i]):
                    guesses[step] = s.guesses[i]
                    step += 1
                i += 1
            count_list(self.board.codes, 1, self.board.answers, guesses, step, B, n, NULL, counts)
            for j in range(step):
                if counts[j] > best:
                    best = counts[j]
        p.counted[c] = 1
        if i >= s.listed and s.tail > best:
            best = s.tail
            p.counted[c] = 0
        return raise_low(p, c, 3 * n - best)

    cdef bint allows(self, const Position *P, int guess) noexcept nogil:
        """Whether a guess is legal at a class of an opener."""
        cdef const uint64_t *has
        cdef int w
        if self.rules == ULTRA_HARD:
            return self.board.reply(P.guess, guess) == P.code
        if self.rules == HARD:
            has = self.board.feature_row + <size_t>guess * self.board.feature_words
            for w in range(self.board.feature_words):
                if P.needs[w] & ~has[w]:
                    return False
        return True

    # ------------------------------------------------------------------ the canonical tree

    cdef int canon(self, const Position *P, int d, int *height) noexcept nogil:
        """The guess of P's canonical tree and that tree's height; -1 if infeasible or stopped.

        Among the guesses of least total it is the one whose tree is lowest, a candidate before others, then the
        first in list order. Every class of a least-total tree is least itself, so heights compose.
        """
        cdef int n = P.n, i, j, m = 0, h = 0, tallest = FREE + 1, least, floor, done, top = 0, best = -1
        cdef int left = d - 1 if d < FREE else FREE
        cdef const int32_t *B = P.answers
        cdef const Frame *f
        cdef key128 own
        cdef entry_t *e
        cdef arena_mark_t mark, inner
        cdef Partition p
        cdef Position legal
        cdef Symmetries same
        cdef Frame restricted
        cdef Frame own_frame
        cdef Candidate *found
        cdef uint16_t *counts
        cdef uint16_t *member_k
        cdef int64_t V, v
        if n <= 2:
            height[0] = n
            return self.small_guess(P) if d >= n else -1
        if d > n:
            d = FREE                     # see Searcher.value
            left = FREE
        own = with_depth(P.key, d)
        e = table_find(&self.canonical, own)
        if e != NULL:
            height[0] = e.height
            return <int>e.value
        V = self.value(P, d, INF, &h)
        if V >= INF or self.stopped:
            return -1
        mark = arena_mark(&self.arena)
        member_k = <uint16_t *>self.take(n * sizeof(uint16_t))
        if member_k == NULL or self.restrict(P, &legal, &restricted) < 0:
            return -1
        f = legal.frame
        counts = <uint16_t *>self.take(f.blocks * BLOCK * sizeof(uint16_t))
        if counts == NULL:
            return -1
        for i in range(0, n, 64):
            self.members(B + i, min(64, n - i), B, n, member_k + i)
        # Only guesses that may cost as little as V can be least. What a guess costs at least falls with its count.
        floor = 1
        while floor < n and self.least_with(P, floor + 1, -1) > V:
            floor += 1
        done = self.count(f, B, n, 0, floor, False, n + 1, &top, counts)
        self.mark_members(B, n)
        found = <Candidate *>self.take((n + done * BLOCK) * sizeof(Candidate))
        if found == NULL or self.symmetries(P, &same) < 0:
            return -1
        for i in range(n):
            if self.least_with(P, member_k[i], B[i]) <= V and not self.repeats(P, &same, self.board.answer_guess[B[i]]):
                found[m].low = 0
                found[m].order = self.board.answer_guess[B[i]]
                m += 1
        for i in range(done * BLOCK):
            if counts[i] > floor and not self.repeats(P, &same, f.guess[i]):
                j = self.board.answer_of[f.guess[i]]
                if j < 0 or self.stamp[j] != self.stamp_now:
                    found[m].low = 1
                    found[m].order = f.guess[i]
                    m += 1
        qsort(found, m, sizeof(Candidate), by_low)
        if n >= FRAME_LEAST and self.switches & FRAMES:
            if self.compact(f, B, n, &done, counts, &own_frame) < 0:
                return -1
            legal.frame = &own_frame
        least = self.least_height(P, V)
        for i in range(m):
            inner = arena_mark(&self.arena)
            if self.split(&legal, found[i].order, &p) < 0:
                return -1
            v = self.cheap_sum(&legal, &p, left, V + 1, &h)
            if v <= V and not h:
                v = self.finish(&p, v, left, V + 1, &h)
            if self.stopped:
                return -1
            if v == V:
                h = self.canon_height(&p, left, tallest - 1)
                if self.stopped:
                    return -1
                if h + 1 < tallest:
                    tallest = h + 1
                    best = found[i].order
            arena_release(&self.arena, inner)
            if tallest <= least:
                break
        arena_release(&self.arena, mark)
        table_store(&self.canonical, own, best, 1, tallest, 1, n)
        height[0] = tallest
        return best

    cdef int small_guess(self, const Position *P) noexcept nogil:
        """The guess for one answer or two: a member first, since no other guess finds two answers in 3."""
        cdef int guess = self.board.answer_guess[P.answers[0]]
        return guess if P.n == 1 else min(guess, self.board.answer_guess[P.answers[1]])

    cdef int least_height(self, const Position *P, int64_t V) noexcept nogil:
        """What the height of a tree of total V can't be below, n >= 3: two levels mean that all classes are
        singletons, which costs 2n - 1 or 2n."""
        return 2 if V <= 2 * P.n else 3

    cdef int canon_height(self, Partition *p, int d, int most) noexcept nogil:
        """The greatest canonical height of the classes; gives up at `most`, which is no better than known."""
        cdef int i, h = 0, tallest = 0
        for i in range(p.classes):
            if self.canon(&p.position[i], d, &h) < 0:
                return FREE
            if h > tallest:
                tallest = h
                if tallest >= most:
                    break
        return tallest

    def best(self, int max_guesses, int64_t budget=INF):
        """(total, guess, height) of the canonical tree from here on; guess -1 and a lower bound if total >= budget."""
        cdef int h = 0, guess = -1, n = self.start.n
        cdef int64_t v
        cdef arena_mark_t mark = arena_mark(&self.arena)
        with nogil:
            if n <= 2:
                v = self.floor(&self.start, max_guesses)
            else:
                v = self.value(&self.start, max_guesses, min(budget, INF), &h)
            if v < budget and not self.stopped:
                guess = self.canon(&self.start, max_guesses, &h)
        self.check_stopped()
        arena_release(&self.arena, mark)
        return v, guess, h

    def lower_bound(self, int max_guesses):
        """A lower bound of every tree from here on, by one count of the classes of all legal guesses."""
        cdef uint8_t exact = 0, counted = 0
        cdef uint16_t height = 0
        cdef int64_t v
        cdef arena_mark_t mark = arena_mark(&self.arena)
        with nogil:
            if self.start.n <= 2:
                v = self.floor(&self.start, max_guesses)
            elif max_guesses < 2:
                v = INF
            else:
                v = self.bound(&self.start, max_guesses, INF, &exact, &height, &counted)
        self.check_stopped()
        arena_release(&self.arena, mark)
        return v

    def opener_height(self, int guess, int max_guesses):
        """Height of the canonical tree among the least-total trees that open with `guess`."""
        cdef Partition p
        cdef int h = 0
        cdef arena_mark_t mark = arena_mark(&self.arena)
        self.check_guess(guess)
        with nogil:
            if self.split(&self.start, guess, &p) >= 0:
                h = self.canon_height(&p, max_guesses - 1 if max_guesses < FREE else FREE, FREE)
        self.check_stopped()
        arena_release(&self.arena, mark)
        return h + 1

    def tree(self, int guess, int max_guesses):
        """The canonical tree that opens with `guess`, as nested lists [guess, wins, {code: subtree}].

        `wins` tells whether the guess may be the answer there.
        """
        cdef arena_mark_t mark = arena_mark(&self.arena)
        self.check_guess(guess)
        found = self.subtree(&self.start, guess, max_guesses)
        arena_release(&self.arena, mark)
        return found

    cdef object subtree(self, const Position *P, int guess, int d):
        cdef Partition p
        cdef Position legal
        cdef Frame frame
        cdef int i, best, h = 0, left = d - 1 if d < FREE else FREE
        cdef arena_mark_t mark = arena_mark(&self.arena)
        children = {}
        if P.n > 2:
            if self.restrict(P, &legal, &frame) < 0:
                self.check_stopped()
        else:
            legal = P[0]
        if self.split(&legal, guess, &p) < 0:
            self.check_stopped()
        wins = P.n > sum([p.position[i].n for i in range(p.classes)])
        for i in range(p.classes):
            with nogil:
                best = self.canon(&p.position[i], left, &h)
            self.check_stopped()
            if best < 0:
                raise ValueError("no tree within the limit")
            children[p.position[i].code] = self.subtree(&p.position[i], best, left)
        arena_release(&self.arena, mark)
        return [guess, wins, children]
