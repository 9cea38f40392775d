"""From words to the arguments of a command: argparse, with one-line errors and examples at the head of the help."""

from __future__ import annotations

import argparse
import os
import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn

from optimal.cli.commands import COMMANDS, FORMS, Command
from optimal.cli.console import COMMANDS as ABOUT
from optimal.cli.console import example_lines
from optimal.cli.options import JSON, SECTIONS, STDOUT, Option, Use, trees_that_ship
from optimal.errors import InputError, did_you_mean
from optimal.files import check_writable
from optimal.games.presets import game_names, is_game
from optimal.games.rules import Rules
from optimal.show.text import paragraph
from optimal.show.words import sentence

#: What goes with a table.
TABLE_NAMES = ("cost_row", "weight_column", "group_column", "without", "only", "classes", "separator", "transpose")
#: What a shell completes arguments by.
COMPLETIONS: dict[str, Callable[[], list[str]]] = {
    **dict.fromkeys(("placed_game", "words", "--game"), game_names),
    "tree": trees_that_ship,
    "--to": lambda: list(FORMS),
}
_PLACES = {None: "{}", "?": "[{}]", "*": "[{} ...]", "+": "{} [{} ...]"}


class Formatter(argparse.RawDescriptionHelpFormatter):
    """Names with a hyphen stay whole."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return textwrap.wrap(" ".join(text.split()), width, break_on_hyphens=False)


class Parser(argparse.ArgumentParser):
    """The parser of a command. Its errors are one line each, and its help begins with examples."""

    def __init__(self, prog: str) -> None:
        self.command: Command = COMMANDS[prog.split()[-1]]
        super().__init__(prog, add_help=False, allow_abbrev=False, formatter_class=Formatter)
        groups = {section: self.add_argument_group(section) for section in SECTIONS}
        self.files: list[tuple[argparse.Action, Use]] = []
        arguments = self.command.arguments
        for option in arguments if any("--json" in one.names for one in arguments) else (*arguments, JSON):
            action = self._add(option, groups[option.section])
            if option.file:
                self.files.append((action, option.file))
        self.add_argument_group("other options").add_argument(
            "-h", "--help", action="help", help="show this help message and exit"
        )

    def _add(self, option: Option, group: argparse._ArgumentGroup) -> argparse.Action:
        settings = dict(option.settings)
        if read := settings.get("type"):
            settings["type"] = _reader(read)
        action = group.add_argument(*option.names, **settings)
        if names := COMPLETIONS.get(option.names[0]):
            action.completer = lambda **_: names()  # type: ignore[attr-defined]
        return action

    def format_help(self) -> str:
        self.usage = " ".join([self.prog, *filter(None, map(_usage, self.command.arguments)), "[option ...]"])
        about = f"{sentence(ABOUT[self.prog.split()[-1]])} {self.command.details}"
        paragraphs = [paragraph(" ".join(text.split())) for text in f"{about[0].upper()}{about[1:]}".split("\n\n")]
        self.description = f"{example_lines(self.command.examples)}\n" + "\n".join(paragraphs)
        self.epilog = self.command.epilog and self.command.epilog()
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        raise InputError(message + (self._hint(message) or f"; see `{self.prog} --help`"))

    def _hint(self, message: str) -> str:
        """What an error adds for what is not recognized: how another command takes it, or what was meant."""
        unknown, _, words = message.partition("unrecognized arguments: ")
        if unknown or not words:
            return ""
        word = words.split()[0].partition("=")[0]
        if "--rules" in self._option_string_actions and (hint := rules_hint(word)):
            return hint
        if not word.startswith("-"):
            return self.command.hints.get("=", "") if "=" in words else ""
        if word == "--weights" and self.prog != "optimal identify":
            return ": `optimal solve` alone takes weights"
        return self.command.hints.get(word) or did_you_mean(word, self._option_string_actions)

    def parse(self, words: Sequence[str]) -> argparse.Namespace:
        """The arguments. InputError for what they can't be together, before any work."""
        self._check_once(words)
        arguments, left = self.parse_known_args(words)
        if left:  # turns or words that go on after an option, or what no command takes
            arguments = self.parse_intermixed_args(words)
        if "--table" in self._option_string_actions and arguments.table is None:
            for name in TABLE_NAMES:
                if getattr(arguments, name):
                    raise InputError(f"--{name.replace('_', '-')} goes with --table: it is about a table")
        if arguments.json and getattr(arguments, "csv", None) == STDOUT:
            raise InputError("--json and --csv both go to standard output: name a file after --csv")
        self._check_files(arguments)
        return arguments

    def _check_once(self, words: Sequence[str]) -> None:
        """InputError for an option that is given twice, where the last value alone would count."""
        given: dict[str, str] = {}
        for name in (word.partition("=")[0] for word in words):
            action = self._option_string_actions.get(name)
            if not isinstance(action, argparse._StoreAction | argparse._StoreConstAction) or action.const is True:
                continue  # no option, a switch, or one that may be given again
            if before := given.get(action.dest):
                twice = f"{name} is given twice" if name == before else f"{before} and {name} are both given"
                raise InputError(f"{twice}: give one")
            given[action.dest] = name

    def _check_files(self, arguments: argparse.Namespace) -> None:
        """InputError for an output that can't be written, or is another output, or a file that is read."""
        files = [(*file, use) for action, use in self.files for file in _named(action, arguments)]
        taken = [file for file in files if file[2] == "read"]
        for name, path, use in files:
            if use == "read":
                continue
            for other, known, _ in taken:
                if _are_one(path, known):
                    raise InputError(f"{other} and {name} name the same file, {known}")
            if use == "write":
                check_writable(path)
            taken.append((name, path, use))


def _usage(option: Option) -> str:
    """An argument as the first line of the help has it: what is named by its place, or must be given."""
    name, metavar = option.names[-1], option.settings.get("metavar", "")
    if name.startswith("-"):
        return f"{name} {metavar}" if option.settings.get("required") else ""
    return _PLACES[option.settings.get("nargs")].replace("{}", metavar)


def _reader(read: Callable[[str], Any]) -> Callable[[str], Any]:
    """A reader for argparse's `type=` that keeps its own message: argparse hides that of a ValueError."""

    def reader(text: str) -> Any:
        try:
            return read(text)
        except InputError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return reader


def rules_hint(word: str) -> str:
    """What an error adds where somebody has named rules alone, such as --hard, or after a game, such as classic-hard,
    the name of a tree."""
    name = word.lstrip("-").lower()
    for rules in map(str, Rules):
        game = name.removesuffix(rules)
        if not game or (game != name and game.endswith("-") and is_game(game[:-1])):
            return f": write {game[:-1]}{' ' * bool(game)}--rules {rules}"
    return ""


def _named(action: argparse.Action, arguments: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """The files that an argument names, each after the argument's name."""
    name = action.option_strings[-1] if action.option_strings else str(action.metavar)
    value = getattr(arguments, action.dest)
    for path in value if isinstance(value, list) else [value]:
        if path not in (None, action.default, STDOUT):
            yield name, str(path).removeprefix("@")


def _are_one(path: str, other: str) -> bool:
    try:
        # A terminal, say, may well be read and written.
        return os.path.samefile(path, other) and os.path.isfile(path)
    except OSError:  # one of them isn't there yet
        return os.path.realpath(path) == os.path.realpath(other)
