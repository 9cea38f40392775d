"""What the searches of several threads share: locks, tables of values, teams."""

cdef enum:
    PART_SLOTS = 1024         # where each part of a shared table starts
    CHOICES = 1 << 20         # entries of the shared table of canonical guesses, at most, and a quarter of the other's


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
