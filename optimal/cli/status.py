"""How far a journalled run is: what is settled, the best tree's cost, the proven bound, the gap, the time left.

It reads the journal of `optimal solve --journal FILE` or `optimal rank --journal FILE`, also while the run goes on.
"""

from __future__ import annotations

import argparse

from optimal.cli import DONE
from optimal.cli.common import add_json, print_json
from optimal.journal.status import status


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("journal", metavar="JOURNAL", help="the journal of a run")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    standing = status(arguments.journal)
    if arguments.json:
        print_json(standing.to_dict())
    else:
        print(standing)
    return DONE
