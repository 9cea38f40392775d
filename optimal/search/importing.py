"""Import of ledgers into journals: their claims are checked against what needs no search before anything is written."""

from __future__ import annotations

import os
from collections.abc import Mapping

from optimal.checks import check_path, formerly
from optimal.errors import InputError
from optimal.games.game import UNSET, Game, Unset, check_game
from optimal.games.weights import Weights
from optimal.journal.journal import Journal
from optimal.journal.ledger import read_ledger
from optimal.journal.records import Proven, TreeRecord
from optimal.labels import is_label
from optimal.limits import INFEASIBLE
from optimal.search.engine import engine_limit, new_control, promising
from optimal.search.game_problem import Problem
from optimal.search.jobs import searches_of
from optimal.search.known_openers import shipped_tree
from optimal.search.options import Options
from optimal.search.solve import problem_of
from optimal.show.words import quoted
from optimal.trees.file import from_bytes, to_bytes

#: Counting bounds the openers with the least claimed costs, and greedy play looks for trees with the most promising
#: openers: at least one of each, and as many as whole matrices have this many codes in all. Greedy play gets this many
#: work units.
_CODES = 1 << 28
_WORK = 25


@formerly(limit="max_guesses")
def import_ledger(
    game: Game | str,
    ledger: str | os.PathLike[str],
    journal: str | os.PathLike[str],
    *,
    objective: str = "mean",
    limit: int | Unset | None = UNSET,
    weights: Weights | None = None,
    memory_limit: int | None = None,
) -> int:
    """Import the bounds of a ledger into a journal, new or old, so that a solve or a ranking goes on from them, and
    from the tree that ships for the problem, if there is one.

    They are kept apart from what runs prove, and results that rest on them say so; `forget_imports` removes them.

    >>> from optimal import export_ledger, import_ledger, solve
    >>> result = solve("mastermind:3x3", journal="first.journal")
    >>> export_ledger("first.journal", "first.ledger")
    3
    >>> import_ledger("mastermind:3x3", "first.ledger", "second.journal")
    3

    Parameters
    ----------
    game : a Game, or the name of a preset
    ledger : the file to import, as `export_ledger` writes it
    journal : the file to import into
    objective, limit, weights, memory_limit : the problem of the journal, as for `solve`

    Returns
    -------
    int : number of openers with bounds

    Raises
    ------
    InputError : for a file that is not a ledger, is damaged, belongs to another problem, or contradicts the journal,
        quick bounds or greedy trees; then nothing is written
    """
    game = check_game(game)
    source, path = check_path(ledger, "the ledger"), check_path(journal, "the journal")
    options = Options.of(memory_limit=memory_limit)
    problem = problem_of(game, objective=objective, limit=limit, weights=weights, options=options)
    found: dict[int, Proven] = {}
    for opener, proven in read_ledger(source, problem.identity).items():
        if (guess := game.guess_index(opener)) in found:
            raise InputError(f"{source} names {quoted(opener)} twice")
        found[guess] = proven
    _check_claims(problem, found, source)
    shipped = shipped_tree(problem)
    if shipped is not None:
        _check_against_tree(found, game.guess_index(shipped.root.guess), shipped.total, game, source)
    limit, name = problem.limit, os.path.basename(source)
    with Journal(path, game.guesses, problem.identity, f"import {source}", 1) as kept:
        openers = None
        if (tree := kept.contents.trees.get(limit)) is not None:
            before = from_bytes(tree.data)
            openers = before.openers
            _check_against_tree(found, game.guess_index(before.root.guess), tree.cost, game, source)
        kept.take(limit, found, source, name if is_label(name) else quoted(name))
        # A journal of named openers keeps its own.
        if shipped is not None and openers is None and (tree is None or shipped.total < tree.cost):
            kept.add(TreeRecord(limit, shipped.total, shipped.status == "OPTIMAL", to_bytes(shipped)))
    if kept.failed:
        raise InputError(kept.failed)
    return len(found)


def _check_claims(problem: Problem, found: Mapping[int, Proven], source: str) -> None:
    game, engine, limit = problem.game, problem.engine(), engine_limit(problem.limit)
    search = searches_of(engine, new_control(), 1)[0]
    # An opener followed by the answers one by one is a tree.
    always = problem.limit is None or problem.limit > len(game.answers)
    for guess, proven in found.items():
        if always and proven.lower >= INFEASIBLE:
            name = quoted(game.guesses[guess])
            raise InputError(f"{source} says that no tree begins with {name}, but within this limit one does")
    tried = max(1, _CODES // game.matrix.size)
    exact = [guess for guess, proven in found.items() if proven.exact and proven.lower < INFEASIBLE]
    for place, guess in enumerate(sorted(exact, key=lambda guess: found[guess].lower)):
        low = search.class_bounds(guess, limit)[0] if place < tried else search.quick_bound(guess, limit)
        if found[guess].lower < low:
            name = quoted(game.guesses[guess])
            raise InputError(f"{source} says that {name} costs {found[guess].lower}, less than is possible")
    for guess in promising(engine.tables, found)[:tried]:
        cost = search.beam_opener(guess, limit, 0, INFEASIBLE, _WORK)
        _check_against_tree(found, guess, cost, game, source)


def _check_against_tree(found: Mapping[int, Proven], guess: int, cost: int, game: Game, source: str) -> None:
    """Raise InputError if a claimed bound of this opener exceeds the cost of a tree that begins with it."""
    if guess in found and cost < found[guess].lower:
        name = quoted(game.guesses[guess])
        raise InputError(f'{source} says "{found[guess]}" of {name}, but there is a tree with it that costs {cost}')
