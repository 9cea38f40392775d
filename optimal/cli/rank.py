"""`optimal rank`: exact totals of first guesses."""

from __future__ import annotations

from argparse import Namespace

from optimal.cli.console import remark
from optimal.cli.options import openers_of
from optimal.cli.output import print_result
from optimal.cli.problems import check_first_word, game_of, take_game, weighed
from optimal.cli.progress import Reporter
from optimal.cli.runs import ended, log_to, run_options, take_ledger
from optimal.errors import InputError
from optimal.search.ranking import rank


def run(arguments: Namespace) -> int:
    words = take_game(arguments, arguments.words)
    if words and arguments.openers is not None:
        raise InputError("first guesses are named twice: as words, and by --openers; write --openers WORD,WORD")
    named = [word.strip(",") for word in words] or ([] if arguments.openers is None else [arguments.openers])
    openers = [opener for text in named for opener in openers_of(text)] if named else None
    with (
        log_to(arguments.log) as log,
        Reporter(plain=not arguments.json, verbose=arguments.verbose, valued=True) as reporter,
    ):
        game, weights = weighed(game_of(arguments), arguments, reporter.line)
        check_first_word(openers if openers and words else [], game)
        take_ledger(arguments, game, weights=weights)
        ranking = rank(
            game,
            first=openers,
            top=arguments.top,
            all_openers=arguments.all_openers,
            pairs=arguments.pairs,
            progress=reporter,
            log=log,
            weights=weights,
            **run_options(arguments),
        )
    print_result(arguments, ranking.to_dict(), str(ranking), ranking.to_csv)
    if arguments.verbose:
        remark(f"{ranking.seconds:.2f} s, {ranking.nodes:,} nodes")
    return ended(arguments, "rank", ranking)
