"""The notebooks in docs/ show what their cells bring."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from notebook_util import NOTEBOOKS, executed


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_up_to_date(path: Path) -> None:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert sum(cell["cell_type"] == "code" for cell in notebook["cells"]) >= 6
    for shown, run in zip(notebook["cells"], executed(notebook)["cells"], strict=True):
        assert run == shown
