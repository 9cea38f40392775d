"""The result of a solve: status, value, bound and tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from optimal.show.record import Record
from optimal.show.table import Sheet, Tabled
from optimal.show.words import listed, resting
from optimal.trees.tree import StrategyTree

#: Names of the parts of a value, by kind of objective.
PARTS = {"mean": ("total",), "worst": ("worst", "total"), "within": ("missed", "total")}


class Status(str, Enum):
    """The status of a result, in CP-SAT's terms.

    OPTIMAL: the tree is proven optimal. FEASIBLE: there is a tree, not proven optimal. INFEASIBLE: proven that no tree
    exists within the limit. UNKNOWN: stopped before either.
    """

    OPTIMAL = "OPTIMAL"
    FEASIBLE = "FEASIBLE"
    INFEASIBLE = "INFEASIBLE"
    UNKNOWN = "UNKNOWN"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, repr=False, kw_only=True)
class Outcome(Record):
    """The outcome of a run: status, stop reason, seconds, and the number of positions searched. The bounds of
    ``imported`` openers come from ``ledgers`` alone."""

    status: Status
    stop_reason: str
    seconds: float
    nodes: int
    imported: int = 0
    ledgers: tuple[str, ...] = ()


@dataclass(frozen=True, repr=False, kw_only=True)
class Result(Outcome, Tabled):
    """The outcome of :func:`optimal.solve`.

    ``value`` is that of the tree, and ``bound`` a proven lower bound over the openers asked for, both as the
    objective's parts in order (mean: total). They are equal when OPTIMAL; ``bound`` is None when there is nothing to
    bound. ``openers_refuted`` counts openers proven not to beat the result; ``openers_exact`` are those of a run that
    was stopped whose values are proven, best first. ``objective`` is the one asked for.
    ``shortcuts`` holds the counters of each shortcut: how often it was asked and how often that settled the question,
    and for those that search, the nodes paid and wasted. ``missed``, where no tree is known: so many answers
    are missed by one without the limit, if one was found. It prints as `optimal solve` does, and is a table in a
    notebook. `to_dict` has what `optimal solve --json` prints, without the tree: see `export_json`.
    """

    json_fields = (
        "status total value bound mean worst distribution opener openers openers_refuted stop_reason seconds nodes "
        "imported ledgers objective"
    )

    value: tuple[int, ...] | None
    bound: tuple[int, ...] | None
    tree: StrategyTree | None
    openers: int
    openers_refuted: int
    count_calls: int
    shortcuts: dict[str, dict[str, int]]
    objective: str
    missed: int | None = None
    openers_exact: tuple[str, ...] = ()

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

    @property
    def worst(self) -> int | None:
        """The guesses that the last answer takes; None without a tree."""
        return None if self.tree is None else self.tree.worst

    @property
    def distribution(self) -> Mapping[int, int]:
        """The number of answers found by each guess; empty without a tree."""
        return {} if self.tree is None else self.tree.distribution

    def fields(self) -> list[tuple[str, str]]:
        """Return the fields of the report, as names and texts."""
        tree = self.tree
        over = f"all {self.openers} openers" if self.openers != 1 else "the one opener"
        proven = self.status in (Status.OPTIMAL, Status.INFEASIBLE)
        fields = [("status", f"{self.status}{resting(self.imported, self.ledgers)}")]
        if tree is None:
            said = "no strategy exists" if proven else "nothing was found before it stopped"
            fields.append(("result", f"{said}, over {over}"))
            if self.missed is not None:
                fields.append(("missed", f"{self.missed} answers, by a strategy that goes beyond the limit"))
        else:
            claim = f"proven least, over {over}" if proven else "upper bound"
            weighted = "" if tree.weights is None else ", weighted"
            fields += [("opener", tree.root.guess), ("result", f"{self._named(tree.value)} ({claim}{weighted})")]
        if not proven and self.bound is not None:
            fields.append(("bound", f"{self._named(self.bound)} (proven lower bound, over {over})"))
        if tree is not None:
            label = "proven" if proven else "upper bound"
            fields += [("mean", f"{tree.mean_text} ({label})"), ("worst", f"{tree.worst}")]
        exact = f"; exact for {listed(self.openers_exact, 3)}" if self.openers_exact else ""
        fields.append(("refuted", f"{self.openers_refuted} of {self.openers} openers, shown to be no better{exact}"))
        if not proven:
            fields.append(("stopped", self.stop_reason))
        return [*fields, ("seconds", f"{self.seconds:.2f}"), ("nodes", f"{self.nodes:,} (positions searched)")]

    def _named(self, parts: Sequence[int]) -> str:
        """Return the parts of a value with their names."""
        names = PARTS[self.objective.partition(":")[0]]
        return ", ".join(f"{name} {part}" for name, part in zip(names, parts, strict=True))

    @property
    def table(self) -> Sheet:
        """The result as a table, with the distribution of the answers over the number of guesses."""
        if self.tree is None:
            return Sheet("no strategy tree", self.fields(), {})
        return Sheet(str(self.tree), self.fields(), self.tree.distribution)

    def __repr__(self) -> str:
        if self.tree is not None:
            return super().__repr__()
        return f"<Result {self.status}, {dict(self.fields())['result']}>"
