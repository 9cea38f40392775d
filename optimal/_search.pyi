import numpy as np
import numpy.typing as npt

from optimal._game import GameTables

INFEASIBLE: int
NO_LIMIT: int
SMALL: bool
SWITCHES: dict[str, int]
COUNTED: dict[str, tuple[str, str]]
RULES: dict[str, int]

def fail_allocation(after: int) -> int: ...

#: (history, guesses left, value, exact, height, guess, counted)
Note = tuple[tuple[tuple[int, int], ...], int, int, int, int, int, int]

class Stopped(Exception): ...

class Control:
    incumbent: int
    def __init__(self, cells: npt.NDArray[np.int64]) -> None: ...
    @property
    def stopped(self) -> bool: ...
    def stop(self) -> None: ...

class Searcher:
    tables: GameTables
    control: Control
    main_thread: bool
    def __init__(
        self,
        tables: GameTables,
        control: Control,
        weights: npt.NDArray[np.int64] | None = None,
        by: int = -1,
        late: int = 0,
        *,
        off: int = 0,
        table_slots: int = ...,
        max_slots: int = ...,
        main_thread: bool = False,
    ) -> None: ...
    def take_notes(self, wanted: bool = True) -> None: ...
    def noted(self) -> list[Note]: ...
    @property
    def nodes(self) -> int: ...
    @property
    def count_calls(self) -> int: ...
    @property
    def guesses_tried(self) -> int: ...
    @property
    def tallies(self) -> dict[str, tuple[int, int, int, int]]: ...
    @property
    def nogoods(self) -> list[tuple[tuple[int, ...], int]]: ...
