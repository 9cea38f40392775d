"""Baseline strategies, and the arena in which they and strategies of a user's own play against every answer.

>>> from optimal import Game
>>> from optimal.baselines import play, strategy
>>> game = Game.from_words(["cat", "cot", "cut", "dog", "ant"], ["cat", "cot", "dog"])
>>> play(game, strategy("entropy")).distribution
{1: 1, 2: 2}
"""

from optimal.baselines.arena import Played, play, play_answer
from optimal.baselines.comparison import Comparison, compare
from optimal.baselines.position import Position
from optimal.baselines.registry import PluginWarning, TreeStrategy, default_strategies, entries, strategy
from optimal.baselines.strategy import Baseline, Ranking, Strategy
from optimal.baselines.view import Prior, Scoring

__all__ = [
    "Baseline",
    "Comparison",
    "Played",
    "PluginWarning",
    "Position",
    "Prior",
    "Ranking",
    "Scoring",
    "Strategy",
    "TreeStrategy",
    "compare",
    "default_strategies",
    "entries",
    "play",
    "play_answer",
    "strategy",
]
