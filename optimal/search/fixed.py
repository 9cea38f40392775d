"""Exact totals of first guesses that are made one after the other whatever the replies, such as parse+clint.

Each of them is made, even where the answer is known by then; only to name the answer ends the game. What follows the
last of them is best play.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

from optimal.errors import InputError
from optimal.games.game import Game
from optimal.games.rules import Rules
from optimal.limits import INFEASIBLE
from optimal.search.engine import counters_of
from optimal.search.game_run import GameRun
from optimal.search.jobs import hand_out
from optimal.show.words import quoted

JOINED = "+"


def fixed_guesses(game: Game, openers: Sequence[str] | None) -> list[tuple[int, ...]] | None:
    """Return the guesses of each opener, where one at least is several; None where none is. Raises InputError for what
    is no guess, and for rules that may forbid the later ones."""
    known = [opener for opener in openers or () if JOINED not in opener or opener in game.guesses]
    several = [opener for opener in openers or () if opener not in known]
    if not several:
        return None
    if game.rules is not Rules.NORMAL:
        raise InputError(f"{quoted(several[0])}: under {game.rules} rules a reply may forbid the guesses to come")
    return [
        tuple(map(game.guess_index, [opener] if opener in known else opener.split(JOINED))) for opener in openers or ()
    ]


def fixed_total(run: GameRun, guesses: Sequence[int]) -> int | None:
    """Return the least total of trees that begin with these guesses, `INFEASIBLE` where there is none within the limit;
    None if the run is stopped."""
    game, made = run.game, len(guesses) - 1
    left, wins = run.left if run.limit is None else run.limit - made, game.winning_code
    replies = zip(*(game.matrix[guess].tolist() for guess in guesses[:-1]), strict=True)
    seen = list(replies) if made else [()] * len(game.answers)
    weights = (1,) * len(seen) if run.problem.weights is None else run.problem.weights.values
    depths = [codes.index(wins) + 1 if wins in codes else made for codes in seen]
    classes = dict.fromkeys(codes for codes in seen if wins not in codes)
    if classes and left < 1:
        return INFEASIBLE
    values: list[int] = []
    lock = threading.Lock()
    alone = run.options.jobs == 1 and threading.current_thread() is threading.main_thread()

    def value(_: int, codes: tuple[int, ...]) -> None:
        history = tuple(zip(guesses, codes, strict=False))
        search = run.engine.search(run.control, history=history, main_thread=alone)
        total, _ = search.opener(guesses[-1], left, INFEASIBLE)
        run.count(*counters_of(search))
        with lock:
            values.append(total)

    hand_out(run.control, range(run.options.jobs), classes, value)
    if len(values) < len(classes):
        return None
    return min(INFEASIBLE, sum(weight * depth for weight, depth in zip(weights, depths, strict=True)) + sum(values))
