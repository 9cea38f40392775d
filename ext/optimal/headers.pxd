# What the extension modules use of the C headers in ext/. Each header opens with what it is for.

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef extern from "memory.h" nogil:
    long allocations_left
    void *checked_malloc(size_t size)
    void *checked_aligned(size_t size)
    void free_aligned(void *memory)
    void *checked_calloc(size_t count, size_t size)
    void *checked_realloc(void *old, size_t size)

cdef extern from "arena.h" nogil:
    ctypedef struct arena_t:
        pass
    ctypedef struct arena_mark_t:
        pass
    void arena_init(arena_t *a)
    void arena_free(arena_t *a)
    arena_mark_t arena_mark(const arena_t *a)
    void arena_release(arena_t *a, arena_mark_t m)
    void arena_trim(arena_t *a)

cdef extern from "vectors.h" nogil:
    int64_t OPTIMAL_LOAD(int64_t *p)
    void OPTIMAL_STORE(int64_t *p, int64_t v)

cdef extern from "kernels.h" nogil:
    enum: BLOCK
    enum: CODES_MOST
    ctypedef struct marks_t:
        uint32_t *mark
        uint32_t now
    size_t TILE_BYTES(int n)
    void count_list(const uint8_t *by_guess, int width, size_t stride, const int32_t *cols, int m, const int32_t *idx,
                    int n, marks_t *marks, uint16_t *out)

cdef extern from "depths.h" nogil:
    enum: DEPTHS_INFEASIBLE, DEPTHS_LAYERS
    ctypedef struct depths_t:
        int most, split_most
        int32_t *low
    size_t depths_at(const depths_t *t, int d, int split_most, int n)
    int depths_init(depths_t *t, int answers, int split_most, const int32_t *capacity, int patterns)
    void depths_free(depths_t *t)

cdef extern from "table.h" nogil:
    enum: NO_GUESS
    ctypedef struct key128:
        uint64_t lo
        uint64_t hi
    ctypedef struct entry_t:
        int64_t value
        uint8_t exact
        uint8_t counted
        uint16_t height
        uint16_t guess
    ctypedef struct table_t:
        size_t max_slots
    ctypedef struct memo_t:
        pass
    int table_init(table_t *t, size_t slots, size_t max_slots)
    void table_free(table_t *t)
    entry_t *table_find(table_t *t, key128 key)
    void table_store(table_t *t, key128 key, int64_t value, int exact, int height, int guess, int counted, int size)
    int memo_init(memo_t *m, size_t slots)
    void memo_free(memo_t *m)
    uint64_t splitmix64(uint64_t *state)

cdef extern from "shared.h" nogil:
    ctypedef struct lock_t:
        void *handle
        int (*take)(void *handle, int wait) noexcept nogil
        void (*leave)(void *handle) noexcept nogil
    enum: SHARED_PARTS
    ctypedef struct shared_table_t:
        lock_t *lock
        table_t *part
    void lock_init(lock_t *l)
    void lock_take(lock_t *l)
    void lock_leave(lock_t *l)
    bint shared_find(shared_table_t *t, key128 key, entry_t *out)
    void shared_store(shared_table_t *t, key128 key, int64_t value, int exact, int height, int guess, int counted,
                      int size)

cdef extern from "game.h" nogil:
    enum: NORMAL
    enum: HARD
    enum: ULTRA_HARD
    enum: SAMPLE
    enum: LIKEST
    ctypedef struct frame_t:
        int blocks
        const uint8_t **row
        const int32_t *guess
        const int32_t *column
        const uint16_t *cap
        const uint64_t *needs
        uint64_t *having
        uint8_t *ready
    ctypedef struct game_t:
        int answers
        int guesses
        int winning_code
        int rules
        int width
        const uint8_t *codes
        const int32_t *answer_guess
        const int32_t *answer_of
        const uint64_t *zobrist
        frame_t root
        const uint8_t *sample
        uint16_t *likest
        uint8_t *likest_state
        int split_most
        int split_off
        depths_t depths
        int length
        const int32_t *letter
        const int32_t *family
        int letters
        int families
        int symmetric
        int places
        const uint8_t *symbols
        int feature_words
        const uint64_t *features
        const int32_t *place_feature
        const int32_t *copies_feature
        const uint8_t *digits
        const uint8_t *replies
    int game_code(const game_t *g, int guess, int answer)
    uint64_t game_symbols(const game_t *g, int guess)
    void game_ask(const game_t *g, int guess, int code, uint64_t *needs)

cdef extern from "lists.h" nogil:
    ctypedef struct list_t:
        int room
        int listed
        int tail
        int most
        uint16_t *guesses
        uint8_t *counts
    ctypedef struct listing_t:
        int sets
    void list_free(list_t *l)
    int listing_init(listing_t *l, const game_t *g, list_t **list, int sets)
    void listing_put(listing_t *l, int set, int answer)
    int listing_fill(listing_t *l, const int64_t *stop)
    void listing_free(listing_t *l)

cdef extern from "likeness.h" nogil:
    enum: LIKE_MOST
    ctypedef struct likeness_t:
        pass
    int likeness_init(likeness_t *l, int answers)
    void likeness_free(likeness_t *l)

cdef extern from "nogoods.h" nogil:
    ctypedef struct nogood_t:
        const int32_t *answers
        int n
        int left
    ctypedef struct nogoods_t:
        const nogood_t *all
        int count
    int nogoods_init(nogoods_t *q, int answers)
    void nogoods_free(nogoods_t *q)

cdef extern from "costs.h" nogil:
    const int64_t COST_INF
    ctypedef struct costs_t:
        const int64_t *weights
        int unit
        int uniform
        int64_t each
        int by
        int64_t late
    int64_t cost_weight(const costs_t *c, int answer)
    int64_t cost_add(int64_t a, int64_t b)
    int64_t cost_trivial(const costs_t *c, const int32_t *B, int n, int d, int t)

cdef extern from "testing.h" nogil:
    int TUNED(int usual, int small)

cdef extern from "shortcuts.h" nogil:
    enum: SPLITS
    enum: COUNTS
    enum: TABLE
    enum: FREE_FIRST
    enum: FREE_FIRST_NUMBER
    enum: DEPTHS
    enum: SYMMETRY
    enum: PARTS
    enum: PARTS_NUMBER
    enum: CEILING_NUMBER
    enum: NOGOODS
    enum: MEMBERS
    enum: SHORTCUTS_MANY
    ctypedef struct shortcut_t:
        const char *name
        const char *asked
        const char *settled
    const shortcut_t *shortcut_text
    ctypedef struct tally_t:
        uint64_t asked
        uint64_t settled
        uint64_t paid
        uint64_t wasted

cdef extern from "search.h" nogil:
    enum: FREE
    enum: DEEPEST
    enum: TABLE_LEAST
    enum: TABLE_LEAST_WEIGHED
    enum: MEMO_SLOTS
    enum: FREE_LOSSES
    ctypedef struct task_t:
        int64_t cancelled
        const task_t *outer
    ctypedef struct search_t
    ctypedef void (*signals_t)(search_t *s) noexcept nogil
    ctypedef struct search_t:
        const game_t *game
        costs_t costs
        table_t table
        shared_table_t *shared
        memo_t member_memo
        arena_t arena
        marks_t marks
        likeness_t likeness
        nogoods_t nogoods
        uint8_t *tile
        int32_t *class_size
        key128 *class_key
        int32_t *family_size
        int32_t *letter_count
        uint32_t *stamp
        int switches
        int table_least
        int larger_first
        int feasibility_only
        int level
        int stopped
        int out_of_memory
        int too_deep
        int64_t *stop_flag
        const task_t *task
        int looks_left
        uint64_t looks
        int64_t work
        signals_t check_signals
        tally_t *tally
        uint64_t nodes
        uint64_t count_calls
        uint64_t guesses_tried
    void *take(search_t *s, size_t size)
    void worked(search_t *s, int64_t codes)
    void guard_depth(search_t *s, int levels_to_come)
    void remember(search_t *s, key128 key, int64_t value, int exact, int height, int guess, int counted, int n)
    const entry_t *recall(search_t *s, key128 key, int n)

cdef extern from "position.h" nogil:
    ctypedef struct position_t:
        const frame_t *frame
        const int32_t *answers
        int n
        key128 set
        key128 past
        const uint64_t *needs
        int guess
        int code
        int depth
        uint64_t used
        const position_t *before
        int split_most
        int strict
    key128 set_key(const game_t *g, const int32_t *B, int n)
    key128 needs_key(const game_t *g, const uint64_t *needs)
    key128 hints_key(key128 past, int guess, int code)
    key128 position_key(const search_t *s, const position_t *P, int d)
    key128 guess_key(const search_t *s, const position_t *P, int d, int guess)
    position_t position_start(const game_t *g, const int32_t *answers, const uint64_t *needs)
    int one_less(int d)
    int guesses_that_bind(const position_t *P, int d)
    int guesses_before_last(const search_t *s, int n)

cdef extern from "frames.h" nogil:
    enum: FEATURES_MOST
    int restrict_position(search_t *s, const position_t *P, position_t *out, frame_t *frame)
    bint is_legal(const game_t *g, const position_t *P, int guess)

cdef extern from "counting.h" nogil:
    int best_member(search_t *s, const position_t *P)

cdef extern from "partition.h" nogil:
    ctypedef struct partition_t:
        int classes
        int failed
        position_t *position
        int64_t *low
        uint16_t *height
        uint8_t *exact
        uint8_t *counted
    int64_t class_fails(partition_t *p, int i)
    void class_settled(partition_t *p, int i, int64_t value, int height)
    int64_t raise_low(partition_t *p, int i, int64_t low, int64_t total)
    int split(search_t *s, const position_t *P, int guess, partition_t *p)

cdef extern from "notes.h" nogil:
    enum: NOTE_LOOKS
    enum: NOTE_STOPPED
    enum: NOTE_LEAST
    enum: NOTE_FROM
    enum: NOTE_PART
    enum: WHOLE
    int64_t NOTE_CODES
    int64_t POLL_WORK
    ctypedef struct under_way_t:
        const partition_t *p
        int d
        int done
        int noted
        under_way_t *outer

cdef extern from "families.h" nogil:
    int largest_family(search_t *s, const position_t *P, int *member, int *place)
    bint family_fits(search_t *s, const position_t *P, int d)

cdef extern from "parts.h" nogil:
    enum: PARTS_MOST
    bint parts_pay(const search_t *s, const position_t *P, int d, int64_t budget)
    int nested_parts(search_t *s, const position_t *P, int least, int32_t *B, int *sizes)

cdef extern from "bounds.h" nogil:
    ctypedef struct bound_t:
        int64_t low
        int exact
        int height
        int counted
    enum: MEMBERS_MOST
    int64_t dearest_tree(const search_t *s, const position_t *P, int d)
    int64_t value_by_members(search_t *s, const position_t *P, int d, int k, int *height)
    bound_t table_bound(search_t *s, const position_t *P, int d)
    bound_t count_bound(search_t *s, const position_t *P, int d, int64_t budget)

cdef extern from "infeasible.h" nogil:
    ctypedef struct nogoods_near_t:
        int count
    ctypedef struct failures_t:
        pass
    int failures_init(search_t *s, failures_t *f, int n)
    void failures_add(failures_t *f, const position_t *failed)
    bint failures_refute(const search_t *s, const failures_t *f, int guess)
    bint nogoods_refute(search_t *s, const nogoods_near_t *near, int guess)

cdef extern from "sums.h" nogil:
    enum: EARLY_LEAST
    enum: EARLY_MOST
    enum: EVEN_LEAST
    int64_t even_budget(int64_t low)
    int64_t take_bound(partition_t *p, int i, bound_t b, int64_t total)
    int64_t sum_trivial(search_t *s, const position_t *P, partition_t *p, int d, const int64_t *class_least)
    int64_t sum_table_bounds(search_t *s, const position_t *P, partition_t *p, int d, const int64_t *class_least,
                             int64_t budget, int *height)
    int64_t sum_count_bounds(search_t *s, partition_t *p, int64_t total, int d, int64_t budget)

cdef extern from "node.h" nogil:
    enum: SETTLED
    ctypedef struct guess_t:
        int64_t low
        int32_t guess
        int32_t member
    ctypedef struct node_t:
        const position_t *P
        int d
        int left
        int64_t budget
        key128 key
        arena_mark_t mark
        int64_t best
        int height
        int guess
        position_t legal
        nogoods_near_t *near
        int64_t *class_least
        guess_t *list
        int listed
        int to "to"
        int first "from"
        int upto
    void node_ask(search_t *s, node_t *N, const position_t *P, int d, int64_t budget)
    int node_best_member(search_t *s, node_t *N)
    int node_restrict(search_t *s, node_t *N)
    int node_sort(search_t *s, node_t *N)
    void node_sort_to(node_t *N, int to)
    int node_sizes(search_t *s, node_t *N)
    void node_likely_first(search_t *s, node_t *N, int many, const int64_t *likely_cost)
    int node_open(search_t *s, node_t *N, const position_t *P, int d, int64_t budget)
    int node_bound(search_t *s, node_t *N)
    int node_list(search_t *s, node_t *N)
    int node_prepare(search_t *s, node_t *N)
    int node_next_wave(search_t *s, node_t *N)
    int node_bound_wave(search_t *s, node_t *N)
    int node_list_least(search_t *s, node_t *N, const position_t *P, int d, int64_t V)
    void node_learn(search_t *s, const node_t *N, const partition_t *p)
    int node_split(search_t *s, const node_t *N, const guess_t *c, partition_t *p)
    int node_settle(search_t *s, node_t *N, int64_t value)
    void node_found(node_t *N, const guess_t *c, int64_t value, int height)
    int64_t node_close(search_t *s, node_t *N)

cdef extern from "team.h" nogil:
    enum: OFFER_LEAST
    enum: BOUND_GUESSES
    enum: SEARCH_GUESSES
    enum: CHOOSE_GUESS
    ctypedef struct offer_t:
        task_t task
        int kind
        node_t *N
        int level
        int feasibility_only
        int settled
        int failed
        int out_of_memory
        int too_deep
        int64_t best
        int64_t value
        int lowest
        int place
        int least
    ctypedef struct team_t:
        lock_t lock
        int least
        int at_work
        shared_table_t values
        shared_table_t canonical
    void offer_make(team_t *t, const search_t *s, offer_t *o, node_t *N, int kind, int first, int upto)
    offer_t *offer_join(team_t *t, const task_t *task)
    bint offer_take(team_t *t, offer_t *o, int *first, int *upto)
    void offer_found(team_t *t, offer_t *o, const node_t *M, int settled)
    int offer_too_high(team_t *t, offer_t *o, int place)
    void offer_choose(team_t *t, offer_t *o, int place, int height)
    void offer_fail(team_t *t, const search_t *s, offer_t *o)
    void offer_leave(team_t *t, offer_t *o)
    bint offer_withdraw(team_t *t, offer_t *o)
    void offer_close(const offer_t *o, int first, int upto)
    int offer_copy(search_t *s, const offer_t *o, node_t *M, frame_t *frame)
