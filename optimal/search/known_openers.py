"""Known openers: those of the shipped totals, trees and ledgers, which need no search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from optimal.errors import InputError
from optimal.games.game import Game
from optimal.games.openers import KnownOpener, Section, holds_within, sections
from optimal.games.presets import preset_of
from optimal.games.resources import data_file, stem_of, tree_file, tree_names
from optimal.journal.ledger import read_ledger
from optimal.journal.records import Proven
from optimal.search.game_problem import Problem
from optimal.trees.file import read_tree
from optimal.trees.tree import StrategyTree


def known_openers(game: Game, top: int) -> Sequence[KnownOpener] | None:
    """Return the best `top` openers of a game within its limit, with all ties of the last; None if they aren't
    known."""
    for section in _sections_of(game):
        if len(section.openers) >= top:
            last = section.openers[top - 1].total
            return tuple(opener for opener in section.openers if opener.total <= last)
    return None


def known_opener(game: Game, guess: str) -> KnownOpener | None:
    """Return a known opener of a game within its limit; None if it isn't known."""
    openers = (opener for section in _sections_of(game) for opener in section.openers)
    return next((opener for opener in openers if opener.guess == guess), None)


def best_of_shipped_tree(game: Game) -> KnownOpener | None:
    """Return the opener of a tree that ships for this game and its rules, and is proven to have the least mean within
    its limit: no opener is better. None if there is no such tree."""
    for tree in _shipped_trees(game):
        if tree.status == "OPTIMAL" and _is_least_within(tree, game.max_guesses):
            return KnownOpener(tree.root.guess, tree.total, tree.worst)
    return None


def weighed_trees(game: Game, weights: Sequence[int]) -> Iterator[tuple[str, int]]:
    """Yield the opener and the total by these weights of each tree that ships for this game, its rules and limit."""
    for tree in _shipped_trees(game):
        if game.max_guesses is None or tree.worst <= game.max_guesses:
            depths = (len(tree.path(answer)) for answer in game.answers)
            yield tree.root.guess, sum(weight * depth for weight, depth in zip(weights, depths, strict=True))


def shipped_tree(problem: Problem) -> StrategyTree | None:
    """Return the tree that ships for a problem over all openers; None if none does."""
    if problem.objective != "mean" or problem.weights is not None:
        return None
    trees = (tree for tree in _shipped_trees(problem.game) if tree.objective == "mean")
    return next((tree for tree in trees if tree.max_guesses == problem.limit), None)


def _shipped_trees(game: Game) -> Iterator[StrategyTree]:
    begins = f"{stem_of(_preset_name(game))}-{game.rules}"
    for name in sorted((name for name in tree_names() if name.startswith(begins)), key=len):
        yield read_tree(tree_file(name))


def _is_least_within(tree: StrategyTree, limit: int | None) -> bool:
    """Whether an optimal tree has the least mean within a limit. One of the least worst case has it within that."""
    if tree.objective == "worst":
        return tree.worst == limit
    return tree.objective == "mean" and holds_within(tree.max_guesses, tree.worst, limit)


def shipped_ledger(problem: Problem) -> dict[int, Proven]:
    """Return what the ledger that ships says of the first guesses of a game; empty where none is of this problem."""
    game = problem.game
    path = data_file(f"{stem_of(_preset_name(game))}-ledger.xz")
    if not path.is_file():
        return {}
    try:
        found = read_ledger(str(path), problem.identity)
    except InputError:  # of other rules, or another limit
        return {}
    return {game.guess_index(opener): proven for opener, proven in found.items()}


def _sections_of(game: Game) -> Iterator[Section]:
    about = (_preset_name(game), game.rules.value)
    for section in sections():
        if (section.game, section.rules) == about and section.holds_within(game.max_guesses):
            yield section


def _preset_name(game: Game) -> str:
    """Return the name of the preset that a game is; "" if it is none."""
    known = preset_of(game.feedback, game.info.guesses_sha256, game.info.answers_sha256)
    return "" if known is None else known.name
