"""What a guess, an answer or a game may be called: short, printable text. Cheap to import."""

from __future__ import annotations

from optimal.errors import InputError
from optimal.games.arguments import check_texts, shown

MAX_LABEL = 100  # characters


def is_label(text: str) -> bool:
    """Whether it is 1 to 100 printable characters, so that a tree file can hold it and a terminal show it.

    A control character could play tricks on a terminal; a lone surrogate, no file can hold.
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
