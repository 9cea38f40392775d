from cpython.pythread cimport PyThread_type_lock

from optimal._search cimport Searcher
from optimal.headers cimport node_t, offer_t, task_t, team_t


cdef class Team:
    cdef team_t t
    cdef int patience              # pauses between making an offer and beginning with it
    cdef PyThread_type_lock bell   # which never rings: to wait for some microseconds


cdef class TeamSearch(Searcher):
    cdef readonly Team team
    cdef readonly int helped       # offers of others that it took part in
    cdef int pauses
    cdef bint share(self, offer_t *o, node_t *N, int kind, int first, int upto) noexcept nogil
    cdef void work_on(self, offer_t *o, node_t *M) noexcept nogil
    cdef void take_part(self, offer_t *o, node_t *M, int first, int upto) noexcept nogil
    cdef bint help(self, const task_t *task) noexcept nogil
    cdef void pause(self) noexcept nogil
