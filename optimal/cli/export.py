"""Write strategy trees in a form for other programs, or for people to read and to play.

html: one page that plays the trees by look-up, shows them, and needs no network; with several trees it has a menu.
json: all that the tree's file says, and {"guess": "salet", "children": {"BYBBB": {"guess": ..., "children": {...}}}}.
csv: a row for each answer, with the guesses that find it. text: the tree as indented lines. svg, png, pdf: the tree
drawn for print, by matplotlib, the extra `optimal-guess[plot]`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping

from optimal.cli import DONE
from optimal.cli.common import add_tree, check_writable
from optimal.errors import InputError
from optimal.files import write_whole
from optimal.trees.export import csv_rows, export_json, text_lines
from optimal.trees.file import load_tree
from optimal.trees.page import export_html
from optimal.trees.tree import StrategyTree


def _json(tree: StrategyTree) -> Iterator[str]:
    try:
        text = json.dumps(export_json(tree), separators=(",", ":"))
    except RecursionError:
        raise InputError(f"the tree is too deep for JSON: {tree.depth} guesses; --to text can do it") from None
    yield f"{text}\n"


#: The forms that hold one tree; a page holds as many as one likes.
WRITERS: Mapping[str, Callable[[StrategyTree], Iterable[str]]] = {"json": _json, "csv": csv_rows, "text": text_lines}
PAGE = "html"
PICTURES = ("svg", "png", "pdf")


def configure(parser: argparse.ArgumentParser) -> None:
    add_tree(parser, "+")
    parser.add_argument("--to", required=True, choices=(PAGE, *WRITERS, *PICTURES), help="the form to write")
    parser.add_argument("--output", metavar="FILE", help="the file to write (default: standard output)")


def run(arguments: argparse.Namespace) -> int:
    if arguments.output is not None:
        check_writable(arguments.output)
    if arguments.to != PAGE and len(arguments.tree) > 1:
        raise InputError(f"--to {arguments.to} takes one tree, not {len(arguments.tree)}; --to {PAGE} takes several")
    if arguments.to in PICTURES:
        if arguments.output is None and sys.stdout.isatty():
            raise InputError("a picture is no text for a terminal: name a file by --output")
        from optimal.plots.drawing import plot_tree
        from optimal.plots.figures import picture

        data = picture(plot_tree(load_tree(arguments.tree[0])), arguments.to)
        if arguments.output is None:
            sys.stdout.buffer.write(data)
        else:
            write_whole(arguments.output, [data])
        return DONE
    trees = arguments.tree
    texts = [export_html(*trees)] if arguments.to == PAGE else WRITERS[arguments.to](load_tree(trees[0]))
    if arguments.output is None:
        sys.stdout.writelines(texts)
    else:
        write_whole(arguments.output, (text.encode("utf-8") for text in texts))
    return DONE
