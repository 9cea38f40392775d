"""`optimal page`: the page that plays, opened in a browser."""

from __future__ import annotations

import os
import webbrowser
from argparse import Namespace
from pathlib import Path

from optimal.cli.console import DONE, say
from optimal.cli.output import print_json
from optimal.cli.pages import page_of
from optimal.errors import InputError
from optimal.files import write_whole


def run(arguments: Namespace) -> int:
    path = _cached() if arguments.output is None else arguments.output
    trees, page = page_of(arguments)
    write_whole(path, [page.encode("utf-8")])
    opened = webbrowser.open(Path(path).resolve().as_uri())
    if arguments.json:
        print_json({"output": path, "bytes": os.path.getsize(path), "trees": trees, "opened": opened})
    else:
        say(f"{path}: {'opened in the browser' if opened else 'written; no browser was found to open it'}")
    return DONE


def _cached() -> str:
    """Where the page stays if no file is named."""
    try:
        folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "optimal"
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError) as error:  # no home, or one that can't be written
        raise InputError(f"there is no cache folder for the page ({error}): name a file by --output") from None
    return str(folder / "page.html")
