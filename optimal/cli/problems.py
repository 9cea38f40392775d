"""Which game or table a command is about."""

from __future__ import annotations

import os
import signal
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from optimal.advice.position import any_answer, tiered
from optimal.checks import check_seconds
from optimal.cli.console import remark
from optimal.cli.inputs import check_no_turn, own_lists, read_list, reading_of, spelling_of, wrong_kind
from optimal.cli.options import number_in
from optimal.cli.parser import rules_hint
from optimal.errors import InputError, did_you_mean
from optimal.games.feedback import WordFeedback
from optimal.games.game import Game
from optimal.games.matrices import read_matrix
from optimal.games.presets import LONG, game_names, is_game, preset
from optimal.games.resources import names_file
from optimal.games.rules import Rules
from optimal.games.used import USED_WEIGHT, with_used
from optimal.games.weights import Weights, weights_of
from optimal.labels import EQUALS, is_label, names_of, unquoted
from optimal.memory import resident, size
from optimal.show.words import harmless, quoted
from optimal.trees.key import is_key

if TYPE_CHECKING:
    from optimal.tables.table import Table

MOST_NOTES = 10  # lines about the cells of a table
LOOK_EVERY = 0.1  # seconds


def game_of(arguments: Namespace, default: str = "classic") -> Game:
    """The game that the arguments name, within their limit of guesses, with the answers that --candidates asks for."""
    return as_asked(_named(arguments, default), arguments)


def is_long(game: Game) -> bool:
    """Whether a game ships and a search of it may take days."""
    return game.name in LONG and game.rules is Rules.NORMAL


def as_asked(game: Game, arguments: Namespace) -> Game:
    """The game with the answers and the limit of guesses that the arguments ask for."""
    if getattr(arguments, "candidates", "answers") == "guesses":
        game = any_answer(game)
    return game.with_rules(game.rules, arguments.max_guesses) if "max_guesses" in arguments else game


def weighed(game: Game, arguments: Namespace, tell: Callable[[str], None]) -> tuple[Game, Weights | None]:
    """The game with the weights that the arguments ask for: "tiers:1000" makes every guess an answer of it, and --used
    the words of its list. ``tell`` is called with what is odd about them."""
    named, used = arguments.weights, arguments.used
    if arguments.used_weight is not None and used is None:
        raise InputError("--used-weight goes with --used FILE")
    if used is not None:
        if named != "uniform":
            raise InputError("--used makes weights: leave out --weights")
        many = len(game.answers)
        game, weights = with_used(game, used, arguments.used_weight or USED_WEIGHT)
        if weights is None and len(game.answers) < many:
            tell(f"{harmless(used)}: {many - len(game.answers)} of {many} answers were used before, and are left out")
    elif named.partition(":")[0] == "tiers" and not os.path.exists(named):
        times = number_in(named.partition(":")[2])
        if times < 2:
            raise InputError(f"weights {quoted(named)}: write such as tiers:1000, with a number from 2 on")
        game, weights = tiered(game, times)
    else:
        weights = weights_of(game, named)
    if weights is not None and weights.note:
        tell(f"{weights_named(arguments)}: {weights.note}")
    return game, weights


def weights_named(arguments: Namespace) -> str:
    """Where the weights come from."""
    return harmless(arguments.weights if arguments.used is None else arguments.used)


def _named(arguments: Namespace, default: str) -> Game:
    placed = getattr(arguments, "placed_game", None)
    if placed is not None and arguments.game is not None:
        raise InputError(f"the game is named twice, {quoted(placed)} and --game {quoted(arguments.game)}")
    name = placed or arguments.game
    files = {"matrix": "--matrix", "word_list": "--words", "guesses": "--guesses", "answers": "--answers"}
    given = [option for name, option in files.items() if getattr(arguments, name) is not None]
    if name is not None and given and given != ["--answers"]:
        raise InputError(f"name a game, {quoted(name)}, or give {' and '.join(given)}, not both")
    if arguments.winning is not None and arguments.matrix is None:
        raise InputError("--winning goes with --matrix FILE")
    # A search from a position needs less than one of the whole game: how much, is known when it begins.
    limit = None if getattr(arguments, "position", None) else getattr(arguments, "memory_limit", None)
    if arguments.matrix is not None:
        if len(given) > 1:
            raise InputError(f"--matrix is a whole game: leave out {' and '.join(given[1:])}")
        return _of_matrix(arguments)
    if name is not None and arguments.answers is not None and is_game(name):
        return _with_answers(name, arguments, limit)
    own = own_lists(arguments)
    if own is not None:
        called = _name_of(arguments, arguments.word_list or arguments.answers, "words")
        spelling = spelling_of(arguments)
        return Game.from_words(*own, name=called, rules=arguments.rules, memory_limit=limit, spelling=spelling)
    if name is not None and not is_game(name):
        _check_game_name(name)
    return Game.preset(name or default, arguments.rules, memory_limit=limit)


def _with_answers(name: str, arguments: Namespace, memory_limit: int | None) -> Game:
    """A game that ships, with answers of one's own."""
    known = preset(name)
    if not isinstance(known.feedback, WordFeedback):
        raise InputError(f"{known.name} is no game of words: leave out --answers")
    if getattr(arguments, "candidates", "answers") == "guesses":
        raise InputError("--candidates guesses makes every guess an answer: leave out --answers")
    answers = read_list(arguments, arguments.answers)
    called = _name_of(arguments, arguments.answers, "words")
    guesses, spelling = known.guesses(), spelling_of(arguments)
    return Game.from_words(
        guesses, answers, name=called, rules=arguments.rules, memory_limit=memory_limit, spelling=spelling
    )


def _check_game_name(name: str) -> None:
    """InputError where somebody has named something else in the place of a game."""
    if os.path.isfile(name):
        raise wrong_kind(name, "a game")
    if names_file(name):
        raise InputError(f"there is no file {quoted(name, 200)}")
    if hint := rules_hint(name):
        raise InputError(f"{quoted(name)} is no game{hint}")
    check_no_turn(name)


def _of_matrix(arguments: Namespace) -> Game:
    path = arguments.matrix
    for flag in reading_of(arguments):
        raise InputError(f"{flag} is for lists of words, not for --matrix")
    matrix = read_matrix(path)
    return Game.from_matrix(
        matrix.rows,
        matrix.winning_code(None if arguments.winning is None else unquoted(arguments.winning), path),
        name=_name_of(arguments, path, "matrix"),
        guesses=matrix.guesses,
        answers=matrix.answers,
        labels=matrix.labels,
        rules=arguments.rules,
    )


def _name_of(arguments: Namespace, path: str, otherwise: str) -> str:
    """The name that is asked for, or that of the file, where it can be one."""
    stem = os.path.splitext(os.path.basename(path))[0]
    return arguments.name or (stem if is_label(stem) and not is_game(stem) else otherwise)


def take_game(arguments: Namespace, words: list[str], *, files: bool = False) -> list[str]:
    """The words without the first, where that names the game: `game_of` then finds it. InputError for a file, where it
    is no ``files`` that are named."""
    if words and is_game(words[0]):
        arguments.placed_game = words[0]
        words = words[1:]
    if not (files or arguments.matrix or arguments.word_list or arguments.guesses):
        for word in words:
            if names_file(word) and os.path.isfile(word):
                raise wrong_kind(word, "a word")
            if hint := rules_hint(word):
                raise InputError(f"{quoted(word)} is no word of this game{hint}")
    return words


def guesses_in(words: list[str]) -> list[str]:
    """The guesses in words that may have commas between or after them."""
    return [guess for word in words for guess in names_of(word) if guess]


def check_first_word(words: list[str], game: Game) -> None:
    """InputError where a game may be named before guesses, and the first word is no guess, but nearly such a name."""
    if not words or EQUALS in words[0] or game.written(unquoted(words[0])) in game.guesses:
        return
    if is_game(words[0]):
        raise InputError(f"a second game is named, {quoted(words[0])}")
    if near := did_you_mean(words[0], game_names()):
        raise InputError(f"unknown game {quoted(words[0])}{near}")


def table_of(path: str, arguments: Namespace) -> Table:
    """The table in a file, with the parts that the arguments name; what is odd about it goes to standard error."""
    classes = arguments.classes or ()
    for at, (column, _) in enumerate(classes):
        if column in dict(classes[:at]):
            raise InputError(f"--classes has {quoted(column)} twice: give all of its borders at once")
    with _reading(path, arguments):
        if is_key(path):
            raise wrong_kind(path, "a table")
        from optimal.tables.table import Table  # here, because games need it not

        table = Table.from_csv(
            path,
            cost_row=arguments.cost_row,
            weight_column=arguments.weight_column,
            group_column=arguments.group_column,
            without=arguments.without or (),
            only=arguments.only,
            classes=dict(classes),
            separator=arguments.separator,
            transpose=arguments.transpose,
        )
    for note in table.notes[:MOST_NOTES]:
        remark(note)
    if len(table.notes) > MOST_NOTES:
        remark(f"and {len(table.notes) - MOST_NOTES} cells more like these")
    return table


@contextmanager
def _reading(path: str, arguments: Namespace) -> Iterator[None]:
    """Keep to --time-limit and --memory-limit while a table is read."""
    seconds, memory = check_seconds(getattr(arguments, "time_limit", None)), getattr(arguments, "memory_limit", None)

    def look(*_: object) -> None:
        if seconds is not None and arguments.clock.seconds > seconds:
            raise InputError(f"{path} was not read within {seconds:g} seconds; give it more, or a smaller table")
        if memory is not None and (held := resident() or 0) > memory:
            raise InputError(f"{path} takes more than the limit of memory to read: {size(held)} of {size(memory)}")

    if (seconds is None and memory is None) or not hasattr(signal, "setitimer"):  # Windows
        yield
        return
    before = signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, LOOK_EVERY, LOOK_EVERY)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
