"""What a guess, an answer, a reply or a game may be called, and how people type it. Cheap to import.

A label is short, printable text, and stands as it is: its case matters, save where a kind of feedback has its guesses
in one case. Typed, it may stand in quotation marks, and must where it begins with one or holds what would end it: a
blank or `=` in a position, a comma or a leading `@` in a list of openers. Within them a quotation mark is typed twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from optimal.checks import check_texts
from optimal.errors import InputError
from optimal.limits import MOST_CODE
from optimal.show.words import listed, quoted, shown

MAX_LABEL = 100  # characters
EQUALS = "="
#: Before a command, so that no label is meant.
COLON = ":"

_IN_QUOTES = r'"(?:[^"]|"")*"'
_PIECE = re.compile(rf"\s*(?:({_IN_QUOTES})(?=[\s=]|$)|(=)|([^\s=\"][^\s=]*))")
_NAME = re.compile(rf"\s*(?:({_IN_QUOTES})\s*|([^,\"][^,]*)?),")


def is_label(text: str, letters: int = MAX_LABEL) -> bool:
    """Whether it is 1 to 100 printable characters, or so many, so that a file can hold it and a terminal show it.

    A control character could play tricks on a terminal; a lone surrogate fits into no file.
    """
    return 0 < len(text) <= letters and text.isprintable()


def check_label(text: object, what: str) -> str:
    """The label itself; `what` names it in messages. InputError unless it is 1 to 100 printable characters."""
    if not isinstance(text, str):
        raise InputError(f"{what} must be text, not {shown(text)}")
    if not is_label(text):
        raise InputError(f"{what} must have 1 to {MAX_LABEL} printable characters; {shown(text)} does not")
    return str(text)


def check_labels(labels: object, of: str, count: int | None = None) -> tuple[str, ...]:
    """The labels themselves, no two alike, and so many of them if that is said; `of` is "guesses", say, or a file."""
    chosen = check_texts(labels, f"labels of {of}", "a")
    if count is not None and len(chosen) != count:
        raise InputError(f"{count} labels of {of} are needed, not {len(chosen)}")
    first_at: dict[str, int] = {}
    for number, label in enumerate(chosen, 1):
        check_label(label, f"label {number} of {of}")
        if first_at.setdefault(label, number) != number:
            raise InputError(f"labels {first_at[label]} and {number} of {of} are both {shown(label)}")
    return chosen


def feedback_label(code: int, labels: Sequence[str] | None) -> str:
    """The text of a feedback code of a bare matrix: its label, where it has one, or its number."""
    return str(code) if labels is None or code >= len(labels) else labels[code]


def is_code(text: str) -> bool:
    """Whether a text is a feedback code: int() also takes signs, underscores and other scripts' digits."""
    return text.isascii() and text.isdecimal() and len(text) <= 5 and int(text) <= MOST_CODE


def unquoted(text: str) -> str:
    """A label as it was typed, without the blanks around it and without its quotation marks.

    >>> unquoted('"=a "')
    '=a '
    """
    plain = text.strip()
    if not plain.startswith('"'):
        return plain
    if re.fullmatch(_IN_QUOTES, plain) is None:
        raise InputError(f"{quoted(text)} begins with a quotation mark: it must end with one, and one within is twice")
    return plain[1:-1].replace('""', '"')


def pieces_of(text: str) -> list[tuple[str, bool]]:
    """The words of a position, each with whether it is one of its signs `=`, and not a label.

    >>> pieces_of('"a b"=c')
    [('a b', False), ('=', True), ('c', False)]
    """
    pieces, at = [], 0
    text = text.rstrip()
    while at < len(text):
        found = _PIECE.match(text, at)
        if found is None:
            rest = text[at:].lstrip()
            raise InputError(f"{quoted(rest)}: a quotation mark opens and none closes before a blank, = or the end")
        pieces.append((unquoted(found[0]), found[2] is not None))
        at = found.end()
    return pieces


def names_of(text: str) -> list[str]:
    """The labels of a list with commas; what is left out between two of them is an empty one.

    >>> names_of('a b, "c,d"')
    ['a b', 'c,d']
    """
    text += ","
    names, at = [], 0
    while at < len(text):
        found = _NAME.match(text, at)
        if found is None:
            rest = text[at:-1].strip()
            raise InputError(f"{quoted(rest)}: a quotation mark opens and none closes before a comma or the end")
        names.append(unquoted(found[1] or found[2] or ""))
        at = found.end()
    return names


def as_typed(label: str) -> str:
    """A label as a position has it: in quotation marks where it would else be taken for something else."""
    if label.startswith('"') or EQUALS in label or label.split() != [label]:
        return '"' + label.replace('"', '""') + '"'
    return label


def command_of(line: str, commands: Mapping[str, str], is_label: Callable[[str], bool]) -> tuple[str | None, str]:
    """The command that a line is and what stands after it; None and the line for what is none.

    A command is marked by a colon. Without one it is one too, where it could not be meant for a label.
    """
    word, _, rest = line.removeprefix(COLON).partition(" ")
    command = commands.get(word.lower())
    if command is None or is_label(line) or (not line.startswith(COLON) and is_label(word)):
        return None, line
    return command, rest.strip()


def turn_of(text: str) -> tuple[str | None, str]:
    """The guess and the reply of "salet=bybbb" or "salet bybbb"; None and the whole text of anything else."""
    pieces = pieces_of(text)
    if [sign for _, sign in pieces[:2]] == [False, True]:
        return pieces[0][0], " ".join(word for word, _ in pieces[2:])
    if [sign for _, sign in pieces] == [False, False]:
        return pieces[0][0], pieces[1][0]
    return None, text


def pairs_of(text: str, is_reply: Callable[[str], bool]) -> list[tuple[str, str]]:
    """The guesses and replies of two turns or more, such as "salet bybbb crony byybb"; none of anything else."""
    words = [word for word, sign in pieces_of(text) if not sign]
    if len(words) < 4 or len(words) % 2 or not all(map(is_reply, words[1::2])):
        return []
    return list(zip(words[::2], words[1::2], strict=True))


def labelled_code(text: str, labels: Sequence[str] | None) -> int:
    """The feedback code that a label stands for, in quotation marks or not, or its number where codes have no labels.

    InputError for others.
    """
    if labels is None:
        plain = text.strip()
        if not is_code(plain):
            raise InputError(f"{quoted(text)} is not a feedback code: type its number, such as 3")
        return int(plain)
    codes = {label: code for code, label in enumerate(labels)}
    found = codes.get(text)  # as it is, so that what `feedback_label` writes is always read
    if found is None:
        found = codes.get(unquoted(text))
    if found is None:
        raise InputError(f"feedback {quoted(text)} is none of {listed(labels)}; capitals matter")
    return found


def check_feedback_labels(labels: object, most: int) -> tuple[str, ...]:
    """The labels of the feedback codes from 0 up to `most`, each for one code."""
    chosen = check_labels(labels, "feedback")
    if len(chosen) <= most:
        raise InputError(f"{len(chosen)} labels of feedback, and codes up to {most}: each code needs one")
    return chosen
