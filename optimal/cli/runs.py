"""What the commands that search share: options of a run, its log, the files it writes, and how it ends."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from optimal.cli.console import BAD_INPUT, INTERRUPTED, exit_status, remark, say
from optimal.cli.options import openers_of, time_left
from optimal.cli.output import print_result
from optimal.cli.progress import Reporter
from optimal.errors import InputError, OptimalError
from optimal.games.game import Game
from optimal.search.importing import import_ledger
from optimal.search.result import Outcome
from optimal.show.words import counted

if TYPE_CHECKING:
    from optimal.certificates.certify import Certified
    from optimal.trees.key import Key
    from optimal.trees.tree import StrategyTree

Event = dict[str, object]
OPTIONS = ("jobs", "backend", "scheduler", "wait", "time_limit", "memory_limit", "gap", "journal")


def run_options(arguments: Namespace) -> dict[str, Any]:
    """How a run works, as far as its command has the options."""
    options = {name: getattr(arguments, name) for name in OPTIONS if name in arguments}
    return {**options, "time_limit": time_left(arguments)}


def openers_asked(arguments: Namespace) -> list[str] | None:
    return None if arguments.openers is None else openers_of(arguments.openers)


@contextmanager
def log_to(path: str | None) -> Iterator[Callable[[Event], None] | None]:
    """Write the events of a run to a file, one a line; None without one. No run ends for its log."""
    if path is None:
        yield None
        return
    with open(path, "a", encoding="utf-8") as file:

        def write(event: Event) -> None:
            with suppress(OSError):
                file.write(json.dumps(event) + "\n")
                file.flush()

        yield write


def take_ledger(arguments: Namespace, game: Game, **problem: Any) -> None:
    """Add the ledger of --import to the journal."""
    if arguments.ledger is None:
        return
    if arguments.journal is None:
        raise InputError("--import goes with --journal: that is where the bounds go")
    if getattr(arguments, "position", None):
        raise InputError("a ledger is of whole games: leave out --position")
    limit = arguments.memory_limit
    taken = import_ledger(game, arguments.ledger, arguments.journal, **problem, memory_limit=limit)
    remark(f"{counted(taken, 'opener')} taken over from {arguments.ledger}")


def finish(
    arguments: Namespace,
    command: str,
    found: Outcome,
    fields: Mapping[str, Any],
    text: str,
    tree: StrategyTree | Key | None,
    prove: Callable[[Callable[[str, int, int], None]], Certified],
) -> int:
    """Write the tree or the key and its certificate where they were asked for, and print the result.

    Returns the exit status: that of a bad input where a tree that was found could not be written.
    """
    what, path, written, proof = "key" if command == "identify" else "tree", arguments.output, None, None
    if path is not None and tree is None:
        remark(f"there is no {what} to write to {path}")
    elif path is not None and tree is not None:
        try:
            tree.save(path)
            written = path
        except OptimalError as error:
            remark(f"optimal {command}: {error}")
    certificate = arguments.certificate
    if certificate is not None and found.status in ("OPTIMAL", "INFEASIBLE"):
        with Reporter(plain=not arguments.json, questions=command == "identify") as reporter:
            proof = prove(reporter.step).text(certificate)
    elif certificate is not None:
        reason = f"the result is {found.status}, so there is no certificate to write to {certificate}"
        remark(f"optimal {command}: {reason}")
    print_result(arguments, {**fields, "tree": written}, text)
    if written is not None and not arguments.json:
        say(f"{what} written to {written}")
    if proof is not None and not arguments.json:
        say(proof)
    status = ended(arguments, command, found)
    return BAD_INPUT if tree is not None and written != path and status != INTERRUPTED else status


def ended(arguments: Namespace, command: str, found: Outcome) -> int:
    """Say how a run that was stopped goes on. Returns the exit status."""
    journal, reason = arguments.journal, found.stop_reason
    if journal is not None and reason.startswith("cannot write the journal"):
        remark(f"optimal {command}: {reason}; what was proven before is in it")
    elif journal is not None and reason.startswith("the journal"):
        remark(f"optimal {command}: {reason}")
    elif journal is not None and reason in ("interrupted", "time limit", "memory limit"):
        remark(f"{journal} has what is proven: the same command goes on from there")
    return exit_status(found.status, reason)
