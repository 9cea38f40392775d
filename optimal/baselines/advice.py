"""What a strategy would guess at a position, and why: by feedback seen, or by a board."""

from __future__ import annotations

from collections.abc import Sequence

from optimal.baselines.odds import board_position
from optimal.baselines.protocol import Position, Reasons, Strategy, check_fit, explain, prior_of
from optimal.baselines.registry import strategy as named
from optimal.baselines.table import Scoring
from optimal.games.game import Game


def advise(
    game: Game,
    strategy: Strategy | str,
    history: Sequence[tuple[str, int]] = (),
    *,
    scoring: Scoring = Scoring.TRUE,
    top: int = 10,
) -> Reasons:
    """The strategy's guess after these guesses and feedback codes, with its `top` best guesses and reasons.

    Raises InputError for a guess that the game does not allow, ImpossibleFeedback if no candidate is left.
    """
    chosen = named(strategy, game) if isinstance(strategy, str) else strategy
    check_fit(chosen, game)
    return explain(chosen, Position.at(game, history, scoring, prior_of(chosen)), top)


def advise_board(
    game: Game,
    strategy: Strategy | str,
    board: str,
    good: str = "",
    past: Sequence[str] = (),
    *,
    top: int = 10,
) -> Reasons:
    """The same for a board such as "C.G..", the letters known to be good, and the guesses made.

    A board is read by the naive rule: see `board_position`.
    """
    chosen = named(strategy, game) if isinstance(strategy, str) else strategy
    check_fit(chosen, game)
    return explain(chosen, board_position(game, board, good, past, prior=prior_of(chosen)), top)
