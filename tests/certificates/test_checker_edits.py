"""The wrong edits of mutate_checkers.py still say where they are to be made."""

from __future__ import annotations

from pathlib import Path

import mutate_checkers

ROOT = Path(__file__).resolve().parents[2]


def test_every_edit_has_its_place() -> None:
    edits = mutate_checkers.TABLE
    assert len(edits) > 90
    assert [edit for edit in edits if (ROOT / edit.file).read_text(encoding="utf-8").count(edit.old) != 1] == []
