"""The example notebook in docs/ shows what its cells bring."""

from __future__ import annotations

import json

import pytest
from notebook_util import NOTEBOOK, executed


@pytest.mark.slow
def test_the_example_is_up_to_date() -> None:
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    assert sum(cell["cell_type"] == "code" for cell in notebook["cells"]) >= 6
    for shown, run in zip(notebook["cells"], executed(notebook)["cells"], strict=True):
        assert run == shown
