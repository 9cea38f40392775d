"""The journal as a run uses it: what earlier runs have proven, and what this one proves.

Every second a thread writes what has come together, in one transaction. So a run that is killed loses the last second
of what it knew, and no search ever waits for a disk.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from typing import Any, NamedTuple, Protocol

from optimal._version import __version__
from optimal.errors import InputError
from optimal.games.game import Game
from optimal.games.matrices import matrix_sha256
from optimal.games.weights import Weights
from optimal.journal.database import Database, Replaced
from optimal.journal.ledger import Proven, contradict, proven_of, stronger
from optimal.limits import INFEASIBLE
from optimal.show.words import quoted

#: Seconds between two transactions.
EVERY = 1.0


class Note(NamedTuple):
    """What is proven of the position after ``history``, pairs of guess and feedback code, with so many guesses
    ``left``, None for no limit: a value, ``exact`` or a lower bound, the height of a least tree and its first guess,
    and whether the value is no less than the count bound; of a table, whether any key counts as 0. The searches make
    and take plain tuples, of numbers alone."""

    history: tuple[tuple[int, int], ...]
    left: int | None
    value: int
    exact: int
    height: int
    guess: int
    counted: int

    @property
    def opener(self) -> int:
        return self.history[0][0]


class Named(Protocol):
    """What may come first, by name: a game has that."""

    @property
    def guesses(self) -> Sequence[str]: ...
    def guess_index(self, guess: str) -> int: ...


Work = tuple[str, Sequence[Any]]


@dataclass(frozen=True)
class Known:
    """What is proven of an opener, and by which version of the program: ``upper`` is a cost that it attains, None where
    none is known."""

    lower: int
    upper: int | None
    nodes: int = 0
    seconds: float = 0.0
    program: str = __version__

    @property
    def bounds(self) -> tuple[int, int | None]:
        return self.lower, self.upper

    @property
    def exact(self) -> bool:
        return self.lower == self.upper

    @property
    def proven(self) -> Proven:
        return Proven(self.lower, self.exact, self.program)


@dataclass(frozen=True)
class Imported:
    """What a ledger says of an opener, and that ledger's name."""

    proven: Proven
    ledger: str


@dataclass(frozen=True)
class Kept:
    """A tree that an earlier run found: a tree file, and what the tree costs."""

    cost: int
    canonical: bool
    tree: bytes


def identity(game: Game, limit: int | None, objective: str, weights: Weights | None) -> dict[str, str]:
    """What tells one question from another, as the journal keeps it: two with the same answer for every opener may
    share one. The game is known by its lists, and where these and its kind of feedback don't tell all, by its codes
    too."""
    info = game.info
    settled = game.feedback is not None and game.feedback.settled
    matrix = "none" if settled else matrix_sha256(game.guesses, game.answers, game.matrix)
    weighed = "uniform" if weights is None else hashlib.sha256(repr(weights.values).encode()).hexdigest()
    return {
        "game": game.name,
        "feedback": "matrix" if game.feedback is None else game.feedback.kind,
        "guesses sha256": info.guesses_sha256,
        "answers sha256": info.answers_sha256,
        "matrix sha256": matrix,
        "winning code": str(game.winning_code),
        "rules": str(game.rules),
        "limit of guesses": "none" if limit is None else str(limit),
        "objective": objective,
        "weights": weighed,
    }


class Journal:
    """What is proven of a question, in a file. A context manager; its methods may be called from any thread.

    ``asked`` says in words what this run is for. Limits of guesses are those of `limit_in_rows`. Raises InputError for
    a file that is no journal, is damaged, belongs to another question, or is written to by another run.
    """

    def __init__(self, path: str, game: Named, question: dict[str, str], asked: str, jobs: int) -> None:
        self.path, self._game = path, game
        self.failed = ""  # why nothing more can be written
        self._question, self._beside = question, ""  # and the journal that has what is known, if not this one
        self._asked, self._jobs, self._began = asked, jobs, datetime.now(timezone.utc).isoformat(timespec="seconds")
        self._lock, self._file, self._over = threading.Lock(), threading.Lock(), threading.Event()
        self._work: list[Work] = []
        self._ran: tuple[Any, ...] = ()
        self._collect: Callable[[], Iterable[tuple[int, Note]]] = tuple
        self._beat: Callable[[], None] = lambda: None
        self._on_failure: Callable[[], None] = lambda: None
        self._database = Database(path, question)
        try:
            self._known, self._imported = self._read_openers(), self._read_imports()
            self._run = 1 + max((row["run"] for row in self._database.rows("runs")), default=0)
        except BaseException:
            self._database.close()
            raise
        self._thread = threading.Thread(target=self._write_on, name="journal", daemon=True)

    def begin(
        self,
        beat: Callable[[], None],
        collect: Callable[[], Iterable[tuple[int, Note]]],
        on_failure: Callable[[], None],
    ) -> None:
        """Begin to write. Every second ``beat`` is called, and ``collect``, which gets the notes of all searches, each
        with its limit; ``on_failure`` is called when nothing more can be written."""
        self._beat, self._collect, self._on_failure = beat, collect, on_failure
        self._thread.start()

    def openers(self, limit: int) -> dict[int, Known]:
        """What earlier runs have proven of openers, by guess."""
        return dict(self._known.get(limit, {}))

    def limits(self) -> list[int]:
        """The limits within which anything is proven of openers."""
        return sorted(self._known)

    def imported(self, limit: int) -> dict[int, Imported]:
        """What ledgers say of openers beyond that, by guess."""
        own = self._known.get(limit, {})
        taken = self._imported.get(limit, {})
        return {g: said for g, said in taken.items() if g not in own or stronger(said.proven, own[g].proven)}

    def notes(self, limit: int) -> list[Note]:
        """What is known of classes of openers."""
        with self._file:
            rows = self._database.rows("units", "below <> '' AND guesses = ?", (limit,))
            return [self._note_of(row) for row in rows]

    def tree(self, limit: int) -> Kept | None:
        """The best tree kept."""
        with self._file:
            for row in self._database.rows("trees", "guesses = ?", (limit,)):
                return Kept(row["cost"], bool(row["canonical"]), row["tree"])
        return None

    def trees(self) -> dict[int, Kept]:
        """The best tree kept within each limit."""
        with self._file:
            rows = list(self._database.rows("trees"))
        return {row["guesses"]: Kept(row["cost"], bool(row["canonical"]), row["tree"]) for row in rows}

    def opener(self, limit: int, guess: int, known: Known, worker: str, *, settled: bool) -> None:
        """Keep an opener's bounds. Of one that is ``settled`` nothing more will be asked: its classes are forgotten."""
        name = self._game.guesses[guess]
        with self._lock:
            before = self._known.setdefault(limit, {}).get(guess)
            if before is not None and (before.exact or before.lower > known.lower or before.bounds == known.bounds):
                known = replace(before, nodes=known.nodes, seconds=known.seconds)
            self._known[limit][guess] = known
            self._work.append(self._database.put("units", self._row_of_opener(limit, guess, known, worker)))
            if settled:
                forget = "DELETE FROM units WHERE opener = ? AND guesses = ? AND below <> ''"
                self._work.append((forget, (name, limit)))

    def take(self, limit: int, found: Mapping[int, Proven], source: str, ledger: str) -> None:
        """Keep what is proven of openers elsewhere, in the file named ``source``, apart from what is proven here; of
        two ledgers, the stronger bound. Raises InputError where not both can be right: then nothing of it is kept."""
        own, before = self._known.get(limit, {}), self._imported.get(limit, {})
        rows = []
        for guess, proven in found.items():
            name = self._game.guesses[guess]
            known = [(own[guess].proven, f"the journal {self.path}")] if guess in own else []
            known += [(before[guess].proven, f"the ledger {before[guess].ledger}")] if guess in before else []
            for other, whose in known:
                if contradict(proven, other):
                    raise InputError(f"{source} says of {quoted(name)} what {whose} says can't be: one is wrong")
            if all(stronger(proven, other) for other, _ in known):
                rows.append(self._row_of_import(limit, guess, Imported(proven, ledger)))
        for row in rows:
            self._add("imports", row)

    def keep(self, limit: int, cost: int, canonical: bool, tree: bytes) -> None:
        """Keep a tree, in place of the one before."""
        self._add("trees", (limit, cost, int(canonical), tree))

    def stands(self, limit: int, seconds: float, incumbent: int | None, bound: int | None, settled: int) -> None:
        """Keep where the run stands."""
        self._add("gap", (self._run, float(seconds), limit, incumbent, bound, settled))

    def ran(self, seconds: float, nodes: int, openers: int, status: str, stop_reason: str) -> None:
        """Keep how far this run is, or how it ended."""
        about = (self._run, f"optimal {__version__}", self._began, self._asked, self._jobs, openers, float(seconds))
        self._ran = (*about, nodes, status, stop_reason)
        self._add("runs", self._ran)

    def close(self) -> None:
        """Write the rest, and let others have the file."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()
        self._write()
        if self.failed and not self._beside:  # how it ended may find room where not all did
            with suppress(InputError):
                self._database.write([self._database.put("runs", (*self._ran[:-1], self.failed))])
                self._database.fold()
        self._database.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _add(self, table: str, values: Sequence[Any]) -> None:
        with self._lock:
            self._work.append(self._database.put(table, values))

    def _write_on(self) -> None:
        try:
            while not self._over.wait(EVERY):
                self._write()
        except BaseException as error:
            self.failed = f"cannot write the journal {self.path}: {error!r}"
            self._on_failure()
            raise

    def _write(self) -> None:
        if self._beside:
            self._write_beside()
            return
        self._beat()
        with self._lock:
            work, self._work = self._work, []
        # After what was proven of openers has been taken: so none of these comes after its opener is settled.
        work = [self._database.put("units", self._row_of(limit, note)) for limit, note in self._collect()] + work
        if not work:
            return
        try:
            with self._file:
                self._database.write(work)
                work = []
                self._database.fold()
            self.failed = ""
        except Replaced as error:
            self._beside = f"{self.path}-{os.urandom(4).hex()}"
            self.failed = f"{error}; what was proven of openers is in {self._beside}"
            self._write_beside()
            self._on_failure()
        except InputError as error:
            with self._lock:
                self._work = work + self._work
            self.failed = str(error)
            self._on_failure()

    def _write_beside(self) -> None:
        """Write what is known of openers to a journal of its own, since the place of this one is taken."""
        with self._lock:
            own = [(limit, *item) for limit, known in self._known.items() for item in known.items()]
        taken = [(limit, *item) for limit, said in self._imported.items() for item in said.items()]
        try:
            database = Database(self._beside, self._question)
            rows = [database.put("units", self._row_of_opener(*item)) for item in own]
            database.write([*rows, *(database.put("imports", self._row_of_import(*item)) for item in taken)])
            database.close()
        except InputError as error:
            self.failed = str(error)

    def _row_of_opener(self, limit: int, guess: int, known: Known, worker: str = "") -> tuple[Any, ...]:
        spent = known.nodes, float(known.seconds)
        return (self._game.guesses[guess], "", limit, *known.bounds, 0, 0, 0, *spent, worker, known.program)

    def _row_of_import(self, limit: int, guess: int, said: Imported) -> tuple[Any, ...]:
        proven = said.proven
        bounds = proven.lower, proven.lower if proven.exact else None
        return (self._game.guesses[guess], limit, *bounds, proven.program, said.ledger)

    def _row_of(self, limit: int, note: Note) -> tuple[Any, ...]:
        (opener, code), *rest = note.history
        below = " ".join(map(str, (note.left or 0, code, *(number for step in rest for number in step))))
        bounds = note.value, note.value if note.exact else None
        name = self._game.guesses[opener]
        return (name, below, limit, *bounds, note.height, note.guess, int(note.counted), 0, 0.0, "", __version__)

    def _note_of(self, row: dict[str, Any]) -> Note:
        try:
            left, *numbers = map(int, row["below"].split())
            steps = [self._game.guess_index(row["opener"]), *numbers]
            history = tuple(zip(steps[::2], steps[1::2], strict=True))
            if left < 0:
                raise ValueError("fewer than no guesses are left")
            exact = int(row["upper"] == row["lower"])
            return Note(history, left or None, row["lower"], exact, row["height"], row["guess"], row["counted"])
        except (ValueError, AttributeError):
            raise self._damaged(f"{row['opener']} {row['below']}") from None

    def _read_openers(self) -> dict[int, dict[int, Known]]:
        found: dict[int, dict[int, Known]] = {}
        for row in self._database.rows("units", "below = ''"):
            lower, upper = row["lower"], row["upper"]
            try:
                guess = self._game.guess_index(row["opener"])
            except InputError:
                raise self._damaged(row["opener"]) from None
            if lower > INFEASIBLE or upper not in (None, lower):
                raise self._damaged(row["opener"])
            spent = row["nodes"], row["seconds"]
            found.setdefault(row["guesses"], {})[guess] = Known(lower, upper, *spent, row["program"])
        return found

    def _read_imports(self) -> dict[int, dict[int, Imported]]:
        found: dict[int, dict[int, Imported]] = {}
        for row in self._database.rows("imports"):
            try:
                guess = self._game.guess_index(row["opener"])
            except InputError:
                raise self._damaged(row["opener"]) from None
            if row["lower"] > INFEASIBLE or row["upper"] not in (None, row["lower"]):
                raise self._damaged(row["opener"])
            found.setdefault(row["guesses"], {})[guess] = Imported(proven_of(row), row["ledger"])
        return found

    def _damaged(self, where: object) -> InputError:
        return InputError(f"the journal {self.path} is damaged: what it says of {quoted(str(where))} can't be")
