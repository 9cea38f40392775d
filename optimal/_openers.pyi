from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from optimal._canonical import CanonicalSearch
from optimal._game import GameTables
from optimal._search import Control
from optimal._supersets import Supersets

def fail_allocation(after: int) -> int: ...

class OpenerSearch(CanonicalSearch):
    supersets: Supersets | None
    def __init__(
        self,
        tables: GameTables,
        control: Control,
        supersets: Supersets | None = None,
        history: Iterable[tuple[int, int]] = (),
        weights: npt.NDArray[np.int64] | None = None,
        by: int = -1,
        late: int = 0,
        *,
        off: int = 0,
        table_slots: int = ...,
        max_slots: int = ...,
        main_thread: bool = False,
    ) -> None: ...
    def opener(self, guess: int, max_guesses: int, budget: int) -> tuple[int, int]: ...
    def use(self, supersets: Supersets | None) -> None: ...
    def opener_slice(self, guess: int, max_guesses: int, budget: int, looks: int) -> tuple[int, bool]: ...
    def class_bounds(self, guess: int, max_guesses: int) -> tuple[int, list[tuple[int, int, int]]]: ...
    def class_value(self, guess: int, code: int, max_guesses: int, budget: int) -> int: ...
    def learn(
        self,
        history: Iterable[tuple[int, int]],
        left: int,
        value: int,
        exact: int,
        height: int,
        guess: int,
        counted: int,
    ) -> None: ...
    def quick_bound(self, guess: int, max_guesses: int) -> int: ...
