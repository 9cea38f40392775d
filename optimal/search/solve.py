"""The best strategy tree of a game: which opener next, the incumbent, and what is proven in the end."""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from optimal._engine import Search, Stopped
from optimal.checks import (
    check_objective,
    check_openers,
    check_progress,
    formerly,
)
from optimal.errors import InputError, InternalError
from optimal.games.game import UNSET, Game, Unset, check_game
from optimal.games.making import frozen
from optimal.games.rules import Rules
from optimal.games.weights import Weights, check_weights
from optimal.limits import INFEASIBLE
from optimal.search.engine import SWITCHES, engine_limit, new_control, promising
from optimal.search.game_problem import Problem
from optimal.search.game_run import GameRun
from optimal.search.game_tree import replay, strategy_tree
from optimal.search.incumbents import find_incumbent, low_tree, settles_soon
from optimal.search.jobs import (
    bound_quickly,
    helped,
    searches_of,
    settle_in_threads,
    settle_least_first,
    settle_split,
    use_supersets,
)
from optimal.search.options import DEFAULTS, Options
from optimal.search.processes import pool_of
from optimal.search.progress import Progress
from optimal.search.result import Result, Status
from optimal.search.run import Log
from optimal.search.scheduler import Pool, settle_by_workers
from optimal.search.solvers import GameSolver
from optimal.search.stopping import carry_out
from optimal.trees.tree import StrategyTree

if TYPE_CHECKING:
    from optimal._engine import Nested

#: Greedy play takes only a moment if the matrix has at most this many codes.
_SOON = 1 << 26
#: With more answers than this a proof is far; heavy ones are solved alone where they are at most so many, which takes a
#: minute or two, and there are so many seconds.
_FAR, _SOLVED, _TIME = 6000, 4000, 300.0


@formerly(first="openers", limit="max_guesses")
def solve(
    game: Game | str,
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
    without: frozenset[str] = frozenset(),
    gap: int | str | None = None,
    journal: str | os.PathLike[str] | None = None,
    progress: Callable[[Progress], None] | None = None,
    log: Log | None = None,
) -> Result:
    """Return the best strategy tree over all first guesses, or given ones, and whether it is proven.

    >>> from optimal import solve
    >>> result = solve("mastermind:3x3")
    >>> str(result.status), result.total, result.opener
    ('OPTIMAL', 73, '112')

    Parameters
    ----------
    game : a Game, or the name of a preset
    objective : "mean", "worst" (least worst case) or "within:K" (fewest missed)
    limit : of guesses, if not the game's own; None for none
    weights : how much each answer counts, see `weights_of`
    first : the first guesses to cover, if not all
    jobs, backend : number of searches, by "threads", "loky" or "dask"
    scheduler, wait : the address of a cluster, and seconds to wait for it
    time_limit, memory_limit : seconds and bytes; then the best result is returned
    gap : stop within this gap of the bound, in guesses or per cent: 40, "1%"
    journal : a file for the proven results, to resume from
    progress, log : called with a `Progress`, with events as dictionaries
    without : shortcuts to switch off

    Returns
    -------
    Result : the tree and its proven bound, also after Ctrl-C

    Raises
    ------
    InputError : for invalid arguments; the message says what is right
    MemoryError, RecursionError : the game is too large, or too deep

    See docs/howto/python.md for details.
    """
    problem = problem_of(
        game,
        objective=objective,
        limit=limit,
        weights=weights,
        first=first,
        options=Options.of(
            jobs=jobs,
            backend=backend,
            scheduler=scheduler,
            wait=wait,
            time_limit=time_limit,
            memory_limit=memory_limit,
            gap=gap,
            objective=objective,
            journal=journal,
            without=without,
            switches=SWITCHES,
        ),
    )
    return answered(problem, progress, log)


def problem_of(
    game: Game | str,
    *,
    objective: str = "mean",
    limit: int | Unset | None = UNSET,
    weights: Weights | None = None,
    first: Sequence[str] | None = None,
    made: int = 0,
    options: Options = DEFAULTS,
) -> Problem:
    """Return the problem that these arguments of `solve` state, checked; ``made`` is that of `Problem`."""
    game = check_game(game)
    check_objective(objective)
    return Problem(
        game=game,
        limit=game.limit(limit),
        objective=objective,
        weights=check_weights(game, weights),
        openers=check_openers(first),
        made=made,
        options=options,
    )


def answered(problem: Problem, progress: Callable[[Progress], None] | None = None, log: Log | None = None) -> Result:
    """Solve a problem. Raises InputError for invalid callbacks."""
    check_progress(progress)
    check_progress(log, "log")
    with pool_of(problem.options) as pool:
        run = GameRun(problem, progress, log=log, trees=True)
        return carry_out(run, lambda: _answer(run, pool), "solve")


def _answer(run: GameRun, pool: Pool | None) -> Result:
    problem = run.problem
    run.report("tables", 0, 0)
    try:
        order = _order_of(run)
    except Stopped:
        return _result(run, len(problem.chosen))
    if problem.objective == "worst":
        return _least_worst(run, order, pool)
    result = _least_total(run, problem.limit, order, pool)
    if result.status is Status.INFEASIBLE and problem.may_overflow:
        # Costs of 2^62 and more count as infeasible, too: the plain game tells the two cases apart.
        plain = GameRun(replace(problem, objective="mean", weights=None), clock=run.clock, control=run.control)
        found = _least_total(plain, problem.limit, _order_of(plain), pool)
        if run.stopped and found.status is not Status.INFEASIBLE:
            return replace(result, status=Status.UNKNOWN, openers_refuted=0, stop_reason=run.stop_reason)
        if found.status is not Status.INFEASIBLE:
            raise InputError(
                f"the weights are too much to count what is missed by {problem.objective}: scale them down"
            )
    return result


def _least_worst(run: GameRun, order: list[int], pool: Pool | None) -> Result:
    """Find the least feasible limit, then the least total within it."""
    # No tree need be deeper than its number of answers, after a given first guess.
    most = min(run.problem.limit or math.inf, len(run.game.answers) + 1)
    limit = 1
    low = low_tree(run, searches_of(run.engine, run.control, 1)[0], order)
    while True:
        result = _least_total(run, limit, order, pool, low)
        if result.status is not Status.INFEASIBLE or limit >= most:
            return result
        limit += 1


def _order_of(run: GameRun) -> list[int]:
    """Return the problem's openers in search order, one for all equivalent ones; in list order if a run is stopped
    already and must end soon."""
    openers = set(run.problem.representatives_of(run.problem.chosen).values())
    if run.stopped and run.game.matrix.size > _SOON:
        return sorted(openers)
    return promising(run.engine.tables, openers)


def _least_total(
    run: GameRun, limit: int | None, order: list[int], pool: Pool | None, low: Nested | None = None
) -> Result:
    """Find the least cost within a limit over these openers in order, by the workers of a ``pool`` if there is one. A
    ``low`` tree, found within a higher limit, is the fallback."""
    problem = run.problem
    run.begin(limit)
    if low is not None and max(replay(problem.game, low)) <= run.left:
        run.keep(low)
    alike = Counter(problem.representatives_of(problem.chosen).values())  # openers represented by each
    searches = searches_of(run.engine, run.control, problem.options.jobs)
    run.take_up(alike, searches)
    run.none_below(run.engine.search(new_control()).lower_bound(run.left))  # by one count
    with run.counting(searches):
        greedy = _settle_all(run, searches, order, pool)
    status, refuted, bound, tree = _conclude(run, alike, order[0] if greedy else None, low)
    return _result(run, alike.total(), status, refuted, bound, tree)


def _result(
    run: GameRun,
    openers: int,
    status: Status = Status.UNKNOWN,
    refuted: int = 0,
    bound: tuple[int, ...] | None = None,
    tree: StrategyTree | None = None,
) -> Result:
    """Return the result of a run; without more, of one that was stopped before the game was prepared."""
    return Result(
        status=status,
        value=None if tree is None else tree.value,
        bound=bound,
        tree=tree,
        openers=openers,
        openers_refuted=refuted,
        stop_reason=run.stop_reason,
        seconds=run.clock.seconds,
        nodes=run.nodes,
        count_calls=run.count_calls,
        shortcuts=run.tallies,
        objective=run.problem.objective,
        missed=run.missed if tree is None and status is Status.UNKNOWN else None,
        openers_exact=()
        if status is Status.OPTIMAL
        else tuple(run.name_of(guess) for guess in sorted(run.values, key=lambda guess: (run.values[guess], guess))),
    )


def _settle_all(run: GameRun, searches: Sequence[Search], order: Sequence[int], pool: Pool | None) -> bool:
    """Settle these openers, except the known ones. Return whether greedy play may find a tree: after a hunt it
    can't."""
    order = [guess for guess in order if guess not in run.settled]
    soon, hunt = True, None
    if order and run.values:
        soon = settles_soon(run, searches, order)
    elif order:
        soon, hunt = find_incumbent(run, searches, order)
    if not soon:
        _bound_by_tiers(run)
    order = [guess for guess in order if guess not in run.settled]
    if pool is not None:
        bound_quickly(run, searches, order)
        settle_by_workers(GameSolver(replace(run.problem, limit=run.limit)), run, order, pool)
        return hunt is None
    if not soon:
        bound_quickly(run, searches, order)
    if order:
        use_supersets(run.problem, run.engine, order, searches, run.report)
    if not soon or run.options.gap is not None:
        bound_quickly(run, searches, order)
    if len(order) == 1 and len(searches) > 1:
        settle_split(run, searches, order[0])
        return hunt is None
    if soon and (order := settle_in_threads(run, searches, order)):
        bound_quickly(run, searches, order)
    if order:
        settle_least_first(run, searches, order, hunt)
    return hunt is None


def _bound_by_tiers(run: GameRun) -> None:
    """Where weights are few and a proof is far, bound all openers by the games of the heavy answers alone.

    Let w_1 < w_2 < ... be the weights, w_0 = 0. A tree costs the sum over i of (w_i - w_(i-1)) times the depths of the
    m answers that weigh w_i or more; it is a tree of these alone (ext/bounds/tiers.h). So they take what their game
    does at least; 2 m - 1, as one alone is found at once; and 3 m - k - 1 where no guess makes more than k classes, one
    of which may be its own: the guess costs m, and each other class 2 for each answer, less 1.
    """
    game, costs, many, options = run.game, run.problem.costs, len(run.game.answers), run.options
    if costs is None or not costs.tiered or run.problem.objective != "mean" or many <= _FAR or run.stopped:
        return
    if (
        "tiers" in options.without
        or options.memory_limit is not None
        or (options.time_limit is not None and options.time_limit < _TIME)
    ):
        return
    if game.feedback is None and game.rules is not Rules.NORMAL:  # whose guesses are legal by all answers
        return
    weights, classes = np.array(costs.weights), int(run.engine.tables.classes.max())
    floor, before = 0, 0
    run.report("tiers", 0, 0)
    for weight in sorted(set(costs.weights) - {0}):
        heavy = np.flatnonzero(weights >= weight)
        least = max(3 * len(heavy) - classes, 2 * len(heavy)) - 1
        if len(heavy) <= _SOLVED:
            alone = replace(
                game,
                answers=tuple(game.answers[answer] for answer in heavy.tolist()),
                matrix=frozen(game.matrix[:, heavy]),
                answer_guess=frozen(game.answer_guess[heavy]),
            )
            with (
                run.aside(replace(run.problem, game=alone, weights=None)) as part,
                suppress(Stopped, MemoryError, RecursionError),  # then the bound by one count will do
            ):
                found = _least_total(part, run.limit, _order_of(part), None)
                least = INFEASIBLE if found.status is Status.INFEASIBLE else max(least, *(found.bound or (0,)))
        floor, before = floor + (weight - before) * least, weight
    run.none_below(min(floor, INFEASIBLE))


def _conclude(
    run: GameRun, alike: Counter[int], first: int | None, low: Nested | None
) -> tuple[Status, int, tuple[int, ...] | None, StrategyTree | None]:
    """Return the status, the number of refuted openers, the bound and the tree, from the bounds and values of the
    openers. If no tree is known, greedy play may find one for the ``first`` opener, and the ``low`` tree is the
    fallback.

    OPTIMAL requires that every opener's bound has reached the best cost, that ties are settled, so that the tree is the
    canonical one, and that a replay of the tree confirms this cost. A run that was stopped returns the best tree so
    far, or one that greedy play finds in a moment.
    """
    problem, bounds, bound = run.problem, dict(run.lows), run.bound
    if bound >= INFEASIBLE:
        return Status.INFEASIBLE, alike.total(), None, None
    run.report("tree", 0, 1)
    nested, canonical = _best_tree(run, first)
    status = Status.OPTIMAL if canonical and bound == run.least else Status.FEASIBLE
    if nested is not None:
        run.keep(nested, canonical=status is Status.OPTIMAL)
        within, reported = run.left, run.least_reported
    else:
        nested = low  # its limit may be higher: the bounds within this one don't apply
        within, reported = engine_limit(problem.limit), INFEASIBLE
    if nested is None:
        run.report("tree", 1, 1)
        refuted = sum(alike[guess] for guess, low in bounds.items() if low >= INFEASIBLE)
        return Status.UNKNOWN, refuted, run.parts(bound), None
    depths = replay(problem.game, nested)
    cost = problem.cost(depths)
    lower = max(depths) <= run.left
    if max(depths) > within or (lower and cost < bound) or (canonical and cost != run.least):
        raise InternalError(f"a tree that costs {cost} was built where {run.least} is proven, {bound} at least")
    if cost > reported:
        raise InternalError(f"the best tree left costs {cost}, and one of {reported} was found")
    tree = strategy_tree(problem, nested, depths, status, run.parts(bound), run.ledgers)
    run.report("tree", 1, 1)
    refuted = 0
    if status is Status.OPTIMAL:  # ties are settled; the tree's own opener doesn't count
        refuted = sum(alike[guess] for guess, low in bounds.items() if low > cost or run.values.get(guess) == cost) - 1
    elif lower:
        refuted = sum(alike[guess] for guess, low in bounds.items() if low > cost)
    return status, refuted, tree.bound, tree


def _best_tree(run: GameRun, first: int | None) -> tuple[Nested | None, bool]:
    """Return the best tree within the run's limit, and whether it is the canonical one over the best openers."""
    best, kept = run.least, run.best_tree
    if best is not None and (kept is None or best <= kept.cost):
        if kept is not None and kept.canonical and kept.cost == best and kept.openers == run.problem.opener_names:
            return kept.nested, True
        nested = canonical_tree(run, run.best_openers)
        if nested is not None:
            return nested, True
    # The run was stopped. If it has no tree of the best known cost, the tables may have one, or greedy play may find
    # one.
    if best is not None and run.betters(best):
        tried = run.best_openers[:1]
    else:
        soon = run.game.matrix.size <= _SOON
        tried = [first] if kept is None and first is not None and soon else []
    for guess in tried:
        run.keep_from(run.searches[0], guess)
    return None if run.best_tree is None else run.best_tree.nested, False


def canonical_tree(run: GameRun, ties: Sequence[int]) -> Nested | None:
    """Return the first of the optimal trees that begin with these openers; None if the run is stopped."""
    if run.stopped:
        return None
    search, heights = run.searches[0], dict.fromkeys(ties, 0)
    try:
        with helped(search, run.searches):
            for opener in ties if len(ties) > 1 else ():
                heights[opener] = search.opener_height(opener, run.left)
            first = min(ties, key=lambda opener: (heights[opener], not run.engine.tables.is_answer(opener), opener))
            return search.tree(first, run.left)
    except Stopped:
        return None
