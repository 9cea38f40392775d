"""The page that plays trees or asks along a key, for `export` and `page`."""

from __future__ import annotations

from argparse import Namespace

from optimal.cli.inputs import read_list
from optimal.cli.options import PAGES
from optimal.errors import InputError
from optimal.page.keys import key_page
from optimal.page.trees import export_html
from optimal.trees.codec import tree_path
from optimal.trees.key import Key, is_key


def page_of(arguments: Namespace) -> tuple[list[str], str]:
    """The trees that are named, or those of a page for which none are; and the page."""
    trees = arguments.tree or [tree_path(game) for game in PAGES]
    if key := next(filter(is_key, trees), None):
        if len(trees) > 1 or arguments.guesses is not None:
            raise InputError(f"{key} is a key, whose page has it alone: leave out what stands beside it")
        return trees, key_page(Key.load(key))
    guesses = None if arguments.guesses is None else read_list(arguments, arguments.guesses)
    return trees, export_html(*trees, guesses=guesses)
