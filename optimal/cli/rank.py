"""Exact totals of first guesses: of those named, of the best N with all ties, or of every one.

With --journal FILE what is proven is kept, and the same command goes on where it stopped. Exit status 3 when it
stopped with totals known, but perhaps not those of the best; 1 when no opener has a tree within the limit, or when it
stopped before it knew any total.
"""

from __future__ import annotations

import argparse

from optimal.cli import remark
from optimal.cli.apart import reads
from optimal.cli.common import (
    MOST_TOP,
    add_csv,
    add_game,
    add_import,
    add_jobs,
    add_journal,
    add_json,
    add_limit,
    add_log,
    add_openers,
    add_stops,
    check_csv,
    check_first_word,
    check_import,
    check_no_file,
    completed,
    exit_status,
    game_of,
    log_to,
    openers_of,
    print_result,
    take_game,
    take_ledger,
    tell_journal,
    whole_number,
)
from optimal.errors import InputError
from optimal.games.presets import game_names

EXAMPLES = (
    ("optimal rank salet crane", "what two first guesses are worth"),
    ("optimal rank classic --top 10", "the best ten, and all that are as good"),
    ("optimal rank --words own.txt --csv own.csv", "of a list of your own, for a spreadsheet"),
)


def configure(parser: argparse.ArgumentParser) -> None:
    about = "first guesses, as by --openers; a game may come first"
    words = parser.add_argument("words", nargs="*", default=[], metavar="WORD", help=about)
    completed(reads(words, lambda word: word[1:] if word.startswith("@") else ""), game_names)
    add_game(parser, placed=False)
    add_limit(parser)
    add_openers(parser, "value these first guesses (default: the best of all)")
    parser.add_argument(
        "--top", type=whole_number(1, MOST_TOP), metavar="N", help="the best N with all ties (default: 10)"
    )
    parser.add_argument("--all-openers", action="store_true", help="every first guess; the worst are the slowest")
    add_journal(parser)
    add_import(parser)
    add_jobs(parser)
    add_stops(parser)
    add_log(parser)
    add_csv(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    check_import(arguments)
    check_csv(arguments)
    openers = arguments.openers
    words = take_game(arguments, arguments.words)
    if words:
        check_no_file(arguments, words)
        if openers is not None:
            raise InputError("first guesses are named twice: as words, and by --openers; write --openers WORD,WORD")
        openers = [opener for word in words for opener in openers_of(word)]

    from optimal.cli.progress import Reporter
    from optimal.search.ranking import rank

    with (
        log_to(arguments.log) as log,
        Reporter(plain=not arguments.json, verbose=arguments.verbose, valued=True) as reporter,
    ):
        game = game_of(arguments)
        check_first_word(openers if openers and words else [], game)
        take_ledger(arguments, game)
        ranking = rank(
            game,
            openers=openers,
            top=arguments.top,
            all_openers=arguments.all_openers,
            jobs=arguments.jobs,
            time_limit=arguments.time_limit,
            memory_limit=arguments.memory_limit,
            journal=arguments.journal,
            progress=reporter,
            log=log,
        )
    print_result(arguments, ranking.to_csv, ranking.to_dict, ranking.__str__)
    tell_journal("rank", arguments.journal, ranking.stop_reason)
    if arguments.verbose:
        remark(f"{ranking.seconds:.2f} s, {ranking.nodes:,} nodes")
    return exit_status(ranking.status, ranking.stop_reason)
