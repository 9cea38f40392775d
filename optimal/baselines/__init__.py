"""Baseline strategies, and the arena in which they and strategies of a user's own play against every answer.

>>> from optimal import Game
>>> from optimal.baselines import play, strategy
>>> game = Game.from_words(["cat", "cot", "cut", "dog", "ant"], ["cat", "cot", "dog"])
>>> play(game, strategy("entropy")).distribution
{1: 1, 2: 2}
"""

from optimal.baselines.advice import Reasons, board_position, explain
from optimal.baselines.arena import Played, play, play_answer
from optimal.baselines.comparison import Comparison, compare
from optimal.baselines.openings import (
    OpeningReport,
    SecondGuessWins,
    first_disjoint,
    opening_report,
    rank_openers,
    search_openings,
    second_guess_wins,
    wins_text,
)
from optimal.baselines.position import Position
from optimal.baselines.regions import RegionTable, region_table
from optimal.baselines.registry import PluginWarning, TreeStrategy, default_strategies, entries, proven_bound, strategy
from optimal.baselines.strategy import Baseline, Ranking, Strategy, name_of, prior_of
from optimal.baselines.table import Prior, Scoring, scoring_of

__all__ = [
    "Baseline",
    "Comparison",
    "OpeningReport",
    "Played",
    "PluginWarning",
    "Position",
    "Prior",
    "Ranking",
    "Reasons",
    "RegionTable",
    "Scoring",
    "SecondGuessWins",
    "Strategy",
    "TreeStrategy",
    "board_position",
    "compare",
    "default_strategies",
    "entries",
    "explain",
    "first_disjoint",
    "name_of",
    "opening_report",
    "play",
    "play_answer",
    "prior_of",
    "proven_bound",
    "rank_openers",
    "region_table",
    "scoring_of",
    "search_openings",
    "second_guess_wins",
    "strategy",
    "wins_text",
]
