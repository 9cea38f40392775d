"""`optimal solve`: the best strategy tree of a game, proven."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace

from optimal.advice.position import candidates_of, parse_position
from optimal.advice.subgame import solve_position
from optimal.certificates.certify import Certified, certify, certify_none, check_covered
from optimal.certificates.checker import Step
from optimal.cli.console import remark
from optimal.cli.problems import game_of, is_long, weighed, weights_named
from optimal.cli.progress import Reporter
from optimal.cli.runs import finish, log_to, openers_asked, run_options, take_ledger
from optimal.errors import InputError
from optimal.games.game import Game
from optimal.games.info import describe
from optimal.games.presets import titled
from optimal.search.engine import COUNTED
from optimal.search.result import Result
from optimal.show.text import pairs
from optimal.show.words import counted, within
from optimal.trees.tree import StrategyTree


def run(arguments: Namespace) -> int:
    with (
        log_to(arguments.log) as log,
        Reporter(plain=not arguments.json, verbose=arguments.verbose) as reporter,
        reporter.warned("solve"),
    ):
        game, weights = weighed(game_of(arguments), arguments, reporter.line)
        if is_long(game) and not _bounded(arguments):
            reporter.line(f"{game.name} may take days: --journal FILE keeps what is proven")
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
            first=openers_asked(arguments),
            progress=reporter,
            log=log,
            **run_options(arguments),
        )
    tree, limit, position = result.tree, game.max_guesses, describe(game, history)
    if arguments.verbose:
        remark(f"{result.count_calls} count calls")
        for line in pairs(list(_shortcuts(result).items())).splitlines():
            remark(line)
    asked = f"{titled(game.name)}, {game.rules} rules, {within(limit)}, {f'after {position}, ' if history else ''}"
    weighted = "" if weights is None else f", weights: {weights_named(arguments)}"
    caption = f"{asked}{counted(answers, 'answer')}{weighted}"
    fields = {
        **result.to_dict(),
        "game": game.name,
        "rules": game.rules.value,
        "weights": "uniform" if weights is None else weights.name,
        "max_guesses": limit,
        "answers": answers,
        "position": position,
    }
    text = str(replace(result.table, caption=caption))
    ended = finish(arguments, "solve", result, fields, text, tree, lambda step: _prove(arguments, game, tree, step))
    if result.status in ("INFEASIBLE", "UNKNOWN") and limit is not None and arguments.objective == "mean":
        most = f"--max-guesses none --objective within:{limit}"
        remark(f"optimal solve: the tree that finds the most answers within {limit}: {most}")
        if result.status == "UNKNOWN":
            remark("optimal solve: a tree that finds all of them, with no limit: --max-guesses none")
    return ended


def _bounded(arguments: Namespace) -> bool:
    """Whether less is asked than the best of all first guesses, or the run may end sooner."""
    parts = (arguments.time_limit, arguments.gap, arguments.journal, arguments.openers, arguments.position)
    return any(part is not None for part in parts)


def _shortcuts(result: Result) -> dict[str, str]:
    """How often each shortcut of the search was asked, and how often it settled the question."""
    found = {}
    for name, did in result.shortcuts.items():
        if did["asked"]:
            asked, settled = COUNTED[name]
            found[name] = f"{did['asked']:,} {asked}: {did['settled']:,} {settled}"
            if did["paid"] or did["wasted"]:
                found[name] += f"; {did['paid']:,} nodes searched for that, and {did['wasted']:,} in vain"
    return found


def _check_certifiable(arguments: Namespace, game: Game) -> None:
    """Better now than after the search."""
    check_covered(game, arguments.objective)
    for given, what in (
        (arguments.weights != "uniform", "answers of one weight, not --weights"),
        (arguments.used, "answers of one weight, not --used"),
        (arguments.openers, "all openers, not --openers"),
        (arguments.position, "trees from the start of a game, not --position"),
    ):
        if given:
            raise InputError(f"certificates cover {what}")


def _prove(arguments: Namespace, game: Game, tree: StrategyTree | None, step: Step) -> Certified:
    """Write the certificate of the best tree, or of that there is none."""
    if tree is None:
        return certify_none(game, arguments.certificate, arguments.jobs, arguments.objective, step)
    return certify(tree, game, arguments.certificate, arguments.jobs, step)
