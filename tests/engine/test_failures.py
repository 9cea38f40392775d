"""Failures of the engine: memory that runs out at any allocation, searches that are stopped, numbers at their edges,
trees too deep. Never a wrong value then or later, a crash or a hang."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import pytest
from games_util import play_tree, random_game, random_weights, right_or_wrong, word_game
from patience import SOON
from test_subsets import EARLIER, rhymes
from textbook import Textbook

from optimal import _engine
from optimal._engine import INFEASIBLE, NO_LIMIT, Control, GameTables, Search, Stopped
from optimal.errors import InputError
from optimal.games.game import Game
from optimal.games.rules import Rules
from optimal.games.weights import Weights
from optimal.search.engine import new_control, tables_of
from optimal.search.game_problem import Problem
from optimal.search.solve import solve

FAR = 10**9  # more allocations than there are


def costs_of(game: Game, objective: str, weights: tuple[int, ...] | None = None) -> dict[str, Any]:
    """What guesses cost, as a search wants it."""
    costs = Problem(game, None, objective, None if weights is None else Weights("file", weights)).costs
    if costs is None:
        return {}
    return {"weights": np.array(costs.weights, dtype=np.int64), "by": costs.by, "late": costs.late}


@dataclass
class Case:
    """A game and what is asked of it; `limit` counts from the position after `history`."""

    game: Game
    limit: int
    objective: str = "mean"
    weights: tuple[int, ...] | None = None
    history: tuple[tuple[int, int], ...] = ()
    off: int = 0
    guesses: int = 2
    tables: GameTables = field(init=False)
    expected: dict[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        self.tables = tables_of(self.game)
        self.expected = {name: call() for name, call in self.calls(self.search()).items()}

    def search(self) -> Search:
        """A new search, with tables so small that they grow and overflow."""
        costs = costs_of(self.game, self.objective, self.weights)
        options: dict[str, Any] = {"off": self.off, "table_slots": 1024, "max_slots": 4096, **costs}
        return Search(self.tables, new_control(), None, self.history, **options)

    def calls(self, search: Search) -> dict[str, Callable[[], Any]]:
        """Everything that can be asked of a search, by name."""
        legal, limit = search.legal_guesses().tolist(), self.limit
        chosen = legal[:: max(1, len(legal) // self.guesses)][: self.guesses]
        asked: dict[str, Callable[[], Any]] = {"bound": lambda: search.lower_bound(limit)}
        if self.game.rules is Rules.NORMAL and not search.history and self.game.feedback is None:
            some = np.arange(0, len(self.game.answers), 2, dtype=np.int32)
            asked["feasible"] = lambda: search.feasible(some, min(limit, 3))
        for g in chosen:
            asked[f"quick {g}"] = partial(search.quick_bound, g, limit)
            asked[f"opener {g}"] = partial(value_of, search, g, limit)
            asked[f"likely {g}"] = partial(self.likely_tree, search, g)
            asked[f"tree {g}"] = partial(tree_of, search, g, limit)
        asked["best"] = lambda: search.best(limit)
        if limit >= NO_LIMIT:
            asked["height"] = lambda: search.opener_height(chosen[0], limit)
        return asked

    def likely_tree(self, search: Search, guess: int) -> None:
        """A likely tree is whatever the table suggests, but it finds all answers."""
        tree = search.likely_tree(guess, self.limit)
        if tree is not None:
            play_tree(self.game, tree, search.candidates.tolist())

    def check(self, name: str, reply: Any) -> None:
        expected = self.expected[name]
        if name == "best" and reply[1] < 0:  # no tree: there is no height to speak of
            reply, expected = reply[0], expected[0]
        assert reply == expected, name


def value_of(search: Search, guess: int, limit: int) -> int:
    return search.opener(guess, limit, INFEASIBLE)[0]


def tree_of(search: Search, guess: int, limit: int) -> Any:
    try:
        return search.tree(guess, limit)
    except ValueError:
        return None


def allocations(call: Callable[[], object]) -> int:
    """How many there are on the way."""
    _engine.fail_allocation(FAR)
    try:
        call()
    finally:
        left = _engine.fail_allocation(-1)
    return FAR - left


@contextmanager
def failing(after: int) -> Iterator[None]:
    """Let the allocation after so many fail; it must come."""
    _engine.fail_allocation(after)
    try:
        yield
    finally:
        left = _engine.fail_allocation(-1)
    assert left == -1


def fail_every_allocation(case: Case, most: int = FAR) -> None:
    """Let every allocation fail, of more than `most` so many at even steps; the same search, asked again, must be
    right."""
    raised = silent = 0
    total = allocations(lambda: [call() for call in case.calls(case.search()).values()])
    for after in range(0, total, 1 + total // most):
        failed = 0
        with failing(after):
            try:
                search = case.search()
            except MemoryError:
                failed += 1
                search = case.search()
            for name, call in case.calls(search).items():
                try:
                    reply = call()
                except MemoryError:
                    failed += 1
                    reply = call()
                case.check(name, reply)
        assert failed <= 1
        raised += failed
        silent += not failed
        for name, call in case.calls(search).items():
            case.check(name, call())
    assert raised > 20
    assert silent < raised / 9


# ------------------------------------------------------------------ memory


def words(rng: random.Random, letters: str, length: int, count: int) -> list[str]:
    found: dict[str, None] = {}
    while len(found) < count:
        found["".join(rng.choices(letters, k=length))] = None
    return list(found)


def small_words(rules: Rules) -> Game:
    listed = words(random.Random(f"small {rules}"), "abcd", 3, 14)
    return Game.from_words(listed, listed[:10], name="small", rules=rules, max_guesses=None)


def case_of(name: str) -> Case:
    rng = random.Random(name)
    kind, _, rest = name.partition(" ")
    if kind == "pegs":
        return Case(Game.preset(f"mastermind:{rest}").with_rules("normal", None), NO_LIMIT)
    if kind == "wide":
        listed = words(rng, "abcd", 6, 12)
        return Case(Game.from_words(listed, listed[:9], rules=Rules(rest), max_guesses=None), 3)
    if kind == "subsets":
        return Case(rhymes(rng, Rules(rest)), 3, off=EARLIER, guesses=1)
    if kind == "columns":  # more answers than are counted by pairs
        source = np.random.default_rng(5)
        matrix = source.integers(1, int(rest), (230, 200)).astype(np.uint16)
        matrix[np.arange(200), np.arange(200)] = 0
        return Case(Game.from_matrix(matrix, 0), NO_LIMIT)
    if kind == "matrix":
        return Case(random_game(rng, Rules.NORMAL), int(rest))
    rules, _, question = rest.partition(" ")
    game = small_words(Rules(rules))
    if kind == "history":
        guess = 11
        codes, sizes = np.unique(game.matrix[guess], return_counts=True)
        return Case(game, int(question), history=((guess, int(codes[sizes.argmax()])),))
    weights = {"plain": None, "same": (3,) * 10, "mixed": random_weights(rng, 10)}[question.split()[0]]
    objective, limit = question.split()[1:]
    return Case(game, NO_LIMIT if limit == "none" else int(limit), objective, weights)


QUESTIONS = ["plain mean none", "plain within:2 none", "mixed mean 3", "mixed within:2 4"]
CASES = [
    *(f"words {rules} {question}" for rules in Rules for question in [*QUESTIONS, "same within:1 none"]),
    *(f"history {rules} {limit}" for rules in Rules for limit in (2, 4)),
    *(f"wide {rules}" for rules in Rules),
    *("subsets normal", "subsets hard", "pegs 2x3", "pegs 3x2", "matrix 3", "matrix 4", "columns 40", "columns 300"),
]


@pytest.mark.parametrize("name", CASES)
def test_every_allocation_may_fail(name: str) -> None:
    fail_every_allocation(case_of(name), 60 if name.startswith("columns") else FAR)


@pytest.mark.parametrize("rules", Rules)
def test_game_tables_run_out_of_memory(rules: Rules) -> None:
    game = small_words(rules)
    total = allocations(lambda: tables_of(game))
    assert total >= 5
    for after in range(total):
        with failing(after), pytest.raises(MemoryError):
            tables_of(game)


# ------------------------------------------------------------------ feasibility only, and stopping


def test_asking_for_any_tree_leaves_no_value_behind() -> None:
    """Sets asked for any tree, as nogoods are, and then values from the same search."""
    rng = random.Random("feasible")
    told = set()
    for round_ in range(30):
        game = rhymes(rng, Rules.NORMAL) if round_ % 5 == 0 else random_game(rng, Rules.NORMAL)
        if game.name.startswith("mastermind"):
            continue
        tables, off, count = tables_of(game), rng.choice((0, EARLIER)), len(game.answers)
        search = Search(tables, new_control(), off=off)
        for _ in range(12):
            some = sorted(rng.sample(range(count), rng.randint(min(2, count), count)))
            told.add(search.feasible(np.array(some, dtype=np.int32), rng.randint(1, 5)))
        for limit in (3, 4, NO_LIMIT):
            fresh = Search(tables, new_control(), off=off)
            found = search.best(limit)
            assert found[:2] == fresh.best(limit)[:2]
            if found[1] >= 0:
                assert search.tree(found[1], limit) == fresh.tree(found[1], limit)
    assert told == {False, True}


@pytest.mark.parametrize("rules", ["normal", "ultra-hard"])
@pytest.mark.parametrize(("objective", "size"), [("mean", 60), ("within:4", 90)])
def test_stopped_again_and_again(rules: str, objective: str, size: int) -> None:
    """A search that is stopped and asked again has the value and the tree that a fresh one finds."""
    matrix = np.random.default_rng(3).integers(1, 3, (size, size)).astype(np.uint8)
    np.fill_diagonal(matrix, 0)
    game = Game.from_matrix(matrix, 0, rules=rules)
    weights = None if objective == "mean" else random_weights(random.Random(1), size)
    tables, costs = tables_of(game), costs_of(game, objective, weights)

    def asked(search: Search) -> Any:
        best = search.best(NO_LIMIT)
        return best, search.tree(best[1], NO_LIMIT)

    started = time.monotonic()
    expected = asked(Search(tables, new_control(), **costs))
    seconds = time.monotonic() - started
    cells = np.zeros(2, dtype=np.int64)
    search = Search(tables, Control(cells), **costs)
    found, stopped = None, 0
    while found is None:
        cells[1] = stopped < 3  # the first times at the first look at the flag
        timer = threading.Timer(stopped * seconds / 20, search.control.stop)
        timer.start()
        try:
            found = asked(search)
        except Stopped:
            stopped += 1
        finally:
            timer.cancel()
            timer.join()
    assert found == expected
    assert stopped


# ------------------------------------------------------------------ edges


@pytest.mark.parametrize("rules", Rules)
def test_weights_next_to_the_most_that_is_counted(rules: Rules) -> None:
    """Weights so large that sum x deepest is just below 2^62 are counted; one more is refused in one line."""
    rng = random.Random(f"large {rules}")
    for _ in range(25):
        game = word_game(rng, rules, 9, 14)
        count, limit = len(game.answers), rng.choice((None, 3, 4))
        most = min(count + 1, limit or count + 1)
        shares = random_weights(rng, count, 50)
        scale = (INFEASIBLE - 1) // most // sum(shares)
        weights = [w * scale for w in shares]
        weights[rng.randrange(count)] += (INFEASIBLE - 1) // most - sum(weights)
        found = solve(game, weights=Weights("file", tuple(weights)), limit=limit)
        known = Textbook(game, tuple(weights)).solve(limit)
        assert found.value == (None if known is None else known.value)
        weights[0] += 1
        with pytest.raises(InputError, match=r"must stay below 2\^62") as error:
            solve(game, weights=Weights("file", tuple(weights)), limit=limit)
        assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("answers", "weights", "objective"),
    [
        (2, ((INFEASIBLE - 1) // 3 - 1, 1), "within:1"),  # the charge for what is late was 2^62
        (58, ((INFEASIBLE - 10) // 60, 1, *[0] * 56), "within:1"),  # steps went beyond 2^63: it never ended
        (3, (INFEASIBLE // 8, 0, 0), "within:2"),
    ],
)
def test_late_charges_beyond_what_is_counted_are_refused(answers: int, weights: Sequence[int], objective: str) -> None:
    with pytest.raises(InputError, match=r"too much: sum x deepest cost must stay below 2\^61 for within:") as error:
        Problem(right_or_wrong(answers), None, objective, Weights("file", tuple(weights)))
    assert "\n" not in str(error.value)


# ------------------------------------------------------------------ depth


def test_too_deep_is_said_at_once() -> None:
    game = right_or_wrong(2100)
    search = Search(tables_of(game), new_control())
    started = time.monotonic()
    calls = (search.best, partial(search.tree, 0), partial(search.likely_tree, 0))
    for call in calls:
        with pytest.raises(RecursionError, match="deeper than 2000 guesses"):
            call(NO_LIMIT)
    with pytest.raises(RecursionError):
        solve(game)
    assert time.monotonic() - started < SOON


SMALL_STACK = """
import threading
from games_util import right_or_wrong, search_of
from optimal import _engine

search = search_of(right_or_wrong(250), _engine.SWITCHES["counts"] + _engine.SWITCHES["frames"])

def work():
    try:
        search.best(_engine.NO_LIMIT)
    except _engine.Stopped:
        print(search.nodes)

threading.stack_size(250 * 4096)
thread = threading.Thread(target=work)
thread.start()
thread.join(1)
search.control.stop()
thread.join()
"""


def test_the_stack_suffices_for_the_deepest_search() -> None:
    """2000 guesses deep in 8 MB: an eighth of that depth in an eighth of that stack."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", SMALL_STACK], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 250
