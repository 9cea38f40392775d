"""Skill and luck of every guess of a finished game, against exact best play.

Name all guesses in their order, the answer last; or the guesses alone, and the answer of an unsolved game by --answer.
With --grid the feedback comes from a pasted share grid, whose * stands for hard rules; the answer may then be left out.
There is no limit of guesses unless --max-guesses sets one. By hard rules a poor first guess of a large game takes a
while: --time-limit 20, or Ctrl-C, tells all that is known by then. Exit status 3 when the search was stopped before
all was proven, 1 when it was before anything was known.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from typing import TYPE_CHECKING

from optimal.cli import remark
from optimal.cli.apart import reads
from optimal.cli.common import (
    PLAYED_GAME,
    add_candidates,
    add_contrast,
    add_csv,
    add_game,
    add_jobs,
    add_json,
    add_limit,
    add_time_limit,
    check_csv,
    check_first_word,
    check_no_file,
    exit_status,
    game_of,
    print_result,
    take_game,
)
from optimal.errors import InputError
from optimal.files import read_text
from optimal.games.rules import Rules
from optimal.labels import EQUALS, unquoted
from optimal.show.words import listed, quoted

if TYPE_CHECKING:
    from optimal.games.game import Game

STDIN = "-"
#: What the heading of a share grid has where the game was played by hard rules: 4/6*.
HARD = re.compile(r"[0-9X]/[0-9]+\*", re.IGNORECASE)

EXAMPLES = (
    ("optimal debrief salet round irony crony", "the guesses in their order, the answer last"),
    ("optimal debrief salet round --answer crony", "a game that was not won"),
    ("optimal debrief --grid share.txt salet round irony crony", "with the colours as they were shared"),
)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", nargs="+", metavar="WORD", help="guesses in playing order; a game may come first")
    parser.add_argument("--answer", metavar="WORD", help="the answer, where the last guess is another word")
    about = "a share grid: a file, the text itself, or - for standard input"
    reads(parser.add_argument("--grid", metavar="FILE", help=about), lambda grid: "" if grid == STDIN else grid)
    add_game(parser, placed=False, default=PLAYED_GAME)
    parser.set_defaults(rules=None)  # to tell whether any are named
    add_candidates(parser)
    add_limit(parser, "none")
    parser.add_argument(
        "--no-table", action="store_true", help="search the start of a game even where its totals are shipped"
    )
    add_jobs(parser)
    add_time_limit(parser)
    add_csv(parser)
    add_contrast(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    check_csv(arguments)
    grid = None if arguments.grid is None else _grid(arguments.grid)
    words = take_game(arguments, arguments.words)
    check_no_file(arguments, words)
    if not words:
        raise InputError("no guess is named: give all guesses in their order, the answer last")
    if arguments.matrix is None and (turn := next((word for word in words if EQUALS in word), None)):
        raise InputError(f"{quoted(turn)}: name the guesses alone, the answer last; --grid FILE tells the colours")
    if arguments.rules is None:
        hard = grid is not None and HARD.search(grid) is not None
        arguments.rules = Rules.HARD if hard else Rules.NORMAL

    from optimal.advice.debrief import debrief
    from optimal.cli.progress import Reporter

    with Reporter(plain=not arguments.json, verbose=False, valued=True) as reporter:
        game = game_of(arguments)
        check_first_word(words, game)
        words = [game.written(unquoted(word)) for word in words]
        named = None if arguments.answer is None else game.written(unquoted(arguments.answer))
        answer, guesses, old = _split(game, words, named, grid)
        found = debrief(
            game,
            answer,
            guesses,
            grid=grid,
            max_guesses=game.max_guesses if "max_guesses" in arguments else None,
            jobs=arguments.jobs,
            table=not arguments.no_table,
            time_limit=arguments.time_limit,
            progress=reporter,
        )
    if old:
        told = f"{answer} is taken for the answer, and {' '.join(guesses)} for the guesses"
        remark(f"optimal debrief: {told}; they go in playing order, the answer last")
    print_result(arguments, found.to_csv, found.to_dict, found.__str__)
    return exit_status(found.status, found.stop_reason)


def _split(game: Game, words: list[str], answer: str | None, grid: str | None) -> tuple[str | None, list[str], bool]:
    """The answer, None where the grid alone tells of it; the guesses; and whether the answer stood first.

    It stands last. Once it stood first, as `debrief ANSWER GUESS...`, which is taken up where it is the last guess too,
    and none before.
    """
    from optimal.advice.debrief import grid_codes

    if answer is not None:
        return answer, words, False
    first, last = (words[0], words[1:], True), (words[-1], words, False)
    rows = None if grid is None else grid_codes(game, grid)
    if rows is not None and len(rows) == len(words):
        return (words[-1] if rows[-1] == game.winning_code else None), words, False
    if rows is not None and len(rows) == len(words) + 1 and rows[-1] == game.winning_code:
        found = _found(game, words, rows[:-1])
        return found, [*words, found], False
    if rows is not None and len(rows) == len(words) - 1:
        # The answer of an unsolved game, or of one whose solving guess is named twice, first or last.
        brought = _fits(game, words[-1], words[:-1], rows)
        return (words[-1], words[:-1], False) if brought or not _fits(game, words[0], words[1:], rows) else first
    return first if words[1:].count(words[0]) == 1 and words[0] == words[-1] in game.guesses else last


def _found(game: Game, guesses: list[str], rows: list[int]) -> str:
    """The answer of a grid whose last guess is not named: the one word that fits. InputError where several do."""
    from optimal.advice.position import candidates_of, check_guesses, tier_of

    history = tuple(zip(guesses, rows, strict=True))
    check_guesses(game, history)
    tier = tier_of(game, history)
    fit: list[str] = [tier.answers[answer] for answer in candidates_of(tier, history)]
    if len(fit) > 1:
        raise InputError(f"the grid has a row for a guess that is not named, and {len(fit)} words fit: {listed(fit)}")
    return fit[0]


def _fits(game: Game, answer: str, guesses: list[str], rows: list[int]) -> bool:
    """Whether this answer brings the guesses these rows of feedback."""
    if game.feedback is None or any(word not in game.guesses for word in (answer, *guesses)):
        return False
    return [game.feedback.score(guess, answer) for guess in guesses] == rows


def _grid(source: str) -> str:
    if "\n" in source or not (source.isascii() or os.path.exists(source)):
        return source
    if source != STDIN:
        return read_text(source, "grid")
    try:
        return sys.stdin.read()
    except UnicodeDecodeError:
        raise InputError(f"{source}: not UTF-8; save the grid as UTF-8") from None
