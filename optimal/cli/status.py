"""`optimal status`: how far a journalled run is."""

from __future__ import annotations

from argparse import Namespace

from optimal.cli.console import DONE
from optimal.cli.output import print_result
from optimal.journal.ledger import export_ledger, forget_imports
from optimal.journal.status import copy_journal, status
from optimal.show.words import counted, harmless


def run(arguments: Namespace) -> int:
    forgotten = forget_imports(arguments.journal) if arguments.forget_imports else None
    found = status(arguments.journal)
    exported = None if arguments.export is None else export_ledger(arguments.journal, arguments.export)
    if arguments.copy is not None:
        copy_journal(arguments.journal, arguments.copy)
    done = {"exported": exported, "forgotten": forgotten, "copied": arguments.copy}
    lines = [str(found)]
    if forgotten is not None:
        lines.append(f"bounds of {counted(forgotten, 'opener')} from ledgers forgotten")
    if exported is not None:
        lines.append(f"ledger of {counted(exported, 'opener')} written to {harmless(arguments.export)}")
    if arguments.copy is not None:
        lines.append(f"journal copied to {harmless(arguments.copy)}")
    print_result(arguments, {**found.to_dict(), **done}, "\n".join(lines))
    return DONE
