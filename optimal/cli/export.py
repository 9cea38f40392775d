"""Write strategy trees in a form for other programs, or for people to read and to play.

html: one page that plays the trees by look-up, shows them, and needs no network; with several trees it has a menu.
json: all that the tree's file says, and {"guess": "salet", "children": {"BYBBB": {"guess": ..., "children": {...}}}}.
csv: a row for each answer, with the guesses that find it. text: the tree as indented lines. svg: the tree as a picture,
with the reply on every branch; png and pdf have fewer guesses of a large tree. Pictures need matplotlib, the extra
`optimal-guess[plot]`.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable

from optimal.cli import DONE, remark
from optimal.cli.common import (
    add_output,
    add_page_trees,
    add_tree_matrix,
    check_writable,
    page_guesses,
    page_trees,
    print_json,
    tree_scorer,
)
from optimal.errors import InputError
from optimal.files import write_whole
from optimal.trees.export import csv_rows, export_json, text_lines
from optimal.trees.file import load_tree
from optimal.trees.page import export_html

CSV = "csv"
#: The forms that hold one tree; a page holds as many as one likes.
WRITERS = ("json", CSV, "text")
PAGE = "html"
PICTURES = ("svg", "png", "pdf")

EXAMPLES = (
    ("optimal export --to html --output play.html", "today's Wordle as a page, for a phone too"),
    ("optimal export tree.msgpack --output tree.json", "for another program; .csv, .txt and .html go too"),
    ("optimal export mastermind-normal --output tree.svg", "as a picture"),
)


def configure(parser: argparse.ArgumentParser) -> None:
    add_page_trees(parser)
    parser.add_argument(
        "--to",
        choices=(PAGE, *WRITERS, *PICTURES),
        help="the form to write (default: what the name of the file ends in)",
    )
    add_output(parser, "the file to write (default: standard output)")
    parser.add_argument(
        "--json", action="store_true", help="the same as --to json; with --output, tell as JSON what was written"
    )
    parser.add_argument("--csv", action="store_const", const=CSV, dest="to", help="the same as --to csv")
    add_tree_matrix(parser, f", for --to {CSV}")


def run(arguments: argparse.Namespace) -> int:
    form = _form(arguments)
    if not arguments.tree:
        if form != PAGE:
            raise InputError(f"--to {form} takes a tree: name one, such as classic-normal")
        arguments.tree = page_trees(arguments.tree)
    if arguments.guesses is not None and form != PAGE:
        raise InputError(f"--guesses goes with --to {PAGE}: other forms need none")
    if arguments.matrix is not None and form != CSV:
        raise InputError(f"--matrix goes with --to {CSV}: other forms need none")
    if arguments.output is not None:
        check_writable(arguments.output)
    elif form in PICTURES and sys.stdout.isatty():
        raise InputError("a picture is no text for a terminal: name a file by --output")
    elif arguments.json and form != "json":
        raise InputError(f"--json and --to {form} both go to standard output: name a file by --output")
    if form != PAGE and len(arguments.tree) > 1:
        raise InputError(f"--to {form} takes one tree, not {len(arguments.tree)}; --to {PAGE} takes several")
    if form in PICTURES:
        data: Iterable[bytes] = [_picture(arguments.tree[0], form)]
        if arguments.output is None:
            sys.stdout.buffer.writelines(data)
    else:
        texts = (
            [export_html(*arguments.tree, guesses=page_guesses(arguments.guesses))]
            if form == PAGE
            else _texts(arguments, form)
        )
        if arguments.output is None:
            sys.stdout.writelines(texts)
        data = (text.encode("utf-8") for text in texts)
    if arguments.output is None:
        return DONE
    write_whole(arguments.output, data)
    if arguments.json:
        size = os.path.getsize(arguments.output)
        print_json({"form": form, "output": arguments.output, "bytes": size, "trees": arguments.tree})
    return DONE


def _texts(arguments: argparse.Namespace, form: str) -> Iterable[str]:
    tree = load_tree(arguments.tree[0])
    if form == CSV:
        return csv_rows(tree, tree_scorer(tree, arguments.matrix))
    if form == "text":
        return text_lines(tree)
    try:
        return [json.dumps(export_json(tree), separators=(",", ":")), "\n"]
    except RecursionError:
        raise InputError(f"the tree is too deep for JSON: {tree.depth} guesses; --to text can do it") from None


def _form(arguments: argparse.Namespace) -> str:
    """The form that is asked for, or that the name of the file ends in."""
    if arguments.to is not None:
        return str(arguments.to)
    if arguments.output is None and arguments.json:
        return "json"
    ending = os.path.splitext(arguments.output or "")[1][1:].lower()
    form = {"txt": "text", "htm": PAGE}.get(ending, ending)
    if form not in (PAGE, *WRITERS, *PICTURES):
        raise InputError(f"name a form: --to {', '.join((PAGE, *WRITERS, *PICTURES))}")
    return form


def _picture(tree: str, form: str) -> bytes:
    from optimal.plots.drawing import plot_tree_as
    from optimal.plots.figures import picture

    figure, told = plot_tree_as(tree, form)
    if told:
        remark(told)
    return picture(figure, form)
