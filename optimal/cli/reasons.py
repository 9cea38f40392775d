"""`suggest --strategy NAME`: what a baseline strategy guesses at a position, and why.

Not a command of its own: `suggest` adds these options to its parser and hands over when one of them is given.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from optimal.cli import DONE
from optimal.cli.common import add_scoring, game_of, print_json, print_painted
from optimal.errors import InputError
from optimal.games.presets import titled
from optimal.games.rules import Rules
from optimal.labels import names_of, unquoted

if TYPE_CHECKING:
    from optimal.baselines import Reasons, Scoring, Strategy
    from optimal.games.game import Game

OPTIONS = ("strategy", "board", "good", "past", "answer")


def configure(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("strategies (another one's advice, and why)")
    group.add_argument("--strategy", metavar="NAME", help="such as odds or odds=slate; see `optimal compare --help`")
    group.add_argument("--board", metavar="BOARD", help="instead of a position: known letters and dots, such as C.G..")
    group.add_argument("--good", metavar="LETTERS", help="letters known to be in the answer, for --board")
    group.add_argument("--past", nargs="+", metavar="WORD", help="guesses made, for --board")
    group.add_argument(
        "--answer", metavar="WORD", help="instead of a position: every guess of its game when this is the answer"
    )
    add_scoring(group)


def asked(arguments: argparse.Namespace) -> bool:
    """Is it the advice of a strategy that is asked for?"""
    return any(getattr(arguments, name) is not None for name in OPTIONS)


def run(arguments: argparse.Namespace) -> int:
    if arguments.strategy is None:
        given = next(name for name in OPTIONS if getattr(arguments, name) is not None)
        raise InputError(f"--{given} goes with --strategy NAME, such as --strategy odds")
    if arguments.csv is not None:
        raise InputError("--csv is for exact advice; that of a --strategy comes with --json too")
    if arguments.board is None and (arguments.good is not None or arguments.past is not None):
        raise InputError("--good and --past go with --board, in which a dot stands for each unknown letter: C.G..")
    ways = [bool(arguments.position), arguments.board is not None, arguments.answer is not None]
    if sum(ways) > 1:
        raise InputError("give a position, a --board or a --answer, not two of them")
    game = game_of(arguments)
    if arguments.board is not None and game.rules is not Rules.NORMAL:
        raise InputError(
            "a board is read by the naive rule, which goes with normal rules: "
            f"leave out --rules {game.rules}, or ask odds-hard, which guesses fitting words alone"
        )

    from optimal.advice.position import parse_position
    from optimal.baselines import Scoring, advise, advise_board, strategy

    chosen = strategy(arguments.strategy, game)
    scoring = Scoring(arguments.scoring)
    if arguments.answer is not None:
        return _show_game(game, chosen, scoring, game.written(unquoted(arguments.answer)), arguments)
    if arguments.board is not None:
        scoring = Scoring.NAIVE  # a board can't tell how often a letter occurs
        past = [game.written(word) for text in arguments.past or () for word in names_of(text)]
        reasons = advise_board(game, chosen, arguments.board, arguments.good or "", past, top=arguments.top)
    else:
        history = parse_position(game, " ".join(arguments.position))
        reasons = advise(game, chosen, history, scoring=scoring, top=arguments.top)
    if arguments.plot is not None:
        _draw(reasons, arguments.plot)
    if arguments.json:
        print_json({**_about(game, scoring), **_fields(reasons)})
    else:
        print_painted(arguments, f"{_heading(game)}\n{reasons.text()}".rstrip("\n"))
    return DONE


def _draw(reasons: Reasons, path: str) -> None:
    from optimal.baselines.regions import RegionTable
    from optimal.plots.charts import plot_regions
    from optimal.plots.figures import save_figure

    if not isinstance(reasons.picture, RegionTable):
        raise InputError("of the strategies only regions has a picture: --strategy regions, or regions=WORD")
    save_figure(plot_regions(reasons.picture), path)


def _heading(game: Game) -> str:
    return f"{titled(game.name)}, {game.rules} rules"


def _about(game: Game, scoring: Scoring) -> dict[str, object]:
    return {"game": game.name, "rules": game.rules.value, "scoring": scoring.value}


def _fields(reasons: Reasons) -> dict[str, object]:
    fields = reasons.to_dict()
    # The first ranking stands where `suggest` has its guesses too.
    return {**fields, "guesses": fields["rankings"][0]["guesses"] if reasons.rankings else []}


def _show_game(game: Game, chosen: Strategy, scoring: Scoring, answer: str, arguments: argparse.Namespace) -> int:
    from optimal.baselines import name_of, play_answer

    written = game.format
    turns = [(guess, written(code)) for guess, code in play_answer(game, chosen, answer, scoring=scoring)]
    if arguments.json:
        guesses, feedback = zip(*turns, strict=True)
        played = {"strategy": name_of(chosen), "answer": answer, "guesses": guesses, "feedback": feedback}
        print_json({**_about(game, scoring), **played})
    else:
        lines = (f"{number}. {guess}  {text}" for number, (guess, text) in enumerate(turns, 1))
        print_painted(arguments, "\n".join([_heading(game), *lines]))
    return DONE
