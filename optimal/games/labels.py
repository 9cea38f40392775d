"""What a guess, an answer or a game may be called: short, printable text. Cheap to import."""

from __future__ import annotations

import os
from collections.abc import Sequence

from optimal.errors import InputError
from optimal.games.feedback import quoted

MAX_LABEL = 100  # characters


def label_fault(label: object) -> str | None:
    """What is wrong with a label, such as "is empty"; None when nothing is.

    A tree file holds labels, and they are shown: a control character could play tricks on a terminal.
    """
    if not isinstance(label, str):
        return "is no text"
    if not label:
        return "is empty"
    if len(label) > MAX_LABEL:
        return f"has {len(label)} characters, more than {MAX_LABEL}"
    # True of lone surrogates too, which no file can hold.
    return None if label.isprintable() else "is not printable"


def check_label(label: object, what: str) -> str:
    """The label itself. InputError, which names `what` it is for, unless it is 1 to 100 printable characters."""
    fault = label_fault(label)
    if fault is not None:
        raise InputError(f"{what} {quoted(str(label))} {fault}; right would be 1 to {MAX_LABEL} printable characters")
    assert isinstance(label, str)
    return label


def check_labels(labels: Sequence[object], what: str) -> tuple[str, ...]:
    """The labels themselves. InputError when one of them is no label, or stands twice."""
    first_at: dict[str, int] = {}
    for number, label in enumerate(labels, 1):
        checked = check_label(label, f"{what}, label {number}:")
        if checked in first_at:
            raise InputError(f"{what}, label {number}: {quoted(checked)} is label {first_at[checked]} already")
        first_at[checked] = number
    return tuple(first_at)


def read_labels(path: str | os.PathLike[str]) -> tuple[str, ...]:
    """The labels of a file, one a line (UTF-8), in their order. InputError for a file that holds none."""
    name = os.fspath(path)
    try:
        with open(path, encoding="utf-8-sig") as file:
            lines = file.read().rstrip("\n").split("\n")
    except UnicodeDecodeError:
        raise InputError(f"{name}: not UTF-8; save the labels as UTF-8") from None
    except (OSError, ValueError) as error:
        raise InputError(f"can't read the labels {name}: {getattr(error, 'strerror', None) or error}") from None
    return check_labels(lines, name)
