"""The commands by name, their exit statuses, and the lines that they print."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import suppress

from optimal.show.text import paragraph
from optimal.show.words import harmless

DONE, NO, BAD_INPUT, FEASIBLE, INTERNAL, INTERRUPTED = 0, 1, 2, 3, 70, 130  # the exit statuses


#: The commands by what they are for, each in a line.
GROUPS = {
    "play": {
        "play": "today's Wordle along the best tree: it says the guess, you type the colours",
        "assist": "exact advice, turn by turn, for a game that you play your own way",
        "suggest": "the best guesses now, each with how many guesses it takes on average",
        "debrief": "skill and luck of every guess of a finished game",
        "page": "a page that opens in your browser and needs no network: play, advice, debriefs",
    },
    "prove": {
        "solve": "find the best strategy tree of a game and prove that it is the best",
        "rank": "what first guesses are worth, exactly",
        "status": "how far a long run is, from its journal",
        "identify": "the best key of a table of your own: which of these objects is it?",
        "verify": "replay every answer of a tree and check what it says of itself",
        "certify": "write a proof that no tree is better",
        "check": "check a proof of optimality, without the engine that wrote it",
    },
    "look": {
        "games": "the games known by name, and the strategy trees that are shipped",
        "compare": "other strategies beside the best, answer by answer",
        "report": "fixed openings, and wins on the second guess",
        "export": "a tree or a key as a web page that plays, as a picture, JSON, CSV or text",
        "plot": "pictures: distributions side by side, skill and luck, the classes of a guess",
    },
}
COMMANDS = {name: about for commands in GROUPS.values() for name, about in commands.items()}


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
        line = paragraph(line).rstrip("\n")
    with suppress(OSError):
        print(line, file=sys.stderr, flush=True)


def example_lines(examples: Mapping[str, str]) -> str:
    """Commands, each with what it does below, as a help has them."""
    indent = 6 * " "
    lines = (f"  {line}\n{paragraph(does, first=indent, indent=indent)}" for line, does in examples.items())
    return f"examples:\n{''.join(lines)}"
