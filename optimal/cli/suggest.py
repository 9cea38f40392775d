"""The best guesses at a position: of each, how many guesses it takes from now on over all answers left, on average and
at worst. These numbers are exact.

A position is the guesses made with their colours, such as salet=bybbb crony=byybb; without one, the start of the game.
With --strategy another strategy gives its advice instead. --plot FILE draws the classes of the best guess, and with
--strategy regions the regions of its letters.

With --table, which is one of objects and questions, it tells what to ask next, after replies such as Size=small; "?" is
a reply that isn't known.

Exit status 1: no strategy finds every candidate with the guesses left, or the search was stopped before it knew of any;
3: it was stopped before the ranking was proven.
"""

from __future__ import annotations

import argparse

from optimal.cli import reasons
from optimal.cli.apart import reads, writes
from optimal.cli.common import (
    MOST_TOP,
    PLAYED_GAME,
    add_candidates,
    add_contrast,
    add_csv,
    add_game,
    add_jobs,
    add_json,
    add_limit,
    add_table_names,
    add_time_limit,
    check_csv,
    check_first_word,
    check_no_file,
    check_table_names,
    check_writable,
    exit_status,
    game_of,
    print_result,
    table_of,
    take_game,
    whole_number,
)
from optimal.errors import InputError
from optimal.games.presets import is_game
from optimal.games.resources import table_words
from optimal.show.words import quoted

EXAMPLES = (
    ("optimal suggest salet=bybyb", "you have guessed salet: what is best now, in today's Wordle"),
    ("optimal suggest tarse=bbybb grind=bggbb --rules hard", "after two guesses, under hard rules"),
    ("optimal suggest mastermind 1123=1,1 --top 3", "another game, and only the best three"),
    ("optimal suggest salet=bybyb --strategy odds", "what another strategy says, and why"),
    ("optimal suggest --table guess-who hat=no", "what to ask next, of a table of objects and questions"),
)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "position", nargs="*", metavar="GUESS=FEEDBACK", help="such as salet=bybbb; a game may come first"
    )
    reads(parser.add_argument("--table", metavar="TABLE", help="a table for `optimal identify`, instead of a game"))
    add_table_names(parser)
    add_game(parser, placed=False, default=PLAYED_GAME)
    add_candidates(parser)
    add_limit(parser)
    parser.add_argument(
        "--top",
        type=whole_number(1, MOST_TOP),
        default=10,
        metavar="N",
        help="how many guesses; ties of the last are shown too (default: 10)",
    )
    parser.add_argument(
        "--others", action="store_true", help="all other legal guesses too, with proven lower bounds of their totals"
    )
    parser.add_argument(
        "--no-table", action="store_true", help="search the start of a game even where its totals are shipped"
    )
    add_jobs(parser)
    add_time_limit(parser)
    add_csv(parser)
    about = "draw the classes of the best guess: a picture, .svg, .png or .pdf"
    writes(parser.add_argument("--plot", metavar="FILE", help=about))
    add_contrast(parser)
    add_json(parser)
    reasons.configure(parser)


def run(arguments: argparse.Namespace) -> int:
    check_csv(arguments)
    if arguments.table is not None:
        return _of_table(arguments)
    check_table_names(arguments)
    if arguments.plot is not None:
        from optimal.plots.figures import format_of

        format_of(arguments.plot)
        check_writable(arguments.plot)
    arguments.position = take_game(arguments, arguments.position)
    check_no_file(arguments, arguments.position)
    if not arguments.matrix and not arguments.word_list and not arguments.guesses:
        _check_no_table(arguments.position)
        for word in filter(is_game, arguments.position):
            raise InputError(f"{quoted(word)} is a game: name it before the turns, or by --game")
    if reasons.asked(arguments):
        return reasons.run(arguments)

    from optimal.advice.analysis import analyse
    from optimal.cli.progress import Reporter

    game = game_of(arguments)
    check_first_word(arguments.position, game)
    with Reporter(plain=not arguments.json, verbose=False, valued=True) as reporter:
        analysis = analyse(
            game,
            " ".join(arguments.position),
            top=arguments.top,
            jobs=arguments.jobs,
            table=not arguments.no_table,
            time_limit=arguments.time_limit,
            progress=reporter,
        )
    if arguments.plot is not None and analysis.best is not None:
        from optimal.plots.charts import plot_classes
        from optimal.plots.figures import save_figure

        save_figure(plot_classes(game, analysis.best.guess, analysis.position), arguments.plot)
    print_result(
        arguments,
        lambda: analysis.to_csv(others=arguments.others),
        lambda: analysis.to_dict(others=arguments.others),
        lambda: f"{analysis}\n{analysis.others_text()}" if arguments.others else str(analysis),
    )
    return exit_status(analysis.status, analysis.stop_reason)


def _check_no_table(position: list[str]) -> None:
    """InputError for the name of a table that ships, which may be a word too where its feedback follows."""
    if position and (len(position) == 1 or "=" in position[1]) and (words := table_words(position[0])):
        raise InputError(f"{quoted(position[0])} is a table: write --table {words}")


def _of_table(arguments: argparse.Namespace) -> int:
    """What to ask next of a table."""
    from optimal.advice.questions import rank_questions, turn_of
    from optimal.cli.progress import Reporter

    if arguments.plot is not None:
        raise InputError("--plot is of games: leave it out with --table")
    table = table_of(arguments.table, arguments)
    turns = [turn_of(table, text) for text in arguments.position]
    with Reporter(plain=not arguments.json, verbose=False, questions=True) as reporter:
        ranking = rank_questions(
            table, turns, top=arguments.top, jobs=arguments.jobs, time_limit=arguments.time_limit, progress=reporter
        )
    print_result(arguments, ranking.to_csv, ranking.to_dict, lambda: str(ranking))
    return exit_status(ranking.status, ranking.stop_reason)
