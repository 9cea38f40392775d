"""The command `optimal`.

`commands` declares the arguments of each command, which is all that its help and a mistake need; its code is the module
of the same name, imported once the arguments are read. So `optimal play` loads neither numpy nor the extension.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from optimal._version import __version__
from optimal.cli.console import BAD_INPUT, COMMANDS, DONE, GROUPS, INTERNAL, INTERRUPTED, example_lines, remark
from optimal.errors import InputError, InternalError, OptimalError, did_you_mean
from optimal.show.text import pairs
from optimal.show.words import quoted

if TYPE_CHECKING:
    from typing import TextIO

__all__ = ["COMMANDS", "GROUPS", "main"]

EXAMPLES = {
    "optimal play": "today's Wordle: it says the guess, you type the colours",
    "optimal suggest salet=bybyb": "you have guessed salet: what is best now?",
    "optimal debrief salet round irony crony": "a finished game, the answer last: skill or luck?",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line and return the exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    program = " ".join(["optimal", *(word for word in words[:1] if word in COMMANDS)])
    _prepare_streams()
    if "_ARGCOMPLETE" in os.environ:
        _complete()
    status = _status(words, program)
    error = _flushed(sys.stdout)
    if error is not None and not isinstance(error, BrokenPipeError):
        status = _fail(program, f"cannot write the output: {_reason(error)}", BAD_INPUT)
    _flushed(sys.stderr)
    return status


def _status(words: list[str], program: str) -> int:
    """The exit status of a command line; what went wrong is said in one line."""
    try:
        return _run(words, program)
    except SystemExit:  # argparse, after --help
        return DONE
    except BrokenPipeError:  # a reader that has gone, `head` perhaps, has seen enough
        return DONE
    except KeyboardInterrupt:
        return _fail(program, "interrupted", INTERRUPTED)
    except OptimalError as error:
        return _fail(program, str(error), BAD_INPUT)
    except InternalError as error:
        return _fail(program, f"internal error, please report it: {error}", INTERNAL)
    except OSError as error:
        return _fail(program, _reason(error), BAD_INPUT)
    except MemoryError:
        return _fail(program, "there is not enough memory for this", BAD_INPUT)
    except RecursionError:
        return _fail(program, "the trees of this game are too deep: thousands of guesses", BAD_INPUT)


def _run(words: list[str], program: str) -> int:
    name = words[0] if words else ""
    if name in COMMANDS:
        from optimal.search.progress import Clock  # here, because `optimal --help` does without

        clock = Clock()
        from optimal.cli.parser import Parser

        arguments = Parser(program).parse(words[1:])
        arguments.clock = clock
        return int(import_module(f"optimal.cli.{name}").run(arguments))
    if name == "help" and len(words) > 1:
        return main([words[1], "--help"])
    if name in ("help", "-h", "--help"):
        print(_help(), end="")
        return DONE
    if name in ("-V", "--version"):
        print(f"optimal {__version__}")
        return DONE
    if not words:
        print(f"{_usage()}\n`optimal help` lists the commands, `optimal help COMMAND` the options of one.")
        return DONE
    raise InputError(_unknown(words))


def _usage() -> str:
    return f"usage: optimal COMMAND ... [option ...]\n\n{example_lines(EXAMPLES)}"


def _help() -> str:
    groups = "\n".join(f"{title}:\n{pairs(list(commands.items()))}" for title, commands in GROUPS.items())
    options = [("-h, --help", "show this help message and exit"), ("-V, --version", "show the version and exit")]
    return (
        f"{_usage()}\n"
        f"The best way to play Wordle and games like it, found exactly and proven.\n\n{groups}\n"
        f"`optimal help COMMAND` lists its options.\n\nother options:\n{pairs(options)}"
    )


def _unknown(words: list[str]) -> str:
    """What an error says of a command that is none."""
    from optimal.games.presets import is_game  # here, because only a mistake needs it

    name = words[0]
    if name.startswith("-"):
        command = next((word for word in words if word in COMMANDS), None)
        hint = f"options come after the command: `optimal {command} {name}`" if command else "see `optimal --help`"
        return f"unrecognized arguments: {name}; {hint}"
    if is_game(name):
        return f"{name!r} is a game: name a command before it, such as `optimal suggest {name}`"
    hint = did_you_mean(name, [*COMMANDS, "help"], f"there are {', '.join(COMMANDS)}")
    return f"unknown command {quoted(name)}{hint}"


def _complete() -> None:
    """Complete a line for a shell, and end."""
    try:
        import argcomplete
    except ImportError:
        return
    from argparse import ArgumentParser

    from optimal.cli.parser import Parser

    top = ArgumentParser("optimal")
    commands = top.add_subparsers(parser_class=Parser)
    for name in COMMANDS:
        commands.add_parser(name)
    argcomplete.autocomplete(top)


def _prepare_streams() -> None:
    """Make the streams safe to use: a closed one is None, and a narrow one cannot write every word."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")


def _flushed(stream: TextIO) -> OSError | None:
    """Write what is left; the error if that can't be written."""
    try:
        stream.flush()
    except OSError as error:
        # Python would try again when it ends, and complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        return error
    return None


def _fail(program: str, message: str, status: int) -> int:
    remark(f"{program}: {message}")
    return status


def _reason(error: OSError) -> str:
    where = f"{error.filename}: " if error.filename else ""
    return f"{where}{error.strerror or error}"
