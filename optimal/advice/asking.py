"""`Asker`: asks the questions of a key; if a reply isn't known, the best of the other questions.

Following the key needs neither numpy nor the engine. They are loaded when a reply isn't known: then the table of the
objects that still fit, without that question, is solved again.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, TextIO

from optimal.errors import ImpossibleFeedback, InputError
from optimal.show.words import counted, listed, quoted
from optimal.talk import Talk
from optimal.trees.key import Key, key_of
from optimal.trees.key_numbers import holding, number_of
from optimal.trees.nodes import Step

#: Seconds to find another question; then the best so far is asked. More of them seldom change it, and somebody waits.
PATIENCE = 1.0
#: Texts that mean "I don't know".
UNKNOWN = ("?", "don't know", "dont know")
MOST_SHOWN = 20


class Asker:
    """Asks the questions of a key, or of its file, one by one, as `optimal play` does.

    >>> from optimal import Asker, Table, identify
    >>> table = Table.from_arrays([["4", "no"], ["2", "yes"], ["2", "no"]], questions=["legs", "sings"])
    >>> asker = Asker(identify(table).key)
    >>> asker.question, asker.replies
    ('legs', ('2', '4'))
    >>> asker.feed("2")
    >>> asker.feed("no")
    >>> asker.question, asker.objects
    (None, ('object 3',))
    """

    def __init__(self, key: Key | str | os.PathLike[str]) -> None:
        self.key = key = key_of(key)
        #: Questions asked, each with its reply; None if it isn't known, several if it may be each of them.
        self.turns: list[tuple[str, str | tuple[str, ...] | None]] = []
        #: After each turn: a key, perhaps of part of the table, and the step in it.
        self._stages: list[tuple[Key, Step]] = [(key, key.root)]

    @property
    def question(self) -> str | None:
        """The question to ask; None at the end."""
        key, step = self._stages[-1]
        return None if step.question is None else key.label(step)

    @property
    def replies(self) -> tuple[str, ...]:
        """The possible replies, in natural order; none at the end."""
        key, step = self._stages[-1]
        return tuple(key.reply(step, code) for code, _ in key.children(step))

    @property
    def places(self) -> list[int]:
        """The objects that still fit, by index in the table."""
        key, step = self._stages[-1]
        left = {key.objects[one] for end in step.nodes() for one in end.objects}
        return [place for place, name in enumerate(self.key.objects) if name in left]

    @property
    def objects(self) -> tuple[str, ...]:
        """The objects that still fit, by name."""
        return tuple(self.key.objects[one] for one in self.places)

    @property
    def names(self) -> tuple[str, ...]:
        """The objects that still fit, as people name them: several of one group by its name."""
        return self.key.names(self.places)

    def feed(self, reply: str, *others: str) -> None:
        """Take the reply to the question, by name, or several of which it is one: then continue as for `skip`. Raises
        InputError for an unknown reply, or where none fits an object."""
        key, step = self._stages[-1]
        question, replies = self._asked(), tuple(dict.fromkeys((reply, *others)))
        assert step.question is not None
        codes = [key.code_of(step.question, one) for one in replies]
        fitting = [(one, code) for one, code in zip(replies, codes, strict=True) if code in step.children]
        if not fitting:
            said = quoted("/".join(replies))
            raise ImpossibleFeedback(f"no object fits {quoted(question)}={said} after what was said")
        if len(fitting) > 1:
            self._without(tuple(one for one, _ in fitting))
            return
        self._stages.append((key, step.children[fitting[0][1]]))
        self.turns.append((question, fitting[0][0]))

    def skip(self) -> None:
        """Take the reply as unknown: continue with the best of the other questions over the objects that fit. It is
        searched exactly; of a large table the best found in a moment is taken."""
        self._without(None)

    def _without(self, reply: tuple[str, ...] | None) -> None:
        """Continue without the question, of which only this is known."""
        from optimal.advice.questions import rest_of
        from optimal.search.identify import identify

        table, turns = self.key.table, [*self.turns, (self._asked(), reply)]
        part = rest_of(table, turns)
        if part is None:
            self._stages.append((self.key, Step(None, objects=tuple(table.left(turns)))))
        else:
            found = identify(part, time_limit=PATIENCE).key
            if found is None:
                raise InputError(f"no other question was found in {PATIENCE:.0f} s")
            self._stages.append((found, found.root))
        self.turns = turns

    def to_dict(self) -> dict[str, Any]:
        """Return the object printed by `optimal play KEY --json`."""
        return {
            "questions": [question for question, _ in self.turns],
            "replies": [reply for _, reply in self.turns],
            "objects": list(self.objects),
            "done": self.question is None,
            "table": self.key.name,
        }

    def _asked(self) -> str:
        if self.question is None:
            raise InputError(f"nothing is asked any more: it is {listed(self.names)}")
        return self.question

    def undo(self) -> None:
        """Take the last reply back. Raises InputError if there is none."""
        if not self.turns:
            raise InputError("there is nothing to undo")
        self._stages.pop()
        self.turns.pop()


def replies_of(text: str, replies: Sequence[str]) -> list[str]:
    """Return the replies of which one is meant, with strokes between, or those that have the number in them; none if it
    isn't known. Each is typed in full, by its place (if no reply is a number, or begins with one), or by its beginning.
    Raises InputError for anything else."""
    plain = " ".join(text.split())
    if plain not in replies and (held := holding(plain, replies)) is not None:
        if not held:
            raise _none_of(plain, replies)
        return held
    try:
        return _reply_of(plain, replies)
    except InputError:
        if "/" not in plain:
            raise
        parts = [replies_of(part, replies) for part in plain.split("/")]
        return list(dict.fromkeys(one for part in parts for one in part)) if all(parts) else []


def _reply_of(plain: str, replies: Sequence[str]) -> list[str]:
    """Return the one reply that is meant; none if it isn't known."""
    if plain in replies:
        return [plain]
    if plain.lower() in UNKNOWN:
        return []
    if is_numbered(replies) and plain.isascii() and plain.isdecimal() and len(plain) < 6:
        if not 1 <= int(plain) <= len(replies):
            raise InputError(f"replies have the numbers 1 to {len(replies)}, not {plain}")
        return [replies[int(plain) - 1]]
    matching = [reply for reply in replies if reply.casefold() == plain.casefold()]
    matching = matching or [reply for reply in replies if reply.casefold().startswith(plain.casefold())]
    if len(matching) > 1:
        raise InputError(f"{quoted(plain)} may be {listed(matching)}; type ? if you don't know")
    if not matching:
        raise _none_of(plain, replies)
    return matching


def _none_of(plain: str, replies: Sequence[str]) -> InputError:
    return InputError(f"{quoted(plain)} is none of {listed(replies, MOST_SHOWN)}; type ? if you don't know")


def is_numbered(replies: Sequence[str]) -> bool:
    """Return whether replies may be typed by their place: not if one is a number, or begins with a digit."""
    return not any(reply[:1].isdigit() or number_of(reply) for reply in replies)


def verdict(asker: Asker) -> str:
    """Return the objects left, as a sentence."""
    names = asker.names
    if len(names) == 1:
        return f"It is {names[0]}."
    groups = {asker.key.packed.groups[one] for one in asker.places}
    if len(groups) == 1:
        return f"It is {' or '.join(names)}, which needn't be told apart."
    them = "their groups" if len(names) > len(groups) else "them"
    return f"It is {' or '.join(names)}: no question that is left tells {them} apart."


class _KeyTalk(Talk):
    """The questions of a key."""

    commands: ClassVar[Mapping[str, str]] = {"undo": "undo", "help": "help", "quit": "quit"}
    wanted = "a reply"
    how_to = "Type a reply, its beginning or its number; a/b for either, ? if you don't know; or :undo, :help, :quit."

    def __init__(self, asker: Asker, stdout: TextIO) -> None:
        super().__init__(stdout)
        self.asker = asker

    @property
    def over(self) -> bool:
        return self.asker.question is None

    def begin(self) -> None:
        key = self.asker.key
        self.say(f"{key.name}, {counted(len(key.objects), 'object')}. {self.how_to}")
        self.show()

    def show(self) -> None:
        """Print the question with its replies, or the verdict."""
        asker, replies = self.asker, self.asker.replies
        if asker.question is None:
            self.say(verdict(asker))
            return
        texts = [f"{number} {reply}" if is_numbered(replies) else reply for number, reply in enumerate(replies, 1)]
        shown = listed(texts, MOST_SHOWN)
        self.say(f"{len(asker.turns) + 1}. {asker.question}?  {shown}  ({len(asker.places)} left)")

    def is_label(self, text: str) -> bool:
        return text in self.asker.replies

    def obey(self, command: str | None, line: str) -> None:
        if command == "help":
            self.say(self.how_to)
        elif command == "undo":
            self.asker.undo()
            self.show()
        elif line:
            if replies := replies_of(line, self.asker.replies):
                self.asker.feed(*replies)
            else:
                self.asker.skip()
            self.show()


def ask(key: Key, stdin: TextIO, stdout: TextIO) -> Asker:
    """Ask until the object is known, `quit` or the end of the input. Return the asker."""
    asker = Asker(key)
    talk = _KeyTalk(asker, stdout)
    talk.begin()
    talk.hold(stdin)
    return asker
