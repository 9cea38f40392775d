"""`suggest --strategy NAME`: what a baseline strategy guesses at a position, and why."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from optimal.advice.position import parse_position
from optimal.baselines import Position, Scoring, Strategy, play_answer, strategy
from optimal.baselines.position import board_position
from optimal.baselines.regions import RegionTable
from optimal.baselines.strategy import Reasons, explain, name_of, prior_of
from optimal.cli.console import DONE
from optimal.cli.options import PLAYED_GAME
from optimal.cli.output import print_result, save_picture
from optimal.cli.problems import game_of, guesses_in
from optimal.errors import InputError
from optimal.games.game import Game
from optimal.games.presets import titled
from optimal.games.rules import Rules
from optimal.labels import unquoted
from optimal.plots.charts import plot_regions


def run(arguments: Namespace, given: str) -> int:
    """``given`` is the first of the options that are about strategies."""
    if arguments.strategy is None:
        raise InputError(f"--{given} goes with --strategy NAME, such as --strategy odds")
    if arguments.csv is not None:
        raise InputError("--csv is for exact advice; that of a --strategy comes with --json too")
    if arguments.board is None and (arguments.good is not None or arguments.past is not None):
        raise InputError("--good and --past go with --board, in which a dot stands for each unknown letter: C.G..")
    if bool(arguments.position) + (arguments.board is not None) + (arguments.answer is not None) > 1:
        raise InputError("give a position, a --board or a --answer, not two of them")
    game = game_of(arguments, PLAYED_GAME)
    chosen = strategy(arguments.strategy, game)
    scoring = Scoring(arguments.scoring) if arguments.board is None else Scoring.NAIVE
    asked = {"game": game.name, "rules": game.rules.value, "scoring": scoring.value}
    heading = f"{titled(game.name)}, {game.rules} rules"
    if arguments.answer is not None:
        answer = game.written(unquoted(arguments.answer))
        fields, text = _game(game, chosen, scoring, answer)
    else:
        reasons = _reasons(arguments, game, chosen, scoring)
        if arguments.plot is not None:
            _draw(reasons, arguments.plot)
        fields, text = reasons.to_dict(), reasons.text()
        # The first ranking stands where `suggest` has its guesses too.
        fields["guesses"] = fields["rankings"][0]["guesses"] if reasons.rankings else []
    print_result(arguments, {**asked, **fields}, f"{heading}\n{text}")
    return DONE


def _reasons(arguments: Namespace, game: Game, chosen: Strategy, scoring: Scoring) -> Reasons:
    """What the strategy guesses at the position, or with the board, and why."""
    if arguments.board is None:
        history = parse_position(game, " ".join(arguments.position))
        return explain(chosen, Position.at(game, history, scoring, prior_of(chosen)), arguments.top)
    if game.rules is not Rules.NORMAL:
        raise InputError(
            "a board is read by the naive rule, which goes with normal rules: "
            f"leave out --rules {game.rules}, or ask odds-hard, which guesses fitting words alone"
        )
    past = [game.written(word) for word in guesses_in(arguments.past or [])]
    position = board_position(game, arguments.board, arguments.good or "", past, prior=prior_of(chosen))
    return explain(chosen, position, arguments.top)


def _draw(reasons: Reasons, path: str) -> None:
    if not isinstance(reasons.picture, RegionTable):
        raise InputError("of the strategies only regions has a picture: --strategy regions, or regions=WORD")
    save_picture(plot_regions(reasons.picture), path)


def _game(game: Game, chosen: Strategy, scoring: Scoring, answer: str) -> tuple[dict[str, Any], str]:
    """The game that the strategy plays for an answer, as fields and as text."""
    turns = [(guess, game.format(code)) for guess, code in play_answer(game, chosen, answer, scoring=scoring)]
    guesses, feedback = zip(*turns, strict=True)
    fields = {"strategy": name_of(chosen), "answer": answer, "guesses": guesses, "feedback": feedback}
    return fields, "\n".join(f"{number}. {guess}  {text}" for number, (guess, text) in enumerate(turns, 1))
