"""Strategies by name: those that come with the program, a shipped optimal tree, and a user's own."""

from __future__ import annotations

import importlib
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from optimal.baselines.frequency import GlobalFrequency, Popularity, PositionalFrequency
from optimal.baselines.information import MEASURES, Greedy, LetterEntropy, Weighted
from optimal.baselines.odds import Odds
from optimal.baselines.openings import FixedOpening
from optimal.baselines.position import Position
from optimal.baselines.regions import Regions
from optimal.baselines.strategy import Baseline, Strategy, check_fit, guarded, name_of, prior_of
from optimal.baselines.view import Prior, Scoring
from optimal.errors import InputError, did_you_mean
from optimal.games.game import Game
from optimal.games.resources import stem_of, tree_file, tree_names
from optimal.labels import names_of
from optimal.show.words import quoted, within
from optimal.trees.file import read_tree
from optimal.trees.tree import StrategyTree

#: Packages offer strategies of their own by entry points of this group.
ENTRY_POINTS = "optimal.strategies"
#: The name under which a shipped tree takes part.
OPTIMAL = "optimal"


class PluginWarning(UserWarning):
    """An installed strategy can't be loaded."""


_MAKERS: tuple[Callable[..., Baseline], ...] = (
    *(partial(Greedy, measure=name) for name in MEASURES),
    partial(Greedy, prior=Prior.GUESSES),
    Weighted,
    LetterEntropy,
    Regions,
    FixedOpening,
    GlobalFrequency,
    PositionalFrequency,
    Popularity,
    Odds,
    partial(Odds, hard=True),
)
_BASELINES = {make().name: make for make in _MAKERS}  # each takes `openers`

# Beside the plain ones, a comparison shows letter frequency after two forced guesses.
_TWO_OPENERS = ("global=resin,ploat", "positional=pares,doilt")


class TreeStrategy:
    """Plays a strategy tree by look-up."""

    def __init__(self, tree: StrategyTree, name: str = OPTIMAL) -> None:
        self.tree, self.name = tree, name

    def unfit(self, game: Game) -> str | None:
        """Why the tree can't play this game; None when it can."""
        if self.tree.position:
            return f"strategy {self.name!r}: its tree starts after {self.tree.describe(self.tree.position)}"
        if self.tree.game.feedback != game.feedback:
            return f"strategy {self.name!r}: its tree has another kind of feedback than {game.name}"
        if self.tree.game.answers_sha256 != game.info.answers_sha256:
            return f"strategy {self.name!r}: its tree has other answers than {game.name}"
        return None

    def next_guess(self, position: Position) -> str:
        node = self.tree.follow(position.history)
        if node is None:
            raise InputError(f"the tree has no branch after {position.describe()}")
        return node.guess


def shipped_tree(game: Game) -> StrategyTree | None:
    """The shipped tree that is least in total for this game, its rules and its limit; None if there is none."""
    limit = game.max_guesses
    return next((tree for tree in _shipped(game) if limit is None or tree.worst <= limit), None)


def proven_bound(game: Game, tree: StrategyTree | None = None) -> int | None:
    """The best lower bound on the total within the game's limit that this tree and the shipped ones prove."""
    own = [tree] if tree is not None and _bounds(tree, game) else []
    return max((found.bound[0] for found in (*own, *_shipped(game))), default=None)


def _shipped(game: Game) -> list[StrategyTree]:
    """The shipped trees whose bounds hold for this game, those made for its very limit first."""
    stem, there = f"{stem_of(game.name)}-{game.rules}", tree_names()
    names = (f"{stem}-within{game.max_guesses}.msgpack", f"{stem}.msgpack")
    trees = (read_tree(tree_file(name)) for name in names if name in there)
    return [tree for tree in trees if _bounds(tree, game)]


def _bounds(tree: StrategyTree, game: Game) -> bool:
    """Whether the bound of this tree holds for these very lists, rules and limit.

    What no strategy can do within more guesses, none can do within fewer. Imported bounds are not its own.
    """
    plain = tree.objective == "mean" and not (tree.position or tree.weights or tree.openers or tree.ledgers)
    wide = tree.max_guesses is None or (game.max_guesses is not None and game.max_guesses <= tree.max_guesses)
    lists = ("feedback", "answers_sha256", "guesses_sha256", "matrix_sha256")
    same = all(getattr(tree.game, name) == getattr(game.info, name) for name in lists)
    return plain and wide and same and tree.rules == game.rules


def entries() -> tuple[Baseline, ...]:
    """The strategies that come with the program, each with its `name` and `title`."""
    return tuple(make() for make in _BASELINES.values())


def strategy(spec: str, game: Game | None = None) -> Strategy:
    """The strategy that a text names.

    It may be a name, alone or with first guesses ("odds", "odds=slate", "global=tares,indol"); "optimal", the
    shipped tree of `game`; the name of an installed entry point; or a Python path to a class (made without
    arguments) or an object, "module:Name" or "folder/file.py:Name". Raises InputError for anything else.
    """
    spec = spec.strip()
    name, equals, words = spec.partition("=")
    name = name.strip()
    if spec == OPTIMAL:
        tree = None if game is None else shipped_tree(game)
        if tree is None:
            what = "no game" if game is None else f"{game.name} with {game.rules} rules, {within(game.max_guesses)}"
            raise InputError(f"no optimal tree is shipped for {what}: solve it, or leave out the strategy 'optimal'")
        return TreeStrategy(tree)
    if name in _BASELINES:
        written = str.lower if game is None else game.written
        openers = tuple(written(word) for word in names_of(words) if word)
        if equals and not openers:
            raise InputError(f"strategy {quoted(spec)} names no word after =: write such as {name}=salet")
        return _BASELINES[name](openers=openers)
    points = _points()
    if spec in points:
        return _load(points[spec].load, spec)
    if ":" in spec:
        return _Loaded(spec, str(Path.cwd()))
    known = [*_BASELINES, OPTIMAL, *points]
    hint = did_you_mean(name, known, f"there are {', '.join(known)}")
    raise InputError(f"unknown strategy {quoted(spec)}{hint}; your own is named module:Class")


def default_strategies(game: Game, scoring: Scoring = Scoring.TRUE) -> tuple[Strategy, ...]:
    """The shipped optimal tree, if there is one for this feedback, and every known strategy that fits the game.

    An installed strategy that can't be loaded is left out, with a warning.
    """
    tree = shipped_tree(game) if scoring is Scoring.TRUE else None
    found: list[Strategy] = [] if tree is None else [TreeStrategy(tree)]
    for spec in dict.fromkeys((*_BASELINES, *_TWO_OPENERS, *_points())):
        if spec == "entropy-all" and len(game.guesses) == len(game.answers):
            continue  # the same as entropy
        try:
            candidate = strategy(spec)
        except InputError as error:  # somebody's package is broken, which must not stop all others
            warnings.warn(f"left out: {error}", PluginWarning, stacklevel=2)
            continue
        with suppress(InputError):
            check_fit(candidate, game)
            found.append(candidate)
    return tuple(found)


def _points() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=ENTRY_POINTS)}


class _Loaded:
    """A strategy by Python path. A process that plays in parallel loads it anew, from where it was found."""

    def __init__(self, spec: str, folder: str) -> None:
        self.spec, self.folder = spec, folder
        self.inner = _load(lambda: _by_path(spec, Path(folder)), spec)
        self.name, self.prior, self.next_guess = name_of(self.inner), prior_of(self.inner), self.inner.next_guess

    def __reduce__(self) -> tuple[type[_Loaded], tuple[str, str]]:
        return _Loaded, (self.spec, self.folder)

    def unfit(self, game: Game) -> None:
        """Raise InputError if the strategy says that it can't play this game."""
        check_fit(self.inner, game)


def _by_path(spec: str, folder: Path) -> Any:
    where, _, attribute = spec.rpartition(":")
    path = (folder / where).resolve()
    file = where.endswith(".py")
    if file and not path.is_file():
        raise InputError(f"strategy {quoted(spec)}: there is no file {where}")
    if str(path.parent if file else folder) not in sys.path:
        sys.path.append(str(path.parent if file else folder))
    found = importlib.import_module(path.stem if file else where)
    if file and Path(found.__file__ or "").resolve() != path:
        raise InputError(f"strategy {quoted(spec)}: another module is called {path.stem} too; rename the file")
    if not hasattr(found, attribute):
        raise InputError(f"strategy {quoted(spec)}: {where} has no {attribute!r}")
    return getattr(found, attribute)


def _load(find: Callable[[], Any], spec: str) -> Strategy:
    def make() -> Any:
        found = find()
        return found() if isinstance(found, type) else found

    made = guarded(f"strategy {quoted(spec)} can't be loaded", make)
    if not isinstance(made, Strategy):
        raise InputError(f"strategy {quoted(spec)} has no method next_guess(position)")
    return made
