"""Conversations by typed lines: one loop for games along a tree, for exact advice and for keys. Light."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import suppress
from typing import ClassVar, TextIO

from optimal.errors import InputError
from optimal.files import read_line
from optimal.labels import command_of
from optimal.show.text import paragraph
from optimal.show.tiles import Palette, painted
from optimal.show.words import sentence

PROMPT = "> "
#: Feedback alone, after a guess that was refused.
WHOSE = "name the guess that brought this: GUESS=FEEDBACK"


class Talk(ABC):
    """A game or a key played by typed lines."""

    #: Commands, as typed, and their names; see `command_of`.
    commands: ClassVar[Mapping[str, str]]
    #: A short description of the input.
    wanted: ClassVar[str]
    palette: Palette | None = None

    def __init__(self, stdout: TextIO) -> None:
        self.stdout = stdout

    @property
    @abstractmethod
    def over(self) -> bool: ...

    @abstractmethod
    def is_label(self, text: str) -> bool:
        """Return whether the text is a reply or a guess, and so not a command."""

    @abstractmethod
    def obey(self, command: str | None, line: str) -> None:
        """Carry out a line: a command, or a reply. Raises InputError for an invalid one."""

    def say(self, text: str) -> None:
        self.stdout.write(painted(paragraph(text), self.palette))

    def _next_line(self, stdin: TextIO) -> str:
        """Return the next line typed; "" at the end. On a terminal it can be edited, and earlier ones come back."""
        if (stdin, self.stdout) == (sys.stdin, sys.stdout) and stdin.isatty() and self.stdout.isatty():
            with suppress(ImportError):
                import readline  # noqa: F401  # here, because it alone makes `input` edit lines
            try:
                return f"{input(PROMPT)}\n"
            except EOFError:
                return ""
        self.stdout.write(PROMPT)
        self.stdout.flush()
        return read_line(stdin)

    def hold(self, stdin: TextIO) -> None:
        """Read lines until the talk is over, `quit` or the end of the input."""
        while not self.over:
            try:
                line = self._next_line(stdin)
            except UnicodeDecodeError:
                raise InputError(f"the input is not text: type {self.wanted}") from None
            if not line:
                self.say("")
                break
            command, rest = command_of(line.strip(), self.commands, self.is_label)
            if command == "quit":
                break
            try:
                if command not in (None, "game") and rest:
                    raise InputError(f":{command} takes nothing behind it")
                self.obey(command, rest)
            except InputError as error:
                self.say(sentence(str(error)))
