"""What `help` says of a function: an example that runs, and every parameter."""

from __future__ import annotations

import doctest
import inspect
import re
from pathlib import Path

import pytest

import optimal

FUNCTIONS = [name for name in optimal.__all__ if inspect.isfunction(getattr(optimal, name))]
CLASSES = ["Asker", "Game", "Key", "Player", "StrategyTree", "Table"]


def methods() -> list[str]:
    """What a user calls of the classes that are made by hand."""
    found = []
    for name in CLASSES:
        for key, member in vars(getattr(optimal, name)).items():
            function = getattr(member, "__func__", member)
            if inspect.isfunction(function) and not key.startswith("_"):
                found.append(f"{name}.{key}")
    return found


def named(name: str) -> object:
    found = optimal
    for part in name.split("."):
        found = getattr(found, part)
    return found


def parameters_told(text: str) -> list[str]:
    """The names before the colons of the section Parameters."""
    section = re.search(r"^Parameters\n-+\n(.*?)(?:\n\n|\Z)", text, re.MULTILINE | re.DOTALL)
    lines = re.findall(r"^(\S.*?) : ", section[1], re.MULTILINE) if section else []
    return [name.lstrip("*") for line in lines for name in line.split(", ")]


#: Methods that ask for more than one or two plain things.
MADE_BY = ["preset", "from_words", "from_feedback", "from_matrix", "with_rules"]
TABLES = ["Key.load", "Key.play", "Table.from_arrays", "Table.from_csv", "Table.from_frame", "Table.of"]
LISTED = [*FUNCTIONS, *(f"Game.{name}" for name in MADE_BY), "StrategyTree.load", "StrategyTree.path", *TABLES]


@pytest.mark.parametrize("name", LISTED)
def test_every_parameter_is_told(name: str) -> None:
    function = named(name)
    text = inspect.getdoc(function)
    assert text is not None
    wanted = [one for one in inspect.signature(function).parameters if one != "self"]  # type: ignore[arg-type]
    assert sorted(parameters_told(text)) == sorted(wanted)
    assert len(text.split("\n\n")[0].splitlines()) <= 2


@pytest.mark.slow
@pytest.mark.parametrize("name", [*FUNCTIONS, *CLASSES, *methods()])
def test_examples_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if "plot" in name or "figure" in name:
        pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    member = named(name)
    tests = doctest.DocTestFinder(recurse=False).find(member, name, globs={"optimal": optimal})
    examples = [example for test in tests for example in test.examples]
    assert examples or name not in (*LISTED, *CLASSES), f"{name} has no example"
    told: list[str] = []
    for test in tests:
        doctest.DocTestRunner(verbose=False).run(test, out=told.append)
    assert told == []
