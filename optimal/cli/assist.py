"""`optimal assist`: exact advice, turn by turn."""

from __future__ import annotations

import sys
from argparse import Namespace

from optimal.advice.session import Session
from optimal.cli.console import DONE
from optimal.cli.options import PLAYED_GAME
from optimal.cli.output import print_json, talk_stream
from optimal.cli.problems import as_asked, game_of
from optimal.cli.progress import Reporter
from optimal.games.game import Game


def run(arguments: Namespace) -> int:
    session = Session(
        game_of(arguments, PLAYED_GAME),
        lambda game, name: as_asked(Game.preset(name, game.rules), arguments),
        talk_stream(arguments),
        lambda: Reporter(plain=False, valued=True),
        top=arguments.top,
        jobs=arguments.jobs,
        contrast=arguments.contrast,
        soon=arguments.time_limit,
    )
    session.begin()
    session.hold(sys.stdin)
    if arguments.json:
        print_json(session.to_dict())
    return DONE
