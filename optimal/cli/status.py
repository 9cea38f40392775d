"""How far a journalled run is: what is settled, the best tree's cost, the proven bound, the gap, the time left.

It reads the journal of `optimal solve --journal FILE` or `optimal rank --journal FILE`, also while the run goes on.
With --export the bounds of all openers go to a ledger, a small file from which anyone can go on: `--journal FILE
--import LEDGER`.
"""

from __future__ import annotations

import argparse

from optimal.cli import DONE
from optimal.cli.common import add_json, check_apart, check_writable, print_json
from optimal.journal.ledger import export_ledger
from optimal.journal.status import status
from optimal.show.words import counted


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("journal", metavar="JOURNAL", help="the journal of a run")
    parser.add_argument("--export", metavar="LEDGER", help="write what is proven of every opener to this file")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    check_apart(journal=arguments.journal, export=arguments.export)
    if arguments.export is not None:
        check_writable(arguments.export)
    standing = status(arguments.journal)
    written = None if arguments.export is None else export_ledger(arguments.journal, arguments.export)
    if arguments.json:
        print_json({**standing.to_dict(), "exported": written})
    else:
        print(standing)
        if written is not None:
            print(f"ledger of {counted(written, 'opener')} written to {arguments.export}")
    return DONE
