"""What the binding uses of the C of games, ext/search/engine.h."""

cdef extern from "search/engine.h" nogil:
    long allocations_left
    enum: BLOCK, CODES_MOST, NO_GUESS, FEATURES_MOST, DEEPEST, FREE, WHOLE, NORMAL, HARD, ULTRA_HARD
    enum: SIMILARITY, DEPTHS_LAYERS, DEPTHS_INFEASIBLE, SHARED_PARTS, SHORTCUTS_MANY, AGREED_MOST, ROUNDS_MOST, QUICK_PLAY, OFFER_LEAST, TIERS_MOST
    enum: LIKELY_UNITS, DONE, STOPPED, OUT_OF_MEMORY, TOO_DEEP
    const int64_t COST_INF
    int TUNED(int usual, int small)
    int64_t OPTIMAL_LOAD(int64_t *p)
    void OPTIMAL_STORE(int64_t *p, int64_t v)

    ctypedef struct marks_t:
        uint32_t *mark
        uint32_t now
    void count_list(const uint8_t *by_guess, int width, size_t stride, const int32_t *cols, int m, const int32_t *idx,
                    int n, marks_t *marks, uint16_t *out)

    ctypedef struct depths_t:
        int most, split_most
        int32_t *low
    size_t depths_at(const depths_t *t, int d, int split_most, int n)

    ctypedef struct frame_t:
        int blocks
        const int32_t *guess
    ctypedef struct game_t:
        int answers, guesses, winning_code, rules, width, length, families, symmetric
        const uint8_t *codes
        const int32_t *answer_of
        const int32_t *family
        uint16_t *classes
        frame_t root
        depths_t depths
    ctypedef struct game_source_t:
        int guesses, answers, winning_code, width, length, places
        const uint8_t *codes
        const int32_t *answer_guess
        const int32_t *letters
        const uint8_t *digits
        const uint8_t *replies
        const uint8_t *symbols
    int game_begin(game_t *g, const game_source_t *m)
    int game_count(game_t *g, int first, int end)
    int game_order(game_t *g)
    void game_transpose(game_t *g, int first, int end)
    int game_finish(game_t *g, const game_source_t *m)
    void game_free(game_t *g)
    int game_code(const game_t *g, int guess, int answer)

    ctypedef struct key128:
        uint64_t lo, hi
    ctypedef struct table_t:
        pass
    int table_init(table_t *t, size_t slots, size_t max_slots)
    void table_free(table_t *t)
    ctypedef struct entry_t:
        int64_t value
        uint8_t exact, counted
        uint16_t height, guess
    ctypedef struct costs_t:
        const int64_t *weights
        int unit, uniform, by, final
        int64_t each, late
    int64_t cost_trivial(const costs_t *c, const int32_t *B, int n, int d, int t)
    ctypedef struct shortcut_t:
        const char *name
        const char *without
        const char *asked
        const char *settled
    const shortcut_t *shortcut_text
    ctypedef struct tally_t:
        uint64_t asked, settled, paid, wasted
    ctypedef struct nogood_t:
        const int32_t *answers
        int n, left
    ctypedef struct nogoods_t:
        const nogood_t *all
        int count

    ctypedef struct position_t:
        const frame_t *frame
        const int32_t *answers
        int n, guess, code, depth
        key128 set
        const position_t *before
    key128 set_key(const game_t *g, const int32_t *B, int n)
    ctypedef struct partition_t:
        int classes
        position_t *position
        int64_t *low
    int class_of(const partition_t *p, int code)
    int split(search_t *s, const position_t *P, int guess, partition_t *p)
    ctypedef struct step_t:
        int guess, code
    ctypedef struct arena_mark_t:
        pass
    ctypedef struct arena_t:
        int failed
    arena_mark_t arena_mark(const arena_t *a)
    void arena_release(arena_t *a, arena_mark_t m)

    ctypedef struct hooks_t:
        void (*record)(search_t *s, const position_t *P, int d, int guess, const entry_t *e) noexcept nogil
        void (*signals)(search_t *s) noexcept nogil
        void (*pause)(search_t *s) noexcept nogil
        void *self
    ctypedef struct search_t:
        const game_t *game
        costs_t costs
        hooks_t hooks
        arena_t arena
        nogoods_t nogoods
        tally_t *tally
        const position_t *whole
        const position_t *start
        search_t *plain
        const supersets_t *supersets
        int64_t *stop_flag
        int stopped, too_deep, feasibility_only, units_left, switches, level, helped
        uint64_t nodes, count_calls, guesses_tried
    int search_begin(search_t *s, const game_t *g, int off, size_t slots, size_t max_slots, const step_t *step, int steps)
    int search_done(search_t *s)
    void search_free(search_t *s)

    ctypedef struct bound_t:
        int64_t low
    bound_t counted_low(search_t *s, const position_t *P, int d, int64_t budget)
    int64_t sum_table_bounds(search_t *s, const position_t *P, partition_t *p, int d, const int64_t *class_least,
                             int64_t budget, int *height)
    int64_t sum_count_bounds(search_t *s, partition_t *p, int64_t total, int d, int64_t budget)
    int64_t value(search_t *s, const position_t *P, int d, int64_t budget, int *height)
    int64_t opener_value(search_t *s, int guess, int d, int64_t budget, int *height)
    int64_t opener_quick_bound(search_t *s, int guess, int d)
    int64_t beam_opener(search_t *s, int guess, int d, int round, int64_t budget, int *failed)
    int64_t best_guess(search_t *s, int d, int64_t budget, int *guess, int *height)
    int canonical_guess(search_t *s, const position_t *P, int d, int *height)
    int canonical_height(search_t *s, partition_t *p, int d, int most)
    int likely_guess(search_t *s, const position_t *P, int d)
    int tree_split(search_t *s, const position_t *P, int guess, position_t *legal, frame_t *frame, partition_t *p)
    const char *import_record(search_t *s, const step_t *step, int steps, int left, const entry_t *e)
    int guesses_after(int d)

    ctypedef struct lock_t:
        void *handle
        int (*take)(void *handle, int wait) noexcept nogil
        void (*leave)(void *handle) noexcept nogil
    void lock_init(lock_t *l)
    void lock_take(lock_t *l)
    void lock_leave(lock_t *l)
    ctypedef struct shared_table_t:
        lock_t *lock
        table_t *part
    ctypedef struct values_t:
        shared_table_t *shared
    ctypedef struct team_t:
        lock_t lock
        int least, patience, at_work
        shared_table_t values
        shared_table_t canonical
    void team_join(search_t *s, team_t *team)
    void team_assist(search_t *s)

    ctypedef struct top_guesses_t:
        int room, listed, tail, most
        uint16_t *guesses
        uint8_t *counts
    ctypedef struct superset_t:
        int32_t uses, touches, subset
        top_guesses_t list
    ctypedef struct supersets_t:
        int codes, least, subsets, used
        int *room
        uint8_t *width
        superset_t *sets
    int supersets_init(supersets_t *x, const game_t *g, const uint8_t *digits, int codes, int length, int least)
    void supersets_free(supersets_t *x)
    int supersets_collect(supersets_t *x, int opener, double ratio)
    int supersets_measure(const supersets_t *x, const int32_t *which, int many, const int64_t *stop)
    bint superset_holds(const supersets_t *x, const superset_t *set, int answer)
