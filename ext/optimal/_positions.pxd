from optimal._team cimport TeamSearch
from optimal.headers cimport position_t


cdef class PositionSearch(TeamSearch):
    cdef readonly tuple history
    cdef position_t whole     # the start of the game
    cdef position_t start     # the position after the history; both lie at the bottom of the arena
    cdef int begin(self) except -1
