"""Parts of web pages: the files of web/, and the template that they fill."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from optimal._version import __version__

_FOLDER = Path(__file__).resolve().parent / "web"


def read_bytes(name: str) -> bytes:
    return (_FOLDER / name).read_bytes()


def read(name: str) -> str:
    return read_bytes(name).decode("utf-8").rstrip("\n")


def read_script(name: str) -> str:
    """A JavaScript file, named without its ending, without the lines that are comments: they are for its authors."""
    return re.sub(r"^ *//.*\n", "", read(f"{name}.js"), flags=re.MULTILINE)


def script(names: Iterable[str]) -> str:
    """Join JavaScript files into one function that runs at once."""
    return "\n".join(['(() => {\n"use strict";', *map(read_script, names), "})();"])


def fill(template: str, parts: dict[str, str]) -> str:
    """Put parts into the places of a template that are named for them, all in one pass: no part is read as a place."""
    parts = {"version": __version__, **parts}
    return re.sub(r"{{(\w+)}}", lambda place: parts[place[1]], read(template))
