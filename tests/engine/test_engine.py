"""The engine by itself: budgets, wide codes, positions, stopping, and several searches in one process.

Small enough for the debug build with sanitizers, which runs this file too.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest
from games_util import random_game, search_of
from textbook import Textbook

from optimal.games.game import Game
from optimal.games.rules import Rules
from optimal.search.engine import tables_of
from optimal.search.solve import solve

from optimal import _engine  # isort: skip


def long_words(rng: random.Random, letters: str, length: int, count: int) -> list[str]:
    words: dict[str, None] = {}
    while len(words) < count:
        words["".join(rng.choices(letters, k=length))] = None
    return list(words)


def fresh(tables: _engine.GameTables) -> _engine.Search:
    return _engine.Search(tables, _engine.Control(np.zeros(2, dtype=np.int64)))


@pytest.mark.parametrize("rules", list(Rules))
def test_a_budget_is_a_promise(rules: Rules) -> None:
    """Below the budget a value is exact; at or above it is a lower bound, no less than the budget."""
    rng = random.Random(f"budgets {rules}")
    for _ in range(12):
        game = random_game(rng, rules)
        textbook, tables = Textbook(game), tables_of(game)
        for guess in rng.sample(range(len(game.guesses)), min(4, len(game.guesses))):
            for limit in (2, 3, 4, None):
                found = textbook.solve(limit, "mean", (guess,))
                exact = _engine.INFEASIBLE if found is None else found.value[0]
                left = _engine.NO_LIMIT if limit is None else limit
                for budget in (1, 5, exact - 1, exact, exact + 1, _engine.INFEASIBLE):
                    value, _ = fresh(tables).opener(guess, left, budget)
                    if value < budget:
                        assert value == exact
                    else:
                        assert value <= exact
                        assert value >= min(budget, exact)
                assert fresh(tables).quick_bound(guess, left) <= exact


@pytest.mark.parametrize("rules", ["normal", "hard", "ultra-hard"])
def test_codes_of_two_bytes(rules: str) -> None:
    """Six letters have 729 codes. Renaming each guess's codes to few makes the same game with one byte."""
    rng = random.Random("wide")
    words = long_words(rng, "abcd", 6, 150)
    game = Game.from_words(words, words[:120], name="six", rules=rules, max_guesses=None)
    assert game.matrix.dtype == np.uint16
    result = solve(game, openers=words[:6])
    assert result.tree is not None
    if rules != "normal":
        return
    narrow = np.zeros(game.matrix.shape, dtype=np.uint8)
    for guess, row in enumerate(game.matrix):
        losing = np.unique(row[row != game.winning_code])
        assert len(losing) < 255
        narrow[guess] = np.searchsorted(losing, row) + 1
        narrow[guess][row == game.winning_code] = 0
    same = Game.from_matrix(narrow, 0, guesses=game.guesses, answers=game.answers)
    twin = solve(same, openers=words[:6])
    assert twin.tree is not None
    assert (twin.total, twin.opener, twin.tree.worst) == (result.total, result.opener, result.tree.worst)


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
    assert search_of(game).lower_bound(_engine.NO_LIMIT) == 3 * size - most


def test_more_classes_than_a_byte_counts() -> None:
    """A guess that tells 400 answers apart, and one that tells nothing."""
    size = 400
    matrix = np.full((size + 2, size), 1, dtype=np.uint16)
    matrix[np.arange(size), np.arange(size)] = 0
    matrix[size] = np.arange(size) + 1
    game = Game.from_matrix(matrix, 0)
    result = solve(game)
    assert (result.total, result.opener) == (2 * size, str(size))
    assert result.tree is not None
    assert result.tree.distribution == {2: size}


def test_positions_agree_with_the_start() -> None:
    """The value of an opener is n and the values of the positions after it."""
    for rules in Rules:
        rng = random.Random(f"positions {rules}")
        words = long_words(rng, "abcde", 4, 60)
        game = Game.from_words(words, words[:30], name="positions", rules=rules, max_guesses=None)
        tables = tables_of(game)
        control = _engine.Control(np.zeros(2, dtype=np.int64))
        for guess in range(0, 60, 7):
            total, _ = _engine.Search(tables, control).opener(guess, _engine.NO_LIMIT, _engine.INFEASIBLE)
            after = len(game.answers)
            for code in np.unique(game.matrix[guess]):
                if code == game.winning_code:
                    continue
                search = _engine.Search(tables, control, history=[(guess, int(code))])
                assert search.candidates.tolist() == np.flatnonzero(game.matrix[guess] == code).tolist()
                value, best, _ = search.best(_engine.NO_LIMIT)
                assert best in search.legal_guesses()
                assert search.opener(best, _engine.NO_LIMIT, _engine.INFEASIBLE)[0] == value
                after += value
            assert after == total


def test_a_stopped_search_can_go_on() -> None:
    rng = random.Random("stop")
    words = long_words(rng, "abcdefgh", 5, 400)
    game = Game.from_words(words, words[:200], max_guesses=None)
    expected = search_of(game).opener(0, _engine.NO_LIMIT, _engine.INFEASIBLE)
    cells = np.zeros(2, dtype=np.int64)
    control = _engine.Control(cells)
    search = _engine.Search(tables_of(game), control)
    control.stop()
    outcome: object = None
    try:
        outcome = search.opener(0, _engine.NO_LIMIT, _engine.INFEASIBLE)
    except _engine.Stopped:
        pass
    else:  # too quick to look at the flag
        assert outcome == expected
    cells[1] = 0
    assert search.opener(0, _engine.NO_LIMIT, _engine.INFEASIBLE) == expected


def test_game_tables_check_its_arrays() -> None:
    matrix: npt.NDArray[np.uint8] = np.array([[0, 1], [1, 0]], dtype=np.uint8)
    guesses = np.array([0, 1], dtype=np.int32)
    _engine.GameTables(matrix, guesses, 0)
    with pytest.raises(ValueError, match="no guess that wins"):
        _engine.GameTables(matrix, guesses[::-1].copy(), 0)
    with pytest.raises(ValueError, match="does not fit"):
        _engine.GameTables(matrix, guesses[:1], 0)
    with pytest.raises(ValueError, match="uint8 or uint16"):
        _engine.GameTables(matrix.astype(np.int64), guesses, 0)
    with pytest.raises(IndexError):
        _engine.Search(_engine.GameTables(matrix, guesses, 0), _engine.Control(np.zeros(2, np.int64))).opener(9, 6, 9)
    with pytest.raises(ValueError, match="no answer is left"):
        _engine.Search(_engine.GameTables(matrix, guesses, 0), _engine.Control(np.zeros(2, np.int64)), history=[(0, 7)])


@pytest.mark.parametrize("length", [3, 7])
def test_class_counts(length: int) -> None:
    """Codes of one byte and of two, few answers and many, against numpy."""
    rng = random.Random(length)
    words = long_words(rng, "abcdef", length, 200)
    game = Game.from_words(words, words)
    tables = tables_of(game)
    for count in (1, 2, 30, 199):
        guesses = np.array(rng.sample(range(200), 50), dtype=np.int32)
        answers = np.array(sorted(rng.sample(range(200), count)), dtype=np.int32)
        expected = [len(np.unique(game.matrix[guess, answers])) for guess in guesses]
        assert tables.class_counts(guesses, answers).tolist() == expected
    assert tables.class_counts(guesses[:0], answers).size == 0
    assert tables.class_counts(guesses, answers[:0]).tolist() == [0] * 50
    for bad in (-1, 200):
        with pytest.raises(IndexError, match=r"guesses are 0 \.\. 199, answers 0 \.\. 199"):
            tables.class_counts(np.array([bad], dtype=np.int32), answers)
        with pytest.raises(IndexError):
            tables.class_counts(guesses, np.array([bad], dtype=np.int32))


def test_what_c_would_not_survive_is_refused() -> None:
    """Everything is made once, belongs together and is in range, before C sees it."""
    game, other = (Game.from_words(words, words, max_guesses=None) for words in (["ab", "ba", "bb"], ["cd", "dc"]))
    tables, others = tables_of(game), tables_of(other)
    digits = np.array([[code % 3, code // 3] for code in range(9)], dtype=np.uint8)
    control, team = _engine.Control(np.zeros(2, dtype=np.int64)), _engine.Team()
    supersets = _engine.Supersets(tables, digits, 2)
    search = _engine.Search(tables, control)
    team_mate = _engine.Search(others, control)
    team_mate.join(team)
    answers = np.array([0, 1], dtype=np.int32)
    refused: list[Callable[[], object]] = [
        lambda: control.__init__(np.zeros(1, dtype=np.int64)),  # type: ignore[misc]
        lambda: tables.__init__(tables.matrix, answers, 8),  # type: ignore[misc]
        lambda: supersets.__init__(tables, digits, 2),  # type: ignore[misc]
        lambda: team.__init__(),  # type: ignore[misc]
        lambda: search.__init__(tables, control),  # type: ignore[misc]
        lambda: _engine.Supersets(tables, digits[:4].copy(), 2),
        lambda: _engine.Search(others, control, supersets),
        lambda: _engine.Search(None, control),  # type: ignore[arg-type]
        lambda: _engine.Search(tables, None),  # type: ignore[arg-type]
        lambda: _engine.Search(tables, control, by=2, late=-1),
        lambda: _engine.Search(tables, control, by=2, late=2**61 + 1),
        lambda: search.join(team),
        lambda: search.join(None),  # type: ignore[arg-type]
        lambda: search.assist(),
        lambda: search.feasible(np.array([-5, 1], dtype=np.int32), 3),
        lambda: search.feasible(np.array([1, 1], dtype=np.int32), 3),
        lambda: supersets.measure(np.array([0, 0], dtype=np.int32), control),
        lambda: _engine.GameTables(tables.matrix, np.arange(3, dtype=np.int32), 8, letters=np.full((3, 2), 2**30)),
    ]
    for attempt in refused:
        with pytest.raises((ValueError, IndexError, TypeError)):
            attempt()
    assert search.class_value(0, int(tables.matrix[0, 1]), -(2**31), _engine.INFEASIBLE) == _engine.INFEASIBLE
    assert search.best(_engine.NO_LIMIT)[0] > 0


def test_a_search_begun_after_the_stop_says_so_when_it_is_asked() -> None:
    rng = random.Random("stopped before")
    words = long_words(rng, "abcdefghij", 4, 4200)
    game = Game.from_words(words, words, rules="ultra-hard", max_guesses=None)
    control = _engine.Control(np.array([0, 1], dtype=np.int64))
    code = int(np.bincount(np.asarray(game.matrix[0])).argmax())
    search = _engine.Search(tables_of(game), control, history=[(0, code)])
    with pytest.raises(_engine.Stopped):
        search.best(_engine.NO_LIMIT)


def test_notes_are_handed_out_once() -> None:
    search = search_of(Game.from_words(["ab", "ba"], ["ab", "ba"]))
    search.record_bounds()
    assert search.export_bounds() is not search.export_bounds()
