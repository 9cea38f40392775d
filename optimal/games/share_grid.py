"""The finished game as people share it: its feedback without its words."""

from __future__ import annotations

from collections.abc import Sequence

from optimal.games.feedback import Feedback


def share_grid(
    name: str,
    feedback: Feedback,
    codes: Sequence[int],
    limit: int | None,
    strict: bool,
    *,
    contrast: bool = False,
    encoding: str | None = None,
) -> str:
    """A heading such as "classic 4/6", and a line for each guess: squares, or letters where the encoding lacks them.

    A star in the heading says that the rules were ``strict``; ``contrast`` has orange and blue squares instead of green
    and yellow. Ends with a newline.

    >>> from optimal.games.feedback import WordFeedback
    >>> print(share_grid("classic", WordFeedback(5), [30, 242], 6, True, encoding="ascii"), end="")
    classic 2/6*
    <BLANKLINE>
    BYBYB
    GGGGG
    """
    lines = [feedback.pretty(code, contrast=contrast) for code in codes]
    try:
        "".join(lines).encode(encoding or "utf-8")
    except UnicodeEncodeError:
        lines = [feedback.format(code) for code in codes]
    heading = f"{name} {len(codes)}" + ("" if limit is None else f"/{limit}") + "*" * strict
    return "\n".join([heading, "", *lines]) + "\n"
