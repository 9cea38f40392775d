"""Find the best key of a table: the questions by which every object is known at the least expected cost, proven.

TABLE has a row for each object, with its name first, and a column for each question: CSV with commas, semicolons or
tabs, Excel, or .npy. A cell that is empty or "?" is unknown, "a/b" varies. Or name one that ships: birds, car,
guess-who, sorting:N, coins:N. Exit status 1 when no key keeps the limit, or none was found before the search stopped;
3 when a key was found that is not proven the best.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from optimal.cli import BAD_INPUT, remark, say
from optimal.cli.apart import reads, writes
from optimal.cli.common import (
    add_backend,
    add_gap,
    add_jobs,
    add_journal,
    add_json,
    add_openers,
    add_output,
    add_stops,
    add_table_names,
    check_writable,
    exit_status,
    print_json,
    table_of,
    tell_journal,
    whole_number,
    write_or_keep,
)
from optimal.errors import InputError
from optimal.limits import LONGEST_LIST
from optimal.show.text import pairs, paragraph, printable
from optimal.show.words import counted, listed
from optimal.tables.key import OBJECTIVES

if TYPE_CHECKING:
    from optimal.tables.identify import Identification
    from optimal.tables.key import Key
    from optimal.tables.table import Table

EXAMPLES = (
    ("optimal identify car --cost-row minutes --weight-column often -o car.key", "a key"),
    ("optimal identify guess-who --objective worst", "the fewest questions at worst"),
    ("optimal identify table.csv --limit 5 --strict", "a spreadsheet of your own, saved as CSV"),
)

#: Questions of each path that are shown, and lines of them at most.
LEVELS, MOST_LINES = 2, 30
#: Sets of objects that no question always tells apart, of which so many are shown.
MOST_SETS = 10


def configure(parser: argparse.ArgumentParser) -> None:
    reads(parser.add_argument("table", metavar="TABLE", help="the file, or the name of a table that ships"))
    add_table_names(parser)
    parser.add_argument(
        "--objective",
        choices=OBJECTIVES,
        default=OBJECTIVES[0],
        help="mean: the least expected cost; worst: the least cost of the worst case, then of the mean (default: mean)",
    )
    parser.add_argument(
        "--limit", type=whole_number(0, LONGEST_LIST), metavar="N", help="no object may take more questions than this"
    )
    about = "it is an error when there are objects that no question always tells apart"
    parser.add_argument("--strict", action="store_true", help=about)
    add_openers(parser, "prove over these first questions alone (default: all)")
    add_jobs(parser)
    add_backend(parser)
    add_stops(parser)
    add_gap(parser, "key", "of the total")
    add_journal(parser)
    add_output(parser, "write the key to this file", metavar="KEY")
    about = "write the proof that the result is the least, see `optimal certify`"
    writes(parser.add_argument("--certificate", metavar="FILE", help=about))
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    if arguments.output is not None:
        check_writable(arguments.output)
    if arguments.certificate is not None:
        check_writable(arguments.certificate)

    from optimal.cli.progress import Reporter
    from optimal.tables.identify import identify

    table = table_of(arguments.table, arguments)
    if arguments.strict and table.unresolved:
        sets = [
            f"no question{' always' if apart else ''} tells apart {listed(names)}"
            for names, apart in table.unresolved_names(3)
        ]
        more = f"; and {len(table.unresolved) - 3} sets more" if len(table.unresolved) > 3 else ""
        raise InputError(f"{arguments.table}: {'; '.join(sets)}{more}")
    if arguments.certificate is not None:
        from optimal.certificates.key_prover import check_covered

        check_covered(table, arguments.limit, None)  # better now than after the search
    with Reporter(plain=not arguments.json, verbose=False, questions=True) as reporter, reporter.warned("identify"):
        found = identify(
            table,
            objective=arguments.objective,
            limit=arguments.limit,
            openers=arguments.openers,
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
    written = None
    if arguments.output is not None and key is not None:
        written = write_or_keep("identify", arguments.output, key.save, "key")
    totals = _thumbs(table, found, arguments.time_limit)
    if arguments.json:
        print_json({**_fields(table, found, arguments, totals), "tree": written})
    else:
        sys.stdout.write(printable(_told(table, found, totals, arguments.limit)))
        if written is not None:
            say(f"key written to {written}")
    if arguments.output is not None and key is None:
        remark(f"there is no key to write to {arguments.output}")
    if arguments.certificate is not None:
        _certify(arguments, table, found)
    tell_journal("identify", arguments.journal, found.stop_reason)
    if found.stop_reason != "interrupted" and key is not None and written != arguments.output:
        return BAD_INPUT
    return exit_status(found.status, found.stop_reason)


def _certify(arguments: argparse.Namespace, table: Table, found: Identification) -> None:
    """Write the certificate of what is proven; what there is none of is said on standard error."""
    from optimal.certificates.key_prover import KeyStatement, certify_key, certify_statement
    from optimal.cli.progress import Reporter

    path = arguments.certificate
    if found.status.value not in ("OPTIMAL", "INFEASIBLE"):
        remark(f"optimal identify: the result is {found.status.value}, so there is no certificate to write to {path}")
        return
    with Reporter(plain=not arguments.json, verbose=False, questions=True) as reporter:
        if found.key is not None:
            done = certify_key(found.key, path, reporter.step)
        else:
            named = arguments.openers
            openers = None if named is None else tuple(sorted({table.question_index(opener) for opener in named}))
            said = KeyStatement(table, arguments.limit, None, openers, arguments.objective, (), None)
            done = certify_statement(said, path, reporter.step)
    if not arguments.json:
        say(f"certificate written to {path}: {counted(done.claims, 'claim')}, {done.bytes} bytes")


def _thumbs(table: Table, found: Identification, time_limit: float | None) -> dict[str, Key]:
    """The keys that rules of thumb make, of a large table the usual one alone; of a run that had to end, those that are
    made within what is left of its time."""
    from optimal.tables.greedy import by_rules, spare

    seconds = math.inf
    if time_limit is not None or found.stop_reason not in ("done", "gap"):
        seconds = max((time_limit or 0) - found.seconds, spare(found.seconds))
    return dict(by_rules(table, objective=found.objective, seconds=seconds))


def _fields(
    table: Table, found: Identification, arguments: argparse.Namespace, thumbs: Mapping[str, Key]
) -> dict[str, object]:
    from optimal.tables.findings import never_asked, told_by_one

    key = found.key
    return {
        **found.to_dict(),
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
        "limit": arguments.limit,
        "openers": arguments.openers,
        "unresolved": [list(names) for names in table.unresolved],
        "never_asked": None if key is None else list(never_asked(key)),
        "told_by_one": told_by_one(table),
        "rules": {rule: list(thumb.value) for rule, thumb in thumbs.items()},
        "notes": list(table.notes),
    }


def _told(table: Table, found: Identification, thumbs: Mapping[str, Key], limit: int | None) -> str:
    """The result for people."""
    key = found.key
    proven = found.status.value in ("OPTIMAL", "INFEASIBLE")
    fields: list[tuple[str, object]] = [("status", found.status)]
    if key is None:
        said = (
            f"no key asks at most {counted(limit or 0, 'question')}"
            if proven
            else "nothing was found before it stopped"
        )
        fields.append(("result", said))
    else:
        label = "proven least" if proven else "upper bound"
        first = found.objective == "worst"
        if key.has_costs:
            fields.append(("cost", f"{float(key.mean):.4f} expected ({label}), {key.amount(key.worst_cost)} at most"))
        told = "" if key.has_costs else f" ({label})"
        fields.append(("questions", f"{float(key.mean_questions):.4f} expected{told}, {key.worst} at most"))
        fields.append(("total", f"{key.total}{' within that worst case' if first else ''}, in units of {_unit(table)}"))
        if not proven and found.bound is not None:
            fields.append(("bound", f"{', '.join(map(str, found.bound))} (proven lower bound)"))
        fields += [*([("others", _losses(key, thumbs, proven))] if thumbs else []), *_beside(table, key)]
    if not proven:
        fields.append(("stopped", found.stop_reason))
    fields += [("seconds", f"{found.seconds:.2f}"), ("nodes", f"{found.nodes:,} (sets searched)")]
    text = paragraph(_heading(table))
    for names, apart in table.unresolved_names(MOST_SETS):
        told = listed(names) if len(names) > 2 else " and ".join(names)
        text += paragraph(f"No question{' always' if apart else ''} tells apart {told}.")
    if len(table.unresolved) > MOST_SETS:
        text += paragraph(f"So it is with {len(table.unresolved) - MOST_SETS} more sets, see --json.")
    return text + pairs(fields) + ("" if key is None else _levels(key))


def _heading(table: Table) -> str:
    about = [counted(len(table.objects), "object"), counted(len(table.questions), "question")]
    if table.variants > len(table.objects):
        about[0] += f" in {table.variants} variants"
    groups = len(set(table.groups.tolist()))
    if groups < len(table.objects):
        about.append(counted(groups, "group"))
    return f"{table.name}: {', '.join(about)}"


def _unit(table: Table) -> str:
    scale = table.weight_scale * table.cost_scale
    return "weight x cost" if scale == 1 else f"1/{scale} of weight x cost"


def _losses(key: Key, thumbs: Mapping[str, Key], proven: bool) -> str:
    """How much more the rules of thumb cost: in the expectation, and where the worst case comes first, at worst."""
    told = []
    for rule, thumb in thumbs.items():
        more = 100 * (thumb.total - key.total) / key.total if key.total else 0.0
        total = f"{more:+.1f} %" if more else "as much"
        worst = f"worst {key.amount(thumb.worst_cost)}, total " if key.objective == "worst" else ""
        beyond = " beyond the limit" if key.limit is not None and thumb.worst > key.limit else ""
        told.append(f"{rule} {worst}{total}{beyond}")
    between = "; " if key.objective == "worst" else ", "
    return f"{'' if proven else 'beside this key, '}keys by rules of thumb cost: {between.join(told)}"


def _beside(table: Table, key: Key) -> list[tuple[str, object]]:
    from optimal.tables.findings import never_asked, told_names

    fields: list[tuple[str, object]] = []
    if unasked := never_asked(key):
        fields.append(("not asked", listed(unasked)))
    if alone := told_names(table):
        told = [
            f"{question} alone tells {' from '.join(pairs[0])}"
            + (
                f" and {len(pairs) - 1} more pairs apart"
                if len(pairs) > 2
                else " and one more pair apart"
                if len(pairs) > 1
                else ""
            )
            for question, pairs in alone.items()
        ]
        fields.append(
            (
                "needed",
                "; ".join(told[:5]) + (f"; and {counted(len(told) - 5, 'more question')}" if len(told) > 5 else ""),
            )
        )
    return fields


def _levels(key: Key) -> str:
    """The first questions of each path."""
    from optimal.tables.export import indented

    lines = list(indented(key, LEVELS))
    more = [f"and {len(lines) - MOST_LINES} lines more\n"] if len(lines) > MOST_LINES else []
    return "".join(lines[:MOST_LINES] + more)
