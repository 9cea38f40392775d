"""The wrong edits of mutate_engine.py and mutate_checkers.py still say where they are to be made."""

from __future__ import annotations

from pathlib import Path

import mutate_checkers
import mutate_engine

ROOT = Path(__file__).resolve().parents[2]


def test_every_edit_of_the_engine_has_its_place() -> None:
    assert [mutant.name for mutant in mutate_engine.MUTANTS if not mutate_engine.applies(mutant)] == []


def test_edits_of_the_engine_have_names_of_their_own() -> None:
    names = [mutant.name for mutant in mutate_engine.MUTANTS]
    assert len(set(names)) == len(names) > 70


def test_every_edit_of_the_checkers_has_its_place() -> None:
    edits = mutate_checkers.TABLE
    assert len(edits) > 90
    assert [edit for edit in edits if (ROOT / edit.file).read_text(encoding="utf-8").count(edit.old) != 1] == []


def test_guards_are_found() -> None:
    assert len(list(mutate_checkers.guards())) > 40
