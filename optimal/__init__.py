"""Provably optimal strategy trees for Wordle and its kin: solve, play by look-up, verify.

Names are imported on first use, so that playing by look-up loads neither numpy nor the extension.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optimal._version import __version__

if TYPE_CHECKING:
    from optimal.errors import OptimalError as OptimalError
    from optimal.games.game import Game as Game
    from optimal.games.rules import Rules as Rules
    from optimal.positions.analysis import analyse as analyse
    from optimal.positions.analysis import solve_position as solve_position
    from optimal.positions.debrief import debrief as debrief
    from optimal.search.ranking import rank as rank
    from optimal.search.result import Result as Result
    from optimal.search.result import Status as Status
    from optimal.search.solve import solve as solve
    from optimal.trees.file import read_tree as read_tree
    from optimal.trees.file import write_tree as write_tree
    from optimal.trees.player import Player as Player
    from optimal.trees.tree import StrategyTree as StrategyTree
    from optimal.trees.verify import verify_tree as verify_tree

_HOME = {
    "Game": "games.game",
    "OptimalError": "errors",
    "Player": "trees.player",
    "Result": "search.result",
    "Rules": "games.rules",
    "Status": "search.result",
    "StrategyTree": "trees.tree",
    "analyse": "positions.analysis",
    "debrief": "positions.debrief",
    "rank": "search.ranking",
    "read_tree": "trees.file",
    "solve": "search.solve",
    "solve_position": "positions.analysis",
    "verify_tree": "trees.verify",
    "write_tree": "trees.file",
}

__all__ = ["__version__", *sorted(_HOME)]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"optimal.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
