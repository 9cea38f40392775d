from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from optimal._board import Board
from optimal._search import Control, Searcher
from optimal._supersets import Supersets

class OpenerSearch(Searcher):
    supersets: Supersets | None
    history: tuple[tuple[int, int], ...]
    def __init__(
        self,
        board: Board,
        control: Control,
        supersets: Supersets | None = None,
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
    def opener(self, guess: int, max_guesses: int, budget: int) -> tuple[int, int]: ...
    def feasible(self, answers: npt.NDArray[np.int32], max_guesses: int) -> bool: ...
    def quick_bound(self, guess: int, max_guesses: int) -> int: ...
    def lower_bound(self, max_guesses: int) -> int: ...
    def best(self, max_guesses: int, budget: int = ...) -> tuple[int, int, int]: ...
    def opener_height(self, guess: int, max_guesses: int) -> int: ...
    def tree(self, guess: int, max_guesses: int) -> list[Any]: ...
