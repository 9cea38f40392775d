"""The result of `identify`: the key, its table, other keys, and oddities of either."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from optimal.search.result import Outcome, Status
from optimal.search.rules_of_thumb import by_rules, spare
from optimal.show.record import plain
from optimal.show.table import Sheet, Tabled
from optimal.show.words import counted, either, listed, rounded_down
from optimal.tables.findings import told_by_one, told_names
from optimal.tables.table import Table, VaryingTable
from optimal.trees.key import Key, decimal
from optimal.trees.key_export import indented

#: Depth to which a key is shown, and lines at most.
LEVELS, MOST_LINES = 2, 30
#: Sets of objects that no question always tells apart, and necessary questions, shown at most.
MOST_SETS, MOST_NEEDED = 10, 5


@dataclass(frozen=True, repr=False, kw_only=True)
class Identification(Outcome, Tabled):
    """The outcome of :func:`optimal.identify`.

    ``value`` is that of the key, and ``bound`` a proven lower bound over the first questions asked for, in the
    objective's order (mean: total; worst: costliest path, total), in the table's integers. They are equal when
    ``status`` is OPTIMAL, and None where there is no key or bound. ``nodes`` counts the sets searched; ``searched`` is
    the table, and ``limit``, ``cost_limit``, ``openers`` and ``time_limit`` are as they were asked for. It prints as
    `optimal identify` does, and is a table with the picture of the key in a notebook. `to_dict` has what `optimal
    identify --json` prints, without the key: see `Key.to_dict`.
    """

    json_fields = "status total value bound gap objective stop_reason seconds nodes"

    value: tuple[int, ...] | None
    bound: tuple[int, ...] | None
    key: Key | None
    objective: str
    searched: Table
    limit: int | None = None
    cost_limit: int | None = None
    openers: tuple[str, ...] | None = None
    time_limit: float | None = None

    @property
    def total(self) -> int | None:
        """Sum of weight x cost of the questions asked; None without a key."""
        return None if self.key is None else self.key.total

    @property
    def gap(self) -> int | None:
        """The difference between value and bound in the first component where they differ; None without a key."""
        if self.value is None or self.bound is None:
            return None
        return next((ours - low for ours, low in zip(self.value, self.bound, strict=True) if ours != low), 0)

    @cached_property
    def by_rule(self) -> Mapping[str, Key]:
        """The keys of all rules of thumb (for a large table, of the usual one); after a run that had to end, those made
        in the rest of its time. They are made when first asked for."""
        seconds = math.inf
        if self.time_limit is not None or self.stop_reason not in ("done", "gap"):
            seconds = max((self.time_limit or 0) - self.seconds, spare(self.seconds))
        return dict(by_rules(self.searched, objective=self.objective, seconds=seconds))

    def to_dict(self) -> dict[str, Any]:
        """Return the object printed by `optimal identify --json`, without the key's file."""
        table, key = self.searched, self.key
        return {
            **super().to_dict(),
            **{name: plain(getattr(key, name, None)) for name in ("mean", "mean_questions", "worst", "worst_cost")},
            "opener": None if key is None or key.root.question is None else key.questions[key.root.question],
            "table": table.name,
            "objects": len(table.objects),
            "questions": len(table.questions),
            "variants": table.variants,
            "weight_scale": table.weight_scale,
            "cost_scale": table.cost_scale,
            "limit": self.limit,
            "unresolved": [list(names) for names in table.unresolved],
            "never_asked": None if key is None else list(key.never_asked),
            "told_by_one": None if isinstance(table, VaryingTable) else plain(told_by_one(table)),
            "rules": {rule: list(other.value) for rule, other in self.by_rule.items()},
            "notes": list(table.notes),
            "openers": plain(self.openers),
        }

    @property
    def table(self) -> Sheet:
        """The result as a table, with the beginning of the key."""
        key, proven = self.key, self.status in (Status.OPTIMAL, Status.INFEASIBLE)
        fields = [("status", str(self.status))]
        if key is None:
            fields.append(("result", self._none() if proven else "nothing was found before it stopped"))
        else:
            fields += self._measures(key, proven) + self._beside(key, proven)
        if not proven:
            fields.append(("stopped", self.stop_reason))
        fields += [("seconds", f"{self.seconds:.2f}"), ("nodes", f"{self.nodes:,} (sets searched)")]
        lines = [] if key is None else list(indented(key, LEVELS))
        more = [f"and {len(lines) - MOST_LINES} lines more"] if len(lines) > MOST_LINES else []
        notes = _unresolved(self.searched)
        return Sheet(_heading(self.searched), fields, notes=notes, lines=[*lines[:MOST_LINES], *more])

    def __repr__(self) -> str:
        return f"<Identification {f'{self.searched.name}: {self.status}' if self.key is None else self.key}>"

    def _repr_html_(self) -> str:
        return self.table._repr_html_() + ("" if self.key is None else self.key._repr_html_())

    def _none(self) -> str:
        """Return what no key does."""
        first = "" if self.openers is None else f" with {either(self.openers)} first"
        most = [] if self.limit is None else [f"asks at most {counted(self.limit, 'question')}"]
        if self.cost_limit is not None:
            most.append(f"costs at most {decimal(Fraction(self.cost_limit, self.searched.cost_scale))}")
        return f"no key{first} {' and '.join(most)}"

    def _measures(self, key: Key, proven: bool) -> list[tuple[str, str]]:
        """Return the costs of the key, and its bound if it is not proven."""
        label, most = f" (proven least{key.scope})" if proven else self._none_below(key), key.amount(key.worst_cost)
        questions = f"{float(key.mean_questions):.4f} expected"
        fields: list[tuple[str, str]] = []
        if key.has_costs:
            fields.append(("cost", f"{float(key.mean):.4f} expected{label}, {most} at most"))
            fields.append(("questions", f"{questions}, {key.worst} at most"))
        else:
            fields.append(("questions", f"{questions}{label}, {key.worst} at most"))
        if isinstance(self.searched, VaryingTable):
            return fields  # its total has too many digits for people
        scale = self.searched.weight_scale * self.searched.cost_scale
        unit = "weight x cost" if scale == 1 else f"1/{scale} of weight x cost"
        worst = " within that worst case" if key.objective == "worst" else ""
        fields.append(("total", f"{key.total}{worst}, in units of {unit}"))
        if not proven and key.objective == "worst":
            fields.append(
                ("bound", f"{key.amount(key.bound[0])} at most (proven: no key{key.scope} costs less at worst)")
            )
        return fields

    def _none_below(self, key: Key) -> str:
        """Return the proven lower bound of the expected cost, and how much less than the key's that is in per cent."""
        if key.bound[:-1] != key.value[:-1]:
            return ""
        low = rounded_down(key.bound[-1], sum(key.packed.weights) * key.packed.cost_scale)
        return f", none{key.scope} below {low} ({100 * (key.total - key.bound[-1]) / key.total:.1f} %)"

    def _beside(self, key: Key, proven: bool) -> list[tuple[str, str]]:
        """Return other keys, the questions that this key never asks, and those that no key can do without."""
        fields: list[tuple[str, str]] = []
        if self.by_rule:
            between = "; " if key.objective == "worst" else ", "
            others = between.join(f"{rule} {_more(key, other)}" for rule, other in self.by_rule.items())
            first = "" if key.openers is None else ", with any question first,"
            beside = "" if proven else "beside this key, "
            fields.append(("others", f"{beside}keys by rules of thumb{first} cost: {others}"))
        if unasked := key.never_asked:
            fields.append(("not asked", listed(unasked)))
        fields += _ends(key)
        needed = []
        told = None if isinstance(self.searched, VaryingTable) else told_names(self.searched)
        for question, apart in (told or {}).items():
            more = len(apart) - 1
            rest = "" if not more else " and one more pair apart" if more == 1 else f" and {more} more pairs apart"
            needed.append(f"{question} alone tells {' from '.join(apart[0])}{rest}")
        if needed:
            more = len(needed) - MOST_NEEDED
            rest = f"; and {counted(more, 'more question')}" if more > 0 else ""
            fields.append(("needed", f"{'; '.join(needed[:MOST_NEEDED])}{rest}"))
        return fields


def _ends(key: Key) -> list[tuple[str, str]]:
    """Return what to say of objects that stand at several ends, those at most first."""
    ends = Counter(one for step in key.root.nodes() for one in step.objects)
    several = sorted((-many, one) for one, many in ends.items() if many > 1)
    if not several:
        return []
    count = f"{len(several)} of {counted(len(key.objects), 'object')} stand{'s' * (len(several) == 1)} at several ends"
    named = listed([f"{key.objects[one]} at {-many}" for many, one in several], MOST_NEEDED)
    return [("ends", f"{count}, as cells are unknown or vary: {named}")]


def _more(key: Key, other: Key) -> str:
    """Return how much more another key costs: on average, and before that, if the objective is worst, at worst."""
    more = 100 * (other.total - key.total) / key.total if key.total else 0.0
    worst = f"worst {key.amount(other.worst_cost)}, total " if key.objective == "worst" else ""
    beyond = " beyond the limit" if key.limit is not None and other.worst > key.limit else ""
    return f"{worst}{f'{more:+.1f} %' if more else 'as much'}{beyond}"


def _heading(table: Table) -> str:
    about = [counted(len(table.objects), "object"), counted(len(table.questions), "question")]
    if table.variants > len(table.objects):
        about[0] += f" in {table.variants:{',' if isinstance(table, VaryingTable) else ''}} variants"
    groups = len(set(table.groups.tolist()))
    if groups < len(table.objects):
        about.append(counted(groups, "group"))
    return f"{table.name}: {', '.join(about)}"


def _unresolved(table: Table) -> list[str]:
    """Return a sentence for each set of objects that no question always tells apart."""
    lines = []
    for names, apart in table.unresolved_names(MOST_SETS):
        names_text = listed(names) if len(names) > 2 else " and ".join(names)
        lines.append(f"No question{' always' if apart else ''} tells apart {names_text}.")
    if len(table.unresolved) > MOST_SETS:
        lines.append(f"The same holds for {len(table.unresolved) - MOST_SETS} more sets, see --json.")
    return lines
