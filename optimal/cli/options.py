"""The arguments of the commands: each is declared once, with the readers of what is typed.

`commands.py` says which of them a command takes. Light: it is imported for help and for mistakes, so that it must do
without numpy.
"""

from __future__ import annotations

import os
import re
from argparse import SUPPRESS, Namespace
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from optimal.checks import BACKENDS, WAIT, check_seconds
from optimal.errors import InputError
from optimal.files import read_text
from optimal.games.presets import is_game
from optimal.games.resources import tree_names
from optimal.games.rules import Rules, rules_of
from optimal.labels import check_label, names_of, unquoted
from optimal.limits import LONGEST_LIST, MOST_JOBS
from optimal.show.words import quoted

#: The game where none is named: that of the literature, and for players today's.
DEFAULT_GAME, PLAYED_GAME = "classic", "nyt"
#: The games of a page for which no tree is named.
PAGES = (PLAYED_GAME, DEFAULT_GAME)
STDOUT = "-"  # the file of --csv when none is named
MOST_TOP = 1_000_000  # of the best that are asked for

#: The sections of a command's help, in their order.
SECTIONS = ("arguments", "position", "question", "game", "table", "strategies", "limits", "work", "output")
#: What a command does with the file that an argument names: no output may be one of the others. A journal is read and
#: written, and opened by its run; other outputs are tried before any work.
Use = Literal["read", "write", "journal", ""]


@dataclass(frozen=True)
class Option:
    """An argument: its section of the help, its names, what argparse is to know, and the use of the file it names."""

    section: str
    names: tuple[str, ...]
    settings: Mapping[str, Any]
    file: Use = ""

    def but(self, help: str, **settings: Any) -> Option:
        """The same with another help, of which "..." is the old one, and with other settings of argparse."""
        text = help.replace("...", str(self.settings["help"]), 1)
        return replace(self, settings={**self.settings, "help": text, **settings})


def option(section: str, usage: str, help: str, *, file: Use = "", **settings: Any) -> Option:
    """An argument by its usage, such as "-o --output FILE"; one that names no value has choices or is a flag.

    The first of choices is the default. Defaults stand behind the help.
    """
    *names, last = usage.split()
    if not last.startswith("-"):
        settings["metavar"] = last
    else:
        names.append(last)
        if "choices" in settings:
            settings.setdefault("default", settings["choices"][0])
        else:
            settings.setdefault("action", "store_true")
    if settings.get("default") not in (None, SUPPRESS):
        help += f" (default: {settings['default']})"
    return Option(section, tuple(names), {"help": help, **settings}, file)


#: Arguments of each section.
arguments, position, question = partial(option, "arguments"), partial(option, "position"), partial(option, "question")
game, table, strategies = partial(option, "game"), partial(option, "table"), partial(option, "strategies")
limits, work, output = partial(option, "limits"), partial(option, "work"), partial(option, "output")


# Readers of what is typed


def number_in(text: str) -> int:
    """The number that a text is; -1 where it is none. int() also takes signs, underscores, other scripts' digits, and
    thousands of digits."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 18 else -1


def whole_number(low: int, high: int) -> Callable[[str], int]:
    """A reader of whole numbers from low to high."""

    def read(text: str) -> int:
        if not low <= number_in(text) <= high:
            raise InputError(f"{quoted(text)} is not a whole number from {low} to {high}")
        return int(text)

    return read


def limit_of_guesses(text: str) -> int | None:
    """The number of a limit of guesses, or None for "none"."""
    if text.strip().lower() == "none":
        return None
    if number_in(text) < 1:
        raise InputError(f"{quoted(text)} is not a limit of guesses: give a number from 1 on, or none")
    return int(text)


def seconds(text: str) -> float:
    """A time in seconds, which may be written such as 90, 4m or 2h."""
    unit = {"s": 1, "m": 60, "h": 3600}.get(text[-1:].lower())
    try:
        return float(text) if unit is None else unit * float(text[:-1])
    except ValueError:
        raise InputError(f"{quoted(text)} is not a time: give seconds, such as 90, or such as 4m or 2h") from None


def memory(text: str) -> int:
    """An amount of memory in bytes, written such as 800M or 2G."""
    number, factor = number_in(text[:-1]), {"K": 2**10, "M": 2**20, "G": 2**30}.get(text[-1:].upper())
    if factor is None or number < 1:
        raise InputError(f"{quoted(text)} is not an amount of memory: write such as 800M or 2G")
    return number * factor


def own_name(text: str) -> str:
    """The name of a game of one's own, which must not be that of a game that ships."""
    if is_game(check_label(text, "the name of a game")):
        raise InputError(f"{quoted(text)} is the name of a game that ships: call your own another")
    return text


def csv_file(text: str) -> str:
    """The file of --csv, which may follow it or not: what looks like a word is none."""
    if text != STDOUT and not os.path.splitext(text)[1] and not os.path.exists(text):
        raise InputError(f"--csv takes {quoted(text)} for a file: put it before --csv, or name a file such as out.csv")
    return text


def openers_of(text: str) -> list[str]:
    """The first guesses of "salet,crane" or "@FILE", in which they stand one a line or with commas."""
    where = f"{text[1:]}: " if text.startswith("@") else ""
    if where:
        text = read_text(text[1:], "openers").strip().replace("\n", ",")
    try:
        words = names_of(text)
    except InputError as error:
        raise InputError(f"{where}{error}") from None
    if "" in words:
        what = f"opener {words.index('') + 1} is blank" if any(words) else "no opener is named"
        raise InputError(f"{where}{what}; write such as salet,crane")
    return words


def columns_of(text: str) -> list[str]:
    """The names of columns of a list."""
    return [name for name in names_of(text) if name]


#: A column, and its borders up to the name of the next.
_BORDERS = re.compile(r'\s*("(?:[^"]|"")*"|[^"].*?)\s*:([^,:"]+(?:,[^,:"]+)*)(?:,|$)')


def classes_of(text: str) -> list[tuple[str, list[str]]]:
    """The columns and the borders of "size:10,20,weight:5"."""
    found, at = [], 0
    while at < len(text):
        one = _BORDERS.match(text, at)
        if one is None:
            raise InputError(f"{quoted(text[at:])} names no borders of classes: write such as size:10,20")
        found.append((unquoted(one[1]), [border.strip() for border in one[2].split(",")]))
        at = one.end()
    return found


# Games


def trees_that_ship() -> list[str]:
    return [name.removesuffix(".msgpack") for name in tree_names()]


_TREE = "a tree file, or the name of a shipped tree, such as classic-normal"
TREE = arguments("tree TREE", _TREE, file="read")
#: How words are read from the files of own lists.
READING = (
    game("--length N", "only the words of this length in own lists", type=whole_number(2, 10)),
    game("--letters FILE", "letters that are read as others, one a line, such as ς=σ", file="read"),
    game("--fold-accents", "read é as e, ñ as n, in own lists and in what is typed"),
)
PAGE_TREES = (
    TREE.but(f"...; without one, the page has {' and '.join(PAGES)}", nargs="*"),
    game("--guesses FILE", "for a page of your own list: the words that may be guessed, one a line", file="read"),
    *READING,
)
TREE_MATRIX = game("--matrix FILE", "the matrix of a game that is a bare one", file="read")
RULES = game("--rules RULES", ", ".join(map(str, Rules)), type=rules_of, default=Rules.NORMAL)
HARD = game(
    "--hard", "the same as --rules hard", action="store_const", const=Rules.HARD, dest="rules", default=SUPPRESS
)
LISTS = (
    game("--guesses FILE", "own list of guesses, one word a line", file="read"),
    game("--answers FILE", "own list of answers, each of them a guess too", file="read"),
    game("--words FILE", "one own list of words, all of them guesses and answers", file="read", dest="word_list"),
    *READING,
    game("--name NAME", "what a game of own is called (default: as its file)", type=own_name),
)
MATRIX = (
    game("--matrix FILE", "any game as a table: CSV or Excel with answers, guesses and feedback, or .npy", file="read"),
    game("--winning LABEL", "the reply to a right guess, where guesses and answers have other names"),
)


def game_options(
    default: str = DEFAULT_GAME, *, placed: bool = True, rules: Rules | None = Rules.NORMAL
) -> tuple[Option, ...]:
    """A game by its name, by lists or by a matrix, and its rules, for `problems.game_of`.

    With ``placed`` the name has a place of its own; else it may be the first of other words, see `problems.take_game`.
    """
    about = f"a game by name, see `optimal games` (default: {default})"
    # Under another name: a place that is left empty would set the option back.
    place = game("placed_game GAME", about, nargs="?")
    named = game("--game GAME", "the same as an option" if placed else about)
    return (*([place] if placed else []), named, *LISTS, *MATRIX, RULES.but("...", default=rules), HARD)


_CANDIDATES = "which words may be the answer: the game's answers, or all guesses"


def words(about: str, nargs: str = "*", file: Use = "") -> Option:
    """What `problems.take_game` reads."""
    about = f"{about}; a game may come first"
    return arguments("words WORD", about, file=file, nargs=nargs)


CANDIDATES = game("--candidates", _CANDIDATES, choices=("answers", "guesses"))


_MAX_GUESSES = "the limit of guesses, or none (default: the game's, 6 for words)"
MAX_GUESSES = game("--max-guesses N", _MAX_GUESSES, type=limit_of_guesses, default=SUPPRESS)
_OPENERS = "prove over these first guesses alone (default: every guess)"
OPENERS = question("--openers WORD,...|@FILE", _OPENERS, file="read")
_FIRST = "prove over these first questions alone (default: all)"
FIRST = question("--openers --first QUESTION,...|@FILE", _FIRST, file="read")
_OBJECTIVE = "mean, worst, or within:K (fewest answers missed after K guesses)"
OBJECTIVE = question("--objective GOAL", _OBJECTIVE, default="mean")
_WEIGHTS = """uniform; frequency; tiers:N, where every guess may be the answer, and those in the list count N times as
much as the others; or a file with a word and its weight a line"""
WEIGHTS = (
    question("--weights WEIGHTS", _WEIGHTS, file="read", default="uniform"),
    question("--used FILE", "answers used before, one a line or beside dates, which count less", file="read"),
    question("--used-weight W", "what these count, where others count 1 (default: 1/10)"),
)
_KEY_OBJECTIVE = "mean: the least expected cost; worst: the least cost of the worst case, then of the mean"
KEY_OBJECTIVE = question("--objective", _KEY_OBJECTIVE, choices=("mean", "worst"))
_LIMIT = "no object may take more questions than this"
QUESTION_LIMIT = question("--limit N", _LIMIT, type=whole_number(0, LONGEST_LIST))
BASELINES = question("--strategies NAME", "baseline strategies", nargs="+", action="extend")
NO_TABLE = work("--no-table", "search the start of a game even where its totals are shipped")
_SCORING = "the rule of feedback: the game's, or the naive one of some baselines"
SCORING = question("--scoring", _SCORING, choices=("true", "naive"))

# Tables

TABLE_FILE = table("--table TABLE", "a table for `optimal identify`, instead of a game", file="read")
_GROUPS = "the column that holds the group of each object; objects of one group needn't be told apart"
_TRANSPOSE = "the questions stand in the first column, the objects in the first row; then costs are a column"
_CLASSES = """classes of questions with measurements, by their borders, such as size:10,20,weight:5; what lies on a
border or across it varies"""
_SEPARATOR = "what stands between the replies of a cell that varies, such as | or ;, once for each (default: /)"
#: What of a table is no object and no question, and how cells are read, for `problems.table_of`.
TABLE_PARTS = (
    table("--cost-row NAME", "the row that holds what each question costs"),
    table("--weight-column NAME", "the column that holds how much each object counts"),
    table("--group-column NAME", _GROUPS),
    table("--without COLUMN,...", "columns that are no questions", type=columns_of, action="extend"),
    table("--only COLUMN,...", "the only columns that are questions", type=columns_of, action="extend"),
    table("--classes COLUMN:N,...", _CLASSES, type=classes_of, action="extend"),
    table("--separator SIGN", _SEPARATOR, action="append"),
    table("--transpose", _TRANSPOSE),
)

# Limits and work

TIME_LIMIT = limits("--time-limit SECONDS", "stop so long after the start; 4m and 2h will do, too", type=seconds)
_MEMORY = "memory for the whole run, such as 800M or 2G; refused at the start if it is too little"
STOPS = (TIME_LIMIT, limits("--memory-limit SIZE", _MEMORY, type=memory))
_LEAST = 0.001  # seconds


def time_left(arguments: Namespace) -> float | None:
    """The seconds left of --time-limit: what the command has taken so far, to load and to read and score the lists,
    counts."""
    seconds = check_seconds(arguments.time_limit)
    return None if seconds is None else max(seconds - arguments.clock.seconds, _LEAST)


def check_unweighed(arguments: Namespace, other: str) -> None:
    """InputError for weights of answers beside another option, which has nothing to do with them."""
    if (arguments.weights, arguments.used, arguments.used_weight) != ("uniform", None, None):
        raise InputError(f"--used and --weights are for exact advice in a game: leave them out with {other}")


def gap(best: str, unit: str) -> Option:
    about = f"stop when the proven bound is this close to the best {best}: 1%%, or 40 ({unit})"
    return limits("--gap GAP", about)


JOBS = work("--jobs N", "how many run at once", type=whole_number(1, MOST_JOBS), default=1)
_WAIT = f"wait so long for the scheduler and its first worker, and for others where they are lost (default: {WAIT:g})"
BACKEND = (
    work("--backend", "how the jobs run", choices=BACKENDS),
    work("--scheduler ADDRESS", "the cluster of the backend dask; without it, workers are started here"),
    work("--wait SECONDS", _WAIT, type=seconds),
)
JOURNAL = work("--journal FILE", "keep what is proven in this file, and go on from what it has", file="journal")
_IMPORT = "add the bounds of a ledger to the journal, see `optimal status --export`"
IMPORT = work("--import LEDGER", _IMPORT, file="read", dest="ledger")
LOG = (
    work("-v --verbose", "say more, on standard error"),
    work("--log FILE", "write what happens when to this file, a JSON object a line; slow openers too", file="write"),
)

# Output

JSON = output("--json", "print one JSON object and nothing else")
_CSV = "write CSV to this file, or print it instead of tables"
CSV = output("--csv FILE", _CSV, file="write", nargs="?", const=STDOUT, type=csv_file)
CONTRAST = output("--contrast", "orange and blue on a terminal with colours, not green and yellow")
_CERTIFICATE = "write the proof that the result is the least, see `optimal certify`"
CERTIFICATE = output("--certificate FILE", _CERTIFICATE, file="write")
#: What those have who ask for exact advice, and those who search.
ADVICE = (NO_TABLE, JOBS, TIME_LIMIT, CSV, CONTRAST)
SEARCH = (JOBS, *BACKEND, *STOPS, JOURNAL)


def output_file(about: str, metavar: str = "FILE", *, required: bool = False) -> Option:
    return output(f"-o --output {metavar}", about, file="write", required=required)


def top(about: str, default: int = 10, most: int = MOST_TOP) -> Option:
    return output("--top N", about, type=whole_number(1, most), default=default)


def number(name: str, about: str, least: int, most: int, default: int) -> Option:
    return question(f"{name} N", about, type=whole_number(least, most), default=default)
