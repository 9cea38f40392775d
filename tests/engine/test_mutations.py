"""The wrong edits of mutate_engine.py have names of their own, and still say where they are to be made."""

from __future__ import annotations

from mutate_engine import MUTANTS, applies


def test_every_edit_has_its_name_and_its_place() -> None:
    assert [mutant.name for mutant in MUTANTS if not applies(mutant)] == []
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS) > 70
