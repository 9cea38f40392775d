"""Settings of Sphinx for the documentation's site: `sphinx-build docs site`, with the extra `docs`."""

from __future__ import annotations

from optimal import __version__

project = "optimal"
author = "The optimal authors"
project_copyright = author
release = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["example.ipynb"]
myst_heading_anchors = 3
autodoc_member_order = "bysource"
autodoc_typehints = "description"
html_theme = "furo"
html_title = f"optimal {release}"
html_static_path: list[str] = []
