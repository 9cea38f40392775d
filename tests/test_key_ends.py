"""Where a key ends: where no question that is left can exclude a group that is still possible.

The engine searches over forms, which have one reply to each question. Here a slow search knows nothing of forms: its
state is the objects that are left and the questions that were asked.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import pytest

from optimal import Key, Table, identify, verify_key
from optimal.tables.greedy import RULES, greedy
from optimal.tables.ranking import rank_questions

Cells = tuple[tuple[frozenset[str], ...], ...]


@dataclass(frozen=True)
class Varying:
    """Objects x questions, each cell a set of replies; the cells of an object vary independently."""

    cells: Cells
    weights: tuple[int, ...]
    costs: tuple[int, ...]
    groups: tuple[int, ...]

    def table(self) -> Table:
        rows = [["/".join(sorted(cell)) for cell in row] for row in self.cells]
        return Table.from_arrays(rows, weights=self.weights, costs=self.costs, groups=self.groups)

    def left(self, objects: frozenset[int], question: int) -> dict[str, frozenset[int]]:
        """The objects that each reply leaves."""
        replies = {reply for one in objects for reply in self.cells[one][question]}
        return {reply: frozenset(one for one in objects if reply in self.cells[one][question]) for reply in replies}

    def least(self, limit: int | None = None) -> Fraction | None:
        """The least expected cost of keys that ask no more than `limit` questions; None where there is none."""

        @cache
        def settled(objects: frozenset[int], asked: frozenset[int]) -> bool:
            """Whether no replies to the other questions can exclude a group."""
            groups = {self.groups[one] for one in objects}
            return all(
                {self.groups[one] for one in rest} == groups and settled(rest, asked | {question})
                for question in range(len(self.costs))
                if question not in asked
                for rest in self.left(objects, question).values()
            )

        def weight(objects: frozenset[int], asked: frozenset[int]) -> Fraction:
            """Of each object the share for which these are the replies."""
            total = Fraction(0)
            for one in objects:
                share = Fraction(self.weights[one])
                for question in asked:
                    share /= len(self.cells[one][question])
                total += share
            return total

        @cache
        def value(objects: frozenset[int], asked: frozenset[int]) -> Fraction | None:
            if settled(objects, asked):
                return Fraction(0)
            if limit is not None and len(asked) == limit:
                return None
            found = []
            for question in range(len(self.costs)):
                if question in asked:
                    continue
                rest = [value(one, asked | {question}) for one in self.left(objects, question).values()]
                if None not in rest:
                    paid = self.costs[question] * weight(objects, asked)
                    found.append(sum((one for one in rest if one is not None), paid))
            return min(found, default=None)

        found = value(frozenset(range(len(self.cells))), frozenset())
        return None if found is None else found / sum(self.weights)


def random_varying(r: random.Random, most: int = 4) -> Varying:
    """A small table in which cells vary, objects share forms, and some stand for one group."""
    objects, questions, replies = r.randint(2, 6), r.randint(1, most), r.randint(2, 3)
    varying = r.choice([0.2, 0.5, 0.8])

    def cell() -> frozenset[str]:
        known = "abc"[:replies]
        return frozenset(r.sample(known, r.randint(2, replies)) if r.random() < varying else r.choice(known))

    rows: list[Sequence[frozenset[str]]] = [[cell() for _ in range(questions)] for _ in range(objects)]
    for place in range(1, objects):  # of one that differs in a cell or two many forms are another's, too
        if r.random() < 0.5:
            like = list(rows[r.randrange(place)])
            like[r.randrange(questions)] = cell()
            rows[place] = like
    groups = range(objects) if r.random() < 0.6 else [r.randrange(objects) for _ in range(objects)]
    return Varying(
        tuple(map(tuple, rows)),
        tuple(r.choice([1, 1, 1, 2, 5]) for _ in range(objects)),
        tuple(r.choice([1, 1, 2, 3]) for _ in range(questions)),
        tuple(groups),
    )


def table_of(text: str) -> Table:
    head, *rows = [line.split(",") for line in text.split("|")]
    return Table.from_arrays(
        [row[1:] for row in rows], objects=[row[0] for row in rows], questions=head[1:], name="animals"
    )


SPIDERS = "taxon,sex,size|morio,male/female,big|ericaeus,male/female,big|nemastoma,male/female,small"
INSECTS = "taxon,wings,colour|bee,yes,clear|fly,yes,grey|ant,no,|louse,no,"


@pytest.mark.parametrize(
    ("text", "mean", "asked"), [(SPIDERS, 1, {"size"}), (INSECTS, Fraction(3, 2), {"wings", "colour"})]
)
def test_nothing_is_asked_that_can_exclude_nothing(text: str, mean: Fraction, asked: set[str]) -> None:
    table = table_of(text)
    found = identify(table)
    key = found.key
    assert key is not None
    assert (str(found.status), key.mean) == ("OPTIMAL", mean)
    assert {key.questions[step.question] for step in key.root.steps() if step.question is not None} == asked
    assert verify_key(key, table).ok
    assert str(identify(table, limit=key.worst).status) == "OPTIMAL"
    assert identify(table, objective="worst").value == (key.worst_cost, key.total)
    for rule in RULES:
        assert greedy(table, rule).total >= key.total


def test_spiders_after_their_size_are_not_asked_for_their_sex() -> None:
    assert identify(table_of(SPIDERS), limit=1).total == identify(table_of(SPIDERS)).total
    assert not rank_questions(table_of(SPIDERS), [("size", "big")]).questions
    key = identify(table_of(SPIDERS)).key
    assert key is not None
    assert key.play({"size": "big"})[1] == ("morio", "ericaeus")


@pytest.mark.parametrize("seed", range(150))
def test_least_keys_are_those_of_a_search_over_objects(seed: int) -> None:
    r = random.Random(seed)
    varying = random_varying(r)
    limit = r.choice([None, None, 1, 2, 3])
    table, want = varying.table(), varying.least(limit)
    found = identify(table, limit=limit)
    assert (None if found.key is None else found.key.mean) == want
    assert str(found.status) == ("INFEASIBLE" if want is None else "OPTIMAL")
    if found.key is not None:
        assert verify_key(found.key, table).ok


@pytest.mark.parametrize("seed", range(40))
def test_a_question_that_all_objects_answer_alike_changes_no_cost(seed: int) -> None:
    r = random.Random(1000 + seed)
    varying = random_varying(r, 3)
    cell = frozenset("abc"[: r.randint(1, 2)])
    wider = Varying(tuple((*row, cell) for row in varying.cells), varying.weights, (*varying.costs, 1), varying.groups)
    for limit in (None, 2):
        ours, theirs = identify(varying.table(), limit=limit).key, identify(wider.table(), limit=limit).key
        assert (None if ours is None else ours.mean) == (None if theirs is None else theirs.mean)


def test_an_end_names_a_group_once() -> None:
    rows = [["a", "x"], ["b", "x"], ["c", "x"], ["a", "y"], ["b", "y"]]
    names = ["ash 1", "ash 2", "ash 3", "elm", "oak"]
    table = Table.from_arrays(
        rows, objects=names, questions=["leaf", "bark"], groups=["ash", "ash", "ash", None, "oaks"]
    )
    key = identify(table).key
    assert key is not None
    assert [key.named(step) for step in key.root.steps() if step.question is None] == ["ash", "elm", "oak"]
    again = Key.from_bytes(key.to_bytes())
    assert again == key
    assert again.table == table
    assert again.packed.group_names == ("ash", "", "oaks")
