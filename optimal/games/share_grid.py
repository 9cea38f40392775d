"""The finished game as people share it: its feedback without its words."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from optimal.games.info import GameInfo, History
from optimal.games.rules import Rules

if TYPE_CHECKING:
    from optimal.games.game import Game


def share_grid(
    out: TextIO, game: Game | GameInfo, history: History, limit: int | None, rules: Rules, *, contrast: bool
) -> None:
    """Write an empty line, a heading such as "classic 4/6", and a line for each guess: squares, or letters where the
    encoding lacks them; nothing for feedback that means nothing outside its matrix.

    A star in the heading says that the rules were hard; ``contrast`` has orange and blue squares instead of green and
    yellow.
    """
    feedback = game.feedback
    if feedback is None:
        return
    lines = [feedback.pretty(code, contrast=contrast) for _, code in history]
    try:
        "".join(lines).encode(out.encoding or "utf-8")
    except UnicodeEncodeError:
        lines = [feedback.format(code) for _, code in history]
    heading = f"{game.name} {len(lines)}" + ("" if limit is None else f"/{limit}") + "*" * (rules is not Rules.NORMAL)
    out.write("\n".join(["", heading, "", *lines, ""]))
