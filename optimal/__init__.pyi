# The public names, and where each lives: read by type checkers, and by `__init__.py`, which imports them on first use.
# isort: skip_file
from optimal._version import __version__ as __version__
from optimal.advice.analysis import Advice as Advice, Analysis as Analysis, analyse as analyse
from optimal.advice.asking import Asker as Asker
from optimal.advice.debrief import debrief as debrief
from optimal.advice.position import any_answer as any_answer, parse_position as parse_position
from optimal.advice.questions import Asked as Asked, Questions as Questions, rank_questions as rank_questions
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
from optimal.games.spelling import Spelling as Spelling
from optimal.games.used import with_used as with_used
from optimal.games.weights import Weights as Weights, weights_of as weights_of
from optimal.journal.ledger import export_ledger as export_ledger, forget_imports as forget_imports
from optimal.journal.status import (
    SlowOpener as SlowOpener,
    JournalStatus as JournalStatus,
    copy_journal as copy_journal,
    status as status,
)
from optimal.page.keys import export_key as export_key
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
from optimal.search.rules_of_thumb import greedy as greedy
from optimal.search.solve import solve as solve
from optimal.show.table import Grid as Grid, Sheet as Sheet
from optimal.search.identify import identify as identify
from optimal.search.key_result import Identification as Identification
from optimal.trees.key import Key as Key
from optimal.tables.table import Table as Table
from optimal.trees.verify_key import KeyCheck as KeyCheck, verify_key as verify_key
from optimal.trees.export import export_csv as export_csv, export_json as export_json
from optimal.trees.export import export_svg as export_svg, export_text as export_text
from optimal.trees.file import read_tree as read_tree, write_tree as write_tree
from optimal.trees.keycodec import Packed as Packed, PackedCells as PackedCells
from optimal.trees.nodes import Node as Node, Step as Step
from optimal.trees.player import Player as Player
from optimal.trees.tree import StrategyTree as StrategyTree
from optimal.trees.verify import Verification as Verification, verify_tree as verify_tree

__all__: list[str]
