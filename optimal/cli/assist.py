"""`optimal assist`: exact advice, turn by turn."""

from __future__ import annotations

import sys
from argparse import Namespace

from optimal.advice.session import Session
from optimal.cli.console import DONE, remark
from optimal.cli.options import PLAYED_GAME
from optimal.cli.output import print_json, talk_stream
from optimal.cli.problems import as_asked, game_of, weighed
from optimal.cli.progress import Reporter
from optimal.games.game import Game


def run(arguments: Namespace) -> int:
    game, weights = weighed(game_of(arguments, PLAYED_GAME), arguments, remark)
    session = Session(
        game,
        lambda game, name: weighed(as_asked(Game.preset(name, game.rules), arguments), arguments, remark),
        talk_stream(arguments),
        lambda: Reporter(plain=False, valued=True),
        top=arguments.top,
        jobs=arguments.jobs,
        contrast=arguments.contrast,
        soon=arguments.time_limit,
        weights=weights,
    )
    session.begin()
    session.hold(sys.stdin)
    if arguments.json:
        print_json(session.to_dict())
    return DONE
