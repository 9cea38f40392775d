"""What a guess, an answer or a game may be called: short, printable text. Cheap to import."""

from __future__ import annotations

from collections.abc import Sequence

from optimal.errors import InputError
from optimal.games.arguments import MOST_CODE, check_texts, shown
from optimal.games.feedback import quoted

MAX_LABEL = 100  # characters


def is_label(text: str) -> bool:
    """Whether it is 1 to 100 printable characters, so that a tree file can hold it and a terminal show it.

    A control character could play tricks on a terminal; a lone surrogate fits into no file.
    """
    return 0 < len(text) <= MAX_LABEL and text.isprintable()


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


def labelled_code(text: str, labels: Sequence[str] | None) -> int:
    """The feedback code that a label, in any letter case, or the number of a code stands for. InputError for others."""
    plain = text.strip()
    if labels is None:
        if not is_code(plain):
            raise InputError(f"{quoted(text)} is not a feedback code: type its number, such as 3")
        return int(plain)
    codes = {label.casefold(): code for code, label in enumerate(labels)}
    if plain.casefold() not in codes:
        raise InputError(f"feedback {quoted(text)} is none of {', '.join(labels)}")
    return codes[plain.casefold()]


def check_feedback_labels(labels: object, most: int) -> tuple[str, ...]:
    """The labels of the feedback codes from 0 up to `most`; each stands for one code, in any letter case."""
    chosen = check_labels(labels, "feedback")
    if len(chosen) <= most:
        raise InputError(f"{len(chosen)} labels of feedback, and codes up to {most}: each code needs one")
    if len({label.casefold() for label in chosen}) < len(chosen) or any("=" in label for label in chosen):
        raise InputError("labels of feedback must differ by more than capitals, and hold no =")
    return chosen
