"""Exact advice for a game that you play your own way: type each guess with its feedback, see what is best next.

Type such as salet=bybbb; the feedback alone when you made the guess that is advised. With --json the talk goes to
standard error, and at the end one JSON object tells the turns and the last advice.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from optimal.cli import DONE, talk_stream
from optimal.cli.advice import Session, adviser
from optimal.cli.common import (
    PLAYED_GAME,
    add_candidates,
    add_contrast,
    add_game,
    add_jobs,
    add_json,
    add_limit,
    game_of,
    named_game,
    option,
    print_json,
    seconds,
    whole_number,
)

if TYPE_CHECKING:
    from optimal.games.game import Game

EXAMPLES = (
    ("optimal assist", "today's Wordle"),
    ("optimal assist --rules hard", "hard rules"),
    ("optimal assist --words own.txt", "a list of your own"),
)


def configure(parser: argparse.ArgumentParser) -> None:
    add_game(parser, default=PLAYED_GAME)
    add_candidates(parser)
    add_limit(parser)
    parser.add_argument(
        "--top", type=whole_number(1, 1000), default=5, metavar="N", help="how many guesses (default: 5)"
    )
    add_jobs(parser)
    parser.add_argument(
        "--time-limit",
        type=option(seconds),
        metavar="SECONDS",
        help="until it advises (default: 1); :best goes on",
    )
    add_contrast(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    def other(game: Game, name: str) -> Game:
        return named_game(name, game.rules, arguments)

    # With --json standard output holds the object alone.
    out = talk_stream(aside=arguments.json)
    advise = adviser(arguments.top, arguments.jobs)
    session = Session(game_of(arguments), advise, other, out, contrast=arguments.contrast, soon=arguments.time_limit)
    session.begin()
    session.talk()
    if arguments.json:
        print_json(session.to_dict())
    return DONE
