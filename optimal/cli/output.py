"""What commands print of their results, and how a search tells by its exit status what came of it."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, TextIO

from optimal.cli.console import DONE, FEASIBLE, INTERRUPTED, NO, remark
from optimal.cli.options import STDOUT
from optimal.errors import InputError, OptimalError
from optimal.files import write_whole
from optimal.show.text import printable
from optimal.show.tiles import painted, palette_of

Event = dict[str, object]


def print_json(fields: Mapping[str, Any]) -> None:
    """Print one JSON object, in plain ASCII so that every terminal and pipe can take it."""
    print(json.dumps(fields))


def print_result(
    arguments: Namespace,
    fields: Callable[[], Mapping[str, Any]],
    text: Callable[[], str],
    csv: Callable[[], str] | None = None,
) -> None:
    """Print a result as one JSON object, as CSV or as text, whichever is asked for; CSV may go to a file beside.

    On a terminal with colours the guesses in a text are coloured tiles; --contrast chooses which.
    """
    form = arguments.csv if csv is not None else None
    if csv is not None and form not in (None, STDOUT):
        write_whole(form, [csv().encode()])
    if arguments.json:
        print_json(fields())
    elif csv is not None and form == STDOUT:
        sys.stdout.write(csv())
    else:
        palette = palette_of(sys.stdout, contrast=getattr(arguments, "contrast", False))
        sys.stdout.write(printable(painted(text().rstrip("\n") + "\n", palette)))


def talk_stream(arguments: Namespace) -> TextIO:
    """Where a talk with the player goes: standard output, which --json has for its object alone."""
    return sys.stderr if arguments.json else sys.stdout


def saved(command: str, path: str | None, save: Callable[[str], None] | None, what: str) -> str | None:
    """Write a tree or a key where it was asked for. The file; None where nothing was written, which is said."""
    if path is None:
        return None
    if save is None:
        remark(f"there is no {what} to write to {path}")
        return None
    try:
        save(path)
    except OptimalError as error:
        remark(f"optimal {command}: {error}")
        return None
    return path


def run_options(arguments: Namespace) -> dict[str, Any]:
    """How a run works, as far as its command has the options."""
    names = ("jobs", "backend", "scheduler", "wait", "time_limit", "memory_limit", "gap", "journal")
    return {name: getattr(arguments, name) for name in names if name in arguments}


def remark_journal(command: str, journal: str | None, stop_reason: str) -> None:
    """Say on standard error how a run that was stopped goes on, or that the journal could not be written."""
    if journal is not None and stop_reason.startswith("cannot write the journal"):
        remark(f"optimal {command}: {stop_reason}; what was proven before is in it")
    elif journal is not None and stop_reason.startswith("the journal"):
        remark(f"optimal {command}: {stop_reason}")
    elif journal is not None and stop_reason in ("interrupted", "time limit", "memory limit"):
        remark(f"{journal} has what is proven: the same command goes on from there")


def exit_status(status: str, stop_reason: str | None) -> int:
    """The exit status of a search that ends with this status."""
    if stop_reason == "interrupted":
        return INTERRUPTED
    return {"OPTIMAL": DONE, "FEASIBLE": FEASIBLE}.get(status, NO)


@contextmanager
def log_to(path: str | None) -> Iterator[Callable[[Event], None] | None]:
    """Write the events of a run to a file, one a line; None without one. No run ends for its log."""
    if path is None:
        yield None
        return
    try:
        file = open(path, "a", encoding="utf-8")  # noqa: SIM115
    except (OSError, ValueError) as error:
        raise InputError(f"cannot write the log {path}: {getattr(error, 'strerror', None) or error}") from None

    def write(event: Event) -> None:
        with suppress(OSError):
            file.write(json.dumps(event) + "\n")
            file.flush()

    with file:
        yield write
