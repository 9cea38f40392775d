"""`optimal export`: trees and keys in other forms."""

from __future__ import annotations

import json
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable

from optimal.cli.commands import KEY_FORMS, PAGE, PRINTED_FORMS, TREE_FORMS
from optimal.cli.console import DONE
from optimal.cli.inputs import tree_scorer
from optimal.cli.output import print_json
from optimal.cli.pages import page_of
from optimal.errors import InputError
from optimal.files import write_whole
from optimal.show.words import quoted
from optimal.trees.codec import tree_path
from optimal.trees.export import csv_rows, export_json, export_svg, text_lines
from optimal.trees.file import load_tree
from optimal.trees.key import Key, is_key
from optimal.trees.key_export import FORMS
from optimal.trees.tree import StrategyTree

#: What names of files end in, where that is not the name of the form.
ENDINGS = {"htm": PAGE, "tex": "latex", "md": "markdown", "gv": "dot", "key": ""}
#: How the leads of a key may be printed.
PRINTING = ("couplets", "indented")


def run(arguments: Namespace) -> int:
    of_keys = any(is_key(tree_path(tree)) for tree in arguments.tree)
    form = _form(arguments, of_keys)
    _check(arguments, form, of_keys)
    if form == PAGE:
        arguments.tree, page = page_of(arguments)
        texts: Iterable[str] = [page]
    else:
        printing = {name: True for name in PRINTING if getattr(arguments, name)}
        texts = FORMS[form](Key.load(arguments.tree[0]), **printing) if of_keys else _texts(arguments, form)
    if arguments.output is None:
        sys.stdout.writelines(texts)
        return DONE
    write_whole(arguments.output, (text.encode("utf-8") for text in texts))
    if arguments.json:
        size = os.path.getsize(arguments.output)
        print_json({"form": form, "output": arguments.output, "bytes": size, "trees": arguments.tree})
    return DONE


def _form(arguments: Namespace, of_keys: bool) -> str:
    """The form that is asked for, or that the name of the file ends in."""
    what, forms = ("keys", KEY_FORMS) if of_keys else ("trees", TREE_FORMS)
    ending = os.path.splitext(arguments.output or "")[1][1:].lower()
    found = arguments.to or ("json" if arguments.json and not ending else None)
    if found is None:
        found = {**ENDINGS, "txt": "key" if of_keys else "text"}.get(ending, ending)
    if found not in forms:
        for tree in arguments.tree if not of_keys else []:
            load_tree(tree)  # complains of what is neither a tree nor a key
        none = f"{what} have no form {quoted(found)}; " if found else ""
        raise InputError(f"{none}name a form: --to {', '.join(forms)}")
    return str(found)


def _check(arguments: Namespace, form: str, of_keys: bool) -> None:
    """InputError for what doesn't go with the form."""
    if form != PAGE and len(arguments.tree) != 1:
        if not arguments.tree:
            raise InputError(f"--to {form} takes a tree: name one, such as classic-normal")
        what, several = ("key", "") if of_keys else ("tree", f"; --to {PAGE} takes several")
        raise InputError(f"--to {form} takes one {what}, not {len(arguments.tree)}{several}")
    if arguments.guesses is not None and form != PAGE:
        raise InputError(f"--guesses goes with --to {PAGE}: other forms need none")
    if arguments.matrix is not None and (of_keys or form != "csv"):
        raise InputError("--matrix goes with a tree and --to csv: other forms need none")
    for name in PRINTING:
        if getattr(arguments, name) and form not in (*PRINTED_FORMS, "indented"):
            raise InputError(f"--{name} goes with a key and --to {', '.join(PRINTED_FORMS)}")
    if arguments.output is None and arguments.json and form != "json":
        raise InputError(f"--json and --to {form} both go to standard output: name a file by --output")


def _texts(arguments: Namespace, form: str) -> Iterable[str]:
    tree = load_tree(arguments.tree[0])
    texts: dict[str, Callable[[], Iterable[str]]] = {
        "csv": lambda: csv_rows(tree, tree_scorer(tree, arguments.matrix)),
        "json": lambda: _json(tree),
        "svg": lambda: [export_svg(tree)],
        "text": lambda: text_lines(tree),
    }
    return texts[form]()


def _json(tree: StrategyTree) -> list[str]:
    try:
        return [json.dumps(export_json(tree), separators=(",", ":")), "\n"]
    except RecursionError:
        raise InputError(f"the tree is too deep for JSON: {tree.depth} guesses; --to text can do it") from None
