"""The command `optimal`: one module per command, imported when that command is called.

So `optimal play` loads neither numpy nor the extension. A command's module has `configure(parser)`, which
adds its arguments, and `run(arguments)`, which returns the exit status.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn, Protocol, cast

from optimal._version import __version__
from optimal.errors import InputError, InternalError, OptimalError, did_you_mean

DONE, NO, BAD_INPUT, FEASIBLE, INTERNAL, INTERRUPTED = 0, 1, 2, 3, 70, 130  # the exit statuses

COMMANDS = {
    "games": "the games known by name, and the strategy trees that are shipped",
    "solve": "find the best strategy tree of a game and prove it",
    "verify": "replay every answer of a tree and check what it says of itself",
    "certify": "write the proof that a tree's value is the least",
    "check": "check such a proof, without the engine that wrote it",
    "play": "play by look-up: it says the guess, you type the feedback",
    "suggest": "the exact best guesses at a position",
    "rank": "exact totals of first guesses",
    "status": "how far a run is, from its journal",
    "debrief": "skill and luck of every guess of a finished game",
    "assist": "exact advice, turn by turn, for a game that you play your own way",
    "export": "write a tree as a web page that plays, as a picture, JSON, CSV or text",
    "compare": "baseline strategies and the optimal tree side by side",
    "plot": "pictures: distributions side by side, skill and luck, the classes of a guess",
    "report": "fixed openings, and wins on the second guess",
}


class Command(Protocol):
    """What a command's module has."""

    def configure(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, arguments: argparse.Namespace) -> int: ...


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line each, without the usage before it."""

    def error(self, message: str) -> NoReturn:
        hint = ""
        if message.startswith(unknown := "unrecognized arguments: -"):
            option = message[len(unknown) - 1 :].split()[0].partition("=")[0]
            hint = did_you_mean(option, self._option_string_actions)
        raise InputError(message + (hint or f"; see `{self.prog} --help`"))


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line and return the exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    program = " ".join(["optimal", *(word for word in words[:1] if word in COMMANDS)])
    _prepare_streams()
    if "_ARGCOMPLETE" in os.environ:
        _complete(os.environ.get("COMP_LINE", "").split()[1:])
    try:
        status = _run(words)
    except SystemExit as stop:  # argparse, after --help and --version
        status = stop.code if isinstance(stop.code, int) else DONE
    except BrokenPipeError:  # the reader, `head` perhaps, has seen enough
        status = DONE
    except KeyboardInterrupt:
        status = _fail(program, "interrupted", INTERRUPTED)
    except OptimalError as error:
        status = _fail(program, str(error), BAD_INPUT)
    except InternalError as error:
        status = _fail(program, f"internal error, please report it: {error}", INTERNAL)
    except OSError as error:
        status = _fail(program, _reason(error), BAD_INPUT)
    except MemoryError:
        status = _fail(program, "there is not enough memory for this", BAD_INPUT)
    except RecursionError:
        status = _fail(program, "the trees of this game are too deep: thousands of guesses", BAD_INPUT)
    try:
        sys.stdout.flush()
    except OSError as error:
        # What could not be written is dropped, or Python would try again at its end and complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            status = _fail(program, f"cannot write the output: {_reason(error)}", BAD_INPUT)
    return status


def _run(words: list[str]) -> int:
    if words and words[0] in COMMANDS:
        command = cast(Command, import_module(f"optimal.cli.{words[0]}"))
        parser = Parser(prog=f"optimal {words[0]}", description=command.__doc__, allow_abbrev=False)
        command.configure(parser)
        arguments, left = parser.parse_known_args(words[1:])
        if left:  # turns or words that go on after an option, or what no command takes
            arguments = parser.parse_intermixed_args(words[1:])
        return command.run(arguments)
    if words[:1] == ["help"]:
        return _run([*words[1:2], "--help"])
    parser = _top_parser()
    if not words:
        parser.print_help(sys.stderr)
        return BAD_INPUT
    if not words[0].startswith("-"):
        raise InputError(_unknown_command(words[0]))
    parser.parse_args(words)
    raise InputError("no command is given; see `optimal --help`")


def _top_parser() -> Parser:
    from optimal.show.text import pairs  # here, because only the help needs it

    parser = Parser(
        prog="optimal",
        usage="optimal COMMAND ...",
        description=f"Provably optimal strategy trees for Wordle and its kin.\n\n{pairs(list(COMMANDS.items()))}\n"
        "`optimal help COMMAND` tells the rest.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("-V", "--version", action="version", version=f"optimal {__version__}")
    return parser


def _complete(words: Sequence[str]) -> None:
    """Tell a shell how its line may go on, and end; only the command that is named needs its options."""
    try:
        import argcomplete
    except ImportError:
        return
    parser = _top_parser()
    commands = parser.add_subparsers()
    for name in COMMANDS:
        own = commands.add_parser(name)
        if name in words[:1]:
            cast(Command, import_module(f"optimal.cli.{name}")).configure(own)
    argcomplete.autocomplete(parser)


def _unknown_command(name: str) -> str:
    from optimal.games.presets import is_game

    if is_game(name):
        return f"{name!r} is a game: name a command before it, such as `optimal suggest {name}`"
    hint = did_you_mean(name, [*COMMANDS, "help"], f"there are {', '.join(COMMANDS)}")
    return f"unknown command {name!r}{hint}"


def _prepare_streams() -> None:
    """Make all three streams safe to use: a closed one is None, and a narrow one cannot write every word."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _fail(program: str, message: str, status: int) -> int:
    # File names may hold line ends and worse; the message stays one harmless line.
    line = "".join(char if char.isprintable() else repr(char)[1:-1] for char in message)
    remark(f"{program}: {line}")
    return status


def remark(line: str) -> None:
    """Say it on standard error: in one line, or on a terminal in lines that are broken between words."""
    if sys.stderr.isatty():
        from optimal.show.text import paragraph  # here, because only a person at a terminal needs it

        line = paragraph(line).rstrip("\n")
    print(line, file=sys.stderr, flush=True)


def _reason(error: OSError) -> str:
    where = f"{error.filename}: " if error.filename else ""
    return f"{where}{error.strerror or error}"
