"""The search for the least key of a table of questions."""

cdef extern from "identify/canonical.h" nogil:
    enum: KEY_SHORTCUTS_MANY, ITEMS_MOST
    ctypedef struct key_shortcut_t:
        const char *name
        const char *without
    const key_shortcut_t *key_shortcut_text
    ctypedef struct questions_t:
        int items, questions, groups
        const uint16_t *codes
        const int64_t *weights
        const int32_t *group_of
        const int64_t *costs
    ctypedef struct key_result_t:
        int64_t value
        int height, question
    ctypedef struct limits_t:
        int left
        int64_t cost_left
    ctypedef struct key_frame_t:
        pass
    ctypedef struct identify_t:
        key_frame_t *root
        int32_t *all
        int any, width, solved
        int64_t work_left
        int64_t *stop_flag
        void (*signals)(identify_t *s) noexcept nogil
        void (*record)(identify_t *s, int item, const int32_t *asked, int many, int left, const entry_t *e) noexcept nogil
        int recording, first
        void *self
        uint64_t nodes, steps, salt
        int stopped
        values_t values
    int identify_init(identify_t *s, questions_t *t, int off, size_t slots, size_t max_slots)
    void identify_free(identify_t *s)
    key_result_t identify_value(identify_t *s, const key_frame_t *f, const int32_t *at, int n, limits_t within, int64_t budget)
    int64_t identify_first(identify_t *s, const key_frame_t *f, const int32_t *at, int n, const uint16_t *codes, int64_t cost,
                           limits_t within, int64_t budget, int *height)
    int identify_canonical(identify_t *s, const int32_t *items, int n, limits_t within, key_result_t *found)
    const char *import_key_record(identify_t *s, const int32_t *asked, const int32_t *code, int many, limits_t within, int any,
                               const entry_t *e)
    int identify_done(identify_t *s)

cdef extern from "identify/build_key.h" nogil:
    ctypedef struct built_key_t:
        int32_t *node
        int nodes, height
        int64_t total, costliest
    int build_key(identify_t *s, const int32_t *of, int n, int opener, int canonical, limits_t within, built_key_t *out)

#: Names of the switches for `KeySearch(off=...)`, and what each leaves out.
KEY_SWITCHES = {key_shortcut_text[i].name.decode(): 1 << i for i in range(KEY_SHORTCUTS_MANY)}
KEY_WITHOUT = {key_shortcut_text[i].name.decode(): key_shortcut_text[i].without.decode()
               for i in range(KEY_SHORTCUTS_MANY)}


cdef void check_key_signals(identify_t *s) noexcept nogil:
    """As `check_signals`."""
    with gil:
        try:
            PyErr_CheckSignals()
        except KeyboardInterrupt:
            s.stopped = True
            if s.stop_flag != NULL:
                OPTIMAL_STORE(s.stop_flag, 2)


cdef void keep_key_record(identify_t *s, int item, const int32_t *asked, int many, int left, const entry_t *e) noexcept nogil:
    cdef int i
    with gil:
        search = <KeySearch>s.self
        history = tuple((asked[i], search.codes[asked[i], item]) for i in range(many - 1, -1, -1))
        search.records.append((history, left, e.value, e.exact, e.height, e.guess, s.any))


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

    An item is a distinct column of the table: all objects that have the same replies. ``codes`` (questions, items) uint16
    are the replies; no two columns are equal.
    ``weights`` (items) int64, rising, none negative. ``groups`` (items) int32, numbered from 0: items of one group
    need not be told apart. ``costs`` (questions) int64, none negative. The sum of weights times costs must stay below
    2^62; the caller ensures that. ``off`` is a set of switches (KEY_SWITCHES) to leave out; each changes the work, none the
    values. The table starts with ``table_slots`` of 32 bytes each and grows to at most ``max_slots``; a ``shared``
    table replaces it.

    ``limit`` is the number of questions on a path (NO_LIMIT: any), ``cost_left`` what they may cost (INFEASIBLE: anything),
    ``work`` the steps after which a call ends half-way (-1: never). Values at or above ``budget`` are lower bounds.
    Raises ValueError for arrays that don't fit each other and for limits and budgets below 0, Stopped,
    MemoryError.
    """
    cdef questions_t table
    cdef identify_t s
    cdef readonly Control control
    cdef readonly int items, questions
    cdef const uint16_t[:, ::1] codes
    cdef const int64_t[::1] weights, costs
    cdef const int32_t[::1] groups
    cdef KeyTable shared
    cdef list records
    cdef bint made

    def __init__(self, const uint16_t[:, ::1] codes, const int64_t[::1] weights, const int32_t[::1] groups,
                 const int64_t[::1] costs, Control control not None, *, int off=0, size_t table_slots=1 << 16,
                 size_t max_slots=1 << 22, KeyTable shared=None, bint main_thread=False):
        cdef int begun
        only_once(&self.made)
        self.questions, self.items = <int>codes.shape[0], <int>codes.shape[1]
        if not 1 <= codes.shape[1] <= ITEMS_MOST or not 1 <= codes.shape[0] <= NO_GUESS:
            raise ValueError(f"KeySearch: 1 to {ITEMS_MOST} items, 1 to {NO_GUESS} questions")
        if weights.shape[0] != self.items or groups.shape[0] != self.items or costs.shape[0] != self.questions:
            raise ValueError("KeySearch: weights, groups and costs must fit the codes")
        if weights[0] < 0 or np.any(np.diff(weights) < 0) or np.min(costs) < 0:
            raise ValueError("KeySearch: weights rise, and neither they nor costs are negative")
        told = np.unique(groups)
        if told.min() != 0 or told.max() != len(told) - 1:
            raise ValueError("KeySearch: groups are numbered from 0")
        if len(np.unique(codes, axis=1)[0]) < self.items:
            raise ValueError("KeySearch: two items have the same replies")
        self.codes, self.weights, self.groups, self.costs, self.control = codes, weights, groups, costs, control
        self.table.items, self.table.questions, self.table.groups = self.items, self.questions, <int>len(told)
        self.table.codes, self.table.weights = &self.codes[0, 0], &self.weights[0]
        self.table.group_of, self.table.costs = &self.groups[0], &self.costs[0]
        if shared is not None:
            of = [np.asarray(codes), np.asarray(weights), np.asarray(groups), np.asarray(costs)]
            if shared.of is not None and not all(map(np.array_equal, shared.of, of)):
                raise ValueError("KeySearch: the shared table is of other questions")
            shared.of, self.shared, self.s.values.shared = of, shared, &shared.t
            table_slots = max_slots = 2  # its own table is not used
        self.s.stop_flag = &control.cells[1]
        self.s.self, self.records = <void *>self, []
        if main_thread:
            self.s.signals = check_key_signals
        with nogil:
            begun = identify_init(&self.s, &self.table, off, table_slots, max_slots)
        if begun < 0:
            raise MemoryError

    def __dealloc__(self):
        identify_free(&self.s)

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
        if end == OUT_OF_MEMORY:
            raise MemoryError
        if end == STOPPED and OPTIMAL_LOAD(self.s.stop_flag):
            raise Stopped
        return end == DONE

    def record_bounds(self, bint wanted=True):
        """Set whether bounds of sets that take long are recorded from now on."""
        self.records = []
        if wanted:
            self.s.record = keep_key_record
        else:
            self.s.record = NULL

    def export_bounds(self):
        """Return the bounds recorded since the last call: (history, limit, value, exact, height, question, any). A history
        has pairs of question and code of the reply; with ``any``, 0 stands for any key."""
        found, self.records = self.records, []
        return found

    def import_bounds(self, history, int limit, int64_t value, bint exact, int height, int question, bint any,
              int64_t cost_left=COST_INF):
        """Import a bound that an earlier search of the same table recorded; ``cost_left`` is for a whole path. Raises
        ValueError where it is impossible."""
        cdef entry_t e
        cdef const char *wrong
        if not 0 <= height <= NO_GUESS or not 0 <= question <= NO_GUESS or not history:
            raise ValueError("no such value is possible")
        self.check_limits(limit, cost_left)
        path = np.array(history, dtype=np.int32).reshape(-1, 2)
        cdef const int32_t[:] asked = np.ascontiguousarray(path[:, 0])
        cdef const int32_t[:] code = np.ascontiguousarray(path[:, 1])
        if path[:, 0].min() < 0 or path[:, 0].max() >= self.questions:
            raise ValueError("no such question is there")
        e.value, e.exact, e.height, e.guess = value, exact, <uint16_t>height, <uint16_t>question
        wrong = import_key_record(&self.s, &asked[0], &code[0], <int>asked.shape[0], limits_t(limit, cost_left), any, &e)
        self.ended()
        if wrong != NULL:
            raise ValueError(wrong.decode())

    cdef int check_limits(self, int limit, int64_t cost_left, int64_t budget=0) except -1:
        """Bounds are looked up by the questions that are left."""
        if limit < 0 or budget < 0 or not 0 <= cost_left <= COST_INF:
            raise ValueError("no such limits are possible: they are 0 or more, and a cost_left at most INFEASIBLE")
        return 0

    cdef int check(self, const int32_t[::1] items) except -1:
        """Items must be in their order: all else rests on that."""
        cdef int i
        if not items.shape[0] or items[0] < 0 or items[items.shape[0] - 1] >= self.items:
            raise IndexError(f"items are 0 .. {self.items - 1}")
        for i in range(1, <int>items.shape[0]):
            if items[i] <= items[i - 1]:
                raise IndexError("items must rise")
        return 0

    def value(self, int limit=FREE, int64_t cost_left=COST_INF, int64_t budget=COST_INF, int64_t work=-1):
        """(value, whether the search came to its end) of all items. Where it didn't, a lower bound."""
        cdef key_result_t found
        self.check_limits(limit, cost_left, budget)
        self.s.work_left = work
        with nogil:
            found = identify_value(&self.s, self.s.root, self.s.all, self.items, limits_t(limit, cost_left), budget)
        return found.value, self.ended()

    cdef bint ended(self) except -1:
        """As `done`, for calls that return a bound when they are stopped."""
        cdef int end = identify_done(&self.s)
        if end == OUT_OF_MEMORY:
            raise MemoryError
        return end == DONE

    def opener(self, int question, int limit=FREE, int64_t cost_left=COST_INF, int64_t budget=COST_INF, int64_t work=-1):
        """(value, whether the search came to its end) of keys that begin with this question."""
        cdef int64_t found
        cdef int height
        self.check_limits(limit, cost_left, budget)
        if not 0 <= question < self.questions:
            raise IndexError(f"questions are 0 .. {self.questions - 1}")
        self.s.work_left, self.s.recording, self.s.first = work, True, question
        with nogil:
            found = identify_first(&self.s, self.s.root, self.s.all, self.items, &self.codes[question, 0],
                                   self.costs[question], limits_t(limit, cost_left), budget, &height)
        return found, self.ended()

    def bound(self, int question, int limit=FREE, int64_t cost_left=COST_INF):
        """A lower bound of keys that begin with this question, without a search."""
        cdef int64_t found
        cdef int height
        self.check_limits(limit, cost_left)
        if not 0 <= question < self.questions:
            raise IndexError(f"questions are 0 .. {self.questions - 1}")
        with nogil:
            found = identify_first(&self.s, self.s.root, self.s.all, self.items, &self.codes[question, 0],
                                   self.costs[question], limits_t(limit, cost_left), 0, &height)
        self.ended()
        return found

    def beam(self, int round, int width, int solved, int limit=FREE, int64_t cost_left=COST_INF, int64_t budget=COST_INF,
             int64_t work=-1, const int32_t[::1] items=None, int opener=-1):
        """The cost of the best key that a beam finds: one that tries ``width`` questions of sets of more than ``solved``
        groups, and all of smaller ones; INFEASIBLE where it finds none that costs less than the budget. Of these items
        (None: all), and where it is told so with this opener. `build` leads through it as long as the round is the
        same."""
        cdef int64_t found
        cdef int height, n = self.items if items is None else <int>items.shape[0]
        cdef const int32_t *of = self.s.all
        self.check_limits(limit, cost_left, budget)
        if items is not None:
            self.check(items)
            of = &items[0]
        if not -1 <= opener < self.questions:
            raise IndexError(f"questions are 0 .. {self.questions - 1}")
        self.s.width, self.s.solved, self.s.salt, self.s.work_left = width, solved, round + 1, work
        with nogil:
            if opener < 0:
                found = identify_value(&self.s, self.s.root, of, n, limits_t(limit, cost_left), budget).value
            else:
                found = identify_first(&self.s, self.s.root, of, n, &self.codes[opener, 0], self.costs[opener],
                                       limits_t(limit, cost_left), budget, &height)
        return found if self.ended() and found < budget else COST_INF

    def feasible(self, int limit=FREE, int64_t cost_left=COST_INF, int64_t work=-1, int opener=-1):
        """Whether there is a key within these limits, or one that begins with this question; None where the work didn't
        suffice."""
        cdef key_result_t found
        cdef int height
        self.check_limits(limit, cost_left)
        if not -1 <= opener < self.questions:
            raise IndexError(f"questions are 0 .. {self.questions - 1}")
        self.s.any, self.s.work_left, self.s.recording, self.s.first = True, work, True, opener
        with nogil:
            if opener < 0:
                found = identify_value(&self.s, self.s.root, self.s.all, self.items, limits_t(limit, cost_left), 1)
            else:
                found.value = identify_first(&self.s, self.s.root, self.s.all, self.items, &self.codes[opener, 0],
                                             self.costs[opener], limits_t(limit, cost_left), 1, &height)
        return found.value == 0 if self.ended() else None

    def build(self, int limit=FREE, int64_t cost_left=COST_INF, int opener=-1, *, int round=-1, bint any=False,
             bint canonical=False, const int32_t[::1] items=None):
        """(nodes, total, longest path, cost of the costliest) of a key of these items (None: all) that begins with the
        opener (-1: with what seems best); the nodes as `Key.of` takes them. Then it asks what seems best from what was found before: by the beams of
        this ``round``, or where it was asked whether there is ``any`` key; or it is the ``canonical`` one. None where
        that meets a set without a question within the limits. Only for a canonical key the stop flag is looked at: what
        was found is kept."""
        cdef int64_t *stop_flag = self.s.stop_flag
        cdef built_key_t built
        cdef bint found
        cdef int n = self.items if items is None else <int>items.shape[0]
        cdef const int32_t *of = self.s.all
        self.check_limits(limit, cost_left)
        if items is not None:
            self.check(items)
            of = &items[0]
        if not -1 <= opener < self.questions:
            raise IndexError(f"questions are 0 .. {self.questions - 1}")
        if not canonical:
            self.s.stop_flag = NULL
        self.s.any = any
        self.s.width, self.s.solved, self.s.salt = round >= 0, 0, round + 1
        with nogil:
            found = build_key(&self.s, of, n, opener, canonical, limits_t(limit, cost_left), &built)
        self.s.stop_flag = stop_flag
        nodes = [built.node[i] for i in range(built.nodes)] if found else []
        if canonical:
            self.done()
        else:
            self.ended()
        return (nodes, built.total, built.height, built.costliest) if found else None

    def least(self, const int32_t[::1] items, int limit=FREE, int64_t cost_left=COST_INF):
        """The value of these items; INFEASIBLE where there is no key of them."""
        cdef key_result_t found
        self.check(items)
        self.check_limits(limit, cost_left)
        with nogil:
            found = identify_value(&self.s, self.s.root, &items[0], <int>items.shape[0], limits_t(limit, cost_left), COST_INF)
        self.done()
        return found.value

    def canonical(self, const int32_t[::1] items, int limit=FREE, int64_t cost_left=COST_INF):
        """(value, height, first question) of the canonical key of these items: -1 where nothing need be asked. INFEASIBLE
        where there is none."""
        cdef key_result_t found
        cdef int question
        self.check(items)
        self.check_limits(limit, cost_left)
        with nogil:
            question = identify_canonical(&self.s, &items[0], <int>items.shape[0], limits_t(limit, cost_left), &found)
        self.done()
        return found.value, found.height, question
