"""What the fuzzer does with tables: one that is random, asked in every way, against the textbook of tables."""

from __future__ import annotations

import random
import tempfile
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from unittest import mock

import pytest
from tables_util import (
    data_of,
    flat,
    plain,
    random_parts,
    random_varying,
    search_of,
    stopping_after,
    table_of,
)
from textbook_tables import Textbook, Varying

from optimal._engine import INFEASIBLE, KEY_SWITCHES, NO_LIMIT, KeySearch
from optimal.certificates.checker import check
from optimal.certificates.key_prover import certify_key
from optimal.search import identify as identifying
from optimal.search import key_problem as asking
from optimal.search.distinct_columns import DistinctColumns
from optimal.search.identify import SWITCHES, identify
from optimal.search.key_result import Identification
from optimal.search.result import Status
from optimal.tables.table import Table
from optimal.trees.key import Key
from optimal.trees.verify_key import verify_key

#: Variants of a table at most, and slices that a search may take.
MOST_VARIANTS, MOST_SLICES = 13, 3000


@dataclass(frozen=True)
class Question:
    """What is asked of a table, and how."""

    objective: str
    limit: int | None
    cost_limit: int | None
    openers: tuple[int, ...] | None
    jobs: int
    slots: int | None  # entries of the transposition table at most
    without: frozenset[str]

    def asked(self, table: Table, journal: str | None = None) -> Identification:
        names = None if self.openers is None else [table.questions[opener] for opener in self.openers]
        with mock.patch.object(asking, "_SLOTS_MOST", self.slots or asking._SLOTS_MOST):
            return identify(
                table,
                objective=self.objective,
                limit=self.limit,
                cost_limit=self.cost_limit,
                first=names,
                jobs=self.jobs,
                without=self.without,
                journal=journal,
            )


def random_question(rng: random.Random, table: Table) -> Question:
    asked = range(len(table.questions))
    return Question(
        rng.choice(["mean", "mean", "worst"]),
        rng.choice([None, rng.randint(0, 6)]),
        rng.choice([None, None, None, rng.randint(0, 20)]),
        tuple(sorted(rng.sample(asked, rng.randint(1, len(asked))))) if rng.random() < 0.3 else None,
        rng.choice([1, 1, 1, 2]),
        rng.choice([None, None, 1]),
        rng.choice([frozenset[str](), frozenset(rng.sample(sorted(SWITCHES), rng.randint(1, 3))), SWITCHES]),
    )


def check_table(rng: random.Random) -> None:
    """Status, value, bound and the very key are the textbook's; so are they where the run is stopped again and again,
    and goes on from its journal; and all bounds on the way hold. The value is also that of a search over objects whose
    cells vary."""
    kind = rng.random()
    if kind < 0.2:  # most questions part an object from the rest: within a limit a costly one pays
        objects, marks = range(rng.randint(6, 12)), rng.randint(3, 7)
        marked = [rng.sample(objects, rng.choice([1, 1, 1, 2])) for _ in range(marks)]
        codes = [[rng.randint(0, 2) for _ in objects], *([int(at in one) for at in objects] for one in marked)]
        table = table_of(plain(codes, costs=[rng.choice([3, 4, 6, 9]), *rng.choices([1, 2], k=marks)]))
    elif kind < 0.5:
        table = random_varying(rng, 3).table()
    else:
        table = table_of(random_parts(rng, 10))
    question = random_question(rng, table)
    if kind < 0.2:
        question = replace(question, limit=rng.randint(2, 6))
    parts = (table.codes, table.object_of, table.weights, table.costs, table.groups)
    try:
        if 0.2 <= kind < 0.5:
            check_varying(table, question.limit)
        if table.variants <= MOST_VARIANTS:
            check_key(rng, table, question)
            check_bounds(rng, table, question)
    except Exception as error:
        raise AssertionError(f"\n{[part.tolist() for part in parts]}\n{question}") from error


def check_varying(table: Table, limit: int | None) -> None:
    """The least mean by a search that knows nothing of variants."""
    key = identify(table, limit=limit).key
    mean = None if key is None else Fraction(key.total, sum(table.weights.tolist()))
    assert mean == Varying.of(table).least(limit)


def check_key(rng: random.Random, table: Table, question: Question) -> None:
    """The key itself, its file and its certificate; and the same by a run that is stopped again and again."""
    want = Textbook(table).solve(question.limit, question.objective, question.openers, question.cost_limit)
    found = question.asked(table)
    if want is None:
        assert found.status is Status.INFEASIBLE
        return
    assert (found.status, found.value, found.bound) == (Status.OPTIMAL, want.value, want.value)
    key, data = found.key, data_of(found)
    assert key is not None
    assert flat(key.root) == flat(want.plan)
    assert Key.from_bytes(data).to_bytes() == data
    assert verify_key(key).ok
    with tempfile.TemporaryDirectory() as folder, mock.patch.object(identifying, "_FIRST_SLICE", 50):
        if question.limit is not None or question.cost_limit is not None:  # the prover asks one search within many
            proof = Path(folder) / "proof.xz"
            certify_key(key, proof)
            assert check(proof).ok
        for after in (0, 2, 8, 1 << 30) if rng.random() < 0.25 else ():  # it takes longer than all else
            with stopping_after(pytest.MonkeyPatch(), after):
                found = question.asked(table, str(Path(folder) / "journal"))
    assert data_of(found) == data


def check_bounds(rng: random.Random, table: Table, question: Question) -> None:
    """Values, bounds and slices of the search itself, without the run around it."""
    book, columns = Textbook(table), DistinctColumns.of(table)

    def search() -> KeySearch:
        one = search_of(table, off=sum(KEY_SWITCHES[name] for name in question.without))
        one.record_bounds()
        return one

    def within(limit: int | None, paid: int | None) -> tuple[int, int]:
        """Limits, as the engine wants them."""
        return NO_LIMIT if limit is None else limit, INFEASIBLE if paid is None else paid // columns.cost_unit

    def value_of(opener: int, limit: int | None, paid: int | None) -> int:
        want = book.solve(limit, "mean", None if opener < 0 else [opener], paid)
        return INFEASIBLE if want is None else want.value[0] // columns.unit

    sliced, another = search(), search()
    limits = within(question.limit, question.cost_limit)
    for opener in range(len(table.questions)):
        value = value_of(opener, question.limit, question.cost_limit)
        for budget in (INFEASIBLE, min(value + 1, INFEASIBLE), value, value // 2):
            ended, lows, work = False, [search().bound(opener, *limits)], 1
            while not ended and work < MOST_SLICES:
                low, ended = sliced.opener(opener, *limits, budget, work)
                lows.append(low)
                work += 1 + work // 8
                for record in sliced.export_bounds():
                    another.import_bounds(*record, limits[1])
            assert max(lows) <= value, (opener, value, lows)
            assert not ended or lows[-1] == value or budget <= lows[-1], (opener, value, lows)
        assert another.opener(opener, *limits, INFEASIBLE)[0] == value, opener
        assert sliced.feasible(*limits, -1, opener) is (value < INFEASIBLE), opener
    mixed = search()  # one search asked this and that, within one limit after the other
    for _ in range(12):
        limit, opener = rng.choice([None, *range(1, 7)]), rng.randrange(-1, len(table.questions))
        paid = rng.choice([None, None, None, rng.randint(0, 20)])
        budget, limits = rng.choice([INFEASIBLE, INFEASIBLE, rng.randint(1, 60)]), within(limit, paid)
        low, _ = mixed.value(*limits, budget) if opener < 0 else mixed.opener(opener, *limits, budget)
        value = value_of(opener, limit, paid)
        assert low <= value, (opener, limit, paid, low, value)
        assert low == value or low >= budget, (opener, limit, paid, low, value)
