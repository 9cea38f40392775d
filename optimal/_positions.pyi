from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from optimal._game import GameTables
from optimal._search import Control
from optimal._team import TeamSearch

def fail_allocation(after: int) -> int: ...

class PositionSearch(TeamSearch):
    history: tuple[tuple[int, int], ...]
    def __init__(
        self,
        tables: GameTables,
        control: Control,
        weights: npt.NDArray[np.int64] | None = None,
        by: int = -1,
        late: int = 0,
        history: Iterable[tuple[int, int]] = (),
        *,
        off: int = 0,
        table_slots: int = ...,
        max_slots: int = ...,
        main_thread: bool = False,
    ) -> None: ...
    @property
    def candidates(self) -> npt.NDArray[np.int32]: ...
    def legal_guesses(self) -> npt.NDArray[np.int32]: ...
    def lower_bound(self, max_guesses: int) -> int: ...
    def feasible(self, answers: npt.NDArray[np.int32], max_guesses: int) -> bool: ...
