"""What a solve returns: status, value and bound apart, and the tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any

from optimal.show.table import Sheet, Tabled, by_depth
from optimal.show.words import resting
from optimal.trees.tree import StrategyTree

#: What the parts of a value are called, by kind of objective.
PARTS = {"mean": ("total",), "worst": ("worst", "total"), "within": ("missed", "total")}


class Status(str, Enum):
    """How much is proven, in CP-SAT's terms.

    OPTIMAL: the tree is proven least. FEASIBLE: a tree, not proven least. INFEASIBLE: proven that no tree exists
    within the limit. UNKNOWN: stopped before either.
    """

    OPTIMAL = "OPTIMAL"
    FEASIBLE = "FEASIBLE"
    INFEASIBLE = "INFEASIBLE"
    UNKNOWN = "UNKNOWN"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, repr=False, kw_only=True)
class Outcome:
    """What every run says of itself when it ends: how much is proven, why it stopped, seconds, and the positions
    searched. It rests on bounds of ``imported`` openers that are known from ``ledgers`` alone."""

    status: Status
    stop_reason: str
    seconds: float
    nodes: int
    imported: int = 0
    ledgers: tuple[str, ...] = ()


@dataclass(frozen=True, repr=False, kw_only=True)
class Result(Outcome, Tabled):
    """The outcome of :func:`optimal.solve`.

    ``total`` is the tree's, ``bound`` a proven lower bound of every tree's over the openers asked for (equal when
    OPTIMAL; None when there is nothing to bound). ``value`` and ``bound`` hold the objective's parts in order
    (mean: total). ``openers_refuted`` counts openers proven not to come before the result. ``objective`` is the one
    asked for. ``shortcuts`` tells by name how often each shortcut of the search was asked and how often that settled
    the question, and of those that search the nodes paid and wasted. It prints as
    `optimal solve` does, and shows as a table in a notebook.
    """

    value: tuple[int, ...] | None
    bound: tuple[int, ...] | None
    tree: StrategyTree | None
    openers: int
    openers_refuted: int
    count_calls: int
    shortcuts: dict[str, dict[str, int]]
    objective: str

    @property
    def total(self) -> int | None:
        """Sum of weight x depth over the answers; None without a tree."""
        return None if self.tree is None else self.tree.total

    @property
    def mean(self) -> Fraction | None:
        """total / sum of weights, exact; None without a tree."""
        return None if self.tree is None else self.tree.mean

    @property
    def opener(self) -> str | None:
        """The first guess of the tree; None without one."""
        return None if self.tree is None else self.tree.root.guess

    def to_dict(self) -> dict[str, Any]:
        """What `optimal solve --json` tells of a result. The tree itself is left out: see `export_json`."""
        tree = self.tree
        return {
            "status": self.status.value,
            "total": self.total,
            "value": None if self.value is None else list(self.value),
            "bound": None if self.bound is None else list(self.bound),
            "mean": None if self.mean is None else float(self.mean),
            "worst": None if tree is None else tree.worst,
            "distribution": {} if tree is None else by_depth(tree.distribution),
            "opener": self.opener,
            "openers": self.openers,
            "openers_refuted": self.openers_refuted,
            "stop_reason": self.stop_reason,
            "seconds": self.seconds,
            "nodes": self.nodes,
            "imported": self.imported,
            "ledgers": list(self.ledgers),
            "objective": self.objective,
        }

    def fields(self) -> list[tuple[str, str]]:
        """What is to be told, as names and texts; what is proven says so."""
        tree = self.tree
        over = f"all {self.openers} openers" if self.openers != 1 else "the one opener"
        proven = self.status in (Status.OPTIMAL, Status.INFEASIBLE)
        fields = [("status", f"{self.status}{resting(self.imported, self.ledgers)}")]
        if tree is None:
            said = "no strategy exists" if proven else "nothing was found before it stopped"
            fields.append(("result", f"{said}, over {over}"))
        else:
            told = f"proven least, over {over}" if proven else "upper bound"
            weighted = "" if tree.weights is None else ", weighted"
            fields += [("opener", tree.root.guess), ("result", f"{self._named(tree.value)} ({told}{weighted})")]
        if not proven and self.bound is not None:
            fields.append(("bound", f"{self._named(self.bound)} (proven lower bound, over {over})"))
        if tree is not None:
            label = "proven" if proven else "upper bound"
            fields += [("mean", f"{tree.mean_text} ({label})"), ("worst", f"{tree.worst}")]
        fields.append(("refuted", f"{self.openers_refuted} of {self.openers} openers, shown to be no better"))
        if not proven:
            fields.append(("stopped", self.stop_reason))
        return [*fields, ("seconds", f"{self.seconds:.2f}"), ("nodes", f"{self.nodes:,} (positions searched)")]

    def _named(self, parts: Sequence[int]) -> str:
        """The parts of a value with their names."""
        names = PARTS[self.objective.partition(":")[0]]
        return ", ".join(f"{name} {part}" for name, part in zip(names, parts, strict=True))

    @property
    def table(self) -> Sheet:
        """The same for people, with the answers that each number of guesses finds."""
        if self.tree is None:
            return Sheet("no strategy tree", self.fields(), {})
        return Sheet(str(self.tree), self.fields(), self.tree.distribution)

    def __repr__(self) -> str:
        if self.tree is not None:
            return super().__repr__()
        return f"<Result {self.status}, {dict(self.fields())['result']}>"
