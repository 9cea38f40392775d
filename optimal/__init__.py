"""Provably optimal strategy trees for Wordle and its kin: solve, play by look-up, verify.

>>> from optimal import Game, Player, solve, verify_tree
>>> game = Game.from_words(
...     guesses=["fight", "filmy", "light", "might", "night"],
...     answers=["fight", "light", "might", "night"],
... )
>>> tree = solve(game).tree
>>> print(tree)
filmy: words, normal rules, 4 answers, total 8, mean 2.0000, worst case 2, OPTIMAL
>>> verify_tree(tree).ok
True
>>> Player(tree).guess
'filmy'

Make a game with `Game.preset("classic")`, `Game.from_words` or `Game.from_matrix`. Then `solve` finds its best tree,
`rank` the best first guesses, `analyse` the best guesses at a position, `debrief` tells skill and luck of a finished
game, and `compare` plays baseline strategies. Each returns an object that prints as the command of the same purpose
does, and shows as a table in a notebook. Whatever is wrong with what was passed is an `OptimalError` of one line.
"""

from __future__ import annotations

from optimal._version import __version__

TYPE_CHECKING = False  # as type checkers know it; `typing` itself takes half as long to import as Python to start

# isort: skip_file
if TYPE_CHECKING:
    from typing import Any

    from optimal.advice.analysis import Advice as Advice, Analysis as Analysis, analyse as analyse
    from optimal.advice.debrief import debrief as debrief
    from optimal.advice.position import any_answer as any_answer, parse_position as parse_position
    from optimal.advice.review import Debrief as Debrief, Turn as Turn
    from optimal.advice.subgame import solve_position as solve_position
    from optimal.baselines.arena import CandidatesLeft as CandidatesLeft, Played as Played
    from optimal.baselines.comparison import Comparison as Comparison, compare as compare
    from optimal.baselines.regions import RegionTable as RegionTable
    from optimal.baselines.view import Scoring as Scoring
    from optimal.errors import (
        IllegalGuess as IllegalGuess,
        ImpossibleFeedback as ImpossibleFeedback,
        InputError as InputError,
        OptimalError as OptimalError,
        TreeFileError as TreeFileError,
    )
    from optimal.games.feedback import Feedback as Feedback
    from optimal.games.game import Game as Game, Unset as Unset
    from optimal.games.info import GameInfo as GameInfo
    from optimal.games.rules import Rules as Rules
    from optimal.games.weights import Weights as Weights, weights_of as weights_of
    from optimal.journal.ledger import export_ledger as export_ledger, forget_imports as forget_imports
    from optimal.journal.status import (
        SlowOpener as SlowOpener,
        JournalStatus as JournalStatus,
        copy_journal as copy_journal,
        status as status,
    )
    from optimal.page.trees import export_html as export_html
    from optimal.plots.charts import (
        plot_classes as plot_classes,
        plot_debrief as plot_debrief,
        plot_distributions as plot_distributions,
        plot_gap as plot_gap,
        plot_regions as plot_regions,
    )
    from optimal.plots.figures import save_figure as save_figure
    from optimal.search.importing import import_ledger as import_ledger
    from optimal.search.progress import Progress as Progress
    from optimal.search.ranking import Opener as Opener, Ranking as Ranking, rank as rank
    from optimal.search.result import Result as Result, Status as Status
    from optimal.search.solve import solve as solve
    from optimal.show.table import Grid as Grid, Sheet as Sheet
    from optimal.search.identify import Identification as Identification, identify as identify
    from optimal.trees.key import Key as Key
    from optimal.tables.table import Table as Table
    from optimal.trees.verify_key import KeyCheck as KeyCheck, verify_key as verify_key
    from optimal.trees.export import export_csv as export_csv, export_json as export_json
    from optimal.trees.export import export_svg as export_svg, export_text as export_text
    from optimal.trees.file import read_tree as read_tree, write_tree as write_tree
    from optimal.trees.keycodec import Packed as Packed
    from optimal.trees.nodes import Node as Node, Step as Step
    from optimal.trees.player import Player as Player
    from optimal.trees.tree import StrategyTree as StrategyTree
    from optimal.trees.verify import Verification as Verification, verify_tree as verify_tree

#: Where each name lives. They are imported on first use, so that playing by look-up loads neither numpy nor the engine.
_HOME = {
    name: module
    for module, names in {
        "advice.analysis": "Advice Analysis analyse",
        "advice.debrief": "debrief",
        "advice.position": "any_answer parse_position",
        "advice.review": "Debrief Turn",
        "advice.subgame": "solve_position",
        "baselines.arena": "CandidatesLeft Played",
        "baselines.comparison": "Comparison compare",
        "baselines.regions": "RegionTable",
        "baselines.view": "Scoring",
        "errors": "IllegalGuess ImpossibleFeedback InputError OptimalError TreeFileError",
        "games.feedback": "Feedback",
        "games.game": "Game Unset",
        "games.info": "GameInfo",
        "games.rules": "Rules",
        "games.weights": "Weights weights_of",
        "journal.ledger": "export_ledger forget_imports",
        "journal.status": "JournalStatus SlowOpener copy_journal status",
        "page.trees": "export_html",
        "plots.charts": "plot_classes plot_debrief plot_distributions plot_gap plot_regions",
        "plots.figures": "save_figure",
        "search.importing": "import_ledger",
        "search.progress": "Progress",
        "search.ranking": "Opener Ranking rank",
        "search.result": "Result Status",
        "search.solve": "solve",
        "show.table": "Grid Sheet",
        "search.identify": "Identification identify",
        "trees.key": "Key",
        "tables.table": "Table",
        "trees.verify_key": "KeyCheck verify_key",
        "trees.export": "export_csv export_json export_svg export_text",
        "trees.file": "read_tree write_tree",
        "trees.player": "Player",
        "trees.keycodec": "Packed",
        "trees.nodes": "Node Step",
        "trees.tree": "StrategyTree",
        "trees.verify": "Verification verify_tree",
    }.items()
    for name in names.split()
}

#: Old names, which work for one more version, and what they are called now.
_OLD = {"Standing": "JournalStatus"}

#: The compiled modules.
_BUILT = ("_engine", "_matrix")

__all__ = ["__version__", *sorted(_HOME)]


def __getattr__(name: str) -> Any:
    if name in _OLD:
        import warnings

        warnings.warn(f"optimal.{name} is called optimal.{_OLD[name]} now", DeprecationWarning, stacklevel=2)
        return __getattr__(_OLD[name])
    if name not in _HOME and name not in _BUILT:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    try:
        if name in _BUILT:
            return import_module(f"optimal.{name}")
        return getattr(import_module(f"optimal.{_HOME[name]}"), name)
    except ModuleNotFoundError as error:
        if error.name not in [f"optimal.{built}" for built in _BUILT]:
            raise
        raise ImportError(
            f"{__path__[0]} is the source, and its engine is not built there: start Python in another folder to use "
            "the installed package, or build it here by `pip install -e .`"
        ) from None


def __dir__() -> list[str]:
    return sorted(__all__)
