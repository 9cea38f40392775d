from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

ANSWER_LANE: int
INFEASIBLE: int
NO_LIMIT: int
MOST_TIERS: int
OFFERED_FROM: int
ROUNDS: int
QUICK: int
SMALL: bool
SWITCHES: dict[str, int]
WITHOUT: dict[str, str]
KEY_SWITCHES: dict[str, int]
KEY_WITHOUT: dict[str, str]
COUNTED: dict[str, tuple[str, str]]

Nested: TypeAlias = tuple[int, dict[int, Nested]]
#: (history, guesses left, value, exact, height, guess, counted)
Bounds = tuple[tuple[tuple[int, int], ...], int, int, int, int, int, int]

def fail_allocation(after: int) -> int: ...

class Stopped(Exception): ...

class Control:
    incumbent: int
    def __init__(self, cells: npt.NDArray[np.int64]) -> None: ...
    @property
    def stopped(self) -> bool: ...
    def stop(self) -> None: ...

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
        in_parts: Callable[[int, int, Callable[[int, int], object]], object] | None = None,
    ) -> None: ...
    @property
    def classes(self) -> npt.NDArray[np.uint16]: ...
    def least_totals(self, classes: int, max_guesses: int) -> npt.NDArray[np.int64]: ...
    def is_answer(self, guess: int) -> bool: ...
    def spread(self, guesses: Sequence[int]) -> npt.NDArray[np.int64]: ...
    def neighbours_together(self, guesses: Sequence[int]) -> npt.NDArray[np.int64]: ...
    def neighbour_pairs(self) -> npt.NDArray[np.int32]: ...
    def class_counts(
        self, guesses: npt.NDArray[np.int32], answers: npt.NDArray[np.int32]
    ) -> npt.NDArray[np.uint16]: ...
    def pair_classes(
        self, first: int, others: npt.NDArray[np.int32], least: npt.NDArray[np.int32]
    ) -> npt.NDArray[np.int32]: ...

class Supersets:
    tables: GameTables
    subsets: int
    used: int
    def __init__(self, tables: GameTables, digits: npt.NDArray[np.uint8], least: int, *, longest: int = 0) -> None: ...
    def collect(self, openers: npt.NDArray[np.int32], ratio: float) -> None: ...
    def worth(self, uses: int, touches: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]: ...
    def list_of(self, which: int) -> tuple[list[int], list[int], list[int], int, int]: ...
    def measure(self, which: npt.NDArray[np.int32], control: Control) -> None: ...

class Team:
    def __init__(self, max_slots: int = ..., least: int = ..., *, patience: int = 0) -> None: ...
    def begin(self, searches: int) -> None: ...
    def leave(self) -> None: ...

class Search:
    tables: GameTables
    control: Control
    supersets: Supersets | None
    team: Team | None
    history: tuple[tuple[int, int], ...]
    failed: int
    main_thread: bool
    def __init__(
        self,
        tables: GameTables,
        control: Control,
        supersets: Supersets | None = None,
        history: Iterable[tuple[int, int]] = (),
        weights: npt.NDArray[np.int64] | None = None,
        by: int = -1,
        late: int = 0,
        final: bool = False,
        *,
        off: int = 0,
        table_slots: int = ...,
        max_slots: int = ...,
        main_thread: bool = False,
    ) -> None: ...
    @property
    def helped(self) -> int: ...
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
    @property
    def candidates(self) -> npt.NDArray[np.int32]: ...
    def legal_guesses(self) -> npt.NDArray[np.int32]: ...
    def use(self, supersets: Supersets | None) -> None: ...
    def join(self, team: Team) -> None: ...
    def assist(self) -> None: ...
    def record_bounds(self, wanted: bool = True) -> None: ...
    def export_bounds(self) -> list[Bounds]: ...
    def import_bounds(
        self,
        history: Iterable[tuple[int, int]],
        left: int,
        value: int,
        exact: int,
        height: int,
        guess: int,
        counted: int,
    ) -> None: ...
    def opener(self, guess: int, max_guesses: int, budget: int) -> tuple[int, int]: ...
    def opener_slice(self, guess: int, max_guesses: int, budget: int, units: int) -> tuple[int, bool]: ...
    def quick_bound(self, guess: int, max_guesses: int) -> int: ...
    def class_bounds(self, guess: int, max_guesses: int) -> tuple[int, list[tuple[int, int, int]]]: ...
    def class_value(self, guess: int, code: int, max_guesses: int, budget: int) -> int: ...
    def beam_opener(self, guess: int, max_guesses: int, round: int, budget: int = ..., units: int = ...) -> int: ...
    def lower_bound(self, max_guesses: int) -> int: ...
    def feasible(self, answers: npt.NDArray[np.int32], max_guesses: int) -> bool: ...
    def best(self, max_guesses: int, budget: int = ...) -> tuple[int, int, int]: ...
    def opener_height(self, guess: int, max_guesses: int) -> int: ...
    def tree(self, guess: int, max_guesses: int) -> Nested: ...
    def likely_tree(self, guess: int, max_guesses: int) -> Nested | None: ...

class KeyTable:
    def __init__(self, max_slots: int) -> None: ...

class KeySearch:
    control: Control
    items: int
    questions: int
    def __init__(
        self,
        codes: npt.NDArray[np.uint16],
        weights: npt.NDArray[np.int64],
        groups: npt.NDArray[np.int32],
        costs: npt.NDArray[np.int64],
        control: Control,
        *,
        off: int = 0,
        table_slots: int = ...,
        max_slots: int = ...,
        shared: KeyTable | None = None,
        main_thread: bool = False,
    ) -> None: ...
    @property
    def nodes(self) -> int: ...
    @property
    def steps(self) -> int: ...
    def record_bounds(self, wanted: bool = True) -> None: ...
    def export_bounds(self) -> list[tuple[tuple[tuple[int, int], ...], int, int, int, int, int, int]]: ...
    def import_bounds(
        self,
        history: Sequence[tuple[int, int]],
        limit: int,
        value: int,
        exact: int,
        height: int,
        question: int,
        any: int,
        cost_left: int = ...,
    ) -> None: ...
    def value(self, limit: int = ..., cost_left: int = ..., budget: int = ..., work: int = -1) -> tuple[int, bool]: ...
    def opener(
        self, question: int, limit: int = ..., cost_left: int = ..., budget: int = ..., work: int = -1
    ) -> tuple[int, bool]: ...
    def bound(self, question: int, limit: int = ..., cost_left: int = ...) -> int: ...
    def beam(
        self,
        round: int,
        width: int,
        solved: int,
        limit: int = ...,
        cost_left: int = ...,
        budget: int = ...,
        work: int = -1,
        items: npt.NDArray[np.int32] | None = None,
        opener: int = -1,
    ) -> int: ...
    def feasible(self, limit: int = ..., cost_left: int = ..., work: int = -1, opener: int = -1) -> bool | None: ...
    def build(
        self,
        limit: int = ...,
        cost_left: int = ...,
        opener: int = -1,
        *,
        round: int = -1,
        any: bool = False,
        canonical: bool = False,
        items: npt.NDArray[np.int32] | None = None,
    ) -> tuple[list[int], int, int, int] | None: ...
    def least(self, items: npt.NDArray[np.int32], limit: int = ..., cost_left: int = ...) -> int: ...
    def canonical(
        self, items: npt.NDArray[np.int32], limit: int = ..., cost_left: int = ...
    ) -> tuple[int, int, int]: ...

class ShareSearch:
    def __init__(
        self,
        cells: npt.NDArray[np.uint16],
        replies: Sequence[Sequence[Sequence[int]]],
        weights: npt.NDArray[np.int64],
        groups: npt.NDArray[np.int32],
        kept: npt.NDArray[np.uint8],
        covers: Sequence[Sequence[int]],
        costs: npt.NDArray[np.int64],
        control: Control,
        *,
        max_slots: int = ...,
        main_thread: bool = False,
    ) -> None: ...
    @property
    def nodes(self) -> int: ...
    @property
    def steps(self) -> int: ...
    def search(
        self,
        path: Sequence[tuple[int, int]],
        opener: int = -1,
        budget: int = ...,
        work: int = -1,
        *,
        round: int = 0,
        width: int = 0,
        solved: int = 0,
    ) -> tuple[int, bool, bool]: ...
    def build(
        self,
        path: Sequence[tuple[int, int]],
        opener: int = -1,
        *,
        round: int = 0,
        width: int = 0,
        solved: int = 0,
    ) -> tuple[list[int], int] | None: ...

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
