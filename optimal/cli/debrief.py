"""Skill and luck of every guess of a finished game, against exact best play.

Name the answer and then all guesses in their order. With --grid the feedback comes from a pasted share grid, and the
answer may be left out. There is no limit of guesses unless --max-guesses sets one. Exit status 3 when the search was
stopped before all was proven, 1 when it was before anything was known.
"""

from __future__ import annotations

import argparse
import os
import sys

from optimal.cli.common import (
    add_candidates,
    add_contrast,
    add_csv,
    add_game,
    add_jobs,
    add_json,
    add_limit,
    add_time_limit,
    check_csv,
    exit_status,
    game_of,
    print_result,
)
from optimal.errors import InputError
from optimal.files import read_text
from optimal.games.feedback import quoted

STDIN = "-"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", nargs="+", metavar="WORD", help="the answer, then the guesses")
    parser.add_argument("--grid", metavar="FILE", help="a share grid: a file, the text itself, or - for standard input")
    add_game(parser, "--game")
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
    answer: str | None
    answer, *guesses = arguments.words
    if grid is None and not guesses:
        raise InputError(f"no guess is named: give the answer, {quoted(str(answer))}, and then the guesses")

    from optimal.cli.progress import Reporter
    from optimal.positions.debrief import debrief, grid_codes

    with Reporter(plain=not arguments.json, verbose=False) as reporter:
        game = game_of(arguments)
        if grid is not None and len(grid_codes(game, grid)) != len(guesses):
            answer, guesses = None, arguments.words
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
    print_result(arguments, found.to_csv, found.to_dict, found.__str__)
    return exit_status(found.status, found.stop_reason)


def _grid(source: str) -> str:
    if "\n" in source or not (source.isascii() or os.path.exists(source)):
        return source
    if source != STDIN:
        return read_text(source, "grid")
    try:
        return sys.stdin.read()
    except UnicodeDecodeError:
        raise InputError(f"{source}: not UTF-8; save the grid as UTF-8") from None
