"""Strategy: which opener next, the incumbent, the jobs, when to stop."""

from __future__ import annotations

import math
import signal
import tempfile
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import numpy.typing as npt
from joblib import Parallel, delayed

from optimal import _search
from optimal._game import GameTables
from optimal._openers import OpenerSearch
from optimal._search import Control, Stopped
from optimal._supersets import Supersets
from optimal._version import __version__
from optimal.errors import InputError
from optimal.games.feedback import BullsFeedback, PegFeedback, WordFeedback
from optimal.games.game import Game, check_limit, feedback_matrix
from optimal.games.rules import Rules
from optimal.games.weights import MOST_COST, Weights
from optimal.search.nogoods import Cores
from optimal.search.result import Result, Status
from optimal.trees.tree import Node, StrategyTree

BACKENDS = ("threads", "loky")

#: The search's shortcuts, for tests that leave them out one by one: none of them changes a value.
SWITCHES = frozenset(_search.SWITCHES) | {"supersets", "cores"}

#: Bytes of a transposition-table entry, and of the tables of one job unless a memory limit says otherwise.
_ENTRY = 32
_TABLE_BYTES = 128 << 20

#: Supersets pay where many openers share them: serve classes of at least `least` answers by sets of at most `ratio`
#: times their size that `uses` classes share, or, as starting points for smaller ones, `touches` openers.
_SUPERSETS_LARGE = {"least": 32, "ratio": 2.5, "uses": 32, "touches": 64}
_SUPERSETS_SMALL = {"least": 4, "ratio": 4.0, "uses": 2, "touches": 4}
_LARGE = 2000


class _Unset(Enum):
    UNSET = "the game's own limit"


UNSET = _Unset.UNSET


@dataclass(frozen=True)
class Progress:
    """Where a solve stands; handed to ``progress`` a few times a second.

    ``phase`` is "preparing", "openers" or "tree"; ``done`` of ``total`` are its steps (openers: settled ones).
    ``incumbent`` is the best total so far and ``opener`` its first guess.
    """

    phase: str
    done: int
    total: int
    incumbent: int | None
    opener: str | None
    nodes: int
    seconds: float


@dataclass
class _Run:
    """What a solve knows so far. Threads record into it under its lock."""

    game: Game
    control: Control
    cells: str | None
    started: float
    report: Callable[[Progress], None] | None
    total_of: Callable[[int], int]
    limit: int = 0
    openers: int = 0
    values: dict[int, int] = field(default_factory=dict)
    bounds: dict[int, int] = field(default_factory=dict)
    nodes: int = 0
    count_calls: int = 0
    table_hits: int = 0
    stop_reason: str = "done"
    lock: threading.Lock = field(default_factory=threading.Lock)
    reported: float = 0.0

    def record(self, guess: int, value: int, budget: int) -> None:
        """An opener's value (below the budget) or lower bound."""
        with self.lock:
            if value < budget:
                self.values[guess] = value
                if value < self.control.incumbent:
                    self.control.incumbent = value
            self.bounds[guess] = value
        self.tell("openers", len(self.bounds), self.openers)

    @property
    def nothing_found(self) -> bool:
        """Whether openers were looked at and none has a tree."""
        return bool(self.bounds) and self.control.incumbent >= _search.INFEASIBLE

    @property
    def best(self) -> int | None:
        return min(self.values.values(), default=None)

    def tell(self, phase: str, done: int, total: int) -> None:
        now = time.monotonic()
        if self.report is None or (now - self.reported < 0.1 and done < total):
            return
        with self.lock:
            self.reported = now
            best = self.best
            opener = min((g for g, v in self.values.items() if v == best), default=None)
        self.report(
            Progress(
                phase=phase,
                done=done,
                total=total,
                incumbent=None if best is None else self.total_of(best),
                opener=None if opener is None else self.game.guesses[opener],
                nodes=self.nodes,
                seconds=now - self.started,
            )
        )

    def add_counters(self, search: OpenerSearch) -> None:
        with self.lock:
            self.nodes += search.nodes
            self.count_calls += search.count_calls
            self.table_hits += search.table_hits


@dataclass(frozen=True)
class _Costs:
    """What a tree is charged for: `weights` x depth, and `late` x weight more for every answer found after `by`.

    `late` exceeds every sum of weight x depth, so that comparing costs compares (missed, total).
    """

    weights: tuple[int, ...]
    by: int
    late: int

    @property
    def may_overflow(self) -> bool:
        """Whether a tree may cost more than the engine counts to."""
        return sum(self.weights) * self.late >= MOST_COST

    def parts(self, cost: int) -> tuple[int, ...]:
        """(missed, total), or (total,) where nothing can be missed."""
        return divmod(cost, self.late) if self.late else (cost,)


@dataclass
class _Engine:
    """What the searches of a process share: the game's tables and, once measured, supersets."""

    tables: GameTables
    costs: _Costs | None
    off: int
    slots: int
    supersets: Supersets | None = None
    measured: bool = False

    def search(self, control: Control, *, main_thread: bool = False) -> OpenerSearch:
        options: dict[str, Any] = {"off": self.off, "max_slots": self.slots, "main_thread": main_thread}
        if self.costs is not None:
            weights = np.array(self.costs.weights, dtype=np.int64)
            options.update(weights=weights, by=self.costs.by, late=self.costs.late)
        return OpenerSearch(self.tables, control, self.supersets, **options)


def solve(
    game: Game,
    *,
    objective: str = "mean",
    max_guesses: int | _Unset | None = UNSET,
    weights: Weights | None = None,
    openers: Sequence[str] | None = None,
    jobs: int = 1,
    backend: str = "threads",
    time_limit: float | None = None,
    memory_limit: int | None = None,
    prune: frozenset[str] = frozenset(),
    progress: Callable[[Progress], None] | None = None,
) -> Result:
    """The best strategy tree over all openers, or those named, and whether it is proven.

    ``objective``: "mean" (least total), "worst" (least worst case, then least total within it) or "within:K" (least
    weight of answers missed after K guesses, then least total; all are found within the limit still). ``max_guesses``
    is the limit, the game's unless given; None for no limit. ``weights`` (see `optimal.games.weights`) count each
    answer so many times. ``jobs`` searches run at once, as ``backend`` says: "threads"
    (which share all they can) or "loky" (processes). Seconds of ``time_limit`` and Ctrl-C end a
    solve early with what is proven so far. ``memory_limit``, in bytes, bounds the transposition tables. ``prune``
    names SWITCHES to leave out. Ties of the total go to the lower tree, then to a possible answer, then to the
    first in list order, so that the tree does not depend on the jobs.

    Raises InputError for openers that are no guesses and for options out of range; MemoryError when the search
    itself runs out of memory; RecursionError for a game whose trees are thousands of guesses deep.
    """
    limit = game.max_guesses if isinstance(max_guesses, _Unset) else check_limit(max_guesses)
    if jobs < 1:
        raise InputError(f"jobs must be 1 or more, not {jobs}")
    if backend not in BACKENDS:
        raise InputError(f"no backend {backend!r}; there are {', '.join(BACKENDS)}")
    if time_limit is not None and not time_limit > 0:
        raise InputError(f"the time limit must be more than 0 seconds, not {time_limit}")
    if memory_limit is not None and memory_limit < 1 << 20:
        raise InputError(f"the memory limit must be 1 MB at least, not {memory_limit} bytes")
    if not prune <= SWITCHES:
        raise InputError(f"no switch {min(prune - SWITCHES)!r}; there are {', '.join(sorted(SWITCHES))}")
    costs = _costs_of(game, objective, weights, limit)
    question = _Question(game, objective, limit, weights, costs, openers, jobs, backend, memory_limit, prune)
    started = time.monotonic()
    with _shared_cells(backend) as (cells, path):
        run = _Run(game, Control(cells), path, started, progress, lambda cost: question.parts(cost)[-1])
        with _stopping(run, time_limit):
            if objective == "worst":
                return question.least_worst(run)
            result = question.least_total(run, limit, question.engine())
            if result.status is Status.INFEASIBLE and costs is not None and costs.may_overflow:
                # Costs of 2^62 and more count as infeasible: tell the two apart by the plain question.
                plain = replace(question, objective="mean", weights=None, costs=None)
                if plain.least_total(run, limit, plain.engine()).status is not Status.INFEASIBLE:
                    raise InputError(
                        f"the weights sum to {sum(costs.weights)}, too much to count what is missed after "
                        f"{costs.by} guesses: scale them down"
                    )
            return result


@dataclass(frozen=True)
class _Question:
    """What `solve` was asked."""

    game: Game
    objective: str
    limit: int | None
    weights: Weights | None
    costs: _Costs | None
    openers: Sequence[str] | None
    jobs: int
    backend: str
    memory_limit: int | None
    prune: frozenset[str]

    def least_worst(self, run: _Run) -> Result:
        """The least limit that is feasible, then the least total within it."""
        # No tree need be deeper than its answers, after a first guess asked for by name.
        most = min(self.limit or math.inf, len(self.game.answers) + 1)
        limit = 1
        engine = self.engine()
        while True:
            result = self.least_total(run, limit, engine)
            if result.status is not Status.INFEASIBLE or limit >= most:
                return result
            limit += 1

    def least_total(self, run: _Run, limit: int | None, engine: _Engine) -> Result:
        run.limit = _search.NO_LIMIT if limit is None else min(limit, _search.NO_LIMIT)
        run.control.incumbent = _search.INFEASIBLE
        run.values.clear()
        run.bounds.clear()
        alike = self.alike(self.chosen())
        run.openers = len(alike)
        order = _promising(engine.tables, alike)
        # A first incumbent, so that there is a tree to show whenever it ends.
        self.search_in_threads(run, engine, order[:1], 1)
        if self.backend == "threads":

            def going_on(done: int, total: int) -> bool:
                run.tell("preparing", done, total)
                return not run.control.stopped

            self.measure(engine, order, self.jobs, going_on)
            self.search_in_threads(run, engine, order[1:], self.jobs)
        else:
            self.search_in_processes(run, order[1:])
        if len(run.bounds) < len(order):
            # Stopped: the openers not looked at are bounded by what one count says of all of them.
            least = engine.search(Control(np.zeros(2, dtype=np.int64))).lower_bound(run.limit)
            run.bounds.update((guess, least) for guess in order if guess not in run.bounds)
        return self.conclude(run, engine, alike)

    def chosen(self) -> list[int]:
        """Indices of the openers to cover."""
        if self.openers is None:
            return list(range(len(self.game.guesses)))
        if not self.openers:
            raise InputError("no openers were named")
        return sorted({self.game.guess_index(opener) for opener in self.openers})

    def alike(self, openers: Sequence[int]) -> dict[int, int]:
        """Openers to search, each with the number of openers that it stands for.

        In a peg game whose answers are all codes, all of one weight, permuting positions or renaming colours maps
        trees to trees of the same value, so openers of the same pattern are worth the same; the first in list order
        stands for them.
        """
        game = self.game
        if not is_symmetric(game) or self.weights is not None:
            return dict.fromkeys(openers, 1)
        first: dict[tuple[int, ...], int] = {}
        alike: dict[int, int] = {}
        for guess in openers:
            word = game.guesses[guess]
            pattern = tuple(sorted(word.count(symbol) for symbol in set(word)))
            stands = first.setdefault(pattern, guess)
            alike[stands] = alike.get(stands, 0) + 1
        return alike

    def engine(self) -> _Engine:
        slots = (self.memory_limit or _TABLE_BYTES * self.jobs) // self.jobs // _ENTRY
        off = sum(_search.SWITCHES[name] for name in self.prune & set(_search.SWITCHES))
        return _Engine(tables_of(self.game), self.costs, off, 1 << max(10, slots.bit_length() - 1))

    def measure(
        self,
        engine: _Engine,
        openers: Sequence[int],
        jobs: int,
        going_on: Callable[[int, int], bool] = lambda done, total: True,
    ) -> None:
        """Measure supersets for these openers, once, where they can pay; `going_on(done, total)` says whether to
        measure more."""
        feedback = self.game.feedback
        if not engine.measured and self.costs is None and "supersets" not in self.prune:
            if isinstance(feedback, WordFeedback):
                indices = np.array(openers, dtype=np.int32)
                engine.supersets = _supersets(engine.tables, feedback, indices, jobs, going_on)
            engine.measured = True

    def cores_hold(self, limit: int) -> bool:
        """Whether cores may refute openers: see `optimal.search.nogoods`."""
        plain = self.game.rules is Rules.NORMAL and not is_symmetric(self.game) and self.costs is None
        return plain and limit < _search.NO_LIMIT and "cores" not in self.prune

    def search_in_threads(self, run: _Run, engine: _Engine, order: Sequence[int], jobs: int) -> None:
        queue = iter(order)
        lock = threading.Lock()
        cores = Cores(self.game, run.limit) if self.cores_hold(run.limit) else None

        def work(main_thread: bool) -> None:
            search = engine.search(run.control, main_thread=main_thread)
            try:
                while not run.control.stopped:
                    with lock:
                        guess = next(queue, None)
                    if guess is None:
                        return
                    if cores is not None and run.nothing_found and cores.refutes(search, guess):
                        run.record(guess, _search.INFEASIBLE, _search.INFEASIBLE)
                        continue
                    # Up to and including the incumbent: an opener of equal total may still come before it.
                    budget = min(run.control.incumbent + 1, _search.INFEASIBLE)
                    value, _ = search.opener(guess, run.limit, budget)
                    run.record(guess, value, budget)
            except Stopped:
                pass
            finally:
                run.add_counters(search)

        jobs = min(jobs, len(order))
        if jobs <= 1:
            work(threading.current_thread() is threading.main_thread())
        else:
            Parallel(n_jobs=jobs, backend="threading")(delayed(work)(False) for _ in range(jobs))

    def search_in_processes(self, run: _Run, order: Sequence[int]) -> None:
        """Openers in small batches to processes. On one machine a file of two cells carries the incumbent and the
        stop flag to work under way; elsewhere a batch starts with what is known when it is sent."""
        token = uuid.uuid4().hex

        def batches() -> Iterator[Any]:
            at = 0
            while at < len(order) and not run.control.stopped:
                size = 1 if at < 8 * self.jobs else min(64, max(1, (len(order) - at) // (8 * self.jobs)))
                batch = order[at : at + size]
                yield delayed(_refute)(self, token, run.limit, batch, run.control.incumbent, run.cells)
                at += size

        parallel = Parallel(
            n_jobs=self.jobs,
            backend=self.backend,
            return_as="generator_unordered",
            pre_dispatch=2 * self.jobs,
        )
        for settled, counters in parallel(batches()):
            for guess, value, budget in settled:
                run.record(guess, value, budget)
            run.nodes += counters[0]
            run.count_calls += counters[1]
            run.table_hits += counters[2]

    def conclude(self, run: _Run, engine: _Engine, alike: dict[int, int]) -> Result:
        """Status, value and tree from what is known of every opener."""
        best = run.best
        least = min(run.bounds.values())
        bound = None if least >= _search.INFEASIBLE else int(least)
        tree = None
        if best is None or bound is None:
            status = Status.UNKNOWN if bound is not None else Status.INFEASIBLE
            refuted = sum(alike[g] for g, low in run.bounds.items() if low >= _search.INFEASIBLE)
        else:
            status = Status.OPTIMAL if bound == best else Status.FEASIBLE
            run.tell("tree", 0, 1)
            search = engine.search(Control(np.zeros(2, dtype=np.int64)))
            ties = [g for g, value in run.values.items() if value == best]
            heights = {g: search.opener_height(g, run.limit) if len(ties) > 1 else 0 for g in ties}
            opener = min(ties, key=lambda g: (heights[g], not search.tables.is_answer(g), g))
            refuted = sum(alike[g] for g, low in run.bounds.items() if low > best or g in heights) - 1
            tree = self.strategy_tree(search.tree(opener, run.limit), status, bound)
            run.tell("tree", 1, 1)
        return Result(
            status=status,
            value=None if tree is None else tree.value,
            bound=tree.bound if tree is not None else None if bound is None else self.bound_parts(run, bound),
            tree=tree,
            openers=sum(alike.values()),
            openers_refuted=refuted,
            stop_reason=run.stop_reason,
            seconds=time.monotonic() - run.started,
            nodes=run.nodes,
            count_calls=run.count_calls,
            table_hits=run.table_hits,
        )

    def parts(self, cost: int) -> tuple[int, ...]:
        """A cost as the objective's parts, the worst case left out."""
        return (cost,) if self.costs is None else self.costs.parts(cost)

    def bound_parts(self, run: _Run, bound: int) -> tuple[int, ...]:
        """A lower bound as the objective's parts. With "worst", smaller limits have been refuted by now."""
        return (run.limit, bound) if self.objective == "worst" else self.parts(bound)

    def strategy_tree(self, nested: list[Any], status: Status, bound: int) -> StrategyTree:
        game = self.game
        root, depths = _nodes(game, nested)
        weights = (1,) * len(game.answers) if self.weights is None else self.weights.values
        total = sum(weight * depths[answer] for weight, answer in zip(weights, game.answers, strict=True))
        worst = max(depths.values())
        value: tuple[int, ...] = (total,)
        before: tuple[int, ...] = ()
        if self.objective == "worst":
            before = (worst,)
        elif self.costs is not None and self.costs.late:
            missed = (w for w, answer in zip(weights, game.answers, strict=True) if depths[answer] > self.costs.by)
            value = (sum(missed), total)
        return StrategyTree(
            game=game.info,
            rules=game.rules,
            objective=self.objective,
            max_guesses=self.limit,
            position=(),
            weights=None if self.weights is None else self.weights.values,
            weights_name="uniform" if self.weights is None else self.weights.name,
            answers=game.answers,
            root=root,
            status=str(status),
            value=(*before, *value),
            bound=(*before, *self.parts(bound)),
            total=total,
            worst=worst,
            distribution=dict(sorted(Counter(depths.values()).items())),
            openers=None if self.openers is None else tuple(game.guesses[g] for g in self.chosen()),
            program=f"optimal {__version__}",
        )


def _nodes(game: Game, nested: list[Any]) -> tuple[Node, dict[str, int]]:
    """A Node from the engine's [guess, wins, {code: child}], and the depth at which each answer is found."""
    answer_of = {int(guess): game.answers[a] for a, guess in enumerate(game.answer_guess)}
    depths: dict[str, int] = {}
    built: dict[int, Node] = {}
    stack = [(nested, 1, False)]
    while stack:
        item, depth, ready = stack.pop()
        guess, wins, children = item
        if ready:
            built[id(item)] = Node(
                game.guesses[guess], {code: built.pop(id(child)) for code, child in children.items()}
            )
            continue
        if wins:
            depths[answer_of[guess]] = depth
        stack.append((item, depth, True))
        stack.extend((child, depth + 1, False) for child in children.values())
    return built[id(nested)], depths


def _costs_of(game: Game, objective: str, weights: Weights | None, limit: int | None) -> _Costs | None:
    """The costs of an objective; None for the number of guesses, which has a search of its own."""
    by = -1
    kind, _, number = objective.partition(":")
    if kind == "within" and number.isdecimal() and int(number) >= 1:
        by = min(int(number), len(game.answers) + 1)
    elif objective not in ("mean", "worst"):
        raise InputError(f"no objective {objective!r}; there are mean, worst and within:K, such as within:4")
    if weights is None and by < 0:
        return None
    values = (1,) * len(game.answers) if weights is None else weights.values
    if len(values) != len(game.answers) or min(values) < 0 or not any(values):
        raise InputError(f"{len(game.answers)} weights are needed, none negative and not all 0")
    most = sum(values) * min(len(values) + 1, limit or len(values) + 1)
    late = most + 1 if by >= 0 else 0
    if most >= MOST_COST:
        raise InputError(
            f"the weights sum to {sum(values)}, too much: sum x deepest cost must stay below 2^62; scale them down"
        )
    return _Costs(values, by, late)


@contextmanager
def _stopping(run: _Run, time_limit: float | None) -> Iterator[None]:
    """Let Ctrl-C and the time limit end a run by its stop flag, so that what is proven is kept."""

    def stop(reason: str) -> None:
        run.stop_reason = reason
        run.control.stop()

    def on_signal(number: int, frame: FrameType | None) -> None:
        stop("interrupted")

    timer = None if time_limit is None else threading.Timer(time_limit, stop, ["time limit"])
    main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGINT, on_signal) if main else None
    if timer is not None:
        timer.daemon = True
        timer.start()
    try:
        yield
    finally:
        if timer is not None:
            timer.cancel()
        if main:
            signal.signal(signal.SIGINT, before)


@contextmanager
def _shared_cells(backend: str) -> Iterator[tuple[npt.NDArray[np.int64], str | None]]:
    """The two cells of a Control: in memory, or in a file that the processes of one machine map."""
    if backend != "loky":
        yield np.zeros(2, dtype=np.int64), None
        return
    with tempfile.TemporaryDirectory(prefix="optimal-") as folder:
        path = str(Path(folder) / "cells")
        yield np.memmap(path, dtype=np.int64, mode="w+", shape=(2,)), path


def tables_of(game: Game) -> GameTables:
    """The engine's tables of a game, with the structure that its rules need."""
    letters = digits = replies = symbols = None
    if isinstance(game.feedback, WordFeedback):
        letters = _symbols(game)
    elif is_symmetric(game) and game.rules is Rules.NORMAL:
        symbols = _symbols(game).astype(np.uint8)
    if game.rules is Rules.HARD:
        assert isinstance(game.feedback, WordFeedback)
        digits = _digits(game.feedback)
    elif game.rules is Rules.ULTRA_HARD:
        replies = game.matrix
        if game.feedback is not None and game.guesses != game.answers:
            replies = feedback_matrix(game.feedback, game.guesses, game.guesses)
    return GameTables(
        game.matrix,
        game.answer_guess,
        game.winning_code,
        letters=letters,
        digits=digits,
        replies=replies,
        symbols=symbols,
    )


def is_symmetric(game: Game) -> bool:
    """Whether any renaming of symbols, and any order of the places, maps the game to itself: a peg game whose answers
    and guesses are all codes."""
    return isinstance(game.feedback, PegFeedback | BullsFeedback) and game.answers == game.guesses


def _symbols(game: Game) -> npt.NDArray[np.int32]:
    """The symbols of the guesses as small numbers in code point order, shape (guesses, places)."""
    number = {symbol: i for i, symbol in enumerate(sorted(set("".join(game.guesses))))}
    return np.array([[number[symbol] for symbol in guess] for guess in game.guesses], dtype=np.int32)


def _digits(feedback: WordFeedback) -> npt.NDArray[np.uint8]:
    """The feedback at each position of every code, shape (codes, length)."""
    codes = np.arange(feedback.codes)
    return np.stack([codes // 3**place % 3 for place in range(feedback.length)], axis=1).astype(np.uint8)


def _supersets(
    tables: GameTables,
    feedback: WordFeedback,
    openers: npt.NDArray[np.int32],
    jobs: int,
    going_on: Callable[[int, int], bool] = lambda done, total: True,
) -> Supersets | None:
    """Measured supersets of the openers' classes; None where they can't pay. `going_on(done, total)` says whether to
    measure more."""
    size = _SUPERSETS_LARGE if len(openers) >= _LARGE else _SUPERSETS_SMALL
    if not 3 <= feedback.length <= 5 or len(openers) < 8 or (len(openers) < _LARGE and tables.answers > 500):
        return None
    supersets = Supersets(tables, _digits(feedback), int(size["least"]))
    supersets.collect(openers, size["ratio"])
    levels = supersets.levels(int(size["uses"]), int(size["touches"]))
    total, done = sum(map(len, levels)), 0

    def measure(part: npt.NDArray[np.int32]) -> None:
        nonlocal done
        if going_on(done, total):
            supersets.measure(part)
            done += len(part)

    for level in levels:
        # Level by level: a set's list starts from the list of a set that contains it. Small parts: each may be the
        # last, and sets left out are only bounds forgone.
        parts = np.array_split(level, max(1, len(level) // 32))
        if jobs == 1:
            for part in parts:
                measure(part)
        else:
            Parallel(n_jobs=jobs, backend="threading")(delayed(measure)(part) for part in parts)
    return supersets


def _promising(tables: GameTables, openers: Iterable[int]) -> list[int]:
    """Openers in the order to try them: by expected bits still missing, which finds a strong incumbent early."""
    missing = tables.spread()
    return sorted(openers, key=lambda guess: (missing[guess], guess))


#: The engine of the last question that a worker process was sent, for the batches of one run.
_ENGINES: dict[str, _Engine] = {}


def _refute(
    question: _Question, token: str, limit: int, guesses: Sequence[int], incumbent: int, path: str | None
) -> tuple[list[tuple[int, int, int]], tuple[int, int, int]]:
    """A batch of openers in another process: (guess, value or bound, budget) of each, and the counters."""
    if token not in _ENGINES:
        _ENGINES.clear()
        engine = question.engine()
        question.measure(engine, list(question.alike(question.chosen())), 1)
        _ENGINES[token] = engine
    cells: npt.NDArray[np.int64] = np.array([incumbent, 0], dtype=np.int64)
    if path is not None:
        cells = np.memmap(path, dtype=np.int64, mode="r+", shape=(2,))
    control = Control(cells)
    search = _ENGINES[token].search(control)
    settled = []
    try:
        for guess in guesses:
            budget = min(control.incumbent + 1, _search.INFEASIBLE)
            value, _ = search.opener(guess, limit, budget)
            if value < min(budget, control.incumbent):
                control.incumbent = value
            settled.append((guess, value, budget))
    except Stopped:
        pass
    return settled, (search.nodes, search.count_calls, search.table_hits)
