"""The command `optimal`: one module per command, imported when that command is called.

So `optimal play` loads neither numpy nor the extension. A command's module has `configure(parser)`, which
adds its arguments, and `run(arguments)`, which returns the exit status.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from typing import Any, NoReturn, Protocol, TextIO, cast

from optimal._version import __version__
from optimal.cli.apart import check_apart
from optimal.errors import InputError, InternalError, OptimalError, did_you_mean
from optimal.show.words import harmless

DONE, NO, BAD_INPUT, FEASIBLE, INTERNAL, INTERRUPTED = 0, 1, 2, 3, 70, 130  # the exit statuses

#: By what they are for.
GROUPS = {
    "play": {
        "play": "today's Wordle along the best tree: it says the guess, you type the colours",
        "assist": "exact advice, turn by turn, for a game that you play your own way",
        "suggest": "the best guesses now, each with how many guesses it takes on average",
        "debrief": "skill and luck of every guess of a finished game",
        "page": "all that as a page that opens in your browser, and needs no network",
    },
    "prove": {
        "solve": "find the best strategy tree of a game and prove that it is the best",
        "rank": "what first guesses are worth, exactly",
        "status": "how far a long run is, from its journal",
        "identify": "the best key of a table of your own: which of these objects is it?",
        "verify": "replay every answer of a tree and check what it says of itself",
        "certify": "write a proof that no tree is better",
        "check": "check such a proof, without the engine that wrote it",
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
#: What to write for --weights, by all commands but `identify`, whose --weight-column may be meant.
WEIGHTS = {"--weights": ": `optimal solve` alone takes weights"}
#: Of options that a command has not, and that somebody may well look for there; "=" stands for turns and replies.
HINTS = {
    "play": {
        "--words": ": `optimal assist --words FILE` takes a list, and `optimal play TREE` the tree that `optimal solve "
        "--words FILE --output TREE` finds",
        "=": ": `optimal suggest` takes turns, `optimal suggest --table TABLE QUESTION=REPLY` replies to questions",
    }
}
EXAMPLES = (
    ("optimal play", "today's Wordle: it says the guess, you type the colours"),
    ("optimal suggest salet=bybyb", "you have guessed salet: what is best now?"),
    ("optimal debrief salet round irony crony", "a finished game, the answer last: skill or luck?"),
)


class Command(Protocol):
    """What a command's module has."""

    EXAMPLES: Sequence[tuple[str, str]]

    def configure(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, arguments: argparse.Namespace) -> int: ...


class Guarded:
    """An output on which nothing fails that is said: what a command has to do does not end because nobody reads it.

    Once something can't be written, the rest is dropped; `end` tells why.
    """

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self._error: OSError | None = None

    def write(self, text: str) -> int:
        self._attempt(lambda: self.stream.write(text))
        return len(text)

    def flush(self) -> None:
        self._attempt(self.stream.flush)

    def end(self) -> OSError | None:
        """Write what is left; the error if something could not be written."""
        self.flush()
        if self._error is not None:
            # What is left would be tried again when Python ends, with a complaint.
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.stream.fileno())
        return self._error

    def _attempt(self, do: Callable[[], object]) -> None:
        if self._error is None:
            try:
                do()
            except OSError as error:
                self._error = error

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def talk_stream(*, aside: bool) -> TextIO:
    """Where a talk with the player goes: standard output, or, ``aside``, standard error. It fails where nobody reads,
    for then it need not go on."""
    stream = sys.stderr if aside else sys.stdout
    return stream.stream if isinstance(stream, Guarded) else stream


#: Options, None unless given, whose second value does not replace the first for a reader, but looks like one more.
ONCE = frozenset({"answer", "answers", "game", "guesses", "openers"})


class Once(argparse._StoreAction):
    """An option whose last value counts, as everywhere, but for those of ``ONCE``, which are given once at most."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        if self.dest in ONCE and getattr(namespace, self.dest) is not None:
            raise InputError(f"{option_string} is given twice: give it once")
        super().__call__(parser, namespace, values, option_string)


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line each, and whose help begins with examples and has its options in groups."""

    examples: Sequence[tuple[str, str]] = ()
    #: What to write for options that another command has, and for turns.
    hints: Mapping[str, str] = {}

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for name in (None, "store"):
            self.register("action", name, Once)

    def error(self, message: str) -> NoReturn:
        hint = ""
        if message.startswith(unknown := "unrecognized arguments: -"):
            option = message[len(unknown) - 1 :].split()[0].partition("=")[0]
            hint = self.hints.get(option) or did_you_mean(option, self._option_string_actions)
        elif message.startswith("unrecognized arguments: ") and "=" in message:
            hint = self.hints.get("=", "")
        if message.startswith("unrecognized arguments: ") and "--rules" in self._option_string_actions:
            hint = rules_hint(message.split()[2]) or hint
        raise InputError(message + (hint or f"; see `{self.prog} --help`"))

    def format_help(self) -> str:
        from optimal.show.text import paragraph  # here, because only the help needs it

        usage, rest = self._get_formatter(), self._get_formatter()
        usage.add_usage(self.usage, [one for one in self._actions if one.required or not one.option_strings], [])
        options = "" if self.usage else " [option ...]"
        for title, actions in self._sections().items():
            rest.start_section(title)
            rest.add_arguments(actions)
            rest.end_section()
        rest.add_text(self.epilog)
        examples = "".join(f"  {line}\n{paragraph(told, first=BELOW, indent=BELOW)}" for line, told in self.examples)
        examples = f"examples:\n{examples}\n" if examples else ""
        about = self.description or ""
        if self.formatter_class is Formatter:
            about = "\n".join(paragraph(" ".join(block.split())) for block in about.split("\n\n"))
        return f"{usage.format_help().rstrip()}{options}\n\n{examples}{about.rstrip()}\n\n{rest.format_help()}"

    def _sections(self) -> dict[str, list[argparse.Action]]:
        """All arguments, in groups; those of a group that a command has made itself stay in it."""
        found: dict[str, list[argparse.Action]] = {title: [] for title in SECTIONS}
        named = {dest: title for title, names in SECTIONS.items() for dest in names.split()}
        for group in self._action_groups:
            for action in group._group_actions:
                title = named.get(action.dest, QUESTION)
                if not action.option_strings:
                    title = PLACED.get(action.dest, ARGUMENTS)
                elif group is not self._optionals:
                    title = group.title or title
                found.setdefault(title, []).append(action)
        last = {title: found.pop(title) for title in LAST}
        return {title: actions for title, actions in {**found, **last}.items() if actions}


def rules_hint(word: str) -> str:
    """What an error adds where somebody has named rules alone, such as --hard."""
    from optimal.games.rules import Rules  # here, because only a mistake needs it

    name = word.lstrip("-").lower()
    return f": write --rules {name}" if name in [rules.value for rules in Rules] else ""


class Formatter(argparse.HelpFormatter):
    """Names with a hyphen stay whole."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        import textwrap  # argparse too imports it where it breaks lines

        return textwrap.wrap(" ".join(text.split()), width, break_on_hyphens=False)


#: The groups of a command's help, in their order, and what stands in them, by the names of options in Python: any
#: other is in the question. Then what is named by its place.
ARGUMENTS, QUESTION, OPTIONS = "arguments", "question", "other options"
SECTIONS = {
    ARGUMENTS: "",
    "position": "",
    QUESTION: "",
    "game": "game guesses answers word_list length name matrix winning rules candidates max_guesses",
    "table": "table cost_row weight_column group_column transpose",
    "limits": "time_limit memory_limit gap",
    "work": "jobs backend scheduler wait journal ledger no_table verbose log",
    "output": "top others output certificate to csv json plot contrast",
    OPTIONS: "help version",
}
LAST = ("limits", "work", "output", OPTIONS)
PLACED = {"position": "position", "placed_game": "game"}
BELOW = 6 * " "  # before what an example does


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line and return the exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    program = " ".join(["optimal", *(word for word in words[:1] if word in COMMANDS)])
    _prepare_streams()
    if "_ARGCOMPLETE" in os.environ:
        _complete(os.environ.get("COMP_LINE", "").split()[1:])
    out, err = Guarded(sys.stdout), Guarded(sys.stderr)
    with redirect_stdout(cast(TextIO, out)), redirect_stderr(cast(TextIO, err)):
        status = _ended(words, program)
        error = out.end()
        # A reader that has gone, `head` perhaps, has seen enough.
        if error is not None and not isinstance(error, BrokenPipeError):
            status = _fail(program, f"cannot write the output: {_reason(error)}", BAD_INPUT)
    err.end()
    return status


def _ended(words: list[str], program: str) -> int:
    """The exit status of a command line; what went wrong is told."""
    try:
        return _run(words)
    except SystemExit as stop:  # argparse, after --help and --version
        return stop.code if isinstance(stop.code, int) else DONE
    except BrokenPipeError:  # the listener of a talk has gone
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
    except RuntimeError as error:
        if "can't start new thread" not in str(error):
            raise
        return _fail(program, "the system starts no more threads: there is not enough memory for them", BAD_INPUT)


def _run(words: list[str]) -> int:
    if words and words[0] in COMMANDS:
        command = cast(Command, import_module(f"optimal.cli.{words[0]}"))
        parser = Parser(
            prog=f"optimal {words[0]}", description=command.__doc__, formatter_class=Formatter, allow_abbrev=False
        )
        parser.examples = command.EXAMPLES
        parser.hints = {} if words[0] == "identify" else WEIGHTS | HINTS.get(words[0], {})
        command.configure(parser)
        arguments, left = parser.parse_known_args(words[1:])
        if left:  # turns or words that go on after an option, or what no command takes
            arguments = parser.parse_intermixed_args(words[1:])
        check_apart(parser._actions, arguments)
        return command.run(arguments)
    if words[:1] == ["help"]:
        return _run([*words[1:2], "--help"])
    parser = _top_parser()
    if not words:
        parser.print_help(sys.stderr)
        return BAD_INPUT
    if not words[0].startswith("-"):
        raise InputError(_unknown_command(words[0]))
    try:
        parser.parse_args(words)
    except InputError:
        if name := next((word for word in words if word in COMMANDS), None):
            raise InputError(f"options come after the command: `optimal {name} {words[0]}`") from None
        raise
    raise InputError("no command is given; see `optimal --help`")


def _top_parser() -> Parser:
    from optimal.show.text import pairs  # here, because only the help needs it

    groups = "\n".join(f"{title}:\n{pairs(list(commands.items()))}" for title, commands in GROUPS.items())
    parser = Parser(
        prog="optimal",
        usage="optimal COMMAND ...",
        description=f"The best way to play Wordle and games like it, found exactly and proven.\n\n{groups}\n"
        "`optimal help COMMAND` tells the rest.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.examples = EXAMPLES
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
    remark(f"{program}: {message}")
    return status


def say(line: str) -> None:
    """Say it on standard output, in one line, whatever the names of files in it hold."""
    print(harmless(line))


def remark(line: str) -> None:
    """Say it on standard error: in one line, or on a terminal in lines that are broken between words."""
    line = harmless(line)
    if sys.stderr.isatty():
        from optimal.show.text import paragraph  # here, because only a person at a terminal needs it

        line = paragraph(line).rstrip("\n")
    print(line, file=sys.stderr, flush=True)


def _reason(error: OSError) -> str:
    where = f"{error.filename}: " if error.filename else ""
    return f"{where}{error.strerror or error}"
