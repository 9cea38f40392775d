"""Feedback matrices, built row by row: matrix[g, a] is the code of guess g when the answer is a."""

cdef extern from "counting/scoring.h" nogil:
    void score_word_list(const uint8_t *guesses, size_t m, const uint8_t **answers, int length, size_t n, uint8_t *out)
    void score_words_16(const uint16_t *guess, const uint16_t **answers, int length, size_t n, uint16_t *out)
    void score_pegs(const uint8_t *guess, const uint8_t *guess_counts, const uint8_t **answers,
                    const uint8_t **counts, int pegs, int colours, size_t n, uint8_t *out)
    enum:
        MAX_LENGTH
        LANE

ANSWER_LANE = LANE  # answer arrays are padded to a multiple of this


def word_matrix_8(const uint8_t[:, ::1] guesses, const uint8_t[:, ::1] answers, uint8_t[:, ::1] out):
    """Score words of up to 5 letters: guesses (m, length), answers (length, n padded to a multiple of
    ANSWER_LANE) by position, out (m, n)."""
    cdef Py_ssize_t g, length = guesses.shape[1], n = out.shape[1]
    cdef const uint8_t *by_position[MAX_LENGTH]
    _check(guesses.shape[0], length, answers.shape[0], answers.shape[1], out.shape[0], n, 5)
    if n == 0:
        return
    for g in range(length):
        by_position[g] = &answers[g, 0]
    if guesses.shape[0]:
        with nogil:
            score_word_list(&guesses[0, 0], guesses.shape[0], by_position, <int>length, n, &out[0, 0])


def word_matrix_16(const uint16_t[:, ::1] guesses, const uint16_t[:, ::1] answers, uint16_t[:, ::1] out):
    """Score words of up to 10 letters, or alphabets of more than 256 letters; shapes as word_matrix_8."""
    cdef Py_ssize_t g, length = guesses.shape[1], n = out.shape[1]
    cdef const uint16_t *by_position[MAX_LENGTH]
    _check(guesses.shape[0], length, answers.shape[0], answers.shape[1], out.shape[0], n, MAX_LENGTH)
    if n == 0:
        return
    for g in range(length):
        by_position[g] = &answers[g, 0]
    with nogil:
        for g in range(guesses.shape[0]):
            score_words_16(&guesses[g, 0], by_position, <int>length, n, &out[g, 0])


def peg_matrix(const uint8_t[:, ::1] guesses, const uint8_t[:, ::1] guess_counts,
               const uint8_t[:, ::1] answers, const uint8_t[:, ::1] answer_counts, uint8_t[:, ::1] out):
    """Score pegs: guesses (m, pegs), guess_counts (m, colours), answers (pegs, padded n), answer_counts
    (colours, padded n)."""
    cdef Py_ssize_t g, pegs = guesses.shape[1], colours = guess_counts.shape[1], n = out.shape[1]
    cdef const uint8_t *by_position[MAX_LENGTH]
    cdef const uint8_t *by_colour[64]
    _check(guesses.shape[0], pegs, answers.shape[0], answers.shape[1], out.shape[0], n, MAX_LENGTH)
    if colours > 64 or answer_counts.shape[0] != colours or answer_counts.shape[1] != answers.shape[1] \
            or guess_counts.shape[0] != guesses.shape[0]:
        raise ValueError("peg_matrix: count arrays do not fit the guesses and answers")
    if n == 0:
        return
    for g in range(pegs):
        by_position[g] = &answers[g, 0]
    for g in range(colours):
        by_colour[g] = &answer_counts[g, 0]
    with nogil:
        for g in range(guesses.shape[0]):
            score_pegs(&guesses[g, 0], &guess_counts[g, 0], by_position, by_colour, <int>pegs, <int>colours, n,
                       &out[g, 0])


cdef int _check(Py_ssize_t m, Py_ssize_t length, Py_ssize_t answer_length, Py_ssize_t padded,
                Py_ssize_t out_m, Py_ssize_t n, Py_ssize_t longest) except -1:
    if not 1 <= length <= longest or answer_length != length or out_m != m or padded % LANE or padded < n:
        raise ValueError(f"feedback matrix: shapes do not fit, or words are longer than {longest}")
    return 0
