"""Write strategy trees in a form for other programs, or for people to read and to play.

html: one page that plays the trees by look-up, shows them, and needs no network; with several trees it has a menu.
json: all that the tree's file says, and {"guess": "salet", "children": {"BYBBB": {"guess": ..., "children": {...}}}}.
csv: a row for each answer, with the guesses that find it. text: the tree as indented lines. svg: the tree as a picture,
with the reply on every branch; png and pdf have fewer guesses of a large tree. Pictures need matplotlib, the extra
`plot`.

A key, which `optimal identify` writes, has these forms: html, a page that asks; key, numbered leads as in floras;
indented; svg; dot, for Graphviz; latex; json; csv, a row for each object at each end.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Sequence

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
from optimal.page.trees import export_html
from optimal.tables.key import is_key
from optimal.trees.codec import tree_path
from optimal.trees.export import csv_rows, export_json, text_lines
from optimal.trees.file import load_tree

CSV = "csv"
#: The forms that hold one tree; a page holds as many as one likes.
WRITERS = ("json", CSV, "text")
PAGE = "html"
PICTURES = ("svg", "png", "pdf")
TREE_FORMS = (PAGE, *WRITERS, *PICTURES)
KEY_FORMS = (PAGE, "key", "indented", "svg", "dot", "latex", "json", CSV)

EXAMPLES = (
    ("optimal export --to html --output play.html", "today's Wordle as a page, for a phone too"),
    ("optimal export tree.msgpack --output tree.json", "for another program; .csv, .txt and .html go too"),
    ("optimal export mastermind-normal --output tree.svg", "as a picture"),
    ("optimal export own.key --to key", "a key of `optimal identify`, as numbered leads"),
)


def configure(parser: argparse.ArgumentParser) -> None:
    add_page_trees(parser)
    parser.add_argument(
        "--to",
        choices=tuple(dict.fromkeys((*TREE_FORMS, *KEY_FORMS))),
        help="the form to write (default: what the name of the file ends in)",
    )
    add_output(parser, "the file to write (default: standard output)")
    parser.add_argument(
        "--json", action="store_true", help="the same as --to json; with --output, tell as JSON what was written"
    )
    parser.add_argument("--csv", action="store_const", const=CSV, dest="to", help="the same as --to csv")
    add_tree_matrix(parser, f", for --to {CSV}")


def run(arguments: argparse.Namespace) -> int:
    keys = [tree for tree in arguments.tree if is_key(tree_path(tree))]
    form = _form(arguments, KEY_FORMS if keys else TREE_FORMS, "keys" if keys else "trees")
    if not arguments.tree:
        if form != PAGE:
            raise InputError(f"--to {form} takes a tree: name one, such as classic-normal")
        arguments.tree = page_trees(arguments.tree)
    if arguments.guesses is not None and (keys or form != PAGE):
        raise InputError(f"--guesses goes with --to {PAGE}: other forms need none")
    if arguments.matrix is not None and (keys or form != CSV):
        raise InputError(f"--matrix goes with a tree and --to {CSV}: other forms need none")
    drawn = form in PICTURES and not keys
    if arguments.output is not None:
        check_writable(arguments.output)
    elif drawn and sys.stdout.isatty():
        raise InputError("a picture is no text for a terminal: name a file by --output")
    elif arguments.json and form != "json":
        raise InputError(f"--json and --to {form} both go to standard output: name a file by --output")
    if (form != PAGE or keys) and len(arguments.tree) > 1:
        several = "" if keys else f"; --to {PAGE} takes several"
        raise InputError(f"--to {form} takes one {'key' if keys else 'tree'}, not {len(arguments.tree)}{several}")
    if drawn:
        data: Iterable[bytes] = [_picture(arguments.tree[0], form)]
        if arguments.output is None:
            sys.stdout.buffer.writelines(data)
    else:
        texts = _of_key(keys[0], form) if keys else _of_trees(arguments, form)
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


def _of_key(path: str, form: str) -> Iterable[str]:
    from optimal.page.keys import key_page
    from optimal.tables.export import FORMS
    from optimal.tables.key import Key

    key = Key.load(path)
    return [key_page(key)] if form == PAGE else FORMS[form](key)


def _of_trees(arguments: argparse.Namespace, form: str) -> Iterable[str]:
    if form == PAGE:
        return [export_html(*arguments.tree, guesses=page_guesses(arguments.guesses))]
    tree = load_tree(arguments.tree[0])
    if form == CSV:
        return csv_rows(tree, tree_scorer(tree, arguments.matrix))
    if form == "text":
        return text_lines(tree)
    try:
        return [json.dumps(export_json(tree), separators=(",", ":")), "\n"]
    except RecursionError:
        raise InputError(f"the tree is too deep for JSON: {tree.depth} guesses; --to text can do it") from None


def _form(arguments: argparse.Namespace, forms: Sequence[str], what: str) -> str:
    """The form that is asked for, or that the name of the file ends in."""
    if arguments.to is not None:
        if arguments.to not in forms:
            _check_trees(arguments)
            raise InputError(f"{what} have no form {arguments.to}: there are {', '.join(forms)}")
        return str(arguments.to)
    if arguments.output is None and arguments.json:
        return "json"
    ending = os.path.splitext(arguments.output or "")[1][1:].lower()
    endings = {"htm": PAGE, "tex": "latex", "gv": "dot", "key": "", "txt": "key" if what == "keys" else "text"}
    form = endings.get(ending, ending)
    if form not in forms:
        _check_trees(arguments)
        none = f"{what} have no form {form}; " if form else ""
        raise InputError(f"{none}name a form: --to {', '.join(forms)}")
    return form


def _check_trees(arguments: argparse.Namespace) -> None:
    """InputError for what is neither a tree nor a key: it has no form at all."""
    for tree in arguments.tree:
        if not is_key(tree):
            load_tree(tree)


def _picture(tree: str, form: str) -> bytes:
    from optimal.plots.drawing import plot_tree_as
    from optimal.plots.figures import picture

    figure, told = plot_tree_as(tree, form)
    if told:
        remark(told)
    return picture(figure, form)
