"""`optimal identify`: the best key of a table, proven."""

from __future__ import annotations

import math
from argparse import Namespace
from collections.abc import Mapping

from optimal.certificates.key_prover import KeyStatement, certify_key, certify_statement, check_covered
from optimal.cli.console import BAD_INPUT, remark, say
from optimal.cli.options import openers_of
from optimal.cli.output import exit_status, print_result, remark_journal, saved
from optimal.cli.problems import table_of
from optimal.cli.progress import Reporter
from optimal.errors import InputError
from optimal.show.text import pairs, paragraph
from optimal.show.words import counted, listed
from optimal.tables.export import indented
from optimal.tables.findings import never_asked, told_by_one, told_names
from optimal.tables.greedy import by_rules, spare
from optimal.tables.identify import Identification, identify
from optimal.tables.key import Key
from optimal.tables.table import Table

#: Questions of each path that are shown, and lines of them at most.
LEVELS, MOST_LINES = 2, 30
#: Sets of objects that no question always tells apart, and questions that are needed, of which so many are shown.
MOST_SETS, MOST_NEEDED = 10, 5


def run(arguments: Namespace) -> int:
    table = table_of(arguments.table, arguments)
    if arguments.strict and table.unresolved:
        raise InputError(f"{arguments.table}: {_alike(table, 3)}")
    if arguments.certificate is not None:
        check_covered(table, arguments.limit, None)  # better now than after the search
    openers = None if arguments.openers is None else openers_of(arguments.openers)
    with Reporter(plain=not arguments.json, verbose=False, questions=True) as reporter, reporter.warned("identify"):
        found = identify(
            table,
            objective=arguments.objective,
            limit=arguments.limit,
            openers=openers,
            jobs=arguments.jobs,
            backend=arguments.backend,
            scheduler=arguments.scheduler,
            wait=arguments.wait,
            time_limit=arguments.time_limit,
            memory_limit=arguments.memory_limit,
            gap=arguments.gap,
            journal=arguments.journal,
            progress=reporter,
        )
    key = found.key
    written = saved("identify", arguments.output, None if key is None else key.save, "key")
    proof = None if arguments.certificate is None else _certify(arguments, table, found, openers)
    thumbs = _by_rules_of_thumb(table, found, arguments.time_limit)
    asked = {"limit": arguments.limit, "openers": openers, "tree": written}
    print_result(
        arguments,
        lambda: {**found.to_dict(), **_fields(table, key, thumbs), **asked},
        lambda: _text(table, found, thumbs, arguments.limit),
    )
    if not arguments.json:
        if written is not None:
            say(f"key written to {written}")
        if proof is not None:
            say(proof)
    remark_journal("identify", arguments.journal, found.stop_reason)
    if found.stop_reason != "interrupted" and key is not None and written != arguments.output:
        return BAD_INPUT
    return exit_status(found.status, found.stop_reason)


def _certify(arguments: Namespace, table: Table, found: Identification, openers: list[str] | None) -> str | None:
    """Write the certificate of what is proven. The line that says so; None where nothing is proven."""
    path = arguments.certificate
    with Reporter(plain=not arguments.json, verbose=False, questions=True) as reporter:
        if found.status == "OPTIMAL" and found.key is not None:
            done = certify_key(found.key, path, reporter.step)
        elif found.status == "INFEASIBLE":
            places = None if openers is None else tuple(sorted({table.question_index(name) for name in openers}))
            statement = KeyStatement(table, arguments.limit, None, places, arguments.objective, (), None)
            done = certify_statement(statement, path, reporter.step)
        else:
            remark(f"optimal identify: the result is {found.status}, so there is no certificate to write to {path}")
            return None
    return done.text(path)


def _by_rules_of_thumb(table: Table, found: Identification, time_limit: float | None) -> dict[str, Key]:
    """The keys that rules of thumb make, of a large table the usual one alone; of a run that had to end, those that are
    made within what is left of its time."""
    seconds = math.inf
    if time_limit is not None or found.stop_reason not in ("done", "gap"):
        seconds = max((time_limit or 0) - found.seconds, spare(found.seconds))
    return dict(by_rules(table, objective=found.objective, seconds=seconds))


def _fields(table: Table, key: Key | None, thumbs: Mapping[str, Key]) -> dict[str, object]:
    """What --json has beside the result: the key's measures, and what is odd about the table."""
    return {
        "mean": None if key is None else float(key.mean),
        "mean_questions": None if key is None else float(key.mean_questions),
        "worst": None if key is None else key.worst,
        "worst_cost": None if key is None else key.worst_cost,
        "opener": None if key is None or key.root.question is None else key.questions[key.root.question],
        "table": table.name,
        "objects": len(table.objects),
        "questions": len(table.questions),
        "variants": table.variants,
        "weight_scale": table.weight_scale,
        "cost_scale": table.cost_scale,
        "unresolved": [list(names) for names in table.unresolved],
        "never_asked": None if key is None else list(never_asked(key)),
        "told_by_one": told_by_one(table),
        "rules": {rule: list(thumb.value) for rule, thumb in thumbs.items()},
        "notes": list(table.notes),
    }


def _text(table: Table, found: Identification, thumbs: Mapping[str, Key], limit: int | None) -> str:
    """The result for people."""
    key, proven = found.key, found.status in ("OPTIMAL", "INFEASIBLE")
    fields: list[tuple[str, object]] = [("status", found.status)]
    if key is None:
        none = f"no key asks at most {counted(limit or 0, 'question')}"
        fields.append(("result", none if proven else "nothing was found before it stopped"))
    else:
        label = "proven least" if proven else "upper bound"
        questions = f"{float(key.mean_questions):.4f} expected"
        if key.has_costs:
            fields.append(("cost", f"{float(key.mean):.4f} expected ({label}), {key.amount(key.worst_cost)} at most"))
            fields.append(("questions", f"{questions}, {key.worst} at most"))
        else:
            fields.append(("questions", f"{questions} ({label}), {key.worst} at most"))
        scale = table.weight_scale * table.cost_scale
        unit = "weight x cost" if scale == 1 else f"1/{scale} of weight x cost"
        worst = " within that worst case" if found.objective == "worst" else ""
        fields.append(("total", f"{key.total}{worst}, in units of {unit}"))
        if not proven and found.bound is not None:
            fields.append(("bound", f"{', '.join(map(str, found.bound))} (proven lower bound)"))
        fields += _beside(table, key, thumbs, proven)
    if not proven:
        fields.append(("stopped", found.stop_reason))
    fields += [("seconds", f"{found.seconds:.2f}"), ("nodes", f"{found.nodes:,} (sets searched)")]
    return f"{_heading(table)}{pairs(fields)}{'' if key is None else _levels(key)}"


def _heading(table: Table) -> str:
    """What the table has, and which objects can't be told apart."""
    about = [counted(len(table.objects), "object"), counted(len(table.questions), "question")]
    if table.variants > len(table.objects):
        about[0] += f" in {table.variants} variants"
    groups = len(set(table.groups.tolist()))
    if groups < len(table.objects):
        about.append(counted(groups, "group"))
    lines = [f"{table.name}: {', '.join(about)}"]
    for names, apart in table.unresolved_names(MOST_SETS):
        alike = listed(names) if len(names) > 2 else " and ".join(names)
        lines.append(f"No question{' always' if apart else ''} tells apart {alike}.")
    if len(table.unresolved) > MOST_SETS:
        lines.append(f"So it is with {len(table.unresolved) - MOST_SETS} more sets, see --json.")
    return "".join(map(paragraph, lines))


def _alike(table: Table, most: int) -> str:
    """The sets of objects that no question always tells apart, for an error."""
    sets = [
        f"no question{' always' if apart else ''} tells apart {listed(names)}"
        for names, apart in table.unresolved_names(most)
    ]
    more = f"; and {len(table.unresolved) - most} sets more" if len(table.unresolved) > most else ""
    return f"{'; '.join(sets)}{more}"


def _beside(table: Table, key: Key, thumbs: Mapping[str, Key], proven: bool) -> list[tuple[str, object]]:
    """Other keys beside this one, questions that it never asks, and those that it can't do without."""
    fields: list[tuple[str, object]] = []
    if thumbs:
        between = "; " if key.objective == "worst" else ", "
        others = between.join(f"{rule} {_more(key, thumb)}" for rule, thumb in thumbs.items())
        fields.append(("others", f"{'' if proven else 'beside this key, '}keys by rules of thumb cost: {others}"))
    if unasked := never_asked(key):
        fields.append(("not asked", listed(unasked)))
    needed = []
    for question, pairs_told in (told_names(table) or {}).items():
        more = len(pairs_told) - 1
        rest = "" if not more else " and one more pair apart" if more == 1 else f" and {more} more pairs apart"
        needed.append(f"{question} alone tells {' from '.join(pairs_told[0])}{rest}")
    if needed:
        more = len(needed) - MOST_NEEDED
        rest = f"; and {counted(more, 'more question')}" if more > 0 else ""
        fields.append(("needed", f"{'; '.join(needed[:MOST_NEEDED])}{rest}"))
    return fields


def _more(key: Key, thumb: Key) -> str:
    """How much more a key by a rule of thumb costs: in the expectation, and where that comes first, at worst."""
    more = 100 * (thumb.total - key.total) / key.total if key.total else 0.0
    worst = f"worst {key.amount(thumb.worst_cost)}, total " if key.objective == "worst" else ""
    beyond = " beyond the limit" if key.limit is not None and thumb.worst > key.limit else ""
    return f"{worst}{f'{more:+.1f} %' if more else 'as much'}{beyond}"


def _levels(key: Key) -> str:
    """The first questions of each path."""
    lines = list(indented(key, LEVELS))
    more = [f"and {len(lines) - MOST_LINES} lines more\n"] if len(lines) > MOST_LINES else []
    return "".join(lines[:MOST_LINES] + more)
