"""What several commands share: naming a game, a tree, a number or a file, and printing JSON and tables.

Light: nothing here may import numpy before a `Game` is really wanted.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TypeVar

from optimal.checks import BACKENDS, WAIT, check_seconds
from optimal.cli import DONE, FEASIBLE, INTERRUPTED, NO, remark
from optimal.cli.apart import BESIDE_JOURNALS, reads, writes
from optimal.errors import InputError, OptimalError, did_you_mean
from optimal.files import read_text, write_whole
from optimal.games.presets import game_names, is_game
from optimal.games.resources import names_file, tree_names
from optimal.games.rules import Rules, rules_of
from optimal.games.wordlists import read_words
from optimal.labels import EQUALS, check_label, is_label, names_of, unquoted
from optimal.limits import MOST_JOBS
from optimal.show.text import printable
from optimal.show.tiles import painted, palette_of
from optimal.show.words import counted, quoted
from optimal.trees.codec import tree_path

if TYPE_CHECKING:
    from optimal.games.game import Game
    from optimal.games.matrices import Matrix
    from optimal.search.result import Status
    from optimal.tables.table import Table
    from optimal.trees.tree import Scorer, StrategyTree

T = TypeVar("T")

#: The game where none is named: that of the literature, and for players today's.
DEFAULT_GAME, PLAYED_GAME = "classic", "nyt"
#: The trees of a page for which none are named.
PAGES = (PLAYED_GAME, DEFAULT_GAME)
STDOUT = "-"  # the file of --csv when none is named
MOST_TOP = 1_000_000  # of the best that are asked for
MOST_NOTES = 10  # lines about the cells of a table


# Arguments


def option(read: Callable[[str], T]) -> Callable[[str], T]:
    """A reader for argparse's `type=` that keeps its own message: argparse hides that of a ValueError."""

    def reader(text: str) -> T:
        try:
            return read(text)
        except InputError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return reader


def completed(action: argparse.Action, names: Callable[[], list[str]]) -> None:
    """Let a shell complete the argument with these names."""
    action.completer = lambda **_: names()  # type: ignore[attr-defined]


def add_game(parser: argparse.ArgumentParser, *, placed: bool = True, default: str = DEFAULT_GAME) -> None:
    """GAME or --game GAME, --guesses, --answers, --words, --length and --rules.

    Commands whose places are for other words have it ``placed`` among these; `take_game` finds it there.
    """
    parser.set_defaults(default_game=default)
    about = f"a game by name, see `optimal games` (default: {default})"
    if placed:
        # Under another name: a place that is left empty would set the option back.
        completed(parser.add_argument("placed_game", nargs="?", metavar="GAME", help=about), game_names)
    completed(
        parser.add_argument("--game", metavar="GAME", help="the same as an option" if placed else about), game_names
    )
    add_lists(parser)
    reads(
        parser.add_argument(
            "--matrix",
            metavar="FILE",
            help="any game as a table: CSV or Excel with answers, guesses and feedback, or .npy",
        )
    )
    parser.add_argument(
        "--winning",
        metavar="LABEL",
        help="the reply to a right guess, where guesses and answers have other names",
    )
    add_rules(parser)


def add_lists(parser: argparse.ArgumentParser) -> None:
    """--guesses, --answers, --words and --length, for `own_lists`."""
    reads(parser.add_argument("--guesses", metavar="FILE", help="own list of guesses, one word a line"))
    reads(parser.add_argument("--answers", metavar="FILE", help="own list of answers, each of them a guess too"))
    about = "one own list of words, all of them guesses and answers"
    reads(parser.add_argument("--words", dest="word_list", metavar="FILE", help=about))
    parser.add_argument(
        "--length", type=whole_number(2, 10), metavar="N", help="only the words of this length in own lists"
    )
    parser.add_argument(
        "--name", type=option(own_name), metavar="NAME", help="what a game of own is called (default: as its file)"
    )


def own_name(text: str) -> str:
    """The name of a game of own: InputError for one that can't be shown, or that is another game's."""
    if is_game(check_label(text, "the name of a game")):
        raise InputError(f"{quoted(text)} is the name of a game that ships: call your own another")
    return text


def _name_of(arguments: argparse.Namespace, path: str) -> str:
    """The name that is asked for, or that of the file, where it is one."""
    if arguments.name is not None:
        return str(arguments.name)
    stem = os.path.splitext(os.path.basename(path))[0]
    return stem if is_label(stem) and not is_game(stem) else "words" if arguments.matrix is None else "matrix"


def add_rules(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--rules",
        type=option(rules_of),
        default=Rules.NORMAL,
        metavar="RULES",
        help=f"{', '.join(map(str, Rules))} (default: {Rules.NORMAL})",
    )


def add_scoring(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "--scoring",
        choices=("true", "naive"),
        default="true",
        help="the rule of feedback: the game's, or the naive one of some baselines (default: true)",
    )


def add_limit(parser: argparse.ArgumentParser, default: str = "the game's, 6 for words") -> None:
    """--max-guesses, which `game_of` heeds; left out, it is the game's own limit."""
    parser.add_argument(
        "--max-guesses",
        type=option(limit_of_guesses),
        default=argparse.SUPPRESS,
        metavar="N",
        help=f"the limit of guesses, or none (default: {default})",
    )


def add_openers(parser: argparse.ArgumentParser, about: str) -> None:
    openers = parser.add_argument("--openers", type=option(openers_of), metavar="WORD,...|@FILE", help=about)
    reads(openers, lambda named: named.source)


def add_jobs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--jobs", type=whole_number(1, MOST_JOBS), default=1, metavar="N", help="how many run at once (default: 1)"
    )


def add_backend(parser: argparse.ArgumentParser) -> None:
    """--backend, --scheduler and --wait."""
    parser.add_argument(
        "--backend", choices=BACKENDS, default=BACKENDS[0], help=f"how the jobs run (default: {BACKENDS[0]})"
    )
    parser.add_argument(
        "--scheduler", metavar="ADDRESS", help="the cluster of the backend dask; without it, workers are started here"
    )
    parser.add_argument(
        "--wait",
        type=option(seconds),
        metavar="SECONDS",
        help="wait so long for the scheduler and its first worker, and for others where they are lost "
        f"(default: {WAIT:g})",
    )


def add_time_limit(parser: argparse.ArgumentParser) -> None:
    """--time-limit."""
    parser.add_argument("--time-limit", type=option(seconds), metavar="SECONDS", help="stop after this long")


def add_stops(parser: argparse.ArgumentParser) -> None:
    """--time-limit and --memory-limit, which `game_of` heeds."""
    add_time_limit(parser)
    parser.add_argument(
        "--memory-limit",
        type=option(memory),
        metavar="SIZE",
        help="memory for the whole run, such as 800M or 2G; refused at the start if it is too little",
    )


def add_journal(parser: argparse.ArgumentParser) -> None:
    about = "keep what is proven in this file, and go on from what it has"
    writes(parser.add_argument("--journal", metavar="FILE", help=about), BESIDE_JOURNALS)


def add_gap(parser: argparse.ArgumentParser, best: str, unit: str) -> None:
    about = f"stop when the proven bound is this close to the best {best}: 1%%, or 40 ({unit})"
    parser.add_argument("--gap", metavar="GAP", help=about)


def add_import(parser: argparse.ArgumentParser) -> None:
    about = "add the bounds of a ledger to the journal, see `optimal status --export`"
    reads(parser.add_argument("--import", dest="ledger", metavar="LEDGER", help=about))


def check_import(arguments: argparse.Namespace) -> None:
    """Raise InputError for --import without --journal."""
    if arguments.ledger is not None and arguments.journal is None:
        raise InputError("--import goes with --journal: that is where the bounds go")


def take_ledger(arguments: argparse.Namespace, game: Game, **question: Any) -> None:
    """Let the journal have the ledger of --import, if there is one."""
    if arguments.ledger is not None:
        from optimal.search.importing import import_ledger

        limit = arguments.memory_limit
        taken = import_ledger(game, arguments.ledger, arguments.journal, **question, memory_limit=limit)
        remark(f"{counted(taken, 'opener')} taken over from {arguments.ledger}")


def add_log(parser: argparse.ArgumentParser) -> None:
    """-v and --log, for `log_to`."""
    parser.add_argument("-v", "--verbose", action="store_true", help="say more, on standard error")
    about = "write what happens when to this file, a JSON object a line; slow openers too"
    writes(parser.add_argument("--log", metavar="FILE", help=about))


@contextmanager
def log_to(path: str | None) -> Iterator[Callable[[dict[str, object]], None] | None]:
    """What writes the events of a run to a file, one after the other; None without one.

    Raises InputError where it can't be opened. What can't be written later is left out: no run ends for its log.
    """
    if path is None:
        yield None
        return
    try:
        file = open(path, "a", encoding="utf-8")  # noqa: SIM115
    except (OSError, ValueError) as error:
        raise InputError(f"cannot write the log {path}: {getattr(error, 'strerror', None) or error}") from None

    def write(event: dict[str, object]) -> None:
        with suppress(OSError):
            file.write(json.dumps(event) + "\n")
            file.flush()

    try:
        yield write
    finally:
        with suppress(OSError):
            file.close()


def add_candidates(parser: argparse.ArgumentParser) -> None:
    """--candidates, which `game_of` heeds."""
    parser.add_argument(
        "--candidates",
        choices=("answers", "guesses"),
        default="answers",
        help="which words may be the answer: the game's answers, or all guesses (default: answers)",
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")


def add_contrast(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--contrast", action="store_true", help="orange and blue on a terminal with colours, not green and yellow"
    )


def add_output(parser: argparse.ArgumentParser, about: str, *, metavar: str = "FILE", required: bool = False) -> None:
    """--output, -o for short."""
    writes(parser.add_argument("-o", "--output", required=required, metavar=metavar, help=about))


def add_csv(parser: argparse.ArgumentParser) -> None:
    about = "write CSV to this file, or print it instead of tables"
    writes(parser.add_argument("--csv", nargs="?", const=STDOUT, metavar="FILE", help=about))


def check_csv(arguments: argparse.Namespace) -> None:
    """InputError for a --csv that can't be heeded: found out before the work."""
    if arguments.csv is None:
        return
    if arguments.csv == STDOUT:
        if arguments.json:
            raise InputError("--json and --csv both go to standard output: name a file after --csv")
        return
    if not os.path.splitext(arguments.csv)[1] and not os.path.exists(arguments.csv):
        raise InputError(
            f"--csv takes {quoted(arguments.csv)} for a file: put it before --csv, or name a file such as out.csv"
        )
    check_writable(arguments.csv)


def add_tree(parser: argparse.ArgumentParser, nargs: str | None = None, about: str = "") -> None:
    action = parser.add_argument(
        "tree",
        nargs=nargs,
        metavar="TREE",
        help=f"a tree file, or the name of a shipped tree, such as classic-normal{about}",
    )
    completed(reads(action, tree_path), lambda: [name.removesuffix(".msgpack") for name in tree_names()])


def add_page_trees(parser: argparse.ArgumentParser) -> None:
    """The trees of a page, of which none need be named."""
    add_tree(parser, "*", f"; without one, the page has {' and '.join(PAGES)}")
    about = "the words that may be guessed in a game of your own lists, one a line, for a page"
    reads(parser.add_argument("--guesses", metavar="FILE", help=about))


def page_trees(named: list[str]) -> list[str]:
    """The trees that are named, or those of a page for which none are."""
    return named or [tree_path(game) for game in PAGES]


def page_guesses(path: str | None) -> list[str] | None:
    """The words of the file of `add_page_trees`."""
    return None if path is None else read_words(path)


def add_table_names(parser: argparse.ArgumentParser) -> None:
    """The names of what in a table is no object or question, for `table_of`."""
    parser.add_argument("--cost-row", metavar="NAME", help="the row that holds what each question costs")
    parser.add_argument("--weight-column", metavar="NAME", help="the column that holds how much each object counts")
    about = "the column that holds the group of each object; objects of one group needn't be told apart"
    parser.add_argument("--group-column", metavar="NAME", help=about)
    about = "the questions stand in the first column, the objects in the first row; then costs are a column"
    parser.add_argument("--transpose", action="store_true", help=about)


def table_of(path: str, arguments: argparse.Namespace) -> Table:
    """The table of a file, with what `add_table_names`' arguments name; what is odd about it goes to standard error."""
    from optimal.tables.key import is_key
    from optimal.tables.table import Table

    if is_key(path):
        raise InputError(f"{path} is a key: name the table that it was made from, or `optimal play {path}`")
    table = Table.from_csv(
        path,
        cost_row=arguments.cost_row,
        weight_column=arguments.weight_column,
        group_column=arguments.group_column,
        transpose=arguments.transpose,
    )
    for note in table.notes[:MOST_NOTES]:
        remark(note)
    if len(table.notes) > MOST_NOTES:
        remark(f"and {len(table.notes) - MOST_NOTES} cells more like these")
    return table


def check_table_names(arguments: argparse.Namespace) -> None:
    """InputError where what `add_table_names` adds is given without --table."""
    for name in ("cost_row", "weight_column", "group_column", "transpose"):
        if getattr(arguments, name):
            raise InputError(f"--{name.replace('_', '-')} goes with --table: it is about a table")


def add_tree_matrix(parser: argparse.ArgumentParser, about: str) -> None:
    """--matrix of a tree's game, for `tree_scorer`."""
    reads(parser.add_argument("--matrix", metavar="FILE", help=f"the matrix of a game that is a bare one{about}"))


def tree_matrix(tree: StrategyTree, path: str) -> Matrix:
    """The matrix of a file, for a tree whose game is a bare one."""
    if tree.game.feedback is not None:
        raise InputError(f"--matrix is for the trees of bare matrices; {tree.game.name} brings its own feedback")
    from optimal.games.matrices import read_matrix

    return read_matrix(path)


def tree_scorer(tree: StrategyTree, path: str | None) -> Scorer | None:
    """The scorer that the file of `add_tree_matrix` makes; None without a file, and where none is needed."""
    if path is None and tree.game.feedback is None:
        raise InputError(
            f"{tree.game.name} is a bare matrix, whose feedback is not in the tree's file: add --matrix FILE"
        )
    if path is None:
        return None
    from optimal.games.game import Game

    held = tree_matrix(tree, path)
    game = Game.from_matrix(held.rows, tree.game.winning_code, guesses=held.guesses, answers=held.answers)
    places = {answer: place for place, answer in enumerate(game.answers)}
    # Trees of an older form don't name their matrix.
    if tree.game.matrix_sha256 not in (None, game.info.matrix_sha256) or not places.keys() >= set(tree.answers):
        raise InputError(f"{path} is not the matrix of this tree")
    return lambda guess, answer: int(game.matrix[game.guess_index(guess), places[answer]])


def game_of(arguments: argparse.Namespace) -> Game:
    """The game that `add_game`'s arguments name, within the limit of `add_limit`'s, with `add_candidates`' answers."""
    return _as_asked(_game_named(arguments), arguments)


def named_game(name: str, rules: Rules, arguments: argparse.Namespace) -> Game:
    """The game of this name, with the limit and the answers that the arguments ask for."""
    from optimal.games.game import Game

    return _as_asked(Game.preset(name, rules), arguments)


def _as_asked(game: Game, arguments: argparse.Namespace) -> Game:
    if getattr(arguments, "candidates", "answers") == "guesses":
        from optimal.advice.position import any_answer

        game = any_answer(game)
    return game.with_rules(game.rules, arguments.max_guesses) if "max_guesses" in arguments else game


def take_game(arguments: argparse.Namespace, words: list[str]) -> list[str]:
    """The words without the first, where that names the game: `game_of` then finds it."""
    if not words or not is_game(words[0]):
        return words
    arguments.placed_game = words[0]
    return words[1:]


def check_first_word(words: list[str], game: Game) -> None:
    """InputError where a game may be named before guesses, and the first word is no guess, but nearly such a name."""
    if not words or EQUALS in words[0] or game.written(unquoted(words[0])) in game.guesses:
        return
    if near := did_you_mean(words[0], game_names()):
        raise InputError(f"unknown game {quoted(words[0])}{near}")


def check_no_file(arguments: argparse.Namespace, words: list[str]) -> None:
    """InputError for a list, a tree, a table or a key of objects that is named where words are wanted."""
    if arguments.matrix is None and arguments.word_list is None and arguments.guesses is None:
        for word in words:
            if names_file(word) and os.path.isfile(word):
                _check_no_key(word)
                if word.endswith(".msgpack"):
                    raise InputError(f"{quoted(word)} is a tree, which `optimal play` takes: name its game here")
                raise InputError(
                    f"{quoted(word)} is a file, no word: of a table of objects and questions "
                    f"`optimal suggest --table {word}` ranks the questions, and --words FILE takes a list of words"
                )


def _check_no_key(path: str) -> None:
    from optimal.tables.key import is_key

    if is_key(path):
        raise InputError(
            f"{path} is a key: `optimal play {path}` asks along it, `optimal suggest --table TABLE` ranks the "
            "questions of the table that it was made from"
        )


def _game_named(arguments: argparse.Namespace) -> Game:
    from optimal.games.game import Game

    placed = getattr(arguments, "placed_game", None)
    if placed is not None and arguments.game is not None:
        raise InputError(f"the game is named twice, {quoted(placed)} and --game {quoted(arguments.game)}")
    name = arguments.game if placed is None else placed
    # A search from a position needs less than one of the whole game: how much, is known when it begins.
    limit = None if getattr(arguments, "position", None) else getattr(arguments, "memory_limit", None)
    lists = {
        "--matrix": arguments.matrix,
        "--words": arguments.word_list,
        "--guesses": arguments.guesses,
        "--answers": arguments.answers,
    }
    given = [flag for flag, file in lists.items() if file is not None]
    if arguments.winning is not None and arguments.matrix is None:
        raise InputError("--winning goes with --matrix FILE")
    if not given:
        own_lists(arguments)  # for what it says of --length and --name
        if name is not None and not is_game(name) and os.path.isfile(name):
            _check_no_key(name)
            raise InputError(
                f"{quoted(name)} is a file, no game: write --words FILE, or --matrix FILE for a table of replies to "
                "guesses; of a table of objects and questions `optimal identify FILE` finds the key"
            )
        return Game.preset(name or arguments.default_game, arguments.rules, memory_limit=limit)
    if name is not None:
        raise InputError(f"name a game, {quoted(name)}, or give {' and '.join(given)}, not both")
    if arguments.matrix is not None:
        if len(given) > 1:
            raise InputError(f"--matrix is a whole game: leave out {' and '.join(given[1:])}")
        return _matrix_game(arguments)
    own = own_lists(arguments)
    assert own is not None
    path = arguments.answers if arguments.word_list is None else arguments.word_list
    return Game.from_words(*own, name=_name_of(arguments, path), rules=arguments.rules, memory_limit=limit)


def own_lists(arguments: argparse.Namespace) -> tuple[list[str], list[str]] | None:
    """The guesses and the answers of `add_lists`' arguments; None where there are none."""
    lists = {"--guesses": arguments.guesses, "--answers": arguments.answers}
    given = [flag for flag, file in lists.items() if file is not None]
    if arguments.word_list is not None:
        if given:
            raise InputError(f"--words is a list of guesses and answers in one: leave out {' and '.join(given)}")
        words = read_words(arguments.word_list, length=arguments.length, tell=remark)
        return words, words
    if not given:
        for flag in ("length", "name"):
            if getattr(arguments, flag) is not None:
                raise InputError(f"--{flag} is for own lists of words: give --words FILE, or --guesses and --answers")
        return None
    if len(given) == 1:
        flag = next(flag for flag in lists if flag not in given)
        raise InputError(f"{flag} is missing: own lists need both --guesses FILE and --answers FILE, or --words FILE")
    guesses, answers = (read_words(file, length=arguments.length, tell=remark) for file in lists.values())
    return guesses, answers


def _matrix_game(arguments: argparse.Namespace) -> Game:
    from optimal.games.game import Game
    from optimal.games.matrices import read_matrix

    path = arguments.matrix
    if arguments.length is not None:
        raise InputError("--length is for lists of words, not for --matrix")
    matrix = read_matrix(path)
    return Game.from_matrix(
        matrix.rows,
        matrix.winning_code(None if arguments.winning is None else unquoted(arguments.winning), path),
        name=_name_of(arguments, path),
        guesses=matrix.guesses,
        answers=matrix.answers,
        labels=matrix.labels,
        rules=arguments.rules,
    )


def whole_number(low: int, high: int) -> Callable[[str], int]:
    """A reader of whole numbers from low to high."""

    def read(text: str) -> int:
        # int() also takes signs, underscores, other scripts' digits, and thousands of digits.
        number = int(text) if text.isascii() and text.isdecimal() and len(text) <= 18 else None
        if number is None or not low <= number <= high:
            raise InputError(f"{quoted(text)} is not a whole number from {low} to {high}")
        return number

    return option(read)


def limit_of_guesses(text: str) -> int | None:
    """The number of a limit of guesses, or None for "none"."""
    if text.strip().lower() == "none":
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= 9 and int(text) >= 1):
        raise InputError(f"{quoted(text)} is not a limit of guesses: give a number from 1 on, or none")
    return int(text)


def seconds(text: str) -> float | None:
    """A time in seconds, more than 0."""
    # float() also takes underscores and other scripts' digits.
    if not re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", text):
        raise InputError(f"{quoted(text)} is not a time: give seconds, such as 90")
    return check_seconds(float(text))


def memory(text: str) -> int:
    """An amount of memory in bytes, written such as 800M or 2G."""
    digits, unit = text[:-1], text[-1:].upper()
    factor = {"K": 2**10, "M": 2**20, "G": 2**30}.get(unit)
    if not (factor and digits.isascii() and digits.isdecimal() and len(digits) <= 9 and int(digits)):
        raise InputError(f"{quoted(text)} is not an amount of memory: write such as 800M or 2G")
    return int(digits) * factor


class Openers(list[str]):
    """First guesses, and the file that they are from, "" for none."""

    source = ""


def openers_of(text: str) -> Openers:
    """The guesses of "salet,crane" or "@FILE", in which they stand one a line or with commas."""
    where = source = ""
    if text.startswith("@"):
        source = text[1:]
        text = read_text(source, "openers").strip().replace("\n", ",")
        where = f"{source}: "
    try:
        words = names_of(text)
    except InputError as error:
        raise InputError(f"{where}{error}") from None
    if not any(words):
        raise InputError(f"{where}no opener is named; write such as salet,crane")
    if "" in words:
        raise InputError(f"{where}opener {words.index('') + 1} is blank; write such as salet,crane")
    openers = Openers(words)
    openers.source = source
    return openers


def check_writable(path: str) -> None:
    """Raise InputError unless a file can be written there: better now than after hours of work."""
    if not path:
        raise InputError("the name of the output file is empty")
    if os.path.isdir(path):
        raise InputError(f"cannot write {path}: it is a folder; name a file in it")
    if os.path.exists(path) and not os.path.isfile(path):
        raise InputError(f"cannot write {path}: it is no ordinary file")
    if os.path.exists(path) and not os.access(path, os.W_OK):
        raise InputError(f"cannot write {path}: it is read-only")
    # Only trying tells: a file system may be full or read-only, whatever the permissions say. Links are followed.
    target = os.path.realpath(path)
    trial = os.path.join(os.path.dirname(target), f".{os.urandom(8).hex()}.tmp")
    try:
        if os.path.islink(target):
            raise OSError(None, "the link leads nowhere")
        os.close(os.open(trial, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        os.unlink(trial)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from None


# Output


def print_json(fields: Mapping[str, Any]) -> None:
    """One JSON object on standard output, in plain ASCII so that every terminal and pipe can take it."""
    print(json.dumps(fields))


def print_result(
    arguments: argparse.Namespace,
    csv: Callable[[], str],
    fields: Callable[[], Mapping[str, Any]],
    text: Callable[[], str],
) -> None:
    """A result as CSV, as one JSON object or as text, whichever is asked for; CSV may go to a file beside."""
    if arguments.csv not in (None, STDOUT):
        write_whole(arguments.csv, [csv().encode()])
    if arguments.json:
        print_json(fields())
    elif arguments.csv == STDOUT:
        sys.stdout.write(csv())
    else:
        print_painted(arguments, text())


def print_painted(arguments: argparse.Namespace, text: str) -> None:
    """Print a text, its guesses as coloured tiles where the terminal has colours; --contrast chooses which."""
    palette = palette_of(sys.stdout, contrast=getattr(arguments, "contrast", False))
    print_text(painted(f"{text}\n", palette))


def print_text(text: str) -> None:
    """Print a text with bars and dots in it, in plain ASCII where the output can't take them."""
    sys.stdout.write(printable(text))


def tell_journal(command: str, journal: str | None, stop_reason: str) -> None:
    """Say on standard error how a run that was stopped goes on, or that the journal could not be written."""
    if journal is not None and stop_reason.startswith("cannot write the journal"):
        remark(f"optimal {command}: {stop_reason}; what was proven before is in it")
    elif journal is not None and stop_reason.startswith("the journal"):
        remark(f"optimal {command}: {stop_reason}")
    elif journal is not None and stop_reason in ("interrupted", "time limit", "memory limit"):
        remark(f"{journal} has what is proven: the same command goes on from there")


def write_or_keep(command: str, path: str, save: Callable[[str], None], what: str) -> str | None:
    """Write a tree, or what it is, where it was asked for, or else where it can be kept: it may have taken days. The
    file's name, or None if it can be kept nowhere; what went wrong is said on standard error."""
    import tempfile

    try:
        save(path)
        return path
    except OptimalError as error:
        remark(f"optimal {command}: {error}")
    for folder in (os.path.dirname(os.path.abspath(path)), os.curdir, tempfile.gettempdir()):
        # Under a name of its own: the one asked for may be what can't be written, or be taken in this folder.
        kept = os.path.join(folder, f"optimal-{os.urandom(4).hex()}.msgpack")
        try:
            save(kept)
        except OptimalError:
            continue
        remark(f"optimal {command}: the {what} is kept in {quoted(kept, 300)}")
        return kept
    remark(f"optimal {command}: the {what} could not be kept anywhere else")
    return None


def exit_status(status: Status, stop_reason: str | None) -> int:
    """What a search says by its exit status."""
    if stop_reason == "interrupted":
        return INTERRUPTED
    return {"OPTIMAL": DONE, "FEASIBLE": FEASIBLE}.get(status.value, NO)
