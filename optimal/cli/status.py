"""How far a journalled run is: what is settled, the best tree's cost, the proven bound, the gap, the time left.

It reads the journal of `optimal solve --journal FILE`, or of rank or identify, also while the run goes on.
With --export the bounds of all openers go to a ledger, a small file from which anyone can go on: `--journal FILE
--import LEDGER`. With --forget-imports the journal loses what it has from ledgers.
"""

from __future__ import annotations

import argparse

from optimal.cli import DONE, say
from optimal.cli.apart import BESIDE_JOURNALS, writes
from optimal.cli.common import add_json, check_writable, print_json
from optimal.journal.ledger import export_ledger, forget_imports
from optimal.journal.status import copy_journal, status
from optimal.show.words import counted

EXAMPLES = (
    ("optimal status own.journal", "how far `optimal solve --journal own.journal` is"),
    ("optimal status own.journal --export own.xz", "what is proven of every first guess, as a small file"),
)


def configure(parser: argparse.ArgumentParser) -> None:
    writes(parser.add_argument("journal", metavar="JOURNAL", help="the journal of a run"), BESIDE_JOURNALS)
    about = "write what is proven of every opener to this file"
    writes(parser.add_argument("--export", metavar="LEDGER", help=about))
    parser.add_argument(
        "--forget-imports", action="store_true", help="take all bounds back that --import has brought into the journal"
    )
    about = "copy the journal as it is now, also while its run goes on"
    writes(parser.add_argument("--copy", metavar="FILE", help=about))
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    for path in (arguments.export, arguments.copy):
        if path is not None:
            check_writable(path)
    forgotten = forget_imports(arguments.journal) if arguments.forget_imports else None
    standing = status(arguments.journal)
    written = None if arguments.export is None else export_ledger(arguments.journal, arguments.export)
    if arguments.copy is not None:
        copy_journal(arguments.journal, arguments.copy)
    if arguments.json:
        done = {"exported": written, "forgotten": forgotten, "copied": arguments.copy}
        print_json({**standing.to_dict(), **done})
    else:
        print(standing)
        if forgotten is not None:
            print(f"bounds of {counted(forgotten, 'opener')} from ledgers forgotten")
        if written is not None:
            say(f"ledger of {counted(written, 'opener')} written to {arguments.export}")
        if arguments.copy is not None:
            say(f"journal copied to {arguments.copy}")
    return DONE
