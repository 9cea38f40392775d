"""The best strategy tree from a position on."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace

from optimal.advice.position import checked_position
from optimal.checks import (
    check_objective,
    check_openers,
    formerly,
)
from optimal.errors import IllegalGuess, InputError
from optimal.games.game import UNSET, Game, Unset, check_game
from optimal.games.legality import broken_rule
from optimal.games.turns import PositionLike
from optimal.games.weights import Weights, check_weights
from optimal.search.options import Options
from optimal.search.progress import Progress
from optimal.search.result import Result
from optimal.search.run import Log
from optimal.search.solve import answered, problem_of


@formerly(first="openers", limit="max_guesses")
def solve_position(
    game: Game | str,
    position: PositionLike,
    *,
    objective: str = "mean",
    limit: int | Unset | None = UNSET,
    weights: Weights | None = None,
    first: Sequence[str] | None = None,
    jobs: int = 1,
    backend: str = "threads",
    scheduler: str | None = None,
    wait: float | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    gap: int | str | None = None,
    journal: str | os.PathLike[str] | None = None,
    progress: Callable[[Progress], None] | None = None,
    log: Log | None = None,
) -> Result:
    """Return the best strategy tree from a position on, over all legal guesses or those that may be ``first``.

    The tree's total, worst case and distribution count guesses from the position on.

    >>> from optimal import solve_position
    >>> tree = solve_position("classic", "salet=bybyb beard=bygyb").tree
    >>> tree.root.guess, tree.total
    ('cezve', 17)

    Parameters
    ----------
    game : a Game, or the name of a preset
    position : text such as "salet=bybbb crony=byybb", or pairs of a guess and its feedback; "" is the start of the game
    objective, limit : as for `solve`; the limit and the K of "within:K" count from the start of the game
    weights, first, jobs, backend, scheduler, wait, time_limit, memory_limit, gap, journal, progress, log : as for
        `solve`

    Returns
    -------
    Result : its tree begins at the position, and can be played and saved like any other

    Raises
    ------
    IllegalGuess, ImpossibleFeedback, InputError : for an impossible position, and for invalid options as in `solve`
    """
    game = check_game(game)
    kind, within = check_objective(objective)
    check_weights(game, weights)
    openers = check_openers(first)
    checked = checked_position(game, position, limit)
    made = len(checked.history)
    for opener in map(game.written, openers or ()):
        game.guess_index(opener)  # raises for a word outside the list
        if broken := broken_rule(game, checked.history, opener):
            raise IllegalGuess(f"an opener is illegal under {game.rules} rules: {broken}")
    from_here = objective
    if made and within is not None:
        if within <= made:
            raise InputError(f"objective {objective}: {made} guesses are made already; K must be more")
        from_here = f"{kind}:{within - made}"
    if weights is not None:
        left = tuple(weights.values[answer] for answer in checked.candidates)
        if not any(left):
            raise InputError("every candidate left has weight 0: give one of them more, or leave the weights out")
        weights = replace(weights, values=left)
    options = Options.of(
        jobs=jobs,
        backend=backend,
        scheduler=scheduler,
        wait=wait,
        time_limit=time_limit,
        memory_limit=memory_limit,
        gap=gap,
        objective=objective,
        journal=journal,
    )
    problem = problem_of(checked.rest, objective=from_here, weights=weights, first=openers, made=made, options=options)
    result = answered(problem, progress, log)
    tree = result.tree and replace(
        result.tree, game=game.info, objective=objective, max_guesses=checked.limit, position=checked.history
    )
    return replace(result, tree=tree, objective=objective)
