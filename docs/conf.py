"""Settings of Sphinx for the documentation's site: `sphinx-build docs site`, with the extra `docs`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from optimal import __version__, export_html
from optimal.cli.options import PAGES

project = "optimal"
author = "The optimal authors"
project_copyright = author
release = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["*.ipynb"]
myst_heading_anchors = 3
autodoc_member_order = "bysource"
autodoc_typehints = "description"
html_theme = "furo"
html_title = f"optimal {release}"
html_static_path: list[str] = []


def setup(app: Any) -> None:
    """The page that plays stands beside the site, as play.html."""
    app.connect("build-finished", write_page)


def write_page(app: Any, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        Path(app.outdir, "play.html").write_text(export_html(*PAGES), encoding="utf-8")
