"""Failures of the engine: memory that runs out at any allocation, searches that are stopped, numbers at their edges,
trees too deep. Never a wrong value then or later, a crash or a hang."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from games_util import random_game, random_weights, word_game
from patience import SOON
from textbook import Textbook

from optimal import _engine, limits
from optimal._engine import INFEASIBLE, NO_LIMIT, Control, GameTables, Search, Stopped, Supersets
from optimal.errors import InputError
from optimal.games.feedback import WordFeedback
from optimal.games.game import Game
from optimal.games.rules import Rules
from optimal.games.weights import Weights
from optimal.search.engine import supersets_for, tables_of
from optimal.search.game_problem import Problem
from optimal.search.solve import solve

EXT = Path(__file__).resolve().parents[2] / "ext"
#: Bounds that know of many sets without a tree before their parts are asked.
EARLIER = _engine.SWITCHES["families"] + _engine.SWITCHES["depths"]


FAR = 10**9  # more allocations than there are


def new_control() -> Control:
    return Control(np.zeros(2, dtype=np.int64))


@dataclass
class Case:
    """A game and what is asked of it; `limit` counts from the position after `history`."""

    game: Game
    limit: int
    objective: str = "mean"
    weights: tuple[int, ...] | None = None
    history: tuple[tuple[int, int], ...] = ()
    off: int = 0
    with_supersets: bool = False
    guesses: int = 2
    tables: GameTables = field(init=False)
    candidates: list[int] = field(init=False)
    expected: dict[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        self.tables = tables_of(self.game)
        search = self.search()
        self.candidates = search.candidates.tolist()
        self.expected = {name: call() for name, call in self.calls(search).items()}

    def measured(self) -> Supersets | None:
        """Supersets of the openers' classes, measured."""
        if not self.with_supersets:
            return None
        assert isinstance(self.game.feedback, WordFeedback)
        found = supersets_for(self.tables, self.game.feedback, range(len(self.game.guesses)))
        assert found is not None
        supersets, which = found
        supersets.measure(which, new_control())
        return supersets

    def search(self) -> Search:
        """A new search, with tables so small that they grow and overflow."""
        weights = None if self.weights is None else Weights("file", self.weights)
        costs = Problem(self.game, None, self.objective, weights).costs
        options: dict[str, Any] = {"off": self.off, "table_slots": 1024, "max_slots": 4096}
        if costs is not None:
            options.update(weights=np.array(costs.weights, dtype=np.int64), by=costs.by, late=costs.late)
        return Search(self.tables, new_control(), self.measured(), self.history, **options)

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
            asked[f"likely {g}"] = partial(search.likely_tree, g, limit)
            asked[f"tree {g}"] = partial(tree_of, search, g, limit)
        asked["best"] = lambda: search.best(limit)
        if limit >= NO_LIMIT:
            asked["height"] = lambda: search.opener_height(chosen[0], limit)
        return asked

    def check(self, name: str, reply: Any) -> None:
        """The reply is the one expected. A likely tree is whatever the table suggests, but it finds all answers."""
        if name.startswith("likely"):
            if reply is not None:
                self.play(reply, self.candidates, self.limit)
            return
        if name == "best" and reply[1] < 0:  # no tree: there is no height to speak of
            reply, expected = reply[0], self.expected[name][0]
        else:
            expected = self.expected[name]
        assert reply == expected, name

    def play(self, tree: Any, candidates: list[int], limit: int) -> None:
        """The tree finds these answers, and no others, within the limit."""
        guess, children = tree
        assert limit > 0
        classes: dict[int, list[int]] = {}
        for answer in candidates:
            classes.setdefault(int(self.game.matrix[guess, answer]), []).append(answer)
        classes.pop(self.game.winning_code, None)
        assert set(children) == set(classes)
        for code, rest in classes.items():
            self.play(children[code], rest, limit - 1)


def value_of(search: Search, guess: int, limit: int) -> int:
    return search.opener(guess, limit, INFEASIBLE)[0]


def tree_of(search: Search, guess: int, limit: int) -> Any:
    try:
        return search.tree(guess, limit)
    except ValueError:
        return None


@dataclass
class Failures:
    """What came of allocations that failed."""

    failed: int = 0
    raised: int = 0
    silent: int = 0


def fail_every_allocation(case: Case, most: int = 10**9) -> Failures:
    """Let every allocation fail, of more than `most` so many at even steps; the same search, asked again, must be
    right."""
    count = Failures()
    _engine.fail_allocation(FAR)
    try:
        for name, call in case.calls(case.search()).items():
            case.check(name, call())
    finally:
        total = FAR - _engine.fail_allocation(-1)
    for after in range(0, total, 1 + total // most):
        fail_one_allocation(case, after, count)
    return count


def fail_one_allocation(case: Case, after: int, count: Failures) -> None:
    """Let this allocation fail."""
    raised = 0
    _engine.fail_allocation(after)
    try:
        try:
            search = case.search()
        except MemoryError:
            raised += 1
            search = case.search()
        for name, call in case.calls(search).items():
            try:
                reply = call()
            except MemoryError:
                raised += 1
                reply = call()
            case.check(name, reply)
    finally:
        failed = _engine.fail_allocation(-1) == -1
    assert failed
    count.failed += 1
    count.raised += raised
    count.silent += not raised
    assert raised <= 1
    for name, call in case.calls(search).items():
        case.check(name, call())


# ------------------------------------------------------------------ memory


def words(rng: random.Random, letters: str, length: int, count: int) -> list[str]:
    found: dict[str, None] = {}
    while len(found) < count:
        found["".join(rng.choices(letters, k=length))] = None
    return list(found)


def rhymes(rng: random.Random, rules: Rules, answers: int) -> Game:
    """Words of few endings and many beginnings: parts of them have no tree within a few guesses."""
    all_of_them = [a + b + c for a in "bcdfghk" for b in "aei" for c in "xyz"]
    found = rng.sample(all_of_them, answers)
    others = {"".join(rng.choices("bcdfghkaeixyz", k=3)) for _ in range(8)}
    return Game.from_words(sorted({*found, *others}), found, name="rhymes", rules=rules, max_guesses=None)


def small_words(rules: Rules, answers: int = 10, guesses: int = 14) -> Game:
    rng = random.Random(f"small {rules}")
    listed = words(rng, "abcd", 3, guesses)
    return Game.from_words(listed, listed[:answers], name="small", rules=rules, max_guesses=None)


def case_of(name: str) -> Case:
    rng = random.Random(name)
    kind, _, rest = name.partition(" ")
    if kind == "pegs":
        return Case(Game.preset(f"mastermind:{rest}").with_rules("normal", None), NO_LIMIT)
    if kind == "wide":
        listed = words(rng, "abcd", 6, 12)
        return Case(Game.from_words(listed, listed[:9], rules=Rules(rest), max_guesses=None), 3)
    if kind == "parts":
        return Case(rhymes(rng, Rules(rest), 17), 3, off=EARLIER, guesses=1)
    if kind == "supersets":
        listed = words(rng, "abcd", 4, 24)
        return Case(Game.from_words(listed, listed[:20], max_guesses=None), int(rest), with_supersets=True, guesses=3)
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


QUESTIONS = ["plain mean none", "plain mean 3", "plain within:2 none", "mixed mean 3", "mixed within:2 4"]
CASES = [
    *(f"words {rules} {question}" for rules in Rules for question in [*QUESTIONS, "same within:1 none"]),
    *(f"history {rules} {limit}" for rules in Rules for limit in (2, 4)),
    *(f"wide {rules}" for rules in Rules),
    *("parts normal", "parts hard", "pegs 2x3", "pegs 3x2", "supersets 4", "matrix 3", "matrix 4"),
]


@pytest.mark.parametrize("name", CASES)
def test_every_allocation_may_fail(name: str) -> None:
    count = fail_every_allocation(case_of(name))
    assert count.raised > 20
    assert count.silent < count.failed / 10


@pytest.mark.parametrize("kinds", [40, 300])
def test_allocations_of_a_larger_game_may_fail(kinds: int) -> None:
    assert fail_every_allocation(case_of(f"columns {kinds}"), 60).raised > 20


@pytest.mark.parametrize("rules", Rules)
def test_game_tables_run_out_of_memory(rules: Rules) -> None:
    game, failed = small_words(rules), 0
    known = Search(tables_of(game), new_control()).best(4)
    for after in range(100):
        _engine.fail_allocation(after)
        try:
            tables_of(game)
        except MemoryError:
            failed += 1
        else:
            break
        finally:
            left = _engine.fail_allocation(-1)
        assert left == -1
        assert Search(tables_of(game), new_control()).best(4) == known
    assert failed >= 5


def test_the_same_supersets_after_memory_ran_out() -> None:
    """What was collected or measured before stays good: bounds are never too high, and the rest can be done again."""
    rng = random.Random("supersets")
    listed = words(rng, "abcde", 3, 70)
    game = Game.from_words(listed, listed[:60], max_guesses=None)
    tables, digits = tables_of(game), np.array([[c // 3**p % 3 for p in range(3)] for c in range(27)], dtype=np.uint8)
    openers = np.arange(70, dtype=np.int32)

    def measure(supersets: Supersets) -> None:
        supersets.measure(supersets.worth(2, 4)[0], new_control())

    def bounds(supersets: Supersets | None) -> list[int]:
        search = Search(tables, new_control(), supersets)
        return [search.quick_bound(g, NO_LIMIT) for g in range(70)]

    whole = Supersets(tables, digits, 4)
    whole.collect(openers, 4.0)
    measure(whole)
    best, values = (
        bounds(whole),
        [Search(tables, new_control()).opener(g, NO_LIMIT, INFEASIBLE) for g in range(70)],
    )
    assert best != bounds(None)
    failed, after, left = 0, 0, -1
    while left < 0:
        supersets: Supersets | None = None
        _engine.fail_allocation(after)
        try:
            supersets = Supersets(tables, digits, 4)
            supersets.collect(openers, 4.0)
            measure(supersets)
        except MemoryError:
            failed += 1
        finally:
            left = _engine.fail_allocation(-1)
        if supersets is not None:
            search = Search(tables, new_control(), supersets)
            assert [search.opener(g, NO_LIMIT, INFEASIBLE) for g in range(70)] == values
            supersets.collect(openers, 4.0)
            measure(supersets)
            # What is collected twice counts twice, so that more sets are worth measuring.
            again = bounds(supersets)
            assert all(low <= bound <= value for low, bound, (value, _) in zip(best, again, values, strict=True))
        after += 1 if after < 12 else 29
    assert failed > 25


# ------------------------------------------------------------------ feasibility only, and stopping


def test_asking_for_any_tree_leaves_no_value_behind() -> None:
    """Sets asked for any tree, as nogoods are, and then values from the same search."""
    rng = random.Random("feasible")
    told = set()
    for round_ in range(30):
        game = rhymes(rng, Rules.NORMAL, 18) if round_ % 5 == 0 else random_game(rng, Rules.NORMAL)
        tables, textbook, off = tables_of(game), Textbook(game), rng.choice((0, EARLIER))
        search = Search(tables, new_control(), off=off)
        if game.name.startswith("mastermind"):
            continue
        count = len(game.answers)
        for _ in range(12):
            some = sorted(rng.sample(range(count), rng.randint(min(2, count), count)))
            limit = rng.randint(1, 5)
            mask = sum(1 << a for a in some)
            known = textbook._position(mask, textbook.guesses, limit, None) is not None
            assert search.feasible(np.array(some, dtype=np.int32), limit) == known
            told.add(known)
        for limit in (3, 4, NO_LIMIT):
            fresh = Search(tables, new_control(), off=off)
            found = search.best(limit)
            assert found[:2] == fresh.best(limit)[:2]
            if found[1] >= 0:
                assert search.tree(found[1], limit) == fresh.tree(found[1], limit)
    assert told == {False, True}


def test_a_feasible_part_is_not_taken_for_a_value() -> None:
    """A first tree of a set, found for feasible(), is not the best one."""
    source = np.random.default_rng(3)
    matrix = source.integers(1, 4, (60, 40)).astype(np.uint8)
    matrix[np.arange(40), np.arange(40)] = 0
    tables = tables_of(Game.from_matrix(matrix, 0))
    fresh = [Search(tables, new_control()).best(limit) for limit in (5, 6, NO_LIMIT)]
    search = Search(tables, new_control())
    everything = np.arange(40, dtype=np.int32)
    for limit in (4, 5, 6):
        search.feasible(everything, limit)
    assert [search.best(limit) for limit in (5, 6, NO_LIMIT)] == fresh


def stop_again_and_again(make: Callable[[Control], Search], limit: int) -> int:
    """Stop a search after random times and ask it again, until it has the value and the tree that a fresh one finds;
    returns how often it was stopped."""
    rng = random.Random("stop")
    started = time.monotonic()
    fresh = make(new_control())
    expected = fresh.best(limit)
    tree = fresh.tree(expected[1], limit) if expected[1] >= 0 else None
    seconds = time.monotonic() - started
    cells = np.zeros(2, dtype=np.int64)
    search = make(Control(cells))
    calls: list[Callable[[], Any]] = [lambda: search.best(limit)]
    if tree is not None:
        calls.append(lambda: search.tree(expected[1], limit))
    stopped, replies = 0, []
    for call in calls:
        for attempt in range(1000):
            cells[1] = attempt < 3  # the first times at the first look at the flag
            timer = threading.Timer(rng.uniform(0, seconds / 20) * (attempt + 1), search.control.stop)
            timer.start()
            try:
                replies.append(call())
                break
            except Stopped:
                stopped += 1
            finally:
                timer.cancel()
                timer.join()
    if expected[1] < 0:
        assert replies[0][:2] == expected[:2]
    else:
        assert replies == [expected, tree]
    return stopped


@pytest.mark.parametrize("rules", ["normal", "ultra-hard"])
@pytest.mark.parametrize("objective", ["mean", "within:4"])
def test_stopped_again_and_again(rules: str, objective: str) -> None:
    size = 60 if objective == "mean" else 90
    matrix = np.random.default_rng(3).integers(1, 3, (size, size)).astype(np.uint8)
    np.fill_diagonal(matrix, 0)
    game = Game.from_matrix(matrix, 0, rules=rules)
    tables = tables_of(game)
    options: dict[str, Any] = {}
    if objective != "mean":
        costs = Problem(game, None, objective, Weights("file", random_weights(random.Random(1), size))).costs
        assert costs is not None
        options = {"weights": np.array(costs.weights, dtype=np.int64), "by": costs.by, "late": costs.late}
    assert stop_again_and_again(lambda control: Search(tables, control, **options), NO_LIMIT)


@pytest.mark.slow
def test_a_hard_search_stopped_again_and_again() -> None:
    """The trap of test_parts.py: no tree within five guesses, and one within six."""
    game = Game.preset("nyt2023", rules="hard")
    tables, history = tables_of(game), ((game.guess_index("heros"), 39),)
    stopped = [
        stop_again_and_again(lambda control: Search(tables, control, history=history), limit) for limit in (5, 6)
    ]
    assert any(stopped)


# ------------------------------------------------------------------ edges

HARNESS = r"""
#include <assert.h>
#include <stdio.h>
#include "search/node.h"
#define MOST 65535

static uint16_t codes[MOST];
static int32_t everyone[MOST], column[1] = {0};
static uint32_t mark[65536], stamp[3];

int main(void) {
    uint16_t count = 0;
    marks_t marks = {mark, UINT32_MAX - 2};
    for (int i = 0; i < MOST; i++) codes[i] = (uint16_t)i, everyone[i] = i;
    for (int round = 0; round < 5; round++) { /* the marks wrap on the way */
        count_list((const uint8_t *)codes, 2, MOST, column, 1, everyone, MOST, &marks, &count);
        assert(count == MOST);
        count_list((const uint8_t *)codes, 2, MOST, NULL, 1, everyone, 7, &marks, &count);
        assert(count == 7);
    }
    assert(marks.now < 20);

    /* The stamps of members wrap: those of long ago are no members now. */
    game_t g = {0};
    search_t s = {0};
    const int32_t first[1] = {0}, second[1] = {1};
    g.answers = 3;
    s.game = &g;
    s.stamp = stamp;
    stamp[2] = 1;
    s.member_now = UINT32_MAX - 1;
    mark_members(&s, first, 1);
    assert(is_member(&s, 0) && !is_member(&s, 1) && !is_member(&s, 2) && !is_member(&s, -1));
    mark_members(&s, second, 1);
    assert(!is_member(&s, 0) && is_member(&s, 1) && !is_member(&s, 2));

    /* Sums stop at COST_INF, and are right below it. */
    const int64_t inf = COST_INF;
    assert(cost_add(inf - 1, 0) == inf - 1 && cost_add(inf - 1, 1) == inf && cost_add(inf, inf) == inf);
    assert(cost_add(inf / 2, inf / 2 - 1) == inf - 1 && cost_add(0, inf) == inf && cost_add(inf, 0) == inf);
    costs_t c = {0};
    c.by = 3;
    for (int64_t late = 1; late < inf / 2; late = 3 * late + 1) {
        const int64_t most = (inf - 1) / (1 + late);
        c.late = late;
        assert(cost_charge(&c, most, 3) == most * (1 + late) && cost_charge(&c, most + 1, 3) == inf);
        assert(cost_charge(&c, most, 2) == most && cost_charge(&c, most, 4) == most);
    }

    /* A search that is stopped reads no counts that were not made. */
    int64_t weights[70];
    int32_t guess[70];
    uint8_t rows[70][70];
    uint32_t marked[65536] = {0};
    frame_t root = {0};
    position_t P = {0};
    for (int i = 0; i < 70; i++) {
        weights[i] = i, guess[i] = i;
        for (int j = 0; j < 70; j++) rows[i][j] = (uint8_t)(i != j);
    }
    g.answers = g.guesses = 70;
    g.width = 1;
    g.codes = &rows[0][0];
    g.answer_guess = guess;
    root.blocks = 0;
    P.frame = &root;
    P.answers = everyone;
    P.n = 70;
    s.marks.mark = marked;
    s.costs.weights = weights;
    s.costs.by = -1;
    s.switches = COUNTS;
    s.stopped = 1;
    arena_init(&s.arena);
    s.arena.size[0] = 1024; /* so little that what lies beyond is seen by the sanitizer */
    s.arena.chunk[0] = malloc(s.arena.size[0] + 64);
    memset(s.arena.chunk[0], 255, s.arena.size[0] + 64);
    count_bound(&s, &P, FREE, COST_INF);
    assert(s.stopped);
    arena_free(&s.arena);
    puts("fine");
    return 0;
}
"""


@pytest.mark.slow
def test_edges_of_the_headers(tmp_path: Path) -> None:
    """65535 classes, marks and stamps that wrap, sums next to 2^62: in C, with sanitizers where there are some."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    source, program = tmp_path / "edges.c", tmp_path / "edges"
    source.write_text(HARNESS)
    flags = ["-O1", "-w", "-DOPTIMAL_NATIVE", f"-I{EXT}", str(source), "-o", str(program)]
    sanitized = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", *flags]
    if subprocess.run([compiler, *sanitized], capture_output=True, check=False).returncode:
        subprocess.run([compiler, *flags], check=True)
    environment = {"ASAN_OPTIONS": "detect_leaks=0"}
    done = subprocess.run([program], env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "fine\n"), done.stderr[-2000:]


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


@pytest.mark.slow
@pytest.mark.parametrize("rules", Rules)
def test_costs_next_to_the_most_that_is_counted(rules: Rules) -> None:
    """Late charges that bring the least cost to 2^62 - 3 .. 2^62 + 3: below 2^62 it is exact, from there on none."""
    assert INFEASIBLE == limits.INFEASIBLE == 1 << 62
    rng = random.Random(f"next to 2^62 {rules}")
    exact = beyond = 0
    while exact < 15 or beyond < 15:
        game = random_game(rng, rules, 9, 14)
        weights = tuple(w * 10 ** rng.choice((0, 3, 6)) for w in random_weights(rng, len(game.answers), 40))
        tables, textbook = tables_of(game), Textbook(game, weights)
        by, limit = rng.randint(1, 3), rng.choice((3, 4, None))
        left = NO_LIMIT if limit is None else limit
        known = textbook.solve(limit, f"within:{by}")
        if known is None or known.value[0] < 3:  # two would take a charge of more than 2^61
            continue
        missed, total = known.value
        for target in range(INFEASIBLE - 3, INFEASIBLE + 4):
            late = (target - total) // missed
            if late * missed + total != target and target != INFEASIBLE:
                continue
            cost = late * missed + total
            search = Search(tables, new_control(), weights=np.array(weights, dtype=np.int64), by=by, late=late)
            values = [search.opener(g, left, INFEASIBLE)[0] for g in range(len(game.guesses))]
            value, guess, _ = search.best(left)
            assert min(values) >= value
            if cost < INFEASIBLE:
                assert (value, guess) == (cost, known.plan.guess)
                exact += 1
            else:
                assert value >= INFEASIBLE
                assert min(values) >= INFEASIBLE
                beyond += 1


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
        found = solve(game, weights=Weights("file", tuple(weights)), max_guesses=limit)
        known = Textbook(game, tuple(weights)).solve(limit)
        assert found.value == (None if known is None else known.value)
        weights[0] += 1
        with pytest.raises(InputError, match=r"must stay below 2\^62") as error:
            solve(game, weights=Weights("file", tuple(weights)), max_guesses=limit)
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
    game = Game.from_matrix(right_or_wrong(answers), 0)
    with pytest.raises(InputError, match=r"too much: sum x deepest cost must stay below 2\^61 for within:") as error:
        Problem(game, None, objective, Weights("file", tuple(weights)))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("rules", Rules)
def test_late_charges_next_to_the_most_that_is_counted(rules: Rules) -> None:
    """One giant beside light answers, so that the largest charge that is accepted is paid once at most."""
    rng = random.Random(f"late {rules}")
    told = Counter[bool]()
    while len(told) < 2 or told.total() < 30:
        game = random_game(rng, rules, 9, 14)
        count, limit = len(game.answers), rng.choice((None, 3, 4))
        most = min(count + 1, limit or count + 1)
        weights = [rng.choice((0, 0, 1)) for _ in range(count)]
        weights[rng.randrange(count)] += (INFEASIBLE // 2 - 1) // most - sum(weights)
        objective, late = f"within:{rng.randint(1, 3)}", sum(weights) * most + 1
        known = Textbook(game, tuple(weights)).solve(limit, objective)
        asked = partial(solve, game, objective=objective, weights=Weights("file", tuple(weights)), max_guesses=limit)
        told[fits := known is None or known.value[0] * late + known.value[1] < INFEASIBLE] += 1
        if fits:
            assert asked().value == (None if known is None else known.value)
        else:
            with pytest.raises(InputError, match="too much to count what is missed"):
                asked()


# ------------------------------------------------------------------ depth


def right_or_wrong(size: int) -> npt.NDArray[np.uint8]:
    matrix: npt.NDArray[np.uint8] = 1 - np.eye(size, dtype=np.uint8)
    return matrix


def test_too_deep_is_said_at_once() -> None:
    game = Game.from_matrix(right_or_wrong(2100), 0)
    search = Search(tables_of(game), new_control())
    started = time.monotonic()
    for call in (
        lambda: search.best(NO_LIMIT),
        lambda: search.tree(0, NO_LIMIT),
        lambda: search.likely_tree(0, NO_LIMIT),
    ):
        with pytest.raises(RecursionError, match="deeper than 2000 guesses"):
            call()
    with pytest.raises(RecursionError):
        solve(game)
    assert time.monotonic() - started < SOON


SMALL_STACK = """
import threading
import numpy as np
from optimal import _engine, limits
from optimal.games.game import Game
from optimal.search.engine import tables_of

size = 250
game = Game.from_matrix(1 - np.eye(size, dtype=np.uint8), 0)
off = _engine.SWITCHES["counts"] + _engine.SWITCHES["frames"]
search = _engine.Search(tables_of(game), _engine.Control(np.zeros(2, dtype=np.int64)), off=off)
deepest = []

def work():
    try:
        search.best(_engine.NO_LIMIT)
    except _engine.Stopped:
        deepest.append(search.nodes)

threading.stack_size(size * 4096)
thread = threading.Thread(target=work)
thread.start()
thread.join(1)
search.control.stop()
thread.join()
print(*deepest)
"""


def test_the_stack_suffices_for_the_deepest_search() -> None:
    """2000 guesses deep in 8 MB: an eighth of that depth in an eighth of that stack."""
    done = subprocess.run([sys.executable, "-c", SMALL_STACK], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 250
