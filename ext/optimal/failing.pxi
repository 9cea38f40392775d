# For every module that takes memory: memory.h counts each module's allocations apart.

def fail_allocation(long after):
    """For tests: let this module's allocation fail that comes after so many more; -1 for none. Returns what was left
    of the number before, -1 once that allocation has failed."""
    left = headers.allocations_left
    headers.allocations_left = after
    return left
