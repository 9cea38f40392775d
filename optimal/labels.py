"""Labels of guesses, answers, replies and games, and how they are typed. Cheap to import.

A label is short, printable text. It is case-sensitive, unless a kind of feedback has its guesses in one case. When
typed it may be in quotation marks, and must be if it begins with one or contains a separator: a blank or `=` in a
position, a comma or a leading `@` in a list of openers. Within them a quotation mark is doubled.
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
#: Marks a command.
COLON = ":"

_IN_QUOTES = r'"(?:[^"]|"")*"'
_PIECE = re.compile(rf"\s*(?:({_IN_QUOTES})(?=[\s=]|$)|(=)|([^\s=\"][^\s=]*))")
_NAME = re.compile(rf"\s*(?:({_IN_QUOTES})\s*|([^,\"][^,]*)?),")


def is_label(text: str, letters: int = MAX_LABEL) -> bool:
    """Return whether it is 1 to 100 (or ``letters``) printable characters, so that files can hold it and terminals show
    it.

    Control characters could affect a terminal; lone surrogates can't be encoded.
    """
    return 0 < len(text) <= letters and text.isprintable()


def check_label(text: object, what: str) -> str:
    """Return the label; `what` names it in messages. Raises InputError unless it is 1 to 100 printable characters."""
    if not isinstance(text, str):
        raise InputError(f"{what} must be text, not {shown(text)}")
    if not is_label(text):
        raise InputError(f"{what} must have 1 to {MAX_LABEL} printable characters; {shown(text)} does not")
    return str(text)


def check_labels(labels: object, of: str, count: int | None = None) -> tuple[str, ...]:
    """Return the labels, all different, and ``count`` of them if that is given; `of` is "guesses", say, or a file."""
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
    """Return the text of a feedback code of a bare matrix: its label, if it has one, or its number."""
    return str(code) if labels is None or code >= len(labels) else labels[code]


def is_code(text: str) -> bool:
    """Return whether a text is a feedback code: int() also takes signs, underscores and other scripts' digits."""
    return text.isascii() and text.isdecimal() and len(text) <= 5 and int(text) <= MOST_CODE


def unquoted(text: str) -> str:
    """Return a typed label without the blanks around it and its quotation marks.

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
    """Return the words of a position, each with whether it is a sign `=` and not a label.

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
    """Return the labels of a list with commas; a missing one is empty.

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
    """Return a label as typed in a position: in quotation marks if it would be misread without."""
    if label.startswith('"') or EQUALS in label or label.split() != [label]:
        return '"' + label.replace('"', '""') + '"'
    return label


def command_of(line: str, commands: Mapping[str, str], is_label: Callable[[str], bool]) -> tuple[str | None, str]:
    """Return the command that a line is and its argument; None and the line if it is none.

    Commands begin with a colon; it may be left out if the line can't be a label.
    """
    word, _, rest = line.removeprefix(COLON).partition(" ")
    command = commands.get(word.lower())
    if command is None or is_label(line) or (not line.startswith(COLON) and is_label(word)):
        return None, line
    return command, rest.strip()


def turn_of(text: str) -> tuple[str | None, str]:
    """Return the guess and the reply of "salet=bybbb" or "salet bybbb"; None and the whole text of anything else."""
    pieces = pieces_of(text)
    if [sign for _, sign in pieces[:2]] == [False, True]:
        return pieces[0][0], " ".join(word for word, _ in pieces[2:])
    if [sign for _, sign in pieces] == [False, False]:
        return pieces[0][0], pieces[1][0]
    return None, text


def pairs_of(text: str, is_reply: Callable[[str, str], bool]) -> list[tuple[str, str]]:
    """Return the guesses and replies of two or more turns, such as "salet bybbb crony byybb"; none of anything else.

    ``is_reply`` is asked of a reply and its guess."""
    words = [word for word, sign in pieces_of(text) if not sign]
    if len(words) < 4 or len(words) % 2 or not all(map(is_reply, words[1::2], words[::2])):
        return []
    return list(zip(words[::2], words[1::2], strict=True))


def labelled_code(text: str, labels: Sequence[str] | None) -> int:
    """Return the feedback code of a label, quoted or not, or of a number if codes have no labels.

    Raises InputError for anything else.
    """
    if labels is None:
        plain = text.strip()
        if not is_code(plain):
            raise InputError(f"{quoted(text)} is not a feedback code: type its number, such as 3")
        return int(plain)
    codes = {label: code for code, label in enumerate(labels)}
    found = codes.get(text)  # unchanged, so that every result of `feedback_label` is read
    if found is None:
        found = codes.get(unquoted(text))
    if found is None:
        raise InputError(f"feedback {quoted(text)} is none of {listed(labels)}; capitals matter")
    return found


def check_feedback_labels(labels: object, most: int) -> tuple[str, ...]:
    """Return the labels of the feedback codes from 0 to `most`, one for each code."""
    chosen = check_labels(labels, "feedback")
    if len(chosen) <= most:
        raise InputError(f"{len(chosen)} labels of feedback, and codes up to {most}: each code needs one")
    return chosen
