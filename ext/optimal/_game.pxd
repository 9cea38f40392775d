from libc.stdint cimport int32_t, uint8_t, uint16_t, uint64_t

from optimal.headers cimport game_t


cdef class GameTables:
    cdef game_t game                           # what the headers work on; its pointers lead into the arrays below
    cdef readonly object matrix                # (guesses, answers), uint8 or uint16
    cdef readonly int answers, guesses, winning_code, rules
    cdef const int32_t[::1] answer_guess
    cdef int32_t[::1] answer_of
    cdef object by_answer                      # (answers, padded guesses), columns by falling class count
    cdef int32_t[::1] column_guess
    cdef const int32_t[::1] member_column      # answer -> column of its guess
    cdef const uint16_t[::1] column_count      # column -> classes over all answers
    cdef uint16_t[::1] cap
    cdef uint64_t[:, ::1] zobrist              # (answers, 2)
    cdef const uint8_t **root_rows
    cdef const uint8_t[:, ::1] sample          # (answers, SAMPLE)
    cdef uint16_t[:, ::1] likest               # (answers, LIKEST)
    cdef uint8_t[::1] likest_state             # (answers)
    cdef int32_t[:, ::1] letter, family        # (answers, length)
    cdef const uint8_t[:, ::1] symbols         # (guesses, places)
    cdef uint64_t[:, ::1] features             # (guesses, feature_words)
    cdef int32_t[:, ::1] place_feature, copies_feature  # (guesses, length)
    cdef object having                         # arrays of the root frame
    cdef const uint8_t[:, ::1] digits          # (codes, length)
    cdef object replies                        # (guesses, guesses)
