"""Find the best strategy tree of a game over all openers, or over those named, and prove that it is the best.

Exit status 0: the tree is proven best (OPTIMAL); 3: it stopped with a tree that is not proven best (FEASIBLE);
1: there is no tree within the limit, or it stopped before it found one; 2: bad usage or bad input, or the tree that was
found could not be written to the file named; 130: interrupted.
"""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from optimal.cli import BAD_INPUT, remark, say
from optimal.cli.apart import reads, writes
from optimal.cli.common import (
    add_backend,
    add_candidates,
    add_game,
    add_gap,
    add_import,
    add_jobs,
    add_journal,
    add_json,
    add_limit,
    add_log,
    add_openers,
    add_output,
    add_stops,
    check_import,
    check_writable,
    exit_status,
    game_of,
    log_to,
    print_json,
    take_ledger,
    tell_journal,
    write_or_keep,
)
from optimal.errors import InputError
from optimal.games.presets import titled
from optimal.show.text import pairs
from optimal.show.words import counted, harmless, quoted, within

if TYPE_CHECKING:
    from optimal.games.game import Game
    from optimal.search.result import Result

EXAMPLES = (
    ("optimal solve --jobs 2 --output classic.msgpack", "the best tree of the list of 2021, proven"),
    ("optimal solve --openers salet,crate", "which of two first guesses is better"),
    ("optimal solve mastermind:3x4 --certificate proof.xz", "with a proof for `optimal check`"),
    ("optimal solve --words own.txt --journal own.journal", "a list of your own; stopped, it goes on where it was"),
)


def configure(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument(
        "--objective",
        default="mean",
        metavar="GOAL",
        help="mean, worst, or within:K (fewest answers missed after K guesses); default: mean",
    )
    weights = parser.add_argument(
        "--weights",
        default="uniform",
        metavar="WEIGHTS",
        help="uniform; frequency; tiers:N, where every guess may be the answer, and those in the list count N times as "
        "much as the others; or a file with a word and its weight a line (default: uniform)",
    )
    reads(weights, lambda named: "" if named in ("uniform", "frequency") or tiers_of(named) is not None else named)
    add_candidates(parser)
    add_limit(parser)
    add_openers(parser, "prove over these first guesses alone (default: every guess)")
    parser.add_argument(
        "--position",
        nargs="+",
        metavar="GUESS=FEEDBACK",
        help="a tree from here on, such as salet=bybbb; limits still count from the start of the game",
    )
    add_jobs(parser)
    add_backend(parser)
    add_stops(parser)
    add_gap(parser, "tree", "guesses")
    add_journal(parser)
    add_import(parser)
    add_output(parser, "write the strategy tree to this file", metavar="TREE")
    about = "write the proof that the result is the least, see `optimal certify`"
    writes(parser.add_argument("--certificate", metavar="FILE", help=about))
    add_log(parser)
    add_json(parser)


def tiers_of(weights: str) -> int | None:
    """How many times as much the answers in the list count, of "tiers:1000"; None for other weights."""
    kind, _, times = weights.partition(":")
    if kind != "tiers" or os.path.exists(weights):
        return None
    if not (times.isascii() and times.isdecimal() and len(times) <= 9 and int(times) >= 2):
        raise InputError(f"weights {quoted(weights)}: write such as tiers:1000, with a number from 2 on")
    return int(times)


def run(arguments: argparse.Namespace) -> int:
    check_import(arguments)
    if arguments.ledger is not None and arguments.position:
        raise InputError("a ledger is of whole games: leave out --position")
    if arguments.output is not None:
        check_writable(arguments.output)
    if arguments.certificate is not None:
        check_writable(arguments.certificate)

    from optimal.advice.position import candidates_of, parse_position, tiered
    from optimal.advice.subgame import solve_position
    from optimal.cli.progress import Reporter
    from optimal.games.info import describe
    from optimal.games.weights import weights_of

    with (
        log_to(arguments.log) as log,
        Reporter(plain=not arguments.json, verbose=arguments.verbose) as reporter,
        reporter.warned("solve"),
    ):
        game = game_of(arguments)
        times = tiers_of(arguments.weights)
        if times is None:
            weights = weights_of(game, arguments.weights)
        else:
            game, weights = tiered(game, times)
        if weights is not None and weights.note:
            reporter.line(f"{arguments.weights}: {weights.note}")
        if arguments.certificate is not None:
            _check_certifiable(arguments, game)
        history = parse_position(game, " ".join(arguments.position or ()))
        answers = len(candidates_of(game, history))
        take_ledger(arguments, game, objective=arguments.objective, weights=weights)
        result = solve_position(
            game,
            history,
            objective=arguments.objective,
            weights=weights,
            openers=arguments.openers,
            jobs=arguments.jobs,
            backend=arguments.backend,
            scheduler=arguments.scheduler,
            wait=arguments.wait,
            time_limit=arguments.time_limit,
            memory_limit=arguments.memory_limit,
            gap=arguments.gap,
            journal=arguments.journal,
            progress=reporter,
            log=log,
        )
    written = None
    if arguments.output is not None and result.tree is not None:
        written = write_or_keep("solve", arguments.output, result.tree.save, "tree")
    limit = game.max_guesses
    if arguments.json:
        about = {"tree": written, "game": game.name, "rules": game.rules.value}
        about["weights"] = "uniform" if weights is None else weights.name
        start = describe(game, history)
        print_json({**result.to_dict(), **about, "max_guesses": limit, "answers": answers, "position": start})
    else:
        weighted = "" if weights is None else f", weights: {harmless(arguments.weights)}"
        start = f", after {describe(game, history)}" if history else ""
        asked = f"{titled(game.name)}, {game.rules} rules, {within(limit)}{start}, "
        print(replace(result.table, caption=f"{asked}{counted(answers, 'answer')}{weighted}"))
        if written is not None:
            say(f"tree written to {written}")
    if arguments.output is not None and result.tree is None:
        remark(f"there is no tree to write to {arguments.output}")
    if arguments.certificate is not None:
        _certify(arguments, result, game)
    tell_journal("solve", arguments.journal, result.stop_reason)
    if arguments.verbose:
        remark(f"{result.count_calls} count calls")
        _tell_shortcuts(result)
    if result.stop_reason != "interrupted" and result.tree is not None and written != arguments.output:
        return BAD_INPUT
    return exit_status(result.status, result.stop_reason)


def _tell_shortcuts(result: Result) -> None:
    """What each shortcut of the search was asked, and what came of it."""
    from optimal.search.engine import COUNTED

    rows = []
    for name, did in result.shortcuts.items():
        if did["asked"]:
            asked, settled = COUNTED[name]
            told = f"{did['asked']:,} {asked}: {did['settled']:,} {settled}"
            if did["paid"] or did["wasted"]:
                told += f"; {did['paid']:,} nodes searched for that, and {did['wasted']:,} in vain"
            rows.append((name, told))
    sys.stderr.write(pairs(rows))


def _check_certifiable(arguments: argparse.Namespace, game: Game) -> None:
    """Better now than after the search."""
    from optimal.certificates.certify import check_covered

    check_covered(game, arguments.objective)
    for told, what in (
        (arguments.weights != "uniform", "answers of one weight, not --weights"),
        (arguments.openers, "all openers, not --openers"),
        (arguments.position, "trees from the start of a game, not --position"),
    ):
        if told:
            raise InputError(f"certificates cover {what}")


def _certify(arguments: argparse.Namespace, result: Result, game: Game) -> None:
    """Write the certificate of what is proven; what there is none of is said on standard error."""
    from optimal.certificates.certify import certify, certify_none
    from optimal.cli.progress import Reporter

    path = arguments.certificate
    with Reporter(plain=not arguments.json, verbose=False) as reporter:
        if result.status.value == "OPTIMAL" and result.tree is not None:
            done = certify(result.tree, game, path, arguments.jobs, reporter.step)
        elif result.status.value == "INFEASIBLE":
            done = certify_none(game, path, arguments.jobs, arguments.objective, reporter.step)
    if result.status.value not in ("OPTIMAL", "INFEASIBLE"):
        remark(f"optimal solve: the result is {result.status.value}, so there is no certificate to write to {path}")
        return
    if not arguments.json:
        say(f"certificate written to {path}: {counted(done.claims, 'claim')}, {done.bytes} bytes")
