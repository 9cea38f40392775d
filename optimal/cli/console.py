"""The exit statuses of commands, and the lines that they print."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import suppress

from optimal.show.words import harmless

DONE, NO, BAD_INPUT, FEASIBLE, INTERNAL, INTERRUPTED = 0, 1, 2, 3, 70, 130  # the exit statuses


def exit_status(status: str, stop_reason: str | None) -> int:
    """The exit status of a search that ends with this status."""
    if stop_reason == "interrupted":
        return INTERRUPTED
    return {"OPTIMAL": DONE, "FEASIBLE": FEASIBLE}.get(status, NO)


def say(line: str) -> None:
    """Print one line, whatever the names of files in it hold."""
    print(harmless(line))


def remark(line: str) -> None:
    """Print a line on standard error, on a terminal broken between words. No command ends for what nobody reads."""
    line = harmless(line)
    if sys.stderr.isatty():
        from optimal.show.text import paragraph  # here, because only a person at a terminal needs it

        line = paragraph(line).rstrip("\n")
    with suppress(OSError):
        print(line, file=sys.stderr, flush=True)


def example_lines(examples: Mapping[str, str]) -> str:
    """Commands, each with what it does below, as a help has them."""
    from optimal.show.text import paragraph  # here, because only the help needs it

    indent = 6 * " "
    lines = (f"  {line}\n{paragraph(does, first=indent, indent=indent)}" for line, does in examples.items())
    return f"examples:\n{''.join(lines)}"
