from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from optimal._board cimport Board, Frame, key128, marks_t, memo_t, symmetry_t, table_t

cdef extern from "arena.h" nogil:
    ctypedef struct arena_t:
        pass
    ctypedef struct arena_mark_t:
        pass
    void arena_init(arena_t *a)
    void arena_free(arena_t *a)
    arena_mark_t arena_mark(const arena_t *a)
    void arena_release(arena_t *a, arena_mark_t m)
    void *arena_alloc(arena_t *a, size_t size)

cdef enum:
    FREE = 60000              # guesses left: no limit
    FRAME_LEAST = 14          # smaller sets are searched in their parent's frame

cdef enum Switch:
    # Shortcuts of the search that tests turn off one by one; each is explained where it is used.
    SPLITS = 1
    COUNTS = 2
    TABLE = 4
    FRAMES = 8
    FREE_FIRST = 16
    DEPTHS = 32
    FAMILIES = 64
    SYMMETRY = 128
    PARTS = 256
    CEILING = 512

cdef int64_t INF


cdef struct Symmetries:
    # What maps a position to itself, where the game has such maps (symmetry.h).
    int count                 # -1: nothing is known to
    const symmetry_t *maps


cdef struct Position:
    # Candidates with what the rules make of the past: everything that the value depends on but the guesses left.
    const Frame *frame        # columns for every legal guess (under normal rules: for every guess that may matter)
    const int32_t *answers    # the candidates
    int n
    key128 set                # key of the candidates alone
    key128 key
    const uint64_t *needs     # hard rules: features that a legal guess must have (Board.features)
    key128 past               # ultra-hard rules: key of the set of (guess, feedback)
    int guess                 # the last guess and its feedback
    int code
    int depth                 # guesses made
    uint64_t used             # symbols of the guesses made (Board.symbols)
    const Position *before    # the position that the last guess was made at
    int reach                 # no legal guess has more classes, a candidate counting one more
    bint strict               # the frame still holds illegal guesses: see Searcher.restrict


cdef struct Partition:
    # The feedback classes of one guess on a position, the winning class left out, smallest first.
    int classes
    Position *position
    int64_t *low              # proven lower bound of each class
    uint16_t *height          # height of the tree found, where exact
    uint8_t *exact            # whether low is the exact value
    uint8_t *counted          # whether low is no less than the count bound over the legal guesses


cdef enum:
    LEGAL_MOST = 32

cdef struct Legal:
    # Where a look through a frame for legal columns stands.
    int block                 # of BLOCK columns
    uint64_t bits             # its legal columns that are still to come
    int features              # hard rules: what to ask for beyond what all of the frame's columns have
    const uint64_t *having[LEGAL_MOST]


cdef struct Candidate:
    int64_t low
    int32_t guess
    int32_t order
    int32_t column            # of the frame that it was found in, -1: not known
    int32_t member            # whether it may be the answer


cdef struct Shares:
    # What the class sizes of a frame's guesses on a position cost at least, found a block of columns at a time.
    const Frame *frame        # NULL: sizes tell nothing that counts don't
    uint32_t *share           # by class size: the least cost of one of its answers, in SHARE-ths, rounded down
    uint32_t *total           # by column
    uint8_t *ready            # by block


cdef inline int clamp(int64_t x, int low, int high) noexcept nogil:
    return low if x < low else high if x > high else <int>x


cdef inline int64_t raise_low(Partition *p, int i, int64_t low) noexcept nogil:
    """Raise the lower bound of class i; returns by how much."""
    cdef int64_t gain = low - p.low[i]
    if gain <= 0:
        return 0
    p.low[i] = low
    return gain


cdef int by_low(const void *a, const void *b) noexcept nogil
cdef key128 with_depth(key128 key, int d) noexcept nogil
cdef key128 mixed(key128 key, uint64_t fact) noexcept nogil


cdef class Control:
    cdef int64_t[::1] cells   # incumbent, stop


cdef class Searcher:
    cdef readonly Board board
    cdef Control control
    cdef table_t table        # values and bounds
    cdef memo_t kinds         # by set: the most classes that a member makes of it
    cdef arena_t arena
    cdef marks_t marks        # scratch of count_list
    cdef int32_t *tally       # scratch of split: zero between calls
    cdef int32_t *kin         # scratch of split_family: zero between calls
    cdef int32_t *alike       # scratch of nest: zero between calls
    cdef int32_t *stamp       # scratch of node: members of a set
    cdef int32_t *place       # scratch of node: where members are listed
    cdef int32_t stamp_now
    cdef int rules, switches, poll, level
    cdef int larger_first     # see raise_bounds
    cdef bint any_tree        # the first tree found will do: whether there is one is all that is asked
    cdef bint stopped, out_of_memory, too_deep, main_thread
    cdef uint64_t settled, wasted   # nodes of searches without a limit: that ended the matter, that did not
    cdef readonly uint64_t failed_parts, idle_parts   # nodes of searches for a tree of a part: that found none, others
    cdef public uint64_t nodes, count_calls, guesses_tried

    cdef void *take(self, size_t size) noexcept nogil
    cdef void look(self) noexcept nogil
    cdef void guard_depth(self) noexcept nogil
    cdef int members(self, const int32_t *who, int m, const int32_t *B, int n, uint16_t *counts) noexcept nogil
    cdef int best_member(self, const Position *P) noexcept nogil
    cdef int count(self, const Frame *f, const int32_t *B, int n, int first, int floor, bint rising, int enough,
                   int *best, uint16_t *out) noexcept nogil
    cdef int64_t cheap(self, const Position *P, int d, uint8_t *exact, uint16_t *height,
                       uint8_t *counted) noexcept nogil
    cdef int64_t bound(self, const Position *P, int d, int64_t need, uint8_t *exact, uint16_t *height,
                       uint8_t *counted) noexcept nogil
    cdef key128 set_key(self, const int32_t *B, int n) noexcept nogil
    cdef int split(self, const Position *P, int guess, Partition *p) noexcept nogil
    cdef int split_column(self, const Position *P, int guess, const Frame *f, int column, Partition *p) noexcept nogil
    cdef const uint64_t *columns_having(self, Frame *f, int feature) noexcept nogil
    cdef void legal_begin(self, const Position *P, Legal *legal) noexcept nogil
    cdef void legal_block(self, const Position *P, Legal *legal) noexcept nogil
    cdef int frame_features(self, Frame *frame, const uint64_t *needs) noexcept nogil
    cdef int legal_next(self, const Position *P, Legal *legal, int most, int32_t *out) noexcept nogil
    cdef int most_classes(self, const Position *P, int floor, int best) noexcept nogil
    cdef void fill(self, const Frame *f, const int32_t *B, int n, const int32_t *source, int m, uint8_t *data,
                   size_t stride) noexcept nogil
    cdef int64_t low_within(self, int n, int d, int reach) noexcept nogil
    cdef int idle(self, int n, int d, int k, int64_t need) noexcept nogil
    cdef int least_classes(self, int n, int d, int reach, int64_t budget, int member) noexcept nogil
    cdef int restrict(self, const Position *P, Position *out, Frame *frame) noexcept nogil
    cdef int64_t floor(self, const Position *P, int d) noexcept nogil
    cdef int64_t least_with(self, const Position *P, int classes, int answer) noexcept nogil
    cdef bint split_family(self, const Position *P, int d) noexcept nogil
    cdef int symmetries(self, const Position *P, Symmetries *out) noexcept nogil
    cdef bint repeats(self, const Position *P, const Symmetries *same, int guess) noexcept nogil
    cdef int shares(self, const Position *P, const Frame *f, int d, Shares *out) noexcept nogil
    cdef bint too_dear(self, const Position *P, Shares *s, const Candidate *g, int d, int64_t budget) noexcept nogil
    cdef int64_t cheap_sum(self, const Position *P, Partition *p, int d, int64_t budget,
                           int *height) noexcept nogil
    cdef int64_t finish(self, Partition *p, int64_t total, int d, int64_t budget, int *height) noexcept nogil
    cdef int64_t raise_bounds(self, Partition *p, int64_t total, int d, int64_t budget) noexcept nogil
    cdef int64_t search_classes(self, Partition *p, int64_t total, int d, int64_t budget, int least,
                                int most) noexcept nogil
    cdef int64_t dearest(self, const Position *P, int d) noexcept nogil
    cdef int nest(self, const Position *P, int least, int32_t *B, int *sizes) noexcept nogil
    cdef bint part_fails(self, const Position *P, int d) noexcept nogil
    cdef int64_t value(self, const Position *P, int d, int64_t budget, int *height) noexcept nogil
    cdef int64_t node(self, const Position *P, int d, int64_t budget, int *height) noexcept nogil
    cdef int compact(self, const Frame *f, const int32_t *B, int n, int *done, uint16_t *counts,
                     Frame *out) noexcept nogil
    cdef void gather(self, const Frame *f, const int32_t *B, int n, const int32_t *source, int m, uint8_t *data,
                     size_t stride, Frame *out) noexcept nogil
    cdef int64_t leave(self, arena_mark_t mark, key128 key, int64_t value, bint exact, int height, bint counted,
                       int n) noexcept nogil
    cdef int mark_members(self, const int32_t *B, int n) noexcept nogil
    cdef int whole(self, Position *P) except -1
    cdef int check_guess(self, int guess) except -1
    cdef int check_stopped(self) except -1
