"""Write a strategy tree in a form for other programs, or for people to read.

JSON: {"guess": "salet", "children": {"BYBBB": {"guess": ..., "children": {...}}}}; the win has no child.
"""

from __future__ import annotations

import argparse
import json
import sys

from optimal.cli import DONE
from optimal.cli.common import add_tree, check_writable, read_tree_named
from optimal.errors import InputError
from optimal.trees.export import export_json, export_text
from optimal.trees.tree import StrategyTree


def _json(tree: StrategyTree) -> str:
    try:
        return json.dumps(export_json(tree)) + "\n"
    except RecursionError:
        raise InputError(f"the tree is too deep for JSON: {tree.depth} guesses; --to text can do it") from None


WRITERS = {"json": _json, "text": export_text}


def configure(parser: argparse.ArgumentParser) -> None:
    add_tree(parser)
    parser.add_argument("--to", required=True, choices=WRITERS, help="the form to write")
    parser.add_argument("--output", metavar="FILE", help="the file to write (default: standard output)")


def run(arguments: argparse.Namespace) -> int:
    if arguments.output is not None:
        check_writable(arguments.output)
    text = WRITERS[arguments.to](read_tree_named(arguments.tree))
    if arguments.output is None:
        sys.stdout.write(text)
    else:
        with open(arguments.output, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
    return DONE
