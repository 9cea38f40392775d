"""Certificates of keys, and of the finding that there is none: claims for sets of kinds, top down.

The engine is an oracle for values. The checker's own chart says what the checker settles by itself.
"""

from __future__ import annotations

import lzma
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from optimal._engine import INFEASIBLE, Control, KeySearch
from optimal.certificates.certify import Certified
from optimal.certificates.chart import NONE, Chart, Set, fewer
from optimal.certificates.checker import Step, no_step
from optimal.certificates.file import encode, table_numbers
from optimal.certificates.key_checker import MOST_CLAIM_BITS, MOST_CLAIMS, MOST_STEPS, to_prove
from optimal.certificates.prover import Short
from optimal.certificates.reading import KEY_MAGIC, MERGED_MAGIC, MOST_NUMBER, MOST_STREAM
from optimal.errors import InputError
from optimal.files import write_whole
from optimal.search.distinct_columns import DistinctColumns
from optimal.search.engine import engine_limit
from optimal.tables.table import Table
from optimal.trees.key import Key
from optimal.trees.keycodec import step_numbers
from optimal.trees.nodes import Step as KeyStep

#: The end of a message about a proof that is too long, with the remaining option.
REFUSED = (
    "and checkers refuse that: only a smaller table has a proof; `optimal verify` still counts the key's cost anew"
)


#: A proof under way, which yields the subgoals it waits for.
Goal: TypeAlias = "Iterator[Goal]"


@dataclass(frozen=True)
class KeyStatement:
    """What a certificate of a table claims, as a key does. Without a key, ``value`` is () and there is no root."""

    table: Table
    limit: int | None
    cost_limit: int | None
    openers: tuple[int, ...] | None
    objective: str
    value: tuple[int, ...]
    root: KeyStep | None


def certify_key(statement: Key | KeyStatement, path: str | os.PathLike[str], step: Step = no_step) -> Certified:
    """Write the certificate that a key is optimal, or that there is none.

    Raises InputError for a key that isn't proven optimal, for one that is not optimal, for numbers that certificates
    don't cover, and if the file can't be written.
    """
    if isinstance(statement, Key) and statement.status != "OPTIMAL":
        raise InputError(f"the key is {statement.status}, not OPTIMAL: its value may not be the least")
    started = time.monotonic()
    step("tables", 0, 0)
    begin = _begin(statement)
    prover = _Prover(statement, step)
    try:
        prover.prove()
    except Short as short:
        raise InputError(f"the claim is false, so it has no certificate: {short}") from None
    magic = MERGED_MAGIC if prover.chart.merged else KEY_MAGIC
    stream = b"".join([magic, encode(begin), encode([len(prover.claims)]), *prover.claims])
    if len(stream) > MOST_STREAM:
        raise InputError(f"it takes more than {MOST_STREAM} bytes, {REFUSED}")
    data = lzma.compress(stream, preset=6)
    write_whole(path, [data])
    return Certified(len(prover.claims), len(data), time.monotonic() - started)


def check_covered(table: Table, limit: int | None, cost_limit: int | None) -> None:
    """Raise InputError for numbers that certificates don't cover."""
    most = sum(table.weights.tolist()) * max(1, sum(table.costs.tolist()))
    if max(most, cost_limit or 0, limit or 0) >= MOST_NUMBER:
        raise InputError(
            f"certificates cover sums of weights times costs below {MOST_NUMBER}; as whole numbers these are {most}"
        )


def _begin(statement: Key | KeyStatement) -> list[int]:
    """Return the integers before the claims."""
    table = statement.table
    check_covered(table, statement.limit, statement.cost_limit)
    numbers = table_numbers(table)
    numbers += [0 if limit is None else limit + 1 for limit in (statement.limit, statement.cost_limit)]
    openers = statement.openers or ()
    numbers += [len(openers), *openers, int(statement.objective == "worst"), len(statement.value), *statement.value]
    if statement.root is not None:
        numbers += step_numbers(statement.root, lambda _: (0,))
    return numbers


def _coded(limit: int) -> int:
    """Return a limit as encoded: 0 for none, else one more."""
    return 0 if limit >= NONE else limit + 1


class _Prover:
    """Claims that no key of a table costs less than stated."""

    def __init__(self, statement: Key | KeyStatement, step: Step) -> None:
        table = statement.table
        self.statement, self.step = statement, step
        self.chart = Chart(table.costs.tolist(), table.weights.tolist(), table.group_of.tolist(), table.codes.tolist())
        self.cost = sum(self.chart.costs)
        kinds = DistinctColumns.of(table)
        self.kinds = kinds
        control = Control(np.zeros(2, dtype=np.int64))
        self.search = KeySearch(kinds.codes, kinds.weights, kinds.groups, kinds.costs, control, main_thread=True)
        place = {column.tobytes(): at for at, column in enumerate(np.ascontiguousarray(kinds.codes.T))}
        columns = np.array(self.chart.codes, dtype=np.uint16).T
        self.engine_kind = [place[np.ascontiguousarray(column).tobytes()] for column in columns]
        self.claims: list[bytes] = []
        self.steps = 0
        self.proven: dict[Set, list[tuple[int, int, int]]] = {}
        self.asked: set[tuple[Set, int, int]] = set()
        self.values: dict[tuple[Set, int, int], int] = {}

    def prove(self) -> None:
        """Prove the statement. Raises Short if it is false."""
        said, everything = self.statement, self.chart.everything
        weight = self.chart.weight(everything)
        for limits_and_target in to_prove(said.limit, said.cost_limit, said.objective, said.value):
            if said.openers is None:
                self.run(self.set(everything, *limits_and_target))
            for question in said.openers or ():
                self.run(self.question(question, everything, weight, *limits_and_target))

    def run(self, goal: Goal) -> None:
        """Reach a goal and its subgoals without recursion: keys may be as deep as there are kinds."""
        stack = [goal]
        while stack:
            following = next(stack[-1], None)
            if following is None:
                stack.pop()
            else:
                stack.append(following)

    def value(self, kinds: Set, left: int, cost_left: int) -> int:
        """Return the least cost of a key of a set within these limits; NONE if there is none."""
        left = NONE if left >= kinds.bit_count() - 1 else left
        cost_left = NONE if cost_left >= self.cost else cost_left
        if left < 0 or cost_left < 0:
            return NONE
        found = self.values.get((kinds, left, cost_left))
        if found is None:
            if self.chart.settled(kinds):
                return 0
            chosen = np.array(sorted(self.engine_kind[kind] for kind in self.chart.members(kinds)), dtype=np.int32)
            limit = engine_limit(None if left >= NONE else left)
            paid = INFEASIBLE if cost_left >= NONE else cost_left // self.kinds.cost_unit
            found = self.search.least(chosen, limit, paid)
            found = NONE if found >= INFEASIBLE else found * self.kinds.unit
            self.values[kinds, left, cost_left] = found
        return found

    def known(self, kinds: Set, left: int, cost_left: int) -> int:
        """Return the bound of a set that the checker has by now."""
        claims = (target for own, paid, target in self.proven.get(kinds, ()) if own >= left and paid >= cost_left)
        return max(self.chart.bound(kinds, left, cost_left), *claims, 0)

    def set(self, kinds: Set, left: int, cost_left: int, target: int) -> Goal:
        """Prove that no key of a set costs less than the target."""
        if self.known(kinds, left, cost_left) >= target:
            return
        if self.value(kinds, left, cost_left) < target:
            raise Short(f"{kinds.bit_count()} kinds take less than is said")
        # With wider limits a claim serves more often.
        for wide, wider in ((NONE, NONE), (left, NONE), (NONE, cost_left)):
            if self.value(kinds, wide, wider) >= target:
                left, cost_left = wide, wider
                break
        if (kinds, left, cost_left) in self.asked:  # asked again: prove the full value
            target = self.value(kinds, left, cost_left)
        self.asked.add((kinds, left, cost_left))
        weight = self.chart.weight(kinds)
        if target > weight * self.cost:
            target = NONE
        for question in range(len(self.chart.costs)):
            if len(self.chart.classes(question, kinds)) > 1:
                yield self.question(question, kinds, weight, left, cost_left, target)
        self.proven.setdefault(kinds, []).append((left, cost_left, target))
        self.write(kinds, left, cost_left, target)

    def question(self, question: int, kinds: Set, weight: int, left: int, cost_left: int, target: int) -> Goal:
        """Prove that no key of a set that asks this question first costs less than the target."""
        cost = self.chart.costs[question]
        if left < 1 or cost > cost_left:
            return
        left, cost_left = fewer(left), fewer(cost_left, cost)
        parts = sorted(self.chart.classes(question, kinds).values(), key=lambda part: (part.bit_count(), part))
        known = [self.known(part, left, cost_left) for part in parts]
        total = min(NONE, cost * weight + sum(known))
        if total >= target:
            return
        values = [self.value(part, left, cost_left) for part in parts]
        none = next((part for part, value in zip(parts, values, strict=True) if value == NONE), None)
        if none is not None:
            yield self.set(none, left, cost_left, NONE)
            return
        # Smaller classes first: they need the fewest claims.
        for part, before, value in zip(parts, known, values, strict=True):
            gain = min(value - before, target - total)
            if gain > 0:
                yield self.set(part, left, cost_left, before + gain)
                total += gain
            if total >= target:
                return
        raise Short(f"question {question} takes less than is said")

    def write(self, kinds: Set, left: int, cost_left: int, target: int) -> None:
        """Write one more claim. Raises InputError if it is one too many."""
        if len(self.claims) >= min(MOST_CLAIMS, MOST_CLAIM_BITS // self.chart.kinds):
            raise InputError(f"it takes more than {len(self.claims)} claims, {REFUSED}")
        self.steps += kinds.bit_count() * len(self.chart.costs) ** 2
        if self.steps > MOST_STEPS:
            raise InputError(f"it takes more than {MOST_STEPS} steps to check, {REFUSED}")
        numbers = [_coded(left), _coded(cost_left), 0 if target >= NONE else target, kinds.bit_count()]
        before = -1
        for kind in self.chart.members(kinds):
            numbers.append(kind - before - 1)
            before = kind
        self.claims.append(encode(numbers))
        self.step("claims", len(self.claims), 0)
