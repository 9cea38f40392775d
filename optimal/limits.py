"""Limits of sizes and numbers."""

#: Most guesses, or answers, of a game: indices and counts of classes have 16 bits.
LONGEST_LIST = 65_535
#: The greatest feedback code: a matrix has 16 bits for each.
MOST_CODE = 65_535
#: The limit of guesses of word games, unless another is given.
DEFAULT_LIMIT = 6
#: A tree file has 64 bits for the limit of guesses.
LARGEST_LIMIT = 2**64 - 1
#: A cost that means: there is no tree. All costs are below it, as far as the engine counts.
INFEASIBLE = 1 << 62
MOST_JOBS = 1024
#: About 31 years. Timers fail at a few times that.
MOST_SECONDS = 10**9
LEAST_MEMORY, MOST_MEMORY = 1 << 20, 1 << 62
