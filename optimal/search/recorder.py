"""Recorders: a run records what it proves in its journal, and resumes from what earlier runs have proven.

`Recorder` is shared by runs of games and tables, `GameRecorder` is that of a game; `optimal.search.key_recorder` has
that of a table. A limit is one of guesses; for a table, of the cost of a path.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from optimal._engine import Search, Stopped
from optimal.errors import InputError, OptimalError
from optimal.journal.journal import Journal
from optimal.journal.records import (
    Limit,
    Note,
    OpenerRecord,
    Proven,
    RunStatus,
    StatusRecord,
    TreeRecord,
    contradict,
    stronger,
)
from optimal.labels import as_typed
from optimal.limits import INFEASIBLE
from optimal.search.engine import export_bounds, import_bounds
from optimal.search.game_problem import Problem
from optimal.search.game_run import BestTree, GameRun
from optimal.search.key_problem import KeyProblem
from optimal.search.result import Status
from optimal.search.run import Run
from optimal.search.statistics import Effort
from optimal.show.words import quoted, resting
from optimal.trees.file import from_bytes
from optimal.trees.nodes import Node
from optimal.trees.tree import StrategyTree

if TYPE_CHECKING:
    from optimal._engine import Nested
    from optimal.games.game import Game

#: Makes a tree's cost and file from the engine's tree and its status.
Packed: TypeAlias = "Callable[[Nested, Status], tuple[int, bytes]]"
#: Openers named in a run's description.
_NAMED = 20

RunT = TypeVar("RunT", bound=Run[Any, Any])
TreeT = TypeVar("TreeT")


def journal_of(
    problem: Problem | KeyProblem, command: str, everything: str = "all openers"
) -> AbstractContextManager[Journal | None]:
    """Return the journal of a problem, as a context manager; of None if none is asked for."""
    options = problem.options
    if options.journal is None:
        return nullcontext()
    names = None if problem.opener_names is None else list(map(as_typed, problem.opener_names))
    asked = everything if names is None else " ".join(names[:_NAMED]) + " ..." * (len(names) > _NAMED)
    return Journal(options.journal, problem.names, problem.identity, f"{command} {asked}", options.jobs)


class Recorder(ABC, Generic[RunT, TreeT]):
    """The journal of a run."""

    def __init__(self, journal: Journal, run: RunT) -> None:
        self._journal, self._run = journal, run
        self._lock, self._status_lock = threading.Lock(), threading.Lock()
        self._arrived: list[tuple[Limit, Note]] = []
        self._status: RunStatus | None = None  # the last one recorded
        self._tree: TreeT | None = None  # the last one seen
        self._ended = False
        self._imported: dict[int, OpenerRecord] = {}  # openers known from a ledger alone
        self.resumed = False  # whether the journal held anything
        journal.begin(self._beat, self._notes, lambda: run.stop(journal.failed))

    @property
    @abstractmethod
    def limit(self) -> Limit:
        """The limit that the searches work within."""

    @abstractmethod
    def record_tree(self, limit: Limit, tree: TreeT) -> None:
        """Record a new best tree."""

    def note(self, notes: Iterable[Note]) -> None:
        """Record notes from another process."""
        with self._lock:
            self._arrived += [(self.limit, note) for note in notes]

    def notes_of(self, openers: Iterable[int]) -> dict[int, tuple[Note, ...]]:
        """Return the recorded notes of these openers, for searches elsewhere."""
        found: dict[int, list[Note]] = {opener: [] for opener in openers}
        for note in self._journal.notes(self.limit):
            if note.opener in found:
                found[note.opener].append(note)
        return {opener: tuple(notes) for opener, notes in found.items()}

    def rest(self) -> None:
        """Record the last status: from now on the run works on another problem."""
        with self._status_lock:
            if not self._ended:
                self._record_status(last=True)
            self._ended = True

    def end(self, status: str) -> None:
        """Record how the run ended."""
        self.rest()
        self._record_run(status, self._run.stop_reason)

    @property
    def ledgers(self) -> tuple[str, ...]:
        """The ledgers whose bounds are all that is known of some openers: the run's results rest on them."""
        return tuple(sorted({said.ledger for said in list(self._imported.values())}))

    @property
    def imported(self) -> int:
        """The number of these openers."""
        return len(self._imported)

    def contradicted(self, error: BaseException) -> InputError:
        """Return the error for a search that contradicts the journal."""
        if self._imported:
            return InputError(f"{self._said_by(', '.join(self.ledgers))} is wrong: a search contradicts it: {error}")
        return self.damaged(f"a search contradicts it: {error}")

    def damaged(self, why: str) -> InputError:
        return InputError(f"the journal {self._journal.path} is damaged: {why}")

    def _said_by(self, ledger: str) -> str:
        journal = self._journal.path
        return f"what the journal {journal} imported from {ledger} (`optimal status --forget-imports` removes it)"

    def _beat(self) -> None:
        with self._status_lock:
            if not self._ended:
                self._record_status()
                self._record_run("running", "running")

    def _record_status(self, *, last: bool = False) -> None:
        status, tree = self._run.status()
        if tree is not None and tree is not self._tree:
            self.record_tree(status.limit, tree)
        self._tree = tree
        if status != self._status or last:
            self._status = status
            self._journal.add(StatusRecord(self._journal.run.number, self._run.clock.seconds, *status))

    def _record_run(self, status: str, stop_reason: str) -> None:
        run, given = self._run, resting(self.imported, self.ledgers)
        self._journal.ran(run.clock.seconds, run.nodes, run.openers, status, stop_reason + given)

    def _record_opener(self, limit: Limit, opener: int, proven: Proven, *, settled: bool) -> None:
        spent = self._run.statistics[opener]
        self._journal.opener(limit, opener, proven, (spent.nodes, spent.seconds, spent.worker), settled=settled)

    def _notes(self) -> list[tuple[Limit, Note]]:
        with self._lock:
            arrived, self._arrived = self._arrived, []
            return arrived + self._own_notes()

    def _own_notes(self) -> list[tuple[Limit, Note]]:
        """Return the notes that the searches of this process have taken since the last call."""
        with self._run.lock:  # each limit has its own searches
            limit, searches = self.limit, self._run.searches
        return [(limit, note) for search in searches for note in export_bounds(search)]


class GameRecorder(Recorder[GameRun, BestTree]):
    """The journal of a run of a game. ``packed`` makes a tree file from the engine's tree, with its cost; None if no
    trees are wanted."""

    def __init__(self, journal: Journal, run: GameRun, packed: Packed | None = None) -> None:
        self._packed = packed
        self._least = INFEASIBLE  # the cost of the tree in the journal
        super().__init__(journal, run)
        run.keep_in(self)

    @property
    def limit(self) -> Limit:
        return self._run.limit

    def record_tree(self, limit: Limit, tree: BestTree) -> None:
        canonical = tree.canonical and not self._imported  # as that is lost with the imports
        better = tree.cost < self._least or (tree.cost == self._least and canonical)
        if better and self._packed is not None:
            cost, data = self._packed(tree.nested, Status.OPTIMAL if tree.canonical else Status.FEASIBLE)
            self._journal.add(TreeRecord(limit, cost, canonical, data))
            self._least = cost

    # Loading

    def resume(self, guesses: Iterable[int], searches: Sequence[Search], *, every: bool = False) -> None:
        """Import the journal's bounds of these openers into the run, and its notes into the searches: see
        `GameRun.take_up`."""
        try:
            self._resume(set(guesses), searches[0], every)
            self._import_notes(searches)
        except Stopped:
            pass  # the part imported so far is valid
        finally:
            for search in searches:
                search.record_bounds()

    def _resume(self, asked: set[int], search: Search, every: bool) -> None:
        run, contents = self._run, self._journal.contents
        own = {guess: one for guess, one in contents.openers[self.limit].items() if guess in asked}
        self._imported = {guess: said for guess, said in contents.imported(self.limit).items() if guess in asked}
        for guess, said in self._imported.items():
            if guess in own and contradict(said.proven, own[guess].proven):
                raise self._wrong(said, f"an earlier run has proven {own[guess].proven}")
        known = {guess: one.proven for guess, one in {**own, **self._imported}.items()}
        for guess, proven in known.items():
            if proven.exact and proven.lower < search.quick_bound(guess, run.left):
                raise self.damaged(f"{run.game.guesses[guess]} costs {proven.lower}, less than is possible")
        kept = self._kept()
        self._least = INFEASIBLE if kept is None else kept.cost
        self.resumed |= bool(known) or kept is not None
        if kept is not None:
            opener = kept.nested[0]
            if opener in known and known[opener].lower > kept.cost:
                raise self.damaged(f"its tree costs less than it says {run.game.guesses[opener]} can")
            kept = kept if opener in asked else None
        self._tree = kept
        run.take_over(known, {guess: Effort(one.nodes, one.seconds) for guess, one in own.items()}, kept, every=every)

    def _import_notes(self, searches: Sequence[Search]) -> None:
        one_table = len(searches) == 1 or searches[0].team is not None
        for note in self._journal.notes(self.limit):
            self.resumed = True
            for search in searches[: 1 if one_table else None]:
                try:
                    import_bounds(search, note)
                except (ValueError, TypeError, IndexError, OverflowError) as error:
                    raise self.damaged(str(error)) from None

    def _kept(self) -> BestTree | None:
        """Return the tree in the journal."""
        run, record = self._run, self._journal.contents.trees.get(self.limit)
        if record is None or self._packed is None:
            return None
        try:
            tree = from_bytes(record.data)
            nested = _nested(run.game, tree)
            cost, _ = self._packed(nested, Status.FEASIBLE)
        except OptimalError as error:
            raise self.damaged(f"its tree: {error}") from None
        if cost != record.cost or tree.worst > run.left:
            raise self.damaged(f"its tree costs {cost}, not {record.cost}")
        return BestTree(cost, record.canonical and tree.status == "OPTIMAL", tree.openers, nested)

    # Recording

    def opener(self, guess: int, found: Proven | None, *, settled: bool) -> None:
        """Record the bound of an opener and the effort spent on it; if a ledger has one, only what a search has
        ``found`` just now."""
        run = self._run
        lower, exact = run.lows.get(guess, 0), guess in run.values
        said = self._imported.get(guess)
        if said is not None:
            lower, exact = (0, False) if found is None else (found.lower, found.exact)
        known = Proven(lower, exact or lower >= INFEASIBLE)
        if said is not None:
            if contradict(said.proven, known):
                raise self._wrong(said, f"a search has found {known}")
            if stronger(said.proven, known):
                settled = False  # as it isn't without the ledger
            else:
                self._imported.pop(guess, None)
        if lower or run.statistics[guess].nodes:
            # Keep the notes of a possible best opener: its tree is still to be built.
            wanted = known.exact and lower <= run.control.incumbent and self._packed is not None
            self._record_opener(self.limit, guess, known, settled=settled and not wanted)

    def tree(self, guess: int, cost: int) -> None:
        """Check a new tree against the ledgers. Raises InputError if one claims that all such trees cost more."""
        if (said := self._imported.get(guess)) is not None and cost < said.lower:
            raise self._wrong(said, f"a tree was found that costs {cost}")

    def ledger_of(self, guess: int) -> str | None:
        """Return the ledger whose bound is all that is known of an opener; None if there is none."""
        said = self._imported.get(guess)
        return None if said is None else said.ledger

    def _wrong(self, said: OpenerRecord, why: str) -> InputError:
        """Return the error for a ledger's claim that is refuted."""
        whose = self._said_by(said.ledger)
        return InputError(f'{whose} is wrong: it says "{said.proven}" of {quoted(said.opener)}, but {why}')


def _nested(game: Game, tree: StrategyTree) -> Nested:
    """Return a tree as the engine builds them. Raises InputError for guesses that the game lacks."""
    built: dict[int, Nested] = {}
    stack: list[tuple[Node, bool]] = [(tree.root, False)]
    while stack:
        node, ready = stack.pop()
        if ready:
            children = {code: built[id(child)] for code, child in node.children.items()}
            built[id(node)] = (game.guess_index(node.guess), children)
        else:
            stack.append((node, True))
            stack.extend((child, False) for child in node.children.values())
    return built[id(tree.root)]
