"""What a run has from its journal, and what it keeps there."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from optimal._engine import Search, Stopped
from optimal.errors import InputError, OptimalError
from optimal.journal.database import limit_in_rows
from optimal.journal.journal import Imported, Journal, Known, Note
from optimal.journal.ledger import Proven, contradict, stronger
from optimal.limits import INFEASIBLE
from optimal.search.accounts import Spent
from optimal.search.engine import learn, noted
from optimal.search.game_run import AtHand, GameRun
from optimal.search.result import Status
from optimal.show.words import quoted, resting
from optimal.trees.file import from_bytes
from optimal.trees.nodes import Node
from optimal.trees.tree import StrategyTree

if TYPE_CHECKING:
    from optimal._engine import Nested
    from optimal.games.game import Game

#: A tree's cost and its file, from the tree as the engine builds it and the status that it is to have.
Packed: TypeAlias = "Callable[[Nested, Status], tuple[int, bytes]]"


class Keeper:
    """The journal of a run. ``packed`` makes the bytes of a tree file from a tree of the engine's, with its cost; None
    where no trees are asked for."""

    def __init__(self, journal: Journal, run: GameRun, packed: Packed | None = None) -> None:
        self._journal, self._run, self._packed = journal, run, packed
        self._lock, self._standing = threading.Lock(), threading.Lock()
        self._arrived: list[tuple[int, Note]] = []
        self._silent = False
        self._stood: tuple[int | None, int, int] | None = None
        self._best_kept = INFEASIBLE  # the cost of the tree that the journal has
        self._seen: AtHand | None = None  # the last that was at hand
        self.resumed = False  # whether anything came from the journal
        #: What is known of openers from ledgers alone.
        self._imported: dict[int, Imported] = {}
        run.keep_in(self)
        journal.begin(self._beat, self._notes, lambda: run.stop(journal.failed))

    @property
    def limit(self) -> int:
        """The limit of guesses as the journal has it."""
        return limit_in_rows(self._run.limit)

    def resume(self, guesses: Iterable[int], searches: Sequence[Search], *, race: bool = False) -> None:
        """Let the run know what the journal has of these openers, and its searches what it has of their classes: see
        `Run.take_up`."""
        try:
            self._resume(set(guesses), searches[0], race)
            self._teach(searches)
        except Stopped:
            pass  # what was taken over holds
        finally:
            for search in searches:
                search.take_notes()

    def _resume(self, asked: set[int], search: Search, race: bool) -> None:
        run = self._run
        own = {guess: known for guess, known in self._journal.openers(self.limit).items() if guess in asked}
        taken = self._journal.imported(self.limit)
        self._imported = {guess: taken[guess] for guess in asked & taken.keys()}
        for guess, said in self._imported.items():
            if guess in own and contradict(said.proven, own[guess].proven):
                raise self._wrong(guess, said, f"an earlier run has proven {own[guess].proven}")
        known = {guess: each.proven for guess, each in own.items()}
        known.update((guess, said.proven) for guess, said in self._imported.items())
        for guess, proven in known.items():
            if proven.exact and proven.lower < search.quick_bound(guess, run.left):
                raise self._damaged(f"{run.game.guesses[guess]} costs {proven.lower}, less than is possible")
        kept = None if self._packed is None else self._tree()
        self._best_kept = INFEASIBLE if kept is None else kept.cost
        self.resumed |= bool(known) or kept is not None
        if kept is not None:
            opener = kept.nested[0]
            if opener in known and known[opener].lower > kept.cost:
                raise self._damaged(f"its tree costs less than it says {run.game.guesses[opener]} can")
            kept = kept if opener in asked else None
        self._seen = kept
        run.take_over(known, {guess: Spent(each.nodes, each.seconds) for guess, each in own.items()}, kept, race=race)

    @property
    def ledgers(self) -> tuple[str, ...]:
        """The ledgers whose bounds are all that is known of some openers: what the run finds rests on them."""
        return tuple(sorted({said.ledger for said in list(self._imported.values())}))

    @property
    def imported(self) -> int:
        """Of how many openers that is all."""
        return len(self._imported)

    def ledger_of(self, guess: int) -> str | None:
        """The ledger whose bound of an opener is all that is known of it."""
        said = self._imported.get(guess)
        return None if said is None else said.ledger

    def opener(self, guess: int, found: Proven | None, *, settled: bool) -> None:
        """Keep what the run knows of an opener, and what was spent on it; of one that a ledger tells of, only what a
        search has ``found`` just now."""
        run = self._run
        lower, exact = run.lows.get(guess, 0), guess in run.values
        said = self._imported.get(guess)
        if said is not None:
            lower, exact = (0, False) if found is None else (found.lower, found.exact)
        known = Proven(lower, exact or lower >= INFEASIBLE)
        if said is not None:
            if contradict(said.proven, known):
                raise self._wrong(guess, said, f"a search has found {known}")
            if stronger(said.proven, known):
                settled = False  # it isn't, once that is taken back
            else:
                self._imported.pop(guess, None)
        spent = run.accounts[guess]
        if not (lower or spent.nodes):
            return
        # The classes of what may be the best are kept: its tree is still to be built.
        wanted = known.exact and lower <= run.control.incumbent and self._packed is not None
        kept = Known(lower, lower if known.exact else None, spent.nodes, spent.seconds)
        self._journal.opener(self.limit, guess, kept, spent.worker, settled=settled and not wanted)

    def note(self, notes: Iterable[Note]) -> None:
        """Keep notes from another process."""
        with self._lock:
            self._arrived += [(self.limit, note) for note in notes]

    def notes_of(self, guesses: Iterable[int]) -> dict[int, tuple[Note, ...]]:
        """What the journal has of the classes of these openers, for searches elsewhere."""
        found: dict[int, list[Note]] = {guess: [] for guess in guesses}
        for note in self._journal.notes(self.limit):
            if note.opener in found:
                found[note.opener].append(note)
        return {guess: tuple(notes) for guess, notes in found.items()}

    def tree(self, guess: int, cost: int) -> None:
        """Hear of a tree. Raises InputError where a ledger has it that there is none."""
        if (said := self._imported.get(guess)) is not None and cost < said.proven.lower:
            raise self._wrong(guess, said, f"a tree was found that costs {cost}")

    def end(self, status: str) -> None:
        """Keep how the run ended."""
        with self._standing:
            if not self._silent:
                self._stands(last=True)
            self._silent = True
            self._ran(status, self._run.stop_reason)

    def rest(self) -> None:
        """What the run does from now on belongs to another question."""
        with self._standing:
            self._stands(last=True)
            self._silent = True

    def _beat(self) -> None:
        with self._standing:
            if not self._silent:
                self._stands()
                self._ran("running", "running")

    def _stands(self, *, last: bool = False) -> None:
        """Keep the best tree and where the run stands, where that is news, or the ``last`` word."""
        run, now = self._run, self._run.clock.seconds
        with run.lock:
            limit, kept, incumbent, bound, settled = self.limit, run.kept, run.incumbent, run.bound, run.done
        if kept is not None and kept is not self._seen:
            self._keep(limit, kept)
        self._seen = kept
        stands = (None if incumbent is None else incumbent[0], bound, settled)
        if stands != self._stood or last:
            self._stood = stands
            low = bound if 0 < bound < INFEASIBLE else None
            self._journal.stands(limit, now, stands[0], low, settled)

    def _ran(self, status: str, stop_reason: str) -> None:
        """Keep how far the run is, or how it ended."""
        run, given = self._run, resting(self.imported, self.ledgers)
        self._journal.ran(run.clock.seconds, run.nodes, run.openers, status, stop_reason + given)

    def _keep(self, limit: int, kept: AtHand) -> None:
        """Keep a tree, if it is the best."""
        canonical = kept.canonical and not self._imported  # which is not known any more once they are forgotten
        better = kept.cost < self._best_kept or (kept.cost == self._best_kept and canonical)
        if better and self._packed is not None:
            cost, tree = self._packed(kept.nested, Status.OPTIMAL if kept.canonical else Status.FEASIBLE)
            self._journal.keep(limit, cost, canonical, tree)
            self._best_kept = cost

    def _notes(self) -> list[tuple[int, Note]]:
        with self._lock:
            arrived, self._arrived = self._arrived, []
        with self._run.lock:  # a limit has its own searches
            limit, searches = self.limit, self._run.searches
        return arrived + [(limit, note) for search in searches for note in noted(search)]

    def _teach(self, searches: Sequence[Search]) -> None:
        one_table = len(searches) == 1 or searches[0].team is not None
        for note in self._journal.notes(self.limit):
            self.resumed = True
            for search in searches[: 1 if one_table else None]:
                try:
                    learn(search, note)
                except (ValueError, TypeError, IndexError, OverflowError) as error:
                    raise self._damaged(str(error)) from None

    def _tree(self) -> AtHand | None:
        run = self._run
        kept = self._journal.tree(self.limit)
        if kept is None:
            return None
        try:
            tree = from_bytes(kept.tree)
            nested = _nested(run.game, tree)
            assert self._packed is not None
            cost, _ = self._packed(nested, Status.FEASIBLE)
        except OptimalError as error:
            raise self._damaged(f"its tree: {error}") from None
        if cost != kept.cost or tree.worst > run.left:
            raise self._damaged(f"its tree costs {cost}, not {kept.cost}")
        return AtHand(cost, kept.canonical and tree.status == "OPTIMAL", tree.openers, nested)

    def contradicted(self, error: BaseException) -> InputError:
        """What is wrong where the search comes to something else than the journal."""
        if self._imported:
            return InputError(f"{self._said_by(', '.join(self.ledgers))} is wrong: a search contradicts it: {error}")
        return self._damaged(f"a search contradicts it: {error}")

    def _wrong(self, guess: int, said: Imported, why: str) -> InputError:
        """What is wrong where a ledger says of an opener what can't be."""
        name = quoted(self._run.game.guesses[guess])
        return InputError(f'{self._said_by(said.ledger)} is wrong: it says "{said.proven}" of {name}, but {why}')

    def _said_by(self, ledger: str) -> str:
        journal = self._journal.path
        return f"what the journal {journal} has from {ledger} (`optimal status --forget-imports` takes it back)"

    def _damaged(self, why: str) -> InputError:
        return InputError(f"the journal {self._journal.path} is damaged: {why}")


def _nested(game: Game, tree: StrategyTree) -> Nested:
    """A tree as the engine builds them. Raises InputError for guesses that the game lacks."""
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
