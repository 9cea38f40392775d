"""How large what is counted and kept may be."""

#: Guesses, or answers, of a game at most: indices and counts of classes are kept in 16 bits.
LONGEST_LIST = 65_535
#: Feedback codes go up to this: a matrix keeps them in 16 bits.
MOST_CODE = 65_535
#: A tree file keeps the limit of guesses in 64 bits.
LARGEST_LIMIT = 2**64 - 1
#: Costs stay below this, which stands for: there is no tree. The engine counts as far.
INFEASIBLE = 1 << 62
MOST_JOBS = 1024
#: Some 31 years. Timers count no further than to a few times that.
MOST_SECONDS = 10**9
LEAST_MEMORY, MOST_MEMORY = 1 << 20, 1 << 62
