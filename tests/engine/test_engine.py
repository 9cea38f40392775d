"""The engine by itself: counts held against numpy, wide codes, stopping, and what it must refuse.

Small enough for the debug build with sanitizers, which runs this file too.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest
from games_util import letters_game, search_of

from optimal import _engine
from optimal._engine import INFEASIBLE, NO_LIMIT, Control, GameTables, Search, Supersets, Team
from optimal.games.game import Game
from optimal.search.engine import new_control, tables_of
from optimal.search.solve import solve


def test_codes_of_two_bytes() -> None:
    """The same game with codes that take one byte and two."""
    game = letters_game("wide", 120, 1, max_guesses=None)
    wide = Game.from_matrix(
        200 * game.matrix.astype(np.uint16), 200 * game.winning_code, guesses=game.guesses, answers=game.answers
    )
    assert (game.matrix.itemsize, wide.matrix.itemsize) == (1, 2)
    found = [solve(one, first=game.guesses[:6]) for one in (game, wide)]
    assert found[0].tree is not None
    assert len({(one.value, one.opener, one.tree and one.tree.worst) for one in found}) == 1


@pytest.mark.parametrize("kinds", [60, 600])
@pytest.mark.parametrize("size", [31, 96, 191, 192, 193, 260])
def test_the_count_bound_is_that_of_numpy(size: int, kinds: int) -> None:
    """Sets are counted by pairs up to a size, and by columns above it; codes are of one byte or two."""
    source = np.random.default_rng(size)
    matrix = source.integers(1, kinds, (size + 100, size)).astype(np.uint16)
    matrix[np.arange(size), np.arange(size)] = 0
    game = Game.from_matrix(matrix, 0)
    most = max(len(np.unique(row)) + (guess < size) for guess, row in enumerate(matrix))
    assert game.matrix.itemsize == (1 if kinds < 256 else 2)
    assert search_of(game).lower_bound(NO_LIMIT) == 3 * size - most


@pytest.mark.parametrize("length", [3, 7])
def test_class_counts(length: int) -> None:
    """Codes of one byte and of two, few answers and many, against numpy."""
    rng = random.Random(length)
    words = list({"".join(rng.choices("abcdef", k=length)): None for _ in range(300)})
    game = Game.from_words(words, words)
    tables, size = tables_of(game), len(words)
    for count in (1, 2, 30, size - 1):
        guesses = np.array(rng.sample(range(size), 50), dtype=np.int32)
        answers = np.array(sorted(rng.sample(range(size), count)), dtype=np.int32)
        expected = [len(np.unique(game.matrix[guess, answers])) for guess in guesses]
        assert tables.class_counts(guesses, answers).tolist() == expected
    assert tables.class_counts(guesses[:0], answers).size == 0
    assert tables.class_counts(guesses, answers[:0]).tolist() == [0] * 50
    for bad in (np.array([-1], dtype=np.int32), np.array([size], dtype=np.int32)):
        for asked in ((bad, answers), (guesses, bad)):
            with pytest.raises(IndexError, match=r"guesses are 0 \.\. "):
                tables.class_counts(*asked)


def test_the_most_classes_and_one_too_many() -> None:
    everyone = np.zeros(65535, dtype=np.int32)
    matrix = np.zeros((2, 65535), dtype=np.uint16)
    matrix[1] = np.arange(1, 65536)
    tables = GameTables(matrix, everyone, 0)  # one guess wins always, the other tells all answers apart
    search = Search(tables, new_control())
    assert search.opener(1, NO_LIMIT, INFEASIBLE) == (2 * 65535, 2)
    assert search.quick_bound(1, NO_LIMIT) == 2 * 65535
    assert search.opener(0, NO_LIMIT, INFEASIBLE) == (65535, 1)
    for shape in ((1, 65536), (65536, 1)):
        with pytest.raises(ValueError, match="more than 65535 guesses or answers"):
            GameTables(np.zeros(shape, dtype=np.uint8), np.zeros(shape[1], dtype=np.int32), 0)


def test_what_c_would_not_survive_is_refused() -> None:
    """Everything is made once, belongs together and is in range, before C sees it."""
    game, other = (Game.from_words(words, words, max_guesses=None) for words in (["ab", "ba", "bb"], ["cd", "dc"]))
    tables, others = tables_of(game), tables_of(other)
    digits = np.array([[code % 3, code // 3] for code in range(9)], dtype=np.uint8)
    control, team = new_control(), Team()
    supersets = Supersets(tables, digits, 2)
    search = Search(tables, control)
    team_mate = Search(others, control)
    team_mate.join(team)
    answers = np.array([0, 1], dtype=np.int32)
    matrix = np.array([[0, 1], [1, 0]], dtype=np.uint8)
    refused: list[Callable[[], object]] = [
        lambda: control.__init__(np.zeros(1, dtype=np.int64)),  # type: ignore[misc]
        lambda: tables.__init__(tables.matrix, answers, 8),  # type: ignore[misc]
        lambda: supersets.__init__(tables, digits, 2),  # type: ignore[misc]
        lambda: team.__init__(),  # type: ignore[misc]
        lambda: search.__init__(tables, control),  # type: ignore[misc]
        lambda: Supersets(tables, digits[:4].copy(), 2),
        lambda: Search(others, control, supersets),
        lambda: Search(None, control),  # type: ignore[arg-type]
        lambda: Search(tables, None),  # type: ignore[arg-type]
        lambda: Search(tables, control, by=2, late=-1),
        lambda: Search(tables, control, by=2, late=2**61 + 1),
        lambda: Search(tables, control, history=[(0, 7)]),  # no answer is left
        lambda: search.opener(9, 6, 9),
        lambda: search.join(team),
        lambda: search.join(None),  # type: ignore[arg-type]
        lambda: search.assist(),
        lambda: search.feasible(np.array([-5, 1], dtype=np.int32), 3),
        lambda: search.feasible(np.array([1, 1], dtype=np.int32), 3),
        lambda: supersets.measure(np.array([0, 0], dtype=np.int32), control),
        lambda: GameTables(tables.matrix, np.arange(3, dtype=np.int32), 8, letters=np.full((3, 2), 2**30)),
        lambda: GameTables(matrix, answers[::-1].copy(), 0),  # no guess that wins
        lambda: GameTables(matrix, answers[:1], 0),
        lambda: GameTables(matrix.astype(np.int64), answers, 0),
    ]
    for attempt in refused:
        with pytest.raises((ValueError, IndexError, TypeError)):
            attempt()
    assert search.class_value(0, int(tables.matrix[0, 1]), -(2**31), INFEASIBLE) == INFEASIBLE
    assert search.best(NO_LIMIT)[0] > 0


def test_a_search_begun_after_the_stop_says_so_when_it_is_asked() -> None:
    game = letters_game("stopped before", 5400, 1, "ultra-hard", "abcdefghij", max_guesses=None)
    code = int(np.bincount(np.asarray(game.matrix[0])).argmax())
    search = Search(tables_of(game), Control(np.array([0, 1], dtype=np.int64)), history=[(0, code)])
    with pytest.raises(_engine.Stopped):
        search.best(NO_LIMIT)


def test_notes_are_handed_out_once() -> None:
    search = search_of(Game.from_words(["ab", "ba"], ["ab", "ba"]))
    search.record_bounds()
    assert search.export_bounds() is not search.export_bounds()
