"""The search for the least key of a table whose forms aren't written out."""

cdef extern from "shares/share_search.h" nogil:
    ctypedef struct share_table_t:
        int objects, questions, single
        const uint16_t *cell
        const int32_t *first
        const int32_t *replies
        const int32_t *reply_at
        const uint16_t *reply
        const int64_t *weights
        const int32_t *group
        const uint8_t *kept
        const int32_t *cover_at
        const int32_t *cover
        const int64_t *cover_cost
        const int64_t *costs
        key128 *word
    ctypedef struct share_set_t:
        int64_t weight
        int n
    ctypedef struct share_profile_t:
        pass
    ctypedef struct share_search_t:
        int width, solved, stopped
        uint64_t nodes, steps, salt
        int64_t work_left
        int64_t *stop_flag
        void (*signals)(share_search_t *s) noexcept nogil
        int depth
    ctypedef struct share_built_t:
        int32_t *node
        size_t nodes
        int64_t total
    int share_init(share_search_t *s, const share_table_t *t, size_t slots, size_t max_slots)
    void share_free(share_search_t *s)
    int share_done(share_search_t *s)
    int share_follow(share_search_t *s, const int32_t *question, const int32_t *code, int many, share_set_t *out)
    int share_all(share_search_t *s, const share_set_t *S, int32_t *out, share_profile_t *profile)
    int64_t share_value(share_search_t *s, const share_set_t *S, const int32_t *from_, int many, int64_t low, int64_t budget,
                        int *exact)
    int64_t share_first(share_search_t *s, const share_set_t *S, int question, const int32_t *left, int many,
                        share_profile_t profile, int64_t budget, int *exact)
    int share_build(share_search_t *s, const share_set_t *S, int question, share_built_t *b)
    uint64_t splitmix64(uint64_t *state)


cdef void check_share_signals(share_search_t *s) noexcept nogil:
    """As `check_signals`."""
    with gil:
        try:
            PyErr_CheckSignals()
        except KeyboardInterrupt:
            s.stopped = True
            if s.stop_flag != NULL:
                OPTIMAL_STORE(s.stop_flag, 2)


cdef class ShareSearch:
    """The search for the least key of a table of cells that vary: see ext/shares/share_table.h.

    ``cells`` (questions, objects) uint16 are numbers of a question's cells, ``replies`` for each question the replies of
    each of its cells, rising. ``weights`` (objects) int64 are multiples of all products of numbers of replies that divide
    them, or else values are lower bounds alone. ``groups`` (objects) int32, from 0 to objects - 1; ``kept`` (objects)
    uint8; ``covers`` for each object the others that have all its forms; ``costs`` (questions) int64. The sum of weights times that of costs must stay below 2^62.

    A state is told by its ``path``: pairs of a question and the code of its reply. A call ends after ``work`` steps (-1:
    never).
    """
    cdef share_table_t table
    cdef share_search_t s
    cdef readonly Control control
    cdef list arrays
    cdef bint made

    def __init__(self, const uint16_t[:, ::1] cells, replies, const int64_t[::1] weights, const int32_t[::1] groups,
                 const uint8_t[::1] kept, covers, const int64_t[::1] costs, Control control not None, *,
                 size_t max_slots=1 << 22, bint main_thread=False):
        cdef int begun, i
        cdef uint64_t state = 0x736861726573ull
        only_once(&self.made)
        self.table.questions, self.table.objects = <int>cells.shape[0], <int>cells.shape[1]
        if weights.shape[0] != cells.shape[1] or groups.shape[0] != cells.shape[1] or kept.shape[0] != cells.shape[1] \
                or costs.shape[0] != cells.shape[0] or len(replies) != cells.shape[0] or not cells.shape[0] * cells.shape[1]:
            raise ValueError("ShareSearch: the parts of the table do not fit together")
        if cells.shape[0] >= NO_GUESS or cells.shape[1] > ITEMS_MOST:
            raise ValueError(f"ShareSearch: at most {ITEMS_MOST} objects and {NO_GUESS - 1} questions")
        if np.min(weights) < 0 or np.min(costs) < 0 or np.min(groups) < 0 or np.max(groups) >= cells.shape[1]:
            raise ValueError("ShareSearch: weights and costs are not negative, groups are numbered from 0")
        if any(np.max(row) >= len(known) for row, known in zip(np.asarray(cells), replies, strict=True)):
            raise ValueError("ShareSearch: no such cell is there")
        every = [cell for known in replies for cell in known]
        cdef const int32_t[::1] first = np.cumsum([0, *map(len, replies)]).astype(np.int32)
        cdef const int32_t[::1] at = np.cumsum([0, *map(len, every)]).astype(np.int32)
        cdef const uint16_t[::1] reply = np.array([one for cell in every for one in cell], dtype=np.uint16)
        cdef const int32_t[::1] many = np.array([len({one for cell in known for one in cell}) for known in replies], dtype=np.int32)
        if len(covers) != cells.shape[1]:
            raise ValueError("ShareSearch: covers are by object")
        cdef const int32_t[::1] cover_at = np.cumsum([0, *map(len, covers)]).astype(np.int32)
        pairs = [(one, other) for one, of in enumerate(covers) for other in of]
        cdef const int32_t[::1] cover = np.array([*(other for _, other in pairs), 0], dtype=np.int32)
        known, paid = np.asarray(cells), np.asarray(costs)
        cdef const int64_t[::1] cover_cost = np.array(
            [*(int(paid[known[:, one] != known[:, other]].sum()) for one, other in pairs), 0], dtype=np.int64)
        self.table.cover_at, self.table.cover, self.table.cover_cost = &cover_at[0], &cover[0], &cover_cost[0]
        self.arrays = [cover_at, cover, cover_cost, cells, weights, groups, kept, costs, first, at, reply, many]
        self.table.single = len(np.unique(groups)) == cells.shape[1]
        self.table.cell, self.table.first, self.table.reply_at, self.table.reply = &cells[0, 0], &first[0], &at[0], &reply[0]
        self.table.weights, self.table.group, self.table.kept = &weights[0], &groups[0], &kept[0]
        self.table.costs, self.table.replies = &costs[0], &many[0]
        self.table.word = <key128 *>calloc(<size_t>(self.table.objects + self.table.questions), sizeof(key128))
        if self.table.word == NULL:
            raise MemoryError
        for i in range(self.table.objects + self.table.questions):
            self.table.word[i].lo = splitmix64(&state)
            self.table.word[i].hi = splitmix64(&state)
        self.control = control
        self.s.stop_flag = &control.cells[1]
        if main_thread:
            self.s.signals = check_share_signals
        with nogil:
            begun = share_init(&self.s, &self.table, 1 << 16, max_slots)
        if begun < 0:
            raise MemoryError

    def __dealloc__(self):
        share_free(&self.s)
        free(self.table.word)

    @property
    def nodes(self):
        """States searched so far."""
        return self.s.nodes

    @property
    def steps(self):
        """The work done so far, in the steps that ``work`` counts."""
        return self.s.steps

    cdef bint ended(self) except -1:
        cdef int end = share_done(&self.s)
        if end == OUT_OF_MEMORY:
            raise MemoryError
        return end == DONE

    cdef int follow(self, path, share_set_t *out) except -1:
        """Come to a state. ValueError for a path that leads nowhere."""
        steps = np.array(path, dtype=np.int32).reshape(-1, 2)
        cdef const int32_t[:] asked = np.ascontiguousarray(steps[:, 0])
        cdef const int32_t[:] code = np.ascontiguousarray(steps[:, 1])
        cdef int found
        if len(steps) > self.table.questions or len(set(steps[:, 0].tolist())) < len(steps) \
                or any(not 0 <= one < self.table.questions for one in steps[:, 0].tolist()):
            raise ValueError("no such path is possible")
        found = share_follow(&self.s, &asked[0] if len(steps) else NULL, &code[0] if len(steps) else NULL, <int>len(steps), out)
        if not found:
            self.ended()
            raise ValueError("no object is left after this path")
        return 0

    def search(self, path, int opener=-1, int64_t budget=COST_INF, int64_t work=-1, *, int round=0, int width=0, int solved=0):
        """(value, whether it is exact, whether the search came to its end) of the state, or of its keys that begin with
        the opener. Where it isn't exact, a lower bound; of a beam, which tries ``width`` questions of states of more than
        ``solved`` objects, none at all."""
        cdef share_set_t S
        cdef share_profile_t profile
        cdef int exact = 0, many
        cdef int64_t found
        cdef int32_t[::1] left = np.zeros(self.table.questions, dtype=np.int32)
        if not -1 <= opener < self.table.questions or budget < 0:
            raise ValueError("no such question, or budget, is possible")
        self.follow(path, &S)
        if opener in [one for one, _ in path]:
            self.ended()
            raise ValueError("a question comes once on a path")
        self.s.width, self.s.solved, self.s.salt, self.s.work_left = width, solved, <uint64_t>(round + 1), work
        with nogil:
            many = share_all(&self.s, &S, &left[0], &profile)
            if opener < 0:
                found = share_value(&self.s, &S, &left[0], many, 0, budget, &exact)
            else:
                found = share_first(&self.s, &S, opener, &left[0], many, profile, budget, &exact)
        return found, bool(exact), self.ended()

    def build(self, path, int opener=-1, *, int round=0, int width=0, int solved=0):
        """(nodes, total) of a key of the state, from what a search of the same kind found; the nodes as `Key.of` takes
        them. None where it was not found, or has too many ends."""
        cdef share_set_t S
        cdef share_built_t built
        cdef bint found
        cdef size_t i
        self.follow(path, &S)
        memset(&built, 0, sizeof(built))
        self.s.width, self.s.solved, self.s.salt = width, solved, <uint64_t>(round + 1)
        with nogil:
            found = share_build(&self.s, &S, opener, &built)
        nodes = [built.node[i] for i in range(built.nodes)] if found else []
        free(built.node)
        self.ended()
        return (nodes, built.total) if found else None
