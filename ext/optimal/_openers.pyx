"""Openers: first guesses from a position, refuted at the start of the game with the help of measured supersets.

An opener's cost is what it costs itself + the sum over its classes. Bounds rise in steps, and the opener is refuted at
the first sum that reaches the budget.
"""

from libc.stdint cimport int32_t, int64_t, uint16_t, uint64_t
from libc.string cimport memset

from optimal cimport headers
from optimal._canonical cimport CanonicalSearch
from optimal._supersets cimport Supersets
from optimal.headers cimport (
    COST_INF,
    COUNTS,
    EARLY_LEAST,
    EARLY_MOST,
    EVEN_LEAST,
    FREE,
    MEMBERS,
    MEMBERS_MOST,
    NORMAL,
    NOTE_LOOKS,
    NO_GUESS,
    WHOLE,
    best_member,
    bound_t,
    class_settled,
    cost_trivial,
    count_list,
    even_budget,
    frame_t,
    game_code,
    guard_depth,
    guess_key,
    is_legal,
    key128,
    list_t,
    one_less,
    partition_t,
    position_key,
    position_t,
    raise_low,
    remember,
    restrict_position,
    search_t,
    set_key,
    split,
    sum_count_bounds,
    sum_table_bounds,
    sum_trivial,
    table_bound,
    take,
    take_bound,
    value_by_members,
    worked,
)


include "failing.pxi"


cdef class OpenerSearch(CanonicalSearch):
    """A CanonicalSearch that values the guesses at its position, one after the other.

    ``supersets`` help at the start of the game, with unit costs; elsewhere they are left aside. For other arguments and
    errors see PositionSearch.
    """

    def __init__(self, tables, control, Supersets supersets=None, history=(), weights=None, int by=-1, int64_t late=0,
                 **options):
        CanonicalSearch.__init__(self, tables, control, weights, by, late, history, **options)
        self.use(supersets)

    def use(self, Supersets supersets):
        """Let these measured supersets help from now on, where they do."""
        self.supersets = supersets if self.s.costs.unit and not self.history else None

    def opener(self, int guess, int max_guesses, int64_t budget):
        """(cost, height) of the best tree that goes on with `guess`: exact if cost < budget, else a lower bound.

        ``max_guesses`` counts from here on. The guess must be legal. Raises Stopped, MemoryError or RecursionError when
        it can't be finished.
        """
        cdef int64_t v
        cdef int h = 0
        self.check_guess(guess)
        with nogil:
            v = self.open_with(guess, max_guesses, min(budget, COST_INF), &h)
        self.done()
        return v, h

    def opener_slice(self, int guess, int max_guesses, int64_t budget, int looks):
        """(cost or bound, whether `opener` came to its end) after so many looks at the stop flag, of 2^24 codes each, or
        when the stop flag is set.

        At the end, the first is what `opener` returns; before, it is a lower bound of the guess's cost, and what was
        found out of its classes is in the table for the next slice. Raises MemoryError or RecursionError.
        """
        cdef int64_t v
        cdef int h = 0
        cdef bint ended
        self.check_guess(guess)
        self.s.looks_left = looks
        with nogil:
            v = self.open_with(guess, max_guesses, min(budget, COST_INF), &h)
        ended = not self.s.stopped
        self.s.looks_left = -1
        self.done_with_bounds()
        return v, ended

    def quick_bound(self, int guess, int max_guesses):
        """A lower bound of an opener's cost that needs no counting, or only the trivial one once the stop flag is set."""
        cdef int64_t v = 0
        cdef partition_t p
        cdef int32_t *superset
        self.check_guess(guess)
        with nogil:
            if split(&self.s, &self.start, guess, &p) >= 0:
                superset = <int32_t *>take(&self.s, (p.classes + 1) * sizeof(int32_t))
                if superset != NULL:
                    v = self.uncounted_bounds(guess, &p, superset, one_less(max_guesses))
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
            if max_guesses >= 1 and split(&self.s, &self.start, guess, &p) >= 0:
                v = sum_table_bounds(&self.s, &self.start, &p, left, NULL, COST_INF, &h)
                if v < COST_INF:
                    v = sum_count_bounds(&self.s, &p, v, left, COST_INF)
        found = [] if v >= COST_INF else [(p.position[i].code, p.position[i].n, p.low[i]) for i in range(p.classes)]
        self.done_with_bounds()
        return v, found

    def class_value(self, int guess, int code, int max_guesses, int64_t budget):
        """The cost of a feedback class of a guess: exact if below `budget`, else a lower bound."""
        cdef partition_t p
        cdef int i, h = 0
        cdef int64_t v = 0
        self.check_guess(guess)
        with nogil:
            if split(&self.s, &self.start, guess, &p) >= 0:
                i = self.class_of(&p, code)
                v = self.class_cost(&p.position[i], one_less(max_guesses), min(budget, COST_INF), &h) if i >= 0 else -1
        self.done()
        if v < 0:
            raise ValueError(f"no answer has feedback {code} to this guess")
        return v

    def learn(self, history, int left, int64_t value, bint exact, int height, int guess, bint counted):
        """Take over a note of an earlier search of the same game and costs: what it proved of the position after
        ``history``, with so many guesses left, or that the tables hold no more.

        Raises ValueError where that can't be: for a history that leaves no answers, for a value below a bound that
        needs no search.
        """
        cdef key128 key
        cdef position_t P = self.start
        cdef position_t *legal
        cdef position_t *before
        cdef partition_t *p
        cdef frame_t *frame
        cdef int i, whole = NO_GUESS
        try:
            for step, code in history:
                if whole != NO_GUESS:
                    raise ValueError("nothing follows a guess as a whole")
                self.check_guess(step)
                legal = <position_t *>take(&self.s, sizeof(position_t))
                before = <position_t *>take(&self.s, sizeof(position_t))
                frame = <frame_t *>take(&self.s, sizeof(frame_t))
                p = <partition_t *>take(&self.s, sizeof(partition_t))
                if legal == NULL or before == NULL or frame == NULL or p == NULL:
                    break
                before[0] = P
                if P.n <= 2 or not is_legal(self.s.game, &P, step):
                    raise ValueError("the game is over before that, or the guess is not allowed")
                if restrict_position(&self.s, before, legal, frame) < 0 or split(&self.s, legal, step, p) < 0:
                    break
                if code == WHOLE:
                    whole = step
                    continue
                i = self.class_of(p, code)
                if i < 0:
                    raise ValueError(f"no answer has feedback {code} to guess {step}")
                P = p.position[i]
            if not self.s.stopped:
                if left < 1 or not -1 < height <= FREE or value > COST_INF \
                        or (guess != NO_GUESS and not (0 <= guess < self.tables.guesses
                                                       and is_legal(self.s.game, &P, guess))) \
                        or value < cost_trivial(&self.s.costs, P.answers, P.n, left, P.depth):
                    raise ValueError("no such value is possible")
                if whole != NO_GUESS and (exact or guess != NO_GUESS or height or counted):
                    raise ValueError("of a guess as a whole only bounds are kept")
                key = position_key(&self.s, &P, left) if whole == NO_GUESS else guess_key(&self.s, &P, left, whole)
                remember(&self.s, key, value, exact, height, guess, counted, P.n)
        finally:
            self.done()

    cdef int class_of(self, const partition_t *p, int code) noexcept nogil:
        """The class of a feedback code, -1 if there is none."""
        cdef int i
        for i in range(p.classes):
            if p.position[i].code == code:
                return i
        return -1

    cdef int64_t class_cost(self, const position_t *P, int d, int64_t budget, int *height) noexcept nogil:
        if P.n <= 2:
            return cost_trivial(&self.s.costs, P.answers, P.n, d, P.depth)
        return self.value(P, d, budget, height)

    cdef int64_t open_with(self, int guess, int d, int64_t budget, int *height) noexcept nogil:
        """As `opener` promises; a lower bound when the search stops before the end."""
        cdef partition_t p
        cdef bound_t b
        cdef int i, left = one_less(d)
        cdef int64_t total
        cdef int32_t *superset
        if d < 1:
            return COST_INF
        if split(&self.s, &self.start, guess, &p) < 0:
            return 0
        superset = <int32_t *>take(&self.s, (p.classes + 1) * sizeof(int32_t))
        if superset == NULL:
            return 0
        # Step 1: what needs no counting.
        total = self.uncounted_bounds(guess, &p, superset, left)
        # Step 2: the count bound of the larger classes, by the guess lists of the sets that contain them.
        for i in range(p.classes - 1, -1, -1):
            if total >= budget:
                return total
            if superset[i] >= 0:
                total = self.listed_bound(guess, &p, i, total, &self.supersets.sets[superset[i]].list, left)
        # Step 3: the rest by the table and their members.
        for i in range(p.classes):
            if total >= budget:
                return total
            if not p.exact[i] and not p.counted[i]:
                b = table_bound(&self.s, &p.position[i], left)
                if self.s.stopped:
                    return total
                if b.low >= COST_INF:
                    return COST_INF
                total = take_bound(&p, i, b, total)
        # Step 4: count bounds, then search: first the classes that raise the sum most for their time. Where rules
        # or the limit may leave a class without a tree, small classes first show that sooner.
        total = sum_count_bounds(&self.s, &p, total, left, budget)
        if budget < COST_INF and self.tables.rules == NORMAL:
            total = self.search_classes(&p, total, left, budget, EARLY_LEAST, EARLY_MOST)
            # Step 5: the others.
            total = self.search_evenly(&p, total, left, budget)
        return self.finish(&p, total, left, budget, height)

    cdef int64_t search_evenly(self, partition_t *p, int64_t total, int d, int64_t budget) noexcept nogil:
        """Search the classes until the sum of their bounds reaches `budget`, the larger ones for a little more at a
        time: the one comes next whose bound rose most for its time.

        A search holds whatever its budget (below it the value is exact, else a bound), so this is a matter of time
        alone. The last few per cent of the value of a large set take as long as all before, and an opener that is far
        from the best can do without them.
        """
        cdef search_t *s = &self.s
        cdef const position_t *P
        cdef int i, j
        cdef int64_t needed, before, began
        cdef uint64_t looks
        cdef double *rate = <double *>take(s, (p.classes + 1) * sizeof(double))   # what its last search brought
        if rate == NULL:
            return total
        for i in range(p.classes):
            rate[i] = COST_INF / p.position[i].n     # at first from small to large
        s.level += 1
        guard_depth(s, 0)
        while total < budget and not s.stopped:
            i = -1
            for j in range(p.classes):
                if not p.exact[j] and (i < 0 or rate[j] > rate[i]):
                    i = j
            if i < 0:
                break
            P = &p.position[i]
            needed, before = budget - (total - p.low[i]), total
            began, looks = self.codes(), s.looks
            total = self.search_class(p, i, total, d, needed if P.n <= EVEN_LEAST else min(needed, even_budget(p.low[i])))
            rate[i] = <double>(total - before) / (self.codes() - began + 1)
            if s.looks - looks >= NOTE_LOOKS:
                self.note_position(P, d)
        s.level -= 1
        return total

    cdef int64_t uncounted_bounds(self, int guess, partition_t *p, int32_t *superset, int d) noexcept nogil:
        """Fill p.low with bounds that need no counting and `superset` with the smallest measured superset of each class
        (-1: none); returns the opener's cost by these bounds."""
        cdef int64_t total = sum_trivial(&self.s, &self.start, p, d, NULL)
        cdef int i, size, most = self.tables.cap[0]
        for i in range(p.classes):
            size = p.position[i].n
            p.exact[i] = size <= 2
            p.height[i] = <uint16_t>min(size, 2)
            p.counted[i] = 0
            superset[i] = -1
        if total >= COST_INF or not self.s.costs.unit or not self.s.switches & COUNTS:
            return total
        # No guess has more classes on a class than on all answers, a member counting one more.
        for i in range(p.classes):
            total = raise_low(p, i, 3 * p.position[i].n - most - 1, total)
        if self.supersets is not None:
            total = self.superset_bounds(guess, p, total, superset)
        return total

    cdef int64_t superset_bounds(self, int guess, partition_t *p, int64_t total, int32_t *superset) noexcept nogil:
        """No guess has more classes on a part than on the whole, so with D the most classes of any guess on a superset
        of B, V(B) >= 3n - D - 1, under every rule: rules only take guesses away."""
        cdef int i, s, k, size, member = self.s.game.answer_of[guess]
        cdef key128 part[256]
        cdef int32_t index[256]
        cdef key128 *class_key = <key128 *>take(&self.s, (p.classes + 1) * sizeof(key128))
        cdef int32_t *code = <int32_t *>take(&self.s, (p.classes + 1) * sizeof(int32_t))
        if class_key == NULL or code == NULL:
            return total
        for i in range(p.classes):
            class_key[i] = p.position[i].set if p.position[i].n > 2 \
                else set_key(self.s.game, p.position[i].answers, p.position[i].n)
            code[i] = p.position[i].code
        for s in range(self.supersets.subsets):
            memset(part, 0, sizeof(part))
            memset(index, -1, sizeof(index))
            for i in range(p.classes):
                k = self.supersets.project[s, code[i]]
                part[k].lo += class_key[i].lo
                part[k].hi += class_key[i].hi
            if member >= 0:
                k = self.supersets.project[s, self.s.game.winning_code]
                part[k].lo += self.s.game.zobrist[2 * member]
                part[k].hi += self.s.game.zobrist[2 * member + 1]
            for i in range(p.classes - 1, -1, -1):
                size = p.position[i].n
                if size < self.supersets.least:
                    break
                k = self.supersets.project[s, code[i]]
                if index[k] == -1:
                    index[k] = self.supersets.find(part[k])
                    if index[k] < 0 or self.supersets.sets[index[k]].list.guesses == NULL:
                        index[k] = -2
                if index[k] >= 0:
                    total = raise_low(p, i, 3 * size - self.supersets.sets[index[k]].list.most - 1, total)
                    if superset[i] < 0 or self.supersets.sets[index[k]].size < self.supersets.sets[superset[i]].size:
                        superset[i] = index[k]
        worked(&self.s, 8 * self.supersets.subsets * p.classes)
        return total

    cdef int64_t listed_bound(self, int guess, partition_t *p, int i, int64_t total, const list_t *shared,
                              int d) noexcept nogil:
        """The count bound of class i of `guess` by the guess list of a superset; returns the raised total.

        The list falls by count on the superset, which bounds the count on the class: once that is no better than the
        best count found, no later guess can be better, and before that, where it is no better but by what a member
        counts more, only members can. Past its end the tail bounds the rest. The list holds illegal guesses too: they
        are passed over.
        """
        cdef const position_t *P = &p.position[i]
        cdef int j, step, answer, n = P.n, at = 0, h = 0, best = 0
        cdef int64_t v
        cdef uint16_t counts[16]
        cdef int32_t guesses[16]
        cdef int member[16]
        self.s.count_calls += 1
        if n <= MEMBERS_MOST or not self.s.switches & MEMBERS:
            best = best_member(&self.s, P)
            if self.s.stopped:
                return total
            v = value_by_members(&self.s, P, d, best, &h) if d >= 2 else -1
            if v >= 0:
                total = raise_low(p, i, v, total)
                class_settled(p, i, v, h)
                return total
            best += 1
        while at < shared.listed and shared.counts[at] >= best and not self.s.stopped:
            step = 0
            while step < 16 and at < shared.listed:
                answer = self.s.game.answer_of[shared.guesses[at]]
                member[step] = answer >= 0 and game_code(self.s.game, guess, answer) == P.code
                if shared.counts[at] + member[step] > best \
                        and (self.tables.rules == NORMAL or is_legal(self.s.game, P, shared.guesses[at])):
                    guesses[step] = shared.guesses[at]
                    step += 1
                at += 1
            count_list(self.s.game.codes, 1, self.s.game.answers, guesses, step, P.answers, n, NULL, counts)
            worked(&self.s, step * n)
            for j in range(step):
                if counts[j] + member[j] > best:
                    best = counts[j] + member[j]
        if at >= shared.listed and shared.tail >= best and not self.s.stopped:
            best = max(best, best_member(&self.s, P) + 1)
        if self.s.stopped:                   # some counts were not made
            return total
        p.counted[i] = 1
        if at >= shared.listed and shared.tail > best:
            best = shared.tail
            p.counted[i] = 0
        return raise_low(p, i, 3 * n - best, total)
