import numpy as np
import numpy.typing as npt

from optimal._board import Board

INFEASIBLE: int
NO_LIMIT: int
SWITCHES: dict[str, int]
RULES: dict[str, int]

class Stopped(Exception): ...

class Control:
    incumbent: int
    def __init__(self, cells: npt.NDArray[np.int64]) -> None: ...
    @property
    def stopped(self) -> bool: ...
    def stop(self) -> None: ...

class Searcher:
    board: Board
    nodes: int
    count_calls: int
    guesses_tried: int
    @property
    def failed_parts(self) -> int: ...
    @property
    def idle_parts(self) -> int: ...
    def __init__(
        self,
        board: Board,
        control: Control,
        off: int = 0,
        table_slots: int = ...,
        max_slots: int = ...,
        main_thread: bool = False,
    ) -> None: ...
    @property
    def table_hits(self) -> int: ...
