"""`optimal identify`: the best key of a table, proven."""

from __future__ import annotations

from argparse import Namespace

from optimal.certificates.certify import Certified
from optimal.certificates.checker import Step
from optimal.certificates.key_prover import KeyStatement, certify_key, check_covered
from optimal.cli.problems import table_of
from optimal.cli.progress import Reporter
from optimal.cli.runs import finish, openers_asked, run_options
from optimal.errors import InputError
from optimal.search.identify import identify
from optimal.show.words import listed
from optimal.tables.table import Table
from optimal.trees.key import Key

MOST_ALIKE = 3  # sets of objects that an error names


def run(arguments: Namespace) -> int:
    table = table_of(arguments.table, arguments)
    if arguments.strict and table.unresolved:
        raise InputError(f"{arguments.table}: {_alike(table)}")
    if arguments.certificate is not None:
        check_covered(table, arguments.limit, None)  # better now than after the search
    openers = openers_asked(arguments)
    per = table.weight_sum * table.cost_scale
    with Reporter(plain=not arguments.json, questions=True, per=per) as reporter, reporter.warned("identify"):
        found = identify(
            table,
            objective=arguments.objective,
            limit=arguments.limit,
            first=openers,
            progress=reporter,
            **run_options(arguments),
        )
    key = found.key
    return finish(
        arguments, "identify", found, found.to_dict(), str(found), key, lambda step: _prove(arguments, table, key, step)
    )


def _alike(table: Table) -> str:
    """The sets of objects that no question always tells apart."""
    sets = [
        f"no question{' always' if apart else ''} tells apart {listed(names)}"
        for names, apart in table.unresolved_names(MOST_ALIKE)
    ]
    more = len(table.unresolved) - MOST_ALIKE
    return "; ".join([*sets, *([f"and {more} sets more"] if more > 0 else [])])


def _prove(arguments: Namespace, table: Table, key: Key | None, step: Step) -> Certified:
    """Write the certificate of the best key, or of that there is none."""
    if key is not None:
        return certify_key(key, arguments.certificate, step)
    openers = openers_asked(arguments)
    places = None if openers is None else tuple(sorted({table.question_index(name) for name in openers}))
    statement = KeyStatement(table, arguments.limit, None, places, arguments.objective, (), None)
    return certify_key(statement, arguments.certificate, step)
