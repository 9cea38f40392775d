"""Ledgers taken into journals: what they say is held against what is known at once, before anything is written."""

from __future__ import annotations

import os
from collections.abc import Mapping

from optimal.checks import check_path
from optimal.errors import InputError
from optimal.games.game import UNSET, Game, Unset, check_game
from optimal.games.weights import Weights
from optimal.journal.journal import Journal
from optimal.journal.ledger import read_ledger
from optimal.journal.records import Proven
from optimal.labels import is_label
from optimal.limits import INFEASIBLE
from optimal.search.engine import engine_limit, new_control, promising
from optimal.search.game_problem import Problem
from optimal.search.jobs import searches_of
from optimal.search.options import Options
from optimal.search.solve import problem_of
from optimal.show.words import quoted
from optimal.trees.file import from_bytes

#: Counting bounds the openers that are said to cost least, and greedy play looks for trees that begin with the most
#: promising ones: at least one, and as many as whole matrices have so many codes. It looks at the stop flag so often.
_CODES = 1 << 28
_LOOKS = 25


def import_ledger(
    game: Game | str,
    ledger: str | os.PathLike[str],
    journal: str | os.PathLike[str],
    *,
    objective: str = "mean",
    max_guesses: int | Unset | None = UNSET,
    weights: Weights | None = None,
    memory_limit: int | None = None,
) -> int:
    """Let a journal, new or old, have the bounds of a ledger, so that a solve or a ranking goes on from them.

    They are kept apart from what runs prove, and what rests on them says so; `forget_imports` takes them back.

    >>> from optimal import export_ledger, import_ledger, solve
    >>> result = solve("mastermind:3x3", journal="first.journal")
    >>> export_ledger("first.journal", "first.ledger")
    3
    >>> import_ledger("mastermind:3x3", "first.ledger", "second.journal")
    3

    Parameters
    ----------
    game : Game or str
        A game, or the name of a preset.
    ledger : str or path
        The ledger, as `export_ledger` writes it.
    journal : str or path
        The journal that takes the bounds.
    objective, max_guesses, weights, memory_limit : optional
        The question of the journal, as for `solve`.

    Returns
    -------
    int
        Of how many openers there are bounds.

    Raises
    ------
    InputError
        For a file that is no ledger, is damaged, belongs to another question or contradicts the journal, or what is
        known at once: bounds that need no search, trees that cost less. Then nothing is written.
    """
    game = check_game(game)
    source, path = check_path(ledger, "the ledger"), check_path(journal, "the journal")
    options = Options.of(memory_limit=memory_limit)
    problem = problem_of(game, objective=objective, max_guesses=max_guesses, weights=weights, options=options)
    found: dict[int, Proven] = {}
    for opener, proven in read_ledger(source, problem.identity).items():
        if (guess := game.guess_index(opener)) in found:
            raise InputError(f"{source} tells twice of {quoted(opener)}")
        found[guess] = proven
    _hold_against(problem, found, source)
    limit, name = problem.limit, os.path.basename(source)
    with Journal(path, game.guesses, problem.identity, f"import {source}", 1) as kept:
        if (tree := kept.contents.trees.get(limit)) is not None:
            _hold_against_tree(found, game.guess_index(from_bytes(tree.data).root.guess), tree.cost, game, source)
        kept.take(limit, found, source, name if is_label(name) else quoted(name))
    if kept.failed:
        raise InputError(kept.failed)
    return len(found)


def _hold_against(problem: Problem, found: Mapping[int, Proven], source: str) -> None:
    game, engine, limit = problem.game, problem.engine(), engine_limit(problem.limit)
    search = searches_of(engine, new_control(), 1)[0]
    # An opener, and then one answer after the other, is a tree.
    always = problem.limit is None or problem.limit > len(game.answers)
    for guess, proven in found.items():
        name = quoted(game.guesses[guess])
        if proven.lower >= INFEASIBLE:
            if always:
                raise InputError(f"{source} says that no tree begins with {name}, but within this limit one does")
        elif proven.exact and proven.lower < search.quick_bound(guess, limit):
            raise InputError(f"{source} says that {name} costs {proven.lower}, less than is possible")
    tried = max(1, _CODES // game.matrix.size)
    exact = [guess for guess, proven in found.items() if proven.exact and proven.lower < INFEASIBLE]
    for guess in sorted(exact, key=lambda guess: found[guess].lower)[:tried]:
        if found[guess].lower < search.class_bounds(guess, limit)[0]:
            name = quoted(game.guesses[guess])
            raise InputError(f"{source} says that {name} costs {found[guess].lower}, less than is possible")
    for guess in promising(engine.tables, found)[:tried]:
        cost = search.beam_opener(guess, limit, 0, INFEASIBLE, _LOOKS)
        _hold_against_tree(found, guess, cost, game, source)


def _hold_against_tree(found: Mapping[int, Proven], guess: int, cost: int, game: Game, source: str) -> None:
    """A tree with this opener that costs so much: what is said of it may not be more."""
    if guess in found and cost < found[guess].lower:
        name = quoted(game.guesses[guess])
        raise InputError(f'{source} says "{found[guess]}" of {name}, but there is a tree with it that costs {cost}')
