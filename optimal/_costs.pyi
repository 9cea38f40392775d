from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from optimal._board import Board
from optimal._openers import OpenerSearch
from optimal._search import Control

class CostSearch(OpenerSearch):
    def __init__(
        self,
        board: Board,
        control: Control,
        weights: npt.NDArray[np.int64],
        by: int = -1,
        late: int = 0,
        history: Iterable[tuple[int, int]] = (),
        *,
        off: int = 0,
        table_slots: int = ...,
        max_slots: int = ...,
        main_thread: bool = False,
    ) -> None: ...
