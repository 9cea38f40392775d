"""Whatever is passed to the Python interface, it works or raises an OptimalError."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import optimal
from optimal import Game, OptimalError, Player

pytest.importorskip("matplotlib", reason="needs matplotlib, the extra `plot`")

GAME = Game.from_words(["cat", "cot", "cut"], ["cat", "cot"])
TREE = optimal.solve(GAME).tree
assert TREE is not None
RIGHT: dict[str, Any] = {
    "game": GAME,
    "tree": TREE,
    "answer": "cat",
    "guesses": ["cot", "cat"],
    "guess": "cot",
    "answers": ["cat", "cot"],
    "position": "cot=gbg",
    "path": "tree.msgpack",
    "journal": "journal",
    "distributions": {"one": {1: 2}},
    "debrief": optimal.debrief(GAME, "cat", ["cot", "cat"]),
    "table": None,
    "figure": optimal.plot_distributions({"one": {1: 2}}),
    "weights": None,
    "name": "classic",
    "rules": "normal",
    "matrix": [[0, 1], [1, 0]],
    "winning_code": 0,
    "feedback": "bbb",
    "text": "bbb",
    "code": 3,
}


class Unnamed:
    """A path without a name."""

    def __fspath__(self) -> Any:
        return 5


JUNK = [None, -1, 2.5, True, b"x", "", "zzz", [1], {"a": 1}, {1: 2}, object(), "\0", "\ud800"]
JUNK += [10**5000, Fraction(10**5000, 3), np.array(1), Unnamed()]
#: They start processes, take long, or hand over what they are given.
LEFT_OUT = {("compare", "jobs"), ("compare", "strategies")}


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    for name in optimal.__all__:
        found = getattr(optimal, name)
        if inspect.isfunction(found):
            yield name, found
    assert TREE is not None
    methods: list[Callable[..., Any]] = [Game.preset, Game.from_words, Game.from_matrix]
    methods += [GAME.with_rules, GAME.parse, GAME.format, TREE.load, TREE.save, TREE.path, TREE.play, Player(TREE).feed]
    for method in methods:
        yield method.__qualname__, method


@pytest.mark.parametrize(
    ("name", "function"), list(functions()), ids=lambda value: value if isinstance(value, str) else ""
)
def test_junk(name: str, function: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    parameters = inspect.signature(function).parameters.values()
    for parameter in parameters:
        if (name, parameter.name) in LEFT_OUT:
            continue
        for junk in JUNK:
            given: dict[str, Any] = {}
            several: list[Any] = []
            for other in parameters:
                value = junk if other is parameter else RIGHT.get(other.name)
                if other.kind is other.VAR_POSITIONAL:
                    several = [value]
                elif other is parameter or other.default is other.empty:
                    given[other.name] = value
            with suppress(OptimalError):
                function(*several, **given)
