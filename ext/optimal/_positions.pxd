from optimal._search cimport Searcher
from optimal.headers cimport position_t


cdef class PositionSearch(Searcher):
    cdef readonly tuple history
    cdef position_t whole     # the start of the game
    cdef position_t start     # the position after the history; both lie at the bottom of the arena
    cdef int begin(self) except -1
