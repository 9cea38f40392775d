"""The report of `optimal identify`: the key, its table, other keys, and oddities of either."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from optimal.search.identify import Identification
from optimal.search.rules_of_thumb import by_rules, spare
from optimal.show.record import plain
from optimal.show.text import pairs, paragraph
from optimal.show.words import counted, either, listed, rounded_down
from optimal.tables.findings import told_by_one, told_names
from optimal.tables.table import Table, VaryingTable
from optimal.trees.key import Key
from optimal.trees.key_export import indented

#: Depth to which a key is shown, and lines at most.
LEVELS, MOST_LINES = 2, 30
#: Sets of objects that no question always tells apart, and necessary questions, shown at most.
MOST_SETS, MOST_NEEDED = 10, 5


@dataclass(frozen=True)
class Report:
    """The key found for a table within a limit of questions, and the keys made by rules of thumb."""

    table: Table
    found: Identification
    limit: int | None
    by_rule: Mapping[str, Key]
    openers: Sequence[str] | None = None

    @classmethod
    def of(
        cls,
        table: Table,
        found: Identification,
        limit: int | None,
        time_limit: float | None,
        openers: Sequence[str] | None = None,
    ) -> Report:
        """Return a report with the keys of all rules of thumb (for a large table, the usual rule); after a run that had
        to end, those made in the rest of its time."""
        seconds = math.inf
        if time_limit is not None or found.stop_reason not in ("done", "gap"):
            seconds = max((time_limit or 0) - found.seconds, spare(found.seconds))
        return cls(table, found, limit, dict(by_rules(table, objective=found.objective, seconds=seconds)), openers)

    def to_dict(self) -> dict[str, Any]:
        """Return the object printed by `optimal identify --json`, without the key's file."""
        table, key = self.table, self.found.key
        return {
            **self.found.to_dict(),
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
            "told_by_one": None if isinstance(table, VaryingTable) else told_by_one(table),
            "rules": {rule: list(other.value) for rule, other in self.by_rule.items()},
            "notes": list(table.notes),
            "openers": self.openers,
        }

    def __str__(self) -> str:
        found, key = self.found, self.found.key
        proven = found.status in ("OPTIMAL", "INFEASIBLE")
        fields: list[tuple[str, object]] = [("status", found.status)]
        if key is None:
            first = "" if self.openers is None else f" with {either(self.openers)} first"
            none = f"no key{first} asks at most {counted(self.limit or 0, 'question')}"
            fields.append(("result", none if proven else "nothing was found before it stopped"))
        else:
            fields += self._measures(key, proven) + self._beside(key, proven)
        if not proven:
            fields.append(("stopped", found.stop_reason))
        fields += [("seconds", f"{found.seconds:.2f}"), ("nodes", f"{found.nodes:,} (sets searched)")]
        heading = map(paragraph, [_heading(self.table), *_unresolved(self.table)])
        lines = [] if key is None else list(indented(key, LEVELS))
        more = [f"and {len(lines) - MOST_LINES} lines more"] if len(lines) > MOST_LINES else []
        return "".join([*heading, pairs(fields), *lines[:MOST_LINES], *more]).rstrip("\n")

    def _measures(self, key: Key, proven: bool) -> list[tuple[str, object]]:
        """Return the costs of the key, and its bound if it is not proven."""
        label, most = f" (proven least{key.scope})" if proven else self._none_below(key), key.amount(key.worst_cost)
        questions = f"{float(key.mean_questions):.4f} expected"
        fields: list[tuple[str, object]] = []
        if key.has_costs:
            fields.append(("cost", f"{float(key.mean):.4f} expected{label}, {most} at most"))
            fields.append(("questions", f"{questions}, {key.worst} at most"))
        else:
            fields.append(("questions", f"{questions}{label}, {key.worst} at most"))
        if isinstance(self.table, VaryingTable):
            return fields  # its total has too many digits for people
        scale = self.table.weight_scale * self.table.cost_scale
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

    def _beside(self, key: Key, proven: bool) -> list[tuple[str, object]]:
        """Return other keys, the questions that this key never asks, and those that no key can do without."""
        fields: list[tuple[str, object]] = []
        if self.by_rule:
            between = "; " if key.objective == "worst" else ", "
            others = between.join(f"{rule} {_more(key, other)}" for rule, other in self.by_rule.items())
            first = "" if key.openers is None else ", with any question first,"
            beside = "" if proven else "beside this key, "
            fields.append(("others", f"{beside}keys by rules of thumb{first} cost: {others}"))
        if unasked := key.never_asked:
            fields.append(("not asked", listed(unasked)))
        needed = []
        told = None if isinstance(self.table, VaryingTable) else told_names(self.table)
        for question, apart in (told or {}).items():
            more = len(apart) - 1
            rest = "" if not more else " and one more pair apart" if more == 1 else f" and {more} more pairs apart"
            needed.append(f"{question} alone tells {' from '.join(apart[0])}{rest}")
        if needed:
            more = len(needed) - MOST_NEEDED
            rest = f"; and {counted(more, 'more question')}" if more > 0 else ""
            fields.append(("needed", f"{'; '.join(needed[:MOST_NEEDED])}{rest}"))
        return fields


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
