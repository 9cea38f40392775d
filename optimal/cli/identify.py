"""`optimal identify`: the best key of a table, proven."""

from __future__ import annotations

from argparse import Namespace

from optimal.certificates.key_prover import KeyStatement, certify_key, certify_statement, check_covered
from optimal.cli.console import BAD_INPUT, remark, say
from optimal.cli.options import openers_of
from optimal.cli.output import exit_status, print_result, remark_journal, run_options, saved
from optimal.cli.problems import table_of
from optimal.cli.progress import Reporter
from optimal.errors import InputError
from optimal.show.words import listed
from optimal.tables.identify import Identification, identify
from optimal.tables.report import Report
from optimal.tables.table import Table

MOST_ALIKE = 3  # sets of objects that an error names


def run(arguments: Namespace) -> int:
    table = table_of(arguments.table, arguments)
    if arguments.strict and table.unresolved:
        raise InputError(f"{arguments.table}: {_alike(table)}")
    if arguments.certificate is not None:
        check_covered(table, arguments.limit, None)  # better now than after the search
    openers = None if arguments.openers is None else openers_of(arguments.openers)
    with Reporter(plain=not arguments.json, verbose=False, questions=True) as reporter, reporter.warned("identify"):
        found = identify(
            table,
            objective=arguments.objective,
            limit=arguments.limit,
            openers=openers,
            progress=reporter,
            **run_options(arguments),
        )
    key = found.key
    written = saved("identify", arguments.output, None if key is None else key.save, "key")
    proof = None if arguments.certificate is None else _certify(arguments, table, found, openers)
    report = Report.of(table, found, arguments.limit, arguments.time_limit)
    print_result(arguments, lambda: {**report.to_dict(), "openers": openers, "tree": written}, report.__str__)
    if not arguments.json:
        if written is not None:
            say(f"key written to {written}")
        if proof is not None:
            say(proof)
    remark_journal("identify", arguments.journal, found.stop_reason)
    if found.stop_reason != "interrupted" and key is not None and written != arguments.output:
        return BAD_INPUT
    return exit_status(found.status, found.stop_reason)


def _alike(table: Table) -> str:
    """The sets of objects that no question always tells apart."""
    sets = [
        f"no question{' always' if apart else ''} tells apart {listed(names)}"
        for names, apart in table.unresolved_names(MOST_ALIKE)
    ]
    more = len(table.unresolved) - MOST_ALIKE
    return "; ".join([*sets, *([f"and {more} sets more"] if more > 0 else [])])


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
