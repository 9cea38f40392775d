"""`Asker`: along a key by look-up, reply by reply; where a reply isn't known, by the best of the other questions.

Following the key needs neither numpy nor the engine. They are loaded once somebody doesn't know a reply: then the table
of the objects that still fit, without that question, is solved anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TextIO

from optimal.errors import ImpossibleFeedback, InputError
from optimal.files import read_line
from optimal.labels import COLON
from optimal.show.text import paragraph
from optimal.show.words import counted, listed, quoted, sentence
from optimal.tables.key import Key
from optimal.trees.nodes import Step

#: Seconds that finding another question may take; the best that is known by then is asked.
PATIENCE = 20.0
#: What stands for "I don't know".
UNKNOWN = ("?", "don't know", "dont know")
_COMMANDS = ("undo", "help", "quit")
MOST_SHOWN = 20


@dataclass(frozen=True)
class _Stage:
    """Where the asker stands: a key, which may be of a part of the table, and the step in it."""

    key: Key
    step: Step


class Asker:
    """Asks the questions of a key, one after the other.

    >>> from optimal import Table, identify
    >>> from optimal.tables.asking import Asker
    >>> table = Table.from_arrays([["4", "no"], ["2", "yes"], ["2", "no"]], questions=["legs", "sings"])
    >>> asker = Asker(identify(table).key)
    >>> asker.question, asker.replies
    ('legs', ('4', '2'))
    >>> asker.feed("2")
    >>> asker.feed("no")
    >>> asker.question, asker.objects
    (None, ('object 3',))
    """

    def __init__(self, key: Key) -> None:
        self.key = key
        #: The questions so far, each with its reply; None where it wasn't known.
        self.turns: list[tuple[str, str | None]] = []
        self._stages = [_Stage(key, key.root)]

    @property
    def question(self) -> str | None:
        """What is to be asked; None at the end."""
        stage = self._stages[-1]
        return None if stage.step.question is None else stage.key.questions[stage.step.question]

    @property
    def replies(self) -> tuple[str, ...]:
        """The replies that can come, in the table's order; none at the end."""
        stage = self._stages[-1]
        if stage.step.question is None:
            return ()
        return tuple(stage.key.replies[stage.step.question][code] for code in stage.step.children)

    @property
    def places(self) -> list[int]:
        """The objects that still fit, by their places in the table."""
        stage = self._stages[-1]
        left = sorted({one for step in stage.step.steps() for one in step.objects})
        if stage.key is self.key:
            return left
        place = {name: at for at, name in enumerate(self.key.objects)}
        return [place[stage.key.objects[one]] for one in left]

    @property
    def objects(self) -> tuple[str, ...]:
        """The same by name."""
        return tuple(self.key.objects[one] for one in self.places)

    @property
    def names(self) -> tuple[str, ...]:
        """The same as people name them: several of one group by its name."""
        return self.key.names(self.places)

    def feed(self, reply: str) -> None:
        """Take the reply to the question, by its name. InputError for what is none, or fits no object."""
        stage, question = self._stages[-1], self.question
        if stage.step.question is None or question is None:
            raise InputError(f"nothing is asked any more: it is {listed(self.names)}")
        code = stage.key.code_of(stage.step.question, reply)
        if code not in stage.step.children:
            raise ImpossibleFeedback(f"no object fits {quoted(question)}={quoted(reply)} after what was said")
        self._stages.append(_Stage(stage.key, stage.step.children[code]))
        self.turns.append((question, reply))

    def skip(self) -> None:
        """The reply isn't known: go on with the best of the other questions, exactly, over the objects that fit."""
        from optimal.tables.identify import identify

        question = self.question
        if question is None:
            raise InputError(f"nothing is asked any more: it is {listed(self.names)}")
        turns = [*self.turns, (question, None)]
        table = self.key.table
        members = table.members(turns)
        unknown = {table.question_index(name) for name, reply in turns if reply is None}
        if len(unknown) < len(table.questions):
            found = identify(table.where(members, sorted(unknown)), time_limit=PATIENCE).key
            if found is None:
                raise InputError(f"no other question was found within {PATIENCE:.0f} seconds")
            self._stages.append(_Stage(found, found.root))
        else:
            self._stages.append(
                _Stage(self.key, Step(None, objects=tuple(sorted(set(table.object_of[members].tolist())))))
            )
        self.turns = turns

    def undo(self) -> None:
        """Take the last reply back. InputError where there is none."""
        if not self.turns:
            raise InputError("there is nothing to undo")
        self._stages.pop()
        self.turns.pop()


def reply_of(text: str, replies: Sequence[str]) -> str | None:
    """The reply that is typed: in full, by its number where no reply is a number, or by its beginning; None for one
    that isn't known. InputError for anything else."""
    plain = " ".join(text.split())
    if plain in replies:
        return plain
    if plain.lower() in UNKNOWN:
        return None
    if is_numbered(replies) and plain.isascii() and plain.isdecimal() and len(plain) < 6:
        if not 1 <= int(plain) <= len(replies):
            raise InputError(f"replies have the numbers 1 to {len(replies)}, not {plain}")
        return replies[int(plain) - 1]
    alike = [reply for reply in replies if reply.casefold() == plain.casefold()]
    alike = alike or [reply for reply in replies if reply.casefold().startswith(plain.casefold())]
    if len(alike) != 1:
        told = f"may be {listed(alike)}" if alike else f"is none of {listed(replies, MOST_SHOWN)}"
        raise InputError(f"{quoted(text)} {told}; type ? if you don't know")
    return alike[0]


def is_numbered(replies: Sequence[str]) -> bool:
    """Whether replies may be typed by their numbers: not where one begins with a digit itself."""
    return not any(reply[:1].isdigit() for reply in replies)


def verdict(asker: Asker) -> str:
    """What it is, in words."""
    names = asker.names
    if len(names) == 1:
        return f"It is {names[0]}."
    groups = {asker.key.packed.groups[one] for one in asker.places}
    if len(groups) == 1:
        return f"It is {' or '.join(names)}, which needn't be told apart."
    them = "their groups" if len(names) > len(groups) else "them"
    return f"It is {' or '.join(names)}: no question that is left tells {them} apart."


def ask(key: Key, stdin: TextIO, stdout: TextIO) -> Asker:
    """Ask until it is known what it is, `quit` or the end of the input. Returns the asker as it is then."""

    def say(text: str) -> None:
        stdout.write(paragraph(text))

    asker = Asker(key)
    say(f"{key.name}, {counted(len(key.objects), 'object')}. {HOW_TO}")
    _show(asker, stdout)
    while asker.question is not None:
        stdout.write("> ")
        stdout.flush()
        try:
            line = read_line(stdin)
        except UnicodeDecodeError:
            raise InputError("the input is not text: type a reply") from None
        if not line:
            say("")
            break
        text = line.strip()
        command = text.removeprefix(COLON).lower()
        if command in _COMMANDS and (text.startswith(COLON) or text not in asker.replies):
            if command == "quit":
                break
            if command == "help":
                say(HOW_TO)
                continue
        elif not text:
            continue
        try:
            if command == "undo" and text not in asker.replies:
                asker.undo()
            elif (reply := reply_of(text, asker.replies)) is None:
                asker.skip()
            else:
                asker.feed(reply)
        except InputError as error:
            say(sentence(str(error)))
            continue
        _show(asker, stdout)
    if asker.question is None:
        say(verdict(asker))
    return asker


HOW_TO = "Type a reply, its beginning or its number; ? if you don't know; or :undo, :help, :quit."


def _show(asker: Asker, stdout: TextIO) -> None:
    """The question, with the replies that can come."""
    if asker.question is None:
        return
    replies = asker.replies
    numbered = is_numbered(replies)
    told = [f"{number} {reply}" if numbered else reply for number, reply in enumerate(replies[:MOST_SHOWN], 1)]
    more = f" and {len(replies) - MOST_SHOWN} more" if len(replies) > MOST_SHOWN else ""
    left = len(asker.places)
    stdout.write(paragraph(f"{len(asker.turns) + 1}. {asker.question}?  {', '.join(told)}{more}  ({left} left)"))
