"""Find the best strategy tree of a game over all openers, or over those named, and prove that it is the best.

Exit status 1 when no tree exists within the limit, or when it stopped before it found one.
"""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING, Any

from optimal.cli import DONE, INTERRUPTED, NO
from optimal.cli.common import (
    BAR,
    add_game,
    add_jobs,
    add_json,
    add_limit,
    add_openers,
    add_stops,
    check_writable,
    game_of,
    json_distribution,
    print_json,
    print_text,
)
from optimal.show.text import counted, histogram, pairs, within

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optimal.search.result import Result

BACKENDS = ("threads", "loky")
#: What the parts of a value are called, by objective.
PARTS = {"mean": ("total",), "worst": ("worst", "total"), "within": ("missed", "total")}


def configure(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument(
        "--objective",
        default="mean",
        metavar="GOAL",
        help="mean, worst, or within:K (fewest answers missed after K guesses); default: mean",
    )
    parser.add_argument(
        "--weights",
        default="uniform",
        metavar="WEIGHTS",
        help="uniform, frequency, or a file with a word and its weight a line (default: uniform)",
    )
    add_limit(parser)
    add_openers(parser, "prove over these first guesses alone (default: every guess)")
    parser.add_argument(
        "--position",
        nargs="+",
        metavar="GUESS=FEEDBACK",
        help="a tree from here on, such as salet=bybbb; limits still count from the start of the game",
    )
    add_jobs(parser)
    parser.add_argument(
        "--backend", choices=BACKENDS, default=BACKENDS[0], help=f"how the jobs run (default: {BACKENDS[0]})"
    )
    add_stops(parser)
    parser.add_argument("--output", metavar="TREE", help="write the strategy tree to this file")
    parser.add_argument("-v", "--verbose", action="store_true", help="say more, on standard error")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    if arguments.output is not None:
        check_writable(arguments.output)
    game = game_of(arguments)

    from optimal.cli.progress import Reporter
    from optimal.games.weights import weights_of
    from optimal.positions.analysis import solve_position
    from optimal.positions.position import candidates_of, describe, parse_position
    from optimal.trees.file import write_tree

    weights = weights_of(game, arguments.weights)
    if weights is not None and weights.note:
        print(f"{arguments.weights}: {weights.note}", file=sys.stderr)
    history = parse_position(game, " ".join(arguments.position or ()))
    answers = len(candidates_of(game, history))
    with Reporter(plain=not arguments.json, verbose=arguments.verbose) as reporter:
        result = solve_position(
            game,
            history,
            objective=arguments.objective,
            weights=weights,
            openers=arguments.openers,
            jobs=arguments.jobs,
            backend=arguments.backend,
            time_limit=arguments.time_limit,
            memory_limit=arguments.memory_limit,
            progress=reporter,
        )
    written = None
    if arguments.output is not None and result.tree is not None:
        # Through a link, to the file that it points to: the writer would put the tree in the link's place.
        write_tree(os.path.realpath(arguments.output), result.tree)
        written = arguments.output
    limit = game.max_guesses
    if arguments.json:
        fields = _fields(result, written)
        about = {"game": game.name, "rules": game.rules.value, "objective": arguments.objective}
        about["weights"] = "uniform" if weights is None else weights.name
        print_json({**fields, **about, "max_guesses": limit, "answers": answers, "position": describe(game, history)})
    else:
        weighted = "" if weights is None else f", weights: {arguments.weights}"
        start = f", after {describe(game, history)}" if history else ""
        print(f"{game.name}, {game.rules} rules, {within(limit)}{start}, {counted(answers, 'answer')}{weighted}")
        _show(result, arguments.objective)
        if written is not None:
            print(f"tree written to {written}")
    if arguments.output is not None and written is None:
        print(f"there is no tree to write to {arguments.output}", file=sys.stderr)
    if arguments.verbose:
        print(f"{result.count_calls} count calls, {result.table_hits} table hits", file=sys.stderr)
    if result.stop_reason == "interrupted":
        return INTERRUPTED
    return NO if result.tree is None else DONE


def _fields(result: Result, written: str | None) -> dict[str, Any]:
    tree = result.tree
    return {
        "status": result.status.value,
        "total": result.total,
        "value": None if result.value is None else list(result.value),
        "bound": None if result.bound is None else list(result.bound),
        "mean": None if result.mean is None else float(result.mean),
        "worst": None if tree is None else tree.worst,
        "distribution": {} if tree is None else json_distribution(tree.distribution),
        "opener": result.opener,
        "openers": result.openers,
        "openers_refuted": result.openers_refuted,
        "stop_reason": result.stop_reason,
        "seconds": result.seconds,
        "nodes": result.nodes,
        "count_calls": result.count_calls,
        "table_hits": result.table_hits,
        "tree": written,
    }


def _show(result: Result, objective: str) -> None:
    tree = result.tree
    over = f"all {result.openers} openers" if result.openers != 1 else "the one opener"
    proven = result.status.value in ("OPTIMAL", "INFEASIBLE")
    fields = [("status", result.status.value)]
    if tree is None:
        said = "no strategy exists" if proven else "nothing was found before it stopped"
        fields.append(("result", f"{said}, over {over}"))
    else:
        assert result.value is not None
        value = _value(objective, result.value)
        if proven:
            value += f" (proven least, over {over})"
        else:
            value += " (upper bound)"
        fields += [("opener", tree.root.guess), ("result", value)]
    if not proven and result.bound is not None:
        fields.append(("bound", f"{_value(objective, result.bound)} (proven lower bound)"))
    if tree is not None:
        label = "proven" if proven else "upper bound"
        fields += [("mean", f"{tree.mean_text} ({label})"), ("worst", f"{tree.worst}")]
    fields.append(("refuted", f"{result.openers_refuted} of {result.openers} openers"))
    if not proven:
        fields.append(("stopped", result.stop_reason))
    fields.append(("seconds", f"{result.seconds:.2f}"))
    fields.append(("nodes", f"{result.nodes:,}"))
    print(pairs(fields), end="")
    if tree is not None:
        print_text(histogram(tree.distribution, width=BAR, headed=True))


def _value(objective: str, value: Sequence[int]) -> str:
    parts = PARTS[objective.partition(":")[0]]
    return ", ".join(f"{name} {number}" for name, number in zip(parts, value, strict=True))
