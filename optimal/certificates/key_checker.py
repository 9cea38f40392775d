"""The checker of certificates of keys, versions 2 and 3: the claim for a table, the key that attains it, and the proof.

docs/reference/key-certificates.md has the grammar, and proves the rules.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from optimal.certificates.chart import NONE, Chart, Set, fewer
from optimal.certificates.reading import MOST_NUMBER, Reader

MOST_QUESTIONS = MOST_VARIANTS = 65535
#: Replies of all variants to all questions.
MOST_CELLS = 1 << 24
#: Claims, and their number times the kinds of the table: they are kept.
MOST_CLAIMS, MOST_CLAIM_BITS = 1 << 20, 1 << 32
#: Total steps.
MOST_STEPS = 1 << 40

Step = Callable[[str, int, int], None]


@dataclass(frozen=True)
class KeyTheorem:
    """A proven bound of all keys of a table."""

    questions: int
    variants: int
    table_sha256: str
    limit: int | None
    cost_limit: int | None
    openers: tuple[int, ...] | None  # by their places in the table
    objective: str  # "mean" or "worst"
    value: tuple[int, ...]  # (total,) or (worst cost, total); () where there is no key

    @property
    def total(self) -> int | None:
        return self.value[-1] if self.value else None

    def to_dict(self) -> dict[str, object]:
        """Return the claim of `optimal check --json`."""
        return {
            "kind": "table",
            "objective": self.objective,
            "total": self.total,
            "limit": self.limit,
            "cost_limit": self.cost_limit,
            "openers": None if self.openers is None else list(self.openers),
            "value": list(self.value) or None,
            "questions": self.questions,
            "variants": self.variants,
            "table_sha256": self.table_sha256,
        }

    def __str__(self) -> str:
        within = [] if self.limit is None else [f"within {self.limit} question{'' if self.limit == 1 else 's'}"]
        within += [] if self.cost_limit is None else [f"of paths that cost {self.cost_limit} at most"]
        first = [str(place + 1) for place in self.openers or ()]
        few = f"question {' or '.join(first)}" if len(first) < 4 else f"one of {len(first)} questions"
        within += [f"with {few} first"] if first else []
        keys = (
            f"of all keys {', '.join([*within, ''])}for the table of {self.questions} questions and "
            f"{self.variants} variants of objects (sha256 {self.table_sha256})"
        )
        if not self.value:
            return f"Proven: {keys}, none tells apart what must be told apart."
        if self.objective == "worst":
            most, total = self.value
            return f"Proven: {keys}, the least cost of the dearest path is {most}, and the least total with it {total}."
        return f"Proven: {keys}, the least total of weight x cost is {self.total}."


@dataclass
class _Proven:
    """A checked claim: no key costs less than `target` within these limits."""

    left: int
    cost_left: int
    target: int


class KeyChecker:
    """The checker of one certificate after its magic bytes: of version 3, for a table with merged kinds, or 2."""

    def __init__(self, reader: Reader, merged: bool, step: Step) -> None:
        self.reader, self.merged, self.step = reader, merged, step
        self.proven: dict[Set, list[_Proven]] = {}
        self.claims = self.steps = 0

    def claimed(self) -> KeyTheorem:
        """Return the theorem, of which only the key has been followed. Raises Flaw."""
        return self.theorem(self.table())

    def check(self, theorem: KeyTheorem) -> None:
        """Check the proof of the theorem. Raises Flaw."""
        most = min(MOST_CLAIMS, MOST_CLAIM_BITS // self.chart.kinds)
        claims = self.reader.next("the number of claims", 0, most)
        for number in range(claims):
            self.step("claims", number, claims)
            self.claim()
        for left, cost_left, target in to_prove(theorem.limit, theorem.cost_limit, theorem.objective, theorem.value):
            self.root(theorem, left, cost_left, target)
        self.reader.finish("the last claim")

    def table(self) -> str:
        """Read the table, and return its hash."""
        reader = self.reader
        begin = reader.at
        questions = reader.next("the number of questions", 1, MOST_QUESTIONS)
        variants = reader.next("the number of variants", 1, MOST_VARIANTS)
        if questions * variants > MOST_CELLS:
            reader.fail(f"more than {MOST_CELLS} replies")
        costs = reader.many("a cost", questions, MOST_NUMBER).tolist()
        weights = reader.many("a weight", variants, MOST_NUMBER).tolist()
        self.cost = sum(costs)
        if sum(weights) * max(1, self.cost) > MOST_NUMBER:
            reader.fail("weights and costs that are too great")
        groups = reader.many("a group", variants, MOST_VARIANTS - 1).tolist()
        codes = [reader.many("a reply", variants, MOST_VARIANTS - 1).tolist() for _ in range(questions)]
        self.chart = Chart(costs, weights, groups, codes)
        if self.chart.merged and not self.merged:
            reader.fail("version 2 has no two kinds of the same several groups: that takes version 3")
        if self.merged and not self.chart.merged:
            reader.fail("version 3 has two kinds of the same several groups: without them it takes version 2")
        return hashlib.sha256(reader.stream[begin : reader.at]).hexdigest()

    def theorem(self, digest: str) -> KeyTheorem:
        """Return the claim, after following its key: it attains the value within the limits."""
        reader, chart = self.reader, self.chart
        limit = reader.next("the limit of questions", 0, MOST_NUMBER) - 1
        cost_left = reader.next("the limit of cost", 0, MOST_NUMBER) - 1
        many = reader.next("the number of openers", 0, len(chart.costs))
        openers: list[int] = []
        for _ in range(many):
            openers.append(reader.next("an opener", openers[-1] + 1 if openers else 0, len(chart.costs) - 1))
        objective, value = reader.value(0, MOST_NUMBER)
        theorem = KeyTheorem(
            questions=len(chart.costs),
            variants=chart.variants,
            table_sha256=digest,
            limit=None if limit < 0 else limit,
            cost_limit=None if cost_left < 0 else cost_left,
            openers=tuple(openers) or None,
            objective=objective,
            value=value,
        )
        if value:
            self.follow(theorem)
        return theorem

    def follow(self, theorem: KeyTheorem) -> None:
        """Follow every kind down the key."""
        reader, chart = self.reader, self.chart
        total = deepest = costliest = 0
        # To visit: the reply that leads there (-1 at the root), the set, the questions so far, their cost.
        stack = [(-1, chart.everything, 0, 0)]
        while stack:
            code, kinds, depth, paid = stack.pop()
            if code >= 0 and reader.next("a reply of the key", 0, MOST_VARIANTS - 1) != code:
                reader.fail(f"the key has another branch where reply {code} should be")
            question = reader.next("a question of the key", 0, len(chart.costs)) - 1
            if not depth and theorem.openers is not None and question not in theorem.openers:
                reader.fail("the key does not begin with an opener")
            if question < 0:
                if not chart.settled(kinds):
                    reader.fail("the key ends where kinds must be told apart")
                deepest, costliest = max(deepest, depth), max(costliest, paid)
                continue
            classes = chart.classes(question, kinds)
            if depth and len(classes) == 1:
                reader.fail("the key asks what tells nothing")
            if reader.next("the number of branches", 1, MOST_VARIANTS) != len(classes):
                reader.fail(f"the key has more or fewer branches than the {len(classes)} of question {question}")
            cost = chart.costs[question]
            total += cost * chart.weight(kinds)
            stack += [(code, part, depth + 1, paid + cost) for code, part in sorted(classes.items(), reverse=True)]
        found = (costliest, total) if theorem.objective == "worst" else (total,)
        if found != theorem.value:
            reader.fail(f"the key has the value {list(found)}, not {list(theorem.value)}")
        if theorem.limit is not None and deepest > theorem.limit:
            reader.fail(f"the key asks {deepest} questions, more than the limit of {theorem.limit}")
        if theorem.cost_limit is not None and costliest > theorem.cost_limit:
            reader.fail(f"a path of the key costs {costliest}, more than the limit of {theorem.cost_limit}")

    def claim(self) -> None:
        """Check that no key of a set costs less than the target."""
        reader, chart = self.reader, self.chart
        left = _limit(reader.next("the questions left for a claim", 0, MOST_NUMBER))
        cost_left = _limit(reader.next("the purse of a claim", 0, MOST_NUMBER))
        target = reader.next("the target of a claim", 0, MOST_NUMBER) or NONE
        many = reader.next("the number of kinds of a claim", 1, chart.kinds)
        kinds, at = 0, -1
        for _ in range(many):
            at += 1 + reader.next("a kind", 0, chart.kinds - 2 - at)
            kinds |= 1 << at
        if chart.settled(kinds):
            reader.fail("a claim of kinds that need not be told apart")
        weight = chart.weight(kinds)
        if target < NONE and target > weight * self.cost:
            reader.fail("the target of a claim is more than any key costs")
        self.take_steps(many * len(chart.costs) ** 2)
        for question in range(len(chart.costs)):
            classes = chart.classes(question, kinds)
            if len(classes) > 1:
                self.asked(question, weight, list(classes.values()), left, cost_left, target)
        self.proven.setdefault(kinds, []).append(_Proven(left, cost_left, target))
        self.claims += 1

    def take_steps(self, more: int) -> None:
        self.steps += more
        if self.steps > MOST_STEPS:
            self.reader.fail(f"more than {MOST_STEPS} steps")

    def asked(self, question: int, weight: int, classes: list[Set], left: int, cost_left: int, target: int) -> None:
        """Check that keys that ask this question first cost at least the target."""
        cost = self.chart.costs[question]
        if left < 1 or cost > cost_left:
            return  # there are none
        found = cost * weight
        for part in classes:
            found = min(NONE, found + self.value(part, fewer(left), fewer(cost_left, cost)))
        if found < target:
            self.reader.fail(f"question {question} is shown to cost {_shown(found)} at least, not {_shown(target)}")

    def value(self, kinds: Set, left: int, cost_left: int) -> int:
        """Return the known lower bound of keys of a set: by weights and numbers, or by an earlier claim."""
        found = self.chart.bound(kinds, left, cost_left)
        for claim in self.proven.get(kinds, ()):
            if claim.left >= left and claim.cost_left >= cost_left:
                found = max(found, claim.target)
        return found

    def root(self, theorem: KeyTheorem, left: int, cost_left: int, target: int) -> None:
        """Check that no key of the table costs less than the target."""
        chart = self.chart
        if theorem.openers is None:
            found = self.value(chart.everything, left, cost_left)
            if found < target:
                self.reader.fail(f"keys are shown to cost {_shown(found)} at least, not {_shown(target)}")
            return
        weight = chart.weight(chart.everything)
        for question in theorem.openers:
            self.take_steps(chart.kinds * len(chart.costs))
            classes = list(chart.classes(question, chart.everything).values())
            self.asked(question, weight, classes, left, cost_left, target)


def _limit(number: int) -> int:
    """Return a limit as decoded: 0 for none, else one more."""
    return number - 1 if number else NONE


def _shown(target: int) -> str:
    return "none" if target == NONE else str(target)


def to_prove(
    limit: int | None, cost_limit: int | None, objective: str, value: tuple[int, ...]
) -> list[tuple[int, int, int]]:
    """Return triples of a limit of questions, a limit of cost, and a cost that no key within them may be below, where
    the value is optimal."""
    left = NONE if limit is None else limit
    cost_left = NONE if cost_limit is None else cost_limit
    if not value:
        return [(left, cost_left, NONE)]
    if objective == "mean":
        return [(left, cost_left, value[0])]
    worst, total = value
    return [*([(left, worst - 1, NONE)] if worst else []), (left, worst, total)]
