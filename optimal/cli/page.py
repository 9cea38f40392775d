"""Open the page that plays in your browser: the next guess, exact advice for any game, debriefs, all without a network.

It is the page of `optimal export --to html`, and stays where it is written, so that the browser finds it again. Of a
key, which `optimal identify` writes, it is the page that asks.
"""

from __future__ import annotations

import argparse
import os
import webbrowser
from pathlib import Path

from optimal.cli import DONE, say
from optimal.cli.common import (
    add_json,
    add_output,
    add_page_trees,
    check_writable,
    page_guesses,
    page_trees,
    print_json,
)
from optimal.errors import InputError
from optimal.files import write_whole
from optimal.page.keys import key_page
from optimal.page.trees import export_html
from optimal.tables.key import Key, is_key

EXAMPLES = (
    ("optimal page", "today's Wordle and the list of 2021, in the browser"),
    ("optimal page own.key", "a key of `optimal identify`"),
    (
        "optimal page nyt2023-hard mastermind-normal --output play.html",
        "other games, in a file that you can send to a friend",
    ),
)


def configure(parser: argparse.ArgumentParser) -> None:
    add_page_trees(parser)
    add_output(parser, "the file to write (default: optimal/page.html in your cache folder)")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    path = _cached() if arguments.output is None else arguments.output
    check_writable(path)
    trees = page_trees(arguments.tree)
    if is_key(trees[0]):
        if len(trees) > 1 or arguments.guesses is not None:
            raise InputError(f"{trees[0]} is a key, whose page has it alone: leave out what stands beside it")
        page = key_page(Key.load(trees[0]))
    else:
        page = export_html(*trees, guesses=page_guesses(arguments.guesses))
    write_whole(path, [page.encode("utf-8")])
    opened = webbrowser.open(Path(path).resolve().as_uri())
    if arguments.json:
        print_json({"output": path, "bytes": os.path.getsize(path), "trees": trees, "opened": opened})
    else:
        say(f"{path}: {'opened in the browser' if opened else 'written; no browser was found to open it'}")
    return DONE


def _cached() -> str:
    """Where the page stays if nobody says where."""
    try:
        folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "optimal"
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError) as error:  # no home, or one that can't be written
        raise InputError(f"there is no cache folder for the page ({error}): name a file by --output") from None
    return str(folder / "page.html")
