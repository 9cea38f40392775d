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

if TYPE_CHECKING:
    from typing import Any

    from optimal.advice.analysis import analyse as analyse
    from optimal.advice.debrief import debrief as debrief
    from optimal.advice.guesses import Advice as Advice
    from optimal.advice.guesses import Analysis as Analysis
    from optimal.advice.position import any_answer as any_answer
    from optimal.advice.position import parse_position as parse_position
    from optimal.advice.review import Debrief as Debrief
    from optimal.advice.review import Turn as Turn
    from optimal.advice.subgame import solve_position as solve_position
    from optimal.baselines.arena import CandidatesLeft as CandidatesLeft
    from optimal.baselines.arena import Played as Played
    from optimal.baselines.comparison import Comparison as Comparison
    from optimal.baselines.comparison import compare as compare
    from optimal.baselines.regions import RegionTable as RegionTable
    from optimal.baselines.table import Scoring as Scoring
    from optimal.errors import IllegalGuess as IllegalGuess
    from optimal.errors import ImpossibleFeedback as ImpossibleFeedback
    from optimal.errors import InputError as InputError
    from optimal.errors import OptimalError as OptimalError
    from optimal.errors import TreeFileError as TreeFileError
    from optimal.games.feedback import Feedback as Feedback
    from optimal.games.game import Game as Game
    from optimal.games.game import Unset as Unset
    from optimal.games.info import GameInfo as GameInfo
    from optimal.games.rules import Rules as Rules
    from optimal.games.weights import Weights as Weights
    from optimal.games.weights import weights_of as weights_of
    from optimal.journal.ledger import export_ledger as export_ledger
    from optimal.journal.ledger import forget_imports as forget_imports
    from optimal.journal.status import SlowOpener as SlowOpener
    from optimal.journal.status import Standing as Standing
    from optimal.journal.status import copy_journal as copy_journal
    from optimal.journal.status import status as status
    from optimal.page.trees import export_html as export_html
    from optimal.plots.charts import plot_classes as plot_classes
    from optimal.plots.charts import plot_debrief as plot_debrief
    from optimal.plots.charts import plot_distributions as plot_distributions
    from optimal.plots.charts import plot_gap as plot_gap
    from optimal.plots.charts import plot_regions as plot_regions
    from optimal.plots.figures import save_figure as save_figure
    from optimal.search.importing import import_ledger as import_ledger
    from optimal.search.progress import Progress as Progress
    from optimal.search.ranking import Opener as Opener
    from optimal.search.ranking import Ranking as Ranking
    from optimal.search.ranking import rank as rank
    from optimal.search.result import Result as Result
    from optimal.search.result import Status as Status
    from optimal.search.solve import solve as solve
    from optimal.show.table import Grid as Grid
    from optimal.show.table import Sheet as Sheet
    from optimal.tables.identify import Identification as Identification
    from optimal.tables.identify import identify as identify
    from optimal.tables.key import Key as Key
    from optimal.tables.table import Table as Table
    from optimal.tables.verify import KeyCheck as KeyCheck
    from optimal.tables.verify import verify_key as verify_key
    from optimal.trees.export import export_csv as export_csv
    from optimal.trees.export import export_json as export_json
    from optimal.trees.export import export_svg as export_svg
    from optimal.trees.export import export_text as export_text
    from optimal.trees.file import read_tree as read_tree
    from optimal.trees.file import write_tree as write_tree
    from optimal.trees.keycodec import Packed as Packed
    from optimal.trees.nodes import Node as Node
    from optimal.trees.nodes import Step as Step
    from optimal.trees.player import Player as Player
    from optimal.trees.tree import StrategyTree as StrategyTree
    from optimal.trees.verify import Verification as Verification
    from optimal.trees.verify import verify_tree as verify_tree

#: Where each name lives. They are imported on first use, so that playing by look-up loads neither numpy nor the engine.
_HOME = {
    "Advice": "advice.guesses",
    "Analysis": "advice.guesses",
    "CandidatesLeft": "baselines.arena",
    "Comparison": "baselines.comparison",
    "Debrief": "advice.review",
    "Feedback": "games.feedback",
    "Game": "games.game",
    "GameInfo": "games.info",
    "Grid": "show.table",
    "Identification": "tables.identify",
    "IllegalGuess": "errors",
    "ImpossibleFeedback": "errors",
    "InputError": "errors",
    "Key": "tables.key",
    "KeyCheck": "tables.verify",
    "Node": "trees.nodes",
    "Opener": "search.ranking",
    "OptimalError": "errors",
    "Packed": "trees.keycodec",
    "Played": "baselines.arena",
    "Player": "trees.player",
    "Progress": "search.progress",
    "Ranking": "search.ranking",
    "RegionTable": "baselines.regions",
    "Result": "search.result",
    "Rules": "games.rules",
    "Scoring": "baselines.table",
    "Sheet": "show.table",
    "SlowOpener": "journal.status",
    "Standing": "journal.status",
    "Status": "search.result",
    "StrategyTree": "trees.tree",
    "Step": "trees.nodes",
    "Table": "tables.table",
    "TreeFileError": "errors",
    "Turn": "advice.review",
    "Unset": "games.game",
    "Verification": "trees.verify",
    "Weights": "games.weights",
    "analyse": "advice.analysis",
    "any_answer": "advice.position",
    "compare": "baselines.comparison",
    "debrief": "advice.debrief",
    "export_csv": "trees.export",
    "export_html": "page.trees",
    "export_json": "trees.export",
    "copy_journal": "journal.status",
    "export_ledger": "journal.ledger",
    "forget_imports": "journal.ledger",
    "export_svg": "trees.export",
    "export_text": "trees.export",
    "identify": "tables.identify",
    "import_ledger": "search.importing",
    "parse_position": "advice.position",
    "plot_classes": "plots.charts",
    "plot_debrief": "plots.charts",
    "plot_distributions": "plots.charts",
    "plot_gap": "plots.charts",
    "plot_regions": "plots.charts",
    "rank": "search.ranking",
    "read_tree": "trees.file",
    "save_figure": "plots.figures",
    "solve": "search.solve",
    "solve_position": "advice.subgame",
    "status": "journal.status",
    "verify_key": "tables.verify",
    "verify_tree": "trees.verify",
    "weights_of": "games.weights",
    "write_tree": "trees.file",
}

#: The compiled modules.
_BUILT = ("_engine", "_matrix")

__all__ = ["__version__", *sorted(_HOME)]


def __getattr__(name: str) -> Any:
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
