"""Write a strategy tree in a form for other programs, or for people to read.

JSON: {"guess": "salet", "children": {"BYBBB": {"guess": ..., "children": {...}}}}; the win has no child.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator

from optimal.cli import DONE
from optimal.cli.common import add_tree, check_writable
from optimal.errors import InputError
from optimal.files import write_whole
from optimal.trees.export import export_json, text_lines
from optimal.trees.file import load_tree
from optimal.trees.tree import StrategyTree


def _json(tree: StrategyTree) -> Iterator[str]:
    try:
        text = json.dumps(export_json(tree))
    except RecursionError:
        raise InputError(f"the tree is too deep for JSON: {tree.depth} guesses; --to text can do it") from None
    yield f"{text}\n"


WRITERS = {"json": _json, "text": text_lines}


def configure(parser: argparse.ArgumentParser) -> None:
    add_tree(parser)
    parser.add_argument("--to", required=True, choices=WRITERS, help="the form to write")
    parser.add_argument("--output", metavar="FILE", help="the file to write (default: standard output)")


def run(arguments: argparse.Namespace) -> int:
    if arguments.output is not None:
        check_writable(arguments.output)
    lines = WRITERS[arguments.to](load_tree(arguments.tree))
    if arguments.output is None:
        sys.stdout.writelines(lines)
    else:
        write_whole(arguments.output, (line.encode("utf-8") for line in lines))
    return DONE
