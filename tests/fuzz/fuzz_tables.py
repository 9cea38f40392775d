"""What the fuzzer does with tables: one that is random, asked in every way, against the textbook of tables."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar
from unittest import mock

import numpy as np
from fuzz_checks import Case, Failure, Outcome, Skipped
from tables_util import flat_plan, flat_step
from textbook_tables import Textbook, Varying

from optimal._engine import INFEASIBLE, KEY_SWITCHES, NO_LIMIT, Control, KeySearch
from optimal.certificates.checker import check
from optimal.certificates.key_prover import certify_key
from optimal.errors import InputError
from optimal.search import identify as identifying
from optimal.search import key_problem as asking
from optimal.search.distinct_columns import DistinctColumns
from optimal.search.identify import SWITCHES, Identification, identify
from optimal.search.key_run import KeyRun
from optimal.search.result import Status
from optimal.tables.table import Table
from optimal.trees.key import Key
from optimal.trees.verify_key import verify_key

#: Variants of a table at most, and slices that a search may take.
MOST_VARIANTS, MOST_SLICES = 13, 3000


@dataclass(frozen=True)
class TableCase(Case):
    """A table, as its cells, and a question about it: status, value, bound and the very key are the textbook's; so are
    they where the run is stopped again and again, and goes on from its journal; and all bounds on the way hold. The
    value is also that of a search over objects whose cells vary."""

    kind: ClassVar[str] = "tables"
    rows: tuple[tuple[str, ...], ...]
    weights: tuple[int, ...] | None = None
    costs: tuple[int, ...] | None = None
    groups: tuple[str, ...] | None = None
    objective: str = "mean"
    limit: int | None = None
    cost_limit: int | None = None
    openers: tuple[int, ...] | None = None
    jobs: int = 1
    slots: int | None = None  # entries of the transposition table at most
    without: frozenset[str] = frozenset()

    @classmethod
    def made(cls, rng: random.Random) -> TableCase:
        objects, questions = rng.randint(1, 10), rng.randint(1, 8)
        replies, density = rng.choice([2, 2, 2, 3, 4, 6]), rng.choice([0.5, 0.3, 0.15])
        odd = rng.choice([0.0, 0.0, 0.05, 0.15, 0.5])  # cells that vary or are unknown
        if odd == 0.5:
            objects, questions, replies = min(objects, 6), min(questions, 5), min(replies, 3)

        def cell() -> str:
            if rng.random() < odd:
                return rng.choice(["", "?", "0/1", "1/0", "1/2"][: 4 + (replies > 2)])
            return str(rng.randint(1, replies - 1)) if rng.random() < density else "0"

        rows = [tuple(cell() for _ in range(questions)) for _ in range(objects)]
        for place in range(1, objects if odd else 0):  # of what differs in a cell alone many forms are another's, too
            if rng.random() < 0.4:
                like, q = rows[rng.randrange(place)], rng.randrange(questions)
                rows[place] = (*like[:q], cell(), *like[q + 1 :])
        for q in range(questions):
            if all(row[q] in ("", "?") for row in rows):  # a column of which nothing is known is refused
                rows[0] = (*rows[0][:q], "0", *rows[0][q + 1 :])
        if sparse := rng.random() < 0.2:  # most questions part an object from the rest: within a limit a dear one pays
            objects, questions = rng.randint(6, 12), rng.randint(4, 8)
            marked = [rng.sample(range(objects), rng.choice([1, 1, 1, 2])) for _ in range(questions)]
            rows = [(str(rng.randint(0, 2)), *(str(int(at in one)) for one in marked[1:])) for at in range(objects)]
        few = rng.choice([[0, 1, 2, 3], [1, 2, 5, 9], [1, 1, 1000, 30000]])
        weights = tuple(rng.choice(few) for _ in rows) if rng.random() < 0.6 else None
        costs = tuple(rng.choice(rng.choice([[0, 1, 2], [1, 2, 3, 7], [2, 2, 4]])) for _ in range(questions))
        if sparse:
            costs = (rng.choice([3, 4, 6, 9]), *(rng.randint(1, 2) for _ in costs[1:]))
        asked = tuple(sorted(rng.sample(range(questions), rng.randint(1, questions))))
        return cls(
            tuple(rows),
            None if weights is None or not any(weights) else weights,
            costs if sparse or rng.random() < 0.6 else None,
            tuple(str(rng.randint(0, objects // 2)) for _ in rows) if rng.random() < 0.4 else None,
            rng.choice(["mean", "mean", "worst"]),
            rng.choice([None, None, rng.randint(0, 6)]) if not sparse else rng.randint(2, 6),
            rng.choice([None, None, None, rng.randint(0, 20)]),
            asked if rng.random() < 0.3 else None,
            rng.choice([1, 1, 1, 2]),
            rng.choice([None, None, 1]),
            rng.choice([frozenset[str](), frozenset(rng.sample(sorted(SWITCHES), rng.randint(1, 3))), SWITCHES]),
        )

    @property
    def table(self) -> Table:
        options: dict[str, Any] = {"weights": self.weights, "costs": self.costs, "groups": self.groups}
        return Table.from_arrays([list(row) for row in self.rows], **options)

    def asked(self, table: Table, journal: str | None = None) -> Identification:
        names = None if self.openers is None else [table.questions[opener] for opener in self.openers]
        with ExitStack() as patched:
            if self.slots is not None:
                patched.enter_context(mock.patch.object(asking, "_SLOTS_MOST", self.slots))
            return identify(
                table,
                objective=self.objective,
                limit=self.limit,
                cost_limit=self.cost_limit,
                openers=names,
                jobs=self.jobs,
                without=self.without,
                journal=journal,
            )

    def check(self) -> Outcome:
        try:
            table = self.table
        except InputError as error:
            if "variants, more than" in str(error):
                return Skipped("more variants than an object may have")
            raise
        if table.variants > MOST_VARIANTS:
            return Skipped("many variants") if self.is_slow else self._varying(table, self.asked(table).key)
        book = Textbook(table)
        want = book.solve(self.limit, self.objective, self.openers, self.cost_limit)
        found = self.asked(table)
        if want is None:
            wrong = found.status is not Status.INFEASIBLE
            return Failure("status", f"{found.status}, where there is no key", self) if wrong else self._parts(book)
        if found.status is not Status.OPTIMAL or found.key is None:
            return Failure("status", f"{found.status}, not OPTIMAL", self)
        if (found.value, found.bound) != (want.value, want.value):
            return Failure("value", f"{found.value} and {found.bound}, not {want.value}", self)
        if flat_step(found.key.root) != flat_plan(want.plan):
            return Failure("key", f"{flat_step(found.key.root)}, not {flat_plan(want.plan)}", self)
        data = found.key.to_bytes()
        if Key.from_bytes(data).to_bytes() != data:
            return Failure("file", "the key's file does not come back the same", self)
        seen = verify_key(found.key)
        if not seen.ok:
            return Failure("verify", f"verify says {seen.problems}", self)
        return (
            self._varying(table, found.key)
            or self._stopped(table, data)
            or self._parts(book)
            or self._certified(found.key)
        )

    @property
    def is_slow(self) -> bool:
        """Whether the search that knows nothing of variants has no such question, or takes long."""
        asked = self.objective != "mean" or self.openers is not None or self.cost_limit is not None
        return asked or len(self.rows) > 6 or len(self.rows[0]) > 5

    def _certified(self, key: Key) -> Outcome:
        """A certificate that the checker believes, of keys within limits: its prover asks one search within many."""
        if self.limit is None and self.cost_limit is None:
            return None
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "proof.xz"
            try:
                certify_key(key, path)
            except InputError as error:
                return Failure("certificate", str(error), self)
            problems = check(path).problems
        return Failure("certificate", f"the checker says {problems}", self) if problems else None

    def _varying(self, table: Table, key: Key | None) -> Outcome:
        """The least mean by a search that knows nothing of variants."""
        if self.is_slow:
            return None
        least = Varying.of(table).least(self.limit)
        mean = None if key is None else Fraction(key.total, sum(table.weights.tolist()))
        return None if mean == least else Failure("varying", f"{mean}, not {least}, as objects whose cells vary", self)

    def _stopped(self, table: Table, data: bytes) -> Outcome:
        """The same key by a run that is stopped after ever more looks, with a journal: of one case in four, since it
        takes longer than all else."""
        if random.Random(repr(self)).random() > 0.25:
            return None
        told = KeyRun.report
        with tempfile.TemporaryDirectory() as folder:
            path = str(Path(folder) / "journal")
            for after in (1, 3, 9, 1 << 30):
                left = [after]

                def tell(run: Any, phase: str, done: int, total: int, left: list[int] = left) -> None:
                    left[0] -= 1
                    if left[0] == 0:
                        run.stop("time limit")
                    told(run, phase, done, total)

                with (
                    mock.patch.object(KeyRun, "report", tell),
                    mock.patch.object(identifying, "_FIRST_SLICE", 50),
                ):
                    found = self.asked(table, path)
            if found.key is None or found.key.to_bytes() != data:
                return Failure("journal", f"{found} after stops", self)
        return None

    def _parts(self, book: Textbook) -> Outcome:
        """Values, bounds and slices of the search itself, without the run around it."""
        kinds = DistinctColumns.of(self.table)
        limit = NO_LIMIT if self.limit is None else self.limit
        purse = INFEASIBLE if self.cost_limit is None else self.cost_limit // kinds.cost_unit

        def search() -> KeySearch:
            off = sum(KEY_SWITCHES[name] for name in self.without)
            control = Control(np.zeros(2, dtype=np.int64))
            one = KeySearch(kinds.codes, kinds.weights, kinds.groups, kinds.costs, control, off=off)
            one.record_bounds()
            return one

        sliced, another = search(), search()
        for question in range(len(self.rows[0])):
            want = book.solve(self.limit, "mean", [question], self.cost_limit)
            value = INFEASIBLE if want is None else want.value[0] // kinds.unit
            for budget in (INFEASIBLE, min(value + 1, INFEASIBLE), value, value // 2):
                ended, lows, work = False, [search().bound(question, limit, purse)], 1
                while not ended and work < MOST_SLICES:
                    low, ended = sliced.opener(question, limit, purse, budget, work)
                    lows.append(low)
                    work += 1 + work // 8
                    for note in sliced.export_bounds():
                        another.import_bounds(*note, purse)
                if max(lows) > value or (ended and lows[-1] != value and not budget <= lows[-1]):
                    return Failure("slices", f"bounds {lows} of question {question} that costs {value}", self)
            low, _ = another.opener(question, limit, purse, INFEASIBLE)
            if low != value:
                return Failure("notes", f"{low} after notes of question {question} that costs {value}", self)
            if sliced.feasible(limit, purse, -1, question) is not (value < INFEASIBLE):
                return Failure("feasible", f"question {question} costs {value}", self)
        return self._mixed(book, search())

    def _mixed(self, book: Textbook, search: KeySearch) -> Outcome:
        """One search asked this and that, within one limit after the other."""
        rng, kinds = random.Random(repr(self)), DistinctColumns.of(self.table)
        for _ in range(12):
            limit, opener = rng.choice([None, *range(1, 7)]), rng.randrange(-1, len(self.rows[0]))
            paid = rng.choice([None, None, None, rng.randint(0, 20)])
            within = NO_LIMIT if limit is None else limit, INFEASIBLE if paid is None else paid // kinds.cost_unit
            budget = rng.choice([INFEASIBLE, INFEASIBLE, rng.randint(1, 60)])
            want = book.solve(limit, "mean", None if opener < 0 else [opener], paid)
            value = INFEASIBLE if want is None else want.value[0] // kinds.unit
            low, _ = search.value(*within, budget) if opener < 0 else search.opener(opener, *within, budget)
            if low > value or (low < budget and low != value):
                return Failure("mixed", f"{low}, not {value}: question {opener} within {limit}, {paid}", self)
        return None

    def smaller(self) -> Iterator[TableCase]:
        for place in range(len(self.rows)):
            if len(self.rows) > 1:
                yield replace(
                    self,
                    rows=self.rows[:place] + self.rows[place + 1 :],
                    weights=self.weights and self.weights[:place] + self.weights[place + 1 :],
                    groups=self.groups and self.groups[:place] + self.groups[place + 1 :],
                )
        for place in range(len(self.rows[0])):
            if len(self.rows[0]) > 1 and self.openers is None:
                yield replace(
                    self,
                    rows=tuple(row[:place] + row[place + 1 :] for row in self.rows),
                    costs=self.costs and self.costs[:place] + self.costs[place + 1 :],
                )
        simple: dict[str, Any] = {"weights": None, "costs": None, "groups": None, "limit": None, "cost_limit": None}
        simple |= {"openers": None, "jobs": 1, "slots": None, "without": frozenset[str](), "objective": "mean"}
        for name, value in simple.items():
            if getattr(self, name) != value:
                yield replace(self, **{name: value})
        for switch in sorted(self.without):
            yield replace(self, without=self.without - {switch})

    def code(self) -> str:
        parts = {"weights": self.weights, "costs": self.costs, "groups": self.groups}
        names = None if self.openers is None else [f"question {opener + 1}" for opener in self.openers]
        asked = {"objective": self.objective, "limit": self.limit, "cost_limit": self.cost_limit, "openers": names}
        told = "".join(f", {name}={value!r}" for name, value in parts.items())
        options = "".join(f", {name}={value!r}" for name, value in {**asked, "jobs": self.jobs}.items())
        return (
            "from optimal import Table, identify\n\n"
            f"table = Table.from_arrays({[list(row) for row in self.rows]}{told})\n"
            f"# the table of the search has {self.slots or 'many'} entries at most\n"
            f"print(identify(table{options}, without=frozenset({sorted(self.without)})))"
        )
