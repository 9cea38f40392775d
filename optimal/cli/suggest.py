"""`optimal suggest`: the best guesses at a position, the best questions of a table, or a strategy's advice."""

from __future__ import annotations

from argparse import Namespace

from optimal.advice.analysis import analyse
from optimal.cli.console import exit_status, remark
from optimal.cli.options import PLAYED_GAME, check_unweighed, time_left
from optimal.cli.output import print_result, save_picture
from optimal.cli.problems import check_first_word, game_of, is_long, table_of, take_game, weighed
from optimal.cli.progress import Reporter
from optimal.errors import InputError
from optimal.games.presets import is_game
from optimal.games.resources import is_table
from optimal.plots.figures import format_of
from optimal.show.words import quoted

#: The options of a strategy's advice.
STRATEGY = ("strategy", "board", "good", "past", "answer")


def run(arguments: Namespace) -> int:
    asked = [name for name in STRATEGY if getattr(arguments, name) is not None]
    other = "table" if arguments.table is not None else asked[0] if asked else None
    if other is not None:
        check_unweighed(arguments, f"--{other}")
    if arguments.table is not None:
        return _of_table(arguments)
    if arguments.plot is not None:
        format_of(arguments.plot)
    arguments.position = take_game(arguments, arguments.position)
    if not (arguments.matrix or arguments.word_list or arguments.guesses):
        _check_turns(arguments.position, bool(arguments.game or getattr(arguments, "placed_game", None)))
    if asked:
        from optimal.cli import strategies  # here, because exact advice needs no baselines

        return strategies.run(arguments, asked[0])
    game, weights = weighed(game_of(arguments, PLAYED_GAME), arguments, remark)
    check_first_word(arguments.position, game)
    with Reporter(plain=not arguments.json, valued=True) as reporter:
        if not arguments.position and arguments.time_limit is None and is_long(game):
            reporter.line(f"{game.name} may take days: --time-limit or Ctrl-C shows what is known")
        analysis = analyse(
            game,
            " ".join(arguments.position),
            top=arguments.top,
            jobs=arguments.jobs,
            table=not arguments.no_table,
            time_limit=time_left(arguments),
            progress=reporter,
            weights=weights,
        )
    if arguments.plot is not None and analysis.best is not None:
        from optimal.plots.charts import plot_classes  # here, because advice alone draws nothing

        save_picture(plot_classes(game, analysis.best.guess, analysis.position), arguments.plot)
    others = arguments.others
    text = f"{analysis}\n{analysis.others_text()}" if others else str(analysis)
    print_result(arguments, analysis.to_dict(others=others), text, lambda: analysis.to_csv(others=others))
    return exit_status(analysis.status, analysis.stop_reason)


def _check_turns(position: list[str], named: bool) -> None:
    """InputError for the name of a game or a table among turns; a table's may be a word too, before its feedback."""
    if position and (len(position) == 1 or "=" in position[1]) and is_table(position[0]):
        raise InputError(f"{quoted(position[0])} is a table: write --table {position[0]}")
    for word in filter(is_game, position):
        second = "a second game is named" if named else "name it before the turns, or by --game"
        raise InputError(f"{quoted(word)} is a game: {second}")


def _of_table(arguments: Namespace) -> int:
    """What to ask next of a table."""
    from optimal.advice.questions import rank_questions, turn_of  # here, because games need it not

    if arguments.plot is not None:
        raise InputError("--plot is of games: leave it out with --table")
    table = table_of(arguments.table, arguments)
    turns = [turn_of(table, text) for text in arguments.position]
    with Reporter(plain=not arguments.json, questions=True) as reporter:
        ranking = rank_questions(
            table, turns, top=arguments.top, jobs=arguments.jobs, time_limit=time_left(arguments), progress=reporter
        )
    print_result(arguments, ranking.to_dict(), str(ranking), ranking.to_csv)
    return exit_status(ranking.status, ranking.stop_reason)
