import numpy as np
import numpy.typing as npt

from optimal._game import GameTables
from optimal._search import Control

LIST_MOST: tuple[int, ...]

def fail_allocation(after: int) -> int: ...

class Supersets:
    tables: GameTables
    positions: int
    subsets: int
    least: int
    used: int
    def __init__(self, tables: GameTables, digits: npt.NDArray[np.uint8], least: int) -> None: ...
    def collect(self, openers: npt.NDArray[np.int32], ratio: float) -> None: ...
    def worth(self, uses: int, touches: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]: ...
    def list_of(self, which: int) -> tuple[list[int], list[int], list[int], int, int]: ...
    def measure(self, which: npt.NDArray[np.int32], control: Control) -> None: ...
