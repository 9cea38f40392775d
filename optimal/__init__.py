"""Provably optimal strategy trees for Wordle and its kin: solve, play by look-up, verify.

Names are imported on first use, so that playing by look-up loads neither numpy nor the extension.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optimal._version import __version__

if TYPE_CHECKING:
    from optimal.debriefing import debrief as debrief
    from optimal.errors import OptimalError as OptimalError
    from optimal.game import Game as Game
    from optimal.player import Player as Player
    from optimal.positions import analyse as analyse
    from optimal.positions import solve_position as solve_position
    from optimal.ranking import rank as rank
    from optimal.result import Result as Result
    from optimal.result import Status as Status
    from optimal.rules import Rules as Rules
    from optimal.solver import solve as solve
    from optimal.tree import StrategyTree as StrategyTree
    from optimal.treefile import read_tree as read_tree
    from optimal.treefile import write_tree as write_tree
    from optimal.verify import verify_tree as verify_tree

_HOME = {
    "Game": "game",
    "OptimalError": "errors",
    "Player": "player",
    "Result": "result",
    "Rules": "rules",
    "Status": "result",
    "StrategyTree": "tree",
    "analyse": "positions",
    "debrief": "debriefing",
    "rank": "ranking",
    "read_tree": "treefile",
    "solve": "solver",
    "solve_position": "positions",
    "verify_tree": "verify",
    "write_tree": "treefile",
}

__all__ = ["__version__", *sorted(_HOME)]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"optimal.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
