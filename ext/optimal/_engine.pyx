"""The engine for Python: who owns what, errors, the GIL, lists and arrays. The search itself is C.

The parts: engine.pxi declares the C of games, game.pxi binds the tables of a game and its supersets, team.pxi what threads
share, search.pxi the search of a game, keys.pxi that of a table of questions, shares.pxi of one of cells that vary, matrix.pxi the scoring of feedback.
"""

from cpython.pythread cimport (
    WAIT_LOCK,
    PyThread_acquire_lock,
    PyThread_allocate_lock,
    PyThread_free_lock,
    PyThread_release_lock,
    PyThread_type_lock,
)
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

import numpy as np


cdef extern from "Python.h":
    int PyErr_CheckSignals() except -1

cdef extern from "pythread.h" nogil:
    int PyThread_acquire_lock_timed(PyThread_type_lock lock, long long microseconds, int interruptible)


include "engine.pxi"

INFEASIBLE = COST_INF
NO_LIMIT = FREE
#: Whether this build has small thresholds, for tests (testing.h).
SMALL = TUNED(0, 1) == 1


def fail_allocation(long after):
    """For tests: let the allocation fail that comes after so many more; -1 for none. Returns what was left of the number
    before, -1 once that allocation has failed."""
    global allocations_left
    left = allocations_left
    allocations_left = after
    return left


cdef int only_once(bint *made) except -1:
    """C holds pointers into what is made: so nothing is made twice."""
    if made[0]:
        raise ValueError("this was made already")
    made[0] = True
    return 0


class Stopped(Exception):
    """The search was told to stop before it was done."""


cdef class Control:
    """What running searches share: the incumbent and a stop flag, in memory the caller owns.

    ``cells`` is an int64 array of two: the cost to beat, and non-zero to stop. It may be a memory map shared by
    processes.
    """
    cdef int64_t[::1] cells
    cdef bint made

    def __init__(self, cells):
        only_once(&self.made)
        self.cells = cells
        if self.cells.shape[0] != 2:
            raise ValueError("Control needs two cells")

    @property
    def incumbent(self):
        return OPTIMAL_LOAD(&self.cells[0])

    @incumbent.setter
    def incumbent(self, int64_t value):
        OPTIMAL_STORE(&self.cells[0], value)

    @property
    def stopped(self):
        return OPTIMAL_LOAD(&self.cells[1]) != 0

    def stop(self):
        OPTIMAL_STORE(&self.cells[1], 1)


include "game.pxi"
include "team.pxi"
include "search.pxi"
include "keys.pxi"
include "shares.pxi"
include "matrix.pxi"
