"""Settings of Sphinx for the documentation's site: `sphinx-build docs site`, with the extra `docs`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from optimal import __version__, export_html
from optimal.cli import COMMANDS
from optimal.cli.options import PAGES

project = "optimal"
author = "The optimal authors"
project_copyright = author
release = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["**/*.ipynb"]
myst_heading_anchors = 3
autodoc_member_order = "bysource"
autodoc_typehints = "description"
html_theme = "furo"
html_title = f"optimal {release}"
html_static_path: list[str] = []


def setup(app: Any) -> None:
    """The help of every command ends the page of the commands; the page that plays stands beside the site."""
    app.connect("source-read", add_help)
    app.connect("build-finished", write_page)


def add_help(app: Any, name: str, source: list[str]) -> None:
    if name == "reference/commands":
        source[0] += "".join(f"\n### optimal {command}\n\n```text\n{help_of(command)}```\n" for command in COMMANDS)


def help_of(command: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "optimal", command, "--help"],
        env={**os.environ, "COLUMNS": "80"},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def write_page(app: Any, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        Path(app.outdir, "play.html").write_text(export_html(*PAGES), encoding="utf-8")
