from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

def fail_allocation(after: int) -> int: ...

class GameTables:
    answers: int
    guesses: int
    winning_code: int
    rules: int
    matrix: npt.NDArray[Any]
    def __init__(
        self,
        matrix: npt.NDArray[Any],
        answer_guess: npt.NDArray[np.int32],
        winning_code: int,
        *,
        letters: npt.NDArray[np.int32] | None = None,
        digits: npt.NDArray[np.uint8] | None = None,
        replies: npt.NDArray[Any] | None = None,
        symbols: npt.NDArray[np.uint8] | None = None,
    ) -> None: ...
    def least_totals(self, classes: int, max_guesses: int) -> npt.NDArray[np.int64]: ...
    def is_answer(self, guess: int) -> bool: ...
    def spread(self, guesses: Sequence[int]) -> npt.NDArray[np.int64]: ...
    def alike_together(self, guesses: Sequence[int]) -> npt.NDArray[np.int64]: ...
    def alike_pairs(self) -> npt.NDArray[np.int32]: ...
    def class_counts(
        self, guesses: npt.NDArray[np.int32], answers: npt.NDArray[np.int32]
    ) -> npt.NDArray[np.uint16]: ...
