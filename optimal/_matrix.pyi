import numpy as np
import numpy.typing as npt

ANSWER_LANE: int

def word_matrix_8(
    guesses: npt.NDArray[np.uint8], answers: npt.NDArray[np.uint8], out: npt.NDArray[np.uint8]
) -> None: ...
def word_matrix_16(
    guesses: npt.NDArray[np.uint16], answers: npt.NDArray[np.uint16], out: npt.NDArray[np.uint16]
) -> None: ...
def peg_matrix(
    guesses: npt.NDArray[np.uint8],
    guess_counts: npt.NDArray[np.uint8],
    answers: npt.NDArray[np.uint8],
    answer_counts: npt.NDArray[np.uint8],
    out: npt.NDArray[np.uint8],
) -> None: ...
