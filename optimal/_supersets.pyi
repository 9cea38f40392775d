import numpy as np
import numpy.typing as npt

from optimal._board import Board

class Supersets:
    board: Board
    positions: int
    subsets: int
    least: int
    used: int
    def __init__(self, board: Board, digits: npt.NDArray[np.uint8], least: int) -> None: ...
    def collect(self, openers: npt.NDArray[np.int32], ratio: float) -> None: ...
    def levels(self, uses: int, touches: int) -> list[npt.NDArray[np.int32]]: ...
    def measure(self, which: npt.NDArray[np.int32]) -> None: ...
