"""Searches that take part in each other's large nodes.

Each wave of a large node is offered to the team; whoever has nothing to do takes guesses of it (team.h). The owner of a
node waits until all that were taken are done, and meanwhile helps with what was offered in their course.
"""

from cpython.pythread cimport (
    WAIT_LOCK,
    PyThread_acquire_lock,
    PyThread_allocate_lock,
    PyThread_free_lock,
    PyThread_release_lock,
    PyThread_type_lock,
)
from libc.stdint cimport int64_t

from optimal cimport headers
from optimal._search cimport Searcher
from optimal.headers cimport (
    BOUND_GUESSES,
    COST_INF,
    OFFER_LEAST,
    OPTIMAL_LOAD,
    SEARCH_GUESSES,
    SETTLED,
    SHARED_PARTS,
    arena_mark,
    arena_mark_t,
    arena_release,
    frame_t,
    lock_init,
    lock_leave,
    lock_t,
    lock_take,
    node_bound_wave,
    node_settle,
    node_t,
    nogoods_near_t,
    offer_close,
    offer_copy,
    offer_fail,
    offer_found,
    offer_join,
    offer_leave,
    offer_make,
    offer_t,
    offer_take,
    offer_withdraw,
    table_free,
    table_init,
    take,
    task_t,
)

cdef extern from "pythread.h" nogil:
    int PyThread_acquire_lock_timed(PyThread_type_lock lock, long long microseconds, int interruptible)

cdef enum:
    PART_SLOTS = 1024         # where each part of a shared table starts
    CHOICES = 1 << 20         # entries of the shared table of canonical guesses, at most, and a quarter of the other's
    PAUSE = 100               # microseconds between two looks for an offer
    PAUSES = 500              # between two looks for signals, while waiting

#: Positions of so many answers and more are offered.
OFFERED_FROM = OFFER_LEAST


include "failing.pxi"


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


cdef class Team:
    """What the searches of a team share: their tables, of at most ``max_slots`` entries, and offers of positions of
    ``least`` answers and more. With ``patience``, for tests, the owner of an offer waits a little before it begins.

    Its searches must ask about the same game, rules and costs. Raises MemoryError.
    """

    def __cinit__(self):
        cdef int i
        make_lock(&self.t.lock)
        for i in range(SHARED_PARTS):
            make_lock(&self.t.values.lock[i])
            make_lock(&self.t.canonical.lock[i])
        self.bell = PyThread_allocate_lock()
        if self.bell == NULL:
            raise MemoryError
        PyThread_acquire_lock(self.bell, WAIT_LOCK)

    def __init__(self, size_t max_slots=1 << 22, int least=OFFER_LEAST, *, int patience=0):
        cdef int i
        cdef size_t choices = min(<size_t>CHOICES, max_slots // 4)
        self.t.least = least
        self.patience = patience
        for i in range(SHARED_PARTS):
            if table_init(&self.t.values.part[i], PART_SLOTS, max_slots // SHARED_PARTS) < 0 \
                    or table_init(&self.t.canonical.part[i], PART_SLOTS, choices // SHARED_PARTS) < 0:
                raise MemoryError

    def __dealloc__(self):
        cdef int i
        free_lock(&self.t.lock)
        for i in range(SHARED_PARTS):
            table_free(&self.t.values.part[i])
            table_free(&self.t.canonical.part[i])
            free_lock(&self.t.values.lock[i])
            free_lock(&self.t.canonical.lock[i])
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


cdef class TeamSearch(Searcher):
    """A Searcher that may belong to a team."""

    def join(self, Team team):
        """Belong to a team from now on."""
        self.team = team
        self.s.shared = &team.t.values

    def assist(self):
        """Help the others of the team until none of them is at work. Returns early when the search is stopped."""
        cdef bint going_on = True
        with nogil:
            while going_on and not OPTIMAL_LOAD(self.s.stop_flag):
                if not self.help(NULL):
                    self.pause()
                    lock_take(&self.team.t.lock)
                    going_on = self.team.t.at_work > 0
                    lock_leave(&self.team.t.lock)

    cdef bint wave(self, node_t *N) noexcept nogil:
        cdef offer_t o
        cdef node_t M
        cdef int first = N.first
        cdef bint settled
        if self.team is None or N.P.n < self.team.t.least or self.keeping:
            return Searcher.wave(self, N)
        if self.share(&o, N, BOUND_GUESSES, first, N.upto):
            return SETTLED
        # The most promising guess first, by itself: what it costs saves most of the work on the others.
        M = N[0]
        M.to = min(first + 1, N.to)
        settled = self.search_wave(&M)
        N.best = M.best
        N.height = M.height
        N.guess = M.guess
        return settled or self.share(&o, N, SEARCH_GUESSES, first + 1, N.to)

    cdef bint share(self, offer_t *o, node_t *N, int kind, int first, int upto) noexcept nogil:
        """Have guesses [first, upto) of the list done, with all who come to help. Returns SETTLED where that was the
        end of the node."""
        cdef node_t M = N[0]
        cdef const task_t *outer = self.s.task
        cdef int i, looks = self.s.looks_left
        if self.s.stopped or first >= upto:
            return False
        if N.near != NULL:
            # Helpers may copy the node's while this search learns.
            M.near = <nogoods_near_t *>take(&self.s, sizeof(nogoods_near_t))
            if M.near == NULL:
                return False
            M.near[0] = N.near[0]
        offer_make(&self.team.t, &self.s, o, N, kind, first, upto)
        self.s.task = &o.task
        for i in range(self.team.patience):
            self.pause()
        self.work_on(o, &M)
        if self.s.stopped:
            offer_fail(&self.team.t, &self.s, o)
        while not offer_withdraw(&self.team.t, o):
            if self.s.stopped or not self.help(&o.task):
                self.pause()
        self.s.task = outer
        if N.near != NULL:
            N.near[0] = M.near[0]
        offer_close(o, first, upto)
        if o.settled:
            # Whoever was still at work was stopped for that.
            self.s.stopped = looks >= 0 and self.s.looks_left < 0
            self.s.out_of_memory = self.s.too_deep = False
            return node_settle(&self.s, N, N.best)
        if o.failed:
            self.s.stopped = True
            self.s.out_of_memory |= o.out_of_memory
            self.s.too_deep |= o.too_deep
        return False

    cdef void work_on(self, offer_t *o, node_t *M) noexcept nogil:
        """Take guesses until none are left."""
        cdef int first, upto
        M.mark = arena_mark(&self.s.arena)
        while not self.s.stopped and offer_take(&self.team.t, o, &first, &upto):
            self.take_part(o, M, first, upto)

    cdef void take_part(self, offer_t *o, node_t *M, int first, int upto) noexcept nogil:
        """Steps 4 or 5 for guesses [first, upto) of the list."""
        cdef bint settled
        cdef int64_t before = OPTIMAL_LOAD(&o.best)
        cdef int i
        M.best = before
        M.first = first
        M.to = M.upto = upto
        if o.kind == BOUND_GUESSES:
            settled = node_bound_wave(&self.s, M) == SETTLED
            for i in range(M.to, upto):
                M.list[i].low = COST_INF         # refuted
        else:
            settled = self.search_wave(M)
        if M.best < before:
            offer_found(&self.team.t, o, M, settled)

    cdef bint help(self, const task_t *task) noexcept nogil:
        """Take part in an offer, made in the course of `task` unless that is NULL. False if there is none."""
        cdef offer_t *o = offer_join(&self.team.t, task)
        cdef const task_t *outer = self.s.task
        cdef int level = self.s.level, looks = self.s.looks_left, feasibility_only = self.s.feasibility_only
        cdef arena_mark_t mark = arena_mark(&self.s.arena)
        cdef node_t M
        cdef frame_t frame
        if o == NULL:
            return False
        self.helped += 1
        self.s.task = &o.task
        self.s.level = o.level
        self.s.looks_left = -1
        self.s.feasibility_only = o.feasibility_only
        if offer_copy(&self.s, o, &M, &frame) == 0:
            self.work_on(o, &M)
        if self.s.stopped:
            offer_fail(&self.team.t, &self.s, o)
        offer_leave(&self.team.t, o)
        arena_release(&self.s.arena, mark)
        self.s.stopped = self.s.out_of_memory = self.s.too_deep = False
        self.s.task = outer
        self.s.level = level
        self.s.looks_left = looks
        self.s.feasibility_only = feasibility_only
        return True

    cdef void pause(self) noexcept nogil:
        """Wait a little; now and then, in the main thread, look for signals."""
        PyThread_acquire_lock_timed(self.team.bell, PAUSE, 0)
        self.pauses += 1
        if self.s.check_signals != NULL and self.pauses % PAUSES == 0:
            self.s.check_signals(&self.s)
