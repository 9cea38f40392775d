"""The search of a game."""

cdef enum:
    PAUSE = 100               # microseconds between two searches for an offer

#: Names of the switches for `Search(off=...)`.
SWITCHES = {shortcut_text[i].name.decode(): 1 << i for i in range(SHORTCUTS_MANY)}
#: What each leaves out, in words.
WITHOUT = {shortcut_text[i].name.decode(): shortcut_text[i].without.decode() for i in range(SHORTCUTS_MANY)}
#: What is counted of each in `Search.tallies`: (asked, settled), in words.
COUNTED = {shortcut_text[i].name.decode(): (shortcut_text[i].asked.decode(), shortcut_text[i].settled.decode())
           for i in range(SHORTCUTS_MANY)}
#: Positions of so many answers and more are offered to a team.
OFFERED_FROM = OFFER_LEAST
#: Weights of so many different kinds are bounded by searches with unit costs.
MOST_TIERS = TIERS_MOST
#: Rounds of beams, each wider than the one before.
ROUNDS = ROUNDS_MOST
QUICK = QUICK_PLAY


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


cdef void keep_record(search_t *s, const position_t *P, int d, int guess, const entry_t *e) noexcept nogil:
    cdef const position_t *q = P
    with gil:
        history = []
        while q.before != NULL:
            history.append((q.guess, q.code))
            q = q.before
        search = <Search>s.hooks.self
        # From the search's own position on, where `import_bounds` begins.
        history = history[::-1][len(search.history):] + ([] if guess == NO_GUESS else [(guess, WHOLE)])
        search.records.append((tuple(history), d, e.value, e.exact, e.height, e.guess, e.counted))


cdef class Search:
    """One thread's search: its transposition table, its memory, its counters, and the position that it is asked about,
    that after ``history``, the guesses made so far with their feedback codes.

    ``weights`` (answers) int64, none negative, count each answer so many times; ``by`` is the guess by which an answer
    should be found (-1: no matter), ``late`` what it costs more, per weight, to find it later; if that is ``final``, it is
    missed then, and costs by + 1 + late per weight, in a search without a limit of guesses. All sums of weight x
    depth must stay below 2^62: the caller sees to it. Costs with `late` in them may be more: 2^62 and above count as
    infeasible.

    ``supersets`` help at the start of the game, with unit costs or weights of few kinds; elsewhere they are left aside. ``off`` is a set of
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
    cdef list records
    cdef bint made

    def __init__(self, GameTables tables not None, Control control not None, Supersets supersets=None, history=(), weights=None, int by=-1,
                 int64_t late=0, bint final=False, *, int off=0, size_t table_slots=1 << 16, size_t max_slots=1 << 22,
                 bint main_thread=False):
        cdef int begun, steps
        cdef step_t *step
        only_once(&self.made)
        if not 0 <= late <= COST_INF // 2:
            raise ValueError("Search: what it costs to be late is 0 or more, and 2^61 at most")
        self.tables = tables
        self.control = control
        self.history = tuple((int(guess), int(code)) for guess, code in history)
        self.records = []
        self.failed = -1
        self.s.stop_flag = &control.cells[1]
        self.s.hooks.self = <void *>self
        self.main_thread = main_thread
        if final and (not late or by < 1):
            raise ValueError("Search: the last guess of a game is its first or a later one, and to miss costs something")
        self.set_costs(weights, by, late, final)
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

    cdef int set_costs(self, weights, by, late, final) except -1:
        cdef costs_t *costs = &self.s.costs
        costs.by = by if late else -1
        costs.late = late
        costs.final = final
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
        """Whether the search handles signals: it must run in the main thread then."""
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
        if not self.s.arena.failed and not self.s.too_deep:
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
        cdef search_t *served = &self.s if self.s.plain == NULL else self.s.plain  # with unit costs
        self.supersets = supersets if served.costs.unit and not self.history else None
        served.supersets = NULL
        if self.supersets is not None:
            served.supersets = &self.supersets.x

    def join(self, Team team not None):
        """Belong to a team from now on. Raises ValueError unless it searches the same tables at the same costs."""
        weights = None if self.s.costs.weights == NULL else np.asarray(self.weights).tobytes()
        costs = weights, self.s.costs.by, self.s.costs.late, self.s.costs.final
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

    def record_bounds(self, bint wanted=True):
        """Set whether bounds of the classes under way are recorded from now on."""
        self.records = []
        if wanted:
            self.s.hooks.record = keep_record
        else:
            self.s.hooks.record = NULL

    def export_bounds(self):
        """Return the bounds recorded since the last call, as `import_bounds` takes them: (history, guesses left, value, exact, height,
        guess, counted), with pairs (guess, feedback) in the history, from this search's position on; a pair (guess,
        WHOLE) at its end stands for all trees that go on with this guess. Any thread may call it."""
        found, self.records = self.records, []
        return found

    def import_bounds(self, history, int left, int64_t value, bint exact, int height, int guess, bint counted):
        """Import a bound that an earlier search of the same game, costs and position recorded: what it proved of the position
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
        wrong = import_record(&self.s, step, <int>len(history), left, &e)
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
            v = opener_value(&self.s, guess, max_guesses, min(budget, COST_INF), &h)
        self.done()
        return v, h

    def opener_slice(self, int guess, int max_guesses, int64_t budget, int units):
        """(cost or bound, whether `opener` came to its end) after so many work units, of 2^24 codes each, or
        when the stop flag is set. Below a budget that is not infinite, the class under way has up to 256 units more.

        At the end, the first is what `opener` returns; before, it is a lower bound of the guess's cost, and what was
        found out of its classes is in the table for the next slice. Raises MemoryError or RecursionError.
        """
        cdef int64_t v
        cdef int h = 0
        cdef bint ended
        self.check_guess(guess)
        self.s.units_left = units
        with nogil:
            v = opener_value(&self.s, guess, max_guesses, min(budget, COST_INF), &h)
        ended = not self.s.stopped
        self.s.units_left = -1
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
        cdef int i, h = 0, left = guesses_after(max_guesses)
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
        cdef int i = -1, h = 0, d = guesses_after(max_guesses)
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

    def beam_opener(self, int guess, int max_guesses, int round, int64_t budget=COST_INF, int units=-1):
        """The cost of a tree that goes on with `guess`, an upper bound of the least; `budget` or more if none below it
        was found, INFEASIBLE if none at all. ``round``, below ROUNDS, tells how wide the beam is; QUICK
        considers some of the guesses alone.

        ``units`` limits the work, in units of 2^24 codes; -1: no limit. After that nothing is found.
        Where it is for one class that no tree was found, ``failed`` is that class's feedback code from then on, else -1.
        """
        cdef int64_t v
        self.check_guess(guess)
        if not QUICK_PLAY <= round < ROUNDS_MOST:
            raise ValueError(f"round {round} of {ROUNDS_MOST}")
        self.s.units_left = units
        with nogil:
            v = beam_opener(&self.s, guess, max_guesses, round, budget, &self.failed)
        self.s.units_left = -1
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
                low = counted_low(&self.s, P, max_guesses, COST_INF).low
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
                h = canonical_height(&self.s, &p, guesses_after(max_guesses), FREE)
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
        cdef int switches = self.s.switches
        self.s.stop_flag = NULL
        self.s.switches &= ~SIMILARITY  # what is similar takes longer to find than a tree
        self.s.units_left = LIKELY_UNITS
        try:
            return self.tree_of(guess, max_guesses, False)
        except (Stopped, ValueError):
            return None
        finally:
            self.s.stop_flag = stop_flag
            self.s.switches = switches
            self.s.units_left = -1

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
        cdef int i, best, h = 0, left = guesses_after(d)
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
                    best = canonical_guess(&self.s, &p.position[i], left, &h)
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
